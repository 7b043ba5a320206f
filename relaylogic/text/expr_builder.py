"""From reductions of the expression rules to expressions.

The value of an expression is the pair of its node and the offset where its text starts, which for a shared
node differs from use to use.
"""

from __future__ import annotations

from operator import itemgetter
from sys import intern
from typing import Any

from ..ir import (
    Call,
    Constant,
    Constructor,
    Expr,
    GlobalVar,
    If,
    Op,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    Var,
)
from ..types import TensorType, has_number, normal_dtype, number_as, scalar_type
from .attribute_builder import AttributeBuilder
from .automaton import add, one
from .context import unquoted
from .errors import ParseError
from .literals import parse_number
from .tokens import Token, shown

__all__ = ["ExprBuilder"]

Value = tuple[Any, int]

# Operator and precedence of each sign; all group to the left.
_OPERATORS = {
    "*": ("multiply", 12),
    "/": ("divide", 12),
    "+": ("add", 10),
    "-": ("subtract", 10),
    "<": ("less", 8),
    "<=": ("less_equal", 8),
    ">": ("greater", 8),
    ">=": ("greater_equal", 8),
    "==": ("equal", 7),
    "!=": ("not_equal", 7),
}


def graph_number(token: Token) -> str:
    """The digits of a GRAPH token, without leading zeros."""
    return token.value[1:].lstrip("0")


class ExprBuilder(AttributeBuilder):
    """Expressions, statements, functions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.attrs_place = (0, 0)  # where the attributes read last begin, or the space before them, and end

    first = staticmethod(itemgetter(0))
    second = staticmethod(itemgetter(1))

    one = staticmethod(one)
    add = staticmethod(add)

    def empty(self, c: list[Any]) -> list[Any]:
        return []

    def nothing(self, c: list[Any]) -> None:
        return None

    # ---- names

    def local(self, c: list[Any]) -> Value:
        token: Token = c[0]
        name = token.value[1:]
        node = self.locals.use(name[1:-1] if name[0] == '"' else name)
        return self.free_local(token) if node is None else node, token.start

    def free_local(self, token: Token) -> Var:
        name = unquoted(token)
        if name not in self.free:
            if self.in_definition:
                raise self.unknown("local variable", name, token, self.locals.visible(), sigil="%")
            self.free[name] = self.token_placed(Var(name), token)
        return self.free[name]

    def graph_var(self, number: str) -> Expr | None:
        """What the graph variable of a number stands for, if what it needs is still in scope."""
        found = self.graph.get(number)
        if found is None:
            return None
        node, depth, serial = found
        serials = self.locals.serials
        if depth >= len(serials) or serials[depth] != serial:
            return None
        if self.locals.reach is not None:
            self.locals.reach.use(depth)
        return node

    # The name of the rule's alternative; `self.graph` is the table.
    def graph_use(self, c: list[Any]) -> Value:
        token: Token = c[0]
        number = graph_number(token)
        node = self.graph_var(number)
        if node is not None:
            return node, token.start
        if number in self.graph:
            raise self.error(f"`{shown(token.value)}` is bound where other variables were in scope", token)
        hint = f"graph variables are bound by `{shown(token.value)} = ...;` before they are used"
        raise self.error(f"`{shown(token.value)}` is not bound", token, hint)

    def global_var(self, c: list[Any]) -> Value:
        token: Token = c[0]
        name = unquoted(token)
        variable = self.globals.get(name) or self.module.find_global_var(name)
        if variable is None and self.is_alone:
            variable = self.globals[name] = self.token_placed(GlobalVar(name), token)
        if variable is None:
            known = list(self.globals)
            for module in self.module.imports.values():
                known += [v.name_hint for v in module.functions]
            raise self.unknown("function", name, token, known, sigil="@")
        return variable, token.start

    def name(self, c: list[Any]) -> Value:
        token: Token = c[0]
        return self.bare_name(token.value, token.start), token.start

    def bare_name(self, name: str, start: int) -> Expr:
        """What a name at `start` that has no sigil stands for."""
        constructor = self.constructor_named(name)
        if constructor is not None:
            return constructor
        if self.bare_vars and self.locals.find(name) in self.bare_vars:
            return self.locals.use(name)  # type: ignore[return-value]
        node = Op(intern(name))  # few operators are called often
        node.place(self.source, start, start + len(name))
        return node

    # ---- constants

    def number(self, c: list[Any]) -> Value:
        token: Token = c[0]
        try:
            value, dtype = parse_number(token.value)
        except ValueError as problem:
            raise self.error(str(problem), token) from None
        return self.token_placed(Constant(value, scalar_type(dtype)), token), token.start

    def boolean(self, c: list[Any]) -> Value:
        return self.token_placed(Constant(c[0].value == "True", scalar_type("bool")), c[0]), c[0].start

    def meta(self, c: list[Any]) -> Value:
        return self.meta_constant(c[0]), c[0].start

    def constant_call(self, args: list[Value], start: int) -> Constant | None:
        """`Constant(1, (10, 10), float32)`: a tensor of which every element is that number."""
        if len(args) != 3:
            return None
        (number, _), (extents, extents_start), (dtype, _) = args
        if not isinstance(number, Constant) or not isinstance(dtype, Op):
            return None
        items = extents.fields if isinstance(extents, Tuple) else (extents,)
        shape = [item.value for item in items if isinstance(item, Constant) and type(item.value) is int]
        if len(shape) < len(items):
            place = Span(self.source, extents_start, self.last.end)
            raise ParseError("the shape of a constant is a list of integers", place)
        try:
            element = normal_dtype(dtype.name)
        except ValueError as problem:
            raise ParseError(str(problem), dtype.span) from None
        if not has_number(element, number.value):
            raise ParseError(f"{number.value} is no number of {dtype.name}", number.span)
        return self.placed(Constant(number_as(element, number.value), TensorType(tuple(shape), element)), start)

    # ---- operators

    def operand(self, c: list[Any]) -> Value:
        value: Value = c[0]
        node = value[0]
        if type(node) is Constructor and not node.inputs:
            return self.placed(Call(node, ()), value[1]), value[1]
        return value

    def negation(self, c: list[Any]) -> Value:
        start = c[0].start
        return self.placed(Call(self.token_placed(Op("negative"), c[0]), (c[1][0],)), start), start

    def first_operator(self, c: list[Any]) -> list[Any]:
        # The end of each operand is kept, since the calls are made when the chain is complete.
        return [(c[0], c[1].start), c[1], (c[2], self.last.end)]

    def add_operator(self, c: list[Any]) -> list[Any]:
        chain: list[Any] = c[0]
        chain += (c[1], (c[2], self.last.end))
        return chain

    def operators(self, c: list[Any]) -> Value:
        chain: list[Any] = c[0]
        operands: list[tuple[Value, int]] = [chain[0]]
        signs: list[Token] = []
        for index in range(1, len(chain), 2):
            sign: Token = chain[index]
            precedence = _OPERATORS[sign.value][1]
            while signs and _OPERATORS[signs[-1].value][1] >= precedence:
                self.apply(operands, signs.pop())
            signs.append(sign)
            operands.append(chain[index + 1])
        while signs:
            self.apply(operands, signs.pop())
        return operands[0][0]

    def apply(self, operands: list[tuple[Value, int]], sign: Token) -> None:
        """Replace the last two operands by the operator's call of them."""
        (right, _), end = operands.pop()
        (left, start), _ = operands.pop()
        call = Call(self.token_placed(Op(_OPERATORS[sign.value][0]), sign), (left, right))
        call.place(self.source, start, end)
        operands.append(((call, start), end))

    # ---- tuples, calls, control

    def unit(self, c: list[Any]) -> Value:
        return self.placed(Tuple(()), c[0].start), c[0].start

    def parenthesised(self, c: list[Any]) -> Value:
        return c[1][0], c[0].start

    def one_tuple(self, c: list[Any]) -> Value:
        return self.placed(Tuple((c[1][0],)), c[0].start), c[0].start

    def tuple(self, c: list[Any]) -> Value:
        fields = [c[1][0], *(value[0] for value in c[3])]
        return self.placed(Tuple(fields), c[0].start), c[0].start

    def projection(self, c: list[Any]) -> Value:
        node, start = c[0]
        digits = c[1].value[1:].strip()
        if len(digits) > 9:
            raise self.error("no tuple has so many fields", c[1])
        return self.placed(TupleGetItem(node, int(digits)), start), start

    def no_args(self, c: list[Any]) -> Any:
        return [], None

    def args(self, c: list[Any]) -> Any:
        return c[1], None

    def args_attrs(self, c: list[Any]) -> Any:
        self.attrs_place = (c[2].end, self.last.end)
        return c[1], self.by_name(c[3], *self.attrs_place)

    def call_attrs(self, c: list[Any]) -> Any:
        self.attrs_place = (c[0].end, self.last.end)
        return [], self.by_name(c[1], *self.attrs_place)

    def check_attrs(self, callee: Expr, attrs: dict[str, Any] | None) -> None:
        """Attributes belong to operators, or to the class that `attrs_type_key` names."""
        if attrs is not None and type(callee) is not Op and "attrs_type_key" not in attrs:
            raise ParseError("only calls of operators have attributes", self.stripped(*self.attrs_place))

    def call(self, c: list[Any]) -> Value:
        (callee, start), (args, attrs) = c
        if type(callee) is Op and callee.name == "Constant" and attrs is None:
            constant = self.constant_call(args, start)
            if constant is not None:
                return constant, start
        if attrs is not None:
            self.check_attrs(callee, attrs)
        made = Call(callee, [value[0] for value in args])
        made.given = attrs  # which are plain
        return self.placed(made, start), start

    def typed_call(self, c: list[Any]) -> Value:
        (callee, start), _, terms, _, (args, attrs) = c
        if isinstance(callee, Op) and callee.span is not None and callee.name in self.globals:
            raise ParseError(
                f"`{callee.name}` is not an operator with type parameters",
                callee.span,
                (f"the function of that name is written `@{callee.name}`",),
            )
        self.check_attrs(callee, attrs)
        type_args = [self.type_argument(term) for term in terms]
        return self.placed(Call(callee, [value[0] for value in args], attrs, type_args), start), start

    def conditional(self, c: list[Any]) -> Value:
        start = c[0].start
        return self.placed(If(c[2][0], c[4][0], c[6][0]), start), start

    def ref_create(self, c: list[Any]) -> Value:
        return self.placed(RefCreate(c[2][0]), c[0].start), c[0].start

    def ref_read(self, c: list[Any]) -> Value:
        return self.placed(RefRead(c[2][0]), c[0].start), c[0].start

    def ref_write(self, c: list[Any]) -> Value:
        return self.placed(RefWrite(c[2][0], c[4][0]), c[0].start), c[0].start
