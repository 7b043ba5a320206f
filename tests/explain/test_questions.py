"""How many what-if inferences are made for an answer, and what is left of them."""

from __future__ import annotations

import gc
from operator import attrgetter
from random import Random
from weakref import ref

import pytest

from relaylogic.explain.blame.diagnosis import beside, beyond
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.consistent import Consistent
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.relaxation import Relaxation
from relaylogic.text import parse
from tests.conformance.planted import Case, cases
from tests.effort import some

REFUSING = {
    "a call": "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(4), int8]) { nn.relu(add(%x, %y)) }",
    "what unification refuses": "def @main(%x: Tensor[(2), int8]) -> Tensor[(3), int8] { nn.relu(%x) }",
    "a local function": "def @main(%x: Tensor[(2), int8]) { let %f = fn (%y) { add(%y, %x) }; (%f(%x), %f(1i64)) }",
    "a match": "type List[A] { Cons(A, List[A]), Nil } def @main(%l: List[int8]) -> int16 "
    "{ match (%l) { Cons(%h, %t) => %h, Nil => 1i8 } }",
    "open attributes": "def @main(%x: Tensor[(1, 3, 8), int8], %w) { nn.dense(nn.conv2d(%x, %w, channels=4), %w) }",
    "a function that calls itself": "def @f<n: ShapeVar>(%x: Tensor[(n), int8]) -> Tensor[(2), int8] { @f(%x) } "
    "def @main(%x: Tensor[(2, 3), int8]) { @f(%x) }",
}


def _said(text: str) -> Said:
    inference = Inference(parse(text))
    return Said(inference, inference.what_if)


@pytest.mark.parametrize("what", REFUSING)
def test_a_what_if_inference_goes_when_nobody_has_it_any_more(what: str) -> None:
    """It was a cycle, and what it refused kept the frames in which it was refused: collecting thousands took a third
    of the time of all errors of a program, and until then they took room."""
    said = _said(REFUSING[what])
    gc.disable()
    try:
        for kept in (said.all, *(said.all - {place} for place in said.all)):
            inference = said.inferred(kept)
            inference.failed(), inference.verdict(), [*map(inference.type_of, said.places.nodes["main"])]
            known = ref(inference.driver)
            del inference
            assert known() is None
    finally:
        gc.enable()


def _faults(number: int) -> str:
    params = ", ".join(f"%a{i}: Tensor[(2, {i + 3}), int8], %b{i}: Tensor[(2, {i + 4}), int8]" for i in range(number))
    calls = " ".join(f"let %x{i} = add(%a{i}, %b{i});" for i in range(number))
    return f"def @main({params}) {{ {calls} ({', '.join(f'%x{i}' for i in range(number))}) }}"


def test_whether_mends_go_together_is_asked_of_all_at_once() -> None:
    """It was asked after each: of n faults, n² times."""
    inference = Inference(parse(_faults(6)))
    questions: list[Relaxation] = []

    def what_if(relaxation: Relaxation) -> Inference:
        questions.append(relaxation)
        return inference.what_if(relaxation)

    said = Said(inference, what_if)
    found = diagnosed(said)
    assert len(found) == 6
    for diagnosis in found:
        questions.clear()
        rest = beside(said, found, diagnosis)
        assert len(questions) == 1
        one_by_one = said
        for other in found:
            if other is not diagnosis:
                one_by_one = beyond(one_by_one, other.best)
        assert rest.all == one_by_one.all and rest.relaxation(()) == one_by_one.relaxation(())


@pytest.mark.parametrize("seed", range(5))
def test_whether_more_is_known_to_be_consistent_as_brute_force(seed: int) -> None:
    draw = Random(seed)
    generous = frozenset(draw.sample(range(12), 3))
    known, consistent = [], Consistent()
    for _ in range(60):
        places = frozenset(draw.sample(range(12), draw.randint(0, 12)))
        more = any(places <= other and places & generous == other & generous for other in known)
        assert consistent.holds(places, generous) is more
        if draw.random() < 0.5:
            known.append(places)
            consistent.add(places, generous)


def test_what_says_less_than_something_consistent_is_not_asked_about() -> None:
    """Each question was asked that was not asked just so: of all conflicts and corrections, two thirds more."""
    text = (
        "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(4), int8], %z: Tensor[(2, 4), int8]) -> Tensor[(5), int8] "
        "{ let %a = add(%x, %y); let %b = nn.relu(%a); let %c = multiply(%b, %z); subtract(%c, %x) }"
    )
    inference = Inference(parse(text))
    said = Said(inference, inference.what_if)
    search = Conflicts(said)
    assert len([*search.each_conflict()]) > 2
    asked = [kept for kept, refused in said._known.items() if not (refused or said.is_unsure(kept))]
    before = said.questions
    for kept in asked:
        for place in kept:
            assert not said.refused(kept - {place})
    assert said.questions == before


@pytest.mark.parametrize("case", some(cases("programs"), 25), ids=attrgetter("name"))
def test_what_says_less_is_refused_only_without_a_generous_place(case: Case) -> None:
    """Consistent sets tell of others on this."""
    draw = Random(case.name)
    said = _said(case.text)
    for _ in range(3):
        more = said.saying(place for place in said.all if draw.random() < 0.9)
        if said.inferred(more).failed():
            continue
        for _ in range(3):
            less = said.saying(place for place in more if place in said.generous or draw.random() < 0.7)
            assert less & said.generous != more & said.generous or not said.inferred(less).failed()
