"""Words for tensors of which only a part matters: scalars, vectors, index and shape tensors, dtypes of a kind."""

from relaylogic.logic import cons, eq, fresh, lall, lengtho, unroll
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor
from relaylogic.types.dtype_goals import is_index_dtype, is_signed_dtype


def any_tensor(data):
    """`data` is a tensor."""
    return eq(data, Tensor(fresh(), fresh()))


def scalar(data, dtype=None):
    """`data` is a tensor of rank 0 (with elements of `dtype`)."""
    return eq(data, Tensor((), fresh() if dtype is None else dtype))


def tensor_of_rank(data, rank, dtype=None):
    """`data` is a tensor of the known `rank` (with elements of `dtype`)."""
    return eq(data, Tensor(tuple(fresh() for _ in range(rank)), fresh() if dtype is None else dtype))


def vector(data, length=None, dtype=None):
    """`data` is a tensor of rank 1 with `length` elements (of `dtype`)."""
    return eq(data, Tensor((fresh() if length is None else length,), fresh() if dtype is None else dtype))


def unknown_shape(shape, rank):
    """`shape` has `rank` extents, all of them `?`."""
    return lall(lengtho(shape, rank), unroll((shape,), lambda extents: eq(extents, (ANY,) * len(extents))))


def shape_tensor(data, rank, dtype=None):
    """`data` holds a shape of `rank` extents: its first extent is that rank."""
    return eq(data, Tensor(cons(rank, fresh()), fresh() if dtype is None else dtype))


def signed_index(dtype):
    """A signed integer dtype."""
    return is_signed_dtype(dtype)


def index(dtype):
    """A signed or unsigned integer dtype; bool counts as an unsigned one."""
    return is_index_dtype(dtype)
