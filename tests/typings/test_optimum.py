"""Typings for which a number is least or greatest are those of all typings for which it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from math import prod
from random import Random

import pytest

from relaylogic.rulebase import load_rules
from relaylogic.typings.program import count_typings, typings
from tests.effort import examples

RULES = load_rules()
SMALL = {"max_rank": 2, "max_dim": 4, "dtypes": ["float32"]}
MOST = 3_000
Shapes = dict[str, tuple[int, ...]]
BINARY = ("add", "multiply", "nn.dense", "nn.matmul", "concatenate")


def random_program(random: Random) -> tuple[str, list[str]]:
    """A program of some calls of a few tensors, of which some are used twice, and the names of its parameters."""
    names = [f"%x{i}" for i in range(random.randrange(2, 5))]
    values = list(names)
    while len(values) > 1:
        first, second = (values.pop(random.randrange(len(values))) for _ in range(2))
        operator = random.choice(BINARY)
        if operator == "concatenate":
            made = f"concatenate(({first}, {second}), axis={random.randrange(2)})"
        else:
            made = f"{operator}({first}, {second})"
        if random.random() < 0.2:
            made = f"add({made}, {random.choice(names)})"
        values.append(f"nn.relu({made})" if random.random() < 0.3 else made)
    shapes = ("(_, _)", "_", "(_)", "(2, _)", "(_, 3)", "(1, _)")
    parameters = ", ".join(f"{name}: Tensor[{random.choice(shapes)}, float32]" for name in names)
    result = random.choice(("", " -> Tensor[(2, 3), float32]", " -> Tensor[(_, 4), float32]"))
    return f"fn ({parameters}){result} {{ {values[0]} }}", names


def random_objective(random: Random, names: list[str]) -> tuple[str, Callable[[Shapes], int]]:
    """A number that may be made least, and what it comes to for the shapes of the parameters."""
    some = random.sample(names, random.randrange(1, len(names) + 1))
    number = random.randrange(1, 4)
    one, other = some[0], some[-1]

    def elements(shapes: Shapes) -> int:
        return sum(map(prod, shapes.values()))

    objectives: list[tuple[str, Callable[[Shapes], int]]] = [
        ("elements", elements),
        (" + ".join(f"elements({name})" for name in some), lambda shapes: sum(prod(shapes[name]) for name in some)),
        (f"{number} * elements({one}) + elements", lambda shapes: number * prod(shapes[one]) + elements(shapes)),
        ("elements * elements + elements", lambda shapes: elements(shapes) ** 2 + elements(shapes)),
        (" + ".join(f"{name}[-1]" for name in some), lambda shapes: sum(shapes[name][-1] for name in some)),
        (f"{one}[0] * {other}[-1] + {number}", lambda shapes: shapes[one][0] * shapes[other][-1] + number),
    ]
    return random.choice(objectives)


@pytest.mark.parametrize("seed", range(examples(120, 3)))
def test_the_best_typings_are_the_best_of_all_typings(seed):
    random = Random(seed)
    program, names = random_program(random)
    objective, value = random_objective(random, names)
    which = random.choice(("minimize", "maximize"))
    found: dict[str, int] = {}
    for typing in islice(typings(program, rules=RULES, **SMALL), MOST):
        shapes = {name: typing.bindings[name].shape for name in names}
        with suppress(IndexError):  # an extent of a scalar
            found[str(typing)] = value(shapes)
    if len(found) < MOST:
        best = (min if which == "minimize" else max)(found.values(), default=None)
        expected = {text for text, number in found.items() if number == best}
        asked = typings(program, rules=RULES, **{which: objective}, **SMALL)
        listed = [str(typing) for typing in asked]
        assert (asked.optimum, sorted(listed)) == (best, sorted(expected))
        assert count_typings(program, rules=RULES, **{which: objective}, **SMALL) == len(expected)


def test_the_fewest_elements_of_summands_of_any_rank_are_found():
    """Whether some sum comes to less was asked of all tensors at once: each way of sharing the extents was refuted."""
    number = 12
    parameters = ", ".join(f"%x{i}: Tensor[_, float32]" for i in range(number))
    chain = f"{'add(' * (number - 1)}%x0{''.join(f', %x{i})' for i in range(1, number))}"
    program = f"fn ({parameters}) -> Tensor[(4, 5, 6), float32] {{ {chain} }}"
    bounds = {"max_rank": 3, "max_dim": 8}
    found = typings(program, rules=RULES, minimize="elements", limit=5, **bounds)
    # Three tensors have one extent each, with or without ones before it, behind it as many as it takes.
    assert len(list(found)) == 5 and found.optimum == 4 + 5 + 6 + (number - 3)
    others = 4 ** (number - 3)  # of no elements but one, of any rank
    ways = number * (number - 1) * (number - 2) * others * 1 * 2 * 3
    assert count_typings(program, rules=RULES, minimize="elements", **bounds) == ways


def test_what_turns_out_to_be_a_tuple_has_elements():
    """A parameter without a type was taken to be a tensor, so one of which a field is taken had no least number."""
    program = "fn (%a, %b: Tensor[(2, _), float32]) { (%a.0, add(%a.1, %b)) }"
    bounds = {"max_rank": 1, "max_dim": 3, "max_arity": 3, "dtypes": ["float32"]}
    found = typings(program, rules=RULES, minimize="elements", **bounds)
    assert next(found, None) is None
    bounds["max_rank"] = 2
    found = typings(program, rules=RULES, minimize="elements", **bounds)
    arities = {len(typing.bindings["%a"].fields) for typing in found}
    assert (found.optimum, found.status, arities) == (4, "exhausted", {2})


def test_whatever_the_rank_is_there_is_an_element():
    """Shapes of any rank were searched for one whose extents come to less than the bounds allow."""
    program = "fn (%x: Tensor[(_, _, _), float32], %i: Tensor[_, int32]) { take(%x, %i, axis=1) }"
    found = typings(program, rules=RULES, minimize="elements", limit=1)
    assert [str(typing.bindings["%x"]) for typing in found] == ["Tensor[(1, 1, 1), float32]"]
    assert found.optimum == 2
