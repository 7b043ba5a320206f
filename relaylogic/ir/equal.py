"""Whether two programs are the same up to the names of what they bind."""

from __future__ import annotations

from typing import Any

from unification import Var as LogicVariable

from ..errors import said
from ..logic import Term
from ..types import GlobalTypeVar, TypeVar
from .adt import Clause, Constructor, Match, Pattern, PatternConstructor, PatternTuple, PatternVar, TypeData
from .expr import Call, Expr, Op, TupleGetItem
from .module import IRModule
from .nodes import Constant, Function, GlobalVar, If, Let, RefCreate, RefRead, RefWrite, Tuple, Var

__all__ = ["assert_structural_equal", "structural_equal", "structural_hash"]

_ATOMS = (Var, GlobalVar, Op, Constructor, Constant, TupleGetItem)


def structural_equal(a: Any, b: Any, map_free_vars: bool = False) -> bool:
    """Whether two modules, expressions or types are equal up to the names of variables and type parameters.

    Names of functions, data types and constructors count; places do not. A node that is shared in one must be
    shared in the other, except for names, constants, projections and the empty tuple: as in TVM, these are no nodes of
    the graph. With `map_free_vars`, free variables are equal whatever their names. Lists are equal to tuples, in
    attributes too.
    """
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        a, b = tuple(a), tuple(b)
    if isinstance(a, IRModule) and isinstance(b, IRModule):
        return _same_modules(a, b)
    return _Comparison(map_free_vars).holds([(a, b)])


def assert_structural_equal(a: Any, b: Any, map_free_vars: bool = False) -> None:
    """Raise ValueError unless two modules, expressions or types are structurally equal."""
    if not structural_equal(a, b, map_free_vars):
        raise ValueError(f"these are not structurally equal:\n{_told(a)}\nand\n{_told(b)}")


def _told(item: Any) -> str:
    return str(item) if isinstance(item, (IRModule, Expr, Term)) else said(item)


def structural_hash(item: Any, map_free_vars: bool = False) -> int:
    """A number that is the same for structurally equal modules, expressions and types, and rarely for others.

    It is another one in each process, as that of a str is. `map_free_vars`: names of free variables do not count.
    """
    from .shape_hash import shape_hash

    return shape_hash(item, map_free_vars)


def _same_modules(a: IRModule, b: IRModule) -> bool:
    if a.imports.keys() != b.imports.keys() or a.declarations.keys() != b.declarations.keys():
        return False
    pairs: list[tuple[Any, Any]] = [(a.declarations[name], b.declarations[name]) for name in a.declarations]
    for ours, theirs in ((a.type_definitions, b.type_definitions), (a.functions, b.functions)):
        named: dict[str, Any] = {handle.name_hint: item for handle, item in theirs.items()}
        if sorted(named) != sorted(handle.name_hint for handle in ours):
            return False
        pairs += [(item, named[handle.name_hint]) for handle, item in ours.items()]
    return all(_Comparison().holds([pair]) for pair in pairs)


class _Comparison:
    """An agenda of pairs that have to be equal, and what has been identified with what."""

    def __init__(self, map_free_vars: bool = False) -> None:
        self.map_free_vars = map_free_vars
        self.forward: dict[Any, Any] = {}
        self.backward: dict[Any, Any] = {}
        self.nodes: dict[int, Any] = {}  # shared nodes: id of a node of the first program -> node of the second
        self.images: dict[int, Any] = {}  # and back
        self.terms: set[tuple[int, int]] = set()  # pairs of terms, and of projections, that are compared already
        self.lists: dict[tuple[int, int], Any] = {}  # pairs of lists, too, kept so that nothing gets their identities

    def holds(self, pairs: list[tuple[Any, Any]]) -> bool:
        """Whether all pairs are equal; the first pair is taken first."""
        agenda = pairs[::-1]
        while agenda:
            a, b = agenda.pop()
            if type(a) is not type(b) and not (isinstance(a, (list, tuple)) and isinstance(b, (list, tuple))):
                return False
            more = self.parts(a, b)
            if more is None:
                return False
            agenda.extend(reversed(more))
        return True

    def identify(self, a: Any, b: Any) -> bool:
        """Make `a` correspond to `b`; false if one of them already corresponds to something else."""
        if a in self.forward or b in self.backward:
            return self.forward.get(a) is b and self.backward.get(b) is a
        self.forward[a] = b
        self.backward[b] = a
        return True

    def parts(self, a: Any, b: Any) -> list[tuple[Any, Any]] | None:
        """The pairs that must be equal for `a` and `b`, of one class, to be equal; None if they differ at
        once."""
        if isinstance(a, Expr):
            return self.expression(a, b)
        if isinstance(a, (tuple, list, dict)):
            if (id(a), id(b)) in self.lists:
                return []
            self.lists[id(a), id(b)] = (a, b)
        if isinstance(a, (tuple, list)):
            return list(zip(a, b, strict=True)) if len(a) == len(b) else None
        if isinstance(a, dict):
            return [(a[k], b[k]) for k in a] if a.keys() == b.keys() else None
        if isinstance(a, Pattern):
            return self.pattern(a, b)
        if isinstance(a, Clause):
            return [(a.lhs, b.lhs), (a.rhs, b.rhs)]
        if isinstance(a, TypeData):
            return [
                (a.extern, b.extern),
                (a.header, b.header),
                (a.type_vars, b.type_vars),
                (_shape(a), _shape(b)),
            ]
        return self.term(a, b)

    def term(self, a: Any, b: Any) -> list[tuple[Any, Any]] | None:
        if a is b:
            return []
        if isinstance(a, (TypeVar, LogicVariable)):
            same_kind = not isinstance(a, TypeVar) or a.kind == b.kind
            return [] if same_kind and self.identify(a, b) else None
        if isinstance(a, GlobalTypeVar):
            return [] if a.name_hint == b.name_hint else None
        if isinstance(a, Term):
            if (id(a), id(b)) in self.terms:
                return []
            self.terms.add((id(a), id(b)))
            return [(a.args, b.args)]
        return [] if a == b or repr(a) == repr(b) == "nan" else None

    def pattern(self, a: Any, b: Any) -> list[tuple[Any, Any]] | None:
        if isinstance(a, PatternVar):
            return self.binder(a.var, b.var)
        if isinstance(a, PatternConstructor):
            return [(a.constructor, b.constructor), (a.patterns, b.patterns)]
        return [(a.patterns, b.patterns)] if isinstance(a, PatternTuple) else []

    def binder(self, a: Any, b: Any) -> list[tuple[Any, Any]] | None:
        if type(a) is not Var or type(b) is not Var:
            return [(a, b)]  # ill-formed, but to be compared
        return [(a.type_annotation, b.type_annotation)] if self.identify(a, b) else None

    def expression(self, a: Any, b: Any) -> list[tuple[Any, Any]] | None:
        if _is_node(a):
            if id(a) in self.nodes or id(b) in self.images:
                return [] if self.nodes.get(id(a)) is b and self.images.get(id(b)) is a else None
            self.nodes[id(a)] = b
            self.images[id(b)] = a
        if isinstance(a, Var):
            if a in self.forward or b in self.backward:
                return [] if self.identify(a, b) else None
            return self.binder(a, b) if self.map_free_vars or a.name_hint == b.name_hint else None
        if isinstance(a, (GlobalVar, Constructor)):
            return [] if a.name_hint == b.name_hint else None
        if isinstance(a, Op):
            return [] if a.name == b.name else None
        if isinstance(a, Constant):
            known = a.value is not None  # then it does not matter where the text keeps it
            if not (known or _same_data(a.array, b.array)):
                return None
            return [(a.value, b.value), (a.tensor_type, b.tensor_type), *([] if known else [(a.meta, b.meta)])]
        if isinstance(a, TupleGetItem):
            if (id(a), id(b)) in self.terms:
                return []
            self.terms.add((id(a), id(b)))
            return [(a.tuple_value, b.tuple_value), (a.index, b.index)]
        if isinstance(a, Function):
            return self.function(a, b)
        if isinstance(a, Let):
            bound = self.binder(a.var, b.var)
            return None if bound is None else [*bound, (a.value, b.value), (a.body, b.body)]
        return [(getattr(a, field), getattr(b, field)) for field in _FIELDS[type(a)]]

    def function(self, a: Function, b: Function) -> list[tuple[Any, Any]] | None:
        if len(a.params) != len(b.params):
            return None
        pairs: list[tuple[Any, Any]] = [(a.type_params, b.type_params)]
        for ours, theirs in zip(a.params, b.params, strict=True):
            bound = self.binder(ours, theirs)
            if bound is None:
                return None
            pairs += bound
        return [
            *pairs,
            (a.ret_type, b.ret_type),
            (a.type_constraints, b.type_constraints),
            (a.attrs, b.attrs),
            (a.body, b.body),
        ]


_FIELDS: dict[type, tuple[str, ...]] = {
    Call: ("op", "explicit_type_args", "args", "told"),
    Tuple: ("fields",),
    If: ("cond", "true_branch", "false_branch"),
    Match: ("complete", "data", "clauses"),
    RefCreate: ("value",),
    RefRead: ("ref",),
    RefWrite: ("ref", "value"),
}


def _same_data(a: Any, b: Any) -> bool:
    """Whether two arrays hold the same, as far as it is known."""
    return a is None or b is None or a is b or (a.shape == b.shape and bool((a == b).all()))


def _is_node(expr: Any) -> bool:
    """Whether it matters how often an expression stands in a program, as it does where it is worked out."""
    return not isinstance(expr, _ATOMS) and not (type(expr) is Tuple and not expr.fields)


def _shape(data: TypeData) -> list[Any]:
    """What tells the constructors of a data type apart: name and fields of each."""
    return [(constructor.name_hint, constructor.inputs) for constructor in data.constructors]
