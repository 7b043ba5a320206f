"""The universe in which answers are asked for: how large ranks and extents may be, and which dtypes there are.

Without any bound, answers are symbolic: what is open stays open, with its constraints. With a bound, what has
finitely many values is given values; with `ground`, everything is, even if that has no end: then dtypes are the common
ones and tuples of unknown arity have at most `ARITY` fields, unless the bounds say otherwise. Extents of a bounded
universe are 1 and more unless `min_dim` says 0 (tensors without elements). The types of a universe are its tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from unification import Var

from ..errors import RelayLogicError
from ..logic.numbers import UNKNOWN
from ..logic.state import Work
from ..logic.terms import Cons, Term, fresh_list
from .dtypes import normal_dtype
from .table import GRAPHS
from .terms import FuncType, RefType, TensorType, TupleType, TypeCall

__all__ = ["ARITY", "DTYPES", "Universe", "UniverseError"]

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bfloat16"),
)
"""The dtypes of a ground universe that names none."""
ARITY = 4
"""The most fields of a tuple of unknown arity in a ground universe that does not say how many."""

_ELEMENT = {"shape": "dim", "types": "type"}


class UniverseError(RelayLogicError):
    """A bound that bounds nothing: a negative rank, a dtype that there is not."""


@dataclass(frozen=True)
class _Rest:
    """The kind of a list of some `kind` that comes after `used` elements of the whole."""

    kind: Any
    used: int


def _whole(kind: Any) -> tuple[Any, int]:
    return (kind.kind, kind.used) if type(kind) is _Rest else (kind, 0)


def _element(kind: Any) -> Any:
    kind, _ = _whole(kind)
    return _ELEMENT.get(kind, "dim" if kind is None else kind)


@dataclass(frozen=True)
class Universe:
    """Bounds on the values of variables; None: no bound."""

    max_rank: int | None = None
    max_dim: int | None = None
    dtypes: tuple[str, ...] | None = None
    ground: bool = False
    min_dim: int = 1
    max_arity: int | None = None
    max_attr: int | None = None
    max_attr_length: int | None = None

    @classmethod
    def of(cls, *, dtypes: Sequence[str] | None = None, **bounds: Any) -> Universe:
        """The universe of these bounds. Raises UniverseError for one that makes no sense."""
        for name in ("max_rank", "max_dim", "min_dim", "max_arity", "max_attr", "max_attr_length"):
            bound = bounds.get(name)
            if bound is not None and (type(bound) is not int or bound < 0):
                raise UniverseError(f"`{name}` is a natural number, not {bound!r}")
        if dtypes is None:
            return cls(**bounds)
        if isinstance(dtypes, str):
            raise UniverseError(f'`dtypes` is a list of dtypes: ["{dtypes}"], not "{dtypes}"')
        dtypes = list(dtypes) if isinstance(dtypes, Iterable) else [dtypes]
        if not all(isinstance(dtype, str) for dtype in dtypes):
            raise UniverseError(f"`dtypes` is a list of the names of dtypes, not {dtypes!r:.60}")
        try:
            named = tuple(dict.fromkeys(normal_dtype(dtype) for dtype in dtypes))
        except ValueError as problem:
            raise UniverseError(str(problem)) from None
        return cls(dtypes=named, **bounds)

    @property
    def symbolic(self) -> bool:
        """Whether nothing is given a value."""
        bounds = (self.max_rank, self.max_dim, self.dtypes, self.max_arity, self.max_attr)
        return not self.ground and all(bound is None for bound in bounds)

    def open(self, terms: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        """The variables in terms of known kinds, with their kinds, in order of occurrence."""
        found: dict[Any, Any] = {}
        stack = list(terms)[::-1]
        seen: set[Any] = set()
        while stack:
            term, kind = stack.pop()
            if type(term) is Var:
                known = found.get(term)
                # The end of two lists is bounded by the longer one, a number by being an extent too.
                if known is None or _whole(kind)[1] > _whole(known)[1] or (kind == "dim" and known == "number"):
                    found[term] = kind
            elif type(term) is tuple:
                inner = _element(kind)
                stack.extend((item, inner) for item in reversed(term) if type(item) is not int)
            elif isinstance(term, Term) and not term.ground:
                if type(term) in GRAPHS:
                    if term in seen:
                        continue
                    seen.add(term)
                stack.extend(reversed(_pieces(term, kind)))
        return found

    def admits(self, term: Any, kind: Any) -> bool:
        """Whether a term lies in the universe, as far as it is known."""
        if self.symbolic:
            return True
        stack = [(term, kind)]
        seen: set[Any] = set()
        while stack:
            item, kind = stack.pop()
            kind_of = type(item)
            if kind_of is int:
                if item < self.min_dim or (self.max_dim is not None and item > self.max_dim):
                    if kind not in ("number", "value"):
                        return False
            elif kind_of is tuple:
                if self._too_long(item, kind):
                    return False
                inner = _element(kind)
                stack.extend((part, inner) for part in item)
            elif kind_of is str:
                if kind == "dtype" and self.dtypes is not None and item not in self.dtypes:
                    return False
            elif kind_of is Cons:
                if self._too_long(item.prefix, kind):
                    return False
                stack.extend(_pieces(item, kind))
            elif isinstance(item, Term) and item is not UNKNOWN:
                if kind_of in GRAPHS:
                    if item in seen:
                        continue
                    seen.add(item)
                stack.extend(_pieces(item, kind))
        return True

    def _too_long(self, items: tuple[Any, ...], kind: Any) -> bool:
        kind, used = _whole(kind)
        most = {"shape": self.max_rank, "types": self.max_arity}.get(kind)
        return most is not None and used + len(items) > most

    def narrow(self, variable: Any, kind: Any, work: Work) -> bool:
        """Extents lie between the bounds."""
        return self.symbolic or kind != "dim" or work.narrow(variable, self.min_dim, self.max_dim)

    def labels(self, kind: Any, low: int, high: int | None) -> bool:
        """Whether variables of a kind are given values."""
        if self.symbolic:
            return False
        if kind in ("dim", "number"):
            return self.ground or high is not None
        if kind == "value":
            return high is not None
        if kind == "dtype":
            return self.ground or self.dtypes is not None
        if _whole(kind)[0] == "shape":
            return self.ground or self.max_rank is not None
        if _whole(kind)[0] == "types":
            return self.ground or self.max_arity is not None
        return kind == "type" and (self.ground or self.max_rank is not None)

    def values(self, kind: Any) -> Iterable[Any] | None:
        """The values of a kind that is no number: shapes by rank, tuples by arity, dtypes, the open tensor type."""
        if kind == "dtype":
            return DTYPES if self.dtypes is None else self.dtypes
        whole, used = _whole(kind)
        if whole == "shape":
            if self.max_rank is None:
                return (fresh_list(rank) for rank in count())
            return [fresh_list(rank) for rank in range(self.max_rank - used + 1)]
        if whole == "types":
            most = ARITY if self.max_arity is None else self.max_arity
            return [fresh_list(arity) for arity in range(most - used + 1)]
        return [TensorType(*fresh_list(2))] if kind == "type" else None

    def is_number(self, kind: Any) -> bool:
        """Whether variables of the kind are numbers."""
        return kind in ("dim", "number", "value")

    def is_list(self, kind: Any) -> bool:
        """Whether variables of the kind are lists whose length is chosen first."""
        return bool(kind == "type" or _whole(kind)[0] in _ELEMENT)

    def notes(self, labelled: Iterable[Any]) -> list[str]:
        """What the kinds that were given values are taken to be, where the bounds do not say so."""
        kinds = {_whole(kind)[0] for kind in labelled}
        notes = []
        if "type" in kinds:
            notes.append("an open type was taken to be a tensor: tuples, functions and data types were not tried")
        if "types" in kinds and self.max_arity is None:
            notes.append(f"tuples of unknown arity were given at most {ARITY} fields: --max-arity says otherwise")
        if "dtype" in kinds and self.dtypes is None:
            notes.append(f"dtypes were taken from {', '.join(DTYPES)}: --dtypes names others")
        return notes

    def endless(self, labelled: Iterable[Any]) -> list[str]:
        """Which of the kinds that were given values without a bound there are, in words."""
        kinds = {_whole(kind)[0] for kind in labelled}
        words = {"dim": "an extent (--max-dim)", "shape": "a rank (--max-rank)", "number": "a number"}
        return [word for kind, word in words.items() if kind in kinds]


def _pieces(term: Any, kind: Any) -> list[tuple[Any, Any]]:
    """The arguments of a term with their kinds."""
    form = type(term)
    if form is TensorType:
        return [(term.shape, "shape"), (term.dtype, "dtype")]
    if form is TupleType:
        return [(term.fields, "types")]
    if form is Cons:
        whole, used = _whole(kind)
        return [*((item, _element(kind)) for item in term.prefix), (term.tail, _Rest(whole, used + len(term.prefix)))]
    if form is FuncType:
        return [(term.arg_types, "types"), (term.ret_type, "type")]
    if form is TypeCall:
        return [(term.type_args, "types")]
    if form is RefType:
        return [(term.value, "type")]
    return []
