"""Answers with types that share their parts are as long as there are distinct types, and can be read back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.cli.listing import run_query, run_typings
from relaylogic.rulebase import RuleBase
from relaylogic.typings.program import typings
from relaylogic.typings.query import query
from tests.counted import at_most
from tests.effort import examples, some

EMPTY = RuleBase()


def doubled(count, end):
    return ", ".join([*(f"X{i} = (X{i + 1}, X{i + 1})" for i in range(count)), f"X{count} = {end}"])


def lets(count, annotation, hole=""):
    body = " ".join(f"let %t{i + 1}{hole} = (%t{i}, %t{i});" for i in range(count))
    return f"def @main(%t0{annotation}) {{ {body} %t{count} }}"


def printed(run, *arguments, **options):
    lines: list[str] = []
    run(*arguments, lines.append, **options)
    return lines


def expanded(found):
    """The bindings of a JSON answer with each `$ref` resolved, as terms of a query that says the same."""
    named = ", ".join(f"{name} = {text}" for name, text in found.get("types", {}).items())
    bound = ", ".join(
        f"{name} = {value['$ref'].rpartition('/')[2] if isinstance(value, dict) else value}"
        for name, value in found["bindings"].items()
    )
    return ", ".join(part for part in (bound, named) if part)


@pytest.mark.parametrize("end", ["int8", "Tensor[(3, 4), float32]", "_"])
def test_the_length_is_that_of_the_distinct_terms(end):
    lengths = {}
    for count in (25, 50, 100):
        with at_most(500_000):
            text, ending = printed(run_query, doubled(count, end), rules=EMPTY)
            (as_json, _) = printed(run_query, doubled(count, end), rules=EMPTY, as_json=True)
        assert ending == "# 1 answer, no more"
        lengths[count] = len(text), len(as_json)
    for half, whole in ((lengths[25], lengths[50]), (lengths[50], lengths[100])):
        assert whole[0] < 2.5 * half[0] and whole[1] < 2.5 * half[1]
    assert lengths[100][0] < 10_000


def test_an_answer_that_shares_can_be_read_back():
    (answer,) = query(doubled(60, "Tensor[(3, n), float32]"), rules=EMPTY)
    assert answer.definitions and "T1" in answer.definitions
    (again,) = query(str(answer), rules=EMPTY)
    (from_json,) = query(expanded(json.loads(json.dumps(answer.to_dict()))), rules=EMPTY)
    assert str(again.bindings["X58"]) == str(from_json.bindings["X58"])
    for one in (again, from_json):
        assert len({id(one.bindings[f"X{i}"]) for i in range(61)}) == 61
        assert all(one.bindings[f"X{i}"].fields[0] is one.bindings[f"X{i + 1}"] for i in range(60))


@settings(max_examples=examples(25))
@given(st.data())
def test_random_graphs_of_types_can_be_read_back(data):
    count = data.draw(st.integers(1, 40))
    leaves = ["int8", "Tensor[(2, 3), float32]", "(int8,)", "()", "fn (int8) -> bool", "ref(int8)"]
    parts = []
    for i in range(count):
        fields = data.draw(st.lists(st.integers(max(0, i - 3), max(0, i - 1)), min_size=1, max_size=3))
        width = ", ".join(f"A{j}" for j in fields) + ("," if len(fields) == 1 else "")
        parts.append(f"A{i} = {data.draw(st.sampled_from(leaves)) if not i else f'({width})'}")
    # Names of variables that look like those of definitions.
    text = ", ".join([*parts, f"T1 = A{count - 1}", f"T3 = (T2, A{count // 2})"])
    (answer,) = query(text, rules=EMPTY)
    (again,) = query(str(answer), rules=EMPTY)
    (from_json,) = query(expanded(answer.to_dict()), rules=EMPTY)
    for name in (*(f"A{i}" for i in range(count)), "T1"):
        assert again.bindings[name] is answer.bindings[name] is from_json.bindings[name]


FORTY = [(": int8", ""), ("", ""), (": Tensor[(_), int8]", ""), ("", ": _")]


@pytest.mark.parametrize(("annotation", "hole"), some(FORTY, 4))
def test_forty_lets_of_pairs(annotation, hole):
    bounds = {"max_dim": 3, "max_rank": 1, "dtypes": ["int8"]}
    with at_most(15_000_000):
        text = printed(run_typings, lets(40, annotation, hole), number=3, **bounds)
        as_json = printed(run_typings, lets(40, annotation, hole), number=3, as_json=True, annotated=True, **bounds)
        counted = printed(run_typings, lets(40, annotation, hole), count=True, **bounds)
    assert sum(map(len, text)) < 60_000 and sum(map(len, as_json)) < 500_000
    *found, ending = map(json.loads, as_json)
    assert ending["answers"] == len(found) >= 1
    if not annotation.startswith(": int8"):
        assert all("$ref" in record["bindings"]["%t30"] for record in found)
    assert counted == [{": int8": "1", ": Tensor[(_), int8]": "3"}.get(annotation, "4")]
    (first, *_) = typings(lets(40, annotation, hole), limit=1, **bounds)
    assert len(first.explain()) < 500_000


def test_short_answers_are_written_out():
    (answer,) = query("A = (B, B), B = (C, C), C = (D, D)", rules=EMPTY)
    assert str(answer) == "A = (((D, D), (D, D)), ((D, D), (D, D))), B = ((D, D), (D, D)), C = (D, D)"
    assert answer.to_dict()["bindings"]["C"] == "(D, D)" and "types" not in answer.to_dict()


def test_lists_of_types_are_written_as_lists():
    for text in (
        "F = [Tensor[(2), int8], (A, A)]",
        "F = [[A, B], [A]]",
        "F = [[n | r], (2, m) | s]",
        "F = [fn (A) -> B | r]",
        "F = [A, B], A = Tensor[(2), int8]",
        "F = " + "[" * 100 + "A" + "]" * 100,
    ):
        (answer,) = query(text, rules=EMPTY)
        (again,) = query(str(answer), rules=EMPTY)
        assert str(again) == str(answer) and "~" not in str(answer)
    (answer,) = query("F = [Tensor[(2), int8], B]", rules=EMPTY)
    assert str(answer) == "F = [Tensor[(2), int8], B]"
