"""Answers of alternatives: each instance is that of exactly one of them, against brute force."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from random import Random
from types import CodeType
from typing import Any

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some

NAMES = ("n", "m", "k")
VALUES = [dict(zip(NAMES, values, strict=True)) for values in product(range(6), repeat=3)]
OUTSIDE_PARENTHESES = re.compile(r", (?![^(]*\))")


@lru_cache(1000)
def meaning(text: str) -> CodeType | None:
    """What says whether goals between numbers hold, joined by commas, and alternatives by semicolons; None: always."""
    goals = [] if text == "true" else OUTSIDE_PARENTHESES.split(text.replace(";", " or"))
    written = " and ".join(f"({re.sub(r'(?<![<>!])=', '==', goal)})" for goal in goals)
    return compile(written, text, "eval") if goals else None


def holds(text: str, values: dict[str, int]) -> bool:
    """Whether goals hold where nothing is divided by 0 in them."""
    said = meaning(text)
    try:
        return said is None or bool(eval(said, {}, values))
    except ZeroDivisionError:
        return False


def says(answer: str, values: dict[str, object]) -> bool:
    """Whether an answer says something of some values, whatever it calls besides."""
    others = others_in(answer, frozenset(values))
    return any(
        holds(answer, {**values, **dict(zip(others, chosen, strict=True))})
        for chosen in product(range(12), repeat=len(others))
    )


@lru_cache(1000)
def others_in(answer: str, names: frozenset[str]) -> list[str]:
    """The variables of an answer that nobody asked for."""
    return sorted(set(re.findall(r"\b[a-z]\d*\b", answer)) - names)


def equation(random: Random) -> str:
    name, *others = random.sample(NAMES, 2)
    return f"{name} = {random.choice([*others, random.randint(0, 4)])}"


def comparison(random: Random) -> str:
    one, other = random.sample(NAMES, 2)
    bound = random.choice([other, str(random.randint(0, 4)), f"{other} + 1", f"2 * {other}", f"4 // {other}"])
    return f"{one} {random.choice(['=', '<=', '!=', '>='])} {bound}"


def alternative(random: Random) -> str:
    return ", ".join(random.choice([comparison, equation])(random) for _ in range(random.randint(1, 3)))


def case_of(number: int) -> tuple[str, list[str]]:
    """Alternatives and what holds beside them: as a question, and as what is to hold."""
    random = Random(f"alternatives:{number}")
    beside = "".join(f", {comparison(random)}" for _ in range(random.randint(0, 1)))
    if random.random() < 0.5:
        asked = random.choice(NAMES)
        one, other, number = random.choice(NAMES), random.choice(NAMES), random.randint(0, 4)
        made = [*NAMES, str(number), f"{one} + {number}", f"max({one}, {other})", f"max({number}, {one})"]
        items = [random.choice(made) for _ in range(random.randint(1, 4))]
        return f"member({asked}, [{', '.join(items)}]){beside}", [f"{asked} = {item}{beside}" for item in items]
    ways = [alternative(random) for _ in range(random.randint(2, 4))]
    return f"({' ; '.join(ways)}){beside}", [f"{way}{beside}" for way in ways]


@pytest.mark.parametrize("called", [False, True])
def test_each_instance_is_that_of_one_answer(called: bool) -> None:
    """Whether the alternatives stand in the question, or in the clauses of a relation."""
    for number in some(range(400), 20):
        text, ways = case_of(number)
        rules = RuleBase()
        if called:
            load_clauses(
                rules, "\n".join(f"R(n, m, k) :- n >= 0, m >= 0, k >= 0, {way}." for way in dict.fromkeys(ways))
            )
        found = query("R(n, m, k)" if called else f"{text}, n >= 0, m >= 0, k >= 0", rules=rules)
        answers = [*map(str, found)]
        assert found.status == "exhausted", text
        for values in VALUES:
            times = sum(says(answer, values) for answer in answers)
            assert times == any(holds(way, values) for way in ways), (text, values, answers)


def pair(random: Random) -> str:
    """What a pair is, of names that are asked for, others and numbers, and what holds of these."""
    names = ["n", "h", "j"]
    items = [random.choice([*names, "_", str(random.randint(1, 3))]) for _ in range(2)]
    spoken = ["n", *(name for name in items if name in names)]
    beside = [
        f"{random.choice(spoken)} {random.choice(['<=', '!=', '>=', '='])} {random.choice([*spoken, '1', '2', '3'])}"
        for _ in range(random.choice([0, 0, 1, 1, 2]))
    ]
    return ", ".join([f"s = ({', '.join(items)})", *beside])


def test_what_is_hidden_in_an_answer_is_whatever_another_one_has_there() -> None:
    for number in some(range(300), 10):
        random = Random(f"pairs:{number}")
        ways = list(dict.fromkeys(pair(random) for _ in range(random.randint(2, 4))))
        rules = RuleBase()
        load_clauses(rules, f"R(s, n) :- ({' ; '.join(ways)}), n >= 0, s[0] >= 0, s[1] >= 0.")
        found = query("R(s, n)", rules=rules)
        answers = [*map(str, found)]
        assert found.status == "exhausted", ways
        for one, two, n in product(range(5), repeat=3):
            values = {"s": (one, two), "n": n}
            meant = any(says(re.sub("_", "w", way, count=1).replace("_", "v"), values) for way in ways)
            assert sum(says(answer, values) for answer in answers) == meant, (ways, values, answers)


LISTS = [items for rank in range(4) for items in product(range(4), repeat=rank)]
LIST_GOALS: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "len(s) <= 1": lambda s: len(s) <= 1,
    "len(s) = 2": lambda s: len(s) == 2,
    "len(s) >= 2": lambda s: len(s) >= 2,
    "s = [n, m], n <= m": lambda s: len(s) == 2 and s[0] <= s[1],
    "s = [n | u], n <= 1": lambda s: s != () and s[0] <= 1,
    "s = [1 | u]": lambda s: s[:1] == (1,),
    "s = [n, n | u]": lambda s: len(s) >= 2 and s[0] == s[1],
    "s = [n, 2, m | u]": lambda s: len(s) >= 3 and s[1] == 2,
    "sum(s) <= 2": lambda s: sum(s) <= 2,
    "prod(s) = k, k != 1": lambda s: math.prod(s) != 1,
    "s = [n, m], n + m = 3": lambda s: len(s) == 2 and sum(s) == 3,
    "s != [1, 2]": lambda s: s != (1, 2),
    "distinct(s)": lambda s: len(set(s)) == len(s),
}


def test_each_list_is_that_of_one_answer() -> None:
    """Whatever is said of how many elements it has, of the first of them, and of all."""
    for number in some(range(300), 15):
        ways = Random(f"lists:{number}").sample(list(LIST_GOALS), 3)
        rules = RuleBase()
        load_clauses(rules, f"R(s) :- ({' ; '.join(ways)}), sum(s) >= 0.")
        found = query("R(s)", rules=rules)
        instances: list[Any] = []
        for answer in found:
            instance = RuleBase()
            load_clauses(instance, f"I(s) :- {answer}, sum(s) >= 0.")
            ground = query("I(s)", rules=instance, ground=True, max_rank=3, max_dim=3, min_dim=0)
            instances += [each.bindings["s"] for each in ground]
        assert found.status == "exhausted", ways
        assert sorted(instances) == sorted(s for s in LISTS if any(LIST_GOALS[way](s) for way in ways)), ways


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("len(s) = 2 ; len(s) <= 3", ["len(s) = n, n <= 3"]),
        ("len(s) = n ; distinct(s)", ["len(s) = n", "distinct(s), len(s) = m, m != n"]),
        ("s = [_ | _] ; distinct(s)", ["s = (n, ...m)", "s = ()"]),
        ("s = [_, _ | _] ; s = [3 | _]", ["s = (n, m, ...u)", "s = (3,)"]),
        ("A = Tensor[(_), _] ; A = Tensor[_, int8]", ["A = Tensor[(n), t]", "A = Tensor[s, int8], len(s) = n, n != 1"]),
        ("n + 2 * _ = m ; n = 3, m = 5", ["n + 2 * k = m"]),
        ("member(n, [1, 2, n])", ["true"]),
        ("member(n, [1, 2, m]), m != n", ["n = 1, m != 1", "n = 2, m != 2"]),
        ("member(n, [m, k])", ["m = n", "k = n, n != m"]),
        ("member(_, [n, m])", ["true"]),
        ("n <= 3 ; n >= 2", ["n <= 3", "n >= 4"]),
        ("n = 1, m = 2 ; n = k", ["n = 1, m = 2", "k = n, (n, m) != (1, 2)"]),
        ("2 * n = m, k = 1 ; 2 * n = m, k = n", ["k = 1, 2 * n = m", "k = n, 2 * n = m, n != 1"]),
        ("member(k, [0, n + n, max(1, k)])", ["k = 0", "2 * n = k, k >= 1", "2 * n != k, k >= 1"]),
        ("(m = 1 ; m = k), append(s, u, v)", ["m = 1, append(s, u, v)", "k = m, m != 1, append(s, u, v)"]),
        ("(m = 1 ; m = k), is_float(t)", ["m = 1, is_float(t)", "k = m, m != 1, is_float(t)"]),
        ("s = (n, _) ; s = (n, 1)", ["s = (n, m)"]),
        ("s = (_, 1) ; s = (2, _)", ["s = (n, 1)", "s = (2, n), n != 1"]),
        ("A = Tensor[(_), int8] ; A = Tensor[(?), int8]", ["A = Tensor[(n), int8]", "A = Tensor[(?), int8]"]),
        ("broadcast_to_like(Tensor[(_), t], Tensor[(m), t]) = C", ["C = Tensor[(m), t]"]),
        ("broadcast_to(_, shape=[n, 2]) = C", ["C = Tensor[(n, 2), t]"]),
        ('meshgrid((Tensor[(n), t], _), indexing="ij") = (C, _)', ["C = Tensor[(n, m), t]"]),
        ("tile(_, reps=[x, 2]) = _", ["x >= 1"]),  # a tensor of any rank comes first, of which it waits
        ("n = 1 ; n = 2 ; n <= 5", ["n <= 5"]),
        ("m = 2, (n = 1 ; n <= 5)", ["m = 2, n <= 5"]),
        ("n = 1 ; n = 1, m = 2 ; n = 1, m <= 3", ["n = 1"]),
        ("n = 2 * k, m = 2 ; n = m * k", ["m * k = n"]),
        ("append(s, u, v), s = [1] ; append(s, u, v)", ["append(s, u, v)"]),
        ("distinct(s) ; s = [1, 2]", ["distinct(s)"]),
        ("s = [1, 2] ; s = [_ | _]", ["s = (n, ...u)"]),
        ("transpose(C, axes=[1, 0]) = _ ; trilu(C, int32) = C", ["C = Tensor[s, t]"]),
        ("trilu(C, int32) = C ; transpose(C, axes=[1, 0]) = _", ["C = Tensor[s, t]"]),
        ("s = [A, B], member(int8, s)", ["s = [int8, B], A = int8", "s = [A, int8], B = int8, A != int8"]),
    ],
)
def test_an_answer_leaves_out_what_others_say(text: str, expected: list[str]) -> None:
    assert [*map(str, query(text))] == expected
