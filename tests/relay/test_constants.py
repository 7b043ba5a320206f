"""`relay.const`, with and without numpy, and constants in texts."""

from __future__ import annotations

import numpy
import pytest

from relaylogic import TVMError, relay
from relaylogic.ir import structural_equal
from relaylogic.text import parse


@pytest.mark.parametrize(
    ("value", "dtype", "type_", "kept"),
    [
        (1, None, "int32", 1),
        (1.5, None, "float32", 1.5),
        (True, None, "bool", True),
        (1, "float64", "float64", 1.0),
        ([1, 2, 3], None, "Tensor[(3), int32]", (1, 2, 3)),
        ([[1, 2.5], [3, 4]], None, "Tensor[(2, 2), float32]", (1.0, 2.5, 3.0, 4.0)),
        ([[1, 1], [1, 1]], "int64", "Tensor[(2, 2), int64]", 1),
        ([], "float32", "Tensor[(0), float32]", ()),
    ],
)
def test_plain_values(value, dtype, type_, kept):
    constant = relay.const(value, dtype)
    assert str(constant.tensor_type) == type_
    assert constant.value == kept


def test_a_dtype_may_be_that_of_a_type():
    assert relay.const(0, relay.scalar_type("int64")).tensor_type == relay.scalar_type("int64")


@pytest.mark.parametrize("wrong", ["text", [[1], [1, 2]], [1, "a"], None])
def test_what_is_no_tensor(wrong):
    with pytest.raises(TVMError):
        relay.const(wrong)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "int8x4"])
@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan"), 10**400, -1e300])
def test_integers_have_no_number_for_it(number, dtype):
    arrays = [numpy.array([number, 1])] if type(number) is float else []
    for value in (number, [1, number], *arrays):
        with pytest.raises(TVMError, match=f"is out of the range of {dtype}"):
            relay.const(value, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
def test_floats_have_no_number_for_a_huge_integer(dtype):
    for value in (10**400, [1, -(10**400)]):
        with pytest.raises(TVMError, match=f"a number of 1329 bits is out of the range of {dtype}"):
            relay.const(value, dtype)
    assert relay.const(float("inf"), dtype).value == float("inf")


def test_arrays():
    assert str(relay.const(numpy.zeros((2, 3), "int8")).tensor_type) == "Tensor[(2, 3), int8]"
    assert str(relay.const(numpy.float64(2)).tensor_type) == "float32"
    assert relay.const(numpy.full((100, 100), 0.25)).value == 0.25
    large = relay.const(numpy.arange(5000.0))
    assert large.value is None and str(large.tensor_type) == "Tensor[(5000), float32]"


def test_constants_without_a_literal_are_printed():
    x = relay.var("x", shape=(2, 3))
    mod = relay.IRModule.from_expr(x + relay.const([[1.0, 2, 3], [4, 5, 6]]) + relay.const([1.0, 2, 3]))
    text = mod.astext()
    assert "meta[relay.Constant][1]" in text and "#[metadata]" not in mod.astext(show_meta_data=False)
    again = parse(text)
    assert structural_equal(again, parse(again.astext()))
    assert again["main"].body.args[1].value == (1.0, 2.0, 3.0)


VALUES = [3, [[1, 2], [3, 4]], [[2, 2], [2, 2]], [], numpy.full((40, 40), 7), numpy.arange(2000)]


@pytest.mark.parametrize("value", VALUES)
def test_the_data_of_a_constant(value):
    data = relay.const(value, "int64").data
    assert (data.shape, data.dtype) == (numpy.shape(value), "int64")
    assert data.numpy().dtype == "int64" and numpy.array_equal(data.asnumpy(), value)


def test_data_that_are_not_known():
    with pytest.raises(TVMError, match="elements of this constant are not known"):
        relay.const(list(range(2000))).data.numpy()
    with pytest.raises(TVMError, match="type of this constant is not known"):
        relay.Constant(None).data.numpy()
