"""A result of which only the verdict, the types of functions and the calls are known yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..infer.results.result import CallType, Result

__all__ = ["Later"]


class Later(Result):
    """A result as it is known after an edit; the rest is worked out, by a whole inference, when it is asked for.

    `known` are fields of `Result` that are known; `calls` lists the calls, or says None if it cannot any more.
    """

    def __init__(
        self,
        whole: Callable[[], Result],
        known: dict[str, Any],
        calls: Callable[[], list[CallType] | None] | None = None,
    ) -> None:
        self._whole = whole
        self._list_calls = calls
        vars(self).update(known)

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there yet.
        if name.startswith("__") or "_whole" not in vars(self):
            raise AttributeError(name)
        if name == "calls" and self._list_calls is not None:
            calls = self._list_calls()
            if calls is not None:
                self.calls = calls
                return calls
        for field, value in vars(self._whole()).items():
            vars(self).setdefault(field, value)
        return object.__getattribute__(self, name)

    @classmethod
    def _of_parts(cls, parts: tuple[Any, ...]) -> Result:
        return Result._of_parts(parts)
