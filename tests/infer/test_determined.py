"""What the calls of a program determine together: found by refutation, unless drawn types tell that it is not so."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

from relaylogic import infer
from relaylogic.infer.open import determined, inhabited
from relaylogic.infer.open.witnesses import drawn_witnesses, holds
from tests.effort import some

EXTENTS = 1, 2, 3
"""The universe of the open extents of inputs."""
SEEDS = some(range(1_000_001, 1_000_081), 16)


def wide(seed: int) -> str:
    """A program of element-wise calls over open extents."""
    draw = random.Random(seed)
    shapes = [*(draw.choice(["(_, 4)", "(_, 1)", "(1, 4)"]) for _ in range(3)), "(_, 1)"]
    names = ["%x0", "%x1", "%x2"]
    lines = []
    for index in range(draw.randint(2, 6)):
        a, b = draw.choice(names[-4:]), draw.choice(names[-4:])
        calls = [
            f"add({a}, {b})",
            f"where(%x3, {a}, {b})",
            f"concatenate(({a}, {a}), axis=0)",
            f"nn.pad({a}, 0f, pad_width=[[1, 0], [0, 0]])",
            f"strided_slice({a}, begin=[1], end=[9], strides=[1], axes=[0])",
        ]
        lines.append(f"  let %v{index} = {draw.choice(calls)};")
        names.append(f"%v{index}")
    parameters = ", ".join(f"%x{i}: Tensor[{s}, {'bool' if i == 3 else 'float32'}]" for i, s in enumerate(shapes))
    return f"def @open({parameters}) {{\n" + "\n".join(lines) + f"\n  {names[-1]}\n}}\n"


def check_wherever_it_has_types(text: str) -> None:
    """What a program says of open extents is what it says where these are known."""
    count = len(re.findall(r"\b_\b", text))
    is_refuted = infer(text).verdict == "refuted"
    for values in product(EXTENTS, repeat=count):
        extents = iter(values)
        closed = re.sub(r"\b_\b", lambda _, extents=extents: str(next(extents)), text)  # type: ignore[misc]
        alone = infer(closed.replace("@open", "@main"))
        if is_refuted:
            assert alone.verdict == "refuted", values
            continue
        parameters = closed[closed.index("(") : closed.index(" {")]
        given = ", ".join(re.findall(r"%x\d", parameters))
        called = infer(f"{text}def @main{parameters} {{ @open({given}) }}")
        assert called.verdict == alone.verdict, values
        if alone.verdict == "typed":
            assert called.functions["main"].ret_type == alone.functions["main"].ret_type, values


@pytest.mark.parametrize("seed", SEEDS)
def test_what_calls_determine_is_so_wherever_they_have_types(seed: int) -> None:
    check_wherever_it_has_types(wide(seed))


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("add(tile(%x0, reps=[2]), repeat(%x0, repeats=2, axis=0))", "(2 * t1, 2 * t2)"),
        ("add(%x0, tile(%x0, reps=[2]))", "(t1, 2 * t2)"),
        ("add(%x0, transpose(%x0))", "(t3, t3)"),
        ("add(concatenate((%x0, %x0, %x0), axis=1), concatenate((%x0, %x0), axis=1))", "(t1, 3 * t2)"),
    ],
)
def test_one_call_determines_its_result_where_its_operands_depend_on_each_other(call: str, result: str) -> None:
    text = f"def @open(%x0: Tensor[(_, _), float32]) {{\n  {call}\n}}\n"
    found = infer(text)
    assert str(found.functions["open"].ret_type) == f"Tensor[{result}, float32]"
    check_wherever_it_has_types(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_drawn_types_satisfy_all_demands(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(demands, rules):
        for values in drawn_witnesses(demands, rules):
            assert all(holds(demand, values, rules) for demand in demands)
            yield values

    monkeypatch.setattr(determined, "drawn_witnesses", checked)
    assert infer(wide(seed)).verdict in ("typed", "refuted")


def test_what_was_found_out_is_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "def @main(%x: Tensor[(_, 4), float32], %y: Tensor[(_, 4), float32]) {\n"
        "  let %a = add(%x, %y);\n"
        "  let %b = nn.pad(%a, 0f, pad_width=[[1, 0], [0, 0]]);\n"
        "  let %c = add(%b, %y);\n"
        "  add(%c, %a)\n"
        "}\n"
    )
    first = infer(text).functions["main"]

    def refuse(*given: object) -> None:
        raise AssertionError("nothing is left to search for")

    monkeypatch.setattr(inhabited, "exists", refuse)
    assert str(infer(text).functions["main"]) == str(first)
