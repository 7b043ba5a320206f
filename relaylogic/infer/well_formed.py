"""Whether a program that was built, not read, could have been read: what no text can say is refused before inference.

A program is a graph without cycles of the nodes of `relaylogic.ir`; each variable is bound once and used only there,
and so are type parameters. A let's variable stands in its own value only if that is a function literal. Free variables
are allowed in expressions, as in TVM's `well_formed`; whoever infers a module refuses them where they are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unification import Var as LogicVariable

from ..errors import IllFormed
from ..ir import (
    Call,
    Clause,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Op,
    Pattern,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    children,
    pattern_vars,
)
from ..types import Type, TypeVar
from .kinds import loose

__all__ = ["check_well_formed"]

_LEAVES = (GlobalVar, Constant, Op, Constructor)


def check_well_formed(program: Any) -> None:
    """Check a module, or an expression. Raises IllFormed, which says what is wrong and in which function."""
    if not isinstance(program, IRModule):
        _Walk().check(program)
        return
    for variable, function in program.functions.items():
        try:
            if not isinstance(function, Function):
                raise IllFormed(f"a module defines functions, which {_named(function)} is not")
            _Walk().check(function)
        except IllFormed as problem:
            raise IllFormed(f"in `@{variable.name_hint}`: {problem.message}", problem.span, problem.hints) from None


class _Walk:
    """A walk through an expression, scopes opened and closed on the way; a shared node is looked at once."""

    def __init__(self) -> None:
        self.bound: set[Var] = set()  # variables that some scope binds, open or closed
        self.visible: set[Any] = set()  # variables and type parameters of open scopes
        self.free: set[Var] = set()
        self.entered: set[int] = set()
        self.done: set[int] = set()

    def check(self, root: Any) -> None:
        agenda: list[Any] = [root]
        while agenda:
            item = agenda.pop()
            kind = type(item)
            if kind is _Scope:
                item.apply(self)
            elif kind is _End:
                self.done.add(item.key)
            elif kind is Var:
                self.use(item)
            elif isinstance(item, _LEAVES):
                continue
            elif id(item) not in self.entered:
                self.entered.add(id(item))
                parts = _parts(item)
                if kind is Call:
                    self.type_arguments(item)
                agenda.append(_End(id(item)))
                agenda.extend(reversed(parts))
            elif id(item) not in self.done:
                raise IllFormed(f"a {kind.__name__} contains itself", item.span)

    def use(self, variable: Var) -> None:
        if variable in self.visible:
            return
        if variable in self.bound:
            raise IllFormed(f"`%{variable.name_hint}` is used outside of the scope that binds it", variable.span)
        if variable not in self.free:
            self.free.add(variable)
            self.annotation(variable)

    def annotation(self, variable: Var) -> None:
        self.type(variable.type_annotation, f"the annotation of `%{variable.name_hint}`", variable.span)

    def type_arguments(self, call: Call) -> None:
        for argument in call.explicit_type_args:
            if isinstance(argument, Type):
                self.type(argument, "a type argument of a call", call.span)

    def type(self, term: Any, where: str, span: Any) -> None:
        """Look for type parameters in a type that nothing binds; extents that nothing binds are constants."""
        if term is None:
            return
        if not isinstance(term, (Type, LogicVariable)):
            raise IllFormed(f"{where} is {_named(term)}, which is no type", span)
        for parameter in loose(term, ()):
            if type(parameter) is TypeVar and parameter.kind != "ShapeVar" and parameter not in self.visible:
                message = f"nothing binds the type parameter `{parameter}` in {where}"
                hint = "functions list their type parameters: Function(params, body, ret_type, type_params)"
                raise IllFormed(message, span, (hint,))


class _End:
    """The place in the agenda behind the parts of a node."""

    __slots__ = ("key",)

    def __init__(self, key: int) -> None:
        self.key = key


class _Scope:
    """The place in the agenda where a scope begins, or ends."""

    __slots__ = ("begins", "node", "parameters", "variables")

    def __init__(self, node: Any, variables: Iterable[Any], parameters: Iterable[Any], begins: bool) -> None:
        self.node = node
        self.variables = tuple(variables)
        self.parameters = tuple(parameters)
        self.begins = begins

    def apply(self, walk: _Walk) -> None:
        if not self.begins:
            walk.visible.difference_update(self.variables, self.parameters)
            return
        walk.visible.update(self.parameters)
        for variable in self.variables:
            if variable in walk.bound:
                message = f"`%{variable.name_hint}` is bound more than once; each place needs a variable of its own"
                raise IllFormed(message, variable.span or self.node.span)
            if variable in walk.free:
                message = f"`%{variable.name_hint}` is used outside of the scope that binds it"
                raise IllFormed(message, variable.span or self.node.span)
            walk.bound.add(variable)
            walk.visible.add(variable)
            walk.annotation(variable)
        if isinstance(self.node, Function):
            walk.type(self.node.ret_type, "the result type of a function", self.node.span)
            for relation in self.node.type_constraints:
                walk.type(relation, "what stands behind `where`", self.node.span)


def _parts(node: Any) -> list[Any]:
    """What a node is made of, with its scopes around what they hold. Raises IllFormed for what is no such thing."""
    if isinstance(node, Function):
        _all(node.params, Var, "a parameter of a function")
        _all(node.type_params, TypeVar, "a type parameter of a function")
        return _within(node, node.params, [_expr(node.body, "the body of a function")], node.type_params)
    if isinstance(node, Let):
        _all([node.var], Var, "what a let binds")
        value, body = _expr(node.value, "the value of a let"), _expr(node.body, "the body of a let")
        if isinstance(value, Function):
            return _within(node, [node.var], [value, body])
        return [value, *_within(node, [node.var], [body])]
    if isinstance(node, Match):
        _all(node.clauses, Clause, "an arm of a match")
        _all([clause.lhs for clause in node.clauses], Pattern, "the pattern of an arm")
        arms = [
            part
            for clause in node.clauses
            for part in _within(node, pattern_vars(clause.lhs), [_expr(clause.rhs, "the body of an arm")])
        ]
        return [_expr(node.data, "what a match looks at"), *arms]
    if isinstance(node, TupleGetItem) and type(node.index) is not int:
        raise IllFormed(f"the index of a field is {_named(node.index)}, which is no int", node.span)
    if isinstance(node, Call):
        _expr(node.op, "what is called")
        for argument in node.args:
            _expr(argument, "an argument of a call")
    elif not isinstance(node, (Tuple, TupleGetItem, If, RefCreate, RefRead, RefWrite)):
        raise IllFormed(f"an expression is expected, which {_named(node)} is not")
    return [_expr(part, f"a part of a {type(node).__name__}") for part in children(node)]


def _within(node: Any, variables: Iterable[Any], parts: list[Any], parameters: Iterable[Any] = ()) -> list[Any]:
    return [_Scope(node, variables, parameters, True), *parts, _Scope(node, variables, parameters, False)]


def _expr(item: Any, role: str) -> Any:
    if not isinstance(item, Expr):
        raise IllFormed(f"{role} is {_named(item)}, which is no expression")
    return item


def _all(items: Iterable[Any], kind: type, role: str) -> None:
    for item in items:
        if not isinstance(item, kind):
            raise IllFormed(f"{role} is {_named(item)}, which is no {kind.__name__}")


def _named(item: Any) -> str:
    kind = type(item).__name__
    return "None" if item is None else f"a {kind}" if isinstance(item, Expr) else f"`{str(item)[:60]}` ({kind})"
