"""Hypotheses about all faults of a refuted program, and the likeliest of them.

Diagnoses of all faults are a *hypothesis*: each is made beyond those before it, until what is left is consistent. Which
member of a conflict is wrong shows best in what follows from it: behind a mend that is none, more comes up. So each of
the likely members of the first conflict begins a hypothesis, and that which explains all with the fewest and likeliest
faults counts. A fault more only makes a hypothesis less likely; so that one goes on first which may become the
likeliest, and where one explains all and no other may become likelier, the others need not go on (best-first search).
"""

from __future__ import annotations

from typing import Any

from ..places.said import Said
from .diagnosis import Diagnosis, beside, beyond, with_names_exchanged
from .ranking import Doubts

__all__ = ["FEW", "MOST_FAULTS", "Hypothesis", "is_echo", "likeliest"]

MOST_FAULTS = 20
"""How many faults are looked for; what is refused besides is reported as it stands."""

BEGINNINGS = 4
"""How many members of the first conflict are tried as the first fault."""

MOST_LOOKED_AT = 100_000
"""After so many demands were looked at, in all questions together, the search ends: with the likeliest hypothesis that
explains all, or, if none does yet, with that which may become it, which goes on alone. A demand takes 0.3 ms where much
is open."""

FEW = 3
"""In the light of the others, the first of at most so many faults is looked at again."""


class Hypothesis:
    """Diagnoses of faults, in the order in which they were made, the first of them given.

    `is_whole` says that they explain all refusals, `is_ended` that no more are looked for. `echoes` are those whose
    conflict is gone where nothing is said at the places that the others blame, once that was looked at; and those which
    are refused only since others are mended, if one place is enough: the likeliest of the first conflict explains all.
    """

    def __init__(self, said: Said, first: Diagnosis, doubts: Doubts, one_is_enough: bool) -> None:
        self.found = [first]
        self._one_is_enough = one_is_enough
        self.echoes = 0
        self._said = said
        self._doubts = doubts
        self._beyond = beyond(first.said, first.best)

    def go_on(self) -> None:
        """Diagnose what is refused beyond what is known."""
        diagnosis = Diagnosis(self._beyond).with_an_end(self._doubts)
        self.found.append(diagnosis)
        self._beyond = beyond(self._beyond, diagnosis.best)

    @property
    def is_whole(self) -> bool:
        """Whether it explains all refusals."""
        return not self._beyond.refused(self._beyond.all)

    @property
    def is_ended(self) -> bool:
        """Whether no more faults are looked for."""
        return self.is_whole or len(self.found) == MOST_FAULTS

    @property
    def are_mended(self) -> bool:
        """Whether it is known how to mend all faults so far."""
        return all(d.best.mend is not None for d in self.found)

    @property
    def likelihood(self) -> float:
        """The logarithm of the chance that what is blamed is wrong, if the conflicts are those of the faults."""
        return sum(d.likelihood for d in self.found)

    @property
    def value(self) -> float:
        """How likely it is, on a logarithmic scale."""
        doubts = sum(d.best.is_doubtful for d in self.found) + 2 * (not self.is_whole)
        changes = sum(_changes(d) for d in self.found)
        if self._has_more and not (self.is_whole and self.are_mended) and all(d.is_own for d in self.found):
            # What is refused behind a call of which nobody knows how to mend it is told as it is.
            doubts, changes = doubts + 1, changes + 1
        weights = self._doubts
        return self.likelihood - weights.a_fault * changes - weights.no_mend * doubts - weights.an_echo * self.echoes

    @property
    def bound(self) -> float:
        """A value that it has at most, whatever comes."""
        weights = self._doubts
        first, *others = self.found
        bound = sum(d.likelihood - weights.a_fault * _changes(d) - weights.no_mend * d.best.is_doubtful for d in others)
        if len(self.found) <= FEW and first.best.mend is not None:  # it may be looked at again
            bound -= weights.a_fault
        else:
            bound += first.likelihood - weights.a_fault * _changes(first) - weights.no_mend * first.best.is_doubtful
        return bound - weights.a_fault * (not self.is_whole)

    @property
    def has_echoes(self) -> bool:
        """Whether some of the faults are echoes."""
        return any(is_echo(self._said, self.found, diagnosis) for diagnosis in self.found)

    def end(self) -> None:
        """See which of the faults are echoes; look at the first again, beside a rest that is right."""
        known = _refused(self._said) | self._said.behind
        new = {d for d in self.found if self._one_is_enough and d.site.identity not in known}
        self.echoes = sum(d in new or is_echo(self._said, self.found, d) for d in self.found)
        if 1 < len(self.found) <= FEW and self.is_whole and self.are_mended:
            # How likely the first fault is shows beside a rest that is right, if it is a fault there.
            first = self.found[0]
            rest = beside(self._said, self.found, first)
            again = Diagnosis(rest) if rest.refused(rest.all) else first
            same = [c for c in again.ranked if c.place is first.best.place and c.mend is not None]
            if same:
                self.found[0] = again.blaming(same[0])

    @property
    def _has_more(self) -> bool:
        """Whether more is refused behind the refused calls."""
        return not self._said.behind <= _refused(self._said)


def _refused(said: Said) -> frozenset[Any]:
    """The demands that are refused, by identity."""
    return frozenset(site.identity for site in said.refused(said.all))


def _changes(diagnosis: Diagnosis) -> int:
    """How many changes it takes to mend what is blamed."""
    mend = diagnosis.best.mend
    return 1 if mend is None else mend.parts


def likeliest(said: Said, doubts: Doubts) -> list[Diagnosis]:
    """The diagnoses of the best hypothesis; of the first one if it leaves little doubt."""
    first = Diagnosis(said)
    begin = [first.best] + [c for c in first.ranked[1:] if c.mend is not None or first.is_all(c)]
    begin = begin[:BEGINNINGS]
    is_enough = first.is_all(first.best)
    going_on = [Hypothesis(said, first.blaming(candidate), doubts, is_enough) for candidate in begin]
    explains_all = any(c.mend is not None and not c.mend.left for c in begin)
    if _becomes_clear(going_on[0], explains_all, doubts):
        return going_on[0].found
    best: Hypothesis | None = None
    limit = said.cost + MOST_LOOKED_AT
    while going_on:
        likely = max(going_on, key=lambda hypothesis: hypothesis.bound)
        if best is not None and best.value >= likely.bound:
            break
        if likely.is_ended:
            likely.end()
            going_on.remove(likely)
            best = likely if best is None or likely.value > best.value else best
        else:
            likely.go_on()
        if said.cost > limit:
            if best is not None:
                break
            going_on = [likely]
    assert best is not None
    return best.found


def _becomes_clear(hypothesis: Hypothesis, explains_all: bool, doubts: Doubts) -> bool:
    """Let a hypothesis go on while it leaves little doubt; whether it ends so.

    It does not if it takes several faults where one place explains all.
    """
    while hypothesis.are_mended and hypothesis.likelihood > doubts.little:
        if hypothesis.is_ended:
            return hypothesis.is_whole and not hypothesis.has_echoes
        if explains_all:
            return False
        hypothesis.go_on()
    return False


def is_echo(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> bool:
    """Whether the places that the other diagnoses blame are enough: without these the rest is consistent."""
    others = [other for other in found if other is not diagnosis]
    if not others:
        return False
    blamed = frozenset[int]().union(*(other.best.blamed for other in others))
    rest = with_names_exchanged(said, others)
    return not rest.refused(rest.all - (blamed - diagnosis.best.blamed))
