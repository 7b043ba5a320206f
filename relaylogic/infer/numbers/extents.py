"""Extents as algebra: what undecided call sites say of numbers, in solved form.

A site with one answer says equations and comparisons of numbers (`m = (n - 1) // 2 + 1`, `1 <= n`). Those of many sites
are solved together: each number is an expression over as few independent numbers as possible, preferably those of the
inputs, in normal form; numbers that are the same expression are the same number. What cannot be solved for one number
is left over: an equation between expressions, or a condition that an expression is not negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.equations import is_polynomial
from ...logic.constraints.gradual import Agree, Follows
from ...logic.terms import numbers
from ...logic.terms.numbers import UNKNOWN, monomials
from ...logic.terms.terms import walk
from ...logic.terms.variables import VARIABLES
from .expressions import Expressions, OpenNumber, variable_of

__all__ = ["Extents", "Said", "Unsolvable"]


class Unsolvable(Exception):
    """Equations without a solution: the `source` of the one that shows it, and that one as it has become."""

    def __init__(self, source: Any, equation: str) -> None:
        super().__init__(equation)
        self.source = source
        self.equation = equation


Said = tuple[Any, Any, dict[int, Any]]
"""A source, a constraint that it states, and the variables that the slots in that stand for (others are hidden)."""
_Equation = tuple[Any, Any, Any, dict[int, Any]]


@dataclass
class Extents:
    """The solved form of some equations.

    `values` maps variables to normal numbers over the symbols of the independent ones; `symbols` says which these are.
    `left` are the equations (an expression that is 0) and `conditions` the expressions that are not negative, each with
    its source; `other` are sources that say what is no arithmetic.
    """

    values: dict[Any, Any] = field(default_factory=dict)
    symbols: dict[Any, Any] = field(default_factory=dict)
    left: list[tuple[Any, Any]] = field(default_factory=list)
    conditions: list[tuple[Any, Any]] = field(default_factory=list)
    other: dict[Any, None] = field(default_factory=dict)

    @classmethod
    def solve(cls, said: Iterable[Said], classes: Mapping[Any, int], memory: Expressions) -> Extents:
        """Solve what sources say.

        `classes` ranks variables: one of a class is expressed by those of lower classes; a variable that it does not
        name comes after all. Raises Unsolvable.
        """
        made = cls()
        solver = _Solver(made, classes, memory)
        pending: list[_Equation] = []
        later: list[_Equation] = []
        compared: list[_Equation] = []
        for source, constraint, slots in said:
            equations = _equations(constraint)
            if equations is not None:
                for a, b in equations:
                    is_plain = is_polynomial(a) and is_polynomial(b)
                    (pending if is_plain else later).append((source, a, b, slots))
            elif type(constraint) is Compare and constraint.args[0] == "<=":
                compared.append((source, constraint.args[1], constraint.args[2], slots))
            else:
                made.other[source] = None
        # That k is n // 2 says less than that n is 2 * k: what divides comes when nothing else can be solved.
        while True:
            waiting = [item for item in pending if not solver.take(item)]
            is_stuck = len(waiting) == len(pending)
            pending = waiting
            if is_stuck and later:
                pending, later = pending + later, []
            elif is_stuck and not any(map(solver.divide, pending)):
                break
        for items, found in ((pending, made.left), (compared, made.conditions)):
            for item in items:
                gap = solver.gap(item)
                if gap is None:
                    made.other[item[0]] = None
                elif gap != 0:
                    found.append((item[0], gap))
        made.conditions.extend((source, solver.normal(number)) for source, number in solver.natural)
        made.conditions = [(s, c) for s, c in made.conditions if not _never_negative(c)]
        return made

    def same(self) -> Iterable[tuple[Any, Any]]:
        """What turned out to be known, and which variables are one: pairs of terms to unify."""
        first: dict[Any, Any] = {symbol: variable for variable, symbol in self.symbols.items()}
        for variable, value in self.values.items():
            if type(value) is int:
                yield variable, value
                continue
            other = first.setdefault(value, variable)
            if other is not variable:
                yield variable, other


def _equations(constraint: Any) -> list[tuple[Any, Any]] | None:
    """What a constraint says of numbers that are not `?`, as equations; None if it is something else.

    A number that stays open is not taken to be `?`: then numbers that agree are equal.
    """
    kind = type(constraint)
    if kind is Compare:
        relation, left, right = constraint.args
        return [(left, right)] if relation == "=" else None
    if kind is Agree:
        mode, left, right, result = constraint.args
        return [(left, right)] if mode == "agree" else [(left, right), (result, left)]
    if kind is Follows:
        term, source, _ = constraint.args
        return [(term, source)]
    return None


class _Solver:
    """Takes equations one by one."""

    def __init__(self, made: Extents, classes: Mapping[Any, int], memory: Expressions) -> None:
        self.made = made
        self.classes = classes
        self.memory = memory
        self.bindings = memory.bindings
        self.natural: list[tuple[Any, Any]] = []
        self._variables = memory.variables
        self._users: dict[Any, dict[Any, None]] = {}  # the variables whose values mention a symbol
        self._last = max(classes.values(), default=0) + 1

    def value(self, variable: Any) -> Any:
        """The number that a variable stands for."""
        known = walk(variable, self.bindings)
        if type(known) not in VARIABLES:
            return known
        value = self.made.values.get(known)
        if value is None:
            value = self.made.symbols.get(known)
            if value is None:
                value = self.made.symbols[known] = self.memory.symbol(known)
        return value

    def number(self, expression: Any, slots: dict[int, Any]) -> Any:
        """An expression over slots and variables as a normal number; None if it is none (a list in it is open)."""
        return self.memory.number(expression, slots, self.value)

    def normal(self, number: Any) -> Any:
        """A number over symbols, some of which have got values since."""
        replacement = {
            symbol: self.made.values[self._variables[symbol]]
            for symbol in numbers.symbols_of(number)
            if self._variables.get(symbol) in self.made.values
        }
        return numbers.substitute(number, replacement) if replacement else number

    def gap(self, equation: _Equation) -> Any:
        """b - a of an equation a = b; None if that is no number, or not known before run time."""
        _, a, b, slots = equation
        return self.memory.difference(self.number(a, slots), self.number(b, slots))

    def take(self, equation: _Equation) -> bool:
        """Solve an equation for a number; false if that cannot be done (yet)."""
        source, a, b, slots = equation
        left, right = self.number(a, slots), self.number(b, slots)
        if left is right and left is not None:
            return True
        for name, value in ((left, right), (right, left)):
            if type(name) is OpenNumber and self._is_over_lower(value, name):
                self._define(self._variables[name], name, value, source)
                if type(value) is not int:
                    self.natural.append((source, value))
                return True
        gap = self.memory.difference(left, right)
        if gap is None:
            return self._named(a, b, slots)
        if gap == 0:
            return True
        if type(gap) is int:
            raise Unsolvable(source, f"{numbers.show_number(left)} = {numbers.show_number(right)}")
        chosen = self._chosen(gap)
        if chosen is None:
            return False
        symbol, coefficient = chosen
        rest = numbers.add(gap, numbers.mul(-coefficient, symbol))
        value = numbers.exact_quotient(numbers.mul(-1, rest), coefficient)
        if value is None or (type(value) is int and value < 0):
            if type(rest) is int:
                raise Unsolvable(source, f"{numbers.show_number(gap)} = 0")
            return False
        self._define(self._variables[symbol], symbol, value, source)
        if type(value) is not int:
            self.natural.append((source, value))
        return True

    def divide(self, equation: _Equation) -> bool:
        """Let an equation 3 * k = n say that k is n // 3, which leaves 3 * (n // 3) = n of it; false if it does not."""
        gap = self.gap(equation)
        chosen = None if gap is None or type(gap) is int else self._highest(gap)
        if chosen is None:
            return False
        symbol, coefficient = chosen
        rest = numbers.mul(-1 if coefficient > 0 else 1, numbers.add(gap, numbers.mul(-coefficient, symbol)))
        value = numbers.quotient(rest, abs(coefficient))
        self._define(self._variables[symbol], symbol, value, equation[0])
        self.natural.append((equation[0], value))
        return True

    def _highest(self, gap: Any) -> tuple[Any, int] | None:
        """The symbol of a higher class than all others, with its coefficient, if it occurs nowhere but there."""
        terms = monomials(gap)
        symbols = numbers.symbols_of(gap)
        ranked = {s: self._rank(s)[0] for s in symbols if s in self._variables}
        level = max(ranked.values(), default=0)
        highest = [symbol for symbol, rank in ranked.items() if rank == level]
        if len(highest) != 1 or len(symbols) < 2:
            return None
        (symbol,) = highest
        within = [atoms for atoms, _ in terms if any(symbol in numbers.symbols_of(atom) for atom in atoms)]
        return (symbol, dict(terms)[(symbol,)]) if within == [(symbol,)] else None

    def _is_over_lower(self, value: Any, name: Any) -> bool:
        """Whether a number is one over symbols that come before a symbol."""
        if type(value) is int:
            return value >= 0
        if value is None or value is UNKNOWN:
            return False
        rank = self._rank(name)
        return all(s not in self._variables or self._rank(s) < rank for s in numbers.symbols_of(value))

    def _named(self, a: Any, b: Any, slots: dict[int, Any]) -> bool:
        """Two variables that are no numbers (dtypes, or what nothing is known of) are one."""
        return walk(variable_of(a, slots), self.bindings) is walk(variable_of(b, slots), self.bindings)

    def _chosen(self, gap: Any) -> tuple[Any, int] | None:
        """The symbol to solve for, with its coefficient: the one that is expressed by others soonest."""
        terms = monomials(gap)
        mentioned: dict[Any, int] = {}
        for atoms, _ in terms:
            for symbol in {s for atom in atoms for s in numbers.symbols_of(atom)}:
                mentioned[symbol] = mentioned.get(symbol, 0) + 1
        alone = len(terms) == 1 or (len(terms) == 2 and any(not atoms for atoms, _ in terms))
        best: tuple[Any, int] | None = None
        for atoms, coefficient in terms:
            if len(atoms) != 1 or atoms[0] not in self._variables or mentioned[atoms[0]] > 1:
                continue
            if abs(coefficient) != 1 and not alone:
                continue
            if best is None or self._rank(atoms[0]) > self._rank(best[0]):
                best = atoms[0], coefficient
        if best is None:
            return None
        level = self._rank(best[0])[0]
        others = (s for s in mentioned if s in self._variables and s is not best[0])
        return None if any(self._rank(s)[0] > level for s in others) else best

    def _rank(self, symbol: Any) -> tuple[int, int]:
        return self.classes.get(self._variables[symbol], self._last), int(symbol.args[0])

    def _define(self, variable: Any, symbol: Any, value: Any, source: Any) -> None:
        made = self.made
        del made.symbols[variable]
        for other in self._users.pop(symbol, ()):
            known = made.values[other]
            new = numbers.substitute(known, {symbol: value})
            if new is None:
                raise Unsolvable(source, f"{numbers.show_number(known)} divides by 0")
            self._keep(other, new)
        self._keep(variable, value)

    def _keep(self, variable: Any, value: Any) -> None:
        self.made.values[variable] = value
        for symbol in numbers.symbols_of(value) if type(value) is not int else ():
            self._users.setdefault(symbol, {})[variable] = None


def _never_negative(number: Any) -> bool:
    lowest = numbers.least(number)
    return lowest is not None and lowest >= 0
