"""What a call gives with other attributes or arguments, or if something else is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Any

from ...infer.sites.repairs import WIDEST, argument_of, exchanges, result_of
from ...ir import Call, Constant, Constructor, Op, Tuple, without_type_key
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import AttributeProblem, Operator
from ...rulebase.open_attributes import Open
from ...types import FuncType, RefType, TensorType, TupleType, show_type
from ..refusals.differences import compatible, denied
from .around import Around, Meant, exchanged
from .constructors import around_it, siblings
from .conversions import shape_of
from .converted import each_converted, with_one_converted
from .edits import Edit, edits_of, known_of
from .slips import applied, argument_of_call, result_of_value

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.driver import Driver

__all__ = [
    "another_at",
    "applied_otherwise",
    "called_otherwise",
    "given",
    "made_by",
    "replaced",
]

_OF_AXES = ("axes", "order")
"""The universes of attributes that say which axes are changed: nobody calls an operator that leaves all as it is."""

LOCAL = 6
"""How many attributes are tried that fit the arguments of a call, whatever the rest wants of its result."""


def called_otherwise(
    call: Any, needed: Any, without: Inference, around: Around, bare: Sequence[Meant]
) -> Iterator[Meant]:
    """What a call of an operator gives with other attributes or arguments; `bare` is what there is without it."""
    driver = without.driver
    operator = driver.rules.operators.get(call.op.name)
    inputs = tuple(known_of(argument, without) for argument in call.args)
    if operator is None or None in inputs:
        return
    given_types, count = inputs, operator.relation.arity - 1
    if operator.variadic:
        inputs = (TupleType(inputs),)

    def result(arguments: tuple[Any, ...], attrs: Any) -> Any:
        try:
            return result_of(driver.rules, operator.relation, arguments, attrs)
        except LookupError:
            return None

    def argument(place: int) -> Any:
        try:
            return argument_of(driver.rules, operator.relation, (*inputs, needed), place, attrs)
        except LookupError:
            return None

    def edited(edits: Iterable[Edit]) -> Iterator[Meant]:
        for edit in edits:
            made = result(inputs, driver.attrs_of(operator, call, edit.attributes(call)))
            if made not in inputs or operator.attributes[edit.what].universe not in _OF_AXES:
                yield Meant(made, edit)

    try:
        attrs = driver.attrs_of(operator, call)
    except AttributeProblem:
        if len(inputs) == count:
            yield from edited(edits_of(call, needed, without))
        yield Meant(needed)  # whatever the attribute is
        return
    if isinstance(attrs, Open):
        return
    if len(inputs) != count:
        for words, other in _as_many(call, inputs, count, around):
            yield Meant(result(other, attrs), None, words)
        return
    edits = list(edits_of(call, needed, without, around.shapes))
    if type(needed) not in VARIABLES:
        edits += islice(edits_of(call, fresh(), without, around.shapes), LOCAL)
    by_edit = list(edited(edits))
    yield from (found for found in by_edit if found.edit is not None and found.edit.likely)
    for words, other_attrs in _attributes_exchanged(call, operator, driver):
        yield Meant(result(inputs, other_attrs), None, words)
    if not getattr(needed, "ground", False):  # what gives a shape of as many axes that is spoken of is meant first
        axes = len(shape_of(result(inputs, attrs)))
        by_edit.sort(key=lambda meant: len(shape_of(meant.type)) != axes or shape_of(meant.type) not in around.shapes)
    for pair, other in chain(exchanges(inputs), _next_to_each_other(inputs)):
        yield Meant(result(other, attrs), None, exchanged("arguments", pair))
    for meant, other in _instead_of_twice(call, given_types, around):
        made = result((TupleType(other),) if operator.variadic else other, attrs)
        if compatible(made, needed):
            yield replace(meant, type=made)
    for words, other in replaced(call, given_types, around):
        yield Meant(result((TupleType(other),) if operator.variadic else other, attrs), None, words)
    yield from by_edit
    taken = [] if operator.variadic else [argument(i) for i in range(len(inputs))]
    for i, wanted in enumerate(taken):
        for words, other in _tupled(i, inputs, wanted, around):
            yield Meant(result(other, attrs), None, words)
    yield from bare
    for i, wanted in enumerate(taken):
        for meant, other in another_at(call, i, inputs, wanted, around):
            yield replace(meant, type=result(other, attrs))
    yield from with_one_converted(inputs, taken, needed, lambda arguments: result(arguments, attrs), around)


def _next_to_each_other(inputs: tuple[Any, ...]) -> Iterator[tuple[tuple[int, int], tuple[Any, ...]]]:
    """Which two neighbours of many inputs are exchanged, behind those that are exchanged in any way."""
    for i in range(WIDEST - 1, len(inputs) - 1):
        yield (i, i + 1), (*inputs[:i], inputs[i + 1], inputs[i], *inputs[i + 2 :])


def _attributes_exchanged(call: Any, operator: Operator, driver: Driver) -> Iterator[tuple[str, Any]]:
    """The attributes of a call with the values of two of one kind exchanged, in words, too: of numbers, another number
    is meant sooner."""
    given = without_type_key(call.given)
    said = [(name, known.universe) for name, known in operator.attributes.items() if type(given.get(name)) is str]
    for (one, universe), (other, its) in combinations(said, 2):
        if universe == its and given[one] != given[other]:
            with suppress(AttributeProblem):
                attrs = driver.attrs_of(operator, call, {**given, one: given[other], other: given[one]})
                yield f"`{one}` and `{other}` exchanged here", attrs


def applied_otherwise(
    call: Any, inputs: tuple[Any, ...], wanted: Any, without: Inference, around: Around
) -> Iterator[Meant]:
    """What a call of a function or a constructor gives with other arguments, or of another constructor."""
    for pair, other in exchanges(inputs):
        yield Meant(applied(call, other, wanted, without), None, exchanged("arguments", pair))
    if type(call.op) is Constructor:
        for name, type_ in siblings(call.op, inputs, wanted, without):
            yield Meant(type_, None, f"`{name}` in place of `{call.op.name_hint}` here")
    for i, own in enumerate(inputs):
        for words, made in around_it(own, fresh(), without):
            other = (*inputs[:i], made, *inputs[i + 1 :])
            yield Meant(applied(call, other, wanted, without), None, words.format(f"argument {i + 1}"))
    for other, words in chain(around.spare.items(), _held(known_of(call.op, without))):
        made = result_of_value(other, inputs, wanted, without)
        if made is not None:
            yield Meant(made, None, f"{words} called here")
    callee = without.type_of(call.op)
    taken = callee.arg_types if type(callee) is FuncType else ()
    if len(taken) != len(inputs):
        yield from _one_less_or_more(call, inputs, taken, wanted, without)
        return
    for meant, other in _instead_of_twice(call, inputs, around):
        yield replace(meant, type=applied(call, other, wanted, without))
    if type(callee) is FuncType and (callee.type_params or not callee.ground):
        # Each is told by the others, and by what is wanted of the call.
        taken = tuple([argument_of_call(call, i, inputs, wanted, without) for i in range(len(taken))])
    unused_first = [replace(around, bound=around.spare), around]
    others = chain.from_iterable(
        another_at(call, i, inputs, known, some) for some in unused_first for i, known in enumerate(taken)
    )
    for meant, other in chain(others, each_converted(inputs, taken, True, around)):
        yield replace(meant, type=applied(call, other, wanted, without))


def _held(value: Any) -> Iterator[tuple[Any, str]]:
    """What is in a value that is called, in words: a tuple or a reference is no function, but may hold some."""
    if type(value) is TupleType and type(value.fields) is tuple:
        yield from ((field, f"field .{i} of what is") for i, field in enumerate(value.fields))
    elif type(value) is RefType:
        yield value.value, "`ref_read` around what is"


def _as_many(call: Call, inputs: tuple[Any, ...], count: int, around: Around) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The arguments of a call of an operator without one that is too much, with a variable that nobody uses, or in one
    tuple.

    Where that is put is told by what goes through the operator: nobody asks which of several places is meant.
    """
    if len(inputs) == count + 1:
        for i in reversed(range(len(inputs))):
            yield f"this call without argument {i + 1}", (*inputs[:i], *inputs[i + 1 :])
    elif len(inputs) == count - 1:
        known = {other: name for other, name in around.bound.items() if name and other not in inputs}
        for other, name in {**around.spare, **known}.items():
            for i in reversed(range(count)):
                yield f"{name} as one more argument", (*inputs[:i], other, *inputs[i:])
    if count == 1 < len(inputs):  # some take a tuple as they take a tensor, and nobody means one
        yield "a tuple of the arguments of this call as its only one", (TupleType(inputs),)


def _one_less_or_more(
    call: Any, inputs: tuple[Any, ...], taken: tuple[Any, ...], wanted: Any, without: Inference
) -> Iterator[Meant]:
    """What a call gives with one argument less, or one more, if it is plain which."""
    found = []
    for i in range(len(taken) if len(taken) > len(inputs) else len(inputs)):
        other = (*inputs[:i], *inputs[i + 1 :]) if len(inputs) > len(taken) else (*inputs[:i], fresh(), *inputs[i:])
        made = applied(call, other, wanted, without)
        if made is not None:
            found.append((i, made, other))
    in_turn = _in_turn(call, inputs, len(taken), wanted, without)
    if in_turn is not None:
        yield in_turn
    elif len(found) == 1:
        ((i, made, other),) = found
        words = f"this call without argument {i + 1}"
        if len(inputs) < len(taken):
            words = f"one more argument here, argument {i + 1}"
            missing = argument_of_call(call, i, other, wanted, without)
            words += "" if type(missing) in VARIABLES else f", of type {show_type(missing)}"
        yield Meant(made, None, words)


def _in_turn(call: Call, inputs: tuple[Any, ...], count: int, wanted: Any, without: Inference) -> Meant | None:
    """What a call of a function that gives a function gives if that is given the arguments that are too many."""
    made = applied(call, inputs[:count], fresh(), without) if len(inputs) > count else None
    last = None if made is None else result_of_value(made, inputs[count:], wanted, without)
    if last is None:
        return None
    more = len(inputs) - count
    which = f"argument {len(inputs)}" if more == 1 else f"arguments {count + 1} to {len(inputs)}"
    return Meant(
        last, None, f"{which} given to the function that this call gives without {'it' if more == 1 else 'them'}"
    )


def given(call: Call, arguments: tuple[Any, ...], wanted: Any, without: Inference) -> Any:
    """The type of a call of other arguments, where `wanted` is wanted; None if it refuses them, or is not known."""
    if type(call.op) is not Op:
        return applied(call, arguments, wanted, without)
    driver = without.driver
    operator = driver.rules.operators.get(call.op.name)
    if operator is None or operator.variadic or len(arguments) != operator.relation.arity - 1:
        return None
    try:
        attrs = driver.attrs_of(operator, call)
        made = None if isinstance(attrs, Open) else result_of(driver.rules, operator.relation, arguments, attrs)
    except (AttributeProblem, LookupError):
        return None
    return made if made is not None and compatible(made, wanted) else None


def made_by(name: str, call: Call, inputs: tuple[Any, ...], needed: Any, without: Inference) -> Any:
    """The type of what another operator, with the attributes of a call, makes of some inputs; None if it is not
    `needed`, or if nothing tells but that it fits: a number does nearly anywhere, as it is broadcast."""
    driver = without.driver
    operator = driver.rules.operators.get(name)
    if operator is None or operator.variadic or len(inputs) != operator.relation.arity - 1:
        return None
    try:
        attrs = driver.attrs_of(operator, call)
        made = None if isinstance(attrs, Open) else result_of(driver.rules, operator.relation, inputs, attrs)
    except (AttributeProblem, LookupError):
        return None
    if type(made) is TensorType and made.shape == () and not getattr(needed, "ground", False):
        return None
    return made if made is not None and compatible(made, needed) else None


def another_at(
    node: Call | Tuple, i: int, inputs: tuple[Any, ...], wanted: Any, around: Around
) -> Iterator[tuple[Meant, tuple[Any, ...]]]:
    """What it is to give another value of the program for an argument, or a field, that is not what is wanted, and all
    then.

    Nobody means what would leave the argument unused, unless something else is.
    """
    if wanted is None or not denied(inputs[i], wanted) or _lacks_a_step(inputs[i], wanted, around):
        return
    is_shared = around.uses(_parts(node)[i]) > 1
    for other, name in around.bound.items():
        if other != inputs[i] and (is_shared or other in around.spare) and compatible(other, wanted):
            yield _another(node, i, other, name, inputs)


def _lacks_a_step(own: Any, wanted: Any, around: Around) -> bool:
    """Whether a function is given where what it gives is wanted, or a reference where what it holds is: that one is
    called, or read, and nothing else is meant."""
    if type(own) is RefType:
        return compatible(own.value, wanted)
    return type(own) is FuncType and any(True for _ in around.calls(own, wanted))


def _instead_of_twice(call: Call, inputs: tuple[Any, ...], around: Around) -> Iterator[tuple[Meant, tuple[Any, ...]]]:
    """What it is to give another value of the program in place of one that is given twice, and all then."""
    given = Counter(map(id, call.args))
    for i, argument in enumerate(call.args):
        for other, name in around.bound.items() if given[id(argument)] > 1 else ():
            if other != inputs[i]:
                yield _another(call, i, other, name, inputs)


def _another(
    node: Call | Tuple, i: int, other: Any, name: str, inputs: tuple[Any, ...]
) -> tuple[Meant, tuple[Any, ...]]:
    """Another value, which may have a name, as an argument, or as a field, and all of them then."""
    words = f"{name or f'something of type {show_type(other)}'} as {_nth(node, i)}"
    return Meant(None, None, words, "", (), True), (*inputs[:i], other, *inputs[i + 1 :])


def _tupled(i: int, inputs: tuple[Any, ...], wanted: Any, around: Around) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The arguments with a tuple in place of one, where any tuple is wanted: brackets alone make none, and what is left
    out of it nobody uses."""
    own = inputs[i]
    if type(wanted) is TupleType and type(wanted.fields) is not tuple and type(own) is TensorType:
        for other, name in around.spare.items():
            yield f"a tuple of argument {i + 1} and {name}", (*inputs[:i], TupleType((own, other)), *inputs[i + 1 :])
        yield f"a tuple with argument {i + 1} as its only field", (*inputs[:i], TupleType((own,)), *inputs[i + 1 :])


def replaced(node: Call | Tuple, inputs: tuple[Any, ...], around: Around) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The arguments of a call, or the fields of a tuple, with one of the spare types in place of one; in words, too.

    Nobody means what would leave that one unused instead, nor what is no function, or no reference, in place
    of one.
    """
    for i, part in enumerate(_parts(node)):
        for other, name in around.spare.items() if isinstance(part, Constant) or around.uses(part) > 1 else ():
            if other != inputs[i] and (type(other) is type(inputs[i]) or type(inputs[i]) not in (FuncType, RefType)):
                yield f"{name} as {_nth(node, i)}", (*inputs[:i], other, *inputs[i + 1 :])


def _parts(node: Call | Tuple) -> Sequence[Any]:
    return node.args if isinstance(node, Call) else node.fields


def _nth(node: Call | Tuple, i: int) -> str:
    """What an argument of a call, or a field of a tuple, is called in words."""
    return f"argument {i + 1}" if isinstance(node, Call) else f"field .{i}"
