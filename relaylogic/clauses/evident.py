"""What kind a term evidently is of, as it is written, and the error where another kind is wanted."""

from __future__ import annotations

from .kinds import Kinds
from .scope import Scope, constant, static
from .syntax import ClauseError, Syntax
from .written import A_KIND, ARITHMETIC_WORDS, is_dtype, is_tensor, is_value

__all__ = ["elements_of", "extent_of", "is_arithmetic", "of_kind"]


def is_arithmetic(node: Syntax, kinds: Kinds) -> bool:
    """Whether a term is computed: an operation, `prod(sh)` ..., but not an operator of the name of such a word."""
    while node.kind == "group" and node.items[0].kind != "conjunction":
        node = node.items[0]
    if node.kind in ("operation", "negative"):
        return True
    if node.kind != "call" or node.value[0] not in ARITHMETIC_WORDS or node.value[0] == "len":
        return False
    return not kinds.applies(node)


_WHATEVER = ("shape", "dtype", "dim", "type")
_LIKE = {"list": "shape", "types": "shape", "number": "dim"}
"""By the kind that is wanted, the one that it looks like as it is written."""


def of_kind(node: Syntax, scope: Scope, wanted: str) -> Syntax:
    """A term without the brackets around it that mean nothing where it stands. Raises ClauseError if it is of another
    kind than is wanted there."""
    kind = _LIKE.get(wanted, wanted)
    inner = node
    while inner.kind == "group" and inner.items[0].kind != "conjunction" and kind != "shape":
        inner = inner.items[0]
    if kind not in _evident(inner, scope):
        raise ClauseError(f"{A_KIND[wanted]} is wanted here, not `{node.text}`", node.span)
    return inner


def extent_of(node: Syntax, scope: Scope) -> Syntax:
    """An extent as `of_kind` gives it. Raises ClauseError for a negative one, too."""
    known = static(node, scope)
    if known is not None and any(type(value) is int and value < 0 for value in constant(known)):
        raise ClauseError(f"an extent is a natural number, which `{node.text}` is not", node.span)
    return of_kind(node, scope, "dim")


def elements_of(node: Syntax) -> tuple[Syntax, ...]:
    """The elements of a list as it is written, without the rest of an open one."""
    inner = node.items[0] if node.kind == "group" else node
    if inner.kind == "open_list":
        return inner.items[:-1]
    if inner.kind in ("conjunction", "tuple", "list"):
        return tuple(item for item in inner.items if item.kind != "spread")
    return (inner,) if node.kind == "group" else ()


def _evident(node: Syntax, scope: Scope) -> tuple[str, ...]:
    """The kinds that a term may be of, as it is written."""
    kind = node.kind
    if kind == "name" and is_dtype(node.value):
        return ("dtype", "type")
    if is_value(node):
        return ("dtype",) if kind == "string" else ()
    if kind in ("group", "tuple", "empty"):
        return ("shape", "type")
    if kind in ("number", "unknown") or is_arithmetic(node, scope.kinds):
        return ("dim",)
    if kind in ("list", "open_list") or (kind == "subscript" and node.items[1].kind == "slice"):
        return ("shape",)
    if kind == "function" or (kind == "subscript" and (is_tensor(node.items[0]) or scope.kinds.is_type_call(node))):
        return ("type",)
    if kind == "subscript" and scope.kinds.term(node, None) == "dim":
        return ("dim",)
    if kind == "call":
        name = node.value[0]
        if name in ("shape", "len") and not scope.kinds.applies(node):
            return ("shape",) if name == "shape" else ("dim",)
        return ("type",)
    return _WHATEVER
