"""An inference that is recorded: each attempt of a site, what it made known, and whom that woke.

For those who ask how a type came about; an inference that nobody records is made of `Driver` and `Store` themselves,
and pays nothing. A recorded one is the same inference: only what happens is written down on the way.

Representation: `attempts` are in the order in which they began. One that is made on the way of another (a call adds
its arguments) follows that one; what a generalisation concludes, outside of any attempt, is an attempt without a site.
`changes` maps the variables that an attempt has bound to what they were before and are after it, None if unbound: put
one after the other, the changes of all attempts are the bindings of the store at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...logic.terms.variables import VARIABLES, fresh
from ..sites.demands import EqualSite, ScopeSite
from ..sites.driver import Driver
from ..sites.entailment import UseSite
from ..sites.relation_site import RelationSite
from ..sites.site import UNNAMED, Site
from ..sites.store import Store

if TYPE_CHECKING:
    from ...logic.search.search import Solution
    from ..sites.given import Given

__all__ = ["Attempt", "Recording", "terms_of"]


@dataclass(slots=True, eq=False)
class Attempt:
    """One attempt of a site, or (`site` is None) what was concluded when the types of `owner` were generalised.

    `number` counts attempts, `tried` those of the site, from 1. `terms` are what the site relates, as they were
    stated; a result without a variable has one here. `outcome` is "done", "waiting", "refused", "given up" or
    "generalised"; `message` says why it was refused or given up, if there is more to say than that it was. `solution`
    is what the rules said, if they were asked. `draws`: what they say by default is taken. `woken` are the sites that
    will be tried again.
    """

    number: int
    site: Site | None
    owner: str
    tried: int
    terms: tuple[Any, ...] = ()
    changes: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    outcome: str = ""
    message: str = ""
    solution: Solution | None = None
    draws: bool = False
    woken: list[Site] = field(default_factory=list)

    def changed(self) -> Iterator[tuple[Any, Any, Any]]:
        """The variables that are something else after the attempt, with what they were and what they are."""
        for variable, (old, new) in self.changes.items():
            if old is not new:
                yield variable, old, new


class Recording:
    """What happens in one inference, which makes its driver here. A limit may leave it unfinished."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.numbers: dict[Site, int] = {}  # of the sites, from 1
        self.owner = ""
        self._under_way: list[Attempt] = []
        self._outside: Attempt | None = None

    def driver(self, *arguments: Any, **named: Any) -> Driver:
        """The driver of the inference that is recorded, as `Driver` is made. One that begins anew is recorded anew."""
        self.attempts.clear()
        self.numbers.clear()
        self._outside = None
        return _RecordedDriver(self, *arguments, **named)

    def number(self, site: Site) -> int:
        """The number of a site."""
        return self.numbers.setdefault(site, len(self.numbers) + 1)

    def begin(self, site: Site) -> Attempt:
        """An attempt of a site begins, or it is settled without one."""
        self._outside = None
        self.number(site)
        self.owner = site.owner
        attempt = Attempt(len(self.attempts) + 1, site, site.owner, site.attempts + 1, terms_of(site))
        self.attempts.append(attempt)
        return attempt

    @contextmanager
    def during(self, attempt: Attempt) -> Iterator[None]:
        """What is made known meanwhile is concluded by this attempt, or by one inside of it."""
        self._under_way.append(attempt)
        try:
            yield
        finally:
            self._under_way.pop()
            self._outside = None

    def changed(self, variable: Any, old: Any, new: Any) -> None:
        """A variable is bound, widened or (in an attempt that fails) set back."""
        changes = self._current().changes
        before = changes.get(variable)
        changes[variable] = (old if before is None else before[0], new)

    def woke(self, sites: list[Site]) -> None:
        """Some sites are to be tried again."""
        self._current().woken.extend(sites)

    def _current(self) -> Attempt:
        if self._under_way:
            return self._under_way[-1]
        if self._outside is None:
            self._outside = Attempt(len(self.attempts) + 1, None, self.owner, 0, outcome="generalised")
            self.attempts.append(self._outside)
        return self._outside


def terms_of(site: Site) -> tuple[Any, ...]:
    """What a site relates; what is wanted, or concluded, stands last."""
    if isinstance(site, EqualSite):
        return (site.actual, site.expected)
    if isinstance(site, UseSite):
        return (site.use.value, site.use.wanted)
    return site.outside if isinstance(site, ScopeSite) else site.terms


class _Bindings(dict[Any, Any]):
    """Bindings that tell when they change. That a chain of variables is shortened is no news."""

    __slots__ = ("recording",)

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording

    def __setitem__(self, variable: Any, value: Any) -> None:
        old = self.get(variable)
        if not (type(old) in VARIABLES and type(value) in VARIABLES):
            self.recording.changed(variable, old, value)
        super().__setitem__(variable, value)

    def __delitem__(self, variable: Any) -> None:
        self.recording.changed(variable, self.get(variable), None)
        super().__delitem__(variable)


class _RecordedStore(Store):
    """A store that tells what becomes known, and whom it wakes."""

    def __init__(self, given: Given | None, recording: Recording) -> None:
        super().__init__(given)
        self.bindings = _Bindings(recording)
        self._told = recording

    def bind(self, variable: Any, value: Any) -> None:
        """Bind an unbound variable, or widen a bound one."""
        before = len(self.woken)
        super().bind(variable, value)
        if len(self.woken) > before:
            self._told.woke(self.woken[before:])


class _RecordedDriver(Driver):
    """A driver that tells what it does."""

    records = True

    def __init__(self, recording: Recording, *arguments: Any, **named: Any) -> None:
        self._recording = recording
        super().__init__(*arguments, **named)

    def new_store(self, given: Given) -> Store:
        """The store of this driver."""
        return _RecordedStore(given, self._recording)

    def _attempt(self, site: Site) -> None:
        recording = self._recording
        attempt = recording.begin(site)
        key, attempt.draws = getattr(site, "key", None), bool(getattr(site, "drawn", ()))
        attempt.outcome, attempt.message = "given up", "the inference was stopped"
        with recording.during(attempt):
            super()._attempt(site)
        if isinstance(site, RelationSite):
            # Where a `where` answers, nobody asks the rules.
            attempt.solution = site.solution if attempt.draws or site.key is not key else None
            if attempt.terms[-1] is UNNAMED:
                self._name_result(attempt, site.arguments[-1])
        woken = set(self.store.woken)
        attempt.woken = [s for s in dict.fromkeys(attempt.woken) if s in woken and s.state in ("waiting", "refused")]
        attempt.outcome = {"contradicted": "refused", "new": "given up"}.get(site.state, site.state)
        attempt.message = "" if site.error is None else site.error.message
        if site in self.exhausted:
            attempt.outcome, attempt.message = "given up", self.exhausted[site]

    def _name_result(self, attempt: Attempt, result: Any) -> None:
        """Give the result of a call that had none a variable."""
        named = result
        if type(result) not in VARIABLES:
            named = fresh()
            attempt.changes[named] = (None, None if result is UNNAMED else result)
        attempt.terms = (*attempt.terms[:-1], named)

    def refuse(self, site: Site, message: str, malformed: bool = False) -> None:
        """Record a site that is wrong whatever the types are."""
        super().refuse(site, message, malformed)
        self._settled(site, "refused", message)

    def contradict(self, site: Site, message: str) -> None:
        """Refuse a site that is possible on its own, but not with the others, for good."""
        super().contradict(site, message)
        self._settled(site, "refused", message)

    def give_up(self, site: Site, limit: str) -> None:
        """Record a site that a limit leaves undecided."""
        super().give_up(site, limit)
        self._settled(site, "given up", limit)

    def _settled(self, site: Site, outcome: str, message: str) -> None:
        attempt = self._recording.begin(site)
        attempt.outcome, attempt.message = outcome, message
