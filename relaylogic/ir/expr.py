"""Relay expressions.

Nodes compare by identity: an expression is a graph, and a node reached along two paths is one node, typed
once. Constructors take their arguments in the order of `tvm.relay`; `span` is the place in the source, or
None. A type that was left out is None; what a node's type is, inference says, and never writes here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..errors import no_list
from ..host.above import above
from ..logic.terms.flat import Record
from .operators import Overloads
from .source import MOST_CHARACTERS, Source, Span

__all__ = [
    "TYPE_KEY",
    "Call",
    "Constant",
    "Expr",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "MetaRef",
    "Op",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Tuple",
    "TupleGetItem",
    "Var",
    "without_type_key",
]

TYPE_KEY = "attrs_type_key"
"""The attribute of a text that names the class of the others, and says nothing about them."""


_END_BITS = MOST_CHARACTERS.bit_length()
_NOT_PACKED = -1


class Expr(Overloads, Record):
    """The base of all expressions.

    Representation: of a million nodes each has a place, so none keeps a `Span`: `_source` is the source, and `_at` has
    both offsets, the end in the lower half. Where `_at` is -1, `_source` is what was given as a span: None, or what is
    no place in a text, which inference refuses.
    """

    __slots__ = ("__weakref__", "_at", "_source")

    @property
    def span(self) -> Span | None:
        """The place in the source, or None; made when it is asked for."""
        at: int = self._at
        return self._source if at < 0 else Span(self._source, at >> _END_BITS, at & MOST_CHARACTERS)

    @span.setter
    def span(self, span: Span | None) -> None:
        if type(span) is Span and _is_offset(span.start) and _is_offset(span.end):
            self.place(span.source, span.start, span.end)
        else:
            self._source: Any = span
            self._at = _NOT_PACKED

    def place(self, source: Source, start: int, end: int) -> None:
        """Say where the node stands, as setting its `span` does, for who has many to place."""
        self._source = source
        self._at = start << _END_BITS | end

    def stretch(self, end: int) -> int:
        """Let a node that has a place end at another offset; where it starts."""
        start: int = self._at >> _END_BITS
        self._at = start << _END_BITS | end
        return start

    @property
    def is_placed(self) -> bool:
        """Whether the node has a span."""
        return self._at >= 0 or self._source is not None

    @property
    def has_good_span(self) -> bool:
        """Whether the span is a Span or None: who builds a node may have given anything."""
        return self._at >= 0 or self._source is None or type(self._source) is Span


def _is_offset(number: object) -> bool:
    return type(number) is int and 0 <= number <= MOST_CHARACTERS


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


class Op(Expr):
    """An operator by its name, such as `nn.conv2d`; whether there is one of that name, the rule base
    knows."""

    __slots__ = ("name",)

    def __init__(self, name: str, span: Span | None = None) -> None:
        self.name = name
        self.span = span

    @staticmethod
    def get(op_name: str) -> Op:
        """The operator of that name. Raises RuleError, with the nearest names, if there is none."""
        return cast(Op, above("Op.get")(op_name))

    @staticmethod
    def list_op_names() -> list[str]:
        """The names of all operators."""
        return sorted(above("rules")().operators)

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, Op) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __getattr__(self, name: str) -> Any:
        """What the registry knows of the operator: `num_inputs`, `description`, `add_type_rel` ..."""
        if name.startswith("__"):
            raise AttributeError(name)
        return above("attribute of Op")(self, name)


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
        self.value = value if held is None else held.value
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


class TupleGetItem(Expr):
    """`tuple_value.index`, counted from 0; `index` may be out of range (negative too), which inference
    refuses."""

    __slots__ = ("index", "tuple_value")

    def __init__(self, tuple_value: Expr, index: int, span: Span | None = None) -> None:
        self.tuple_value = tuple_value
        self.index = index
        self.span = span


class Call(Expr):
    """`op<type_args>(args, attrs)`.

    `given` maps the names of those attributes that the call gives to int, float, bool, str, None, `ANY` (for `?`),
    tuples of these, a `MetaRef` or an expression; it is None for a call that gives none. `attrs_type_key`, where the
    text gives it, is an attribute like the others. `attrs` are all attributes, with defaults for those not given.
    `explicit_type_args` are the type arguments as written; see `coerce_type_argument` for their representation. An
    operator has none: what TVM calls so are the types of its arguments, which inference finds anew.
    """

    __slots__ = ("args", "explicit_type_args", "given", "op")

    def __init__(
        self,
        op: Expr,
        args: Sequence[Expr],
        attrs: Mapping[str, Any] | None = None,
        type_args: Sequence[Any] | None = None,
        span: Span | None = None,
    ) -> None:
        self.op = op
        try:
            self.args = tuple(args)
        except TypeError:
            raise no_list("the arguments of a call", args) from None
        self.given = attrs if attrs is None or type(attrs) is dict else _given(attrs)
        try:
            self.explicit_type_args = () if type_args is None or type(op) is Op else tuple(type_args)
        except TypeError:
            raise no_list("the type arguments of a call", type_args) from None
        self.span = span

    @property
    def attrs(self) -> Any:
        """All attributes (`relaylogic.relay.attrs.Attrs`); None for a call that has none."""
        return above("Call.attrs")(self)

    @property
    def told(self) -> Any:
        """Those of the attributes given that are not the default; None if there are none."""
        return above("Call.told")(self)

    @property
    def type_args(self) -> tuple[Any, ...]:
        """The type arguments as written; if there are none, those that the last inference found."""
        if self.explicit_type_args:
            return self.explicit_type_args
        return cast("tuple[Any, ...]", above("Call.type_args")(self))


def without_type_key(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """What a call is given, but for TVM's name for the class of its attributes."""
    if not given or TYPE_KEY not in given:
        return given or {}
    return {name: value for name, value in given.items() if name != TYPE_KEY}


def _given(attrs: Any) -> Any:
    """What a call is given when it takes over the attributes of another; what is no mapping is refused later."""
    return getattr(attrs, "given", attrs)


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
        self.attrs = attrs
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
