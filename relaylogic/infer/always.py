"""Whether a demand holds whatever the type parameters that it speaks of stand for: then no `where` needs to say it.

That is a question about the demand alone. It is asked with other parameters, the same ones in every function, so that
the table knows it from the next function, or the next layer, that demands as much.
"""

from __future__ import annotations

from typing import Any

from ..logic.numbers import substitute as put
from ..logic.terms import is_ground
from ..rulebase import RuleBase, RuleError
from ..types import TypeVar
from ..types.substitution import substitute
from .callsite import solve_site
from .conditions import follow
from .driver import Driver
from .schemes import parts_of
from .sites import RelationSite, Site

__all__ = ["always_holds"]


def always_holds(site: Site, naturals: list[Any], driver: Driver) -> bool:
    """Whether a site holds whatever the type parameters stand for, if some expressions over them are naturals."""
    if not isinstance(site, RelationSite):
        return False
    arguments = tuple(map(driver.store.reify, site.arguments))
    if not all(map(is_ground, arguments)):
        return False
    names = _names(arguments, driver.rules)
    equations: list[Any] = []
    asked = substitute(arguments, names, equations)
    if equations:
        return False
    try:
        solution = solve_site(driver.rules, site.relation, asked, site.attrs, driver.defaults)
    except RuleError:
        return False  # a rule in Python that wants to know more
    if solution.general != asked:
        return False
    if solution.decided:
        return True
    if not solution.exhausted or len(solution.answers) != 1:
        return False
    return follow(solution.answers[0].residue, [put(number, names) for number in naturals])


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
