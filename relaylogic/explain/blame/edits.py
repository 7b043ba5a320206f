"""Small edits of a leaf of a program that would give it the type that the rest wants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, zip_longest
from typing import TYPE_CHECKING, Any

from ...infer.checks.kinds import loose
from ...infer.sites.callsite import solve_site
from ...infer.sites.schemes import parts_of, substitute
from ...ir import Call, Constant, IRModule, Op, TupleGetItem, post_order, without_type_key
from ...logic.terms.rebuilding import canonical
from ...logic.terms.terms import is_ground
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import AttributeProblem, Operator, RuleError
from ...rulebase.attributes import Attribute
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType, TypeVar
from .other_values import NEARBY, other_values

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Edit", "edits_of", "known_of", "told_of"]

FEW_AXES = 8
TRIES = 120
"""How many values of attributes of one call are tried,"""
OMITTED = 40
"""and so many of those that are not written, at least, if they give a shape that is spoken of."""

SMALL = 2
"""Wider strides and dilations are never forgotten; windows of one number have no wider strides."""


@dataclass(frozen=True)
class Edit:
    """What to change of a leaf, and the value it should have.

    `written` says that the text gives the attribute; `support` counts the calls of the same operator, alike in all
    else, that have the value; `precedent` those that have the value of this call. `alone` says that it is a number that
    this call leaves out and those like it do not, and none like it goes with the arguments.
    """

    what: str
    value: Any
    present: Any = None
    written: bool = True
    support: int = 0
    precedent: int = 0
    alone: bool = False

    def attributes(self, call: Call) -> dict[str, Any]:
        """Those that a call has with it, if it is a change of one."""
        return {**without_type_key(call.given), self.what: self.value}

    @property
    def likely(self) -> bool:
        """Whether the calls that are like this one speak for the edit."""
        return self.support >= 2 and not self.precedent

    @property
    def odd(self) -> bool:
        """Whether more calls have the present value, or it is changed for no reason: not written, or like `[3, 3]`; or
        nothing is left of a list."""
        spoilt = (_uniform(self.present) and not _uniform(self.value)) or (self.value == () and bool(self.present))
        return self.support < self.precedent or (not self.support and (not self.written or spoilt))

    @property
    def evens(self) -> bool:
        """Whether the edit makes all numbers of a list the same as most of them are, or one of them is."""
        if not _uniform(self.value) or not isinstance(self.present, (tuple, list)) or _uniform(self.present):
            return False
        return self.value[0] in self.present


def known_of(expr: Any, inference: Inference) -> Any:
    """The type of an expression as far as it is told; None if the program does not hold the expression."""
    return told_of(inference.type_of(expr), inference)


def told_of(type_: Any, inference: Inference) -> Any:
    """A type in which that is open which inference has made type parameters of, since nothing tells it."""
    if not any(type(part) is TypeVar for part in parts_of((type_,))):
        return type_
    declared = {p for function in inference.module.functions.values() for p in function.type_params}
    made = [p for p in loose(type_, ()) if type(p) is TypeVar and p not in declared]
    return substitute(type_, {p: fresh() for p in made}, [])


def edits_of(leaf: Any, needed: Any, other: Inference, shapes: Sequence[tuple[Any, ...]] = ()) -> Iterator[Edit]:
    """Edits that give `leaf` the type `needed`, likely ones first; `other` is the inference that did not read it.

    Of lists that are like one of some `shapes`, that is likely.
    """
    if type(leaf) is Constant:
        if type(needed) is TensorType and type(needed.dtype) is str and needed.dtype != leaf.tensor_type.dtype:
            if type(needed.shape) in VARIABLES or needed.shape == leaf.tensor_type.shape:
                yield Edit("the constant", needed)
    elif type(leaf) is TupleGetItem:
        known = other.driver.store.reify(other.generator.types[id(leaf.tuple_value)])
        fields = known.fields if type(known) is TupleType and type(known.fields) is tuple else ()
        yield from (Edit("the index", i) for i, field in enumerate(fields) if field == needed)
    else:
        yield from _attributes(leaf, needed, other, shapes)


def _attributes(call: Call, needed: Any, other: Inference, shapes: Sequence[tuple[Any, ...]]) -> Iterator[Edit]:
    rules = other.driver.rules
    operator = rules.operators.get(call.op.name)  # type: ignore[attr-defined]
    if operator is None:
        return
    arguments = tuple(known_of(a, other) for a in call.args)
    inputs = (TupleType(arguments),) if operator.variadic else arguments
    key, of_any_result = canonical((*inputs, needed), {}), canonical((*inputs, fresh()), {})
    given = without_type_key(call.given)

    def fitting(name: str, value: Any, key: tuple[Any, ...]) -> Any:
        """The types of the call with this value of an attribute, None if there are none. Raises _TooOpen."""
        try:
            attrs = other.driver.attrs_of(operator, call, {**given, name: value})
            if isinstance(attrs, Open):
                raise _TooOpen
            answers = solve_site(rules, operator.relation, key, attrs).answers
        except (AttributeProblem, RuleError):
            return None
        return answers[0].terms if answers else None

    usual, further = _options(call, operator, needed, arguments, shapes, other.module)
    try:
        for nth, edit in enumerate([*sorted(usual, key=_unlikely), *sorted(further, key=_unlikely)]):
            fits = fitting(edit.what, edit.value, key)
            if fits is None or (nth >= len(usual) and getattr(fits[-1], "shape", None) not in shapes):
                continue
            if _rank(fits) <= 2 * _rank(key) + FEW_AXES:
                alike = _numbers_like(edit)
                alone = bool(alike) and all(fitting(edit.what, n, of_any_result) is None for n in alike)
                yield replace(edit, alone=alone)
    except _TooOpen:
        return


def _is_sayable(name: str, call: Call) -> bool:
    """Whether the text, if there is one, may say an attribute of a call: an ONNX node says those that it has."""
    span = call.span
    operator = call.op.name  # type: ignore[attr-defined]
    if span is None or not span.source.has_text or span.source.text.startswith(operator, span.start):
        return True
    return re.search(rf"\b{re.escape(name)}\b", span.text) is not None


class _TooOpen(Exception):
    """Other attributes of a call are not known: too much is possible."""


def _numbers_like(edit: Edit) -> list[int]:
    """Numbers that an attribute could be as well as it is meant to be, if it is a number that is left out here, and not
    in calls like this one. Of 0 and 1 nothing is told: an axis is one of a few."""
    if edit.written or edit.support < edit.precedent or type(edit.value) is not int or edit.value < 2:
        return []
    value = edit.value
    return [n for n in dict.fromkeys((*range(4), value - 1, value + 1, 2 * value)) if n != value]


def _unlikely(edit: Edit) -> tuple[Any, ...]:
    """How unlikely an edit is: a number that was forgotten is meant sooner than a layout or a dtype, and a word than
    none."""
    is_word = type(edit.value) is str and not (edit.written and edit.value)
    return not edit.likely, -edit.support, not edit.written, is_word, edit.value is None


def _rank(terms: tuple[Any, ...]) -> int:
    """The highest rank of the tensors in some types: an edit that makes hundreds of axes is none that anybody meant."""
    shapes = [term.shape for term in terms if type(term) is TensorType]
    return max([len(shape) for shape in shapes if type(shape) is tuple], default=0)


def _options(
    call: Call,
    operator: Operator,
    needed: Any,
    arguments: Any,
    shapes: Sequence[tuple[Any, ...]],
    module: IRModule,
) -> tuple[list[Edit], list[Edit]]:
    """Other values for the attributes of a call, those that like calls have first; then further ones of attributes that
    are not written."""
    given = call.given or {}
    others = [
        node
        for function in module.functions.values()
        for node in post_order(function)
        if type(node) is Call and type(node.op) is Op and node.op.name == operator.name and node is not call
    ]
    fields = needed.fields if type(needed) is TupleType and type(needed.fields) is tuple else ()
    own_shapes = [getattr(t, "shape", ()) for t in (needed, *fields, *arguments)]
    extents = [e for shape in own_shapes if type(shape) is tuple for e in shape if type(e) is int]
    seen: set[tuple[str, str]] = set()

    def edits(name: str, attribute: Attribute, rounds: str) -> Iterator[Edit]:
        """Other values of one attribute."""
        own = given.get(name, attribute.omitted)
        seen.add((name, repr(own)))
        alike = [repr(n.given.get(name, attribute.omitted)) for n in others if n.given and _alike(n.given, given, name)]
        values: Iterable[Any] = ()
        omitted = [attribute.omitted] if attribute.may_be_omitted else []
        is_large = type(own) is int and own > NEARBY and attribute.universe != "axis"  # what is near is likelier then
        if rounds == "others":
            said = [n.given.get(name, attribute.omitted) for n in others if n.given]
            values = said if is_large else [*said, *omitted]
        elif (rounds == "written") == (name in given):
            is_none = own is None or (name not in given and not attribute.may_be_omitted)
            kind = attribute.kind
            values = (
                _instead_of_none(kind, extents, arguments, needed)
                if is_none
                else chain(other_values(own, extents, needed, shapes), omitted)
            )
        for value in values:
            if (name, repr(value)) not in seen and not _is_never_meant(attribute, own, value, given):
                seen.add((name, repr(value)))
                yield Edit(name, value, own, name in given, alike.count(repr(value)), alike.count(repr(own)))

    usual: list[Edit] = []
    further: list[Edit] = []
    for rounds in ("others", "written", "default"):
        # A list has hundreds of neighbours: the first ones of each attribute come before more of any.
        of_each = [edits(name, attribute, rounds) for name, attribute in operator.attributes.items()]
        found = (
            edit for nth in zip_longest(*of_each) for edit in nth if edit is not None and _is_sayable(edit.what, call)
        )
        left = TRIES - len(usual)
        more = list(islice(found, max(left, OMITTED) if rounds == "default" else left))
        usual, further = [*usual, *more[:left]], more[left:]
    return usual, further


def _is_never_meant(attribute: Attribute, own: Any, value: Any, given: Mapping[str, Any]) -> bool:
    """Whether nobody means a value of an attribute: an order that leaves all as it is, no axes in place of some, a
    padding in which a whole window would lie, strides that leave something out between two windows, wide strides and
    dilations where none are written."""
    if not isinstance(value, (tuple, list)):
        return False
    if attribute.universe == "order":
        return list(value) == [*range(len(value))]
    if attribute.universe == "axes":
        return not value and bool(own)
    window = given.get("kernel_size", given.get("pool_size"))
    widest = max(window, default=0) if isinstance(window, (tuple, list)) and _are_numbers(window) else 0
    if not _are_numbers(value) or attribute.name not in ("padding", "strides", "dilation"):
        return False
    most = max(value, default=0)
    if attribute.name == "padding":
        return most >= widest > 0
    if attribute.name not in given:
        return most > SMALL
    return attribute.name == "strides" and widest > 0 and most > max(widest, SMALL)


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(type(value) is int for value in values)


def _instead_of_none(kind: str, extents: list[int], arguments: Any, needed: Any) -> Iterator[Any]:
    """Values for an attribute that is not given: the dtype that is needed, small numbers, the extents that are needed,
    or one or two axes of the first argument."""
    if kind in ("int", "integer", "dim"):
        yield from (0, 1, -1, *extents[:4])
    elif kind == "dtype" and type(getattr(needed, "dtype", None)) is str:
        yield needed.dtype
    elif kind == "list":
        if type(needed) is TensorType and type(needed.shape) is tuple and is_ground(needed.shape):
            yield needed.shape
        shape = getattr(arguments[0], "shape", ()) if arguments else ()
        axes = range(min(len(shape), FEW_AXES)) if type(shape) is tuple else ()
        yield from ((axis,) for axis in axes)
        yield from combinations(axes, 2)


def _uniform(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) > 1 and all(v == value[0] for v in value)


def _alike(attrs: dict[str, Any], given: dict[str, Any], name: str) -> bool:
    """Whether two calls have the same attributes but for one, and for numbers such as a count of channels."""
    names = {*attrs, *given} - {name}
    return all(attrs.get(n) == given.get(n) for n in names if type(given.get(n, attrs.get(n))) is not int)
