"""Networks with one planted fault: they are judged as measured, and the first error points at the fault."""

from __future__ import annotations

from tests.conformance.programs import check, difference, lines, listed_deviations, mutated
from tests.conformance.test_programs import first_line
from tests.effort import examples, some

BLAMED = 0.9
SHARE = 6
"""Of the planted faults, every sixth is looked for: each asks many what-if questions of a whole network."""
LONGEST = examples(10**6, 300)
"""In a usual run, not in networks of more characters."""


def test_every_mutant_has_the_measured_verdict_or_is_a_listed_deviation():
    found, listed = {}, listed_deviations("mutants")
    judged = {entry["id"] for entry in some(lines("mutants"), 6)} | listed.keys()
    for entry in (entry for entry in lines("mutants") if entry["id"] in judged):
        expected = {**entry, "types": {}, "calls": None} if entry["verdict"] == "typed" else entry
        found[entry["id"]] = difference(expected, mutated(entry))
    check("mutants", {name: what for name, what in found.items() if what})


def test_the_first_error_points_at_the_planted_fault(record_property):
    planted = [e for e in lines("mutants") if e["verdict"] == "refuted" and e.get("fault")]
    planted = [entry for entry in some(planted[::SHARE]) if len(mutated(entry)) <= LONGEST]
    hits = sum(first_line(mutated(entry)) == entry["fault"]["line"] for entry in planted)
    record_property("told", f"mutants: the first error is at the planted line in {hits} of {len(planted)}")
    assert hits >= BLAMED * len(planted)
