"""A model out of a file, bytes or memory; and its listing, which stands for its source text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..errors import on_one_line
from ..host.files import bytes_of
from ..ir import Source, Span
from .onnx_errors import MissingExtra, ONNXError
from .onnx_functions import inlined

__all__ = ["Listing", "load_model", "onnx_package"]

_SHORT = 40
"""What a listing says of an attribute has at most so many letters or numbers."""


def onnx_package() -> Any:
    """The package onnx. Raises MissingExtra if it is not installed."""
    try:
        import onnx
        import onnx.defs
        import onnx.inliner
        import onnx.numpy_helper
    except ImportError:
        raise MissingExtra from None
    return onnx


def load_model(model: Any) -> tuple[Any, str]:
    """The ModelProto and a name for it. Weights kept in other files are not read. Raises ONNXError."""
    onnx = onnx_package()
    name = "<onnx>"
    if isinstance(model, (str, os.PathLike)):
        name = on_one_line(os.fsdecode(model))
        try:
            with open(model, "rb") as file:
                model = bytes_of(file)
        except IsADirectoryError:
            raise ONNXError(f"{name} is a directory; name the model in it") from None
        except (OSError, ValueError) as problem:  # ValueError: no file can have this name
            raise ONNXError(f"{name} cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    if isinstance(model, (bytes, bytearray, memoryview)):
        model = _parsed(onnx, bytes(model), name)
    if not isinstance(model, onnx.ModelProto):
        raise ONNXError(f"a model is a ModelProto, bytes or a path, not a {type(model).__name__}")
    if not model.HasField("graph") or not (model.graph.node or model.graph.output):
        raise ONNXError(f"{name} is no ONNX model: there is no graph in it")
    if not all(isinstance(name, str) for name in _names(model)):
        raise ONNXError(f"{name} is no ONNX model: a name in it is not UTF-8")
    return inlined(onnx, model, name), name


def _parsed(onnx: Any, data: bytes, name: str) -> Any:
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except Exception as problem:  # protobuf's DecodeError, whose home depends on its version
        raise ONNXError(f"{name} is no ONNX model: {_first_line(problem)}") from None
    return model


def _names(model: Any) -> Iterator[Any]:
    """Every name in a model; one that is not UTF-8 comes as bytes."""
    yield from (item.domain for item in model.opset_import)
    graphs = [model.graph]
    while graphs:
        graph = graphs.pop()
        yield from (tensor.name for tensor in graph.initializer)
        for value in (*graph.input, *graph.output):
            yield value.name
            yield from (extent.dim_param for extent in value.type.tensor_type.shape.dim)
        for node in graph.node:
            yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
            for attribute in node.attribute:
                yield attribute.name
                if attribute.HasField("g"):
                    graphs.append(attribute.g)


def _first_line(problem: Exception) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


class Listing:
    """A graph as text, a line for each input, node and output, so that what refers to one has a place to point to."""

    def __init__(self, graph: Any, name: str) -> None:
        lines = list(_lines(graph))
        self.source = Source("\n".join(text for _, _, text in lines) + "\n", name)
        self._spans: dict[tuple[str, int], Span] = {}
        offset = 0
        for kind, index, text in lines:
            self._spans[kind, index] = Span(self.source, offset, offset + len(text))
            offset += len(text) + 1

    def span(self, kind: str, index: int) -> Span | None:
        """The line of the `index`-th "input", "node" or "output"."""
        return self._spans.get((kind, index))


def _lines(graph: Any) -> Iterator[tuple[str, int, str]]:
    for index, value in enumerate(graph.input):
        yield "input", index, _plain(f"input {value.name}")
    for index, node in enumerate(graph.node):
        results = ", ".join(node.output) or "()"
        called = f"{node.domain}.{node.op_type}" if node.domain not in ("", "ai.onnx") else node.op_type
        name = f"  # {node.name}" if node.name else ""
        yield "node", index, _plain(f"{results} = {called}{_settings(node)}({', '.join(node.input)}){name}")
    for index, value in enumerate(graph.output):
        yield "output", index, _plain(f"output {value.name}")


def _settings(node: Any) -> str:
    """The attributes of a node that are whole numbers, short lists of these, or words, as ONNX writes them."""
    said = []
    for item in node.attribute:
        kind = item.AttributeType.Name(item.type) if item.type in item.AttributeType.values() else ""
        if kind == "INT":
            said.append(f"{item.name}={item.i}")
        elif kind == "INTS" and len(item.ints) <= _SHORT:
            said.append(f"{item.name}=[{', '.join(map(str, item.ints))}]")
        elif kind == "STRING" and len(item.s) <= _SHORT:
            said.append(f'{item.name}="{item.s.decode("utf-8", "replace")}"')
    return f"<{', '.join(said)}>" if said else ""


def _plain(text: str) -> str:
    """The text on one line: names may hold anything."""
    return " ".join(text.split())
