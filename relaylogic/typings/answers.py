"""Answers: values for names, with the constraints that are left; and how a search for them ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..clauses.show import Namer, show_constraint, show_term
from ..logic.branching import Root
from ..logic.circuit import Filled, answers
from ..logic.control import Search, StepLimit
from ..logic.goals import Goal
from ..logic.terms import Term
from ..types.universe import Universe
from .proof import prove

__all__ = ["Answers", "QueryAnswer", "Stopped"]


class QueryAnswer:
    """One answer: `bindings` from names to terms, `residue` in clause notation. Worked out when it is looked at."""

    __slots__ = ("_filled", "_names", "_path", "_shown", "_source", "kinds")

    def __init__(self, path: Any, names: tuple[str, ...], kinds: tuple[Any, ...], source: Callable[[Any], Any]) -> None:
        self._path = path
        self._names = names
        self.kinds = kinds
        self._source = source
        self._filled: Filled | None = None
        self._shown: Namer | None = None

    @property
    def _answer(self) -> Filled:
        if self._filled is None:
            self._filled = Filled(self._path, len(self._names))
        return self._filled

    @property
    def _namer(self) -> Namer:
        if self._shown is None:
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
        shown = {key: show_term(term, name) for key, term in self.bindings.items()}
        return {key: text for key, text in shown.items() if text != key}

    @property
    def residue(self) -> tuple[str, ...]:
        """What must hold of the open variables, in clause notation."""
        name = self._namer
        return tuple(dict.fromkeys(show_constraint(c, name) for c in self._answer.residue))

    @property
    def size(self) -> tuple[Any, ...]:
        """What puts a smaller answer before a larger one: the lengths of its lists, then its numbers in order."""
        lengths, numbers = 0, []
        stack = list(reversed(self._answer.terms))
        while stack:
            item = stack.pop()
            if type(item) is int:
                numbers.append(item)
            elif type(item) is tuple:
                lengths += len(item)
                stack.extend(reversed(item))
            elif isinstance(item, Term):
                stack.extend(reversed(item.args))
        return lengths, numbers, len(self._answer.residue)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that gave the answer, as `Relation/clause`, in the order in which they were used."""
        return tuple(f"{relation}/{clause}" for relation, clause in self._answer.steps)

    def explain(self) -> str:
        """How the answer follows: a proof tree; for an answer that is still constrained, the clauses that gave it."""
        if not self._answer.residue:
            proofs = prove(self._goal())
            if proofs is not None:
                return "\n".join(map(str, proofs)) or "true"
        return "\n".join(self.clauses) or "true"

    def _goal(self) -> Goal:
        """The question with the answer put in."""
        return self._source(self._answer.terms)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        parts = [f"{name} = {text}" for name, text in self.texts.items()]
        return ", ".join([*parts, *self.residue]) or "true"

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QueryAnswer) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class Stopped(Exception):
    """A search for answers that came to a limit; what it says is the status."""


class Answers(Iterator[Any]):
    """A lazy iterator of answers. `status` says how it ended: "exhausted", a limit, or "" while there may be more.

    `names` are what the answers are about. `total` is the number of all answers where they are drawn at random,
    `optimum` what is least or greatest where that is asked for; both are known with the first answer.
    """

    def __init__(
        self,
        node: Root,
        make: Callable[[Any], Any],
        limit: int | None,
        steps: int,
        search: Search,
        universe: Universe,
        outside: Sequence[str] = (),
        names: tuple[str, ...] = (),
    ) -> None:
        self.names = names
        self.status = ""
        self.found = 0
        self.total: int | None = None
        self.optimum: int | None = None
        self._universe = universe
        self._outside = outside
        self.follow(node, search)
        self._paths = self._walk()
        self._make = make
        self._limit = limit
        self._steps = steps

    def follow(self, node: Root, search: Search) -> None:
        """The answers are those of `node`."""
        self._node = node
        self._solver = node.solver
        self._budget = search.budget

    def _walk(self) -> Iterator[Any]:
        """The walks to the answers."""
        return answers(self._node)

    def __iter__(self) -> Answers:
        return self

    @property
    def notes(self) -> list[str]:
        """What is known to lie outside of the universe, and what that was taken to be where its bounds do not say."""
        return [*self._outside, *self._universe.notes(self._solver.labelled)]

    @property
    def endless(self) -> list[str]:
        """What is given values that have no last one, as far as was looked: then the answers may have no end."""
        return self._universe.endless(self._solver.endless)

    def __next__(self) -> Any:
        if self.status:
            raise StopIteration
        if self.found == self._limit:
            self.status = "answer limit"
            raise StopIteration
        try:
            self._budget.left = self._steps
            path = next(self._paths)
        except StopIteration:
            self.status = "exhausted"
            raise
        except Stopped as stopped:
            self.status = str(stopped)
            raise StopIteration from None
        except (StepLimit, RecursionError):
            self.status = "unknown: step limit"
            raise StopIteration from None
        self.found += 1
        return self._make(path)
