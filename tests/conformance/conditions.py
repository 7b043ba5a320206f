"""What the conditions of deviations.toml may ask of a measured fact: small functions on the text of types.

An extent is an int, or the text "?".
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import prod
from typing import Any

Extent = Any

_TENSOR = re.compile(r"Tensor\[\((.*?)\), ?(.*)\]\Z")


def fields(text: str) -> list[str] | None:
    """The types of the components of a tuple type; None if `text` is none."""
    if not (text.startswith("(") and text.endswith(")")):
        return None
    parts, depth, start = [], 0, 1
    for i, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if (char == "," and depth == 1) or (char == ")" and depth == 0):
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in parts if part]


def shape(text: str) -> list[Extent] | None:
    """The extents of a tensor type; None if `text` is no tensor type."""
    if text.startswith(("(", "fn ")) or text == "_":
        return None
    match = _TENSOR.match(text)
    if match is None:
        return [] if re.match(r"[a-z]\w*\Z", text) else None
    extents = [part.strip() for part in match.group(1).split(",") if part.strip()]
    return [int(e.removesuffix("i64")) if re.match(r"-?\d", e) else "?" for e in extents]


def rank(text: str) -> int | None:
    """The number of extents of a tensor type; None if `text` is no tensor type."""
    extents = shape(text)
    return None if extents is None else len(extents)


def dtype(text: str) -> str | None:
    """The dtype of a tensor type; None if `text` is no tensor type."""
    match = _TENSOR.match(text)
    return match.group(2) if match else (text if shape(text) == [] else None)


def tensors(text: str) -> list[str]:
    """The tensor types in `text`, a tensor type or a tuple of them, nested or not."""
    inside = fields(text)
    return [text] if inside is None else [t for field in inside for t in tensors(field)]


def negative(text: str | None) -> bool:
    """Whether a tensor type in `text` has a negative extent."""
    return text is not None and any(e != "?" and e < 0 for t in tensors(text) for e in shape(t) or ())


def count(text: str) -> Extent:
    """The number of elements of a tensor type; "?" if an extent is."""
    return count_of(shape(text) or [])


def count_of(extents: list[Extent]) -> Extent:
    """The product of extents; "?" if one is."""
    return "?" if "?" in extents else prod(extents)


def agrees(a: Extent, b: Extent) -> bool:
    """Whether two extents are equal or one is `?`."""
    return a == b or "?" in (a, b)


def all_agree(a: list[Extent], b: list[Extent]) -> bool:
    """Whether two shapes agree extent by extent."""
    return len(a) == len(b) and all(agrees(x, y) for x, y in zip(a, b, strict=True))


def plain(value: Any) -> Any:
    """An attribute's value with 64-bit integers as integers."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value["int64"] if isinstance(value, dict) and set(value) == {"int64"} else value


def extents_at(text: str, axis: int) -> list[Extent]:
    """The extents at `axis` of the tensors in a tuple type, of those that have it."""
    shapes = [shape(part) or [] for part in fields(text) or []]
    return [extents[axis] for extents in shapes if -len(extents) <= axis < len(extents)]


def all_equal(extents: list[Extent]) -> bool:
    """Whether all extents agree with the first one."""
    return all(agrees(extents[0], extent) for extent in extents)


def reshaped(
    codes: list[int] | None, extents: list[Extent], allowzero: bool = False
) -> tuple[list[Extent], bool] | None:
    """What the codes of a `newshape` make of a shape, and whether the -1 stands elsewhere in the codes than in it.

    None if they make nothing of it: an extent is missing, or elements are left over.
    """
    codes, result = plain(codes or []), []
    used, position, divisor, inferred, i = set(), 0, 1, None, 0
    while i < len(codes):
        code = codes[i]
        if code > 0 or (code == 0 and allowzero):
            result.append(code)
            divisor *= code
            position += 1
        elif code == -1 and inferred is None:
            inferred = (i, len(result))
            result.append(1)
            position += 1
        elif code == -2:
            used.update(range(position, len(extents)))
            result += extents[position:]
            position = max(position, len(extents))
        elif code in (0, -3, -4):
            end = position + 1 + (code == -3)
            own = count_of(extents[position:end])
            parts = codes[i + 1 : i + 3] if code == -4 else [own]
            if end > len(extents) or (code == -4 and (len(parts) < 2 or min(parts) < -1)):
                return None
            if -1 in parts:
                known = max(parts)
                if known < 1:
                    return None
                parts = [("?" if own == "?" else own // known) if part == -1 else part for part in parts]
            used.update(range(position, end))
            result += parts
            position, i = end, i + (2 if code == -4 else 0)
        else:
            return None
        i += 1
    if inferred is not None:
        left = count_of([extent for k, extent in enumerate(extents) if k not in used])
        if left != "?" and not divisor:
            return None
        result[inferred[1]] = "?" if left == "?" else left // divisor
    if "?" not in (*result, *extents) and count_of(result) != count_of(extents):
        return None
    return result, inferred is not None and inferred[0] != inferred[1]


def broadcast(a: list[Extent] | None, b: list[Extent] | None) -> list[Extent] | None:
    """The broadcast of two shapes, in which `?` fits anything; None if there is none."""
    if a is None or b is None:
        return None
    result = []
    for i in range(-max(len(a), len(b)), 0):
        x, y = (s[i] if -i <= len(s) else 1 for s in (a, b))
        if not (x == y or 1 in (x, y) or "?" in (x, y)):
            return None
        result.append(y if x == 1 or (x == "?" and y != 1) else x)
    return result


def broadcasts_to(source: list[Extent] | None, target: list[Extent] | None) -> bool:
    """Whether a tensor of one shape can be broadcast to the other shape."""
    both = broadcast(source, target)
    return both is not None and target is not None and all_agree(both, target)


def is_tuple(text: str) -> bool:
    """Whether a type is a tuple."""
    return fields(text) is not None


def has_axis(text: str, axis: int) -> bool:
    """Whether a tensor type has an axis, which counts from the end if it is negative."""
    return -len(shape(text) or []) <= axis < len(shape(text) or [])


def stretches(extents: list[Extent], target: list[Extent]) -> bool:
    """Whether a shape is broadcast to another one of its rank without changing that."""
    return len(extents) == len(target) and all(a == 1 or agrees(a, b) for a, b in zip(extents, target, strict=True))


def behind_a_repeated_axis(axes: list[int] | None, extents: list[Extent]) -> bool:
    """Whether an axis with an extent other than 1 stands, in order of positions, behind one that is listed twice."""
    listed = sorted(axis % len(extents) for axis in axes or [] if extents)
    repeated = [a for a, b in pairwise(listed) if a == b]
    return bool(repeated) and any(extents[axis] != 1 for axis in listed if axis > repeated[0])


def unannotated(ins: list[str]) -> set[int]:
    """The positions of inputs without annotation."""
    return {i for i, text in enumerate(ins) if text == "_"}


def at(text: str, axis: int) -> Extent:
    """The extent of a tensor type at `axis`; "?" if it has none."""
    extents = shape(text) or []
    return extents[axis] if -len(extents) <= axis < len(extents) else "?"


def matrix_batches(attrs: dict[str, Any], ins: list[str]) -> tuple[Extent, Extent, Extent, Extent]:
    """Of a batched product: batch and inner dimension of the first operand, then of the second."""
    return (
        at(ins[0], 0),
        at(ins[0], 1 if attrs["transpose_a"] else 2),
        at(ins[1], 0),
        at(ins[1], 2 if attrs["transpose_b"] else 1),
    )


def channels_of(text: str, layout: str, letter: str = "C") -> Extent:
    """The extent at the letter of a layout, times its blocks: 8 for `C` of `(1, 2, 6, 6, 4)` in NCHW4c."""
    letters = enumerate(re.findall(r"(\d*)([A-Za-z])", layout))
    own = [(i, found, block) for i, (block, found) in letters if found.upper() == letter]
    return count_of([int(block) if block and found.islower() else at(text, i) for i, found, block in own])


def fits_each(text: str, channels: Extent, wanted: str) -> bool:
    """Whether a tensor type of that dtype is a scalar or a vector with an element for each channel."""
    extents = shape(text)
    return dtype(text) == wanted and (extents == [] or (len(extents or []) == 1 and agrees(extents[0], channels)))


def one_update_each(data: str, indices: str, updates: str, axis: int) -> bool:
    """Whether scatter_elements has one update of the input's dtype for each index, and the input has the axis."""
    x, i, u = shape(data), shape(indices), shape(updates)
    if x is None or i is None or u is None:
        return False
    return dtype(data) == dtype(updates) and len(x) == len(i) and all_agree(i, u) and -len(x) <= axis < len(x)


def updates_fit(data: str, indices: str, updates: str) -> bool:
    """Whether the updates of scatter_nd have the input's dtype and the shape that the indices ask for."""
    x, i, u = shape(data), shape(indices), shape(updates)
    if not x or not i or u is None or i[0] == "?":
        return False
    return dtype(data) == dtype(updates) and all_agree(i[1:] + x[i[0] :], u)


def diagonals_fit(matrix: str, diagonal: str, k1: int, k2: int) -> bool:
    """Whether the diagonals of matrix_set_diag have the input's dtype and the shape of its diagonals k1..k2."""
    x, d = shape(matrix), shape(diagonal)
    if x is None or d is None or len(x) < 2:
        return False
    rows, columns = x[-2:]
    if (rows != "?" and rows <= -k1) or (columns != "?" and columns <= k2):
        return False
    longest = "?" if "?" in (rows, columns) else min(rows + min(k2, 0), columns - max(k1, 0))
    count = [k2 - k1 + 1] if k1 != k2 else []
    return dtype(matrix) == dtype(diagonal) and all_agree(x[:-2] + count + [longest], d)


def pool_rounds_up(attrs: dict[str, Any], text: str, letters: str = "HW") -> bool:
    """Whether the window of a pool is larger than the padded data and truncation makes more places than flooring."""
    rank, layout = len(letters), re.sub(r"\d", "", attrs["layout"])
    pads = attrs["padding"] * (2 * rank // len(attrs["padding"]))
    rows = zip(letters, attrs["pool_size"], attrs["strides"], attrs["dilation"], pads[:rank], pads[rank:], strict=False)
    for letter, size, stride, dilation, before, after in rows:
        extent = at(text, layout.index(letter))
        floored, truncated = places(extent, size, stride, dilation, added(before, after), attrs["ceil_mode"])
        if floored != truncated:
            return True
    return False


def placeless(attrs: dict[str, Any], data: str, out: str) -> bool:
    """Whether a window has no elements, or no places: the result has an extent of 0 that the data does not have."""
    sizes = attrs.get("pool_size") or attrs.get("kernel_size") or []
    return 0 in sizes or (0 in (shape(out) or []) and 0 not in (shape(data) or []))


def added(a: Extent, b: Extent) -> Extent:
    """The sum of two extents; "?" if one is."""
    return "?" if "?" in (a, b) else a + b


def places(
    extent: Extent, size: Extent, stride: Extent, dilation: Extent, padding: Extent, ceil: bool = False
) -> tuple[Extent, Extent]:
    """The places of a window in a padded extent, rounded down and truncated; "?" if an extent is."""
    if "?" in (extent, size, stride, dilation, padding) or stride == 0:
        return "?", "?"
    way = extent + padding - (size - 1) * dilation - 1 + (stride - 1 if ceil else 0)
    return way // stride + 1, int(way / stride) + 1


def window_rounds_up(attrs: dict[str, Any], text: str, layout: str, letters: str = "HW") -> bool:
    """Whether truncation makes more places than flooring of the kernel of a convolution, which `kernel_size` says."""
    rank, pads = len(letters), attrs["padding"]
    sides = pads * (2 * rank // len(pads))
    both = [added(*ends) for ends in zip(sides[:rank], sides[rank:], strict=True)]
    dilation = attrs.get("dilation", [1] * rank)
    rows = zip(letters, attrs["kernel_size"], attrs["strides"], dilation, both, strict=False)
    counts = [places(channels_of(text, layout, letter), *row) for letter, *row in rows]
    return any(floored != truncated for floored, truncated in counts)


def share(attrs: dict[str, Any], data: str) -> Extent:
    """The channels of the data in one group."""
    channels = channels_of(data, attrs["data_layout"])
    return channels if channels == "?" else channels // attrs["groups"]


def filters(attrs: dict[str, Any], weight: str, op: str = "") -> Extent:
    """The channels of a convolution's result: those of the attributes, or of the weight if these leave it open."""
    if "transpose" in op and (attrs["channels"] is None or attrs["kernel_size"] is None):
        return count_of([channels_of(weight, attrs["kernel_layout"], "O"), attrs["groups"]])
    if attrs["channels"] is not None and attrs["kernel_size"] is not None:
        return attrs["channels"]
    return count_of(
        [channels_of(weight, attrs["kernel_layout"], letter) for letter in "GO" if letter in attrs["kernel_layout"]]
    )


def reach(attrs: dict[str, Any], weight: str, letter: str, axis: int) -> Extent:
    """How far a dilated kernel reaches along an axis, less one."""
    size = channels_of(weight, attrs["kernel_layout"], letter)
    return size if size == "?" else (size - 1) * attrs["dilation"][axis]


def divided(op: str, attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether the groups of a convolution, or of its gradient, divide the channels of the data and of the result."""
    if op.endswith("backward_weight"):
        ours, theirs = channels_of(ins[0], attrs["data_layout"]), channels_of(ins[1], attrs["kernel_layout"])
    else:
        weight = ins[2] if op == "nn.deformable_conv2d" else ins[1]
        ours, theirs = channels_of(ins[0], attrs["data_layout"]), filters(attrs, weight)
    return not any(c != "?" and c % attrs["groups"] for c in (ours, theirs))


def conv_plane(attrs: dict[str, Any], data: str, letters: str = "HW", weight: str | None = None) -> str:
    """The spatial extents of a convolution's result, as a tensor type; of a given weight, its kernel.

    Where the attributes do not fit the number of axes or a stride is 0, they are negative.
    """
    rank, pads, strides, dilation = len(letters), attrs["padding"], attrs["strides"], attrs["dilation"]
    sizes = attrs["kernel_size"]
    if weight is not None:
        sizes = [channels_of(weight, attrs["kernel_layout"], letter) for letter in letters]
    if len(pads) not in (1, rank, 2 * rank) or 0 in strides or min(map(len, (sizes, strides, dilation))) < rank:
        return "Tensor[(-1), float32]"
    both = [2 * p for p in pads * (rank // len(pads))] if len(pads) <= rank else map(sum, zip(pads[:rank], pads[rank:]))
    rows = zip(letters, sizes, strides, dilation, both)
    extents = [places(channels_of(data, attrs["data_layout"], letter), *row)[0] for letter, *row in rows]
    return f"Tensor[({', '.join(map(str, extents))}), float32]"


def labelled_extents(equation: str, operands: str) -> dict[str, list[Extent]]:
    """The extents that each label of an einsum meets, in order; those in an ellipsis have no label."""
    extents: dict[str, list[Extent]] = {}
    for labels, text in zip(equation.replace(" ", "").split("->")[0].split(","), fields(operands) or [], strict=False):
        front, _, back = labels.partition("...")
        own = shape(text) or []
        for label, extent in [*zip(front, own), *zip(back, own[len(own) - len(back) :])]:
            extents.setdefault(label, []).append(extent)
    return extents


def empty_meets_one(equation: str, operands: str) -> bool:
    """Whether 1, stretched to the other extents of a label of an einsum, is not the greatest one, in the result."""
    for label, (stretched, *others) in labelled_extents(equation, operands).items():
        greatest = stretched
        for extent in others:
            if "?" in (stretched, extent):
                stretched = greatest = "?"
            elif 1 in (stretched, extent) or stretched == extent:
                stretched, greatest = extent if stretched == 1 else stretched, max(greatest, extent)
            else:
                return True
        if stretched != greatest and label in equation.partition("->")[2]:
            return True
    return False


def inner_dimensions(op: str, attrs: dict[str, Any], ins: list[str]) -> tuple[Extent, Extent]:
    """The inner dimensions of the two operands of a product; the second one may be stored in blocks."""
    if op.endswith("dense_pack"):
        return at(ins[0], 1), count_of([at(ins[1], 1), *(shape(ins[1]) or [])[3:]])
    first = at(ins[0], -2 if attrs.get("transpose_a") else -1)
    return first, at(ins[1], 1 if attrs.get("transpose_b", True) else 0)


def scalar_parameters(op: str) -> dict[int, str]:
    """The positions of scales and zero points of a quantised operator that can only be scalars, with their types."""
    scale, zero = "float32", "int32"
    return {
        "qnn.add": {6: scale, 7: zero},
        "qnn.mul": {6: scale, 7: zero},
        "qnn.subtract": {6: scale, 7: zero},
        "qnn.requantize": {3: scale, 4: zero},
        "qnn.dense": {2: zero, 4: scale},
        "qnn.conv2d": {2: zero, 4: scale},
        "qnn.batch_matmul": {2: zero, 3: zero, 4: scale, 5: scale},
    }.get(op, {1: scale, 2: zero, 3: scale, 4: zero})


def the_rest_fits(op: str, attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether a call fits but for scales and zero points without annotation, which can only be scalars."""
    for i, wanted in scalar_parameters(op).items():
        parts = fields(ins[i]) if op == "qnn.concatenate" and i < 3 else [ins[i]]
        if ins[i] != "_" and (parts is None or not {*parts} <= {"_", wanted}):
            return False
    if op == "qnn.concatenate":
        parts = [shape(text) or [] for text in fields(ins[0]) or []]
        kept = [[e for i, e in enumerate(part) if i != attrs["axis"] % len(part)] for part in parts if part]
        joined = all(has_axis(text, attrs["axis"]) for text in fields(ins[0]) or [])
        joined = joined and all(all_agree(kept[0], other) for other in kept)
        return joined and len({len(fields(text) or []) for text in ins[:3] if text != "_"}) == 1
    if any(shape(text) is None for text in ins[: 2 if 6 in scalar_parameters(op) or len(ins) == 6 else 1]):
        return False
    small = ("int8",) if op == "qnn.softmax" else ("int8", "uint8")
    if op in ("qnn.add", "qnn.mul", "qnn.subtract"):
        sides = [(ins[0], attrs["lhs_axis"], 2), (ins[1], attrs["rhs_axis"], 4)]
        fit = broadcast(shape(ins[0]), shape(ins[1])) is not None and dtype(ins[0]) == dtype(ins[1])
        return fit and all(channels_fit(text, axis, *ins[i : i + 2]) for text, axis, i in sides)
    if op == "qnn.requantize":
        there = has_axis(ins[0], attrs["axis"]) if rank(ins[0]) else attrs["axis"] <= 0
        dtypes = dtype(ins[0]) != "uint16" and attrs["out_dtype"] in ("int8", "uint8", "int16", "int32")
        return there and dtypes and channels_fit(ins[0], attrs["axis"], *ins[1:3])
    if op == "qnn.batch_matmul":
        x, inner, y, own = matrix_batches(attrs, ins)
        return rank(ins[0]) == rank(ins[1]) == 3 and agrees(inner, own) and (agrees(x, y) or 1 in (x, y))
    if op in ("qnn.dense", "qnn.conv2d"):
        count = at(ins[1], 0) if op == "qnn.dense" else filters(attrs, ins[1])
        units = attrs.get("units")
        wide = op != "qnn.dense" or agrees(*inner_dimensions(op, attrs, ins))
        parameters = fits_each(ins[3], count, "int32") and fits_each(ins[5], count, "float32")
        return wide and parameters and (units is None or agrees(count, units))
    fit = op != "qnn.softmax" or has_axis(ins[0], attrs["axis"])
    if op == "qnn.avg_pool2d":
        sides = (attrs["padding"] * 4)[:4] if len(attrs["padding"]) < 3 else list(attrs["padding"])
        if attrs["ceil_mode"]:
            sides[2:] = [added(side, stride - 1) for side, stride in zip(sides[2:], attrs["strides"], strict=False)]
        window = {**attrs, "data_layout": attrs["layout"], "kernel_size": attrs["pool_size"], "padding": sides}
        fit = not negative(conv_plane(window, ins[0]))
    return fit and dtype(ins[0]) in small


def channels_fit(text: str, axis: int, scale: str, zero: str) -> bool:
    """Whether a scale and a zero point fit the channels of a tensor at an axis, of which a vector has only one."""
    one = rank(text) == 1
    channels = 1 if rank(text) == 0 else at(text, 0 if one else axis)
    known = bool(rank(text) in (0, 1) or has_axis(text, axis))
    return known and fits_each(scale, channels, "float32") and fits_each(zero, channels, "int32")


def fits_by_default(op: str, ins: list[str]) -> bool:
    """Whether a call fits if no attribute is given; only parameters of a channel each may be without annotation."""
    if op == "relay.op.annotation.simulated_quantize":
        return bool(rank(ins[0])) and set(ins[1:]) <= {"_", "float32"}
    shapes = [shape(text) for text in ins]
    first, *others = ins
    if "norm" in op or op in ("nn.bias_add", "nn.prelu"):
        axis = -1 if op == "nn.layer_norm" else 1
        each = {"_", f"Tensor[({at(first, axis)}), {dtype(first)}]"}
        return has_axis(first, axis) and {*others} <= each and (op != "nn.instance_norm" or len(shapes[0] or []) > 2)
    if None in shapes or (not others and ("conv" in op or op in ("nn.dense", "nn.matmul", "nn.batch_matmul"))):
        return False
    if op in ("nn.dense", "nn.matmul"):
        fit = len(shapes[0] or []) > 0 and rank(ins[1]) == 2
        return fit and agrees(*inner_dimensions(op, {"transpose_b": op == "nn.dense"}, ins))
    if op == "nn.batch_matmul":
        x, inner, y, own = matrix_batches({"transpose_a": False, "transpose_b": False}, ins)
        return rank(first) == rank(ins[1]) == 3 and agrees(inner, own) and (agrees(x, y) or 1 in (x, y))
    if op == "qnn.leaky_relu":
        return others == ["float32", "int32"] * 2 and dtype(first) in ("int8", "uint8")
    if "softmax" in op:
        return has_axis(first, -1)
    axes = int((re.findall(r"(?:conv|pool)(\d)d", op) or ["2"])[0])
    if "pool" in op:
        return len(shapes[0] or []) >= axes + 2
    if "conv" not in op:
        return rank(first) == axes + 2
    weight = shapes[1] or []
    fit = len(weight) == rank(first) == axes + 2 and agrees(at(first, 1), weight["transpose" not in op])
    return fit and ("transpose" in op or all("?" in (n, k) or n >= k for n, k in zip(shapes[0][2:], weight[2:])))


def losses_fit(attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether predictions, targets and weights of nll_loss fit, of which one is without annotation."""
    predictions, targets, weights = ins
    extents, own, classes = shape(predictions), shape(targets), shape(weights)
    if attrs["reduction"] not in ("mean", "sum", "none") or not own or not (dtype(targets) or "").startswith("int"):
        return False
    kinds = {t for t in (dtype(predictions), dtype(weights)) if t is not None}
    if len(kinds) != 1 or "float" not in kinds.pop():
        return False
    if classes is not None:
        return len(classes) == 1 and "?" not in (*own, *classes)
    return extents is not None and len(extents) > 1 and extents[1] != "?" and all_agree(extents[:1] + extents[2:], own)


def bends(attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether offsets and weight fit each other and the attributes of a deformable convolution, and say its data."""
    _, offset, weight = ins
    if unannotated(ins) != {0} or attrs["strides"][:2] != [1, 1] or attrs["groups"] < 1 or len(attrs["dilation"]) < 2:
        return False
    if rank(offset) != len(re.findall("[A-Za-z]", attrs["data_layout"])):
        return False
    kernel = [channels_of(weight, attrs["kernel_layout"], letter) for letter in "HW"]
    channels = channels_of(weight, attrs["kernel_layout"], "O")
    fits = [
        (channels_of(offset, attrs["data_layout"]), count_of([2, attrs["deformable_groups"], *kernel])),
        (channels, attrs["channels"] or "?"),
        *zip(kernel, attrs["kernel_size"] or "??", strict=False),
    ]
    sized = attrs["channels"] is not None and attrs["kernel_size"] is not None
    whole = channels == "?" or channels % attrs["groups"] == 0
    return whole and all(agrees(a, b) for a, b in fits) and (not sized or dtype(offset) == dtype(weight))


def wrapped_around(op: str, attrs: dict[str, Any], ins: list[str], out: str | None) -> bool:
    """Whether arithmetic at 32 bits gives another answer to this call of a reshaping, joining or repeating operator."""
    if not ins or not attrs or (shape(ins[0]) is None and op != "concatenate"):
        return False
    if op in ("reshape", "contrib_reverse_reshape"):
        turn = -1 if op != "reshape" else 1
        made = reshaped((attrs["newshape"] or [])[::turn], (shape(ins[0]) or [])[::turn], attrs["allowzero"])
        if len(ins) != 1 or made is None or made[1]:
            return False
        many = any(e != "?" and e >= 2**31 for e in (count(ins[0]), *made[0]))
        return many and (out is None or (shape(out) or [])[::turn] != made[0])
    if out is None:
        return False
    if op == "reshape_like":
        return "?" not in (count(ins[0]), count(out)) and count(ins[0]) != count(out)
    extents, axis = list(shape(ins[0]) or []), plain(attrs.get("axis", 0))
    if op == "concatenate":
        parts = extents_at(ins[0], axis)
        return "?" not in parts and (shape(out) or [])[axis] != sum(parts)
    if op == "tile":
        reps = [1 if n is None else n for n in plain(attrs["reps"])]
        extents = [1] * (len(reps) - len(extents)) + extents
        reps = [1] * (len(extents) - len(reps)) + reps
    else:
        reps = [1] * len(extents)
        reps[axis] = plain(attrs["repeats"])
    made = [e if e == "?" else e * n for e, n in zip(extents, reps, strict=True)]
    return made != shape(out) and any(e != "?" and e >= 2**31 for e in made)


def multiplied(op: str, attrs: dict[str, Any], ins: list[str]) -> list[Extent]:
    """The factors of the extent that a vision operator multiplies."""
    own = shape(ins[0]) or []
    if op.endswith("multibox_prior"):
        return [*own[2:], len(attrs["sizes"] or []) + len(attrs["ratios"] or []) - 1]
    if op.endswith("proposal"):
        return [own[0], attrs["rpn_post_nms_top_n"]]
    if op.endswith("yolo_reorg"):
        return [own[1], attrs["stride"], attrs["stride"]]
    classes = at(ins[1], 1)
    return [own[0], own[1], classes] if attrs["output_format"] == "onnx" else [own[1], classes]


def groups_apart_fit(op: str, attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether a weight with an axis for the groups fits the data and the attributes of a convolution in the plane."""
    sizes = {letter: channels_of(ins[1], attrs["kernel_layout"], letter) for letter in "GOIHW"}
    kernel = attrs["kernel_size"] or ["?", "?"]
    fits = [
        (sizes["G"], attrs["groups"]),
        (sizes["I"], share(attrs, ins[0])),
        (count_of([sizes["O"], attrs["groups"]]), attrs["channels"] or "?"),
        *zip((sizes["H"], sizes["W"]), kernel),
    ]
    small = "transpose" in op or not negative(conv_plane(attrs, ins[0], "HW", ins[1]))
    return len(kernel) == 2 and all(agrees(a, b) for a, b in fits) and divided(op, attrs, ins) and small


def transposed_divided(attrs: dict[str, Any], ins: list[str]) -> bool:
    """Whether the groups of a transposed convolution divide the channels of the data and of the result, where known."""
    sized = attrs["channels"] is not None and attrs["kernel_size"] is not None
    ours = channels_of(ins[0], attrs["data_layout"]) if sized else channels_of(ins[1], attrs["kernel_layout"], "I")
    theirs = attrs["channels"]
    if theirs is None or not (sized or channels_of(ins[1], attrs["kernel_layout"], "O") != "?"):
        theirs = "?"
    return not any(c != "?" and c % attrs["groups"] for c in (ours, theirs))
