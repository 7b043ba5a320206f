"""A Relay program: functions and data types by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import said
from ..logic.terms.flat import Record
from ..types import GlobalTypeVar
from .adt import Constructor, TypeData
from .module_api import ModuleApi
from .nodes import Function, GlobalVar
from .source import Source

__all__ = ["IRModule"]


_KEPT = (
    "functions",
    "type_definitions",
    "declarations",
    "imports",
    "metadata",
    "source",
    "_globals",
    "_types",
    "_constructors",
)


class IRModule(ModuleApi, Record, fields=_KEPT):
    """Functions, data types and declarations, each in the order of the text.

    `declarations` maps the name of something that has a type but no body (`@cell : fn ...`, written `@cell`;
    or an operator's name) to that type. `imports` maps the name of an imported module to it: its definitions
    can be used here and are found by the `get_` methods, but are not part of `functions` and
    `type_definitions`. `metadata` is the text of the metadata section. `result` is what inference said of the module,
    for one that `relay.transform.InferType` returned; None for others, and in copies.
    """

    result: Any = None

    def __init__(
        self,
        functions: Mapping[GlobalVar, Function] | None = None,
        type_definitions: Mapping[Any, TypeData] | None = None,
        source: Source | None = None,
    ) -> None:
        self.functions: dict[GlobalVar, Function] = {}
        self.type_definitions: dict[Any, TypeData] = {}
        self.declarations: dict[str, Any] = {}
        self.imports: dict[str, IRModule] = {}
        self.metadata: str | None = None
        self.source = source
        self._globals: dict[str, GlobalVar] = {}
        self._types: dict[str, Any] = {}
        self._constructors: dict[str, Constructor] = {}
        for given in (functions, type_definitions):
            if not (given is None or type(given) is dict or isinstance(given, Mapping)):
                raise TypeError(f"what a module defines is given by name, in a dict, which {said(given)} is not")
        if type_definitions:
            for handle, data in type_definitions.items():
                self.add_type_def(handle, data)
        if functions:
            for name, function in functions.items():
                self.add(name, function)

    def add(self, name: GlobalVar | str, function: Function) -> GlobalVar:
        """Add a function. Raises ValueError if there is one of that name."""
        variable = GlobalVar(name) if isinstance(name, str) else name
        if not isinstance(variable, GlobalVar):
            raise TypeError(f"a function is defined by a name or a GlobalVar, which {said(name)} is not")
        if variable.name_hint in self._globals:
            raise ValueError(f"the module already defines `@{variable.name_hint}`")
        self._globals[variable.name_hint] = variable
        self.functions[variable] = function
        return variable

    def add_type_def(self, handle: Any, data: TypeData) -> None:
        """Add a data type. Raises ValueError if its handle, or the name of a constructor, is taken.

        Handles tell data types apart, so there may be two of one name; `find_global_type_var` finds the first.
        """
        if not isinstance(data, TypeData):
            raise TypeError(f"a data type is defined by a TypeData, which {said(data)} is not")
        if not isinstance(handle, GlobalTypeVar):
            raise TypeError(f"a data type is named by a GlobalTypeVar, which {said(handle)} is not")
        for constructor in data.constructors:
            if not isinstance(constructor, Constructor):
                raise TypeError(f"the constructors of a data type are Constructors, which {said(constructor)} is not")
        if handle in self.type_definitions:
            raise ValueError(f"the module already defines the type `{handle.name_hint}`")
        for constructor in data.constructors:
            if constructor.name_hint in self._constructors:
                raise ValueError(f"the module already defines the constructor `{constructor.name_hint}`")
        self._constructors.update((constructor.name_hint, constructor) for constructor in data.constructors)
        self._types.setdefault(handle.name_hint, handle)
        self.type_definitions[handle] = data

    def also_named(self, name: str, own: str) -> None:
        """Let a data type that the module defines be found by another name, too."""
        self._types[name] = self._types[own]

    def shallow_copy(self) -> IRModule:
        """Another module with the same definitions."""
        copy = IRModule(self.functions, self.type_definitions, self.source)
        copy.declarations.update(self.declarations)
        copy.imports.update(self.imports)
        copy.metadata = self.metadata
        return copy

    def __copy__(self) -> IRModule:
        return self.shallow_copy()

    def without_functions(self) -> IRModule:
        """A module with the data types, declarations and imports of this one, which it shares."""
        other = IRModule(source=self.source)
        other.type_definitions, other.declarations, other.imports = (
            self.type_definitions,
            self.declarations,
            self.imports,
        )
        other.metadata, other._types, other._constructors = self.metadata, self._types, self._constructors
        return other

    def discard(self, name: str) -> None:
        """Take out the function and the data types of that name, as far as the module itself defines them."""
        variable = self._globals.pop(name, None)
        self._types.pop(name, None)
        if variable is not None:
            del self.functions[variable]
        for handle in [handle for handle in self.type_definitions if handle.name_hint == name]:
            for constructor in self.type_definitions.pop(handle).constructors:
                del self._constructors[constructor.name_hint]

    def scopes(self) -> Iterator[IRModule]:
        """The module and those that it imports, each once: where names are looked up, in this order."""
        yield self
        if self.imports:
            met, agenda = {id(self)}, list(self.imports.values())
            while agenda:
                module = agenda.pop(0)
                if id(module) not in met:
                    met.add(id(module))
                    yield module
                    agenda = [*module.imports.values(), *agenda]

    def find_global_var(self, name: str) -> GlobalVar | None:
        """The global variable of that name, or None."""
        return next((m._globals[name] for m in self.scopes() if name in m._globals), None)

    def get_function(self, variable: GlobalVar) -> Function | None:
        """The function that a global variable names, or None."""
        return next((m.functions[variable] for m in self.scopes() if variable in m.functions), None)

    def find_global_type_var(self, name: str) -> Any:
        """The handle of the data type of that name, or None."""
        return next((m._types[name] for m in self.scopes() if name in m._types), None)

    def get_type_data(self, handle: Any) -> TypeData | None:
        """The definition of the data type with that handle, or None."""
        return next((m.type_definitions[handle] for m in self.scopes() if handle in m.type_definitions), None)

    def data_types(self) -> list[TypeData]:
        """The data types that the module defines or imports, its own first."""
        return [data for module in self.scopes() for data in module.type_definitions.values()]

    def find_constructor(self, name: str) -> Constructor | None:
        """The constructor of that name, or None."""
        return next((m._constructors[name] for m in self.scopes() if name in m._constructors), None)
