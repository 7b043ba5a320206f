"""Clauses about the bindings of a program: what `typings` takes as conditions, and as what is to be least or greatest.

`%x` stands for the type of a binding, by the name that it is listed under; any other variable is one of the clauses,
the same in all of them, and must merely have some value. `elements` alone is the number of elements of all parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..clauses.compile import Compiled, compile_goals, names_in, nodes_in
from ..clauses.nodes import ClauseError, Syntax
from ..clauses.scope import Names
from ..clauses.syntax import parse_query
from ..errors import RelayLogicError
from ..infer.program import Inference
from ..ir import IRModule, Span
from ..logic import eq, equals, fresh, fresh_list, lall, plus, primitive, prod, total
from ..logic.goals import Goal
from ..logic.state import State
from ..logic.terms import reify_term, walk
from ..logic.variables import VARIABLES
from ..rulebase import RuleBase, nearest
from ..types import TensorType, TupleType
from .holes import Hole

__all__ = ["Conditions", "chosen"]

ELEMENTS = "elements"
VALUE = "%"  # no binding has this name
MOST_LISTED = 12


class Conditions:
    """Clauses, compiled: `where` must hold, `objective` (a number in clause notation) is asked for, if there is one.

    Unless `only_tensors`, open types may turn out to be of other forms. Raises ClauseError for a text that is no
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
        only_tensors: bool = True,
    ) -> None:
        self._only_tensors = only_tensors
        self._known = {binding.name: binding for binding in bindings}
        self._inference = inference
        self._entry = [b for b in bindings if b.parameter and b.function == _entry(module, b.function)]
        parsed = [parse_query(text, "<where>", bindings=True) for text in where]
        if objective is not None:
            parsed.append(_valued(objective, {node.value for node in names_in(parsed)}))
        self._mentions: list[str] = []
        self._plan = None if not parsed else self._compiled(parsed, rules)

    def _compiled(self, parsed: list[Syntax], rules: RuleBase) -> Compiled:
        given: dict[str, str] = {}
        for node in names_in(parsed):
            name = node.value
            if name in (VALUE, ELEMENTS):
                given[name] = "number"
            elif name[0] in "%@":
                binding = chosen(name, self._known, node.span)
                node.value = binding.name
                given[binding.name] = binding.kind
        self._mentions = list(given)
        first, last = parsed[0], parsed[-1]
        whole = Syntax("conjunction", None, tuple(parsed), first.source, first.start, last.end)
        return compile_goals(whole, Names(rules), given)

    def goals(self, value: Any = None) -> list[Goal]:
        """What the clauses demand; the objective comes to `value`, or to any number (None)."""
        plan = self._plan
        if plan is None:
            return []
        environment = [None, *fresh_list(plan.size)]
        known: list[Goal] = []
        for name in self._mentions:
            place = environment[plan.variables[name]]
            if name == VALUE:
                known.extend([] if value is None else [eq(place, value)])
            elif name == ELEMENTS:
                known.extend(self._elements(place))
            else:
                known.append(eq(place, self._type_of(self._known[name])))
        return [*known, *plan.goals(environment)]

    def _type_of(self, binding: Hole) -> Any:
        return self._inference.driver.store.reify(binding.type_in(self._inference))

    def _elements(self, number: Any) -> Iterator[Goal]:
        """`number` is how many elements the parameters have together: tensors, and those in tuples."""
        counts: list[Any] = []
        if not self._only_tensors:
            parameters = TupleType(tuple([self._type_of(binding) for binding in self._entry]))
            yield elements_of(parameters, number)
            return
        stack = [(binding, self._type_of(binding)) for binding in reversed(self._entry)]
        while stack:
            binding, type_ = stack.pop()
            if type(type_) in VARIABLES:
                tensor = TensorType(fresh(), fresh())
                yield eq(type_, tensor)
                type_ = tensor
            if type(type_) is TensorType:
                counts.append(prod(type_.shape))
            elif type(type_) is TupleType:
                if type(type_.fields) is not tuple:
                    message = f"the elements of {binding.name} cannot be counted: it is a tuple of unknown arity"
                    raise RelayLogicError(message, binding.span)
                stack.extend((binding, field) for field in reversed(type_.fields))
        yield equals(number, plus(*counts) if len(counts) > 1 else counts[0] if counts else 0)


@primitive("elements_of", 0, 1)
def elements_of(state: State, type_: Any, number: Any) -> Any:
    """The tensors that a value of a type consists of have `number` elements together; waits for the type's form."""
    known = walk(type_, state.bindings)
    if type(known) is TupleType:
        return elements_of_all(known.fields, number)(state)
    return equals(number, prod(known.shape) if type(known) is TensorType else 0)(state)


@primitive("elements_of_all", 0, 1, lists=True)
def elements_of_all(state: State, types: Any, number: Any) -> Iterator[Any]:
    """Values of some types have `number` elements together; waits for how many there are."""
    listed = reify_term(types, state.bindings)
    numbers = fresh_list(len(listed))
    each = [elements_of(type_, count) for type_, count in zip(listed, numbers, strict=True)]
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
    hints = (f"its bindings are {listed}",) if known else ()
    raise ClauseError(f"the program binds no `{name}`{nearest(name, known)}", span, hints)


def _valued(text: str, said: Collection[Any]) -> Syntax:
    """The equation of the objective's value with what it is; the conditions speak of the names `said`."""
    written = parse_query(text, "<objective>", bindings=True)
    if written.kind in ("equation", "comparison", "conjunction", "disjunction", "spread"):
        raise ClauseError("a number is wanted here: an extent, a sum, a product, `elements`", written.span)
    if any(node.kind == "negative" or node.value == "-" for node in nodes_in(written)):
        raise ClauseError("what is least or greatest is a natural number: nothing is subtracted in it", written.span)
    for node in names_in([written]):
        if node.value[0] not in "%@" and node.value != ELEMENTS and node.value not in said:
            raise ClauseError(f"no condition says what `{node.value}` is", node.span)
    value = Syntax("name", VALUE, (), written.source, written.start, written.end)
    return Syntax("equation", None, (value, written), written.source, written.start, written.end)


def _entry(module: IRModule, function: str) -> str:
    """The function whose parameters the program has: `@main`, or each of its own."""
    return "main" if any(v.name_hint == "main" for v in module.functions) else function
