"""The faults of a refuted program: a diagnosis for each, which blames the place that is most likely wrong.

They are those of the likeliest hypothesis, each looked at again in the light of the others.
"""

from __future__ import annotations

from ..places.said import Said
from .diagnosis import Diagnosis, beside, with_names_exchanged
from .hypotheses import FEW, MOST_FAULTS, is_echo, likeliest
from .ranking import DOUBTS, Doubts

__all__ = ["are_cured", "diagnosed", "drop_echoes"]

SETTLING = 3
"""How often each diagnosis is made again in the light of the others."""


def diagnosed(said: Said, doubts: Doubts = DOUBTS) -> list[Diagnosis]:
    """A diagnosis for each independent fault, the first refusal first.

    Without the places that they blame the rest is consistent, and each of them is needed for that. Names are exchanged
    there where that is meant: who calls a function knows its parameters by their order, its body by their names.
    """
    found = likeliest(said, doubts)
    for _ in range(SETTLING if len(found) > 1 else 0):
        if len(found) > FEW:  # most of so many are echoes: of these nothing need be looked at again
            drop_echoes(said, found)
        before = [d.best.place for d in found]
        _settle(said, found)
        if [d.best.place for d in found] == before:
            break
    _complete(said, found)
    count = len(found)
    drop_echoes(said, found)
    return found if len(found) == count else [_again(said, found, diagnosis) for diagnosis in found]


def are_cured(said: Said, found: list[Diagnosis]) -> bool:
    """Whether it is known how to mend all that is blamed, and nothing is refused then."""
    for diagnosis in found:
        if diagnosis.best.mend is None:
            return False
        said = diagnosis.best.mend.made(said, diagnosis.best.place.index)
    return not said.refused(said.all)


def _again(said: Said, found: list[Diagnosis], diagnosis: Diagnosis) -> Diagnosis:
    """A diagnosis that blames the same place, made beside the others, if it was made beside one that is no more."""
    rest = beside(said, found, diagnosis)
    if diagnosis.said.all == rest.all or not rest.refused(rest.all):
        return diagnosis
    again = Diagnosis(rest)
    same = [candidate for candidate in again.ranked if candidate.place is diagnosis.best.place]
    return again.blaming(same[0]) if same else diagnosis


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


def drop_echoes(said: Said, found: list[Diagnosis]) -> None:
    """Drop diagnoses one by one as long as the others are enough: one that is needed is needed beside fewer, too."""
    for diagnosis in list(found):
        if is_echo(said, found, diagnosis):
            found.remove(diagnosis)


def _complete(said: Said, found: list[Diagnosis]) -> None:
    """Find more diagnoses, until the rest is consistent without the places that are blamed."""
    while len(found) < MOST_FAULTS:
        rest = with_names_exchanged(said, found)
        for diagnosis in found:
            rest = rest.opened(diagnosis.best.blamed)
        if not rest.refused(rest.all):
            break
        found.append(Diagnosis(rest))
