"""From reductions of the statement rules to lets, graph bindings, matches and functions: all that binds."""

from __future__ import annotations

from itertools import count
from typing import Any

from ..ir import Clause, Expr, Function, Let, Match, Var
from ..types import TypeVar
from .context import unquoted
from .expr_builder import ExprBuilder, Value, graph_number
from .scopes import Reach
from .tokens import Token
from .type_builder import bare_relations

__all__ = ["StatementBuilder"]


class StatementBuilder(ExprBuilder):
    """Statements of a body, arms of a match, parameters and bodies of functions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.graph_values: dict[int, Any] = {}  # what graph bindings bind, by the offset where each begins

    def match(self, c: list[Any]) -> Value:
        start = c[0].start
        data = self.operand([c[1]])[0]
        return self.placed(Match(data, c[3], c[0].type == "MATCH"), start), start

    def arm(self, c: list[Any]) -> Clause:
        return self.clause(c[0], c[1])

    def case_arm(self, c: list[Any]) -> Clause:
        return self.clause(c[0], c[2])

    def clause(self, head: Any, body: Value) -> Clause:
        self.locals.leave()
        pattern, start = head
        return Clause(pattern, body[0], self.span(start))

    # ---- statements

    def scope_open(self, c: list[Any]) -> int:
        self.locals.enter()
        return c[0].start  # type: ignore[no-any-return]

    def scope(self, c: list[Any]) -> Value:
        self.locals.leave()
        return c[1][0], c[0]

    def let_head(self, c: list[Any]) -> Any:
        name = unquoted(c[1])
        annotated = len(c) > 3
        variable = self.token_placed(Var(name), c[1])
        if annotated:
            variable.type_annotation, variable.type_span = c[3], self.annotation(c[2], self.end_between(c[2], c[4]))
        # The level of a let is its own; but at the start of a body the names bound there already stand, as in TVM.
        self.locals.enter_let(name, variable)
        return variable, c[0].start

    def let_stmt(self, c: list[Any]) -> Any:
        # The body is what follows, up to where the span will end.
        variable, start = c[0]
        return self.placed(Let(variable, c[1][0], c[1][0]), start)

    def expr_stmt(self, c: list[Any]) -> Any:
        node, start = c[0]
        return Var(""), node, start

    def graph_head(self, c: list[Any]) -> Any:
        token: Token = c[0]
        return token.start, graph_number(token), self.begin_graph()

    def graph_stmt(self, c: list[Any]) -> None:
        start, number, outer = c[0]
        self.bind_graph(start, number, outer, c[1][0])

    def begin_graph(self) -> Reach | None:
        """A graph binding begins; the reach of what is around it."""
        outer, self.locals.reach = self.locals.reach, Reach()
        return outer

    def bind_graph(self, start: int, number: str, outer: Reach | None, node: Expr) -> None:
        """The graph binding that begins at `start` ends."""
        reach = self.locals.reach
        assert reach is not None
        self.graph_values[start] = node
        depth = reach.innermost(self.locals.depth)
        if number not in self.graph or self.graph_var(number) is None:
            self.graph[number] = (node, depth, self.locals.serials[depth])
        if outer is not None:
            outer.join(reach)
        self.locals.reach = outer

    def free_var(self, c: list[Any]) -> None:
        if self.in_definition:
            raise self.error("a function has no free variables; make it a parameter", c[1])
        name = unquoted(c[1])
        annotation = c[3] if len(c) > 3 else None
        self.free.setdefault(name, self.token_placed(Var(name, annotation), c[1]))

    def body(self, c: list[Any]) -> Value:
        node, first = c[1]
        lets = 0
        for statement in reversed(c[0]):
            if type(statement) is Let:
                statement.body, first = node, statement.stretch(self.last.end)
                node = statement
                lets += 1
            elif statement is not None:
                variable, value, first = statement
                node = self.placed(Let(variable, value, node), first)
        self.locals.leave(lets)
        return node, first

    # ---- functions

    def fn_head(self, c: list[Any]) -> int:
        self.locals.enter()
        self.types.enter()
        return c[0].start  # type: ignore[no-any-return]

    def param(self, c: list[Any]) -> Var:
        name = unquoted(c[0])
        annotated = len(c) in (3, 6)
        variable = self.token_placed(Var(name), c[0])
        if annotated:
            variable.type_annotation, variable.type_span = c[-1], self.annotation(c[-2])
        self.locals.bind(name, variable)
        return variable

    def params(self, c: list[Any]) -> Any:
        return (c[1] if type(c[1]) is list else []), None

    def params_attrs(self, c: list[Any]) -> Any:
        return c[1], dict(self.plain(c[3], "a function", self.span_behind(c[2])))

    def only_attrs(self, c: list[Any]) -> Any:
        return [], dict(self.plain(c[1], "a function", self.span_behind(c[0])))

    def no_ret(self, c: list[Any]) -> Any:
        return None, None, []

    def ret(self, c: list[Any]) -> Any:
        return (*c[0], c[1])

    def demands(self, c: list[Any]) -> Any:
        """A `where` before the result: one behind the type of a function is that function's."""
        result = c[2] if len(c) > 2 else (None, None)
        return (*result, c[1])

    def told(self, c: list[Any]) -> Any:
        return c[1], self.annotation(c[0])

    def function(self, c: list[Any]) -> Value:
        return self.make_function(c[0], c), c[0]

    def make_function(self, start: int, c: list[Any]) -> Function:
        """The function whose text starts at `start`; `c` are the values of a definition or of a literal."""
        _, type_params, (variables, attrs), (ret_type, ret_span, relations), _, (body, _), _ = c
        self.locals.leave()
        self.types.leave()
        if any(type(r) is str for r in relations):
            type_params, ret_type = self.named(type_params, variables, ret_type)
            relations = bare_relations(relations, (*(v.type_annotation for v in variables), ret_type))
        function = Function(variables, body, ret_type, type_params, attrs, None, relations, ret_span)
        return self.placed(function, start)

    def named(self, type_params: list[Any], variables: list[Var], ret_type: Any) -> tuple[list[Any], Any]:
        """Type parameters for what a bare `where` speaks of and the text does not annotate."""
        taken = {*self.types.visible(), *(parameter.name_hint for parameter in type_params)}
        fresh = (TypeVar(name) for name in map("t{}".format, count(1)) if name not in taken)
        added = []
        for variable in variables:
            if variable.type_annotation is None:
                variable.type_annotation = next(fresh)
                added.append(variable.type_annotation)
        if ret_type is None:
            ret_type = next(fresh)
            added.append(ret_type)
        return [*type_params, *added], ret_type
