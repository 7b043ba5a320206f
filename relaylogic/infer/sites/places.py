"""Where in the source a use of an expression stands.

A variable, and a node that is shared through `%0`, stands in the graph once, with the place where it was bound. Who
uses it is known by the user's own place, so a use is looked for in there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...ir import Constructor, GlobalVar, If, Let, Op, Span
from ...ir import Var as LocalVar

__all__ = ["NAMES", "Ending", "Using", "end_of", "tail", "use_span"]

NAMES = (LocalVar, GlobalVar, Op, Constructor)
"""What stands in a text by a name that is bound elsewhere."""

_BRACES = re.compile(r"[{}]")
_BEHIND = " \t\r\n},"
"""What may stand behind the last thing in a scope."""

_CLOSING = ") \t\r\n"
"""What may stand behind a name in brackets."""

_NUMBERED = re.compile(r"%\d+$")
"""The name of a shared node at the end of a text."""

_WIDEST = 4000
"""How many characters of a user's text are searched for a use."""


def end_of(span: Any) -> Any:
    """The last character of a place: where something that is missing should stand."""
    return None if span is None else Span(span.source, max(span.start, span.end - 1), span.end)


def tail(expr: Any) -> tuple[Any, Any]:
    """What a chain of lets comes to, with the place of that use."""
    innermost = None
    while type(expr) is Let:
        innermost, expr = expr, expr.body
    last = None if innermost is None else innermost.span
    if last is None or not isinstance(expr, LocalVar):
        return expr, getattr(expr, "span", None)
    name, text = f"%{expr.name_hint}", last.source.text
    end = last.start + len(text[last.start : last.end].rstrip(_CLOSING))
    stands = text.endswith(name, last.start, end)
    return expr, Span(last.source, end - len(name), end) if stands else last


@dataclass(eq=False, slots=True)
class Ending:
    """What a scope of `user` comes to: of a function, an arm, or a branch of an `if`, which `expr` is the body of.

    Where that stands is looked for when somebody asks.
    """

    expr: Any
    user: Any

    @property
    def span(self) -> Any:
        """The place of what the scope comes to; that of `user` if a name is not found in there."""
        node, span = tail(self.expr)
        outer = self.user.span
        shared = outer is not None and span is not None and not outer.start <= span.start <= outer.end
        if node is not self.expr or outer is None or not (shared or isinstance(node, NAMES)):
            return span
        text, first = outer.source.text, outer.start
        last = min(outer.end, len(text))  # who builds a program may place it in a text that is not there
        if type(self.user) is If and self.expr is self.user.true_branch:
            last = _else(text, first, last)
        while last > first and text[last - 1] in _BEHIND:
            last -= 1
        if shared and not isinstance(node, NAMES):
            used = _NUMBERED.search(text, first, last)
            return span if used is None else Span(outer.source, *used.span())
        sign = "%" if isinstance(node, LocalVar) else "@" if isinstance(node, GlobalVar) else ""
        name = sign + str(getattr(node, "name_hint", None) or getattr(node, "name", ""))
        start = text.rfind(name, first, last)  # a comment may stand behind it
        return outer if start < 0 else Span(outer.source, start, start + len(name))


@dataclass(eq=False, slots=True)
class Using:
    """The use of `expr` by `user`, a part of which it is; where that stands is looked for when somebody asks."""

    expr: Any
    user: Any

    @property
    def span(self) -> Any:
        """The place of the use."""
        return use_span(self.expr, self.user)


def _else(text: str, first: int, last: int) -> int:
    """Where the `else` of the `if` stands that ends at `last`."""
    depth = 0
    for brace in reversed([*_BRACES.finditer(text, first, last)]):
        depth += 1 if brace.group() == "}" else -1
        if not depth:
            return max(text.rfind("else", first, brace.start()), first)
    return last


def use_span(expr: Any, user: Any) -> Any:
    """The place where `user` has `expr`; that of `user` if it cannot be told."""
    own, outer = getattr(expr, "span", None), getattr(user, "span", None)
    if outer is None or own is None:
        return own if outer is None else outer
    if own.source is outer.source and outer.start <= own.start and own.end <= outer.end:
        return own
    if isinstance(expr, LocalVar):
        if type(user) is If and expr is user.cond:
            alone = re.compile(rf"if\s*\(\s*(%{re.escape(expr.name_hint)})\s*\)")
            condition = alone.match(outer.source.text, outer.start)
            if condition is not None:
                return Span(outer.source, *condition.span(1))
        if type(user) is Let:  # its place reaches to the end of what follows; its value is what stands behind the `=`
            bound = getattr(user.var, "type_span", None) or user.var.span or outer
            value = re.compile(rf"\s*=\s*(%{re.escape(expr.name_hint)})(?![\w.])").match(outer.source.text, bound.end)
            if value is not None:
                return Span(outer.source, *value.span(1))
        within = outer.source.text[outer.start : min(outer.end, outer.start + _WIDEST)]
        found = [m.start() for m in re.finditer(re.escape(f"%{expr.name_hint}") + r"(?![\w.])", within)]
        if len(found) == 1:
            start = outer.start + found[0]
            return Span(outer.source, start, start + len(expr.name_hint) + 1)
    return outer
