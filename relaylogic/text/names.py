"""Names: which of them text can write, and those of variables for printing, unique and such that they read back."""

from __future__ import annotations

import re
from functools import lru_cache

from ..ir import Var
from ..types import normal_dtype
from .tokens import BARE_NAME, PLAIN_NAME

__all__ = ["Namer", "is_bare", "is_global", "is_scalar", "sigiled"]

_PLAIN = re.compile(PLAIN_NAME + r"\Z")
_BARE = re.compile(BARE_NAME + r"\Z")
_UNQUOTABLE = re.compile(r'["\n]')
_DTYPE_PREFIXES = ("int", "float", "uint", "bool")


@lru_cache(maxsize=4096)
def is_bare(name: str) -> bool:
    """Whether text can name an operator, a constructor, a type or an attribute so: they have no sigil and no quotes."""
    return _BARE.match(name) is not None


def is_global(name: str) -> bool:
    """Whether text can name a function so."""
    return _UNQUOTABLE.search(name) is None


def is_scalar(name: str) -> bool:
    """Whether a name is that of a type without dimensions wherever it stands; nothing else can be named so."""
    if not name.startswith(_DTYPE_PREFIXES):
        return False
    try:
        return bool(normal_dtype(name))
    except ValueError:
        return False


def sigiled(sigil: str, name: str) -> str:
    """The name behind its sigil, in quotes if it is not plain; what even quotes cannot hold becomes `_`."""
    written = _written(name)
    return sigil + written if _PLAIN.match(written) else f'{sigil}"{written}"'


def _written(name: str) -> str:
    return _UNQUOTABLE.sub("_", name)


class Namer:
    """Gives every variable a name of its own: the one that it has, followed by a number if another has
    that."""

    def __init__(self) -> None:
        self._names: dict[Var, str] = {}
        self._counts: dict[str, int] = {}

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
