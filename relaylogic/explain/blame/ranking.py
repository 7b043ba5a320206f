"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to the measured faults, each counted four times, to 250 faults and 150 pairs of faults planted in networks, to
600 of more kinds planted in programs such as users write, and to 1,800 of these in other programs, each counted a
quarter; that of names was fitted later, when the others hardly changed, and that of a number that goes with what is
given as no other does to the nine of 1,500 faults in networks (seed 100202) that have it.
`python -m tests.conformance.planted` tells how often the best place is the planted one, fits them again (`--fit`), and
tells how often weights are right that were fitted to other faults (`--crossed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DOUBTS", "WEIGHTS", "Doubts", "score"]

WEIGHTS: dict[str, tuple[float, float]] = {
    "another name": (2.1, 3.4),
    "annotation of a let": (2.2, 3.2),
    "no other number goes with what is given": (2.0, 1.0),
    "mended, all is right": (1.8, 3.2),
    "parts in another order": (0.3, 2.5),
    "guessed, all is right": (1.7, 2.4),
    "shares a variable, and one is unused": (1.5, 2.4),
    "makes all numbers the same": (1.1, 2.3),
    "an argument has the name of another input": (1.5, 2.5),
    "more calls have it": (1.5, 2.2),
    "not of the usual dtype": (2.0, 2.1),
    "an unused variable fits": (1.5, 2.0),
    "arguments in another order than in like calls": (1.4, 2.0),
    "comes out of a branching": (1.8, 1.9),
    "explains several": (1.5, 1.9),
    "a tuple of it fits": (1.7, 1.7),
    "attribute is not written": (0.2, 1.7),
    "as like calls have it": (0.8, 1.6),
    "others have the other extent there": (0.6, 1.6),
    "passes a tuple on": (0.8, 1.6),
    "another rank is needed": (1.3, 1.5),
    "a parameter out of order": (0.7, 1.4),
    "behind an unused binding": (1.0, 1.3),
    "replaced, all is right": (1.2, 1.2),
    "the other number is elsewhere": (0.3, 1.1),
    "first behind an unused binding": (1.0, 1.0),
    "an unused parameter is expected": (0.7, 0.9),
    "annotations alone": (0.9, 0.9),
    "another operator fits": (0.6, 0.9),
    "is refused, EqualSite": (0.7, 0.9),
    "another constant fits": (0.3, 0.8),
    "arguments exchanged fit": (1.1, 0.8),
    "constant": (0.3, 0.8),
    "no other annotation has its dtype": (0.1, 0.8),
    "the only small change": (0.7, 0.8),
    "a condition is given": (0.7, 0.7),
    "is refused": (0.7, 0.7),
    "reference": (0.0, 0.7),
    "all annotations have its dtype": (0.8, 0.6),
    "all is given of what has fields that are used": (0.2, 0.6),
    "is refused, ApplySite": (0.6, 0.6),
    "of no dtype": (0.4, 0.5),
    "one known part differs": (0.5, 0.5),
    "another projection fits": (1.3, 0.4),
    "attribute fits": (1.1, 0.4),
    "inside of what is refused": (1.5, 0.4),
    "one part differs": (0.6, 0.4),
    "one part is open or differs": (0.4, 0.4),
    "its number is nowhere else": (0.0, 0.3),
    "annotation of a inner parameter": (-0.1, 0.2),
    "call of a constructor": (0.2, 0.2),
    "distance": (0.7, 0.2),
    "is refused, RelationSite": (0.3, 0.2),
    "others have its extent there": (0.0, 0.2),
    "converted, all is right": (0.2, 0.1),
    "is refused, ProjectionSite": (0.3, 0.0),
    "mended, less is refused": (-0.4, 0.0),
    "no edit": (-0.4, 0.0),
    "projection": (1.0, 0.0),
    "around what is refused": (-0.1, -0.1),
    "call of an operator": (0.3, -0.1),
    "condition": (-0.3, -0.1),
    "converted next to the refusal": (0.4, -0.1),
    "mended in several parts": (0.1, -0.1),
    "needs a known type": (-0.2, -0.1),
    "guessed in several parts": (-0.1, -0.2),
    "is refused, Site": (-0.4, -0.2),
    "annotation of a parameter": (-0.4, -0.3),
    "tuple": (0.4, -0.3),
    "a part fits": (0.8, -0.4),
    "the rest says what": (-0.3, -0.5),
    "nothing known differs": (-0.5, -0.6),
    "pattern": (-0.6, -0.6),
    "in another function": (-0.7, -0.7),
    "function": (-0.4, -0.8),
    "replaced, another refusal comes up": (-0.4, -0.8),
    "result": (-0.3, -0.8),
    "replaced, less is refused": (-0.5, -0.9),
    "mended, another refusal comes up": (-0.9, -1.1),
    "of another form": (-0.5, -1.1),
    "several parts differ": (-0.8, -1.1),
    "if": (-0.6, -1.2),
    "match": (-0.8, -1.2),
    "seen from afar": (-0.6, -1.2),
    "converted itself": (-0.4, -1.3),
    "guessed, another refusal comes up": (-0.9, -1.3),
    "odd attribute": (-1.0, -1.3),
    "use": (-1.5, -1.3),
    "call of a function": (-1.0, -1.4),
    "converted, another refusal comes up": (-0.9, -1.4),
    "no mend": (-0.8, -1.6),
    "converted, less is refused": (-0.9, -1.7),
    "guessed, less is refused": (-1.6, -1.9),
    "another refusal comes up": (-1.8, -2.8),
    "explains less": (-2.0, -3.0),
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
