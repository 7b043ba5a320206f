"""Products and quotients of integers so large that they take long: what they cost is charged before they are computed.

Python computes them in one go that nobody can stop. The estimates are CPython's on a slow machine: Karatsuba's method
for products, the school's for quotients and greatest common divisors.
"""

from __future__ import annotations

from ..host.governor import foresee
from .control import StepLimit

__all__ = [
    "DECIMAL_BITS",
    "LARGE",
    "LONGEST",
    "long_division",
    "long_power",
    "product_of",
    "quotient_of",
    "remainder_of",
    "shown",
]

LARGE = 1 << 16_384
"""What is smaller takes no time worth counting."""

DECIMAL_BITS = 14_000
"""A number of so many bits is written in hexadecimal."""

LONGEST = 1 << 23
"""So many bits a product may have, whatever the limits are."""


def shown(number: int) -> str:
    """An integer in decimals, or as `0x...` if it has thousands of digits, which Python does not write."""
    return str(number) if number.bit_length() < DECIMAL_BITS else hex(number)


def product_of(a: int, b: int) -> int:
    """a * b. Raises StepLimit if it has more bits than LONGEST, Stopped."""
    if a > LARGE or a < -LARGE:
        shorter, longer = sorted((a.bit_length(), b.bit_length()))
        if shorter + longer > LONGEST:
            raise StepLimit
        foresee(6e-9 * (shorter / 30) ** 0.585 * (longer / 30), (shorter + longer) // 7)
    return a * b


def quotient_of(a: int, b: int) -> int:
    """a // b of b other than 0. Raises Stopped."""
    if a > LARGE or a < -LARGE:
        long_division(a.bit_length(), b.bit_length())
    return a // b


def remainder_of(a: int, b: int) -> int:
    """a % b of b other than 0. Raises Stopped."""
    if a > LARGE or a < -LARGE:
        long_division(a.bit_length(), b.bit_length())
    return a % b


def long_division(dividend: int, divisor: int) -> None:
    """Numbers of so many bits are about to be divided, or their common divisor is looked for. Raises Stopped."""
    foresee(2e-9 * (divisor / 30) * (max(dividend - divisor, divisor) / 30), dividend // 7)


def long_power(bits: int) -> int:
    """A power modulo a number of so many bits is about to be computed; its cost in steps. Raises Stopped."""
    foresee(2.5e-9 * (bits / 30) ** 2 * bits, 0)
    return bits**3 >> 22
