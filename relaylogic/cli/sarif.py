"""`relaylogic infer --format sarif`: one log for all files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..host.governor import governed, limits
from .inferring import Inferred
from .output import say

if TYPE_CHECKING:
    from ..rulebase import RuleBase

__all__ = ["infer_sarif"]


def infer_sarif(rules: RuleBase, each: Callable[[Callable[[Inferred], None]], int], output: int | None) -> int:
    """Print the log of what `each` tells of every file, at most `output` characters; the exit code.

    What could not be worked on is said to standard error, too.
    """
    from ..explain.sarif import SarifLog

    log = SarifLog(rules)

    def tell(found: Inferred) -> None:
        if found.result is not None:
            log.add(found.name, found.result)
        elif found.problem is not None:
            log.fail(found.name, found.problem)
        found.complain()

    code = each(tell)
    with limits(output=output):
        say(governed(partial(log.to_json, code)))
    return code
