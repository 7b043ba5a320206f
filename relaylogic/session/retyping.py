"""One pass over what depends on an edit of a straight function."""

from __future__ import annotations

from collections import ChainMap
from heapq import heappop, heappush
from typing import Any

from ..infer.program import Inference
from ..infer.sites.relation_site import RelationSite
from ..infer.sites.site import Site
from ..ir import Function, Let
from ..logic.terms.terms import is_ground
from .statements import Param, Read, Refused, Statement, Unlike

__all__ = ["Again"]

_ABSENT = object()


class Again:
    """One pass over what depends on an edit. Types that become known are kept apart until all is done."""

    def __init__(
        self,
        function: Function,
        owner: str,
        types: dict[int, Any],
        result: Any,
        inference: Inference,
        place: dict[Statement, int],
        now: dict[Statement, Read],
        annotated: dict[Param, Any],
        live: set[Statement],
    ) -> None:
        self._live = live
        self._function = function
        self._owner = owner
        self._types = types
        self._inference = inference
        self._place = place
        self._now = now
        self._annotated = annotated
        self._taken: dict[int, Any] = {}  # types that were taken out
        self._new: dict[int, Any] = {}
        self._done: list[Statement] = []
        self._agenda: list[tuple[int, int, Statement]] = []
        self._planned: set[Statement] = set()
        self.params: dict[Param, Any] = {}
        self.result = result

    def run(self, read: list[Read], before: set[Statement]) -> None:
        """Type all that depends on the edit; `before` are the statements that were used. Raises Unlike and Refused."""
        generator = self._inference.generator
        generator.types = ChainMap(self._new, self._types)  # type: ignore[assignment]
        generator.owner = self._owner
        for param, annotation in self._annotated.items():
            self._reset(param, annotation)
        for found in read:
            self._plan(found.statement)
            if found.statement not in self._live:
                self._take_all(found.statement)
            if found.statement in before:
                self._open(found.statement.params)
        for statement in before - self._live:
            self._take_all(statement)
            self._open(statement.params)
        for statement in self._live - before:
            self._plan(statement)
        while self._agenda:
            _, _, statement = heappop(self._agenda)
            self._type(statement)
        self._inference.driver.run()  # what is open by default is known by all that depends on the edit
        self._check()
        if self._inference.driver.waiting:
            raise Unlike
        reify = self._inference.driver.store.reify
        for param, known in self.params.items():
            self.params[param] = found_type = reify(known)
            if not is_ground(found_type):
                raise Unlike
        for param, found_type in self.params.items():
            self._new[id(param.var)] = found_type

    def _plan(self, statement: Statement) -> None:
        if statement not in self._planned and statement in self._live:
            self._planned.add(statement)
            heappush(self._agenda, (self._place[statement], id(statement), statement))
            used = self._now.get(statement, statement).params
            self._open(used)

    def _open(self, params: set[Param]) -> None:
        """Forget what statements have found out of parameters."""
        for param in params:
            if param not in self.params and (param.annotation is None or not is_ground(param.annotation)):
                self._reset(param, param.annotation)

    def _reset(self, param: Param, annotation: Any) -> None:
        generator = self._inference.generator
        self._take(param.var)
        self.params[param] = generator.annotation(annotation, param.var)
        self._new[id(param.var)] = self.params[param]
        self._check()
        for user in param.users:
            self._plan(user)

    def _take_all(self, statement: Statement) -> None:
        for node in statement.own:
            self._take(node)
        if statement.anchor is not None:
            self._take(statement.anchor)

    def _take(self, node: Any) -> None:
        key = id(node)
        if key not in self._taken:
            self._taken[key] = self._types.pop(key, _ABSENT)

    def _type(self, statement: Statement) -> None:
        found = self._now.get(statement)
        generator = self._inference.generator
        if found is None:
            found = Read(statement, statement.node, statement.binder)
            found.own = statement.own
        before = self._types.get(id(statement.anchor))
        self._take_all(statement)
        self._done.append(statement)
        function = self._function
        expr = found.node
        if found.binder is not None:
            expr = Let(found.binder, found.node, found.binder)
        elif statement.kind == "tail" and function.ret_type is not None:
            expr = Function((), found.node, function.ret_type, None, None, function.span, None, function.ret_span)
        # What stands for the statement meanwhile is looked at now, and has no place among the types for good.
        known = generator.function(self._owner, expr)
        if expr is not found.node:
            del self._new[id(expr)]
        self._check()
        if expr is not found.node and found.binder is None:
            known = known.ret_type
        known = self._ground(known)
        for node in found.own:
            if id(node) in self._new:
                self._new[id(node)] = self._ground(self._new[id(node)])
        if statement.kind == "tail":
            self.result = known
        elif statement.kind in ("let", "graph"):
            self._new[id(statement.anchor)] = known
            if known is not before:
                for user in statement.users:
                    self._plan(user)

    def _ground(self, term: Any) -> Any:
        known = self._inference.driver.store.reify(term)
        if not is_ground(known):
            raise Unlike
        return known

    def _check(self) -> None:
        """Whether all demands were settled at once, but for what is open by default."""
        driver = self._inference.driver
        store = driver.store
        settled = all(_is_settled(site) for site in driver.sites)
        if driver.exhausted or driver.absorbed or store.widened or store.demands or driver.scopes:
            raise Unlike
        if driver.failed:
            raise Refused
        if not settled or store.woken or self._inference.open_functions:
            raise Unlike
        driver.sites.clear()

    def undo(self) -> None:
        """Put back what was taken."""
        types = self._types
        for key, known in self._taken.items():
            if known is not _ABSENT:
                types[key] = known

    def keep(self) -> None:
        """Take over the types that were found."""
        types, new = self._types, self._new
        for param in self.params:
            types[id(param.var)] = new[id(param.var)]
        for statement in self._done:
            found = self._now.get(statement)
            for node in statement.own if found is None else found.own:
                if id(node) in new:
                    types[id(node)] = new[id(node)]
            if statement.anchor is not None:
                types[id(statement.anchor)] = new.get(id(statement.anchor))
        store = self._inference.driver.store
        store.bindings.clear()
        store.watchers.clear()
        self._inference.generator.types = types


def _is_settled(site: Site) -> bool:
    return site.is_done_at_once or (isinstance(site, RelationSite) and site.waits_for_defaults)
