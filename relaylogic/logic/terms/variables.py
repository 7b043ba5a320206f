"""Logic variables: those of `unification`, and ours, which are found in tables by identity.

A `unification.Var` is hashed and compared by its token, in Python. Bindings, bounds and watchers are tables of
variables, and most of what a search does is to look into them; a `Variable` is a `Var` that nobody else has the token
of, so that no comparison is needed. The engine takes both: what kanren's users make by `var()` are variables too.
"""

from __future__ import annotations

from itertools import count, islice
from typing import Any

from unification import Var

from ..control import StepLimit

__all__ = ["LONGEST", "VARIABLES", "Shown", "Variable", "fresh", "fresh_list", "fresh_noted", "note_of", "shown"]

LONGEST = 200_000
"""Lists of more elements are not made: what holds of them is unknown, and memory is saved."""
_tokens = count(1)


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


def fresh_list(number: int) -> tuple[Any, ...]:
    """A tuple of `number` variables that occur nowhere else. Raises StepLimit if they are too many.

    They are unification's variables, made without its register of names: five times as fast, and two threads never
    get the same one.
    """
    if type(number) is not int:
        number = int(number)
    if number > LONGEST:
        raise StepLimit
    made = []
    for token in islice(_tokens, number):
        variable = object.__new__(Variable)
        variable.token = token
        made.append(variable)
    return tuple(made)


def fresh(number: int = 1) -> Any:
    """A variable that occurs nowhere else; a tuple of them if `number` is not 1."""
    if number != 1:
        return fresh_list(number)
    variable = object.__new__(Variable)
    variable.token = next(_tokens)
    return variable


class _Noted(int):
    """The token of a variable that carries a word about itself; a number like any other token."""

    note: str


def fresh_noted(note: str) -> Any:
    """A variable that occurs nowhere else and carries a word about itself: a hole, what kind of hole it is."""
    variable = object.__new__(Variable)
    variable.token = _Noted(next(_tokens))
    variable.token.note = note
    return variable


def note_of(variable: Any) -> str:
    """The word that a variable carries, or ""."""
    token = variable.token
    return token.note if type(token) is _Noted else ""
