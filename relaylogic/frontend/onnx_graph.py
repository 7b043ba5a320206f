"""A graph under conversion: names with their values, and the Relay expressions that nodes become.

Every call is typed as it is made, because what a node becomes may depend on ranks and extents. Networks repeat their
blocks: a call like one before has its type.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import Any

from ..errors import IllFormed
from ..explain.report import infer_call
from ..infer.checks.node_checks import check_attributes
from ..ir import Call, Constant, Expr, GlobalVar, IRModule, Op, Span, TupleGetItem, Var
from ..ir import Tuple as TupleExpr
from ..ir.free import all_type_vars
from ..text.attribute_text import attribute_text
from ..text.literals import number_text
from ..types import FuncType, TensorType, TupleType, is_integer, scalar_type
from ..types.values import wrapped
from .onnx_errors import ONNXError
from .onnx_load import onnx_package
from .onnx_types import dtype_of
from .onnx_values import Sequence, Value, room

__all__ = ["MOST_KNOWN", "Graph", "Refused"]

MOST_KNOWN = 4096
"""Tensors that take more room are weights: their elements are never looked at."""


class Refused(Exception):
    """The rules refuse a call, so nothing that depends on it has a type; `expr` is the call."""

    def __init__(self, expr: Expr) -> None:
        self.expr = expr


class Graph:
    """Names and values of a graph, or of a graph in a node (`outer` is the one around it).

    `inputs` are those of the model, `parameters` the weights that became parameters, by name; `declarations` the
    functions that have a type only. `span` is the place of the node that is being converted; `done` are the nodes
    before it, `versions` the versions of the operator sets. `are_others` says that inputs have not the extents that the
    model says.
    """

    def __init__(self, outer: Graph | None = None) -> None:
        self.values: dict[str, Value | Sequence] = {}
        self.outer = outer
        self.inputs: list[Value] = [] if outer is None else outer.inputs
        self.parameters: dict[str, Var] = {} if outer is None else outer.parameters
        self.declarations: dict[str, Any] = {} if outer is None else outer.declarations
        self.span: Span | None = None if outer is None else outer.span
        self.done: list[Any] = []
        self.versions: dict[str, int] = {} if outer is None else outer.versions
        self.are_others: bool = outer is not None and outer.are_others
        self._results: dict[Any, Any] = {} if outer is None else outer._results

    def fail(self, message: str, *hints: str) -> ONNXError:
        """The error to raise about the node that is being converted."""
        return ONNXError(message, self.span, hints)

    def value(self, name: str) -> Value | Sequence:
        """What a name stands for. Raises ONNXError if nothing gives it."""
        scope: Graph | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        raise self.fail(f"nothing before this gives the value `{name}`")

    # ---- leaves

    def input(self, name: str, type_: Any) -> Var:
        """A parameter for an input of the model."""
        variable = Var(name, type_, self.span)
        value = self.values[name] = Value(self, variable, type_)
        self.inputs.append(value)
        return variable

    def weight(self, tensor: Any, name: str) -> Value:
        """A tensor that the model holds: a constant if it is a scalar, else a parameter once it is used."""
        if min(tensor.dims, default=0) < 0:
            raise self.fail(f"the tensor `{name}` has a negative extent")
        type_ = TensorType(tuple(tensor.dims), dtype_of(tensor.data_type, self.span))
        value = Value(self, lambda: self._leaf(value, name), type_, lambda: self._elements(tensor))
        return value

    def _elements(self, tensor: Any) -> Any:
        import numpy

        if room(tensor.dims) > MOST_KNOWN or tensor.data_location == tensor.EXTERNAL:
            return None
        try:
            found = onnx_package().numpy_helper.to_array(tensor)
        except Exception as problem:  # whatever the package raises for data that do not fit the extents
            raise self.fail(f"the elements of `{tensor.name}` cannot be read: {problem}") from None
        return numpy.asarray(found.ravel().tolist(), dtype=object).reshape(found.shape)

    def _leaf(self, value: Value, name: str) -> Expr:
        type_ = value.type
        if type_.shape == () and value.numbers is not None:
            item = value.numbers.item()
            if number_text(item, type_.dtype) is not None:
                return Constant(item, type_)
        return self.parameters.setdefault(name, Var(name, type_))

    def scalar(self, number: Any, dtype: Any) -> Value:
        """A constant of rank 0."""
        import numpy

        if not isinstance(dtype, str):
            raise self.fail("the element type of an operand is not known")
        number = float(number) if "float" in dtype else bool(number) if dtype == "bool" else int(number)
        if is_integer(dtype):
            number = wrapped(number, dtype)
        return Value(self, Constant(number, scalar_type(dtype)), scalar_type(dtype), numpy.array(number, dtype=object))

    def constant(self, elements: Any, dtype: str) -> Value:
        """A tensor of elements that are known: an object array of numbers."""
        import numpy

        if elements.shape == ():
            return self.scalar(elements.item(), dtype)
        if isinstance(dtype, str) and is_integer(dtype):
            elements = numpy.frompyfunc(lambda number: wrapped(int(number), dtype), 1, 1)(elements)
        type_ = TensorType(tuple(elements.shape), dtype)
        return Value(self, lambda: self._stacked(elements, dtype).expr, type_, elements)

    def _stacked(self, elements: Any, dtype: str) -> Value:
        shape = tuple(elements.shape)
        items = elements.ravel().tolist()
        if len({(type(item), item) for item in items}) <= 1:
            return self.call("full", self.scalar(items[0] if items else 0, dtype), shape=shape, dtype=dtype)
        row = self.call("stack", [self.scalar(item, dtype) for item in items], axis=0)
        return row if len(shape) == 1 else self.call("reshape", row, newshape=shape)

    # ---- calls

    def call(self, op: str, *args: Value | Items[Value], **attrs: Any) -> Value:
        """A call of an operator; a list of values is a tuple. Raises Refused."""
        exprs, types = [], []
        for arg in args:
            if isinstance(arg, Value):
                exprs.append(arg.expr)
                types.append(arg.type)
            else:
                exprs.append(TupleExpr([item.expr for item in arg], span=self.span))
                types.append(TupleType(tuple(item.type for item in arg)))
        call = Call(Op(op, self.span), exprs, attrs or None, span=self.span)
        try:
            check_attributes(attrs)
            written = tuple(
                (n, value if isinstance(value, Expr) else attribute_text(value)) for n, value in attrs.items()
            )
        except IllFormed as problem:
            raise self.fail(f"this is no call of `{op}`: {problem.message}") from None
        except ValueError as problem:
            raise self.fail(f"this is no call of `{op}`: {problem}") from None
        key = op, tuple(types), written
        found = self._results.get(key)
        if found is None:
            result = infer_call(op, types, IRModule(), attrs or None).whole()
            if result.verdict == "refuted":
                raise Refused(call)
            found = result.calls[0].type
            if result.verdict == "typed":  # else what is open there is that call's
                self._results[key] = found
        return Value(self, call, found)

    def fields(self, value: Value) -> list[Value]:
        """The components of a tuple."""
        if not isinstance(value.type, TupleType):
            raise self.fail("the number of results is not known")
        types = enumerate(value.type.fields)
        return [Value(self, TupleGetItem(value.expr, index, self.span), type_) for index, type_ in types]

    def declared(self, name: str, args: Items[Value], result: Any) -> Value:
        """A call of a function that the module declares without a body."""
        plain = FuncType(tuple(arg.type for arg in args), result)
        type_ = FuncType(plain.arg_types, result, tuple(all_type_vars(plain)))  # the model's extents are its parameters
        number = 0
        while self.declarations.setdefault(f"@{name}{number or ''}", type_) is not type_:
            number += 1
        callee = GlobalVar(f"{name}{number or ''}", self.span)
        return Value(self, Call(callee, [arg.expr for arg in args], span=self.span), result)

    # ---- what is known of types

    def shape(self, value: Value) -> tuple[Any, ...]:
        """The extents. Raises ONNXError if not even their number is known."""
        found = value.type.shape if isinstance(value.type, TensorType) else None
        if not isinstance(found, tuple):
            raise self.fail(
                "what this becomes depends on the rank of an operand, which is not known",
                "give the shapes of the inputs: from_onnx(model, shape={name: extents})",
            )
        return found

    def rank(self, value: Value) -> int:
        """The number of axes. Raises ONNXError if it is not known."""
        return len(self.shape(value))

    def axis(self, value: Value, axis: int, more: int = 0) -> int:
        """`axis` counted from the front; `more` axes beyond the value's are allowed. Raises ONNXError."""
        rank = self.rank(value) + more
        if not -rank <= axis < rank:
            raise self.fail(f"axis {axis} is none of a tensor of rank {rank}")
        return axis % rank if rank else axis

    def extents(self, value: Value, what: str) -> tuple[int, ...]:
        """The extents, all of them numbers. Raises ONNXError if some are not."""
        shape = self.shape(value)
        for extent in shape:
            if not isinstance(extent, int):
                raise self.fail(f"{what} depends on the extents of an operand, of which {extent} is not known")
        return shape
