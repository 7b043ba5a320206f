"""Layouts: how the axes of a tensor are ordered and blocked in memory, as in NCHW, NHWC, NCHW4c, OIHW16i16o.

A capital letter is a primal axis; a lower-case one, with its factor before it, is a block of that axis: in
NCHW4c, C counts blocks of 4 channels. Reading a layout is computation on an attribute; what relates the
shapes of one tensor in two layouts is a goal, `relaid`.
"""

from functools import lru_cache
from math import gcd, prod

from relaylogic.logic import agree, ceildiv, eq, equals, fail, fresh, fresh_list, lall, plus, stating, times
from relaylogic.types import TensorType as Tensor


@lru_cache(maxsize=4096)
def axes_of(layout):
    """The axes of a layout in order, as (letter, factor), 0 for a primal axis; None if it is malformed.

    >>> axes_of("NCHW4c")
    (('N', 0), ('C', 0), ('H', 0), ('W', 0), ('c', 4))
    """
    axes, factor = [], 0
    for letter in layout:
        if "0" <= letter <= "9":
            factor = factor * 10 + int(letter)
        elif "A" <= letter <= "Z" and factor == 0:
            axes.append((letter, 0))
        elif "a" <= letter <= "z" and factor > 0:
            axes.append((letter, factor))
            factor = 0
        else:
            return None
    letters = {letter for letter, _ in axes}
    return tuple(axes) if all(letter.upper() in letters for letter in letters) else None


def position(layout, letter):
    """Where the primal axis `letter` stands in the layout, or None if it does not, or is blocked."""
    axes = axes_of(layout) or ()
    if any(other == letter.lower() for other, _ in axes):
        return None
    return next((i for i, (other, _) in enumerate(axes) if other == letter), None)


def convertible(layout, other):
    """Whether both layouts are well-formed and have the same primal axes."""
    mine, theirs = axes_of(layout), axes_of(other)
    if not mine or not theirs:
        return False
    return {letter for letter, factor in mine if not factor} == {letter for letter, factor in theirs if not factor}


def block(axes, letter):
    """The product of the factors of a primal axis, 1 if it is not blocked."""
    return prod(factor for other, factor in axes if other == letter.lower())


def relaid(shape, layout, result, target):
    """`result` is the shape, in layout `target`, of the tensor that has `shape` in `layout`.

    Where the blocks of `target` do not divide an extent, the last block is filled up. A block of `shape` that
    is `?` is taken for its factor.
    """
    if not convertible(layout, target):
        return stating(f"layout {layout or 'of no axes'} can be converted to {target}", fail)
    source, goal = axes_of(layout), axes_of(target)
    permuted = len(source) == len(goal) and not any(factor for _, factor in source + goal)
    made = result if type(result) is tuple and len(result) == len(goal) else fresh_list(len(goal))
    goals = [] if made is result else [eq(result, made)]
    fits = f"the shape has the axes of {layout}"
    if permuted and len({letter for letter, _ in source}) == len(source):
        return lall(*goals, stating(fits, eq(shape, tuple(made[goal.index(axis)] for axis in source))))
    given = fresh_list(len(source))
    goals.append(stating(fits, eq(shape, given)))
    for extent, (letter, factor) in zip(given, source, strict=True):
        if factor:
            goals.append(stating(f"a block of {letter.upper()} has {factor} elements", agree(extent, factor)))
    for extent, (letter, factor) in zip(made, goal, strict=True):
        if factor:
            goals.append(eq(extent, factor))
        else:
            parts = [part for part, (other, _) in zip(given, source, strict=True) if other == letter]
            goals.append(reblocked(parts, block(source, letter), extent, block(goal, letter)))
    return lall(*goals)


def reblocked(parts, merged, extent, split):
    """`extent` blocks of `split` elements hold the `parts`, which count blocks of `merged` elements."""
    common = gcd(split, merged)
    split, merged = split // common, merged // common
    whole = parts[0] if len(parts) == 1 else plus(*parts)
    if split == merged == 1 == len(parts):
        return eq(extent, whole)
    if merged != 1:
        whole = times(whole, merged)
    return equals(extent, whole if split == 1 else ceildiv(whole, split))


def read_as(tensor, layout, extents, plain, dtype):
    """`tensor`, which is in `layout`, has `extents` in the layout `plain`."""
    shape = fresh()
    return lall(eq(tensor, Tensor(shape, dtype)), relaid(shape, layout, extents, plain))


def laid_out(extents, plain, tensor, layout, dtype):
    """`tensor` is in `layout` and holds what has `extents` in the layout `plain`."""
    shape = fresh()
    return lall(eq(tensor, Tensor(shape, dtype)), relaid(extents, plain, shape, layout))
