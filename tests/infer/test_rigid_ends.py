"""Shapes of which only the beginning is known, `(n, ...s)`: what holds of them holds whatever s is."""

from __future__ import annotations

from itertools import product

import pytest

from relaylogic.api import infer, parse
from relaylogic.errors import RelayLogicError
from tests.effort import some

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


CALLS = [
    "nn.batch_flatten(%x)",
    "reshape(%x, newshape=[-1])",
    "reshape(concatenate((%v, %v)), newshape=[2, -1])",
    "tile(reshape(%x, newshape=[-1]), reps=[2])",
    "split(%x, indices_or_sections=[1], axis=0).1",
    "take(%x, %v, axis=0)",
    "sum(%x, axis=[0])",
    "sum(expand_dims(%x, axis=1), axis=[0, 1], keepdims=True)",
    "argmax(%x, axis=[0])",
    "squeeze(expand_dims(%x, axis=1), axis=[1])",
    "strided_slice(%x, begin=[0], end=[2])",
    "strided_slice(expand_dims(%x, axis=0), begin=[-1], end=[3], strides=[1], axes=[1])",
    "nn.softmax(%x, axis=-1)",
    "reverse(%x, axis=-1)",
    "stack((nn.batch_flatten(%x), nn.batch_flatten(%x)), axis=-1)",
    "stack((%x, %x), axis=0)",
    "stack((%x, %x, %x), axis=1)",
    "concatenate((%x, %x), axis=0)",
    "concatenate((%x, %x, reverse(%x, axis=0)), axis=0)",
    "concatenate((%x,), axis=0)",
    "concatenate((expand_dims(%x, axis=0), expand_dims(%x, axis=0)), axis=1)",
    "concatenate((expand_dims(%x, axis=0), stack((%x, %x), axis=0)), axis=0)",
    "concatenate(split(%x, indices_or_sections=1, axis=0), axis=0)",
    "tile(%x, reps=[])",
    "tile(%x, reps=[1])",
    "slice_like(%x, stack((%x, %x), axis=1), axes=[0])",
    "slice_like(%x, %x)",
    "slice_like(concatenate((%x, %x), axis=0), %x)",
    "slice_like(%x, ones(shape=[1], dtype=int8))",
    "slice_like(ones(shape=[3], dtype=int8), %x)",
    "slice_like(%x, %x, axes=[-1])",
    "slice_like(stack((%x, %x, %x), axis=1), stack((%x, %x), axis=1), axes=[1, -1])",
    "slice_like(stack((%x, %x), axis=0), stack((%x, %x), axis=0), axes=[-2, -1])",
    "split(%x, indices_or_sections=1, axis=-1).0",
    "reshape_like(%x, expand_dims(%x, axis=0), lhs_begin=1, rhs_begin=2)",
    "reshape_like(%x, expand_dims(%x, axis=0), lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2)",
    "reshape_like(expand_dims(%x, axis=0), %x, lhs_begin=0, lhs_end=2, rhs_begin=0, rhs_end=1)",
    "reshape_like(expand_dims(%x, axis=0), %x, lhs_begin=1, lhs_end=1, rhs_begin=1, rhs_end=1)",
    "reshape_like(%v, %x, lhs_begin=0, lhs_end=1)",
    "reshape_like(reshape(%x, newshape=[1, -1]), %x, lhs_begin=-1)",
    "reshape_like(%x, %v, lhs_begin=0, rhs_end=1)",
    "reshape_like(%x, %v, lhs_begin=0, rhs_begin=-1)",
    "cumsum(%x)",
    "cumprod(expand_dims(%x, axis=0))",
    "sum(%x, axis=[0], exclude=True)",
    "mean(expand_dims(%x, axis=1), axis=[1, 0], exclude=True)",
    "searchsorted(%x, %x)",
    "searchsorted(stack((%x, %x), axis=0), stack((%x, reverse(%x, axis=0)), axis=0))",
    "contrib_reverse_reshape(%x, newshape=[-1])",
    "contrib_reverse_reshape(%x, newshape=[1, -1, 1])",
    "contrib_reverse_reshape(%x, newshape=[1, 1, -2])",
]


@pytest.mark.parametrize("call", CALLS)
def test_what_is_called_with_it_has_the_instances_of_the_call(call):
    body = f"let %v = cast(reshape(%x, newshape=[-1]), dtype=int32); {call}"
    text = f"def @f<n: ShapeVar, s: Shape>(%x: Tensor[(n, ...s), int8]) {{ {body} }}"
    result = infer(text)
    assert result.verdict == "typed"
    declared = text.replace(") {", f") -> {result.functions['f'].ret_type} {{")
    assert str(infer(declared).functions["f"]) == str(result.functions["f"])
    for n, end in some(FULL, 3):
        input_ = f"%x: Tensor[{shape('n, ', end, n)}, int8]"
        whole = infer(f"{declared} def @main({input_}) {{ (@f(%x), (fn ({input_}) {{ {body} }})(%x)) }}")
        direct = infer(f"def @main({input_}) {{ {body} }}")
        assert whole.verdict == direct.verdict
        if direct.verdict == "typed":
            made = direct.functions["main"].ret_type
            assert list(whole.functions["main"].ret_type.fields) == [made, made]


@pytest.mark.parametrize(
    "call",
    [
        "reshape(%x, newshape=[-1, 2])",
        "reshape(%x, newshape=[6])",
        "broadcast_to(reshape(%x, newshape=[-1]), shape=[2, 4])",
        "add(reshape(%x, newshape=[-1]), ones(shape=[4], dtype=int8))",
        "concatenate((reshape(%x, newshape=[1, -1]), ones(shape=[1, 4], dtype=int8)), axis=0)",
        "concatenate((%x, %x), axis=0)",
        "concatenate((expand_dims(%x, axis=0), ones(shape=[1, 4], dtype=int8)), axis=0)",
        "stack((%x, expand_dims(%x, axis=0)), axis=0)",
        "slice_like(expand_dims(%x, axis=0), stack((%x, %x), axis=0), axes=[-1])",
        "slice_like(%x, expand_dims(%x, axis=0), axes=[-1])",
        "split(%x, indices_or_sections=1, axis=-1)",
        "split(expand_dims(%x, axis=0), indices_or_sections=2, axis=-1)",
        "reshape_like(expand_dims(%x, axis=0), %x, lhs_begin=0, lhs_end=2)",
        "reshape_like(expand_dims(%x, axis=0), reshape(%x, newshape=[-1]), lhs_begin=-1)",
        "reshape_like(reshape(%x, newshape=[1, -1]), %x, lhs_begin=0, lhs_end=1)",
        "squeeze(concatenate((expand_dims(%x, axis=0), expand_dims(%x, axis=0)), axis=0), axis=[0])",
    ],
)
def test_what_holds_of_some_shapes_only_is_refused(call):
    assert infer(f"def @f<s: Shape>(%x: Tensor[s, int8]) {{ {call} }}").verdict == "refuted"


def test_a_product_of_extents_is_read_and_known_as_far_as_the_shape_is():
    text = "def @f<s: Shape>(%x: Tensor[s, int8]) -> Tensor[(prod(s)), int8] { reshape(%x, newshape=[-1]) }\n"
    known = {"(2, 3)": "(6)", "()": "(1)", "(2, ?)": "(?)", "(n, ...r)": "(n * prod(r))", "(2, n, 3)": "(6 * n)"}
    for given, elements in known.items():
        main = infer(f"{text} def @main<n: ShapeVar, r: Shape>(%x: Tensor[{given}, int8]) {{ @f(%x) }}")
        assert str(main.functions["main"].ret_type) == f"Tensor[{elements}, int8]"
    assert infer(f"{text} def @main(%x: Tensor[_, int8]) -> Tensor[(6), int8] {{ @f(%x) }}").verdict == "typed"
    for wrong in ("Tensor[(prod(n)), int8]", "Tensor[(prod(2)), int8]", "Tensor[(prof(s)), int8]"):
        with pytest.raises(RelayLogicError):
            parse(f"def @f<s: Shape, n: ShapeVar>(%x: {wrong}) {{ %x }}")


@pytest.mark.parametrize(("result", "verdict"), [("(n, ...s)", "typed"), ("(n, 1, ...s)", "refuted")])
def test_a_sum_of_one_value_serves_for_every_shape_that_begins_so(result, verdict):
    wanted = f"fn<n: ShapeVar, s: Shape, d: BaseType>(Tensor[(n, ...s), d]) -> Tensor[{result}, d]"
    text = f"def @use(%g: {wanted}) {{ 1 }} def @main() {{ @use(fn (%x) {{ add(%x, %x) }}) }}"
    assert infer(text).verdict == verdict
