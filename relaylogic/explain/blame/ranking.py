"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to the measured faults, each counted twice, to 250 faults and 150 pairs of faults planted in networks, to 600 of
more kinds planted in programs such as users write, to 1,800 of these in other programs, each counted half, and to
mistakes that were written by hand (`tests/programs/mistakes`), each counted three times; that of names was set later,
when the others hardly changed, and that of a number that goes with what is given as no other does was fitted to the
nine of 1,500 faults in networks (seed 100202) that had it, of which axes 0 and 1 have it no more.
`python -m tests.conformance.planted` tells how often the best place is the planted one, fits them again (`--fit`), and
tells how often weights are right that were fitted to other faults (`--crossed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DOUBTS", "WEIGHTS", "Doubts", "score"]

WEIGHTS: dict[str, tuple[float, float]] = {
    "another name": (2.5, 4.3),
    "mended, all is right": (1.9, 3.1),
    "more calls have it": (1.9, 3.1),
    "an argument has the name of another input": (2.0, 3.0),
    "annotation of a let": (1.6, 2.8),
    "guessed, all is right": (1.8, 2.5),
    "as like calls have it": (1.2, 2.4),
    "passes a tuple on": (1.2, 2.4),
    "shares a variable, and one is unused": (1.3, 2.4),
    "an unused variable fits": (2.1, 2.3),
    "explains several": (1.5, 2.0),
    "parts in another order": (0.4, 2.0),
    "another rank is needed": (0.9, 1.9),
    "attribute is not written": (0.7, 1.9),
    "comes out of a branching": (1.3, 1.9),
    "another projection fits": (2.1, 1.8),
    "not of the usual dtype": (1.8, 1.8),
    "of no dtype": (1.4, 1.7),
    "replaced, all is right": (2.2, 1.5),
    "a parameter out of order": (0.7, 1.4),
    "is refused, EqualSite": (1.0, 1.4),
    "makes all numbers the same": (1.2, 1.4),
    "first behind an unused binding": (1.1, 1.3),
    "it is said nowhere else": (0.5, 1.2),
    "a tuple of it fits": (1.1, 1.1),
    "all is given of what has fields that are used": (0.3, 1.1),
    "reference": (0.1, 1.1),
    "a condition is given": (1.0, 1.0),
    "an unused parameter is expected": (0.8, 1.0),
    "no other number goes with what is given": (2.0, 1.0),
    "others have the other extent there": (0.1, 1.0),
    "annotations alone": (0.7, 0.9),
    "another operator fits": (0.5, 0.9),
    "distance": (1.1, 0.9),
    "is refused, ApplySite": (0.9, 0.9),
    "nothing known differs": (-0.1, 0.9),
    "attribute fits": (1.3, 0.7),
    "taken out of it": (1.0, 0.7),
    "the other number is elsewhere": (0.5, 0.7),
    "arguments exchanged fit": (1.6, 0.6),
    "constant": (0.1, 0.6),
    "one part is open or differs": (0.6, 0.6),
    "what is meant is said elsewhere": (0.1, 0.6),
    "is refused": (0.4, 0.5),
    "behind an unused binding": (0.6, 0.4),
    "call of an operator": (0.6, 0.4),
    "it is a part of what is needed": (-1.1, 0.3),
    "left out": (0.9, 0.3),
    "needs a known type": (0.0, 0.3),
    "the only small change": (0.4, 0.3),
    "annotation of a inner parameter": (-0.2, 0.2),
    "converted next to the refusal": (0.9, 0.2),
    "of a rare dtype": (0.8, 0.2),
    "condition": (-0.3, 0.1),
    "converted, all is right": (-0.2, 0.1),
    "is refused, RelationSite": (-0.1, 0.1),
    "no other annotation has its dtype": (-0.6, 0.1),
    "one part differs": (0.3, 0.1),
    "no edit": (-0.3, 0.0),
    "projection": (0.9, 0.0),
    "annotation of a parameter": (-0.2, -0.1),
    "another constant fits": (-0.6, -0.1),
    "is refused, Site": (-0.3, -0.1),
    "inside of what is refused": (1.7, -0.2),
    "its number is nowhere else": (-0.2, -0.2),
    "others have its extent there": (-0.4, -0.2),
    "pattern": (-0.7, -0.2),
    "mended, less is refused": (-0.7, -0.3),
    "the rest says what": (0.0, -0.3),
    "tuple": (0.6, -0.3),
    "a part fits": (0.8, -0.4),
    "arguments in another order than in like calls": (0.3, -0.4),
    "around what is refused": (-0.4, -0.4),
    "one known part differs": (-0.6, -0.6),
    "all annotations have its dtype": (-0.6, -0.7),
    "result": (-0.4, -0.7),
    "of another form": (-0.6, -0.8),
    "call of a function": (-0.7, -0.9),
    "calls exchanged": (-1.0, -0.9),
    "converted, another refusal comes up": (-0.5, -1.0),
    "guessed in several parts": (-0.5, -1.0),
    "in another function": (-0.9, -1.1),
    "function": (-0.8, -1.2),
    "use": (-1.3, -1.2),
    "call of a constructor": (-0.2, -1.3),
    "is refused, ProjectionSite": (0.1, -1.3),
    "mended, another refusal comes up": (-1.3, -1.3),
    "mended in several parts": (-1.3, -1.4),
    "no mend": (-1.0, -1.4),
    "replaced, another refusal comes up": (-0.7, -1.4),
    "seen from afar": (-0.7, -1.4),
    "attribute says the type": (-1.7, -2.0),
    "replaced, less is refused": (-1.6, -2.0),
    "several parts differ": (-1.8, -2.1),
    "another refusal comes up": (-1.5, -2.3),
    "guessed, another refusal comes up": (-1.2, -2.4),
    "odd attribute": (-0.9, -2.4),
    "converted itself": (-0.8, -2.5),
    "explains less": (-1.7, -2.5),
    "what is needed is a part of it": (-1.6, -2.5),
    "converted, less is refused": (-1.4, -2.7),
    "match": (-2.0, -2.8),
    "if": (-1.5, -2.9),
    "guessed, less is refused": (-2.5, -3.3),
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
