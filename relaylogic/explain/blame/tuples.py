"""What might be meant where a tuple is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...infer.sites.repairs import exchanges
from ...ir import Call, Op, Tuple
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import AttributeProblem, RuleError
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType, show_type
from ..refusals.differences import compatible, denied
from .around import Around, Meant, converted, exchanged
from .conversions import conversions, scaling
from .edits import known_of
from .meant_calls import another_at, replaced

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["of_tuple"]


def of_tuple(
    node: Tuple, needed: Any, takers: Sequence[tuple[Call, int]], without: Inference, around: Around
) -> Iterator[Meant]:
    """A tuple of the same fields in another order, of another value for one of them, of one that is converted, or of
    one field less or more. `takers` are the calls that take it, each with the place among the arguments: they may
    tell what is wanted of one field beside the others, where nothing else does."""
    parts = tuple(known_of(part, without) for part in node.fields)
    if None in parts:
        return
    others = [Meant(TupleType(other), None, exchanged("fields", pair)) for pair, other in exchanges(parts)]
    others += [Meant(TupleType(it), None, words) for words, it in replaced(node, parts, around)]
    if any(type(call.op) is Op for call, _ in takers):  # what an operator takes may have any number of fields
        more = ((other, name) for other, name in around.spare.items() if type(other) is TensorType)
        others += [Meant(TupleType((*parts, other)), None, f"{name} as one more field") for other, name in more]
    fields = needed.fields if type(needed) is TupleType and type(needed.fields) is tuple else ()
    otherwise: list[Meant] = []
    for i in range(len(parts)):
        wanted = fields[i] if len(fields) == len(parts) else fresh()
        if type(wanted) in VARIABLES:
            wanted = _wanted_of_field(i, parts, takers, without)
        otherwise += _of_another_field(node, i, parts, wanted, around)
    others += sorted(otherwise, key=lambda meant: -scaling(meant.slip))  # what is small was to be made larger
    yield from (meant for meant in others if compatible(meant.type, needed))
    yield from _one_field_less_or_more(parts, needed)


def _of_another_field(node: Tuple, i: int, parts: tuple[Any, ...], wanted: Any, around: Around) -> Iterator[Meant]:
    """A tuple with another value of the program for a field that is not what is wanted, or with that converted."""
    if wanted is None or not denied(parts[i], wanted):
        return
    found = [converted(conversion, f"field .{i}") for conversion in _conversions(parts[i], wanted, around)]
    yield from (replace(meant, type=TupleType((*parts[:i], meant.type, *parts[i + 1 :]))) for meant in found)
    for meant, other in another_at(node, i, parts, wanted, around):
        yield replace(meant, type=TupleType(other))


def _conversions(own: Any, wanted: Any, around: Around) -> Iterator[Any]:
    """The conversions of a field, and the calls that may be missing there."""
    if getattr(own, "ground", False):
        yield from conversions(own, wanted)
        yield from around.calls(own, wanted)


def _wanted_of_field(i: int, parts: tuple[Any, ...], takers: Sequence[tuple[Call, int]], without: Inference) -> Any:
    """What the first operator that tells wants of one field of a tuple beside the others; None if none tells."""
    rules, driver = without.driver.rules, without.driver
    asked = TupleType((*parts[:i], fresh(), *parts[i + 1 :]))
    for call, place in takers:
        operator = rules.operators.get(call.op.name) if type(call.op) is Op else None
        if operator is None or operator.variadic or len(call.args) != operator.relation.arity - 1:
            continue
        others = [known_of(node, without) for node in (*call.args, call)]
        others[place] = asked
        if None in others:
            continue
        numbering: dict[Any, Any] = {}
        key = canonical(tuple(others), numbering)
        try:
            attrs = driver.attrs_of(operator, call)
            found = None if isinstance(attrs, Open) else rules.solve(operator.relation, key, attrs, by_rows=True)
        except (AttributeProblem, RuleError):
            continue
        if found is not None and found.general is not None:
            return instantiate(found.general[place], dict(enumerate(numbering))).fields[i]
    return None


def _one_field_less_or_more(parts: tuple[Any, ...], needed: Any) -> Iterator[Meant]:
    """A tuple of which the rest of the program needs one field less, or one more."""
    fields = needed.fields if type(needed) is TupleType and getattr(needed, "ground", False) else ()
    for i, field in enumerate(fields):
        if (*fields[:i], *fields[i + 1 :]) == parts:
            yield Meant(needed, None, f"one more field here, field .{i}, of type {show_type(field)}")
    for i in range(len(parts)):
        if fields and (*parts[:i], *parts[i + 1 :]) == fields:
            yield Meant(needed, None, f"this tuple without field .{i}")
