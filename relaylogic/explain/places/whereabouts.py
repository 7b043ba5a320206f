"""The expressions of a program by where they stand, or by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import RelayLogicError, several
from ...host.governor import paced
from ...infer.sites.places import NAMES, use_span
from ...ir import Call, Function, GlobalVar, IRModule, Let, children, post_order
from ...ir import Var as LocalVar
from ...ir.visit import bound_by
from ...text.errors import nearest
from ...text.names import sigiled
from ...text.tokens import SIGILED

__all__ = ["bound_in", "found_at", "found_by_name"]

MOST = 8
"""So many places of a name that is ambiguous are listed."""

_NAME = re.compile(rf"(?:@(?P<owner>{SIGILED}):)?%(?P<local>{SIGILED}|[0-9]+)|@(?P<function>{SIGILED})")
_WORD = re.compile(rf"[%@]{SIGILED}")
_GRAPH_WORD = re.compile(r"(%[0-9]+)(?![\w./])\s*(?P<binds>=(?!=))?")


def bound_in(function: Function) -> Iterator[LocalVar]:
    """The variables that a function binds, in the order of the text: parameters, lets, patterns."""
    yield from function.params
    for node in paced(post_order(function)):
        if node is not function:
            yield from bound_by(node)


def found_by_name(module: IRModule, name: str) -> Any:
    """The variable or function of a name: `%w`, `@main`, `@main:%w`; of a graph binding, `%0 = ...`, what it binds.

    Raises RelayLogicError.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise RelayLogicError(f"{name!r:.60} is no place: 3:12, %w, @main and @main:%w are")
    functions = {v.name_hint: f for v, f in module.functions.items()}
    owner, local, whole = (named and named.strip('"') for named in match.group("owner", "local", "function"))
    wanted = owner or whole
    if wanted is not None and wanted not in functions:
        hints = nearest(wanted, [*functions], "@")
        raise RelayLogicError(f"there is no function `{sigiled('@', wanted)}`", None, hints)
    if whole is not None:
        return functions[whole]
    searched = functions if owner is None else {owner: functions[owner]}
    is_graph = match["local"].isdecimal()
    found: list[tuple[str, Any]] = []
    for place, function in searched.items():
        found += [(place, v) for v in dict.fromkeys(bound_in(function)) if v.name_hint == local]
        if is_graph:
            found += [(place, expr) for expr in _graph_bound(function, local)]
    if not found:
        where = f" in `{sigiled('@', owner)}`" if owner is not None else ""
        nor = ", nor an expression that is used" if is_graph else ""
        bound = list(dict.fromkeys(v.name_hint for function in searched.values() for v in bound_in(function)))
        hints = () if is_graph else nearest(str(local), bound, "%")
        raise RelayLogicError(f"no variable `%{match['local']}` is bound{where}{nor}", None, hints)
    if len(found) > 1:
        said = [f"{_place(expr)} in `{sigiled('@', place)}`" for place, expr in found[:MOST]]
        more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
        raise RelayLogicError(
            f"`{name}` is ambiguous: it is bound at {', '.join(said)}{more}",
            None,
            ("say LINE:COL, or which function: @main:%w",),
        )
    return found[0][1]


def _graph_bound(function: Function, number: str) -> list[Any]:
    """What the graph bindings of a number bind, in the order of the text; a name that one gives to a variable is none.

    A program remembers only what they bind, so they are looked for in its text.
    """
    whole = function.span
    if whole is None:
        return []
    text = whole.source.text
    binding = re.compile(rf"%{number}\s*=(?!=)\s*")
    begins = [match.end() for match in binding.finditer(text, whole.start, whole.end)]
    longest: dict[int, Any] = {}
    ends: dict[int, int] = {}
    for span, expr in _standing(function) if begins else ():
        if span is not None and span.source is whole.source and span.end >= ends.get(span.start, 0):
            longest[span.start], ends[span.start] = expr, span.end
    found = []
    for start in begins:
        while start not in longest and text[start : start + 1] in tuple("( \t\r\n"):
            start += 1
        if start in longest and not isinstance(longest[start], NAMES):
            found.append(longest[start])
    return found


def _place(expr: Any) -> str:
    span = expr.span
    return "?" if span is None else f"{span.line}:{span.column}"


def found_at(module: IRModule, line: int, column: int) -> Any:
    """The innermost expression that stands at a place, both counted from 1. Raises RelayLogicError."""
    where = f"{line}:{column}"
    source = next((f.span.source for f in module.functions.values() if f.span is not None), None)
    if source is None:
        raise RelayLogicError("this program was not read from a text: its expressions have names only")
    lines = source.text.count("\n") + 1
    if not 1 <= line <= lines:
        raise RelayLogicError(f"there is no place {where}: the text has {several(lines, 'line')}")
    columns = len(source.line_text(line))
    if not 1 <= column <= columns + 1:
        raise RelayLogicError(f"there is no place {where}: line {line} has {several(columns, 'column')}")
    at = (line, column)
    best: Any = None
    smallest: tuple[int, int] | None = None
    for function in module.functions.values():
        for order, (span, expr) in enumerate(_standing(function)):
            if span is None or span.source is not source or not _holds(span, at):
                continue
            size = (span.end - span.start, -order)
            if smallest is None or size < smallest:
                best, smallest = expr, size
    bound = _at_graph_variable(module, source.line_text(line), at)
    if bound is not None:
        return bound
    if best is None:
        raise RelayLogicError(f"no expression stands at {where}")
    named = _named(best, source.line_text(line), column)
    if named is not None:
        return named
    if type(best) is Let and best.var.span is not None and at < (best.var.span.line, best.var.span.column):
        return best.var  # at the word `let`
    # The span of a name is that of its binding.
    inside = best.body.span if type(best) in (Function, Let) and not isinstance(best.body, NAMES) else None
    if type(best) is Let or (inside is not None and (inside.line, inside.column) <= at):
        raise RelayLogicError(f"no expression stands at {where}")
    return best


def _standing(function: Function) -> Iterator[tuple[Any, Any]]:
    """The places of a function where something stands, with what stands there."""
    for variable in bound_in(function):
        yield variable.span, variable
        yield variable.type_span, variable
    for node in paced(post_order(function)):
        if isinstance(node, NAMES):
            continue
        own = node.span
        yield own, node
        callee = node.op if type(node) is Call else None
        for child in children(node):
            if isinstance(child, (LocalVar, GlobalVar)) or (isinstance(child, NAMES) and child is not callee):
                span = use_span(child, node)
                if span != own:  # then it cannot be told from this node; `_named` looks at the text
                    yield span, child


def _named(user: Any, text: str, column: int) -> Any:
    """The variable whose name stands in a column, if the user has it; it may have it twice."""
    for word in _WORD.finditer(text):
        if word.start() < column <= word.end():
            for child in children(user):
                kind = LocalVar if word[0][0] == "%" else GlobalVar
                if isinstance(child, kind) and child.name_hint == word[0][1:].strip('"'):
                    return child
    return None


def _at_graph_variable(module: IRModule, text: str, at: tuple[int, int]) -> Any:
    """What the graph variable is bound to that stands at a place, in a line of this text: there, or last before it.

    None if there is none. A program does not remember where such variables are used.
    """
    column = at[1]
    word = next((w for w in _GRAPH_WORD.finditer(text) if w.start() < column <= w.end(1)), None)
    if word is None:
        return None
    for function in module.functions.values():
        if function.span is not None and _holds(function.span, at):
            bound = _graph_bound(function, word[1][1:])
            before = [expr for expr in bound if (expr.span.line, expr.span.column) < at]
            found = bound[len(before) :][:1] if word["binds"] else before[-1:]
            return found[0] if found else None
    return None


def _holds(span: Any, at: tuple[int, int]) -> bool:
    return bool((span.line, span.column) <= at < (span.end_line, span.end_column))
