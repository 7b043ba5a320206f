"""Programs read and inferred one by one, each within its limits, for commands that tell the result in forms of their
own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError
from ..host.governor import LimitReached, governed, last_words, limits
from .ending import BAD_INPUT, INTERNAL_ERROR, REFUTED, TYPED, UNDECIDED, BadInput, crashed
from .inputs import read_program, shown_name
from .output import OutputLost, complain
from .progress import Progress

if TYPE_CHECKING:
    from ..infer.results.result import Result
    from ..rulebase import RuleBase
    from .tracing import TraceFile

__all__ = ["Inferred", "exit_code", "inferred", "not_begun"]


@dataclass(frozen=True)
class Inferred:
    """What became of one file, `name` being as messages give it.

    `problem` says why there is no result: it is no program, cannot be read, or relaylogic itself went wrong. `code` is
    the exit code. The work took `seconds`.
    """

    name: str
    result: Result | None
    problem: RelayLogicError | BadInput | Exception | None
    code: int
    seconds: float = 0.0

    @property
    def said(self) -> str:
        """What is to be said on standard error of a file that cannot be worked on; of a fault, that is said already."""
        if isinstance(self.problem, BadInput):
            return self.problem.message
        return str(self.problem) if isinstance(self.problem, RelayLogicError) else ""

    def complain(self) -> None:
        """Say on standard error what kept the file from being worked on, or to its end."""
        if self.said:
            complain(self.said)
        if self.reached is not None:
            complain(f"{self.name}: {self.reached}")

    @property
    def reached(self) -> LimitReached | None:
        """The limit that ended the work."""
        return None if self.result is None else self.result.reached


def exit_code(result: Result) -> int:
    """The exit code for a result. May raise LimitReached: errors are worked out when they are asked for."""
    if any(error.malformed for error in result.errors):
        return BAD_INPUT
    return {"typed": TYPED, "refuted": REFUTED}.get(result.verdict, UNDECIDED)


def inferred(
    name: str,
    rules: RuleBase,
    closed: bool,
    prelude: bool,
    allowed: dict[str, Any],
    tell: Callable[[Inferred], None],
    trace: TraceFile,
) -> int:
    """Infer the program in a file, tell the result and write the trace, within the limits in `allowed`; the exit code.

    `tell` must do nothing by halves: if it reaches a limit, it is called once more to tell that. What cannot be written
    raises OutputLost; all else that may happen is told.
    """
    from ..explain.report import infer_module
    from ..infer.results.result import unknown

    if name.endswith(".onnx"):
        from ..frontend import from_onnx  # noqa: F401  (what is imported does not count against the limits)
    else:
        from ..text import parse  # noqa: F401
    shown = shown_name(name)
    started = time.perf_counter()

    def told(result: Result) -> int:
        seconds = time.perf_counter() - started
        found = Inferred(shown, result, None, exit_code(result), seconds)
        tell(found)
        return found.code

    def told_within(result: Result) -> int:
        if result.reached is not None:
            return last_words(lambda: told(result), result.reached)
        return governed(lambda: told(result))

    try:
        with limits(**allowed):
            try:
                module = governed(lambda: read_program(name, prelude))
                with Progress(shown) as progress:
                    result = trace.recording(infer_module)(module, rules, closed, progress.advance)
                code = told_within(result)
            except LimitReached as reached:
                code = told_within(unknown(reached))
            return trace.write(shown, code)
    except LimitReached as reached:  # what was found until then is too much to tell
        return trace.write(shown, told(unknown(reached)))
    except OutputLost:
        raise
    except (RelayLogicError, BadInput) as problem:
        tell(Inferred(shown, None, problem, BAD_INPUT))
        return BAD_INPUT
    except Exception as problem:
        code = crashed(problem, shown)
        assert code == INTERNAL_ERROR
        tell(Inferred(shown, None, problem, code))
        return code


def not_begun(name: str, reached: LimitReached, tell: Callable[[Inferred], None]) -> int:
    """Tell of a file that a limit was reached before it was looked at, while rules were loaded; the exit code."""
    from ..infer.results.result import unknown

    tell(Inferred(shown_name(name), unknown(reached), None, UNDECIDED))
    return UNDECIDED
