"""What all answers to an open call agree on is found without choosing for each row of its lists."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from relaylogic.logic import eq, fresh, lall, lany, mapo, neq
from relaylogic.logic.search.antiunify import generalise
from relaylogic.logic.search.search import Solution
from relaylogic.logic.search.sketch import FAR, says_no_more
from relaylogic.logic.states.goals import Goal
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.rulebase import Relation, RuleBase, load_rules
from relaylogic.types import TensorType, TupleType
from tests.conformance.facts import facts, known_type, without_widths
from tests.effort import some

RULES = load_rules()
MANY = 1_000


def calls() -> Iterator[tuple[str, dict[str, Any]]]:
    """Some calls of each operator that are right."""
    rng = random.Random(7)
    for name in sorted(facts()):
        own = [fact for fact in facts()[name] if "_" not in fact["in"] and fact.get("out")]
        if name in RULES.operators:
            yield from ((name, fact) for fact in rng.sample(own, min(3, len(own))))


def forgotten(type_: Any, shared: list[Any], rng: random.Random) -> Any:
    """A type of which something may not be known, or be one of what is `shared`."""
    if type(type_) is TupleType:
        return TupleType(tuple(forgotten(field, shared, rng) for field in type_.fields))
    if type(type_) is not TensorType or type(type_.shape) is not tuple:
        return type_
    kind = rng.random()
    if kind < 0.2:
        return fresh()
    dtype = fresh() if rng.random() < 0.3 else type_.dtype
    if kind < 0.35:
        return TensorType(fresh(), dtype)
    opened = [(fresh(), rng.choice(shared), extent, extent) for extent in type_.shape]
    return TensorType(tuple(rng.choice(extents) for extents in opened), dtype)


def both(rules: RuleBase, relation: Relation, asked: tuple[Any, ...], attrs: Any = None) -> tuple[Solution, Solution]:
    """What a search for all answers finds, and what is found by rows."""
    key = canonical(asked, {})
    return (
        rules.solve(relation, key, attrs, most=MANY, programs=False),
        rules.solve(relation, key, attrs, most=MANY, programs=False, by_rows=True),
    )


def agree(every: Solution, by_rows: Solution) -> bool:
    """Whether by rows it is known what all answers agree on; where not all are found, nothing that one denies."""
    if every.limit:
        general = by_rows.general
        told = [answer.terms for answer in every.answers]
        return general is not None and all(says_no_more(generalise(general, terms, FAR), general) for terms in told)
    return by_rows.limit == "" and renumbered(every.general) == renumbered(by_rows.general)


def renumbered(terms: tuple[Any, ...] | None) -> Any:
    """Terms with their slots numbered in order."""
    return None if terms is None else canonical(instantiate(terms, {}), {})


@pytest.mark.parametrize("name, fact", some(calls(), 8), ids=lambda case: case if isinstance(case, str) else case["id"])
def test_by_rows_it_is_known_what_all_answers_agree_on(name: str, fact: dict[str, Any]) -> None:
    rng = random.Random(fact["id"])
    operator = RULES.operators[name]
    types = tuple(known_type(without_widths(text)) for text in fact["in"])
    attrs = operator.attrs(dict(fact["attrs"] or {}))
    for _ in range(4):
        shared = [fresh(), fresh()]
        opened = tuple(forgotten(type_, shared, rng) for type_ in types)
        inputs = (TupleType(opened),) if operator.variadic else opened
        result = forgotten(known_type(without_widths(fact["out"])), shared, rng)
        assert agree(*both(RULES, operator.relation, (*inputs, result), attrs)), (inputs, result)


def test_tensors_of_unknown_rank_take_few_answers() -> None:
    known = TensorType((fresh(), 512, fresh(), fresh()), fresh())
    every, by_rows = both(RULES, RULES.relation("Broadcast"), (fresh(), known, fresh()))
    assert every.limit == "" and len(every.answers) > 100 and len(by_rows.answers) < 10
    assert agree(every, by_rows)


def test_what_is_said_of_rows_later_is_heeded() -> None:
    """Rows that are something else's, too, are told apart; so a call that has no answer is refused."""
    rules = RuleBase()

    def choice(a: Any, b: Any) -> Goal:
        return lany(lall(eq(a, 1), eq(b, 2)), lall(eq(a, 2), eq(b, 1)), lall(eq(a, 3), eq(b, 3)))

    relation = Relation("Chosen", ("left", "right"))
    @relation.clause
    def apart(left: Any, right: Any) -> Goal:
        return lall(mapo(choice, left, right), mapo(neq, left, right))

    left, right, x = (fresh(), fresh()), (fresh(), fresh()), fresh()
    for asked in ((left, right), ((x, x), right), ((x, 3), right), ((x, 2), right), (left, (x, x)), ((3, x), (x, 3))):
        assert agree(*both(rules, relation, asked)), asked


def test_it_does_not_matter_who_asked_before() -> None:
    """What is known of the rows only was told to who asked for all answers, or the other way round."""
    one, other = load_rules(), load_rules()
    key = canonical(((fresh(), fresh()), (fresh(), 3), fresh()), {})

    def answers(rules: RuleBase, by_rows: bool) -> int:
        relation = rules.relation("BroadcastShapes")
        return len(rules.solve(relation, key, None, most=MANY, programs=False, by_rows=by_rows).answers)

    first = [answers(one, by_rows) for by_rows in (False, True)]
    assert first == [answers(other, by_rows) for by_rows in (True, False)][::-1]
    assert first[0] > 1 == first[1]


def test_where_not_all_answers_are_looked_for_it_is_known_what_the_clauses_say() -> None:
    """Of operands of unknown rank, whose answers are too many, it was not said that they are tensors of one dtype."""
    known = TensorType((fresh(), 512, fresh(), fresh()), fresh())
    key = canonical((fresh(), known, fresh()), {})
    found = RULES.solve(RULES.relation("Broadcast"), key, None, most=8, programs=False)
    assert found.limit == "answer limit" and found.general is not None
    left, right, result = found.general
    assert type(left) is type(result) is TensorType and left.dtype is right.dtype is result.dtype
