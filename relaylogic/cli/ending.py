"""How a command ends: its exit code, and what is said when it could not do its work.

| code | meaning |
|---|---|
| 0 | everything is typed; there are answers |
| 1 | something is refuted; there are no answers, or a check failed |
| 2 | bad input or usage |
| 3 | incomplete or unknown; a limit was reached |
| 70 | a fault of relaylogic itself, which is no verdict |
| 74 | output could not be written |
| 130 | interrupted |
| 141 | nobody reads the output any more (a broken pipe) |

Only a verdict gives 0, 1 or 3.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from ..errors import clipped
from ..host.version import VERSION
from .output import OutputLost, abandon, complain, flush, prepare, printing

__all__ = [
    "BAD_INPUT",
    "FOUND",
    "INTERNAL_ERROR",
    "INTERRUPTED",
    "NONE",
    "REFUTED",
    "TYPED",
    "UNDECIDED",
    "BadInput",
    "crashed",
    "ended",
    "worst",
]

TYPED, REFUTED, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
FOUND, NONE = TYPED, REFUTED  # of commands that list answers, or check rules
INTERNAL_ERROR, OUTPUT_LOST, INTERRUPTED, BROKEN_PIPE = 70, 74, 130, 141
DEBUG = "RELAYLOGIC_DEBUG"
LONGEST_REASON = 500
OUT_OF_MEMORY = b"relaylogic: unknown: out of memory\n"

_SEVERITY = (TYPED, UNDECIDED, REFUTED, BAD_INPUT, INTERNAL_ERROR)


class BadInput(click.ClickException):
    """Input that cannot be worked on, for a reason; the message names the place before it, where there is one."""

    exit_code = BAD_INPUT

    def __init__(self, reason: str, where: object = "") -> None:
        self.reason = reason
        super().__init__(f"{where}: error: {reason}" if where else reason)

    def show(self, file: object = None) -> None:
        """Write the message to standard error."""
        complain(self.message)


def worst(codes: list[int]) -> int:
    """The exit code for several files."""
    return max(codes, key=_SEVERITY.index)


def ended(command: Callable[[], int | None]) -> int:
    """Run a command to its end, whatever that is, and give the exit code."""
    try:
        return _ended(command)
    except MemoryError:  # there may not be enough to say more
        with suppress(OSError):
            os.write(2, OUT_OF_MEMORY)
        return UNDECIDED


def _ended(command: Callable[[], int | None]) -> int:
    try:
        prepare()
        code = _code_of(command)
        flush()
    except OutputLost as lost:
        with suppress(OutputLost):
            if not lost.broken_pipe:
                complain(f"relaylogic: error: output could not be written: {lost.reason}")
        abandon()
        return BROKEN_PIPE if lost.broken_pipe else OUTPUT_LOST
    except KeyboardInterrupt:  # while the end was being told
        abandon()
        return INTERRUPTED
    return code


def _code_of(command: Callable[[], int | None]) -> int:
    try:
        return command() or TYPED
    except click.ClickException as problem:
        with printing():
            problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return INTERRUPTED
    except (OutputLost, MemoryError):
        raise
    except BaseException as problem:
        return crashed(problem)


def crashed(problem: BaseException, name: str = "") -> int:
    """Say that relaylogic itself went wrong, at the file of this name, and how to report it; the exit code."""
    if os.environ.get(DEBUG):
        import traceback  # takes as long as all else of this room

        complain("".join(traceback.format_exception(problem)), end="")
    where = f"{name}: " if name else ""
    complain(
        f"{where}internal error: {_reason(problem)}\n"
        f"  = this is a fault of relaylogic {VERSION} (Python {platform.python_version()}, {sys.platform}), "
        "no verdict on the input\n"
        f"  = help: to report it, send the maintainers this message, the command and its input, and the traceback "
        f"that {DEBUG}=1 prints"
    )
    return INTERNAL_ERROR


def _reason(problem: BaseException) -> str:
    kind = type(problem).__name__
    try:
        text = clipped(" ".join(str(problem).split()))[:LONGEST_REASON]
    except Exception:  # an error whose text is the next error
        text = ""
    return f"{kind}: {text}" if text else kind
