"""What follows from what: against brute force, and what the search makes of it."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.logic.control import Budget, Search
from relaylogic.logic.search.resolution import Resolution
from relaylogic.logic.states.calls import Call
from relaylogic.logic.terms.variables import fresh_list
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.typings.program import count_typings
from relaylogic.typings.query import query
from tests.effort import examples

RULES = load_rules()
SMALL = {"max_rank": 2, "max_dim": 3, "dtypes": ["float32", "bool"], "ground": True}


def is_a_function(rules: RuleBase, name: str, arity: int) -> bool:
    search = Search(Budget(), postpones=True, gradual=False, defaults=False, rules=rules)
    return Resolution(search, {}).functional(Call.draft((rules.relations[name], *fresh_list(arity))))


SHIPPED = ["BroadcastDim", "BroadcastShapes", "Broadcast", "Comparison", "Flatten", "Identity", "CastLike", "Where"]


@pytest.mark.parametrize("name", SHIPPED)
def test_relations_that_are_functions_are_found_to_be(name):
    relation = RULES.relations[name]
    assert is_a_function(RULES, name, relation.arity)
    arguments = [f"A{i}" for i in range(relation.arity)]
    found: dict[str, str] = {}
    for answer in query(f"{name}({', '.join(arguments)})", rules=RULES, limit=4_000, **SMALL):
        *inputs, result = (str(answer.bindings[argument]) for argument in arguments)
        assert found.setdefault(str(inputs), result) == result
    assert len(found) > 1


GOALS = {
    "list": [
        *("append(a, b, c)", "append(c, a, b)", "append(a, c, b)", "append(d, c, a), len(d) = len(b)"),
        *("reverse(a, c)", "map(Same, a, c)", "map(Sum, a, b, c)", "map(Below, a, c)", "a[-1] = n, c = [n]"),
        *("len(a) = len(b)", "len(c) = len(b)", "len(a) < len(b)", "len(b) <= len(a)", "len(a) = 1 + len(b)"),
        *("c = a", "a = [1 | b]", "c = [2 | a]", "a = []", "c = []", "b = [n | d], c = [n]"),
    ],
    "number": [
        *("c = a + b", "a = b + c", "a * c = b", "c = 1", "c = a * 2 + 1", "2 * c = a", "c // 2 = a", "c = min(a, b)"),
        *("a < b", "b <= a", "a != b", "c <= 1", "a = 1", "b != 1", "Same(a, c)", "Next(b, c)", "Below(c, a)"),
    ],
}
HELPERS = "Same(x, x) :- x >= 0. Next(x, y) :- y = x + 1. Sum(x, y, z) :- z = x + y. Below(x, y) :- x < y."


def random_relation(random: Random) -> list[str]:
    """A relation of two inputs, which are lists or numbers, and a result, in up to three clauses."""
    kind = random.choice(sorted(GOALS))
    bodies = [", ".join(random.sample(GOALS[kind], random.randrange(1, 4))) for _ in range(random.randrange(1, 4))]
    head = ", ".join(f"Tensor[{x if kind == 'list' else f'({x})'}, t]" for x in "abc")
    return [HELPERS, *(f"R({head}) :- {body}." for body in dict.fromkeys(bodies))]


@pytest.mark.parametrize("seed", range(examples(150, 6)))
def test_what_is_found_to_be_a_function_is_one(seed):
    rules = RuleBase()
    rules.relations.update(RULES.relations)
    clauses = random_relation(Random(seed))
    load_clauses(rules, "\n".join(clauses))
    if is_a_function(rules, "R", 3):
        found: dict[str, str] = {}
        small = {"max_rank": 2, "max_dim": 3, "min_dim": 0, "dtypes": ["int8"], "ground": True}
        for answer in query("R(A, B, C)", rules=rules, **small):
            inputs, result = (str(answer.bindings[name]) for name in "AB"), str(answer.bindings["C"])
            assert found.setdefault(" ".join(inputs), result) == result, clauses


RESULT = (4, 5, 6)
SHAPES = [shape for rank in range(4) for shape in product(*((1, extent) for extent in RESULT[3 - rank :]))]


def broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of what is added up of two tensors whose extents are 1 or those of `RESULT`."""
    rank = max(len(a), len(b))
    return tuple(map(max, (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b))


def ways(sums: int) -> dict[tuple[int, ...], int]:
    """How many sequences of one tensor more than there are `sums` have a sum of a shape, by shape."""
    found = dict.fromkeys(SHAPES, 1)
    for _ in range(sums):
        following = dict.fromkeys(SHAPES, 0)
        for (shape, number), other in product(found.items(), SHAPES):
            following[broadcast(shape, other)] += number
        found = following
    return found


@pytest.mark.parametrize("number", [1, 2, 3, 15])
def test_sums_of_tensors_of_any_rank_are_counted(number):
    """The lengths of the shapes between them were chosen one by one, and extents before these: hours, or a limit."""
    parameters = ", ".join(f"%x{i}: Tensor[_, float32]" for i in range(number + 1))
    chain = f"{'add(' * number}%x0{''.join(f', %x{i + 1})' for i in range(number))}"
    program = f"fn ({parameters}) -> Tensor[(4, 5, 6), float32] {{ {chain} }}"
    assert count_typings(program, rules=RULES, max_rank=4, max_dim=16) == ways(number)[RESULT]


def test_a_tree_of_sums_of_tensors_of_any_rank_is_counted():
    parameters = ", ".join(f"%{x}: Tensor[_, float32]" for x in "abcd")
    program = f"fn ({parameters}) -> Tensor[(4, 5, 6), float32] {{ add(multiply(%a, %b), subtract(%c, %d)) }}"
    pairs = ways(1)
    expected = sum(
        pairs[one] * pairs[other] for one, other in product(SHAPES, SHAPES) if broadcast(one, other) == RESULT
    )
    assert count_typings(program, rules=RULES, max_rank=4, max_dim=16) == expected == 29_393
