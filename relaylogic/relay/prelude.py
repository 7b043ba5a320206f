"""`Prelude`: the standard data types and functions in a module, each as an attribute."""

from __future__ import annotations

from typing import Any

from ..errors import said
from ..ir import GlobalVar, IRModule
from .absent import absent

__all__ = ["Prelude"]


class Prelude:
    """Makes the prelude usable in `mod` (a new module by default).

    `p.map`, `p.hd`, ... are the global variables of its functions; `p.mod.get_type("List")` gives a handle with its
    constructors, which are attributes too: `p.cons(x, p.nil())` with the names in small letters.
    """

    def __init__(self, mod: IRModule | None = None) -> None:
        if not (mod is None or isinstance(mod, IRModule)):
            raise TypeError(f"the prelude is made usable in an IRModule, which {said(mod)} is not")
        self.mod = IRModule() if mod is None else mod
        self.mod.import_from_std("prelude.rly")
        self._library: IRModule = self.mod.imports["prelude"]

    def get_var(self, canonical: str, dtype: str = "") -> GlobalVar:
        """The global variable of a function. Raises UnknownName."""
        del dtype
        return self.mod.get_global_var(canonical)

    def get_type(self, canonical: str, dtype: str = "") -> Any:
        """The handle of a data type. Raises UnknownName."""
        del dtype
        return self.mod.get_global_type_var(canonical)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._library.find_global_var(name) or self._library.find_constructor(name)
        if found is None:
            found = next((c for c in self._constructors() if c.name_hint.lower() == name), None)
        if found is None:
            raise absent("relay.prelude.Prelude", name)
        return found

    def _constructors(self) -> list[Any]:
        return [c for data in self._library.type_definitions.values() for c in data.constructors]

    def __dir__(self) -> list[str]:
        return [*(v.name_hint for v in self._library.functions), *(c.name_hint.lower() for c in self._constructors())]


def __getattr__(name: str) -> Any:
    raise absent("relay.prelude", name)
