"""The command line. Nothing else in the package prints.

Exit codes: 0 everything is typed, 1 something is refuted, 2 bad input or usage, 3 something is incomplete or unknown,
130 interrupted.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import RelayLogicError

if TYPE_CHECKING:
    from .infer.result import Result
    from .rulebase import RuleBase

__all__ = ["main"]

TYPED, REFUTED, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

RULES = click.option(
    "--rules",
    "rule_folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Load the rule files of this folder too; may be repeated, later ones win.",
)


class BadInput(click.ClickException):
    """Input that cannot be worked on; the message is printed as it is."""

    exit_code = BAD_INPUT

    def show(self, file: Any = None) -> None:
        """Write the message to standard error."""
        click.echo(self.message, err=True)


def load_rule_base(folders: tuple[Path, ...]) -> RuleBase:
    """The shipped rules and those of `folders`; what the loader has to say goes to standard error."""
    from .rulebase import default_rules, load_rules

    try:
        rules = load_rules(*folders) if folders else default_rules()
    except RelayLogicError as problem:
        raise BadInput(str(problem)) from problem
    for note in rules.notes:
        click.echo(f"note: {note}", err=True)
    return rules


def read_source(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises BadInput if there is none, or it is not text."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except IsADirectoryError:
        raise BadInput(f"{name}: error: this is a directory; name the files in it") from None
    except OSError as problem:
        raise BadInput(f"{name}: error: cannot be read: {problem.strerror or problem}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        place = f"byte {problem.start} (0x{data[problem.start]:02x})"
        raise BadInput(f"{name}: error: this is no text: {place} is not UTF-8") from None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="relaylogic")
def main() -> None:
    """Infer, refute and enumerate the types of Relay programs by logic programming."""


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@RULES
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="What to print.")
@click.option("--closed", is_flag=True, help="Demand closed types, as TVM does, instead of generalising.")
@click.option("--prelude", is_flag=True, help="Make the prelude's definitions available.")
@click.option("--quiet", is_flag=True, help="Print errors and the summary line only.")
def infer(files: tuple[str, ...], rule_folders: tuple[Path, ...], form: str, closed: bool, prelude: bool, quiet: bool) -> None:
    """Infer the types of programs in Relay text; `-` reads standard input."""
    rules = load_rule_base(rule_folders)
    code = TYPED
    for name in files:
        code = _worse(code, _infer_file(name, rules, form, closed, prelude, quiet))
    sys.exit(code)


def _worse(first: int, second: int) -> int:
    order = [TYPED, UNDECIDED, REFUTED, BAD_INPUT]
    return max(first, second, key=order.index)


def _infer_file(name: str, rules: RuleBase, form: str, closed: bool, prelude: bool, quiet: bool) -> int:
    from .infer.result import Problem, Result
    from .text import parse

    shown = "<stdin>" if name == "-" else name
    started = time.perf_counter()
    try:
        text = read_source(name)
        if prelude:
            text = _with_prelude(text)
        module = parse(text, shown)
    except (RelayLogicError, BadInput) as problem:
        span = getattr(problem, "span", None)
        if form == "json":
            failed = Result("refuted", {}, [], [Problem(problem.message, span, malformed=True)], [])
            click.echo(failed.to_json(shown))
        click.echo(str(problem) if isinstance(problem, RelayLogicError) else problem.message, err=True)
        return BAD_INPUT
    with _Progress(shown) as progress:
        from .infer.program import infer_module

        result = infer_module(module, rules, closed, progress.advance)
    elapsed = time.perf_counter() - started
    if form == "json":
        click.echo(result.to_json(shown))
    else:
        _print_result(result, shown, quiet, elapsed)
    return _exit_code(result)


def _with_prelude(text: str) -> str:
    """The program with the prelude imported, on its first line so that no place moves."""
    return 'import "prelude" ' + text if not text.lstrip().startswith("#[version") else text.replace("]", '] import "prelude"', 1)


def _exit_code(result: Result) -> int:
    if any(error.malformed for error in result.errors):
        return BAD_INPUT
    return {"typed": TYPED, "refuted": REFUTED}.get(result.verdict, UNDECIDED)


def _print_result(result: Result, name: str, quiet: bool, elapsed: float) -> None:
    from .explain.render import render_problem, render_residue, render_warning
    from .text import astext

    if not quiet:
        click.echo(astext(result.module, show_types=result.type_of))
        for place, message in result.warnings:
            click.echo(render_warning(message, place), err=True)
    for error in result.errors:
        click.echo(render_problem(error), err=True)
    if not quiet:
        for item in result.residue:
            click.echo(render_residue(item), err=True)
    calls, functions = len(result.calls), len(result.functions)
    click.echo(
        f"{name}: {result.verdict}, {calls} call{'s' * (calls != 1)}, "
        f"{functions} function{'s' * (functions != 1)}, {elapsed:.3f} s"
    )


class _Progress:
    """A progress line on a terminal, once the work has taken a second."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.done = 0
        self._started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, calls: int, total: int) -> None:
        """Say that `calls` of `total` calls have been met."""
        if self._bar is None:
            if not sys.stderr.isatty() or time.monotonic() - self._started < 1:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.title, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=calls, total=total)


@main.group()
def rules() -> None:
    """Look at the rule base."""


@rules.command("list")
@RULES
@click.option("--family", help="Only the operators of this file of rules/.")
def list_rules(rule_folders: tuple[Path, ...], family: str | None) -> None:
    """List operators with their inputs and relations, by family."""
    from .explain.rules import list_operators

    base = load_rule_base(rule_folders)
    lines = list_operators(base, family)
    if not lines:
        known = ", ".join(sorted({op.family for op in base.operators.values()}))
        raise BadInput(f"error: there is no family `{family}`; the families are {known}")
    click.echo("\n".join(lines))


@rules.command("show")
@click.argument("name")
@RULES
def show_rule(name: str, rule_folders: tuple[Path, ...]) -> None:
    """Show an operator: signature, attributes, the clauses of its relation and where they stand, an example."""
    from .explain.rules import describe

    try:
        click.echo(describe(load_rule_base(rule_folders), name))
    except RelayLogicError as problem:
        raise BadInput(str(problem)) from problem
