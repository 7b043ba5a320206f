"""Which part of a refuted program is blamed first, and that the refusal itself stays."""

from __future__ import annotations

import pytest

import relaylogic

HEADER = '#[version = "0.0.5"]\n'


def errors(text, closed=True):
    """(line, message) of the errors of a program whose first line is line 1."""
    result = relaylogic.infer(relaylogic.parse(HEADER + text), closed=closed)
    return [(error.line - 1, error.message) for error in result.errors]


def test_an_annotation_is_blamed_for_which_the_rest_says_what_it_should_be():
    found = errors("""def @main(%x: Tensor[(2, 784), float32], %w: Tensor[(64, 783), float32], %b) {
  nn.bias_add(nn.dense(%x, %w, units=64), %b)
}""")
    assert [line for line, _ in found] == [1, 2]
    assert "`%w` is annotated Tensor[(64, 783), float32]" in found[0][1]
    assert "needs Tensor[(64, 784), float32]" in found[0][1]
    assert "`nn.dense` refuses" in found[1][1]


def test_several_witnesses_stand_against_one():
    found = errors("""def @f(%x: int32, %y: float32) -> int32 { %x }
def @main() {
  let %a = @f(1, 2);
  let %b = @f(3, 4);
  %a + %b
}""")
    assert [line for line, _ in found] == [1, 3, 4]
    assert "and 1 more" in found[0][1]


def test_what_could_be_otherwise_at_the_call_itself_is_blamed_there():
    found = errors("""def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(16, 3, 3, 3), float32]) {
  nn.conv2d(%x, %w, channels=17, kernel_size=[3, 3])
}""")
    assert [line for line, _ in found] == [2]


def test_a_call_unlike_all_others_is_blamed():
    convolutions = "\n".join(
        f"  %{i} = nn.conv2d({'%x' if not i else f'%{i - 1}'}, %w{i},"
        f"{'' if i == 1 else ' padding=[1, 1, 1, 1],'} channels=4, kernel_size=[3, 3]);"
        for i in range(5)
    )
    weights = ", ".join(f"%w{i}: Tensor[(4, 4, 3, 3), float32]" for i in range(5))
    found = errors(f"def @main(%x: Tensor[(1, 4, 8, 8), float32], {weights}) {{\n{convolutions}\n  add(%4, %x)\n}}")
    assert [line for line, _ in found] == [3, 7]
    assert "`padding=[1, 1, 1, 1]` here, as 4 other calls have" in found[0][1]


def test_swapped_arguments_are_blamed_at_their_call():
    found = errors("""def @main(%x: Tensor[(3), float32]) {
  let %f = fn (%a: Tensor[(3), float32], %b: bool) { if (%b) { %a } else { exp(%a) } };
  %f(True, %x)
}""")
    assert {line for line, _ in found} == {3}


def test_a_missing_arm_is_missed_where_the_match_ends():
    found = errors("""type Color {
  Red,
  Green,
}
def @code(%c: Color) -> int32 {
  match (%c) {
    Red => 0,
  }
}""")
    assert [line for line, _ in found] == [8]


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_is_written_into_the_program(closed):
    module = relaylogic.parse(HEADER + "def @main(%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { add(%x, %y) }")
    first = relaylogic.infer(module, closed=closed)
    again = relaylogic.infer(module, closed=closed)
    assert [e.message for e in first.errors] == [e.message for e in again.errors]
    assert [str(p.type_annotation) for f in module.functions.values() for p in f.params] == [
        "Tensor[(3), float32]",
        "Tensor[(4), float32]",
    ]
