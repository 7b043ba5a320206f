"""The text of a program as HTML: marks are elements that can be pointed at, with places of errors around them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any

from markupsafe import Markup, escape

from ..host.governor import paced
from .texts import LeftOut, clean

__all__ = ["Element", "drawn"]

DEEPEST = 200
"""So many elements stand within each other at most; browsers take no more than some hundreds."""


@dataclass(frozen=True)
class Element:
    """A stretch of the text from `start` to `end`, drawn as an element with an id and classes, and more attributes.

    `order` puts elements of the same stretch into each other, the least outermost.
    """

    start: int
    end: int
    id: str
    classes: str
    order: int = 0
    more: tuple[tuple[str, str], ...] = ()

    def opening(self, is_first: bool) -> Markup:
        """The tag; that of a continued element has no id, and cannot be focused."""
        attributes: list[Any] = [("class", self.classes)]
        if is_first:
            attributes = [("id", self.id), ("class", self.classes), *self.more]
        else:
            attributes += [item for item in self.more if item[0].startswith("data-")]
        said = Markup("").join(Markup(' {}="{}"').format(Markup(name), clean(value)) for name, value in attributes)
        return Markup("<span{}>").format(said)


def drawn(text: str, elements: Iterable[Element], left_out: LeftOut) -> Markup:
    """A text with its elements. One that crosses the end of another is continued behind it."""
    agenda = [(e.start, -e.end, e.order, n, True, e) for n, e in enumerate(elements) if e.start < e.end <= len(text)]
    heapify(agenda)
    out: list[str] = []
    open_ends: list[int] = []
    at = 0

    def up_to(offset: int) -> None:
        nonlocal at
        out.append(str(escape(clean(text[at:offset]))))
        at = offset

    for _ in paced(iter(int, 1)):
        if not agenda:
            break
        start, negative_end, order, number, is_first, element = heappop(agenda)
        while open_ends and open_ends[-1] <= start:
            up_to(open_ends.pop())
            out.append("</span>")
        end = -negative_end
        if open_ends and end > open_ends[-1]:
            heappush(agenda, (open_ends[-1], negative_end, order, number, False, element))
            end = open_ends[-1]
        if len(open_ends) >= DEEPEST:
            left_out.say(f"What stands within more than {DEEPEST} other expressions cannot be pointed at.")
            continue
        up_to(start)
        out.append(str(element.opening(is_first)))
        open_ends.append(end)
    while open_ends:
        up_to(open_ends.pop())
        out.append("</span>")
    up_to(len(text))
    return Markup("".join(out))
