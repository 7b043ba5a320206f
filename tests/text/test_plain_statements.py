"""Parameters and statements that are one token mean what their tokens mean: nodes, places, errors."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.ir import Function, IRModule, Let, Match, Source, TupleGetItem, Var, post_order, structural_equal
from relaylogic.ir.visit import pattern_vars
from relaylogic.text import ParseError, parse
from relaylogic.text.lexer import tokenize
from relaylogic.text.parser import read
from relaylogic.text.patterns import FUSED
from tests.conformance.programs import networks
from tests.effort import examples, some
from tests.fuzz import relay_texts
from tests.fuzz.mutations import spoiled

T, PAIR = "Tensor[(4, 3), float32]", "(Tensor[(4, 3), float32], Tensor[(2), int8])"

PROGRAMS = [
    f"""#[version = "0.0.5"]
type List[A] {{ Cons(A, List[A]), Nil }}
def @f(%x: {T}, %y: {PAIR}, %n: List[{T}]) -> {T} {{
  let %a: {T} = nn.relu(%x);
  let %b/c = add(%a, %x);
  %0 = nn.dense(%b/c, %a, units=4, out_dtype="float32");
  %1 = %y.0;
  let %c: {PAIR} = (%a, %1);
  let %d = fn (%p: {T}, %q) -> {PAIR} {{ %02 = add(%p, %q); (%2, %q) }};
  let %e: {T} = match (%n) {{ Cons(%h: {T}, %t) => {{ let %z: {T} = %d.1; %z }}, Nil => zeros(shape=[4]) }};
  %3 = concatenate(%c, axis=-1, note="a = b, c=3", l=[1, 2]);
  let %r = ref(%a);
  let %k = Constant(%a, %b/c, %c);
  let %w = where(%a, %0, %a);
  nn.relu(%3);
  %4 = @f(%x, %y, %n);
  add(%4, %w)
}}
""",
    f"let %x: {T} = nn.relu(%y);\n%0 = add(%x, %z, a=1.5, b=True);\nlet %q = %0.1;\n"
    f"free_var %w: {T};\n%1 = g(%w, %q);\n%1",
    f"data D {{ A(int8), B }}\ndef @g[t: BaseType](%t: D, %v: Tensor[(3), t]) -> {T} where R(t) {{"
    f" match (%t) {{ case A(%x) {{ let %u: Tensor[(3), t] = neg(x); %u }} case B {{ %7 = neg(%v, k=-1); %7 }} }} }}",
    f"def @h[t9: BaseType](%t: ({T}, Tensor[(1), t9]), %u: ({T},)) {{"
    " let %a = fn<t9: BaseType>(%x: Tensor[(1), t9]) { %x }; %a(%t.0) }",
]
LINES = [
    *(
        "let %a: int8 = f(%x);",
        "let %a: (int8, uint1) = f(%x);",
        "let %a: (bool, float32) = %y.1;",
        "let %a: int8[] = %x;",
    ),
    *("let %a: float32x4 = f(%x);", "let %a: int7 = f(%x);", "let %a = fn (%b: int64, %c: int64.x) { %b };"),
    *(f"let %x: {T} = nn.relu(%y);", "let %x = f(%y, a=1);", "%0 = f(%y, %0);", "%1 = %0.1;", "let %y = %x.0;"),
    *("let %x = if (%y) { %x } else { %y };", "if(%x);", "%0 = ref(%x);", "%0 = True(%x);", "let %x = inff(%y);"),
    *(
        "%0 = let.a(%x);",
        "%0 = f(%x, let=1);",
        "%0 = f(%x, Tensor=1);",
        "%0 = f(%x//\n);",
        "%0 == f(%x);",
        "let %x == %y;",
    ),
    *(
        f"let %x: {PAIR} = %y;",
        f"let %x: ({T}) = %y;",
        f'let %"x: {T}": {T} = %x;',
        'let %"a = f(%x);" = %x;',
        "%0 = Nil(%x);",
    ),
    *(
        "%0 = f(%x.0);",
        "%0 = f(%00, %x:0);",
        "let %x: Tensor[(2), flot32] = %y;",
        f"let %x: Tensor[({'9' * 400}), int8] = %y;",
    ),
    *(
        f"%0 = f(%x, a={'9' * 400});",
        "%0 = f(%x)\n;",
        "%0 = %x.9999999999;",
        "%0 = f(%x, a=1, a=2);",
        "%0 = f(%x) ;",
        "where (R) ",
    ),
    *("f(%x);", "%0 = f(%x); %0 = g(%0);", "let %z: T = fn (%x: int8) -> int8 where R { %x };", "%0 = /**/ f(%x);"),
]


def said(text: str, is_fused: bool) -> Any:
    """What a text means, node by node, or what is wrong with it."""
    try:
        module = parse(text) if is_fused else read(text)[0].module
    except ParseError as error:
        return error.message, error.span, error.hints
    return list(nodes(module)), module


def nodes(module: IRModule) -> Any:
    """The expressions of a module with their places, and the variables they bind."""
    for variable, function in module.functions.items():
        yield variable.name_hint, variable.span
        for node in post_order(function):
            bound: list[Var] = [node.var] if type(node) is Let else [*node.params] if type(node) is Function else []
            patterns = [clause.lhs for clause in node.clauses] if type(node) is Match else []
            for pattern in patterns:
                bound += pattern_vars(pattern)
            index = node.index if type(node) is TupleGetItem else None
            yield type(node), node.span, index, [pattern.span for pattern in patterns]
            yield [(v.name_hint, v.span, v.type_span, v.type_annotation is None) for v in bound]


def agree(text: str) -> bool:
    """Demand that a text means one thing, whether or not several tokens are one; whether it means anything."""
    fused, apart = said(text, True), said(text, False)
    if isinstance(fused[1], IRModule):
        assert fused[0] == apart[0] and structural_equal(fused[1], apart[1])
        return True
    assert fused == apart
    return False


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs(text: str) -> None:
    assert agree(text)
    assert FUSED.intersection(tokenize(Source(text), is_fused=True).tokens.kinds)


def test_networks() -> None:
    for entry in some(networks().values()):
        assert agree(entry["text"])


@pytest.mark.parametrize("line", LINES)
def test_single_statements(line: str) -> None:
    agree(line + " %x")
    agree(f"def @f(%x: {T}, %y: {PAIR}) {{ {line} %x }}")


@settings(max_examples=examples(1000))
@given(st.lists(st.sampled_from(LINES), max_size=6), st.sampled_from([" ", "\n  "]))
def test_statements_in_a_row(lines: list[str], space: str) -> None:
    agree(f"def @f(%x: {T}, %y: {PAIR}) {{ {space.join(lines)}{space}%x }}")


@settings(max_examples=examples(2000, 20))
@given(st.randoms(use_true_random=False))
def test_spoiled_programs(random: Random) -> None:
    agree(
        relay_texts.made(random) if random.random() < 0.3 else spoiled(random.choice(PROGRAMS), random, ["%x", "let"])
    )


@pytest.mark.parametrize("text", [*PROGRAMS, *(f"def @f(%x, %y: {PAIR}) {{ {line} %x }}" for line in LINES)])
def test_nothing_that_is_right_is_read_twice(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forms: list[bool] = []

    def noted(source: Source, is_fused: bool = False) -> Any:
        forms.append(is_fused)
        return tokenize(source, is_fused)

    monkeypatch.setattr("relaylogic.text.parser.tokenize", noted)
    try:
        parse(text)
    except ParseError:
        assert forms == [True, False]
    else:
        assert forms == [True]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"let %x: {T} = nn.relu(%y);", ["STATEMENT"]),
        ("let %x/y = %0.12;", ["STATEMENT"]),
        ('%12 = f.g(%x, %0, %a/b, a=[1, 2], b="c, d=1");', ["STATEMENT"]),
        (f"let %x: {PAIR} = (", ["LET_HEAD", "LPAR"]),
        (f"(fn (%x: {PAIR}, %y: {T}", ["LPAR", "FN", "LPAR", "TYPED", "COMMA", "TYPED"]),
        ("let %x: (int8, Tensor[(), bool]) = f(%y);", ["STATEMENT"]),
        ("(%x: float32, %y: bool)", ["LPAR", "TYPED", "COMMA", "TYPED", "RPAR"]),
        ("(%x: int8x4", ["LPAR", "LOCAL", "COLON", "IDENT"]),
        ("%0 = f(%x, %y.0);", ["GRAPH", "EQ", "IDENT", "LPAR", "LOCAL", "COMMA", "LOCAL", "PROJ", "RPAR", "SEMI"]),
        ("%0 = ref(%x);", ["GRAPH", "EQ", "REF", "LPAR", "LOCAL", "RPAR", "SEMI"]),
        ("%0 = True(%x);", ["GRAPH", "EQ", "BOOL", "LPAR", "LOCAL", "RPAR", "SEMI"]),
        ("%0 = inff(%x);", ["GRAPH", "EQ", "NUMBER", "LPAR", "LOCAL", "RPAR", "SEMI"]),
        ("let %x == %y;", ["LET", "LOCAL", "EQEQ", "LOCAL", "SEMI"]),
        ('let %"x" = %y.0;', ["LET", "LOCAL", "EQ", "LOCAL", "PROJ", "SEMI"]),
    ],
)
def test_one_token(text: str, kinds: list[str]) -> None:
    assert tokenize(Source(text), is_fused=True).tokens.kinds == kinds
    assert not FUSED.intersection(tokenize(Source(text)).tokens.kinds)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("%0 = add(%x, %nope);", "unknown local variable `%nope`", "%nope"),
        ("%0 = add(%x, %7);", "`%7` is not bound", "%7"),
        ("%0 = add(%x, %x, a=1i7);", "`1i7` has a width that no int constant has", "1i7"),
        ("let %a: Tensor[(2), flot32] = nn.relu(%x);", "unknown dtype `flot32`", "Tensor[(2), flot32]"),
        ("let %a: (Tensor[(2), int8], Tensor[(2), intt8]) = %x.0;", "unknown dtype `intt8`", "Tensor[(2), intt8]"),
        ("let %a: Tensor[(2), int8] = = nn.relu(%x);", "expected an expression, found `=`", "="),
        (
            "let %a Tensor[(2), int8] = nn.relu(%x);",
            "expected `:` or `=`, found `Tensor[(2), int8]`",
            "Tensor[(2), int8]",
        ),
        ("(%a: Tensor[(2), int8]);", "expected `)`, `,` or `;`, found `:`", ":"),
    ],
)
def test_an_error_is_where_it_is(text: str, message: str, place: str) -> None:
    with pytest.raises(ParseError) as found:
        parse(f"def @f(%x: Tensor[(2), int8]) {{\n  {text}\n  %x\n}}")
    assert message in found.value.message
    assert found.value.span is not None
    assert found.value.span.text == place and found.value.span.line == 2


def test_lists_of_any_length() -> None:
    many = 300
    variables = ", ".join(["%x"] * many)
    attrs = ", ".join(f"a{i}={i}" for i in range(many))
    types = ", ".join([T] * many)
    function = parse(f"def @f(%x: ({types})) {{ let %y: ({types}) = f({variables}, {attrs}); %y }}")["f"]
    assert len(function.params[0].type_annotation.fields) == many == len(function.body.var.type_annotation.fields)
    assert len(function.body.value.args) == many == len(function.body.value.attrs)
