"""Declarations of data types in files of clauses, as the clauses that they stand for.

`data List<a> { Cons(a, List<a>), Nil }` declares the data type `List`, and of each constructor the relation that it is
and that of its patterns, with one clause each: `Cons(a, List[a], List[a])`, `ConsPattern(List[a], a, List[a])`. So what
is said of fields and result is clause notation, and holds in every direction. `List<a>` is `List[a]`; the form of
Relay's documents, `Cons : (a, List[a]) -> List`, says the same. Parameters have kinds as in Relay: `<s: Shape>`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..rulebase.data_types import DataType
from ..rulebase.near import near
from ..rulebase.term_kinds import TERM_KINDS
from ..types import KINDS, GlobalTypeVar
from .syntax import ClauseError, Syntax
from .written import is_dtype, wrong_number

__all__ = ["Declaration", "Stated"]

_TYPES = ("Tensor", "ref")  # the calls that are types


class Declaration:
    """One `data` statement of a file. Raises ClauseError for parameters that are none."""

    def __init__(self, statement: Syntax, file: str) -> None:
        name, parameters, *constructors = statement.items
        self.name = str(name.value)
        self.statement = statement
        self.where = name
        self.constructors = [Constructor(node) for node in constructors]
        self.parameters: dict[str, str] = {}
        for parameter in parameters.items:
            kind = parameter.items[0] if parameter.items else None
            if parameter.value in self.parameters:
                message = f"the parameter `{parameter.value}` of `{self.name}` is declared twice"
                raise ClauseError(message, parameter.span)
            if kind is not None and kind.value not in KINDS:
                raise ClauseError(f"`{kind.value}` is no kind: the kinds are {', '.join(KINDS)}", kind.span)
            self.parameters[parameter.value] = "Type" if kind is None else str(kind.value)
        self.data = DataType(
            GlobalTypeVar.named(self.name),
            tuple(self.parameters.values()),
            tuple(constructor.name for constructor in self.constructors),
            file,
            statement.span.line,
        )

    @property
    def kinds(self) -> dict[str, str]:
        """What the parameters stand for in the clauses of the constructors."""
        return {name: TERM_KINDS[kind] for name, kind in self.parameters.items()}

    def stated(self, known: Mapping[str, DataType]) -> list[Stated]:
        """The relations of the constructors and of their patterns. Raises ClauseError for a field that is no
        type, or whose type nothing in `known` declares.
        """
        found: list[Stated] = []
        for constructor in self.constructors:
            fields = tuple(self._typed(field, known) for field in constructor.fields)
            if constructor.result is not None:
                self._check_result(constructor)
            made = self._whole(constructor.where)
            numbered = tuple(f"field{i}" for i in range(1, len(fields) + 1))
            name = constructor.name
            makes = f"`{name}` makes a `{self.name}` of its fields."
            takes = f"A pattern `{name}` takes a `{self.name}` apart into the constructor's fields."
            found.append(Stated(constructor, name, makes, (*numbered, "result"), (*fields, made)))
            found.append(Stated(constructor, f"{name}Pattern", takes, ("scrutinee", *numbered), (made, *fields)))
        return found

    def _whole(self, where: Syntax) -> Syntax:
        """The data type applied to its own parameters."""
        return _applied(self.name, [_at("name", name, (), where) for name in self.parameters], where)

    def _check_result(self, constructor: Constructor) -> None:
        result = constructor.result
        assert result is not None
        given = [result.value] if result.kind == "name" else [n.value for n in _leaves(result)]
        if given not in ([self.name], [self.name, *self.parameters]):
            raise ClauseError(f"`{constructor.name}` must make a `{self.name}`, not `{result.text}`", result.span)

    def _typed(self, node: Syntax, known: Mapping[str, DataType]) -> Syntax:
        """A field in which the data types without parameters are applied. Raises ClauseError for what is no type."""
        kind, value = node.kind, node.value
        if kind == "name":
            if value in self.parameters or is_dtype(value):
                return node
            data = known.get(value)
            if data is None:
                raise self._unknown(node, known)
            if data.kinds:
                raise wrong_number(value, len(data.kinds), 0, node)
            return _applied(value, [], node)
        if kind == "spread":
            if value not in self.parameters:
                raise self._unknown(node, known)
            return node
        if kind == "call" and node.value[0] not in _TYPES and node.value[0] not in ("min", "max", "prod", "sum"):
            raise ClauseError(f"the fields of a constructor are types, which `{node.text}` is not", node.span)
        if kind in ("string", "equation", "comparison", "disjunction", "open_list"):
            raise ClauseError(f"the fields of a constructor are types, which `{node.text}` is not", node.span)
        items = node.items
        if kind == "subscript" and items[0].kind == "name":
            base, index = items
            if base.value not in (*_TYPES, *self.parameters) and base.value not in known:
                raise self._unknown(base, known)
            items = (base, self._typed(index, known))
        else:
            items = tuple(self._typed(item, known) for item in items)
        return Syntax(kind, value, items, node.source, node.start, node.end)

    def _unknown(self, node: Syntax, known: Mapping[str, DataType]) -> ClauseError:
        hints = near(node.value, [*known, *self.parameters, "Tensor"])
        return ClauseError(f"unknown type `{node.value}` in `{self.name}`", node.span, hints)


class Constructor:
    """A constructor as written; `result` is what it is said to make, if that is said."""

    def __init__(self, node: Syntax) -> None:
        name, fields, result = node.items
        self.name = str(name.value)
        self.where = node
        self.label = name
        self.fields = fields.items
        self.result = None if result.kind == "none" else result


class Stated(NamedTuple):
    """A relation that a declaration makes: of which constructor, its name, what it says, its parameters, its clause."""

    constructor: Constructor
    name: str
    doc: str
    parameters: tuple[str, ...]
    terms: tuple[Syntax, ...]

    @property
    def head(self) -> Syntax:
        """The head of its only clause."""
        where = self.constructor.where
        return _at("call", (self.name, where.span), self.terms, where)

    def statement(self, known: Mapping[str, DataType]) -> Syntax:
        """The clause as a statement, whose text is as clause notation writes it."""
        where = self.constructor.where
        written = _Written("clause", None, (), where.source, where.start, where.end)
        written.written = f"{self.name}({', '.join(_text(term, known) for term in self.terms)})."
        return written


class _Written(Syntax):
    """A node that stands for more than its text."""

    __slots__ = ("written",)
    written: str

    @property
    def text(self) -> str:
        """What the node stands for."""
        return self.written


_ANGLE = re.compile(r"<|(?<!-)>")
_NAME = re.compile(r"[A-Za-z_]\w*(?!\w*\s*\[)")


def _text(node: Syntax, known: Mapping[str, DataType]) -> str:
    """A field, or the whole data type, in clause notation: `List[a]` for `List<a>`, `Numbers[]` for `Numbers`."""
    made = node.kind == "subscript" and node.start == node.items[0].start and node.end == node.items[0].end
    if made:  # it stands for the name of a data type, or for a constructor as a whole
        return f"{node.items[0].value}[{', '.join(str(leaf.value) for leaf in _leaves(node.items[1]))}]"
    plain = _ANGLE.sub(lambda angle: "[" if angle[0] == "<" else "]", node.text)
    return _NAME.sub(lambda name: f"{name[0]}[]" if name[0] in known else name[0], plain)


def _at(kind: str, value: Any, items: tuple[Syntax, ...], where: Syntax) -> Syntax:
    return Syntax(kind, value, items, where.source, where.start, where.end)


def _applied(name: str, arguments: list[Syntax], where: Syntax) -> Syntax:
    inside = arguments[0] if len(arguments) == 1 else _at("conjunction", None, tuple(arguments), where)
    return _at("subscript", None, (_at("name", name, (), where), _at("index", None, (inside,), where)), where)


def _leaves(node: Syntax) -> list[Syntax]:
    found: list[Syntax] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if not item.items and item.kind != "conjunction":
            found.append(item)
        stack.extend(reversed(item.items))
    return found
