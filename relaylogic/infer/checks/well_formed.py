"""Whether a program that was built, not read, could have been read: what no text can say is refused before inference.

A program is a graph without cycles of the nodes of `relaylogic.ir`; each variable is bound once and used only there, by
what stands in several places too; a type parameter is used only where it is bound, and not bound again there. A let's
variable stands in its own value only if that is a function literal. Names can be written (variables are printed with
names that read back), attributes are a mapping, types are types, patterns trees of patterns.
Free variables are allowed in expressions, as in TVM's `well_formed`; whoever infers a module refuses them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any

from ...errors import IllFormed
from ...ir import (
    Call,
    Clause,
    Function,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Op,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    Var,
    free_vars,
)
from ...ir.free import all_type_vars
from ...text.names import is_bare
from ...types import Type, TypeVar
from ...types.glance import glance
from .kinds import loose
from .node_checks import (
    LEAVES,
    NODES,
    are_plain,
    bound_by,
    check_all,
    check_attributes,
    check_data,
    check_global_name,
    check_leaf,
    check_name,
    check_span,
    check_type_name,
    checked_parts,
    expression,
    is_type,
    named,
    place_of,
    refuse_let,
    sequence,
)
from .shared_scopes import check_shared

__all__ = ["check_well_formed"]

_FLAT = frozenset({Call, If, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem})
"""Nodes that have parts, and bind nothing."""
_VARS = frozenset({Var})
_SPANS = frozenset({Span, type(None)})


class _Event(Enum):
    """What happens at a place of the agenda that is no node: a scope opens or closes.

    Below it is what binds the variables of the scope: a function, a let, the list of lets that are each other's bodies,
    whose scopes close together, or a match with the variables of one of its arms. A function or a let is done where its
    scope closes; where another node is done, its identity stands.
    """

    OPEN = 0
    CLOSE = 1


_OPEN, _CLOSE = _Event


def check_well_formed(program: Any) -> None:
    """Check a module, or an expression. Raises IllFormed, which says what is wrong and in which function."""
    if not isinstance(program, IRModule):
        _Walk({}).check(program)
        return
    looked_at: dict[Any, list[Any]] = {}
    bound: list[set[Var]] = []
    free: dict[Var, GlobalVar] = {}
    for data in program.type_definitions.values():
        check_data(data)
    for variable, function in program.functions.items():
        if not isinstance(variable, GlobalVar):
            raise IllFormed(f"a function is defined by a GlobalVar, which {named(variable)} is not")
        try:
            check_global_name(variable)
            if not isinstance(function, Function):
                raise IllFormed(f"a module defines functions, which {named(function)} is not")
            walk = _Walk(looked_at)
            walk.check(function)
            if walk.free:
                walk.check_attributes(free_vars(function))
                free.update(dict.fromkeys(walk.free, variable))
            bound.append(walk.bound)
        except IllFormed as problem:
            raise IllFormed(f"in `@{variable.name_hint}`: {problem.message}", problem.span, problem.hints) from None
    for inner, owner in free.items():
        if any(inner in names for names in bound):
            message = f"in `@{owner.name_hint}`: `%{inner.name_hint}` is used outside of the scope that binds it"
            raise IllFormed(message, inner.span if inner.is_placed else None)


class _Walk:
    """A walk through an expression, scopes opened and closed on the way; a shared node is looked at once."""

    def __init__(self, looked_at: dict[Any, list[Any]]) -> None:
        self.looked_at = looked_at  # types, with the type parameters that must be bound where they stand
        self.bound: set[Var] = set()  # variables that some scope binds, open or closed
        self.visible: set[Any] = set()  # variables and type parameters of open scopes
        self.free: set[Var] = set()
        self.scopes = [0]  # numbers of the open scopes that bind something, the outermost first: they grow
        self.opened = 0
        # Nodes, with the number of the innermost scope in which they were met first; `~number` until they are done.
        self.entered: dict[int, int] = {}
        self.met_elsewhere = False  # whether a node was met again when that scope was closed

    def check(self, root: Any) -> None:
        agenda: list[Any] = [expression(root, "what is looked at")]
        entered, visible, scopes = self.entered, self.visible, self.scopes
        while agenda:
            item = agenda.pop()
            kind = type(item)
            if kind is int:
                entered[item] = ~entered[item]
            elif kind is _Event:
                node = agenda.pop()
                if type(node) is Let:
                    self.bind_let(node, agenda[-3])  # below its body
                else:
                    self.event(item, node)
            elif kind is Var:
                if item not in visible:
                    self.use(item)
            elif id(item) in entered:
                scope = entered[id(item)]
                if scope < 0:
                    raise IllFormed(f"a {kind.__name__} contains itself", item.span)
                if scope != scopes[-1] and not self.is_open(scope):
                    self.met_elsewhere = True
            elif kind in LEAVES:
                check_leaf(item, kind)
                entered[id(item)] = 0  # it uses nothing
            else:
                if item._at < 0 or kind is Function:
                    check_span(item)
                if kind is Call:
                    inner = self.call(item)
                elif kind is Let:
                    self.lets(item, agenda)
                    continue
                elif kind in _SCOPED:
                    inner = _SCOPED[kind](item)
                else:
                    inner = self.others(item)
                if inner:
                    entered[id(item)] = ~scopes[-1]
                    if kind is not Function:
                        agenda.append(id(item))
                    inner.reverse()
                    agenda += inner
                else:  # but for variables that are visible
                    entered[id(item)] = scopes[-1]
        if self.met_elsewhere:
            check_shared(root)

    def lets(self, let: Let, agenda: list[Any]) -> None:
        """A let, and those that are its body, the body of that and so on, until more is to be looked at in one."""
        entered, scopes = self.entered, self.scopes
        chain: list[Let] = []
        if agenda and agenda[-1] is _CLOSE and type(agenda[-2]) is list:
            chain = agenda[-2]  # this let is the body of the last one there
        else:
            agenda += (chain, _CLOSE)
        while True:
            variable, body = let.var, let.body
            value: Any = let.value
            kind = type(value)
            if type(variable) is not Var or kind not in NODES or type(body) not in NODES:
                refuse_let(let)
            chain.append(let)
            entered[id(let)] = ~scopes[-1]
            if kind is Function:
                self.bind_let(let, chain)
                agenda += (body, value)
                return
            if kind not in _FLAT or id(value) in entered:
                agenda += (body, let, _OPEN, value)
                return
            if value._at < 0:
                check_span(value)
            inner = self.call(value) if kind is Call else self.others(value)
            if inner:
                entered[id(value)] = ~scopes[-1]
                inner.reverse()
                agenda += (body, let, _OPEN, id(value), *inner)
                return
            entered[id(value)] = scopes[-1]
            self.bind_let(let, chain)
            if type(body) is not Let or id(body) in entered:
                agenda.append(body)
                return
            let = body
            if let._at < 0:
                check_span(let)

    def bind_let(self, let: Let, chain: list[Let]) -> None:
        """Begin the scope of the variable of a let, which is that of the others in its chain."""
        if chain[0] is let:
            self.opened += 1
            self.scopes.append(self.opened)
        self.bind(let.var, let)

    def call(self, node: Call) -> list[Any]:
        """The parts of a call that are to be looked at."""
        if node.explicit_type_args:
            self.type_arguments(node)
        given = node.given
        if given is not None and not (type(given) is dict and are_plain(given)):
            check_attributes(given, node)
            return self.others(node)
        operator, arguments, visible = node.op, node.args, self.visible
        inner: list[Any] = []
        kind = type(operator)
        if kind is Op:
            if operator._at < 0 or type(operator.name) is not str or not is_bare(operator.name):  # type: ignore[attr-defined]
                inner.append(operator)
        elif kind not in NODES:
            return self.others(node)
        elif operator not in visible:
            inner.append(operator)
        for argument in arguments if type(arguments) is tuple else (None,):
            if type(argument) not in NODES:
                return self.others(node)
            if type(argument) is not Var or argument not in visible:
                inner.append(argument)
        return inner

    def others(self, node: Any) -> list[Any]:
        """The parts of a node that binds nothing, but for variables that are visible."""
        visible = self.visible
        return [part for part in checked_parts(node) if part not in visible]

    def is_open(self, scope: int) -> bool:
        """Whether the scope of a number is open."""
        at = bisect_left(self.scopes, scope)
        return at < len(self.scopes) and self.scopes[at] == scope

    def check_attributes(self, free: Iterable[Var]) -> None:
        """Refuse what is free in attributes only: inference, which refuses the rest, does not look there."""
        for variable in self.free.difference(free):
            raise IllFormed(f"`%{variable.name_hint}` is not bound where an attribute uses it", variable.span)

    def event(self, what: _Event, item: Any) -> None:
        """A scope opens or closes."""
        if type(item) is list:
            self.visible.difference_update([let.var for let in item])
            self.scopes.pop()
            for let in item:
                self.entered[id(let)] = ~self.entered[id(let)]
            return
        node: Any = item
        parameters: Sequence[Any] = ()
        if type(item) is Function:
            variables, parameters = item.params, item.type_params
        else:
            node, variables = item
        if what is _OPEN:
            if variables or parameters:
                self.opened += 1
                self.scopes.append(self.opened)
            for parameter in parameters:
                self.bind_parameter(parameter, node)
            for variable in variables:
                self.bind(variable, node)
            if type(node) is Function:
                self.signature(node)
            return
        self.visible.difference_update(variables, parameters)
        if variables or parameters:
            self.scopes.pop()
        if node is item:  # of a match, there is more
            self.entered[id(item)] = ~self.entered[id(item)]

    def bind_parameter(self, parameter: Any, node: Any) -> None:
        """Begin the scope of a type parameter."""
        check_type_name(parameter.name_hint, "a type parameter", node)
        if parameter in self.visible:
            message = f"the type parameter `{parameter}` is bound more than once, here within its own scope"
            raise IllFormed(message, node.span)
        self.visible.add(parameter)

    def bind(self, variable: Var, node: Any) -> None:
        """Begin the scope of a variable that a node binds."""
        if variable._at < 0 or type(variable.type_span) not in _SPANS:
            check_span(variable)
        if type(variable.name_hint) is not str:
            check_name(variable.name_hint, "a variable", variable if variable.is_placed else node)
        if variable in self.bound:
            message = f"`%{variable.name_hint}` is bound more than once; each place needs a variable of its own"
            raise IllFormed(message, (variable if variable.is_placed else node).span)
        if variable in self.free:
            message = f"`%{variable.name_hint}` is used outside of the scope that binds it"
            raise IllFormed(message, (variable if variable.is_placed else node).span)
        self.bound.add(variable)
        self.visible.add(variable)
        self.annotation(variable)

    def signature(self, function: Function) -> None:
        """What a function says besides its parameters and its body."""
        self.type(function.ret_type, "the result type of a function", function)
        if function.attrs is not None:
            check_attributes(function.attrs, function)
        if function.type_constraints:
            for relation in sequence(function.type_constraints, "what stands behind `where`", function):
                self.type(relation, "what stands behind `where`", function)

    def use(self, variable: Var) -> None:
        """A variable that is not visible is free, or out of its scope."""
        if variable in self.bound:
            raise IllFormed(f"`%{variable.name_hint}` is used outside of the scope that binds it", variable.span)
        if variable not in self.free:
            check_span(variable)
            check_name(variable.name_hint, "a variable", variable)
            self.free.add(variable)
            self.annotation(variable)

    def annotation(self, variable: Var) -> None:
        if not self.is_closed(variable.type_annotation):
            self.type(variable.type_annotation, f"the annotation of `%{variable.name_hint}`", variable)

    def type_arguments(self, call: Call) -> None:
        for argument in sequence(call.explicit_type_args, "the type arguments of a call", call):
            if isinstance(argument, Type):
                self.type(argument, "a type argument of a call", call)

    def is_closed(self, term: Any) -> bool:
        """Whether it is seen at a glance that all type parameters in a type, or in none, are bound where it stands."""
        if term is None:
            return True
        seen = glance(term)
        return seen is not None and (not seen.parameters or self.visible.issuperset(seen.parameters))

    def type(self, term: Any, where: str, at: Any) -> None:
        """Look for type parameters in a type that nothing binds; extents that nothing binds are constants."""
        if self.is_closed(term):
            return
        if not is_type(term):
            raise IllFormed(f"{where} is {named(term)}, which is no type", place_of(at))
        parameters = self.looked_at.get(term)
        if parameters is None:
            parameters = self.looked_at[term] = self.parameters_in(term, where, at)
        for parameter in parameters:
            if parameter not in self.visible:
                message = f"nothing binds the type parameter `{parameter}` in {where}"
                hint = "functions list their type parameters: Function(params, body, ret_type, type_params)"
                raise IllFormed(message, place_of(at), (hint,))

    def parameters_in(self, term: Any, where: str, at: Any) -> list[Any]:
        """The type parameters in a type that must be bound where it stands."""
        parameters = all_type_vars(term)
        found = [p for p in loose(term, ()) if type(p) is TypeVar] if parameters else []
        for parameter in parameters:
            if parameter not in self.visible:
                check_type_name(parameter.name_hint, f"a type parameter in {where}", at)
        return [parameter for parameter in found if parameter.kind != "ShapeVar"]


def _function(node: Function) -> list[Any]:
    if type(node.params) is not tuple or not _VARS.issuperset(map(type, node.params)):
        check_all(node.params, Var, "a parameter of a function")
    if type(node.type_params) is not tuple or node.type_params:
        check_all(node.type_params, TypeVar, "a type parameter of a function")
    return [_OPEN, node, expression(node.body, "the body of a function"), _CLOSE, node]


def _match(node: Match) -> list[Any]:
    parts = [expression(node.data, "what a match looks at")]
    check_all(node.clauses, Clause, "an arm of a match")
    for clause in node.clauses:
        bound = bound_by(clause.lhs)
        arm = node, bound
        parts += (_OPEN, arm, expression(clause.rhs, "the body of an arm"), _CLOSE, arm)
    return parts


_SCOPED: dict[type, Callable[[Any], list[Any]]] = {Function: _function, Match: _match}
"""The parts of the nodes that bind something, between the beginning and the end of the scopes of what they bind; lets
are too many for that."""
