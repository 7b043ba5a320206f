"""Axes that calls of one function share, because the function leaves them open.

Of shapes of one rank, an axis is said once, counted from the front. A function that is called with shapes of several
ranks has one axis for all of them: there, the last axis is another one than any that is counted from the front. So it
is noted at which ranks such a function is called. If these are several, the program is inferred again, and axes that
are counted from the end are tried, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ...ir import Call
from ...logic.terms.terms import variables_of
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType
from .relation_site import RelationSite

__all__ = ["SharedAxes"]


class SharedAxes:
    """The calls that leave axes open, and the calls of functions that share these.

    `from_the_end` are the identities of calls whose axes may be counted from the end.
    """

    def __init__(self, from_the_end: Collection[int]) -> None:
        self._from_the_end = from_the_end
        self._calls: dict[Any, Call] = {}  # by the variables that stand for their axes
        self._uses: list[tuple[Call, RelationSite]] = []

    def opened(self, call: Call, attrs: Open) -> Open:
        """The attributes of a call that leaves these open."""
        if not attrs.has_axes:
            return attrs
        self._calls.update(dict.fromkeys(variables_of(attrs.values), call))
        return self._ranging(call, attrs)

    def of_call(self, attrs: Any) -> Call | None:
        """The call that leaves the axes open which a constraint speaks of that has these attributes; None if it speaks
        of none."""
        if not self._calls or attrs is None:
            return None
        return next((self._calls[v] for v in variables_of(attrs) if v in self._calls), None)

    def used(self, call: Call, attrs: Any) -> Any:
        """The attributes that a call leaves open where the function that it stands in is called."""
        return self._ranging(call, attrs) if type(attrs) is Open else attrs

    def note(self, call: Call, site: RelationSite) -> None:
        """Note what a call demands where the function that it stands in is called."""
        self._uses.append((call, site))

    def of_several_ranks(self, reify: Callable[[Any], Any]) -> set[int]:
        """The identities of calls whose axes are those of shapes of several ranks, which were not known to be."""
        ranks: dict[int, set[Any]] = {}
        for call, site in self._uses:
            if site.state in ("done", "waiting", "refused"):
                ranks.setdefault(id(call), set()).add(_ranks(reify(site.inputs)))
        return {call for call, found in ranks.items() if len(found) > 1 and call not in self._from_the_end}

    def _ranging(self, call: Call, attrs: Open) -> Open:
        return attrs.from_the_end() if id(call) in self._from_the_end else attrs


def _ranks(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The ranks of what a call is given, None where one is not known."""
    found: list[Any] = []
    agenda = [*inputs]
    while agenda:
        term = agenda.pop()
        if type(term) is TupleType and type(term.fields) is tuple:
            agenda += term.fields
        else:
            is_known = type(term) is TensorType and type(term.shape) is tuple
            found.append(len(term.shape) if is_known else None)
    return tuple(found)
