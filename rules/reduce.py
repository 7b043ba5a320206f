"""Reductions: some axes of a tensor are folded into one number each, and kept as 1 or left out."""

from relaylogic.logic import agree, cons, eq, fail, fresh, fresh_list, is_seen, lall, mapo, neq, stating, unroll
from relaylogic.rulebase import Shape, ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import FAR, has_axes, normal_axes, on_axes


def reduced_axes(attrs, rank):
    """The set of axes to reduce, or None if one of those named does not exist.

    No axis named means all of them, whatever `exclude` says; an axis named twice counts once.
    """
    if not attrs.axis:
        return set(range(rank))
    named = normal_axes(attrs.axis, rank)
    if named is None:
        return None
    return set(range(rank)) - set(named) if attrs.exclude else set(named)


def number_of_named_axes(attrs):
    """How many axes are named in a tensor of any rank, or None if that depends on the rank."""
    if not is_seen(attrs.axis):
        return None
    same_end = len({axis < 0 for axis in attrs.axis}) == 1
    return len(set(attrs.axis)) if same_end else None


def is_all_but_few(attrs):
    """Whether axes are reduced, or may be, that are not named."""
    return not is_seen(attrs.only("axis", "exclude")) or not attrs.axis or attrs.exclude


def axes_exist(shape, attrs):
    """The premise that `shape` has the axes that are named."""
    return stating("every axis to reduce exists", has_axes(shape, attrs.listed("axis")))


@relation
def ReducedShape(shape: Shape, result: Shape, attrs):
    """`result` is `shape` with the axes to reduce kept as 1, or left out."""


@ReducedShape.clause
def kept_as_one(shape, result, attrs):
    if not attrs.keepdims:
        return fail
    if is_all_but_few(attrs):
        return lall(axes_exist(shape, attrs), unroll((shape, result), _kept_as_one, attrs))
    return lall(axes_exist(shape, attrs), on_axes(shape, result, attrs.axis, _kept_as_one, attrs))


def _kept_as_one(before, after, attrs):
    reduced = reduced_axes(attrs, len(before))
    if reduced is None:
        return fail
    return lall(*(eq(b, 1 if i in reduced else a) for i, (a, b) in enumerate(zip(before, after))))


@ReducedShape.clause
def all_left_out(shape, result, attrs):
    return fail if attrs.keepdims or attrs.axis else eq(result, ())


@ReducedShape.clause
def some_left_out(shape, result, attrs):
    if attrs.keepdims or not attrs.axis:
        return fail
    count = number_of_named_axes(attrs)
    if count is None:
        by_rank = unroll((shape,), _left_out, attrs, within=(result,))
    elif attrs.exclude:
        by_rank = _few_left(shape, result, count, attrs)
    else:
        by_rank = on_axes(shape, result, attrs.axis, _left_out, attrs, fewer=count)
    return lall(axes_exist(shape, attrs), by_rank)


def _few_left(shape, result, count, attrs):
    """The axes that are named are left, `count` of them; those that are counted from the front need no rank."""
    axes = sorted(set(attrs.axis))
    if not 0 <= axes[0] <= axes[-1] < FAR:
        return lall(eq(result, fresh_list(count)), unroll((shape,), _left_out, attrs, within=(result,)))
    front = fresh_list(axes[-1] + 1)
    return lall(eq(shape, cons(front, fresh())), eq(result, tuple(front[axis] for axis in axes)))


def _left_out(before, after, attrs):
    reduced = reduced_axes(attrs, len(before))
    return fail if reduced is None else eq(after, tuple(a for i, a in enumerate(before) if i not in reduced))


@relation
def Reduce(data, out, attrs):
    """Fold the axes to reduce; the elements keep their dtype."""


@Reduce.clause
def folded(data, out, attrs):
    shape, result, dtype = fresh(3)
    return lall(eq(data, Tensor(shape, dtype)), eq(out, Tensor(result, dtype)), ReducedShape(shape, result, attrs))


@relation
def ArgReduce(data, out, attrs):
    """The positions, as int32, of what is looked for along the axes to reduce, of which there is at least one."""


@ArgReduce.clause
def positions(data, out, attrs):
    first, more, result = fresh(3)
    shape = cons(first, more)
    return lall(
        stating("the data is a tensor with at least one axis", eq(data, Tensor(shape, fresh()))),
        eq(out, Tensor(result, "int32")),
        ReducedShape(shape, result, attrs),
    )


@relation
def StretchesTo(extent: ShapeVar, target: ShapeVar):
    """An operand of this extent is broadcast to the target's without changing that."""


@StretchesTo.clause
def one(extent, target):
    return eq(extent, 1)


@StretchesTo.clause
def already_there(extent, target):
    return lall(neq(extent, 1), agree(extent, target))


@relation
def Variance(data, mean, out, attrs):
    """Fold the squared distances of the data from a mean, which is broadcast to the data's shape and has its rank."""


@Variance.clause
def distances_folded(data, mean, out, attrs):
    first, more, mean_shape, result, dtype = fresh(5)
    shape = cons(first, more)
    return lall(
        stating("the data is a tensor with at least one axis", eq(data, Tensor(shape, dtype))),
        eq(mean, Tensor(mean_shape, fresh())),
        eq(out, Tensor(result, dtype)),
        ReducedShape(shape, result, attrs),
        stating("the mean is broadcast to the data", mapo(StretchesTo, mean_shape, shape)),
    )


REDUCED = "axis: list[axes] = None; keepdims: bool = False; exclude: bool = False"
POSITION = "axis: list[axes] = None; keepdims: bool = False; select_last_index: bool = False; exclude: bool = False"

for name in ["all", "any", "max", "mean", "min", "prod", "sum"]:
    operator(name, "data", Reduce, REDUCED)
for name in ("argmax", "argmin"):
    operator(name, "data", ArgReduce, POSITION)
operator("variance", "data, mean", Variance, f"{REDUCED}; unbiased: bool = False")
