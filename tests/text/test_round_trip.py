"""What is printed reads back as the same program."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.ir import Call, Expr, Function, If, IRModule, Let, Op, Tuple, Var, structural_equal, structural_hash
from relaylogic.text import ParseError, astext, parse, parse_expr
from relaylogic.types import TensorType, TypeVar
from tests.effort import examples

FILES = sorted((Path(__file__).parent.parent / "programs").glob("**/*.relay"))
PROGRAMS = [path for path in FILES if not path.stem.endswith("_typo")]


def assert_round_trip(module: IRModule) -> None:
    text = astext(module)
    again = parse(text)
    assert structural_equal(module, again)
    assert structural_hash(module) == structural_hash(again)
    assert astext(again) == text


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program_files(path: Path) -> None:
    assert_round_trip(parse(path.read_text(encoding="utf-8"), str(path)))


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x) { %0 = add(%x, 1f); let %y: (int32, _) = (%0, %0); if (%y.0) { %0 } else { fn () { %0 } } }",
        "type L[A] { Cons(A, L[A]), Nil } def @f(%l) { match? (%l) { Cons(%h, (_, %t)) => { %h } Nil => Nil } }",
        "def @f[s: Shape, n: ShapeVar, b: BaseType](%x: Tensor[s, b], %y: Tensor[(n // 2, n + 1), b]) {\n"
        "  @f<(1, n), n, int8>(%x, %y)\n"
        "}",
        "def @f[a, b](%x: a) -> b where Identity(a, b), Broadcast(a, a, b) { %x }",
        "def @f(%g: fn [a](a) -> a, %h: fn <a, b>(a) -> b where Identity(a, b), %r: ref(int32)) {\n"
        "  ref_write(%r, %g(1))\n"
        "}",
        "extern type T\ndata U<a> { A : (T) -> U }\n@cell : fn<a>(a) -> a\nadd : fn<a>(a) -> a\n@cell(A)",
        "def @main() { (1, 2i64, 3u8, 4i8, 0.5f, 1e-30f16, -inff64, True) }",
        "def @main() { (Constant(2, (3, 4), int8), Constant(1.5f, (2,), float64), Constant(True, (), bool)) }",
        "def @main() { (Constant(True, (), float64), Constant(1, (2,), float16), Constant(1, (3,), bool)) }",
        'def @"odd name"(%"x y", %a.b) { f(%"x y", %a.b, s="a b", l=[[1], []], n=None, q=?, t=True, f=-0.5f, Op.x=1) }',
        "def @main(%x) { let %r = ref(%x); ref_write(%r, 1); (let %y = 2; %y; 3) }",
        "def @main(%x) { %0 = 0; arange(%x, start=%0, stop=%x, step=%0) }",
        "def @main(%x) { (fn (%x) { %x })(%x) }",
        "def @main() { add(meta[relay.Constant][0], meta[relay.Constant][1]) }",
        "def @f(%x: Tensor[(2, ..._), int8], %y: Tensor[_, _], %z: Tensor[(_, ?, 3), int8]) { %x }",
        'import "prelude"\ndef @main(%l) { @map(@id, Cons(1, %l)) }',
        # lets whose values use what they bind: nothing of that may stand before the let
        "def @main(%x) { let %y = (%y, %y.0).1; %y }",
        "def @main(%x) { let %x = nn.dense(%x, (%x, %x.0)); %x }",
        "def @main(%x) { let %f = if (%x) { fn (%a) { %f(%a) } } else { fn (%a) { %a } }; %f(%x) }",
        "def @main(%x) { let %f = concatenate((fn (%a) { %f }, let %g = %f; %g)); %f(%f) }",
        "def @main(%x) { let %f = (%0 = fn (%a) { %f(%a) }; (%0, %0)); %f }",
        "def @main(%x) { let %f = fn (%a) { %0 = %f(%a); (%0, %0) }; %0 = %f(%x); (%0, %0) }",
        "def @main(%x) { fn (%h) { let %x = (%h, %x.0); (%x, let %h = %x.1; %h) } }",
        # what is closed may be used where the scopes are closed in which it was first used
        "def @main() { %1 = fn (%p) { %0 = fn (%q) { %q }; (%0, %p) }; (%1, %0) }",
        "def @main(%x) { %1 = fn (%p) { %0 = (let %q = %x; (%q, %q)); (%0, %p) }; (%1, %0) }",
        "def @main(%x) { (fn (%p) { %2 = fn (%r) { %1 = fn (%q) { (%p, %q) }; %1(%r) }; (%2, %1) })(%x) }",
        # constructors without fields as callees and tuples
        "type L { Nil } def @main(%x) { (Nil()(%x), Nil().0, Nil, match (Nil) { Nil => Nil }) }",
    ],
)
def test_texts(text: str) -> None:
    assert_round_trip(parse(text))


def test_the_layout() -> None:
    module = parse(
        "def @main(%x: int32) { let %y = add(%x, multiply(%x, 2)); %0 = (%y, %x);\n"
        "if (greater(%y, 0)) { %0 } else { %0 } }"
    )
    assert astext(module) == (
        '#[version = "0.0.5"]\n'
        "def @main(%x: int32) {\n"
        "  %0 = multiply(%x, 2);\n"
        "  let %y = add(%x, %0);\n"
        "  %1 = greater(%y, 0);\n"
        "  if (%1) {\n"
        "    %2 = (%y, %x);\n"
        "    %2\n"
        "  } else {\n"
        "    %2\n"
        "  }\n"
        "}\n"
    )


def test_types_as_comments() -> None:
    module = parse("def @main(%x, %z: int32) { let %y = add(%x, 1); nn.relu(%y) }")
    int32 = module["main"].params[1].type_annotation
    text = astext(module, show_types=lambda expr: int32)
    assert text == (
        '#[version = "0.0.5"]\n'
        "def @main(%x /* ty=int32 */, %z: int32) {\n"
        "  let %y /* ty=int32 */ = add(%x, 1 /* ty=int32 */) /* ty=int32 */;\n"
        "  nn.relu(%y) /* ty=int32 */\n"
        "} /* ty=int32 */\n"
    )
    assert structural_equal(module, parse(text))


def test_variables_of_one_name_are_told_apart() -> None:
    module = parse("def @main(%x) { (fn (%x) { (%x, fn (%x1) { (%x1, %x) }) })(%x) }")
    text = astext(module)
    parameters = [line.split("(")[1].split(")")[0] for line in text.splitlines() if "fn (" in line or "def" in line]
    assert len(set(parameters)) == 3
    assert structural_equal(module, parse(text))


def test_a_shared_let_is_bound_once() -> None:
    x, y, z = Var("x"), Var("y"), Var("z")
    shared = Let(y, Tuple([x]), y)
    module = IRModule()
    module.add("main", Function([x], If(x, Let(z, x, shared), shared)))
    assert_round_trip(module)


def test_a_let_without_a_name_gets_one_if_it_is_used() -> None:
    x, y = Var("x"), Var("")
    module = IRModule()
    module.add("main", Function([x], Let(y, Tuple([x]), y)))
    assert_round_trip(module)


def test_names_that_no_quotes_can_hold_are_told_apart() -> None:
    x, y = Var('a"b'), Var("a_b")
    module = IRModule()
    module.add("main", Function([x, y], Tuple([x, y])))
    assert_round_trip(module)


def test_type_parameters_of_one_name_are_told_apart() -> None:
    outer, inner = TypeVar("a"), TypeVar("a")
    module = IRModule()
    x, y, z = Var("x", outer), Var("y", inner), Var("z", outer)
    module.add("main", Function([x], Function([y, z], z, outer, [inner]), None, [outer]))
    assert_round_trip(module)
    assert "def @main[a](%x: a) {\n  fn [a1](%y: a1, %z: a) -> a {" in astext(module)


def test_a_graph_variable_ends_with_the_scope_of_what_it_uses() -> None:
    with pytest.raises(ParseError, match="bound where other variables were in scope"):
        parse("def @main(%x) { %2 = fn (%p) { %0 = fn (%q) { (%p, %q) }; %0 }; (%2, %0) }")


def test_free_variables_of_an_expression_are_declared() -> None:
    expr = parse_expr("free_var %x: int32; add(%x, %y)")
    text = astext(expr)
    assert text == "free_var %x: int32;\nfree_var %y;\nadd(%x, %y)"
    assert structural_equal(expr, parse_expr(text))


# ---- random expressions

names = st.sampled_from(["%x", "%y", "1", "2.5f", "True", "%0"])


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: f"add({p[0]}, {p[1]})"),
        pairs.map(lambda p: f"({p[0]} * {p[1]} - -{p[1]})"),
        pairs.map(lambda p: f"({p[0]}, {p[1]})"),
        inner.map(lambda e: f"({e}).0"),
        inner.map(lambda e: f"(%g({e})(1))"),
        inner.map(lambda e: f'f({e}, axis=[1, -2], s="a")'),
        pairs.map(lambda p: f"if ({p[0]}) {{ {p[1]} }} else {{ {p[0]} }}"),
        pairs.map(lambda p: f"(let %z = {p[0]}; add(%z, {p[1]}))"),
        pairs.map(lambda p: f"(%1 = {p[0]}; (%1, {p[1]}, %1))"),
        inner.map(lambda e: f"(fn (%w: Tensor[(2, ?), int8]) -> _ {{ add(%w, {e}) }})"),
        pairs.map(
            lambda p: f"(match ({p[0]}) {{ Cons(%h, _) => {{ add(%h, {p[1]}) }} Nil => {p[1]}, (%a, %b) => %a }})"
        ),
        inner.map(lambda e: f"ref_read(ref({e}))"),
    )


expressions = st.recursive(names, compound, max_leaves=12)


@settings(max_examples=examples(150))
@given(expressions)
def test_random_expressions(text: str) -> None:
    prefix = "type L[A] { Cons(A, L[A]), Nil } def @main(%x, %y, %g) { %0 = add(%x, %y); "
    assert_round_trip(parse(f"{prefix}{text} }}"))


@settings(max_examples=examples(150))
@given(expressions, st.data())
def test_random_slips_are_reported(text: str, data: st.DataObject) -> None:
    whole = f"def @main(%x, %y, %g) {{ %0 = add(%x, %y); {text} }}"
    at = data.draw(st.integers(0, len(whole) - 1))
    junk = data.draw(st.sampled_from(["", "(", ")", "%", "@", "<", "}", "let", "1", "\0", "/*", '"', "=", ":"]))
    try:
        read: Expr | IRModule = parse(whole[:at] + junk + whole[at + 1 :])
    except ParseError as problem:
        assert problem.span is not None and str(problem)
    else:
        assert isinstance(read, IRModule)


@pytest.mark.parametrize("value", [1e39, -1.7976931348623157e308, 3.4028234663852886e38, 5e-324, -0.0, float("inf")])
def test_an_attribute_that_is_any_float_is_read_again(value):
    """Those beyond the range of float32 were written with the `f` of one."""
    x = Var("x", TensorType((2,)))
    module = IRModule.from_expr(Function([x], Call(Op("clip"), [x], {"a_min": value, "a_max": 1.5})))
    again = parse(astext(module))
    assert structural_equal(again, module) and astext(again) == astext(module)
