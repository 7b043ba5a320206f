"""The goals that numbers are compared: equal, different, less; and those of arithmetic, as kanren names them."""

from __future__ import annotations

from typing import Any

from ..states.goals import Step, lall
from ..states.work import Work
from ..terms.look import Look, closed, written
from ..terms.numbers import FOLDS, Arith, floordiv, maximum, minimum, plus, prod, times, total
from ..terms.variables import fresh
from .compare import Compare

__all__ = [
    "Post",
    "addo",
    "divmodo",
    "equals",
    "geo",
    "gto",
    "leo",
    "lto",
    "maxo",
    "mino",
    "mulo",
    "naturalo",
    "neq",
    "producto",
    "sumo",
]


class Post(Step):
    """The goal that a constraint (it may be a draft) holds, now or when its variables are known."""

    __slots__ = ("constraint",)

    def __init__(self, constraint: Any) -> None:
        self.constraint = constraint

    def run(self, work: Work) -> bool:
        work.search.budget.charge()
        try:
            return work.post(self.constraint)
        except Look:
            if type(self.constraint) is Compare:
                return work.post(written(self.constraint))
            named: list[Any] = []
            constraint = closed(self.constraint, named)
            return all(map(work.post, named)) and work.post(constraint)


def _compare(relation: str, left: Any, right: Any) -> Any:
    between_atoms = type(left) is not Arith and type(right) is not Arith
    named = relation == "=" and (type(left) is not Arith or type(right) is not Arith)
    if between_atoms or (named and not (_holds_fold(left) or _holds_fold(right))):
        return Post(Compare.draft((relation, left, right)))
    folds: list[tuple[Any, Any]] = []
    left, right = _without_folds(left, folds), _without_folds(right, folds)
    last = Post(Compare.draft((relation, left, right)))
    return lall(*(Post(Compare.draft(("=", fold, name))) for fold, name in folds), last) if folds else last


def _holds_fold(expression: Any) -> bool:
    """Whether a sum or product of a list stands inside an expression."""
    if type(expression) is not Arith or expression.args[0] in FOLDS:
        return False
    return any(type(o) is Arith and (o.args[0] in FOLDS or _holds_fold(o)) for o in expression.args[1])


def _without_folds(expression: Any, folds: list[tuple[Any, Any]]) -> Any:
    """An expression with a name for each sum or product of a list in it; the names join `folds`.

    So a list's product stands in equations with one number only, and two of them can be compared while it is open.
    """
    if type(expression) is not Arith or expression.ground:
        return expression
    operator, operands = expression.args
    if operator in FOLDS:
        folds.append((expression, fresh()))
        return folds[-1][1]
    return Arith.draft((operator, tuple([_without_folds(operand, folds) for operand in operands])))


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
