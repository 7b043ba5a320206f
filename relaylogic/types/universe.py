"""The universe in which answers are asked for: how large ranks and extents may be, and which dtypes there are.

Without any bound, answers are symbolic: what is open stays open, with its constraints. With a bound, what has
finitely many values is given values; with `ground`, everything is, even if that has no end: then dtypes are the common
ones and tuples of unknown arity have at most `ARITY` fields, unless the bounds say otherwise. Extents of a bounded
universe are 1 and more unless `min_dim` says 0 (tensors without elements), or more than 1, which is a bound of its own.

An open type is a tensor, and what else is asked for: a tuple, a function, a data type of the program. Of these at most
`nesting` tuples, `nesting` functions and `data_depth` data types stand within each other (`nesting`), so there are
finitely many forms; and none of what is asked for is admitted beyond that. Other forms are admitted where a program
or a rule says so; they are not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import index
from typing import Any

from ..errors import RelayLogicError, enumerated, said
from ..host.once import cached_property
from ..logic.constraints.unseen import MOST
from ..logic.states.work import Work
from ..logic.terms.numbers import UNKNOWN
from ..logic.terms.terms import LEAVES, Cons, Slot, Term
from ..logic.terms.variables import VARIABLES, fresh, fresh_list
from .dtypes import normal_dtype
from .nesting import Inside, Rest, element, length_left, meet, whole
from .possible import is_tensor
from .table import GRAPHS
from .terms import STORAGE, FuncType, RefType, TensorType, TupleType, TypeCall

__all__ = ["ARITY", "DTYPES", "Universe", "UniverseError", "check_number", "check_numbers"]

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bfloat16"),
)
"""The dtypes of a ground universe that names none."""
ARITY = 4
"""The most fields of a tuple of unknown arity in a ground universe that does not say how many."""

_NOTHING: Mapping[Any, Any] = {}
_NUMBERS = ("max_rank", "max_dim", "max_arity", "max_attr", "tuples", "functions", "data_depth")
"""The bounds that make a universe bounded."""
_KINDS = {"Shape": "shape", "ShapeVar": "dim", "BaseType": "dtype"}


class UniverseError(RelayLogicError):
    """A bound that bounds nothing: a negative rank, a dtype that there is not."""


def check_numbers(**numbers: Any) -> None:
    """Raise UniverseError for a bound that is no natural number; None is no bound."""
    for name, bound in numbers.items():
        if bound is not None:
            check_number(name, bound)


def check_number(name: str, number: Any) -> None:
    """Raise UniverseError for what is no natural number; an integer of another library, as numpy has them, may be."""
    try:
        is_natural = not isinstance(number, bool) and index(number) >= 0
    except TypeError:
        is_natural = False
    if not is_natural:
        raise UniverseError(f"`{name}` is a natural number, not {said(number)}")


@dataclass(frozen=True)
class Universe:
    """Bounds on the values of variables; None: no bound.

    `tuples`: open types may be tuples of so many fields at most; `functions`: functions of so many parameters;
    `data_depth`: those of the data types `data` (their handles, with the kinds of their parameters).
    """

    max_rank: int | None = None
    max_dim: int | None = None
    dtypes: tuple[str, ...] | None = None
    ground: bool = False
    min_dim: int = 1
    max_arity: int | None = None
    tuples: int | None = None
    functions: int | None = None
    data_depth: int | None = None
    nesting: int = 1
    data: tuple[tuple[Any, tuple[str, ...]], ...] = ()
    max_attr: int | None = None
    max_attr_length: int | None = None

    @classmethod
    def of(cls, *, dtypes: Sequence[str] | None = None, **bounds: Any) -> Universe:
        """The universe of these bounds. Raises UniverseError for one that makes no sense."""
        numbers = {name: bounds.get(name) for name in (*_NUMBERS, "max_attr_length", "min_dim", "nesting")}
        check_numbers(**numbers)
        bounds |= {name: index(number) for name, number in numbers.items() if number is not None}
        if dtypes is None:
            return cls(**bounds)
        if isinstance(dtypes, str):
            raise UniverseError(f'`dtypes` is a list of dtypes: ["{dtypes}"], not "{dtypes}"')
        dtypes = list(dtypes) if isinstance(dtypes, Iterable) else [dtypes]
        if not all(isinstance(dtype, str) for dtype in dtypes):
            raise UniverseError(f"`dtypes` is a list of the names of dtypes, not {said(dtypes)}")
        try:
            named = tuple(dict.fromkeys(normal_dtype(dtype) for dtype in dtypes))
        except ValueError as problem:
            raise UniverseError(str(problem)) from None
        return cls(dtypes=named, **bounds)

    @cached_property
    def symbolic(self) -> bool:
        """Whether nothing is bounded or given a value."""
        bounded = self.dtypes is not None or self.min_dim > 1
        return not self.ground and not bounded and all(getattr(self, name) is None for name in _NUMBERS)

    @cached_property
    def _forms(self) -> Inside | None:
        """The kind of a whole type, if more than tensors is asked for."""
        if all(most is None for most in (self.tuples, self.functions, self.data_depth)):
            return None
        tuples, functions = (None if most is None else self.nesting for most in (self.tuples, self.functions))
        return Inside("type", self.data_depth, tuples, functions)

    def _kind(self, kind: Any) -> Any:
        """The kind of a type as this universe bounds it."""
        return self._forms or kind if kind == "type" else kind

    def _bounded(self, terms: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Terms with their kinds as this universe bounds them."""
        return list(terms) if self._forms is None else [(term, self._kind(kind)) for term, kind in terms]

    @cached_property
    def _parameters(self) -> dict[Any, tuple[str, ...]]:
        return dict(self.data)

    def open(self, terms: Iterable[tuple[Any, Any]], bindings: Mapping[Any, Any] = _NOTHING) -> dict[Any, Any]:
        """The variables in terms of known kinds, with what `bindings` say put in, with their kinds, in order of
        occurrence."""
        found: dict[Any, Any] = {}
        stack = self._bounded(terms)[::-1]
        seen: set[Any] = set()
        while stack:
            term, kind = stack.pop()
            while type(term) in VARIABLES:
                value = bindings.get(term, term)
                if value is term:
                    found[term] = meet(found[term], kind) if term in found else kind
                    break
                term = value
            form = type(term)
            if form is tuple:
                inner = element(kind)
                stack += [(item, inner) for item in term[::-1] if type(item) is not int]
            elif form is TensorType:  # as most are
                if not term.ground:
                    shape, dtype = term.args
                    stack += [(dtype, "dtype"), (shape, "shape")] if type(dtype) is not str else [(shape, "shape")]
            elif form not in LEAVES and isinstance(term, Term) and not term.ground:
                if form in GRAPHS:
                    if (term, kind) in seen:
                        continue
                    seen.add((term, kind))
                stack.extend(reversed(self._pieces(term, kind)))
        return found

    def admits(self, terms: Iterable[tuple[Any, Any]], seen: set[Any] | None = None) -> bool:
        """Whether terms lie in the universe, as far as they are known; what holds no types does so without any bound.

        `seen` is for terms that share their parts: what was looked at before, if all of that lies in the universe.
        """
        symbolic = self.symbolic
        stack = self._bounded(terms)
        seen = set() if seen is None else seen
        while stack:
            item, kind = stack.pop()
            kind_of = type(item)
            if type(kind) is Inside and kind.is_full:
                return False
            if kind_of in VARIABLES or kind_of is Slot:
                continue
            if kind_of is TensorType:
                if (item, kind) in seen:
                    continue
                if not is_tensor(item):
                    return False
                seen.add((item, kind))
                if not symbolic and not self._admits_known(item):
                    stack.extend(self._pieces(item, kind))
            elif kind_of is int:
                if symbolic:
                    continue
                if item < self.min_dim or (self.max_dim is not None and item > self.max_dim):
                    if whole(kind)[0] not in ("number", "value", "type"):
                        return False
            elif kind_of is tuple:
                if self._too_long(item, kind):
                    return False
                inner = element(kind)
                stack += [(part, inner) for part in item]
            elif kind_of is str:
                if kind == "dtype" and self.dtypes is not None and item not in self.dtypes:
                    return False
            elif kind_of is Cons:
                if self._too_long(item.prefix, kind):
                    return False
                stack.extend(self._pieces(item, kind))
            elif isinstance(item, Term) and item is not UNKNOWN:
                if kind_of in GRAPHS:
                    if (item, kind) in seen:
                        continue
                    seen.add((item, kind))
                stack.extend(self._pieces(item, kind))
        return True

    def _admits_known(self, tensor: TensorType) -> bool:
        """Whether the shape of a tensor type has a length that lies in the universe, and its extents and dtype do so as
        far as they are known."""
        shape, dtype = tensor.args
        if type(shape) is not tuple or (self.max_rank is not None and len(shape) > self.max_rank):
            return False
        if self.dtypes is not None and type(dtype) is str and dtype not in self.dtypes:
            return False
        low, high = self.min_dim, self.max_dim
        for extent in shape:
            if type(extent) is int and (extent < low or (high is not None and extent > high)):
                return False
        return True

    def longest(self, kind: Any) -> int | None:
        """How long a list of a kind may be; None: as long as it will."""
        return length_left(kind, {"shape": self.max_rank, "types": self.max_arity}.get(whole(kind)[0]))

    def _too_long(self, items: tuple[Any, ...], kind: Any) -> bool:
        most = self.longest(kind)
        return most is not None and len(items) > most

    def _pieces(self, term: Any, kind: Any) -> list[tuple[Any, Any]]:
        """The arguments of a term with their kinds."""
        form = type(term)
        if form is TensorType:
            return [(term.shape, "shape"), (term.dtype, "dtype")]
        if form is Cons:
            used = kind.used if type(kind) is Rest else 0
            rest = Rest(kind.kind if type(kind) is Rest else kind, used + len(term.prefix))
            return [*((item, element(kind)) for item in term.prefix), (term.tail, rest)]
        bounded = type(kind) is Inside
        if form is TupleType:
            return [(term.fields, kind.below("tuples", "types", self.tuples) if bounded else "types")]
        if form is FuncType:
            given = kind.below("functions", "types", self.functions) if bounded else "types"
            return [(term.arg_types, given), (term.ret_type, element(given))]
        if form is TypeCall:
            given = kind.below("data", "types") if bounded else "types"
            kinds = self._parameters.get(term.func)
            if kinds is None or type(term.type_args) is not tuple:
                return [(term.func, "handle"), (term.type_args, given)]
            inner = {**_KINDS, "Type": element(given)}
            pieces = [(argument, inner[kind]) for argument, kind in zip(term.type_args, kinds, strict=False)]
            # Without arguments, there is still one data type more around what is inside.
            return [*pieces, ((), given)]
        if form is RefType:
            return [(term.value, kind)]
        return []

    def narrow(self, variable: Any, kind: Any, work: Work) -> bool:
        """Extents lie between the bounds."""
        return self.symbolic or kind != "dim" or work.narrow(variable, self.min_dim, self.max_dim)

    def labels(self, kind: Any, low: int, high: int | None) -> bool:
        """Whether variables of a kind are given values: which data type it is, always, as nothing else could say it."""
        if kind == "handle":
            return True
        if self.symbolic:
            return False
        if kind in ("dim", "number"):
            return self.ground or high is not None
        if kind == "value":
            return high is not None
        if kind == "dtype":
            return self.ground or self.dtypes is not None
        name, _ = whole(kind)
        if name in ("shape", "types"):
            return self.ground or self.longest(kind) is not None
        return name == "type" and (self.ground or self.max_rank is not None or self._forms is not None)

    def values(self, kind: Any) -> Iterable[Any]:
        """The values of a kind that is no number: lists by length, dtypes, data types, forms of types, which are open.

        They are made one by one: a bound may be larger than what anybody could list.
        """
        if kind == "dtype":
            return DTYPES if self.dtypes is None else self.dtypes
        if kind == "handle":
            return self._handles
        name, _ = whole(kind)
        if name in ("shape", "types"):
            if self.goes_on(kind):
                return map(fresh_list, count())
            most = self.longest(kind)
            return map(fresh_list, range(1 + ((length_left(kind, ARITY) or 0) if most is None else most)))
        return self._types(self._kind(kind)) if name == "type" else ()

    @property
    def _handles(self) -> Iterator[Any]:
        """The handles of the data types that there are, with TVM's own where none is called so."""
        yield from self._parameters
        if all(handle.name_hint != STORAGE.name_hint for handle in self._parameters):
            yield STORAGE

    def goes_on(self, kind: Any) -> bool:
        """Whether the values of a kind that is no number have no last one."""
        return whole(kind)[0] == "shape" and self.longest(kind) is None

    def _types(self, kind: Any) -> Iterator[Any]:
        """The forms of a type, smallest first."""
        yield TensorType(*fresh_list(2))
        if type(kind) is not Inside:
            return
        if kind.tuples:
            yield from (TupleType(fresh_list(arity)) for arity in range((self.tuples or 0) + 1))
        if kind.data:
            yield from (TypeCall(handle, fresh_list(len(kinds))) for handle, kinds in self.data)
        if kind.functions:
            yield from (FuncType(fresh_list(arity), fresh()) for arity in range((self.functions or 0) + 1))

    def is_number(self, kind: Any) -> bool:
        """Whether variables of the kind are numbers."""
        return kind in ("dim", "number", "value")

    def is_list(self, kind: Any) -> bool:
        """Whether variables of the kind are lists whose length is chosen first."""
        return whole(kind)[0] in ("type", "shape", "types")

    def is_row(self, kind: Any) -> bool:
        """Whether the values of the kind are lists."""
        return whole(kind)[0] in ("shape", "types")

    def notes(self, labelled: Iterable[Any]) -> list[str]:
        """What the kinds that were given values are taken to be, where the bounds do not say so."""
        labelled = list(labelled)
        kinds = {whole(kind)[0] for kind in labelled}
        notes: list[str] = []
        if "type" in kinds:
            notes.append(self._not_tried())
        if any(whole(kind)[0] == "types" and self.longest(kind) is None for kind in labelled):
            notes.append(f"tuples of unknown arity were given at most {ARITY} fields: --max-arity says otherwise")
        if "value" in kinds and self.ground and self.max_attr is None:
            notes.append(f"attributes were given numbers up to {MOST}: --max-attr says otherwise")
        if "dtype" in kinds and self.dtypes is None:
            notes.append(f"dtypes were taken from {', '.join(DTYPES)}: --dtypes names others")
        return notes

    def _not_tried(self) -> str:
        """That an open type was not taken to be of all forms that there are."""
        asked = {"tuple": self.tuples, "function": self.functions, "data type": self.data_depth}
        left = [f"{form}s" for form, most in asked.items() if most is None] or ["references"]
        tried = ["a tensor", *(f"a {form}" for form, most in asked.items() if most is not None)]
        return f"an open type was taken to be {enumerated(tried, 'or')}: {enumerated(left, 'and')} were not tried"

    def endless(self, labelled: Iterable[Any]) -> list[str]:
        """Which of the kinds that were given values without a bound there are, in words."""
        kinds = {whole(kind)[0] for kind in labelled}
        words = {"dim": "an extent (--max-dim)", "shape": "a rank (--max-rank)", "number": "a number"}
        return [word for kind, word in words.items() if kind in kinds]
