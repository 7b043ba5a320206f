"""A problem falls apart into parts that have nothing in common, and parts that differ only in names are one."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from relaylogic.logic.circuits.problem import Problem
from relaylogic.logic.constraints.compare import Compare
from relaylogic.logic.control import Search
from relaylogic.logic.search.split import Part, determined, split
from relaylogic.logic.states.calls import Call
from relaylogic.logic.states.state import State
from relaylogic.logic.states.work import Work
from relaylogic.logic.terms.numbers import Arith
from relaylogic.logic.terms.rebuilding import instantiate, reify_term
from relaylogic.logic.terms.terms import variables_of
from relaylogic.logic.terms.variables import fresh_list
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query
from tests.together import together

RULES = load_rules()
BROADCAST = RULES.relation("BroadcastDim")


def drawn(random: Random, variables: tuple[Any, ...]) -> list[Any]:
    """Some constraints of variables."""
    found: list[Any] = []
    for _ in range(random.randrange(1, 7)):
        a, b, c = (random.choice((*variables, 1, 6)) for _ in range(3))
        kind = random.randrange(3)
        if kind == 0:
            found.append(Compare.draft(("<=", a, Arith.draft(("+", (b, c))))))
        elif kind == 1:
            found.append(Compare.draft(("!=", a, b)))
        else:
            found.append(Call.draft((BROADCAST, a, b, c)))
    return found


def state_of(constraints: list[Any]) -> State:
    """A state in which these wait."""
    work = Work(State({}, None, Search(gradual=False, postpones=True)))
    for constraint in constraints:
        work.suspend(constraint)
    made = work.finish()
    assert made is not None
    return made


def tied(constraints: list[Any]) -> bool:
    """Whether constraints are tied together by their variables."""
    reached, left = set(variables_of(constraints[0])), list(constraints[1:])
    while left:
        near = [c for c in left if not reached.isdisjoint(variables_of(c))]
        if not near:
            return False
        reached.update(v for c in near for v in variables_of(c))
        left = [c for c in left if c not in near]
    return True


@together("seed", range(60))
def test_parts_have_nothing_in_common_and_cannot_be_parted_further(seed: int) -> None:
    random = Random(seed)
    variables = fresh_list(6)
    state = state_of(drawn(random, variables))
    wanted = dict.fromkeys(random.sample(variables, 3), "dim")
    scope = {v: "dim" for v in random.sample(variables, 2) if v not in wanted}
    parts = split(state, wanted, scope)
    said = [constraint for part in parts for constraint in part.state.constraints()]
    assert sorted(map(id, said)) == sorted(map(id, state.constraints()))
    assert {v: kind for part in parts for v, kind in part.wanted.items()} == wanted
    assert {v: kind for part in parts for v, kind in part.scope.items()} == scope
    about = [{*variables_of(tuple(part.state.constraints())), *part.wanted, *part.scope} for part in parts]
    assert all(a.isdisjoint(b) for a, b in combinations(about, 2))
    assert all(tied(part.state.constraints()) for part in parts if part.state.constraints())


@together("seed", range(60))
def test_the_key_of_a_part_says_all_but_the_names_of_variables(seed: int) -> None:
    random = Random(seed)
    variables, others = fresh_list(4), fresh_list(4)
    constraints = drawn(random, variables)
    wanted = dict.fromkeys(random.sample(variables, 2), "dim")
    renamed = dict(zip(variables, others, strict=True))
    again = [reify_term(c, renamed) for c in constraints]
    same = split(state_of(again), {renamed[v]: kind for v, kind in wanted.items()}, {})
    parts = split(state_of(constraints), wanted, {})
    assert [part.key for part in parts] == [part.key for part in same]
    # With the variables put back, patterns are the constraints again.
    for constraint in constraints:
        put_back = instantiate(constraint.pattern, dict(enumerate(variables_of(constraint))))
        assert put_back is type(constraint).make(reify_term(constraint.args, {}))
    # More constraints, or other ones, have another key.
    for other in (
        [*constraints, Compare.draft(("!=", variables[0], 5))],
        [reify_term(c, {variables[0]: 7}) for c in constraints],
    ):
        changed = split(state_of(other), wanted, {})
        assert [part.key for part in changed] != [part.key for part in parts] or other == constraints


def answers_of(part: Part) -> list[dict[Any, int]]:
    """All values that satisfy a part of broadcasts, among a few extents."""
    constraints = part.state.constraints()
    variables = variables_of(tuple(constraints))
    found = []
    for values in product((1, 2, 3), repeat=len(variables)):
        given = dict(zip(variables, values, strict=True))
        dims = [reify_term(c, given).arguments for c in constraints]
        if all((a == b == c) or (a == 1 and b == c) or (b == 1 and a == c) for a, b, c in dims):
            found.append(given)
    return found


@together("seed", range(80))
def test_what_is_determined_has_one_value_for_each_answer(seed: int) -> None:
    random = Random(seed)
    variables = fresh_list(5)
    chosen = [random.sample(variables, 3) for _ in range(random.randrange(1, 4))]
    state = state_of([Call.draft((BROADCAST, *three)) for three in chosen])
    wanted = dict.fromkeys(random.sample(variables, 3), "dim")
    for part in split(state, wanted, {}):
        if determined(part, lambda call: True):
            found = answers_of(part)
            asked = list(part.wanted)
            assert len({tuple(given.get(v) for v in asked) for given in found}) == len(found)


def broadcast(a: int, b: int, c: int) -> bool:
    """What BroadcastDim says of numbers."""
    return (a == b == c) or (a == 1 != b == c) or (b == 1 != a == c)


@together("seed", range(60))
def test_calls_that_are_listed_or_known_to_tell_all_come_as_they_are_searched_for(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer once, with its clauses, in one order; all that brute force finds."""
    random = Random(seed)
    names = "abcde"[: random.randrange(2, 6)]
    terms = (*names, *names, "1", "2", "3")
    said = [tuple(random.choice(terms) for _ in range(3)) for _ in range(random.randrange(1, 5))]
    text = ", ".join(f"BroadcastDim({', '.join(call)})" for call in said)
    found = [(answer.texts, answer.clauses) for answer in query(text, rules=RULES, max_dim=3)]
    with monkeypatch.context() as patch:
        patch.setattr(Problem, "_listed", lambda self: None)
        patch.setattr("relaylogic.logic.circuits.problem._determine", lambda made: None)
        assert found == [(answer.texts, answer.clauses) for answer in query(text, rules=RULES, max_dim=3)]
    mentioned = sorted({name for call in said for name in call if name.isalpha()})
    expected = []
    for values in product(range(1, 4), repeat=len(mentioned)):
        known = dict(zip(mentioned, values, strict=True))
        if all(broadcast(*(known.get(name) or int(name) for name in call)) for call in said):
            expected.append({name: str(value) for name, value in known.items()})
    assert sorted(map(str, expected)) == sorted(str(dict(sorted(texts.items()))) for texts, _ in found)
