"""What might be meant where a tuple is made: what takes it tells what it wants of a field beside the others."""

from __future__ import annotations

import pytest

import relaylogic

SMALL = "%small: Tensor[(1, 32, 16, 16), float32]"
LARGE = "%large: Tensor[(1, 16, 32, 32), float32]"
WEIGHT = "%w: Tensor[(8, 48, 3, 3), float32]"
JOINED = "nn.conv2d({}, %w, padding=[1, 1], channels=8, kernel_size=[3, 3])"
UP = "`nn.upsampling` with scale_h=2f, scale_w=2f around field .{}"

SKIPS = {
    "a tuple in the call": JOINED.format("concatenate((%a, %b), axis=1)"),
    "a graph variable": f"%0 = (%a, %b);\n%1 = concatenate(%0, axis=1);\n{JOINED.format('%1')}",
    "a variable": f"let %t = (%a, %b);\nlet %c = concatenate(%t, axis=1);\n{JOINED.format('%c')}",
}


@pytest.mark.parametrize("field", [0, 1])
@pytest.mark.parametrize("skip", SKIPS)
def test_a_skip_connection_that_lacks_an_upsampling_names_the_field(skip, field):
    """Nothing told what is wanted of one field of a tuple of which only the number of channels is known."""
    names = ("%small", "%large") if field == 0 else ("%large", "%small")
    body = SKIPS[skip].replace("%a", names[0]).replace("%b", names[1])
    head = f"def @main({SMALL}, {LARGE}, {WEIGHT}) {{\n"
    (error,) = relaylogic.infer(f"{head}{body}\n}}").errors
    assert error.span.text == f"({names[0]}, {names[1]})"
    assert f"the rest of the program is consistent with {UP.format(field)}" in error.hints
    right = body.replace("%small", "nn.upsampling(%small, scale_h=2f, scale_w=2f)")
    assert relaylogic.infer(f"{head}{right}\n}}").verdict == "typed"


def test_the_field_of_a_state_is_joined():
    """The whole state was given: the refusal had no hint."""
    state = "(Tensor[(1, 16), float32], Tensor[(1, 16), float32])"
    text = f"""def @cell(%x: Tensor[(1, 8), float32], %s: {state}, %w: Tensor[(64, 24), float32]) {{
      let %z = split(nn.dense(concatenate((%x, %s), axis=1), %w, units=64), indices_or_sections=4, axis=1);
      add(multiply(%z.0, %s.0), multiply(%z.1, %s.1))
    }}"""
    (error,) = relaylogic.infer(text).errors
    assert error.span.text == "(%x, %s)"
    assert error.hints == ("the rest of the program is consistent with field .0 of field .1",)
    assert relaylogic.infer(text.replace("(%x, %s)", "(%x, %s.0)")).verdict == "typed"


def test_a_refusal_tells_which_field_would_fit_otherwise():
    """Only whole arguments were asked about: of a tuple, that is any tuple."""
    odd = ["Tensor[(2, 3), float32]"] * 3
    for i in range(3):
        types = [*odd[:i], "Tensor[(2, 5), float32]", *odd[i + 1 :]]
        parameters = ", ".join(f"%x{k}: {type_}" for k, type_ in enumerate(types))
        (error,) = relaylogic.infer(f"def @main({parameters}) {{ concatenate((%x0, %x1, %x2), axis=0) }}").errors
        assert f"field .{i} of `data` would fit as Tensor[(_, 3), float32]" in error.hints
        assert not any("would fit" in hint for hint in error.hints[1:])


UNET = """def @main(%x: Tensor[(1, 8, 32, 32), float32], %w1: Tensor[(16, 8, 3, 3), float32],
          %w2: Tensor[(32, 16, 3, 3), float32], %w3: Tensor[(16, 48, 3, 3), float32]) {
  %0 = nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]);
  %1 = nn.relu(nn.conv2d(%0, %w1, padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3]));
  %2 = nn.max_pool2d(%1, pool_size=[2, 2], strides=[2, 2]);
  %3 = nn.relu(nn.conv2d(%2, %w2, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3]));
  %4 = (%3, %1);
  %5 = concatenate(%4, axis=1);
  nn.conv2d(%5, %w3, padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3])
}"""


def test_an_image_is_scaled_where_it_meets_another_one():
    """A pooling on the way was told to be left out, or any call there to lack an upsampling."""
    (error,) = relaylogic.infer(UNET).errors
    assert error.span.text == "(%3, %1)"
    assert error.hints == (f"the rest of the program is consistent with {UP.format(0)}",)
