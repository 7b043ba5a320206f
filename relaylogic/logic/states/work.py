"""A state in the making: it copies what it changes, once, and runs the woken constraints when asked.

All goals of the engine and `unification.unify` itself work on it.

Speed: a state is small (one call site), so copying a dict beats any persistent map; the loop below replaces the
generators of the stock `unify`; the constraint store is not touched while nothing is suspended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from ...host.above import above
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Term, open_in
from ..terms.variables import VARIABLES
from .state import FAR, NATURALS, Bounds, Constraint, State, Store
from .unifying import ATOMS, Unifying

__all__ = ["Work"]

_NO_NUMBERS = frozenset({tuple, Cons, str, float, type(None)})
MAX_ROUNDS = 10_000
ALONE = 32
"""After so many rounds of one constraint that wakes nothing but itself it is asked whether its bounds may creep on."""
TOGETHER = 64
"""So many constraints that are tied together are looked at as one, at most, where bounds creep."""
ROUNDS_A_STEP, MANY_ROUNDS = 4, 1_000
"""So many rounds are paid for as a step, since bounds may creep for long at each; of very many, each is one."""
ASKED = frozenset({100, MANY_ROUNDS})
"""After so many rounds it is asked whether the constraints can hold together at all, which takes as long as twenty."""
MOST_BESIDE = 16
"""What waits is compared with so many others at most that wait for one variable: more would take for ever."""
LONGEST = 10**300
"""Bounds beyond that are leaping for ever (n * n < m, m < n), and are not drawn; a text could not say them."""


class Work(Unifying):
    """A state in the making."""

    __slots__ = (
        "bindings",
        "given",
        "narrowings",
        "origin",
        "owned",
        "queue",
        "queued",
        "running",
        "search",
        "settled",
        "store",
        "store_owned",
        "sure",
        "tired",
    )

    def __init__(self, origin: State) -> None:
        self.origin = origin
        self.bindings = origin.bindings
        self.store = origin.store
        self.search = origin.search
        self.owned = False
        self.store_owned = False
        self.narrowings = 0
        self.given = 0  # the bits of the lower bounds that the constraints which run have started from, at most
        self.running: int | None = None  # the constraint that runs
        self.sure = False  # whether what is narrowed is known to be an integer
        self.settled = False  # whether the constraint that runs would find nothing more if it ran again
        self.tired = False  # whether propagation has been given up
        self.queue: deque[int] = deque()
        self.queued: set[int] = set()  # what is on the queue and still to be run

    def finish(self) -> State | None:
        """Run the woken constraints; the new state, or None if one fails."""
        if self.queue and not self.run():
            return None
        if not self.owned and not self.store_owned and self.search is self.origin.search:
            return self.origin
        return State(self.bindings, self.store, self.search)

    def walk(self, term: Any) -> Any:
        """`term`, or what it is bound to if it is a variable."""
        bindings = self.bindings
        while type(term) in VARIABLES:
            found = bindings.get(term, term)
            if found is term:
                return term
            term = found
        return term

    def own_store(self) -> Store:
        """The store, copied if it was shared."""
        store = self.store
        if store is None:
            store = self.store = Store()
        elif not self.store_owned:
            store = self.store = store.copy()
        self.store_owned = True
        return store

    def bind(self, variable: Any, value: Any) -> bool:
        """Bind an unbound variable to a walked term that does not contain it, and wake what waits for it."""
        if not self.owned:
            self.bindings = self.bindings.copy()
            self.owned = True
        self.bindings[variable] = value
        store = self.store
        if store is None:
            return True
        self.wake(variable, value)  # first, so that `_climbs` meets what has narrowed `variable` where `value` is
        bounds = store.bounds.get(variable)
        if bounds is not None:
            store = self.own_store()
            del store.bounds[variable]
            if type(value) in VARIABLES:
                if not self.narrow(value, bounds[0], bounds[1]):
                    return False
            elif type(value) is int:
                if value < bounds[0] or (bounds[1] is not None and value > bounds[1]):
                    return False
            elif type(value) in _NO_NUMBERS:
                return False
            elif isinstance(value, Term) and value.ground:
                return self._keep_between(value, bounds)
        return True

    def _keep_between(self, number: Any, bounds: Bounds) -> bool:
        """State that a number which is never known, an expression over symbols, lies between the bounds of what it was
        bound to."""
        draft, (low, high) = above("comparison").draft, bounds
        below = low <= 0 or self.post(draft(("<=", low, number)))
        return below and (high is None or self.post(draft(("<=", number, high))))

    def wake(self, variable: Any, value: Any = None) -> None:
        """Put what waits for `variable` on the queue; if it was bound to a variable, that one inherits the watchers."""
        store = self.store
        watchers = None if store is None else store.watch.get(variable)
        if not watchers:
            return
        if type(value) in VARIABLES:
            store = self.own_store()
            inherited = store.watch.get(value, ())
            store.watch[value] = inherited + tuple(w for w in watchers if w not in inherited)
        for number in watchers:
            if number not in self.queued:
                self.queued.add(number)
                self.queue.append(number)

    def narrow(self, variable: Any, low: int, high: int | None) -> bool:
        """State that an unbound variable, if it is an integer, lies in low..high (None: no upper end).

        It gets the only value that is left, or fails for want of one, unless it may still turn out to be `?`.
        """
        store = self.store
        old_low, old_high = NATURALS if store is None else store.bounds.get(variable, NATURALS)
        low = max(low, old_low)
        if high is None or (old_high is not None and old_high < high):
            high = old_high
        if high is not None and low >= high and (self.sure or not self.search.waits()):
            self.narrowings += 1
            return low == high and self.bind(variable, low)
        if low == old_low and high == old_high:
            return True
        store = self.own_store()
        bits = low.bit_length()
        if bits > FAR:
            if bits // FAR > old_low.bit_length() // FAR and self._climbs(variable, bits):
                return False
            if low >= LONGEST:
                self.tired = True
                return True
            store.longest = max(store.longest, bits)
        store.bounds[variable] = (low, high)
        self.narrowings += 1
        self.wake(variable)
        return True

    def _climbs(self, variable: Any, bits: int) -> bool:
        """Whether the lower bound of a number has climbed to so many bits that there is no solution.

        Linear constraints that have solutions have one that is no longer than all their coefficients and constants,
        multiplied (Cramer's rule; for integers: von zur Gathen and Sieveking, A bound on solutions of linear integer
        equalities and inequalities, 1978). That holds of the constraints that run, together with the bounds from
        which they have climbed, if all are linear that the number is tied to.
        """
        store, running = self.store, self.running
        if running is None or store is None:
            return False
        waiting = [running, *store.watch.get(variable, ())]
        numbers: set[int] = set()
        variables: set[Any] = set()
        room = self.given
        while waiting:
            number = waiting.pop()
            constraint = store.constraints.get(number)
            if constraint is None or number in numbers:
                continue
            numbers.add(number)
            length = constraint.linear_length(self.bindings)
            if length is None:
                return False
            room += length
            for tied in constraint.variables(self.bindings):
                if tied not in variables:
                    variables.add(tied)
                    room += (store.bounds.get(tied, NATURALS)[1] or 0).bit_length()
                    waiting.extend(store.watch.get(tied, ()))
            if room > bits:
                return False
        return True

    def suspend(self, constraint: Any) -> int:
        """Keep a constraint until one of its variables is bound or narrowed; its number."""
        waiting_for = constraint.variables(self.bindings)
        store = self.own_store()
        number = store.next
        store.next = number + 1
        store.constraints[number] = constraint
        for variable in waiting_for:
            store.watch[variable] = (*store.watch.get(variable, ()), number)
        return number

    def beside(self, variable: Any) -> list[Any]:
        """Other constraints than the one that runs, if some wait for a variable; the last of many."""
        store = self.store
        return [] if store is None else [store.constraints[number] for number in self._numbers_beside(variable)]

    def _numbers_beside(self, variable: Any) -> list[int]:
        store = self.store
        if store is None:
            return []
        numbers = store.watch.get(variable, ())[-MOST_BESIDE:]
        return [number for number in numbers if number != self.running and number in store.constraints]

    def tell_integer(self, variable: Any) -> None:
        """That a number is an integer: what says that an expression in it is `?` looks again."""
        self.look_again(variable, lambda constraint: constraint.says_unknown(self))

    def look_again(self, variable: Any, concerned: Callable[[Any], bool]) -> None:
        """Have those look again that wait for a variable, still open, and are `concerned`; the last of many."""
        store = self.store
        if store is None:
            return
        for number in self._numbers_beside(variable):
            if number not in self.queued and concerned(store.constraints[number]):
                self.queued.add(number)
                self.queue.append(number)

    def post(self, constraint: Any) -> bool:
        """Propagate a new constraint and keep it if it is not decided."""
        running, self.running = self.running, None
        holds = self.replace(constraint)
        self.running = running
        return holds

    def replace(self, constraint: Any) -> bool:
        """Propagate a constraint in place of the one that runs, and keep it if it is not decided."""
        before = self.narrowings
        outcome = constraint.propagate(self)
        if outcome is None:
            number = self.suspend(constraint)
            if self.narrowings != before:
                self.queued.add(number)
                self.queue.append(number)
            return True
        if outcome is False:
            self.failure(constraint)
            return False
        self._forget()
        return True

    def _forget(self) -> None:
        """A constraint is done, and of it remains what it has narrowed: others may climb from there."""
        if self.store is not None:
            self.given = self.store.longest

    def commit(self) -> bool:
        """Take it that no open number will turn out to be `?`, and draw what follows; False if it cannot be."""
        self.search = self.search.but(gradual=None)
        if self.store is None:
            self.store_owned = True
            return True
        store = self.own_store()
        for variable, (low, high) in list(store.bounds.items()):
            if variable in store.bounds and not self.narrow(variable, low, high):
                return False
        # What bounds a number comes first: then equations start from the bounds.
        waiting = [number for number in store.constraints if number not in self.queued]
        waiting.sort(key=lambda number: store.constraints[number].args[0] != "<=")
        self.queue.extend(waiting)
        self.queued.update(store.constraints)
        return self.run(200 + 50 * len(store.constraints))

    def run(self, most: int = MAX_ROUNDS) -> bool:
        """Propagate what was woken until nothing changes, or for `most` rounds (bounds may creep: x < y, y < x)."""
        queue = self.queue
        rounds = alone = climbed = 0
        last = -1
        self._forget()
        while queue:
            number = queue.popleft()
            if number not in self.queued:
                continue
            store = self.store
            constraint = None if store is None else store.constraints.get(number)
            if constraint is None:  # it is done, though what it waited for still wakes it
                self.queued.discard(number)
                continue
            rounds += 1
            if rounds in ASKED and self._are_refuted_together(number):
                self._pay(rounds)
                return False
            if number == last and not queue:
                alone += 1
            else:
                alone = climbed = 0
            last, creeps = number, False
            if alone and not alone % ALONE:
                before, climbed = climbed, self._climbed(constraint)
                creeps = 0 < climbed <= before
            if rounds > most or creeps:
                self.tired = True
                queue.clear()
                self.queued.clear()
                if self._are_refuted_together(number):
                    self._pay(rounds)
                    return False
                break
            self.queued.discard(number)
            if not constraint.DECIDES:
                self._watch_on(number, constraint)
                continue
            if alone == ALONE and constraint.is_refuted_alone(self):
                self._pay(rounds)
                self.failure(constraint)
                return False
            before, bound = self.narrowings, len(self.bindings)
            self.settled = False
            self.running = number
            outcome = constraint.propagate(self)
            self.running = None
            if outcome is False:
                self._pay(rounds)
                self.failure(constraint)
                return False
            if outcome is True:
                del self.own_store().constraints[number]
                self._forget()
            else:
                if self.settled and len(self.bindings) == bound:
                    self.queued.discard(number)  # nobody has woken it but itself
                open_here = self._watch(number, constraint)
                if not open_here and self.narrowings != before and number not in self.queued:
                    # It has just bound its last variables itself.
                    self.queued.add(number)
                    queue.append(number)
        self._pay(rounds)
        return True

    def _watch(self, number: int, constraint: Constraint) -> list[Any]:
        """Have a constraint wait for all of its unbound variables, which are those."""
        watch = self.own_store().watch
        found = constraint.variables(self.bindings)
        for variable in found:
            watchers = watch.get(variable, ())
            if number not in watchers:
                watch[variable] = (*watchers, number)
        return found

    def _watch_on(self, number: int, constraint: Constraint) -> None:
        """The same of one that was woken and finds out nothing: what variables were bound to inherits those that wait,
        so only what stands within a term is new to it."""
        bindings = self.bindings
        for variable in open_in(constraint):
            if variable in bindings and type(self.walk(variable)) not in _WITHOUT_PARTS:
                self._watch(number, constraint)
                return

    def _are_refuted_together(self, number: int) -> bool:
        """Whether no numbers satisfy a constraint whose bounds creep, with those that are tied to it by numbers."""
        store = self.store
        if store is None or self.search.waits():
            return False
        found = [number]
        met = set(found)
        for tied in found:
            constraint = store.constraints.get(tied)
            if constraint is None:
                continue
            for variable in constraint.variables(self.bindings):
                new = [other for other in store.watch.get(variable, ()) if other not in met]
                met.update(new)
                found += new
            if len(found) > TOGETHER:
                return False
        tied_to_it = [store.constraints[n] for n in found if n in store.constraints]
        state = State(self.bindings, store, self.search)
        if not above("refuted together")(state, reify_term(tuple(tied_to_it), self.bindings)):
            return False
        self.failure(store.constraints[number])
        return True

    def _climbed(self, constraint: Constraint) -> int:
        """Of how many bits the lower bounds of a constraint's variables are; 0 if there is an upper bound to be met.

        Bounds that are multiplied each round get longer, and `_climbs` refutes them.
        """
        store = self.store
        if store is None:
            return 0
        bounds = [store.bounds.get(variable, NATURALS) for variable in constraint.variables(self.bindings)]
        return 0 if any(high is not None for _, high in bounds) else sum(low.bit_length() for low, _ in bounds)

    def _pay(self, rounds: int) -> None:
        """Pay for rounds of propagation, whatever came of them. Raises StepLimit."""
        if rounds >= ROUNDS_A_STEP:
            self.search.budget.charge(rounds // ROUNDS_A_STEP + max(0, rounds - MANY_ROUNDS))

    def failure(self, what: Any) -> None:
        """Tell the trace, if there is one, what could not hold."""
        trace = self.search.trace
        if trace is not None:
            trace.failed(what, self.bindings)

    def unequal(self, left: Any, right: Any) -> None:
        """Tell the trace that two terms could not be made equal.

        If they are by now, a number was denied by what bounds it, and what does so is told: it waits to be run.
        """
        same = reify_term(left, self.bindings) == reify_term(right, self.bindings)
        if not (same and self.queue and not self.run()):
            self.failure((left, right))


_WITHOUT_PARTS = ATOMS | VARIABLES
