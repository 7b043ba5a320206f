"""A rule that compares a shape or a dtype as a number is told so; what a call gives as such is just refused."""

from __future__ import annotations

import pytest

from relaylogic.logic import conde, eq, fresh, lall, leo, neq, plus
from relaylogic.logic.terms.mistakes import RuleError
from relaylogic.rulebase import RuleBase, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType


def compares(goal):
    """A relation of one clause: of a tensor's shape, extent and dtype, and of whatever else is given."""

    @relation
    def Compares(data, other):
        """Compares them."""

    @Compares.clause
    def as_numbers(data, other):
        shape, extent, dtype = fresh(3)
        return lall(eq(data, Tensor(shape, dtype)), eq(shape, (extent,)), goal(shape, extent, dtype, other))

    return Compares


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (lambda s, n, t, other: neq(s, s), r"\(3,\), a list"),
        (lambda s, n, t, other: leo(plus(s, 1), n), r"\(3,\), a list"),
        (lambda s, n, t, other: leo(n, t), "'int8', a text"),
        (lambda s, n, t, other: conde([leo(t, 3)], [leo(n, 2)]), "'int8', a text"),
    ],
)
def test_a_part_of_a_type_that_is_no_number_is_a_mistake_of_the_rule(goal, said):
    with pytest.raises(RuleError, match=rf"`Compares`.*{said}, is compared as a number.*clause `as_numbers`"):
        RuleBase().solve_terms(compares(goal), (Tensor((3,), "int8"), 3))


@pytest.mark.parametrize("other", [(1, 2), (3,), "int8", "a", Tensor((3,)), TupleType(())])
def test_what_a_call_gives_is_just_refused(other):
    made = compares(lambda s, n, t, other: leo(n, other))
    assert RuleBase().solve_terms(made, (Tensor((3,), "int8"), other)).answers == ()
    assert RuleBase().solve_terms(made, (Tensor((3,), "int8"), 3)).answers
