"""Correlation of the patches of two images."""

from relaylogic.logic import agree, ceildiv, eq, equals, fail, fresh, fresh_list, lall, plus, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .spatial import typed
from .windows import padding_list, padding_of_axes


@relation
def Correlation(data1, data2, out, attrs):
    """Every patch of the one image with those near it in the other: a channel for each displacement.

    The images are of one shape; where an extent of one of them is `?`, the result has the height of the first and the
    width of the second.
    """


@Correlation.clause
def displacements_as_channels(data1, data2, out, attrs):
    padding = padding_of_axes(attrs.padding, 2)
    if padding is None or attrs.layout != "NCHW" or attrs.stride2 == 0:
        return stating("padding is given for each axis, the layout is NCHW, the strides are not 0", fail)
    border = attrs.max_displacement + int((attrs.kernel_size - 1) / 2)
    steps = 2 * int(attrs.max_displacement / attrs.stride2) + 1
    height, width, dtype, other_dtype = fresh(4)
    one, other = fresh_list(4), fresh_list(4)
    sides = zip((one[2], other[3]), padding, (height, width), strict=True)
    return lall(
        stating("the first operand is in NCHW", eq(data1, Tensor(one, dtype))),
        eq(data2, Tensor(other, other_dtype)),
        stating("the operands agree in shape", *map(agree, one, other)),
        eq(out, Tensor((one[0], steps * steps, height, width), dtype)),
        stating(
            "the patches fit into the padded images",
            *(equals(made, ceildiv(plus(extent, more - 2 * border), attrs.stride1)) for extent, more, made in sides),
        ),
        typed(other_dtype),
    )


operator(
    "nn.correlation",
    "data1, data2",
    Correlation,
    "kernel_size: int = 1; max_displacement: int = 1; stride1: int = 1; stride2: int = 1; "
    f"padding: {padding_list(2)} = (0, 0); is_multiply: bool = True; layout: str[layout NCHW] = 'NCHW'",
)
