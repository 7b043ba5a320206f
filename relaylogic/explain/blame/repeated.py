"""Arms of a match that take what others take, where one of them is meant for what no arm takes.

Of `Red`, `Blue`, `Blue` one arm never runs and `Green` is missed: that is one fault, not two, and an arm with `Green`
in place of `Blue` mends it. Which of the two it is, their order tells: arms mostly stand in the order in which the data
type lists its constructors, or in the reverse of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import NamedTuple

from ...infer.checks.coverage import CoverageLimit, takes_each_once, unreachable
from ...ir import Clause, Constructor, IRModule, Match, PatternConstructor
from .pattern_parts import Path, all_parts, with_part

__all__ = ["Repeated", "repeated"]

ROWS = 100_000
"""How many rows of matrices one question about a match may look at."""
MOST = 64
"""So many changes of a match are looked at."""


class Repeated(NamedTuple):
    """A part of an arm's pattern, and the constructor with which the match has an arm for each value, and each arm a
    value."""

    part: PatternConstructor
    meant: Constructor


class _Change(NamedTuple):
    arm: int
    path: Path
    found: Repeated
    match: Match


def repeated(match: Match, module: IRModule) -> list[Repeated]:
    """The parts of patterns that another constructor may be meant for, the likeliest first; none unless some arm is
    reached by no value."""
    try:
        if not unreachable(match, module, ROWS):
            return []
        mends = [c for c in islice(_changes(match, module), MOST) if takes_each_once(c.match, module, ROWS)]
    except CoverageLimit:
        return []
    mends.sort(key=lambda change: (_disorder(change, module), -change.arm))
    return [change.found for change in mends]


def _changes(match: Match, module: IRModule) -> Iterator[_Change]:
    """The matches with another constructor of as many fields in one place."""
    for arm, clause in enumerate(match.clauses):
        for path, part in all_parts(clause.lhs):
            if not isinstance(part, PatternConstructor):
                continue
            data = module.get_type_data(part.constructor.belong_to)
            for other in () if data is None else data.constructors:
                if other is part.constructor or len(other.inputs) != len(part.patterns):
                    continue
                lhs = with_part(clause.lhs, path, PatternConstructor(other, part.patterns, part.span))
                arms = [*match.clauses[:arm], Clause(lhs, clause.rhs), *match.clauses[arm + 1 :]]
                yield _Change(arm, path, Repeated(part, other), Match(match.data, arms, match.complete))


def _disorder(change: _Change, module: IRModule) -> int:
    """How many pairs of arms stand in another order than their constructors where the change is, or in the same: what
    is less."""
    data = module.get_type_data(change.found.meant.belong_to)
    order = {constructor: i for i, constructor in enumerate(data.constructors)} if data is not None else {}
    met = [part for clause in change.match.clauses for path, part in all_parts(clause.lhs) if path == change.path]
    places = [order[p.constructor] for p in met if isinstance(p, PatternConstructor) and p.constructor in order]
    pairs = list(combinations(places, 2))
    return min(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
