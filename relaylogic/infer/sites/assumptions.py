"""What follows from what is taken for granted: equations between type parameters.

An equation `parameter = term` is kept only if the term is made of parameters and constants: that t1 is a tensor of some
shape says nothing that a type could be written with. Where a function must serve for all types that a `where` allows,
nothing is written: that shape is a type parameter then, which is made up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ...logic.control import FREE
from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import Arith, symbols_of
from ...logic.terms.rebuilding import canonical, instantiate, reify_term
from ...logic.terms.terms import Term, is_ground, variables_of
from ...logic.terms.variables import VARIABLES
from ...rulebase import RuleError
from ...types import IncompleteType, TypeRelation, TypeVar
from ...types.substitution import substitute
from ..checks.kinds import kind_of, open_kinds
from .attributes import Attributes
from .demand_goals import parameters_in, said_by_two
from .given import Given
from .schemes import bound_in
from .store import Mismatch, Store

__all__ = ["Assumptions"]

_ROUNDS = 50
_MADE_UP = {"Type": "t", "BaseType": "d", "Shape": "s", "ShapeVar": "n"}


class Assumptions(Given):
    """Assumed constraints, with all that follows from them."""

    __slots__ = ()

    def extended(self, constraints: tuple[Any, ...], told: Collection[Any] = ()) -> Assumptions:
        """This and more constraints."""
        if not constraints:
            return self
        written = (*self.constraints, *map(self.normal, constraints))
        equal, made_up = dict(self.equal), list(self.made_up)
        while True:
            found, new = _equations(self.attributes, written, told)
            if not found:
                return Assumptions(self.attributes, written, equal, tuple(made_up))
            known = Assumptions(self.attributes, (), found)
            equal = {parameter: known.normal(term) for parameter, term in equal.items()} | found
            written = tuple(map(known.normal, written))
            made_up += new

    def assumed(self, name: str, attrs: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """As `Given.assumed`; what an assumed constraint entails is as good: `Broadcast(b, a, c)` where
        `Broadcast(a, b, c)` is assumed."""
        return super().assumed(name, attrs, arguments) or self._entailed(name, attrs, arguments)

    def _entailed(self, name: str, attrs: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments of a constraint with these inputs that holds where an assumed one does."""
        rules, inputs = self.attributes.rules, arguments[:-1]
        relation, own = rules.relations.get(name), set(parameters_in(inputs))
        if relation is None or relation.arity != len(arguments) or not own or not is_ground(inputs):
            return None
        is_known = is_ground(arguments[-1])
        result = arguments[-1] if is_known else TypeVar("result")
        asked = self.attributes.complete(relation, attrs)
        for constraint in self.constraints:
            by = rules.relations.get(constraint.name)
            if by is None or not own <= set(parameters_in(constraint.arguments)):
                continue
            given = by, constraint.arguments, self.attributes.complete(by, constraint.attrs)
            terms = (*inputs, result, *constraint.arguments)
            said = said_by_two(given, (relation, (*inputs, result), asked), rules)
            places = said.places if said is not None and said.places is not None else ()
            others = [t for t, k in zip(terms, places, strict=False) if k == places[len(inputs)] and t is not result]
            for term in others or [result] * is_known:
                again = said_by_two(given, (relation, (*inputs, term), asked), rules)
                if again is not None and again.is_told and not has_unknown((term,)):
                    return (*inputs, term)
        return None


def _equations(
    attributes: Attributes, constraints: tuple[Any, ...], told: Collection[Any]
) -> tuple[dict[Any, Any], list[Any]]:
    """Parameters that the constraints determine by other ones, or by constants. If there are none, one that is to be
    `told`, with what is made up for what is not known of it, which comes second."""
    parameters = _parameters(constraints)
    values = _values(attributes, constraints, parameters)
    equal = _by_names(values, {})
    # An extent that would have to be a shape: nothing satisfies these constraints, and nothing follows from them.
    if any(kind_of(term) != parameter.kind for parameter, term in equal.items()):
        return {}, []
    # Where extents, or shapes, too, are as they are, more may be known: that the result of padding Tensor[(n), int8]
    # has n + 2 of them, that the sum of two Tensor[s, int8] is one.
    for fixed in (("ShapeVar",), ("ShapeVar", "Shape", "BaseType")):
        others = [parameter for parameter in parameters if parameter.kind not in fixed]
        if not equal and len(others) < len(parameters):
            equal = _by_names(_values(attributes, constraints, others), {})
    if not equal:
        for parameter, value in values.items():
            if parameter in told and type(value) not in VARIABLES:
                names = {value for value in values.values() if type(value) in VARIABLES}
                made_up = {v: TypeVar(_MADE_UP[k], k) for v, k in open_kinds([value], None).items() if v not in names}
                return {parameter: _by_names(values, made_up)[parameter]}, list(made_up.values())
    return equal, []


def _values(attributes: Attributes, constraints: tuple[Any, ...], parameters: Iterable[Any]) -> dict[Any, Any]:
    """What all that satisfies the constraints agrees on, of some parameters; nothing if nothing does."""
    holes = {parameter: IncompleteType(parameter.kind) for parameter in parameters}
    bindings: dict[Any, Any] = {}
    if not holes or not _solved(attributes, [substitute(c, holes, []) for c in constraints], bindings):
        return {}
    return {parameter: reify_term(hole, bindings) for parameter, hole in holes.items()}


def _by_names(values: Mapping[Any, Any], made_up: Mapping[Any, Any]) -> dict[Any, Any]:
    """What parameters are that have these values: made of parameters that stand for variables, and of those `made_up`
    for others, or the first one that has the same value."""
    names = dict(made_up)
    for parameter, value in values.items():
        if type(value) in VARIABLES:
            names.setdefault(value, parameter)
    found: dict[Any, Any] = {}
    for parameter, value in values.items():
        if type(value) not in VARIABLES and all(variable in names for variable in variables_of(value)):
            found[parameter] = reify_term(value, names)
        elif names.setdefault(value, parameter) is not parameter:
            found[parameter] = names[value]
    return found


def _solved(attributes: Attributes, constraints: list[Any], bindings: dict[Any, Any]) -> bool:
    """Bind what all answers of the constraints agree on; False if they have none."""
    rules = attributes.rules
    store = Store()
    store.bindings = bindings
    asked: dict[int, Any] = {}
    for _ in range(_ROUNDS + len(constraints)):
        changed = False
        for i, constraint in enumerate(constraints):
            relation = rules.relations.get(constraint.name)
            if relation is None or relation.arity != len(constraint.arguments):
                continue
            arguments = tuple(store.reify(a) for a in constraint.arguments)
            variables: dict[Any, Any] = {}
            key = canonical(arguments, variables)
            if asked.get(i) == key:
                continue
            asked[i] = key
            try:
                attrs = attributes.complete(relation, constraint.attrs)
                solution = rules.solve(relation, key, attrs, defaults=FREE)
            except RuleError:
                continue
            if solution.general is None:
                if solution.exhausted:
                    return False
                continue
            if solution.general == key:
                continue
            try:
                store.unify(arguments, instantiate(solution.general, dict(enumerate(variables))))
            except Mismatch:
                return False
            changed = True
        if _results_made_one(attributes, constraints, store):
            changed = True
        if not changed:
            break
    return True


def _results_made_one(attributes: Attributes, constraints: list[Any], store: Store) -> bool:
    """Make one of the results of an operator for the same arguments; whether that told anything.

    What contradicts that is left alone.
    """
    first: dict[Any, Any] = {}
    changed = False
    for constraint in constraints:
        relation = attributes.rules.relations.get(constraint.name)
        if relation is None or relation.arity != len(constraint.arguments):
            continue
        *arguments, result = (store.reify(a) for a in constraint.arguments)
        call = attributes.call(relation, attributes.complete(relation, constraint.attrs), arguments)
        if call is None:
            continue
        other = store.reify(first.setdefault(call, result))
        if other is result or has_unknown((other, result)):
            continue
        changed = store.agree(other, result) or changed
    return changed


def _parameters(terms: tuple[Any, ...]) -> list[Any]:
    """The free type parameters of some terms, in order; not those that an extent is computed from."""
    found: dict[Any, None] = {}
    hidden = bound_in(terms)
    stack: list[Any] = list(reversed(terms))
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if type(item) is TypeVar:
            found[item] = None
        elif type(item) is tuple:
            stack.extend(reversed(item))
        elif type(item) is Arith:
            hidden.update(symbols_of(item))
        elif isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            below = item.arguments if type(item) is TypeRelation else item.args
            stack.extend(reversed(below))
    return [parameter for parameter in found if parameter not in hidden]
