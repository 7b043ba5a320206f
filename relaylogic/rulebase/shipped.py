"""The shipped rules, and rule bases that begin with them."""

from __future__ import annotations

from contextlib import suppress
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING

from ..logic.terms.mistakes import RuleError
from .base import RuleBase
from .recipe import rules_folder
from .specialised.store import origin_of

if TYPE_CHECKING:
    from ..ir import IRModule

__all__ = ["default_rules", "default_rules_loaded", "is_default", "load_rules"]

FIRST_COMPONENTS = 4
"""The projections of so many are there from the start: most networks take some of what they normalise or split."""

MAKERS = ("constructor_relation", "pattern_relation", "projection_relation")
"""What makes the relations of data types and tuples. No program is typed without."""


def load_rules(*paths: str | PathLike[str], python: bool = False, program: IRModule | None = None) -> RuleBase:
    """A rule base of its own: the shipped rules and those of `paths`, later ones winning.

    A path is that of a folder of rule files or of a file of clauses (`*.rel`). Files in Python may do anything: those
    of folders run only with `python`. With `program`, the relations of its data types and tuples are there too, and
    the files of `paths` may speak of them. Raises what `RuleBase.load` raises, and RuleError if the shipped rules have
    been changed and do not say how these relations are made.
    """
    base = RuleBase()
    folder = rules_folder()
    base.load(folder, python=True)
    missing = [f"`{name}`" for name in MAKERS if name not in base.makers]
    if missing:
        problem = f"{folder}: no rule file that was loaded makes relations by {', '.join(missing)}"
        raise RuleError(problem, None, tuple(base.notes))
    with suppress(OSError):
        base.compiled.kept_for(origin_of(folder), folder)
    for index in range(FIRST_COMPONENTS):
        base.projection(index)
    if program is not None:
        from .program import ProgramRules

        base = ProgramRules(base, program)
    for path in paths:
        base.load(path, python=python)
    return base


_default: list[RuleBase] = []
_default_lock = Lock()


def default_rules_loaded() -> bool:
    """Whether somebody has asked for the shipped rule base."""
    return bool(_default)


def is_default(rules: RuleBase) -> bool:
    """Whether this is the shipped rule base of the process."""
    return rules in _default


def default_rules() -> RuleBase:
    """The shipped rule base, loaded once for the process, by whichever thread asks first."""
    if not _default:
        with _default_lock:
            if not _default:
                _default.append(load_rules())
    return _default[0]
