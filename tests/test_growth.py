"""What is asked of a program of twice the size takes about twice as many calls of functions: families of programs that
once took many times as many."""

from __future__ import annotations

from relaylogic import infer
from relaylogic.explain.places.said import Said
from relaylogic.explain.why.alone import Alone
from relaylogic.infer.program import Inference
from relaylogic.logic.terms.notation import OPENING
from relaylogic.logic.terms.poly import place_of
from relaylogic.text import parse, parse_type
from relaylogic.typings.query import query
from tests.counted import growth


def lets(number: int, call: str, given: str, **more: str) -> str:
    """A chain of so many calls; `{0}` is the one before, `more` are parameters for each, `{i}` its place."""
    names = "".join(f", %{name}{i}: {type_}" for i in range(number) for name, type_ in more.items())
    calls = "".join(f"let %x{i + 1} = {call.format(f'%x{i}', i=i)};" for i in range(number))
    return f"def @main(%x0: {given}{names}) {{ {calls} %x{number} }}"


def test_what_stands_in_a_number_again_and_again_is_put_in_its_order_by_what_it_starts_with() -> None:
    """As text, each number of such a row is several times as long as the one before, until it is in normal form."""

    def inferred(length: int) -> None:
        call = "strided_slice({0}, begin=[1], end=[1000], strides=[2])"
        result = infer(parse(lets(length, call, "Tensor[(_), float32]")))
        assert result.verdict == "typed" and len(str(result.functions["main"])) < 100 * length

    assert growth(inferred, 16) < 3


def test_numbers_that_stand_in_each_other_are_told_and_replaced_however_deeply() -> None:
    """Python's stack ended at 80 slices of slices."""
    call = "strided_slice({0}, begin=[1], end=[1000], strides=[2])"
    result = infer(parse(lets(200, call, "Tensor[(_), float32]")))
    assert result.verdict == "typed" and str(result.functions["main"]).endswith(" + 1) // 2), float32]")


def test_minima_within_each_other_are_told_level_by_level() -> None:
    """With each level, it took twice as long: of 12, minutes."""

    def asked(depth: int) -> None:
        minima = "n"
        for level in range(depth):
            minima = f"min({minima} // 2 + a{level}, b{level} * {level + 2})"
        assert len(list(query(f"x = {minima}"))) == 1

    assert growth(asked, 8) < 3.5


def test_numbers_that_are_too_long_to_be_told_have_places_of_their_own() -> None:
    """Those that begin with the same characters are told apart by what they are made of."""

    extent = "n"
    for _ in range(100):
        extent = f"(n * {extent} + m) // 3"
    extents = ", ".join(f"({extent}) // {last}" for last in ("k", "n", "m", "k"))
    text = f"fn <n: ShapeVar, m: ShapeVar, k: ShapeVar>(Tensor[({extents}), int8]) -> int8"
    first, *others, again = map(place_of, parse_type(text).arg_types[0].shape)
    assert first == again and first not in others and others[0] != others[1]
    assert {text for text, _ in (first, *others)} == {first[0]} and len(first[0]) == OPENING


def test_of_codes_that_are_not_known_what_they_used_and_made_is_told_by_its_bounds() -> None:
    """It was told by all that they may use and make: there are n³ such, and each was gone on from at each code."""

    def why(rank: int) -> None:
        extents = ", ".join(["2"] * rank)
        module = parse(f"def @main(%x: Tensor[({extents}), int8]) {{ reshape(%x, newshape=[-1]) }}")
        assert len(infer(module).why(module["main"].body).places) == 3

    assert growth(why, 16) < 5


def test_which_arms_are_reached_is_told_of_all_at_once() -> None:
    """Each was looked for among all before it: of 1,600 it was given up, so that the program was `unknown`."""

    def inferred(number: int) -> None:
        few, many = ([f"{name}{i}" for i in range(count)] for name, count in (("A", 8), ("B", number)))
        arms = ", ".join(f"({a}, {b}) => 1" for a in few for b in many)
        types = f"type Few {{ {', '.join(few)} }} type Many {{ {', '.join(many)} }}"
        result = infer(parse(f"{types} def @main(%few: Few, %many: Many) {{ match ((%few, %many)) {{ {arms} }} }}"))
        assert result.verdict == "typed" and not result.warnings

    assert growth(inferred, 32) < 2.3


def test_types_that_hold_each_other_are_looked_through_together() -> None:
    """What is known was put into each of them anew, and into all that it holds."""

    def looked(depth: int) -> None:
        lets = "".join(f"let %x{i + 1} = (%x{i}, %x{i});" for i in range(depth))
        inference = Inference(parse(f"def @main(%x0) {{ {lets} %x{depth} }}"))
        alone = Alone.of(Said(inference, inference.what_if), "main")
        assert alone is not None and alone.is_cut

    assert growth(looked, 100) < 2.5


def test_what_is_free_in_functions_within_functions_is_found_once() -> None:
    """It was looked for in each of them, through all that it holds."""

    def inferred(depth: int) -> None:
        before = "".join(f"let %f{i} = fn (%a{i}) {{ " for i in range(depth))
        behind = "".join(f" }}; %f{i}(%x)" for i in reversed(range(depth)))
        assert infer(parse(f"def @main(%x: Tensor[(2, 3), int8]) {{ {before}%x{behind} }}")).verdict == "typed"

    assert growth(inferred, 64) < 2.3


def test_what_calls_say_of_any_arguments_is_told_along_a_chain_at_once() -> None:
    """Call by call it was found that something else is known of one, and all types were walked again after each."""

    def inferred(number: int) -> None:
        text = lets(number, "add({0}, %w{i})", "Tensor[(5, 3), float32]", w="_")
        result = infer(parse(text))
        assert result.verdict == "typed" and str(result.functions["main"]).count("Broadcast(") == number

    assert growth(inferred, 64) < 2.3


def test_the_type_of_a_tuple_is_looked_up_once_for_all_its_fields() -> None:
    """What the refusal of a call rests on was followed from each field to the tuple, whose type was read anew."""

    def explained(number: int) -> None:
        params = ", ".join(f"%a{i}" for i in range(number))
        body = f"let %c = concatenate(({params}), axis=0); let %z: Tensor[(2, 4), float32] = %c; (nn.relu(%a0), %z)"
        result = infer(parse(f"def @main({params}) -> (Tensor[(2, 5), float32], Tensor[(2, 4), float32]) {{ {body} }}"))
        assert len(next(iter(result.conflicts())).places) > 2

    assert growth(explained, 128) < 2.3
