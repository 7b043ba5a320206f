"""Logic variables: those of `unification`, and ours, which are found in tables by identity.

A `unification.Var` is hashed and compared by its token, in Python. Bindings, bounds and watchers are tables of
variables, and most of what a search does is to look into them; a `Variable` is a `Var` that nobody else has the token
of, so that no comparison is needed. The engine takes both: what kanren's users make by `var()` are variables too.
"""

from __future__ import annotations

from typing import Any

from unification import Var

__all__ = ["VARIABLES", "Shown", "Variable", "shown"]


class Variable(Var):  # type: ignore[misc]
    """A variable that is equal to nothing else."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Shown(Var):  # type: ignore[misc]
    """A variable in an answer, equal to the `token.variable` that it stands for; it prints as its token does."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        variable: Any = self.token.variable
        return bool(variable == (other.token.variable if type(other) is Shown else other))

    def __hash__(self) -> int:
        return hash(self.token.variable)


VARIABLES = frozenset({Var, Variable, Shown})
"""The classes of variables: `type(term) in VARIABLES` is asked more often than anything else."""


def shown(token: Any) -> Shown:
    """The variable of this token. It is not in unification's register of names, which has the original."""
    made: Shown = object.__new__(Shown)
    made.token = token
    return made
