"""Inference that goes on where a program is refuted: a refused call has the result that it would have if it were right.

For programs that are refuted only, after the inference that says so: the program is inferred once more, and what a
demand that was refused leaves open is *assumed*. Of a call of a relation, that is what its smallest repairs agree on
(`repairs`); of branches that differ, and of a call of a polymorphic function with a wrong argument, what the branches,
and the instances without one of the arguments, have in common. An assumption flows forward, from a result to those who
use it: what is known to be refused for good gets its result before anybody uses it, what is refused behind it when
nothing else can be concluded; so the order of the sites does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import is_ground, variables_of
from .relation_site import RelationSite
from .repairs import agreed, repaired
from .schemes import holes, instance_of
from .site import Site
from .store import Mismatch

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["Assuming", "Guess", "smallest_repairs"]

Guess = Callable[["Worklist", RelationSite], Any]
"""What to assume of the result of a refused site; None if nothing."""


def smallest_repairs(driver: Worklist, site: RelationSite) -> Any:
    """What the smallest repairs of a refused site agree on, as its result."""
    inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
    return repaired(driver.rules, site.relation, inputs, site.attrs, driver.rules.operators.get(site.callee))


class Assuming:
    """What an inference that goes on behind refusals assumes.

    `refused` are the demands that are refused without any assumption, by their identities; `guess` says what to assume
    of the result of a relation. `calls` are the calls whose result is assumed, by identity. `unknown` are the variables
    for what is not known of a result: they are no type parameters, since nothing holds for all their values.
    """

    def __init__(self, refused: Iterable[Any], guess: Guess = smallest_repairs) -> None:
        self._refused = frozenset(refused)
        self._guess = guess
        self.calls: set[int] = set()
        self.unknown: list[Any] = []
        self._finished: set[Any] = set()

    def at_once(self, driver: Worklist, site: Site) -> None:
        """Give a site that has just been refused its result, before those who use it say what it should be.

        Only if it is known to be refused for good, and all is known of its inputs.
        """
        if isinstance(site, RelationSite) and self.doubts(site):
            inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
            if is_ground(inputs):
                self._give(driver, site, self._guess(driver, site))

    def assume(self, driver: Worklist, final: bool) -> bool:
        """Give every refused site that has none yet a result; whether there was one that says something.

        Unless `final`, only sites that are known to be refused for good: more may become known of the others.
        """
        refused = [site for site in driver.failed if isinstance(site, RelationSite) and site.state == "refused"]
        if not final:
            refused = [site for site in refused if self.doubts(site)]
        results = [self._guess(driver, site) for site in refused]
        said = [self._give(driver, site, result) for site, result in zip(refused, results, strict=True)]
        return any(said)

    def _give(self, driver: Worklist, site: RelationSite, result: Any) -> bool:
        """Make `result`, None if there is none, the result of a refused site; whether it says something."""
        site.state = "assumed"
        inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
        self._note(site.arguments[-1] if result is None else result, inputs)
        if result is None:
            return False
        try:
            driver.store.unify(result, site.arguments[-1])
        except Mismatch:
            return False
        self.calls.add(id(site.expr))
        return True

    def doubts(self, site: Site) -> bool:
        """Whether a demand is refused without any assumption."""
        return site.identity in self._refused

    def met(self, driver: Worklist, types: list[Any]) -> Any:
        """What the types of branches that differ have in common."""
        reified = list(map(driver.store.reify, types))
        return self._note(agreed(reified), reified)

    def applied(self, driver: Worklist, callee: Any, values: list[Any], arg_types: tuple[Any, ...], expr: Any) -> Any:
        """The result of a call of a function some of whose arguments are refused.

        `values` are the type arguments that the call gives.
        """
        self.calls.add(id(expr))
        if not callee.type_params:
            return callee.ret_type
        count = len(arg_types)
        without_one = [[i for i in range(count) if i != wrong] for wrong in range(count)]
        without_all: list[list[int]] = [[]]
        for choices in (without_one, without_all):
            results = [self._instance(driver, callee, values, arg_types, choice) for choice in choices]
            found = agreed(result for result in results if result is not None)
            if found is not None:
                return self._note(found, tuple(map(driver.store.reify, arg_types)))
        return callee.ret_type

    def finish(self, functions: Iterable[Any]) -> None:
        """Take note that some global functions have their types now."""
        self._finished.update(functions)

    def at_call(self, driver: Worklist, callee: Any, expr: Any) -> Any:
        """The type of a callee with variables of its own for what is unknown of it: calls do not decide it, nor what an
        attribute is that it leaves open."""
        if getattr(expr, "op", None) not in self._finished:
            return callee
        variables: dict[Any, Any] = {}
        own: dict[int, Any] = {}
        (found,) = instantiate(canonical((callee,), variables), own)
        attributes = set(variables_of(tuple(driver.unknown_attributes))) if variables else set()
        driver.unknown_attributes += [own[i] for i, variable in enumerate(variables) if variable in attributes]
        return found

    def _note(self, result: Any, known: Any) -> Any:
        """`result`, whose variables are unknown but for those that occur in `known`."""
        old = set(variables_of(known))
        self.unknown += [v for v in variables_of(result) if v not in old]
        return result

    def _instance(
        self, driver: Worklist, callee: Any, values: list[Any], arg_types: tuple[Any, ...], kept: list[int]
    ) -> Any:
        """The result type of a polymorphic function on some of the arguments; None if these do not fit."""
        given = [*values, *holes(callee.type_params[len(values) :])]
        instance, _ = instance_of(callee, given)
        store = driver.store
        with store.tentatively():
            try:
                for i in kept:
                    store.unify(arg_types[i], instance.arg_types[i])
            except Mismatch:
                return None
            return store.reify(instance.ret_type)
