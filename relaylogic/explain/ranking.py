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
    "behind an unused binding": (2.4, 3.9),
    "as like calls have it": (1.7, 3.4),
    "arguments exchanged fit": (2.0, 2.8),
    "inside of what is refused": (2.0, 2.8),
    "one part is open or differs": (1.7, 2.6),
    "explains several": (1.8, 2.4),
    "attribute fits": (2.1, 2.1),
    "call of a constructor": (1.7, 2.1),
    "an unused variable fits": (2.0, 2.0),
    "is refused, ProjectionSite": (1.3, 1.8),
    "several parts differ": (1.3, 1.6),
    "an unused parameter is expected": (1.2, 1.5),
    "another rank is needed": (1.2, 1.5),
    "needs a known type": (0.5, 1.5),
    "a parameter out of order": (0.7, 1.4),
    "first behind an unused binding": (1.2, 1.4),
    "annotation of a let": (1.3, 1.3),
    "the only small change": (1.6, 1.2),
    "is refused": (1.3, 1.1),
    "more calls have it": (0.9, 1.1),
    "one part differs": (0.6, 1.1),
    "shares a variable, and one is unused": (1.1, 1.1),
    "result": (0.5, 1.0),
    "around what is refused": (0.6, 0.6),
    "projection": (0.9, 0.6),
    "another projection fits": (0.0, 0.5),
    "attribute is not written": (0.3, 0.5),
    "if": (0.5, 0.5),
    "annotation of a parameter": (-0.1, 0.4),
    "in another function": (0.0, 0.4),
    "use": (0.6, 0.4),
    "is refused, RelationSite": (0.0, 0.1),
    "annotations alone": (-0.3, -0.2),
    "another constant fits": (-0.3, -0.2),
    "is refused, EqualSite": (0.8, -0.2),
    "is refused, Site": (-0.3, -0.3),
    "constant": (-0.4, -0.4),
    "pattern": (-0.4, -0.4),
    "reference": (-0.4, -0.4),
    "tuple": (-0.3, -0.4),
    "call of a function": (0.0, -0.7),
    "nothing known differs": (-0.9, -0.8),
    "a part fits": (-0.3, -0.9),
    "call of an operator": (-1.0, -0.9),
    "match": (-0.9, -0.9),
    "of another form": (-0.9, -0.9),
    "function": (-0.9, -1.2),
    "no edit": (-1.7, -1.3),
    "the rest says what": (-1.6, -2.1),
    "odd attribute": (-1.5, -2.4),
    "distance": (-1.2, -2.8),
    "explains less": (-2.8, -4.1),
    "another refusal comes up": (-3.0, -3.0),
}
"""By feature, the weight in short programs, and in long ones."""


def score(features: Mapping[str, float], is_long: bool) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS[name][is_long] * value for name, value in features.items() if name in WEIGHTS)
