"""The limits of work: wall time, steps of search, memory, output. One object holds them all.

`limits` sets them for what its block calls; they hold for the thread (the context, see `contextvars`) that set
them, and blocks nest: an inner one never gives more than the outer one leaves, and what is spent inside is spent
outside.

How a limit is noticed. What searches pays steps from a `logic.control.Budget`, which looks here when a slice of them is
used up; long loops look here now and then (`paced`, `spend`); what is about to make something large says so first
(`afford`, `foresee`, `afford_text`). Whoever finds that a limit is reached raises `Stopped`, which is no
`Exception`, so that nobody on the way takes it for an answer. For what does not look, a watcher looks from outside, and
raises `Stopped` in the thread that works, some time after the limit. It does so only within `governed`, by which each
entry of the library runs, and which makes the documented `LimitReached` of it.

No room of relaylogic is needed here; every room may ask.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar, Token
from typing import Any, TypeVar

from ..errors import RelayLogicError, said
from .process import resident
from .watcher import POLL, Watcher, whole

__all__ = [
    "NAMES",
    "SLICE",
    "Governor",
    "LimitReached",
    "Stopped",
    "afford",
    "afford_text",
    "check_while_waiting",
    "current",
    "foresee",
    "governed",
    "last_words",
    "limits",
    "paced",
    "spend",
    "written",
]

Made = TypeVar("Made")
Item = TypeVar("Item")

SLICE = 1000
"""So many steps are taken between two looks at the limits, at most."""

NAMES = {"time": "time limit", "steps": "step limit", "memory": "memory limit", "output": "output limit"}
"""The limits, and how reports call them."""

_PACE = 512
_ITEMS_A_STEP = 32  # tokens of a text, nodes of a program
_GRACE = 0.25  # of the time, for telling what was found,
_LEAST_GRACE = 0.25  # and at least so many seconds: collecting what was given up may take as long
_LEAST_MEMORY = 4 << 20  # and so many bytes: what was given up is not all free yet
_QUIET = 0.15  # of the time after which the watcher raises what nobody else has noticed
_NEVER = float("inf")
_MANY = 10**18
_FREE = 1 << 20  # bytes
_STEPS_A_SECOND = 1_000_000


class Stopped(BaseException):
    """A limit is reached; which one, the governor says. Becomes `LimitReached` where the library is left."""

    def __init__(self) -> None:
        level = current()
        while level is not None:
            level.watcher.flies(self)
            level = level.outer


class LimitReached(RelayLogicError):
    """A limit was reached before the work was done: what it would have found is unknown.

    `limit` is "time", "steps", "memory" or "output"; `value` is what it was set to: seconds, steps, bytes, characters.
    """

    def __init__(self, limit: str, value: float) -> None:
        self.limit = limit
        self.value = value
        super().__init__(f"unknown: {NAMES[limit]} of {_shown(limit, value)} reached", None, (self.help,))

    @property
    def help(self) -> str:
        """What sets the limit."""
        return f"`--{self.limit}`, or `relaylogic.limits({self.limit}=...)`, sets it"

    def render(self) -> str:
        """The message, and what sets the limit."""
        return f"{self.message}\n  help: {self.help}"


def _shown(limit: str, value: float) -> str:
    """A limit with its unit: `2.5 s`, `1,000 steps`, `100,000,000 bytes`."""
    if limit == "time":
        return f"{value:g} s"
    unit = {"steps": "step", "memory": "byte", "output": "character"}[limit]
    return f"{int(value):,} {unit}{'s' * (value != 1)}"


# --- the governor -----------------------------------------------------------------------------------------------------


class Governor:
    """The limits of one block, as far as the block around it leaves them, and what is spent.

    `reached` names the limit that stopped the work last, or is "". `values` are the limits as they were set, by this
    block or the one around it, whichever is nearer.
    """

    def __init__(
        self, outer: Governor | None, time: float | None, steps: int | None, memory: int | None, output: int | None
    ) -> None:
        now = _now()
        self.outer = outer
        self.values: dict[str, float] = {} if outer is None else dict(outer.values)
        self.reached = ""
        self.steps_left: int = _MANY if outer is None else outer.steps_left
        self.output_left: int = _MANY if outer is None else outer.output_left
        self._deadline: float = _NEVER if outer is None else outer._deadline
        self._time: float = 0.0 if outer is None else outer._time
        self._most: int = _MANY if outer is None else outer._most
        if time is not None and now + time < self._deadline:
            self._deadline, self._time = now + time, time
            self.values["time"] = time
        if steps is not None and steps < self.steps_left:
            self.steps_left = steps
            self.values["steps"] = steps
        if output is not None and output < self.output_left:
            self.output_left = output
            self.values["output"] = output
        if memory is not None:
            most = resident() + memory
            if most < self._most:
                self._most = most
                self.values["memory"] = memory
        self._extended = 0
        self._looked = now
        self._unpaid = 0
        self._budget: Any = None
        self.token: Token[Governor | None] | None = None
        self.block: limits | None = None
        self.watcher = Watcher(Stopped, self._overdue, self._tell)

    # What is spent is taken off here and from all blocks around.

    def spend(self, steps: int) -> None:
        """Take steps off, and look at the other limits if that was not done for a slice of them. Raises Stopped."""
        self.pay(steps)
        self._unpaid += steps
        if self._unpaid >= SLICE:
            self._unpaid = 0
            self.check()
        elif self.steps_left < 0 and not self._extended:
            self._stop("steps")

    def pay(self, steps: int) -> None:
        """Take steps off, and nothing else."""
        level: Governor | None = self
        while level is not None:
            level.steps_left -= steps
            level = level.outer

    def slice(self, steps: int) -> int:
        """How many of `steps` may be taken before it is looked here again."""
        return min(steps, SLICE) if self._extended else max(0, min(steps, SLICE, self.steps_left))

    def opened(self, budget: Any) -> None:
        """A search begins: what the last one has used is taken off. Raises Stopped."""
        last, self._budget = self._budget, budget
        self.spend((0 if last is None else last.settled()) + 1)

    def afford_text(self, characters: int) -> None:
        """Take characters of output off. Raises Stopped."""
        level: Governor | None = self
        while level is not None:
            level.output_left -= characters
            level = level.outer
        if self.output_left < 0 and not self._extended:
            self._stop("output")

    def check(self) -> None:
        """Look at the clock, the steps and the memory. Raises Stopped."""
        name = self._over_limit()
        if name:
            self._stop(name)

    def afford(self, size: int) -> None:
        """Something of `size` bytes is about to be made. Raises Stopped if that is too much."""
        if size > _FREE:
            if self._most < _MANY and resident() + size > self._most:
                self._stop("memory")
            self.check()

    def foresee(self, seconds: float, size: int) -> None:
        """What takes so long and so many bytes is about to be computed. Raises Stopped if that is too much."""
        if _now() + seconds > self._deadline:
            self._stop("time")
        self.spend(int(seconds * _STEPS_A_SECOND))
        self.afford(size)

    def _over_limit(self) -> str:
        now = _now()
        if now > self._deadline:
            return "time"
        if self.steps_left < 0 and not self._extended:
            return "steps"
        if self._most < _MANY and now - self._looked > POLL:
            self._looked = now
            if resident() > self._most:
                return "memory"
        return ""

    def _stop(self, name: str) -> None:
        self.reached = name
        raise Stopped

    def extend(self) -> Callable[[], None]:
        """Leave some time and memory for telling what was found, from now on; gives what takes it back."""
        before: list[tuple[Governor, float, int]] = []
        level: Governor | None = self
        now = _now()
        while level is not None:
            before.append((level, level._deadline, level._most))
            level._deadline = max(level._deadline, now + max(_GRACE * level._time, _LEAST_GRACE))
            if "memory" in level.values:
                level._most = max(level._most + int(_GRACE * level.values["memory"]), resident() + _LEAST_MEMORY)
            level._extended += 1
            level = level.outer

        def back() -> None:
            for governor, deadline, most in before:
                governor._deadline, governor._most = deadline, most
                governor._extended -= 1

        return back

    # The watcher.

    def enter(self) -> None:
        """The work of this thread may be stopped from outside."""
        self.watcher.enter(self._deadline < _NEVER or self._most < _MANY)

    def _overdue(self) -> str:
        """The limit that somebody should have noticed by now, or ""."""
        if _now() > self._deadline + max(_QUIET * self._time, 2 * POLL):
            return "time"
        return "memory" if self._most < _MANY and resident() > self._most else ""

    def _tell(self, name: str) -> None:
        self.reached = name


_now = time.monotonic


_CURRENT: ContextVar[Governor | None] = ContextVar("relaylogic_limits", default=None)
current = _CURRENT.get
"""The governor of the innermost block, or None."""


class limits:
    """Set limits for the work that relaylogic does within a block.

    >>> import relaylogic
    >>> with relaylogic.limits(time=60, memory=2 * 10**9):
    ...     relaylogic.infer("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }").verdict
    'typed'

    `time` is in seconds, from where the block begins; `steps` are steps of search; `memory` is how many bytes the
    process may grow by; `output` is how many characters `astext`, `to_json`, the `repr` of results and the HTML for
    notebooks may have together. None sets no limit.
    Blocks nest: what an inner one sets counts if it is less than what the outer one leaves.

    `infer` and `infer_call` end in the verdict "unknown" when a limit is reached, `query` and `typings` in a status
    that begins with "unknown"; everything else raises LimitReached, the block itself too, and a thread that waits while
    another one works on the result, session or answers that they share. Raises ValueError for a limit that is no
    positive number.
    """

    def __init__(
        self,
        *,
        time: float | None = None,
        steps: int | None = None,
        memory: int | None = None,
        output: int | None = None,
    ) -> None:
        given = {"time": time, "steps": steps, "memory": memory, "output": output}
        self._given = dict(given)
        for name, value in given.items():
            if value is None:
                continue
            numbers = (int, float) if name == "time" else int
            if isinstance(value, bool) or not isinstance(value, numbers) or not value > 0:
                raise ValueError(f"the limit `{name}` is a positive number, which {said(value)} is not")
            if value > _MANY:
                self._given[name] = None  # nobody will see its end

    @whole
    def __enter__(self) -> Governor:
        governor = Governor(current(), **self._given)  # type: ignore[arg-type]
        governor.block = self
        governor.token = _CURRENT.set(governor)
        return governor

    @whole
    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        governor = current()
        while governor is not None and governor.block is not self:
            governor.watcher.close()  # of a block in this one, which was stopped where it ends
            governor = governor.outer
        assert governor is not None and governor.token is not None
        _CURRENT.reset(governor.token)
        governor.watcher.close()
        if isinstance(problem, Stopped):
            raise _told(governor) from None


def _told(governor: Governor) -> LimitReached:
    level: Governor | None = governor  # the watcher of a block around this one tells that one
    while level is not None and not level.reached:
        level = level.outer
    name = "memory" if level is None else level.reached
    return LimitReached(name, governor.values.get(name, 0))


def governed(work: Callable[[], Made], told: Callable[[LimitReached], Made] | None = None) -> Made:
    """What `work` gives. If a limit stops it: what `told` makes of that, or LimitReached is raised.

    `told` has a little more time and memory; if that is not enough either, LimitReached is raised. Without `told`, work
    that is part of governed work is stopped with that.
    """
    governor = current()
    if governor is None or (told is None and governor.watcher.is_working()):
        return work()
    try:
        return _watched(governor, work)
    except (Stopped, MemoryError) as stop:
        governor.reached = governor.reached if isinstance(stop, Stopped) else "memory"
        reached = _told(governor)
    if told is None:
        raise reached
    return last_words(lambda: told(reached), reached)


def _watched(governor: Governor, work: Callable[[], Made]) -> Made:
    watcher = governor.watcher
    if watcher.is_working():
        return work()
    try:
        try:
            governor.enter()
            governor.check()
            return work()
        finally:
            _leave(watcher)
    finally:
        _leave(watcher)  # what comes from outside may arrive where the first one begins, which has left nothing then


@whole
def _leave(watcher: Watcher) -> None:
    while watcher.is_working():
        with suppress(Stopped):  # that came when the work was done, or was stopped already
            watcher.leave()


def last_words(tell: Callable[[], Made], reached: LimitReached) -> Made:
    """What `tell` gives, which has a little time and memory although a limit is reached. Raises LimitReached."""
    governor = current()
    if governor is None:
        return tell()
    back = governor.extend()
    try:
        return _watched(governor, tell)
    except (Stopped, MemoryError):
        raise reached from None
    finally:
        back()


# --- looking ----------------------------------------------------------------------------------------------------------


def spend(steps: int = 1) -> None:
    """Pay for steps; look whether a limit is reached each thousand of them. Raises Stopped."""
    governor = current()
    if governor is not None:
        governor.spend(steps)


def check_while_waiting() -> None:
    """Look at the limits of a thread that waits for another one. Raises LimitReached; Stopped in governed work."""
    governor = current()
    if governor is None:
        return
    try:
        governor.check()
    except Stopped:
        if governor.watcher.is_working():
            raise
        raise _told(governor) from None


def paced(items: Iterable[Item], pace: int = _PACE) -> Iterable[Item]:
    """The items of a long loop, which pays a step for some of them and looks after each `pace`. Raises Stopped.

    Without limits these are the items themselves, so the loop pays nothing.
    """
    governor = current()
    return items if governor is None else _paced(items, governor, pace)


def _paced(items: Iterable[Item], governor: Governor, pace: int) -> Iterator[Item]:
    ahead = pace
    steps = max(1, pace // _ITEMS_A_STEP)
    for item in items:
        ahead -= 1
        if not ahead:
            ahead = pace
            governor.spend(steps)
            governor.check()
        yield item


def afford(size: int) -> None:
    """Something of `size` bytes is about to be made. Raises Stopped if the limit of memory forbids it."""
    governor = current()
    if governor is not None:
        governor.afford(size)


def afford_text(characters: int) -> None:
    """So many characters are about to be printed or returned as text. Raises Stopped."""
    governor = current()
    if governor is not None:
        governor.afford_text(characters)


def written(work: Callable[[], str]) -> str:
    """The text that `work` gives, which is paid for. Raises LimitReached."""
    return governed(lambda: _paid(work()))


def _paid(text: str) -> str:
    afford_text(len(text) + 1)
    return text


def foresee(seconds: float, size: int) -> None:
    """Something is about to be computed in one go, which takes so long and needs so many bytes. Raises Stopped."""
    governor = current()
    if governor is not None:
        governor.foresee(seconds, size)
