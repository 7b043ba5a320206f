"""Relay's types as terms of the logic engine.

Arguments of a type may be logic variables; such a type is incomplete. Equality is identity. Names, argument orders and
meanings are those of Relay's documentation ("Relay's Type System").
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..errors import said
from ..host.above import above
from ..logic.terms.flat import Record
from ..logic.terms.look import Look, closed
from ..logic.terms.numbers import UNKNOWN
from ..logic.terms.terms import Symbol, Term
from ..logic.terms.variables import VARIABLES, fresh, fresh_noted, note_of
from .dtypes import normal_dtype

__all__ = [
    "ANY",
    "KINDS",
    "STORAGE",
    "FuncType",
    "GlobalTypeVar",
    "IncompleteType",
    "RefType",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeRelation",
    "TypeVar",
    "kind_of_hole",
    "scalar_type",
]

KINDS = ("Type", "BaseType", "Shape", "ShapeVar")

_OTHER_KINDS = ("Constraint", "AdtHandle", "TypeData")  # which classify no part of a type

ANY = UNKNOWN
"""The dimension `?`: unknown at compile time."""

_serial: Iterator[int]


def _begin_serial() -> None:
    """Number definitions from a random place on, so that those of two processes that exchange types stay apart."""
    global _serial
    _serial = itertools.count(int.from_bytes(os.urandom(7), "big"))


_begin_serial()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_serial)


class Type(Term):
    """The base of all Relay types; `seen` is what `relaylogic.types.glance` sees of one, once somebody has looked."""

    __slots__ = ("seen",)
    seen: Any

    def __new__(cls, *args: Any) -> Any:
        raise TypeError(f"{cls.__name__} is the base of types: a TensorType, TupleType, FuncType ... is made")

    def __str__(self) -> str:
        return cast(str, above("text of a type")(self))

    __repr__ = __str__

    def same_as(self, other: object) -> bool:
        """Whether `other` is this very type."""
        return self is other


class TensorType(Type):
    """`Tensor[shape, dtype]`.

    `shape` is a tuple of dimensions, a type parameter of kind Shape or a variable; `dtype` a dtype's text, a type
    parameter of kind BaseType or a variable.
    """

    __slots__ = ()

    def __new__(cls, shape: Any, dtype: Any = "float32") -> Any:
        try:
            if type(shape) is tuple:
                found = cls._interned.get(cls._interned.key((shape, dtype)))
                return cls.made_new((_shape(shape), _dtype(dtype))) if found is None else found
            return cls.make((_shape(shape), _dtype(dtype)))
        except Look:
            return cls(closed(shape), closed(dtype))
        except TypeError:  # something unhashable
            raise TypeError(f"these are no extents and no dtype: {said(shape)}, {said(dtype)}") from None

    @property
    def shape(self) -> Any:
        """The dimensions, outermost first."""
        return self.args[0]

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self.args[1]

    @property
    def concrete_shape(self) -> tuple[int, ...]:
        """The extents as integers. Raises TypeError if one is not known."""
        shape = self.shape
        if type(shape) is not tuple or not all(type(extent) is int for extent in shape):
            raise TypeError(f"the extents of {self} are not all known")
        return shape


def _shape(shape: Any) -> Any:
    """A shape as a term: any sequence as a tuple, integers of other libraries as ints."""
    if type(shape) is not tuple:
        if isinstance(shape, Term) or type(shape) in VARIABLES:
            return shape
        shape = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
    return tuple([d if type(d) is int or isinstance(d, Term) else _extent(d) for d in shape])


def _extent(dim: Any) -> Any:
    return dim.__index__() if hasattr(dim, "__index__") else dim


def _dtype(dtype: Any) -> Any:
    """A dtype as a term: its canonical spelling, if it is one."""
    if type(dtype) is not str:
        if isinstance(dtype, Term) or type(dtype) in VARIABLES:
            return dtype
        dtype = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or said(dtype)
    try:
        return normal_dtype(dtype)
    except ValueError:
        return dtype


def scalar_type(dtype: Any) -> Any:
    """The type of a tensor of rank 0."""
    return TensorType((), dtype)


class TupleType(Type):
    """`(T1, ..., Tn)`; `fields` is a tuple of types, or an open list."""

    __slots__ = ()

    def __new__(cls, fields: Any) -> Any:
        return cls.make((tuple(fields) if type(fields) is list else fields,))

    @property
    def fields(self) -> Any:
        """The types of the components."""
        return self.args[0]


class FuncType(Type):
    """`fn [type_params](arg_types) -> ret_type where type_constraints`."""

    __slots__ = ()

    def __new__(cls, arg_types: Any, ret_type: Any, type_params: Any = (), type_constraints: Any = ()) -> Any:
        args = tuple(arg_types) if type(arg_types) is list else arg_types
        parameters = tuple(type_params or ())
        for parameter in parameters:
            if type(parameter) is not TypeVar:
                raise TypeError(f"the type parameters of a function type are TypeVars, not {said(parameter)}")
        return cls.make((args, ret_type, parameters, tuple(type_constraints or ())))

    @property
    def arg_types(self) -> Any:
        """The types of the parameters, in order."""
        return self.args[0]

    @property
    def ret_type(self) -> Any:
        """The type of the result."""
        return self.args[1]

    @property
    def type_params(self) -> tuple[Any, ...]:
        """The quantified type parameters."""
        return self.args[2]  # type: ignore[no-any-return]

    @property
    def type_constraints(self) -> tuple[Any, ...]:
        """The relations that must hold at every call."""
        return self.args[3]  # type: ignore[no-any-return]


class TypeVar(Type, Symbol):
    """A type parameter: rigid inside its function. Two type parameters are equal only if they are one definition."""

    __slots__ = ()

    def __new__(cls, name: str, kind: str = "Type") -> Any:
        kind = str.__str__(kind) if isinstance(kind, str) else said(kind)
        if kind not in KINDS and kind not in _OTHER_KINDS:
            raise ValueError(f"`{kind}` is not a kind; the kinds are {', '.join(KINDS)}")
        return cls.make((name, kind, next(_serial)))

    def __call__(self, *args: Any) -> Any:
        """The application of this type parameter to types, which no kind check accepts."""
        return TypeCall(self, args)

    @property
    def name_hint(self) -> str:
        """The name as written."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name as written."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return self.args[1]  # type: ignore[no-any-return]


class GlobalTypeVar(Type):
    """The handle of an algebraic data type; two definitions have two handles, whatever their names."""

    __slots__ = ()

    def __new__(cls, name: str, kind: str = "AdtHandle") -> Any:
        return cls.make((name, next(_serial), str.__str__(kind)))

    @classmethod
    def named(cls, name: str) -> Any:
        """The handle of a data type without a definition, which its name alone identifies."""
        return cls.make((name, None, "AdtHandle"))

    def __call__(self, *args: Any) -> Any:
        """The data type applied to type arguments: `List(scalar_type("int32"))`."""
        return TypeCall(self, args)

    @property
    def kind(self) -> str:
        """`AdtHandle`, the kind of what becomes a type when it is applied."""
        return self.args[2]  # type: ignore[no-any-return]

    @property
    def name_hint(self) -> str:
        """The name as written."""
        return self.args[0]  # type: ignore[no-any-return]


STORAGE: Any = GlobalTypeVar.named("Storage")
"""Regions of memory: TVM's `extern type Storage`, which no module of ours needs to define."""


class TypeCall(Type):
    """`List[int32]`: the handle of an algebraic data type applied to type arguments."""

    __slots__ = ()

    def __new__(cls, func: Any, args: Any) -> Any:
        return cls.make((func, tuple(args) if type(args) is list else args))

    @property
    def func(self) -> Any:
        """The handle."""
        return self.args[0]

    @property
    def type_args(self) -> Any:
        """The type arguments, one for each type parameter of the definition."""
        return self.args[1]


class RefType(Type):
    """`ref(T)`: a mutable cell that holds a `T`."""

    __slots__ = ()

    def __new__(cls, value: Any) -> Any:
        return cls.make((value,))

    @property
    def value(self) -> Any:
        """The type of the content."""
        return self.args[0]


def _pairs(attrs: Any) -> tuple[tuple[str, Any], ...]:
    """Attributes as a tuple of pairs, whose values are hashable. Raises TypeError."""
    given = tuple(attrs.items()) if isinstance(attrs, Mapping) else attrs
    pairs = type(given) is tuple and all(
        type(item) is tuple and len(item) == 2 and isinstance(item[0], str) for item in given
    )
    if not pairs:
        raise TypeError(f"the attributes of a relation are names with values, which {said(attrs)} is not")
    frozen = tuple([(name, _frozen(value)) for name, value in given])
    hash(frozen)
    return frozen


def _frozen(value: Any) -> Any:
    """A value in which tuples stand for lists."""
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


class TypeRelation(Type):
    """`Broadcast(t1, t2, t3)`: a relation that must hold; stands in the `where` of a function type.

    `func` is the relation or its name, `args` the inputs and then the result; `num_inputs`, which TVM's signature has,
    follows from these. `attrs` is a mapping or a tuple of pairs of a name and a value, which leaves out what is as by
    default, or a complete record, or None. Raises TypeError for attributes that are none of these.
    """

    __slots__ = ()

    def __new__(cls, func: Any, args: Any, num_inputs: int | None = None, attrs: Any = None) -> Any:
        name = func if isinstance(func, str) else getattr(func, "name", "")
        if attrs is not None and not isinstance(attrs, (Record, Term)):
            attrs = _pairs(attrs)
        return cls.make((name.removeprefix("tvm.relay.type_relation."), tuple(args), attrs))

    @property
    def name(self) -> str:
        """The relation's name in the rule base."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What the relation is applied to, the result last."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def attrs(self) -> Any:
        """The attributes of the call, or None."""
        return self.args[2]


def IncompleteType(kind: str = "Type") -> Any:
    """A fresh logic variable that stands for a type, or for a part of one, that is not known yet."""
    if kind not in KINDS:
        named = kind if isinstance(kind, str) else said(kind)
        raise ValueError(f"`{named}` is not a kind; the kinds are {', '.join(KINDS)}")
    return fresh() if kind == "Type" else fresh_noted(kind)


def kind_of_hole(hole: Any) -> str:
    """The kind that a hole was made with."""
    return note_of(hole) or "Type"
