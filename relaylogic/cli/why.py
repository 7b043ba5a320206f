"""`relaylogic why FILE PLACE`: why an expression has its type."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import RelayLogicError
from ..host.governor import NAMES, LimitReached, afford_text, governed, limits
from .ending import REFUTED, TYPED, UNDECIDED, BadInput
from .inputs import read_program, shown_name
from .limits import limit_options, taken
from .options import FORMAT, PRELUDE, PYTHON_RULES, RULES, rules_of
from .output import complain, say

if TYPE_CHECKING:
    from ..infer.results.reasons import Why

__all__ = ["why"]

Told = TypeVar("Told")
_encoded = json.JSONEncoder(ensure_ascii=False).encode

_PLACE = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")


@click.command()
@click.argument("file")
@click.argument("place", metavar="PLACE")
@click.option(
    "--part", default="", metavar="PART", help="Of the type only: shape[1], dtype, rank, .0.dtype, args[0], result."
)
@click.option("--thorough", is_flag=True, help="Look for the fewest places for up to a minute.")
@RULES
@PYTHON_RULES
@FORMAT
@PRELUDE
@limit_options("The most steps of search.")
def why(
    file: str,
    place: str,
    part: str,
    thorough: bool,
    rule_folders: tuple[Path, ...],
    python_rules: bool,
    form: str,
    prelude: bool,
    **options: Any,
) -> int:
    """Say why an expression has its type: the fewest places of the text that force it, and its derivation.

    PLACE is LINE:COL, or the name of a variable, of a graph binding or of a function: %w, %0, @main, or @main:%w. `-`
    reads standard input.

    If what stands there is refused, that is said, and the exit code is 1; elsewhere it is 0, though the rest of the
    program may be refuted.
    """
    from ..explain.report import infer_module

    allowed = taken(options)
    name = shown_name(file)

    def told() -> tuple[list[str], int]:
        module = read_program(file, prelude)
        expr = _found(module, place)
        answer = infer_module(module, rules, recorded=True).whole().why(expr, part, patient=True, thorough=thorough)
        return _paid(_lines(answer, name, form, thorough)), REFUTED if answer.refused else TYPED

    try:
        rules = rules_of(rule_folders, python_rules, allowed)
        with limits(**allowed):
            lines, code = governed(lambda: _of_file(name, told))
    except LimitReached as reached:
        if form == "json":
            say(_encoded(_unknown(reached, name)))
        complain(f"{name}: {reached}")
        return UNDECIDED
    for line in lines:
        say(line, paid=True)
    return code


def _of_file(name: str, work: Callable[[], Told]) -> Told:
    """What `work` gives. Raises BadInput for what is wrong with the file, by its name; LimitReached."""
    try:
        return work()
    except LimitReached:
        raise
    except RelayLogicError as problem:
        raise BadInput(str(problem) if problem.span is not None else f"{name}: {problem}") from None


def _lines(answer: Why, name: str, form: str, thorough: bool) -> list[str]:
    """The lines that tell an answer."""
    from ..explain.why.text import why_text

    if form == "json":
        return [_encoded({"file": name, **answer.to_dict()})]
    return list(why_text(answer, "" if thorough else "--thorough"))


def _paid(lines: list[str]) -> list[str]:
    for line in lines:
        afford_text(len(line) + 1)
    return lines


def _unknown(reached: LimitReached, name: str) -> dict[str, Any]:
    """What JSON says where a limit was reached before there was an answer."""
    from ..infer.results.reasons import WHY_VERSION

    known = {"limit": reached.value, "message": reached.message, "help": reached.help}
    return {"version": WHY_VERSION, "file": name, "status": f"unknown: {NAMES[reached.limit]}", **known}


def _found(module: Any, place: str) -> Any:
    """The expression at a place, or of a name. Raises RelayLogicError."""
    from ..explain.places.whereabouts import found_at, found_by_name

    at = _PLACE.fullmatch(place)
    return found_by_name(module, place) if at is None else found_at(module, int(at[1]), int(at[2]))
