"""Compiles the goals of clause notation: equations, comparisons, calls, premises with a name, `,` and `;`."""

from __future__ import annotations

from ..errors import several
from ..logic import (
    conde,
    differ,
    eq,
    equals,
    fail,
    geo,
    gto,
    leo,
    lto,
    mapo,
    neq,
    stating,
    succeed,
)
from ..rulebase import Operator, Relation
from .alternatives import alternatives
from .calls import operator_call, relation_attributes
from .evident import is_arithmetic
from .scope import NO_NEGATION, MakeGoal, MakeTerm, Scope, static
from .syntax import ClauseError, Syntax
from .terms import checked, expression, term
from .words import WORDS
from .written import A_KIND, ARITHMETIC_WORDS, COMPARISONS, is_dtype, is_value, is_variable

__all__ = ["goals", "of_relation"]

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
        if scope.postpones:
            return [alternatives(branches, scope)]
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
    hints = (NO_NEGATION,) if kind == "name" and node.value == "not" else ()
    raise ClauseError("a goal is wanted here: an equation, a comparison or a call", node.span, hints)


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


def _may_be_none(node: Syntax, scope: Scope) -> bool:
    """Whether a side stands for an attribute, of which an equation with a number does not say that it is one."""
    names = [side.value for side in node.items if side.kind == "name" and side.value in scope.kinds.values]
    return any(not scope.kinds.stands_for_natural(name) for name in names)


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
    is_number = kind in ("dim", "number") and not _may_be_none(node, scope)
    if is_number or (not is_literal and _computes(node, kind, scope)):
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
        kinds = scope.kinds.wanted(node, positions) or positions
        arguments = [_argument(item, kind, scope) for item, kind in zip(node.items, kinds, strict=True)]
        return lambda env: word(*(a(env) for a in arguments))
    operator = scope.names.operator(name)
    if operator is None:
        raise scope.names.unknown(*node.value)
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
        raise scope.names.unknown(name, node.items[0].span)
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
    attrs = relation_attributes(relation, node, forwarded, scope)
    return lambda env: known[name](*(a(env) for a in arguments), attrs(env))


def _check_arity(relation: Relation, count: int, node: Syntax) -> None:
    if count != relation.arity:
        parameters = ", ".join(relation.parameters)
        message = f"`{relation.name}` relates {several(relation.arity, 'term')} ({parameters}), not {count}"
        raise ClauseError(message, node.span)
