"""Reshape: the same elements in another shape, described by codes, or by the shape of another tensor.

The codes of `newshape`, read from left to right over the extents of the input: n is the extent n; 0 copies an extent
(with `allowzero` it is the extent 0); -1, at most once, is what remains of the elements; -2 copies all extents
that are left; -3 multiplies two; -4, a, b splits one into a and b, one of which may be -1.
"""

from math import prod as product

from relaylogic.logic import (
    agree,
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
    is_seen,
    lall,
    lengtho,
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
from .reshape_codes import WIDTH, least_ranks, read_codes


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
        as_soon(target, codes, _to_rank, source, allowzero),
    )


def _to_rank(target, codes, source, allowzero):
    if is_seen(codes):
        return described(source, target, codes, allowzero)
    return as_soon(source, codes, _between_ranks, target, allowzero)


def _between_ranks(source, codes, target, allowzero):
    if is_seen(codes):
        return described(source, target, codes, allowzero)
    return described_by(source, target, read_codes(codes, allowzero, (len(source), len(target))))


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


def _spliced(source, like, target, attrs):
    span_of_each = (attrs.lhs_begin, attrs.lhs_end, attrs.rhs_begin, attrs.rhs_end)
    if all(map(is_seen, span_of_each)) and span_of_each == (0, None, 0, None):
        return eq(target, like)
    return unroll((source,), _beside, like, target, attrs)


def _beside(extents, like, target, attrs):
    return unroll((like,), _replaced, extents, target, attrs)


def _replaced(others, extents, target, attrs):
    start, stop = span(attrs.lhs_begin, attrs.lhs_end, len(extents))
    first, last = span(attrs.rhs_begin, attrs.rhs_end, len(others))
    if start > len(extents) or stop < 0 or (first < last and (first < 0 or last > len(others))):
        return stating("both tensors have the axes from `begin` to `end`", fail)
    return eq(target, (*extents[: max(start, 0)], *others[first:last], *extents[stop:]))


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
