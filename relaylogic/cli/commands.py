"""The commands; those that are long have files of their own.

How commands end is said in `relaylogic.cli.ending`, how they print in `relaylogic.cli.output`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..errors import RelayLogicError
from ..host.governor import LimitReached, governed, limits
from ..host.version import VERSION
from .ending import UNDECIDED, BadInput, ended
from .infer import infer
from .inputs import history_file, load_rule_base, read_definitions, read_program, read_source
from .limits import limit_options, taken
from .options import FORMAT, PRELUDE, PROGRAM, PYTHON_RULES, RULES, rules_of
from .output import complain, printing, say
from .progress import Counting, count_found
from .report import report
from .schema import schema
from .why import why

__all__ = ["main"]

Command = Callable[..., Any]

_ENUMERATION = ("time", "memory", "output")  # the limits of all answers together; steps are for each answer


class Commands(click.Group):
    """Commands that end as `relaylogic.cli.ending` says, whatever happens."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the command that was asked for and leave the process, unless not `standalone_mode`."""
        command = partial(super().main, *args, standalone_mode=False, **extra)
        if not standalone_mode:
            return command()
        sys.exit(ended(command))

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line; what cannot be printed then (help, the version) raises OutputLost."""
        with printing():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            with printing():
                return super().invoke(ctx)
        except LimitReached as reached:
            complain(f"relaylogic: {reached}")
            return UNDECIDED
        except RelayLogicError as problem:
            raise BadInput(str(problem)) from problem
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line for it


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="relaylogic")
def main() -> None:
    """Infer, refute and enumerate the types of Relay programs by logic programming."""


main.add_command(infer)
main.add_command(schema)
main.add_command(report)


def _dtypes(context: click.Context, option: click.Parameter, given: str | None) -> tuple[str, ...] | None:
    """The dtypes in a text. Raises click.BadParameter if there are none, or something in it is none."""
    from ..types.dtypes import dtype_list

    try:
        return None if given is None else dtype_list(given)
    except ValueError as problem:
        raise click.BadParameter(str(problem), context, option) from None


ANSWERS = 10
"""So many answers are listed where nobody says how many."""


def _enumeration(command: Command) -> Command:
    """The options of commands that list answers."""
    options: list[Callable[[Command], Command]] = [
        RULES,
        PYTHON_RULES,
        FORMAT,
        click.option("-n", "number", type=click.IntRange(min=1), help=f"How many answers ({ANSWERS})."),
        click.option("--all", "every", is_flag=True, help="All answers."),
        click.option("--count", is_flag=True, help="The number of answers instead of the answers."),
        click.option("--max-rank", type=click.IntRange(min=0), help="The highest rank of a tensor."),
        click.option("--max-arity", type=click.IntRange(min=0), help="The most fields of a tuple of unknown arity."),
        click.option(
            "--tuples", type=click.IntRange(min=0), metavar="N", help="An open type may be a tuple of up to N fields."
        ),
        click.option(
            "--functions", type=click.IntRange(min=0), metavar="N", help="... a function of up to N parameters."
        ),
        click.option(
            "--data-depth",
            type=click.IntRange(min=0),
            metavar="N",
            help="... a data type of the program, up to N of them within each other.",
        ),
        click.option(
            "--nesting",
            type=click.IntRange(min=0),
            default=1,
            metavar="N",
            help="How many tuples, and how many functions, may stand within each other then (1).",
        ),
        click.option(
            "--max-attr",
            type=click.IntRange(min=0),
            help="Give attributes that are not known values: numbers up to this, and lists of them.",
        ),
        click.option(
            "--max-attr-length",
            type=click.IntRange(min=0),
            help="The most elements of such a list (6, or --max-attr if that is more).",
        ),
        click.option("--max-dim", type=click.IntRange(min=0), help="The largest extent."),
        click.option("--min-dim", type=click.IntRange(min=0), default=1, help="The smallest extent (1)."),
        click.option("--dtypes", callback=_dtypes, help="The dtypes, separated by commas."),
        click.option("--ground", is_flag=True, help="Only answers without variables."),
        limit_options("The most steps of search for each answer (100000; for a count 5000000)."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _bounds(options: dict[str, Any]) -> dict[str, Any]:
    """What `_enumeration` reads, as `relaylogic.cli.listing` takes it, but for the rules. Raises UsageError."""
    if options["dtypes"] is None:
        del options["dtypes"]
    if options["steps"] is None:
        del options["steps"]
    number, every = options["number"], options.pop("every")
    if options.get("sample") and (number or every):
        raise click.UsageError("--sample says how many are drawn: -n and --all say how many are listed")
    options["number"] = None if every else number or ANSWERS
    options["as_json"] = options.pop("form") == "json"
    return {"progress": count_found, "counting": Counting(), "hint": complain, **options}


main.add_command(why)


@main.command()
@click.argument("text", metavar="QUERY")
@PROGRAM
@PRELUDE
@_enumeration
def query(
    text: str, program: str | None, prelude: bool, rule_folders: tuple[Path, ...], python_rules: bool, **options: Any
) -> int:
    """List the answers to a query in clause notation: 'Broadcast(A, B, Tensor[(5, 3), float32])'."""
    from .listing import run_query

    allowed = taken(options, _ENUMERATION)
    bounds = _bounds(options)
    known = partial(rules_of, rule_folders, python_rules, allowed, program=program, prelude=prelude)
    rules = known if rule_folders or program or prelude else known()
    with limits(**allowed):
        return run_query(text, say, rules=rules, **bounds)


@main.command()
@click.argument("file")
@PRELUDE
@click.option("--annotated", is_flag=True, help="Print the program with its types for each typing.")
@click.option(
    "--where", multiple=True, metavar="QUERY", help="Clauses about the holes: '%w = Tensor[(n, n), _], n < 8'."
)
@click.option("--project", metavar="NAMES", help="Only these holes, each combination once: %x,%w.")
@click.option("--sample", type=click.IntRange(min=1), help="So many typings at random, each as likely as any other.")
@click.option("--seed", type=int, help="A number that repeats a draw of --sample.")
@click.option("--minimize", metavar="NUMBER", help="Only where this is least: %w[0], elements(%w), or elements of all.")
@click.option("--maximize", metavar="NUMBER", help="Only where this is greatest.")
@click.option("--families", is_flag=True, help="Disjoint families with variables, each with its count in the bounds.")
@click.option("--polymorphic", is_flag=True, help="A polymorphic function has a type of its own at each use.")
@_enumeration
def typings(
    file: str, prelude: bool, annotated: bool, rule_folders: tuple[Path, ...], python_rules: bool, **options: Any
) -> int:
    """List the assignments of types to the holes of a program that satisfy every call; `-` reads standard input."""
    from .listing import run_typings

    allowed = taken(options, _ENUMERATION)
    bounds = _bounds(options)
    rules = partial(load_rule_base, rule_folders, python_rules, False) if rule_folders else load_rule_base((), False)
    with limits(**allowed):
        return run_typings(partial(read_program, file, prelude), say, rules=rules, annotated=annotated, **bounds)


@main.command()
@RULES
@PYTHON_RULES
@PROGRAM
@PRELUDE
@limit_options("The most steps of search for each answer (100000; for a count 5000000).", "line")
def repl(rule_folders: tuple[Path, ...], python_rules: bool, program: str | None, prelude: bool, **options: Any) -> int:
    """Ask queries, one by one: `;` gives the next answer, `:help` lists the commands."""
    from .repl import Session, run

    history = history_file()
    allowed = taken(options, _ENUMERATION)
    begun = partial(Session, rule_folders, allowed, options["steps"], definitions=read_definitions, python=python_rules)
    with limits(**allowed):
        session = governed(lambda: begun(program=(program, prelude)))
    for note in session.rules.notes:
        complain(f"note: {note}")
    return run(session, say, history)


@main.group()
def rules() -> None:
    """Look at the rule base; check relations of your own."""


@rules.command("list")
@RULES
@PYTHON_RULES
@click.option("--family", help="Only the operators of this file of rules.")
@limit_options("The most steps of search.")
def list_rules(rule_folders: tuple[Path, ...], python_rules: bool, family: str | None, **options: Any) -> None:
    """List operators with their inputs and relations, by family."""
    from ..explain.rules import list_operators

    allowed = taken(options)
    known = rules_of(rule_folders, python_rules, allowed)
    with limits(**allowed):
        say(governed(lambda: "\n".join(list_operators(known, family))))


@rules.command("show")
@click.argument("name")
@RULES
@PYTHON_RULES
@PROGRAM
@PRELUDE
@click.option("--compiled", is_flag=True, help="Show the programs that answer calls whose inputs are known.")
@limit_options("The most steps of search.")
def show_rule(
    name: str,
    rule_folders: tuple[Path, ...],
    python_rules: bool,
    program: str | None,
    prelude: bool,
    compiled: bool,
    **options: Any,
) -> None:
    """Show an operator: signature, attributes, the clauses of its relation and where they stand, an example."""
    from ..explain.programs import programs_of
    from ..explain.rules import describe

    allowed = taken(options)
    known = rules_of(rule_folders, python_rules, allowed, program=program, prelude=prelude)
    with limits(**allowed):
        say(governed(lambda: programs_of(known, name) if compiled else describe(known, name)))


@rules.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@RULES
@PYTHON_RULES
@click.option("--samples", type=click.IntRange(min=1), default=4, help="How many calls of each kind to start from (4).")
@click.option("--max-rank", type=click.IntRange(min=0), default=3, help="The highest rank of a tensor (3).")
@limit_options("The most steps of search.")
def check_rules(
    file: Path, rule_folders: tuple[Path, ...], python_rules: bool, samples: int, max_rank: int, **options: Any
) -> int:
    """Check the relations of a file of rules: do their answers agree with brute force in a small universe?

    One in Python (*.py) runs only with --python-rules; the other rules of its folder are loaded, too.
    """
    from .listing import check_file

    allowed = taken(options)
    known = rules_of(rule_folders, python_rules, allowed, own=True)
    with limits(**allowed):
        return governed(
            lambda: check_file(
                file, read_source(str(file)), known, say, python=python_rules, samples=samples, max_rank=max_rank
            )
        )
