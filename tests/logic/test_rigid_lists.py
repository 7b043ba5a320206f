"""Lists with a rigid end are put together and taken apart before it, whatever becomes known first."""

from itertools import product

import pytest

from relaylogic import run
from relaylogic.api import infer
from relaylogic.logic import (
    UNKNOWN,
    Cons,
    agree,
    appendo,
    cons,
    eq,
    fresh,
    lall,
    lany,
    leo,
    lto,
    mapo,
    neq,
    same_lengtho,
    widest,
)
from relaylogic.types import TypeVar

ENDS = TypeVar("s", "Shape"), TypeVar("u", "Shape")
KNOWN = [known for length in range(3) for known in product((1, 2), repeat=length)]
LISTS = [*KNOWN, *(cons(known, end) for known in KNOWN for end in ENDS)]


def appended():
    """The lists that two lists make up, of those that can be written."""
    closed = [(front, back, (*front, *back)) for front in KNOWN for back in KNOWN]
    ending = [(front, cons(back, end), cons((*front, *back), end)) for front in KNOWN for back in KNOWN for end in ENDS]
    before = [(cons(front, end), (), cons(front, end)) for front in KNOWN for end in ENDS]
    return [*closed, *ending, *before]


APPENDED = appended()


@pytest.mark.parametrize("given", [(0, 2), (1, 2), (2,), (0, 1)])
@pytest.mark.parametrize("late", [False, True])
def test_append_finds_what_can_be_written(given, late):
    for example in APPENDED:
        if example[2] not in LISTS:
            continue
        terms = fresh(3)
        said = [eq(terms[i], example[i]) for i in given]
        found = [a.term for a in run(0, terms, lall(*([appendo(*terms), *said] if late else [*said, appendo(*terms)])))]
        expected = {each for each in APPENDED if all(each[i] == example[i] for i in given)}
        assert len(found) == len(expected) and set(found) == expected, (example, found)


def rows(*lists):
    """The first elements of some lists with one end, the second ones ..., and an element of that end; None if these
    lists are not known to be equally long."""
    parted = [
        (items.prefix, items.tail) if type(items) is Cons else ((), items) for items in lists if items not in KNOWN
    ]
    if len(parted) < len(lists):
        return None if parted or len(set(map(len, lists))) > 1 else [*zip(*lists, strict=True)]
    if len({(len(prefix), end) for prefix, end in parted}) > 1:
        return None
    return [*zip(*(prefix for prefix, _ in parted), strict=True), *((any_, any_) for any_ in (1, 2, 7, UNKNOWN))]


@pytest.mark.parametrize("relate", [agree, leo, lto, neq, eq])
def test_what_holds_of_the_elements_of_lists_holds_of_any_of_a_rigid_end(relate):
    for a, b in product(LISTS, LISTS):
        pairs = rows(a, b)
        expected = pairs is not None and all(run(1, 1, relate(*pair)) for pair in pairs)
        assert bool(run(0, 1, mapo(relate, a, b))) == expected, (a, b)


def test_an_element_that_nobody_knows_may_be_one_that_a_relation_tells_apart():
    """It was taken to be none: what holds of all numbers but 7 held of all lists."""

    def is_not(element):
        return neq(element, 7)

    def is_9_or_not(element, other):
        return lany(lall(neq(element, 9), eq(element, other)), lall(eq(element, 9), eq(other, 9)))

    for items in LISTS:
        assert bool(run(0, 1, mapo(is_not, items))) == (items in KNOWN), items
        assert bool(run(0, 1, mapo(is_9_or_not, items, items))), items


@pytest.mark.parametrize("late", [False, True])
def test_a_list_beside_one_with_a_rigid_end_has_that_end(late):
    for items in LISTS:
        other = fresh()
        for goal in (mapo(agree, items, other), mapo(widest, items, items, other)):
            asked = lall(goal, eq(other, other)) if late else goal
            assert [a.term for a in run(0, other, asked)] == [items], items


def test_lists_with_rigid_ends_are_equally_long_if_they_have_one_end():
    for a, b in product(LISTS, LISTS):
        assert bool(run(0, 1, same_lengtho(a, b))) == (rows(a, b) is not None), (a, b)


@pytest.mark.parametrize("picked", ["()", "(2)", "(2, 3)"])
def test_what_is_known_before_a_rigid_end_is_put_before_it(picked):
    params = f"%x: Tensor[(n, ...s), int8], %i: Tensor[{picked}, int8]"
    result = infer(f"def @f<n: ShapeVar, s: Shape>({params}) {{ take(%x, %i, axis=0) }}")
    extents = f"({picked[1:-1]}, ...s)" if picked != "()" else "s"
    assert (result.verdict, str(result.functions["f"].ret_type)) == ("typed", f"Tensor[{extents}, int8]")
