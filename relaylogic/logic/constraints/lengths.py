"""How many elements lists have: constraints on that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from ..states.foreign import without_lists
from ..states.goals import Goal, Step, lall
from ..states.least import LISTED, as_long, begun, has_at_least
from ..states.state import Constraint
from ..states.suspended import Primitive, Suspended
from ..states.work import Work
from ..terms.numbers import plus
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Symbol, cons
from ..terms.variables import VARIABLES, fresh, fresh_list
from .compare import Compare
from .comparisons import Post, equals, leo

__all__ = [
    "AtLeast",
    "Length",
    "SameLength",
    "are_as_long",
    "at_leasto",
    "ends_rigid",
    "equal_lengths",
    "equally_long",
    "lengtho",
    "lengths_told",
    "same_lengtho",
]


_Told = Callable[[Any, Work], Iterable[tuple[Any, ...]]]


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
        if bounds is not None and not has_at_least(items, bounds[0], work):
            return False
        return self._said_once(length, work)

    def _said_once(self, length: Any, work: Work) -> bool | None:
        """Wait, unless something else says how long a list with the same end is: then the numbers are compared."""
        count, end = begun(self.items, work)
        for other in work.beside(end):
            first, behind = begun(other.items, work) if type(other) is Length else (0, None)
            if behind is end and first == count:
                return work.unify(length, other.length)
            if behind is end and not work.search.waits():
                less, more = (other.length, length) if first < count else (length, other.length)
                return work.post(Compare.draft(("=", plus(less, abs(first - count)), more)))
        _wake((self.items,), work)
        return None


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
            elif ends_rigid(known):
                rigid.add((known.tail, len(known.prefix)) if type(known) is Cons else (known, 0))
        if rigid:
            if count is not None or len(rigid) > 1:
                return False
            ((end, first),) = rigid
            return all(work.unify(items, cons(fresh_list(first), end)) for items in self.lists)
        if count is None:
            return self._said_once(work) if as_long(work, self.lists) else False
        return all(_counts(items, count, work) for items in self.lists)

    def _said_once(self, work: Work) -> bool | None:
        """Wait, without the lists that are as long as others of these by what else is said, or are one list."""
        reached: dict[Any, int] = {}
        apart = []
        for items in self.lists:
            count, end = begun(items, work)
            if reached.get(end) != count:
                apart.append(items)
                reached.update(_as_long(end, count, work, _only_lengths))
        if len(apart) == len(self.lists):
            _wake(self.lists, work)
            return None
        return len(apart) < 2 or work.replace(SameLength.draft(tuple(apart)))


def _counts(items: Any, count: int, work: Work) -> bool:
    """Make a list have `count` elements; one that ends like another may have become longer or shorter by that."""
    known = reify_term(items, work.bindings)
    return len(known) == count if type(known) is tuple else bool(work.unify(items, fresh_list(count)))


def are_as_long(left: Any, right: Any, work: Work) -> bool:
    """Whether what is said of two lists tells that they have equally many elements."""
    (count, end), (others_count, others_end) = begun(left, work), begun(right, work)
    return _as_long(end, count, work, equal_lengths).get(others_end) == others_count


def _wake(lists: Iterable[Any], work: Work) -> None:
    """Have those look again that compare how long lists are, of which more is known now."""
    for items in lists:
        work.look_again(begun(items, work)[1], _compares_lengths)


def _compares_lengths(constraint: Any) -> bool:
    return type(constraint) is Suspended and constraint.primitive.name == "append"


def _as_long(end: Any, count: int, work: Work, told: _Told) -> dict[Any, int]:
    """The ends behind which lists, with so many elements before them, are as long as one with `count` before its `end`;
    `told` gives the lists that are equally long as a constraint says."""
    found = {end: count}
    stack = [end]
    while stack:
        end = stack.pop()
        for other in work.beside(end) if type(end) in VARIABLES else ():
            for lists in told(other, work):
                both = [begun(items, work) for items in lists]
                own = [first for first, behind in both if behind is end]
                for first, behind in both if own else ():
                    if behind not in found:
                        found[behind] = found[end] + first - own[0]
                        stack.append(behind)
    return found


def _only_lengths(constraint: Any, _: Work) -> Iterable[tuple[Any, ...]]:
    return (constraint.lists,) if type(constraint) is SameLength else ()


def lengths_told(primitive: Primitive, arguments: tuple[Any, ...]) -> Iterator[tuple[Any, Any, int | None]]:
    """What a primitive says of the lengths of lists: those of some together are those of others and a number, or at
    most those of others (None). Lists that hold the same are equally long."""
    yield from primitive.lengths(*arguments)
    yield from ((some, others, 0) for some, others, is_all in primitive.contents(*arguments) if is_all)


def equal_lengths(constraint: Any, work: Work) -> Iterable[tuple[Any, ...]]:
    """Lists that are equally long as a constraint says."""
    if type(constraint) is Length and type(number := work.walk(constraint.length)) in VARIABLES:
        others = [c for c in work.beside(number) if type(c) is Length and work.walk(c.length) is number]
        return ((constraint.items, *[other.items for other in others]),)
    if type(constraint) is Suspended:
        told = lengths_told(constraint.primitive, constraint.arguments)
        return [(*lists, *others) for lists, others, more in told if more == 0 and len(lists) == len(others) == 1]
    return _only_lengths(constraint, work)


class AtLeast(Constraint):
    """A list is no shorter than a number, if that is known now; what is not listed for that must be said besides."""

    __slots__ = ()

    def propagate(self, work: Work) -> bool:
        """List the elements; never waits."""
        items, number = self.args
        return type(number) is not int or has_at_least(items, number, work)


def lengtho(items: Any, length: Any) -> Goal:
    """The goal that the list `items` has `length` elements."""
    (items,) = without_lists((items,))
    if type(length) is int or type(length) in VARIABLES:
        return Post(Length.draft((items, length)))
    count = fresh()  # it is an expression, or an attribute that is not known
    return lall(Post(Length.draft((items, count))), equals(count, length))


def same_lengtho(*lists: Any) -> Step:
    """The goal that all lists have equally many elements."""
    return Post(SameLength.draft(without_lists(lists)))


def at_leasto(items: Any, number: Any) -> Goal:
    """The goal that the list `items` has at least `number` elements.

    A list of which it is known is open behind so many, unless these are more than any list has that is meant.
    """
    (items,) = without_lists((items,))
    known = Post(AtLeast.draft((items, number)))
    if type(number) is int and number <= LISTED:
        return known
    length = fresh()
    return lall(known, lengtho(items, length), leo(number, length))


def equally_long(*lists: Any) -> list[Any]:
    """What `primitive` is told of the lengths of lists that are equal."""
    return [((lists[0],), (other,), 0) for other in lists[1:]]


def ends_rigid(items: Any) -> bool:
    """Whether a list that is no tuple has no open end."""
    return type(items.tail if type(items) is Cons else items) not in VARIABLES
