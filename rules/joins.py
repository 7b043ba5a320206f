"""Joining tensors along an axis and splitting them: concatenate, stack, split, meshgrid."""

from relaylogic.logic import (
    agree,
    conde,
    cons,
    copies,
    difference,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    geo,
    is_known,
    is_seen,
    is_unknown,
    is_whole,
    lall,
    mapo,
    plus,
    same_lengtho,
    sharpest,
    stating,
    times,
    total,
    unroll,
    widest,
    word,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import FAR, has_axes, has_axis, no_axis, normal_axis, with_axes_inserted, with_axis_replaced


def folded(relate, extents, result):
    """`result` is what `relate(a, b, c)` makes of all extents, from left to right; of one with itself it makes that
    one."""
    extents = list(dict.fromkeys(extents))
    goals, current = [], extents[0]
    for extent in extents[1:-1]:
        following = fresh()
        goals.append(relate(current, extent, following))
        current = following
    goals.append(relate(current, extents[-1], result) if len(extents) > 1 else eq(current, result))
    return lall(*goals)


def tensors_of_one_dtype(fields, dtype, state_of, *given):
    """`fields` are tensors of `dtype`, at least one; `state_of(shapes, *given)` says something of their shapes."""
    return unroll((fields,), _tensors, dtype, word(state_of), given)


def _tensors(parts, dtype, state_of, given):
    if not parts:
        return stating("there is a part at least", fail)
    shapes = fresh_list(len(parts))
    typed = [eq(part, Tensor(shape, dtype)) for part, shape in zip(parts, shapes, strict=True)]
    return lall(stating("all parts are tensors of one dtype", *typed), state_of(shapes, *given))


@relation
def Concatenate(data, out, attrs):
    """Tensors of one rank and dtype, joined at `axis`, where their extents add up; the other extents agree.

    Where some part does not know another extent, the result does not either, unless the sum is unknown as well.
    """


@Concatenate.clause
def joined_at_axis(data, out, attrs):
    fields, result, dtype = fresh(3)
    parts = tensors_of_one_dtype(fields, dtype, _joined, result, attrs.axis)
    return lall(
        eq(data, Tuple(fields)),
        eq(out, Tensor(result, dtype)),
        parts,
        stating("the result has this axis", has_axes(result, (attrs.axis,))),
    )


def _joined(shapes, result, axis):
    one_rank = stating("all parts have one rank", same_lengtho(result, *shapes))
    if not is_seen(axis) or not 0 <= axis < FAR:
        return lall(one_rank, stating("the input has this axis", unroll((result, *shapes), _columns, axis)))
    lists = (result, *shapes)
    fronts, ends = [fresh_list(axis + 1) for _ in lists], fresh_list(len(lists))
    parted = [eq(s, cons(front, end)) for s, front, end in zip(lists, fronts, ends, strict=True)]
    return lall(one_rank, stating("the input has this axis", *parted), _added(fronts, axis, ends))


def _columns(*rows):
    *lists, axis = rows
    at = normal_axis(axis, len(lists[0]))
    return no_axis(axis, lists[0]) if at is None else _added(lists, at, [()] * len(lists))


def _added(lists, at, ends):
    """Of lists with some `ends`, the first is the sum of the others at one place; elsewhere they agree."""
    rows = list(zip(*lists, strict=True))
    extent, *parts = rows.pop(at)
    whole = fresh()

    def agreeing(relate):
        kept = [relate(*row) for row in rows]
        return stating("the other extents agree", *kept, mapo(relate, *ends))

    return lall(
        equals(total(tuple(parts)), whole),
        eq(whole, extent),
        conde([is_known(whole), agreeing(_widest_of_all)], [is_unknown(whole), agreeing(_sharpest_of_all)]),
    )


def _widest_of_all(extent, *parts):
    alike = [folded(sharpest, parts, fresh())] if len(parts) > 2 else []
    return lall(folded(widest, parts, extent), *alike)


def _sharpest_of_all(extent, *parts):
    return folded(sharpest, parts, extent)


@relation
def Stack(data, out, attrs):
    """Tensors of one shape and dtype along a new axis; where the first one's extent is `?`, so is the result's."""


@Stack.clause
def along_a_new_axis(data, out, attrs):
    if attrs.axis is None:
        return stating("`axis` is given", fail)
    fields, result, dtype = fresh(3)
    parts = tensors_of_one_dtype(fields, dtype, _stacked, result, attrs.axis)
    return lall(
        eq(data, Tuple(fields)),
        eq(out, Tensor(result, dtype)),
        parts,
        stating("the result has this axis", has_axes(result, (attrs.axis,))),
    )


def _stacked(shapes, result, axis):
    first, *others = shapes
    return lall(
        stating("`axis` is a position in the result", with_axes_inserted(first, axis, (len(shapes),), result)),
        stating("all parts have one shape", mapo(_alike, first, *others)),
    )


def _alike(extent, *others):
    return lall(*(agree(extent, other) for other in others))


@relation
def Split(data, out, attrs):
    """Parts of the input along `axis`: so many equal ones, or those that lie between the given indices."""


@Split.clause
def one_section(data, out, attrs):
    sections = attrs.indices_or_sections
    if not is_whole(sections) or sections != 1:
        return fail
    shape = fresh()
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, Tuple((data,))),
        stating("the input has this axis", has_axis(shape, attrs.axis)),
    )


@Split.clause
def equal_sections(data, out, attrs):
    sections = attrs.indices_or_sections
    if not is_whole(sections) or sections == 1:
        return fail
    if sections < 1:
        return stating("there is a section at least", fail)
    shape, piece, dtype, whole, part = fresh(5)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tuple(copies(Tensor(piece, dtype), sections))),
        stating("the input has this axis", with_axis_replaced(shape, attrs.axis, part, piece, whole)),
        stating("the sections divide the extent", equals(times(part, sections), whole)),
    )


@Split.clause
def between_indices(data, out, attrs):
    indices = attrs.indices_or_sections
    if type(indices) is not tuple:
        return fail if is_whole(indices) else stating("`indices_or_sections` is a number or a list", fail)
    shape, dtype, whole, rest = fresh(4)
    pieces, parts = fresh_list(len(indices) + 1), fresh_list(len(indices))
    bounds = (0, *indices)
    extents = (*parts, rest)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tuple(tuple(Tensor(piece, dtype) for piece in pieces))),
        stating(
            "the input has this axis",
            *(with_axis_replaced(shape, attrs.axis, e, p, whole) for e, p in zip(extents, pieces, strict=True)),
        ),
        stating(
            "the indices ascend within the extent",
            *(equals(plus(a, part), b) for a, part, b in zip(bounds, parts, indices)),
            *(geo(part, 1) for part in parts),
            equals(difference(whole, bounds[-1]), rest),
            geo(rest, 1),
        ),
    )


@relation
def Meshgrid(data, out, attrs):
    """Vectors (or scalars, taken as vectors of one) span a grid; the result holds one grid for each of them."""


@Meshgrid.clause
def grids(data, out, attrs):
    fields, dtype = fresh(2)
    parts = tensors_of_one_dtype(fields, dtype, _spanned, out, dtype, attrs.indexing)
    return lall(eq(data, Tuple(fields)), parts)


def _spanned(shapes, out, dtype, indexing):
    extents = fresh_list(len(shapes))
    order = (1, 0, *range(2, len(shapes))) if indexing == "xy" and len(shapes) > 1 else range(len(shapes))
    grid = Tensor(tuple(extents[i] for i in order), dtype)
    sides = [conde([eq(s, (e,))], [eq(s, ()), eq(e, 1)]) for s, e in zip(shapes, extents, strict=True)]
    return lall(eq(out, Tuple((grid,) * len(shapes))), stating("all parts are vectors or scalars", *sides))


operator("concatenate", "data", Concatenate, "axis: int[axis] = 0")
operator("stack", "data", Stack, "axis: integer[axis] = 0")
operator("split", "data", Split, "indices_or_sections: object[sections]; axis: int[axis] = 0")
operator("meshgrid", "data", Meshgrid, "indexing: str[ij|xy] = 'ij'")
