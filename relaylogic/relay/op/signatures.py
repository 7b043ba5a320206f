"""Where TVM's public functions of operators differ from the operators' registered inputs and attributes.

One operator a paragraph: its name and its parameters in order. A parameter is an input or an attribute; `a>data` calls
the input `data` by the name `a`; `=` gives another default than the attribute's own, `!` takes the default away. What
is not mentioned keeps its default. An operator that is not in the table takes its inputs, then its attributes.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any, NamedTuple

__all__ = ["NOTHING", "Parameter", "signatures"]

NOTHING: Any = object()


class Parameter(NamedTuple):
    """A parameter of a function: its name, the input or attribute it is for, and its default.

    `default` is `NOTHING` if the parameter is required, and Ellipsis for the attribute's own default.
    """

    name: str
    target: str
    default: Any


TABLE = """
argmax: data, axis, keepdims, exclude, select_last_index
argmin: data, axis, keepdims, exclude, select_last_index
zeros: shape, dtype!
ones: shape, dtype!
clip: a>data, a_min, a_max
concatenate: data, axis!
stack: data, axis!
shape_of: data, dtype="int32"
ndarray_size: data, dtype="int32"
transpose: data, axes=None
scatter_elements: data, indices, updates, axis=0, reduction
take: data, indices, axis, batch_dims, mode
full: fill_value, shape=(), dtype
repeat: data, repeats, axis!
reverse: data, axis!
broadcast_to: data, shape
strided_set: data, v, begin, end, strides=None
slice_like: data, shape_like, axes=None
contrib_reverse_reshape: data, newshape
gather: data, axis!, indices
sequence_mask: data, valid_length, mask_value, axis
one_hot: indices, on_value, off_value, depth!, axis!, dtype!
unravel_index: indices>data, shape
sparse_to_dense: sparse_indices, output_shape, sparse_values, default_value=0
cumsum: data, axis, dtype=None, exclusive=None
cumprod: data, axis, dtype=None, exclusive=None
unique: data, is_sorted>sorted, return_counts
sort: data, axis, is_ascend
argsort: data, axis, is_ascend, dtype="int32"
topk: data, k=1, axis, ret_type, is_ascend, dtype="int32"
nn.conv1d: data, weight, strides, padding=0, dilation, groups, channels, kernel_size, data_layout,
    kernel_layout, out_layout, out_dtype
nn.conv3d_transpose: data, weight, strides, padding, dilation, groups, channels, kernel_size, data_layout,
    kernel_layout, out_layout, output_padding, out_dtype
nn.conv2d_transpose: data, weight, strides, padding, dilation, groups, channels, kernel_size, data_layout,
    kernel_layout, out_layout, output_padding, out_dtype
nn.conv1d_transpose: data, weight, strides, padding, dilation, groups, channels, kernel_size, data_layout,
    kernel_layout, out_layout, output_padding, out_dtype
nn.max_pool1d: data, pool_size=(1,), strides, dilation, padding, layout, out_layout, ceil_mode
nn.max_pool2d: data, pool_size=(1,1), strides, dilation, padding, layout, out_layout, ceil_mode
nn.max_pool3d: data, pool_size=(1,1,1), strides, dilation, padding, layout, out_layout, ceil_mode
nn.avg_pool1d: data, pool_size=(1,), strides, dilation, padding, layout, out_layout, ceil_mode,
    count_include_pad
nn.avg_pool2d: data, pool_size=(1,1), strides, dilation, padding, layout, out_layout, ceil_mode,
    count_include_pad
nn.avg_pool3d: data, pool_size=(1,1,1), strides, dilation, padding, layout, out_layout, ceil_mode,
    count_include_pad
nn.max_pool2d_grad: out_grad>grad, data, pool_size=(1,1), strides, padding, layout, out_layout, ceil_mode
nn.avg_pool2d_grad: out_grad>grad, data, pool_size=(1,1), strides, padding, layout, out_layout, ceil_mode,
    count_include_pad
nn.upsampling: data, scale_h=1, scale_w=1, layout, method, align_corners
nn.upsampling3d: data, scale_d=1, scale_h=1, scale_w=1, layout, method, coordinate_transformation_mode
nn.contrib_dense_pack: data, weight, weight_layout="NC", units, out_dtype
nn.fifo_buffer: data, buffer, axis!
nn.leaky_relu: data, alpha=0.01
nn.pad: data, pad_width, pad_value>pad_val=0, pad_mode
nn.dilate: data>x, strides, dilation_value
nn.lrn: data, size, axis, bias, alpha=1e-05, beta
nn.l2_normalize: data, eps, axis=None
nn.group_norm: data, gamma, beta, num_groups!, axis, epsilon, center, scale
nn.batch_matmul: tensor_a, tensor_b, out_dtype, transpose_a, transpose_b=True
nn.contrib_conv2d_NCHWc: data, kernel>weight, strides, padding, dilation, groups, channels, kernel_size,
    data_layout="NCHW8c", kernel_layout, out_layout, out_dtype
nn.contrib_depthwise_conv2d_NCHWc: data, kernel>weight, strides, padding, dilation, groups, channels,
    kernel_size, data_layout="NCHW8c", kernel_layout, out_layout, out_dtype
nn.deformable_conv2d: data, offset, weight, strides, padding, dilation, deformable_groups, groups, channels,
    kernel_size, data_layout, kernel_layout, out_layout, out_dtype
nn.bitpack: data, bits, pack_axis, bit_axis=2, pack_type="uint32", name
nn.bitserial_conv2d: data, weight, strides, padding, channels, kernel_size, activation_bits, weight_bits,
    data_layout, kernel_layout, pack_dtype="uint32", out_dtype="int16", unipolar
nn.bitserial_dense: data, weight, units=None, data_bits, weight_bits, pack_dtype="uint32", out_dtype="int16",
    unipolar
nn.cross_entropy: predictions>x, targets>y
nn.cross_entropy_with_logits: predictions>x, targets>y
nn.nll_loss: predictions, targets, weights, reduction, ignore_index=-100
nn.depth_to_space: data, block_size!, layout, mode
nn.space_to_depth: data, block_size!, layout
nn.adaptive_max_pool1d: data, output_size=None, layout, out_layout
nn.adaptive_avg_pool1d: data, output_size=None, layout, out_layout
nn.adaptive_max_pool2d: data, output_size=None, layout, out_layout
nn.adaptive_avg_pool2d: data, output_size=None, layout, out_layout
nn.adaptive_max_pool3d: data, output_size=None, layout, out_layout
nn.adaptive_avg_pool3d: data, output_size=None, layout, out_layout
nn.correlation: data1, data2, kernel_size!, max_displacement!, stride1!, stride2!, padding!, is_multiply!,
    layout!
nn.space_to_batch_nd: data, block_shape!, paddings, pad_value
nn.batch_to_space_nd: data, block_shape!, crops
image.resize1d: data, size!, roi, layout, method, coordinate_transformation_mode, rounding_method="",
    cubic_alpha, cubic_exclude, extrapolation_value, out_dtype=None
image.resize2d: data, size!, roi, layout, method, coordinate_transformation_mode, rounding_method="",
    cubic_alpha, cubic_exclude, extrapolation_value, out_dtype=None
image.resize3d: data, size!, roi, layout, method, coordinate_transformation_mode, rounding_method="",
    cubic_alpha, cubic_exclude, extrapolation_value, out_dtype=None
image.crop_and_resize: data, boxes, box_indices, crop_size!, layout!, method, extrapolation_value,
    out_dtype=None
image.affine_grid: data, target_shape=None
vision.get_valid_counts: data, score_threshold, id_index, score_index
vision.non_max_suppression: data, valid_count, indices, max_output_size=-1, iou_threshold=0.5, force_suppress,
    top_k, coord_start, score_index, id_index, return_indices, invalid_to_bottom
vision.all_class_non_max_suppression: boxes, scores, max_output_boxes_per_class=-1, iou_threshold=-1.0,
    score_threshold=-1.0, output_format
vision.proposal: cls_prob, bbox_pred, im_info, scales!, ratios!, feature_stride!, threshold!,
    rpn_pre_nms_top_n!, rpn_post_nms_top_n!, rpn_min_size!, iou_loss!
vision.yolo_reorg: data, stride!
random.threefry_generate: key, shape>out_shape
random.uniform: key, shape>out_shape, dtype>out_dtype="float32", low=0.0, high=1.0
random.normal: key, shape>out_shape, dtype>out_dtype="float32", mean=0.0, scale=1.0
random.multinomial: key, probs, num_samples!
annotation.compiler_begin: data, compiler!
annotation.compiler_end: data, compiler!
qnn.requantize: data, input_scale, input_zero_point, output_scale, output_zero_point, axis, rounding,
    compute_dtype, out_dtype="int8"
qnn.quantize: data, output_scale, output_zero_point, axis, out_dtype="int8"
qnn.simulated_quantize: data, output_scale, output_zero_point, axis, out_dtype='int8'
qnn.dequantize: data, input_scale, input_zero_point, axis, out_dtype="float32"
qnn.simulated_dequantize: data, input_scale, input_zero_point, axis, in_dtype='int8'
qnn.concatenate: data, input_scales, input_zero_points, output_scale, output_zero_point, axis!
qnn.conv2d: data, kernel>weight, input_zero_point, kernel_zero_point>weight_zero_point, input_scale,
    kernel_scale>weight_scale, kernel_size!, channels!, strides, padding, dilation, groups, data_layout,
    kernel_layout, out_layout, out_dtype="int32"
qnn.conv2d_transpose: data, weight, input_zero_point, kernel_zero_point>weight_zero_point, input_scale,
    kernel_scale>weight_scale, strides, padding, dilation, groups, channels, kernel_size, data_layout,
    kernel_layout, out_layout, output_padding, out_dtype="int32"
qnn.dense: data, weight, input_zero_point, kernel_zero_point>weight_zero_point, input_scale,
    kernel_scale>weight_scale, units!, out_dtype="int32"
qnn.contrib_dense_pack: data, weight, input_zero_point, kernel_zero_point>weight_zero_point, input_scale,
    kernel_scale>weight_scale, kernel_layout>weight_layout, units, out_dtype="int32"
qnn.tanh: x>data, scale, zero_point, output_scale, output_zero_point
qnn.exp: x>data, scale, zero_point, output_scale, output_zero_point
qnn.sqrt: x>data, scale, zero_point, output_scale, output_zero_point
qnn.rsqrt: x>data, scale, zero_point, output_scale, output_zero_point
qnn.erf: x>data, scale, zero_point, output_scale, output_zero_point
qnn.abs: x>data, scale, zero_point, output_scale, output_zero_point
qnn.sigmoid: x>data, scale, zero_point, output_scale, output_zero_point
qnn.hardswish: x>data, scale, zero_point, output_scale, output_zero_point
qnn.log: x>data, scale, zero_point, output_scale, output_zero_point
qnn.batch_matmul: x, y, x_zero_point, y_zero_point, x_scale, y_scale, out_dtype="int32"
qnn.leaky_relu: x>data, alpha!, input_scale, input_zero_point, output_scale, output_zero_point
qnn.softmax: x>data, scale, zero_point, output_scale, output_zero_point, axis
qnn.avg_pool2d: data, input_scale, input_zero_point, output_scale, output_zero_point, pool_size, strides!,
    padding!, dilation!, ceil_mode, count_include_pad=True, layout="NHWC", out_layout
"""


@cache
def signatures() -> dict[str, list[Parameter]]:
    """The table, read."""
    found: dict[str, list[Parameter]] = {}
    for paragraph in TABLE.replace("\n    ", " ").strip().splitlines():
        name, _, parameters = paragraph.partition(": ")
        found[name] = [_parameter(part) for part in _parts(parameters)]
    return found


def _parts(text: str) -> list[str]:
    """The text cut at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _parameter(text: str) -> Parameter:
    name, equals, value = text.partition("=")
    name, _, target = name.partition(">")
    default: Any = ast.literal_eval(value) if equals else ...
    if name.endswith("!"):
        name, default = name[:-1], NOTHING
    return Parameter(name, target or name, default)
