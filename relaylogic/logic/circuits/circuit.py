"""Answers as a circuit: alternatives of independent parts, built as far as somebody looks.

A `Node` stands for the answers of one part of a problem. Its alternatives (or) are picks: a tuple of values for the
part's wanted variables, or an `Alternative` whose open variables belong to further nodes (and). Equal parts share a
node, so a problem whose answers are 10^18 combinations of a few small parts is a small circuit: `count` adds and
multiplies in it, `answers` walks it. This is knowledge compilation (d-DNNF: Darwiche and Marquis, 2002), done lazily.

An answer is the list of picks met on the walk, in order; `Filled` puts it together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from ..control import StepLimit
from ..exact import exact
from ..terms.rebuilding import canonical, rebuild, reify_slots, reify_term
from ..terms.terms import PLAIN, Slot, is_ground, slot, variables_of
from ..terms.variables import VARIABLES, fresh

__all__ = ["Alternative", "Filled", "Node", "answers", "count", "possible", "runs"]

Pick = Any
Path = tuple[Pick, ...]
FIRST_BAND = 4
MOST_AHEAD = 64
"""So many answers are walked to before they are handed out, at most, where none of them is still to be searched for."""
MOST_NESTED = 20
OFTEN = 2
MOST_WALKS, MOST_STEPS = 64, 1024
"""A node that was walked through so often keeps the walks to its answers, if there are not more, and they have not more
picks in all."""
MOST_SEEN = 16
"""A list of more elements is not looked through wherever it is put into another term."""
MOST_TOGETHER = 4
"""The walks through so many nodes, one after the other, are put together, at most."""


class Alternative:
    """`terms` for the wanted variables of a node, over `open` slots; each part solves some of the slots.

    `cost` is what it adds to the length of a derivation: 0 where nothing can go on forever. `steps` names the clauses
    that led to it. A `doubtful` alternative may have answers in common with others of its node.
    """

    __slots__ = ("cost", "doubtful", "open", "parts", "residue", "steps", "terms")

    def __init__(
        self,
        terms: Path,
        parts: tuple[Any, ...] = (),
        residue: Path = (),
        slots: int = 0,
        cost: int = 0,
        steps: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.terms = terms
        self.parts = parts
        self.residue = residue
        self.open = slots
        self.cost = cost
        self.steps = steps
        self.doubtful = False


class Node:
    """The answers of one part; subclasses say in `produce` what the alternatives are."""

    __slots__ = ("_buffer", "_counted", "_done", "_failed", "_possible", "_source", "times", "walks")

    def __init__(self) -> None:
        self._buffer: list[Pick] = []
        self._done = False
        self._failed = False
        self._source: Iterator[Pick] | None = None
        self._counted: int | None = None
        self._possible: bool | None = None
        self.walks: list[Path] | None = None  # to all its answers, where these are known, few, and near
        self.times = 0  # how often all its picks were walked through

    def produce(self) -> Iterator[Pick]:
        """The alternatives, one after the other, each at most once."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """How many variables an answer has values for."""
        raise NotImplementedError

    def known_count(self) -> int | None:
        """The number of answers, where no walk is needed to know it."""
        return None

    def draw(self, random: Random) -> Pick | None:
        """An answer at random, each as likely as any other, where no walk is needed to draw it; else None."""
        return None

    def stored(self) -> bool:
        """Whether alternatives are kept for the next walk."""
        return True

    def is_known(self) -> bool:
        """Whether all alternatives have been worked out, and are kept."""
        return self._done

    def picks(self) -> Iterator[Pick]:
        """The alternatives; worked out once and shared by all walks. Raises StepLimit."""
        if self._done:
            return iter(self._buffer)
        return self._worked_out() if self.stored() else self.produce()

    def _worked_out(self) -> Iterator[Pick]:
        at = 0
        while True:
            if at < len(self._buffer):
                yield self._buffer[at]
                at += 1
                continue
            if self._done:
                return
            if self._failed:
                # A search that was cut short starts again, for whoever grants it more steps.
                self._failed, self._source = False, None
                self._buffer = []
                skip = at
                for index, pick in enumerate(self.produce()):
                    if index >= skip:
                        yield pick
                return
            if self._source is None:
                self._source = self.produce()
            try:
                pick = next(self._source, None)
            except BaseException:
                self._failed = True
                raise
            if pick is None:
                self._done = True
            else:
                self._buffer.append(pick)


def answers(root: Node) -> Iterator[Path]:
    """The answers of a circuit, each as the picks on its walk; see `runs`."""
    return chain.from_iterable(runs(root))


def runs(root: Node) -> Iterator[list[Path]]:
    """The answers of a circuit, each as the picks on its walk, without recursion and in flat memory.

    They come in runs: what is known already comes together, so that whoever looks after each run pays for no search
    that a run goes on after. Depth first within a band of derivation lengths; what is longer comes in a later band, so
    that no branch, however long, keeps others from being reached. Two walks to one answer differ first in doubtful
    alternatives, so only the answers of doubtful walks are remembered. Raises StepLimit.
    """
    previous, limit = -1, FIRST_BAND
    seen: set[Any] = set()
    while True:
        cut = yield from _band(root, previous, limit, seen)
        if not cut:
            return
        previous, limit = limit, limit * 2


def _band(root: Node, previous: int, limit: int, seen: set[Any], depth: int = 0) -> Generator[list[Path], None, bool]:
    """The answers with derivations longer than `previous`, up to `limit`; whether there were longer ones.

    `depth` is how many walks this one serves to find out what is possible.
    """
    cut = False
    run: list[Path] = []
    path: list[Pick] = []
    # A frame: a node, its picks, whether all of them are known, the nodes that come after it, the cost so far, whether
    # the walk is doubtful.
    frames: list[tuple[Node, Iterator[Pick], bool, Any, int, bool]] = []
    frames.append((root, root.picks(), root.is_known(), None, 0, False))
    while frames:
        walked, picks, is_known, rest, before, is_doubtful = frames[-1]
        at = len(frames) - 1
        if run and not is_known:
            yield run
            run = []
        for pick in picks:
            del path[at:]
            path.append(pick)
            agenda, spent, doubtful = rest, before, is_doubtful
            if type(pick) is not tuple:
                spent += pick.cost
                if spent > limit:
                    # The alternatives of a node come in the order of their cost.
                    cut = True
                    frames.pop()
                    break
                parts = pick.parts
                if len(parts) > 1:
                    others = [node for node, _ in parts[1:]]
                    if run and any(node._possible is None for node in others):
                        yield run
                        run = []
                    if not all(possible(node, depth) for node in others):
                        continue
                doubtful = doubtful or pick.doubtful
                for node, _ in reversed(parts):
                    agenda = (node, agenda)
            if agenda is not None:
                ways = None if doubtful else _walks_through(agenda)
                if ways is None:
                    node, agenda = agenda
                    frames.append((node, node.picks(), node.is_known(), agenda, spent, doubtful))
                    break
                if spent > previous and ways:
                    if len(run) + len(ways) > MOST_AHEAD:
                        yield run
                        run = []
                    found = tuple(path)
                    run += [found + way for way in ways]
                    if not is_known:
                        yield run
                        run = []
            elif spent > previous:
                found = tuple(path)
                if doubtful:
                    known = Filled(found, root.width).identity()
                    if known in seen:
                        continue
                    seen.add(known)
                run.append(found)
                if not is_known or len(run) == MOST_AHEAD:
                    yield run
                    run = []
        else:
            frames.pop()
            walked.times += 1
            if walked.times == OFTEN and walked.is_known():
                walked.walks = _walks(walked)
    if run:
        yield run
    return cut


def _walks(node: Node) -> list[Path] | None:
    """The walks to all answers of a node whose picks are known, in order; None where they are too many, where one of
    them is doubtful or has a cost, and where the parts of a pick have not kept theirs."""
    found: list[Path] = []
    steps = 0
    for pick in node.picks():
        if type(pick) is tuple:
            ways: list[Path] | None = [()]
        elif pick.cost or pick.doubtful:
            return None
        else:
            ways = _joined([part for part, _ in pick.parts])
        if ways is None or len(found) + len(ways) > MOST_WALKS:
            return None
        found += [(pick, *way) for way in ways]
        steps += sum(map(len, ways)) + len(ways)
        if steps > MOST_STEPS:
            return None
    return found


def _walks_through(agenda: Any) -> list[Path] | None:
    """The walks through all nodes that are still to come, if they have kept theirs, and are few."""
    nodes: list[Node] = []
    while agenda is not None:
        node, agenda = agenda
        if node.walks is None or len(nodes) == MOST_TOGETHER:
            return None
        nodes.append(node)
    return _joined(nodes)


def _joined(nodes: list[Node]) -> list[Path] | None:
    """The walks through some nodes, one after the other; None if one has not kept its own, or they are too many."""
    found = nodes[0].walks if nodes else [()]
    for node in nodes[1:]:
        walks = node.walks
        if found is None or walks is None or len(found) * len(walks) > MOST_WALKS:
            return None
        found = [before + walk for before in found for walk in walks]
    return found


def possible(node: Node, depth: int = 0) -> bool:
    """False if a node surely has no answer; that is looked for among short derivations only. Raises StepLimit."""
    if node._possible is None:
        known = node.known_count()
        if known is not None:
            node._possible = known > 0
        elif depth >= MOST_NESTED:
            return True
        else:
            band = _band(node, -1, FIRST_BAND, set(), depth + 1)
            try:
                next(band)
                node._possible = True
            except StopIteration as end:
                node._possible = bool(end.value)
    return node._possible


def count(root: Node, progress: Callable[[int], None] | None = None) -> int:
    """The number of answers of a circuit: sums and products over shared nodes. Raises StepLimit.

    `progress` is called with the number of nodes that were looked at, as it grows.
    """
    pending: list[tuple[Node, list[Any] | None]] = [(root, None)]
    looked = 0
    while pending:
        node, alternatives = pending.pop()
        if progress is not None:
            looked += 1
            progress(looked)
        if node._counted is not None:
            continue
        known = node.known_count()
        if known is not None:
            node._counted = known
            continue
        if alternatives is None:
            alternatives = list(node.picks())
            if any(type(pick) is not tuple and pick.doubtful for pick in alternatives):
                node._counted = sum(1 for _ in answers(node))
                continue
            waiting = [
                part
                for pick in alternatives
                if type(pick) is not tuple
                for part, _ in pick.parts
                if part._counted is None
            ]
            if len(pending) > 1_000_000:
                raise StepLimit
            pending.append((node, alternatives))
            pending.extend((part, None) for part in waiting)
            continue
        total = 0
        for pick in alternatives:
            ways = 1
            if type(pick) is not tuple:
                for part, _ in pick.parts:
                    if part._counted is None:
                        raise StepLimit  # a node that needs itself: the derivation has no end
                    ways *= part._counted
            total += ways
        node._counted = total
    assert root._counted is not None
    return root._counted


class Filled:
    """An answer put together: `terms` for the wanted variables of the root, and the `residue` that constrains them.

    What stays open is a fresh variable. `steps` are the clauses that gave it, as (relation, clause).
    """

    __slots__ = ("residue", "steps", "terms")

    def __init__(self, path: Path, wanted: int) -> None:
        asked: list[Any] = [_UNNUMBERED] * wanted
        steps: list[tuple[str, str]] = []
        # Where the values of the nodes still to come on the walk go, the next node's last: into a list, at some places.
        targets: list[tuple[list[Any], Sequence[int]]] = [(asked, range(wanted))]
        met: list[tuple[Alternative, list[Any], list[Any], Sequence[int]]] = []
        for pick in path:
            into, places = targets.pop()
            if type(pick) is tuple:
                for place, value in zip(places, pick, strict=True):
                    into[place] = value
                continue
            steps.extend(pick.steps)
            opened: list[Any] = [_UNNUMBERED] * pick.open
            met.append((pick, opened, into, places))
            targets.extend((opened, needed) for _, needed in reversed(pick.parts))
        bindings: dict[Any, Any] = {}
        left: list[Any] = []
        # From the end: what slots stand for is known there, so that a term is made once.
        for pick, opened, into, places in reversed(met):
            given = []
            for place, term in zip(places, pick.terms, strict=True):
                if type(term) is Slot:
                    (number,) = term.args
                    into[place] = opened[number] = _held(opened[number], bindings)
                elif type(term) in PLAIN:
                    into[place] = term
                else:
                    given.append((place, term))
            if given or pick.residue:
                slots = {slot(i): _held(value, bindings) for i, value in enumerate(opened)}
                # Together: what they share is rebuilt once.
                terms = reify_slots(tuple([term for _, term in given]), slots)
                for (place, _), term in zip(given, terms, strict=True):
                    into[place] = term
                left.append(reify_slots(pick.residue, slots))
        self.steps = tuple(steps)
        held = tuple([_held(value, bindings) for value in asked])
        self.terms: Path = reify_term(held, bindings) if bindings else held
        # What was said of variables that turned out to be known is no news.
        said = reify_term(tuple(chain.from_iterable(reversed(left))), bindings)
        self.residue: Path = tuple(dict.fromkeys(c for c in said if variables_of(c)))

    def identity(self) -> Any:
        """Equal for answers that differ only in the names of variables, and for no others."""
        numbering: dict[Any, Any] = {}
        terms = exact(canonical(self.terms, numbering))
        if not self.residue:
            return terms
        pending = list(self.residue)
        constraints: list[Any] = []
        while pending:
            # Constraints are numbered in the order of how they look, whichever order they came in.
            looks = {c: str(rebuild(c, lambda v: numbering.get(v, _UNNUMBERED))) for c in pending}
            chosen = min(pending, key=looks.__getitem__)
            pending.remove(chosen)
            constraints.append(canonical((chosen,), numbering)[0])
        return (terms, frozenset(constraints))


def _held(value: Any, bindings: dict[Any, Any]) -> Any:
    """What stands for a value within terms: a variable for what is open, and for what holds such or is long, so that
    each term is looked through once, however deep an answer is."""
    kind = type(value)
    if kind in PLAIN or kind in VARIABLES:
        return value
    if value is _UNNUMBERED:
        return fresh()
    if _is_short(value) if kind is tuple else is_ground(value):
        return value
    variable = fresh()
    bindings[variable] = value
    return variable


def _is_short(items: Path) -> bool:
    """Whether a list is soon seen to have nothing open in it: most shapes are."""
    return len(items) <= MOST_SEEN and PLAIN.issuperset(map(type, items))


_UNNUMBERED = Slot(-1)
