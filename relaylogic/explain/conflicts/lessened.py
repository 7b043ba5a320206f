"""Calls of operators, asked about with less known of their types.

Representation: what is known of a type, or wanted of it, is a set of atoms: "rank", "dtype", the numbers of axes; `ALL`
if it is wanted as a whole. What a call needs of a tuple is a set of pairs: the number of a field, and an atom of that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from ...infer.sites.callsite import solve_site
from ...logic.search.search import MAX_ANSWERS
from ...logic.terms.rebuilding import canonical
from ...logic.terms.terms import Slot
from ...logic.terms.variables import fresh
from ...rulebase import Attrs, Operator, RuleBase, RuleError
from ...types import TensorType, TupleType
from .shrink import shrunk

__all__ = ["ALL", "NOTHING", "Atoms", "Question", "by_field"]

Atoms = frozenset[Any]

ALL: Atoms = frozenset(["all"])
NOTHING: Atoms = frozenset()
RANK: Atoms = frozenset(["rank"])

MOST_FIELDS = 64
"""Of a tuple of more fields, all are taken to be needed: questions about it take long."""


class Question:
    """A call of an operator, to be asked about with less known of its types, the result last.

    `unknown` are the places of what is asked for: of a node that is an argument several times, all. `depth` says how
    much is below a field of the tuple at a place.
    """

    def __init__(
        self,
        operator: Operator,
        attrs: Attrs | None,
        types: tuple[Any, ...],
        unknown: Sequence[int],
        rules: RuleBase,
        depth: Callable[[int, Any], int],
    ) -> None:
        self._operator = operator
        self._attrs = attrs
        self._types = types
        self._unknown = unknown
        self._rules = rules
        self._depth = depth

    def is_refused(self, terms: tuple[Any, ...]) -> bool:
        """Whether the call is refused where only this is known of its types."""
        solution = self._solve(terms, 1)
        return solution is not None and solution.exhausted and not solution.answers

    @property
    def whole(self) -> list[Atoms]:
        """All that is known of its types."""
        return [NOTHING if i in self._unknown else atoms_in(term) for i, term in enumerate(self._types)]

    def said(self, field: int | None, atoms: Atoms, terms: tuple[Any, ...] | None = None) -> Atoms:
        """Those of some atoms of what is asked for that the call says where only this is known of its types, or all."""
        known, found = self._compared(field, terms)
        return _agreeing(known, found, atoms)

    def saying(self, field: int | None, atoms: Atoms, order: Sequence[int]) -> list[Atoms]:
        """What must be known of each type for the call to say some atoms of what is asked for."""
        return self.needed(lambda terms: atoms <= self.said(field, atoms, terms), atoms, order)

    def telling(self, field: int | None, atoms: Atoms) -> list[Atoms] | None:
        """What must be known of each type for the call to tell those of some atoms of an argument that it does; None if
        it tells none. Of an argument that has no atoms, it may tell something."""
        known, found = self._compared(field, None)
        if atoms >= ALL and type(known) is TensorType:
            atoms = atoms_in(known)
        if atoms >= ALL:
            return None if found is None or type(found) is Slot else self.whole
        said = _agreeing(known, found, atoms)
        return self.saying(field, said, ()) if said else None

    def _compared(self, field: int | None, terms: tuple[Any, ...] | None) -> tuple[Any, Any]:
        """What is asked for as it is known, and as the call says it where only this is known of its types, or all."""
        at = self._unknown[0]
        known = _part(self._types[at], field)
        solution = self._solve(self._terms(self.whole) if terms is None else terms)
        if solution is None or solution.general is None:
            return known, None
        found = solution.general
        if self._operator.variadic:
            found = (*found[0].fields, found[-1])
        return known, _part(found[at], field)

    def _solve(self, terms: tuple[Any, ...], most: int = MAX_ANSWERS) -> Any:
        inputs = (TupleType(terms[:-1]),) if self._operator.variadic else terms[:-1]
        asked = canonical((*inputs, terms[-1]), {})
        try:
            return solve_site(self._rules, self._operator.relation, asked, self._attrs, most=most, by_rows=True)
        except RuleError:
            return None

    def needed(self, holds: Callable[[tuple[Any, ...]], bool], wanted: Atoms, order: Sequence[int]) -> list[Atoms]:
        """What must be known of each type so that something holds; small guesses come first, in an order."""
        whole = self.whole
        for guess in _guesses(whole, wanted, order):
            if holds(self._terms(guess)):
                return guess
        if not holds(self._terms(whole)):
            return whole
        known = whole
        for fewer in _smaller(whole):
            tried = [a & b for a, b in zip(known, fewer, strict=True)]
            if tried != known and holds(self._terms(tried)):
                known = tried
        for out in reversed(range(len(known))):
            if known[out]:
                known = self._less(known, out, holds)
        return known

    def _less(self, known: list[Atoms], out: int, holds: Callable[[tuple[Any, ...]], bool]) -> list[Atoms]:
        """Less of one type: its axes one by one, many at once as long as that goes well."""

        def without(atoms: Iterable[Any]) -> list[Atoms]:
            return [frozenset(atoms) if i == out else other for i, other in enumerate(known)]

        def of_fields(some: Collection[Any]) -> list[Any]:
            return [pair for pair in known[out] if pair[0] in some]

        if type(self._types[out]) is TupleType and not known[out] >= ALL:
            fields = self._fields(out, known[out], lambda some: holds(self._terms(without(of_fields(some)))))
            parts = sorted(of_fields(fields), key=str)
            return without(shrunk(parts, lambda some: holds(self._terms(without(some)))))
        axes = sorted(known[out] - RANK - {"dtype", "all"})
        others = known[out].difference(axes)
        if "dtype" in others and holds(self._terms(without(known[out] - {"dtype"}))):
            others -= {"dtype"}
        left = others.union(shrunk(axes, lambda some: holds(self._terms(without(others.union(some))))))
        return without(NOTHING if len(left) == 1 and holds(self._terms(without(NOTHING))) else left)

    def _fields(self, place: int, atoms: Atoms, holds: Callable[[Collection[Any]], bool]) -> list[Any]:
        """The fields that are needed of the tuple at a place: no deep ones, and such as are about as deep, since one
        is likely to rest on the other."""
        depths = {field: self._depth(place, field) for field in sorted({field for field, _ in atoms})}
        fields = shrunk(sorted(depths, key=lambda field: (-depths[field], field)), holds)
        if len(fields) > 1:
            most = max(map(depths.__getitem__, fields))
            as_deep = [field for field in depths if depths[field] <= most]
            fields = shrunk(sorted(as_deep, key=lambda field: (depths[field], field)), holds)
        return fields

    def _terms(self, known: Sequence[Atoms]) -> tuple[Any, ...]:
        asked = fresh()
        return tuple(
            asked if i in self._unknown else _partly(term, atoms)
            for i, (term, atoms) in enumerate(zip(self._types, known, strict=True))
        )


def _guesses(whole: Sequence[Atoms], wanted: Atoms, order: Sequence[int]) -> Iterator[list[Atoms]]:
    """Where what is wanted of a result may come from: the call alone, the same of one argument, the rank of others."""
    yield [NOTHING] * len(whole)
    if wanted and not wanted >= ALL:
        for others in (NOTHING, RANK):
            for i in order:
                if wanted <= whole[i]:
                    yield [wanted | RANK if i == j else others & atoms for j, atoms in enumerate(whole)]


def _smaller(whole: Sequence[Atoms]) -> Iterator[list[Atoms]]:
    """Some arguments less: each is to be left out if that does no harm."""
    count = len(whole)
    if count > 1:
        yield [atoms if i == 0 else NOTHING for i, atoms in enumerate(whole)]
    for out in reversed(range(count)):
        yield [atoms if i != out else NOTHING for i, atoms in enumerate(whole)]


def atoms_in(term: Any) -> Atoms:
    if type(term) is TensorType and type(term.shape) is tuple:
        return frozenset(["rank", "dtype", *range(len(term.shape))])
    if type(term) is TupleType and type(term.fields) is tuple and len(term.fields) <= MOST_FIELDS:
        of_fields = [atoms_in(field) if type(field) is TensorType else ALL for field in term.fields]
        if of_fields and ALL not in of_fields:
            return frozenset([(i, atom) for i, atoms in enumerate(of_fields) for atom in atoms])
    return ALL


def by_field(atoms: Atoms) -> dict[int | None, Atoms]:
    """Atoms of the fields of a tuple, by the fields; those of anything else are of none."""
    found: dict[int | None, set[Any]] = {}
    for atom in atoms:
        field, own = atom if type(atom) is tuple else (None, atom)
        found.setdefault(field, set()).add(own)
    return {field: frozenset(own) for field, own in found.items()}


def _partly(term: Any, atoms: Atoms) -> Any:
    """What is known of a term if only some of its atoms are."""
    if atoms >= ALL or not atoms:
        return term if atoms else fresh()
    if type(term) is TupleType:
        own = by_field(atoms)
        return TupleType(tuple([_partly(field, own.get(i, NOTHING)) for i, field in enumerate(term.fields)]))
    shape: Any = fresh()
    if atoms - {"dtype"}:
        shape = tuple(extent if axis in atoms else fresh() for axis, extent in enumerate(term.shape))
    return TensorType(shape, term.dtype if "dtype" in atoms else fresh())


def _agreeing(known: Any, found: Any, atoms: Atoms) -> Atoms:
    """Those of some atoms of what is known that is found has."""
    if known == found:
        return atoms
    if atoms >= ALL or type(found) is not TensorType or type(known) is not TensorType:
        return NOTHING
    agreeing = atoms & {"dtype"} if known.dtype == found.dtype else NOTHING
    if type(found.shape) is not tuple or len(found.shape) != len(known.shape):
        return agreeing
    axes = (axis for axis in atoms if type(axis) is int and known.shape[axis] == found.shape[axis])
    return agreeing.union(atoms & RANK, axes)


def _part(type_: Any, field: int | None) -> Any:
    """A type, or the type of one field of a tuple."""
    fields = getattr(type_, "fields", None) if type(type_) is TupleType else None
    return fields[field] if field is not None and type(fields) is tuple and 0 <= field < len(fields) else type_
