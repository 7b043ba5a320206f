"""Constraints between numbers as a system of polynomials over integers, for the kernel that counts and lists them.

Floor division, remainder, minimum and maximum become numbers of their own, which the others determine:
`q = a // b` says `b * q <= a < b * q + b`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..integers import System
from ..states.state import State
from ..states.work import Work
from ..terms.numbers import Arith, polynomial
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons
from ..terms.variables import VARIABLES
from .compare import Compare
from .different import Different
from .equations import divides_by_numbers
from .gradual import agreeing
from .intervals import interval
from .lengths import Length
from .natural import Natural

__all__ = ["NoNumber", "Poly", "Translation", "combined", "multiplied", "system_of"]

Poly = dict[tuple[int, ...], int]


class NoNumber(Exception):
    """Something that a system cannot say: `?`, a symbol, a list that is open."""


class Translation:
    """Comparisons and the like, one after the other, as polynomials in the variables 0, 1, ... within `bounds`.

    `constraints` hold, and so does one of each of `cases`, which says no more than `choices` among the constraints do.
    `folds` are the lengths, sums and products of open lists, which are variables of their own, if that is asked for.
    """

    def __init__(
        self, state: State, variables: Sequence[Any] = (), labelled: bool = False, with_folds: bool = False
    ) -> None:
        self.work = Work(state)
        self.folds: dict[tuple[str, Any], Poly] | None = {} if with_folds else None
        self.integers = frozenset(variables) if labelled else frozenset()
        self.index: dict[Any, int] = {}
        self.bounds: list[tuple[int, int | None]] = []
        self.constraints: list[tuple[str, Poly]] = []
        self.choices: list[tuple[str, Poly]] = []
        self.cases: list[tuple[tuple[str, Poly], ...]] = []
        self.known: dict[Any, Poly] = {}  # expressions, as terms
        self.results: dict[Any, Poly] = {}  # operations on polynomials, however they are written
        self.functions: dict[int, frozenset[int]] = {}  # the numbers of its own, with what determines each
        for variable in variables:
            self.variable(variable)
        self.asked = len(variables)

    def system(self) -> System:
        """The system that what was added is, over the given variables and what they hide."""
        return System(
            self.bounds,
            [*self.constraints, *self.choices],
            asked=self.asked,
            charge=self.work.search.budget.charge,
            functions=self.functions,
        )

    def variable(self, variable: Any) -> int:
        found = self.index.get(variable)
        if found is None:
            found = self.index[variable] = self.fresh(self.work.origin.bounds(variable))
        return found

    def fresh(self, bounds: tuple[int, int | None]) -> int:
        self.bounds.append(bounds)
        return len(self.bounds) - 1

    def state(self, constraint: Any) -> None:
        """Add what a constraint says. Raises NoNumber if that is not of numbers."""
        if type(constraint) is Natural:
            return  # so are all numbers of a system
        equal = agreeing(constraint)
        if equal is not None and self.integers.issuperset(equal):
            first, *others = map(self.poly, equal)
            self.constraints.extend(("=", combined(first, other, -1)) for other in others)
            return
        if type(constraint) is Length:
            counted = self.fold("len", [constraint.items])
            self.constraints.append(("=", combined(counted, self.poly(constraint.length), -1)))
            return
        if type(constraint) is Different:
            relation, (left, right) = "!=", constraint.args
        elif type(constraint) is Compare:
            relation, left, right = constraint.args
        else:
            raise NoNumber
        self.constraints.append((relation, combined(self.poly(left), self.poly(right), -1)))

    def poly(self, expression: Any) -> Poly:
        """An expression as a polynomial."""
        if type(expression) is int:
            return {(): expression} if expression else {}
        if type(expression) in VARIABLES:
            return {(self.variable(expression),): 1}
        if type(expression) is not Arith:
            raise NoNumber
        found = self.known.get(expression)
        if found is None:
            quotient = expression.operator in ("//", "%") and divides_by_numbers(expression)
            found = self.known[expression] = self._normal(expression) if quotient else self._operation(expression)
        return found

    def _normal(self, expression: Any) -> Poly:
        """A division or the like in normal form, so that what is one number is one variable."""
        result: Poly = {}
        for atoms, coefficient in polynomial(expression).items():
            product: Poly = {(): coefficient}
            for atom in atoms:
                product = multiplied(product, self._atom(atom))
            result = combined(result, product, 1)
        return result

    def _atom(self, atom: Any) -> Poly:
        if type(atom) is not Arith:
            return self.poly(atom)
        found = self.known.get(atom)
        if found is None:
            found = self.known[atom] = self._operation(atom)
        return found

    def _operation(self, expression: Any) -> Poly:
        operator, operands = expression.args
        if operator in ("sum", "prod"):
            return self.fold(operator, operands)
        parts = [self.poly(operand) for operand in operands]
        if operator in ("+", "*"):
            return _together(operator, parts)
        left, right = parts
        if operator == "-":
            return combined(left, right, -1)
        is_extremum = operator in ("min", "max")
        of = [frozenset(part.items()) for part in parts]
        key = (operator, frozenset(of)) if is_extremum else ("//", *of)
        result = self.results.get(key)
        if result is None:
            made = self._extremum(expression, left, right) if is_extremum else self._quotient(operands, left, right)
            result = self.results[key] = made
        return combined(left, multiplied(right, result), -1) if operator == "%" else result

    def fold(self, operator: str, lists: Iterable[Any]) -> Poly:
        """The number, sum or product of all that is in some lists. Raises NoNumber if they are open, and not to have
        one."""
        parts = []
        for items in lists:
            known = reify_term(items, self.work.bindings)
            prefix, end = (known.prefix, known.tail) if type(known) is Cons else ((), known)
            if type(end) is tuple:
                prefix = end
            elif type(end) not in VARIABLES or self.folds is None:
                raise NoNumber
            else:
                key = operator, end
                if key not in self.folds:
                    self.folds[key] = {(self.fresh((0, None)),): 1}
                parts.append(self.folds[key])
            if operator == "len":
                parts.append({(): len(prefix)})
            else:
                parts.extend(map(self.poly, prefix))
        return _together("*" if operator == "prod" else "+", parts)

    def _quotient(self, operands: tuple[Any, ...], left: Poly, right: Poly) -> Poly:
        """The quotient: what it leaves over lies between 0 and the divisor. If the sign of that is not known, all is
        multiplied by it."""
        least = interval(operands[1], self.work)[0]
        result = self._defined(Arith.draft(("//", operands)), left, right)
        rest, most = combined(left, multiplied(right, result), -1), right
        if least is None or least < 0:
            rest, most = multiplied(rest, right), multiplied(right, right)
        self.constraints.append(("<=", combined({(): 1}, most, -1)))
        self.constraints.append(("<=", combined({}, rest, -1)))
        self.constraints.append(("<=", combined(combined(rest, most, -1), {(): 1}, 1)))
        return result

    def _extremum(self, expression: Any, left: Poly, right: Poly) -> Poly:
        result = self._defined(expression, left, right)
        sign = 1 if expression.operator == "min" else -1
        for side in (left, right):
            self.constraints.append(("<=", {m: sign * c for m, c in combined(result, side, -1).items()}))
        either = combined(result, left, -1), combined(result, right, -1)
        self.choices.append(("=", multiplied(*either)))
        self.cases.append(tuple(("=", poly) for poly in either))
        return result

    def _defined(self, expression: Any, *operands: Poly) -> Poly:
        """A number of its own, which its operands determine.

        It may be negative: then it is so much less than its greatest value; if there is none, the difference of two
        naturals, of which there are many and a count wants one. Raises NoNumber there.
        """
        low, high = interval(expression, self.work)
        if low is not None or high is not None:
            variable = self.fresh((0, None) if low is None else (low, high))
            self.functions[variable] = frozenset(v for operand in operands for monomial in operand for v in monomial)
            if low is not None:
                return {(variable,): 1}
            return combined({(): high} if high else {}, {(variable,): 1}, -1)
        if self.folds is None:
            raise NoNumber
        more, less = self.fresh((0, None)), self.fresh((0, None))
        return {(more,): 1, (less,): -1}


def _together(operator: str, parts: list[Poly]) -> Poly:
    result: Poly = {} if operator == "+" else {(): 1}
    for part in parts:
        result = combined(result, part, 1) if operator == "+" else multiplied(result, part)
    return result


def combined(a: Poly, b: Poly, sign: int) -> Poly:
    """a + sign * b."""
    result = dict(a)
    for monomial, c in b.items():
        value = result.get(monomial, 0) + sign * c
        if value:
            result[monomial] = value
        else:
            result.pop(monomial, None)
    return result


def multiplied(a: Poly, b: Poly) -> Poly:
    """a * b."""
    result: Poly = {}
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            monomial = tuple(sorted(m1 + m2))
            result[monomial] = result.get(monomial, 0) + c1 * c2
    return {monomial: c for monomial, c in result.items() if c}


def system_of(state: State, asked: Sequence[Any], labelled: bool = False) -> System | None:
    """The system that a state's constraints are, over `asked` and what they hide; None if some is not of numbers.

    `labelled`: what is asked for is given integers as values, so none of it turns out to be `?`.
    """
    translation = Translation(state, asked, labelled)
    try:
        for constraint in state.constraints():
            translation.state(constraint.reified(state.bindings))
    except NoNumber:
        return None
    return translation.system()
