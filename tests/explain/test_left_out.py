"""What a program binds and nobody uses may be what is meant where something does not fit: it is offered, by name."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.explain.blame.diagnosis import Diagnosis
from relaylogic.explain.blame.left_out import types_left_out, unused_bindings
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from relaylogic.ir import Call, post_order
from relaylogic.text import parse

GRAPH = """def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(4, 3), int8], %v: Tensor[(5, 4), int8])
    -> Tensor[(2, 5), int8] {
  %0 = nn.dense(%x, %w);
  %1 = nn.relu(%0);
  %2 = (%1, %x);
  %3 = tanh(%x);
  nn.dense(%3, %v)
}
"""
LSTM = """def @main(%x: Tensor[(1, 8), float32], %c: Tensor[(1, 2), float32], %w: Tensor[(3, 7), float32]) {
  let %parts = split(%x, indices_or_sections=4, axis=1);
  let %i = sigmoid(%parts.0);
  let %f = sigmoid(%parts.1);
  let %g = tanh(GIVEN);
  let %o = sigmoid(%parts.3);
  let %h: Tensor[(1, 2), float32] = multiply(%o, add(multiply(%f, %c), multiply(%i, %g)));
  (%h, exp(%w))
}
"""
VALUE = """def @main(%f: fn (bool) -> int8, %g: Tensor[(2), int8]) -> int8 {
  let %a = add(%g, %g);
  %g(True)
}
"""
FIELD = """def @main(%x: int8, %y: bool) -> (bool, int8) {
  let %t = (%x, %y);
  (%t, %t.0)
}
"""
CONDITION = """def @main(%c: bool, %n: int8, %m: int8) {
  if (%c) { (%c, %m) } else { (%n, %m) }
}
"""
RECURSIVE = """def @main(%n: int8, %k: int16) -> int8 {
  let %f = fn (%i: int16) -> int8 { if (%i == 0i16) { %n } else { %f(subtract(%i, 1i16)) } };
  %n(%k)
}
"""
NAME = """def @main(%f: fn (int8) -> (bool, int8)) -> int8 {
  let %r = %f(1i8);
  %f
}
"""


def test_bindings_that_nobody_uses_have_the_types_that_they_would_have():
    module = parse(GRAPH)
    function = module["main"]
    start = GRAPH.index("%2 =")
    assert unused_bindings(function) == {start: "2"}
    found = types_left_out(function, Inference(module))
    assert {at: (name, str(type_)) for at, (name, type_) in found.items()} == {
        start: ("`%2`", "(Tensor[(2, 4), int8], Tensor[(2, 3), int8])")
    }


def test_what_a_nested_scope_binds_is_not_used_outside():
    text = "def @main(%c: bool, %x: int8) -> int8 { if (%c) { %0 = negative(%x); %1 = add(%x, 1); %x } else { %x } }"
    module = parse(text)
    assert set(unused_bindings(module["main"]).values()) == {"0", "1"}
    types_left_out(module["main"], Inference(module))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GRAPH.replace("%2 = (%1, %x)", "%2 = tanh(%1)").replace("tanh(%x)", "nn.relu(%x)"), 6, "`%2` as argument 1"),
        (LSTM.replace("GIVEN", "%w"), 5, "`%parts.2` as argument 1"),
        (LSTM.replace("GIVEN", "%parts"), 5, "`%parts.2` as argument 1"),
        (VALUE, 3, "`%f` called here"),
        (NAME, 3, "`%r.1` in its place"),
        (FIELD, 3, "field .1 of field .0"),
        (RECURSIVE, 3, "`%f` called here"),
    ],
)
def test_it_is_offered_where_it_fits(text, line, said):
    (error,) = relaylogic.infer(text).errors
    assert error.line == line
    assert f"the rest of the program is consistent with {said}" in error.hints


def test_nothing_is_offered_that_would_leave_the_other_one_unused():
    """`%parts.2` was offered in place of `%g`, which nothing else uses."""
    (error,) = relaylogic.infer(LSTM.replace("GIVEN", "%w")).errors
    assert not any("argument 2" in hint for hint in error.hints)


def test_a_condition_is_not_meant_where_another_value_is():
    inference = Inference(parse(CONDITION))
    ranked = Diagnosis(Said(inference, inference.what_if)).ranked
    (first,) = (c for c in ranked if c.place.kind == "tuple" and c.place.span.text == "(%c, %m)")
    assert first.mend.slip == "`%m` as field .0"
    assert not first.mend.left
    assert first.features["a condition is given"]


def test_no_order_is_offered_that_changes_nothing():
    """`axes=[0, 1, 2]` was what somebody should have meant."""
    text = """def @main(%w: Tensor[(4, 12, 12), int8], %v: Tensor[(4, 12, 8), int8]) -> Tensor[(4, 12, 8), int8] {
  let %vt = transpose(%v, axes=[0, 2, 1]);
  nn.batch_matmul(%w, %vt)
}"""
    assert not any("axes=[0, 1, 2]" in said for e in relaylogic.infer(text).errors for said in (e.message, *e.hints))


def test_a_call_that_is_too_much_is_left_out_before_another_one_undoes_it():
    """A second `transpose` was offered, around the argument of the one that is too much."""
    text = """def @main(%x: Tensor[(1, 4), int8], %w: Tensor[(5, 4), int8], %b: Tensor[(5), int8])
    -> Tensor[(1, 5), int8] {
  transpose(nn.bias_add(nn.dense(%x, %w), %b))
}"""
    (error,) = relaylogic.infer(text).errors
    assert error.line == 3
    assert error.hints == ("the rest of the program is consistent with its argument in place of this call",)


def test_nobody_means_more_fields_of_which_none_is_taken():
    """That `split` should make 64 parts, of which four are used, was the likeliest fault."""
    text = """def @main(%x: Tensor[(1, 64), int8], %c: Tensor[(1, 16), int8])
    -> (Tensor[(1, 16), int8], Tensor[(1, 16), int8]) {
  let %parts = split(%x, indices_or_sections=4, axis=1);
  let %g = transpose(tanh(%parts.2));
  let %next = add(multiply(%parts.1, %c), multiply(%parts.0, %g));
  (multiply(%parts.3, tanh(%next)), %next)
}"""
    inference = Inference(parse(text))
    said = Said(inference, inference.what_if)
    (call,) = {id(c.place.node): c for c in Diagnosis(said).ranked if c.place.kind == "call" and _is_split(c)}.values()
    assert said.places.fields_taken(call.place.node) == 4
    assert call.mend is None or len(call.mend.type.fields) <= 4


def _is_split(candidate):
    return getattr(candidate.place.node.op, "name", "") == "split"


def test_the_fields_of_a_variable_are_those_of_what_it_is_bound_to():
    """Through one variable they were, and not through two."""
    text = """def @main(%x: Tensor[(1, 8), int8]) {
  let %a = split(%x, indices_or_sections=4, axis=1);
  let %b = %a;
  (%b.0, %b.2)
}"""
    inference = Inference(parse(text))
    (call,) = (node for node in post_order(inference.module["main"]) if type(node) is Call)
    assert Said(inference, inference.what_if).places.fields_taken(call) == 3
