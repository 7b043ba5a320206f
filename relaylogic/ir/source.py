"""Source texts and places in them.

A `Span` holds two offsets into a `Source`; lines and columns are worked out when somebody asks, so that a
parser can give every node a span at the price of three references.
"""

from __future__ import annotations

from bisect import bisect_right
from os import PathLike
from typing import Any

from ..errors import IllFormed, said
from ..host.once import cached_property
from ..logic.terms.flat import Record

__all__ = ["MOST_CHARACTERS", "Source", "SourceName", "Span"]

MOST_CHARACTERS = 2**32 - 1
"""A longer text is not read: a node keeps the two offsets of its place in 64 bits."""


class Source(Record, fields=("text", "name")):
    """A text and the name of the file it came from (`<text>` if it came from none).

    Raises IllFormed for a name that is neither a str nor a path, and for a text of more than `MOST_CHARACTERS`.
    """

    has_text = True

    def __init__(self, text: str, name: str | PathLike[str] | None = None) -> None:
        if not isinstance(name, (str, PathLike)) and name is not None:
            raise IllFormed(f"a source is named by a str, which {said(name)} is not")
        if len(text) > MOST_CHARACTERS:
            raise IllFormed(f"a text has {MOST_CHARACTERS:,} characters at most, and this one has {len(text):,}")
        self.text = text
        self.name = "<text>" if name is None else str(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Source):
            return NotImplemented
        return self is other or (self.name == other.name and self.text == other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; a column counts characters."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a line and a column, as `position` gives them; None if the text has no such place."""
        starts = self._line_starts
        if not 1 <= line <= len(starts) or column < 1:
            return None
        at = starts[line - 1] + column - 1
        return at if at <= (starts[line] - 1 if line < len(starts) else len(self.text)) else None

    def line_text(self, line: int, first: int = 0, most: int | None = None) -> str:
        """The text of a line (counted from 1) without its end; `most` characters of it from `first` on (from 0)."""
        start, length = self._line_starts[line - 1], self.line_length(line)
        return self.text[start + first : start + (length if most is None else min(length, first + most))]

    def line_length(self, line: int) -> int:
        """How many characters a line (counted from 1) has without its end, which may be a line of a million."""
        starts, start = self._line_starts, self._line_starts[line - 1]
        end = len(self.text) if line == len(starts) else starts[line] - 1
        while end > start and self.text[end - 1] == "\r":
            end -= 1
        return end - start


_COLUMN_BITS = 16
_MOST_COLUMNS = (1 << _COLUMN_BITS) - 1


class SourceName(Source):
    """A source of which no more is known than its name, such as the model that a converter reads.

    It has no text, so an offset in it is a line and a column: the line in the upper half of 32 bits.
    """

    has_text = False

    def __init__(self, name: str) -> None:
        super().__init__("", name)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        return offset >> _COLUMN_BITS, offset & _MOST_COLUMNS

    def offset(self, line: int, column: int) -> int | None:
        """None: the text has no places."""
        return None

    def at(self, line: int, column: int) -> int:
        """What stands for the place of a line and a column; for the last there may be, if it is behind that."""
        if not isinstance(line, int) or not isinstance(column, int):
            raise IllFormed(f"lines and columns are integers, which {said(line)} and {said(column)} are not")
        return min(max(line, 0), _MOST_COLUMNS) << _COLUMN_BITS | min(max(column, 0), _MOST_COLUMNS)

    def line_text(self, line: int, first: int = 0, most: int | None = None) -> str:
        """Nothing."""
        return ""

    def line_length(self, line: int) -> int:
        """Zero: the line is not known."""
        return 0


class Span(Record):
    """A stretch of a source, from offset `start` up to but not including offset `end`.

    Lines and columns count from 1; (`end_line`, `end_column`) is the place just behind the last character. As in TVM, a
    place may also be given as a `SourceName` (None for one without a name), line, end line, column and end column.
    """

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Any, start: int, end: int, column: int | None = None, end_column: int = 0) -> None:
        if column is not None:
            if not isinstance(source, SourceName):
                source = SourceName(source.name if isinstance(source, Source) else source or "<unknown>")
            start, end = source.at(start, column), source.at(end, end_column)
        self.source: Source = source
        self.start = start
        self.end = end

    @property
    def source_name(self) -> Source:
        """The source, which has a `name`."""
        return self.source

    @property
    def file(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line of the first character."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place behind the last character."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column of the place behind the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self.start == other.start and self.end == other.end and self.source == other.source

    def __hash__(self) -> int:
        return hash((self.source, self.start, self.end))

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}-{self.end_line}:{self.end_column}"
