"""What all expressions can do by themselves: arithmetic, calls, projection, text, and their inferred type.

`x + y` is the call `add(x, y)`, `f(x)` a call of `f`, `t[0]` a projection. Methods only: a node is no bigger for them.
The rooms above that some of them need are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..errors import RelayLogicError, said
from ..host.above import above

if TYPE_CHECKING:
    from .expr import Expr

__all__ = ["NotInferred", "Overloads"]


class NotInferred(RelayLogicError, ValueError):
    """The type of an expression was asked for before inference met it."""


class Overloads:
    """Operators and conveniences of every expression."""

    __slots__ = ()

    __iter__: Any = None  # an expression is no sequence, though `t[0]` is a projection

    @property
    def checked_type(self) -> Any:
        """The type that the last inference gave this node. Raises NotInferred (a ValueError) before any."""
        from .checked import TYPES

        known = TYPES.get(self)
        if known is None:
            message = f"the type of {said(self)} is not known yet: run relay.transform.InferType() on its module"
            raise NotInferred(message)
        return known

    @property
    def checked_type_or_none(self) -> Any:
        """`checked_type`, or None before inference."""
        from .checked import TYPES

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
        from .short import short_text

        return f"{type(self).__name__}({short_text(self)})"

    def __call__(self, *args: Any) -> Any:
        """A call of the function that this expression is."""
        from .expr import Call

        return Call(self, args)  # type: ignore[arg-type]

    def __getitem__(self, index: int) -> Any:
        """The field `index` of the tuple that this expression is."""
        from .expr import TupleGetItem

        if not isinstance(index, int):
            raise TypeError(f"a field of a tuple is chosen by an integer, not by {said(index)}")
        return TupleGetItem(self, index)  # type: ignore[arg-type]

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


def _call(name: str, *args: Any, attrs: dict[str, Any] | None = None) -> Expr:
    """A call of an operator. Raises TypeError for an operand that is no expression."""
    from .expr import Call, Expr, Op

    for operand in args:
        if not isinstance(operand, Expr):
            advice = "write relay.const(...) around it" if isinstance(operand, (int, float)) else "it is no expression"
            raise TypeError(f"{said(operand)} cannot be an operand of `{name}`: {advice}")
    return Call(Op(name), args, attrs)
