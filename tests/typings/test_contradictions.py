"""That numbers are equal and different is no answer, whatever they are and however they are written."""

from __future__ import annotations

from random import Random

import pytest

from relaylogic.typings.query import query
from tests.effort import some

SWAPPED = frozenset({"+", "*", "max", "min"})
"""The operations whose operands may be exchanged."""


def number(random: Random, depth: int = 2) -> tuple[str, str]:
    """An expression, and another way to write it."""
    if depth == 0 or random.random() < 0.3:
        leaf = random.choice(["n", "m", "k", str(random.randint(1, 4))])
        return leaf, leaf
    operation = random.choice(["+", "*", "//", "//", "%", "max", "min"])
    ways = zip(number(random, depth - 1), number(random, depth - 1), strict=True)
    first, second = [sorted(pair, key=lambda _: random.random()) if operation in SWAPPED else pair for pair in ways]
    form = "{}({}, {})" if operation in ("max", "min") else "({1} {0} {2})"
    return form.format(operation, *first), form.format(operation, *second)


def test_no_numbers_are_equal_and_different() -> None:
    for case in some(range(300), 6):
        random = Random(f"contradictions:{case}")
        (left, again), (right, other) = number(random), number(random)
        for text in (f"{left} = {right}, {again} != {other}", f"i = {left}, j = {again}, i != j"):
            found = query(text)
            assert [*map(str, found)] == [] and found.status == "exhausted", text


@pytest.mark.parametrize(
    "text",
    ["m = k // n, m != k // n", "m * m = (k + 3) % n, (k + 3) % n != m * m", "m = k // (n + 1), m != k // (1 + n)"],
)
def test_a_quotient_was_two_numbers_where_it_was_written_twice(text: str) -> None:
    assert [*map(str, query(text))] == []
