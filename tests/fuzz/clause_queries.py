"""Queries in clause notation, and what must hold of every query.

The conjuncts are those of `tests/typings/test_random_conjunctions.py`, whose meaning is known, with shipped relations,
calls of operators and arithmetic.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.clauses.words import WORDS
from relaylogic.clauses.written import ARITHMETIC_WORDS
from relaylogic.cli.listing import list_answers
from relaylogic.errors import RelayLogicError
from relaylogic.host.governor import NAMES
from relaylogic.logic.control import StepLimit
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.typings.answers import LEFT_OPEN
from relaylogic.typings.query import count_query, query
from tests.cli.running import run
from tests.typings.test_random_conjunctions import CLAUSES as RELATIONS
from tests.typings.test_random_conjunctions import MEANING, SHIPPED, WRITTEN

from .broken import Broken, demand
from .derived import clause_body
from .kinds import Case, Kind
from .limited import alike
from .mutations import spoiled
from .operator_calls import called_query
from .reduce import shorter_texts
from .tested import spoiled_query

__all__ = ["BOUNDS", "CLAUSES", "ENDINGS", "NUMBERS", "SHAPES", "TENSORS", "goal", "new_rules", "rules"]

_WORD = re.compile(r"([A-Za-z_][\w.]*)\(")
_TYPE_INDEXED = re.compile(r"\b(?!Tensor\b)[A-Z]\w*\[")
_PLACE = re.compile(r"\b[TSNV]\b")
NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "6",
    "n",
    "m",
    "k",
    "n",
    "m",
    "_",
    "n + 1",
    "2 * m",
    "n // 2",
    "n * m",
    "max(n, 2)",
    "k - n",
]
SHAPES = ["s", "o", "s", "_", "()", "(2)", "(1, 2)", "(n, m)", "[n | s]", "(n, 3)", "s[1:]", "s[:-1]"]
TENSORS = [
    "A",
    "B",
    "C",
    "A",
    "B",
    "_",
    "Tensor[s, t]",
    "Tensor[(n, 2), int8]",
    "Tensor[(2), int8]",
    "int8",
    "Tensor[(n, m), t]",
    "Tensor[o, float32]",
    "(A, B)",
    "Tensor[(?, 2), int8]",
]
VALUES = ["v", "w", "v", "[true]", "(1)", "[1, true]", "[true | v]", "[1 | v]", "[0 | w]", "[none, false]"]
EXTRA = [
    "n * m = 6",
    "n + m = 4",
    "n % 2 = 0",
    "T = T",
    "S = S",
    "N = N",
    "len(S) = N",
    "prod(S) = N",
    "is_float(t)",
    "n = 100433627 * 7",
    "T = fn (A) -> B",
    "nn.relu(T) = T",
    'cast(T, dtype="int8") = T',
    "append(S, S, S)",
    "nn.conv2d(T, T, kernel_size=(3, 3)) = T",
    "strided_slice(T, begin=(0), end=(2)) = T",
    "S[N] = N",
    "N <= N",
    "V = V",
    "append(V, V, V)",
    "len(V) = N",
]
BOUNDS: dict[str, Any] = {"max_rank": 2, "max_dim": 2, "dtypes": ("int8",), "ground": True, "max_arity": 2}
STEPS, FEW = 3_000, 6
ENDINGS = {"exhausted", "answer limit", LEFT_OPEN, *(f"unknown: {name}" for name in NAMES.values())}


def new_rules() -> RuleBase:
    """The shipped rules and the relations of the random conjunctions."""
    base = load_rules()
    load_clauses(base, RELATIONS, "conjunctions.rel")
    return base


rules = cache(new_rules)


def goal(random: Random) -> str:
    """A conjunct."""
    form = random.choice(random.choice([list(MEANING), SHIPPED, WRITTEN, EXTRA]))
    terms = {"T": TENSORS, "S": SHAPES, "N": NUMBERS, "V": VALUES}
    return _PLACE.sub(lambda place: random.choice(terms[place.group()]), form)


def made(random: Random) -> str:
    """A query of one to three conjuncts, some with `;`, some spoiled; or one that is derived from the grammar, of the
    tests and spoiled, or about calls of odd arguments."""
    if random.random() < 0.12:
        return clause_body(random)
    if random.random() < 0.15:
        return spoiled_query(random)
    if random.random() < 0.1:
        return called_query(random)
    goals = [goal(random) for _ in range(random.choice([1, 1, 2, 2, 3]))]
    text = ", ".join(goals)
    if random.random() < 0.12:
        text = f"{text} ; {goal(random)}"
    if random.random() < 0.08:
        text = f"({goal(random)} ; {goal(random)}), {text}"
    if random.random() < 0.25:
        text = spoiled(text, random, sorted(rules().relations))
    return text


def check(case: Case, thorough: bool) -> str:
    """Demand all invariants of a query; how it ended."""
    assert isinstance(case, str)
    try:
        found = query(case, rules=rules(), limit=FEW, steps=STEPS)
        answers = list(found)
    except RelayLogicError as problem:
        place = problem.span is not None or not isinstance(problem, ClauseError)
        demand(place and bool(str(problem)), "errors have a place", problem)
        outcome = "parse error" if isinstance(problem, ClauseError) else "ill-formed"
    else:
        check_ending(found)
        for answer in answers:
            check_answer_renders(answer)
            check_answer_is_read(answer)
        outcome = "unknown" if found.status.startswith("unknown") else "answers" if answers else "no"
        if thorough:
            check_counted(case)
            check_listed(case)
    if thorough:
        check_command(case)
        check_threads(case)
    return outcome


def check_ending(found: Any) -> None:
    """How a search ended is one of the documented ways."""
    demand(found.status in ENDINGS, "endings are documented", found.status)
    demand(all(isinstance(note, str) for note in found.notes), "notes are texts")


def check_answer_renders(answer: Any) -> None:
    """Text, JSON, proof and repr all render."""
    demand(bool(str(answer)) and repr(answer) == f"<{answer}>", "answers render")
    demand(bool(json.dumps([answer.texts, answer.residue, answer.clauses])), "answers render as JSON")
    demand(bool(answer.explain()), "answers are explained")


def check_answer_is_read(answer: Any) -> None:
    """Clause notation: what is printed of an answer can be read back.

    Except for constraints that the notation has no words for, as rules in Python postpone some, for lists with the
    names of types, of which nothing says that they hold numbers, and for what nests deeper or has more digits than the
    notation takes (SECURITY.md).
    """
    text = str(answer)
    words = {word for constraint in answer.residue for word in _WORD.findall(constraint)}
    if not words <= {*WORDS, *ARITHMETIC_WORDS, *rules().relations} or _TYPE_INDEXED.search(text):
        return
    try:
        query(text, rules=rules(), limit=1, steps=STEPS)
    except ClauseError as problem:
        if "nested more than" in problem.message or "digits is too long" in problem.message:
            return
        raise Broken("printed answers are read", f"{problem}\n{text}") from None


def check_counted(case: str) -> None:
    """In a small universe, as many answers are counted as are listed, and none comes twice."""
    found = query(case, rules=rules(), limit=300, steps=STEPS, **BOUNDS)
    listed = [str(answer) for answer in found]
    if found.status != "exhausted":
        return
    demand(len(set(listed)) == len(listed), "each answer comes once", listed)
    try:
        number = count_query(case, rules=rules(), steps=20 * STEPS, **BOUNDS)
    except StepLimit:
        return
    demand(number == len(listed), "what is counted is listed", (number, listed))


def check_listed(case: str) -> None:
    """The lines of the command, as text and as JSON."""
    for as_json in (False, True):
        lines: list[str] = []
        code = list_answers(query(case, rules=rules(), limit=3, steps=STEPS), lines.append, as_json=as_json)
        demand(code in (0, 1, 3), "exit codes are documented", code)
        demand(not as_json or all(isinstance(json.loads(line), dict) for line in lines), "JSON is valid", lines)


def check_command(case: str) -> None:
    """The command ends as is documented."""
    done = run("query", "-n", 2, "--steps", STEPS, "--", case)
    demand(done.code in (0, 1, 2, 3), "exit codes are documented", (done.code, done.err))


def summary(case: Case) -> str:
    """The first answers, sorted, in a small universe."""
    assert isinstance(case, str)
    try:
        found = query(case, rules=rules(), limit=40, steps=STEPS, **BOUNDS)
        return json.dumps([sorted(map(str, found)), found.status])
    except RelayLogicError as problem:
        return str(problem)


def check_threads(case: str) -> None:
    """Three threads at once say what one says."""
    expected = summary(case)
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(summary, [case] * 3):
            demand(alike(found, expected), "threads do not matter", f"{expected}\n{found}")


CLAUSES = Kind("clauses", ".query", made, check, summary, shorter_texts)
