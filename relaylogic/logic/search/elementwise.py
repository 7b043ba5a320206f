"""Element-wise relations: a relation that holds of the first elements of some lists, of the second ones, and so on.

Rows that are one thing whatever else holds are found before anything is searched; equal rows are looked at once. The
search goes on with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ..constraints.comparisons import Post
from ..constraints.gradual import agree
from ..constraints.lengths import equally_long
from ..states.goals import Goal, conjoin, eq
from ..states.state import State
from ..states.suspended import Fixed, primitive, word
from ..states.work import Work
from ..terms.numbers import UNKNOWN
from ..terms.rebuilding import instantiate, reify_term
from ..terms.terms import PLAIN, Cons, Symbol, Term, cons, is_ground
from ..terms.variables import VARIABLES, fresh_list
from .alike import is_told, make_one
from .rows import Row, answers_of_row, has_choices

__all__ = ["agree_lists", "forallo", "mapo"]

_SOME_NUMBER = Symbol("some number")

MANY = 200
"""A search that is traced does not follow each row of longer lists: those that are decided are not told. Of more open
rows than that, an answer chooses for all at once."""


def _make_one(work: Work, *arguments: Any) -> bool:
    return make_one(work, _map, *arguments)


@primitive(
    "map",
    1,
    lists=True,
    lengths=lambda _, *lists: equally_long(*lists),
    fixes=lambda relate, *lists: [Fixed(lists[-1], lists[:-1], relation=relate)],
    narrows=_make_one,
    told=is_told,
)
def _map(state: State, relate: Callable[..., Goal], *lists: Any) -> Iterator[Any]:
    known = [reify_term(items, state.bindings) for items in lists]
    count = next((len(items) for items in known if type(items) is tuple), None)
    if count is None:
        return _of_one_end(relate, known, state)
    columns = [items if type(items) is tuple else fresh_list(count) for items in known]
    if any(len(column) != count for column in columns):
        return iter(())
    rows = list(zip(*columns, strict=True))
    answers: dict[tuple[Any, ...], Any] = {}
    if state.search.trace is not None and count <= MANY:
        decided: list[Any] = [None] * count
    else:
        decided = _decided(relate, rows, state, answers)
    if decided and decided[-1] is False:
        # There is no such row, which whoever traces what fails is shown, with how far it came.
        trace = state.search.trace
        for _ in decided[:-1] if trace is not None else ():
            trace = trace.after(trace)
        return relate(*rows[len(decided) - 1])(State(state.bindings, state.store, state.search.but(trace=trace)))
    pairs = [(row, values) for row, values in zip(rows, decided, strict=True) if values]
    pairs += [(a, b) for a, b in zip(known, columns, strict=True) if a is not b]
    waiting = [row for row, values in zip(rows, decided, strict=True) if values is None]
    together: Goal = eq(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))
    first = [together] if pairs else []
    if len(waiting) > MANY:
        choices = _choices(waiting, answers)
        if choices is not None:
            return conjoin([*first, _chosen(waiting, choices)], state)
    return conjoin([*first, *(_holding(relate, row, state) for row in waiting)], state)


def _holding(relate: Callable[..., Goal], row: tuple[Any, ...], state: State) -> Goal:
    """The goal that the relation holds of a row."""
    by_rows = state.search.by_rows is not None and has_choices(relate, row, state.search)
    return Post(Row.draft((relate, row))) if by_rows else relate(*row)


def _of_one_end(relate: Callable[..., Goal], known: list[Any], state: State) -> Iterator[Any]:
    """The relation of lists of which one has a rigid end: of the elements of that it must hold whatever they are.

    Nothing but the end itself has as many elements, so it is that of the open lists, too.
    """
    begun = [(items.prefix, items.tail) if type(items) is Cons else ((), items) for items in known]
    ends = dict.fromkeys((len(prefix), end) for prefix, end in begun if type(end) not in VARIABLES)
    ((count, rigid), *others) = ends
    if others or not isinstance(rigid, Symbol) or not _holds_of_any(relate, len(known), state):
        return iter(())
    columns = [prefix if end is rigid else fresh_list(count) for prefix, end in begun]
    same = [
        eq(items, cons(column, rigid))
        for items, column, (_, end) in zip(known, columns, begun, strict=True)
        if end is not rigid
    ]
    return conjoin([*same, *(relate(*row) for row in zip(*columns, strict=True))], state)


def _holds_of_any(relate: Callable[..., Goal], places: int, state: State) -> bool:
    """Whether a relation holds of any number in all places: of one of which nothing is known, of those that this one
    was taken to differ from, and of `?`."""
    budget = state.search.budget
    outer, budget.apart = budget.apart, {}
    try:
        holds, apart = _holds_of(_SOME_NUMBER, relate, places, state), tuple(budget.apart)
    finally:
        budget.apart = outer
    others = {UNKNOWN}
    for pair in apart:
        if _SOME_NUMBER in pair:
            others.update(number for number in pair if number is not _SOME_NUMBER)
        elif not all(map(_is_constant, pair)):
            return False
    return holds and all(_holds_of(number, relate, places, state) for number in others)


def _holds_of(number: Any, relate: Callable[..., Goal], places: int, state: State) -> bool:
    state.search.budget.charge()
    return bool(answers_of_row(relate, (number,) * places, state.search))


def _is_constant(number: Any) -> bool:
    return type(number) is int or number is UNKNOWN


def _decided(
    relate: Callable[..., Goal], rows: list[tuple[Any, ...]], state: State, answers: dict[tuple[Any, ...], Any]
) -> list[Any]:
    """What each row is, if that is one thing whatever else holds, or None; False as the last one if there is none.

    Equal rows have equal answers, which become known as `answers`. (As goals one after the other, each with a state of
    its own to go back to, 10,000 rows took 1.9 GB.)
    """
    found: list[Any] = []
    for row in rows:
        state.search.budget.charge()
        key = _form(row)
        values = None
        if key is not None:
            if key not in answers:
                answers[key] = answers_of_row(relate, row, state.search)
            values = _only(answers[key])
        found.append(values)
        if values is False:
            break
    return found


def _form(row: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A row but for the names of its variables; None if nothing of it is known, or some part only in part."""
    open_here = {x: i for i, x in enumerate(row) if type(x) in VARIABLES}
    if len(open_here) == len(row) or not all(
        type(x) in PLAIN or type(x) in VARIABLES or (isinstance(x, Term) and x.ground) for x in row
    ):
        return None
    return tuple((open_here[x],) if type(x) in VARIABLES else x for x in row)


def _only(answers: Any) -> Any:
    """What a row is if its answers are one thing; None if that is not so, False if there is none."""
    if answers is None or len(answers) > 1:
        return None
    return (answers[0] if is_ground(answers[0]) else None) if answers else False


def _choices(rows: list[tuple[Any, ...]], answers: dict[tuple[Any, ...], Any]) -> list[list[Any]] | None:
    """The answers of each row; None if some are not known, or if rows speak of the same variables."""
    choices: list[list[Any]] = []
    variables: set[Any] = set()
    for row in rows:
        form = _form(row)
        known = None if form is None else answers.get(form)
        own = {x for x in row if type(x) in VARIABLES}
        if known is None or not variables.isdisjoint(own):
            return None
        choices.append(known)
        variables |= own
    return choices


def _chosen(rows: list[tuple[Any, ...]], choices: list[list[Any]]) -> Goal:
    """The goal that each row is one of its answers, which have nothing to do with those of the others.

    An answer chooses for all rows at once, in the order in which goals one after the other would: those keep a state to
    go back to for each row, which takes memory with the square of their number.
    """

    def run(state: State) -> Iterator[Any]:
        for chosen in product(*choices):
            state.search.budget.charge(len(rows))
            yield from eq(tuple(rows), tuple(instantiate(answer, {}) for answer in chosen))(state)

    return run


def mapo(relate: Callable[..., Goal], *lists: Any) -> Goal:
    """The goal that `relate` holds of the first elements of all lists, of the second ones ...; equal lengths.

    Raises TypeError for a function that holds variables of its own.
    """
    return _map(word(relate), *lists)


def forallo(check: Callable[[Any], Goal], items: Any) -> Goal:
    """The goal that `check` holds of every element of a list."""
    return mapo(check, items)


def agree_lists(left: Any, right: Any) -> Goal:
    """The goal that two lists of numbers have one length and agree element by element."""
    return mapo(agree, left, right)
