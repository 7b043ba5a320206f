"""Types as text in which what occurs again and again has a name: types are graphs, and written out they may explode.

A part is named if it occurs more than once and is not small. The length of all texts together is linear in the number
of distinct parts.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from ..logic.terms.terms import Cons, Term
from .show import LONGEST, Namer, Piece, hole_text, leaf_text, pieces, written_out
from .terms import FuncType, RefType, TensorType, TupleType, TypeCall

__all__ = ["GRAPHS", "TypeTable", "show_type", "types_in", "written_size"]

GRAPHS = frozenset({TupleType, FuncType, TypeCall, RefType})
"""Types with types in them: written out, they may be enormous, so each is looked at once."""

SMALL = 8  # parts, extents of shapes among them; what is not larger is written out wherever it occurs
_ENORMOUS = 1_000_000
_WORD = re.compile(r"\w+")


def _hole(_: Any) -> str:
    return "_"


def types_in(roots: Iterable[Any]) -> list[Any]:
    """The types with types in them that occur in terms, but not in each other there, each once."""
    found: dict[Any, None] = {}
    agenda = list(roots)[::-1]
    while agenda:
        item = agenda.pop()
        if type(item) in GRAPHS:
            found[item] = None
        elif type(item) is tuple:
            agenda.extend(reversed(item))
        elif isinstance(item, Term) and type(item) is not TensorType:  # which holds no types
            agenda.extend(reversed(item.args))
    return list(found)


def written_size(terms: Iterable[Any]) -> int:
    """At least half of the pieces that the longest of some types takes when it is written out; worked out in linear
    time, however long that is."""
    sizes: dict[int, int] = {}
    roots = list(terms)
    agenda: list[tuple[Any, Any]] = [(root, None) for root in roots]
    while agenda:
        item, parts = agenda.pop()
        if parts is not None:
            sizes[id(item)] = min(_ENORMOUS, 1 + sum(sizes[id(part)] for part in parts))
        elif id(item) not in sizes:
            inner = item if type(item) is tuple else item.args if type(item) in GRAPHS or type(item) is Cons else ()
            agenda.append((item, inner))
            agenda.extend((part, None) for part in inner)
    return max((sizes[id(root)] for root in roots), default=0)


class TypeTable:
    """The texts of some types, and the definitions of the names in them: `T1`, `T2` ..., or others if these are taken.

    Types of up to `longest` pieces are written out, as `show_type` does. `fresh` gives the names instead.
    """

    def __init__(
        self,
        terms: Iterable[Any],
        name: Namer = _hole,
        longest: int = LONGEST,
        fresh: Iterator[str] | None = None,
    ) -> None:
        self._name = name
        self._terms = list(terms)  # kept, so that ids stay what they are
        self._pieces: dict[int, list[Piece]] = {}
        self._sizes: dict[int, int] = {}
        self._uses: Counter[int] = Counter()
        taken: set[str] = set()
        self._written: dict[int, str | None] = {}
        for term in self._terms:
            if id(term) in self._written:
                continue
            self._written[id(term)] = text = written_out(term, name, longest)
            if text is None:
                self._uses[id(term)] += 1
                self._visit(term, taken)
        self._fresh = fresh or (text for text in map("T{}".format, count(1)) if text not in taken)
        self._names: dict[int, str] = {}
        self._undefined: deque[Any] = deque()
        self._definitions: dict[str, str] = {}

    def whole(self, term: Any) -> str:
        """The only type of the table as text, with the definitions of the names in it."""
        text = self._written[id(term)] or self._text(term)
        if not self.definitions:
            return text
        where = ", " if type(term) is FuncType and term.type_constraints else " where "
        return f"{text}{where}{', '.join(f'{name} = {given}' for name, given in self.definitions.items())}"

    def reference(self, term: Any) -> tuple[str, bool]:
        """A type of the table as text, or (and true) the name that is defined as the type."""
        text = self._written[id(term)]
        return (self._named(term), True) if text is None else (text, False)

    @property
    def definitions(self) -> dict[str, str]:
        """The texts of what is named, by name; the later ones are needed by the earlier ones."""
        while self._undefined:
            term = self._undefined.popleft()
            self._definitions[self._names[id(term)]] = self._text(term)
        return self._definitions

    def __contains__(self, term: Any) -> bool:
        return id(term) in self._written

    def _visit(self, term: Any, taken: set[str]) -> None:
        """Look at all parts: how large they are, how often they occur, and which names they have."""
        agenda: list[tuple[Any, bool]] = [(term, False)]
        while agenda:
            node, done = agenda.pop()
            key = id(node)
            if done:
                parts = [piece[0] for piece in self._pieces[key] if type(piece) is tuple]
                self._sizes[key] = min(_ENORMOUS, 1 + sum(self._size(part) for part in parts))
                continue
            if key in self._pieces:
                continue
            text = leaf_text(node, self._name)
            if text is not None:
                taken.update(_WORD.findall(text))
                continue
            self._pieces[key] = pieces(node, self._name)
            taken.update(_WORD.findall("".join(p for p in self._pieces[key] if type(p) is str)))
            parts = [piece[0] for piece in self._pieces[key] if type(piece) is tuple]
            self._uses.update(map(id, parts))
            agenda.append((node, True))
            agenda.extend((part, False) for part in parts)

    def _size(self, part: Any) -> int:
        rank = len(part.shape) if type(part) is TensorType and type(part.shape) is tuple else 0
        return self._sizes.get(id(part), 1 + rank)

    def _text(self, term: Any) -> str:
        """A type as text with names in it; itself it is not one of them."""
        out: list[str] = []
        if id(term) not in self._pieces:
            return leaf_text(term, self._name) or ""
        agenda: list[Piece] = self._pieces[id(term)][::-1]
        while agenda:
            item = agenda.pop()
            if type(item) is str:
                out.append(item)
                continue
            (node,) = item
            if self._uses[id(node)] > 1 and self._size(node) > SMALL:
                out.append(self._named(node))
            elif id(node) in self._pieces:
                agenda.extend(reversed(self._pieces[id(node)]))
            else:
                out.append(leaf_text(node, self._name) or "")
        return "".join(out)

    def _named(self, term: Any) -> str:
        known = self._names.get(id(term))
        if known is None:
            known = self._names[id(term)] = next(self._fresh)
            self._undefined.append(term)
        return known


def show_type(term: Any, name: Namer = hole_text) -> str:
    """A type as text; `name` says how a logic variable is written. Its length is linear in the number of its parts."""
    text = written_out(term, name)
    if text is not None:
        return text
    return TypeTable([term], name).whole(term)
