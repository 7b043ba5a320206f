"""Inference of whole programs: every function of a module, or one call on its own."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from unification import Var

from ..explain.refusal import explain_refusal
from ..ir import Call, Function, GlobalVar, IRModule, Op, free_vars, post_order
from ..ir import Var as LocalVar
from ..logic.terms import Slot, Term
from ..rulebase import RuleBase, default_rules
from ..types import IncompleteType, show_type
from .components import components
from .driver import Driver, callee_name
from .generalise import generalise
from .generate import Generator, declared_type
from .relaxation import Relaxation
from .result import CallType, Problem, Residue, Result
from .sites import EqualSite, RelationSite, Site

__all__ = ["Inference", "infer_call", "infer_module"]

MAX_ALTERNATIVES = 8


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the cyclic garbage collector: inference makes no cycles, and many objects that live as long as it does."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Inference:
    """The inference of one module: the driver with its store and sites, and the types of all expressions.

    After construction, everything that follows from the program is in the store, and nothing is generalised that is
    still to be decided by somebody (`relaylogic.typings` branches on what waits).
    """

    def __init__(
        self,
        module: IRModule,
        rules: RuleBase | None = None,
        closed: bool = False,
        monomorphic: bool = False,
        progress: Callable[[int, int], None] | None = None,
        relaxation: Relaxation | None = None,
    ) -> None:
        self.module = module
        self.closed = closed
        self.monomorphic = monomorphic
        self.driver = Driver(rules or default_rules(), relaxation)
        self.holes = {} if relaxation is None else relaxation.holes
        self.globals: dict[GlobalVar, Any] = {}
        self.open_functions: set[str] = set()
        self.generator = Generator(module, self.driver, self.globals, self._generalised_let, self.holes)
        for imported in module.imports.values():
            self._import(imported)
        self.generator.definitions()
        groups = components(module)
        with _uncollected():
            for done, group in enumerate(groups):
                if progress is not None:
                    progress(done, len(groups))
                self._infer_group(module, group)
            self.driver.run()

    def _import(self, imported: IRModule) -> None:
        """Functions of an imported module: by their annotations, or inferred if those do not say all."""
        for inner in imported.imports.values():
            self._import(inner)
        for group in components(imported):
            if all(declared_type(imported.functions[v]) is not None for v in group):
                for variable in group:
                    self.globals[variable] = declared_type(imported.functions[variable])
            else:
                self._infer_group(imported, group)

    def _infer_group(self, module: IRModule, group: list[GlobalVar]) -> None:
        generator, driver = self.generator, self.driver
        for variable in group:
            self.globals[variable] = declared_type(module.functions[variable], self.holes) or IncompleteType()
        # What later groups declare is known to all.
        for variable, function in module.functions.items():
            if variable not in self.globals:
                declared = declared_type(function, self.holes)
                if declared is not None:
                    self.globals[variable] = declared
        relaxation = driver.relaxation
        if relaxation is not None and all(
            not relaxation.looks_into(v.name_hint) and type(self.globals[v]) is not Var for v in group
        ):
            return
        found = []
        for variable in group:
            type_ = generator.function(variable.name_hint, module.functions[variable])
            assumed = self.globals[variable]
            if type(assumed) is Var:
                where = f"`@{variable.name_hint}`"
                driver.add(EqualSite(type_, assumed, where, module.functions[variable], variable.name_hint))
            found.append(type_)
        driver.run()
        if self.monomorphic or (relaxation is not None and not self._called(group)):
            schemes = found
        else:
            schemes, was_open = generalise(driver, found, self.holes.values())
            if was_open:
                self.open_functions.update(v.name_hint for v in group)
        for variable, scheme in zip(group, schemes, strict=True):
            self.globals[variable] = scheme

    def _called(self, group: list[GlobalVar]) -> bool:
        """Whether another function mentions one of the group."""
        others = (f for v, f in self.module.functions.items() if v not in group)
        return any(type(n) is GlobalVar and n in group for f in others for n in post_order(f))

    def _generalised_let(self, generator: Generator, value: Function, known: Any) -> Any:
        """The type of a let-bound function: generalised, unless closed types are wanted, as TVM does."""
        if self.closed or self.monomorphic:
            return known
        store = self.driver.store
        reified = store.reify(known)
        if isinstance(reified, Term) and reified.ground:
            return known
        self.driver.run(final=False)
        environment = [generator.types[id(v)] for v in free_vars(value) if id(v) in generator.types]
        environment.extend(self.holes.values())
        (scheme,), _ = generalise(self.driver, [known], environment)
        return scheme

    def type_of(self, expr: Any) -> Any:
        """The type of an expression as far as it is known, or None if the module does not hold it."""
        known = self.generator.types.get(id(expr))
        return None if known is None else self.driver.store.reify(known)

    def result(self) -> Result:
        """The verdict and everything that was found."""
        from ..explain.blame import blamed  # it infers in turn

        driver, module = self.driver, self.module
        functions = {v.name_hint: driver.store.reify(self.globals[v]) for v in module.functions}
        calls = []
        for variable, function in module.functions.items():
            for node in post_order(function):
                if type(node) is Call:
                    calls.append(CallType(variable.name_hint, callee_name(node), self.type_of(node), node.span))
        own = {"", *(v.name_hint for v in module.functions)}
        failed = [site for site in driver.failed if site.owner in own]
        failed.sort(key=lambda site: site.span.start if site.span is not None else -1)
        problems = [(site, self._problem(site)) for site in failed]
        errors = [problem for _, problem in problems]
        if any(site.state == "refused" for site in failed) and driver.relaxation is None:
            errors = blamed(self, {s.identity: p for s, p in problems}, self._what_if) + errors
        residue = [self._residue(site) for site in driver.waiting]
        return Result(
            self._verdict(errors, residue, functions),
            functions,
            calls,
            errors,
            residue,
            self.generator.warnings,
            module,
            self.type_of,
        )

    def _what_if(self, relaxation: Relaxation) -> Inference:
        """This inference again, without what `relaxation` leaves out."""
        return Inference(self.module, self.driver.rules, self.closed, self.monomorphic, relaxation=relaxation)

    def _verdict(self, errors: list[Problem], residue: list[Residue], functions: Mapping[str, Any]) -> str:
        if errors:
            return "refuted"
        if any(item.limit for item in residue):
            return "unknown"
        if residue or (self.closed and (self.open_functions or self._open_expressions())):
            return "incomplete"
        return "typed"

    def _open_expressions(self) -> bool:
        reify = self.driver.store.reify
        return any(
            not getattr(known, "ground", False) and not getattr(reify(known), "ground", False)
            for known in self.generator.types.values()
        )

    def _problem(self, site: Site) -> Problem:
        assert site.error is not None
        if not isinstance(site, RelationSite) or site.error.message:
            return Problem(
                site.error.message,
                site.span,
                site.relation_name if site.state != "malformed" else "",
                "",
                site.owner,
                (),
                site.state == "malformed",
            )
        driver = self.driver
        key = site.key
        reason = explain_refusal(driver.rules, site.relation, key, site.attrs)
        name = site.callee or site.relation.name
        message = f"`{name}` refuses ({', '.join(map(show_type, key[:-1]))})"
        if type(key[-1]) is not Slot:
            message += f" -> {show_type(key[-1])}"
        where = f"{site.relation.name}, clause {reason.clause}" if reason.clause else site.relation.name
        message += f": {reason.premise} [{where}]"
        return Problem(message, site.span, site.relation.name, reason.clause, site.owner, reason.hints)

    def _residue(self, site: Site) -> Residue:
        driver = self.driver
        if isinstance(site, RelationSite):
            arguments = tuple(driver.show(a) for a in site.arguments)
            solution = site.solution
            answers = () if solution is None else solution.answers[:MAX_ALTERNATIVES]
            alternatives = tuple(tuple(show_type(t) for t in answer.terms) for answer in answers)
            limit = "" if solution is None or solution.exhausted else solution.limit
            limit = "step limit" if limit == "step limit" else ""
            limit = driver.exhausted.get(site, limit)
            return Residue(site.relation.name, arguments, alternatives, site.span, limit)
        return Residue(site.relation_name, (), (), site.span, driver.exhausted.get(site, ""))


def infer_module(
    module: IRModule,
    rules: RuleBase | None = None,
    closed: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """The types of a program. With `closed`, what no annotation determines makes the verdict incomplete.

    `progress` is told now and then how many groups of functions are done, and of how many.
    """
    return Inference(module, rules, closed, progress=progress).result()


def infer_call(
    op: str, arguments: Sequence[Any], attrs: Mapping[str, Any] | None, rules: RuleBase | None = None
) -> Result:
    """The type of one call of an operator on arguments of the given types; variables in them are holes.

    The result's one function `main` takes the arguments as parameters; what stays open there is not generalised.
    """
    params = [LocalVar(f"p{i}", argument) for i, argument in enumerate(arguments)]
    call = Call(Op(op), params, None if attrs is None else dict(attrs))
    module = IRModule()
    module.add("main", Function(params, call))
    return Inference(module, rules, closed=True, monomorphic=True).result()
