"""What the sites that go into a type say of extents, in solved form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..numbers.conditions import forced, implied
from ..numbers.expressions import OpenNumber
from ..numbers.extents import Extents, Said, Unsolvable
from ..sites.driver import Driver
from ..sites.site import Site
from .absorbed import Parts, kinds_in, taken_in

__all__ = ["Solved", "solved"]


class Solved(NamedTuple):
    """The sites that go into some types, the open variables with their kinds, what the sites say of extents.

    `said` are the sites of which that is all, `needed` the conditions that imply all, by site. `together` is what the
    sites say of extents with what they say of those around a function, which each of its uses is told anew.
    """

    sites: list[Site]
    open_kinds: dict[Any, str]
    extents: Extents
    said: dict[Site, None]
    needed: dict[Site, list[Any]]
    together: Extents


def solved(driver: Driver, parts: Parts, fixed: tuple[Any, ...], local: bool) -> Solved:
    """What the open sites say of extents in solved form, and the sites that say nothing more than that.

    What turns out to be known, or to be one, is put into the store, until that tells nothing new.
    """
    store = driver.store
    while True:
        sites, open_kinds, anew = taken_in(driver, parts, fixed, set(), local)
        classes = dict.fromkeys(open_kinds, 1) | dict.fromkeys(kinds_in(parts.inputs, store.bindings, driver.module), 0)
        numeric = {site: found for site in sites if (found := site.numbers()) is not None}
        own = {site: found for site, found in numeric.items() if site not in anew}
        try:
            extents = Extents.solve(_said(own), classes, driver.expressions)
            together = extents
            if len(own) < len(numeric):
                together = Extents.solve(_said(numeric), classes, driver.expressions)
            news = _put(driver, extents)
        except Unsolvable as problem:
            driver.contradict(problem.source, f"no extents satisfy this call: {problem.equation}")
            continue
        if news:
            driver.run(final=False)
            continue
        values = forced(extents) if extents.left else {}
        if values is None:
            driver.contradict(extents.left[-1][0], "no extents satisfy this call together with the others")
            continue
        # A rigid extent that has one value only stays what it is: that is for the `where` to say.
        known = {symbol: value for symbol, value in values.items() if type(symbol) is OpenNumber}
        if known:
            for symbol, value in known.items():
                store.unify(driver.expressions.variables[symbol], value)
            driver.run(final=False)
            continue
        needed, impossible = implied(extents)
        if impossible is not None:
            driver.contradict(impossible, "no extents satisfy this call")
            continue
        more = {site for site, _ in extents.left} | set(extents.other) | set(needed)
        said = dict.fromkeys(site for site in own if site not in more)
        return Solved(sites, open_kinds, extents, said, needed, together)


def _said(numeric: Mapping[Site, tuple[tuple[Any, ...], dict[int, Any]]]) -> Iterator[Said]:
    """What sites say of numbers, one by one."""
    return ((site, constraint, slots) for site, (constraints, slots) in numeric.items() for constraint in constraints)


def _put(driver: Driver, extents: Extents) -> bool:
    """Unify what is one; whether there was anything."""
    store = driver.store
    news = False
    for variable, known in extents.same():
        if store.walk(variable) is not store.walk(known):
            store.unify(variable, known)
            news = True
    return news
