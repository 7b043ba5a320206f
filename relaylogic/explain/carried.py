"""What becomes of a type that is changed in a long program: other typings, carried along it.

Where types flow from what calls take to what they give, another typing is found by giving another type to one node, and
asking the calls that take it what they say then, and so on. What becomes of one type at one node is remembered: in a
long program most of what has changed passes through the same few nodes, behind which it is the same. Places may be left
out; then what they said is told by the next calls, as it is most likely to be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ir import Call, Tuple, TupleGetItem
from ..logic.terms import is_ground, slot
from ..rulebase import Operator, RuleError
from ..rulebase.specialised.modes import MOST_NUMBERS
from ..types import TensorType, TupleType
from .changes import dtypes_of, swapped, swaps_of
from .work import Spent, Work

if TYPE_CHECKING:
    from .alone import Alone, Tied
    from .conflicts import Part
    from .segments import Step

__all__ = ["UNCLEAR", "Carried", "Fate", "Saying", "Written"]

_STEPS_A_SITE = 8
"""So many steps are looked at in the time that a site takes to be solved,"""

_OUTCOMES_A_SITE = 4
"""and so many calls tell what they come to;"""

_MIXED = 2
"""where their dtypes are others that are mixed, which is seldom asked, one takes as long as so many sites."""

UNCLEAR = 80
"""A call that takes several types, not all of which are known, is asked about in the time of so many sites."""


class Saying(NamedTuple):
    """What a place says of the node `head`: that it is made of others, or of the type of the only one.

    Of a call, `operator` is that of it. `number` is that of the step.
    """

    number: int
    at: int
    head: int
    parts: tuple[int, ...]
    node: Any
    is_tie: bool
    operator: Operator | None


class Written(NamedTuple):
    """A place that writes down the type of a node."""

    at: int
    node: int


_Change = tuple[int, Any, int]
"""Another type at a node, and the step that comes then."""


class Fate(NamedTuple):
    """What becomes of a change: whether all holds, the expression has another type, and no call takes mixed dtypes
    then; and whether the first call takes it."""

    holds: bool
    differs: bool
    is_sure: bool
    is_taken: bool


_HOLDS = Fate(True, False, True, True)
_TAKEN = Fate(False, False, True, True)
_REFUSED = Fate(False, False, True, False)


class Carried:
    """The steps that are `tied` to the nodes `wanted`, some of which may be left out. `differs` tells whether the
    expression has another type where one of these nodes has one."""

    def __init__(
        self,
        alone: Alone,
        tied: Tied,
        wanted: Sequence[int],
        differs: Callable[[Any, int], bool],
        work: Work,
    ) -> None:
        self._alone = alone
        self._wanted = dict.fromkeys(wanted)
        self._differs = differs
        self._work = work
        self._count = 0  # of steps looked at
        self._tied = tied.steps
        self._steps: dict[int, Saying] = {}  # by their numbers
        self.users: dict[int, list[int]] = {}
        """The numbers of the steps that are about a node."""
        self.givers: dict[int, int] = {}
        """The number of the step that gives a node its type."""
        self.written: dict[int, list[Written]] = {}
        """The places that write down the type of a node."""
        self.costs: dict[int, int] = {}
        """How far nodes are from what is written down."""
        self._told: dict[int, list[int]] = {}  # by the step, the nodes that nothing else tells before it
        self._freed: set[int] = set()  # those of them that something that is left out tells
        self._unclear = 0  # so many of them are taken together with what is told
        self._outcomes: dict[Any, Sequence[Any] | None] = {}
        self._fates: dict[_Change, Fate] = {}
        self._refused: dict[_Change, Fate] = {}  # the same as long as nothing more is left out
        self.shown: set[int] = set()
        """The nodes that are given by places that are needed, since a change that passes through them shows it."""
        self._is_sure = True  # whether no call that was followed has taken mixed dtypes
        self._is_dtype = False  # whether dtypes are changed
        self._attrs: dict[int, Any] = {}  # of calls, by their steps
        self.left_out: set[int] = set()
        """The places that are left out."""
        for index in sorted(tied.places):
            place = alone.place(index)
            if place.kind in ("annotation", "result"):
                node = id(place.node) if place.kind == "annotation" else alone.body
                self.written.setdefault(node, []).append(Written(index, node))
                self.costs[node] = 1
        users, givers, costs = self.users, self.givers, self.costs
        for i, step in enumerate(tied.steps):
            head, least = step.gives, 0
            if not head:  # the result type, which is written down
                continue
            givers[head] = i
            for node in step.nodes:
                if node in users:
                    users[node].append(i)
                else:
                    users[node] = [i]
                if node != head and node in costs and not 0 < least <= costs[node]:
                    least = costs[node]
            if head not in costs:
                costs[head] = 1 + least

    def step(self, number: int) -> Saying:
        """A step by its number."""
        found = self._steps.get(number)
        if found is None:
            found = self._steps[number] = self._made(number, self._tied[number])
        return found

    def _made(self, number: int, step: Step) -> Saying:
        head, place = step.gives, None if step.is_tie else self._alone.place(step.at)
        if place is None or place.binds is not None:
            parts = tuple([node for node in step.nodes if node != head])
            return Saying(number, step.at, head, parts, None, step.is_tie, None)
        node, operator = place.node, None
        if type(node) is Call:
            operator = self._alone.program.rules.operators[node.op.name]  # type: ignore[attr-defined]
        return Saying(number, step.at, head, self._alone.parts(node), node, False, operator)

    def told_by(self, step: Saying) -> list[int]:
        """The nodes that a call tells, and nothing before it."""
        found = self._told.get(step.number)
        if found is None:
            parts = () if step.operator is None else dict.fromkeys(step.parts)
            found = self._told[step.number] = [part for part in parts if self.teller(part) == step.number]
        return found

    def teller(self, node: int) -> int | None:
        """The step that tells the type of a node, as far as it is not written down."""
        if node in self.givers:
            return self.givers[node]
        users = self.users.get(node)
        return users[0] if users and node not in self.written else None

    def follows(self, kept: Part) -> tuple[bool, int]:
        """Whether the types of all nodes that are wanted follow from some of the places one step after the other, and
        how many calls take several types of which not all follow. Raises Spent."""
        alone, type_of, self._is_dtype = self._alone, self._alone.type, False
        places = map(alone.place, kept)
        written = [place.node for place in places if place.kind == "annotation"]
        known = {id(variable) for variable in written if is_ground(variable.type_annotation)}
        met = set(map(id, written))  # nodes of which something may be known
        unclear = 0
        for number, tied in enumerate(self._tied):
            if not tied.gives or not (tied.is_tie or tied.at in kept):
                continue
            step, head = self.step(number), tied.gives
            new = [part for part in dict.fromkeys(step.parts) if part not in known]
            if step.operator is None:
                if not new and (step.parts or is_ground(type_of(head))):
                    known.add(head)
            elif not new:
                if head not in alone.sites or self._says(step, new, type_of(head)):
                    known.add(head)
            elif head not in met and met.isdisjoint(new):
                if alone.has_told(head, [*new, head]):
                    known.update(new)
                    known.add(head)
                elif self._says(step, new, type_of(head)):
                    known.add(head)
            if step.operator is not None and head not in known:
                unclear += len(set(step.parts).difference(self.told_by(step))) > 1
            met.update(tied.nodes)
        self._pay(len(self._tied))
        return known.issuperset(self._wanted), unclear

    def _says(self, step: Saying, new: Sequence[int], known: Any) -> bool:
        """Whether a call has a type that is known where some of what it takes is open."""
        slots = {part: slot(i) for i, part in enumerate(new)}
        type_of = self._alone.type
        found = self._outcome(step, tuple([slots.get(part) or type_of(part) for part in step.parts]), len(slots))
        return found is not None and found[-1] == known

    def leave_out(self, what: Saying | Written) -> list[int]:
        """Leave out a place. What it is about is told by the next call that takes it, if nothing else says it: the
        numbers of such calls.

        Raises Spent if calls take so much of which nothing is known then that there is no time to ask about them.
        """
        self.left_out.add(what.at)
        self._refused.clear()
        if self._unclear * UNCLEAR > self._work.left:
            raise Spent
        tellers = []
        for node in [what.node] if isinstance(what, Written) else [what.head, *self.told_by(what)]:
            if any(one.at not in self.left_out for one in self.written.get(node, ())):
                continue
            kept = next((i for i in self.users.get(node, ()) if self._is_kept(self._tied[i])), None)
            if kept is not None and self._tied[kept].gives != node and self.step(kept).operator is not None:
                tellers.append(kept)
                told = self.told_by(self.step(kept))
                told.append(node)
                self._freed.add(node)
                self._unclear += not set(told).issuperset(self.step(kept).parts)
        return tellers

    def _is_kept(self, step: Step) -> bool:
        return step.is_tie or step.at not in self.left_out

    def fate(self, node: int, other: Any, denied: int, is_dtype: bool) -> Fate:
        """What becomes of the other type of a node where one place does not hold; `is_dtype` says that dtypes are
        changed. Raises Spent."""
        if not self._may_be_other(node, denied, -1):
            return _REFUSED
        self._is_dtype = is_dtype
        steps, users, left_out = self._tied, self.users, self.left_out
        types = {node: other}
        agenda = [i for i in users.get(node, ()) if steps[i].is_tie or steps[i].at != denied]
        heapify(agenda)
        live = [node]  # nodes that have changed, with users to come
        asked: list[_Change] = []  # on the way
        differing = taken = 0  # so many of them make the expression differ, or are taken by the call that comes then
        differs = node in self._wanted and self._differs(other, node)
        is_taken = not agenda
        fate, last, self._is_sure = _HOLDS, -1, True
        while agenda:
            at = heappop(agenda)
            if at == last or (steps[at].at in left_out and not steps[at].is_tie):
                continue
            last = at
            if len(live) > 1:
                live = [each for each in live if users[each][-1] >= at]
            if len(live) == 1:
                change = (live[0], types[live[0]], at)
                known = self._refused.get(change) or self._fates.get(change)
                if known is not None:
                    fate = known
                    is_taken = is_taken or fate.is_taken
                    break
                asked.append(change)
            new = self._followed(self.step(at), types)
            if new is None or not all(self._may_be_other(each, denied, at) for each in new):
                fate = _REFUSED
                break
            is_taken, taken = True, len(asked)
            types.update(new)
            for each, type_ in new.items():
                live.append(each)
                for i in users[each]:
                    if i > at:
                        heappush(agenda, i)
                if each in self._wanted and self._differs(type_, each):
                    differs, differing = True, len(asked)
        is_sure = self._is_sure and fate.is_sure
        for i, change in enumerate(asked):
            if fate.holds:
                self._fates[change] = Fate(True, fate.differs or i < differing, is_sure, True)
                if is_sure and (fate.differs or i < differing) and change[2] == self._first_user(change[0]):
                    self.shown.add(change[0])
            else:
                self._refused[change] = _TAKEN if i < taken else _REFUSED
        return Fate(fate.holds, fate.holds and (fate.differs or differs), is_sure, is_taken)

    def _first_user(self, node: int) -> int:
        """The first step that takes a node."""
        users = self.users[node]
        return users[1] if len(users) > 1 and users[0] == self.givers.get(node) else users[0]

    def _may_be_other(self, node: int, denied: int, at: int) -> bool:
        """Whether a node may have another type where one place does not hold, as far as what is written down says, and
        no step before `at` is about it."""
        users = self.users.get(node)
        if users and users[0] < at and any(self._is_kept(self._tied[i]) for i in users if i < at):
            return False
        written = self.written.get(node)
        return not written or all(one.at == denied or one.at in self.left_out for one in written)

    def _followed(self, step: Saying, types: dict[int, Any]) -> dict[int, Any] | None:
        """The nodes of a step that have other types since some have; None if it refuses that."""
        self._pay(1)
        type_of = self._alone.type
        parts = [types[part] if part in types else type_of(part) for part in step.parts]
        node, told = step.node, parts
        if step.operator is not None:
            general = self._general(step, parts, types)
            if general is None:
                return None
            *told, made = general
        elif node is None:
            made = parts[0]
        elif type(node) is Tuple:
            made = TupleType(tuple(parts))
        elif type(node) is TupleGetItem:
            fields = getattr(parts[0], "fields", ())
            if node.index >= len(fields):
                return None
            made = fields[node.index]
        else:  # a constant
            made = type_of(step.head)
        if step.head in types:
            return {} if made == types[step.head] else None
        new = {step.head: made} if made != type_of(step.head) else {}
        own = self.told_by(step)
        if own:
            for part, type_ in zip(step.parts, told, strict=True):
                if part in own and part not in types and type_ != type_of(part):
                    new[part] = type_
        return new

    def _pay(self, steps: int) -> None:
        self._count += steps
        if self._count >= _STEPS_A_SITE:
            sites, self._count = divmod(self._count, _STEPS_A_SITE)
            self._work.pay(sites)
            self._work.check()

    def _general(self, step: Saying, parts: list[Any], types: dict[int, Any]) -> Sequence[Any] | None:
        """The types of a call that takes these, the result last; None if it refuses them.

        What it alone tells is as it was but for dtypes that have changed, or numbers, too, or as it says.
        """
        own = self.told_by(step)
        free = [part for part in dict.fromkeys(step.parts) if part in own and part not in types] if own else []
        if not free:
            return self._outcome(step, tuple(parts), 0)
        tried = self._likely(step, parts, types, free)
        found = self._outcome(step, tuple(map(tried.get, step.parts, parts)), 0)
        if found is not None:
            return found
        slots = {part: slot(i) for i, part in enumerate(part for part in free if part not in self._freed)}
        if not slots:
            return None
        asked = map({**tried, **slots}.get, step.parts, parts)
        found = self._outcome(step, tuple(asked), len(slots))
        if found is None or all(map(is_ground, found)):
            return found
        tried = {part: _completed(found[i], tried[part]) for i, part in enumerate(step.parts) if part in tried}
        is_known = all(map(is_ground, tried.values()))
        return self._outcome(step, tuple(map(tried.get, step.parts, parts)), 0) if is_known else None

    def _likely(self, step: Saying, parts: list[Any], types: dict[int, Any], free: Sequence[int]) -> dict[int, Any]:
        """What nodes that a call alone tells are likely to be."""
        type_of = self._alone.type
        if not self._is_dtype and self._freed.isdisjoint(free):
            return {part: type_of(part) for part in free}
        swaps: dict[Any, Any] = {}
        for part, type_ in zip(step.parts, parts, strict=True):
            if part in types:
                swaps.update(swaps_of(type_of(part), type_))
        dtypes = {old: new for old, new in swaps.items() if type(old) is str}
        return {part: swapped(type_of(part), swaps if part in self._freed else dtypes) for part in free}

    def _outcome(self, step: Saying, asked: tuple[Any, ...], opened: int) -> Sequence[Any] | None:
        """What the rules say of the types of a call of which so many are open; None if it refuses them."""
        attrs = self._attrs_of(step)
        key = (id(step.operator), id(attrs), asked)
        try:
            found = self._outcomes[key]
        except KeyError:
            found = self._outcomes[key] = self._asked(step, attrs, asked, opened)
        if self._is_dtype and self._is_sure and found is not None and all(map(is_ground, found)):
            self._is_sure = not self._is_mixed(step, found[:-1])
        return found

    def _asked(self, step: Saying, attrs: Any, asked: tuple[Any, ...], opened: int) -> Sequence[Any] | None:
        operator, rules = step.operator, self._alone.program.rules
        assert operator is not None
        is_mixed = self._is_dtype and not opened and self._is_mixed(step, asked)
        self._pay(_STEPS_A_SITE * _MIXED if is_mixed else _STEPS_A_SITE // _OUTCOMES_A_SITE)
        if operator.variadic and sum([len(type_.shape) for type_ in asked if type(type_) is TensorType]) > MOST_NUMBERS:
            return None  # no program tells
        terms = (*((TupleType(asked),) if operator.variadic else asked), slot(opened))
        try:
            if opened:
                found = rules.solve(operator.relation, terms, attrs).general
            else:
                found = rules.outcome(operator.relation, terms, attrs)
        except RuleError:
            return None
        return (*found[0].fields, found[-1]) if operator.variadic and found is not None else found

    def _attrs_of(self, step: Saying) -> Any:
        """The attributes of a call, which an inference has found before."""
        found = self._attrs.get(step.number, self)
        if found is self:
            assert step.operator is not None
            found = self._attrs[step.number] = self._alone.program.attrs_of(step.operator, step.node)
        return found

    def _is_mixed(self, step: Saying, types: Sequence[Any]) -> bool:
        """Whether types that a call takes are of several dtypes, and of others than in the program: what is so by
        default may be so though others are as good."""
        dtypes = dtypes_of(types)
        return len(set(dtypes)) > 1 and dtypes != dtypes_of(map(self._alone.type, step.parts))


def _completed(found: Any, known: Any) -> Any:
    """A type with the dtype of another one, if it is open."""
    if type(found) is TensorType and type(known) is TensorType and not is_ground(found.dtype):
        return TensorType(found.shape, known.dtype)
    return found
