"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to one half of the measured faults and to faults planted in networks. How often the best place is the planted
one, on these and on others, tells `python -m tests.conformance.planted`, which also fits them again (`--fit`).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LONG", "WEIGHTS", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "around what is refused": (4.0, 4.0),
    "an unused parameter is expected": (2.5, 3.9),
    "arguments in another order than in like calls": (2.0, 3.8),
    "is refused, ProjectionSite": (2.8, 3.6),
    "one known part differs": (2.4, 3.6),
    "another constant fits": (0.9, 3.3),
    "inside of what is refused": (2.5, 3.3),
    "not of the usual dtype": (3.2, 3.1),
    "another rank is needed": (1.9, 3.0),
    "annotation of a let": (3.2, 2.9),
    "explains several": (2.2, 2.9),
    "as like calls have it": (1.4, 2.8),
    "more calls have it": (1.7, 2.7),
    "arguments exchanged fit": (2.4, 2.4),
    "a parameter out of order": (1.2, 2.3),
    "shares a variable, and one is unused": (2.0, 2.3),
    "an unused variable fits": (2.1, 2.2),
    "first behind an unused binding": (2.0, 2.2),
    "makes all numbers the same": (1.6, 2.1),
    "behind an unused binding": (1.9, 2.0),
    "of no dtype": (1.3, 1.8),
    "another projection fits": (1.7, 1.7),
    "one part is open or differs": (1.0, 1.7),
    "result": (-0.4, 1.7),
    "constant": (0.7, 1.6),
    "attribute fits": (2.9, 1.5),
    "if": (1.5, 1.5),
    "the other number is elsewhere": (0.9, 1.5),
    "is refused": (1.1, 1.3),
    "its number is nowhere else": (0.2, 1.3),
    "one part differs": (0.9, 1.3),
    "the only small change": (0.8, 1.2),
    "function": (1.3, 1.0),
    "projection": (2.5, 1.0),
    "is refused, RelationSite": (0.4, 0.9),
    "attribute is not written": (0.2, 0.8),
    "in another function": (0.5, 0.5),
    "annotation of a parameter": (0.1, 0.3),
    "needs a known type": (0.8, 0.2),
    "no other annotation has its dtype": (0.9, 0.1),
    "annotations alone": (0.5, 0.0),
    "pattern": (-0.1, -0.1),
    "several parts differ": (-1.1, -0.2),
    "odd attribute": (-1.5, -0.3),
    "reference": (-0.3, -0.3),
    "tuple": (-0.3, -0.4),
    "call of an operator": (-0.3, -0.5),
    "the rest says what": (-0.7, -0.6),
    "no edit": (-1.3, -0.7),
    "call of a function": (-0.6, -0.9),
    "is refused, EqualSite": (0.8, -0.9),
    "nothing known differs": (-0.2, -1.0),
    "all annotations have its dtype": (-0.5, -1.1),
    "distance": (0.2, -1.1),
    "annotation of a inner parameter": (-0.7, -1.3),
    "of another form": (-1.0, -1.5),
    "use": (-1.4, -1.6),
    "call of a constructor": (-1.7, -1.7),
    "attribute fits, but not elsewhere": (-2.1, -2.9),
    "match": (-3.1, -3.1),
    "is refused, Site": (-3.3, -3.3),
    "a part fits": (0.2, -3.5),
    "another refusal comes up": (-2.8, -4.6),
    "explains less": (-3.1, -5.4),
}
"""By feature, the weight in short programs, and in long ones."""


def score(features: Mapping[str, float], is_long: bool) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS[name][is_long] * value for name, value in features.items() if name in WEIGHTS)
