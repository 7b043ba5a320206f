"""Windows: what convolutions and pools make of an extent, and how their attributes describe a window.

Attributes of windows are lists with an element for each spatial axis; reading them is computation. The
extents of data, window and result are related by goals.
"""

from relaylogic.logic import difference, eq, equals, fail, floordiv, geo, is_whole, lall, plus, stating, times
from relaylogic.types import ANY


def per_axis_values(values, rank, exact=False, least=0):
    """The first `rank` values of a list; None if it has fewer (`exact`: or more), or one known to be below `least`.

    That those that are not known are at least 1 is left to a goal.
    """
    if values is None or len(values) < rank or (exact and len(values) != rank):
        return None
    for value in values[:rank]:
        if value < least if type(value) is int else least == 0 and is_whole(value) and value < 0:
            return None
    return values[:rank]


def padding_list(rank):
    """How a padding is declared that `padding_of_axes` reads."""
    return f"list[{'|'.join(map(str, sorted({1, rank, 2 * rank})))}]"


def padding_of_axes(padding, rank):
    """The padding before and after each axis together, or None.

    One value is for all sides, `rank` values are for both sides of each axis; twice as many are all values
    before, then all values after.
    """
    if padding is None:
        return None
    if len(padding) == 2 * rank:
        return tuple(added(a, b) for a, b in zip(padding[:rank], padding[rank:], strict=True))
    if len(padding) == 1:
        padding = padding * rank
    return tuple(added(a, a) for a in padding) if len(padding) == rank else None


def added(a, b):
    """The sum of two attribute values; `?` if one of them is."""
    return ANY if a is ANY or b is ANY else a + b


def apart(*steps):
    """Goals that each step that is not known is at least 1; those that are known were looked at."""
    return [geo(step, 1) for step in steps if is_whole(step) and type(step) is not int]


def window(extent, size, out, stride=1, dilation=1, padding=0, ceil=False):
    """A window of `size` elements, `dilation` apart, has `out` places, `stride` apart, in a padded `extent`.

    It has elements, and it fits at least once. `ceil`: the last place may reach over the padding.
    """
    if any(type(number) is int and number < 1 for number in (size, stride, dilation)):
        return stating("a window has elements, and they are apart", fail)
    filled = [] if type(size) is int else [geo(size, 1)]
    # From the first element of the first place to that of the last place that fits.
    way = difference(plus(extent, padding, -1), times(plus(size, -1), dilation))
    if type(size) is int and type(dilation) is int and type(padding) is int:
        way = plus(extent, padding - 1 - (size - 1) * dilation)
    if ceil:
        way = plus(way, stride, -1)
    places = equals(out, plus(way if type(stride) is int and stride == 1 else floordiv(way, stride), 1))
    return lall(*filled, *apart(stride, dilation), places, geo(out, 1))


def stretched(extent, size, out, stride=1, dilation=1, padding=0, more=0):
    """`out` is what a transposed window makes of `extent`: where the window has that many places.

    Several extents have that; `more` chooses one.
    """
    if padding is ANY:
        return eq(out, ANY)
    length = plus(times(stride, plus(extent, -1)), times(plus(size, -1), dilation), 1, more)
    return lall(*apart(stride), equals(plus(out, padding), length))
