"""The order of goals does not matter: rules with their conjunctions in another order say the same of every call.

The rules are loaded again while `lall`, `stating` and `conde`, of which their conjunctions are made, permute what they
are given. A relation is asked about measured calls, accepted and refused ones, each also with one argument or the
result not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from unification import Var

import relaylogic.logic
from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic import conde, lall, stating
from relaylogic.logic.search.search import Solution
from relaylogic.logic.states.goals import _Conjunction, _Steps
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.rulebase import AttributeProblem, Attrs, Operator, RuleBase, default_rules, load_rules
from relaylogic.types import TupleType, show_type
from tests.conformance.facts import ask, facts, known_type, without_widths
from tests.effort import some

ACCEPTED, REFUSED = 3, 2

Order = Callable[[Sequence[Any]], list[Any]]


def seeded(seed: int) -> Order:
    """A permutation for each number of goals."""
    return lambda goals: Random(100 * seed + len(goals)).sample(goals, len(goals))


ORDERS: dict[str, Order] = {
    "backwards": lambda goals: list(reversed(goals)),
    "last goal first": lambda goals: [*goals[-1:], *goals[:-1]],
    **{f"shuffled {seed}": seeded(seed) for seed in range(3)},
}


def parts(goal: Any) -> list[Any]:
    """The goals of which a conjunction consists."""
    if isinstance(goal, _Steps):
        return list(goal.steps)
    return [part for inner in goal.goals for part in parts(inner)] if isinstance(goal, _Conjunction) else [goal]


@cache
def permuted_rules(name: str) -> RuleBase:
    """The shipped rules, their conjunctions in the order of that name."""
    order = ORDERS[name]

    def permuted(goals: Sequence[Any]) -> list[Any]:
        return order([part for goal in goals for part in parts(goal)])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relaylogic.logic, "lall", lambda *goals: lall(*permuted(goals)))
        patch.setattr(relaylogic.logic, "stating", lambda text, *goals: stating(text, *permuted(goals)))
        patch.setattr(relaylogic.logic, "conde", lambda *branches: conde(*map(permuted, branches)))
        return load_rules()


Call = tuple[tuple[Any, ...], Any]


@cache
def measured() -> dict[str, list[Call]]:
    """Some measured calls of each relation: the arguments' types and the result's, and the attributes."""
    rules = default_rules()
    chosen: dict[str, list[Call]] = {}
    taken: dict[tuple[str, bool], int] = {}
    for operator in sorted(rules.operators.values(), key=lambda operator: operator.name):
        known = [fact for fact in facts().get(operator.name, []) if may_be_asked(operator, fact)]
        # Spread over what was measured of the operator, which starts with the plainest calls.
        for fact in known[:: max(len(known) // 12, 1)]:
            name, accepted = operator.relation.name, "error" not in fact
            ours = ask(fact) if taken.get((name, accepted), 0) < (ACCEPTED if accepted else REFUSED) else None
            if ours is not None and (ours.verdict != "refused") == accepted:
                taken[name, accepted] = taken.get((name, accepted), 0) + 1
                chosen.setdefault(name, []).append(terms_of(operator, fact, ours.out))
    return chosen


def may_be_asked(operator: Operator, fact: dict[str, Any]) -> bool:
    """Whether it is for the relation to judge the call of a fact: inputs and attributes are those of the operator."""
    try:
        operator.attrs(fact["attrs"])
    except AttributeProblem:
        return False
    return operator.variadic or len(fact["in"]) == len(operator.inputs)


def terms_of(operator: Operator, fact: dict[str, Any], out: str) -> Call:
    """The call of a fact, with the result that is known of it."""
    given = tuple(Var() if text == "_" else known_type(without_widths(text)) for text in fact["in"])
    arguments = (TupleType(given),) if operator.variadic else given
    result = known_type(out) if out and "_" not in out and "Storage" not in out else Var()
    return (*arguments, result), operator.attrs(fact["attrs"])


def opened(terms: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The terms; the same without the result; without each argument in turn."""
    yield terms
    for hidden in range(len(terms)):
        if type(terms[hidden]) is not Var:
            yield tuple(Var() if i == hidden else term for i, term in enumerate(terms))


def said(solution: Solution) -> Any:
    """What a solution says, whatever the names of its variables and the wording of what is left."""

    def named(terms: Any) -> Any:
        return terms and [show_type(t, str) for t in canonical(instantiate(terms, {}), {})]

    if not solution.exhausted:
        return "open", solution.limit, named(solution.general)
    answers: dict[Any, bool] = {}
    for answer in solution.answers:
        terms = "; ".join(named(answer.terms))
        answers[terms] = answers.get(terms, False) or not answer.residue
    return "exhausted", named(solution.general), answers


def differences(name: str, order: str) -> list[str]:
    """The calls of a relation of which the permuted rules say something else."""
    ours, theirs = default_rules(), permuted_rules(order)
    found = []
    for terms, attrs in some(measured().get(name, []), 2):
        for asked in opened(terms):
            here, there = (solution(rules, name, asked, attrs) for rules in (ours, theirs))
            if said(here) != said(there):
                call = ", ".join(show_type(term, lambda _: "_") for term in asked)
                found.append(f"{name}({call}) {attrs}\n  in order: {shown(here)}\n  {order}: {shown(there)}")
    return found


def solution(rules: RuleBase, name: str, terms: tuple[Any, ...], attrs: Attrs) -> Solution:
    """What rules say of a call."""
    return solve_site(rules, rules.relation(name), canonical(terms, {}), attrs)


def shown(solution: Solution) -> str:
    """A solution as text."""
    answers = [f"{', '.join(map(show_type, a.terms))} {list(a.residue) or ''}" for a in solution.answers]
    return f"{'all' if solution.exhausted else solution.limit or 'not all'} of {'; '.join(answers) or 'none'}"


@pytest.mark.parametrize("name", sorted({operator.relation.name for operator in default_rules().operators.values()}))
def test_goals_in_another_order_say_the_same(name):
    found = [line for order in some(ORDERS) for line in differences(name, order)]
    assert not found, f"{len(found)} differences\n" + "\n".join(found[:5])


def test_the_permuted_rules_are_the_shipped_ones():
    assert not permuted_rules("backwards").notes
    assert permuted_rules("backwards").relations.keys() == load_rules().relations.keys()
