"""Reshape: the same elements in another shape, described by codes, or by the shape of another tensor.

The codes of `newshape`, read from left to right over the extents of the input: n is the extent n; 0 copies an extent
(with `allowzero` it is the extent 0); -1, at most once, is what remains of the elements; -2 copies all extents
that are left; -3 multiplies two; -4, a, b splits one into a and b, one of which may be -1.
"""

from math import prod as product

from relaylogic.logic import (
    agree,
    appendo,
    as_soon,
    at_leasto,
    conde,
    cons,
    eq,
    equals,
    fail,
    floordiv,
    fresh,
    fresh_list,
    is_positive,
    is_rigid,
    is_seen,
    lall,
    lengtho,
    leo,
    lto,
    prod,
    reverseo,
    stating,
    times,
    unroll,
)
from relaylogic.rulebase import Shape, operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .axes import surrounded
from .reshape_codes import WIDTH, greatest_rank, least_ranks, read_codes


def described(source, target, codes, allowzero):
    """The shape `target` is what `codes` say of the shape `source`; elements are not counted."""
    if not all(is_seen(code) or is_positive(code) for code in codes):
        return described_by_open(source, target, codes, allowzero)
    return described_by(source, target, read_codes(codes, allowzero))


def described_backwards(source, target, codes, allowzero):
    """The shape `target`, read backwards, is what `codes` say of the shape `source`, read backwards.

    Codes that take all of the input, or none of it, say the same of it in either direction.
    """
    said = read_codes(codes, allowzero) if all(map(is_seen, codes)) and is_seen(allowzero) else None
    if said is not None and all(_is_of_all(word, position) for word, position, _ in said):
        return described_by(source, target, said[::-1])
    backwards, result = fresh(2)
    return lall(
        reverseo(source, backwards),
        reverseo(target, result),
        described(backwards, result, codes, allowzero),
    )


def _is_of_all(word, position):
    return not WIDTH[word] and (word != "rest" or not position)


def described_by_open(source, target, codes, allowzero):
    """The shape `target` is what `codes`, some of which are not known, say of the shape `source`."""
    least = least_ranks(codes, allowzero)
    if least is None:
        return fail
    of_source, of_target = least
    return lall(
        at_leasto(source, of_source),
        at_leasto(target, of_target),
        as_soon(source, codes, _no_longer, target, allowzero),
        as_soon(target, codes, _to_rank, source, allowzero),
    )


def _no_longer(source, codes, target, allowzero):
    if type(source) is not tuple:
        return lall()
    most, length = greatest_rank(codes, allowzero, len(source)), fresh()
    return fail if most is None else lall(lengtho(target, length), leo(length, most))


def _to_rank(target, codes, source, allowzero):
    if is_seen(codes):
        return described(source, target, codes, allowzero)
    return as_soon(source, codes, _between_ranks, target, allowzero)


def _between_ranks(source, codes, target, allowzero):
    if is_seen(codes):
        return described(source, target, codes, allowzero)
    # What ends in a type parameter has no rank.
    ranks = (len(source), len(target)) if type(source) is type(target) is tuple else None
    return described_by(source, target, read_codes(codes, allowzero, ranks))


def described_by(source, target, said):
    """The shape `target` is what is said of the shape `source`."""
    if said is None:
        return fail
    used = {position + k for word, position, _ in said for k in range(WIDTH[word])}
    front, tail, rest, inferred = fresh_list(max(used, default=-1) + 1), fresh(), fresh(), fresh()
    before, after, factors, goals = [], [], [], []
    extents, rest_at = before, None
    for word, position, operands in said:
        if word == "extent":
            extents += operands
            factors += operands
        elif word == "copy":
            extents.append(front[position])
        elif word == "infer":
            extents.append(inferred)
        elif word == "merge":
            merged = fresh()
            goals.append(equals(times(front[position], front[position + 1]), merged))
            extents.append(merged)
        elif word == "split":
            for part, other in (operands, operands[::-1]):
                if part == -1:
                    part = fresh()
                    goals.append(equals(floordiv(front[position], other), part))
                extents.append(part)
        else:
            extents, rest_at = after, position
    unused = cons(tuple(extent for i, extent in enumerate(front) if i not in used), tail)
    if "infer" in (word for word, _, _ in said):
        if product(factors):
            goals.append(equals(floordiv(prod(unused), product(factors)), inferred))
        else:
            # What remains is not determined beside an extent 0, unless it is unknown anyway.
            goals += [equals(prod(unused), ANY), eq(inferred, ANY)]
    return lall(
        eq(source, cons(front, tail)) if rest_at is None else taken_from(source, front, rest_at, tail, rest),
        eq(target, tuple(before)) if rest_at is None else surrounded(tuple(before), rest, tuple(after), target),
        *goals,
    )


def taken_from(source, front, position, skipped, rest):
    """`source` is `front`, then `skipped`, then from `position` on `rest`, which is empty if `source` is shorter."""
    passed, length = fresh_list(position - len(front)), fresh()
    long_enough = [eq(source, cons((*front, *passed), rest)), eq(skipped, passed)]
    shorter = [eq(source, cons(front, skipped)), lengtho(source, length), lto(length, position), eq(rest, ())]
    return conde(long_enough, shorter) if passed else lall(*long_enough)


@relation
def SameCount(a: Shape, b: Shape):
    """Shapes a and b have equally many elements, as far as both are known."""


@SameCount.clause
def products_agree(a, b):
    m, n = fresh(2)
    return lall(equals(prod(a), m), equals(prod(b), n), agree(m, n))


@relation
def Reshape(data, out, attrs):
    """The elements of the input in the shape that `newshape` describes."""


@Reshape.clause
def from_the_left(data, out, attrs):
    source, target, dtype = fresh(3)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(out, Tensor(target, dtype)),
        stating("`newshape` describes the result", described(source, target, attrs.newshape or (), attrs.allowzero)),
        stating("the input and the result have equally many elements", SameCount(source, target)),
    )


@relation
def ReverseReshape(data, out, attrs):
    """The elements of the input in the shape that `newshape`, read backwards from the last axis, describes."""


@ReverseReshape.clause
def from_the_right(data, out, attrs):
    source, target, dtype = fresh(3)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(out, Tensor(target, dtype)),
        stating(
            "`newshape` describes the result",
            described_backwards(source, target, (attrs.newshape or ())[::-1], attrs.allowzero),
        ),
        stating("the input and the result have equally many elements", SameCount(source, target)),
    )


@relation
def ReshapeLike(data, shape_like, out, attrs):
    """The extents lhs_begin..lhs_end of the input are replaced by rhs_begin..rhs_end of another tensor's."""


@ReshapeLike.clause
def spliced(data, shape_like, out, attrs):
    source, like, target, dtype = fresh(4)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(target, dtype)),
        _spliced(source, like, target, attrs),
        stating("the input and the result have equally many elements", SameCount(source, target)),
    )


@ReshapeLike.clause
def spliced_before_a_rigid_end(data, shape_like, out, attrs):
    if _replaces_all(attrs):
        return fail
    source, like, target, middle, dtype = fresh(5)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(target, dtype)),
        conde(
            [_goes_on(like, _between_before, middle, attrs), unroll((source,), _filled, middle, target, attrs)],
            [
                conde(
                    [unroll((like,), _between, middle, attrs)],
                    [_goes_on(like, _between_before, middle, attrs)],
                ),
                _goes_on(source, _filled_before, middle, target, attrs),
            ],
        ),
        stating("the input and the result have equally many elements", SameCount(source, target)),
    )


def _goes_on(shape, relate, *given):
    """`relate(front, end, *given)` of a shape that ends rigid, and what is before."""
    front, end = fresh(2)
    return lall(is_rigid(end), appendo(front, end, shape), unroll((front,), relate, end, *given))


def _replaces_all(attrs):
    """Whether all of the input is replaced by all of the other tensor's extents."""
    span_of_each = (attrs.lhs_begin, attrs.lhs_end, attrs.rhs_begin, attrs.rhs_end)
    return all(map(is_seen, span_of_each)) and span_of_each == (0, None, 0, None)


def _spliced(source, like, target, attrs):
    return eq(target, like) if _replaces_all(attrs) else unroll((source,), _beside, like, target, attrs)


def _beside(extents, like, target, attrs):
    return unroll((like,), _replaced, extents, target, attrs)


def _replaced(others, extents, target, attrs):
    middle = fresh()
    return lall(_between(others, middle, attrs), _filled(extents, middle, target, attrs))


def _filled(extents, middle, target, attrs):
    """`target` is the input with `middle` in place of the extents from `begin` to `end`."""
    start, stop = span(attrs.lhs_begin, attrs.lhs_end, len(extents))
    if start > len(extents) or stop < 0:
        return stating("both tensors have the axes from `begin` to `end`", fail)
    return surrounded(extents[: max(start, 0)], middle, extents[stop:], target)


def _filled_before(extents, end, middle, target, attrs):
    """The same of an input that goes on with `end`."""
    start, stop = attrs.lhs_begin, attrs.lhs_end
    if not _at_front(start, len(extents)) or not (stop is None or _at_front(stop, len(extents))):
        return fail
    return surrounded(extents[:start], middle, () if stop is None else cons(extents[stop:], end), target)


def _between(others, middle, attrs):
    """`middle` are the extents of the other tensor from `begin` to `end`."""
    first, last = span(attrs.rhs_begin, attrs.rhs_end, len(others))
    if first < last and (first < 0 or last > len(others)):
        return stating("both tensors have the axes from `begin` to `end`", fail)
    return eq(middle, others[first:last])


def _between_before(others, end, middle, attrs):
    """The same of a tensor whose shape goes on with `end`."""
    first, last = attrs.rhs_begin, attrs.rhs_end
    if not _at_front(first, len(others)) or not (last is None or _at_front(last, len(others))):
        return fail
    return eq(middle, cons(others[first:], end) if last is None else others[first:last])


def _at_front(position, count):
    """Whether a position is one among so many extents, however many come behind."""
    return 0 <= position <= count


def span(begin, end, rank):
    """The positions from `begin` to `end` (None: the rank), counted from the rank if negative."""
    end = rank if end is None else end
    return (begin + rank if begin < 0 else begin, end + rank if end < 0 else end)


RESHAPE = "newshape: list[-4..]; allowzero: bool = False"
operator("reshape", "data", Reshape, RESHAPE)
operator("contrib_reverse_reshape", "data", ReverseReshape, RESHAPE)
operator(
    "reshape_like",
    "data, shape_like",
    ReshapeLike,
    "lhs_begin: int = 0; lhs_end: integer = None; rhs_begin: int = 0; rhs_end: integer = None",
)
