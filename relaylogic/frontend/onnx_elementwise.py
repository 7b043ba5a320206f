"""Operators that work element by element: names where Relay has the operator, formulas where it has not."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

from .onnx_node import Node
from .onnx_open import broadcast
from .onnx_types import dtype_of
from .onnx_values import Value

__all__ = ["ELEMENTWISE"]

_UNARY = {
    "Abs": "abs",
    "Acos": "acos",
    "Acosh": "acosh",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atanh": "atanh",
    "BitwiseNot": "bitwise_not",
    "Ceil": "ceil",
    "Cos": "cos",
    "Cosh": "cosh",
    "Erf": "erf",
    "Exp": "exp",
    "Floor": "floor",
    "IsNaN": "isnan",
    "Log": "log",
    "Neg": "negative",
    "Not": "logical_not",
    "Relu": "nn.relu",
    "Round": "round",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Sinh": "sinh",
    "Sqrt": "sqrt",
    "Tan": "tan",
    "Tanh": "tanh",
}

_BINARY = {
    "Add": "add",
    "And": "logical_and",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
    "Div": "divide",
    "Equal": "equal",
    "Greater": "greater",
    "GreaterOrEqual": "greater_equal",
    "Less": "less",
    "LessOrEqual": "less_equal",
    "Mul": "multiply",
    "Or": "logical_or",
    "Sub": "subtract",
    "Xor": "logical_xor",
}

# Operators of any number of operands, each by an operator of two.
_VARIADIC = {"Max": "maximum", "Min": "minimum", "Sum": "add"}

# Formulas in the first operand: a = the attribute of that name. Definitions of the ONNX operator specifications.
_FORMULAS: dict[str, Any] = {
    "Celu": lambda n, x: _where_positive(n, x, x, _exponential(n, x / _a(n, "alpha", 1.0), _a(n, "alpha", 1.0))),
    "Elu": lambda n, x: _where_positive(n, x, x, _exponential(n, x, _a(n, "alpha", 1.0))),
    "Gelu": lambda n, x: x * 0.5 * (_gate(n, x) + 1.0),
    "HardSigmoid": lambda n, x: n.call("clip", x * _a(n, "alpha", 0.2) + _a(n, "beta", 0.5), a_min=0.0, a_max=1.0),
    "HardSwish": lambda n, x: x * n.call("clip", x * (1 / 6) + 0.5, a_min=0.0, a_max=1.0),
    "LeakyRelu": lambda n, x: n.call("nn.leaky_relu", x, alpha=_a(n, "alpha", 0.01)),
    "Mish": lambda n, x: x * n.call("tanh", n.call("log", n.call("exp", x) + 1.0)),
    "Reciprocal": lambda n, x: n.graph.scalar(1.0, x.type.dtype) / x,
    "Selu": lambda n, x: (
        _where_positive(n, x, x, _exponential(n, x, _a(n, "alpha", 1.6732632))) * _a(n, "gamma", 1.0507010)
    ),
    "Shrink": lambda n, x: _shrunk(n, x, _a(n, "lambd", 0.5), _a(n, "bias", 0.0)),
    "Softplus": lambda n, x: n.call("log", n.call("exp", x) + 1.0),
    "Softsign": lambda n, x: x / (n.call("abs", x) + 1.0),
    "Swish": lambda n, x: x * n.call("sigmoid", x * _a(n, "alpha", 1.0)),
    "ThresholdedRelu": lambda n, x: n.call("where", x > _a(n, "alpha", 1.0), x, n.call("zeros_like", x)),
}


def _a(node: Node, name: str, default: float) -> float:
    return float(node.attr(name, default))


def _exponential(node: Node, x: Value, scale: float) -> Value:
    return (node.call("exp", x) - 1.0) * scale


def _where_positive(node: Node, x: Value, positive: Value, negative: Value) -> Value:
    return node.call("where", x > 0.0, positive, negative)


def _gate(node: Node, x: Value) -> Value:
    if node.attr("approximate", "none") == "tanh":
        return node.call("tanh", (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi))
    return node.call("erf", x * math.sqrt(0.5))


def _shrunk(node: Node, x: Value, lambd: float, bias: float) -> Value:
    inner = node.call("where", x > lambd, x - bias, node.call("zeros_like", x))
    return node.call("where", x < -lambd, x + bias, inner)


def _binary(node: Node) -> Value:
    """Two operands; before opset 7 the second one was broadcast from an axis on, by attribute."""
    a, b = node.value(0), node.value(1)
    if node.attr("broadcast", 0) and "axis" in node.attributes:
        behind = node.graph.rank(a) - node.axis() - node.graph.rank(b)
        if behind > 0:
            b = node.call("expand_dims", b, axis=node.graph.rank(b), num_newaxis=behind)
    return node.call(_BINARY[node.op], a, b)


def _variadic(node: Node) -> Value:
    return reduce(lambda a, b: node.call(_VARIADIC[node.op], a, b), node.values)


def _mean(node: Node) -> Value:
    return reduce(lambda a, b: a + b, node.values) / float(len(node.inputs))


def _power(node: Node) -> Value:
    """The exponent may be of another dtype."""
    a, b = node.value(0), node.value(1)
    return node.call("power", a, b if b.type.dtype == a.type.dtype else node.call("cast", b, dtype=a.type.dtype))


def _mod(node: Node) -> Value:
    return node.call("mod" if node.attr("fmod", 0) else "floor_mod", node.value(0), node.value(1))


def _shift(node: Node) -> Value:
    op = {"LEFT": "left_shift", "RIGHT": "right_shift"}[node.attr("direction", "LEFT")]
    return node.call(op, node.value(0), node.value(1))


def _clip(node: Node) -> Value:
    """Bounds are attributes or scalars, each optional; scalars that are not constant bound by maximum and minimum."""
    x = node.value(0)
    least, most = (node.attr("min"), node.attr("max")) if node.version < 11 else (None, None)
    bounds = [node.value(i) if node.has(i) else None for i in (1, 2)]
    for index in (1, 2):
        if node.has(index) and node.known_shape(index):
            raise node.fail(f"input {index} of Clip is a scalar, not a tensor of rank {node.rank(index)}")
    if all(bound is None or bound.numbers is not None for bound in bounds) and "float" in str(x.type.dtype):
        low, high = (None if bound is None else float(bound.numbers.item()) for bound in bounds)
        low, high = (least if low is None else low), (most if high is None else high)
        limit = 3.4028234663852886e38
        return node.call("clip", x, a_min=-limit if low is None else low, a_max=limit if high is None else high)
    for bound, op in zip(bounds, ("maximum", "minimum")):
        x = x if bound is None else node.call(op, x, bound)
    return x


def _cast(node: Node) -> Value:
    return node.call("cast", node.value(0), dtype=dtype_of(int(node.attr("to")), node.graph.span))


def _is_infinite(node: Node) -> Value:
    x = node.value(0)
    signs = node.attr("detect_negative", 1), node.attr("detect_positive", 1)
    found = node.call("isinf", x)
    if signs == (1, 1):
        return found
    return node.call("logical_and", found, x > 0.0 if signs[1] else x < 0.0)


def _parametric(node: Node) -> Value:
    """PRelu: a slope that broadcasts to the shape of the input; before opset 7 one for each channel."""
    x, slope = node.value(0), node.value(1)
    if node.version < 7 and slope.type.shape not in ((), (1,)):
        return node.call("nn.prelu", x, slope, axis=1)
    return node.call("where", x < 0.0, x * node.call("broadcast_to_like", slope, x), x)


def _of_operands(convert: Callable[[Node], Value]) -> Callable[[Node], Value]:
    """The converter of an operator whose operands are broadcast."""

    def converted(node: Node) -> Value:
        if "broadcast" not in node.attributes:  # before opset 7 it was told how
            node.inputs = [*broadcast(node, node.values)]
        return convert(node)

    return converted


ELEMENTWISE: dict[str, Any] = {
    **{name: lambda n: n.call(_UNARY[n.op], n.value(0)) for name in _UNARY},
    **dict.fromkeys(_BINARY, _of_operands(_binary)),
    **dict.fromkeys(_VARIADIC, _of_operands(_variadic)),
    **{name: lambda n: _FORMULAS[n.op](n, n.value(0)) for name in _FORMULAS},
    "BitShift": _of_operands(_shift),
    "Cast": _cast,
    "CastLike": lambda n: n.call("cast_like", n.value(0), n.value(1)),
    "Clip": _clip,
    "IsInf": _is_infinite,
    "Mean": _of_operands(_mean),
    "Mod": _of_operands(_mod),
    "PRelu": _parametric,
    "Pow": _of_operands(_power),
    "Where": _of_operands(lambda n: n.call("where", n.value(0), n.value(1), n.value(2))),
}
