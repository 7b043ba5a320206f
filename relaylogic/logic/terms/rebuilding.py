"""Terms with parts of them replaced: what bindings say in place of variables, slots of a canonical term, and back.

Terms without variables are returned as they are, and a part that two terms have in common is rebuilt once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .terms import LEAVES, Slot, Term, open_in, slot, walk
from .variables import VARIABLES, fresh

__all__ = ["SHALLOW", "canonical", "instantiate", "rebuild", "reify_slots", "reify_term", "replaced", "slots_in"]

SHALLOW = 30
"""So many levels of a term are looked at by recursion, the rest without."""
_OPEN = VARIABLES | {Slot}
_SLOTS = frozenset({Slot})
_NOTHING: dict[Any, Any] = {}


def rebuild(term: Any, leaf: Callable[[Any], Any], memo: dict[int, Any] | None = None) -> Any:
    """`term` with every variable and slot replaced by `leaf` of it, applied again to what `leaf` gives back.

    `leaf` returns its argument to keep it. Ground terms are returned as they are. Terms with parts in common may be
    rebuilt with one `memo`, as long as `leaf` and whatever holds their parts stay as they are.
    """
    return _rebuilt(term, _OPEN, _NOTHING.get, leaf, memo)


def replaced(term: Any, kind: type, part: Callable[[Any], Any]) -> Any:
    """`term` with each part of a kind of terms replaced by `part` of it, which may be itself. What is found within such
    a part is left as it is."""
    return _rebuilt(term, frozenset({kind}), _NOTHING.get, part)


def _itself(leaf: Any) -> Any:
    return leaf


def _rebuilt(
    term: Any,
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any] = _itself,
    memo: dict[int, Any] | None = None,
) -> Any:
    """`term` with each leaf of these `kinds` replaced by what `get` says or, where that is itself, `new`: until that is
    itself too, or what came of it is of another kind."""
    (built,) = _rebuilt_all((term,), kinds, get, new, {} if memo is None else memo, SHALLOW)
    return built


def _rebuilt_all(
    terms: tuple[Any, ...],
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any],
    memo: dict[int, Any],
    levels: int,
) -> tuple[Any, ...]:
    """The same of several terms. Most are shallow: so many levels are done by recursion, which is twice as fast as an
    agenda."""
    built = []
    for item in terms:
        kind = type(item)
        while kind in kinds:
            found = get(item, item)
            if found is item:
                found = new(item)
                if found is item:
                    break
            item = found
            kind = type(item)
        if kind is tuple:
            if levels:
                item = _rebuilt_all(item, kinds, get, new, memo, levels - 1)
            else:
                item = _rebuilt_deep(item, kinds, get, new, memo)
        elif kind not in LEAVES and isinstance(item, Term) and not item.ground:
            made = memo.get(id(item))
            if made is not None:
                item = made
            elif levels:
                made = kind.assemble(_rebuilt_all(item.args, kinds, get, new, memo, levels - 1))
                memo[id(item)] = made
                item = made
            else:
                item = _rebuilt_deep(item, kinds, get, new, memo)
        built.append(item)
    return tuple(built)


def _rebuilt_deep(
    term: Any,
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any],
    memo: dict[int, Any],
) -> Any:
    """The same of one term, without recursion."""
    out: list[Any] = []
    # Agenda entries: (term, -1) to visit; (original, children count) to build from the top of `out`.
    agenda: list[tuple[Any, int]] = [(term, -1)]
    while agenda:
        item, count = agenda.pop()
        if count >= 0:
            children = tuple(out[len(out) - count :]) if count else ()
            if count:
                del out[len(out) - count :]
            if type(item) is not tuple:
                children = memo[id(item)] = type(item).assemble(children)
            out.append(children)
            continue
        while type(item) in kinds:
            found = get(item, item)
            if found is item:
                found = new(item)
                if found is item:
                    break
            item = found
        kind = type(item)
        if kind in LEAVES or not (kind is tuple or (isinstance(item, Term) and not item.ground)):
            out.append(item)
            continue
        known = memo.get(id(item))
        if known is not None:
            out.append(known)
            continue
        children = item if kind is tuple else item.args
        agenda.append((item, len(children)))
        for child in reversed(children):
            agenda.append((child, -1))
    return out[0]


def reify_term(term: Any, bindings: Mapping[Any, Any], memo: dict[int, Any] | None = None) -> Any:
    """`term` with every bound variable replaced by its value; unbound variables stay. For `memo` see `rebuild`."""
    kind = type(term)
    if kind in VARIABLES:
        term = walk(term, bindings)
        kind = type(term)
        if kind in VARIABLES:
            return term
    if kind is tuple:
        # Most tuples are flat: a shape, the arguments of a call.
        flat = []
        for item in term:
            while type(item) in VARIABLES:
                found = bindings.get(item, item)
                if found is item:
                    break
                item = found
            if type(item) is tuple or (isinstance(item, Term) and not item.ground):
                return _rebuilt(term, VARIABLES, bindings.get, memo=memo)
            flat.append(item)
        return tuple(flat)
    if not isinstance(term, Term) or term.ground:
        return term
    for variable in open_in(term):
        if variable in bindings:
            return _rebuilt(term, VARIABLES, bindings.get, memo=memo)
    return term


def reify_slots(term: Any, values: Mapping[Any, Any]) -> Any:
    """`term` with what slots stand for in their place; other slots stay."""
    return _rebuilt(term, _OPEN, values.get)


def slots_in(term: Any) -> list[Any]:
    """The slots in a term, as often as they occur."""
    found: list[Any] = []

    def noted(leaf: Any) -> Any:
        if type(leaf) is Slot:
            found.append(leaf)
        return leaf

    rebuild(term, noted)
    return found


def canonical(
    terms: tuple[Any, ...],
    numbering: dict[Any, Any],
    new: Iterator[Any] | None = None,
    bindings: Mapping[Any, Any] | None = None,
) -> tuple[Any, ...]:
    """`terms`, with what `bindings` say put in, with each variable replaced by its slot in `numbering`.

    New variables get the slots that `new` gives (the numbers following if it is None) and join `numbering`.
    """

    def number(variable: Any) -> Any:
        known = numbering[variable] = slot(len(numbering)) if new is None else next(new)
        return known

    if bindings is None:
        flat = []
        for item in terms:  # most have no parts
            kind = type(item)
            if kind in VARIABLES:
                known = numbering.get(item)
                item = number(item) if known is None else known
                if type(item) is not Slot:
                    break
            elif kind not in LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
                break
            flat.append(item)
        else:
            return tuple(flat)
        return _rebuilt_all(terms, VARIABLES, numbering.get, number, {}, SHALLOW)

    def said(variable: Any, otherwise: Any) -> Any:
        value = bindings.get(variable, variable)
        return numbering.get(variable, otherwise) if value is variable else value

    return _rebuilt_all(terms, VARIABLES, said, number, {}, SHALLOW)


def instantiate(terms: Any, variables: dict[int, Any]) -> Any:
    """`terms` with slot i replaced by `variables[i]`; fresh variables are added to `variables` as needed."""
    if isinstance(terms, Term) and terms.ground:
        return terms

    def variable(place: Any, _: Any) -> Any:
        (index,) = place.args
        found = variables.get(index)
        if found is None:
            found = variables[index] = fresh()
        return found

    if type(terms) is tuple:
        flat = []
        for item in terms:  # most have no parts
            kind = type(item)
            if kind is Slot:
                item = variable(item, None)
            elif kind not in LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
                break
            flat.append(item)
        else:
            return tuple(flat)
    return _rebuilt(terms, _SLOTS, variable)
