"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to the measured faults, each counted four times, to 250 faults and 150 pairs of faults planted in networks, to
600 of more kinds planted in programs such as users write, and to 1,800 of these in other programs, each counted a
quarter. `python -m tests.conformance.planted` tells how often the best place is the planted one, fits them again
(`--fit`), and tells how often weights are right that were fitted to other faults (`--crossed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DOUBTS", "LONG", "WEIGHTS", "Doubts", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "another name": (2.2, 3.5),
    "mended, all is right": (1.8, 3.1),
    "annotation of a let": (2.1, 3.0),
    "parts in another order": (0.5, 2.7),
    "guessed, all is right": (1.7, 2.6),
    "an argument has the name of another input": (1.5, 2.5),
    "more calls have it": (1.6, 2.4),
    "an unused variable fits": (1.5, 2.3),
    "makes all numbers the same": (1.1, 2.3),
    "shares a variable, and one is unused": (1.4, 2.2),
    "not of the usual dtype": (2.0, 2.1),
    "comes out of a branching": (1.7, 1.8),
    "passes a tuple on": (0.9, 1.8),
    "others have the other extent there": (0.7, 1.7),
    "a parameter out of order": (0.8, 1.6),
    "a tuple of it fits": (1.6, 1.6),
    "as like calls have it": (0.8, 1.6),
    "explains several": (1.4, 1.6),
    "attribute is not written": (0.2, 1.5),
    "replaced, all is right": (1.1, 1.5),
    "another rank is needed": (1.2, 1.4),
    "behind an unused binding": (1.0, 1.2),
    "annotations alone": (0.8, 1.0),
    "arguments in another order than in like calls": (0.8, 1.0),
    "first behind an unused binding": (1.0, 1.0),
    "the only small change": (0.8, 1.0),
    "an unused parameter is expected": (0.7, 0.9),
    "is refused, EqualSite": (0.9, 0.9),
    "the other number is elsewhere": (0.3, 0.9),
    "a condition is given": (0.8, 0.8),
    "no other annotation has its dtype": (0.1, 0.8),
    "all annotations have its dtype": (0.8, 0.7),
    "another constant fits": (0.3, 0.7),
    "another operator fits": (0.6, 0.7),
    "arguments exchanged fit": (1.0, 0.7),
    "all is given of what has fields that are used": (0.2, 0.6),
    "another projection fits": (1.4, 0.6),
    "constant": (0.3, 0.6),
    "is refused": (0.7, 0.6),
    "is refused, ApplySite": (0.6, 0.6),
    "annotation of a inner parameter": (0.0, 0.5),
    "attribute fits": (1.1, 0.5),
    "one part differs": (0.7, 0.5),
    "reference": (-0.1, 0.5),
    "distance": (0.8, 0.4),
    "of no dtype": (0.3, 0.4),
    "one part is open or differs": (0.4, 0.4),
    "others have its extent there": (0.0, 0.4),
    "inside of what is refused": (1.5, 0.3),
    "its number is nowhere else": (-0.1, 0.3),
    "needs a known type": (-0.1, 0.3),
    "call of a constructor": (0.2, 0.2),
    "is refused, RelationSite": (0.2, 0.2),
    "converted, all is right": (0.2, 0.1),
    "call of an operator": (0.3, 0.0),
    "converted next to the refusal": (0.5, 0.0),
    "projection": (1.0, 0.0),
    "around what is refused": (-0.1, -0.1),
    "condition": (-0.3, -0.1),
    "is refused, ProjectionSite": (0.3, -0.1),
    "mended, less is refused": (-0.5, -0.1),
    "no edit": (-0.5, -0.1),
    "tuple": (0.4, -0.1),
    "a part fits": (0.8, -0.2),
    "guessed in several parts": (-0.1, -0.2),
    "replaced, less is refused": (-0.1, -0.2),
    "annotation of a parameter": (-0.5, -0.4),
    "is refused, Site": (-0.6, -0.4),
    "mended in several parts": (-0.3, -0.4),
    "in another function": (-0.5, -0.5),
    "nothing known differs": (-0.5, -0.6),
    "the rest says what": (-0.4, -0.6),
    "pattern": (-0.7, -0.7),
    "result": (-0.3, -0.7),
    "replaced, another refusal comes up": (-0.4, -0.8),
    "function": (-0.7, -0.9),
    "mended, another refusal comes up": (-0.8, -1.1),
    "odd attribute": (-0.9, -1.1),
    "of another form": (-0.4, -1.1),
    "several parts differ": (-1.0, -1.1),
    "converted, another refusal comes up": (-0.7, -1.2),
    "if": (-0.6, -1.2),
    "match": (-0.8, -1.2),
    "seen from afar": (-0.6, -1.2),
    "use": (-1.4, -1.2),
    "call of a function": (-0.7, -1.3),
    "converted itself": (-0.4, -1.3),
    "guessed, another refusal comes up": (-0.9, -1.3),
    "no mend": (-0.7, -1.5),
    "converted, less is refused": (-1.0, -1.8),
    "guessed, less is refused": (-1.8, -2.5),
    "another refusal comes up": (-1.9, -2.8),
    "explains less": (-2.0, -2.8),
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
