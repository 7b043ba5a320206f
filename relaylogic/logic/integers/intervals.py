"""Integer intervals whose ends may be open (None), with the operations that bounds propagation needs.

Every result is the least interval of integers that contains all results on members, but for `quotient`, which solves
x * divisor = target and is the hull of the solutions.
"""

from __future__ import annotations

from math import isqrt

__all__ = ["EVERYTHING", "Interval", "ceil_root", "floor_root", "power", "quotient", "times", "within_root"]

Interval = tuple["int | None", "int | None"]
EVERYTHING: Interval = (None, None)
# An end as (sign of infinity or 0, value): these compare as the ends do.
_End = tuple[int, int]


def floor_root(n: int, k: int) -> int:
    """The greatest r with r**k <= n, for n >= 0.

    >>> floor_root(26, 3), floor_root(27, 3)
    (2, 3)
    """
    if k == 1 or n < 2:
        return n
    if k == 2:
        return isqrt(n)
    root = 1 << -(-n.bit_length() // k)
    while True:
        better = ((k - 1) * root + n // root ** (k - 1)) // k
        if better >= root:
            return root
        root = better


def ceil_root(n: int, k: int) -> int:
    """The least r >= 0 with r**k >= n."""
    return floor_root(n - 1, k) + 1 if n > 0 else 0


def _corner(a: int | None, side_a: int, b: int | None, side_b: int) -> _End:
    if a == 0 or b == 0:
        return (0, 0)
    if a is not None and b is not None:
        return (0, a * b)
    negative = (side_a if a is None else a) < 0
    return (-1 if negative != ((side_b if b is None else b) < 0) else 1, 0)


def times(a: Interval, b: Interval) -> Interval:
    """The products of members of `a` and `b`."""
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and ah is not None and bh is not None:
        if al >= 0 and bl >= 0:
            return (al * bl, ah * bh)
        corners = (al * bl, al * bh, ah * bl, ah * bh)
        return (min(corners), max(corners))
    ends = (_corner(al, -1, bl, -1), _corner(al, -1, bh, 1), _corner(ah, 1, bl, -1), _corner(ah, 1, bh, 1))
    low, high = min(ends), max(ends)
    return (None if low[0] else low[1], None if high[0] else high[1])


def power(a: Interval, k: int) -> Interval:
    """The k-th powers of members of `a`, k >= 1."""
    low, high = a
    if k == 1:
        return a
    if k % 2 or (low is not None and low >= 0):
        return (None if low is None else low**k, None if high is None else high**k)
    if high is not None and high <= 0:
        return (high**k, None if low is None else low**k)
    return (0, None if low is None or high is None else max(-low, high) ** k)


def _over(target: Interval, least: int, most: int | None) -> Interval:
    """The hull of the x with x * d in `target` for some d in least..most, least >= 1 (it may be empty)."""
    low, high = target
    if low is not None:
        low = -(-low // least) if low < 0 else (-(-low // most) if most is not None else min(low, 1))
    if high is not None:
        high = high // least if high >= 0 else (high // most if most is not None else -1)
    return (low, high)


def quotient(target: Interval, divisor: Interval) -> Interval | None:
    """The hull of the x with x * d in `target` for some d in `divisor`; None if there are none."""
    (low, high), (dl, dh) = target, divisor
    if (low is None or low <= 0) and (high is None or high >= 0):
        if (dl is None or dl <= 0) and (dh is None or dh >= 0):
            return EVERYTHING
    found: list[Interval] = []
    if dh is None or dh > 0:
        found.append(_over(target, 1 if dl is None else max(dl, 1), dh))
    if dl is None or dl < 0:
        mirrored = (None if high is None else -high, None if low is None else -low)
        found.append(_over(mirrored, 1 if dh is None else max(-dh, 1), None if dl is None else -dl))
    found = [(a, b) for a, b in found if a is None or b is None or a <= b]
    if not found:
        return None
    lows = [a for a, _ in found if a is not None]
    highs = [b for _, b in found if b is not None]
    return (
        min(lows) if len(lows) == len(found) else None,
        max(highs) if len(highs) == len(found) else None,
    )


def _signed_root(n: int, k: int, up: bool) -> int:
    if n < 0:
        return -(floor_root(-n, k) if up else ceil_root(-n, k))
    return ceil_root(n, k) if up else floor_root(n, k)


def within_root(x: Interval, target: Interval, k: int) -> Interval | None:
    """The part of `x` whose k-th powers are in `target` (its hull); None if there is none."""
    (xl, xh), (low, high) = x, target
    if k % 2:
        least = None if low is None else _signed_root(low, k, True)
        most = None if high is None else _signed_root(high, k, False)
    else:
        if high is not None and high < 0:
            return None
        most = None if high is None else floor_root(high, k)
        least = None if most is None else -most
        nearest = 0 if low is None else ceil_root(low, k)
        if xl is not None and xl > -nearest:
            least = nearest
        if xh is not None and xh < nearest:
            most = -nearest
    if least is not None and (xl is None or least > xl):
        xl = least
    if most is not None and (xh is None or most < xh):
        xh = most
    return None if xl is not None and xh is not None and xl > xh else (xl, xh)
