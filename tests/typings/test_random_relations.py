"""Random relations and questions: what is answered is what brute force finds, nothing is lost, nothing comes twice.

Ground answers are compared one by one; of open ones, all instances within the bounds. (Those of two clauses that call
others, or wait for a list, may have instances in common.) Brute force itself is compared with SWI-Prolog, where that is
installed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple

import pytest

from relaylogic.clauses.compile import compile_goals
from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.scope import Names
from relaylogic.clauses.syntax import ClauseError, parse_query
from relaylogic.logic.circuits.problem import Problem
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import count_query, query
from tests.effort import some

from .random_relations import (
    Clause,
    Goals,
    Maker,
    Relation,
    Rules,
    is_list,
    names_of,
    random_question,
    random_rules,
    rules_text,
    text_of,
)
from .relations_by_force import Meaning, TooMuch
from .relations_in_prolog import answers_of_prolog

CASES = 600
STEPS, OPEN_STEPS, TRIES = 5_000, 2_000, 20_000
NUMBER, RANK = 3, 2  # names are asked for up to these
BOUNDS: dict[str, Any] = {"max_rank": RANK, "max_dim": NUMBER, "min_dim": 0, "ground": True}
SHAPES = [shape for rank in range(RANK + 1) for shape in product(range(NUMBER + 1), repeat=rank)]
WIDER = [(40, 2, 8), (12, 6, 1), (9, 3, 7)]
"""Where to look for what is not tried as a rule: numbers, lengths and elements up to these."""
MOST = 25  # open answers
LEAST_DECIDED = 0.6
MOST_TRIED = 2_000  # values, by SWI-Prolog, for one question

Row = tuple[Any, ...]


@pytest.fixture(autouse=True)
def in_the_order_of_their_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alternatives that are searched for come so: whoever walks to the nearest answers first relies on it."""
    produce = Problem.produce

    def checked(node: Problem) -> Iterator[Any]:
        spent = 0
        for pick in produce(node):
            cost = 0 if type(pick) is tuple else pick.cost
            assert cost >= spent, node.part.key
            spent = cost
            yield pick

    monkeypatch.setattr(Problem, "produce", checked)


class Case(NamedTuple):
    """Relations, and a question that says what its names stand for."""

    rules: Rules
    goals: Goals
    text: str
    domains: dict[str, Iterable[Any]]

    def __str__(self) -> str:
        return f"\n{rules_text(self.rules)}\n?- {self.text}"


def loaded(rules: Rules, more: str = "") -> RuleBase:
    """A rule base of some relations."""
    base = RuleBase()
    load_clauses(base, f"{rules_text(rules)}\n{more}")
    return base


def case_of(number: int) -> Case | None:
    """A case; None if it has no names, if one stands for different things, or if a clause stands twice."""
    random = Random(f"relations:{number}")
    rules = random_rules(random)
    goals = random_question(random, rules)
    names = list(dict.fromkeys(names_of(goals)))
    text = ", ".join([*map(text_of, goals), *bounds(names)])
    try:
        compile_goals(parse_query(text), Names(loaded(rules)))
    except ClauseError:
        return None
    domains: dict[str, Iterable[Any]] = {name: SHAPES if is_list(name) else range(NUMBER + 1) for name in names}
    return Case(rules, goals, text, domains) if names else None


def hidden_case_of(number: int) -> Case | None:
    """A case that asks for some of the names of nested goals; None if that means nothing."""
    random = Random(f"hidden:{number}")
    maker = Maker(random, ("n", "m", "k", "h"), random.choice((("s", "u"), ())), ())
    goals = tuple(maker.goal(2) for _ in range(random.choice((1, 2, 3))))
    names = list(dict.fromkeys(names_of(goals)))
    asked = random.sample(names, random.randint(1, min(2, len(names)))) if names else []
    kinds = "".join("S" if is_list(name) else "N" for name in asked)
    rules = (Relation("Asked", kinds, (Clause(tuple(asked), goals),)),)
    text = ", ".join([text_of(call := ("call", "Asked", *asked)), *bounds(asked)])
    try:
        compile_goals(parse_query(text), Names(loaded(rules)))
    except ClauseError:
        return None
    domains: dict[str, Iterable[Any]] = {name: SHAPES if is_list(name) else range(NUMBER + 1) for name in asked}
    return Case(rules, (call,), text, domains) if asked else None


def bounds(names: Iterable[str]) -> list[str]:
    """Goals that say of names what they are, and how great numbers are."""
    return [f"sum({name}) >= 0" if is_list(name) else f"{name} <= {NUMBER}" for name in names]


def ground_rows(text: str, base: RuleBase, names: Iterable[str]) -> list[Row] | None:
    """The ground answers to a question, each as often as it comes; None if not all are found in a few steps."""
    found = query(text, rules=base, steps=STEPS, **BOUNDS)
    answers = list(found)
    return [tuple(a.bindings[name] for name in names) for a in answers] if found.status == "exhausted" else None


def check_rows(found: set[Row], expected: set[Row], case: Case, about: str) -> None:
    """What is found is what is expected, and what holds for values that are not tried as a rule."""
    assert not expected - found, f"{about} lost {sorted(expected - found)[:3]}{case}"
    for row in found - expected:
        domains = {name: (value,) for name, value in zip(case.domains, row, strict=True)}
        try:
            holds = any(Meaning(case.rules, *wider, tries=TRIES).answers(case.goals, domains) for wider in WIDER)
        except TooMuch:
            continue
        assert holds, f"{about} has {row}, which is none{case}"


def check_ground(case: Case, base: RuleBase, expected: set[Row]) -> bool:
    """Listed and counted are what brute force finds; whether it was found out."""
    rows = ground_rows(case.text, base, case.domains)
    if rows is None:
        return False
    assert len(set(rows)) == len(rows), f"an answer comes twice{case}"
    check_rows(set(rows), expected, case, "ground")
    assert count_query(case.text, rules=base, steps=100 * STEPS, **BOUNDS) == len(rows), f"another count{case}"
    return True


def check_open(case: Case, base: RuleBase, expected: set[Row]) -> None:
    """The instances of all open answers are what brute force finds, if there are few answers."""
    found = query(case.text, rules=base, steps=OPEN_STEPS, limit=MOST)
    answers = list(found)
    if found.status != "exhausted":
        return
    texts = [str(answer) for answer in answers]
    assert len(set(texts)) == len(texts), f"an open answer comes twice{case}"
    names = list(case.domains)
    asked = f"Instance({', '.join(names)})"
    instances: set[Row] = set()
    for text in texts:
        clause = f"{asked} :- {', '.join([*([] if text == 'true' else [text]), *bounds(names)])}."
        rows = ground_rows(asked, loaded(case.rules, clause), names)
        if rows is None:
            return
        instances.update(rows)
    check_rows(instances, expected, case, f"open {texts}")


def test_answers_are_what_brute_force_finds() -> None:
    cases = [case for case in map(case_of, some(range(CASES), 60)) if case is not None]
    decided = 0
    for case in cases:
        base = loaded(case.rules)
        try:
            expected = Meaning(case.rules, tries=TRIES).answers(case.goals, case.domains)
        except TooMuch:
            continue
        decided += check_ground(case, base, expected)
        check_open(case, base, expected)
    assert decided >= LEAST_DECIDED * len(cases), (decided, len(cases))


def test_what_is_hidden_merely_exists() -> None:
    """Nothing of what is asked for is lost where the rest is left out, or told in other words, and nothing is added."""
    for case in filter(None, map(hidden_case_of, some(range(CASES), 20))):
        base = loaded(case.rules)
        try:
            expected = Meaning(case.rules, tries=TRIES).answers(case.goals, case.domains)
        except TooMuch:
            continue
        check_ground(case, base, expected)
        check_open(case, base, expected)


def test_an_alternative_that_was_held_back_was_lost_behind_those_that_cost_more() -> None:
    """It cost less than those before it: the walk that had stopped there took it for one that had been told."""
    rules = """
    Pa(n).
    Pa(3) :- prod(u) != n.
    Qe(s, s) :- (reverse([], s[1:]) ; prod(u) = 2), Pa(k).
    Qe([k], u) :- distinct(u[1:]), (sum(s) - m) = prod(u).
    Qe([n | s], [m | u]) :- s = u, Qe(s, u).
    """
    base = RuleBase()
    load_clauses(base, rules)
    found = query("Qe([3], s)", rules=base)
    answers = [str(answer) for answer in found]
    assert found.status == "exhausted" and any("...u" in answer for answer in answers), answers


@pytest.mark.skipif(not shutil.which("swipl"), reason="SWI-Prolog is missing: brute force is not compared with it")
def test_what_relations_mean_is_what_prolog_says() -> None:
    lists, most = [items for rank in range(3) for items in product(range(3), repeat=rank)], 4
    cases = []
    for number in some(range(CASES), 6):
        random = Random(f"prolog:{number}")
        rules = random_rules(random, 2)
        goals = random_question(random, rules)
        names = dict.fromkeys(names_of(goals))
        domains = {name: lists if is_list(name) else list(range(most + 1)) for name in names}
        if names and prod(map(len, domains.values())) * tried(rules, len(lists), most + 1) <= MOST_TRIED:
            cases.append((rules, goals, domains))
    answers = answers_of_prolog(cases, lists, most, seconds=300)
    for (rules, goals, domains), found in zip(cases, answers, strict=True):
        expected = Meaning(rules, most, 2, 2, within=True).answers(goals, domains)
        assert found == expected, f"\n{rules_text(rules)}\n?- {', '.join(map(text_of, goals))}"


def tried(rules: Rules, lists: int, numbers: int) -> int:
    """How many values are tried for the names of a clause that its head does not have, at most."""
    clauses = [clause for relation in rules for clause in relation.clauses]
    names = [set(names_of(clause.body)) - {term for term in clause.head if isinstance(term, str)} for clause in clauses]
    return max(prod(lists if is_list(name) else numbers for name in own) for own in names)
