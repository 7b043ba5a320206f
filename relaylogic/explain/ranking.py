"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to one half of the measured faults, each counted twice, and to 250 faults and 150 pairs of faults planted in
networks. How often the best place is the planted one, on these and on others, tells `python -m
tests.conformance.planted`, which also fits them again (`--fit`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DOUBTS", "LONG", "WEIGHTS", "Doubts", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "inside of what is refused": (2.3, 3.0),
    "more calls have it": (1.7, 2.9),
    "arguments in another order than in like calls": (1.8, 2.8),
    "guessed, all is right": (0.8, 2.8),
    "mended, all is right": (1.8, 2.8),
    "around what is refused": (2.7, 2.7),
    "as like calls have it": (1.3, 2.6),
    "an unused parameter is expected": (1.9, 2.5),
    "not of the usual dtype": (2.6, 2.5),
    "arguments exchanged fit": (1.5, 2.0),
    "one known part differs": (1.5, 2.0),
    "first behind an unused binding": (1.7, 1.9),
    "makes attributes equal that are": (0.9, 1.8),
    "an unused variable fits": (1.5, 1.7),
    "annotation of a let": (2.2, 1.7),
    "behind an unused binding": (1.6, 1.7),
    "makes all numbers the same": (1.2, 1.6),
    "another rank is needed": (1.3, 1.5),
    "a parameter out of order": (0.7, 1.4),
    "another projection fits": (1.5, 1.4),
    "shares a variable, and one is unused": (1.3, 1.4),
    "the only small change": (0.8, 1.4),
    "explains several": (1.4, 1.3),
    "all annotations have its dtype": (1.2, 1.2),
    "annotations alone": (1.3, 1.2),
    "one part differs": (0.6, 1.2),
    "constant": (0.5, 1.1),
    "if": (1.1, 1.1),
    "one part is open or differs": (0.4, 1.1),
    "attribute is not written": (0.1, 1.0),
    "mended, less is refused": (0.6, 1.0),
    "attribute fits": (1.3, 0.8),
    "function": (0.9, 0.8),
    "call of a function": (0.5, 0.7),
    "is refused, ProjectionSite": (0.6, 0.7),
    "others have the other extent there": (0.1, 0.7),
    "the other number is elsewhere": (0.0, 0.7),
    "another constant fits": (0.0, 0.6),
    "result": (-0.6, 0.6),
    "is refused, RelationSite": (0.9, 0.5),
    "needs a known type": (1.0, 0.5),
    "of no dtype": (0.4, 0.4),
    "reference": (0.3, 0.3),
    "tuple": (0.3, 0.0),
    "in another function": (0.0, -0.1),
    "is refused": (0.8, -0.1),
    "is refused, EqualSite": (0.9, -0.1),
    "no other annotation has its dtype": (0.0, -0.1),
    "several parts differ": (-0.3, -0.1),
    "annotation of a parameter": (-0.4, -0.2),
    "guessed in several parts": (-0.1, -0.2),
    "its number is nowhere else": (-0.6, -0.2),
    "the rest says what": (-0.2, -0.2),
    "call of a constructor": (-0.3, -0.3),
    "call of an operator": (-0.2, -0.3),
    "pattern": (-0.4, -0.4),
    "projection": (0.6, -0.4),
    "no edit": (-0.7, -0.5),
    "use": (-0.5, -0.5),
    "of another form": (-0.4, -0.6),
    "annotation of a inner parameter": (-0.3, -0.7),
    "odd attribute": (-1.6, -0.7),
    "distance": (0.1, -0.9),
    "explains less": (-1.6, -1.3),
    "others have its extent there": (-1.2, -1.3),
    "a part fits": (0.2, -1.4),
    "mended in several parts": (-0.7, -1.5),
    "another refusal comes up": (-1.2, -1.7),
    "no mend": (-1.2, -1.7),
    "is refused, Site": (-2.0, -2.0),
    "match": (-2.0, -2.0),
    "nothing known differs": (-1.3, -2.1),
    "guessed, another refusal comes up": (-1.2, -2.2),
    "mended, another refusal comes up": (-2.0, -2.8),
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
