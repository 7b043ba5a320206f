"""How much a run of the tests does: `pytest` tries a share of what is drawn at random or stands in long lists, the same
share in every run; `pytest --thorough` tries all.

Every operator, relation and law is tried in both; what is thinned out is how often each is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

THOROUGH = False
"""Set before tests are collected, by tests/conftest.py."""

Case = TypeVar("Case")
Form = TypeVar("Form")


def some(cases: Iterable[Case], of: int = 12) -> Sequence[Case]:
    """One of so many cases, in their order, drawn so that it is no multiple of anything; all in a thorough run."""
    every = list(cases)
    if THOROUGH:
        return every
    return [every[place] for place in sorted(Random(0).sample(range(len(every)), -(-len(every) // of)))]


def in_turn(cases: Iterable[Case], forms: Iterable[Form]) -> Sequence[tuple[Case, Form]]:
    """Each case in one of its forms, the next one in the next; in a thorough run each in all forms."""
    every = list(forms)
    return [(c, f) for n, c in enumerate(cases) for k, f in enumerate(every) if THOROUGH or k == n % len(every)]


def examples(number: int, of: int = 15) -> int:
    """How often something is tried, or found, where a thorough run does so `number` times; five times, if that does."""
    return number if THOROUGH else min(number, max(5, number // of))
