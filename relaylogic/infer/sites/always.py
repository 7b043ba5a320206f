"""Whether a demand holds whatever the type parameters that it speaks of stand for: then no `where` needs to say it.

That is a question about the demand alone. It is asked with other parameters, the same ones in every function, so that
the table knows it from the next function, or the next layer, that demands as much.

What the rules say of type parameters, they say of what differs from all else: that n is not 1, not another extent m,
not `?`. Where that was needed, the demand must hold, too, if n is 1, or m, or `?`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...logic.exact import exact
from ...logic.terms.numbers import substitute as put
from ...logic.terms.numbers import symbols_of
from ...logic.terms.terms import is_ground
from ...rulebase import Relation, RuleBase, RuleError
from ...types import TypeVar
from ...types.substitution import substitute
from ..numbers.conditions import follow
from .callsite import loosened, solve_site
from .coincidence import coincidences
from .schemes import parts_of

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["Naturals", "always_holds"]

MOST_CASES = 64
"""Of a demand that needs more cases than that it is not found out whether it holds in all."""


class Naturals:
    """Expressions over type parameters that are natural numbers, with other names for these: many calls ask for few."""

    def __init__(self, numbers: Iterable[Any] = ()) -> None:
        self._numbers = [(number, frozenset(symbols_of(number))) for number in dict.fromkeys(numbers)]
        self._named: dict[Any, tuple[Any, ...]] = {}

    def named(self, names: Mapping[Any, Any]) -> tuple[Any, ...]:
        """Those that speak of no other parameters than have a name."""
        key = tuple(names.items())
        found = self._named.get(key)
        if found is None:
            about = names.keys()
            found = self._named[key] = tuple([put(number, names) for number, own in self._numbers if own <= about])
        return found


def always_holds(
    relation: Relation, arguments: tuple[Any, ...], attrs: Any, naturals: Naturals, driver: Worklist
) -> bool:
    """Whether a relation holds of some arguments whatever the type parameters in them stand for, if some expressions
    over these are natural numbers."""
    if not all(map(is_ground, arguments)):
        return False
    rules = driver.rules
    names = _names(arguments, rules)
    equations: list[Any] = []
    asked = substitute(arguments, names, equations)
    if equations:
        return False
    known = naturals.named(names)
    key = "always", relation, exact(asked), attrs, driver.defaults, known
    found: bool | None = rules.computed.get(key)
    if found is None:
        found = rules.computed[key] = _Cases(relation, attrs, driver).hold(asked, known)
    return found


class _Cases:
    """A demand in all the cases that its rules tell apart."""

    def __init__(self, relation: Relation, attrs: Any, driver: Worklist) -> None:
        self._relation = relation
        self._attrs = attrs
        self._driver = driver

    def hold(self, asked: tuple[Any, ...], naturals: Sequence[Any]) -> bool:
        """Whether it holds of these arguments in all of them."""
        waiting, seen = [(asked, naturals)], {asked}
        while waiting:
            terms, known = waiting.pop()
            try:
                apart = self._apart(terms, known)
            except RuleError:
                return False  # a rule in Python that wants to know more
            if apart is None:
                return False
            for pair in apart:
                cases = coincidences(*pair)
                if cases is None:
                    return False
                for case, more in cases:
                    equations: list[Any] = []
                    there = substitute(terms, case, equations)
                    if not equations and there not in seen:  # else an extent is negative in that case
                        seen.add(there)
                        waiting.append((there, [*(put(number, case) for number in known), *more]))
            if len(seen) > MOST_CASES:
                return False
        return True

    def _apart(self, terms: tuple[Any, ...], naturals: Sequence[Any]) -> Sequence[tuple[Any, Any]] | None:
        """What must differ for the demand to hold of these arguments; None if it does not hold all the same."""
        rules, defaults = self._driver.rules, self._driver.defaults
        if not any(type(part) is TypeVar for part in parts_of(terms)):
            return () if solve_site(rules, self._relation, terms, self._attrs, defaults).answers else None
        for also in (None, loosened):
            found = rules.apart(self._relation, terms, self._attrs, also, defaults)
            if found is not None and any(follow(answer.residue, naturals) for answer in found[0].answers):
                return found[1]
        return None


def _names(arguments: tuple[Any, ...], rules: RuleBase) -> dict[Any, Any]:
    """For the type parameters in some terms, in order, those that questions are asked with."""
    kinds: dict[str, int] = {}
    names: dict[Any, Any] = {}
    for part in parts_of(arguments):
        if type(part) is TypeVar:
            index = kinds[part.kind] = kinds.get(part.kind, 0) + 1
            key = "parameter", part.kind, index
            names[part] = rules.computed.get(key) or rules.computed.setdefault(key, TypeVar(f"t{index}", part.kind))
    return names
