"""How many what-if inferences are made for an answer, and what is left of them."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from relaylogic.explain.blame.diagnosis import beside, beyond
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.relaxation import Relaxation
from relaylogic.text import parse

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
