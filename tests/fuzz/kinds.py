"""What a kind of input needs to be fuzzed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

__all__ = ["Case", "Kind", "all_kinds"]

Case = str | bytes


class Kind(NamedTuple):
    """A kind of cases.

    `make` writes one; `check` demands all invariants of it (the costly ones too if it is told to be `thorough`) and
    says how it ended ("typed", "parse error" ...); `summary` is what must not depend on hash seeds, order and threads;
    `shorter` gives smaller cases. With `own_limits`, cases set
    their limits themselves, and none is set around them.
    """

    name: str
    suffix: str
    make: Callable[[Random], Case]
    check: Callable[[Case, bool], str]
    summary: Callable[[Case], str]
    shorter: Callable[[Case], Iterator[Case]]
    own_limits: bool = False


def all_kinds() -> dict[str, Kind]:
    """The kinds by name. That of ONNX models is left out where the package onnx is not installed."""
    from .api_calls import API
    from .clause_queries import CLAUSES
    from .commands import COMMANDS
    from .relay_texts import TEXT
    from .rule_files import RULES
    from .top_levels import TOP_LEVELS

    kinds = [TEXT, CLAUSES, RULES, API, COMMANDS, TOP_LEVELS]
    try:
        from .onnx_models import ONNX
    except ImportError as missing:
        if missing.name not in ("onnx", "numpy"):
            raise
    else:
        kinds.append(ONNX)
    return {kind.name: kind for kind in kinds}
