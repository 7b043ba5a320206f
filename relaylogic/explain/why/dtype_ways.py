"""Where a dtype comes from: the shortest way to a place that states it, over calls that have one dtype.

Which tensors of a call have one dtype, whatever else is known of it, is told by programs (`RuleBase.alike`). So the
places on a way force the dtype: the calls, what puts tuples together and takes them apart, and the annotation or the
constant at its end. That none of them can be left out is told by other typings: if one is, all that the others tie to
the expression may have another dtype, where the calls among them take that, too.

Representation: a *spot* is where a tensor stands, in the type of a node (`alone`) or in a field of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...logic.terms.terms import is_ground, slot
from ...rulebase import Operator, RuleError
from ...rulebase.attrs import Attrs
from ...rulebase.open_attributes import Open
from ...types import TupleType
from ..places.atoms import alike_in, dtype_at
from ..places.place import Place
from ..places.said import Part
from .alone import Alone
from .changes import OTHER_DTYPE, changed
from .work import NEW, Work

__all__ = ["Way", "way_to"]

Spot = tuple[int, tuple[int, ...]]

_SPOTS_A_SITE = 8
"""So many spots are looked at in the time that a site takes to be solved."""

_AN_OUTCOME = 2
"""What a call comes to is told by a program in the time of so many sites."""


_DEEPEST = 8
"""Fields of fields are followed so deep, and no deeper."""


class Way(NamedTuple):
    """The places on a way, which force a dtype; whether it is known that none of them can be left out."""

    places: Part
    is_minimal: bool


def way_to(alone: Alone, expr: Any, field: tuple[int, ...], some: Part, work: Work) -> Way | None:
    """A shortest way from a field of the type of an expression, in a typed program, to a place that states its dtype,
    over `some` places; None if none is found. Raises Spent."""
    (node,) = alone.wanted(expr)
    return _Ways(alone, some, work).shortest((node, field))


class _Ways:
    def __init__(self, alone: Alone, some: Part, work: Work) -> None:
        self._alone = alone
        self._some = some
        self._work = work
        self._rules = alone.program.rules
        self._ends = alone.ends()
        self._groups: dict[int, list[set[Spot]]] = {}  # of calls, by their places: the spots that have one dtype
        self._spots: dict[int, list[Spot]] = {}  # those that have the dtype in the program
        self._known: dict[Any, Any] = {}  # what calls come to
        self._dtype = ""

    def shortest(self, start: Spot) -> Way | None:
        """The shortest way from a spot."""
        self._dtype = self._dtype_of(start)
        reached: dict[Spot, tuple[Spot, int]] = {}  # from where, over which place: -1 for none
        agenda = deque([start])
        done: set[Spot] = set()
        passed: set[int] = set()  # calls of which all that they tie is reached
        while agenda:
            spot = agenda.popleft()
            if spot in done:
                continue
            done.add(spot)
            if len(done) % _SPOTS_A_SITE == 0:
                self._work.pay(1)
                self._work.check()
            for place in self._places(spot[0]):
                if self._states(place, spot):
                    way: list[int] = []
                    end = spot
                    while spot != start:
                        spot, over = reached[spot]
                        way += [over] if over >= 0 else []
                    way = list(dict.fromkeys(reversed(way)))  # it may lead into a tuple and out of it
                    return Way(frozenset((*way, place.index)), self._needs_all(start, way, end))
            for other in self._beside(spot):
                if other not in done:
                    reached[other] = (spot, -1)
                    agenda.appendleft(other)
            for place in self._places(spot[0]):
                if place.index in passed:
                    continue
                tied = self._tied(place, spot)
                if tied and len(self._groups.get(place.index, ())) == 1:
                    passed.add(place.index)
                for other in tied:
                    if other not in reached and other != start and len(other[1]) <= _DEEPEST:
                        reached[other] = (spot, place.index)
                        agenda.append(other)
        return None

    def _dtype_of(self, spot: Spot) -> Any:
        """The dtype of the tensor at a spot, in the program."""
        return dtype_at(self._alone.type(spot[0]), spot[1])

    def _places(self, node: int) -> Iterator[Place]:
        """The places at a node."""
        return (place for place in self._alone.places_at(node) if place.index in self._some)

    def _states(self, place: Place, spot: Spot) -> bool:
        """Whether a place says on its own what is the dtype at a spot."""
        node, field = spot
        if place.kind == "annotation":
            stated = place.node.type_annotation if id(place.node) == node else None
        elif place.kind == "constant":
            stated = place.node.tensor_type
        elif place.kind == "result" and len(self._ends) == 1:
            stated = place.written
        else:
            return False
        return bool(dtype_at(stated, field) == self._dtype)

    def _beside(self, spot: Spot) -> Iterator[Spot]:
        """The spots that are tied to one by no place: what a variable is bound to."""
        return ((node, spot[1]) for node in self._alone.bound_with(spot[0]) if node != spot[0])

    def _tied(self, place: Place, spot: Spot) -> list[Spot]:
        """The other spots that have the dtype of one if a place holds."""
        node, (at, field) = place.node, spot
        if place.binds is not None:
            return [(other, field) for other in self._alone.nodes_of(place) if other != at]
        if self._alone.is_foreign(node):
            return []
        head = id(node)
        if place.kind == "call":
            return [other for group in self._ties(place) if spot in group for other in group if other != spot]
        found: list[Spot] = []
        if place.kind == "tuple":
            parts = self._alone.parts(node)
            if at == head and field:
                found.append((parts[field[0]], field[1:]))
            found += [(head, (i, *field)) for i, part in enumerate(parts) if part == at]
        elif place.kind == "projection":
            (data,) = self._alone.parts(node)
            if at == head:
                found.append((data, (node.index, *field)))
            if at == data and field[:1] == (node.index,):
                found.append((head, field[1:]))
        return found

    def _moved(self, place: Place, spot: Spot) -> Iterable[Spot]:
        """The other spots that may have another dtype with one where a place holds: of a call, all of that dtype."""
        call = place.node
        if place.kind != "call" or spot not in {other for group in self._ties(place) for other in group}:
            return self._tied(place, spot)
        found = self._spots.get(place.index)
        if found is None:
            nodes = (id(call), *self._alone.parts(call))
            spots = [(node, field) for node in nodes for field in _fields(self._alone.type(node))]
            found = self._spots[place.index] = [spot for spot in spots if self._dtype_of(spot) == self._dtype]
        return found

    def _ties(self, place: Place) -> list[set[Spot]]:
        """The spots of a call that have one dtype if it holds, whatever else is known of it."""
        found = self._groups.get(place.index)
        if found is None:
            call, found = place.node, []
            operator = self._rules.operators[call.op.name]
            parts = self._alone.parts(call)
            for given, taken in self._rules.alike(operator, self._has_usual_words(call, operator)):
                spots = {(id(call), field) for field in given}
                for one in taken:
                    part = parts[one[0]]
                    spots.update([(part, field) for field in alike_in(self._alone.type(part), one)])
                found.append(spots)
            self._groups[place.index] = found
        return found

    def _has_usual_words(self, call: Any, operator: Operator) -> bool:
        """Whether the words of a call are those that it has if it leaves them out, and no other places say them."""
        attrs = self._alone.program.attrs_of(operator, call)
        if type(attrs) is not Attrs or not operator.has_usual_words(attrs):
            return False
        return self._alone.given(call).keys().isdisjoint(operator.words)

    def _needs_all(self, start: Spot, way: list[int], end: Spot) -> bool:
        """Whether none of the places on a way, nor what states the dtype at its end, can be left out.

        The spots that the first places tie to the start are others where the next one is left out. They grow with each.
        """
        number = {place: i for i, place in enumerate(way)}
        users: dict[int, list[int]] = {}
        for index in way:
            for node in self._alone.nodes_of(self._alone.place(index)):
                users.setdefault(node, []).append(index)
        others: dict[int, set[tuple[int, ...]]] = {}  # the fields that are others, by their nodes
        met: dict[int, list[Spot]] = {index: [] for index in way}  # those of them that a place is about
        agenda = [start]
        left: set[int] = set()  # places that are about what has become another since they were looked at
        for out in range(len(way) + 1):
            if out:
                last = self._alone.place(way[out - 1])
                agenda += [other for spot in met[last.index] for other in self._moved(last, spot)]
            while agenda:
                spot = agenda.pop()
                fields = others.setdefault(spot[0], set())
                if spot[1] in fields:
                    continue
                if len(spot[1]) > _DEEPEST:
                    return False
                fields.add(spot[1])
                agenda += self._beside(spot)
                for index in users.get(spot[0], ()):
                    left.add(index)
                    met[index].append(spot)
                    if number[index] < out:
                        agenda += self._moved(self._alone.place(index), spot)
            if out < len(way) and end[1] in others.get(end[0], ()):
                return False
            for index in left.difference(way[out : out + 1]):
                place = self._alone.place(index)
                if number[index] > out and any(self._tied(place, spot) for spot in met[index]):
                    return False
                if not self._holds(place, others):
                    return False
            left.intersection_update(way[out : out + 1])
        return True

    def _holds(self, place: Place, others: dict[int, set[tuple[int, ...]]]) -> bool:
        """Whether what a place says holds where some fields of nodes have another dtype, and all that it ties has."""
        call = place.node
        if place.kind != "call":
            return True
        parts, operator = self._alone.parts(call), self._rules.operators[call.op.name]
        attrs = self._alone.program.attrs_of(operator, call)
        if type(attrs) is Open:
            return False
        nodes = (id(call), *parts)
        result, *inputs = (_with_others(self._alone.type(node), others.get(node, ())) for node in nodes)
        if None in inputs or not all(map(is_ground, (result, *inputs))):
            return False
        key = operator, tuple(inputs), attrs
        if key not in self._known:
            self._known[key] = self._comes_to(*key)
        made = self._known[key]
        return made is not None and made[-1] == result

    def _comes_to(self, operator: Operator, inputs: tuple[Any, ...], attrs: Any) -> Any:
        """What a call comes to; None if it is refused, or has no only answer. Goals are asked if no program tells."""
        for price, goals in ((_AN_OUTCOME, False), (NEW, True)):
            self._work.pay(price)
            self._work.check()
            try:
                found = self._rules.outcome(operator.relation, (*inputs, slot(0)), attrs, goals)
            except RuleError:
                return None
            if found is not None:
                return found
        return None


def _with_others(known: Any, fields: Iterable[tuple[int, ...]]) -> Any:
    """A type with another dtype in some of its fields; None if there is none, since a shape is open."""
    for field in fields:
        if not field:
            return changed(known, OTHER_DTYPE)
        inner = _with_others(known.fields[field[0]], [field[1:]])
        if inner is None:
            return None
        known = TupleType((*known.fields[: field[0]], inner, *known.fields[field[0] + 1 :]))
    return known


def _fields(known: Any) -> Iterator[tuple[int, ...]]:
    """Where tensors stand in a type, which is one, or a tuple of them."""
    agenda: list[tuple[Any, tuple[int, ...]]] = [(known, ())]
    while agenda:
        type_, field = agenda.pop()
        if type(type_) is not TupleType or type(type_.fields) is not tuple:
            yield field
        elif len(field) < _DEEPEST:
            agenda += [(inner, (*field, i)) for i, inner in enumerate(type_.fields)]
