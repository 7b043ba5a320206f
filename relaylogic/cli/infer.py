"""`relaylogic infer FILE...`: what became of each program, as text, JSON or SARIF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import on_one_line, several
from ..host.governor import NAMES, afford_text
from .ending import BadInput, worst
from .inferring import Inferred, inferred, not_begun
from .limits import limit_options, taken
from .options import PRELUDE, PYTHON_RULES, RULES, rules_or_limit
from .output import complain, say
from .tracing import TraceFile

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = ["infer"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@RULES
@PYTHON_RULES
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    help="What to print; one log for SARIF.",
)
@PRELUDE
@click.option("--closed", is_flag=True, help="Demand closed types, as TVM does, instead of generalising.")
@click.option("--quiet", is_flag=True, help="Print errors and the summary line only.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write each step of the inference to this file, as JSON, one object a line.",
)
@limit_options("The most steps of search, for each file.", "file")
def infer(
    files: tuple[str, ...],
    rule_folders: tuple[Path, ...],
    python_rules: bool,
    form: str,
    prelude: bool,
    closed: bool,
    quiet: bool,
    trace: Path | None,
    **options: Any,
) -> int:
    """Infer the types of programs in Relay text, or of ONNX models; `-` reads standard input."""
    if files.count("-") > 1:
        raise click.UsageError("standard input can be read once: `-` is one of the files, not several")
    allowed = taken(options)
    rules, reached = rules_or_limit(rule_folders, python_rules, allowed)
    with TraceFile(trace, files) as steps:

        def each(tell: Callable[[Inferred], None]) -> int:
            if reached is not None:
                return worst([not_begun(name, reached, tell) for name in files])
            return worst([inferred(name, rules, closed, prelude, allowed, tell, steps) for name in files])

        if form == "sarif":
            from .sarif import infer_sarif

            return infer_sarif(rules, each, allowed["output"])
        return each(_tell_json if form == "json" else _tell_briefly if quiet else _tell)


def _tell(found: Inferred) -> None:
    """The program with its types, and all that is to be said of it."""
    _print(found, quiet=False)


def _tell_briefly(found: Inferred) -> None:
    """What is wrong with a program, and the summary line."""
    _print(found, quiet=True)


def _print(found: Inferred, quiet: bool) -> None:
    result = found.result
    if result is None:
        found.complain()
        return
    # What is printed is worked out and paid for before, all of it: a limit may be reached until then.
    program = None if quiet or found.reached else _program(result)  # whoever writes a program pays for it
    types = [] if quiet or not found.reached else list(_types_so_far(result))
    messages = [] if found.reached else list(_messages(result, quiet))
    summary = _summary(found, result)
    if program is not None:  # a comment, so that what is printed can be read again
        summary = f"// {' '.join(summary.splitlines())}"
    for text in (*types, *messages, summary):
        afford_text(len(text) + 1)
    for text in types if program is None else [program]:
        say(text, paid=True)
    for text in messages:
        complain(text)
    say(summary, paid=True)
    found.complain()


def _tell_json(found: Inferred) -> None:
    """The result as an object of JSON; a file that cannot be worked on is refuted, by what is wrong with it."""
    result = found.result
    if result is not None:
        say(result.to_json(found.name), paid=True)
    elif found.said:
        from ..infer.results.result import Problem
        from ..infer.results.result import Result as Failed

        problem: Any = found.problem
        reason = problem.reason if isinstance(problem, BadInput) else problem.message
        why = Problem(reason, getattr(problem, "span", None), malformed=True)
        say(Failed("refuted", {}, [], [why], []).to_json(found.name))
    found.complain()


def _program(result: Result) -> str:
    from ..explain.brief import brief
    from ..text import astext

    return astext(result.module, brief(result.module, result.type_of), result.is_assumed)


def _types_so_far(result: Result) -> Iterator[str]:
    """The types of the functions that were done when a limit was reached."""
    from ..types import show_type

    return (f"@{function}: {show_type(type_)}" for function, type_ in result.functions.items())


def _summary(found: Inferred, result: Result) -> str:
    calls, functions = len(result.calls), len(result.functions)
    if found.reached is not None:
        limit = NAMES[found.reached.limit]
        return f"{on_one_line(found.name)}: unknown: {limit}, {calls} calls, {functions} functions until then"
    return (
        f"{on_one_line(found.name)}: {result.verdict}, {several(calls, 'call')}, "
        f"{several(functions, 'function')}, {found.seconds:.3f} s"
    )


def _messages(result: Result, quiet: bool) -> Iterator[str]:
    """What is to be said of a program: what is wrong with it and, unless `quiet`, what is doubtful and undecided."""
    if not (result.errors or result.warnings or result.residue):
        return
    from ..explain.render import render_problem, render_residue, render_warning

    if not quiet:
        yield from (render_warning(message, place) for place, message in result.warnings)
    yield from map(render_problem, result.errors)
    if not quiet:
        yield from map(render_residue, result.residue)
