"""What might be meant at an annotation, whatever the program says to it: likely types first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations, takewhile, zip_longest
from typing import TYPE_CHECKING, Any

from ...infer.sites.repairs import exchanges
from ...infer.sites.schemes import parts_of, substitute
from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.terms import Cons
from ...logic.terms.variables import VARIABLES, fresh
from ...types import IncompleteType, TensorType, TupleType, TypeCall, TypeVar
from ..places.place import Place
from ..refusals.differences import compatible, denied
from .around import Around, Meant
from .edits import known_of

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ..places.places import Places
    from ..places.said import Part, Said

__all__ = ["annotated_otherwise", "told_by_fields"]

FEW = 4
"""How many extents are tried on one axis of an annotation."""

OF_EACH_KIND = ("int32", "float32", "bool")
"""A usual dtype of each kind."""

ALL_ORDERS = 4
"""Up to so many extents are tried in all orders: those of a layout."""


def annotated_otherwise(
    said: Said, place: Place, kept: Part, needed: Any, without: Inference, around: Around
) -> Iterator[Meant]:
    """Other types that may be meant at an annotation, or as the result type of a function."""
    node, written = place.node, place.written
    told = told_by_fields(said.places, node, written, without) if type(needed) in VARIABLES else needed
    if not said.places.is_long and compatible(written, told):
        yield from map(Meant, _with_one_open(said, place, kept, written, told))
    yield from map(Meant, _annotated(written, told, around))
    if without.failed():
        yield from map(Meant, _of_the_rank_of(needed, written))
    yield from map(Meant, _renamed(written, around.parameters))
    if around.parameters:  # the users of the function say what these are, and not which are meant
        yield from map(Meant, _wrapped(written, without.module.type_definitions))
    yield from _other_way_round(said, place, kept, without)


def _other_way_round(said: Said, place: Place, kept: Part, without: Inference) -> Iterator[Meant]:
    """The name of a parameter, or its annotation, exchanged with that of another one of its function.

    Only if neither annotation alone is wrong, and both make sense.
    """
    node = place.node
    if place.kind != "annotation" or not without.failed() or not said.makes_sense(node):
        return
    for function in said.places.binders(node):
        for other in function.params:
            type_ = other.type_annotation
            if type_ is None or type_ == node.type_annotation or not said.makes_sense(other):
                continue
            at = [i for i in said.places.at(other) if i in kept]
            if at and said.refused(kept.difference(at)):
                what = f"of the parameters `%{node.name_hint}` and `%{other.name_hint}` exchanged"
                as_it_is = tuple((i, type_) for i in at)
                yield Meant(node.type_annotation, None, f"the names {what}", "", as_it_is, renamed=(node, other))
                yield Meant(type_, None, f"the types {what}", "", tuple((i, node.type_annotation) for i in at))


def _annotated(written: Any, needed: Any, around: Around) -> Iterator[Any]:
    """Annotations that differ from the written one where the rest of the program says so, or where it may."""
    if getattr(needed, "ground", False):
        if type(needed) is TensorType and type(needed.shape) is tuple and UNKNOWN in needed.shape:  # may be any number
            shape = tuple([fresh() if extent is UNKNOWN else extent for extent in needed.shape])
            yield from _annotated(written, TensorType(shape, needed.dtype), around)
        yield from _one_by_one(written, needed)
        yield needed
        if type(written) is TensorType and type(written.shape) is tuple and UNKNOWN in written.shape:
            yield from _of_the_rank_of(needed, written)
        return
    made, own, other = _made_of(written, needed)
    if made is not None:
        of_each = [_annotated(*pair, around) for pair in zip(own, other, strict=True)]
        for nth in zip_longest(*of_each):  # one part has many others: the first ones of each come before more of any
            for i, part in enumerate(nth):
                if part is not None:
                    yield made((*own[:i], part, *own[i + 1 :]))
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
        yield from (TensorType(other, dtype) for other in _orders(shape) if compatible(other, wanted))
        yield from _one_by_one(written, meant)
        yield meant
        return
    if is_whole and len(wanted) != len(shape):
        yield from (TensorType(other, dtype) for other in _of_other_ranks(shape, wanted) if compatible(other, wanted))
        return
    if dtype != written.dtype:
        yield TensorType(shape, dtype)
        return
    if type(needed) is not TensorType or type(needed.dtype) in VARIABLES:
        yield from (TensorType(shape, other) for other in takewhile(lambda other: other != dtype, around.dtypes))
    yield from (TensorType(other, dtype) for _, other in exchanges(shape) if other != shape)
    for i in range(len(shape)):
        if len(wanted) == len(shape) and type(wanted[i]) in VARIABLES:
            # It is not 1: nearly anything can be broadcast.
            others = (other for other in around.extents(i, len(shape))[:FEW] if other not in (1, shape[i]))
            yield from (TensorType((*shape[:i], other, *shape[i + 1 :]), dtype) for other in others)
        if not is_whole:  # between them, since there may be many
            last = len(shape) - 1 - i
            yield TensorType((*shape[:last], *shape[last + 1 :]), dtype)
    if type(needed) is not TensorType or type(needed.dtype) in VARIABLES:  # some operators take those of one kind only
        yield from (TensorType(shape, other) for other in OF_EACH_KIND if other != dtype)


def _with_one_open(said: Said, place: Place, kept: Part, written: Any, needed: Any) -> Iterator[Any]:
    """A written annotation with one extent that is as the rest of the program needs it beside the others: where all of
    them are open, a number of elements tells none. It is not 1: nearly anything can be broadcast."""
    if type(written) is not TensorType or type(written.shape) is not tuple or len(written.shape) > ALL_ORDERS:
        return
    shape, supposed = written.shape, said.supposing(kept, frozenset([place.index]))
    known = needed.shape if type(needed) is TensorType and type(needed.shape) is tuple else (fresh(),) * len(shape)
    for i in range(len(shape) if len(known) == len(shape) else 0):
        if type(known[i]) in VARIABLES:
            hole = TensorType((*shape[:i], IncompleteType("ShapeVar"), *shape[i + 1 :]), written.dtype)
            asked = said.what_if(replace(supposed, holes={**supposed.holes, id(place.node): hole}))
            found = asked.driver.store.reify(hole)
            if getattr(found, "ground", False) and found != written and found.shape[i] != 1:
                yield found


def told_by_fields(places: Places, node: Any, written: Any, without: Inference) -> Any:
    """A tuple with fields that are as those want it who take one of a variable, or of what a variable is bound to;
    anything, if no tuple is `written`."""
    if type(written) is not TupleType or type(written.fields) is not tuple:
        return fresh()
    taken = {user.index: known_of(user, without) for user in places.takers(node)}
    return TupleType(tuple([taken.get(i) or fresh() for i in range(len(written.fields))]))


def _made_of(written: Any, needed: Any) -> tuple[Callable[[Any], Any] | None, tuple[Any, ...], tuple[Any, ...]]:
    """What makes a tuple, or a value of a data type, of its parts, and the parts of two types that are alike."""
    if type(written) is TypeCall and type(needed) is TypeCall and written.func == needed.func:
        return partial(TypeCall, written.func), tuple(written.type_args), tuple(needed.type_args)
    fields = [t.fields for t in (written, needed) if type(t) is TupleType and type(t.fields) is tuple]
    if len(fields) == 2 and len(fields[0]) == len(fields[1]):
        return TupleType, fields[0], fields[1]
    return None, (), ()


def _of_the_rank_of(needed: Any, written: Any) -> Iterator[Any]:
    """A written annotation with one axis less or more, as what is needed has: where the rest contradicts itself, that
    is what some of it says, and others may need what is written otherwise."""
    shapes = [type_.shape for type_ in (needed, written) if type(type_) is TensorType and type(type_.shape) is tuple]
    if len(shapes) == 2 and abs(len(shapes[0]) - len(shapes[1])) == 1:
        yield from (TensorType(other, written.dtype) for other in _of_other_ranks(shapes[1], shapes[0]))


def _orders(shape: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The extents of a shape in other orders: two of them exchanged; in any order where there are few.

    `?` stays where it is: elsewhere it would fit whatever is needed there.
    """
    found = [other for _, other in exchanges(shape)]
    if len(shape) <= ALL_ORDERS:
        found += permutations(shape)
    open_ = [extent is UNKNOWN for extent in shape]
    for other in dict.fromkeys(found):
        if other != shape and [extent is UNKNOWN for extent in other] == open_:
            yield other


def _of_other_ranks(shape: tuple[Any, ...], wanted: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The extents of a shape without one of them, the last first; or with one more, which is 1 if nothing tells it."""
    if len(wanted) < len(shape):
        yield from ((*shape[:i], *shape[i + 1 :]) for i in reversed(range(len(shape))))
    else:
        more = [1 if type(extent) in VARIABLES else extent for extent in wanted]
        yield from ((*shape[:i], more[i], *shape[i:]) for i in range(len(shape) + 1))


def _wrapped(written: Any, definitions: Mapping[Any, Any]) -> Iterator[Any]:
    """An annotation as a value of a data type with one parameter, or what is in such a value."""
    for header, definition in definitions.items():
        if len(definition.type_vars) == 1:
            yield TypeCall(header, (written,))
    if type(written) is TypeCall and len(written.type_args) == 1:
        yield from written.type_args


def _renamed(written: Any, parameters: Sequence[Any]) -> Iterator[Any]:
    """An annotation with other type parameters of its function: its users tell what these are, not which are meant."""
    own = dict.fromkeys(part for part in parts_of((written,)) if type(part) is TypeVar)
    for one in own:
        for other in parameters:
            if other is not one and other.kind == one.kind:
                yield substitute(written, {one: other}, [])
                if other in own:
                    yield substitute(written, {one: other, other: one}, [])


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
