"""Why a type is what it is: sets of places that force it, against brute force, and what is said of them."""

from __future__ import annotations

import json
import pickle
import random
import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.places.atoms import MISSING, atoms_of, part_of, partly, path_of, show_part
from relaylogic.explain.places.said import Said
from relaylogic.explain.why import sources
from relaylogic.explain.why.alone import Alone
from relaylogic.explain.why.questions import Asked
from relaylogic.explain.why.text import why_text
from relaylogic.explain.why.work import Work
from relaylogic.infer.program import Inference
from relaylogic.ir import Call, Function, Let, Op, post_order, structural_equal
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.terms import is_ground
from relaylogic.rulebase import default_rules
from relaylogic.text import parse_type
from relaylogic.types import TensorType, show_type
from tests.conformance.programs import lines, networks
from tests.counted import at_most
from tests.effort import examples, some
from tests.explain.drawn import matches, mixed

NET = """def @main(%x: Tensor[(1, 3, 8, 8), float32], %w1: Tensor[(16, 3, 3, 3), float32], %w2) {
  let %a = nn.conv2d(%x, %w1, padding=[1, 1]);
  let %b = nn.batch_flatten(nn.relu(%a));
  nn.dense(%b, %w2, units=10)
}"""
OPERATORS = (
    "nn.relu({0})",
    "add({0}, {1})",
    "nn.dense({0}, {1})",
    "transpose({0})",
    "({0}, {1})",
    "{0}.0",
    "{0}.1",
    "concatenate(({0}, {1}), axis=0)",
    "if (%c) {{ {0} }} else {{ {1} }}",
    "fn (%z) {{ nn.relu(%z) }}",
    "{0}({1})",
    "@g({0})",
)
TYPES = (
    "Tensor[(2, 2), float32]",
    "Tensor[(2, _), _]",
    "Tensor[(1, 2), float32]",
    "Tensor[_, float32]",
    "Tensor[(?, 2), _]",
)
ANNOTATIONS = ("", *(f": {text}" for text in TYPES))


@st.composite
def programs(draw):
    """A program of up to four parameters and five lines, that is typed or incomplete."""
    count = draw(st.integers(1, 3))
    names = [f"%p{i}" for i in range(count)]
    params = [f"{name}{draw(st.sampled_from(ANNOTATIONS))}" for name in names]
    out = []
    for i in range(draw(st.integers(1, 4))):
        operator = draw(st.sampled_from(OPERATORS))
        chosen = [draw(st.sampled_from(names)) for _ in range(2)]
        annotation = draw(st.sampled_from(("", "", "", ": Tensor[(2, 2), float32]")))
        out.append(f"let %v{i}{annotation} = {operator.format(*chosen)};")
        names.append(f"%v{i}")
    result = draw(st.sampled_from(("", "", " -> Tensor[(2, 2), float32]")))
    main = f"def @main(%c: bool, {', '.join(params)}){result} {{ {' '.join(out)} {names[-1]} }}"
    return "def @g(%x) { add(%x, %x) }\n" + main


WRITTEN = Path(__file__).parents[1] / "programs" / "written"


def expressions(module):
    """The expressions of a module, variables included, each once."""
    found = {}
    for function in module.functions.values():
        for node in post_order(function):
            found.setdefault(id(node), node)
            if type(node) is Let:
                found.setdefault(id(node.var), node.var)
            for parameter in node.params if type(node) is Function else ():
                found.setdefault(id(parameter), parameter)
    return list(found.values())


def said_of(text):
    inference = Inference(relaylogic.parse(text))
    return Said(inference, inference.what_if)


def numbers_of(why, said):
    """The numbers of the places of an answer; None if the words of several are the same."""
    found = []
    for label in why.places:
        places = [p for p in said.places if p.span == label.span and _words(label) == _kind_words(p)]
        if len(places) > 1:
            return None
        found.append(places[0].index)
    return frozenset(found)


def _words(label):
    return next((word for word in ("annotated", "condition") if word in label.message), "")


def _kind_words(place):
    return "annotated" if place.kind in ("annotation", "result") else "condition" if place.kind == "condition" else ""


def is_known(term):
    """Whether a type is there and nothing in it is open, type parameters that were made up included."""
    return term not in (None, MISSING) and is_ground(term) and not re.search(r"\bt\d+\b", show_part(term))


def forced(said, kept, expr, known):
    """Whether the program that says only what stands in some places gives an expression a type.

    What follows only when a function is generalised is found out there if all places do not suffice otherwise.
    """
    if said.inferred(said.all).type_of(expr) == known:
        return said.inferred(kept).type_of(expr) == known
    return said.what_if(replace(said.relaxation(kept), uncalled=True)).type_of(expr) == known


CALLED = """def @f(%x, %n: int8) {{ let %y = {0}; (%y, add(%x, %x)) }}
def @h(%x) {{ let %g = fn (%z{1}) {{ let %u = tanh(%z); {2} }}; (%g(%x), @f(%g(%x), 1i8).0) }}
"""


@st.composite
def calling(draw):
    """A program whose functions, with and without places of their own, call each other."""
    own = draw(st.sampled_from(("%x", "nn.relu(%x)", "(%x, %n)", "1f", "@f(%x, %n)")))
    inner = draw(st.sampled_from(("%z", "%u", "add(%u, %x)", "if (less(%u, %z)) { %u } else { %z }", "fn () { %u }")))
    use = draw(st.sampled_from(("@h(%p0)", "@f(%p0, 2i8)", "@f(%p0, 2i8).1", "@h")))
    used = CALLED.format(own, draw(st.sampled_from(ANNOTATIONS)), inner)
    return used + draw(programs()).replace("{ let %v0", f"{{ let %w = {use}; let %v0", 1)


@settings(max_examples=examples(250), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(programs(), calling(), matches(annotated=False), mixed()), data=st.data())
def test_what_is_dead_bears_on_no_type(text, data):
    module = relaylogic.parse(text)
    inference = Inference(module)
    said = Said(inference, inference.what_if)
    kept = data.draw(st.frozensets(st.sampled_from(range(len(said.places)))))
    expr = data.draw(st.sampled_from(expressions(module)))
    relaxation = said.relaxation(kept)
    whole = said.what_if(relaxation).type_of(expr)
    live = replace(relaxation, live=said.places.above(kept, expr), mentions=said.places.mentions)
    looked = said.what_if(live).type_of(expr)
    (expected,), (found,) = canonical((whole,), {}), canonical((looked,), {})
    assert found == expected or structural_equal(found, expected)


def test_an_annotation_of_what_a_function_comes_to_is_one_besides_its_result_type():
    """Another typing was taken to deny the result type alone, so that a place was needed for nothing."""
    text = (
        "def @main(%p, %q) -> Tensor[(2, 2), float32]"
        " { let %v = nn.relu(%p); let %w: Tensor[(2, 2), float32] = nn.relu(%p); %w }"
    )
    result = relaylogic.infer(text)
    why = result.why(result.module["main"].params[0])
    assert why.minimal and why.smallest
    assert [place.message.split(" ")[0] for place in why.places] == ["`%w`", "the"]
    assert why.places[1].span.start == text.rindex("nn.relu")


def test_the_type_of_a_function_is_made_of_those_of_its_parameters():
    """What stood between a parameter and the result was taken to be needed, as if there were no other way."""
    text = (
        "def @g(%x) { add(%x, %x) }\n"
        "def @main(%c: bool, %p: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { add(%p, @g(%p)) }"
    )
    result = relaylogic.infer(text)
    module = result.module
    inference = Inference(module)
    said = Said(inference, inference.what_if)
    why = result.why(module["main"])
    places = numbers_of(why, said)
    assert why.minimal and forced(said, places, module["main"], inference.type_of(module["main"]))
    assert sorted(said.places.all[place].kind for place in places) == ["annotation", "annotation", "result"]


@pytest.mark.parametrize("thorough", [False, True])
@settings(max_examples=examples(250), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(programs(), matches(annotated=False), mixed()), data=st.data())
def test_places_force_a_type_and_are_minimal_and_smallest_by_brute_force(thorough, text, data):
    result = relaylogic.infer(text)
    if result.verdict == "refuted":
        return
    module = result.module
    inference = Inference(module)
    said = Said(inference, inference.what_if)
    exprs = [e for e in expressions(module) if is_known(inference.type_of(e))]
    if not exprs or len(said.places) > 10:
        return
    expr = data.draw(st.sampled_from(exprs))
    known = inference.type_of(expr)
    why = result.why(expr, thorough=thorough)
    places = numbers_of(why, said)
    if places is None:
        return
    assert forced(said, places, expr, known)
    assert why.minimal or not thorough
    if why.minimal:
        assert not any(forced(said, places - {place}, expr, known) for place in places)
    if why.smallest:
        assert why.minimal
        for size in range(len(places)):
            assert not any(forced(said, frozenset(some), expr, known) for some in combinations(said.all, size))


@settings(max_examples=examples(200), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(programs(), matches(annotated=False), mixed()), data=st.data())
def test_what_is_solved_alone_is_what_a_relaxation_says(text, data):
    said = said_of(text)
    owners = said.places.owners
    exprs = [e for e in expressions(said.whole.module) if owners[id(e)] == "main"]
    expr = data.draw(st.sampled_from(exprs))
    kept = frozenset(data.draw(st.sets(st.sampled_from(sorted(said.all))))) if said.all else frozenset()
    alone = Alone.of(said, "main")
    found = None if alone is None else Asked(alone, expr, Work((), 10**9)).type_with(kept)
    if found is not None:
        known = said.inferred(kept).type_of(expr)
        for atom in atoms_of(said.whole.type_of(expr)):  # what is open may have been generalised there
            theirs, ours = part_of(known, atom), part_of(found, atom)
            assert is_known(theirs) == is_known(ours)
            assert not is_known(ours) or theirs == ours


def test_sixteen_comes_from_the_weight():
    result = relaylogic.infer(NET)
    (function,) = result.module.functions.values()
    why = result.why(function.body.value, "shape[1]")
    assert (why.value, why.minimal, why.smallest) == ("16", True, True)
    assert [label.message for label in why.places] == [
        "`%w1` is annotated Tensor[(16, 3, 3, 3), float32]",
        "the call of `nn.conv2d` with padding=[1, 1] relates its types [Conv2D, clause weight_sizes_plane]",
    ]


def test_a_weight_is_forced_by_the_calls_before_its_use():
    result = relaylogic.infer(NET)
    (function,) = result.module.functions.values()
    why = result.why(function.params[2])
    assert why.type == "Tensor[(10, 1024), float32]"
    assert len(why.places) >= 6
    first = result.why(function.params[2], "shape[0]").places
    assert [label.message for label in first][-1] == "`units` is 10"
    assert why.derivation[-1].name == "%w2"
    assert why.derivation[-1].kind == "use"
    assert all(rest < node.id for node in why.derivation for rest in node.rests)


def test_what_is_open_is_forced_by_nothing():
    result = relaylogic.infer("def @main(%x, %y: Tensor[(2, 3), float32]) { (nn.relu(%x), %y) }")
    (function,) = result.module.functions.values()
    why = result.why(function.params[0])
    assert (why.places, why.minimal, why.smallest) == ((), True, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("shape[1]", "3"), ("shape", "(2, 3)"), ("dtype", "int8"), ("rank", "2"), ("", "Tensor[(2, 3), int8]")],
)
def test_parts_of_a_tensor(text, expected):
    assert show_part(part_of(parse_type("Tensor[(2, 3), int8]"), path_of(text))) == expected


def test_parts_of_tuples_and_functions():
    pair = parse_type("(Tensor[(2, 3), int8], fn (bool) -> int16)")
    assert show_part(part_of(pair, path_of(".0.shape[1]"))) == "3"
    assert show_part(part_of(pair, path_of("fields[1].result"))) == "int16"
    assert show_part(part_of(pair, path_of(".1.args[0].dtype"))) == "bool"
    assert partly(pair, atoms_of(pair)) == pair


@pytest.mark.parametrize("text", ["shape[", "shap", "shape[-1]", "shape[1]x", "0..1", "dtype dtype"])
def test_what_is_no_part_is_an_error(text):
    with pytest.raises(ValueError, match="is no part of a type"):
        path_of(text)


def test_a_part_that_a_type_lacks_is_an_error():
    result = relaylogic.infer(NET)
    (function,) = result.module.functions.values()
    for part in ("shape[4]", "fields[0]", ".0", "result", "nonsense"):
        with pytest.raises(relaylogic.RelayLogicError):
            result.why(function.params[0], part)
    with pytest.raises(relaylogic.RelayLogicError):
        result.why(relaylogic.parse(NET)["main"].params[0])


def test_a_refuted_program_answers_for_what_has_a_type():
    text = "def @main(%x: Tensor[(2, 3), float32]) { let %y = nn.relu(%x); nn.dense(%y, %y, units=4) }"
    result = relaylogic.infer(text)
    (function,) = result.module.functions.values()
    assert result.verdict == "refuted"
    why = result.why(function.body.var)
    assert (why.type, len(why.places), why.refused) == ("Tensor[(2, 3), float32]", 2, "")
    assert "conflicts" in result.why(function.body.body).refused


def test_an_answer_is_plain_data_and_can_be_pickled():
    result = relaylogic.infer(NET)
    (function,) = result.module.functions.values()
    why = result.why(function.body.var)
    assert json.loads(json.dumps(why.to_dict())) == why.to_dict()
    assert pickle.loads(pickle.dumps(why)).to_dict() == why.to_dict()
    other = pickle.loads(pickle.dumps(result))
    (function,) = other.module.functions.values()
    assert other.why(function.body.var).to_dict() == why.to_dict()


def test_every_expression_of_the_measured_programs_has_an_answer():
    tested = 0
    for kind in ("programs", "doc_examples"):
        for entry in some(lines(kind)[::15], 3):
            try:
                result = relaylogic.infer(entry["text"])
            except relaylogic.RelayLogicError:
                continue
            inference = Inference(result.module)
            said = Said(inference, inference.what_if)
            owners = said.places.owners
            for expr in expressions(result.module)[::5]:
                known = inference.type_of(expr)
                if known is None or id(expr) not in owners:
                    continue
                why = result.why(expr)
                assert why.type == show_type(known), entry["id"]
                if is_known(known) and why.minimal and len(why.places) < 5 and len(said.places) < 40:
                    places = numbers_of(why, said)
                    assert forced(said, places, expr, known), entry["id"]
                    assert not any(forced(said, places - {place}, expr, known) for place in places), entry["id"]
                    tested += 1
    assert tested > examples(60, 3)


def asked(text):
    """Answers about a few expressions of a program; none takes more work than some inferences of it."""
    with at_most(10**9) as inference:
        result = relaylogic.infer(text)
    (*_, function) = result.module.functions.values()
    result.why(function.params[0])
    found = []
    for expr in (function.body, function.params[0], function.params[-1]):
        for part in ("", "dtype"):
            try:
                with at_most(3 * inference.made):
                    why = result.why(expr, part)
            except relaylogic.RelayLogicError:
                continue
            found.append((why.name, part, why.places, why.minimal, why.smallest))
    return found


@pytest.mark.parametrize("name", ["resnet50", "vgg11", "synthetic"])
def test_the_work_for_an_answer_is_bounded_and_the_same_whatever_was_asked_before(name):
    text = networks()[name]["text"]
    default_rules().forget()
    first = asked(text)
    assert asked(text) == first
    assert any(places for _, _, places, _, _ in first)


@pytest.mark.parametrize("name", ["dqn", "vgg11", "resnet20_cifar", "lstm_1x64"])
def test_a_thorough_answer_about_a_network_is_minimal(name):
    """Within the time of an inference it was not found out which of 6 to 47 places are needed."""
    text = networks()[name]["text"]
    result = relaylogic.infer(text)
    inference = Inference(result.module)
    said = Said(inference, inference.what_if)
    said.bundle()
    exprs = [e for e in expressions(result.module) if is_known(inference.type_of(e))]
    expr = exprs[len(exprs) // 3]
    known = inference.type_of(expr)
    quick, why = result.why(expr), result.why(expr, thorough=True)
    assert not quick.smallest and why.minimal
    assert len(why.places) <= len(quick.places)
    places = numbers_of(why, said)
    assert forced(said, places, expr, known)
    assert not any(forced(said, places - {place}, expr, known) for place in places)


@pytest.mark.parametrize(
    "name, part, most",
    [
        ("resnet50", "shape[1]", 8),
        ("vgg11", "dtype", 32),
        ("resnet20_cifar", "shape[1]", 8),
        ("squeezenet1_0", "rank", 8),
    ],
)
def test_a_patient_answer_about_a_network_has_few_places(name, part, most):
    """All that is below was told of these, half of the network, of which that many are enough."""
    text = networks()[name]["text"]
    result = relaylogic.infer(text)
    inference = Inference(result.module)
    said = Said(inference, inference.what_if)
    said.bundle()
    types = [(e, result.type_of(e)) for e in post_order(result.module["main"]) if type(e) is Call]
    expr = [e for e, type_ in types if type(type_) is TensorType and len(type_.shape) == 4][-6]
    quick, why = result.why(expr, part), result.why(expr, part, patient=True)
    assert len(why.places) <= min(most, len(quick.places)) and why.minimal
    places = numbers_of(why, said)
    known, path = inference.type_of(expr), path_of(part)

    def forces(some):
        type_ = said.inferred(some).type_of(expr)
        return type_ is not None and part_of(type_, path) == part_of(known, path)

    assert forces(places)
    assert not any(forces(places - {place}) for place in places)


def parts_of_type(known):
    """Parts of a type that may be asked for, and that it has."""
    some_parts = ("", "dtype", "rank", "shape", *(f"shape[{axis}]" for axis in range(4)))
    within = ("", ".0", ".1", ".1.1", ".0.1.0", "result", "args[0]")
    every = [".".join(filter(None, both)) for both in product(within, some_parts)]
    return [part for part in every if part_of(known, path_of(part)) is not MISSING]


@pytest.mark.parametrize("number", some(range(24), 4))
def test_what_is_told_of_parts_in_a_network_forces_them(number):
    """That calls say what they were asked for is taken for sure: nobody asks whether all of them together do."""
    chosen = random.Random(number)
    name, entry = chosen.choice(sorted(networks().items()))
    result = relaylogic.infer(entry["text"])
    inference = Inference(result.module)
    said = Said(inference, inference.what_if)
    if said.places.is_long:
        said.bundle()
    exprs = [e for e in expressions(result.module) if is_known(inference.type_of(e))]
    for expr in chosen.sample(exprs, min(6, len(exprs))):
        known = inference.type_of(expr)
        part = chosen.choice(parts_of_type(known))
        places = numbers_of(result.why(expr, part), said)
        assert places is not None
        made, path = said.inferred(places).type_of(expr), path_of(part)
        assert made is not None and part_of(made, path) == part_of(known, path), (name, show_type(known), part)


def test_that_a_scalar_has_no_shape_has_a_reason():
    """`shape` has no extents there, so that nothing was looked for, and no place was told."""
    calls = "".join(f"let %y{i} = nn.relu(%{f'y{i - 1}' if i else 'x'}); " for i in range(15))
    result = relaylogic.infer(f"def @main(%x: Tensor[(), float32]) {{ {calls} nn.relu(%y14) }}")
    *_, call = (e for e in post_order(result.module["main"]) if type(e) is Call)
    why = result.why(call, "shape")
    assert (why.value, len(why.places)) == ("()", 17)


def test_the_first_extents_of_a_shape_that_goes_on_have_reasons():
    """They were no parts of it, and the whole type was forced by what says its dtype."""
    result = relaylogic.infer("def @main(%x, %b: Tensor[(4), float32]) { nn.bias_add(%x, %b) }")
    (function,) = result.module.functions.values()
    assert show_type(result.type_of(function.params[0])) == "Tensor[(t1, 4, ...t2), float32]"
    told = {label.message.partition(" ")[0] for label in result.why(function.params[0], "shape[1]").places}
    assert told == {"`%b`", "the"}
    assert result.why(function.params[0], "shape").value == "(t1, 4, ...t2)"
    with pytest.raises(relaylogic.RelayLogicError, match="is no part of"):
        result.why(function.params[0], "shape[2]")


def test_a_thorough_answer_ends(monkeypatch):
    """Among 160 places a smallest set is not found; it is looked for in a bounded number of steps."""
    monkeypatch.setattr("relaylogic.explain.why.reasons.THOROUGH", 4_000)
    result = relaylogic.infer(networks()["vgg11_bn-typed"]["text"])
    why = result.why(result.module["main"], thorough=True)
    assert why.minimal and not why.smallest


def test_why_is_asked_of_the_inference_that_was_made_and_only_derivations_take_another(monkeypatch):
    result = relaylogic.infer(networks()["resnet50"]["text"])
    function = result.module["main"]
    made = []
    begin = Inference.__init__

    def counted(self, *arguments, **named):
        made.append(self)
        begin(self, *arguments, **named)

    monkeypatch.setattr(Inference, "__init__", counted)
    calls = [node for node in post_order(function) if type(node) is Call]
    answers = [result.why(expr) for expr in (*calls[::40], function)]
    assert made == [] and all(why.places for why in answers)
    assert answers[1].derivation
    assert len(made) == 1
    assert result.why(function.params[-1], "shape[0]").derivation
    assert len(made) == 1


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x: int8) { (%x, %x).5 }",
        "def @main(%x: int8) { let %t = (%x, %x); (%t.5, %t) }",
        "def @main(%x: int8, %y) { add((%x, %y).2, %x) }",
        "def @main(%x: int8) { let %p = (ref(%x), ref(1)); (ref_read(%p.0), ref_read(%p.2)) }",
    ],
)
def test_a_field_that_a_tuple_lacks_breaks_no_explanation(text):
    result = relaylogic.infer(text)
    assert result.verdict == "refuted"
    explained = [e for e in post_order(result.module["main"]) if result.type_of(e) is not None]
    assert explained and all(result.why(e).name for e in explained)


def test_a_call_of_too_few_arguments_has_an_answer():
    result = relaylogic.infer("def @main(%x: int8) { nn.relu(nn.relu()) }")
    why = result.why(result.module["main"].body)
    assert result.verdict == "refuted"
    assert why.name == "the call of `nn.relu`" and why.derivation


def test_premises_about_an_attribute_that_stays_open_are_told():
    result = relaylogic.infer("""def @main(%x: Tensor[(1, 4, 16), int8], %w: Tensor[(2, 4, _), int8]) {
  nn.conv1d(%x, %w, strides=[_], padding=[1, 1])
}""")
    node = result.why(result.module["main"].body).derivation[-1]
    assert "the kernel fits into the padded data" in " ".join(node.premises)


def test_types_that_share_their_parts_are_explained_in_time():
    lets = "".join(f"let %t{i + 1} = (%t{i}, %t{i}); " for i in range(60))
    result = relaylogic.infer(f"def @main(%t0: int8) {{ {lets}%t60 }}")
    function = result.module["main"]
    with at_most(1_500_000):
        assert result.why(function.params[0]).minimal and len(result.why(function).places) == 62


def test_of_many_functions_the_few_near_ones_force_a_type():
    """4,001 places of 1,000 functions were told, since a call seemed to need all that it calls."""
    chain = "\n".join(
        f"def @f{i}(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {{ @f{i - 1}(tanh(%x)) }}" for i in range(1, 60)
    )
    first = "def @f0(%x: Tensor[(4), float32]) -> Tensor[(4), float32] { nn.relu(%x) }\n"
    result = relaylogic.infer(f"{first}{chain}\ndef @main(%x: Tensor[(4), float32]) {{ @f59(%x) }}")
    why = result.why(result.module["main"].body)
    assert [label.message for label in why.places] == [
        "the result is annotated Tensor[(4), float32]",
        "the call of `@f59` has type Tensor[(4), float32]",
    ]


def test_what_functions_come_to_is_forced_by_those_that_bear_on_it():
    """All 59 places of a program of five functions were told, those of a function that nobody calls here as well."""
    result = relaylogic.infer((WRITTEN / "tree.relay").read_text(encoding="utf-8"))
    let = result.module["main"].body
    why = result.why(let.var)
    assert len(why.places) <= 16 < len(result.calls)
    assert "the result is annotated Tensor[(4), float32]" in [label.message for label in why.places]
    assert all(label.span.line not in range(24, 30) for label in why.places), "`@depth` gives a number of another type"


def test_of_many_closures_the_few_near_places_force_a_type():
    """1,502 places of 300 closures were told: whatever uses a parameter seemed as near to a call as its parameter."""
    first = "let %f0 = fn (%y0: float32) -> float32 { %y0 * %x };\n"
    chain = "\n".join(
        f"let %f{i} = fn (%y{i}: float32) -> float32 {{ %f{i - 1}(%y{i} + %x) }};" for i in range(1, 300)
    )
    result = relaylogic.infer(f"def @main(%x: float32) {{ {first}{chain}\n%f299(%x + 1f) }}")
    function = result.module["main"]
    inner = [node for node in post_order(function) if type(node) is Call and type(node.op) is Op][150]
    for expr in (function, inner):
        why = result.why(expr)
        assert len(why.places) <= 16 < len(result.calls)
        assert "`%x` is annotated float32" in [label.message for label in why.places]


def test_a_long_function_is_forced_by_what_it_is_declared_with():
    """All 295 places of a network were told, where its parameters and its result are annotated."""
    layers = "\n".join(f"let %v{i + 1} = nn.relu(%v{i});" for i in range(40))
    declared = "def @main(%v0: Tensor[(4, 8), float32]) -> Tensor[(4, 8), float32]"
    result = relaylogic.infer(f"{declared} {{ {layers}\n%v40 }}")
    why = result.why(result.module["main"])
    assert why.minimal and [label.message for label in why.places] == [
        "`%v0` is annotated Tensor[(4, 8), float32]",
        "the result is annotated Tensor[(4, 8), float32]",
    ]


def test_an_annotation_with_holes_has_their_values_from_elsewhere():
    """What filled the holes was told as bare numbers, and the annotation as if it said them."""
    module = relaylogic.parse("""def @main(%x: Tensor[(2, 8), int8], %w: Tensor[(4, 8), int8]) {
  let %y: Tensor[(_, _), int8] = nn.dense(%x, %w, units=None);
  nn.relu(%y)
}""")
    (function,) = module.functions.values()
    derivation = "\n".join(why_text(relaylogic.infer(module).why(function.body.var))).split("derivation:")[1]
    assert re.search(r"nn.dense: Tensor\[\(2, 4\), int8\] by Equal", derivation)
    assert re.search(r"%y: Tensor\[\(2, 4\), int8\], as it is annotated with holes, and from \[\d\]$", derivation)
    assert "%x: Tensor[(2, 8), int8], as it is annotated\n" in derivation


def test_in_a_short_program_with_unknown_extents_what_a_type_comes_from_is_tried_before_all_below():
    result = relaylogic.infer("""def @main(%x: Tensor[(4, 4), int32]) {
      let %shape = shape_of(%x, dtype="int32");
      let %n = take(%shape, 0);
      let %up = arange(0, %n, 1, start=0, stop=%n, step=1, dtype="int32");
      let %zeros = dyn.zeros(%shape, shape=None, dtype="int32");
      let %ones = dyn.full(1, reshape(%n, newshape=[1]), shape=None, dtype="int32");
      scatter_nd(%zeros, stack((%up, add(%up, 0))), %ones, mode="update")
    }""")
    assert show_type(result.type_of(result.module["main"].body)) == "Tensor[(?, ?), int32]"
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal) == (5, True)


def test_parts_of_what_is_known_not_to_force_a_type_are_not_asked_about():
    """They were, until there was no time left."""
    result = relaylogic.infer("""def @main(%c: bool, %x: Tensor[(3, 4), float32]) {
      if (%c) { let %y: Tensor[(3, 4), float32] = add(%x, %x); nn.relu(%y) } else { %x }
    }""")
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal, why.smallest) == (4, True, True)


def test_places_of_many_open_attributes_are_looked_for_with_these():
    """Places without attributes were asked about until there was no time left, as 40 answers say nothing: of ten places
    three can be left out."""
    text = """def @main(%x: Tensor[(4, 6), float32], %y: Tensor[(4, 2), float32]) {
      let %c = concatenate((%x, %y), axis=1);
      let %s = split(%c, indices_or_sections=4, axis=1);
      (%s.0, add(%s.1, %y))
    }"""
    result = relaylogic.infer(text)
    added = result.module["main"].body.body.body.fields[1]
    assert len(result.why(added, "shape").places) == 7


def test_of_few_places_no_call_is_asked_what_it_must_have_been_told(monkeypatch):
    """What is said of sums of which less and less is known took half of the time, and no place was left out by that."""
    asked = []
    monkeypatch.setattr(sources, "solve_site", lambda *call: asked.append(call))
    result = relaylogic.infer("""def @main(%a: Tensor[(5, 1, 7), float32], %b: Tensor[(6, 1), float32], %c)
        -> Tensor[(5, 6, 7), float32] {
      maximum(add(%a, %b), %c)
    }""")
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal, why.smallest) == (5, True, True)
    assert not asked


def test_what_nothing_forces_has_a_derivation_all_the_same():
    module = relaylogic.parse("""def @main(%x, %w: Tensor[(4, 8), float32]) {
      let %d = nn.dense(%x, %w);
      nn.relu(%d)
    }""")
    (function,) = module.functions.values()
    said, derivation = "\n".join(why_text(relaylogic.infer(module).why(function.body.var))).split("derivation:")
    assert "nothing in the program forces more" in said
    assert "%w: Tensor[(4, 8), float32], as it is annotated" in derivation
    assert "nn.dense: Tensor[t3, t2] by Dense, clause rows_times_units from [1]" in derivation
    assert "@main, generalised" in derivation
