"""Names of `tvm.ir` that no room of `relaylogic.ir` has: those of types, passes and the registry of operators."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import said
from ..ir.expr import TYPE_KEY
from .attrs import Attrs

__all__ = ["make_node", "named", "register_op_attr"]

_WHERE = {
    **dict.fromkeys(
        (
            "FuncType",
            "GlobalTypeVar",
            "IncompleteType",
            "TensorType",
            "TupleType",
            "Type",
            "TypeCall",
            "TypeConstraint",
            "TypeKind",
            "TypeRelation",
            "TypeVar",
        ),
        ".ty",
    ),
    "Attrs": ".attrs",
    "instrument": "",
    "make_node": ".names_of_ir",
    "register_op_attr": ".names_of_ir",
}
_OTHER_NAMES = {
    "BaseExpr": ("..ir", "Expr"),
    "BaseFunc": ("..ir", "Function"),
    "DictAttrs": (".attrs", "Attrs"),
    "IntImm": (".te", "IntImm"),
    "RelayExpr": ("..ir", "Expr"),
    "RelayRefType": (".ty", "RefType"),
    "transform": ("", "passes"),
}


def named(name: str) -> Any:
    """What `tvm.ir` calls so. Raises AttributeError."""
    room, own = _OTHER_NAMES.get(name) or (_WHERE.get(name), name)
    if room is None:
        from .absent import absent

        raise absent("ir", name)
    if not room:
        return import_module(f".{own}", __package__)
    return getattr(import_module(room, __package__), own)


def make_node(type_key: str, **kwargs: Any) -> Any:
    """Attributes of a class by its name, such as "relay.attrs.Conv2DAttrs", for a call; "DictAttrs" are a dict, for a
    function."""
    if not isinstance(type_key, str):
        raise TypeError(f"a class of attributes is known by its name, which {said(type_key)} is not")
    if type_key.rpartition(".")[2] == "DictAttrs":
        return kwargs
    return Attrs(None, {**kwargs, TYPE_KEY: type_key})


def register_op_attr(op_name: str, attr_key: str, value: Any = None, level: int = 10) -> Any:
    """Remember something of an operator, which `Op.get_attr` gives; without a value, a decorator of it."""
    from .op.op import entry_of

    def remember(given: Any) -> Any:
        entry_of(op_name).set_attr(attr_key, given, level)
        return given

    return remember if value is None else remember(value)
