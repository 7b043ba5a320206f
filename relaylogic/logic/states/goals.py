"""kanren's connectives, fused.

Same names and meaning as in kanren, and interchangeable with kanren's own: a goal is a callable from a state to an
iterator of states. What makes these faster: a goal with at most one answer is a `Step`, which can also run inside a
state that is already in the making (`Work`), so a conjunction of steps copies the state once instead of once per goal
and creates no generators. `lall` groups neighbouring steps when it is built; `conde` tries its branches in order.

How much faster they are than kanren's is measured by tests/benchmarks/test_kanren.py. Rules on kanren's own goals have
the same answers (tests/logic/test_kanren.py); without ours, a refusal could not name the equation that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import length_hint
from typing import Any

from .calls import Called, keep_calls
from .foreign import as_state
from .state import State
from .suspended import settle
from .work import Work

__all__ = ["Goal", "Step", "conde", "conjoin", "eq", "fail", "goal", "lall", "lany", "members", "succeed"]

Goal = Callable[[Any], Iterator[Any]]


class Step:
    """A goal with at most one answer; subclasses say in `run` what it does to a state in the making."""

    __slots__ = ()

    def run(self, work: Work) -> bool:
        """Change `work` so that the goal holds; False if it cannot."""
        raise NotImplementedError

    def __call__(self, state: Any) -> Iterator[State]:
        work = Work(as_state(state))
        new = work.finish() if self.run(work) else None
        if new is None:
            return iter(())
        return settle(new) if new.search.settles else iter((new,))


class _Custom(Step):
    __slots__ = ("function",)

    def __init__(self, function: Callable[[Work], bool]) -> None:
        self.function = function

    def run(self, work: Work) -> bool:
        work.search.budget.charge()
        return self.function(work)


def goal(run: Callable[[Work], bool]) -> Step:
    """A step from a function that changes a `Work` and says whether the goal holds."""
    return _Custom(run)


class eq(Step):
    """The goal that two terms are equal.

    kanren's serves as well. This one is a step, which joins others in one copy of the state, and tells a trace what
    failed; alone it takes 1/1.3 of the time, building it and making its variables included.
    """

    __slots__ = ("u", "v")

    def __init__(self, u: Any, v: Any) -> None:
        self.u = u
        self.v = v

    def run(self, work: Work) -> bool:
        budget = work.search.budget
        budget.left -= 1
        if budget.left < 0:
            budget.renew()
        if work.unify(self.u, self.v):
            return True
        if work.search.trace is not None:
            work.unequal(self.u, self.v)
        return False


class _Steps(Step):
    """A conjunction of steps."""

    __slots__ = ("steps",)

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps

    def run(self, work: Work) -> bool:
        for step in self.steps:
            if not step.run(work):
                return False
            if work.queue and not work.run():
                return False
        return True


succeed: Step = _Steps(())


class _Fail(Step):
    __slots__ = ()

    def run(self, work: Work) -> bool:
        work.failure("fail")
        return False


fail: Step = _Fail()


class _Conjunction:
    __slots__ = ("goals",)

    def __init__(self, goals: list[Goal]) -> None:
        self.goals = goals

    def __call__(self, state: Any) -> Iterator[Any]:
        return conjoin(self.goals, state)


def conjoin(goals: list[Goal], state: Any) -> Iterator[Any]:
    """Depth-first conjunction of any number of goals; an explicit stack, not nested generators.

    A goal that leaves no choice is not come back to, so of its states only the last one is kept.
    """
    stack = [(iter((state,)), 0)]
    while stack:
        found, index = stack[-1]
        following = next(found, None)
        if following is None:
            stack.pop()
            continue
        if type(found) is _LISTED and not length_hint(found):
            stack.pop()
        if index < len(goals) and type(goals[index]) is Called:
            following, index = keep_calls(goals, index, following)
        if index == len(goals):
            yield following
        else:
            stack.append((goals[index](following), index + 1))


def members(goal: Goal) -> Iterator[Goal]:
    """The goals that a goal is the conjunction of, in order; itself if it is none."""
    agenda: list[Any] = [goal]
    while agenda:
        item = agenda.pop()
        if type(item) is _Steps:
            agenda.extend(reversed(item.steps))
        elif type(item) is _Conjunction:
            agenda.extend(reversed(item.goals))
        else:
            yield item


_LISTED: Any = type(iter((None,)))
"""What iterates over states that are all there: it knows how many are left."""


def lall(*goals: Goal) -> Goal:
    """The goal that all goals hold.

    Depth first on a stack of its own: 40 equations take a third of the time of kanren's, and 1,000 conjuncts, whose
    generators kanren nests, do not overflow the interpreter's stack. kanren's follows the answers of a goal in turns;
    where one of them may lead to endless answers, that is the one to use (`relaylogic.run` does).
    """
    grouped: list[Any] = []
    steps: list[Step] = []
    for item in goals:
        if isinstance(item, _Steps):
            steps.extend(item.steps)
        elif isinstance(item, Step):
            steps.append(item)
        else:
            if steps:
                grouped.append(_Steps(tuple(steps)))
                steps = []
            if type(item) is _Conjunction:
                grouped.extend(item.goals)
            else:
                grouped.append(item)
    if not grouped:
        return _Steps(tuple(steps))
    if steps:
        grouped.append(_Steps(tuple(steps)))
    return _Conjunction(grouped)


def lany(*goals: Goal) -> Goal:
    """The goal that at least one goal holds; of no goals, it fails.

    kanren's holds of no goals, and calls an alternative through as many iterators as have failed before it: of 40 of
    which the last one holds, this one takes 1/5 of the time.
    """

    steps = [item for item in goals if isinstance(item, Step)]
    if not goals:
        return fail
    return _choice(steps) if len(steps) == len(goals) else _disjunction(goals)


def _disjunction(goals: Sequence[Goal]) -> Goal:
    def disjunction(state: Any) -> Iterator[Any]:
        for item in goals:
            yield from item(state)

    return disjunction


def _choice(steps: Sequence[Step]) -> Goal:
    """The disjunction of steps, which sees at once whether it leaves a choice: most do not, and need not be kept."""
    anyhow = _disjunction(steps)

    def choice(state: Any) -> Iterator[Any]:
        state = as_state(state)
        if state.search.settles or state.search.trace is not None:
            return anyhow(state)
        first = None
        for index, step in enumerate(steps):
            work = Work(state)
            new = work.finish() if step.run(work) else None
            if new is None:
                continue
            if first is not None:
                return chain((first, new), _disjunction(steps[index + 1 :])(state))
            first = new
        return iter(() if first is None else (first,))

    return choice


def conde(*branches: Iterable[Goal]) -> Goal:
    """The goal that all goals of at least one branch hold.

    Its answers come in the order of the branches; kanren's take turns, at 4 times the time for 40 branches.
    """
    return lany(*(lall(*branch) for branch in branches))
