"""The corrections of a refuted program as errors, to stand before the refusals that they explain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..infer.result import Problem
from ..ir import Function
from ..ir import Var as LocalVar
from ..types import show_type
from .corrections import Correction, corrections

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.relaxation import Relaxation
    from ..infer.sites import Site

__all__ = ["blamed"]


def blamed(
    inference: Inference, problems: dict[Any, Problem], retry: Callable[[Relaxation], Inference]
) -> list[Problem]:
    """One error for each part of the program that is more likely wrong than the demands that refuse it.

    `problems` are the errors of the refused demands, by what those are known by.
    """
    found = []
    for correction in corrections(inference, retry):
        site = correction.suspect.site
        if correction.suspect.kind == "demand" and site.identity in problems:
            continue
        witnesses = [problems[key] for key in problems if key in correction.explains]
        if not witnesses:
            continue
        first = witnesses[0]
        message = f"{_claim(correction, site)}: {_witness(first)}"
        if len(witnesses) > 1:
            message += f", and {len(witnesses) - 1} more"
        found.append(
            Problem(message, correction.suspect.span, first.relation, first.clause, first.function, first.hints)
        )
    return found


def _claim(correction: Correction, site: Site | None) -> str:
    """What is wrong, and what should be there."""
    suspect, needed = correction.suspect, correction.needed
    if suspect.kind == "annotation":
        node = suspect.node
        written = node.ret_type if type(node) is Function else node.type_annotation
        name = f"`%{node.name_hint}`" if isinstance(node, LocalVar) else "the result"
        wanted = "something else" if show_type(needed) == "_" else show_type(needed)
        return f"{name} is annotated {show_type(written)}, but the rest of the program needs {wanted}"
    if suspect.kind == "argument":
        return f"`%{suspect.node.name_hint}` is used here, but `%{needed.name_hint}`, which is never used, belongs here"
    if correction.edit is not None:
        edit = correction.edit
        if edit.what == "the constant":
            return f"the rest of the program needs {show_type(needed)} here"
        if edit.what == "the index":
            return f"the rest of the program needs field .{edit.value} here, of type {show_type(needed)}"
        like = f", as {edit.support} other calls have" if edit.support else ""
        return f"the rest of the program is consistent with `{edit.what}={_text(edit.value)}` here{like}"
    return f"{getattr(site, 'place', 'this')} does not fit the rest of the program"


def _witness(problem: Problem) -> str:
    where = f" at {problem.line}:{problem.col}" if problem.span is not None else ""
    return f"{problem.message}{where}"


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, (tuple, list)) else repr(value)
