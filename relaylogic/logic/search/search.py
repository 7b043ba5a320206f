"""Search: run goals to distinct answers, under a step budget.

An `Answer` is a solution cut loose from its variables: the terms that were asked for with `Slot`s for what stays open,
and the residual constraints over the same slots. `Solution.general` is what all answers agree on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

from ..constraints.compare import Compare
from ..constraints.free_choices import without_free_choices
from ..constraints.gradual import completed
from ..constraints.natural import Natural
from ..constraints.short_equations import shortened
from ..constraints.simpler import is_told_at_length
from ..control import UNLIMITED, Budget, Search, StepLimit
from ..exact import exact
from ..states.state import NATURALS, State
from ..states.work import Work
from ..terms.numbers import difference, polynomial
from ..terms.rebuilding import canonical, reify_term
from ..terms.terms import Slot, Term, slot, variables_of, walk
from ..terms.variables import VARIABLES
from .antiunify import generalise
from .kept import kept_by
from .rows import Row, told_apart
from .sketch import FAR, Sketch, says_no_more

__all__ = [
    "MAX_ANSWERS",
    "Answer",
    "Solution",
    "answer_of",
    "decided",
    "of_answers",
    "residue_of",
    "said_once",
    "search",
    "told",
]

Goal = Callable[[Any], Iterator[Any]]

MAX_ANSWERS = 64


class Answer(NamedTuple):
    """One solution: the terms asked for, the name of the clause that gave it, and what is left undecided."""

    terms: tuple[Any, ...]
    clause: str
    residue: tuple[Any, ...]


class Solution(NamedTuple):
    """What a search found.

    `exhausted` says that `answers` are all there are; `limit` names the limit that stopped it otherwise, or is ""
    if it stopped because more answers could not change `general`. `general` is None if there is no answer. `decided`:
    there is exactly one answer, and nothing is left of it. `kept` are the numbers of slots in `general` that are
    something by default, and what, if all answers are known.
    """

    answers: tuple[Answer, ...]
    exhausted: bool
    limit: str
    general: tuple[Any, ...] | None
    decided: bool
    kept: tuple[tuple[int, Any], ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether there is exactly one answer, and nothing is left of it but defaults."""
        return self.decided or (len(self.answers) == 1 and 0 < len(self.kept) == len(self.answers[0].residue))

    @property
    def leaves_rows_open(self) -> bool:
        """Whether an answer stands for several, since rows of lists may be several things in it (`rows`)."""
        return any(type(constraint) is Row for answer in self.answers for constraint in answer.residue)

    @property
    def clause(self) -> str:
        """The name of the clause that answered, "" if it was not one."""
        return self.answers[0].clause if len(self.answers) == 1 else ""


def decided(terms: tuple[Any, ...], clause: str) -> Solution:
    """What a search has found if `terms` are the only answer, and nothing is left of it.

    (Made without the functions by which named tuples are made, in a third of the time.)
    """
    answer = tuple.__new__(Answer, (terms, clause, ()))
    return tuple.__new__(Solution, ((answer,), True, "", terms, True, ()))


def residue_of(state: State, terms: Any, taken_up: bool = False) -> list[Any]:
    """What is left undecided in a state, as constraints over its open variables: suspended ones, then bounds.

    `taken_up`: others will go on from there, and numbers may turn out to be `?`.

    Bounds are those of variables that occur in `terms`, or that something suspended is about.
    """
    store = state.store
    if store is None:
        return []
    bindings = state.bindings
    waiting = [reify_term(c, bindings) for c in state.constraints()]
    if not taken_up:
        # What is said to be at least 1 need not be said to be a natural; only `?` is at least 1, and none.
        waiting = [c for c in waiting if type(c) is not Natural or not store.bounds.get(c.args[0], NATURALS)[0]]
    work = Work(state)
    left = [_shortened(c, work) for c in said_once(waiting, lambda: variables_of(terms, bindings))]
    concerned = set(variables_of((terms, *left), bindings)) if store.bounds else ()
    for variable, bounds in store.bounds.items():
        if variable not in bindings and variable in concerned:
            left.extend(map(Compare.draft, _compared(variable, bounds)))
    return list(dict.fromkeys(left))


def _shortened(constraint: Any, work: Work) -> Any:
    """A constraint of a state; a comparison in fewer words, if there are some."""
    if type(constraint) is not Compare:
        return constraint
    found = shortened(constraint.args, work)
    return constraint if found is constraint.args else Compare.make(found)


def _compared(number: Any, bounds: tuple[int, int | None]) -> Iterator[tuple[Any, ...]]:
    """What bounds say of a number, as arguments of comparisons."""
    low, high = bounds
    if low > 0:
        yield "<=", low, number
    if high is not None:
        yield "<=", number, high


def said_once(constraints: list[Any], variables: Callable[[], list[Any]]) -> list[Any]:
    """The constraints without those that say what another one says. Which one stays does not depend on their order."""
    if len(constraints) < 2:
        return constraints
    about: dict[Any, list[Any]] = {}
    for constraint in constraints:
        about.setdefault(frozenset(variables_of(constraint)), []).append(constraint)
    if len(about) == len(constraints):
        return constraints
    kept: set[int] = set()
    for same in about.values():
        by_meaning: dict[Any, list[Any]] = {}
        for constraint in same:
            by_meaning.setdefault(_said(constraint), []).append(constraint)
        for equal in by_meaning.values():
            kept.add(id(equal[0] if len(equal) == 1 else min(equal, key=_written_with(variables()))))
    return [c for c in constraints if id(c) in kept]


def _written_with(variables: list[Any]) -> Callable[[Any], str]:
    """How constraints are written if some variables are numbered in order, and the others after them."""
    numbering = {variable: slot(i) for i, variable in enumerate(variables)}
    return lambda constraint: repr(canonical((constraint,), dict(numbering)))


def _said(constraint: Any) -> Any:
    """What a constraint says: the same for equations that differ in the order of terms and sides."""
    if type(constraint) is not Compare:
        return constraint
    relation, left, right = constraint.args
    try:
        gap = polynomial(difference(left, right))
    except ZeroDivisionError:  # what is divided by 0 somewhere has no normal form
        return constraint
    if relation != "<=" and min(gap.items(), key=lambda term: str(term[0]), default=((), 0))[1] < 0:
        gap = {atoms: -c for atoms, c in gap.items()}
    return relation, frozenset(gap.items())


def answer_of(terms: tuple[Any, ...], state: State, clause: str, numbering: dict[Any, Any]) -> Answer:
    """The answer that `state` gives for `terms`; `numbering` says which variables keep which slot."""
    bindings = state.bindings
    # A variable of the question that was made equal to one of a rule keeps its slot.
    numbers: dict[Any, Any] = {}
    for variable, place in numbering.items():
        end = walk(variable, bindings)
        if type(end) in VARIABLES:
            numbers.setdefault(end, place)
    merged = len(numbering) - len(numbers)
    new = map(slot, count(len(numbering)))
    found = canonical(terms, numbers, new, bindings)
    store = state.store
    if store is None or not (store.constraints or store.bounds):
        return Answer(found, clause, ())
    of_terms = dict(numbers)
    left = canonical(tuple(state.constraints()), numbers, new, bindings)
    if _is_plain(left):
        for variable, bounds in store.bounds.items():
            if variable in numbers:
                left += tuple(map(Compare.make, _compared(numbers[variable], bounds)))
    else:
        new = map(slot, count(len(of_terms) + merged))
        left = canonical(tuple(residue_of(state, terms)), of_terms, new)
    return Answer(found, clause, tuple(dict.fromkeys(left)))


def _is_plain(constraints: tuple[Any, ...]) -> bool:
    """Whether canonical constraints are fit for an answer: no two are about the same, and none can be simplified."""
    about = set()
    for constraint in constraints:
        slots = []
        stack = [constraint]
        while stack:
            item = stack.pop()
            if type(item) is Slot:
                slots.append(item)
            elif type(item) is tuple:
                stack.extend(item)
            elif isinstance(item, Term) and not item.ground:
                stack.extend(item.args)
        about.add(frozenset(slots))
    return len(about) == len(constraints) and not any(
        is_told_at_length(*c.args[1:]) for c in constraints if type(c) is Compare
    )


def _answers(
    name: str, run: Goal, start: State, terms: tuple[Any, ...], numbering: dict[Any, Any]
) -> Iterator[Answer]:
    """The answers that a goal gives, by its name, for `terms`; where rows stay open, one for all that these may be."""
    for state in run(start):
        for complete in _completed(state) if state.store is not None else (state,):
            yield answer_of(terms, without_free_choices(complete, terms), name, numbering)


def _completed(state: State) -> Iterator[State]:
    if state.search.by_rows is None:
        return completed(state)
    return (complete for apart in told_apart(state) for complete in completed(apart))


def search(
    cases: Iterable[tuple[str, Goal | Answer]],
    terms: tuple[Any, ...],
    control: Search | None = None,
    *,
    steps: int = UNLIMITED,
    max_answers: int = MAX_ANSWERS,
    sketch: Sketch | None = None,
    admits: Callable[[tuple[Any, ...]], bool] | None = None,
) -> Solution:
    """Run each named goal on its own and collect the distinct answers for `terms`, of those that `admits` admits. What
    is an answer already is one of them.

    `control` is what the goals share; without one, `steps` is their budget. `sketch` is that of the same goals.

    Stops early when the answers so far agree on nothing, or on no more than the sketch says (more of them cannot change
    that), at `max_answers`, and when the budget is used up. Raises RecursionError if the goals nest too deeply for the
    interpreter.
    """
    numbering: dict[Any, Any] = {}
    for variable in variables_of(terms):
        numbering[variable] = slot(len(numbering))
    found = _Found(canonical(terms, numbering), admits)
    start = State({}, None, control or Search(Budget(steps)))
    budget = start.search.budget

    def ended(limit: str) -> Solution:
        return found.ended(limit, None if sketch is None or not sketch.may_tell() else sketch.general(numbering))

    try:
        for name, run in cases:
            for answer in (run,) if isinstance(run, Answer) else _answers(name, run, start, terms, numbering):
                if not found.add(answer):
                    continue
                if found.says_no_more:
                    return found.ended("")
                if budget.cut and start.search.types_only:
                    return ended("attribute limit")
                if sketch is not None and sketch.may_tell() and sketch.is_reached(found.general, numbering):
                    return ended("")
                if len(found.answers) >= max_answers:
                    return ended("answer limit")
    except StepLimit:
        return ended("step limit")
    if budget.cut:
        return ended("attribute limit")
    return found.all()


def of_answers(
    answers: Iterable[Answer],
    asked: tuple[Any, ...],
    max_answers: int = MAX_ANSWERS,
    admits: Callable[[tuple[Any, ...]], bool] | None = None,
) -> Solution:
    """What a search finds where these are the answers to what is `asked`, which is canonical."""
    found = _Found(asked, admits)
    for answer in answers:
        if found.add(answer):
            if found.says_no_more:
                return found.ended("")
            if len(found.answers) >= max_answers:
                return found.ended("answer limit")
    return found.all()


class _Found:
    """The distinct answers so far to what is `asked`, of those that `admits` admits, and what they agree on."""

    __slots__ = ("admits", "answers", "asked", "general")

    def __init__(self, asked: tuple[Any, ...], admits: Callable[[tuple[Any, ...]], bool] | None) -> None:
        self.asked = asked
        self.admits = admits
        self.answers: dict[Any, Answer] = {}
        self.general: Any = None

    def add(self, answer: Answer) -> bool:
        """Take an answer in; whether it is a new one."""
        key = (exact(answer.terms), frozenset(answer.residue))
        if key in self.answers or not (self.admits is None or self.admits(answer.terms)):
            return False
        self.general = generalise(self.general, answer.terms, FAR, self.asked) if self.answers else answer.terms
        self.answers[key] = answer
        return True

    @property
    def says_no_more(self) -> bool:
        """Whether several answers agree on nothing but what was asked: no others can change that."""
        return len(self.answers) > 1 and says_no_more(self.general, self.asked)

    def ended(self, limit: str, general: tuple[Any, ...] | None = None) -> Solution:
        """What was found where others may follow; they agree on what is asked if on no more, which is `general`."""
        least = (self.asked if general is None else general) if self.answers else None
        return Solution(tuple(self.answers.values()), False, limit, least, False)

    def all(self) -> Solution:
        """What was found if there are no others but those of open rows."""
        found = told(tuple(self.answers.values()), self.general)
        return found._replace(exhausted=False, kept=()) if found.leaves_rows_open else found


def told(answers: tuple[Answer, ...], general: tuple[Any, ...] | None) -> Solution:
    """What a search has found if these are all answers."""
    is_decided = len(answers) == 1 and not answers[0].residue
    return Solution(answers, True, "", general, is_decided, () if is_decided else kept_by(answers, general))
