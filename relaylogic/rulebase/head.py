"""A relation that is decided by unification alone, as its most general answer: the head of a clause without a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..logic.control import Search, StepLimit
from ..logic.search.search import Solution, answer_of
from ..logic.states.state import State
from ..logic.terms.rebuilding import instantiate
from ..logic.terms.terms import Cons, Slot, Term, cons, slot, variables_of
from ..logic.terms.variables import VARIABLES, fresh_list
from ..types import IncompleteType, TypeCall, TypeVar
from ..types.possible import are_possible
from .relation import Relation

__all__ = ["Head", "Unlike", "head_of", "only_answer"]


class Unlike(Exception):
    """A term that is no instance of what it is matched with."""


class Head:
    """`terms` with slots: the relation holds of just the instances of them.

    `parameters` are the places of the slots for the type parameters of the data type that it is about, `kinds` those of
    slots that do not stand for types. `is_open`: whether it speaks of a list whose length it does not say, which no
    type can be written with; then terms are matched, not unified, with what is known.
    """

    __slots__ = ("_elements", "_path", "is_open", "kinds", "parameters", "terms")

    def __init__(self, terms: tuple[Any, ...], kinds: Sequence[str] = ()) -> None:
        self.terms = terms
        made = (_parameters(term) for term in (terms[-1], terms[0]))
        self.parameters = next((places for places in made if len(places) == len(kinds)), ())
        self.kinds = {place: kind for place, kind in zip(self.parameters, kinds, strict=False) if kind != "Type"}
        lists = _open_lists(terms)
        self.is_open = bool(lists)
        wanted = _repeated(terms) if lists else frozenset()
        # Of the elements of a list, those that something is asked of.
        self._elements = {
            known: [(i, e) for i, e in enumerate(known.prefix) if type(e) is not Slot or e in wanted] for known in lists
        }

        self._path = _path(terms) if lists else None

    def part(self, term: Any, walk: Callable[[Any], Any]) -> Any:
        """The second of two terms, if the first is `term`, that is one of its parts, and it is known; else None.

        What `match` finds out in general; for projections in a tenth of the time.
        """
        for kind, index in self._path or ((None, 0),):
            term = walk(term)
            if kind is Cons and type(term) is tuple and index < len(term):
                term = term[index]
            elif kind is type(term) and kind is not Cons:
                term = term.args[index]
            else:
                return None
        return term

    def instance(self, values: dict[int, Any]) -> tuple[Any, ...]:
        """The terms with `values` for the slots; those that have none get new holes there."""
        for place, kind in self.kinds.items():
            if place not in values:
                values[place] = IncompleteType(kind)
        return instantiate(self.terms, values)  # type: ignore[no-any-return]

    def match(self, index: int, term: Any, walk: Callable[[Any], Any]) -> tuple[dict[int, Any], list[Any]]:
        """What the slots of one of the terms are if it is `term`, and the variables that must be known to tell.

        `walk` gives what a term is known to be. Raises Unlike.
        """
        values: dict[int, Any] = {}
        waiting: list[Any] = []
        agenda = [(self.terms[index], term)]
        while agenda:
            pattern, found = agenda.pop()
            if type(pattern) is Slot:
                if values.setdefault(pattern.args[0], found) is not found:
                    raise Unlike
                continue
            found = walk(found)
            if pattern is found:
                continue
            if type(found) in VARIABLES:
                waiting.append(found)
            elif type(pattern) is Cons and type(found) in (tuple, Cons):
                known = found if type(found) is tuple else found.prefix
                agenda += [(element, known[i]) for i, element in self._elements[pattern] if i < len(known)]
                count = len(pattern.prefix)
                if count <= len(known):
                    rest = known[count:]
                    agenda.append((pattern.tail, rest if type(found) is tuple else cons(rest, found.tail)))
                elif type(found) is tuple:
                    raise Unlike
                else:
                    waiting += variables_of(found.tail)
            elif type(pattern) is tuple is type(found) and len(pattern) == len(found):
                agenda += zip(pattern, found, strict=True)
            elif type(pattern) is not type(found) or type(pattern) is TypeVar:
                raise Unlike
            elif isinstance(pattern, Term) and len(pattern.args) == len(found.args):
                agenda += zip(pattern.args, found.args, strict=True)
            elif pattern != found:
                raise Unlike
        return values, waiting


def _path(terms: tuple[Any, ...]) -> tuple[tuple[Any, int], ...] | None:
    """Where the second of two terms stands in the first, if nothing else is said of that but what is above it."""
    if len(terms) != 2 or type(terms[1]) is not Slot:
        return None
    path: list[tuple[Any, int]] = []
    term, sought = terms[0], terms[1]
    while term is not sought:
        parts = term.prefix if type(term) is Cons else term.args if isinstance(term, Term) else ()
        wanted = [i for i, part in enumerate(parts) if part is sought or type(part) is not Slot]
        if len(wanted) != 1 or (type(term) is Cons and term.tail is sought):
            return None
        path.append((type(term), wanted[0]))
        term = parts[wanted[0]]
    return tuple(path)


def head_of(solution: Solution, kinds: Sequence[str] = ()) -> Head | None:
    """What a relation says, by its answers to the call of which nothing is known; None if that is more than a head.

    If there is one answer, of which nothing is left, then the relation holds of just the instances of that. `kinds` are
    those of the type parameters of the data type that it is about.
    """
    if not solution.decided or solution.general is None:
        return None
    return Head(solution.general, kinds)


def only_answer(relation: Relation, control: Search) -> tuple[Any, ...] | None:
    """The answer to the call of which nothing is known, if the relation has one clause, and that just one answer, of
    which nothing is left; None if it is not as simple as that.

    What a search finds out in general takes twice as long, and that of a fact ten times: each constructor, pattern and
    projection that a program uses for the first time is asked about.
    """
    if len(relation.clauses) != 1 or relation.takes_attrs:
        return None
    (clause,) = relation.clauses
    if clause.fact is not None:
        return clause.fact if are_possible(clause.fact) else None
    variables = fresh_list(relation.arity)
    try:
        found = clause.goal(variables)(State({}, None, control))
        first = next(found, None)
        if first is None or first.store is not None or next(found, None) is not None or control.budget.cut:
            return None
    except (StepLimit, RecursionError):
        return None
    numbering = {variable: slot(index) for index, variable in enumerate(variables)}
    terms = answer_of(variables, first, clause.name, numbering).terms
    return terms if are_possible(terms) else None


def _parameters(term: Any) -> tuple[int, ...]:
    """The places of the slots that a data type is applied to, if they are different slots."""
    arguments = term.type_args if type(term) is TypeCall else ()
    distinct = all(type(a) is Slot for a in arguments) and len(set(arguments)) == len(arguments)
    return tuple(a.args[0] for a in arguments) if distinct else ()


def _open_lists(terms: tuple[Any, ...]) -> list[Any]:
    """The lists in some terms of which only the first elements are told."""
    found: dict[Any, None] = {}
    seen: set[int] = set()
    stack: list[Any] = list(terms)
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and not item.ground and type(item) is not Slot and id(item) not in seen:
            seen.add(id(item))
            if type(item) is Cons:
                found[item] = None
            stack.extend(item.args)
    return list(found)


def _repeated(terms: tuple[Any, ...]) -> frozenset[Any]:
    """The slots that stand in several places."""
    once: set[Any] = set()
    several: set[Any] = set()
    stack: list[Any] = list(terms)
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif type(item) is Slot:
            (several if item in once else once).add(item)
        elif isinstance(item, Term) and not item.ground:
            stack.extend(item.args)
    return frozenset(several)
