"""Where a clause is compiled: its variables, what the names around it mean, and the goals gathered so far.

Compiled terms are functions from an environment (a list: the attributes, then the variables by index) to a term;
compiled goals are functions from an environment to a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..ir import Span
from ..logic.constraints.unseen import is_whole
from ..logic.states.goals import Goal
from ..logic.terms.mistakes import RuleError
from ..logic.terms.numbers import UNKNOWN
from ..rulebase import Operator, Relation
from ..rulebase.attribute_universe import UNBOUNDED, AttributeBounds
from ..rulebase.base import RuleBase
from ..rulebase.data_types import DataType
from ..rulebase.near import near
from ..text.literals import MOST_DIGITS
from ..types import GlobalTypeVar, normal_dtype
from .kinds import Kinds
from .syntax import ClauseError, Syntax
from .words import WORDS
from .written import ARITHMETIC_WORDS

__all__ = ["NO_NEGATION", "Environment", "MakeGoal", "MakeTerm", "Names", "Scope", "constant", "static"]

NO_NEGATION = "clauses say what holds; that terms are not equal is written `!=`"
Environment = list[Any]
MakeTerm = Callable[[Environment], Any]
MakeGoal = Callable[[Environment], Goal]
OperatorCall = Callable[[Operator, Syntax, MakeTerm, "Scope"], MakeGoal]
"""Compiles the goal that an operator, applied as in a node, gives a result."""


class Names:
    """What the names in clauses mean: the relations being defined, those of a rule base, its operators, data types."""

    def __init__(self, rules: RuleBase, bounds: AttributeBounds = UNBOUNDED) -> None:
        self.rules = rules
        self.bounds = bounds  # of attributes that are variables
        self.data: dict[str, DataType] = {}  # the data types being declared
        self.dtypes: set[str] = set()  # the attributes that are dtypes for all operators being declared
        self.strict = bool(rules.data_types)  # whether data types must be declared
        self.defined: dict[str, Relation] = {}
        self.kinds: dict[str, list[str | None]] = {}
        self.handles: Mapping[str, Any] | None = rules.handles
        self._of_types: dict[str, bool] = {}  # whether a relation types the calls of operators

    def relation(self, name: str, span: Span | None = None) -> Relation | None:
        """The relation `name`, if there is one. Raises ClauseError, about `span`, if the name means several."""
        known = self.defined.get(name)
        if known is not None:
            return known
        try:
            return self.rules.named(name)
        except RuleError as problem:
            raise ClauseError(problem.message, span, problem.hints) from None

    def operator(self, name: str) -> Operator | None:
        """The operator `name`, if there is one."""
        return self.rules.operators.get(name)

    def handle(self, name: str) -> Any:
        """The handle of the data type `name`: of a program, or that is declared; None if there is none.

        Where nothing is declared and there is no program around, a name is its own data type.
        """
        if self.handles is not None and name in self.handles and name not in self.data:
            return self.handles[name]
        data = self.data_types.get(name)
        if data is not None:
            return data.handle
        return None if self.strict or self.handles is not None else GlobalTypeVar.named(name)

    @property
    def data_types(self) -> dict[str, DataType]:
        """The data types that are declared, in the rule base or now."""
        return {**self.rules.data_types, **self.data}

    def parameters(self, name: str) -> tuple[str, ...] | None:
        """The kinds of what the data type `name` is applied to; None where nothing says it."""
        if self.handles is not None and name in self.handles and name not in self.data:
            return self.rules.parameter_kinds(self.handles[name])
        data = self.data_types.get(name)
        return None if data is None else data.kinds

    def no_type(self, name: str, span: Span) -> ClauseError:
        """The error for a name that means no data type, or several."""
        meant = self.rules.types_named(name)
        if not meant:
            hints = near(name, [*self.data_types, *(self.handles or ()), "Tensor"])
            return ClauseError(f"there is no data type `{name}`", span, hints)
        message = f"`{name}` means several data types: {', '.join(meant)}"
        return ClauseError(message, span, ("write one of these names",))

    def positions(self, name: str) -> Sequence[str | None] | None:
        """What the arguments of a relation or operator stand for."""
        if name in self.kinds:
            return self.kinds[name]
        if name == "map":
            return (None, *("list",) * 63)
        relation = self.rules.relations.get(name)
        if relation is None:
            if name in WORDS:
                return WORDS[name][1]
            operator = self.operator(name)
            return None if operator is None else ("type",) * max(len(operator.inputs), 64 if operator.variadic else 0)
        if relation.kinds is not None:
            return relation.kinds
        return ("type",) * relation.arity if self._is_of_types(name) else None

    def _is_of_types(self, name: str) -> bool:
        """Whether a relation types the calls of an operator, which is looked for once."""
        known = self._of_types.get(name)
        if known is None:
            operators = self.rules.operators.values()
            known = self._of_types[name] = any(operator.relation.name == name for operator in operators)
        return known

    def unknown(self, name: str, span: Span) -> ClauseError:
        """The error for a call of something that there is not."""
        if name == "not":
            return ClauseError("there is no relation `not`", span, (NO_NEGATION,))
        known = [*self.defined, *self.rules.relations, *self.rules.operators, *WORDS, *ARITHMETIC_WORDS]
        return ClauseError(f"there is no relation `{name}`", span, near(name, known))


class Scope:
    """The variables of one clause and the goals compiled so far.

    `operator_call` compiles the goal of a call that stands in a term; what it is made of are terms again.
    """

    def __init__(self, names: Names, kinds: Kinds, operator_call: OperatorCall) -> None:
        self.names = names
        self.kinds = kinds
        self.operator_call = operator_call
        self.index: dict[str, int] = {}
        self.places: dict[int, str | None] = {}  # what each `_` stands for
        self.size = 1
        self.before: list[MakeGoal] = []
        self.after: list[MakeGoal] = []
        self.attributes: dict[str, Syntax] = {}
        self.mentions: dict[Any, None] = {}  # the names of the relations that are called, and `?` if it is written
        self.forwards = False
        self.postpones = False  # whether disjunctions stand beside other goals of a question

    def fresh(self) -> int:
        """The index of a new variable."""
        self.size += 1
        return self.size - 1

    def variable(self, name: str) -> int:
        """The index of the variable `name`."""
        known = self.index.get(name)
        if known is None:
            known = self.index[name] = self.fresh()
        return known

    def take(self) -> tuple[list[MakeGoal], list[MakeGoal]]:
        """The goals that terms needed before and after the one at hand; they are forgotten here."""
        taken = (self.before, self.after)
        self.before, self.after = [], []
        return taken


def static(node: Syntax, scope: Scope) -> MakeTerm | None:
    """A value that is known when the clause is called: a literal, an attribute, or arithmetic on them; else None.

    Arithmetic on literals that has no value (`-"x"`, `1 // 0`) is none of these. Raises ClauseError where it comes to a
    number of more than `MOST_DIGITS` digits.
    """
    kind = node.kind
    if kind == "number":
        value: Any = float(node.value) if any(c in node.value for c in ".eE") else int(node.value)
        return lambda _: value
    if kind == "string":
        text = _string(node)
        return lambda _: text
    if kind == "unknown":
        scope.mentions[UNKNOWN] = None
        return lambda _: "?"
    if kind == "name":
        return _static_name(node, scope)
    if kind in ("negative", "operation"):
        return _static_operation(node, scope)
    if kind in ("group", "tuple", "list", "empty"):
        single = kind == "group" and node.items[0].kind != "conjunction"
        if single:
            return static(node.items[0], scope)
        items = node.items[0].items if kind == "group" else node.items
        parts = [static(item, scope) for item in items]
        if None in parts:
            return None
        return lambda env: tuple(part(env) for part in parts if part is not None)
    return None


def constant(made: MakeTerm) -> tuple[Any, ...]:
    """The value of a static term, alone in a tuple; an empty one if that takes the attributes of a call."""
    try:
        return (made([None]),)
    except (ClauseError, RuleError):
        return ()


def _string(node: Syntax) -> str:
    import ast

    try:
        text: str = ast.literal_eval(node.value)
    except SyntaxError as problem:
        reason = str(problem.msg).rpartition(": ")[2]
        raise ClauseError(f"this is no string: {reason}", node.span, ("a backslash is written twice",)) from None
    return text


_NAMED = {"true": True, "True": True, "false": False, "False": False, "none": None, "None": None}


def _static_name(node: Syntax, scope: Scope) -> MakeTerm | None:
    name = node.value
    if name in _NAMED:
        value = _NAMED[name]
        return lambda _: value
    first, dot, field = name.partition(".")
    if first == "attrs" and dot:
        scope.attributes.setdefault(field, node)
        return lambda env: _attribute(env[0], field, node)
    try:
        dtype = normal_dtype(name) if (name[0].islower() and name[-1].isdigit()) or name in ("bool", "handle") else None
    except ValueError:
        dtype = None
    return None if dtype is None else lambda _: dtype


def _attribute(attrs: Any, field: str, node: Syntax) -> Any:
    if attrs is None or field not in attrs:
        raise RuleError(f"this call has no attribute `{field}`", node.span)
    return attrs.get(field)


_TOO_LONG = 10**MOST_DIGITS
_COMPUTE: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else None,
    "%": lambda a, b: a % b if b else None,
}


def _static_operation(node: Syntax, scope: Scope) -> MakeTerm | None:
    """What is computed of literals is computed here, of attributes when the clause is called (None: it cannot be)."""
    operands = [static(item, scope) for item in node.items]
    if None in operands:
        return None
    negates = node.kind == "negative"
    compute = _COMPUTE["-" if negates else node.value]

    def made(env: Environment) -> Any:
        values = [operand(env) for operand in operands if operand is not None]
        if negates:
            (value,) = values
            return -value if is_whole(value) or type(value) is float else None
        return compute(*values) if all(map(is_whole, values)) else None

    known = constant(made)
    if not known:
        return made
    (value,) = known
    if type(value) is int and abs(value) >= _TOO_LONG:
        raise ClauseError(f"this comes to a number of more than {MOST_DIGITS} digits", node.span)
    return None if value is None else lambda _: value
