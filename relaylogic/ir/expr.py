"""Relay expressions: what all of them can do, and the operators, calls and projections that they make by themselves.

Nodes compare by identity: an expression is a graph, and a node reached along two paths is one node, typed
once. Constructors take their arguments in the order of `tvm.relay`; `span` is the place in the source, or
None. A type that was left out is None; what a node's type is, inference says, and never writes here.

`x + y` is the call `add(x, y)`, `f(x)` a call of `f`, `t[0]` a projection. The rooms above that some of the methods
need are loaded when they are first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..errors import RelayLogicError, no_list, said
from ..host.above import above
from ..logic.terms.flat import Record
from .checked import TYPES
from .plain import all_plain, plain, plain_attributes
from .source import MOST_CHARACTERS, Source, Span

__all__ = ["TYPE_KEY", "Call", "Expr", "NotInferred", "Op", "TupleGetItem", "without_type_key"]

TYPE_KEY = "attrs_type_key"
"""The attribute of a text that names the class of the others, and says nothing about them."""


_END_BITS = MOST_CHARACTERS.bit_length()
_NOT_PACKED = -1


class NotInferred(RelayLogicError, ValueError):
    """The type of an expression was asked for before inference met it."""


class Expr(Record):
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

    __iter__: Any = None  # an expression is no sequence, though `t[0]` is a projection

    @property
    def checked_type(self) -> Any:
        """The type that the last inference gave this node. Raises NotInferred (a ValueError) before any."""
        known = TYPES.get(self)
        if known is None:
            message = f"the type of {said(self)} is not known yet: run relay.transform.InferType() on its module"
            raise NotInferred(message)
        return known

    @property
    def checked_type_or_none(self) -> Any:
        """`checked_type`, or None before inference."""
        return TYPES.get(self)

    _checked_type_ = checked_type_or_none

    def same_as(self, other: object) -> bool:
        """Whether `other` is this very node."""
        return self is other

    def astext(self, show_meta_data: bool = True, annotate: Any = None) -> str:
        """The expression as Relay text, with the types that were inferred as comments.

        `annotate`, a function from an expression to a type, a text or None, says what to show instead. Constants
        without a literal are in a metadata section behind the text, unless `show_meta_data` is unset.
        """
        return cast(str, above("typed text")(self, show_meta_data, annotate))

    def __str__(self) -> str:
        return cast(str, above("plain text")(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({above('few words')(self)})"

    def __call__(self, *args: Any) -> Any:
        """A call of the function that this expression is."""
        return Call(self, args)

    def __getitem__(self, index: int) -> Any:
        """The field `index` of the tuple that this expression is."""
        index = plain(index)
        if not isinstance(index, int):
            raise TypeError(f"a field of a tuple is chosen by an integer, not by {said(index)}")
        return TupleGetItem(self, index)

    def astype(self, dtype: str) -> Any:
        """A cast of the elements to `dtype`. Raises TypeError for what names none."""
        if isinstance(dtype, list | tuple | dict):
            raise TypeError(f"a dtype is a name, which {said(dtype)} is not")
        return _call("cast", self, attrs={"dtype": str(dtype)})

    def __neg__(self) -> Any:
        return _call("negative", self)

    def __add__(self, other: Any) -> Any:
        return _call("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _call("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _call("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _call("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return _call("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _call("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _call("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _call("divide", other, self)

    def __lt__(self, other: Any) -> Any:
        return _call("less", self, other)

    def __le__(self, other: Any) -> Any:
        return _call("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return _call("greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return _call("greater_equal", self, other)


def _is_offset(number: object) -> bool:
    return type(number) is int and 0 <= number <= MOST_CHARACTERS


def _call(name: str, *args: Any, attrs: dict[str, Any] | None = None) -> Expr:
    """A call of an operator. Raises TypeError for an operand that is no expression."""
    for operand in args:
        if not isinstance(operand, Expr):
            is_number = isinstance(operand, (int, float)) or hasattr(type(operand), "tolist")
            advice = "write relay.const(...) around it" if is_number else "it is no expression"
            raise TypeError(f"{said(operand)} cannot be an operand of `{name}`: {advice}")
    return Call(Op(name), args, attrs)


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


class TupleGetItem(Expr):
    """`tuple_value.index`, counted from 0; `index` may be out of range (negative too), which inference
    refuses."""

    __slots__ = ("index", "tuple_value")

    def __init__(self, tuple_value: Expr, index: int, span: Span | None = None) -> None:
        self.tuple_value = tuple_value
        self.index = index if type(index) is int else plain(index)
        self.span = span


class Call(Expr):
    """`op<type_args>(args, attrs)`.

    `given` maps the names of those attributes that the call gives to int, float, bool, str, None, `ANY` (for `?`),
    tuples of these, a `MetaRef` or an expression; numbers and arrays of other libraries become these. It is None for a
    call that gives none. `attrs_type_key`, where the text gives it, is an attribute like the others. `attrs` are all
    attributes, with defaults for those not given. `explicit_type_args` are the type arguments as written; see
    `coerce_type_argument` for their representation. An operator has none: what TVM calls so are the types of its
    arguments, which inference finds anew.
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
        given: Any = attrs
        if given is not None and not (type(given) is dict and all_plain(given)):
            given = plain_attributes(given if type(given) is dict else getattr(given, "given", given))
        self.given = given
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
