"""Programs and the documents' examples, as TVM 0.14 judges them; differences on purpose are in deviations.toml."""

from __future__ import annotations

import random

import pytest

import relaylogic
from relaylogic.ir import IRModule
from relaylogic.text import ParseError
from tests.conformance.programs import check, difference, lines, outcome
from tests.effort import some

BLAMED = 0.94
SHARE = 3
"""Of the planted faults, every third is looked for: blame asks what-if questions."""


@pytest.mark.parametrize("kind", ["programs", "doc_examples"])
def test_every_program_agrees_or_is_a_listed_deviation(kind):
    found = {entry["id"]: difference(entry, entry["text"]) for entry in lines(kind)}
    check(kind, {name: what for name, what in found.items() if what})


def test_programs_that_kill_tvm_are_judged_by_the_book():
    found = {
        entry["id"]: difference({**entry, "verdict": entry["expected"]}, entry["text"]) for entry in lines("crashes")
    }
    check("crashes", {name: what for name, what in found.items() if what})


def test_the_first_error_points_at_the_planted_fault(record_property):
    planted = [e for e in lines("programs") if e["verdict"] == "refuted" and e.get("fault")]
    planted = some(planted[::SHARE], 12)
    hits = sum(first_line(entry["text"]) == entry["fault"]["line"] for entry in planted)
    record_property("told", f"programs: the first error is at the planted line in {hits} of {len(planted)}")
    assert hits >= BLAMED * len(planted)


def first_line(text):
    """The line that our first error points at, None if there is none."""
    verdict, result = outcome(text)
    if verdict == "parse-error":
        return result.span.line
    return result.errors[0].line if result.errors else None


def test_the_order_of_functions_does_not_matter():
    shuffle = random.Random(0)
    for entry in some(lines("programs")):
        if entry["text"].count("def @") < 2:
            continue
        try:
            module = relaylogic.parse(entry["text"])
        except ParseError:
            continue
        items = list(module.functions.items())
        shuffle.shuffle(items)
        permuted = IRModule(dict(items), module.type_definitions)
        first, second = relaylogic.infer(module), relaylogic.infer(permuted)
        assert first.verdict == second.verdict, entry["id"]
        types = [{name: str(t) for name, t in r.functions.items()} for r in (first, second)]
        assert first.verdict == "refuted" or types[0] == types[1], entry["id"]
