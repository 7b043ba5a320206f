"""What is raised in a thread from outside may arrive anywhere: whatever it interrupts, nobody is watched afterwards."""

from __future__ import annotations

import sys
import threading
import time

import pytest

import relaylogic
from relaylogic.host import governor as room
from relaylogic.host import watcher as outside
from relaylogic.host.governor import LimitReached, Stopped, current, governed
from relaylogic.host.watcher import POLL, Watcher

FILES = {room.__file__, outside.__file__}
KEPT = {"__enter__", "__exit__"}
"""Where a block begins and ends nobody works yet, or any more, so nothing is raised there."""


class Arriving:
    """Has Stopped arrive at one place: where the so-manieth function of the code that watches begins or ends.

    CPython looks for what was raised from outside when it begins a function and behind calls, not at any line.
    """

    def __init__(self, at: int) -> None:
        self.left = at

    def trace(self, frame, event, _):
        code = frame.f_code
        if code.co_filename not in FILES or code.co_name in KEPT:
            return None
        self.left -= event != "line"
        if self.left == 0 and event != "line":
            sys.settrace(None)
            raise Stopped
        return self.trace


def work() -> str:
    return "done"


def interrupted(at: int) -> tuple[str, Watcher, bool]:
    """What becomes of work with something arriving at a place, the watcher, and whether the place was reached."""
    arriving = Arriving(at)
    try:
        with relaylogic.limits(time=60) as governor:
            sys.settrace(arriving.trace)
            try:
                said = governed(work)
            finally:
                sys.settrace(None)
    except LimitReached:
        said = "stopped"
    return said, governor.watcher, arriving.left <= 0


def test_wherever_it_arrives_the_thread_is_let_go():
    ends, at, reached = set(), 1, True
    while reached:
        said, watcher, reached = interrupted(at)
        ends.add(said)
        assert not watcher.is_working(), f"at the place {at}"
        assert current() is None
        at += 1
    assert at > 10 and ends == {"done", "stopped"}


def test_within_a_block_work_can_go_on_wherever_it_arrived():
    at, reached = 1, True
    while reached:
        arriving = Arriving(at)
        with relaylogic.limits(time=60) as governor:
            sys.settrace(arriving.trace)
            try:
                governed(work)
            except (LimitReached, Stopped):
                pass
            finally:
                sys.settrace(None)
            assert not governor.watcher.is_working(), f"at the place {at}"
            assert governed(work) == "done"
        reached = arriving.left <= 0
        at += 1
    assert at > 10


def test_nothing_is_raised_behind_the_end_of_a_block():
    """A thread that could not leave, since it was stopped as it began to, was stopped again in the code behind."""
    looked, ended = [], []

    def overdue() -> str:
        watcher.close()  # the block ends while the watcher is looking
        looked.append(True)
        return "time"

    watcher = Watcher(Stopped, overdue, lambda name: None)

    def worker() -> None:
        watcher.enter(True)
        while not looked:
            pass
        end = time.monotonic() + 10 * POLL
        while time.monotonic() < end:
            pass
        ended.append(True)

    thread = threading.Thread(target=worker)
    thread.start()
    thread.join()
    assert looked == ended == [True]


@pytest.mark.parametrize("blocks", [300])
def test_short_blocks_are_left_for_good(blocks):
    for number in range(blocks):
        try:
            with relaylogic.limits(time=0.0005 + number % 7 / 2000) as governor:
                governed(lambda: sum(i * i for i in range(30_000)))
        except LimitReached:
            pass
        assert not governor.watcher.is_working() and current() is None
