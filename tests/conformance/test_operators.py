"""The table of operators: names, inputs and attributes are those that TVM 0.14 registers."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

from relaylogic.rulebase import default_rules
from tests.conformance.facts import facts, signatures
from tests.together import together

# Registered in another order than the relation reads them: TVM's relations and its Python API have the zero points
# first.
ZERO_POINTS_FIRST = {
    "qnn.batch_matmul",
    "qnn.contrib_dense_pack",
    "qnn.conv2d",
    "qnn.conv2d_transpose",
    "qnn.dense",
}

# Registered without a definition; the one input is what the name says.
UNDEFINED = {"hardswish": ("data",)}

# Required by the registration, but absent (or undefined) in calls that TVM accepts.
MAY_BE_LEFT_OUT = {
    "device_copy": {"src_virtual_device", "dst_virtual_device"},
    "dyn.topk": {"k"},
    "memory.alloc_storage": {"virtual_device"},
    "memory.alloc_tensor": {"const_shape", "assert_shape"},
    "nn.avg_pool2d_grad": {"pool_size"},
    "nn.max_pool2d_grad": {"pool_size"},
    "nn.contrib_dense_pack": {"units"},
    "nn.dense": {"units"},
    "nn.matmul": {"units"},
    "qnn.contrib_dense_pack": {"units"},
    "qnn.dense": {"units"},
    "qnn.simulated_dequantize": {"out_dtype"},
}

# Attributes that the registration does not list and no fact carries.
UNLISTED = {"annotation.with_funcid": {"fid"}}

REQUIRED = object()
ANYTHING = object()


def registered_default(attribute: dict[str, Any]) -> Any:
    """The default that a registration prints, read as our declarations are."""
    kind, text = attribute["type"], attribute.get("default")
    if attribute.get("required"):
        return REQUIRED
    if text is None:
        return None
    if kind in ("Map", "VirtualDevice"):
        return ANYTHING
    if kind == "DataType":
        return "" if text == "void" else text
    if kind == "str":
        return text
    value = ast.literal_eval(re.sub(r"T\.float32\((.*?)\)", r"\1", text))
    return tuple(value) if isinstance(value, list) else value


def equal_default(ours: Any, theirs: Any) -> bool:
    """Whether two defaults are equal; numbers may differ by what a float32 forgets."""
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(equal_default, ours, theirs))
    if isinstance(ours, float) or isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-6)
    return theirs is ANYTHING or ours == theirs


def test_the_operators_are_those_registered():
    assert set(default_rules().operators) == set(signatures())


@together("name", sorted(signatures()))
def test_inputs(name):
    op, registered = default_rules().operator(name), signatures()[name]
    inputs = UNDEFINED.get(name) or tuple(registered["inputs"][: registered["arity"]])
    if name in ZERO_POINTS_FIRST:
        assert sorted(op.inputs) == sorted(inputs)
        assert [part.endswith("zero_point") for part in op.inputs[2:]] == [True, True, False, False]
    else:
        assert op.inputs == inputs


@together("name", sorted(signatures()))
def test_attributes(name):
    op, registered = default_rules().operator(name), signatures()[name]["attrs"]
    left_out = MAY_BE_LEFT_OUT.get(name, set())
    for attribute in registered:
        ours, default = op.attributes[attribute["name"]], registered_default(attribute)
        if default is REQUIRED:
            assert ours.required is (ours.name not in left_out), ours
        else:
            assert not ours.required, ours
            assert equal_default(ours.default, default), (ours, default)
    carried = {key for fact in facts().get(name, ()) for key in fact["attrs"] or {}}
    listed = {attribute["name"] for attribute in registered} | carried | UNLISTED.get(name, set())
    assert set(op.attributes) == listed
