"""Names that may be meant by others: for errors."""

from __future__ import annotations

from typing import Any

__all__ = ["nearest"]

LIKE = 0.6
"""The share of two names that is the same if one may be meant by the other."""


def nearest(name: str, known: Any) -> str:
    """`; did you mean ...?` with the names most like `name`, or nothing."""
    import difflib  # for errors only

    # No more than the shorter name can match: a word of megabytes is not looked at.
    alike = [k for k in dict.fromkeys(known) if 2.0 * min(len(k), len(name)) / (len(k) + len(name)) >= LIKE]
    close = difflib.get_close_matches(name, alike, n=3, cutoff=LIKE) if alike else []
    if not close:
        last = name.rpartition(".")[2]
        close = [k for k in known if k.rpartition(".")[2] == last][:3]
    return f"; did you mean {' or '.join(f'`{c}`' for c in close)}?" if close else ""
