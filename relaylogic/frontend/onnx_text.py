"""Operators on strings. Relay has none, so they are functions of the module that have a type only."""

from __future__ import annotations

from typing import Any

from ..types import ANY, TensorType
from .onnx_node import Node
from .onnx_values import Value

__all__ = ["TEXT"]


def _normalise(node: Node) -> Value:
    """StringNormalizer: as many strings as there were, unless some are dropped, which shows at run time only."""
    x, shape = node.value(0), node.shape()
    if len(shape) not in (1, 2):
        raise node.fail(f"StringNormalizer of a tensor of rank {len(shape)}: it is 1 or 2")
    result = TensorType((*shape[:-1], ANY), x.type.dtype) if node.attr("stopwords") else x.type
    return node.graph.declared("onnx.StringNormalizer", [x], result)


TEXT: dict[str, Any] = {"StringNormalizer": _normalise}
