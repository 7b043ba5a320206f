"""What there is to ask an inference that was made: types, what is refused, and what is not decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..ir import IRModule
from ..logic.search.search import Solution
from ..logic.states.unknown import has_unknown
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import Term
from .generate import Generator
from .sites.driver import Driver
from .sites.relation_site import RelationSite
from .sites.site import Site

__all__ = ["Inferred"]


class Inferred:
    """The types of the expressions of a module, and its sites; `open_functions` are the names of those that leave
    something open."""

    module: IRModule
    closed: bool
    driver: Driver
    generator: Generator
    open_functions: set[str]

    def type_of(self, expr: Any) -> Any:
        """The type of an expression as far as it is known, or None if the module does not hold it."""
        known = self.generator.types.get(id(expr))
        return None if known is None else self.driver.store.reify(known)

    def types(self) -> Callable[[Any], Any]:
        """`type_of` for many expressions, while nothing becomes known: most of them share their types, or parts."""
        store, types = self.driver.store, self.generator.types
        bindings = store.bindings
        memo: dict[int, Any] = {}

        def type_of(expr: Any) -> Any:
            term = types.get(id(expr))
            if term is None:
                return None
            term = store.walk(term)
            if not isinstance(term, Term) or term.ground:
                return store.reify(term)
            return reify_term(term, bindings, memo)

        return type_of

    def failed(self) -> list[Site]:
        """The refused sites of the module's own functions and definitions, in the order of the text."""
        if not self.driver.failed:
            return []
        own = {"", *(v.name_hint for v in self.module.functions)}
        failed = [site for site in self.driver.failed if site.owner in own]
        failed.sort(key=lambda site: site.span.start if site.span is not None else -1)
        return failed

    def verdict(self) -> str:
        """ "typed", "refuted", "incomplete" or "unknown"."""
        if self.failed():
            return "refuted"
        undecided = self.undecided()
        if any(self.limit_of(site) for site in undecided):
            return "unknown"
        if undecided or (self.closed and (self.open_functions or self._open_expressions())):
            return "incomplete"
        return "typed"

    def undecided(self) -> list[Site]:
        """The sites that wait; where closed types are wanted, also those that a generalised type speaks of."""
        return [*self.driver.absorbed, *self.driver.waiting] if self.closed else list(self.driver.waiting)

    def limit_of(self, site: Site) -> str:
        """The name of the limit that leaves a site undecided, or ""."""
        solution = site.solution if isinstance(site, RelationSite) else None
        limit = "" if solution is None or solution.exhausted else solution.limit
        # With answers, a call of which not all attributes were tried is one that is merely open.
        open_only = limit == "attribute limit" and solution is not None and bool(solution.answers)
        stopped = limit in ("step limit", "attribute limit") and not open_only
        return self.driver.exhausted.get(site, limit if stopped else "")

    def is_cut(self) -> bool:
        """Whether what some call comes to was not looked for to the end, so that more might have been concluded."""
        return any(not s.exhausted and s.limit in ("step limit", "answer limit") for _, s in self._waiting_solutions())

    def gives_up(self) -> bool:
        """Whether it was not found out whether there are types for what is left."""
        return "satisfiability" in self.driver.exhausted.values()

    def leaves_rows_open(self) -> bool:
        """Whether some call may come to more than its answers tell apart, so that it was not looked for what goes with
        each, nor, beside other calls, for anything that it may come to; more steps would not do."""
        looked_for = self.driver.exhausted
        return any(solution.leaves_rows_open for site, solution in self._waiting_solutions() if site not in looked_for)

    def meets_unknown(self) -> bool:
        """Whether there is a `?` in the type of some expression."""
        return has_unknown((*self.generator.types.values(), *self.driver.store.bindings.values()))

    def _waiting_solutions(self) -> Iterator[tuple[Site, Solution]]:
        for site in self.driver.waiting:
            if isinstance(site, RelationSite) and site.solution is not None:
                yield site, site.solution

    def _open_expressions(self) -> bool:
        reify = self.driver.store.reify
        return any(
            not getattr(known, "ground", False) and not getattr(reify(known), "ground", False)
            for known in self.generator.types.values()
        )
