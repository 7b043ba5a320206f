"""Visitors and mutators of expressions and types, to be subclassed: names and methods are those of `tvm.relay`.

An expression may be deeper than Python's stack. Therefore a visitor walks with its own agenda: it calls the method of
a node (`visit_call` ...) after those of its children, each node once, and `self.visit(child)` inside of a method gives
what the child's method returned. A method that wants to leave children out overrides `children`.

What binds variables or chooses goes first, as in TVM: a subclass that has its own `visit_function`, `visit_let`,
`visit_if` or `visit_match` visits the parts of these nodes itself, when it has done what they need, and a function that
is called only if `visit_call` visits it. Such methods are as deep in Python's stack as these nodes are in each other.
A subclass's own `visit` is called with every node.
"""

from __future__ import annotations

from typing import Any

from ..ir import (
    Call,
    Clause,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    children,
)

__all__ = ["ExprFunctor", "ExprMutator", "ExprVisitor"]

_METHODS: dict[type, str] = {
    Call: "visit_call",
    Constant: "visit_constant",
    Constructor: "visit_constructor",
    Function: "visit_function",
    GlobalVar: "visit_global_var",
    If: "visit_if",
    Let: "visit_let",
    Match: "visit_match",
    Op: "visit_op",
    RefCreate: "visit_ref_create",
    RefRead: "visit_ref_read",
    RefWrite: "visit_ref_write",
    Tuple: "visit_tuple",
    TupleGetItem: "visit_tuple_getitem",
    Var: "visit_var",
}


_SCOPES = (Function, If, Let, Match)


class ExprFunctor:
    """Dispatch by the class of an expression, with the results of all nodes remembered, by the nodes, in `memo_map`."""

    _own: frozenset[type] = frozenset()  # the classes of nodes for which a subclass has its own method
    _sees_all = False  # whether a subclass has its own `visit`, which is to see every node

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._sees_all = cls.visit is not ExprFunctor.visit
        methods = {kind: getattr(cls, name, None) for kind, name in _METHODS.items()}
        cls._own = frozenset(kind for kind, m in methods.items() if m and getattr(m, "__module__", "") != __name__)

    def __init__(self) -> None:
        self.memo_map: dict[Any, Any] = {}

    def visit(self, expr: Expr) -> Any:
        """What the method of `expr` returns; its children, unless they were visited already, come first."""
        memo = self.memo_map
        agenda: list[tuple[Any, bool]] = [(expr, False)]
        while agenda:
            item, ready = agenda.pop()
            if item in memo:
                continue
            kind = type(item)
            if ready or (kind in _SCOPES and kind in self._own):
                if self._sees_all and item is not expr:
                    found = self.visit(item)
                else:
                    found = getattr(self, _METHODS[kind], self._missing)(item)
                memo[item] = found
            else:
                agenda.append((item, True))
                agenda.extend((child, False) for child in reversed(self._before(item)))
        return memo[expr]

    def _missing(self, expr: Expr) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method `{_METHODS[type(expr)]}`")

    def _before(self, expr: Expr) -> tuple[Expr, ...]:
        """The children that come before a node; a function that is called is left to a method of the subclass."""
        found = self.children(expr)
        if type(expr) is Call and type(expr.op) is Function and Call in self._own:
            return tuple(child for child in found if child is not expr.op)
        return found

    def children(self, expr: Expr) -> tuple[Expr, ...]:
        """What has to be visited before the method of `expr` is called."""
        if isinstance(expr, Function):
            return (*expr.params, expr.body)
        if isinstance(expr, Let):
            return (expr.var, expr.value, expr.body)
        return children(expr)


class ExprVisitor(ExprFunctor):
    """Visits every node once, children first. Override the methods of interest."""

    def _nothing(self, expr: Any) -> None:
        """Does nothing."""

    visit_constant = visit_constructor = visit_global_var = visit_op = visit_var = _nothing
    visit_ref_create = visit_ref_read = visit_ref_write = visit_tuple = visit_tuple_getitem = _nothing

    def _parts(self, expr: Any) -> None:
        """Visits the parts, as far as that is not done."""
        for child in ExprFunctor.children(self, expr):
            self.visit(child)

    visit_call = visit_function = visit_if = visit_let = visit_match = _parts


class ExprMutator(ExprFunctor):
    """Builds an expression anew where a method changed a part of it; what stays the same stays the same node."""

    def _itself(self, expr: Any) -> Any:
        """The leaf itself."""
        return expr

    visit_constant = visit_constructor = visit_global_var = visit_op = visit_var = _itself

    def visit_call(self, call: Call) -> Any:
        """The call with new callee and arguments."""
        op, args = self.visit(call.op), [self.visit(a) for a in call.args]
        if (op is call.op or (type(op) is Op and op == call.op)) and _same(args, call.args):
            return call  # operators are remembered by name, so another node of that name may have come back
        return Call(op, args, call.given, call.explicit_type_args, call.span)

    def visit_tuple(self, tup: Tuple) -> Any:
        """The tuple with new fields."""
        fields = [self.visit(f) for f in tup.fields]
        return tup if _same(fields, tup.fields) else Tuple(fields, tup.span)

    def visit_tuple_getitem(self, op: TupleGetItem) -> Any:
        """The projection of a new tuple."""
        tup = self.visit(op.tuple_value)
        return op if tup is op.tuple_value else TupleGetItem(tup, op.index, op.span)

    def visit_function(self, fn: Function) -> Any:
        """The function with new parameters and body."""
        params, body = [self.visit(p) for p in fn.params], self.visit(fn.body)
        if body is fn.body and _same(params, fn.params):
            return fn
        return Function(params, body, fn.ret_type, fn.type_params, fn.attrs, fn.span, fn.type_constraints, fn.ret_span)

    def visit_let(self, let: Let) -> Any:
        """The let with new variable, value and body."""
        var, value, body = self.visit(let.var), self.visit(let.value), self.visit(let.body)
        if var is let.var and value is let.value and body is let.body:
            return let
        return Let(var, value, body, let.span)

    def visit_if(self, ite: If) -> Any:
        """The conditional with new parts."""
        parts = [self.visit(ite.cond), self.visit(ite.true_branch), self.visit(ite.false_branch)]
        if _same(parts, (ite.cond, ite.true_branch, ite.false_branch)):
            return ite
        return If(parts[0], parts[1], parts[2], ite.span)

    def visit_match(self, match: Match) -> Any:
        """The match with new scrutinee and arms."""
        data = self.visit(match.data)
        clauses = [
            Clause(self.visit_pattern(c.lhs), self.visit(c.rhs), c.span)
            if self.visit(c.rhs) is not c.rhs or self.visit_pattern(c.lhs) is not c.lhs
            else c
            for c in match.clauses
        ]
        if data is match.data and _same(clauses, match.clauses):
            return match
        return Match(data, clauses, match.complete, match.span)

    def visit_pattern(self, pattern: Pattern) -> Pattern:
        """The pattern with new variables."""
        done: list[Pattern] = []
        agenda: list[tuple[Pattern, bool]] = [(pattern, False)]
        while agenda:
            item, ready = agenda.pop()
            inner = item.patterns if isinstance(item, (PatternConstructor, PatternTuple)) else ()
            if inner and not ready:
                agenda.append((item, True))
                agenda.extend((part, False) for part in reversed(inner))
                continue
            parts = done[len(done) - len(inner) :]
            del done[len(done) - len(inner) :]
            done.append(self._pattern(item, parts))
        return done[0]

    def _pattern(self, pattern: Pattern, parts: list[Pattern]) -> Pattern:
        """A pattern of new parts."""
        if isinstance(pattern, PatternVar):
            var = self.visit(pattern.var)
            return pattern if var is pattern.var else PatternVar(var, pattern.span)
        if isinstance(pattern, PatternTuple) and not _same(parts, pattern.patterns):
            return PatternTuple(parts, pattern.span)
        if isinstance(pattern, PatternConstructor) and not _same(parts, pattern.patterns):
            return PatternConstructor(pattern.constructor, parts, pattern.span)
        return pattern

    def visit_ref_create(self, ref: RefCreate) -> Any:
        """The new cell of a new value."""
        value = self.visit(ref.value)
        return ref if value is ref.value else RefCreate(value, ref.span)

    def visit_ref_read(self, ref: RefRead) -> Any:
        """The reading of a new reference."""
        cell = self.visit(ref.ref)
        return ref if cell is ref.ref else RefRead(cell, ref.span)

    def visit_ref_write(self, ref: RefWrite) -> Any:
        """The writing of a new value to a new reference."""
        cell, value = self.visit(ref.ref), self.visit(ref.value)
        return ref if cell is ref.ref and value is ref.value else RefWrite(cell, value, ref.span)


def _same(new: Any, old: Any) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))
