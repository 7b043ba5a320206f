"""Types of calls, and of what is called: operators, constructors, functions."""

from __future__ import annotations

from typing import Any

from ..errors import several
from ..host.governor import spend
from ..ir import Call, Constructor, Function, Op, coerce_type_argument
from ..logic.terms.variables import VARIABLES, fresh
from ..rulebase import RuleError
from ..types import FuncType, IncompleteType, TupleType
from .checks.kinds import kind_problems
from .sites.demands import ApplySite
from .sites.site import Refusal, Site
from .sites.structure import constructed
from .visitor import Visitor

__all__ = ["Calls"]


class Calls(Visitor):
    """Visits calls."""

    def _operator(self, expr: Op) -> None:
        declared = self.module.declarations.get(expr.name)
        try:
            self.types[id(expr)] = declared or self.driver.operator_type(self.driver.rules.operator(expr.name))
        except (RuleError, ValueError) as problem:
            self.driver.refuse(Site(expr, self.owner), str(getattr(problem, "message", problem)), malformed=True)
            self.types[id(expr)] = IncompleteType()

    def _constructor(self, expr: Constructor) -> None:
        matching = self.driver.matching
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
        if driver.matching is not None and not values:
            known = driver.matching.made(expr.op, arg_types, driver.store)  # type: ignore[arg-type]
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

    visits = {Op: _operator, Constructor: _constructor, Call: _call}
