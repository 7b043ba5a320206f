"""In which cases two terms are one: all of these, and no others, against every choice of small numbers."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.infer.sites.coincidence import coincidences
from relaylogic.logic.terms.numbers import UNKNOWN, substitute
from relaylogic.types import TensorType, TypeVar
from relaylogic.types.substitution import substitute as put
from tests.effort import examples

NAMES = [TypeVar(name, "ShapeVar") for name in "nmk"]
VALUES = (0, 1, 2, 3, 4, UNKNOWN)
COEFFICIENTS = st.integers(0, 3)
NUMBERS = st.one_of(
    st.just(UNKNOWN),
    st.builds(lambda a, b, c, d: a * NAMES[0] + b * NAMES[1] + c * NAMES[2] + d, *[COEFFICIENTS] * 4),
)


def is_case(values, cases):
    """Whether some case is that of these values of the names."""
    return any(
        all(substitute(term, values) == values[name] for name, term in case.items())
        and all(number_is_natural(substitute(number, values)) for number in naturals)
        for case, naturals in cases
    )


def number_is_natural(number):
    return number is UNKNOWN or number >= 0


@settings(max_examples=examples(300))
@given(NUMBERS, NUMBERS)
def test_numbers_are_one_in_these_cases_alone(left, right):
    assume(left is not right)
    cases = coincidences(left, right)
    for values in product(VALUES, repeat=3):
        chosen = dict(zip(NAMES, values, strict=True))
        sides = substitute(left, chosen), substitute(right, chosen)
        if cases is not None:
            same = sides[0] is sides[1] or sides[0] == sides[1]
            assert not same or is_case(chosen, cases), (left, right, values, cases)
            assert same or UNKNOWN in values or not is_case(chosen, cases), (left, right, values, cases)


def test_most_pairs_of_numbers_are_told():
    n, m, _ = NAMES
    for left, right in [(n, 1), (n + 1, 4), (n, m), (n + m, 3), (2 * n, 3), (2 * n, 4), (n, UNKNOWN), (n + m, m + 2)]:
        assert coincidences(left, right) is not None
    assert coincidences(n * m, 6) is None


def test_types_are_one_where_their_parts_are():
    n, m, _ = NAMES
    (case,) = coincidences(TensorType((n, 4), "int8"), TensorType((3, m), "int8"))
    assert case == ({n: 3, m: 4}, [])
    assert coincidences(TensorType((n, 4), "int8"), TensorType((n, 4), "int32")) == []
    (other,) = coincidences(TensorType((n,), "int8"), TensorType((m,), "int8"))
    assert put(TensorType((n,), "int8"), other[0], []) is put(TensorType((m,), "int8"), other[0], [])
