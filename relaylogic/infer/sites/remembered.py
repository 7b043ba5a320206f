"""What functions have come to in what-if inferences, for the next ones: most questions differ in what one of them says.

What functions come to that are inferred together follows from what is said in them, and from the types of those that
they mention. It is remembered where nothing has been refused, nothing waits, and their types leave nothing open: then
they bear on no other function but by their types. Types of what is inside of them are not known where they are taken
from here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ...ir import GlobalVar
from ...logic.terms.terms import is_ground

__all__ = ["Remembered"]


class Remembered:
    """What is remembered of functions, to be asked in one inference, in which this is said in each, by its name."""

    def __init__(
        self, mentions: Mapping[GlobalVar, set[GlobalVar]], said: Mapping[str, Hashable] | None = None
    ) -> None:
        self._mentioned: dict[GlobalVar, list[GlobalVar]] = {}
        for callee, callers in mentions.items():
            for caller in callers:
                self._mentioned.setdefault(caller, []).append(callee)
        self._found: dict[Any, tuple[Sequence[Any], set[GlobalVar]]] = {}
        self._said: Mapping[str, Hashable] = said or {}
        self._is_on = True
        self.is_used = False

    def where(self, said: Mapping[str, Hashable]) -> Remembered:
        """The same, to be asked where this is said in each function."""
        other = Remembered({}, said)
        other._mentioned, other._found = self._mentioned, self._found
        return other

    def end(self) -> None:
        """Tell nothing from now on."""
        self._is_on = False

    def take(
        self, group: Sequence[GlobalVar], globals_: Mapping[GlobalVar, Any]
    ) -> tuple[Sequence[Any], set[GlobalVar]] | None:
        """The types of some functions, and what they use, beside these types of others; None if it is not known."""
        key = self._key(group, globals_)
        found = None if key is None else self._found.get(key)
        self.is_used = self.is_used or found is not None
        return found

    def keep(self, group: Sequence[GlobalVar], globals_: Mapping[GlobalVar, Any], used: set[GlobalVar]) -> None:
        """Remember the types that some functions have now, and what they have used."""
        key = self._key(group, globals_)
        types = [globals_[variable] for variable in group]
        if key is not None and all(map(is_ground, types)):
            self._found[key] = types, used

    def _key(self, group: Sequence[GlobalVar], globals_: Mapping[GlobalVar, Any]) -> Hashable | None:
        """What tells what some functions come to; None if something that they mention is not known."""
        if not self._is_on:
            return None
        others = {v: globals_.get(v) for own in group for v in self._mentioned.get(own, ()) if v not in group}
        if not all(known is None or is_ground(known) for known in others.values()):
            return None
        return tuple(group), tuple(self._said.get(v.name_hint) for v in group), tuple(others.items())
