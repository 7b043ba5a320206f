"""Solutions of a system drawn at random, each as likely as any other.

A variable's value is found by halving its interval: the counts of the two halves say how likely each is. So a draw
takes as many counts as the widths of the intervals have binary digits, however many solutions there are. Where there
are few, they are listed instead.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from .system import System

__all__ = ["drawn"]

FEW = 64


def drawn(system: System, random: Random) -> tuple[int, ...] | None:
    """One answer of a system, uniformly; None if there is none. Raises ValueError if the system is not `finite`."""
    total = system.count()
    if not total:
        return None
    for variable in range(system.asked):
        if total <= FEW:
            return next(islice(system, random.randrange(total), None))
        system, total = _fixed(system, variable, total, random)
    return next(iter(system))


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
