"""Variables that are free in an expression."""

from __future__ import annotations

from relaylogic.ir import Function, free_beside, free_vars, post_order
from relaylogic.text import parse

PROGRAMS = [
    "def @main(%x: int8) { let %f = fn (%a) { let %g = fn (%b) { add(%b, %x) }; add(%g(%a), %x) }; %f(%x) }",
    "def @main(%x: int8) { let %f = fn (%a) { let %r = fn (%b) { if (%a) { %b } else { %r(%x) } }; %r(%a) }; %f }",
    "def @main(%x: int8, %y: int8) { (fn (%a) { (fn () { (%y, %a, %x) }, %a) }, fn (%c) { fn (%d) { (%x, %d) } }) }",
]


def test_what_is_free_in_functions_within_is_as_good_as_a_look_into_them() -> None:
    for text in PROGRAMS:
        known = {}
        functions = [node for node in post_order(parse(text)["main"]) if isinstance(node, Function)]
        for function in functions:  # those within others come before these
            known[id(function)] = free_beside(function, known)
            assert known[id(function)] == free_vars(function)
        assert len(functions) > 2 and known[id(functions[-1])] == []
