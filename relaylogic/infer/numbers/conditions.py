"""What the equations and conditions that are left of extents allow: forced values, conditions that imply others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.intervals import interval
from ...logic.control import UNLIMITED, Budget, Search, StepLimit
from ...logic.states.state import State
from ...logic.states.work import Work
from ...logic.terms import numbers
from ...logic.terms.numbers import Arith, is_fold, substitute, symbols_of
from ...logic.terms.ranges import is_natural
from ...logic.terms.terms import Symbol, Term, variables_of, walk
from ...logic.terms.variables import VARIABLES, fresh
from .expressions import OpenNumber, sides_of
from .extents import Extents

__all__ = ["SAMPLES", "extents_in", "follow", "forced", "has_sample", "implied"]

SAMPLES = (1, 2, 3, 4, 6, 7, 8, 16, 32, 64, 128, 224, 256, 512, 1024)
"""Extents that are tried for all numbers at once before anything is searched."""
MOST_SOLUTIONS = 64
"""Of equations with fewer solutions than that, all are looked at for what they have in common,"""
MOST_TRIED = 4096
"""if there are at most so many choices of numbers within their bounds."""
STEPS = 20_000


def forced(extents: Extents) -> dict[Any, int] | None:
    """The numbers that the equations which are left allow one value only, by symbol; None if they allow none at all."""
    variables: dict[Any, Any] = {}
    equations = dict.fromkeys(number for _, number in extents.left)
    posed = [Compare.make(("=", _over_variables(number, variables), 0)) for number in equations]
    for number in dict.fromkeys(number for _, number in extents.conditions):
        if all(symbol in variables for symbol in numbers.symbols_of(number)):
            posed.append(Compare.make(("<=", 0, _over_variables(number, variables))))
    work = _numbers(STEPS)
    if not all(work.post(constraint) for constraint in posed):
        return None
    state = work.finish()
    if state is None:
        return None
    open_ones = [s for s in variables if type(walk(variables[s], state.bindings)) in VARIABLES]
    found = {s: walk(v, state.bindings) for s, v in variables.items() if s not in open_ones}
    from ...logic.constraints.systems import system_of  # most programs leave no equations

    try:
        return _in_common(system_of(state, [variables[symbol] for symbol in open_ones]), open_ones, found)
    except StepLimit:
        return found


def _in_common(system: Any, open_ones: list[Any], found: dict[Any, int]) -> dict[Any, int] | None:
    """What all solutions of a system agree on, beyond what is `found`; None if there are none."""
    if system is None or not open_ones:
        return found
    if not system.narrow():
        return None
    limits = system.bounds[: len(open_ones)]
    found |= {s: low for s, (low, high) in zip(open_ones, limits, strict=True) if low == high}
    if not system.finite or prod(high - low + 1 for low, high in limits) > MOST_TRIED:
        return found
    solutions = list(islice(system, MOST_SOLUTIONS))
    if len(solutions) == MOST_SOLUTIONS:
        return found
    if not solutions:
        return None
    columns = zip(open_ones, zip(*solutions, strict=True), strict=True)
    return found | {symbol: seen[0] for symbol, seen in columns if min(seen) == max(seen)}


def implied(extents: Extents) -> tuple[dict[Any, list[Any]], Any]:
    """A few conditions that imply all, together with the equations that are left, by their sources.

    The second result is the source of a condition that can never hold, or None.
    """
    first: dict[Any, Any] = {}
    for source, number in extents.conditions:
        first.setdefault(number, source)
    variables: dict[Any, Any] = {}
    posed = [(number, _over_variables(number, variables)) for number in first]
    bounds = _bounds_of(extents.left, variables) if extents.left else {}
    givers: dict[Any, Any] = {}
    box = _numbers()
    for variable, limits in bounds.items():
        box.narrow(variable, *limits)
    for number, expression in posed:
        lowest = interval(expression, box)[0]
        if lowest is not None and lowest >= 0:
            continue  # it holds within the bounds that others give, so it gives none that is closer
        work = _numbers()
        if not work.post(Compare.make(("<=", 0, expression))) or not work.run():
            return {}, first[number]
        for variable in variables_of(expression):
            low, high = interval(variable, work)
            known_low, known_high = bounds.get(variable, (0, None))
            if low is not None and low > known_low:
                known_low = low
                givers[variable, "low"] = number
            if high is not None and (known_high is None or high < known_high):
                known_high = high
                givers[variable, "high"] = number
            if known_high is not None and known_low > known_high:
                return {}, first[number]
            bounds[variable] = known_low, known_high
            box.narrow(variable, known_low, known_high)
    needed = set(map(id, givers.values()))
    kept: dict[Any, list[Any]] = {}
    for number, expression in posed:
        lowest = interval(expression, box)[0]
        if id(number) in needed or lowest is None or lowest < 0:
            kept.setdefault(first[number], []).append(number)
    return kept, None


def follow(residue: Sequence[Any], naturals: Iterable[Any]) -> bool:
    """Whether what is left of an answer says only that numbers are natural which are, if some others are."""
    if not residue:
        return True
    known = dict.fromkeys(naturals)
    said: list[tuple[Any, Any]] = []
    for constraint in residue:
        if type(constraint) is not Compare or constraint.relation != "<=" or variables_of(constraint):
            return False
        number = numbers.add(constraint.right, numbers.mul(-1, constraint.left))
        if number not in known:
            said.append((constraint, number))
    if not said:
        return True
    needed, impossible = implied(Extents(conditions=[*((None, number) for number in known), *said]))
    return impossible is None and all(source is None for source in needed)


def extents_in(terms: tuple[Any, ...], seen: set[int] | None = None) -> Iterator[Any]:
    """The extents over type parameters that occur in some terms and may be negative; in none that was `seen`."""
    seen = set() if seen is None else seen
    stack: list[Any] = list(reversed(terms))
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(reversed(item))
        elif isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            if type(item) is not Arith:
                stack.extend(reversed(item.args))
            elif item.ground and symbols_of(item) and not is_natural(item):
                yield item


def _bounds_of(equations: list[tuple[Any, Any]], variables: dict[Any, Any]) -> dict[Any, tuple[int, int | None]]:
    """Between what equations keep the variables of a few symbols; nothing if they have no solution."""
    known = set(variables)
    work = _numbers(STEPS)
    for number in dict.fromkeys(number for _, number in equations):
        if known.intersection(symbols_of(number)):
            work.post(Compare.make(("=", *(_over_variables(side, variables) for side in sides_of(number)))))
    try:
        found = work.run()
    except StepLimit:
        found = False
    bounds: dict[Any, tuple[int, int | None]] = {}
    for symbol in known if found else ():
        low, high = interval(variables[symbol], work)
        bounds[variables[symbol]] = low or 0, high
    return bounds


def _numbers(steps: int = UNLIMITED) -> Work:
    """A state to propagate constraints in, of numbers that are integers."""
    return Work(State({}, None, Search(Budget(steps), gradual=False)))


def _over_variables(number: Any, variables: dict[Any, Any]) -> Any:
    """A normal number with a variable for each symbol, and for what those of a list are together."""
    if isinstance(number, Symbol) or is_fold(number):
        if number not in variables:
            variables[number] = fresh()
        return variables[number]
    if type(number) is not Arith:
        return number
    operands = tuple([_over_variables(operand, variables) for operand in number.operands])
    return Arith.draft((number.operator, operands))


def has_sample(extents: Extents) -> bool:
    """Whether some plain choice of numbers satisfies the equations and conditions that are left of solved extents."""
    left = [number for _, number in extents.left]
    conditions = list(dict.fromkeys(number for _, number in extents.conditions))
    if not left and not conditions:
        return True
    symbols = {s for number in (*left, *conditions) for s in symbols_of(number)}
    if not all(type(symbol) is OpenNumber for symbol in symbols):
        return False  # of a rigid extent nothing can be chosen
    for value in SAMPLES:
        chosen = dict.fromkeys(symbols, value)
        if all(substitute(n, chosen) == 0 for n in left) and all(_holds(substitute(n, chosen)) for n in conditions):
            return True
    return False


def _holds(number: Any) -> bool:
    return type(number) is int and number >= 0
