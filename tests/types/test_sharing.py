"""Large types are written with names for what occurs again and again; put in, these give what is written out."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import Var

import relaylogic
import relaylogic.types.show
from relaylogic.logic.search.antiunify import generalise
from relaylogic.logic.terms.terms import cons, slot
from relaylogic.types import FuncType, GlobalTypeVar, RefType, TensorType, TupleType, TypeCall, TypeRelation, TypeVar
from relaylogic.types.show import written_out
from relaylogic.types.table import TypeTable, show_type
from tests.effort import examples

INT8 = TensorType((), "int8")
DOUBLED = "def @main(%x: int8) {{ let %t0 = %x; {} {} }}"


def doubled(times, start=INT8):
    for _ in range(times):
        start = TupleType([start, start])
    return start


def doubling_program(times, end):
    return DOUBLED.format("".join(f"let %t{i + 1} = (%t{i}, %t{i}); " for i in range(times)), end)


def test_small_types_are_written_out():
    assert show_type(doubled(2)) == "((int8, int8), (int8, int8))"
    tensor = TensorType((1, 3, 224, 224), "float32")
    large = FuncType([tensor] * 5_000, tensor)  # long, but nothing in it is worth a name
    assert show_type(large) == f"fn ({', '.join(['Tensor[(1, 3, 224, 224), float32]'] * 5_000)}) -> {tensor}"


def test_a_type_within_many_others_is_too_long_before_it_is_reached():
    """What was left of each was not counted: all were followed to the inmost one."""
    reached = []

    def name(hole):
        reached.append(hole)
        return "_"

    nested = Var()
    for _ in range(10):
        nested = TupleType([nested, INT8])
    pieces = 1 + 4 * 10  # "_", and for each "(", ", ", "int8", ")"
    assert written_out(nested, name, longest=pieces - 1) is None
    assert not reached
    assert written_out(nested, name, longest=pieces) == "(" * 10 + "_" + ", int8)" * 10


def test_that_a_type_of_shared_parts_is_too_long_is_known_before_it_is_written():
    """Each type of a program was written up to the longest that a type may be, to be written with names after all."""
    reached = []

    def name(hole):
        reached.append(hole)
        return "_"

    assert written_out(doubled(40, Var()), name) is None
    assert len(reached) < 200
    pieces = 4 * 2**9 - 3
    assert written_out(doubled(9, Var()), name, longest=pieces - 1) is None
    assert written_out(doubled(9, Var()), name, longest=pieces).count("_") == 2**9


@pytest.mark.parametrize("times", [60, 2_000])
def test_a_doubled_type_is_linear(times):
    text = str(doubled(times))
    assert text.startswith("(T1, T1) where T1 = (T2, T2), T2 = (T3, T3), ")
    assert len(text) < 30 * times and repr(doubled(times)) == text


def test_names_are_not_those_of_the_type():
    inside = TupleType([TypeVar("T1"), GlobalTypeVar("T2"), TensorType((TypeVar("T3"),), "int8")])
    text = show_type(FuncType([], doubled(20, inside), [TypeVar("T4")], [TypeRelation("Same", [INT8, INT8])]))
    assert text.startswith("fn [T4]() -> (T5, T5) where Same(int8, int8), T5 = (T6, T6), ")


LEAVES = st.sampled_from([INT8, TensorType((2, 3), "int8"), TensorType(tuple(range(9)), "int8"), TypeVar("T1"), Var()])


@st.composite
def graphs(draw):
    """Types that share parts."""
    made = [draw(LEAVES) for _ in range(3)]
    for _ in range(draw(st.integers(1, 12))):
        parts = draw(st.lists(st.sampled_from(made), max_size=3))
        node = draw(
            st.sampled_from(
                [
                    TupleType(parts),
                    RefType(made[-1]),
                    FuncType(parts, made[-1]),
                    FuncType(parts, made[-1], [TypeVar("a")], [TypeRelation("Same", parts)]),
                    TypeCall(GlobalTypeVar("L"), parts),
                ]
            )
        )
        made.append(node)
    return made[-3:]


def put_in(text, definitions):
    """A text in which every name is replaced by what it stands for."""
    pattern = re.compile(rf"\b({'|'.join(definitions)})\b") if definitions else re.compile("$^")
    while pattern.search(text):
        text = pattern.sub(lambda found: definitions[found[0]], text)
    return text


@settings(max_examples=examples(300))
@given(graphs())
def test_names_stand_for_what_they_replace(terms):
    limit = relaylogic.types.show.LONGEST
    full = [written_out(term) for term in terms]
    relaylogic.types.show.LONGEST = 10
    try:
        table = TypeTable(terms)
        shown = [table.reference(term) for term in terms]
        alone = [show_type(term) for term in terms]
        definitions = table.definitions
    finally:
        relaylogic.types.show.LONGEST = limit
    assert None not in full
    assert [put_in(text, definitions) if named else text for text, named in shown] == full
    assert len(set(definitions.values())) == len(definitions)
    for text, whole in zip(alone, full):
        head, *named = re.split(r"(?: where|,) (T\d+) = ", text)
        assert put_in(head, dict(zip(named[::2], named[1::2]))) == whole


def test_lists_that_end_in_a_type_parameter():
    fields = TypeVar("t1")
    assert str(TupleType(fields)) == "(...t1,)"
    assert str(TupleType(cons(INT8, fields))) == "(int8, ...t1)"
    assert str(TensorType(cons(2, fields), "int8")) == "Tensor[(2, ...t1), int8]"
    result = relaylogic.infer("def @main[s: Shape](%x: Tensor[(2, ...s), int8]) { (%x, %x) }")
    assert "Tensor[(2, ...s), int8]" in result.to_json()


# ---- results


def test_json_of_a_doubled_type_refers_to_a_table():
    result = relaylogic.infer(doubling_program(60, "%t60"))
    found = json.loads(result.to_json())
    assert found["functions"]["main"] == {"$ref": "#/types/T1"}
    assert found["types"]["T1"] == "fn (int8) -> (T2, T2)" and found["types"]["T2"] == "(T3, T3)"
    assert len(result.to_json()) < 3_000 and len(repr(result)) < 3_000


def test_json_of_small_types_has_no_table():
    found = json.loads(relaylogic.infer(doubling_program(2, "%t2")).to_json())
    assert found["functions"]["main"] == "fn (int8) -> ((int8, int8), (int8, int8))" and "types" not in found


def test_a_refusal_of_a_doubled_type_is_short():
    result = relaylogic.infer(doubling_program(60, "nn.dense(%t60, %t60)"))
    assert result.verdict == "refuted" and len(result.to_json()) < 20_000 and "where T1 = " in result.errors[0].message


def test_two_doubled_types_that_differ_are_refused():
    doubled = "".join(f"let {v}{i + 1} = ({v}{i}, {v}{i});\n" for v in ("%t", "%u") for i in range(40))
    program = f"def @main(%t0: int8, %u0: int16) {{ {doubled} if (True) {{ %t40 }} else {{ %u40 }} }}"
    result = relaylogic.infer(program)
    assert result.verdict == "refuted" and len(result.errors) == 1
    assert "the second branch has type" in str(result.errors[0]) and next(iter(result.conflicts()))


def test_doubled_types_with_open_parts_are_generalised_once():
    left, right = TensorType((slot(0),), "int8"), TensorType((slot(0),), "int16")
    for _ in range(60):
        left, right = TupleType((left, left)), TupleType((right, right))
    (common,) = generalise((left,), (right,), 1)
    for _ in range(60):
        assert common.fields[0] is common.fields[1]
        common = common.fields[0]
    assert common == TensorType((slot(0),), slot(1))
