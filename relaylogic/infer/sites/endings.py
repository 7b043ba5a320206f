"""What is known of the ends of shapes whose ranks are not known.

A type says nothing of a shape before its rank is known. So of `add` of a bias of unknown rank, whose result is used by
a convolution, nothing would be known that comes from the other operand. But the rules say more: whatever the ranks are,
the extents of what is broadcast are rows of `BroadcastDim` from the end on (`Relation.from_the_end`); what is left of
the one answer to a call says that a shape ends with some extents, or which is the last. That is kept here, by the
variable of the shape, and told the calls that wait for it. Once the rank is known, it is said of the extents.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ...logic import appendo, lall
from ...logic.constraints.compare import Compare
from ...logic.constraints.lists import end_told
from ...logic.control import FREE, Budget, Search, StepLimit
from ...logic.search.options import ways_of
from ...logic.states.calls import Call
from ...logic.states.goals import Goal
from ...logic.states.state import State
from ...logic.states.suspended import Suspended
from ...logic.terms.arith import Arith
from ...logic.terms.mistakes import RuleError
from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.rebuilding import canonical, instantiate, reify_term, slots_in
from ...logic.terms.terms import Cons, Slot, cons, is_ground, slot, variables_of, walk
from ...logic.terms.variables import VARIABLES, fresh
from ...types import TensorType, show_type
from .store import Mismatch, Store

if TYPE_CHECKING:
    from ...logic.search.search import Solution
    from ...rulebase import Relation

__all__ = ["Ended", "Endings", "LeavesNoRoom"]

STEPS = 1_000
"""A call is unfolded in so many steps, or it tells nothing."""


class _End(NamedTuple):
    """What is known of the end of a list: its last elements, the last one first, None where nothing is known of one;
    its first ones; and the variable that stands for what is behind these, None if nothing is.

    The first elements of an open list may be among those that are the last.
    """

    known: tuple[Any, ...]
    first: tuple[Any, ...]
    tail: Any


class _Left(NamedTuple):
    """What is left of an answer about the ends of lists: the constraints, their slots, and which lists end with what is
    known there, the last element first; and the products of lists that are known."""

    constraints: tuple[Any, ...]
    slots: frozenset[int]
    said: tuple[tuple[Any, tuple[Any, ...]], ...]
    products: tuple[tuple[Any, int], ...]


_Rows = tuple[tuple["Relation", ...], tuple[Any, ...]]
"""Relations of rows, and for each of them the lists from the end on."""


class LeavesNoRoom(Exception):
    """A call cannot hold, by what is known of the ends of shapes; the message says why."""


@dataclass(frozen=True)
class Ended:
    """That some lists over the slots of a call end so: what the call is asked with besides (`RuleBase.solve`)."""

    ends: tuple[tuple[Any, tuple[Any, ...]], ...]

    def __call__(self, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
        """The arguments, and that the lists over their variables, in order, end so."""
        slots = dict(enumerate(variables_of(arguments)))
        lists = ((instantiate(items, slots), reversed(end)) for items, end in self.ends)
        ended = [appendo(fresh(), tuple([fresh() if e is None else e for e in end]), items) for items, end in lists]
        return arguments, lall(*ended)


class Endings:
    """What is known of the ends of shapes in one inference, by the variables that stand for the shapes."""

    def __init__(self, store: Store, rules: Any) -> None:
        self._store = store
        self._base = rules
        self._known: dict[Any, dict[Any, _End]] = {}  # by the variable of the tail, and the elements before it
        # Of one call: the ends of what its own clauses speak of; the lists of which it has said as much as is known,
        # and those of which it has not said all.
        self._own: dict[Any, dict[Any, _End]] = {}
        self._told: set[Any] = set()
        self._untold: set[Any] = set()

    def clear(self) -> None:
        """Forget everything: something is known to be less than it was."""
        self._known.clear()

    def is_within(self, variable: Any, others: Collection[Any]) -> bool:
        """Whether all that is known of the ends of lists with this tail is of lists over some variables."""
        bindings = self._store.bindings
        ends = self._known.get(variable, {}).values()
        return all(v in others for end in ends for v in variables_of(end.first, bindings))

    def given(self, numbering: Mapping[Any, Any]) -> tuple[Any, ...]:
        """What is known of the ends of lists, whose variables have these slots."""
        reify = self._store.reify
        found = []
        for variable, place in numbering.items():
            for end in self._known.get(variable, {}).values():
                first = canonical(tuple(map(reify, end.first)), dict(numbering))
                found.append((place.args[0], first, end.known))
        return tuple(found)

    def take(self, known: tuple[Any, ...], variables: dict[int, Any]) -> None:
        """Know of lists over some variables what is `given`."""
        for number, first, end in known:
            self._own = {}
            self._merge(cons(instantiate(first, variables), variables[number]), end)

    def of_rows(self, relation: Relation, key: tuple[Any, ...], variables: Mapping[Any, Any], attrs: Any) -> bool:
        """Say what a call says of ends by its rows; whether that tells more of a variable.

        `key` are its arguments, with slots for the `variables`. Raises LeavesNoRoom.
        """
        slots = dict(enumerate(variables))
        general, parts = _without_shapes(key)
        rows, lists = self._rows(relation, general, attrs)
        if rows and parts is not None:
            slots = {number: instantiate(part, slots) for number, part in enumerate(parts)}
        elif parts is not None:  # one clause may be left if more is known
            rows, lists = self._rows(relation, key, attrs)
        own = self._with_own(lists, slots)
        told = [self._broadcast(row, items) for _ in rows for row, items in zip(rows, own, strict=True)]
        return any(told)

    def of_answer(self, residue: tuple[Any, ...], slots: dict[int, Any]) -> None:
        """Say what is left of the only answer to a call, where `slots` stand for its variables. Raises LeavesNoRoom."""
        self._told.clear()
        self._untold.clear()
        left = self._left(residue)
        for items, product in left.products:
            if all(place.args[0] in slots for place in slots_in(items)):
                self._divide(instantiate(items, slots), product)
        walk, known = self._store.walk, self._known
        if not any(number in slots and walk(slots[number]) in known for number in left.slots):
            self._own = {}
            for items, last in left.said:
                if all(place.args[0] in slots for place in slots_in(items)):
                    self._merge(instantiate(items, slots), last)
            return
        told = self._with_own(left.constraints, slots)
        for _ in range(2):  # what begins alike ends alike, but for what is behind it
            for constraint in told:
                if constraint.primitive.name == "append":
                    self._put_together(*constraint.arguments)
                elif (said := end_told(constraint, self._store.walk)) is not None:
                    self._merge(*said)

    def _left(self, residue: tuple[Any, ...]) -> _Left:
        """What of that which is left of an answer is about the ends of lists."""
        memory, asked = self._base.computed, ("ends", residue)
        found: _Left | None = memory.get(asked)
        if found is None:
            constraints = [c for c in residue if type(c) is Suspended and c.primitive.name in ("append", "nth")]
            numbers = frozenset([place.args[0] for c in constraints for place in slots_in(c.arguments)])
            said = tuple([told for c in constraints if (told := _end_said(c)) is not None])
            products = tuple([known for c in residue if (known := _product_said(c)) is not None])
            found = memory[asked] = _Left(tuple(constraints), numbers, said, products)
        return found

    def _divide(self, items: Any, product: int) -> None:
        """See that what is known of the end of a list divides its product. Raises LeavesNoRoom."""
        factors = [element for element in self._end(items).known if type(element) is int]
        divisor = prod(factors)
        if product % divisor if divisor else product:
            last = ", ".join(map(str, reversed(factors)))
            raise LeavesNoRoom(f"extents of which some are {last} do not multiply to {product}")

    def _with_own(self, terms: tuple[Any, ...], slots: dict[int, Any]) -> tuple[Any, ...]:
        """Terms with what slots stand for; variables that are not of that are the own ones of a call."""
        shared = set(variables_of(tuple(slots.values()), self._store.bindings))
        made: tuple[Any, ...] = instantiate(terms, slots)
        self._own = {v: {} for v in variables_of(made, self._store.bindings) if v not in shared}
        return made

    def ended(self, variables: Mapping[Any, Any]) -> Ended | None:
        """What is known of the ends of lists in a call, whose `variables` have these slots; None if that is nothing
        but what its answer has said."""
        found = [end for variable in variables for end in self._known.get(variable, {}).values()]
        if all(end.tail in self._told - self._untold for end in found):
            return None
        lists = [(self._store.reify(cons(end.first, end.tail)), end.known) for end in found]
        known = [(items, end) for items, end in lists if variables.keys() >= set(variables_of(items))]
        ended = tuple([(canonical((items,), dict(variables))[0], end) for items, end in known])
        return Ended(ended) if ended else None

    def _put_together(self, front: Any, whole: Any, back: Any) -> None:
        """Say of a list that it is a front, and what is behind that."""
        behind = self._end(back)
        if behind.tail is not None:
            self._merge(whole, behind.known)
            return
        self._merge(whole, [*behind.known, *self._end(front).known])
        known = self._end(whole).known
        if len(known) > len(behind.known):
            self._merge(front, known[len(behind.known) :])

    def _merge(self, items: Any, said: Sequence[Any]) -> bool:
        """Say what the last elements of a list are, the last one first; whether that tells more of a variable.

        What a call says of its own variables tells nobody anything: they are others when it is asked again. Raises
        LeavesNoRoom.
        """
        known, first, tail = self._end(items)
        if tail is None and len(said) > len(known):
            raise LeavesNoRoom(f"a shape of {len(known)} axes would have {len(said)} at least")
        grown = [*known, *[None] * (len(said) - len(known))]
        bound: list[Any] = []
        for place, (element, other) in enumerate(zip(map(self._store.walk, said), grown, strict=False)):
            if element is None or element is UNKNOWN or other is UNKNOWN or other == element:
                continue
            if other is not None:
                bound += self._unify(element, other)
            elif is_ground(element):
                grown[place] = element
        if bound:
            self._untold.add(tail)
        if len(said) >= len(known):
            self._told.add(tail)
        if type(tail) in VARIABLES and tuple(grown) != known:
            end = _End(tuple(grown), first, tail)
            if tail in self._own:
                self._own[tail][first] = end
            else:
                self._known.setdefault(tail, {})[first] = end
                self._store.wake(tail)
        return not self._own.keys() >= set(bound)

    def _end(self, items: Any) -> _End:
        """What is known of the end of a list."""
        walk = self._store.walk
        items = walk(items)
        first: tuple[Any, ...] = ()
        while type(items) is Cons:
            first += tuple(map(walk, items.prefix))
            items = walk(items.tail)
        if type(items) is tuple:
            return _End((*map(walk, reversed(items)), *reversed(first)), first, None)
        known: tuple[Any, ...] = ()
        for end in (self._own.get(items) or self._known.get(items, {})).values():
            known = _both(known, self._part_of(end, first))
        return _End(known, first, items)

    def _part_of(self, end: _End, first: tuple[Any, ...]) -> tuple[Any, ...]:
        """What the end of a list tells of that of the list with the same tail that has these first elements."""
        walk = self._store.walk
        if len(first) == len(end.first) and all(walk(a) == b for a, b in zip(end.first, first, strict=True)):
            return end.known
        return end.known[: max(0, len(end.known) - len(end.first))]

    def _unify(self, one: Any, other: Any) -> list[Any]:
        """Make two extents one; the variable that was bound, an own one of the call if there is one.

        Raises LeavesNoRoom.
        """
        if one in self._own:
            one, other = other, one  # nobody waits for the second: it is bound to the first
        try:
            self._store.unify(one, other)
        except Mismatch:
            raise LeavesNoRoom(f"{self._show(one)} is not {self._show(other)}") from None
        return [term for term in (other, one) if type(term) in VARIABLES][:1]

    def _show(self, term: Any) -> str:
        return show_type(self._store.reify(term))

    def _rows(self, relation: Relation, key: tuple[Any, ...], attrs: Any) -> _Rows:
        """The relations of rows that a call leads to, whatever else it comes to, with their lists."""
        rules = self._base
        if not _may_lead_to_rows(relation, rules):
            return (), ()
        asked = ("rows", relation, key, attrs if relation.takes_attrs else None)
        found: _Rows | None = rules.computed.get(asked)
        if found is None:
            found = rules.computed[asked] = _unfolded(relation, key, attrs, rules)
        return found

    def _broadcast(self, row: Relation, lists: tuple[Any, ...]) -> bool:
        """Say of the last of some lists what its rows are, from the end on; whether that tells more of a variable."""
        ends = [self._end(items).known for items in lists[:-1]]
        longest = max(map(len, ends))
        said = [self._last_of(row, [end[i] if i < len(end) else None for end in ends], i) for i in range(longest)]
        return self._merge(lists[-1], said)

    def _last_of(self, row: Relation, elements: Sequence[Any], place: int) -> Any:
        """What the last element of a row is where something is known of the others; None if that is not known.

        Raises LeavesNoRoom.
        """
        if all(element is None for element in elements):
            return None
        terms = [fresh() if element is None else self._store.reify(element) for element in elements]
        try:
            solution: Solution = self._base.solve(row, canonical((*terms, fresh()), {}), None)
        except RuleError:
            return None
        if solution.general is None:
            if solution.exhausted:
                known = ", ".join(["_" if e is None else self._show(e) for e in elements])
                raise LeavesNoRoom(f"{row.name}({known}, _) does not hold at axis {-1 - place}")
            return None
        said = solution.general[-1]
        return said if is_ground(said) else None


def _both(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is known of the end of a list of which this is known, and that."""
    return tuple([b if a is None else a for a, b in zip_longest(one, other)])


def _without_shapes(key: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any] | None]:
    """Arguments with slots in place of the shapes of tensors, and of what is open; and what these slots stand for. As
    they are, and None, if there are others than tensors.

    Calls of many shapes lead to rows in one way.
    """
    parts: list[Any] = []
    numbers: dict[Any, Any] = {}

    def kept(part: Any) -> Any:
        if type(part) is not Slot:
            parts.append(part)
            return slot(len(parts) - 1)
        if part not in numbers:
            parts.append(part)
            numbers[part] = slot(len(parts) - 1)
        return numbers[part]

    general = []
    for term in key:
        if type(term) is TensorType:
            general.append(TensorType(kept(term.shape), term.dtype if type(term.dtype) is str else kept(term.dtype)))
        elif type(term) is Slot:
            general.append(kept(term))
        else:
            return key, None
    return tuple(general), parts


def _end_said(constraint: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """The list that a constraint of an answer says some last elements of, and those that are known; None if none is."""
    told = end_told(constraint, lambda term: term)
    if told is None:
        return None
    items, last = told
    known = tuple([element if is_ground(element) else None for element in last])
    return None if all(element is None for element in known) else (items, known)


def _product_said(constraint: Any) -> tuple[Any, int] | None:
    """The list that a constraint of an answer says the product of, and that; None if it is another constraint."""
    if type(constraint) is not Compare or constraint.args[0] != "=":
        return None
    _, left, right = constraint.args
    term, product = (right, left) if type(left) is int else (left, right)
    if type(term) is not Arith or term.operator != "prod" or type(product) is not int:
        return None
    return term.operands[0], product


def _may_lead_to_rows(relation: Relation, rules: Any) -> bool:
    """Whether calls of a relation may lead to one of which rows are known from the end on."""
    asked = ("rows", relation)
    found: bool | None = rules.computed.get(asked)
    if found is None:
        reached = rules.profiles.reached(relation)
        found = rules.computed[asked] = any(other.row is not None for other in reached)
    return found


def _unfolded(relation: Relation, key: tuple[Any, ...], attrs: Any, rules: Any) -> _Rows:
    """The relations of rows, with their lists, of the calls that a call comes to if one clause alone can hold of it."""
    opened: dict[int, Any] = {}
    terms = instantiate(key, opened)
    control = Search(Budget(STEPS), postpones=True, defaults=FREE, rules=rules)
    given = (*terms, attrs) if relation.takes_attrs else terms
    try:
        states = [state for _, state in ways_of(relation, given, State({}, None, control))]
    except (StepLimit, RuleError):
        return (), ()
    if len(states) != 1:
        return (), ()
    (state,) = states
    # A variable of the call that was made equal to one of a rule keeps its slot.
    numbering: dict[Any, Any] = {}
    for number, variable in opened.items():
        numbering.setdefault(walk(variable, state.bindings), slot(number))
    calls = [c for c in state.constraints() if type(c) is Call and c.relation.row is not None]
    lists = reify_term(tuple([c.arguments for c in calls]), state.bindings)
    return tuple([c.relation.row for c in calls]), canonical(lists, numbering)
