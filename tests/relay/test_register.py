"""Operators of one's own."""

from __future__ import annotations

from itertools import count

import pytest

from relaylogic import TVMError, relay
from relaylogic.logic import eq, fresh, lall
from relaylogic.relay import TensorType
from relaylogic.relay.op import op as registry
from relaylogic.relay.op.rooms import functions, lookup
from relaylogic.rulebase import default_rules, load_rules, shipped

T = TensorType((10, 10))
_numbers = count()


@pytest.fixture(scope="module", autouse=True)
def rules_of_its_own():
    """What is registered joins the default rule base, which other tests of this process compare with."""
    shared = default_rules()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "_default", [load_rules()])
        patch.setattr(registry, "_entries", {})
        yield
    functions.cache_clear()
    lookup.cache_clear()
    assert default_rules() is shared
    assert not [name for name in shared.operators if name.startswith("custom_")]


@pytest.fixture
def name():
    return f"custom_{next(_numbers)}"


def type_of(expr):
    relay.transform.InferTypeLocal(expr)
    return expr.checked_type


def test_by_a_known_relation(name):
    op = relay.op.register(name, "A sum.", relation="Broadcast", inputs=["lhs", "rhs"], attrs=["alpha: float = 0.1"])
    x, y = relay.var("x", T), relay.var("y", shape=(10, 1))
    assert type_of(relay.Call(op, [x, y])) == T
    assert type_of(getattr(relay, name)(x, y, alpha=2)) == T
    with pytest.raises(TVMError):
        type_of(relay.Call(op, [x]))


def test_by_a_goal(name):
    def swapped(data, out):
        """The extents of a matrix change places."""
        m, n, dtype = fresh(3)
        return lall(eq(data, TensorType((m, n), dtype)), eq(out, TensorType((n, m), dtype)))

    op = relay.op.register(name, relation=swapped)
    assert op.num_inputs == 1 and op.arguments == ["data"]
    assert type_of(relay.Call(op, [relay.var("x", shape=(2, 3))])) == TensorType((3, 2))
    hole = relay.var("h")
    relay.transform.InferTypeLocal(relay.Function([hole], relay.Call(op, [hole]), TensorType((3, 2))))
    assert hole.checked_type == TensorType((2, 3))


def test_tvms_way(name):
    relay.op.register(name, "A logarithm.")
    op = relay.op.get(name)
    op.set_num_inputs(1)
    op.add_argument("data", "Tensor", "The input.")
    op.set_support_level(1)
    op.add_type_rel("Identity")
    relay.op.register_pattern(name, relay.op.OpPattern.ELEMWISE)
    relay.op.register_stateful(name, False)
    x = relay.var("x", T)
    assert type_of(relay.Call(relay.op.get(name), [x]) + x) == T
    assert op.description == "A logarithm." and op.get_attr("TOpPattern") == 0


def test_by_a_function_of_types(name):
    def relation(arg_types, attrs):
        (data,) = arg_types
        return TensorType(data.shape[::-1], data.dtype)

    relay.op.register(name)
    op = relay.op.get(name)
    op.set_num_inputs(1)
    op.add_type_rel(name, relation)
    assert type_of(relay.Call(op, [relay.var("x", shape=(2, 3))])) == TensorType((3, 2))
    x = relay.var("x")
    mod = relay.transform.InferType()(relay.IRModule.from_expr(relay.Call(op, [x])))
    assert name in str(mod["main"].checked_type)  # what cannot be asked backward stays open


def test_failures_of_a_function_are_shown(name):
    def broken(arg_types, attrs):
        raise AssertionError("wrong")

    relay.op.register(name)
    relay.op.get(name).set_num_inputs(1)
    relay.op.get(name).add_type_rel(name, broken)
    with pytest.raises(AssertionError):
        type_of(relay.Call(relay.op.get(name), [relay.var("x", T)]))


def test_names_are_taken_once(name):
    relay.op.register(name, relation="Identity")
    for taken in (name, "add"):
        with pytest.raises(TVMError, match="registered before"):
            relay.op.register(taken)
    with pytest.raises(TVMError):
        relay.op.get("no.such.operator")
    with pytest.raises(TVMError):
        relay.op.register(f"{name}_2", relation="Broadcast", inputs=["one"])
    with pytest.raises(AttributeError):
        _ = relay.op.get("add").no_such_attribute
