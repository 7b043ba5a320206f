"""Inference with its result put into words: of a module, or of one call on its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..host.governor import LimitReached, governed
from ..infer.program import Inference
from ..infer.results.result import Problem, Residue, Result, unknown
from ..infer.sites.callsite import solve_site
from ..infer.sites.relation_site import RelationSite
from ..infer.sites.site import Site
from ..infer.sites.structure import StructureSite
from ..ir import Call, Function, IRModule, Let, Op, post_order
from ..ir import Var as LocalVar
from ..ir.free import free_type_vars
from ..logic.terms.terms import Slot
from ..rulebase import AttributeProblem, RuleBase
from ..types import show_type
from .again import Again, Recorded
from .places.calls import Calls

__all__ = ["add_call", "infer_call", "infer_module", "report"]

MAX_ALTERNATIVES = 8


def infer_module(
    module: IRModule,
    rules: RuleBase | None = None,
    closed: bool = False,
    progress: Callable[[int, int], None] | None = None,
    recorded: bool = False,
    done: Callable[[Inference], None] | None = None,
) -> Result:
    """The types of a program. With `closed`, what no annotation determines makes the verdict incomplete.

    `progress` is told now and then how many groups of functions are done, and of how many. If a limit is reached
    (`limits`), the verdict is "unknown", with the types of the functions that were done. One that is `recorded`
    has its trace at once; otherwise a second one is made when somebody asks for it. `done` is given the inference when
    it is, with all its sites.
    """
    watched = Recorded() if recorded else None
    again = Again(rules, closed, False)
    recording = None if watched is None else watched.recording

    def work(begins: Callable[[Inference], None]) -> Result:
        matching = recording is None and done is None
        inference = Inference(
            module, rules, closed, progress=progress, begun=begins, recording=recording, matching=matching
        )
        if done is not None:
            done(inference)
        return report(inference, again.of(inference), watched)

    return _within_limits(module, work, again, watched)


def _within_limits(
    module: IRModule,
    work: Callable[[Callable[[Inference], None]], Result],
    again: Again,
    watched: Recorded | None = None,
) -> Result:
    """The result of an inference, or what was found until a limit was reached; `work` says when inference begins."""
    begun: list[Inference] = []

    def begins(inference: Inference) -> None:
        begun.append(inference)
        if watched is not None:
            watched.begins(inference)

    def until_then(reached: LimitReached) -> Result:
        return _until_then(module, begun[0] if begun else None, reached, again.stopped(reached), watched)

    try:
        return governed(lambda: work(begins), until_then)
    except LimitReached as reached:
        return unknown(reached, module, again=again.stopped(reached), recorded=watched)


def _until_then(
    module: IRModule, inference: Inference | None, reached: LimitReached, again: Again, watched: Recorded | None
) -> Result:
    """The types of the functions that were done when a limit was reached."""
    if inference is None:
        return unknown(reached, module, again=again, recorded=watched)
    reify = inference.driver.store.reify
    done, type_of = inference.finished, inference.types()
    calls = list(Calls([(variable, module.functions[variable]) for variable in done], type_of))
    functions = {v.name_hint: reify(inference.globals[v]) for v in done}
    return unknown(reached, module, functions, calls, again, watched)


def infer_call(
    op: str,
    arguments: Sequence[Any],
    module: IRModule,
    attrs: Mapping[str, Any] | None,
    rules: RuleBase | None = None,
) -> Result:
    """The type of one call of an operator on arguments of the given types; variables in them are holes.

    `module` defines the data types that occur; the call is added to it as `main`, which takes the arguments as
    parameters. What stays open there is not generalised.
    """
    add_call(op, arguments, module, attrs)
    again = Again(rules, closed=True, monomorphic=True)

    def work(begun: Callable[[Inference], None]) -> Result:
        inference = Inference(module, rules, closed=True, monomorphic=True, begun=begun)
        return report(inference, again.of(inference))

    return _within_limits(module, work, again)


def add_call(op: str, arguments: Sequence[Any], module: IRModule, attrs: Mapping[str, Any] | None) -> None:
    """Add a call of an operator to a module as `main`, which takes the arguments as parameters."""
    params = [LocalVar(f"p{i}", argument) for i, argument in enumerate(arguments)]
    call = Call(Op(op), params, None if attrs is None else dict(attrs))
    module.add("main", Function(params, call, None, free_type_vars(tuple(p.type_annotation for p in params))))


def report(inference: Inference, again: Again | None = None, recorded: Recorded | None = None) -> Result:
    """The verdict and everything that was found; why sites were refused is worked out when it is asked for."""
    verdict = inference.verdict()
    further, explained = inference, None
    if verdict == "refuted":
        from .blame.behind import going_on  # nobody else needs it
        from .explained import Explained

        further = going_on(inference)
        explained = Explained(inference, further, _problem)
    module, store = inference.module, further.driver.store
    assumed = [] if further.driver.assuming is None else _assumed(module, further.driver.assuming.calls)
    made_up = set(map(id, assumed))
    type_of = further.types()  # nothing becomes known any more
    undecided = inference.undecided()
    return Result(
        verdict,
        {v.name_hint: store.reify(further.globals[v]) for v in module.functions},
        Calls(module.functions.items(), type_of, made_up),
        [] if explained is None else explained.errors,
        [_residue(inference, site) for site in undecided],
        further.generator.warnings,
        module,
        type_of,
        assumed,
        next(filter(None, map(inference.limit_of, undecided)), "") if verdict == "unknown" else "",
        None,
        tuple if explained is None else explained.conflicts,
        tuple if explained is None else explained.corrections,
        again,
        recorded,
    )


def _assumed(module: IRModule, calls: Collection[int]) -> list[Any]:
    """The calls of these identities, and the variables that are bound to them without an annotation."""
    found: list[Any] = []
    for function in module.functions.values():
        for node in post_order(function):
            if id(node) in calls:
                found.append(node)
            elif type(node) is Let and id(node.value) in calls and node.var.type_annotation is None:
                found.append(node.var)
    return found


def _problem(inference: Inference, site: Site) -> Problem:
    assert site.error is not None
    malformed = site.state == "malformed"
    if not isinstance(site, RelationSite) or site.error.message:
        relation = "" if malformed else site.relation_name
        if isinstance(site, StructureSite):
            from .refusals.refusal import explain_structure

            message, clause = explain_structure(inference.driver, site, site.error.message)
            return Problem(message, site.span, relation, clause, site.owner)
        span = _of_attribute(inference, site) if malformed else site.span
        return Problem(site.error.message, span, relation, "", site.owner, (), malformed)
    key = site.key
    from .refusals.refusal import explain_refusal

    reason = explain_refusal(inference.driver.rules, site.relation, key, site.attrs)
    name = site.callee or site.relation.name
    message = f"`{name}` refuses ({', '.join(map(show_type, key[:-1]))})"
    if type(key[-1]) is not Slot:
        message += f" -> {show_type(key[-1])}"
    where = f"{site.relation.name}, clause {reason.clause}" if reason.clause else site.relation.name
    message += f": {reason.premise} [{where}]"
    return Problem(message, site.span, site.relation.name, reason.clause, site.owner, reason.hints)


def _of_attribute(inference: Inference, site: Site) -> Any:
    """Where the attribute stands for which a call is wrong whatever the types are; else, where the call stands."""
    call = site.expr
    is_operator = type(call) is Call and type(call.op) is Op
    operator = inference.driver.rules.operators.get(call.op.name) if is_operator else None
    if operator is not None and (operator.variadic or len(call.args) == len(operator.inputs)):
        try:
            inference.driver.attrs_of(operator, call)
        except AttributeProblem as problem:
            from ..text.attribute_spans import AttributeSpans  # nobody else needs it

            return AttributeSpans().of(call).get(problem.attribute, site.span)
    return site.span


def _residue(inference: Inference, site: Site) -> Residue:
    limit = inference.limit_of(site)
    if not isinstance(site, RelationSite):
        return Residue(site.relation_name, (), (), site.span, limit)
    solution = site.solution
    if solution is not None and solution.leaves_rows_open:
        driver = inference.driver
        solution = solve_site(driver.rules, site.relation, site.key, site.attrs, driver.defaults, MAX_ALTERNATIVES)
    answers = () if solution is None else solution.answers[:MAX_ALTERNATIVES]
    alternatives = tuple(tuple(map(show_type, answer.terms)) for answer in answers)
    arguments = tuple(map(show_type, site.key))
    return Residue(site.relation.name, arguments, alternatives, site.span, limit)
