"""What an attribute is told to be instead of what was mistyped: little else, and what the rest of the program says."""

import pytest

import relaylogic
from relaylogic.explain.blame.other_values import other_values
from relaylogic.text import parse_type
from relaylogic.types import TypeVar

SEVERAL = {
    "an extent of what is broadcast": (
        'add(%x, zeros(shape=[4, 6, 7], dtype="float32"))',
        "Tensor[(4, 5, 7), float32]",
        "shape=[4, 5, 7]",
    ),
    "the last one": (
        'multiply(ones(shape=[4, 5, 8], dtype="float32"), %x)',
        "Tensor[(4, 5, 7), float32]",
        "shape=[4, 5, 7]",
    ),
    "an extent that is known beside one that is not": (
        'concatenate((%x, zeros(shape=[1, 5], dtype="float32")), axis=0)',
        "Tensor[(?, 4), float32]",
        "shape=[1, 4]",
    ),
    "an extent beside one that a reshape finds out": (
        "add(%x, reshape(transpose(reshape(%x, newshape=[0, 0, 4, 16]), axes=[0, 2, 1, 3]), newshape=[-1, 18, 64]))",
        "Tensor[(?, 16, 64), float32]",
        "newshape=[-1, 16, 64]",
    ),
    "both extents of a window": (
        "nn.conv2d(%x, %w, kernel_size=[5, 5], channels=8)",
        "Tensor[(1, 3, 9, 9), float32], %w: Tensor[(8, 3, 3, 3), float32]",
        "kernel_size=[3, 3]",
    ),
    "a large number that another one is near to": (
        'multiply(%x, one_hot(%i, 1f, 0f, depth=12, axis=-1, dtype="float32"))',
        "Tensor[(32, 10), float32], %i: Tensor[(32), int32]",
        "depth=10",
    ),
    "an axis that is left out as a rule": ("nn.softmax(%x, axis=5)", "Tensor[(2, 3), float32]", "axis=-1"),
    "the layout of a kernel that goes with the channels last": (
        'nn.conv2d(%x, %w, kernel_size=[3, 3], channels=8, data_layout="NHWC")',
        "Tensor[(1, 9, 9, 3), float32], %w: Tensor[(3, 3, 3, 8), float32]",
        'kernel_layout="HWIO"',
    ),
    "the other way round": (
        'nn.conv2d(%x, %w, kernel_size=[3, 3], channels=8, kernel_layout="HWIO")',
        "Tensor[(1, 3, 9, 9), float32], %w: Tensor[(8, 3, 3, 3), float32]",
        'kernel_layout="OIHW"',
    ),
}


@pytest.mark.parametrize(("body", "parameter", "meant"), SEVERAL.values(), ids=SEVERAL)
def test_what_an_attribute_could_be_is_near_to_what_it_is(body, parameter, meant):
    (found,) = relaylogic.infer(f"def @main(%x: {parameter}) {{ {body} }}").errors
    assert f"the rest of the program is consistent with `{meant}` here" in (found.message, *found.hints)


@pytest.mark.parametrize("numbers", [(2, 1), (0, 2, 1), (4, 6, 7), (1, 1, 2, 2)])
def test_lists_with_one_number_exchanged_come_before_those_of_other_numbers(numbers):
    found = list(other_values(numbers, [9], None))
    several = next(i for i, other in enumerate(found) if sum(a != b for a, b in zip(other, numbers, strict=True)) > 1)
    exchanged = {(*numbers[:i], k, *numbers[i + 1 :]) for i in range(len(numbers)) for k in (0, 1, 2, 3, 9, *numbers)}
    assert exchanged <= set(found[:several])


@pytest.mark.parametrize("numbers", [(3,), (1, 1), (5, 5, 5)])
def test_of_a_list_of_one_number_those_of_another_come_first(numbers):
    found = list(other_values(numbers, [9], None))
    uneven = next((i for i, other in enumerate(found) if len(set(other)) > 1), len(found))
    assert {(k,) * len(numbers) for k in (0, 1, 2, 3, 5, 7, numbers[0] - 1, numbers[0] + 1)} <= set(found[:uneven])


def test_what_is_known_of_the_wanted_shape_comes_first():
    wanted = parse_type("Tensor[(?, 4, ?), float32]")
    assert next(other_values((1, 5, 2), [], wanted)) == (1, 4, 2)


@pytest.mark.parametrize(
    ("layout", "usual"),
    [("NCHW", "NHWC"), ("NHWC", "NCHW"), ("OIHW", "HWIO"), ("HWIO", "OIHW"), ("OIW", "WIO"), ("DHWIO", "OIDHW")],
)
def test_the_usual_layouts_come_before_any_other_order(layout, usual):
    assert usual in list(other_values(layout, [], None))[:4]


def test_a_window_of_a_whole_image_is_one_of_numbers():
    """A type parameter was taken for an extent that a window may have, which no text says."""
    wide = parse_type("Tensor[(1, 3, 12, 10), int8]").shape
    assert (12, 10) in list(other_values((2, 2), [], None, [wide]))
    open_ = (*wide[:3], TypeVar("h", "ShapeVar"))
    assert all(type(n) is int for other in other_values((2, 2), [], None, [open_]) for n in other)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC", "OIHW", "HWIO", "OIW", "DHWIO", "NCDHW"])
def test_what_is_spatial_keeps_its_order_in_a_layout(layout):
    """`WOIH` fitted a kernel of 3 by 3 by chance."""
    spatial = layout.translate(str.maketrans("", "", "NCOI"))
    others = list(other_values(layout, [], None))
    assert others
    assert all(sorted(other) == sorted(layout) and spatial in other for other in others)


@pytest.mark.parametrize(("numbers", "first"), [((6, 6), (5, 5)), ((2, 2), (0, 0))])
def test_near_to_what_is_large_comes_before_what_is_small(numbers, first):
    assert next(other_values(numbers, [9], None)) == first
