"""`run`: kanren's `run` with answers that say what is left of them.

    >>> from unification import var
    >>> from relaylogic.rules import Flatten
    >>> from relaylogic.types import TensorType
    >>> x = var()
    >>> run(0, x, Flatten(x, TensorType((2, 12))))
    (<Tensor[(2, ...s), float32] with prod(s) = 12>,)

The goals may be ours, kanren's, or anybody's who keeps kanren's contract. Calls of relations are postponed, so the
order of goals does not matter and relations that call themselves are tabled; what is not asked for is projected, so
that each answer comes once. The goals are conjoined by kanren's `lall`, which follows the answers of a goal in turns
where ours goes depth first: one of them may lead to endless answers of a stranger's goal, and speed is no matter here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from kanren import lall
from unification import reify

from ..clauses.show import Namer, show_constraint, show_term
from ..host.governor import governed
from ..logic.circuits.branching import solve_goal
from ..logic.circuits.circuit import Filled, answers
from ..logic.search.profiles import asked_about
from ..logic.states.foreign import as_state, own
from ..logic.states.goals import Goal
from ..logic.states.state import State, Store
from ..logic.terms.terms import variables_of
from ..rulebase import RuleBase
from ..types.universe import Universe, check_numbers

__all__ = ["Found", "run"]


class Found:
    """One answer of `run`: `term`, what was asked for, and `constraints`, what must hold of its open variables."""

    __slots__ = ("_name", "constraints", "term")

    def __init__(self, term: Any, constraints: tuple[Any, ...]) -> None:
        self.term = term
        self.constraints = constraints
        self._name = Namer([("", (own(term),), None)], constraints)

    @property
    def residue(self) -> tuple[str, ...]:
        """The constraints in clause notation."""
        return tuple(dict.fromkeys(show_constraint(c, self._name) for c in self.constraints))

    def __str__(self) -> str:
        shown = _shown(self.term, self._name)
        return f"{shown} with {', '.join(self.residue)}" if self.constraints else shown

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Found) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _shown(term: Any, name: Namer) -> str:
    """What was asked for as text: several terms in the brackets that they were asked in."""
    if type(term) is tuple:
        return f"({', '.join(_shown(part, name) for part in term)}{',' if len(term) == 1 else ''})"
    if type(term) is list:
        return f"[{', '.join(_shown(part, name) for part in term)}]"
    if type(term) is dict:
        return f"{{{', '.join(f'{key!r}: {_shown(part, name)}' for key, part in term.items())}}}"
    return show_term(term, name)


def run(n: int | None, x: Any, *goals: Goal) -> tuple[Found, ...] | Iterator[Found]:
    """The first `n` answers for `x`, a term with variables, of the conjunction of `goals`; each once.

    As in kanren: `n=0` gives all answers, `n=None` a lazy iterator. Unlike in kanren, an answer is a `Found`: the term
    and the constraints left of it. Raises StepLimit for an answer that is too large to be made, LimitReached,
    UniverseError for an `n` that is no natural number.
    """
    check_numbers(n=n)
    found = _found(x, goals)
    return found if n is None else tuple(islice(found, min(n, sys.maxsize) or None))


def _found(x: Any, goals: tuple[Goal, ...]) -> Iterator[Found]:
    asked = variables_of(_terms(x))
    goal = _adopted(lall(*goals))
    # A rule base of its own, since what is known of a relation lasts until it gets another clause.

    def start() -> Iterator[Any]:
        return answers(solve_goal(goal, dict.fromkeys(asked), Universe(), asked_about(goal, RuleBase())))

    paths = governed(start)
    while (path := governed(lambda: next(paths, None))) is not None:
        filled = Filled(path, len(asked))
        yield Found(reify(x, dict(zip(asked, filled.terms, strict=True))), filled.residue)


def _terms(x: Any) -> Any:
    """The terms in what was asked for: kanren reads the values of a dict as it reads the elements of a list."""
    if type(x) in (tuple, list):
        return tuple(map(_terms, x))
    return tuple(map(_terms, x.values())) if type(x) is dict else own(x)


def _adopted(goal: Goal) -> Goal:
    """`goal` in a state from which its goals may make others of their own: those become ours again."""

    def adopted(state: State) -> Iterator[State]:
        # A state without a store would not carry its search along when kanren copies it.
        start = state if state.store is not None else State(state.bindings, Store(), state.search)
        return map(as_state, goal(start))

    return adopted
