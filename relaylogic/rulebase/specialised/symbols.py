"""Calls some of whose extents are symbols, which nothing will ever be known of: `n`, `(h + 1) // 2`.

They have no modes of their own. What a program says of a call whose extents are open holds whatever these are, so it
is asked about one with slots in place of the symbols; then the symbols are put into its answer, and what it leaves over
is stated of them.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any, NamedTuple

from ...logic.bounded import Bounded
from ...logic.constraints.compare import Compare
from ...logic.control import Budget, Search
from ...logic.search.search import Answer, Solution, residue_of, said_once, told
from ...logic.states.state import State
from ...logic.states.work import Work
from ...logic.terms.numbers import UNKNOWN, is_number
from ...logic.terms.rebuilding import canonical, instantiate, rebuild
from ...logic.terms.terms import Slot, slot
from ...logic.terms.variables import fresh
from ...types import TensorType, TupleType
from .general import STEPS
from .modes import MOST_NUMBERS

__all__ = ["Opened", "Symbols", "without_symbols"]

MOST_STATED = 4_096
"""Of so many comparisons of symbols it is remembered what is left of them."""
_NOT_ASKED: Any = object()


class Opened(NamedTuple):
    """The arguments of a call with slots for symbols, too, and what each slot stands for: a symbol, or a slot."""

    arguments: tuple[Any, ...]
    stands_for: tuple[Any, ...]


def without_symbols(arguments: tuple[Any, ...]) -> Opened | None:
    """A call with slots for the symbols among its extents, in the order in which they occur; None if there are none."""
    numbering: dict[Any, Any] = {}
    opened = tuple([_opened(argument, numbering) for argument in arguments])
    if all(type(term) is Slot for term in numbering):
        return None
    return Opened(opened, tuple(numbering))


def _opened(term: Any, numbering: dict[Any, Any]) -> Any:
    """An input with slots for symbols: for the extents of a tensor, and of the tensors in a tuple if there is a mode of
    so many."""
    if type(term) is TupleType and type(term.fields) is tuple and len(term.fields) <= MOST_NUMBERS:
        return TupleType.make((tuple([_of_tensor(field, numbering) for field in term.fields]),))
    return _of_tensor(term, numbering)


def _of_tensor(term: Any, numbering: dict[Any, Any]) -> Any:
    if type(term) is TensorType and type(term.shape) is tuple:
        return TensorType.make((tuple([_extent(extent, numbering) for extent in term.shape]), term.dtype))
    return _extent(term, numbering) if type(term) is Slot else term


def _extent(extent: Any, numbering: dict[Any, Any]) -> Any:
    if type(extent) is int or extent is UNKNOWN or not (type(extent) is Slot or is_number(extent)):
        return extent
    found = numbering.get(extent)
    if found is None:
        found = numbering[extent] = slot(len(numbering))
    return found


class _Stated(NamedTuple):
    """What the slots of an answer stand for if they stand for numbers, and what is left over of the answer."""

    values: dict[int, Any]
    left: tuple[Any, ...]


class Symbols:
    """Answers to calls with symbols; what is said of the same symbols by many calls is worked out once."""

    def __init__(self) -> None:
        self._stated: dict[Any, _Stated | None] = Bounded(MOST_STATED)
        self._left: dict[Any, tuple[Any, ...] | None] = Bounded(MOST_STATED)

    def instance(self, found: Solution, opened: Opened) -> Solution | None:
        """What was found for a call without symbols, of the call with them; None if that is not to be told so.

        It is not if something is said of what symbols stand for, or if what is left over does not hold of them.
        """
        (answer,) = found.answers
        for known, asked in zip(answer.terms, opened.arguments, strict=True):
            if known is not asked and type(asked) is not Slot:
                return None
        key = answer.residue, opened.stands_for
        stated = self._stated.get(key, _NOT_ASKED)
        if stated is _NOT_ASKED:
            stated = self._stated[key] = self._state(*key)
        if stated is None:
            return None
        # What is still open has the slots of the call.
        values: dict[int, Any] = dict(stated.values)
        numbering: dict[Any, Any] = {}
        for index, term in enumerate(opened.stands_for):
            if index not in values:
                values[index] = variable = fresh()
                numbering[variable] = term
        new = map(slot, count(len(numbering)))
        terms, left = canonical(instantiate((answer.terms, stated.left), values), numbering, new)
        return told((Answer(terms, answer.clause, left),), terms)

    def _state(self, residue: tuple[Any, ...], stands_for: tuple[Any, ...]) -> _Stated | None:
        """State what is left over of what slots stand for.

        None if it does not hold, or if a comparison is of symbols and of something that stays open.
        """
        values = {index: term for index, term in enumerate(stands_for) if type(term) is not Slot}
        stated: list[Any] = []
        waiting = list(residue)
        while waiting:
            others = []
            for comparison in waiting:
                if type(comparison) is not Compare:
                    others.append(comparison)
                    continue
                relation, left, right = terms = rebuild(comparison.args, partial(_value, values))
                if relation == "=" and is_number(left) and type(right) is Slot:
                    left, right = right, left
                if is_number(left) and is_number(right):
                    said = self._said(Compare.make(terms))
                elif relation == "=" and type(left) is Slot and is_number(right):
                    values[left.args[0]] = right
                    said = self._said(Compare.make(("<=", 0, right)))
                else:
                    others.append(comparison)
                    continue
                if said is None:
                    return None
                stated += said
            if len(others) == len(waiting):
                break
            waiting = others
        if any(rebuild(other.args, partial(_value, values)) != other.args for other in waiting):
            return None
        return _Stated(values, (*said_once(stated, list), *waiting))

    def _said(self, comparison: Any) -> tuple[Any, ...] | None:
        """What is left of a comparison of numbers over symbols; None if it does not hold."""
        left: tuple[Any, ...] | None = self._left.get(comparison, _NOT_ASKED)
        if left is _NOT_ASKED:
            work = Work(State({}, None, Search(Budget(STEPS, governed=False), gradual=False)))
            state = work.finish() if work.post(comparison) else None
            left = self._left[comparison] = None if state is None else tuple(residue_of(state, ()))
        return left


def _value(values: dict[int, Any], place: Any) -> Any:
    return values.get(place.args[0], place) if type(place) is Slot else place
