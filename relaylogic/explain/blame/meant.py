"""What might be meant at a place, whatever the program says to it: likely types first.

Of an annotation, another one; of an expression, what it is made of in another way, or put into something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...ir import Call, Constant, Constructor, Op, Tuple, TupleGetItem
from ...logic.terms.variables import VARIABLES, fresh
from ...types import RefType, TensorType, TupleType, TypeCall
from ..places.place import Place
from ..refusals.differences import compatible
from .around import Around, Meant, converted, exchanged
from .constructors import around_it, other_fields, other_patterns
from .conversions import conversions, scaling
from .edits import Edit, edits_of, known_of
from .meant_calls import (
    applied_otherwise,
    called_otherwise,
    given,
    made_by,
)
from .meant_types import annotated_otherwise
from .references import of_reference
from .tuples import of_tuple

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.site import Site
    from ..places.said import Part, Said

__all__ = ["meant"]


def meant(said: Said, place: Place, kept: Part, needed: Any, without: Inference, around: Around) -> Iterator[Meant]:
    """What might be meant at a place, likely types first; some more than once."""
    node = place.node
    if place.kind in ("annotation", "result"):
        yield from annotated_otherwise(said, place, kept, needed, without, around)
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
            if type(own) in (TupleType, RefType):
                yield from _put_into_something(node, own, needed, around)
            yield from (converted(conversion, "this") for conversion in around.calls(own, needed))
            yield from (Meant(other) for other in around.near if other != own and compatible(other, needed))
    else:
        own = said.whole.type_of(node)
        yield from _made(said, place, needed, without, around)
        if type(node) is Call:
            yield from _inside_out(said, node, needed, without)
            if _refuses(node, said.refused(kept), without):
                return  # whatever is put around it
    if type(needed) not in VARIABLES:
        yield from _put_into_something(node, own, needed, around)
    if type(needed) is TypeCall:
        yield from (Meant(made, None, words.format("this")) for words, made in around_it(own, needed, without))


def _put_into_something(node: Any, own: Any, needed: Any, around: Around) -> Iterator[Meant]:
    """A value of a known type in a conversion or in a call; nobody writes a tuple for one of its fields."""
    if getattr(own, "ground", False):
        ways = [conversions(own, needed), around.calls(own, needed)]
        for way in reversed(ways) if type(node) is Tuple else ways:
            # An image is scaled where it meets another one, which an operator that makes it does not know.
            yield from (converted(it, "this") for it in way if type(node) is not Call or not scaling(it.words))


def _refuses(call: Call, refused: Sequence[Site], without: Inference) -> bool:
    """Whether a call is refused for what is given to it, whatever is wanted of it."""
    inputs = tuple(known_of(argument, without) for argument in call.args)
    if None in inputs or not any(site.expr is call for site in refused):
        return False
    return given(call, inputs, fresh(), without) is None


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
        yield from of_tuple(node, needed, said.places.calls_with(node), without, around)
    elif place.kind == "reference":
        yield from of_reference(node, needed, without, around)
    elif place.kind == "call":
        inputs = tuple(known_of(argument, without) for argument in node.args)
        # Whatever is wanted of nobody can be left out.
        is_wanted = type(needed) not in VARIABLES or said.places.fields_taken(node) is not None
        bare: list[Meant] = []
        is_meant = _makes_a_tuple(node, inputs, said.whole)  # whoever calls such an operator means no other one
        if is_wanted and len(inputs) == 1 and compatible(inputs[0], needed) and not (is_meant or _pools(node)):
            own = inputs[0] if getattr(inputs[0], "ground", False) else needed
            bare.append(Meant(own, None, "its argument in place of this call", left_out=True))
        if type(node.op) is Op:
            made_so = called_otherwise(node, needed, without, around, bare)
            yield from (found for found in made_so if not _is_too_wide(said, node, found.type))
        elif None not in inputs:
            yield from applied_otherwise(node, inputs, fresh() if needed is None else needed, without, around)
        yield from bare if type(node.op) is Constructor or _takes_so_many(node, without) else ()
        for name in around.operators if type(node.op) is Op and None not in inputs and not is_meant else ():
            made = made_by(name, node, inputs, needed, without)
            yield Meant(made, None, f"`{name}` in place of `{node.op.name}` here", "", (), True)


def _takes_so_many(node: Any, without: Inference) -> bool:
    """Whether an operator takes as many arguments as a call of it has."""
    operator = without.driver.rules.operators.get(node.op.name) if type(node.op) is Op else None
    return operator is not None and (operator.variadic or len(node.args) == operator.relation.arity - 1)


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


def _pools(node: Any) -> bool:
    """Whether a call says a window that it pools with: nobody writes that for nothing, and what it does not fit beside
    is to be scaled."""
    return type(node.op) is Op and "pool_size" in (node.given or ())


def _is_too_wide(said: Said, node: Any, type_: Any) -> bool:
    """Whether a type has more fields than are taken of what a node gives, and than it gives: nobody means those."""
    taken, own = said.places.fields_taken(node), said.whole.type_of(node)
    if taken is None or not all(type(t) is TupleType and type(t.fields) is tuple for t in (type_, own)):
        return False
    return len(type_.fields) > taken and len(type_.fields) > len(own.fields)
