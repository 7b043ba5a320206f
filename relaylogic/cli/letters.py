r"""Letters that the encoding of a stream lacks are written as `\uXXXX`, which JSON reads back; marks stay below them.

Who shows a line of a program with marks below it does not know where that will be written, and counts the columns that
a terminal gives each letter. An escape takes more of them.
"""

from __future__ import annotations

import codecs
import re

from ..errors import columns

__all__ = ["ESCAPES", "made_room"]

ESCAPES = "relaylogic.escapes"
"""How letters that cannot be encoded are treated, for Python's codecs."""

_LINE = re.compile(r" +[0-9]+ \| ")
_MARKS = re.compile(r" +\| ([ \t]*)([-^]+)")


def _escaped(problem: UnicodeError) -> tuple[str, int]:
    """Letters that cannot be encoded, as JSON escapes them; those beyond the first plane as two surrogates."""
    assert isinstance(problem, UnicodeEncodeError)
    units = problem.object[problem.start : problem.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4)), problem.end


codecs.register_error(ESCAPES, _escaped)


def made_room(text: str, encoding: str) -> str:
    """A text in which marks below a line are as wide, and as far to the right, as the line will be in an encoding."""
    if text.isascii():
        return text
    out: list[str] = []
    wider: list[tuple[int, int]] = []
    for line in text.split("\n"):
        start = _LINE.match(line)
        marks = _MARKS.match(line)
        if start is not None:
            wider = _wider(line[start.end() :], encoding)
        elif marks is None:
            wider = []
        elif wider:
            line = line[: marks.start(1)] + _widened(marks[1] + marks[2], wider) + line[marks.end() :]
        out.append(line)
    return "\n".join(out)


def _wider(line: str, encoding: str) -> list[tuple[int, int]]:
    """The columns behind letters that will be escaped, and how many more the escape takes."""
    found, column = [], 0
    for letter in line:
        width = columns(letter)
        column += width
        if not letter.isascii():
            escaped = letter.encode(encoding, ESCAPES).decode(encoding)
            if escaped != letter:
                found.append((column, len(escaped) - width))
    return found


def _widened(marks: str, wider: list[tuple[int, int]]) -> str:
    """Marks with as many more below each letter as it is wider, of the kind that is below it."""
    out, done = [], 0
    for column, more in wider:
        if column > len(marks):
            break
        out.append(marks[done:column])
        done = column
        out.append((marks[column - 1].replace("\t", " ") if column else " ") * more)
    return "".join(out) + marks[done:]
