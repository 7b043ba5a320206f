"""Other typings of a program, and the places that each of them denies: who says none of these does not force a type.

A *world* gives each node that bears on an expression a known type. It is made of the program's own types by changing
one of them, or an attribute, and carrying that through the calls, each of which is asked about known types only. Where
a call refuses what it is told, or says something else than is known otherwise, it is denied; or what no other call
tells it is changed with it: numbers and dtypes as they have changed in its other types. An annotation is denied of
which the type has changed. All other places hold in that world; so if the expression has another type there, each set
of places that forces its type has one of those that are denied.

What inference fills in by default would be what a set forces though other types are as good. That is done for dtypes:
a call that takes several, not all of which are as in the program, is denied, too. And what is not known is not `?` by
default: no world has `?` where the program has none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from ...ir import Call, Constant, Tuple, TupleGetItem
from ...logic.states.unknown import has_unknown
from ...logic.terms.terms import is_ground, slot
from ..places.place import Place
from ..places.said import Part
from .alone import Alone, Tied
from .changes import (
    OTHER_DTYPE,
    Change,
    changed,
    has_other_names,
    has_others,
    most_axes,
    unknown_in,
    values_near,
)
from .outcomes import Outcomes, Step
from .repairs import Repairs
from .work import Work

__all__ = ["World", "Worlds"]

_STEPS_A_SITE = 4
"""So many steps are looked at in the time that a site takes to be solved."""


class World(NamedTuple):
    """The types of nodes that are others there, and the places that do not hold."""

    types: Mapping[int, Any]
    denied: frozenset[int]


class Worlds:
    """The worlds of what is tied together; `work` pays for the calls that are asked."""

    def __init__(self, alone: Alone, tied: Tied, ends: frozenset[int], work: Work) -> None:
        self._alone = alone
        self._work = work
        self._ends = ends  # the places that say of which type the body is
        self._body = alone.body
        self._known: dict[int, Any] = {}
        self._annotations = {node: alone.annotation(node) for node in tied.given}
        self._written = {node for node, type_ in tied.given.items() if is_ground(type_)}
        self._steps: list[Step] = []
        self._users: dict[int, list[int]] = {}  # the steps that are about a node
        self._calls: dict[int, int] = {}  # the steps of calls, by their places
        self._told: set[int] = set()  # the nodes that a step gives their type
        self._said: dict[int, list[int]] = {}  # the nodes that a place is about
        self._telling: dict[int, frozenset[int]] = {}  # what steps tell of what they take
        # By the place and what is changed there, and nothing else that is said: those that were made, and the others.
        self._made: dict[tuple[int, Change | None], tuple[list[World], Iterator[World]]] = {}
        self.is_sound = True
        for step in tied.steps:
            place = None if step.is_tie else alone.place(step.at)
            self._add(step.at, place, step.nodes, step.is_tie)
        self.changeable = frozenset(self._annotations.values()) | alone.attributes(tied.places)
        """The places at which something may be changed with what has changed elsewhere."""
        for node in {*self._users, *tied.given}:
            self._users.setdefault(node, [])
            known = self._known[node] = alone.type(node)
            self.is_sound = self.is_sound and is_ground(known)
        self._has_unknown = not alone.is_cut and has_unknown(tuple(self._known.values()))
        self.rank = 1 + most_axes(self._known.values())
        """So many axes no tensor has."""
        self._stated = self._told.union(self._annotations)
        self.outcomes = Outcomes(alone, self._known, work)
        """What calls come to."""
        self._repairs = Repairs(alone, self.outcomes, self._known, self._told, self._users, self._annotations)

    def _add(self, at: int, place: Place | None, nodes: tuple[int, ...], is_tie: bool) -> None:
        node = None if place is None else place.node
        head = nodes[0]
        if place is not None and place.kind == "result":
            self._annotations.setdefault(head, at)  # that of a variable stays: the result type is one of the ends
            self._users.setdefault(head, [])
            return
        if place is None or place.binds is not None:
            head, parts = (nodes[0], nodes[1:]) if place is None else (nodes[-1], nodes[:-1])
            node = None
        elif type(node) in (Call, Tuple, TupleGetItem, Constant):
            parts = self._alone.parts(node)
        else:
            self.is_sound = False
            return
        for each in {head, *parts}:
            self._users.setdefault(each, []).append(len(self._steps))
        self._told.add(head)
        operator = None
        if type(node) is Call:
            self._calls[at] = len(self._steps)
            operator = self._alone.program.rules.operators[node.op.name]  # type: ignore[attr-defined]
        self._steps.append(Step(at, head, parts, node, is_tie, operator))

    def type(self, node: int, world: World | None = None) -> Any:
        """The type of a node, in a world or in the program."""
        if world is not None and node in world.types:
            return world.types[node]
        if node not in self._known:
            self._known[node] = self._alone.type(node)
        return self._known[node]

    def of_attribute(self, place: Place) -> Iterator[World]:
        """Worlds in which the attribute at a place is another one."""
        return self._once(place.index, None, lambda: self._of_attribute(place))

    def _once(self, at: int, change: Change | None, make: Callable[[], Iterator[World]]) -> Iterator[World]:
        """The worlds of a change at a place (None: of an attribute), each made when it is first asked for."""
        key = (at, change)
        if key not in self._made:
            self._made[key] = [], make()
        found, more = self._made[key]
        count = 0
        while True:
            if count == len(found):
                try:
                    found.append(next(more))
                except StopIteration:
                    return
                except BaseException:  # there may be more
                    self._made.pop(key, None)
                    raise
            yield found[count]
            count += 1

    def _of_attribute(self, place: Place) -> Iterator[World]:
        call = self._alone.call(place.node).index
        given = place.node.given[place.attribute]
        for value in values_near(given):
            world = self._carried({}, {place.index}, {call: {place.attribute: value}}, None)
            if world is not None:
                if call in world.denied and not isinstance(given, str):  # what a call is told says mostly what it takes
                    return
                yield world

    def changed(self, place: Place, change: Change, others: Part | None = None) -> Iterator[World]:
        """Worlds in which a type at a place is another one.

        What is told to calls that refuse is changed with it if it is not annotated, and if it is, or is an attribute,
        where that is none of the places `others`.
        """
        if others is None:
            return self._once(place.index, change, lambda: self._changed_at(place, change, None))
        return self._changed_at(place, change, others)

    def _changed_at(self, place: Place, change: Change, others: Part | None) -> Iterator[World]:
        for node in self._said_of(place):
            other = changed(self._known[node], change)
            if other is not None:
                denied = set() if place.kind == "annotation" else {place.index}
                world = self._carried({node: other}, denied, {}, others)
                if world is not None:
                    yield world

    def may_change_more(self, world: World, others: Part, change: Change) -> bool:
        """Whether more may be changed so that a call holds that is denied in a world of a change, if what is said at
        the places `others` stays."""
        for at in world.denied:
            if at in self._calls:
                step = self._steps[self._calls[at]]
                said = [self._annotations[node] for node in step.parts if node in self._annotations]
                if not others.issuperset(said) or self._may_be_others(step, others, change):
                    return True
        return False

    def is_free(self, place: Place, others: Part, change: Change) -> bool:
        """Whether a call among the places `others` that takes what is said at a place may have other attributes with a
        change of that, if what is said at these places stays. Mostly it refuses the change with the same ones."""
        users = [self._steps[i] for node in self._said_of(place) for i in self._users[node]]
        return any(self._may_be_others(step, others, change) for step in users if step.at in others)

    def _may_be_others(self, step: Step, others: Part, change: Change) -> bool:
        """Whether a call may have other attributes with a change, besides those at the places `others`."""
        given = self._alone.given(step.node) if step.operator is not None else {}
        if others.issuperset(given.values()):
            return False
        own = step.node.given
        may_be = has_other_names if change is OTHER_DTYPE else has_others
        return any(map(may_be, [own[name] for name in given if given[name] not in others]))

    def is_taken_with(self, place: Place, others: Part) -> bool:
        """Whether a call among the places `others` takes what is said at a place, and something else that is said."""
        stated = self._stated
        for node in self._said_of(place):
            for i in self._users[node]:
                step = self._steps[i]
                if len(step.parts) > 1 and step.at in others and type(step.node) is Call:
                    if not stated.isdisjoint([part for part in step.parts if part != node]):
                        return True
        return False

    def is_told(self, place: Place, others: Part) -> bool:
        """Whether a call among the places `others` tells what is annotated at a place, if its attributes, and what it
        is told, are said there."""
        node = id(place.node)
        if node in self._told or node not in self._annotations:
            return False
        for i in self._users[node]:
            step = self._steps[i]
            if type(step.node) is not Call or step.at not in others:
                continue
            given, own = self._alone.given(step.node), step.node.given or {}
            if not others.issuperset([given[name] for name in given if has_others(own[name])]):
                continue
            told = self._tells(i)
            if node in told and all(
                part in self._told or part in told or self._annotations.get(part) in others for part in step.parts
            ):
                return True
        return False

    def _tells(self, at: int) -> frozenset[int]:
        """What a step tells of what it takes besides its first part, where nothing else tells that, as far as a program
        knows: to ask goals takes longer than what this saves."""
        found = self._telling.get(at)
        if found is None:
            found = self._telling[at] = self._told_by(self._steps[at])
        return found

    def _told_by(self, step: Step) -> frozenset[int]:
        opened = [part for part in dict.fromkeys(step.parts[1:]) if part not in self._told and part != step.parts[0]]
        if not opened or step.operator is None or step.operator.variadic:
            return frozenset()
        slots = {part: slot(i) for i, part in enumerate(opened)}
        asked = tuple([slots.get(part) or self._known[part] for part in step.parts])
        general = self.outcomes.told(step, asked, len(slots))
        if general is None:
            return frozenset()
        told = zip(step.parts, general, strict=False)
        return frozenset(part for part, type_ in told if part in slots and type_ == self._known[part])

    def following(self, kept: Part, hoped: Callable[[Call, tuple[str, ...], Collection[int]], bool]) -> set[int]:
        """Nodes whose types in the program follow from the places in `kept`, one step after the other.

        A call that leaves attributes open is asked about by `hoped`, with their names and the nodes of the call that do
        not follow yet: whether its type is the same whatever they are.
        """
        alone = self._alone
        met = {node for node, at in self._annotations.items() if at in kept}  # nodes of which something may be known
        found = self._written & met
        for i, step in enumerate(self._steps):
            if not step.is_tie and step.at not in kept:
                continue
            node, head, parts = step.node, step.head, step.parts
            if step.operator is None:
                if found.issuperset(parts) and (type(node) is not Constant or node.tensor_type is not None):
                    found.add(head)
                elif node is None and head in found:
                    found.update(parts)
            else:
                given = alone.given(node)
                silent = tuple([name for name in given if given[name] not in kept])
                new = {part for part in (*parts, head) if part not in found}
                if silent:
                    if hoped(node, silent, new):
                        found.add(head)
                elif len(new) == 1 and head in new:
                    if head not in alone.sites or self._is_as_known(step):
                        found.add(head)
                elif (met.isdisjoint(new) and alone.has_told(head, new)) or new <= {*self._tells(i), head}:
                    found |= new
            met.update(parts)
            met.add(head)
        return found

    def _is_as_known(self, step: Step) -> bool:
        """Whether a call gives its type in the program where it takes what it takes there."""
        return bool(self.outcomes.of(step, [self._known[part] for part in step.parts], None) == self._known[step.head])

    def is_taken(self, world: World, place: Place) -> bool:
        """Whether no call refuses what it is told in a world in which something else stands at a place."""
        return not any(at in self._calls and at != place.index for at in world.denied)

    def of_result(self, call: Any, result: Any, attributes: Iterable[str], others: Part) -> Iterator[World]:
        """Worlds in which a call has another result, since these attributes of it, which are not known, are others.

        What is told to calls that refuse is changed with it where that is none of the places `others`.
        """
        place = self._alone.call(call).index
        given = self._alone.given(call)
        if id(call) in self._known:
            world = self._carried({id(call): result}, {place}, {}, others, True)
            if world is not None:
                yield World(world.types, world.denied - {place} | {given[name] for name in attributes})

    def _said_of(self, place: Place) -> list[int]:
        """The nodes that may have other types where a place says something else."""
        found = self._said.get(place.index)
        if found is None:
            node = self._body if place.index in self._ends else id(place.node)
            found = self._said[place.index] = [node] if node in self._known else []
            if type(place.node) is Call and place.kind == "call":
                for part in dict.fromkeys(self._alone.parts(place.node)):
                    if part in self._known and part not in self._told and part not in self._annotations:
                        found.append(part)
        return found

    def of_other_dtypes(self) -> World | None:
        """The world in which all that is told by no call has another dtype, if there is one."""
        stated = {step.head: step.at for step in self._steps if type(step.node) is Constant}
        types: dict[int, Any] = {}
        for node, known in self._known.items():
            if node in stated or node not in self._told:
                other = changed(known, OTHER_DTYPE)
                if other is not None:
                    types[node] = other
        return self._carried(types, {stated[node] for node in types if node in stated}, {}, None)

    def _carried(
        self,
        types: dict[int, Any],
        denied: set[int],
        attrs: dict[int, dict[str, Any]],
        others: Part | None,
        near: bool = False,
    ) -> World | None:
        """The world in which some nodes have other types, some calls other attributes; None if there is none.

        `near`: where a call refuses, any attributes near to its own are tried.
        """
        users, steps = self._users, self._steps
        agenda = {i for node in types for i in users[node]}
        if attrs:
            agenda.update([self._calls[at] for at in attrs if at in self._calls])
        count = 0
        while agenda:
            at = min(agenda)
            agenda.discard(at)
            count += 1
            if count % _STEPS_A_SITE == 0:
                self._work.pay(1)
                self._work.check()
            step = steps[at]
            if step.at in denied and not step.is_tie:
                continue
            before = len(types)
            if not self._holds(step, at, types, denied, attrs, others, near):
                if step.is_tie:
                    return None
                denied.add(step.at)
            if len(types) > before:
                for node in islice(types, before, None):
                    for user in users[node]:
                        if user > at:
                            agenda.add(user)
        if self._has_unknown and any(unknown_in(t) != unknown_in(self._known[node]) for node, t in types.items()):
            return None
        denied.update(self._annotations[node] for node in types if node in self._annotations)
        if self._body in types:
            denied |= self._ends
        return World(types, frozenset(denied))

    def _holds(
        self,
        step: Step,
        at: int,
        types: dict[int, Any],
        denied: set[int],
        attrs: dict[int, Any],
        others: Part | None,
        near: bool,
    ) -> bool:
        """Whether what a step says holds, if its head may have another type, and what it may be told."""
        known = self._known
        parts = [types[node] if node in types else known[node] for node in step.parts]
        changed = attrs.get(step.at, {})
        made, new, told = self._repairs.told(step, at, parts, types, changed, others, near)
        if made is None:
            return False
        if told:
            attrs[step.at] = {**changed, **told}
            given = self._alone.given(step.node)
            denied.update(given[name] for name in told)
        types.update(new)
        head = step.head
        if head in types:
            return bool(made == types[head])
        if made != known[head]:
            types[head] = made
        return True
