"""Every clause of the rule base is needed: without it, a call of which the outcome is known comes out differently.

The calls are the measured facts on which the rule base and TVM agree, and `CALLS`, for clauses that no fact reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import pytest

from relaylogic.api import infer
from relaylogic.rulebase import Clause, default_rules
from tests.conformance.facts import Fact, ask, facts, same
from tests.rules.calls import answers, solve

PAIR = "fn () -> (int8, Tensor[(2), int8])"

CALLS: list[tuple[str, dict[str, Any], str, str]] = [
    # operator, attributes, inputs, the one answer
    ("add", {}, "Tensor[s, int8], Tensor[s, _]", "Tensor[s, int8], Tensor[s, int8] -> Tensor[s, int8]"),
    ("add", {}, "Tensor[s, int8], int8", "Tensor[s, int8], int8 -> Tensor[s, int8]"),
    ("add", {}, "int8, Tensor[s, int8]", "int8, Tensor[s, int8] -> Tensor[s, int8]"),
    ("collapse_sum_like", {}, "Tensor[s, int8], int8", "Tensor[s, int8], int8 -> int8"),
    (
        "einsum",
        {"equation": "i,i->i"},
        "(Tensor[(3), int8], Tensor[(?), int8])",
        "(Tensor[(3), int8], Tensor[(?), int8]) -> Tensor[(?), int8]",
    ),
    (
        "memory.alloc_tensor",
        {"assert_shape": [2, 3]},
        "Storage[], int64, Tensor[(2), int64]",
        "Storage[], int64, Tensor[(2), int64] -> Tensor[(2, 3), float32]",
    ),
    ("cumsum", {}, "Tensor[(2, ...s), int8]", "Tensor[(2, ...s), int8] -> Tensor[(2 * prod(s)), int8]"),
    ("slice_like", {}, "Tensor[s, int8], Tensor[s, bool]", "Tensor[s, int8], Tensor[s, bool] -> Tensor[s, int8]"),
    (
        "slice_like",
        {"axes": [-1]},
        "Tensor[(2, ...s), int8], Tensor[(2, ...s), bool]",
        "Tensor[(2, ...s), int8], Tensor[(2, ...s), bool] -> Tensor[(2, ...s), int8]",
    ),
    (
        "reshape_like",
        {"lhs_end": 1, "rhs_end": 2},
        "Tensor[(6, ...s), int8], Tensor[(2, 3, ...s), bool]",
        "Tensor[(6, ...s), int8], Tensor[(2, 3, ...s), bool] -> Tensor[(2, 3, ...s), int8]",
    ),
    (
        "split",
        {"indices_or_sections": 1, "axis": -1},
        "Tensor[(2, ...s), int8]",
        "Tensor[(2, ...s), int8] -> (Tensor[(2, ...s), int8],)",
    ),
    (
        "searchsorted",
        {},
        "Tensor[(2, ...s), int8], Tensor[(2, ...s), int8]",
        "Tensor[(2, ...s), int8], Tensor[(2, ...s), int8] -> Tensor[(2, ...s), int32]",
    ),
    ("vm.invoke_tvm_op", {}, f"{PAIR}, _, _", f"{PAIR}, (), (int8, Tensor[(2), int8]) -> ()"),
]

PROGRAMS = [
    # a program, and the type of its first function: of what no operator asks
    (
        "def @main(%x: Tensor[(_), int8]) { let %y: Tensor[(?), int8] = %x; %y }",
        "fn (Tensor[(?), int8]) -> Tensor[(?), int8]",
    ),
]

CLAUSES = [clause for relation in default_rules().relations.values() for clause in relation.clauses]

Check = Callable[[], bool]


def fact_holds(fact: Fact) -> bool:
    """Whether the rule base says of a call what TVM says."""
    return same(fact, ask(fact))


def call_holds(name: str, attrs: dict[str, Any], inputs: str, expected: str) -> bool:
    """Whether a call has the expected answer and no other."""
    found = solve(name, attrs, inputs)
    return bool(found.exhausted and answers(name, attrs, inputs) == [expected])


def program_holds(text: str, expected: str) -> bool:
    """Whether the first function of a program has the expected type."""
    return str(next(iter(infer(text).functions.values()))) == expected


@cache
def checks() -> dict[Clause, list[Check]]:
    """The calls in whose solution each clause took part."""
    accepted = (fact for each in facts().values() for fact in each if "error" not in fact)
    found: dict[Clause, list[Check]] = {clause: [] for clause in CLAUSES}
    default_rules().forget()
    known = [partial(fact_holds, fact) for fact in accepted]
    known += [partial(call_holds, *call) for call in CALLS]
    known += [partial(program_holds, *program) for program in PROGRAMS]
    for check in known:
        before = [clause.used for clause in CLAUSES]
        if check():
            for clause, count in zip(CLAUSES, before, strict=True):
                if clause.used > count:
                    found[clause].append(check)
    return found


@contextmanager
def without(clause: Clause) -> Iterator[None]:
    """The shipped rules without a clause."""
    rules, clauses = default_rules(), clause.relation.clauses
    position = clauses.index(clause)
    del clauses[position]
    rules.forget()
    try:
        yield
    finally:
        clauses.insert(position, clause)
        rules.forget()


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), CALLS)
def test_calls_that_no_fact_reaches(name, attrs, inputs, expected):
    assert answers(name, attrs, inputs) == [expected]


@pytest.mark.parametrize("clause", CLAUSES, ids=str)
def test_something_changes_without_it(clause, record_property):
    record_property("clause", str(clause))
    using = checks()[clause]
    assert using, f"no known call uses {clause} ({clause.file}:{clause.line})"
    with without(clause):
        assert not all(check() for check in using), f"{len(using)} calls use {clause}, and none of them needs it"
