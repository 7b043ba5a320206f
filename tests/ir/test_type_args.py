"""Explicit type arguments and the kinds that they may stand for."""

from __future__ import annotations

import pytest

from relaylogic.ir import Call, coerce_type_argument
from relaylogic.text import parse
from relaylogic.types import ANY, kind_of_hole, show_type


def argument(text: str) -> object:
    module = parse(f"def @f[n: ShapeVar, m: ShapeVar, s: Shape, t](%x) {{ @f<{text}>(%x) }}")
    call = module["f"].body
    assert isinstance(call, Call)
    return call.type_args[0]


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("(int32, bool)", "Type", "(int32, bool)"),
        ("float32", "Type", "float32"),
        ("float32", "BaseType", "float32"),
        ("(2, n, ?)", "Shape", "(2, n, ?)"),
        ("(n, m)", "Shape", "(n, m)"),
        ("()", "Shape", "()"),
        ("()", "Type", "()"),
        ("3", "ShapeVar", "3"),
        ("n + 1", "ShapeVar", "n + 1"),
        ("n", "ShapeVar", "n"),
        ("s", "Shape", "s"),
        ("t", "Type", "t"),
    ],
)
def test_what_fits(text: str, kind: str, shown: str) -> None:
    coerced = coerce_type_argument(argument(text), kind)
    assert (show_type(coerced) if type(coerced) is not str else coerced) == shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("int32", "Shape"),
        ("3", "Type"),
        ("(2, 3)", "Type"),
        ("(int32,)", "BaseType"),
        ("t", "Shape"),
        ("?", "Shape"),
    ],
)
def test_what_does_not(text: str, kind: str) -> None:
    with pytest.raises(ValueError, match="kind"):
        coerce_type_argument(argument(text), kind)


def test_holes() -> None:
    assert kind_of_hole(coerce_type_argument(argument("_"), "Shape")) == "Shape"
    assert len(coerce_type_argument(argument("(_, _)"), "Shape")) == 2
    assert coerce_type_argument(argument("?"), "ShapeVar") is ANY
