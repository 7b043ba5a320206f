"""A match that misses a value since one of its arms is too narrow: that arm is blamed, and what is said of it holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.blame.narrow import too_narrow
from relaylogic.infer.checks.coverage import Form, missed, uncovered, unreachable
from relaylogic.text import parse
from tests.effort import examples

TYPES = "type nat { Z, S(nat), } type Colour { Red, Green, Blue, } type List { Nil, Cons(nat, List), }"
FORMS = {
    "nat": [("Z", ()), ("S", ("nat",))],
    "Colour": [("Red", ()), ("Green", ()), ("Blue", ())],
    "List": [("Nil", ()), ("Cons", ("nat", "List"))],
}


def match_of(patterns, bodies=None):
    """A match of three values, and its module."""
    arms = ", ".join(f"{p} => {b}" for p, b in zip(patterns, bodies or range(len(patterns)), strict=True))
    module = parse(f"{TYPES} def @f(%x: (nat, Colour, List)) {{ match (%x) {{ {arms} }} }}")
    return module["f"].body, module


@st.composite
def patterns_of(draw, kind, depth):
    """A pattern of a type as text."""
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return "_"
    name, parts = draw(st.sampled_from(FORMS[kind]))
    inner = [draw(patterns_of(part, depth - 1)) for part in parts]
    return f"{name}({', '.join(inner)})" if inner else name


@st.composite
def matches(draw):
    """Patterns of the arms of a match."""
    return [
        f"({', '.join(draw(patterns_of(kind, 2)) for kind in ('nat', 'Colour', 'List'))})"
        for _ in range(draw(st.integers(1, 5)))
    ]


def text_of(form: Form) -> str:
    parts = ", ".join(map(text_of, form.parts))
    if not form.name:
        return f"({parts}{',' if len(form.parts) == 1 else ''})"
    return f"{form.name}({parts})" if form.parts else form.name


@settings(max_examples=examples(300))
@given(matches())
def test_what_is_missed_is_the_value_that_is_told(patterns):
    match, module = match_of(patterns)
    value = missed(match, module)
    assert (None if value is None else text_of(value)) == uncovered(match, module)


@settings(max_examples=examples(300))
@given(matches())
def test_an_arm_that_is_blamed_makes_the_match_exhaustive_and_leaves_the_others_something(patterns):
    match, module = match_of(patterns)
    found = too_narrow(match, module)
    if found is None:
        return
    clause, parts = found
    arm = [c is clause for c in match.clauses].index(True)
    offset = clause.lhs.span.start
    text = patterns[arm]
    for part in sorted(parts, key=lambda part: -part.span.start):
        text = text[: part.span.start - offset] + "_" + text[part.span.end - offset :]
    wider, its_module = match_of([*patterns[:arm], text, *patterns[arm + 1 :]])
    assert uncovered(match, module) is not None
    assert uncovered(wider, its_module) is None
    assert len(unreachable(wider, its_module)) <= len(unreachable(match, module))


@pytest.mark.parametrize(
    ("patterns", "blamed"),
    [
        (["(Z, Red, _)", "(_, Blue, _)", "(_, Green, _)", "(S(_), Red, Nil)"], None),
        (["(Z, Red, Cons(_, _))", "(_, Blue, _)", "(_, Green, _)", "(S(_), Red, _)", "(Z, Red, Nil)"], None),
        (["(Z, Red, Cons(_, _))", "(_, Blue, _)", "(_, Green, _)", "(_, Red, Nil)"], "Nil"),
        (["(Z, _, _)"], None),
        (["(Z, _, _)", "(S(_), Red, _)", "(S(_), Blue, _)"], None),
        (["(Z, Green, _)", "(S(_), Red, _)", "(S(_), Green, _)", "(_, Blue, _)", "(_, Red, Nil)", "(_, _, Nil)"], None),
    ],
)
def test_which_arm_is_too_narrow(patterns, blamed):
    match, module = match_of(patterns)
    found = too_narrow(match, module)
    assert (None if found is None else [part.span.text for part in found[1]]) == (
        blamed if blamed is None else [blamed]
    )


def test_a_part_that_binds_what_the_arm_uses_is_none():
    patterns = ["(S(%n), Red, _)", "(Z, Red, Nil)", "(_, Blue, _)", "(_, Green, _)"]
    missing_z = [*patterns, "(Z, _, Cons(S(%m), Cons(Z, _)))", "(Z, _, Cons(_, Nil))"]
    match, module = match_of([*missing_z, "(Z, _, Cons(Z, _))"], ["%n", "Z", "Z", "Z", "Z", "Z", "Z"])
    assert [part.span.text for part in too_narrow(match, module)[1]] == ["Z"]
    match, module = match_of([*missing_z, "(Z, _, Cons(Z, _))"], ["%n", "Z", "Z", "Z", "%m", "Z", "Z"])


def test_the_error_is_at_the_arm_and_its_fix_makes_the_match_exhaustive():
    text = f"""{TYPES}
def @main(%a: List, %b: List) -> nat {{
  match ((%a, %b)) {{
    (Cons(%x, _), Cons(_, _)) => %x,
    (Nil, _) => Z,
  }}
}}"""
    (error,) = relaylogic.infer(text).errors
    assert (error.line, error.col) == (5, 6)
    assert error.hints == ("the match is exhaustive with `_` here",)
    assert [label.message for label in error.related] == ["the match ends here"]
    (fix,) = error.fixes
    assert relaylogic.infer(text[: fix.span.start] + fix.text + text[fix.span.end :]).verdict == "typed"


def test_where_an_arm_is_missing_the_error_is_at_the_end():
    (error,) = relaylogic.infer(f"{TYPES}\ndef @main(%a: nat) {{\n  match (%a) {{\n    S(_) => 1,\n  }}\n}}").errors
    assert (error.line, error.hints, error.fixes) == (5, (), ())
