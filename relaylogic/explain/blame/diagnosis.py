"""A diagnosis: a minimal conflict of a refuted program with its members ranked, the most likely fault first.

The program *beyond* a diagnosis is the one in which its best member is mended, or left open if nobody knows how: what
a fault has led to elsewhere is no error of its own there, and what is wrong for other reasons is refused still.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from math import exp, log
from typing import TYPE_CHECKING

from ..conflicts.minimal import Conflicts
from ..places.said import Part, Said
from .candidates import Candidate, candidates
from .ranking import Doubts, score

if TYPE_CHECKING:
    from ...infer.sites.site import Site

__all__ = ["Diagnosis", "beside", "beyond", "with_names_exchanged"]

_MORE = "another refusal comes up"


class Diagnosis:
    """A conflict with its members ranked, the most likely fault first, and the demand that is refused for it."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.conflict: Part = Conflicts(said).coarse(said.all)
        self.site = self._refused()
        found = candidates(said, self.conflict, said.all)
        is_long = said.places.is_long
        self._scores = {id(c): round(score(c.features, is_long), 6) for c in found}
        self.ranked = sorted(found, key=lambda c: -self._scores[id(c)])

    def _refused(self) -> Site:
        """The demand that is refused for the conflict; of what is wrong on its own, that which is about it."""
        site = self.said.refused(self.said.all)[0]
        if len(self.conflict) > 1 or site.state == "malformed":
            return site
        nodes = [self.said.places.all[i].node for i in self.conflict]
        alone = self.said.refused(self.conflict.union(self.said.places.attributes(self.conflict)))
        return next((own for own in alone if any(own.expr is node for node in nodes)), site)

    @property
    def best(self) -> Candidate:
        """The member that is most likely wrong."""
        return self.ranked[0]

    @property
    def is_own(self) -> bool:
        """Whether what is refused is itself most likely wrong, or says itself what it contradicts, as good as anything
        of which nobody knows what is meant."""
        place = self.best.place
        refused = place.node is self.site.expr and place.kind not in ("annotation", "result")
        is_said = self.site.state == "contradicted" and self.best.mend is None
        return refused or is_said or len(self.conflict) == 1

    def is_all(self, candidate: Candidate) -> bool:
        """Whether nothing is refused without a member, as far as that was looked at."""
        refused = self.said.refused(self.said.all)
        return all(site.identity in candidate.explains for site in refused) and not candidate.features.get(_MORE)

    def blaming(self, candidate: Candidate) -> Diagnosis:
        """The same with another member as the best."""
        other = copy(self)
        other.ranked = [candidate, *(c for c in self.ranked if c is not candidate)]
        return other

    def with_an_end(self, doubts: Doubts) -> Diagnosis:
        """The same with that member as the best which is, if what it leaves refused is a fault more."""

        def value(candidate: Candidate) -> float:
            mend = candidate.mend
            return self._scores[id(candidate)] - (doubts.no_mend if mend is None else doubts.a_fault * bool(mend.left))

        return self.blaming(max(self.ranked, key=value))

    @property
    def likelihood(self) -> float:
        """The logarithm of the chance of the best among the members of the conflict."""
        top = max(self._scores.values())
        whole = sum(exp(s - top) for s in self._scores.values())
        return self._scores[id(self.best)] - top - log(whole)


def beyond(said: Said, best: Candidate) -> Said:
    """A program with a place mended, or left open if nobody knows how."""
    if best.mend is not None:
        mended = best.mend.made(said, best.place.index)
        if not mended.refused(()):
            return mended
    return said.opened(best.blamed)


def beside(said: Said, found: Iterable[Diagnosis], diagnosis: Diagnosis) -> Said:
    """A program in which all is mended but one.

    Mends that all go together need not be asked about one by one.
    """
    others = [other.best for other in found if other is not diagnosis]
    if len(others) > 1 and not said.is_generous:
        mended = said
        for best in others:
            mended = mended.opened(best.blamed) if best.mend is None else best.mend.made(mended, best.place.index)
        if not mended.refused(()):
            return mended
    for best in others:
        said = beyond(said, best)
    return said


def with_names_exchanged(said: Said, found: Iterable[Diagnosis]) -> Said:
    """A program in which names are exchanged where that is meant: open annotations say nothing of them."""
    for diagnosis in found:
        mend = diagnosis.best.mend
        if mend is not None and mend.renamed:
            said = said.renamed(mend.renamed)
    return said
