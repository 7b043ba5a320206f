"""`TypeSolver`: relations and unification without a program."""

from __future__ import annotations

import pytest

from relaylogic import TVMError, relay
from relaylogic.relay import FuncType, GlobalTypeVar, IncompleteType, TensorType, TupleType, TypeCall, TypeVar

T = TensorType((10, 20))
S = TensorType((10,))


@pytest.fixture
def solver():
    return relay.analysis.TypeSolver()


def test_chain(solver):
    first, second, third = (IncompleteType() for _ in range(3))
    solver.add_constraint("Broadcast", [T, TensorType((10, 1)), first])
    solver.add_constraint(relay.TypeRelation("Identity", [first, second], 1, None))
    solver.add_constraint("Broadcast", [second, TensorType((10, 1, 1)), third])
    assert solver.solve()
    assert solver.resolve(first) == T and solver.resolve(third) == TensorType((10, 10, 20))


def test_backward(solver):
    hole, out = IncompleteType(), IncompleteType()
    solver.add_constraint("Broadcast", [T, hole, out])
    assert not solver.solve() and len(solver.open_constraints()) == 1
    solver.add_constraint("Identity", [hole, TensorType((10, 1, 1))])
    assert solver.solve()
    assert solver.resolve(out) == TensorType((10, 10, 20))


def test_attributes(solver):
    out = IncompleteType()
    attrs = relay.op.get("concatenate")
    assert attrs.num_inputs == 1
    solver.add_constraint("Concatenate", [TupleType([T, T]), out], {"axis": 1})
    assert solver.solve() and solver.resolve(out) == TensorType((10, 40))


def test_what_cannot_hold(solver):
    solver.add_constraint("Broadcast", [T, TensorType((3, 3)), IncompleteType()])
    with pytest.raises(TVMError):
        solver.solve()
    with pytest.raises(TVMError):
        relay.analysis.TypeSolver().add_constraint("Broadcast", [T, T])
    with pytest.raises(TVMError, match="Broadcast"):
        relay.analysis.TypeSolver().add_constraint("Brodcast", [T, T, T])


@pytest.mark.parametrize("wrap", [TupleType, lambda ts: TypeCall(GTV, ts), lambda ts: FuncType(ts, ts[0])])
def test_structures(solver, wrap):
    a, b = IncompleteType(), IncompleteType()
    assert solver.unify(wrap([a, TupleType([b, b])]), wrap([T, TupleType([S, S])])) == wrap([T, TupleType([S, S])])


GTV = GlobalTypeVar("gtv")


def test_what_is_not_one(solver):
    hole = IncompleteType()
    for a, b in [
        (T, S),
        (GTV, GlobalTypeVar("gtv")),
        (TupleType([hole, hole]), TupleType([T, S])),
        (hole, TupleType([hole])),
        (TypeVar("a"), TypeVar("a")),
    ]:
        with pytest.raises(TVMError):
            relay.analysis.TypeSolver().unify(a, b)


def test_quantified_functions(solver):
    a, b, c = TypeVar("a"), TypeVar("b"), TypeVar("c")
    narrow = FuncType([a, a], a, [a])
    assert solver.unify(FuncType([a, b], c, [a, b, c]), narrow) == narrow
    assert solver.unify(narrow, FuncType([a, b], c, [a, b, c])) == narrow
    swapped = FuncType([b, a], TupleType([a, b]), [b, a])
    straight = FuncType([a, b], TupleType([b, a]), [a, b])
    assert solver.unify(straight, swapped) == straight
    with pytest.raises(TVMError):
        solver.unify(FuncType([a, b], c, [a, b, c]), FuncType([b, c], TupleType([a]), [a, b, c]))
