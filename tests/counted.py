"""How much work something takes, in calls of functions: as many on each machine, however busy that is.

What would take minutes if it was done in another way is not timed but counted. A bound is two to four times what is
counted today; the other way calls tens of times as many. What a first use works out for all later ones, tables of the
parser and programs made of rules, is no part of it: where that matters, a test does something of the kind before.

Not for what Python does in C, of which a call is one whatever it takes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

__all__ = ["Calls", "at_most", "growth"]


class Calls:
    """How many functions were called, and generators gone on with."""

    made = 0


@contextmanager
def at_most(most: int) -> Iterator[Calls]:
    """Count the calls within the block, in this thread. Where there are more than `most`, the test fails at once."""
    calls, before = Calls(), sys.getprofile()

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            calls.made += 1
            if calls.made > most:
                pytest.fail(f"more than {most:,} calls")

    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(before)
    assert calls.made <= most  # what was raised is lost where an object dies


def growth(work: Callable[[int], object], size: int, most: int = 10_000_000) -> float:
    """How many times as many calls `work` makes of a thing of twice the size; of half the size, it is done before."""
    work(size // 2)
    made = []
    for larger in (size, 2 * size):
        with at_most(most) as calls:
            work(larger)
        made.append(calls.made)
    return made[1] / made[0]
