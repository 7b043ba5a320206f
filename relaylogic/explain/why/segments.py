"""The type of an expression where some steps say something, found segment by segment.

To find out which places are needed, nearly the same steps are solved many times. So they are cut into *segments* where
only one node is known to both sides, and what a segment comes to is remembered by what it was told. A question about
one place less solves the segment of that place, and the next ones only until they are told what they were told before.
Where types flow along the steps as they did in the program, what a segment comes to is known from there.

What is known at a cut is a *state*: the types of the nodes there, with slots for what is open. Along the segments,
each is solved with the state before it; backwards, each is told what the next ones have concluded about the state
between them, and where it concludes more from that, the next ones are solved again. So nothing is concluded in the end
that solving all together would not conclude, and the other way round: sites know nothing of each other but what their
variables are, and which open numbers are one. Therefore a state must not tell two things about one open number
(`_is_plain`), and what is `?`, which may change what was known before, is never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ...infer.sites.driver import Driver
from ...infer.sites.endings import LeavesNoRoom
from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import monomials, symbols_of
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import is_ground, variables_of
from ...logic.terms.variables import fresh
from .work import Work

__all__ = ["Flow", "Segments", "Step", "Types", "solved_together"]

State = tuple[Any, ...]

Flow = tuple[Mapping[int, Any], Collection[Any]]
"""Types of nodes that they have from what is before them alone, and what steps say where all nodes are such."""

_LEAST = 4
"""A segment has so many steps at least, but for the last one."""

_WIDTHS = (1, 3)
"""So many nodes are known to both sides of a cut at most; more than one only where a segment is long otherwise."""

_LONG = 32
"""A segment of more steps is long."""


class _Cut(Exception):
    """What is known where a program was cut is not all that ties the two sides: after the place `at`, or at all."""

    def __init__(self, at: int | None = None) -> None:
        super().__init__(at)
        self.at = at


class Step(NamedTuple):
    """One demand: `said` is all that it depends on but types, `at` its place, `nodes` those it is about.

    `gives` is that of the nodes which has its type from the others, 0 for none.
    """

    said: Any
    at: int
    nodes: tuple[int, ...]
    is_tie: bool  # it holds whatever places are left out
    demand: Callable[[Driver, Types], None]
    gives: int = 0


class Types(Protocol):
    """The types of nodes by their identity; a node has a variable until it is told."""

    def __getitem__(self, node: int) -> Any: ...

    def __setitem__(self, node: int, type_: Any) -> None: ...


class _Types(dict[int, Any]):
    def __missing__(self, node: int) -> Any:
        self[node] = found = fresh()
        return found


class _Segment(NamedTuple):
    """Some steps in their order, the nodes at the cut before them and after, and those whose types are wanted of it."""

    number: int
    since: int  # the last place before it, -1 for none
    until: int  # the last place in it
    steps: tuple[Step, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    wanted: tuple[int, ...]


class _Ends(NamedTuple):
    """What a segment comes to: what is known before it, after it, and of the nodes that are wanted of it."""

    before: State
    after: State
    wanted: State
    is_decided: bool  # no site waits for more


class Segments:
    """What segments come to, as far as it was found out.

    `begun` makes a driver. `told` is called for each driver that was run, to pay for it.
    """

    def __init__(self, begun: Callable[[], Driver], work: Work, told: Callable[[Driver], None]) -> None:
        self._begun = begun
        self._work = work
        self._told = told
        self._numbers: dict[Any, int] = {}
        self._laid: tuple[Sequence[Step], dict[int, Any], Sequence[int], Flow] = ((), {}, (), ({}, frozenset()))
        self._is_cut = False
        self._segments: list[_Segment] = []
        self._by_place: dict[int, int] = {}  # the segment of the step at a place
        self._by_node: dict[int, set[int]] = {}  # the segments that are about a node
        self._whole: set[int] = set()  # the places after which nothing is cut any more
        self._ends: dict[tuple[int, State], _Ends] = {}  # of a segment, by the state before it
        # Of all segments from one on, by the state before it: what is known there then, and what is wanted of each.
        self._ahead: dict[tuple[int, State], tuple[State, Any]] = {}

    def lay(self, steps: Sequence[Step], given: dict[int, Any], wanted: Sequence[int], cut: bool, flow: Flow) -> None:
        """Put down the steps that are asked about, the nodes that are stated, and those whose types are wanted.

        The steps are solved in one piece unless they may be `cut`; where types flow, they need not be solved.
        """
        self._laid = steps, given, wanted, flow
        self._is_cut = cut
        for width in _WIDTHS if cut else (-1,):
            self._segments = self._cut(steps, given, wanted, width)
            if all(len(segment.steps) <= _LONG for segment in self._segments):
                break
        self._by_place = {}
        self._by_node = {}
        for i, segment in enumerate(self._segments):
            for step in segment.steps:
                self._by_place[step.at] = i
                for node in step.nodes:
                    self._by_node.setdefault(node, set()).add(i)
            if cut:
                self._seed(segment, *flow)

    def _seed(self, segment: _Segment, types: Mapping[int, Any], sure: Collection[Any]) -> None:
        """Note what a segment comes to whose nodes have their types from what is before them."""
        about = (segment.before, segment.after, segment.wanted)
        if all(node in types for nodes in about for node in nodes) and all(s.said in sure for s in segment.steps):
            before, after, wanted = (tuple([types[node] for node in nodes]) for nodes in about)
            self._ends[segment.number, before] = _Ends(before, after, wanted, True)

    def is_parted(self, node: int) -> bool:
        """Whether several segments are about a node."""
        return len(self._by_node.get(node, ())) > 1

    def types(self, without: Collection[int], unstated: Collection[int], open_: Mapping[int, Any]) -> dict[int, Any]:
        """The types of the nodes that are wanted, with slots for what is open.

        That is without the steps at some places, and without what is stated of some nodes, which must not be parted;
        `open_` is what is said otherwise at some places. Raises Spent.
        """
        steps, given, wanted, flow = self._laid
        known = {node: type_ for node, type_ in given.items() if node not in unstated} if unstated else given
        while True:
            segments = self._altered(without, unstated, open_, {})
            try:
                found = self._found(segments, known, self._is_cut)
            except _Cut as refused:
                if refused.at is not None:
                    self._whole.add(refused.at)
                self.lay(steps, given, wanted, refused.at is not None, flow)
            else:
                return {node: type_ for part, end in _along(segments, found) for node, type_ in _wanted(part, end)}

    def supposing(
        self, without: Collection[int], types: dict[int, Any], said: Mapping[int, Any]
    ) -> dict[int, Any] | None:
        """The types of the nodes that are wanted without the steps at some places, if some nodes had other types.

        `said` is what is said otherwise at some places. None if that is not to be, or is not found out. Raises Spent.
        """
        if not self._is_cut:
            return None
        segments = self._altered(without, (), said, types)
        try:
            found = self._found(segments, {**self._laid[1], **types}, True)
        except _Cut:
            return None
        ends = list(_along(segments, found))
        if not all(end.is_decided for _, end in ends):
            return None
        return {node: type_ for part, end in ends for node, type_ in _wanted(part, end)}

    def _altered(
        self, without: Collection[int], unstated: Collection[int], open_: Mapping[int, Any], types: Mapping[int, Any]
    ) -> list[_Segment]:
        """The segments, those of them changed where something is left out, or said otherwise."""
        altered: dict[int, set[Any]] = {}
        for at in without:
            if at in self._by_place:
                altered.setdefault(self._by_place[at], set()).add(at)
        for at, what in open_.items():
            altered.setdefault(self._by_place[at], set()).add((at, what))
        for node in unstated:
            for i in self._by_node.get(node, (0,)):
                altered.setdefault(i, set()).add((node,))
        for node, type_ in types.items():
            for i in self._by_node.get(node, (0,)):
                altered.setdefault(i, set()).add((node, type_))
        segments = list(self._segments)
        for i, changes in altered.items():
            number = self._number((segments[i].number, frozenset(changes)))
            left = tuple([step for step in segments[i].steps if step.is_tie or step.at not in without])
            segments[i] = segments[i]._replace(number=number, steps=left)
        return segments

    def _found(self, segments: list[_Segment], given: dict[int, Any], cut: bool) -> Any:
        """What each segment comes to, as pairs of that and the rest.

        Raises _Cut if the steps must not be cut so. Raises Spent.
        """
        behind: list[int] = []
        for segment in reversed(segments):
            behind.append(self._number((segment.number, behind[-1] if behind else -1)))
        behind.reverse()
        states: list[State] = [()] * (len(segments) + 1)
        running: list[_Running | None] = [None] * len(segments)
        ends: list[_Ends] = [_Ends((), (), (), True)] * len(segments)
        at = 0
        while True:
            while at < len(segments) and (behind[at], states[at]) not in self._ahead:
                known = self._ends.get((segments[at].number, states[at]))
                running[at] = None
                if known is None:
                    running[at] = run = self._run(segments[at], states[at], given)
                    known = self._ends[segments[at].number, states[at]] = run.ends(cut)
                ends[at] = known
                states[at + 1] = known.after
                at += 1
            back, found = self._ahead[behind[at], states[at]] if at < len(segments) else (states[at], None)
            while at > 0:
                at -= 1
                if back != states[at + 1]:
                    run = running[at] or self._run(segments[at], states[at], given)
                    running[at] = run
                    run.hear(back)
                    self._told(run.driver)
                    ends[at] = run.ends(cut)
                    states[at + 1] = ends[at].after
                    if states[at + 1] != back:
                        at += 1
                        break
                found = (ends[at], found)
                back = ends[at].before
                self._ahead[behind[at], states[at]] = back, found
            else:
                return found

    def _run(self, segment: _Segment, state: State, given: dict[int, Any]) -> _Running:
        self._work.check()
        self._work.pay(len(segment.steps) + 1)
        run = _Running(segment, self._begun(), given)
        variables: dict[int, Any] = {}
        types, known = _parted(state, segment.before)
        for node, type_ in zip(segment.before, types, strict=True):
            run.types[node] = instantiate(type_, variables)
        run.know(known, variables)
        for step in segment.steps:
            step.demand(run.driver, run.types)
        run.driver.run()
        self._told(run.driver)
        return run

    def _number(self, key: Any) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _cut(self, steps: Sequence[Step], given: dict[int, Any], wanted: Sequence[int], width: int) -> list[_Segment]:
        """The steps in segments, at least one, with so many nodes at a cut."""
        last = {node: i for i, step in enumerate(steps) for node in step.nodes}
        sought = set(wanted)
        open_: dict[int, None] = {}
        found: list[_Segment] = []
        before: tuple[int, ...] = ()
        own: dict[int, None] = {node: None for node in wanted if node not in last}
        start = 0
        for i in range(max(1, len(steps))):
            for node in steps[i].nodes if steps else ():
                if last[node] == i:
                    open_.pop(node, None)
                    if node in sought:
                        own[node] = None
                elif node not in given:
                    open_[node] = None
            is_last = i + 1 >= len(steps)
            if is_last or (len(open_) <= width and i + 1 - start >= _LEAST and steps[i].at not in self._whole):
                part = tuple(steps[start : i + 1])
                after, ours = tuple(open_), tuple(own)
                said = tuple([(step.said, *[node for node in step.nodes if node in given]) for step in part])
                stated = tuple([node for node in ours if node in given])
                number = self._number((said, before, after, ours, stated))
                found.append(
                    _Segment(
                        number,
                        steps[start - 1].at if start else -1,
                        steps[i].at if steps else -1,
                        part,
                        before,
                        after,
                        ours,
                    )
                )
                before, start = after, i + 1
                own = {}
        return found


def solved_together(
    steps: Sequence[Step], given: dict[int, Any], wanted: Sequence[int], driver: Driver, work: Work
) -> dict[int, Any]:
    """The types of the nodes that are wanted, with slots for what is open, where all steps are solved in one piece.

    That is how it is asked once. The sites are still to be paid for. Raises Spent.
    """
    work.check()
    work.pay(len(steps) + 1)
    types = _Types(given)
    for step in steps:
        step.demand(driver, types)
    driver.run()
    found = canonical(tuple([driver.store.reify(types[node]) for node in wanted]), {})
    return dict(zip(wanted, found, strict=True))


class _Running:
    """A segment that is solved."""

    def __init__(self, segment: _Segment, driver: Driver, given: dict[int, Any]) -> None:
        self.segment = segment
        self.driver = driver
        self.types = _Types(given)

    def hear(self, state: State) -> None:
        """Go on with what is known of the state after it."""
        variables: dict[int, Any] = {}
        types, known = _parted(state, self.segment.after)
        for node, type_ in zip(self.segment.after, types, strict=True):
            self.driver.store.unify(self.types[node], instantiate(type_, variables))
        self.know(known, variables)
        self.driver.run()

    def know(self, ends: tuple[Any, ...], variables: dict[int, Any]) -> None:
        """Know of the ends of shapes over some variables what a state says. Raises _Cut if that cannot be."""
        try:
            self.driver.endings.take(ends, variables)
        except LeavesNoRoom:
            raise _Cut from None

    def ends(self, cut: bool) -> _Ends:
        """What it has come to. Raises _Cut if that is not all that ties it to others."""
        driver, segment = self.driver, self.segment
        before, after, wanted = (
            tuple([driver.store.reify(self.types[node]) for node in nodes])
            for nodes in (segment.before, segment.after, segment.wanted)
        )
        if cut:
            if driver.failed or driver.exhausted or driver.scopes:
                raise _Cut
            if not _is_plain(before, driver):
                raise _Cut(segment.since)
            if not _is_plain(after, driver):
                raise _Cut(segment.until)
            if any(map(has_unknown, driver.store.bindings.values())):
                raise _Cut
        states = (_with_ends(before, driver), _with_ends(after, driver)) if cut else (before, after)
        return _Ends(*states, canonical(wanted, {}), not driver.waiting)


def _with_ends(types: tuple[Any, ...], driver: Driver) -> State:
    """Types with slots for their variables, and behind them what is known of the ends of shapes in them, if anything
    is."""
    numbering: dict[Any, Any] = {}
    state = canonical(types, numbering)
    known = driver.endings.given(numbering)
    return (*state, known) if known else state


def _parted(state: State, nodes: tuple[int, ...]) -> tuple[State, tuple[Any, ...]]:
    """The types of nodes in a state, and what is known of the ends of shapes in them."""
    return state[: len(nodes)], state[len(nodes)] if len(state) > len(nodes) else ()


def _along(segments: Sequence[_Segment], found: Any) -> Iterator[tuple[_Segment, _Ends]]:
    for segment in segments:
        ends, found = found
        yield segment, ends


def _wanted(segment: _Segment, ends: _Ends) -> Iterator[tuple[int, Any]]:
    return zip(segment.wanted, ends.wanted, strict=True)


def _is_plain(state: State, driver: Driver) -> bool:
    """Whether a state says all that is known of the open numbers in it: each is one of its own, which can be anything.
    (What is known of the ends of shapes is said behind it, if it speaks of nothing else.)

    A number that is an expression over others can be told apart from one that can be anything if another number of the
    state is made of the same ones, or if it is a multiple or a product of them.
    """
    if all(map(is_ground, state)):
        return True
    met: set[Any] = set()
    variables = dict.fromkeys(variables_of(state))
    for variable in variables:
        if not driver.endings.is_within(variable, variables):
            return False
        number = driver.expressions.known(variable)
        if number is None:
            continue
        parts = [(atoms, times) for atoms, times in monomials(number) if atoms]
        if len(parts) != 1 or len(parts[0][0]) != 1 or parts[0][1] != 1:
            return False
        symbols = set(symbols_of(number))
        if met & symbols:
            return False
        met |= symbols
    return True
