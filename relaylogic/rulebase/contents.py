"""What a rule base holds: relations, operators and data types by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from os import PathLike
from typing import Any
from weakref import ref

from ..errors import said
from ..host.above import above
from ..logic.terms.mistakes import RuleError
from .data_types import DataType
from .near import nearest
from .operators import Operator
from .relation import Relation

__all__ = ["Contents", "Source"]

_LONG = 1_000
"""A name of more characters is not kept: it is like no operator."""

Source = tuple[str, str, str]
"""What was loaded: ("shipped", "", ""), ("clauses", name, text), or the path of a folder and a digest of its files:
("folder", path, digest) of clauses only, ("programs", path, digest) with its Python."""


class Contents(ABC):
    """Relations and operators."""

    handles: Mapping[str, Any] | None = None
    """The handles of the data types by name. Without a program around, a name is its own data type."""

    def __init__(self) -> None:
        self.relations: dict[str, Relation] = {}
        self.operators: dict[str, Operator] = {}
        self.data_types: MutableMapping[str, DataType] = {}  # those that files of clauses declare
        self.makers: dict[str, Callable[..., Relation]] = {}  # of the relations of data types and tuples, by name
        self.notes: list[str] = []
        self.sources: list[Source] = []  # what was loaded, for a copy elsewhere
        # What may be meant by a name of which there is no operator, among so many operators.
        self.meant: MutableMapping[tuple[str, int], str] = {}
        self.changes = 0  # how often something was loaded, or forgotten

    @abstractmethod
    def load(self, path: str | PathLike[str], *, python: bool = False) -> None:
        """Load rule files."""

    @abstractmethod
    def forget(self) -> None:
        """Drop what is known of calls already solved: the rules have changed."""

    def adopt(self) -> None:
        """Be told from now on of clauses that are added to what was loaded here."""
        self.changes += 1
        home = ref(self)
        for relation in self.own_relations():
            if relation.home is None:
                relation.home = home

    def own_relations(self) -> Iterable[Relation]:
        """The relations that were loaded into this rule base."""
        return self.relations.values()

    def operator(self, name: str) -> Operator:
        """The operator `name`. Raises RuleError with the nearest names."""
        if not isinstance(name, str):
            raise RuleError(f"an operator is known by its name, which {said(name)} is not")
        found = self.operators.get(name)
        if found is None:
            raise RuleError(f"there is no operator `{name}`{self._nearest(name)}")
        return found

    def _nearest(self, name: str) -> str:
        """Which operator may be meant: what is wrong with a program is told by inferring it many times."""
        key = (name, len(self.operators))
        meant = self.meant.get(key)
        if meant is None:
            meant = nearest(name, self.operators)
            if len(name) <= _LONG:
                self.meant[key] = meant
        return meant

    def relation(self, name: str) -> Relation:
        """The relation `name`. Raises RuleError with the nearest names."""
        if not isinstance(name, str):
            raise RuleError(f"a relation is known by its name, which {said(name)} is not")
        found = self.relations.get(name)
        if found is None:
            raise RuleError(f"there is no relation `{name}`{nearest(name, self.relations)}")
        return found

    def named(self, name: str) -> Relation | None:
        """The relation that somebody means by a name, if there is one. Raises RuleError if there are several."""
        return self.relations.get(name)

    def maker(self, name: str) -> Callable[..., Relation]:
        """What makes relations of data types or tuples; as in the shipped rules, if this rule base says nothing."""
        found = self.makers.get(name)
        if found is None:
            found = above("rules")().makers[name]
        return found

    def types_named(self, name: str) -> list[str]:
        """The data types that a name means, in words, if it means several."""
        return []

    def known_data_types(self) -> list[tuple[Any, tuple[str, ...]]]:
        """The handles of the data types that there are, with the kinds of what each is applied to."""
        return [(data.handle, data.kinds) for data in self.data_types.values()]

    def parameter_kinds(self, handle: Any) -> tuple[str, ...] | None:
        """The kinds of what the data type with that handle is applied to; None if it is not known."""
        return next((kinds for known, kinds in self.known_data_types() if known is handle), None)
