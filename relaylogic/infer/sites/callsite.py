"""One call site: a relation asked about terms, tolerant of `?` in the result.

Rules compare extents strictly where they do not say otherwise. What an annotation says of a *result* is different:
Relay lets a value of extent 3 stand where `?` is expected and the reverse. So if no clause accepts the result as it is,
the relation is asked again with the extents of the result left open, and its answer must merely agree with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
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
    if not (_says_extents(arguments) and rules.is_gradual(relation, arguments, attrs)):
        return solution  # it is the same question
    loose = rules.solve(relation, arguments, attrs, loosened, steps, defaults, most)
    return loose if loose.answers else solution


def _says_extents(arguments: tuple[Any, ...]) -> bool:
    """Whether the tensors in a result have extents that are known, or that something else says, too: one that is open,
    and stands nowhere else, is whatever the relation gives."""
    extents: list[Any] = []
    for part in _parts(arguments[-1:]):
        if type(part) is TensorType and type(part.shape) is tuple:
            extents += part.shape
            if not all(type(extent) is Slot for extent in part.shape):
                return True
    met = Counter(part for part in _parts(arguments) if type(part) is Slot) if extents else {}
    return any(met[extent] > 1 for extent in extents)


def _parts(terms: tuple[Any, ...]) -> Iterator[Any]:
    """The parts of some terms. What is open, and stands in several places, is met twice, however often that is."""
    stack, met = list(terms), Counter[int]()
    while stack:
        item = stack.pop()
        yield item
        if type(item) is tuple:
            stack += item
        elif isinstance(item, Term) and type(item) is not Slot and met[id(item)] < (1 if item.ground else 2):
            met[id(item)] += 1
            stack += item.args


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
