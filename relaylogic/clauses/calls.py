"""Compiles calls of operators, and what calls of operators and relations are given by name: attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import several
from ..ir import Span
from ..logic import fresh_list, lall
from ..logic.states.goals import Goal
from ..rulebase import AttributeProblem, Attrs, Operator, Relation
from ..rulebase.attributes import Attribute
from ..rulebase.given_attributes import listed
from ..rulebase.open_attributes import Open
from ..types import TupleType
from .scope import MakeGoal, MakeTerm, Scope, static
from .syntax import ClauseError, Syntax
from .terms import checked, term
from .written import ARITHMETIC_WORDS, TwoThings, is_variable

__all__ = ["NUMBERS", "check_kind", "operator_call", "relation_attributes"]


def operator_call(operator: Operator, node: Syntax, result: MakeTerm, scope: Scope) -> MakeGoal:
    """The goal that an operator applied as in `node` gives `result`."""
    given = [item for item in node.items if item.kind != "equation"]
    arguments = [checked(item, scope, "type") for item in given]
    relation = operator.relation
    scope.mentions[relation.name] = None
    if operator.variadic:
        inputs = arguments
        arguments = [lambda env: TupleType(tuple(a(env) for a in inputs))]
    elif len(given) != len(operator.inputs):
        named = ", ".join(operator.inputs)
        message = f"`{operator.name}` takes {several(len(operator.inputs), 'argument')} ({named}), not {len(given)}"
        known = ARITHMETIC_WORDS.get(operator.name)
        hints = () if known is None else (f"the operator is meant here; arithmetic is written `{known}`",)
        raise ClauseError(message, node.span, hints)
    attrs = _checked(operator, node, scope)
    if relation.takes_attrs:
        return lambda env: relation(*(a(env) for a in arguments), result(env), attrs(env))

    def unread(env: list[Any]) -> Goal:
        goal, given = relation(*(a(env) for a in arguments), result(env)), attrs(env)
        return lall(goal, given.valued) if type(given) is Open else goal

    return unread


def _named(node: Syntax, scope: Scope, open_too: bool = False) -> dict[str, MakeTerm]:
    """The attributes given in a call, `units=10`; `open_too`: also `units=n`."""
    found: dict[str, MakeTerm] = {}
    for item in node.items:
        if item.kind != "equation":
            continue
        name, value = item.items
        made = static(value, scope)
        if made is None and open_too and _is_open(value, scope):
            made = term(value, scope, "value")
        if name.kind != "name" or made is None:
            wanted = "a literal, an attribute, a variable or a list" if open_too else "a literal or an attribute"
            raise ClauseError(f"an attribute is given as name=value, the value {wanted}", item.span)
        if name.value in found:
            raise ClauseError(f"attribute `{name.value}` is given twice", item.span)
        found[name.value] = made
    return found


def _is_open(node: Syntax, scope: Scope) -> bool:
    """Whether an attribute is a variable, or a list in which variables and literals stand."""
    stack = [node]
    while stack:
        item = stack.pop()
        if item.kind in ("group", "tuple", "list", "open_list", "empty", "conjunction"):
            stack.extend(item.items)
        elif item.kind != "spread" and not (item.kind == "name" and (item.value == "_" or is_variable(item.value))):
            if static(item, scope) is None:
                return False
    return True


NUMBERS = frozenset({"number", "dim"})
_MAY_STAND_FOR = {
    **dict.fromkeys(("int", "integer", "dim"), ("number", NUMBERS)),
    "bool": ("truth", frozenset()),
    "float": ("value", NUMBERS),
    "str": ("value", frozenset({"dtype"})),
    "dtype": ("dtype", frozenset({"dtype"})),
    **dict.fromkeys(("list", "floats"), ("list", NUMBERS | {"list", "shape"})),
}
"""By the kind of an attribute, what it is, and what else a variable may stand for that is given for it."""


def _check_kinds(operator: Operator, node: Syntax, scope: Scope) -> None:
    """Raises ClauseError where a variable is given for an attribute that cannot be what the variable stands for."""
    for item in node.items:
        if item.kind != "equation":
            continue
        name, value = item.items
        while value.kind in ("group", "tuple") and len(value.items) == 1:  # `(...s)` is s
            value = value.items[0]
        declared = operator.attributes.get(name.value)
        if declared is not None and value.kind in ("name", "spread"):
            check_kind(value, declared, scope.kinds.of, value.kind == "spread" or value.value in scope.kinds.listed)


def check_kind(name: Syntax, attribute: Attribute, kinds: Mapping[str, str], is_list: bool = False) -> None:
    """Raises ClauseError where an attribute cannot be what a variable stands for that is given for it."""
    if attribute.kind in _MAY_STAND_FOR:
        wanted, allowed = _MAY_STAND_FOR[attribute.kind]
        known = kinds.get(name.value, "list" if is_list else None)
        if known is not None and known not in allowed:
            raise TwoThings(name, name.value, wanted, known)


def _numbers(node: Syntax, scope: Scope) -> set[str]:
    """The attributes that are given as a variable which stands for a number: as literals, they stand for lists."""
    found = set()
    for item in node.items:
        if item.kind == "equation":
            name, value = item.items
            while value.kind == "group" and value.items[0].kind != "conjunction":
                value = value.items[0]
            if value.kind == "name" and scope.kinds.of.get(value.value) in NUMBERS:
                found.add(str(name.value))
    return found


def _where(call: Syntax, attribute: str) -> Span:
    """Where a call gives an attribute; where it stands if it does not."""
    given = (item for item in call.items if item.kind == "equation" and item.items[0].value == attribute)
    return next((item.span for item in given), call.span)


def _checked(operator: Operator, node: Syntax, scope: Scope) -> MakeTerm:
    """The complete attributes of a call of an operator."""
    named = _named(node, scope, True)
    _check_kinds(operator, node, scope)
    names, numbers = scope.names, _numbers(node, scope)

    def complete(env: list[Any]) -> Any:
        given = {name: made(env) for name, made in named.items()}
        for name, value in given.items():
            declared = operator.attributes.get(name)
            if declared is not None and declared.kind == "list" and (type(value) is int or name in numbers):
                given[name] = listed(value, declared, operator.attributes)
        try:
            return operator.attrs(given, names.bounds)
        except AttributeProblem as problem:
            raise ClauseError(f"`{operator.name}`: {problem}", _where(node, problem.attribute)) from None

    if any("attrs." in item.text for item in node.items):
        return complete
    known = complete([None, *fresh_list(scope.size)])
    return complete if named and type(known) is not Attrs else lambda _: known


def relation_attributes(relation: Relation, node: Syntax, forwarded: bool, scope: Scope) -> MakeTerm:
    """The attributes of a call of a relation: those forwarded, or an operator's defaults, changed by those given."""
    if forwarded:
        scope.forwards = True
        named = _named(node, scope)
        return lambda env: env[0].replace(**{name: made(env) for name, made in named.items()}) if named else env[0]
    users = [o for _, o in sorted(scope.names.rules.operators.items()) if o.relation is relation]
    problem: ClauseError | None = None
    for user in users:
        try:
            return _checked(user, node, scope)
        except ClauseError as error:
            problem = problem or error
    if problem is not None:
        raise problem
    named = _named(node, scope)
    return lambda env: Attrs({name: made(env) for name, made in named.items()})
