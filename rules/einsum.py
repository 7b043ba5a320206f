"""Einsum: sums of products over labelled axes, as in `bij, bjk -> bik`."""

from relaylogic.logic import eq, fail, fresh, fresh_list, is_known, is_unknown, lall, neq, stating
from relaylogic.rulebase import ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import surrounded
from .broadcast import BroadcastShapes
from .joins import folded, tensors_of_one_dtype

ELLIPSIS = "..."


def read_equation(text):
    """The labels of the operands and of the result, or None if the equation is malformed.

    A label is a letter or `...`. Without `->`, the result has the ellipsis and then, in alphabetical order, the labels
    that occur once.
    """
    before, arrow, after = text.partition("->")
    operands = [read_labels(part) for part in before.split(",")]
    if None in operands:
        return None
    if arrow:
        result = read_labels(after)
        return None if result is None else (operands, result)
    labels = [label for operand in operands for label in operand]
    once = sorted(label for label in labels if labels.count(label) == 1 and label != ELLIPSIS)
    return operands, [ELLIPSIS] * (ELLIPSIS in labels) + once


def read_labels(text):
    """The labels of one operand, with spaces between them, or None if there is anything else."""
    front, ellipsis, back = (part.replace(" ", "") for part in text.partition(ELLIPSIS))
    if not all(char.isascii() and char.isalpha() for char in front + back):
        return None
    return [*front, *([ELLIPSIS] if ellipsis else []), *back]


@relation
def SharedExtent(a: ShapeVar, b: ShapeVar, c: ShapeVar):
    """Extents a and b of one label make extent c: 1 stretches; unlike in broadcasting, what meets `?` is `?`."""


@SharedExtent.clause
def equal(a, b, c):
    return lall(is_known(a), eq(a, b), eq(a, c))


@SharedExtent.clause
def left_stretches(a, b, c):
    return lall(eq(a, 1), neq(b, 1), is_known(b), eq(b, c))


@SharedExtent.clause
def right_stretches(a, b, c):
    return lall(eq(b, 1), neq(a, 1), is_known(a), eq(a, c))


@SharedExtent.clause
def left_unknown(a, b, c):
    return lall(is_unknown(a), eq(a, c))


@SharedExtent.clause
def right_unknown(a, b, c):
    return lall(is_unknown(b), is_known(a), eq(b, c))


@relation
def Einsum(data, out, attrs):
    """Axes of one label have one extent; the result has those that the equation keeps."""


@Einsum.clause
def labelled_axes(data, out, attrs):
    equation = read_equation(attrs.equation)
    if equation is None:
        return stating("`equation` labels the axes of operands, ij,jk->ik", fail)
    operands, kept = equation
    labels = {label for operand in operands for label in operand}
    if not labels.issuperset(set(kept) - {ELLIPSIS}):
        return stating("the result has no labels but those of the operands", fail)
    fields, result, dtype = fresh(3)
    parts = tensors_of_one_dtype(fields, dtype, _of_operands, result, attrs.equation)
    return lall(eq(data, Tuple(fields)), eq(out, Tensor(result, dtype)), parts)


def _of_operands(shapes, result, equation):
    operands, kept = read_equation(equation)
    if len(shapes) != len(operands):
        return stating("the equation labels each operand", fail)
    goals, seen = [], {}
    for shape, operand in zip(shapes, operands, strict=True):
        axes = fresh_list(len(operand))
        for axis, label in zip(axes, operand, strict=True):
            seen.setdefault(label, []).append(axis)
        goals.append(stating("each operand has the labelled axes", axes_in(operand, axes, shape)))
    shared = {label: fresh() for label in seen}
    for label, axes in seen.items():
        relate = BroadcastShapes if label == ELLIPSIS else SharedExtent
        goals.append(stating("axes of one label agree", folded(relate, axes, shared[label])))
    shared.setdefault(ELLIPSIS, ())
    return lall(*goals, axes_in(kept, [shared[label] for label in kept], result))


def axes_in(labels, axes, shape):
    """`shape` has the extents `axes`, of which the one labelled `...` is a list of extents."""
    if ELLIPSIS not in labels:
        return eq(shape, tuple(axes))
    at = labels.index(ELLIPSIS)
    return surrounded(tuple(axes[:at]), axes[at], tuple(axes[at + 1 :]), shape)


operator("einsum", "data", Einsum, "equation: str")
