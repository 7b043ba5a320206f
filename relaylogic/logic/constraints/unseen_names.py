"""Names that a rule has not looked at yet.

`UnseenName` stands for a dtype that is a logic variable. A rule that passes it on needs not know it; one that asks
whether there is one (`attrs.out_dtype or dtype`) splits the search in two. Everything else that Python may ask goes
through all names that there are to choose from.
"""

from __future__ import annotations

from typing import Any

from ..states.state import Constraint, State
from ..states.work import Work
from ..terms.look import Keeps, Look, Shown
from ..terms.terms import Term
from ..terms.variables import VARIABLES
from .unseen import looked

__all__ = ["KeptName", "UnseenName", "name_of"]


class Named(Constraint):
    """A term is a name, and not the empty one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"named({self.args[0]})"

    def propagate(self, work: Work) -> bool | None:
        """Wait for the term."""
        term = work.walk(self.args[0])
        return None if type(term) in VARIABLES else type(term) is str and term != ""


class KeptName(Keeps, Term):
    """What a goal that waits keeps of a name that a rule is shown."""

    __slots__ = ()

    def shown(self, state: State) -> Any:
        """What a rule is shown in this state."""
        term, choices = self.args
        return name_of(term, choices, state)


def name_of(term: Any, choices: tuple[str, ...], state: State) -> Any:
    """The value of a term that is one of some names, or a stand-in if it is not known."""
    known = Work(state).walk(term)
    return UnseenName(known, choices, state) if type(known) in VARIABLES else known


class UnseenName(Shown):  # noqa: PLW1641 - its hash is a look
    """A name that is not known, one of `choices`; see the module."""

    __slots__ = ("_choices", "_state", "_term")

    def __init__(self, term: Any, choices: tuple[str, ...], state: State) -> None:
        self._term = term
        self._choices = choices
        self._state = state

    def closed(self, named: list[Any] | None = None) -> Any:
        """The variable."""
        return self._term

    def kept(self) -> Any:
        """The term that `shown` makes a stand-in of."""
        return KeptName.make((self._term, self._choices))

    def __repr__(self) -> str:
        return "<a name that is not known>"

    def __bool__(self) -> bool:
        state = self._state
        if "" not in self._choices or state.is_said(Named, self._term):
            return True
        some, none = Work(state), Work(state)
        ways = (
            some.finish() if some.post(Named.make((self._term,))) else None,
            none.finish() if none.unify(self._term, "") else None,
        )
        raise Look([way for way in ways if way is not None])

    def __eq__(self, other: object) -> bool:
        return other is self or self._look()

    def _look(self) -> Any:
        look = self._state.search.look = looked(self._term, self._choices, self._state)
        raise look

    def _asked(self, *_: Any) -> Any:
        return self._look()

    __hash__ = __str__ = __format__ = __len__ = __iter__ = __contains__ = __add__ = __radd__ = __mod__ = _asked
    __lt__ = __le__ = __gt__ = __ge__ = __getattr__ = __getitem__ = _asked
    __class__ = property(_asked)
