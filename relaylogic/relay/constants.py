"""Constants from numbers, nested lists and arrays; numpy is used if the caller does."""

from __future__ import annotations

from math import prod
from typing import Any

from ..errors import RelayLogicError, said
from ..ir import Constant
from ..types import TensorType, integer_range, is_integer, normal_dtype, number_as
from ..types.values import MOST_ELEMENTS

__all__ = ["NDArray", "const"]

_DTYPES_OF_NUMBERS = ((bool, "bool"), (int, "int32"), (float, "float32"))


def const(value: Any, dtype: Any = None, span: Any = None) -> Constant:
    """A constant tensor of a number, of nested lists of numbers, or of an array (anything with `dtype` and `tolist`).

    Without a dtype, integers and floats of 64 bits become int32 and float32, as in Relay. The elements are kept if
    there are few or all are equal; the type always is, and so is an array of many, for who asks for the data.
    Raises RelayLogicError for what is no tensor, ValueError for what is no dtype.
    """
    if isinstance(dtype, TensorType):
        dtype = dtype.dtype
    if isinstance(value, Constant):
        return value
    if isinstance(value, NDArray) and dtype in (None, value.dtype):
        return Constant(value, None, None, span)
    if hasattr(value, "numpy") and callable(value.numpy):
        value = value.numpy()
    if hasattr(value, "tolist") and hasattr(value, "dtype") and hasattr(value, "shape"):
        own = normal_dtype(str(value.dtype))
        own = {"int64": "int32", "float64": "float32"}.get(own, own)
        made = _constant(_elements(value), tuple(int(d) for d in value.shape), _wanted(dtype, own), span)
        made.array = value if made.value is None else None
        return made
    shape, elements = _flattened(value)
    return _constant(elements, shape, _wanted(dtype, _dtype_of(elements)), span)


class NDArray:
    """The elements of a constant, as `tvm.nd.NDArray` gives them."""

    __slots__ = ("_constant",)

    def __init__(self, constant: Constant) -> None:
        if constant.tensor_type is None:
            raise RelayLogicError("the type of this constant is not known: it stands in a metadata section")
        self._constant = constant

    @property
    def constant(self) -> Constant:
        """The constant of these elements."""
        return self._constant

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._constant.tensor_type.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> str:
        """The dtype of an element."""
        return self._constant.tensor_type.dtype  # type: ignore[no-any-return]

    def numpy(self) -> Any:
        """The elements as an array of numpy. Raises RelayLogicError where they are not known, TypeError for a dtype
        that numpy lacks, ImportError without numpy."""
        import numpy

        if self._constant.array is not None:
            return numpy.asarray(self._constant.array).astype(self.dtype, copy=False)
        value = self._constant.value
        if value is None:
            raise RelayLogicError("the elements of this constant are not known")
        if isinstance(value, tuple):
            return numpy.array(value, self.dtype).reshape(self.shape)
        return numpy.full(self.shape, value, self.dtype)

    def asnumpy(self) -> Any:
        """As `numpy`."""
        return self.numpy()

    def __repr__(self) -> str:
        return f"NDArray({self._constant!r})"


def _wanted(dtype: Any, own: str) -> str:
    if dtype is None:
        return own
    tensor: Any = TensorType((), dtype)
    if not isinstance(tensor.dtype, str):
        raise ValueError(f"{said(dtype)} is not a dtype; a constant has a known one")
    wanted = normal_dtype(tensor.dtype)
    if not wanted:
        raise RelayLogicError("a constant has elements, and nothing is of the dtype void")
    return wanted


def _elements(array: Any) -> list[Any] | None:
    """All elements of an array in row-major order, only the first if all are equal, None if they are too many."""
    if array.size == 0:
        return []
    flat = array.reshape(-1)
    first = flat[0]
    if array.size > 1 and bool((flat == first).all()):
        return [first.item()]
    return list(flat.tolist()) if array.size <= MOST_ELEMENTS else None


def _flattened(value: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of a number or of nested lists, and the elements in row-major order."""
    shape: list[int] = []
    level = [value]
    above: set[int] = set()
    while level and any(isinstance(item, (list, tuple)) or hasattr(item, "tolist") for item in level):
        rows = [item.tolist() if hasattr(item, "tolist") else item for item in level]
        if all(isinstance(row, (int, float)) for row in rows):
            level = rows
            break
        if not all(isinstance(row, (list, tuple)) and len(row) == len(rows[0]) for row in rows):
            raise RelayLogicError("a constant of nested lists needs lists of one length at each depth")
        these = set(map(id, rows))
        if these & above:  # what is within itself: another depth would have other lists
            raise RelayLogicError("a constant of nested lists needs lists that do not hold themselves")
        above |= these
        shape.append(len(rows[0]))
        level = [item for row in rows for item in row]
    for item in level:
        if not isinstance(item, (int, float)):
            raise RelayLogicError(f"a constant is made of numbers, which {said(item)} is not")
    return tuple(shape), level


def _dtype_of(elements: list[Any]) -> str:
    kinds = {type(e) for e in elements}
    for kind, dtype in _DTYPES_OF_NUMBERS:
        if kinds and all(issubclass(k, kind) for k in kinds):
            return dtype
    return "float32"


def _constant(elements: list[Any] | None, shape: tuple[int, ...], dtype: str, span: Any) -> Constant:
    if elements is not None:
        elements = [_converted(e, dtype) for e in elements]
    value: Any = None
    if elements is not None:
        count = prod(shape)
        uniform = bool(elements) and all(e == elements[0] for e in elements)
        if not shape or (uniform and (count > len(elements) or len(elements) > 1)):
            value = elements[0]
        elif len(elements) == count <= MOST_ELEMENTS:
            value = tuple(elements)
    return Constant(value, TensorType(shape, dtype), None, span)


def _converted(element: Any, dtype: str) -> Any:
    """A number as the dtype has it: integers take what is before the point. Raises RelayLogicError if it has none."""
    try:
        if not is_integer(dtype):
            return number_as(dtype, element)
        number = int(element)
    except (OverflowError, ValueError):  # an infinity or a nan has no integer, and huge integers have no float
        raise _out_of_range(element, dtype) from None
    least, most = integer_range(dtype)
    if not least <= number <= most:
        raise _out_of_range(number, dtype)
    return number


def _out_of_range(number: int | float, dtype: str) -> RelayLogicError:
    is_long = isinstance(number, int) and number.bit_length() > 64
    shown = f"a number of {int(number).bit_length()} bits" if is_long else str(number)
    return RelayLogicError(f"{shown} is out of the range of {dtype}")
