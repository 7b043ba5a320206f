"""What two terms have in common."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from relaylogic.logic.search.antiunify import generalise
from relaylogic.logic.search.search import Answer, of_answers
from relaylogic.logic.search.sketch import FAR, says_no_more
from relaylogic.logic.terms.numbers import UNKNOWN
from relaylogic.logic.terms.rebuilding import reify_slots
from relaylogic.logic.terms.terms import Slot, cons, slot
from relaylogic.types import TensorType, TupleType

NEW = 100
OPEN = tuple(map(slot, range(4)))
ASKED = ((OPEN[0], 7), (OPEN[1], OPEN[0]), cons((OPEN[2],), OPEN[3]), slot(4))
"""A call of which the result, the last, is not known either."""


def test_open_lists_have_the_first_elements_that_both_begin_with():
    one = cons((1, slot(0)), slot(1))
    other = cons((1, 2, slot(0)), slot(2))
    (found,) = generalise((one,), (other,), NEW)
    assert found == cons((1, slot(NEW)), slot(NEW + 1))
    assert generalise((other,), (one,), NEW) == (cons((1, slot(NEW)), slot(NEW + 1)),)


def test_extents_of_which_nothing_is_known_are_not_one_thing():
    """`?` is any number, each time another: that the others are equal says nothing."""
    assert generalise(((UNKNOWN, UNKNOWN),), ((1, 1),), NEW) == ((slot(NEW), slot(NEW + 1)),)
    (found,) = generalise((((1, UNKNOWN), (1, UNKNOWN)),), (((2, 3), (2, 3)),), NEW)
    assert found == ((slot(NEW), slot(NEW + 1)), (slot(NEW), slot(NEW + 2)))
    one, other = TensorType((UNKNOWN, 2), "int8"), TensorType((1, 2), "int8")
    (found,) = generalise((TupleType((one, one)),), (TupleType((other, other)),), NEW)
    assert [field.shape for field in found.fields] == [(slot(NEW), 2), (slot(NEW + 1), 2)]


def test_doubled_types_with_extents_of_which_nothing_is_known_are_generalised_soon():
    one, other = TensorType((UNKNOWN,), "int8"), TensorType((1,), "int8")
    for _ in range(60):
        one, other = TupleType((one, one)), TupleType((other, other))
    (found,) = generalise((one,), (other,), NEW)
    assert found.fields[0] is not found.fields[1]


def test_what_differs_alike_in_two_lists_is_one_thing():
    one, other = cons((slot(0),), slot(1)), cons((slot(0), slot(2)), slot(1))
    first, second = generalise((one, one), (other, other), NEW)
    assert first == second == cons((slot(0),), slot(NEW))


def test_a_list_that_is_known_and_an_open_one_have_nothing_in_common():
    assert generalise(((1, 2),), (cons((1,), slot(0)),), NEW) == (slot(NEW),)


@st.composite
def instances(draw):
    """What an answer may say: what some open ones are, in numbers, new ones or others that stay open."""
    told = draw(st.lists(st.sampled_from(OPEN), unique=True, max_size=4))
    left = [place for place in OPEN if place not in told]
    values = st.sampled_from([1, 7, slot(5), *left])
    known = {place: () if place is OPEN[3] and draw(st.booleans()) else draw(values) for place in told}
    known[slot(4)] = (draw(values), draw(values))
    return reify_slots(ASKED, known)


@given(st.lists(instances(), min_size=1, max_size=4))
def test_what_answers_agree_on_speaks_of_what_was_asked(answers):
    """A slot stood for what they say no more of, and a variable was made for it and bound in each call."""
    common = reduce(lambda a, b: generalise(a, b, FAR), answers)
    found = of_answers([Answer(terms, "", ()) for terms in answers], ASKED).general
    assert says_no_more(found, common) and says_no_more(common, found)
    for asked, place in zip(ASKED[0] + ASKED[1], found[0] + found[1], strict=True):
        assert type(asked) is not Slot or type(place) is not Slot or place.args[0] < FAR


def test_what_is_shared_with_a_part_that_stays_as_it_was_is_more_than_was_asked():
    """A dtype that two tensors have in common was taken for one of its own where the first was as it was asked."""
    first = TensorType((slot(0),), slot(1))
    asked, common = (first, TensorType((), slot(2))), (first, TensorType((), slot(1)))
    assert not says_no_more(common, asked)
    answers = [Answer((first, TensorType((), dtype), end), "", ()) for dtype, end in ((slot(1), 1), (slot(1), 2))]
    assert of_answers(answers, (*asked, slot(3))).general == (*common, slot(3))
