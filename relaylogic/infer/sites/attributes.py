"""What the attributes of constraints mean, which are written as what differs from those of an operator."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from ...rulebase import AttributeProblem, Attrs, Operator, Relation, RuleBase

__all__ = ["Attributes"]


class Attributes:
    """What the attributes of constraints mean: those of a call are complete, those in a text are what differs.

    In a text, `None` or pairs of a name and a value stand for what an operator of the relation makes of them.
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

    def written(self, relation: Relation, attrs: Any) -> tuple[tuple[str, Any], ...] | None:
        """The attributes that must be written so that `complete` gives these, and perhaps others as by default."""
        if attrs is None or type(attrs) is tuple:
            return attrs
        for operator in self._taking(relation.name):
            if operator.relation is relation:
                defaults = {n: a.default for n, a in operator.attributes.items() if not a.required}
                told = tuple((n, v) for n, v in attrs.items() if n not in defaults or not _is_same(v, defaults[n]))
                found = self.complete(relation, told)
                if type(found) is Attrs and all(n in found and _is_same(found.get(n), v) for n, v in attrs.items()):
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
        key = (name, repr(attrs))
        known = self._completions.get(key)
        if known is None:
            found = []
            for operator in self._taking(name):
                try:
                    found.append(operator.attrs(dict(attrs or ())))
                except AttributeProblem:
                    continue
            known = self._completions[key] = tuple(found)
        return known


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
