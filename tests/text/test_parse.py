"""What a text means: each test is a program and what it reads as."""

from __future__ import annotations

import subprocess
import sys

import pytest

from relaylogic.ir import (
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    If,
    Let,
    Match,
    MetaRef,
    Op,
    PatternConstructor,
    PatternVar,
    Tuple,
    TupleGetItem,
    Var,
    post_order,
)
from relaylogic.text import ParseError, parse, parse_expr, parse_type
from relaylogic.types import ANY, show_type


def test_lark_is_loaded_by_the_first_parse_only() -> None:
    program = "import sys, relaylogic.text; assert 'lark' not in sys.modules; relaylogic.text.parse('1')"
    subprocess.run([sys.executable, "-c", program], check=True)


def body(text: str) -> Expr:
    return parse(text)["main"].body


def shape_of(expr: Expr) -> object:
    """Calls as nested tuples, for comparing the grouping of operators."""
    if isinstance(expr, Call):
        assert isinstance(expr.op, Op)
        return (expr.op.name, *(shape_of(a) for a in expr.args))
    return expr.name_hint if isinstance(expr, Var) else expr.value if isinstance(expr, Constant) else expr


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("1 - 2 - 3 * 4", ("subtract", ("subtract", 1, 2), ("multiply", 3, 4))),
        ("%a + %b * %c - %a / %b", ("subtract", ("add", "a", ("multiply", "b", "c")), ("divide", "a", "b"))),
        ("%a < %b == %c >= %a", ("equal", ("less", "a", "b"), ("greater_equal", "c", "a"))),
        ("%a != %b + 1 > %c", ("not_equal", "a", ("greater", ("add", "b", 1), "c"))),
        ("(%a + %b) * %c", ("multiply", ("add", "a", "b"), "c")),
        ("%n - -1", ("subtract", "n", -1)),
        ("%n -1", ("subtract", "n", 1)),
        ("%n-1", ("subtract", "n", 1)),
        ("1+2", ("add", 1, 2)),
        ("-%a * --2", ("multiply", ("negative", "a"), 2)),
        ("%a <= (1) > (2)", ("greater", ("less_equal", "a", 1), 2)),
        ("%n/2", "n/2"),
        ("%n / 2", ("divide", "n", 2)),
    ],
)
def test_operators_group_as_in_tvm(text: str, grouped: object) -> None:
    assert shape_of(parse_expr(text)) == grouped


@pytest.mark.parametrize(
    ("text", "value", "dtype"),
    [
        ("1", 1, "int32"),
        ("007", 7, "int32"),
        ("2147483647", 2147483647, "int32"),
        ("2147483648", 2147483648, "int64"),
        ("-2147483648", -2147483648, "int32"),
        ("2i64", 2, "int64"),
        ("3i16", 3, "int16"),
        ("1u8", 1, "uint8"),
        ("1f", 1.0, "float32"),
        ("1.f", 1.0, "float32"),
        ("2e-05f", 2e-05, "float32"),
        ("2.5e2f64", 250.0, "float64"),
        ("3f16", 3.0, "float16"),
        ("1.5", 1.5, "float32"),
        ("-inff", float("-inf"), "float32"),
        ("inff64", float("inf"), "float64"),
        ("True", True, "bool"),
        ("0xff", 255, "int32"),
    ],
)
def test_constants(text: str, value: object, dtype: str) -> None:
    constant = parse_expr(text)
    assert isinstance(constant, Constant)
    assert constant.value == value and type(constant.value) is type(value)
    assert str(constant.tensor_type) == dtype


def test_nan() -> None:
    constant = parse_expr("nanf")
    assert isinstance(constant, Constant) and constant.value != constant.value


def test_a_graph_variable_is_one_node() -> None:
    tuple_ = body("def @main(%x: int32) { %0 = add(%x, 1); %1 = (%0, %0); %1 }")
    assert isinstance(tuple_, Tuple)
    assert tuple_.fields[0] is tuple_.fields[1]
    assert sum(isinstance(node, Call) for node in post_order(tuple_)) == 1


def test_the_first_graph_binding_of_a_number_stands() -> None:
    call = body("def @main(%x: int32) { %0 = add(%x, 1); %0 = add(%0, 2f); %0 }")
    assert isinstance(call, Call) and shape_of(call) == ("add", "x", 1)


def test_a_graph_binding_can_be_used_in_another_branch() -> None:
    branches = body("def @main(%c: bool, %x: int32) { if (%c) { %0 = add(%x, 1); %0 } else { %0 } }")
    assert isinstance(branches, If) and branches.true_branch is branches.false_branch


def test_a_number_is_bound_anew_where_other_variables_are_in_scope() -> None:
    module = parse("def @f(%x: int32) { %0 = add(%x, 1); %0 } def @main(%y: int32) { %0 = add(%y, 2); %0 }")
    assert shape_of(module["main"].body) == ("add", "y", 2)


def test_a_let_does_not_hide_a_parameter_of_its_function() -> None:
    function = parse("def @main(%x: int32) { let %x = 2f; %x }")["main"]
    assert isinstance(function.body, Let) and function.body.body is function.params[0]


def test_a_let_hides_lets_before_it_and_is_bound_in_its_own_value() -> None:
    let = body("def @main() { let %x = 1; let %x = fn () { %x }; %x }")
    assert isinstance(let, Let) and isinstance(let.body, Let)
    assert let.body.body is let.body.var
    assert isinstance(let.body.value, Function) and let.body.value.body is let.body.var


def test_a_let_in_parentheses_ends_with_them() -> None:
    tuple_ = body("def @main(%y: int32) { let %a = 1; ((let %y = 2; %y), %y) }")
    assert isinstance(tuple_, Let) and isinstance(tuple_.body, Tuple)
    inner, outer = tuple_.body.fields
    assert isinstance(inner, Let) and inner.body is inner.var and outer is not inner.var


def test_expressions_in_sequence_are_lets() -> None:
    let = body("def @main() { let %r = ref(1); ref_write(%r, 2); ref_read(%r) }")
    assert isinstance(let, Let) and isinstance(let.body, Let)
    assert let.body.var.name_hint == ""


def test_functions_may_be_used_before_they_are_defined() -> None:
    module = parse("def @main() { @f(1) } def @f(%x: int32) { %x }")
    call = module["main"].body
    assert isinstance(call, Call) and call.op is module.get_global_var("f")


def test_constructors_may_be_used_before_their_type() -> None:
    call = body("def @main() -> T { A } type T { A, }")
    assert isinstance(call, Call) and isinstance(call.op, Constructor) and call.args == ()


def test_nullary_constructors_need_no_parentheses() -> None:
    first, second, third = parse_fields("type T { A, B(T) } def @main() { (A, A(), B) }")
    assert isinstance(first, Call) and isinstance(second, Call) and isinstance(third, Constructor)


def parse_fields(text: str) -> tuple[Expr, ...]:
    tuple_ = body(text)
    assert isinstance(tuple_, Tuple)
    return tuple_.fields


def test_attributes() -> None:
    call = parse_expr(
        'f(%x, axis=-1, strides=[2, 2], layout="NCHW", a=None, b=nullptr, u=?, t=True, e=1e-5f, n=[[1, 2], []],'
        " p=(4, 3), q=(4), d=int8, k=3i64 last=2)"
    )
    assert isinstance(call, Call) and len(call.args) == 1
    assert call.attrs == {
        "axis": -1, "strides": (2, 2), "layout": "NCHW", "a": None, "b": None, "u": ANY, "t": True, "e": 1e-05,
        "n": ((1, 2), ()), "p": (4, 3), "q": 4, "d": "int8", "k": 3, "last": 2,
    }  # fmt: skip


def test_attributes_without_arguments_and_with_a_trailing_comma() -> None:
    call = parse_expr('zeros(shape=[2], dtype="int32",)')
    assert isinstance(call, Call) and call.args == () and call.attrs == {"shape": (2,), "dtype": "int32"}


def test_expressions_as_attributes() -> None:
    call = body("def @main(%n: int32) { %0 = 0; arange(%0, %n, %0, start=%0, stop=%n) }")
    assert isinstance(call, Call) and call.attrs is not None
    assert call.attrs["start"] is call.args[0] and call.attrs["stop"] is call.args[1]


def test_attributes_of_functions() -> None:
    function = parse('def @main(%x: int32, Primitive=1, relay.reshape_only=1, hash="ab") { %x }')["main"]
    assert function.attrs == {"Primitive": 1, "relay.reshape_only": 1, "hash": "ab"}


def test_projections_and_calls_chain() -> None:
    call = parse_expr("%t.0.1(%x)(%y).2")
    assert isinstance(call, TupleGetItem) and call.index == 2
    assert isinstance(call.tuple_value, Call) and isinstance(call.tuple_value.op, Call)
    item = call.tuple_value.op.op
    assert isinstance(item, TupleGetItem) and item.index == 1


def test_where_and_data_stay_names() -> None:
    call = body("def @main(%data: bool) { where(%data, case(%data), import(%data)) }")
    assert shape_of(call) == ("where", "data", ("case", "data"), ("import", "data"))


def test_comments() -> None:
    module = parse("// a\n# b\n/* c /* nested */ */ def @main(%x: int32 /* ty=int32 span=x:1 */) { %x // d\n }")
    assert str(module["main"].params[0].type_annotation) == "int32"


@pytest.mark.parametrize("name", ["a/b", "a.b", "a::b", "input:0", '"any name: %"', "in", "let", "_"])
def test_names(name: str) -> None:
    module = parse(f"def @main(%{name}: int32) {{ %{name} }}")
    assert module["main"].body is module["main"].params[0]
    assert module["main"].params[0].name_hint == name.strip('"')


def test_match_binds_and_keeps_the_order_of_arms() -> None:
    match = body(
        "type L[A] { Cons(A, L[A]), Nil }\n"
        "def @main(%l: L[int32]) {\n"
        "  match? %l { Cons(%h, Cons(_, %t: L[int32])) => (%h, %t), Nil => { (0, %l) } _ => (1, %l) }\n"
        "}"
    )
    assert isinstance(match, Match) and not match.complete and len(match.clauses) == 3
    pattern = match.clauses[0].lhs
    assert isinstance(pattern, PatternConstructor) and isinstance(pattern.patterns[0], PatternVar)
    rhs = match.clauses[0].rhs
    assert isinstance(rhs, Tuple) and rhs.fields[0] is pattern.patterns[0].var


def test_metadata_references() -> None:
    constant = parse_expr("meta[relay.Constant][3]")
    assert isinstance(constant, Constant)
    assert (constant.value, constant.tensor_type, constant.meta) == (None, None, MetaRef("relay.Constant", 3))


# ---- types


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Tensor[(2, ?), float32]", "Tensor[(2, ?), float32]"),
        ("Tensor [ ( 3 , ) , float ]", "Tensor[(3), float32]"),
        ("Tensor[(), bool]", "bool"),
        ("Tensor[(2), ]", "Tensor[(2), void]"),
        ("Tensor[(), void]", "void"),
        ("Tensor[(3i64, 4), float32x4]", "Tensor[(3, 4), float32x4]"),
        ("(int32)", "(int32,)"),
        ("(int32, (bool,), ())", "(int32, (bool,), ())"),
        ("fn (int32) -> fn () -> bool", "fn (int32) -> fn () -> bool"),
        ("fn [A](A, ref(A)) -> A", "fn [A](A, ref(A)) -> A"),
        ("fn<a, s: Shape>(Tensor[s, float32]) -> a", "fn [a, s: Shape](Tensor[s, float32]) -> a"),
        (
            "fn <t1, t2, t3>(t1, t2) -> t3 where Broadcast(t1, t2, t3), Identity(t1, t1)",
            "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3), Identity(t1, t1)",
        ),
        ("fn<t1, t2>(t1) -> t2 where Identity", "fn [t1, t2](t1) -> t2 where Identity(t1, t2)"),
        (
            "fn [n: ShapeVar, m: ShapeVar](Tensor[(n, 2 * m + 1, n // 2, (m + 1) // 2, n % 2), float32]) -> ()",
            "fn [n: ShapeVar, m: ShapeVar](Tensor[(n, 2 * m + 1, n // 2, (m + 1) // 2, n % 2), float32]) -> ()",
        ),
        ("(_, Tensor[_, _], Tensor[(_, 2), _])", "(_, Tensor[_, _], Tensor[(_, 2), _])"),
        ("meta[IncompleteType][0]", "_"),
        ("Tensor[(" + "1" * 100 + "), int8]", "Tensor[(" + "1" * 100 + "), int8]"),
    ],
)
def test_types(text: str, printed: str) -> None:
    assert show_type(parse_type(text)) == printed


def test_a_comment_in_a_shape_is_no_division() -> None:
    assert str(parse_type("Tensor[(1, // batch\n 3 // channels\n), float32]")) == "Tensor[(1, 3), float32]"


def test_a_type_parameter_hides_a_type() -> None:
    function = parse("type T { X, } def @f[T](%x: T) -> T { %x }")["f"]
    assert function.ret_type is function.type_params[0]


def test_one_handle_for_each_definition() -> None:
    module = parse("def @main(%t: T) { %t } extern type T")
    handle = module.get_global_type_var("T")
    assert module["main"].params[0].type_annotation.func is handle
    assert module.type_definitions[handle].extern


# ---- explicit type arguments


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("@f<(10, 10)>(1)", ["(10, 10)"]),
        ("@f<int32, (bool, _), 3, ?, ()>(1)", ["int32", "(bool, _)", "3", "?", "()"]),
        ("%g<fn (int32) -> bool>(1)", ["fn (int32) -> bool"]),
        ("Nil<int32>()", ["int32"]),
    ],
)
def test_type_arguments(text: str, arguments: list[str]) -> None:
    call = body("type L[A] { Nil, } def @f[a](%x: a) { %x } def @main(%g) { " + text + " }")
    assert isinstance(call, Call)
    assert [str(argument) for argument in call.type_args] == arguments


# ---- spans


def test_spans_are_exact() -> None:
    text = "def @main(%x: int32) {\n  let %y = nn.relu(%x) +\n    2i64;\n  (%y).0\n}"
    function = parse(text, "a.relay")["main"]
    let = function.body
    assert isinstance(let, Let) and let.span is not None and function.span is not None
    assert function.span.text == text
    assert repr(let.span) == "a.relay:2:3-4:9"
    total = let.value
    assert isinstance(total, Call) and total.span is not None and repr(total.span) == "a.relay:2:12-3:9"
    assert [node.span.text for node in (total.op, *total.args) if node.span] == ["+", "nn.relu(%x)", "2i64"]
    assert isinstance(let.body, TupleGetItem) and let.body.span is not None and let.body.span.text == "(%y).0"
    parameter = function.params[0]
    assert parameter.span is not None and parameter.span.text == "%x"
    assert parameter.type_span is not None and parameter.type_span.text == "int32"


def test_the_span_of_an_operation_on_a_shared_node_is_where_it_stands() -> None:
    total = body("def @main(%x: int32) { %0 = add(%x, 1);\n%0 * %0 }")
    assert total.span is not None and total.span.text == "%0 * %0"


@pytest.mark.parametrize("behind", ["", " ", "  /* kept */ ", " // kept\n  ", "\n"])
def test_an_annotation_ends_with_its_type(behind):
    module = parse(f"def @main(%x: Tensor[(2), int8]) {{ let %v: Tensor[(2), int8]{behind}= nn.relu(%x); %v }}")
    place = module["main"].body.var.type_span
    assert place.source.text[place.start : place.end] == "Tensor[(2), int8]"


def test_a_data_type_behind_def_is_no_definition_of_one():
    with pytest.raises(ParseError, match="found `type`"):
        parse("def type T { A }\n@main() { 1 }")


def test_fields_of_constructors_have_places():
    module = parse("""type Tree[A] {
  Leaf,
  Node( Tree[A] , fn (A, Tensor[(2, 3), int8]) -> A,
    // the last
    (A, int8), ),
  Two: (A,
        Tree[A]) -> Tree[A]
}""")
    (tree,) = module.type_definitions.values()
    assert [[span.text for span in constructor.input_spans] for constructor in tree.constructors] == [
        [],
        ["Tree[A]", "fn (A, Tensor[(2, 3), int8]) -> A", "// the last\n    (A, int8)"],
        ["A", "Tree[A]"],
    ]
