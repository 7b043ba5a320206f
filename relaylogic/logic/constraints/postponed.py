"""Goals that are made when it is time: of lists when their elements are known, of attributes when the goals before them
have held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..states.goals import Goal, conjoin, eq
from ..states.least import as_long
from ..states.state import Constraint, State
from ..states.suspended import primitive, word
from ..states.work import Work
from ..terms.look import Shown, has
from ..terms.rebuilding import reify_term
from ..terms.variables import fresh_list
from .comparisons import Post

__all__ = ["PutOff", "as_soon", "later", "lazily", "unroll"]


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
    """A goal that may say anything of these terms is left out (`relaylogic.logic.search.sketch`)."""

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
