"""Who calls whom, drawn: functions of a program, and the constructors that they make and take apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ..host.governor import paced
from ..ir import (
    Call,
    Constructor,
    Function,
    GlobalVar,
    IRModule,
    Match,
    Op,
    PatternConstructor,
    PatternTuple,
    post_order,
)
from .texts import LeftOut, clean

__all__ = ["CallGraph", "call_graph", "drawn_graph"]

MOST_NODES = 80
LONGEST_NAME = 32
_WIDTH, _HEIGHT = 7.4, 26  # of a letter, of a box
_ACROSS, _DOWN = 18, 46  # between boxes
_WIDEST = 900


@dataclass(frozen=True)
class CallGraph:
    """The names of functions (`@f`) and constructors, and which mention which; `calls` are those in each function.

    `operators` counts the calls of each operator in the whole program.
    """

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    calls: dict[str, int]
    operators: tuple[tuple[str, int], ...]


def call_graph(module: IRModule, is_own: Callable[[Function], bool], left_out: LeftOut) -> CallGraph:
    """The functions of a program that are its own, and what can be reached from them."""
    functions = {f"@{v.name_hint}": f for v, f in module.functions.items()}
    mentions: dict[str, list[str]] = {}
    calls: dict[str, int] = {}
    operators: Counter[str] = Counter()
    agenda = [name for name, function in functions.items() if is_own(function)]
    found = dict.fromkeys(agenda)
    for name in agenda:
        mentions[name], calls[name] = _mentioned(functions[name], operators)
        for other in mentions[name]:
            if other not in found and other in functions:
                agenda.append(other)
            found.setdefault(other)
    nodes = tuple(found)
    if len(nodes) > MOST_NODES:
        left_out.say(f"Of {len(nodes):,} functions and constructors the graph has the first {MOST_NODES}.")
        nodes = nodes[:MOST_NODES]
    kept = set(nodes)
    edges = tuple((name, other) for name in nodes for other in mentions.get(name, ()) if other in kept)
    return CallGraph(nodes, edges, calls, tuple(operators.most_common()))


def _mentioned(function: Function, operators: Counter[str]) -> tuple[list[str], int]:
    """The functions and constructors that a function speaks of, and how many calls it has."""
    names: dict[str, None] = {}
    calls = 0
    for node in paced(post_order(function)):
        if isinstance(node, GlobalVar):
            names[f"@{node.name_hint}"] = None
        elif isinstance(node, Constructor):
            names[node.name_hint] = None
        elif type(node) is Call:
            calls += 1
            if type(node.op) is Op:
                operators[node.op.name] += 1
        elif type(node) is Match:
            for clause in node.clauses:
                names.update(dict.fromkeys(_constructors(clause.lhs)))
    return list(names), calls


def _constructors(pattern: Any) -> Iterable[str]:
    agenda = [pattern]
    while agenda:
        item = agenda.pop()
        if isinstance(item, PatternConstructor):
            yield item.constructor.name_hint
        if isinstance(item, (PatternConstructor, PatternTuple)):
            agenda.extend(reversed(item.patterns))


def drawn_graph(graph: CallGraph, link: Callable[[str], str | None]) -> Markup:
    """The graph as SVG: callers above those they call. `link` gives the address of what a name stands for."""
    rows = _rows(graph)
    places: dict[str, tuple[float, float, float]] = {}
    top, widest = 8.0, 0.0
    for row in rows:
        left = 8.0
        for name in row:
            width = _WIDTH * len(_label(graph, name)) + 18
            if left > 8 and left + width > _WIDEST:
                left, top = 8.0, top + _HEIGHT + 14
            places[name] = (left, top, width)
            left += width + _ACROSS
            widest = max(widest, left)
        top += _HEIGHT + _DOWN
    lines = Markup("").join(_edge(places[a], places[b]) for a, b in graph.edges)
    boxes = Markup("").join(_box(name, _label(graph, name), places[name], link(name)) for name in graph.nodes)
    size = (round(max(widest, 120) + 30), round(max(top - _DOWN + 16, 60)))
    return Markup(
        '<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="Call graph">'
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>{2}{3}</svg>'
    ).format(*size, lines, boxes)


def _rows(graph: CallGraph) -> list[list[str]]:
    """The nodes in rows: each below those that mention it, as far as there are no cycles; constructors come last."""
    depth = dict.fromkeys(graph.nodes, 0)
    functions = [name for name in graph.nodes if name.startswith("@")]
    order = _callers_first(graph, functions)
    position = {name: i for i, name in enumerate(order)}
    for name in order:
        for caller, called in graph.edges:
            if caller == name and called in position and position[called] > position[name]:
                depth[called] = max(depth[called], depth[name] + 1)
    last = max((depth[name] for name in functions), default=-1) + 1
    for name in graph.nodes:
        if name not in position:
            depth[name] = last
    rows: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in graph.nodes:
        rows[depth[name]].append(name)
    return [row for row in rows if row]


def _callers_first(graph: CallGraph, functions: list[str]) -> list[str]:
    """Functions in an order in which callers stand before those they call, but where there are cycles."""
    below: dict[str, list[str]] = {name: [] for name in functions}
    for caller, called in graph.edges:
        if called in below:
            below[caller].append(called)
    called_by = Counter(called for caller, called in graph.edges if caller != called)
    done: list[str] = []
    seen: set[str] = set()
    for start in sorted(functions, key=lambda name: (called_by[name] > 0, name != "@main")):
        stack: list[tuple[str, int]] = [(start, 0)]
        while stack:
            name, at = stack.pop()
            if at == 0:
                if name in seen:
                    continue
                seen.add(name)
            if at < len(below[name]):
                stack.append((name, at + 1))
                stack.append((below[name][at], 0))
            else:
                done.append(name)
    return done[::-1]


def _label(graph: CallGraph, name: str) -> str:
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}\N{HORIZONTAL ELLIPSIS}"
    count = graph.calls.get(name)
    return short if count is None else f"{short}  {count:,} call{'s' * (count != 1)}"


def _box(name: str, label: str, place: tuple[float, float, float], address: str | None) -> Markup:
    left, top, width = place
    kind = "function" if name.startswith("@") else "constructor"
    box = Markup(
        '<g class="{}"><title>{}</title><rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{}" rx="{}"/>'
        '<text x="{:.0f}" y="{:.0f}">{}</text></g>'
    ).format(
        kind,
        clean(name),
        left,
        top,
        width,
        _HEIGHT,
        4 if kind == "function" else 13,
        left + width / 2,
        top + 17,
        clean(label),
    )
    return box if address is None else Markup('<a href="{}">{}</a>').format(address, box)


def _edge(start: tuple[float, float, float], end: tuple[float, float, float]) -> Markup:
    left, top, width = start
    other_left, other_top, other_width = end
    if start == end:
        x, y = left + width, top + _HEIGHT / 2
        path = f"M{x - 12:.0f} {top:.0f}C{x - 6:.0f} {top - 14:.0f} {x + 22:.0f} {y - 12:.0f} {x:.0f} {y:.0f}"
    elif other_top > top:
        x, y, to, bottom = left + width / 2, top + _HEIGHT, other_left + other_width / 2, other_top
        middle = (y + bottom) / 2
        path = f"M{x:.0f} {y:.0f}C{x:.0f} {middle:.0f} {to:.0f} {middle:.0f} {to:.0f} {bottom:.0f}"
    else:  # back up, or along: around the side
        x, y, to, bottom = left + width, top + _HEIGHT / 2, other_left + other_width, other_top + _HEIGHT / 2
        side = max(x, to) + 22
        path = f"M{x:.0f} {y:.0f}C{side:.0f} {y:.0f} {side:.0f} {bottom:.0f} {to:.0f} {bottom:.0f}"
    return Markup('<path class="edge" d="{}" marker-end="url(#arrow)"/>').format(path)
