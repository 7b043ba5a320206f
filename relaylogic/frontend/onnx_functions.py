"""Functions that a model defines, put in where they are called, as long as what comes of it has a bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .onnx_errors import ONNXError

__all__ = ["MOST_NODES", "inlined"]

MOST_NODES = 100_000
"""So many nodes may come of putting functions in; 17 functions that call each other twice make more."""

MOST_BYTES = 256 << 20
"""So many bytes may be added by putting functions in, in which constants may be large."""

_Key = tuple[str, str, str]


def inlined(onnx: Any, model: Any, name: str) -> Any:
    """The model without functions. Raises ONNXError if they call themselves or become too large."""
    if not model.functions:
        return model
    functions = {(f.domain, f.name, getattr(f, "overload", "")): f for f in model.functions}
    sizes = _sizes(functions, name)
    nodes, size = _size(model.graph.node, functions, sizes)
    if nodes > MOST_NODES:
        raise ONNXError(
            f"the functions of {name} become more than {MOST_NODES:,} nodes where they are called "
            "(relaylogic.frontend.onnx_functions.MOST_NODES)"
        )
    if size > MOST_BYTES + model.ByteSize():
        raise ONNXError(
            f"the functions of {name} become more than {MOST_BYTES:,} bytes where they are called "
            "(relaylogic.frontend.onnx_functions.MOST_BYTES)"
        )
    try:
        return onnx.inliner.inline_local_functions(model)
    except Exception as problem:  # of the C++ side, whatever its type
        first = (str(problem).strip() or type(problem).__name__).splitlines()[0]
        raise ONNXError(f"the functions of {name} cannot be inlined: {first}") from None


def _sizes(functions: dict[_Key, Any], name: str) -> dict[_Key, tuple[int, int]]:
    """How many nodes and bytes each function becomes. Raises ONNXError if one calls itself."""
    sizes: dict[_Key, tuple[int, int]] = {}
    for root, function in functions.items():
        path = {} if root in sizes else {root: _called(function.node, functions)}  # each calls the next
        while path:
            key = next(reversed(path))
            inner = next((called for called in path[key] if called not in sizes), None)
            if inner is None:
                del path[key]
                sizes[key] = _size(functions[key].node, functions, sizes)
            elif inner in path:
                raise ONNXError(f"the function {'.'.join(filter(None, inner))} of {name} calls itself")
            else:
                path[inner] = _called(functions[inner].node, functions)
    return sizes


def _called(nodes: Any, functions: dict[_Key, Any]) -> Iterator[_Key]:
    """The functions that are called by some nodes, and by the graphs in them."""
    for node in _all(nodes):
        key = (node.domain, node.op_type, getattr(node, "overload", ""))
        if key in functions:
            yield key


def _size(nodes: Any, functions: dict[_Key, Any], sizes: dict[_Key, tuple[int, int]]) -> tuple[int, int]:
    """How many nodes some nodes are and how many bytes they have, functions put in."""
    total = size = 0
    for node in _all(nodes):
        key = (node.domain, node.op_type, getattr(node, "overload", ""))
        more = sizes[key] if key in functions else (1, 0 if _graphs(node) else node.ByteSize())
        total, size = total + more[0], size + more[1]
    return total, size


def _all(nodes: Any) -> Iterator[Any]:
    """Some nodes, and those of the graphs in their attributes."""
    agenda = list(nodes)
    while agenda:
        node = agenda.pop()
        yield node
        for graph in _graphs(node):
            agenda.extend(graph.node)


def _graphs(node: Any) -> list[Any]:
    """The graphs in the attributes of a node."""
    found = []
    for attribute in node.attribute:
        found += attribute.graphs
        if attribute.HasField("g"):
            found.append(attribute.g)
    return found
