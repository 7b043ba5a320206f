"""`relaylogic infer --trace FILE`: the steps of inferences, one JSON object a line.

The steps of each program come after a line with the version of this form, the version of relaylogic and the program's
file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..host.files import is_same
from ..host.governor import LimitReached, afford_text, governed, last_words
from ..host.version import VERSION
from .ending import UNDECIDED, BadInput
from .output import complain
from .writing import WholeFile

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = ["TraceFile"]

_encoded = json.JSONEncoder(ensure_ascii=False).encode


class TraceFile:
    """A file that steps are written to, whole or not at all; or none if `path` is None.

    It is opened at once: raises BadInput if that cannot be, or if it is one of the programs or standard output.
    """

    def __init__(self, path: Path | None, programs: tuple[str, ...] = ()) -> None:
        self._stream: WholeFile | None = None
        self._results: list[Result] = []
        if path is None:
            return
        if str(path) == "-":
            raise BadInput("the trace is written to a file: standard output is for what is inferred", "-")
        if any(is_same(path, name) for name in programs):
            raise BadInput("the trace would overwrite this program", path)
        self._stream = WholeFile(path, "surrogateescape")

    def __enter__(self) -> TraceFile:
        return self

    def __exit__(self, *raised: Any) -> None:
        if self._stream is not None:
            self._stream.__exit__(*raised)

    def recording(self, infer: Callable[..., Result]) -> Callable[..., Result]:
        """`infer_module`, with its result kept to be written, if there is a file to write it to."""
        if self._stream is None:
            return infer

        def inferred(*arguments: Any) -> Result:
            self._results.append(infer(*arguments, recorded=True))
            return self._results[-1]

        return inferred

    def write(self, name: str, code: int) -> int:
        """Write the steps of the program that was inferred last; `code` is its exit code until then, and given back.

        If a limit is reached that is said, and the code is that of what is undecided. Raises OutputLost.
        """
        while self._results:
            result = self._results.pop()
            try:
                if result.reached is None:
                    governed(lambda: self._write(result, name))  # noqa: B023
                else:
                    last_words(lambda: self._write(result, name), result.reached)  # noqa: B023
            except LimitReached as reached:
                complain(f"{name}: the trace is not whole: {reached}")
                return UNDECIDED
        return code

    def _write(self, result: Result, name: str) -> None:
        assert self._stream is not None
        for line in _lines(result, name):
            afford_text(len(line) + 1)
            self._stream.write(f"{line}\n")


def _lines(result: Result, name: str) -> Iterator[str]:
    from ..infer.results.steps import TRACE_VERSION

    yield _encoded({"version": TRACE_VERSION, "relaylogic": VERSION, "file": name, "verdict": result.verdict})
    for step in result.trace:
        yield _encoded(step.to_dict())
