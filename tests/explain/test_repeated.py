"""A match that takes one value twice and another one not at all: the arm is blamed where the other one is meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import relaylogic
from relaylogic.explain.blame.pattern_parts import all_parts, with_part
from relaylogic.explain.blame.repeated import repeated
from relaylogic.infer.checks.coverage import missed, unreachable
from relaylogic.ir import PatternWildcard
from tests.effort import examples
from tests.explain.test_narrow import match_of, matches


@settings(max_examples=examples(200))
@given(matches())
def test_a_constructor_that_is_offered_gives_each_value_an_arm_and_each_arm_a_value(patterns):
    match, module = match_of(patterns)
    found = repeated(match, module)
    assert not found or unreachable(match, module)
    for part, meant in found:
        span, start = part.span, match.clauses[0].lhs.span.source.text.index("match (%x) {")
        text = (
            span.source.text[: span.start]
            + meant.name_hint
            + span.source.text[span.start + len(part.constructor.name_hint) :]
        )
        assert start < span.start
        changed = relaylogic.parse(text)
        assert missed(changed["f"].body, changed) is None
        assert not unreachable(changed["f"].body, changed)


@settings(max_examples=examples(100))
@given(matches())
def test_a_part_that_is_put_where_it_was_changes_nothing(patterns):
    match, _ = match_of(patterns)
    for clause in match.clauses:
        for path, part in all_parts(clause.lhs):
            again = with_part(clause.lhs, path, part)
            assert [p.span for _, p in all_parts(again)] == [p.span for _, p in all_parts(clause.lhs)]
            wider = dict(all_parts(with_part(clause.lhs, path, PatternWildcard())))
            assert type(wider[path]) is PatternWildcard


@pytest.mark.parametrize(
    ("arms", "line"),
    [
        (["Red", "Blue", "Blue"], 4),
        (["Red", "Green", "Green"], 5),
        (["Red", "Red", "Blue"], 4),
        (["Blue", "Blue", "Red"], 4),
    ],
)
def test_the_error_is_at_the_arm_that_stands_where_the_missed_constructor_does(arms, line):
    numbered = "".join(f"    {arm} => {number},\n" for number, arm in enumerate(arms))
    text = f"type Colour {{ Red, Green, Blue, }}\ndef @main(%c: Colour) -> int32 {{ match (%c) {{\n{numbered}  }} }}"
    (error,) = relaylogic.infer(text).errors
    (fix,) = error.fixes
    assert (error.line, [label.message for label in error.related]) == (line, ["the match ends here"])
    assert relaylogic.infer(text[: fix.span.start] + fix.text + text[fix.span.end :]).verdict == "typed"


def test_an_arm_whose_variables_would_have_other_types_is_not_meant():
    text = """type Either { Left(int32), Right(float32), }
def @main(%e: Either) -> int32 { match (%e) {
    Left(%a) => %a,
    Left(%b) => %b,
  } }"""
    (error,) = relaylogic.infer(text).errors
    assert (error.line, error.fixes) == (5, ())
