"""A relation that is asked with the extents of its result left open: these are held against the given ones at once."""

from __future__ import annotations

import pytest

from relaylogic.infer.callsite import loosened
from relaylogic.logic.terms import canonical, fresh
from relaylogic.rulebase import load_rules
from relaylogic.types import TensorType, TypeVar


@pytest.mark.parametrize("first", [1, 2])
def test_what_no_extent_of_the_result_agrees_with_is_refused_in_few_steps(first):
    """All results were listed first: 200,000 steps did not do."""
    rules = load_rules()
    shape = (first, TypeVar("d", "ShapeVar"), 4, 5, 6)
    asked = (TensorType(shape, "bool"), fresh(), TensorType(shape), TensorType((2, 3, 4, 5, 6)))
    solution = rules.solve(rules.relation("Where"), canonical(asked, {}), None, loosened)
    assert solution.exhausted and not solution.answers
