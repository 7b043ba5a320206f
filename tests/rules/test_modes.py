"""A call is its mode and its numbers: it can be made again of them. So it is with attributes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from relaylogic.logic.terms.numbers import UNKNOWN
from relaylogic.logic.terms.rebuilding import instantiate
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import Attrs, load_rules
from relaylogic.rulebase.specialised.about import AboutRelations
from relaylogic.rulebase.specialised.modes import Natural, argument_of, of_dtypes, parts_of
from relaylogic.types import TensorType, TupleType
from tests.effort import examples

DTYPES = "bool", "int8", "float32"
RULES = load_rules()
ABOUT = AboutRelations(RULES)


def tensor(draw: random.Random, slots: list[Any]) -> Any:
    """Some extents are numbers, some `?`, some open."""
    shape: list[Any] = []
    for _ in range(draw.randrange(4)):
        shape.append(draw.choice((draw.randrange(5), draw.randrange(5), UNKNOWN, None)))
        if shape[-1] is None:
            slots.append(slot(len(slots)))
            shape[-1] = slots[-1]
    return TensorType(tuple(shape), draw.choice(DTYPES))


def inputs_of_a_call(draw: random.Random) -> tuple[Any, ...]:
    """Inputs that are open, tensors, and tuples of tensors."""
    slots: list[Any] = []
    inputs: list[Any] = []
    for _ in range(draw.randrange(4)):
        kind = draw.randrange(6)
        if kind == 0:
            slots.append(slot(len(slots)))
            inputs.append(slots[-1])
        elif kind == 1:
            inputs.append(TupleType(tuple([tensor(draw, slots) for _ in range(draw.randrange(4))])))
        else:
            inputs.append(tensor(draw, slots))
    return tuple(inputs)


@pytest.mark.parametrize("seed", range(examples(200)))
def test_inputs_are_their_parts_with_numbers_and_dtypes(seed: int) -> None:
    inputs = inputs_of_a_call(random.Random(seed))
    numbers: list[int] = []
    dtypes: dict[str, int] = {}
    parts = parts_of(inputs, numbers, dtypes)
    assert parts is not None and list(dtypes.values()) == list(range(len(dtypes)))
    left: list[Any] = list(numbers)
    assert tuple([argument_of(part, left, 0, 0) for part in of_dtypes(parts, tuple(dtypes))]) == inputs and not left
    others = tuple([f"other{number}" for number in dtypes.values()])
    assert parts_of(tuple([argument_of(p, [*numbers], 0, 0) for p in of_dtypes(parts, others)]), [], {}) == parts


@pytest.mark.parametrize("seed", range(examples(200)))
def test_attributes_are_their_form_with_numbers(seed: int) -> None:
    """Those that differ in numbers that may be left open have one form."""
    draw = random.Random(seed)
    operator = draw.choice([op for op in RULES.operators.values() if op.attributes])
    declared = ABOUT.declarations(operator.relation)
    values = (None, True, 0, 1, 2, 7, -1, (), (0,), (3, 1), (-1, 2), (4, -3, 0), ((0, 1), (2, 3)), ((-1, 0),), "a", 0.5)
    attrs = Attrs({name: draw.choice(values) for name in operator.attributes})
    natural = Natural(attrs, declared, ())
    assert len(natural.least) == len(natural.numbers)
    assert all(number >= low for number, low in zip(natural.numbers, natural.least, strict=True))
    opened, after = natural.values(0)
    assert after == len(natural.numbers)
    again = {**natural.others, **dict(zip(natural.names, instantiate(tuple(opened), dict(enumerate(natural.numbers)))))}
    assert Attrs({name: again[name] for name in operator.attributes}) == attrs
    larger = instantiate(tuple(opened), {i: number + 1 for i, number in enumerate(natural.numbers)})
    others = {**natural.others, **dict(zip(natural.names, larger, strict=True))}
    changed = Natural(Attrs({name: others[name] for name in operator.attributes}), declared, ())
    assert changed.key == natural.key and changed.asked(()) == natural.asked(())
    assert changed.numbers == [number + 1 for number in natural.numbers]
    without = Natural(attrs, declared, tuple(natural.others))
    assert without.others == natural.others and without.names == natural.names
