"""From expressions to call sites: gives every node of a function its type, or a variable that stands for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir import (
    Constant,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    free_vars,
    structural_equal,
    used_once,
)
from ..ir import Var as LocalVar
from ..logic.terms.terms import is_ground
from ..logic.terms.variables import VARIABLES, fresh
from ..types import FuncType, IncompleteType, RefType, TupleType, scalar_type
from .calls import Calls
from .checks.kinds import kind_problems, parameter_problems
from .open.declared import with_demands
from .patterns import check_coverage, type_pattern
from .sites.demands import EqualSite, ScopeSite
from .sites.places import Ending, Using, tail
from .sites.schemes import holes, instance_of
from .sites.site import UNNAMED
from .sites.structure import projected

__all__ = ["Generator", "declared_type"]

BOOL = scalar_type("bool")
UNIT = TupleType(())
_NO_HOLES: Mapping[int, Any] = {}


def declared_type(function: Function, holes: Mapping[int, Any] = _NO_HOLES) -> Any:
    """The type that a function literal's annotations say it has, or None if some are left out or partly open.

    `holes` stand where annotations of a variable, or the result type of a function, are not to be read.
    """
    if function.ret_type is None or any(p.type_annotation is None for p in function.params):
        return None
    declared = FuncType(
        tuple(p.type_annotation for p in function.params),
        function.ret_type,
        function.type_params,
        function.type_constraints,
    )
    if not declared.ground:
        return None
    if not holes or not (id(function) in holes or any(id(p) in holes for p in function.params)):
        return declared
    params = tuple(holes.get(id(p), p.type_annotation) for p in function.params)
    result = holes.get(id(function), function.ret_type)
    return FuncType(params, result, function.type_params, function.type_constraints)


class _Lets:
    """What is done behind a let, and behind those that are its body, the body of that and so on: each has the type of
    what they come to."""

    __slots__ = ("first", "types")

    def __init__(self, first: Let, types: dict[int, Any]) -> None:
        self.first = first
        self.types = types

    def __call__(self) -> None:
        types = self.types
        chain: list[Let] = []
        expr: Any = self.first
        while id(expr) not in types:
            chain.append(expr)
            expr = expr.body
        known = types[id(expr)]
        for let in reversed(chain):
            types[id(let)] = known


class Generator(Calls):
    """Generates the sites of functions of one module."""

    def declared(self, function: Function) -> Any:
        """The type that a function literal is declared with; None if some of it is left out, or omitted."""
        holes = self.holes
        if self._omitted and (id(function) in holes or any(id(p) in holes for p in function.params)):
            return None
        declared = declared_type(function, holes)
        return declared if declared is None else self.believed(function, declared)

    def believed(self, function: Function, known: Any) -> Any:
        """The type of a function that calls itself, with what is believed of its demands: those are found later."""
        return self.beliefs.of(function, known, self.driver.store) if function.type_params else known

    def _local(self, expr: LocalVar) -> None:
        self.refuse(expr, f"`%{expr.name_hint}` is not bound here", malformed=True)
        self.types[id(expr)] = IncompleteType()

    def _global(self, expr: GlobalVar) -> None:
        known = self.globals.get(expr)
        if known is None:
            known = self.module.declarations.get(f"@{expr.name_hint}")
        if known is None:
            self.refuse(expr, f"there is no function `@{expr.name_hint}`", malformed=True)
            known = IncompleteType()
        self.used.add(expr)
        self.types[id(expr)] = known
        if type(known) in VARIABLES:
            self.met.setdefault(expr, set()).add(id(expr))

    def _constant(self, expr: Constant) -> None:
        self.types[id(expr)] = self.annotation(expr.tensor_type, expr)

    def _tuple(self, expr: Tuple) -> None:
        if not self._postponed(expr, expr.fields):
            types = self.types
            if self.holes and self._is_supposed(expr):
                return
            types[id(expr)] = TupleType(tuple(map(types.__getitem__, map(id, expr.fields))))

    def _projection(self, expr: TupleGetItem) -> None:
        if self._postponed(expr, (expr.tuple_value,)):
            return
        if self.holes and self._is_supposed(expr):
            return
        data = self.types[id(expr.tuple_value)]
        self.types[id(expr)] = projected(self.driver, expr.index, data, UNNAMED, expr, self.owner)

    def _known(self, expr: Any) -> Any:
        """What is known of the type of an expression; None if it was not visited."""
        return self.driver.store.reify(self.types.get(id(expr)))

    def _function(self, expr: Function) -> None:
        types, holes = self.types, self.holes
        for parameter in expr.params:
            hole = holes.get(id(parameter))
            types[id(parameter)] = self.annotation(parameter.type_annotation, parameter) if hole is None else hole
        params = tuple(map(types.__getitem__, map(id, expr.params)))
        if expr is self._root and self.driver.draws_at_once and None in [p.type_annotation for p in expr.params]:
            once = used_once(expr.body)
            self.driver.alone.update(t for p, t in zip(expr.params, params, strict=True) if p in once)
        if self._relaxation.renamed:
            known = {id(p): type_ for p, type_ in zip(expr.params, params, strict=True)}
            others = self._relaxation.renamed.items()
            types.update({own: known[other] for own, other in others if own in known and other in known})
        if expr.type_params:
            self.driver.has_parameters = True
        for problem in parameter_problems(expr.type_params, "function") if expr.type_params else ():
            self.refuse(expr, problem.message)
        constraints = self._constraints(expr) if expr.type_constraints else ()
        store = self.driver.store
        outer = store.given
        earlier = len(self.driver.sites)
        if constraints and outer is not None:
            store.assume(outer.extended(constraints))

        def close() -> None:
            body = types[id(expr.body)]
            if expr.ret_type is not None:
                result = self.annotation(expr.ret_type, expr)
                if body is not result:
                    body, where = tail(expr.body)[0], Ending(expr.body, expr)
                    self.equal(self._fitted(expr.body, result), result, "the body", body, where)
                body = result
            elif id(expr) in self._unbound:
                body = IncompleteType()
            if constraints:
                store.assume(outer)
            if expr.type_params:
                self._scope(expr)
            known = FuncType(params, body, expr.type_params, constraints)
            if expr.type_params and expr is not self._root:
                known = with_demands(self.driver, known, expr, self.owner, self.driver.sites[earlier:], self._known)
            types[id(expr)] = known

        self._agenda.append(close)
        if id(expr.body) not in types:
            self._agenda.append(expr.body)

    def _constraints(self, expr: Function) -> tuple[Any, ...]:
        """The constraints of a function that are well-kinded; the others are refused, and say nothing."""
        kept = []
        for constraint in expr.type_constraints:
            problems = kind_problems(constraint, self.module, "Constraint")
            for problem in problems:
                self.refuse(expr, problem.message)
            if not problems:
                kept.append(constraint)
        return tuple(kept)

    def _scope(self, expr: Function) -> None:
        """Demand that what a function does not bind has no type that its type parameters occur in.

        One of the module uses no variable that it does not bind, or is refused for that.
        """
        used = [] if expr is self._root else [self.types.get(id(v)) for v in free_vars(expr)]
        outside = [t for t in used if not is_ground(t)]
        outside.extend(t for t in self.globals.values() if type(t) in VARIABLES)
        if outside and id(expr) not in self.silent:
            self.driver.add(ScopeSite(expr.type_params, tuple(outside), expr, self.owner))

    def _let(self, expr: Let) -> None:
        types = self.types
        variable, value = expr.var, expr.value
        annotation = None
        if variable.type_annotation is not None:
            annotation = self.annotation(variable.type_annotation, variable)
        if type(value) is Function:
            types[id(variable)] = annotation or self.declared(value) or IncompleteType()

        def bind() -> None:
            known = types[id(value)]
            if annotation is not None:
                if known is not annotation:
                    known = self._fitted(value, annotation)
                    self.equal(known, annotation, f"`%{variable.name_hint}`", value, Using(value, expr), expr)
                types[id(variable)] = annotation
            elif id(variable) in self._unbound:
                types[id(variable)] = IncompleteType()
            elif type(value) is Function:
                if id(value) in self.silent:
                    known = None
                else:
                    believed = self.believed(value, known)
                    self.equal(types[id(variable)], believed, f"`%{variable.name_hint}`", value)
                types[id(variable)] = scheme = self._generalise(self, value, known, variable)
                if value.type_params and variable in free_vars(value):
                    self.beliefs.compare(variable, value, self.owner, scheme)
            else:
                types[id(variable)] = known

        if not self._agenda or type(self._agenda[-1]) is not _Lets:  # else it is the body of one
            self._agenda.append(_Lets(expr, types))
        body = self._behind_dead(expr.body)
        if id(body) not in types:
            self._agenda.append(body)
        if self._relaxation.is_dead(value):
            types[id(value)] = IncompleteType()
            bind()
        else:
            self._then(bind, value)

    def _behind_dead(self, expr: Any) -> Any:
        """What is behind the lets that an expression begins with, as long as these bind plain variables to what is
        dead: each is of any type. Of a long program, most are."""
        types, is_dead = self.types, self._relaxation.is_dead
        while type(expr) is Let and is_dead(expr.value) and id(expr) not in types:
            if expr.var.type_annotation is not None or type(expr.value) is Function:
                break
            types[id(expr.value)] = types[id(expr.var)] = IncompleteType()
            expr = expr.body
        return expr

    def _joined(self, places: list[str], endings: list[Ending]) -> Any:
        """One type for all branches."""
        results = [self.types[id(ending.expr)] for ending in endings]
        if results.count(results[0]) == len(results) or self._are_one_polymorphic(results):
            return results[0]
        joined = fresh()
        assuming, doubted = self.driver.assuming, False
        for result, place, ending in zip(results, places, endings, strict=True):
            expr = ending.expr
            known = self.driver.store.walk(result)
            if type(known) is FuncType and known.type_params:
                # Branches meet at an instance; a polymorphic one need not be the first.
                result, demands = instance_of(known, holes(known.type_params))
                for demand in demands:
                    self.driver.constrain(demand, expr, self.owner)
            site = EqualSite(result, joined, place, tail(expr)[0], self.owner, ending)
            doubted = doubted or (assuming is not None and assuming.doubts(site))
            self.driver.add(site)
        return assuming.met(self.driver, results) if doubted and assuming is not None else joined

    def _are_one_polymorphic(self, results: list[Any]) -> bool:
        """Whether all branches are polymorphic functions of one type: then the result is as polymorphic."""
        first, *others = (self.driver.store.reify(result) for result in results)
        if type(first) is not FuncType or not first.type_params or not first.ground:
            return False
        return all(type(other) is FuncType and structural_equal(first, other) for other in others)

    def _if(self, expr: If) -> None:
        types = self.types

        def join() -> None:
            if types[id(expr.cond)] is not BOOL:
                self.equal(types[id(expr.cond)], BOOL, "the condition", expr.cond, Using(expr.cond, expr), expr)
            if id(expr) in self.silent:
                types[id(expr)] = IncompleteType()
                return
            branches = [Ending(branch, expr) for branch in (expr.true_branch, expr.false_branch)]
            types[id(expr)] = self._joined(["the first branch", "the second branch"], branches)

        self._then(join, expr.cond, expr.true_branch, expr.false_branch)

    def _match(self, expr: Match) -> None:
        types = self.types

        def patterns() -> None:
            matched = types[id(expr.data)]
            for first in expr.clauses[:1]:
                matched = types[id(first)] = IncompleteType() if id(first) in self._unbound else matched
            for clause in expr.clauses:
                type_pattern(self, clause.lhs, matched)

        def join() -> None:
            if id(expr) in self.silent:
                types[id(expr)] = IncompleteType()
                return
            arms = [Ending(clause.rhs, clause) for clause in expr.clauses]
            places = [f"arm {i + 1} of the match" for i in range(len(arms))]
            types[id(expr)] = self._joined(places, arms) if arms else IncompleteType()
            check_coverage(self, expr)

        self._agenda.append(join)
        self._agenda.extend(clause.rhs for clause in reversed(expr.clauses))
        self._then(patterns, expr.data)

    def _ref_create(self, expr: RefCreate) -> None:
        def create() -> None:
            if self.holes and self._is_supposed(expr):
                return
            self.types[id(expr)] = RefType(self.types[id(expr.value)])

        self._then(create, expr.value)

    def _ref_read(self, expr: RefRead) -> None:
        def read() -> None:
            if self.holes and self._is_supposed(expr):
                return
            content = self.types[id(expr)] = IncompleteType()
            self.equal(self.types[id(expr.ref)], RefType(content), "the reference", expr)

        self._then(read, expr.ref)

    def _ref_write(self, expr: RefWrite) -> None:
        def write() -> None:
            if self.holes and self._is_supposed(expr):
                return
            reference = RefType(self.types[id(expr.value)])
            self.equal(self.types[id(expr.ref)], reference, "the reference", expr)
            self.types[id(expr)] = UNIT

        self._then(write, expr.ref, expr.value)

    visits = {
        **Calls.visits,
        LocalVar: _local,
        GlobalVar: _global,
        Constant: _constant,
        Tuple: _tuple,
        TupleGetItem: _projection,
        Function: _function,
        Let: _let,
        If: _if,
        Match: _match,
        RefCreate: _ref_create,
        RefRead: _ref_read,
        RefWrite: _ref_write,
    }
