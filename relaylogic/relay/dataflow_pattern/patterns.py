"""Patterns of expressions: what an expression looks like, and which parts of it are what.

A match is a mapping from the pattern and the patterns that it is made of to the expressions that they stand for; a
pattern that occurs twice stands for one expression. `matches` goes through all ways to match: alternatives, and the two
orders of what is added or multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import RelayLogicError, no_list, said
from ...ir import Call, Constant, Expr, Function, If, Let, Op, Tuple, TupleGetItem, Var, structural_equal
from ...types import TensorType
from ..absent import absent

__all__ = [
    "AltPattern",
    "AttrPattern",
    "CallPattern",
    "ConstantPattern",
    "DFPattern",
    "DataTypePattern",
    "ExprPattern",
    "FunctionPattern",
    "IfPattern",
    "LetPattern",
    "ShapePattern",
    "TupleGetItemPattern",
    "TuplePattern",
    "TypePattern",
    "VarPattern",
    "WildcardPattern",
    "checked",
]

Match = dict["DFPattern", Expr]
_COMMUTATIVE = frozenset({"add", "multiply"})


class DFPattern:
    """The base of all patterns. Two patterns are two, whatever they look like."""

    composes = False
    """Whether the pattern is made of patterns of parts of the expression."""

    def matches(self, expr: Expr, known: Match) -> Iterator[Match]:
        """All matches with an expression that agree with what is known."""
        if self in known:
            if known[self] is expr or (isinstance(expr, Op) and known[self] == expr):
                yield known
            return
        for found in self._parts(expr, known):
            yield {**found, self: expr}

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        """The matches of what the pattern is made of; what is known, once, if it is made of nothing and matches."""
        raise NotImplementedError

    def match(self, expr: Expr) -> bool:
        """Whether an expression looks like this."""
        if not isinstance(expr, Expr):
            raise TypeError(f"an expression is matched, which {said(expr)} is not")
        return next(self.matches(expr, {}), None) is not None

    def __call__(self, *args: Any) -> CallPattern:
        """A call of what this stands for; `None` for any arguments."""
        return CallPattern(self, None if args == (None,) else args)

    def __or__(self, other: DFPattern) -> AltPattern:
        return AltPattern(self, other)

    def __add__(self, other: DFPattern) -> CallPattern:
        return _operator("add")(self, other)

    def __sub__(self, other: DFPattern) -> CallPattern:
        return _operator("subtract")(self, other)

    def __mul__(self, other: DFPattern) -> CallPattern:
        return _operator("multiply")(self, other)

    def __truediv__(self, other: DFPattern) -> CallPattern:
        return _operator("divide")(self, other)

    def optional(self, option_constructor: Callable[[DFPattern], DFPattern]) -> AltPattern:
        """What `option_constructor` makes of this, or this alone."""
        if not callable(option_constructor):
            raise TypeError(f"a function makes more of a pattern, which {said(option_constructor)} is not")
        return option_constructor(self) | self

    def has_attr(self, attrs: Mapping[str, Any]) -> AttrPattern:
        """This, with attributes of these values."""
        return AttrPattern(self, attrs)

    def has_type(self, ttype: Any) -> TypePattern:
        """This, of this type."""
        return TypePattern(self, ttype)

    def has_dtype(self, dtype: str) -> DataTypePattern:
        """This, a tensor of this dtype."""
        return DataTypePattern(self, dtype)

    def has_shape(self, shape: Sequence[Any]) -> ShapePattern:
        """This, a tensor of this shape."""
        return ShapePattern(self, shape)

    def __getattr__(self, name: str) -> Any:
        raise absent("relay.dataflow_pattern.DFPattern", name)


def _operator(name: str) -> ExprPattern:
    return ExprPattern(Op(name))


def checked(pattern: Any) -> DFPattern:
    """The pattern that this is. Raises TypeError for anything else."""
    if not isinstance(pattern, DFPattern):
        raise TypeError(f"a pattern is made of patterns, which {said(pattern)} is not")
    return pattern


def _listed(patterns: Any) -> tuple[DFPattern, ...]:
    if not isinstance(patterns, Iterable):
        raise no_list("the parts of a pattern", patterns)
    return tuple(checked(pattern) for pattern in patterns)


def _all(patterns: Sequence[DFPattern], exprs: Sequence[Expr], known: Match) -> Iterator[Match]:
    """The matches of several patterns with as many expressions."""
    if len(patterns) != len(exprs):
        return
    if not patterns:
        yield known
        return
    for found in patterns[0].matches(exprs[0], known):
        yield from _all(patterns[1:], exprs[1:], found)


class WildcardPattern(DFPattern):
    """Any expression."""

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        yield known


class ExprPattern(DFPattern):
    """An expression that is equal to this one."""

    def __init__(self, expr: Expr) -> None:
        self.expr = expr

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if structural_equal(self.expr, expr):
            yield known


class VarPattern(DFPattern):
    """A variable, of this name if there is one."""

    def __init__(self, name_hint: str = "") -> None:
        self.name = name_hint

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, Var) and self.name in ("", expr.name_hint):
            yield known


class ConstantPattern(DFPattern):
    """A constant."""

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, Constant):
            yield known


class CallPattern(DFPattern):
    """A call; of any arguments, if these are None. What is added or multiplied matches in both orders."""

    composes = True

    def __init__(self, op: DFPattern, args: Sequence[DFPattern] | None) -> None:
        self.op = checked(op)
        self.args = None if args is None else _listed(args)

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if not isinstance(expr, Call):
            return
        for found in self.op.matches(expr.op, known):
            if self.args is None:
                yield found
                continue
            yield from _all(self.args, expr.args, found)
            if self.commutes:
                yield from _all(self.args[::-1], expr.args, found)

    @property
    def commutes(self) -> bool:
        """Whether the order of the arguments does not matter."""
        op = self.op.expr if isinstance(self.op, ExprPattern) else None
        return isinstance(op, Op) and op.name in _COMMUTATIVE


class FunctionPattern(DFPattern):
    """A function; of any parameters, if these are None."""

    composes = True

    def __init__(self, params: Sequence[DFPattern] | None, body: DFPattern) -> None:
        self.params = None if params is None else _listed(params)
        self.body = checked(body)

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, Function):
            params, given = ((), ()) if self.params is None else (self.params, expr.params)
            yield from _all((*params, self.body), (*given, expr.body), known)


class IfPattern(DFPattern):
    """A conditional."""

    composes = True

    def __init__(self, cond: DFPattern, true_branch: DFPattern, false_branch: DFPattern) -> None:
        self.cond, self.true_branch, self.false_branch = _listed((cond, true_branch, false_branch))

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, If):
            parts = (self.cond, self.true_branch, self.false_branch)
            yield from _all(parts, (expr.cond, expr.true_branch, expr.false_branch), known)


class LetPattern(DFPattern):
    """A let."""

    composes = True

    def __init__(self, var: DFPattern, value: DFPattern, body: DFPattern) -> None:
        self.var, self.value, self.body = _listed((var, value, body))

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, Let):
            yield from _all((self.var, self.value, self.body), (expr.var, expr.value, expr.body), known)


class TuplePattern(DFPattern):
    """A tuple; of any fields, if these are None."""

    composes = True

    def __init__(self, fields: Sequence[DFPattern] | None) -> None:
        self.fields = None if fields is None else _listed(fields)

    def __getitem__(self, index: int) -> TupleGetItemPattern:
        """A projection of such a tuple. Raises IndexError where it has no such field."""
        if self.fields is not None and not 0 <= index < len(self.fields):
            raise IndexError(f"there is no field {index}")
        return TupleGetItemPattern(self, index)

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, Tuple):
            yield from [known] if self.fields is None else _all(self.fields, expr.fields, known)


class TupleGetItemPattern(DFPattern):
    """A projection; of any field, if the index is None."""

    composes = True

    def __init__(self, tuple_value: DFPattern, index: int | None = None) -> None:
        self.tuple = checked(tuple_value)
        self.index = None if index == -1 else index

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        if isinstance(expr, TupleGetItem) and self.index in (None, expr.index):
            yield from self.tuple.matches(expr.tuple_value, known)


class AltPattern(DFPattern):
    """What matches one of two patterns."""

    def __init__(self, left: DFPattern, right: DFPattern) -> None:
        self.left, self.right = _listed((left, right))

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        yield from self.left.matches(expr, known)
        yield from self.right.matches(expr, known)


class _Restricted(DFPattern):
    """What matches a pattern, and more is known of it."""

    def __init__(self, pattern: DFPattern) -> None:
        self.pattern = checked(pattern)

    def holds(self, expr: Expr) -> bool:
        """What else is demanded."""
        raise NotImplementedError

    def _parts(self, expr: Expr, known: Match) -> Iterator[Match]:
        for found in self.pattern.matches(expr, known):
            if self.holds(expr):
                yield found


class TypePattern(_Restricted):
    """An expression of a type."""

    def __init__(self, pattern: DFPattern, ttype: Any) -> None:
        super().__init__(pattern)
        self.type = ttype

    def holds(self, expr: Expr) -> bool:
        """Whether the expression is of the type."""
        return structural_equal(_type_of(expr), self.type)


class DataTypePattern(_Restricted):
    """A tensor of a dtype."""

    def __init__(self, pattern: DFPattern, dtype: str) -> None:
        super().__init__(pattern)
        self.dtype = TensorType((), dtype).dtype

    def holds(self, expr: Expr) -> bool:
        """Whether the expression is of the dtype."""
        found = _type_of(expr)
        return type(found) is TensorType and found.dtype == self.dtype


class ShapePattern(_Restricted):
    """A tensor of a shape."""

    def __init__(self, pattern: DFPattern, shape: Sequence[Any]) -> None:
        super().__init__(pattern)
        self.shape = TensorType(shape).shape

    def holds(self, expr: Expr) -> bool:
        """Whether the expression is of the shape."""
        found = _type_of(expr)
        return type(found) is TensorType and found.shape == self.shape


class AttrPattern(_Restricted):
    """A call, a function or an operator that has attributes of these values."""

    def __init__(self, pattern: DFPattern, attrs: Mapping[str, Any]) -> None:
        super().__init__(pattern)
        if not isinstance(attrs, Mapping):
            raise TypeError(f"attributes are demanded by name, in a dict, which {said(attrs)} is not")
        self.attrs = dict(attrs)

    def holds(self, expr: Expr) -> bool:
        """Whether all attributes are there, with these values."""
        if isinstance(expr, Op):
            return all(expr.has_attr(n) and _same(expr.get_attr(n), value) for n, value in self.attrs.items())
        if not isinstance(expr, (Call, Function)):
            return False
        given = expr.attrs or {}
        return all(n in given and _same(given[n], value) for n, value in self.attrs.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _type_of(expr: Expr) -> Any:
    """The type of an expression, inferred on its own if need be; None if it has none."""
    from ..transform import InferTypeLocal

    known = expr.checked_type_or_none
    if known is not None or isinstance(expr, Op):
        return known
    try:
        return InferTypeLocal(expr)
    except RelayLogicError:
        return None
