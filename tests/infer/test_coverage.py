"""Coverage of `match`: witnesses, useless arms, the budget; agreement with brute force on small values."""

from __future__ import annotations

import itertools
import random
from functools import partial

import pytest

import relaylogic
from relaylogic.infer.checks.coverage import CoverageLimit, contradictory, has_an_arm_for_each, uncovered, unreachable
from relaylogic.ir import (
    Clause,
    Constructor,
    IRModule,
    Match,
    PatternConstructor,
    PatternVar,
    PatternWildcard,
    Tuple,
    Var,
)
from relaylogic.text import parse
from relaylogic.types import GlobalTypeVar
from tests.together import together

TYPES = """
type List[A] { Cons(A, List[A]), Nil, }
type Option[A] { Some(A), None, }
type nat { Z, S(nat), }
type Colour { Red, Green, Blue, }
type Wide { W(nat, nat, nat, nat), V(nat), }
extern type Image
"""


def match_of(*patterns: str) -> tuple[Match, IRModule]:
    arms = ", ".join(f"{pattern} => {number}" for number, pattern in enumerate(patterns))
    module = parse(f"{TYPES} def @f(%x) {{ match (%x) {{ {arms} }} }}")
    return module["f"].body, module


@pytest.mark.parametrize(
    ("patterns", "missing"),
    [
        (["Cons(_, _)", "Nil"], None),
        (["%all"], None),
        (["_", "Nil"], None),
        ([], "_"),
        (["Nil"], "Cons(_, _)"),
        (["Cons(_, _)"], "Nil"),
        (["Cons(_, Cons(_, _))"], "Nil"),
        (["Cons(_, Cons(_, _))", "Nil"], "Cons(_, Nil)"),
        (["Nil", "Cons(_, Nil)"], "Cons(_, Cons(_, _))"),
        (["Some(Cons(_, Cons(%s, _)))", "None"], "Some(Nil)"),
        (["Red", "Blue"], "Green"),
        (["W(_, _, _, _)", "V(Z)"], "V(S(_))"),
        (["W(_, _, _, Z)", "V(_)"], "W(_, _, _, S(_))"),
        (["(Nil, _)", "(_, Nil)"], "(Cons(_, _), Cons(_, _))"),
        (["(Nil, Nil)", "(Cons(_, _), Cons(_, _))"], "(Nil, Cons(_, _))"),
        (["(Nil, Nil)", "(Cons(_, _), _)", "(_, Cons(_, _))"], None),
        (["(Cons(_, _), _)"], "(Nil, _)"),
        (["(_, (Nil, _))"], "(_, (Cons(_, _), _))"),
        (["((Z,),)"], "((S(_),),)"),
        (["()"], None),
        (["(Red, Red)", "(Green, _)", "(Blue, _)"], "(Red, Green)"),
        (["Cons(Some(%x), %rest)", "Cons(None, _)"], "Nil"),
        (["S(S(S(Z)))", "S(S(Z))", "S(Z)", "Z"], "S(S(S(S(_))))"),
    ],
)
def test_smallest_missing_value(patterns, missing):
    assert uncovered(*match_of(*patterns)) == missing
    assert missing is None or not has_an_arm_for_each(*match_of(*patterns))


@pytest.mark.parametrize(
    ("patterns", "useless"),
    [
        (["%v", "Cons(%h, %t)", "Nil"], [1, 2]),
        (["Nil", "Cons(_, _)", "_"], [2]),
        (["Nil", "Nil", "_"], [1]),
        (["Cons(_, Nil)", "Nil", "Cons(_, _)"], []),
        (["Cons(_, Nil)", "Cons(_, Cons(_, _))", "Cons(_, _)", "Nil"], [2]),
        (["(Nil, _)", "(_, Nil)", "(Nil, Nil)"], [2]),
        (["(Red, _)", "(Green, _)", "(_, Red)", "(Blue, _)", "_"], [4]),
        (["(%a, %b)", "_"], [1]),
        ([], []),
    ],
)
def test_unreachable_arms(patterns, useless):
    match, module = match_of(*patterns)
    assert not (useless and has_an_arm_for_each(match, module))
    assert [match.clauses.index(clause) for clause in unreachable(match, module)] == useless


@pytest.mark.parametrize(
    ("patterns", "is_so"),
    [
        (["Cons(%h, _)", "Nil"], True),
        (["Nil", "Cons(_, %t)"], True),
        (["Blue", "Red", "Green"], True),
        (["Cons(_, _)"], False),
        (["Cons(_, _)", "Nil", "Nil"], False),
        (["Cons(_, _)", "_"], False),
        (["Cons(_, Nil)", "Nil"], False),
        (["Cons(_)", "Nil"], False),
        (["Cons(_, _)", "None"], False),
        (["(_, _)"], False),
        ([], False),
    ],
)
def test_one_arm_for_each_constructor_is_seen_at_a_glance(patterns, is_so):
    match, module = match_of(*patterns)
    assert has_an_arm_for_each(match, module) is is_so
    if is_so:
        assert uncovered(match, module) is None
        assert unreachable(match, module) == []


@pytest.mark.parametrize(
    "patterns",
    [
        ["Cons(_)", "Nil"],
        ["Cons(_, _, _)", "Nil"],
        ["Cons", "Nil(_)"],
        ["Nil", "Z", "(Nil, Nil)", "Cons(_, _)"],
        ["(Nil, _)", "(Nil, _, _)", "Z"],
        ["Cons(Z, _)", "Cons(Red, _)", "Nil"],
    ],
)
def test_ill_formed_patterns_are_no_accident(patterns):
    match, module = match_of(*patterns)
    witness = uncovered(match, module)
    assert witness is None or isinstance(witness, str)
    assert set(unreachable(match, module)) <= set(match.clauses)


@pytest.mark.parametrize(
    ("data", "patterns"),
    [
        ("List[int8]", ["Some(_)", "Nil"]),
        ("List[int8]", ["Cons(_, _)", "Cons"]),
        ("List[int8]", ["Cons(_)", "Nil"]),
        ("List[Colour]", ["Cons(Red, _)", "Cons(Z, _)", "Cons(Blue, _)", "Nil"]),
        ("(int8, Colour)", ["(_, Red)", "(_, Green)", "Blue"]),
        ("(Colour, nat)", ["(Red, _)", "(Green, _)", "(Blue, Z)", "(Blue, Some(_))"]),
    ],
)
def test_what_a_wrong_pattern_does_not_take_is_no_fault_of_its_own(data, patterns):
    """The match was not exhaustive, besides: the right pattern takes what is missing."""
    arms = ", ".join(f"{pattern} => 1" for pattern in patterns)
    (found,) = relaylogic.infer(f"{TYPES} def @f(%x: {data}) {{ match (%x) {{ {arms} }} }}").errors
    assert "not exhaustive" not in found.message


@pytest.mark.parametrize("patterns", [["Red", "Z"], ["Cons(_, Nil)", "Some(_)"], ["(_, Red)", "Blue"]])
def test_patterns_that_contradict_each_other_may_take_anything(patterns):
    match, module = match_of(*patterns)
    assert uncovered(match, module, wild=contradictory(match)) is None
    assert uncovered(match, module) is not None


def test_types_without_a_definition():
    alien = Constructor("Alien", (), GlobalTypeVar("Nowhere"))
    match = Match(Var("x"), [Clause(PatternConstructor(alien), Tuple([]))])
    assert uncovered(match, IRModule()) == "_"
    assert unreachable(match, IRModule()) == []


def test_deep_patterns():
    depth = 20_000
    module = parse(TYPES)
    cons, nil = module.get_constructor("Cons"), module.get_constructor("Nil")
    pattern = PatternConstructor(nil)
    for _ in range(depth):
        pattern = PatternConstructor(cons, [PatternWildcard(), pattern])
    arms = [
        Clause(pattern, Tuple([])),
        Clause(PatternConstructor(nil), Tuple([])),
        Clause(pattern, Tuple([])),
    ]
    match = Match(Var("x"), arms)
    assert uncovered(match, module) == "Cons(_, Nil)"
    assert unreachable(match, module) == arms[2:]


def test_a_wide_match():
    names = [f"C{index}" for index in range(400)]
    arms = ", ".join(f"{name} => 0" for name in names)
    module = parse(f"type Many {{ {', '.join(names)} }} def @f(%x) {{ match (%x) {{ {arms} }} }}")
    assert uncovered(module["f"].body, module) is None
    assert unreachable(module["f"].body, module) == []


def test_a_limit_is_neither_covered_nor_missing():
    """Arm i asks for Red at place i and anything elsewhere: the states of a search are the sets of places."""
    places = 18
    arms = [f"({', '.join('Red' if i == j else '_' for j in range(places))})" for i in range(places)]
    pairs = [
        f"({', '.join('Green' if j in (i, i + 1) else '_' for j in range(places))})"
        for i in range(places - 1)
    ]
    match, module = match_of(*arms, *pairs)
    with pytest.raises(CoverageLimit, match="too many"):
        uncovered(match, module, rows=300)
    with pytest.raises(CoverageLimit):
        unreachable(match, module, rows=300)
    assert uncovered(match, module) is not None


# ---- brute force: ground values of small depth, tried on the patterns one by one


def values(kind: str, depth: int):
    """All values at most `depth` deep, as nested (constructor's name or "", components); "?" is deeper."""
    if depth == 0:
        return ["?"]
    forms = {"nat": [("Z", []), ("S", ["nat"])], "Colour": [("Red", []), ("Green", []), ("Blue", [])]}
    forms["list"] = [("Nil", []), ("Cons", ["nat", "list"])]
    forms["pair"] = [("", ["list", "Colour"])]
    return [
        (name, parts)
        for name, fields in forms[kind]
        for parts in itertools.product(*(values(field, depth - 1) for field in fields))
    ]


def takes(pattern, value) -> bool:
    if isinstance(pattern, (PatternWildcard, PatternVar)):
        return True
    name = pattern.constructor.name_hint if isinstance(pattern, PatternConstructor) else ""
    return value != "?" and value[0] == name and all(map(takes, pattern.patterns, value[1]))


def random_pattern(random_: random.Random, kind: str, depth: int) -> str:
    if depth == 0 or random_.random() < 0.3:
        return "_"
    if kind == "Colour":
        return random_.choice(["Red", "Green", "Blue"])
    fields = {"nat": ["Z", "S"], "list": ["Nil", "Cons"], "pair": [""]}
    name = random_.choice(fields[kind])
    parts = {"S": ["nat"], "Cons": ["nat", "list"], "": ["list", "Colour"]}.get(name)
    if parts is None:
        return name
    return f"{name}({', '.join(random_pattern(random_, part, depth - 1) for part in parts)})"


@together("seed", range(150))
def test_agrees_with_brute_force(seed):
    random_ = random.Random(seed)
    kind = random_.choice(["list", "pair"])
    match, module = match_of(*(random_pattern(random_, kind, 3) for _ in range(random_.randrange(1, 7))))
    # Patterns are at most 3 deep, so that a value cut off at depth 4 shows all that they look at.
    universe = values(kind, 4)
    reached = [
        next((i for i, c in enumerate(match.clauses) if takes(c.lhs, value)), None) for value in universe
    ]
    witness = uncovered(match, module)
    assert (witness is None) is (None not in reached)
    assert [match.clauses.index(c) for c in unreachable(match, module)] == sorted(
        set(range(len(match.clauses))) - set(reached)
    )
    assert not has_an_arm_for_each(match, module) or reached.count(None) == 0 == len(unreachable(match, module))
    if witness is not None:
        pattern = match_of(witness)[0].clauses[0].lhs
        assert all(arm is None for value, arm in zip(universe, reached, strict=True) if takes(pattern, value))


def test_a_match_that_is_given_up_stays_so_when_types_are_widened(monkeypatch):
    monkeypatch.setattr("relaylogic.infer.patterns.uncovered", partial(uncovered, rows=0))
    text = """
        def @main(%c: bool, %x: Tensor[(3), int8], %y: Tensor[(?), int8], %p: (int8, int8)) {
          let %z = if (%c) { %x } else { %y };
          (match (%p) { (%a, %b) => %a }, %z)
        }"""
    result = relaylogic.infer(text)
    assert result.verdict == "unknown" and "too many" in result.residue[-1].limit
