"""Faults that are planted in networks just now, alone and in pairs, are found where they are planted."""

from __future__ import annotations

import pytest

from relaylogic.explain.blame.ranking import DOUBTS
from tests.conformance.planted import LARGEST, doubts, found, fresh, fresh_in_written, mistakes, pairs
from tests.effort import examples

SEED = 3
"""Neither that of the faults that the weights are fitted to, nor that of the command."""
LONGEST = examples(LARGEST, 20)
"""Networks whose text has more characters are not planted in: in a usual run, 54 of the 138 are left out."""
SHORT = LARGEST // 60
"""What is diagnosed nine times is a small network."""


def test_a_fresh_fault_is_found_and_is_alone():
    answers = [answer for answer in map(found, fresh(examples(25), SEED, LONGEST)) if answer is not None]
    assert sum(answer.first for answer in answers) >= 0.8 * len(answers)
    assert all(answer.conflict for answer in answers)
    assert sum(answer.errors == 1 for answer in answers) >= 0.9 * len(answers)


def test_a_fault_in_a_program_as_users_write_them_is_found():
    answers = [answer for answer in map(found, fresh_in_written(examples(12), SEED)) if answer is not None]
    assert sum(answer.first for answer in answers) >= 0.75 * len(answers)
    assert sum(answer.errors == 1 for answer in answers) >= 0.75 * len(answers)


@pytest.mark.parametrize("case", mistakes(), ids=lambda case: case.name)
def test_a_mistake_as_people_make_it_is_found(case):
    """The first error is in its line, and the only one but for another fault."""
    first, conflict, errors = found(case)
    assert first and conflict
    assert errors == 1 or "another fault" in case.text


def test_of_two_independent_faults_both_are_found():
    answers = list(pairs(examples(12, 2), SEED, LONGEST))
    # A few draws: of hundreds, `--pairs` tells more.
    assert sum(answer.both for answer in answers) >= 0.75 * len(answers)
    assert sum(answer.errors <= 2 for answer in answers) >= 0.9 * len(answers)


def test_other_doubts_are_measured_beside_those_that_are_used():
    rows = list(doubts(1, SEED, SHORT))
    assert len(rows) == 1 + 2 * len(DOUBTS)
    answers = list(pairs(1, SEED, SHORT))
    assert rows[0] == ("as they are", sum(a.both for a in answers), sum(a.errors > 2 for a in answers))
