"""A cast that may be missing is told besides what is blamed, if the program is right with it."""

import pytest

import relaylogic

IMAGE = """def @main(%x: Tensor[(8, 8), uint8], %w: Tensor[(4, 8), float32]) {{
  let %s = divide({0}, 255f);
  nn.dense(%s, %w, units=4)
}}"""
SUMS = """def @main(%x: Tensor[(8, 8), int8], %w: Tensor[(4, 8), int8], %b: Tensor[(4), float16]) {{
  let %s = nn.dense(%x, %w, units=4, out_dtype="int32");
  nn.bias_add({0}, %b)
}}"""
CAST = 'cast({}, dtype="{}")'


def told(text):
    """The casts that the errors of a program tell, which is refused."""
    errors = relaylogic.infer(text).errors
    assert errors
    return [hint for error in errors for hint in error.hints if "`cast`" in hint]


@pytest.mark.parametrize(
    ("program", "argument", "dtype", "operator"),
    [(IMAGE, "%x", "float32", "divide"), (SUMS, "%s", "float16", "nn.bias_add")],
)
def test_the_program_is_right_with_a_cast_that_is_told(program, argument, dtype, operator):
    (hint,) = told(program.format(argument))
    assert hint.endswith(f'is consistent with `cast` with dtype="{dtype}" around argument 1 of `{operator}`')
    assert relaylogic.infer(program.format(CAST.format(argument, dtype))).verdict == "typed"


def test_a_cast_is_told_beside_another_fault():
    text = IMAGE.format("%x").replace("(4, 8), float32", "(4, 9), float32")
    (hint,) = told(text)
    assert "around argument 1 of `divide`" in hint


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float64]) { add(%x, %y) }",
        "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int32]) { add(%x, %y) }",
        "def @main(%x: Tensor[(2, 3), float32]) { add(%x, 1) }",
        "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 4), float32]) { add(%x, %y) }",
        "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(3), float32]) -> Tensor[(2, 3), int8] { add(%x, %y) }",
    ],
    ids=["two floats", "two integers", "a constant", "the shapes differ, too", "an integer is wanted"],
)
def test_no_cast_is_told(text):
    assert told(text) == []
