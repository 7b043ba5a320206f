"""Solutions of a system drawn at random, each as likely as any other.

The parts of a system are drawn independently. Where a search of a part meets few states, it is counted once in how many
ways each goes on, and a draw walks along them. Else a variable's value is found by halving its interval: the counts of
the two halves say how likely each is, so a draw takes as many counts as the widths of the intervals have binary digits,
however many solutions there are. Where there are few, they are listed instead.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from .component import Component
from .system import System

__all__ = ["drawn"]

FEW = 64


def drawn(system: System, random: Random) -> tuple[int, ...] | None:
    """One answer of a system, uniformly; None if there is none. Raises ValueError if the system is not `finite`."""
    if not system.count():
        return None
    values = {v: low for v, (low, high) in enumerate(system.bounds) if low == high}
    for part in system.parts():
        if part.asked:
            values.update(zip(part.asked, _of_part(system, part, random), strict=True))
    return tuple(values[v] for v in range(system.asked))


def _of_part(system: System, part: Component, random: Random) -> tuple[int, ...]:
    draws = part.draws()
    if draws is not None:
        return draws(random)
    left, total = system.part(part, part.bounds), part.count()
    for variable in part.asked:
        if total <= FEW:
            break
        left, total = _fixed(left, variable, total, random)
    found = next(islice(left, random.randrange(total), None))
    return tuple(found[v] for v in part.asked)


def _fixed(system: System, variable: int, total: int, random: Random) -> tuple[System, int]:
    """`system` with a value for one variable, drawn in proportion to the counts, and how many answers it has."""
    while total > FEW:
        low, high = system.bounds[variable]
        assert high is not None  # it is finite
        if low == high:
            break
        middle = (low + high) // 2
        below = system.within(variable, low, middle)
        ways = below.count()
        if random.randrange(total) < ways:
            system, total = below, ways
        else:
            system, total = system.within(variable, middle + 1, high), total - ways
    return system, total
