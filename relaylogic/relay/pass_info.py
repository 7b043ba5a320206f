"""What is known of a pass before it runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import no_list

__all__ = ["PassInfo", "listed"]


class PassInfo:
    """What is known of a pass: from which level on it runs, its name, and the names of the passes that it requires."""

    def __init__(self, opt_level: int, name: str, required: Iterable[str | Any] | None = None) -> None:
        self.opt_level = opt_level
        self.name = name
        self._required: tuple[str | Any, ...] = tuple(listed(required, "the required passes"))

    @property
    def required(self) -> list[str]:
        """The names of the passes that run before."""
        return [item if isinstance(item, str) else item.info.name for item in self._required]

    def __str__(self) -> str:
        known = f"pass name: {self.name}, opt_level: {self.opt_level}, required passes: [{', '.join(self.required)}]"
        return f"The meta data of the pass - {known}"

    def __repr__(self) -> str:
        listed = ", ".join(f'"{name}"' for name in self.required)
        return f'PassInfo({self.opt_level}, "{self.name}", {{{listed}}})'


def listed(given: Any, what: str) -> list[Any]:
    """A list that may be left out. Raises TypeError for a text, which is one thing, and for what is no list."""
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise no_list(what, given)
    return list(given)
