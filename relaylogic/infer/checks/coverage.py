"""Coverage of `match`: which values no arm takes, and which arms no value reaches.

The algorithm is usefulness of pattern vectors (L. Maranget, "Warnings for pattern matching", JFP 17(3),
2007), searched best-first, so that the first missing value found is one with the fewest symbols. A state of
the search is a matrix, the rows of which are what is left of the arms' patterns, next to a query row that
says which values are asked for. Rows are interned linked lists, known by their index: a matrix is a tuple of
indices, and one that was met before, on a path no longer than this one, is not searched again.

Patterns that inference refuses (a constructor of another type, a wrong number of sub-patterns) are read as
well as can be: what is missing counts as `_`, what is superfluous is ignored, and a row that cannot match
takes no value. Which they are can be asked (`contradictory`), for those to be read as `_` of which it is not known what
they are meant to take.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from ...errors import RelayLogicError
from ...ir import (
    Clause,
    Constructor,
    IRModule,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
)
from ...logic.control import Budget, StepLimit

__all__ = ["CoverageLimit", "Form", "has_an_arm_for_each", "missed", "takes_each_once", "uncovered", "unreachable"]

_Item = TypeVar("_Item")

_TAKING_ALL = frozenset({PatternVar, PatternWildcard})

ROWS = 1_000_000
"""How many rows of matrices one question may look at."""


class CoverageLimit(RelayLogicError):
    """The budget ran out before it was known whether a match is exhaustive, or an arm reachable."""


def uncovered(match: Match, module: IRModule, rows: int = ROWS, wild: Collection[int] = ()) -> str | None:
    """A smallest value, as a pattern in Relay text, that no arm takes; None if the arms take every value.

    The patterns of the identities `wild` are read as `_`. Raises CoverageLimit if that is not known after `rows` rows
    of matrices.
    """
    search = _Search(module, rows, match, wild)
    arms = tuple(search.row(clause.lhs) for clause in match.clauses)
    path = search.escape(arms, search.row(None))
    return None if path is None else _text(path)


def has_an_arm_for_each(match: Match, module: IRModule) -> bool:
    """Whether a match is seen at a glance to have one arm for each constructor of a data type, which takes all that is
    made by it: then no value is missed, and each arm is reached."""
    met: set[Constructor] = set()
    for clause in match.clauses:
        pattern = clause.lhs
        if type(pattern) is not PatternConstructor or len(pattern.patterns) != len(pattern.constructor.inputs):
            return False
        if not _TAKING_ALL.issuperset(map(type, pattern.patterns)):
            return False
        met.add(pattern.constructor)
    data = None if not met else module.get_type_data(next(iter(met)).belong_to)
    return data is not None and len(met) == len(match.clauses) and met == set(data.constructors)


def contradictory(match: Match) -> set[int]:
    """The identities of the patterns of a match that cannot all be right.

    They are of several types at one place of the value, or have not as many parts as their constructor.
    """
    found: set[int] = set()
    agenda: list[list[Pattern]] = [[clause.lhs for clause in match.clauses]]
    while agenda:
        made = [p for p in agenda.pop() if isinstance(p, (PatternConstructor, PatternTuple))]
        if len({_made(pattern) for pattern in made}) > 1:
            found.update(map(id, made))
        by_form: dict[Any, list[tuple[Pattern, ...]]] = {}
        for pattern in made:
            form = pattern.constructor if isinstance(pattern, PatternConstructor) else len(pattern.patterns)
            if len(pattern.patterns) != _operands(form):
                found.add(id(pattern))
            by_form.setdefault(form, []).append(pattern.patterns)
        agenda += [list(parts) for rows in by_form.values() for parts in zip(*rows, strict=False)]
    return found


def _made(pattern: PatternConstructor | PatternTuple) -> Any:
    """What is of one type where it is the same: a data type, or the number of fields of a tuple."""
    return pattern.constructor.belong_to if isinstance(pattern, PatternConstructor) else len(pattern.patterns)


class Form(NamedTuple):
    """A form that a value may have: a constructor's name ("" for a tuple, "_" for any value) and its parts."""

    name: str
    parts: tuple[Form, ...] = ()


def missed(match: Match, module: IRModule, rows: int = ROWS) -> Form | None:
    """The value that `uncovered` tells, as data: where it has more parts than are told, these are any.

    Raises CoverageLimit if that is not known after `rows` rows of matrices.
    """
    search = _Search(module, rows, match)
    path = search.escape(tuple(search.row(clause.lhs) for clause in match.clauses), search.row(None))
    return None if path is None else _form(path)


def unreachable(match: Match, module: IRModule, rows: int = ROWS) -> list[Clause]:
    """The arms that no value reaches because the arms before them take all that they could.

    Raises CoverageLimit if that is not known of every arm after `rows` rows of matrices.
    """
    reached = _reached(match, module, rows // 4)
    search = _Search(module, rows, match)
    earlier: list[int] = []
    found = []
    for place, clause in enumerate(match.clauses):
        row = search.row(clause.lhs)
        if place in reached or search.escape(tuple(earlier), row) is not None:
            earlier.append(row)
        else:
            found.append(clause)
    return found


def _reached(match: Match, module: IRModule, rows: int) -> set[int]:
    """The places of the arms that values reach, as far as that is known after `rows` rows of matrices.

    Of most matches it is told of all arms at once, where each alone would be looked for among all before it.
    """
    search = _Search(module, rows, match)
    found: set[int] = set()
    with suppress(CoverageLimit):  # what was found is reached
        search.reach([search.row(clause.lhs) for clause in match.clauses], found)
    return found


def takes_each_once(match: Match, module: IRModule, rows: int = ROWS) -> bool:
    """Whether a match misses no value that it may not miss, and each of its arms is reached.

    Raises CoverageLimit if that is not known after `rows` rows of matrices.
    """
    return not (match.complete and missed(match, module, rows)) and not unreachable(match, module, rows)


_Head = Any
"""The form of a pattern: a Constructor, the number of components of a tuple, or None for what takes all."""

_Step = tuple[str, int]
"""A symbol of a witness in prefix order: a constructor's name ("" for a tuple, "_"), its operands."""

_Path = tuple[Any, _Step] | None
"""The symbols of a witness so far, the last one outermost."""

_END = 0
"""The row without patterns."""


class _Search:
    """Interned rows, and the search for values that escape a matrix of them."""

    def __init__(self, module: IRModule, budget: int, match: Match, wild: Collection[int] = ()) -> None:
        self.module = module
        self.wild = wild
        self.budget = Budget(budget)
        self.match = match
        # Row i is a pattern (None: takes all) in front of another row; row 0 is the empty one.
        self.heads: list[Pattern | None] = [None]
        self.rests: list[int] = [_END]
        self.takes_all: list[bool] = [True]
        self.widths: list[int] = [0]
        self.known: dict[tuple[int, int], int] = {}
        self.signatures: dict[Any, tuple[Constructor, ...]] = {}

    def row(self, pattern: Pattern | None, rest: int = _END) -> int:
        """The row of `pattern` (None: takes all) followed by the patterns of `rest`."""
        if not isinstance(pattern, (PatternConstructor, PatternTuple)) or id(pattern) in self.wild:
            pattern = None
        key = (id(pattern), rest)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = len(self.heads)
            self.heads.append(pattern)
            self.rests.append(rest)
            self.takes_all.append(pattern is None and self.takes_all[rest])
            self.widths.append(self.widths[rest] + 1)
        return found

    def head(self, row: int) -> _Head:
        """The form of a row's first pattern."""
        pattern = self.heads[row]
        if isinstance(pattern, PatternConstructor):
            return pattern.constructor
        return len(pattern.patterns) if isinstance(pattern, PatternTuple) else None

    def opened(self, row: int, head: _Head) -> int:
        """The row with its first pattern, of the form `head` or one that takes all, replaced by its parts."""
        count = _operands(head)
        self.charge(count)
        pattern, result = self.heads[row], self.rests[row]
        parts: tuple[Pattern, ...] = getattr(pattern, "patterns", ())
        for index in reversed(range(count)):
            result = self.row(parts[index] if index < len(parts) else None, result)
        return result

    def charge(self, amount: int) -> None:
        """Take `amount` rows off the budget. Raises CoverageLimit if they are not there."""
        try:
            self.budget.charge(amount)
        except StepLimit:
            raise CoverageLimit(
                "the patterns are too many to tell whether they are exhaustive", self.match.span
            ) from None

    def siblings(self, head: _Head) -> tuple[_Head, ...] | None:
        """All forms that a value may have where `head` is one of them; None if its type has no definition."""
        if not isinstance(head, Constructor):
            return (head,)
        handle = head.belong_to
        if handle not in self.signatures:
            data = self.module.get_type_data(handle)
            self.signatures[handle] = () if data is None else data.constructors
        return self.signatures[handle] or None

    def escape(self, rows: tuple[int, ...], query: int) -> _Path:
        """A smallest value that the row `query` takes and no row of `rows` does; None if there is none.

        Spelled as far as it must be to escape `rows`; beyond that it is as the query has it.
        """
        serial = 0
        agenda: list[tuple[int, int, tuple[int, ...], int, _Path]] = [(0, 0, rows, query, None)]
        seen: set[tuple[tuple[int, ...], int]] = set()
        while agenda:
            cost, _, rows, query, path = heapq.heappop(agenda)
            if not rows:
                return path or (None, ("_", 0))
            if (rows, query) in seen:
                continue
            seen.add((rows, query))
            for (name, count), matrix, asked in self.branches(rows, query):
                if any(self.takes_all[row] for row in matrix):
                    continue
                serial += 1
                # Operands are counted when their turn comes, or now if it never will.
                symbols = 1 if matrix else 1 + self.widths[asked]
                heapq.heappush(agenda, (cost + symbols, serial, matrix, asked, (path, (name, count))))
        return None

    def reach(self, rows: list[int], found: set[int]) -> None:
        """Add to `found` the places of the rows that some value reaches, since no row before them takes it."""
        stack = [self.in_turn((row, place) for place, row in enumerate(rows))]
        seen: set[tuple[tuple[int, int], ...]] = set()
        while stack:
            matrix = stack.pop()
            if matrix in seen or all(place in found for _, place in matrix):
                continue
            seen.add(matrix)
            first, place = matrix[0]
            if self.takes_all[first]:
                found.add(place)
                continue
            self.charge(len(matrix))
            by_head, others = self.by_head(matrix, itemgetter(0))
            forms = self.siblings(next(iter(by_head))) if by_head else None
            stack += [
                self.in_turn((self.opened(row, form), place) for row, place in by_head[form])
                for form in forms or by_head
                if form in by_head
            ]
            if forms is None or any(form not in by_head for form in forms):
                stack.append(self.in_turn((self.rests[row], place) for row, place in others))

    def in_turn(self, rows: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Rows with their places, each once, without those behind one that takes all."""
        made: dict[int, int] = {}
        for row, place in rows:
            made.setdefault(row, place)
            if self.takes_all[row]:
                break
        return tuple(made.items())

    def by_head(
        self, items: Iterable[_Item], row_of: Callable[[_Item], int]
    ) -> tuple[dict[_Head, list[_Item]], list[_Item]]:
        """Items by the head of the next part of their rows, each with those of which that may be anything; and these
        alone."""
        by_head: dict[_Head, list[_Item]] = {}
        others: list[_Item] = []
        for item in items:
            head = self.head(row_of(item))
            if head is None:
                others.append(item)
                for group in by_head.values():
                    group.append(item)
            else:
                by_head.setdefault(head, list(others)).append(item)
        return by_head, others

    def branches(self, rows: tuple[int, ...], query: int) -> Iterator[tuple[_Step, tuple[int, ...], int]]:
        """The forms that the next part of an escaping value may have, each with the state it leads to."""
        self.charge(len(rows) + 1)
        by_head, others = self.by_head(rows, int)
        asked = self.head(query)
        if asked is not None:
            yield self.inside(asked, by_head.get(asked, others), query)
            return
        if not by_head:
            yield ("_", 0), self.distinct(self.rests[row] for row in rows), self.rests[query]
            return
        forms = self.siblings(next(iter(by_head)))
        missing = [form for form in forms or () if form not in by_head]
        if forms is not None and not missing:
            for form in forms:
                yield self.inside(form, by_head[form], query)
            return
        # If any value escapes, one of a form that no row has does: only rows that take all stand against it.
        simplest = min(missing, key=_operands, default=None)
        matrix = self.distinct(self.rests[row] for row in others)
        if simplest is None:
            yield ("_", 0), matrix, self.rests[query]
        else:
            yield self.inside(simplest, others, query)

    def inside(self, form: _Head, rows: list[int], query: int) -> tuple[_Step, tuple[int, ...], int]:
        """The branch of the values of one form."""
        self.charge(len(rows))
        name = form.name_hint if isinstance(form, Constructor) else ""
        matrix = self.distinct(self.opened(row, form) for row in rows)
        return (name, _operands(form)), matrix, self.opened(query, form)

    def distinct(self, rows: Iterator[int]) -> tuple[int, ...]:
        """The rows without repetitions."""
        return tuple(dict.fromkeys(rows))


def _operands(head: _Head) -> int:
    return len(head.inputs) if isinstance(head, Constructor) else int(head or 0)


def _form(path: _Path) -> Form:
    """The witness that a path spells in prefix order; operands that it does not reach are any value."""
    steps: list[_Step] = []
    while path is not None:
        path, step = path
        steps.append(step)
    # Backwards, the operands of a symbol are the last ones that were made; what is not reached is the last of all.
    wanted = 1 + sum(count for _, count in steps) - len(steps)
    made = [Form("_")] * wanted
    for name, count in steps:
        parts = made[len(made) - count :]
        del made[len(made) - count :]
        made.append(Form(name, tuple(reversed(parts))))
    return made[0]


def _text(path: _Path) -> str:
    """The witness that a path spells in prefix order; operands that it does not reach are `_`."""
    steps: list[_Step] = []
    while path is not None:
        path, step = path
        steps.append(step)
    out: list[str] = []
    agenda: list[str | None] = [None]  # text to write, or None for the next operand
    while agenda:
        item = agenda.pop()
        if item is not None:
            out.append(item)
            continue
        name, count = steps.pop() if steps else ("_", 0)
        out.append(name)
        if count or not name:
            closing = ",)" if count == 1 and not name else ")"
            agenda.append(closing)
            agenda += [None, ", "] * (count - 1) + [None] * (count > 0)
            out.append("(")
    return "".join(out)
