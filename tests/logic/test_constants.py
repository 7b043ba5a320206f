"""Constants are one if they are of one class and written alike: `True` is not `1`, although Python finds them equal.

What was asked of the one before must not answer for the other: not among terms that are made once, not in the tables of
calls, not among the answers that were found already.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic import relay
from relaylogic.logic import State, eq, fresh, lall
from relaylogic.logic.exact import exact
from relaylogic.logic.search.antiunify import generalise
from relaylogic.logic.terms.rebuilding import reify_term
from relaylogic.logic.terms.terms import cons
from relaylogic.rulebase import Attrs, Relation, load_rules
from tests.effort import examples

CONSTANTS = [0, False, 0.0, -0.0, 1, True, 1.0, 2, 2.0, float("nan"), "a", None]
VALUES = ["true", "1", "false", "0", "none", '"a"', "2"]

terms = st.recursive(st.sampled_from(CONSTANTS), lambda part: st.lists(part, max_size=3).map(tuple), max_leaves=6)


def written(term: Any) -> str:
    """What tells a constant, or a list of some, from all others."""
    return f"({' '.join(map(written, term))})" if type(term) is tuple else f"{type(term).__name__} {term!r}"


@settings(max_examples=examples(500))
@given(terms, terms)
def test_keys_terms_attributes_and_unification_tell_the_same_constants_apart(one, other):
    same = written(one) == written(other)
    assert (exact((one,)) == exact((other,))) is same
    tail = fresh()
    assert (cons((one,), tail) is cons((other,), tail)) is same
    assert (Attrs({"value": one}) == Attrs({"value": other})) is same
    assert bool(list(eq(one, other)(State()))) is same
    assert (written(generalise((one,), (other,), 0)) == written((one,))) is same


@given(terms)
def test_terms_are_made_of_what_is_given_whatever_else_was_made(term):
    tail = fresh()
    held = [cons((constant,), tail) for constant in CONSTANTS]
    element = fresh()
    made = [reify_term(cons((element,), tail), {element: constant}) for constant in CONSTANTS]
    assert all(a is b for a, b in zip(held, made, strict=True))
    assert [written(one.prefix) for one in held] == [written((constant,)) for constant in CONSTANTS]
    assert written(cons((term,), tail).prefix) == written((term,))


@pytest.mark.parametrize("seed", range(4))
def test_relations_hold_of_their_constants_whichever_was_asked_of_before(seed):
    """A relation of facts, asked of each constant in a random order: once directly, once below another relation."""
    random = Random(seed)
    rules = load_rules()
    for round_ in range(8):
        facts = random.sample(CONSTANTS, 5)
        holds = Relation(f"Holds{round_}", ("x",))
        below = Relation(f"Below{round_}", ("x", "y"))
        for number, fact in enumerate(facts):
            holds.clause(_named(f"fact{number}", lambda x, fact=fact: eq(x, fact)))
        below.clause(_named("both", lambda x, y, holds=holds: lall(holds(x), holds(y))))
        known = set(map(written, facts))
        for constant in random.sample(CONSTANTS, len(CONSTANTS)):
            assert bool(rules.solve_terms(holds, (constant,)).answers) is (written(constant) in known)
            for other in random.sample(CONSTANTS, 4):
                answers = rules.solve_terms(below, (constant, other)).answers
                assert len(answers) == (written(constant) in known and written(other) in known)
                assert all(written(answer.terms) == written((constant, other)) for answer in answers)


def _named(name, build):
    build.__name__ = name
    return build


RECURSIVE = """
Holds(1). Holds(true). Holds(0). Holds(false). Holds("a"). Holds(none).
Among(x, [x | s]).
Among(x, [y | s]) :- Among(x, s).
Leads(x, y) :- Leads(x, z), Holds(y).
Leads(x, x) :- Holds(x).
"""


@pytest.mark.parametrize("seed", range(3))
def test_queries_list_each_constant_once(seed, tmp_path):
    """Each of these questions, in a random order, with one rule base: against what the facts say."""
    (tmp_path / "holds.rel").write_text(RECURSIVE)
    rules = load_rules(tmp_path / "holds.rel")
    held = ["1", "true", "0", "false", '"a"', "none"]
    asked = [("Holds(x)", {f"x = {value}" for value in held})]
    asked += [(f"Holds({value})", {"true"} if value in held else set()) for value in VALUES]
    asked += [(f"Leads({value}, x)", {f"x = {other}" for other in held if value in held}) for value in held]
    asked += [("Leads(x, y)", {f"x = {a}, y = {b}" for a in held for b in held})]
    random = Random(seed)
    for _ in range(10):
        items = random.choices(VALUES, k=4)
        wanted = random.choice(VALUES)
        asked.append((f"Among(x, [{', '.join(items)}])", {f"x = {item}" for item in items}))
        asked.append((f"Among({wanted}, [{', '.join(items)}])", {"true"} if wanted in items else set()))
        a, b = random.sample(VALUES, 2)
        asked.append((f"x = [{a} | s], y = [{b} | s]", {f"x = [{a} | s], y = [{b} | s]"}))
        asked.append((f"x = [{a} | s], x = [{b} | s]", set()))
    random.shuffle(asked)
    for text, expected in asked:
        answers = [_in_brackets(str(answer)) for answer in relaylogic.query(text, rules=rules)]
        assert sorted(answers) == sorted(expected), text


def _in_brackets(answer: str) -> str:
    """An open list is written as a shape if it may be one."""
    return re.sub(r"\(([^,]+), \.\.\.(\w+)\)", r"[\1 | \2]", answer)


SHAPES = [True, 1, 1.0, (True,), (1,), (1.0,), False, 0, (False, 1), (0, True), (0, 1)]


def verdict_of_reshape(shape, rules):
    variable = relay.var("x")
    module = relaylogic.IRModule.from_expr(relay.reshape(variable, newshape=shape))
    result = relaylogic.infer(module, rules=rules)
    return result.verdict, [error.message for error in result.errors]


@pytest.fixture(scope="module")
def alone():
    """What is said of each shape by rules that were asked of no other."""
    return {repr(shape): verdict_of_reshape(shape, load_rules()) for shape in SHAPES}


@pytest.mark.parametrize("first", SHAPES, ids=repr)
def test_a_reshape_is_typed_as_its_own_shape_says_whatever_was_reshaped_before(first, alone):
    """`newshape=1` was refuted in a process that had met `newshape=True`."""
    rules = load_rules()
    verdict_of_reshape(first, rules)
    assert {repr(shape): verdict_of_reshape(shape, rules) for shape in SHAPES} == alone
    assert alone["True"] == alone["1"] == alone["(True,)"] == ("typed", [])
    assert alone["1.0"][0] == "refuted"


@pytest.mark.parametrize(
    "given, meant",
    [
        ("sum(%x, axis=True)", "sum(%x, axis=1)"),
        ("sum(%x, axis=[False])", "sum(%x, axis=[0])"),
        ("nn.pad(%x, 0, pad_width=[[True, 0], [0, False]])", "nn.pad(%x, 0, pad_width=[[1, 0], [0, 0]])"),
    ],
)
def test_a_truth_value_among_integers_is_the_number_that_it_is_to_python(given, meant):
    types = [
        relaylogic.infer(relaylogic.parse(f"def @main(%x: Tensor[(2, 3), int8]) {{ {call} }}")).functions["main"]
        for call in (given, meant)
    ]
    assert types[0] is types[1]
