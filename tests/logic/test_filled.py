"""Answers are put together from the picks on their walks."""

import pytest

from relaylogic.logic.circuits.circuit import Alternative, Filled
from relaylogic.logic.terms.terms import slot, variables_of
from relaylogic.logic.terms.variables import VARIABLES
from relaylogic.types import TensorType, TupleType

DEEP = 10_000


def wrapping(term, *last):
    """A walk on which each pick stands within the one before."""
    return (*[Alternative((term,), ((None, (0,)),), (), 1) for _ in range(DEEP)], *last)


def depth(term, inner):
    found = 0
    while (below := inner(term)) is not None:
        term, found = below, found + 1
    return found, term


def test_what_stays_open_is_one_variable_wherever_it_stands():
    pick = Alternative((slot(0), TensorType((slot(0), 3, slot(1)), "int8"), slot(1), slot(0)), ((None, (1,)),), (), 2)
    first, tensor, second, third = Filled((pick, (4,)), 4).terms
    assert type(first) in VARIABLES and third is first
    assert (tensor, second) == (TensorType((first, 3, 4), "int8"), 4)


def test_parts_give_the_values_of_their_slots_in_the_order_of_the_walk():
    inner = Alternative(((slot(0), 5),), ((None, (0,)),), (), 1)
    outer = Alternative((slot(1), TupleType((slot(0),)), slot(2)), ((None, (1, 2)), (None, (0,))), (), 3)
    assert Filled((outer, ("int8", None), inner, (7,)), 3).terms == ("int8", TupleType(((7, 5),)), None)


@pytest.mark.parametrize("last", [(TensorType((2,), "int8"),), Alternative((slot(0),), (), (), 1)])
def test_deep_types_are_put_together(last):
    (found,) = Filled(wrapping(TupleType((slot(0),)), last), 1).terms
    levels, inside = depth(found, lambda term: term.fields[0] if type(term) is TupleType else None)
    assert levels == DEEP
    assert variables_of(found) == ([] if type(last) is tuple else [inside])


def test_deep_lists_are_put_together():
    (found,) = Filled(wrapping((slot(0), 3), (2,)), 1).terms
    assert depth(found, lambda term: term[0] if type(term) is tuple else None) == (DEEP, 2)
