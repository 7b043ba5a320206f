"""Telling `@f<int32>(%x)`, a call with type arguments, from `%a<%b`, a comparison."""

from __future__ import annotations

import re

__all__ = ["TypeLists"]

_PIECE = re.compile(r"[()\[\]<>]|->|[;{}\"%@=]|[^()\[\]<>;{}\"%@=-]+|-")
_NOT_IN_TYPES = frozenset(';{}"%@=')


class TypeLists:
    """Where the lists of types that `<` may open in a text come to their end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closings: dict[int, int] = {}  # offset behind a `<` -> offset behind its `>`
        self.scanned = -1

    def end(self, at: int) -> int:
        """The offset behind the `>` that closes the `<` before `at`, if only types stand between; else -1.

        One scan answers for every `<` that it passes, so that the text is scanned once however many there
        are.
        """
        if at > self.scanned:
            self.scan(at)
        return self.closings.get(at, -1)

    def scan(self, at: int) -> None:
        pending: list[int | str] = [at]  # offsets behind open `<`, and other open brackets
        while pending:
            piece = _PIECE.match(self.text, at)
            if piece is None:
                break
            sign = piece.group()
            if sign == "<":
                pending.append(piece.end())
            elif sign in ("(", "["):
                pending.append(sign)
            elif sign in (")", "]"):
                while pending and isinstance(pending[-1], int):
                    pending.pop()
                if not pending or pending.pop() != ("(" if sign == ")" else "["):
                    break
            elif sign == ">":
                opened = pending.pop()
                if not isinstance(opened, int):
                    break
                self.closings[opened] = piece.end()
            elif sign in _NOT_IN_TYPES:
                break
            at = piece.end()
        self.scanned = at
