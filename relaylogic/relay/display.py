"""Programs in notebooks: the text, with the type of every expression where the mouse rests, and refusals marked.

The type of a refused call is the one that it would have if it were right, and is marked as assumed.

A program that was not read from a text is printed and read again, so that its expressions have places.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from ..host.governor import written
from ..ir import Function, IRModule, Source, post_order
from ..types import show_type

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = ["module_html", "result_bundle", "result_html"]

LONGEST_TEXT = 200_000
"""Longer programs are shown as plain text, cut off here."""

LONGEST_TYPE = 400

_STYLE = (
    ".relaylogic span[title]:hover{background:#8882}"
    ".relaylogic .refuted{text-decoration:underline wavy #d33}"
    ".relaylogic .assumed{text-decoration:underline dotted #d33}"
    ".relaylogic .verdict{font-weight:bold}"
)

_Mark = tuple[int, int, str, str]
"""Where a stretch of the text begins and ends, its class and its title."""


def module_html(module: IRModule) -> str:
    """A module as HTML. If inference made it, with types; else with those that inference finds now.

    Raises LimitReached.
    """
    from ..explain.report import infer_module
    from ..infer.checks.well_formed import check_well_formed

    if module.result is None:
        check_well_formed(module)
    return result_html(module.result or infer_module(module))


def result_html(result: Result) -> str:
    """The result of inference as HTML: verdict, refusals, and the program with its types. Raises LimitReached."""
    return written(lambda: _html(result))


def _html(result: Result) -> str:
    shown = _with_text(result)
    lines = [f"<style>{_STYLE}</style>", '<div class="relaylogic">']
    lines.append(f'<div><span class="verdict">{escape(result.verdict)}</span></div>')
    lines += [f"<div>{escape(_placed(problem))}</div>" for problem in result.errors]
    lines += [f"<div>open: {escape(_undecided(item))}</div>" for item in result.residue]
    lines.append(f"<pre>{_program(shown)}</pre></div>")
    return "\n".join(lines)


def result_bundle(result: Result) -> dict[str, str]:
    """The result for Jupyter: as text and as HTML."""
    return {"text/plain": repr(result), "text/html": result_html(result)}


def _placed(problem: Any) -> str:
    return problem.message if problem.line is None else f"line {problem.line}: {problem.message}"


def _undecided(item: Any) -> str:
    return f"{item.relation}({', '.join(item.arguments)})"


def _with_text(result: Result) -> Result:
    """The result, or that of its program printed and read again if it has no text."""
    from ..errors import RelayLogicError
    from ..explain.report import infer_module
    from ..text import astext, parse

    if isinstance(getattr(result.module, "source", None), Source):
        return result
    try:
        return infer_module(parse(astext(result.module))).whole()
    except (RelayLogicError, ValueError):
        return result


def _program(result: Result) -> str:
    """The text of the program with its marks, escaped."""
    source = getattr(result.module, "source", None)
    if not isinstance(source, Source):
        return escape(repr(result.module))
    text = source.text.partition("#[metadata]")[0]
    if len(text) > LONGEST_TEXT:
        return escape(text[:LONGEST_TEXT]) + "\n..."
    out: list[str] = []
    at = 0
    ends: list[int] = []
    for start, end, kind, title in _nested(sorted(_marks(result, source, len(text)), key=lambda m: (m[0], -m[1]))):
        while ends and ends[-1] <= start:
            out += [escape(text[at : ends[-1]]), "</span>"]
            at = ends.pop()
        out.append(escape(text[at:start]))
        out.append(f'<span class="{kind}" title="{escape(title, quote=True)}">')
        at = start
        ends.append(end)
    while ends:
        out += [escape(text[at : ends[-1]]), "</span>"]
        at = ends.pop()
    return "".join([*out, escape(text[at:])])


def _marks(result: Result, source: Source, length: int) -> Iterator[_Mark]:
    for problem in result.errors:
        if problem.span is not None and problem.span.source is source and problem.span.end <= length:
            yield problem.span.start, problem.span.end, "refuted", problem.message
    for function in result.module.functions.values():
        for node in post_order(function):
            span = node.span
            known = result.type_of(node)
            if span is not None and span.source is source and known is not None and span.start < span.end <= length:
                # A function is marked where it begins, up to its parameters.
                head = source.text.find("(", span.start, span.end) if type(node) is Function else -1
                title = show_type(known)
                if len(title) > LONGEST_TYPE:
                    title = title[: LONGEST_TYPE - 3] + "..."
                assumed = result.is_assumed(node)
                end = span.end if head < 0 else head
                yield span.start, end, "assumed" if assumed else "typed", title + " assumed" * assumed


def _nested(marks: list[_Mark]) -> Iterator[_Mark]:
    """The marks that lie inside of or beside those before them; of marks on one stretch the first of a class."""
    ends: list[int] = []
    seen: set[tuple[int, int, str]] = set()
    for mark in marks:
        start, end, kind, _ = mark
        while ends and ends[-1] <= start:
            ends.pop()
        if (start, end, kind) in seen or (ends and end > ends[-1]):
            continue
        seen.add((start, end, kind))
        ends.append(end)
        yield mark
