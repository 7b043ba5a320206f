"""What the parser makes of each alternative of the grammar: a function from the values of its parts to its value.

The values are tokens and nodes, lists of them, and None for what was left out; an item that was left out is a node of
kind "none".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from ..ir.source import Source
from ..text.automaton import add, one
from .nodes import Syntax

__all__ = ["REDUCTIONS"]

Parts = list[Any]


def _none(source: Source) -> Syntax:
    return Syntax("none", None, (), source, 0, 0)


def _node(kind: str, value: Any, items: Sequence[Syntax], parts: Parts) -> Syntax:
    """A node that spans `parts`."""
    first = parts[0]
    return Syntax(kind, value, tuple(items), first.source, first.start, parts[-1].end)


# --- lists ------------------------------------------------------------------------------------------------------------


def _add_both(parts: Parts) -> list[Any]:
    found: list[Any] = parts[0]
    found += parts[1:]
    return found


# --- statements -------------------------------------------------------------------------------------------------------


def _stopped(parts: Parts) -> Syntax:
    statement, stop = parts
    statement.end = stop.end
    return statement  # type: ignore[no-any-return]


def _clause(parts: Parts) -> Syntax:
    """Items: `extend`, the label, the head, the body."""
    none = _none(parts[0].source)
    return _node("clause", None, (none, none, parts[0], parts[2] if len(parts) > 1 else none), parts)


def _named_clause(parts: Parts) -> Syntax:
    none = _none(parts[0].source)
    return _node("clause", None, (none, parts[0], parts[2], parts[4] if len(parts) > 3 else none), parts)


def _extended(parts: Parts) -> Syntax:
    extend, clause = parts
    return _node("clause", None, (extend, *clause.items[1:]), parts)


def _operator(parts: Parts) -> Syntax:
    """Items: the name, its inputs, its attributes, its relation."""
    _, name, _, inputs, attributes, _, _, relation = parts
    none = _none(name.source)
    return _node("operator", None, (name, inputs or none, attributes or none, relation), parts)


def _signature(parts: Parts) -> Syntax:
    """Items: the name, its inputs, its result, its relation, what that is applied to."""
    name, _, _, _, _, inputs, _, _, result, _, relation, order = parts
    none = _none(name.source)
    whole = [name, order or relation]
    return _node("signature", None, (name, inputs or none, result, relation, order or none), whole)


def _declaration(parts: Parts) -> Syntax:
    """Items: the name, its parameters, what is said of it."""
    none = _none(parts[0].source)
    return _node("declaration", None, (parts[1], parts[3] or none, parts[6] if len(parts) > 5 else none), parts)


def _names(parts: Parts) -> Syntax:
    return _node("names", None, parts[0], parts[0])


def _order(parts: Parts) -> Syntax:
    return _node("names", None, parts[1], parts)


def _attributes(parts: Parts) -> Syntax:
    return _node("attributes", None, parts[1], parts[1])


def _attribute(parts: Parts) -> Syntax:
    """Items: its kind, its default, the values that it ranges over."""
    name, _, kind, values, *stated = parts
    default = stated[-1] if stated else _none(name.source)
    return _node("attribute", name.value, (kind, default, *(values or ())), [name, kind, *(values or ()), *stated])


def _data(parts: Parts) -> Syntax:
    """Items: its name, its parameters, its constructors."""
    listed = parts[2] or []
    parameters = _node("parameters", None, listed, listed or parts[:1])
    constructors = parts[4] if len(parts) > 5 else []
    return _node("data", None, (parts[1], parameters, *constructors), parts)


def _parameter(parts: Parts) -> Syntax:
    """Items: its kind, if that is said."""
    return _node("parameter", parts[0].value, parts[2:], parts)


def _constructor(parts: Parts) -> Syntax:
    """Items: its name, its fields, what it is said to make."""
    none = _none(parts[0].source)
    return _node("constructor", None, (parts[0], parts[1] if len(parts) > 1 else none, none), parts)


def _signed_constructor(parts: Parts) -> Syntax:
    return _node("constructor", None, (parts[0], parts[2], parts[4]), parts)


# --- goals ------------------------------------------------------------------------------------------------------------


def _conjunction(parts: Parts) -> Syntax:
    (items,) = parts
    return items[0] if len(items) == 1 else _node("conjunction", None, items, items)


def _disjunction(parts: Parts) -> Syntax:
    return _node("disjunction", None, parts[0], parts[0])


def _comparison(parts: Parts) -> Syntax:
    """`1 <= n < m` says both."""
    (chain,) = parts
    pairs = zip(chain[:-2:2], chain[1::2], chain[2::2], strict=True)
    compared = [_node("comparison", sign.value, _bare(a, b), [a, b]) for a, sign, b in pairs]
    return compared[0] if len(compared) == 1 else _node("conjunction", None, compared, chain)


def _equation(parts: Parts) -> Syntax:
    return _node("equation", None, _bare(parts[0], parts[2]), parts)


def _bare(left: Syntax, right: Syntax) -> tuple[Syntax, Syntax]:
    """Two sides without the brackets that stand around both: whether these mean lists or nothing, it is the same."""
    while _is_bracketed(left) and _is_bracketed(right):
        left, right = left.items[0], right.items[0]
    return left, right


def _is_bracketed(node: Syntax) -> bool:
    return node.kind == "group" and node.items[0].kind not in ("conjunction", "disjunction", "spread")


def _spread(parts: Parts) -> Syntax:
    return _node("spread", parts[1].value, (), parts)


def _premise(parts: Parts) -> Syntax:
    """Items: what the goal says in words, the goal."""
    return _node("premise", None, (_leaf("string")(parts), parts[2]), parts)


# --- terms ------------------------------------------------------------------------------------------------------------


def _leaf(kind: str) -> Callable[[Parts], Syntax]:
    def leaf(parts: Parts) -> Syntax:
        token: Syntax = parts[0]
        token.kind = kind
        return token

    return leaf


def _operation(parts: Parts) -> Syntax:
    return _node("operation", parts[1].value, (parts[0], parts[2]), parts)


def _negative(parts: Parts) -> Syntax:
    return _node("negative", None, parts[1:], parts)


def _subscript(parts: Parts) -> Syntax:
    return _node("subscript", None, (parts[0], parts[2]), parts)


def _index(parts: Parts) -> Syntax:
    return _node("index", None, parts, parts)


def _slice(start: int | None, stop: int | None) -> Callable[[Parts], Syntax]:
    def between(parts: Parts) -> Syntax:
        none = _none(parts[0].source)
        ends = [none if place is None else parts[place] for place in (start, stop)]
        return _node("slice", None, ends, parts)

    return between


def _group(parts: Parts) -> Syntax:
    return _node("group", None, parts[1:2], parts)


def _applied(parts: Parts) -> Syntax:
    """`Numbers[]`: a data type without parameters."""
    nothing = _node("conjunction", None, (), parts[1:])
    return _node("subscript", None, (parts[0], _node("index", None, (nothing,), parts[1:])), parts)


def _empty(parts: Parts) -> Syntax:
    return _node("empty", None, (), parts)


def _elements(kind: str) -> Callable[[Parts], Syntax]:
    return lambda parts: _node(kind, None, parts[1], parts)


def _open_list(parts: Parts) -> Syntax:
    return _node("open_list", None, (*parts[1], parts[3]), parts)


def _function(parts: Parts) -> Syntax:
    return _node("function", None, (*(parts[2] if len(parts) > 5 else ()), parts[-1]), parts)


def _call(parts: Parts) -> Syntax:
    """Its value: the name, and where that stands."""
    name = parts[0]
    return _node("call", (name.value, name.span), parts[2] if len(parts) > 3 else (), parts)


REDUCTIONS: dict[str, Callable[[Parts], Any]] = {
    "nothing": lambda parts: None,
    "none_yet": lambda parts: [],
    "first": itemgetter(0),
    "second": itemgetter(1),
    "one": one,
    "all": lambda parts: parts,
    "first_and_third": lambda parts: [parts[0], parts[2]],
    "add": add,
    "add_both": _add_both,
    "stopped": _stopped,
    "clause": _clause,
    "named_clause": _named_clause,
    "extended": _extended,
    "operator": _operator,
    "signature": _signature,
    "declaration": _declaration,
    "names": _names,
    "order": _order,
    "attributes": _attributes,
    "attribute": _attribute,
    "data": _data,
    "empty_data": _data,
    "parameter": _parameter,
    "constructor": _constructor,
    "signed_constructor": _signed_constructor,
    "fields": _elements("fields"),
    "conjunction": _conjunction,
    "disjunction": _disjunction,
    "comparison": _comparison,
    "equation": _equation,
    "spread": _spread,
    "premise": _premise,
    "number": _leaf("number"),
    "string": _leaf("string"),
    "unknown": _leaf("unknown"),
    "variable": _leaf("name"),
    "operation": _operation,
    "negative": _negative,
    "subscript": _subscript,
    "applied": _applied,
    "index": _index,
    "slice": _slice(None, None),
    "slice_from": _slice(0, None),
    "slice_from_text": lambda parts: _slice(0, None)([_leaf("string")(parts), parts[1]]),
    "slice_to": _slice(None, 1),
    "slice_between": _slice(0, 2),
    "group": _group,
    "empty": _empty,
    "tuple": _elements("tuple"),
    "list": _elements("list"),
    "open_list": _open_list,
    "function": _function,
    "call": _call,
}
