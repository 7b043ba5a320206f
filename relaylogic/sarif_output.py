"""`relaylogic infer --format sarif`: one log for all files. For the command line only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from .ending import worst
from .governor import governed, limits
from .inferring import Inferred, inferred
from .output import complain, say

if TYPE_CHECKING:
    from .rulebase import RuleBase
    from .tracing import TraceFile

__all__ = ["infer_sarif"]


def infer_sarif(
    files: tuple[str, ...],
    rules: RuleBase,
    closed: bool,
    prelude: bool,
    allowed: dict[str, Any],
    trace: TraceFile,
) -> int:
    """Infer files, print the log and write the trace; the exit code.

    What could not be worked on is said to standard error, too.
    """
    from .explain.sarif import SarifLog

    log = SarifLog(rules)

    def tell(found: Inferred) -> None:
        if found.result is not None:
            log.add(found.name, found.result)
        elif found.problem is not None:
            log.fail(found.name, found.problem)
            if found.said:
                complain(found.said)
        if found.reached is not None:
            complain(f"{found.name}: {found.reached}")

    code = worst([inferred(name, rules, closed, prelude, allowed, tell, trace) for name in files])
    with limits(output=allowed["output"]):
        say(governed(partial(log.to_json, code)))
    return code
