"""Lines typed at the interactive top level: queries, `;`, and commands with what they take, or do not take.

A case is JSON: the lines, and the rule file and the program that stand in its folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from relaylogic.cli.inputs import read_definitions
from relaylogic.cli.repl import BOUNDS as SET
from relaylogic.cli.repl import COMMANDS as KNOWN
from relaylogic.cli.repl import Session

from . import clause_queries, rule_files
from .broken import OUT_OF_TIME, demand
from .folders import in_new_folder
from .kinds import Case, Kind
from .mutations import spoiled
from .reduce import shorter_texts
from .relay_programs import program

__all__ = ["TOP_LEVELS"]

_LIMIT = re.compile(r"(time|step|memory|output) limit")
STEPS = 3000
LIMITS = {"steps": 20_000, "time": 4.0}
PATHS = ["mine.rel", "mine.rel", "net.relay", ".", "nowhere", '"mine.rel', "~nobody/x", "mine.rel net.relay", "", "\0"]
PROGRAMS = ["net.relay", "net.relay", "prelude", "mine.rel", "nowhere", "", "net.relay prelude"]
NAMES = ["Broadcast", "Mine", "nn.conv2d", "append", "Cons", "nope", "", "Identity", "my.op", "List", "²", ":doc"]
VALUES = ["0", "1", "2", "3", "-1", "off", "", "on", "x", "9" * 17, "9" * 30, "int8, float32", "foo", "²", "= 2"]


def line(random: Random) -> str:
    """A line, one of ten spoiled."""
    draw = random.random()
    if draw < 0.3:
        said = str(clause_queries.CLAUSES.make(random)) if draw < 0.1 else clause_queries.goal(random)
    elif draw < 0.55:
        said = ";"
    else:
        command = random.choice([name for name in KNOWN if name != ":quit"])
        said = f"{command} {_rest(command, random)}"
    return spoiled(said, random, sorted(KNOWN)) if random.random() < 0.1 else said


def _rest(command: str, random: Random) -> str:
    if command == ":set":
        return f"{random.choice([*SET, 'nope', ''])} {random.choice(VALUES)}"
    if command == ":count":
        return clause_queries.goal(random)
    of = {":load": PATHS, ":program": PROGRAMS, ":doc": NAMES}
    return random.choice(of.get(command, ["", "", "", "x"]))


def made(random: Random) -> str:
    """Some lines, with what they may load."""
    rules = str(rule_files.RULES.make(random)) if random.random() < 0.5 else "Mine(A, A). operator my.op(a) : Mine."
    lines = [line(random) for _ in range(random.randint(1, 8))]
    return json.dumps([lines, rules, program(random)])


def said_to(case: Case) -> list[list[str]]:
    """What is said to each line, in a folder of its own."""
    try:
        lines, rules, text = json.loads(case)
        assert all(isinstance(part, str) for part in [*lines, rules, text])
    except (ValueError, AssertionError, TypeError):  # of a case that is being made smaller
        return []
    with in_new_folder():
        Path("mine.rel").write_bytes(rules.encode("utf-8", "surrogatepass"))
        Path("net.relay").write_bytes(text.encode("utf-8", "surrogatepass"))
        session = Session(allowed=LIMITS, steps=STEPS, definitions=read_definitions)
        return [list(session.execute(line)) for line in lines]


def check(case: Case, thorough: bool) -> str:
    """Demand that each line is answered, `;` by one answer, or by how the query has ended."""
    said = said_to(case)
    lines = json.loads(case)[0] if said else []
    for typed, answer in zip(lines, said, strict=True):
        demand("Traceback" not in "".join(answer), "no tracebacks", answer)
        quiet = typed.strip() == "" or typed.strip().startswith((":quit", ":load"))
        demand(bool(answer) or quiet, "a line is answered", typed)
        demand(len(answer) == 1 or typed.strip() != ";", "`;` gives one answer", answer)
    if thorough:
        first, second = summary(case), summary(case)
        demand(first == second or OUT_OF_TIME in (first, second), "a session repeats", f"{first}\n{second}")
    return "errors alone" if all("error: " in "".join(answer) for answer in said) else "answered"


def summary(case: Case) -> str:
    """All that is said; nothing of what no second run repeats."""
    said = json.dumps(said_to(case))
    return OUT_OF_TIME if _LIMIT.search(said) else said


def shorter(case: Case) -> Iterator[Case]:
    """The session without one of its lines, with a shorter one, or with less to load."""
    try:
        lines, rules, text = json.loads(case)
    except ValueError:
        return
    for index, typed in enumerate(lines):
        yield json.dumps([lines[:index] + lines[index + 1 :], rules, text])
        for other in shorter_texts(typed):
            yield json.dumps([[*lines[:index], other, *lines[index + 1 :]], rules, text])
    for other in shorter_texts(rules):
        yield json.dumps([lines, other, text])
    for other in shorter_texts(text):
        yield json.dumps([lines, rules, other])


TOP_LEVELS = Kind("lines", ".session", made, check, summary, shorter, own_limits=True)
