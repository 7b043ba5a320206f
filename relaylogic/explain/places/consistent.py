"""Sets of places that are known to be consistent, with types without `?`: whatever says less is, too.

Representation: a set of places is a number with a bit for each. Of sets within each other, the largest is kept. A
place that is *generous* has less refused where it says something: sets are compared only with such as have the same
generous ones.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ...ir import Function
from ...types import FuncType
from .places import Places

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Consistent", "generous"]

MOST = 2_000
"""So many sets are kept beside each other, the last ones; to look through them takes a tenth of an inference."""


class Consistent:
    """Sets of places that are consistent, and large."""

    def __init__(self) -> None:
        self._sets: dict[int, list[int]] = {}  # by the generous places in them

    def add(self, places: Set[int], generous: Set[int]) -> None:
        """Take note that some places are consistent."""
        bits = _bits(places)
        kept = [other for other in self._sets.get(_bits(places & generous), ()) if other & ~bits]
        self._sets[_bits(places & generous)] = [*kept[-MOST:], bits]

    def holds(self, places: Set[int], generous: Set[int]) -> bool:
        """Whether some places are known to be consistent, since more are."""
        sets = self._sets.get(_bits(places & generous))
        if not sets:
            return False
        bits = _bits(places)
        return any(not bits & ~other for other in reversed(sets))


def generous(places: Places, whole: Inference) -> frozenset[int]:
    """The annotations with which a function of a program has type parameters, and the second names of something
    polymorphic: without one of them, more may be refused."""
    functions = [node for nodes in places.nodes.values() for node in nodes if isinstance(node, Function)]
    over = [node for function in functions if function.type_params for node in (function, *function.params)]
    found = {i for node in over for i in places.at(node)}
    for place in places:
        if place.binds is not None:
            bound = whole.type_of(place.node)
            if isinstance(bound, FuncType) and bound.type_params:
                found.add(place.index)
    return frozenset(found)


def _bits(places: Set[int]) -> int:
    return sum(map((1).__lshift__, places))
