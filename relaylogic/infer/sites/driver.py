"""What makes the sites of calls, and says what follows from them: demands of signatures, and results kept."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from ...errors import several
from ...host.governor import spend
from ...ir import Call, Constant, Constructor, Expr, GlobalVar, IRModule, MetaRef, without_type_key
from ...ir import Var as LocalVar
from ...ir.short import callee_name
from ...logic.control import KEPT
from ...logic.terms.terms import Term, is_ground
from ...rulebase import AttributeProblem, Attrs, Operator, Relation, RuleBase, RuleError
from ...rulebase.attribute_keys import packed
from ...rulebase.open_attributes import Open
from ...rulebase.specialised.compiled import UNTOLD
from ...types import ANY, FuncType, IncompleteType, TypeRelation, TypeVar
from .agreement import agree
from .defaults import drawn
from .demands import EqualSite, EquationSite
from .entailment import UseSite
from .places import Using
from .relation_site import RelationSite
from .relaxation import Relaxation
from .schemes import Equation, holes, signature_of
from .shared_axes import SharedAxes
from .site import UNNAMED, Refusal, Site
from .store import Use
from .structure import projected
from .worklist import Worklist, speaks_of_parameters

if TYPE_CHECKING:
    from .assumed import Assuming

__all__ = ["Driver"]


class Driver(Worklist):
    """The sites of a program."""

    def __init__(
        self,
        rules: RuleBase | None,
        relaxation: Relaxation | None = None,
        *,
        module: IRModule | None = None,
        defaults: str = KEPT,
        assuming: Assuming | None = None,
        from_the_end: Collection[int] = (),
    ) -> None:
        super().__init__(rules, relaxation, module, defaults)
        self.assuming = assuming
        # The results of calls as they are written, where not each demand must be a site, and none is left out.
        looks_up = not self.records and relaxation is None and defaults is KEPT
        self._of_operators = self.rules.of_operators
        self._results = self._of_operators.results if looks_up else None
        # Names of type parameters of let-bound functions whose types speak of what is around them.
        self.names_within: set[str] = set()
        self.begun = 0  # the first of the sites of the functions that are inferred now
        # What functions that were not called yet say of what is around them, with their types.
        self.demanded: list[tuple[FuncType, list[Site]]] = []
        self.absorbed: list[Site] = []
        self.axes = SharedAxes(from_the_end)
        self.settled_none = False  # whether there are no types for what is open in a body alone
        self._operator_types: dict[str, Any] = {}

    @property
    def leaves_nothing(self) -> bool:
        """Whether nothing has been refused, nothing waits, and nothing was given up: all that is known is in types."""
        return not (self.failed or self.waiting or self.exhausted or self.unknown_attributes or self.demanded)

    def _behind(self, refused: Site) -> None:
        """Go on behind a site that has just been refused."""
        if self.assuming is not None:
            self.assuming.at_once(self, refused)

    def _agree(self) -> bool:
        """Say what calls say together of attributes that they share; whether there was anything."""
        return bool(self.unknown_attributes) and agree(self)

    def _draw_defaults(self) -> bool:
        """Have what is open be what it is by default; whether there was anything."""
        found = drawn(self) if self.waiting and self.defaults is KEPT else {}
        for site, values in found.items():
            site.drawn = values
            self._attempt(site)
        return bool(found)

    def adopt(self, origin: Site) -> None:
        """Turn what unification found to be owed for polymorphic values into sites."""
        pending = self.store.demands
        while pending:
            demand = pending.pop()
            if type(demand) is Use:
                self.add(UseSite(demand, getattr(origin, "place", ""), origin.expr, origin.owner, origin.span))
            else:
                self.constrain(demand, origin.expr, origin.owner, origin.where)

    def constrain(self, constraint: Any, expr: Any, owner: str, where: Any = None) -> None:
        """Demand a `where` constraint, or an equation between extents, of what stands at `where`."""
        if isinstance(constraint, Equation):
            self.add(EquationSite(constraint, expr, owner))
            return
        try:
            relation = self.rules.relation(constraint.name)
        except RuleError as problem:
            self.refuse(Site(expr, owner), problem.message, malformed=True)
            return
        if len(constraint.arguments) != relation.arity:
            wanted, count = several(relation.arity, "type"), len(constraint.arguments)
            message = f"`{constraint.name}` relates {wanted}, but {count} {'is' if count == 1 else 'are'} given"
            self.refuse(Site(expr, owner), message, malformed=True)
            return
        index = self.rules.index_of(relation)
        if index is not None:
            data, component = constraint.arguments
            projected(self, index, data, component, expr, owner)
            return
        call = self.axes.of_call(constraint.attrs)
        given = self.store.reify(constraint.attrs) if call is None else constraint.attrs
        attrs = self.attributes.complete(relation, given)
        if call is None:
            site = self._relating(relation, constraint.arguments, attrs, expr, owner)
        else:
            site = self._relating(relation, constraint.arguments, self.axes.used(call, attrs), expr, owner)
            self.axes.note(call, site)
        site.where = where
        site.given = self.store.given
        self.add(site)

    def operator_call(self, call: Call, operator: Operator, arg_types: tuple[Any, ...], owner: str) -> Any:
        """The type of a call of an operator."""
        given = call.given if self.relaxation is None else self._given(call)
        written = (packed(given) or _written(given)) if given else b""
        results, assumed = self._results, self.store.given
        key = None
        if results is not None and written is not None and assumed is not None and assumed.is_empty:
            # Of most calls all else is known, and the rules say just what the result is. Their sites would be settled
            # for good in the first attempt and be forgotten, so they are not made: that takes longer than to look up.
            key = (operator.asked, written, arg_types)
            known = results.get(key)
            if known is not None and known is not UNTOLD:
                spend()
                return known
        if not operator.variadic and len(arg_types) != len(operator.inputs):
            count, given = len(operator.inputs), len(arg_types)
            message = (
                f"`{operator.name}` takes {several(count, 'argument')} "
                f"({', '.join(operator.inputs)}), but {given} {'is' if given == 1 else 'are'} given"
            )
            self.refuse(Site(call, owner), message, malformed=True)
            return IncompleteType()
        try:
            attrs = self._attrs(operator, call, given, written)
        except AttributeProblem as problem:
            self.refuse(Site(call, owner), f"`{operator.name}`: {problem}", malformed=True)
            return IncompleteType()
        if type(attrs) is Open:
            self.unknown_attributes += attrs.values
            attrs = self.axes.opened(call, attrs)
        elif key is not None and known is None:
            known = self._result(key, operator.relation, attrs)
            if known is not None:
                return known
        site = self._relating(operator.relation, (*arg_types, UNNAMED), attrs, call, owner, operator.name)
        site.given = self.store.given
        self.add(site)
        return site.arguments[-1]

    def _relating(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, expr: Any, owner: str, callee: str = ""
    ) -> RelationSite:
        """The site of a relation; attributes that are not known are arguments of it, before the result."""
        if type(attrs) is Open:
            arguments = (*arguments[:-1], *attrs.values, arguments[-1])
            return RelationSite(self.rules.asking(relation, attrs.spec), arguments, None, expr, owner, callee)
        return RelationSite(relation, arguments, attrs, expr, owner, callee)

    def _result(self, key: tuple[Any, bytes | str, tuple[Any, ...]], relation: Relation, attrs: Any) -> Any:
        """The result of a call if all else is known, and the rules say just what it is; else None.

        It is kept, unless the relation is one that the rule base does not know: it may have the name of another one.
        """
        inputs = key[-1]
        for known in inputs:
            if not (isinstance(known, Term) and known.ground):
                return None
        rules = self._of_operators
        is_known = rules.relations.get(relation.name) is relation
        # What holds of type parameters is asked at the end of the function.
        if self.has_parameters and speaks_of_parameters(inputs):
            if is_known:
                self._results[key] = UNTOLD  # type: ignore[index]
            return None
        try:
            result = (rules if is_known else self.rules).result(relation, inputs, attrs, self.defaults)
        except RuleError:
            return None  # the site says why
        if is_known:
            self._results[key] = UNTOLD if result is None else result  # type: ignore[index]
        if result is not None:
            spend()
        return result

    def attrs_of(self, operator: Operator, call: Call, given: Any = None) -> Attrs | Open | None:
        """The attributes of a call, complete, or what they are if it gives others. Raises AttributeProblem."""
        if given is None:
            given = self._given(call)
        return self._attrs(operator, call, given, (packed(given) or _written(given)) if given else b"")

    def _given(self, call: Call) -> Any:
        """The attributes that a call gives, or what somebody supposes that it does."""
        return call.given if self.relaxation is None else self.relaxation.attrs.get(id(call), call.given)

    def _attrs(self, operator: Operator, call: Call, given: Any, written: bytes | str | None) -> Attrs | Open | None:
        """`attrs_of` a call that gives some, as they are `written`."""
        if not given and not operator.attributes:
            return None
        if written is not None:
            key = (operator, written)
            known = self.rules.attrs_table.get(key)
            if known is None:
                known = self.rules.attrs_table[key] = operator.attrs(without_type_key(given))
            return known
        complete: Attrs | Open = operator.attrs(
            {n: _plain(value, call.args) for n, value in without_type_key(given).items()}
        )
        return complete

    def apply(self, callee: Any, arg_types: tuple[Any, ...], expr: Any, owner: str, type_args: Any = ()) -> Any:
        """The type of a call of a value of known type. Raises Refusal if it cannot be called so."""
        if type(callee) is not FuncType:
            raise Refusal(f"a value of type {self.show(callee)} is called, which is no function")
        if len(callee.arg_types) != len(arg_types):
            count, given = len(callee.arg_types), len(arg_types)
            is_named = type(expr) is Call and isinstance(expr.op, (GlobalVar, LocalVar, Constructor))
            raise Refusal(
                f"{f'`{callee_name(expr)}`' if is_named else 'the function'} takes {several(count, 'argument')}, "
                f"but {given or 'none'} {'is' if given < 2 else 'are'} given; its type is {self.show(callee)}"
            )
        matching = self.matching
        if matching is not None and callee.type_params and not type_args:
            known = matching.result(callee, arg_types, self.store)
            if known is not None:
                spend()
                return known
        if self.assuming is not None:
            callee = self.assuming.at_call(self, callee, expr)
        doubted = False
        if callee.type_params:
            values = [*type_args, *holes(callee.type_params[len(type_args) :])]
            wanted, result, demands = signature_of(callee, values)
        else:
            wanted, result, demands = callee.arg_types, callee.ret_type, callee.type_constraints
        arguments = getattr(expr, "args", ())
        for i, (actual, expected) in enumerate(zip(arg_types, wanted, strict=True)):
            if actual is not expected:
                place = Using(arguments[i], expr) if i < len(arguments) else None
                site = EqualSite(actual, expected, f"argument {i + 1}", expr, owner, place)
                doubted = doubted or (self.assuming is not None and self.assuming.doubts(site))
                self.add(site)
        for demand in demands:
            self.constrain(demand, expr, owner)
        if self.demanded and self.relaxation is None:  # which may leave out what the call demands
            self._take_back(callee)
        if doubted and self.assuming is not None:
            return self.assuming.applied(self, callee, list(type_args), arg_types, expr)
        return result

    def _take_back(self, called: FuncType) -> None:
        """Forget that what a function demands of what is around it may hold: a call demands it."""
        reify = self.store.reify
        known = reify(called)
        kept = []
        for function, sites in self.demanded:
            if function.type_params != called.type_params or reify(function) != known:
                kept.append((function, sites))
                continue
            for site in sites:
                if site.state in ("done", "waiting"):
                    site.state = "absorbed"
                    self.waiting.pop(site, None)
        self.demanded = kept

    def operator_type(self, operator: Operator) -> Any:
        """An operator as a value: `fn [t1, t2](t1) -> t2 where Relation(t1, t2)`."""
        known = self._operator_types.get(operator.name)
        if known is None:
            parameters = tuple(TypeVar(f"t{i + 1}") for i in range(operator.relation.arity))
            attrs = operator.attrs({}) if operator.relation.takes_attrs else None
            written = self.attributes.written(operator.relation, attrs)
            constraint = TypeRelation(operator.relation.name, parameters, attrs=written)
            known = FuncType(parameters[:-1], parameters[-1], parameters, (constraint,))
            self._operator_types[operator.name] = known
        return known


_PLAIN = frozenset({int, float, bool, str, type(None), tuple, type(ANY)})


def _written(given: dict[str, Any]) -> str | None:
    """What tells attributes from all others, if they are data, and all known; else None."""
    for value in given.values():
        kind = type(value)
        if kind not in _PLAIN or (kind is tuple and not is_ground(value)):
            return None
    return repr(given)


def _plain(value: Any, arguments: tuple[Any, ...]) -> Any:
    """An attribute as data: a constant by what it is, an argument by its place, anything else by its name."""
    if isinstance(value, Constant):
        shape = getattr(value.tensor_type, "shape", None)
        return {"const": value.value, "dtype": getattr(value.tensor_type, "dtype", None), "shape": shape}
    if isinstance(value, Expr):
        for index, argument in enumerate(arguments):
            if argument is value:
                return {"arg": index}
        return {"expr": repr(value)}
    return repr(value) if isinstance(value, MetaRef) else value
