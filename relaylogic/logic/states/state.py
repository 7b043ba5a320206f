"""The state of a search: bindings and suspended constraints, registered with `unification`.

Representation. `State` is an immutable mapping from variables to terms; a `Store` if anything is suspended: the
constraints by number, the numbers by variable (`watch`), and the interval of each numeric variable (`bounds`); and the
`Search` that it belongs to. Invariants: no binding is cyclic (occurs check); every constraint of the store is suspended
on its unbound variables and would not change if it were propagated now; a variable with bounds is unbound. Bounds say
that it is a number, and where that lies if it is an integer; while it may still turn out to be `?`, they may leave one
integer or none.

A `Constraint` is a term: what it relates are its arguments, and walking, reifying, canonical form and equality are
those of terms. It says in `propagate` what follows from what is known.

A state is changed by `Work`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ...host.above import above
from ..control import Search
from ..terms.look import Drafted
from ..terms.rebuilding import canonical, reify_term
from ..terms.terms import Term, open_in, variables_of

__all__ = ["CARRIED", "FAR", "NATURALS", "Bounds", "Constraint", "State", "Store"]

Bounds = tuple[int, "int | None"]
NATURALS: Bounds = (0, None)
CARRIED = "what is suspended"
"""The key under which a state, taken as a mapping, has its store and search: whoever copies it copies those too."""
FAR = 16
"""Of lower bounds it is asked whether they climb for ever, each time they have got so many bits longer."""


class Constraint(Term, Drafted):
    """A suspended goal that has at most one outcome: it holds, it fails, or it waits for its variables."""

    __slots__ = ("_pattern",)
    _pattern: Any

    DECIDES: ClassVar[bool] = True
    """Whether it may find out anything by itself; what does not only waits for its variables."""

    @property
    def pattern(self) -> Any:
        """It with slots for its variables in order: one term for all that differ in the names of variables only."""
        found = getattr(self, "_pattern", None)
        if found is None:  # nobody has asked before
            found = self._pattern = self.assemble(canonical(self.args, {}))
        return found

    def reified(self, bindings: Mapping[Any, Any]) -> Any:
        """It with the values of what is bound in it; itself if nothing is."""
        return reify_term(self, bindings)

    def propagate(self, work: Any) -> bool | None:
        """True: holds and is done. None: not decided, keep. False: cannot hold."""
        raise NotImplementedError

    def is_refuted_alone(self, work: Any) -> bool:
        """Whether it is seen not to hold where it is looked at more closely, since it wakes nothing but itself."""
        return False

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables, each of which wakes it."""
        opened = open_in(self)
        for variable in opened:
            if variable in bindings:
                return variables_of(self.args, bindings)
        return list(opened)

    def is_of_integers(self, work: Any) -> bool:
        """Whether it holds only if none of its numbers is `?`."""
        return False

    def says_unknown(self, work: Any) -> bool:
        """Whether it says that an expression is `?`: it has to look again if a number in that is an integer."""
        return False

    def linear_length(self, bindings: Mapping[Any, Any]) -> int | None:
        """Bits that its coefficients and constants, multiplied, stay within, if it is linear in numbers; else None."""
        return None


class Store:
    """The suspended constraints of a state; a new one gets the next number, so they stand in the order of these."""

    __slots__ = ("bounds", "constraints", "longest", "next", "watch")

    def __init__(self) -> None:
        self.constraints: dict[int, Any] = {}
        self.watch: dict[Any, tuple[int, ...]] = {}
        self.bounds: dict[Any, Bounds] = {}
        self.longest = FAR  # no lower bound has ever had more bits
        self.next = 0

    def copy(self) -> Store:
        """A copy that can be changed."""
        new = object.__new__(Store)
        new.constraints = self.constraints.copy()
        new.watch = self.watch.copy()
        new.bounds = self.bounds.copy()
        new.longest = self.longest
        new.next = self.next
        return new


class State(Mapping[Any, Any]):
    """Bindings and suspended constraints; immutable."""

    __slots__ = ("bindings", "search", "store")

    def __init__(
        self, bindings: dict[Any, Any] | None = None, store: Store | None = None, search: Search | None = None
    ) -> None:
        self.bindings: dict[Any, Any] = {} if bindings is None else bindings
        self.store = store
        self.search = Search() if search is None else search

    def __getitem__(self, key: Any) -> Any:
        return (self.store, self.search) if key == CARRIED else self.bindings[key]

    def __iter__(self) -> Iterator[Any]:
        above("attention to kanren")()
        yield CARRIED
        yield from self.bindings

    def __len__(self) -> int:
        return len(self.bindings) + 1

    def __contains__(self, key: Any) -> bool:
        return key in self.bindings or key == CARRIED

    def get(self, key: Any, default: Any = None) -> Any:
        return self.bindings.get(key, default)

    def constraints(self) -> list[Any]:
        """The suspended constraints, oldest first."""
        return [] if self.store is None else list(self.store.constraints.values())

    def kinds(self) -> set[type]:
        """The classes of the suspended constraints."""
        return set() if self.store is None else set(map(type, self.store.constraints.values()))

    def is_said(self, kind: type, variable: Any) -> bool:
        """Whether a constraint of this kind waits for a variable."""
        store = self.store
        return store is not None and any(type(store.constraints.get(n)) is kind for n in store.watch.get(variable, ()))

    def bounds(self, variable: Any) -> Bounds:
        """The interval that a numeric variable is known to lie in; (0, None) if nothing is known."""
        return NATURALS if self.store is None else self.store.bounds.get(variable, NATURALS)
