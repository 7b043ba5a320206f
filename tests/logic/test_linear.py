"""What equations and comparisons say together is told with the answer, and nothing else is."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from relaylogic.logic.constraints.elimination import Row, opposite, solved
from relaylogic.typings.query import query
from tests.effort import some

NAMES = "n", "m", "k"
MOST = 6


def written(row: list[int]) -> str:
    terms = " + ".join(f"{c} * {name}" for c, name in zip(row, NAMES, strict=True) if c > 0) or "0"
    taken = " + ".join(f"{-c} * {name}" for c, name in zip(row, NAMES, strict=True) if c < 0) or "0"
    return f"{terms} {{}} {taken} + {{}}"


@pytest.mark.parametrize("seed", some(range(40), 3))
def test_an_answer_has_the_solutions_of_what_was_asked(seed: int) -> None:
    rng = Random(seed)
    for _ in range(5):
        rows = [[rng.choice([-2, -1, 0, 1, 1, 2]) for _ in NAMES] for _ in range(rng.randint(2, 4))]
        signs = [rng.choice(["=", "=", "<=", ">="]) for _ in rows]
        hidden = [rng.randint(0, MOST) for _ in NAMES]
        bounds = [sum(c * v for c, v in zip(row, hidden, strict=True)) + rng.choice([0, 0, 0, 1]) for row in rows]
        goals = [written(row).format(sign, bound) for row, sign, bound in zip(rows, signs, bounds, strict=True)]
        goals += [f"{name} <= {MOST}" for name in NAMES]
        compare = {"=": int.__eq__, "<=": int.__le__, ">=": int.__ge__}
        expected = {
            point
            for point in product(range(MOST + 1), repeat=3)
            if all(
                compare[sign](sum(c * v for c, v in zip(row, point, strict=True)), bound)
                for row, sign, bound in zip(rows, signs, bounds, strict=True)
            )
        }
        found = set()
        for answer in query(", ".join(goals)):
            within = f"{answer}, {', '.join(f'{name} <= {MOST}' for name in NAMES)}"
            found |= {tuple(one.bindings[name] for name in NAMES) for one in query(within, ground=True)}
        assert found == expected, goals


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n + m + k = 10, n - m + k = 4, n + m - k = 2", "n = 3, m = 3, k = 4"),
        ("n + m + k = 10, n - m + k = 5, n + m - k = 2", None),
        ("k + n = m + 1, 3 * n + 3 * k = m + 1, 3 * k = n", None),  # m is -1
        ("2 * n + 3 * m = 12, 3 * n + 2 * m = 13", "n = 3, m = 2"),
        ("n * m + k = 7, n * m - k = 5, n <= m", "k = 1, n * m = 6, n <= m, n >= 1, n <= 6, m >= 1, m <= 6"),
        ("n >= m, m >= n", "m = n"),
        ("n <= m, m <= k, k <= n + 1", "n <= m, m <= k, k <= n + 1"),
        ("n = m + k, n <= m", "m = n, k = 0"),
        ("n % m = 0, n = m + 1, m > 1", None),
        ("concatenate((Tensor[(n), t], Tensor[(m), t]), axis=0) = Tensor[(10), t], n = m + 4", "n = 7, m = 3"),
    ],
)
def test_numbers_kept_bounds_although_equations_determine_them(text: str, answer: str | None) -> None:
    goals = text.split(", ") if "concatenate" not in text else [text]
    for order in permutations(goals):
        found = [{*str(one).split(", ")} for one in query(", ".join(order))]
        if answer is not None and answer.startswith("m = n"):  # which of two names stands for both is told by the order
            assert found in ([{*answer.split(", ")}], [{*answer.replace("m = n", "n = m").split(", ")}])
        else:
            assert found == ([] if answer is None else [{*answer.split(", ")}])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n + m <= k, k <= n", "m = 0, k = n"),
        ("n * m <= k, k <= i, i <= n * m", "i = k, n * m = k"),
        ("2 * n <= m, m <= k + 1, k <= 2 * n - 1", "2 * n = m, k + 1 = m, n >= 1, m >= 2, k >= 1"),
    ],
)
def test_comparisons_that_cannot_be_less_are_equations(text: str, answer: str) -> None:
    assert [*map(str, query(text))] == [answer]


@pytest.mark.parametrize("length", [2, 3, 7])
def test_what_is_at_most_itself_in_a_circle_is_one_number(length: int) -> None:
    names = [f"n{i}" for i in range(length)]
    (answer,) = query(", ".join(f"{a} <= {b}" for a, b in zip(names, names[1:] + names[:1], strict=True)))
    assert len(set(map(answer.bindings.get, names))) == 1 and not answer.residue


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("n * n = m * m", ["m = n"]),
        ("n * n * n = m * m * m, n != m", []),
        ("n * n * m * m = k * k", ["n * m = k"]),
        ("4 * n * n = 9 * m * m", ["2 * n = 3 * m"]),
        ("n * n = 2 * m * m", ["n * n = 2 * m * m"]),
        ("n * n * k = m * m * k", ["n * n * k = k * m * m"]),
        ("n * n = k, m * m = k", ["m = n, n * n = k"]),
        ("n * n = k + i, m * m = k + i", ["m = n, n * n = k + i"]),
    ],
)
def test_powers_that_are_equal_are_those_of_one_number(text: str, answers: list[str]) -> None:
    assert [*map(str, query(text))] == answers


def test_many_equations_are_solved_at_once() -> None:
    chain = [Row({i: 1, i + 1: 1}, 2 * i + 1) for i in range(150)]
    known = solved([*chain, Row({0: 1, 150: 1}, 150)])
    assert known is not None
    assert {i: row.bound // row.coefficients[i] for i, row in known.items()} == {i: i for i in range(151)}
    assert solved([*chain, Row({0: 1, 150: 1}, 151)]) is None


def test_what_is_bounded_from_both_sides_is_an_equation() -> None:
    rows = [Row({"a": 2, "b": -2}, 7), Row({"a": -1, "b": 1}, -3), Row({"a": 1}, 4)]
    (equation,) = opposite(rows)
    assert {**equation.coefficients} in ({"a": 1, "b": -1}, {"a": -1, "b": 1}) and abs(equation.bound) == 3
