"""Converting the nodes of a graph in their order; the operator If, whose branches are graphs."""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import Any

from ..ir import Expr, If, Span, Tuple
from ..types import TupleType, show_type
from .onnx_fold import folded
from .onnx_graph import Graph
from .onnx_load import Listing
from .onnx_node import Node
from .onnx_open import of_one_type
from .onnx_operators import CONVERTERS, operator_name
from .onnx_schema import check_node
from .onnx_types import denied
from .onnx_values import Sequence, Value, single

__all__ = ["convert_graph", "expression", "is_known"]


# What a converter trips over in a node that is not as its operator's specification says: a list that is too short, an
# axis that is none. Its own errors are ONNXErrors.
_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def is_known(name: str) -> bool:
    """Whether an operator has a conversion."""
    return name in CONVERTERS or name == "If"


def convert_graph(graph: Graph, proto: Any, listing: Listing | None = None) -> list[Value | Sequence]:
    """The values of a graph's outputs. Raises ONNXError, Refused."""
    for tensor in proto.initializer:
        graph.values[tensor.name] = graph.weight(tensor, tensor.name)
    if proto.sparse_initializer:
        raise graph.fail("sparse initializers have no conversion")
    said = {value.name: value for value in proto.value_info}
    given = {value.name for value in (*proto.input, *proto.initializer)}
    for index, item in enumerate(proto.node):
        if listing is not None:
            graph.span = listing.span("node", index)
        domain = "" if item.domain == "ai.onnx" else item.domain
        version = graph.versions.get(domain, 1)
        check_node(graph, item, version)
        node = Node(graph, item, version)
        try:
            values = _converted(node, operator_name(item))
        except _NONSENSE as problem:
            raise graph.fail(f"this {node.op} is malformed: {type(problem).__name__}: {problem}") from problem
        for name, value in zip(node.outputs, values):
            if name in given:
                raise graph.fail(f"`{name}` is given already: each value of a graph has a name of its own")
            given.update([name] if name else ())
            graph.values[name] = value
            if name in said and isinstance(value, Value):
                _check(graph, said[name], value)
        graph.done.append(node)
    found = []
    for index, output in enumerate(proto.output):
        graph.span = listing.span("output", index) if listing is not None else graph.span
        found.append(graph.value(output.name))
    return found


def _check(graph: Graph, said: Any, value: Value) -> None:
    """Raises ONNXError if the model says something else of a value than what its node gives."""
    other = denied(said, value.type, graph.are_others)
    if other:
        raise graph.fail(f"the model says that `{said.name}` is {other}, but this gives {show_type(value.type)}")


def _converted(node: Node, name: str) -> list[Any]:
    if name == "If":
        return _if(node)
    elements = folded(node)
    result = CONVERTERS[name](node)
    if elements is not None and isinstance(result, Value):
        elements = _rounded(elements, result.type.dtype)
        if all(isinstance(item, (int, float)) for item in elements.ravel().tolist()):
            return [node.graph.constant(elements, result.type.dtype)]
        result = Value(node.graph, result.expr, result.type, elements)
    return result if isinstance(result, list) else [result]


def _rounded(elements: Any, dtype: Any) -> Any:
    """Elements as a tensor of a dtype holds them: what a product of extents and a scale is cut to may depend on it."""
    import numpy

    if dtype != "float32":
        return elements
    rounded = [single(item) if isinstance(item, float) else item for item in elements.ravel().tolist()]
    return numpy.array([*rounded, None], dtype=object)[:-1].reshape(elements.shape)


def _if(node: Node) -> list[Any]:
    """A branch that the graph chooses stands for the node; else both, as a tuple if there are several outputs."""
    condition = node.value(0)
    if condition.numbers is not None:
        taken = "then_branch" if node.number(0) else "else_branch"
        return convert_graph(Graph(node.graph), node.attr(taken))
    if condition.type.shape != ():
        condition = node.call("reshape", condition, newshape=())
    values = [convert_graph(Graph(node.graph), node.attr(name)) for name in ("then_branch", "else_branch")]
    if len({len(branch) for branch in values}) > 1:
        raise node.fail("the branches of If have different numbers of results")
    if not all(isinstance(value, Value) for branch in values for value in branch):
        raise node.fail("If with a sequence as a result has no conversion")
    met = [of_one_type(node, both, "the results") for both in zip(*values)]
    then, other = (expression(node.graph, branch, node.graph.span) for branch in zip(*met))
    types = [first.type for first, _ in met]
    chosen = If(condition.expr, then, other, node.graph.span)
    if len(types) == 1:
        return [Value(node.graph, chosen, types[0])]
    return node.graph.fields(Value(node.graph, chosen, TupleType(tuple(types))))


def expression(graph: Graph, values: Items[Value | Sequence | None], span: Span | None = None) -> Expr:
    """Outputs as one expression: several are a tuple, and so is a sequence."""
    found = []
    for value in values:
        if isinstance(value, Value):
            found.append(value.expr)
        elif value is None:
            raise graph.fail("an output of the graph is an input that is left out")
        elif None in value.items:
            raise graph.fail("the sizes of the items of this sequence are known at run time only")
        else:
            found.append(Tuple([item.expr for item in value.items if item is not None], span))
    return found[0] if len(found) == 1 else Tuple(found, span)
