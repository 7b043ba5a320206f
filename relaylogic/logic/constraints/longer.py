"""Lists that would be longer than themselves: `append([n | s], u, v), len(v) = len(u)`.

What relates the lengths of lists says of some that they are longer than others, by so many elements at least: edges of
a graph, in which no cycle may gain any (Bellman, "On a routing problem", 1958).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from ..states.least import begun
from ..states.suspended import Primitive, Suspended
from ..states.work import Work
from ..terms.variables import VARIABLES
from .lengths import equal_lengths, lengths_told

__all__ = ["compared", "would_be_longer"]

Longer = tuple[Any, Any, int]
"""A list, another one, and how many elements the first has more, at least."""


def would_be_longer(items: Any, own: Iterable[Longer], work: Work) -> bool:
    """Whether a list, or one that it is longer than, would be longer than itself, if what waits holds, and its `own`
    constraint, which waits not yet."""
    own = list(own)
    _, start = begun(items, work)
    more = {start: 0}  # how many elements the first one has more than what is behind this end, at least
    steps = {start: 0}
    edges: dict[Any, list[tuple[Any, int]]] = {}
    agenda = deque([start])
    while agenda:
        end = agenda.popleft()
        if end not in edges:
            edges[end] = list(_edges(end, own, work))
        for other, number in edges[end]:
            found = more[end] + number
            if found > more.get(other, found - 1):
                more[other], steps[other] = found, steps[end] + 1
                if steps[other] >= len(more):  # the way goes round
                    return True
                agenda.append(other)
    return False


def _edges(end: Any, own: list[Longer], work: Work) -> Iterator[tuple[Any, int]]:
    """The open ends of lists that are shorter than what is behind an end, and by how many elements at least."""
    said = [*own]
    for constraint in work.beside(end) if type(end) in VARIABLES else ():
        if type(constraint) is Suspended:
            said += compared(constraint.primitive, constraint.arguments, work)
        else:
            said += [(a, b, 0) for lists in equal_lengths(constraint, work) for a, b in permutations(lists, 2)]
    for longer, shorter, number in said:
        count, first = begun(longer, work)
        if first is end:
            others_count, other = begun(shorter, work)
            if type(other) in VARIABLES:
                yield other, number + others_count - count


def compared(primitive: Primitive, arguments: tuple[Any, ...], work: Work) -> Iterator[Longer]:
    """Which lists are longer than others, as a primitive says."""
    for lists, others, number in lengths_told(primitive, arguments):
        if len(others) == 1:
            yield from _sum_of(others[0], lists, -(number or 0), work)
        if len(lists) == 1 and number is not None:
            yield from _sum_of(lists[0], others, number, work)


def _sum_of(whole: Any, parts: tuple[Any, ...], number: int, work: Work) -> Iterator[Longer]:
    counts = [begun(part, work)[0] for part in parts]
    return ((whole, part, number + sum(counts) - count) for part, count in zip(parts, counts, strict=True))
