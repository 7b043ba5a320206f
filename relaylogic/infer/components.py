"""The order in which functions are inferred: strongly connected components of the call graph, callees first.

(Tarjan, "Depth-first search and linear graph algorithms", 1972; with an explicit stack.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..ir import Function, GlobalVar, post_order
from .generate import declared_type

__all__ = ["components", "mentioned", "mentions", "ordered"]


def components(
    functions: Mapping[GlobalVar, Function], declared_as: Callable[[Function], Any] = declared_type
) -> list[list[GlobalVar]]:
    """Groups of functions that must be inferred together, callees before callers, else in the order of their names:
    that of the text does not matter.

    A function whose annotations say its whole type, which `declared_as` gives, is nobody's prerequisite.
    """
    if len(functions) == 1:
        return [list(functions)]
    open_ones = {v for v, f in functions.items() if declared_as(f) is None}
    if not open_ones:  # then nobody need be looked into
        return [[variable] for variable in sorted(functions, key=_name)]
    return ordered({v: [n for n in mentioned(f) if n in open_ones] for v, f in functions.items()})


def mentioned(function: Function) -> Iterable[GlobalVar]:
    """The global names in a function, each once, where it is first met."""
    return dict.fromkeys(n for n in post_order(function) if isinstance(n, GlobalVar))


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
