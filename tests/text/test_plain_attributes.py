"""Attributes and graph bindings that are one token, as TVM prints them, mean what they mean with other spaces."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.ir import Source, structural_equal
from relaylogic.text import parse
from relaylogic.text.errors import ParseError
from relaylogic.text.lexer import tokenize
from tests.effort import examples

NUMBERS = st.sampled_from(["0", "-1", "12", "1.5", "2e3", "1e-05f", "-0.5f16", "3i64", "7u8", "0x1f", "--1", "inff"])
INTS = st.lists(st.integers(-(10**18), 10**18), min_size=1, max_size=12).map(lambda found: ", ".join(map(str, found)))
VALUES = st.one_of(
    NUMBERS,
    INTS.map("[{}]".format),
    INTS.map(lambda text: f"[{text.replace(' ', '')}]"),
    st.text("ab =,)(", max_size=8).map('"{}"'.format),
    st.sampled_from(["True", "False", "None", "?", "_", "float32", "[]", "[True, 1.5f]", "%x", '"a\nb"']),
)


def program(attrs, equals, bind):
    """A program that binds a call with attributes, in which `equals` stands between name and value."""
    written = "".join(f", {name}{equals}{value}" for name, value in attrs.items())
    return f"def @main(%x: Tensor[(2), int8]) {{ let %y = %x; %1{bind}f(%x{written}); (%1, %y) }}"


@settings(max_examples=examples(300))
@given(st.dictionaries(st.sampled_from(["a", "b_2", "kernel_size", "c"]), VALUES, max_size=4))
def test_spaces_make_no_difference(attrs):
    read = [
        parse(program(attrs, equals, bind))["main"]
        for equals in ("=", " = ", "= ", " =", "=/**/")
        for bind in (" = ", "=", " =\n", "= ")
    ]
    first = read[0].body.body.fields[0]
    assert set(first.attrs or {}) == set(attrs)
    for function in read:
        call = function.body.body.fields[0]
        for name, value in (call.attrs or {}).items():
            expected = first.attrs[name]
            assert type(value) is type(expected)
            if attrs[name] not in ("_", "%x"):  # of which each has its own
                assert value == expected and repr(value) == repr(expected)
    if not {"_", "%x"}.intersection(attrs.values()):
        assert all(structural_equal(read[0], function) for function in read)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("f(%x, a=1)", ["IDENT", "LPAR", "LOCAL", "COMMA", "ATTR", "RPAR"]),
        ("f(a=[1, -2], b=True)", ["IDENT", "LPAR", "ATTR", "COMMA", "ATTR", "RPAR"]),
        ("f(a =1)", ["IDENT", "LPAR", "IDENT", "EQ", "NUMBER", "RPAR"]),
        ("f(a=1 b=2)", ["IDENT", "LPAR", "IDENT", "EQ", "NUMBER", "IDENT", "EQ", "NUMBER", "RPAR"]),
        ("f(a=[1.5])", ["IDENT", "LPAR", "IDENT", "EQ", "LSQB", "NUMBER", "RSQB", "RPAR"]),
        ("f(a==1)", ["IDENT", "LPAR", "IDENT", "EQEQ", "NUMBER", "RPAR"]),
        ("%0 = 1; %1 = 2", ["GRAPH", "EQ", "NUMBER", "SEMI", "BINDING", "NUMBER"]),
        ("{ %0 == 1 }", ["LBRACE", "GRAPH", "EQEQ", "NUMBER", "RBRACE"]),
        ("{ %0= 1 }", ["LBRACE", "GRAPH", "EQ", "NUMBER", "RBRACE"]),
    ],
)
def test_what_is_one_token(text, kinds):
    assert tokenize(Source(text)).tokens.kinds == kinds


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("a=300u8", "`300u8` is out of the range of uint8"),
        ("a=1f7", "`1f7` has a width that no float constant has"),
        (f"a={10**18}0", f"`{10**18}0` is out of the range of int64"),
    ],
)
def test_a_number_that_is_none_has_its_place(attribute, message):
    with pytest.raises(ParseError) as raised:
        parse(f"def @f() {{ f({attribute}) }}")
    assert (raised.value.message, raised.value.span.text) == (message, attribute[2:])
