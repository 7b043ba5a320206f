"""Writing one function or expression.

`ExprPrinter.function` and `ExprPrinter.scope` are recursive, written for a trampoline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ..errors import IllFormed
from ..ir import (
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    Tuple,
    TupleGetItem,
    Var,
    parts,
    post_order,
)
from ..types import FuncType, is_bare
from .attribute_text import attribute_text, type_argument_text
from .constant_table import ConstantTable
from .names import Namer, sigiled
from .trampoline import Steps
from .type_text import TypeNames, parameters_text, type_text

__all__ = ["ExprPrinter", "Piece", "TypeOf"]

TypeOf = Callable[[Expr], Any]
# Text under construction: a string, or a list of such. Strings of blocks are joined only at the end, since a
# block that is copied into each block around it makes printing quadratic.
Piece = Any
_ATOMS = frozenset({Var, GlobalVar, Op, Constant, Constructor})
_INDENT = "  "
_DEEPEST_INDENT = 100


def _deeper(indent: str) -> str:
    """The indentation of a block in a block; it stops growing, lest a deep program's text be quadratic."""
    return indent + _INDENT if len(indent) < _DEEPEST_INDENT else indent


class ExprPrinter:
    """Prints one function or expression.

    `function`, `scope`, `inline` and `reference` are recursive, written for a trampoline. A scope is the list
    of its lines; statements go to the end of the innermost one, which is handed down as `out`.
    """

    def __init__(
        self,
        root: Expr,
        show_types: TypeOf | None,
        constants: ConstantTable,
        first_number: int = 0,
        is_assumed: Callable[[Expr], bool] = lambda _: False,
    ) -> None:
        self.show_types = show_types
        self.is_assumed = is_assumed
        self.constants = constants
        self.next_number = first_number
        self.uses: Counter[int] = Counter()
        self.recursive: set[int] = set()  # the lets whose values use the variables that they bind
        met: dict[int, int] = {}
        functions: list[Function] = []
        for place, node in enumerate(post_order(root, parts)):
            for part in parts(node):
                if id(part) not in met:  # children come before their parents
                    raise IllFormed(f"a {type(node).__name__} contains itself", node.span)
                self.uses[id(part)] += 1
            met[id(node)] = place
            if type(node) is Function:
                functions.append(node)
            elif type(node) is Let and type(node.var) is not Var:
                raise IllFormed(f"a let binds a variable, which a {type(node.var).__name__} is not", node.span)
            elif type(node) is Let and met.get(id(node.var), place) < met[id(node.value)]:
                self.recursive.add(id(node))
        self.types = TypeNames(p for function in reversed(functions) for p in function.type_params)  # the outer first
        self.bound: dict[int, str] = {}
        self.namer = Namer()

    # ---- comments and declarations

    def comment(self, expr: Expr) -> str:
        if self.show_types is None:
            return ""
        found = self.show_types(expr)
        if found is None or type(found) is str:
            return found or ""
        return f" /* ty={self.type(found)}{' assumed' if self.is_assumed(expr) else ''} */"

    def comment_behind(self, expr: Expr) -> str:
        """The type behind an expression in a statement; names have it where they are bound, constants everywhere."""
        return "" if type(expr) in _ATOMS else self.comment(expr)

    def type(self, term: Any) -> str:
        return type_text(self.types.told_apart(term))

    def declared(self, variable: Var) -> str:
        if type(variable) is not Var:
            raise IllFormed(f"a variable is bound, which a {type(variable).__name__} is not")
        name = self.namer.name(variable)
        if variable.type_annotation is not None:
            return f"{name}: {self.type(variable.type_annotation)}"
        return name + self.comment(variable)

    # ---- scopes and statements

    def scope(self, expr: Expr, indent: str, within: bool = False) -> Steps[list[Piece]]:
        """The lines of a body, each but the last with its line end; a shared one is bound, unless `within` that."""
        out: list[Piece] = []
        while type(expr) is Let and (within or self.uses[id(expr)] <= 1):
            within = False
            value, variable = expr.value, expr.var
            head = ""
            if variable.name_hint or variable.type_annotation is not None or self.uses[id(variable)]:
                head = f"let {self.declared(variable)} = "
            text = yield self.let_value(expr, indent, out)
            out.append([indent, head, text, f"{self.comment_behind(value)};\n"])
            expr = expr.body
        text = yield self.value(expr, indent, out)
        out.append([indent, text, self.comment_behind(expr)])
        return out

    def let_value(self, let: Let, indent: str, out: list[Piece]) -> Steps[Piece]:
        """The value of a let. What uses the let's own variable must not be bound before the let, so it stays inside."""
        value = let.value
        if id(let) not in self.recursive or (type(value) is Function and self.uses[id(value)] <= 1):
            return (yield self.value(value, indent, out))
        return (yield self.parenthesised(value, indent))

    def parenthesised(self, expr: Expr, indent: str, within: bool = False) -> Steps[Piece]:
        """An expression in parentheses, with what it needs bound inside of them."""
        lines = yield self.scope(expr, _deeper(indent), within)
        return ["(\n", lines, f"\n{indent})"]

    def value(self, expr: Expr, indent: str, out: list[Piece]) -> Steps[Piece]:
        """The text of an expression where a whole one may stand; a shared one is bound first."""
        if self.uses[id(expr)] > 1 or id(expr) in self.bound:
            return (yield self.reference(expr, indent, out))
        return (yield self.inline(expr, indent, out))

    def reference(self, expr: Any, indent: str, out: list[Piece]) -> Steps[str]:
        """A name or a constant that stands for the expression, which is bound if it has none yet."""
        if type(expr) in _ATOMS:
            return self.atom(expr)
        if type(expr) is Call and self.is_bare_constructor(expr):
            return self.atom(expr.op)
        name: str = yield self.binding(expr, indent, out)
        return name

    def head(self, expr: Any, indent: str, out: list[Piece]) -> Steps[str]:
        """A reference where more follows: `1.0` would be a number, and `Nil(1)` a call of the constructor."""
        text: str = yield self.reference(expr, indent, out)
        bare = type(expr) is Constant or (type(expr) is Call and self.is_bare_constructor(expr))
        return f"({text})" if bare else text

    def attribute_reference(self, expr: Expr, indent: str, out: list[Piece]) -> Steps[str]:
        """A name that stands for an expression in an attribute, where no expressions can be written."""
        if type(expr) in (Var, GlobalVar):
            return self.atom(expr)
        name: str = yield self.binding(expr, indent, out)
        return name

    def binding(self, expr: Expr, indent: str, out: list[Piece]) -> Steps[str]:
        """The graph variable of an expression; it is bound now if it is not yet."""
        known = self.bound.get(id(expr))
        if known is None:
            text = yield self.inline(expr, indent, out)
            known = self.bound[id(expr)] = f"%{self.next_number}"
            self.next_number += 1
            out.append([indent, known, " = ", text, f"{self.comment(expr)};\n"])
        return known

    def references(self, exprs: Iterable[Expr], indent: str, out: list[Piece]) -> Steps[list[str]]:
        texts = []
        for expr in exprs:
            if type(expr) in _ATOMS:
                texts.append(self.atom(expr))
            else:
                texts.append((yield self.reference(expr, indent, out)))
        return texts

    # ---- expressions

    def atom(self, expr: Any) -> str:
        if type(expr) is Var:
            return self.namer.name(expr)
        if type(expr) is GlobalVar:
            return sigiled("@", expr.name_hint)
        if type(expr) is Constant:
            return self.constants.text(expr) + self.comment(expr)
        name: str = expr.name if type(expr) is Op else expr.name_hint
        return name

    def is_bare_constructor(self, call: Call) -> bool:
        """`Nil()`, which is written `Nil`."""
        return (
            type(call.op) is Constructor
            and not (call.op.inputs or call.args or call.given or call.explicit_type_args)
            and self.uses[id(call)] <= 1
        )

    def inline(self, expr: Any, indent: str, out: list[Piece]) -> Steps[Piece]:
        """The text of an expression; what it needs is bound in `out` before."""
        kind = type(expr)
        if kind in _ATOMS:
            return self.atom(expr)
        if kind is Call:
            return (yield self.call(expr, indent, out))
        if kind is Tuple:
            fields = yield self.references(expr.fields, indent, out)
            return f"({', '.join(fields)}{',' if len(fields) == 1 else ''})"
        if kind is TupleGetItem:
            return f"{yield self.head(expr.tuple_value, indent, out)}.{expr.index}"
        if kind is Function:
            return (yield self.function("fn ", expr, indent))
        if kind is If:
            condition = yield self.reference(expr.cond, indent, out)
            yes = yield self.block(expr.true_branch, indent)
            no = yield self.block(expr.false_branch, indent)
            return [f"if ({condition}) ", yes, " else ", no]
        if kind is Match:
            return (yield self.match(expr, indent, out))
        if kind is Let:
            return (yield self.parenthesised(expr, indent, within=True))
        if kind is RefCreate:
            return f"ref({yield self.reference(expr.value, indent, out)})"
        if kind is RefRead:
            return f"ref_read({yield self.reference(expr.ref, indent, out)})"
        ref, value = yield self.references((expr.ref, expr.value), indent, out)
        return f"ref_write({ref}, {value})"

    def call(self, call: Call, indent: str, out: list[Piece]) -> Steps[Piece]:
        arguments = yield self.references(call.args, indent, out)
        for name, value in (call.given or {}).items():
            if isinstance(value, Expr):
                text = yield self.attribute_reference(value, indent, out)
            else:
                text = attribute_text(value)
            arguments.append(f"{name}={text}")
        if self.is_bare_constructor(call):
            return self.atom(call.op)
        callee: Piece = yield self.head(call.op, indent, out)
        given = self.types.told_apart(call.explicit_type_args)
        types = f"<{', '.join(map(type_argument_text, given))}>" if given else ""
        return f"{callee}{types}({', '.join(arguments)})"

    def block(self, expr: Expr, indent: str) -> Steps[Piece]:
        lines = yield self.scope(expr, _deeper(indent))
        return ["{\n", lines, f"\n{indent}}}"]

    def function(self, head: str, function: Function, indent: str) -> Steps[Piece]:
        params = [self.declared(variable) for variable in function.params]
        params += [f"{name}={attribute_text(value)}" for name, value in (function.attrs or {}).items()]
        result = "" if function.ret_type is None else f" -> {self.type(function.ret_type)}"
        where = ""
        if function.type_constraints:
            whole = (*(variable.type_annotation for variable in function.params), function.ret_type)
            where = (
                f" where {', '.join(r.name if is_bare(r, whole) else self.type(r) for r in function.type_constraints)}"
            )
        body = yield self.block(function.body, indent)
        comment = self.comment(function) if head.startswith("def") else ""
        parameters = parameters_text(self.types.told_apart(function.type_params))
        told = where + result if type(function.ret_type) is FuncType else result + where
        return [f"{head}{parameters}({', '.join(params)}){told} ", body, comment]

    def match(self, match: Match, indent: str, out: list[Piece]) -> Steps[Piece]:
        data = yield self.reference(match.data, indent, out)
        pieces: list[Piece] = [f"match{'' if match.complete else '?'} ({data}) {{\n"]
        for clause in match.clauses:
            pattern = yield self.pattern(clause.lhs)
            body = yield self.block(clause.rhs, _deeper(indent))
            pieces.append([_deeper(indent), pattern, " => ", body, ",\n"])
        return [*pieces, f"{indent}}}"]

    def pattern(self, pattern: Pattern) -> Steps[Piece]:
        if isinstance(pattern, PatternVar):
            return self.declared(pattern.var)
        if not isinstance(pattern, (PatternConstructor, PatternTuple)):
            return "_"
        parts: list[Piece] = []
        for part in pattern.patterns:
            parts += [", " if parts else "", (yield self.pattern(part))]
        if isinstance(pattern, PatternTuple):
            return ["(", parts, ",)" if len(pattern.patterns) == 1 else ")"]
        name = pattern.constructor.name_hint
        return [name, "(", parts, ")"] if parts else name
