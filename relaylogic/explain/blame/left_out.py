"""What the text of a program binds for its graph, and nobody uses: the graph of a program does not hold it, but it may
be what is meant somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...errors import RelayLogicError
from ...infer.sites.places import tail
from ...ir import Function, Let, Source, post_order
from ...text.parser import parse

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["types_left_out", "unused_bindings"]

_BINDING = re.compile(r"%([\w./]+)(?=\s*=[^=])")
_FIELD = re.compile(r"(\.\d+)+$")
_USE = re.compile(r"%([\w./]+)")

MOST = 4
"""Of so many bindings that nobody uses it is asked what they would be."""


def unused_bindings(function: Function) -> dict[int, str]:
    """The names of bindings in the text of a function that are not used in it, by where they stand."""
    span = function.span
    if span is None:
        return {}
    text = span.source.text
    found = {m.start(): m for m in _BINDING.finditer(text, span.start, span.end)}
    used = {m.group(1) for m in _USE.finditer(text, span.start, span.end) if m.start() not in found}
    used |= {_FIELD.sub("", name) for name in used}
    return {start: m.group(1) for start, m in found.items() if m.group(1) not in used}


def types_left_out(function: Function, inference: Inference) -> dict[int, tuple[str, Any]]:
    """What the graph variables of a function that nobody uses stand for, as names and types, by where they are bound.

    They are used in a text that is made of the program's, and that is inferred.
    """
    span = function.span
    if span is None or span.source is not inference.module.source:
        return {}
    found: dict[int, tuple[str, Any]] = {}
    for start, name in list(unused_bindings(function).items())[:MOST]:
        ends = [m.start() for m in _BINDING.finditer(span.source.text, start + 1, span.end)]
        last = tail(function.body)[0].span
        if last is not None and last.start > start:
            ends.append(last.start)
        type_ = _type_of(name, span.source, ends[0], inference) if name.isdecimal() and ends else None
        if type_ is not None:
            found[start] = f"`%{name}`", type_
    return found


def _type_of(name: str, source: Source, behind: int, inference: Inference) -> Any:
    """The type of a graph variable in a text in which a statement that uses it stands before that at an offset."""
    from ...infer.program import Inference

    variable = "left_out"
    while f"%{variable}" in source.text:
        variable += "_"
    text = f"{source.text[:behind]}let %{variable} = %{name}; {source.text[behind:]}"
    try:
        module = parse(text, source.name)
    except RelayLogicError:  # it is bound in another scope
        return None
    used = Inference(module, inference.driver.rules, inference.closed, inference.monomorphic)
    nodes = (node for other in module.functions.values() for node in post_order(other))
    return next((used.type_of(n.var) for n in nodes if type(n) is Let and n.var.name_hint == variable), None)
