"""The shipped rules, which everybody shares."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Any

from ..logic.terms.mistakes import RuleError
from .base import RuleBase
from .recipe import Recipe, arrived, recipe_of, rules_folder
from .specialised.store import origin_of

__all__ = ["default_rules", "default_rules_loaded", "is_default", "pickled", "shipped_rules"]

FIRST_COMPONENTS = 4
"""The projections of so many are there from the start: most networks take some of what they normalise or split."""

MAKERS = ("constructor_relation", "pattern_relation", "projection_relation")
"""What makes the relations of data types and tuples. No program is typed without."""


def shipped_rules() -> RuleBase:
    """A rule base of its own with the shipped rules.

    Raises RuleError if they have been changed and do not say how the relations of data types and tuples are made.
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
                _default.append(shipped_rules())
    return _default[0]


def pickled(rules: RuleBase) -> tuple[Any, ...]:
    """What pickle is to do with a rule base."""
    return (_arrived, (is_default(rules), recipe_of(rules)))


def _arrived(default: bool, recipe: Recipe) -> RuleBase:
    """The rule base that was pickled in another process. Raises RuleError if it cannot be had here."""
    return arrived(recipe, RuleBase, default_rules() if default else None)
