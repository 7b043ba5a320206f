"""What is left over is told in fewer words, which say the same of all numbers.

What is divided by is said to be positive elsewhere, so nothing needs to be the same where it is not.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.logic.constraints.simpler import in_fewer_words, is_told_at_length
from relaylogic.logic.terms.numbers import Arith
from relaylogic.logic.terms.rebuilding import instantiate
from relaylogic.logic.terms.variables import fresh
from relaylogic.typings.query import query
from tests.effort import examples

VARIABLES = [fresh() for _ in range(3)]
VALUES = (0, 1, 2, 3, 7)


def written(operator: str, *operands: Any) -> Any:
    """An expression as it is written."""
    return Arith.draft((operator, operands))


EXPRESSIONS = st.recursive(
    st.sampled_from([*VARIABLES, *VARIABLES, 1, 2, 3, 17]),
    lambda below: st.builds(written, st.sampled_from(["+", "+", "-", "*", "//", "%", "min", "max"]), below, below),
    max_leaves=7,
)


def value_of(expression: Any, values: dict[Any, int]) -> int:
    """The integer that an expression is. Raises ZeroDivisionError if what is divided by is not positive."""
    if type(expression) is int:
        return expression
    if type(expression) is not Arith:
        return values[expression]
    operator, operands = expression.args
    numbers = [value_of(operand, values) for operand in operands]
    if operator in ("+", "*"):
        result = int(operator == "*")
        for number in numbers:
            result = result + number if operator == "+" else result * number
        return result
    a, b = numbers
    if operator == "-":
        return a - b
    if operator in ("min", "max"):
        return min(a, b) if operator == "min" else max(a, b)
    if b < 1:
        raise ZeroDivisionError
    return a // b if operator == "//" else a % b


def holds(comparison: tuple[str, Any, Any], values: dict[Any, int]) -> bool:
    """Whether a comparison holds. Raises ZeroDivisionError."""
    relation, left, right = comparison[0], *(value_of(side, values) for side in comparison[1:])
    return {"=": left == right, "!=": left != right, "<=": left <= right}[relation]


@settings(max_examples=examples(4000, 16))
@given(st.sampled_from(["=", "!=", "<="]), EXPRESSIONS, EXPRESSIONS)
def test_fewer_words_say_the_same(relation: str, left: Any, right: Any) -> None:
    if not is_told_at_length(left, right):
        return
    found = in_fewer_words(relation, left, right)
    for numbers in product(VALUES, repeat=len(VARIABLES)):
        values = dict(zip(VARIABLES, numbers, strict=True))
        try:
            expected = holds((relation, left, right), values)
        except ZeroDivisionError:
            continue
        assert holds(found, values) == expected, (found, numbers)


def test_what_is_told_is_told_in_as_few_words_the_next_time() -> None:
    n, m, k = VARIABLES
    told = in_fewer_words("=", written("+", written("//", written("+", n, 3, written("-", 1, k)), m), 4), 9)
    assert in_fewer_words(*told) == told
    assert str(instantiate(told[1:], {})) == str(told[1:])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n % 7 + 7 * (n // 7) = m", "m = n"),
        ("min(n, m) + max(n, m) = k", "n + m = k"),
        ("max(n, m) + min(n, m) - n = k", "k = m"),
        ("n // 2 + (n + 1) // 2 = m", "m = n"),
        ("n - n // 2 = m", "(n + 1) // 2 = m"),
        ("max(n, m) - min(n, m) = k", "max(n, m) - min(n, m) = k"),
        ("n // 2 + m // 2 = k", "n // 2 + m // 2 = k"),
    ],
)
def test_terms_of_a_sum_were_told_that_cancel_out(text: str, answer: str) -> None:
    assert [str(found) for found in query(text)] == [answer]
