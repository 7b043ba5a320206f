"""Mends: what might be meant at a place instead of what stands there, and whether the program is right with it.

A mend is known by the type that stands at the place then: an annotation with another extent, what a call gives with
another attribute or with two arguments exchanged. Unlike a place that is left open, a mended one says all that a right
one says; so what is refused with it is wrong for other reasons, or is an echo of a fault elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...ir import Call
from ...logic.states.unknown import has_unknown
from ..places.place import Place
from ..places.said import exchanged_names
from ..refusals.differences import are_reordered, denied, differences
from .around import Around, Meant
from .edits import told_of
from .meant import meant

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.relaxation import Relaxation
    from ..places.said import Part, Said

__all__ = ["Mend", "best_mend", "may_be"]

MOST = 12
"""How many mends of one place are tried in the whole program,"""

LOOKED_AT = 60
"""of so many that are looked at."""


@dataclass(frozen=True)
class Mend(Meant):
    """What might be meant at a place, looked at in the whole program.

    `left` are the demands that are refused then, by identity. `parts` says of an annotation how many of its parts
    change. `cures` says that the conflict is gone, though what is refused is refused still: for another reason.
    """

    left: frozenset[Any] = frozenset()
    parts: int = 1
    cures: bool = False

    def made(self, said: Said, index: int) -> Said:
        """A program with this at the place of a number."""
        given = self.attributes(said.places.all[index])
        if given is not None:
            return said.edited(index, given)
        return said.mended(index, self.type, self.beside, self.renamed)

    def attributes(self, place: Place) -> dict[str, Any] | None:
        """The attributes of the call at a place with this, if that is what changes.

        A call with another attribute says what that says: of what is given to it, too, where that is open.
        """
        if self.edit is None or place.kind != "call":
            return None
        return self.edit.attributes(place.node)


def best_mend(
    said: Said, place: Place, conflict: Part, kept: Part, needed: Any, without: Inference, around: Around
) -> Mend | None:
    """The mend of a place of a conflict with which least is refused that was not; None if none changes anything.

    `needed` is what the rest of the program wants there as `without`, in which the place says nothing, sees it. Where
    something is refused even so, no mend is better than one that leaves one refusal; but with a type parameter, a place
    may be of several types. What leaves the conflict is no mend, though it may have it refused elsewhere: that is asked
    first where the conflict is a small part of the program. (Where it is most of it, the whole, of which all is said,
    is asked sooner.) Whether the conflict is surely gone though what is refused is refused still, is asked only if no
    mend changes that.
    """
    known = around.known
    members = conflict.union(said.places.attributes(conflict))
    is_small = 2 * len(members) < len(said.all)
    least = bool(without.failed()) and not said.is_generous
    best: Mend | None = None
    unchanged: list[Mend] = []
    supposed = said.supposing(kept)
    tried: set[Any] = set()
    for found in islice(meant(said, place, kept, needed, without, around), LOOKED_AT):
        type_, slip, beside, renamed = found.type, found.slip, found.beside, found.renamed
        is_known = getattr(type_, "ground", False)
        if (type_, beside, renamed) in tried or not (is_known or (slip and place.kind == "call" and type_ is not None)):
            continue
        tried.add((type_, beside, renamed))
        parts = 1 if renamed else 1 + len(beside) if beside and place.kind == "annotation" else _parts(place, type_)
        mend = Mend(**vars(found), parts=parts)
        if is_small and not place.is_use and _leaves(members, said, place, mend):
            if len(tried) == MOST:
                break
            continue
        mended = without if place.is_use else said.what_if(_instead(said, supposed, place, mend))
        mend = replace(mend, left=frozenset(site.identity for site in mended.failed()))
        if known <= mend.left:
            unchanged.append(mend)
        elif is_known and (best is None or _worth(mend, known, said) < _worth(best, known, said)):
            if is_small or place.is_use or not mend.left or not _leaves(members, said, place, mend):
                best = mend
        is_best = best is not None and _worth(best, known, said) <= (False, 0, least) and best.parts == 1
        if is_best or (not mend.left and parts == 1) or place.is_use or len(tried) == MOST:
            break
    if best is None:
        best = _curing(members, said, place, unchanged)
    return best


def _instead(said: Said, supposed: Relaxation, place: Place, mend: Mend) -> Relaxation:
    """What is left out to see what is refused with a mend of a place."""
    given = mend.attributes(place)
    if given is not None:
        return replace(supposed, attrs={**supposed.attrs, id(place.node): given})
    others = [(said.places.all[i].node, other) for i, other in mend.beside]
    holes = {id(node): other for node, other in [*others, (place.node, mend.type)] if other is not None}
    silent = {*supposed.silent, *(id(node) for node, other in others if other is None)} - {*holes}
    both = {**supposed.renamed, **exchanged_names(mend.renamed)}
    return replace(supposed, holes={**supposed.holes, **holes}, silent=silent, renamed=both)


def _leaves(members: Part, said: Said, place: Place, mend: Mend) -> bool:
    """Whether the members of a conflict contradict each other with a mend of one of them, too."""
    mended = mend.made(said, place.index)
    return bool(mended.refused(mended.all & members))


def _curing(members: Part, said: Said, place: Place, mends: list[Mend]) -> Mend | None:
    """The first of some mends of a place with which a conflict is surely none; None if there is none.

    An argument of the refused call is none of these: the call is refused for all its arguments together. Nor is a mend
    that gives another type than what the rest of the conflict leaves to the place.
    """
    refused = said.refused(said.all)[0].expr
    if not mends or (type(refused) is Call and any(argument is place.node for argument in refused.args)):
        return None
    opened = said.opened([place.index])
    rest = None if place.is_use else opened.inferred(opened.all & members)
    for mend in mends:
        if rest is not None and not mend.beside and not mend.renamed and not may_be(mend.type, place, rest):
            continue
        mended = mend.made(said, place.index)
        if mended.inferred(mended.all & members).verdict() not in ("refuted", "unknown"):
            return replace(mend, cures=True)
    return None


def may_be(type_: Any, place: Place, inference: Inference) -> bool:
    """Whether a type may stand at a place as far as an inference knows in which it says nothing."""
    if has_unknown((type_,)):
        return True
    hole = inference.holes.get(id(place.node))
    known = inference.type_of(place.node) if hole is None else inference.driver.store.reify(hole)
    return known is None or not denied(type_, told_of(known, inference))


def _worth(mend: Mend, known: frozenset[Any], said: Said) -> tuple[bool, int, int]:
    """How bad a mend is: whether what is refused still is, what comes up, then what is left.

    A change of one part more is as bad as a refusal more.
    """
    return mend.cures, len(mend.left - known - said.behind), len(mend.left) + mend.parts - 1


def _parts(place: Place, type_: Any) -> int:
    """How many parts of an annotation are changed."""
    if place.kind not in ("annotation", "result"):
        return 1
    return 1 if are_reordered(place.written, type_) else max(1, differences(place.written, type_))
