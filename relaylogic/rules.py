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

from .host.importing import missing
from .rulebase import Relation, RuleError, default_rules


def __getattr__(name: str) -> Relation:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return default_rules().relation(name)
    except RuleError as problem:
        raise missing(AttributeError(str(problem))) from None


def __dir__() -> list[str]:
    return sorted(default_rules().relations)
