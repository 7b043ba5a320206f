"""Lists too long to be made: what holds of them is unknown, and no memory is spent. Long ones take little of it."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic import infer, parse
from relaylogic.logic import addo, copies, eq, fail, fresh, fresh_list, lall, lany, lengtho, mapo
from relaylogic.logic.control import StepLimit
from relaylogic.logic.search.search import search
from tests.effort import examples, some


def test_lists_of_a_thousand_million_are_not_made():
    for make in (fresh_list, lambda count: copies(1, count)):
        with pytest.raises(StepLimit):
            make(10**9)
    items = fresh()
    assert search([("", lengtho(items, 10**9))], (items,), steps=1000).limit == "step limit"


@pytest.mark.parametrize(
    "call",
    [
        "expand_dims(%x, axis=0, num_newaxis=1000000000)",
        "split(%x, indices_or_sections=1000000000, axis=1)",
        "dyn.reshape(%x, %y, newshape=None)",
    ],
)
def test_calls_that_ask_for_them_are_unknown(call):
    text = f"def @main(%x: Tensor[(2, 2000000000), int8], %y: Tensor[(1000000000), int64]) {{ {call} }}"
    for closed in (False, True):
        result = relaylogic.infer(text, closed=closed)
        assert result.verdict == "unknown"
        assert [item.limit for item in result.residue] == ["step limit"]


# ---- element-wise relations on long lists


ROWS = {
    "same": eq,
    "either": lambda a, b: lany(eq(a, b), lall(eq(a, 1), eq(b, 2))),
    "next": lambda a, b: addo(a, 1, b),
    "never": lambda a, b: fail,
    "one": lambda a, b: eq((a, b), (1, 2)),
    "either or open": lambda a, b: lany(eq(a, 7), eq(b, b)),
}


def one_by_one(relate, *lists):
    """What `mapo` says, by kanren's conjunction of the rows."""
    return lall(*[relate(*row) for row in zip(*lists, strict=True)])


@pytest.mark.parametrize("many", [200, 0])
@settings(max_examples=examples(300))
@given(data=st.data())
def test_element_wise_relations_say_what_their_rows_say(many, data):
    name = data.draw(st.sampled_from(sorted(ROWS)))
    shared = fresh_list(3)
    element = st.one_of(st.integers(0, 3), st.sampled_from(shared))
    columns = [tuple(data.draw(st.lists(element, min_size=3, max_size=3))) for _ in range(2)]
    before = data.draw(st.sampled_from([eq(0, 0), eq(shared[0], 1), addo(shared[0], 1, shared[1])]))
    opened = data.draw(st.sampled_from([None, 0, 1]))
    lists, given_lists, extra = list(columns), list(columns), []
    if opened is not None:  # a list of which nothing is known but that it is equal to the column afterwards
        lists[opened] = fresh()
        extra = [eq(lists[opened], columns[opened])]
    asked = (shared, *columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("relaylogic.logic.search.elementwise.MANY", many)  # beyond it, one answer chooses for all rows
        ours = relaylogic.run(0, asked, before, mapo(ROWS[name], *lists), *extra)
    plain = relaylogic.run(0, asked, before, one_by_one(ROWS[name], *given_lists))
    assert sorted(map(str, ours)) == sorted(map(str, plain))


def test_open_rows_come_in_the_order_of_their_answers(monkeypatch):
    columns = (fresh_list(3), (1, 2, 3))
    either = mapo(ROWS["either or open"], *columns)
    before = [answer.terms for answer in search([("", either)], (columns,)).answers]
    monkeypatch.setattr("relaylogic.logic.search.elementwise.MANY", 2)
    assert [answer.terms for answer in search([("", either)], (columns,)).answers] == before
    assert len(before) > 2


def measured(program, warm):
    """The result for a program and the bytes that it takes at the peak, when `warm` was inferred before."""
    infer(warm)
    tracemalloc.start()
    try:
        result = infer(program)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return result, peak


def test_addition_of_high_rank_to_what_is_not_known_takes_little_memory():
    dims = ", ".join(["3"] * 400)
    program = parse(f"def @main(%x: Tensor[({dims}), int8], %y) {{ add(%x, %y) }}")
    result, peak = measured(program, warm="def @main(%x: int8) { add(%x, %x) }")
    assert result.verdict == "typed" and peak < 2 << 20


def test_a_refusal_of_high_rank_is_explained():
    dims = ", ".join(["3"] * 300)
    result = infer(f"def @main(%x: Tensor[({dims}), int8], %y: Tensor[({dims[:-1]}4), int8]) {{ add(%x, %y) }}")
    (error,) = result.errors
    assert error.relation == "Broadcast" and len(error.related) == 2


@pytest.mark.parametrize(("rank", "most"), some([(20_000, 60), (5_000, 20)], 2))
@pytest.mark.parametrize("second", ["same", "half", "of any dtype"])
def test_addition_of_high_rank_takes_little_memory(rank, most, second):
    dims = ", ".join(str(2 + i % 3) for i in range(rank))
    half = ", ".join(str(2 + i % 3) for i in range(rank - rank // 2, rank))
    other = {"same": f"({dims}), int8", "half": f"({half}), int8", "of any dtype": f"({dims}), _"}[second]
    program = parse(f"def @main(%x: Tensor[({dims}), int8], %y: Tensor[{other}]) {{ add(%x, %y) }}")
    result, peak = measured(program, warm="def @main(%x: int8) { add(%x, %x) }")
    assert result.verdict == "typed" and str(result.functions["main"].ret_type) == f"Tensor[({dims}), int8]"
    assert peak < most << 20


@pytest.mark.parametrize("call", ["squeeze(%x)", "strided_slice(%x, begin=[0], end=[1])", "argmax(%x, axis=[1])"])
def test_what_leaves_no_choice_for_any_axis_takes_little_memory(call):
    dims = ", ".join(["1"] * 4_999 + ["3"])
    program = parse(f"def @main(%x: Tensor[({dims}), int8]) {{ {call} }}")
    result, peak = measured(
        program, warm="def @main(%x: Tensor[(1, 3), int8]) { (squeeze(%x), strided_slice(%x, begin=[0], end=[1])) }"
    )
    assert result.verdict == "typed" and peak < 30 << 20
