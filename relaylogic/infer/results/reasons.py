"""Reasons as data: places of a program with words, derivations of types, and what forces a type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import several
from ...host.governor import governed
from ...logic.terms.flat import Record

__all__ = ["WHY_VERSION", "Derivation", "DerivationTable", "Label", "Why", "place_of", "spanned"]

WHY_VERSION = 1
"""The form of `Why.to_dict`."""


def place_of(span: Any) -> tuple[int | None, int | None, int | None, int | None]:
    """The line and column where a place begins, and where it ends; None for what was not read from a text."""
    if span is None:
        return (None, None, None, None)
    return (span.line, span.column, span.end_line, span.end_column)


def spanned(span: Any) -> dict[str, int | None]:
    """A place as plain data."""
    return dict(zip(("line", "col", "end_line", "end_col"), place_of(span), strict=True))


@dataclass(frozen=True, slots=True)
class Label(Record):
    """A place of the program, with what it says in words; `span` is None for what was not read from a text."""

    span: Any
    message: str

    def to_dict(self) -> dict[str, Any]:
        """The label as plain data."""
        return {**spanned(self.span), "message": self.message}


@dataclass(frozen=True, slots=True)
class Derivation(Record):
    """One node of a derivation: something in the program, its type, and why it has that.

    `kind` is "annotation" or "constant" for what the text states; "call" for a call of a relation that gives its own
    type; "use" for a parameter that has its type from the calls that use it; "step" for a step of inference that
    several types rest on, "generalised" for the one that made type parameters of what a function leaves open; or that
    of the expression ("let", "tuple", "function" ...), which has its type from its parts. `name` is what stands there,
    or what is called. `relation` and `clause` are what answered, `premises` the premises of the answer as texts, with
    their values; indented ones are inside of the one above. `rests` are the ids of the nodes that it rests on, all
    smaller than its own. `span` is the place of the statement or the call; None for what was not read from a text.
    """

    id: int
    kind: str
    name: str
    type: str
    relation: str
    clause: str
    premises: tuple[str, ...]
    rests: tuple[int, ...]
    span: Any

    def to_dict(self) -> dict[str, Any]:
        """The node as plain data; lines and columns count from 1."""
        said = {name: getattr(self, name) for name in ("id", "kind", "name", "type", "relation", "clause")}
        return {**said, "premises": list(self.premises), "rests": list(self.rests), **spanned(self.span)}


class DerivationTable:
    """The derivations of all expressions of a program: `nodes` by their ids, what a node rests on before it."""

    def __init__(self, nodes: tuple[Derivation, ...] = (), of: dict[int, int] | None = None) -> None:
        self.nodes = nodes
        self._of = of or {}

    def __reduce__(self) -> Any:  # elsewhere, and of copies, expressions have other identities
        return DerivationTable, (self.nodes,)

    def __repr__(self) -> str:
        return f"DerivationTable({several(len(self.nodes), 'node')})"

    def of(self, expr: Any) -> Derivation | None:
        """The node of an expression of the program, by its identity; None if inference did not meet it."""
        number = self._of.get(id(expr))
        return None if number is None else self.nodes[number]

    def to_dict(self) -> list[dict[str, Any]]:
        """The nodes as plain data, in the order of their ids."""
        return [node.to_dict() for node in self.nodes]


class Why(Record):
    """Why an expression has its type, or why a part of the type is what it is.

    `name` is the expression in words, `type` its type; `part` is the part that was asked about ("" for all of it), as
    `shape[1]`, and `value` what it is. `places` force it: where all other places of the program say nothing, the
    expression still has it. `minimal` says that without any one of them it has not, `smallest` that no smaller set
    forces it; where they are False, that was not found out. `refused` is what is wrong with it, "" if nothing is.
    """

    __slots__ = ("_derivation", "_places", "_shown", "minimal", "name", "part", "refused", "smallest")

    def __init__(
        self,
        name: str,
        part: str,
        shown: Callable[[], tuple[str, str]] | tuple[str, str],
        places: Callable[[], tuple[Label, ...]] | tuple[Label, ...],
        minimal: bool,
        smallest: bool,
        refused: str,
        derivation: Callable[[], tuple[Derivation, ...]] | tuple[Derivation, ...],
    ) -> None:
        self.name = name
        self.part = part
        self._shown = shown
        self._places = places
        self.minimal = minimal
        self.smallest = smallest
        self.refused = refused
        self._derivation = derivation

    @property
    def type(self) -> str:
        """The type of the expression, put into words the first time it is asked for."""
        return self._texts[0]

    @property
    def value(self) -> str:
        """What the part of it is that was asked about."""
        return self._texts[1]

    @property
    def _texts(self) -> tuple[str, str]:
        if callable(self._shown):
            self._shown = governed(self._shown)
        return self._shown

    @property
    def places(self) -> tuple[Label, ...]:
        """The places that force it, in the order of the text; put into words the first time they are asked for.

        Raises LimitReached.
        """
        if callable(self._places):
            self._places = governed(self._places)
        return self._places

    @property
    def derivation(self) -> tuple[Derivation, ...]:
        """The nodes of its derivation, each after those that it rests on, the last one the expression itself.

        They are numbered among themselves; worked out the first time they are asked for. Raises LimitReached.
        """
        if callable(self._derivation):
            self._derivation = governed(self._derivation)
        return self._derivation

    def __repr__(self) -> str:
        known = f"{self.part or 'the type'} of {self.name} is {self.value}"
        return f"Why({self.refused or known})"

    def _parts(self) -> tuple[Any, ...]:
        _ = self._texts, self.places, self.derivation
        return super()._parts()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        said = {name: getattr(self, name) for name in ("name", "type", "part", "value")}
        return {
            "version": WHY_VERSION,
            **said,
            "places": [label.to_dict() for label in self.places],
            "minimal": self.minimal,
            "smallest": self.smallest,
            "derivation": [node.to_dict() for node in self.derivation],
            **({"refused": self.refused} if self.refused else {}),
        }
