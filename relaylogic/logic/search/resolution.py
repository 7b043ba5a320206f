"""How the calls of a search are made: by their options, or, where a relation calls itself, from tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..control import Search, StepLimit
from ..exact import exact
from ..states.calls import Call
from ..states.state import State
from ..terms.mistakes import RuleError
from ..terms.terms import PLAIN, open_in
from ..terms.variables import fresh, fresh_list
from .ceilings import NO_LISTS, Ceilings, ceilings_of
from .dependence import is_function
from .options import MOST, Options, Steps, apply, options_of, pursue
from .tables import Forest

__all__ = ["Resolution"]

SOON = 500
"""So many steps are taken to find out whether a recursive call has finitely many answers, before values are tried."""


class Resolution:
    """What is known of the calls of one search. `memory` holds the options of patterns, for other searches too."""

    def __init__(self, search: Search, memory: dict[Any, Any]) -> None:
        self.search = search
        self._memory = memory
        self._known: dict[Call, Options] = {}  # by the pattern of the call
        self._recursive: dict[Any, bool] = {}  # by the relation
        self._reified: dict[tuple[Any, ...], Call] = {}  # by the call, and what its variables are
        self._functional: dict[Any, bool] = {}  # by the pattern of the call
        self._always_functional: dict[Any, bool] = {}  # by the relation and its attributes
        self._forests: dict[Any, Forest] = {}
        self._soon: dict[Any, Options] = {}

    def recursive(self, call: Call) -> bool:
        """Whether a call is of a relation that calls itself."""
        relation = call.relation
        found = self._recursive.get(relation)
        if found is None:
            rules = self.search.rules
            found = self._recursive[relation] = rules is not None and bool(rules.profiles.of(relation).recursive)
        return found

    def reified(self, call: Call, bindings: Mapping[Any, Any]) -> Call:
        """A call with the values of what is bound in it. Where these are constants, the same ones make the same call:
        what was found out of that need not be found again."""
        values = []
        is_bound = False
        for variable in open_in(call):
            value = bindings.get(variable)
            if value is not None:
                is_bound = True
                if type(value) not in PLAIN:
                    return call.reified(bindings)  # type: ignore[no-any-return]
            values.append(value)
        if not is_bound:
            return call
        key = (call, *values)
        found = self._reified.get(key)
        if found is None:
            found = self._reified[key] = call.reified(bindings)
        return found

    def options(self, call: Call) -> Options:
        """What a call can come to."""
        pattern = call.pattern
        found = self._known.get(pattern)
        if found is None:
            recursive = self.recursive(call)
            found = self._soon_known(pattern.args) if recursive else options_of(pattern.args, self._memory, self.search)
            self._known[pattern] = found
        return found

    def _soon_known(self, pattern: tuple[Any, ...]) -> Options:
        """What a recursive call can come to; if that takes more than a few steps, nobody knows how much."""
        key = exact(pattern)
        found = self._soon.get(key)
        if found is None:
            back = self.search.budget.hold_back(SOON)
            try:
                forest = self._planted(pattern)
                found = forest.whole()
                self._forests.setdefault((key, ()), forest)
            except StepLimit:  # the tables are half filled, and no good
                pass
            finally:
                back()
            found = self._soon[key] = found or Options(MOST + 1)
        return found

    def made(
        self, number: int, call: Call, state: State, lists: Mapping[Any, int] = NO_LISTS
    ) -> Iterator[tuple[Steps, State, int]]:
        """The states in which a call has been made, with what was made, and what each adds to a derivation.

        `lists` may be no longer than it says.
        """
        if not self.recursive(call):
            for steps, following in pursue(number, call, state, self.options(call)):
                yield steps, following, 0
            return
        ceilings = () if self.options(call).count <= MOST else ceilings_of(call, state, lists)
        for index, option in enumerate(self._forest(call.pattern.args, ceilings).answers()):
            new = apply(option, number, call, state)
            if new is not None:
                yield option.steps_of(call), new, index

    def forest(self, pattern: tuple[Any, ...]) -> Forest:
        """The tables for a pattern."""
        return self._forest(pattern, ())

    def _forest(self, pattern: tuple[Any, ...], ceilings: Ceilings) -> Forest:
        key = exact(pattern), ceilings
        found = self._forests.get(key)
        if found is None:
            found = self._forests[key] = self._planted(pattern, ceilings)
        return found

    def _planted(self, pattern: tuple[Any, ...], ceilings: Ceilings = ()) -> Forest:
        return Forest(pattern, self.search, self.recursive, self.options, ceilings)

    def functional(self, call: Call) -> bool:
        """Whether the call's last argument follows from the others: of all calls of its relation, or of those like it
        in what is known of the others."""
        relation, arguments = call.relation, call.arguments
        last = relation.arity - 1
        attributes = arguments[last + 1 :]
        always = self._always_functional.get((relation, attributes))
        if always is None:
            always = self._is_function(Call.draft((relation, *fresh_list(last + 1), *attributes)))
            self._always_functional[relation, attributes] = always
        return always or self._is_function(Call.draft((relation, *arguments[:last], fresh(), *attributes)))

    def _is_function(self, call: Call) -> bool:
        found = self._functional.get(call.pattern)
        if found is None:
            found = self._functional[call.pattern] = False  # until it is known: of a relation that calls itself
            with suppress(RuleError):  # a rule may take what it is given for known
                options = self.options(call)
                found = options.gives_last or is_function(options, call.relation.arity - 1, self.functional)
            self._functional[call.pattern] = found
        return found
