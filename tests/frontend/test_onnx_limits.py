"""Small models that would become enormous, or never end, are refused at once, and the limit is named."""

from __future__ import annotations

import tracemalloc

import onnx
import onnx.parser
import pytest

from relaylogic.api import infer
from relaylogic.frontend import ONNXError, from_onnx, onnx_functions
from tests.counted import at_most
from tests.frontend.models import model

IMPORTS = '<opset_import: ["" : 17, "d" : 1], domain: "d">'
HEAD = '<ir_version: 8, opset_import: ["" : 17, "d" : 1]>'
CALL = "g (float[2] x) => (float[2] y) { y = d.F0(x) }"


def of_functions(*bodies: str) -> onnx.ModelProto:
    """A model that calls `F0`; the bodies take `x` and give `y`."""
    functions = [f"{IMPORTS} F{i} (x) => (y) {{ {body} }}" for i, body in enumerate(bodies)]
    return onnx.parser.parse_model("\n".join([f"{HEAD} {CALL}", *functions]))


def refused(proto: onnx.ModelProto) -> str:
    with at_most(100_000), pytest.raises(ONNXError) as caught:
        from_onnx(proto)
    return caught.value.message


def doubling(times: int) -> onnx.ModelProto:
    calls = [f"a = d.F{i + 1}(x) y = d.F{i + 1}(a)" for i in range(times)]
    return of_functions(*calls, "y = Relu(x)")


@pytest.mark.parametrize("times", [17, 25, 200])
def test_functions_that_double(times):
    assert "more than 100,000 nodes" in (said := refused(doubling(times))) and "MOST_NODES" in said


def test_functions_that_do_not_double_much_are_put_in():
    module = from_onnx(doubling(5))
    assert infer(module).verdict == "typed" and str(module).count("nn.relu") == 32


def test_functions_with_large_constants(monkeypatch):
    monkeypatch.setattr(onnx_functions, "MOST_BYTES", 1_000)
    numbers = ", ".join(["1.5"] * 100)
    bodies = ["y = d.F1(x)", f"c = Constant<value = float[100] {{{numbers}}}>() y = Relu(x)"]
    assert infer(from_onnx(of_functions(*bodies))).verdict == "typed"
    bodies[0] = "a = d.F1(x) b = d.F1(a) c = d.F1(b) e = d.F1(c) f = d.F1(e) y = d.F1(f)"
    assert "MOST_BYTES" in refused(of_functions(*bodies))


@pytest.mark.parametrize(
    "bodies",
    [
        ["y = d.F0(x)"],
        ["y = d.F1(x)", "a = Relu(x) y = d.F0(a)"],
        ["y = d.F1(x)", "y = d.F2(x)", "y = d.F1(x)"],
        [
            "c = Constant<value = bool {1}>() y = If(c) <then_branch = t () => (float[2] a) { a = d.F0(x) }, "
            "else_branch = e () => (float[2] b) { b = Neg(x) }>"
        ],
    ],
)
def test_functions_that_call_themselves(bodies):
    assert "calls itself" in refused(of_functions(*bodies))


@pytest.mark.parametrize("form", ["initializer", "Constant", "ConstantOfShape"])
def test_no_other_file_is_read(form, tmp_path, monkeypatch):
    (tmp_path / "secret.bin").write_bytes((7).to_bytes(8, "little"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("onnx.external_data_helper.load_external_data_for_tensor", None)
    tensor = onnx.TensorProto(name="s", data_type=onnx.TensorProto.INT64, dims=[1])
    tensor.data_location = tensor.EXTERNAL
    tensor.external_data.add(key="location", value="secret.bin")
    made = "" if form == "initializer" else "s = Constant<value = int64[1] {2}>()"
    made += " o = ConstantOfShape<value = int64[1] {2}>(s)" if form == "ConstantOfShape" else " o = Identity(s)"
    proto = model(f"(float[49] x) => (float y) {{ {made} y = Reshape(x, o) }}")
    proto.graph.output[0].type.Clear()
    if form == "initializer":
        proto.graph.initializer.add().CopyFrom(tensor)
    else:
        proto.graph.node[form == "ConstantOfShape"].attribute[0].t.CopyFrom(tensor)
    if form == "ConstantOfShape":
        assert "which the model holds" in refused(proto)
    else:  # what the shape is, is in the other file
        assert str(infer(from_onnx(proto)).functions["main"].ret_type) == "Tensor[(?), float32]"


def squared(times: int, first: str) -> onnx.ModelProto:
    squares = " ".join(f"a{i + 1} = Mul(a{i}, a{i})" for i in range(times))
    return model(f"(float[N,M] x) => (float y) {{ {first} {squares} y = Reshape(x, a{times}) }}")


def test_a_constant_that_is_squared():
    said = refused(squared(41, "a0 = Constant<value = int64[1] {3}>()"))
    assert "more than 64 bits" in said and "MOST_BITS" in said


def test_an_extent_that_is_squared():
    said = refused(squared(41, "s = Shape(x) a0 = Add(s, s)"))
    assert "MOST_PARTS" in said
    said = refused(squared(41, "s = Shape(x) o = Constant<value = int64[1] {1}>() a0 = Add(s, o)"))
    assert "MOST_PARTS" in said


def test_a_float_that_is_squared_is_infinite():
    squares = " ".join(f"a{i + 1} = Mul(a{i}, a{i})" for i in range(41))
    graph = f"(float[2] x) => (float[2] y) {{ a0 = Constant<value = float {{3.0}}>() {squares} y = Mul(x, a41) }}"
    assert infer(from_onnx(model(graph))).verdict == "typed"


def test_no_elements_of_large_extents():
    proto = model("(float[3] x) => (float[n] y) <int64[1] none = {0}> { a = Add(none, none) y = Reshape(x, a) }")
    proto.graph.initializer[0].dims[:] = [2**31, 2, 0]
    proto.graph.initializer[0].ClearField("int64_data")
    with at_most(100_000):
        module = from_onnx(proto)
    assert infer(module).verdict == "refuted"


INPUTS = {
    **dict.fromkeys(("ConstantOfShape", "ReduceProd", "Identity", "Cast", "If", "Neg"), 1),
    **dict.fromkeys(("Reshape", "Expand", "Tile", "Squeeze", "Unsqueeze", "Gather", "Split", "Add"), 2),
    **dict.fromkeys(("Range", "OneHot", "Where", "Slice", "Resize", "Max", "Pad"), 3),
}


@pytest.mark.parametrize("made", [False, True], ids=["held", "reshaped"])
@pytest.mark.parametrize("op", INPUTS)
def test_extents_before_a_0_are_not_listed(op, made):
    """As lists in lists, nothing takes as much room as those extents say."""
    extents = 2**20, 0
    held = onnx.helper.make_tensor("none", onnx.TensorProto.INT64, (0,) if made else extents, [])
    shape = onnx.helper.make_tensor("extents", onnx.TensorProto.INT64, [2], extents)
    nodes = [onnx.helper.make_node("Reshape", ["none", "extents"], ["no"])] if made else []
    nodes.append(onnx.helper.make_node(op, ["no" if made else "none"] * INPUTS[op], ["y"]))
    result = onnx.helper.make_empty_tensor_value_info("y")
    graph = onnx.helper.make_graph(nodes, "g", [], [result], initializer=[held, shape])
    tracemalloc.start()
    try:
        from_onnx(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)]))
    except ONNXError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize("op", ["Max", "Min"])
def test_operands_whose_extents_multiply(op):
    """Sixty elements each: broadcast to each other they would be 60**5."""
    names = [f"w{i}" for i in range(5)]
    shapes = [[60 if axis == own else 1 for axis in range(5)] for own in range(5)]
    held = [onnx.helper.make_tensor(n, onnx.TensorProto.INT64, s, range(60)) for n, s in zip(names, shapes)]
    result = onnx.helper.make_empty_tensor_value_info("y")
    graph = onnx.helper.make_graph([onnx.helper.make_node(op, names, ["y"])], "g", [], [result], held)
    with at_most(200_000):
        module = from_onnx(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)]))
    assert infer(module).verdict == "typed"


@pytest.mark.parametrize(
    "text",
    [
        "g (float[1099511627776, 3] x) => (float y) { q = SplitToSequence(x) y = SequenceLength(q) }",
        "g (float[9, 3] x, int64[1099511627776] s) => (float y) { q = SplitToSequence(x, s) y = SequenceLength(q) }",
    ],
)
def test_a_sequence_of_more_pieces_than_can_be_listed(text):
    assert "MOST_PIECES" in refused(onnx.parser.parse_model(f"{HEAD} {text}"))


def test_as_many_bounds_of_a_slice_as_no_tensor_has_axes():
    """There was no memory for the list of the axes that they are about."""
    text = "g (float[2, 3] x, int64[1099511627776] a, int64[1099511627776] b) => (float y) { y = Slice(x, a, b) }"
    assert "Slice of some axes" in refused(onnx.parser.parse_model(f"{HEAD} {text}"))
