"""Broadcasting: element-wise operators on two or three tensors, their shapes aligned at the last dimension."""

from relaylogic.logic import (
    appendo,
    cons,
    eq,
    fresh,
    is_known,
    is_rigid,
    is_unknown,
    lall,
    mapo,
    neq,
    same_lengtho,
    stating,
)
from relaylogic.rulebase import Shape, ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor


@relation
def BroadcastDim(a: ShapeVar, b: ShapeVar, c: ShapeVar):
    """Extents a and b of two tensors give extent c: 1 stretches, `?` is taken to fit."""


@BroadcastDim.clause
def equal(a, b, c):
    return lall(eq(a, b), eq(a, c))


@BroadcastDim.clause
def left_stretches(a, b, c):
    return lall(eq(a, 1), neq(b, 1), eq(b, c))


@BroadcastDim.clause
def right_stretches(a, b, c):
    return lall(eq(b, 1), neq(a, 1), eq(a, c))


@BroadcastDim.clause
def left_unknown(a, b, c):
    return lall(is_unknown(a), is_known(b), neq(b, 1), eq(b, c))


@BroadcastDim.clause
def right_unknown(a, b, c):
    return lall(is_unknown(b), is_known(a), neq(a, 1), eq(a, c))


@relation
def BroadcastShapes(a: Shape, b: Shape, c: Shape):
    """Shapes a and b broadcast to shape c; the shorter one is aligned at the right."""


@BroadcastShapes.clause
def same_rank(a, b, c):
    return mapo(BroadcastDim, a, b, c)


@BroadcastShapes.clause
def left_shorter(a, b, c):
    lead, more, b_rest, c_rest = fresh(4)
    front = cons(lead, more)
    return lall(
        same_lengtho(a, b_rest, c_rest),
        appendo(front, b_rest, b),
        appendo(front, c_rest, c),
        mapo(BroadcastDim, a, b_rest, c_rest),
    )


@BroadcastShapes.clause
def right_shorter(a, b, c):
    lead, more, a_rest, c_rest = fresh(4)
    front = cons(lead, more)
    return lall(
        same_lengtho(b, a_rest, c_rest),
        appendo(front, a_rest, a),
        appendo(front, c_rest, c),
        mapo(BroadcastDim, a_rest, b, c_rest),
    )


@BroadcastShapes.clause
def scalar_with_rigid_shape(a, b, c):
    return lall(is_rigid(b), eq(a, ()), eq(b, c))


@BroadcastShapes.clause
def rigid_shape_with_scalar(a, b, c):
    return lall(is_rigid(a), eq(b, ()), eq(a, c))


BroadcastShapes.from_the_end(BroadcastDim)


@relation
def StretchDim(a: ShapeVar, b: ShapeVar):
    """Extent a is b, or 1, which stretches to it; `?` is taken to fit."""


@StretchDim.clause
def it_is_that(a, b):
    return eq(a, b)


@StretchDim.clause
def one_stretches(a, b):
    return lall(eq(a, 1), neq(b, 1))


@StretchDim.clause
def unknown_fits(a, b):
    return lall(is_unknown(a), is_known(b))


@StretchDim.clause
def fits_unknown(a, b):
    return lall(is_unknown(b), is_known(a), neq(a, 1))


@relation
def StretchShape(a: Shape, b: Shape):
    """Shape a broadcasts to shape b, which stays what it is; the shorter one is aligned at the right."""


@StretchShape.clause
def of_one_rank(a, b):
    return mapo(StretchDim, a, b)


@StretchShape.clause
def of_less_rank(a, b):
    lead, more, rest = fresh(3)
    return lall(appendo(cons(lead, more), rest, b), same_lengtho(a, rest), mapo(StretchDim, a, rest))


@StretchShape.clause
def scalar_to_rigid_shape(a, b):
    return lall(is_rigid(b), eq(a, ()))


@relation
def Broadcast(lhs, rhs, out):
    """Tensors of one dtype; the result's shape is the broadcast of theirs."""


@Broadcast.clause
def tensors(lhs, rhs, out):
    a, b, c, dtype = fresh(4)
    return lall(
        eq(lhs, Tensor(a, dtype)),
        eq(out, Tensor(c, dtype)),
        stating("both operands have one dtype", eq(rhs, Tensor(b, dtype))),
        stating("the shapes broadcast", BroadcastShapes(a, b, c)),
    )


for name in [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "trunc_divide",
    "mod",
    "floor_mod",
    "trunc_mod",
    "power",
    "maximum",
    "minimum",
    "left_shift",
    "right_shift",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
]:
    operator(name, "lhs, rhs", Broadcast)


@relation
def Comparison(lhs, rhs, out):
    """Tensors of one dtype; the result is bool in the broadcast of their shapes."""


@Comparison.clause
def bool_of_tensors(lhs, rhs, out):
    a, b, c, dtype = fresh(4)
    return lall(
        eq(lhs, Tensor(a, dtype)),
        eq(out, Tensor(c, "bool")),
        stating("both operands have one dtype", eq(rhs, Tensor(b, dtype))),
        stating("the shapes broadcast", BroadcastShapes(a, b, c)),
    )


for name in ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]:
    operator(name, "lhs, rhs", Comparison)


@relation
def Where(condition, x, y, out):
    """x and y, of one dtype, are broadcast together, then with the condition (of any dtype)."""


@Where.clause
def choice_of_tensors(condition, x, y, out):
    chosen, a, b, both, c, dtype = fresh(6)
    return lall(
        eq(condition, Tensor(chosen, fresh())),
        eq(x, Tensor(a, dtype)),
        eq(out, Tensor(c, dtype)),
        stating("x and y have one dtype", eq(y, Tensor(b, dtype))),
        stating("x and y broadcast", BroadcastShapes(a, b, both)),
        stating("the condition broadcasts with them", BroadcastShapes(chosen, both, c)),
    )


operator("where", "condition, x, y", Where)
