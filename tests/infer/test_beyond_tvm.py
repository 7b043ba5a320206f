"""Programs that TVM 0.14 cannot type and should be able to, and errors that it would report too often."""

from __future__ import annotations

import pytest

from relaylogic.api import infer

LIST = """type List[A] { Cons(A, List[A]), Nil, }
type nat { Z, S(nat), }
def @foldl[A, B](%f: fn (A, B) -> A, %z: A, %l: List[B]) -> A {
  match (%l) { Cons(%x, %r) => @foldl(%f, %f(%z, %x), %r), Nil => %z }
}
def @flip[A, B, C](%f: fn (A, B) -> C) -> fn (B, A) -> C { fn (%b: B, %a: A) -> C { %f(%a, %b) } }
"""


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        (
            LIST + "def @rev[A](%l: List[A]) -> List[A] { @foldl(@flip(Cons), Nil, %l) }",
            "rev",
            "fn [A](List[A]) -> List[A]",
        ),
        (
            LIST
            + """def @even(%n) { match (%n) { Z => True, S(%m) => @odd(%m) } }
            def @odd(%n) { match (%n) { Z => False, S(%m) => @even(%m) } }""",
            "even",
            "fn (nat[]) -> bool",
        ),
        ("def @main() { let %id = fn (%x) { %x }; (%id(1), %id(())) }", "main", "fn () -> (int32, ())"),
        ("def @main(%x) { equal(%x, 1) }", "main", "fn [t1: Shape](Tensor[t1, int32]) -> Tensor[t1, bool]"),
        (
            "def @f(%x) { equal(%x, 1) }  def @main(%y: Tensor[(3), int32]) { @f(%y) }",
            "main",
            "fn (Tensor[(3), int32]) -> Tensor[(3), bool]",
        ),
        ("def @f(%x, %y) { add(%x, %y) }", "f", "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)"),
        (
            "def @f[n: ShapeVar](%x: Tensor[(n, 2 * n), int8]) -> Tensor[(2 * n * n), int8] {"
            " reshape(%x, newshape=[-1]) } def @main(%y: Tensor[(3, _), int8]) { @f(%y) }",
            "main",
            "fn (Tensor[(3, 6), int8]) -> Tensor[(18), int8]",
        ),
    ],
)
def test_it_is_typed(text, name, type_):
    result = infer(text)
    assert (result.verdict, str(result.functions[name])) == ("typed", type_)


def test_an_open_operand_of_a_comparison_is_a_tensor_of_the_other_ones_dtype():
    result = infer("def @main(%x) { let %y = equal(%x, 1); nn.relu(%x) }", closed=True)
    assert result.verdict == "incomplete"
    assert any("int32" in alternative[0] for item in result.residue for alternative in item.alternatives)


def test_a_refused_call_in_a_polymorphic_function_is_reported_once_at_its_place():
    result = infer("""def @bad(%x) {
  (%x, add(ones(shape=[2], dtype="int8"), ones(shape=[3], dtype="int8")))
}
def @main() { (@bad(1), @bad(2f), @bad(())) }""")
    assert result.verdict == "refuted"
    assert [error.line for error in result.errors] == [2]


def test_a_call_that_an_instance_refuses_is_one_error_with_the_annotation():
    result = infer("""def @f(%x, %y) { add(%x, %y) }
def @main(%a: Tensor[(2), int8], %b: Tensor[(3), int8]) {
  (@f(%a, %a), @f(%a, %b))
}""")
    assert result.verdict == "refuted"
    (error,) = result.errors
    said = [error.message, *(label.message for label in error.related)]
    assert any("refuses (Tensor[(2), int8], Tensor[(3), int8])" in text for text in said)
    assert any("`%b` is annotated" in text for text in said)
