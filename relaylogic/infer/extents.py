"""Extents as algebra: what undecided call sites say of numbers, in solved form.

A site with one answer says equations and comparisons of numbers (`m = (n - 1) // 2 + 1`, `1 <= n`). Those of many sites
are solved together: each number is an expression over as few independent numbers as possible, preferably those of the
inputs, in normal form; numbers that are the same expression are the same number. What cannot be solved for one number
is left over: an equation between expressions, or a condition that an expression is not negative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import prod
from typing import Any

from unification import Var

from ..logic import numbers
from ..logic.compare import Compare
from ..logic.control import UNLIMITED, Budget, Search, StepLimit
from ..logic.gradual import Agree, Follows
from ..logic.intervals import interval
from ..logic.numbers import FOLDS, UNKNOWN, Arith, is_number, monomials
from ..logic.state import State, Work
from ..logic.systems import system_of
from ..logic.terms import Slot, Symbol, fresh, instantiate, reify_term, variables_of, walk

__all__ = ["Expressions", "Extents", "OpenNumber", "Unsolvable", "forced", "implied"]

MOST_SOLUTIONS = 64
"""Of equations with fewer solutions than that, all are looked at for what they have in common,"""
MOST_TRIED = 4096
"""if there are at most so many choices of numbers within their bounds."""
STEPS = 20_000


class Unsolvable(Exception):
    """Equations without a solution: the `source` of the one that shows it, and that one as it has become."""

    def __init__(self, source: Any, equation: str) -> None:
        super().__init__(equation)
        self.source = source
        self.equation = equation


Said = tuple[Any, Any, dict[int, Any]]
"""A source, a constraint that it states, and the variables that the slots in that stand for (others are hidden)."""
_Equation = tuple[Any, Any, Any, dict[int, Any]]


class OpenNumber(Symbol):
    """A number that stays open, as a symbol: its place among all."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"n{self.args[0]}"

    __repr__ = __str__


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
        compared: list[_Equation] = []
        for source, constraint, slots in said:
            equations = _equations(constraint)
            if equations is not None:
                pending.extend((source, a, b, slots) for a, b in equations)
            elif type(constraint) is Compare and constraint.args[0] == "<=":
                compared.append((source, constraint.args[1], constraint.args[2], slots))
            else:
                made.other[source] = None
        while True:
            waiting = [item for item in pending if not solver.take(item)]
            if len(waiting) == len(pending):
                break
            pending = waiting
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


class Expressions:
    """Expressions over the open variables of a program as normal numbers, each worked out once.

    As long as sites are solved, `same` tells which of the numbers that they make known are one expression.
    """

    def __init__(self, bindings: Mapping[Any, Any]) -> None:
        self.bindings = bindings
        self.variables: dict[Any, Any] = {}  # by symbol
        self._symbols: dict[Any, Any] = {}
        self._computed: dict[Any, Any] = {}
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
        if kind is Slot or kind is Var:
            known = value(_variable(expression, slots))
            return known if is_number(known) else None
        if kind is not Arith or expression.ground:
            return expression if is_number(expression) else None
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
            variable = walk(_variable(left, slots), self.bindings)
            if type(variable) is not Var:
                continue
            number = self.number(right, slots, self._value)
            if number is None:
                continue
            self._values[variable] = number
            older = self.variables.get(number) or self._named.setdefault(number, variable)
            if older is not variable and type(walk(older, self.bindings)) is Var:
                yield variable, older

    def _value(self, variable: Any) -> Any:
        known = walk(variable, self.bindings)
        if type(known) is not Var:
            return known
        return self._values.get(known) or self.symbol(known)


class _Solver:
    """Takes equations one by one."""

    def __init__(self, made: Extents, classes: Mapping[Any, int], memory: Expressions) -> None:
        self.made = made
        self.classes = classes
        self.memory = memory
        self.bindings = memory.bindings
        self.natural: list[tuple[Any, Any]] = []
        self._variables = memory.variables
        self._last = max(classes.values(), default=0) + 1

    def value(self, variable: Any) -> Any:
        """The number that a variable stands for."""
        known = walk(variable, self.bindings)
        if type(known) is not Var:
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
        return walk(_variable(a, slots), self.bindings) is walk(_variable(b, slots), self.bindings)

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
        for other, known in made.values.items():
            if type(known) is not int and symbol in numbers.symbols_of(known):
                made.values[other] = numbers.substitute(known, {symbol: value})
                if made.values[other] is None:
                    raise Unsolvable(source, f"{numbers.show_number(known)} divides by 0")
        made.values[variable] = value


def _variable(term: Any, slots: dict[int, Any]) -> Any:
    """The variable that a slot stands for; other terms stand for themselves."""
    if type(term) is not Slot:
        return term
    (index,) = term.args
    if index not in slots:
        slots[index] = fresh()
    return slots[index]


def _never_negative(number: Any) -> bool:
    lowest = numbers.least(number)
    return lowest is not None and lowest >= 0


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
    open_ones = [s for s in variables if type(walk(variables[s], state.bindings)) is Var]
    found = {s: walk(v, state.bindings) for s, v in variables.items() if s not in open_ones}
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


def implied(conditions: list[tuple[Any, Any]]) -> tuple[dict[Any, list[Any]], Any]:
    """A few conditions that imply all, by their sources.

    The second result is the source of a condition that can never hold, or None.
    """
    first: dict[Any, Any] = {}
    for source, number in conditions:
        first.setdefault(number, source)
    variables: dict[Any, Any] = {}
    posed = [(number, _over_variables(number, variables)) for number in first]
    bounds: dict[Any, tuple[int, int | None]] = {}
    givers: dict[Any, Any] = {}
    for number, expression in posed:
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
    box = _numbers()
    for variable, (low, high) in bounds.items():
        box.narrow(variable, low, high)
    needed = set(map(id, givers.values()))
    kept: dict[Any, list[Any]] = {}
    for number, expression in posed:
        lowest = interval(expression, box)[0]
        if id(number) in needed or lowest is None or lowest < 0:
            kept.setdefault(first[number], []).append(number)
    return kept, None


def _numbers(steps: int = UNLIMITED) -> Work:
    """A state to propagate constraints in, of numbers that are integers."""
    return Work(State({}, None, Search(Budget(steps), gradual=False)))


def _over_variables(number: Any, variables: dict[Any, Any]) -> Any:
    """A normal number with a variable for each symbol."""
    if isinstance(number, Symbol):
        if number not in variables:
            variables[number] = fresh()
        return variables[number]
    if type(number) is not Arith:
        return number
    operands = tuple([_over_variables(operand, variables) for operand in number.operands])
    return Arith.draft((number.operator, operands))
