"""First-order terms: what the engine unifies.

A term is a `unification.Var`, a constant (`int`, `str`), a tuple (a proper list), or a `Term`: a functor (its class)
applied to `args`. Terms are immutable and hash-consed, so two equal terms are one object, equality and hashing are by
identity, and `ground` (no logic variable inside) is known at construction. A list whose end is still open is a
`Cons(prefix, tail)`; `cons` keeps the two list forms canonical.

Everything here is iterative: no function recurses over a term.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ...host.above import above
from ..control import StepLimit
from .infix import Infix
from .interning import Interning, InterningByIdentity
from .look import Look, closed
from .variables import LONGEST, VARIABLES

__all__ = [
    "LEAVES",
    "PLAIN",
    "Cons",
    "Slot",
    "Symbol",
    "Term",
    "cons",
    "copies",
    "is_ground",
    "occurs",
    "open_in",
    "slot",
    "variables_of",
    "walk",
]


PLAIN = frozenset({int, str})
"""The classes of most constants."""


class Term:
    """A functor applied to arguments; interned, compared by identity.

    Subclasses give the functor its name and name the arguments with properties. `args` holds variables, constants,
    tuples of terms and terms. Interning is the one thing that all searches of a process share; it lets go of a term
    that nobody holds.
    """

    __slots__ = ("__weakref__", "args", "ground", "open")
    _interned: ClassVar[Interning]
    args: tuple[Any, ...]
    ground: bool
    open: tuple[Any, ...] | None  # the variables in order of occurrence, once somebody asked for them

    MAY_HOLD_RULES: ClassVar[bool] = False
    """Whether the arguments themselves may be `HoldsRules`: relations, functions of rules."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._interned = InterningByIdentity() if cls.MAY_HOLD_RULES else Interning()

    @classmethod
    def make(cls, args: tuple[Any, ...]) -> Any:
        """The one term of this functor with these arguments."""
        interned = cls._interned
        try:
            key = interned.key(args)
            found = interned.get(key)
        except Look:
            return cls.make(closed(args))
        return cls._made(args, key) if found is None else found

    @classmethod
    def made_new(cls, args: tuple[Any, ...]) -> Any:
        """`make`, where the term is likely to be new: hashing arguments with variables in them is what it costs."""
        return cls._made(args, cls._interned.key(args))

    @classmethod
    def _made(cls, args: tuple[Any, ...], key: Any) -> Any:
        term = object.__new__(cls)
        try:
            term.args = args
            term.ground = cls is not Slot and is_ground(args)
            term.open = None
            return cls._interned.keep(key, term)
        except Look:
            return cls.make(closed(args))

    @classmethod
    def draft(cls, args: tuple[Any, ...]) -> Any:
        """The term, not interned: for one that may be gone before anybody compares it. `rebuild` interns it."""
        term = object.__new__(cls)
        term.args = args
        term.ground = False
        term.open = None
        return term

    @classmethod
    def assemble(cls, args: tuple[Any, ...]) -> Any:
        """The term of these arguments in normal form, after some of them were replaced; `make` if there is none."""
        return cls.make(args)

    def __new__(cls, *args: Any) -> Any:
        return cls.make(args)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        return above("flat list")(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.args!r}"


class Symbol(Term, Infix):
    """A rigid constant that stands for a natural number or a term that is never known: `n` in `Tensor[(n, 3), ...]`."""

    __slots__ = ()


class Slot(Term):
    """The i-th variable of a canonical term: what a table key and a stored answer hold instead of variables.

    A slot is not ground, so that `rebuild` finds it.
    """

    __slots__ = ()


class Cons(Term):
    """A list of which the first elements are known and the tail is a variable; built by `cons` only."""

    __slots__ = ()

    @classmethod
    def assemble(cls, args: tuple[Any, ...]) -> Any:
        """The list: a tuple if the tail is one."""
        return cons(args[0], args[1])

    @property
    def prefix(self) -> tuple[Any, ...]:
        """The known first elements."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def tail(self) -> Any:
        """The variable for the rest of the list."""
        return self.args[1]


def cons(prefix: Any, tail: Any) -> Any:
    """The list of the elements of the tuple `prefix` followed by the list `tail`; a lone head may be given bare.

    >>> cons(1, (2, 3))
    (1, 2, 3)
    """
    if type(prefix) is not tuple:
        prefix = (prefix,)
    if not prefix:
        return tail
    if type(tail) is tuple:
        return prefix + tail
    if type(tail) is Cons:
        return Cons.make((prefix + tail.args[0], tail.args[1]))
    return prefix + tuple(tail) if type(tail) is list else Cons.make((prefix, tail))


def is_ground(term: Any) -> bool:
    """Whether no logic variable occurs in `term`."""
    kind = type(term)
    if kind in VARIABLES:
        return False
    if kind is not tuple:
        return term.ground if isinstance(term, Term) else True
    stack = [term]
    while stack:
        for item in stack.pop():
            kind = type(item)
            if kind in PLAIN:
                continue
            if kind in VARIABLES:
                return False
            if kind is tuple:
                stack.append(item)
            elif isinstance(item, Term) and not item.ground:
                return False
    return True


def walk(term: Any, bindings: Mapping[Any, Any]) -> Any:
    """Follow `term` through `bindings` while it is a bound variable."""
    while type(term) in VARIABLES:
        found = bindings.get(term, term)
        if found is term:
            return term
        term = found
    return term


LEAVES = frozenset({int, str, Slot, *VARIABLES})
"""The kinds of what has no parts and is met most often."""


def open_in(term: Any) -> tuple[Any, ...]:
    """The variables of a term that is not ground, in order of occurrence; remembered."""
    if term.open is not None:
        return term.open  # type: ignore[no-any-return]
    found: dict[Any, None] = {}
    for item in term.args:  # most are flat
        kind = type(item)
        if kind in VARIABLES:
            found[item] = None
        elif kind not in LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
            break
    else:
        term.open = tuple(found)
        return term.open  # type: ignore[no-any-return]
    found.clear()
    visited: set[int] = set()  # a term may hold another many times over
    stack = [*reversed(term.args)]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in VARIABLES:
            found[item] = None
        elif kind is tuple:
            stack.extend(reversed(item))
        elif isinstance(item, Term) and not item.ground and id(item) not in visited:
            visited.add(id(item))
            if item.open is not None:
                found.update(dict.fromkeys(item.open))
            else:
                stack.extend(reversed(item.args))
    term.open = tuple(found)
    return term.open  # type: ignore[no-any-return]


def occurs(variable: Any, term: Any, bindings: Mapping[Any, Any], seen: dict[int, Any] | None = None) -> bool:
    """Whether an unbound variable occurs in `term`; if not, `seen` gets the terms with variables in it, by identity."""
    stack = [term]
    seen = {} if seen is None else seen
    while stack:
        item = stack.pop()
        if type(item) in VARIABLES:
            item = walk(item, bindings)
            if item is variable:
                return True
        if type(item) is tuple:
            stack.extend(i for i in item if type(i) is not int)
        elif isinstance(item, Term) and not item.ground and id(item) not in seen:
            seen[id(item)] = item
            stack.extend(item.args)
    return False


def variables_of(term: Any, bindings: Mapping[Any, Any] | None = None) -> list[Any]:
    """The distinct unbound variables of `term`, in order of first occurrence."""
    lookup: Mapping[Any, Any] = {} if bindings is None else bindings
    seen: dict[Any, None] = {}
    visited: set[int] = set()
    stack = [term]
    while stack:
        item = stack.pop()
        if type(item) in VARIABLES:
            item = walk(item, lookup)
            if type(item) in VARIABLES:
                seen[item] = None
                continue
        if type(item) is tuple:
            stack.extend(reversed(item))
        elif isinstance(item, Term) and not item.ground and id(item) not in visited:
            visited.add(id(item))
            variables = open_in(item)
            if lookup:
                stack.extend(reversed(variables))
            else:
                seen.update(dict.fromkeys(variables))
    return list(seen)


def copies(item: Any, number: int) -> tuple[Any, ...]:
    """A tuple of `item`, `number` times. Raises StepLimit if that is too often."""
    if int(number) > LONGEST:
        raise StepLimit
    return (item,) * number


_slots: list[Any] = []


def slot(index: int) -> Any:
    """The slot of this number; the first ones are kept, since every call site asks for them."""
    if index < len(_slots):
        return _slots[index]
    return Slot(index)


_slots.extend(Slot(index) for index in range(64))
