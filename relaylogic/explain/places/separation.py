"""Places that separate others: without them, nothing ties those together.

What only some places say falls into parts that nothing ties together, and each part is consistent, or forces a type, on
its own. That tells of places that they are needed without asking (each question is an inference):

- Let C be inconsistent, and x a place of C without which two places y and z that are needed are in different parts.
  Each part lacks y or z, so it is within C without y, or C without z, which are consistent. So C without x is
  consistent: x is needed.
- Let C force a type of an expression, and x be a place without which y, which is needed, is not tied to the expression.
  The part of the expression is within C without y, which does not force the type. So x is needed.

Along a chain of calls it is enough to know that its ends are needed.

- Let C not force a type of an expression. What forces it, and has nothing that it does not need, is tied to the
  expression on its own, and not within C. So it has one of the places that are tied to the expression by C alone, and
  are not in C.

Who looks for what all such sets have in common need not ask more than that.

Representation: a graph of nodes of the program and of places, with an edge between a place and each node that one of
its links ties, and between the nodes of a link that belongs to no place. Places that separate others are articulation
points (Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation", 1973).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from ...infer.sites.places import tail
from ...ir import Function
from ...logic.terms.terms import variables_of
from .places import Places

__all__ = ["Separation"]

_Vertex = int
"""The number of a place, or of a node after those."""

_AWAY: _Vertex = -1
"""All that is needed already, and what is asked about."""


class Separation:
    """What ties the nodes of a program together, to be asked about sets of its places."""

    def __init__(self, places: Places) -> None:
        self._count = len(places)
        self._vertices: dict[Any, _Vertex] = {}
        self._of_place: list[set[_Vertex]] = [set() for _ in places]
        self._always: dict[_Vertex, list[_Vertex]] = {}
        self._places_at: dict[_Vertex, list[int]] = {}
        for link, parts, place in places.links():
            if place < 0 and type(link) is Function and not places.is_used(link):
                continue  # nobody asks for the type of the function: its parameters are not tied by it
            nodes = [self._vertex(id(node)) for node in (link, *parts)]
            if place >= 0:
                self._of_place[place].update(nodes)
            else:
                for node in nodes[1:]:
                    self._always.setdefault(nodes[0], []).append(node)
                    self._always.setdefault(node, []).append(nodes[0])
        for item in places:
            if item.kind in ("annotation", "result"):
                self._of_place[item.index].update(self._vertex(v) for v in variables_of(item.written))

    def _vertex(self, key: Any) -> _Vertex:
        return self._vertices.setdefault(key, self._count + len(self._vertices))

    def between(self, kept: Collection[int], needed: Iterable[int]) -> set[int]:
        """Those of some places that separate two that are `needed`."""
        marks = list(needed)
        at = self._graph(kept)
        return self._articulations(lambda vertex: self._next(vertex, at), marks) if len(marks) > 1 else set()

    def before(self, place: int, left: Collection[int], needed: Collection[int], expr: Any) -> set[int]:
        """Those of the places `left` that separate a place from an expression, and from what else is needed.

        Only what is tied to the place without those that are `needed` is looked at. What separates it from these
        separates it from the expression.
        """
        root = place
        ends = self._ends(expr)
        inside: dict[_Vertex, list[_Vertex]] = {_AWAY: []}
        agenda = [root]
        while agenda:
            vertex = agenda.pop()
            if vertex in inside:
                continue
            if vertex < self._count:
                others = sorted(self._of_place[vertex])
            else:
                places = self._at(vertex)
                others = [other for other in places if other == root or other in left]
                others += self._always.get(vertex, ())
                if vertex in ends or any(other != root and other in needed for other in places):
                    inside[_AWAY].append(vertex)
            inside[vertex] = others
            agenda += others
        for vertex in inside[_AWAY]:
            inside[vertex] = [*inside[vertex], _AWAY]
        return self._articulations(inside.__getitem__, [root, _AWAY])

    def around(self, expr: Any, some: Collection[int]) -> tuple[set[int], set[int]]:
        """Those of some places that are tied to an expression, and the others that are tied to it by these alone."""
        agenda = sorted(self._ends(expr))
        seen = set(agenda)
        tied: set[int] = set()
        others: set[int] = set()
        while agenda:
            node = agenda.pop()
            new = list(self._always.get(node, ()))
            for place in self._at(node):
                if place not in some:
                    others.add(place)
                elif place not in tied:
                    tied.add(place)
                    new += self._of_place[place]
            for other in new:
                if other not in seen:
                    seen.add(other)
                    agenda.append(other)
        return tied, others

    def _ends(self, expr: Any) -> set[_Vertex]:
        """The nodes of which the type of an expression is made."""
        # The type of a function is made of those of its parameters, and of its body.
        asked = (expr, *expr.params, tail(expr.body)[0]) if type(expr) is Function else (expr,)
        return {self._vertex(id(node)) for node in asked}

    def _at(self, node: _Vertex) -> list[int]:
        """The places that tie a node."""
        if not self._places_at:
            self._places_at.update(self._graph(range(self._count)))
        return self._places_at.get(node, [])

    def _graph(self, kept: Collection[int]) -> dict[_Vertex, list[_Vertex]]:
        """The places of each node."""
        at: dict[_Vertex, list[_Vertex]] = {}
        for place in kept:
            for node in self._of_place[place]:
                at.setdefault(node, []).append(place)
        return at

    def _articulations(self, following: Callable[[_Vertex], list[_Vertex]], marks: list[_Vertex]) -> set[int]:
        """The places whose removal leaves marks in more than one part."""
        root, marked = marks[0], set(marks)
        found: dict[_Vertex, int] = {root: 0}  # when a vertex was met
        low: dict[_Vertex, int] = {root: 0}  # the first one that is reached from below it without going back
        below: dict[_Vertex, int] = {root: 1}  # the marks at it and below
        separating: set[int] = set()
        stack = [(root, root, iter(following(root)))]
        while stack:
            vertex, parent, others = stack[-1]
            other = next(others, None)
            if other is None:
                stack.pop()
                if not stack:
                    break
                low[parent] = min(low[parent], low[vertex])
                below[parent] += below[vertex]
                # The root, which is a mark, is on the other side.
                if parent < self._count and parent not in marked and low[vertex] >= found[parent] and below[vertex]:
                    separating.add(parent)
            elif other not in found:
                found[other] = low[other] = len(found)
                below[other] = int(other in marked)
                stack.append((other, vertex, iter(following(other))))
            elif other != parent:
                low[vertex] = min(low[vertex], found[other])
        # Marks that nothing ties together contradict each other by something else than what is known here.
        return separating if marked <= found.keys() else set()

    def _next(self, vertex: _Vertex, at: dict[_Vertex, list[_Vertex]]) -> list[_Vertex]:
        if vertex < self._count:
            return sorted(self._of_place[vertex])
        return [*at.get(vertex, ()), *self._always.get(vertex, ())]
