"""Functions of operators: every operator has one, with a signature, a docstring, and TVM's conveniences."""

from __future__ import annotations

import inspect

import pytest

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay.op.rooms import ROOMS, functions, lookup
from relaylogic.relay.op.stubs import stub_files
from relaylogic.rulebase import default_rules

X = relay.var("x", shape=(1, 8, 32, 32))
M = relay.var("m", shape=(4, 6))
N = relay.var("n", shape=(2,), dtype="int64")
S = relay.var("s", "float32")


def type_of(expr):
    if isinstance(expr, relay.TupleWrapper):
        expr = expr.astuple()
    relay.transform.InferTypeLocal(expr)
    return str(expr.checked_type)


def test_every_operator_has_a_function():
    covered = {name for prefix in ROOMS for name in functions(prefix).values() if name}
    assert covered == set(default_rules().operators)


@pytest.mark.parametrize("prefix", ROOMS)
def test_functions_say_what_they_take(prefix):
    for name in functions(prefix):
        function = lookup(prefix, name)
        assert inspect.getdoc(function), name
        assert function.__name__ == name or functions(prefix)[name]
        parameters = inspect.signature(function).parameters
        assert parameters or functions(prefix)[name] in ("scatter",), name


def test_signatures_and_docstrings():
    signature = inspect.signature(relay.nn.conv2d)
    assert list(signature.parameters)[:4] == ["data", "weight", "strides", "padding"]
    assert signature.parameters["strides"].default == (1, 1)
    assert str(inspect.signature(relay.clip)) == "(a, a_min, a_max)"
    text = inspect.getdoc(relay.nn.dense)
    for part in ("units: an integer, ? or None; default None", "data: an expression", "relation Dense", "nn.dense"):
        assert part in text
    with pytest.raises(TypeError, match="data"):
        relay.nn.relu()
    with pytest.raises(AttributeError, match=r"nn\.relu"):
        _ = relay.nn.rellu


def test_names_are_found_in_all_rooms():
    assert relay.op.add is relay.add and relay.op.nn.relu is relay.nn.relu
    assert relay.qnn.op.add.__name__ == "add"
    assert "conv2d" in dir(relay.nn) and "add" in dir(relay) and "reshape" in dir(relay.op.dyn)
    assert relay.random.uniform and relay.image.resize2d and relay.vision.roi_pool and relay.annotation.on_device


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in stub_files()])
def test_stubs_are_up_to_date(path):
    assert path.read_text(encoding="utf-8") == stub_files()[path], "run `python -m relaylogic.relay.op.stubs`"


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (relay.nn.conv2d(X, relay.var("w"), strides=2, padding=1, channels=16, kernel_size=3), "(1, 16, 16, 16)"),
        (relay.nn.max_pool2d(X, 2, 2), "(1, 8, 16, 16)"),
        (relay.nn.global_avg_pool2d(X), "(1, 8, 1, 1)"),
        (relay.sum(X, 1), "(1, 32, 32)"),
        (relay.sum(X, axis=[0, 1], keepdims=True), "(1, 1, 32, 32)"),
        (relay.mean(X, exclude=True, axis=0), "(1)"),
        (relay.std(X, (2, 3)), "(1, 8)"),
        (relay.logsumexp(M, axis=1), "(4)"),
        (relay.reshape(M, 24), "(24)"),
        (relay.reshape(M, [-1, 3]), "(8, 3)"),
        (relay.reshape(M, relay.const([3, 8])), "(3, 8)"),
        (relay.reshape(M, N), "(?, ?)"),
        (relay.concatenate([M, M], axis=0), "(8, 6)"),
        (relay.stack([M, M], axis=1), "(4, 2, 6)"),
        (relay.clip(M, 0, 1), "(4, 6)"),
        (relay.full(relay.const(1.0), (2, 3)), "(2, 3)"),
        (relay.zeros((2, 3), "float32"), "(2, 3)"),
        (relay.zeros(N, "float32"), "(?, ?)"),
        (relay.strided_slice(M, [0, 1], [2, 4]), "(2, 3)"),
        (relay.strided_slice(M, [1], [-1], slice_mode="size", axes=[1]), "(4, 5)"),
        (relay.strided_slice(M, N, [3, 4]), "(?, ?)"),
        (relay.take(M, N, axis=1), "(4, 2)"),
        (relay.transpose(M), "(6, 4)"),
        (relay.expand_dims(M, 1, 2), "(4, 1, 1, 6)"),
        (relay.squeeze(relay.expand_dims(M, 1), 1), "(4, 6)"),
        (relay.arange(relay.const(5.0)), "(5)"),
        (relay.nn.pad(M, ((1, 1), (0, 2))), "(6, 8)"),
        (relay.nn.dense(M, relay.var("w"), units=3), "(4, 3)"),
        (relay.nn.dropout(M), "(4, 6)"),
        (relay.image.resize2d(X, (16, 8)), "(1, 8, 16, 8)"),
        (relay.nn.upsampling(X, 2, 2), "(1, 8, 64, 64)"),
        (relay.nn.upsampling(X, 2, S), "(1, 8, ?, ?)"),
        (relay.nn.upsampling3d(relay.zeros((1, 2, 3, 4, 5), "float32"), S, S, S), "(1, 2, ?, ?, ?)"),
        (relay.split(M, 3, axis=1)[2], "(4, 2)"),
        (relay.split(M, [1, 3], axis=1)[1], "(4, 2)"),
        (relay.nn.batch_norm(X, *(relay.var(v) for v in "abcd"))[1], "(8)"),
        (relay.matrix_set_diag(relay.zeros((3, 3), "float32"), relay.ones((3,), "float32")), "(3, 3)"),
        (relay.nn.global_max_pool1d(relay.zeros((1, 2, 3), "float32")), "(1, 2, 1)"),
        (M.astype("float32"), "(4, 6)"),
        (relay.squeeze(X, relay.const([0])), "(8, 32, 32)"),
        (relay.squeeze(X, N), "(?, ?)"),
        (relay.expand_dims(M, relay.var("a", "int64")), "(?, ?, ?)"),
        (relay.tile(M, N), "(?, ?)"),
        (relay.broadcast_to(S, N), "(?, ?)"),
        (relay.full(S, N), "(?, ?)"),
        (relay.nn.pad(M, relay.var("p", shape=(2, 2), dtype="int64")), "(?, ?)"),
        (relay.collapse_sum_to(X, (32, 1)), "(32, 1)"),
        (relay.collapse_sum_to(X, relay.const([32, 1])), "(32, 1)"),
        (relay.collapse_sum_to(X, N), "(?, ?)"),
    ],
)
def test_types_of_calls(expr, expected):
    assert type_of(expr) == f"Tensor[{expected}, float32]"


def test_several_results():
    assert len(relay.split(M, 3, axis=1)) == 3
    assert list(relay.split(M, -3, axis=1)) == []  # inference says what is wrong with that
    values, indices = relay.topk(M, k=2)
    assert type_of(values) == "Tensor[(4, 2), float32]" and type_of(indices) == "Tensor[(4, 2), int32]"
    assert len(relay.meshgrid([N, N])) == 2 and len(relay.unique(N, return_counts=True)) == 5
    with pytest.raises(IndexError):
        _ = relay.split(M, 3, axis=1)[3]


def test_rows_that_are_filled_keep_the_dtypes_of_the_operands():
    indices, values = relay.var("i", shape=(4, 2), dtype="int32"), relay.var("v", shape=(4,), dtype="int8")
    filled = relay.sparse_fill_empty_rows(indices, values, N, relay.const(0, "int8"))
    assert type_of(filled) == "(Tensor[(?, 2), int32], Tensor[(?), int8], Tensor[(?), bool])"


def test_only_attributes_that_differ_are_kept():
    assert relay.nn.softmax(M).given is None and relay.nn.relu(M).attrs is None
    assert relay.nn.softmax(M, axis=0).given == {"axis": 0}
    conv = relay.nn.conv2d(X, relay.var("w"), padding=1, strides=(1, 1), channels=4, kernel_size=(3, 3))
    assert conv.given == {"padding": (1, 1, 1, 1), "channels": 4, "kernel_size": (3, 3)}
    assert "axis=" not in relay.nn.bias_add(X, relay.var("b")).astext()


def test_programs_of_calls_can_be_read_again():
    exprs = [relay.image.resize2d(X, 3), relay.nn.pad(M, ((1, 1), (0, 2))), relay.split(M, 3, axis=1)[0]]
    mod = tvm.IRModule.from_expr(relay.Tuple(exprs))
    again = relay.parse(mod.astext())
    assert relay.transform.InferType()(mod)["main"].checked_type == again["main"].checked_type


def test_diagonals_are_those_from_the_first_number_to_the_second():
    """As its docstring says, and as TVM reads them: it was the last number, and none was an IndexError."""
    square = relay.zeros((3, 3), "float32")
    assert relay.matrix_set_diag(square, square, (-1, 0, 7)).attrs.k2 == 0
    assert relay.matrix_set_diag(square, square, [1]).attrs.k2 == 1
    with pytest.raises(TypeError, match="`k` is a number or a pair of numbers"):
        relay.matrix_set_diag(square, square, ())
