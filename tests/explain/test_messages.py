"""What a refusal says: what did not hold, in words and terms of the program, and never in the engine's."""

from __future__ import annotations

import re

import pytest

import relaylogic
from relaylogic.explain.example_table import EXAMPLES
from relaylogic.rulebase import default_rules

from ..effort import some
from ..fuzz.relay_programs import literal, types_of

RULES = default_rules()
RAW = re.compile(r"does not hold|no clause applies \[|lambda|Slot|~_|\b(-\d+) is \1|unroll|<|\b1 elements|NoneType")
OTHERS = ["float32", "(int8, int8)", "Tensor[(2, 3, 5, 7, 9), float32]"]
WRONG = {"int": "-9", "integer": "99", "list": "[-9, 99]", "str": '"a"', "dtype": "3", "bool": "None", "object": "None"}


def program(name: str, types: list[str], attributes: dict[str, str]) -> str:
    params = ", ".join(f"%x{i}" if type_ == "_" else f"%x{i}: {type_}" for i, type_ in enumerate(types))
    given = [*(f"%x{i}" for i in range(len(types))), *(f"{key}={value}" for key, value in attributes.items())]
    return f"def @main({params}) {{ {name}({', '.join(given)}) }}"


def wrong_calls(name: str):
    """Calls of an operator that are like its example, but for one type or one attribute."""
    operator = RULES.operators[name]
    matrices = ", ".join("Tensor[(2, 3), float32]" for _ in operator.inputs)
    listed, given = EXAMPLES.get(name) or EXAMPLES.get(operator.relation.name) or (matrices, {})
    types = types_of(listed)
    known = {key: literal(value) for key, value in given.items() if not isinstance(value, dict)}
    for other in OTHERS if types else ():
        yield program(name, [other, *types[1:]], known)
    yield program(name, [*types[:-1]], known)
    for attribute in list(operator.attributes.values())[:4]:
        if attribute.kind in WRONG:
            yield program(name, types, {**known, attribute.name: WRONG[attribute.kind]})


@pytest.mark.parametrize("name", sorted(RULES.operators))
def test_no_message_is_raw(name):
    for text in some(wrong_calls(name)):
        for problem in relaylogic.infer(text).errors:
            for said in (problem.message, *problem.hints, *(label.message for label in problem.related)):
                assert not RAW.search(said.replace("->", "")), f"{text}\n{said}"


@pytest.mark.parametrize(
    ("params", "call", "said"),
    [
        ("%x: float32, %y", "nn.dense(%x, %y, units=4)", "() has fewer than 1 element [Dense, clause"),
        ("%x: float32", "sum(%x, axis=[1])", "every axis to reduce exists: () has fewer than 2 elements"),
        ("%x: Tensor[(2, 3), int8]", "sort(%x, axis=-9)", "the axis exists: (2, 3) has fewer than 9 elements [Sort,"),
        ("%x: Tensor[(2, 3), int8]", "sort(%x, axis=99)", "the axis exists: (2, 3) has fewer than 100 elements [Sort,"),
        ("", 'ones(shape=[-9], dtype="int8")', "`shape` lists naturals [Filled,"),
        ("%x: float32", "stack(%x, axis=1)", "float32 is no tuple [Stack,"),
        ("%x: (int8, int8)", "add(%x, 1f)", "(int8, int8) is no tensor [Broadcast,"),
        ("%x: float32, %y: Tensor[(1), int64]", "collapse_sum_to(%x, %y, shape=[3])", "(3) and () differ in length"),
        ("%x: Tensor[(2), int8], %s: Tensor[(?), int64]", "dyn.reshape(%x, %s)", "the number of elements is `?`"),
        (
            "%x: (Tensor[(2), int8], Tensor[(2, 3), int8])",
            "stack(%x, axis=0)",
            "all parts have one shape: (2) and (2, 3) differ in length [Stack,",
        ),
        ("%x: Tensor[(1, 3, 32), int8]", "nn.avg_pool1d(%x, pool_size=[99])", "padded data: -66 is no extent [Pool1D,"),
        ("%x: Tensor[(2, 3), int8]", "sort(%x, axis=9)", "the axis exists: (2, 3) has fewer than 10 elements [Sort,"),
        (
            "%x: Tensor[(2, 3), int8]",
            'layout_transform(%x, src_layout="NCHW", dst_layout="NHWC")',
            "the shape has the axes of NCHW: (2, 3) does not have 4 elements",
        ),
        ("%x: Tensor[(2, 9), int8]", 'topk(%x, k=3, ret_type="a", dtype="int8")', "`ret_type` is both, values or"),
        ("", "scatter()", "no clause applies; NoCall says: Holds of nothing: a name that Relay registers"),
        ("%x: int8", "reshape(%x, newshape=[1.5f])", "cannot be [1.5f]: it accepts a list or None (its elements are"),
        ("%x: int8", "reshape(%x, newshape=[[1, 2]])", "cannot be [[1, 2]]: it accepts"),
        ("%x: int8", "reshape(%x, newshape=[None])", "(its elements are integers, not None)"),
        (
            "%x: Tensor[(1, 3, 4, 4), float32]",
            'image.resize2d(%x, size=[2, 2], roi=[0f, "a", 1f, 1f])',
            "(its elements are numbers, not texts)",
        ),
    ],
)
def test_what_did_not_hold_is_said(params, call, said):
    (problem,) = relaylogic.infer(f"def @main({params}) {{ {call} }}").errors
    assert said in " ".join([problem.message, *(label.message for label in problem.related)])


def test_attributes_are_written_as_in_the_program():
    text = 'def @main(%x: Tensor[(2, 9), int8]) { topk(%x, k=3, ret_type="a", dtype="int8") }'
    (problem,) = relaylogic.infer(text).errors
    assert problem.hints == ('the rest of the program is consistent with `ret_type="both"` here',)
    assert [label.message for label in problem.related] == ['`ret_type` is "a"']


def _told(problem):
    return [problem.message, *(label.message for label in problem.related)]


def test_what_is_called_is_named_as_it_is_written():
    (found,) = relaylogic.infer("""type Box { Put(int8) }
def @f(%x: int8) -> int8 { %x }
def @main(%x: int8) -> (int8, int8, Box, bool) {
  let %g = fn (%y: int8) -> int8 { %y };
  let %t = (@f(%x), %g(%x), Put(%x));
  (%t.0, %t.1, %t.2, %t.2)
}""").errors
    assert "the call of `Put` has type Box[]" in _told(found)
    for call, name in (("@f()", "@f"), ("%g(%x, %x)", "%g"), ("Put()", "Put"), ("(fn () { 1 })(%x)", "")):
        types = "%x: int8, %g: fn (int8) -> int8"
        text = f"type Box {{ Put(int8) }} def @f(%x: int8) {{ %x }} def @main({types}) {{ {call} }}"
        (found,) = relaylogic.infer(text).errors
        start = f"`{name}` takes" if name else "the function takes"
        assert any(message.startswith(start) for message in _told(found))


def test_lists_of_other_lengths_are_counted():
    (found,) = relaylogic.infer("def @main(%x: Tensor[(2), int8]) -> Tensor[(2, 2), int8] { nn.relu(%x) }").errors
    assert any("(1 element against 2)" in message for message in _told(found))


def test_a_number_that_its_bounds_deny_is_not_said_to_be_unequal_to_itself():
    (found,) = relaylogic.infer("""def @main(%a: Tensor[(_), float32], %b: Tensor[(2), float32]) {
  reshape(concatenate((%a, %b), axis=0), newshape=[1])
}""").errors
    assert any("_ + 2 is not 1" in message for message in _told(found))


def test_another_field_is_named_where_the_tuple_itself_has_no_type_that_is_known():
    """What makes it a tuple is an annotation that is refused itself; which field fits was found out without it."""
    first, second = relaylogic.infer("""def @linear(%x, %w) { %w * %x }
def @cell(%w: (Tensor[(16), float32], Tensor[(-1), float32]), %s: Tensor[(16), float32]) {
  (@linear(%s, %w.0), @linear(%s, %w.1))
}
def @main(%w: (Tensor[(16), float32], Tensor[(5), float32]), %s: Tensor[(16), float32]) { @cell(%w, %s) }
""").errors
    assert first.message == "an extent is a natural number, which -1 is not"
    assert second.message == "the rest of the program needs field .0 here, of type Tensor[(16), float32]"


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("Node(%l, %r) => %n", "in `Node`, the fields are Tree[A], A and Tree[A]"),
        ("Node(_, Leaf(%a, %b), _) => %n", "in `Leaf`, the field is int32"),
    ],
)
def test_a_pattern_of_too_few_or_too_many_fields_tells_what_they_are(pattern, hint):
    """It told how many there are, and not which one lacks."""
    text = f"""type Tree[A] {{ Node(Tree[A], A, Tree[A]), Leaf(int32), }}
def @main(%t: Tree[Tree[int8]], %n: int32) {{ match? (%t) {{ {pattern} }} }}"""
    (error,) = relaylogic.infer(text).errors
    assert hint in error.hints


def test_a_function_that_is_given_to_an_operator_is_told_with_its_type():
    """`fn [t1, t2](t1) -> t2 is no tensor` was said of any."""
    text = """def @step(%x: Tensor[(2, 4), float32]) -> Tensor[(2, 4), float32] { nn.relu(%x) }
def @main(%w: Tensor[(3, 4), float32]) { nn.dense(@step, %w) }"""
    (error,) = relaylogic.infer(text).errors
    assert ": fn (Tensor[(2, 4), float32]) -> Tensor[(2, 4), float32] is no tensor" in error.message
