"""What the commands `query`, `typings` and `rules check` do, apart from printing: lines go to `write`.

They give exit codes, as `relaylogic.cli.ending` says.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import RelayLogicError
from ..host.files import with_plain_lines
from ..host.governor import NAMES, LimitReached, governed, last_words
from ..ir import IRModule
from ..logic.control import Endless, StepLimit
from ..logic.large import DECIMAL_BITS, shown
from ..rulebase import RuleBase, RuleError
from ..rulebase.python_files import ALLOW, not_run
from ..text import parse
from ..types.universe import Universe
from ..typings.answers import Answers, QueryAnswer
from ..typings.check import check_relation
from ..typings.families import Family
from ..typings.numbers import why_uncounted
from ..typings.program import Typing, check_seed, count_typings, typings
from ..typings.query import COUNT_STEPS, count_query, query
from .ending import FOUND, INTERRUPTED, NONE, UNDECIDED

__all__ = ["VERSION", "check_file", "list_answers", "run_query", "run_typings"]

VERSION = 1
"""The form of what is printed in JSON: each line is an object that says so. `relaylogic.schema` describes it."""

Write = Callable[[str], None]
LESS = "`--max-dim`, `--max-rank`, `--max-attr` and `--max-attr-length`"
REPORT_EVERY = 1.0
FEW = 100


def run_query(
    text: str,
    write: Write,
    *,
    rules: RuleBase | Callable[[], RuleBase] | None = None,
    number: int | None = 10,
    count: bool = False,
    as_json: bool = False,
    progress: Callable[[int], None] | None = None,
    counting: Callable[[int], None] | None = None,
    hint: Write = lambda text: None,
    **bounds: Any,
) -> int:
    """Print the answers to a query (all of them if `number` is None), or how many there are. Raises ClauseError.

    In JSON a number of thousands of digits is a text, `"0x..."`. `progress` is told how many answers were found,
    `counting` how many parts of a count were looked at. `rules` may be what loads them.
    """

    def base() -> RuleBase | None:
        return governed(rules) if callable(rules) else rules

    if count:
        steps = bounds.get("steps", COUNT_STEPS)
        return _print_count(
            lambda: count_query(text, rules=base(), progress=counting, **bounds), write, as_json, hint, steps
        )
    try:
        found = query(text, rules=base(), limit=number, **bounds)
    except LimitReached as reached:
        found = Answers.stopped(Universe(), reached)
    return list_answers(found, write, as_json=as_json, progress=progress, hint=hint)


def run_typings(
    program: IRModule | str | Callable[[], IRModule],
    write: Write,
    *,
    rules: RuleBase | Callable[..., RuleBase] | None = None,
    number: int | None = 10,
    count: bool = False,
    as_json: bool = False,
    annotated: bool = False,
    progress: Callable[[int], None] | None = None,
    counting: Callable[[int], None] | None = None,
    hint: Write = lambda text: None,
    **asked: Any,
) -> int:
    """Print the typings of a program, which may still have to be read, or how many there are.

    `rules` may be what loads them when the program is known (`program=`), so that they can speak of its data types.
    `asked` is what `typings` takes besides. Raises what that raises.
    """

    def known() -> tuple[IRModule | str, RuleBase | None]:
        read = governed(program) if callable(program) else program
        if not callable(rules):
            return read, rules
        module = parse(read) if isinstance(read, str) else read
        return module, governed(lambda: rules(program=module))

    if annotated and (count or asked.get("families")):
        raise RelayLogicError("a count and families have no programs to print: ask for one thing at a time")
    if count:
        sample = asked.pop("sample", None)
        if sample is not None or asked.pop("families", False):
            raise RelayLogicError("what is drawn, or put into families, is not counted: ask for one thing at a time")
        check_seed(asked.pop("seed", None), sample)
        steps = asked.get("steps", COUNT_STEPS)
        notes: list[str] = []

        def counted() -> int:
            module, base = known()
            return count_typings(module, rules=base, progress=counting, note=notes.append, **asked)

        return _print_count(counted, write, as_json, hint, steps, notes)
    if asked.get("sample") is not None:
        number = None
    try:
        module, base = known()
        found = typings(module, rules=base, limit=number, **asked)
    except LimitReached as reached:
        found = Answers.stopped(Universe(), reached)
    return list_answers(found, write, as_json=as_json, annotated=annotated, progress=progress, hint=hint)


def list_answers(
    found: Answers,
    write: Write,
    *,
    as_json: bool = False,
    annotated: bool = False,
    progress: Callable[[int], None] | None = None,
    hint: Write = lambda text: None,
) -> int:
    """Print answers as they come, then how the search ended. That they may have no end is said before them.

    What to do about a search that took too many steps is said to `hint`.
    """
    reported = time.monotonic()
    status = ""
    shown = 0
    try:
        for answer in _smallest_first(found):
            if not shown and not as_json and found.endless:
                write(f"# nothing bounds {' or '.join(found.endless)}: the answers may have no end")
            write(governed(lambda shown=answer: _shown(shown, as_json, annotated)))  # type: ignore[misc]
            shown += 1
            if progress is not None and time.monotonic() - reported > REPORT_EVERY:
                reported = time.monotonic()
                progress(shown)
    except KeyboardInterrupt:
        status = "interrupted"
    except LimitReached as problem:
        found.stop(problem)
    status = status or found.status
    reached = found.limit
    number = found.found if reached is None else shown

    def end() -> None:
        if as_json:
            ending = {"answers": number, "status": status, "complete": status == "exhausted", **_limit(reached)}
            of_all = {"total": found.total, "optimum": found.optimum}
            ending |= {name: _number(number) for name, number in of_all.items() if number is not None}
            write(_line({**ending, "notes": found.notes} if found.notes else ending))
            return
        for note in found.notes:
            write(f"# {note}")
        write(_ending(found, number, status if reached is None else reached.message))
        if reached is not None:
            write(f"# {reached.help}")

    if reached is None:
        try:
            end()
        except LimitReached as problem:  # not even that may be printed
            found.stop(problem)
            reached, status = problem, found.status
    if reached is not None:
        last_words(end, reached)
    if status == "interrupted":
        return INTERRUPTED
    if status.startswith("unknown"):
        if reached is None and "step limit" in status:
            hint(_more(found.steps, "answer"))
        return UNDECIDED
    return FOUND if found.found else NONE


def _smallest_first(found: Answers) -> Iterator[QueryAnswer | Family]:
    """The answers, the smallest first if they are few; many come in the order in which they are found."""
    first: list[QueryAnswer | Family] = []
    interrupted = False
    try:
        for answer in islice(found, FEW + 1):
            first.append(answer)
    except KeyboardInterrupt:
        interrupted = True
    yield from first if len(first) > FEW else sorted(first, key=lambda answer: answer.size)
    if interrupted:
        raise KeyboardInterrupt
    yield from found


def _shown(answer: QueryAnswer | Family, as_json: bool, annotated: bool) -> str:
    program = answer.annotated() if annotated and isinstance(answer, Typing) else None
    if as_json:
        record = answer.to_dict()
        if isinstance(answer, Family) and answer.count is not None:
            record["count"] = _number(answer.count)
        if program is not None:
            record["program"] = program
        return _line(record)
    return str(answer) if program is None else f"# {answer}\n{program}"


def _line(record: dict[str, Any]) -> str:
    return json.dumps({"version": VERSION, **record})


def _number(number: int) -> int | str:
    """A number for JSON; Python does not write one of thousands of digits, and few could read it."""
    return number if number.bit_length() < DECIMAL_BITS else shown(number)


def _ending(found: Answers, number: int, status: str) -> str:
    answers = f"{number} {found.noun[number != 1]}"
    if status == "exhausted":
        return f"# {answers}, no more" if number else "# no"
    if status == "drawn":
        return f"# {answers}, drawn from {shown(found.total or 0)}"
    if status == "answer limit":
        return f"# stopped at the limit of {answers}; there may be more"
    if status == "interrupted":
        return f"# interrupted: {answers} so far, a part of all"
    return f"# {status}; {answers} until then"


def _more(steps: int, each: str) -> str:
    return f"unknown: step limit of {steps:,} for each {each} reached\n  help: `--steps` sets it"


def _limit(reached: LimitReached | None) -> dict[str, Any]:
    """What JSON says of the limit that ended a search, besides its name."""
    return {} if reached is None else {"limit": reached.value, "message": reached.message, "help": reached.help}


def _print_count(
    counting: Callable[[], int], write: Write, as_json: bool, hint: Write, steps: int, notes: Sequence[str] = ()
) -> int:
    def tell(record: dict[str, Any], text: str) -> None:
        if as_json:
            write(_line({**record, "notes": notes} if notes else record))
            return
        for note in notes:
            hint(f"note: {note}")
        write(text)

    try:
        try:
            number = counting()
        except StepLimit as problem:
            status = why_uncounted(problem)
            tell({"count": None, "status": status}, f"# {status}")
            if not isinstance(problem, Endless):
                hint(f"{_more(steps, 'count')}; {LESS} leave less to count")
            return UNDECIDED
        except KeyboardInterrupt:
            tell({"count": None, "status": "interrupted"}, "# interrupted while counting")
            return INTERRUPTED
        tell({"count": _number(number), "status": "exhausted"}, shown(number))
    except LimitReached as reached:
        record = {"count": None, "status": f"unknown: {NAMES[reached.limit]}", **_limit(reached)}
        last_words(partial(tell, record, f"# {reached.message}\n# {reached.help}"), reached)
        return UNDECIDED
    return FOUND if number else NONE


def check_file(
    path: Path, text: str, rules: RuleBase, write: Write, *, python: bool = False, samples: int = 4, **options: Any
) -> int:
    """Load a file of rules into `rules` and check each relation in it for completeness in a small universe.

    Raises ClauseError for a text that cannot be loaded, RuleError for a file in Python that fails, or may not run.
    """
    if path.suffix == ".py":
        _run_rules(path, rules, python)
    else:
        from ..clauses.load import load_clauses

        load_clauses(rules, with_plain_lines(text), str(path))
    mine = [r for r in rules.relations.values() if r.file == str(path) or any(c.file == str(path) for c in r.clauses)]
    made = {name for data in rules.data_types.values() for n in data.constructors for name in (n, f"{n}Pattern")}
    mine = [relation for relation in mine if relation.name not in made]  # those are their declarations
    if not mine:
        write(f"{path}: no relation is defined, nothing is checked")
    failed = False
    for relation in mine:
        kinds = relation.kinds or ()
        if any(kind not in ("type", None) for kind in kinds):
            write(f"{relation.name}: not checked: it relates {', '.join(str(k) for k in kinds)}, not types")
            continue
        report = check_relation(relation, rules, samples=samples, **options)
        if report.counterexample is not None:
            failed = True
            write(f"{relation.name}: {report.counterexample}")
        elif report.ok:
            agree = "1 query agrees" if report.compared == 1 else f"{report.compared} queries agree"
            write(f"{relation.name}: {agree} with brute force")
        else:
            failed = True
            write(f"{relation.name}: nothing to compare; {'; '.join(report.notes) or 'no query could be decided'}")
    return NONE if failed else FOUND


def _run_rules(path: Path, rules: RuleBase, allowed: bool) -> None:
    """Load a rule file in Python, with its folder, of which it may import."""
    if not allowed:
        raise RuleError(f"{path}: nothing is checked: {not_run([path])}", None, (ALLOW,))
    if not any(relation.file == str(path) for relation in rules.relations.values()):
        rules.load(path.parent, python=True)
    failed = [note for note in rules.notes if note.startswith(f"{path}: not loaded")]
    if failed:
        raise RuleError(failed[0])
