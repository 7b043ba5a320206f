"""Example calls of the shipped operators, by operator or relation: what a reader would try first.

A call is the types of its arguments, in which `_` is a type for the relation to find, and its attributes.
"""

from __future__ import annotations

from typing import Any

__all__ = ["EXAMPLES", "Example"]

Example = tuple[str, dict[str, Any]]


def _call(arguments: str, **attrs: Any) -> Example:
    return arguments, attrs


def _f(*extents: Any, dtype: str = "float32") -> str:
    return f"Tensor[({', '.join(map(str, extents))}), {dtype}]"


IMAGE, VOLUME, SIGNAL = _f(1, 3, 32, 32), _f(1, 3, 8, 32, 32), _f(1, 3, 32)
MATRIX, VECTOR = _f(2, 3), _f(3)
KEY = _f(10, dtype="uint64")
SCALE, ZERO = "float32", "int32"
QUANTISED = f"{SCALE}, {ZERO}, {SCALE}, {ZERO}"
TWO_SHAPES = "(Tensor[(2, 3), float32], Tensor[(4, 3), float32])"
SPARSE = f"{_f(12)}, {_f(12, dtype='int32')}, {_f(5, dtype='int32')}"
ADAPTIVE = {"output_size": [7]}

EXAMPLES: dict[str, Example] = {
    # Shape by shape.
    "SimulatedQuantize": _call(f"{MATRIX}, _, _, _"),
    "Transpose": _call(_f(2, 3, 4), axes=[0, 2, 1]),
    "ExpandDims": _call(MATRIX, axis=1, num_newaxis=2),
    "Squeeze": _call(_f(1, 3, 1), axis=[0]),
    "Reverse": _call(MATRIX, axis=1),
    "Pad": _call(f"{MATRIX}, float32", pad_width=[[0, 0], [1, 2]]),
    "MirrorPad": _call(MATRIX, pad_width=[[0, 0], [1, 2]]),
    "DynamicPad": _call(f"{MATRIX}, {_f(2, 2, dtype='int64')}, float32", pad_width=None),
    "Dilate": _call(MATRIX, strides=[1, 2]),
    "DepthToSpace": _call(_f(1, 8, 4, 6), block_size=2),
    "SpaceToDepth": _call(_f(1, 8, 4, 6), block_size=2),
    "SpaceToBatchND": _call(_f(1, 4, 6, 3), block_shape=[2, 2], paddings=[[0, 0], [0, 0]]),
    "BatchToSpaceND": _call(_f(4, 2, 3, 3), block_shape=[2, 2], crops=[[0, 0], [0, 0]]),
    "BroadcastTo": _call(VECTOR, shape=[2, 3]),
    "BroadcastToLike": _call(f"{VECTOR}, {MATRIX}"),
    "CollapseSumLike": _call(f"{MATRIX}, {VECTOR}"),
    "CollapseSumTo": _call(f"{MATRIX}, {_f(1, dtype='int64')}", shape=[3]),
    "Cast": _call(MATRIX, dtype="float16"),
    "CastLike": _call(f"{MATRIX}, int8"),
    "Reshape": _call(_f(2, 3, 4), newshape=[-1, 4]),
    "ReverseReshape": _call(_f(2, 3, 4), newshape=[-3, 0]),
    "ReshapeLike": _call(f"{_f(6)}, {MATRIX}"),
    "Flatten": _call(_f(2, 3, 4)),
    "Concatenate": _call(TWO_SHAPES, axis=0),
    "Stack": _call(f"({MATRIX}, {MATRIX})", axis=1),
    "Split": _call(_f(2, 6), indices_or_sections=3, axis=1),
    "Meshgrid": _call(f"({_f(2)}, {VECTOR})"),
    "Tile": _call(MATRIX, reps=[2, 1]),
    "Repeat": _call(MATRIX, repeats=2, axis=1),
    "StridedSlice": _call(_f(4, 6), begin=[0, 1], end=[2, 6], strides=[1, 2], axes=None),
    "SliceLike": _call(f"{_f(4, 6)}, {MATRIX}", axes=None),
    "SlidingWindow": _call(_f(2, 8), axis=1, window_shape=[3], strides=[1]),
    # Element by element.
    "Identity": _call(MATRIX),
    "Broadcast": _call(f"{_f(2, 1, 4)}, {_f(3, 4)}"),
    "Comparison": _call(f"{_f(2, 1, 4)}, {_f(3, 4)}"),
    "Where": _call(f"{_f(2, 3, dtype='bool')}, {MATRIX}, {VECTOR}"),
    "clip": _call(MATRIX, a_min=0.0, a_max=6.0),
    "nn.l2_normalize": _call(MATRIX, eps=1e-6, axis=[1]),
    "fixed_point_multiply": _call(_f(2, 3, dtype="int32"), multiplier=1073741824, shift=1),
    "FixedPointMultiplyPerAxis": _call(f"{_f(2, 3, dtype='int32')}, {', '.join([_f(3, dtype='int32')] * 3)}", axes=[1]),
    "Reduce": _call(_f(2, 3, 4), axis=[1]),
    "ArgReduce": _call(_f(2, 3, 4), axis=[1]),
    "Variance": _call(f"{MATRIX}, {_f(2, 1)}", axis=[1]),
    "Scan": _call(MATRIX, axis=1),
    "Softmax": _call(MATRIX, axis=-1),
    # New tensors.
    "Filled": _call("", shape=[2, 3], dtype="float32"),
    "Full": _call("float32", shape=[2, 3], dtype="float32"),
    "FullLike": _call(f"{MATRIX}, float32"),
    "OneHot": _call(f"{_f(4, dtype='int32')}, float32, float32", depth=10, axis=-1, dtype="float32"),
    "arange": _call(
        "int32, int32, int32",
        start={"const": 0, "dtype": "int32", "shape": ()},
        stop={"const": 10, "dtype": "int32", "shape": ()},
        step={"const": 2, "dtype": "int32", "shape": ()},
        dtype="int32",
    ),
    # Picking and placing elements.
    "Take": _call(f"{_f(5, 3)}, {_f(2, 2, dtype='int32')}", axis=0),
    "Gather": _call(f"{_f(5, 3)}, {_f(2, 3, dtype='int32')}", axis=0),
    "GatherND": _call(f"{_f(5, 3, 4)}, {_f(2, 7, dtype='int32')}"),
    "AdvIndex": _call(f"({_f(5, 3)}, {_f(4, dtype='int32')})"),
    "ScatterND": _call(f"{_f(5, 3)}, {_f(1, 2, dtype='int32')}, {MATRIX}"),
    "StridedSet": _call(f"{_f(4, 6)}, {MATRIX}, {', '.join([_f(2, dtype='int64')] * 3)}"),
    "ScatterElements": _call(f"{_f(5, 3)}, {_f(2, 3, dtype='int32')}, {MATRIX}", axis=0),
    "MatrixSetDiag": _call(f"{MATRIX}, {_f(2)}"),
    "Sort": _call(MATRIX, axis=1),
    "Argsort": _call(MATRIX, axis=1, dtype="int32"),
    "TopK": _call(_f(2, 10), k=3, dtype="int32"),
    "SearchSorted": _call(f"{_f(10)}, {_f(4)}"),
    "Unique": _call(_f(10)),
    "ArgWhere": _call(_f(2, 3, dtype="bool")),
    "ReverseSequence": _call(f"{_f(4, 5)}, {_f(5, dtype='int32')}", seq_axis=0, batch_axis=1),
    "SequenceMask": _call(f"{_f(8, 4)}, {_f(4, dtype='int32')}"),
    "UnravelIndex": _call(f"{_f(5, dtype='int32')}, {_f(2, dtype='int32')}"),
    "ShapeOf": _call(MATRIX, dtype="int64"),
    "Size": _call(MATRIX, dtype="int64"),
    "ReshapeTensor": _call(f"{MATRIX}, {_f(1, dtype='int64')}", newshape=[6]),
    "Einsum": _call(f"({MATRIX}, {_f(3, 4)})", equation="ij,jk->ik"),
    "STFT": _call(f"{_f(5, 33)}, {VECTOR}", n_fft=3, hop_length=2, win_length=3, normalized=False, onesided=True),
    "Triangle": _call(f"{_f(4, 4)}, int32"),
    "DFT": _call(f"{_f(2, 8)}, {_f(2, 8)}"),
    # Layers.
    "Conv1D": _call(f"{SIGNAL}, _", channels=8, kernel_size=[3], padding=[1, 1]),
    "Conv2D": _call(f"{IMAGE}, _", channels=8, kernel_size=[3, 3], strides=[2, 2], padding=[1, 1]),
    "Conv3D": _call(f"{VOLUME}, _", channels=8, kernel_size=[3, 3, 3], padding=[1, 1, 1]),
    "Conv1DTranspose": _call(f"{SIGNAL}, _", channels=8, kernel_size=[3]),
    "Conv2DTranspose": _call(f"{IMAGE}, _", channels=8, kernel_size=[3, 3], strides=[2, 2]),
    "Conv3DTranspose": _call(f"{VOLUME}, _", channels=8, kernel_size=[3, 3, 3]),
    "DeformableConv2D": _call(f"{IMAGE}, _, {_f(8, 3, 3, 3)}", padding=[1, 1]),
    "nn.conv2d_backward_weight": _call(
        f"{_f(1, 4, 6, 6)}, {_f(1, 8, 8, 8)}", groups=2, kernel_size=[3, 3], kernel_layout="NCHW", out_layout="OIHW"
    ),
    "nn.contrib_conv2d_NCHWc": _call(
        f"{_f(1, 4, 14, 14, 4)}, {_f(2, 4, 3, 3, 4, 8)}",
        channels=16, kernel_size=[3, 3], data_layout="NCHW4c", kernel_layout="OIHW4i8o", out_layout="NCHW8c",
    ),
    "nn.contrib_conv2d_winograd_without_weight_transform": _call(
        f"{_f(1, 64, 56, 56)}, {_f(6, 6, 64, 64)}", tile_size=4, padding=[1, 1], channels=64, kernel_size=[3, 3]
    ),
    "nn.contrib_conv3d_winograd_without_weight_transform": _call(
        f"{_f(1, 16, 8, 8, 8)}, {_f(6, 6, 6, 16, 16)}",
        tile_size=4, padding=[1, 1, 1], channels=16, kernel_size=[3, 3, 3],
    ),
    "nn.contrib_conv2d_gemm_without_weight_transform": _call(
        f"{_f(1, 14, 14, 3)}, {_f(64)}", channels=64, kernel_size=[3, 3], data_layout="NHWC"
    ),
    "nn.contrib_conv2d_winograd_weight_transform": _call(_f(64, 32, 3, 3), tile_size=4),
    "nn.contrib_conv3d_winograd_weight_transform": _call(_f(64, 32, 3, 3, 3), tile_size=4),
    "nn.contrib_conv2d_winograd_nnpack_weight_transform": _call(_f(64, 32, 3, 3), convolution_algorithm=0),
    "nn.contrib_conv2d_gemm_weight_transform": _call(_f(3, 3, 16, 32), tile_rows=4, tile_cols=16),
    "nn.bitpack": _call(_f(1, 64, 8, 8, dtype="uint8"), bits=2, pack_axis=1, bit_axis=4, pack_type="uint32"),
    "nn.bitserial_conv2d": _call(
        f"{_f(1, 32, 56, 56, dtype='uint8')}, {_f(16, 32, 3, 3, dtype='uint8')}",
        channels=16, kernel_size=[3, 3], out_dtype="int16",
    ),
    "nn.bitserial_dense": _call(
        f"{_f(2, 32, dtype='uint8')}, {_f(16, 32, dtype='uint8')}", units=16, out_dtype="int16"
    ),
    "Dense": _call(f"{_f(2, 3)}, _", units=4),
    "nn.matmul": _call(f"{_f(2, 3)}, _", units=4),
    "nn.batch_matmul": _call(f"{_f(5, 2, 3)}, {_f(5, 4, 3)}", transpose_b=True),
    "nn.contrib_dense_pack": _call(f"{_f(2, 64)}, {_f(4, 64, 8)}", weight_layout="NC8n"),
    "nn.correlation": _call(f"{_f(1, 8, 16, 16)}, {_f(1, 8, 16, 16)}", max_displacement=2),
    "BiasAdd": _call(f"{_f(1, 8, 6, 6)}, _", axis=1),
    "PRelu": _call(f"{_f(1, 8, 6, 6)}, _", axis=1),
    "BatchNorm": _call(f"{_f(1, 8, 6, 6)}, _, _, _, _"),
    "LayerNorm": _call(f"{_f(2, 8)}, _, _"),
    "InstanceNorm": _call(f"{_f(1, 8, 6, 6)}, _, _"),
    "GroupNorm": _call(f"{_f(1, 8, 6, 6)}, _, _", num_groups=4),
    "Dropout": _call(MATRIX, rate=0.5),
    "FIFOBuffer": _call(f"{_f(1, 2)}, {_f(1, 8)}", axis=1),
    "CrossEntropy": _call(f"{MATRIX}, {MATRIX}"),
    "nn.nll_loss": _call(f"{_f(4, 21)}, {_f(4, dtype='int64')}, _", reduction="mean", ignore_index=-100),
    "GlobalPool2D": _call(IMAGE),
    "PoolGradient": _call(f"{_f(1, 3, 16, 16)}, {IMAGE}", pool_size=[2, 2], strides=[2, 2]),
    **dict.fromkeys(("nn.max_pool1d", "nn.avg_pool1d"), _call(SIGNAL, pool_size=[2], strides=[2])),
    **dict.fromkeys(("nn.max_pool2d", "nn.avg_pool2d"), _call(IMAGE, pool_size=[2, 2], strides=[2, 2])),
    **dict.fromkeys(("nn.max_pool3d", "nn.avg_pool3d"), _call(VOLUME, pool_size=[2, 2, 2], strides=[2, 2, 2])),
    **{f"nn.adaptive_{kind}_pool1d": _call(SIGNAL, **ADAPTIVE) for kind in ("avg", "max")},
    **{f"nn.adaptive_{kind}_pool2d": _call(IMAGE, **ADAPTIVE) for kind in ("avg", "max")},
    **{f"nn.adaptive_{kind}_pool3d": _call(VOLUME, **ADAPTIVE) for kind in ("avg", "max")},
    "nn.upsampling": _call(IMAGE, scale_h=2.0, scale_w=2.0),
    "nn.upsampling3d": _call(VOLUME, scale_d=2.0, scale_h=2.0, scale_w=2.0),
    "LayoutTransform": _call(_f(1, 16, 8, 8), src_layout="NCHW", dst_layout="NCHW4c"),
    "meta_schedule_layout_transform": _call(
        _f(4, 16), index_map={"index_map": {"inputs": ["i", "j"], "outputs": ["j", "i"]}}
    ),
    "auto_scheduler_layout_transform": _call(_f(4, 16), src_layout="4N16C", dst_layout="16C4N"),
    # Images and vision.
    "image.resize1d": _call(SIGNAL, size=[64], roi=[0.0, 0.0]),
    "image.resize2d": _call(IMAGE, size=[64, 48], roi=[0.0, 0.0, 0.0, 0.0]),
    "image.resize3d": _call(VOLUME, size=[16, 64, 48], roi=[0.0] * 6),
    "image.crop_and_resize": _call(f"{IMAGE}, {_f(5, 4)}, {_f(5, dtype='int32')}", crop_size=[7, 7]),
    "image.affine_grid": _call(_f(4, 2, 3), target_shape=[8, 8]),
    "image.grid_sample": _call(f"{IMAGE}, {_f(1, 2, 8, 8)}"),
    "image.dilation2d": _call(f"{IMAGE}, {_f(3, 3, 3)}", strides=[1, 1]),
    "vision.multibox_prior": _call(IMAGE, sizes=[0.5, 0.25], ratios=[1.0, 2.0]),
    "vision.multibox_transform_loc": _call(f"{_f(1, 3, 5)}, {_f(1, 20)}, {_f(1, 5, 4)}"),
    "vision.get_valid_counts": _call(f"{_f(1, 8, 6)}, float32", score_index=1),
    "vision.non_max_suppression": _call(
        f"{_f(1, 8, 6)}, {_f(1, dtype='int32')}, {_f(1, 8, dtype='int32')}, int32, float32"
    ),
    "vision.all_class_non_max_suppression": _call(f"{_f(1, 7, 4)}, {_f(1, 3, 7)}, int32, float32, float32"),
    "vision.regular_non_max_suppression": _call(
        f"{_f(1, 8, 4)}, {_f(1, 8, 3)}",
        max_detections_per_class=4, max_detections=10, num_classes=3, iou_threshold=0.5, score_threshold=0.1,
    ),
    **dict.fromkeys(
        ("vision.roi_align", "vision.roi_pool"), _call(f"{IMAGE}, {_f(5, 5)}", pooled_size=[7, 7], spatial_scale=1.0)
    ),
    "vision.proposal": _call(f"{_f(1, 24, 8, 8)}, {_f(1, 48, 8, 8)}, {_f(1, 3)}", ratios=[0.5, 1.0, 2.0]),
    "vision.yolo_reorg": _call(IMAGE, stride=2),
    # Random numbers.
    "random.threefry_generate": _call(KEY, out_shape=[2, 3]),
    "random.threefry_split": _call(KEY),
    **dict.fromkeys(
        ("random.uniform", "random.normal"), _call(f"{KEY}, float32, float32", out_shape=[2, 3], out_dtype="float32")
    ),
    "random.multinomial": _call(f"{KEY}, {_f(4)}", num_samples=5),
    # Quantised layers.
    "QnnElementwise": _call(f"{_f(2, 3, dtype='int8')}, {QUANTISED}"),
    "QSoftmax": _call(f"{_f(2, 3, dtype='int8')}, {QUANTISED}"),
    "QNNSimulatedQuantize": _call(f"{MATRIX}, int32, float32, int32", axis=-1),
    **dict.fromkeys(
        ("qnn.add", "qnn.subtract", "qnn.mul"),
        _call(f"{_f(2, 3, dtype='int8')}, {_f(3, dtype='int8')}, {QUANTISED}, {SCALE}, {ZERO}"),
    ),
    "qnn.quantize": _call(f"{_f(2, 3)}, {SCALE}, {ZERO}", out_dtype="int8"),
    "qnn.dequantize": _call(f"{_f(2, 3, dtype='int8')}, {SCALE}, {ZERO}", out_dtype="float32"),
    "qnn.requantize": _call(f"{_f(2, 3, dtype='int32')}, {QUANTISED}", out_dtype="int8"),
    "qnn.concatenate": _call(
        f"({_f(2, 3, dtype='int8')}, {_f(4, 3, dtype='int8')}), "
        f"({SCALE}, {SCALE}), ({ZERO}, {ZERO}), {SCALE}, {ZERO}",
        axis=0,
    ),
    "qnn.avg_pool2d": _call(f"{_f(1, 3, 8, 8, dtype='int8')}, {QUANTISED}", pool_size=[2, 2], strides=[2, 2]),
    "qnn.dense": _call(
        f"{_f(2, 64, dtype='int8')}, {_f(4, 64, dtype='int8')}, {ZERO}, {ZERO}, {SCALE}, {SCALE}",
        units=4, out_dtype="int32",
    ),
    "qnn.contrib_dense_pack": _call(
        f"{_f(2, 64, dtype='int8')}, {_f(4, 16, 8, 4, dtype='int8')}, {ZERO}, {ZERO}, {SCALE}, {SCALE}",
        weight_layout="NC8n4c", out_dtype="int32",
    ),
    "qnn.batch_matmul": _call(
        f"{_f(5, 2, 3, dtype='int8')}, {_f(5, 4, 3, dtype='int8')}, {ZERO}, {ZERO}, {SCALE}, {SCALE}",
        transpose_b=True, out_dtype="int32",
    ),
    "qnn.conv2d": _call(
        f"{_f(1, 3, 32, 32, dtype='int8')}, {_f(8, 3, 3, 3, dtype='int8')}, {ZERO}, {ZERO}, {SCALE}, {SCALE}",
        channels=8, kernel_size=[3, 3], out_dtype="int32",
    ),
    "qnn.conv2d_transpose": _call(
        f"{_f(1, 3, 32, 32, dtype='int8')}, {_f(3, 8, 3, 3, dtype='int8')}, {ZERO}, {ZERO}, {SCALE}, {SCALE}",
        channels=8, kernel_size=[3, 3], out_dtype="int32",
    ),
    # Sparse matrices.
    "nn.sparse_dense": _call(f"{_f(2, 16)}, {SPARSE}"),
    "nn.internal.sparse_dense_padded": _call(f"{_f(2, 16)}, {SPARSE}"),
    "nn.sparse_add": _call(f"{_f(4, 4)}, {SPARSE}"),
    "nn.sparse_transpose": _call(SPARSE),
    "nn.sparse_conv2d": _call(
        f"{_f(1, 14, 14, 64)}, {_f(12, 4, 4)}, {_f(12, dtype='int32')}, {_f(9, dtype='int32')}",
        layout="NHWC", kernel_size=[1, 1],
    ),
    "sparse_to_dense": _call(
        f"{_f(5, 2, dtype='int64')}, {_f(5)}, float32", output_shape=[3, 4]
    ),
    "dyn.sparse_to_dense": _call(f"{_f(5, 2, dtype='int64')}, {_f(5)}, float32, {_f(2, dtype='int64')}"),
    "sparse_reshape": _call(f"{_f(6, 2, dtype='int64')}, {_f(2, dtype='int64')}, {_f(3, dtype='int64')}"),
    "sparse_fill_empty_rows": _call(f"{_f(5, 2, dtype='int64')}, {_f(5)}, {_f(2, dtype='int64')}, float32"),
    # Shapes that are known when the program runs.
    "dyn.full": _call(f"float32, {_f(2, dtype='int64')}", shape=None, dtype="float32"),
    "dyn.ones": _call(_f(2, dtype="int64"), shape=None, dtype="float32"),
    "dyn.zeros": _call(_f(2, dtype="int64"), shape=None, dtype="float32"),
    "dyn.one_hot": _call(f"{_f(4, dtype='int32')}, float32, float32, int32", depth=0, axis=-1, dtype="float32"),
    "dyn.reshape": _call(f"{MATRIX}, {_f(1, dtype='int64')}", newshape=None),
    "dyn.broadcast_to": _call(f"{VECTOR}, {_f(2, dtype='int64')}", shape=None),
    "dyn.tile": _call(f"{MATRIX}, {_f(2, dtype='int64')}", reps=None),
    "dyn.topk": _call(f"{_f(2, 10)}, int64", dtype="int32"),
    "dyn.expand_dims": _call(f"{MATRIX}, int64", num_newaxis=1),
    "dyn.squeeze": _call(f"{_f(1, 3)}, {_f(1, dtype='int64')}", axis=[0]),
    "dyn.strided_slice": _call(
        f"{_f(4, 6)}, {', '.join([_f(2, dtype='int64')] * 3)}", begin=None, end=None, strides=None, axes=None
    ),
    "dyn.image.resize2d": _call(f"{IMAGE}, {_f(2, dtype='int64')}, {_f(4)}"),
    "dyn.nn.upsampling": _call(f"{IMAGE}, float32, float32", scale_h=0.0, scale_w=0.0),
    "dyn.nn.upsampling3d": _call(f"{VOLUME}, float32, float32, float32", scale_d=0.0, scale_h=0.0, scale_w=0.0),
    # Memory and lowered calls.
    "memory.alloc_storage": _call(f"int64, {_f(2, dtype='int64')}, int64", dtype="float32"),
    "memory.alloc_tensor": _call(f"_, int64, {_f(2, dtype='int64')}", assert_shape=[2, 3], dtype="float32"),
    "call_lowered": _call(f"fn ({MATRIX}) -> {VECTOR}, ({MATRIX},)"),
    "vm.invoke_tvm_op": _call(f"fn ({MATRIX}) -> {VECTOR}, ({MATRIX},), _"),
}
