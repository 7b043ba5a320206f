"""What is hidden is left out of answers as far as the rest can say the same of what is asked for, in a solved form."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some

from .test_disjoint import holds, says

# What is asked for, what holds of it and of hidden variables, and what is told.
PROJECTED = [
    # Something is what a hidden number is.
    ("k, m", "n = max(k, m), n >= 1", "max(k, m) >= 1"),
    ("n", "k + m = n, k = m * m", "m * m + m = n"),
    ("k, m", "n = k + m, n != 3", "k + m != 3"),
    # A hidden number lies between others, or may be as small, or as large, as it takes.
    ("n, m", "n <= k, k <= m", "n <= m"),
    ("n, m", "n <= 2 * k, k <= m", "n <= 2 * m"),
    ("n, m", "n <= 2 * k, 2 * k <= m", "n <= 2 * k, 2 * k <= m"),
    ("n", "n = max(k, m), n <= 7", "n <= 7"),
    ("n", "m != 1, n <= m", "true"),
    ("n, k", "n * m <= k * m", "true"),
    ("h", "4 * n != h", "true"),
    # Hidden numbers are added up.
    ("n", "n = 2 * k + 3 * m", "n != 1"),
    ("n", "n = 2 * k + 4 * m", "2 * m = n"),
    ("n", "n + 2 * k = 3 * m", "true"),
    ("n", "n + 2 * k = 4 * m", "n % 2 = 0"),
    ("n, i", "n + i + 6 * k = 9 * m", "(n + i) % 3 = 0"),
    ("n", "n = 6 * m + 10 * k + 15 * i", "6 * m + 10 * k + 15 * i = n"),
    # Terms that are not equal.
    ("s", "s != u", "true"),
    ("s, n", "s != u, n != 3", "n != 3"),
    ("A", "A != B, A != Tensor[(n), t]", "true"),
    # Lists.
    ("t", "append(s, u, t)", "len(t) = n"),
    ("t, n", "append(s, u, t), len(s) = n", "len(t) = m, n <= m"),
    ("t, n", "append(s, u, t), len(u) = n, n >= 1", "t = (m, ...k), len((m, ...k)) = i, n <= i, i >= 1, n >= 1"),
    ("t", "append(s, u, t), len(s) >= 2, len(u) >= 1", "t = (n, m, k, ...i)"),
    ("s, t", "append(s, u, t)", "append(s, u, t)"),
    ("s, u", "append(s, u, t)", "len(s) = n, len(u) = m"),
    ("s", "append(u, u, s)", "append(u, u, s)"),
    ("s", "append([n | u], [n | t], s)", "append((n, ...u), (n, ...s1), s)"),
    ("s", "reverse(s, u)", "len(s) = n"),
    ("s", "reverse([n | s], [n | u])", "reverse((n, ...s), (n, ...u))"),
    ("s", "reverse(s, u), sum(u) = 3", "reverse(s, u), sum(u) = 3"),
    ("s", "member(n, s)", "s = (n, ...m)"),
    ("s", "member(3, s), member(n, s)", "s = (n, ...m), member(3, (n, ...m))"),
    ("s", "member(n, s), n <= 5", "member(n, s), n <= 5"),
    ("n", "member(n, s)", "true"),
    ("s, u", "same_length(s, t), same_length(t, u)", "len(s) = len(u)"),
]

SOLVED = [
    ("max(n, m) = n", "m <= n"),
    ("max(n, m) = n + 1", "n + 1 = m, m >= 1"),
    ("max(n, m) != n", "n < m, m >= 1"),
    ("min(n, m) != m", "n < m, m >= 1"),
    ("n <= min(n, m)", "n <= m"),
    ("max(n, m) < n + 1", "m <= n"),
    ("max(n, m) = min(n, m)", "m = n"),
    ("max(n, m) = min(n, k)", "m <= n, n <= k"),
    ("n // 2 = m, n % 2 = k", "2 * m + k = n, k <= 1"),
    ("n // 2 = 2 * m, n % 2 = 0", "4 * m = n"),
    ("n // k = m, n % k = i", "k * m + i = n, i < k, k >= 1"),
    ("n % m = n", "n < m, m >= 1"),
    ("n % m != n", "m <= n, m >= 1, n >= 1"),
    ("n // 2 * 2 = n", "n % 2 = 0"),
    ("(n + m) // (n + m) = k", "k = 1, n + m >= 1"),
    ("(n + m) * k // (n + m) = i", "i = k, n + m >= 1"),
]


def rules(clause: str) -> RuleBase:
    """A rule base of one clause."""
    base = RuleBase()
    load_clauses(base, clause)
    return base


@pytest.mark.parametrize(("asked", "goals", "told"), PROJECTED)
def test_what_is_hidden_is_projected(asked: str, goals: str, told: str) -> None:
    found = query(f"Asked({asked})", rules=rules(f"Asked({asked}) :- {goals}."))
    assert [str(answer) for answer in found] == [told] and found.status == "exhausted"


@pytest.mark.parametrize(("goals", "told"), SOLVED)
def test_comparisons_are_told_in_a_solved_form(goals: str, told: str) -> None:
    assert [str(answer) for answer in query(goals)] == [told]


@pytest.mark.parametrize(("asked", "goals", "told"), [case for case in PROJECTED if set("stuA").isdisjoint(case[0])])
def test_what_is_projected_says_the_same_of_numbers(asked: str, goals: str, told: str) -> None:
    """What is hidden is tried up to 11: what is asked for is so small that no sum of it is more."""
    names = asked.split(", ")
    for values in some(product(range(6), repeat=len(names)), 3) if "member" not in goals else ():
        given: dict[str, object] = dict(zip(names, values, strict=True))
        assert says(told, given) == says(goals, given), given


@pytest.mark.parametrize(("goals", "told"), SOLVED)
def test_a_solved_form_says_the_same(goals: str, told: str) -> None:
    names = sorted({letter for letter in goals if letter in "nmki"} - {"i"} | ({"i"} if " = i" in goals else set()))
    for values in product(range(5), repeat=len(names)):
        given = dict(zip(names, values, strict=True))
        assert holds(told, given) == holds(goals, given), given


AGREEING = ("agree({}, {})", "follows({}, {})", "agree({}, {})", "{} + 1 = {}", "{} != {}", "{} <= {}")


@pytest.mark.parametrize("seed", some(range(60), 20))
def test_what_is_hidden_between_numbers_that_agree_is_a_number(seed: int) -> None:
    """`agree(h, j), j + 1 = h` held of two hidden ones, as if one could be `?`; where all that is asked for has values,
    nothing makes it `?`."""
    random = Random(seed)
    goals = [(random.choice(AGREEING), random.sample("nmkhij", 2)) for _ in range(random.randrange(3, 6))]
    rules = RuleBase()
    load_clauses(rules, f"Hides(n, m, k) :- {', '.join(form.format(*names) for form, names in goals)}.", "mine.rel")
    found = query("Hides(n, m, k), 1 <= n <= 3, 1 <= m <= 3, 1 <= k <= 3", rules=rules, ground=True)
    answers = [tuple(answer.bindings.values()) for answer in found]
    told = {
        "agree": int.__eq__,
        "follows": int.__eq__,
        "+": lambda a, b: a + 1 == b,
        "!=": int.__ne__,
        "<=": int.__le__,
    }
    said = [
        (next(told[word] for word in told if word in form), "nmkhij".index(a), "nmkhij".index(b))
        for form, (a, b) in goals
    ]
    values = product(*[range(1, 4)] * 3, *[range(7)] * 3)
    expected = {known[:3] for known in values if all(holds(known[a], known[b]) for holds, a, b in said)}
    assert sorted(answers) == sorted(expected)
