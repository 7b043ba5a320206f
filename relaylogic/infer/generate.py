"""From expressions to call sites: gives every node of a function its type, or a variable that stands for it.

One pass over the graph with an explicit agenda; a node that is reached twice is typed once. Types of nodes live in the
`types` table, by identity of the node; nothing is written into the program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..errors import several
from ..host.governor import spend
from ..ir import (
    Call,
    Constant,
    Constructor,
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
    Tuple,
    TupleGetItem,
    children,
    coerce_type_argument,
    free_vars,
    structural_equal,
    used_once,
)
from ..ir import Var as LocalVar
from ..logic.terms.terms import Term, is_ground
from ..logic.terms.variables import VARIABLES, fresh
from ..rulebase import RuleError
from ..types import FuncType, IncompleteType, RefType, TupleType, scalar_type
from ..types.glance import glance
from .checks.kinds import definition_problems, kind_problems, parameter_problems
from .open.beliefs import Beliefs
from .open.declared import with_demands
from .patterns import check_coverage, type_pattern
from .sites.demands import ApplySite, EqualSite, ScopeSite
from .sites.driver import Driver
from .sites.places import Ending, Using, tail
from .sites.relaxation import Relaxation
from .sites.schemes import holes, instance_of
from .sites.sites import UNNAMED, Refusal, Site
from .sites.structure import constructed, projected

__all__ = ["Generator", "declared_type"]

BOOL = scalar_type("bool")
UNIT = TupleType(())
_NO_HOLES: Mapping[int, Any] = {}
_NOTHING_LEFT_OUT = Relaxation()


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


class Generator:
    """Generates the sites of functions of one module."""

    def __init__(
        self,
        module: IRModule,
        driver: Driver,
        globals_: dict[GlobalVar, Any],
        generalise: Any,
        holes: Mapping[int, Any] = _NO_HOLES,
        beliefs: Beliefs | None = None,
    ) -> None:
        self.module = module
        self.holes = holes
        self.beliefs = beliefs or Beliefs({})
        self.driver = driver
        self._operators = driver.rules.operators
        self._declarations = module.declarations
        self.globals = globals_
        self.types: dict[int, Any] = {}
        self.owner = ""
        self.warnings: list[tuple[Any, str]] = []
        self._generalise = generalise
        self._agenda: list[Any] = []
        self._root: Function | None = None  # the function of the module that is visited: what it demands is said later
        self._constructors: dict[Constructor, tuple[Any, Any, Any]] = {}
        self._well_kinded: set[Term] = set()  # annotations of which that is not seen at a glance, without the module
        self.used: set[GlobalVar] = set()
        self.met: dict[GlobalVar, set[int]] = {}  # where functions were used before their types were known
        relaxation = driver.relaxation
        self._relaxation = relaxation or _NOTHING_LEFT_OUT
        self.silent: Collection[int] = () if relaxation is None else relaxation.silent
        self._omitted = relaxation is not None and relaxation.omitted
        self._sound: Collection[int] = () if relaxation is None else relaxation.sound
        self._unbound: Collection[int] = () if relaxation is None else relaxation.unbound

    def _unless_silent(self, visit: _Visit, expr: Any) -> None:
        """Visit an expression; if it is silent, what is inside of it, unless that is dead."""
        if self._relaxation.is_dead(expr):
            self.types[id(expr)] = IncompleteType()
        elif id(expr) not in self.silent or type(expr) in (If, Match):
            visit(self, expr)
        elif type(expr) is Function:
            self._agenda.append(lambda: self.types.update({id(expr): IncompleteType()}))
            visit(self, expr)
        else:
            inside = expr.args if type(expr) is Call and type(expr.op) is Op else children(expr)
            if not self._postponed(expr, inside):
                self.types[id(expr)] = IncompleteType()

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

    def definitions(self) -> None:
        """Check the data types that the module defines."""
        for data in self.module.type_definitions.values():
            for problem in definition_problems(data, self.module):
                self.refuse(data, problem.message)

    def function(self, name: str, function: Function) -> Any:
        """The type of a function of the module."""
        self.owner = name
        self._root = function
        agenda = self._agenda
        agenda.append(function)
        types = self.types
        visits, silent = _VISITS, bool(self.silent)
        while agenda:
            item = agenda.pop()
            visit = visits.get(type(item))
            if visit is None:
                item()
            elif id(item) not in types:
                if silent:
                    self._unless_silent(visit, item)
                else:
                    visit(self, item)
        return types[id(function)]

    def _then(self, action: Callable[[], None], *children: Any) -> None:
        """Visit the children in order, then act."""
        self._agenda.append(action)
        types = self.types
        self._agenda.extend(child for child in reversed(children) if id(child) not in types)

    def refuse(self, expr: Any, message: str, span: Any = None, malformed: bool = False) -> None:
        """Record that an expression is wrong; with `malformed`, it is so whatever the types are."""
        if not self.silent or id(expr) not in self.silent:
            self.driver.refuse(Site(expr, self.owner, span), message, malformed)

    def equal(self, actual: Any, expected: Any, place: str, expr: Any, span: Any = None, user: Any = None) -> None:
        """Demand that the type of a value is the one that its place wants."""
        if actual is not expected:
            site = EqualSite(actual, expected, place, expr, self.owner, span, user)
            site.given = self.driver.store.given
            self.driver.add(site)

    def _is_supposed(self, expr: Any) -> bool:
        """Whether a what-if question says which type an expression has, which it then has."""
        hole = self.holes.get(id(expr))
        if hole is None:
            return False
        self.types[id(expr)] = hole
        return True

    def annotation(self, annotation: Any, expr: Any, span: Any) -> Any:
        """A written type, checked; a hole if it is left out or ill-kinded."""
        if annotation is None:
            return IncompleteType()
        if self.holes and id(expr) in self.holes:
            return self.holes[id(expr)]
        if self._sound and id(expr) in self._sound:
            return annotation
        seen = glance(annotation)
        if (seen is not None and not seen.calls) or (isinstance(annotation, Term) and annotation in self._well_kinded):
            return annotation
        problems = kind_problems(annotation, self.module)
        for problem in problems:
            self.refuse(expr, problem.message, span)
        if problems:
            return IncompleteType()
        if isinstance(annotation, Term):
            self._well_kinded.add(annotation)
        return annotation

    # Leaves

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

    def settle(self, function: GlobalVar, scheme: Any) -> None:
        """Take note of the type of a function that was used before it was known: a node may be shared by all uses."""
        self.types.update(dict.fromkeys(self.met.pop(function, ()), scheme))

    def _constant(self, expr: Constant) -> None:
        self.types[id(expr)] = self.annotation(expr.tensor_type, expr, None)

    def _operator(self, expr: Op) -> None:
        declared = self.module.declarations.get(expr.name)
        try:
            self.types[id(expr)] = declared or self.driver.operator_type(self.driver.rules.operator(expr.name))
        except (RuleError, ValueError) as problem:
            self.driver.refuse(Site(expr, self.owner), str(getattr(problem, "message", problem)), malformed=True)
            self.types[id(expr)] = IncompleteType()

    def _constructor(self, expr: Constructor) -> None:
        matching = self.driver.store.matching
        known = None if matching is None else matching.signature(expr)
        self.types[id(expr)] = self._constructed(expr)[0] if known is None else known

    def _constructed(self, expr: Constructor) -> tuple[Any, Any, Any]:
        """The type of a constructor as a value, its relation, what this says if it is decided by unification alone."""
        known = self._constructors.get(expr)
        if known is None:
            known = self._constructors[expr] = self._stated(expr)
        return known

    def _stated(self, expr: Constructor) -> tuple[Any, Any, Any]:
        """What the rules state of a constructor."""
        rules = self.driver.rules
        relation = rules.constructor(expr)
        if relation is None:
            self.refuse(expr, f"the type of the constructor `{expr.name_hint}` is not defined", malformed=True)
            return IncompleteType(), None, None
        return rules.constructor_type(expr), relation, rules.head(relation)

    # Compound expressions

    def _postponed(self, expr: Any, children: tuple[Any, ...]) -> bool:
        """Whether `expr` must be visited again because some children have no type yet; they are visited first."""
        types, agenda = self.types, self._agenda
        postponed = False
        for child in reversed(children):
            if id(child) not in types:
                if not postponed:
                    agenda.append(expr)
                    postponed = True
                agenda.append(child)
        return postponed

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

    def _call(self, expr: Call) -> None:
        op, types = expr.op, self.types
        if type(op) is not Op or op.name in self._declarations:
            if not self._postponed(expr, (op, *expr.args)):
                self._call_value(expr)
            return
        arg_types = []
        for argument in expr.args:
            known = types.get(id(argument))
            if known is None:  # as `_postponed` does
                agenda = self._agenda
                agenda.append(expr)
                for child in reversed(expr.args):
                    if id(child) not in types:
                        agenda.append(child)
                return
            arg_types.append(known)
        operator = self._operators.get(op.name)
        if operator is None:
            self._unknown_operator(expr, op.name)
            return
        if self.holes and self._is_supposed(expr):
            return
        inputs = (TupleType(tuple(arg_types)),) if operator.variadic else tuple(arg_types)
        types[id(expr)] = self.driver.operator_call(expr, operator, inputs, self.owner)

    def _unknown_operator(self, expr: Call, name: str) -> None:
        try:
            self.driver.rules.operator(name)
        except RuleError as problem:
            message = problem.message
            if self.module.find_global_var(name) is not None:
                message += f"; the function `@{name}` is called with its `@`"
            self.driver.refuse(Site(expr, self.owner), message, malformed=True)
        self.types[id(expr)] = IncompleteType()

    def _call_value(self, expr: Call) -> None:
        types = self.types
        if self.holes and self._is_supposed(expr):
            return
        if id(expr.op) in self._unbound:
            types[id(expr)] = IncompleteType()  # whatever it is, every use may be at a type of its own
            return
        callee = self.driver.store.walk(types[id(expr.op)])
        arg_types = tuple([types[id(a)] for a in expr.args])
        if type(callee) in VARIABLES:
            result = types[id(expr)] = fresh()
            self.driver.add(ApplySite(callee, arg_types, result, expr, self.owner))
            return
        if type(expr.op) is Constructor and type(callee) is FuncType and len(callee.arg_types) == len(arg_types):
            self._call_constructor(expr, callee, arg_types)
            return
        if type(callee) is FuncType and Function in map(type, expr.args):
            wanted = (*callee.arg_types, *(None for _ in arg_types[len(callee.arg_types) :]))
            arg_types = tuple([self._fitted(a, w) for a, w in zip(expr.args, wanted, strict=False)])
        try:
            type_args = self._type_arguments(expr, callee)
            types[id(expr)] = self.driver.apply(callee, arg_types, expr, self.owner, type_args)
        except Refusal as refusal:
            self.refuse(expr, refusal.message)
            types[id(expr)] = IncompleteType()

    def _call_constructor(self, expr: Call, type_: Any, arg_types: tuple[Any, ...]) -> None:
        """A call of a constructor; `type_` is its type as a value."""
        driver = self.driver
        if Function in map(type, expr.args):
            arg_types = tuple([self._fitted(a, w) for a, w in zip(expr.args, type_.arg_types, strict=True)])
        try:
            values = self._type_arguments(expr, type_) if expr.explicit_type_args else ()
        except Refusal as refusal:
            self.refuse(expr, refusal.message)
            self.types[id(expr)] = IncompleteType()
            return
        if driver.store.matching is not None and not values:
            known = driver.store.matching.made(expr.op, arg_types, driver.store)  # type: ignore[arg-type]
            if known is not None:
                spend()
                self.types[id(expr)] = known
                return
        _, relation, head = self._constructed(expr.op)  # type: ignore[arg-type]
        result, site = constructed(driver, relation, head, arg_types, expr, self.owner, values)
        if driver.assuming is not None and driver.assuming.doubts(site):
            result = driver.assuming.applied(driver, type_, list(values), arg_types, expr)
        self.types[id(expr)] = result

    def _fitted(self, expr: Any, wanted: Any) -> Any:
        """The type of a value; that of a function literal serves for every type where such a one is wanted."""
        known = self.types[id(expr)]
        literal = type(expr) is Function and type(known) is FuncType
        if literal and type(wanted) is FuncType and wanted.type_params and not known.type_params:
            return self._generalise(self, expr, known, None)
        return known

    def _type_arguments(self, expr: Call, callee: Any) -> list[Any]:
        parameters = getattr(callee, "type_params", ())
        if len(expr.explicit_type_args) > len(parameters):
            count, given = len(parameters), len(expr.explicit_type_args)
            raise Refusal(f"the function takes {several(count, 'type argument')}, but {given} are given")
        arguments = []
        for argument, parameter in zip(expr.explicit_type_args, parameters, strict=False):
            try:
                value = coerce_type_argument(argument, parameter.kind)
            except ValueError as problem:
                raise Refusal(f"type argument for `{parameter.name_hint}`: {problem}") from None
            for kind_problem in kind_problems(value, self.module, parameter.kind):
                raise Refusal(f"type argument for `{parameter.name_hint}`: {kind_problem.message}")
            arguments.append(value)
        return arguments

    def _known(self, expr: Any) -> Any:
        """What is known of the type of an expression; None if it was not visited."""
        return self.driver.store.reify(self.types.get(id(expr)))

    def _function(self, expr: Function) -> None:
        types = self.types
        for parameter in expr.params:
            span = parameter.type_span or parameter.span
            types[id(parameter)] = self.annotation(parameter.type_annotation, parameter, span)
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
                result = self.annotation(expr.ret_type, expr, expr.ret_span)
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
            annotation = self.annotation(variable.type_annotation, variable, variable.type_span or variable.span)
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
        if id(expr.body) not in types:
            self._agenda.append(expr.body)
        if self._relaxation.is_dead(value):
            types[id(value)] = IncompleteType()
            bind()
        else:
            self._then(bind, value)

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

    # References

    def _ref_create(self, expr: RefCreate) -> None:
        def create() -> None:
            self.types[id(expr)] = RefType(self.types[id(expr.value)])

        self._then(create, expr.value)

    def _ref_read(self, expr: RefRead) -> None:
        def read() -> None:
            content = self.types[id(expr)] = IncompleteType()
            self.equal(self.types[id(expr.ref)], RefType(content), "the reference", expr)

        self._then(read, expr.ref)

    def _ref_write(self, expr: RefWrite) -> None:
        def write() -> None:
            reference = RefType(self.types[id(expr.value)])
            self.equal(self.types[id(expr.ref)], reference, "the reference", expr)
            self.types[id(expr)] = UNIT

        self._then(write, expr.ref, expr.value)


_Visit = Callable[[Generator, Any], None]
_VISITS: Mapping[type, _Visit] = {
    LocalVar: Generator._local,
    GlobalVar: Generator._global,
    Constant: Generator._constant,
    Op: Generator._operator,
    Constructor: Generator._constructor,
    Tuple: Generator._tuple,
    TupleGetItem: Generator._projection,
    Call: Generator._call,
    Function: Generator._function,
    Let: Generator._let,
    If: Generator._if,
    Match: Generator._match,
    RefCreate: Generator._ref_create,
    RefRead: Generator._ref_read,
    RefWrite: Generator._ref_write,
}
