"""ONNX models as Relay modules.

`onnx_load` reads, `onnx_operators` holds the table of what becomes what, `onnx_graph` makes and types the calls. The
module has one function, `main`, of the model's inputs and its weights. A symbolic extent of the model is a type
parameter of `main`; one that has neither a value nor a name is `?`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..host.governor import governed
from ..ir import Function, IRModule, free_vars
from ..types import TupleType
from .onnx_body import convert_graph, expression, is_known
from .onnx_errors import MissingOperators
from .onnx_graph import Graph, Refused
from .onnx_load import Listing, load_model
from .onnx_operators import CONVERTERS, operator_name
from .onnx_types import Extents

__all__ = ["from_onnx"]


def from_onnx(model: Any, shape: Mapping[str, Sequence[Any]] | None = None) -> IRModule:
    """The Relay module of a model: a ModelProto, bytes, or the path of a file.

    `shape` maps names of inputs to other shapes for them: numbers, names of type parameters, None for `?`. What the
    model says of its outputs is the result type of `main`, unless `shape` is given. A node that the rules refuse is
    the last that is converted; inference then says why. Raises ONNXError: for a file that is no model, for
    operators without conversion (MissingOperators, all at once), and for a node that has none as it stands.
    Raises LimitReached.
    """
    return governed(lambda: _module(model, shape))


def _module(model: Any, shape: Mapping[str, Sequence[Any]] | None) -> IRModule:
    proto, name = load_model(model)
    listing = Listing(proto.graph, name)
    _check_operators(proto.graph, listing)
    graph, extents = Graph(), Extents(shape)
    graph.versions = {"" if item.domain == "ai.onnx" else item.domain: item.version for item in proto.opset_import}
    graph.are_others = bool(shape)
    weights = [tensor.name for tensor in proto.graph.initializer]
    held = set(weights)
    extents.check([value.name for value in proto.graph.input if value.name not in held])
    inputs = []
    for index, value in enumerate(proto.graph.input):
        graph.span = listing.span("input", index)
        if value.name not in held:
            inputs.append(graph.input(value.name, extents.input_type(value, graph.span)))
    graph.span = None
    place, result = listing.span("output", 0), None
    try:
        body = expression(graph, convert_graph(graph, proto.graph, listing), place)
        result = _result_type(proto.graph, extents, listing)
    except Refused as refused:
        body = refused.expr
    used = {variable.name_hint: variable for variable in free_vars(body) if variable not in inputs}
    params = [*inputs, *(used.pop(weight) for weight in weights if weight in used), *used.values()]
    module = IRModule(source=listing.source)
    module.declarations.update(graph.declarations)
    module.add("main", Function(params, body, result, list(extents.symbols.values()), span=place, ret_span=place))
    return module


def _check_operators(graph: Any, listing: Listing) -> None:
    """Raises MissingOperators if some have no converter."""
    missing: Counter[str] = Counter()
    first = None
    for index, node in enumerate(graph.node):
        for inner in _nested(node):
            name = operator_name(inner)
            if not is_known(name):
                missing[name] += 1
                first = first or listing.span("node", index)
    if missing:
        raise MissingOperators(missing, CONVERTERS, first)


def _nested(node: Any) -> Iterator[Any]:
    """A node, and those of the graphs in its attributes."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        for attribute in item.attribute:
            if attribute.HasField("g"):
                stack.extend(reversed(attribute.g.node))


def _result_type(proto: Any, extents: Extents, listing: Listing) -> Any:
    """What the model says of its outputs."""
    types = [extents.output_type(value, listing.span("output", index)) for index, value in enumerate(proto.output)]
    return types[0] if len(types) == 1 else TupleType(tuple(types))
