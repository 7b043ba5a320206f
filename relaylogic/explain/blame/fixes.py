"""Replacements of stretches of the text that make a program consistent, where a diagnosis knows one exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import RelayLogicError
from ...infer.results.result import Fix
from ...ir import Function, Source, Span
from ...text.attribute_text import attribute_text
from ...text.parser import parse, parse_type
from ...types import show_type
from ..refusals.differences import compatible

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ..places.said import Said
    from .candidates import Candidate

__all__ = ["fixes_of", "left_with"]

_MOST = 500  # characters


def fixes_of(best: Candidate, said: Said, beside: Said) -> tuple[Fix, ...]:
    """What to write in place of what stands at the place that is most likely wrong; nothing if that is not known.

    An annotation becomes the type that the rest of the program needs, an attribute or the index of a projection the
    value with which the program is consistent. The text that this makes is read and inferred. Nothing of it is refused;
    or, if there are other faults, less, and nothing `beside` these, where they are mended.
    """
    return tuple(fix for fix in _replacements(best, said) if _helps(fix, best, said, beside))


def _helps(fix: Fix, best: Candidate, said: Said, beside: Said) -> bool:
    """Whether nothing is refused with `fix` but for other faults."""
    left, known = left_with(fix, said.whole), len(said.whole.failed())
    return left == 0 or (beside is not said and left is not None and left < known and _is_right(best, beside))


def _is_right(best: Candidate, beside: Said) -> bool:
    """Whether nothing is refused `beside` other faults if what is meant stands at a place."""
    needed = best.needed if best.place.kind in ("annotation", "result") or best.mend is None else best.mend.type
    mended = beside.mended(best.place.index, needed)
    return not mended.refused(mended.all)


def left_with(fix: Fix, inference: Inference) -> int | None:
    """How many demands are refused of the program in which `fix` is made; None if it is none."""
    from ...infer.program import Inference

    source: Source = fix.span.source
    if source is not inference.module.source:  # it is the prelude's, or a model's
        return None
    text = source.text[: fix.span.start] + fix.text + source.text[fix.span.end :]
    try:
        module = parse(text, source.name)
    except RelayLogicError:
        return None
    fixed = Inference(module, inference.driver.rules, inference.closed, inference.monomorphic)
    return len(fixed.failed())


def _replacements(best: Candidate, said: Said) -> tuple[Fix, ...]:
    place, edit = best.place, best.edit
    if place.kind in ("annotation", "result"):
        span = place.node.ret_span if type(place.node) is Function else place.node.type_span
        return _annotation(span, place.node, best.needed)
    if edit is None or place.span is None:
        return ()
    if edit.what == "the index":
        return _ending(place.span, f".{place.node.index}", f".{edit.value}")
    given = None if edit.what == "the constant" or edit.value is None else said.places.attribute(place, edit.what)
    found = None if given is None or given.span is None else _value(given.span)
    try:
        text = attribute_text(edit.value)
    except (RelayLogicError, TypeError, ValueError):  # no text says it
        return ()
    return () if found is None else (Fix(found, text, f"replace the value of `{edit.what}` by `{text}`"),)


def _annotation(span: Span | None, node: Any, needed: Any) -> tuple[Fix, ...]:
    written = node.ret_type if type(node) is Function else node.type_annotation
    if span is None or not getattr(needed, "ground", False) or compatible(written, needed):
        return ()
    text = show_type(needed)
    try:
        if len(text) > _MOST or parse_type(text) != needed:
            return ()
    except RelayLogicError:  # a data type of the program
        return ()
    return (Fix(span, text, f"replace the annotation by `{text}`"),)


def _ending(span: Span, old: str, new: str) -> tuple[Fix, ...]:
    if not span.text.endswith(old):
        return ()
    return (Fix(Span(span.source, span.end - len(old), span.end), new, f"replace `{old}` by `{new}`"),)


def _value(span: Span) -> Span:
    """Where the value of an attribute stands in `name=value`."""
    value = span.text.partition("=")[2].lstrip()
    return Span(span.source, span.end - len(value), span.end)
