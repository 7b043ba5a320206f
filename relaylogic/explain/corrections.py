"""Where a refuted program is most likely wrong: minimal corrections, found by asking what if.

A demand that is refused tells where two parts of a program meet that do not fit, not which of them is wrong. So the
program is inferred again with one annotation unread, one leaf unknown, or one demand not made. If errors are gone and
no other came up, that is a *correction*: the rest of the program is consistent without it. (Minimal correction sets of
size one; for types: Chen and Erwig, "Counter-factual typing for debugging type errors", POPL 2014.)

The refused demand itself is always one. Another part is blamed before it

- if it explains more errors than any other: several witnesses against one;
- if it is the only annotation for which the rest of the program says what it should be, and nothing at the place of the
  refusal (a constant, an index, an attribute) could be otherwise to the same effect.

Costs nothing for programs that are typed; the number of questions is bounded by `BUDGET`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..infer.relaxation import Relaxation, without
from ..infer.sites import RelationSite
from ..ir import Call, Function
from .edits import Edit, edit_of
from .slips import slipped
from .suspects import Suspect, suspects

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["Correction", "corrections"]

BUDGET = 60_000
"""How many demands all what-if inferences of one program may make together."""


@dataclass(frozen=True)
class Correction:
    """One part of a program without which some of its errors are gone.

    `needed` is the type that the rest of the program wants in the place of an annotation or a leaf, `edit` a change of
    a leaf that gives it; `explains` are the refused demands that are gone.
    """

    suspect: Suspect
    needed: Any
    edit: Edit | None
    explains: frozenset[Any]

    @property
    def alike(self) -> bool:
        """Whether what is needed is of the same form as the annotation: a tensor for a tensor."""
        node = self.suspect.node
        annotation = node.ret_type if type(node) is Function else node.type_annotation
        return type(annotation) is type(self.needed)

    @property
    def definite(self) -> bool:
        """Whether the rest of the program says all of what should stand there."""
        return bool(getattr(self.needed, "ground", False))


def corrections(inference: Inference, retry: Callable[[Relaxation], Inference]) -> list[Correction]:
    """The corrections to report, each with at least one refused demand that it explains."""
    failed = {site.identity: site for site in inference.driver.failed if site.state == "refused"}
    found = list(_single(inference, failed, retry))
    chosen = []
    left = set(failed)
    while left:
        best = _best([c for c in found if c.explains & left], failed, left, inference)
        if best is None:
            break
        chosen.append(best)
        left -= best.explains
    return chosen


def _single(
    inference: Inference, failed: dict[Any, Site], retry: Callable[[Relaxation], Inference]
) -> Iterator[Correction]:
    """All corrections among the suspects, as far as the budget reaches."""
    spent = 0
    known = {site.identity for site in inference.driver.failed}
    for suspect in suspects(inference, failed.values()):
        if spent > BUDGET:
            return
        demand = suspect.kind == "demand"
        relaxation = Relaxation(demands=frozenset([suspect.site.identity])) if demand else without([suspect.node])
        other = retry(relaxation)
        spent += max(len(other.driver.sites), len(other.generator.types) // 2) + 1
        after = {site.identity for site in other.driver.failed}
        gone = frozenset(failed) - after
        if not gone or after - known:
            continue
        needed = None if demand else other.driver.store.reify(relaxation.holes[id(suspect.node)])
        edit = edit_of(suspect.node, needed, other) if suspect.kind == "leaf" else None
        if edit is not None and type(suspect.node) is Call and not getattr(needed, "ground", False):
            name, value, _ = edit
            edited = retry(Relaxation(attrs={id(suspect.node): {**(suspect.node.attrs or {}), name: value}}))
            spent += len(edited.generator.types) // 2
            if {site.identity for site in edited.driver.failed} & gone:
                edit = None
        if suspect.kind != "leaf" or edit is not None:
            yield Correction(suspect, needed, edit, gone)


def _best(
    candidates: list[Correction], failed: dict[Any, Site], left: set[Any], inference: Inference
) -> Correction | None:
    """The correction to blame, or None if the refused demand itself is the best place to point at."""
    if not candidates:
        return None
    most = max(len(c.explains & left) for c in candidates)
    leading = [c for c in candidates if len(c.explains & left) == most]
    annotations = [c for c in leading if c.suspect.kind == "annotation"]
    definite = [c for c in annotations if c.definite]
    leaves = [c for c in leading if c.suspect.kind == "leaf"]
    if most > 1:
        return (leaves or definite or annotations or leading)[0]
    sites = [failed[key] for key in dict.fromkeys(key for c in leading for key in c.explains) if key in left]
    if any(_inside(c.suspect.span, site.span) for c in leaves for site in sites) or any(map(lambda site: slipped(site, inference), sites)):
        return None
    if len(definite) == 1:
        return definite[0]
    if leaves:
        return None if definite else leaves[0]
    met = all(isinstance(site, RelationSite) and _of_annotations(site.expr) for site in sites)
    return annotations[0] if met and annotations and not definite and annotations[0].alike else None


def _of_annotations(expr: Any) -> bool:
    """Whether a call brings nothing together but annotated variables."""
    arguments = expr.args if type(expr) is Call else ()
    return len(arguments) > 1 and all(getattr(a, "type_annotation", None) is not None for a in arguments)


def _inside(inner: Any, outer: Any) -> bool:
    return inner is not None and outer is not None and bool(outer.start <= inner.start and inner.end <= outer.end)
