"""Names that may be meant by others: for errors."""

from __future__ import annotations

from collections.abc import Collection

from ..errors import alike, did_you_mean

__all__ = ["near", "nearest"]

MOST = 3


def near(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The hint which names are most like `name`, or else end as it does behind the last `.`; none if none is."""
    found = alike(name, known, MOST)
    last = name.rpartition(".")[2]
    return did_you_mean(found or [k for k in known if k.rpartition(".")[2] == last][:MOST])


def nearest(name: str, known: Collection[str]) -> str:
    """The same within a sentence: `; did you mean ...?`, or nothing."""
    return "".join(f"; {hint}" for hint in near(name, known))
