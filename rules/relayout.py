"""Changes of layout: by the names of axes, by the lengths of split axes, by a map of indices."""

import ast
import re
from functools import lru_cache

from relaylogic.logic import (
    difference,
    eq,
    equals,
    fail,
    floordiv,
    fresh,
    fresh_list,
    lall,
    plus,
    stating,
    times,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .layouts import relaid


@relation
def LayoutTransform(data, out, attrs):
    """The elements of a tensor in another layout."""


@LayoutTransform.clause
def axes_reordered_and_blocked(data, out, attrs):
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        relaid(shape, attrs.src_layout, result, attrs.dst_layout),
    )


def lengths_in(layout):
    """The lengths that stand before the names of axes in `4A16b2`, here 4 and 16; None if it is malformed.

    A name is made of the characters from A to z; a length of 0 counts as none.
    """
    if not re.fullmatch(r"[A-z0-9]*", layout):
        return None
    return tuple(length for length in map(int, re.findall(r"(\d+)[A-z]", layout)) if length)


@relation
def AutoSchedulerLayoutTransform(data, out, attrs):
    """A tensor rewritten to the lengths that a layout such as `4A16b` lists."""


@AutoSchedulerLayoutTransform.clause
def lengths_listed(data, out, attrs):
    lengths, dtype = lengths_in(attrs.dst_layout), fresh()
    if lengths is None:
        return stating("dst_layout is made of lengths and names", fail)
    return lall(eq(data, Tensor(fresh(), dtype)), eq(out, Tensor(lengths, dtype)))


@lru_cache(maxsize=4096)
def read(index):
    """The expression that an index of a map is written as."""
    return ast.parse(index, mode="eval").body


def greatest(index, extents):
    """The greatest value of an index expression whose variables have these extents.

    None if the expression is none that starts at 0 and grows with its variables.
    """
    match index:
        case ast.Name(name) if name in extents:
            return difference(extents[name], 1)
        case ast.Constant(0):
            return 0
        case ast.BinOp(left, ast.Add(), right):
            parts = greatest(left, extents), greatest(right, extents)
            return None if None in parts else plus(*parts)
        case ast.BinOp(part, ast.Mult(), ast.Constant(factor)) | ast.BinOp(ast.Constant(factor), ast.Mult(), part):
            last = greatest(part, extents)
            return None if last is None or factor < 1 else times(last, factor)
        case ast.Call(ast.Name("floordiv"), [part, ast.Constant(divisor)]) if divisor > 0:
            last = greatest(part, extents)
            return None if last is None else floordiv(last, divisor)
        case ast.Call(ast.Name("floormod"), [part, ast.Constant(divisor)]) if divisor > 0:
            return None if greatest(part, extents) is None else divisor - 1
    return None


def ranges_over(index, extents, extent):
    """The index expression takes `extent` values."""
    if isinstance(index, ast.Name) and index.id in extents:
        return eq(extents[index.id], extent)
    last = greatest(index, extents)
    if last is None:
        return stating("an index of the result starts at 0 and grows with those of the data", fail)
    return equals(plus(last, 1), extent)


@relation
def MetaScheduleLayoutTransform(data, out, attrs):
    """A tensor whose elements move to where a map of indices sends them; every index starts at 0."""


@MetaScheduleLayoutTransform.clause
def indices_mapped(data, out, attrs):
    if attrs.index_map is None:
        return stating("there is a map of indices", fail)
    index_map = dict(dict(attrs.index_map)["index_map"])
    names, indices = index_map["inputs"], [read(index) for index in index_map["outputs"]]
    shape, result, dtype = fresh_list(len(names)), fresh_list(len(indices)), fresh()
    extents = dict(zip(names, shape, strict=True))
    return lall(
        stating("the data has an axis for each index of the map", eq(data, Tensor(shape, dtype))),
        eq(out, Tensor(result, dtype)),
        *(ranges_over(index, extents, extent) for index, extent in zip(indices, result, strict=True)),
    )


LAYOUTS = "src_layout: str[layout NCHW]; dst_layout: str[layout NCHW]"

operator("layout_transform", "data", LayoutTransform, LAYOUTS)
operator("auto_scheduler_layout_transform", "data", AutoSchedulerLayoutTransform, "src_layout: str; dst_layout: str")
operator("meta_schedule_layout_transform", "data", MetaScheduleLayoutTransform, "index_map: object = None")
