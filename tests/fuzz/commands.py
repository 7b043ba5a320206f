"""Calls of the command line, with options of all sorts and programs, queries and rule files of the other kinds.

A case is JSON: the arguments, what is on standard input, and the rule file that stands at `mine.rel` in its folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.cli.running import Run, run
from tests.typings.test_random_conjunctions import CLAUSES as RELATIONS

from . import clause_queries, relay_texts, rule_files
from .broken import OUT_OF_TIME, demand
from .folders import in_new_folder
from .kinds import Case, Kind
from .reduce import shorter_texts
from .relay_programs import program

__all__ = ["COMMANDS"]

_NAME = re.compile(r"[%@][a-z]\w*")
_SECONDS = re.compile(r"\d+\.\d+ s\b")
CODES = {0, 1, 2, 3}
LINES_OF_JSON = {"query", "typings"}
NUMBERS = ["1", "2", "3", "1", "2", "3", "0", "5", "7", "1", "2", "-1", "x", "99999999999999999999"]
SIZES = ["1", "1k", "100k", "5M", "2G", "1G", "50M", "-1", "x"]
TIMES = ["0.001", "0.05", "1", "4", "2", "0.5", "inf", "-1", "nan"]
LONGEST = "4"
NAMED = [
    "%x",
    "%p0",
    "@main",
    "%a1",
    "@main %x",
    "%x at 1:1",
    "2:3",
    "1:1",
    "%nope",
    "0:0",
    "(",
    "@nope",
    "#3",
    "",
    "1:x",
]
PARTS = [
    "shape[1]",
    "dtype",
    "rank",
    ".0.dtype",
    "result",
    "args[0].shape",
    "shape[",
    "shape[-1]",
    "nope",
    "",
    "shape[99]",
]
GOALS = ["prod(%x) = 2", "%x = A", "(", "elements(%p0) <= 4", "%p0 = Tensor[s, t]", "n = 1", "%x[0]", "%p0[0]", "%p0"]


class Line:
    """The arguments of a command."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.arguments: list[str] = []

    def maybe(self, share: float, *options: str, values: list[str] | None = None) -> None:
        """One of the options, sometimes, with one of the values."""
        if self.random.random() < share:
            self.arguments.append(self.random.choice(options))
            if values is not None:
                self.arguments.append(self.random.choice(values))

    def limits(self) -> None:
        # The default is ten minutes, which all answers may take.
        self.arguments += ["--time", self.random.choice(TIMES) if self.random.random() < 0.15 else LONGEST]
        self.maybe(0.3, "--steps", values=["200", "2000", "2000", *NUMBERS])
        self.maybe(0.1, "--memory", "--output", values=SIZES)

    def rules(self) -> None:
        self.maybe(0.2, "--rules", values=[".", "mine.rel", "mine.rel", ".", "mine.rel", ".", "nowhere"])
        self.maybe(0.03, "--python-rules")

    def universe(self) -> None:
        self.arguments += ["--max-rank", self.random.choice(["1", "2"]), "--max-dim", "2", "--dtypes", "float32,int8"]
        self.maybe(0.3, "-n", values=["1", "3", *NUMBERS])
        self.maybe(0.1, "--all", "--count", "--ground")
        self.maybe(0.2, "--max-arity", "--tuples", "--functions", "--data-depth", "--nesting", values=["1", *NUMBERS])
        self.maybe(0.1, "--min-dim", "--max-attr", "--max-attr-length", values=["1", *NUMBERS])
        self.maybe(0.1, "--dtypes", values=["", ",", "foo", "float32", "int8,,bool"])


def arguments(random: Random, query: str, text: str) -> list[str]:
    """The arguments of some command on a query or a program."""
    line = Line(random)
    command = random.choice(["infer", "infer", "why", "why", "typings", "typings", "query", "query", "report", "rules"])
    line.arguments.append(command)
    if command == "rules":
        kind = random.choice(["list", "show", "check"])
        line.arguments.append(kind)
        if kind == "show":
            line.arguments.append(
                random.choice(["add", "nn.conv2d", "my.op", "Mine", "nope", "Broadcast", "", "reshape"])
            )
            line.rules()
        elif kind == "check":
            line.arguments += ["mine.rel", "--samples", "1", "--max-rank", "1"]
        line.limits()
        return line.arguments
    line.limits()
    if command == "query" and random.random() < 0.8:
        line.arguments += ["--rules", "mine.rel"]
    else:
        line.rules()
    line.maybe(0.15, "--prelude")
    if command == "report":
        line.arguments += ["-", "-o", random.choice(["-", "page.html", "page.html", "nowhere/page.html"])]
        return line.arguments
    formats = ["json", "json", "text", "sarif"] if command == "infer" else ["json", "text"]
    line.maybe(0.5, "--format", values=formats)
    if command == "infer":
        line.maybe(0.3, "--closed", "--quiet")
        line.maybe(0.2, "--trace", values=["steps.jsonl", "steps.jsonl", "-", "-", "nowhere/x"])
    elif command == "why":
        line.maybe(0.4, "--part", values=PARTS)
        line.maybe(0.3, "--thorough")
    else:
        line.universe()
    if command == "typings":
        line.maybe(0.2, "--annotated", "--families")
        line.maybe(0.3, "--where", "--project", "--minimize", "--maximize", values=[*GOALS, *NAMED])
        line.maybe(0.15, "--sample", "--seed", values=["1", "2", *NUMBERS])
    line.arguments += [
        "--",
        query if command == "query" else random.choice([*"-------------", "mine.rel", "nowhere"]),
    ]
    if command == "why":
        names = _NAME.findall(text)
        line.arguments.append(
            random.choice([*names, *names, *NAMED]) if random.random() < 0.8 else random.choice(NAMED)
        )
    return line.arguments


def made(random: Random) -> str:
    """A command with what it reads."""
    query = ", ".join(clause_queries.goal(random) for _ in range(random.choice([1, 2])))
    if random.random() < 0.25:
        query = str(clause_queries.CLAUSES.make(random))
    given = relay_texts.TEXT.make(random) if random.random() < 0.25 else program(random)
    rules = (
        rule_files.RULES.make(random)
        if random.random() < 0.1
        else f"{RELATIONS}\nMine(A, A).\noperator my.op(a) : Mine."
    )
    return json.dumps([arguments(random, query, str(given)), given, rules])


def executed(case: Case) -> Run:
    """What a command prints and how it ends, in a folder of its own."""
    try:
        given, text, rules = json.loads(case)
        assert all(isinstance(argument, str) for argument in given)
    except (ValueError, AssertionError, TypeError):  # of a case that is being made smaller
        return Run(2, "", "no case")
    with in_new_folder() as folder:
        Path("mine.rel").write_bytes(rules.encode("utf-8", "surrogatepass"))
        arguments = [argument.encode("utf-8", "replace").decode() for argument in given]
        done = run(*arguments, given=text.encode("utf-8", "surrogatepass"))
        return Run(done.code, done.out.replace(folder, "FOLDER"), done.err)


def check(case: Case, thorough: bool) -> str:
    """Demand that a command ends as is documented, and that its JSON is JSON."""
    done = executed(case)
    lost = done.code == 74 and "nowhere" in str(case)
    demand(done.code in CODES or lost, "exit codes are documented", (done.code, done.err))
    demand("Traceback" not in done.err, "no tracebacks", done.err)
    demand(done.code != 2 or bool(done.err or done.out), "errors have a text")
    demand(
        bool(done.out) or done.code == 2 or (done.code == 3 and bool(done.err)) or "--quiet" in str(case) or lost,
        "a verdict has a text",
        done,
    )
    arguments = json.loads(case)[0] if done.err != "no case" else []
    asks_json = "json" in arguments and arguments.index("--format") == arguments.index("json") - 1
    if asks_json and done.code != 2 and not lost:
        demand(bool(done.out), "a verdict is in JSON", done)
        for text in done.out.splitlines() if arguments[0] in LINES_OF_JSON else [done.out]:
            demand(isinstance(json.loads(text), (dict, int)), "JSON is valid", text)
    if thorough:
        first, second = summary(case), summary(case)
        demand(first == second or OUT_OF_TIME in (first, second), "a command repeats", f"{first}\n{second}")
    return f"code {done.code}"


def summary(case: Case) -> str:
    """How a command ends and what it prints, without how long it took; nothing of what no second run repeats.

    Within some steps, a second run in one process may come further: the rule base knows the calls of the first.
    """
    done = executed(case)
    if "time limit" in done.out + done.err or "step limit" in done.out + done.err:
        return OUT_OF_TIME
    if done.err != "no case":
        arguments = json.loads(case)[0]
        if {"--memory", "--steps"}.intersection(arguments) or ("--sample" in arguments and "--seed" not in arguments):
            return "drawn at random, or as memory and steps allow"
    return json.dumps([done.code, _SECONDS.sub("", done.out)])


def shorter(case: Case) -> Iterator[Case]:
    """The command without some of its arguments, or with less to read."""
    try:
        arguments, text, rules = json.loads(case)
    except ValueError:
        return
    for index in range(len(arguments)):
        yield json.dumps([arguments[:index] + arguments[index + 1 :], text, rules])
    for other in shorter_texts(text):
        yield json.dumps([arguments, other, rules])
    for other in shorter_texts(rules):
        yield json.dumps([arguments, text, other])


COMMANDS = Kind("commands", ".command", made, check, summary, shorter, own_limits=True)
