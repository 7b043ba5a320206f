"""Goals on numbers that may be unknown (`?`): what a gradual type system asks of them.

`?` is a value like any other to `eq`: `eq(3, UNKNOWN)` fails. These goals say where it is tolerated. A logic variable
stands for a number that is not known *yet*; it is never guessed to be `?`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from .arithmetic import Post
from .goals import Goal, goal
from .lists import mapo
from .numbers import UNKNOWN
from .state import Work
from .terms import Symbol, reify_term, variables_of

__all__ = ["Agree", "agree", "agree_lists", "is_known", "is_rigid", "is_unknown", "sharpest", "widest"]


class Agree:
    """`mode` of two numbers and a result.

    "agree": the numbers are equal or one is `?` (the result is not used); "widest": also, the result is `?` if one of
    them is; "sharpest": also, the result is the one that is not `?`.
    """

    __slots__ = ("left", "mode", "result", "right")

    def __init__(self, mode: str, left: Any, right: Any, result: Any = None) -> None:
        self.mode = mode
        self.left = left
        self.right = right
        self.result = result

    def __repr__(self) -> str:
        if self.mode == "agree":
            return f"agree({self.left}, {self.right})"
        return f"{self.mode}({self.left}, {self.right}) = {self.result}"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables among the numbers."""
        return variables_of((self.left, self.right, self.result), bindings)

    def reified(self, bindings: Mapping[Any, Any]) -> Agree:
        """The constraint with bound variables replaced."""
        return Agree(self.mode, *(reify_term(x, bindings) for x in (self.left, self.right, self.result)))

    def propagate(self, work: Work) -> bool | None:
        """Decide as soon as one number is known: a variable is not `?`, so it equals a known partner."""
        left, right = work.walk(self.left), work.walk(self.right)
        if type(left) is Var and type(right) is Var and left is not right:
            if self.mode == "agree":
                return None
            result = work.walk(self.result)
            # Numbers that are not known yet are equal, unless a `?` turns up.
            return None if type(result) is Var or result is UNKNOWN else work.unify((left, right), (result, result))
        if left is UNKNOWN or right is UNKNOWN:
            if self.mode == "agree":
                return True
            if self.mode == "widest":
                return work.unify(self.result, UNKNOWN)
            return work.unify(self.result, right if left is UNKNOWN else left)
        return work.unify(left, right) and (self.mode == "agree" or work.unify(self.result, left))


def agree(left: Any, right: Any) -> Goal:
    """The goal that two numbers are equal or at least one of them is `?`."""
    return Post(Agree("agree", left, right))


def widest(left: Any, right: Any, result: Any) -> Goal:
    """The goal that two numbers agree and `result` is `?` if one of them is, else their value."""
    return Post(Agree("widest", left, right, result))


def sharpest(left: Any, right: Any, result: Any) -> Goal:
    """The goal that two numbers agree and `result` is the known one (`?` if both are)."""
    return Post(Agree("sharpest", left, right, result))


def agree_lists(left: Any, right: Any) -> Goal:
    """The goal that two lists of numbers have one length and agree element by element."""
    return mapo(agree, left, right)


def is_unknown(number: Any) -> Goal:
    """The goal that a number is `?`; a number that is not known yet is not."""
    return goal(lambda work: work.walk(number) is UNKNOWN)


def is_known(number: Any) -> Goal:
    """The goal that a number is not `?`; one that is not known yet is not `?` either."""
    return goal(lambda work: work.walk(number) is not UNKNOWN)


def is_rigid(term: Any) -> Goal:
    """The goal that a term is a symbol: a list, an extent or a type of which nothing will ever be known."""
    return goal(lambda work: isinstance(work.walk(term), Symbol))
