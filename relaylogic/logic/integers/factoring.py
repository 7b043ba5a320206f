"""Prime factors and divisors, found with a count of the steps taken, so that a limit can stop the work.

Trial division by the small primes, then Miller-Rabin and Pollard's rho in Brent's form (Cohen, "A Course in
Computational Algebraic Number Theory", 8.2 and 8.5). Primes found once are tried first on the next number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import count
from math import gcd, isqrt

from ..large import long_power

__all__ = ["Factors"]

SMALL = tuple(p for p in range(2, 1000) if all(p % d for d in range(2, isqrt(p) + 1)))
WITNESSES = SMALL[:40]  # proves primality below 3.3e24 (the first 13 do); above that it has never been seen to fail
BATCH = 64
SHORT = 48


def _is_prime(n: int, charge: Callable[[int], None]) -> bool:
    """Miller-Rabin for an odd n without a factor in SMALL."""
    if n < SMALL[-1] ** 2:
        return True
    twos = ((n - 1) & -(n - 1)).bit_length() - 1
    for witness in WITNESSES[: 13 if n < 3 * 10**24 else None]:
        charge(1 + long_power(n.bit_length()))
        x = pow(witness, (n - 1) >> twos, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


class Factors:
    """Factors numbers and lists divisors; remembers both."""

    def __init__(self, charge: Callable[[int], None]) -> None:
        self._charge = charge
        self._large: list[int] = []
        self._divisors: dict[int, list[int]] = {}

    def factor(self, n: int) -> dict[int, int]:
        """The prime factors of n >= 1 with their exponents, in ascending order.

        >>> Factors(lambda steps: None).factor(360)
        {2: 3, 3: 2, 5: 1}
        """
        found: dict[int, int] = {}
        tried = 0
        for p in (*self._large, *SMALL):
            tried += 1
            if p * p > n and p not in self._large:
                break
            while n % p == 0:
                found[p] = found.get(p, 0) + 1
                n //= p
            if n == 1:
                break
        self._charge(tried)
        pending = [n] if n > 1 else []
        while pending:
            part = pending.pop()
            self._charge(1)
            if _is_prime(part, self._charge):
                found[part] = found.get(part, 0) + 1
                if part > SMALL[-1] and part not in self._large:
                    self._large.append(part)
            else:
                divisor = self._rho(part)
                pending += [divisor, part // divisor]
        return dict(sorted(found.items()))

    def _rho(self, n: int) -> int:
        """A proper divisor of a composite n."""
        for offset in count(1):
            divisor = self._cycle(n, offset)
            if divisor != n:
                return divisor
        raise AssertionError

    def _cycle(self, n: int, offset: int) -> int:
        """A divisor > 1 of n, from the cycle of x -> x*x + offset modulo n."""
        y, length = 2, 1
        while True:
            x = y
            for _ in range(length):
                y = (y * y + offset) % n
            done = 0
            while done < length:
                start, product = y, 1
                batch = min(BATCH, length - done)
                self._charge(batch)
                for _ in range(batch):
                    y = (y * y + offset) % n
                    product = product * (x - y) % n
                if gcd(product, n) > 1:
                    return self._first_meeting(x, start, offset, n)
                done += batch
            length *= 2

    def _first_meeting(self, x: int, y: int, offset: int, n: int) -> int:
        while True:
            y = (y * y + offset) % n
            divisor = gcd(x - y, n)
            if divisor > 1:
                return divisor

    def divisors(self, n: int) -> list[int]:
        """The positive divisors of n >= 1, ascending."""
        known = self._divisors.get(n)
        if known is None:
            known = [1]
            for p, exponent in self.factor(n).items():
                powers = [p**e for e in range(exponent + 1)]
                self._charge(len(known) * exponent)
                known = [d * q for q in powers for d in known]
            known.sort()
            self._divisors[n] = known
        return known

    def between(self, n: int, k: int, low: int, high: int) -> Sequence[int]:
        """The x in low..high whose k-th power divides n (n is not 0), ascending."""
        n = abs(n)
        if high - low < SHORT:
            return [x for x in range(low, high + 1) if x and n % x**k == 0]
        divisors = self.divisors(n)
        found = divisors[bisect_left(divisors, low) : bisect_right(divisors, high)]
        if low < 0:
            below = divisors[bisect_left(divisors, -high) : bisect_right(divisors, -low)]
            found = [-d for d in reversed(below)] + found
        return found if k == 1 else [x for x in found if n % x**k == 0]
