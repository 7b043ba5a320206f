"""Which variables a suspended goal may touch: those that its closure holds.

A `Delayed` goal names only the terms that it waits for. To tell independent parts of a problem apart, all variables it
can reach must be known.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from unification import Var

from .goals import Step
from .terms import Term

__all__ = ["captured"]

_PLAIN = (int, str, float, bytes, type(None), type, ModuleType, BuiltinFunctionType)


def captured(goal: Any) -> list[Any] | None:
    """The variables that a goal holds, directly or in what it closes over; None if that cannot be told."""
    found: dict[Any, None] = {}
    seen: set[int] = set()
    stack = [goal]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Var:
            found[item] = None
            continue
        if isinstance(item, _PLAIN) or id(item) in seen:
            continue
        seen.add(id(item))
        if kind in (tuple, list, set, frozenset):
            stack.extend(item)
        elif kind is dict:
            stack.extend(item.values())
        elif isinstance(item, Term):
            if not item.ground:
                stack.extend(item.args)
        elif kind is FunctionType:
            stack.extend(cell.cell_contents for cell in item.__closure__ or () if _filled(cell))
            stack.extend(item.__defaults__ or ())
            stack.extend((item.__kwdefaults__ or {}).values())
        elif kind is MethodType:
            stack.extend((item.__self__, item.__func__))
        elif isinstance(item, Step) or hasattr(kind, "propagate") or kind.__module__.startswith("relaylogic.logic"):
            stack.extend(getattr(item, name) for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
        elif hasattr(item, "clauses") or kind.__name__ in ("Attrs", "Clause", "Syntax", "Scope"):
            continue
        else:
            return None
    return list(found)


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
