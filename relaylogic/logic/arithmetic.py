"""Arithmetic over the naturals as suspended constraints that run in every direction.

Representation. An expression is a number, a variable, or an `Arith(operator, operands)`; operands of `sum` and `prod`
are one list, which may be open. A constraint `Compare(relation, left, right)` relates two expressions by `=`, `!=` or
`<=`. It is propagated in three steps: evaluate the sides; if one side is a value and the other has a single unknown,
invert; else narrow the intervals of the variables (HC4: Benhamou et al., "Revising hull and box consistency", 1999).

Variables range over the naturals; intermediate values may be negative. `UNKNOWN` absorbs: an expression with an unknown
operand is unknown, a comparison `<=` with an unknown holds. `!=` is disequality of terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from . import numbers
from .goals import Step, lall
from .numbers import UNKNOWN, is_number
from .state import BUDGET, NATURALS, Work
from .terms import Cons, Symbol, reify_term, walk

__all__ = [
    "Arith",
    "Compare",
    "Post",
    "addo",
    "ceildiv",
    "difference",
    "divmodo",
    "equals",
    "floordiv",
    "geo",
    "gto",
    "leo",
    "lto",
    "maximum",
    "maxo",
    "minimum",
    "mino",
    "mod",
    "mulo",
    "naturalo",
    "neq",
    "plus",
    "prod",
    "producto",
    "sumo",
    "times",
    "total",
]

Interval = tuple["int | None", "int | None"]
EVERYTHING: Interval = (None, None)


class Arith:
    """An arithmetic operator applied to operands."""

    __slots__ = ("operands", "operator")

    def __init__(self, operator: str, operands: tuple[Any, ...]) -> None:
        self.operator = operator
        self.operands = operands

    def __repr__(self) -> str:
        return show(self)


def plus(*operands: Any) -> Arith:
    """The sum of the operands."""
    return Arith("+", operands)


def difference(a: Any, b: Any) -> Arith:
    """a - b."""
    return Arith("-", (a, b))


def times(*operands: Any) -> Arith:
    """The product of the operands."""
    return Arith("*", operands)


def floordiv(a: Any, b: Any) -> Arith:
    """The floor of a / b."""
    return Arith("//", (a, b))


def ceildiv(a: Any, b: Any) -> Arith:
    """The ceiling of a / b."""
    return Arith("//", (plus(a, b, -1), b))


def mod(a: Any, b: Any) -> Arith:
    """The remainder of a by b."""
    return Arith("%", (a, b))


def minimum(a: Any, b: Any) -> Arith:
    """The lesser of a and b."""
    return Arith("min", (a, b))


def maximum(a: Any, b: Any) -> Arith:
    """The greater of a and b."""
    return Arith("max", (a, b))


def total(items: Any) -> Arith:
    """The sum of the elements of a list, which may still be open."""
    return Arith("sum", (items,))


def prod(items: Any) -> Arith:
    """The product of the elements of a list, which may still be open; 1 for the empty list."""
    return Arith("prod", (items,))


_BINARY = {"//": numbers.floordiv, "%": numbers.mod, "min": numbers.minimum, "max": numbers.maximum}


def _list_as_operation(expression: Arith, bindings: Mapping[Any, Any]) -> Any:
    """`sum([a, b])` as `a + b`, `prod([a, b])` as `a * b`; None while the list is open."""
    items = reify_term(expression.operands[0], bindings)
    if type(items) is not tuple:
        return None
    return Arith("+" if expression.operator == "sum" else "*", items)


def evaluate(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The number that `expression` is, or None while that is open.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    kind = type(expression)
    if kind is int:
        return expression
    if kind is Var:
        value = walk(expression, bindings)
        kind = type(value)
        if kind is int:
            return value
        if kind is Var:
            return None
        if not is_number(value):
            raise TypeError(f"{value!r} is no number")
        return value
    if kind is not Arith:
        if not is_number(expression):
            raise TypeError(f"{expression!r} is no number")
        return expression
    operator = expression.operator
    operands = expression.operands
    if operator in ("sum", "prod"):
        expanded = _list_as_operation(expression, bindings)
        if expanded is None:
            return None
        operator, operands = expanded.operator, expanded.operands
    values = [evaluate(operand, bindings) for operand in operands]
    if UNKNOWN in values:
        return UNKNOWN
    if None in values:
        return 0 if operator == "*" and 0 in values else None
    if operator == "+":
        result: Any = 0
        for value in values:
            result = result + value if type(result) is int and type(value) is int else numbers.add(result, value)
    elif operator == "*":
        result = 1
        for value in values:
            result = result * value if type(result) is int and type(value) is int else numbers.mul(result, value)
    elif operator == "-":
        a, b = values
        result = a - b if type(a) is int and type(b) is int else numbers.add(a, numbers.mul(-1, b))
    else:
        result = _BINARY[operator](values[0], values[1])
        if result is None:
            raise ZeroDivisionError
    return result


def _plus_ends(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _negated(interval: Interval) -> Interval:
    low, high = interval
    return (None if high is None else -high, None if low is None else -low)


def _product(a: Interval, b: Interval) -> Interval:
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and al >= 0 and bl >= 0:
        high = 0 if 0 in (ah, bh) else (None if ah is None or bh is None else ah * bh)
        return (al * bl, high)
    if al is None or ah is None or bl is None or bh is None:
        return EVERYTHING
    corners = (al * bl, al * bh, ah * bl, ah * bh)
    return (min(corners), max(corners))


def interval(expression: Any, work: Work) -> Interval:
    """An interval that surely contains the value of `expression`."""
    kind = type(expression)
    if kind is Var:
        expression = work.walk(expression)
        kind = type(expression)
        if kind is Var:
            return NATURALS if work.store is None else work.store.bounds.get(expression, NATURALS)
    if kind is int:
        return (expression, expression)
    if kind is not Arith:
        return NATURALS if isinstance(expression, Symbol) else EVERYTHING
    operator = expression.operator
    if operator in ("sum", "prod"):
        expanded = _list_as_operation(expression, work.bindings)
        return NATURALS if expanded is None else interval(expanded, work)
    parts = [interval(operand, work) for operand in expression.operands]
    if operator == "+":
        result: Interval = (0, 0)
        for low, high in parts:
            result = (_plus_ends(result[0], low), _plus_ends(result[1], high))
        return result
    if operator == "*":
        result = (1, 1)
        for part in parts:
            result = _product(result, part)
        return result
    a, b = parts
    if operator == "-":
        minus = _negated(b)
        return (_plus_ends(a[0], minus[0]), _plus_ends(a[1], minus[1]))
    if operator == "min":
        ends = [e for e in (a[1], b[1]) if e is not None]
        return (None if a[0] is None or b[0] is None else min(a[0], b[0]), min(ends) if ends else None)
    if operator == "max":
        ends = [e for e in (a[0], b[0]) if e is not None]
        return (max(ends) if ends else None, None if a[1] is None or b[1] is None else max(a[1], b[1]))
    if operator == "%":
        return (0, None if b[1] is None else b[1] - 1) if b[0] is not None and b[0] >= 0 else EVERYTHING
    if b[0] is None or b[0] < 0 or b[1] == 0:
        return EVERYTHING
    least, greatest = max(b[0], 1), b[1]
    low = None if a[0] is None else (a[0] // least if a[0] < 0 else (0 if greatest is None else a[0] // greatest))
    high = None if a[1] is None else (a[1] // least if a[1] >= 0 else (-1 if greatest is None else a[1] // greatest))
    return (low, high)


def narrow(expression: Any, low: int | None, high: int | None, work: Work) -> bool:
    """Use that `expression` lies in low..high (None: open end) to narrow its variables; False if it cannot."""
    if low is None and high is None:
        return True
    kind = type(expression)
    if kind is Var:
        expression = work.walk(expression)
        kind = type(expression)
        if kind is Var:
            if high is not None and high < 0:
                return False
            return work.narrow(expression, max(low or 0, 0), high)
    if kind is int:
        return (low is None or expression >= low) and (high is None or expression <= high)
    if kind is not Arith:
        return True
    operator = expression.operator
    operands = expression.operands
    if operator in ("sum", "prod"):
        expanded = _list_as_operation(expression, work.bindings)
        return expanded is None or narrow(expanded, low, high, work)
    if operator == "+":
        return _narrow_sum(operands, low, high, work)
    if operator == "-":
        a, b = (interval(operand, work) for operand in operands)
        return narrow(operands[0], _plus_ends(low, b[0]), _plus_ends(high, b[1]), work) and narrow(
            operands[1],
            None if a[0] is None or high is None else a[0] - high,
            None if a[1] is None or low is None else a[1] - low,
            work,
        )
    if operator == "*":
        return _narrow_product(operands, low, high, work)
    a, b = (interval(operand, work) for operand in operands)
    if operator == "//":
        return _narrow_quotient(operands, a, b, low, high, work)
    if operator == "min":
        if low is not None and not (narrow(operands[0], low, None, work) and narrow(operands[1], low, None, work)):
            return False
        return _narrow_choice(operands, a, b, high, work, lambda end, limit: end[0] is not None and end[0] > limit, 1)
    if operator == "max":
        if high is not None and not (narrow(operands[0], None, high, work) and narrow(operands[1], None, high, work)):
            return False
        return _narrow_choice(operands, a, b, low, work, lambda end, limit: end[1] is not None and end[1] < limit, 0)
    return True


def _narrow_choice(
    operands: Any, a: Interval, b: Interval, limit: int | None, work: Work, misses: Any, side: int
) -> bool:
    """At least one operand of min (max) must reach the limit; if one cannot, the other does."""
    if limit is None:
        return True
    low, high = (None, limit) if side else (limit, None)
    if misses(a, limit):
        return narrow(operands[1], low, high, work)
    if misses(b, limit):
        return narrow(operands[0], low, high, work)
    return True


def _narrow_sum(operands: tuple[Any, ...], low: int | None, high: int | None, work: Work) -> bool:
    parts = [interval(operand, work) for operand in operands]
    open_low = sum(1 for p in parts if p[0] is None)
    open_high = sum(1 for p in parts if p[1] is None)
    all_low = sum(p[0] for p in parts if p[0] is not None)
    all_high = sum(p[1] for p in parts if p[1] is not None)
    for operand, (part_low, part_high) in zip(operands, parts, strict=True):
        if part_low is not None and part_low == part_high:
            continue
        others_low = all_low - (part_low or 0) if open_low == (part_low is None) else None
        others_high = all_high - (part_high or 0) if open_high == (part_high is None) else None
        new_low = None if low is None or others_high is None else low - others_high
        new_high = None if high is None or others_low is None else high - others_low
        if not narrow(operand, new_low, new_high, work):
            return False
    return not (open_low == 0 and high is not None and all_low > high) and not (
        open_high == 0 and low is not None and all_high < low
    )


def _narrow_product(operands: tuple[Any, ...], low: int | None, high: int | None, work: Work) -> bool:
    parts = [interval(operand, work) for operand in operands]
    if any(p[0] is None or p[0] < 0 for p in parts):
        return True
    count = len(operands)
    before: list[Interval] = [(1, 1)]
    for part in parts[:-1]:
        before.append(_product(before[-1], part))
    after: list[Interval] = [(1, 1)]
    for part in reversed(parts[1:]):
        after.append(_product(after[-1], part))
    for i, operand in enumerate(operands):
        others_low, others_high = _product(before[i], after[count - 1 - i])
        new_high = None
        if low is not None and low > 0:
            # No factor is 0, so the others are at least 1.
            others_low = max(others_low or 1, 1)
        if high is not None and others_low:
            new_high = high // others_low
        new_low = None
        if low is not None and low > 0:
            if others_high == 0:
                return False
            new_low = 1 if others_high is None else -(-low // others_high)
        if parts[i][0] == parts[i][1] and new_low is None and new_high is None:
            continue
        if not narrow(operand, new_low, new_high, work):
            return False
    return True


def _narrow_quotient(operands: Any, a: Interval, b: Interval, low: int | None, high: int | None, work: Work) -> bool:
    if b[0] is None or b[0] < 0:
        return True
    if b[0] == 0 and not narrow(operands[1], 1, None, work):
        return False
    divisor_low, divisor_high = max(b[0], 1), b[1]
    new_low = new_high = None
    if low is not None:
        new_low = low * divisor_low if low >= 0 else (None if divisor_high is None else low * divisor_high)
    if high is not None and divisor_high is not None:
        new_high = (high + 1) * (divisor_high if high >= 0 else divisor_low) - 1
    if not narrow(operands[0], new_low, new_high, work):
        return False
    if low is not None and low > 0 and a[1] is not None:
        return narrow(operands[1], None, a[1] // low, work)
    return True


def _open_occurrences(expression: Any, bindings: Mapping[Any, Any]) -> list[Any]:
    """The unbound variables of an expression, with repetitions; open lists count as their tail."""
    found = []
    stack = [expression]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Arith:
            stack.extend(reversed(item.operands))
        elif kind is Var:
            item = walk(item, bindings)
            if type(item) is Var:
                found.append(item)
            elif type(item) in (tuple, Cons):
                stack.append(item)
        elif kind is tuple:
            stack.extend(reversed(item))
        elif kind is Cons:
            stack.extend((item.tail, *reversed(item.prefix)))
    return found


def _invert(expression: Any, value: Any, work: Work) -> Any:
    """The number that the only variable of `expression` must be for it to equal the number `value`.

    None where that needs intervals; False where there is none.
    """
    while True:
        if type(expression) is Var:
            return value
        operator, operands = expression.operator, expression.operands
        if operator in ("sum", "prod"):
            expanded = _list_as_operation(expression, work.bindings)
            if expanded is None:
                return None
            operator, operands = expanded.operator, expanded.operands
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
        if type(expression) is Var:
            expression = work.walk(expression)


class Compare:
    """`left relation right` for a relation among `=`, `!=`, `<=`."""

    __slots__ = ("left", "relation", "right")

    def __init__(self, relation: str, left: Any, right: Any) -> None:
        self.relation = relation
        self.left = left
        self.right = right

    def __repr__(self) -> str:
        return f"{show(self.left)} {self.relation} {show(self.right)}"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables of both sides."""
        found = _open_occurrences(self.left, bindings) + _open_occurrences(self.right, bindings)
        return list(dict.fromkeys(found))

    def reified(self, bindings: Mapping[Any, Any]) -> Compare:
        """The constraint with bound variables replaced."""
        return Compare(self.relation, _reified(self.left, bindings), _reified(self.right, bindings))

    def propagate(self, work: Work) -> bool | None:
        """Decide, invert or narrow."""
        try:
            left = evaluate(self.left, work.bindings)
            right = evaluate(self.right, work.bindings)
        except (ZeroDivisionError, TypeError):
            return False
        if self.relation == "=":
            return self._equate(left, right, work)
        if left is not None and right is not None:
            if self.relation == "!=":
                return left is not right and left != right
            return _less_or_equal(left, right)
        if self.relation == "!=":
            return self._differ(left, right, work)
        if left is UNKNOWN or right is UNKNOWN:
            return True
        low, high = interval(self.left, work), interval(self.right, work)
        if low[1] is not None and high[0] is not None and low[1] <= high[0]:
            return True
        if narrow(self.left, None, high[1], work) and narrow(self.right, low[0], None, work):
            return None
        return False

    def _equate(self, left: Any, right: Any, work: Work) -> bool | None:
        if left is not None and right is not None:
            return left is right or (type(left) is int and type(right) is int and left == right)
        if left is None and right is None:
            a, b = work.walk(self.left), work.walk(self.right)
            if type(a) is Var and type(b) is Var:
                return work.unify(a, b)
            return self._narrow_both(work)
        value, side = (left, self.right) if right is None else (right, self.left)
        if type(side) is Var:
            if type(value) is int and value < 0:
                return False
            return work.bind(work.walk(side), value)
        unknowns = _open_occurrences(side, work.bindings)
        if value is UNKNOWN:
            return work.bind(unknowns[0], UNKNOWN) if len(unknowns) == 1 and not _has_open_list(side, work) else None
        if len(unknowns) == 1:
            inverse = _invert(side, value, work)
            if inverse is False or (type(inverse) is int and inverse < 0):
                return False
            if inverse is not None:
                return work.bind(unknowns[0], inverse)
        if type(value) is not int:
            return None
        return self._narrow_both(work)

    def _narrow_both(self, work: Work) -> bool | None:
        a, b = interval(self.left, work), interval(self.right, work)
        low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
        high = b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
        if low is not None and high is not None and low > high:
            return False
        if not (narrow(self.left, low, high, work) and narrow(self.right, low, high, work)):
            return False
        return None

    def _differ(self, left: Any, right: Any, work: Work) -> bool | None:
        if left is None and right is None:
            a, b = work.walk(self.left), work.walk(self.right)
            return False if type(a) is Var and a is b else None
        value, side = (left, self.right) if right is None else (right, self.left)
        variable = work.walk(side)
        if type(value) is int and type(variable) is Var:
            low, high = interval(variable, work)
            assert low is not None
            if value < low or (high is not None and value > high):
                return True
            if value == low:
                return None if not work.narrow(variable, low + 1, high) else True
            if value == high:
                return None if not work.narrow(variable, low, high - 1) else True
        return None


def _has_open_list(expression: Any, work: Work) -> bool:
    return any(
        type(item) is Arith
        and item.operator in ("sum", "prod")
        and type(reify_term(item.operands[0], work.bindings)) is not tuple
        for item in _subexpressions(expression)
    )


def _subexpressions(expression: Any) -> list[Any]:
    found, stack = [], [expression]
    while stack:
        item = stack.pop()
        found.append(item)
        if type(item) is Arith:
            stack.extend(item.operands)
    return found


def _less_or_equal(left: Any, right: Any) -> bool | None:
    if type(left) is int and type(right) is int:
        return left <= right
    if left is UNKNOWN or right is UNKNOWN:
        return True
    gap = numbers.add(right, numbers.mul(-1, left))
    if type(gap) is int:
        return gap >= 0
    terms = gap.args if type(gap) is numbers.Expr else ((1, (gap,)),)
    if all(c >= 0 for c, _ in terms):
        return True
    if all(c <= 0 for c, _ in terms) and any(not monomial for _, monomial in terms):
        return False
    return None


def _reified(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    if type(expression) is Arith:
        return Arith(expression.operator, tuple(_reified(operand, bindings) for operand in expression.operands))
    return reify_term(expression, bindings)


def show(expression: Any, name: Any = str, outer: int = 0) -> str:
    """An expression in infix notation; `name` writes variables."""
    if type(expression) is not Arith:
        if type(expression) is Var:
            return str(name(expression))
        if type(expression) is tuple:
            return "(" + ", ".join(show(e, name) for e in expression) + ")"
        if type(expression) is Cons:
            elements = [*(show(e, name) for e in expression.prefix), "..." + show(expression.tail, name)]
            return f"({', '.join(elements)})"
        return str(expression)
    operator, operands = expression.operator, expression.operands
    if operator in ("sum", "prod", "min", "max"):
        return f"{operator}({', '.join(show(e, name) for e in operands)})"
    strength = 1 if operator in "+-" else 2
    parts = [show(e, name, strength + (i > 0 and operator not in "+*")) for i, e in enumerate(operands)]
    text = parts[0] if parts else ("0" if operator == "+" else "1")
    for part in parts[1:]:
        text += f" - {part[1:]}" if operator == "+" and part.startswith("-") else f" {operator} {part}"
    return f"({text})" if strength < outer else text


class Post(Step):
    """The goal that a constraint holds, now or when its variables are known."""

    __slots__ = ("constraint",)

    def __init__(self, constraint: Any) -> None:
        self.constraint = constraint

    def run(self, work: Work) -> bool:
        BUDGET.charge()
        return work.post(self.constraint)


def _compare(relation: str, left: Any, right: Any) -> Any:
    return Post(Compare(relation, left, right))


def equals(left: Any, right: Any) -> Any:
    """The goal that two arithmetic expressions have the same value."""
    return _compare("=", left, right)


def neq(left: Any, right: Any) -> Any:
    """The goal that two numbers are different terms: `neq(n, 1)`. For any terms, see `differ`."""
    return _compare("!=", left, right)


def leo(left: Any, right: Any) -> Any:
    """The goal left <= right."""
    return _compare("<=", left, right)


def lto(left: Any, right: Any) -> Any:
    """The goal left < right."""
    return _compare("<=", plus(left, 1), right)


def geo(left: Any, right: Any) -> Any:
    """The goal left >= right."""
    return _compare("<=", right, left)


def gto(left: Any, right: Any) -> Any:
    """The goal left > right."""
    return _compare("<=", plus(right, 1), left)


def naturalo(number: Any) -> Any:
    """The goal that `number` is a number (of any value)."""
    return leo(0, number)


def addo(a: Any, b: Any, c: Any) -> Any:
    """The goal a + b = c."""
    return equals(plus(a, b), c)


def mulo(a: Any, b: Any, c: Any) -> Any:
    """The goal a * b = c."""
    return equals(times(a, b), c)


def divmodo(a: Any, b: Any, quotient: Any, remainder: Any) -> Any:
    """The goal a = b * quotient + remainder with 0 <= remainder < b."""
    return lall(lto(remainder, b), equals(floordiv(a, b), quotient), equals(plus(times(b, quotient), remainder), a))


def sumo(items: Any, result: Any) -> Any:
    """The goal that the elements of the list `items` add up to `result`."""
    return equals(total(items), result)


def producto(items: Any, result: Any) -> Any:
    """The goal that the elements of the list `items` multiply to `result`."""
    return equals(prod(items), result)


def mino(a: Any, b: Any, c: Any) -> Any:
    """The goal min(a, b) = c."""
    return equals(minimum(a, b), c)


def maxo(a: Any, b: Any, c: Any) -> Any:
    """The goal max(a, b) = c."""
    return equals(maximum(a, b), c)
