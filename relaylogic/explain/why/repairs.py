"""What may be changed besides so that a call holds that refuses a change: numbers and dtypes, as they have changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...logic.terms.terms import slot
from ...types import TensorType
from ..places.said import Part
from .alone import Alone
from .changes import swapped, swapped_once, swaps_of, values_near
from .outcomes import Outcomes, Step

__all__ = ["Repairs", "Told"]

_NONE: Part = frozenset()


class Told(NamedTuple):
    """What a step says of its parts, None if nothing; other types of nodes, and other attributes of it, that this
    takes."""

    made: Any
    types: dict[int, Any] = {}
    attributes: dict[str, Any] = {}


class Repairs:
    """Repairs of calls: `known` are the types of nodes in the program, `told` the nodes that a step gives their type,
    `users` the steps that are about a node, `annotations` the places of what is annotated."""

    def __init__(
        self,
        alone: Alone,
        outcomes: Outcomes,
        known: Mapping[int, Any],
        told: Collection[int],
        users: Mapping[int, Sequence[int]],
        annotations: Mapping[int, int],
    ) -> None:
        self._alone = alone
        self._outcomes = outcomes
        self._known = known
        self._told = told
        self._users = users
        self._annotations = annotations
        self._said: dict[tuple[Any, ...], Told] = {}  # by the step, what it takes, and what may be others besides
        self._beside: dict[int, Part] = {}  # by the step, the places of what may be others where it refuses

    def told(
        self,
        step: Step,
        at: int,
        parts: list[Any],
        types: dict[int, Any],
        changed: dict[str, Any],
        others: Part | None,
        near: bool,
    ) -> Told:
        """What a step says of its parts, where some nodes have other types, and some attributes of it are `changed`.

        Where it refuses them, types of what no other call gives are others, and attributes, too. What is said at the
        places `others` is not changed; if they are not told, all that is said stays.
        """
        may_change = _NONE if others is None else self._beside_of(step, at) - others
        key = (at, near, may_change, *parts)
        found = None if changed else self._said.get(key)
        if found is None:
            made = self._outcomes.of(step, parts, changed or None)
            if made is None and step.operator is not None:
                found = self._repaired(step, at, parts, types, changed, may_change, near)
            found = found or Told(made)
            if not changed:
                self._said[key] = found
        return found

    def _beside_of(self, step: Step, at: int) -> Part:
        """The places of the annotations of what a step takes, and of its attributes."""
        found = self._beside.get(at)
        if found is None:
            said = [self._annotations[node] for node in step.parts if node in self._annotations]
            given = self._alone.given(step.node).values() if step.operator is not None else ()
            found = self._beside[at] = frozenset((*said, *given))
        return found

    def _repaired(
        self,
        step: Step,
        at: int,
        parts: list[Any],
        types: dict[int, Any],
        changed: dict[str, Any],
        may_change: Part,
        near: bool,
    ) -> Told | None:
        """What a call that refuses its parts says where others may be changed as well; None if it refuses that, too."""
        known = self._known
        free = [
            node
            for node in dict.fromkeys(step.parts)
            if node not in types and node not in self._told and self._users[node][0] >= at
            if node not in self._annotations or self._annotations[node] in may_change
        ]
        places = self._alone.given(step.node)
        given = [name for name in places if name not in changed and places[name] in may_change]
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
            made = self._outcomes.of(step, tried, {**changed, **told} or None)
            if made is not None:
                return Told(made, types_, told)
        for node in free:
            for opened, slots in () if node in self._annotations else _openings(new.get(node, known[node])):
                found = self._opened(step, parts, node, opened, slots, changed)
                if found is not None:
                    return found
        return None

    def _opened(
        self, step: Step, parts: list[Any], node: int, opened: Any, slots: int, attrs: dict[str, Any]
    ) -> Told | None:
        """The type that a call gives to a node that it takes, which is `opened`, and what it says then."""
        places = [i for i, part in enumerate(step.parts) if part == node]
        tried = [opened if i in places else part for i, part in enumerate(parts)]
        general = self._outcomes.general(step, tried, attrs or None, slots)
        if general is None or step.operator is None:
            return None
        fields = general[0].fields if step.operator.variadic else general
        found = fields[places[0]]
        tried = [found if i in places else part for i, part in enumerate(parts)]
        made = self._outcomes.of(step, tried, attrs or None)
        return None if made is None else Told(made, {node: found})


def _openings(known: Any) -> Iterator[tuple[Any, int]]:
    """What may be asked of a call to hear a type that it takes, with the number of slots in it: all of the type, or the
    extents of a tensor, of which the dtype may be something else by default only."""
    yield slot(0), 1
    if type(known) is TensorType and type(known.shape) is tuple and known.shape:
        rank = len(known.shape)
        yield TensorType(tuple(map(slot, range(rank))), known.dtype), rank
