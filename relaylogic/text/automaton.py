"""LALR automata, driven token by token: what Relay text and clause notation have in common.

lark reads the grammar and makes the tables, which takes longer than most programs take to be typed; they are plain data
and are kept in the user's cache folder (`relaylogic.host.cache`). So lark is imported only where they are not there.

Representation: `actions[state]` maps a terminal to the state to go to, or to `~rule` where a rule is to be reduced;
`gotos[state]` maps the origin of a rule that was reduced to the state to go to. A rule is its origin, its number of
parts, and the name of what makes its value. Lists are made by `one` and `add`, which `run` does itself. Most other
reductions pass a value on and make nothing (a name is a product is a sum is an expression): a chain of them is followed
once, `passed` remembers where it leads from a state or, behind a reduction, from the origin of its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from ..host.cache import kept

__all__ = ["Automaton", "Reader", "Reductions", "Unexpected", "add", "automaton", "one"]

Reduction = tuple[str, int, Any]

END = "$END"
"""The terminal behind the last token of a text."""


class Unexpected(Exception):
    """A token that cannot stand where it does; `accepted` are the terminals that could."""

    def __init__(self, token: Any, accepted: set[str]) -> None:
        super().__init__(token)
        self.token = token
        self.accepted = accepted


def one(parts: list[Any]) -> list[Any]:
    """What makes a list of one part."""
    return parts


def add(parts: list[Any]) -> list[Any]:
    """What appends the last part to the first, which is a list."""
    found: list[Any] = parts[0]
    found.append(parts[-1])
    return found


class Reader:
    """Who reads a text, and may want to know where what has been reduced ends: with the token `last`."""

    last: Any = None


class Reductions(dict[int, Reduction]):
    """For the action that reduces by a rule: the origin of the rule, its size, and what makes its value.

    Each is found when it is first asked for: a short text, or an edit, needs few. The value of a rule `first` of one
    part is that of its part, for which nothing is called.
    """

    def __init__(self, rules: Sequence[tuple[str, int, str]], named: Callable[[str], Any]) -> None:
        self._rules = rules
        self._named = named

    def __missing__(self, action: int) -> Reduction:
        origin, size, name = self._rules[~action]
        found = self[action] = (origin, size, None if _is_passing(size, name) else self._named(name))
        return found


class Automaton:
    """The tables of a grammar for one or several start symbols."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._starts: dict[str, tuple[int, int]] = data["starts"]
        self._actions: list[dict[str, int]] = data["actions"]
        self._gotos: list[dict[str, int]] = data["gotos"]
        self._rules: list[tuple[str, int, str]] = [tuple(rule) for rule in data["rules"]]
        self._passed: list[dict[int | str, dict[str, int]]] = [{} for _ in self._actions]

    def reductions(self, named: Callable[[str], Any]) -> Reductions:
        """What reduces by the rules, from what `named` gives for the name of what makes a value."""
        return Reductions(self._rules, named)

    def run(self, start: str, tokens: Iterable[Any], last: Any, reductions: Reductions, reader: Reader) -> Any:
        """The value of `start` for tokens with a `type`, of which `last` is the end. Raises Unexpected.

        Meanwhile `reader.last` is the token before that which is looked at, which is where what is reduced ends.
        """
        actions, passed = self._actions, self._passed
        state, end = self._starts[start]
        states = [state]
        values: list[Any] = []
        for token in chain(tokens, (last,)):
            kind = token.type
            while True:
                try:
                    action = actions[state][kind]
                except KeyError:
                    raise Unexpected(token, self._accepted(states, end)) from None
                if action >= 0:
                    break
                origin, size, make = reductions[action]
                if make is None:
                    below = states[-2]
                    try:
                        state = passed[below][state][kind]
                    except KeyError:
                        state = self._pass(below, state, state, kind)
                    states[-1] = state
                    if state == end and token is last:
                        return values[-1]
                    continue
                if size == 1:
                    values[-1] = values[-1:] if make is one else make(values[-1:])
                    below = states[-2]
                    try:
                        states[-1] = state = passed[below][origin][kind]
                    except KeyError:
                        states[-1] = state = self._pass(below, origin, self._gotos[below][origin], kind)
                    if state == end and token is last:
                        return values[-1]
                    continue
                if make is add:
                    item = values[-1]
                    del states[-size:], values[1 - size :]
                    values[-1].append(item)
                elif size:
                    parts = values[-size:]
                    del states[-size:], values[-size:]
                    values.append(make(parts))
                else:
                    values.append(make([]))
                below = states[-1]
                try:
                    state = passed[below][origin][kind]
                except KeyError:
                    state = self._pass(below, origin, self._gotos[below][origin], kind)
                if state == end and token is last:
                    return values[-1]
                states.append(state)
            state = action
            states.append(state)
            values.append(token)
            reader.last = token
        raise AssertionError("the end of a text is accepted or unexpected")

    def _pass(self, below: int, what: int | str, state: int, kind: str) -> int:
        """The state above `below` that a value comes to from another before `kind`, as long as it is only passed on.

        It is remembered for `what`, which is that state, or the origin of the rule that led to it.
        """
        ends = {end for _, end in self._starts.values()}
        while True:
            action = self._actions[state].get(kind)
            if action is None or action >= 0 or (kind == END and state in ends):
                break
            origin, size, name = self._rules[~action]
            if not _is_passing(size, name):
                break
            state = self._gotos[below][origin]
        self._passed[below].setdefault(what, {})[kind] = state
        return state

    def _accepted(self, states: list[int], end: int) -> set[str]:
        """The terminals that could follow: those that are shifted after the reductions that they call for."""
        return {kind for kind in self._actions[states[-1]] if self._is_shifted(kind, states, end)}

    def _is_shifted(self, kind: str, states: list[int], end: int) -> bool:
        stack = states[:]
        while True:
            action = self._actions[stack[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                return True
            origin, size, _ = self._rules[~action]
            if size:
                del stack[-size:]
            state = self._gotos[stack[-1]][origin]
            if kind == END and state == end:
                return True
            stack.append(state)


def _is_passing(size: int, name: str) -> bool:
    """Whether the value of such a rule is that of its only part."""
    return size == 1 and name == "first"


def automaton(name: str, grammar: str, terminals: Iterable[str], starts: Sequence[str]) -> Automaton:
    """The automaton of a grammar; `name` is what its tables are kept under."""
    text = f"{grammar}\n%declare {' '.join(terminals)}\n// {' '.join(starts)}"
    return Automaton(kept(f"automaton-{name}", text, lambda: _tables(text, starts)))


def _tables(grammar: str, starts: Sequence[str]) -> dict[str, Any]:
    """The tables that lark makes, as plain data."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class NoLexer(Lexer):
        """Tokens are fed from outside."""

        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
            return iter(())

    made = Lark(
        grammar, parser="lalr", lexer=NoLexer, start=list(starts), keep_all_tokens=True, maybe_placeholders=False
    )
    table = made.parser.parser._parse_table
    rules: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    origins = {rule.origin.name for rule in made.rules}
    for state in range(len(table.states)):
        actions.append({})
        gotos.append({})
        for name, (action, to) in table.states[state].items():
            if name in origins:
                gotos[-1][name] = to
            else:
                actions[-1][name] = to if action is Shift else ~rules.setdefault(to, len(rules))
    return {
        "starts": {start: [table.start_states[start], table.end_states[start]] for start in starts},
        "actions": actions,
        "gotos": gotos,
        "rules": [[rule.origin.name, len(rule.expansion), rule.alias] for rule in rules],
    }
