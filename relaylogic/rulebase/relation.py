"""Relations made of named clauses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Protocol

from ..logic.constraints.premise import enclosed
from ..logic.constraints.unseen import Kept, KeptSigned, Undecided, Unseen
from ..logic.constraints.unseen_names import KeptName, UnseenName
from ..logic.states.calls import Call, Called
from ..logic.states.foreign import as_state
from ..logic.states.goals import Goal, Step, lall
from ..logic.states.state import State
from ..logic.states.suspended import settle
from ..logic.states.unknown import may_be_unknown
from ..logic.states.work import Work
from ..logic.terms.interning import HoldsRules
from ..logic.terms.look import Keeps, Shown, has, kept, looking
from ..logic.terms.mistakes import MISTAKES, blame
from ..logic.terms.rebuilding import reify_term
from ..types import show_type
from .open_attributes import Open, Spec, View

__all__ = ["Clause", "Relation"]


class Home(Protocol):
    """What a relation was loaded into."""

    def forget(self) -> None:
        """Drop what is known of calls already solved."""


class Clause:
    """One named case of a relation: a function from the arguments to a goal.

    `fact` are terms with slots, if the clause says nothing but that its arguments are an instance of them; `written`
    are these as they are written.
    """

    __slots__ = (
        "_source",
        "build",
        "doc",
        "fact",
        "file",
        "known",
        "line",
        "mentions",
        "name",
        "relation",
        "used",
        "written",
    )

    def __init__(self, relation: Relation, build: Callable[..., Goal], name: str = "", source: str = "") -> None:
        self.relation = relation
        self.build = build
        self.name = name or build.__name__
        # Most have none, which is looked for at length.
        self.doc = (inspect.getdoc(build) or "") if build.__doc__ else ""
        code = getattr(build, "__code__", None)
        self.file = code.co_filename if code is not None else ""
        self.line = code.co_firstlineno if code is not None else 0
        self._source = source
        self.fact: tuple[Any, ...] | None = None
        self.written: tuple[Any, ...] | None = None
        self.mentions: tuple[Any, ...] | None = None  # of what is not written in Python: relations, names, `?`
        self.known: Mapping[str, Relation] = {}  # the relations that are meant by these names
        self.used = 0

    def __repr__(self) -> str:
        return f"{self.relation.name}/{self.name}"

    @property
    def source(self) -> str:
        """The clause as it is written; nothing if its file has it."""
        written = self.written
        return self._source if written is None else f"{self.relation.name}({', '.join(map(show_type, written))})."

    def goal(self, arguments: tuple[Any, ...]) -> Goal:
        """The goal that this clause holds of the arguments; it counts its answers in `used`. It raises RuleError if
        the rule's own Python fails, when it makes the goal or when that runs."""

        lazily = not _MAY_KEEP.isdisjoint(map(type, arguments)) and has(arguments, Keeps)

        def run(state: Any) -> Iterator[Any]:
            state = as_state(state)
            state.search.budget.charge()
            if lazily:
                return self._lazily(arguments, state)
            return self._holding(state, *arguments)

        return run

    def _holding(self, state: State, *arguments: Any) -> Iterator[Any]:
        """The states in which the clause holds. Raises Look, at once."""
        budget = state.search.budget
        budget.misread = None
        try:
            body = self.build(*arguments)
            if not isinstance(body, Step):
                return self._counted(body(state), arguments, state)
            work = Work(state)
            new = work.finish() if body.run(work) else None
            if new is None and budget.misread is not None:
                self._check(arguments, state)
        except MISTAKES as problem:
            blame(self.relation.name, problem, self.build, self.name)
        if new is None:
            return iter(())
        self.used += 1
        return iter((new,))

    def _lazily(self, arguments: tuple[Any, ...], state: State) -> Iterator[Any]:
        """The states in which the clause holds of arguments that it may look at, and which are not all known."""
        attrs = arguments[-1]
        if type(attrs) is not Open:
            return looking(self._holding, arguments, state)
        attrs = attrs.around(arguments[:-1], state)
        found = looking(self._holding, (*arguments[:-1], attrs), state)
        return chain.from_iterable(map(attrs.valued, found))

    def _check(self, arguments: tuple[Any, ...], state: State) -> None:
        """Raise TypeError if the clause holds of nothing since it compares what can never be a number."""
        # What reads what is refused is loaded when something is.
        from .misread import misread

        if has(arguments, Shown):
            return
        reason = misread(state.search.budget.misread, reify_term(arguments, state.bindings))
        if reason:
            raise TypeError(reason)

    def _counted(self, found: Iterator[Any], arguments: tuple[Any, ...], state: State) -> Iterator[Any]:
        used = self.used
        try:
            for result in map(as_state, found):
                state.search.budget.charge()  # a goal in Python may give states for ever, and take no step itself
                self.used += 1
                yield result
            if self.used == used and state.search.budget.misread is not None:
                self._check(arguments, state)
        except MISTAKES as problem:
            blame(self.relation.name, problem, self.build, self.name)


class Relation(HoldsRules):
    """A relation on types: holds if one of its clauses does.

    Called on argument types (inputs first, the result last; attributes after them where the relation declares `attrs`)
    it gives a goal.
    """

    __slots__ = ("asked", "clauses", "doc", "file", "home", "kinds", "line", "name", "parameters", "row", "takes_attrs")

    def __init__(self, name: str, parameters: tuple[str, ...], doc: str = "", file: str = "", line: int = 0) -> None:
        self.takes_attrs = bool(parameters) and parameters[-1] == "attrs"
        self.parameters = parameters[:-1] if self.takes_attrs else parameters
        self.name = name
        self.doc = doc
        self.file = file
        self.line = line
        self.clauses: list[Clause] = []
        self.asked: tuple[Relation, Spec] | None = None  # of which relation it is which attributes are asked for
        self.kinds: tuple[str | None, ...] | None = None  # what each argument stands for, where clause notation says it
        self.home: Callable[[], Home | None] | None = None  # the rule base that it was loaded into
        self.row: Relation | None = None  # of what stands at the same places of its lists, counted from the end

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def arity(self) -> int:
        """The number of type arguments, the result included."""
        return len(self.parameters)

    def clause(self, build: Callable[..., Goal]) -> Callable[..., Goal]:
        """Decorator: add a clause, named after the function. Raises ValueError if the name is taken."""
        self.add(Clause(self, build))
        return build

    def from_the_end(self, row: Relation) -> None:
        """State what follows from the clauses, but from none alone: the lists that are related are rows of `row` from
        the end on, and the last of them is as long as any other.

        Where one of the others has ended, the row holds of some element in its place. Inference knows the ends of
        shapes by that whose ranks it does not know. A clause that is added later need not keep to it: then it is
        stated of none.
        """
        self.row = row

    def add(self, clause: Clause) -> None:
        """Add a clause. Raises ValueError if its name is taken.

        The rule base that the relation was loaded into drops what it knows of calls already solved. Where something
        else has asked a relation that is in no rule base, `RuleBase.forget` does so.
        """
        if any(known.name == clause.name for known in self.clauses):
            raise ValueError(f"{self.name} has a clause `{clause.name}` already")
        self.clauses.append(clause)
        self.row = None
        base = None if self.home is None else self.home()
        if base is not None:
            base.forget()

    def __call__(self, *arguments: Any) -> Goal:
        """The goal that the relation holds of the arguments."""
        if not _MAY_SHOW.isdisjoint(map(type, arguments)) and has(arguments, Shown):
            arguments = kept(arguments)

        call = Call.draft((self, *arguments))  # one: what is found out about it in one search serves the next

        def run(state: State) -> Iterator[Any]:
            if state.search.settles and not may_be_unknown(reify_term(arguments, state.bindings)):
                # Nobody will label what kanren's search leaves open: a number is not guessed to be `?`.
                search = state.search
                plain = State(state.bindings, state.store, search.but(settles=False, gradual=False))
                for clause in self.clauses:
                    for found in clause.goal(arguments)(plain):
                        yield from settle(State(found.bindings, found.store, search))
            elif state.search.trace is None:
                for clause in self.clauses:
                    yield from clause.goal(arguments)(state)
            else:
                for clause in self.clauses:
                    yield from enclosed((clause, arguments), clause.goal(arguments))(state)

        return Called(call, run)

    def asking(self, spec: Spec) -> Relation:
        """The relation of which the open attributes are arguments like any other, before the result."""
        first, result = self.parameters[:-1], self.parameters[-1]
        names = tuple(attribute.name for attribute in spec.open)
        made = Relation(self.name, (*first, *names, result), self.doc, self.file, self.line)
        made.asked = (self, spec)
        for clause in self.clauses:
            new = Clause(made, _asking(clause, len(first), spec), clause.name, clause.source)
            new.doc, new.file, new.line = clause.doc, clause.file, clause.line
            new.mentions = (self,)
            made.clauses.append(new)
        return made

    def cases(self, arguments: tuple[Any, ...], attrs: Any) -> list[tuple[str, Goal]]:
        """The clauses as named goals, each to be run on its own."""
        given = (*arguments, attrs) if self.takes_attrs else arguments
        return [(clause.name, enclosed((clause, given), clause.goal(given))) for clause in self.clauses]


def _asking(clause: Clause, inputs: int, spec: Spec) -> Callable[..., Goal]:
    def build(*arguments: Any) -> Goal:
        attrs = Open.make((spec, arguments[inputs:-1]))
        given = (*arguments[:inputs], arguments[-1])
        return clause.goal((*given, attrs)) if clause.relation.takes_attrs else lall(clause.goal(given), attrs.valued)

    return build


_MAY_KEEP = frozenset({tuple, Kept, KeptName, KeptSigned, Open})
_MAY_SHOW = frozenset({tuple, Undecided, Unseen, UnseenName, View})
