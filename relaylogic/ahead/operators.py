"""Usual calls of operators that are neither layers nor told apart by axes only: indices, orders, windows, regions.

Of a call in a text, `%0`, `%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .axes import Usual

__all__ = ["calls_at_places", "calls_of_operators", "even_shape"]

RANKS = 1, 2, 3, 4
_INDEX = 'cast(%1, dtype="int32")'
_LIKE = (
    ("6, 8", "6, 8"),
    ("8", "6, 8"),
    ("1, 8", "6, 8"),
    ("6, 1", "6, 8"),
    ("6, 8, 1, 1", "6, 8, 12, 12"),
    ("6, 8, 12, 12", "6, 8, 12, 12"),
)
"""A shape, and one that it is broadcast to."""
_MATRICES = ("6, 12", "12, 4"), ("6, 12", "4, 12"), ("12, 6", "12, 4"), ("12, 6", "4, 12")
"""Shapes of matrices that are multiplied, neither of them transposed, the second one, the first one, and both."""

_SUMMED = (
    ("ij,jk->ik", "6, 12", "12, 4"),
    ("bij,bjk->bik", "6, 8, 12", "6, 12, 4"),
    ("bhqd,bhkd->bhqk", "6, 2, 8, 4", "6, 2, 12, 4"),
    ("bhqk,bhkd->bhqd", "6, 2, 8, 12", "6, 2, 12, 4"),
    ("bqhd,bkhd->bhqk", "6, 8, 2, 4", "6, 12, 2, 4"),
    ("bhqk,bkhd->bqhd", "6, 2, 8, 12", "6, 12, 2, 4"),
)
"""Sums of products: of matrices, and of the heads of attention."""

OTHERS: tuple[tuple[str, ...], ...] = (
    ("arange(0f, 8f, 1f)",),
    ('arange(0, 8, 1, dtype="int32")',),
    (f"unravel_index(cast(%0, dtype=\"int32\"), {_INDEX})", "6", "2"),
    (f"adv_index((%0, {_INDEX}))", "6, 8", "4"),
    (f'adv_index((%0, {_INDEX}, cast(%2, dtype="int32")))', "6, 8", "4", "4"),
    ("searchsorted(%0, %1)", "12", "6"),
    ("searchsorted(%0, %1)", "6, 12", "6, 8"),
    ("nn.correlation(%0, %1)", "6, 8, 12, 12", "6, 8, 12, 12"),
    ("sparse_to_dense(cast(%0, dtype=\"int32\"), %1, 0f, output_shape=[12, 12])", "6, 2", "6"),
    ('nn.sparse_dense(%0, %1, cast(%2, dtype="int32"), cast(%3, dtype="int32"))', "6, 12", "8, 4, 1", "8", "3"),
    *[(f'einsum((%0, %1), equation="{equation}")', *shapes) for equation, *shapes in _SUMMED],
    ("reshape_like(%0, %1)", "6, 8", "6, 2, 2, 2"),
    ("reshape_like(%0, %1)", "6, 8", "6, 8, 1, 1"),
    ("squeeze(%0, axis=[2, 3])", "6, 8, 1, 1"),
    ("squeeze(%0, axis=[1, 2])", "6, 1, 1, 8"),
    ("squeeze(%0, axis=[2, 3, 4])", "6, 8, 1, 1, 1"),
    ("squeeze(%0, axis=[3, 4])", "6, 8, 4, 1, 1"),
    ("expand_dims(%0, axis=0, num_newaxis=2)", "8"),
    ("expand_dims(%0, axis=1, num_newaxis=2)", "8"),
    ("expand_dims(%0, axis=1, num_newaxis=3)", "8"),
    ("expand_dims(%0, axis=2, num_newaxis=2)", "6, 8"),
    ("variance(%0, %1, axis=[1], keepdims=True)", "6, 8", "6, 1"),
    ("variance(%0, %1, axis=[-1], keepdims=True)", "6, 8", "6, 1"),
    ("variance(%0, %1, axis=[-1], keepdims=True)", "6, 12, 8", "6, 12, 1"),
    ("variance(%0, %1, axis=[2, 3], keepdims=True)", "6, 8, 12, 12", "6, 8, 1, 1"),
    ("variance(%0, %1, axis=[0, 2, 3], keepdims=True)", "6, 8, 12, 12", "1, 8, 1, 1"),
    ("nn.cross_entropy(%0, %1)", "6, 8", "6, 8"),
    ("nn.cross_entropy_with_logits(%0, %1)", "6, 8", "6, 8"),
    ('nn.nll_loss(%0, cast(%1, dtype="int32"), %2, reduction="mean")', "6, 8", "6", "8"),
    ("nn.dilate(%0, strides=[1, 1, 2, 2])", "6, 8, 12, 12"),
    ("nn.space_to_batch_nd(%0, block_shape=[2, 2], paddings=[[0, 0], [0, 0]])", "6, 12, 12, 8"),
    ("nn.batch_to_space_nd(%0, block_shape=[2, 2], crops=[[0, 0], [0, 0]])", "24, 12, 12, 8"),
    ("sequence_mask(%0, %1, axis=0)", "12, 6, 8", "6"),
    ("sequence_mask(%0, %1, axis=1)", "6, 12, 8", "6"),
    ("matrix_set_diag(%0, %1)", "6, 6", "6"),
    ("slice_like(%0, %1)", "6, 8, 12, 12", "6, 8, 10, 10"),
    ("slice_like(%0, %1, axes=[2, 3])", "6, 8, 12, 12", "6, 4, 10, 10"),
    ('meshgrid((%0, %1), indexing="ij")', "6", "8"),
    ('meshgrid((%0, %1), indexing="xy")', "6", "8"),
    ('layout_transform(%0, src_layout="NCHW", dst_layout="NHWC")', "6, 8, 12, 12"),
    ('layout_transform(%0, src_layout="NHWC", dst_layout="NCHW")', "6, 12, 12, 8"),
    (
        "nn.deformable_conv2d(%0, %1, %2, padding=[1, 1], kernel_size=[3, 3], channels=4)",
        "6, 8, 12, 12",
        "6, 18, 12, 12",
        "4, 8, 3, 3",
    ),
    ("vision.get_valid_counts(%0, 0.5f)", "1, 12, 6"),
    *[
        (
            'vision.non_max_suppression(%0, cast(%1, dtype="int32"), cast(%2, dtype="int32"), -1, 0.5f, '
            f"return_indices={indices})",
            "1, 12, 6",
            "1",
            "1, 12",
        )
        for indices in ("False", "True")
    ],
    (
        'vision.all_class_non_max_suppression(%0, %1, cast(%2, dtype="int64"), 0.5f, 0.5f)',
        "6, 12, 4",
        "6, 8, 12",
        "",
    ),
    ("vision.multibox_prior(%0)", "6, 8, 12, 12"),
    ("vision.yolo_reorg(%0, stride=2)", "6, 8, 12, 12"),
    ("vision.multibox_transform_loc(%0, %1, %2)", "6, 8, 12", "6, 48", "1, 12, 4"),
    (
        "vision.proposal(%0, %1, %2, scales=[8f], ratios=[0.5f, 1f, 2f], feature_stride=8, threshold=0.7f, "
        "rpn_pre_nms_top_n=200, rpn_post_nms_top_n=50, rpn_min_size=4, iou_loss=False)",
        "1, 6, 12, 12",
        "1, 12, 12, 12",
        "1, 3",
    ),
    ("vision.roi_align(%0, %1, pooled_size=[7, 7], spatial_scale=0.5f, sample_ratio=2)", "6, 8, 12, 12", "12, 5"),
    ("vision.roi_pool(%0, %1, pooled_size=[7, 7], spatial_scale=0.5f)", "6, 8, 12, 12", "12, 5"),
    (f'image.crop_and_resize(%0, %2, {_INDEX}, crop_size=[7, 7], layout="NCHW")', "6, 8, 12, 12", "12", "12, 4"),
    (f'image.crop_and_resize(%0, %2, {_INDEX}, crop_size=[7, 7], layout="NHWC")', "6, 12, 12, 8", "12", "12, 4"),
    ("image.resize1d(%0, size=[24], roi=[0f, 0f])", "6, 8, 12"),
    ("image.resize3d(%0, size=[24, 24, 24], roi=[0f, 0f, 0f, 0f, 0f, 0f])", "6, 8, 12, 12, 12"),
    ("nn.upsampling3d(%0, scale_d=2f, scale_h=2f, scale_w=2f)", "6, 8, 12, 12, 12"),
    ("image.affine_grid(%0, target_shape=[12, 12])", "6, 2, 3"),
    ("image.grid_sample(%0, %1)", "6, 8, 12, 12", "6, 2, 10, 10"),
)
"""Calls of a form of their own, and the shapes of their tensors."""


def calls_of_operators() -> Iterator[Usual]:
    """Calls of tensors of float32."""
    for call, *shapes in OTHERS:
        yield Usual(call, tuple(shapes))
    yield from _products()
    yield from _looked_up()
    yield from _in_order()
    yield from _widened()
    for less, whole in _LIKE:
        yield Usual("broadcast_to_like(%0, %1)", (less, whole))
        yield Usual("collapse_sum_like(%0, %1)", (whole, less))
    for padding in ("[1, 1]", "[1, 1, 1, 1]"):
        attributes = f'padding={padding}, kernel_size=[3, 3], kernel_layout="NCHW", out_layout="OIHW"'
        yield Usual(f"nn.conv2d_backward_weight(%0, %1, {attributes})", ("6, 4, 12, 12", "6, 8, 12, 12"))
    for shape in ("[]", "[2]", "[2, 2]", "[2, 2, 2]", "[2, 2, 2, 2]"):
        yield Usual(f'full(1f, shape={shape}, dtype="float32")', ())


def even_shape(rank: int, extent: str = "12") -> str:
    """A shape of one extent along all axes."""
    return ", ".join([extent] * rank)


def _axes(rank: int) -> tuple[int, ...]:
    return (*range(rank), -1)


def _products() -> Iterator[Usual]:
    forms = zip(product(("False", "True"), repeat=2), _MATRICES, strict=True)
    for (first, second), shapes in forms:
        transposed = f"transpose_a={first}, transpose_b={second}"
        yield Usual(f"nn.matmul(%0, %1, {transposed})", shapes)
        for dtype in ("", ', out_dtype="float32"'):
            yield Usual(f"nn.batch_matmul(%0, %1, {transposed}{dtype})", tuple([f"6, {shape}" for shape in shapes]))


def _looked_up() -> Iterator[Usual]:
    """What is looked up, or written, at indices."""
    for rank in RANKS:
        for axis in _axes(rank):
            yield Usual(f"gather(%0, {_INDEX}, axis={axis})", (even_shape(rank), even_shape(rank)))
            elements = f"scatter_elements(%0, {_INDEX}, %2, axis={axis})"
            yield Usual(elements, (even_shape(rank), even_shape(rank), even_shape(rank)))
    for rank, axis in product((0, 1, 2, 3), (-1, 0, 1)):
        if axis <= rank:
            call = f'one_hot(cast(%0, dtype="int32"), 1f, 0f, depth=9, axis={axis}, dtype="float32")'
            yield Usual(call, (even_shape(rank),))


def calls_at_places() -> Iterator[Usual]:
    """What is looked up, or written, at places, whose first extent says how many axes each is of."""
    for rank in RANKS:
        for axes, index_rank in product(range(1, rank + 1), (1, 2, 3)):
            places = ", ".join(filter(None, (str(axes), even_shape(index_rank - 1))))
            yield Usual(f"gather_nd(%0, {_INDEX})", (even_shape(rank), places))
            written = ", ".join(filter(None, (even_shape(index_rank - 1), even_shape(rank - axes))))
            yield Usual(f"scatter_nd(%0, {_INDEX}, %2)", (even_shape(rank), places, written))


def _in_order() -> Iterator[Usual]:
    """What goes along an axis in order."""
    for rank in RANKS:
        for axis in _axes(rank):
            yield Usual(f"cumsum(%0, axis={axis})", (even_shape(rank),))
            yield Usual(f"reverse(%0, axis={axis})", (even_shape(rank),))
            if rank < len(RANKS):
                yield Usual(f"sort(%0, axis={axis})", (even_shape(rank),))
                for dtype in ("", ', dtype="int32"', ', dtype="int64"'):
                    yield Usual(f"argsort(%0, axis={axis}{dtype})", (even_shape(rank),))
                    for kind in ("both", "indices", "values"):
                        yield Usual(f'topk(%0, k=3, axis={axis}, ret_type="{kind}"{dtype})', (even_shape(rank),))


def _widened() -> Iterator[Usual]:
    """What is wider than the data."""
    for rank in RANKS:
        shape = even_shape(rank)
        yield Usual(f"tile(%0, reps={[2] * rank})", (shape,))
        yield Usual(f"nn.mirror_pad(%0, pad_width={[[1, 1]] * rank})", (shape,))
        for axis in _axes(rank):
            yield Usual(f"repeat(%0, repeats=2, axis={axis})", (shape,))
        for value in ("0f", "1f"):
            yield Usual(f"full_like(%0, {value})", (shape,))
        yield Usual("argwhere(%0)", (shape,))
        yield Usual("ndarray_size(%0)", (shape,))
        yield Usual('dyn.full(0f, cast(%0, dtype="int64"))', (str(rank),))
    for rank in (*RANKS, 5):
        for data in ("%0", 'cast(%0, dtype="uint8")'):
            yield Usual(f"nn.pad({data}, 0f, pad_width={[[1, 1]] * rank})", (even_shape(rank),))
        for upper in ("True", "False") if 1 < rank < 5 else ():
            yield Usual(f"trilu(%0, {_INDEX}, upper={upper})", (even_shape(rank), ""))
    for rank, axis in ((3, 1), (4, 1), (4, 3), (5, 1)):
        shape = ", ".join(["8" if i == axis else "12" for i in range(rank)])
        yield Usual(f"nn.group_norm(%0, %1, %2, num_groups=4, axis={axis})", (shape, "8", "8"))
