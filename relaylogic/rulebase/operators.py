"""Operators: their inputs and attributes, and the relation that types their calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .attribute_universe import UNBOUNDED, AttributeBounds
from .attributes import Attribute
from .attrs import Attrs, keep_natural
from .given_attributes import known_and_open, left_out, plain_attributes
from .open_attributes import attributes_of
from .relation import Relation

__all__ = ["Operator"]


class Operator:
    """The signature of an operator: inputs by name, declared attributes, and the relation that types its calls.

    `variadic` operators take any number of arguments. `asked` is what the results of its calls are known by, with what
    is written there: those of a relation without attributes are the same for all operators.
    """

    __slots__ = ("_defaults", "asked", "attributes", "doc", "family", "inputs", "name", "relation", "variadic")

    def __init__(
        self, name: str, inputs: tuple[str, ...], relation: Relation, attributes: Mapping[str, Attribute]
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.relation = relation
        self.attributes = attributes
        self.asked: Operator | Relation = self if attributes else relation
        self._defaults = left_out(attributes)
        self.family = ""
        self.variadic = False
        self.doc = ""

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(self.inputs)}): {self.relation.name}"

    def attrs(self, given: Mapping[str, Any] | None, bounds: AttributeBounds = UNBOUNDED) -> Any:
        """The complete attributes of a call: an `Attrs`, or an `Open` term if a variable stands in them.

        `bounds` are those of what is open. Raises AttributeProblem.
        """
        given = given or {}
        plain = plain_attributes(self.attributes, self._defaults, given)
        if plain is not None:
            return plain
        known, unknown = known_and_open(self.attributes, given)
        return attributes_of(self.attributes, known, unknown, bounds) if unknown else known

    @property
    def words(self) -> list[str]:
        """The names of the attributes that are dtypes or other texts, and may be left out."""
        return [n for n, a in self.attributes.items() if a.kind in ("dtype", "str") and a.may_be_omitted]

    def has_usual_words(self, known: Attrs) -> bool:
        """Whether there are words, and attributes of a call are known to be those of one that leaves them all out."""
        words = self.words
        return bool(words) and all(known.get(name) == self.attributes[name].filled for name in words)

    def attrs_but(self, known: Attrs, given: Mapping[str, Any]) -> Attrs | None:
        """The complete attributes of a call that are `known`, but for some that it gives instead; None if `attrs` is to
        be asked, since it takes more to tell."""
        plain = plain_attributes(self.attributes, dict(known.items()), given)
        if plain is not None and known.natural is not None:
            keep_natural(plain, known.natural.but(plain, given))
        return plain
