"""What is said of a diagnosis: an error at the place that is blamed, with the other places of its conflict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import enumerated
from ...infer.results.result import Fix, Label, Problem
from ...infer.sites.schemes import parts_of
from ...infer.sites.site import Site
from ...ir import Call, Function, Match, Op, PatternConstructor, Span
from ...ir import Var as LocalVar
from ...logic.terms.variables import VARIABLES
from ...rulebase.given_attributes import said_value
from ...types import FuncType, TensorType, TupleType, show_type
from ...types.show import written_out
from ..places.derivations import call_in_words, kind_of
from ..places.place import Place
from ..places.said import Said
from ..refusals.differences import compatible
from .alternatives import other_edits
from .candidates import Candidate
from .casts import missing_casts
from .diagnosis import Diagnosis
from .edits import known_of
from .fixes import fixes_of, left_with
from .narrow import too_narrow
from .repeated import repeated

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["label_of", "problem_of"]

A_LABEL = 64
"""A label tells a type of at most so many pieces of text: of nested tuples, it would tell each within the next."""

_OTHER_FORMS = frozenset({TupleType, FuncType})

_GENERATED = re.compile(r"\bt\d+\b")
"""The names of type parameters that stand for what is open."""


def problem_of(diagnosis: Diagnosis, said: Said, beside: Said, refusal: Callable[[Site], Problem]) -> Problem:
    """A diagnosis as an error; `refusal` puts a refused demand into words; `beside` is the program without others."""
    best = diagnosis.best
    site = diagnosis.site
    is_operators = type(site.expr) is Call and type(site.expr.op) is Op
    # A call of an operator that is a conflict of its own is refused whatever it is given, if that is no function.
    given = site.expr.args if is_operators else ()
    if len(diagnosis.conflict) > 1 or not is_operators or any(type(said.whole.type_of(a)) is FuncType for a in given):
        # Beside mends of other faults, the same demand is refused for types that stand nowhere in the text.
        site = next((other for other in said.whole.failed() if other.identity == site.identity), site)
    told = refusal(site)
    others = [said.places.all[i] for i in sorted(diagnosis.conflict - {best.place.index})]
    others = [place for place in others if place.node is not site.expr or place.span != site.span]
    related = [label_of(place, said.whole) for place in others]
    attribute = _attribute(best, said)
    if diagnosis.is_own:
        edit = _edit(best, said)
        if type(site) is Site and type(site.expr) is Match:
            return _of_match(told, site.expr, said, related)
        related += [] if attribute is None else [label_of(attribute, said.whole)]
        node = best.place.node
        # What is refused for one argument is told where that stands, which may be a call itself.
        shown = type(node) is Call and any(type(a) is Call and a.span == told.span for a in node.args)
        of_call = f", in {call_in_words(node)}" if shown else ""
        would_do = (hint + of_call for hint in _would_do(best))
        hints = (*told.hints, *([edit] if edit else []), *would_do, *_fields(node), *_as_well(best, site, said, beside))
        return replace(told, hints=hints, related=tuple(related), fixes=fixes_of(best, said, beside))
    related.insert(0, Label(told.span, told.message))
    message, place, fixes = _claim(best, said), best.place, fixes_of(best, said, beside)
    span = place.span if attribute is None else attribute.span
    hints = (*_would_do(best), *_as_well(best, site, said, beside))
    return Problem(message, span, told.relation, told.clause, place.owner, hints, related=tuple(related), fixes=fixes)


def _of_match(told: Problem, match: Match, said: Said, related: list[Label]) -> Problem:
    """That a match misses a value; at the arm which seems to be meant to take it, if there is one."""
    twice = next(_twice(match, said), None)
    if twice is not None:
        fix, related = twice, [Label(told.span, "the match ends here"), *related]
        hints = (*told.hints, f"the match is exhaustive with `{fix.text}` here")
        return replace(told, span=fix.span, hints=hints, related=tuple(related), fixes=(fix,))
    found = too_narrow(match, said.whole.module)
    spans = [] if found is None else [part.span for part in found[1] if part.span is not None]
    texts = [span.text for span in spans]
    if found is None or found[0].lhs.span is None or len(spans) < len(found[1]) or not all(texts):
        return replace(told, related=tuple(related))
    related = [Label(told.span, "the match ends here"), *related]
    if len(spans) > 1:
        hint = f"the match is exhaustive with `_` in place of {' and '.join(f'`{text}`' for text in texts)}"
        return replace(told, span=found[0].lhs.span, hints=(*told.hints, hint), related=tuple(related))
    fix = Fix(spans[0], "_", f"replace the pattern `{texts[0]}` by `_`")
    hints = (*told.hints, "the match is exhaustive with `_` here")
    return replace(told, span=spans[0], hints=hints, related=tuple(related), fixes=(fix,))


def _twice(match: Match, said: Said) -> Iterator[Fix]:
    """The changes of a constructor in a match that takes some values twice with which less is refused."""
    refused = len(said.whole.failed())
    for part, meant in repeated(match, said.whole.module):
        name, span = part.constructor.name_hint, part.span
        if span is not None and span.text.startswith(name):
            span = Span(span.source, span.start, span.start + len(name))
            fix = Fix(span, meant.name_hint, f"replace `{name}` by `{meant.name_hint}`")
            left = left_with(fix, said.whole)
            if left is not None and left < refused:
                yield fix


def _attribute(best: Candidate, said: Said) -> Place | None:
    """The place of the attribute that should be another, if the text gives it."""
    if best.place.kind != "call" or best.edit is None or not _is_cure(best):
        return None
    place = said.places.attribute(best.place, best.edit.what)
    return None if place is None or place.span is None else place


def _is_cure(best: Candidate) -> bool:
    """Whether nothing is refused with what might be meant at a place."""
    return best.mend is not None and not best.mend.left


def _claim(best: Candidate, said: Said) -> str:
    """What is wrong at a place that is not refused itself, and what should be there."""
    place, needed = best.place, best.needed
    node = place.node
    if place.kind in ("annotation", "result"):
        written = place.written
        name = f"`%{node.name_hint}`" if place.kind == "annotation" else "the result"
        wanted = _known(needed, written)
        if wanted is None or compatible(written, needed):
            return f"{name} is annotated {show_type(written)}, which contradicts the rest of the program"
        return f"{name} is annotated {show_type(written)}, but the rest of the program needs {wanted}"
    edit = _edit(best, said)
    if edit is not None:
        return edit
    found = said.whole.type_of(node)
    wanted = _known(needed, found)
    text = _name(place) if found is None else f"{_name(place)} has type {show_type(known_of(node, said.whole))}"
    if wanted is None or found is None or compatible(found, needed):
        return (
            f"{text}, which contradicts the rest of the program"
            if found is not None
            else (f"{text} contradicts the rest of the program")
        )
    return f"{text}, but the rest of the program needs {wanted}"


def _known(needed: Any, written: Any) -> str | None:
    """What is needed as text, if that tells anything that what is written does not: another function's type parameter
    of the same name does not."""
    if type(needed) is TensorType and type(written) in _OTHER_FORMS and type(needed.shape) in VARIABLES:
        return "a tensor"
    text = None if needed is None else show_type(needed)
    if text is None or text in ("_", "Tensor[_, _]", None if written is None else show_type(written)):
        return None
    return None if _GENERATED.search(text) else text


def _edit(best: Candidate, said: Said) -> str | None:
    """What change would make the program consistent."""
    edit, mend = best.edit, best.mend
    if edit is None or mend is None:
        return None
    if best.place.kind == "call" and not _is_cure(best):
        return None
    if edit.what == "the constant":
        return f"the rest of the program needs {show_type(mend.type)} here"
    if edit.what == "the index":
        return _index(edit.value, mend.type, said.whole.type_of(best.place.node.tuple_value))
    like = f", as {edit.support} other calls have" if edit.support > 1 else ""
    return f"the rest of the program is consistent with `{edit.what}={said_value(edit.value)}` here{like}"


def _index(index: int, wanted: Any, tuple_type: Any) -> str:
    """The field that would make the program consistent; all fields that would, if the tuple is known to have them."""
    known = type(tuple_type) is TupleType and type(tuple_type.fields) is tuple
    fitting = [f".{i}" for i, field in enumerate(tuple_type.fields if known else ()) if field == wanted]
    if len(fitting) < 2:
        return f"the rest of the program needs field .{index} here, of type {show_type(wanted)}"
    return f"the rest of the program needs a field of type {show_type(wanted)} here, {enumerated(fitting)}"


def _would_do(best: Candidate) -> Iterator[str]:
    """What change makes the program consistent, if it is not told already: by an edit, or as what is needed."""
    mend = best.mend
    if mend is None or mend.left:
        return
    if mend.slip:
        yield f"the rest of the program is consistent with {mend.slip}"
    elif best.place.kind in ("annotation", "result"):
        is_told = mend.type == best.needed and getattr(best.needed, "ground", False)
        if not is_told:
            yield f"the rest of the program is consistent with {show_type(mend.type)} here"


def _fields(node: Any) -> Iterator[str]:
    """What the fields of a constructor are, if a pattern has another number of them."""
    if type(node) is PatternConstructor and 0 < len(node.constructor.inputs) != len(node.patterns):
        types = [show_type(field) for field in node.constructor.inputs]
        are = "field is" if len(types) == 1 else "fields are"
        yield f"in `{node.constructor.name_hint}`, the {are} {enumerated(types, 'and')}"


def _as_well(best: Candidate, site: Site, said: Said, beside: Said) -> Iterator[str]:
    """What else would do: another attribute of the call that is blamed; the cast that may be missing where a dtype is
    refused, whatever is blamed for it."""
    for edit in other_edits(best, beside):
        yield f"the rest of the program is consistent with `{edit.what}={said_value(edit.value)}`, too"
    if best.mend is None or not best.mend.slip:
        yield from (f"the rest of the program is consistent with {cast}" for cast in missing_casts(site, said, beside))


_WORDS = {
    "condition": "the condition",
    "constant": "the constant",
    "demand": "this",
    "function": "the function",
    "if": "the `if`",
    "match": "the match",
    "pattern": "the pattern",
    "projection": "the projection",
    "tuple": "the tuple",
}


def _name(place: Place) -> str:
    """What stands at a place, in words."""
    node = place.node
    if type(node) is Call and place.kind != "condition":
        return call_in_words(node)
    if place.kind == "reference":
        return f"the {kind_of(node)}"
    if place.kind == "use":
        name = getattr(node, "name_hint", None) or getattr(node, "name", "")
        return f"`%{name}`" if isinstance(node, LocalVar) else f"`{name}`"
    return _WORDS.get(place.kind, "this")


def label_of(place: Place, inference: Inference) -> Label:
    """What a place says, as a label of it."""
    node = place.node
    if place.kind == "attribute":
        return Label(place.span, f"`{place.attribute}` is {said_value(node.given[place.attribute])}")
    if place.kind == "annotation":
        return Label(place.span, f"`%{node.name_hint}` is annotated {show_type(node.type_annotation)}")
    if place.kind == "result" and type(node) is Function:
        return Label(place.span, f"the result is annotated {show_type(node.ret_type)}")
    if place.kind == "condition":
        return Label(place.span, "the condition has to be a bool")
    type_ = None if place.kind == "pattern" else inference.type_of(node)
    known = written_out(type_, longest=A_LABEL) if getattr(type_, "ground", False) else None
    if known is None or parts_of((type_,)):
        return Label(place.span, _name(place))
    return Label(place.span, f"{_name(place)} has type {known}")
