"""Bounded completeness of attributes: an attribute that is not known is an argument like any other.

What a relation answers where an attribute of a call that holds is unknown, and perhaps one of the types too, must be
what brute force finds by asking about every value of the attribute's universe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..logic.control import FREE
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import is_ground
from ..logic.terms.variables import fresh
from ..rulebase import AttributeProblem, Operator, Relation, RuleBase
from ..rulebase.attribute_universe import AttributeBounds, values_of
from ..rulebase.attrs import Attrs
from ..types import TensorType
from ..types.universe import Universe
from .samples import DIMS, DTYPES, search, tensors

__all__ = ["BOUNDS", "AttributeCase", "attribute_cases"]

BOUNDS = AttributeBounds(3, 2, DTYPES)
MOST_VALUES = 400


@dataclass(frozen=True)
class AttributeCase:
    """A call of which an attribute is asked for: `asked` are its types, with variables for `holes`.

    `found` are the answers of the search, `expected` those of brute force: values for the holes, the last of which is
    the attribute.
    """

    operator: Operator
    attribute: str
    asked: tuple[Any, ...]
    holes: tuple[Any, ...]
    attrs: Any
    found: set[tuple[Any, ...]]
    expected: set[tuple[Any, ...]]


def attribute_cases(
    relation: Relation, rules: RuleBase, case: tuple[Any, ...], attrs: Attrs, most: int
) -> Iterator[AttributeCase]:
    """The questions about each attribute of a ground call that holds, as far as brute force can answer each by asking
    about `most` ground calls."""
    for _, operator in sorted(rules.operators.items()):
        if operator.relation is not relation or not all(name in attrs for name in operator.attributes):
            continue
        for name, attribute in operator.attributes.items():
            universe = values_of(attribute, BOUNDS)
            values = [] if universe is None else _first(universe, MOST_VALUES + 1)
            if not 0 < len(values) <= MOST_VALUES:
                continue
            for place in (None, *range(len(case))):
                found = _compared(operator, rules, name, values, case, attrs, place, most)
                if found is not None:
                    yield found
        return


def _first(values: Iterator[Any], number: int) -> list[Any]:
    return [value for _, value in zip(range(number), values, strict=False)]


def _compared(
    operator: Operator,
    rules: RuleBase,
    name: str,
    values: list[Any],
    case: tuple[Any, ...],
    attrs: Attrs,
    place: int | None,
    most: int,
) -> AttributeCase | None:
    """The question with one of the types open, or none; None if search or brute force cannot answer it."""
    relation = operator.relation
    holes: list[Any] = []
    candidates: list[Any] = []
    asked = list(case)
    dims = tuple(d for d in DIMS if d <= 4)
    if place is not None:
        if type(case[place]) is not TensorType:
            return None
        holes = [fresh()]
        asked[place] = holes[0]
        own = case[place]
        candidates = tensors(len(own.shape), dims[:3], (own.dtype,))
        if len(candidates) * len(values) > most:
            return None
    expected = set()
    for value in values:
        try:
            known = operator.attrs({**dict(attrs.items()), name: value})
        except AttributeProblem:
            continue
        for chosen in product(candidates, repeat=len(holes)):
            ground = reify_term(tuple(asked), dict(zip(holes, chosen, strict=True)))
            solution = rules.solve(relation, ground, known, defaults=FREE)
            if any(answer.residue for answer in solution.answers) or (not solution.answers and not solution.exhausted):
                return None
            if solution.answers:
                expected.add((*chosen, value))
    variable = fresh()
    opened = operator.attrs({**dict(attrs.items()), name: variable}, BOUNDS)
    dtypes = (case[place].dtype,) if place is not None else DTYPES
    rank = max(map(_rank, case))
    universe = Universe(rank, max(dims), dtypes, max_attr=BOUNDS.most, max_attr_length=BOUNDS.longest)
    found = search(relation, rules, opened, tuple(asked), holes, universe, variable)
    if found is None:
        return None
    inside = {answer for answer in found if all(t in candidates for t in answer[:-1])}
    return AttributeCase(operator, name, tuple(asked), (*holes, variable), opened, inside, expected)


def _rank(term: Any) -> int:
    shape = getattr(term, "shape", ())
    return len(shape) if is_ground(shape) and type(shape) is tuple else 4
