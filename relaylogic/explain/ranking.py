"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`), some in short programs and others
in long ones. The weights are those of a conditional logit model (the chance of a place among those of its conflict),
fitted to one half of the measured faults, each counted twice, and to 250 faults planted in networks. How often the best
place is the planted one, on these and on others, tells `python -m tests.conformance.planted`, which also fits them
again (`--fit`).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LONG", "WEIGHTS", "score"]

LONG = 12
"""A program with more calls is a long one."""

WEIGHTS: dict[str, tuple[float, float]] = {
    "an unused parameter is expected": (2.7, 4.2),
    "as like calls have it": (2.0, 4.0),
    "one known part differs": (2.9, 4.0),
    "around what is refused": (3.8, 3.8),
    "is refused, ProjectionSite": (2.8, 3.7),
    "inside of what is refused": (2.5, 3.5),
    "another constant fits": (1.1, 3.4),
    "arguments in another order than in like calls": (1.8, 3.3),
    "explains several": (2.4, 3.3),
    "more calls have it": (1.9, 3.1),
    "annotation of a let": (3.0, 2.9),
    "another rank is needed": (1.9, 2.9),
    "arguments exchanged fit": (2.6, 2.9),
    "the other number is elsewhere": (1.3, 2.6),
    "a parameter out of order": (1.3, 2.5),
    "not of the usual dtype": (2.9, 2.5),
    "an unused variable fits": (2.1, 2.4),
    "behind an unused binding": (2.1, 2.4),
    "first behind an unused binding": (2.1, 2.4),
    "shares a variable, and one is unused": (1.8, 2.1),
    "one part differs": (1.0, 1.7),
    "one part is open or differs": (1.2, 1.7),
    "result": (-0.3, 1.7),
    "another projection fits": (1.6, 1.6),
    "attribute is not written": (0.1, 1.6),
    "constant": (0.9, 1.6),
    "function": (1.8, 1.6),
    "makes all numbers the same": (1.3, 1.6),
    "of no dtype": (1.4, 1.6),
    "projection": (3.1, 1.5),
    "if": (1.4, 1.4),
    "is refused, RelationSite": (0.9, 1.3),
    "the only small change": (1.0, 1.3),
    "is refused": (1.0, 1.1),
    "attribute fits": (2.8, 1.0),
    "its number is nowhere else": (-0.1, 0.8),
    "all annotations have its dtype": (0.6, 0.6),
    "in another function": (0.5, 0.6),
    "annotations alone": (1.0, 0.3),
    "no other annotation has its dtype": (0.2, 0.2),
    "annotation of a parameter": (-0.3, 0.1),
    "reference": (0.1, 0.1),
    "tuple": (0.3, 0.1),
    "needs a known type": (0.8, 0.0),
    "odd attribute": (-1.6, 0.0),
    "several parts differ": (-0.8, 0.0),
    "the rest says what": (-0.5, -0.5),
    "call of a function": (-0.4, -0.6),
    "call of an operator": (-0.2, -0.6),
    "is refused, EqualSite": (1.0, -0.8),
    "no edit": (-1.4, -0.8),
    "distance": (0.5, -0.9),
    "annotation of a inner parameter": (-0.7, -1.3),
    "of another form": (-1.0, -1.3),
    "call of a constructor": (-1.6, -1.6),
    "use": (-1.4, -1.6),
    "nothing known differs": (-1.6, -2.4),
    "attribute fits, but not elsewhere": (-2.1, -2.9),
    "match": (-3.0, -3.0),
    "is refused, Site": (-3.6, -3.6),
    "a part fits": (0.2, -3.7),
    "explains less": (-2.9, -4.8),
    "another refusal comes up": (-3.0, -5.1),
}
"""By feature, the weight in short programs, and in long ones."""


def score(features: Mapping[str, float], is_long: bool) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS[name][is_long] * value for name, value in features.items() if name in WEIGHTS)
