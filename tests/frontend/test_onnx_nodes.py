"""One node at a time: what it becomes is typed as ONNX defines the operator."""

from __future__ import annotations

import pytest

from tests.frontend.models import node, typed


def cases(table):
    """Lines `inputs => node [@ opset] : type`, where the type is a dtype or what `Tensor[...]` holds."""
    for line in table.strip().splitlines():
        inputs, _, rest = line.partition(" => ")
        call, _, expected = rest.rpartition(" : ")
        call, _, opset = call.partition(" @ ")
        expected = f"Tensor[{expected}]" if expected.startswith("(") else expected
        yield pytest.param(inputs, call, int(opset or 17), expected, id=call.split("(")[0].split(" > ")[-1])


NODES = """
float[2,3] x => Relu(x) : (2, 3), float32
float[2,3] x => Gelu<approximate = "tanh">(x) @ 20 : (2, 3), float32
float16[2,3] x => HardSwish(x) : (2, 3), float16
float[2,1] x, float[3] z => Add(x, z) : (2, 3), float32
float[2,3,4] x, float[3] z => Add<axis = 1, broadcast = 1>(x, z) @ 6 : (2, 3, 4), float32
float[2,3] x, float[2,3] z => Less(x, z) : (2, 3), bool
float[2,3] x => Cast<to = 7>(x) : (2, 3), int64
float[2,3] x, int64[2,3] z => Pow(x, z) : (2, 3), float32
float[2,3,5] x, float[3] z => PRelu(x, z) @ 6 : (2, 3, 5), float32
float[1,3,8] x, float[4,3,3] w => Conv(x, w) : (1, 4, 6), float32
float[1,4,9,9] x, float[6,2,3,3] w => Conv<group = 2, strides = [2,2], pads = [1,1,1,1]>(x, w) : (1, 6, 5, 5), float32
float[1,3,9,9] x, float[4,3,3,3] w => Conv<auto_pad = "SAME_UPPER", strides = [2,2]>(x, w) : (1, 4, 5, 5), float32
float[N,3,H,9] x, float[4,3,3,3] w => Conv<auto_pad = "SAME_LOWER">(x, w) : (N, 4, H, 9), float32
float[1,3,5,5,5] x, float[4,3,2,2,2] w, float[4] b => Conv(x, w, b) : (1, 4, 4, 4, 4), float32
float[1,4,3,3] x, float[4,2,3,3] w => ConvTranspose<strides = [2,2], group = 2>(x, w) : (1, 4, 7, 7), float32
float[1,1,3] x, float[1,2,3] w => ConvTranspose<strides = [3], output_shape = [10]>(x, w) : (1, 2, 10), float32
float[1,3,8,8] x => MaxPool<kernel_shape = [3,3], strides = [2,2], ceil_mode = 1>(x) : (1, 3, 4, 4), float32
float[1,1,2,2] x => MaxPool<kernel_shape = [1,1], strides = [2,2], ceil_mode = 1>(x) : (1, 1, 1, 1), float32
float[1,1,H] x => MaxPool<kernel_shape = [1], strides = [2], ceil_mode = 1>(x) : (1, 1, (H + 1) // 2), float32
float[1,1,H] x => MaxPool<kernel_shape = [3], strides = [2], ceil_mode = 1>(x) : (1, 1, H // 2), float32
float[1,1,H] x => MaxPool<kernel_shape = [2], strides=[3], pads=[0,1], ceil_mode = 1>(x) : (1, 1, (H + 2) // 3), float32
float[1,3,8] x => AveragePool<kernel_shape = [2], strides = [2]>(x) : (1, 3, 4), float32
float[1,3,8,8,8] x => GlobalMaxPool(x) : (1, 3, 1, 1, 1), float32
float[N,3,H,W] x => GlobalAveragePool(x) : (N, 3, 1, 1), float32
float[2,3] x => GlobalMaxPool(x) : (2, 3), float32
float[2,3,4] x => Softmax<axis = 1>(x) @ 11 : (2, 3, 4), float32
float[2,3,4] x => LogSoftmax(x) : (2, 3, 4), float32
float[2,3,4] x, float[3,4] s, float[3,4] b => LayerNormalization<axis = 1>(x, s, b) : (2, 3, 4), float32
float[3,2] a, float[3,5] b, float[5] c => Gemm<transA = 1, alpha = 0.5>(a, b, c) : (2, 5), float32
float[N,3] a, float[3,5] b, float[M,5] c => Gemm(a, b, c) : (?, 5), float32
float[N,3] a, float[3,5] b, float[N,5] c => Gemm<beta = 0.5>(a, b, c) : (N, 5), float32
float[4] a, float[4] b => MatMul(a, b) : float32
float[4] a, float[2,4,3] b => MatMul(a, b) : (2, 3), float32
float[N,M,5,6] a, float[6,7] b => MatMul(a, b) : (N, M, 5, 7), float32
float[N,M,5,6] a, float[N,M,6,7] b => MatMul(a, b) : (N, M, 5, 7), float32
float[2,1,5,6] a, float[3,6,7] b => MatMul(a, b) : (2, 3, 5, 7), float32
float[2,3] a, float[3,4] b => Einsum<equation = "ij,jk->ik">(a, b) : (2, 4), float32
float[2,3] x, float s, uint8 z => QuantizeLinear(x, s, z) : (2, 3), uint8
float[2,3] x, float s => QuantizeLinear<output_dtype = 3>(x, s) @ 21 : (2, 3), int8
int8[2,3] x, float s => DequantizeLinear<output_dtype = 10>(x, s) @ 23 : (2, 3), float16
int8[2,3] x, bfloat16 s => DequantizeLinear(x, s) @ 23 : (2, 3), bfloat16
float[2,3,4] x => Flatten<axis = -1>(x) : (6, 4), float32
float[N,3,4] x => Flatten(x) : (N, 12), float32
float[2,3,4] x => Transpose(x) : (4, 3, 2), float32
float[2,1,3,1] x => Squeeze<axes = [1,-1]>(x) @ 11 : (2, 3), float32
float[2,3] x => Unsqueeze<axes = [0,-1]>(x) @ 11 : (1, 2, 3, 1), float32
float[2,3] x, float[2,4] z => Concat<axis = -1>(x, z) : (2, 7), float32
float[9,9] x => Slice<starts = [1,-3], ends = [5,9223372036854775807]>(x) @ 9 : (4, 3), float32
float[2,3] x, int64[4] i => Gather<axis = 1>(x, i) : (2, 4), float32
float[2,3] x, int64[2,2] i => GatherElements<axis = 1>(x, i) : (2, 2), float32
float[2,3,4] x, int64[5,2] i => GatherND(x, i) : (5, 4), float32
float[2,3,4] x, int64[5,2] i, float[5,4] u => ScatterND(x, i, u) : (2, 3, 4), float32
float[2,3,4] x => ReduceMean<axes = [-1], keepdims = 0>(x) : (2, 3), float32
float[2,3,4] x => ReduceL2(x) : (1, 1, 1), float32
float[2,3] x => ArgMax<axis = 1, keepdims = 0>(x) : (2), int64
float[2,3] x => NonZero(x) : (2, ?), int64
float[1,8,2,3] x => DepthToSpace<blocksize = 2>(x) : (1, 2, 4, 6), float32
float[2,3] x => Shape(x) : (2), int64
float[N,3,4] x => Shape<start = 1>(x) : (2), int64
float[2,3] x => Identity(x) : (2, 3), float32
float[3,3] x => Trilu(x) : (3, 3), float32
"""


@pytest.mark.parametrize(("inputs", "call", "opset", "expected"), list(cases(NODES)))
def test_node(inputs, call, opset, expected):
    assert node(inputs, call, opset) == expected


def test_several_results():
    graph = "(float[7,2] x) => (float[?,?] a, float[?,?] b, float[?,?] c) { a, b, c = Split<axis = 0>(x) }"
    assert typed(graph, 18) == "(Tensor[(3, 2), float32], Tensor[(3, 2), float32], Tensor[(1, 2), float32])"
    graph = "(float[7,2] x) => (float[?,?] a, float[?,?] b) <int64[2] s = {7, 0}> { a, b = Split<axis = 0>(x, s) }"
    assert typed(graph) == "(Tensor[(7, 2), float32], Tensor[(0, 2), float32])"
    graph = "(float[2,5] x) => (float[?,?] v, int64[?,?] i) <int64[1] k = {3}> { v, i = TopK(x, k) }"
    assert typed(graph) == "(Tensor[(2, 3), float32], Tensor[(2, 3), int64])"
    graph = "(float[2,5] x) => (float[?,?] y, bool[?,?] m) { y, m = Dropout(x) }"
    assert typed(graph) == "(Tensor[(2, 5), float32], Tensor[(2, 5), bool])"


def test_indices_are_fewer_than_data():
    assert node("float[4,6,5] x, int64[2,7,5] i", "GatherElements<axis = 1>(x, i)") == "Tensor[(2, 7, 5), float32]"


@pytest.mark.parametrize(
    ("start", "end", "step", "extent"), [(-5, -5, -1, 1), (3, -9, -2, 2), (9, -9, -2, 2), (1, 2, -1, 0), (2, 1, 1, 0)]
)
def test_a_slice_is_clamped_into_its_axis(start, end, step, extent):
    held = f"<int64[1] a = {{{start}}}, int64[1] b = {{{end}}}, int64[1] c = {{0}}, int64[1] d = {{{step}}}>"
    graph = f"(float[4] x) => (float[?] y) {held} {{ y = Slice(x, a, b, c, d) }}"
    assert typed(graph) == f"Tensor[({extent}), float32]"


# The same with tensors that the graph holds: inputs => tensors > node : type
SETTINGS = """
float[9,9] x => int64[1] a = {1}, int64[1] b = {-1} > Slice(x, a, b) : (7, 9), float32
float[N,9] x => int64[1] a = {0}, int64[1] b = {9223372036854775807} > Slice(x, a, b) : (N, 9), float32
float[1,3,1] x => int64[2] a = {1, 4} > Expand(x, a) : (1, 3, 4), float32
float[N,3,1] x => int64[3] a = {1, 1, 5} > Expand(x, a) : (N, 3, 5), float32
float[1,N] x => int64[3] a = {2, 4, 1} > Expand(x, a) : (2, 4, N), float32
float[N,3] x => int64[2] a = {4, 1} > Expand(x, a) : (4, 3), float32
float[N,1,1] x => int64[3] a = {4, 1, 0} > Expand(x, a) : (4, 1, ?), float32
float[2,3] x => float[1] s = {1.0} > LayerNormalization(x, s) : (2, 3), float32
float[N,3,H,W] x => float[1,1,1] s = {1.0} > PRelu(x, s) : (N, 3, H, W), float32
float[2,3] x => int64[1] k = {0} > TopK(x, k) : (2, 0), float32
float[0,3] x => int64[2] a = {-1, 3} > Reshape(x, a) : (0, 3), float32
float[0,3] x => int64[2] a = {4, 0} > Reshape<allowzero = 1>(x, a) : (4, 0), float32
float[2,3] x => int64[4] a = {0, 1, 0, 2} > Pad(x, a) : (2, 6), float32
float[4,3] x => int64[1] a = {2}, int64[1] b = {1} > Slice(x, a, b) : (0, 3), float32
float[2,3] x => int64[2] a = {2, 1} > Tile(x, a) : (4, 3), float32
float[2,3] x => int64[2] a = {2, 0} > Tile(x, a) : (4, 0), float32
int64[3] x => int64 a = {10}, float[2] b = {0.0, 1.0} > OneHot<axis = -2>(x, a, b) : (10, 3), float32
float[1] x => float a = {1.0}, float b = {0.5}, float c = {1.0} > Range(a, b, c) : (0), float32
float[1,2,10,10] x => float[4] a = {1.0, 1.0, 0.7, 0.7} > Resize(x, , a) : (1, 2, 7, 7), float32
float[2,3] x => int64[1] a = {1} > ReduceSum(x, a) : (2, 1), float32
float[2,3] x => int64[2] a = {0, 3} > Unsqueeze(x, a) : (1, 2, 3, 1), float32
float[2,3] x => int64 a = {1} > Unsqueeze(x, a) : (2, 1, 3), float32
float[2,3,4] x => int64[3] a = {0, -1, 2} > Reshape(x, a) : (2, 6, 2), float32
float[N,6] x => int64[3] a = {0, 2, -1} > Reshape(x, a) : (N, 2, 3), float32
int64[3] x => int64 a = {10}, float[2] b = {0.0, 1.0} > OneHot(x, a, b) : (3, 10), float32
float[1,2,4,4] x => float[4] a = {1.0, 1.0, 2.0, 1.5} > Upsample(x, a) @ 9 : (1, 2, 8, 6), float32
float[1,2,4,4] x => int64[4] a = {1, 2, 7, 9} > Resize(x, , , a) : (1, 2, 7, 9), float32
float[2,3] x => int64 a = {1} > CumSum(x, a) : (2, 3), float32
float[2,3] x => float a = {0.0}, float b = {6.0} > Clip(x, a, b) : (2, 3), float32
"""


@pytest.mark.parametrize(("inputs", "call", "opset", "expected"), list(cases(SETTINGS)))
def test_inputs_that_the_graph_determines(inputs, call, opset, expected):
    held, _, call = call.partition(" > ")
    assert typed(f"({inputs}) => (float y) <{held}> {{ y = {call} }}", opset, declared=False) == expected


DYNAMIC = """
float[2,3] x, int64[3] s => Reshape(x, s) : (?, ?, ?), float32
float[1,3,1] x, int64[2] s => Expand(x, s) : (?, ?, ?), float32
float[3] x, int64[2] s => Expand(x, s) : (?, ?), float32
float x, int64[2] s => Expand(x, s) : (?, ?), float32
int64[2] s => ConstantOfShape(s) : (?, ?), float32
float[2,3] x, int64[2] s => Tile(x, s) : (?, ?), float32
float[2,3] x, int64[2] a, int64[2] b => Slice(x, a, b) : (?, ?), float32
int64 a, int64 b, int64 c => Range(a, b, c) : (?), int64
"""


@pytest.mark.parametrize(("inputs", "call", "opset", "expected"), list(cases(DYNAMIC)))
def test_shapes_of_run_time(inputs, call, opset, expected):
    assert node(inputs, call, opset) == expected


@pytest.mark.parametrize(
    ("op", "given", "wanted", "expected"),
    [
        ("Expand", "1,4,1", "N,1,6", "(N, 4, 6)"),
        ("Expand", "N,4,1", "N,1,6", "(N, 4, 6)"),
        ("Expand", "N,4,1", "N,1,1", "(N, 4, 1)"),
        ("Expand", "5,1", "N,M,7", "(?, 5, 7)"),
        ("Reshape", "A,B", "N,M,6", "(?, ?, 6)"),
        ("Reshape", "A,6", "A,2,3", "(A, 2, 3)"),
    ],
)
def test_the_numbers_of_a_shape_with_symbols_are_known(op, given, wanted, expected):
    graph = f"(float[{given}] x, float[{wanted}] z) => (float y) {{ s = Shape(z) y = {op}(x, s) }}"
    assert typed(graph, declared=False) == f"Tensor[{expected}, float32]"


@pytest.mark.parametrize(("policy", "size"), [("stretch", "7, 5"), ("not_larger", "2, 5"), ("not_smaller", "7, 16")])
def test_sizes_in_proportion(policy, size):
    call = f'Resize<axes = [2, 3], keep_aspect_ratio_policy = "{policy}">(x, , , a)'
    graph = f"(float[2,3,9,20] x) => (float y) <int64[2] a = {{7, 5}}> {{ y = {call} }}"
    assert typed(graph, 18, declared=False) == f"Tensor[(2, 3, {size}), float32]"


def test_parts_that_are_not_equal():
    graph = "(float[{}] x) => (float a, float b, float c) {{ a, b, c = Split<num_outputs = 3>(x) }}"
    for extent, parts in ((7, (3, 3, 1)), (1, (1, 0, 0)), (6, (2, 2, 2))):
        shown = ", ".join(f"Tensor[({part}), float32]" for part in parts)
        assert typed(graph.format(extent), 18, declared=False) == f"({shown})"
