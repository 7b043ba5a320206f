"""Passes over modules and their composition: as much of `tvm.transform` as type inference needs.

A pass says in its `PassInfo` what it is called, from which optimisation level on it runs, and which passes it requires.
What it requires runs before it: passes by their names, which are those of the passes beside it in a `Sequential`, then
those of `PASSES`; or passes themselves. Each runs once for a module: again only if a pass behind it has given another
module, or has changed that one.

`Sequential` leaves out passes that the context disables, or whose level is higher than the context's; as in TVM, what
is called by itself or required runs always.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..errors import RelayLogicError, said
from ..ir import Function, IRModule
from .inferring import with_types
from .instrument import Instruments
from .pass_info import PassInfo, listed

__all__ = [
    "FunctionPass",
    "ModulePass",
    "Pass",
    "PassContext",
    "PassError",
    "PassInfo",
    "PrintIR",
    "Sequential",
    "function_pass",
    "module_pass",
]


class PassError(RelayLogicError, ValueError):
    """A pass that requires one that there is not, or itself; one that gives no module."""


class PassContext:
    """What passes are run with: `with PassContext(opt_level=3): ...`. Inference depends on none of it.

    It is open for the thread, or the asynchronous task, that opened it. Its `instruments` are told of each pass.
    """

    def __init__(
        self,
        opt_level: int = 2,
        required_pass: Iterable[str] | None = None,
        disabled_pass: Iterable[str] | None = None,
        instruments: Sequence[Any] | None = None,
        config: dict[str, Any] | None = None,
    ) -> None:
        self.opt_level = opt_level
        self.required_pass = listed(required_pass, "the required passes")
        self.disabled_pass = listed(disabled_pass, "the disabled passes")
        self._instruments = Instruments(instruments)
        self.config = dict(config or {})

    @property
    def instruments(self) -> list[Any]:
        """Who watches the passes (`relaylogic.relay.instrument`)."""
        return self._instruments.items

    def override_instruments(self, instruments: Sequence[Any] | None) -> None:
        """Let others watch from now on."""
        self._instruments.exit()
        self._instruments = Instruments(instruments)
        self._instruments.enter()

    def __enter__(self) -> PassContext:
        self._instruments.enter()
        _open.set((*_open.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _open.set(_open.get()[:-1])
        self._instruments.exit()

    @staticmethod
    def current() -> PassContext:
        """The innermost context that is open, or one of defaults."""
        opened = _open.get()
        return opened[-1] if opened else PassContext()

    def pass_enabled(self, info: PassInfo) -> bool:
        """Whether a `Sequential` runs a pass: never if it is disabled, always if it is required, else by its level."""
        if info.name in self.disabled_pass:
            return False
        return info.name in self.required_pass or self.opt_level >= info.opt_level


_open: ContextVar[tuple[PassContext, ...]] = ContextVar("relaylogic_pass_contexts", default=())


class Pass:
    """A function of a module and a context that gives a module, with what is known of it."""

    kind = "Pass"

    def __init__(self, run: Callable[..., Any], info: PassInfo) -> None:
        if not callable(run) or not isinstance(info, PassInfo):
            raise TypeError(f"a pass is a function and its PassInfo, which {said(run)} and {said(info)} are not")
        self.function: Callable[..., Any] = run
        self._info = info

    @property
    def info(self) -> PassInfo:
        """The name, the level and the requirements."""
        return self._info

    @property
    def name(self) -> str:
        """The name."""
        return self._info.name

    def __call__(self, mod: IRModule, ctx: PassContext | None = None) -> IRModule:
        """The transformed module; what the pass requires runs before. Raises PassError, and what the pass raises."""
        return self.in_run(mod, _Run(PassContext.current() if ctx is None else ctx))

    def in_run(self, mod: IRModule, run: _Run) -> IRModule:
        """The module that this pass makes of one as a part of a run of several."""
        if not isinstance(mod, IRModule):
            raise PassError(f"the pass `{self.name}` runs on an IRModule, which {said(mod)} is not")
        mod = run.prepared(self, mod)
        return run.ran(self, mod)

    def _transformed(self, mod: IRModule, run: _Run) -> IRModule:
        return self.function(mod, run.context)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"Run {self.kind} pass: {self.name} at the optimization level {self._info.opt_level}"


class ModulePass(Pass):
    """A pass over whole modules."""

    kind = "Module"


class FunctionPass(Pass):
    """A pass over the functions of a module, one by one: a function of a function, the module and the context.

    Functions that say so (the attributes `SkipOptimization`, `Compiler` or `ExternalSymbol`) are left as they are.
    The types of the new module are inferred, as TVM does.
    """

    kind = "Function"

    def _transformed(self, mod: IRModule, run: _Run) -> IRModule:
        made, changed = mod.shallow_copy(), {}
        for variable, function in mod.functions.items():
            if not _LEFT_ALONE.isdisjoint(function.attrs or ()):
                continue
            found = self.function(function, made, run.context)
            if not isinstance(found, Function):
                raise PassError(f"the pass `{self.name}` gives {said(found)} for `@{variable.name_hint}`, no Function")
            changed[variable] = found
        made.functions.update(changed)
        return with_types(made)


def InferType() -> ModulePass:
    """The pass that infers all types of a module.

    It returns another module with the same definitions; its `result` is the `Result` of inference, and its expressions
    (which are those of the given module) have a `checked_type` from now on. Raises TypeInferenceError if the program is
    refuted, LimitReached.
    """
    return ModulePass(with_types, PassInfo(0, "InferType"))


def AnnotateSpans() -> ModulePass:
    """The pass that gives all expressions a place in a text.

    Refusals find their place in the printed program by themselves here, so the module is returned as it is.
    """
    return ModulePass(_as_it_is, PassInfo(0, "AnnotateSpans"))


def _as_it_is(module: IRModule, context: Any) -> IRModule:
    return module


def PrintIR(header: str = "", show_meta_data: bool = False) -> ModulePass:
    """The pass that prints the text of a module on standard error, and changes nothing."""

    def printed(mod: IRModule, context: PassContext) -> IRModule:
        print(f"PrintIR({header}):\n{mod.astext(show_meta_data)}", file=sys.stderr)
        return mod

    return ModulePass(printed, PassInfo(0, "PrintIR"))


_LEFT_ALONE = frozenset({"SkipOptimization", "Compiler", "ExternalSymbol"})


class Sequential(Pass):
    """Passes one after the other, those that the context enables."""

    kind = "Sequential"

    def __init__(
        self,
        passes: Sequence[Pass] | None = None,
        opt_level: int = 0,
        name: str = "sequential",
        required: Iterable[str | Pass] | None = None,
    ) -> None:
        self.passes: list[Pass] = listed(passes, "the passes")
        for item in self.passes:
            if not isinstance(item, Pass):
                raise TypeError(f"{said(item)} is no Pass")
        super().__init__(lambda mod, context: mod, PassInfo(opt_level, name, required))

    def _transformed(self, mod: IRModule, run: _Run) -> IRModule:
        with run.beside(self.passes):
            for item in self.passes:
                if run.context.pass_enabled(item.info) and not run.was_needed(item, mod):
                    mod = item.in_run(mod, run)
        return mod

    def __repr__(self) -> str:
        names = " ".join(item.name for item in self.passes)
        return f"{super().__repr__()}. The passes will be executed are: [{names}]"


class _Run:
    """One run of a pass, or of several: what has run, and on what."""

    def __init__(self, context: PassContext) -> None:
        self.context = context
        self._known: list[dict[str, Pass]] = []  # by name, the passes of the sequences that are open
        self._state: tuple[Any, ...] = ()
        self._held: list[Any] = []  # the functions that have run, and given the module as it is now
        self._needed: list[Pass] = []  # what ran because another pass requires it, before its turn

    @contextmanager
    def beside(self, passes: Sequence[Pass]) -> Iterator[None]:
        """The block in which the passes of a sequence are known by their names."""
        self._known.append({item.name: item for item in passes})
        yield
        self._known.pop()

    def prepared(self, wanting: Pass, mod: IRModule) -> IRModule:
        """The module after the passes that one requires, and that these require. Raises PassError."""
        # What is wanted, and the iterator over what it requires; no recursion over long chains of requirements.
        agenda: list[tuple[Pass, Any]] = [(wanting, iter(wanting.info._required))]
        while agenda:
            item, required = agenda[-1]
            wanted = next(required, None)
            if wanted is not None:
                needed = self._found(wanted, item)
                if any(needed.function is waiting.function for waiting, _ in agenda):
                    names = ", ".join(f"`{waiting.name}`" for waiting, _ in agenda)
                    raise PassError(f"the pass `{needed.name}` requires itself, by way of {names}")
                if not self._holds(needed, mod):
                    agenda.append((needed, iter(needed.info._required)))
                continue
            agenda.pop()
            if agenda and not self._holds(item, mod):
                mod = self.ran(item, mod)
                self._needed.append(item)
        return mod

    def ran(self, item: Pass, mod: IRModule) -> IRModule:
        """What a pass gives; the same module if an instrument does not let it run. Raises PassError."""
        instruments = self.context._instruments
        if not instruments.before(mod, item.info, item.name in self.context.required_pass):
            return mod
        found = item._transformed(mod, self)
        if not isinstance(found, IRModule):
            raise PassError(f"the pass `{item.name}` gives {said(found)}, which is no IRModule")
        self._has_run(item, found)
        instruments.after(found, item.info)
        return found

    def _has_run(self, item: Pass, mod: IRModule) -> None:
        """Take down that a pass gave a module."""
        state = _state_of(mod)
        if not _same(state, self._state):
            self._held.clear()
            self._state = state
        self._held.append(item.function)

    def was_needed(self, item: Pass, mod: IRModule) -> bool:
        """Whether a pass whose turn has come ran already, for another one, and its work is as it was."""
        if any(item is known for known in self._needed):
            self._needed = [known for known in self._needed if known is not item]
            return self._holds(item, mod)
        return False

    def _holds(self, item: Pass, mod: IRModule) -> bool:
        return any(item.function is held for held in self._held) and _same(_state_of(mod), self._state)

    def _found(self, wanted: str | Pass, asking: Pass) -> Pass:
        if isinstance(wanted, Pass):
            return wanted
        for known in reversed(self._known):
            if wanted in known:
                return known[wanted]
        make = PASSES.get(wanted)
        if make is None:
            known_names = ", ".join(f"`{name}`" for name in PASSES)
            raise PassError(
                f"the pass `{asking.name}` requires `{wanted}`, and there is no such pass",
                None,
                (f"the pass beside it in a Sequential, itself in `required`, or one of {known_names}",),
            )
        return make()


PASSES: dict[str, Callable[[], Pass]] = {"InferType": InferType, "AnnotateSpans": AnnotateSpans}
"""What makes the passes that others may require by name."""


def _state_of(mod: IRModule) -> tuple[Any, ...]:
    """What tells a module from another, and from itself after a change of its definitions."""
    return (mod, *mod.functions, *mod.functions.values(), *mod.type_definitions.values())


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def module_pass(
    pass_func: Any = None,
    opt_level: int = 2,
    name: str | None = None,
    required: Iterable[str | Pass] | None = None,
) -> Any:
    """Decorator: a ModulePass of a function of a module and a context, named after it.

    Of a class with a method `transform_module(self, mod, ctx)` it makes a class of passes.
    """
    return _decorated(pass_func, opt_level, name, required, ModulePass, "transform_module")


def function_pass(
    pass_func: Any = None,
    opt_level: int = 2,
    name: str | None = None,
    required: Iterable[str | Pass] | None = None,
) -> Any:
    """Decorator: a FunctionPass of a function of a function, the module and a context, named after it.

    Of a class with a method `transform_function(self, func, mod, ctx)` it makes a class of passes.
    """
    return _decorated(pass_func, opt_level, name, required, FunctionPass, "transform_function")


def _decorated(given: Any, level: int, name: str | None, required: Any, kind: type[Any], method: str) -> Any:
    def decorate(run: Any) -> Any:
        if not callable(run):
            raise TypeError(f"{said(run)} is neither a function nor a class")
        info = PassInfo(level, name or str(getattr(run, "__name__", type(run).__name__)), required)
        return _pass_class(run, info, kind, method) if inspect.isclass(run) else kind(run, info)

    return decorate if given is None else decorate(given)


def _pass_class(made_of: type[Any], info: PassInfo, kind: type[Any], method: str) -> type[Any]:
    """A class of passes that work by a method of the instances of another class."""

    def __init__(self: Any, *arguments: Any, **options: Any) -> None:
        self._instance = made_of(*arguments, **options)
        kind.__init__(self, getattr(self._instance, method), info)

    def __getattr__(self: Any, attribute: str) -> Any:
        if attribute == "_instance":
            raise AttributeError(attribute)
        return getattr(self._instance, attribute)

    fields = {"__init__": __init__, "__getattr__": __getattr__, "__doc__": made_of.__doc__}
    return type(made_of.__name__, (kind,), {**fields, "__module__": made_of.__module__})
