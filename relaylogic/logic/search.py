"""Search: run goals to distinct answers, under a step budget.

An `Answer` is a solution cut loose from its variables: the terms that were asked for with `Slot`s for what stays open,
and the residual constraints over the same slots. `Solution.general` is what all answers agree on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from unification import Var

from .antiunify import generalise
from .arithmetic import Compare
from .lists import Delayed
from .state import BUDGET, EMPTY, State, StepLimit
from .terms import Slot, Term, rebuild, variables_of, walk

__all__ = ["Answer", "Solution", "answer_of", "canonical", "instantiate", "limited", "search", "settle"]

Goal = Callable[[Any], Iterator[Any]]

MAX_ANSWERS = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """One solution: the terms asked for, the name of the clause that gave it, and what is left undecided."""

    terms: tuple[Any, ...]
    clause: str
    residue: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search found.

    `exhausted` says that `answers` are all there are; `limit` names the limit that stopped it otherwise, or is ""
    if it stopped because more answers could not change `general`. `general` is None if there is no answer.
    """

    answers: tuple[Answer, ...]
    exhausted: bool
    limit: str
    general: tuple[Any, ...] | None

    @property
    def decided(self) -> bool:
        """Whether there is exactly one answer, and nothing is left of it."""
        return self.exhausted and len(self.answers) == 1 and not self.answers[0].residue


@contextmanager
def limited(steps: int) -> Iterator[None]:
    """Allow at most `steps` primitive steps inside the block; StepLimit is raised beyond."""
    outer = BUDGET.left
    BUDGET.left = min(steps, outer)
    granted = BUDGET.left
    try:
        yield
    finally:
        BUDGET.left = outer - (granted - BUDGET.left)


def settle(state: State) -> Iterator[State]:
    """The states that follow from running the delayed goals that are ready."""
    if state.store is None:
        yield state
        return
    stack: list[Iterator[Any]] = [iter((state,))]
    while stack:
        current = next(stack[-1], None)
        if current is None:
            stack.pop()
            continue
        number = _ready(current)
        if number is None:
            yield current
            continue
        BUDGET.charge()
        store = current.store.copy()
        delayed = store.constraints.pop(number)
        stack.append(delayed.goal(State(current.bindings, store, current.trace)))


def _ready(state: State) -> int | None:
    store = state.store
    if store is not None:
        for number, constraint in store.constraints.items():
            if type(constraint) is Delayed and constraint.ready(state.bindings):
                return number
    return None


def _slots_from(first: int) -> Iterator[Any]:
    return (Slot(i) for i in count(first))


def canonical(
    terms: tuple[Any, ...], numbering: dict[Any, Any], new: Iterator[Any] | None = None
) -> tuple[Any, ...]:
    """`terms` with each variable replaced by its slot in `numbering`.

    New variables get the slots that `new` gives (the numbers following if it is None) and join `numbering`.
    """

    def slot(variable: Any) -> Any:
        if type(variable) is Slot:
            return variable
        known = numbering.get(variable)
        if known is None:
            known = numbering[variable] = Slot(len(numbering)) if new is None else next(new)
        return known

    return rebuild(terms, slot)  # type: ignore[no-any-return]


def instantiate(terms: Any, variables: dict[int, Any], make: Callable[[], Any] = Var) -> Any:
    """`terms` with slot i replaced by `variables[i]`; fresh variables are added to `variables` as needed."""
    if isinstance(terms, Term) and terms.ground:
        return terms

    def variable(slot: Any) -> Any:
        if type(slot) is not Slot:
            return slot
        (index,) = slot.args
        found = variables.get(index)
        if found is None:
            found = variables[index] = make()
        return found

    return rebuild(terms, variable)


def answer_of(terms: tuple[Any, ...], state: State, clause: str, numbering: dict[Any, Any]) -> Answer:
    """The answer that `state` gives for `terms`; `numbering` says which variables keep which slot."""
    bindings = state.bindings

    def follow(leaf: Any) -> Any:
        return bindings.get(leaf, leaf) if type(leaf) is Var else leaf

    # A variable of the question that was made equal to one of a rule keeps its slot.
    numbers: dict[Any, Any] = {}
    for variable, slot in numbering.items():
        end = walk(variable, bindings)
        if type(end) is Var:
            numbers.setdefault(end, slot)
    fresh_slots = _slots_from(len(numbering))
    found = canonical(rebuild(terms, follow), numbers, fresh_slots)
    if state.store is None:
        return Answer(found, clause, ())
    residue = [c.reified(bindings) for c in state.constraints()]
    constrained = [v for c in residue for v in c.variables({})]
    for variable in constrained:
        if variable not in numbers:
            numbers[variable] = next(fresh_slots)
    renamed: list[Any] = [c.reified(numbers) for c in residue]
    for variable, (low, high) in state.store.bounds.items():
        if variable not in bindings and variable in numbers:
            if low > 0:
                renamed.append(Compare("<=", low, numbers[variable]))
            if high is not None:
                renamed.append(Compare("<=", numbers[variable], high))
    return Answer(found, clause, tuple(renamed))


def search(
    cases: Iterable[tuple[str, Goal]],
    terms: tuple[Any, ...],
    *,
    steps: int,
    trace: Any = None,
    max_answers: int = MAX_ANSWERS,
) -> Solution:
    """Run each named goal on its own and collect the distinct answers for `terms`.

    Stops early when the answers so far agree on nothing (more of them cannot change that), at `max_answers`, and
    when the budget of `steps` is used up or the goals nest too deeply for the interpreter.
    """
    numbering: dict[Any, Any] = {}
    for variable in variables_of(terms):
        numbering[variable] = Slot(len(numbering))
    asked = canonical(terms, numbering)
    found: dict[Any, Answer] = {}
    general: tuple[Any, ...] | None = None
    start = State(EMPTY.bindings, None, trace)
    try:
        with limited(steps):
            for name, run in cases:
                for state in run(start):
                    for settled in settle(state):
                        answer = answer_of(terms, settled, name, numbering)
                        key = (answer.terms, tuple(map(repr, answer.residue)))
                        if key in found:
                            continue
                        found[key] = answer
                        if general is None:
                            general = answer.terms
                        else:
                            general = generalise(general, answer.terms, _FAR)
                        if len(found) > 1 and _says_nothing(general, asked):
                            return Solution(tuple(found.values()), False, "", asked)
                        if len(found) >= max_answers:
                            return Solution(tuple(found.values()), False, "answer limit", asked)
    except (StepLimit, RecursionError):
        return Solution(tuple(found.values()), False, "step limit", asked if found else None)
    return Solution(tuple(found.values()), True, "", general)


# Slots that anti-unification introduces, apart from those of the answers.
_FAR = 1_000_000


def _says_nothing(general: tuple[Any, ...], asked: tuple[Any, ...]) -> bool:
    """Whether `general` is `asked` up to the names of slots."""
    renaming: dict[Any, Any] = {}
    taken: set[Any] = set()
    stack: list[tuple[Any, Any]] = [(general, asked)]
    while stack:
        a, b = stack.pop()
        if type(a) is Slot:
            if type(b) is not Slot or renaming.setdefault(b, a) is not a:
                return False
            taken.add(a)
        elif type(a) is not type(b):
            return False
        elif type(a) is tuple:
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif a is not b and hasattr(a, "args"):
            if len(a.args) != len(b.args):
                return False
            stack.extend(zip(a.args, b.args, strict=True))
        elif a is not b and a != b:
            return False
    return len(taken) == len(renaming)
