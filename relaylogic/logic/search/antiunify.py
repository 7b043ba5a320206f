"""Anti-unification: the least general generalisation of terms (Plotkin, "A note on inductive generalization", 1970)."""

from __future__ import annotations

from typing import Any

from ..exact import are_one, exact
from ..states.unknown import has_unknown
from ..terms.arith import Arith
from ..terms.terms import Cons, Slot, Symbol, Term, cons

__all__ = ["generalise"]

MOST_APART = 1_000
"""So many times two terms with `?` that stood beside each other before are generalised anew."""


def generalise(
    left: tuple[Any, ...], right: tuple[Any, ...], first_slot: int, asked: tuple[Any, ...] = ()
) -> tuple[Any, ...]:
    """The least general terms that both tuples of canonical terms are instances of.

    Where they differ, the result has slots, numbered from `first_slot` on; the same difference gets the same slot, but
    for one in which `?` occurs: two extents of which nothing is known are not one. A slot that both have in the same
    place stays. Symbols and numbers have no parts: each is another or the same. Two terms that stand beside each other
    in several places are generalised once, but for such with `?`: those are told apart so many times, and are anything
    from then on. Open lists have the first elements that both begin with.

    Both may be answers to what was `asked`, or what such have in common. Where a slot of that stands in the place of a
    difference, it is the difference: what says of it what it is has it nowhere.
    """
    differences: dict[tuple[Any, ...], Any] = {}
    done: dict[tuple[int, int], Any] = {}  # what two terms are generalised to
    apart = 0
    out: list[Any] = [None]
    # What is to be generalised, beside what was asked, and the list that it is put into; then the parts found so far.
    agenda: list[tuple[Any, Any, Any, list[Any], int, list[Any] | None]] = [(left, right, asked, out, 0, None)]
    while agenda:
        a, b, place, into, at, parts = agenda.pop()
        if parts is not None:
            children = tuple(parts)
            if type(a) is tuple:
                into[at] = children
            else:
                general = cons(*children) if type(a) is Cons else type(a).make(children)
                into[at] = done[id(a), id(b)] = general
            continue
        if a is b or (type(a) is type(b) and not isinstance(a, Term) and type(a) is not tuple and are_one(a, b)):
            into[at] = a
            continue
        known = done.get((id(a), id(b)))
        if known is not None:
            if not has_unknown((a, b)):
                into[at] = known
                continue
            apart += 1
            if apart > MOST_APART:
                into[at] = differences[apart, ()] = Slot(first_slot + len(differences))
                continue
        kind = type(a)
        children_a: Any = ()
        children_b: Any = ()
        if kind is type(b) and kind is not Slot and kind is not Arith:
            if kind is tuple:
                children_a, children_b = a, b
            elif kind is Cons:
                both = min(len(a.prefix), len(b.prefix))
                children_a, children_b = _parted(a, both), _parted(b, both)
            elif isinstance(a, Term) and not isinstance(a, Symbol):
                children_a, children_b = a.args, b.args
        if kind is type(b) and len(children_a) == len(children_b) and (children_a or kind is tuple):
            parts = list(children_a)
            agenda.append((a, b, None, into, at, parts))
            places = place if kind is tuple else place.args if type(place) is kind and kind is not Cons else ()
            if type(places) is not tuple or len(places) != len(parts):
                places = (None,) * len(parts)
            for number in range(len(parts) - 1, -1, -1):
                if children_a[number] is not children_b[number]:
                    agenda.append((children_a[number], children_b[number], places[number], parts, number, None))
            continue
        difference: Any = exact((a, b))
        if has_unknown((a, b)):
            difference = difference, len(differences)
        slot = differences.get(difference)
        if slot is None:
            slot = place if type(place) is Slot else Slot(first_slot + len(differences))
            differences[difference] = slot
        into[at] = slot
    return out[0]  # type: ignore[no-any-return]


def _parted(items: Cons, number: int) -> tuple[tuple[Any, ...], Any]:
    """So many first elements of an open list, and the list that follows them."""
    return items.prefix[:number], cons(items.prefix[number:], items.tail)
