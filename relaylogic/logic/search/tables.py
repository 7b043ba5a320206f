"""Tabling: the answers of relations that call themselves (SLG resolution).

A call of such a relation is solved in a `Forest`: one table for each pattern of call that arises (calls that differ in
the names of variables only share one). A table is filled by strands, states that still have calls to make; a strand
that comes to a call of a recursive relation is suspended on that call's table and goes on with each of its answers,
those that are there and those still to come. So a call that leads back to itself adds no work, left, right and mutual
recursion end when there are finitely many answers, and an endless relation gives each answer after finitely many
steps, since strands take turns. A table may be of the answers below some numbers only (`ceilings`); a call whose
answers are among those of a table of another takes them from there.

After Chen and Warren, "Tabled evaluation with delaying for general logic programs" (1996), without its negation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ..exact import exact
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import settle
from ..terms.rebuilding import instantiate, reify_term
from ..terms.terms import variables_of
from .ceilings import Ceilings, below, ceilings_of, covers, lowered, without_ceilings
from .leftover import projected
from .options import MOST, Option, Options, apply, option_of, pursue, weight

__all__ = ["Forest"]

MOST_CEILINGS = 8
"""So many tables of one pattern may each go higher than those before it: else ceilings that rise with each call would
make tables for ever."""


class _Table:
    """The answers of one pattern, in the order in which they were found, and the strands that wait for more."""

    __slots__ = ("answers", "ceilings", "counted", "known", "waiting")

    def __init__(self, ceilings: Ceilings) -> None:
        self.ceilings = ceilings
        self.counted: list[Any] = []  # what stands for the lengths of lists that have one
        self.answers: list[Option] = []
        self.known: set[Any] = set()
        self.waiting: list[tuple[_Table, tuple[Any, ...], str, State, int, Call]] = []


class Forest:
    """The tables that the answers of one pattern need, as far as they lie below its ceilings.

    `recursive(call)` says which calls have tables, `options(call)` what the others can come to.
    """

    def __init__(
        self,
        pattern: tuple[Any, ...],
        search: Any,
        recursive: Callable[[Call], bool],
        options: Callable[[Call], Options],
        ceilings: Ceilings = (),
    ) -> None:
        self._search = search
        self._recursive = recursive
        self._options = options
        self._tables: dict[Any, list[_Table]] = {}
        self._strands: deque[tuple[_Table, tuple[Any, ...], str, State]] = deque()
        self._arguments = tuple(instantiate(pattern[1:], {}))
        self._root = self._table(pattern, ceilings)

    def answers(self) -> Iterator[Option]:
        """The answers of the pattern, each once, as they are found. Raises StepLimit."""
        at = 0
        while True:
            while at < len(self._root.answers):
                yield self._root.answers[at]
                at += 1
            if not self._strands:
                return
            self._search.budget.charge()
            self._advance(*self._strands.popleft())

    def whole(self) -> Options | None:
        """All that the pattern can come to, if that is no more than can be stored. Raises StepLimit."""
        for index, _ in enumerate(self.answers()):
            if index >= MOST:
                return None
        known, start = variables_of(self._arguments), State({}, None, self._search)
        answers = self._root.answers
        states = [(o.clause, state) for o in answers for state in o.goal(known)(start)]
        return Options(len(answers), states, self._arguments)

    def _table(self, pattern: tuple[Any, ...], ceilings: Ceilings) -> _Table:
        """The table that has the answers of a pattern below some ceilings."""
        key = exact(pattern)
        found = self._known_table(key, ceilings)
        if found is not None:
            return found
        tables = self._tables.setdefault(key, [])
        if len(tables) >= MOST_CEILINGS:
            ceilings = lowered(ceilings, [table.ceilings for table in tables])
        found = _Table(ceilings)
        tables.append(found)
        self._search.budget.charge(sum(map(weight, pattern)))
        relation, *arguments = instantiate(pattern, {})
        given = tuple(arguments)
        start, found.counted = below(ceilings, variables_of(given), State({}, None, self._search))
        for clause in relation.clauses if start is not None else ():
            for state in clause.goal(given)(start):
                self._strands.append((found, given, clause.name, state))
        return found

    def _known_table(self, key: Any, ceilings: Ceilings) -> _Table | None:
        """A table that has the answers of a pattern, by its key, below some ceilings, if there is one."""
        tables = self._tables.get(key, ())
        return next((table for table in tables if covers(table.ceilings, ceilings)), None)

    def _advance(self, table: _Table, arguments: tuple[Any, ...], clause: str, state: State) -> None:
        """Take a strand to its next call of a recursive relation, or to an answer."""
        for settled in settle(state):
            chosen = self._next_call(settled)
            if chosen is None:
                self._answer(table, arguments, clause, settled)
                continue
            number, call = chosen
            if self._recursive(call):
                callee = self._table(call.pattern.args, ceilings_of(call, settled))
                callee.waiting.append((table, arguments, clause, settled, number, call))
                for option in list(callee.answers):
                    self._resume(option, table, arguments, clause, settled, number, call)
                continue
            for _, following in pursue(number, call, settled, self._options(call)):
                self._strands.append((table, arguments, clause, following))

    def _next_call(self, state: State) -> tuple[int, Call] | None:
        """The call to make next: one that has a table, then the one of fewest ways, then one that gets a table.

        A call that has a table comes before the others make it a special case of itself, and that another, for ever.
        """
        best, fewest = None, None
        for number, constraint in ({} if state.store is None else state.store.constraints).items():
            if type(constraint) is Call:
                call = reify_term(constraint, state.bindings)
                if not self._recursive(call):
                    size = (1, self._options(call).count)
                else:
                    known = self._known_table(exact(call.pattern.args), ceilings_of(call, state))
                    size = (0 if known is not None else 2, 0)
                if fewest is None or size < fewest:
                    best, fewest = (number, call), size
        return best

    def _answer(self, table: _Table, arguments: tuple[Any, ...], clause: str, state: State) -> None:
        visible = projected(without_ceilings(state, table.counted), arguments)
        if visible is None:
            return
        option = option_of(clause, visible, tuple(variables_of(arguments)))
        # Each answer may be longer or taller than the one before.
        self._search.budget.charge(option.size + len(option.constraints) + weight(option.values))
        key = (exact(option.values), frozenset(option.constraints))
        if key in table.known:
            return
        table.known.add(key)
        table.answers.append(option)
        for waiting in list(table.waiting):
            self._resume(option, *waiting)

    def _resume(
        self,
        option: Option,
        table: _Table,
        arguments: tuple[Any, ...],
        clause: str,
        state: State,
        number: int,
        call: Call,
    ) -> None:
        following = apply(option, number, call, state)
        if following is not None:
            self._strands.append((table, arguments, clause, following))
