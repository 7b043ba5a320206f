"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to one half of the measured faults, each counted twice, and to 250 faults and 150 pairs of faults planted in
networks. How often the best place is the planted one, on these and on others, tells `python -m
tests.conformance.planted`, which also fits them again (`--fit`).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LONG", "WEIGHTS", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "inside of what is refused": (3.2, 3.5),
    "an unused parameter is expected": (2.2, 2.9),
    "mended, all is right": (1.7, 2.9),
    "more calls have it": (1.7, 2.8),
    "arguments in another order than in like calls": (1.6, 2.7),
    "as like calls have it": (1.3, 2.6),
    "arguments exchanged fit": (1.6, 2.4),
    "not of the usual dtype": (2.3, 2.4),
    "an unused variable fits": (1.6, 2.3),
    "one known part differs": (0.8, 2.2),
    "first behind an unused binding": (1.9, 2.1),
    "behind an unused binding": (1.8, 2.0),
    "annotation of a let": (2.5, 1.7),
    "another projection fits": (1.8, 1.7),
    "attribute fits": (1.7, 1.7),
    "constant": (1.5, 1.7),
    "makes all numbers the same": (1.2, 1.7),
    "one part differs": (0.8, 1.7),
    "shares a variable, and one is unused": (1.5, 1.6),
    "a parameter out of order": (0.7, 1.4),
    "the only small change": (0.9, 1.4),
    "all annotations have its dtype": (1.3, 1.3),
    "annotations alone": (1.3, 1.2),
    "another constant fits": (0.5, 1.2),
    "explains several": (1.6, 1.2),
    "function": (1.4, 1.2),
    "result": (-0.4, 1.2),
    "one part is open or differs": (0.4, 1.0),
    "another rank is needed": (0.8, 0.8),
    "is refused, ProjectionSite": (0.6, 0.7),
    "is refused, RelationSite": (0.8, 0.7),
    "mended, less is refused": (0.3, 0.7),
    "tuple": (1.2, 0.7),
    "others have the other extent there": (-0.4, 0.6),
    "the other number is elsewhere": (0.3, 0.6),
    "attribute is not written": (-0.3, 0.5),
    "of no dtype": (0.5, 0.5),
    "around what is refused": (0.2, 0.4),
    "call of a function": (-0.2, 0.3),
    "is refused": (1.0, 0.2),
    "is refused, EqualSite": (1.6, 0.2),
    "annotation of a parameter": (-0.4, 0.1),
    "its number is nowhere else": (-0.4, 0.1),
    "in another function": (0.3, 0.0),
    "if": (-0.4, -0.2),
    "needs a known type": (-0.3, -0.2),
    "projection": (0.9, -0.2),
    "the rest says what": (-0.1, -0.2),
    "distance": (0.6, -0.3),
    "call of an operator": (-0.2, -0.5),
    "of another form": (-0.4, -0.6),
    "pattern": (-0.6, -0.6),
    "annotation of a inner parameter": (-0.3, -0.7),
    "others have its extent there": (-0.9, -0.7),
    "reference": (-0.7, -0.7),
    "odd attribute": (-1.6, -0.8),
    "no edit": (-0.6, -0.9),
    "several parts differ": (-1.0, -0.9),
    "use": (-0.9, -0.9),
    "call of a constructor": (-1.0, -1.0),
    "a part fits": (0.4, -1.1),
    "explains less": (-1.6, -1.3),
    "match": (-1.3, -1.3),
    "no mend": (-0.9, -1.5),
    "another refusal comes up": (-1.2, -1.8),
    "is refused, Site": (-2.1, -2.1),
    "nothing denies it": (-2.0, -2.2),
    "nothing known differs": (-1.3, -2.4),
    "mended, another refusal comes up": (-2.2, -3.4),
}
"""By feature, the weight in short programs, and in long ones."""


def score(features: Mapping[str, float], is_long: bool) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS[name][is_long] * value for name, value in features.items() if name in WEIGHTS)
