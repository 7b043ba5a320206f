"""Expressions over the numbers that a program leaves open, in normal form: what is one expression is one number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.terms import numbers
from ...logic.terms.numbers import FOLDS, UNKNOWN, Arith, is_number
from ...logic.terms.rebuilding import instantiate, reify_term
from ...logic.terms.terms import Slot, Symbol, walk
from ...logic.terms.variables import VARIABLES, fresh

__all__ = ["Expressions", "OpenNumber", "sides_of", "variable_of"]


class OpenNumber(Symbol):
    """A number that stays open, as a symbol: its place among all."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"n{self.args[0]}"

    __repr__ = __str__


class Expressions:
    """Expressions over the open variables of a program as normal numbers, each worked out once; `computed` are those
    that were worked out for programs before, of numbers by their places.

    As long as sites are solved, `same` tells which of the numbers that they make known are one expression.
    """

    def __init__(self, bindings: Mapping[Any, Any], computed: MutableMapping[Any, Any]) -> None:
        self.bindings = bindings
        self._computed = computed
        self.variables: dict[Any, Any] = {}  # by symbol
        self._symbols: dict[Any, Any] = {}
        self._leaves: dict[Any, tuple[Any, ...]] = {}
        self._numbers: dict[Any, Any] = {}
        self._values: dict[Any, Any] = {}
        self._named: dict[Any, Any] = {}
        self._differences: dict[Any, Any] = {}

    def symbol(self, variable: Any) -> Any:
        """The symbol of an open variable."""
        found = self._symbols.get(variable)
        if found is None:
            found = self._symbols[variable] = OpenNumber(len(self._symbols) + 1)
            self.variables[found] = variable
        return found

    def number(self, expression: Any, slots: dict[int, Any], value: Callable[[Any], Any]) -> Any:
        """An expression over slots and variables as a normal number; None if it is none (a list in it is open).

        `value` says what a variable is.
        """
        kind = type(expression)
        if kind is int:
            return expression
        if kind is Slot or kind in VARIABLES:
            known = value(variable_of(expression, slots))
            return known if is_number(known) else None
        if kind is not Arith or expression.ground:
            return expression if is_number(expression) else None
        leaves = self._leaves.get(expression)
        if leaves is None:
            leaves = self._leaves[expression] = _leaves_of(expression)
        if not leaves:
            return self._worked_out(expression, slots, value)
        # Calls repeat their expressions, and often their extents.
        values = tuple([value(variable_of(leaf, slots)) for leaf in leaves])
        key = (expression, values)
        if key not in self._numbers:
            self._numbers[key] = self._worked_out(expression, slots, value)
        return self._numbers[key]

    def _worked_out(self, expression: Any, slots: dict[int, Any], value: Callable[[Any], Any]) -> Any:
        operator, operands = expression.args
        if operator in FOLDS:
            items = reify_term(instantiate(operands[0], slots), self.bindings)
            if type(items) is not tuple:
                return None
            operands = items
        values = tuple([self.number(operand, slots, value) for operand in operands])
        if None in values:
            return None
        key = (operator, values)
        computed = self._computed.get(key)
        if computed is None:
            try:
                computed = Arith.assemble((operator, (values,) if operator in FOLDS else values))
            except (ZeroDivisionError, TypeError):
                return None
            self._computed[key] = computed
        return computed if is_number(computed) else None

    def difference(self, left: Any, right: Any) -> Any:
        """right - left; None if that is not known before run time."""
        if left is None or right is None or left is UNKNOWN or right is UNKNOWN:
            return None
        if left is right:
            return 0
        found = self._differences.get((left, right))
        if found is None:
            found = self._differences[left, right] = numbers.add(right, numbers.mul(-1, left))
        return found

    def same(self, constraints: Iterable[Any], slots: dict[int, Any], known: int) -> Iterator[tuple[Any, Any]]:
        """Which variables are one, as new constraints tell: those of slots from `known` on, and older ones."""
        for constraint in constraints:
            if type(constraint) is not Compare or constraint.args[0] != "=":
                continue
            _, left, right = constraint.args
            if type(left) is not Slot or left.args[0] < known:
                left, right = right, left
            if type(left) is not Slot or left.args[0] < known:
                continue
            variable = walk(variable_of(left, slots), self.bindings)
            if type(variable) not in VARIABLES:
                continue
            number = self.number(right, slots, self._value)
            if number is None:
                continue
            self._values[variable] = number
            older = self.variables.get(number) or self._named.setdefault(number, variable)
            if older is not variable and type(walk(older, self.bindings)) in VARIABLES:
                yield variable, older

    def known(self, variable: Any) -> Any:
        """What is known of an open variable: a number over symbols, its own one perhaps; None if nothing is."""
        return self._values.get(variable) or self._symbols.get(variable)

    def _value(self, variable: Any) -> Any:
        known = walk(variable, self.bindings)
        if type(known) not in VARIABLES:
            return known
        return self._values.get(known) or self.symbol(known)


def variable_of(term: Any, slots: dict[int, Any]) -> Any:
    """The variable that a slot stands for; other terms stand for themselves."""
    if type(term) is not Slot:
        return term
    (index,) = term.args
    if index not in slots:
        slots[index] = fresh()
    return slots[index]


def _leaves_of(expression: Any) -> tuple[Any, ...]:
    """The slots and variables of an expression; none if a list occurs in it, which may be open."""
    found: dict[Any, None] = {}
    stack = [expression]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if type(item) is Arith and id(item) not in seen:
            seen.add(id(item))
            if item.args[0] in FOLDS:
                return ()
            stack.extend(reversed(item.args[1]))
        elif type(item) in (Slot, *VARIABLES):
            found[item] = None
    return tuple(found)


def sides_of(gap: Any) -> tuple[Any, Any]:
    """A number that is 0 as an equation between two with positive coefficients."""
    left: Any = 0
    right: Any = 0
    for atoms, coefficient in numbers.monomials(gap):
        product: Any = abs(coefficient)
        for atom in atoms:
            product = numbers.mul(product, atom)
        if coefficient < 0:
            left = numbers.add(left, product)
        else:
            right = numbers.add(right, product)
    return left, right
