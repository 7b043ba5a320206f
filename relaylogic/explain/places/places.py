"""The places of a program that can be wrong, and what each of them ties together.

A *place* is a part of the text that says something about types and can be left out on its own: an annotation, a
result type, a call, a constant, a projection, a tuple, a branching (that the branches are of one type), a condition
(that it is a bool), a match, a pattern, a function literal, a reference, or the use of a variable where a type is
wanted. What remains without it is a program with a hole in that place (`infer.sites.relaxation`). Everything else of a
program (that a let binds a value, that a function has a body) only passes types on. An attribute that a call of an
operator gives is a place within that of the call: it says nothing without it, and the call without it is one that
leaves the attribute open.

Representation: nodes of the program (expressions, variables, patterns) are known by identity. A *link* ties a node to
those that it is made of; it belongs to a place, or to none. So what can bear on a node is reached over links.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from ...host.once import cached_property
from ...infer.components import mentions
from ...infer.sites.places import NAMES
from ...infer.sites.site import Site
from ...ir import (
    Call,
    Constructor,
    Function,
    GlobalVar,
    Let,
    Match,
    Op,
    Pattern,
    TupleGetItem,
    children,
)
from ...ir import Var as LocalVar
from .place import Place
from .tying import Tying

__all__ = ["Places"]

_Use = TypeVar("_Use")

_PASSING = ("attribute", "call", "tuple", "projection")

_NAMES = (Constructor, GlobalVar, Op)

_UPWARDS = 6
"""How much farther it is from a node to its users than to what it is made of: types mostly flow down."""


@dataclass(slots=True)
class _Link:
    """What ties the node `head` to those it is made of; `place` is the number of its place, -1 for none."""

    head: int
    parts: tuple[int, ...]
    place: int


class Places(Tying):
    """All places of the functions of a module, with the links between its nodes."""

    @cached_property
    def owners(self) -> dict[int, str]:
        """The names of the functions that expressions and variables stand in, by the identity of these."""
        found: dict[int, str] = {}
        for name, nodes in reversed(self.nodes.items()):  # what is shared is in the first of them
            found.update(dict.fromkeys(map(id, nodes), name))
        for variable, binder in self._binders.items():
            found.setdefault(variable, found[binder])
        return found

    @cached_property
    def mentions(self) -> dict[Any, set[Any]]:
        """The functions that mention each global name."""
        return mentions((v, self.nodes[v.name_hint]) for v in self.module.functions)

    @cached_property
    def declared(self) -> set[Any]:
        """The type parameters that functions are declared with."""
        functions = (node for nodes in self.nodes.values() for node in nodes if type(node) is Function)
        return {parameter for function in functions for parameter in function.type_params}

    @cached_property
    def _depths(self) -> dict[int, int]:
        depths: dict[int, int] = {}
        for nodes in self.nodes.values():
            values = {id(node.var): node.value for node in nodes if type(node) is Let}
            for node in nodes:
                deepest = 0
                for child in (values[id(node)],) if id(node) in values else children(node):
                    deepest = max(deepest, depths.get(id(child), 0))
                depths[id(node)] = 1 + deepest
        return depths

    @cached_property
    def _above(self) -> dict[int, list[int]]:
        """The identities of the nodes that a node is a part of, by its identity; of a variable, of what binds it."""
        found: dict[int, list[int]] = {}
        uses: dict[int, list[int]] = {}
        for nodes in self.nodes.values():
            for node in nodes:
                for child in children(node):
                    (uses if isinstance(child, NAMES) else found).setdefault(id(child), []).append(id(node))
        for variable, binder in self._binders.items():
            found[variable] = [binder]
        return {**uses, **found}

    @cached_property
    def _linked(self) -> tuple[dict[int, list[_Link]], dict[int, Any]]:
        """The links of each node that is tied to others, and the nodes themselves, by their identity."""
        links: defaultdict[int, list[_Link]] = defaultdict(list)
        nodes: dict[int, Any] = {}
        for head, parts, place in self._ties:
            link = _Link(id(head), tuple(map(id, parts)), place)
            for node in (head, *parts):
                nodes[id(node)] = node
                links[id(node)].append(link)
        return links, nodes

    @property
    def _links(self) -> dict[int, list[_Link]]:
        return self._linked[0]

    @property
    def _nodes(self) -> dict[int, Any]:
        return self._linked[1]

    def users(self, node: Any) -> list[Any]:
        """The nodes that a node is a part of."""
        nodes = self._nodes
        return [nodes[user] for user in self._above.get(id(node), ()) if user in nodes]

    def binders(self, variable: LocalVar) -> list[Function]:
        """The function that a variable is a parameter of, if it is one."""
        binder = self._nodes.get(self._binders.get(id(variable), 0))
        return [binder] if type(binder) is Function and self.role(variable).endswith("parameter") else []

    @cached_property
    def is_apart(self) -> bool:
        """Whether there are several functions, and no two share more than names, as what a program builds may."""
        nodes = [id(node) for nodes in self.nodes.values() for node in nodes if not isinstance(node, _NAMES)]
        return len(self.nodes) > 1 and len(set(nodes)) == len(nodes)

    @cached_property
    def matches(self) -> list[Match]:
        """All matches."""
        return [node for nodes in self.nodes.values() for node in nodes if type(node) is Match]

    def takers(self, node: Any) -> list[TupleGetItem]:
        """The projections that take a field of what a node gives, or of a variable that is bound to it."""
        return self._takers.get(id(node), [])

    @cached_property
    def _takers(self) -> dict[int, list[TupleGetItem]]:
        return self._of_values((id(n.tuple_value), n) for n in self._every() if type(n) is TupleGetItem)

    def calls_with(self, node: Any) -> list[tuple[Call, int]]:
        """The calls that take what a node gives, or a variable that is bound to it, each with the place among the
        arguments."""
        return self._calls_with.get(id(node), [])

    @cached_property
    def _calls_with(self) -> dict[int, list[tuple[Call, int]]]:
        calls = (node for node in self._every() if type(node) is Call)
        return self._of_values((id(own), (call, i)) for call in calls for i, own in enumerate(call.args))

    def _every(self) -> Iterator[Any]:
        return (node for nodes in self.nodes.values() for node in nodes)

    def _of_values(self, used: Iterable[tuple[int, _Use]]) -> dict[int, list[_Use]]:
        """The uses of nodes by the identity of these; what uses a variable uses the value that a let binds it to."""
        found: dict[int, list[_Use]] = {}
        for node, use in used:
            found.setdefault(node, []).append(use)
        for node in self._every():
            if type(node) is Let and id(node.var) in found:
                found.setdefault(id(node.value), []).extend(found[id(node.var)])
        return found

    def fields_taken(self, node: Any) -> int | None:
        """How many fields there must be in what a node gives for those that are taken of it, or of a variable that is
        bound to it; None if none is."""
        return max((taker.index + 1 for taker in self.takers(node)), default=None)

    def above(self, some: Iterable[int], *exprs: Any) -> set[int]:
        """The identities of the nodes that hold some places, or some expressions."""
        above = self._above
        agenda = [*map(id, exprs), *(self._holders[place] for place in some)]
        found = set(agenda)
        while agenda:
            for node in above.get(agenda.pop(), ()):
                if node not in found:
                    found.add(node)
                    agenda.append(node)
        return found

    def of_demand(self, site: Site) -> Place:
        """A place for a demand that none of the other places makes; it is added to them."""
        self._holder, self._owner = id(site.expr), site.owner
        place = self._place("demand", site.expr, site.span, site.identity)
        vars(self).pop("_linked", None)
        self._tie(site.expr, (), place)
        return place

    def at(self, node: Any) -> list[int]:
        """The numbers of the places at a node."""
        return self._at.get(id(node), [])

    def links(self) -> Iterator[tuple[Any, list[Any], int]]:
        """What ties nodes together: a node, those that it is made of, and the number of the place, -1 for none."""
        links, nodes = self._linked
        for node, its in links.items():
            for link in its:
                if link.head == node:
                    yield nodes[node], [nodes[part] for part in link.parts], link.place

    def is_used(self, function: Function) -> bool:
        """Whether something refers to a function, or it is a part of an expression."""
        return any(link.head != id(function) for link in self._links.get(id(function), ()))

    def attributes(self, calls: Iterable[int]) -> Iterator[int]:
        """The numbers of the places of the attributes of some calls, by their numbers; others have none."""
        for call in calls:
            yield from self._attributes.get(call, ())

    def attribute(self, call: Place, name: str) -> Place | None:
        """The place of an attribute of a call, if it is given."""
        given = (self.all[i] for i in self.attributes([call.index]))
        return next((place for place in given if place.attribute == name), None)

    def depth(self, node: Any) -> int:
        """How many nodes lie above each other in a node at most."""
        return self._depths.get(id(node), 0)

    def value(self, variable: LocalVar) -> Any:
        """What a let binds a variable to."""
        return self._values[id(variable)]

    def parts(self, node: Any) -> list[Any]:
        """The nodes that a node is made of; of a part of a pattern, those that it is a part of."""
        links, nodes = self._linked
        found = [p for link in links.get(id(node), ()) if link.head == id(node) for p in link.parts]
        if isinstance(node, Pattern):
            found += [link.head for link in links.get(id(node), ()) if link.head != id(node)]
        return [nodes[part] for part in found]

    def holders(self, node: Any) -> list[tuple[Any, int]]:
        """What a node is tied to as a part, each with the number of the place that says so, -1 for none."""
        links, nodes = self._linked
        return [(nodes[link.head], link.place) for link in links.get(id(node), ()) if link.head != id(node)]

    def demanding(self, node: Any) -> tuple[set[int], list[Any]]:
        """The numbers of the places that want something of the value of a node, and the nodes that these are about.

        Calls are not among them.
        """
        links, known = self._linked
        places: set[int] = set()
        nodes: list[Any] = []
        agenda = [id(node)]
        seen = set(agenda)
        while agenda:
            item = agenda.pop()
            for link in links.get(item, ()):
                passes = link.place < 0 or self.all[link.place].binds is not None
                if passes and link.head not in seen and item != link.head:
                    seen.add(link.head)
                    agenda.append(link.head)
                    places.update([link.place] if link.place >= 0 else ())
                elif not passes and self.all[link.place].kind not in _PASSING:
                    places.add(link.place)
                    nodes.extend(known[part] for part in (link.head, *link.parts))
        return places, nodes

    def distances(
        self, starts: Iterable[int], kept: Iterable[int] | None = None, most: int = sys.maxsize, by_users: bool = True
    ) -> dict[int, int]:
        """How far each place is from some nodes, over links of the places in `kept` (all if it is None).

        What no path leads to is left out; so is what is farther than `most` others. What uses a node is as far as that,
        unless `by_users` is false: then it is as far as a path leads there.
        """
        allowed = kept if kept is None or isinstance(kept, frozenset) else frozenset(kept)
        links = self._links
        found: dict[int, int] = {}
        seen: set[int] = set()
        passed: set[int] = set()
        reached: dict[int, list[int]] = {0: list(starts)}  # by the distance, in the order in which they are found
        distance = 0
        while reached:
            nodes = reached.pop(distance, [])
            if nodes and distance and len(found) >= most:
                break
            for node in nodes:
                if node in seen:
                    continue
                seen.add(node)
                for link in links.get(node, ()):
                    head, place = link.head, link.place
                    if id(link) in passed or (allowed is not None and place >= 0 and place not in allowed):
                        continue
                    if place >= 0 and (by_users or head == node):
                        found.setdefault(place, distance)
                    if head == node:
                        passed.add(id(link))
                        below = [part for part in link.parts if part not in seen]
                        if below:
                            reached.setdefault(distance + 1, []).extend(below)
                    elif head not in seen:  # from a part to the whole, and from there to the other parts
                        reached.setdefault(distance + _UPWARDS, []).append(head)
            distance += 1
        return found

    def __iter__(self) -> Iterator[Place]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)
