"""Goals on lists: length, append, slices, element-wise relations.

A goal whose lists are known enough has finitely many answers and gives them at once. One that is not suspends: as a
constraint if it has at most one outcome (`Length`), else as a `Delayed` goal, which the search runs when a variable
that it waits for is bound (`relaylogic.logic.search.settle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from unification import Var

from .arithmetic import Post
from .goals import Goal, Step, conjoin, eq, goal, lall
from .state import State, Work, as_state
from .terms import Cons, cons, reify_term, variables_of, walk
from .variables import fresh, fresh_list

__all__ = [
    "Delayed",
    "appendo",
    "conso",
    "differ",
    "distincto",
    "forallo",
    "inserto",
    "lengtho",
    "mapo",
    "membero",
    "ntho",
    "permuteo",
    "pluck",
    "replaceo",
    "reverseo",
    "same_lengtho",
    "when",
]


class Length:
    """A list has so many elements."""

    __slots__ = ("items", "length")

    def __init__(self, items: Any, length: Any) -> None:
        self.items = items
        self.length = length

    def __repr__(self) -> str:
        return f"len({self.items}) = {self.length}"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The open tail and the length."""
        items = reify_term(self.items, bindings)
        tail = items.tail if type(items) is Cons else items
        return [v for v in (tail, walk(self.length, bindings)) if type(v) is Var]

    def reified(self, bindings: Mapping[Any, Any]) -> Length:
        """The constraint with bound variables replaced."""
        return Length(reify_term(self.items, bindings), reify_term(self.length, bindings))

    def propagate(self, work: Work) -> bool | None:
        """Count, or make a list of that length; else the length is at least that of the known prefix."""
        items = reify_term(self.items, work.bindings)
        if type(items) is tuple:
            return work.unify(self.length, len(items))
        length = work.walk(self.length)
        if type(items) not in (Var, Cons):
            return False
        if type(length) is int:
            return work.unify(items, fresh_list(length)) if length >= 0 else False
        if type(length) is not Var:
            return False
        if type(items) is Cons and not work.narrow(length, len(items.prefix), None):
            return False
        store = work.store
        bounds = None if store is None else store.bounds.get(length)
        if bounds is not None and type(items) is Var and bounds[0] > 0:
            return work.unify(items, cons(fresh_list(bounds[0]), fresh())) and None
        return None


class SameLength:
    """Some lists have equally many elements."""

    __slots__ = ("lists",)

    def __init__(self, lists: tuple[Any, ...]) -> None:
        self.lists = lists

    def __repr__(self) -> str:
        return " = ".join(f"len({items})" for items in self.lists)

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The open ends."""
        return [v for v in (_end(items, bindings) for items in self.lists) if v is not None]

    def reified(self, bindings: Mapping[Any, Any]) -> SameLength:
        """The constraint with bound variables replaced."""
        return SameLength(reify_term(self.lists, bindings))

    def propagate(self, work: Work) -> bool | None:
        """As soon as one length is known, all lists have it."""
        count = None
        for items in self.lists:
            known = reify_term(items, work.bindings)
            if type(known) is tuple:
                if count is not None and len(known) != count:
                    return False
                count = len(known)
            elif type(known) not in (Var, Cons):
                return False
        if count is None:
            return None
        return all(
            type(reify_term(items, work.bindings)) is tuple or work.unify(items, fresh_list(count))
            for items in self.lists
        )


class Delayed:
    """A goal that waits until one of some variables is bound, then is run by the search.

    `on` are the terms it waits for, `stated` all the terms that it relates, for those who read it.
    """

    __slots__ = ("goal", "name", "on", "stated", "woken")

    def __init__(
        self, name: str, on: tuple[Any, ...], run: Goal, woken: bool = False, stated: tuple[Any, ...] | None = None
    ) -> None:
        self.name = name
        self.on = on
        self.goal = run
        self.woken = woken
        self.stated = on if stated is None else stated

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.stated))})"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables among those waited for."""
        return [v for v in (_end(item, bindings) for item in self.on) if v is not None]

    def reified(self, bindings: Mapping[Any, Any]) -> Delayed:
        """The goal over terms with bound variables replaced."""
        stated = reify_term(self.stated, bindings)
        return Delayed(self.name, reify_term(self.on, bindings), self.goal, self.woken, stated)

    def propagate(self, work: Work) -> bool | None:
        """Never decides by itself: the search looks at `ready`."""
        return None

    def ready(self, bindings: Mapping[Any, Any]) -> bool:
        """Whether some term that was waited for is known now."""
        return any(_end(item, bindings) is None for item in self.on)


def _end(item: Any, bindings: Mapping[Any, Any]) -> Any:
    """The variable that keeps a term or list open at its end, or None."""
    item = walk(item, bindings)
    while type(item) is Cons:
        item = walk(item.tail, bindings)
    return item if type(item) is Var else None


def when(name: str, items: tuple[Any, ...], run: Goal, stated: tuple[Any, ...] | None = None) -> Goal:
    """`run`, as soon as at least one of `items` is known (a list: to its end); until then it is suspended.

    Suspended, it is shown as `name(*stated)`.
    """

    def delayed(state: Any) -> Iterator[Any]:
        state = as_state(state)
        if any(_end(item, state.bindings) is None for item in items):
            return run(state)
        work = Work(state)
        work.suspend(Delayed(name, items, run, stated=stated))
        new = work.finish()
        return iter(() if new is None else (new,))

    return delayed


def lengtho(items: Any, length: Any) -> Step:
    """The goal that the list `items` has `length` elements."""
    return Post(Length(items, length))


def same_lengtho(*lists: Any) -> Step:
    """The goal that all lists have equally many elements."""
    return Post(SameLength(lists))


def conso(head: Any, tail: Any, items: Any) -> Goal:
    """The goal that `items` is the list of `head` followed by the list `tail`."""

    def cell(work: Work) -> bool:
        rest = work.walk(tail)
        return work.unify(items, cons((head,), rest)) if type(rest) in (tuple, Cons, Var) else False

    return goal(cell)


def appendo(front: Any, back: Any, whole: Any) -> Goal:
    """The goal that the list `whole` is `front` followed by `back`."""

    def split(state: State) -> Iterator[Any]:
        bindings = state.bindings
        a, b, c = (reify_term(x, bindings) for x in (front, back, whole))
        if type(a) is tuple:
            if type(b) in (tuple, Cons, Var) or not a:
                yield from eq(whole, cons(a, b))(state)
        elif type(c) is tuple:
            if type(b) is tuple:
                cut = len(c) - len(b)
                if cut >= 0:
                    yield from eq((a, b), (c[:cut], c[cut:]))(state)
                return
            for cut in range(len(c) + 1):
                yield from eq((a, b), (c[:cut], c[cut:]))(state)
        elif type(a) in (Var, Cons):
            # `whole` is rigid: a list of which nobody knows the elements, so nothing can be split off.
            yield from eq((a, b), ((), c))(state)
        else:
            yield from eq((b, whole), ((), a))(state)

    return when("append", (front, whole), split, (front, back, whole))


def reverseo(items: Any, reversed_items: Any) -> Goal:
    """The goal that one list is the other backwards."""

    def turn(state: State) -> Iterator[Any]:
        a, b = (reify_term(x, state.bindings) for x in (items, reversed_items))
        if type(a) is tuple:
            return eq(b, a[::-1])(state)
        return eq(a, b[::-1])(state) if type(b) is tuple else iter(())

    return when("reverse", (items, reversed_items), turn)


def ntho(items: Any, index: int, element: Any) -> Goal:
    """The goal that `element` stands at `index` (known; from the end if negative) of the list `items`."""
    if index >= 0:
        return eq(items, cons((*fresh_list(index), element), fresh()))

    def from_end(state: State) -> Iterator[Any]:
        known = reify_term(items, state.bindings)
        return eq(known[index], element)(state) if type(known) is tuple and len(known) >= -index else iter(())

    return when("nth", (items,), from_end, (items, index, element))


def replaceo(items: Any, index: int, element: Any, result: Any) -> Goal:
    """The goal that `result` is `items` with `element` at `index` (known; from the end if negative)."""

    def put(state: State) -> Iterator[Any]:
        a, b = (reify_term(x, state.bindings) for x in (items, result))
        count = next((len(x) for x in (a, b) if type(x) is tuple), 0)
        at = index + count if index < 0 else index
        if not 0 <= at < count:
            return iter(())
        front, back = fresh_list(at), fresh_list(count - at - 1)
        return eq((items, result), ((*front, fresh(), *back), (*front, element, *back)))(state)

    return when("replace", (items, result), put, (items, index, element, result))


def inserto(items: Any, index: int, inserted: tuple[Any, ...], result: Any) -> Goal:
    """The goal that `result` is `items` with the elements `inserted` before position `index` (known, not negative)."""
    front, back = fresh_list(index), fresh()
    return lall(eq(items, cons(front, back)), eq(result, cons((*front, *inserted), back)))


def permuteo(items: Any, order: tuple[int, ...], result: Any) -> Goal:
    """The goal that `result[i]` is `items[order[i]]` for a known permutation of 0..n-1."""
    elements = fresh_list(len(order))
    return lall(eq(items, elements), eq(result, tuple(elements[i] for i in order)))


def pluck(items: Any, indices: tuple[int, ...], picked: Any) -> Goal:
    """The goal that `picked` holds the elements of `items` at the known, non-negative `indices`."""
    longest = max(indices, default=-1) + 1
    front = fresh_list(longest)
    return lall(eq(items, cons(front, fresh())), eq(picked, tuple(front[i] for i in indices)))


def mapo(relate: Callable[..., Goal], *lists: Any) -> Goal:
    """The goal that `relate` holds of the first elements of all lists, of the second ones ...; equal lengths."""

    def rows(state: State) -> Iterator[Any]:
        known = [reify_term(items, state.bindings) for items in lists]
        count = next((len(items) for items in known if type(items) is tuple), None)
        if count is None:
            return iter(())
        columns = [items if type(items) is tuple else fresh_list(count) for items in known]
        if any(len(column) != count for column in columns):
            return iter(())
        goals: list[Goal] = [eq(a, b) for a, b in zip(known, columns, strict=True) if a is not b]
        goals += [relate(*row) for row in zip(*columns, strict=True)]
        return conjoin(goals, state)

    return when("map", lists, rows, (_name_of(relate), *lists))


def _name_of(relate: Any) -> str:
    """What a relation or function is called; a nameless one by its place in the program."""
    name = str(getattr(relate, "name", None) or getattr(relate, "__name__", ""))
    return name if name.isidentifier() else "relation"


def forallo(check: Callable[[Any], Goal], items: Any) -> Goal:
    """The goal that `check` holds of every element of a list."""
    return mapo(check, items)


def membero(element: Any, items: Any) -> Goal:
    """The goal that `element` is one of the elements of `items`; one answer for each place."""

    def places(state: State) -> Iterator[Any]:
        known = reify_term(items, state.bindings)
        for item in known if type(known) is tuple else ():
            yield from eq(element, item)(state)

    return when("member", (items,), places, (element, items))


class Different:
    """Two terms are not equal."""

    __slots__ = ("left", "right")

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right

    def __repr__(self) -> str:
        return f"{self.left} != {self.right}"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The variables that keep the terms apart from being equal or different."""
        return variables_of((self.left, self.right), bindings)

    def reified(self, bindings: Mapping[Any, Any]) -> Different:
        """The constraint with bound variables replaced."""
        return Different(reify_term(self.left, bindings), reify_term(self.right, bindings))

    def propagate(self, work: Work) -> bool | None:
        """Holds if they cannot be unified, fails if they are equal already."""
        trial = Work(State(work.bindings))
        if not trial.unify(self.left, self.right):
            return True
        return None if trial.owned else False


def differ(left: Any, right: Any) -> Step:
    """The goal that two terms are not equal (disequality)."""
    return Post(Different(left, right))


def distincto(items: Any) -> Goal:
    """The goal that the elements of a list are pairwise different."""

    def pairs(state: State) -> Iterator[Any]:
        known = reify_term(items, state.bindings)
        if type(known) is not tuple:
            return iter(())
        return conjoin([differ(a, b) for i, a in enumerate(known) for b in known[i + 1 :]], state)

    return when("distinct", (items,), pairs)
