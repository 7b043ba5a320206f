"""Places in texts."""

from __future__ import annotations

import pytest

from relaylogic.errors import IllFormed
from relaylogic.ir import Source, Span, Var
from relaylogic.ir.source import MOST_CHARACTERS


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


def test_a_node_has_the_place_that_it_was_given() -> None:
    source = Source("%x")
    node = Var("x", None, Span(source, 0, 2))
    assert node.span == Span(source, 0, 2) and node.span.source is source and node.is_placed
    node.span = None
    assert node.span is None and not node.is_placed
    most = Span(source, MOST_CHARACTERS, MOST_CHARACTERS)
    assert Var("x", None, most).span == most


@pytest.mark.parametrize("span", [7, "1:2", *(Span(Source(""), *place) for place in ((-1, 0), (0, 2**32), (0, True)))])
def test_what_is_no_place_in_a_text_is_kept_as_it_is(span: object) -> None:
    node = Var("x", None, span)  # type: ignore[arg-type]
    assert node.span is span
    assert node.has_good_span == isinstance(span, Span)


def test_a_text_whose_places_nodes_could_not_keep_is_none() -> None:
    class Enormous(str):
        def __len__(self) -> int:
            return MOST_CHARACTERS + 1

    with pytest.raises(IllFormed, match="4,294,967,295 characters at most"):
        Source(Enormous("%x"))
