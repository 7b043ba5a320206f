"""The occurs check of the store: it is left out where the variable cannot be met, and only there."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import relaylogic
from relaylogic.infer.sites.store import Mismatch, Store
from relaylogic.logic.terms.terms import occurs
from relaylogic.types import IncompleteType, TupleType
from tests.counted import at_most


class Checked(Store):
    """A store that says of no variable wrongly that it does not occur; `said` is what it says."""

    def __init__(self):
        super().__init__()
        self.said = set()

    def _occurs(self, variable, value):
        found = super()._occurs(variable, value)
        assert found == occurs(variable, value, self.bindings)
        self.said.add(found)
        return found


def a_term(random, variables, depth):
    if depth == 0 or random.random() < 0.4:
        return random.choice(variables)
    return TupleType([a_term(random, variables, depth - 1) for _ in range(random.randint(0, 3))])


def test_what_is_left_out_of_the_occurs_check_does_not_occur():
    said = set()
    for seed in range(60):
        random, store = Random(seed), Checked()
        variables = [IncompleteType() for _ in range(8)]
        for _ in range(30):
            given = a_term(random, variables, 2), a_term(random, variables, 3)
            with store.tentatively() if random.random() < 0.3 else nullcontext():
                attempt(store, *given)
        said |= store.said
    assert said == {True, False}


def attempt(store, left, right):
    try:
        store.unify(left, right)
    except Mismatch:
        return


def test_constructors_within_each_other_are_typed_in_linear_time():
    for depth in (200, 2000):
        for known in ("", ": int8"):
            program = f"type Box[a] {{ Put(a) }} def @main(%x{known}) {{ {'Put(' * depth}%x{')' * depth} }}"
            module = relaylogic.parse(program)
            with at_most(300 * depth):
                assert relaylogic.infer(module).verdict == "typed"
