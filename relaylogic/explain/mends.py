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
from ..infer.schemes import parts_of, substitute
from ..ir import Call, Constant, Constructor, Op, Tuple, TupleGetItem, without_type_key
from ..logic.terms import Cons, fresh
from ..logic.variables import VARIABLES
from ..rulebase import AttributeProblem
from ..rulebase.open_attributes import Open
from ..types import FuncType, TensorType, TupleType, TypeCall, TypeVar, show_type
from .constructors import around_it, siblings
from .conversions import Conversion, conversions
from .differences import are_exchanged, compatible, denied, differences
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
    attribute, an index or a constant; `slip` tells another change: what the program is right with then. `parts` says of
    an annotation how many of its parts change; `converted` what a conversion is put around, if one is: "this", or an
    argument. `beside` are the numbers of places that say nothing then: the calls in a call that change with it.
    """

    type: Any
    left: frozenset[Any]
    edit: Edit | None = None
    parts: int = 1
    slip: str = ""
    converted: str = ""
    beside: frozenset[int] = frozenset()

    def made(self, said: Said, index: int) -> Said:
        """A program with this at the place of a number."""
        return said.mended(index, self.type, self.beside)


class _Meant(NamedTuple):
    """A type that might be meant at a place, and the change that it takes, as in a mend."""

    type: Any
    edit: Edit | None = None
    slip: str = ""
    converted: str = ""
    beside: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Around:
    """What may be meant instead, from the rest of the program.

    `known` are the demands that are refused as it is, by identity; `spare` the types of variables that nobody uses,
    `near` those of all that are bound before the place; `dtypes` those that annotations have, the usual first. `shapes`
    are those that the refused demand speaks of, and those of annotations; `parameters` are those of types that the
    function has.
    """

    known: frozenset[Any]
    spare: Sequence[Any]
    near: Sequence[Any]
    shapes: Sequence[tuple[Any, ...]]
    dtypes: Sequence[str]
    parameters: Sequence[Any]

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
    supposed = said.supposing(kept, frozenset([place.index] if place.is_use else []))
    tried: set[Any] = set()
    for type_, edit, slip, converted, beside in islice(_meant(said, place, needed, without, around), LOOKED_AT):
        if (type_, beside) in tried or not getattr(type_, "ground", False):
            continue
        tried.add((type_, beside))
        meant = supposed
        if not place.is_use:  # what is wanted stands there then
            silent = {*supposed.silent, *(id(said.places.all[i].node) for i in beside)} - {id(place.node)}
            meant = replace(supposed, holes={**supposed.holes, id(place.node): type_}, silent=silent)
        mended = said.what_if(meant)
        left = frozenset(site.identity for site in mended.failed())
        mend = Mend(type_, left, edit, _parts(place, type_), slip, converted, beside)
        if not known <= left and (best is None or _worth(mend, known, said) < _worth(best, known, said)):
            best = mend
        if (not left and mend.parts == 1) or place.is_use or len(tried) == MOST:
            break
    return best


def _worth(mend: Mend, known: frozenset[Any], said: Said) -> tuple[int, int]:
    """How bad a mend is: what comes up, then what is left; a change of one part more is as bad as a refusal more."""
    return len(mend.left - known - said.behind), len(mend.left) + mend.parts - 1


def _parts(place: Place, type_: Any) -> int:
    """How many parts of an annotation are changed."""
    if place.kind not in ("annotation", "result"):
        return 1
    written = place.node.ret_type if place.kind == "result" else place.node.type_annotation
    return 1 if are_exchanged(written, type_) else max(1, differences(written, type_))


def _meant(said: Said, place: Place, needed: Any, without: Inference, around: Around) -> Iterator[_Meant]:
    """What might be meant at a place, likely types first; some more than once."""
    node = place.node
    if place.kind in ("annotation", "result"):
        written = node.ret_type if place.kind == "result" else node.type_annotation
        yield from map(_Meant, _annotated(written, needed, around))
        yield from map(_Meant, _renamed(written, around.parameters))
        return
    if place.is_use:
        own = known_of(node, without)
        if type(needed) not in VARIABLES:
            yield from (_Meant(other) for other in around.near if other != own and compatible(other, needed))
    else:
        own = said.whole.type_of(node)
        yield from _made(place, needed, without, around)
        if type(node) is Call:
            yield from _inside_out(said, node, needed, without)
    if getattr(own, "ground", False) and type(needed) not in VARIABLES:
        yield from (_converted(conversion, "this") for conversion in conversions(own, needed))
    if type(needed) is TypeCall:
        yield from (_Meant(type_, None, f"`{name}` around this") for name, type_ in around_it(own, needed, without))


def _inside_out(said: Said, call: Call, needed: Any, without: Inference) -> Iterator[_Meant]:
    """What a call is that is exchanged with its argument, or with the call that it is an argument of."""
    pairs = [(call, call.args[0])] if call.args else []
    pairs += [(user, call) for user in said.places.users(call) if type(user) is Call]
    for outer, inner in pairs:
        if type(inner) is not Call or Op in (type(outer.op), type(inner.op)):
            continue
        if len(outer.args) != 1 or len(inner.args) != 1:
            continue
        first = applied(outer, (known_of(inner.args[0], without),), fresh(), without)
        wanted = fresh() if needed is None or call is inner else needed
        last = None if first is None else applied(inner, (first,), wanted, without)
        if last is not None:
            other = inner if call is outer else outer
            beside = frozenset(i for i in said.places.at(other) if said.places.all[i].kind == "call")
            words = "the two functions that are called here exchanged"
            yield _Meant(last if call is outer else first, None, words, "", beside)


def _made(place: Place, needed: Any, without: Inference, around: Around) -> Iterator[_Meant]:
    """What an expression might be meant to make of its parts."""
    node = place.node
    if type(node) is Constant:
        shape = node.tensor_type.shape
        yield from (_Meant(TensorType(shape, edit.value.dtype), edit) for edit in edits_of(node, needed, without))
    elif type(node) is TupleGetItem:
        tuple_type = without.type_of(node.tuple_value)
        fields = tuple_type.fields if type(tuple_type) is TupleType and type(tuple_type.fields) is tuple else ()
        yield from (_Meant(field, Edit("the index", i)) for i, field in enumerate(fields) if i != node.index)
        if compatible(tuple_type, needed) and type(needed) not in VARIABLES:
            yield _Meant(tuple_type, None, "the tuple in place of its field here")
    elif type(node) is Tuple:
        parts = tuple(known_of(part, without) for part in node.fields)
        if None not in parts:
            others = [_Meant(TupleType(other), None, _exchanged("fields", pair)) for pair, other in exchanges(parts)]
            others += [_Meant(TupleType(other)) for other in _replaced(parts, around.spare)]
            yield from (meant for meant in others if compatible(meant.type, needed))
            yield from _one_field_less_or_more(parts, needed)
    elif place.kind == "call":
        inputs = tuple(known_of(argument, without) for argument in node.args)
        if type(node.op) is Op:
            yield from _called(node, needed, without, around.spare)
        elif None not in inputs:
            yield from _applied(node, inputs, fresh() if needed is None else needed, without)
        is_wanted = type(needed) not in VARIABLES  # whatever is wanted of nobody can be left out
        if is_wanted and len(inputs) == 1 and type(node.op) in (Op, Constructor) and compatible(inputs[0], needed):
            yield _Meant(inputs[0], None, "its argument in place of this call")


def _one_field_less_or_more(parts: tuple[Any, ...], needed: Any) -> Iterator[_Meant]:
    """A tuple of which the rest of the program needs one field less, or one more."""
    fields = needed.fields if type(needed) is TupleType and getattr(needed, "ground", False) else ()
    for i, field in enumerate(fields):
        if (*fields[:i], *fields[i + 1 :]) == parts:
            yield _Meant(needed, None, f"one more field here, field .{i}, of type {show_type(field)}")
    for i in range(len(parts)):
        if fields and (*parts[:i], *parts[i + 1 :]) == fields:
            yield _Meant(needed, None, f"this tuple without field .{i}")


def _applied(call: Any, inputs: tuple[Any, ...], wanted: Any, without: Inference) -> Iterator[_Meant]:
    """What a call of a function or a constructor gives with other arguments, or of another constructor."""
    for pair, other in exchanges(inputs):
        yield _Meant(applied(call, other, wanted, without), None, _exchanged("arguments", pair))
    if type(call.op) is Constructor:
        for name, type_ in siblings(call.op, inputs, wanted, without):
            yield _Meant(type_, None, f"`{name}` in place of `{call.op.name_hint}` here")
    for i, own in enumerate(inputs):
        for name, type_ in around_it(own, fresh(), without):
            other = (*inputs[:i], type_, *inputs[i + 1 :])
            yield _Meant(applied(call, other, wanted, without), None, f"`{name}` around argument {i + 1}")
    callee = without.type_of(call.op)
    taken = callee.arg_types if type(callee) is FuncType else ()
    if len(taken) != len(inputs):
        yield from _one_less_or_more(call, inputs, taken, wanted, without)
        return
    taken = tuple(known if getattr(known, "ground", False) else fresh() for known in taken)
    for meant, other in _each_converted(inputs, taken, True):
        yield meant._replace(type=applied(call, other, wanted, without))


def _one_less_or_more(
    call: Any, inputs: tuple[Any, ...], taken: tuple[Any, ...], wanted: Any, without: Inference
) -> Iterator[_Meant]:
    """What a call gives with one argument less, or one more, if it is plain which."""
    found = []
    for i in range(len(taken) if len(taken) > len(inputs) else len(inputs)):
        other = (*inputs[:i], *inputs[i + 1 :]) if len(inputs) > len(taken) else (*inputs[:i], fresh(), *inputs[i:])
        made = applied(call, other, wanted, without)
        if made is not None:
            found.append((i, made))
    if len(found) == 1:
        ((i, made),) = found
        less = f"this call without argument {i + 1}"
        more = f"one more argument here, argument {i + 1}"
        yield _Meant(made, None, less if len(inputs) > len(taken) else f"{more}, of type {show_type(taken[i])}")


def _each_converted(
    inputs: Sequence[Any], wanted: Sequence[Any], freely: bool
) -> Iterator[tuple[_Meant, tuple[Any, ...]]]:
    """What it is to convert one of some arguments to what is wanted of it, and all of them then."""
    for i, (own, needed) in enumerate(zip(inputs, wanted, strict=False)):
        for conversion in conversions(own, needed, freely) if getattr(own, "ground", False) else ():
            yield _converted(conversion, f"argument {i + 1}"), (*inputs[:i], conversion.type, *inputs[i + 1 :])


def _converted(conversion: Conversion, what: str) -> _Meant:
    return _Meant(conversion.type, None, conversion.words.format(what), what)


def _exchanged(what: str, pair: tuple[int, int]) -> str:
    """That two arguments, or two fields, are exchanged."""
    i, j = pair
    return f"{what} .{i} and .{j} exchanged here" if what == "fields" else f"{what} {i + 1} and {j + 1} exchanged here"


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
        yield from (TensorType(other, dtype) for _, other in exchanges(shape) if compatible(other, wanted))
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
    given = without_type_key(call.given)
    edits = list(edits_of(call, needed, without))
    if type(needed) not in VARIABLES:
        edits += islice(edits_of(call, fresh(), without), LOCAL)
    edited = [_Meant(result(inputs, operator.attrs({**given, edit.what: edit.value})), edit) for edit in edits]
    yield from (found for found, edit in zip(edited, edits, strict=True) if edit.likely)
    for pair, other in exchanges(inputs):
        yield _Meant(result(other, attrs), None, _exchanged("arguments", pair))
    yield from edited
    yield from (_Meant(result(other, attrs)) for other in _replaced(inputs, spare))
    if not operator.variadic:
        freely = bool(getattr(needed, "ground", False))
        for meant, other in _each_converted(inputs, [fresh()] * len(inputs), freely):
            yield meant._replace(type=result(other, attrs))


def _replaced(inputs: tuple[Any, ...], spare: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The arguments of a call with one of the spare types in place of one of them."""
    for i in range(len(inputs)):
        for other in spare:
            if other != inputs[i]:
                yield (*inputs[:i], other, *inputs[i + 1 :])
