"""`relaylogic why FILE PLACE`: why an expression has its type. For the command line only."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from .command_options import FORMAT, PRELUDE, PYTHON_RULES, RULES, rules_of
from .ending import TYPED, UNDECIDED, BadInput
from .errors import RelayLogicError
from .governor import LimitReached, governed, limits
from .inputs import read_program, shown_name
from .limit_options import limit_options, taken
from .output import complain, say

__all__ = ["why"]

_PLACE = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")


@click.command()
@click.argument("file")
@click.argument("place", metavar="PLACE")
@click.option(
    "--part", default="", metavar="PART", help="Of the type only: shape[1], dtype, rank, .0.dtype, args[0], result."
)
@RULES
@PYTHON_RULES
@FORMAT
@PRELUDE
@limit_options("The most steps of search.")
def why(
    file: str,
    place: str,
    part: str,
    rule_folders: tuple[Path, ...],
    python_rules: bool,
    form: str,
    prelude: bool,
    **options: Any,
) -> int:
    """Say why an expression has its type: the fewest places of the text that force it, and its derivation.

    PLACE is LINE:COL, or the name of a variable or a function: %w, @main, or @main:%w. `-` reads standard input.
    """
    from .explain.report import infer_module

    allowed = taken(options)
    rules = rules_of(rule_folders, python_rules, allowed)
    with limits(**allowed):
        try:
            module = governed(lambda: read_program(file, prelude))
            expr = governed(lambda: _found(module, place))
        except RelayLogicError as problem:
            raise _bad(problem, shown_name(file)) from None
        result = infer_module(module, rules, recorded=True)
        if result.reached is not None:
            complain(f"{shown_name(file)}: {result.reached}")
            return UNDECIDED
        try:
            answer = result.why(expr, part)
        except RelayLogicError as problem:
            raise _bad(problem, shown_name(file)) from None
        if form == "json":
            say(governed(lambda: json.dumps({"file": shown_name(file), **answer.to_dict()}, ensure_ascii=False)))
        else:
            from .explain.why_text import why_text

            for line in governed(lambda: list(why_text(answer))):
                say(line)
    return TYPED


def _found(module: Any, place: str) -> Any:
    """The expression at a place, or of a name. Raises RelayLogicError."""
    from .explain.whereabouts import found_at, found_by_name

    at = _PLACE.fullmatch(place)
    return found_by_name(module, place) if at is None else found_at(module, int(at[1]), int(at[2]))


def _bad(problem: RelayLogicError, name: str) -> Exception:
    """An error as bad input, with the file that it is about; a limit is none."""
    if isinstance(problem, LimitReached):
        return problem
    return BadInput(str(problem) if problem.span is not None else f"{name}: {problem}")
