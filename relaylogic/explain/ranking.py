"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to the measured faults, each counted four times, to 250 faults and 150 pairs of faults planted in networks, and
to 1,800 of more kinds planted in other programs, each counted a quarter. `python -m tests.conformance.planted` tells
how often the best place is the planted one, fits them again (`--fit`), and tells how often weights are right that were
fitted to other faults (`--crossed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DOUBTS", "LONG", "WEIGHTS", "Doubts", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "a parameter out of order": (1.4, 2.8),
    "behind an unused binding": (2.3, 2.8),
    "arguments in another order than in like calls": (1.5, 2.5),
    "annotation of a let": (2.0, 2.4),
    "shares a variable, and one is unused": (1.6, 2.4),
    "an unused variable fits": (1.8, 2.3),
    "mended, all is right": (1.6, 2.3),
    "guessed, all is right": (1.2, 2.2),
    "another name": (2.1, 2.1),
    "more calls have it": (1.5, 2.1),
    "one known part differs": (1.5, 2.1),
    "a tuple of it fits": (2.0, 2.0),
    "as like calls have it": (1.0, 2.0),
    "explains several": (1.8, 1.9),
    "makes all numbers the same": (1.1, 1.9),
    "comes out of a branching": (1.8, 1.7),
    "not of the usual dtype": (2.1, 1.6),
    "others have the other extent there": (0.6, 1.6),
    "attribute is not written": (0.1, 1.4),
    "annotations alone": (1.0, 1.3),
    "another projection fits": (1.6, 1.3),
    "another rank is needed": (1.3, 1.3),
    "another operator fits": (1.1, 1.1),
    "one part differs": (0.7, 1.1),
    "all annotations have its dtype": (1.0, 1.0),
    "constant": (0.3, 1.0),
    "the only small change": (1.0, 1.0),
    "its number is nowhere else": (-0.1, 0.9),
    "mended, less is refused": (0.2, 0.9),
    "an unused parameter is expected": (1.2, 0.8),
    "makes attributes equal that are": (0.4, 0.8),
    "the other number is elsewhere": (-0.4, 0.8),
    "needs a known type": (0.0, 0.7),
    "one part is open or differs": (0.3, 0.7),
    "annotation of a inner parameter": (0.1, 0.6),
    "another constant fits": (0.2, 0.6),
    "arguments exchanged fit": (0.5, 0.6),
    "is refused, ApplySite": (0.6, 0.6),
    "is refused, ProjectionSite": (0.5, 0.6),
    "guessed, another refusal comes up": (-0.4, 0.5),
    "inside of what is refused": (1.3, 0.5),
    "is refused": (0.9, 0.5),
    "is refused, EqualSite": (0.8, 0.5),
    "of no dtype": (0.4, 0.5),
    "distance": (1.0, 0.3),
    "no edit": (-0.3, 0.3),
    "is refused, RelationSite": (0.5, 0.2),
    "no other annotation has its dtype": (0.0, 0.2),
    "projection": (0.8, 0.1),
    "tuple": (0.3, 0.1),
    "call of an operator": (0.2, 0.0),
    "call of a constructor": (0.1, -0.1),
    "two parts are exchanged": (-0.1, -0.1),
    "around what is refused": (-0.2, -0.2),
    "attribute fits": (0.7, -0.2),
    "result": (-0.2, -0.2),
    "condition": (-0.3, -0.3),
    "guessed in several parts": (-0.2, -0.3),
    "call of a function": (-0.3, -0.4),
    "if": (-0.3, -0.4),
    "reference": (-0.4, -0.4),
    "several parts differ": (-0.6, -0.4),
    "annotation of a parameter": (-0.4, -0.5),
    "in another function": (-0.5, -0.5),
    "the rest says what": (-0.3, -0.5),
    "first behind an unused binding": (0.6, -0.6),
    "pattern": (-0.6, -0.6),
    "match": (-0.7, -0.7),
    "mended in several parts": (-0.1, -0.7),
    "nothing known differs": (-0.5, -0.7),
    "odd attribute": (-1.1, -0.7),
    "a part fits": (0.5, -0.8),
    "is refused, Site": (-0.8, -0.8),
    "function": (-0.8, -0.9),
    "use": (-1.5, -1.0),
    "of another form": (-0.3, -1.2),
    "others have its extent there": (-0.2, -1.3),
    "mended, another refusal comes up": (-1.6, -1.6),
    "seen from afar": (-0.9, -1.8),
    "no mend": (-1.0, -2.0),
    "another refusal comes up": (-1.8, -2.7),
    "explains less": (-2.2, -2.7),
}
"""By feature, the weight in short programs, and in long ones."""


class Doubts(NamedTuple):
    """What speaks against a hypothesis about all faults of a program, on the scale of the logarithm of its chance.

    `a_fault` for each fault, `no_mend` for each of which nobody knows how to mend it, or only by trying, `an_echo` for
    each fault that nobody would see if only the others were not there. Where the chance of a hypothesis is above
    `little`, no other is looked for.
    """

    a_fault: float = 2.0
    no_mend: float = 2.0
    an_echo: float = 5.0
    little: float = -0.4


DOUBTS = Doubts()
"""They were chosen by hand, and are not fitted: `python -m tests.conformance.planted --doubts N` measures how often
both faults of N pairs are found with each of them halved and doubled. (Of 30 pairs of seed 8123, in all, with any.)"""


def score(features: Mapping[str, float], is_long: bool) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS[name][is_long] * value for name, value in features.items() if name in WEIGHTS)
