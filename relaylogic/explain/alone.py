"""The type of an expression where only some places of a program say something, from the sites that are tied to it.

That is the type which an inference with a relaxation gives, found without looking at the rest of the program. It is
asked for where what bears on the expression are calls of operators, tuples, projections, constants and annotations of
one function that nobody calls; where anything else plays a part, there is no answer.

Representation: a node stands for all expressions of its type: the value that a variable without an annotation is bound
to for the variable (but another name, since that it is bound to one is a place), what a chain of lets comes to for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..infer.driver import Driver
from ..infer.places import tail
from ..infer.relaxation import Relaxation
from ..infer.sites import UNNAMED, EqualSite, RelationSite, Site
from ..infer.structure import projected
from ..ir import Call, Constant, Constructor, Function, GlobalVar, Let, Op, Tuple, TupleGetItem, children, post_order
from ..ir import Var as LocalVar
from ..logic.terms import fresh
from ..types import IncompleteType, TupleType
from .places import Place
from .work import Work

if TYPE_CHECKING:
    from .conflicts import Said

__all__ = ["Alone"]

_PLAIN = frozenset({"annotation", "call", "constant", "projection", "tuple"})
_NAMES = (LocalVar, GlobalVar, Op, Constructor)
_KINDS = (Call, Constant, Tuple, TupleGetItem)


class Alone:
    """What bears on an expression in one function, by the nodes that places tie together."""

    def __init__(self, said: Said, expr: Any, owner: str, function: Function) -> None:
        self._said = said
        self._inference = said.whole
        self._places = said.places
        self._owner = owner
        self._values: dict[int, Any] = {}  # of variables without an annotation that a let binds
        self._ties: dict[int, list[Any]] = {}  # the nodes that always have one type, both ways
        self._at: dict[int, list[Place]] = {}  # the places that tie a node to others, or say what it is
        self._foreign: set[int] = set()  # the nodes that something else bears on
        self._attributes: dict[int, list[tuple[str, int]]] = {}  # of calls, with their places if they have some
        nodes = list(post_order(function))
        for node in nodes:
            if type(node) is Let and node.var.type_annotation is None and not isinstance(tail(node.value)[0], _NAMES):
                self._values[id(node.var)] = node.value
        for node in nodes:
            self._visit(node, function)
        for place in self._places:
            self._enter(place)
        self._expr = self._node(expr)

    @classmethod
    def of(cls, said: Said, expr: Any, owner: str) -> Alone | None:
        """What bears on an expression in the function `owner`; None if other functions do."""
        module = said.whole.module
        function = next((f for v, f in module.functions.items() if v.name_hint == owner), None)
        if function is None or expr is function or function.type_constraints or module.declarations:
            return None
        for other in module.functions.values():
            if other is not function and any(type(n) is GlobalVar and n.name_hint == owner for n in post_order(other)):
                return None
        return cls(said, expr, owner, function)

    def type_with(self, kept: Iterable[int], work: Work) -> Any:
        """The type of the expression where only the places in `kept` say something.

        None if other things than those that are looked at here bear on it. Raises Spent.
        """
        tied = self._tied(frozenset(kept))
        if tied is None:
            return None
        places, equal = tied
        relaxation = self._relaxation(places, frozenset(kept))
        driver = Driver(self._inference.driver.rules, relaxation, module=self._inference.module)
        types: dict[int, Any] = {}

        def type_of(expr: Any) -> Any:
            node = self._node(expr)
            known = types.get(id(node))
            if known is None:
                known = types[id(node)] = fresh()
            return known

        for place in places:
            if place.kind == "annotation":
                types[id(place.node)] = place.node.type_annotation
        work.pay(len(places) + 1)
        paid = 0
        for place in places:
            node = place.node
            if type(node) is Call:
                operator = driver.rules.operators[node.op.name]  # type: ignore[attr-defined]
                inputs = tuple([type_of(argument) for argument in node.args])
                given = (TupleType(inputs),) if operator.variadic else inputs
                types[id(node)] = driver.operator_call(node, operator, given, self._owner)
                paid = _pay(work, driver.sites, paid)
            elif type(node) is Constant:
                types[id(node)] = IncompleteType() if node.tensor_type is None else node.tensor_type
            elif type(node) is Tuple:
                types[id(node)] = TupleType(tuple([type_of(part) for part in node.fields]))
            elif type(node) is TupleGetItem:
                data = type_of(node.tuple_value)
                types[id(node)] = projected(driver, node.index, data, UNNAMED, node, self._owner)
        for variable, value in equal:
            driver.add(EqualSite(type_of(value), type_of(variable), "", value, self._owner))
        driver.run()
        _pay(work, driver.sites, 0)
        return driver.store.reify(type_of(self._expr))

    def _relaxation(self, places: list[Place], kept: frozenset[int]) -> Relaxation | None:
        """The attributes that are left open, where these have places of their own and are not kept."""
        attrs: dict[int, dict[str, Any]] = {}
        for place in places:
            for name, index in self._attributes.get(id(place.node), ()):
                if index not in kept:
                    attrs.setdefault(id(place.node), dict(place.node.attrs))[name] = fresh()
        return Relaxation(attrs=attrs) if attrs else None

    def _node(self, expr: Any) -> Any:
        """The node that has the type of an expression."""
        while True:
            if type(expr) is Let:
                expr = tail(expr)[0]
            elif id(expr) in self._values:
                expr = self._values[id(expr)]
            else:
                return expr

    def _visit(self, node: Any, function: Function) -> None:
        """Take note of what always has one type, and of what something else bears on."""
        kind = type(node)
        if kind is Let:
            if node.var.type_annotation is not None:
                value = self._node(node.value)
                if isinstance(tail(node.value)[0], _NAMES):  # that it is of this type is a place of its own
                    self._foreign.update((id(node.var), id(value)))
                self._ties.setdefault(id(node.var), []).append((node.var, value))
                self._ties.setdefault(id(value), []).append((node.var, value))
        elif kind is Call and type(node.op) is Op:
            if node.op.name not in self._inference.driver.rules.operators:
                self._foreign.add(id(node))
        elif kind is not LocalVar and kind not in _KINDS and node is not function:
            self._foreign.add(id(node))
            self._foreign.update(id(self._node(child)) for child in children(node))
            if kind is Function:
                self._foreign.update(map(id, node.params))
        elif kind is Call:
            self._foreign.update(id(self._node(part)) for part in (node, node.op, *node.args))

    def _enter(self, place: Place) -> None:
        """Take note of the nodes that a place is about."""
        node = place.node
        if place.kind == "attribute":
            if self._said.told_apart:
                name = place.attribute
                self._attributes.setdefault(id(node), []).append((name, place.index))
            return
        if place.binds is not None and not isinstance(place.binds, LocalVar):
            return  # nobody asks what a function comes to
        about = [node] if place.binds is None else [node, place.binds]
        if place.kind in ("call", "tuple", "projection") and isinstance(node, _KINDS):
            about += node.args if type(node) is Call else children(node)
        elif place.kind == "result":
            about.append(node.body)
        nodes = dict.fromkeys(id(self._node(part)) for part in about)
        for found in nodes:
            self._at.setdefault(found, []).append(place)
        if isinstance(node, LocalVar) and self._places.role(node) == "pattern":
            self._foreign.add(id(node))

    def _tied(self, kept: frozenset[int]) -> tuple[list[Place], list[tuple[Any, Any]]] | None:
        """The places in `kept` that bear on the expression, in their order, and the nodes that have one type."""
        found: dict[int, Place] = {}
        equal: dict[int, tuple[Any, Any]] = {}
        agenda = [self._expr]
        seen: set[int] = set()
        while agenda:
            node = agenda.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if id(node) in self._foreign:
                return None
            for variable, value in self._ties.get(id(node), ()):
                equal[id(variable)] = (variable, value)
                agenda += (variable, value)
            for place in self._at.get(id(node), ()):
                if place.index not in kept or place.index in found:
                    continue
                if place.binds is not None:
                    equal[id(place.binds)] = (place.binds, self._node(place.node))
                    agenda += equal[id(place.binds)]
                    continue
                if place.kind not in _PLAIN:
                    return None
                found[place.index] = place
                parts = place.node.args if type(place.node) is Call else ()
                if type(place.node) in (Tuple, TupleGetItem):
                    parts = children(place.node)
                agenda += (self._node(part) for part in (place.node, *parts))
        return [found[i] for i in sorted(found)], list(equal.values())


def _pay(work: Work, sites: Sequence[Site], paid: int) -> int:
    """Pay for what the sites from `paid` on have asked; how many sites there are. Raises Spent."""
    for site in sites[paid:]:
        if isinstance(site, RelationSite):
            work.asked(site.relation, site.key, site.attrs, site.solution)
    work.check()
    return len(sites)
