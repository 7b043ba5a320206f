"""Answers: values for names, with the constraints that are left; and how a search for them ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from ..clauses.show import Namer, show_term, show_value
from ..host.governor import NAMES, LimitReached, governed
from ..host.turns import Turns
from ..logic.circuits.branching import Root
from ..logic.circuits.circuit import Filled, runs
from ..logic.constraints.unseen import MOST
from ..logic.control import Search, StepLimit
from ..logic.states.goals import Goal
from ..logic.terms.terms import Term
from ..rulebase.open_attributes import Unlisted
from ..types import GlobalTypeVar, TypeVar
from ..types.table import GRAPHS
from ..types.universe import Universe
from .placed import PlaceOf, located
from .proof import prove
from .restated import residue_of

__all__ = ["LEFT_OPEN", "Answers", "Ended", "QueryAnswer", "Question"]

LEFT_OPEN = "unknown: what has no values that could be listed stays open"
"""The status where variables are left in answers that are to have none: such an answer stands for many."""


class Question(Protocol):
    """What was asked."""

    names: tuple[str, ...]
    kinds: tuple[Any, ...]

    def goal_of(self, terms: Sequence[Any]) -> Goal:
        """The question with terms for its names."""

    def restated(self, answer: Filled, name: Namer) -> Iterator[str]:
        """What of the question says what an answer leaves over."""


class QueryAnswer:
    """One answer: `bindings` from names to terms, `residue` in clause notation. Worked out when it is looked at."""

    __slots__ = ("_filled", "_path", "_question", "_shown")
    _filled: Filled
    _shown: Namer

    def __init__(self, question: Any, path: Any) -> None:
        self._question: Question = question
        self._path = path

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The kind of each name."""
        return self._question.kinds

    @property
    def _names(self) -> tuple[str, ...]:
        return self._question.names

    @property
    def _answer(self) -> Filled:
        try:
            return self._filled
        except AttributeError:  # nobody has asked before
            self._filled = Filled(self._path, len(self._names))
        return self._filled

    @property
    def _namer(self) -> Namer:
        try:
            return self._shown
        except AttributeError:
            terms = zip(self._names, self._answer.terms, self.kinds, strict=True)
            self._shown = Namer(terms, self._answer.residue)
        return self._shown

    @property
    def bindings(self) -> dict[str, Any]:
        """The term of each name; what is open is a logic variable."""
        return dict(zip(self._names, self._answer.terms, strict=True))

    @property
    def texts(self) -> dict[str, str]:
        """The term of each name as text; names that stand for themselves are left out."""
        name = self._namer
        named = zip(self.bindings.items(), self.kinds, strict=True)
        shown = {key: (show_value if kind == "value" else show_term)(term, name) for (key, term), kind in named}
        return {key: text for key, text in shown.items() if text != key}

    @property
    def definitions(self) -> dict[str, str]:
        """What the names of types stand for in `texts` and `residue`, where types would be very long without them."""
        if self._namer.table is not None:
            _ = self.texts, self.residue
        return self._namer.definitions

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data.

        A type that would be very long is `{"$ref": "#/types/T1"}`: its text stands under that name in `types`, which is
        there only if needed, and may speak of further names there.
        """
        name, bindings = self._namer, {}
        for key, text in self.texts.items():
            defined = name.table is not None and name.type_text(self.bindings[key]) == (text, True)
            bindings[key] = {"$ref": f"#/types/{text}"} if defined else text
        found = {"bindings": bindings, "residue": list(self.residue), "clauses": list(self.clauses)}
        return {**found, "types": self.definitions} if self.definitions else found

    @property
    def residue(self) -> tuple[str, ...]:
        """What must hold of the open variables, in clause notation.

        Where this has no words for what a rule waits for, the goals of the question say it that call the rule.
        """
        return residue_of(self._answer.residue, self._namer, self._question.restated(self._answer, self._namer))

    @property
    def size(self) -> tuple[Any, ...]:
        """What puts a smaller answer before a larger one: the lengths of its lists, then its numbers in order.

        What stands in a tuple that occurs again counts once.
        """
        lengths, numbers = 0, []
        stack = list(reversed(self._answer.terms))
        seen: set[Any] = set()
        while stack:
            item = stack.pop()
            if type(item) in GRAPHS:
                if item in seen:
                    continue
                seen.add(item)
            if type(item) is int:
                numbers.append(item)
            elif type(item) in (GlobalTypeVar, TypeVar):  # a name and a number that says nothing
                continue
            elif type(item) is tuple:
                lengths += len(item)
                stack.extend(reversed(item))
            elif isinstance(item, Term):
                stack.extend(reversed(item.args))
        return lengths, numbers, len(self._answer.residue)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that gave the answer, as `Relation/clause`, in the order in which they were used."""
        return tuple(f"{relation}/{clause}" for relation, clause in self._answer.steps if relation)

    def explain(self) -> str:
        """How the answer follows: a proof tree; for an answer that is still constrained, the clauses that gave it."""
        if not self._answer.residue:
            proofs = prove(self._goal())
            if proofs is not None:
                return "\n".join(map(str, proofs)) or "true"
        return "\n".join(self.clauses) or "true"

    def _goal(self) -> Goal:
        """The question with the answer put in."""
        return self._question.goal_of(self._answer.terms)

    def __str__(self) -> str:
        named = {**self.texts, **self.definitions}
        return ", ".join([*(f"{name} = {text}" for name, text in named.items()), *self.residue]) or "true"

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QueryAnswer) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __copy__(self) -> QueryAnswer:
        return self

    def __deepcopy__(self, memo: Any) -> QueryAnswer:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("an answer cannot be pickled, as it holds what was asked; its `to_dict()` is plain data")


class Ended(Exception):
    """A search for answers that came to a limit; what it says is the status."""


class Answers(Iterator[Any]):
    """A lazy iterator of answers. `status` says how it ended: "exhausted", a limit, or "" while there may be more.

    `names` are what the answers are about. `total` is the number of all answers where they are drawn at random,
    `optimum` what is least or greatest where that is asked for; both are known with the first answer.
    `limit` is the limit of `relaylogic.limits` that ended it, if one did; the status is then "unknown: time limit" and
    alike. `steps` is what the search for each answer may take. Threads may share it: each answer goes to one of them.
    """

    noun = ("answer", "answers")

    def __init__(
        self,
        node: Root | None,
        make: Callable[[Any], Any],
        limit: int | None,
        steps: int,
        search: Search,
        universe: Universe,
        outside: Callable[[], Sequence[str]] = tuple,
        names: tuple[str, ...] = (),
    ) -> None:
        self.names = names
        self.status = ""
        self.limit: LimitReached | None = None
        self._walked = 0
        self._ahead: deque[Any] = deque()  # answers that are still to be handed out
        self.total: int | None = None
        self.optimum: int | None = None
        self._universe = universe
        self._outside = outside
        self._node = node
        self._solver = None if node is None else node.solver
        self._budget = search.budget
        self._runs = self._walk()
        self._make = make
        self._lock = Turns()
        self._limit = limit
        self.steps = steps
        self.place_of: PlaceOf = lambda name: None

    def allow(self, times: int) -> None:
        """Allow so many times the steps of an answer from now on until the next one."""
        self._budget.grant(times * self.steps)

    def follow(self, node: Root, search: Search) -> None:
        """From now on the answers are those of `node`."""
        self._node = node
        self._solver = node.solver
        self._budget = search.budget

    def _walk(self) -> Iterator[list[Any]]:
        """The walks to the answers, in runs of such as need no more search."""
        return iter(()) if self._node is None else runs(self._node)

    @property
    def found(self) -> int:
        """How many answers were handed out."""
        return self._walked - len(self._ahead)

    @classmethod
    def stopped(cls, universe: Universe, reached: LimitReached) -> Answers:
        """No answers, since a limit was reached before the first could be looked for."""
        none = cls(None, lambda path: path, None, 0, Search(), universe)
        none.stop(reached)
        return none

    def __iter__(self) -> Answers:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a search for answers cannot be copied or pickled; `to_dict()` of an answer is plain data")

    def __repr__(self) -> str:
        about = ", ".join(self.names)
        return f"<{self.noun[1]} of {about}: {self.found} found, {self.status or 'there may be more'}>"

    @property
    def notes(self) -> list[str]:
        """What is known to lie outside of the universe, and what that was taken to be where its bounds do not say."""
        notes = [*self._outside(), *self._universe.notes(() if self._solver is None else self._solver.labelled)]
        if self._budget.cut == 2:
            notes.append(f"attributes that a rule must know were tried up to {MOST} above the least: see --max-attr")
        elif self._budget.cut:
            notes.append("of layouts, the orders of the operator's axes were tried, without blocks")
        if self._budget.short and self._universe.max_attr_length is None:
            notes.append(f"lists of attributes were tried up to {self._budget.short} elements: see --max-attr-length")
        return notes

    @property
    def endless(self) -> list[str]:
        """What is given values that have no last one, as far as was looked: then the answers may have no end."""
        return [] if self._solver is None else self._universe.endless(self._solver.endless)

    def __next__(self) -> Any:
        while True:
            try:
                if self._ahead:
                    return self._ahead.popleft()
            except IndexError:  # another thread has taken it
                pass
            self._look_on()

    def _look_on(self) -> None:
        """Have further answers to hand out. Raises StopIteration if there are none."""
        with self._lock:
            if self._ahead:  # another thread has looked
                return
            if self.status:
                raise StopIteration
            if self._limit is not None and self.found == self._limit:
                self.status = "answer limit"
                raise StopIteration
            try:
                run = governed(self._advance)
            except Ended as ended:
                self.status = str(ended)
                raise StopIteration from None
            except (StepLimit, RecursionError):
                self.status = "unknown: step limit"
                raise StopIteration from None
            except LimitReached as reached:
                self.stop(reached)
                raise StopIteration from None
            if run is None:
                # What stayed open may have had no answer beside it.
                is_open = self.found and self._solver is not None and self._solver.left
                self.status = LEFT_OPEN if is_open else "exhausted"
                raise StopIteration
            if self._limit is not None:
                run = run[: self._limit - self.found]
            self._walked += len(run)
            self._ahead.extend(map(self._make, run))

    def _advance(self) -> list[Any] | None:
        self._budget.grant(self.steps)
        try:
            return next(self._runs, None)
        except Unlisted as problem:
            raise located(problem, self.place_of) from None

    def stop(self, reached: LimitReached) -> None:
        """There are no more answers, because of a limit."""
        self.limit = reached
        self.status = f"unknown: {NAMES[reached.limit]}"
