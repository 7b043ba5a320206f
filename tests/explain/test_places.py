"""Places of a program, and how far they are from what is asked about."""

from __future__ import annotations

import relaylogic
from relaylogic.explain.places import Places
from relaylogic.ir import post_order

TEXT = """def @main(%a: Tensor[(2), int8], %b, %c: Tensor[(2), int8]) {
  let %f = fn (%x: Tensor[(2), int8], %y: Tensor[(2), int8], %z: int8, %n) { (add(%x, %y), add(%z, %n)) };
  (%f(%a, %b, 1i8, %c), %f(%c, %a, 2i8, %b), (%a, %b, %c))
}"""


def test_places_that_are_as_far_come_in_the_order_of_the_program():
    """A `why` took the parameter before `%p2` or the one behind it, by where they lay in memory."""
    kept = []  # so that each has a memory of its own
    found = set()
    for i in range(40):
        kept.append(([object() for _ in range(i * 7 % 40)], relaylogic.parse(TEXT)))
        module = kept[-1][1]
        places = Places(module)
        exprs = list(post_order(module["main"]))
        found.add(tuple(tuple(places.distances([id(expr)]).items()) for expr in exprs))
        if i % 3 == 0:
            kept.pop(0)
    assert len(found) == 1


def test_the_value_of_a_let_stands_behind_its_sign():
    """Where the variable occurred again below, its use was all that followed."""
    lets = "let %y: Tensor[(3), int8] = %x; let %z: Tensor[(4), int8] = %x;"
    for conflict in relaylogic.infer(f"def @main(%x: Tensor[(2), int8]) {{ {lets} (%y, %z) }}").conflicts():
        uses = [label.span for label in conflict.places if "has type" in label.message]
        assert uses and all(use.source.text[use.start : use.end] == "%x" for use in uses)
