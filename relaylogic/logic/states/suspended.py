"""Goals that wait: primitives that run as soon as one of their arguments is known.

A goal whose outcome depends on a list that is still open cannot be run yet, and has several outcomes when it can. It is
a `Primitive` - a named relation of the engine - applied to terms. Suspended, it is a constraint like any other, a term
(`Suspended`): nothing is hidden in a closure, so what it touches, what it equals and how it reads are known.
`settle` runs what has become ready.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import isgeneratorfunction
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

from ..terms.interning import HoldsRules
from ..terms.look import Look, Shown, closed, has, kept, looking
from ..terms.mistakes import MISTAKES, blame
from ..terms.terms import Cons, Term, variables_of, walk
from ..terms.variables import VARIABLES
from .foreign import as_state, without_lists
from .state import Constraint, State
from .work import Work

__all__ = [
    "Fixed",
    "Primitive",
    "Suspended",
    "Word",
    "open_end",
    "primitive",
    "settle",
    "waiting_beside",
    "word",
]

Goal = Callable[[Any], Iterator[Any]]
_NOTHING: Mapping[Any, Any] = {}


Lengths = Callable[..., Iterable[tuple[tuple[Any, ...], tuple[Any, ...], int | None]]]
Contents = Callable[..., Iterable[tuple[tuple[Any, ...], tuple[Any, ...], bool]]]


class Fixed(NamedTuple):
    """A term that has one value where some are known, and others known to their length: `gives`, by the relation if
    there is one, if that is a function."""

    gives: Any
    known: tuple[Any, ...]
    counted: tuple[Any, ...] = ()
    relation: Any = None


Fixes = Callable[..., Iterable[Fixed]]
Narrows = Callable[..., bool]


def _nothing_said(*_: Any) -> Iterable[Any]:
    return ()


def _nothing_follows(*_: Any) -> bool:
    return True


def _nothing_told(*_: Any) -> bool:
    return False


class Primitive(HoldsRules):
    """A relation of the engine that waits for some of its arguments.

    `run(state, *arguments)` gives its outcomes; it is called as soon as an argument at one of the places `on` is known
    (a list: to its end), one at the place `empty` is the empty list, or that at the place `whole` is known in all its
    parts. `lists`: what it waits for are lists.
    `lengths(*arguments)` says how their lengths are related: those of some together are those of others and a number,
    or at most those of others (None).
    `contents(*arguments)` says what the lists hold: what some hold together, in any order, is what others do, or all of
    that is among it (False).
    `fixes(*arguments)` says which of them have one value where others are known.
    `narrows(work, *arguments)` draws what follows while it waits, and is false if it cannot hold; `told(work,
    *arguments)` is true once it says no more than what waits with it.
    `tries`: values for what it waits for, of which one may do where nobody asks which: with others of its kind it holds
    of some of these, or of nothing.
    """

    def __init__(
        self,
        name: str,
        on: slice,
        run: Callable[..., Iterator[Any]],
        lists: bool,
        empty: int | None = None,
        lengths: Lengths = _nothing_said,
        contents: Contents = _nothing_said,
        narrows: Narrows = _nothing_follows,
        tries: tuple[Any, ...] = (),
        whole: int | None = None,
        fixes: Fixes = _nothing_said,
        told: Narrows = _nothing_told,
    ) -> None:
        self.name = name
        self.on = on
        self.run = run
        self.lists = lists
        self.empty = empty
        self.lengths = lengths
        self.contents = contents
        self.narrows = narrows
        self.fixes = fixes
        self.told = told
        self.tries = tries
        self.whole = whole
        self.__doc__ = run.__doc__
        self.lazily: Primitive | None = None  # the same of what is kept of stand-ins, if it calls what may look
        self._generates = isgeneratorfunction(run)

    def __repr__(self) -> str:
        return self.name

    def ready(self, arguments: tuple[Any, ...], bindings: Mapping[Any, Any]) -> bool:
        """Whether some argument that is waited for is known."""
        if self.empty is not None and walk(arguments[self.empty], bindings) == ():
            return True
        if self.whole is not None and is_known_wholly(arguments[self.whole], bindings):
            return True
        return any(open_end(item, bindings) is None for item in arguments[self.on])

    def traced(self, state: State, *arguments: Any) -> Iterator[Any]:
        """Its outcomes; the trace is told if there are none, besides what it was told meanwhile."""
        none = True
        for outcome in self.run(state, *arguments):
            none = False
            yield outcome
        if none:
            state.search.trace.ended(Suspended.draft((self, *arguments)), state.bindings)

    def __call__(self, *arguments: Any) -> Goal:
        """The goal that the primitive holds of the arguments, now or when they are known."""
        arguments = without_lists(arguments)

        def goal(state: Any) -> Iterator[Any]:
            state = as_state(state)
            try:
                if self.ready(arguments, state.bindings):
                    if self._generates and has(arguments, Shown):
                        raise Look
                    state.search.budget.charge()
                    if state.search.trace is not None:
                        return self.traced(state, *arguments)
                    return self.run(state, *arguments)
                work = Work(state)
                if not work.post(Suspended.draft((self, *arguments))):
                    return iter(())
            except Look:
                if self.lazily is not None:
                    return self.lazily(*kept(arguments))(state)
                named: list[Any] = []
                terms = closed(arguments, named)
                work = Work(state)
                equal = work.finish() if all(map(work.post, named)) else None
                return iter(()) if equal is None else self(*terms)(equal)
            new = work.finish()
            return iter(() if new is None else (new,))

        return goal


class Suspended(Constraint):
    """A primitive, applied to arguments, that waits. The search runs it (`settle`)."""

    __slots__ = ()
    MAY_HOLD_RULES = True

    @property
    def primitive(self) -> Primitive:
        """What waits."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What it relates."""
        return self.args[1:]

    def __repr__(self) -> str:
        return f"{self.primitive.name}({', '.join(map(str, self.arguments))})"

    def propagate(self, work: Work) -> bool | None:
        """Wait, and draw what follows meanwhile."""
        if not self.primitive.narrows(work, *self.arguments):
            return False
        if self.primitive.told(work, *self.arguments):
            return True
        if work.running is None and self.primitive.lists:  # it is new
            for end in {open_end(items, work.bindings) for items in self.waits_for()} - {None}:
                work.look_again(end, _waits_for_lists)
        return None

    def waits_for(self) -> tuple[Any, ...]:
        """The arguments of which one must be known."""
        return self.arguments[self.primitive.on]

    def ready(self, bindings: Mapping[Any, Any]) -> bool:
        """Whether it can run now."""
        return self.primitive.ready(self.args[1:], bindings)

    def run(self, state: State) -> Iterator[Any]:
        """Its outcomes. Raises RuleError if goals of a function of a rule's own fail."""
        try:
            run = self.primitive.run if state.search.trace is None else self.primitive.traced
            yield from run(state, *self.arguments)
        except MISTAKES as problem:
            made_by = next((item for item in self.arguments if type(item) is Word), None)
            if made_by is None:
                raise
            made_by.blame(problem)


def _waits_for_lists(constraint: Any) -> bool:
    return type(constraint) is Suspended and constraint.primitive.lists


def open_end(item: Any, bindings: Mapping[Any, Any] = _NOTHING) -> Any:
    """The variable that keeps a term or list open at its end, or None."""
    item = walk(item, bindings)
    while type(item) is Cons:
        item = walk(item.tail, bindings)
    return item if type(item) in VARIABLES else None


def waiting_beside(lists: Iterable[Any], name: str, work: Work) -> list[Suspended]:
    """The goals of the primitive of that name, besides the one that runs, that wait for one of some lists."""
    ends = dict.fromkeys(open_end(items, work.bindings) for items in lists)
    beside = dict.fromkeys(other for end in ends if end is not None for other in work.beside(end))
    return [other for other in beside if type(other) is Suspended and other.primitive.name == name]


def is_known_wholly(item: Any, bindings: Mapping[Any, Any]) -> bool:
    """Whether nothing in a term, or in what a rule is shown of it, is open."""
    return not has(item, Shown) and not variables_of(item, bindings)


def primitive(
    name: str,
    first: int,
    stop: int | None = None,
    *,
    lists: bool = False,
    empty: int | None = None,
    lengths: Lengths = _nothing_said,
    contents: Contents = _nothing_said,
    narrows: Narrows = _nothing_follows,
    looks: bool = False,
    tries: tuple[Any, ...] = (),
    whole: int | None = None,
    fixes: Fixes = _nothing_said,
    told: Narrows = _nothing_told,
) -> Callable[[Callable[..., Iterator[Any]]], Primitive]:
    """Decorator: the primitive `name` of a function from a state and arguments to states.

    It waits for one of the arguments from place `first` up to `stop` (all that follow if None), `lists` or not, for the
    one at the place `empty` to be the empty list, or for that at the place `whole`. For the others, see `Primitive`.
    `looks`: it calls a function of a rule, which may look at the other arguments.
    """

    def made(run: Callable[..., Iterator[Any]]) -> Primitive:
        waits = slice(first, stop)
        found = Primitive(name, waits, run, lists, empty, lengths, contents, narrows, tries, whole, fixes, told)
        if looks:
            asks = _looking(run)
            about = (lengths, contents, narrows, (), whole, fixes, told)
            found.lazily = Primitive(name, waits, asks, lists, empty, *about)
        return found

    return made


def _looking(run: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    def ask(state: State, *arguments: Any) -> Iterator[Any]:
        return looking(run, arguments, state)

    ask.__doc__ = run.__doc__
    return ask


class Word(HoldsRules, Term):
    """A function that makes goals, as a term: equal to any other of the same code and module.

    Of one module in one process there is one function of each code, so the function that is found is the right one.
    """

    __slots__ = ("function",)
    function: Callable[..., Goal]

    def __call__(self, *arguments: Any) -> Goal:
        """The goal. Raises RuleError if the function fails."""
        try:
            return self.function(*arguments)
        except MISTAKES as problem:
            self.blame(problem)

    def blame(self, problem: BaseException) -> NoReturn:
        """Raise what the function, or a goal that it made, has raised: as an error about it if that is its fault."""
        blame(self.function.__name__, problem, self.function)

    def __repr__(self) -> str:
        return self.function.__name__

    __str__ = __repr__


def word(relate: Any) -> Any:
    """`relate`, a relation or a function that makes goals, as part of a suspended goal.

    Raises TypeError for a function that holds variables of its own: what it needs is to be passed to it.
    """
    if not isinstance(relate, FunctionType):
        return relate
    if relate.__closure__:
        held = ", ".join(relate.__code__.co_freevars)
        raise TypeError(
            f"`{relate.__name__}` may have to wait, and holds {held}: pass that as further arguments, "
            "so that what the goal relates can be seen"
        )
    made = Word.make((relate.__module__, relate.__code__, relate.__defaults__, _keywords(relate)))
    if not hasattr(made, "function"):
        made.function = relate
    return made


def _keywords(relate: FunctionType) -> tuple[Any, ...]:
    return tuple(sorted((relate.__kwdefaults__ or {}).items()))


def settle(state: State) -> Iterator[State]:
    """The states that follow from running the suspended goals that are ready."""
    if Suspended not in state.kinds():
        yield state
        return
    stack: list[Iterator[Any]] = [iter((state,))]
    while stack:
        following = next(stack[-1], None)
        if following is None:
            stack.pop()
            continue
        current = as_state(following)
        number = _ready(current)
        if number is None:
            yield current
            continue
        current.search.budget.charge()
        assert current.store is not None
        store = current.store.copy()
        waiting = store.constraints.pop(number)
        stack.append(waiting.run(State(current.bindings, store, current.search)))


def _ready(state: State) -> int | None:
    store = state.store
    if store is not None:
        for number, constraint in store.constraints.items():
            if type(constraint) is Suspended and constraint.ready(state.bindings):
                return number
    return None
