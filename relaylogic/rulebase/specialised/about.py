"""What is known of relations and of the attributes of their calls: which may be left open, and which no program looks
at."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..attributes import Attribute
from ..attrs import Attrs, keep_natural
from .codes import CodesOf
from .modes import Natural, least_open
from .store import Store

__all__ = ["About", "AboutRelations"]

_NO_ATTRIBUTES: dict[str, tuple[Attribute, int]] = {}


class About(NamedTuple):
    """What is known of a relation: its attributes that may be left open, each with the least number of it, the names of
    those that no program looks at, and the programs that were made ahead."""

    declared: dict[str, tuple[Attribute, int]]
    whatever: tuple[str, ...]
    made: CodesOf | None

    def natural_of(self, attrs: Any) -> Natural | None:
        """The attributes of a call without their numbers; None if it has none, or if they are known by all that they
        are."""
        if type(attrs) is not Attrs or not (self.declared or self.whatever):
            return None
        found: Natural | None = attrs.natural
        if found is None or found.declared is not self.declared or found.whatever is not self.whatever:
            found = Natural(attrs, self.declared, self.whatever)
            keep_natural(attrs, found)
        return found

    def declared_of(self, natural: Natural) -> tuple[Attribute, ...]:
        """The declarations of natural attributes."""
        return tuple([self.declared[name][0] for name in natural.names])


class AboutRelations:
    """What is known of the relations of a rule base, some of whose programs are in a `store`."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._of: dict[Any, About] = {}
        self._declared: dict[Any, dict[str, tuple[Attribute, int]]] | None = None

    def clear(self) -> None:
        """Forget everything: the rules have changed."""
        self._of.clear()
        self._declared = None

    def begin(self) -> None:
        """Look at the declarations of all operators, and forget which programs there are: there will be others."""
        self._of.clear()
        self.declarations(None)

    def of(self, relation: Any, store: Store) -> About:
        """What is known of a relation."""
        found = self._of.get(relation)
        if found is None:
            codes = store.codes
            made = None if codes is None else codes.of(relation.name)
            found = About(self.declarations(relation), () if made is None else made.whatever, made)
            self._of[relation] = found
        return found

    def declarations(self, relation: Any) -> dict[str, tuple[Attribute, int]]:
        """The attributes of a relation's operators that may be left open, each with the least number of it, if they all
        declare that alike."""
        declared = self._declared
        if declared is None:
            declared = {}
            for operator in self._rules.operators.values():
                leasts = ((name, a, least_open(a)) for name, a in operator.attributes.items())
                own = {name: (a, least) for name, a, least in leasts if least is not None}
                known = declared.setdefault(operator.relation, own)
                for name in [n for n in known if n not in own or own[n][1] != known[n][1]]:
                    del known[name]
            self._declared = declared
        return declared.get(relation, _NO_ATTRIBUTES)
