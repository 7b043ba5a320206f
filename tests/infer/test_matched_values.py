"""Programs of values that are made of each other: what is matched in them is what unifying variables finds in the end.

An inference that is recorded matches nothing.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.infer.program import Inference
from relaylogic.infer.results.recording import Recording
from relaylogic.ir import post_order
from relaylogic.types import show_type
from tests.effort import examples

DEFINITIONS = """
type List[A] { Cons(A, List[A]), Nil }
type Pair[A, B] { Pair(A, B), Late(List[A], fn (A) -> B) }
type Tree { Leaf(Tensor[(3), float32]), Node(Tree, Tree) }
def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {
  match (%l) { Cons(%head, %tail) => Cons(%f(%head), @map(%f, %tail)), Nil => Nil }
}
def @first[A, B](%p: Pair[A, B]) -> A { match? (%p) { Pair(%a, _) => %a } }
def @same[A](%x: A) -> A { %x }
"""
TYPES = ["Tensor[(3), float32]", "Tensor[(?), float32]", "Tensor[(_), float32]", "Tensor[(4), float32]", "int32"]
TYPES += ["Tree", "List[Tensor[(?), float32]]", "List[int32]", "fn (int32) -> int32", "Pair[int32, Tree]"]
VALUES = ["Cons({0}, Nil)", "Cons({0}, {1})", "Cons({0}, Cons({1}, {2}))", "Pair({0}, {1})", "Leaf({0})"]
VALUES += [
    "@map({0}, {1})",
    "@map(@same, {0})",
    "@map(fn (%i{n}) {{ Pair(%i{n}, {1}) }}, {0})",
    "@first({0})",
    "@same({0})",
]
VALUES += ["match (@same({0})) {{ Cons(%h{n}, %t{n}) => Cons(%h{n}, {1}), Nil => {1} }}", "Node({0}, {0})", "@same"]
VALUES += ["match? ({0}) {{ Pair(%h{n}, %t{n}) => Pair(%t{n}, %h{n}) }}", "if (%c) {{ {0} }} else {{ {1} }}", "Nil"]
VALUES += ["Late({0}, {1})", "Late({0}, @same)", "fn (%i{n}) {{ Cons(%i{n}, {0}) }}", "({0}, {1})"]


@st.composite
def programs(draw):
    """A program whose values are made of those before; most of it can be typed."""
    names = [f"%p{i}" for i in range(draw(st.integers(1, 3)))]
    params = [f"{name}: {draw(st.sampled_from(TYPES))}" if draw(st.integers(0, 4)) else name for name in names]
    lines = []
    for n in range(draw(st.integers(1, 6))):
        some = [draw(st.sampled_from(names[-3:])) for _ in range(3)]
        annotation = f": {draw(st.sampled_from(TYPES))}" if not draw(st.integers(0, 9)) else ""
        lines.append(f"let %v{n}{annotation} = {draw(st.sampled_from(VALUES)).format(*some, n=n)};")
        names.append(f"%v{n}")
    return f"def @main(%c: bool, {', '.join(params)}) {{ {' '.join(lines)} ({', '.join(names)},) }}"


@settings(max_examples=examples(150))
@given(programs())
def test_values_have_the_types_that_a_recorded_inference_finds(text):
    module = relaylogic.parse(DEFINITIONS + text)
    plain, recorded = Inference(module, matching=True), Inference(module, recording=Recording())
    assert plain.verdict() == recorded.verdict()
    assert [(s.relation_name, s.span, str(s.error)) for s in plain.failed()] == [
        (s.relation_name, s.span, str(s.error)) for s in recorded.failed()
    ]
    for node in (node for function in module.functions.values() for node in post_order(function)):
        assert show_type(plain.type_of(node)) == show_type(recorded.type_of(node))


def test_what_shares_a_type_is_widened_with_it():
    text = """def @main(%x: Tensor[(3), float32], %y: Tensor[(?), float32]) {
        let %a = Cons(%x, Nil);
        let %b = Cons(%x, %a);
        let %c = match (%b) { Cons(%h, %t) => Cons(%h, %t), Nil => %a };
        let %d = Cons(%y, %c);
        (%a, %b, %c, %d)
    }"""
    found = relaylogic.infer(DEFINITIONS + text).functions["main"].ret_type.fields
    assert list(map(str, found)) == ["List[Tensor[(?), float32]]"] * 4
