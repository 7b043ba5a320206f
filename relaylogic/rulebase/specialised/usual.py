"""Usual calls of operators, as Relay programs: those for which programs are made when the package is installed.

A program answers calls of all extents and natural attributes, whatever the attributes are that its relation does not
look at. So one call of each form is enough: what differs is ranks, dtypes, what is annotated, and the attributes that
are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from .usual_axes import FLOAT, calls_of_axes, calls_that_broadcast

__all__ = ["usual_programs"]

TOGETHER = 400
"""So many functions are one program."""

OTHER_DTYPES = "float16", "float64", "int8", "uint8", "int32", "int64", "bool"
SHAPES = "", "12", "6, 12", "6, 12, 24", "6, 12, 24, 24", "6, 12, 24, 24, 24"
"""A shape of each rank."""

ONE_TENSOR = {
    "nn.relu(%0)": (0, 1, 2, 3, 4, 5),
    "nn.batch_flatten(%0)": (2, 3, 4, 5),
    "nn.dropout(%0)": (2, 3, 4),
    "nn.lrn(%0)": (4,),
    "nn.global_avg_pool2d(%0)": (4,),
    'nn.global_avg_pool2d(%0, layout="NHWC")': (4,),
    "nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2])": (4,),
    "nn.avg_pool2d(%0, pool_size=[2, 2], strides=[2, 2])": (4,),
    "nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1], ceil_mode=True)": (4,),
    "nn.max_pool1d(%0, pool_size=[2], strides=[2], padding=[1, 1])": (3,),
    "nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1])": (4,),
    "nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2], ceil_mode=True)": (4,),
    'nn.max_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1], layout="NHWC")': (4,),
    "nn.max_pool3d(%0, pool_size=[2, 2, 2], strides=[2, 2, 2], padding=[1, 1, 1, 1, 1, 1])": (5,),
    "nn.avg_pool1d(%0, pool_size=[2], strides=[2], padding=[1, 1])": (3,),
    "nn.avg_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1])": (4,),
    "nn.avg_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1], count_include_pad=True)": (4,),
    'nn.avg_pool2d(%0, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 1, 1], layout="NHWC")': (4,),
    "nn.avg_pool3d(%0, pool_size=[2, 2, 2], strides=[2, 2, 2], padding=[1, 1, 1, 1, 1, 1])": (5,),
    "nn.avg_pool3d(%0, pool_size=[2, 2, 2], padding=[1, 1, 1, 1, 1, 1], count_include_pad=True)": (5,),
    "nn.adaptive_avg_pool3d(%0, output_size=[1, 1, 1])": (5,),
    "nn.adaptive_avg_pool2d(%0, output_size=[2, 2])": (4,),
    "nn.upsampling(%0, scale_h=2f, scale_w=2f)": (4,),
    "image.resize2d(%0, size=[24, 24], roi=[0f, 0f, 0f, 0f])": (4,),
    'nn.depth_to_space(%0, block_size=2, layout="NCHW", mode="DCR")': (4,),
    "nn.pad(%0, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]])": (4,),
    "nn.pad(%0, 0f, pad_width=[[0, 0], [1, 1], [1, 1], [0, 0]])": (4,),
    "reshape(%0, newshape=[0, -1])": (2, 3, 4),
    "reshape(%0, newshape=[0, -1, 12])": (2, 3, 4),
    "reshape(%0, newshape=[0, 0, -1])": (3, 4),
    "reshape(%0, newshape=[0, 0, 4, 6])": (3,),
    "transpose(%0)": (2, 3),
    "mean(%0)": (1, 2, 3, 4),
    "mean(%0, axis=[2, 3])": (4,),
    "mean(%0, axis=[2, 3], keepdims=True)": (4,),
    "mean(%0, axis=[1, 2])": (4,),
    "sum(%0, axis=[0, 1])": (2,),
    **{f'cast(%0, dtype="{dtype}")': (0, 1, 2, 3, 4) for dtype in OTHER_DTYPES},
}
"""Calls of one tensor of float32, and the ranks that it has."""

TWO_TENSORS = {
    "add(%0, %1)": tuple(product(range(5), range(5))),
    "less(%0, %1)": ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (2, 0), (4, 0)),
}
"""Calls of two tensors of float32, and the ranks that they have."""

_OF_CHANNELS = "6, 8", "6, 8, 12", "6, 8, 12, 12", "6, 8, 12, 12, 12"

LAYERS = (
    ("nn.dense(%0, %1)", "6, 8", "4, 8"),
    ("nn.dense(%0, %1, units=4)", "6, 8", "4, 8"),
    ("nn.dense(%0, %1, units=4)", "6, 12, 8", "4, 8"),
    *[("nn.bias_add(%0, %1)", shape, "8") for shape in _OF_CHANNELS],
    ("nn.bias_add(%0, %1, axis=-1)", "6, 8", "8"),
    ("nn.bias_add(%0, %1, axis=-1)", "6, 8, 12", "12"),
    ("nn.bias_add(%0, %1, axis=2)", "6, 8, 12", "12"),
    ("nn.bias_add(%0, %1, axis=3)", "6, 8, 12, 12", "12"),
    ("nn.bias_add(%0, %1, axis=-1)", "6, 8, 12, 12", "12"),
    ("nn.prelu(%0, %1)", "6, 8, 12, 12", "8"),
    *[("nn.batch_norm(%0, %1, %2, %3, %4)", shape, "8", "8", "8", "8") for shape in _OF_CHANNELS],
    ("nn.batch_norm(%0, %1, %2, %3, %4, axis=3)", "6, 12, 12, 12", *["12"] * 4),
    *[("nn.layer_norm(%0, %1, %2)", shape, "12", "12") for shape in ("6, 12", "6, 8, 12", "6, 8, 8, 12")],
    ("nn.conv1d(%0, %1, kernel_size=[3], channels=4)", "6, 8, 12", "4, 8, 3"),
    ("nn.conv2d(%0, %1)", "6, 8, 12, 12", "4, 8, 3, 3"),
    ("nn.conv2d(%0, %1, kernel_size=[3, 3], channels=4)", "6, 8, 12, 12", "4, 8, 3, 3"),
    ("nn.conv2d(%0, %1, padding=[1, 1], kernel_size=[3, 3])", "6, 8, 12, 12", "4, 8, 3, 3"),
    ("nn.conv2d(%0, %1, padding=[1, 1, 1, 1], kernel_size=[3, 3])", "6, 8, 12, 12", "4, 8, 3, 3"),
    ("nn.conv2d(%0, %1, padding=[1, 1, 1, 1], kernel_size=[3, 3], channels=4)", "6, 8, 12, 12", "4, 8, 3, 3"),
    ("nn.conv2d(%0, %1, padding=[1, 1], kernel_size=[3, 3], channels=4)", "6, 8, 12, 12", "4, 8, 3, 3"),
    (
        "nn.conv2d(%0, %1, padding=[1, 1, 1, 1], kernel_size=[3, 3], channels=4, "
        'data_layout="NHWC", kernel_layout="HWIO")',
        "6, 12, 12, 8",
        "3, 3, 8, 4",
    ),
    (
        "nn.conv2d(%0, %1, padding=[1, 1, 1, 1], kernel_size=[3, 3], channels=8, groups=8, "
        'data_layout="NHWC", kernel_layout="HWOI")',
        "6, 12, 12, 8",
        "3, 3, 8, 1",
    ),
    (
        "nn.conv3d(%0, %1, padding=[1, 1, 1, 1, 1, 1], kernel_size=[3, 3, 3], channels=4, "
        'data_layout="NDHWC", kernel_layout="DHWIO")',
        "6, 12, 12, 12, 8",
        "3, 3, 3, 8, 4",
    ),
    (
        "nn.conv3d(%0, %1, padding=[1, 1, 1, 1, 1, 1], kernel_size=[3, 3, 3], channels=4)",
        "6, 8, 12, 12, 12",
        "4, 8, 3, 3, 3",
    ),
    (
        "nn.conv2d_transpose(%0, %1, padding=[1, 1, 1, 1], kernel_size=[2, 2], channels=4, strides=[2, 2])",
        "6, 8, 12, 12",
        "8, 4, 2, 2",
    ),
)
"""Calls of a tensor and weights of float32: once with annotated weights, once with weights of any type."""

OTHERS = (
    ("nn.batch_matmul(%0, %1, transpose_b=True)", "6, 8, 12", "6, 4, 12"),
    ("nn.batch_matmul(%0, %1, transpose_b=False)", "6, 8, 12", "6, 12, 4"),
    ("nn.matmul(%0, %1)", "6, 8", "8, 4"),
    ("nn.batch_matmul(%0, %1, transpose_a=True, transpose_b=False)", "6, 12, 8", "6, 12, 4"),
    ("nn.matmul(%0, %1, transpose_b=True)", "6, 8", "4, 8"),
    ("reshape_like(%0, %1)", "6, 8", "6, 2, 2, 2"),
    ("vision.get_valid_counts(%0, 0.5f)", "1, 12, 6"),
    (
        'vision.non_max_suppression(%0, cast(%1, dtype="int32"), cast(%2, dtype="int32"), -1, 0.5f, '
        "return_indices=False)",
        "1, 12, 6",
        "1",
        "1, 12",
    ),
    *[
        (f'qnn.quantize(%0, 0.5f, 3, out_dtype="{dtype}", axis={axis})', SHAPES[rank])
        for dtype, (rank, axis) in product(("int8", "uint8"), ((1, 0), (2, 0), (2, 1), (4, 1)))
    ],
    *[
        (f'qnn.dequantize(cast(%0, dtype="{dtype}"), 0.5f, 3)', SHAPES[rank])
        for dtype, rank in product(("int8", "uint8", "int32"), (1, 2, 4))
    ],
    *[
        (f'qnn.requantize(cast(%0, dtype="int32"), 0.5f, 3, 0.5f, 3, axis=1, out_dtype="{dtype}")', SHAPES[rank])
        for dtype, rank in product(("int8", "uint8"), (2, 4))
    ],
    *[
        (
            f'qnn.conv2d(cast(%0, dtype="{dtype}"), cast(%1, dtype="int8"), 3, 3, 0.5f, 0.5f, padding=[1, 1, 1, 1], '
            'kernel_size=[3, 3], channels=4, out_dtype="int32")',
            "6, 8, 12, 12",
            "4, 8, 3, 3",
        )
        for dtype in ("int8", "uint8")
    ],
    *[
        (
            f'qnn.dense(cast(%0, dtype="{dtype}"), cast(%1, dtype="int8"), 3, 3, 0.5f, 0.5f, units=4, '
            'out_dtype="int32")',
            "6, 8",
            "4, 8",
        )
        for dtype in ("int8", "uint8")
    ],
    *[('nn.bias_add(cast(%0, dtype="int32"), cast(%1, dtype="int32"))', shape, "8") for shape in _OF_CHANNELS],
)
"""Other calls of tensors of float32."""


def usual_programs() -> Iterator[str]:
    """Programs of functions that make a usual call each."""
    functions = dict.fromkeys(_functions())
    numbered = [f"def @usual{i}{function}\n" for i, function in enumerate(functions)]
    for first in range(0, len(numbered), TOGETHER):
        yield "".join(numbered[first : first + TOGETHER])


def _functions() -> Iterator[str]:
    for call, ranks in ONE_TENSOR.items():
        for rank in ranks:
            yield from _with_any_batch(call, (SHAPES[rank],))
            if call.startswith("nn."):
                yield from (_function(call, (SHAPES[rank],), dtype) for dtype in ("float16", "float64"))
    for dtype, rank in product(OTHER_DTYPES, range(5)):
        yield _function("copy(%0)", (SHAPES[rank],), dtype)
        for other in ("float32", "int8", "uint8", "int32", "int64"):
            yield _function(f'cast(%0, dtype="{other}")', (SHAPES[rank],), dtype)
    for call, several in TWO_TENSORS.items():
        for ranks in several:
            yield from _with_any_batch(call, tuple(", ".join(["8"] * rank) for rank in ranks))
    for dtype, rank in product(OTHER_DTYPES, range(3)):
        yield _function("add(%0, %1)", (SHAPES[rank], SHAPES[rank]), dtype)
    for call, *shapes in LAYERS:
        yield from _with_any_batch(call, shapes, len(shapes) - 1)
        yield _function(call, shapes, FLOAT, weights=False)
        for dtype, weights in product(("float16", "float64"), (True, False)):
            yield _function(call, shapes, dtype, weights)
    for call, *shapes in OTHERS:
        yield from _with_any_batch(call, shapes)
    for usual in calls_of_axes():
        yield from _with_any_batch(usual.call, usual.shapes) if usual.dtype == FLOAT else [_function(*usual)]
    for usual in calls_that_broadcast():
        yield _function(*usual)


def _with_any_batch(call: str, shapes: Sequence[str], weights: int = 0) -> Iterator[str]:
    """A call of tensors of float32, and the same where the first extent of each is `?`, but for the last `weights`."""
    yield _function(call, shapes, FLOAT)
    data = shapes[: len(shapes) - weights]
    if any("," in shape for shape in data):
        opened = [re.sub(r"^[0-9]+,", "?,", shape) for shape in data]
        yield _function(call, (*opened, *shapes[len(data) :]), FLOAT)


def _function(call: str, shapes: Sequence[str], dtype: str, weights: bool = True) -> str:
    """A function that makes a call; without `weights`, only the first tensor has a type."""
    types = [f": Tensor[({shape}), {dtype}]" if weights or not i else "" for i, shape in enumerate(shapes)]
    parameters = ", ".join(f"%a{i}{type_}" for i, type_ in enumerate(types))
    return f"({parameters}) {{ {call.replace('%', '%a')} }}"
