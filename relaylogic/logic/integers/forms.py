"""Constraints on the same form (the polynomial without its constant, in lowest terms) are one: an interval and gaps.

This is where a divisor that does not fit refutes (2*n - 2*m = 1), where a pair of inequalities becomes an equation or a
contradiction (x < y, y < x), and where what is said twice is said once.
"""

from __future__ import annotations

from collections.abc import Iterable

from .polynomials import Constraint, Monomial, content, normal

__all__ = ["combine"]

Form = tuple[tuple[Monomial, int], ...]


class _Range:
    """What is known of the value of a form."""

    __slots__ = ("gaps", "high", "low")

    def __init__(self) -> None:
        self.low: int | None = None
        self.high: int | None = None
        self.gaps: set[int] = set()

    def at_least(self, value: int) -> None:
        """Raise the low end."""
        self.low = value if self.low is None else max(self.low, value)

    def at_most(self, value: int) -> None:
        """Lower the high end."""
        self.high = value if self.high is None else min(self.high, value)

    def settle(self) -> bool:
        """Move the ends off the gaps; False if nothing is left."""
        while self.low in self.gaps:
            self.low += 1
        while self.high in self.gaps:
            self.high -= 1
        return self.low is None or self.high is None or self.low <= self.high


def _add(relation: str, sign: int, divisor: int, constant: int, known: _Range) -> bool:
    """Use that sign * divisor * form + constant stands in `relation` to 0; False if it cannot."""
    if relation == "<=":
        if sign > 0:
            known.at_most(-constant // divisor)
        else:
            known.at_least(-(-constant // divisor))
        return True
    if constant % divisor:
        return relation == "!="
    value = -sign * (constant // divisor)
    if relation == "=":
        known.at_least(value)
        known.at_most(value)
    else:
        known.gaps.add(value)
    return True


def _holds(relation: str, value: int) -> bool:
    return value == 0 if relation == "=" else (value != 0 if relation == "!=" else value <= 0)


def combine(constraints: Iterable[Constraint]) -> list[Constraint] | None:
    """Equivalent constraints, as few as there are forms and gaps; None if two contradict.

    >>> combine([("<=", {(0,): 2, (): -7}), ("<=", {(0,): -1, (): 3})])
    [('=', {(0,): 1, (): -3})]
    """
    ranges: dict[Form, _Range] = {}
    for relation, stated in constraints:
        poly = normal(stated.items())
        constant = poly.pop((), 0)
        if not poly:
            if not _holds(relation, constant):
                return None
            continue
        divisor = content(poly)
        terms = sorted(poly.items())
        sign = 1 if terms[0][1] > 0 else -1
        form = tuple((monomial, sign * coefficient // divisor) for monomial, coefficient in terms)
        if not _add(relation, sign, divisor, constant, ranges.setdefault(form, _Range())):
            return None
    combined: list[Constraint] = []
    for form, known in ranges.items():
        if not known.settle():
            return None
        combined.extend(_stated(form, known))
    return combined


def _stated(form: Form, known: _Range) -> list[Constraint]:
    low, high = known.low, known.high
    if low is not None and low == high:
        return [("=", normal((*form, ((), -low))))]
    stated: list[Constraint] = []
    if high is not None:
        stated.append(("<=", normal((*form, ((), -high)))))
    if low is not None:
        stated.append(("<=", normal((*((m, -c) for m, c in form), ((), low)))))
    for gap in sorted(known.gaps):
        if (low is None or gap > low) and (high is None or gap < high):
            stated.append(("!=", normal((*form, ((), -gap)))))
    return stated
