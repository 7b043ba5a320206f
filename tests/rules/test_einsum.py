"""einsum: equations, shared extents, ellipses, what the result says of the operands."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

CALLS = [
    # equation, operands, result
    ("ij,jk->ik", [(2, 3), (3, 4)], (2, 4)),
    ("bij, bjk -> bik", [(5, 2, 3), (5, 3, 4)], (5, 2, 4)),
    ("ij,jk", [(2, 3), (3, 4)], (2, 4)),
    ("bA", [(2, 3)], (3, 2)),
    ("ii->i", [(3, 3)], (3,)),
    ("ii", [(3, 3)], ()),
    ("ii->i", [(3, 1)], (3,)),
    ("i,i->i", [(1,), (3,)], (3,)),
    ("i,i->i", [("?",), (3,)], ("?",)),
    ("i,i->i", [(3,), ("?",)], ("?",)),
    ("i,i->i", [("?",), (1,)], ("?",)),
    ("i,i->i", [("?",), ("?",)], ("?",)),
    ("i,i->i", [(0,), (1,)], (0,)),
    ("...ij,...jk->...ik", [(5, 1, 2, 3), (7, 3, 4)], (5, 7, 2, 4)),
    ("...i,...i->...", [("?", 3), (2, 3)], (2,)),
    ("...i", [(2, 3)], (2, 3)),
    ("i...->i", [(2, 3, 4)], (2,)),
    ("ij,jk->ik", [(2, 3), (4, 4)], None),
    ("ij->i", [(2, 3, 4)], None),
    ("ij,jk->ik", [(2, 3)], None),
    ("i->ij", [(2,)], None),
    ("i->i->i", [(2,)], None),
    ("i1->i", [(2, 3)], None),
    ("i - > i", [(2,)], None),
    ("i . . .", [(2,)], None),
    ("i->i,j", [(2,)], None),
    ("...i...->i", [(2,)], None),
    ("...ij->ij", [(2,)], None),
]


@pytest.mark.parametrize(("equation", "operands", "expected"), CALLS)
def test_forward(equation, operands, expected):
    found = ask("einsum", f"({', '.join(tensor(*s) for s in operands)},)", "_", equation=equation)
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


def test_operands_have_one_dtype():
    assert ask("einsum", f"({tensor(2)}, {tensor(2, dtype='int8')})", "_", equation="i,i->i") is None


def test_backwards():
    found = ask("einsum", f"({tensor(2, 3)}, {tensor(3, '_')})", tensor(2, 4), equation="ij,jk->ik")
    assert found[0] == f"({tensor(2, 3)}, {tensor(3, 4)})"
    # The other operand may also have extent 1 where the axes meet.
    assert (
        ask("einsum", f"({tensor(2, 3)}, _)", tensor(2, 4), equation="ij,jk->ik")[0]
        == f"({tensor(2, 3)}, {tensor('_', 4)})"
    )
