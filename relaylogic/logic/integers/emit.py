"""Source text of one level of a search: which values a variable may have, given the slots.

For each constraint the text narrows `lo` and `hi`, or adds a condition on `x` where bounds cannot say it all. A
constraint reads C * x^k + C0 (one power of x) or a polynomial in x; where open variables occur in a coefficient, it is
an interval, computed from the slots and the (fixed) bounds of the open variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from .intervals import Interval
from .residual import Quantity

__all__ = ["Coefficient", "Emitter", "Sum", "literal"]

DECIMAL_BITS = 1000
MOST_TERMS = 50


def literal(n: int) -> str:
    """Source text of an integer of any size."""
    return str(n) if n.bit_length() < DECIMAL_BITS else hex(n)


class Sum:
    """Source text of an integer combination of slots and other texts, built up."""

    __slots__ = ("constant", "extra", "slots")

    def __init__(self, constant: int = 0) -> None:
        self.constant = constant
        self.slots: dict[int, int] = {}
        self.extra: dict[str, int] = {}

    def add(self, quantity: Quantity, factor: int) -> None:
        """Add factor * quantity."""
        self.constant += factor * quantity.constant
        if quantity.slot is not None:
            self.slots[quantity.slot] = self.slots.get(quantity.slot, 0) + factor * quantity.scale

    def add_text(self, text: str, factor: int = 1) -> None:
        """Add factor * text."""
        self.extra[text] = self.extra.get(text, 0) + factor

    def __neg__(self) -> Sum:
        result = Sum(-self.constant)
        result.slots = {slot: -c for slot, c in self.slots.items()}
        result.extra = {text: -c for text, c in self.extra.items()}
        return result

    @property
    def known(self) -> int | None:
        """The value, if it is known when the text is written."""
        return None if self.extra or any(self.slots.values()) else self.constant

    def __str__(self) -> str:
        terms = [(f"s{slot}", c) for slot, c in self.slots.items() if c] + list(self.extra.items())
        if len(terms) > MOST_TERMS:  # the parser of Python nests one level per `+`
            each = ", ".join(f"{literal(c)}*{name}" for name, c in terms)
            return f"({literal(self.constant)} + sum(({each})))"
        text = ""
        for name, c in terms:
            size = name if abs(c) == 1 else f"{literal(abs(c))}*{name}"
            text += (" - " if text else "-") + size if c < 0 else (" + " if text else "") + size
        if not text:
            return f"({literal(self.constant)})"
        if self.constant:
            text += f" {'-' if self.constant < 0 else '+'} {literal(abs(self.constant))}"
        return f"({text})"


class Coefficient:
    """The coefficient of a power of x: texts for its ends, whether they agree, and ends known beforehand."""

    def __init__(self) -> None:
        self.low = Sum()
        self.high = Sum()
        self.exact = True
        self.least = 0
        self.most = 0

    def add(self, quantity: Quantity, known: tuple[int, int], rest: tuple[int, int] | None) -> None:
        """Add quantity * (an open value in `rest`, or 1 if that is None); the quantity's value is in `known`."""
        a, b = rest or (1, 1)
        corners = (known[0] * a, known[0] * b, known[1] * a, known[1] * b)
        self.least += min(corners)
        self.most += max(corners)
        if rest is not None:
            self.exact = False
        if a == b or known[0] >= 0:
            self.low.add(quantity, a)
            self.high.add(quantity, b)
        elif known[1] <= 0:
            self.low.add(quantity, b)
            self.high.add(quantity, a)
        else:
            value = Sum()
            value.add(quantity, 1)
            ends = f"{value} * {literal(a)}, {value} * {literal(b)}"
            self.low.add_text(f"min({ends})")
            self.high.add_text(f"max({ends})")

    def __neg__(self) -> Coefficient:
        result = Coefficient()
        result.low, result.high, result.exact = -self.high, -self.low, self.exact
        result.least, result.most = -self.most, -self.least
        return result


Groups = dict[int, Coefficient]


class Stride(NamedTuple):
    """The values of x are so far from each other, `start` among them; that is what `condition` says."""

    length: int
    start: str
    condition: str


class Emitter:
    """The text of one level: lines that narrow `lo` and `hi`, and conditions on `x`."""

    def __init__(self, bounds: Interval) -> None:
        low, high = bounds
        assert low is not None and high is not None
        self.low = low
        self.lines = [f"lo = {literal(low)}", f"hi = {literal(high)}"]
        self.conditions: list[str] = []
        self.strides: list[Stride] = []
        self.steps: list[tuple[str, str]] = []  # how far from each other the values are, and one of them, as texts

    def constrain(self, relation: str, groups: Groups, last: bool) -> None:
        """Use one constraint; `last` says that x is its last open variable, so nothing may be left unsaid."""
        powers = [k for k in groups if k]
        if relation == "!=":
            if last:
                self.conditions.append(f"{_value(groups, 'low')} != 0")
            return
        if len(powers) == 1 and self._one_power(relation, powers[0], groups[powers[0]], groups[0]):
            return
        if self.low >= 0 and all(groups[k].least >= 0 for k in powers):
            self._growing(relation, groups)
        elif self.low >= 0 and relation == "=" and all(groups[k].most <= 0 for k in powers):
            self._growing(relation, {k: -c for k, c in groups.items()})
        elif last:
            self.conditions.append(f"{_value(groups, 'low')} {'==' if relation == '=' else '<='} 0")
        elif self.low >= 0 or all(groups[k].exact for k in powers):
            self.conditions.append(f"{_value(groups, 'low')} <= 0")
            if relation == "=":
                self.conditions.append(f"{_value(groups, 'high')} >= 0")

    def _one_power(self, relation: str, k: int, factor: Coefficient, rest: Coefficient) -> bool:
        """Use factor * x^k + rest in `relation` to 0; False if this room cannot."""
        if self.low < 0 and not (k == 1 and factor.exact):
            return False
        equal = relation == "="
        if factor.least >= 0:
            self._between("", k, factor, -rest.high if equal else None, -rest.low)
        elif factor.most <= 0:
            self._between("", k, -factor, rest.low, rest.high if equal else None)
        elif factor.exact:
            self.lines.append(f"if {factor.low} >= 0:")
            self._between("    ", k, factor, -rest.high if equal else None, -rest.low)
            self.lines.append("else:")
            self._between("    ", k, -factor, rest.low, rest.high if equal else None)
        else:
            return False
        return True

    def _between(self, indent: str, k: int, factor: Coefficient, least: Sum | None, most: Sum | None) -> None:
        """Narrow by least <= factor * x^k <= most, where factor >= 0."""
        body: list[str] = []
        if factor.exact:
            body += _at_most(k, factor.low, most) + _at_least(k, factor.low, least)
            if factor.low.known is None and factor.least <= 0:
                misses = " or ".join(
                    [f"{end} {sign} 0" for end, sign in ((least, ">"), (most, "<")) if end is not None]
                )
                body = [f"if {factor.low}:", *("    " + line for line in body), f"elif {misses}:", "    return ()"]
        else:
            if most is not None:
                body += [f"if {most} < 0:", "    return ()"]
                if factor.most > 0 and factor.low.known != 0:
                    body.append(f"if {factor.low} > 0:")
                    body += ["    " + line for line in _at_most(k, factor.low, most)]
            if least is not None:
                body.append(f"if {least} > 0:")
                body += [f"    if {factor.high} <= 0:", "        return ()"]
                body += ["    " + line for line in _at_least(k, factor.high, least)]
        self.lines += [indent + line for line in body]

    def _growing(self, relation: str, groups: Groups) -> None:
        """Narrow by bisection: the constraint's value does not fall as x >= 0 grows."""
        self.lines.append(f"hi = last_at_most_0(lambda x: {_value(groups, 'low')}, lo, hi)")
        if relation == "=":
            self.lines.append(f"lo = first_at_least_0(lambda x: {_value(groups, 'high')}, lo, hi)")

    def divide(self, k: int, quantity: Sum, constant: Sum) -> None:
        """Use that quantity * x^k * (something open) + constant = 0: x^k divides what is left of the constant."""
        self.lines += [f"n = {constant}", "if n:"]
        if quantity.known not in (1, -1):
            self.lines += [f"    q = {quantity}", "    if not q or n % q:", "        return ()", "    n //= q"]
        condition = " and ".join([*self.conditions, *(stride.condition for stride in self.strides)])
        chosen = f"[x for x in divisors(n, {k}, lo, hi) if {condition}]" if condition else f"divisors(n, {k}, lo, hi)"
        self.lines.append(f"    return {chosen}")

    def congruent(self, modulus: int, groups: Groups) -> None:
        """Use that the part of the constraint in known variables and x is a multiple of `modulus`."""
        condition = f"{_value(groups, 'low')} % {literal(modulus)} == 0"
        factor = groups[1].low.known if groups.keys() == {0, 1} else None
        if not factor:
            self.conditions.append(condition)
            return
        common, rest = gcd(factor, modulus), groups[0].low
        stride = modulus // common
        if common > 1:
            self.lines += [f"if {rest} % {literal(common)}:", "    return ()"]
        inverse = pow(factor // common, -1, stride)
        self.strides.append(Stride(stride, f"-({rest} // {literal(common)}) * {literal(inverse)}", condition))

    def multiple_of(self, quantity: Sum, groups: Groups) -> None:
        """Use that the part of the constraint in known variables and x is a multiple of a quantity, if x stands there
        alone."""
        if groups.keys() == {0, 1} and groups[1].low.known in (1, -1):
            rest = groups[0].low if groups[1].low.known == -1 else -groups[0].low
            self.steps.append((str(quantity), str(rest)))

    def text(self, name: str, slots: Sequence[int]) -> str:
        """The function `name` from a state to the values of x in ascending order."""
        lines = [*self.lines]
        longest, *others = sorted(self.strides, reverse=True) or [Stride(1, "", "")]
        step = literal(longest.length)
        if longest.length > 1:
            lines.append(f"lo += ({longest.start} - lo) % {step}")
        elif self.steps:
            quantity, start = self.steps[0]
            lines += [f"d = abs({quantity}) or 1", f"lo += ({start} - lo) % d"]
            step = "d"
        conditions = [*self.conditions, *(stride.condition for stride in others)]
        if conditions:
            condition = " and ".join(conditions)
            lines += [
                f"if hi - lo < {LAZY} * {step}:",
                f"    return [x for x in range(lo, hi + 1, {step}) if {condition}]",
                f"return (x for x in spread(lo, hi, {step}) if {condition})",
            ]
        else:
            lines.append(f"return range(lo, hi + 1, {step})")
        return function(name, "s", slots, lines)


LAZY = 64


def function(name: str, parameters: str, slots: Sequence[int], lines: Sequence[str]) -> str:
    """A function on a state `s`: the bare slot if there is one, else a tuple."""
    if len(slots) == 1:
        parameters = parameters.replace("s", "s0", 1)
    elif slots:
        lines = [", ".join(f"s{slot}" for slot in slots) + " = s", *lines]
    return "\n    ".join([f"def {name}({parameters}):", *lines]) + "\n"


def _value(groups: Groups, end: str) -> str:
    """Horner's scheme for the low or high ends of the coefficients."""
    powers = sorted(groups, reverse=True)
    text = str(getattr(groups[powers[0]], end))
    for k, lower in pairwise(powers):
        text = f"({text} * x{f'**{k - lower}' if k - lower > 1 else ''} + {getattr(groups[lower], end)})"
    return text


def _at_most(k: int, factor: Sum, most: Sum | None) -> list[str]:
    if most is None:
        return []
    lines = [f"t = {most}" if factor.known == 1 else f"t = {most} // {factor}"]
    if k > 1:
        lines += ["if t < 0:", "    return ()", "t = isqrt(t)" if k == 2 else f"t = floor_root(t, {k})"]
    return [*lines, "if t < hi:", "    hi = t"]


def _at_least(k: int, factor: Sum, least: Sum | None) -> list[str]:
    if least is None:
        return []
    lines = [f"t = {least}" if factor.known == 1 else f"t = -({-least} // {factor})"]
    if k == 2:
        lines.append("t = isqrt(t - 1) + 1 if t > 0 else 0")
    elif k > 2:
        lines.append(f"t = ceil_root(t, {k})")
    return [*lines, "if t > lo:", "    lo = t"]
