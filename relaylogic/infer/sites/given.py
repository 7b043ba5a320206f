"""What may be taken for granted: the `where` of the functions that a demand stands in.

In the body of `fn <t1, t2>(%a: t1) -> t2 where Identity(t1, t2) { %a }` the type parameters are rigid and the
constraint holds. A constraint is used in two ways: as it is, for a call that asks the same, and for the equations that
it determines, here t1 = t2 (`assumptions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...rulebase import Attrs, Relation
from ...rulebase.open_attributes import Spec
from ...types.substitution import substitute
from .attributes import Attributes
from .schemes import bound_in, parts_of, replaced

__all__ = ["Given"]


class Given(ABC):
    """Assumed constraints, and the equations between type parameters that follow from them. Immutable.

    `equal` maps type parameters to terms without any of them; `constraints` speak of the remaining ones. `made_up` are
    parameters that stand for what is not written. It `is_empty` if nothing is assumed.
    """

    __slots__ = ("attributes", "constraints", "equal", "is_empty", "made_up")

    def __init__(
        self,
        attributes: Attributes,
        constraints: tuple[Any, ...] = (),
        equal: Mapping[Any, Any] | None = None,
        made_up: tuple[Any, ...] = (),
    ) -> None:
        self.attributes = attributes
        self.constraints = constraints
        self.equal: Mapping[Any, Any] = equal or {}
        self.is_empty = not constraints and not equal
        self.made_up = made_up

    @abstractmethod
    def extended(self, constraints: tuple[Any, ...], told: Collection[Any] = ()) -> Given:
        """This and more constraints; of equal parameters, the one that is spoken of first stands for the others.

        Of the parameters that are to be `told`, all is: what is not written there has parameters that are made up.
        """

    def normal(self, term: Any) -> Any:
        """`term`, which holds no bound variable, with equal parameters made one."""
        if not self.equal:
            return term
        bound = bound_in((term,))
        replacement = {p: t for p, t in self.equal.items() if p not in bound} if bound else self.equal
        return substitute(term, replacement, [])

    def as_written(self, term: Any) -> Any:
        """A normal term with the parameters that are written for what is told of them."""
        known = reversed(list(self.equal.items()))
        short = {told: parameter for parameter, told in known if not set(self.made_up).isdisjoint(parts_of((told,)))}
        return replaced(term, short) if short else term

    def about(self, name: str, attrs: Any) -> Iterator[tuple[Any, ...]]:
        """The arguments of the assumed constraints of this relation with these attributes."""
        for constraint in self.constraints:
            if constraint.name == name and self.attributes.same(name, constraint.attrs, attrs):
                yield constraint.arguments

    def about_open(self, asked: tuple[Relation, Spec]) -> Iterator[tuple[Any, ...]]:
        """What a call of a relation that leaves attributes open must be given, have for these, and give, to be an
        assumed constraint."""
        relation, spec = asked
        for constraint in self.constraints:
            if constraint.name != relation.name:
                continue
            attrs = self.attributes.complete(relation, constraint.attrs)
            if type(attrs) is Attrs and all(attrs.get(name) == value for name, value in spec.fixed.items()):
                values = [attrs.get(attribute.name) for attribute in spec.open]
                yield (*constraint.arguments[:-1], *values, constraint.arguments[-1])

    def assumed(self, name: str, attrs: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments of an assumed constraint with these inputs: one with this result too, if there is one."""
        found = None
        for assumed in self.about(name, attrs):
            if assumed == arguments:
                return assumed
            if found is None and assumed[:-1] == arguments[:-1]:
                found = assumed
        return found
