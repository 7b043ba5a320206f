"""Other attributes of a blamed call that would do as well are told, where the program is right with them."""

import re

import pytest

import relaylogic

MEAN = "def @main(%x: Tensor[(16, 32), float32]) {{ subtract(%x, mean(%x, {})) }}"
SLICE = """def @main(%x: Tensor[(8, 8), float32], %y: Tensor[(5, 5), float32]) {{
  add(strided_slice(%x, {}, strides=[1, 1]), %y)
}}"""
PRODUCT = (
    "def @main(%a: Tensor[(4, 10, 16), float32], %b: Tensor[(4, 10, 16), float32]) {{ nn.batch_matmul(%a, %b{}) }}"
)


def told(text):
    """What an error of a program tells that would do, in the order in which it is told."""
    (error,) = relaylogic.infer(text).errors
    said = " ".join((error.message, *error.hints))
    return re.findall(r"is consistent with `([^`]*)`(?: here|, too)", said)


@pytest.mark.parametrize(
    ("program", "given", "expected"),
    [
        (MEAN, "axis=[1]", ["axis=[0]", "axis=[1], keepdims=True"]),
        (SLICE, "begin=[0, 0], end=[6, 6]", ["begin=[1, 1], end=[6, 6]", "begin=[0, 0], end=[5, 5]"]),
        (PRODUCT, ", transpose_b=False", [", transpose_b=True", ", transpose_a=True, transpose_b=False"]),
    ],
    ids=["keepdims", "slice", "transposed"],
)
def test_each_attribute_that_is_told_makes_the_program_right(program, given, expected):
    found = told(program.format(given))
    for edit, attributes in zip(found, expected, strict=False):
        assert edit in attributes
        assert relaylogic.infer(program.format(attributes)).verdict == "typed"
    assert len(found) >= len(expected)


def test_an_attribute_that_fits_alone_is_told_alone():
    text = "def @main(%x: Tensor[(6, 8), float32]) { reshape(%x, newshape=[-1, 10]) }"
    assert told(text) == ["newshape=[-1, 8]"]


def test_no_layout_is_told_that_only_happens_to_fit():
    text = """def @main(%x: Tensor[(1, 32, 8, 8), float32], %w: Tensor[(32, 1, 3, 3), float32]) {
  nn.conv2d(%x, %w, padding=[1, 1], channels=32, kernel_size=[3, 3])
}"""
    assert told(text) == ["groups=32"]
