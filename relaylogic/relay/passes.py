"""Passes over modules and their composition: as much of `tvm.transform` as type inference needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir import IRModule

__all__ = ["ModulePass", "Pass", "PassContext", "Sequential", "module_pass"]


class PassContext:
    """What passes are run with: `with PassContext(opt_level=3): ...`. Inference depends on none of it."""

    _open: list[PassContext] = []

    def __init__(
        self,
        opt_level: int = 2,
        required_pass: Sequence[str] | None = None,
        disabled_pass: Sequence[str] | None = None,
        instruments: Sequence[Any] | None = None,
        config: dict[str, Any] | None = None,
    ) -> None:
        self.opt_level = opt_level
        self.required_pass = list(required_pass or ())
        self.disabled_pass = list(disabled_pass or ())
        self.instruments = list(instruments or ())
        self.config = dict(config or {})

    def __enter__(self) -> PassContext:
        PassContext._open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        PassContext._open.pop()

    @staticmethod
    def current() -> PassContext:
        """The innermost context that is open, or one of defaults."""
        return PassContext._open[-1] if PassContext._open else PassContext()


class Pass:
    """A function from modules to modules with a name."""

    def __init__(self, run: Callable[[IRModule, Any], IRModule], name: str) -> None:
        self.run = run
        self.name = name

    def __call__(self, mod: IRModule) -> IRModule:
        """The transformed module; passes that the context disables return the given one."""
        context = PassContext.current()
        return mod if self.name in context.disabled_pass else self.run(mod, context)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"


class ModulePass(Pass):
    """A pass over whole modules."""


class Sequential(Pass):
    """Passes one after the other."""

    def __init__(self, passes: Sequence[Pass], opt_level: int = 2, name: str = "sequential") -> None:
        self.passes = list(passes)
        self.opt_level = opt_level
        super().__init__(self._run_all, name)

    def _run_all(self, mod: IRModule, context: Any) -> IRModule:
        for item in self.passes:
            mod = item(mod)
        return mod


def module_pass(opt_level: int = 2, name: str = "", **_: Any) -> Callable[[Callable[..., IRModule]], ModulePass]:
    """Decorator: a pass of a function of a module and a context."""

    def decorate(run: Callable[..., IRModule]) -> ModulePass:
        return ModulePass(run, name or run.__name__)

    return decorate
