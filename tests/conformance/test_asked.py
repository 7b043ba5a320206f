"""Attributes are asked for from the types of measured calls."""

from __future__ import annotations

from tests.conformance.asked import HEAD, TABLE, rows
from tests.conformance.facts import facts
from tests.effort import some


def test_the_table_of_attributes_that_can_be_asked_for_is_true():
    head, *written = TABLE.read_text(encoding="utf-8").splitlines()
    names = some(sorted(facts()), 6)
    assert head == HEAD and {line.partition("\t")[0] for line in written} <= facts().keys()
    assert [*rows(names)] == [line for line in written if line.partition("\t")[0] in names], (
        "python -m tests.conformance.asked writes it"
    )


def test_of_nearly_all_operators_an_attribute_can_be_asked_for():
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    assert len(rows) > 190
    assert sum(bool(covered) for _, covered, _ in rows) >= 0.95 * len(rows)
    asked = sum(len(covered.split(", ")) for _, covered, _ in rows if covered)
    others = sum(others.count("(") for _, _, others in rows)
    assert asked >= 0.85 * (asked + others)
