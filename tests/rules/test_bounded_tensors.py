"""Bounded completeness of the tensor operators: a call that holds is found again from any part of its types.

The result is found forwards from all inputs of a small universe. Then every set of arguments is left open, and every
single extent. Extents are naturals: a variable is never guessed to be `?`.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest

from relaylogic.logic import eq, fresh, lall
from relaylogic.logic.search.search import search
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType, TupleType
from tests.effort import some

STEPS = 20_000


def tensors(ranks, extents=(0, 1, 2), dtype="float32"):
    """All tensor types of these ranks and extents."""
    return [TensorType(shape, dtype) for rank in ranks for shape in product(extents, repeat=rank)]


def pairs(ranks, extents=(1, 2)):
    """All pairs of tensor types, as tuple types."""
    return [TupleType(parts) for parts in product(tensors(ranks, extents), repeat=2)]


ONE = [tensors([0, 1, 2, 3])]
TWO = [tensors([0, 1, 2], (1, 2)), tensors([0, 1, 2], (1, 2))]
INDEXED = [tensors([1, 2], (1, 2)), tensors([0, 1, 2], (1, 2), "int32")]

UNIVERSES = [
    *(
        ("reshape", {"newshape": codes}, ONE)
        for codes in ([-1], [0, -1], [-3, 0], [-2, 1], [2, -2], [-4, 1, -1], [2, 2])
    ),
    ("contrib_reverse_reshape", {"newshape": [-1, 0]}, ONE),
    ("reshape_like", {"lhs_begin": 1, "rhs_begin": -1}, TWO),
    *(("transpose", {"axes": axes}, ONE) for axes in (None, [1, 0], [2, 0, -2])),
    *(("squeeze", {"axis": axis}, ONE) for axis in (None, [0], [0, -1])),
    *(("expand_dims", {"axis": axis, "num_newaxis": 2}, ONE) for axis in (1, -2)),
    ("reverse", {"axis": 1}, ONE),
    *(("split", {"indices_or_sections": parts, "axis": -1}, ONE) for parts in (2, [1])),
    *((op, {"axis": axis}, [pairs([1, 2])]) for op in ("concatenate", "stack") for axis in (0, -1)),
    ("meshgrid", {}, [pairs([0, 1])]),
    ("adv_index", {}, [pairs([0, 1, 2])]),
    *(("einsum", {"equation": text}, [pairs([1, 2])]) for text in ("ij,jk->ik", "i...,i->...")),
    *(("take", {"axis": axis}, INDEXED) for axis in (None, 0, -1)),
    ("take", {"axis": 1, "batch_dims": 1}, INDEXED),
    *(("gather", {"axis": axis}, INDEXED) for axis in (0, -1)),
    *(("gather_nd", {"batch_dims": batches}, INDEXED) for batches in (0, 1)),
    ("scatter_elements", {"axis": 0}, [*INDEXED, tensors([1, 2], (1, 2))]),
    ("scatter_nd", {}, [*INDEXED, tensors([0, 1, 2], (1, 2))]),
    *(
        ("matrix_set_diag", {"k1": -1, "k2": k2}, [tensors([2], (1, 2, 3)), tensors([1, 2], (1, 2, 3))])
        for k2 in (-1, 0)
    ),
    *(("tile", {"reps": reps}, ONE) for reps in ([2], [1, 2])),
    ("repeat", {"repeats": 2, "axis": -1}, ONE),
    ("sliding_window", {"axis": 1, "window_shape": [2], "strides": [1]}, ONE),
    *(
        ("strided_slice", {"begin": [begin], "end": [end], "strides": [stride], "axes": None}, ONE)
        for begin, end, stride in ((1, 2, 1), (0, -1, 1), (-1, -3, -1))
    ),
    *(("slice_like", {"axes": axes}, TWO) for axes in (None, [-1])),
    ("broadcast_to", {"shape": [2, 1]}, ONE),
    *((op, {}, TWO) for op in ("add", "equal", "broadcast_to_like", "collapse_sum_like", "cast_like")),
    ("where", {}, [tensors([0, 1], (1, 2), "bool"), tensors([0, 1], (1, 2)), tensors([1], (1, 2))]),
    ("full_like", {}, [tensors([0, 1, 2]), tensors([0, 1])]),
    ("one_hot", {"depth": 2, "axis": 0, "dtype": "float32"}, [tensors([0, 1, 2]), tensors([0]), tensors([0])]),
    ("reverse_sequence", {}, INDEXED),
    ("sequence_mask", {"axis": 1}, INDEXED),
    ("shape_of", {"dtype": "int32"}, ONE),
    ("unravel_index", {}, [tensors([0, 1], dtype="int32"), tensors([1], dtype="int32")]),
]


def opened(term):
    """`term` with each single extent, and with each single component, left open."""
    if isinstance(term, TupleType):
        for i, field in enumerate(term.fields):
            for open_field in (fresh(), *opened(field)):
                yield TupleType((*term.fields[:i], open_field, *term.fields[i + 1 :]))
    else:
        for i in range(len(term.shape)):
            yield TensorType((*term.shape[:i], fresh(), *term.shape[i + 1 :]), term.dtype)


def with_holes(types):
    """`types` with every non-empty set of arguments left open, and with one of them open in part."""
    positions = range(len(types))
    for unknown in (set(c) for n in positions for c in combinations(positions, n + 1)):
        yield tuple(fresh() if i in unknown else t for i, t in enumerate(types))
    for i in positions:
        for term in opened(types[i]):
            yield (*types[:i], term, *types[i + 1 :])


@pytest.mark.parametrize(("op", "attrs", "universe"), UNIVERSES, ids=[op for op, _, _ in UNIVERSES])
def test_everything_that_holds_is_found_from_any_part(op, attrs, universe):
    operator = default_rules().operator(op)
    given = (operator.attrs(attrs),) if operator.relation.takes_attrs else ()
    found = []
    for inputs in product(*universe):
        forwards = (*inputs, fresh())
        solution = search([("", operator.relation(*forwards, *given))], forwards, steps=STEPS)
        assert solution.exhausted and len(solution.answers) < 2
        assert not any(answer.residue for answer in solution.answers)
        found += [answer.terms for answer in solution.answers]
    for types in some(found, 3):
        for asked in with_holes(types):
            again = lall(operator.relation(*asked, *given), eq(asked, types))
            assert search([("", again)], asked, steps=STEPS).answers, f"{types} is lost from {asked}"
    assert len(found) > 1
