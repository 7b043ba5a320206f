"""Small edits of a leaf of a program that would give it the type that the rest wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unification import Var

from ..infer.callsite import solve_site
from ..ir import Call, Constant, IRModule, Op, TupleGetItem, post_order
from ..logic.search import canonical
from ..rulebase import AttributeProblem, RuleError
from ..types import TensorType, TupleType

if TYPE_CHECKING:
    from ..infer.program import Inference

__all__ = ["Edit", "edit_of"]

TRIES = 80
"""How many values of attributes of one call are tried."""

Edit = tuple[str, Any, Any]
"""What to change, the value it should have, and how many calls of the same operator have that value."""


def edit_of(leaf: Any, needed: Any, other: Inference) -> Edit | None:
    """An edit that gives `leaf` the type `needed`, in the inference `other` that did not read the leaf; None if none does."""
    if type(leaf) is Constant:
        scalar = type(needed) is TensorType and type(needed.dtype) is str and type(needed.shape) in (tuple, Var)
        return ("the constant", needed, 0) if scalar and needed.shape in ((), leaf.tensor_type.shape) or (
            scalar and type(needed.shape) is Var
        ) else None
    if type(leaf) is TupleGetItem:
        known = other.driver.store.reify(other.generator.types[id(leaf.tuple_value)])
        fields = known.fields if type(known) is TupleType and type(known.fields) is tuple else ()
        for index, field in enumerate(fields):
            if field == needed:
                return ("the index", index, 0)
        return None
    return _attribute(leaf, needed, other)


def _attribute(call: Call, needed: Any, other: Inference) -> Edit | None:
    rules, store, types = other.driver.rules, other.driver.store, other.generator.types
    operator = rules.operators.get(call.op.name)  # type: ignore[attr-defined]
    if operator is None:
        return None
    arguments = tuple(store.reify(types[id(a)]) for a in call.args)
    if operator.variadic:
        arguments = (TupleType(arguments),)
    key = canonical((*arguments, needed), {})
    for name, value, weight in _values(call, tuple(operator.attributes.values()), needed, arguments, other.module):
        given = {n: v for n, v in (call.attrs or {}).items() if n != "attrs_type_key"}
        try:
            fits = solve_site(rules, operator.relation, key, operator.attrs({**given, name: value})).answers
        except (AttributeProblem, RuleError):
            continue
        if fits:
            return name, value, weight
    return None


def _values(call: Call, attributes: Any, needed: Any, arguments: Any, module: IRModule) -> Iterator[tuple[str, Any, int]]:
    """Other values for the attributes of a call, those that like calls have first."""
    given = call.attrs or {}
    values: dict[str, Any] = {}
    alike: dict[str, Counter[str]] = {a.name: Counter() for a in attributes}
    for function in module.functions.values():
        for node in post_order(function):
            if type(node) is Call and type(node.op) is Op and node.op.name == call.op.name and node is not call:  # type: ignore[attr-defined]
                for attribute in attributes:
                    value = (node.attrs or {}).get(attribute.name, attribute.default)
                    values.setdefault(repr(value), value)
                    alike[attribute.name][repr(value)] += 1
    count = 0
    shapes = [getattr(t, "shape", ()) for t in (needed, *arguments)]
    extents = [e for shape in shapes if type(shape) is tuple for e in shape if type(e) is int]
    for attribute in attributes:
        own = given.get(attribute.name, attribute.default)
        seen = {repr(own)}
        options = [(values[key], n) for key, n in alike[attribute.name].most_common(3)]
        if not attribute.required:
            options.append((attribute.default, 0))
        options += [(value, 0) for value in _near(own, extents, needed)]
        for value, weight in options:
            if repr(value) not in seen:
                seen.add(repr(value))
                count += 1
                if count > TRIES:
                    return
                yield attribute.name, value, weight


def _near(value: Any, extents: list[int], needed: Any) -> Iterator[Any]:
    """Values of the kind of `value`."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (0, 1, -1, 2, 3, value + 1, value - 1, *extents[:4])
    elif isinstance(value, str):
        if value.isupper():  # a layout
            yield from (value[i:] + value[:i] for i in range(1, len(value)))
            yield from (value[:1] + value[2:] + value[1:2], value[:1] + value[-1:] + value[1:-1])
        elif type(getattr(needed, "dtype", None)) is str:
            yield needed.dtype
        else:
            yield from ("float32", "int32", "bool")
    elif isinstance(value, (tuple, list)) and all(type(v) is int for v in value):
        sequence = tuple(value)
        yield from ((k,) * len(sequence) for k in (0, 1, 2))
        if type(needed) is TensorType and type(needed.shape) is tuple and len(needed.shape) == len(sequence):
            yield needed.shape
        for i in range(len(sequence)):
            for k in (0, 1, 2, 3, *extents[:4]):
                yield (*sequence[:i], k, *sequence[i + 1 :])
        yield sequence[:-1]
        yield tuple(reversed(sequence))
        for k in (0, 1):
            yield (*sequence, k)

