"""Public functions that are not one call of one operator with its own inputs and attributes.

Each is what TVM's function of that name does to types: compositions (`std`, `logsumexp`), several spellings of an
argument (`arange(5)`), operands in another form (`sparse_dense(x, (data, indices, indptr))`).
"""

from __future__ import annotations

from typing import Any

from ...errors import said
from ...ir import Call, Expr, Op, Tuple
from ...rulebase import default_rules
from ..expr import TupleWrapper, as_expr, const
from .build import call, function_of, plain_call
from .coerce import static_list

__all__ = ["SPECIAL"]


def _use(name: str, *args: Any, **kwargs: Any) -> Any:
    return function_of(name)(*args, **kwargs)


def variance(
    data: Any,
    axis: Any = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
    with_mean: Any = None,
) -> Any:
    """The variance over some axes, all by default; `with_mean` is the mean if it is known."""
    mean = _use("mean", data, axis, True, exclude) if with_mean is None else with_mean
    attrs: dict[str, Any] = {}
    if axis is not None:
        attrs["axis"] = tuple(axis) if isinstance(axis, (list, tuple)) else (int(axis),)
    for name, value in (("keepdims", keepdims), ("exclude", exclude), ("unbiased", unbiased)):
        if value:
            attrs[name] = True
    return plain_call("variance", data, mean, **attrs)


def std(data: Any, axis: Any = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False) -> Any:
    """The standard deviation over some axes, all by default."""
    return plain_call("sqrt", variance(data, axis, keepdims, exclude, unbiased))


def mean_variance(
    data: Any, axis: Any = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False
) -> TupleWrapper:
    """Mean and variance over some axes, all by default."""
    return _with_mean(data, axis, keepdims, exclude, variance(data, axis, keepdims, exclude, unbiased))


def mean_std(data: Any, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> TupleWrapper:
    """Mean and standard deviation over some axes, all by default."""
    return _with_mean(data, axis, keepdims, exclude, std(data, axis, keepdims, exclude))


def _with_mean(data: Any, axis: Any, keepdims: bool, exclude: bool, other: Expr) -> TupleWrapper:
    return TupleWrapper(Tuple([_use("mean", data, axis, keepdims, exclude), other]), 2)


def logsumexp(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The logarithm of the sum of the exponentials over some axes, all by default."""
    greatest = _use("max", data, axis, True)
    summed = _use("sum", plain_call("exp", plain_call("subtract", data, greatest)), axis, True)
    result = plain_call("add", plain_call("log", summed), greatest)
    return result if keepdims else _use("squeeze", result, axis)


def sparse_fill_empty_rows(sparse_indices: Any, sparse_values: Any, dense_shape: Any, default_value: Any) -> Any:
    """Indices, values and marks of rows, as one tuple; how many there are is known at run time only."""
    filled = _use("sparse_fill_empty_rows", sparse_indices, sparse_values, dense_shape, default_value)
    indices, values, is_empty = filled
    given = (_use("cast_like", indices, sparse_indices), _use("cast_like", values, sparse_values))
    return Tuple([*given, _use("cast", is_empty, "bool")])


def arange(start: Any, stop: Any = None, step: Any = None, dtype: str = "float32") -> Any:
    """The numbers from `start` (0 if only `stop` is given) up to but not including `stop`, `step` (1) apart."""
    if stop is None:
        start, stop = const(0, dtype), start
    operands = [v if isinstance(v, Expr) else const(v, dtype) for v in (start, stop, 1 if step is None else step)]
    first, last, stride = operands
    return Call(Op("arange"), operands, {"start": first, "stop": last, "step": stride, "dtype": dtype})


def strided_slice(
    data: Any, begin: Any, end: Any, strides: Any = None, axes: Any = None, slice_mode: str = "end"
) -> Any:
    """The elements from `begin` to `end` of each axis (or of `axes`), `strides` (1) apart.

    With `slice_mode="size"`, `end` says how many elements, and -1 all that follow.
    """
    strides = [1] if strides is None else strides
    dynamic = [isinstance(v, Expr) and static_list(v) is None for v in (begin, end, strides)]
    if any(dynamic):
        if axes is not None:
            raise ValueError("axes need a begin, an end and strides that are constants")
        operands = [v if isinstance(v, Expr) else const(list(v)) for v in (begin, end, strides)]
        attrs: dict[str, Any] = {"begin": None, "end": None, "strides": None, "axes": None}
        if slice_mode != "end":
            attrs["slice_mode"] = slice_mode
        return Call(Op("dyn.strided_slice"), [as_expr(data), *operands], attrs)
    begin, end, strides = (static_list(v) if isinstance(v, Expr) else v for v in (begin, end, strides))
    given = {"data": data, "begin": begin, "end": end, "strides": strides, "axes": axes, "slice_mode": slice_mode}
    return call(default_rules().operator("strided_slice"), given)


def strided_set(data: Any, v: Any, begin: Any, end: Any, strides: Any = None) -> Any:
    """`data` with the elements from `begin` to `end` of each axis, `strides` (1) apart, replaced by `v`."""
    if strides is None:
        shape = begin.tensor_type.shape if hasattr(begin, "tensor_type") else (len(begin),)
        strides = const([1] * shape[0])
    operands = [x if isinstance(x, Expr) else const(list(x)) for x in (begin, end, strides)]
    return plain_call("strided_set", data, v, *operands)


def matrix_set_diag(data: Any, diagonal: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """`data` with the diagonals number `k`, or `k[0]` to `k[1]`, of its innermost matrices replaced."""
    several = list(k) if isinstance(k, (list, tuple)) else [k]
    if not several:
        raise TypeError(f"`k` is a number or a pair of numbers, which {said(k)} is not")
    first, last = several[0], several[:2][-1]
    aligned = {"super_diag_right_align": align[:5] == "RIGHT", "sub_diag_right_align": align[-5:] == "RIGHT"}
    return plain_call("matrix_set_diag", data, diagonal, k1=int(first), k2=int(last), **aligned)


def stft(
    data: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    normalized: bool = False,
    onesided: bool = True,
) -> Any:
    """The short-time Fourier transform of a signal, or of a batch of signals."""
    attrs = {
        "n_fft": n_fft,
        "hop_length": n_fft // 4 if hop_length is None else hop_length,
        "win_length": n_fft if win_length is None else win_length,
        "normalized": bool(normalized),
        "onesided": bool(onesided),
    }
    return plain_call("stft", data, _use("ones", (n_fft,), "int32") if window is None else window, **attrs)


def segment_sum(data: Any, segment_ids: Any, num_segments: Any = None) -> Any:
    """The sums of those rows of `data` that have one segment id."""
    one = _use("cast_like", const([1]), segment_ids)
    if num_segments is None:
        count = plain_call("add", _use("reshape", _use("max", segment_ids, (0,)), -1), one)
    else:
        count = _use("cast_like", const([num_segments]) if isinstance(num_segments, int) else num_segments, segment_ids)
    row = _use("cast_like", strided_slice(_use("shape_of", data), [1], [-1], slice_mode="size"), count)
    zeros = _use("dyn.zeros", shape=_use("concatenate", [count, row], 0), dtype="float64")
    tiled = _use("tile", segment_ids, _use("concatenate", [_use("reverse", row, 0), one], 0))
    indices = _use("transpose", tiled)
    return _use("scatter_elements", _use("cast_like", zeros, data), indices, data, 0, "add")


def device_copy(data: Any, src_device: Any, dst_device: Any) -> Any:
    """`data` on another device, which is of no concern to its type."""
    return plain_call("device_copy", data, src_virtual_device=str(src_device), dst_virtual_device=str(dst_device))


def reverse_reshape(data: Any, newshape: Any) -> Any:
    """`reshape` where the special values of `newshape` are read from the right."""
    return _use("contrib_reverse_reshape", data, newshape)


def collapse_sum_to(data: Any, shape: Any) -> Any:
    """The sum over those axes of `data` along which a tensor of that shape is broadcast to it."""
    shape = const(list(shape), "int32") if isinstance(shape, (list, tuple)) else as_expr(shape)
    return plain_call("collapse_sum_to", data, shape, shape=static_list(shape))


SPECIAL: dict[str, Any] = {
    f.__name__: f
    for f in (
        arange,
        collapse_sum_to,
        device_copy,
        logsumexp,
        matrix_set_diag,
        mean_std,
        mean_variance,
        reverse_reshape,
        segment_sum,
        sparse_fill_empty_rows,
        std,
        stft,
        strided_set,
        strided_slice,
        variance,
    )
}
