"""What two terms have in common."""

from __future__ import annotations

from relaylogic.logic.antiunify import generalise
from relaylogic.logic.terms import cons, slot

NEW = 100


def test_open_lists_have_the_first_elements_that_both_begin_with():
    one = cons((1, slot(0)), slot(1))
    other = cons((1, 2, slot(0)), slot(2))
    (found,) = generalise((one,), (other,), NEW)
    assert found == cons((1, slot(NEW)), slot(NEW + 1))
    assert generalise((other,), (one,), NEW) == (cons((1, slot(NEW)), slot(NEW + 1)),)


def test_what_differs_alike_in_two_lists_is_one_thing():
    one, other = cons((slot(0),), slot(1)), cons((slot(0), slot(2)), slot(1))
    first, second = generalise((one, one), (other, other), NEW)
    assert first == second == cons((slot(0),), slot(NEW))


def test_a_list_that_is_known_and_an_open_one_have_nothing_in_common():
    assert generalise(((1, 2),), (cons((1,), slot(0)),), NEW) == (slot(NEW),)
