"""Equality of programs up to the names of what they bind."""

from __future__ import annotations

import pytest

from relaylogic.ir import structural_equal
from relaylogic.text import parse, parse_type
from relaylogic.types import FuncType, TupleType, TypeVar


def same(a: str, b: str) -> bool:
    there, back = structural_equal(parse(a), parse(b)), structural_equal(parse(b), parse(a))
    assert there == back
    return there


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("def @f(%x) { %x }", "def @f(%y) { %y }"),
        ("def @f[a](%x: a) -> a { %x }", "def @f[b](%x: b) -> b { %x }"),
        ("def @f(%x) { let %y = %x; (%y, %y) }", "def @f(%x) { let %z = %x; (%z, %z) }"),
        ("def @f(%x) { %0 = g(%x); (%0, %0) }", "def @f(%x) { %7 = g(%x); %1 = (%7, %7); %1 }"),
        ("def @f(%x) { match (%x) { (%a, _) => %a } }", "def @f(%x) { match (%x) { (%b, _) => %b, } }"),
        ("def @f(%x: (_, int32)) { %x }", "def @f(%x: (_, int32)) { %x }"),
        ("def @f() { nanf }", "def @f() { nanf }"),
        ("def @f() { 1 } def @g() { 2 }", "def @g() { 2 } def @f() { 1 }"),
        ("type T { A } def @f() { A }", "data T { A : () -> T } def @f() { A() }"),
    ],
)
def test_equal(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("def @f(%x, %y) { %x }", "def @f(%x, %y) { %y }"),
        ("def @f[a, b](%x: a, %y: b) { %x }", "def @f[a, b](%x: b, %y: a) { %x }"),
        ("def @f[a, b](%x: a, %y: b) { %x }", "def @f[a, b](%x: a, %y: a) { %x }"),
        ("def @f(%x) { %0 = g(%x); (%0, %0) }", "def @f(%x) { (g(%x), g(%x)) }"),
        ("def @f() { 1 }", "def @f() { 1i64 }"),
        ("def @f() { 1 }", "def @f() { True }"),
        ("def @f() { g(1, a=1) }", "def @f() { g(1, a=True) }"),
        ("def @f() { g(1, a=1) }", "def @f() { g(1, b=1) }"),
        ("def @f() { g(1) }", "def @f() { h(1) }"),
        ("def @f(%x: int32) { %x }", "def @f(%x) { %x }"),
        ("def @f(%x) { %x }", "def @g(%x) { %x }"),
        ("def @f() { 1 }", "def @f() { 1 } def @g() { 1 }"),
        ("type T { A }", "type T { A, B }"),
        ("type T { A }", "extern type T"),
        ("def @f(%x) { match (%x) { _ => 1 } }", "def @f(%x) { match? (%x) { _ => 1 } }"),
        ("def @f(%x) { %x.0 }", "def @f(%x) { %x.1 }"),
    ],
)
def test_different(a: str, b: str) -> None:
    assert not same(a, b)


def test_types() -> None:
    assert structural_equal(parse_type("fn [a](a) -> a"), parse_type("fn [b](b) -> b"))
    assert not structural_equal(parse_type("fn [a](a) -> a"), parse_type("fn [a: Shape](a) -> a"))
    assert not structural_equal(parse_type("(int32, int32)"), parse_type("(int32,)"))


def test_types_that_share_parts_are_compared_as_graphs() -> None:
    def doubled(times: int) -> FuncType:
        parameter = TypeVar("a")
        inside: object = parameter
        for _ in range(times):
            inside = TupleType([inside, inside])
        return FuncType([parameter], inside, [parameter])

    assert structural_equal(doubled(60), doubled(60))
    assert not structural_equal(doubled(60), doubled(59))
