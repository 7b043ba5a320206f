"""Random well-formed expressions, with nodes shared across all kinds of scopes, read back as they were printed."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.ir import (
    Call,
    Clause,
    Constant,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    structural_equal,
    structural_hash,
)
from relaylogic.text import astext, parse
from relaylogic.types import TensorType, TupleType, TypeVar, scalar_type
from tests.effort import examples

BEFORE = "type L { Cons(int8, L), Nil } def @f(%x) { () }"
CONS, NIL = (parse(BEFORE).get_constructor(name) for name in ("Cons", "Nil"))

NAMES = st.sampled_from(["x", "x", "y", "x1", "", "0", 'a"b', "a_b", "a b", "fn", "_", "v"])
KINDS = ["call", "call", "tuple", "item", "fn", "let", "let", "let", "if", "match", "ref", "attr"]
TYPES = st.sampled_from([None, None, scalar_type("float32"), TensorType((2, 3), "int8")])


Scope = tuple[object, ...]
"""Variables and type parameters."""


class Builder:
    """Draws expressions. What is made is remembered with the variables that it needs, to be used again in their scope.

    A variable is bound once, as in every program that was read from a text.
    """

    def __init__(self, draw: Callable[[st.SearchStrategy], object], recursive: bool = True) -> None:
        self.draw = draw
        self.recursive = recursive  # whether the value of a let may use its variable
        self.made: list[tuple[Expr, frozenset[object]]] = []
        self.needs: dict[int, frozenset[object]] = {}

    def variable(self, scope: Scope) -> Var:
        return Var(self.draw(NAMES), self.type(scope))

    def type(self, scope: Scope) -> object:
        """A type, or None; perhaps a type parameter in scope."""
        parameters = [item for item in scope if isinstance(item, TypeVar)]
        if parameters and self.draw(st.booleans()):
            return TupleType([self.draw(st.sampled_from(parameters)), self.draw(st.sampled_from(parameters))])
        return self.draw(TYPES)

    def expr(self, scope: Scope, size: int) -> Expr:
        again = [node for node, needs in self.made if needs <= set(scope)]
        if again and self.draw(st.integers(0, 3)) == 0:
            return self.draw(st.sampled_from(again[-12:]))
        if size <= 0:
            return self.leaf(scope)
        parts, bound, node = self.compound(scope, size - 1)
        annotated = [v.type_annotation for v in bound if isinstance(v, Var)] + [getattr(node, "ret_type", None)]
        named = {item for t in annotated if isinstance(t, TupleType) for item in t.fields}
        needs = frozenset(named).union(*(self.needs_of(part) for part in parts)) - bound
        self.needs[id(node)] = needs
        self.made.append((node, needs))
        return node

    def needs_of(self, node: Expr) -> frozenset[object]:
        return frozenset({node}) if isinstance(node, Var) else self.needs.get(id(node), frozenset())

    def leaf(self, scope: Scope) -> Expr:
        kind = self.draw(st.integers(0, 5))
        variables = [item for item in scope if isinstance(item, Var)]
        if kind <= 2 and variables:
            return self.draw(st.sampled_from(variables))
        if kind == 3:
            return Constant(1, scalar_type("int32"))
        if kind == 4:
            return Call(NIL, ())
        return GlobalVar("f")

    def compound(self, scope: Scope, size: int) -> tuple[list[Expr], set[object], Expr]:
        """A node, its children, and what it binds."""

        def inner(*more: object) -> Expr:
            return self.expr((*scope, *more), size)

        kind = self.draw(
            st.sampled_from(["call", "call", "tuple", "item", "fn", "let", "let", "let", "if", "match", "ref", "attr"])
        )
        if kind == "call":
            op = self.draw(st.sampled_from([Op("add"), CONS, None])) or inner()
            parts = [inner() for _ in range(self.draw(st.integers(1, 2)))]
            return [op, *parts], set(), Call(op, parts)
        if kind == "attr":
            data, value = inner(), inner()
            return [data, value], set(), Call(Op("arange"), [data], {"start": value, "axis": (1, None), "s": "a"})
        if kind == "tuple":
            parts = [inner() for _ in range(self.draw(st.integers(0, 2)))]
            return parts, set(), Tuple(parts)
        if kind == "item":
            part = inner()
            return [part], set(), TupleGetItem(part, self.draw(st.integers(0, 2)))
        if kind == "fn":
            types = [TypeVar(name) for name in self.draw(st.lists(st.sampled_from(["a", "a", "b", "a1"]), max_size=1))]
            params = [self.variable((*scope, *types)) for _ in range(self.draw(st.integers(0, 2)))]
            body, result = inner(*types, *params), self.type((*scope, *types))
            return [body], {*types, *params}, Function(params, body, result, types)
        if kind == "let":
            variable = self.variable(scope)
            value = inner(variable) if self.recursive and self.draw(st.booleans()) else inner()
            body = inner(variable)
            return [value, body], {variable}, Let(variable, value, body)
        if kind == "if":
            parts = [inner(), inner(), inner()]
            return parts, set(), If(*parts)
        if kind == "match":
            data, head, tail, pair = inner(), self.variable(scope), self.variable(scope), self.variable(scope)
            arms = [
                Clause(PatternConstructor(CONS, [PatternVar(head), PatternVar(tail)]), inner(head, tail)),
                Clause(PatternTuple([PatternVar(pair), PatternWildcard()]), inner(pair)),
                Clause(PatternWildcard(), inner()),
            ]
            return [data, *(arm.rhs for arm in arms)], {head, tail, pair}, Match(data, arms, self.draw(st.booleans()))
        ref, value = inner(), inner()
        made = self.draw(st.sampled_from([RefCreate(ref), RefRead(ref), RefWrite(ref, value)]))
        return [ref, value], set(), made


@st.composite
def expressions(draw: Callable[[st.SearchStrategy], object], recursive: bool = True) -> tuple[Scope, Expr]:
    """Variables, and an expression in which no others are free."""
    builder = Builder(draw, recursive)
    scope = (Var("x"), Var("g"))
    return scope, builder.expr(scope, draw(st.integers(1, 5)))


@settings(max_examples=examples(400))
@given(expressions())
def test_programs(drawn: tuple[Scope, Expr]) -> None:
    params, body = drawn
    module = parse(BEFORE)
    module.add(GlobalVar("main"), Function(params, body))
    text = astext(module)
    again = parse(text)
    assert structural_equal(module, again), text
    assert structural_hash(module) == structural_hash(again)
    assert astext(again) == text
    commented = astext(module, show_types=lambda expr: scalar_type("int8"))
    assert structural_equal(module, parse(commented)), commented
