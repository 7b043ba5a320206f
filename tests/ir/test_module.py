"""Modules: looking things up by name, and adding them."""

from __future__ import annotations

import pytest

from relaylogic.ir import Constructor, Function, IRModule, TypeData, Var
from relaylogic.text import parse
from relaylogic.types import GlobalTypeVar


def identity() -> Function:
    x = Var("x")
    return Function([x], x)


def test_functions_by_name() -> None:
    module = IRModule()
    variable = module.add("f", identity())
    assert module.get_global_var("f") is variable
    assert module["f"] is module[variable] and "f" in module and "g" not in module
    other = identity()
    module.update_func("f", other)
    assert module.get_function(variable) is other
    with pytest.raises(ValueError, match="already defines `@f`"):
        module.add("f", identity())
    with pytest.raises(KeyError):
        module["g"]


def test_data_types_by_name() -> None:
    handle = GlobalTypeVar("T")
    data = TypeData(handle, (), [Constructor("A", (), handle)])
    module = IRModule(type_definitions={handle: data})
    assert module.get_global_type_var("T") is handle
    assert module.get_type_data(handle) is data
    assert module.get_constructor("A") is data.constructors[0]
    with pytest.raises(ValueError, match="already defines the type `T`"):
        module.add_type_def(handle, data)
    other = GlobalTypeVar("U")
    with pytest.raises(ValueError, match="already defines the constructor `A`"):
        module.add_type_def(other, TypeData(other, (), [Constructor("A", (), other)]))


def test_imported_definitions_are_found_and_may_be_hidden() -> None:
    module = parse('import "prelude"\ndef @map(%x) { %x } def @main(%l) { (@map(1), @hd(%l), Cons(1, Nil)) }')
    prelude = module.imports["prelude"]
    assert [v.name_hint for v in module.functions] == ["map", "main"]
    assert module["map"] is not prelude["map"] and module["hd"] is prelude["hd"]
    assert module.get_constructor("Cons") is prelude.get_constructor("Cons")
    assert parse('import "prelude"').imports["prelude"] is prelude
