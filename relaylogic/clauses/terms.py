"""Compiles the terms of clause notation: types, shapes, extents, arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import several
from ..logic import (
    cons,
    difference,
    eq,
    equals,
    floordiv,
    lengtho,
    maximum,
    minimum,
    mod,
    plus,
    prod,
    times,
    total,
)
from ..logic.terms.numbers import UNKNOWN
from ..types import FuncType, RefType, TensorType, TupleType, TypeCall, normal_dtype
from .evident import elements_of, extent_of, is_arithmetic, of_kind
from .kinds_of_terms import split_tensor
from .scope import MakeTerm, Scope, constant, static
from .syntax import ClauseError, Syntax
from .words import element, part
from .written import ARITHMETIC_WORDS, TwoThings, contents, is_dtype, is_tensor, is_value, is_variable

__all__ = ["checked", "expression", "term"]

_OPERATIONS = {"+": plus, "-": difference, "*": times, "//": floordiv, "%": mod}


def expression(node: Syntax, scope: Scope) -> MakeTerm:
    """A term for a place where arithmetic is understood."""
    kind = node.kind
    if kind == "group" and node.items[0].kind != "conjunction":
        return expression(node.items[0], scope)
    if kind == "operation":
        known = static(node, scope)
        if known is not None:
            return known
        operate = _OPERATIONS[node.value]
        left, right = (expression(item, scope) for item in node.items)
        return lambda env: operate(left(env), right(env))
    if kind == "negative":
        inner = expression(node.items[0], scope)
        return lambda env: difference(0, inner(env))
    if kind == "call" and node.value[0] in ARITHMETIC_WORDS:
        if not scope.kinds.applies(node):
            return _word(node, scope)
        name = node.value[0]
        message = f"`{name}` is the operator here, whose result is a type, and a number is wanted"
        raise ClauseError(message, node.span, (f"arithmetic is written `{ARITHMETIC_WORDS[name]}`",))
    return checked(node, scope, "dim")


def _word(node: Syntax, scope: Scope) -> MakeTerm:
    name = node.value[0]
    wanted = 2 if name in ("min", "max") else 1
    if len(node.items) != wanted:
        message = f"`{name}` takes {several(wanted, 'argument')}, not {len(node.items)}"
        raise ClauseError(message, node.span, _other_meaning(name, scope))
    if name in ("min", "max"):
        operate = minimum if name == "min" else maximum
        left, right = (expression(item, scope) for item in node.items)
        return lambda env: operate(left(env), right(env))
    if name == "len":
        items = checked(node.items[0], scope, "list", scope.kinds.term(node.items[0], None) or "shape")
        at = scope.fresh()
        scope.before.append(lambda env: lengtho(items(env), env[at]))
        return lambda env: env[at]
    if name == "elements":
        return _elements(node, scope)
    items = checked(node.items[0], scope, "shape")
    operate_list = prod if name == "prod" else total
    return lambda env: operate_list(items(env))


def _other_meaning(name: str, scope: Scope) -> tuple[str, ...]:
    """How the operator is written that has the name of a word of arithmetic, if there is one."""
    operator = scope.names.operator(name)
    if operator is None:
        return ()
    attribute = next((f", {name}=..." for name in operator.attributes), "")
    written = f"{name}({', '.join(operator.inputs)}{attribute}) = result"
    return (f"arithmetic is meant here, `{ARITHMETIC_WORDS[name]}`; the operator takes types: `{written}`",)


def _elements(node: Syntax, scope: Scope) -> MakeTerm:
    shape = _shape_of(node.items[0], scope)
    return lambda env: prod(shape(env))


def _shape_of(node: Syntax, scope: Scope) -> MakeTerm:
    """The shape of the tensor type that a term is."""
    type_, shape, dtype = checked(node, scope, "type"), scope.fresh(), scope.fresh()
    scope.before.append(lambda env: eq(type_(env), TensorType(env[shape], env[dtype])))
    return _variable(shape)


def term(node: Syntax, scope: Scope, expected: str | None) -> MakeTerm:
    """A term for a place where `expected` (a kind, see `kinds`) is wanted."""
    kind = node.kind
    if kind == "name":
        return _name(node, scope, expected)
    if kind == "number":
        if not node.value.isdigit():
            known = static(node, scope) if expected == "value" else None
            if known is None:
                raise ClauseError("extents are whole numbers", node.span)
            return known
        value = int(node.value)
        return lambda _: value
    if kind == "unknown":
        scope.mentions[UNKNOWN] = None
        return lambda _: UNKNOWN
    if kind == "string":
        known = static(node, scope)
        assert known is not None
        return known
    if kind == "group" and expected in ("shape", "types"):
        return _listed(node, scope, expected)
    if is_arithmetic(node, scope.kinds):
        known = static(node, scope)
        if known is not None and not (expected == "dim" and _is_negative_result(node, known)):
            return known
        computed = expression(node, scope)
        at = scope.fresh()
        scope.after.append(lambda env: equals(env[at], computed(env)))
        return lambda env: env[at]
    if kind == "call":
        return _call(node, scope)
    if kind == "subscript":
        return _subscript(node, scope, expected)
    if kind == "function":
        *parameters, result = (checked(item, scope, "type") for item in node.items)
        return lambda env: FuncType(tuple(p(env) for p in parameters), result(env))
    if kind == "spread":
        raise ClauseError("`...` stands at the end of a list", node.span)
    if kind in ("group", "tuple", "list", "open_list", "empty"):
        return _listed(node, scope, expected)
    raise ClauseError("a term is wanted here", node.span)


def _is_negative_result(node: Syntax, known: MakeTerm) -> bool:
    """Whether a negative number is calculated of literals, which is no extent; one that is written may be an
    attribute's."""
    while node.kind == "group":
        (node,) = node.items
    return node.kind == "operation" and any(type(value) is int and value < 0 for value in constant(known))


def _name(node: Syntax, scope: Scope, expected: str | None) -> MakeTerm:
    name = node.value
    if name == "_":
        at = scope.fresh()
        scope.places[at] = expected
        return lambda env: env[at]
    if is_variable(name):
        if scope.names.handles is not None and name in scope.names.handles:
            handle = scope.names.handles[name]
            return lambda _: handle
        if expected == "type" and scope.kinds.of.get(name) == "dtype":
            raise TwoThings(node, name, "type", "dtype")
        at = scope.variable(name)
        return lambda env: env[at]
    if is_dtype(name):
        try:
            dtype = normal_dtype(name)
        except ValueError as problem:
            raise ClauseError(str(problem), node.span) from None
        if expected in ("dtype", "value", "dim", "number"):
            return lambda _: dtype
        scalar = TensorType((), dtype)
        return lambda _: scalar
    known = static(node, scope)
    if known is None:
        raise ClauseError(f"`{name}` is no term; attributes are written `attrs.name`", node.span)
    return known


def _variable(index: int) -> MakeTerm:
    return lambda env: env[index]


def _call(node: Syntax, scope: Scope) -> MakeTerm:
    name, span = node.value
    if name == "Tensor":
        return _tensor(node.items, node, scope)
    if name == "ref":
        if len(node.items) != 1:
            raise ClauseError("`ref` takes one type", node.span)
        value = checked(node.items[0], scope, "type")
        return lambda env: RefType(value(env))
    applied = scope.kinds.applies(node)
    if name == "shape" and not applied:
        if len(node.items) != 1:
            raise ClauseError("`shape` takes one tensor type", node.span)
        return _shape_of(node.items[0], scope)
    if name in ARITHMETIC_WORDS and not applied:
        return expression(node, scope)
    operator = scope.names.operator(name)
    if operator is None:
        if scope.names.relation(name, span) is not None:
            raise ClauseError(f"`{name}` is a relation, not a term: it holds or not", span)
        raise scope.names.unknown(*node.value)
    at = scope.fresh()
    scope.after.append(scope.operator_call(operator, node, lambda env: env[at], scope))
    return lambda env: env[at]


def _tensor(items: Sequence[Syntax], node: Syntax, scope: Scope) -> MakeTerm:
    if not items:
        raise ClauseError("a tensor type has a shape and a dtype: Tensor[(n, 4), float32]", node.span)
    extents, dtype_node = split_tensor(items, scope.kinds)
    if len(extents) == 1 and not scope.kinds.is_extent(extents[0]):
        for item in elements_of(extents[0]):
            extent_of(item, scope)
        shape = checked(extents[0], scope, "shape")
    else:
        parts = [term(extent_of(item, scope), scope, "dim") for item in extents]

        def shape(env: list[Any]) -> Any:
            return tuple(p(env) for p in parts)

    if dtype_node is not None:
        dtype = checked(dtype_node, scope, "dtype")
    else:
        only = [name for name, kind in scope.kinds.of.items() if kind == "dtype"]
        if len(only) != 1:
            raise ClauseError("this tensor type lacks its dtype", node.span, ("write Tensor[shape, dtype]",))
        dtype = _variable(scope.variable(only[0]))
    return lambda env: TensorType.make((shape(env), dtype(env)))


def _subscript(node: Syntax, scope: Scope, expected: str | None) -> MakeTerm:
    base, index = node.items
    if is_tensor(base):
        return _tensor(contents(index), node, scope)
    if scope.kinds.is_type_call(node):
        handle = scope.names.handle(base.value)
        if handle is None:
            raise scope.names.no_type(base.value, base.span)
        arguments = [checked(item, scope, kind) for item, kind in scope.kinds.applied(node)]
        return lambda env: TypeCall(handle, tuple(a(env) for a in arguments))
    if scope.kinds.is_type(base):
        items = _shape_of(base, scope)
    else:
        items = term(base, scope, scope.kinds.term(base, None) or "shape")
    at = scope.fresh()
    if index.kind == "slice":
        start, stop = (None if end.kind == "none" else _end(end, scope) for end in index.items)
        scope.before.append(
            lambda env: part(
                items(env), None if start is None else start(env), None if stop is None else stop(env), env[at]
            )
        )
        return lambda env: env[at]
    inside = contents(index)
    if len(inside) != 1:
        raise ClauseError("a list has one index", index.span)
    place = _place(inside[0], scope) or term(inside[0], scope, "number")
    scope.before.append(lambda env: element(items(env), place(env), env[at]))
    return lambda env: env[at]


def checked(node: Syntax, scope: Scope, wanted: str, read_as: str | None = None) -> MakeTerm:
    """A term for a place that takes a `wanted` kind; a list of anything is `read_as` what it is a list of. Raises
    ClauseError for what is evidently not of this kind."""
    return term(of_kind(node, scope, wanted), scope, read_as or wanted)


def _place(node: Syntax, scope: Scope) -> MakeTerm | None:
    """A place in a list, if it is static. Raises ClauseError for a literal that is none."""
    place = static(node, scope)
    if place is not None and any(type(value) is not int for value in constant(place)):
        raise ClauseError("a place in a list is a whole number", node.span)
    return place


def _end(node: Syntax, scope: Scope) -> MakeTerm:
    place = _place(node, scope)
    if place is None:
        raise ClauseError("the ends of a slice are numbers or attributes", node.span)
    return place


def _listed(node: Syntax, scope: Scope, expected: str | None) -> MakeTerm:
    kind = node.kind
    if kind == "group":
        inner = node.items[0]
        if inner.kind == "disjunction":
            raise ClauseError("`;` stands between goals, not in a term", inner.span)
        if inner.kind != "conjunction" and expected not in ("shape", "types"):
            return term(inner, scope, expected)
        elements = inner.items if inner.kind == "conjunction" else (inner,)
    else:
        elements = node.items
    bracketed = kind in ("list", "open_list") or (kind == "empty" and node.text.startswith("["))
    holds_types = not bracketed and not any(map(is_value, elements))
    form = expected or scope.kinds.term(node, None) or ("type" if holds_types else "shape")
    tail: MakeTerm | None = None
    # What is in a list within a list of which nothing is known is read as what is in that.
    inner_kind = {"shape": "dim", "types": "type", "type": "type", "value": "value", "dim": "dim"}.get(form)
    list_kind = "types" if form == "type" else form
    if kind == "open_list":
        tail = term(elements[-1], scope, list_kind)
        elements = elements[:-1]
    elif elements and elements[-1].kind == "spread":
        tail = _variable(scope.variable(elements[-1].value))
        elements = elements[:-1]
    # What else a list holds may be values of attributes.
    parts = [checked(i, scope, "type") if inner_kind == "type" else term(i, scope, inner_kind) for i in elements]
    as_tuple = form == "type" and not bracketed

    def build(env: list[Any]) -> Any:
        items: Any = tuple(p(env) for p in parts)
        if tail is not None:
            items = cons(items, tail(env))
        return TupleType(items) if as_tuple else items

    return build
