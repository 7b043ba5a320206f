"""Elements that the graph determines: extents of shapes, and what small arithmetic makes of them.

Elements are numbers, extents with symbols, or `ANY`. Operators that are not in the table, and tensors with more than
64 elements (or extents before a 0), are not followed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

from ..logic.terms.terms import Term
from ..types import ANY, dim_add, dim_floordiv, dim_max, dim_min, dim_mul, dim_sub
from .onnx_node import Node
from .onnx_slices import clamped
from .onnx_types import DTYPES
from .onnx_values import Value, number, room

__all__ = ["MOST_BITS", "MOST_PARTS", "folded"]

_MOST = 64

MOST_BITS = 64
"""No integer of ONNX has more bits."""

MOST_PARTS = 500
"""So many symbols, numbers and operations an extent may be made of."""


def folded(node: Node) -> Any:
    """The elements of the result of a node as an object array, or None if they are not followed."""
    fold = _FOLDS.get(node.op)
    if fold is None or any(item is not None and not isinstance(item, Value) for item in node.inputs):
        return None
    if node.op in ("Shape", "Size"):
        result = fold(node)
    else:
        arrays = [item.known if isinstance(item, Value) else None for item in node.inputs]
        if any(a is None and item is not None for a, item in zip(arrays, node.inputs)) or any(
            a is not None and room(a.shape) > _MOST for a in arrays
        ):
            return None
        try:
            result = fold(node, *arrays)
        except (ArithmeticError, IndexError, TypeError, ValueError):
            return None
    if result is None or room(result.shape) > _MOST:
        return None
    _check_sizes(node, result)
    return result


def _check_sizes(node: Node, result: Any) -> None:
    """Raises ONNXError for numbers and extents that only grow: what comes next would be larger still."""
    for item in result.ravel().tolist():
        if isinstance(item, int):
            if item.bit_length() > MOST_BITS:
                raise node.fail(f"this makes a number of more than {MOST_BITS} bits ({__name__}.MOST_BITS)")
        elif isinstance(item, Term) and _has_more_parts(item, MOST_PARTS):
            raise node.fail(f"this makes an extent of more than {MOST_PARTS} parts ({__name__}.MOST_PARTS)")


def _has_more_parts(term: Any, limit: int) -> bool:
    """Whether a term has more than `limit` parts, at all depths."""
    agenda, parts = [term], 0
    while agenda and parts <= limit:
        item = agenda.pop()
        inner = item if isinstance(item, tuple) else item.args if isinstance(item, Term) else ()
        parts += len(inner)
        agenda.extend(inner[: limit + 1])
    return parts > limit


def _array(items: Any, shape: Any = None) -> Any:
    import numpy

    items = items if isinstance(items, list) else [items]
    out: Any = numpy.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        out[index] = item
    return out.reshape(out.shape if shape is None else shape)


def _each(of_numbers: Callable[..., Any], of_extents: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """A fold that works element by element, with broadcasting. It raises ValueError for what is not followed."""

    def one(*items: Any) -> Any:
        if all(isinstance(item, number) for item in items):
            return of_numbers(*items)
        if of_extents is None or any(isinstance(item, float) for item in items):
            return ANY
        return of_extents(*items)

    def fold(node: Node, *arrays: Any) -> Any:
        import numpy

        if room(numpy.broadcast_shapes(*(array.shape for array in arrays))) > _MOST:
            raise ValueError
        with numpy.errstate(all="ignore"):  # floats may become infinite
            result = numpy.frompyfunc(one, len(arrays), 1)(*arrays)
        return result if isinstance(result, numpy.ndarray) else _array(result, ())

    return fold


def _chained(of_numbers: Callable[..., Any], of_extents: Callable[..., Any]) -> Callable[..., Any]:
    """A fold of any number of operands by one of two."""
    both = _each(of_numbers, of_extents)
    return lambda node, *arrays: reduce(lambda a, b: both(node, a, b), arrays)


def _quotient(a: Any, b: Any) -> Any:
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _modulo(node: Node, a: Any, b: Any) -> Any:
    """What remains has the sign of the divisor, or with `fmod` that of the dividend."""
    return _each(_remainder if node.attr("fmod", 0) else operator.mod)(node, a, b)


def _remainder(a: Any, b: Any) -> Any:
    return math.fmod(a, b) if isinstance(a, float) or isinstance(b, float) else a - b * _quotient(a, b)


def _cast(node: Node, array: Any) -> Any:
    dtype = DTYPES.get(node.attr("to"), "handle")
    convert = float if "float" in dtype else bool if dtype == "bool" else int if "int" in dtype else None
    if convert is None:
        return None
    return _each(convert, lambda extent: extent if convert is int else ANY)(node, array)


def _shape(node: Node) -> Any:
    shape = list(node.shape())
    return _array(shape[slice(node.attr("start", 0), node.attr("end"))])


def _size(node: Node) -> Any:
    return _array(reduce(dim_mul, node.shape(), 1), ())


def _slice(node: Node, array: Any, *rest: Any) -> Any:
    starts: Any
    ends: Any
    if rest:
        starts, ends, axes, steps = [None if a is None else a.tolist() for a in (*rest, None, None)[:4]]
    else:
        starts, ends, axes, steps = node.attr("starts"), node.attr("ends"), node.attr("axes"), None
    selected: list[Any] = [slice(None)] * array.ndim
    for index, axis in enumerate(range(len(starts)) if axes is None else axes):
        step = 1 if steps is None else steps[index]
        first, last = clamped(starts[index], ends[index], step, array.shape[axis])
        selected[axis] = slice(first, None if last < 0 else last, step)
    return array[tuple(selected)]


def _axes(node: Node, rest: Any) -> Any:
    if rest and rest[0] is not None:
        return tuple(rest[0].ravel().tolist())
    found = node.attr("axes")
    return None if found is None else tuple(found)


def _squeeze(node: Node, array: Any, *rest: Any) -> Any:
    import numpy

    return numpy.squeeze(array, _axes(node, rest))


def _unsqueeze(node: Node, array: Any, *rest: Any) -> Any:
    import numpy

    return numpy.expand_dims(array, _axes(node, rest))


def _concat(node: Node, *arrays: Any) -> Any:
    import numpy

    return numpy.concatenate(arrays, int(node.attr("axis", 0)))


def _gather(node: Node, array: Any, indices: Any) -> Any:
    import numpy

    return _boxed(numpy.take(array, indices.astype("int64"), int(node.attr("axis", 0))))


def _product(node: Node, array: Any, *rest: Any) -> Any:
    if array.ndim != 1 or (_axes(node, rest) or (0,)) not in ((0,), (-1,)):
        return None
    return _array(reduce(dim_mul, array.tolist(), 1), (1,) if node.attr("keepdims", 1) else ())


def _range(node: Node, start: Any, limit: Any, step: Any) -> Any:
    if not start.size == limit.size == step.size == 1:
        return None
    first, last, by = (a.item() for a in (start, limit, step))
    count = max(0, math.ceil((last - first) / by))
    return _array([first + i * by for i in range(count)]) if count <= _MOST else None


def _filled(node: Node, shape: Any) -> Any:
    value = node.attr("value")
    known = _array([0.0]) if value is None else node.graph.weight(value, "").known
    if known is None:
        return None
    item = known.item()
    extents = shape.tolist()
    return _array([item] * math.prod(extents), extents) if math.prod(extents) <= _MOST else None


def _expand(node: Node, array: Any, shape: Any) -> Any:
    import numpy

    return numpy.broadcast_to(array, numpy.broadcast_shapes(array.shape, tuple(shape.tolist())))


def _where(node: Node, *arrays: Any) -> Any:
    return _each(_chosen, _chosen)(node, *arrays)


def _chosen(condition: Any, a: Any, b: Any) -> Any:
    return ANY if not isinstance(condition, number) else a if condition else b


def _equal(a: Any, b: Any) -> Any:
    """Whether two extents are equal: an extent of a shape is never negative, which exporters test for."""
    return False if (isinstance(a, int) and a < 0) or (isinstance(b, int) and b < 0) else ANY


def _boxed(found: Any) -> Any:
    import numpy

    return found if isinstance(found, numpy.ndarray) else _array(found, ())


_FOLDS: dict[str, Callable[..., Any]] = {
    "Shape": _shape,
    "Size": _size,
    "Identity": lambda node, array: array,
    "Cast": _cast,
    "Slice": _slice,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Concat": _concat,
    "Gather": _gather,
    "ReduceProd": _product,
    "Range": _range,
    "ConstantOfShape": _filled,
    "Expand": _expand,
    "Where": _where,
    "Reshape": lambda node, array, shape: array.reshape(shape.astype("int64").tolist()),
    "Add": _each(operator.add, dim_add),
    "Sub": _each(operator.sub, dim_sub),
    "Mul": _each(operator.mul, dim_mul),
    "Div": _each(_quotient, dim_floordiv),
    "Mod": _modulo,
    "Neg": _each(operator.neg),
    "Floor": _each(lambda a: float(math.floor(a))),
    "Ceil": _each(lambda a: float(math.ceil(a))),
    "Sqrt": _each(math.sqrt),
    "Min": _chained(min, dim_min),
    "Max": _chained(max, dim_max),
    "Equal": _each(operator.eq, _equal),
    "Less": _each(operator.lt),
    "Greater": _each(operator.gt),
    "Not": _each(operator.not_),
    "And": _each(lambda a, b: bool(a and b)),
    "Or": _each(lambda a, b: bool(a or b)),
}
