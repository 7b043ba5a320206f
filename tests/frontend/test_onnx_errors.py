"""What cannot be read or converted is said in one message, which names the node."""

from __future__ import annotations

import sys

import onnx
import pytest
from click.testing import CliRunner

from relaylogic.api import infer
from relaylogic.cli.commands import main
from relaylogic.errors import RelayLogicError
from relaylogic.frontend import ONNXError, from_onnx
from relaylogic.frontend.onnx_errors import MissingExtra, MissingOperators
from tests.frontend.models import LIGHT, model


def refused(graph: str, opset: int = 17, shape=None) -> str:
    with pytest.raises(ONNXError) as caught:
        from_onnx(model(graph, opset), shape)
    return str(caught.value)


def test_all_missing_operators_at_once():
    proto = model("(float[2] x) => (float[2] y) { a = Reluu(x) b = Reluu(a) c = custom.Thing(b) y = Sigmoid(c) }")
    with pytest.raises(MissingOperators) as caught:
        from_onnx(proto)
    assert caught.value.operators == {"Reluu": 2, "custom.Thing": 1}
    assert "2 operators have no conversion: Reluu (2 nodes), custom.Thing (1 node)" in str(caught.value)
    assert "the nearest to Reluu that can be converted: Relu" in str(caught.value)
    assert "a = Reluu(x)" in str(caught.value)


def test_missing_operators_of_branches():
    graph = (
        "(bool c, float[2] x) => (float[2] y) { y = If(c) <then_branch = t () => (float[2] a) { a = Huh(x) }, "
        "else_branch = e () => (float[2] b) { b = Neg(x) }> }"
    )
    assert "1 operator has no conversion: Huh (1 node)" in refused(graph)


REFUSED = [
    (
        '(float[1,3,N] x, float[4,3,3] w) => (float y) { y = Conv<auto_pad = "SAME_UPPER", strides = [2]>(x, w) }',
        "pads by the extent N, which is not known",
    ),
    (
        '(float[1,3,9,9] x, float[4,3,3,3] w) => (float y) { y = Conv<auto_pad = "SAME">(x, w) }',
        "auto_pad cannot be 'SAME'",
    ),
    ("(float[1,3,9,9] x, float[4,3,3,3] w) => (float y) { y = Conv<strides = [2]>(x, w) }", "strides of Conv is [2]"),
    ("(float[2,3] x) => (float y) { y = MaxPool<kernel_shape = [2]>(x) }", "one, two or three spatial axes"),
    (
        "(float[2,3] x, int64[1] a) => (float y) { y = ReduceSum(x, a) }",
        "the elements of `a`, which are known at run time only",
    ),
    ("(float[2,3] x) => (float y) { y = Softmax<axis = 2>(x) }", "axis 2 is none of a tensor of rank 2"),
    ("(float[2,3] x) => (float y) { y = Add(x) }", "input 1 of Add is missing"),
    ("(float[2,3] x) => (float y) { y = Relu(z) }", "nothing before this gives the value `z`"),
    ("(float[2,3] x) => (float y) { z = Relu(x) }", "nothing before this gives the value `y`"),
    ('(float[2,3] x) => (float y) { y = Transpose<perm = "no">(x) }', "`perm` of Transpose is of the kind STRING"),
    ("(float[2,3] x) => (float y) { y = Softmax<axis = 1.5>(x) }", "is of the kind FLOAT, but INT is wanted"),
    ("(float[2,3] x) => (float y) { y = Cast(x) }", "Cast has no attribute `to`"),
    ("(float[2,3] x) => (float y) { y = Relu(x, x) }", "Relu may have 1 input at most, not 2"),
    ("(float[2,3] x) => (float y) { y, z = Relu(x) }", "Relu may have 1 output at most, not 2"),
    (
        "(bool c, float[2] x) => (float y) { y = If(c)<then_branch = t () => (float[2] a) { a = Neg(x) }> }",
        "If has no attribute `else_branch`",
    ),
    ("(float[2,3] x) => (float y) { y = Cast<to = 99>(x) }", "the element type 99 has no dtype"),
    ("(seq(float[2]) x) => (int64 y) { y = SequenceLength(x) }", "has a sequence type"),
    ("(complex64[2] x) => (float y) { y = Relu(x) }", "the element type COMPLEX64 has no dtype"),
    ("(optional(float[2]) x) => (float y) { y = Identity(x) }", "has an optional type"),
    ("(float[2] x) => (float[2] y) { y = Trilu(x) }", "Trilu of a tensor of rank 1: it is of matrices"),
    ("(float[1,4,3,4] x) => (float y) { y = SpaceToDepth<blocksize = 2>(x) }", "2 does not divide 3"),
    ("(float[1,6,3,4] x) => (float y) { y = DepthToSpace<blocksize = 2>(x) }", "4 does not divide 6"),
    (
        "(float[2] x) => (bool[2] y) { y = Not(x) }",
        "input 0 of Not is of the element type float, but it is one of bool",
    ),
    (
        "(int8[2] x) => (int8[2] y) { y = BatchNormalization(x, x, x, x, x) }",
        "input 0 of BatchNormalization is of the element type int8, but it is one of bfloat16, double, float, float16",
    ),
    (
        "(float[2,3] x) => (float y) <int64[2] s = {0, -1}> { y = Reshape<allowzero = 1>(x, s) }",
        "Reshape to [0, -1]: beside an extent of 0 nothing tells what -1 is",
    ),
    ("(float[0,N] x) => (float y) <int64[2] s = {0, -1}> { y = Reshape(x, s) }", "beside an extent of 0"),
    ("(float[2,3] x) => (float y) <int64[2] s = {-1, -1}> { y = Reshape(x, s) }", "more than one extent is left"),
    ("(float[2,3] x) => (float y) <int64[2] s = {-2, 3}> { y = Reshape(x, s) }", "Reshape to [-2, 3]: -2 is no extent"),
    ("(float[N,3] x) => (float y) <int64[2] s = {1, 4}> { y = Expand(x, s) }", "an extent of 3 does not become 4"),
    ("(float[N,3] x) => (float y) <int64[2] a = {0, -4}> { y = Unsqueeze(x, a) }", "names an axis twice: [0, -4]"),
    ("(float[5] x) => (float y, float z) { y, z = Split(x) }", "5 elements have no 2 equal parts"),
    (
        "(float[5] x) => (float y, float z) <int64[2] s = {6, 0}> { y, z = Split(x, s) }",
        "Split makes 2 parts of 5 elements, not [6, 0]",
    ),
    ("(float[5] x) => (float y, int64 z) <int64[1] k = {6}> { y, z = TopK(x, k) }", "TopK takes 6 of 5 elements"),
    ("(float[5] x) => (float y) <int64[2] k = {1, 2}> { y, z = TopK(x, k) }", "input 1 of TopK is one number, not 2"),
    ("(float[5] x) => (float y) <int64[2] a = {0, 0}> { y = CumSum(x, a) }", "input 1 of CumSum is one number, not 2"),
    (
        "(int64[5] x, float[2] v) => (float y) <int64[2] d = {3, 4}> { y = OneHot(x, d, v) }",
        "input 1 of OneHot is one number, not 2",
    ),
    (
        "(float x) => (int64[3] y) <int64 a = {0}, int64[2] b = {3, 4}, int64 c = {1}> { y = Range(a, b, c) }",
        "input 1 of Range is one number, not 2",
    ),
    (
        "(float[2,3] x, float[3] l) => (float y) { y = Clip(x, l) }",
        "input 1 of Clip is a scalar, not a tensor of rank 1",
    ),
    (
        "(float[2,3] x) => (float y) <float[2] m = {0.5, 1.5}> { y = Clip(x, , m) }",
        "input 2 of Clip is a scalar, not a tensor of rank 1",
    ),
    (
        "(float[2,3] a, float[3,1] b, float[1,4] c) => (float y) { y = Gemm(a, b, c) }",
        "C of Gemm broadcasts to the product, but [1, 4] does not become [2, 1]",
    ),
    (
        "(float[2,3] a, float[3,4] b, float[1,2,4] c) => (float y) { y = Gemm(a, b, c) }",
        "C of Gemm broadcasts to the product, but [1, 2, 4] does not become [2, 4]",
    ),
    ("(float[2,3] x) => (float y) <int64[3] n = {1, 1, 1}> { y = Tile(x, n) }", "Tile repeats each of 2 axes, not 3"),
    (
        "(float[2] x) => (float y) { y = Relu(x) y = Neg(y) }",
        "`y` is given already: each value of a graph has a name of its own",
    ),
    ("(float[2] x) => (float y) { x = Relu(x) y = Neg(x) }", "`x` is given already"),
]


@pytest.mark.parametrize(("graph", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_node_without_conversion(graph, message):
    assert message in refused(graph)


def test_what_relay_does_not_quantize_to():
    """It was refuted, though nothing is wrong with the model."""
    small = "QuantizeLinear of int4 has no conversion: Relay quantizes to int8, uint8, int16, uint16, int32"
    assert small in refused("(float[2] x, float s, int4 z) => (int4[2] y) { y = QuantizeLinear(x, s, z) }", 21)
    assert "DequantizeLinear of uint4 has no conversion" in refused(
        "(uint4[2] x, float s) => (float[2] y) { y = DequantizeLinear(x, s) }", 21
    )


def test_what_a_huge_shape_gives_is_not_known():
    """A comparison of what nobody knows the type of ended in an AttributeError."""
    proto = model("(float[2,3] x) => (float y) { a = Reshape(x, sizes) b = Less(a, a) y = Cast<to = 1>(b) }")
    proto.graph.initializer.append(onnx.TensorProto(name="sizes", data_type=7, dims=[1 << 62, 1 << 45]))
    with pytest.raises(ONNXError, match="whether `a`, input 0 of Less, is a tensor"):
        from_onnx(proto)


def test_shapes_for_inputs():
    graph = "(float[2,3] data) => (float y) { y = Relu(data) }"
    assert "did you mean `data`?" in refused(graph, shape={"dat": (1, 2)})
    assert "has 1.5 as an extent" in refused(graph, shape={"data": (1.5, 2)})
    assert "has -1 as an extent" in refused(graph, shape={"data": (-1, 2)})


def test_refutation_names_the_node():
    result = infer(
        from_onnx(model("(float[2,3] x, float[2] z) => (float y) { a = Relu(x) [odd] b = Add(a, z) y = Relu(b) }"))
    )
    assert result.verdict == "refuted"
    places = [place for error in result.errors for place in (error, *error.related)]
    spans = [place.span.text for place in places if place.span is not None]
    assert "b = Add(a, z) # odd" in spans


@pytest.mark.parametrize(
    ("graph", "said", "unsaid"),
    [
        ("(float[2,1] x, float[N] z) => (float y) { y = MatMul(x, z) }", "`%x` is annotated", "axis"),
        ("(float[2,6] x, float[2,3] z) => (float y) { y = MatMul(x, z) }", "`%z` is annotated", "transpose_"),
        (
            "(float[2,3] x, float[4,3] z) => (float y) { y = Concat<axis = 1>(x, z) }",
            "consistent with `axis=0` here",
            "?",
        ),
    ],
)
def test_attributes_are_corrected_that_the_node_has(graph, said, unsaid):
    """Those of the calls that a node becomes were named where the node has none: the error was `axis=0`, alone."""
    proto = model(graph)
    proto.graph.output[0].type.Clear()
    (error,) = infer(from_onnx(proto)).errors
    told = "\n".join([error.message, *error.hints])
    assert said in told and unsaid not in told


def test_the_listing_shows_short_attributes():
    graph = '(float[1,1,4,4] x) => (float y) { y = MaxPool<kernel_shape = [2,2], auto_pad = "NOTSET", pads = [1]>(x) }'
    assert 'y = MaxPool<kernel_shape=[2, 2], auto_pad="NOTSET", pads=[1]>(x)' in refused(graph)


BROKEN = [b"", b"\x00\x01", b"def @main() { 1 }", b"\xff" * 100, LIGHT[0].read_bytes()[:1000], 3, None]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_no_model(broken):
    with pytest.raises(ONNXError):
        from_onnx(broken)


def test_names_that_are_no_text():
    with pytest.raises(ONNXError, match="is not UTF-8"):
        from_onnx(
            model("(float[2] x) => (float[2] y) { y = Relu(x) }").SerializeToString().replace(b"Relu", b"\xff\xfe\xfdu")
        )


def test_no_file(tmp_path):
    with pytest.raises(ONNXError, match="cannot be read"):
        from_onnx(tmp_path / "none.onnx")
    with pytest.raises(ONNXError, match="is a directory"):
        from_onnx(tmp_path)
    for no_name in ("a\0b.onnx", "\ud800.onnx"):
        with pytest.raises(ONNXError, match="cannot be read"):
            from_onnx(no_name)


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match=r"pip install relaylogic\[onnx\]") as caught:
        from_onnx(b"")
    assert isinstance(caught.value, RelayLogicError)


def test_command_line(tmp_path):
    good, odd, bad = (tmp_path / f"{name}.onnx" for name in ("good", "odd", "bad"))
    onnx.save(model("(float[N,3] x) => (float[N,3] y) { y = Relu(x) }"), good)
    onnx.save(model("(float[N,3] x) => (float[N,4] y) { y = Relu(x) }"), odd)
    bad.write_bytes(b"no model")
    for path, code in ((good, 0), (odd, 1), (bad, 2), (tmp_path / "none.onnx", 2)):
        outcome = CliRunner().invoke(main, ["infer", str(path)])
        assert outcome.exit_code == code, outcome.output
        assert isinstance(outcome.exception, (SystemExit, type(None)))
