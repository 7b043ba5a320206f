"""The command line. Nothing else in the package prints.

Exit codes: 0 everything is typed (there are answers), 1 something is refuted (there are none), 2 bad input or usage,
3 something is incomplete or unknown, 130 interrupted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import RelayLogicError
from .progress import Progress, count_found

if TYPE_CHECKING:
    from .infer.result import Result
    from .ir import IRModule
    from .rulebase import RuleBase

__all__ = ["main"]

TYPED, REFUTED, BAD_INPUT, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130

Command = Callable[..., Any]

RULES = click.option(
    "--rules",
    "rule_folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Load the rule files of this folder too; may be repeated, later ones win.",
)
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="What to print.")
PRELUDE = click.option("--prelude", is_flag=True, help="Make the prelude's definitions available.")


class BadInput(click.ClickException):
    """Input that cannot be worked on; the message is printed as it is."""

    exit_code = BAD_INPUT

    def show(self, file: Any = None) -> None:
        """Write the message to standard error."""
        click.echo(self.message, err=True)


class Commands(click.Group):
    """Commands of which an error or an interruption ends in a message and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except RelayLogicError as problem:
            raise BadInput(str(problem)) from problem
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def load_rule_base(folders: tuple[Path, ...], own: bool = False) -> RuleBase:
    """The shipped rules and those of `folders`; what the loader has to say goes to standard error.

    With `own`, the rule base may be changed. Raises RuleError if there is no such folder.
    """
    from .rulebase import default_rules, load_rules

    rules = load_rules(*folders) if folders or own else default_rules()
    for note in rules.notes:
        click.echo(f"note: {note}", err=True)
    return rules


def read_source(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises BadInput if there is none, or it is not text."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except IsADirectoryError:
        raise BadInput(f"{name}: error: this is a directory; name the files in it") from None
    except (OSError, ValueError) as problem:
        raise BadInput(f"{name}: error: cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        place = f"byte {problem.start} (0x{data[problem.start]:02x})"
        raise BadInput(f"{_shown(name)}: error: this is no text: {place} is not UTF-8") from None


def read_program(name: str, prelude: bool) -> IRModule:
    """The program in a file, an ONNX model too, or on standard input for `-`. Raises BadInput, RelayLogicError."""
    if name.endswith(".onnx"):
        from .frontend import from_onnx

        if not Path(name).is_file():
            raise BadInput(f"{name}: error: cannot be read: there is no such file")
        return from_onnx(name)
    from .text import parse

    text = read_source(name)
    return parse(_with_prelude(text) if prelude else text, _shown(name))


def _shown(name: str) -> str:
    return "<stdin>" if name == "-" else name


def _with_prelude(text: str) -> str:
    """The program with the prelude imported, on its first line so that no place moves."""
    if text.lstrip().startswith("#[version"):
        return text.replace("]", '] import "prelude"', 1)
    return 'import "prelude" ' + text


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="relaylogic")
def main() -> None:
    """Infer, refute and enumerate the types of Relay programs by logic programming."""


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@RULES
@FORMAT
@PRELUDE
@click.option("--closed", is_flag=True, help="Demand closed types, as TVM does, instead of generalising.")
@click.option("--quiet", is_flag=True, help="Print errors and the summary line only.")
def infer(
    files: tuple[str, ...], rule_folders: tuple[Path, ...], form: str, prelude: bool, closed: bool, quiet: bool
) -> None:
    """Infer the types of programs in Relay text, or of ONNX models; `-` reads standard input."""
    rules = load_rule_base(rule_folders)
    order = [TYPED, UNDECIDED, REFUTED, BAD_INPUT]
    codes = [_infer_file(name, rules, form, closed, prelude, quiet) for name in files]
    sys.exit(max(codes, key=order.index))


def _infer_file(name: str, rules: RuleBase, form: str, closed: bool, prelude: bool, quiet: bool) -> int:
    from .explain.report import infer_module
    from .infer.result import Problem, Result

    shown = _shown(name)
    started = time.perf_counter()
    try:
        module = read_program(name, prelude)
        with Progress(shown) as progress:
            result = infer_module(module, rules, closed, progress.advance)
    except (RelayLogicError, BadInput) as problem:
        if form == "json":
            span = getattr(problem, "span", None)
            failed = Result("refuted", {}, [], [Problem(problem.message, span, malformed=True)], [])
            click.echo(failed.to_json(shown))
        click.echo(str(problem) if isinstance(problem, RelayLogicError) else problem.message, err=True)
        return BAD_INPUT
    elapsed = time.perf_counter() - started
    if form == "json":
        click.echo(result.to_json(shown))
    else:
        _print_result(result, shown, quiet, elapsed)
    if any(error.malformed for error in result.errors):
        return BAD_INPUT
    return {"typed": TYPED, "refuted": REFUTED}.get(result.verdict, UNDECIDED)


def _print_result(result: Result, name: str, quiet: bool, elapsed: float) -> None:
    if not quiet:
        from .explain.brief import brief
        from .text import astext

        click.echo(astext(result.module, show_types=brief(result.module, result.type_of)))
    for message in _messages(result, quiet):
        click.echo(message, err=True)
    calls, functions = len(result.calls), len(result.functions)
    click.echo(
        f"{name}: {result.verdict}, {calls} call{'s' * (calls != 1)}, "
        f"{functions} function{'s' * (functions != 1)}, {elapsed:.3f} s"
    )


def _messages(result: Result, quiet: bool) -> Iterator[str]:
    """What is to be said of a program: what is wrong with it and, unless `quiet`, what is doubtful and undecided."""
    if not (result.errors or result.warnings or result.residue):
        return
    from .explain.render import render_problem, render_residue, render_warning

    if not quiet:
        yield from (render_warning(message, place) for place, message in result.warnings)
    yield from map(render_problem, result.errors)
    if not quiet:
        yield from map(render_residue, result.residue)


def _enumeration(command: Command) -> Command:
    """The options of commands that list answers."""
    options = [
        RULES,
        FORMAT,
        click.option("-n", "number", type=click.IntRange(min=1), default=10, help="How many answers (10)."),
        click.option("--all", "every", is_flag=True, help="All answers."),
        click.option("--count", is_flag=True, help="The number of answers instead of the answers."),
        click.option("--max-rank", type=click.IntRange(min=0), help="The highest rank of a tensor."),
        click.option("--max-arity", type=click.IntRange(min=0), help="The most fields of a tuple of unknown arity."),
        click.option("--max-dim", type=click.IntRange(min=0), help="The largest extent."),
        click.option("--min-dim", type=click.IntRange(min=0), default=1, help="The smallest extent (1)."),
        click.option("--dtypes", help="The dtypes, separated by commas."),
        click.option("--ground", is_flag=True, help="Only answers without variables."),
        click.option("--steps", type=click.IntRange(min=1), help="The budget of steps for each answer."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _bounds(options: dict[str, Any]) -> dict[str, Any]:
    """What `_enumeration` reads, as `relaylogic.typings.commands` takes it."""
    dtypes = options.pop("dtypes")
    if dtypes is not None:
        options["dtypes"] = tuple(name.strip() for name in dtypes.split(",") if name.strip())
    if options["steps"] is None:
        del options["steps"]
    options["number"] = None if options.pop("every") else options["number"]
    options["as_json"] = options.pop("form") == "json"
    return {"rules": load_rule_base(options.pop("rule_folders")), "progress": count_found, **options}


@main.command()
@click.argument("text", metavar="QUERY")
@_enumeration
def query(text: str, **options: Any) -> None:
    """List the answers to a query in clause notation: 'Broadcast(A, B, Tensor[(5, 3), float32])'."""
    from .typings.commands import run_query

    sys.exit(run_query(text, click.echo, **_bounds(options)))


@main.command()
@click.argument("file")
@PRELUDE
@click.option("--annotated", is_flag=True, help="Print the program with its types for each typing.")
@_enumeration
def typings(file: str, prelude: bool, annotated: bool, **options: Any) -> None:
    """List the assignments of types to the holes of a program that satisfy every call; `-` reads standard input."""
    from .typings.commands import run_typings

    program = read_program(file, prelude)
    sys.exit(run_typings(program, click.echo, annotated=annotated, **_bounds(options)))


@main.command()
@RULES
def repl(rule_folders: tuple[Path, ...]) -> None:
    """Ask queries, one by one: `;` gives the next answer, `:help` lists the commands."""
    from .typings.repl import Session, run

    history = Path(click.get_app_dir("relaylogic")) / "history"
    history.parent.mkdir(parents=True, exist_ok=True)
    session = Session(rule_folders)
    for note in session.rules.notes:
        click.echo(f"note: {note}", err=True)
    sys.exit(run(session, click.echo, history))


@main.group()
def rules() -> None:
    """Look at the rule base; check relations of your own."""


@rules.command("list")
@RULES
@click.option("--family", help="Only the operators of this file of rules.")
def list_rules(rule_folders: tuple[Path, ...], family: str | None) -> None:
    """List operators with their inputs and relations, by family."""
    from .explain.rules import list_operators

    click.echo("\n".join(list_operators(load_rule_base(rule_folders), family)))


@rules.command("show")
@click.argument("name")
@RULES
def show_rule(name: str, rule_folders: tuple[Path, ...]) -> None:
    """Show an operator: signature, attributes, the clauses of its relation and where they stand, an example."""
    from .explain.rules import describe

    click.echo(describe(load_rule_base(rule_folders), name))


@rules.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@RULES
@click.option("--samples", type=click.IntRange(min=1), default=4, help="How many calls of each kind to start from (4).")
@click.option("--max-rank", type=click.IntRange(min=0), default=3, help="The highest rank of a tensor (3).")
def check_rules(file: Path, rule_folders: tuple[Path, ...], samples: int, max_rank: int) -> None:
    """Check the relations of a file of clauses: do their answers agree with brute force in a small universe?"""
    from .typings.commands import check_file

    read_source(str(file))
    sys.exit(check_file(file, load_rule_base(rule_folders, own=True), click.echo, samples=samples, max_rank=max_rank))
