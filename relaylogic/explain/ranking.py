"""Which place of a conflict is most likely wrong: a table of weights.

The score of a place is the sum of the weights of what speaks for it (`candidates`). The weights are those of a
conditional logit model (the chance of a place among those of its conflict), rounded; where they come from and how often
the best place is the planted one: `python -m tests.conformance.planted`, which also fits them again (`--fit`).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["WEIGHTS", "score"]

WEIGHTS: dict[str, float] = {
    "behind an unused binding": 3.1,
    "attribute fits": 2.3,
    "as like calls have it": 2.2,
    "one part is open or differs": 2.1,
    "inside of what is refused": 2.0,
    "explains several": 1.9,
    "call of a constructor": 1.8,
    "arguments exchanged fit": 1.7,
    "an unused variable fits": 1.6,
    "annotation of a let": 1.5,
    "first behind an unused binding": 1.5,
    "an unused parameter is expected": 1.4,
    "another constant fits": 1.4,
    "is refused, ProjectSite": 1.3,
    "a parameter out of order": 1.2,
    "is refused": 1.2,
    "in another function": 1.0,
    "projection": 1.0,
    "shares a variable, and one is unused": 1.0,
    "constant": 0.9,
    "the only small change": 0.9,
    "a part fits": 0.8,
    "more calls have it": 0.7,
    "one part differs": 0.7,
    "is refused, EqualSite": 0.5,
    "needs a known type": 0.5,
    "result": 0.5,
    "use": 0.5,
    "several parts differ": 0.3,
    "annotations alone": 0.2,
    "attribute is not written": 0.2,
    "another rank is needed": -0.1,
    "is refused, RelationSite": -0.1,
    "is refused, Site": -0.1,
    "tuple": -0.1,
    "call of a function": -0.4,
    "pattern": -0.4,
    "reference": -0.4,
    "annotation of a inner parameter": -0.5,
    "around what is refused": -0.5,
    "nothing known differs": -0.5,
    "if": -0.6,
    "match": -0.8,
    "annotation of a parameter": -0.9,
    "function": -0.9,
    "the rest says what": -0.9,
    "call of an operator": -1.0,
    "of another form": -1.1,
    "no edit": -1.6,
    "distance": -2.7,
    "explains less": -3.0,
    "odd attribute": -3.0,
}


def score(features: Mapping[str, float]) -> float:
    """How likely it is that a place with these features is wrong, on a logarithmic scale."""
    return sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())
