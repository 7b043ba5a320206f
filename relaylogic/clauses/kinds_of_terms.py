"""What the terms of a clause are, and what they say of the variables in them."""

from __future__ import annotations

from collections.abc import Sequence

from .known_kinds import BRACKETS, ELEMENT, EXTENTS, LIST_OF, NO_LIST, READINGS, TENSORS, TYPE_WORDS, KnownKinds
from .syntax import ClauseError, Syntax
from .written import (
    A_KIND,
    ARITHMETIC_WORDS,
    TwoThings,
    contents,
    is_no_list,
    is_tensor,
    is_variable,
    variable_of,
)

__all__ = ["KindsOfTerms", "split_tensor"]

LISTS_OF_ONE: dict[str, tuple[str | None, ...]] = {"append": ("list", "list", "list"), "reverse": ("list", "list")}
"""The words that speak of lists whose elements are of one kind."""


class KindsOfTerms(KnownKinds):
    """Looks at terms."""

    def arguments(self, node: Syntax) -> None:
        """Learn from the arguments of a call."""
        positions = self.wanted(node, self.positions(node.value[0]))
        if node.value[0] == "map" and node.items and node.items[0].kind == "name":
            positions = (None, *self.mapped(node.items[0].value, len(node.items) - 1))
        for index, item in enumerate(node.items):
            if item.kind != "equation":
                self._argument(item, positions[index] if positions and index < len(positions) else None)
        if positions is not None and positions == LISTS_OF_ONE.get(node.value[0]):
            self._of_one_kind(node.items)

    def wanted(self, node: Syntax, positions: Sequence[str | None] | None) -> Sequence[str | None] | None:
        """What a call wants as arguments, where those of a relation or word are at `positions`: a list that is written
        out, of which a type is a member, is one of types."""
        is_member = node.value[0] == "member" and positions == (None, "list") and len(node.items) == 2
        if not is_member or node.items[1].kind not in ("list", "open_list"):
            return positions
        return ("type", "types") if self.term(node.items[0], None) == "type" else positions

    def _argument(self, item: Syntax, wanted: str | None) -> None:
        self.term(item, wanted)
        if wanted == "list" and item.kind == "name" and is_variable(item.value):
            self._is_counted(item.value)

    def _is_counted(self, name: str) -> None:
        """Learn that a variable is a list, and no tuple type."""
        self._learned += name not in self.counted
        self.counted.add(name)

    def _of_one_kind(self, lists: Sequence[Syntax]) -> None:
        """Learn that the elements of some lists are of one kind, if it is known of one list what it is of."""
        kinds = [self.term(item, "list") for item in lists]
        known = next((kind for kind in kinds if kind in ELEMENT), None)
        for item, kind in zip(lists, kinds, strict=True):
            if known is not None and kind != known and (item.items or item.kind == "name"):
                self.term(item, known)

    def read_as(self, node: Syntax, expected: str | None) -> str | None:
        """What a term is read as where `expected` is wanted: a list of anything as what it is a list of."""
        return expected if expected not in (None, "list") else self.term(node, expected)

    def term(self, node: Syntax, expected: str | None) -> str | None:
        """Learn from a term where `expected` is wanted; what it is."""
        kind = node.kind
        if kind == "name":
            return self._name(node, expected)
        if expected == "list":
            expected = "shape" if kind == "group" and self.term(node.items[0], None) in EXTENTS else None
        if kind in ("number", "unknown"):
            return "number" if kind == "number" else "dim"
        if kind == "string":
            return "value"
        if kind in ("operation", "negative"):
            for item in node.items:
                self._calculate(item)
            return "number"
        if kind == "call":
            return self._call(node)
        if kind == "subscript":
            return self._subscript(node, expected)
        if kind == "group":
            inner = node.items[0]
            if inner.kind != "conjunction" and expected not in ELEMENT:
                found = self.term(inner, expected)
                return None if expected is None and (self._open or self._waits(node, BRACKETS)) else found
            return self._listed(node, inner.items if inner.kind == "conjunction" else (inner,), expected)
        if kind in ("tuple", "list", "open_list", "empty", "conjunction"):
            return self._listed(node, node.items, expected, node.kind)
        if kind == "function":
            for item in node.items:
                self.term(item, "type")
            return "type"
        if kind == "spread":
            self._is_counted(node.value)
            return self._meet(node, node.value, LIST_OF.get(expected or ""))
        return None

    def _calculate(self, node: Syntax) -> None:
        """Learn from a term that numbers are compared with, or made of."""
        if node.kind == "name":
            self.calculated.add(node.value)
        self.term(node, "number")

    def _call(self, node: Syntax) -> str | None:
        name = node.value[0]
        if name == "Tensor":
            self.tensor(node.items)
            return "type"
        if self.applies(node):
            self.arguments(node)
            return "type"
        if self._is_ambiguous(node) and self._waits(node, READINGS):
            return None
        if name in TYPE_WORDS:
            for item in node.items:
                self.term(item, "type")
            return TYPE_WORDS[name]
        if name in ARITHMETIC_WORDS:
            wanted = {"prod": "shape", "sum": "shape", "len": "list", "elements": "type"}.get(name, "number")
            for item in node.items:
                self._calculate(item) if wanted == "number" else self._argument(item, wanted)
            return "number"
        self.arguments(node)
        return "type"

    def tensor(self, items: Sequence[Syntax]) -> None:
        """Learn from the arguments of a tensor type."""
        first, last = (items[0], items[-1]) if items else (None, None)
        if first is not None and last is not None and first is not last and not self._is_list(first):
            for item in items[:-1] if len(items) > 2 else ():
                self.term(item, "dim")
            if self._is_unsure(last):
                self._is_unsure(first)
                return
        shape, dtype = split_tensor(items, self)
        if len(shape) > 1:
            for item in shape:
                self.term(item, "dim")
        elif shape and not self._is_unsure(shape[0]):
            self.term(shape[0], "shape" if not self.is_extent(shape[0]) else "dim")
        if dtype is not None:
            self.term(dtype, "dtype")

    def _is_list(self, node: Syntax) -> bool:
        """Whether a term in a tensor type is a shape, rather than an extent, as far as is known."""
        return not (self.is_extent(node) or self._is_open(node))

    def _is_unsure(self, node: Syntax) -> bool:
        """Whether a term in a tensor type may still turn out to be an extent, or to be none."""
        if self._is_open(node):
            return self._waits(node, TENSORS)
        if node.kind == "call" and not self.applies(node) and self._is_ambiguous(node):
            self.term(node, None)
            return self._is_ambiguous(node)
        return False

    def _subscript(self, node: Syntax, expected: str | None) -> str | None:
        base, index = node.items
        if is_tensor(base):
            self.tensor(contents(index))
            return "type"
        if index.kind == "slice" and expected in NO_LIST:
            raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
        decided = id(node) in self._decided
        if self.is_type(base) and not decided:
            if base.kind != "name":
                self.term(base, "type")
            for item in () if index.kind == "slice" else contents(index):
                self.term(item, "number")
            return "shape" if index.kind == "slice" else "dim"
        if expected != ("types" if index.kind == "slice" else "type") and self._waits_for_base(node):
            return None
        variable = variable_of(base)
        if self.is_type_call(node):
            for item, kind in self.applied(node):
                # Lists that are wanted nowhere here are refused where the type is built, from the left.
                self.term(item, None if kind in NO_LIST and item.items else kind)
            return "type"
        if index.kind == "slice":
            found = self._taken_apart(base, expected if expected in ELEMENT else None)
            if found is None and variable is not None:
                found = self._meet(base, variable, "shape")
            elif found in NO_LIST:
                raise _no_list(base, found)
            return found if found in ELEMENT else None
        found = self._taken_apart(base, LIST_OF.get(expected or ""))
        for item in contents(index):
            self.term(item, "number")
        if found is None and variable is not None:
            found = self._meet(base, variable, "shape")
        elif found in NO_LIST:
            raise _no_list(base, found)
        return ELEMENT.get(found or "")

    def _taken_apart(self, base: Syntax, expected: str | None) -> str | None:
        """What it is of which an element or a part is taken, if it is learned to be `expected`."""
        anonymous = variable_of(base) if base.value == "_" else None
        return self.term(base, expected) if anonymous is None else self._meet(base, anonymous, expected)

    def _listed(self, node: Syntax, items: Sequence[Syntax], expected: str | None, form: str = "") -> str | None:
        """What a list or a tuple is. Lists in lists are looked at again only if something was learned since: each level
        looks twice at its elements, so that would be exponential.
        """
        key = (id(node), expected, self._open)
        learned, result = self._lists.get(key, (-1, None))
        if learned != self._learned:
            result = self._look_at_list(node, items, expected, form)
            self._lists[key] = self._learned, result
        return result

    def _look_at_list(self, node: Syntax, items: Sequence[Syntax], expected: str | None, form: str) -> str | None:
        bracketed = form in ("list", "open_list")
        if expected in NO_LIST or (bracketed and expected == "type"):
            raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
        element = ELEMENT.get(expected or "") or ("type" if expected == "type" and not bracketed else None)
        heads = items[:-1] if form == "open_list" else items
        found = {self._held(item, element) for item in heads}
        held = found | {element}
        if held & EXTENTS and held & {"type", "types"}:
            raise ClauseError(f"`{node.text}` would hold extents and types", node.span)
        result = expected
        if expected not in ("shape", "types", "type"):
            if "dim" in found or "number" in found:
                result = "shape"
            elif "type" in found or "types" in found:
                result = "types" if bracketed else "type"
        if form == "open_list":
            tail = self.term(items[-1], result)
            if is_no_list(items[-1]) or (result is None and tail in NO_LIST):
                last = f", not with {A_KIND[tail]}" if tail in NO_LIST else ""
                raise ClauseError(f"a list ends with a list{last}", items[-1].span)
            result = result or tail
        if element is None and result in ELEMENT:
            for item in heads:
                self.term(item, ELEMENT[result])
        return result

    def _held(self, item: Syntax, element: str | None) -> str | None:
        """What a list holds that an item is written in: where that is the rest of it, what this rest holds."""
        kind = self.term(item, element)
        return ELEMENT.get(kind or "") if item.kind == "spread" else kind


def split_tensor(items: Sequence[Syntax], kinds: KindsOfTerms) -> tuple[tuple[Syntax, ...], Syntax | None]:
    """Shape (one term, or several extents) and dtype of a tensor type as written; no dtype if it was left out."""
    last = items[-1] if items else None
    if last is not None and len(items) > 1 and not kinds.is_extent(last):
        return tuple(items[:-1]), last
    return tuple(items), None


def _no_list(node: Syntax, kind: str) -> ClauseError:
    return TwoThings(node, node.text, kind, "shape")
