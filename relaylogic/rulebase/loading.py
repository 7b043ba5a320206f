"""Rule bases that begin with the shipped rules."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from .base import RuleBase
from .program import ProgramRules
from .shipped import shipped_rules

if TYPE_CHECKING:
    from ..ir import IRModule

__all__ = ["load_rules"]


def load_rules(*paths: str | PathLike[str], python: bool = False, program: IRModule | None = None) -> RuleBase:
    """A rule base of its own: the shipped rules and those of `paths`, later ones winning.

    A path is that of a folder of rule files or of a file of clauses (`*.rel`). Files in Python may do anything: those
    of folders run only with `python`. With `program`, the relations of its data types and tuples are there too, and
    the files of `paths` may speak of them. Raises what `RuleBase.load` raises, and RuleError if the shipped rules have
    been changed and do not say how these relations are made.
    """
    shipped = shipped_rules()
    base = shipped if program is None else ProgramRules(shipped, program)
    for path in paths:
        base.load(path, python=python)
    return base
