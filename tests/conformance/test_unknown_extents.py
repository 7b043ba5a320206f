"""An extent that is left open is not taken to be `?`, also where the program makes it one with an extent of the result.

Relations whose results are `?` where an input is (that of `einsum`, say) once said so by an equation, which made
the input `?` where both are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from relaylogic import query, typings
from relaylogic.logic.circuits.branching import solve_goal
from relaylogic.logic.circuits.circuit import Filled, answers
from relaylogic.logic.control import StepLimit
from relaylogic.logic.search.profiles import asked_about
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType, TupleType
from relaylogic.types.universe import Universe
from tests.conformance.facts import Fact, ask, facts, known_type, without_widths
from tests.effort import some
from tests.together import together

MOST_FACTS, MOST_PAIRS, MOST_ANSWERS = 2, 8, 8
STEPS = 20_000
UNIVERSE = Universe.of(max_rank=3, max_dim=3, ground=True)

Place = tuple[int, ...]


def extents(term: Any, path: Place = ()) -> Iterator[Place]:
    """The places of the extents in a type."""
    if type(term) is TensorType:
        yield from ((*path, axis) for axis in range(len(term.shape)))
    elif type(term) is TupleType:
        for i, field in enumerate(term.fields):
            yield from extents(field, (*path, i))


def with_extent(term: Any, path: Place, extent: Any) -> Any:
    """A type with another extent at a place."""
    i, *rest = path
    if type(term) is TensorType:
        return TensorType((*term.shape[:i], extent, *term.shape[i + 1 :]), term.dtype)
    return TupleType((*term.fields[:i], with_extent(term.fields[i], tuple(rest), extent), *term.fields[i + 1 :]))


def calls(operator: str) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Calls of an operator with known types, and their attributes."""
    usable = (fact for fact in facts()[operator] if "_" not in fact["in"] and "?" not in str(fact["in"]))
    for fact in islice(usable, MOST_FACTS):
        ours = ask(fact)
        if ours.verdict == "typed" and "?" not in ours.out:
            yield terms_of(fact, ours.out)


def terms_of(fact: Fact, out: str) -> tuple[tuple[Any, ...], Any]:
    """What a call relates, the result last, and its attributes."""
    op = default_rules().operators[fact["op"]]
    given = tuple(known_type(without_widths(text)) for text in fact["in"])
    return (*((TupleType(given),) if op.variadic else given), known_type(out)), op.attrs(fact["attrs"])


@together("operator", sorted(facts()))
def test_an_input_that_is_one_with_the_result_is_not_taken_to_be_unknown(operator: str) -> None:
    rules = default_rules()
    for terms, attrs in some(calls(operator), 16) if operator in rules.operators else ():
        relation = rules.operators[operator].relation
        places = [(i, *path) for i, term in enumerate(terms) for path in extents(term)]
        inputs = [place for place in places if place[0] < len(terms) - 1]
        results = [place for place in places if place[0] == len(terms) - 1]
        for pair in islice(((a, b) for a in inputs for b in results), MOST_PAIRS):
            one, asked = fresh(), list(terms)
            for i, *path in pair:
                asked[i] = with_extent(asked[i], tuple(path), one)
            goal = relation(*asked, attrs) if relation.takes_attrs else relation(*asked)
            search = asked_about(goal, rules)
            search.budget.grant(STEPS)
            try:
                for path in islice(answers(solve_goal(goal, {one: "number"}, UNIVERSE, search)), MOST_ANSWERS):
                    assert "?" not in str(Filled(path, 1).terms), (operator, asked)
            except (StepLimit, RecursionError):
                continue


SAME = "def @main(%c: bool, %x: {}, %y: {}) {{ if (%c) {{ %x }} else {{ {} }} }}"
VECTOR, MATRICES = "Tensor[(_), float32]", "Tensor[(_, 2, 2), float32]"


@pytest.mark.parametrize(
    ("type_", "call", "broadcast"),
    [
        (VECTOR, 'einsum((%x, %y), equation="i,i->i")', "add(%x, %y)"),
        (MATRICES, "nn.batch_matmul(%x, %y)", "add(%x, %y)"),
    ],
)
@pytest.mark.parametrize("bounds", [{}, {"ground": True, "max_dim": 3, "max_rank": 3, "dtypes": ["float32"]}])
def test_what_stretches_like_a_broadcast_has_its_typings(
    type_: str, call: str, broadcast: str, bounds: dict[str, Any]
) -> None:
    found, wanted = (set(map(str, typings(SAME.format(type_, type_, text), **bounds))) for text in (call, broadcast))
    assert found == wanted


def test_a_result_that_is_unknown_has_an_input_that_is() -> None:
    text = 'einsum((Tensor[(n), int8], Tensor[(3), int8]), equation="i,i->i") = Tensor[(?), int8]'
    assert [str(found) for found in query(text)] == ["n = ?"]
