"""Slips that a fault may be due to: arguments in the wrong order, a wrong variable, a part for the whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...infer.sites.callsite import solve_site
from ...infer.sites.demands import EquationSite
from ...infer.sites.places import NAMES
from ...infer.sites.repairs import exchanged
from ...infer.sites.schemes import Equation, holes, signature_of
from ...infer.sites.site import Refusal
from ...infer.sites.store import Mismatch
from ...ir import (
    Call,
    Constant,
    Function,
    GlobalVar,
    IRModule,
    Op,
    RefRead,
    RefWrite,
    Tuple,
    post_order,
)
from ...ir import Var as LocalVar
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import AttributeProblem, RuleError
from ...rulebase.open_attributes import Open
from ...types import FuncType, RefType, TupleType
from ..places.place import Place
from ..refusals.differences import denied
from .bound import Bound, bound_in, is_within
from .left_out import types_left_out

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.driver import Driver

__all__ = ["Slips", "applied", "argument_of_call", "result_of_value"]

_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")

FIELDS = 16
"""So many fields of a tuple may be meant."""

SPARE = 6
"""How many variables that nobody uses are tried for each argument."""

MAIN = "main"
"""The function that a program begins with, which no other calls."""

SHORT = 2
"""A name of at most so many letters may stand for a word."""


class Slips:
    """Looks for slips in the functions of one program."""

    def __init__(self, inference: Inference) -> None:
        self._module: IRModule = inference.module
        self._inference = inference
        self._known: dict[str, Bound] = {}
        self._left_out: dict[str, dict[int, tuple[str, Any]]] = {}
        nodes = (node for function in self._module.functions.values() for node in post_order(function))
        callees = [node.op for node in nodes if type(node) is Call]
        self._operators = {callee.name for callee in callees if type(callee) is Op}
        self._imported = [v for v in dict.fromkeys(callees) if type(v) is GlobalVar and v not in self._module.functions]

    def features(self, place: Place, needed: Any, without: Inference) -> dict[str, float]:
        """Which slips would explain that a place is wrong; `without` is the inference in which it says nothing."""
        known = self._function(place.owner)
        node = place.node
        found: dict[str, float] = {}
        wanted = [] if place.kind in ("annotation", "result") else _wanted(place, needed, without)
        if type(node) is Call and not place.is_use:
            types = [_known(a, without) for a in node.args]
            if any(_accepts(node, other, needed, without) for other in exchanged(tuple(types))):
                found["arguments exchanged fit"] = 1.0
            spare = [without.type_of(variable) for variable in known.unused[:SPARE]]
            fields = [*_left_over(known, without, place), *self._bound_for_nothing(place)]
            for own in (*spare, *(type_ for _, type_ in fields)):
                changed = ([*types[:i], own, *types[i + 1 :]] for i in range(len(types)))
                is_callee = type(node.op) is not Op and _is_callee(own, types, needed, without)
                if own is not None and (is_callee or any(_accepts(node, other, needed, without) for other in changed)):
                    found["an unused variable fits"] = 1.0
                    break
            if type(node.op) is Op and needed is not None and type(needed) not in VARIABLES:
                others = self._operators - {node.op.name}
                if any(_gives(name, types, needed, without) for name in sorted(others)):
                    found["another operator fits"] = 1.0
            shared = [id(a) for a in node.args if known.uses.get(id(a), 0) > 1 and id(a) in known.orderly]
            if node.span is not None and any(not is_within(node.span.start, known.orderly[a]) for a in shared):
                found["a parameter out of order"] = 1.0
            names, inputs = [a.name_hint if type(a) is LocalVar else "" for a in node.args], self._inputs(node.op)
            if _named_as_another(names, inputs, _is_named):
                found["an argument has the name of another input"] = 1.0
            elif _named_as_another(names, inputs, _is_short_for):
                found["an argument has the initial of another input"] = 1.0
            if known.unused and any(known.uses.get(id(a), 0) > 1 and id(a) in known.ranks for a in node.args):
                found["shares a variable, and one is unused"] = 1.0
        elif any(without.type_of(v) in wanted for v in known.unused if known.may_use(v, place)):
            found["an unused variable fits"] = 1.0
        if place.span is not None and place.kind not in ("annotation", "result"):
            start, text = place.span.start, place.span.source.text
            if any(is_within(start, stretch) for stretch in known.expected):
                found["an unused parameter is expected"] = 1.0
            steps = [text.count(";", ending, start) for ending in known.endings if ending <= start]
            if steps:
                found["behind an unused binding"] = 1.0 / min(steps) if min(steps) else 0.0
        parts = node.args if type(node) is Call else node.fields if type(node) is Tuple else ()
        if needed is not None and getattr(needed, "ground", False):
            if any(without.type_of(part) == needed for part in parts):
                found["a part fits"] = 1.0
            if type(needed) is TupleType and needed.fields == (_known(node, without),):
                found["a tuple of it fits"] = 1.0
        return found

    def _inputs(self, callee: Any) -> list[str]:
        """The names of what an operator or a function of the program takes; none if it takes any number."""
        if type(callee) is Op:
            operator = self._inference.driver.rules.operators.get(callee.name)
            return [] if operator is None or operator.variadic else list(operator.inputs)
        function = self._named(callee.name_hint) if type(callee) is GlobalVar else None
        return [] if function is None else [parameter.name_hint for parameter in function.params]

    def spare(self, place: Place, without: Inference) -> dict[Any, str]:
        """The types of variables that nobody uses, and of their fields, with names: they may be meant at a place."""
        found: dict[Any, str] = {}
        known = self._function(place.owner)
        unused = [variable for variable in known.unused if known.may_use(variable, place)]
        for variable in unused[:SPARE]:
            own = without.type_of(variable)
            if own is not None:
                found.setdefault(own, f"`%{variable.name_hint}`")
            fields = own.fields if type(own) is TupleType and type(own.fields) is tuple else ()
            for i, field in enumerate(fields):
                found.setdefault(field, f"`%{variable.name_hint}.{i}`")
        # What is bound for nothing may use the field that is left over.
        for words, own in (*self._bound_for_nothing(place), *_left_over(known, without, place)):
            found.setdefault(own, words)
        return found

    def _bound_for_nothing(self, place: Place) -> list[tuple[str, Any]]:
        """What the text binds before a place and nobody uses, in words, with its type."""
        owner, function = place.owner, self._named(place.owner)
        if function is None or place.span is None or not self._function(owner).endings:
            return []
        if owner not in self._left_out:
            self._left_out[owner] = types_left_out(function, self._inference)
        return [told for start, told in self._left_out[owner].items() if start < place.span.start]

    def near(self, place: Place, without: Inference) -> list[Any]:
        """The types of the variables that are bound before a place, the last first."""
        if place.span is None:
            return []
        known = self._function(place.owner)
        starts = ((v.span.start, v) for v in known.bound if v.span is not None and known.may_use(v, place))
        before = [(start, v) for start, v in starts if start < place.span.start]
        types = (without.type_of(v) for _, v in sorted(before, key=lambda item: -item[0]))
        return [type_ for type_ in dict.fromkeys(types) if type_ is not None]

    def known(self, place: Place, without: Inference) -> dict[Any, str]:
        """The types of what is bound before a place and may be used there, each with the name of a variable; of what
        is made before it, with "", where no program text has names.

        Those of variables that nobody uses come first, then the last.
        """
        of_owner = self._function(place.owner)
        if place.span is None:
            return {}
        unused = set(map(id, of_owner.unused))
        bound = [*of_owner.made, *((v, f"`%{v.name_hint}`") for v in of_owner.bound)]
        spans = [(node.span, node, name) for node, name in bound if node.span and of_owner.may_use(node, place)]
        before = [(span.start, node, name) for span, node, name in spans if span.end <= place.span.start]
        found: dict[Any, str] = {}
        for _, node, name in sorted(before, key=lambda item: (id(item[1]) not in unused, -item[0])):
            own = without.type_of(node)
            if own is not None and not found.get(own):
                found[own] = name
        for own, name in list(found.items()):  # of a tuple, a field may be meant
            fields = own.fields if name and type(own) is TupleType and type(own.fields) is tuple else ()
            for i, field in enumerate(fields[:FIELDS]):
                found.setdefault(field, f"{name[:-1]}.{i}`")
        return found

    def functions(self, place: Place, without: Inference) -> dict[str, Any]:
        """The types of the functions that may be called at a place, by their names: the one that it is in first; of
        those of the prelude, which fit nearly anywhere, only what is called already, and not what a program begins
        with."""
        own = [(v.name_hint, function) for v, function in self._module.functions.items() if v.name_hint != MAIN]
        own.sort(key=lambda item: item[0] != place.owner)
        named: list[tuple[str, Any]] = [(f"@{name}", function) for name, function in own]
        named += [(f"@{v.name_hint}", v) for v in self._imported]
        known = self._function(place.owner)
        named += [(f"%{v.name_hint}", v) for v in known.bound if known.may_use(v, place)]
        types = ((name, without.type_of(node)) for name, node in named)
        return {name: type_ for name, type_ in types if type(type_) is FuncType}

    def uses(self, place: Place, node: Any) -> int:
        """How often a variable, or another expression, is used in the function of a place, at most.

        What is bound for nothing, which the graph does not hold, may use what has a name once more.
        """
        known = self._function(place.owner)
        has_name = isinstance(node, NAMES) or any(node is made for made, _ in known.made)
        return known.uses.get(id(node), 0) + (has_name and bool(known.endings))

    def operators(self, call: Call) -> list[str]:
        """The names of the other operators that the program calls."""
        return sorted(self._operators - {getattr(call.op, "name", "")})

    def parameters(self, place: Place) -> list[Any]:
        """The type parameters of the function that a place is in."""
        function = self._named(place.owner)
        return [] if function is None else list(function.type_params)

    def _named(self, owner: str) -> Function | None:
        return next((f for v, f in self._module.functions.items() if v.name_hint == owner), None)

    def _function(self, owner: str) -> Bound:
        if owner not in self._known:
            function = self._named(owner)
            self._known[owner] = Bound() if function is None else bound_in(function)
        return self._known[owner]


def _left_over(known: Bound, inference: Inference, place: Place) -> Iterator[tuple[str, Any]]:
    """The only field of a tuple that is not used where all others are, in words, with its type."""
    for whole, taken in known.taken:
        if not known.may_use(whole, place):
            continue
        own = inference.type_of(whole)
        if type(own) is TupleType and type(own.fields) is tuple and len(own.fields) == len(taken) + 1:
            for i, field in enumerate(own.fields):
                if i not in taken:
                    yield f"`%{whole.name_hint}.{i}`" if isinstance(whole, LocalVar) else f"field .{i}", field


def _wanted(place: Place, needed: Any, without: Inference) -> list[Any]:
    """The types of what may stand at the use of a variable, or be a part of a tuple or a reference."""
    node, found = place.node, []
    if place.is_use:
        return [needed]
    if type(node) is Tuple and type(needed) is TupleType and type(needed.fields) is tuple:
        parts = [_known(part, without) for part in node.fields]
        if len(parts) == len(needed.fields):
            each = zip(node.fields, parts, needed.fields, strict=True)
            found = [field for part, own, field in each if isinstance(part, (Constant, *NAMES)) and denied(own, field)]
    elif type(node) is RefRead:
        found = [RefType(needed)]
    elif type(node) is RefWrite:
        held, written = _known(node.ref, without), _known(node.value, without)
        found = [RefType(written), *([held.value] if type(held) is RefType else [])]
    return found


def _known(node: Any, inference: Inference) -> Any:
    found = inference.type_of(node)
    return fresh() if found is None else found


def _accepts(call: Call, arguments: Sequence[Any], needed: Any, inference: Inference) -> bool:
    """Whether a call of arguments of these types is right and has the needed type."""
    result = fresh() if needed is None else needed
    if type(call.op) is not Op:
        return applied(call, arguments, result, inference) is not None
    driver = inference.driver
    operator = driver.rules.operators.get(call.op.name)
    if operator is None or not (operator.variadic or len(arguments) == operator.relation.arity - 1):
        return False
    inputs = (TupleType(tuple(arguments)),) if operator.variadic else tuple(arguments)
    try:
        attrs = driver.attrs_of(operator, call)
        if isinstance(attrs, Open):
            return False
        return bool(solve_site(driver.rules, operator.relation, canonical((*inputs, result), {}), attrs).answers)
    except (AttributeProblem, RuleError):
        return False


def _is_callee(callee: Any, arguments: Sequence[Any], needed: Any, inference: Inference) -> bool:
    """Whether a value takes arguments of these types and has the needed result."""
    return result_of_value(callee, arguments, fresh() if needed is None else needed, inference) is not None


def _gives(name: str, arguments: Sequence[Any], needed: Any, inference: Inference) -> bool:
    """Whether an operator takes arguments of these types without an attribute, and gives the needed type."""
    rules = inference.driver.rules
    operator = rules.operators.get(name)
    if operator is None or operator.variadic or len(arguments) != operator.relation.arity - 1:
        return False
    try:
        key = canonical((*arguments, needed), {})
        return bool(solve_site(rules, operator.relation, key, operator.attrs({})).answers)
    except (AttributeProblem, RuleError):
        return False


def applied(call: Call, arguments: Sequence[Any], result: Any, inference: Inference) -> Any:
    """The type of a call of a function or a constructor, with arguments of these types, where `result` is wanted.

    None if it refuses them, or if its type is not known.
    """
    return result_of_value(inference.type_of(call.op), arguments, result, inference)


def result_of_value(callee: Any, arguments: Sequence[Any], result: Any, inference: Inference) -> Any:
    """As `applied`, of a value of some type that is called."""
    return _where_applied(callee, arguments, result, inference, result)


def argument_of_call(call: Call, place: int, arguments: Sequence[Any], result: Any, inference: Inference) -> Any:
    """The type that a call wants of the argument at a place, beside the others, where `result` is wanted of the call.

    Anything if it refuses the others, or if its type is not known.
    """
    wanted = fresh()
    others = (*arguments[:place], wanted, *arguments[place + 1 :])
    found = _where_applied(inference.type_of(call.op), others, result, inference, wanted)
    return wanted if found is None else found


def _where_applied(callee: Any, arguments: Sequence[Any], result: Any, inference: Inference, told: Any) -> Any:
    """What a type is as far as it is `told` by a call of a value of some type; None if the call is refused."""
    if type(callee) is not FuncType or len(callee.arg_types) != len(arguments):
        return None
    taken, made, demands = signature_of(callee, holes(callee.type_params))
    driver = inference.driver
    store = driver.store
    with store.tentatively():
        try:
            for actual, wanted in zip((*arguments, made), (*taken, result), strict=True):
                store.unify(actual, wanted)
            for demand in demands:
                if isinstance(demand, Equation):
                    EquationSite(demand, None, "").attempt(driver)
            rest = [demand for demand in demands if not isinstance(demand, Equation)]
            for _ in rest:
                known = len(store.bindings)
                for demand in rest:
                    _demand(demand, driver)
                if len(store.bindings) == known:
                    break  # else what one of them has made known may refuse another one
        except (Mismatch, Refusal):
            return None
        return store.reify(told)


def _demand(demand: Any, driver: Driver) -> None:
    """Conclude what the rules say of what a function demands of the types of a call. Raises Mismatch, Refusal."""
    rules = driver.rules
    numbering: dict[Any, Any] = {}
    try:
        relation = rules.relation(demand.name)
        attrs = driver.attributes.complete(relation, demand.attrs)
        key = canonical(tuple(map(driver.store.reify, demand.arguments)), numbering)
        found = solve_site(rules, relation, key, attrs)
    except (AttributeProblem, RuleError):
        return
    if found.general is None:
        if found.exhausted:
            raise Refusal("")
        return
    variables = dict(enumerate(numbering))
    for argument, term in zip(demand.arguments, found.general, strict=True):
        driver.store.unify(argument, instantiate(term, variables))


def _named_as_another(
    names: Sequence[str], inputs: Sequence[str], is_of: Callable[[str, str, Sequence[str]], bool]
) -> bool:
    """Whether an argument has the name of an input that it is not given as, and what is given as that has not; "" is no
    name. `is_of` says whether a name is that of one of the inputs."""
    if len(names) != len(inputs):
        return False
    odd = [i for i, name in enumerate(names) if not is_of(name, inputs[i], inputs)]
    return any(is_of(names[i], inputs[j], inputs) for i in odd for j in odd)


def _is_named(name: str, given: str, inputs: Sequence[str]) -> bool:
    """Whether a name ends in that of an input: `%conv1_weight` is a `weight`."""
    wanted = _words(given)
    return bool(wanted) and _words(name)[-len(wanted) :] == wanted


def _is_short_for(name: str, given: str, inputs: Sequence[str]) -> bool:
    """Whether a name of one letter or two has the initial of an input, and of no other: `%w1` and `%wq` are weights."""
    short, initial = name.rstrip("0123456789"), given[:1]
    return 0 < len(short) <= SHORT and short[0] == initial and [other[:1] for other in inputs].count(initial) == 1


def _words(name: str) -> list[str]:
    """The words of a name, in lower case: parts of one letter or of digits tell nothing."""
    return [word.lower() for word in _WORD.findall(name) if len(word) > 1]
