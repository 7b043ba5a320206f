"""What else is wrong behind a refused call: faults of their own, without the echoes of those that are known already.

An error behind an assumed result is an *echo* if some way to make the refused call right makes it go away too. The
smallest repairs, which say what the call is shown as, are not all ways: an attribute may be wrong, two arguments may
be exchanged, one may be meant to be a variable that nobody uses, or belong only in another place where it is used too.
So an error is reported only if it is still there when the result is no more than what all these agree on; and where no
change of one part of what an operator is given makes the call right, another one may be meant, which gives anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...infer.sites.assumed import Assuming, Guess, smallest_repairs
from ...infer.sites.repairs import agreed, exchanged, is_one_change_away, result_of
from ...ir import Call, Op, children, post_order, without_type_key
from ...ir import Var as LocalVar
from ...logic.terms.variables import fresh
from .bound import bound_variables
from .edits import edits_of

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.relation_site import RelationSite
    from ...infer.sites.site import Site
    from ...infer.sites.worklist import Worklist

__all__ = ["going_on", "independent"]

ROUNDS = 2
"""How often an inference goes on behind refusals that have come up in the last one."""

QUESTIONS = 200
"""How many changes of one call are tried."""


def going_on(inference: Inference) -> Inference:
    """A refuted inference again, going on behind its refusals, and behind those of their own that come up there.

    Where the results that the smallest repairs agree on lead to echoes, it is what all repairs agree on instead.
    """
    known = {site.identity for site in inference.failed()}
    further = _rounds(inference, known, smallest_repairs)
    new = {site.identity for site in further.failed()} - known
    if not new:
        return further

    other = _rounds(inference, known, _Repairs(further).guess)
    return further if new <= {site.identity for site in other.failed()} else other


def _rounds(inference: Inference, known: set[Any], guess: Guess) -> Inference:
    """An inference that goes on behind the demands `known` to be refused, and behind those that come up on the way."""
    refused = set(known)
    further = inference.going_on(Assuming(refused, guess))
    for _ in range(ROUNDS):
        found = {site.identity for site in further.failed()}
        if found <= refused:
            break
        refused |= found
        further = inference.going_on(Assuming(refused, guess))
    return further


def independent(inference: Inference, further: Inference) -> list[Site]:
    """The sites that only `further` refuses, and that are refused whatever operators are meant elsewhere."""
    known = {site.identity for site in inference.failed()}
    found = [site for site in further.failed() if site.identity not in known]
    if not found:
        return []
    sure = {site.identity for site in _rounds(inference, known, _Repairs(further).sure).failed()}
    return [site for site in found if site.identity in sure]


class _Repairs:
    """The single changes that may make refused calls right, as `inference`, which goes on behind them, sees them."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._functions = {v.name_hint: f for v, f in inference.module.functions.items()}
        self._refused = {id(site.expr) for site in inference.failed()}
        self._seen: dict[str, tuple[list[Any], set[int]]] = {}

    def guess(self, driver: Worklist, site: RelationSite) -> Any:
        """What all repairs of a refused site agree on, as its result."""
        return agreed(self._results(driver, site))

    def sure(self, driver: Worklist, site: RelationSite) -> Any:
        """The same; nothing where another operator may be meant."""
        inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
        is_near = is_one_change_away(driver.rules, site.relation, inputs, site.attrs)
        return self.guess(driver, site) if is_near else fresh()

    def _results(self, driver: Worklist, site: RelationSite) -> Iterator[Any]:
        smallest = smallest_repairs(driver, site)
        if smallest is not None:
            yield smallest
        inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
        spare, fine = self._variables(site.owner)
        changed = [(*inputs[:i], other, *inputs[i + 1 :]) for i in range(len(inputs)) for other in spare]
        arguments = site.expr.args if type(site.expr) is Call and len(site.expr.args) == len(inputs) else ()
        elsewhere = [i for i, argument in enumerate(arguments) if id(argument) in fine]
        changed += [(*inputs[:i], fresh(), *inputs[i + 1 :]) for i in elsewhere]
        changed += exchanged(inputs)
        asked = [(other, site.attrs) for other in changed]
        operator = driver.rules.operators.get(site.callee)
        if operator is not None and type(site.expr) is Call and type(site.expr.op) is Op:
            given = without_type_key(site.expr.given)
            edits = (e for e in edits_of(site.expr, fresh(), self._inference) if e.written or e.likely)
            asked += [(inputs, operator.attrs({**given, edit.what: edit.value})) for edit in edits]
        for other, attrs in asked[:QUESTIONS]:
            try:
                result = result_of(driver.rules, site.relation, other, attrs)
            except LookupError:
                result = fresh()
            if result is not None:
                yield result

    def _variables(self, name: str) -> tuple[list[Any], set[int]]:
        """Of a function: the types of the variables that nobody uses, and the nodes that have a use that is fine."""
        if name not in self._functions:
            return [], set()
        if name not in self._seen:
            function = self._functions[name]
            nodes = list(post_order(function))
            used = {id(node) for node in nodes if isinstance(node, LocalVar)}
            types = [self._inference.type_of(v) for v in bound_variables(function) if id(v) not in used]
            fine = {id(part) for node in nodes if id(node) not in self._refused for part in children(node)}
            self._seen[name] = list(dict.fromkeys(t for t in types if t is not None)), fine
        return self._seen[name]
