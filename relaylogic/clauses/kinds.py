"""What each variable of a clause stands for: a type, a shape, an extent, a dtype.

Inferred from how it is used, so that `(a, b)` is read as a shape or as a tuple type, `float32` as a dtype or as the
type of a scalar. What may be read in two ways waits until all that is certain was learned of all clauses, and is then
decided together with all that waits: so the order of clauses and of goals does not matter.

Kinds: "type", "shape" (a list of extents), "types" (a list of types), "dim" (an extent), "number" (one that is no
extent, as far as is known: a rank, say), "dtype", "value" (an attribute); None where nothing says. A word or a relation
may want a "list", whatever it is of.
"""

from __future__ import annotations

from collections.abc import Sequence

from .kinds_of_terms import KindsOfTerms
from .known_kinds import BRACKETS, ELEMENT, EXTENTS, PARENTHESES, RESTS, STAGES
from .syntax import ClauseError, Syntax
from .written import (
    A_KIND,
    COMPARISONS,
    TwoThings,
    in_words,
    is_dtype,
    is_text_or_truth,
    is_variable,
)

__all__ = ["Kinds"]

_NO_DTYPE = frozenset({"dim", "shape", "types"})
_NO_VALUE = frozenset({"dim", "shape", "type", "types"})
_LISTS = frozenset({"tuple", "list", "open_list", "empty"})


class Kinds(KindsOfTerms):
    """The kinds of the variables of one clause, found by looking at its goals."""

    def infer(self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None) -> None:
        """Look at a clause until nothing new is learned, and all is decided. Raises ClauseError if a variable stands
        for two things.
        """
        self.learn(head, expected, body)
        while any(self.decide(stage) for stage in STAGES):
            self.learn(head, expected, body)

    def learn(self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None) -> None:
        """Look at a clause until nothing new is learned, without a decision. Raises ClauseError like `infer`.

        Every other time from its end: what is learned of the last goal of a long chain reaches the first at once.
        """
        if body is not None and body is not self._noted:
            self._note_attributes(body)
        learned, self.backwards = -1, True
        while learned != self._learned:
            learned, self.backwards = self._learned, not self.backwards
            for argument, kind in zip(head, expected, strict=True):
                self.term(argument, kind)
            if body is not None:
                self.goal(body)

    def goal(self, node: Syntax) -> None:
        """Learn from a goal."""
        kind = node.kind
        if kind in ("conjunction", "disjunction", "group", "premise"):
            for item in reversed(node.items) if self.backwards else node.items:
                self.goal(item)
        elif kind == "equation" or (kind == "comparison" and node.value not in COMPARISONS):
            left, right = self.sides(node)
            if left in A_KIND and right in A_KIND and left != right and {left, right} != EXTENTS:
                for side in node.items:
                    if side.kind == "name":
                        raise TwoThings(side, side.value, left, right)
                first, second = in_words(left, right)
                raise ClauseError(f"{first} is no {second.partition(' ')[2]}", node.span)
            kinds = ((left, right), (right, left))
            for side, opposite, (own, other) in zip(node.items, reversed(node.items), kinds, strict=True):
                if own in _NO_DTYPE and opposite.kind == "name" and is_dtype(opposite.value):
                    raise TwoThings(side, side.text, own, "dtype")
                if own in _NO_VALUE and is_text_or_truth(opposite):
                    raise TwoThings(side, side.text, own, "value")
                if self.is_dtype_attribute(opposite) and side.kind == "name" and is_variable(side.value):
                    self.term(side, "dtype")
                if other == "type" and self._is_ambiguous(side):
                    self._apply(side)
                if side.kind == "name" and is_variable(side.value) and self.is_one_list(side.value, opposite):
                    self.term(side, "list")
                if side.kind == "name" and is_variable(side.value) and opposite.kind in PARENTHESES:
                    self._is_written(side, opposite)
        elif kind == "comparison":
            for item in node.items:
                self._calculate(item)
        elif kind == "call":
            self.arguments(node)

    def is_one_list(self, name: str, literal: Syntax) -> bool:
        """Whether what is written is a list and no number; one of an attribute is no tuple of types either."""
        if literal.kind == "group" and name in self.values:
            return literal.items[0].kind in ("conjunction", "spread")
        return literal.kind in _LISTS

    def _is_written(self, name: Syntax, literal: Syntax) -> None:
        """Learn what it is that is written in parentheses, where nothing else says that: the type of a tuple. If words
        speak of it, it is a list of extents, unless they are written like types."""
        is_counted = name.value in self.counted
        if not (is_counted or _is_tuple(literal)) or name.value in self.of or name.value in self.values:
            return
        if self._waits(literal, RESTS if is_counted else BRACKETS):
            return
        if not is_counted:
            self.term(name, "type")
            return
        held = literal.items[0].items if literal.kind == "group" else literal.items
        is_typed = any(i.kind in PARENTHESES or (i.kind == "name" and is_dtype(i.value)) for i in held)
        self.term(name, "types" if is_typed else "shape")

    def sides(self, node: Syntax) -> tuple[str | None, str | None]:
        """What the sides of an equation are: each as the other is, before `(2)` is taken for a number.

        What is not some number may be one or a list: nothing is learned of an attribute by that.
        """
        if node.kind == "comparison" and any(side.kind in ("number", "negative") for side in node.items):
            if any(self.kind_of(name) == "value" for name in _names(node)):
                return "value", "value"
        self._open = True
        left, right = self._each(node)
        self._open = False
        return (left, right) if left is not None or right is not None else self._each(node)

    def _each(self, node: Syntax) -> tuple[str | None, str | None]:
        first, second = node.items
        left = self.term(first, self._as_list(first, second))
        right = self.term(second, self._as_list(second, first) or self._taught(second, first, left))
        taught = self._taught(first, second, right)
        if (left is None and taught is not None) or (left == "number" and right == "dim"):
            left = self.term(first, taught)
        return left, right

    def _taught(self, name: Syntax, literal: Syntax, kind: str | None) -> str | None:
        """What a side of an equation is, as the other one is of a kind: a list of numbers that is the value of an
        attribute is none of extents, for it is no shape, and may hold negative ones."""
        is_written = literal.kind in _LISTS or literal.kind == "group"
        is_attribute = name.kind == "name" and name.value in self.values and name.value not in self.of
        return None if kind == "shape" and is_written and is_attribute else kind

    def _as_list(self, literal: Syntax, name: Syntax) -> str | None:
        """What is written in parentheses, if it is a list since words speak of what it is equal to; else None."""
        if literal.kind not in PARENTHESES or name.kind != "name" or name.value not in self.counted:
            return None
        known = self.of.get(name.value)
        if known is None:
            found = self._held(literal.items[0] if literal.kind == "group" else literal, None)
            known = "types" if found == "type" else "shape" if found in EXTENTS else None
        return known if known in ELEMENT else None

    def _note_attributes(self, body: Syntax) -> None:
        """Note the variables in attributes, and what is equal to those: where nothing else says what they stand for,
        they are its value."""
        self._noted = body
        equal, stack = [], [(body, False)]
        while stack:
            node, is_attribute = stack.pop()
            if is_attribute and node.kind in ("name", "spread") and is_variable(node.value):
                self.values.add(node.value)
            elif node.kind in ("equation", "comparison") and len(names := _names(node)) == 2:
                equal.append(names)
            given = node.kind == "call"
            for item in node.items:
                stack.append((item.items[1], True) if given and item.kind == "equation" else (item, is_attribute))
        known = -1
        while known != len(self.values):
            known = len(self.values)
            for names in equal:
                if not self.values.isdisjoint(names):
                    self.values.update(names)


def _is_tuple(literal: Syntax) -> bool:
    """Whether what stands in parentheses is no single thing."""
    if literal.kind == "group":
        return literal.items[0].kind == "conjunction"
    return literal.kind == "tuple" or not literal.text.startswith("[")


def _names(equation: Syntax) -> list[str]:
    """The sides of an equation that are variables."""
    return [side.value for side in equation.items if side.kind == "name" and is_variable(side.value)]
