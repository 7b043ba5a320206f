"""Biases, normalisation, softmax: one parameter for each channel."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f

DATA = f(2, 64, 56, 28)
PARAMETERS = {"nn.bias_add": 1, "nn.prelu": 1, "nn.layer_norm": 2, "nn.instance_norm": 2, "nn.group_norm": 2}
GROUPS = {"nn.group_norm": {"num_groups": 2}}


@pytest.mark.parametrize("op", PARAMETERS)
@pytest.mark.parametrize(("axis", "channels"), [(1, 64), (3, 28), (0, 2)])
def test_parameters_take_their_type_from_the_data(op, axis, channels):
    open_parameters, typed = ["_"] * PARAMETERS[op], [f(channels)] * PARAMETERS[op]
    assert ask(op, DATA, *open_parameters, "_", axis=axis, **GROUPS.get(op, {})) == [DATA, *typed, DATA]
    assert ask(op, DATA, *[f("?")] * PARAMETERS[op], "_", axis=axis, **GROUPS.get(op, {}))[-1] == DATA
    assert ask(op, DATA, f(channels + 1), *open_parameters[1:], "_", axis=axis, **GROUPS.get(op, {})) is None
    assert ask(op, DATA, f(channels, 1), *open_parameters[1:], "_", axis=axis, **GROUPS.get(op, {})) is None
    assert (
        ask(op, DATA, f(channels, dtype="float16"), *open_parameters[1:], "_", axis=axis, **GROUPS.get(op, {})) is None
    )


@pytest.mark.parametrize("op", PARAMETERS)
def test_backwards(op):
    attrs = GROUPS.get(op, {})
    count = PARAMETERS[op]
    assert ask(op, "_", *["_"] * count, DATA, axis=1, **attrs) == [DATA, *[f(64)] * count, DATA]
    assert ask(op, f(1, "_", 4), f(6), *["_"] * (count - 1), "_", axis=1, **attrs) == [
        f(1, 6, 4),
        *[f(6)] * count,
        f(1, 6, 4),
    ]
    assert ask(op, DATA, *["_"] * count, f(2, 64, 56, 29), axis=1, **attrs) is None


@pytest.mark.parametrize("op", PARAMETERS)
@pytest.mark.parametrize("axis", [4, -5])
def test_there_is_no_such_axis(op, axis):
    assert ask(op, DATA, *["_"] * PARAMETERS[op], "_", axis=axis, **GROUPS.get(op, {})) is None


@pytest.mark.parametrize(("op", "counts"), [("nn.bias_add", True), ("nn.layer_norm", True), ("nn.prelu", False)])
def test_axes_from_the_end(op, counts):
    found = ask(op, DATA, *["_"] * PARAMETERS[op], "_", axis=-1)
    assert (found == [DATA, *[f(28)] * PARAMETERS[op], DATA]) if counts else found is None


def test_an_unknown_extent_fits_any_number_of_parameters():
    data = f(1, "?", 5)
    assert ask("nn.bias_add", data, "_", "_") == [data, f("?"), data]
    assert ask("nn.bias_add", data, f(64), "_") == [data, f(64), data]


def test_instances_have_a_spatial_axis():
    assert ask("nn.instance_norm", f(4, 64), "_", "_", "_") is None


@pytest.mark.parametrize(("groups", "holds"), [(32, True), (3, False), (0, False), (-1, False)])
def test_groups_divide_the_channels(groups, holds):
    assert (ask("nn.group_norm", DATA, "_", "_", "_", num_groups=groups) is not None) is holds
    assert (ask("nn.group_norm", f(2, "?"), "_", "_", "_", num_groups=groups) is not None) is (groups > 0)


@pytest.mark.parametrize(("axis", "channels"), [(1, 64), (-1, 28), (-2, None), (4, None)])
def test_batch_norm(axis, channels):
    found = ask("nn.batch_norm", DATA, "_", "_", "_", "_", "_", axis=axis)
    v = f(channels)
    expected = [DATA, v, v, v, v, f"({DATA}, {v}, {v})"]
    assert found == (None if channels is None else expected)


def test_batch_norm_backwards_and_refused():
    found = ask("nn.batch_norm", "_", f(6), "_", "_", "_", f"({f(1, '_', 4)}, _, _)")
    assert found[0] == f(1, 6, 4)
    assert ask("nn.batch_norm", DATA, f(64), f(63), "_", "_", "_") is None
    assert ask("nn.batch_norm", f(2, 64, dtype="float16"), f(64), "_", "_", "_", "_") is None


def test_dropout_is_a_pair():
    assert ask("nn.dropout", f(2, 3), "_") == [f(2, 3), f"({f(2, 3)}, {f(2, 3)})"]
    assert ask("nn.dropout", "_", f"({f(2, 3)}, _)") == [f(2, 3), f"({f(2, 3)}, {f(2, 3)})"]
    assert ask("nn.dropout", "(float32,)", "_") is None


@pytest.mark.parametrize("op", ["nn.softmax", "nn.log_softmax", "nn.fast_softmax"])
@pytest.mark.parametrize(
    ("data", "axis", "holds"),
    [(f(2, 3), -2, True), (f(2, 3), 2, False), (f(2, 3), -3, False), (f(), -1, False)],
)
def test_softmax(op, data, axis, holds):
    assert ask(op, data, "_", axis=axis) == ([data, data] if holds else None)
    assert ask(op, "_", data, axis=axis) == ([data, data] if holds else None)


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        ("nn.leaky_relu", {}),
        ("nn.lrn", {}),
        ("nn.l2_normalize", {"eps": 1e-5, "axis": [1]}),
        ("fixed_point_multiply", {"multiplier": 3, "shift": 1}),
    ],
)
def test_the_type_stays(op, attrs):
    assert ask(op, DATA, "_", **attrs) == [DATA, DATA]
    assert ask(op, "_", DATA, **attrs) == [DATA, DATA]
