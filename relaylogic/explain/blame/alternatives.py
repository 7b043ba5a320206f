"""Other attributes of a blamed call that could be meant as well: an axis that is reduced is another one, or is kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ...ir import Call
from ..places.said import Said
from .candidates import Candidate
from .edits import Edit, edits_of

__all__ = ["other_edits"]

TRIES = 4
"""So many other attributes are tried in the whole program."""

MOST = 2
"""So many of them are told."""


def other_edits(best: Candidate, said: Said) -> Iterator[Edit]:
    """The likeliest change of each other attribute of a call with which nothing of the program is refused either, if
    nothing is with the change that is told."""
    call, place = best.place.node, best.place
    if best.edit is None or type(call) is not Call or best.mend is None or best.mend.left:
        return
    without = said.what_if(said.supposing(said.all, frozenset([place.index])))
    first: dict[str, Edit] = {}
    for edit in edits_of(call, best.needed, without):
        if type(edit.value) is not str or edit.support:  # some layout or other fits often
            first.setdefault(edit.what, edit)
    first.pop(best.edit.what, None)
    others = list(islice(first.values(), TRIES))
    made = (said.edited(place.index, edit.attributes(call)) for edit in others)
    yield from islice((edit for edit, other in zip(others, made, strict=True) if not other.refused(other.all)), MOST)
