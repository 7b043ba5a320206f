"""Mends: what might be meant at a place instead of what stands there, and whether the program is right with it.

A mend is known by the type that stands at the place then: an annotation with another extent, what a call gives with
another attribute or with two arguments exchanged. Unlike a place that is left open, a mended one says all that a right
one says; so what is refused with it is wrong for other reasons, or is an echo of a fault elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from ..infer.repairs import exchanges, result_of
from ..ir import Constant, Op, Tuple, TupleGetItem
from ..logic.terms import Cons, fresh
from ..logic.variables import VARIABLES
from ..rulebase import AttributeProblem
from ..rulebase.open_attributes import Open
from ..types import TensorType, TupleType
from .differences import compatible, denied, differences
from .edits import Edit, edits_of, known_of
from .places import Place
from .slips import applied

if TYPE_CHECKING:
    from ..infer.program import Inference
    from .conflicts import Part, Said

__all__ = ["Around", "Mend", "best_mend"]

MOST = 12
"""How many mends of one place are tried in the whole program,"""

LOOKED_AT = 60
"""of so many that are looked at."""

FEW = 4
"""How many extents are tried on one axis of an annotation."""

LOCAL = 6
"""How many attributes are tried that fit the arguments of a call, whatever the rest wants of its result."""


@dataclass(frozen=True)
class Mend:
    """What might be meant at a place: the type `type` stands there then.

    `left` are the demands that are refused then, by identity. `edit` is the change that it takes, if that is one of an
    attribute, an index or a constant; `exchanged` are the numbers of the two arguments or fields that are exchanged
    then; `parts` says of an annotation how many of its parts change.
    """

    type: Any
    left: frozenset[Any]
    edit: Edit | None = None
    parts: int = 1
    exchanged: tuple[int, int] | None = None


class _Meant(NamedTuple):
    """A type that might be meant at a place, and the change that it takes, as in a mend."""

    type: Any
    edit: Edit | None = None
    exchanged: tuple[int, int] | None = None


@dataclass(frozen=True)
class Around:
    """What may be meant instead, from the rest of the program.

    `known` are the demands that are refused as it is, by identity; `spare` the types of variables that nobody uses,
    `dtypes` those that annotations have, the usual first. `shapes` are those that the refused demand speaks of, and
    those of annotations.
    """

    known: frozenset[Any]
    spare: Sequence[Any]
    shapes: Sequence[tuple[Any, ...]]
    dtypes: Sequence[str]

    def extents(self, axis: int, rank: int) -> list[int]:
        """The extents that shapes have on an axis of a tensor, counted from the front or from the back."""
        places = [(shape, i) for shape in self.shapes for i in dict.fromkeys((axis, axis + len(shape) - rank))]
        found = (shape[i] for shape, i in places if 0 <= i < len(shape))
        return list(dict.fromkeys(extent for extent in found if type(extent) is int))


def best_mend(said: Said, place: Place, kept: Part, needed: Any, without: Inference, around: Around) -> Mend | None:
    """The mend of a place with which least is refused that was not; None if there is none that changes anything.

    `needed` is what the rest of the program wants there as `without`, in which the place says nothing, sees it.
    """
    known = around.known
    best: Mend | None = None
    supposed = said.supposing(kept)
    tried: set[Any] = set()
    for type_, edit, exchanged in islice(_meant(place, needed, without, around), LOOKED_AT):
        if type_ in tried or not getattr(type_, "ground", False):
            continue
        tried.add(type_)
        silent = set(supposed.silent) - {id(place.node)}
        mended = said.what_if(replace(supposed, holes={**supposed.holes, id(place.node): type_}, silent=silent))
        left = frozenset(site.identity for site in mended.failed())
        mend = Mend(type_, left, edit, _parts(place, type_), exchanged)
        if not known <= left and (best is None or _worth(mend, known, said) < _worth(best, known, said)):
            best = mend
        if (not left and mend.parts == 1) or len(tried) == MOST:
            break
    return best


def _worth(mend: Mend, known: frozenset[Any], said: Said) -> tuple[int, int]:
    """How bad a mend is: what comes up, then what is left; a change of one part more is as bad as a refusal more."""
    return len(mend.left - known - said.behind), len(mend.left) + mend.parts - 1


def _parts(place: Place, type_: Any) -> int:
    """How many parts of an annotation are changed."""
    if place.kind not in ("annotation", "result"):
        return 1
    return max(1, differences(place.node.ret_type if place.kind == "result" else place.node.type_annotation, type_))


def _meant(place: Place, needed: Any, without: Inference, around: Around) -> Iterator[_Meant]:
    """What might be meant at a place, likely types first; some more than once."""
    node = place.node
    if place.kind in ("annotation", "result"):
        written = node.ret_type if place.kind == "result" else node.type_annotation
        yield from map(_Meant, _annotated(written, needed, around))
    elif type(node) is Constant:
        own = node.tensor_type
        yield from (_Meant(TensorType(own.shape, edit.value.dtype), edit) for edit in edits_of(node, needed, without))
    elif type(node) is TupleGetItem:
        tuple_type = without.type_of(node.tuple_value)
        fields = tuple_type.fields if type(tuple_type) is TupleType and type(tuple_type.fields) is tuple else ()
        yield from (_Meant(field, Edit("the index", i)) for i, field in enumerate(fields) if i != node.index)
    elif type(node) is Tuple:
        parts = tuple(known_of(part, without) for part in node.fields)
        types = ((TupleType(other), pair) for pair, other in exchanges(parts) if None not in parts)
        yield from (_Meant(type_, None, pair) for type_, pair in types if compatible(type_, needed))
    elif place.kind == "call" and type(node.op) is Op:
        yield from _called(node, needed, without, around.spare)
    elif place.kind == "call":
        inputs = tuple(known_of(argument, without) for argument in node.args)
        if None not in inputs:
            wanted = fresh() if needed is None else needed
            yield from (
                _Meant(applied(node, other, wanted, without), None, pair) for pair, other in exchanges(inputs)
            )


def _annotated(written: Any, needed: Any, around: Around) -> Iterator[Any]:
    """Annotations that differ from the written one where the rest of the program says so, or where it may."""
    if getattr(needed, "ground", False):
        yield from _one_by_one(written, needed)
        yield needed
        return
    if type(written) is not TensorType or type(written.shape) is not tuple:
        return
    shape, dtype = written.shape, written.dtype
    wanted: tuple[Any, ...] = ()
    is_whole = False
    if type(needed) is TensorType:
        dtype = needed.dtype if type(needed.dtype) is str else dtype
        is_whole = type(needed.shape) is tuple
        wanted = needed.shape if is_whole else needed.shape.prefix if type(needed.shape) is Cons else ()
    if not is_whole:
        wanted += tuple(fresh() for _ in shape[len(wanted) :])
    if len(wanted) == len(shape) and denied(shape, wanted):
        meant = TensorType(tuple(a if type(b) in VARIABLES else b for a, b in zip(shape, wanted, strict=True)), dtype)
        yield from _one_by_one(written, meant)
        yield meant
        return
    if dtype != written.dtype:
        yield TensorType(shape, dtype)
        return
    if type(needed) is not TensorType or type(needed.dtype) in VARIABLES:
        yield from (TensorType(shape, other) for other in takewhile(lambda other: other != dtype, around.dtypes))
    for i, extent in enumerate(shape if len(wanted) == len(shape) else ()):
        if type(wanted[i]) in VARIABLES:
            others = (other for other in around.extents(i, len(shape))[:FEW] if other != extent)
            yield from (TensorType((*shape[:i], other, *shape[i + 1 :]), dtype) for other in others)
    if not is_whole or len(wanted) < len(shape):
        yield from (TensorType((*shape[:i], *shape[i + 1 :]), dtype) for i in reversed(range(len(shape))))


def _one_by_one(written: Any, meant: Any) -> Iterator[Any]:
    """The annotation with one part of what is meant, if several differ: each may be a fault of its own."""
    if type(written) is not TensorType or type(meant) is not TensorType or denied(written, meant) < 2:
        return
    if written.dtype != meant.dtype:
        yield TensorType(written.shape, meant.dtype)
    own, other = written.shape, meant.shape
    if type(own) is tuple and type(other) is tuple and len(own) == len(other):
        for i, extent in enumerate(other):
            if extent != own[i]:
                yield TensorType((*own[:i], extent, *own[i + 1 :]), written.dtype)
    elif own != other:
        yield TensorType(other, written.dtype)


def _called(call: Any, needed: Any, without: Inference, spare: Sequence[Any]) -> Iterator[_Meant]:
    """What a call of an operator gives with other attributes or arguments."""
    driver = without.driver
    operator = driver.rules.operators.get(call.op.name)
    inputs = tuple(known_of(argument, without) for argument in call.args)
    if operator is None or None in inputs:
        return
    if operator.variadic:
        inputs = (TupleType(inputs),)
    elif len(inputs) != operator.relation.arity - 1:
        return

    def result(arguments: tuple[Any, ...], attrs: Any) -> Any:
        try:
            return result_of(driver.rules, operator.relation, arguments, attrs)
        except LookupError:
            return None

    try:
        attrs = driver.attrs_of(operator, call)
    except AttributeProblem:
        yield _Meant(needed)  # whatever the attribute is
        return
    if isinstance(attrs, Open):
        return
    given = {n: v for n, v in (call.attrs or {}).items() if n != "attrs_type_key"}
    edits = list(edits_of(call, needed, without))
    if type(needed) not in VARIABLES:
        edits += islice(edits_of(call, fresh(), without), LOCAL)
    edited = [_Meant(result(inputs, operator.attrs({**given, edit.what: edit.value})), edit) for edit in edits]
    yield from (found for found, edit in zip(edited, edits, strict=True) if edit.likely)
    yield from (_Meant(result(other, attrs), None, pair) for pair, other in exchanges(inputs))
    yield from edited
    yield from (_Meant(result(other, attrs)) for other in _replaced(inputs, spare))


def _replaced(inputs: tuple[Any, ...], spare: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The arguments of a call with one of the spare types in place of one of them."""
    for i in range(len(inputs)):
        for other in spare:
            if other != inputs[i]:
                yield (*inputs[:i], other, *inputs[i + 1 :])
