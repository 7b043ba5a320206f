"""Attributes that a call leaves out are those of TVM's Python API, in queries and in Relay text alike."""

from __future__ import annotations

import pytest

from relaylogic.api import infer
from relaylogic.relay.op.build import parameters_of
from relaylogic.relay.op.signatures import NOTHING
from relaylogic.rulebase import AttributeProblem, check_attributes, default_rules, parse_attributes
from relaylogic.types import show_type
from relaylogic.typings.query import query

RULES = default_rules()
F = "Tensor[({}), float32]"
PLANE, SPACE = F.format("1, 4, 8, 6"), F.format("1, 4, 8, 6, 4")

# An operator, the types of its inputs, the attributes that are given, those that are left out with what they are then.
LEFT_OUT = [
    ("transpose", [F.format("2, 3, 4")], "", "axes=None"),
    ("full", ["float32"], "", "shape=[]"),
    ("slice_like", [F.format("4, 5"), F.format("2, 3")], "", "axes=None"),
    ("strided_slice", [F.format("4, 6")], "begin=[1], end=[3]", "strides=[1], axes=None"),
    ("strided_slice", [F.format("4, 6")], "begin=[1, 0], end=[3, 2], axes=None", "strides=[1]"),
    ("strided_slice", [F.format("4, 6")], "begin=[1], end=[3], axes=[1]", "strides=[1]"),
    ("strided_slice", [F.format("4, 6")], "begin=[0], end=[3], strides=[2]", "axes=None"),
    ("nn.max_pool1d", [F.format("1, 4, 8")], "", "pool_size=[1]"),
    ("nn.max_pool2d", [PLANE], "strides=[2, 2]", "pool_size=[1, 1]"),
    ("nn.max_pool3d", [SPACE], "", "pool_size=[1, 1, 1]"),
    ("nn.avg_pool1d", [F.format("1, 4, 8")], "", "pool_size=[1]"),
    ("nn.avg_pool2d", [PLANE], "", "pool_size=[1, 1]"),
    ("nn.avg_pool3d", [SPACE], "padding=[1, 1, 1]", "pool_size=[1, 1, 1]"),
    ("nn.upsampling", [PLANE], "", "scale_h=1.0, scale_w=1.0"),
    ("nn.upsampling", [PLANE], "scale_h=2.0", "scale_w=1.0"),
    ("nn.upsampling3d", [SPACE], "scale_w=3.0", "scale_d=1.0, scale_h=1.0"),
    ("nn.l2_normalize", [PLANE], "eps=0.1", "axis=None"),
    ("nn.contrib_dense_pack", [F.format("2, 6"), F.format("3, 6, 4")], "", 'weight_layout="NC"'),
    ("nn.nll_loss", [F.format("2, 3"), "Tensor[(2), int32]", F.format("3")], "", "ignore_index=-100"),
    ("scatter_elements", [F.format("4, 5"), "Tensor[(2, 5), int64]", F.format("2, 5")], "", "axis=0"),
    ("topk", [F.format("4, 5")], 'dtype="int32"', "k=1"),
    ("qnn.quantize", [F.format("4, 5"), "float32", "int32"], "", 'out_dtype="int8"'),
    ("qnn.dequantize", ["Tensor[(4), int8]", "float32", "int32"], "", 'out_dtype="float32"'),
    ("arange", ["float32", "float32", "float32"], "", 'start=None, stop=None, step=None, dtype="float32"'),
    ("dyn.reshape", [F.format("2, 3"), "Tensor[(2), int64]"], "", "newshape=None"),
    ("dyn.broadcast_to", [F.format("2, 3"), "Tensor[(2), int64]"], "", "shape=None"),
    ("dyn.tile", [F.format("2, 3"), "Tensor[(2), int64]"], "", "reps=None"),
    ("dyn.zeros", ["Tensor[(2), int64]"], 'dtype="int8"', "shape=None"),
    ("dyn.full", ["float32", "Tensor[(2), int64]"], "", "shape=None"),
    (
        "dyn.strided_slice",
        [F.format("2, 3"), *["Tensor[(2), int64]"] * 3],
        "",
        "begin=None, end=None, strides=None, axes=None",
    ),
    ("dyn.nn.pad", [F.format("2, 3"), "Tensor[(2, 2), int64]", "float32"], "", "pad_width=None"),
    ("dyn.nn.upsampling", [PLANE, "float32", "float32"], "", "scale_h=1.0, scale_w=1.0"),
    ("collapse_sum_to", [F.format("2, 3"), "Tensor[(1), int64]"], "", "shape=None"),
]

# Integers where lists are declared, with the lists that they stand for.
INTEGERS = [
    ("argmax", [F.format("4, 5")], "axis=1", "axis=[1]"),
    ("sum", [F.format("4, 5")], "axis=-2", "axis=[-2]"),
    ("squeeze", [F.format("1, 5")], "axis=0", "axis=[0]"),
    ("reshape", [F.format("4, 5")], "newshape=-1", "newshape=[-1]"),
    ("zeros", [], 'shape=3, dtype="int8"', 'shape=[3], dtype="int8"'),
    ("nn.max_pool2d", [PLANE], "pool_size=2, strides=3, padding=1", "pool_size=[2, 2], strides=[3, 3], padding=[1, 1]"),
    ("nn.avg_pool1d", [F.format("1, 4, 8")], "pool_size=2, dilation=2", "pool_size=[2], dilation=[2]"),
    (
        "nn.conv2d",
        [PLANE, F.format("5, 4, 3, 3")],
        "strides=2, padding=1, dilation=2, kernel_size=3",
        "strides=[2, 2], padding=[1, 1], dilation=[2, 2], kernel_size=[3, 3]",
    ),
    (
        "nn.conv1d",
        [F.format("1, 4, 8"), F.format("5, 4, 3")],
        "padding=2, kernel_size=3",
        "padding=[2, 2], kernel_size=[3]",
    ),
    (
        "nn.conv3d_transpose",
        [SPACE, F.format("4, 5, 2, 2, 2")],
        "strides=2, output_padding=1",
        "strides=[2, 2, 2], output_padding=[1, 1, 1]",
    ),
]


def by_query(name, inputs, attributes):
    arguments = ", ".join([*inputs, *filter(None, attributes)])
    return [str(answer) for answer in query(f"{name}({arguments}) = T", rules=RULES)]


def by_text(name, inputs, attributes):
    parameters = ", ".join(f"%p{i}: {type_}" for i, type_ in enumerate(inputs))
    arguments = ", ".join([*(f"%p{i}" for i in range(len(inputs))), *filter(None, attributes)])
    result = infer(f"fn ({parameters}) {{ {name}({arguments}) }}", rules=RULES)
    assert result.verdict == "typed", [str(error) for error in result.errors]
    return show_type(result.functions["main"].ret_type)


@pytest.mark.parametrize(("name", "inputs", "given", "left_out"), LEFT_OUT)
def test_what_is_left_out_is_as_in_the_python_api(name, inputs, given, left_out):
    assert by_text(name, inputs, [given]) == by_text(name, inputs, [given, left_out])
    asked = by_query(name, inputs, [given])
    assert len(asked) == 1 and asked == by_query(name, inputs, [given, left_out.replace("None", "none")])


@pytest.mark.parametrize(("name", "inputs", "integers", "lists"), INTEGERS)
def test_integers_stand_for_lists(name, inputs, integers, lists):
    assert by_text(name, inputs, [integers]) == by_text(name, inputs, [lists])
    asked = by_query(name, inputs, [integers])
    assert len(asked) == 1 and asked == by_query(name, inputs, [lists])


def test_the_declarations_agree_with_the_functions_of_the_python_api():
    """Each parameter with a default that is for a required attribute: the attribute has that value if left out."""
    compared = 0
    for operator in RULES.operators.values():
        for parameter in parameters_of(operator):
            attribute = operator.attributes.get(parameter.target)
            if attribute is None or not attribute.required or parameter.target in operator.inputs:
                continue
            if parameter.default is NOTHING:
                assert (
                    not attribute.may_be_omitted
                    or operator.name in ("arange", "strided_slice")
                    or (operator.name.startswith("dyn."))
                ), f"{operator.name}: {attribute}"
                continue
            compared += 1
            assert attribute.omitted == parameter.default, f"{operator.name}: {attribute}"
    assert compared == 23


@pytest.mark.parametrize(
    ("call", "type_"),
    [
        ("image.resize2d(%x, size=[4, 6])", "Tensor[(1, 3, 4, 6), float32]"),
        ("qnn.requantize(cast(%x, dtype=\"int32\"), 1f, 0, 1f, 0)", "Tensor[(1, 3, 8, 8), int8]"),
        ("qnn.dense(%q, %q, 0, 0, 1f, 1f)", "Tensor[(2, 2), int32]"),
        ("qnn.batch_matmul(%r, %r, 0, 0, 1f, 1f, transpose_b=True)", "Tensor[(1, 2, 2), int32]"),
    ],
)
def test_the_default_of_the_python_api_where_no_call_has_the_registered_one(call, type_):
    """They were refused: TVM registers nothing, or no dtype, and its Python API says what is meant."""
    parameters = "%x: Tensor[(1, 3, 8, 8), float32], %q: Tensor[(2, 5), int8], %r: Tensor[(1, 2, 5), int8]"
    result = infer(f"fn ({parameters}) {{ {call} }}", rules=RULES)
    assert result.verdict == "typed"
    assert str(result.functions["main"]).endswith(f"-> {type_}")


def test_what_has_no_default_anywhere_is_still_required():
    declared = parse_attributes("shape: list; axes: list ?= None; strides: list = (1, 1)")
    with pytest.raises(AttributeProblem, match="`shape` is required"):
        check_attributes(declared, {})
    found = check_attributes(declared, {"shape": 3, "strides": 2})
    assert dict(found.items()) == {"shape": (3,), "axes": None, "strides": (2, 2)}
    with pytest.raises(AttributeProblem, match="`axes` cannot be 1"):
        check_attributes(declared, {"shape": (), "axes": 1})
    for name, attributes in (("cast", ""), ("reshape", ""), ("split", ""), ("strided_slice", "begin=[0]")):
        result = infer(f"fn (%x: Tensor[(4), int8]) {{ {name}(%x{', ' * bool(attributes)}{attributes}) }}", rules=RULES)
        assert result.errors[0].malformed and "is required" in result.errors[0].message
