"""What a fuzzer finds: an invariant that a case breaks, and how long a case may take."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

__all__ = ["OUT_OF_TIME", "TOO_SLOW", "Broken", "TookTooLong", "demand", "found_in", "watched"]

SECONDS = 20.0
TOO_SLOW = "limits hold: time"
OUT_OF_TIME = "out of time"
"""The summary of a case that its own limit of time or steps ended: another run may come further."""
PACKAGE = "relaylogic"


class Broken(Exception):
    """A case breaks an invariant; `law` is its name, `detail` says how."""

    def __init__(self, law: str, detail: str) -> None:
        super().__init__(f"{law}: {detail}")
        self.law = law
        self.detail = detail


class TookTooLong(BaseException):
    """The watchdog's: no `except Exception` of the code under test keeps it."""


def demand(holds: bool, law: str, detail: object = "") -> None:
    """Raise Broken unless `holds`."""
    if not holds:
        raise Broken(law, str(detail)[:2000])


def found_in(problem: BaseException) -> Broken:
    """An exception that nobody documented, or a limit that did not hold, as an invariant that is broken.

    The law's name ends with the place, so that a case is not reduced to another fault.
    """
    if isinstance(problem, Broken):
        return problem
    frames = traceback.extract_tb(problem.__traceback__)
    inner = [f for f in frames if f"/{PACKAGE}/" in f.filename or "/rules/" in f.filename] or frames
    place = f"{Path(inner[-1].filename).name}, {inner[-1].name}" if inner else "nowhere"
    if isinstance(problem, TookTooLong):
        return Broken(TOO_SLOW, f"stopped in {place}")
    detail = "".join(traceback.format_exception(problem)[-6:])
    if isinstance(problem, (MemoryError, RecursionError)):
        return Broken(f"limits hold: {type(problem).__name__}", detail[-1500:])
    return Broken(f"only documented errors: {type(problem).__name__} in {place}", detail[-1500:])


@contextmanager
def watched(seconds: float = SECONDS) -> Iterator[None]:
    """Raise TookTooLong in the main thread when so much time of the processor is used; again each second of it, should
    somebody catch it. So a busy machine makes no finds; what waits for nothing is one after ten times as long.
    """

    def bark(number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    clocks = [(signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 10 * seconds)]
    before = [signal.signal(number, bark) for number, _, _ in clocks]
    for _, clock, allowed in clocks:
        signal.setitimer(clock, allowed, 1.0)
    try:
        yield
    finally:
        for (number, clock, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)
