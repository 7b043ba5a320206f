"""What may come of calls of a relation, read off what its clauses mention: whether `?`, whether the relation itself,
whether defaults.

A relation that calls itself is tabled (`tables`); where nothing can be `?`, nobody has to wait and see (`gradual`);
without defaults, answers are the same whatever becomes of these. All is judged on the safe side, and without running a
rule: a clause in clause notation says which relations it calls; of one in Python, the names in its code lead to
relations, to `?`, to defaults, and to the functions of rule files that it uses. (Running the clauses of the most
general call instead, and reading what they came to, cost a third of a small query.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

from ..constraints.gradual import Follows, default, follows
from ..control import FREE, Budget, Search, StepLimit
from ..exact import exact
from ..states.calls import Call, is_disjunction
from ..states.goals import fail
from ..states.state import State
from ..states.suspended import Primitive, Suspended
from ..states.unknown import may_be_unknown
from ..terms.numbers import UNKNOWN
from .options import options_of, weight

__all__ = ["Gradual", "Profile", "Profiles", "asked_about"]

STEPS = 2_000
DEEPEST = 100
"""Calls that lead to calls so many times are not followed further: their terms may grow with each;"""
HEAVIEST = 2_000
"""nor are calls of terms with so many parts."""
LIBRARY = "relaylogic."
"""Functions of the library make no `?` of their own and call no relation that they were not given; two of them state
defaults."""
_DEFAULTS = frozenset({Follows, default, follows})
_STATING = frozenset({FunctionType, type})
_FILLED = object()
"""What is mentioned where something is stated to be what it is by default."""
_NO_RELATIONS = frozenset({UNKNOWN, _FILLED})
_WITHOUT_DEFAULTS = frozenset({BuiltinFunctionType, type, type(fail)})


@dataclass(frozen=True, slots=True)
class Profile:
    """What calls of a relation may do, with all that they lead to."""

    makes_unknown: bool
    recursive: bool
    has_defaults: bool


class Profiles:
    """The profiles of a rule base's relations, worked out when they are asked for."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._mentions: dict[Any, tuple[Any, ...]] = {}
        self._known: dict[Any, Profile] = {}

    def clear(self) -> None:
        """Forget everything: the rules have changed."""
        self._mentions.clear()
        self._known.clear()

    def of(self, relation: Any) -> Profile:
        """The profile of a relation."""
        found = self._known.get(relation)
        if found is None:
            found = self._rules.kept_profile(relation) or self._profile(relation)
            if not is_disjunction(relation):
                self._known[relation] = found
        return found

    def may_call_itself(self, relation: Any) -> bool:
        """Whether calls of a relation may lead to one that calls itself."""
        return any(self.of(reached).recursive for reached in self.reached(relation))

    def reached(self, start: Any) -> list[Any]:
        """The relations that calls of one may lead to, itself the first."""
        reached, seen = [start], {start}
        for relation in reached:
            new = [m for m in self._of_clauses(relation) if m not in _NO_RELATIONS and m not in seen]
            seen.update(new)
            reached += new
        return reached

    def may_make_unknown(self, constraints: Iterable[Any], search: Search) -> bool:
        """Whether a number may turn out to be `?` by these constraints and all that they lead to. Raises StepLimit.

        Where what a relation mentions does not tell, the options of its calls do. Calls that go on and on (of a clause
        that calls itself with more and more) may, as far as is known.
        """
        pending, seen = [(constraint, 0) for constraint in constraints], set()
        while pending:
            constraint, depth = pending.pop()
            if may_be_unknown(constraint.args):
                return True
            if type(constraint) is Call:
                if not self.of(constraint.relation).makes_unknown:
                    continue
                pattern = constraint.pattern.args
                key = exact(pattern)
                if key in seen:
                    continue
                seen.add(key)
                if depth == DEEPEST or weight(pattern) > HEAVIEST:
                    return True
                outcomes = options_of(pattern, self._rules.options, search).outcomes()
                if outcomes is None or any(may_be_unknown(arguments) for arguments, _ in outcomes):
                    return True
                pending.extend((c, depth + 1) for _, constraints in outcomes for c in constraints)
            elif type(constraint) is Suspended and self._may(constraint):
                return True
        return False

    def _may(self, waiting: Suspended) -> bool:
        """Whether a suspended goal may make a number `?` when it runs."""
        mentioned = _of_functions([waiting.primitive.run, *(getattr(a, "function", None) for a in waiting.arguments)])
        mentioned.update(dict.fromkeys(a for a in waiting.arguments if hasattr(a, "clauses")))
        return UNKNOWN in mentioned or any(self.of(m).makes_unknown for m in mentioned if m is not _FILLED)

    def _profile(self, start: Any) -> Profile:
        makes = recursive = has_defaults = False
        seen, stack = {start}, [start]
        while stack:
            for mentioned in self._of_clauses(stack.pop()):
                if mentioned in _NO_RELATIONS:
                    makes, has_defaults = makes or mentioned is UNKNOWN, has_defaults or mentioned is _FILLED
                    continue
                recursive = recursive or mentioned is start
                if mentioned not in seen:
                    seen.add(mentioned)
                    stack.append(mentioned)
        return Profile(makes, recursive, has_defaults)

    def _of_clauses(self, relation: Any) -> tuple[Any, ...]:
        """The relations that a relation's clauses mention, `UNKNOWN` if they may make a number `?`, and `_FILLED` if
        they state defaults."""
        found = self._mentions.get(relation)
        if found is None:
            # Names mean what they mean in the rule base of the clause, whichever it is that is asked.
            written = [(m, clause.known) for clause in relation.clauses for m in clause.mentions or ()]
            mentioned = _of_functions([clause.build for clause in relation.clauses if clause.mentions is None])
            mentioned.update(dict.fromkeys(known.get(m, m) if type(m) is str else m for m, known in written))
            found = tuple(m for m in mentioned if type(m) is not str)
            if not is_disjunction(relation):
                self._mentions[relation] = found
        return found


def _of_functions(functions: list[Any]) -> dict[Any, None]:
    """The relations that the code of functions leads to, `UNKNOWN` and `_FILLED`."""
    mentioned: dict[Any, None] = {}
    seen: set[Any] = set()
    stack: list[Any] = list(functions)
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in _STATING and item in _DEFAULTS:
            mentioned[_FILLED] = None
        elif kind is FunctionType:
            if item in seen or (item.__module__ or "").startswith(LIBRARY):
                continue
            seen.add(item)
            held = [*_closed_over(item), *(item.__defaults__ or ())]
            if held:
                mentioned[UNKNOWN] = None  # it holds what its code does not name
                stack.extend(held)
            known = item.__globals__
            stack.extend(known[name] for name in _names(item.__code__) if name in known)
        elif item is UNKNOWN or (kind is not type and hasattr(item, "clauses")):
            mentioned[item] = None
        elif kind is Primitive:
            stack.append(item.run)
        elif kind in (tuple, list, set, frozenset):
            stack.extend(item)
        elif kind is dict:
            stack.extend(item.values())
        elif hasattr(item, "__wrapped__"):
            stack.append(item.__wrapped__)
        elif kind not in _WITHOUT_DEFAULTS and callable(item):
            mentioned[_FILLED] = None  # for all that is known of it
    return mentioned


def _closed_over(function: FunctionType) -> Iterator[Any]:
    """What the variables are that a function has from the functions around it."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # one that nothing is assigned to yet
            yield cell.cell_contents


def _names(code: CodeType) -> list[str]:
    """The names that a function's code mentions, those of the functions within it too."""
    found: list[str] = []
    stack = [code]
    while stack:
        item = stack.pop()
        found.extend(item.co_names)
        stack.extend(constant for constant in item.co_consts if isinstance(constant, CodeType))
    return found


def asked_about(goal: Any, rules: Any, mentions: tuple[str, ...] | None = None) -> Search:
    """The search for all answers of a goal: it postpones calls, and is gradual if something in it may be `?`.

    `mentions`: the names of the relations that it calls, if `?` does not occur in it.
    """

    return Search(postpones=True, gradual=Gradual(goal, rules, mentions), defaults=FREE, rules=rules)


class Gradual:
    """Whether something in a goal may be `?`, for a search that postpones calls: found out when it is called.

    Whoever has run the goal in that search, without asking, may tell what came of it (`told`): it is not run again.
    """

    __slots__ = ("_goal", "_mentions", "_rules", "_states")

    def __init__(self, goal: Any, rules: Any, mentions: tuple[str, ...] | None) -> None:
        self._goal = goal
        self._rules = rules
        self._mentions = mentions
        self._states: Iterable[State] | None = None

    def told(self, state: State) -> None:
        """The goal has one state, which is this one whether or not something may be `?`."""
        self._states = (state,)

    def __call__(self) -> bool:
        profiles, relations = self._rules.profiles, self._rules.relations if self._mentions else {}
        if self._mentions is not None and not any(profiles.of(relations[m]).makes_unknown for m in self._mentions):
            return False
        trial = Search(Budget(STEPS), postpones=True, gradual=True, defaults=FREE, rules=self._rules)
        refuted = True  # that is found out where numbers may be `?`: `n * m = ?` holds of no others, and `known(n)`
        # refuses `?` only where it waits for it
        try:
            for state in self._states or self._goal(State({}, None, trial)):
                refuted = False
                trial.budget.charge()
                if may_be_unknown(tuple(state.bindings.values())):
                    return True
                if profiles.may_make_unknown(state.constraints(), trial):
                    return True
        except (StepLimit, RecursionError):
            # A goal of kanren's may have no end.
            return True
        return refuted or trial.budget.unknown_refused
