"""The errors of a refuted program: one for each fault, at the place that is most likely wrong.

A minimal conflict is found, its members are ranked, the first of them is reported with the others as related places,
and is left out from then on. That is repeated until what is left is consistent: so what the fault has led to elsewhere
is no error of its own, and what is wrong for other reasons is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..infer.result import Label, Problem
from ..infer.schemes import parts_of
from ..infer.sites import Site
from ..ir import Call, Function, Op
from ..ir import Var as LocalVar
from ..types import show_type
from .candidates import Candidate, candidates
from .conflicts import Conflicts, Part, Said
from .differences import compatible
from .fixes import fixes_of
from .places import Place
from .ranking import score

if TYPE_CHECKING:
    from ..infer.program import Inference

__all__ = ["Diagnosis", "diagnosed", "label_of"]

MOST_FAULTS = 20
"""How many faults are looked for; what is refused besides is reported as it stands."""

SETTLING = 3
"""How often each diagnosis is made again in the light of the others."""

_GENERATED = re.compile(r"\bt\d+\b")
"""The names of type parameters that stand for what is open."""


class Diagnosis:
    """A conflict with its members ranked, the most likely fault first, and the demand that is refused for it."""

    def __init__(self, said: Said, conflict: Part, kept: Part) -> None:
        self.conflict = conflict
        self.kept = kept
        self.site = said.refused(kept)[0]
        found = candidates(said, conflict, kept)
        is_long = said.places.is_long
        self.ranked = sorted(found, key=lambda c: -round(score(c.features, is_long), 6))

    @property
    def best(self) -> Candidate:
        """The member that is most likely wrong."""
        return self.ranked[0]

    @property
    def is_own(self) -> bool:
        """Whether what is refused is itself most likely wrong, or says itself what it contradicts."""
        place = self.best.place
        refused = place.node is self.site.expr and place.kind not in ("annotation", "result")
        return refused or self.site.state == "contradicted" or len(self.conflict) == 1


def diagnosed(said: Said) -> list[Diagnosis]:
    """A diagnosis for each independent fault, the first refusal first.

    Without the places that they blame the rest is consistent, and each of them is needed for that.
    """
    found: list[Diagnosis] = []
    _complete(said, found)
    for _ in range(SETTLING if len(found) > 1 else 0):
        before = [d.best.place for d in found]
        _settle(said, found)
        _complete(said, found)
        if [d.best.place for d in found] == before:
            break
    for diagnosis in list(found):
        if len(found) > 1 and _is_echo(said, found, diagnosis):
            found.remove(diagnosis)
    return found


def _complete(said: Said, found: list[Diagnosis]) -> None:
    """Find more diagnoses, until the rest is consistent."""
    kept = said.all - {d.best.place.index for d in found}
    while len(found) < MOST_FAULTS and said.refused(kept):
        found.append(Diagnosis(said, Conflicts(said, kept).coarse(kept), kept))
        kept -= {found[-1].best.place.index}


def _settle(said: Said, found: list[Diagnosis]) -> None:
    """Make each diagnosis again, without the places that the others blame; drop those that are echoes of the others.

    What the rest of a program needs of a place is told best by a rest that is right: the first diagnoses were made
    beside faults that were not known yet.
    """
    for diagnosis in list(found):
        if _is_echo(said, found, diagnosis):
            found.remove(diagnosis)
            continue
        kept = _beside(said, found, diagnosis)
        if kept == diagnosis.kept:
            continue
        again = Diagnosis(said, Conflicts(said, kept).coarse(kept), kept)
        changed = [again if d is diagnosis else d for d in found]
        # What would make an echo of another, with that in sight, has not been blamed: it is not now, without.
        if not any(_is_echo(said, changed, d) for d in changed if d is not again):
            found[:] = changed


def _beside(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> Part:
    """All places but those that the other diagnoses blame."""
    return said.all - {d.best.place.index for d in found if d is not diagnosis}


def _is_echo(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> bool:
    """Whether nothing is refused any more without the places that the other diagnoses blame."""
    return not said.refused(_beside(said, found, diagnosis))


def problem_of(diagnosis: Diagnosis, said: Said, refusal: Callable[[Site], Problem]) -> Problem:
    """A diagnosis as an error; `refusal` puts a refused demand into words."""
    best, site = diagnosis.best, diagnosis.site
    told = refusal(site)
    others = [said.places.all[i] for i in sorted(diagnosis.conflict - {best.place.index})]
    others = [place for place in others if place.node is not site.expr or place.span != site.span]
    related = [label_of(place, said.whole) for place in others]
    attribute = _attribute(best, said)
    if diagnosis.is_own:
        edit = _edit(best)
        related += [] if attribute is None else [label_of(attribute, said.whole)]
        hints = (*told.hints, *([edit] if edit else []))
        return replace(told, hints=hints, related=tuple(related), fixes=fixes_of(best, said))
    related.insert(0, Label(told.span, told.message))
    message, place, fixes = _claim(best, said), best.place, fixes_of(best, said)
    span = place.span if attribute is None else attribute.span
    return Problem(message, span, told.relation, told.clause, place.owner, related=tuple(related), fixes=fixes)


def _attribute(best: Candidate, said: Said) -> Place | None:
    """The place of the attribute that should be another, if the text gives it."""
    if best.place.kind != "call" or best.edit is None:
        return None
    given = [said.places.all[i] for i in said.places.attributes([best.place.index])]
    return next((place for place in given if place.attribute == best.edit.what and place.span is not None), None)


def _claim(best: Candidate, said: Said) -> str:
    """What is wrong at a place that is not refused itself, and what should be there."""
    place, needed = best.place, best.needed
    node = place.node
    wanted = _known(needed)
    if place.kind in ("annotation", "result"):
        written = node.ret_type if place.kind == "result" else node.type_annotation
        name = f"`%{node.name_hint}`" if place.kind == "annotation" else "the result"
        if wanted is None or compatible(written, needed):
            return f"{name} is annotated {show_type(written)}, which contradicts the rest of the program"
        return f"{name} is annotated {show_type(written)}, but the rest of the program needs {wanted}"
    edit = _edit(best)
    if edit is not None:
        return edit
    found = said.whole.type_of(node)
    text = f"{_name(place)} has type {show_type(found)}" if found is not None else _name(place)
    if wanted is None or found is None or compatible(found, needed):
        return (
            f"{text}, which contradicts the rest of the program"
            if found is not None
            else (f"{text} contradicts the rest of the program")
        )
    return f"{text}, but the rest of the program needs {wanted}"


def _known(needed: Any) -> str | None:
    """What is needed as text, if anything is known of it."""
    text = None if needed is None else show_type(needed)
    return None if text is None or text in ("_", "Tensor[_, _]") or _GENERATED.search(text) else text


def _edit(best: Candidate) -> str | None:
    """What change would make the program consistent."""
    edit, needed = best.edit, best.needed
    if edit is None:
        return None
    if edit.what == "the constant":
        return f"the rest of the program needs {show_type(needed)} here"
    if edit.what == "the index":
        return f"the rest of the program needs field .{edit.value} here, of type {show_type(needed)}"
    like = f", as {edit.support} other calls have" if edit.support > 1 else ""
    return f"the rest of the program is consistent with `{edit.what}={_text(edit.value)}` here{like}"


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, (tuple, list)) else repr(value)


_WORDS = {
    "constant": "the constant",
    "demand": "this",
    "function": "the function",
    "if": "the `if`",
    "match": "the match",
    "pattern": "the pattern",
    "projection": "the projection",
    "reference": "the reference",
    "tuple": "the tuple",
}


def _name(place: Place) -> str:
    """What stands at a place, in words."""
    node = place.node
    if type(node) is Call:
        name = node.op.name if type(node.op) is Op else getattr(node.op, "name_hint", "")
        return f"the call of `{name}`" if name else "the call"
    if place.kind == "use":
        name = getattr(node, "name_hint", None) or getattr(node, "name", "")
        return f"`%{name}`" if isinstance(node, LocalVar) else f"`{name}`"
    return _WORDS.get(place.kind, "this")


def label_of(place: Place, inference: Inference) -> Label:
    """What a place says, as a label of it."""
    node = place.node
    if place.kind == "attribute":
        return Label(place.span, f"`{place.attribute}` is {_text(node.attrs[place.attribute])}")
    if place.kind == "annotation":
        return Label(place.span, f"`%{node.name_hint}` is annotated {show_type(node.type_annotation)}")
    if place.kind == "result" and type(node) is Function:
        return Label(place.span, f"the result is annotated {show_type(node.ret_type)}")
    type_ = None if place.kind == "pattern" else inference.type_of(node)
    known = show_type(type_) if getattr(type_, "ground", False) and not parts_of((type_,)) else None
    return Label(place.span, _name(place) if known is None else f"{_name(place)} has type {known}")
