"""What speaks for a place of a conflict being the fault, as named features that `ranking` weighs.

Each member of a conflict makes it go away if it is left out. So the program is inferred without it, which tells how
much else goes away, and what type the rest of the program needs there; then small changes are looked for that would
give that type: another attribute, another field, arguments in another order, a variable that nobody uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...infer.generate import BOOL
from ...infer.sites.places import tail
from ...infer.sites.schemes import parts_of
from ...infer.sites.site import Site
from ...infer.sites.structure import InstanceSite
from ...ir import Call, Clause, Constructor, Function, Op
from ...ir import Var as LocalVar
from ...logic.terms.variables import VARIABLES
from ...types import FuncType, RefType, TensorType, TupleType, TypeCall
from ..places.place import Place
from ..places.places import Places
from ..places.said import Part, Said
from ..refusals.differences import are_of_other_forms, are_reordered, denied, differences
from .around import Around
from .common import Common
from .conversions import is_flattened, is_of_channels
from .edits import Edit, known_of, told_of
from .meant_types import told_by_fields
from .mends import Mend, best_mend
from .missing_calls import missing_calls
from .slips import Slips

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Candidate", "candidates"]

MOST = 60
"""How many members of a conflict are looked at, the nearest to the refusal first."""

EDITED = 24
"""Of how many calls edits are looked for."""


_MENDED = ("annotation", "result", "constant", "projection", "reference", "tuple")
"""The kinds of places, beside calls, of which it speaks against them that nothing mends them."""

_OF_VALUES = ("tuple", "projection", "reference")
"""The kinds of places at which something is made of values, which may be others."""

Told = tuple[list[tuple[Any, ...]], list[str]]
"""The shapes, and the dtypes, that are told around a refusal."""


@dataclass
class Candidate:
    """A place of a conflict, with what speaks for it.

    `needed` is the type that the rest of the program wants there; `edit` a small change that gives it; `explains` are
    the refused demands, by identity, that are gone without the place, or with `mend`, which is what might be meant
    there: it is `guessed` if nothing that the rest of the program says denies what stands there.
    """

    place: Place
    needed: Any
    edit: Edit | None
    explains: frozenset[Any]
    features: dict[str, float]
    mend: Mend | None = None
    guessed: bool = False

    @property
    def blamed(self) -> Part:
        """The places that are wrong if this one is."""
        beside = () if self.mend is None else self.mend.beside
        return frozenset([self.place.index, *(index for index, _ in beside)])

    @property
    def is_doubtful(self) -> bool:
        """Whether nobody knows what is meant, or only by trying: nothing in the program denies what stands there.

        Of a call it is known if its type is: some other call is meant.
        """
        if self.mend is None:
            return self.place.kind != "call" or not getattr(self.needed, "ground", False)
        return self.guessed and not self.mend.left and self.mend.parts == 1


def candidates(said: Said, conflict: Part, kept: Part) -> list[Candidate]:
    """The members of a minimal conflict among the places `kept`, the nearest to the refusal first.

    Attributes are looked at with their calls.
    """
    refused = said.refused(kept)
    site = refused[0]
    distances = said.places.distances([id(site.expr)], kept)
    order = sorted(conflict - said.attributes, key=lambda index: (distances.get(index, 1_000_000), index))
    slips, common = Slips(said.whole), said.of_module(Common)
    told = common.around(site)
    # Whatever is far away is worth a closer look if it is unlike the calls that it is like in all else.
    odd = [i for i in order if said.places.all[i].kind == "call" and common.is_odd(said.places.all[i].node)][:EDITED]
    order = [*order[:MOST], *(i for i in odd if i not in order[:MOST])]
    closer = {*order[:EDITED], *odd}
    found = [
        _candidate(said, said.places.all[i], conflict, kept, refused, slips, told, n, i in closer)
        for n, i in enumerate(order)
    ]
    elsewhere = common.elsewhere(said.places.all[i].node for i in conflict)
    for candidate in found:
        meant = None if candidate.mend is None else candidate.mend.type
        place, needed, edit = candidate.place, candidate.needed, candidate.edit
        candidate.features.update(common.features(place, needed, edit, meant, said.whole, elsewhere))
        if candidate.mend is not None and is_flattened(candidate.mend.slip):
            if common.says_size(_converted(place.node, candidate.mend, said)):
                candidate.features["it has a size that is said if it is flattened"] = 1.0
                candidate.guessed = False
    converted = (c for c in found if "converted, all is right" in c.features)
    for candidate in islice(converted, 1):
        candidate.features["converted next to the refusal"] = 1.0
    for branching in found:
        ends = {id(end) for end in _ends(branching.place)}
        which = [c for c in found if id(c.place.node) in ends and c.place.kind != "condition"]
        for candidate in which if len({id(c.place.node) for c in which}) > 1 else ():
            candidate.features["comes out of a branching"] = 1.0
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


def _converted(node: Any, mend: Mend, said: Said) -> Any:
    """The type of what a mend converts: that of a node, or of an argument or a field of it."""
    what, _, number = mend.converted.partition(" ")
    if what == "argument":
        node = node.args[int(number) - 1]
    elif what == "field":
        node = node.fields[int(number.removeprefix("."))]
    return said.whole.type_of(node)


def _ends(place: Place) -> list[Any]:
    """What the branches of a place come to."""
    node = place.node
    branches: list[Any] = []
    if place.kind == "if":
        branches = [node.true_branch, node.false_branch]
    elif place.kind == "match":
        branches = [clause.rhs for clause in node.clauses]
    return [tail(branch)[0] for branch in branches]


def _explained(candidate: Candidate) -> int:
    """How many refusals one fault at a place explains: an annotation that is wrong in several parts has several.

    Unless one change mends them.
    """
    count = len(candidate.explains)
    features, mend = candidate.features, candidate.mend
    several = features.get("several parts differ") and not features.get("one known part differs")
    is_one = mend is not None and not mend.left and mend.parts == 1
    return min(count, 1) if several and not is_one else count


def _candidate(
    said: Said,
    place: Place,
    conflict: Part,
    kept: Part,
    refused: list[Site],
    slips: Slips,
    told: Told,
    nth: int,
    closer: bool,
) -> Candidate:
    site = refused[0]
    without = said.what_if(said.supposing(kept, frozenset([place.index])))
    known = {s.identity for s in refused}
    after = {s.identity for s in without.failed()}
    needed = _needed(place, without)
    if place.kind == "call" and type(needed) in VARIABLES:  # who takes fields of it may tell
        needed = told_by_fields(said.places, place.node, said.whole.type_of(place.node), without)
    features: dict[str, float] = {_kind(place, said): 1.0}
    is_annotation = place.kind in ("annotation", "result")
    if place.node is site.expr and not is_annotation:  # of what is annotated, its use is refused
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
    if not closer:
        features["seen from afar"] = 1.0
    mend, edit, guessed = None, None, False
    if closer or is_annotation:
        spare, near = slips.spare(place, without), slips.near(place, without)
        is_call = place.kind == "call"
        bound = slips.known(place, without) if is_call or place.kind in _OF_VALUES else {}
        operators = slips.operators(place.node) if is_call else []
        parameters, uses = slips.parameters(place), partial(slips.uses, place)
        calls = partial(missing_calls, functions=slips.functions(place, without), inference=without)
        around = Around(frozenset(known), spare, near, *told, parameters, bound, operators, uses, calls)
        mend = best_mend(said, place, conflict, kept, needed, without, around)
        names_one = mend is not None and bool({*parameters} & parts_of((mend.type,)).keys())
        if is_annotation and mend is not None and not mend.left and not mend.beside and names_one:
            needed = mend.type  # a hole has one type, that of a parameter is another for each user of the function
        edit = None if mend is None else mend.edit
        own = place.written if is_annotation else said.whole.type_of(place.node)
        wanted = told_by_fields(said.places, place.node, own, without) if type(needed) in VARIABLES else needed
        guessed = (is_annotation or (place.kind == "call" and place.node is not site.expr)) and not denied(own, wanted)
        features.update(_of_mend(mend, place, known, said, guessed))
        if mend is not None and (mend.replaced or mend.converted or place.is_use):
            features.update(_of_given(place, said.places))
    if is_annotation:
        features["the rest says what"] = float(bool(getattr(needed, "ground", False)))
        features.update(_of_annotation(place.written, needed if mend is None or mend.beside else mend.type))
    if closer and (place.kind in ("constant", "projection") or (place.kind == "call" and type(place.node.op) is Op)):
        features["needs a known type"] = float(bool(getattr(needed, "ground", False)))
        features["passes a tuple on"] = float(_passes_a_tuple_on(place.node, said.whole))
        features.update(_of_edit(edit, place, needed))
    features.update(slips.features(place, needed, without))
    gone = known - after
    if mend is not None and mend.left <= known | said.behind:
        gone = max(gone, known - mend.left, key=len)
    if mend is not None and mend.cures:
        gone |= {site.identity}
    return Candidate(place, needed, edit, frozenset(gone), features, mend, guessed)


def _of_mend(
    mend: Mend | None, place: Place, known: set[Any], said: Said, guessed: bool
) -> Iterator[tuple[str, float]]:
    """What a mend tells; it is `guessed` if nothing that the rest of the program says denies what stands there."""
    how = "guessed" if guessed else "mended"
    if mend is not None and (mend.converted or mend.replaced):
        how = "converted" if mend.converted else "replaced"
    if mend is None:
        if place.kind in _MENDED or type(place.node) is Call:
            yield "no mend", 1.0
    elif mend.parts > 1:
        yield f"{how} in several parts", 1.0
    elif not mend.left:
        yield f"{how}, all is right", 1.0
    elif mend.left <= known | said.behind:
        yield f"{how}, less is refused", 1.0
    else:
        yield f"{how}, another refusal comes up", 1.0
    if mend is None:
        return
    if is_of_channels(mend.slip) and type(place.node) is Call:
        if any(said.whole.type_of(argument) == mend.type for argument in place.node.args):
            yield "one number for each channel", 1.0
    if mend.converted == "this" and not place.is_use:
        yield "converted itself", 1.0
    if mend.converted and type(_converted(place.node, mend, said)) in (FuncType, TupleType, RefType):
        yield "taken out of it", 1.0
    if mend.left_out:
        yield "left out", 1.0
    if mend.beside and place.kind == "call":
        yield "calls exchanged", 1.0


def _of_given(place: Place, places: Places) -> Iterator[tuple[str, float]]:
    """What speaks against what is given at a place where another value, or one that is made of it, is meant."""
    node = place.node
    parts = [node] if place.is_use else node.args if type(node) is Call else getattr(node, "fields", ())
    if any(places.all[i].kind == "condition" for part in parts for i in places.at(part)):
        yield "a condition is given", 1.0
    if any(places.fields_taken(part) is not None for part in parts):
        yield "all is given of what has fields that are used", 1.0


def _needed(place: Place, without: Inference) -> Any:
    """The type that the rest of the program wants at a place; None if no type stands there.

    What is left open is of one type, but the result of a polymorphic function is of another one for each of its users:
    what its body comes to is wanted there.
    """
    if place.kind == "result" and place.node.type_params:
        found = known_of(place.node.body, without)
        if getattr(found, "ground", False):
            return found
    if place.kind == "condition":
        return BOOL
    if place.kind in ("annotation", "result"):
        hole = without.holes.get(id(place.node))
        return None if hole is None else told_of(without.driver.store.reify(hole), without)
    if place.wants is not None:
        wanted = known_of(place.wants, without)
        return wanted.ret_type if type(place.wants) is Function and type(wanted) is FuncType else wanted
    return known_of(place.binds if isinstance(place.binds, (LocalVar, Clause)) else place.node, without)


def _kind(place: Place, said: Said) -> str:
    node = place.node
    if place.kind == "call":
        return (
            "call of an operator"
            if type(node.op) is Op
            else ("call of a constructor" if type(node.op) is Constructor else "call of a function")
        )
    if place.kind == "use" and isinstance(place.binds, LocalVar):
        return "another name"
    if place.kind == "annotation":
        return f"annotation of a {said.places.role(node)}"
    return place.kind


def _of_annotation(written: Any, needed: Any) -> Iterator[tuple[str, float]]:
    distance = differences(written, needed)
    if are_reordered(written, needed):
        yield "parts in another order", 1.0
    elif distance == 1:
        yield "one part differs", 1.0
    elif distance > 1:
        yield "several parts differ", 1.0
        if denied(written, needed) == 1:
            yield "one known part differs", 1.0
    else:
        yield "nothing known differs", 1.0
    if differences(written, needed, True) == 1:
        yield "one part is open or differs", 1.0
    if type(written) is not type(needed) or are_of_other_forms(written, needed):
        yield "of another form", 1.0
        yield "what is needed is a part of it", float(needed in _parts_within(written))
        yield "it is a part of what is needed", float(written in _parts_within(needed))
    elif type(written) is TensorType and type(written.shape) is tuple and type(needed.shape) is tuple:
        if len(written.shape) != len(needed.shape):
            yield "another rank is needed", 1.0


def _parts_within(type_: Any) -> tuple[Any, ...]:
    """The fields of a tuple, what a data type is of, what a function gives, or what a reference holds."""
    if type(type_) is FuncType:
        return (type_.ret_type,)
    if type(type_) is TupleType:
        return type_.fields if type(type_.fields) is tuple else ()
    if type(type_) is TypeCall:
        return tuple(type_.type_args)
    return (type_.value,) if type(type_) is RefType else ()


def _of_edit(edit: Edit | None, place: Place, needed: Any) -> Iterator[tuple[str, float]]:
    """What speaks for a change of an attribute, an index or a constant."""
    if edit is None:
        yield "no edit", 1.0
    elif place.kind != "call":
        yield f"another {place.kind} fits", 1.0
    else:
        yield "attribute fits", 1.0
        type_ = getattr(needed, "shape", ()), getattr(needed, "dtype", ())
        yield "attribute says the type", float(edit.value in type_)
        yield "as like calls have it", float(edit.likely)
        yield "odd attribute", float(edit.odd)
        yield "attribute is not written", float(not edit.written)
        yield "no other number goes with what is given", float(edit.alone)
        yield "makes all numbers the same", float(edit.evens)
        yield "more calls have it", float(edit.support > edit.precedent)


def _passes_a_tuple_on(node: Any, whole: Inference) -> bool:
    """Whether an operator is given a tuple, and gives one like it, where a field of it may have been meant."""
    own = whole.type_of(node)
    return type(own) is TupleType and type(node) is Call and any(whole.type_of(given) == own for given in node.args)


def _inside(inner: Any, outer: Any) -> bool:
    return inner is not None and outer is not None and bool(outer.start <= inner.start and inner.end <= outer.end)
