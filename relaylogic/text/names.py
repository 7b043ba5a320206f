"""Names for printing: unique among the variables of a module, and such that they read back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..ir import Var
from .tokens import PLAIN_NAME

__all__ = ["Namer", "sigiled"]

_PLAIN = re.compile(PLAIN_NAME + r"\Z")
_UNQUOTABLE = re.compile(r'["\n]')


def sigiled(sigil: str, name: str) -> str:
    """The name behind its sigil, in quotes if it is not plain; what even quotes cannot hold becomes `_`."""
    written = _written(name)
    return sigil + written if _PLAIN.match(written) else f'{sigil}"{written}"'


def _written(name: str) -> str:
    return _UNQUOTABLE.sub("_", name)


class Namer:
    """Gives every variable a name of its own: the one that it has, followed by a number if another has
    that."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._names: dict[Var, str] = {}
        self._counts: dict[str, int] = dict.fromkeys(taken, 0)

    def name(self, variable: Var) -> str:
        """The variable as it is written everywhere, with its sigil."""
        known = self._names.get(variable)
        if known is not None:
            return known
        base = _written(variable.name_hint) or "v"
        name = base
        while name in self._counts:
            self._counts[base] += 1
            name = f"{base}{self._counts[base]}"
        self._counts[name] = 0
        written = self._names[variable] = sigiled("%", name)
        return written

    def __contains__(self, variable: Var) -> bool:
        return variable in self._names
