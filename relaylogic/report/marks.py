"""What in the text of a program can be pointed at: expressions, variables where they are bound and used, functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError
from ..host.governor import paced
from ..ir import Call, Function, Let, Source, Span, post_order
from ..ir import Var as LocalVar
from ..ir.short import callee_name
from ..ir.visit import bound_by
from ..text.context import unquoted
from ..text.lexer import tokenize
from ..text.tokens import GRAPH_VARIABLES, binding_head

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = ["Mark", "marks_of"]

_NAMES = GRAPH_VARIABLES | {"LOCAL", "GLOBAL"}

_WORDS = {
    "Constant": "constant",
    "If": "if",
    "Let": "let",
    "Match": "match",
    "RefCreate": "ref",
    "RefRead": "ref_read",
    "RefWrite": "ref_write",
    "Tuple": "tuple",
    "TupleGetItem": "projection",
}


@dataclass(frozen=True)
class Mark:
    """A stretch of the text, from offset `start` to `end`, that stands for the expression `node`.

    `name` says what it is. `span` is the whole place of the expression, of a function more than its mark.
    """

    start: int
    end: int
    node: Any
    name: str
    span: Span


def marks_of(result: Result, source: Source, end: int) -> Iterator[Mark]:
    """The marks in the first `end` characters of a text, each stretch once; those that are not typed are left out."""
    seen: set[tuple[int, int]] = set()
    for mark in _all_marks(result, source):
        place = (mark.start, mark.end)
        if place not in seen and mark.start < mark.end <= end and result.type_of(mark.node) is not None:
            seen.add(place)
            yield mark


def _all_marks(result: Result, source: Source) -> Iterator[Mark]:
    variables: list[tuple[Function, LocalVar]] = []
    values: dict[int, Any] = {}  # by where they begin in the text: the longest expression
    for variable, function in result.module.functions.items():
        for node in paced(post_order(function)):
            span = node.span
            variables += [(function, bound) for bound in bound_by(node)]
            if span is not None and span.source is source and not isinstance(node, LocalVar):
                name = f"@{variable.name_hint}" if node is function else _name(node)
                # A function is marked where it begins, up to its parameters; a `let` by what it binds.
                named = variable.span if node is function else None
                begin = named.end if named is not None and named.source is source else span.start
                head = source.text.find("(", begin, span.end) if type(node) is Function else -1
                if type(node) is not Let:
                    yield Mark(span.start, span.end if head < 0 else head, node, name, span)
                    if head < 0 and _longer(span, values.get(span.start)):
                        values[span.start] = node
    yield from _of_variables(result, source, variables, values)


def _longer(span: Span, known: Any) -> bool:
    return known is None or span.end > known.span.end


def _name(node: Any) -> str:
    if type(node) is Call:
        return callee_name(node)
    return "fn" if type(node) is Function else _WORDS.get(type(node).__name__, type(node).__name__.lower())


def _of_variables(
    result: Result, source: Source, variables: list[tuple[Function, LocalVar]], values: dict[int, Any]
) -> Iterator[Mark]:
    """Where variables are bound and used: a name is taken for its variable if no other in its function has it."""
    bound: dict[tuple[int, str], list[LocalVar]] = {}
    functions = [f for f in result.module.functions.values() if f.span is not None and f.span.source is source]
    functions.sort(key=lambda f: f.span.start)
    for function, variable in variables:
        known = bound.setdefault((id(function), variable.name_hint), [])
        if all(other is not variable for other in known):
            known.append(variable)
    by_name = {v.name_hint: f for v, f in result.module.functions.items()}
    try:
        tokens = tokenize(source).tokens
    except RelayLogicError:
        return
    at = 0
    shared: dict[str, Any] = {}
    for token, after, then in paced(zip(tokens, [*tokens[1:], None], [*tokens[2:], None, None], strict=False)):
        while at < len(functions) and functions[at].span.end <= token.start:
            at += 1
            shared = {}
        text = source.text[token.start : token.end]
        if text[:1] not in "%@" or at == len(functions) or token.type not in _NAMES:
            continue
        head = 0 if after is None else binding_head([token, after])
        value = (None, after, then)[head]  # the first token of what is bound
        if value is not None:
            shared[text] = values.get(value.start)
        found = bound.get((id(functions[at]), unquoted(token)), [])
        if token.type == "GLOBAL":
            node: Any = by_name.get(unquoted(token))
        elif token.type in GRAPH_VARIABLES:
            node = shared.get(text)
        else:
            node = found[0] if len(found) == 1 else _bound_here(found, token.start)
        if node is not None:
            yield Mark(token.start, token.end, node, text, Span(source, token.start, token.end))


def _bound_here(found: list[LocalVar], start: int) -> Any:
    """Of several variables of one name, the one that is bound at this place."""
    for variable in found:
        if variable.span is not None and variable.span.start == start:
            return variable
    return None
