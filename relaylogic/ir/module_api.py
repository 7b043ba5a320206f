"""What a module offers to those who build and read programs in Python: the names are those of `tvm.IRModule`.

`module.py` holds the data; everything here is written in terms of its methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..errors import IllFormed, RelayLogicError, said
from ..host.above import above
from ..types import GlobalTypeVar
from .adt import Constructor, TypeData
from .expr import Expr
from .imports import KNOWN_MODULES, load_module
from .nodes import Function, GlobalVar

__all__ = ["ModuleApi", "UnknownName"]

Module = TypeVar("Module", bound="ModuleApi")


class UnknownName(RelayLogicError, KeyError, ValueError):
    """A module has nothing of the name that it was asked for."""


class ModuleApi:
    """Indexing, search by name, construction from expressions, text."""

    if TYPE_CHECKING:
        functions: dict[GlobalVar, Function]
        type_definitions: dict[Any, TypeData]
        declarations: dict[str, Any]
        imports: dict[str, Any]
        metadata: str | None
        source: Any
        result: Any

        def __init__(self) -> None: ...
        def add(self, name: GlobalVar | str, function: Function) -> GlobalVar: ...
        def add_type_def(self, handle: Any, data: TypeData) -> None: ...
        def discard(self, name: str) -> None: ...
        def find_global_var(self, name: str) -> GlobalVar | None: ...
        def find_global_type_var(self, name: str) -> Any: ...
        def find_constructor(self, name: str) -> Constructor | None: ...
        def get_function(self, variable: GlobalVar) -> Function | None: ...
        def get_type_data(self, handle: Any) -> TypeData | None: ...
        def scopes(self) -> Iterator[Any]: ...

    def __getitem__(self, name: Any) -> Any:
        """The function of a name or global variable, or the definition of a data type's handle.

        Raises UnknownName if there is none, TypeError for what names nothing.
        """
        if isinstance(name, GlobalTypeVar):
            return self._found(self.get_type_data(name), "data type", name.name_hint)
        variable = self.get_global_var(name) if isinstance(name, str) else _global(name)
        return self._found(self.get_function(variable), "function", variable.name_hint)

    def __setitem__(self, name: Any, value: Any) -> None:
        """Define, or define anew, a function or a data type; an expression becomes the body of a function without
        parameters, its free variables becoming parameters."""
        self.result = None
        if isinstance(value, TypeData):
            self.discard(_global(name, GlobalTypeVar).name_hint)
            self.add_type_def(name, value)
            return
        text = name if isinstance(name, str) else _global(name).name_hint
        variable = self.find_global_var(text) if isinstance(name, str) else name
        if variable is not None and variable in self.functions:
            self.functions[variable] = as_function(value)
            return
        self.discard(text)
        self.add(GlobalVar(text) if isinstance(name, str) else name, as_function(value))

    def __delitem__(self, name: GlobalVar | str) -> None:
        self.result = None
        self.discard(name if isinstance(name, str) else _global(name, GlobalVar, GlobalTypeVar).name_hint)

    def __contains__(self, name: Any) -> bool:
        return self.find_global_var(name if isinstance(name, str) else _global(name).name_hint) is not None

    def update(self, other: ModuleApi | Mapping[Any, Any]) -> None:
        """Take over the definitions of another module, or of a mapping from names, in place of those of these names."""
        if isinstance(other, Mapping):
            for name, value in other.items():
                self[name] = value
            return
        if not isinstance(other, ModuleApi):
            raise IllFormed(f"a module, or a mapping from names, is expected, which {said(other)} is not")
        for handle, data in other.type_definitions.items():
            self[handle] = data
        for variable, function in other.functions.items():
            self[variable] = function
        self.declarations.update(other.declarations)
        self.imports.update(other.imports)

    def update_func(self, name: GlobalVar | str, function: Function) -> None:
        """Give another body to a function that the module defines. Raises UnknownName if it does not."""
        variable = self.get_global_var(name) if isinstance(name, str) else _global(name)
        self._found(self.functions.get(variable), "function", variable.name_hint)
        self[variable] = function

    def get_global_var(self, name: str) -> GlobalVar:
        """The global variable of that name. Raises UnknownName."""
        found: GlobalVar = self._found(self.find_global_var(name), "function", name)
        return found

    def get_global_vars(self) -> list[GlobalVar]:
        """The global variables of all functions that the module defines."""
        return list(self.functions)

    def functions_items(self) -> list[tuple[GlobalVar, Function]]:
        """The global variables, each with its function, by their names."""
        return sorted(self.functions.items(), key=lambda item: item[0].name_hint)

    def get_global_type_var(self, name: str) -> Any:
        """The handle of the data type of that name. Raises UnknownName."""
        return self._found(self.find_global_type_var(name), "data type", name)

    def get_global_type_vars(self) -> list[Any]:
        """The handles of all data types that the module defines."""
        return list(self.type_definitions)

    def get_constructor(self, name: str) -> Constructor:
        """The constructor of that name. Raises UnknownName."""
        found: Constructor = self._found(self.find_constructor(name), "constructor", name)
        return found

    def get_type(self, name: str) -> tuple[Any, ...]:
        """The handle of a data type, followed by its constructors. Raises UnknownName."""
        handle = self.get_global_type_var(name)
        return (handle, *self[handle].constructors)

    def _found(self, found: Any, what: str, name: str) -> Any:
        if found is None:
            raise UnknownName(f"the module has no {what} `{name if type(name) is str else said(name)}`")
        return found

    @classmethod
    def from_expr(
        cls: type[Module],
        expr: Expr,
        functions: Mapping[Any, Function] | None = None,
        type_defs: Mapping[Any, TypeData] | None = None,
    ) -> Module:
        """A module whose `main` is a function, or has an expression as its body, free variables as its parameters."""
        for given in (type_defs, functions):
            if not isinstance(given, Mapping | None):
                raise IllFormed(f"definitions are a mapping from names, which {said(given)} is not")
        module = cls()
        for handle, data in (type_defs or {}).items():
            module[handle] = data
        for variable, function in (functions or {}).items():
            module[variable] = function
        module["main"] = expr
        return module

    def import_from_std(self, file: str) -> None:
        """Make the definitions of a standard module usable: prelude.rly, nat.rly, core.rly. Raises UnknownName."""
        from .publish import publish_declared

        if not isinstance(file, str):
            raise IllFormed(f"the name of a standard module is a text, which {said(file)} is not")
        name = file.removesuffix(".rly")
        try:
            self.imports[name] = load_module(name)
        except KeyError:
            known = ", ".join(f"{module}.rly" for module in KNOWN_MODULES)
            raise UnknownName(f"there is no standard module `{file}`; there are {known}") from None
        publish_declared(self.imports[name])

    def astext(self, show_meta_data: bool = True, annotate: Any = None) -> str:
        """The module as Relay text, with the types that were inferred as comments.

        `annotate`, a function from an expression to a type, a text or None, says what to show instead. Constants
        without a literal are in a metadata section behind the text, unless `show_meta_data` is unset.
        """
        return cast(str, above("typed text")(self, show_meta_data, annotate))

    def __str__(self) -> str:
        return cast(str, above("plain text")(self))

    def __repr__(self) -> str:
        names = [f"@{v.name_hint}" for v in self.functions]
        shown = ", ".join([*names[:8], "..."] if len(names) > 8 else names)
        types = ", ".join(f"type {h.name_hint}" for h in list(self.type_definitions)[:8])
        verdict = "" if self.result is None else f": {self.result.verdict}"
        return f"IRModule({'; '.join(part for part in (types, shown) if part)}){verdict}"

    def show(self) -> None:
        """Print the text of the module."""
        print(self)

    def _repr_html_(self) -> str:
        return cast(str, above("module as HTML")(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _global(name: Any, *kinds: type) -> Any:
    """A global variable, or what is of `kinds`. Raises TypeError for anything else."""
    if not isinstance(name, kinds or GlobalVar):
        raise TypeError(f"a module is asked by name or by global variable, which {said(name)} is not")
    return name


def as_function(value: Any) -> Function:
    """A function as it is; an expression as the body of one, what is free in it as its parameters. Raises TypeError."""
    from .free import free_type_vars
    from .visit import free_vars

    if isinstance(value, Function):
        return value
    if hasattr(value, "astuple"):  # the results of an operator that has several
        value = value.astuple()
    if not isinstance(value, Expr):
        raise TypeError(f"a module defines functions and data types, which {said(value)} is not")
    return Function(free_vars(value), value, None, free_type_vars(value))
