"""The product of independent lists of answers, in the lexicographic order of all variables together.

Each source has answers over ascending positions, sorted. Where the positions of sources interleave, the answers are
kept as tries, so that the walk over the positions goes from source to source and never meets a dead end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import itemgetter

from .levels import Level, State
from .walk import Walk

__all__ = ["Source", "merged"]

MOST_KEPT = 100_000
Answer = tuple[int, ...]


class Source:
    """Answers over `positions`; `answers` starts from the first one each time it is called."""

    def __init__(self, positions: Sequence[int], answers: Callable[[], Iterator[Answer]]) -> None:
        self.positions = tuple(positions)
        self._answers = answers
        self._kept: list[Answer] | None = None
        self._starts = 0

    def keep(self) -> list[Answer] | None:
        """All answers, if they are few."""
        if self._kept is None:
            self._kept = list(islice(self._answers(), MOST_KEPT + 1))
        return self._kept if len(self._kept) <= MOST_KEPT else None

    def answers(self) -> Iterator[Answer]:
        """The answers, in lexicographic order; kept from the second time on, if they are few."""
        self._starts += 1
        if self._starts == 2:
            self.keep()
        return iter(self._kept) if self._kept is not None and len(self._kept) <= MOST_KEPT else self._answers()


def _clusters(sources: Sequence[Source]) -> list[list[Source]]:
    """Sources whose positions interleave, together."""
    found: list[list[Source]] = []
    end = -1
    for source in sorted(sources, key=lambda s: s.positions):
        if source.positions[0] < end:
            found[-1].append(source)
        else:
            found.append([source])
        end = max(end, source.positions[-1])
    return found


def merged(
    sources: Sequence[Source],
    joint: Callable[[list[Source]], Source],
    width: int,
    constants: dict[int, int],
    charge: Callable[[int], None],
) -> Iterator[Answer]:
    """The product of `sources`, none of them empty, as tuples of `width` values.

    `constants` are the values at the positions of no source; `joint` makes one source of several that are too long to
    be kept.
    """
    if not sources:
        yield tuple(constants[i] for i in range(width))
        return
    parts: list[Source] = []
    for cluster in _clusters(sources):
        if len(cluster) == 1:
            parts.append(cluster[0])
        elif all(source.keep() is not None for source in cluster):
            parts.append(_interleaved(cluster, charge))
        else:
            parts.append(joint(cluster))
    given = tuple(constants.values())
    places = {p: i for i, p in enumerate((*constants, *(p for part in parts for p in part.positions)))}
    picked = [places[i] for i in range(width)]
    answers = parts[0].answers() if len(parts) == 1 else _product(parts)
    if picked == list(range(width)):
        yield from ((*given, *answer) for answer in answers) if given else answers
    else:
        pick = itemgetter(*picked)  # of at least two places, since they are out of order
        for answer in answers:
            yield pick((*given, *answer))


def _product(parts: Sequence[Source]) -> Iterator[Answer]:
    """The concatenations of answers, the last part's changing fastest."""
    last = len(parts) - 1
    running = [parts[0].answers()]
    prefixes: list[Answer] = [()]
    while running:
        prefix = prefixes[-1]
        if len(running) - 1 == last:
            for answer in running.pop():
                yield prefix + answer
            prefixes.pop()
            continue
        following = next(running[-1], None)
        if following is None:
            running.pop()
            prefixes.pop()
        else:
            prefixes.append(prefix + following)
            running.append(parts[len(running)].answers())


def _interleaved(cluster: Sequence[Source], charge: Callable[[int], None]) -> Source:
    owners = sorted((p, which) for which, source in enumerate(cluster) for p in source.positions)
    tries = tuple(_trie(source.keep() or []) for source in cluster)
    levels = [_trie_level(which, tries if i == 0 else None) for i, (_, which) in enumerate(owners)]
    return Source([p for p, _ in owners], lambda: Walk(levels, len(levels), charge).answers())


class _Node:
    """A node of a trie: the values of a position, in ascending order, and where they lead."""

    __slots__ = ("children",)

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}


def _trie(answers: Sequence[Answer]) -> _Node:
    """The trie of sorted answers."""
    root = _Node()
    for answer in answers:
        node = root
        for value in answer:
            child = node.children.get(value)
            if child is None:
                child = node.children[value] = _Node()
            node = child
    return root


def _trie_level(which: int, start: tuple[_Node, ...] | None) -> Level:
    """A level whose state is a node of each trie, of which it walks down the one of source `which`."""

    def values(state: State) -> list[int]:
        return list((start or state)[which].children)

    def step(state: State, value: int) -> State:
        nodes = start or state
        return (*nodes[:which], nodes[which].children[value], *nodes[which + 1 :])

    return Level(values, step, False)
