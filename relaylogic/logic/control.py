"""What the goals of one search share: its budget, its mode, its rule base, and who follows it.

A state points to its `Search`. Nothing of this is kept for the process, so searches may nest, be suspended half-way,
and run in threads beside each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..host.governor import current

__all__ = ["DRAWN", "FREE", "KEPT", "UNLIMITED", "Budget", "Endless", "Search", "StepLimit", "Trace"]

UNLIMITED = 10**18

DRAWN, KEPT, FREE = "drawn", "kept", "free"
"""What becomes of what a rule fills in by default: it is filled in; it is left in the answer, for whoever settles the
rest; it is one possibility among others."""


class StepLimit(Exception):
    """A search took more steps than its budget allows; what it would have found is unknown."""


class Endless(StepLimit):
    """What is to be counted has values without a last one: no steps are enough."""


class Budget:
    """How many primitive steps a search may still take.

    Where limits are set (`relaylogic.host.governor`), `left` is a slice of what is granted: when it is used up, `renew`
    looks at the limits and takes the next slice. So paying a step is one subtraction, with limits or without.
    """

    __slots__ = (
        "_governor",
        "_held",
        "_more",
        "_reserve",
        "apart",
        "asked",
        "cut",
        "left",
        "misread",
        "no_symbol",
        "put_off",
        "short",
        "unknown_refused",
    )

    def __init__(self, steps: int = UNLIMITED, *, governed: bool = True, more: Callable[[], int] | None = None) -> None:
        """`more` is asked once, when `steps` are used up, how many are granted besides."""
        self._more = more
        self.put_off = False  # whether a goal was put off until others had held (`lists.lazily`)
        # Pairs of terms that were taken to differ since one has a symbol, where somebody asks for them: nothing says
        # that a symbol does not stand for the other one.
        self.apart: dict[tuple[Any, Any], None] | None = None
        self.asked: tuple[Any, ...] = ()  # open terms of which it matters
        self.no_symbol = False  # whether one of them was taken to be no symbol (`gradual.Test`)
        self.unknown_refused = False  # whether a number was `?` that may not be (`gradual.Test`)
        self.misread: Any = None  # the comparison of what is no number that was refused last
        self.cut = 0  # 1: a rule had to know what was not in the universe tried, 2: a number, up to a bound nobody set
        self.short = 0  # up to which length lists were tried, where longer ones may do as well; 0: none
        self._held = self._reserve = self.left = 0
        self.grant(steps, governed=governed)

    def grant(self, steps: int, *, governed: bool = True) -> None:
        """Allow so many steps from now on; if not `governed`, limits have nothing to do with them. Raises Stopped if a
        limit is reached."""
        self._governor = governor = current() if governed else None
        if governor is None:
            self.left = steps
            return
        governor.opened(self)
        self._held = self.left = governor.slice(steps)
        self._reserve = steps - self.left

    def takes_apart(self, left: Any, right: Any) -> bool:
        """Take note that two ground terms are not one; that is so."""
        if self.apart is not None:
            self.apart[left, right] = None
        return True

    def charge(self, steps: int = 1) -> None:
        """Pay for some steps. Raises StepLimit when nothing is left, Stopped if a limit is reached."""
        self.left -= steps
        if self.left < 0:
            self.renew()

    def hold_back(self, steps: int) -> Callable[[], None]:
        """Allow no more than so many of the steps that are left, for now; gives what allows the others again."""
        left, more = max(0, self.left - steps), self._more
        reserve = max(0, self._reserve - max(0, steps - self.left))
        self.left -= left
        self._held -= left
        self._reserve -= reserve
        self._more = None

        def back() -> None:
            self.left += left
            self._held += left
            self._reserve += reserve
            self._more = more

        return back

    def renew(self) -> None:
        """Go on with what was granted, if it covers what is owed. Raises StepLimit if not, Stopped."""
        governor, owed = self._governor, -self.left
        if governor is not None:
            governor.spend(self.settled())
        if owed > self._reserve and self._more is not None:
            more, self._more = self._more, None
            self._reserve += more()
        if owed > self._reserve:
            raise StepLimit
        if governor is None:
            self.left, self._reserve = self._reserve - owed, 0
            return
        self._held = self.left = governor.slice(self._reserve - owed)
        self._reserve -= owed + self.left

    def settled(self) -> int:
        """How many steps were taken since this was asked last."""
        used, self._held = self._held - self.left, self.left
        return used


class Trace(Protocol):
    """Who wants to know which premise failed (`relaylogic.explain`), or held (`relaylogic.typings.proof`)."""

    def failed(self, what: Any, bindings: Mapping[Any, Any]) -> None:
        """`what` (a pair of terms, or a constraint) failed in a state of these bindings."""

    def ended(self, what: Any, bindings: Mapping[Any, Any]) -> None:
        """`what`, a goal of the engine, had no outcome in a state of these bindings."""

    def inside(self, step: Any) -> Any:
        """The trace to use below `step`."""

    def after(self, inner: Any) -> Any:
        """The trace to use when what `inner` followed has held."""


class Search:
    """What the goals of one search share.

    `postpones`: a relation that is called within a clause is not run, it is kept as a constraint (`calls.Call`).
    `gradual`: a number that is not known yet may turn out to be `?`; if not, tests for `?` are decided at once. A
    function without arguments says so when it is asked. None: it might have, so others may be known to be `?`.
    `settles`: each goal runs what has become ready itself, since nobody else will (under kanren's own `run`).
    `defaults`: what becomes of what a rule fills in by default, DRAWN, KEPT or FREE.
    `by_rows`: of rows of lists, only what their answers agree on is said where that is enough
    (`relaylogic.logic.search.rows`); what is known of rows is kept there.
    `sketches`: what is put off until other goals have held is left out (`relaylogic.logic.search.sketch`).
    `types_only`: what an open attribute is does not matter where a rule passes it on, so dtypes are not listed.
    `known`: variables that stand for something known, which no default fills in.
    `rules`: the rule base whose tables may be used, if there is one. Immutable but for the budget, and for `look`: the
    last look at something that is not known (`relaylogic.logic.terms.look`).
    """

    __slots__ = (
        "budget",
        "by_rows",
        "defaults",
        "gradual",
        "known",
        "look",
        "postpones",
        "rules",
        "settles",
        "sketches",
        "trace",
        "types_only",
    )

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        postpones: bool = False,
        gradual: Any = True,
        settles: bool = False,
        defaults: str = DRAWN,
        by_rows: dict[Any, Any] | None = None,
        sketches: bool = False,
        types_only: bool = False,
        known: tuple[Any, ...] = (),
        rules: Any = None,
        trace: Any = None,
    ) -> None:
        self.budget = Budget() if budget is None else budget
        self.postpones = postpones
        self.gradual = gradual
        self.settles = settles
        self.defaults = defaults
        self.by_rows = by_rows
        self.sketches = sketches
        self.types_only = types_only
        self.known = known
        self.rules = rules
        self.trace = trace
        self.look: Any = None

    def is_gradual(self) -> bool:
        """Whether a number that is not known yet may turn out to be `?`, or a term a symbol."""
        if callable(self.gradual):
            self.gradual = self.gradual()
        return bool(self.gradual)

    def waits(self) -> bool:
        """Whether what follows for an integer only is not yet said of an open number, since it may be `?`.

        It is said when answers are labelled (`gradual.decide`); under kanren's own `run`, nobody labels.
        """
        return not self.settles and self.is_gradual()

    def but(self, **changes: Any) -> Search:
        """This search with some things changed; the budget is one."""
        new = object.__new__(Search)
        for name in Search.__slots__:
            setattr(new, name, changes[name] if name in changes else getattr(self, name))
        return new

    def followed(self, trace: Any) -> Search:
        """This search with another trace."""
        return self.but(trace=trace)
