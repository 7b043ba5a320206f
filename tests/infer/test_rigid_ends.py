"""Shapes of which only the beginning is known, `(n, ...s)`: what holds of them holds whatever s is."""

from __future__ import annotations

from itertools import product

import pytest

from relaylogic.api import infer

FRONTS = ("", "1, ", "2, ", "n, ", "n, 1, ", "2, n, ")
NUMBERS = (1, 2, 3)
ENDS = ("", "1, ", "2, 3, ")
FULL = tuple((n, end) for n in NUMBERS for end in ENDS)


def shape(front, end="...s", number="n"):
    return f"({front.replace('n', str(number))}{end})"


def broadcast(left, right):
    """The shape of a sum, as it is written; None if there is none."""
    result = infer(f"def @main(%x: Tensor[{left}, int8], %y: Tensor[{right}, int8]) {{ add(%x, %y) }}")
    return str(result.functions["main"].ret_type) if result.verdict == "typed" else None


@pytest.mark.parametrize(("left", "right"), [(a, b) for a, b in product(FRONTS, FRONTS) if a <= b])
def test_shapes_of_one_end_broadcast_as_what_is_before_it(left, right):
    parameters = "<n: ShapeVar, s: Shape>"
    text = f"def @f{parameters}(%x: Tensor[{shape(left)}, int8], %y: Tensor[{shape(right)}, int8]) {{ add(%x, %y) }}"
    instances = [broadcast(shape(left, end, n), shape(right, end, n)) for n, end in FULL]
    result = infer(text)
    assert (result.verdict == "typed") == (None not in instances)
    if result.verdict == "typed":
        calls = [f"@f(%x{i}, %y{i})" for i in range(len(FULL))]
        inputs = [
            f"%x{i}: Tensor[{shape(left, end, n)}, int8], %y{i}: Tensor[{shape(right, end, n)}, int8]"
            for i, (n, end) in enumerate(FULL)
        ]
        whole = infer(f"{text} def @main({', '.join(inputs)}) {{ ({', '.join(calls)}) }}")
        assert [str(t) for t in whole.functions["main"].ret_type.fields] == instances


@pytest.mark.parametrize(("result", "verdict"), [("(n, ...s)", "typed"), ("(n, 1, ...s)", "refuted")])
def test_a_sum_of_one_value_serves_for_every_shape_that_begins_so(result, verdict):
    wanted = f"fn<n: ShapeVar, s: Shape, d: BaseType>(Tensor[(n, ...s), d]) -> Tensor[{result}, d]"
    text = f"def @use(%g: {wanted}) {{ 1 }} def @main() {{ @use(fn (%x) {{ add(%x, %x) }}) }}"
    assert infer(text).verdict == verdict
