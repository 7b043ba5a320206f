"""What is known of a product or a remainder tells of the signs in it, and nothing that holds is ruled out."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.logic import Budget, Search, State, equals, fresh, lall, leo
from relaylogic.logic.terms.numbers import difference, floordiv, mod, plus, times
from relaylogic.logic.terms.terms import walk
from relaylogic.typings.query import query

HIGHEST = 4
OPERATORS = {"+": plus, "-": difference, "*": times, "//": floordiv, "%": mod}
BARE = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}


def _drawn(rng: Random, depth: int) -> object:
    """A name, a number, or an operator with two such: differences are frequent, so that signs are open."""
    if not depth or rng.random() < 0.2:
        return rng.choice(["n", "m", "k", rng.randint(-3, 3)])
    return rng.choice(["-", "-", "*", "*", "%", "//", "+"]), _drawn(rng, depth - 1), _drawn(rng, depth - 1)


def _value(expression: object, known: dict[str, object], operators: dict[str, object]) -> object:
    if type(expression) is not tuple:
        return known.get(expression, expression)
    operator, left, right = expression
    return operators[operator](_value(left, known, operators), _value(right, known, operators))


@pytest.mark.parametrize("seed", range(4))
def test_bounds_leave_all_that_holds(seed: int) -> None:
    rng = Random(seed)
    for _ in range(150):
        expression, low = _drawn(rng, rng.choice([1, 2, 2])), rng.randint(-6, 9)
        high = low + rng.choice([0, 0, 1, 5])
        holding = []
        for point in product(range(HIGHEST + 1), repeat=3):
            try:
                if low <= _value(expression, dict(zip("nmk", point, strict=True)), BARE) <= high:
                    holding.append(point)
            except ZeroDivisionError:
                pass
        names = fresh(3)
        term = _value(expression, dict(zip("nmk", names, strict=True)), OPERATORS)
        said = [equals(term, low)] if low == high else [leo(low, term), leo(term, high)]
        bounded = [leo(name, HIGHEST) for name in names]
        for goals in ((*said, *bounded), (*bounded, *said)):
            states = list(lall(*goals)(State({}, None, Search(Budget(10_000), gradual=False))))
            assert states or not holding, (expression, low, high)
            for state in states:
                for index, name in enumerate(names):
                    end = walk(name, state.bindings)
                    least, most = (end, end) if type(end) is int else state.bounds(end)
                    assert all(least <= point[index] <= most for point in holding), (expression, low, high)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("(k - n) * m = 2, m >= 3", []),
        ("(k - n) * m = 2", ["(k - n) * m = 2, k >= 1, m >= 1, m <= 2"]),
        ("(n - m) * k >= 1, n <= 1", ["n = 1, m = 0, k >= 1"]),
        ("(n - m) * k + 6 = 0, m <= 0", []),
        ("n % (1 - m) = 2", []),
        ("k % (n - m) = 3, n < 4", []),
        ("0 % (n - 2) < 0", []),
        ("2 % (m - n) = n, n >= 4", []),
        ("2 % (m + 1) = 1, m >= 1", []),
        ("9 % n <= 4", ["9 % n <= 4, n >= 1, n <= 9"]),
        ("0 * k != m", ["m >= 1"]),
        ("n * m != 0", ["n >= 1, m >= 1"]),
        ("k // 3 != n * 0", ["k >= 3"]),
        ("n + 1 != 0", ["true"]),
        ("min(n,3) != 3", ["n <= 2"]),
    ],
)
def test_signs_and_ends_are_told(text: str, answers: list[str]) -> None:
    goals = text.split(", ")
    for order in (goals, goals[::-1]):
        found = query(", ".join(order))
        assert (list(map(str, found)), found.status) == (answers, "exhausted")


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("max(2, n) * -1 = -3", ["n = 3"]),
        ("min(5, n) * -2 = -6", ["n = 3"]),
        ("(n // 2) * -1 = -3", ["n >= 6, n <= 7"]),
        ("max(2, n) * -1 = -3, k % (n - 3) >= 0", []),
    ],
)
def test_a_negative_factor_is_the_opposite_of_a_positive_one(text: str, answers: list[str]) -> None:
    """Nothing was known of the other factors; what was left over was an answer though no number satisfied it."""
    assert [str(answer) for answer in query(text)] == answers
