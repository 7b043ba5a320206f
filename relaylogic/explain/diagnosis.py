"""The faults of a refuted program: a diagnosis for each, which blames the place that is most likely wrong.

A minimal conflict is found, and its members are ranked. The first of them is mended, or left open if nobody knows how;
what is refused then is the next conflict. That is repeated until what is left is consistent: so what a fault has led
to elsewhere is no error of its own, and what is wrong for other reasons is one. Diagnoses of all faults are a
*hypothesis*. Which member is wrong shows best in what follows from it: behind a mend that is none, more comes up. So
each of the likely members begins a hypothesis, and that which explains all with the fewest and likeliest faults counts.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from .candidates import Candidate, candidates
from .conflicts import Conflicts, Part, Said
from .ranking import DOUBTS, Doubts, score

if TYPE_CHECKING:
    from ..infer.sites import Site

__all__ = ["Diagnosis", "are_cured", "beside", "diagnosed"]

MOST_FAULTS = 20
"""How many faults are looked for; what is refused besides is reported as it stands."""

BEGINNINGS = 4
"""How many members of the first conflict are tried as the first fault."""

SETTLING = 3
"""How often each diagnosis is made again in the light of the others."""

_MORE = "another refusal comes up"

FEW = 3
"""In the light of the others, the first of at most so many faults is looked at again."""


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
        """Whether what is refused is itself most likely wrong, or says itself what it contradicts."""
        place = self.best.place
        refused = place.node is self.site.expr and place.kind not in ("annotation", "result")
        return refused or self.site.state == "contradicted" or len(self.conflict) == 1

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


@dataclass
class _Hypothesis:
    """A diagnosis for each fault, in the order in which they were made; `is_whole` if they explain all refusals.

    `echoes` are those whose conflict is gone where nothing is said at the places that the others blame. `has_more` says
    that more is refused behind the refused calls.
    """

    found: list[Diagnosis]
    is_whole: bool
    weights: Doubts
    echoes: int = 0
    has_more: bool = False

    @property
    def is_mended(self) -> bool:
        """Whether it is known how to mend all faults."""
        return self.is_whole and all(d.best.mend is not None for d in self.found)

    @property
    def likelihood(self) -> float:
        """The logarithm of the chance that what is blamed is wrong, if the conflicts are those of the faults."""
        return sum(d.likelihood for d in self.found)

    @property
    def value(self) -> float:
        """How likely it is, on a logarithmic scale."""
        doubts = sum(d.best.is_doubtful for d in self.found) + 2 * (not self.is_whole)
        changes = sum(1 if d.best.mend is None else d.best.mend.parts for d in self.found)
        if self.has_more and not self.is_mended and all(d.is_own for d in self.found):
            # What is refused behind a call of which nobody knows how to mend it is told as it is.
            doubts, changes = doubts + 1, changes + 1
        weights = self.weights
        return self.likelihood - weights.a_fault * changes - weights.no_mend * doubts - weights.an_echo * self.echoes


def diagnosed(said: Said, doubts: Doubts = DOUBTS) -> list[Diagnosis]:
    """A diagnosis for each independent fault, the first refusal first.

    Without the places that they blame the rest is consistent, and each of them is needed for that. Names are exchanged
    there where that is meant: who calls a function knows its parameters by their order, its body by their names.
    """
    found = _likeliest(said, doubts).found
    for _ in range(SETTLING if len(found) > 1 else 0):
        before = [d.best.place for d in found]
        _settle(said, found)
        if [d.best.place for d in found] == before:
            break
    _complete(said, found)
    count = len(found)
    while echoes := _echoes(said, found):
        found.remove(echoes[0])
    return found if len(found) == count else [_again(said, found, diagnosis) for diagnosis in found]


def _again(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> Diagnosis:
    """A diagnosis that blames the same place, made beside the others, if it was made beside one that is no more."""
    rest = beside(said, found, diagnosis)
    if diagnosis.said.all == rest.all or not rest.refused(rest.all):
        return diagnosis
    again = Diagnosis(rest)
    same = [candidate for candidate in again.ranked if candidate.place is diagnosis.best.place]
    return again.blaming(same[0]) if same else diagnosis


def are_cured(said: Said, found: list[Diagnosis]) -> bool:
    """Whether it is known how to mend all that is blamed, and nothing is refused then."""
    for diagnosis in found:
        if diagnosis.best.mend is None:
            return False
        said = diagnosis.best.mend.made(said, diagnosis.best.place.index)
    return not said.refused(said.all)


def _echoes(said: Said, found: list[Diagnosis]) -> list[Diagnosis]:
    """Those without which the places that the others blame are enough: without these the rest is consistent."""
    blamed = frozenset[int]().union(*(d.best.blamed for d in found))

    def is_enough(others: list[Diagnosis], own: Part) -> bool:
        rest = _renamed(said, others)
        return not rest.refused(rest.all - blamed | own)

    return [d for d in found if len(found) > 1 and is_enough([o for o in found if o is not d], d.best.blamed)]


def _renamed(said: Said, found: list[Diagnosis]) -> Said:
    """A program in which names are exchanged where that is meant: open annotations say nothing of them."""
    for diagnosis in found:
        mend = diagnosis.best.mend
        if mend is not None and mend.renamed:
            said = said.renamed(mend.renamed)
    return said


def _likeliest(said: Said, doubts: Doubts) -> _Hypothesis:
    """The best of some hypotheses; the first of them if it leaves little doubt."""
    first = Diagnosis(said)
    begin = [first.best] + [c for c in first.ranked[1:] if c.mend is not None or first.is_all(c)]
    refused = {site.identity for site in said.refused(said.all)}
    best: _Hypothesis | None = None
    one = [c for c in begin[:BEGINNINGS] if c.mend is not None and not c.mend.left]  # each explains all
    for candidate in begin[:BEGINNINGS]:
        hypothesis = _continued([first.blaming(candidate)], doubts)
        hypothesis.echoes = len(_echoes(said, hypothesis.found))
        hypothesis.has_more = bool(said.behind - refused)
        is_clear = hypothesis.is_mended and not hypothesis.echoes and (len(hypothesis.found) == 1 or not one)
        if best is None and is_clear and hypothesis.likelihood > doubts.little:
            return hypothesis
        if 1 < len(hypothesis.found) <= FEW and hypothesis.is_mended:
            # How likely the first fault is shows beside a rest that is right, if it is a fault there.
            rest = beside(said, hypothesis.found, hypothesis.found[0])
            again = Diagnosis(rest) if rest.refused(rest.all) else hypothesis.found[0]
            same = [c for c in again.ranked if c.place is candidate.place and c.mend is not None]
            if same:
                hypothesis.found[0] = again.blaming(same[0])
        if best is None or hypothesis.value > best.value:
            best = hypothesis
    assert best is not None
    return best


def beside(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> Said:
    """A program in which all is mended but one."""
    for other in found:
        if other is not diagnosis:
            said = _beyond(said, other.best)
    return said


def _continued(found: list[Diagnosis], doubts: Doubts) -> _Hypothesis:
    """The hypothesis that begins with some diagnoses."""
    said = _beyond(found[-1].said, found[-1].best)
    while said.refused(said.all):
        if len(found) == MOST_FAULTS:
            return _Hypothesis(found, False, doubts)
        found.append(Diagnosis(said).with_an_end(doubts))
        said = _beyond(said, found[-1].best)
    return _Hypothesis(found, True, doubts)


def _beyond(said: Said, best: Candidate) -> Said:
    """A program with a place mended, or left open if nobody knows how."""
    if best.mend is not None:
        mended = best.mend.made(said, best.place.index)
        if not mended.refused(()):
            return mended
    return said.opened(best.blamed)


def _settle(said: Said, found: list[Diagnosis]) -> None:
    """Make each diagnosis again, beyond the others; drop those that are echoes of the others.

    What the rest of a program needs of a place is told best by a rest that is right: the first diagnoses were made
    beside faults that were not known yet.
    """
    for diagnosis in list(found):
        rest = beside(said, found, diagnosis)
        if not rest.refused(rest.all):
            found.remove(diagnosis)
        elif diagnosis.said.all != rest.all:
            found[found.index(diagnosis)] = Diagnosis(rest)


def _complete(said: Said, found: list[Diagnosis]) -> None:
    """Find more diagnoses, until the rest is consistent without the places that are blamed."""
    while len(found) < MOST_FAULTS:
        rest = _renamed(said, found)
        for diagnosis in found:
            rest = rest.opened(diagnosis.best.blamed)
        if not rest.refused(rest.all):
            break
        found.append(Diagnosis(rest))
