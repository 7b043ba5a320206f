"""Typings of programs: every assignment of types to the holes, each once."""

import itertools

import pytest

from relaylogic.rulebase import load_rules
from relaylogic.typings.program import count_typings, typings
from tests.counted import at_most

RULES = load_rules()


def chain(additions, rank, result):
    hole = f"Tensor[({', '.join('_' * rank)}), float32]"
    parameters = ", ".join(f"%x{i}: {hole}" for i in range(additions + 1))
    body = "%x0"
    for i in range(1, additions + 1):
        body = f"add({body}, %x{i})"
    return f"fn ({parameters}) -> Tensor[{result}, float32] {{ {body} }}"


def found(program, **bounds):
    return [str(typing) for typing in typings(program, rules=RULES, **bounds)]


def test_a_typing_names_the_holes():
    program = "fn (%x: Tensor[(2, 3), float32], %y) -> Tensor[(2, 3), float32] { add(%x, %y) }"
    assert [typing.texts["%y"] for typing in typings(program, rules=RULES)] == [
        "Tensor[(2, 3), float32]",
        "Tensor[(2, 1), float32]",
        "Tensor[(1, 3), float32]",
        "Tensor[(1, 1), float32]",
        "Tensor[(3), float32]",
        "Tensor[(1), float32]",
        "float32",
    ]


def test_a_program_without_holes_has_one_typing():
    assert found("fn (%x: int8) -> int8 { nn.relu(%x) }") == ["true"]


def test_a_refuted_program_has_none():
    assert found("fn (%x: int8) -> bool { nn.relu(%x) }") == []


def test_lets_and_results_are_holes():
    program = "def @main(%x: Tensor[(_), int8]) { let %y = nn.relu(%x); (%y, %y) }"
    assert found(program, max_dim=1) == [
        "%x = Tensor[(1), int8], %y = Tensor[(1), int8], @main = (Tensor[(1), int8], Tensor[(1), int8])"
    ]


def test_what_follows_without_a_choice_is_no_hole_unless_it_is_asked_for():
    program = "def @main(%x: Tensor[(2), int8]) {{ let %y{} = nn.relu(%x); (%y, %y) }}"
    assert found(program.format("")) == ["true"]
    assert found(program.format(": Tensor[(_), int8]")) == ["%y = Tensor[(2), int8]"]
    assert found(program.format(""), project=["@main"]) == ["@main = (Tensor[(2), int8], Tensor[(2), int8])"]


def test_holes_of_several_functions_are_told_apart():
    program = "def @f(%x) -> int8 { nn.relu(%x) } def @g(%x) -> bool { nn.relu(%x) }"
    assert found(program) == ["@f %x = int8, @g %x = bool"]


def test_a_default_is_one_typing_among_others():
    program = "fn (%x: Tensor[(2, 3), int8], %w) -> Tensor[(2, 4), int8] { nn.dense(%x, %w, units=4) }"
    assert (
        found(program, dtypes=["int8", "bool"])
        == [
            "%w = Tensor[(4, 3), int8]",
            "%w = Tensor[(4, 3), bool]",
        ]
        or len(found(program, dtypes=["int8", "bool"])) == 1
    )


def test_projections_wait_for_their_tuple():
    program = "fn (%t: (_, Tensor[(3), int8])) -> Tensor[(3), int8] { add(%t.0, %t.1) }"
    assert found(program) == [
        "%t = (Tensor[(3), int8], Tensor[(3), int8])",
        "%t = (Tensor[(1), int8], Tensor[(3), int8])",
        "%t = (int8, Tensor[(3), int8])",
    ]


@pytest.mark.parametrize("additions", [1, 2, 3, 4])
def test_a_chain_of_additions_has_one_typing_for_each_set_of_full_operands(additions):
    program = chain(additions, 1, "(6)")
    assert len(set(found(program))) == count_typings(program, rules=RULES) == 2 ** (additions + 1) - 1


def test_every_typing_is_accepted_by_inference_and_nothing_is_missed():
    from relaylogic.api import infer

    program = "fn (%x: {}, %y: {}, %z: {}) -> Tensor[(2, 2), int8] {{ add(nn.dense(%x, %y), %z) }}"
    shapes = [f"Tensor[({', '.join(map(str, s))}), int8]" for r in (1, 2) for s in itertools.product((1, 2), repeat=r)]
    expected = set()
    for types in itertools.product(shapes, repeat=3):
        if infer(program.format(*types), rules=RULES).verdict == "typed":
            expected.add("%x = {}, %y = {}, %z = {}".format(*types))
    holes = found(program.format("_", "_", "_"), max_rank=2, max_dim=2, dtypes=["int8"])
    # Inference was asked about ranks 1 and 2 only.
    assert {text for text in holes if not text.endswith("%z = int8")} == expected


def test_a_typing_shows_the_annotated_program():
    program = "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(_), float32]) { add(%x, %y) }"
    last = list(typings(program, rules=RULES))[-1]
    assert "add(%x, %y) /* ty=Tensor[(2, 3), float32] */" in last.annotated()
    assert "Broadcast(Tensor[(2, 3), float32], Tensor[(1), float32], Tensor[(2, 3), float32])" in last.explain()


def test_twenty_additions_of_rank_three_are_counted_and_come_at_a_steady_rate():
    program = chain(20, 3, "(4, 5, 6)")
    with at_most(2_000_000):
        assert count_typings(program, rules=RULES) == (2**21 - 1) ** 3 == 9_223_358_842_721_533_951
    stream = typings(program, rules=RULES)
    seen = set()
    for _ in range(5):
        with at_most(500_000):
            seen.update(str(typing) for typing in itertools.islice(stream, 100))
    assert len(seen) == 500


def test_a_long_chain_needs_no_recursion():
    assert count_typings(chain(120, 1, "(6)"), rules=RULES) == 2**121 - 1


def test_a_determined_extent_that_lies_outside_of_the_universe_is_named():
    found = typings("def @main(%x: Tensor[(_, 512), float32]) { nn.relu(%x) }", ground=True, max_dim=300)
    assert list(found) == []
    assert any("%x is Tensor[(_, 512), float32], which lies outside" in note for note in found.notes)
    inside = typings("def @main(%x: Tensor[(_, 5), float32]) { nn.relu(%x) }", ground=True, max_dim=6)
    assert len(list(inside)) == 6
    assert not any("outside" in note for note in inside.notes)


def test_an_attribute_that_is_determined_lies_within_its_bounds_as_one_that_is_chosen_does():
    """What an annotation made known of an attribute was listed, and what a condition did was not."""
    program = "def @main(%%x: Tensor[(%s), int8]) -> Tensor[(8), int8] { tile(%%x, reps=[_]) }"
    for most, expected in ((3, []), (4, ["[4]"])):
        bounds = {"max_dim": 8, "max_attr": most}
        chosen = typings(program % "_", where="%x = Tensor[(2), int8]", **bounds)
        determined = typings(program % "2", **bounds)
        assert [typing.texts["tile.reps"] for typing in chosen] == expected
        assert [typing.texts["tile.reps"] for typing in determined] == expected
        assert any("tile.reps is [4], which lies outside" in note for note in determined.notes) is (not expected)
    written = "def @main(%x: Tensor[(2), int8]) -> Tensor[(3, 40), int8] { tile(%x, reps=[_, 20]) }"
    assert [typing.texts["tile.reps"] for typing in typings(written, max_attr=3)] == ["[3, 20]"]
