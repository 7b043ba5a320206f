"""`InferType` and `InferTypeLocal`: what expressions know after them, and what is refused."""

from __future__ import annotations

import gc

import pytest

import relaylogic as tvm
from relaylogic import relay, te
from relaylogic.ir.checked import TYPES

F32 = relay.scalar_type("float32")
I32 = relay.scalar_type("int32")


def local(expr):
    relay.transform.InferTypeLocal(expr)
    return expr.checked_type


def test_types_are_not_known_before():
    x = relay.var("x", shape=(2,))
    with pytest.raises(ValueError, match="InferType"):
        _ = (x + x).checked_type


def test_the_program_is_not_changed():
    x = relay.var("x")
    mod = tvm.IRModule.from_expr(relay.Function([x], relay.nn.relu(x)))
    before = mod.astext()
    again = relay.transform.InferType()(mod)
    assert again is not mod and again.result.verdict == "typed" and mod.result is None
    assert mod.astext(annotate=lambda e: None) == before
    twice = relay.transform.InferType()(again)
    assert tvm.ir.structural_equal(twice["main"].checked_type, again["main"].checked_type)


def test_types_go_with_their_nodes():
    x = relay.var("x", shape=(2,))
    y = x + x
    local(y)
    known = len(TYPES)
    del x, y
    gc.collect()
    assert len(TYPES) < known


def test_let_and_scope_builder():
    sb = relay.ScopeBuilder()
    x = sb.let(relay.var("x", F32), relay.const(1.0))
    with sb.if_scope(relay.less(x, relay.const(2.0))):
        sb.ret(sb.let("y", x + x))
    with sb.else_scope():
        sb.ret(x)
    assert local(sb.get()) == F32


def test_scope_builder_refuses_what_is_incomplete():
    sb = relay.ScopeBuilder()
    with pytest.raises(RuntimeError):
        sb.get()
    with pytest.raises(RuntimeError), sb.else_scope():
        pass
    sb.ret(relay.const(1))
    with pytest.raises(RuntimeError):
        sb.ret(relay.const(2))


def test_broadcast_with_symbols():
    n, t = te.size_var("n"), te.var("t")
    x, y = relay.var("x", shape=(n, t, 100)), relay.var("y", shape=(t, 1))
    assert local(x + y) == relay.TensorType((n, t, 100))
    assert local(relay.concatenate([x, x], 1)) == relay.TensorType((n, t + t, 100))
    assert local(relay.reshape(x, (-1,))) == relay.TensorType((n * t * 100,))


def test_recursion():
    f = relay.GlobalVar("f")
    n, data = relay.var("n", I32), relay.var("data", F32)
    sb = relay.ScopeBuilder()
    with sb.if_scope(relay.equal(n, relay.const(0))):
        sb.ret(data)
    with sb.else_scope():
        sb.ret(f(n - relay.const(1), relay.log(data)))
    mod = tvm.IRModule()
    mod[f] = relay.Function([n, data], sb.get())
    mod = relay.transform.InferType()(mod)
    assert "@f(%1, %2)" in mod.astext()
    assert mod["f"].checked_type == relay.FuncType([I32, F32], F32)


def test_calls_of_polymorphic_functions_know_their_type_arguments():
    a = relay.TypeVar("a")
    x = relay.Var("x", a)
    identity = relay.Function([x], x, a, [a])
    call = identity(relay.const(1))
    assert local(call) == I32
    assert call.type_args == (I32,) and call.explicit_type_args == ()
    total = relay.add(relay.const(1.0), relay.const(2.0))
    local(total)
    assert total.type_args == (F32, F32)


def test_references():
    x = relay.var("x", "float32")
    cell = relay.RefCreate(x)
    assert local(cell) == relay.RefType(F32)
    assert local(relay.RefRead(cell)) == F32
    assert local(relay.RefWrite(cell, x)) == relay.TupleType([])


def test_tuples():
    x = relay.var("x", relay.TupleType([F32, I32]))
    assert local(x[1]) == I32
    pair = relay.Tuple([x[1], x[0]])
    assert pair[0] is pair.fields[0] and len(pair) == 2 and list(pair) == list(pair.fields)
    assert local(pair) == relay.TupleType([I32, F32])
    with pytest.raises(tvm.TVMError):
        local(x[2])


def test_a_refusal_shows_its_place():
    x, y = relay.var("x", shape=(2, 3)), relay.var("y", shape=(4, 5))
    with pytest.raises(tvm.TVMError) as caught:
        local(relay.nn.relu(x + y))
    assert "add" in str(caught.value) and "^" in str(caught.value)
    assert caught.value.result.verdict == "refuted"


def test_operands_must_be_expressions():
    x = relay.var("x")
    with pytest.raises(TypeError, match=r"relay\.const"):
        _ = x + 1
    with pytest.raises(TypeError):
        _ = 1.0 / x
    with pytest.raises(TypeError):
        iter(x)


def test_parse_checks():
    with pytest.raises(tvm.TVMError, match="exhaustive"):
        relay.fromtext("type T { A, B, } def @f(%x: T[]) { match (%x) { A => 1, } }")
    mod = relay.fromtext('#[version = "0.0.5"] def @id[A](%x: A) -> A { %x } def @main(%f: float32) { @id(%f) }')
    assert mod["main"].body.type_args == (F32,)


def test_passes_compose():
    mod = tvm.IRModule.from_expr(relay.const(1))
    passes = tvm.transform.Sequential([relay.transform.AnnotateSpans(), relay.transform.InferType()])
    with tvm.transform.PassContext(opt_level=3):
        assert passes(mod)["main"].body.checked_type == I32


def test_deep_programs():
    expr = x = relay.var("x", shape=(1,))
    for _ in range(20_000):
        expr = relay.Let(relay.var("y"), x, expr)
    assert local(expr) == relay.TensorType((1,))


def test_the_type_of_a_call_with_several_results_is_known():
    """It is a wrapper, which has no `checked_type`."""
    halves = relay.split(relay.var("x", shape=(4, 4), dtype="int8"), 2)
    assert str(relay.transform.InferTypeLocal(halves)) == "(Tensor[(2, 4), int8], Tensor[(2, 4), int8])"
