"""Comparisons that no numbers satisfy are refuted, also where bounds do not tell and where minima must be gone through,
and what is said of the sums and products of open lists is part of them.

The property tests compare with brute force: three numbers, sums, products, quotients, remainders, minima and maxima.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import prod
from random import Random

import pytest

from relaylogic.typings.query import query
from tests.effort import some

REFUTED = [
    ["x = min(n, m)", "x > n"],
    ["max(n, m) > m", "n < m"],
    ["n < m", "n = max(m, 3)"],
    ["min(n, m) < n", "n <= m"],
    ["max(n, m) + min(n, m) != n + m", "n <= m"],
    ["n < m", "2 * n + k - n <= m", "m < k"],
    ["n + 5 + k % 2 < n - m"],
    ["n // 3 > n"],
    ["m <= m // 2", "k < n % m"],
    ["n % m >= m"],
    ["m * (n // m) > n"],
    ["k // n > n + k"],
    ["max(n, m) <= k", "k < n * m", "n <= 1", "m <= 1"],
    ["n * m < n", "m >= 1"],
    ["n >= m", "n * k < m * k"],
    ["n * n < m", "m < n"],
    ["n != m", "n <= m", "m <= n"],
    ["n // 0 = m"],
    ["n % 0 < 2"],
    ["n // (m - m) = k"],
    ["k + k // 0 != k"],
    ["n // n > m", "n % n > min(4, n)"],
    ["2 * n <= 3 * m", "3 * m < 2 * n"],
    ["s = [2 | u]", "prod(s) = 13"],
    ["s = [n, m | u]", "prod(s) = 1", "n >= 2"],
    ["s = [n | u]", "sum(s) = k", "k < n"],
    ["s = [2 | u]", "v = [3 | u]", "prod(s) = prod(v)", "prod(u) >= 1"],
    ["prod(s) = 6", "member(4, s)"],
    ["prod(s) >= 1", "member(0, s)"],
    ["sum(s) = 3", "member(5, s)"],
    ["prod(s) = 13", "s[-1] = 4"],
    ["append(s, u, v)", "sum(v) < sum(s)"],
    ["append(s, u, v)", "prod(s) = 2", "prod(u) = 3", "prod(v) = 5"],
    ["reverse(s, u)", "sum(s) < sum(u)"],
    ["append([n, 1 | s], u, [m, 3 | v])"],
    ["len(s) = 2 * n", "len(s) = 3"],
    ["append(s, u, v)", "len(s) = n", "len(v) = m", "m < n"],
    ["reverse(s, u)", "len(s) = n", "len(u) = m", "n != m"],
    ["append(s, [2], u)", "append(s, [3], u)"],
    ["append(s, [n], u)", "append(s, [2], u)", "n != 2"],
    ["append(s, u, [n | v])", "append(s, u, [m | v])", "n < m"],
    ["distinct(s)", "s = [n, m | u]", "n = m"],
    ["n * n = 2 * m * m", "n > 0"],
    ["n * n * n = 4 * m * m * m", "m > 0"],
    ["n * n = 2 * m + 1", "m % 2 = 1"],
    ["n * n = m", "m % 4 = 2"],
    ["n * m = n + m", "n > 2"],
    ["append(s, s, u)", "prod(u) = 8"],
    ["is_float(t)", "is_integer(t)"],
    ["prod(s) = 3", "s[n] = 2"],
    ["sum(s) = 3", "s[n] = 4"],
    ["sum(s) < len(s)", "prod(s) > 0"],
    ["append(s, u, v)", "sum(v) < len(s)", "prod(v) = n", "n >= 2"],
    ["m <= min(2, k - n)", "k < n"],
    ["m <= max(n - k, x - k)", "n < k", "x < k"],
    ["m <= (k - n) // 2", "k < n"],
    ["n + m + 1 <= n // (m * m)"],
    ["n * m * k < n", "m >= 1", "k >= 1"],
    ["n * m * k < k * n", "m >= 1"],
    ["n * m * k <= 5", "n >= 2", "m >= 2", "k >= 2"],
    ["n = 2 * n", "n >= 1", "reshape(A, newshape=[-1, m]) = Tensor[(n, m, n), int8]"],
]


@pytest.mark.parametrize("goals", REFUTED, ids=", ".join)
def test_what_nothing_satisfies_is_refuted(goals: list[str]) -> None:
    for first in range(len(goals)):
        found = query(", ".join(goals[first:] + goals[:first]))
        assert not list(found) and found.status == "exhausted"


def test_what_one_of_many_constraints_refutes_is_refuted_in_any_order() -> None:
    """All cases together are too many to be gone through."""
    goals = ["n * m != n", "k != min(4, m)", "max(k, 1) // 4 != k // 4"]
    for order in permutations(goals):
        assert not list(query(", ".join(order))), order


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("x = min(n, m), x >= n", ["min(n, m) = x"]),
        ("n <= m // 2, k < n % m", ["n <= m // 2"]),
        ("n != m, n <= m", ["n != m"]),
        ("m <= n // m, n < 100", ["n <= 99"]),
        ("n + m + n <= 7", ["2 * n + m <= 7", "n <= 3"]),
        ("prod(s) = 6, member(3, s)", ["member(3, s)"]),
        ("s = [n, m | u], prod(s) = 12", ["n >= 1", "n <= 12", "m >= 1", "m <= 12"]),
        ("s = [2 | u], v = [2 | u], prod(s) = prod(v)", ["s = (2, ...u), v = (2, ...u)"]),
        ("append(s, u, v), append(s, u, w)", ["w = v, append(s, u, v)"]),
        ("append([n, 1 | s], u, [2, m | v])", ["n = 2", "m = 1"]),
    ],
)
def test_what_something_satisfies_is_not(text: str, answers: list[str]) -> None:
    (found,) = query(text)
    assert all(part in str(found) for part in answers)


def expression(rng: Random, depth: int) -> str:
    if not depth or rng.random() < 0.35:
        return rng.choice("nmk") if rng.random() < 0.75 else str(rng.randint(0, 5))
    operator = rng.choice(["+", "+", "-", "*", "min", "max", "//", "%"])
    left, right = expression(rng, depth - 1), expression(rng, depth - 1)
    if operator in ("min", "max"):
        return f"{operator}({left}, {right})"
    if operator in ("//", "%") and rng.random() < 0.6:
        right = str(rng.randint(1, 4))
    return f"({left} {operator} {right})"


def comparison(rng: Random) -> tuple[str, str, str]:
    relation = rng.choice(["=", "=", "<", "<=", ">", ">=", "!="])
    return expression(rng, rng.choice([0, 1, 1, 2])), relation, expression(rng, rng.choice([0, 1]))


def comparisons(rng: Random, number: int) -> tuple[list[str], Callable[[tuple[int, ...]], bool]]:
    """Some comparisons, and whether numbers satisfy them all as Python computes them: nothing is divided by 0."""
    made = [comparison(rng) for _ in range(number)]
    text = " and ".join(f"{left} {'==' if relation == '=' else relation} {right}" for left, relation, right in made)
    holds = eval(f"lambda n, m, k: {text}", {"min": min, "max": max})

    def satisfied(point: tuple[int, ...]) -> bool:
        try:
            return bool(holds(*point))
        except ZeroDivisionError:
            return False

    return [" ".join(parts) for parts in made], satisfied


@pytest.mark.parametrize("seed", range(6))
def test_of_what_nothing_satisfies_nearly_all_is_refuted(seed: int) -> None:
    rng = Random(seed)
    unsatisfied = kept = 0
    for _ in range(30):
        goals, satisfied = comparisons(rng, rng.choice([2, 3, 3, 4]))
        has_some = any(map(satisfied, product(range(12), repeat=3)))
        answers = list(query(", ".join(goals)))
        assert answers or not has_some, f"seed {seed}: {', '.join(goals)}"
        unsatisfied += not has_some
        kept += bool(answers) and not has_some
    assert unsatisfied >= 5 and kept <= 2, f"seed {seed}: {kept} of {unsatisfied} have answers"


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_what_some_list_satisfies_has_an_answer(seed: int) -> None:
    rng = Random(f"lists:{seed}")
    lists = [items for length in range(6) for items in product(range(4), repeat=length)]
    unsatisfied = kept = 0
    for _ in range(20):
        made = []
        for _ in range(rng.choice([2, 2, 3])):
            left, right = rng.sample(["sum(s)", "prod(s)", "len(s)"], 2)
            right = rng.choice([right, right, str(rng.randint(0, 3)), f"{right} + {rng.randint(0, 2)}"])
            made.append((left, rng.choice(["=", "<=", "<", ">=", ">"]), right))
        text = " and ".join(f"{left} {'==' if how == '=' else how} {right}" for left, how, right in made)
        satisfied = eval(f"lambda s: {text}", {"sum": sum, "prod": prod, "len": len})
        has_some = any(map(satisfied, lists))
        answers = list(query(", ".join(map(" ".join, made))))
        assert answers or not has_some, f"seed {seed}: {text}"
        unsatisfied += not has_some
        kept += bool(answers) and not has_some
    assert unsatisfied >= 2 and kept <= 1, f"seed {seed}: {kept} of {unsatisfied} have answers"


@pytest.mark.parametrize("seed", range(6))
def test_what_is_listed_is_what_brute_force_finds(seed: int) -> None:
    rng = Random(seed)
    for _ in range(30):
        goals, satisfied = comparisons(rng, rng.choice([1, 2, 3]))
        expected = list(filter(satisfied, product(range(5), repeat=3)))
        goals += ["n <= 4", "m <= 4", "k <= 4"]
        rng.shuffle(goals)
        found = [tuple(answer.bindings[name] for name in "nmk") for answer in query(", ".join(goals), max_dim=4)]
        assert sorted(found) == expected, f"seed {seed}: {', '.join(goals)}"
