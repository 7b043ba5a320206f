"""As `special`, for the functions of `nn`, `random`, `annotation`, `memory` and `vm`."""

from __future__ import annotations

from typing import Any

from ...errors import said
from ..expr import TupleWrapper, const
from .build import function_of, plain_call
from .coerce import static_list

__all__ = ["SPECIAL_IN_ROOMS"]


def dropout(data: Any, rate: float = 0.5) -> Any:
    """`data` with elements set to zero at random while training."""
    return TupleWrapper(dropout_raw(data, rate), 2)[0]


def dropout_raw(data: Any, rate: float = 0.5) -> Any:
    """`data` with elements set to zero at random, and the mask."""
    return function_of("nn.dropout")(data, rate)


def _parts(matrix: Any) -> tuple[Any, Any, Any]:
    """Data, indices and index pointers of a sparse matrix, given as a triple or as an object with these fields."""
    if isinstance(matrix, (tuple, list, TupleWrapper)):
        if len(matrix) == 3:
            data, indices, indptr = matrix
            return data, indices, indptr
    elif all(hasattr(matrix, name) for name in ("data", "indices", "indptr")):
        return matrix.data, matrix.indices, matrix.indptr
    raise TypeError(f"a sparse matrix is (data, indices, indptr), which {said(matrix)} is not")


def sparse_dense(dense_mat: Any, sparse_mat: Any, sparse_lhs: bool = False) -> Any:
    """The product of a dense and a sparse matrix, the latter given as (data, indices, indptr)."""
    return function_of("nn.sparse_dense")(dense_mat, *_parts(sparse_mat), sparse_lhs)


def sparse_transpose(x: Any) -> Any:
    """The transposed of a square sparse matrix (data, indices, indptr)."""
    return function_of("nn.sparse_transpose")(*_parts(x))


def sparse_add(dense_mat: Any, sparse_mat: Any) -> Any:
    """The sum of a dense and a sparse matrix, the latter given as (data, indices, indptr)."""
    return function_of("nn.sparse_add")(dense_mat, *_parts(sparse_mat))


def conv2d_backward_weight(
    grad: Any,
    data: Any,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    grad_layout: str = "NCHW",
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_dtype: str = "",
) -> Any:
    """The gradient of conv2d with respect to the weight. `grad_layout` is the operator's `data_layout`."""
    return function_of("nn.conv2d_backward_weight")(
        grad,
        data,
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=grad_layout,
        kernel_layout=data_layout,
        out_layout=kernel_layout,
        out_dtype=out_dtype,
    )


def global_max_pool1d(data: Any, layout: str = "NCW", out_layout: str = "") -> Any:
    """The maximum over the width."""
    return function_of("nn.adaptive_max_pool1d")(data, (1,), layout, out_layout)


def global_avg_pool1d(data: Any, layout: str = "NCW", out_layout: str = "") -> Any:
    """The mean over the width."""
    return function_of("nn.adaptive_avg_pool1d")(data, (1,), layout, out_layout)


def global_max_pool3d(data: Any, layout: str = "NCDHW", out_layout: str = "") -> Any:
    """The maximum over depth, height and width."""
    return function_of("nn.adaptive_max_pool3d")(data, (1, 1, 1), layout, out_layout)


def global_avg_pool3d(data: Any, layout: str = "NCDHW", out_layout: str = "") -> Any:
    """The mean over depth, height and width."""
    return function_of("nn.adaptive_avg_pool3d")(data, (1, 1, 1), layout, out_layout)


def contrib_conv2d_nchwc(data: Any, kernel: Any, *args: Any, **kwargs: Any) -> Any:
    """A convolution on data and kernel whose channels are split; the parameters are those of `contrib_conv2d_NCHWc`."""
    return function_of("nn.contrib_conv2d_NCHWc")(data, kernel, *args, **kwargs)


def contrib_depthwise_conv2d_nchwc(data: Any, kernel: Any, *args: Any, **kwargs: Any) -> Any:
    """A convolution of each channel by itself; the parameters are those of `contrib_depthwise_conv2d_NCHWc`."""
    return function_of("nn.contrib_depthwise_conv2d_NCHWc")(data, kernel, *args, **kwargs)


def threefry_key(seed: int) -> Any:
    """A key for the random number generator, made from a seed of up to 256 bits."""
    words = [(seed >> (64 * i)) & (2**64 - 1) for i in range(4)]
    return const([*words, 0, 0, 0, 0, 1 << 63, 0], "uint64")


def on_device(body: Any, device: Any, constrain_result: bool = False, constrain_body: bool = True) -> Any:
    """`body` on a device, which is of no concern to its type."""
    return plain_call(
        "on_device",
        body,
        virtual_device=str(device),
        constrain_result=bool(constrain_result),
        constrain_body=bool(constrain_body),
    )


def alloc_storage(size: Any, shape: Any, alignment: Any, device: Any = None, dtype_hint: str = "float32") -> Any:
    """Storage of some bytes for a tensor of some shape."""
    return plain_call("memory.alloc_storage", size, shape, alignment, dtype=dtype_hint, virtual_device=str(device))


def alloc_tensor(storage: Any, offset: Any, shape: Any, dtype: str = "float32", assert_shape: Any = None) -> Any:
    """A tensor in a storage, of the shape `assert_shape`, or of that which the constant `shape` lists."""
    assert_shape = static_list(shape) if assert_shape is None else assert_shape
    return function_of("memory.alloc_tensor")(storage, offset, shape, dtype, None, assert_shape)


def shape_of(expr: Any) -> Any:
    """The shape of a tensor, as a tensor of int64."""
    return plain_call("vm.shape_of", expr, dtype="int64")


def invoke_tvm_op(func: Any, inputs: Any, outputs: Any) -> Any:
    """A call of a compiled function that writes to its outputs."""
    return plain_call("vm.invoke_tvm_op", func, inputs, outputs)


SPECIAL_IN_ROOMS: dict[str, Any] = {
    **{
        f"nn.{f.__name__}": f
        for f in (
            contrib_conv2d_nchwc,
            contrib_depthwise_conv2d_nchwc,
            conv2d_backward_weight,
            dropout,
            dropout_raw,
            global_avg_pool1d,
            global_avg_pool3d,
            global_max_pool1d,
            global_max_pool3d,
            sparse_add,
            sparse_dense,
            sparse_transpose,
        )
    },
    "random.threefry_key": threefry_key,
    "annotation.on_device": on_device,
    "memory.alloc_storage": alloc_storage,
    "memory.alloc_tensor": alloc_tensor,
    "vm.shape_of": shape_of,
    "vm.invoke_tvm_op": invoke_tvm_op,
}
