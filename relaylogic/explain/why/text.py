"""Answers to `why` as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...infer.results.reasons import Derivation, Why

__all__ = ["why_text"]

MOST_PLACES = 60
"""So many places are listed, the first ones,"""

MOST_NODES = 200
"""and so many nodes of a derivation, the last ones."""

_SURE = {
    (True, True): "No fewer places force it.",
    (True, False): "Without any one of these places it is not forced.",
    (False, False): "It was not found out whether all of these places are needed.",
}


def why_text(why: Why, further: str = "") -> Iterator[str]:
    """An answer, line by line: what it is, the places that force it, and the derivation that leads over them.

    `further` is the option that looks further for fewer places, where there is one.
    """
    subject = f"{why.part or 'the type'} of {why.name}"
    if why.refused:
        yield f"{why.name} is refused: `relaylogic infer` says what it contradicts"
    if not why.places:
        yield f"{subject} is {why.value}: nothing in the program forces more"
    else:
        yield f"{subject} is {why.value}, because"
        width = max(len(_at(label.span)) for label in why.places)
        for label in why.places[:MOST_PLACES]:
            yield f"  {_at(label.span):<{width}}  {label.message}"
        if len(why.places) > MOST_PLACES:
            yield f"  and {len(why.places) - MOST_PLACES} more places (`--format json` lists all)"
        sure = _SURE[why.minimal, why.smallest]
        yield sure if why.smallest or not further else f"{sure} (`{further}` looks further)"
    shown = _leading(why)
    if shown:
        yield ""
        yield "derivation:"
    numbers = {node.id: i for i, node in enumerate(shown, 1)}
    if len(shown) > MOST_NODES:
        yield f"  ... {len(shown) - MOST_NODES} nodes before these (`--format json` lists all)"
    for node in shown[-MOST_NODES:]:
        yield from _node(node, numbers)


def _leading(why: Why) -> list[Derivation]:
    """The nodes of a derivation that rest on the places that force it, and the last one; all if nothing does, or if it
    is another way."""
    spans = {_key(label.span) for label in why.places}
    if not spans or not spans <= {_key(node.span) for node in why.derivation}:
        return list(why.derivation)
    kept: set[int] = set()
    for node in why.derivation:
        if _key(node.span) in spans or any(rest in kept for rest in node.rests) or node is why.derivation[-1]:
            kept.add(node.id)
    return [node for node in why.derivation if node.id in kept]


def _key(span: Any) -> Any:
    return None if span is None else (span.start, span.end)


def _at(span: Any) -> str:
    return "-" if span is None else f"{span.line}:{span.column}"


def _node(node: Derivation, numbers: dict[int, int]) -> Iterator[str]:
    rests = [f"[{numbers[rest]}]" for rest in node.rests if rest in numbers]
    by = node.relation and f"{node.relation}, clause {node.clause}" if node.clause else node.relation
    said = {"annotation": ", as it is annotated", "constant": ", as it is written"}.get(node.kind, "")
    if node.kind == "use":
        said = ", from its use"
    elif node.kind == "generalised":
        said = ", generalised: what nothing else tells is a type parameter"
    elif node.kind == "annotation" and rests:
        said = ", as it is annotated with holes, and"  # what they are comes from elsewhere
    told = f" by {by}" if by else ""
    rest = f" from {' '.join(rests)}" if rests else ""
    type_ = f": {node.type}" if node.type else ""
    yield f"  [{numbers[node.id]}] {_at(node.span)} {node.name}{type_}{said}{told}{rest}"
    yield from (f"        {premise}" for premise in node.premises)
