"""First-order terms: what the engine unifies.

A term is a `unification.Var`, a constant (`int`, `str`), a tuple (a proper list), or a `Term`: a functor (its class)
applied to `args`. Terms are immutable and hash-consed, so two equal terms are one object, equality and hashing are by
identity, and `ground` (no logic variable inside) is known at construction. A list whose end is still open is a
`Cons(prefix, tail)`; `cons` keeps the two list forms canonical.

Everything here is iterative: no function recurses over a term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from typing import Any, ClassVar

from .control import StepLimit
from .infix import Infix
from .interning import Interning, InterningByIdentity
from .look import Look, closed
from .variables import VARIABLES, Variable

__all__ = [
    "LONGEST",
    "Cons",
    "Slot",
    "Symbol",
    "Term",
    "canonical",
    "cons",
    "copies",
    "fresh",
    "fresh_list",
    "fresh_noted",
    "instantiate",
    "is_ground",
    "note_of",
    "occurs",
    "open_in",
    "rebuild",
    "reify_slots",
    "reify_term",
    "slot",
    "variables_of",
    "walk",
]


LONGEST = 200_000
"""Lists of more elements are not made: what holds of them is unknown, and memory is saved."""

SHALLOW = 30
_tokens = count(1)


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
        from .flat import flattened, restored

        return (restored, (flattened(self),))

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
    return Cons.make((prefix, tail))


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


def rebuild(term: Any, leaf: Callable[[Any], Any], memo: dict[int, Any] | None = None) -> Any:
    """`term` with every variable and slot replaced by `leaf` of it, applied again to what `leaf` gives back.

    `leaf` returns its argument to keep it. Ground terms are returned as they are. Terms with parts in common may be
    rebuilt with one `memo`, as long as `leaf` and whatever holds their parts stay as they are.
    """
    return _rebuilt(term, _OPEN, _NOTHING.get, leaf, memo)


_OPEN = VARIABLES | {Slot}
_SLOTS = frozenset({Slot})
_LEAVES = frozenset({int, str, *_OPEN})
_NOTHING: dict[Any, Any] = {}


def _itself(leaf: Any) -> Any:
    return leaf


def _rebuilt(
    term: Any,
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any] = _itself,
    memo: dict[int, Any] | None = None,
) -> Any:
    """`term` with each leaf of these `kinds` replaced by what `get` says or, where that is itself, `new`: until that is
    itself too, or what came of it is of another kind."""
    (built,) = _rebuilt_all((term,), kinds, get, new, {} if memo is None else memo, SHALLOW)
    return built


def _rebuilt_all(
    terms: tuple[Any, ...],
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any],
    memo: dict[int, Any],
    levels: int,
) -> tuple[Any, ...]:
    """The same of several terms. Most are shallow: so many levels are done by recursion, which is twice as fast as an
    agenda."""
    built = []
    for item in terms:
        kind = type(item)
        while kind in kinds:
            found = get(item, item)
            if found is item:
                found = new(item)
                if found is item:
                    break
            item = found
            kind = type(item)
        if kind is tuple:
            if levels:
                item = _rebuilt_all(item, kinds, get, new, memo, levels - 1)
            else:
                item = _rebuilt_deep(item, kinds, get, new, memo)
        elif kind not in _LEAVES and isinstance(item, Term) and not item.ground:
            made = memo.get(id(item))
            if made is not None:
                item = made
            elif levels:
                made = kind.assemble(_rebuilt_all(item.args, kinds, get, new, memo, levels - 1))
                memo[id(item)] = made
                item = made
            else:
                item = _rebuilt_deep(item, kinds, get, new, memo)
        built.append(item)
    return tuple(built)


def _rebuilt_deep(
    term: Any,
    kinds: frozenset[type],
    get: Callable[[Any, Any], Any],
    new: Callable[[Any], Any],
    memo: dict[int, Any],
) -> Any:
    """The same of one term, without recursion."""
    out: list[Any] = []
    # Agenda entries: (term, -1) to visit; (original, children count) to build from the top of `out`.
    agenda: list[tuple[Any, int]] = [(term, -1)]
    while agenda:
        item, count = agenda.pop()
        if count >= 0:
            children = tuple(out[len(out) - count :]) if count else ()
            if count:
                del out[len(out) - count :]
            if type(item) is not tuple:
                children = memo[id(item)] = type(item).assemble(children)
            out.append(children)
            continue
        while type(item) in kinds:
            found = get(item, item)
            if found is item:
                found = new(item)
                if found is item:
                    break
            item = found
        kind = type(item)
        if kind in _LEAVES or not (kind is tuple or (isinstance(item, Term) and not item.ground)):
            out.append(item)
            continue
        known = memo.get(id(item))
        if known is not None:
            out.append(known)
            continue
        children = item if kind is tuple else item.args
        agenda.append((item, len(children)))
        for child in reversed(children):
            agenda.append((child, -1))
    return out[0]


def reify_term(term: Any, bindings: Mapping[Any, Any], memo: dict[int, Any] | None = None) -> Any:
    """`term` with every bound variable replaced by its value; unbound variables stay. For `memo` see `rebuild`."""
    kind = type(term)
    if kind in VARIABLES:
        term = walk(term, bindings)
        kind = type(term)
        if kind in VARIABLES:
            return term
    if kind is tuple:
        # Most tuples are flat: a shape, the arguments of a call.
        flat = []
        for item in term:
            while type(item) in VARIABLES:
                found = bindings.get(item, item)
                if found is item:
                    break
                item = found
            if type(item) is tuple or (isinstance(item, Term) and not item.ground):
                return _rebuilt(term, VARIABLES, bindings.get, memo=memo)
            flat.append(item)
        return tuple(flat)
    if not isinstance(term, Term) or term.ground:
        return term
    for variable in open_in(term):
        if variable in bindings:
            return _rebuilt(term, VARIABLES, bindings.get, memo=memo)
    return term


def reify_slots(term: Any, values: Mapping[Any, Any]) -> Any:
    """`term` with what slots stand for in their place; other slots stay."""
    return _rebuilt(term, _OPEN, values.get)


def open_in(term: Any) -> tuple[Any, ...]:
    """The variables of a term that is not ground, in order of occurrence; remembered."""
    if term.open is not None:
        return term.open  # type: ignore[no-any-return]
    found: dict[Any, None] = {}
    for item in term.args:  # most are flat
        kind = type(item)
        if kind in VARIABLES:
            found[item] = None
        elif kind not in _LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
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


def occurs(variable: Any, term: Any, bindings: Mapping[Any, Any]) -> bool:
    """Whether an unbound variable occurs in `term`."""
    stack = [term]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if type(item) in VARIABLES:
            item = walk(item, bindings)
            if item is variable:
                return True
        if type(item) is tuple:
            stack.extend(i for i in item if type(i) is not int)
        elif isinstance(item, Term) and not item.ground and id(item) not in seen:
            seen.add(id(item))
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


def fresh_list(number: int) -> tuple[Any, ...]:
    """A tuple of `number` variables that occur nowhere else. Raises StepLimit if they are too many.

    They are unification's variables, made without its register of names: five times as fast, and two threads never
    get the same one.
    """
    if type(number) is not int:
        number = int(number)
    if number > LONGEST:
        raise StepLimit
    made = []
    for token in islice(_tokens, number):
        variable = object.__new__(Variable)
        variable.token = token
        made.append(variable)
    return tuple(made)


def fresh(number: int = 1) -> Any:
    """A variable that occurs nowhere else; a tuple of them if `number` is not 1."""
    if number != 1:
        return fresh_list(number)
    variable = object.__new__(Variable)
    variable.token = next(_tokens)
    return variable


class _Noted(int):
    """The token of a variable that carries a word about itself; a number like any other token."""

    note: str


def fresh_noted(note: str) -> Any:
    """A variable that occurs nowhere else and carries a word about itself: a hole, what kind of hole it is."""
    variable = object.__new__(Variable)
    variable.token = _Noted(next(_tokens))
    variable.token.note = note
    return variable


def note_of(variable: Any) -> str:
    """The word that a variable carries, or ""."""
    token = variable.token
    return token.note if type(token) is _Noted else ""


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


def canonical(
    terms: tuple[Any, ...],
    numbering: dict[Any, Any],
    new: Iterator[Any] | None = None,
    bindings: Mapping[Any, Any] | None = None,
) -> tuple[Any, ...]:
    """`terms`, with what `bindings` say put in, with each variable replaced by its slot in `numbering`.

    New variables get the slots that `new` gives (the numbers following if it is None) and join `numbering`.
    """

    def number(variable: Any) -> Any:
        known = numbering[variable] = slot(len(numbering)) if new is None else next(new)
        return known

    if bindings is None:
        flat = []
        for item in terms:  # most have no parts
            kind = type(item)
            if kind in VARIABLES:
                known = numbering.get(item)
                item = number(item) if known is None else known
                if type(item) is not Slot:
                    break
            elif kind not in _LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
                break
            flat.append(item)
        else:
            return tuple(flat)
        return _rebuilt_all(terms, VARIABLES, numbering.get, number, {}, SHALLOW)

    def said(variable: Any, otherwise: Any) -> Any:
        value = bindings.get(variable, variable)
        return numbering.get(variable, otherwise) if value is variable else value

    return _rebuilt_all(terms, VARIABLES, said, number, {}, SHALLOW)


def instantiate(terms: Any, variables: dict[int, Any]) -> Any:
    """`terms` with slot i replaced by `variables[i]`; fresh variables are added to `variables` as needed."""
    if isinstance(terms, Term) and terms.ground:
        return terms

    def variable(place: Any, _: Any) -> Any:
        (index,) = place.args
        found = variables.get(index)
        if found is None:
            found = variables[index] = fresh()
        return found

    if type(terms) is tuple:
        flat = []
        for item in terms:  # most have no parts
            kind = type(item)
            if kind is Slot:
                item = variable(item, None)
            elif kind not in _LEAVES and (kind is tuple or (isinstance(item, Term) and not item.ground)):
                break
            flat.append(item)
        else:
            return tuple(flat)
    return _rebuilt(terms, _SLOTS, variable)
