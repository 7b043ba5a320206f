"""Data types that files of clauses declare: `data List<a> { Cons(a, List<a>), Nil }`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["DataType"]


@dataclass(frozen=True)
class DataType:
    """A declared data type: its handle, the kinds of its parameters, the names of its constructors, where it stands.

    Each constructor is a relation, and `ConsPattern` is the relation of the patterns of the constructor `Cons`.
    """

    handle: Any
    kinds: tuple[str, ...]
    constructors: tuple[str, ...]
    file: str
    line: int

    @property
    def name(self) -> str:
        """The name as written."""
        return self.handle.name_hint  # type: ignore[no-any-return]
