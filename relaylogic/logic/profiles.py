"""What is true of calls and of all that they lead to: whether they make a number `?`, whether a relation calls itself.

Both are read off the options of patterns (`relaylogic.logic.options`). A relation that calls itself is tabled
(`relaylogic.logic.tables`); where nothing can be `?`, nobody has to wait and see (`relaylogic.logic.gradual`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .calls import Call
from .control import Budget, Search, StepLimit
from .options import may_be_unknown, pattern_of
from .state import State
from .suspended import Suspended
from .terms import canonical, slot

__all__ = ["Profile", "Profiles", "asked_about"]

STEPS = 2_000


@dataclass(frozen=True, slots=True)
class Profile:
    """What calls of a pattern may do, with all that they lead to."""

    makes_unknown: bool
    recursive: bool


class Profiles:
    """The profiles of the patterns that a rule base is asked about, worked out when they are asked for."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._known: dict[Any, Profile] = {}

    def clear(self) -> None:
        """Forget everything: the rules have changed."""
        self._known.clear()

    def of_relation(self, relation: Any, attrs: Any = None) -> Profile:
        """The profile of the most general call of a relation with these attributes."""
        places = tuple(map(slot, range(relation.arity)))
        return self.of((relation, *places, attrs) if relation.takes_attrs else (relation, *places))

    def of(self, pattern: tuple[Any, ...]) -> Profile:
        """The profile of a pattern."""
        found = self._known.get(pattern)
        if found is None:
            if len(self._known) > self._rules.options.most:
                self._known.clear()
            found = self._known[pattern] = self._profile(pattern)
        return found

    def _profile(self, start: tuple[Any, ...]) -> Profile:
        search = Search(Budget(STEPS), postpones=True, gradual=True, defaults=False, rules=self._rules)
        makes = recursive = False
        seen, stack = {start}, [start]
        try:
            while stack:
                pattern = pattern_of(stack.pop(), self._rules.options, search)
                makes = makes or pattern.makes_unknown
                for called in pattern.calls:
                    recursive = recursive or called[0] is start[0]
                    if called not in seen and called[0] is not start[0]:
                        seen.add(called)
                        stack.append(called)
        except (StepLimit, RecursionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            makes = True  # a rule that cannot be asked in general may do anything
        return Profile(makes, recursive)


def asked_about(goal: Any, rules: Any) -> Search:
    """The search for all answers of a goal: it postpones calls, and is gradual if something in it may be `?`."""

    def gradual() -> bool:
        trial = Search(Budget(STEPS), postpones=True, gradual=True, defaults=False, rules=rules)
        try:
            for state in goal(State({}, None, trial)):
                if may_be_unknown(tuple(state.bindings.values())):
                    return True
                for constraint in state.constraints():
                    if type(constraint) is Call:
                        if rules.profiles.of(canonical(constraint.args, {})).makes_unknown:
                            return True
                    elif type(constraint) is Suspended or may_be_unknown(constraint.args):
                        return True
        except StepLimit:
            return True
        return False

    return Search(postpones=True, gradual=gradual, defaults=False, rules=rules)
