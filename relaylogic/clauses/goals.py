"""Compiles the goals of clause notation: equations, comparisons, calls, premises with a name, `,` and `;`."""

from __future__ import annotations

from typing import Any

from ..errors import several
from ..ir import Span
from ..logic import (
    conde,
    differ,
    eq,
    equals,
    fail,
    fresh_list,
    geo,
    gto,
    lall,
    leo,
    lto,
    mapo,
    neq,
    stating,
    succeed,
)
from ..logic.states.goals import Goal
from ..rulebase import AttributeProblem, Attrs, Operator, Relation
from ..rulebase.attributes import listed
from ..rulebase.open_attributes import Open
from ..types import TupleType
from .scope import MakeGoal, MakeTerm, Scope, static
from .syntax import ClauseError, Syntax
from .terms import checked, expression, is_arithmetic, term
from .words import WORDS
from .written import A_KIND, ARITHMETIC_WORDS, COMPARISONS, TwoThings, is_dtype, is_value, is_variable

__all__ = ["goals", "of_relation", "operator_call"]

_COMPARE = {"<": lto, "<=": leo, ">": gto, ">=": geo}


def goals(node: Syntax, scope: Scope, named: bool = False) -> list[MakeGoal]:
    """The goals of a body, in order; `named` if they have words of their own."""
    kind = node.kind
    if kind == "conjunction":
        return [made for item in node.items for made in goals(item, scope, named)]
    if kind == "group":
        return goals(node.items[0], scope, named)
    if kind == "premise":
        text, said = static(node.items[0], scope), goals(node.items[1], scope, True)
        assert text is not None
        return [lambda env: stating(text(env), *(made(env) for made in said))]
    if kind == "disjunction":
        branches = [goals(item, scope, named) for item in node.items]
        return [lambda env: conde(*([made(env) for made in branch] for branch in branches))]
    made = _goal(node, scope)
    if not named and node.kind == "call" and node.value[0] in WORDS and scope.names.relation(node.value[0]) is None:
        made = _in_its_own_words(node, made)
    before, after = scope.take()
    return [*before, made, *after]


def _goal(node: Syntax, scope: Scope) -> MakeGoal:
    kind = node.kind
    if kind == "name" and node.value in ("true", "false", "fail"):
        decided = succeed if node.value == "true" else fail
        return lambda _: decided
    if kind == "equation":
        return _equation(node, scope)
    if kind == "comparison":
        if node.value == "==":
            raise ClauseError("equality is written `=`", node.span)
        left, right = node.items
        if node.value in COMPARISONS:
            compare = _COMPARE[node.value]
            a, b = expression(left, scope), expression(right, scope)
            return lambda env: compare(a(env), b(env))
        return _different(node, scope)
    if kind == "call":
        return _call(node, scope)
    raise ClauseError("a goal is wanted here: an equation, a comparison or a call", node.span)


def _in_its_own_words(node: Syntax, made: MakeGoal) -> MakeGoal:
    """A goal that is refused as it is written: what it does inside is nothing that the clause says."""
    text = f"`{' '.join(node.text.split())}` holds"
    return lambda env: stating(text, made(env))


def _equation(node: Syntax, scope: Scope) -> MakeGoal:
    left, right = node.items
    for call, other in ((left, right), (right, left)):
        operator = _applied(call, scope)
        if operator is not None:
            return operator_call(operator, call, checked(other, scope, "type"), scope)
    sides = scope.kinds.sides(node)
    kind = sides[0] or sides[1] or _kind_of_attribute(left, right, scope)
    if _computes(node, kind, scope) and not _is_negative_attribute(left, right, scope):
        a, b = expression(left, scope), expression(right, scope)
        return lambda env: equals(a(env), b(env))
    if "value" in sides:
        kind = kind if kind == "dtype" else "value" if kind is None else kind
    kind = _of_attribute(kind, node, scope)
    a, b = term(left, scope, kind), term(right, scope, kind)
    return lambda env: eq(a(env), b(env))


def _kind_of_attribute(left: Syntax, right: Syntax, scope: Scope) -> str | None:
    """What a dtype is read as beside a variable that stands for the value of an attribute; None of anything else."""
    for side, other in ((left, right), (right, left)):
        if side.kind == other.kind == "name" and is_variable(side.value) and is_dtype(other.value):
            return "value" if scope.kinds.kind_of(side.value) == "value" else None
    return None


def _of_attribute(kind: str | None, node: Syntax, scope: Scope) -> str | None:
    """How the sides of an equation are read: a list beside the value of an attribute may hold any numbers, and is no
    tuple of types."""
    kinds, (left, right) = scope.kinds, node.items
    for side, other in ((left, right), (right, left)):
        if side.kind == "name" and side.value in kinds.values:
            return "value" if kind == "shape" or kinds.is_one_list(side.value, other) else kind
    return kind


def _is_negative_attribute(left: Syntax, right: Syntax, scope: Scope) -> bool:
    """Whether a side is a negative number, and the other one a variable that stands for such an attribute."""
    for side, other in ((left, right), (right, left)):
        if side.kind == "name" and other.kind == "negative" and side.value in scope.kinds.values:
            return not scope.kinds.stands_for_natural(side.value)
    return False


def _applied(node: Syntax, scope: Scope) -> Operator | None:
    """The operator that a term applies, if it does."""
    if node.kind != "call" or (node.value[0] in ARITHMETIC_WORDS and not scope.kinds.applies(node)):
        return None
    return scope.names.operator(node.value[0])


def _computes(node: Syntax, kind: str | None, scope: Scope) -> bool:
    """Whether a side of an equation is computed; `(n + 1)` is not, if it is a list of one extent."""
    return kind not in ("shape", "types") and any(is_arithmetic(side, scope.kinds) for side in node.items)


def _different(node: Syntax, scope: Scope) -> MakeGoal:
    left, right = node.items
    sides = scope.kinds.sides(node)
    kind = sides[0] or sides[1] or _kind_of_attribute(left, right, scope)
    is_literal = kind == "value" and any(side.kind in ("number", "negative") for side in node.items)
    if kind in ("dim", "number") or (not is_literal and _computes(node, kind, scope)):
        a, b = expression(left, scope), expression(right, scope)
        return lambda env: neq(a(env), b(env))
    kind = _of_attribute(kind, node, scope)
    a, b = term(left, scope, kind), term(right, scope, kind)
    return lambda env: differ(a(env), b(env))


def _call(node: Syntax, scope: Scope) -> MakeGoal:
    name = node.value[0]
    if name == "map":
        return _map(node, scope)
    relation = scope.names.relation(name, node.value[1])
    if relation is not None:
        return _relation_call(relation, node, scope)
    if name in WORDS:
        word, positions = WORDS[name]
        if len(node.items) != len(positions):
            wanted = several(len(positions), "argument")
            raise ClauseError(f"`{name}` takes {wanted}, not {len(node.items)}", node.span)
        arguments = [_argument(item, kind, scope) for item, kind in zip(node.items, positions, strict=True)]
        return lambda env: word(*(a(env) for a in arguments))
    operator = scope.names.operator(name)
    if operator is None:
        raise scope.names.unknown(node)
    raise ClauseError(f"`{name}` is an operator: write `{name}(...) = result`", node.value[1])


def _argument(node: Syntax, kind: str | None, scope: Scope, brackets: str = "shape") -> MakeTerm:
    # Brackets of which nothing says what they hold are shapes in a call; nothing is said of `_`.
    otherwise = None if node.kind == "name" and node.value == "_" else brackets
    read_as = scope.kinds.read_as(node, kind) or otherwise
    return checked(node, scope, kind, read_as) if kind in A_KIND else term(node, scope, read_as)


def of_relation(node: Syntax, kind: str | None, scope: Scope, brackets: str = "shape") -> MakeTerm:
    """An argument of a relation, in a call or a head: of the kind of its parameter, unless it is the value of an
    attribute. Raises ClauseError. Brackets of which nothing says what they hold are read as `brackets`.

    Clauses of one relation may take a number and `none`, say, in one place; but no attribute stands for a type.
    """
    return term(node, scope, kind) if is_value(node) and kind != "type" else _argument(node, kind, scope, brackets)


def _map(node: Syntax, scope: Scope) -> MakeGoal:
    if len(node.items) < 2 or node.items[0].kind != "name":
        raise ClauseError("`map` takes a relation, or a word, and lists: map(BroadcastDim, a, b, c)", node.span)
    name = node.items[0].value
    count = len(node.items) - 1
    relation = scope.names.relation(name, node.items[0].span)
    if relation is None and name not in WORDS:
        raise ClauseError(f"there is no relation `{name}`", node.items[0].span)
    arity = len(WORDS[name][1]) if relation is None else relation.arity
    if arity != count or (relation is not None and relation.takes_attrs):
        message = f"{relation or f'`{name}`'} cannot be mapped over {several(count, 'list')}"
        raise ClauseError(message, node.span)
    kinds = scope.kinds.mapped(name, arity)
    lists = [_argument(item, kind, scope) for item, kind in zip(node.items[1:], kinds, strict=True)]
    if relation is None:
        word = WORDS[name][0]
        return lambda env: mapo(word, *(items(env) for items in lists))
    known = scope.names.rules.relations
    scope.mentions[name] = None
    return lambda env: mapo(known[name], *(items(env) for items in lists))


def _relation_call(relation: Relation, node: Syntax, scope: Scope) -> MakeGoal:
    given = [item for item in node.items if item.kind != "equation"]
    forwarded = bool(given) and given[-1].kind == "name" and given[-1].value == "attrs"
    if forwarded:
        given.pop()
    _check_arity(relation, len(given), node)
    # Looked up at each call: a file loaded later may replace the relation.
    known, name = scope.names.rules.relations, relation.name
    scope.mentions[name] = None
    positions = scope.names.positions(name)
    arguments = [of_relation(item, positions[i] if positions else None, scope) for i, item in enumerate(given)]
    if not relation.takes_attrs:
        if forwarded or len(given) < len(node.items):
            raise ClauseError(f"{relation} takes no attributes", node.span)
        return lambda env: known[name](*(a(env) for a in arguments))
    attrs = _attributes(relation, node, forwarded, scope)
    return lambda env: known[name](*(a(env) for a in arguments), attrs(env))


def _check_arity(relation: Relation, count: int, node: Syntax) -> None:
    if count != relation.arity:
        parameters = ", ".join(relation.parameters)
        message = f"`{relation.name}` relates {several(relation.arity, 'term')} ({parameters}), not {count}"
        raise ClauseError(message, node.span)


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


_NUMBER = frozenset({"number", "dim"})
_MAY_STAND_FOR = {
    **dict.fromkeys(("int", "integer", "dim"), ("number", _NUMBER)),
    "bool": ("truth", frozenset()),
    "float": ("value", _NUMBER),
    "str": ("value", frozenset({"dtype"})),
    "dtype": ("dtype", frozenset({"dtype"})),
    **dict.fromkeys(("list", "floats"), ("list", _NUMBER | {"list", "shape"})),
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
        if declared is not None and declared.kind in _MAY_STAND_FOR and value.kind in ("name", "spread"):
            wanted, allowed = _MAY_STAND_FOR[declared.kind]
            is_list = value.kind == "spread" or value.value in scope.kinds.listed
            known = scope.kinds.of.get(value.value, "list" if is_list else None)
            if known is not None and known not in allowed:
                raise TwoThings(value, value.value, wanted, known)


def _numbers(node: Syntax, scope: Scope) -> set[str]:
    """The attributes that are given as a variable which stands for a number: as literals, they stand for lists."""
    found = set()
    for item in node.items:
        if item.kind == "equation":
            name, value = item.items
            while value.kind == "group" and value.items[0].kind != "conjunction":
                value = value.items[0]
            if value.kind == "name" and scope.kinds.of.get(value.value) in _NUMBER:
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


def _attributes(relation: Relation, node: Syntax, forwarded: bool, scope: Scope) -> MakeTerm:
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
