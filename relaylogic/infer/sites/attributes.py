"""What the attributes of constraints mean, which are written as what differs from those of an operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Any

from ...logic.terms.terms import is_ground
from ...rulebase import AttributeProblem, Attrs, Operator, Relation, RuleBase
from ...rulebase.open_attributes import Open

__all__ = ["Attributes"]


class Attributes:
    """What the attributes of constraints mean: those of a call are complete, those in a text are what differs.

    In a text, `None` or pairs of a name and a value stand for what an operator of the relation makes of them. Values
    that are not known are variables, as they are where a call leaves them open.
    """

    def __init__(self, rules: RuleBase) -> None:
        self.rules = rules
        self._completions: dict[Any, tuple[Any, ...]] = {}
        self._of_operators: dict[Relation, bool] = {}

    def complete(self, relation: Relation, attrs: Any) -> Any:
        """The attributes to ask the relation with; as they are if no operator takes them."""
        if not relation.takes_attrs:
            return attrs
        return next(iter(self._meant(relation.name, attrs)), attrs)

    def written(self, relation: Relation, attrs: Any) -> Any:
        """The attributes that must be written so that `complete` gives these, and perhaps others as by default."""
        if attrs is None or type(attrs) is tuple:
            return attrs
        for operator in self._taking(relation.name):
            if operator.relation is relation:
                defaults = {n: a.default for n, a in operator.attributes.items() if not a.required}
                told = tuple((n, v) for n, v in attrs.items() if n not in defaults or not _is_same(v, defaults[n]))
                found = self.complete(relation, told)
                if type(found) is type(attrs) and _are_same(found, attrs):
                    return told or None
        return tuple(attrs.items())

    def same(self, name: str, left: Any, right: Any) -> bool:
        """Whether two constraints of the relation `name` have the same attributes, however they are written."""
        return left == right or any(a in self._meant(name, right) for a in self._meant(name, left))

    def call(self, relation: Relation, attrs: Any, arguments: Iterable[Any]) -> tuple[Any, ...] | None:
        """What has one result: an operator's relation, complete attributes and all other arguments. None if the
        relation says what no operator gives."""
        known = self._of_operators.get(relation)
        if known is None:
            operators = self.rules.operators.values()
            known = self._of_operators[relation] = any(o.relation is relation for o in operators)
        return (relation, attrs if type(attrs) is Attrs else str(attrs), *arguments) if known else None

    def _taking(self, name: str) -> list[Operator]:
        """The operators of a relation, in the order of their names: few of all."""
        of_relation = [(n, operator) for n, operator in self.rules.operators.items() if operator.relation.name == name]
        return [operator for _, operator in sorted(of_relation, key=itemgetter(0))]

    def _meant(self, name: str, attrs: Any) -> tuple[Any, ...]:
        """What the attributes are for each operator of the relation that takes them, in the order of the names."""
        if attrs is not None and type(attrs) is not tuple:
            return (attrs,)
        if attrs is not None and not is_ground(attrs):
            return tuple(self._made(name, attrs))
        key = (name, repr(attrs))
        known = self._completions.get(key)
        if known is None:
            known = self._completions[key] = tuple(self._made(name, attrs))
        return known

    def _made(self, name: str, attrs: Any) -> Iterator[Any]:
        """What each operator of the relation that takes the attributes makes of them."""
        for operator in self._taking(name):
            with suppress(AttributeProblem):
                yield operator.attrs(dict(attrs or ()))


def _are_same(found: Attrs | Open, attrs: Attrs | Open) -> bool:
    """Whether attributes are those that were found, as far as they are given."""
    known = dict(found.items())
    return all(name in known and _is_same(known[name], value) for name, value in attrs.items())


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
