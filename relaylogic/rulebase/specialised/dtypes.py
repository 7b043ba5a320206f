"""Which parts of an operator's calls have one dtype, whatever else is known of a call.

A tensor that is taken has the dtype of one that is given where no call has other ones there, whatever the shapes, the
other inputs and the attributes are; or whatever the other attributes are, where those that are words (dtypes, layouts,
names) are left out. A search for such a call tells. It is made when the package is installed, and what it has found is
kept as programs are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import Any

from ...logic import eq, fresh, lall
from ...logic.constraints.different import differ
from ...logic.states.goals import Goal
from ...logic.terms.mistakes import RuleError
from ...logic.terms.rebuilding import canonical
from ...logic.terms.terms import cons
from ...logic.terms.variables import fresh_list
from ...types import TensorType, TupleType
from ..attrs import Attrs
from ..operators import Operator
from .compiled import DTYPES, EVERY, Alike, Taken
from .finer import spec_of

__all__ = ["alike", "programs_of_dtypes"]

FIELDS = 4
"""Tuples of so many fields are looked at one field at a time,"""

WIDE = 64
"""and those of so many all at once;"""

FEWEST = 2
"""what may be a tuple may have so many fields, or fewer."""

STEPS = 1_000
"""A call is looked for in so many steps; where that does not end, five times as many mostly end no more."""


def programs_of_dtypes(rules: Any) -> Iterator[tuple[str, str, str]]:
    """The programs that say it of the operators of a rule base, as they are kept."""
    for operator in rules.operators.values():
        for usual in (False, True) if operator.words else (False,):
            with_words = ", where words are left out" if usual else ""
            asked = f"# which inputs of {operator.name} have the dtype of the result{with_words}"
            answer = f"def answer(numbers):\n    return {alike(rules, operator, usual)}\n"
            yield DTYPES[usual], repr((operator.name, None)), f"{asked}\n{answer}"


def alike(rules: Any, operator: Operator, usual: bool) -> tuple[Alike, ...]:
    """The parts of a call of an operator that have one dtype, in what it gives and in what it takes; with those
    words that a call has that leaves them out, if these are `usual`."""
    if operator.variadic:
        return ()
    ask = _asking(rules, operator, usual)
    fields = [(field,) for field in range(FIELDS)]
    found: list[Alike] = []
    for end in [()] if ask((), None) else takewhile(lambda field: ask(field, None), fields):
        taken: list[Taken] = []
        for place in range(operator.relation.arity - 1):
            tensor: Taken = (place, (), 0)
            one_of = [tensor]
            if ask(end, tensor, True) is False:
                most = _widest(partial(ask, end), place)
                one_of = [(place, f, count) for count in range(most + 1, FIELDS + 1) for f in fields[:count]]
                taken += [(place, EVERY, most)] if most else []
            taken += [one for one in one_of if ask(end, one, True) and ask(end, one, False) is False]
        beside = [one for one in found if not set(taken).isdisjoint(one[1])]
        ends = [end for one in beside for end in one[0]]
        every = [one for group in beside for one in group[1]]
        found = [one for one in found if one not in beside]
        found += [((*ends, end), tuple(dict.fromkeys((*every, *taken))))] if taken else []
    return tuple(found)


def _widest(ask: Callable[..., bool | None], place: int) -> int:
    """How many fields a tuple that is taken at a place has at most, if all of those of so many fields, or fewer, have
    the dtype that is asked for; 0 if they have not."""
    most = 0
    for count in range(1, WIDE + 1):
        every: Taken = (place, EVERY, count)
        if ask(every, False) is not False or (count > FEWEST and not most):
            break
        if ask(every, True):
            most = count
    return most


def _asking(rules: Any, operator: Operator, usual: bool) -> Callable[..., bool | None]:
    """Whether a call may have a tensor at one place of its result, and one at a place of what it takes, of the `same`
    dtype or of another one; None if that is not found out."""
    fixed = {name: operator.attributes[name].filled for name in operator.words} if usual else {}
    opened = tuple([attribute for name, attribute in operator.attributes.items() if name not in fixed])
    relation, count = operator.relation, operator.relation.arity - 1
    if relation.takes_attrs:
        relation = rules.asking(relation, spec_of(Attrs(fixed), opened))
    else:
        opened = ()

    def asked(end: tuple[int, ...], taken: Taken | None, same: bool | None = None) -> bool | None:
        given, own = fresh(), fresh_list(taken[2] if taken is not None and taken[1] == EVERY else 1)
        inputs = list(fresh_list(count))
        if taken is not None:
            inputs[taken[0]] = _with_dtypes(own, *taken[1:])
        result = TensorType(fresh(), given)
        if end:
            result = TupleType(cons((*fresh_list(end[0]), result), fresh()))
        arguments = (*inputs, *fresh_list(len(opened)), result, given, own)
        also = partial(_with, same)
        try:
            found = rules.solve(relation, canonical(arguments, {}), None, also, STEPS, most=1, types_only=True)
        except RuleError:
            return None
        return True if found.answers else False if found.exhausted else None

    return asked


def _with(same: bool | None, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
    """The arguments but the last, which are a dtype and a list of some, and the goal that these are all the `same`, or
    that one of them is not."""
    *asked, given, own = arguments
    if same is None:
        return tuple(asked), lall()
    every = (given,) * len(own)
    return tuple(asked), eq(own, every) if same else differ(own, every)


def _with_dtypes(dtypes: tuple[Any, ...], field: tuple[int, ...], count: int) -> Any:
    """A type of which nothing is known but the dtype of the tensor, or of that in a field of a tuple of so many, or of
    those in all."""
    if field == EVERY:
        return TupleType(tuple([TensorType(fresh(), dtype) for dtype in dtypes]))
    tensor = TensorType(fresh(), *dtypes)
    if not field:
        return tensor
    (at,) = field
    return TupleType((*fresh_list(at), tensor, *fresh_list(count - at - 1)))
