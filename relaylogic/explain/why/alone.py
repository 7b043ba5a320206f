"""What bears on an expression where only some places of a program say something: the sites that are tied to it.

What they come to (`questions`) is the type which an inference with a relaxation gives, found without looking at the
rest of the program. It is asked for where what bears on the expression are calls of operators, tuples, projections,
constants and annotations of one function that nobody calls; where anything else plays a part, there is no answer.

Representation: a node stands for all expressions of its type: the value that a variable without an annotation is bound
to for the variable (but another name, since that it is bound to one is a place), what a chain of lets comes to for it.
Nodes are known by their identity. What a place says of its nodes is a step (`segments`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...host.once import cached_property
from ...infer.sites.demands import EqualSite
from ...infer.sites.driver import Driver
from ...infer.sites.places import NAMES, tail
from ...infer.sites.relation_site import RelationSite
from ...infer.sites.relaxation import Relaxation
from ...ir import (
    Call,
    Constant,
    Function,
    Let,
    Op,
    Tuple,
    TupleGetItem,
    children,
)
from ...ir import Var as LocalVar
from ...ir.visit import bound_by
from ...logic.states.unknown import has_unknown
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import Slot, is_ground
from ...logic.terms.variables import fresh
from ..places.place import Place
from .demands import Demand, Demands
from .segments import Flow, Step

if TYPE_CHECKING:
    from ..places.said import Said

__all__ = ["Alone", "Attributes", "Tied"]

Attributes = dict[int, dict[str, Any]]
"""The attributes of calls, by the identity of these."""

_PLAIN = frozenset({"annotation", "call", "constant", "projection", "result", "tuple"})
_KINDS = (Call, Constant, Tuple, TupleGetItem)


_Kind = TypeVar("_Kind", bound=Driver)


class Tied(NamedTuple):
    """What bears on some nodes: steps in their order, the types that are annotated, the places that say it all.

    `open` are the attributes of calls that leave some open.
    """

    steps: list[Step]
    given: dict[int, Any]
    places: frozenset[int]
    open: Attributes


class Alone:
    """What bears on the expressions of one function, by the nodes that places tie together."""

    def __init__(self, said: Said, owner: str, function: Function) -> None:
        self._said = said
        self._driver = said.whole.driver
        self._module = said.whole.module
        self._places = said.places
        self._owner = owner
        self.function = function
        self._values: dict[int, Any] = {}  # of variables without an annotation that a let binds
        self._ties: dict[int, list[Step]] = {}  # that two nodes have one type, by each of them
        self._at: dict[int, list[Place]] = {}  # the places that tie a node to others, or say what it is
        self._foreign: set[int] = set()  # the nodes that something else bears on
        self._attributes: dict[int, list[tuple[str, int]]] = {}  # of calls, with their places if they have some
        self._given: dict[int, dict[str, int]] = {}  # the same of a call that was asked for
        self._nodes: dict[int, tuple[int, ...]] = {}  # that a place is about
        self._result: Place | None = None  # of the result type, and of the use of a variable as the body
        self._use: Place | None = None
        self._comes_to: Place | None = None  # of the variable that the function comes to, if nothing else says that
        self._demands = Demands(said.whole.driver.rules, owner, self._node)
        nodes = said.places.nodes[owner]
        for node in nodes:
            if type(node) is Let and node.var.type_annotation is None and not isinstance(tail(node.value)[0], NAMES):
                self._values[id(node.var)] = node.value
        for node in nodes:
            if type(node) is not LocalVar:
                self._visit(node)
        for place in self._places:
            if place.owner == owner:
                self._enter(place)
        self._types: dict[int, Any] = {}  # of nodes, in the program

    @cached_property
    def sites(self) -> dict[int, Any]:
        """The sites by the identity of their expressions, but those that were solved of known types alone."""
        return {id(site.expr): site for site in self._driver.sites if not isinstance(site, EqualSite)}

    @cached_property
    def is_cut(self) -> bool:
        """Whether no type in the program holds `Any`."""
        store = self._driver.store
        memo: dict[int, Any] = {}  # types hold each other
        types = self._said.whole.generator.types.values()
        known = {t if is_ground(t) else reify_term(store.walk(t), store.bindings, memo) for t in types}
        return not has_unknown(tuple(known))

    @classmethod
    def of(cls, said: Said, owner: str) -> Alone | None:
        """What bears on the expressions of the function `owner`; None if other functions do."""
        module = said.whole.module
        function = next((f for v, f in module.functions.items() if v.name_hint == owner), None)
        if function is None or function.type_constraints or function.type_params or module.declarations:
            return None
        if any(called.name_hint == owner for called in said.places.mentions):
            return None
        return cls(said, owner, function)

    def _node(self, expr: Any) -> Any:
        """The node that has the type of an expression."""
        while True:
            if type(expr) is Let:
                expr = tail(expr)[0]
            elif id(expr) in self._values:
                expr = self._values[id(expr)]
            else:
                return expr

    def _visit(self, node: Any) -> None:
        """Take note of what always has one type, and of what something else bears on."""
        kind = type(node)
        if kind is Let:
            if node.var.type_annotation is not None:
                value = self._node(node.value)
                if isinstance(tail(node.value)[0], NAMES):  # that it is of this type is a place of its own
                    self._foreign.update((id(node.var), id(value)))
                self._tie(node.var, value)
        elif kind is Call and type(node.op) is Op:
            if node.op.name not in self._driver.rules.operators:
                self._foreign.add(id(node))
        elif kind not in _KINDS and node is not self.function:
            self._foreign.add(id(node))
            self._foreign.update(id(self._node(child)) for child in children(node))
            self._foreign.update(map(id, bound_by(node)))
        elif kind is Call:
            self._foreign.update(id(self._node(part)) for part in (node, node.op, *node.args))

    def _tie(self, variable: Any, value: Any) -> None:
        ends = (id(variable), id(value))
        at = max(self._places.at(value), default=-1)
        step = Step(("tie", ends[0]), at, ends, True, self._demands.equal(variable, value), ends[0])
        for end in ends:
            self._ties.setdefault(end, []).append(step)

    def _enter(self, place: Place) -> None:
        """Take note of the nodes that a place is about, and of what it says of them."""
        node, kind, binds = place.node, place.kind, place.binds
        if kind == "attribute":
            if self._said.told_apart:
                self._attributes.setdefault(id(node), []).append((place.attribute, place.index))
            return
        if binds is not None and not isinstance(binds, LocalVar):
            if binds is self.function:
                self._comes_to = place
            return
        about = [node] if binds is None else [node, binds]
        if kind == "annotation":
            pass
        elif kind in ("call", "tuple", "projection") and isinstance(node, _KINDS):
            about += node.args if type(node) is Call else children(node)
        elif kind == "result":
            about = [node.body]
            self._result = place if node is self.function else None
        elif place.demand is not None and kind == "use" and place.demand[-1] == "the body":
            self._use = place
        values = self._values
        told: dict[int, None] = {}
        for part in about:
            found = id(part)
            if found in values or type(part) is Let:  # most stand for themselves
                found = id(self._node(part))
            if found not in told:
                told[found] = None
                if found in self._at:
                    self._at[found].append(place)
                else:
                    self._at[found] = [place]
        self._nodes[place.index] = tuple(told)

    def _step_at(self, place: Place) -> Demand | None:
        """What a place but an annotation says of the nodes that it is about; None if that is not known here."""
        if place.binds is None and (place.kind not in _PLAIN or id(place.node) in self._foreign):
            return None
        return partial(self._demands.state, place)

    @property
    def program(self) -> Driver:
        """The driver of the program."""
        return self._driver

    @property
    def body(self) -> int:
        """The node that the function comes to."""
        return id(self._node(self.function.body))

    def ends(self) -> frozenset[int]:
        """The numbers of the places that say that the function comes to what its result type is."""
        return frozenset(p.index for p in (self._use, self._result) if p is not None)

    def comes_to(self) -> frozenset[int]:
        """The number of the place of the variable that the function comes to, if nothing else says that."""
        return frozenset() if self._comes_to is None else frozenset([self._comes_to.index])

    def parts(self, node: Any) -> tuple[int, ...]:
        """The nodes that a call, a tuple or a projection is made of."""
        return tuple([id(self._node(part)) for part in (node.args if type(node) is Call else children(node))])

    def given(self, call: Any) -> Mapping[str, int]:
        """The attributes that a call gives, with the numbers of their places."""
        found = self._given.get(id(call))
        if found is None:
            found = self._given[id(call)] = dict(self._attributes.get(id(call), ()))
        return found

    def attributes(self, places: Iterable[int]) -> frozenset[int]:
        """Those of some places that are attributes."""
        return frozenset(i for i in places if self._places.all[i].kind == "attribute")

    def annotation(self, node: int) -> int:
        """The number of the place of the annotation of a variable."""
        return next(p.index for p in self._at[node] if p.kind == "annotation" and id(p.node) == node)

    def places_at(self, node: int) -> Sequence[Place]:
        """The places that tie a node to others, or say what it is."""
        return self._at.get(node, ())

    def nodes_of(self, place: Place) -> tuple[int, ...]:
        """The nodes that a place is about."""
        return self._nodes.get(place.index, ())

    def bound_with(self, node: int) -> list[int]:
        """The nodes that have the type of a node whatever places are left out, itself among them."""
        return [other for step in self._ties.get(node, ()) for other in step.nodes]

    def is_foreign(self, node: Any) -> bool:
        """Whether something else bears on a node."""
        return id(node) in self._foreign

    def place(self, index: int) -> Place:
        """A place by its number."""
        return self._places.all[index]

    def call(self, call: Any) -> Place:
        """The place of a call."""
        (place,) = (self._places.all[i] for i in self._places.at(call) if self._places.all[i].kind == "call")
        return place

    def known(self, expr: Any) -> Any:
        """The type of an expression where all places say something."""
        return self._said.whole.type_of(expr)

    def driver(self, attributes: Attributes, kind: type[_Kind] = Driver) -> _Kind:  # type: ignore[assignment]
        """A driver for the sites of the function, where some calls have other attributes."""
        relaxation = Relaxation(attrs=attributes) if attributes else None
        return kind(self._driver.rules, relaxation, module=self._module)

    def wanted(self, expr: Any) -> tuple[int, ...]:
        """The nodes that the type of an expression is made of."""
        if expr is self.function:
            return tuple(id(self._node(part)) for part in (*expr.params, expr.body))
        return (id(self._node(expr)),)

    def result_of(self, kept: Collection[int]) -> Any:
        """The result type of the function, if that is not the type of its body."""
        if self._comes_to is not None and self._comes_to.index not in kept:
            return fresh()
        if self._result is not None and self._result.index in kept:
            return self.function.ret_type
        return None if self._use is None or self._use.index in kept else fresh()

    def declared(self) -> set[int]:
        """The numbers of the places where the type of the function is written: at its parameters, and its result."""
        written = {index for parameter in self.function.params for index in self._places.at(parameter)}
        return written.union(place.index for place in (self._result, self._use) if place is not None)

    def below(self, expr: Any, nodes: Iterable[int]) -> set[int]:
        """The numbers of the places at the nodes of an expression, and at those that these are made of."""
        found: set[int] = {self._comes_to.index} if self._comes_to and expr is self.function else set()
        agenda = list(nodes)
        seen = set(agenda)
        while agenda:
            node = agenda.pop()
            for place in self._at.get(node, ()):
                if id(place.node if place.binds is None else place.binds) == node:
                    found.add(place.index)
                    found.update(index for _, index in self._attributes.get(node, ()))
                    new = [other for other in self._nodes[place.index] if other not in seen]
                    seen.update(new)
                    agenda += new
        return found

    def way(self, place: int, nodes: Collection[int], some: Collection[int]) -> int | None:
        """How many of some places are between one of them and some nodes, on a shortest way over these places; None if
        none leads there."""
        left, sought = set(some), set(nodes)
        reached = list(self._nodes.get(place, ()))
        seen = set(reached)
        between = 0
        while reached:
            if not sought.isdisjoint(reached):
                return between
            new: list[int] = []
            for node in reached:
                for other in self._at.get(node, ()):
                    if other.index in left:
                        left.discard(other.index)
                        new += [n for n in self._nodes[other.index] if n not in seen]
                        seen.update(new)
            for node in new:  # what a variable is bound to is no place
                for step in self._ties.get(node, ()):
                    new += [n for n in step.nodes if n not in seen]
                    seen.update(new)
            reached = new
            between += 1
        return None

    def user(self, expr: Any) -> Any:
        """The first call that takes an expression; None if none does."""
        node = id(self._node(expr))
        calls = [place for place in self._at.get(node, ()) if place.kind == "call" and id(place.node) != node]
        return min(calls, key=lambda place: place.index).node if calls else None

    def annotated(self, places: Iterable[int]) -> list[int]:
        """The variables whose annotations are among some places."""
        found = (self._places.all[i] for i in places)
        return [id(place.node) for place in found if place.kind == "annotation"]

    def without(self, places: frozenset[int]) -> frozenset[int]:
        """Some places, with those that say nothing without them."""
        if self._use is None or self._result is None or self._use.index not in places:
            return places
        return places | {self._result.index}

    def opened(self, places: frozenset[int], kept: frozenset[int]) -> list[tuple[Place, dict[str, Any]]]:
        """The calls, by their places, of the attributes among some places, with what they leave open."""
        calls = {id(p.node): p.node for p in (self._places.all[i] for i in places) if p.kind == "attribute"}
        found = []
        for call in calls.values():
            place = self.call(call)
            if place.index in kept:
                silent = [name for name, i in self._attributes.get(id(call), ()) if i not in kept]
                found.append((place, {**call.given, **{name: fresh() for name in silent}}))
        return found

    def tied(self, nodes: Iterable[int], kept: frozenset[int]) -> Tied | None:
        """What bears on some nodes where only the places in `kept` say something; None if there is more."""
        found: set[int] = set()
        steps: dict[Any, Step] = {}
        given: dict[int, Any] = {}
        open_: Attributes = {}
        agenda = list(nodes)
        seen = set(agenda)
        while agenda:
            node = agenda.pop()
            if node in self._foreign:
                return None
            new: list[int] = []
            for step in self._ties.get(node, ()):
                steps[step.said] = step
                new.extend(step.nodes)
            for place in self._at.get(node, ()):
                index = place.index
                if index not in kept or index in found:
                    continue
                found.add(index)
                if place is self._use or (place is self._result and self._use and self._use.index not in kept):
                    continue  # the result type alone says nothing of a variable that is the body
                if place.kind == "annotation":
                    given[id(place.node)] = place.node.type_annotation
                    continue
                demand = self._step_at(place)
                if demand is None:
                    return None
                attributes = self._attributes.get(id(place.node), ())
                found.update(i for _, i in attributes if i in kept)
                silent = tuple([name for name, i in attributes if i not in kept])
                if silent:
                    open_[id(place.node)] = {**place.node.given, **{name: fresh() for name in silent}}
                gives = id(place.node if place.binds is None else place.binds)
                gives = 0 if silent or place.kind == "result" else gives
                steps[index] = Step((index, *silent), index, self._nodes[index], False, demand, gives)
                new.extend(self._nodes[index])
            for other in new:
                if other not in seen:
                    seen.add(other)
                    agenda.append(other)
        ordered = sorted(steps.values(), key=lambda step: (step.at, step.is_tie))
        return Tied(ordered, given, frozenset(found), open_)

    def flow(self, tied: Tied) -> Flow:
        """What types flow along the steps: a call of known arguments tells those that nothing is known of, and itself.

        In the program such a call was solved once, and not looked at again. So it comes to the same wherever as much
        is known of its arguments.
        """
        inference = self._said.whole
        if inference.failed():
            return {}, frozenset()
        found = {node: type_ for node, type_ in tied.given.items() if is_ground(type_)}
        sure: set[Any] = set()
        met = set(tied.given)  # nodes of which something may be known
        for step in tied.steps:
            nodes = step.nodes
            new = [node for node in nodes if node not in found]
            is_whole = step.is_tie or len(step.said) == 1  # else, some attributes are left open
            if is_whole and met.isdisjoint(new) and self._is_told(step, new):
                told = [self.type(node) for node in new]
                if all(map(is_ground, told)):
                    found.update(zip(new, told, strict=True))
                    sure.add(step.said)
            met.update(nodes)
        return found, sure

    def type(self, node: int) -> Any:
        """The type of a node where all places say something."""
        found = self._types.get(node)
        if found is None:
            inference = self._said.whole
            found = self._types[node] = inference.driver.store.reify(inference.generator.types[node])
        return found

    def _is_told(self, step: Step, new: list[int]) -> bool:
        """Whether a step was solved once, where nothing was known of some of its nodes, and all of the others."""
        if new in ([], [step.gives]) and step.gives not in self.sites:
            return True
        return len(step.nodes) > 1 and self.has_told(step.gives, new)

    def has_told(self, call: int, new: Collection[int]) -> bool:
        """Whether a call was solved once, where nothing was known of some of its nodes, and all of the others."""
        site = self.sites.get(call)
        if not isinstance(site, RelationSite) or site.attempts != 1:
            return False
        solution = site.solution
        if solution is None or not solution.decided or not is_ground(solution.general):
            return False
        arguments = [id(self._node(argument)) for argument in getattr(site.expr, "args", ())]
        key = site.key[:-1]
        return [type(term) is Slot for term in key] == [node in new for node in arguments]
