"""Places by how near they are to an expression: in which order they are tried, and left out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..places.said import Part, Said

__all__ = ["Nearness"]


class Nearness:
    """The orders of places around `expr`; `from_below` says that its type comes from what is below it."""

    def __init__(self, said: Said, expr: Any, from_below: bool) -> None:
        self._said = said
        self._expr = expr
        self.from_below = from_below

    def near(self, kept: Part, most: int = sys.maxsize) -> list[int]:
        """Places by their distance from the expression; what nothing ties to it is left out.

        So is what is farther than `most` others. Where types come from below, those of arguments come before those of
        calls.
        """
        places = self._said.places
        distances = places.distances([id(self._expr)], kept, most)
        if not self.from_below:
            return sorted(distances, key=lambda place: (distances[place], place))
        return self.ordered(distances)

    def ordered(self, some: Iterable[int]) -> list[int]:
        """Places from the expression downwards, with annotations and attributes last."""
        kinds = {"annotation": 1, "attribute": 2}
        return sorted(some, key=lambda place: (kinds.get(self._said.places.all[place].kind, 0), -place))

    def nearest(self, distances: dict[int, int]) -> list[int]:
        """Places by their distance; of those that are as far, annotations, then those that stand near to the first."""
        first = min(distances, key=lambda place: (distances[place], place), default=0)
        places = self._said.places.all

        def rank(place: int) -> tuple[int, bool, int]:
            return distances[place], places[place].kind != "annotation", abs(place - first)

        return sorted(distances, key=rank)
