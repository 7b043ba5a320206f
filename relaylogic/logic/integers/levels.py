"""A search compiled: per variable one function for its values and one for the state that a value leads to.

The functions work on plain integers; `residual` says what a state is, `emit` writes the text. All bounds are finite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd, isqrt
from types import CodeType
from typing import Any, NamedTuple

from .emit import Coefficient, Emitter, Sum, function
from .factoring import Factors
from .hull import Bounds, reach
from .intervals import ceil_root, floor_root
from .polynomials import Constraint
from .residual import Quantity, Residual, Residuals, Split, ends

__all__ = ["START", "Level", "State", "compile_levels"]

State = Any  # an integer, or a tuple of integers
START: State = ()
CHUNK = 256


class Level(NamedTuple):
    """One variable of a search, after those of the levels before.

    `values(state)` are its possible values, ascending; `step(state, value)` is the state at the next level. Where
    `indifferent`, that state is the same for every value.
    """

    values: Callable[[State], Iterable[int]]
    step: Callable[[State, int], State]
    indifferent: bool


def first_at_least_0(f: Callable[[int], int], low: int, high: int) -> int:
    """The least x in low..high with f(x) >= 0, or high + 1, for an f that does not fall."""
    while low <= high:
        middle = (low + high) // 2
        if f(middle) >= 0:
            high = middle - 1
        else:
            low = middle + 1
    return low


def last_at_most_0(f: Callable[[int], int], low: int, high: int) -> int:
    """The greatest x in low..high with f(x) <= 0, or low - 1, for an f that does not fall."""
    while low <= high:
        middle = (low + high) // 2
        if f(middle) <= 0:
            low = middle + 1
        else:
            high = middle - 1
    return high


def _spread(charge: Callable[[int], None]) -> Callable[[int, int, int], Iterator[int]]:
    """The numbers from low to high by steps, charged for as they come."""

    def spread(low: int, high: int, step: int) -> Iterator[int]:
        while low <= high:
            charge(CHUNK)
            end = low + CHUNK * step
            yield from range(low, min(high + 1, end), step)
            low = end

    return spread


class _Compiler:
    def __init__(self, constraints: Sequence[Constraint], bounds: Bounds) -> None:
        self.residuals = Residuals(constraints, bounds)
        self.bounds = bounds

    def values(self, name: str, variable: int) -> str:
        """The text of `values` for the next variable."""
        emitter = Emitter(self.bounds[variable])
        divisions: list[tuple[int, Sum, Sum]] = []
        for residual in self.residuals.users(variable):
            residual.wake(variable)
            split = residual.split(variable)
            groups = self._groups(residual, split)
            emitter.constrain(residual.relation, groups, len(residual.open) == 1)
            if residual.relation == "=" and len(residual.open) > 1:
                self._congruence(residual, split, emitter)
                if not residual.idle:
                    divisions += self._division(split, groups)
        if divisions:
            emitter.divide(*divisions[0])
        return emitter.text(name, range(len(self.residuals.slots)))

    def _groups(self, residual: Residual, split: Split) -> dict[int, Coefficient]:
        """The coefficients of the powers of the next variable."""
        groups = {0: Coefficient()}
        if residual.idle:
            groups[0].add(Quantity(0, None, 1), (1, 1), (residual.idle_low, residual.idle_high))
        for exponent, rest, known in split:
            open_ends = ends(reach({rest: 1}, self.bounds)) if rest else None
            groups.setdefault(exponent, Coefficient()).add(self.residuals.quantity(known), known.within, open_ends)
        return groups

    def _congruence(self, residual: Residual, split: Split, emitter: Emitter) -> None:
        """What the open variables add is a multiple of the divisor of their coefficients, if these are numbers, or of
        the only one, if it is known by then."""
        modulus = gcd(*residual.idle.values())
        groups: dict[int, Coefficient] = {0: Coefficient()}
        unknown: list[Quantity] = []
        for exponent, rest, known in split:
            if not rest:
                groups.setdefault(exponent, Coefficient()).add(self.residuals.quantity(known), (0, 0), None)
            elif not known.key:
                modulus = gcd(modulus, known.constant)
            elif exponent:
                return
            else:
                unknown.append(self.residuals.quantity(known))
        if not unknown:
            if modulus > 1:
                emitter.congruent(modulus, groups)
        elif len(unknown) == 1 and not modulus:
            quantity = Sum()
            quantity.add(unknown[0], 1)
            emitter.multiple_of(quantity, groups)

    def _division(self, split: Split, groups: dict[int, Coefficient]) -> Iterator[tuple[int, Sum, Sum]]:
        """If x is in every term that has an open variable, it divides the rest of the constraint."""
        if not groups[0].exact or all(not rest for _, rest, _ in split):
            return
        quantity = Sum()
        products = [known for exponent, _, known in split if exponent]
        if len(products) == 1:
            quantity.add(self.residuals.quantity(products[0]), 1)
        else:
            quantity.constant = 1
        yield (min(k for k in groups if k), quantity, groups[0].low)

    def step(self, name: str, variable: int) -> tuple[str, bool]:
        """The text of `step` for the next variable, which is known from then on; whether it makes no difference."""
        slots = range(len(self.residuals.slots))
        sources = self.residuals.learn(variable)
        texts = [_step_text(parts) for parts in sources]
        lines = [f"return {texts[0] if len(texts) == 1 else '(' + ', '.join(texts) + ')'}"]
        return (function(name, "s, x", slots, lines), all(k == 0 for parts in sources for k, _ in parts))


def _step_text(parts: list[tuple[int, Quantity]]) -> str:
    total = Sum()
    for exponent, quantity in parts:
        if exponent == 0:
            total.add(quantity, 1)
            continue
        factor = Sum()
        factor.add(quantity, 1)
        power = "x" if exponent == 1 else ("x*x" if exponent == 2 else f"x**{exponent}")
        if factor.known is None:
            total.add_text(f"{factor}*{power}")
        else:
            total.add_text(power, factor.constant)
    return str(total)


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Generated text as code; the same small systems come again and again."""
    return compile(text, "<integers>", "exec")


def compile_levels(
    variables: Sequence[int],
    constraints: Sequence[Constraint],
    bounds: Bounds,
    charge: Callable[[int], None],
) -> list[Level]:
    """The levels of a search that gives values to all `variables` of `constraints`, in this order."""
    compiler = _Compiler(constraints, bounds)
    texts: list[str] = []
    indifferent: list[bool] = []
    for depth, variable in enumerate(variables):
        charge(1)
        texts.append(compiler.values(f"values{depth}", variable))
        text, same = compiler.step(f"step{depth}", variable)
        texts.append(text)
        indifferent.append(same)
    names: dict[str, Any] = {
        "ceil_root": ceil_root,
        "divisors": Factors(charge).between,
        "first_at_least_0": first_at_least_0,
        "floor_root": floor_root,
        "isqrt": isqrt,
        "last_at_most_0": last_at_most_0,
        "spread": _spread(charge),
    }
    exec(_code("".join(texts)), names)
    return [Level(names[f"values{d}"], names[f"step{d}"], same) for d, same in enumerate(indifferent)]
