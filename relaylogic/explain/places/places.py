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
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

from ...host.once import cached_property
from ...infer.components import mentions
from ...infer.sites.demands import EqualSite
from ...infer.sites.places import NAMES, Ending, tail, use_span
from ...infer.sites.site import Site
from ...ir import (
    Call,
    Constant,
    Function,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Op,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    children,
    post_order,
    without_type_key,
)
from ...ir import Var as LocalVar
from ...logic.terms.terms import is_ground
from ...text.attribute_spans import AttributeSpans

__all__ = ["Place", "Places"]

_KINDS = {
    Call: "call",
    Constant: "constant",
    Function: "function",
    If: "if",
    Match: "match",
    RefCreate: "reference",
    RefRead: "reference",
    RefWrite: "reference",
    Tuple: "tuple",
    TupleGetItem: "projection",
}
_SILENT = frozenset({LocalVar, Op})
"""Nodes at which nothing is said that is not said by those who have them."""
_ITS_OWN = object()
"""Stands for the place of the node itself, or of the type that it is annotated with."""
_PASSING = ("attribute", "call", "tuple", "projection")

LONG = 12
"""A program with more calls is a long one."""

_UPWARDS = 6
"""How much farther it is from a node to its users than to what it is made of: types mostly flow down."""


@dataclass(eq=False, slots=True)
class Place:
    """One place of a program.

    `kind` is "annotation" (of the variable `node`), "attribute" (of the call `node`, by the name `attribute`), "result"
    (the result type of the function `node`), "pattern", "use" (of a variable, an operator or a constructor where a type
    is wanted, or where it is bound to another name, is what a function comes to, or what a match looks at), "condition"
    (that `node` is a bool), "demand" (what cannot be left out otherwise), or that of the expression `node`: "call",
    "constant", "function", "if", "match", "projection", "reference", "tuple".
    `owner` is the name of the function that it is in, `index` its number. `demand` is what the demand of a use or of a
    condition is known by; `wants` is what has the type that is wanted of a use: a function of its body, a branching of
    what it comes to, a variable of its value. `binds` is what a use without a demand gives its type: the variable of a
    let, a function, or the first arm of a match, which stands for what all arms take. `where` is what `span` is, or
    finds it when somebody asks.
    """

    kind: str
    node: Any
    where: Any
    owner: str
    index: int
    demand: Any = None
    attribute: str = ""
    binds: Any = None
    wants: Any = None

    @property
    def is_use(self) -> bool:
        """Whether it says that something is used where a type is wanted, which it gives nothing."""
        return self.kind in ("use", "condition")

    @property
    def written(self) -> Any:
        """The type that stands at an annotation or as a result type; None where no type does."""
        if self.kind == "annotation":
            return self.node.type_annotation
        return self.node.ret_type if self.kind == "result" else None

    @property
    def span(self) -> Any:
        """Where it stands; None for what was not read from a text."""
        where, node = self.where, self.node
        if where is _ITS_OWN:
            return (node.type_span or node.span) if self.kind == "annotation" else node.span
        return where.of(node).get(self.attribute) if type(where) is AttributeSpans else where


@dataclass(slots=True)
class _Link:
    """What ties the node `head` to those it is made of; `place` is the number of its place, -1 for none."""

    head: int
    parts: tuple[int, ...]
    place: int


@dataclass
class Places:
    """All places of the functions of a module, functions by their names, with the links between its nodes."""

    module: IRModule
    all: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ties: list[tuple[Any, tuple[Any, ...], int]] = []  # what is tied: a node, those it is made of, the place
        self._at: defaultdict[int, list[int]] = defaultdict(list)
        self._roles: dict[int, str] = {}
        self._owner = ""
        self._holder = 0  # the identity of the node that is looked at
        self._holders: list[int] = []  # that of the node that holds it, by the number of a place
        self._binders: dict[int, int] = {}  # that of what binds it, by that of a variable
        self._attributes: dict[int, list[int]] = {}
        self._spans = AttributeSpans()
        functions = dict(sorted(((v.name_hint, f) for v, f in self.module.functions.items()), key=itemgetter(0)))
        self._functions = functions
        self.nodes = {name: list(post_order(function)) for name, function in functions.items()}  # by their functions
        for name, nodes in self.nodes.items():
            self._owner = name
            whole = functions[name]
            for node in nodes:
                if type(node) not in _SILENT:
                    self._holder = id(node)
                    self._visit(node, node is whole)
        called = [type(place.node.op) for place in self.all if place.kind == "call"]
        self.calls, self.direct_calls = len(called), called.count(Op) + called.count(GlobalVar)

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
    def matches(self) -> list[Match]:
        """All matches."""
        return [node for nodes in self.nodes.values() for node in nodes if type(node) is Match]

    def fields_taken(self, node: Any) -> int | None:
        """How many fields there must be in what a node gives for those that are taken of it, or of a variable that is
        bound to it; None if none is."""
        return self._projected.get(id(node))

    @cached_property
    def _projected(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for nodes in self.nodes.values():
            taken = ((node.tuple_value, node.index + 1) for node in nodes if type(node) is TupleGetItem)
            bound = ((node.value, found[id(node.var)]) for node in nodes if type(node) is Let and id(node.var) in found)
            for node, count in chain(taken, bound):
                found[id(node)] = max(count, found.get(id(node), 0))
        return found

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
        self._holder = id(site.expr)
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

    @property
    def is_long(self) -> bool:
        """Whether the program has many calls."""
        return self.calls > LONG

    def depth(self, node: Any) -> int:
        """How many nodes lie above each other in a node at most."""
        return self._depths.get(id(node), 0)

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

    def _place(
        self,
        kind: str,
        node: Any,
        span: Any,
        demand: Any = None,
        attribute: str = "",
        binds: Any = None,
        wants: Any = None,
    ) -> Place:
        index = len(self.all)
        place = Place(kind, node, span, self._owner, index, demand, attribute, binds, wants)
        self.all.append(place)
        self._holders.append(self._holder)
        self._at[id(node if binds is None else binds)].append(index)
        return place

    def _tie(self, head: Any, parts: Iterable[Any], place: Place | None = None) -> None:
        self._ties.append((head, tuple(parts), -1 if place is None else place.index))

    def role(self, variable: LocalVar) -> str:
        """What binds a variable: "parameter", "inner parameter", "let" or "pattern"."""
        return self._roles.get(id(variable), "parameter")

    def _annotation(self, variable: LocalVar, role: str) -> None:
        self._roles[id(variable)] = role
        self._binders[id(variable)] = self._holder
        if variable.type_annotation is not None:
            place = self._place("annotation", variable, _ITS_OWN)
            self._tie(variable, (), place)

    def _visit(self, node: Any, is_whole: bool) -> None:
        kind = type(node)
        if kind is Function:
            for parameter in node.params:
                self._annotation(parameter, "parameter" if is_whole else "inner parameter")
            self._tie(node, node.params)
            self._comes_to(node, node.body, node.ret_type is None, node)
            if node.ret_type is not None:
                self._tie(node, (node.body,), self._place("result", node, node.ret_span))
                self._use(node.body, "the body", node, node)
        elif kind is Let:
            self._annotation(node.var, "let")
            self._comes_to(node.var, node.value, node.var.type_annotation is None, node)
            self._tie(node, (node.body,))
            if node.var.type_annotation is not None and isinstance(tail(node.value)[0], NAMES):
                demand = EqualSite.known_by(node.value, f"`%{node.var.name_hint}`", node)
                name, span = self._named(node.value, node)
                self._tie(node.var, (node.value,), self._place("use", name, span, demand, wants=node.var))
        elif kind is GlobalVar:
            known = self._functions.get(node.name_hint)
            if known is not None:
                self._tie(node, (known,))
        elif kind is If:
            demand = EqualSite.known_by(node.cond, "the condition", node)
            self._tie(node.cond, (), self._place("condition", node.cond, use_span(node.cond, node), demand))
            self._use(node.true_branch, "the first branch", node, node)
            self._use(node.false_branch, "the second branch", node, node)
        elif kind is Match:
            for i, clause in enumerate(node.clauses):
                self._use(clause.rhs, f"arm {i + 1} of the match", clause, node)
                self._tie(clause.lhs, node.clauses[:1])  # which stands for what all arms take
                self._pattern(clause.lhs)
            for clause in node.clauses[:1]:
                self._tie(clause, (node.data,), self._bound(clause, node.data, node))
        if kind in _KINDS and not (kind is Function and is_whole):
            place = self._place(_KINDS[kind], node, _ITS_OWN)
            self._tie(node, _tied(node), place)
            if kind is Call and type(node.op) is Op and node.given:
                self._given(node, place)

    def _given(self, call: Call, place: Place) -> None:
        """The places of the attributes that a call gives; what stands for an expression is a part of the call."""
        for name, value in without_type_key(call.given).items():
            if _is_known(value):
                own = self._place("attribute", call, self._spans, attribute=name)
                self._attributes.setdefault(place.index, []).append(own.index)

    def _use(self, expr: Any, where: str, user: Any, wants: Any) -> None:
        """The place of a variable that a chain of lets comes to, the last thing in `user`; `wants` has its type."""
        node, span = self._named(expr, user)
        if isinstance(node, NAMES):
            demand = EqualSite.known_by(node, where, user)
            self._tie(expr, (node,), self._place("use", node, span, demand, wants=wants))

    def _comes_to(self, what: Any, expr: Any, alone: bool, user: Any) -> None:
        """Tie a variable or a function to its value or body: by a place if that is a name, and nothing else tells."""
        self._tie(what, (expr,), self._bound(what, expr, user) if alone else None)

    def _bound(self, what: Any, expr: Any, user: Any) -> Place | None:
        """The place of the name that gives `what` its type; None if that is no name."""
        node, span = self._named(expr, user)
        return self._place("use", node, span, binds=what) if isinstance(node, NAMES) else None

    def _named(self, expr: Any, user: Any) -> tuple[Any, Any]:
        """What a chain of lets comes to, and where: a let's value, what a match looks at, or the last in a scope."""
        node, span = tail(expr)
        if expr is not node or user.span is None or not isinstance(node, NAMES):
            return node, span
        if type(user) not in (Let, Match):
            return node, Ending(expr, user).span
        if type(user) is Let and user.var.type_annotation is not None:
            return node, use_span(node, user)
        # The span of a variable is that of its binding.
        name = str(getattr(node, "name_hint", None) or getattr(node, "name", ""))
        text, first, last = user.span.source.text, user.span.start, user.span.end
        start = text.find(name, text.find("=" if type(user) is Let else "(", first, last), last)
        sign = isinstance(node, (LocalVar, GlobalVar))
        return node, user.span if start < 0 else Span(user.span.source, start - sign, start + len(name))

    def _pattern(self, pattern: Any) -> None:
        agenda = [pattern]
        while agenda:
            item = agenda.pop()
            if isinstance(item, PatternVar):
                self._annotation(item.var, "pattern")
                self._tie(item.var, (item,))
            elif isinstance(item, (PatternConstructor, PatternTuple)):
                self._tie(item, item.patterns, self._place("pattern", item, item.span))
                agenda.extend(reversed(item.patterns))

    def __iter__(self) -> Iterator[Place]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)


def _tied(node: Any) -> Iterable[Any]:
    """The nodes that the place of an expression ties to it."""
    if type(node) is Function:
        return (*node.params, node.body)
    return (node.true_branch, node.false_branch) if type(node) is If else children(node)


def _is_known(value: Any) -> bool:
    """Whether an attribute is given as data, and all of it."""
    kind = type(value)
    return kind in (int, float, bool, str, type(None)) or (kind in (tuple, list) and is_ground(tuple(value)))
