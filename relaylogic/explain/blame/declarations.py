"""A field of a data type that is declared wrongly: it makes the uses of its constructor wrong, which are right.

A declaration is no place of a conflict. So it is looked at where more than one place had to be blamed, or nobody knows
how to mend that which was: if the program is right with another type of one field, that is one fault, and explains all.
What else the field may be is told by what the program puts there, by the parameters of the data type, by the data type
itself, and by the other fields that are declared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ...infer.results.result import Fix, Label, Problem
from ...infer.sites.structure import ConstructorSite, PatternSite
from ...ir import Call, Constructor, PatternConstructor, Span
from ...types import show_type
from .fixes import left_with

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["misdeclared"]

_WORD = re.compile(r"\w+")

TRIES = 12
"""With how many other declarations the program is inferred."""

WITNESSES = 2
"""So many uses of a constructor say that its declaration is wrong: one may be as wrong itself."""


def misdeclared(inference: Inference, errors: Sequence[Problem]) -> Problem | None:
    """One error for all: the field of a data type with another type of which nothing is refused; None without."""
    for span, name, text in islice(_others(inference), TRIES):
        fix = Fix(span, text, f"replace the declared type by `{text}`")
        if left_with(fix, inference) == 0:
            message = f"{name} is declared {span.text}, but the rest of the program needs {text}"
            labels = tuple(Label(error.span, error.message) for error in errors)
            return Problem(message, span, errors[0].relation, errors[0].clause, related=labels, fixes=(fix,))
    return None


def _has_one_of(names: Sequence[str], text: str) -> bool:
    """Whether the text of a type speaks of one of some type parameters."""
    return not set(names).isdisjoint(_WORD.findall(text))


class _Used(NamedTuple):
    """What is put into each field of a constructor, as far as it is known, the fields where that is refused, and how
    often the program uses the constructor."""

    written: list[list[str]]
    refused: set[int]
    times: int


def _others(inference: Inference) -> Iterator[tuple[Span, str, str]]:
    """Fields of constructors that are used: where each is declared, its name in words, and what else it may be.

    Those first where something is refused.
    """
    definitions = inference.module.type_definitions
    for constructor, used in _used(inference).items():
        spans = constructor.input_spans
        definition = definitions.get(constructor.belong_to)
        if definition is None or not spans or used.times < WITNESSES:
            continue
        declared = [span.text for other in definition.constructors for span in other.input_spans]
        parameters = [parameter.name_hint for parameter in definition.type_vars]
        whole = definition.header.name_hint + (f"[{', '.join(parameters)}]" if parameters else "")
        for i in sorted(range(len(spans)), key=lambda i: i not in used.refused):
            others = dict.fromkeys([*parameters, whole, *used.written[i], *declared])
            name = f"field {i + 1} of `{constructor.name_hint}`"
            if _has_one_of(parameters, spans[i].text):  # it is right for each user of its own
                others = {other: None for other in others if _has_one_of(parameters, other)}
            yield from ((spans[i], name, other) for other in others if other != spans[i].text)


def _used(inference: Inference) -> dict[Constructor, _Used]:
    """The constructors that functions with a fault use, those that are refused first."""
    refused = {site.identity for site in inference.failed()}
    owners = {site.owner for site in inference.failed()}
    sites = [site for site in inference.driver.sites if isinstance(site, (ConstructorSite, PatternSite))]
    found: dict[Constructor, _Used] = {}
    times = Counter(map(_constructor_of, sites))
    for site in sorted(sites, key=lambda site: site.identity not in refused):
        constructor = _constructor_of(site)
        if type(constructor) is not Constructor or (site.identity not in refused and site.owner not in owners):
            continue
        used = found.setdefault(constructor, _Used([[] for _ in constructor.inputs], set(), times[constructor]))
        if isinstance(site, PatternSite):
            continue
        if site.refused is not None:
            used.refused.add(site.refused)
        for i, field in enumerate(used.written):
            own = inference.driver.store.reify(site.written.get(i))
            if getattr(own, "ground", False):
                field.append(show_type(own))
    return found


def _constructor_of(site: ConstructorSite | PatternSite) -> Any:
    """The constructor that a site is about."""
    constructor = site.expr.op if type(site.expr) is Call else site.expr
    return constructor.constructor if type(constructor) is PatternConstructor else constructor
