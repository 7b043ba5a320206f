"""The relations of the shipped rule base by name, for scripts and notebooks.

    >>> from kanren import run, var
    >>> from relaylogic.rules import Identity
    >>> from relaylogic.types import TensorType
    >>> result = var()
    >>> run(0, result, Identity(TensorType((2, 3)), result))
    (Tensor[(2, 3), float32],)

A relation called on terms (inputs first, the result last, then the attributes if it has any) is a kanren goal. The rule
base is loaded when the first name is asked for.
"""

from __future__ import annotations

import sys
from dis import opmap
from types import FrameType

from .rulebase import Relation, RuleError, default_rules


def __getattr__(name: str) -> Relation:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return default_rules().relation(name)
    except RuleError as problem:
        kind = ImportError if _imports(sys._getframe(1)) else AttributeError
        raise kind(str(problem)) from None


def _imports(frame: FrameType) -> bool:
    """Whether a frame is at a `from ... import`, which says nothing of why a name is missing unless we do."""
    return frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


def __dir__() -> list[str]:
    return sorted(default_rules().relations)
