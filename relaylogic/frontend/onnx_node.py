"""A node as its converter sees it."""

from __future__ import annotations

from typing import Any

from .onnx_graph import Graph
from .onnx_load import onnx_package
from .onnx_values import Sequence, Value

__all__ = ["Node"]


class Node:
    """A node: its operator, the operator set's version, its inputs, attributes and the names of its outputs."""

    def __init__(self, graph: Graph, proto: Any, version: int) -> None:
        self.graph = graph
        self.op: str = proto.op_type
        self.name: str = proto.name
        self.version = version
        self.inputs = [graph.value(name) if name else None for name in proto.input]
        self.input_names = list(proto.input)
        self.outputs = list(proto.output)
        self.attributes = {item.name: item for item in proto.attribute}
        self.call = graph.call
        self.fail = graph.fail

    # ---- inputs

    def has(self, index: int) -> bool:
        """Whether there is an input there."""
        return index < len(self.inputs) and self.inputs[index] is not None

    def value(self, index: int) -> Value:
        """The tensor that is input `index`. Raises ONNXError."""
        found = self.inputs[index] if index < len(self.inputs) else None
        if not isinstance(found, Value):
            what = "missing" if found is None else "a sequence, not a tensor"
            raise self.fail(f"input {index} of {self.op} is {what}")
        return found

    def sequence(self, index: int) -> Sequence:
        """The sequence that is input `index`. Raises ONNXError."""
        found = self.inputs[index] if index < len(self.inputs) else None
        if not isinstance(found, Sequence):
            raise self.fail(f"input {index} of {self.op} is no sequence")
        return found

    @property
    def values(self) -> list[Value]:
        """All inputs, which are tensors. Raises ONNXError."""
        return [self.value(index) for index in range(len(self.inputs))]

    # ---- attributes, and inputs that say what attributes said before

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute: int, float, str, list of these, or a TensorProto."""
        item = self.attributes.get(name)
        if item is None:
            return default
        found = onnx_package().helper.get_attribute_value(item)
        if isinstance(found, bytes):
            return found.decode("utf-8", "replace")
        return list(found) if hasattr(found, "__len__") and not isinstance(found, (str, list)) else found

    def constant(self, index: int) -> Any:
        """The elements of an input as an object array of numbers. Raises ONNXError if they are not known."""
        found = self.value(index).numbers
        if found is None:
            elements = f"the elements of `{self.input_names[index]}`, which are known at run time only"
            raise self.fail(f"what {self.op} becomes depends on {elements}")
        return found

    def number(self, index: int) -> Any:
        """The number that an input holds. Raises ONNXError if it holds several or none, or is not known."""
        found = self.constant(index)
        if found.size != 1:
            raise self.fail(f"input {index} of {self.op} is one number, not {found.size}")
        return found.item()

    def setting(self, name: str, index: int, default: Any = None) -> Any:
        """What an attribute says, or in later versions an input that is constant: a number, or a list of them."""
        if name in self.attributes:
            return self.attr(name)
        return self.constant(index).tolist() if self.has(index) else default

    def integers(self, name: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
        """An attribute that is a list of integers."""
        return tuple(int(item) for item in self.attr(name, default))

    # ---- shorthands

    def shape(self, index: int = 0) -> tuple[Any, ...]:
        """The extents of an input. Raises ONNXError if their number is not known."""
        return self.graph.shape(self.value(index))

    def rank(self, index: int = 0) -> int:
        """The number of axes of an input. Raises ONNXError if it is not known."""
        return self.graph.rank(self.value(index))

    def known_shape(self, index: int = 0) -> tuple[Any, ...] | None:
        """The extents of an input; None if their number is not known."""
        found = getattr(self.value(index).type, "shape", None)
        return found if isinstance(found, tuple) else None

    def axis(self, default: int = 0, index: int = 0) -> int:
        """The attribute `axis` as an axis of an input, counted from the front. Raises ONNXError."""
        return self.graph.axis(self.value(index), int(self.attr("axis", default)))
