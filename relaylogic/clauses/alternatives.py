"""Goals of which one must hold, beside others: in a search that makes calls when it pleases, a call like any other.

So it is chosen among the alternatives when nothing better is left to do, by what is known then, and those of
disjunctions that have nothing to do with each other are not combined. What is called is a relation without a name, of
the variables that the alternatives speak of; its clauses are these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..logic import conde, lall
from ..logic.states.calls import Call, postpone
from ..logic.states.foreign import as_state
from ..logic.states.goals import Goal
from ..logic.terms.interning import HoldsRules
from .scope import Environment, MakeGoal, Scope

__all__ = ["alternatives"]


def alternatives(branches: Sequence[Sequence[MakeGoal]], scope: Scope) -> MakeGoal:
    """The goal that the goals of one of some branches hold."""
    known: list[_Alternatives] = []  # once the first goal was made

    def made(env: Environment) -> Goal:
        spoken = _Spoken(env)
        anyhow = conde(*([made(spoken) for made in branch] for branch in branches))
        if not known:
            known.append(_Alternatives(branches, tuple(spoken.places), len(env), scope))
        (relation,) = known
        call = Call.draft((relation, *[env[place] for place in relation.places]))

        def run(state: Any) -> Iterator[Any]:
            state = as_state(state)
            later = state.search.postpones and state.search.trace is None and relation.places
            return postpone(call, state) if later else anyhow(state)

        return run

    return made


class _Spoken(list[Any]):
    """An environment that knows which places of it were looked at."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.places: dict[int, None] = {}

    def __getitem__(self, place: Any) -> Any:
        self.places[place] = None
        return super().__getitem__(place)


class _Branch:
    """One of the alternatives, as a clause."""

    __slots__ = ("_goals", "_places", "_size", "known", "mentions", "name")

    def __init__(self, name: str, goals: Sequence[MakeGoal], places: Sequence[int], size: int, scope: Scope) -> None:
        self.name = name
        self.mentions = tuple(scope.mentions)
        self.known: Mapping[str, Any] = scope.names.rules.relations
        self._goals, self._places, self._size = goals, places, size

    def goal(self, arguments: tuple[Any, ...]) -> Goal:
        """The goal that it holds of terms in the places that are spoken of."""
        env: Environment = [None] * self._size
        for place, argument in zip(self._places, arguments, strict=True):
            env[place] = argument
        return lall(*[made(env) for made in self._goals])


class _Alternatives(HoldsRules):
    """A disjunction as a relation of the variables in some places of an environment."""

    __slots__ = ("arity", "clauses", "places")
    name = ""
    takes_attrs = False
    asked = None
    row = None

    def __init__(
        self, branches: Sequence[Sequence[MakeGoal]], places: tuple[int, ...], size: int, scope: Scope
    ) -> None:
        self.places = places
        self.arity = len(places)
        self.clauses = [_Branch(str(i), goals, places, size, scope) for i, goals in enumerate(branches)]

    def __repr__(self) -> str:
        return "or"
