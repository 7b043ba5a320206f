"""Comparisons that follow from others are not told, and what is told says the same, against brute force."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some
from tests.typings.test_disjoint import holds, says

NAMES = ("n", "m", "k")
VALUES = [dict(zip(NAMES, values, strict=True)) for values in product(range(7), repeat=3)]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n + m = k, n <= k", "n + m = k"),
        ("n * m = k, k <= n * m", "n * m = k"),
        ("n <= m, m <= k, n <= k", "n <= m, m <= k"),
        ("n < m, n != m", "n < m, m >= 1"),
        ("max(n, m) = k, n <= k", "max(n, m) = k"),
        ("m * n = k // n, k // n <= m * n", "m * n = k // n, n >= 1"),
        ("n * m = k, m >= 1, n <= k", "n * m = k, m >= 1"),
        ("n <= k, k <= n + 1, n <= k + 1", "n <= k, k <= n + 1"),
        ("n // m <= k, n <= k", "n // m <= k, n <= k, m >= 1"),  # else nobody would say that m is not 0
    ],
)
def test_what_follows_is_not_told(text: str, answer: str) -> None:
    assert [*map(str, query(text, rules=RuleBase()))] == [answer]


def comparisons(random: Random) -> list[str]:
    """Some comparisons of sums, products, quotients, minima and maxima."""

    def side() -> str:
        one, other = random.sample(NAMES, 2)
        made = (one, f"{one} + {random.randint(0, 3)}", f"{one} + {other}", f"{one} * {other}", f"2 * {one}")
        return random.choice((*made, f"{one} // {random.randint(2, 3)}", f"{one} // {other}", f"min({one}, {other})"))

    return [f"{side()} {random.choice(('<=', '<=', '=', '!='))} {side()}" for _ in range(random.randint(2, 4))]


def test_what_is_told_says_the_same() -> None:
    for number in some(range(600), 5):
        text = ", ".join(comparisons(Random(f"implied:{number}")))
        answers = [*map(str, query(text, rules=RuleBase()))]
        for values in VALUES:
            assert any(says(answer, values) for answer in answers) == holds(text, values), (text, values, answers)
