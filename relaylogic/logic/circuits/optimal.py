"""The least that a sum comes to over the answers of a circuit, part by part, and the answers for which it does.

The sum is of some of the wanted variables, each with a weight. The parts of an alternative have nothing in common, so
the least sum of an alternative is what it says itself and the least sums of its parts, and that of a node is that of
one of its alternatives. Shared nodes are looked at once: counting, in another semiring (Kimmig, Van den Broeck and De
Raedt, "Algebraic model counting", 2017). With negative weights, it is the greatest sum that is found.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from ..control import StepLimit
from ..integers import lowest
from ..terms.terms import Slot
from .branching import Root
from .circuit import Alternative, Node, answers
from .kernel import Kernel
from .problem import Problem

__all__ = ["LeastSum"]

Weights = tuple[tuple[int, int], ...]
"""The places of some wanted variables of a node, in order, each with its weight."""
_Key = tuple[Node, Weights]
_Parts = list[tuple[_Key, tuple[int, ...]]]
"""The parts of an alternative, each with the weights of its variables, and the slots that it solves."""
NOTHING_KNOWN = float("-inf")


class LeastSum:
    """What the last wanted variables of a root, which are `addends`, come to together: at `least`, or else at most."""

    def __init__(self, root: Root, addends: int, least: bool) -> None:
        self._known: dict[_Key, int | None] = {}
        self._restricted: dict[_Key, Node] = {}
        self._root = root
        self._width = root.width - addends
        self._sign = 1 if least else -1
        self._all = root, tuple((place, self._sign) for place in range(self._width, root.width))

    def no_better(self, value: int) -> bool:
        """Whether no answer has a better sum than a value, by bounds alone."""
        node, weights = self._all
        said = (_said(pick, weights) for pick in node.picks())
        return all(own + self._together(parts) >= self._sign * value for own, parts in said)

    def value(self) -> int | None:
        """The sum; None if there is no answer. Raises StepLimit if something has no last value, or if of an answer it
        is not known whether it is one."""
        self._root.solver.counts = True
        try:
            found = self._least(self._all)
        finally:
            self._root.solver.counts = False
        return None if found is None else self._sign * found

    def root(self) -> Root:
        """The circuit of the answers that have this sum, without what is added up."""

        def starts() -> Iterator[Alternative]:
            for best in self.best(self._all):
                best.terms = best.terms[: self._width]
                yield best

        return Root(starts, self._width, self._root.solver)

    def _least(self, asked: _Key) -> int | None:
        """The least sum of a node; those of parts are found first, on a stack of its own."""
        if asked in self._known:
            return self._known[asked]
        stack = [(asked, self._of(*asked))]
        waiting = {asked}
        value = None
        while stack:
            key, finding = stack[-1]
            try:
                part = finding.send(value)
            except StopIteration as end:
                value = self._known[key] = end.value
                waiting.discard(key)
                stack.pop()
                continue
            value = self._known.get(part)
            if part not in self._known:
                if part in waiting:
                    raise StepLimit  # a node that needs itself: the derivation has no end
                waiting.add(part)
                stack.append((part, self._of(*part)))
        return value

    def _of(self, node: Node, weights: Weights) -> Generator[_Key, int | None, int | None]:
        """The least sum of a node; asks for those of its parts."""
        if not weights:
            path = next(answers(node), None)
            if path is not None and any(type(pick) is not tuple and pick.residue for pick in path):
                raise StepLimit
            return None if path is None else 0
        if isinstance(node, Kernel):
            return node.least_sum(dict(weights))
        best: int | None = None
        for pick in node.picks():
            value, parts = _said(pick, weights)
            if best is not None and value + self._together(parts) >= best:
                continue
            for part, _ in parts:
                found = yield part
                if found is None:
                    break
                value += found
            else:
                best = value if best is None else min(best, value)
        return best

    def _together(self, parts: _Parts) -> float:
        """What the sums of some parts are at least together, by what is known already."""
        return sum(self._at_least(part) for part, _ in parts)

    def _at_least(self, key: _Key) -> float:
        """What the sum of a node is at least, by what is known already."""
        node, weights = key
        if key in self._known:
            value = self._known[key]
            return float("inf") if value is None else value
        if isinstance(node, Problem):
            state = node.part.state
            bounds = [state.bounds(variable) for variable in node.part.wanted]
        elif isinstance(node, Kernel):
            bounds = node.system.bounds
        else:
            return NOTHING_KNOWN if weights else 0
        least = lowest(bounds, weights)
        return NOTHING_KNOWN if least is None else least

    def best(self, key: _Key) -> Iterator[Any]:
        """The alternatives of a node that have its least sum, of such answers alone."""
        node, weights = key
        least = self._least(key)
        if least is None:
            return
        for pick in node.picks():
            value, parts = _said(pick, weights)
            if value + self._together(parts) > least:
                continue
            sums = [self._least(part) for part, _ in parts]
            if None in sums or value + sum(found for found in sums if found is not None) != least:
                continue
            if type(pick) is tuple:
                yield pick
                continue
            restricted = tuple([(self._of_least_sum(part), needed) for part, needed in parts])
            made = Alternative(pick.terms, restricted, (), pick.open, pick.cost, pick.steps)
            made.doubtful = pick.doubtful
            yield made

    def _of_least_sum(self, key: _Key) -> Node:
        """The node of the answers of a node that have its least sum; one for each."""
        node, weights = key
        if not weights:
            return node
        found = self._restricted.get(key)
        if found is None:
            found = node.of_least_sum(dict(weights)) if isinstance(node, Kernel) else _Restricted(self, key)
            self._restricted[key] = found
        return found


class _Restricted(Node):
    """The answers of a node that have its least sum."""

    __slots__ = ("_key", "_sums")

    def __init__(self, sums: LeastSum, key: _Key) -> None:
        super().__init__()
        self._sums = sums
        self._key = key

    @property
    def width(self) -> int:
        """The number of variables of the node."""
        return self._key[0].width

    def produce(self) -> Iterator[Any]:
        """Its alternatives that have the least sum."""
        return self._sums.best(self._key)


def _said(pick: Any, weights: Weights) -> tuple[int, _Parts]:
    """What an alternative says of the sum itself, and its parts. Raises StepLimit if something stays open."""
    if type(pick) is tuple:
        return sum(weight * pick[place] for place, weight in weights), []
    if pick.residue:
        raise StepLimit
    value = 0
    slots: dict[int, int] = {}
    for place, weight in weights:
        term = pick.terms[place]
        if type(term) is int:
            value += weight * term
        elif type(term) is Slot:
            (index,) = term.args
            slots[index] = slots.get(index, 0) + weight
        else:
            raise StepLimit
    parts: _Parts = []
    for node, needed in pick.parts:
        own = tuple([(place, slots.pop(index)) for place, index in enumerate(needed) if index in slots])
        parts.append(((node, own), needed))
    if slots:
        raise StepLimit
    return value, parts
