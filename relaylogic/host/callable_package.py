"""Packages that are called like the function they are named for: `relaylogic.infer(...)`, a package.

Python sets `relaylogic.infer` to the package as soon as anything in it is imported, so a function of that name could
not be relied on.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from .once import once

__all__ = ["make_callable"]


def make_callable(package: str, module: str, function: str) -> None:
    """Let calls of a package be calls of a function of a module, which is imported then."""

    @once
    def called() -> Callable[..., Any]:
        return getattr(import_module(module), function)  # type: ignore[no-any-return]

    class CallablePackage(ModuleType):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            return called()(*arguments, **options)

        def __reduce__(self) -> Any:
            return (import_module, (package,))

        @property
        def __signature__(self) -> inspect.Signature:
            return inspect.signature(called())

        @property
        def __doc__(self) -> str | None:  # type: ignore[override]
            return called().__doc__

        @property
        def __wrapped__(self) -> Callable[..., Any]:
            return called()

    sys.modules[package].__class__ = CallablePackage
