"""The one base of all errors that relaylogic reports to its users."""

from __future__ import annotations

import re
import reprlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ir.source import Span

__all__ = ["IllFormed", "RelayLogicError", "clipped", "no_list", "rendered", "said"]

_WIDEST_LINE = 160
_SAID = 60
_LONG_WORD = re.compile(r"(\S{60})\S{440,}")


class RelayLogicError(Exception):
    """Something is wrong with the input; `message` says what, `span` where, `hints` what would fit instead.

    `span` is None for what has no place in a text. Words of more than 500 characters are cut.
    """

    def __init__(self, message: str, span: Span | None = None, hints: tuple[str, ...] = ()) -> None:
        self.message = clipped(message)
        super().__init__(self.message)
        self.span = span
        self.hints = hints

    def __reduce__(self) -> Any:
        return (_restored, (type(self), self.args, vars(self)))

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """The error as text: place and message, the source line with a caret, one line for each hint."""
        return rendered(self.message, self.span, self.hints)


def _restored(kind: type[RelayLogicError], args: tuple[Any, ...], fields: dict[str, Any]) -> RelayLogicError:
    """The error of another process, whatever its class is made from."""
    made = kind.__new__(kind, *args)
    vars(made).update(fields)
    return made


class IllFormed(RelayLogicError, TypeError):
    """A program that was built in Python and that no text could say: cyclic, of things that are no expressions, with
    variables outside of their scopes."""


def clipped(message: str) -> str:
    """A message in which words of more than 500 characters are cut."""
    return _LONG_WORD.sub(r"\1...", message)


def said(value: Any) -> str:
    """What somebody gave, in a message: its repr in at most 60 characters, whatever its size and depth; its type if it
    has no repr."""
    shown = reprlib.Repr()
    shown.maxother = shown.maxstring = shown.maxlong = _SAID
    try:
        return shown.repr(value)[:_SAID]
    except Exception:  # its own fault, or a number of thousands of digits
        return f"a {type(value).__name__}"


def no_list(what: str, given: Any) -> TypeError:
    """The error that something given as a list is none."""
    return TypeError(f"{what} are a list, which {said(given)} is not")


def rendered(message: str, span: Span | None, hints: tuple[str, ...] = (), severity: str = "error") -> str:
    """A message as text: its place, the source line with a caret, one line for each hint."""
    if span is None:
        return "\n".join([f"{severity}: {message}", *(f"  help: {hint}" for hint in hints)])
    out = [f"{span.file}:{span.line}:{span.column}: {severity}: {message}"]
    line = span.source.line_text(span.line)
    width = span.end_column - span.column if span.end_line == span.line else len(line) - span.column + 1
    shown, column = _window(line, span.column)
    gutter = " " * len(str(span.line))
    out.append(f" {span.line} | {shown}")
    width = max(1, min(width, len(shown) - column + 1))
    pad = "".join("\t" if c == "\t" else " " for c in shown[: column - 1])
    out.append(f" {gutter} | {pad}{'^' * width}")
    out.extend(f" {gutter} = help: {hint}" for hint in hints)
    return "\n".join(out)


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of a very long line around `column` (1-based), and the column in that part."""
    line = "".join(c if c == "\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line[: column + 1000])
    if len(line) <= _WIDEST_LINE:
        return line, column
    first = max(0, column - 1 - _WIDEST_LINE // 2)
    return line[first : first + _WIDEST_LINE], column - first
