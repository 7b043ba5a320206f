"""Inference of whole programs: every function of a module."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any
from weakref import proxy

from ..host.governor import spend
from ..host.uncollected import uncollected
from ..ir import Function, GlobalVar, IRModule, free_beside, post_order
from ..ir import Var as LocalVar
from ..ir.short import callee_name
from ..logic.control import KEPT
from ..logic.terms.terms import Term, is_ground
from ..logic.terms.variables import VARIABLES
from ..rulebase import RuleBase
from ..types import FuncType, IncompleteType, TypeVar
from .checks.kinds import SIZES
from .components import components, is_prerequisite, mentions
from .generate import Generator
from .inferred import Inferred
from .open.beliefs import Beliefs, News
from .open.declared import with_demands
from .open.generalise import generalise, says_nothing_of_open
from .open.local import settle_local
from .open.open_calls import settle_calls
from .sites.demands import EqualSite
from .sites.driver import Driver
from .sites.matching import Inexact, Matching
from .sites.places import tail
from .sites.relaxation import Relaxation
from .sites.site import Site

if TYPE_CHECKING:
    from .results.recording import Recording
    from .sites.assumed import Assuming

__all__ = ["Inference"]

MOST_PASSES = 5
"""So often a program is inferred again because a function demands more than was believed where it calls itself."""


class Inference(Inferred):
    """The inference of one module: the driver with its store and sites, and the types of all expressions.

    `begun` is given the inference before anything is inferred, for whoever wants what is `finished` should a limit stop
    it; `recording` writes down how it goes. `known` are the types of functions that the module mentions and does not
    hold, if it is a part of one that was inferred before. With `matching`, what is known is not unified where that
    makes no difference (`relaylogic.infer.sites.matching`), and has no sites. If it is `monomorphic`, no function is
    generalised but those that are `polymorphic`, by identity.
    After construction, everything that follows from the program is in the store, and nothing is generalised that is
    still to be decided by somebody (`relaylogic.typings` branches on what waits).
    """

    def __init__(
        self,
        module: IRModule,
        rules: RuleBase | None = None,
        closed: bool = False,
        monomorphic: bool = False,
        defaults: str = KEPT,
        progress: Callable[[int, int], None] | None = None,
        relaxation: Relaxation | None = None,
        assuming: Assuming | None = None,
        begun: Callable[[Inference], None] | None = None,
        recording: Recording | None = None,
        known: Mapping[GlobalVar, Any] | None = None,
        matching: bool = False,
        polymorphic: Collection[int] = (),
    ) -> None:
        self.module = module
        self.closed = closed
        self.monomorphic = monomorphic
        self._polymorphic = polymorphic
        self._relaxation = relaxation
        self.holes = {} if relaxation is None else relaxation.holes
        self._fixed = [] if relaxation is None or relaxation.omitted else [*self.holes.values()]
        self._mentions = None if relaxation is None else relaxation.mentions  # found out if it matters
        self._generic: dict[int, Any] = {}  # by the number of parameters
        self._free: dict[int, list[Any]] = {}  # the variables that are free in local functions: some stand in others
        self._progress = progress
        driver = Driver if recording is None else recording.driver
        own = proxy(self)

        def generalised(*given: Any) -> Any:
            """`_generalised_let` without a cycle: of many what-if inferences, each goes when nobody has it any more."""
            return own._generalised_let(*given)

        def begin(believed: Mapping[int, Any]) -> None:
            self.finished: list[GlobalVar] = []
            self.open_functions = set()
            self.told_by_callers: set[GlobalVar] = set()  # of which an attribute was open when they had been inferred
            self.globals: dict[GlobalVar, Any] = {} if known is None else dict(known)
            self.driver = driver(
                rules, relaxation, module=module, defaults=defaults, assuming=assuming, from_the_end=from_the_end
            )
            self.driver.match(Matching(module, self.driver.rules.computed) if matching else None)
            self.generator = Generator(module, self.driver, self.globals, generalised, self.holes, Beliefs(believed))

        from_the_end: set[int] = set()
        begin({})
        if relaxation is None:  # those who ask what-if questions ask many, and what nobody else asks
            self.driver.rules.begin()
        if begun is not None:
            begun(self)
        try:
            self._infer_all(begin, imports=known is None)
        except Inexact:
            matching = False
            begin({})
            self._infer_all(begin, imports=known is None)
        while several := self.driver.axes.of_several_ranks(self.driver.store.reify):
            from_the_end |= several
            matching = False
            begin({})
            self._infer_all(begin, imports=known is None)
        self.driver.match(None)
        if relaxation is None:
            self.driver.rules.keep()

    def _infer_all(self, begin: Callable[[Mapping[int, Any]], None], imports: bool) -> None:
        """Infer all functions; once more from the beginning as long as one demands more than was believed."""
        self._infer(imports)
        beliefs = self.generator.beliefs
        remembered = None if self._relaxation is None else self._relaxation.remembered
        if beliefs.news and remembered is not None and remembered.is_used:  # types within functions are looked at then
            remembered.end()
            begin({})
            self._infer(imports)
            beliefs = self.generator.beliefs
        for _ in range(MOST_PASSES):
            if not beliefs.news or self._descends(beliefs):
                return
            begin(beliefs.revised())
            self._infer(imports)
            beliefs = self.generator.beliefs
        for news in beliefs.news:
            self.driver.give_up(Site(news.function, news.owner), "attempt limit")

    def _descends(self, beliefs: Beliefs) -> bool:
        """Refuse the calls by which functions call themselves at ever smaller extents; whether there is one."""
        from .open.descent import descending_calls  # few programs need it

        found = False
        functions = self.module.functions.items()
        others = [
            News(v, f, v.name_hint, self.globals[v]) for v, f in functions if type(self.globals.get(v)) is FuncType
        ]
        for call, owner in descending_calls(beliefs.news, others, self.type_of, self.driver):
            found = True
            message = f"at whatever extents `{callee_name(call)}` is called, it is called again with less here"
            self.driver.refuse(Site(call, owner), f"no extents satisfy this call: {message}")
        return found

    def _infer(self, imports: bool) -> None:
        """Infer all functions, as far as is believed of those that call themselves."""
        module, progress = self.module, self._progress
        if imports:
            for imported in module.imports.values():
                self._import(imported)
            if module.type_definitions:
                self.generator.definitions()
        functions = module.functions if self._relaxation is None else self._looked_into(self._relaxation)
        declared = self._declared(module)
        groups = components(functions, declared)
        self.globals.update(declared)
        with uncollected():
            for done, group in enumerate(groups):
                if progress is not None:
                    progress(done, len(groups))
                self._infer_group(module, group)
                self.finished += group
            self._run()

    def _import(self, imported: IRModule) -> None:
        """Functions of an imported module: by their annotations, or inferred if those do not say all.

        The modules that there are to be imported demand nothing of types and dtypes that they are declared for.
        """
        for inner in imported.imports.values():
            self._import(inner)
        self.globals.update(self._declared(imported))
        known = (self.globals.get(variable) for variable in imported.functions)
        if all(type_ is not None and SIZES.isdisjoint(p.kind for p in type_.type_params) for type_ in known):
            return
        for group in components(imported.functions):
            if any(is_prerequisite(self.globals.get(variable)) for variable in group):
                self._infer_group(imported, group)

    def _declared(self, module: IRModule) -> dict[GlobalVar, Any]:
        """What functions declare, which is known to all, whichever comes first."""
        declared = ((v, self.generator.declared(f)) for v, f in module.functions.items() if f.ret_type is not None)
        return {variable: known for variable, known in declared if known is not None}

    def _infer_group(self, module: IRModule, group: list[GlobalVar]) -> None:
        generator, driver = self.generator, self.driver
        driver.names_within.clear()
        for variable in group:
            if variable not in self.globals:
                self.globals[variable] = IncompleteType()
        relaxation = driver.relaxation
        if relaxation is not None and all(
            not relaxation.looks_into(v.name_hint) and type(self.globals[v]) not in VARIABLES for v in group
        ):
            return
        remembered = None
        if relaxation is not None and relaxation.remembered is not None and generator.beliefs.are_first:
            remembered = relaxation.remembered
            taken = remembered.take(group, self.globals)
            if taken is not None:
                for variable, scheme in zip(group, taken[0], strict=True):
                    self.globals[variable] = generator.types[id(module.functions[variable])] = scheme
                generator.used |= taken[1]
                return
        driver.begun = len(driver.sites)
        used, generator.used = generator.used, set()
        found = [generator.function(variable.name_hint, module.functions[variable]) for variable in group]
        own, generator.used = generator.used, used | generator.used
        for variable, type_ in zip(group, found, strict=True):  # each may ask for those before it, too
            function, assumed = module.functions[variable], self.globals[variable]
            if type(assumed) in VARIABLES:
                if driver.records or variable in generator.met:
                    where = f"`@{variable.name_hint}`"
                    believed = generator.believed(function, type_)
                    driver.add(EqualSite(believed, assumed, where, function, variable.name_hint))
                else:
                    spend()  # nobody has asked for it: it is a step, and no site
        self._run()
        if driver.scopes:
            driver.check_scopes()
        # Of most networks all is known, and there are no type parameters.
        known = len(found) == 1 and type(found[0]) is FuncType and found[0].ground and not found[0].type_params
        # What a function that is refused leaves open tells nobody anything if nobody calls it; nor if nothing is said
        # of it: there are types for that.
        left_out = relaxation is not None and bool(
            driver.failed or not relaxation.uncalled or (relaxation.refutes and says_nothing_of_open(driver, found))
        )
        is_monomorphic = self._is_monomorphic(*[module.functions[variable] for variable in group])
        if known or is_monomorphic or (left_out and not self._called(group)):
            schemes = found
        else:
            schemes, was_open = generalise(driver, found, [*self._fixed, *self._unknown()])
            if was_open:
                self.open_functions.update(v.name_hint for v in group)
        for variable, scheme in zip(group, schemes, strict=True):
            function, name = module.functions[variable], variable.name_hint
            if not known:
                scheme = with_demands(driver, scheme, function, name, driver.sites[driver.begun :], self.type_of)
                if not is_ground(scheme):
                    self.told_by_callers.add(variable)
            if function.type_params and variable in generator.used:
                generator.beliefs.compare(variable, function, name, scheme)
            self.globals[variable] = generator.types[id(function)] = scheme
            if variable in generator.met:
                generator.settle(variable, scheme)
        if driver.waiting and not (self.monomorphic or left_out) and (relaxation is None or relaxation.settles):
            fixed = [*self._fixed, *self._unknown(), *(t for t in self.globals.values() if not is_ground(t))]
            settle_local(driver, [v.name_hint for v in group], fixed)
        if driver.assuming is not None:
            driver.assuming.finish(group)
        if remembered is not None and driver.leaves_nothing and generator.beliefs.are_first:
            remembered.keep(group, self.globals, own)

    def _is_monomorphic(self, *functions: Function) -> bool:
        """Whether functions that are inferred together are of one type, wherever they are used."""
        return self.monomorphic and all(id(function) not in self._polymorphic for function in functions)

    def _looked_into(self, relaxation: Relaxation) -> Mapping[GlobalVar, Function]:
        """The functions but those of which nothing is said: these have the type that says nothing."""
        if relaxation.live is None or self.monomorphic:
            return self.module.functions
        found = {}
        for variable, function in self.module.functions.items():
            is_bound = bool(function.type_params or function.type_constraints)
            if is_bound or id(function) in relaxation.live or not relaxation.is_dead(tail(function.body)[0]):
                found[variable] = function
            else:
                scheme = self._anything(len(function.params))
                self.globals[variable] = self.generator.types[id(function)] = scheme
        return found

    def _anything(self, arity: int) -> Any:
        """The type of a function of which only the number of its parameters is known."""
        scheme = self._generic.get(arity)
        if scheme is None:
            parameters = tuple([TypeVar(f"t{i + 1}") for i in range(arity + 1)])
            scheme = self._generic[arity] = FuncType(parameters[:-1], parameters[-1], parameters, ())
        return scheme

    def _run(self, final: bool = True) -> None:
        """Conclude what follows, and what follows from the results that refused sites are assumed to have."""
        driver = self.driver
        driver.run(final)
        while driver.assuming is not None and driver.assuming.assume(driver, final):
            driver.run(final)

    def _unknown(self) -> list[Any]:
        """What is not known of assumed results."""
        return [] if self.driver.assuming is None else self.driver.assuming.unknown

    def _called(self, group: list[GlobalVar]) -> bool:
        """Whether another function mentions one of the group."""
        if len(group) == len(self.module.functions):
            return False
        if self._mentions is None:
            self._mentions = mentions((v, post_order(function)) for v, function in self.module.functions.items())
        return any(not self._mentions.get(variable, set()).issubset(group) for variable in group)

    def _generalised_let(self, generator: Generator, value: Function, known: Any, bound: LocalVar | None) -> Any:
        """The type of a function that is `bound` by a let: generalised, unless closed types are wanted, as TVM does.

        Of one that is left out, nothing is `known` (None): whatever it is, every use may be at a type of its own.
        """
        relaxation = self.driver.relaxation
        is_open = not (self.closed or self._is_monomorphic(value))
        if is_open and relaxation is not None and relaxation.is_dead(value):
            return self._anything(len(value.params))
        if known is None:
            known = FuncType(tuple([IncompleteType() for _ in value.params]), IncompleteType())
        if not is_open:
            return known
        store = self.driver.store
        reified = store.reify(known)
        if isinstance(reified, Term) and reified.ground:
            if value.type_params:
                self._run(final=False)  # what its calls of itself demand is part of it
            scheme = with_demands(self.driver, reified, value, generator.owner, self.driver.sites, self.type_of)
            if scheme is not reified:
                generator.types[id(value)] = scheme
            return scheme
        self._run(final=False)
        self._free[id(value)] = free = free_beside(value, self._free)
        outside = (v for v in free if v is not bound)
        environment = [generator.types[id(v)] for v in outside if id(v) in generator.types]
        environment.extend(self._fixed)
        environment.extend(t for t in self.globals.values() if type(t) in VARIABLES)
        environment.extend(settle_calls(self.driver, known, environment))
        environment.extend(self._unknown())
        (scheme,), _ = generalise(self.driver, [known], environment, local=True)
        generator.types[id(value)] = scheme
        return scheme

    def what_if(self, relaxation: Relaxation) -> Inference:
        """This inference again, without what `relaxation` leaves out."""
        return Inference(self.module, self.driver.rules, self.closed, self.monomorphic, relaxation=relaxation)

    def going_on(self, assuming: Assuming) -> Inference:
        """This inference again, going on behind what is refused; the program must not have been written to."""
        return Inference(
            self.module, self.driver.rules, self.closed, self.monomorphic, self.driver.defaults, assuming=assuming
        )
