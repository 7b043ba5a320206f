"""What is known of a call once what it leaves to defaults has become known: mostly what was known of it before."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from ..constraints.gradual import Follows
from ..terms.rebuilding import canonical, instantiate, reify_slots
from ..terms.terms import Slot, Term, slot
from ..terms.variables import fresh
from .search import Answer, Solution, told

__all__ = ["with_defaults_of", "with_dtypes"]


def with_defaults_of(solution: Solution, places: Container[int]) -> Solution | None:
    """What is known of a call of one answer if that is as by default which only its arguments at some places speak of;
    None if there is nothing of that, or if something else is so by default."""
    (answer,) = solution.answers
    others = tuple([term for place, term in enumerate(answer.terms) if place not in places])
    values = dict(solution.kept)
    if not values or _speaks_of(others, values):
        return None
    left = _left(answer.residue, values)
    if left is None:
        return None
    terms = reify_slots(answer.terms, {slot(number): value for number, value in values.items()})
    return told((Answer(terms, answer.clause, left),), terms)


def with_dtypes(answer: Answer, key: tuple[Any, ...], named: Mapping[int, Any], count: int) -> Solution | None:
    """What is known of a call with arguments `key`, of `count` variables, if it has this answer but for some dtypes.

    `named` says what the slots of the answer are by now: dtypes, or other slots. None if more has become known, if the
    answer says more of them than what they are by default, or if anything else is so by default.
    """
    dtypes = {number: term for number, term in named.items() if type(term) is str}
    still_open = [term for term in named.values() if type(term) is Slot]
    others = named.keys() - dtypes.keys() - {number for number, term in named.items() if type(term) is Slot}
    left = _left(answer.residue, dtypes)
    if left is None or len(set(still_open)) < len(still_open) or _speaks_of((answer.terms, left), others):
        return None
    places = {term: fresh() for term in map(slot, range(count))}
    known = {number: places.get(term, term) for number, term in named.items()}
    numbering = {variable: place for place, variable in places.items()}
    terms, left = canonical(instantiate((answer.terms, left), known), numbering)
    return told((Answer(terms, answer.clause, left),), terms) if terms == key else None


def _left(residue: tuple[Any, ...], dtypes: Mapping[int, str]) -> tuple[Any, ...] | None:
    """What is left of an answer when slots are these dtypes; None where it says more of them than a default, or speaks
    of other defaults."""
    left = []
    for constraint in residue:
        if type(constraint) is Follows:
            term, source, strict = constraint.args
            if type(term) is not Slot or term.args[0] not in dtypes or type(source) is not str:
                return None
            if strict and dtypes[term.args[0]] != source:
                return None
        elif _speaks_of(constraint, dtypes):
            return None
        else:
            left.append(constraint)
    return tuple(left)


def _speaks_of(term: Any, slots: Container[int]) -> bool:
    """Whether one of these slots occurs in a term."""
    stack = [term]
    while stack:
        item = stack.pop()
        if type(item) is Slot:
            if item.args[0] in slots:
                return True
        elif type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and not item.ground:
            stack.extend(item.args)
    return False
