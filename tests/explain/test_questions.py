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
from relaylogic.infer.sites.relaxation import BRISK, Relaxation
from relaylogic.text import parse
from tests.conformance.planted import Case, cases, mistakes
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
    """Consistent sets tell of others on this; not where there is a `?`, in whose place no number may do."""
    draw = Random(case.name)
    said = _said(case.text)
    for _ in range(3):
        more = said.saying(place for place in said.all if draw.random() < 0.9)
        inference = said.inferred(more)
        if inference.failed() or inference.meets_unknown() or said._is_gradual:
            continue
        for _ in range(3):
            less = said.saying(place for place in more if place in said.generous or draw.random() < 0.7)
            assert less & said.generous != more & said.generous or not said.inferred(less).failed()


MANY_FUNCTIONS = [
    case for case in [*cases("programs"), *mistakes()] if case.text.count("def @") > 1 and len(case.text) < 3_000
]


@pytest.mark.parametrize("case", some(MANY_FUNCTIONS, 12), ids=attrgetter("name"))
def test_what_is_refused_is_the_same_whatever_is_remembered_of_functions(case: Case) -> None:
    draw = Random(case.name)
    inference = Inference(parse(case.text))
    if inference.verdict() != "refuted":
        return
    said = Said(inference, inference.what_if)
    for _ in range(12):
        kept = said.saying(place for place in said.all if draw.random() < 0.9)
        remembered = said._inferred_there(kept, BRISK)
        anew = said.what_if(said.looking_at(kept))
        assert [site.identity for site in remembered.failed()] == [site.identity for site in anew.failed()]
        assert remembered.is_cut() == anew.is_cut() and remembered.gives_up() == anew.gives_up()


def test_where_there_is_an_extent_of_which_nothing_is_known_more_may_be_refused_of_less() -> None:
    """Without the annotation of %b there is a number in the place of its `?`, and no number does. A set that says less
    than one that holds with the `?` was not asked about, and conflicts were not minimal."""
    (case,) = [case for case in cases("programs") if case.name == "any_list_of_rows-dim"]
    said = _said(case.text)
    conflicts = [*Conflicts(said).each_conflict()]
    assert len(conflicts) == 7
    for conflict in conflicts:
        assert said.inferred(conflict).failed()
        assert not any(said.inferred(said.saying(conflict - {place})).failed() for place in conflict)


def test_a_function_that_says_what_it_said_before_is_not_inferred_anew() -> None:
    """Each question inferred all functions, though most differ in what one of them says."""
    helpers = " ".join(f"def @f{i}(%x: Tensor[(2, 3), int8]) {{ nn.relu(add(%x, %x)) }}" for i in range(8))
    calls = " ".join(f"let %y{i} = @f{i}(%x);" for i in range(8))
    said = _said(f"{helpers} def @main(%x: Tensor[(2, 3), int8]) -> Tensor[(4), int8] {{ {calls} add(%y0, %y7) }}")
    main = [place.index for place in said.places if place.owner == "main"]
    said.refused(said.all - {main[0]})
    inferred = said._inferred_there(said.all - {main[1]}, BRISK)
    helper = said.whole.module["f3"]
    assert inferred.type_of(helper.body) is None and inferred.type_of(helper) == said.whole.type_of(helper)
