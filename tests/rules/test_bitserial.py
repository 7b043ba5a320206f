"""Arithmetic on bits: packing, convolutions and products."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f


def words(*extents):
    return f(*extents, dtype="uint32")


def packing(**attrs):
    return {"pack_type": "uint32", "bits": 2, **attrs}


@pytest.mark.parametrize(
    ("attrs", "data", "out", "clause"),
    [
        (packing(), f(1, 64, 8, 8), words(1, 2, 8, 8), "no_axis_of_bits"),
        (packing(bit_axis=4), f(1, 64, 8, 8), words(1, 2, 8, 8, 2), "planes_of_bits"),
        (packing(bit_axis=5), f(1, 64, 8, 8), words(1, 2, 8, 8), "no_axis_of_bits"),
        (packing(bit_axis=0), f(1, 70, 8, 8), words(2, 1, 2, 8, 8), "planes_of_bits"),
        (packing(bit_axis=1, pack_axis=1), f(1, "?", 8), words(1, 2, "?", 8), "planes_of_bits"),
        (packing(pack_axis=-1), f(1, 64), words(1, 64), "no_axis_of_bits"),
        (packing(pack_axis=2), f(1, 64), words(1, 64), "no_axis_of_bits"),
        (packing(pack_type="", pack_axis=-1, bit_axis=1), f(1, 64), f(1, 2, 64, dtype="void"), "planes_of_bits"),
        (packing(pack_type="", pack_axis=2), f(1, 64), f(1, 64, dtype="void"), "no_axis_of_bits"),
        (packing(pack_type="uint8", pack_axis=0), f(64), f(8, dtype="uint8"), "no_axis_of_bits"),
    ],
)
def test_packing(attrs, data, out, clause):
    found = ask("nn.bitpack", data, "_", **attrs)
    assert found == [data, out]
    assert clauses_of("nn.bitpack", data, "_", **attrs) == {clause}


def test_packing_backward_and_refused():
    found = ask("nn.bitpack", "_", words(1, 2, 8, 8, 2), **packing(bit_axis=4))
    assert found[0] == f(1, "_", 8, 8, dtype="_")
    assert ask("nn.bitpack", "_", words(1, 2), **packing())[0] == f(1, "_", dtype="_")
    assert ask("nn.bitpack", "_", words(1, 2, 8, 8, 3), **packing(bit_axis=4)) is None
    assert ask("nn.bitpack", f(1, 64), "_", bits=2) is None
    assert ask("nn.bitpack", f(1, "?"), "_", bits=2, bit_axis=0) is None
    assert ask("nn.bitpack", f(1, 64), "_", **packing(bits=-2, bit_axis=0)) is None


@pytest.mark.parametrize(
    ("attrs", "data", "out"),
    [
        ({"channels": 8, "out_dtype": "int16"}, f(1, 32, 8, 9), f(1, 8, 6, 7, dtype="int16")),
        ({"channels": 8, "padding": [1], "out_dtype": "int16"}, f(1, 32, 8, "?"), f(1, 8, 8, "?", dtype="int16")),
        ({"channels": 8, "data_layout": "NHWC", "out_dtype": "int16"}, f(1, 8, 9, 32), f(1, 6, 7, 8, dtype="int16")),
        ({"out_dtype": "int16"}, f(1, 32, 8, 9), None),
        ({"channels": -8, "out_dtype": "int16"}, f(1, 32, 8, 9), None),
        ({"channels": 8, "kernel_size": [9, 9]}, f(1, 32, 7, 9), None),
        ({"channels": 8, "kernel_size": [3]}, f(1, 32, 8, 9), None),
        ({"channels": 8, "strides": [0, 1]}, f(1, 32, 8, 9), None),
        ({"channels": 8, "padding": [1, 1, 1]}, f(1, 32, 8, 9), None),
        ({"channels": 8}, f(1, 32, 8), None),
    ],
)
def test_convolution(attrs, data, out):
    found = ask("nn.bitserial_conv2d", data, f(1), "_", **attrs)
    assert found == (out and [data, f(1), out])


def test_dense():
    known = [f(4, 5, 64), f(1), f(4, 5, 10, dtype="int16")]
    attrs = {"units": 10, "out_dtype": "int16"}
    assert ask("nn.bitserial_dense", *known[:2], "_", **attrs) == known
    assert ask("nn.bitserial_dense", "_", f(1), known[2], **attrs)[0] == f(4, 5, "_", dtype="_")
    assert ask("nn.bitserial_dense", f(), f(1), "_", **attrs) is None
    assert ask("nn.bitserial_dense", *known[:2], "_", units=-1) is None
    assert ask("nn.bitserial_dense", *known[:2], "_", units=None) is None
