"""One call site: a relation asked about terms, tolerant of `?` in the result.

Rules compare extents strictly where they do not say otherwise. What an annotation says of a *result* is different:
Relay lets a value of extent 3 stand where `?` is expected and the reverse. So if no clause accepts the result as it is,
the relation is asked again with the extents of the result left open, and its answer must merely agree with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...logic import Slot, agree, fresh, lall
from ...logic.control import KEPT
from ...logic.search.search import MAX_ANSWERS, Solution
from ...logic.states.goals import Goal
from ...logic.terms.numbers import is_number
from ...logic.terms.terms import Term
from ...rulebase import Relation, RuleBase
from ...rulebase.base import STEPS
from ...types import TensorType

__all__ = ["STEPS", "loosened", "solve_site"]


def solve_site(
    rules: RuleBase,
    relation: Relation,
    arguments: tuple[Any, ...],
    attrs: Any,
    defaults: str = KEPT,
    most: int = MAX_ANSWERS,
    steps: int = STEPS,
    types_only: bool = False,
    by_rows: bool = False,
    derived: Callable[[], Solution | None] | None = None,
) -> Solution:
    """All that is known of a call with these canonical arguments, the result last; at most `most` answers.

    For `types_only`, `by_rows` and `derived` see `RuleBase.solve`.
    """
    solution = rules.solve(
        relation,
        arguments,
        attrs,
        steps=steps,
        defaults=defaults,
        most=most,
        types_only=types_only,
        by_rows=by_rows,
        derived=derived,
    )
    if solution.answers or not solution.exhausted or type(arguments[-1]) is Slot:
        return solution
    if not (_has_numbers(arguments[-1]) and rules.is_gradual(relation, arguments, attrs)):
        return solution  # it is the same question
    loose = rules.solve(relation, arguments, attrs, loosened, steps, defaults, most)
    return loose if loose.answers else solution


def _has_numbers(term: Any) -> bool:
    """Whether there are tensors with extents in a term."""
    stack = [term]
    while stack:
        item = stack.pop()
        if type(item) is TensorType:
            if type(item.shape) is tuple and item.shape:
                return True
        else:
            stack += item if type(item) is tuple else item.args if isinstance(item, Term) else ()
    return False


def loosened(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
    """The arguments with fresh extents in the result, and the goal that these agree with the given ones."""
    goals: list[Goal] = []

    def dimension(extent: Any) -> Any:
        if not is_number(extent):
            return extent
        variable = fresh()
        goals.append(agree(variable, extent))
        return variable

    def loosen(term: Any) -> Any:
        if type(term) is TensorType:
            shape = term.shape
            return TensorType(tuple(map(dimension, shape)) if type(shape) is tuple else shape, term.dtype)
        if type(term) is tuple:
            return tuple(map(loosen, term))
        if isinstance(term, Term) and any(isinstance(a, (tuple, Term)) for a in term.args):
            return type(term).make(tuple(map(loosen, term.args)))
        return term

    result = loosen(arguments[-1])
    return (*arguments[:-1], result), lall(*goals)
