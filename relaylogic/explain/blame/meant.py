"""What might be meant at a place, whatever the program says to it: likely types first.

Of an annotation, another one; of an expression, what it is made of in another way, or put into something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations, takewhile, zip_longest
from typing import TYPE_CHECKING, Any

from ...infer.sites.repairs import exchanges
from ...infer.sites.schemes import parts_of, substitute
from ...ir import Call, Constant, Constructor, Op, Tuple, TupleGetItem
from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.terms import Cons
from ...logic.terms.variables import VARIABLES, fresh
from ...types import IncompleteType, RefType, TensorType, TupleType, TypeCall, TypeVar, show_type
from ..places.place import Place
from ..refusals.differences import compatible, denied
from .constructors import around_it, other_fields, other_patterns
from .conversions import conversions
from .edits import Edit, edits_of, known_of
from .meant_calls import (
    Around,
    Meant,
    another_at,
    applied_otherwise,
    called_otherwise,
    converted,
    exchanged,
    given,
    made_by,
    replaced,
)
from .references import of_reference

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.site import Site
    from ..places.places import Places
    from ..places.said import Part, Said

__all__ = ["meant", "told_by_fields"]

FEW = 4
"""How many extents are tried on one axis of an annotation."""

OF_EACH_KIND = ("int32", "float32", "bool")
"""A usual dtype of each kind."""

ALL_ORDERS = 4
"""Up to so many extents are tried in all orders: those of a layout."""


def meant(said: Said, place: Place, kept: Part, needed: Any, without: Inference, around: Around) -> Iterator[Meant]:
    """What might be meant at a place, likely types first; some more than once."""
    node = place.node
    if place.kind in ("annotation", "result"):
        written = place.written
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
        return
    if place.kind == "pattern":
        for pair, fields in other_fields(said.places, node, without):
            yield Meant(fields, None, exchanged("fields", pair))
        yield from (Meant(fields, None, words) for words, fields in other_patterns(said.places, node, without))
        return
    if place.is_use:
        own = known_of(node, without)
        if type(needed) not in VARIABLES:
            others = around.spare.items() if around.uses(node) > 1 else ()
            yield from (Meant(it, None, f"{words} in its place") for it, words in others if compatible(it, needed))
            if type(own) in (TupleType, RefType) and getattr(own, "ground", False):
                yield from (converted(conversion, "this") for conversion in conversions(own, needed))
            yield from (Meant(other) for other in around.near if other != own and compatible(other, needed))
    else:
        own = said.whole.type_of(node)
        yield from _made(said, place, needed, without, around)
        if type(node) is Call:
            yield from _inside_out(said, node, needed, without)
            if _refuses(node, said.refused(kept), without):
                return  # whatever is put around it
    if getattr(own, "ground", False) and type(needed) not in VARIABLES:
        yield from (converted(conversion, "this") for conversion in conversions(own, needed))
    if type(needed) is TypeCall:
        yield from (Meant(made, None, words.format("this")) for words, made in around_it(own, needed, without))


def _refuses(call: Call, refused: Sequence[Site], without: Inference) -> bool:
    """Whether a call is refused for what is given to it, whatever is wanted of it."""
    inputs = tuple(known_of(argument, without) for argument in call.args)
    if None in inputs or not any(site.expr is call for site in refused):
        return False
    return given(call, inputs, fresh(), without) is None


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


def _inside_out(said: Said, call: Call, needed: Any, without: Inference) -> Iterator[Meant]:
    """What a call is that is exchanged with one of its arguments, or with the call that it is an argument of.

    Each keeps its other arguments; what goes through both is the same argument of each.
    """
    pairs = [(call, argument) for argument in call.args if type(argument) is Call]
    pairs += [(user, call) for user in said.places.users(call) if type(user) is Call]
    for outer, inner in pairs:
        i = next((i for i, argument in enumerate(outer.args) if argument is inner), len(inner.args))
        around, inside = ([known_of(argument, without) for argument in one.args] for one in (outer, inner))
        if i >= len(inside) or None in inside or any(known is None for known in (*around[:i], *around[i + 1 :])):
            continue
        wanted = fresh() if needed is None or call is inner else needed
        first = given(outer, (*around[:i], inside[i], *around[i + 1 :]), fresh(), without)
        last = None if first is None else given(inner, (*inside[:i], first, *inside[i + 1 :]), wanted, without)
        if last is None or (type(last) is TupleType and type(wanted) in VARIABLES):
            continue  # a field of a tuple is meant sooner than a tuple that nobody asks for
        own, others = (last, None) if call is outer else (first, last)
        other = inner if call is outer else outer
        beside = tuple((k, others) for k in said.places.at(other) if said.places.all[k].kind == "call")
        are_alone = len(around) == len(inside) == 1
        words = "functions that are called here exchanged" if are_alone else "calls here exchanged"
        more = "" if are_alone else ", each with its other arguments"
        yield Meant(own, None, f"the two {words}{more}", "", beside)


def _made(said: Said, place: Place, needed: Any, without: Inference, around: Around) -> Iterator[Meant]:
    """What an expression might be meant to make of its parts."""
    node = place.node
    if type(node) is Constant:
        if node.tensor_type is not None:  # else it is one that is kept outside of the text
            shape = node.tensor_type.shape
            yield from (Meant(TensorType(shape, edit.value.dtype), edit) for edit in edits_of(node, needed, without))
    elif type(node) is TupleGetItem:
        tuple_type = without.type_of(node.tuple_value)
        fields = tuple_type.fields if type(tuple_type) is TupleType and type(tuple_type.fields) is tuple else ()
        yield from (Meant(field, Edit("the index", i)) for i, field in enumerate(fields) if i != node.index)
        if compatible(tuple_type, needed) and type(needed) not in VARIABLES:
            yield Meant(tuple_type, None, "the tuple in place of its field here")
        yield from _of_another_tuple(node, tuple_type, needed, around)
    elif type(node) is Tuple:
        parts = tuple(known_of(part, without) for part in node.fields)
        if None not in parts:
            others = [Meant(TupleType(other), None, exchanged("fields", pair)) for pair, other in exchanges(parts)]
            others += [Meant(TupleType(it), None, words) for words, it in replaced(node, parts, around)]
            others += _of_other_fields(node, parts, needed, around)
            yield from (meant for meant in others if compatible(meant.type, needed))
            yield from _one_field_less_or_more(parts, needed)
    elif place.kind == "reference":
        yield from of_reference(node, needed, without, around)
    elif place.kind == "call":
        inputs = tuple(known_of(argument, without) for argument in node.args)
        # Whatever is wanted of nobody can be left out.
        is_wanted = type(needed) not in VARIABLES or said.places.fields_taken(node) is not None
        bare: list[Meant] = []
        is_meant = _makes_a_tuple(node, inputs, said.whole)  # whoever calls such an operator means no other one
        if is_wanted and len(inputs) == 1 and compatible(inputs[0], needed) and not is_meant:
            own = inputs[0] if getattr(inputs[0], "ground", False) else needed
            bare.append(Meant(own, None, "its argument in place of this call", left_out=True))
        if type(node.op) is Op:
            made_so = called_otherwise(node, needed, without, around, bare)
            yield from (found for found in made_so if not _is_too_wide(said, node, found.type))
        elif None not in inputs:
            yield from applied_otherwise(node, inputs, fresh() if needed is None else needed, without, around)
        yield from bare if type(node.op) in (Op, Constructor) else ()
        for name in around.operators if type(node.op) is Op and None not in inputs and not is_meant else ():
            made = made_by(name, node, inputs, needed, without)
            yield Meant(made, None, f"`{name}` in place of `{node.op.name}` here", "", (), True)


def _of_another_tuple(node: TupleGetItem, own: Any, needed: Any, around: Around) -> Iterator[Meant]:
    """The same field of another value that has a name, unless what is written would be left unused."""
    is_shared = around.uses(node.tuple_value) > 1
    for other, name in {**around.bound, **around.spare}.items():
        fields = other.fields if type(other) is TupleType and type(other.fields) is tuple and name else ()
        if other != own and (is_shared or other in around.spare) and 0 <= node.index < len(fields):
            if compatible(fields[node.index], needed):
                yield Meant(fields[node.index], None, f"field .{node.index} of {name} here", "", (), True)


def _makes_a_tuple(node: Any, inputs: tuple[Any, ...], whole: Inference) -> bool:
    """Whether an operator gives a tuple that is not given to it."""
    own = whole.type_of(node) if type(node.op) is Op else None
    return type(own) is TupleType and not any(type(given) is TupleType for given in inputs)


def _is_too_wide(said: Said, node: Any, type_: Any) -> bool:
    """Whether a type has more fields than are taken of what a node gives, and than it gives: nobody means those."""
    taken, own = said.places.fields_taken(node), said.whole.type_of(node)
    if taken is None or not all(type(t) is TupleType and type(t.fields) is tuple for t in (type_, own)):
        return False
    return len(type_.fields) > taken and len(type_.fields) > len(own.fields)


def _of_other_fields(node: Tuple, parts: tuple[Any, ...], needed: Any, around: Around) -> Iterator[Meant]:
    """A tuple with another value of the program, or a field of what stands there, where something else is wanted."""
    fields = needed.fields if type(needed) is TupleType and type(needed.fields) is tuple else ()
    for i, wanted in enumerate(fields if len(fields) == len(parts) else ()):
        found: list[tuple[Meant, tuple[Any, ...]]] = []
        if type(parts[i]) is TupleType and denied(parts[i], wanted):
            of_field = (converted(conversion, f"field .{i}") for conversion in conversions(parts[i], wanted))
            found += ((meant, (*parts[:i], meant.type, *parts[i + 1 :])) for meant in of_field)
        found += another_at(node, i, parts, wanted, around)
        yield from (meant._replace(type=TupleType(other)) for meant, other in found)


def _one_field_less_or_more(parts: tuple[Any, ...], needed: Any) -> Iterator[Meant]:
    """A tuple of which the rest of the program needs one field less, or one more."""
    fields = needed.fields if type(needed) is TupleType and getattr(needed, "ground", False) else ()
    for i, field in enumerate(fields):
        if (*fields[:i], *fields[i + 1 :]) == parts:
            yield Meant(needed, None, f"one more field here, field .{i}, of type {show_type(field)}")
    for i in range(len(parts)):
        if fields and (*parts[:i], *parts[i + 1 :]) == fields:
            yield Meant(needed, None, f"this tuple without field .{i}")


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
            others = (other for other in around.extents(i, len(shape))[:FEW] if other != shape[i])
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
