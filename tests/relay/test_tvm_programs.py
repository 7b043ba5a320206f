"""Programs as TVM's users write them: a network by functions, passes over it, a pattern, questions about its types."""

from __future__ import annotations

import pytest

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay.dataflow_pattern import DFPatternCallback, is_constant, is_op, is_tuple_get_item, wildcard
from relaylogic.relay.expr_functor import ExprMutator, ExprVisitor
from relaylogic.relay.testing.init import create_workload

pytest.importorskip("numpy")


def network():
    x = relay.var("data", shape=(1, 3, 16, 16))
    for i, (channels, stride) in enumerate([(8, 1), (16, 2)]):
        weight = relay.var(f"w{i}")
        x = relay.nn.conv2d(x, weight, (stride, stride), padding=(1, 1), channels=channels, kernel_size=(3, 3))
        statistics = [relay.var(f"bn{i}_{name}") for name in ("gamma", "beta", "moving_mean", "moving_var")]
        x = relay.nn.relu(relay.nn.batch_norm(x, *statistics)[0])
    x = relay.nn.dense(relay.nn.batch_flatten(relay.nn.global_avg_pool2d(x)), relay.var("fc"), units=10)
    return relay.Function(relay.analysis.free_vars(x), x)


@pytest.fixture(scope="module")
def mod():
    mod, params = create_workload(network())
    frozen = relay.build_module.bind_params_by_name(mod["main"], params)
    return relay.transform.InferType()(tvm.IRModule.from_expr(frozen))


def type_of(mod):
    return str(relay.transform.InferType()(mod)["main"].checked_type)


def test_another_dtype(mod):
    class Cast(ExprMutator):
        def visit_constant(self, c):
            return relay.const(c.data.numpy().astype("float16"), dtype="float16")

        def visit_var(self, v):
            return relay.var(v.name_hint, shape=v.type_annotation.concrete_shape, dtype="float16")

        def visit_function(self, fn):
            return relay.Function([self.visit(p) for p in fn.params], self.visit(fn.body))

    @relay.transform.function_pass(opt_level=1)
    class Half:
        def transform_function(self, func, mod, ctx):
            return Cast().visit(func)

    with tvm.transform.PassContext(opt_level=3):
        halved = tvm.transform.Sequential([relay.transform.InferType(), Half()])(mod)
    assert type_of(halved) == "fn (Tensor[(1, 3, 16, 16), float16]) -> Tensor[(1, 10), float16]"


def test_another_layout(mod):
    class Layout(ExprMutator):
        def visit_call(self, call):
            call = super().visit_call(call)
            if not isinstance(call.op, tvm.ir.Op) or call.op.name != "nn.conv2d":
                return call
            attrs = {**call.attrs, "data_layout": "NHWC", "kernel_layout": "HWIO"}
            data, weight = relay.transpose(call.args[0], (0, 2, 3, 1)), relay.transpose(call.args[1], (2, 3, 1, 0))
            return relay.transpose(relay.nn.conv2d(data, weight, **attrs), (0, 3, 1, 2))

    changed = tvm.IRModule.from_expr(Layout().visit(mod["main"]))
    assert type_of(changed) == type_of(mod)
    assert relay.analysis.list_op_freqs(changed)["transpose"] == 6


def test_what_convolutions_are_there(mod):
    class Convolutions(ExprVisitor):
        def __init__(self):
            super().__init__()
            self.found = []

        def visit_call(self, call):
            super().visit_call(call)
            if call.op == relay.op.get("nn.conv2d"):
                extents = [int(extent) for extent in call.type_args[1].shape]
                self.found.append((call.attrs.strides, call.attrs.get_int("groups"), extents, call.checked_type.shape))

    visitor = Convolutions()
    visitor.visit(mod["main"])
    assert visitor.found == [
        ((1, 1), 1, [8, 3, 3, 3], (1, 8, 16, 16)),
        ((2, 2), 1, [16, 8, 3, 3], (1, 16, 8, 8)),
    ]


def test_a_pattern_is_rewritten(mod):
    class Folded(DFPatternCallback):
        def __init__(self):
            super().__init__(require_type=True)
            self.x, self.weight = wildcard(), is_constant()
            self.conv = is_op("nn.conv2d")(self.x, self.weight)
            normed = is_op("nn.batch_norm")(self.conv, *[is_constant() for _ in range(4)])
            self.pattern = is_op("nn.relu")(is_tuple_get_item(normed, 0))

        def callback(self, pre, post, node_map):
            assert pre.checked_type.dtype == "float32"
            conv = node_map[self.conv][0]
            return relay.nn.relu(relay.nn.conv2d(node_map[self.x][0], node_map[self.weight][0], **conv.attrs))

    folded = tvm.IRModule.from_expr(Folded().rewrite(mod["main"]))
    assert type_of(folded) == type_of(mod) and "nn.batch_norm" not in relay.analysis.list_op_freqs(folded)
