"""Small ONNX models for tests, written in ONNX's own text, and the models that the package onnx ships."""

from __future__ import annotations

from pathlib import Path

import onnx
import onnx.parser

from relaylogic.api import infer
from relaylogic.frontend import from_onnx

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
LIGHT = sorted((DATA / "light").glob("*.onnx"))
SIMPLE = sorted((DATA / "simple").glob("*/model.onnx"))


def model(graph: str, opset: int = 17):
    """A model: `(float[2,3] x) => (float[2,3] y) { y = Relu(x) }`."""
    head = f'<ir_version: 8, opset_import: ["" : {opset}, "custom" : 1]>'
    return onnx.parser.parse_model(f"{head} g {graph}")


def typed(graph: str, opset: int = 17, shape=None, declared: bool = True) -> str:
    """The result type of a model that is typed; unless `declared`, without what the model says of its outputs."""
    proto = model(graph, opset)
    if not declared:
        for value in proto.graph.output:
            value.type.Clear()
    result = infer(from_onnx(proto, shape))
    assert result.verdict == "typed", result
    return str(result.functions["main"].ret_type)


def node(inputs: str, call: str, opset: int = 17) -> str:
    """The result type of one node."""
    return typed(f"({inputs}) => (float y) {{ y = {call} }}", opset, declared=False)
