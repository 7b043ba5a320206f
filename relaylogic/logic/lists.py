"""Goals on lists: length, append, slices, element-wise relations.

A goal whose lists are known enough has finitely many answers and gives them at once. One that is not suspends: as a
constraint if it has at most one outcome (`Length`), else as a `Primitive` applied to its arguments, which the search
runs when a list that it waits for is known (`relaylogic.logic.suspended`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any

from .comparisons import Post, equals, leo
from .exact import exact
from .goals import Goal, Step, conjoin, eq, goal, lall
from .least import LISTED, as_long, beginning, begun, has_at_least
from .look import Shown, has
from .overlaps import overlap
from .state import Constraint, State
from .suspended import Fixed, Suspended, primitive, word
from .terms import Cons, Symbol, cons, fresh, fresh_list, reify_term
from .variables import VARIABLES
from .work import Work

__all__ = [
    "AtLeast",
    "Different",
    "Length",
    "PutOff",
    "SameLength",
    "appendo",
    "as_soon",
    "at_leasto",
    "conso",
    "differ",
    "distincto",
    "equally_long",
    "inserto",
    "later",
    "lazily",
    "lengtho",
    "membero",
    "ntho",
    "permuteo",
    "pluck",
    "replaceo",
    "reverseo",
    "same_lengtho",
    "unroll",
]


FEW = 8
"""So many first elements of lists are compared while goals wait for the lists."""


class Length(Constraint):
    """`items` has `length` elements."""

    __slots__ = ()

    @property
    def items(self) -> Any:
        """The list."""
        return self.args[0]

    @property
    def length(self) -> Any:
        """The number of its elements."""
        return self.args[1]

    def __repr__(self) -> str:
        return f"len({self.items}) = {self.length}"

    def propagate(self, work: Work) -> bool | None:
        """Count, or make a list of that length; else the length is at least that of the known prefix."""
        items = reify_term(self.items, work.bindings)
        if type(items) is tuple:
            return work.unify(self.length, len(items))
        length = work.walk(self.length)
        if type(items) not in (*VARIABLES, Cons):
            return False
        if type(length) is int:
            return work.unify(items, fresh_list(length)) if length >= 0 else False
        if type(length) not in VARIABLES:
            return False
        if type(items) is Cons and not work.narrow(length, len(items.prefix), None):
            return False
        store = work.store
        bounds = None if store is None else store.bounds.get(length)
        return None if bounds is None or has_at_least(items, bounds[0], work) else False


class SameLength(Constraint):
    """Some lists have equally many elements."""

    __slots__ = ()

    @property
    def lists(self) -> tuple[Any, ...]:
        """The lists."""
        return self.args

    def __repr__(self) -> str:
        return ", ".join(f"len({a}) = len({b})" for a, b in pairwise(self.args))

    def propagate(self, work: Work) -> bool | None:
        """As soon as one length is known, all lists have it; before, all have as many first elements.

        Nothing but a rigid end itself has as many elements: it is that of all lists, behind equally many.
        """
        count = None
        rigid: set[tuple[Any, int]] = set()
        for items in self.lists:
            known = reify_term(items, work.bindings)
            if type(known) is tuple:
                if count is not None and len(known) != count:
                    return False
                count = len(known)
            elif type(known) not in (*VARIABLES, Cons) and not isinstance(known, Symbol):
                return False
            elif _ends_rigid(known):
                rigid.add((known.tail, len(known.prefix)) if type(known) is Cons else (known, 0))
        if rigid:
            if count is not None or len(rigid) > 1:
                return False
            ((end, first),) = rigid
            return all(work.unify(items, cons(fresh_list(first), end)) for items in self.lists)
        if count is None:
            return self._said_once(work) if as_long(work, self.lists) else False
        return all(
            type(reify_term(items, work.bindings)) is tuple or work.unify(items, fresh_list(count))
            for items in self.lists
        )

    def _said_once(self, work: Work) -> bool | None:
        """Wait, without the lists that are as long as others of these by what else is said, or are one list."""
        reached: set[Any] = set()
        apart = []
        for items, end in zip(self.lists, self._ends(work), strict=True):
            if end not in reached:
                apart.append(items)
                self._reach(end, reached, work)
        if len(apart) == len(self.lists):
            return None
        return len(apart) < 2 or work.replace(SameLength.draft(tuple(apart)))

    def _ends(self, work: Work) -> list[Any]:
        """The open ends of the lists, behind equally many elements; one that is behind more counts for itself."""
        begun_so = [begun(items, work) for items in self.lists]
        least = min(count for count, _ in begun_so)
        return [end if count == least else (count, end) for count, end in begun_so]

    def _reach(self, end: Any, reached: set[Any], work: Work) -> None:
        """Add the ends of lists that others say are as long."""
        stack = [end]
        while stack:
            end = stack.pop()
            if end not in reached:
                reached.add(end)
                stack.extend(e for other in work.beside(end) if type(other) is SameLength for e in other._ends(work))


class AtLeast(Constraint):
    """A list is no shorter than a number, if that is known now; what is not listed for that must be said besides."""

    __slots__ = ()

    def propagate(self, work: Work) -> bool:
        """List the elements; never waits."""
        items, number = self.args
        return type(number) is not int or has_at_least(items, number, work)


def lengtho(items: Any, length: Any) -> Goal:
    """The goal that the list `items` has `length` elements."""
    if type(length) is int or type(length) in VARIABLES:
        return Post(Length.draft((items, length)))
    count = fresh()  # it is an expression, or an attribute that is not known
    return lall(Post(Length.draft((items, count))), equals(count, length))


def same_lengtho(*lists: Any) -> Step:
    """The goal that all lists have equally many elements."""
    return Post(SameLength.draft(lists))


def at_leasto(items: Any, number: Any) -> Goal:
    """The goal that the list `items` has at least `number` elements.

    A list of which it is known is open behind so many, unless these are more than any list has that is meant.
    """
    known = Post(AtLeast.draft((items, number)))
    if type(number) is int and number <= LISTED:
        return known
    length = fresh()
    return lall(known, lengtho(items, length), leo(number, length))


def conso(head: Any, tail: Any, items: Any) -> Goal:
    """The goal that `items` is the list of `head` followed by the list `tail`.

    kanren's makes a `ConsPair`, which becomes an open list when a goal of ours meets it, and takes 1.5 times as long.
    """

    def cell(work: Work) -> bool:
        rest = work.walk(tail)
        return work.unify(items, cons((head,), rest)) if type(rest) in (tuple, Cons, *VARIABLES) else False

    return goal(cell)


def equally_long(*lists: Any) -> list[Any]:
    """What `primitive` is told of the lengths of lists that are equal."""
    return [((lists[0],), (other,), 0) for other in lists[1:]]


def _put_together(work: Work, front: Any, whole: Any, back: Any) -> bool:
    """Lists of which one begins with the other have the same first elements, as far as both have some; what is put
    together of the same two is the same, or makes up the same with one of them; and see `overlap`.

    (It is looked at a few elements only, and at what is one list at a glance: many goals may wait for long lists.)
    """
    own = work.walk(front), work.walk(whole), work.walk(back)
    if type(own[0]) is Cons and type(own[1]) is Cons:
        first, others = beginning(own[0], work, FEW), beginning(own[1], work, FEW)
        both = min(len(first), len(others))
        if not work.unify(first[:both], others[:both]):
            return False
    beside = [other for end in own if type(end) in VARIABLES for other in work.beside(end)]
    for other in beside:
        if not isinstance(other, Suspended) or other.primitive is not _append:
            continue
        theirs = [work.walk(argument) for argument in other.arguments]
        same = [mine is its for mine, its in zip(own, theirs, strict=True)]
        if same.count(True) == 2 and not work.unify(own, tuple(theirs)):
            return False
    return overlap(work, *own)


def _ends_rigid(items: Any) -> bool:
    """Whether a list that is no tuple has no open end."""
    return type(items.tail if type(items) is Cons else items) not in VARIABLES


@primitive(
    "append",
    0,
    2,
    lists=True,
    empty=2,
    contents=lambda a, c, b: [((a, b), (c,), True)],
    fixes=lambda a, c, b: [Fixed(c, (a, b)), Fixed((a, b), (c,), (a,)), Fixed((a, b), (c,), (b,))],
    narrows=_put_together,
)
def _append(state: State, front: Any, whole: Any, back: Any) -> Iterator[Any]:
    bindings = state.bindings
    a, b, c = (reify_term(x, bindings) for x in (front, back, whole))
    if b == ():
        yield from eq(a, c)(state)
    elif type(a) is tuple:
        if type(b) in (tuple, Cons, *VARIABLES) or isinstance(b, Symbol) or not a:
            yield from eq(whole, cons(a, b))(state)
    elif type(c) is tuple:
        if type(b) is tuple:
            cut = len(c) - len(b)
            if cut >= 0:
                yield from eq((a, b), (c[:cut], c[cut:]))(state)
            return
        for cut in range(len(c) + 1):
            yield from eq((a, b), (c[:cut], c[cut:]))(state)
    elif _ends_rigid(a):
        yield from eq((b, whole), ((), a))(state)
    else:
        # `whole` has a rigid end: a list of which nobody knows the elements, so that is not split.
        known, end = (c.prefix, c.tail) if type(c) is Cons else ((), c)
        for cut in range(len(known) + 1):
            yield from eq((a, b), (known[:cut], cons(known[cut:], end)))(state)
        yield from eq((a, b), (c, ()))(state)


def appendo(front: Any, back: Any, whole: Any) -> Goal:
    """The goal that the list `whole` is `front` followed by `back`.

    It waits for one end of a list, unless `back` is empty. kanren's guesses lists without end if none is known, and
    reifies what is left at each element: 40 times the time to part a list of 20 elements, 250 times to join two.
    """
    return _append(front, whole, back)


@primitive(
    "reverse",
    0,
    lists=True,
    contents=lambda a, b: [((a,), (b,), True)],
    fixes=lambda a, b: [Fixed(b, (a,)), Fixed(a, (b,))],
    narrows=lambda work, a, b: as_long(work, (a, b)),
)
def reverseo(state: State, items: Any, reversed_items: Any) -> Iterator[Any]:
    """The goal that one list is the other backwards."""
    a, b = (reify_term(x, state.bindings) for x in (items, reversed_items))
    if type(a) is tuple:
        return eq(b, a[::-1])(state)
    return eq(a, b[::-1])(state) if type(b) is tuple else iter(())


@primitive(
    "nth",
    0,
    1,
    lists=True,
    contents=lambda items, _, element: [(((element,),), (items,), False)],
    fixes=lambda items, _, element: [Fixed(element, (items,))],
    narrows=lambda work, items, index, _: has_at_least(items, -index, work),
)
def _nth_from_end(state: State, items: Any, index: int, element: Any) -> Iterator[Any]:
    known = reify_term(items, state.bindings)
    return eq(known[index], element)(state) if type(known) is tuple and len(known) >= -index else iter(())


def ntho(items: Any, index: int, element: Any) -> Goal:
    """The goal that `element` stands at `index` (known; from the end if negative) of the list `items`."""
    if index >= 0:
        return eq(items, cons((*fresh_list(index), element), fresh()))
    return _nth_from_end(items, index, element)


def _is_long_enough(work: Work, items: Any, result: Any, index: int, _: Any) -> bool:
    return has_at_least(items, index + 1 if index >= 0 else -index, work) and as_long(work, (items, result))


@primitive(
    "replace",
    0,
    2,
    lists=True,
    lengths=lambda a, b, *_: equally_long(a, b),
    contents=lambda _a, b, _i, element: [(((element,),), (b,), False)],
    fixes=lambda a, b, _, element: [Fixed(b, (a, element))],
    narrows=_is_long_enough,
)
def _replace(state: State, items: Any, result: Any, index: int, element: Any) -> Iterator[Any]:
    a, b = (reify_term(x, state.bindings) for x in (items, result))
    count = next((len(x) for x in (a, b) if type(x) is tuple), 0)
    at = index + count if index < 0 else index
    if not 0 <= at < count:
        return iter(())
    front, back = fresh_list(at), fresh_list(count - at - 1)
    return eq((items, result), ((*front, fresh(), *back), (*front, element, *back)))(state)


def replaceo(items: Any, index: int, element: Any, result: Any) -> Goal:
    """The goal that `result` is `items` with `element` at `index` (known; from the end if negative)."""
    return _replace(items, result, index, element)


def inserto(items: Any, index: int, inserted: tuple[Any, ...], result: Any) -> Goal:
    """The goal that `result` is `items` with the elements `inserted` before position `index` (known, not negative)."""
    front, back = fresh_list(index), fresh()
    return lall(eq(items, cons(front, back)), eq(result, cons((*front, *inserted), back)))


def permuteo(items: Any, order: tuple[int, ...], result: Any) -> Goal:
    """The goal that `result[i]` is `items[order[i]]` for a known permutation of 0..n-1.

    Another relation than kanren's `permuteo`, which holds of lists for which there is such a permutation.
    """
    elements = fresh_list(len(order))
    return lall(eq(items, elements), eq(result, tuple(elements[i] for i in order)))


def pluck(items: Any, indices: tuple[int, ...], picked: Any) -> Goal:
    """The goal that `picked` holds the elements of `items` at the known, non-negative `indices`."""
    longest = max(indices, default=-1) + 1
    front = fresh_list(longest)
    return lall(eq(items, cons(front, fresh())), eq(picked, tuple(front[i] for i in indices)))


def _unrolled_lengths(
    _: Any, given: tuple[Any, ...], longer: tuple[int, ...], within: int, *lists: Any
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], int | None]]:
    first = (lists[0],)
    for other, more in zip(lists[1:], longer[1:], strict=True):
        yield first, (other,), longer[0] - more
    for shorter in given[:within]:
        yield (shorter,), first, None


def _as_long_as_told(
    work: Work, _: Any, given: tuple[Any, ...], longer: tuple[int, ...], within: int, *lists: Any
) -> bool:
    return as_long(work, lists, longer, given[:within])


@primitive("unroll", 4, lists=True, lengths=_unrolled_lengths, narrows=_as_long_as_told, looks=True)
def _unroll(
    state: State,
    relate: Callable[..., Goal],
    given: tuple[Any, ...],
    longer: tuple[int, ...],
    within: int,
    *lists: Any,
) -> Iterator[Any]:
    known = [reify_term(items, state.bindings) for items in lists]
    bases = [len(items) - extra for items, extra in zip(known, longer, strict=True) if type(items) is tuple]
    # What is known to its end and no tuple is rigid: it has no elements to speak of.
    if not bases or any(bases[0] + extra < 0 for extra in longer):
        return iter(())
    unrolled = [
        items if type(items) is tuple else fresh_list(bases[0] + extra)
        for items, extra in zip(known, longer, strict=True)
    ]
    if any(len(row) != bases[0] + extra for row, extra in zip(unrolled, longer, strict=True)):
        return iter(())
    goals: list[Any] = [eq(a, b) for a, b in zip(known, unrolled, strict=True) if a is not b]
    goals.append(relate(*unrolled, *given))
    return conjoin(goals, state)


def unroll(
    lists: tuple[Any, ...],
    relate: Callable[..., Goal],
    *given: Any,
    longer: tuple[int, ...] = (),
    within: tuple[Any, ...] = (),
) -> Goal:
    """The goal `relate(*tuples, *within, *given)` on the elements of all lists, as soon as the length of one of them is
    known.

    For what is said of "the third element from the end" or of "every element but these". The lists have equal lengths,
    but for what `longer` says: list i has `longer[i]` elements more than the first one's length minus `longer[0]`.
    `within` are lists that `relate` makes no longer than the first; so that is known of them before. While it waits,
    the first elements of each list tell how many all have at least.
    Raises TypeError for a function that holds variables of its own: they are `given`.
    """
    return _unroll(word(relate), (*within, *given), longer or (0,) * len(lists), len(within), *lists)


@primitive("as_soon", 3, lists=True, looks=True, whole=2)
def _as_soon(
    state: State, relate: Callable[..., Goal], given: tuple[Any, ...], wanted: Any, items: Any
) -> Iterator[Any]:
    return relate(reify_term(items, state.bindings), wanted, *given)(state)


def as_soon(items: Any, wanted: Any, relate: Callable[..., Goal], *given: Any) -> Goal:
    """The goal `relate(items, wanted, *given)`, made when the list `items` is known to its end, or all that is wanted.

    For what an attribute says of a list: much of it need not be looked at where it is known how long the list is.
    Raises TypeError for a function that holds variables of its own: they are `given`.
    """
    return _as_soon(word(relate), given, wanted, items)


class PutOff(Constraint):
    """A goal that may say anything of these terms is left out (`relaylogic.logic.sketch`)."""

    __slots__ = ()

    def propagate(self, work: Work) -> bool | None:
        """Wait."""
        return None


@primitive("lazily", 0, 1, looks=True)
def _lazily(state: State, relate: Callable[..., Goal], *given: Any) -> Iterator[Any]:
    search = state.search
    search.budget.put_off = True
    if search.sketches:
        return Post(PutOff.draft(given))(state)
    return relate(*given)(state)


def lazily(relate: Callable[..., Goal], *given: Any) -> Goal:
    """The goal `relate(*given)`, made when the goals before it have held.

    For what looks at attributes that need not be known: what was said before leaves fewer of them to look at.
    Raises TypeError for a function that holds variables of its own: they are `given`.
    """
    return _lazily(word(relate), *given)


def later(relate: Callable[..., Goal], *given: Any) -> Goal:
    """The goal `relate(*given)`, made as `lazily` makes it if it may look at what is not known, else at once."""
    return lazily(relate, *given) if has(given, Shown) else relate(*given)


@primitive("member", 1, lists=True, contents=lambda element, items: [(((element,),), (items,), False)])
def membero(state: State, element: Any, items: Any) -> Iterator[Any]:
    """The goal that `element` is one of the elements of `items`; one answer for each place.

    It waits for the list. kanren's guesses lists without end if it is open, and takes 25 times as long for a known one
    of 20 elements.
    """
    known = reify_term(items, state.bindings)
    for item in known if type(known) is tuple else ():
        yield from eq(element, item)(state)


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
            return True
        return None if trial.owned or trial.store is not None else False


def differ(left: Any, right: Any) -> Step:
    """The goal that two terms are not equal (disequality).

    kanren's `neq` demands of compound terms that all parts differ, and adds to a state that the branches of its `conde`
    share. Every unification asks all of its constraints: ten of them on one variable take 7 times as long, and one
    slows down 40 equations of other variables 10 times.
    """
    return Post(Different.draft((left, right)))


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
    for a, b in combinations(known, 2):  # one at a time: each is charged
        if not differ(a, b).run(work) or (work.queue and not work.run()):
            return
    found = work.finish()
    if found is not None:
        yield found
