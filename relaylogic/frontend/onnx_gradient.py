"""The operator Gradient: derivatives of one value of the graph by others, built backwards over its nodes.

For each node from the result to the sources, what arrives at its output is handed to its inputs by the rule of its
operator; `collapse_sum_like` undoes broadcasting, so a derivative has the type of what it is taken by.
"""

from __future__ import annotations

from typing import Any

from .onnx_node import Node
from .onnx_values import Value

__all__ = ["GRADIENTS"]

# From the node, the derivative by its result, its result and its inputs to the derivatives by its inputs.
_RULES: dict[str, Any] = {
    "Add": lambda n, g, y, a, b: (g, g),
    "Sub": lambda n, g, y, a, b: (g, n.call("negative", g)),
    "Mul": lambda n, g, y, a, b: (g * b, g * a),
    "Div": lambda n, g, y, a, b: (g / b, n.call("negative", g * y / b)),
    "Identity": lambda n, g, y, a: (g,),
    "Neg": lambda n, g, y, a: (n.call("negative", g),),
    "Exp": lambda n, g, y, a: (g * y,),
    "Log": lambda n, g, y, a: (g / a,),
    "Sqrt": lambda n, g, y, a: (g * 0.5 / y,),
    "Sin": lambda n, g, y, a: (g * n.call("cos", a),),
    "Cos": lambda n, g, y, a: (n.call("negative", g * n.call("sin", a)),),
    "Tanh": lambda n, g, y, a: (g * (1.0 - y * y),),
    "Sigmoid": lambda n, g, y, a: (g * y * (1.0 - y),),
    "Relu": lambda n, g, y, a: (n.call("where", a > 0.0, g, n.call("zeros_like", a)),),
    "Sum": lambda n, g, y, *many: (g,) * len(many),
}


def _gradient(node: Node) -> list[Value]:
    xs, zs, y = node.attr("xs", []), node.attr("zs", []), node.attr("y", "")
    names = [item.decode() if isinstance(item, bytes) else item for item in (*xs, *zs)]
    sources = names[: len(xs)]
    if node.input_names != names:
        raise node.fail(f"Gradient at other values than {', '.join(names)} themselves has no conversion")
    root = node.graph.value(y)
    if not isinstance(root, Value):
        raise node.fail(f"Gradient of the sequence `{y}`")
    arrived: dict[str, Value] = {y: node.call("ones_like", root)}
    needed = _reached(node, sources)
    for step in reversed(node.graph.done):
        gradient = arrived.get(step.outputs[0]) if step.outputs else None
        if gradient is None or step.outputs[0] not in needed or step.outputs[0] in sources:
            continue
        if step.op not in _RULES:
            raise node.fail(f"Gradient through {step.op} has no conversion", f"there are {', '.join(sorted(_RULES))}")
        result = step.graph.value(step.outputs[0])
        parts = _RULES[step.op](node, gradient, result, *step.values)
        for name, operand, part in zip(step.input_names, step.values, parts):
            if name in needed:
                part = node.call("collapse_sum_like", part, operand)
                arrived[name] = arrived[name] + part if name in arrived else part
    found = []
    for name, value in zip(sources, node.values):
        found.append(arrived[name] if name in arrived else node.call("zeros_like", value))
    return found


def _reached(node: Node, sources: list[str]) -> set[str]:
    """The names whose values depend on the sources."""
    found = set(sources)
    for step in node.graph.done:
        if found.intersection(step.input_names):
            found.update(step.outputs)
    return found


GRADIENTS: dict[str, Any] = {"ai.onnx.preview.training.Gradient": _gradient}
