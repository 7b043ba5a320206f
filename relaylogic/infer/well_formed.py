"""Whether a program that was built, not read, could have been read: what no text can say is refused before inference.

A program is a graph without cycles of the nodes of `relaylogic.ir`; each variable is bound once and used only there, by
what stands in several places too; a type parameter is used only where it is bound, and not bound again there. A let's
variable stands in its own value only if that is a function literal. Names can be written (variables are printed with
names that read back), attributes are a mapping, types are types, patterns trees of patterns.
Free variables are allowed in expressions, as in TVM's `well_formed`; whoever infers a module refuses them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from ..errors import IllFormed, said
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
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    TypeData,
    Var,
    free_vars,
    parts,
    pattern_vars,
)
from ..ir.free import all_type_vars
from ..logic.variables import VARIABLES
from ..text.attribute_builder import MOST_NESTED
from ..text.names import is_bare, is_global, is_scalar
from ..types import Type, TypeVar, has_value, show_type
from ..types.glance import glance
from .kinds import loose
from .shared_scopes import check_shared

__all__ = ["check_attributes", "check_well_formed"]

_LEAVES = {GlobalVar: "a function", Constant: "a constant", Op: "an operator", Constructor: "a constructor"}
_NODES = frozenset({Call, Function, If, Let, Match, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem, Var, *_LEAVES})

_ATOMS = frozenset({str, bool, float, type(None)})
_LARGE = 2**63 - 1

_NAMES = "a name is made of letters, digits, `_` and `/`, in parts with `.` between them, and is no keyword"

_FLAT = frozenset({Call, If, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem})
"""Nodes that have parts, and bind nothing."""
_VARS = frozenset({Var})
_SPANS = frozenset({Span, type(None)})
_FURTHER_SPANS: dict[type, str] = {Var: "type_span", Function: "ret_span"}


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
        _check_data(data)
    for variable, function in program.functions.items():
        if not isinstance(variable, GlobalVar):
            raise IllFormed(f"a function is defined by a GlobalVar, which {_named(variable)} is not")
        try:
            _global_name(variable)
            if not isinstance(function, Function):
                raise IllFormed(f"a module defines functions, which {_named(function)} is not")
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


def _check_data(data: Any) -> None:
    """Check that a definition of a data type is one; that its types are well-kinded is for `relaylogic.infer.kinds`."""
    _all([data], TypeData, "a definition of a data type")
    _type_name(data.header.name_hint, "a data type")
    of = f"of the data type `{data}`"
    _all(data.type_vars, TypeVar, f"a type parameter {of}")
    _all(data.constructors, Constructor, f"a constructor {of}")
    for parameter in data.type_vars:
        _type_name(parameter.name_hint, f"a type parameter {of}")
    for constructor in data.constructors:
        _bare_name(constructor.name_hint, "a constructor")
        for field in _sequence(constructor.inputs, f"the fields of the constructor `{constructor.name_hint}`"):
            if not _is_type(field):
                raise IllFormed(f"a field of the constructor `{constructor.name_hint}` is {_named(field)}, no type")


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
        agenda: list[Any] = [_expr(root, "what is looked at")]
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
            elif kind in _LEAVES:
                _check_leaf(item, kind)
                entered[id(item)] = 0  # it uses nothing
            else:
                if item._at < 0 or kind is Function:
                    _check_span(item)
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
            if type(variable) is not Var or kind not in _NODES or type(body) not in _NODES:
                _refuse_let(let)
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
                _check_span(value)
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
                _check_span(let)

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
        if given is not None and not (type(given) is dict and _are_plain(given)):
            check_attributes(given, node)
            return self.others(node)
        operator, arguments, visible = node.op, node.args, self.visible
        inner: list[Any] = []
        kind = type(operator)
        if kind is Op:
            if operator._at < 0 or type(operator.name) is not str or not is_bare(operator.name):  # type: ignore[attr-defined]
                inner.append(operator)
        elif kind not in _NODES:
            return self.others(node)
        elif operator not in visible:
            inner.append(operator)
        for argument in arguments if type(arguments) is tuple else (None,):
            if type(argument) not in _NODES:
                return self.others(node)
            if type(argument) is not Var or argument not in visible:
                inner.append(argument)
        return inner

    def others(self, node: Any) -> list[Any]:
        """The parts of a node that binds nothing, but for variables that are visible."""
        visible = self.visible
        return [part for part in _checked(node) if part not in visible]

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
        _type_name(parameter.name_hint, "a type parameter", node)
        if parameter in self.visible:
            message = f"the type parameter `{parameter}` is bound more than once, here within its own scope"
            raise IllFormed(message, node.span)
        self.visible.add(parameter)

    def bind(self, variable: Var, node: Any) -> None:
        """Begin the scope of a variable that a node binds."""
        if variable._at < 0 or type(variable.type_span) not in _SPANS:
            _check_span(variable)
        if type(variable.name_hint) is not str:
            _name(variable.name_hint, "a variable", variable if variable.is_placed else node)
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
            for relation in _sequence(function.type_constraints, "what stands behind `where`", function):
                self.type(relation, "what stands behind `where`", function)

    def use(self, variable: Var) -> None:
        """A variable that is not visible is free, or out of its scope."""
        if variable in self.bound:
            raise IllFormed(f"`%{variable.name_hint}` is used outside of the scope that binds it", variable.span)
        if variable not in self.free:
            _check_span(variable)
            _name(variable.name_hint, "a variable", variable)
            self.free.add(variable)
            self.annotation(variable)

    def annotation(self, variable: Var) -> None:
        if not self.is_closed(variable.type_annotation):
            self.type(variable.type_annotation, f"the annotation of `%{variable.name_hint}`", variable)

    def type_arguments(self, call: Call) -> None:
        for argument in _sequence(call.explicit_type_args, "the type arguments of a call", call):
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
        if not _is_type(term):
            raise IllFormed(f"{where} is {_named(term)}, which is no type", _place(at))
        parameters = self.looked_at.get(term)
        if parameters is None:
            parameters = self.looked_at[term] = self.parameters_in(term, where, at)
        for parameter in parameters:
            if parameter not in self.visible:
                message = f"nothing binds the type parameter `{parameter}` in {where}"
                hint = "functions list their type parameters: Function(params, body, ret_type, type_params)"
                raise IllFormed(message, _place(at), (hint,))

    def parameters_in(self, term: Any, where: str, at: Any) -> list[Any]:
        """The type parameters in a type that must be bound where it stands."""
        parameters = all_type_vars(term)
        found = [p for p in loose(term, ()) if type(p) is TypeVar] if parameters else []
        for parameter in parameters:
            if parameter not in self.visible:
                _type_name(parameter.name_hint, f"a type parameter in {where}", at)
        return [parameter for parameter in found if parameter.kind != "ShapeVar"]


def check_attributes(attrs: Mapping[str, Any], at: Any = None) -> None:
    """Check attributes. Raises IllFormed for what is no mapping from names, lists in lists in lists ..., and enormous
    numbers."""
    if not isinstance(attrs, Mapping):
        raise IllFormed(f"attributes are a mapping from names to values, which {_named(attrs)} is not", _place(at))
    for name, value in attrs.items():
        _bare_name(name, "an attribute", at)
        agenda = [(value, 0)]
        while agenda:
            item, depth = agenda.pop()
            if isinstance(item, (list, tuple)):
                if depth == MOST_NESTED:
                    message = f"the attribute `{name}` has more than {MOST_NESTED} lists in each other"
                    raise IllFormed(message, _place(at))
                agenda.extend((inner, depth + 1) for inner in item)
            elif type(item) is int and not -(2**63) <= item < 2**63:
                raise IllFormed(f"the attribute `{name}` holds a number of more than 64 bits", _place(at))


def _are_plain(given: dict[Any, Any]) -> bool:
    """Whether attributes are seen at a glance to be right, and hold no expressions: most are."""
    for name, value in given.items():
        if type(name) is not str or not is_bare(name):
            return False
        kind = type(value)
        if kind is int:
            if not -_LARGE <= value <= _LARGE:
                return False
        elif kind is tuple or kind is list:
            for item in value:
                if type(item) is not int or item > _LARGE or item < -_LARGE:
                    return False
        elif kind not in _ATOMS:
            return False
    return True


def _function(node: Function) -> list[Any]:
    if type(node.params) is not tuple or not _VARS.issuperset(map(type, node.params)):
        _all(node.params, Var, "a parameter of a function")
    if type(node.type_params) is not tuple or node.type_params:
        _all(node.type_params, TypeVar, "a type parameter of a function")
    return [_OPEN, node, _expr(node.body, "the body of a function"), _CLOSE, node]


def _refuse_let(node: Let) -> None:
    _all([node.var], Var, "what a let binds")
    _expr(node.value, "the value of a let")
    _expr(node.body, "the body of a let")


def _match(node: Match) -> list[Any]:
    parts = [_expr(node.data, "what a match looks at")]
    _all(node.clauses, Clause, "an arm of a match")
    for clause in node.clauses:
        bound = _pattern(clause.lhs)
        arm = node, bound
        parts += (_OPEN, arm, _expr(clause.rhs, "the body of an arm"), _CLOSE, arm)
    return parts


_SCOPED: dict[type, Callable[[Any], list[Any]]] = {Function: _function, Match: _match}
"""The parts of the nodes that bind something, between the beginning and the end of the scopes of what they bind; lets
are too many for that."""


def _pattern(root: Any) -> Sequence[Var]:
    """The variables that a pattern binds. Raises IllFormed if it is none."""
    found: list[Var] = []
    if type(root) is PatternConstructor and type(root.constructor) is Constructor and type(root.patterns) is tuple:
        for inner in root.patterns:  # most are that simple
            if type(inner) is PatternVar and type(inner.var) is Var:
                found.append(inner.var)
            elif type(inner) is not PatternWildcard:
                break
        else:
            return found
    _check_pattern(root)
    return pattern_vars(root)


def _check_pattern(root: Any) -> None:
    """Check that a pattern is a tree of patterns. One may occur in several places, but not in itself."""
    agenda: list[Any] = [root]
    entered: set[int] = set()
    done: set[int] = set()
    while agenda:
        item = agenda.pop()
        if type(item) is tuple:
            done.add(id(item[0]))
        elif id(item) in entered:
            if id(item) not in done:
                raise IllFormed(f"a {type(item).__name__} contains itself", item.span)
        else:
            _all([item], Pattern, "a pattern")
            if type(item) is PatternVar:
                _all([item.var], Var, "what a pattern binds")
            elif type(item) in (PatternConstructor, PatternTuple):
                if type(item) is PatternConstructor:
                    _all([item.constructor], Constructor, "what a pattern takes apart")
                entered.add(id(item))
                agenda.append((item,))
                agenda.extend(reversed(_sequence(item.patterns, "the patterns in a pattern", item)))


def _check_span(node: Any) -> None:
    """Check the places of a node in a text."""
    kind = type(node)
    name = _FURTHER_SPANS.get(kind)
    further = None if name is None else getattr(node, name)
    if not node.has_good_span:
        name, further = "span", node.span
    if further is not None and type(further) is not Span:
        raise IllFormed(f"the {name} of a {kind.__name__} is {_named(further)}, which is no Span")


def _place(node: Any) -> Span | None:
    """The place of a node, or of none."""
    return None if node is None else node.span


def _check_leaf(node: Any, kind: type) -> None:
    _check_span(node)
    if kind is Constant:
        if node.tensor_type is not None and not _is_type(node.tensor_type):
            raise IllFormed(f"the type of a constant is {_named(node.tensor_type)}, which is no type", node.span)
        if not has_value(node.tensor_type, node.value):
            of = "a type that is not known" if node.tensor_type is None else f"`{show_type(node.tensor_type)}`"
            raise IllFormed(f"the value of a constant is {_named(node.value)}, which is none of {of}", node.span)
    elif kind is GlobalVar:
        _global_name(node)
    else:
        _bare_name(node.name if kind is Op else node.name_hint, _LEAVES[kind], node)


def _checked(node: Any) -> tuple[Expr, ...]:
    """The parts of a node that binds nothing. Raises IllFormed if some are no expressions."""
    if type(node) is TupleGetItem and type(node.index) is int and 0 <= node.index <= _LARGE:
        if type(node.tuple_value) in _NODES:
            return (node.tuple_value,)
    if type(node) is Call:
        _sequence(node.args, "the arguments of a call", node)
    elif type(node) is Tuple:
        _sequence(node.fields, "the fields of a tuple", node)
    found = parts(node)
    for index, part in enumerate(() if _NODES.issuperset(map(type, found)) else found):
        if type(part) not in _NODES:
            role = f"a part of a {type(node).__name__}"
            if type(node) is Call:
                role = "an argument of a call" if index else "what is called"
            _expr(part, role)
    if type(node) is TupleGetItem and type(node.index) is not int:
        raise IllFormed(f"the index of a field is {_named(node.index)}, which is no int", node.span)
    if type(node) is TupleGetItem and node.index.bit_length() > 64:
        raise IllFormed("no tuple has so many fields", node.span)
    return found


def _expr(item: Any, role: str) -> Any:
    if type(item) not in _NODES:
        raise IllFormed(f"{role} is {_named(item)}, which is no expression")
    return item


def _all(items: Iterable[Any], kind: type, role: str) -> None:
    for item in _sequence(items, f"the list of what is {role}"):
        if not isinstance(item, kind):
            raise IllFormed(f"{role} is {_named(item)}, which is no {kind.__name__}")


def _sequence(items: Any, role: str, at: Any = None) -> Sequence[Any]:
    if not isinstance(items, (tuple, list)):
        raise IllFormed(f"{role}: {_named(items)} is no list", _place(at))
    return items


def _name(name: Any, role: str, at: Any = None) -> None:
    if not isinstance(name, str):
        raise IllFormed(f"the name of {role} is {_named(name)}, which is no str", _place(at))


def _bare_name(name: Any, role: str, at: Any = None) -> None:
    """Check a name that stands in text as it is."""
    _name(name, role, at)
    if not is_bare(name):
        raise IllFormed(f"no text can write `{name[:60]}` as the name of {role}", _place(at), (_NAMES,))


def _type_name(name: Any, role: str, at: Any = None) -> None:
    """Check the name of a data type or a type parameter."""
    _bare_name(name, role, at)
    if is_scalar(name) or name == "Tensor":
        raise IllFormed(f"`{name}` cannot be the name of {role}: it is that of a type", _place(at))


def _global_name(function: GlobalVar) -> None:
    _name(function.name_hint, "a function", function)
    if not is_global(function.name_hint):
        message = "no text can write the name of a function with a quotation mark or the end of a line in it"
        raise IllFormed(f"{message}: `{function.name_hint[:60]}`", function.span)


def _is_type(term: Any) -> bool:
    # The class of variables asks a set whether it knows their values: what cannot be hashed is no type either.
    return isinstance(term, Type) or type(term) in VARIABLES


def _named(item: Any) -> str:
    kind = type(item).__name__
    return (
        "None"
        if item is None
        else f"a {kind}"
        if isinstance(item, Expr)
        else f"`{item[:60] if isinstance(item, str) else said(item)}` ({kind})"
    )
