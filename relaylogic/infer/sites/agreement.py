"""What calls say together of attributes that are one for all of them.

A function that leaves an attribute open has one for all its calls. Each of these allows some values of it. So they are
asked together: if there is one value that all of them allow, the attribute is that; if there is none, one of them is
refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...logic.control import FREE, Budget, Search
from ...logic.exact import exact
from ...logic.search.search import Solution, search
from ...logic.terms.mistakes import RuleError
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import is_ground, slot, variables_of
from ...logic.terms.variables import fresh
from .demand_goals import goal_of
from .relation_site import RelationSite

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["agree"]

STEPS = 2_000
"""What calls say together is not found out in more steps."""


def agree(driver: Worklist) -> bool:
    """Make an attribute what all calls that share it allow, or refuse the last of them if that is nothing; whether
    there was any."""
    store = driver.store
    for attribute, sites in _sharing(driver).items():
        variables: dict[Any, Any] = {attribute: slot(0)}
        terms = tuple([store.reify(term) for site in sites for term in site.arguments])
        found = _together(sites, canonical(terms, variables), len(variables), driver)
        if found is None:
            continue
        if found.general is None:
            driver.contradict(sites[-1], "no attribute is right for this call and for all others that share it")
            return True
        (value,) = found.general
        if is_ground(value):
            store.unify(attribute, value)
            return True
    return False


def _sharing(driver: Worklist) -> dict[Any, list[RelationSite]]:
    """The attributes, or numbers of them, that several of the calls that wait share, with these."""
    found: dict[Any, list[RelationSite]] = {}
    for site in driver.waiting:
        if isinstance(site, RelationSite) and site.relation.asked is not None:
            attributes = site.arguments[len(site.inputs) : -1]
            for variable in variables_of(attributes, driver.store.bindings):
                found.setdefault(variable, []).append(site)
    return {variable: sites for variable, sites in found.items() if len(sites) > 1}


def _together(sites: list[RelationSite], asked: tuple[Any, ...], count: int, driver: Worklist) -> Solution | None:
    """What is known of what stands for slot 0 in what all calls together are asked with; None if it is not found out.
    """
    rules, relations = driver.rules, tuple([site.relation for site in sites])
    key = agree, relations, exact(asked)
    if key not in rules.computed:
        variables = {number: fresh() for number in range(count)}
        opened = instantiate(asked, variables)
        demands, first = [], 0
        for relation in relations:
            demands.append((relation, opened[first : first + relation.arity], None))
            first += relation.arity
        rules.computed[key] = None
        if not any(rules.is_gradual(relation, terms, attrs) for relation, terms, attrs in demands):
            control = Search(Budget(STEPS), defaults=FREE, rules=rules)
            try:
                solution = search([("", goal_of(demands, {}))], (variables[0],), control)
            except RuleError:
                return None  # a call says it where it is asked alone
            if solution.general is not None or solution.exhausted:
                rules.computed[key] = solution
    found: Solution | None = rules.computed[key]
    return found
