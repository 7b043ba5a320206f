"""The normal form of numbers over symbols against brute force, and what it makes one."""

from __future__ import annotations

import re
from itertools import permutations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.logic import fresh
from relaylogic.logic.terms import numbers
from relaylogic.logic.terms.numbers import UNKNOWN
from relaylogic.text import parse_type
from relaylogic.types import TypeVar
from tests.effort import examples

NAMES = ("h", "n", "w")
SYMBOLS = {name: TypeVar(name, "ShapeVar") for name in NAMES}
POINTS = [dict(zip(NAMES, values)) for values in product((0, 1, 2, 3, 7), repeat=3)]

# An expression as written: an int, a name, or an operator with expressions.

OPERATORS = {
    "+": (numbers.add, lambda a, b: a + b),
    "-": (lambda a, b: numbers.add(a, numbers.mul(-1, b)), lambda a, b: a - b),
    "*": (numbers.mul, lambda a, b: a * b),
    "//": (numbers.quotient, lambda a, b: a // b),
    "%": (numbers.remainder, lambda a, b: a % b),
    "min": (numbers.minimum, min),
    "max": (numbers.maximum, max),
}


def normal(expression, symbols=SYMBOLS):
    """The normal form, or None if it divides by 0."""
    if type(expression) is not tuple:
        return symbols[expression] if type(expression) is str else expression
    operator, *operands = expression
    values = [normal(operand, symbols) for operand in operands]
    return None if None in values else OPERATORS[operator][0](*values)


def value(expression, point):
    """The value at a point, or None if the expression divides by 0 there."""
    if type(expression) is not tuple:
        return point[expression] if type(expression) is str else expression
    operator, *operands = expression
    a, b = (value(operand, point) for operand in operands)
    if a is None or b is None or (b == 0 and operator in ("//", "%")):
        return None
    return OPERATORS[operator][1](a, b)


def value_of(number, point):
    """The value of a normal form at a point."""
    return numbers.substitute(number, {SYMBOLS[name]: extent for name, extent in point.items()})


def extents(*texts):
    """The extents that texts in Relay's syntax say, over symbols `h`, `k`, `m`, `n`, `w`."""
    kinds = ", ".join(f"{name}: ShapeVar" for name in "hkmnw")
    return parse_type(f"fn [{kinds}]() -> Tensor[({', '.join(texts)}), int8]").ret_type.shape


leaves = st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(-3, 7))
divisors = st.one_of(
    st.integers(1, 8),
    st.sampled_from([2, 4]),
    st.sampled_from(NAMES),
    st.tuples(st.just("*"), st.integers(1, 3), st.sampled_from(NAMES)),
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "min", "max"]), inner, inner),
        st.tuples(st.sampled_from(["//", "//", "%"]), inner, divisors),
        st.tuples(st.sampled_from(["//", "%"]), inner, inner),
    ),
    max_leaves=7,
)


def agrees(expression, number):
    """Whether a normal form has the values of an expression, wherever this has one."""
    for point in POINTS:
        wanted = value(expression, point)
        if wanted is not None:
            assert value_of(number, point) == wanted, (expression, str(number), point)


@settings(max_examples=examples(400))
@given(expressions)
def test_a_normal_form_has_the_values_of_what_was_written(expression):
    number = normal(expression)
    assume(number is not None)
    agrees(expression, number)


def rebuilt(number, symbols):
    """A normal form made again, operation by operation."""
    if type(number) is not numbers.Arith:
        return symbols.get(number, number)
    operator, operands = number.args
    made = [rebuilt(operand, symbols) for operand in operands]
    result = made[0]
    for operand in made[1:]:
        result = OPERATORS[operator][0](result, operand)
    return result


@settings(max_examples=examples(300))
@given(expressions)
def test_a_normal_form_is_its_own(expression):
    number = normal(expression)
    assume(number is not None)
    assert rebuilt(number, {}) is number or rebuilt(number, {}) == number, str(number)


@settings(max_examples=examples(300))
@given(expressions)
def test_a_normal_form_is_read_as_it_is_printed(expression):
    number = normal(expression)
    assume(number is not None and not re.search(r"//? (m|\([^)]*\()", str(number)))  # a comment, for Relay's lexer
    kinds = ", ".join(f"{name}: ShapeVar" for name in NAMES)
    read = parse_type(f"fn [{kinds}](Tensor[({', '.join(NAMES)}), int8]) -> Tensor[({number}), int8]")
    (symbols,) = (dict(zip(SYMBOLS.values(), read.arg_types[0].shape)),)
    assert rebuilt(number, symbols) == read.ret_type.shape[0], str(number)


@settings(max_examples=examples(200))
@given(st.sampled_from(["+", "*", "min", "max"]), st.lists(expressions, min_size=2, max_size=4), st.data())
def test_the_order_of_operands_does_not_matter(operator, operands, data):
    made = [normal(operand) for operand in operands]
    assume(None not in made)
    found = set()
    for order in permutations(made):
        left = right = None
        for number in order:
            left = number if left is None else OPERATORS[operator][0](left, number)
        for number in reversed(order):
            right = number if right is None else OPERATORS[operator][0](number, right)
        found |= {left, right}
    assert len(found) == 1, [str(number) for number in found]


@settings(max_examples=examples(200))
@given(expressions, st.fixed_dictionaries(dict.fromkeys(NAMES, expressions)))
def test_substitution_commutes_with_evaluation(expression, replacement):
    number = normal(expression)
    replaced = {SYMBOLS[name]: normal(other) for name, other in replacement.items()}
    assume(number is not None and None not in replaced.values())
    result = numbers.substitute(number, replaced)
    for point in POINTS[::3]:
        inner = {name: value(other, point) for name, other in replacement.items()}
        # Symbols stand for naturals.
        if any(extent is None or extent < 0 for extent in inner.values()):
            continue
        wanted = value(expression, inner)
        if wanted is not None and result is not None:
            assert value_of(result, point) == wanted


@settings(max_examples=examples(200))
@given(expressions)
def test_the_range_of_a_number_holds_its_values(expression):
    number = normal(expression)
    assume(number is not None)
    low, high = numbers.range_of(number)
    for point in POINTS:
        found = value(expression, point)
        assert found is None or ((low is None or low <= found) and (high is None or found <= high)), str(number)


@pytest.mark.parametrize(
    ("expression", "is_natural"),
    [
        ("min(9, n) - min(1, n)", True),
        ("min(9, n) - min(12, n)", False),
        ("n + 9 - max(9, n)", True),
        ("min(n, m) + min(n, k) - min(min(n, m), min(n, k))", True),
    ],
)
def test_a_minimum_that_is_added_is_one_or_the_other(expression, is_natural):
    (number,) = extents(expression)
    least = numbers.least(number)
    assert (least is not None and least >= 0) is is_natural


# --- what is one -----------------------------------------------------------------------------------------------------

NATURAL = [
    ("(h + 1) // 2", "(h + 3) // 2 - 1", "h - h // 2"),
    ("(h + 3) // 4", "((h + 1) // 2 + 1) // 2", "(h - h // 2 + 1) // 2"),
    ("8 * (h // 2) * (w // 2)", "(w // 2) * 4 * (h // 2) * 2"),
    ("n", "(2 * n + 1) // 2", "n // 2 + (n + 1) // 2", "n % 4 + 4 * (n // 4)", "n * k // k", "min(n, n + 3)"),
    ("n // 2", "(4 * n + 3) // 8", "(n - n % 2) // 2"),
    ("(n + 1) // 2", "(4 * n + 6) // 8"),
    ("m + 1", "(n * m + n) // n"),
    ("n % 2", "n - 2 * (n // 2)", "(n % 4) % 2", "(n + 4) % 2", "(3 * n) % 2"),
    ("0", "(n % m) // m", "(n * k) % n", "(n % 3) // 5", "n // (n + 1)", "min(n, 0)"),
    ("k // m", "(n * k) // (n * m)", "(6 * k) // (6 * m)"),
    ("(k * m + n) // (h * m)", "(k + n // m) // h"),
    ("(k + 3 * n) // 6", "(n + k // 3) // 2"),
    ("(h - k) // 2 + 1", "(h - k + 2) // 2", "(h + k) // 2 - k + 1"),
    ("(h - k + 1) // 2", "h - (h + k) // 2", "-((k - h) // 2)"),
    ("(n - 1) // m + 1", "(n + m - 1) // m", "(n * k + m * k - 1) // (m * k)"),
    ("3 * n // 4", "n - (n + 3) // 4"),
    ("n % m", "n - m * (n // m)", "(n + 2 * m) % m", "(n % m) % m"),
    ("2 * min(m, n)", "min(2 * n, 2 * m)", "min(2 * n, min(2 * m, n + n + 1))"),
    ("m + n", "max(n + m, n)", "max(min(n, m), n + m)", "min(n, m) + max(n, m)"),
    ("min(k, min(m, n))", "min(n, min(m, k))", "min(min(n, k), min(m, n))"),
    ("min(3, n)", "n - max(n - 3, 0)", "3 - max(3 - n, 0)"),
    ("min(4, n) + 1", "min(n + 1, 5)"),
    ("min(3, n) - min(1, n)", "min(2, n - min(1, n))"),
    ("min(9, n) - min(2, n)", "min(9, n) - min(1, n) - min(1, min(9, n) - min(1, n))"),
    ("(2 * n + 2) // 3", "n - n // 3", "max(n - n // 3, 0)", "max(n - n // 3, n // 2)"),
    ("5 - n // 2", "4 + 1 - n // 2"),
    ("-(n // 2)", "0 - n // 2", "(1 - n) // 2"),
    ("min((h + 1) // 2, w)", "min(w, h - h // 2)"),
    ("(k + n % m) % h", "(k + n - m * (n // m)) % h"),
]


@pytest.mark.parametrize("texts", NATURAL, ids=lambda texts: texts[0])
def test_what_is_equal_is_one_and_printed_so(texts):
    for text, extent in zip(texts, extents(*texts)):
        assert str(extent) == texts[0], text


naturals = st.recursive(
    st.one_of(st.sampled_from(NAMES), st.integers(0, 5)),
    lambda inner: st.tuples(st.sampled_from(["+", "*"]), inner, inner),
    max_leaves=3,
)
positive = st.integers(1, 6)
FAMILIES = {
    "(a // b) // c = a // (b * c)": lambda a, b, c, k: (("//", ("//", a, b), c), ("//", a, ("*", b, c))),
    "(k + a // b) // c = (k * b + a) // (b * c)": lambda a, b, c, k: (
        ("//", ("+", k, ("//", a, b)), c),
        ("//", ("+", ("*", k, b), a), ("*", b, c)),
    ),
    "(b * k + a) // b = k + a // b": lambda a, b, c, k: (
        ("//", ("+", ("*", b, k), a), b),
        ("+", k, ("//", a, b)),
    ),
    "(c * a) // (c * b) = a // b": lambda a, b, c, k: (("//", ("*", c, a), ("*", c, b)), ("//", a, b)),
    "a - b * (a // b) = a % b": lambda a, b, c, k: (("-", a, ("*", b, ("//", a, b))), ("%", a, b)),
    "(a % (b * c)) % b = a % b": lambda a, b, c, k: (("%", ("%", a, ("*", b, c)), b), ("%", a, b)),
    "(a % b) // b = 0": lambda a, b, c, k: (("//", ("%", a, b), b), 0),
    "(a + b - 1) // b = -(-a // b)": lambda a, b, c, k: (
        ("//", ("-", ("+", a, b), 1), b),
        ("-", 0, ("//", ("-", 0, a), b)),
    ),
    "min(a, a + k) = a": lambda a, b, c, k: (("min", a, ("+", a, k)), a),
    "max(a, a + k) = a + k": lambda a, b, c, k: (("max", a, ("+", a, k)), ("+", a, k)),
    "min(c * a, c * k) = c * min(a, k)": lambda a, b, c, k: (
        ("min", ("*", c, a), ("*", c, k)),
        ("*", c, ("min", a, k)),
    ),
    "min(a + b, k + b) = min(a, k) + b": lambda a, b, c, k: (
        ("min", ("+", a, b), ("+", k, b)),
        ("+", b, ("min", a, k)),
    ),
    "min(a, k) + max(a, k) = a + k": lambda a, b, c, k: (("+", ("min", a, k), ("max", a, k)), ("+", a, k)),
}


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=examples(60))
@given(a=naturals, b=positive, c=positive, k=naturals)
def test_laws_of_arithmetic_make_one_term(family, a, b, c, k):
    left, right = FAMILIES[family](a, b, c, k)
    assert normal(left) == normal(right), (str(normal(left)), str(normal(right)))


@pytest.mark.parametrize("family", list(FAMILIES)[:7])
@settings(max_examples=examples(60))
@given(a=naturals, b=st.sampled_from(NAMES), c=st.one_of(positive, st.sampled_from(NAMES)), k=naturals)
def test_laws_of_arithmetic_with_symbols_for_divisors(family, a, b, c, k):
    left, right = FAMILIES[family](a, b, c, k)
    assert normal(left) == normal(right), (str(normal(left)), str(normal(right)))


def test_the_unknown_absorbs():
    n = SYMBOLS["n"]
    for operator, (operate, _) in OPERATORS.items():
        assert operate(n, UNKNOWN) is UNKNOWN, operator
        assert operate(UNKNOWN, 2) is UNKNOWN, operator
    assert numbers.quotient(UNKNOWN, 0) is None


def test_expressions_with_variables_have_the_same_normal_form():
    n, m = fresh(2)
    half = numbers.floordiv(numbers.plus(n, 1), 2)
    quarter = numbers.floordiv(numbers.plus(half, 1), 2)
    assert numbers.polynomial(quarter) == numbers.polynomial(numbers.floordiv(numbers.plus(n, 3), 4))
    assert numbers.polynomial(numbers.floordiv(numbers.times(2, n), 2)) == {(n,): 1}
    whole = numbers.difference(n, numbers.times(2, numbers.floordiv(n, 2)))
    assert numbers.polynomial(whole) == numbers.polynomial(numbers.mod(n, 2))
    assert numbers.polynomial(numbers.minimum(n, numbers.plus(n, m))) == {(n,): 1}
    with pytest.raises(ZeroDivisionError):
        numbers.polynomial(numbers.floordiv(n, 0))
