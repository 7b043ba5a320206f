"""Typings for which a number is least or greatest are those of all typings for which it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate, islice, product
from math import prod
from random import Random

import pytest

from relaylogic.errors import RelayLogicError
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


@pytest.mark.parametrize("seed", range(examples(120, 6)))
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
    number = 9
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


def layers(number: int, kernel: str = "3, 3", first: str = "1, 3, 8, 8") -> str:
    """A chain of convolutions of open channels, then a classifier."""
    weights = "".join(f", %w{i}: Tensor[(_, _, {kernel}), float32]" for i in range(number))
    made = "%x"
    for i in range(number):
        made = f"nn.conv2d({made}, %w{i}, padding=[1, 1, 1, 1])"
    made = f"nn.dense(nn.batch_flatten(nn.global_avg_pool2d({made})), %d)"
    return f"fn (%x: Tensor[({first}), float32]{weights}, %d: Tensor[(10, _), float32]) {{ {made} }}"


def numbers_of(channels: tuple[int, ...]) -> int:
    """How many numbers the input and the weights of such a chain hold."""
    chain = (3, *channels)
    return 3 * 64 + 9 * sum(a * b for a, b in zip(chain, channels, strict=False)) + 10 * channels[-1]


def chains(number: int, widest: int, most: int) -> dict[int, int]:
    """How many such chains there are of so many numbers."""
    found: dict[tuple[int, int], int] = {(3, 192): 1}
    for _ in range(number):
        longer: dict[tuple[int, int], int] = {}
        for (last, held), ways in found.items():
            for channels in range(1, widest + 1):
                key = channels, held + 9 * last * channels
                if key[1] <= most:
                    longer[key] = longer.get(key, 0) + ways
        found = longer
    numbers: dict[int, int] = {}
    for (last, held), ways in found.items():
        if held + 10 * last <= most:
            numbers[held + 10 * last] = numbers.get(held + 10 * last, 0) + ways
    return numbers


def test_networks_within_a_budget_are_counted():
    """Four open layers within a budget were a step limit."""
    within = {"where": "elements <= 2500", "rules": RULES, "max_dim": 16}
    assert count_typings(layers(5), **within) == sum(chains(5, 16, 2500).values())


def test_networks_that_just_meet_a_budget_are_found():
    """That there is one was found, but not which."""
    numbers = chains(4, 24, 5000)
    found = typings(layers(4), where="elements <= 5000", maximize="elements", rules=RULES, max_dim=24)
    best = list(islice(found, 5))
    assert found.optimum == max(numbers) == 5000
    assert {numbers_of(tuple(t.bindings[f"%w{i}"].shape[0] for i in range(4))) for t in best} == {5000}
    assert len({str(typing) for typing in best}) == 5


def test_the_largest_network_of_open_channels_and_kernels_is_found():
    """All channels and kernels together were searched: three layers took half a minute."""
    text = layers(4, kernel="_, 3", first="1, 3, 8, 8")
    found = typings(text, maximize="elements", rules=RULES, max_dim=16)
    best = list(found)
    sizes: dict[int, list[tuple[int, ...]]] = {}
    for kernels in product(range(1, 17), repeat=4):
        heights = list(accumulate(kernels, lambda height, size: height + 3 - size, initial=8))
        if min(heights) >= 1:
            numbers = 192 + 16 * 3 * kernels[0] * 3 + 16 * 16 * 3 * sum(kernels[1:]) + 160
            sizes.setdefault(numbers, []).append(kernels)
    expected = max(sizes)
    assert found.optimum == expected
    assert sorted(tuple(t.bindings[f"%w{i}"].shape[2] for i in range(4)) for t in best) == sizes[expected]


def test_it_is_said_that_nothing_bounds_the_largest_network():
    """Witnesses were looked for by counting up: each doubling took twice as long, up to the time limit."""
    found = typings(layers(3), maximize="elements", rules=RULES)
    assert list(found) == []
    assert found.status.startswith("unknown: nothing bounds the number that is to be greatest")


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("prod(%d)", "a number is wanted here"),
        ("prod(%d.shape)", "the shape of `%d` is `s` where a condition says `%d = Tensor[s, d]`"),
    ],
)
def test_it_is_said_how_shapes_are_spoken_of(objective, message):
    """The first spoke of "the objective's addend 1"."""
    with pytest.raises(RelayLogicError) as caught:
        typings(layers(1), minimize=objective, rules=RULES)
    assert message in "\n".join([caught.value.message, *caught.value.hints])


def test_a_count_says_what_lies_outside_of_the_universe():
    """It was 0 without a word."""
    notes: list[str] = []
    assert count_typings(layers(1), rules=RULES, max_dim=4, note=notes.append) == 0
    assert notes == [
        "%d is Tensor[(10, _), float32], which lies outside of the universe: no typing is within these bounds"
    ]
