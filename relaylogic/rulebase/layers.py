"""What is known by name, or by call, in a rule base that lies above another one: its own, and what is known below."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from ..logic.bounded import Bounded
from ..logic.search.profiles import Profile, Profiles
from .base import TABLE_SIZE
from .relation import Relation

__all__ = ["OptionsAbove", "ProfilesAbove", "RelationsAbove"]


class RelationsAbove(MutableMapping[str, Relation]):
    """The relations by name: those of the rule base below, those that were loaded above it, those of the program."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def _find(self, name: str) -> Relation | None:
        rules = self._rules
        found: Relation | None
        found = rules.base.relations.get(name) or rules.loaded.get(name) or rules.of_program(name)
        return found

    def __getitem__(self, name: str) -> Relation:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name: str, default: Any = None) -> Any:
        return self._find(name) or default

    def __contains__(self, name: object) -> bool:
        return type(name) is str and self._find(name) is not None

    def __setitem__(self, name: str, relation: Relation) -> None:
        if self._rules.base.relations.get(name) is not relation:  # one that is replaced stays the object that it is
            self._rules.loaded[name] = relation

    def __delitem__(self, name: str) -> None:
        del self._rules.loaded[name]

    def __iter__(self) -> Iterator[str]:
        rules = self._rules
        yield from rules.base.relations
        yield from (name for name in rules.loaded if name not in rules.base.relations)
        yield from rules.spellings.shortest({*rules.base.relations, *rules.loaded})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def copy(self) -> dict[str, Relation]:
        """What was loaded, for a transaction."""
        return dict(self._rules.loaded)

    def clear(self) -> None:
        self._rules.loaded.clear()


class OptionsAbove:
    """The options of calls: those of relations of the rule base below are kept there."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._own: dict[Any, Any] = Bounded(TABLE_SIZE, lambda options: 1 + options.most)

    def _of(self, key: Any) -> dict[Any, Any]:
        return self._rules.base.options if self._rules.is_below(key[0]) else self._own

    def get(self, key: Any, default: Any = None) -> Any:
        return self._of(key).get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._of(key)[key] = value

    def items(self) -> Any:
        """What is kept of the program's own relations."""
        return self._own.items()

    def clear(self) -> None:
        """Forget what is known of the program's own relations."""
        self._own.clear()


class ProfilesAbove(Profiles):
    """The profiles of relations: those of the rule base below are worked out there."""

    def of(self, relation: Any) -> Profile:
        """The profile of a relation."""
        below: bool = self._rules.is_below(relation)
        return self._rules.base.profiles.of(relation) if below else super().of(relation)
