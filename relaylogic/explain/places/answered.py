"""What is said in each function where a question is asked: if that is as it was, the function is not inferred anew."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any

from ...infer.sites.remembered import Remembered
from .places import Places

__all__ = ["Answered"]


class Answered:
    """What functions came to in the questions about a program so far."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._remembered = Remembered(places.mentions) if places.is_apart else None

    def about(self, kept: Collection[int], mends: Mapping[int, Any], told_apart: bool) -> Remembered | None:
        """What is remembered, for an inference in which only some places say something, and others have other types.

        None if it would tell nothing. Attributes are places of their own, or not: they are `told_apart`.
        """
        if self._remembered is None:
            return None
        said: dict[str, set[Hashable]] = {}
        for index in kept:
            said.setdefault(self._places.all[index].owner, set()).add(index)
        for index, type_ in mends.items():
            said.setdefault(self._places.all[index].owner, set()).add((index, type_))
        return self._remembered.where({owner: (told_apart, frozenset(its)) for owner, its in said.items()})
