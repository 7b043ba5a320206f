"""The order in which functions are inferred: strongly connected components of the call graph, callees first.

(Tarjan, "Depth-first search and linear graph algorithms", 1972; with an explicit stack.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..ir import Function, GlobalVar, children
from .generate import declared_type

__all__ = ["components", "is_prerequisite", "mentioned", "mentions", "ordered"]


def components(
    functions: Mapping[GlobalVar, Function], declared: Mapping[GlobalVar, Any] | None = None
) -> list[list[GlobalVar]]:
    """Groups of functions that must be inferred together, callees before callers, else in the order of their names:
    that of the text does not matter.

    A function whose annotations say its whole type, which `declared` has, does not tie a group together. It comes
    before its callers if they are to see what it demands, but for those that it calls itself.
    """
    if len(functions) == 1:
        return [list(functions)]
    if declared is None:
        declared = {v: declared_type(f) for v, f in functions.items()}
    needed = {v for v in functions if is_prerequisite(declared.get(v))}
    if not needed:  # then nobody need be looked into
        return [[variable] for variable in sorted(functions, key=_name)]
    calls = {v: [n for n in mentioned(f) if n in needed] for v, f in functions.items()}
    groups = ordered(calls)
    if all(declared.get(v) is None for v in needed):
        return groups
    found: list[list[GlobalVar]] = []
    for group in groups:
        found += ordered({v: [n for n in calls[v] if n in group and declared.get(n) is None] for v in group})
    return found


def is_prerequisite(declared: Any) -> bool:
    """Whether callers of a function see more than its annotations say: they leave something open (None), or it may
    demand something of the type parameters that it is declared for."""
    return declared is None or bool(declared.type_params)


def mentioned(function: Function) -> Iterable[GlobalVar]:
    """The global names in a function, each once, where it is first met."""
    found: dict[GlobalVar, None] = {}
    met: set[int] = set()
    agenda: list[Any] = [function]
    while agenda:
        node = agenda.pop()
        if isinstance(node, GlobalVar):
            found[node] = None
        elif (inner := children(node)) and id(node) not in met:
            met.add(id(node))
            agenda += reversed(inner)
    return found


def mentions(functions: Iterable[tuple[GlobalVar, Iterable[Any]]]) -> dict[GlobalVar, set[GlobalVar]]:
    """The functions that mention each global name, from all with their nodes."""
    found: dict[GlobalVar, set[GlobalVar]] = {}
    for variable, nodes in functions:
        for node in nodes:
            if type(node) is GlobalVar:
                found.setdefault(node, set()).add(variable)
    return found


def ordered(calls: Mapping[GlobalVar, Iterable[GlobalVar]]) -> list[list[GlobalVar]]:
    """The groups of some functions, each given with those that it cannot be inferred before."""
    index: dict[GlobalVar, int] = {}
    low: dict[GlobalVar, int] = {}
    open_nodes: list[GlobalVar] = []
    found: list[list[GlobalVar]] = []
    for root in sorted(calls, key=_name):
        if root in index:
            continue
        stack = [(root, iter(calls[root]))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        while stack:
            node, following = stack[-1]
            callee = next(following, None)
            if callee is None:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == index[node]:
                    group: list[GlobalVar] = []
                    while not group or group[-1] is not node:
                        group.append(open_nodes.pop())
                        low[group[-1]] = len(calls)  # settled: nobody's root any more
                    found.append(group[::-1])
            elif callee not in index:
                index[callee] = low[callee] = len(index)
                open_nodes.append(callee)
                stack.append((callee, iter(calls[callee])))
            else:
                low[node] = min(low[node], low[callee])
    return found


def _name(variable: GlobalVar) -> str:
    return variable.name_hint
