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
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from unification import Var

from ..infer.places import use_span
from ..infer.relaxation import Relaxation, without
from ..infer.sites import RelationSite
from ..ir import Call, Function, TupleGetItem
from ..logic.terms import Term
from .edits import Edit, edits_of
from .sharing import misused
from .slips import slipped
from .suspects import Suspect, homes, suspects

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["Correction", "corrections"]

BUDGET = 30_000
"""How many demands all what-if inferences of one program may make together."""

SMALL = 1
"""In how many places an annotation may be changed for the change to count as small."""

CONFIRMED = 12
"""How many edits of one call are tried in the whole program."""


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
    def supported(self) -> bool:
        """Whether there are calls alike that have what the edit says."""
        return self.edit is not None and self.edit.support > self.edit.precedent

    @property
    def distance(self) -> int:
        """In how many places the annotation would have to be changed."""
        node = self.suspect.node
        return differences(node.ret_type if type(node) is Function else node.type_annotation, self.needed)

    @property
    def open_distance(self) -> int:
        """The distance, counting what the rest of the program leaves open as different."""
        node = self.suspect.node
        return differences(node.ret_type if type(node) is Function else node.type_annotation, self.needed, True)

    @property
    def definite(self) -> bool:
        """Whether the rest of the program says all of what should stand there."""
        return bool(getattr(self.needed, "ground", False))


def corrections(inference: Inference, retry: Callable[[Relaxation], Inference]) -> list[Correction]:
    """The corrections to report, each with at least one refused demand that it explains."""
    failed = {site.identity: site for site in inference.driver.failed if site.state == "refused"}
    if len(failed) == 1:
        ((key, site),) = failed.items()
        wrong = misused(site, inference)
        if wrong is not None:
            call, argument, unused = wrong
            return [Correction(Suspect("argument", argument, use_span(argument, call)), unused, None, frozenset([key]))]
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
    owners, callers = homes(inference.module)
    at_fault = {site.owner for site in inference.driver.failed}
    known = {site.identity for site in inference.driver.failed}
    for suspect in suspects(inference, failed.values()):
        if spent > BUDGET:
            return
        demand = suspect.kind == "demand"
        relaxation = Relaxation(demands=frozenset([suspect.site.identity])) if demand else without([suspect.node])
        home = owners.get(id(suspect.node), "")
        relaxation = replace(relaxation, functions=frozenset({*at_fault, home, *callers.get(home, ())}))
        other = retry(relaxation)
        spent += max(len(other.driver.sites), len(other.generator.types) // 2) + 1
        after = {site.identity for site in other.driver.failed}
        gone = frozenset(failed) - after
        if not gone or after - known:
            continue
        needed = None if demand else other.driver.store.reify(relaxation.holes[id(suspect.node)])
        edit = None
        if suspect.kind == "leaf":
            for candidate in islice(edits_of(suspect.node, needed, other), CONFIRMED):
                if type(suspect.node) is not Call or getattr(needed, "ground", False):
                    edit = candidate
                    break
                attrs = {**(suspect.node.attrs or {}), candidate.what: candidate.value}
                edited = retry(Relaxation(attrs={id(suspect.node): attrs}, functions=relaxation.functions))
                spent += len(edited.generator.types) // 2
                if {site.identity for site in edited.driver.failed} <= known - gone:
                    edit = candidate
                    break
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
    likely = [c for c in leaves if c.edit is not None and c.edit.likely]
    if likely:
        return None if any(_inside(likely[0].suspect.span, site.span) for site in sites) else likely[0]
    here = [c for c in leaves if any(_inside(c.suspect.span, site.span) for site in sites)]
    if any(c.edit is not None and not c.edit.odd for c in here) or any(slipped(site, inference) for site in sites):
        return None
    small = [c for c in definite if c.distance <= SMALL]
    if len(small) == 1:
        return small[0]
    relations = all(isinstance(site, RelationSite) for site in sites)
    if small:
        results = [c for c in small if type(c.suspect.node) is Function]
        return small[0] if relations else results[0] if results and not leaves else None
    known = [c for c in leaves if c not in here and (type(c.suspect.node) is TupleGetItem or c.supported)]
    if known:
        return None if definite or here else known[0]
    if not relations or definite:
        return None
    arguments = [a for site in sites for a in getattr(site.expr, "args", ())]
    direct = [c for c in annotations if c.alike and any(c.suspect.node is a for a in arguments)]
    near = [c for c in direct if 0 < c.distance <= SMALL or c.open_distance == SMALL]
    if len(near) == 1 or (near and all(_of_annotations(site.expr) for site in sites)):
        return near[0]
    return direct[0] if direct and all(_of_annotations(site.expr) for site in sites) else None


def _of_annotations(expr: Any) -> bool:
    """Whether a call brings nothing together but annotated variables."""
    arguments = expr.args if type(expr) is Call else ()
    return len(arguments) > 1 and all(getattr(a, "type_annotation", None) is not None for a in arguments)


def differences(left: Any, right: Any, strict: bool = False) -> int:
    """How many parts of two types differ; a part that only one of them has counts as one.

    Unless `strict`, an extent or a dtype that is open on the right does not differ; a whole shape that is open does.
    """
    count, stack = 0, [(left, right)]
    while stack:
        a, b = stack.pop()
        if a is b or a == b or (not strict and type(b) is Var and type(a) is not tuple):
            continue
        if type(a) is tuple and type(b) is tuple:
            same = 0
            while same < min(len(a), len(b)) and a[same] == b[same]:
                same += 1
            if len(a) == len(b):
                stack.extend(zip(a[same:], b[same:], strict=True))
            else:
                count += abs(len(a) - len(b)) + min(len(a), len(b)) - same
        elif isinstance(a, Term) and type(a) is type(b) and len(a.args) == len(b.args) and a.args:
            stack.extend(zip(a.args, b.args, strict=True))
        else:
            count += 1
    return count


def _inside(inner: Any, outer: Any) -> bool:
    return inner is not None and outer is not None and bool(outer.start <= inner.start and inner.end <= outer.end)
