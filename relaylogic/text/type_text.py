"""Types as text that reads back: `str(type)`, with type parameters told apart where two of them have one name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from ..types import TypeVar, show_type
from ..types.substitution import substitute

__all__ = ["TypeNames", "parameters_text", "type_text"]


def type_text(term: Any) -> str:
    """A type as text; a hole is `_`."""
    return show_type(term)


def parameters_text(parameters: Iterable[Any]) -> str:
    """`[A, n: ShapeVar]`, or nothing if there are none."""
    texts = [p.name_hint if p.kind == "Type" else f"{p.name_hint}: {p.kind}" for p in parameters]
    return f"[{', '.join(texts)}]" if texts else ""


class TypeNames:
    """Names for the type parameters that some functions bind: the one that each has, if no other has it too.

    In a function within a function, a second parameter of a name would hide the first.
    """

    def __init__(self, parameters: Iterable[Any]) -> None:
        self._renamed: dict[Any, Any] = {}
        listed = list(dict.fromkeys(parameters))
        taken = {parameter.name_hint for parameter in listed}
        met: set[str] = set()
        for parameter in listed:
            name = parameter.name_hint
            if name in met:
                name = next(n for n in (f"{parameter.name_hint}{i}" for i in count(1)) if n not in taken)
                self._renamed[parameter] = TypeVar(name, parameter.kind)
                taken.add(name)
            met.add(name)

    def told_apart(self, term: Any) -> Any:
        """A type, or a list of them, in which every type parameter has a name of its own."""
        return substitute(term, self._renamed, [])
