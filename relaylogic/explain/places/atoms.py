"""The atoms of types: the smallest parts that can be known on their own, or asked about.

An atom is a path into a type: `("dtype",)`, `("rank",)` and `("shape", 1)` of a tensor, `("fields", 0, "dtype")` of the
first field of a tuple, `("args", 1, ...)` and `("result", ...)` of a function; `()` is a type as a whole, where nothing
smaller is to be known. That there are so many fields is the atom `("fields",)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from ...logic.terms.terms import Cons, cons, is_ground
from ...logic.terms.variables import fresh
from ...rulebase.specialised.compiled import EVERY, Alike, Taken
from ...types import FuncType, TensorType, TupleType, show_dimension, show_shape, show_type
from ...types.terms import Type

__all__ = [
    "MISSING",
    "WHOLE",
    "Atom",
    "Atoms",
    "alike_in",
    "atoms_of",
    "dtype_at",
    "has",
    "part_of",
    "partly",
    "path_of",
    "show_part",
    "with_dtype",
]

Atom = tuple[Any, ...]
Atoms = frozenset[Atom]

WHOLE: Atom = ()
MISSING = object()
"""What is no part of a type."""

_DEPTH = 2
"""Tuples and functions within each other are taken apart so far."""

_STEP = re.compile(
    r"\.?(?:(?P<name>dtype|rank|result)|(?P<list>shape|fields|args)(?:\[(?P<at>\d{1,9})\])?|(?P<field>\d{1,9}))"
)


def atoms_of(term: Any, depth: int = _DEPTH) -> Atoms:
    """The atoms of a type that are known; what is open in it has none."""
    kind = type(term)
    if kind is TensorType:
        return _of_tensor(term)
    if not isinstance(term, Type):
        return frozenset()
    parts = _parts(term) if depth else None
    if parts is None:
        return frozenset([WHOLE]) if is_ground(term) else frozenset()
    inside: list[Atom] = [("fields",) if kind is TupleType else ("args",)]
    for step, part in parts:
        inside += [step + atom for atom in atoms_of(part, depth - 1)]
    return frozenset(inside)


def _of_tensor(term: Any) -> Atoms:
    shape, dtype = term.args
    if type(shape) is tuple and term.ground and len(shape) < len(_OF_KNOWN):
        return _OF_KNOWN[len(shape)]
    found: set[Atom] = {("dtype",)} if is_ground(dtype) else set()
    if type(shape) is tuple:
        found.add(("rank",))
    extents = _first(shape)
    return frozenset(found) | _of_axes(i for i, extent in enumerate(extents) if is_ground(extent))


def _of_axes(axes: Iterable[int]) -> Atoms:
    return frozenset(("shape", axis) for axis in axes)


_OF_KNOWN = tuple([_of_axes(range(rank)) | {("rank",), ("dtype",)} for rank in range(8)])
"""The atoms of a tensor of which all is known, by its rank."""


def _parts(term: Any) -> list[tuple[Atom, Any]] | None:
    """The types that a type is made of, with where they are; None if it cannot be taken apart."""
    if type(term) is TupleType and type(term.fields) is tuple:
        return [(("fields", i), part) for i, part in enumerate(term.fields)]
    if type(term) is FuncType and not term.type_params and not term.type_constraints:
        return [*((("args", i), part) for i, part in enumerate(term.arg_types)), (("result",), term.ret_type)]
    return None


def part_of(term: Any, path: Atom) -> Any:
    """What an atom of a type is: a type, a shape, an extent, a dtype, or a number of parts; MISSING if it has none."""
    steps = list(reversed(path))
    while steps:
        step, kind = steps.pop(), type(term)
        if step in ("dtype", "rank", "shape") and kind is TensorType:
            shape = term.shape
            if step == "dtype":
                term = term.dtype
            elif step == "rank":
                term = len(shape) if type(shape) is tuple else MISSING
            else:
                term = shape if not steps else _at(shape, steps.pop())
        elif step == "fields" and kind is TupleType:
            fields = term.fields
            term = _at(fields, steps.pop()) if steps else len(fields) if type(fields) is tuple else MISSING
        elif step == "args" and kind is FuncType:
            term = _at(term.arg_types, steps.pop()) if steps else len(term.arg_types)
        elif step == "result" and kind is FuncType:
            term = term.ret_type
        else:
            return MISSING
    return term


def alike_in(known: Any, taken: Taken) -> tuple[tuple[int, ...], ...]:
    """The fields of what a call takes of which it says that they have a dtype, if it says so of such a type."""
    _, field, count = taken
    if not count:
        return (field,)
    fields = part_of(known, ("fields",))
    if field == EVERY:
        return tuple([(i,) for i in range(fields)]) if type(fields) is int and fields <= count else ()
    return (field,) if fields == count else ()


def with_dtype(dtype: str, types: Sequence[Any], groups: Iterable[Alike]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The inputs of a call, and the fields of these, that have a known dtype, and that of the result whatever else is
    known of the call: by their types, and what is said of the operator (`RuleBase.alike`)."""
    for given, every in groups:
        for taken in every if () in given else ():
            known = types[taken[0]] if taken[0] < len(types) else None
            for field in alike_in(known, taken):
                if dtype_at(known, field) == dtype:
                    yield taken[0], field


def dtype_at(known: Any, field: Iterable[int]) -> Any:
    """The dtype of a tensor, or of that in a field of a tuple; MISSING if there is none."""
    return part_of(known, (*[step for i in field for step in ("fields", i)], "dtype"))


def _at(items: Any, index: int) -> Any:
    known = _first(items)
    return known[index] if index < len(known) else MISSING


def _first(items: Any) -> tuple[Any, ...]:
    """The elements of a list, or the first ones that are known of one that goes on."""
    if type(items) is tuple:
        return items
    return items.prefix if type(items) is Cons else ()


def has(known: Any, found: Any, atoms: Collection[Atom], same: Callable[[Any, Any], bool] | None = None) -> bool:
    """Whether what is found has these atoms of what is known; `same` compares them, if they need not be equal."""
    if known is found:
        return True
    for atom in atoms:
        left, right = part_of(known, atom), part_of(found, atom)
        if left is MISSING or right is MISSING:
            return False
        if left is not right and left != right and (same is None or not same(left, right)):
            return False
    return True


def partly(term: Any, atoms: Collection[Atom]) -> Any:
    """A type of which only some atoms are known."""
    if WHOLE in atoms:
        return term
    if not atoms:
        return fresh()
    if type(term) is TensorType:
        shape: Any = fresh()
        if any(atom[0] != "dtype" for atom in atoms):
            shape = tuple(e if ("shape", i) in atoms else fresh() for i, e in enumerate(_first(term.shape)))
            shape = shape if type(term.shape) is tuple else cons(shape, fresh())
        return TensorType(shape, term.dtype if ("dtype",) in atoms else fresh())
    inner: dict[Atom, list[Atom]] = {}
    for atom in atoms:
        size = 1 if atom[0] == "result" else 2
        inner.setdefault(atom[:size], []).append(atom[size:])
    if type(term) is TupleType:
        return TupleType(tuple(partly(f, inner.get(("fields", i), ())) for i, f in enumerate(term.fields)))
    if type(term) is FuncType:
        arguments = tuple(partly(a, inner.get(("args", i), ())) for i, a in enumerate(term.arg_types))
        return FuncType(arguments, partly(term.ret_type, inner.get(("result",), ())))
    return term


def path_of(text: str) -> Atom:
    """The path that a text says: `shape[1]`, `dtype`, `.0.shape`, `fields[0].rank`, `result.shape[0]`.

    Raises ValueError.
    """
    found: list[Any] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None or (at and text[at] != "."):
            raise ValueError(f"{text!r:.60} is no part of a type; dtype, rank, shape[1], .0.dtype, args[0], result are")
        at = step.end()
        if step["field"] is not None:
            found += ["fields", int(step["field"])]
        else:
            found += [step["name"] or step["list"], *([int(step["at"])] if step["at"] is not None else [])]
    return tuple(found)


def show_part(value: Any) -> str:
    """A part of a type as text."""
    if type(value) in (tuple, Cons):
        return show_shape(value)
    return show_type(value) if isinstance(value, Type) else show_dimension(value)
