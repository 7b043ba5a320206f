"""The space of a search: which values are asked for, said by whoever knows what the terms mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ..states.work import Work

__all__ = ["Space"]


class Space(Protocol):
    """Which values are asked for, by kind of variable. Hashable."""

    @property
    def ground(self) -> bool:
        """Whether answers are to have no variables."""

    @property
    def symbolic(self) -> bool:
        """Whether nothing is bounded or given a value."""

    def open(self, terms: Iterable[tuple[Any, Any]], bindings: Mapping[Any, Any]) -> dict[Any, Any]:
        """The variables in terms of known kinds, with what `bindings` say put in, with their kinds."""

    def admits(self, terms: Iterable[tuple[Any, Any]]) -> bool:
        """Whether an answer may have these terms of known kinds."""

    def narrow(self, variable: Any, kind: Any, work: Work) -> bool:
        """State what holds of every value of the kind."""

    def labels(self, kind: Any, low: int, high: int | None) -> bool:
        """Whether variables of this kind (a number: between `low` and `high`) are to be given values."""

    def values(self, kind: Any) -> Iterable[Any]:
        """The values of a kind that is no number, smallest first, made one by one."""

    def goes_on(self, kind: Any) -> bool:
        """Whether the values of a kind that is no number have no last one."""

    def is_number(self, kind: Any) -> bool:
        """Whether variables of the kind are numbers."""

    def is_list(self, kind: Any) -> bool:
        """Whether variables of the kind are lists, or types, whose form is chosen first."""

    def is_row(self, kind: Any) -> bool:
        """Whether the values of the kind are lists."""

    def longest(self, kind: Any) -> int | None:
        """How long a list of the kind may be; None: as long as it will."""
