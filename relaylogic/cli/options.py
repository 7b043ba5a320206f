"""The options that several commands have, and the rule base that they name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..host.governor import LimitReached, governed, limits
from .inputs import load_rule_base, read_definitions

if TYPE_CHECKING:
    from ..rulebase import RuleBase

__all__ = ["FORMAT", "PRELUDE", "PROGRAM", "PYTHON_RULES", "RULES", "rules_of", "rules_or_limit"]

RULES = click.option(
    "--rules",
    "rule_folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Load the clauses (*.rel) of this folder, or this file of clauses, too; may be repeated, later ones win.",
)
PYTHON_RULES = click.option(
    "--python-rules",
    is_flag=True,
    help="Run the Python (*.py) of these folders too. It may do anything: run only what you trust.",
)
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="What to print.")
PROGRAM = click.option(
    "--program", metavar="FILE", help="Know the data types of this program: `Cons`, `ConsPattern` are relations."
)
PRELUDE = click.option("--prelude", is_flag=True, help="Make the prelude's definitions available.")


def rules_of(
    folders: tuple[Path, ...],
    python: bool,
    allowed: dict[str, Any],
    own: bool = False,
    program: str | None = None,
    prelude: bool = False,
) -> RuleBase:
    """The rule base; limits hold for files of rules that do not come with the package, and for a program."""
    if not (folders or program or prelude):
        return load_rule_base(folders, python, own)
    with limits(**allowed):
        return governed(lambda: load_rule_base(folders, python, own, read_definitions(program, prelude)))


def rules_or_limit(
    folders: tuple[Path, ...], python: bool, allowed: dict[str, Any]
) -> tuple[RuleBase, LimitReached | None]:
    """The rule base, or the shipped one and the limit that was reached while the others were loaded."""
    try:
        return rules_of(folders, python, allowed), None
    except LimitReached as reached:
        return load_rule_base((), False), reached
