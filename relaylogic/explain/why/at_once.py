"""What a record of an inference says of the calls that were told at once, known without one.

A call of which all arguments are known when it is met is settled in its first attempt; so is mostly one of weights that
are open, which it tells. What such an attempt knew and concluded shows in the inference itself: it has bound what was
open among the types of the call. It has the number of the place of its call, which is met behind what it is made of.
"""

from __future__ import annotations

from typing import Any

from ...host.once import cached_property
from ...infer.program import Inference
from ...infer.results.recording import Attempt, terms_of
from ...infer.sites.relation_site import RelationSite
from ...ir import Call, Op
from ...logic.terms.terms import Slot, is_ground, variables_of
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase.open_attributes import Open
from ...types import TupleType
from ..places.places import Places

__all__ = ["AtOnce", "NotAtOnce"]


class NotAtOnce(Exception):
    """Something is asked that only a record tells."""


class AtOnce:
    """The part of `Derivations` that tells where types come from (`sources`), of calls that were told at once.

    Whoever asks for what others have concluded gets NotAtOnce raised. Nothing must have been refused.
    """

    def __init__(self, inference: Inference, places: Places) -> None:
        self.inference = inference
        self.places = places
        self.end = len(places) + 1
        self._sites = {id(site.expr): site for site in inference.driver.sites}
        self._attempts: dict[int, list[Attempt]] = {}
        self._results: dict[Any, Attempt] = {}  # by the variables that stand for them

    def known(self, term: Any, before: int) -> Any:
        """A term as it was known before a step. Raises NotAtOnce."""
        if is_ground(term):
            return term
        attempt = self._binder(term)
        return attempt.changes[term][1] if attempt.number < before else term

    def steps(self, term: Any, before: int) -> list[Attempt]:
        """The attempts before a step that have bound the variables of a term, in order. Raises NotAtOnce."""
        if is_ground(term):
            return []
        attempt = self._binder(term)
        return [attempt] if attempt.number < before else []

    def own(self, call: Call) -> list[Attempt]:
        """The attempt of a call; none of one that calls no operator, whose type was known when it was met. Raises
        NotAtOnce."""
        if type(call.op) is not Op and is_ground(self.inference.generator.types[id(call)]):
            return []
        found = self._attempts.get(id(call))
        if found is None:
            found = self._attempts[id(call)] = [self._attempt(call)]
        return found

    def _binder(self, variable: Any) -> Attempt:
        """The attempt that has bound a variable."""
        attempt = self._results.get(variable)
        if attempt is None:
            call = self._teller(variable)
            if call is None:
                raise NotAtOnce
            (attempt,) = self.own(call)
        if variable not in attempt.changes:  # it stands for the result where the text says the type of an operator
            raise NotAtOnce
        return attempt

    @cached_property
    def _tellers(self) -> dict[Any, Call | None]:
        """The calls that have told what was open in them, by the variables; None where others may have."""
        found: dict[Any, Call | None] = {}
        for site in self.inference.driver.sites:
            terms = terms_of(site)
            if isinstance(site, RelationSite) and _is_told_at_once(site):
                for term, asked in zip(terms, site.key, strict=True):
                    if type(asked) is Slot and type(term) in VARIABLES:
                        found[term] = None if term in found else site.expr
            else:
                found.update(dict.fromkeys(variables_of(terms)))
        return found

    def _attempt(self, call: Call) -> Attempt:
        driver, types = self.inference.driver, self.inference.generator.types
        operator = driver.rules.operators.get(call.op.name) if type(call.op) is Op else None
        site = self._sites.get(id(call))
        if operator is None or (site is not None and not (isinstance(site, RelationSite) and _is_told_at_once(site))):
            raise NotAtOnce
        attrs, made = driver.attrs_of(operator, call), driver.store.reify(types[id(call)])
        is_met = all(id(argument) in types for argument in call.args)  # else a limit has stopped the inference
        if type(attrs) is Open or not (is_met and is_ground(made)):
            raise NotAtOnce
        told = tuple([types[id(argument)] for argument in call.args])
        result = fresh()
        terms = (TupleType(told), result) if operator.variadic else (*told, result)
        place = next(self.places.all[i] for i in self.places.at(call) if self.places.all[i].kind == "call")
        number, owner = place.index + 1, place.owner
        changes = {term: (None, driver.store.reify(term)) for term in told if self._teller(term) is call}
        known = [term if term in changes else self.known(term, number) for term in told]
        if not all(term in changes or is_ground(term) for term in known):
            raise NotAtOnce
        asked = RelationSite(operator.relation, terms, attrs, call, owner, operator.name)
        attempt = Attempt(number, asked, owner, 1, terms, {**changes, result: (None, made)}, "done")
        attempt.solution = driver.rules.solve_terms(operator.relation, terms, attrs) if site is None else site.solution
        self._results[result] = attempt
        return attempt

    def _teller(self, term: Any) -> Call | None:
        """The call that has told a variable; None for another term."""
        return self._tellers.get(term) if type(term) in VARIABLES else None


def _is_told_at_once(site: RelationSite) -> bool:
    """Whether a call was settled in its first attempt, and nothing of what it says is open or filled in by default."""
    solution = site.solution
    if site.state != "done" or site.attempts != 1 or site.draws or solution is None:
        return False
    return type(site.expr) is Call and solution.decided and is_ground(solution.general)
