"""Letters that an encoding lacks, and the marks below them."""

from __future__ import annotations

from random import Random

import pytest

from relaylogic.cli.letters import ESCAPES, made_room
from relaylogic.errors import rendered
from relaylogic.ir import Source, Span

LETTERS = ["a", "-", "^", " ", "\t", "é", "名", "\U0001f600", "\U0001d11e", "e\u0301", "\u2764\ufe0f", "\u0915\u093f"]


def test_an_escape_is_one_letter_per_unit() -> None:
    assert "a\udcff\U0001d11e".encode("ascii", ESCAPES) == rb"a\udcff\ud834\udd1e"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "shift-jis"])
@pytest.mark.parametrize("seed", range(50))
def test_marks_stand_below_what_was_escaped(seed: int, encoding: str) -> None:
    """They stood below the columns that the letters would have taken."""
    random = Random(seed)

    def drawn() -> str:
        return "".join(random.choices(LETTERS, k=random.randint(1, 6)))

    def written(text: str) -> str:
        return text.encode(encoding, ESCAPES).decode(encoding)

    def wide(text: str) -> int:
        return sum(2 if letter in "名" else 1 for letter in written(text))  # which shift-jis has

    pieces = [drawn() for _ in range(5)]
    starts = [len("".join(pieces[:n])) for n in range(6)]
    source = Source("".join(pieces), "名.relay")
    first, second = (Span(source, starts[n], starts[n + 1]) for n in (1, 3))
    text = written(made_room(rendered("名", first, ("名",), related=[(second, "名")]), encoding))
    _, line, *marks, hint = text.split("\n")
    assert line == f" 1 | {written(''.join(pieces))}" and hint == f"   = help: {written('名')}"
    for mark, words, n in zip("^-", ("", f" {written('名')}"), (1, 3)):
        pad = "".join("\t" if c == "\t" else " " * wide(c) for c in "".join(pieces[:n]))
        assert f"   | {pad}{mark * wide(pieces[n])}{words}" in marks
