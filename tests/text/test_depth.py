"""Programs that are long, deep or huge: read and written without recursion, in linear time."""

from __future__ import annotations

import pytest

from relaylogic.ir import Let, post_order, structural_equal
from relaylogic.text import ParseError, astext, parse
from tests import effort

LONG = 100_000 if effort.THOROUGH else 20_000
DEEP = 10_000 if effort.THOROUGH else 2_000
"""Three times what Python's stack takes, as it is set here."""


def test_a_chain_of_lets() -> None:
    length = LONG if effort.THOROUGH else 3 * DEEP  # one of 100,000 is read and typed by tests/infer/test_invariants.py
    lets = "".join(f"let %y{i} = %x;\n" for i in range(length))
    module = parse(f"def @main(%x: int32) {{\n{lets}%x }}")
    assert sum(isinstance(node, Let) for node in post_order(module["main"])) == length
    assert astext(module).count("let") == length


NESTED = {
    "ifs": ("if (%x) { 1 } else { ", "2", " }"),
    "lets in blocks": ("let %y = { ", "1", " }; %y"),
    "tuples": ("(", "%x", ",)"),
    "parentheses": ("(", "%x", ")"),
    "calls": ("negative(", "%x", ")"),
    "functions": ("fn (%y) { ", "%x", " }"),
    "signs": ("-", "%x", ""),
    "curried calls": ("", "%x", "(1)"),
    "matches": ("match (%x) { _ => ", "1", " }"),
    "patterns": ("", f"match? (%x) {{ {'(' * DEEP}_{',)' * DEEP} => 1 }}", ""),
    "type arguments": ("", f"@f<{'(' * DEEP}int32{',)' * DEEP}>(%x)", ""),
}


@pytest.mark.parametrize("kind", NESTED)
def test_nested(kind: str) -> None:
    before, inner, after = NESTED[kind]
    text = f"def @f[a](%x: a) {{ %x }} def @main(%x: bool) {{ {before * DEEP}{inner}{after * DEEP} }}"
    module = parse(text)
    assert structural_equal(module, parse(astext(module)))


@pytest.mark.parametrize(
    ("before", "after"), [("(", ",)"), ("fn (", ") -> int32"), ("fn () -> ", ""), ("ref(", ")"), ("L[", "]")]
)
def test_nested_types(before: str, after: str) -> None:
    module = parse(f"type L[a] {{ N }} def @main(%x: {before * DEEP}int32{after * DEEP}) {{ %x }}")
    assert structural_equal(module, parse(astext(module)))


def test_nested_dimensions() -> None:
    dim = "(" * DEEP + "n" + " + 1)" * DEEP
    module = parse(f"def @main[n: ShapeVar](%x: Tensor[({dim}), int8]) {{ %x }}")
    assert str(module["main"].params[0].type_annotation) == f"Tensor[(n + {DEEP}), int8]"


@pytest.mark.parametrize(
    "text",
    [
        "(" * LONG,
        ")" * LONG,
        "/*" * LONG,
        "#[" * LONG,
        "a<" * LONG,
        "let %x = 1;" * 1000,
        "def @main() { " + "1" * 5000 + " }",
        "def @main(%x) { %x." + "1" * 5000 + " }",
        "def @main() { %" + "1" * 5000 + " }",
        "def @main(%x: Tensor[(" + "1" * 5000 + "), int8]) { %x }",
        "def @main() { meta[relay.Constant][" + "1" * 5000 + "] }",
        "#[metadata]" + "[" * LONG,
        "def @main() { meta[relay.Constant][0] }\n#[metadata]" + "[" * LONG,
    ],
    ids=lambda text: text[:16],
)
def test_hopeless(text: str) -> None:
    if text.startswith("#[metadata]"):
        parse(text)  # nothing refers to it
        return
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.span is not None
    assert len(str(caught.value)) < 2000


def test_a_line_of_ten_megabytes() -> None:
    module = parse("a" * 10_000_000)
    assert "main" in module
