"""Relay expressions that are written or built: variables, constants, tuples, functions, `let`, `if`, references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import no_list
from ..host.above import above
from .expr import Expr
from .plain import plain, plain_attributes
from .source import Span

__all__ = [
    "Constant",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "MetaRef",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Tuple",
    "Var",
]


class MetaRef:
    """`meta[type_key][index]`: an object that the text keeps in its metadata section."""

    __slots__ = ("index", "type_key")

    def __init__(self, type_key: str, index: int) -> None:
        self.type_key = type_key
        self.index = index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MetaRef):
            return NotImplemented
        return self.type_key == other.type_key and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type_key, self.index))

    def __repr__(self) -> str:
        return f"meta[{self.type_key}][{self.index}]"


class Var(Expr):
    """A local variable `%name_hint`; two variables of one name are two variables."""

    __slots__ = ("name_hint", "type_annotation", "type_span")

    def __init__(
        self,
        name_hint: str,
        type_annotation: Any = None,
        span: Span | None = None,
        type_span: Span | None = None,
    ) -> None:
        self.name_hint = name_hint
        self.type_annotation = type_annotation
        self.span = span
        self.type_span = type_span

    @property
    def vid(self) -> Var:
        """What tells this variable from others of its name: itself."""
        return self


class GlobalVar(Expr):
    """The name `@name_hint` of a function of the module."""

    __slots__ = ("name_hint",)

    def __init__(self, name_hint: str, span: Span | None = None) -> None:
        self.name_hint = name_hint
        self.span = span


class Constant(Expr):
    """A constant tensor, of the elements of an `NDArray`, as `tvm.nd.array` gives it, or of a value and its type.

    `value` is the number of a scalar (or the number that every element has), a tuple of all elements in
    row-major order for a small tensor out of the metadata section, or None if the data are not known.
    `tensor_type` is None if not even the type is known. `meta` is the place in the metadata section, for a
    constant that came from there. `array`, if there is one, is what the constant was made of; it holds the data of a
    large one, at which only who asks for them looks.
    """

    __slots__ = ("array", "meta", "tensor_type", "value")

    def __init__(
        self, value: Any, tensor_type: Any = None, meta: MetaRef | None = None, span: Span | None = None
    ) -> None:
        held = getattr(value, "constant", None)  # of an NDArray, which knows its type
        self.array: Any = None if held is None else held.array
        self.value = plain(value) if held is None else held.value
        self.tensor_type = tensor_type if held is None else held.tensor_type
        self.meta = meta
        self.span = span

    @property
    def data(self) -> Any:
        """The elements under the names of `tvm.nd.NDArray`: `shape`, `dtype`, `numpy()`."""
        return above("Constant.data")(self)


class Tuple(Expr):
    """`(e1, ..., en)`."""

    __slots__ = ("fields",)

    def __init__(self, fields: Sequence[Expr], span: Span | None = None) -> None:
        try:
            self.fields = tuple(fields)
        except TypeError:
            raise no_list("the fields of a tuple", fields) from None
        self.span = span

    def __getitem__(self, index: int) -> Any:
        """The expression of the field `index`. Raises IndexError if there is none."""
        return self.fields[index]

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.fields)

    def __bool__(self) -> bool:
        return True


class Function(Expr):
    """`fn [type_params](params, attrs) -> ret_type where type_constraints { body }`.

    `type_constraints` are `TypeRelation`s that callers have to satisfy; `ret_span` is the place of the result
    type.
    """

    __slots__ = ("attrs", "body", "params", "ret_span", "ret_type", "type_constraints", "type_params")

    def __init__(
        self,
        params: Sequence[Var],
        body: Expr,
        ret_type: Any = None,
        type_params: Sequence[Any] | None = None,
        attrs: dict[str, Any] | None = None,
        span: Span | None = None,
        type_constraints: Sequence[Any] | None = None,
        ret_span: Span | None = None,
    ) -> None:
        try:
            self.params = tuple(params)
        except TypeError:
            raise no_list("the parameters of a function", params) from None
        self.body = body
        self.ret_type = ret_type
        try:
            self.type_params = () if type_params is None else tuple(type_params)
        except TypeError:
            raise no_list("the type parameters of a function", type_params) from None
        self.attrs = attrs if attrs is None else plain_attributes(attrs)
        try:
            self.type_constraints = () if type_constraints is None else tuple(type_constraints)
        except TypeError:
            raise no_list("the relations that a function demands", type_constraints) from None
        self.span = span
        self.ret_span = ret_span

    def with_attr(self, key: str | dict[str, Any], value: Any = None) -> Function:
        """The same function with an attribute, or several, set."""
        more = key if isinstance(key, dict) else {key: value}
        return self._with_attrs({**(self.attrs or {}), **more})

    def without_attr(self, key: str) -> Function:
        """The same function without an attribute."""
        return self._with_attrs({name: value for name, value in (self.attrs or {}).items() if name != key} or None)

    def _with_attrs(self, attrs: dict[str, Any] | None) -> Function:
        rest = (self.span, self.type_constraints, self.ret_span)
        return Function(self.params, self.body, self.ret_type, self.type_params, attrs, *rest)


class Let(Expr):
    """`let var = value; body`; a function literal as `value` may call itself by `var`."""

    __slots__ = ("body", "value", "var")

    def __init__(self, variable: Var, value: Expr, body: Expr, span: Span | None = None) -> None:
        self.var = variable
        self.value = value
        self.body = body
        self.span = span


class If(Expr):
    """`if (cond) { true_branch } else { false_branch }`."""

    __slots__ = ("cond", "false_branch", "true_branch")

    def __init__(self, cond: Expr, true_branch: Expr, false_branch: Expr, span: Span | None = None) -> None:
        self.cond = cond
        self.true_branch = true_branch
        self.false_branch = false_branch
        self.span = span


class RefCreate(Expr):
    """`ref(value)`: a new mutable cell."""

    __slots__ = ("value",)

    def __init__(self, value: Expr, span: Span | None = None) -> None:
        self.value = value
        self.span = span


class RefRead(Expr):
    """`ref_read(ref)`."""

    __slots__ = ("ref",)

    def __init__(self, ref: Expr, span: Span | None = None) -> None:
        self.ref = ref
        self.span = span


class RefWrite(Expr):
    """`ref_write(ref, value)`, of type `()`."""

    __slots__ = ("ref", "value")

    def __init__(self, ref: Expr, value: Expr, span: Span | None = None) -> None:
        self.ref = ref
        self.value = value
        self.span = span
