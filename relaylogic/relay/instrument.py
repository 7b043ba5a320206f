"""Who watches passes: objects with some of the methods of `PassInstrument`, for `PassContext(instruments=[...])`.

As `tvm.instrument` documents them. An instrument whose method raises ends what runs; if that is where a context begins
or ends, the context has no instruments any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import no_list, said

if TYPE_CHECKING:
    from ..ir import IRModule
    from .pass_info import PassInfo

__all__ = ["Instruments", "PassInstrument", "pass_instrument"]


class PassInstrument:
    """An instrument that does nothing: to be derived from, or imitated."""

    @property
    def name(self) -> str:
        """What it is called: its class."""
        return type(self).__name__

    def enter_pass_ctx(self) -> None:
        """Called when a context begins."""

    def exit_pass_ctx(self) -> None:
        """Called when a context ends."""

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        """Whether a pass is to run: it does if all instruments say so, or if the context requires it."""
        return True

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        """Called before a pass runs."""

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        """Called with what a pass has given."""


_METHODS = ("enter_pass_ctx", "exit_pass_ctx", "should_run", "run_before_pass", "run_after_pass")


def pass_instrument(given: type[Any]) -> type[Any]:
    """Decorator of a class: its objects are instruments. Raises TypeError if it has no method of one."""
    if not isinstance(given, type):
        raise TypeError(f"an instrument is a class with methods, which {said(given)} is not")
    _checked(given)
    return given


def _checked(given: Any) -> Any:
    if not any(callable(getattr(given, method, None)) for method in _METHODS):
        raise TypeError(f"an instrument has methods such as `run_before_pass`, of which {said(given)} has none")
    return given


class Instruments:
    """The instruments of one context."""

    def __init__(self, given: Any) -> None:
        try:
            items = list(given or ())
        except TypeError:
            raise no_list("instruments", given) from None
        self.items: list[Any] = [_checked(item) for item in items]

    def _methods(self, name: str) -> list[tuple[Any, Callable[..., Any]]]:
        found = ((item, getattr(item, name, None)) for item in self.items)
        return [(item, method) for item, method in found if callable(method)]

    def enter(self) -> None:
        """The context begins. If an instrument raises, those before it leave again, and there are none any more."""
        entered: list[Any] = []
        try:
            for item, method in self._methods("enter_pass_ctx"):
                method()
                entered.append(item)
        except Exception:
            self.items = entered
            self.exit()
            self.items = []
            raise

    def exit(self) -> None:
        """The context ends. If an instrument raises, there are none any more."""
        try:
            for _, method in self._methods("exit_pass_ctx"):
                method()
        except Exception:
            self.items = []
            raise

    def before(self, mod: IRModule, info: PassInfo, required: bool) -> bool:
        """Whether a pass runs; if so, they are told. All are asked."""
        asked = [] if required else [bool(method(mod, info)) for _, method in self._methods("should_run")]
        if not all(asked):
            return False
        for _, method in self._methods("run_before_pass"):
            method(mod, info)
        return True

    def after(self, mod: IRModule, info: PassInfo) -> None:
        """A pass has given a module."""
        for _, method in self._methods("run_after_pass"):
            method(mod, info)
