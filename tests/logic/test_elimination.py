"""What elimination refutes has no solution; what contradicts itself in a circle is refuted, however long that is."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.logic.constraints.elimination import Row, refuted
from relaylogic.typings.query import query
from tests.effort import some


@pytest.mark.parametrize("seed", some(range(60), 4))
def test_what_is_refuted_has_no_solution(seed: int) -> None:
    rng = Random(seed)

    def row() -> Row:
        names = rng.sample("abc", rng.randint(1, 3))
        return Row({name: rng.choice([-3, -2, -1, 1, 2, 3]) for name in names}, rng.randint(-6, 6))

    agreed = 0
    for _ in range(40):
        equations = [row() for _ in range(rng.randint(0, 2))]
        box = [Row({name: sign}, bound) for name in "abc" for sign, bound in ((-1, 0), (1, 4))]
        inequalities = [*(row() for _ in range(rng.randint(0, 4))), *box]

        def satisfied(values: dict[str, int], rows: list[Row], is_equation: bool) -> bool:
            sums = [(sum(c * values[key] for key, c in row.coefficients.items()), row.bound) for row in rows]
            return all(total == bound if is_equation else total <= bound for total, bound in sums)

        points = (dict(zip("abc", point, strict=True)) for point in product(range(5), repeat=3))
        has_some = any(satisfied(p, equations, True) and satisfied(p, inequalities, False) for p in points)
        is_refuted = refuted(equations, inequalities)
        assert not (has_some and is_refuted), (equations, inequalities)
        agreed += has_some is not is_refuted
    assert agreed >= 30  # what no integers satisfy, though rational numbers do, may stay


@pytest.mark.parametrize("length", [2, 3, 7, 30])
def test_what_is_less_than_itself_in_a_circle_is_refuted(length: int) -> None:
    circle = [Row({i: 1, (i + 1) % length: -1}, -1) for i in range(length)]
    assert refuted([], circle) and not refuted([], circle[1:])


def test_numbers_that_grow_too_long_are_given_up() -> None:
    """Each unknown would double their length: a hundred of them took more than there is memory for."""
    rng = Random(1)
    rows = [Row({key: rng.randint(-(10**200), 10**200) for key in range(40)}, rng.randint(-9, 9)) for _ in range(40)]
    assert not refuted(rows, []) and not refuted([], rows)


@pytest.mark.parametrize(
    "text",
    [
        "n > m, m > k, k > n",
        "n > m, m >= k, k >= l, l >= n",
        "n + 1 = m, m + 1 = k, k <= n",
        "n >= m + k, m >= n + 1",
        "n * m < k, k < n * m",
        "n * m + 1 = k, k + 1 = l, l <= m * n",
        "n + m = 2 * k, m >= k, n >= k + 1",
        "X = Tensor[(n, m), int8], Y = Tensor[(m, k), int8], n > m, m > k, k > n",
    ],
)
def test_numbers_that_chase_each_other_are_refuted(text: str) -> None:
    """Their bounds crept upwards until they were let go: an answer that has no numbers."""
    goals = text.split(", ")
    for _ in goals:
        goals.append(goals.pop(0))
        assert not list(query(text)), text


def test_numbers_that_may_run_on_are_let_be() -> None:
    (answer,) = query("n > m, m > k, k >= 2 * l, l > 3")
    assert "l >= 4" in str(answer) and "n >= 10" in str(answer)
