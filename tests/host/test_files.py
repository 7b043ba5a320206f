"""Bytes that are no text: which is the first one that is wrong, and the line where it stands."""

from __future__ import annotations

import pytest

from relaylogic.host.files import NoText, text_in


@pytest.mark.parametrize(
    ("data", "place", "line"),
    [
        (b"\xff", "1:1", "\ufffd"),
        (b"ab\xe9c\nd", "1:3", "ab\ufffdc"),
        (b"\xef\xbb\xbfa\r\n\xc3\xa9\xe9\r\n", "2:2", "\xe9\ufffd"),
        (b"a\rb\xc3", "2:2", "b\ufffd"),
        (b"\xed\xa0\x80", "1:1", "\ufffd\ufffd\ufffd"),
        (b"a\xe4" + b"b" * 10**6, "1:2", "a\ufffd" + "b" * 199),
    ],
)
def test_the_place_of_a_byte_that_is_wrong_and_its_line(data: bytes, place: str, line: str) -> None:
    with pytest.raises(NoText, match="this is no text: ") as caught:
        text_in(data)
    problem = caught.value
    assert problem.place == place
    assert problem.text[problem.offset] == "\ufffd" and problem.text.splitlines()[-1] == line
