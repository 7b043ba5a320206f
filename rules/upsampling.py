"""Upsampling by factors, static or computed at run time."""

from math import ceil, floor, isfinite

from relaylogic.logic import eq, equals, fail, fresh, fresh_list, lall, lany, primitive, stating, times
from relaylogic.logic.terms.terms import walk
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY

from .layouts import laid_out, read_as
from .shapes import scalar
from .spatial import typed


def scaled(extent, factor, result):
    """`result` is `extent` times the floating-point `factor`, rounded half to even."""
    if not isfinite(factor):
        return fail
    if factor == int(factor):
        return equals(result, times(extent, int(factor)))
    return _scaled(extent, result, factor)


@primitive("scaled", 0, 2)
def _scaled(state, extent, result, factor):
    known, made = walk(extent, state.bindings), walk(result, state.bindings)
    if type(known) is int:
        return equals(made, round(known * factor))(state)
    if known is ANY:
        return eq(made, ANY)(state)
    if type(made) is not int or factor < 0:
        return (eq(known, ANY) if made is ANY else fail)(state)
    least, most = floor((made - 0.5) / factor), ceil((made + 0.5) / factor)
    return lany(*(eq(known, n) for n in range(max(least, 0), most + 1) if round(n * factor) == made))(state)


def upsampled(data, out, attrs, plain, factors):
    """The spatial extents of `data` times `factors` are those of `out`."""
    n, c, dtype = fresh(3)
    extents, results = fresh_list(len(factors)), fresh_list(len(factors))
    rows = zip(extents, factors, results, strict=True)
    return lall(
        read_as(data, attrs.layout, (n, c, *extents), plain, dtype),
        laid_out((n, c, *results), plain, out, attrs.layout, dtype),
        stating("the scaled extents are extents", *(scaled(*row) for row in rows)),
    )


def upsampled_at_run_time(data, out, attrs, plain):
    """The spatial extents of `out` are not known at compile time."""
    n, c, dtype = fresh(3)
    rank = len(plain) - 2
    return lall(
        read_as(data, attrs.layout, (n, c, *fresh_list(rank)), plain, dtype),
        laid_out((n, c, *(ANY,) * rank), plain, out, attrs.layout, dtype),
    )


@relation
def UpSampling(data, out, attrs):
    """Height and width times their scales."""


@UpSampling.clause
def h_w_scaled(data, out, attrs):
    return upsampled(data, out, attrs, "NCHW", (attrs.scale_h, attrs.scale_w))


@relation
def UpSampling3D(data, out, attrs):
    """Depth, height and width times their scales."""


@UpSampling3D.clause
def d_h_w_scaled(data, out, attrs):
    return upsampled(data, out, attrs, "NCDHW", (attrs.scale_d, attrs.scale_h, attrs.scale_w))


@relation
def DynamicUpSampling(data, scale_h, scale_w, out, attrs):
    """Height and width times scales that are computed."""


@DynamicUpSampling.clause
def h_w_unknown(data, scale_h, scale_w, out, attrs):
    return lall(
        stating("the scales are scalars", scalar(scale_h), scalar(scale_w)),
        upsampled_at_run_time(data, out, attrs, "NCHW"),
    )


@relation
def DynamicUpSampling3D(data, scale_d, scale_h, scale_w, out, attrs):
    """Depth, height and width times scales that are computed."""


@DynamicUpSampling3D.clause
def d_h_w_unknown(data, scale_d, scale_h, scale_w, out, attrs):
    return lall(upsampled_at_run_time(data, out, attrs, "NCDHW"), typed(scale_d), typed(scale_h), typed(scale_w))


PLANE = (
    "scale_h: float ?= 1.0; scale_w: float ?= 1.0; layout: str[layout NCHW] = 'NCHW'; "
    "method: str[nearest_neighbor|bilinear|bicubic] = 'nearest_neighbor'; "
    "align_corners: bool = False"
)
SPACE = (
    "scale_d: float ?= 1.0; scale_h: float ?= 1.0; scale_w: float ?= 1.0; layout: str[layout NCDHW] = 'NCDHW'; "
    "method: str[nearest_neighbor|bilinear|bicubic] = 'nearest_neighbor'; "
    "coordinate_transformation_mode: str[half_pixel|align_corners|asymmetric] = 'half_pixel'"
)

operator("nn.upsampling", "data", UpSampling, PLANE)
operator("nn.upsampling3d", "data", UpSampling3D, SPACE)
operator("dyn.nn.upsampling", "data, scale_h, scale_w", DynamicUpSampling, PLANE)
operator("dyn.nn.upsampling3d", "data, scale_d, scale_h, scale_w", DynamicUpSampling3D, SPACE)
