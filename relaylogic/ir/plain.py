"""What a program is given in Python, as its text would say it: a number of numpy is a number, its arrays are lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["MOST_NESTED", "all_plain", "plain", "plain_attributes"]

MOST_NESTED = 32
"""How many lists may stand in each other."""

_ATOMS = frozenset({int, str, bool, float, type(None)})


def plain(value: Any, depth: int = 0) -> Any:
    """A value with numbers and arrays of other libraries as Python's, sequences as tuples; whatever else, as it is.

    Raises ValueError for lists in lists in lists ..., such as a list that holds itself.
    """
    kind = type(value)
    if kind in _ATOMS or (kind is tuple and _ATOMS.issuperset(map(type, value))):
        return value
    if hasattr(kind, "tolist"):  # not that of the value: an operator is asked what it is registered with
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if depth == MOST_NESTED:
            raise ValueError(f"no more than {MOST_NESTED} lists may stand in each other")
        return tuple([plain(item, depth + 1) for item in value])
    return int(value) if isinstance(value, int) and type(value) is not bool else value


def all_plain(given: Mapping[Any, Any]) -> bool:
    """Whether it is seen at a glance that attributes are plain: most are."""
    for value in given.values():
        kind = type(value)
        if kind not in _ATOMS and not (kind in (tuple, list) and _ATOMS.issuperset(map(type, value))):
            return False
    return True


def plain_attributes(given: Any) -> Any:
    """Attributes with plain values; what is no mapping, or holds lists in lists in lists ..., is refused later."""
    if not isinstance(given, Mapping) or all_plain(given):
        return given
    try:
        return {name: plain(value) for name, value in given.items()}
    except ValueError:
        return given
