"""Where an attribute stands that must be given: an error of the search names it, and the question knows its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..clauses.compile import nodes_in
from ..clauses.syntax import Syntax
from ..rulebase.open_attributes import Unlisted

__all__ = ["PlaceOf", "given_at", "located", "placed"]

PlaceOf = Callable[[str], Any]
"""The span of the attribute of a name that is open; None where it has none."""


@contextmanager
def placed(place_of: PlaceOf) -> Iterator[None]:
    """Within, the error that an attribute must be given says where the attribute is."""
    try:
        yield
    except Unlisted as problem:
        raise located(problem, place_of) from None


def located(problem: Unlisted, place_of: PlaceOf) -> Unlisted:
    """The error, which says where the attribute is."""
    if problem.span is None:
        problem.span = place_of(problem.attribute)
    return problem


def given_at(body: Syntax, name: str) -> Any:
    """The first place in a query where the attribute is given as something that is open, or at all."""
    given = [
        item
        for node in nodes_in(body)
        if node.kind == "call"
        for item in node.items
        if item.kind == "equation" and item.items[0].value == name
    ]
    still_open = [item for item in given if item.items[1].kind not in ("number", "string", "negative")]
    return next((item.span for item in still_open or given), None)
