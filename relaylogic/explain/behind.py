"""What else is wrong behind a refused call: faults of their own, without the echoes of those that are known already.

An error behind an assumed result is an *echo* if some way to make the refused call right makes it go away too. The
smallest repairs, which say what the call is shown as, are not all ways: an attribute may be wrong, two arguments may
be exchanged, one may be meant to be a variable that nobody uses, or belong in another place where it is used too. So an
error is reported only if it is still there when the result is no more than what all these agree on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..infer.assumed import Assuming, smallest_repairs
from ..infer.repairs import agreed, result_of
from ..ir import Call, Function, Op, children, post_order
from ..ir import Var as LocalVar
from ..logic.terms import fresh
from .edits import edits_of
from .slips import WIDEST, bound_variables

if TYPE_CHECKING:
    from ..infer.driver import Driver
    from ..infer.program import Inference
    from ..infer.sites import RelationSite, Site

__all__ = ["going_on", "independent", "lasting"]

ROUNDS = 3
"""How often an inference goes on behind refusals that have come up in the last one."""

QUESTIONS = 200
"""How many changes of one call are tried."""


def going_on(inference: Inference) -> Inference:
    """A refuted inference again, going on behind its refusals, and behind those that come up there."""
    refused = {site.identity for site in inference.failed()}
    for _ in range(ROUNDS):
        further = inference.going_on(Assuming(refused))
        found = {site.identity for site in further.failed()}
        if found <= refused:
            break
        refused |= found
    return further


def lasting(inference: Inference, further: Inference) -> list[Site]:
    """The sites that are refused, and are so too where other refused calls have results; all, if there is none."""
    failed = inference.failed()
    still = {site.identity for site in further.failed()}
    return [site for site in failed if site.identity in still] or failed


def independent(inference: Inference, further: Inference) -> list[Site]:
    """The sites that only `further` refuses, and whatever the refused calls before them should have been."""
    known = {site.identity for site in inference.failed()}
    new = [site for site in further.failed() if site.identity not in known]
    if not new:
        return []

    def any_repair(driver: Driver, site: RelationSite) -> Any:
        return agreed(_repairs(driver, site, further))

    other = inference.going_on(Assuming(known, any_repair))
    still = {site.identity for site in other.failed()}
    return [site for site in new if site.identity in still]


def _repairs(driver: Driver, site: RelationSite, further: Inference) -> Iterator[Any]:
    """What the result of a refused site could be, by each single change of its call that makes it right."""
    smallest = smallest_repairs(driver, site)
    if smallest is not None:
        yield smallest
    inputs = tuple(map(driver.store.reify, site.arguments[:-1]))
    function = next((f for v, f in further.module.functions.items() if v.name_hint == site.owner), None)
    spare = [] if function is None else _unused(further, function)
    shared = [] if function is None else _shared(function, site.expr)
    changed = [(*inputs[:i], other, *inputs[i + 1 :]) for i in range(len(inputs)) for other in spare]
    changed += [(*inputs[:i], fresh(), *inputs[i + 1 :]) for i in shared if i < len(inputs)]
    for i, j in combinations(range(min(len(inputs), WIDEST)), 2):
        exchanged = list(inputs)
        exchanged[i], exchanged[j] = inputs[j], inputs[i]
        changed.append(tuple(exchanged))
    asked = [(inputs, site.attrs) for inputs in changed]
    operator = driver.rules.operators.get(site.callee)
    if operator is not None and type(site.expr) is Call and type(site.expr.op) is Op:
        given = {n: v for n, v in (site.expr.attrs or {}).items() if n != "attrs_type_key"}
        edits = (edit for edit in edits_of(site.expr, fresh(), further) if edit.written or edit.likely)
        asked += [(inputs, operator.attrs({**given, edit.what: edit.value})) for edit in edits]
    for changed_inputs, attrs in asked[:QUESTIONS]:
        try:
            result = result_of(driver.rules, site.relation, changed_inputs, attrs)
        except LookupError:
            result = fresh()
        if result is not None:
            yield result


def _unused(inference: Inference, function: Function) -> list[Any]:
    """The types of the variables that a function binds and does not use."""
    used = {id(node) for node in post_order(function) if isinstance(node, LocalVar)}
    types = (inference.type_of(v) for v in bound_variables(function) if id(v) not in used)
    return list(dict.fromkeys(t for t in types if t is not None))


def _shared(function: Function, call: Any) -> list[int]:
    """The places of the arguments of a call that have other uses in the function."""
    if type(call) is not Call:
        return []
    uses = Counter(id(part) for node in post_order(function) for part in children(node))
    return [i for i, argument in enumerate(call.args) if uses[id(argument)] > 1]
