"""Graphs: extents with names, shapes that are computed, weights, branches, sequences, derivatives, declarations."""

from __future__ import annotations

import pickle

import numpy
import onnx
import onnx.numpy_helper
import pytest

import relaylogic as tvm
from relaylogic import relay
from relaylogic.api import infer, parse
from relaylogic.frontend import from_onnx, onnx_graph
from relaylogic.frontend.onnx_errors import ONNXError
from relaylogic.text import astext
from tests.frontend.models import model, typed

NETWORK = """(float[N, 3, 8, 8] data) => (float[N, 10] out) {
    h = Conv<pads = [1,1,1,1], strides = [2,2]>(data, w)
    r = Relu(h)
    s = Shape(r)
    zero = Constant<value_ints: ints = [0]>()
    n = Gather(s, zero)
    rest = Constant<value_ints: ints = [-1]>()
    to = Concat<axis = 0>(n, rest)
    f = Reshape(r, to)
    out = Gemm<transB = 1>(f, v)
}"""


def network():
    proto = model(NETWORK)
    for name, shape in (("w", (4, 3, 3, 3)), ("v", (10, 64))):
        proto.graph.initializer.append(onnx.numpy_helper.from_array(numpy.ones(shape, "float32"), name))
    return proto


def main(module):
    return str(infer(module).functions["main"])


def test_symbolic_batch():
    inputs = "Tensor[(N, 3, 8, 8), float32], Tensor[(4, 3, 3, 3), float32], Tensor[(10, 64), float32]"
    assert main(from_onnx(network())) == f"fn [N: ShapeVar]({inputs}) -> Tensor[(N, 10), float32]"


def test_other_shapes():
    assert main(from_onnx(network(), {"data": (5, 3, 8, 8)})).endswith("-> Tensor[(5, 10), float32]")
    assert main(from_onnx(network(), {"data": ("B", 3, 8, 8)})).startswith("fn [B: ShapeVar](Tensor[(B, 3, 8, 8)")
    assert main(from_onnx(network(), {"data": (None, 3, 8, 8)})).endswith("-> Tensor[(?, 10), float32]")


def test_other_forms_of_a_model(tmp_path):
    path = tmp_path / "network.onnx"
    onnx.save(network(), path)
    forms = (path, str(path), path.read_bytes(), network())
    assert len({main(from_onnx(form)) for form in forms}) == 1


def test_text_of_a_model():
    module = from_onnx(network())
    assert main(parse(astext(module))) == main(module)
    assert "%w: Tensor[(4, 3, 3, 3), float32]" in astext(module)


def test_extents_without_names():
    assert typed("(float[?, 3] x) => (float[?, ?] y) { y = Relu(x) }") == "Tensor[(?, 3), float32]"
    assert typed("(float[N, M] x) => (float[A, B] y) { y = Transpose(x) }") == "Tensor[(M, N), float32]"


def test_names_that_are_no_names_of_relay():
    proto = model("(float[2, 2] x) => (float[2, 2] y) { y = Relu(x) }")
    for index, name in enumerate(("batch-size", "batch size")):
        proto.graph.input[0].type.tensor_type.shape.dim[index].dim_param = name
    proto.graph.output[0].type.Clear()
    module = from_onnx(proto)
    assert main(module).endswith("-> Tensor[(batch_size, batch_size_0), float32]")
    assert main(parse(astext(module))) == main(module)


def test_unknown_rank_is_inferred_or_asked_for():
    proto = model("(float[2] x) => (float[2] y) { y = Relu(x) }")
    proto.graph.input[0].type.tensor_type.ClearField("shape")
    assert main(from_onnx(proto)) == "fn (Tensor[(2), float32]) -> Tensor[(2), float32]"


def test_declared_results_are_checked():
    result = infer(from_onnx(model("(float[2, 3] x) => (float[3, 2] y) { y = Relu(x) }")))
    assert result.verdict == "refuted"


def test_declared_results_say_what_types_cannot():
    assert typed("(float[3] x, int64[1] s) => (float[7] y) { y = Expand(x, s) }") == "Tensor[(7), float32]"


COMPUTED = [
    ("n = Shape(x) y = ConstantOfShape(n)", "(2, 6)"),
    ("n = Shape(x) two = Constant<value_int: int = 2>() m = Mul(n, two) y = Reshape(z, m)", "(4, 12)"),
    ("n = Size(x) a = Constant<value_ints: ints = [0]>() m = Unsqueeze(n, a) y = Reshape(x, m)", "(12)"),
]


ROUNDED = "n = Shape(t) f = Cast<to = 1>(n) m = Mul(f, scale) g = Floor(m) k = Cast<to = 7>(g) y = ConstantOfShape(k)"
REMAINDERS = "m = Mod<fmod = 1>(low, three) n = Neg(m) y = ConstantOfShape(n)"
BACKWARDS = "n = Shape(z) m = Slice(n, low, low, zero, back) y = ConstantOfShape(m)"


def test_numbers_are_computed_as_at_run_time():
    graph = (
        "(float[10] t, float[2,6] z) => (float y) "
        "<float scale = {0.7}, int64[1] low = {-5}, int64[1] three = {3}, int64[1] zero = {0}, int64[1] back = {-1}>"
    )
    assert typed(f"{graph} {{ {ROUNDED} }}", declared=False) == "Tensor[(7), float32]"  # in float64 it were 6
    assert typed(f"{graph} {{ {REMAINDERS} }}", declared=False) == "Tensor[(2), float32]"
    assert typed(f"{graph} {{ {BACKWARDS} }}", declared=False) == "Tensor[(2), float32]"


def test_the_shape_of_a_scalar_is_empty():
    assert typed("(float x) => (int64[0] y) { y = Shape<start = 1>(x) }") == "Tensor[(0), int64]"


@pytest.mark.parametrize(("nodes", "expected"), COMPUTED)
def test_shapes_that_the_graph_computes(nodes, expected):
    graph = f"(float[2,6] x, float[48] z) => (float y) {{ {nodes} }}"
    assert typed(graph, declared=False) == f"Tensor[{expected}, float32]"


def test_a_tensor_that_only_says_a_shape_is_no_parameter():
    module = from_onnx(model("(float[6] x) => (float[2,3] y) <int64[2] s = {2, 3}> { y = Reshape(x, s) }"))
    assert main(module) == "fn (Tensor[(6), float32]) -> Tensor[(2, 3), float32]"


def test_scalars_are_constants():
    module = from_onnx(
        model(
            "(float[6] x) => (float[6] y) <float s = {0.5}, float[6] w = {1, 2, 3, 4, 5, 6}> "
            "{ a = Mul(x, s) y = Add(a, w) }"
        )
    )
    assert "0.5f" in astext(module)
    assert "%w: Tensor[(6), float32]" in astext(module)


def test_branches():
    result = (
        "(float[2] y) { y = If(c) <then_branch = t () => (float[2] a) { a = Relu(x) }, "
        "else_branch = e () => (float[2] b) { b = Neg(x) }> }"
    )
    assert typed(f"(bool c, float[2] x) => {result}") == "Tensor[(2), float32]"
    chosen = from_onnx(model(f"(float[2] x) => {result.replace('{ y', '<bool c = {1}> { y', 1)}"))
    assert "nn.relu" in astext(chosen)
    assert "negative" not in astext(chosen)


def test_sequences():
    head = "(float[1,3] x, float[2,3] z) =>"
    graph = f"{head} (float[?,3] y) {{ s = SequenceConstruct(x, z) y = ConcatFromSequence<axis = 0>(s) }}"
    assert typed(graph) == "Tensor[(3, 3), float32]"
    graph = f"{head} (float[?,3] y) <int64 i = {{-1}}> {{ s = SequenceConstruct(x, z) y = SequenceAt(s, i) }}"
    assert typed(graph) == "Tensor[(2, 3), float32]"
    graph = "(float[3] x, int64 i) => (float[3] y) { s = SequenceConstruct(x, x) y = SequenceAt(s, i) }"
    assert typed(graph) == "Tensor[(3), float32]"


def test_derivative_undoes_broadcasting():
    proto = model("(float[3] a, float[2,3] b) => (float[3] g) { y = Mul(a, b) z = Exp(y) g = Identity(a) }")
    node = onnx.helper.make_node("Gradient", ["a"], ["g"], domain="ai.onnx.preview.training", xs=["a"], y="z")
    proto.graph.node[2].CopyFrom(node)
    assert str(infer(from_onnx(proto)).functions["main"].ret_type) == "Tensor[(3), float32]"


def test_as_tvm_gives_a_module_and_its_parameters():
    plain = from_onnx(network())
    mod, params = made = relay.frontend.from_onnx(network())
    assert mod is made and main(mod) == main(plain) == main(pickle.loads(pickle.dumps(mod)))
    assert {name: (array.shape, array.dtype) for name, array in params.items()} == {
        "w": ((4, 3, 3, 3), "float32"),
        "v": ((10, 64), "float32"),
    }
    frozen, rest = relay.frontend.from_onnx(network(), {"data": (5, 3, 8, 8)}, freeze_params=True)
    assert rest == {} and main(frozen) == "fn (Tensor[(5, 3, 8, 8), float32]) -> Tensor[(5, 10), float32]"
    assert tvm.ir.structural_equal(relay.transform.InferType()(mod), mod)


IF = "{{ y = If(c) <then_branch = t () => (float a) {{ a = {} }}, else_branch = e () => (float b) {{ b = {} }}> }}"


@pytest.mark.parametrize(
    ("inputs", "then", "other", "result"),
    [
        ("float[2] x, float[3] z", "Relu(x)", "Neg(z)", "Tensor[(?), float32]"),
        ("float[N,2] x, float[N,3] z", "Relu(x)", "Neg(z)", "Tensor[(N, ?), float32]"),
        ("float[N,2] x, float[M,2] z", "Relu(x)", "Neg(z)", "Tensor[(?, 2), float32]"),
        ("float[?,2] x, float[4,2] z", "Relu(x)", "Neg(z)", "Tensor[(?, 2), float32]"),
        ("float[N,2] x, float[N,2] z", "Relu(x)", "Neg(z)", "Tensor[(N, 2), float32]"),
    ],
)
def test_branches_of_different_extents_are_of_a_type_that_leaves_them_open(inputs, then, other, result):
    """They were refused, which ONNX allows."""
    graph = IF.format(then, other)
    assert typed(f"(bool c, {inputs}) => (float y) {graph}", declared=False) == result


@pytest.mark.parametrize(("then", "other"), [("Relu(x)", "Neg(z)"), ("Relu(x)", "Shape(x)")])
def test_branches_of_other_ranks_or_dtypes_are_of_no_type(then, other):
    graph = IF.format(then, other)
    with pytest.raises(ONNXError, match=r"the results of If are Tensor.* and Tensor.*, which are of no one type"):
        from_onnx(model(f"(bool c, float[2] x, float[2,3] z) => (float y) {graph}"))


@pytest.mark.parametrize(
    ("inputs", "result"),
    [
        ("float[N,2] x, float[M,3] z", "Tensor[(?, 5), float32]"),
        ("float[N,2] x, float[4,3] z", "Tensor[(4, 5), float32]"),
        ("float[N,2,?] x, float[N,3,7] z", "Tensor[(N, 5, 7), float32]"),
    ],
)
def test_what_is_joined_may_have_extents_of_other_names_beside_the_axis(inputs, result):
    """N is M at run time, or the model fails."""
    assert typed(f"({inputs}) => (float y) {{ y = Concat<axis = 1>(x, z) }}", declared=False) == result


@pytest.mark.parametrize(
    ("inputs", "call", "result"),
    [
        ("float[N,2] x, float[M,2] z", "Add(x, z)", "Tensor[(?, 2), float32]"),
        ("float[N,2] x, float[5,2] z", "Mul(x, z)", "Tensor[(5, 2), float32]"),
        ("float[N,M] x, float[M] z", "Sub(x, z)", "Tensor[(N, M), float32]"),
        ("float[N,M] x, float[N,1] z", "Max(x, z, z)", "Tensor[(N, M), float32]"),
        ("bool[K] c, float[3,N] x, float[M] z", "Where(c, x, z)", "Tensor[(3, ?), float32]"),
    ],
)
def test_operands_may_have_extents_of_other_names(inputs, call, result):
    """They were refused: one of them is the other, or 1, at run time."""
    assert typed(f"({inputs}) => (float y) {{ y = {call} }}", declared=False) == result


NAMED = "<int64[1] three = {3}, int64[1] at = {0}, int64[1] end = {1}> { s = Shape(x) n = Slice(s, at, end)"


@pytest.mark.parametrize("head", ["float[N,2] x", "bool[N] x", "float[2,4] z, float[N] x"])
def test_named_extents_of_a_shape_that_is_made_are_kept(head):
    graph = f"({head}) => (float y) {NAMED} c = Concat<axis = 0>(three, n) y = ConstantOfShape(c) }}"
    assert typed(graph, declared=False) == "Tensor[(3, N), float32]"
    graph = f"({head}, float[3,1] w) => (float y) {NAMED} c = Concat<axis = 0>(n, three, n) y = Expand(w, c) }}"
    assert typed(graph, declared=False) == "Tensor[(N, 3, N), float32]"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("float[2,4] q", r"of shape \(2, 4\)"),
        ("float[2,N,1] q", r"of shape \(2, N, 1\)"),
        ("int64[2,3] q", "of dtype int64"),
    ],
)
def test_what_a_model_says_of_a_value_in_between_must_be_so(said, found):
    """It was not looked at."""
    with pytest.raises(ONNXError, match=rf"the model says that `q` is {found}, but this gives Tensor\[\(2, 3\)"):
        from_onnx(model(f"(float[2,3] x) => (float[2,3] y) <{said}> {{ q = Relu(x) y = Neg(q) }}"))


@pytest.mark.parametrize("said", ["float[N,3] q", "float[2,3] q", "float[] q", "float[2,?] q"])
def test_what_a_model_says_of_a_value_in_between_may_be_less(said):
    assert typed(f"(float[2,3] x) => (float[2,3] y) <{said}> {{ q = Relu(x) y = Neg(q) }}") == "Tensor[(2, 3), float32]"


def test_what_a_model_says_of_extents_is_of_its_own_inputs():
    proto = model("(float[2,3] x) => (float[2,3] y) <float[2,3] q> { q = Relu(x) y = Neg(q) }")
    assert infer(from_onnx(proto, {"x": (5, 3)})).verdict == "typed"


def test_a_call_like_one_before_is_not_typed_again(monkeypatch):
    asked = []
    known = onnx_graph.infer_call
    monkeypatch.setattr(onnx_graph, "infer_call", lambda *call: asked.append(call[0]) or known(*call))
    text = """(float[N, 4, 8, 8] x, float[4, 4, 3, 3] w) => (float[N, 4, 8, 8] y) {
        a = Conv<pads = [1,1,1,1]>(x, w)
        b = Conv<pads = [1,1,1,1]>(a, w)
        c = Conv<pads = [1,1,1,1], dilations = [1,1]>(b, w)
        d = Softmax<axis = 1>(c)
        y = Softmax<axis = 2>(d)
    }"""
    module = from_onnx(model(text))
    assert asked == ["nn.conv2d", "nn.softmax", "nn.softmax"]
    assert astext(module).count("nn.conv2d(") == 3
