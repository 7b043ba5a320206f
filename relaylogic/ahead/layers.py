"""Usual calls of layers: convolutions, pools and norms in each number of dimensions, dense layers and quantised ones.

Of a call in a text, `%0` is the data, `%1`, `%2` ... are the weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

__all__ = ["Layer", "quantised_layers", "usual_layers"]


class Layer(NamedTuple):
    """A call, the shape of its data, those of its weights, and that of the data where only the channels are known."""

    call: str
    data: str
    weights: tuple[str, ...] = ()
    only_channels: str = ""


def usual_layers() -> Iterator[Layer]:
    """Layers of float32."""
    for dimensions in (1, 2, 3):
        yield from _convolutions(dimensions)
        yield from _pools(dimensions)
    yield from _normalised()
    for shape, named in product(("6, 8", "6, 12, 8"), ("", ", units=4")):
        yield Layer(f"nn.dense(%0, %1{named})", shape, ("4, 8",))
    for rank in (2, 3, 4, 5):
        for axis in (1, rank - 1, -1):
            yield Layer(f"nn.bias_add(%0, %1, axis={axis})", *_channels(rank, axis, 1))
    for rank in (3, 4, 5):
        yield Layer("nn.prelu(%0, %1)", *_channels(rank, 1, 1))
    yield Layer("nn.prelu(%0, %1, axis=3)", *_channels(4, 3, 1))
    for rank, axis in ((3, 1), (4, 1), (4, 3)):
        yield Layer(f"nn.instance_norm(%0, %1, %2, axis={axis})", *_channels(rank, axis, 2))


def _shape(extents: list[str]) -> str:
    return ", ".join(extents)


def _channels(rank: int, axis: int, weights: int) -> tuple[str, tuple[str, ...], str]:
    """Data of this rank with channels at an axis, so many weights of one channel each, and the channels alone."""
    data, unknown = ["12"] * rank, ["?"] * rank
    data[axis] = unknown[axis] = "8"
    return _shape(data), ("8",) * weights, _shape(unknown)


def _repeated(number: int, times: int) -> str:
    return f"[{_shape([str(number)] * times)}]"


def _convolutions(dimensions: int) -> Iterator[Layer]:
    axes, some, unknown = "DHW"[-dimensions:], ["12"] * dimensions, ["?"] * dimensions
    kernel = ["3"] * dimensions
    named = f", kernel_size={_repeated(3, dimensions)}"
    paddings = [f", padding={_repeated(1, times)}" for times in (dimensions, 2 * dimensions) if times > 1]
    operator = f"nn.conv{dimensions}d"
    first = _shape(["6", "8", *some]), (_shape(["4", "8", *kernel]),), _shape(["?", "8", *unknown])
    forms = ("", named, f"{named}, channels=4")
    for attributes in ("", *(padding + form for padding in paddings for form in forms)):
        yield Layer(f"{operator}(%0, %1{attributes})", *first)
    last = _shape(["6", *some, "8"]), _shape(["?", *unknown, "8"])
    layouts = [(f"{axes}IO", 1, [*kernel, "8", "4"], 4), (f"{axes}OI", 8, [*kernel, "8", "1"], 8)]
    for padding, (layout, groups, weight, channels) in product(paddings, layouts[: 1 + (dimensions == 2)]):
        attributes = f'{padding}{named}, channels={channels}, groups={groups}, data_layout="N{axes}C", '
        call = f'{operator}(%0, %1{attributes}kernel_layout="{layout}")'
        yield Layer(call, last[0], (_shape(weight),), last[1])
    for block in (4, 8, 16) if dimensions == 2 else ():
        layout, channels = f"NCHW{block}c", 6 * block
        blocks = f'{paddings[-1]}{named}, channels={channels}, data_layout="{layout}", out_layout="{layout}", '
        call, data = f"{operator}(%0, %1{blocks}kernel_layout=", _shape(["6", "2", *some, str(block)])
        yield Layer(f'{call}"OIHW{block}i{block}o")', data, (_shape(["6", "2", *kernel, *[str(block)] * 2]),))
        yield Layer(f'{call}"OIHW")', data, (_shape([str(channels), str(2 * block), *kernel]),))
    for padding in ("", *paddings):
        attributes = f"{padding}{named}, channels=4, strides={_repeated(2, dimensions)}"
        yield Layer(f"{operator}_transpose(%0, %1{attributes})", first[0], (_shape(["8", "4", *kernel]),), first[2])


def _pools(dimensions: int) -> Iterator[Layer]:
    axes, some, unknown = "DHW"[-dimensions:], ["12"] * dimensions, ["?"] * dimensions
    window = f"pool_size={_repeated(2, dimensions)}, strides={_repeated(2, dimensions)}"
    first = f"NC{axes}", ["6", "8", *some], ["?", "8", *unknown]
    last = f"N{axes}C", ["6", *some, "8"], ["?", *unknown, "8"]
    for layout, shape, only in (first, last):
        of = _shape(shape), (), _shape(only)
        paddings = [_repeated(1, times) for times in (dimensions, 2 * dimensions)]
        for kind, padding, ceil in product(("max", "avg"), paddings, ("True", "False")):
            attributes = f'{window}, padding={padding}, ceil_mode={ceil}, layout="{layout}"'
            yield Layer(f"nn.{kind}_pool{dimensions}d(%0, {attributes})", *of)
        size = _repeated(1, dimensions)
        yield Layer(f'nn.adaptive_avg_pool{dimensions}d(%0, output_size={size}, layout="{layout}")', *of)
        if dimensions == 2:
            yield Layer(f'nn.global_avg_pool2d(%0, layout="{layout}")', *of)
            yield Layer(f'nn.upsampling(%0, scale_h=2f, scale_w=2f, layout="{layout}")', *of)
            yield Layer(f'image.resize2d(%0, size=[24, 24], roi=[0f, 0f, 0f, 0f], layout="{layout}")', *of)
            for operator in ("depth_to_space", "space_to_depth"):
                yield Layer(f'nn.{operator}(%0, block_size=2, layout="{layout}")', *of)


def _normalised() -> Iterator[Layer]:
    for rank in (2, 3, 4, 5):
        for axis in {1, rank - 1}:
            yield Layer(f"nn.batch_norm(%0, %1, %2, %3, %4, axis={axis})", *_channels(rank, axis, 4))
        for axis in (-1, rank - 1):
            yield Layer(f"nn.layer_norm(%0, %1, %2, axis={axis})", *_channels(rank, axis, 2))


_REQUANTISED = (
    ("6, 8", 1, "8"),
    ("6, 8", -1, "8"),
    ("6, 8, 12, 12", 1, "8"),
    ("6, 8, 12, 12", 3, "12"),
    ("6, 8, 12, 12", -1, "12"),
)
"""Shapes of what is requantised, each with an axis, and its extent."""
_QUANTISED_ALONG = (
    ("6", 0),
    ("6, 8, 12, 12", 0),
    ("6, 8", 0),
    ("6, 8", 1),
    ("6, 8", -1),
    ("6, 8, 12", -1),
    ("6, 8, 12, 12", 1),
    ("6, 8, 12, 12", -1),
)
"""Shapes of what is quantised, each with an axis."""


def quantised_layers() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Calls of tensors of float32 that are cast to small integers, and the shapes of these."""
    small, word = (f'cast(%{i}, dtype="{dtype}")' for i, dtype in ((0, "uint8"), (0, "int32")))
    weight, other = 'cast(%1, dtype="int8")', 'cast(%1, dtype="uint8")'
    signed = 'cast(%0, dtype="int8")'
    for dtype, (shape, axis) in product(("int8", "uint8"), _QUANTISED_ALONG):
        yield f'qnn.quantize(%0, 0.5f, 3, out_dtype="{dtype}", axis={axis})', (shape,)
    zero = 'cast(%1, dtype="int32")'
    for (shape, axis), (data, dtype) in product(_QUANTISED_ALONG, ((signed, "int8"), (small, "uint8"))):
        each = shape.split(", ")[axis]
        yield f"qnn.dequantize({data}, %1, {zero}, axis={axis})", (shape, each)
        yield f'qnn.quantize(%0, %1, {zero}, out_dtype="{dtype}", axis={axis})', (shape, each)
    for shape in ("6", "6, 8", "6, 8, 12", "6, 8, 12, 12"):
        yield f"qnn.dequantize({small}, 0.5f, 3)", (shape,)
        yield f"qnn.dequantize({word}, 0.5f, 3)", (shape,)
    for dtype, (shape, axis, last) in product(("int8", "uint8", "int32"), _REQUANTISED):
        for scale in ("0.5f", "%1"):
            yield f'qnn.requantize({word}, {scale}, 3, 0.5f, 3, axis={axis}, out_dtype="{dtype}")', (shape, last)
    for data, scale in product((small, signed), ("0.5f", "%2")):
        for attributes in ("padding=[1, 1, 1, 1], ", ""):
            call = f"qnn.conv2d({data}, {weight}, 3, 3, 0.5f, {scale}, {attributes}kernel_size=[3, 3], channels=4, "
            yield f'{call}out_dtype="int32")', ("6, 8, 12, 12", "4, 8, 3, 3", "4")
            for layout, shape, groups in (("HWIO", "3, 3, 8, 4", 1), ("HWOI", "3, 3, 4, 1", 4)):
                layouts = f'groups={groups}, data_layout="NHWC", kernel_layout="{layout}", out_dtype="int32")'
                yield call + layouts, (f"6, 12, 12, {8 if groups == 1 else 4}", shape, "4")
        call = f'qnn.dense({data}, {weight}, 3, 3, 0.5f, {scale}, units=4, out_dtype="int32")'
        yield call, ("6, 8", "4, 8", "4")
    for shape in ("6, 8", "1, 8", "6, 8, 12, 12", "1, 8, 12, 12", "1, 12, 12, 8"):
        for another in (shape, shape.replace(", 12", ", 1")):
            yield f"qnn.add({small}, {other}, 0.5f, 3, 0.5f, 3, 0.5f, 3)", (shape, another)
    for number, (shape, axis) in product((2, 3), (("6, 8", 1), ("6, 8, 12, 12", 1), ("6, 8, 12, 12", 3), ("6, 8", -1))):
        tensors, scales, zeros = (", ".join([one] * number) for one in (small, "0.5f", "3"))
        yield f"qnn.concatenate(({tensors}), ({scales}), ({zeros}), 0.5f, 3, axis={axis})", (shape,)
    for shape in ("6, 8", "6, 8, 12, 12"):
        yield f"qnn.sigmoid({small}, 0.5f, 3, 0.5f, 3)", (shape,)
        yield f"qnn.softmax({signed}, 0.5f, 3, 0.5f, 3)", (shape,)
        yield f"qnn.leaky_relu({small}, 0.5f, 3, 0.5f, 3, alpha=0.1f)", (shape,)
