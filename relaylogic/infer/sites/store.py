"""The program's state: what every open type of a program is known to be, and who waits to hear of it.

Unification here is gradual: an extent that is `?` agrees with any extent. Where a variable stands for both
`Tensor[(3)]` and `Tensor[(?)]`, it is widened to `?`; annotations and extents known elsewhere never are. A conflict 3
against 4 is not final while a widening may still come, so the driver tries refused sites again after one; that makes
the outcome independent of the order of the sites.

Representation: `bindings` maps variables to terms, never cyclic. `watchers` maps an unbound variable to the sites that
wait for it. Every change is on the `trail` while a checkpoint is open, so that a failed unification and a branch of
`relaylogic.typings` leave no trace. `given` is what holds where the demand stands that is being tried: type parameters
that it makes equal are one. `demands` is what unification found to be still owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...errors import several
from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import UNKNOWN, is_number
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import Cons, Term, cons, is_ground, occurs, open_in, variables_of
from ...logic.terms.variables import VARIABLES
from ...types import FuncType, IncompleteType, TensorType, TupleType, TypeRelation, TypeVar
from .given import Given
from .schemes import instantiate, mentions

__all__ = ["AS_DECLARED", "Mismatch", "Store", "Use"]


AS_DECLARED = "AsDeclared"
"""The relation of an open extent to the `?` that is written where its value stands."""

_LOOSE = frozenset({TensorType, TupleType, Cons, tuple})

MANY = 256
"""From so many pairs of terms on, those are remembered that were unified: what is shared is met again and again."""


class Mismatch(Exception):
    """Two types that cannot be one; `left` and `right` are the innermost parts that differ."""

    def __init__(self, left: Any, right: Any, reason: str = "") -> None:
        super().__init__(reason)
        self.left = left
        self.right = right
        self.reason = reason


class Use(NamedTuple):
    """A function `value` that stands where one of type `wanted` is wanted; its constraints must follow from `given`.

    `instance` is the value's type as it is used, `rigid` are the parameters that stand for what the wanted type is
    asked for with, and `outside` the variables of the two types: what is rigid must not become known to them.
    """

    value: Any
    wanted: Any
    instance: Any
    given: Given | None
    rigid: tuple[Any, ...]
    outside: tuple[Any, ...]


class Store:
    """A mutable, undoable substitution with watchers."""

    def __init__(self, given: Given | None = None) -> None:
        self.bindings: dict[Any, Any] = {}
        self.watchers: dict[Any, list[Any]] = {}
        self.woken: list[Any] = []
        self.widened = False
        self.trail: list[tuple[Any, Any]] = []
        self.demands: list[Any] = []  # constraints, equations and uses of functions
        self._inside: set[Any] = set()  # the variables in what others are bound to, or were
        self._recording = 0
        self.given = given
        self._equal: Any = {} if given is None else given.equal
        self.on_unknown: Callable[[], None] | None = None  # to be called where a `?` meets a number

    def assume(self, given: Given | None) -> None:
        """Take `given` for granted from now on."""
        self.given = given
        self._equal = {} if given is None else given.equal

    def walk(self, term: Any) -> Any:
        """`term`, or what it is bound to if it is a variable, or equal to if it is a type parameter."""
        if type(term) in VARIABLES:
            term = self._root(term)[1]
        return self._equal.get(term, term) if self._equal and type(term) is TypeVar else term

    def reify(self, term: Any) -> Any:
        """`term` with all that is known of its variables put in."""
        return reify_term(self.walk(term), self.bindings)

    def watch(self, variable: Any, site: Any) -> None:
        """Wake `site` when `variable` is bound."""
        self.watchers.setdefault(variable, []).append(site)

    def wake(self, variable: Any) -> None:
        """Wake the sites that wait for a variable, of which more is known though it is not bound."""
        self.woken.extend(self.watchers.get(variable, ()))

    def checkpoint(self) -> int:
        """Begin to record changes; the mark to undo them to."""
        self._recording += 1
        return len(self.trail)

    def undo(self, mark: int) -> None:
        """Take back all changes since `mark`."""
        while len(self.trail) > mark:
            variable, old = self.trail.pop()
            if old is None:
                del self.bindings[variable]
            else:
                self.bindings[variable] = old
        self.release()

    def release(self) -> None:
        """Close the innermost checkpoint, keeping the changes."""
        self._recording -= 1
        if not self._recording:
            self.trail.clear()

    @contextmanager
    def tentatively(self) -> Iterator[None]:
        """What is done meanwhile leaves no trace."""
        mark, woken, demands, widened = self.checkpoint(), len(self.woken), len(self.demands), self.widened
        try:
            yield
        finally:
            self.undo(mark)
            del self.woken[woken:]
            del self.demands[demands:]
            self.widened = widened

    def agree(self, actual: Any, expected: Any) -> bool:
        """Make `actual` fit where `expected` is wanted; whether it can. If not, nothing changes."""
        try:
            self.unify(actual, expected)
        except Mismatch:
            return False
        return True

    def bind(self, variable: Any, value: Any) -> None:
        """Bind an unbound variable, or widen a bound one."""
        old = self.bindings.get(variable)
        if self._recording:
            self.trail.append((variable, old))
        self.bindings[variable] = value
        if type(value) in VARIABLES:
            self._inside.add(value)
        elif not is_ground(value):
            self._inside.update(_open(value))
        if old is not None:
            self.widened = True
            return
        waiting = self.watchers.get(variable)
        if waiting:
            if type(value) in VARIABLES:
                self.watchers.setdefault(value, []).extend(waiting)
            self.woken.extend(waiting)

    def unify(self, actual: Any, expected: Any, *, as_declared: bool = False) -> None:
        """Make `actual` fit where `expected` is wanted. Raises Mismatch and changes nothing if it cannot.

        If `as_declared`, an extent of the value that is open where `?` is written need only agree with it.
        """
        if actual is expected:
            return
        if type(expected) in VARIABLES and not self._equal and is_ground(actual):
            variable, known = self._root(expected)
            if variable is known:
                self.bind(variable, actual)
                return
        mark, woken, widened = self.checkpoint(), len(self.woken), self.widened
        demands = len(self.demands)
        try:
            self._unify(actual, expected, as_declared)
        except Mismatch:
            del self.woken[woken:]
            del self.demands[demands:]
            self.widened = widened
            self.undo(mark)
            raise
        self.release()

    def _unify(self, actual: Any, expected: Any, as_declared: bool) -> None:
        # An entry holds the two terms, the variables they were last reached through with what those were compared to,
        # and whether the left one is the value (a polymorphic value fits where an instance of it is wanted).
        stack: list[Any] = [(actual, expected, None, None, True)]
        widen: dict[Any, list[Any]] = {}
        met: dict[tuple[int, ...], Any] = {}
        rounds = 0
        while stack:
            u, v, owner_u, owner_v, covariant = stack.pop()
            root_u = root_v = None
            if type(u) in VARIABLES:
                root_u, u = self._root(u)
                if type(u) not in VARIABLES:
                    owner_u = (root_u, v)
            if type(v) in VARIABLES:
                root_v, v = self._root(v)
                if type(v) not in VARIABLES:
                    owner_v = (root_v, u)
            if self._equal:
                u = self._equal.get(u, u) if type(u) is TypeVar else u
                v = self._equal.get(v, v) if type(v) is TypeVar else v
            if u is v:
                continue
            kind, other = type(u), type(v)
            wanted, owner = (v, owner_v) if covariant else (u, owner_u)
            is_written = as_declared and owner is None
            if kind in VARIABLES or other in VARIABLES:
                variable, value = (u, v) if kind in VARIABLES else (v, u)
                if kind is other and v not in self.watchers:
                    variable, value = v, u  # a variable nobody waits for: that it is the other one is no news
                if type(value) not in VARIABLES and not is_number(value) and self._occurs(variable, value):
                    raise Mismatch(u, v, "a type cannot contain itself")
                # Bound to the other variable, not to what it stands for now: they are one class from here on.
                value = (root_v if variable is u else root_u) or value
                if is_written and value is wanted:
                    if value is UNKNOWN:
                        self._as_declared(variable)
                        continue
                    value = self._agreeing(value)
                self.bind(variable, value)
            elif kind is int or other is int or is_number(u) or is_number(v):
                if not is_written or wanted is not UNKNOWN:
                    self._extents(u, v, owner_u, owner_v, widen)
            elif kind is FuncType and other is FuncType:
                u, v = self._quantifiers(u, v, covariant)
                if len(u.arg_types) != len(v.arg_types):
                    raise Mismatch(u, v, f"{several(len(u.arg_types), 'parameter')} against {len(v.arg_types)}")
                stack.append((u.ret_type, v.ret_type, owner_u, owner_v, covariant))
                for a, b in zip(reversed(u.arg_types), reversed(v.arg_types), strict=True):
                    stack.append((a, b, owner_u, owner_v, not covariant))
            elif kind is tuple and other is tuple:
                if len(u) != len(v):
                    raise Mismatch(u, v, f"{several(len(u), 'element')} against {len(v)}")
                for a, b in zip(reversed(u), reversed(v), strict=True):
                    stack.append((a, b, owner_u, owner_v, covariant))
            elif kind is Cons or other is Cons:
                stack.extend((*pair, owner_u, owner_v, covariant) for pair in _open_lists(u, v))
            elif kind is other and isinstance(u, Term) and kind is not TypeVar and len(u.args) == len(v.args):
                rounds += 1
                if rounds > MANY:
                    places = (*(owner_u or (None, None)), *(owner_v or (None, None)))
                    key = (id(u), id(v), *map(id, places), covariant)
                    if key in met:
                        continue
                    met[key] = (u, v, places)  # kept, so that nothing else gets their identities
                for a, b in zip(reversed(u.args), reversed(v.args), strict=True):
                    stack.append((a, b, owner_u, owner_v, covariant))
            elif kind is not other or u != v:
                raise Mismatch(u, v)
        for variable, partners in widen.items():
            value = self.bindings[variable]
            for partner in partners:
                value = self._join(value, partner)
            if value is not self.bindings[variable]:
                self.bind(variable, value)

    def _agreeing(self, declared: Any) -> Any:
        """What is written, with an open extent for each `?` of its tensors, which is demanded to be as declared."""
        if not (type(declared) in _LOOSE and has_unknown(declared)):
            return declared
        out: list[Any] = []
        agenda: list[tuple[Any, bool]] = [(declared, False)]
        while agenda:
            item, is_made = agenda.pop()
            below = item if type(item) is tuple else item.args if type(item) in _LOOSE else ()
            if is_made:
                children = tuple(out[len(out) - len(below) :])
                del out[len(out) - len(below) :]
                out.append(children if type(item) is tuple else type(item).assemble(children))
            elif item is UNKNOWN:
                out.append(self._as_declared(IncompleteType("ShapeVar")))
            elif not below:
                out.append(item)
            else:
                agenda.append((item, True))
                agenda.extend((part, False) for part in reversed(below))
        return out[0]

    def _as_declared(self, extent: Any) -> Any:
        self.demands.append(TypeRelation(AS_DECLARED, (extent, UNKNOWN)))
        return extent

    def _occurs(self, variable: Any, value: Any) -> bool:
        """Whether an unbound variable occurs in a value. Only what is bound to something may bring in one that the
        value does not hold itself."""
        if variable not in self._inside and variable not in _open(value):
            return False
        return occurs(variable, value, self.bindings)

    def _root(self, variable: Any) -> tuple[Any, Any]:
        """The last variable of a chain of variables, and what it is bound to (itself if it is unbound).

        The chain is shortened: a program that passes a value on and on makes one as long as itself.
        """
        bindings = self.bindings
        passed = []
        while True:
            following = bindings.get(variable, variable)
            if type(following) not in VARIABLES or following is variable:
                break
            passed.append(variable)
            variable = following
        for earlier in passed[:-1]:
            if self._recording:
                self.trail.append((earlier, bindings[earlier]))
            bindings[earlier] = variable
        return variable, following

    def _extents(self, u: Any, v: Any, owner_u: Any, owner_v: Any, widen: dict[Any, list[Any]]) -> None:
        if u is UNKNOWN or v is UNKNOWN:
            if self.on_unknown is not None:
                self.on_unknown()
            if u is not UNKNOWN and owner_u is not None:
                widen.setdefault(owner_u[0], []).append(owner_u[1])
            if v is not UNKNOWN and owner_v is not None:
                widen.setdefault(owner_v[0], []).append(owner_v[1])
        elif (type(u) is not type(v) or u != v) and (not self._equal or self._normal(u) != self._normal(v)):
            raise Mismatch(u, v)

    def _normal(self, term: Any) -> Any:
        return term if self.given is None else self.given.normal(term)

    def _quantifiers(self, u: Any, v: Any, covariant: bool) -> tuple[Any, Any]:
        """Two function types without quantifiers that fit exactly if the given ones do, provided that `demands` hold.

        The wanted one's parameters are rigid and its constraints given; the value is used at the instance that they ask
        for.
        """
        if not (u.type_params or v.type_params or u.type_constraints or v.type_constraints):
            return u, v
        value, wanted = (u, v) if covariant else (v, u)
        equations: list[Any] = []
        rigid = tuple([TypeVar(p.name_hint, p.kind) for p in wanted.type_params])
        target = instantiate(wanted, rigid, equations)
        instance = instantiate(value, [IncompleteType(p.kind) for p in value.type_params], equations)
        given = self.given
        if given is not None and target.type_constraints:
            given = given.extended(tuple([self.reify(c) for c in target.type_constraints]), rigid)
            target, instance = given.normal(target), given.normal(instance)
            rigid += given.made_up
        if rigid and not value.type_params and mentions((target.arg_types, target.ret_type), rigid):
            raise Mismatch(u, v, "a function of one type cannot serve for every type")
        self.demands.extend(equations)
        if not wanted.type_params and not wanted.type_constraints:
            self.demands.extend(instance.type_constraints)
        else:
            outside = tuple(variables_of((value, wanted), self.bindings)) if not is_ground((value, wanted)) else ()
            if instance.type_constraints or outside:
                self.demands.append(Use(value, wanted, instance, given, rigid, outside))
        return (instance, target) if covariant else (target, instance)

    def _join(self, term: Any, partner: Any) -> Any:
        """`term` with `?` wherever the partner has it; variables inside `term` stay."""
        out: list[Any] = []
        agenda: list[tuple[Any, Any, int]] = [(term, partner, -1)]
        while agenda:
            a, b, count = agenda.pop()
            if count >= 0:
                children = tuple(out[len(out) - count :])
                del out[len(out) - count :]
                out.append(children if type(a) is tuple else type(a).make(children))
                continue
            b = self.walk(b)
            below_a = () if is_number(a) else a if type(a) is tuple else getattr(a, "args", ())
            below_b = b if type(b) is tuple else getattr(b, "args", ())
            if b is UNKNOWN and type(a) not in VARIABLES:
                out.append(UNKNOWN)
            elif type(a) is type(b) and type(a) is not TypeVar and below_a and len(below_a) == len(below_b):
                agenda.append((a, b, len(below_a)))
                agenda.extend((x, y, -1) for x, y in zip(reversed(below_a), reversed(below_b), strict=True))
            else:
                out.append(a)
        return out[0]


def _open_lists(u: Any, v: Any) -> list[tuple[Any, Any]]:
    """The equations that two lists, at least one of them open, come down to."""
    if type(u) not in (tuple, Cons) or type(v) not in (tuple, Cons):
        raise Mismatch(u, v)
    first = u if type(u) is tuple else u.prefix
    second = v if type(v) is tuple else v.prefix
    count = min(len(first), len(second))
    if (type(u) is tuple and len(second) > count) or (type(v) is tuple and len(first) > count):
        raise Mismatch(u, v)
    rest_u = u[count:] if type(u) is tuple else cons(first[count:], u.tail)
    rest_v = v[count:] if type(v) is tuple else cons(second[count:], v.tail)
    return [*zip(first[:count], second[:count], strict=True), (rest_u, rest_v)]


def _open(value: Any) -> Iterable[Any]:
    """The variables in a value that is no variable, whatever they are bound to."""
    if type(value) is tuple:
        return variables_of(value)
    return open_in(value) if isinstance(value, Term) and not value.ground else ()
