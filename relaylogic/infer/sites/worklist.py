"""The worklist: tries call sites until none has anything more to say.

A site is tried when it is added and again when a variable that it waits for is bound. When the list is empty, what
sites say together of attributes that they share is said; then calls of values whose type nothing determines are taken
to be monomorphic; then what is open is what it is by default; and if something was widened to `?`, every site is tried
once more, the refused ones too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ...host.governor import spend
from ...host.once import cached_property
from ...ir import IRModule
from ...logic.control import KEPT
from ...logic.terms.rebuilding import canonical
from ...rulebase import RuleBase, program_rules
from ...types import TypeVar, show_type
from ..numbers.expressions import Expressions
from .assumptions import Assumptions
from .attributes import Attributes
from .endings import Endings
from .given import Given
from .matching import Matching
from .relaxation import Relaxation
from .schemes import parts_of
from .site import Refusal, Site
from .store import AS_DECLARED, Store

__all__ = ["Worklist", "speaks_of_parameters"]

MAX_ROUNDS = 50
MAX_ATTEMPTS = 10_000


class Worklist(ABC):
    """Sites over a store; whoever makes sites says what follows from them."""

    records = False
    """Whether every attempt of a site is written down, so that each demand must be one."""

    def __init__(
        self, rules: RuleBase | None, relaxation: Relaxation | None, module: IRModule | None, defaults: str
    ) -> None:
        self.rules = program_rules(rules, module)
        self.module = module
        self.defaults = defaults
        self.relaxation = relaxation
        self.attributes = Attributes(self.rules)
        self.store = self.new_store(Assumptions(self.attributes))
        self.matching: Matching | None = None
        self.sites: list[Site] = []
        self.failed: list[Site] = []
        self.waiting: dict[Site, None] = {}
        # Variables that stand for the types of parameters of which one call alone says anything.
        self.alone: set[Any] = set()
        # Whether type parameters are declared: what holds of them may not hold of all that they stand for.
        self.has_parameters = False
        self.unknown_attributes: list[Any] = []  # what stands for those that calls leave open
        self.endings = Endings(self.store, self.rules)
        self.exhausted: dict[Site, str] = {}
        self.scopes: list[Site] = []
        self._applications: list[Site] = []
        self._forms: dict[Any, Any] = {}
        # What terms with slots are for variables in their place, where no others come in: calls repeat their types.
        self.instances: dict[Any, Any] = {}

    @cached_property
    def _may_be_declared(self) -> bool:
        """Whether the rules say how an open extent may be as it is declared."""
        return AS_DECLARED in self.rules.relations

    @cached_property
    def expressions(self) -> Expressions:
        """Expressions over what is open. Most programs leave no numbers open."""
        return Expressions(self.store.bindings, self.rules.computed)

    @property
    def draws_at_once(self) -> bool:
        """Whether what is open may be what it is by default as soon as all that can say otherwise has spoken."""
        return self.defaults is KEPT and self.relaxation is None

    def new_store(self, given: Given) -> Store:
        """The store of this driver."""
        return Store(given)

    def match(self, matching: Matching | None) -> None:
        """Have a matching tell what need not be unified, until a `?` meets a number; none from now on if it is None."""
        self.matching = matching
        self.store.on_unknown = None if matching is None else matching.end

    def form(self, term: Any) -> Any:
        """An open term with slots for its variables, in their order. Calls repeat their types: it is kept."""
        found = self._forms.get(term)
        if found is None:
            (found,) = canonical((term,), {})
            self._forms[term] = found
        return found

    def fit(self, actual: Any, declared: Any) -> None:
        """Make the type of a value fit where one is written, or known. Raises Mismatch."""
        self.store.unify(actual, declared, as_declared=self._may_be_declared)

    def show(self, term: Any) -> str:
        """A term as it is known now, as text."""
        return show_type(self.store.reify(term))

    def add(self, site: Site) -> None:
        """Take on a site and try it."""
        if self.relaxation is not None and site.identity in self.relaxation.demands:
            site.waive(self)
            return
        if site.given is None:
            site.given = self.store.given
        self._attempt(site)
        if not site.final or (self.has_parameters and speaks_of_parameters(self.store.reify(site.terms))):
            self.sites.append(site)
        if site.state == "waiting" and site.is_application:
            self._applications.append(site)
        if site.looks_again:
            self.scopes.append(site)

    def refuse(self, site: Site, message: str, malformed: bool = False) -> None:
        """Record a site that is wrong whatever the types are."""
        if self.relaxation is not None and site.identity in self.relaxation.demands:
            return
        site.state = "malformed" if malformed else "refused"
        site.error = Refusal(message)
        self.sites.append(site)
        self._fail(site)

    def contradict(self, site: Site, message: str) -> None:
        """Refuse a site that is possible on its own, but not with the others, for good."""
        site.state = "contradicted"
        site.error = Refusal(message)
        self.waiting.pop(site, None)
        self._fail(site)

    def _fail(self, site: Site) -> None:
        """Note that a site is refused."""
        self.failed.append(site)
        if self.matching is not None:
            self.matching.end()

    def give_up(self, site: Site, limit: str) -> None:
        """Record a site that a limit leaves undecided, for good: it waits for nothing."""
        site.state = "waiting"
        self.sites.append(site)
        self.waiting[site] = None
        self.exhausted[site] = limit

    def _attempt(self, site: Site) -> None:
        before = site.state
        site.attempts += 1
        spend()
        if site.attempts > MAX_ATTEMPTS:
            self.exhausted[site] = "attempt limit"
            return
        store = self.store
        here, owed = store.given, len(store.demands)
        if site.given is not here:
            store.assume(site.given)
        try:
            waiting = site.attempt(self)
            if store.demands:
                self.adopt(site)
        except Refusal as refusal:
            del store.demands[owed:]
            site.state = "refused"
            site.error = Refusal(refusal.message)  # this one has the frames in which it was raised, and these the site
            self.waiting.pop(site, None)
            if before != "refused":
                self._fail(site)
            self._behind(site)
            return
        finally:
            if store.given is not here:
                store.assume(here)
        if before == "refused":
            self.failed.remove(site)
            site.error = None
        site.open = waiting
        if waiting:
            site.state = "waiting"
            self.waiting[site] = None
            for variable in waiting:
                self.store.watch(variable, site)
        else:
            site.state = "done"
            if before == "waiting":
                self.waiting.pop(site, None)

    def run(self, final: bool = True) -> None:
        """Try what was woken until nothing changes; if `final`, callees that nothing determines become monomorphic, and
        then what is open is what it is by default."""
        store = self.store
        for _ in range(MAX_ROUNDS):
            while True:
                while store.woken:
                    woken, store.woken = store.woken, []
                    for site in dict.fromkeys(woken):
                        if site.state in ("waiting", "refused"):
                            self._attempt(site)
                if not (self._agree() or (final and (self._apply_unknown_callees() or self._draw_defaults()))):
                    break
            if not store.widened:
                return
            store.widened = False
            self.endings.clear()
            for site in list(self.sites):
                given_up = site.state == "waiting" and not site.open
                if not given_up and site.state not in ("absorbed", "malformed", "contradicted", "assumed"):
                    self._attempt(site)

    def check_scopes(self) -> None:
        """Try once more the sites that depend on what everything else has made known."""
        scopes, self.scopes = self.scopes, []
        for site in scopes:
            if site.state == "done":
                self._attempt(site)

    def _apply_unknown_callees(self) -> bool:
        """Make the first call whose callee nothing determines monomorphic; whether there was one."""
        while self._applications:
            site = self._applications.pop(0)
            if site.state == "waiting":
                site.default(self)
                return True
        return False

    @abstractmethod
    def apply(self, callee: Any, arg_types: tuple[Any, ...], expr: Any, owner: str, type_args: Any = ()) -> Any:
        """The type of a call of a value of known type. Raises Refusal if it cannot be called so."""

    @abstractmethod
    def adopt(self, origin: Site) -> None:
        """Turn what unification found to be owed for polymorphic values into sites."""

    @abstractmethod
    def _agree(self) -> bool:
        """Say what calls say together of attributes that they share; whether there was anything."""

    @abstractmethod
    def _draw_defaults(self) -> bool:
        """Have what is open be what it is by default; whether there was anything."""

    @abstractmethod
    def _behind(self, refused: Site) -> None:
        """Go on behind a site that has just been refused."""


def speaks_of_parameters(terms: tuple[Any, ...]) -> bool:
    """Whether there are type parameters in some terms."""
    return any(type(part) is TypeVar for part in parts_of(terms))
