"""What calls come to whose types are partly open, by programs of their numbers.

Calls of one form, that differ in numbers from 2 on only, come to the same but for these numbers, since clauses are
relations: what they make of an open number that is at least 2 holds of each. So this is found once, when the package is
installed, and a program says it of each call: of one that is made in a search the ways in which it can hold
(`relaylogic.logic.search.options`), of one that is asked on its own, its answers.

A program is given the numbers, and what knows relations by name. It says how many steps it took to find out; of ways
what `Ways` says of them together, and of each the index of its clause, its values, its constraints, how many slots
there are, whether it is an option as it is (others are what is left when it is posted), and, if any, the calls that
leave no choice and are made in it.

    def answer(numbers):
        n0, n1, relation = numbers
        found = ()
        if n1 == n0:
            found = (*found, (0, ((1, slot(3)),), (Call((relation('BroadcastDim'), slot(0), slot(2), n0)),), 4, True))
        return 17, True, True, False, True, found

Of an answer it says the index of its clause, its terms, where None is what was asked, and what is left over; or a way,
of which that is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...host.governor import spend
from ...logic.control import Search
from ...logic.search.options import Option, Ways
from ...logic.search.profiles import Profile
from ...logic.search.search import Answer, Solution, of_answers, search
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.terms import Cons, Slot, variables_of
from ...types import TensorType, TupleType
from ...types.possible import are_possible
from ..attrs import Attrs
from .store import Store

__all__ = ["PROFILES", "SMALL", "Asked", "KeptWays", "kept_ways", "name_of", "solution_of"]

SMALL = 2
"""Numbers below that are told apart by clauses, and are part of the form."""
MOST_NUMBERS = 64
DEEPEST = 6
"""Types within types so often, and lists in them, have no form."""
_NAMES = {TensorType: "Tensor[", TupleType: "Tuple[", Cons: "Cons["}
"""What stands before the parts of a term; no dtype is called so."""


PROFILES = "all.profiles"
"""The name under which the programs are kept that say the profiles of relations."""


class _NoForm(Exception):
    """Something in a call is neither a number, nor a dtype, nor open."""


def _form_of(arguments: Iterable[Any], numbers: list[int], levels: int = DEEPEST) -> tuple[Any, ...]:
    """The arguments of a call without the numbers from 2 on, which join `numbers`: None stands for each of them, a
    negative number for what is open. Raises _NoForm."""
    form: list[Any] = []
    for term in arguments:
        kind = type(term)
        if kind is int and term >= 0:
            if term < SMALL:
                form.append(term)
            else:
                numbers.append(term)
                form.append(None)
        elif kind is str:
            form.append(term)
        elif kind is Slot:
            form.append(~term.args[0])
        elif not levels:
            raise _NoForm
        elif kind is tuple:
            form.append(_form_of(term, numbers, levels - 1))
        elif kind in _NAMES:
            form.append((_NAMES[kind], *_form_of(term.args, numbers, levels - 1)))
        else:
            raise _NoForm
    return tuple(form)


class Asked(NamedTuple):
    """A call whose ways are asked for: its relation, its arguments with slots for what is open, and its attributes;
    whether calls within clauses are kept as calls, and whether numbers may turn out to be `?`."""

    relation: Any
    arguments: tuple[Any, ...]
    attrs: Any
    postponed: bool
    gradual: bool

    def form(self, numbers: list[int]) -> tuple[Any, ...] | None:
        """What a program for it is known by; its numbers join `numbers`. None if there is no program for such calls."""
        relation, arguments, attrs = self.relation, self.arguments, self.attrs
        if relation.takes_attrs and type(attrs) is not Attrs:
            return None
        try:
            form = _form_of(arguments, numbers)
        except _NoForm:
            return None
        if len(numbers) > MOST_NUMBERS:
            return None
        return self.postponed, self.gradual, form, attrs.key if relation.takes_attrs else None


def name_of(relation: Any) -> str:
    """The name under which programs for the ways of a relation's calls are kept."""
    return f"{relation.name}.ways"


class KeptWays:
    """The programs for the ways of the calls of a rule base's relations."""

    def __init__(self, rules: Any, store: Callable[[], Store]) -> None:
        self._rules = rules
        self._store = store
        self.noted: dict[Any, Asked] | None = None  # what was asked and no program told, if somebody wants to know

    def of(self, asked: Asked, search: Search) -> Ways | None:
        """The ways of a call, if a program says them; None if goals are to be asked. Raises StepLimit."""
        found = self._told(asked, search)
        if found is None:
            return None
        steps, *ways = found
        search.budget.charge(steps)
        return kept_ways(asked.relation, *ways)

    def solution(self, asked: Asked, control: Callable[[], Search], steps: int, most: int) -> Solution | None:
        """What is known of a call, if a program says all that it may come to; None if the rules are to be asked, or if
        it takes more steps to find it out. For `control` and `most` see `solution_of`. Raises Stopped."""
        found = self._said(asked)
        if found is None:
            return None
        taken, answers = found
        if taken > steps:
            return None
        spend(taken)
        return solution_of(asked, answers, control, most)

    def profile(self, relation: Any) -> Profile | None:
        """What calls of a relation may do, if a program says it."""
        if self._rules.relations.get(relation.name) is not relation:
            return None
        found = self._store().program(PROFILES, (relation.name, None))
        return None if found is None or found.answer is None else Profile(*found.answer([]))

    def _told(self, asked: Asked, search: Search) -> Any:
        """What a program says of a call that is made in a search; None if there is none."""
        if search.trace is not None or search.postpones is not asked.postponed:
            return None
        if search.settles or search.sketches or search.types_only or search.known:
            return None
        return self._said(asked)

    def _said(self, asked: Asked) -> Any:
        """What a program says of a call; None if there is none."""
        relation = asked.relation
        if relation.asked is not None or self._rules.relations.get(relation.name) is not relation:
            return None
        numbers: list[Any] = []
        form = asked.form(numbers)
        if form is None:
            return None
        found = self._store().program(name_of(relation), form)
        if found is None or found.answer is None:
            if self.noted is not None:
                self.noted.setdefault((relation, form), asked)
            return None
        numbers.append(self._rules.relations.__getitem__)
        return found.answer(numbers)


def kept_ways(
    relation: Any, are_disjoint: bool, gives_last: bool, at_once: bool, no_unknown: bool, ways: Iterable[Any]
) -> Ways:
    """The ways of a call of a relation as a program says them."""
    options = []
    all_plain = True
    for index, values, constraints, size, is_plain, *steps in ways:
        clause = relation.clauses[index]
        clause.used += 1
        options.append(Option(clause.name, values, constraints, size, *steps))
        all_plain = all_plain and is_plain
    return Ways(tuple(options), all_plain, are_disjoint, gives_last, at_once, no_unknown)


def solution_of(asked: Asked, answers: Iterable[Any], control: Callable[[], Search], most: int) -> Solution:
    """What is known of a call which comes to these answers, as a program says them: at most so many of them.

    Ways among them are goals; `control` makes the search for what comes of these.
    """
    relation, arguments = asked.relation, asked.arguments
    known: list[Answer | Option] = []
    for index, terms, *told in answers:
        clause = relation.clauses[index]
        clause.used += 1
        if len(told) == 1:
            found = [term if new is None else new for new, term in zip(terms, arguments, strict=True)]
            known.append(Answer(tuple(found), clause.name, *told))
        else:
            constraints, size, _ = told
            known.append(Option(clause.name, terms, constraints, size))
    if all(type(one) is Answer for one in known):
        return of_answers(known, arguments, most, are_possible)  # type: ignore[arg-type]
    terms = instantiate(arguments, {})
    variables = variables_of(terms)
    cases = ((one.clause, one if isinstance(one, Answer) else one.goal(variables)) for one in known)
    return search(cases, terms, control(), max_answers=most, admits=are_possible)
