"""Axes: positions in a shape, counted from the end if negative.

An axis that is not negative says where it stands in a shape of any rank; a negative one waits for the rank. So does
one that is far out, lest the axes before it be listed, which no shape has. Each says how great the rank is at least.
"""

from relaylogic.logic import (
    appendo,
    at_leasto,
    cons,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    is_seen,
    lall,
    lany,
    lazily,
    lengtho,
    leo,
    lto,
    ntho,
    plus,
    primitive,
    same_lengtho,
    unroll,
    word,
)

FAR = 64
"""From here on, positions and numbers of axes are taken to be mistakes until a rank says otherwise."""


def normal_axis(axis, rank):
    """`axis` as a position in 0..rank-1, or None if there is no such axis."""
    position = axis + rank if axis < 0 else axis
    return position if 0 <= position < rank else None


@primitive("nth", 0, 1, lists=True)
def _none_there(state, extents, axis):
    return iter(())


def no_axis(axis, extents):
    """Nothing: there is no such axis, which a refusal says in words."""
    return lany(_none_there(extents, axis), fail) if type(axis) is int else fail


def normal_axes(axes, rank):
    """All `axes` as positions in their order, or None if one does not exist."""
    positions = tuple(normal_axis(axis, rank) for axis in axes)
    return None if None in positions else positions


def has_axes(shape, axes):
    """`shape` has all these axes; those that are not known count from the front."""
    known = at_leasto(shape, max((axis + 1 if axis >= 0 else -axis for axis in axes if is_seen(axis)), default=0))
    if is_seen(axes):
        return known
    rank = fresh()
    return lall(known, lengtho(shape, rank), *(lto(axis, rank) for axis in axes if not is_seen(axis)))


def named(axis):
    """What a premise calls an axis: one that is not known has no number."""
    return f"an axis {axis}" if is_seen(axis) else "the axis"


def at_axis(shape, axis, extent):
    """`shape` has `extent` at `axis`."""
    if not is_seen(axis):
        return lall(has_axes(shape, (axis,)), lazily(_at_axis, shape, axis, extent))
    return _at_axis(shape, axis, extent)


def has_axis(shape, axis):
    """`shape` has this axis. How long it is need not be known where it is known that it is long enough."""
    return has_axes(shape, (axis,)) if is_seen(axis) else at_axis(shape, axis, fresh())


def _at_axis(shape, axis, extent):
    return ntho(shape, axis, extent) if axis < FAR else with_axis_replaced(shape, axis, extent, shape, extent)


def with_axis_replaced(shape, axis, extent, result, old=None):
    """`result` is `shape` with `extent` at `axis`, in place of `old`."""
    old = fresh() if old is None else old
    if not is_seen(axis):
        replaced = lazily(_with_axis_replaced, shape, axis, extent, result, old)
        return lall(same_lengtho(shape, result), has_axes(shape, (axis,)), replaced)
    return _with_axis_replaced(shape, axis, extent, result, old)


def _with_axis_replaced(shape, axis, extent, result, old):
    if 0 <= axis < FAR:
        front, back = fresh_list(axis), fresh()
        return lall(eq(shape, cons((*front, old), back)), eq(result, cons((*front, extent), back)))

    return lall(has_axes(shape, (axis,)), unroll((shape, result), _replaced_from_rank, axis, extent, old))


def _replaced_from_rank(extents, results, axis, extent, old):
    at = normal_axis(axis, len(extents))
    if at is None:
        return no_axis(axis, extents)
    return lall(eq(extents[at], old), eq(results, (*extents[:at], extent, *extents[at + 1 :])))


def without_axis(shape, axis, rest, extent=None):
    """`rest` is `shape` without `axis`, where `extent` stood."""
    return with_axes_inserted(rest, axis, (fresh() if extent is None else extent,), shape)


def with_axes_inserted(shape, axis, inserted, result):
    """`result` is `shape` with the extents `inserted` from position `axis` on; a negative axis counts in `result`.

    Negative: -1 is the position after the last axis of `shape`.
    """
    if not is_seen(axis):
        rank, all_ranks = fresh(2)
        lengths = lall(lengtho(shape, rank), lengtho(result, all_ranks), equals(plus(rank, len(inserted)), all_ranks))
        return lall(lengths, leo(axis, rank), lazily(_with_axes_inserted, shape, axis, inserted, result))
    return _with_axes_inserted(shape, axis, inserted, result)


def _with_axes_inserted(shape, axis, inserted, result):
    if 0 <= axis < FAR:
        front, back = fresh_list(axis), fresh()
        return lall(eq(shape, cons(front, back)), eq(result, cons((*front, *inserted), back)))

    by_rank = unroll((shape, result), _inserted_from_rank, axis, inserted, longer=(0, len(inserted)))
    return lall(at_leasto(shape, axis if axis >= 0 else -axis - 1), by_rank)


def _inserted_from_rank(extents, results, axis, inserted):
    position = normal_axis(axis, len(extents) + 1)
    if position is None:
        return fail
    return eq(results, (*extents[:position], *inserted, *extents[position:]))


def per_axis(shape, result, relate):
    """`relate(axis, extent, extent_of_result)` for every axis; `shape` and `result` have one rank."""
    return unroll((shape, result), _rows, word(relate))


def _rows(extents, results, relate):
    return lall(*(relate(i, a, b) for i, (a, b) in enumerate(zip(extents, results, strict=True))))


def on_axes(shape, result, axes, relate, *given, fewer=0):
    """`relate(extents, results, *given)`, which leaves all as it is but for some `axes`; `result` has so many `fewer`.

    Axes that are not negative stand at the front, whatever comes behind them: then only the front need be known.
    """
    if not is_seen(axes) or not all(0 <= axis < FAR for axis in axes):
        return unroll((shape, result), relate, *given, longer=(fewer, 0))
    count, rest = max(axes, default=-1) + 1, fresh()
    extents, results = fresh_list(count), fresh_list(count - fewer)
    return lall(eq(shape, cons(extents, rest)), eq(result, cons(results, rest)), relate(extents, results, *given))


def order_of_axes(axes, rank):
    """The permutation that `axes` describe (None: reversed), or None if they are no permutation of `rank` axes."""
    if axes is None:
        return tuple(range(rank))[::-1]
    order = normal_axes(axes, rank)
    return order if order is not None and sorted(order) == list(range(rank)) else None


def surrounded(before, middle, after, whole):
    """`whole` is `before`, `middle` and `after`."""
    end = fresh()
    return lall(eq(whole, cons(before, end)), appendo(middle, after, end) if after else eq(middle, end))
