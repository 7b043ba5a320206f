"""What goes wrong in a rule's own Python, which is told as an error about the rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath
from traceback import walk_tb
from typing import Any, NoReturn

from ...errors import RelayLogicError
from ...host.governor import LimitReached
from ..control import StepLimit
from .look import Look

__all__ = ["MISTAKES", "RuleError", "blame", "is_mistake", "misasked"]

MISTAKES = (Exception, SystemExit)
"""What a rule's own Python may raise: of these, `is_mistake` says which are its faults."""


class RuleError(RelayLogicError):
    """A rule file that cannot be loaded, one that contradicts what is loaded, or a rule that cannot be asked."""


class TooDeep(RecursionError):
    """The stack has ended in the engine, and not in a rule's own Python."""


_OPEN = re.compile(r"'(Variable|Var|Cons|Arith)'")
"""How Python names what has no value yet, in a TypeError: a rule used it as if it had one."""
_GOALS = (
    "what is not known yet has no value: goals of `relaylogic.logic` say what holds of it, such as "
    "`equals(n, times(2, k))`, `leo(n, m)`, `lengtho(shape, n)`",
)

_PASSED_ON = (LimitReached, Look, MemoryError, RuleError, StepLimit, TooDeep)
_ANYBODYS = (AssertionError, RecursionError)


def is_mistake(problem: BaseException, rule: Callable[..., Any] | None = None) -> bool:
    """Whether one of `MISTAKES`, which came up when something was asked, is a fault of the rule.

    What the engine tells itself is not. An assertion that fails, and recursion without an end, are if they came up in
    the file of the function `rule`: the engine's own are shown as what they are.
    """
    if isinstance(problem, _ANYBODYS) and type(problem) is not TooDeep:
        code = getattr(rule, "__code__", None)
        files = [frame.f_code.co_filename for frame, _ in walk_tb(problem.__traceback__)]
        return code is not None and files[-1:] == [code.co_filename]
    return not isinstance(problem, _PASSED_ON)


def blame(name: str, problem: BaseException, rule: Callable[..., Any] | None = None, clause: str = "") -> NoReturn:
    """Raise one of `MISTAKES`: as an error about the rule (`misasked`) if it is a fault of it."""
    if not is_mistake(problem, rule):
        if type(problem) is RecursionError:
            raise TooDeep(*problem.args) from None  # its traceback is not gone through again at each level
        raise problem
    raise misasked(name, problem, rule, clause) from problem


def misasked(name: str, problem: BaseException, rule: Callable[..., Any] | None = None, clause: str = "") -> RuleError:
    """One of `MISTAKES` as an error about the relation, or the part of one, of that name.

    `rule` is the function of the rule in which it came up: its file is named, with the line that raised.
    """
    reason = _reason(problem)
    code = getattr(rule, "__code__", None)
    if code is not None:
        lines = [line for frame, line in walk_tb(problem.__traceback__) if frame.f_code.co_filename == code.co_filename]
        place = f"{'/'.join(PurePath(code.co_filename).parts[-2:])}:{lines[-1] if lines else code.co_firstlineno}"
        reason += f"; {f'clause `{clause}`, ' if clause else ''}{place}"
    hints = _GOALS if isinstance(problem, TypeError) and _OPEN.search(reason) else ()
    return RuleError(f"relation `{name}` cannot be asked like this ({reason})", None, hints)


def _reason(problem: BaseException) -> str:
    """What an exception says, in one line; its kind if it has no text."""
    try:
        text = " ".join(str(problem).split())
    except Exception:  # an error whose text is the next error
        text = ""
    kind = type(problem).__name__
    return f"{kind}: {text}" if text else kind
