"""Bad input: what is said, and where."""

from __future__ import annotations

import pytest

from relaylogic.errors import RelayLogicError
from relaylogic.text import ParseError, parse, parse_expr, parse_type


def error(text: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.span is not None
    return caught.value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        # names
        ("def @main(%x: int32) { %y }", (1, 24), "unknown local variable `%y`"),
        ("def @main() { (fn (%y) { %y }, %y) }", (1, 32), "unknown local variable `%y`"),
        ("def @main() { if (True) { let %y = 1; %y } else { %y } }", (1, 51), "unknown local variable `%y`"),
        ("def @main() { @g(1) }", (1, 15), "unknown function `@g`"),
        ("def @main(%x: int32) {\n  %1 }", (2, 3), "`%1` is not bound"),
        ("def @main() { let %f = fn (%a) { %0 = add(%a, 1); %0 }; %0 }", (1, 57),
         "`%0` is bound where other variables were in scope"),
        ("def @main(%x: Undefined[int32]) { %x }", (1, 15), "unknown type `Undefined`"),
        ("type Lst[A] { Cons(A, List[A]), Nil } def @main(%l: List[int8]) { %l }", (1, 6),
         "nothing is of the type `Lst`, but `List` is used, which is no type"),
        ("type Lst[A] { Cons(A, Lst[A]), Nil } def @main(%l: List[int8]) { %l }", (1, 52), "unknown type `List`"),
        ("def @main(%x: boolean) { %x }", (1, 15), "unknown type `boolean`"),
        ("def @f[a](%x: a) { %x } def @main(%x: a) { %x }", (1, 39), "unknown type `a`"),
        ("def @main(%x: Tensor[(n, 3), float32]) { %x }", (1, 23), "unknown type `n`"),
        ("def @main(%x: Tensor[s, float32]) { %x }", (1, 22), "unknown shape `s`"),
        ("def @main(%x: Tensor[(3), foo]) { %x }", (1, 27), "unknown dtype `foo`"),
        ("def @f[a: Typo](%x: a) { %x }", (1, 11), "unknown kind `Typo`"),
        ("type T { A, }\ndef @main(%t: T) { match (%t) { B => 1 } }", (2, 33), "unknown constructor `B`"),
        ("type T { A, }\ndef @main(%t: T) { match (%t) { case B { 1 } } }", (2, 38), "unknown constructor `B`"),
        ("def @main() { 1 }\ndef @main() { 2f }", (2, 5), "the function `@main` is defined twice"),
        ("type A { X }\ntype A { Y }", (2, 6), "the type `A` is defined twice"),
        ("type A { X }\ntype B { X }", (2, 10), "the constructor `X` is defined twice"),
        ("def @main(%x) { sum(%x, axis=0, axis=1) }", (1, 33), "attribute `axis` is given twice"),
        ("def @main(%x) {\n  %0 = sum(%x, axis=[0], axis=[1]);\n  %0\n}", (2, 26), "attribute `axis` is given twice"),
        ("def @main(%x) { sum(%x, axis /* a */ = 0, axis /* b */ = 1) }", (1, 43), "attribute `axis` is given twice"),
        ("def @main(%x, Primitive=1, Primitive=0) { %x }", (1, 28), "attribute `Primitive` is given twice"),
        ('import "foo"', (1, 8), 'there is no module "foo"'),
        ("def @main(%x) { free_var %z: int32; add(%x, %z) }", (1, 26),
         "a function has no free variables; make it a parameter"),
        # values
        ("def @main() { 70000i16 }", (1, 15), "`70000i16` is out of the range of int16"),
        ("def @main() { 1e39f }", (1, 15), "`1e39f` is out of the range of float32"),
        ("def @main() { -1u8 }", (1, 15), "`-1u8` is out of the range of uint8"),
        ("def @main() { 9223372036854775808 }", (1, 15), "`9223372036854775808` is out of the range of int64"),
        ("def @main() { 1f8 }", (1, 15), "`1f8` has a width that no float constant has"),
        ("def @main(%x: Tensor[(3f), float32]) { %x }", (1, 23), "`3f` is not an integer"),
        ("def @main(%x: Tensor[(3,, 4), float32]) { %x }", (1, 25),
         "expected a type, `)`, `-`, `...`, `?` or a number, found `,`"),
        ("def @main(%x: Tensor[(3 4), float32]) { %x }", (1, 25), "expected `)` or `,`, found `4`"),
        ("def @f[n: ShapeVar](%x: Tensor[(n // 0), int8]) { %x }", (1, 35), "division by zero"),
        ("def @f[n: ShapeVar](%x: Tensor[(n + _), int8]) { %x }", (1, 35),
         "only numbers and shape variables can be computed with"),
        ("def @main(%x) { f(%x, axis=Tru) }", (1, 28), "unknown value `Tru`"),
        ("def @main(%f, %x) { %f(%x, axis=1) }", (1, 28), "only calls of operators have attributes"),
        ("def @main() { meta[relay.Attrs][0] }", (1, 15), "`meta[relay.Attrs][0]` is not an expression"),
        # characters
        ("def @main() { \0 }", (1, 15), "unexpected character U+0000; is this a text?"),
        ("def @main(%é: int32) { 1 }", (1, 12), "unexpected character `é`"),
        ("def @main() { 'a' }", (1, 15), "strings are written in double quotes"),
        ("def @main() { %a =! %b }", (1, 19), "unexpected character `!`"),
        ("def @main() { /* /* */ 1 }", (1, 15), "this comment has no closing `*/`"),
        ('def @main() { f(x="a) }', (1, 19), 'this string has no closing `"`'),
        ('#[versio = "0.0.5"]\ndef @main() { 1 }', (1, 1), "unknown header"),
        ('#[version = "0.0.4"]\ndef @main() { 1 }', (1, 1), 'unknown version "0.0.4"'),
        ("", (1, 1), "there is no program in this text"),
        (" \n\t", (1, 1), "there is no program in this text"),
        # syntax
        ("def @main() {  }", (1, 16), "expected an expression, found `}`"),
        ("def main() { 1 }", (1, 5), "expected a global name such as `@main`, found `main`"),
        ("def @main() { let x = 1; 2 }", (1, 19), "expected a local variable such as `%x`, found `x`"),
        ("def @main(%x) { let %y = 1 %x }", (1, 28), "expected `;`, found `%x`"),
        ("def @main(%x) { let %y: int32; %x }", (1, 30), "expected `=`, found `;`"),
        ("def @main(%c) { if (%c) { 1 } }", (1, 31), "expected `else`, found `}`"),
        ("def @main(%a) {\n  %a + + %a }", (2, 8), "expected an expression, found `+`"),
        ("def @main(%x) { (%x, (,)) }", (1, 23), "expected an expression or `)`, found `,`"),
        ("def @main(%x) { f(%x, axis=1,,) }", (1, 30), "expected `)` or a name, found `,`"),
        ("def @main(%x: (int32 float32)) { %x }", (1, 22), "expected `)` or `,`, found `float32`"),
        ("def @main(%x: ) { %x }", (1, 15), "expected a type, found `)`"),
        ("def @main() { 1 ", (1, 16), "expected `}`, found the end of the text"),
        ("def @main(%x) { match ? (%x) { _ => 1 } }", (1, 23), "expected an expression, found `?`"),
        ("def @main() { 1_000 }", (1, 16), "expected `}`, found `_000`"),
        ("def @main() { .5f }", (1, 15), "expected an expression, found `.5`"),
    ],
)  # fmt: skip
def test_message_and_place(text: str, place: tuple[int, int], message: str) -> None:
    problem = error(text)
    assert problem.span is not None
    assert (problem.message, problem.span.line, problem.span.column) == (message, *place)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("def @main(%log: float32) { log(%logg) }", "did you mean `%log`?"),
        ("def @length() { 1 } def @main() { @lenght() }", "did you mean `@length`?"),
        ("type Color { Green } def @f(%c: Colour) { 1 }", "did you mean `Color`?"),
        ("type Color { Green } def @f(%c: Color) { match (%c) { Grean => 1 } }", "a variable is written `%Grean`"),
        ("def @main(%x) { f(%x, axis=Tru) }", 'a string is written `"Tru"`'),
        ("def @main() { 1 }\ndef @main() { 2f }", "it is first defined at 1:5"),
        ("def @main() { .5f }", "a fraction starts with a digit: `0.5`"),
        ("def @f(%x: Tensor[(n), int8]) { %x }", "a shape variable is declared as a type parameter, `[n: ShapeVar]`"),
    ],
)  # fmt: skip
def test_hints(text: str, hint: str) -> None:
    assert hint in error(text).hints


def test_rendering() -> None:
    with pytest.raises(RelayLogicError) as caught:
        parse("def @main(%max: int32) {\n\tadd(%max, %mx)\n}", "a.relay")
    assert str(caught.value) == (
        "a.relay:2:12: error: unknown local variable `%mx`\n"
        " 2 | \tadd(%max, %mx)\n"
        "   | \t          ^^^\n"
        "   = help: did you mean `%max`?"
    )


def test_marks_stand_below_characters_that_are_two_columns_wide() -> None:
    with pytest.raises(RelayLogicError) as caught:
        parse('def @main(%"\u4f60\u597d", %"e\u0301") { %"\u4f60" + %x }', "a.relay")
    assert str(caught.value).splitlines()[2].partition("|")[2] == " " * 28 + "^" * 5


def test_a_long_line_is_shown_in_part() -> None:
    problem = error("def @main() { (" + "1, " * 20_000 + "%x) }")
    assert max(map(len, str(problem).splitlines())) < 300
    shown, caret = str(problem).splitlines()[1:3]
    assert shown[caret.index("^") :].startswith("%x")


def test_types_and_expressions_have_places_too() -> None:
    for read in (parse_type, parse_expr):
        with pytest.raises(ParseError) as caught:
            read("(")
        assert caught.value.span is not None


@pytest.mark.parametrize(
    "junk", ["\x7fELF\x02\x01\x01\x00", "}" * 9, "@", "%", "#[", "<a", ";", "def", "meta[", "\ufeff", "1e"]
)
def test_junk(junk: str) -> None:
    error(junk)


@pytest.mark.parametrize("depth", [33, 200, 330, 1_000, 20_000])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ("(", ",)")])
def test_lists_in_attributes_are_not_nested_deeply(depth: int, opened: str, closed: str) -> None:
    problem = error(f"def @main(%x) {{ reshape(%x, newshape={opened * depth}1{closed * depth}) }}")
    assert "an attribute has no more than 32 lists in each other" in problem.message
    assert (problem.span.line, problem.span.column) == (1, 37 + depth - 32)


def test_lists_in_attributes_may_be_nested() -> None:
    parse(f"def @main(%x) {{ f(%x, a={'[' * 32}1{']' * 32}, b={'(' * 500}1{')' * 500}) }}")


@pytest.mark.parametrize("digits", ["9" * 301, "9" * 5_000, "0x" + "f" * 301, "0x" + "f" * 5_000])
@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x: Tensor[({}), int8]) {{ %x }}",
        "def @main(%x: Tensor[(2, {}, 3), int8]) {{ %x }}",
        "def @main[n: ShapeVar](%x: Tensor[(n * {}), int8]) {{ %x }}",
        "def @main(%x) {{ sum(%x, axis={}) }}",
        "def @main(%x) {{ sum(%x, axis=[1, {}]) }}",
        "def @main(%x) {{ sum(%x, axis=[[1], {}]) }}",
        "def @main() {{ {} }}",
        "def @main() {{ @main<{}>() }}",
    ],
)
def test_numbers_of_thousands_of_digits(text: str, digits: str) -> None:
    problem = error(text.format(digits))
    length = len(digits.removeprefix("0x"))
    assert f"a number of {length} digits is too long; it may have 300" in problem.message
    assert problem.span.line == 1


def test_numbers_in_lists_are_in_range() -> None:
    assert "is out of the range of int64" in error("def @main(%x) { sum(%x, axis=[1, 9223372036854775808]) }").message
