"""What the names of a program's data types and constructors mean: one of them, or several.

A program and the modules that it imports may define data types of one name, which their handles tell apart, and a
constructor may be named like a relation of the rule base. Then the longer names say which one is meant.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from ..ir import Constructor, IRModule, TypeData
from ..types import show_type

__all__ = ["BELOW", "OWN", "PATTERN", "Entry", "Spellings"]

OWN = "program"
BELOW = "rules"
PATTERN = "Pattern"


class Entry(NamedTuple):
    """A relation of a program: that of a constructor, or of its pattern. `scope` says where it is defined."""

    scope: str
    data: TypeData
    constructor: Constructor
    maker: str

    @property
    def plain(self) -> str:
        """Its name."""
        return self.constructor.name_hint + (PATTERN if self.maker == "pattern_relation" else "")

    @property
    def names(self) -> tuple[str, str, str]:
        """What it may be called, shortest first: by its name, with the module that defines it, and the data type."""
        plain = self.plain
        return plain, f"{self.scope}.{plain}", f"{self.scope}.{self.data.header.name_hint}.{plain}"

    @property
    def place(self) -> str:
        """Which one it is, in words."""
        what = "the patterns" if self.maker == "pattern_relation" else "the constructor"
        return f"{what} of `{show_type(self.data.header)}`{_at(self.data)}"


class Spellings:
    """The names of a module: `relations` and `types` by every name with all that it may mean, in order."""

    def __init__(self, module: IRModule) -> None:
        self.relations: dict[str, list[Entry]] = {}
        self.types: dict[str, list[tuple[str, TypeData]]] = {}
        for scope, part in _scopes(module):
            for handle, data in part.type_definitions.items():
                for name in (handle.name_hint, f"{scope}.{handle.name_hint}"):
                    self.types.setdefault(name, []).append((scope, data))
                for constructor in data.constructors:
                    for maker in ("constructor_relation", "pattern_relation"):
                        entry = Entry(scope, data, constructor, maker)
                        for name in entry.names:
                            self.relations.setdefault(name, []).append(entry)
        self.handles = {name: meant[0][1].header for name, meant in self.types.items() if len(meant) == 1}

    def name_of(self, entry: Entry, taken: Container[str]) -> str:
        """The shortest name that means a relation, and none of the rule base, where the names `taken` are known.

        The scope of the entry need not be known.
        """
        alike = self.relations.get(entry.plain, [])
        if len(alike) < 2 and entry.plain not in taken:
            return entry.plain
        same = (e for e in alike if e.constructor is entry.constructor and e.maker == entry.maker)
        return next(map(self.longer, same), entry.plain)

    def longer(self, entry: Entry) -> str:
        """The shortest name of a relation that also says where it is defined."""
        _, name, longest = entry.names
        return name if len(self.relations[name]) == 1 else longest

    def shortest(self, taken: Container[str]) -> Iterator[str]:
        """The shortest name of every relation, where the names `taken` mean other ones already."""
        for plain, meant in self.relations.items():
            if plain == meant[0].plain:
                yield from [plain] if len(meant) == 1 and plain not in taken else map(self.longer, meant)

    def types_named(self, name: str) -> list[str]:
        """The data types of that name, in words, if there are several."""
        meant = self.types.get(name, ())
        return [f"`{scope}.{name}`{_at(data)}" for scope, data in meant] if len(meant) > 1 else []


def _at(data: TypeData) -> str:
    return "" if data.span is None else f" at {data.span.file}:{data.span.line}"


def _scopes(module: IRModule, name: str = OWN) -> Iterator[tuple[str, IRModule]]:
    """A module and those that it imports, with their names: one that is imported by several ways, by the shortest."""
    agenda, met = [(name, module)], set[int]()
    while agenda:
        scope, part = agenda.pop(0)
        if id(part) in met:
            continue
        met.add(id(part))
        yield scope, part
        agenda += [(f"{scope}.{n}".removeprefix(f"{OWN}."), inner) for n, inner in part.imports.items()]
