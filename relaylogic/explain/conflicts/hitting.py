"""Smallest sets that hit all sets of a family.

Conflicts of independent faults share no member, so a hitting set has one of each: there are exponentially many choices
of too few members, which are never tried. What is missed and shares no member needs a member each; a choice that leaves
no room for them is given up at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["disjoint", "smallest_hitting"]

Set = frozenset[int]


def smallest_hitting(
    family: Sequence[Set], known: Sequence[Set], charge: Callable[[], None] = lambda: None
) -> Set | None:
    """A smallest set that hits every set of a family and contains none of the known sets; None if there is none.

    Each choice that is tried is charged for first; what that raises ends the search.
    """
    for size in range(disjoint(family), len(family) + 1):
        found = _hitting(family, known, size, charge)
        if found is not None:
            return found
    return None


def _hitting(family: Sequence[Set], known: Sequence[Set], size: int, charge: Callable[[], None]) -> Set | None:
    """A set of at most `size` members that hits all of a family and contains no known set."""
    # What is chosen, and what is left out of all that follows: a set is tried once, whatever the order of its members.
    stack: list[tuple[Set, Set]] = [(frozenset(), frozenset())]
    while stack:
        charge()
        chosen, out = stack.pop()
        if any(known_one <= chosen for known_one in known):
            continue
        missed = [members - out for members in family if not members & chosen]
        if not missed:
            return chosen
        if disjoint(missed) > size - len(chosen):
            continue
        # Branches are stacked: the first member is tried first, with nothing more left out.
        members = sorted(sorted(missed, key=len)[0])
        stack.extend((chosen | {member}, out | set(members[:i])) for i, member in reversed([*enumerate(members)]))
    return None


def disjoint(family: Sequence[Set]) -> int:
    """How many sets of a family can be picked, small ones first, so that no two share a member."""
    taken: set[int] = set()
    count = 0
    for members in sorted(family, key=len):
        if taken.isdisjoint(members):
            taken |= members
            count += 1
    return count
