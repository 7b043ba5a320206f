"""Unification of terms within a state that is being made: what it binds, and what it leaves to constraints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, cast

from unification import unify

from ...host.above import above
from ..exact import are_one
from ..terms.arith import Arith
from ..terms.look import Look, closed
from ..terms.rebuilding import replaced
from ..terms.terms import Cons, Term, cons, occurs
from ..terms.variables import VARIABLES, fresh
from .state import Store

__all__ = ["ATOMS", "Unifying"]

MANY = 256  # pairs of terms; from then on, those are remembered that were unified, since what is shared is met again
ATOMS = frozenset({int, str, bool, float, type(None)})


class Unifying(ABC):
    """Makes terms equal; what binding a variable wakes, and how constraints are posted, those say that stand on it."""

    __slots__ = ()
    bindings: dict[Any, Any]
    store: Store | None

    @abstractmethod
    def bind(self, variable: Any, value: Any) -> bool:
        """Bind an unbound variable; False if it cannot have the value."""

    @abstractmethod
    def post(self, constraint: Any) -> bool:
        """Propagate a new constraint and keep it if it is not decided."""

    def unify(self, u: Any, v: Any) -> bool:
        """Make two terms equal; False if they cannot be."""
        asked = (u, v)
        stack = [asked]
        met: dict[tuple[int, int], Any] = {}
        rounds = 0
        try:
            while stack:
                u, v = stack.pop()
                bindings = self.bindings
                while type(u) in VARIABLES:
                    found = bindings.get(u, u)
                    if found is u:
                        break
                    u = found
                while type(v) in VARIABLES:
                    found = bindings.get(v, v)
                    if found is v:
                        break
                    v = found
                if u is v:
                    continue
                kind, other = type(u), type(v)
                if kind in VARIABLES:
                    if other in VARIABLES:
                        # What much waits for stays: else all that waits is woken wherever a clause calls itself.
                        watch = None if self.store is None else self.store.watch
                        if watch and len(watch.get(u, ())) > len(watch.get(v, ())):
                            u, v = v, u
                        if not self.bind(u, v):
                            return False
                    elif not self._give(u, v):
                        return False
                elif other in VARIABLES:
                    if not self._give(v, u):
                        return False
                elif kind is other:
                    if kind is tuple:
                        if len(u) != len(v):
                            return False
                        stack.extend(zip(u, v, strict=True))
                    elif kind is Cons:
                        stack.extend(_unify_open_lists(u, v))
                    elif isinstance(u, Term):
                        if (u.ground and v.ground) or len(u.args) != len(v.args):
                            return False
                        if kind is Arith:
                            if not self._equate(u, v):
                                return False
                            continue
                        rounds += 1
                        if rounds > MANY:
                            if (id(u), id(v)) in met:
                                continue
                            met[id(u), id(v)] = (u, v)  # kept, so that nothing else gets their identities
                        stack.extend(zip(u.args, v.args, strict=True))
                    elif kind in ATOMS:
                        if not are_one(u, v):
                            return False
                    elif not self._unify_foreign(u, v):
                        return False
                elif kind is Cons and other is tuple:
                    count = len(u.prefix)
                    if len(v) < count:
                        return False
                    stack.append((u.tail, v[count:]))
                    stack.extend(zip(u.prefix, v, strict=False))
                elif other is Cons and kind is tuple:
                    stack.append((v, u))
                elif kind in ATOMS or other in ATOMS or isinstance(u, Term) or isinstance(v, Term):
                    left, right = _own_list(u), _own_list(v)
                    if left is not u or right is not v:
                        stack.append((left, right))
                    elif not self._equate(u, v):
                        return False
                elif not self._unify_foreign(u, v):
                    return False
        except Look:
            named: list[Any] = []
            u, v = closed(asked[0], named), closed(asked[1], named)
            return all(map(self.post, named)) and self.unify(u, v)
        return True

    def _give(self, variable: Any, value: Any) -> bool:
        """Bind an unbound variable to a walked term; False if it occurs in it.

        Expressions with variables are no values: each, and each within the term, is equal to a number of its own. So
        an extent that is calculated in a type is a natural, as every other is.
        """
        kind = type(value)
        if kind in ATOMS or (kind is tuple and ATOMS.issuperset(map(type, value))):
            return self.bind(variable, value)
        if kind is tuple or (isinstance(value, Term) and not value.ground):
            met: dict[int, Any] = {}
            if kind is Arith or occurs(variable, value, self.bindings, met):
                return self._equate(variable, value)
            if Arith in map(type, met.values()):
                names: dict[Any, Any] = {}
                value = replaced(
                    value, Arith, lambda number: number if number.ground else names.setdefault(number, fresh())
                )
                return self.bind(variable, value) and all(self._equate(*pair) for pair in names.items())
        return self.bind(variable, value)

    def _equate(self, u: Any, v: Any) -> bool:
        """Make two numbers equal of which one is an expression with variables: what it is made of need not be equal to
        parts of the other. False if there is no such expression, or they cannot be equal."""
        if not any(type(number) is Arith and not number.ground for number in (u, v)):
            return False
        return cast(bool, above("equal numbers")(u, v).run(self))

    def _unify_foreign(self, u: Any, v: Any) -> bool:
        """Terms that are not ours (kanren's ConsPair, user classes with `_unify` methods) take the stock path."""
        left, right = _own_list(u), _own_list(v)
        if left is not u or right is not v:
            return self.unify(left, right)
        result = unify.dispatch(type(u), type(v), dict)(u, v, dict(self.bindings))
        if result is False:
            return False
        return all(self.unify(key, value) for key, value in result.items() if key not in self.bindings)


def _unify_open_lists(u: Any, v: Any) -> list[tuple[Any, Any]]:
    count = min(len(u.prefix), len(v.prefix))
    pairs = list(zip(u.prefix[:count], v.prefix[:count], strict=True))
    pairs.append((cons(u.prefix[count:], u.tail), cons(v.prefix[count:], v.tail)))
    return pairs


def _own_list(term: Any) -> Any:
    """kanren's ConsPair as our open list, Python's list as a tuple."""
    if type(term) is list:
        return tuple(term)
    if hasattr(term, "car") and hasattr(term, "cdr"):
        prefix = []
        while hasattr(term, "car") and hasattr(term, "cdr"):
            prefix.append(term.car)
            term = term.cdr
        return cons(tuple(prefix), tuple(term) if type(term) is list else term)
    return term
