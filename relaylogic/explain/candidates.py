"""What speaks for a place of a conflict being the fault, as named features that `ranking` weighs.

Each member of a conflict makes it go away if it is left out. So the program is inferred without it, which tells how
much else goes away, and what type the rest of the program needs there; then small changes are looked for that would
give that type: another attribute, another field, arguments in another order, a variable that nobody uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..infer.sites import Site
from ..infer.structure import InstanceSite
from ..ir import Constructor, Function, Op
from ..types import TensorType
from .common import Common
from .conflicts import Part, Said
from .differences import denied, differences
from .edits import Edit, edits_of
from .places import Place
from .slips import Slips

if TYPE_CHECKING:
    from ..infer.program import Inference

__all__ = ["Candidate", "candidates"]

MOST = 60
"""How many members of a conflict are looked at, the nearest to the refusal first."""

CONFIRMED = 6
"""How many edits of one call are tried in the whole program."""

EDITED = 24
"""Of how many calls edits are looked for."""


@dataclass
class Candidate:
    """A place of a conflict, with what speaks for it.

    `needed` is the type that the rest of the program wants there; `edit` a small change that gives it; `explains` are
    the refused demands, by identity, that are gone without the place.
    """

    place: Place
    needed: Any
    edit: Edit | None
    explains: frozenset[Any]
    features: dict[str, float]


def candidates(said: Said, conflict: Part, kept: Part) -> list[Candidate]:
    """The members of a minimal conflict among the places `kept`, the nearest to the refusal first.

    Attributes are looked at with their calls.
    """
    refused = said.refused(kept)
    site = refused[0]
    distances = said.places.distances([id(site.expr)], kept)
    order = sorted(conflict - said.attributes, key=lambda index: (distances.get(index, 1_000_000), index))[:MOST]
    slips, common = Slips(said.whole), Common(said.whole.module)
    calls = [i for i in order if said.places.all[i].kind == "call"]
    # Whatever is far away is worth a closer look if it is unlike the calls that it is like in all else.
    closer = {*order[:EDITED], *[i for i in calls if common.is_odd(said.places.all[i].node)][:EDITED]}
    found = [_candidate(said, said.places.all[i], kept, refused, slips, n, i in closer) for n, i in enumerate(order)]
    for candidate in found:
        candidate.features.update(common.features(candidate.place, candidate.needed, candidate.edit, said.whole))
    counts = [_explained(c) for c in found]
    most = max(counts)
    small = [c for c in found if c.features.get("one part differs") and c.features.get("the rest says what")]
    nearest = max((c.features.get("behind an unused binding", 0.0) for c in found), default=0.0)
    for candidate, count in zip(found, counts, strict=True):
        if nearest and candidate.features.get("behind an unused binding") == nearest:
            candidate.features["first behind an unused binding"] = 1.0
        candidate.features["explains less"] = 1 - count / max(most, 1)
        candidate.features["explains several"] = float(count == most > 1)
        if len(small) == 1 and candidate is small[0]:
            candidate.features["the only small change"] = 1.0
    if all(c.place.kind == "annotation" or c.place.node is site.expr for c in found):
        for candidate in found:
            if candidate.place.kind == "annotation":
                candidate.features["annotations alone"] = 1.0
    return found


def _explained(candidate: Candidate) -> int:
    """How many refusals one fault at a place explains: an annotation that is wrong in several parts has several."""
    count = len(candidate.explains)
    features = candidate.features
    several = features.get("several parts differ") and not features.get("one known part differs")
    return min(count, 1) if several else count


def _candidate(
    said: Said, place: Place, kept: Part, refused: list[Site], slips: Slips, nth: int, closer: bool
) -> Candidate:
    site = refused[0]
    without = said.what_if(said.supposing(kept, frozenset([place.index])))
    known = {s.identity for s in refused}
    after = {s.identity for s in without.failed()}
    needed = _needed(place, without)
    features: dict[str, float] = {_kind(place, said): 1.0}
    if place.node is site.expr:
        features["is refused"] = 1.0
        # What fills a field of a constructor is wanted there as an argument is by a function.
        kind = "EqualSite" if isinstance(site, InstanceSite) else type(site).__name__
        features[f"is refused, {kind}"] = 1.0
    elif _inside(place.span, site.span):
        features["inside of what is refused"] = 1.0
    elif _inside(site.span, place.span):
        features["around what is refused"] = 1.0
    features["distance"] = min(nth, 10) / 10
    if after - known - said.behind:
        features["another refusal comes up"] = 1.0
    if place.owner != site.owner:
        features["in another function"] = 1.0
    edit = None
    if place.kind in ("annotation", "result"):
        features.update(_of_annotation(place, needed))
    elif place.kind in ("constant", "projection") or (place.kind == "call" and type(place.node.op) is Op):
        edit, more = _edited(said, place, kept, needed, without, known, after) if closer else (None, {})
        features.update(more)
    features.update(slips.features(place, needed, without))
    return Candidate(place, needed, edit, frozenset(known - after), features)


def _needed(place: Place, without: Inference) -> Any:
    """The type that the rest of the program wants at a place; None if no type stands there."""
    if place.kind in ("annotation", "result"):
        hole = without.holes.get(id(place.node))
        return None if hole is None else without.driver.store.reify(hole)
    return without.type_of(place.node)


def _kind(place: Place, said: Said) -> str:
    node = place.node
    if place.kind == "call":
        return (
            "call of an operator"
            if type(node.op) is Op
            else ("call of a constructor" if type(node.op) is Constructor else "call of a function")
        )
    if place.kind == "annotation":
        return f"annotation of a {said.places.role(node)}"
    return place.kind


def _of_annotation(place: Place, needed: Any) -> Iterator[tuple[str, float]]:
    node = place.node
    written = node.ret_type if type(node) is Function else node.type_annotation
    distance = differences(written, needed)
    yield "the rest says what", float(bool(getattr(needed, "ground", False)))
    if distance == 1:
        yield "one part differs", 1.0
    elif distance > 1:
        yield "several parts differ", 1.0
        if denied(written, needed) == 1:
            yield "one known part differs", 1.0
    else:
        yield "nothing known differs", 1.0
    if differences(written, needed, True) == 1:
        yield "one part is open or differs", 1.0
    if type(written) is not type(needed):
        yield "of another form", 1.0
    elif type(written) is TensorType and type(written.shape) is tuple and type(needed.shape) is tuple:
        if len(written.shape) != len(needed.shape):
            yield "another rank is needed", 1.0


def _edited(
    said: Said, place: Place, kept: Part, needed: Any, without: Inference, known: set[Any], after: set[Any]
) -> tuple[Edit | None, dict[str, float]]:
    """A small change of a leaf that gives the type that is needed there, and what speaks for it."""
    found, clean = None, True
    leaf = place.node
    sure = bool(getattr(needed, "ground", False))
    for edit in islice(edits_of(leaf, needed, without), CONFIRMED):
        if place.kind != "call" or sure:
            found = edit
            break
        attrs = {**(leaf.attrs or {}), edit.what: edit.value}
        edited = said.what_if(replace(said.supposing(kept), attrs={id(leaf): attrs}))
        left = {s.identity for s in edited.failed()}
        if left & known <= after:
            clean = left <= known | said.behind
            found = edit if found is None or clean else found
            if clean:
                break
    features = {"needs a known type": float(sure)}
    if found is None:
        features["no edit"] = 1.0
    elif place.kind != "call":
        features[f"another {place.kind} fits"] = 1.0
    else:
        features["attribute fits"] = 1.0
        features["attribute fits, but not elsewhere"] = float(not clean)
        features["as like calls have it"] = float(found.likely)
        features["odd attribute"] = float(found.odd)
        features["attribute is not written"] = float(not found.written)
        features["makes all numbers the same"] = float(found.evens)
        features["more calls have it"] = float(found.support > found.precedent)
    return found, features


def _inside(inner: Any, outer: Any) -> bool:
    return inner is not None and outer is not None and bool(outer.start <= inner.start and inner.end <= outer.end)
