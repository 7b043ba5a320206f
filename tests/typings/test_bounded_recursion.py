"""Relations that call themselves, in small universes, against brute force: what is hidden, and tuples."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.types import TensorType, TupleType
from relaylogic.typings.query import count_query, query

CLAUSES = """
Total([], 0).
Total([n | s], m) :- Total(s, k), m = n + k.
Joined((...f,), Tensor[(n), t]) :- Lengths(f, n, t).
Lengths([Tensor[(n), t]], n, t).
Lengths([Tensor[(n), t] | f], m, t) :- Lengths(f, k, t), m = n + k.
operator joined(parts) : Joined.
Rows(Tensor[[n | s], t], (...f,)) :-
    map(Part, f, g), member(Tensor[s, t], g), Same(g, Tensor[s, t]), len(f) = n.
Part(Tensor[[1 | s], t], Tensor[s, t]).
Same([], A).
Same([A | f], A) :- Same(f, A).
operator rows(data) : Rows.
"""
SMALL = {"max_dim": 3, "max_rank": 2, "dtypes": ["int8"], "ground": True, "max_arity": 3}


@pytest.fixture(scope="module")
def rules() -> RuleBase:
    base = load_rules()
    load_clauses(base, CLAUSES)
    return base


def _ends(text: str, rules: RuleBase, **bounds: Any) -> list[Any]:
    found = query(text, rules=rules, **{**SMALL, **bounds})
    answers = list(found)
    assert found.status == "exhausted"
    assert count_query(text, rules=rules, **{**SMALL, **bounds}) == len(answers)
    return answers


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("more", [{}, {"tuples": 3}])
def test_a_hidden_tuple_that_is_taken_apart_has_no_more_fields_than_it_may(rules, least, more):
    """Answers were lost: a tuple of which nothing was asked might have had any number of fields, each longer."""
    wanted = {sum(parts) for count in (1, 2, 3) for parts in product(range(least, 4), repeat=count)}
    found = _ends("joined(_) = A", rules, min_dim=least, **more)
    assert sorted(answer.bindings["A"].shape[0] for answer in found) == sorted(n for n in wanted if n <= 3)


def test_a_hidden_list_is_no_longer_than_it_may_be(rules):
    wanted = {sum(shape) for rank in (0, 1, 2) for shape in product((1, 2, 3), repeat=rank)}
    assert sorted(answer.bindings["n"] for answer in _ends("Total(_, n)", rules)) == sorted(wanted)


@pytest.mark.parametrize("more", [{}, {"tuples": 3}])
@pytest.mark.parametrize("asked", ["rows(A) = B", "rows(A) = _", "rows(_) = B", "rows(Tensor[(3, 2), int8]) = B"])
def test_a_tuple_that_all_ways_of_a_call_say_is_no_tensor(rules, more, asked):
    """All tensors were tried for its fields, or none found, since the ways of the call have answers in common."""
    shapes = [(n, *rest) for n in (1, 2, 3) for rank in (0, 1) for rest in product((1, 2, 3), repeat=rank)]
    pairs = {TensorType(s, "int8"): TupleType((TensorType((1, *s[1:]), "int8"),) * s[0]) for s in shapes}
    if "3, 2" in asked:
        pairs = {data: parts for data, parts in pairs.items() if data.shape == (3, 2)}
    names = [name for name in "AB" if name in asked.replace("int8", "")]
    wanted = {tuple(row[name] for name in names) for row in ({"A": a, "B": b} for a, b in pairs.items())}
    found = _ends(asked, rules, **more)
    assert {tuple(answer.bindings[name] for name in names) for answer in found} == wanted


def test_answers_of_which_nothing_waits_come_in_order(rules):
    """A goal that can run at once was taken for one that waits: the first sixteen answers came behind all others."""
    found = islice(query("member(A, f), Same(f, A)", rules=rules), 20)
    assert [len(answer.bindings["f"]) for answer in found] == list(range(1, 21))
