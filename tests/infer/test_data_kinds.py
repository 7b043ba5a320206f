"""Data types with parameters of every kind: read, printed, applied, made and taken apart."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic import infer, relay
from relaylogic.ir import IRModule, structural_equal
from relaylogic.text import ParseError, astext, parse
from relaylogic.types import GlobalTypeVar, TensorType, TypeCall, TypeVar
from tests.effort import examples

BOX = "type Box[s: Shape, t: BaseType] { Wrap(Tensor[s, t]) }\n"
VEC = "data Vec<n: ShapeVar, t: BaseType> { Grown : (Tensor[(n + 1, 2), t]) -> Vec; Twice(Vec[n * 2, t]) }\n"


def function_type(text: str, name: str = "f") -> str:
    result = infer(parse(text))
    assert result.verdict == "typed", [error.message for error in result.errors]
    return str(result.functions[name])


def complaints(text: str) -> list[str]:
    result = infer(parse(text))
    assert result.verdict == "refuted"
    return [said.message for error in result.errors for said in (error, *error.related)]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        (BOX + "def @f(%x: Tensor[(2, 3), float32]) { Wrap(%x) }", "-> Box[(2, 3), float32]"),
        (BOX + "def @f(%x: Box[(2, 3), float32]) { match (%x) { Wrap(%y) => %y } }", "-> Tensor[(2, 3), float32]"),
        (
            BOX + "def @f(%x) { match (%x) { Wrap(%y) => nn.relu(%y) } }",
            "fn [t1: Shape, t2: BaseType](Box[t1, t2]) -> Tensor[t1, t2]",
        ),
        (BOX + "def @f(%x) { Wrap(%x) }", "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Box[t1, t2]"),
        (
            BOX + "def @f(%x: Box[(2, _), _]) { %x }",
            "fn [t1: ShapeVar, t2: BaseType](Box[(2, t1), t2]) -> Box[(2, t1), t2]",
        ),
        (BOX + "def @f(%x: Box[(2, ..._), int8]) { %x }", "fn [t1: Shape](Box[(2, ...t1), int8])"),
        (BOX + "def @f[n: ShapeVar](%x: Box[(n, n), int8]) { %x }", "(Box[(n, n), int8]) -> Box[(n, n), int8]"),
        (BOX + "def @f(%x: Box[(), bool], %y: Box[(3), bool]) { 1 }", "fn (Box[(), bool], Box[(3), bool])"),
        (VEC + "def @f(%x: Vec[3, int8]) { match? (%x) { Grown(%y) => %y } }", "-> Tensor[(4, 2), int8]"),
        (VEC + "def @f(%x: Tensor[(5, 2), int8]) { Grown(%x) }", "-> Vec[4, int8]"),
        (VEC + "def @f[k: ShapeVar](%x: Vec[k + 1, int8]) { %x }", "(Vec[k + 1, int8]) -> Vec[k + 1, int8]"),
        (VEC + "def @f(%x: Vec[?, int8]) { %x }", "(Vec[?, int8]) -> Vec[?, int8]"),
        (VEC + "def @f(%x: Vec[6, int8]) { Twice(%x) }", "-> Vec[3, int8]"),
        ("def @f(%x: Box[(2, 3), int8]) { %x }\n" + BOX, "(Box[(2, 3), int8]) -> Box[(2, 3), int8]"),
        ("type Q[c: BaseType] { Mk } def @f(%x: Q[void], %y: Q[handle]) { %x }", "(Q[void], Q[handle]) -> Q[void]"),
    ],
)
def test_made_and_taken_apart(text: str, type_: str) -> None:
    assert type_ in function_type(text)


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        ("n // 2", ["ShapeVar"]),
        ("(n + 1) // 2", ["ShapeVar"]),
        ("min(3, n)", ["ShapeVar"]),
        ("m * n // 2, int8", ["ShapeVar", "BaseType"]),
        ("n % 2, (n // 2, m), (m, ...s)", ["ShapeVar", "Shape", "Shape"]),
        ("(n), ?, ()", ["Shape", "ShapeVar", "Shape"]),
        ("L[n // 2], (L[m],)", ["Type", "Type"]),
    ],
)
def test_arguments_are_printed_as_they_are_read(arguments: str, kinds: list[str]) -> None:
    parameters = ", ".join(f"p{i}: {kind}" for i, kind in enumerate(kinds))
    module = parse(
        "type L[k: ShapeVar] { N }\n"
        f"def @f[n: ShapeVar, m: ShapeVar, s: Shape](%x: D[{arguments}], // a comment\n"
        f"  %y: (D[{arguments} // another\n  ], L[n // 2])) {{ 1 }}\n"
        f"type D[{parameters}] {{ O }}"
    )
    assert structural_equal(parse(astext(module)), module)
    x, y = (parameter.type_annotation for parameter in module["f"].params)
    assert str(x) == f"D[{arguments}]" and y.fields[0] is x
    assert infer(module).verdict == "typed"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            BOX + "def @f(%x: Box[float32, (2, 3)]) { 1 }",
            [
                "an argument of `Box` must be a shape (kind Shape)",
            ],
        ),
        (
            BOX + "def @f(%x: Box[(2, 3), 4]) { 1 }",
            ["`4` is of kind ShapeVar, but an argument of `Box` must be a dtype"],
        ),
        (BOX + "def @f[a](%x: Box[a, int8]) { 1 }", ["`a` is of kind Type, but an argument of `Box` must be a shape"]),
        (BOX + "def @f(%x: Box[(2, 3)]) { 1 }", ["`Box` takes 2 type arguments, but 1 is given"]),
        (VEC + "def @f(%x: Vec[(2, 3), int8]) { 1 }", ["an argument of `Vec` must be an extent"]),
        ("type L[a] { N } def @f(%x: L[(1, 2)]) { 1 }", ["a shape is of kind Shape, but an argument of `L`"]),
        ("type L[n: ShapeVar] { C(Tensor[n, int8]) }", ["`n` is of kind ShapeVar, but the shape of a tensor type"]),
        (VEC + "def @f(%x: Tensor[(0, 2), int8]) { Grown(%x) }", []),
        (VEC + "def @f(%x: Vec[3, int8]) { match? (%x) { Grown(%y) => reshape(%y, newshape=[9]) } }", ["reshape"]),
    ],
)
def test_refused(text: str, messages: list[str]) -> None:
    found = "\n".join(complaints(text))
    for message in messages:
        assert message in found


def test_what_is_of_no_kind_is_refused_where_it_stands() -> None:
    with pytest.raises(ParseError, match="`int8` is not a dimension") as refused:
        parse(BOX + "def @f(%x: Box[(2, int8), int8]) { 1 }")
    assert (refused.value.span.line, refused.value.span.column) == (2, 16)


def test_the_api_has_parameters_of_every_kind() -> None:
    box, shape, dtype = GlobalTypeVar("Box"), TypeVar("s", "Shape"), TypeVar("t", "BaseType")
    wrap = relay.Constructor("Wrap", [relay.TensorType(shape, dtype)], box)
    module = IRModule()
    module[box] = relay.TypeData(box, [shape, dtype], [wrap])
    x = relay.var("x", TypeCall(box, ((2, 3), "float32")))
    y = relay.var("y")
    arm = relay.Clause(relay.PatternConstructor(wrap, [relay.PatternVar(y)]), wrap(y))
    module["main"] = relay.Function([x], relay.Match(x, [arm]))
    again = parse(astext(module))
    assert structural_equal(module, again)
    for program in (module, again):
        assert str(infer(program).functions["main"]) == "fn (Box[(2, 3), float32]) -> Box[(2, 3), float32]"


def test_type_functors_pass_over_what_is_no_type() -> None:
    from relaylogic.relay.type_functor import TypeMutator, TypeVisitor

    type_ = TypeCall(GlobalTypeVar("Box"), ((2, 3), "int8", TensorType((4,), "bool"), 5))
    TypeVisitor().visit(type_)
    assert TypeMutator().visit(type_) is type_


class Parameter(NamedTuple):
    name: str
    kind: str
    value: str


VALUES = {
    "Type": ["int32", "Tensor[(3, 4), float32]", "(int8, Tensor[(2), bool])", "fn (int8) -> bool", "()"],
    "Shape": ["(2, 3)", "()", "(5)", "(1, 0, 7)"],
    "BaseType": ["int8", "float32", "bool"],
    "ShapeVar": ["0", "3", "11"],
}
FIELDS = {
    "Type": ["{}", "({}, int8)", "fn ({}) -> bool", "ref({})"],
    "Shape": ["Tensor[{}, int8]", "Tensor[(2, ...{}), bool]", "(int8, Tensor[{}, bool])"],
    "BaseType": ["Tensor[(2, 3), {}]", "(Tensor[(), {}], bool)"],
    "ShapeVar": ["Tensor[({}, 2), int8]", "Tensor[({} + 1), int8]", "Tensor[(3 * {}), bool]"],
}
COMPUTED = re.compile(r"(\d+) ([*+]) (\d+)")


def written(field: str, value: str) -> str:
    """A field in which a value stands for the parameter, as Relay text without arithmetic writes it."""
    if "...{}" in field:
        inner = value.strip("()")
        return field.replace(", ...{}", f", {inner}" if inner else "")
    return COMPUTED.sub(
        lambda m: str(int(m[1]) * int(m[3]) if m[2] == "*" else int(m[1]) + int(m[3])), field.format(value)
    )


@st.composite
def definitions(draw: st.DrawFn) -> tuple[list[Parameter], list[tuple[str, str]]]:
    """Parameters with values, and a field for each of them: with its parameter, and with the value."""
    kinds = draw(st.lists(st.sampled_from(list(VALUES)), min_size=1, max_size=4))
    parameters = [Parameter(f"p{i}", kind, draw(st.sampled_from(VALUES[kind]))) for i, kind in enumerate(kinds)]
    fields = []
    for parameter in draw(st.permutations(parameters)):
        field = draw(st.sampled_from(FIELDS[parameter.kind]))
        fields.append((field.format(parameter.name), written(field, parameter.value)))
    return parameters, fields


@settings(max_examples=examples(60))
@given(definitions(), st.booleans())
def test_constructors_say_what_substitution_says(made, first) -> None:
    """A call has the type that putting values for the parameters gives, a pattern the fields; and it prints."""
    parameters, fields = made
    declared = ", ".join(f"{p.name}: {p.kind}" for p in parameters)
    values = ", ".join(p.value for p in parameters)
    names = ", ".join(p.name for p in parameters)
    definition = f"type D[{declared}] {{ C({', '.join(f for f, _ in fields)}), R(D[{names}]), N }}\n"
    given = ", ".join(f"%x{i}: {type_}" for i, (_, type_) in enumerate(fields))
    used = ", ".join(f"%x{i}" for i in range(len(fields)))
    functions = (
        f"def @make({given}) {{ C({used}) }}\n"
        f"def @nest({given}) {{ R(C({used})) }}\n"
        f"def @split(%d: D[{values}]) {{ match? (%d) {{ C({used}) => ({used},) }} }}\n"
        f"def @same(%d: D[{values}]) -> D[{values}] {{ N }}\n"
    )
    module = parse(definition + functions if first else functions + definition)
    text = astext(module)
    again = parse(text)
    assert structural_equal(module, again) and astext(again) == text
    result = infer(module)
    assert result.verdict == "typed", [error.message for error in result.errors]
    wanted = infer(parse(f"{definition}def @f(%r: D[{values}], %t: ({', '.join(t for _, t in fields)},)) {{ 1 }}"))
    data, parts = wanted.functions["f"].arg_types
    known = {name: str(type_.ret_type) for name, type_ in result.functions.items()}
    assert known == {"make": str(data), "nest": str(data), "split": str(parts), "same": str(data)}


@settings(max_examples=examples(60))
@given(definitions(), st.data())
def test_arguments_of_another_kind_are_refused(made, data) -> None:
    parameters, _ = made
    declared = ", ".join(f"{p.name}: {p.kind}" for p in parameters)
    wrong = data.draw(st.sampled_from(parameters))
    other = data.draw(st.sampled_from([kind for kind in VALUES if kind != wrong.kind]))
    value = data.draw(st.sampled_from(VALUES[other]))
    is_both = (wrong.kind, other) in (("Type", "BaseType"), ("Shape", "Type"), ("BaseType", "Type"), ("Type", "Shape"))
    if is_both and value in ("()", "int32", "int8", "float32", "bool"):
        return  # `()` is a shape and a tuple, a dtype is the type of a scalar, too
    values = ", ".join(value if p is wrong else p.value for p in parameters)
    text = f"type D[{declared}] {{ N }} def @f(%d: D[{values}]) {{ 1 }}"
    assert any("an argument of `D` must be" in message for message in complaints(text))
    assert astext(parse(astext(parse(text)))) == astext(parse(text))
