"""Bounded completeness: whatever holds of types without variables is found again from any part of them.

Extents are naturals and dtypes are fixed. Of `?` this does not hold, since a variable is never guessed to be `?`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

from relaylogic.logic import eq, fresh, lall
from relaylogic.logic.search.search import search
from relaylogic.rulebase import Operator, default_rules
from relaylogic.types import TensorType, TupleType
from tests.effort import some

STEPS = 20_000
MANY = 2_000
"""Of a universe of more rows, a usual run asks about a third."""


def tensors(ranks: Iterable[int], extents: Sequence[int] = (1, 2), dtype: str = "float32") -> list[Any]:
    """All tensor types of these ranks and extents."""
    return [TensorType(shape, dtype) for rank in ranks for shape in product(extents, repeat=rank)]


def tuples(*fields: Iterable[Any]) -> list[Any]:
    """All tuple types whose fields are of these."""
    return [TupleType(types) for types in product(*fields)]


def holds(operator: Operator, types: tuple[Any, ...], attrs: Any) -> Any:
    """The goal that the operator's relation holds of the types, the result last."""
    return operator.relation(*types, attrs) if operator.relation.takes_attrs else operator.relation(*types)


def what_holds(operator: Operator, universe: Sequence[list[Any]], attrs: Any) -> list[tuple[Any, ...]]:
    """The rows of a universe, a list of types for each argument, of which the relation holds."""
    rows = list(product(*universe))
    return [
        types
        for types in (some(rows, 3) if len(rows) > MANY else rows)
        if search([("", holds(operator, types, attrs))], types, steps=STEPS).answers
    ]


def assert_complete(name: str, given: dict[str, Any], universe: Sequence[list[Any]]) -> None:
    """Every row that holds, of a share of them, is found when any of its types are not known; and some rows hold."""
    operator = default_rules().operator(name)
    attrs = operator.attrs(given)
    rows = what_holds(operator, universe, attrs)
    assert rows, "nothing holds in this universe"
    positions = range(len(universe))
    for types in some(rows, 3):
        for hidden in (chosen for n in positions for chosen in combinations(positions, n + 1)):
            asked = tuple(fresh() if i in hidden else t for i, t in enumerate(types))
            again = lall(holds(operator, asked, attrs), eq(asked, types))
            assert search([("", again)], asked, steps=STEPS).answers, f"{types} is lost when {hidden} are open"
