"""The syntax of Relay's documentation, and its slips of the pen."""

from __future__ import annotations

import pytest

from relaylogic.ir import Call, Constant, Let, Match, PatternVar, Tuple
from relaylogic.text import ParseError, parse

NUMBERS = """
# Defines an ADT named "Numbers"
data Numbers {
  Empty : () -> Numbers
  Single : (Tensor[(), int32]) -> Numbers
  Pair : (Tensor[(), int32], Tensor[(), int32]) -> Numbers
}
def @sum(%n : Numbers[]) -> Tensor[(), int32] {
   match(%n) {
     case Empty() { 0 }
     case Single(x) { x }
     case Pair(x, y) { x + y }
   }
}
"""


def test_data_and_cases() -> None:
    module = parse(NUMBERS)
    (data,) = module.type_definitions.values()
    assert [(c.name_hint, len(c.inputs)) for c in data.constructors] == [
        ("Empty", 0),
        ("Single", 1),
        ("Pair", 2),
    ]
    match = module["sum"].body
    assert isinstance(match, Match) and match.complete
    pattern = match.clauses[1].lhs.patterns[0]  # type: ignore[attr-defined]
    assert isinstance(pattern, PatternVar) and match.clauses[1].rhs is pattern.var


def test_bare_expressions_become_functions() -> None:
    module = parse(NUMBERS + "@sum(Empty())    # evaluates to 0\n@sum(Single(3))\n@sum(Pair(5, 6))")
    assert [v.name_hint for v in module.functions] == ["sum", "expr_1", "expr_2", "expr_3"]


def test_a_single_bare_expression_is_main() -> None:
    module = parse("let %t = (False, Constant(1, (10, 10), float32));\nlet %c = %t.1;\n%c")
    let = module["main"].body
    assert isinstance(let, Let) and isinstance(let.value, Tuple)
    constant = let.value.fields[1]
    assert isinstance(constant, Constant)
    assert (constant.value, str(constant.tensor_type)) == (1, "Tensor[(10, 10), float32]")


def test_free_variables_of_a_bare_expression_are_its_parameters() -> None:
    module = parse("def @plus<s : Shape>(%a : Tensor[s, float32]) { %a }\n@plus<(10, 10)>(add(%x, %y))")
    main = module["main"]
    assert [v.name_hint for v in main.params] == ["x", "y"]
    assert isinstance(main.body, Call) and main.body.type_args == ((10, 10),)


def test_a_bare_function_is_main() -> None:
    assert len(parse("fn (%x: int32) { %x }")["main"].params) == 1


@pytest.mark.parametrize(
    "definition",
    [
        "data List<a> { Nil : () -> List, Cons : (a, List[a]) -> List }",
        "data List<a> {\n Nil : () -> List\n Cons : (a, List[a]) -> List[a]\n}",
        "data List[a] { Nil : () -> List; Cons : (a, List[a]) -> List; }",
        "type List[a] { Nil, Cons(a, List[a]), }",
    ],
)
def test_definitions_of_lists(definition: str) -> None:
    (data,) = parse(definition).type_definitions.values()
    assert [c.name_hint for c in data.constructors] == ["Nil", "Cons"]
    assert [str(t) for t in data.constructors[1].inputs] == ["a", "List[a]"]


def test_a_constructor_makes_its_own_type() -> None:
    with pytest.raises(ParseError, match=r"`B` must make a `T`, not a `int32`"):
        parse("data T { A : () -> T, B : () -> int32 }")


def test_declarations() -> None:
    module = parse("@cell : fn<s, i, o>(s, i) -> (s, o)\ndef @main(%x, %y) { @cell(%x, %y) }")
    assert str(module.declarations["@cell"]) == "fn [s, i, o](s, i) -> (s, o)"
    operator = parse("add : fn<t1 : Type, t2 : Type, t3 : Type>(t1, t2) -> t3\n            where Broadcast")
    assert str(operator.declarations["add"]) == "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)"


def test_a_bare_constraint_is_about_parameters_and_result() -> None:
    function = parse("def @f(%x, %y: int32) where Broadcast { add(%x, %y) }")["f"]
    assert [str(p) for p in function.type_params] == ["t1", "t2"]
    assert [str(c) for c in function.type_constraints] == ["Broadcast(t1, int32, t2)"]
    assert function.ret_type is function.type_params[1]


def test_parameters_on_lines_with_comments() -> None:
    function = parse("def @cell(%w, # weights\n %b, # offsets\n %x  # input\n) { %w*%x + %b }")["cell"]
    assert [v.name_hint for v in function.params] == ["w", "b", "x"]


LIST = "data List<a> { Nil : () -> List, Cons : (a, List[a]) -> List }\n"


@pytest.mark.parametrize(
    ("slip", "place", "message", "hint"),
    [
        (
            LIST + "def @foldr<a, b>(%f : fn(a, b) -> b, %z : b, %l : List[a] -> b {\n  %z\n}",
            (2, 59), "expected `)` or `,`, found `->`", "the `(` at 2:17 is not closed",
        ),
        (
            "def @f(%a, %b, %g) {\n  %g(%a, %g(%b, %a)\n}",
            (3, 1), "expected `)` or `,`, found `}`", "the `(` at 2:5 is not closed",
        ),
        (
            "def @f(%a) {\n  if (%a) { 1 } else { 2 }\n\n# more\n@f(True)",
            (5, 1), "expected `}`, found `@f`", "the `{` at 1:12 is not closed",
        ),
        (
            "def @f(%a) {\n  let %b = @f(%a));\n  %b\n}",
            (2, 18), "expected `;`, found `)`", "no `(` is open here",
        ),
        (
            "def @g<a>(%s : a) : a {\n  %s\n}",
            (1, 19), "expected `->`, `where` or `{`, found `:`", "a function's result type is written after `->`",
        ),
        (
            "def @plus<s : Shape>(%t : Tensor[s, float32]) { %t }\nplus<(10, 10)>(%a)",
            (2, 1), "`plus` is not an operator with type parameters", "the function of that name is written `@plus`",
        ),
    ],
)  # fmt: skip
def test_slips_are_obvious(slip: str, place: tuple[int, int], message: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(slip)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == place
    assert caught.value.message == message
    assert hint in caught.value.hints
