"""Files of clauses (`*.rel`), and what must hold of every file."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from relaylogic.api import infer_call
from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError, parse_file
from relaylogic.errors import RelayLogicError
from relaylogic.explain.rules import describe
from relaylogic.host.governor import limits
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.cli.running import run
from tests.typings.test_random_conjunctions import CLAUSES as RELATIONS

from .broken import Broken, demand
from .clause_queries import BOUNDS, ENDINGS, NUMBERS, SHAPES, TENSORS, goal, new_rules
from .clause_queries import rules as known_rules
from .derived import clause_statement
from .kinds import Case, Kind
from .mutations import spoiled
from .reduce import shorter_texts
from .tested import spoiled_rules

__all__ = ["RULES"]

_TERM = re.compile(r"\b[nmstABC]\b")
STATEMENTS = [line for line in RELATIONS.splitlines() if line]
STEPS, FEW, INFERRED = 400, 3, 10_000
DECLARED = [
    "axis: int = 1",
    "units: dim = none",
    "k: list = (1, 1)",
    'mode: str = "a"',
    "flag: bool = False",
    "r: int",
    "alpha: float = 0.5",
    'dt: dtype = "int8"',
    "x: object = none",
    "f: floats = (1.5, 2)",
]
USES = [
    "attrs.axis = 1",
    "n = attrs.axis",
    "s = attrs.k",
    "attrs.flag = True",
    "m = attrs.units",
    "A = Tensor[attrs.k, t]",
    "n = attrs.r",
    'attrs.mode = "b"',
    "B = Tensor[s, attrs.dt]",
    "attrs.k[0] = n",
]
HEADS = [
    "Mine(A, B)",
    "Mine(Tensor[s, t], Tensor[o, t])",
    "Mine(Tensor[[n | s], t], Tensor[(n, m), t])",
    "Other(A, B)",
    "Other(n, m)",
    "Other([n | s], m)",
    "Third(A, B, C)",
    "Mine(A, A)",
    "Other(_, 0)",
    "Mine((A, B), C)",
]

TERMS = [*"nmkstABC", *"nmkstABC", *NUMBERS, *SHAPES, *TENSORS]
"""What stands in calls for the variables of a head: others, mostly."""

NAMES = ["class", "None", "lambda", "answer", "Pair²", "append", "is_float", "len", "shape", "map", "Tensor", "nn.relu"]
"""Names that mean something in Python, in clauses or in programs of modes."""

DATA = [
    "data Tree[a] { Leaf, Fork(Tree[a], a, Tree[a]) }",
    "data Sized[n: ShapeVar, t: BaseType] { Hold(Tensor[(n), t]), Bare }",
    "data Shaped[s: Shape] { Both : (Tensor[s, int8], Shaped[s]) -> Shaped[s] }",
    "data Empty { }",
]
OF_DATA = [
    "Leaf(A)",
    "Fork(A, int8, A, B)",
    "Hold(A, B)",
    "A = Tree[B]",
    "B = Sized[n, t]",
    "Both(A, B, C)",
    "A = Shaped[s]",
    "Shaped[(n, m)] = B",
    "Bare(Sized[2, int8])",
    "C = Empty[]",
]


def clause(random: Random) -> str:
    """A clause of a relation of its own."""
    if random.random() < 0.02:
        return clause_statement(random)
    head = random.choice(HEADS)
    goals = [random.choice([goal, used])(random) for _ in range(random.randrange(4))]
    if random.random() < 0.2:
        goals.insert(random.randint(0, len(goals)), called(random, head))
    if random.random() < 0.05:
        goals.append(random.choice(OF_DATA))
    if random.random() < 0.06:
        goals = [f'"{random.choice(["the rank", "one", "the rank", ""])}": {item}' for item in goals]
    body = f" :- {', '.join(goals)}" if goals else ""
    label = f"{random.choice(['one', 'two', 'three', 'clause_1'])}: " if random.random() < 0.1 else ""
    return f"{label}{head}{body}."


def called(random: Random, head: str) -> str:
    """A call of a relation of the file: as its head has it, or with other terms; so there is recursion of all kinds."""
    other = head if random.random() < 0.3 else random.choice(HEADS)
    return _TERM.sub(lambda name: random.choice(TERMS), other) if random.random() < 0.3 else other


def used(random: Random) -> str:
    return random.choice(USES) if random.random() < 0.4 else goal(random)


def operator(random: Random, lines: list[str]) -> str:
    """The declaration of an operator of a relation, mostly one of the file, in one of the two ways."""
    declared = random.sample(DECLARED, random.randrange(4))
    semicolons = f"; {'; '.join(declared)}" if declared else ""
    own = [("Mine", "a"), ("Third", "a, b"), ("Other", "n")]
    known = [pair for pair in own if any(f"{pair[0]}(" in line for line in lines)]
    relation, names = random.choice([*known, *known, ("Flatten", "data"), ("Broadcast", "lhs, rhs")])
    if random.random() < 0.2:
        kinds = "<t: Type>" if random.random() < 0.5 else ""
        return f"my.sig : fn{kinds}({names}) -> out where {relation}"
    return f"operator my.op({names}{semicolons}) : {relation}."


def made(random: Random) -> str:
    """A file of some statements, three of ten are spoiled; or clauses of the tests, spoiled."""
    if random.random() < 0.1:
        return spoiled_rules(random)
    lines = [own(line) for line in random.sample(STATEMENTS, random.randrange(4))]
    if random.random() < 0.25:
        lines += random.sample(DATA, random.randint(1, 4))
    lines += [clause(random) for _ in range(random.randint(1, 4))]
    lines += [operator(random, lines) for _ in range(random.randrange(2))]
    if random.random() < 0.2:
        lines.append(f'relation {random.choice(["Mine(a, out)", "Third(a, b, out)", "Fourth(...)"])}: "A doc."')
    if random.random() < 0.1:
        lines.append("extend Flatten(A, A) :- A = int8.")
    if random.random() < 0.5:
        random.shuffle(lines)
    text = "\n".join(lines) + "\n"
    if random.random() < 0.1:
        text = re.sub(r"\b(Mine|Other)\b", random.choice(NAMES), text)
    return spoiled(text, random, sorted(known_rules().relations)) if random.random() < 0.3 else text


def base_for(text: str) -> RuleBase:
    """A rule base of its own with what is shipped and the known relations, or with others like them if they change."""
    known = known_rules()
    if "extend" in text or defined_in(text) & known.relations.keys():
        return new_rules()
    base = RuleBase()
    base.relations.update(known.relations)
    base.operators.update(known.operators)
    return base


def defined_in(text: str) -> set[str]:
    """The relations that a file defines, those of constructors too, if it can be read."""
    try:
        statements = parse_file(text)
    except ClauseError:
        return set()
    clauses = {str(s.items[2].value[0]) for s in statements if s.kind == "clause"}
    parts = [part for s in statements if s.kind == "data" for part in s.items if part.kind == "constructor"]
    constructors = {str(part.items[0].value) for part in parts}
    declared = {str(s.items[0].value) for s in statements if s.kind == "declaration"}
    return clauses | declared | constructors | {f"{name}Pattern" for name in constructors}


def own(line: str) -> str:
    """A statement about a relation of another name."""
    name = line.partition("(")[0].partition(": ")[2] or line.partition("(")[0]
    return re.sub(rf"\b{re.escape(name)}\(", f"My{name}(", line)


def check(case: Case, thorough: bool) -> str:
    """Demand all invariants of a file; whether it loads."""
    assert isinstance(case, str)
    rules = base_for(case)
    before = contents(rules)
    try:
        load_clauses(rules, case, "mine.rel")
    except ClauseError as problem:
        demand(problem.span is not None and bool(str(problem)), "errors have a place", problem)
        demand(contents(rules) == before, "a file that fails is not half loaded")
        outcome = "refused"
    else:
        outcome = "loaded"
        answers_of(rules, before)
        check_operators(rules, before)
        check_described(rules, before)
        if thorough:
            check_order(case, rules, before)
    if thorough:
        check_commands(case)
    return outcome


Contents = dict[str, Any]


def contents(rules: RuleBase) -> Contents:
    """What a rule base holds, to be compared."""
    relations = {name: (relation, tuple(relation.clauses)) for name, relation in rules.relations.items()}
    return {"relations": relations, "operators": dict(rules.operators), "notes": list(rules.notes)}


def mine(rules: RuleBase, before: Contents) -> list[str]:
    """The relations that a file has brought."""
    now = contents(rules)["relations"]
    return [name for name, found in now.items() if before["relations"].get(name) != found]


def answers_of(rules: RuleBase, before: Contents, **bounds: Any) -> dict[str, Any]:
    """Some answers of each relation of the file; the sorted answers if `bounds` make them finite, and how it ended."""
    said: dict[str, Any] = {}
    for name in mine(rules, before):
        relation = rules.relations[name]
        if relation.takes_attrs:
            continue
        places = ", ".join(f"x{i}" for i in range(relation.arity))
        try:
            found = query(f"{name}({places})", rules=rules, limit=60 if bounds else FEW, steps=STEPS, **bounds)
            answers = [str(answer) for answer in found]
        except RelayLogicError as problem:
            said[name] = f"refused: {type(problem).__name__}"
            continue
        demand(found.status in ENDINGS, "endings are documented", found.status)
        said[name] = [sorted(answers), found.status]
    return said


def check_operators(rules: RuleBase, before: Contents) -> None:
    """A call of each operator of the file has a verdict within a limit; a relation that calls itself may never end."""
    for name, found in rules.operators.items():
        if before["operators"].get(name) is found:
            continue
        for argument in ("Tensor[(2, 3), float32]", "_"):
            with limits(steps=INFERRED):
                result = infer_call(name, [argument] * len(found.inputs), rules=rules)
            demand(result.verdict != "unknown" or "limit" in result.limit, "limits have names", result)
            demand(result.verdict in ("typed", "refuted", "incomplete", "unknown"), "verdicts are documented", result)
            demand(bool(repr(result)) and bool(json.loads(result.to_json())), "results render")
            demand(bool(result.errors) == (result.verdict == "refuted"), "errors and verdict agree", result)


def check_described(rules: RuleBase, before: Contents) -> None:
    """What `rules show` says of the operators of the file."""
    for name, found in rules.operators.items():
        if before["operators"].get(name) is not found:
            demand(name in describe(rules, name), "operators are described")


def check_order(case: str, rules: RuleBase, before: Contents) -> None:
    """The order of statements does not matter: neither whether they load, nor what they answer."""
    statements = [statement.text.rstrip(".") for statement in parse_file(case)]
    turned = base_for(case)
    start = contents(turned)
    text = "".join(f"{statement}.\n" for statement in reversed(statements))
    try:
        load_clauses(turned, text, "mine.rel")
    except ClauseError as problem:
        raise Broken("the order of statements does not matter: loading", f"{problem}\n{text}") from None
    first, second = answers_of(rules, before, **BOUNDS), answers_of(turned, start, **BOUNDS)
    for name, said in first.items():
        if "exhausted" == said[1] == second[name][1]:
            demand(said == second[name], "the order of statements does not matter: answers", (said, second[name]))


def check_commands(case: str) -> None:
    """The commands end as is documented."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mine.rel")
        path.write_bytes(case.encode("utf-8", "surrogatepass"))
        done = run("query", "--rules", folder, "true")
        demand(done.code in (0, 1, 2, 3), "exit codes are documented", (done.code, done.err))
        if len(case) < 300 and "extend" not in case:
            # By default it may take ten minutes.
            done = run("rules", "check", path, "--samples", 1, "--max-rank", 1, "--time", 4)
            demand(done.code in (0, 1, 2, 3), "exit codes are documented", (done.code, done.err))


def summary(case: Case) -> str:
    """Whether a file loads, and what its relations answer in a small universe."""
    assert isinstance(case, str)
    rules = base_for(case)
    before = contents(rules)
    try:
        load_clauses(rules, case, "mine.rel")
    except RelayLogicError as problem:
        return str(problem)
    return json.dumps(answers_of(rules, before, **BOUNDS))


RULES = Kind("rules", ".rel", made, check, summary, shorter_texts)
