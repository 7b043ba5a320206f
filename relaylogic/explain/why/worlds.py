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
from ...logic.terms import is_ground, slot
from ...logic.unknown import has_unknown
from ...rulebase import AttributeProblem, Operator, RuleError
from ...rulebase.attributes import Attrs
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType
from ..places.places import Place
from ..places.said import Part
from .alone import Alone, Tied
from .changes import (
    OTHER_DTYPE,
    Change,
    changed,
    dtypes_of,
    has_other_names,
    has_others,
    most_axes,
    swapped,
    swapped_once,
    swaps_of,
    unknown_in,
    values_near,
)
from .work import Work

__all__ = ["World", "Worlds"]

_STEPS_A_SITE = 4
"""So many steps are looked at in the time that a site takes to be solved."""

_AN_OUTCOME = 5
"""What a call comes to is told in the time of so many sites."""

_RESULT = slot(0)
class World(NamedTuple):
    """The types of nodes that are others there, and the places that do not hold."""

    types: Mapping[int, Any]
    denied: frozenset[int]


class _Step(NamedTuple):
    """What a place says of the node `head`: that it is made of others, or that it is of the type of the only one.

    Of a call, `operator` is that of it.
    """

    at: int
    head: int
    parts: tuple[int, ...]
    node: Any
    is_tie: bool
    operator: Operator | None


class Worlds:
    """The worlds of what is tied together; `work` pays for the calls that are asked."""

    def __init__(self, alone: Alone, tied: Tied, ends: frozenset[int], work: Work) -> None:
        self._alone = alone
        self._work = work
        self._ends = ends  # the places that say of which type the body is
        self._rules = alone.program.rules
        self._body = alone.body
        self._known: dict[int, Any] = {}
        self._annotations = {node: alone.annotation(node) for node in tied.given}
        self._written = {node for node, type_ in tied.given.items() if is_ground(type_)}
        self._steps: list[_Step] = []
        self._users: dict[int, list[int]] = {}  # the steps that are about a node
        self._calls: dict[int, int] = {}  # the steps of calls, by their places
        self._told: set[int] = set()  # the nodes that a step gives their type
        self._said: dict[int, list[int]] = {}  # the nodes that a place is about
        self._outcomes: dict[Any, Any] = {}
        # What calls were heard to say: the names of the attributes that are others, and the types, the result last.
        self._heard: dict[int, list[tuple[frozenset[str], tuple[Any, ...]]]] = {}
        self._telling: dict[int, frozenset[int]] = {}  # what steps tell of what they take
        self._attrs: dict[tuple[int, str], Any] = {}  # of calls, by their places and what is another attribute there
        self._dtypes: dict[int, list[Any]] = {}  # of what calls take in the program, by their places
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
        self._has_unknown = has_unknown(tuple(self._known.values()))
        self.rank = 1 + most_axes(self._known.values())
        """So many axes no tensor has."""
        self._stated = self._told.union(self._annotations)

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
            operator = self._rules.operators[node.op.name]  # type: ignore[attr-defined]
        self._steps.append(_Step(at, head, parts, node, is_tie, operator))

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
        return any(step.at in others and self._may_be_others(step, others, change) for step in users)

    def _may_be_others(self, step: _Step, others: Part, change: Change) -> bool:
        """Whether a call may have other attributes with a change, besides those at the places `others`."""
        given = self._alone.given(step.node) if step.operator is not None else {}
        if others.issuperset(given.values()):
            return False
        own = step.node.given
        may_be = has_other_names if change is OTHER_DTYPE else has_others
        return any(given[name] not in others and may_be(own[name]) for name in given)

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
            if not others.issuperset(given[name] for name in given if has_others(own[name])):
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

    def _told_by(self, step: _Step) -> frozenset[int]:
        opened = [part for part in dict.fromkeys(step.parts[1:]) if part not in self._told and part != step.parts[0]]
        if not opened or step.operator is None or step.operator.variadic:
            return frozenset()
        slots = {part: slot(i) for i, part in enumerate(opened)}
        asked = tuple([slots.get(part) or self._known[part] for part in step.parts])
        general = self._asked(step, asked, None, (step.at, ""), len(slots), False)
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

    def _is_as_known(self, step: _Step) -> bool:
        """Whether a call gives its type in the program where it takes what it takes there."""
        return bool(self._outcome(step, [self._known[part] for part in step.parts], None) == self._known[step.head])

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
                    agenda.update([i for i in users[node] if i > at])
        if self._has_unknown and any(unknown_in(t) != unknown_in(self._known[node]) for node, t in types.items()):
            return None
        denied.update(self._annotations[node] for node in types if node in self._annotations)
        if self._body in types:
            denied |= self._ends
        return World(types, frozenset(denied))

    def _holds(
        self,
        step: _Step,
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
        made = self._outcome(step, parts, attrs.get(step.at) if attrs else None)
        if made is None and step.operator is not None:
            repaired = self._repaired(step, at, parts, types, attrs, others, near)
            if repaired is not None:
                new, told, made = repaired
                types.update(new)
                if told:
                    attrs[step.at] = {**attrs.get(step.at, {}), **told}
                    given = self._alone.given(step.node)
                    denied.update(given[name] for name in told)
        if made is None:
            return False
        head = step.head
        if head in types:
            return bool(made == types[head])
        if made != known[head]:
            types[head] = made
        return True

    def _is_mixed(self, step: _Step, parts: list[Any]) -> bool:
        """Whether a call takes several dtypes, and others than in the program."""
        if len(parts) == 1 and type(parts[0]) is TensorType:
            return False
        own = self._dtypes.get(step.at)
        if own is None:
            own = self._dtypes[step.at] = dtypes_of([self._known[node] for node in step.parts])
        dtypes = dtypes_of(parts)
        return dtypes != own and len(set(dtypes)) > 1

    def _repaired(
        self,
        step: _Step,
        at: int,
        parts: list[Any],
        types: dict[int, Any],
        attrs: dict[int, Any],
        others: Part | None,
        near: bool,
    ) -> tuple[dict[int, Any], dict[str, Any], Any] | None:
        """Other types of what no other call gives, and other attributes, with which a call says something, and what.

        What is said at the places `others` is not changed; if they are not told, all that is said stays.
        """
        known = self._known
        free = [
            node
            for node in dict.fromkeys(step.parts)
            if node not in types and node not in self._told and self._users[node][0] >= at
            if self._may_change(self._annotations.get(node), others)
        ]
        changed = attrs.get(step.at) or {}
        places = self._alone.given(step.node)
        given = [name for name in places if name not in changed and self._may_change(places[name], others)]
        if not free and not given:
            return None
        swaps: dict[Any, Any] = {}
        for node, part in zip(step.parts, parts, strict=True):
            if node in types:
                swaps.update(swaps_of(known[node], part))
        for name, value in changed.items():
            swaps.update(swaps_of(step.node.given[name], value))
        own = step.node.given or {}
        new = {node: other for node in free if (other := swapped(known[node], swaps)) != known[node]}
        one = {name: other for name in given if (other := swapped_once(own[name], swaps)) != own[name]}
        every = {name: other for name in given if (other := swapped(own[name], swaps)) != own[name]}
        tries: list[tuple[dict[int, Any], dict[str, Any]]] = [(new, {})] if new else []
        tries += [({}, {name: value}) for name, value in one.items()]
        tries += [({}, every)] if len(every) > 1 or every != one else []
        tries += [(new, every)] if new and every else []
        tries += [({}, {name: other}) for name in given for other in values_near(own[name])] if near else []
        for types_, told in tries:
            tried = [types_.get(node, part) for node, part in zip(step.parts, parts, strict=True)]
            made = self._outcome(step, tried, {**changed, **told} or None)
            if made is not None:
                return types_, told, made
        for node in free:
            for opened, slots in () if node in self._annotations else _openings(new.get(node, known[node])):
                found = self._opened(step, parts, node, opened, slots, changed)
                if found is not None:
                    return found
        return None

    def _may_change(self, place: int | None, others: Part | None) -> bool:
        return place is None or (others is not None and place not in others)

    def _opened(
        self, step: _Step, parts: list[Any], node: int, opened: Any, slots: int, attrs: dict[str, Any]
    ) -> tuple[dict[int, Any], dict[str, Any], Any] | None:
        """The type that a call gives to a node that it takes, which is `opened`, and what it says then."""
        places = [i for i, part in enumerate(step.parts) if part == node]
        tried = [opened if i in places else part for i, part in enumerate(parts)]
        general = self._general(step, tried, attrs or None, slots)
        if general is None or step.operator is None:
            return None
        fields = general[0].fields if step.operator.variadic else general
        found = fields[places[0]]
        tried = [found if i in places else part for i, part in enumerate(parts)]
        made = self._outcome(step, tried, attrs or None)
        return None if made is None else ({node: found}, {}, made)

    def _outcome(self, step: _Step, parts: list[Any], attrs: dict[str, Any] | None) -> Any:
        """What a step gives its head where its parts have these types; None if it refuses, says not one thing, or takes
        dtypes that are mixed."""
        node = step.node
        if step.operator is not None:
            general = None if self._is_mixed(step, parts) else self._general(step, parts, attrs)
            return None if general is None else general[-1]
        if node is None:
            return parts[0]
        if type(node) is Tuple:
            return TupleType(tuple(parts))
        if type(node) is TupleGetItem:
            fields = getattr(parts[0], "fields", ())
            return fields[node.index] if node.index < len(fields) else None
        return self._known[step.head]

    def _general(self, step: _Step, parts: list[Any], attrs: dict[str, Any] | None, opened: int = 0) -> Any:
        """What a call says of its types, the result last, if it says all of them; None if not.

        So many slots are `opened` in its parts.
        """
        given = (step.at, repr(sorted(attrs.items())) if attrs else "")
        key = (given, tuple(parts))
        try:
            return self._outcomes[key]
        except KeyError:
            found = self._outcomes[key] = self._asked(step, key[1], attrs, given, opened)
            if found is not None and not opened:
                self._heard.setdefault(id(step.node), []).append((frozenset(attrs or ()), (*key[1], found[-1])))
            return found

    def heard(self, call: Call, silent: Collection[str]) -> Iterator[tuple[frozenset[str], tuple[Any, ...]]]:
        """What a call was heard to say where none but some attributes are others: which of them are, and the types of
        what it takes and gives."""
        heard = reversed(self._heard.get(id(call), ()))  # what is tried last is farthest from the program
        return ((names, types) for names, types in heard if names.issubset(silent))

    def _asked(
        self,
        step: _Step,
        parts: tuple[Any, ...],
        attrs: dict[str, Any] | None,
        given: tuple[int, str],
        opened: int,
        goals: bool = True,
    ) -> Any:
        """What the rules say of a call, or programs alone without `goals`; its attributes are kept as those that are
        `given`."""
        operator = step.operator
        assert operator is not None
        try:
            told = self._attrs_of(step, attrs, given)
            if type(told) is Open:
                return None
            inputs = (TupleType(parts),) if operator.variadic else parts
            arguments = (*inputs, slot(opened) if opened else _RESULT)
            outcome = self._rules.outcome(operator.relation, arguments, told, goals)
        except (AttributeProblem, RuleError):
            return None
        self._work.pay(_AN_OUTCOME)
        self._work.check()
        return outcome

    def _attrs_of(self, step: _Step, attrs: dict[str, Any] | None, given: tuple[int, str]) -> Any:
        """The attributes of a call, some of which are others, kept as those that are `given`. Raises AttributeProblem.
        """
        try:
            return self._attrs[given]
        except KeyError:
            pass
        driver, call, operator, found = self._alone.program, step.node, step.operator, None
        assert operator is not None
        if attrs is None:
            found = driver.attrs_of(operator, call)
        else:
            own = self._attrs_of(step, None, (step.at, ""))
            if type(own) is Attrs:
                found = operator.attrs_but(own, attrs)
            if found is None:
                found = driver.attrs_of(operator, call, {**call.given, **attrs})
        self._attrs[given] = found
        return found


def _openings(known: Any) -> Iterator[tuple[Any, int]]:
    """What may be asked of a call to hear a type that it takes, with the number of slots in it: all of the type, or the
    extents of a tensor, of which the dtype may be something else by default only."""
    yield slot(0), 1
    if type(known) is TensorType and type(known.shape) is tuple and known.shape:
        rank = len(known.shape)
        yield TensorType(tuple(map(slot, range(rank))), known.dtype), rank
