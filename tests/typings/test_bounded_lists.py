"""How long lists are that make up shapes of a bounded rank, and what waits for that: against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import count_query, query
from tests.effort import some

BOUNDS: dict[str, Any] = {"max_rank": 2, "min_dim": 1, "max_dim": 2, "dtypes": ["int8"]}
LISTS = [items for rank in range(3) for items in product((1, 2), repeat=rank)]
RULES = """
Below(n, m) :- n <= m.
Tail([_ | s], s).
none: Rising([]).
one: Rising([_]).
more: Rising([n, m | s]) :- n <= m, Rising([m | s]).
"""
SAID = {
    "reverse(S, S)": lambda a, b: a[::-1] == b,
    "same_length(S, S)": lambda a, b: len(a) == len(b),
    "distinct(S)": lambda a: len(set(a)) == len(a),
    "map(agree, S, S)": lambda a, b: a == b,
    "map(Below, S, S)": lambda a, b: len(a) == len(b) and all(n <= m for n, m in zip(a, b, strict=True)),
    "member(2, S)": lambda a: 2 in a,
    "S != S": lambda a, b: a != b,
    "len(S) = n": lambda a: True,
    "len(S) = len(S)": lambda a, b: len(a) == len(b),
    "sum(S) = sum(S)": lambda a, b: sum(a) == sum(b),
    "len(S) <= 1": lambda a: len(a) <= 1,
    "S[-1] = 2": lambda a: a[-1:] == (2,),
    "Tail(S, S)": lambda a, b: len(a) > 0 and a[1:] == b,
    "Rising(S)": lambda a: all(n <= m for n, m in pairwise(a)),
}


def case_of(number: int) -> tuple[str, list[tuple[str, list[str]]]]:
    """A question about the parts s and u of the shape v, and what it says of which lists."""
    random = Random(f"lists:{number}")
    said = []
    for form in random.sample(list(SAID), random.randint(1, 3)):
        said.append((form, [random.choice("suuv") for _ in range(form.count("S"))]))
    goals = ["append(s, u, v)", "A = Tensor[v, int8]"]
    for form, names in said:
        first, *others = form.split("S")
        goals.append(first + "".join(name + rest for name, rest in zip(names, others, strict=True)))
    random.shuffle(goals)
    return ", ".join(goals), said


def meant(said: list[tuple[str, list[str]]]) -> Iterator[tuple[Any, ...]]:
    """The lists s, u and v of which all is so, by brute force."""
    for s, u in product(LISTS, repeat=2):
        lists = {"s": s, "u": u, "v": s + u}
        if len(s + u) <= 2 and all(SAID[form](*[lists[name] for name in names]) for form, names in said):
            yield tuple(lists.values())


def test_all_parts_of_the_shapes_of_a_universe_are_found() -> None:
    rules = RuleBase()
    load_clauses(rules, RULES)
    for number in some(range(400), 8):
        text, said = case_of(number)
        found = query(text, rules=rules, ground=True, **BOUNDS)
        answers = [tuple(answer.bindings[name] for name in "suv") for answer in found]
        assert found.status == "exhausted", text
        assert sorted(answers) == sorted(meant(said)), text
        assert count_query(text, rules=rules, ground=True, **BOUNDS) == len(answers), text


def test_a_list_that_the_bound_of_a_rank_tells_to_be_empty_was_lost() -> None:
    for word in ("distinct(u)", "reverse(u, u)", "map(agree, u, u)"):
        text = f"append(s, u, v), len(u) = m, {word}, A = Tensor[v, int8]"
        found = [str(answer.bindings["s"]) for answer in query(text, ground=True, **{**BOUNDS, "max_dim": 1})]
        assert found.count("(1, 1)") == 1, text


BOUNDED = {
    "reverse(s, u), len(u) <= 2": 7,
    "map(agree, s, u), len(u) * 2 <= 5": 7,
    "append(u, s, v), len(v) <= 2": 17,
    "append(s, u, v), reverse(v, w), len(w) <= 2, len(u) = 1": 6,
    "sum(s) = 3": 3,
    "reverse(s, u), sum(u) <= 3": 7,
}


@pytest.mark.parametrize("said", BOUNDED)
def test_what_is_said_of_another_list_bounds_the_lengths_that_are_tried(said: str) -> None:
    """Longer lists were tried without end where nothing but another list told how long they are."""
    found = query(f"A = Tensor[s, int8], {said}", ground=True, max_dim=2, steps=2_000)
    assert len(list(found)) == BOUNDED[said]
    assert found.status == "exhausted"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("distinct(s), sum(s) = 3", 11),
        ("distinct(s), sum(s) <= 3, n = len(s)", 19),
        ("s = [_ | _], sum(s) = 1, distinct(s)", 3),
    ],
)
def test_different_numbers_of_a_sum_are_few(text: str, number: int) -> None:
    """0, 1, 2 ... add up to the least that so many of them do: nothing else says how long the list may be."""
    found = query(text, ground=True, min_dim=0)
    assert len({str(answer) for answer in found}) == number and found.status == "exhausted"
    assert count_query(text, ground=True, min_dim=0) == number
