"""Attributes that note which of them are looked at: what is found out without looking at one holds whatever it is."""

from __future__ import annotations

from typing import Any

from ..attrs import Attrs

__all__ = ["Noting"]


class Noting(Attrs):
    """Attributes as a rule is shown them; which it looks at is noted.

    They equal no others, so that nothing is taken for an answer about them that others were looked at for.
    """

    __slots__ = ("_read",)

    def __init__(self, attrs: Attrs, read: set[str] | None = None) -> None:
        super().__init__(dict(attrs.items()))
        object.__setattr__(self, "_read", set() if read is None else read)

    def left_alone(self) -> list[str]:
        """The names of those that nobody has looked at."""
        return [name for name in self if name not in self._read]

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getattr__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._read.add(name)
        return super().get(name, default)

    def items(self) -> Any:
        self._read.update(self)
        return super().items()

    @property
    def key(self) -> Any:
        self._read.update(self)
        return super().key

    def replace(self, **changes: Any) -> Attrs:
        return Noting(Attrs({**dict(super().items()), **changes}), self._read)

    def listed(self, name: str) -> tuple[Any, ...]:
        self._read.add(name)
        return super().listed(name)

    def _parts(self) -> tuple[Any, ...]:
        self._read.update(self)
        return super()._parts()

    def __repr__(self) -> str:
        self._read.update(self)
        return super().__repr__()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
