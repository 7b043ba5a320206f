"""That terms, or the elements of a list, are not equal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ..exact import exact
from ..states.goals import Step, lall
from ..states.least import FEW, beginning
from ..states.state import Constraint, State
from ..states.suspended import primitive
from ..states.work import Work
from ..terms.arith import Arith
from ..terms.rebuilding import reify_term, replaced
from ..terms.variables import fresh
from .comparisons import Post, equals, neq

__all__ = ["Different", "differ", "distincto"]


class Different(Constraint):
    """Two terms are not equal."""

    __slots__ = ()

    @property
    def left(self) -> Any:
        """One term."""
        return self.args[0]

    @property
    def right(self) -> Any:
        """The other term."""
        return self.args[1]

    def __repr__(self) -> str:
        return f"{self.left} != {self.right}"

    def propagate(self, work: Work) -> bool | None:
        """Holds if they cannot be unified, fails if they are equal already: no binding, no equation makes them so."""
        trial = Work(State(work.bindings, None, work.search))
        if not trial.unify(self.left, self.right):
            budget = work.search.budget
            if budget.apart is None:
                return True
            return budget.takes_apart(*(reify_term(side, work.bindings) for side in self.args))
        return None if trial.owned or trial.store is not None else False


def differ(left: Any, right: Any) -> Step:
    """The goal that two terms are not equal (disequality).

    kanren's `neq` demands of compound terms that all parts differ, and adds to a state that the branches of its `conde`
    share. Every unification asks all of its constraints: ten of them on one variable take 7 times as long, and one
    slows down 40 equations of other variables 10 times.
    """
    if Arith in (type(left), type(right)):
        return neq(left, right)  # type: ignore[no-any-return]
    numbers: dict[Any, Any] = {}

    def named(number: Any) -> Any:
        return number if number.ground else numbers.setdefault(number, fresh())

    # Of an expression within a term, which may have no value, it is said what that differs from, as in an equation.
    different = Post(Different.draft((replaced(left, Arith, named), replaced(right, Arith, named))))
    return lall(*(equals(name, number) for number, name in numbers.items()), different) if numbers else different  # type: ignore[return-value]


def _begin_apart(work: Work, items: Any) -> bool:
    """The first elements of a list, as far as they are known, are not one term twice."""
    first = tuple(map(work.walk, beginning(items, work, FEW)))
    return len(first) == len({exact((item,)) for item in first})


@primitive("distinct", 0, lists=True, narrows=_begin_apart)
def distincto(state: State, items: Any) -> Iterator[Any]:
    """The goal that the elements of a list are pairwise different."""
    known = reify_term(items, state.bindings)
    if type(known) is not tuple:
        return
    work = Work(state)
    pairs: Iterator[tuple[Any, Any]] = combinations(known, 2)
    if state.search.budget.apart is None:
        numbers = [item for item in known if type(item) is int]
        if len(set(numbers)) < len(numbers):
            return
        pairs = _pairs(known)
    for a, b in pairs:  # one at a time: each is charged
        if not differ(a, b).run(work) or (work.queue and not work.run()):
            return
    found = work.finish()
    if found is not None:
        yield found


def _pairs(items: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """The pairs of a list in their order, but for those of two known numbers."""
    others = [item for item in items if type(item) is not int]
    passed = 0
    for place, item in enumerate(items):
        is_known = type(item) is int
        passed += not is_known
        for other in others[passed:] if is_known else items[place + 1 :]:
            yield item, other
