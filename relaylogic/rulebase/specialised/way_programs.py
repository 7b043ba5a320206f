"""The programs that say the ways and the answers of all calls of a form (`ways`).

The numbers of the form are variables that are known to be natural, and at least 2; each option, or answer, of such a
call is one of the program. Where it says what a number is, the program asks whether it is that. It is a program only if
it says of calls of the form, of the one that was asked and of others, what goals say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple
from typing import Any

from ...logic.circuits.forced import Forced, forced
from ...logic.constraints.compare import Compare
from ...logic.constraints.different import Different
from ...logic.constraints.free_choices import without_free_choices
from ...logic.constraints.gradual import HELD_BACK, Agree, Follows, completed
from ...logic.constraints.natural import Natural, is_natural_number
from ...logic.control import FREE, Budget, Search, StepLimit
from ...logic.search.dependence import is_function
from ...logic.search.options import Option, Options, Steps, option_of, options_of_ways, ways_of
from ...logic.search.resolution import Resolution
from ...logic.search.search import MAX_ANSWERS, Answer, answer_of, search
from ...logic.states.calls import Call
from ...logic.states.goals import goal, lall
from ...logic.states.state import State
from ...logic.states.unknown import may_be_unknown
from ...logic.terms.mistakes import RuleError
from ...logic.terms.numbers import UNKNOWN, Arith
from ...logic.terms.rebuilding import canonical, instantiate, reify_term, slots_in
from ...logic.terms.terms import Cons, Slot, slot, variables_of
from ...logic.terms.variables import fresh_list
from ...types import TensorType, TupleType
from ...types.possible import are_possible
from .functions import compiled
from .ways import SMALL, Asked, kept_ways, solution_of

__all__ = ["program_of_profile", "program_of_ways", "with_calls_made"]

STEPS = 5_000
MOST_WAYS = 24
OTHERS: tuple[Callable[[int, int], int], ...] = (
    lambda number, place: number + 3 * place + 1,
    lambda number, place: 2 * number,
    lambda number, place: 7,
)
"""Other numbers of which a program is tried: different ones, others that are alike, and one that all of them are."""

_MAKERS: dict[type, str] = {
    TensorType: "Tensor",
    TupleType: "Tuple",
    Cons: "Cons",
    Compare: "Compare",
    Follows: "Follows",
    Agree: "Agree",
    Different: "Different",
    Natural: "Natural",
    Arith: "Number",
    Call: "Call",
}


class _NotSaid(Exception):
    """Something of a way is not said in programs."""


def program_of_ways(rules: Any, asked: Asked) -> str:
    """The text of the program for the calls that differ from one in its numbers only; nothing if there is none."""
    with suppress(StepLimit, RuleError, RecursionError, _NotSaid):
        if rules.profiles.may_call_itself(asked.relation):
            return ""
        if asked.postponed:
            return _program_where_calls_are_made(rules, asked) or _first_that_says_all(rules, asked, False)
        text = _answers(rules, asked)
        return text if all(_says_answers(rules, text, call) for call in _like(asked)) else ""
    return ""


def _program_where_calls_are_made(rules: Any, asked: Asked) -> str:
    with suppress(StepLimit, RuleError, RecursionError, _NotSaid):
        return _first_that_says_all(rules, asked, True)
    return ""


def _first_that_says_all(rules: Any, asked: Asked, calls_made: bool) -> str:
    """The text of a program of ways that says of calls what goals say. Raises StepLimit, RuleError, _NotSaid."""
    for at_once in (True, False) if asked.gradual else (False,):
        text = _ways(rules, asked, at_once, calls_made)
        if not text:
            break
        if all(_says_ways(rules, text, call, calls_made) for call in _like(asked)):
            return text
    return ""


def _like(asked: Asked) -> list[Asked]:
    """A call, and others that differ from it in its numbers only."""
    return [asked, *(_with_others(asked, other) for other in OTHERS)]


def program_of_profile(rules: Any, relation: Any) -> str:
    """The text of the program that says the profile of a relation."""
    return f"def answer(numbers):\n    return {', '.join(map(str, astuple(rules.profiles.of(relation))))}\n"


def _ways(rules: Any, asked: Asked, at_once: bool, calls_made: bool) -> str:
    """The program for the ways of calls; for `at_once` see `Ways`. Raises StepLimit, RuleError, _NotSaid.

    `calls_made`: the calls in them that leave no choice are made; nothing if there are none, or if more than what is an
    option as it is, whatever may be `?`, is left of any way.
    """
    numbers, opened, terms, start = _general(rules, asked)
    variables = (*numbers, *opened)
    states = _few(ways_of(asked.relation, _given(asked, terms), start))
    resolution = Resolution(start.search, {})
    ways = [(name, _with_calls_made(state, resolution) if calls_made else Forced(state, ())) for name, state in states]
    if calls_made and not any(made.steps for _, made in ways):
        return ""
    said = []
    no_unknown = True
    for name, (state, steps, _) in ways:
        shortest = _Said(rules, len(numbers), len(opened), option_of(name, state, variables))
        as_found = _Said(rules, len(numbers), len(opened), _as_found(name, state, variables))
        way = shortest if shortest.is_plain else as_found
        if calls_made and not (way.is_plain and way.says_all):
            return ""
        said.append((way.conditions, way.way(_index(asked, name), steps)))
        no_unknown = no_unknown and not (shortest.may_be_unknown() or as_found.may_be_unknown())
    general = Options(len(states), states, (numbers, *terms))
    last = asked.relation.arity - 1
    gives_last = is_function(general, 1 + last, Resolution(start.search, {}).functional)
    besides = f"{general.disjoint}, {gives_last}, {at_once}, {no_unknown}, "
    return _program(len(numbers), said, _steps(rules, asked), besides)


def _with_calls_made(state: State, resolution: Resolution) -> Forced:
    """A state after the calls that leave no choice; as it is where one of them cannot hold: that is found out later."""
    return forced(state, resolution) or Forced(state, ())


def _answers(rules: Any, asked: Asked) -> str:
    """The program for the answers of calls. Raises StepLimit, RuleError, _NotSaid."""
    numbers, opened, terms, start = _general(rules, asked)
    variables = (*numbers, *opened)
    numbering = {variable: slot(i) for i, variable in enumerate(variables)}
    known = canonical(terms, dict(numbering))

    def answers(name: str, state: State) -> Iterator[tuple[list[str], str]]:
        for complete in completed(state):
            left = without_free_choices(complete, variables)
            answer = answer_of(terms, left, name, dict(numbering))
            way = _Said(rules, len(numbers), len(opened), option_of(name, left, variables))
            yield way.conditions, way.answer(_index(asked, name), known, answer)

    said = []
    for name, state in _few(ways_of(asked.relation, _given(asked, terms), start)):
        try:
            said += list(answers(name, state))
        except _NotSaid:
            way = _Said(rules, len(numbers), len(opened), _as_found(name, state, variables))
            said.append((way.conditions, way.way(_index(asked, name), ())))
    return _program(len(numbers), said, _steps(rules, asked))


def _program(numbers: int, said: list[tuple[list[str], str]], steps: int, besides: str = "") -> str:
    """A program that says each of some things if its conditions hold."""
    names = ", ".join([*(f"n{i}" for i in range(numbers)), "relation"])
    first = ["def answer(numbers):", f"    {names}{',' * (not numbers)} = numbers"]
    if not any(conditions for conditions, _ in said):
        return "\n".join([*first, f"    return {steps}, {besides}{_tuple([told for _, told in said])}", ""])
    lines = [*first, "    found = ()"]
    for conditions, told in said:
        if conditions:
            lines += [f"    if {' and '.join(conditions)}:", f"        found = (*found, {told})"]
        else:
            lines.append(f"    found = (*found, {told})")
    return "\n".join([*lines, f"    return {steps}, {besides}found", ""])


# --- what goals say --------------------------------------------------------------------------------------------------


def _search(rules: Any, asked: Asked, known: tuple[Any, ...] = ()) -> Search:
    budget = Budget(STEPS, governed=False)
    return Search(budget, postpones=asked.postponed, gradual=asked.gradual, defaults=FREE, known=known, rules=rules)


def _given(asked: Asked, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*arguments, asked.attrs) if asked.relation.takes_attrs else arguments


def _index(asked: Asked, name: str) -> int:
    return [clause.name for clause in asked.relation.clauses].index(name)


def _few(ways: Iterator[tuple[str, State]]) -> list[tuple[str, State]]:
    """All of some ways. Raises StepLimit if they are many, or if they are not all that there are."""
    found = []
    for way in ways:
        found.append(way)
        if len(found) > MOST_WAYS:
            raise StepLimit
    for _, state in found:
        budget = state.search.budget
        if budget.cut or budget.short or budget.put_off:
            raise StepLimit
    return found


def _steps(rules: Any, asked: Asked) -> int:
    """How many steps goals take to say the ways of a call. Raises StepLimit, RuleError."""
    given = _given(asked, instantiate(asked.arguments, {}))
    control = _search(rules, asked)
    _few(ways_of(asked.relation, given, State({}, None, control)))
    return STEPS - control.budget.left


def _general(rules: Any, asked: Asked) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...], State]:
    """The call that is like all that differ from one in its numbers: variables for these, what is open besides, its
    arguments, and the state in which it is made."""
    given: list[int] = []
    asked.form(given)
    numbers = fresh_list(len(given))
    left = iter(numbers)
    opened: dict[int, Any] = {}
    terms = instantiate(tuple([_with_numbers(term, left) for term in asked.arguments]), opened)
    first = [is_natural_number(variable) for variable in numbers]
    first.append(goal(lambda work: all(work.narrow(variable, SMALL, None) for variable in numbers)))
    (start,) = lall(*first)(State({}, None, _search(rules, asked, numbers)))
    return numbers, tuple(opened[i] for i in range(len(opened))), terms, start


def _with_numbers(term: Any, numbers: Iterator[Any]) -> Any:
    """A term with the next of `numbers` in place of each number from 2 on."""
    kind = type(term)
    if kind is int:
        return term if term < SMALL else next(numbers)
    if kind is tuple:
        return tuple([_with_numbers(part, numbers) for part in term])
    return kind.make(tuple([_with_numbers(part, numbers) for part in term.args])) if kind in _MAKERS else term


def _with_others(asked: Asked, other: Callable[[int, int], int]) -> Asked:
    numbers: list[int] = []
    asked.form(numbers)
    left = iter([other(number, place) for place, number in enumerate(numbers)])
    return asked._replace(arguments=tuple([_with_numbers(term, left) for term in asked.arguments]))


def _as_found(name: str, state: State, variables: tuple[Any, ...]) -> Option:
    """What a state says, as the clause has stated it: where numbers are put in, fewer words may do."""
    numbering = {variable: slot(i) for i, variable in enumerate(variables)}
    terms = canonical(reify_term(variables, state.bindings), numbering)
    constraints = [reify_term(constraint, state.bindings) for constraint in state.constraints()]
    for variable, (low, high) in (state.store.bounds if state.store is not None else {}).items():
        constraints.append(Compare.draft(("<=", low, variable)))
        if high is not None:
            constraints.append(Compare.draft(("<=", variable, high)))
    values = tuple([(i, term) for i, term in enumerate(terms) if term is not slot(i)])
    return Option(name, values, canonical(tuple(constraints), numbering), len(numbering))


# --- whether a program says so, too ----------------------------------------------------------------------------------


def _told(rules: Any, text: str, asked: Asked) -> Any:
    numbers: list[Any] = []
    asked.form(numbers)
    return compiled(text)([*numbers, rules.relations.__getitem__])


def _says_ways(rules: Any, text: str, asked: Asked, calls_made: bool) -> bool:
    """Whether a program says the ways of a call as goals do, or what these come to when the calls are made that leave
    no choice. Raises StepLimit, RuleError."""
    terms = instantiate(asked.arguments, {})
    control = _search(rules, asked)
    states = _few(ways_of(asked.relation, _given(asked, terms), State({}, None, control)))
    direct = Options(len(states), states, terms)
    _, *ways = _told(rules, text, asked)
    known = kept_ways(asked.relation, *ways)
    told = options_of_ways(known, asked.arguments, control)
    for found, expected in ((told, direct), *([(told.decided(), direct.decided())] if asked.gradual else [])):
        if calls_made:
            if with_calls_made(found, control) != with_calls_made(expected, control):
                return False
        elif found.options != expected.options:
            return False
    if known.are_disjoint and not direct.disjoint:
        return False
    last = asked.relation.arity - 1
    return not known.gives_last or is_function(direct, last, Resolution(control, {}).functional)


def with_calls_made(options: Options, control: Search) -> list[Option]:
    """The options of a call after the calls in them that leave no choice, in whichever order; without those in which
    one of these cannot hold. Raises StepLimit, RuleError."""
    resolution = Resolution(control, {})
    variables = tuple(variables_of(options.arguments))
    found = []
    for option in options.options or ():
        for state in option.goal(variables)(State({}, None, control)):
            made = forced(state, resolution)
            if made is not None:
                steps = tuple(sorted((*option.steps, *made.steps)))
                found.append(option_of(option.clause, made.state, variables)._replace(steps=steps))
    return found


def _says_answers(rules: Any, text: str, asked: Asked) -> bool:
    """Whether a program says the answers of a call as goals do. Raises RuleError."""
    _, answers = _told(rules, text, asked)
    terms = instantiate(asked.arguments, {})

    def control() -> Search:
        return _search(rules, asked)

    expected = search(asked.relation.cases(terms, asked.attrs), terms, control(), admits=are_possible)
    return expected.limit == "" and solution_of(asked, answers, control, MAX_ANSWERS) == expected


class _Said:
    """One option of the general call as a program says it: what it demands of the numbers, its values and constraints;
    whether it `is_plain`: numbers stand in it where they are, and are not reckoned with. Raises _NotSaid."""

    def __init__(self, rules: Any, numbers: int, opened: int, option: Option) -> None:
        self._relations = rules.relations
        self._numbers = numbers
        self._asked = numbers + opened
        self._names = {i: f"n{i}" for i in range(numbers)}
        self._new: dict[int, int] = {}
        self.conditions: list[str] = []
        values: dict[int, Any] = {}
        for place, term in option.values:
            if place >= self._numbers:
                values[place] = term
            elif type(term) is int:
                self.conditions.append(f"n{place} == {term}")
            elif type(term) is not Slot:
                raise _NotSaid
            elif term.args[0] in self._names:
                self.conditions.append(f"n{place} == {self._names[term.args[0]]}")
            else:
                other = term.args[0]
                self._names[other] = f"n{place}"
                if other < self._asked:
                    values[other] = slot(place)
        self._values = sorted(values.items())
        self._constraints = self._left(option.constraints)
        self.is_plain = not any(map(self._is_reckoned, (*values.values(), *self._constraints)))
        self.says_all = HELD_BACK.isdisjoint(map(type, self._constraints))  # also while numbers may be `?`

    def may_be_unknown(self) -> bool:
        """Whether something in it may be `?`, or a symbol, but for what calls lead to."""
        left = tuple([constraint for constraint in self._constraints if type(constraint) is not Call])
        return may_be_unknown((tuple(self._values), left))

    def way(self, index: int, steps: Steps) -> str:
        """The way of the clause of this index, in which these calls are made. Raises _NotSaid."""
        told = [f"({place - self._numbers}, {self._term(term)})" for place, term in self._values]
        left = [self._term(constraint) for constraint in self._constraints]
        size = self._asked - self._numbers + len(self._new)
        besides = f", {steps!r}" if steps else ""
        return f"({index}, {_tuple(told)}, {_tuple(left)}, {size}, {self.is_plain}{besides})"

    def answer(self, index: int, known: tuple[Any, ...], answer: Answer) -> str:
        """An answer of the clause of this index, where these terms were `known`. Raises _NotSaid."""
        self._names = {i: f"n{i}" for i in range(self._numbers)}
        left = self._left(answer.residue)
        if any(map(self._is_reckoned, (*answer.terms, *left))):
            raise _NotSaid
        terms = ["None" if a is b or a == b else self._term(a) for a, b in zip(answer.terms, known, strict=True)]
        return f"({index}, {_tuple(terms)}, {_tuple(list(map(self._term, left)))})"

    def _left(self, constraints: Sequence[Any]) -> list[Any]:
        """The constraints without those that say what is known of every number."""
        return [constraint for constraint in constraints if not self._is_sure(constraint)]

    def _is_sure(self, constraint: Any) -> bool:
        if type(constraint) is Natural:
            return self._is_number(constraint.args[0])
        if type(constraint) is not Compare:
            return False
        how, low, number = constraint.args
        return how == "<=" and type(low) is int and low <= SMALL and self._is_number(number)

    def _is_number(self, term: Any) -> bool:
        return type(term) is Slot and term.args[0] in self._names

    def _is_reckoned(self, term: Any) -> bool:
        """Whether what numbers there are in a term changes what it says, but for themselves."""
        if type(term) in (Call, TensorType, TupleType, Cons, tuple):
            return any(map(self._is_reckoned, term if type(term) is tuple else term.args))
        if type(term) is Slot or not hasattr(term, "args"):
            return False
        return any(self._is_number(place) for place in slots_in(term))

    def _term(self, term: Any) -> str:
        kind = type(term)
        if kind in (str, bool, int, type(None)):
            return f"({term})" if kind is int and term < 0 else repr(term)
        if kind is tuple:
            return _tuple([self._term(part) for part in term])
        if term is UNKNOWN:
            return "ANY"
        if kind is Slot:
            return self._slot(term)
        if kind is Call:
            relation, *arguments = term.args
            if relation.asked is not None or self._relations.get(relation.name) is not relation:
                raise _NotSaid
            return f"Call({_tuple([f'relation({relation.name!r})', *map(self._term, arguments)])})"
        if kind not in _MAKERS:
            raise _NotSaid
        return f"{_MAKERS[kind]}({self._term(term.args)})"

    def _slot(self, place: Any) -> str:
        """A number, or a slot without those of numbers before it; new ones are numbered as they come."""
        (index,) = place.args
        if index in self._names:
            return self._names[index]
        if index >= self._asked:
            index = self._new.setdefault(index, self._asked + len(self._new))
        return f"slot({index - self._numbers})"


def _tuple(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
