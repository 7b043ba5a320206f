"""Terms and programs as flat lists, so that pickle, which recurses, takes them however deeply they are nested.

`flattened(root)` lists every part of `root` once, parts before wholes. An entry is a class with the places of its parts
in the list - those of a tuple, a list, a dict (keys and values in turn), a `Term` (its arguments) or a `Record` (its
fields) - or None with a value that pickle can do by itself. `restored` builds the root again: terms are interned, and
what was one object stays one. What contains itself is refused.
"""

from __future__ import annotations

import copyreg
from itertools import chain
from typing import Any, ClassVar

from unification import Var

from ...errors import IllFormed
from .terms import Term
from .variables import VARIABLES, Shown, fresh, fresh_noted, note_of, shown

__all__ = ["Flat", "Record", "flattened", "pickled", "restored"]

Flat = list[tuple[Any, Any]]
_ATOMS = frozenset({int, str, float, bool, type(None), *VARIABLES})


class Record:
    """An object that is its fields: its slots, those of its bases included, or those that the class statement names.

    It is copied with the fields shared, deeply copied with the terms shared, and pickled as a flat list.
    """

    __slots__ = ()
    _fields_kept: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, fields: tuple[str, ...] | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        slots = chain.from_iterable(vars(base).get("__slots__", ()) for base in reversed(cls.__mro__))
        if fields is not None:
            cls._fields_kept = fields
        elif "__slots__" in vars(cls):
            cls._fields_kept = tuple(name for name in slots if name != "__weakref__")

    def _parts(self) -> tuple[Any, ...]:
        """What the object is made of."""
        return tuple(object.__getattribute__(self, name) for name in self._fields_kept)

    @classmethod
    def _of_parts(cls, parts: tuple[Any, ...]) -> Any:
        """The object of these parts."""
        made = object.__new__(cls)
        for name, part in zip(cls._fields_kept, parts, strict=True):
            object.__setattr__(made, name, part)
        return made

    def __copy__(self) -> Any:
        return self._of_parts(self._parts())

    def __deepcopy__(self, memo: Any) -> Any:
        return restored(flattened(self, share_terms=True))

    def __reduce__(self) -> Any:
        return pickled(self)


def _parts_of(item: Any) -> tuple[Any, ...] | list[Any] | None:
    kind = type(item)
    if kind in _ATOMS:
        return None
    if kind is tuple or kind is list:
        return item  # type: ignore[no-any-return]
    if kind is dict:
        return tuple(chain.from_iterable(item.items()))
    if isinstance(item, Term):
        return item.args
    return item._parts() if isinstance(item, Record) else None


def flattened(root: Any, share_terms: bool = False) -> Flat:
    """The parts of `root` as a flat list, the root last; with `share_terms`, terms are not taken apart.

    Raises IllFormed if a part contains itself.

    >>> flattened((7, (7,)))
    [(None, 7), (<class 'tuple'>, (0,)), (<class 'tuple'>, (0, 1))]
    """
    flat: Flat = []
    places: dict[int, int] = {}
    around: set[int] = set()  # what was entered and not left yet
    agenda: list[tuple[Any, Any]] = [(root, None)]  # what to enter; or, with its parts, what to leave
    while agenda:
        item, parts = agenda.pop()
        if parts is None:
            if id(item) in places:
                continue
            parts = None if share_terms and isinstance(item, Term) else _parts_of(item)
            if parts is not None:
                if id(item) in around:
                    raise IllFormed(f"a {type(item).__name__} contains itself")
                around.add(id(item))
                agenda.append((item, parts))
                agenda.extend((part, None) for part in reversed(parts))
                continue
        kind, content = (None, item) if parts is None else (type(item), tuple([places[id(part)] for part in parts]))
        around.discard(id(item))
        places[id(item)] = len(flat)
        flat.append((kind, content))
    return flat


def pickled(root: Any) -> tuple[Any, ...]:
    """What pickle is to do with a term or a record."""
    return (restored, (flattened(root),))


def restored(flat: Flat) -> Any:
    """What `flattened` listed.

    >>> restored(flattened((7, [8, {"a": 9}])))
    (7, [8, {'a': 9}])
    """
    built: list[Any] = []
    for kind, content in flat:
        built.append(content if kind is None else _built(kind, tuple([built[place] for place in content])))
    return built[-1]


def _built(kind: Any, parts: tuple[Any, ...]) -> Any:
    if kind is tuple:
        return parts
    if kind is list:
        return list(parts)
    if kind is dict:
        return dict(zip(parts[::2], parts[1::2], strict=True))
    # A term in normal form may order its parts by the numbers of variables, which are others here.
    return kind.assemble(parts) if issubclass(kind, Term) else kind._of_parts(parts)


def _reduced(variable: Any) -> Any:
    """A variable of ours pickles as one that occurs nowhere else, the same for all its places in one pickle.

    One with a name of its own (`unification.var("x")`) is found by that name.
    """
    token = variable.token
    if type(variable) is Shown:
        return (shown, (token,))
    if not isinstance(token, int):
        return (Var, (token,))
    note = note_of(variable)
    return (fresh_noted, (note,)) if note else (fresh, ())


for _kind in VARIABLES:
    copyreg.pickle(_kind, _reduced)
