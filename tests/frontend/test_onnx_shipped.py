"""The models that the package onnx ships: each is typed, and its results have the shapes that onnx finds."""

from __future__ import annotations

import onnx
import pytest

from relaylogic.api import infer, parse
from relaylogic.frontend import from_onnx
from relaylogic.text import astext
from relaylogic.types import TupleType
from tests.effort import some
from tests.frontend.models import LIGHT, SIMPLE


def results(inference):
    found = inference.functions["main"].ret_type
    return found.fields if isinstance(found, TupleType) else (found,)


def found_by_onnx(proto):
    inferred = onnx.shape_inference.infer_shapes(proto, strict_mode=True, data_prop=True)
    for value in inferred.graph.output:
        yield [
            extent.dim_value if extent.HasField("dim_value") else None for extent in value.type.tensor_type.shape.dim
        ]


def agree(inference, proto):
    """Whether all extents are those of onnx; where onnx knows none, ours may be anything."""
    ours, theirs = results(inference), list(found_by_onnx(proto))
    assert len(ours) == len(theirs)
    for type_, shape in zip(ours, theirs):
        assert len(type_.shape) == len(shape)
        assert all(extent in (None, own) for own, extent in zip(type_.shape, shape)), (type_, shape)


def test_that_there_are_models():
    assert len(LIGHT) == 9
    assert len(SIMPLE) >= 20


@pytest.mark.parametrize(
    "path", LIGHT + SIMPLE, ids=lambda path: path.stem if path.stem != "model" else path.parent.name
)
def test_shipped_model(path):
    proto = onnx.load(path)
    module = from_onnx(path)
    inference = infer(module)
    assert inference.verdict == "typed", inference
    agree(inference, proto)
    again = infer(parse(astext(module)))
    assert (again.verdict, str(again.functions["main"])) == ("typed", str(inference.functions["main"]))


@pytest.mark.parametrize("path", some(LIGHT, 2), ids=lambda path: path.stem)
def test_result_without_a_declaration(path):
    """What the model says of its result is checked, not believed: without it the answer is the same."""
    proto = onnx.load(path)
    for value in proto.graph.output:
        value.type.Clear()
    agree(infer(from_onnx(proto)), onnx.load(path))


@pytest.mark.parametrize("path", some(LIGHT, 2), ids=lambda path: path.stem)
def test_symbolic_batch(path):
    """With a name for the batch, the result has it, unless a reshape of the model says 1."""
    proto = onnx.load(path)
    held = {tensor.name for tensor in proto.graph.initializer}
    (data,) = (value for value in proto.graph.input if value.name not in held)
    data.type.tensor_type.shape.dim[0].dim_param = "N"
    reshapes = any(item.op_type == "Reshape" for item in proto.graph.node)
    proto.graph.output[0].type.Clear()
    inference = infer(from_onnx(proto))
    if reshapes:
        assert inference.verdict in ("typed", "refuted")
        return
    assert inference.verdict == "typed", inference
    (result,) = results(inference)
    assert str(result.shape[0]) == "N"
    assert str(inference.functions["main"]).startswith("fn [N: ShapeVar](Tensor[(N, 3, 224, 224), float32]")
