"""What a program is given in Python, as its text would say it: a number of numpy is a number, its arrays are lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["MOST_NESTED", "all_plain", "plain"]

MOST_NESTED = 32
"""How many lists of an attribute may stand in each other."""

_ATOMS = frozenset({int, str, bool, float, type(None)})


def all_plain(given: Mapping[Any, Any]) -> bool:
    """Whether it is seen at a glance that attributes are plain: most are."""
    for value in given.values():
        kind = type(value)
        if kind not in _ATOMS and not (kind in (tuple, list) and _ATOMS.issuperset(map(type, value))):
            return False
    return True


def plain(value: Any, depth: int = 0) -> Any:
    """A value with numbers and arrays of other libraries as Python's, sequences as tuples; whatever else, as it is.

    Raises ValueError for lists in lists in lists ..., such as a list that holds itself.
    """
    kind = type(value)
    if kind in _ATOMS:
        return value
    if hasattr(kind, "tolist"):  # not that of the value: an operator is asked what it is registered with
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if depth == MOST_NESTED:
            raise ValueError(f"an attribute has no more than {MOST_NESTED} lists in each other")
        return tuple([plain(item, depth + 1) for item in value])
    return int(value) if isinstance(value, int) and type(value) is not bool else value
