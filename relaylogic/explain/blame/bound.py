"""The variables of a function, and what else it makes: where each may be used, which of them nobody uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from ...ir import Call, Function, Let, Match, TupleGetItem, children, pattern_vars, post_order
from ...ir import Var as LocalVar
from ...ir.visit import bound_by
from ..places.place import Place
from .left_out import unused_bindings

__all__ = ["Bound", "bound_in", "bound_variables", "is_within"]

_WRITTEN = re.compile(r"(def|fn)\b")
_BINDS = re.compile(r"%([\w./]+)\s*=\s*$")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}]', re.DOTALL)

_LONGEST = 80
"""So many characters before a value are looked at for the name that it is bound to."""


@dataclass
class Bound:
    """What is known of the variables of a function.

    `bound` are all, `unused` those that nobody uses, `uses` says how often each is used, or any other value, `ranks`
    are the places of the parameters in their list. `orderly` are the stretches of the text in which parameters would
    be used if they were used in their order, by identity; `expected` those of unused ones; `endings` are the offsets
    behind which bindings of the text stand that nobody uses. `taken` are the tuples of which several fields are used,
    with these. `scopes` are the stretches of the text in which variables may be used, by identity. `made` are the
    values that the text gives a name, or that no text names, with these names.
    """

    bound: list[LocalVar] = field(default_factory=list)
    unused: list[LocalVar] = field(default_factory=list)
    uses: dict[int, int] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)
    orderly: dict[int, tuple[int, int]] = field(default_factory=dict)
    expected: list[tuple[int, int]] = field(default_factory=list)
    endings: list[int] = field(default_factory=list)
    taken: list[tuple[Any, set[int]]] = field(default_factory=list)
    scopes: dict[int, tuple[int, int]] = field(default_factory=dict)
    made: list[tuple[Any, str]] = field(default_factory=list)

    def may_use(self, variable: Any, place: Place) -> bool:
        """Whether a variable is bound at a place, as far as the text tells."""
        scope = self.scopes.get(id(variable))
        return scope is None or place.span is None or (scope[0] <= place.span.start and place.span.end <= scope[1])


def bound_variables(function: Any) -> list[Any]:
    """All variables that a function binds: parameters, lets, patterns."""
    return [variable for node in post_order(function) for variable in bound_by(node)]


def is_within(offset: int, stretch: tuple[int, int]) -> bool:
    """Whether an offset is in a stretch of the text."""
    return stretch[0] <= offset <= stretch[1]


def bound_in(function: Function) -> Bound:
    """What there is to know of the variables of a function."""
    uses: dict[int, int] = {}
    places: dict[int, int] = {}
    for node in post_order(function):
        for part in children(node):
            uses[id(part)] = uses.get(id(part), 0) + 1
            if isinstance(part, LocalVar):
                if node.span is not None:
                    places.setdefault(id(part), node.span.start)
    for name, own in _in_itself(function):
        uses[name] -= own
        if not uses[name]:
            del uses[name]
    ranks = {id(p): i for i, p in enumerate(function.params)}
    orderly: dict[int, tuple[int, int]] = {}
    befores = [places.get(id(p)) for p in function.params]
    last: int | None = None
    for i, parameter in enumerate(function.params):
        after = next((place for place in befores[i + 1 :] if place is not None), None)
        if last is not None and after is not None and last <= after:
            orderly[id(parameter)] = last, after
        last = befores[i] if befores[i] is not None else last
    expected = [stretch for parameter, stretch in orderly.items() if parameter not in uses]
    # What stands for the value of a statement has no name.
    bound = [variable for variable in bound_variables(function) if variable.name_hint]
    unused = [v for v in (*function.params, *(v for v in bound if id(v) not in ranks)) if id(v) not in uses]
    endings = [start + len(name) + 1 for start, name in unused_bindings(function).items()]
    made = list(_made(function))
    scopes = dict([*_blocks(function, made), *_scopes(function)])
    return Bound(bound, unused, uses, ranks, orderly, expected, endings, _taken(function), scopes, made)


def _made(function: Function) -> Iterator[tuple[Any, str]]:
    """What a function makes and binds to graph variables, with their names; where it is no program text, all that it
    makes, without names."""
    whole = function.span
    if whole is None:
        return
    is_written = _WRITTEN.match(whole.source.text, whole.start) is not None
    for node in post_order(function):
        if type(node) in (Call, TupleGetItem) and node.span is not None:
            start = node.span.start
            found = _BINDS.search(node.span.source.text, max(0, start - _LONGEST), start) if is_written else None
            if found is not None or not is_written:
                yield node, "" if found is None else f"`%{found.group(1)}`"


def _blocks(function: Function, made: Sequence[tuple[Any, str]]) -> Iterator[tuple[int, tuple[int, int]]]:
    """The blocks of the text in which values are bound to graph variables, by identity: no other one knows them."""
    span = function.span
    named = [(node.span.start, node) for node, name in made if name]
    if span is None or not named:
        return
    tokens = [(m.start(), m.group()) for m in _TOKEN.finditer(span.source.text, span.start, span.end)]
    inside: list[list[Any]] = []
    for offset, item in sorted([*tokens, *named], key=itemgetter(0)):
        if item == "{":
            inside.append([])
        elif item == "}":
            yield from ((id(node), (node.span.end, offset)) for node in (inside.pop() if inside else ()))
        elif inside and type(item) is not str:
            inside[-1].append(item)


def _scopes(function: Function) -> Iterator[tuple[int, tuple[int, int]]]:
    """The stretches of the text in which what a function binds may be used, by identity."""
    binders: list[tuple[Sequence[Any], tuple[Any, ...], Any]]
    for node in post_order(function):
        if type(node) is Function:
            binders = [(node.params, (), node)]
        elif type(node) is Let:
            binders = [((node.var,), (node.var, node.value), node)]
        elif type(node) is Match:
            binders = [(pattern_vars(clause.lhs), (clause.lhs,), clause) for clause in node.clauses]
        else:
            continue
        for variables, before, within in binders:
            spans = [part.span for part in (*before, within) if part.span is not None]
            if len(spans) == len(before) + 1:
                start = max((span.end for span in spans[:-1]), default=spans[-1].start)
                yield from ((id(variable), (start, spans[-1].end)) for variable in variables)


def _in_itself(function: Function) -> Iterator[tuple[int, int]]:
    """The functions that a function binds and that call themselves, by identity, each with how often it does so."""
    for let in post_order(function):
        if type(let) is Let and type(let.value) is Function:
            own = sum(part is let.var for node in post_order(let.value) for part in children(node))
            if own:
                yield id(let.var), own


def _taken(function: Function) -> list[tuple[Any, set[int]]]:
    """The tuples of a function of which several fields are used, with these."""
    fields: dict[int, tuple[Any, list[int]]] = {}
    for node in post_order(function):
        if type(node) is TupleGetItem:
            fields.setdefault(id(node.tuple_value), (node.tuple_value, []))[1].append(node.index)
    return [(whole, set(taken)) for whole, taken in fields.values() if len(set(taken)) > 1]
