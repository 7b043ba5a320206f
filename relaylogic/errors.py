"""The one base of all errors that relaylogic reports to its users."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

__all__ = [
    "IllFormed",
    "Place",
    "RelayLogicError",
    "alike",
    "clipped",
    "columns",
    "did_you_mean",
    "enumerated",
    "no_list",
    "on_one_line",
    "rendered",
    "said",
    "several",
    "truth",
]

_WIDEST_LINE = 160
_SAID = 60
_LIKE = 0.6  # the share of two names that is the same if one may be meant by the other
_LONGEST_NAME, _MOST_NAMES = 200, 5_000  # what is looked at for that
_LONG_WORD = re.compile(r"(\S{60})\S{440,}")


class Place(Protocol):
    """A place in a text, such as an `ir.Span`: the lines and columns between which it is, counted from 1."""

    @property
    def source(self) -> Any:
        """The text, which knows its lines."""

    @property
    def file(self) -> str:
        """The name of the text."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def end_line(self) -> int: ...

    @property
    def end_column(self) -> int: ...


class RelayLogicError(Exception):
    """Something is wrong with the input; `message` says what, `span` where, `hints` what would fit instead.

    `span` is None for what has no place in a text. Words of more than 500 characters are cut.
    """

    def __init__(self, message: str, span: Place | None = None, hints: tuple[str, ...] = ()) -> None:
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


def several(count: int, noun: str) -> str:
    """So many of something: `1 argument`, `2 arguments`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def enumerated(items: Sequence[str], last: str = "or") -> str:
    """Words as a sentence lists them: `a, b or c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


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


def on_one_line(name: str) -> str:
    """The name of a file in a message, which stands on one line: the name may have several."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def no_list(what: str, given: Any) -> TypeError:
    """The error that something given as a list is none."""
    return TypeError(f"{what} are a list, which {said(given)} is not")


def alike(name: str, known: Iterable[str], most: int = 2) -> list[str]:
    """Of the names that there are, those that may be meant by another, what is most like it first."""
    from difflib import get_close_matches  # for errors only

    name = name[:_LONGEST_NAME]
    # No more of two names can be the same than the shorter one has: a word of megabytes is not looked at.
    near = [k for k in dict.fromkeys(known) if 2 * min(len(k), len(name)) >= _LIKE * (len(k) + len(name))]
    return get_close_matches(name, near[:_MOST_NAMES], most, _LIKE) if near else []


def did_you_mean(names: Sequence[str], sigil: str = "") -> tuple[str, ...]:
    """The hint that one of some names may be meant; none if there are none."""
    return (f"did you mean {' or '.join(f'`{sigil}{name}`' for name in names)}?",) if names else ()


def truth(what: str, given: Any) -> bool:
    """Whether an option that is on or off is on. Raises IllFormed for what is neither, such as an array."""
    try:
        return bool(given)
    except Exception:  # its own fault
        raise IllFormed(f"`{what}` is True or False, which {said(given)} is not") from None


def rendered(
    message: str,
    span: Place | None,
    hints: tuple[str, ...] = (),
    severity: str = "error",
    related: Sequence[tuple[Place | None, str]] = (),
) -> str:
    """A message as text: its place, the source line with a caret, related places, one line for each hint.

    Related places are underlined with `-`, each with its own words; lines stand in the order of the text.
    """
    where = "" if span is None else f"{on_one_line(span.file)}:{span.line}:{span.column}: "
    out = [f"{where}{severity}: {message}"]
    if span is None or not span.source.has_text:
        return "\n".join([*out, *(f"  note: {text}" for _, text in related), *(f"  help: {hint}" for hint in hints)])
    marked = [(span, "^", ""), *((place, "-", text) for place, text in related if place is not None)]
    # A line stands there once, above all its marks; a long one once for each part of it that is shown.
    groups: dict[tuple[bool, int, int], list[tuple[Place, str, str]]] = {}
    for place, mark, text in marked:
        start = _first_shown(place)
        groups.setdefault((place.source is not span.source, place.line, start), []).append((place, mark, text))
    width = len(str(max(place.line for place, _, _ in marked)))
    for key in sorted(groups):
        group, (foreign, number, _) = groups[key], key
        if foreign:
            out.append(f" {' ' * width} ::: {on_one_line(group[0][0].file)}:{number}:{group[0][0].column}")
        out.append(f" {number:>{width}} | {_window(group[0][0])[0]}")
        out += [f" {' ' * width} | {_underline(place, mark)} {text}".rstrip() for place, mark, text in group]
    out.extend(f" {' ' * width} = help: {hint}" for hint in hints)
    return "\n".join(out)


def _underline(span: Place, mark: str) -> str:
    """Marks below a place."""
    shown, column = _window(span)
    length = span.source.line_length(span.line)
    width = span.end_column - span.column if span.end_line == span.line else length - span.column + 1
    pad = "".join("\t" if c == "\t" else " " * columns(c) for c in shown[: column - 1])
    marked = shown[column - 1 : column - 1 + max(0, width)]
    return pad + mark * max(1, sum(map(columns, marked)))


def columns(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if character.isascii():
        return 1
    from unicodedata import category, east_asian_width  # few texts need them

    return 0 if category(character) in ("Mn", "Me") else 2 if east_asian_width(character) in "WF" else 1


def _first_shown(span: Place) -> int:
    """How many characters of the line of a place are left out before it."""
    return span.column - _window(span)[1]


def _window(span: Place) -> tuple[str, int]:
    """The part of a very long line around a place, and the column (1-based) of the place in that part."""
    column = span.column
    wide = span.source.line_length(span.line) > _WIDEST_LINE
    first = max(0, column - 1 - _WIDEST_LINE // 2) if wide else 0
    line = span.source.line_text(span.line, first, _WIDEST_LINE)
    shown = "".join(c if c == "\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return shown, column - first
