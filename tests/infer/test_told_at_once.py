"""Calls whose arguments tell at once what type parameters stand for: it is what unifying variables finds in the end.

An inference that is recorded writes every demand down, and tells nothing at once.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.infer.program import Inference
from relaylogic.infer.recording import Recording
from relaylogic.infer.schemes import told_at_once
from relaylogic.infer.store import Store
from relaylogic.ir import post_order
from relaylogic.logic.terms import fresh
from relaylogic.text import parse_type
from relaylogic.types import FuncType, GlobalTypeVar, TensorType, TupleType, TypeCall, TypeVar, show_type
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
def test_what_is_told_at_once_is_what_is_found_in_the_end(text):
    module = relaylogic.parse(DEFINITIONS + text)
    plain, recorded = Inference(module), Inference(module, recording=Recording())
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


def test_what_has_extents_is_told_by_a_variable_and_what_several_arguments_tell_differently_is_not_told():
    a, b = TypeVar("a"), TypeVar("b")
    numbers, row, wide = (parse_type(t) for t in ("int32", "Tensor[(3), int8]", "Tensor[(?), int8]"))
    same = FuncType([a, a], a, [a])

    store = Store()

    def told(function, *arg_types):
        values = told_at_once(function, arg_types, store)
        return None if values is None else [(value in store.bindings, store.reify(value)) for value in values]

    assert told(same, numbers, numbers) == [(False, numbers)]
    assert told(same, b, b) == [(False, b)]
    assert told(same, row, row) == [(True, row)]
    assert told(same, TupleType((wide,)), TupleType((wide,))) == [(True, TupleType((wide,)))]
    for arg_types in ((numbers, b), (row, wide)):
        assert told(same, *arg_types) is None
    applied = FuncType([FuncType([a], b), a], b, [a, b])
    assert told(applied, FuncType([numbers], row), numbers) == [(False, numbers), (True, row)]
    assert told(applied, FuncType([wide], row), wide) is None  # that is written, where a value comes
    n = TypeVar("n", "ShapeVar")
    vector, tensor = TypeCall(GlobalTypeVar("Vec"), (n,)), TensorType((n,), "int8")
    assert told(FuncType([vector, tensor], n, [n]), TypeCall(vector.func, (fresh(),)), tensor) is None
    nested = numbers
    for _ in range(100):
        nested = TupleType((nested, nested))
    assert told(same, TupleType((nested, row)), TupleType((nested, row))) == [(True, TupleType((nested, row)))]
    held = a
    for _ in range(100):
        held, nested = TupleType((held, held)), TupleType((nested, nested))
    assert told(FuncType([held], a, [a]), nested) is None  # a type may hold another many times over
