"""Comparisons of numbers as suspended constraints that run in every direction.

A constraint `Compare(relation, left, right)` relates two expressions by `=`, `!=` or `<=`. It is propagated in three
steps: evaluate the sides; if one side is a value and the other has a single unknown, invert; else narrow the intervals
of the variables.

Variables range over the naturals; intermediate values may be negative. A comparison `<=` with an unknown holds. `!=` is
disequality of terms.

While a number that is open may still turn out to be `?` (`Search.waits`), an equation with a known integer narrows the
numbers in it, since it holds of none that is `?`; what else would follow for integers only is drawn when answers are
labelled (`gradual.decide`), where a constraint is propagated once more. So the order of goals does not matter.
"""

from __future__ import annotations

from typing import Any

from ..states.work import Work
from ..terms import numbers
from ..terms.numbers import FOLDS, UNKNOWN, Arith, evaluate, expanded, polynomial
from ..terms.poly import Poly, sum_of
from ..terms.ranges import is_natural
from ..terms.rebuilding import reify_term
from ..terms.variables import VARIABLES
from .beside import same_but_one, same_expression, same_fold, told_quotient
from .equations import (
    DIVIDING,
    divisors_of,
    gap_of,
    has_open_list,
    is_polynomial,
    is_reducible,
    is_variable,
    may_be_zero,
    occurrences,
    operators_of,
    without_common,
    without_numbers,
)
from .extrema import are_ordered
from .intervals import interval, narrow
from .roots import OFTEN, lies_between_roots, roots_of
from .sides import Sides
from .simpler import has_each_once, in_fewer_words, simplified

__all__ = ["Compare"]


def _invert(expression: Any, value: Any, work: Work) -> Any:
    """The number that the only variable of `expression` must be for it to equal the number `value`.

    None where that needs intervals; False where there is none.
    """
    while True:
        if type(expression) in VARIABLES:
            return value
        operator, operands = expression.args
        if operator in FOLDS:
            written_out = expanded(expression, work.bindings)
            if written_out is None:
                return None
            operator, operands = written_out.args
        if operator not in ("+", "*", "-"):
            return None
        known = [evaluate(operand, work.bindings) for operand in operands]
        index = known.index(None)
        others: Any = None
        for i, k in enumerate(known):
            if i != index:
                others = k if others is None else (numbers.mul if operator == "*" else numbers.add)(others, k)
        if operator == "*":
            if others is None:
                others = 1
            if others == 0:
                return None
            value = numbers.exact_quotient(value, others)
            if value is None:
                return False if type(others) is int else None
        elif operator == "+":
            value = numbers.add(value, numbers.mul(-1, others or 0))
        else:
            value = numbers.add(value, others) if index == 0 else numbers.add(others, numbers.mul(-1, value))
        expression = operands[index]
        if type(expression) in VARIABLES:
            expression = work.walk(expression)


class Compare(Sides):
    """`left relation right` for a relation among `=`, `!=`, `<=`."""

    __slots__ = ()

    def propagate(self, work: Work) -> bool | None:
        """Decide, simplify, invert or narrow. What is divided by 0 has no value, and compares with nothing."""
        try:
            return self._propagated(work)
        except ZeroDivisionError:
            return False

    def _propagated(self, work: Work) -> bool | None:
        relation, left_side, right_side = self.args
        try:
            left = evaluate(left_side, work.bindings)
            right = evaluate(right_side, work.bindings)
        except TypeError:
            work.search.budget.misread = reify_term(self, work.bindings)
            return False
        if (left is None and type(left_side) is Arith) or (right is None and type(right_side) is Arith):
            fewer = None if work.search.waits() else self._in_fewer_words(work)
            if fewer is not None:
                return work.replace(Compare.draft(fewer)) if fewer else False
        if relation == "=":
            return self._equate(left, right, work)
        if left is not None and right is not None:
            if relation == "!=":
                return left is not right and left != right and work.search.budget.takes_apart(left, right)
            return _less_or_equal(left, right)
        if relation == "!=":
            return self._differ(left, right, work)
        if left is UNKNOWN or right is UNKNOWN:
            return True if self._is_defined(work) else None
        low, high = interval(self.left, work), interval(self.right, work)
        if low[1] is not None and high[0] is not None and low[1] <= high[0] and self._is_defined(work):
            return True
        told = None if type(left_side) is int or type(right_side) is int else self._told_by_gap(work)
        if told is not None:
            return told
        if work.search.waits():
            return None
        if narrow(self.left, None, high[1], work) and narrow(self.right, low[0], None, work):
            return None
        return False

    def _in_fewer_words(self, work: Work) -> tuple[Any, ...] | None:
        """The same comparison in fewer words; None if none are found, and no words if something is divided by 0.

        (What an equation has on both sides cancels out when it is solved.)
        """
        relation, left, right = self.args
        if not (is_polynomial(left) and is_polynomial(right)):
            for divisor in divisors_of(left) + divisors_of(right):
                low, high = interval(divisor, work)
                if low == 0 and (high == 0 or not narrow(divisor, 1, None, work)):
                    return ()
            sides = simplified(left, work), simplified(right, work)
            if sides[0] is left and sides[1] is right:
                sides = told_quotient(self, left, work), told_quotient(self, right, work)
            return None if sides[0] is left and sides[1] is right else (relation, *sides)
        if relation == "=" or (has_each_once(left) and has_each_once(right) and not self._shares(work)):
            return None
        written = relation, reify_term(left, work.bindings), reify_term(right, work.bindings)
        found = in_fewer_words(*written)
        return None if found == written else found

    def _told_by_gap(self, work: Work) -> bool | None:
        """Whether left <= right for all naturals, since what is on the left is on the right too, `n <= n + m`, or for
        none, `n + 1 <= n`; None if that does not tell."""
        _, left, right = self.args
        if not (is_polynomial(left) and is_polynomial(right)):
            return True if are_ordered(left, right, work) and self._is_defined(work) else None
        if not self._shares(work):
            return None
        gap = gap_of(right, left, work)
        if all(c >= 0 and all(type(atom) in VARIABLES for atom in atoms) for atoms, c in gap.items()):
            return True
        high = None if work.search.waits() else interval(sum_of(gap), work)[1]
        return False if high is not None and high < 0 else None

    def _equate(self, left: Any, right: Any, work: Work) -> bool | None:
        if left is not None and right is not None:
            if left is not right:
                return type(left) is int and type(right) is int and left == right
            return type(left) is not Arith or not self._names() or _is_natural(left, work)
        if left is None and right is None:
            a, b = work.walk(self.left), work.walk(self.right)
            if type(a) in VARIABLES and type(b) in VARIABLES:
                return work.unify(a, b)
            if work.search.waits():
                return None
            solved = self._cancelled(work)
            return self._narrow_both(work) if solved is None else solved
        value, side = (left, self.right) if right is None else (right, self.left)
        if type(side) in VARIABLES:
            if type(value) is int and value < 0:
                return False
            return self._bound(work.walk(side), value, work)
        unknowns = occurrences(side, work)
        if value is UNKNOWN:
            return self._equate_unknown(side, unknowns, work)
        if len(unknowns) == 1:
            inverse = _invert(side, value, work)
            if inverse is False or (type(inverse) is int and inverse < 0):
                return False
            if inverse is not None:
                return self._bound(unknowns[0], inverse, work)
        if type(value) is not int:
            return same_fold(self, work)
        work.sure = True
        narrowed = self._bound_by_roots(unknowns, work) and self._narrow_both(work)
        work.sure = False
        return narrowed

    def _equate_unknown(self, side: Any, unknowns: list[Any], work: Work) -> bool | None:
        """An expression is `?` if and only if a number in it is: none of those that are known to be integers."""
        found = dict.fromkeys(unknowns)
        integers = {n for n in found if any(other.is_of_integers(work) for other in work.beside(n))}
        if integers:
            rest = without_numbers(side, integers, work)
            return rest is not None and work.replace(Compare.draft(("=", rest, UNKNOWN)))
        if len(found) != 1 or has_open_list(side, work):
            return same_fold(self, work)
        return work.bind(unknowns[0], UNKNOWN)

    def says_unknown(self, work: Work) -> bool:
        """Whether it says that an expression is `?`."""
        return self.args[0] == "=" and any(work.walk(side) is UNKNOWN for side in self.args[1:])

    def is_of_integers(self, work: Work) -> bool:
        """Whether it says that an expression is an integer."""
        return self.args[0] == "=" and any(type(work.walk(side)) is int for side in self.args[1:])

    def _bound(self, variable: Any, value: Any, work: Work) -> bool:
        """Bind a variable to a value that an expression has; one over symbols, `n - 2`, must not be negative."""
        return work.bind(variable, value) and (type(value) is not Arith or _is_natural(value, work))

    def _narrow_both(self, work: Work) -> bool | None:
        a, b = interval(self.left, work), interval(self.right, work)
        low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
        high = b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
        if low is not None and high is not None and low > high:
            return False
        if low is not None and a == b == (low, low) and not work.search.waits() and self._is_defined(work):
            return True
        before = work.narrowings
        if not (narrow(self.left, low, high, work) and narrow(self.right, low, high, work)):
            return False
        if work.narrowings != before:
            # An expression that is narrowed to where it lies stays there; but now it may be a shorter one.
            is_where_it_lies = interval(self.left, work) == interval(self.right, work)
            work.settled = is_where_it_lies and not self._is_shorter_by_now(work)
        return same_fold(self, work)

    def _is_shorter_by_now(self, work: Work) -> bool:
        """Whether bounds tell now that a side is a shorter one: `min(n, m)` is m once m is at most the least n."""
        return any(not is_polynomial(side) and simplified(side, work) is not side for side in (self.left, self.right))

    def _cancelled(self, work: Work) -> bool | None:
        """Decide an equation in which terms cancel, `n - 1 + 1 = m`, or that none of them satisfies, `n + 1 = n`."""
        _, left, right = self.args
        unknowns: list[Any] | None = None
        if not (is_polynomial(left) and is_polynomial(right)):
            if self._is_plain_by_now(work):
                return self._written_out(work)
            if not self._is_reducible(work):
                return same_expression(self, work)
        else:
            unknowns = occurrences(left, work) + occurrences(right, work)
            distinct = len(set(unknowns))
            if distinct > 2 and distinct == len(unknowns):
                return same_but_one(self, unknowns, work)
            if not self._bound_by_roots(unknowns, work):
                return False
        gap: Poly = dict(self.gap(work))
        if not may_be_zero(gap, work):
            return False
        constant = gap.pop((), 0)
        if not gap:
            return constant == 0
        if not constant:
            gap = without_common(gap, work)
            constant = gap.pop((), 0)
            if not gap:
                return constant == 0
            roots = None if constant else roots_of(gap)
            if roots is not None:
                return work.replace(Compare.draft(("=", *roots)))
        if all(map(is_variable, gap)):
            if len(gap) == 2 and not constant and not sum(gap.values()):
                (a,), (b,) = gap
                return work.unify(a, b)
            if len(gap) == 1:
                (((variable,), c),) = gap.items()
                value, rest = divmod(-constant, c)
                return rest == 0 and value >= 0 and work.unify(variable, value)
        return same_expression(self, work) if unknowns is None else same_but_one(self, unknowns, work)

    def _is_plain_by_now(self, work: Work) -> bool:
        """Whether lists that are added up or multiplied are known, or what is divided is divided by what is known to be
        1: then the sides are written with fewer operators."""
        stack, found = [*self.args[1:]], False
        while stack:
            item = stack.pop()
            if type(item) is Arith and not item.ground:
                operator, operands = item.args
                if operator in FOLDS:
                    if expanded(item, work.bindings) is None:
                        return False
                    found = True
                else:
                    found = found or (operator in DIVIDING and work.walk(operands[1]) == 1)
                    stack.extend(operands)
        return found

    def _written_out(self, work: Work) -> bool | None:
        """The same equation with what is known of its lists and divisors put in, in its place."""
        left, right = (sum_of(polynomial(reify_term(side, work.bindings))) for side in self.args[1:])
        if type(left) in VARIABLES and type(right) in VARIABLES:
            return work.unify(left, right)
        return work.replace(Compare.draft(("=", left, right)))

    def _bound_by_roots(self, unknowns: list[Any], work: Work) -> bool:
        """Bound the only variable of an equation of polynomials by its roots, `n * n = n + 6`; False if it has none.

        `unknowns` are all its occurrences. Where they are many, the powers are high, and it takes long to find them.
        """
        if not 1 < len(unknowns) <= OFTEN or len(set(unknowns)) > 1:
            return True
        if not (is_polynomial(self.left) and is_polynomial(self.right)):
            return True
        return lies_between_roots(unknowns[0], self.gap(work), work)

    def _is_reducible(self, work: Work) -> bool:
        """Whether the difference of the sides may have a simpler normal form, or tell that they differ: one side has,
        or what they have in common is divided on both, `n // 2 - 9 = (n + 1) // 2`.

        (That of minima and maxima tells much, too; but it takes ten times as long as a round of propagation, and where
        it does not tell, bounds that creep would pay that at each round: see `is_refuted_alone`.)
        """
        _, left, right = self.args
        here, there = operators_of(left), operators_of(right)
        if here is None or there is None:
            return False
        divides_both = not (DIVIDING.isdisjoint(here) or DIVIDING.isdisjoint(there))
        return is_reducible(left) or is_reducible(right) or (divides_both and self._shares(work))

    def is_refuted_alone(self, work: Work) -> bool:
        """Whether no numbers satisfy an equation whose bounds creep, `n + 4 = max(n, 2)`: the difference of its sides,
        in normal form, is never 0."""
        relation, left, right = self.args
        if relation != "=" or operators_of(left) is None or operators_of(right) is None or work.search.waits():
            return False
        return not may_be_zero(self.gap(work), work)

    def _differ_from_a_number(self, work: Work) -> bool | None:
        """Say of a side that has one value only, `0 * n` or `0 % n`, which that is."""
        if work.search.waits() or not self._is_defined(work):
            return None
        for side, other in ((self.left, self.right), (self.right, self.left)):
            low, high = interval(side, work) if type(side) is Arith else (None, None)
            if low is not None and low == high:
                return work.replace(Compare.draft(("!=", other, low)))
        return None

    def _differ(self, left: Any, right: Any, work: Work) -> bool | None:
        if left is None and right is None:
            a, b = work.walk(self.left), work.walk(self.right)
            return False if type(a) in VARIABLES and a is b else self._differ_from_a_number(work)
        value, side = (left, self.right) if right is None else (right, self.left)
        variable = work.walk(side)
        if type(value) is not int:
            return None
        if type(variable) not in VARIABLES:
            return None if work.search.waits() else self._differs_from(side, value, work)
        low, high = interval(variable, work)
        assert low is not None
        if value < low or (high is not None and value > high):
            return True
        if value == low:
            return work.narrow(variable, low + 1, high)
        return work.narrow(variable, low, high - 1) if value == high else None

    def _differs_from(self, expression: Any, value: int, work: Work) -> bool | None:
        """Whether an expression is not a number, which goes where it is an end of where the expression lies."""
        low, high = interval(expression, work)
        if low == high == value:
            return False
        if value == low and not narrow(expression, value + 1, None, work):
            return False
        if value == high and not narrow(expression, None, value - 1, work):
            return False
        low, high = interval(expression, work)
        is_outside = (low is not None and value < low) or (high is not None and value > high)
        return True if is_outside and self._is_defined(work) else None


def _is_natural(number: Any, work: Work) -> bool:
    """State that a number over symbols is not negative."""
    return is_natural(number) or work.post(Compare.draft(("<=", 0, number)))


def _less_or_equal(left: Any, right: Any) -> bool | None:
    if type(left) is int and type(right) is int:
        return left <= right
    if left is UNKNOWN or right is UNKNOWN:
        return True
    low, high = numbers.range_of(numbers.add(right, numbers.mul(-1, left)))
    if low is not None and low >= 0:
        return True
    return False if high is not None and high < 0 else None
