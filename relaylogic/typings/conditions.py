"""Clauses about the bindings of a program: what `typings` takes as conditions, and as what is to be least or greatest.

`%x` stands for the type of a binding, by the name that it is listed under; any other variable is one of the clauses,
the same in all of them, and must merely have some value. `elements` alone is the number of elements of all parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..clauses.calls import NUMBERS, check_kind
from ..clauses.compile import Compiled, compile_goals, names_in
from ..clauses.nodes import ClauseError, Syntax
from ..clauses.scope import Names
from ..clauses.syntax import parse_query
from ..clauses.written import TwoThings
from ..infer.program import Inference
from ..ir import IRModule, Span
from ..logic import eq, equals, fresh, fresh_list, geo, lall, plus, primitive, prod, total
from ..logic.states.goals import Goal
from ..logic.states.state import State
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import walk
from ..rulebase import RuleBase, nearest
from ..rulebase.attributes import Attribute
from ..rulebase.given_attributes import listed
from ..types import TensorType, TupleType
from ..types.universe import Universe
from .holes import AttributeHole, Hole

__all__ = ["Conditions", "chosen"]

ELEMENTS = "elements"
ADDEND = "the objective's addend "
"""What the names of addends begin with; no binding has such a name."""
NO_NUMBER = "a number is wanted here: an extent, a sum, a product, `elements`"
MOST_LISTED = 12
_TOLD = frozenset({"bool", "dim", "int", "integer", "list"})
"""The kinds of attributes that may be numbers, stand for numbers or be none: a clause tells which are."""


class Conditions:
    """Clauses, compiled: `where` must hold, `objective` (a number in clause notation) is asked for, if there is one.

    Open types may turn out to be of the forms of the `universe`. Raises ClauseError for a text that is no
    clause, or that speaks of what the program does not bind.
    """

    def __init__(
        self,
        where: Sequence[str],
        objective: str | None,
        rules: RuleBase,
        module: IRModule,
        bindings: Sequence[Hole],
        inference: Inference,
        universe: Universe,
    ) -> None:
        self._universe = universe
        self._known = {binding.name: binding for binding in bindings}
        self._inference = inference
        self._rules = rules
        self._entry = [b for b in bindings if b.parameter and b.function == _entry(module, b.function)]
        parsed = [parse_query(text, "<where>", bindings=True) for text in where]
        addends = [] if objective is None else _addends(objective, {node.value for node in names_in(parsed)})
        # Those that are `elements` are sums themselves.
        self._addends = [ELEMENTS if node.value == ELEMENTS else f"{ADDEND}{i}" for i, node in enumerate(addends, 1)]
        parsed += [_equal(n, node) for n, node in zip(self._addends, addends, strict=True) if n != ELEMENTS]
        self._mentions: list[str] = []
        self._plan = None if not parsed else self._compiled(parsed, rules)

    def _compiled(self, parsed: list[Syntax], rules: RuleBase) -> Compiled:
        given: dict[str, str] = {}
        attributes: dict[str, Attribute] = {}
        for node in names_in(parsed):
            name = node.value
            if name == ELEMENTS or name.startswith(ADDEND):
                given[name] = "number"
            elif name[0] in "%@":
                binding = chosen(name, self._known, node.span)
                node.value = binding.name
                declared = self._declared(binding)
                if declared and declared[0].kind in _TOLD:
                    attributes[binding.name] = declared[0]
                else:
                    given[binding.name] = binding.kind
        self._mentions = [*given, *attributes]
        first, last = parsed[0], parsed[-1]
        whole = Syntax("conjunction", None, tuple(parsed), first.source, first.start, last.end)
        try:
            plan = compile_goals(whole, Names(rules), given, attributes)
            for node in names_in(parsed):
                if node.value in attributes:
                    check_kind(node, attributes[node.value], plan.kinds)
            return plan
        except TwoThings as problem:
            if not problem.name.startswith(ADDEND):
                raise
            hint = "the shape of `%x` is `s` where a condition says `%x = Tensor[s, _]`"
            raise ClauseError(NO_NUMBER, problem.span, (hint,)) from None

    def goals(self, value: Any = None) -> list[Goal]:
        """What the clauses demand; the objective comes to `value`, or to any number (None)."""
        demands, addends = self.with_addends()
        return demands if value is None else [*demands, equals(value, _sum(addends))]

    def with_addends(self) -> tuple[list[Goal], list[Any]]:
        """What the clauses demand, and variables for the numbers that the objective is the sum of."""
        plan = self._plan
        environment = [] if plan is None else [None, *fresh_list(plan.size)]
        demands: list[Goal] = []
        places: dict[str, Any] = {} if plan is None else {n: environment[plan.variables[n]] for n in self._mentions}
        for name, place in places.items():
            if name == ELEMENTS:
                first, counts = self._elements()
                demands += [*first, equals(place, _sum(counts))]
            elif not name.startswith(ADDEND):
                binding = self._known[name]
                demands.append(eq(self._given(binding, place), self._type_of(binding)))
        addends: list[Any] = []
        for name in self._addends:
            if name == ELEMENTS:
                first, counts = self._elements()
                demands += first
                addends += counts
            else:
                addends.append(places[name])
        return [*demands, *([] if plan is None else plan.goals(environment))], addends

    def _declared(self, binding: Hole) -> tuple[Attribute, Mapping[str, Attribute]] | None:
        """The declaration of an attribute, and those of all attributes of its call."""
        if not isinstance(binding, AttributeHole):
            return None
        declared = self._rules.operators[binding.operator].attributes
        return declared[binding.attribute], declared

    def _given(self, binding: Hole, place: Any) -> Any:
        """What stands for a binding: a number stands for a list where it does so in a call."""
        declared = self._declared(binding)
        if declared is None or self._plan is None or self._plan.kinds.get(binding.name) not in NUMBERS:
            return place
        return listed(place, *declared) if declared[0].kind == "list" else place

    def _type_of(self, binding: Hole) -> Any:
        return self._inference.driver.store.reify(binding.type_in(self._inference))

    def _elements(self) -> tuple[list[Goal], list[Any]]:
        """How many elements the parameters have, each tensor, and those in tuples, with what that demands."""
        demands: list[Goal] = []
        counts: list[Any] = []
        stack = [self._type_of(binding) for binding in reversed(self._entry)]
        while stack:
            type_ = stack.pop()
            if type(type_) is TupleType and type(type_.fields) is tuple:
                stack.extend(reversed(type_.fields))
            else:
                counts.append(fresh())
                demands.append(elements_of(type_, counts[-1], min(self._universe.min_dim, 1)))
        return demands, counts


def _sum(addends: Sequence[Any]) -> Any:
    """The sum of some numbers."""
    return plus(*addends) if len(addends) > 1 else addends[0] if addends else 0


@primitive("elements_of", 0, 1)
def elements_of(state: State, type_: Any, number: Any, least: int) -> Any:
    """The tensors that a value of a type consists of have `number` elements together, each `least` of them at least;
    waits for the type's form."""
    known = walk(type_, state.bindings)
    if type(known) is TupleType:
        return elements_of_all(known.fields, number, least)(state)
    if type(known) is not TensorType:
        return equals(number, 0)(state)
    return lall(equals(number, prod(known.shape)), geo(number, least))(state)  # also where the rank is not known


@primitive("elements_of_all", 0, 1, lists=True)
def elements_of_all(state: State, types: Any, number: Any, least: int) -> Iterator[Any]:
    """Values of some types have `number` elements together; waits for how many there are."""
    listed = reify_term(types, state.bindings)
    numbers = fresh_list(len(listed))
    each = [elements_of(type_, count, least) for type_, count in zip(listed, numbers, strict=True)]
    return lall(*each, equals(number, total(numbers)))(state)


def chosen(name: str, known: Mapping[str, Hole], span: Span | None = None) -> Hole:
    """The binding of a name; the function may be left out of `@f %x` if no other binds `%x`. Raises RelayLogicError."""
    found = known.get(name)
    if found is not None:
        return found
    alike = [binding for other, binding in known.items() if other.endswith(f" {name}")]
    if len(alike) == 1:
        return alike[0]
    if alike:
        meant = " or ".join(f"`{binding.name}`" for binding in alike[:MOST_LISTED])
        raise ClauseError(f"`{name}` is bound in several functions", span, (f"write {meant}",))
    listed = ", ".join(list(known)[:MOST_LISTED]) + (", ..." if len(known) > MOST_LISTED else "")
    hints = [f"its bindings are {listed}"] if known else []
    bound, _, part = name.rpartition(".")
    if bound in known and part in ("shape", "dtype"):
        hints.append(f"the {part} of `{bound}` is `{part[0]}` where a condition says `{bound} = Tensor[s, d]`")
    raise ClauseError(f"the program binds no `{name}`{nearest(name, known)}", span, tuple(hints))


def _addends(text: str, said: Collection[Any]) -> list[Syntax]:
    """What the objective is the sum of; the conditions speak of the names `said`. Raises ClauseError."""
    written = parse_query(text, "<objective>", bindings=True)
    if written.kind in ("equation", "comparison", "conjunction", "disjunction", "spread"):
        raise ClauseError(NO_NUMBER, written.span)
    if any(node.kind == "negative" or node.value == "-" for node in _without_indices(written)):
        raise ClauseError("what is least or greatest is a natural number: nothing is subtracted in it", written.span)
    for node in names_in([written]):
        if node.value[0] not in "%@" and node.value != ELEMENTS and node.value not in said:
            raise ClauseError(f"no condition says what `{node.value}` is", node.span)
    found: list[Syntax] = []
    stack = [written]
    while stack:
        node = stack.pop()
        if node.kind == "operation" and node.value == "+":
            stack.extend(reversed(node.items))
        else:
            found.append(node)
    return found


def _without_indices(written: Syntax) -> Iterator[Syntax]:
    """The nodes of a number but for those that say which element of a list is meant."""
    stack = [written]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.items[:1] if node.kind == "subscript" else node.items)


def _equal(name: str, node: Syntax) -> Syntax:
    """The equation of a name with a number."""
    value = Syntax("name", name, (), node.source, node.start, node.end)
    return Syntax("equation", None, (value, node), node.source, node.start, node.end)


def _entry(module: IRModule, function: str) -> str:
    """The function whose parameters the program has: `@main`, or each of its own."""
    return "main" if any(v.name_hint == "main" for v in module.functions) else function
