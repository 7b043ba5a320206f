"""Mends: what might be meant at a place instead of what stands there, and whether the program is right with it.

A mend is known by the type that stands at the place then: an annotation with another extent, what a call gives with
another attribute or with two arguments exchanged. Unlike a place that is left open, a mended one says all that a right
one says; so what is refused with it is wrong for other reasons, or is an echo of a fault elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..ir import Call
from .conflicts import exchanged_names
from .differences import are_reordered, differences
from .edits import Edit
from .meant import meant
from .meant_calls import Around, Beside, Renamed
from .places import Place

if TYPE_CHECKING:
    from ..infer.program import Inference
    from .conflicts import Part, Said

__all__ = ["Mend", "best_mend"]

MOST = 12
"""How many mends of one place are tried in the whole program,"""

LOOKED_AT = 60
"""of so many that are looked at."""


@dataclass(frozen=True)
class Mend:
    """What might be meant at a place: the type `type` stands there then.

    `left` are the demands that are refused then, by identity. `edit` is the change that it takes, if that is one of an
    attribute, an index or a constant; `slip` tells another change: what the program is right with then. `parts` says of
    an annotation how many of its parts change; `converted` what a conversion is put around, if one is: "this", or an
    argument. `beside` are the numbers of places that change with it, each with the type that stands there then, or None
    if it says nothing: the calls in a call, the parameter that another one is exchanged with.
    `replaced` says that another operator is called then, or something else is given to it; `renamed` are the parameters
    whose names are exchanged then. `cures` says that the conflict is gone, though what is refused is refused still: for
    another reason.
    """

    type: Any
    left: frozenset[Any]
    edit: Edit | None = None
    parts: int = 1
    slip: str = ""
    converted: str = ""
    beside: Beside = ()
    replaced: bool = False
    renamed: Renamed = ()
    cures: bool = False

    def made(self, said: Said, index: int) -> Said:
        """A program with this at the place of a number."""
        return said.mended(index, self.type, self.beside, self.renamed)


def best_mend(
    said: Said, place: Place, conflict: Part, kept: Part, needed: Any, without: Inference, around: Around
) -> Mend | None:
    """The mend of a place of a conflict with which least is refused that was not; None if none changes anything.

    `needed` is what the rest of the program wants there as `without`, in which the place says nothing, sees it.
    """
    known = around.known
    best: Mend | None = None
    supposed = said.supposing(kept, frozenset([place.index] if place.is_use else []))
    tried: set[Any] = set()
    for found in islice(meant(said, place, kept, needed, without, around), LOOKED_AT):
        type_, edit, slip, converted, beside, replaced, renamed = found
        is_known = getattr(type_, "ground", False)
        if (type_, beside, renamed) in tried or not (is_known or (slip and place.kind == "call" and type_ is not None)):
            continue
        tried.add((type_, beside, renamed))
        instead = supposed
        if not place.is_use:  # what is wanted stands there then
            others = [(said.places.all[i].node, other) for i, other in beside]
            holes = {id(node): other for node, other in [*others, (place.node, type_)] if other is not None}
            silent = {*supposed.silent, *(id(node) for node, other in others if other is None)} - {*holes}
            both = {**supposed.renamed, **exchanged_names(renamed)}
            instead = replace(supposed, holes={**supposed.holes, **holes}, silent=silent, renamed=both)
        mended = said.what_if(instead)
        left = frozenset(site.identity for site in mended.failed())
        parts = 1 if renamed else 1 + len(beside) if beside and place.kind == "annotation" else _parts(place, type_)
        mend = Mend(type_, left, edit, parts, slip, converted, beside, replaced, renamed)
        if best is None and known <= left and _is_gone(conflict, said, place, mend):
            mend = replace(mend, cures=True)
        changes = mend.cures or (is_known and not known <= left)
        if changes and (best is None or _worth(mend, known, said) < _worth(best, known, said)):
            best = mend
        if (not left and mend.parts == 1) or place.is_use or len(tried) == MOST:
            break
    return best


def _is_gone(conflict: Part, said: Said, place: Place, mend: Mend) -> bool:
    """Whether a conflict is surely none with a mend of one of its places.

    An argument of the refused call is none of these: the call is refused for all its arguments together.
    """
    refused = said.refused(said.all)[0].expr
    if type(refused) is Call and any(argument is place.node for argument in refused.args):
        return False
    mended = mend.made(said, place.index)
    verdict = mended.inferred(mended.all & conflict.union(said.places.attributes(conflict))).verdict()
    return verdict not in ("refuted", "unknown")


def _worth(mend: Mend, known: frozenset[Any], said: Said) -> tuple[bool, int, int]:
    """How bad a mend is: whether what is refused still is, what comes up, then what is left.

    A change of one part more is as bad as a refusal more.
    """
    return mend.cures, len(mend.left - known - said.behind), len(mend.left) + mend.parts - 1


def _parts(place: Place, type_: Any) -> int:
    """How many parts of an annotation are changed."""
    if place.kind not in ("annotation", "result"):
        return 1
    written = place.node.ret_type if place.kind == "result" else place.node.type_annotation
    return 1 if are_reordered(written, type_) else max(1, differences(written, type_))
