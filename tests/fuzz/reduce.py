"""Makes a find smaller: delta debugging over the lines, the brackets and the words of a text."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence

__all__ = ["reduced", "shorter_texts"]

_WORD = re.compile(
    r'\s+|"(?:[^"\\\n]|\\.)*"|[@%]?[A-Za-z_][\w.]*|\d+(?:\.\d+)?\w*|/\*|\*/|->|=>|:-|\.\.\.|.', re.DOTALL
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def reduced(
    case: str | bytes,
    still_broken: Callable[[str | bytes], bool],
    candidates: Callable[[str | bytes], Iterator[str | bytes]],
    seconds: float = 60.0,
) -> str | bytes:
    """The smallest case that is still broken which is found in so many seconds, by taking each first step down."""
    end = time.monotonic() + seconds
    going_on = True
    while going_on and time.monotonic() < end:
        going_on = False
        for candidate in candidates(case):
            if time.monotonic() > end:
                break
            if len(candidate) < len(case) and still_broken(candidate):
                case, going_on = candidate, True
                break
    return case


def shorter_texts(text: str | bytes) -> Iterator[str | bytes]:
    """The text without some of its lines, the largest parts first; without brackets, or what they hold; or words."""
    assert isinstance(text, str)
    yield from map("".join, _without_parts(text.splitlines(keepends=True)))
    words = _WORD.findall(text)
    for start, end in sorted(_brackets(words), key=lambda pair: pair[0] - pair[1]):
        yield "".join([*words[: start + 1], *words[end:]])
        yield "".join([*words[:start], *words[end + 1 :]])
        yield "".join([*words[:start], *words[start + 1 : end], *words[end + 1 :]])
        yield "".join(words[start + 1 : end])
    yield from map("".join, _without_parts(words))


def _without_parts(items: Sequence[str]) -> Iterator[list[str]]:
    size = len(items) // 2
    while size:
        for start in range(0, len(items), size):
            yield [*items[:start], *items[start + size :]]
        size //= 2


def _brackets(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places of brackets that match."""
    stack: list[tuple[str, int]] = []
    for index, word in enumerate(words):
        if word in _CLOSING:
            stack.append((_CLOSING[word], index))
        elif stack and word == stack[-1][0]:
            yield stack.pop()[1], index
