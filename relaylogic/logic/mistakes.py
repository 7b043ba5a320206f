"""What goes wrong in a rule's own Python, which is told as an error about the rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from traceback import walk_tb
from typing import Any

from ..errors import RelayLogicError

__all__ = ["MISTAKES", "RuleError", "misasked"]

MISTAKES = (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)
"""What a rule's own Python raises when it trips over an attribute that it did not expect."""


class RuleError(RelayLogicError):
    """A rule file that cannot be loaded, one that contradicts what is loaded, or a rule that cannot be asked."""


def misasked(name: str, problem: Exception, rule: Callable[..., Any] | None = None, clause: str = "") -> RuleError:
    """One of `MISTAKES` as an error about the relation, or the part of one, of that name.

    `rule` is the function of the rule in which it came up: its file is named, with the line that raised.
    """
    reason = f"{type(problem).__name__}: {problem}"
    code = getattr(rule, "__code__", None)
    if code is not None:
        lines = [line for frame, line in walk_tb(problem.__traceback__) if frame.f_code.co_filename == code.co_filename]
        place = f"{'/'.join(PurePath(code.co_filename).parts[-2:])}:{lines[-1] if lines else code.co_firstlineno}"
        reason += f"; {f'clause `{clause}`, ' if clause else ''}{place}"
    return RuleError(f"relation `{name}` cannot be asked like this ({reason})")
