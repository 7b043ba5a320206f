"""Lists with a rigid end are put together and taken apart before it, whatever becomes known first."""

from itertools import product

import pytest

from relaylogic import run
from relaylogic.api import infer
from relaylogic.logic import appendo, cons, eq, fresh, lall
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


@pytest.mark.parametrize("picked", ["()", "(2)", "(2, 3)"])
def test_what_is_known_before_a_rigid_end_is_put_before_it(picked):
    params = f"%x: Tensor[(n, ...s), int8], %i: Tensor[{picked}, int8]"
    result = infer(f"def @f<n: ShapeVar, s: Shape>({params}) {{ take(%x, %i, axis=0) }}")
    extents = f"({picked[1:-1]}, ...s)" if picked != "()" else "s"
    assert (result.verdict, str(result.functions["f"].ret_type)) == ("typed", f"Tensor[{extents}, int8]")
