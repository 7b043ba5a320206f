"""An axis says how great a rank is at least, whichever operator has it, and whatever else is open."""

from __future__ import annotations

from itertools import product

import pytest

from relaylogic.logic import Cons
from relaylogic.rulebase import default_rules
from relaylogic.typings.query import query
from tests.effort import in_turn
from tests.rules.calls import solve
from tests.together import together

RULES = default_rules()

GIVEN = {
    "split": {"indices_or_sections": 2},
    "repeat": {"repeats": 2},
    "topk": {"k": 2, "ret_type": "values"},
    "dyn.topk": {"ret_type": "values"},
    "strided_slice": {"begin": [0], "end": [1], "strides": [1]},
    "sliding_window": {"window_shape": [2], "strides": [1]},
    "nn.group_norm": {"num_groups": 1},
}
"""Attributes without which a call is not one."""

JOINING = {"concatenate", "qnn.concatenate", "stack"}

REFUSED = {
    "nn.batch_norm": (-3,),
    "nn.prelu": (-1, -3),
    "one_hot": (-3,),
    "dyn.one_hot": (-3,),
    "sequence_mask": (2, -1, -3),
    "sliding_window": (-1, -3),
    "strided_slice": (-1, -3),
}

ONE_LESS = {"expand_dims", "one_hot", "dyn.one_hot", "stack"}
"""Their axis counts in the result, which has one more than the input."""

OF_NO_RANK = {
    "dyn.squeeze": "the axes are an input",
    "dyn.strided_slice": "the axes are not looked at",
    "fixed_point_multiply_per_axis": "the axes are not looked at",
    "nn.l2_normalize": "the axis is not looked at",
    "nn.lrn": "the axis is not looked at",
    "qnn.simulated_dequantize": "the axis is not looked at",
    "qnn.simulated_quantize": "the axis is not looked at",
    "relay.op.annotation.simulated_quantize": "the axis is not looked at",
    "qnn.add": "scalars have no axis",
    "qnn.subtract": "scalars have no axis",
    "qnn.mul": "scalars have no axis",
    "qnn.quantize": "scales for the whole tensor need no axis",
    "qnn.dequantize": "scales for the whole tensor need no axis",
    "qnn.requantize": "scales for the whole tensor need no axis",
    "nn.bitpack": "what has no axis for the bits is refused or without a rank",
    "transpose": "all axes are listed, or none",
}

AXES = {"axis", "axes", "seq_axis", "batch_axis", "pack_axis", "bit_axis", "lhs_axis", "rhs_axis"}
OPERATORS = {name: sorted(AXES & set(op.attributes)) for name, op in sorted(RULES.operators.items())}
OPERATORS = {name: axes for name, axes in OPERATORS.items() if axes}


def test_all_attributes_that_are_axes_are_known_to_this_test():
    for operator in RULES.operators.values():
        named = {a.name for a in operator.attributes.values() if a.name.endswith(("axis", "axes"))}
        declared = {a.name for a in operator.attributes.values() if a.universe in ("axes", "order")}
        assert (named | declared) - {"num_newaxis"} <= AXES, operator.name


RANKS = [(0, 1), (2, 3), (-1, 1), (-3, 3)]
"""Axes, and the least rank of what has them."""


@together("name, axis, rank", [(name, *asked) for name in OPERATORS if name not in OF_NO_RANK for asked in RANKS])
def test_the_rank_of_an_open_input(name, axis, rank):
    operator = RULES.operator(name)
    lists = {attribute.name for attribute in operator.attributes.values() if attribute.kind == "list"}
    attrs = {**GIVEN.get(name, {}), **{a: [axis] if a in lists else axis for a in OPERATORS[name]}}
    first = "(_, _)" if name in JOINING else "_"
    found = solve(name, attrs, ", ".join([first, *["_"] * (len(operator.inputs) - 1)]))
    if axis in REFUSED.get(name, ()):
        assert found.general is None
        return
    data = found.general[0].fields[0] if name in JOINING else found.general[0]
    assert first_extents(data.shape) >= rank - (name in ONE_LESS)


def first_extents(shape):
    """How many first extents of a shape are told apart."""
    return len(shape.prefix) if type(shape) is Cons else len(shape) if type(shape) is tuple else 0


LEARNT = [
    ("squeeze(T, axis=[2]) = Y", "T = Tensor[(n, m, 1, ...s), t], Y = Tensor[(n, m, ...s), t]"),
    ("squeeze(T, axis=[1, -3]) = Y", "T = Tensor[(n, m, k, ...s), t]"),
    ("sum(T, axis=[0, 2], exclude=1) = Y", "T = Tensor[(n, m, k, ...s), t]"),
    ("sum(T, axis=[a]) = Y, a >= 3", "T = Tensor[(n, m, k, i, ...s), t]"),
    ("sum(T, axis=[1, a], keepdims=1) = Y, a >= 2", "T = Tensor[(n, m, k, ...s), t], Y = Tensor[(i, j, l, ...u), t]"),
    ("sum(T, axis=A, keepdims=1) = Y", "T = Tensor[s, t], Y = Tensor[u, t]"),
    ("sum(T, axis=[1]) = Tensor[(4, 5, ...s), t]", "T = Tensor[(4, n, 5, ...s), t]"),
    (
        "concatenate((A, B), axis=-2) = Y",
        "A = Tensor[(n, m, ...s), t], B = Tensor[(k, i, ...u), t], Y = Tensor[(j, l, ",
    ),
    ("concatenate(T, axis=1) = Y", "T = (...F,), Y = Tensor[(n, m, ...s), t]"),
    ("stack(T, axis=-2) = Y", "T = (...F,), Y = Tensor[(n, m, ...s), t]"),
    ("gather(A, B, axis=1) = Y", "A = Tensor[(n, m, ...s), t], B = Tensor[(k, i, ...u), t1]"),
    ("slice_like(A, B, axes=[1, -3]) = Y", "A = Tensor[(n, m, k, ...s), t], B = Tensor[(i, j, ...u), t1]"),
    ("strided_slice(T, begin=B, end=[3, 4]) = Y", "T = Tensor[(n, m, ...s), t], Y = Tensor[(k, i, ...u), t]"),
    ("strided_slice(T, begin=[1], end=[3], axes=[a]) = Y, a >= 1", "T = Tensor[(n, m, ...s), t]"),
    ("matrix_set_diag(A, B) = Y", "A = Tensor[(n, m, ...s), t]"),
    ("take(A, B, axis=-2) = Y", "A = Tensor[(n, m, ...s), t]"),
]


@pytest.mark.parametrize(("text", "known"), LEARNT)
def test_what_open_shapes_begin_with(text, known):
    (answer,) = query(text, rules=RULES)
    assert str(answer).startswith(known)


def test_with_enough_axes_a_tile_repeats_all_of_them():
    answers = [str(answer) for answer in query("tile(T, reps=[2, 3, 1]) = Y", rules=RULES)]
    (open_one,) = [answer for answer in answers if "..." in answer]
    assert len(answers) == 4 and open_one.startswith("T = Tensor[(n, m, k, ...s), t], Y = Tensor[(i, j, l, ...u), t]")


@pytest.mark.parametrize("call", ["take(A, B, axis=70)", "nn.softmax(A, axis=70)", "sum(A, axis=[70])"])
def test_an_axis_far_out_bounds_the_rank_and_lists_nothing(call):
    (answer,) = query(f"{call} = Y", rules=RULES)
    assert "(n, m" not in str(answer) and ">= 71" in str(answer)
    assert not list(query(f"A = Tensor[s, t], len(s) <= 70, {call} = Y", rules=RULES))


def test_axes_that_no_rank_has_are_refused():
    found = query("strided_slice(T, begin=[1], end=[3], axes=[-2]) = Y", rules=RULES)
    assert (list(found), found.status) == ([], "exhausted")


CALLS = [
    "squeeze({}, axis=[{}])",
    "sum({}, axis=[{}])",
    "sum({}, axis=[1, {}])",
    "sum({}, axis=[{}], keepdims=1)",
    "sum({}, axis=[{}], exclude=1)",
    "expand_dims({}, axis={})",
    "repeat({}, repeats=2, axis={})",
    "split({}, indices_or_sections=2, axis={})",
    "strided_slice({}, begin=[0], end=[1], axes=[{}])",
    "concatenate(({},), axis={})",
    "stack(({},), axis={})",
    "nn.softmax({}, axis={})",
    'topk({}, k=1, axis={}, ret_type="values")',
]
UNIVERSE = {"max_rank": 3, "max_dim": 2, "dtypes": ("float32",), "ground": True}


def listed(text):
    found = query(text, rules=RULES, **UNIVERSE)
    answers = [str(answer) for answer in found]
    assert found.status == "exhausted" and len(answers) == len(set(answers)), text
    return answers


@pytest.mark.parametrize(("call", "axis"), in_turn(CALLS, [0, 1, 2, -1, -2, -3]))
def test_open_calls_have_the_answers_of_ground_calls(call, axis):
    """In both directions: each answer once, and none else."""
    ground: dict[str, set[str]] = {}
    for shape in (shape for rank in range(4) for shape in product((1, 2), repeat=rank)):
        data = f"Tensor[({', '.join(map(str, shape))}), float32]" if shape else "float32"
        for result in listed(f"{call.format(data, axis)} = Y"):
            ground.setdefault(result.removeprefix("Y = "), set()).add(f"A = {data}")
    assert len(listed(f"{call.format('A', axis)} = Y")) == sum(map(len, ground.values()))
    for result, arguments in ground.items():
        assert set(listed(f"{call.format('A', axis)} = {result}")) == arguments
