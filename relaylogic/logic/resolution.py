"""How the calls of a search are made: by their options, or, where a relation calls itself, from tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .calls import Call
from .control import Search
from .exact import exact
from .options import MOST, Options, apply, options_of, pursue
from .state import State
from .tables import Forest
from .terms import canonical, fresh_list

__all__ = ["Resolution"]


class Resolution:
    """What is known of the calls of one search. `memory` holds the options of patterns, for other searches too."""

    def __init__(self, search: Search, memory: dict[Any, Any]) -> None:
        self.search = search
        self._memory = memory
        self._known: dict[Call, Options] = {}
        self._forests: dict[Any, Forest] = {}

    def recursive(self, call: Call) -> bool:
        """Whether a call is of a relation that calls itself."""
        rules = self.search.rules
        return rules is not None and bool(rules.profiles.of(call.relation).recursive)

    def options(self, call: Call) -> Options:
        """What a call can come to; of a recursive relation, nobody knows how much."""
        found = self._known.get(call)
        if found is None:
            unbounded = self.recursive(call)
            found = Options(MOST + 1) if unbounded else options_of(canonical(call.args, {}), self._memory, self.search)
            self._known[call] = found
        return found

    def made(self, number: int, call: Call, state: State) -> Iterator[tuple[tuple[str, str], State, int]]:
        """The states in which a call has been made, with its clause, and what each adds to a derivation."""
        if not self.recursive(call):
            for step, following in pursue(number, call, state, self.options(call)):
                yield step, following, 0
            return
        for index, option in enumerate(self.forest(canonical(call.args, {})).answers()):
            new = apply(option, number, call, state)
            if new is not None:
                yield (call.relation.name, option.clause), new, index

    def forest(self, pattern: tuple[Any, ...]) -> Forest:
        """The tables for a pattern."""
        key = exact(pattern)
        found = self._forests.get(key)
        if found is None:
            found = self._forests[key] = Forest(pattern, self.search, self.recursive, self.options)
        return found

    def functional(self, call: Call, search: Search) -> bool:
        """Whether the call's relation determines its last argument, whatever the others are."""
        arity = call.relation.arity
        pattern = (call.relation, *fresh_list(arity), *call.arguments[arity:])
        return self.options(Call.make(pattern)).functional
