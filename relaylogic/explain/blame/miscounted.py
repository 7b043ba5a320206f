"""Functions that have a parameter too many or too few: all calls of one give another number of arguments than it takes.

Each of these calls is refused on its own, whatever the rest says; but who has written them all alike, and the function
once, is wrong in the function. Where a call is the only one, it may be as wrong as the function: that is to blame if
one of its parameters, which nobody uses, can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ...infer.results.result import Fix, Label, Problem
from ...ir import Call, Function, GlobalVar, Let, Span, post_order
from ...ir import Var as LocalVar
from ...types import show_type
from .fixes import left_with

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.site import Site

__all__ = ["Miscounted", "miscounted"]

TRIES = 12
"""With how many other lists of parameters of one function the program is inferred."""


class Miscounted(NamedTuple):
    """A function whose calls all give another number of arguments: the calls, the error, and how many demands are
    refused if it is mended."""

    calls: tuple[Call, ...]
    problem: Problem
    left: int


class _Change(NamedTuple):
    """Another list of parameters: the edit of the text, where it is made, in words, and what is refused then."""

    fix: Fix
    span: Span
    words: str
    left: int


def miscounted(inference: Inference, refusal: Callable[[Inference, Site], Problem]) -> list[Miscounted]:
    """The functions of a refuted program that have another number of parameters than all their calls take them to have.

    `refusal` puts a refused demand into words.
    """
    refused = {id(site.expr): site for site in inference.failed() if type(site.expr) is Call}
    found = []
    for name, owner, function, calls in _called(inference):
        sites = [refused[id(call)] for call in calls if id(call) in refused]
        given = {len(call.args) for call in calls}
        if len(sites) == len(calls) and len(given) == 1 and given != {len(function.params)}:
            made = _miscounted(name, owner, function, calls, [refusal(inference, site) for site in sites], inference)
            found += [] if made is None else [made]
    return found


def _called(inference: Inference) -> Iterator[tuple[str, str, Function, tuple[Call, ...]]]:
    """The functions that have a name and are called: with the name, that of the one they stand in, and the calls."""
    functions: dict[Any, tuple[str, str, Function]] = {}
    calls: dict[Any, list[Call]] = {}
    for variable, function in inference.module.functions.items():
        functions[variable] = f"@{variable.name_hint}", variable.name_hint, function
        for node in post_order(function):
            if type(node) is Let and type(node.value) is Function:
                functions[node.var] = f"%{node.var.name_hint}", variable.name_hint, node.value
            elif type(node) is Call and isinstance(node.op, (GlobalVar, LocalVar)):
                calls.setdefault(node.op, []).append(node)
    for variable, its in calls.items():
        if variable in functions:
            yield (*functions[variable], tuple(its))


def _miscounted(
    name: str, owner: str, function: Function, calls: tuple[Call, ...], told: list[Problem], inference: Inference
) -> Miscounted | None:
    """The error of a function; None if its calls may as well be wrong."""
    known = len(inference.failed())
    changes = [change for change in islice(_changes(function, calls, inference), TRIES) if change.left < known]
    least = min((change.left for change in changes), default=known)
    best = [change for change in changes if change.left == least]
    given, taken = len(calls[0].args), len(function.params)
    # Of the prelude, or of what no text says, the calls are wrong.
    whole = function.span
    if whole is None or whole.source is not inference.module.source:
        return None
    if len(calls) == 1 and (given > taken or not best):
        return None
    all_calls = {1: "the only call of it gives", 2: "both calls of it give"}
    calls_of_it = all_calls.get(len(calls), f"all {len(calls)} calls of it give")
    message = f"`{name}` has {_several(taken, 'parameter')}, but {calls_of_it} {_several(given, 'argument')}"
    span = best[0].span if len(best) == 1 else _header(function, whole)
    hints = (f"the rest of the program is consistent with {best[0].words}",) if len(best) == 1 and not least else ()
    fixes = (best[0].fix,) if hints and given < taken else ()
    labels = tuple(Label(problem.span, problem.message) for problem in told)
    problem = Problem(message, span, told[0].relation, told[0].clause, owner, hints, related=labels, fixes=fixes)
    return Miscounted(calls, problem, least)


def _several(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


def _header(function: Function, span: Span) -> Span:
    """Where the parameters of a function stand."""
    parts = [part for part in map(_written, function.params) if part is not None]
    if parts:
        return Span(span.source, parts[0].start, parts[-1].end)
    return Span(span.source, span.start, span.start + span.text.find(")") + 1)


def _written(parameter: LocalVar) -> Span | None:
    """Where a parameter stands, with its annotation."""
    span, end = parameter.span, parameter.type_span or parameter.span
    return None if span is None or end is None else Span(span.source, span.start, end.end)


def _changes(function: Function, calls: tuple[Call, ...], inference: Inference) -> Iterator[_Change]:
    """A function without a parameter that nobody uses, or with one more, and what is refused then."""
    spans = list(map(_written, function.params))
    parameters = [span for span in spans if span is not None]
    given, count = len(calls[0].args), len(spans)
    if len(parameters) < count or not count or abs(given - count) != 1:
        return
    edits: Iterator[tuple[Fix, Span, str]]
    edits = _without_one(function, parameters) if given < count else _with_one_more(parameters, calls, inference)
    for fix, span, words in edits:
        left = left_with(fix, inference)
        if left is not None:
            yield _Change(fix, span, words, left)


def _without_one(function: Function, spans: list[Span]) -> Iterator[tuple[Fix, Span, str]]:
    used = {id(node) for node in post_order(function.body)}
    for i, parameter in enumerate(function.params):
        if id(parameter) not in used:
            start = spans[i - 1].end if i else spans[0].start
            end = spans[i].end if i or len(spans) == 1 else spans[1].start
            fix = Fix(Span(spans[i].source, start, end), "", f"remove the parameter `%{parameter.name_hint}`")
            yield fix, spans[i], f"this function without parameter {i + 1}"


def _with_one_more(spans: list[Span], calls: tuple[Call, ...], inference: Inference) -> Iterator[tuple[Fix, Span, str]]:
    """One more parameter, of the type that all calls give."""
    source, name = spans[0].source, "%more"
    while name in source.text:
        name += "_"
    for i in range(len(spans) + 1):
        at = spans[i].start if i < len(spans) else spans[-1].end
        text = f"{name}, " if i < len(spans) else f", {name}"
        types = {inference.type_of(call.args[i]) for call in calls}
        known = [show_type(type_) for type_ in types if getattr(type_, "ground", False)]
        of_type = f", of type {known[0]}" if len(types) == len(known) == 1 else ""
        here = Span(source, spans[0].start, spans[-1].end)
        yield Fix(Span(source, at, at), text, ""), here, f"one more parameter here, parameter {i + 1}{of_type}"
