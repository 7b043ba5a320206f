"""Patterns over expressions: matching by hand and against brute force, rewriting."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay.dataflow_pattern import (
    DFPatternCallback,
    FunctionPattern,
    has_attr,
    has_dtype,
    has_shape,
    has_type,
    is_constant,
    is_expr,
    is_if,
    is_let,
    is_op,
    is_tuple,
    is_tuple_get_item,
    is_var,
    match,
    rewrite,
    wildcard,
)
from tests.effort import examples

X, Y, W = relay.var("x", shape=(2, 3)), relay.var("y", shape=(2, 3)), relay.var("w", shape=(4, 3))
ONE = relay.const(1.0)
A, B = wildcard(), wildcard()


@pytest.mark.parametrize(
    ("pattern", "expr", "matches"),
    [
        (is_op("nn.relu")(A), relay.nn.relu(X), True),
        (is_op("nn.relu")(A), relay.tanh(X), False),
        (is_op("nn.relu")(None), relay.nn.relu(X), True),
        (A(B), relay.GlobalVar("f")(X), True),
        (is_var("x"), X, True),
        (is_var("x"), Y, False),
        (is_var(), Y, True),
        (is_constant(), ONE, True),
        (is_constant(), X, False),
        (is_expr(X + ONE), X + ONE, True),
        (is_op("subtract")(is_var(), is_constant()), ONE - X, False),
        (is_var() * is_constant(), ONE * X, True),
        (is_var() / is_constant(), ONE / X, False),
        (A + A, X + X, True),
        (A + A, X + Y, False),
        (A + (A - B), (X - Y) + X, True),
        (is_tuple(None), relay.Tuple([X]), True),
        (is_tuple([A, is_constant()]), relay.Tuple([X, ONE]), True),
        (is_tuple([A]), relay.Tuple([X, ONE]), False),
        (is_tuple_get_item(A, 1), relay.split(X, 3, 1)[1], True),
        (is_tuple_get_item(A, 1), relay.split(X, 3, 1)[0], False),
        (is_tuple_get_item(A), relay.split(X, 3, 1)[0], True),
        (is_tuple([A, B])[1], relay.TupleGetItem(relay.Tuple([X, Y]), 1), True),
        (is_if(A, B, B), relay.If(X, Y, Y), True),
        (is_let(A, B, A), relay.Let(X, Y, X), True),
        (is_let(A, B, A), relay.Let(X, Y, Y), False),
        (FunctionPattern([A], is_op("exp")(A)), relay.Function([X], relay.exp(X)), True),
        (FunctionPattern(None, is_op("exp")(A)), relay.Function([X], relay.exp(Y)), True),
        (FunctionPattern([A], is_op("exp")(A)), relay.Function([X], relay.exp(Y)), False),
        (has_attr({"axis": 0}), relay.nn.softmax(X, 0), True),
        (has_attr({"axis": -1}), relay.nn.softmax(X), True),
        (has_attr({"axis": 1}), relay.nn.softmax(X), False),
        (has_attr({"axes": [1, 0]}), relay.transpose(X, (1, 0)), True),
        (has_attr({"none": 1}), relay.nn.relu(X), False),
        (has_attr({"Composite": "mine"}), relay.Function([X], X).with_attr("Composite", "mine"), True),
        (has_attr({}), ONE, False),
        (has_type(relay.TensorType((2, 4))), relay.nn.dense(X, W), True),
        (has_shape((2, 4), is_op("nn.dense")(A, B)), relay.nn.dense(X, W), True),
        (has_shape((2, 3)), relay.nn.dense(X, W), False),
        (has_shape((2, 3)), relay.nn.dense(W, W), False),
        (has_dtype("int8"), relay.cast(X, "int8"), True),
        (has_dtype("int8"), X, False),
        (has_dtype("int8"), relay.add(X, W), False),  # which has no type
        (is_op("nn.relu")(A).optional(is_op("exp")), relay.nn.relu(X), True),
        (is_op("nn.relu")(A).optional(is_op("exp")), relay.exp(relay.nn.relu(X)), True),
        (is_op("nn.relu")(A).optional(is_op("exp")), relay.exp(X), False),
    ],
)
def test_what_matches(pattern, expr, matches):
    assert match(pattern, expr) is pattern.match(expr) is matches


def test_all_ways_are_tried():
    # The first alternative, and the first order, leave nothing for what comes later.
    later = is_tuple([(A + B) | A, A])
    assert later.match(relay.Tuple([X + Y, X + Y])) is False
    shared = X + Y
    assert later.match(relay.Tuple([shared, shared]))
    assert is_tuple([A + B, A]).match(relay.Tuple([shared, Y]))


def test_operators_that_are_marked():
    relay.op.get("nn.relu").set_attr("kind", "elementwise")
    assert is_op("nn.relu").has_attr({"kind": "elementwise"})(A).match(relay.nn.relu(X))
    assert not is_op("tanh").has_attr({"kind": "elementwise"})(A).match(relay.tanh(X))


LEAVES = [relay.var(name) for name in "abc"]


def sums(leaves):
    names = st.sampled_from(["add", "subtract"])
    return st.recursive(leaves, lambda inner: st.tuples(names, inner, inner), max_leaves=5)


def built(tree, leaf, node):
    return node(tree[0], *(built(t, leaf, node) for t in tree[1:])) if type(tree) is tuple else leaf(tree)


def exchanged(tree):
    """All trees that are the same up to the order of what is added."""
    if type(tree) is not tuple:
        return [tree]
    name, left, right = tree
    pairs = [(a, b) for a in exchanged(left) for b in exchanged(right)]
    return [(name, *p) for a, b in pairs for p in (permutations((a, b)) if name == "add" else [(a, b)])]


def holes(tree, expr, known):
    """What the holes of a tree stand for, if it is as the expression is."""
    if type(tree) is not tuple:
        return known | {tree: expr} if known.get(tree, expr) is expr else None
    if not isinstance(expr, relay.Call) or expr.op.name != tree[0]:
        return None
    for part, arg in zip(tree[1:], expr.args, strict=True):
        known = None if known is None else holes(part, arg, known)
    return known


@settings(max_examples=examples(200))
@given(sums(st.integers(0, 2)), sums(st.sampled_from(LEAVES)))
def test_patterns_match_what_some_order_of_sums_matches(tree, given_tree):
    expr = built(given_tree, lambda v: v, lambda name, a, b: relay.Call(relay.op.get(name), [a, b]))
    wild = [wildcard() for _ in range(3)]
    pattern = built(tree, lambda i: wild[i], lambda name, a, b: is_op(name)(a, b))
    assert pattern.match(expr) == any(holes(t, expr, {}) is not None for t in exchanged(tree))


class Relu(DFPatternCallback):
    """max(x, 0) and clip(x, 0, ...) as nn.relu."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.x = wildcard()
        self.pattern = is_op("maximum")(self.x, is_constant())
        self.seen = []

    def callback(self, pre, post, node_map):
        self.seen.append((pre, post))
        return relay.nn.relu(node_map[self.x][0])


def test_rewriting():
    zero = relay.const(0.0)
    inner = relay.maximum(X, zero)
    before = relay.Function([X, W], relay.nn.dense(relay.maximum(relay.exp(inner), zero), W))
    callback = Relu()
    after = rewrite(callback, before)
    assert str(after.body) == str(relay.nn.dense(relay.nn.relu(relay.exp(relay.nn.relu(X))), W))
    outer_pre, outer_post = callback.seen[-1]
    assert outer_pre is before.body.args[0] and str(outer_post.args[0]) == str(relay.exp(relay.nn.relu(X)))
    assert callback.rewrite(relay.tanh(X)).args == (X,) and rewrite([callback, Relu()], X) is X


def test_what_was_put_there_is_rewritten_again_unless_it_is_said_otherwise():
    class Grow(DFPatternCallback):
        def __init__(self, once):
            super().__init__(rewrite_once=once)
            self.pattern = is_op("exp")(wildcard())
            self.calls = 0

        def callback(self, pre, post, node_map):
            self.calls += 1
            return relay.exp(relay.tanh(post.args[0])) if self.calls < 4 else post

    for once, calls in ((True, 1), (False, 4)):
        grown = Grow(once)
        rewrite(grown, relay.exp(X))
        assert grown.calls == calls


def test_matches_do_not_overlap_and_their_inner_parts_are_used_by_no_others():
    class Twice(DFPatternCallback):
        def __init__(self):
            super().__init__(rewrite_once=True)
            self.x = wildcard()
            self.pattern = is_op("exp")(is_op("exp")(self.x))

        def callback(self, pre, post, node_map):
            return relay.tanh(node_map[self.x][0])

    chain = relay.exp(relay.exp(relay.exp(X)))
    assert str(rewrite(Twice(), chain)) == str(relay.tanh(relay.exp(X)))
    inner = relay.exp(X)
    shared = relay.Tuple([relay.exp(inner), inner])
    assert rewrite(Twice(), shared) is shared


def test_types_may_be_demanded_and_asked_for():
    class Widen(DFPatternCallback):
        def __init__(self):
            super().__init__(require_type=True)
            self.x = wildcard()
            self.pattern = is_op("nn.relu")(has_dtype("int8", self.x))

        def callback(self, pre, post, node_map):
            assert str(pre.checked_type) == "Tensor[(2, 3), int8]"
            return relay.cast(relay.nn.relu(relay.cast(post.args[0], "int32")), "int8")

    whole = relay.nn.relu(relay.nn.relu(relay.cast(X, "int8")))
    assert relay.testing.run_infer_type(Widen().rewrite(whole)).checked_type == relay.TensorType((2, 3), "int8")
    mod = tvm.IRModule({relay.GlobalVar("f"): relay.Function([Y], relay.cast(Y, "int8"))})
    assert "cast" in str(rewrite(Widen(), relay.nn.relu(mod.get_global_var("f")(X)), mod))


def test_long_chains_and_lets():
    expr = X
    for _ in range(3000):
        expr = relay.maximum(expr, ONE)
    assert "maximum" not in str(rewrite(Relu(), expr))
    bound = [relay.var(f"v{i}") for i in range(2000)]
    body = bound[-1]
    for before, variable in zip(reversed([X, *bound[:-1]]), reversed(bound), strict=True):
        body = relay.Let(variable, relay.maximum(before, ONE), body)
    assert "maximum" not in str(rewrite(Relu(), body))


def test_what_makes_no_pattern():
    with pytest.raises(TypeError, match="a pattern is made of patterns"):
        is_op("add")(X, Y)
    with pytest.raises(TypeError, match="an expression is matched"):
        A.match(3)
    with pytest.raises(TypeError, match="a callback with one"):
        rewrite(DFPatternCallback(), X)
    with pytest.raises(tvm.TVMError, match=r"there is no operator `ad`"):
        is_op("ad")
    with pytest.raises(AttributeError, match="partition"):
        A.partition(X)
