"""In which order the functions of a program are inferred, and what each sees of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..infer.components import is_prerequisite, ordered
from ..ir import GlobalVar
from .unit import Unit

__all__ = ["Order"]


class Order:
    """The groups of some functions; those of a group are inferred together, the groups one after the other."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = {unit.variable: unit for unit in units}
        if len(units) == 1:
            self.groups = [[units[0].variable]]
        else:
            needed = {unit.variable for unit in units if is_prerequisite(unit.declared)}
            self.groups = ordered({u.variable: [v for v in u.mentions if v in needed] for u in units})
        self.place = {variable: index for index, group in enumerate(self.groups) for variable in group}
        self.mentioned: dict[GlobalVar, list[int]] = {variable: [] for variable in self.units}
        for unit in units:
            for variable in unit.mentions:
                if variable in self.units and self.place[variable] != self.place[unit.variable]:
                    self.mentioned[variable].append(self.place[unit.variable])

    def takes(self, gone: Sequence[Unit], made: Sequence[Unit]) -> bool:
        """Put units in the places of others, if the order stays."""
        if len(gone) != len(made):
            return False
        for old, new in zip(gone, made, strict=True):
            same = is_prerequisite(old.declared) is is_prerequisite(new.declared)
            if old.variable is not new.variable or not same or [*map(id, old.mentions)] != [*map(id, new.mentions)]:
                return False
        self.units.update((unit.variable, unit) for unit in made)
        return True

    def seen(self, index: int) -> dict[GlobalVar, Any]:
        """The types of functions of other groups that those of a group see."""
        seen: dict[GlobalVar, Any] = {}
        for variable in self.groups[index]:
            for used in self.units[variable].mentions:
                place = self.place.get(used, index)
                if place != index:
                    other = self.units[used]
                    seen[used] = other.type if place < index else other.declared
        return seen
