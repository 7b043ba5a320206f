"""Calls of values of unknown type, where a function is to be generalised.

A function that calls what it is given is, as in Relay, given a function of one type; this is settled before its type is
generalised, or a type parameter would be called. A call of what the environment knows ties its arguments to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...logic.terms.terms import variables_of
from ..sites.demands import ApplySite
from ..sites.driver import Driver
from ..sites.site import Site

__all__ = ["settle_calls"]


def settle_calls(driver: Driver, known: Any, environment: Iterable[Any]) -> list[Any]:
    """Settle the calls in a function of type `known` of what nothing in the environment determines.

    Returns the terms of the other waiting calls that its type depends on: they are as fixed as the environment.
    """
    fixed = tuple(environment)
    tried: set[Site] = set()  # a call that is refused settles nothing
    while True:
        calls = [site for site in driver.waiting if isinstance(site, ApplySite)]
        if not calls:
            return []
        own, kept = _reached(driver, known, fixed)
        bindings = driver.store.bindings
        free = [c for c in calls if c not in tried and any(v in own for v in variables_of(c.callee, bindings))]
        if not free:
            return [t for c in calls for t in c.terms if any(v in kept for v in variables_of(t, bindings))]
        tried.add(free[0])
        free[0].default(driver)
        driver.run(final=False)


def _reached(driver: Driver, known: Any, fixed: tuple[Any, ...]) -> tuple[set[Any], set[Any]]:
    """The open variables that a type shares with waiting sites: those of its own, and those tied to what is fixed."""
    bindings = driver.store.bindings
    kept = set(variables_of(fixed, bindings))
    touched: dict[Site, list[Any]] = {s: variables_of(s.terms, bindings) for s in driver.waiting}
    by_variable: dict[Any, list[Site]] = {}
    for site, variables in touched.items():
        for variable in variables:
            by_variable.setdefault(variable, []).append(site)
    _close(kept, by_variable, touched)
    own = set(variables_of(known, bindings)) - kept
    _close(own, by_variable, touched)
    return own, kept


def _close(reached: set[Any], by_variable: dict[Any, list[Site]], touched: dict[Site, list[Any]]) -> None:
    """Add the variables that waiting sites relate to those reached."""
    agenda = list(reached)
    while agenda:
        for site in by_variable.pop(agenda.pop(), ()):
            for variable in touched[site]:
                if variable not in reached:
                    reached.add(variable)
                    agenda.append(variable)
