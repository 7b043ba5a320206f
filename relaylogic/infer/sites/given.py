"""What may be taken for granted: the `where` of the functions that a demand stands in.

In the body of `fn <t1, t2>(%a: t1) -> t2 where Identity(t1, t2) { %a }` the type parameters are rigid and the
constraint holds. A constraint is used in two ways: as it is, for a call that asks the same, and for the equations that
it determines, here t1 = t2. An equation `parameter = term` is kept only if the term is made of parameters and
constants: that t1 is a tensor of some shape says nothing that a type could be written with. Where a function must serve
for all types that a `where` allows, nothing is written: that shape is a type parameter then, which is made up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

from ...logic.control import FREE
from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import Arith, symbols_of
from ...logic.terms.rebuilding import canonical, instantiate, reify_term
from ...logic.terms.terms import Term, variables_of
from ...logic.terms.variables import VARIABLES
from ...rulebase import AttributeProblem, Attrs, Operator, Relation, RuleBase, RuleError
from ...types import FuncType, IncompleteType, TypeRelation, TypeVar
from ...types.substitution import substitute
from ..checks.kinds import kind_of, open_kinds
from .schemes import parts_of, replaced
from .store import Mismatch, Store

__all__ = ["Attributes", "Given"]

_ROUNDS = 50
_MADE_UP = {"Type": "t", "BaseType": "d", "Shape": "s", "ShapeVar": "n"}


class Attributes:
    """What the attributes of constraints mean: those of a call are complete, those in a text are what differs.

    In a text, `None` or pairs of a name and a value stand for what an operator of the relation makes of them.
    """

    def __init__(self, rules: RuleBase) -> None:
        self.rules = rules
        self._completions: dict[Any, tuple[Any, ...]] = {}
        self._of_operators: dict[Relation, bool] = {}

    def complete(self, relation: Relation, attrs: Any) -> Any:
        """The attributes to ask the relation with; as they are if no operator takes them."""
        if not relation.takes_attrs:
            return attrs
        return next(iter(self._meant(relation.name, attrs)), attrs)

    def written(self, relation: Relation, attrs: Any) -> tuple[tuple[str, Any], ...] | None:
        """The attributes that must be written so that `complete` gives these, and perhaps others as by default."""
        if attrs is None or type(attrs) is tuple:
            return attrs
        for operator in self._taking(relation.name):
            if operator.relation is relation:
                defaults = {n: a.default for n, a in operator.attributes.items() if not a.required}
                told = tuple((n, v) for n, v in attrs.items() if n not in defaults or not _is_same(v, defaults[n]))
                found = self.complete(relation, told)
                if type(found) is Attrs and all(n in found and _is_same(found.get(n), v) for n, v in attrs.items()):
                    return told or None
        return tuple(attrs.items())

    def same(self, name: str, left: Any, right: Any) -> bool:
        """Whether two constraints of the relation `name` have the same attributes, however they are written."""
        return left == right or any(a in self._meant(name, right) for a in self._meant(name, left))

    def call(self, relation: Relation, attrs: Any, arguments: Iterable[Any]) -> tuple[Any, ...] | None:
        """What has one result: an operator's relation, complete attributes and all other arguments. None if the
        relation says what no operator gives."""
        known = self._of_operators.get(relation)
        if known is None:
            operators = self.rules.operators.values()
            known = self._of_operators[relation] = any(o.relation is relation for o in operators)
        return (relation, attrs if type(attrs) is Attrs else str(attrs), *arguments) if known else None

    def _taking(self, name: str) -> list[Operator]:
        """The operators of a relation, in the order of their names: few of all."""
        of_relation = [(n, operator) for n, operator in self.rules.operators.items() if operator.relation.name == name]
        return [operator for _, operator in sorted(of_relation, key=itemgetter(0))]

    def _meant(self, name: str, attrs: Any) -> tuple[Any, ...]:
        """What the attributes are for each operator of the relation that takes them, in the order of the names."""
        if attrs is not None and type(attrs) is not tuple:
            return (attrs,)
        key = (name, repr(attrs))
        known = self._completions.get(key)
        if known is None:
            found = []
            for operator in self._taking(name):
                try:
                    found.append(operator.attrs(dict(attrs or ())))
                except AttributeProblem:
                    continue
            known = self._completions[key] = tuple(found)
        return known


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


class Given:
    """Assumed constraints, and the equations between type parameters that follow from them. Immutable.

    `equal` maps type parameters to terms without any of them; `constraints` speak of the remaining ones. `made_up` are
    parameters that stand for what is not written. It `is_empty` if nothing is assumed.
    """

    __slots__ = ("attributes", "constraints", "equal", "is_empty", "made_up")

    def __init__(
        self,
        attributes: Attributes,
        constraints: tuple[Any, ...] = (),
        equal: Mapping[Any, Any] | None = None,
        made_up: tuple[Any, ...] = (),
    ) -> None:
        self.attributes = attributes
        self.constraints = constraints
        self.equal: Mapping[Any, Any] = equal or {}
        self.is_empty = not constraints and not equal
        self.made_up = made_up

    def extended(self, constraints: tuple[Any, ...], told: Collection[Any] = ()) -> Given:
        """This and more constraints; of equal parameters, the one that is spoken of first stands for the others.

        Of the parameters that are to be `told`, all is: what is not written there has parameters that are made up.
        """
        if not constraints:
            return self
        written = (*self.constraints, *map(self.normal, constraints))
        equal, made_up = dict(self.equal), list(self.made_up)
        while True:
            found, new = _equations(self.attributes, written, told)
            if not found:
                return Given(self.attributes, written, equal, tuple(made_up))
            known = Given(self.attributes, (), found)
            equal = {parameter: known.normal(term) for parameter, term in equal.items()} | found
            written = tuple(map(known.normal, written))
            made_up += new

    def normal(self, term: Any) -> Any:
        """`term`, which holds no bound variable, with equal parameters made one."""
        if not self.equal:
            return term
        bound = _bound((term,))
        replacement = {p: t for p, t in self.equal.items() if p not in bound} if bound else self.equal
        return substitute(term, replacement, [])

    def as_written(self, term: Any) -> Any:
        """A normal term with the parameters that are written for what is told of them."""
        known = reversed(list(self.equal.items()))
        short = {told: parameter for parameter, told in known if not set(self.made_up).isdisjoint(parts_of((told,)))}
        return replaced(term, short) if short else term

    def about(self, name: str, attrs: Any) -> Iterator[tuple[Any, ...]]:
        """The arguments of the assumed constraints of this relation with these attributes."""
        for constraint in self.constraints:
            if constraint.name == name and self.attributes.same(name, constraint.attrs, attrs):
                yield constraint.arguments

    def assumed(self, name: str, attrs: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments of an assumed constraint with these inputs: one with this result too, if there is one."""
        found = None
        for assumed in self.about(name, attrs):
            if assumed == arguments:
                return assumed
            if found is None and assumed[:-1] == arguments[:-1]:
                found = assumed
        return found


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
    hidden = _bound(terms)
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


def _bound(terms: tuple[Any, ...]) -> set[Any]:
    """The type parameters that function types inside some terms bind."""
    found: set[Any] = set()
    stack: list[Any] = list(terms)
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and type(item) is not TypeVar and id(item) not in seen:
            seen.add(id(item))
            if type(item) is FuncType:
                found.update(item.type_params)
            stack.extend(item.args)
    return found
