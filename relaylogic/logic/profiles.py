"""What is true of all calls of a relation: whether they may make a number `?`, and whether the relation calls itself.

Both are read off the options of the most general call. A relation that calls itself is tabled
(`relaylogic.logic.tables`); where nothing can be `?`, nobody has to wait and see (`relaylogic.logic.gradual`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .calls import Call
from .control import Budget, Search, StepLimit
from .numbers import UNKNOWN
from .options import states_of
from .state import State
from .suspended import Primitive, Suspended, Word
from .terms import Symbol, Term, canonical, fresh_list, reify_term

__all__ = ["Profile", "Profiles", "asked_about", "may_be_unknown"]

STEPS = 2_000
HARMLESS = frozenset({"append", "reverse", "nth", "replace", "map", "member", "distinct"})
"""Primitives that make nothing that was not in their arguments."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a relation's calls may do."""

    makes_unknown: bool
    recursive: bool


class Profiles:
    """The profiles of a rule base's relations, worked out when they are asked for."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._direct: dict[Any, tuple[bool, tuple[Any, ...]]] = {}
        self._known: dict[Any, Profile] = {}

    def clear(self) -> None:
        """Forget everything: the rules have changed."""
        self._direct.clear()
        self._known.clear()

    def of(self, relation: Any, attrs: Any = None) -> Profile:
        """The profile of a relation when it is called with these attributes."""
        key = (relation, attrs)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._profile(key)
        return found

    def _profile(self, start: Any) -> Profile:
        makes, recursive = False, False
        seen, stack = {start}, [start]
        while stack:
            here_makes, called = self._look(stack.pop())
            makes = makes or here_makes
            for key in called:
                recursive = recursive or key[0] is start[0]
                if key not in seen:
                    seen.add(key)
                    stack.append(key)
        return Profile(makes, recursive)

    def _look(self, key: Any) -> tuple[bool, tuple[Any, ...]]:
        """Whether a relation itself may make something `?`, and which relations it calls, with their attributes."""
        found = self._direct.get(key)
        if found is None:
            found = self._direct[key] = self._work_out(*key)
        return found

    def _work_out(self, relation: Any, attrs: Any) -> tuple[bool, tuple[Any, ...]]:
        arguments = fresh_list(relation.arity)
        given = (relation, *arguments, attrs) if relation.takes_attrs else (relation, *arguments)
        control = Search(Budget(STEPS), postpones=True, gradual=True, rules=self._rules)
        makes, called = False, {}
        try:
            for _, state, terms in states_of(canonical(given, {}), control):
                makes = makes or may_be_unknown(reify_term(terms, state.bindings))
                for constraint in state.constraints():
                    makes = makes or self.may_make(constraint, called)
        except (StepLimit, RecursionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            makes = True  # a rule that cannot be asked in general may do anything
        return makes, tuple(called)

    def may_make(self, constraint: Any, called: dict[Any, None]) -> bool:
        """Whether a constraint may make something `?` itself; what it calls joins `called`."""
        kind = type(constraint)
        if kind is Call:
            relation = constraint.relation
            given = constraint.args[1 + relation.arity :]
            called[relation, given[0] if given else None] = None
            return may_be_unknown(constraint.arguments[: relation.arity])
        if kind is Suspended and constraint.primitive.name == "map" and hasattr(constraint.arguments[0], "arity"):
            called[constraint.arguments[0], None] = None
        elif kind is Suspended and constraint.primitive.name not in HARMLESS:
            return True
        return may_be_unknown(constraint.args)


def asked_about(goal: Any, rules: Any, **mode: Any) -> Search:
    """The search for all answers of a goal: it postpones calls, and is gradual if something in it may be `?`."""

    def gradual() -> bool:
        trial = Search(Budget(STEPS), postpones=True, gradual=True, rules=rules)
        profiles = rules.profiles
        try:
            for state in goal(State({}, None, trial)):
                if may_be_unknown(tuple(state.bindings.values())):
                    return True
                called: dict[Any, None] = {}
                if any(profiles.may_make(constraint, called) for constraint in state.constraints()):
                    return True
                if any(profiles.of(*key).makes_unknown for key in called):
                    return True
        except StepLimit:
            return True
        return False

    return Search(postpones=True, gradual=gradual, rules=rules, **mode)


def may_be_unknown(term: Any) -> bool:
    """Whether `?` or a symbol occurs in a term."""
    stack, seen = [term], set()
    while stack:
        item = stack.pop()
        if item is UNKNOWN or isinstance(item, Symbol):
            return True
        if type(item) is tuple:
            stack.extend(i for i in item if type(i) is not int)
        elif isinstance(item, Term) and type(item) is not Word and id(item) not in seen:
            seen.add(id(item))
            stack.extend(item.args)
        elif type(item) is Primitive:
            continue
        elif hasattr(item, "items") and hasattr(item, "replace"):
            stack.extend(value for _, value in item.items())
    return False
