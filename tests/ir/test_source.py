"""Places in texts."""

from __future__ import annotations

from relaylogic.ir import Source, Span


def test_lines_and_columns_count_from_one() -> None:
    source = Source("ab\r\ncd\n\nü", "a.relay")
    assert [source.position(offset) for offset in (0, 1, 4, 7, 8, 9)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (3, 1),
        (4, 1),
        (4, 2),
    ]
    assert [source.line_text(line) for line in (1, 2, 3, 4)] == ["ab", "cd", "", "ü"]


def test_a_span_ends_behind_its_last_character() -> None:
    span = Span(Source("let\n%x"), 0, 6)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 1, 2, 3)
    assert repr(span) == "<text>:1:1-2:3" and span.text == "let\n%x"
    assert span == Span(span.source, 0, 6) and span != Span(span.source, 0, 5)
