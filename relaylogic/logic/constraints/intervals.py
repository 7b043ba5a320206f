"""Intervals of arithmetic expressions, and narrowing the variables in them.

HC4 (Benhamou et al., "Revising hull and box consistency", 1999): an expression's interval follows from those of its
variables; an interval demanded of an expression narrows its variables. An end that is None is open.
"""

from __future__ import annotations

from math import inf, isqrt
from typing import Any

from ..states.state import NATURALS
from ..states.work import Work
from ..terms.numbers import Arith, expanded
from ..terms.terms import Symbol
from ..terms.variables import VARIABLES

__all__ = ["Interval", "floor_root", "interval", "narrow"]

Interval = tuple["int | None", "int | None"]
EVERYTHING: Interval = (None, None)


def _plus_ends(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _negated(interval: Interval) -> Interval:
    low, high = interval
    return (None if high is None else -high, None if low is None else -low)


def _product(a: Interval, b: Interval) -> Interval:
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and al >= 0 and bl >= 0:
        high = 0 if 0 in (ah, bh) else (None if ah is None or bh is None else ah * bh)
        return (al * bl, high)
    ends_of_a = (-inf if al is None else al, inf if ah is None else ah)
    ends_of_b = (-inf if bl is None else bl, inf if bh is None else bh)
    corners = [_corner(x, y) for x in ends_of_a for y in ends_of_b]
    least, most = min(corners), max(corners)
    return (least if type(least) is int else None, most if type(most) is int else None)


def _corner(x: int | float, y: int | float) -> int | float:
    """The product of two ends, of which floats are infinite; what is 0 remains so."""
    if type(x) is int and type(y) is int:
        return x * y
    sign = ((x > 0) - (x < 0)) * ((y > 0) - (y < 0))
    return sign * inf if sign else 0


def interval(expression: Any, work: Work) -> Interval:
    """An interval that surely contains the value of `expression`."""
    kind = type(expression)
    if kind in VARIABLES:
        expression = work.walk(expression)
        kind = type(expression)
        if kind in VARIABLES:
            return NATURALS if work.store is None else work.store.bounds.get(expression, NATURALS)
    if kind is int:
        return (expression, expression)
    if kind is not Arith:
        return NATURALS if isinstance(expression, Symbol) else EVERYTHING
    operator, operands = expression.args
    if operator in ("sum", "prod"):
        written_out = expanded(expression, work.bindings)
        return NATURALS if written_out is None else interval(written_out, work)
    if operator == "+":
        low: int | None = 0
        high: int | None = 0
        for operand in operands:
            if type(operand) is int:
                least: int | None = operand
                most: int | None = operand
            else:
                least, most = interval(operand, work)
            low = None if low is None or least is None else low + least
            high = None if high is None or most is None else high + most
        return (low, high)
    parts = [interval(operand, work) for operand in operands]
    if operator == "*":
        result: Interval = (1, 1)
        for part in parts:
            result = _product(result, part)
        return result
    a, b = parts
    if operator == "-":
        minus = _negated(b)
        return (_plus_ends(a[0], minus[0]), _plus_ends(a[1], minus[1]))
    if operator == "min":
        ends = [e for e in (a[1], b[1]) if e is not None]
        return (None if a[0] is None or b[0] is None else min(a[0], b[0]), min(ends) if ends else None)
    if operator == "max":
        ends = [e for e in (a[0], b[0]) if e is not None]
        return (max(ends) if ends else None, None if a[1] is None or b[1] is None else max(a[1], b[1]))
    if operator == "%":
        return _remainders(a, b)
    if b[0] is None or b[0] < 0:
        # Whatever the divisor is, a quotient is no larger than what is divided.
        return EVERYTHING if a[0] is None or a[1] is None else (min(a[0], -a[1]), max(-a[0], a[1]))
    if b[1] == 0:
        return EVERYTHING
    smallest, greatest = max(b[0], 1), b[1]
    low = None if a[0] is None else (a[0] // smallest if a[0] < 0 else (0 if greatest is None else a[0] // greatest))
    high = None if a[1] is None else (a[1] // smallest if a[1] >= 0 else (-1 if greatest is None else a[1] // greatest))
    return (low, high)


def _remainders(a: Interval, b: Interval) -> Interval:
    """Where remainders lie: between 0 and the divisor, whatever its sign; and if that is a natural, none is more than a
    natural that is divided."""
    (low, high), (least, most) = a, b
    is_natural = low is not None and low >= 0
    if is_natural and high is not None and least is not None and least > high:
        return a
    ends = [None if most is None else max(most - 1, 0), high if is_natural else None]
    greatest = min((end for end in ends if end is not None), default=None)
    return (None if least is None else min(least + 1, 0), greatest)


def narrow(expression: Any, low: int | None, high: int | None, work: Work) -> bool:
    """Use that `expression` lies in low..high (None: open end) to narrow its variables; False if it cannot."""
    if low is None and high is None:
        return True
    kind = type(expression)
    if kind in VARIABLES:
        expression = work.walk(expression)
        kind = type(expression)
        if kind in VARIABLES:
            if high is not None and high < 0:
                return False
            return work.narrow(expression, max(low or 0, 0), high)
    if kind is int:
        return (low is None or expression >= low) and (high is None or expression <= high)
    if kind is not Arith:
        return True
    operator, operands = expression.args
    if operator in ("sum", "prod"):
        written_out = expanded(expression, work.bindings)
        return written_out is None or narrow(written_out, low, high, work)
    if operator == "+":
        return _narrow_sum(operands, low, high, work)
    if operator == "-":
        a, b = (interval(operand, work) for operand in operands)
        return narrow(operands[0], _plus_ends(low, b[0]), _plus_ends(high, b[1]), work) and narrow(
            operands[1],
            None if a[0] is None or high is None else a[0] - high,
            None if a[1] is None or low is None else a[1] - low,
            work,
        )
    if operator == "*":
        return _narrow_product(_factors(operands, work), low, high, work)
    a, b = (interval(operand, work) for operand in operands)
    if operator == "//":
        return _narrow_quotient(operands, a, b, low, high, work)
    if operator == "%":
        return _narrow_remainder(operands, a, b, low, high, work)
    if operator == "min":
        if low is not None and not (narrow(operands[0], low, None, work) and narrow(operands[1], low, None, work)):
            return False
        return _narrow_choice(operands, a, b, high, work, lambda end, limit: end[0] is not None and end[0] > limit, 1)
    if operator == "max":
        if high is not None and not (narrow(operands[0], None, high, work) and narrow(operands[1], None, high, work)):
            return False
        return _narrow_choice(operands, a, b, low, work, lambda end, limit: end[1] is not None and end[1] < limit, 0)
    return True


def _narrow_choice(
    operands: Any, a: Interval, b: Interval, limit: int | None, work: Work, misses: Any, side: int
) -> bool:
    """At least one operand of min (max) must reach the limit; if one cannot, the other does."""
    if limit is None:
        return True
    low, high = (None, limit) if side else (limit, None)
    if misses(a, limit):
        return narrow(operands[1], low, high, work)
    if misses(b, limit):
        return narrow(operands[0], low, high, work)
    return True


def _narrow_sum(operands: tuple[Any, ...], low: int | None, high: int | None, work: Work) -> bool:
    parts = [interval(operand, work) for operand in operands]
    open_low = sum(1 for p in parts if p[0] is None)
    open_high = sum(1 for p in parts if p[1] is None)
    all_low = sum(p[0] for p in parts if p[0] is not None)
    all_high = sum(p[1] for p in parts if p[1] is not None)
    for operand, (part_low, part_high) in zip(operands, parts, strict=True):
        if part_low is not None and part_low == part_high:
            continue
        others_low = all_low - (part_low or 0) if open_low == (part_low is None) else None
        others_high = all_high - (part_high or 0) if open_high == (part_high is None) else None
        new_low = None if low is None or others_high is None else low - others_high
        new_high = None if high is None or others_low is None else high - others_low
        if not narrow(operand, new_low, new_high, work):
            return False
    return not (open_low == 0 and high is not None and all_low > high) and not (
        open_high == 0 and low is not None and all_high < low
    )


def _factors(operands: tuple[Any, ...], work: Work) -> list[tuple[Any, int]]:
    """The factors of a product, nested products written out, each with its power."""
    powers: dict[Any, int] = {}
    stack = list(reversed(operands))
    while stack:
        factor = stack.pop()
        if type(factor) is Arith and factor.operator == "*":
            stack.extend(reversed(factor.operands))
            continue
        factor = work.walk(factor)
        powers[factor] = powers.get(factor, 0) + 1
    return list(powers.items())


def floor_root(value: int, power: int) -> int:
    """The greatest natural whose `power` is at most the natural `value`."""
    if power == 1 or value < 2:
        return value
    if power == 2:
        return isqrt(value)
    low, high = 1, 1 << (value.bit_length() // power + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**power <= value:
            low = middle
        else:
            high = middle - 1
    return low


def _power(interval: Interval, power: int) -> Interval:
    result = interval
    for _ in range(power - 1):
        result = _product(result, interval)
    return result


def _narrow_product(factors: list[tuple[Any, int]], low: int | None, high: int | None, work: Work) -> bool:
    parts = [interval(factor, work) for factor, _ in factors]
    signed = [i for i, part in enumerate(parts) if part[0] is None or part[0] < 0]
    if signed:
        place = signed[0]
        factor, power = factors[place]
        if len(signed) > 1 or power > 1:
            return True
        if type(factor) is int:  # the same of its opposite
            opposite = [(-factor, 1) if i == place else other for i, other in enumerate(factors)]
            return _narrow_product(opposite, *_negated((low, high)), work)
        # The others are naturals: it has the sign of the product.
        if high is not None and high < 0:
            others = (other for other, _ in factors if other is not factor)
            return narrow(factor, None, -1, work) and all(narrow(other, 1, None, work) for other in others)
        if low is None or low <= 0:
            return True
        most = parts[place][1]
        if (most is not None and most < 1) or not narrow(factor, 1, None, work):
            return False
        parts[place] = (1, most)
    powers = [_power(part, power) for part, (_, power) in zip(parts, factors, strict=True)]
    count = len(factors)
    before: list[Interval] = [(1, 1)]
    for part in powers[:-1]:
        before.append(_product(before[-1], part))
    after: list[Interval] = [(1, 1)]
    for part in reversed(powers[1:]):
        after.append(_product(after[-1], part))
    for i, (factor, power) in enumerate(factors):
        others_low, others_high = _product(before[i], after[count - 1 - i])
        new_high = None
        if low is not None and low > 0:
            # No factor is 0, so the others are at least 1.
            others_low = max(others_low or 1, 1)
        if high is not None and others_low:
            new_high = floor_root(high // others_low, power) if high >= 0 else -1
        new_low = None
        if low is not None and low > 0:
            if others_high == 0:
                return False
            new_low = 1 if others_high is None else floor_root(-(-low // others_high) - 1, power) + 1
        if parts[i][0] == parts[i][1] and new_low is None and new_high is None:
            continue
        if not narrow(factor, new_low, new_high, work):
            return False
    return True


def _narrow_quotient(operands: Any, a: Interval, b: Interval, low: int | None, high: int | None, work: Work) -> bool:
    if b[0] is None or b[0] < 0:
        return True
    if b[0] == 0 and not narrow(operands[1], 1, None, work):
        return False
    divisor_low, divisor_high = max(b[0], 1), b[1]
    new_low = new_high = None
    if low is not None:
        new_low = low * divisor_low if low >= 0 else (None if divisor_high is None else low * divisor_high)
    if high is not None and divisor_high is not None:
        new_high = (high + 1) * (divisor_high if high >= 0 else divisor_low) - 1
    if not narrow(operands[0], new_low, new_high, work):
        return False
    if low is not None and low > 0 and a[1] is not None:
        return narrow(operands[1], None, a[1] // low, work)
    return True


def _narrow_remainder(operands: Any, a: Interval, b: Interval, low: int | None, high: int | None, work: Work) -> bool:
    """A remainder is less than the divisor, or more than one that is negative; what a natural leaves is no more than
    that. If the divisor is known, the ends of what is divided are moved to the next that leave what is demanded."""
    if b[0] is None or b[0] < 0:
        if low is not None and low > 0:
            return narrow(operands[1], low + 1, None, work)
        return high is None or high >= 0 or narrow(operands[1], None, high - 1, work)
    least = max(low or 0, 0)
    # A greater divisor leaves what is divided, which may be too much.
    greatest = a[1] if a[0] is not None and high is not None and 0 <= high < a[0] else None
    if (high is not None and high < least) or not narrow(operands[1], least + 1, greatest, work):
        return False
    divisor = b[0]
    if divisor < 1 or divisor != b[1]:
        is_natural = a[0] is not None and a[0] >= 0
        return narrow(operands[0], least, None, work) if is_natural and least else True
    most = divisor - 1 if high is None else min(high, divisor - 1)
    return least <= most and narrow(operands[0], *_rounded(a, divisor, least, most), work)


def _rounded(a: Interval, divisor: int, least: int, most: int) -> Interval:
    """The ends of an interval, moved inwards to where the remainder lies in least..most."""
    low, high = a
    if low is not None:
        left = low % divisor
        low += least - left if left < least else 0 if left <= most else divisor - left + least
    if high is not None:
        left = high % divisor
        high -= left - most if left > most else 0 if left >= least else left + divisor - most
    return low, high
