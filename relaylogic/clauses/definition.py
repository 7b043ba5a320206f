"""A relation as one file states it, and what its arguments stand for where its clauses leave that open.

What is certain of one clause is learned of it (`kinds`). The rest is decided here, step by step, what is surest first,
and after each step all is learned again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ..host.governor import paced
from ..rulebase import Relation
from .compile import Compiled
from .evident import elements_of
from .kinds import Kinds
from .known_kinds import ELEMENT
from .scope import Names
from .syntax import Syntax
from .written import is_dtype, is_value, is_variable

__all__ = ["Definition", "assume_lists", "assume_scalars", "assume_tuples", "assume_types", "learn_from_calls"]

_BRACKETED = frozenset({"list", "open_list"})
_TAUGHT = frozenset({"type", "types", "shape", "dtype"})


class Definition:
    """A relation as one file states it."""

    def __init__(self, relation: Relation, extends: bool) -> None:
        self.relation = relation
        self.extends = extends
        self.clauses: list[tuple[str, Syntax, Syntax, Syntax | None, Compiled | None]] = []
        self.kinds: list[str | None] = [None] * relation.arity
        self.given: dict[str, str] = {}  # the kinds of the parameters of the data type whose constructor it is
        self.constructor = ""
        self.learned: list[Kinds] = []  # by clause, what is known of its variables

    def kinds_in(self, names: Names) -> Kinds:
        """What is known of the variables of a clause before it is looked at."""
        kinds = Kinds(names.positions, names.parameters, names.dtypes)
        kinds.of.update(self.given)
        return kinds

    def open_arguments(self) -> Iterator[tuple[int, tuple[Syntax, ...]]]:
        """The places of arguments of which nothing is known, each with what the clauses have there."""
        heads = () if self.extends else [head.items for _, _, head, _, _ in self.clauses]
        for index, arguments in enumerate(zip(*heads, strict=True)):
            if self.kinds[index] is None:
                yield index, arguments


def assume_types(definitions: Sequence[Definition], related: Collection[str]) -> bool:
    """Take arguments for types in relations of operators, which relate these, but those in brackets; whether there were
    any."""
    known = [d for d in definitions if d.relation.name in related]
    return _assume(known, lambda arguments: None if any(a.kind in _BRACKETED for a in arguments) else "type")


def learn_from_calls(definitions: Sequence[Definition]) -> bool:
    """Take arguments for what is given for them wherever it is known, if that is one thing; whether there were any.

    Only of relations that may be read in two ways, or call such: others say the same of whatever they are given.
    """
    wanted = _read_in_two_ways({d.relation.name: d for d in definitions if None in d.kinds and not d.extends})
    given: dict[tuple[str, int], set[str]] = {}
    for definition in paced(definitions) if wanted else ():
        for (_, _, _, body, _), kinds in zip(definition.clauses, definition.learned, strict=False):
            for name, index, found in _calls(body, kinds):
                if name in wanted and found in _TAUGHT:
                    given.setdefault((name, index), set()).add(found)
    learned = False
    for (name, index), kinds_given in given.items():
        known = wanted[name].kinds
        if len(kinds_given) == 1 and index < len(known) and known[index] is None:
            (known[index],) = kinds_given
            learned = True
    return learned


def _read_in_two_ways(definitions: dict[str, Definition]) -> dict[str, Definition]:
    """Those of some relations that have the name of a dtype, or a tuple, in a clause, and those that call them."""
    callers: dict[str, set[str]] = {}
    agenda = []
    for name, definition in definitions.items():
        nodes = [part for _, _, head, body, _ in definition.clauses for part in (*head.items, body) if part is not None]
        while nodes:
            node = nodes.pop()
            nodes.extend(node.items)
            if node.kind == "call":
                callers.setdefault(node.value[0], set()).add(name)
            elif node.kind == "name":
                callers.setdefault(node.value, set()).add(name)  # it may be mapped
            if (node.kind == "name" and is_dtype(node.value)) or _may_be_tuple(node):
                agenda.append(name)
    found: dict[str, Definition] = {}
    while agenda:
        name = agenda.pop()
        if name in definitions and name not in found:
            found[name] = definitions[name]
            agenda.extend(callers.get(name, ()))
    return found


def _calls(body: Syntax | None, kinds: Kinds) -> Iterator[tuple[str, int, str | None]]:
    """What relations are called with in a body: name, place, and what stands there as far as is known."""
    stack = [body] if body is not None else []
    while stack:
        node = stack.pop()
        stack.extend(node.items)
        if node.kind != "call":
            continue
        name, items, is_mapped = node.value[0], node.items, False
        if name == "map" and items and items[0].kind == "name":
            name, items, is_mapped = items[0].value, items[1:], True
        for index, item in enumerate(items):
            if kinds.is_dtype_attribute(item):
                yield name, index, "dtype"
            elif is_mapped:
                yield name, index, ELEMENT.get(kinds.term(item, "list") or "")
                yield from ((name, index, kinds.term(element, None)) for element in elements_of(item))
            elif item.kind != "equation":
                yield name, index, kinds.term(item, None)


def assume_lists(definitions: Sequence[Definition]) -> bool:
    """Take arguments in brackets for lists of types, where elements are written like types, else for shapes; whether
    there were any."""

    def listed(arguments: tuple[Syntax, ...]) -> str | None:
        lists = [a for a in arguments if a.kind in _BRACKETED]
        return None if not lists else "types" if any(map(_holds_types, lists)) else "shape"

    return _assume(definitions, listed)


def assume_tuples(definitions: Sequence[Definition]) -> bool:
    """Take arguments in parentheses for types of tuples; whether there were any."""
    return _assume(definitions, lambda arguments: "type" if any(map(_may_be_tuple, arguments)) else None)


def assume_scalars(definitions: Sequence[Definition]) -> bool:
    """Take arguments that are written as dtypes for types of scalars; whether there were any."""

    def named(arguments: tuple[Syntax, ...]) -> str | None:
        names = [a.value for a in arguments if a.kind == "name"]
        return "type" if any(map(is_dtype, names)) and not any(map(is_value, arguments)) else None

    return _assume(definitions, named)


def _assume(definitions: Sequence[Definition], kind: Callable[[tuple[Syntax, ...]], str | None]) -> bool:
    found = False
    for definition in paced(definitions):
        for index, arguments in definition.open_arguments():
            taken = kind(arguments)
            if taken is not None:
                definition.kinds[index] = taken
                found = True
    return found


def _holds_types(items: Syntax) -> bool:
    """Whether an element of a list in brackets is written like a type, and none is the value of an attribute."""
    elements = items.items[:-1] if items.kind == "open_list" else items.items
    return not any(map(is_value, elements)) and any(map(_is_typed, elements))


def _is_typed(item: Syntax) -> bool:
    """Whether an element has the name of a type, or holds terms in parentheses, but one, which may be an extent."""
    if item.kind == "name":
        return is_variable(item.value) and item.value[0].isupper()
    return _may_be_tuple(item) and (item.kind != "group" or len(item.items[0].items) > 1)


def _may_be_tuple(node: Syntax) -> bool:
    """Whether what is written in parentheses may be the type of a tuple: it holds no values of attributes."""
    inner = node.items[0] if node.kind == "group" else node
    if inner.kind == "empty":
        return inner.text.startswith("(")
    return inner.kind in ("tuple", "conjunction") and not any(map(is_value, inner.items))
