"""Other typings of programs: an expression that has another type there is not forced by what is not denied."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.places.atoms import atoms_of, has
from relaylogic.explain.places.said import Said
from relaylogic.explain.why import questions
from relaylogic.explain.why.alone import Alone
from relaylogic.explain.why.changes import MORE, OTHER_DTYPE, Change, changed, values_near
from relaylogic.explain.why.denials import Denials
from relaylogic.explain.why.oracle import Oracle
from relaylogic.explain.why.questions import Asked
from relaylogic.explain.why.work import Spent, Work
from relaylogic.explain.why.worlds import Worlds
from relaylogic.infer.program import Inference
from relaylogic.ir import Call, Let, post_order
from relaylogic.logic.terms.terms import is_ground, slot
from relaylogic.rulebase import Attrs, RuleBase, default_rules
from relaylogic.rulebase.specialised.modes import Natural
from relaylogic.types import TensorType
from tests.conformance.programs import networks
from tests.effort import examples, some
from tests.explain.test_segments import chains
from tests.explain.test_why import programs

ENOUGH = 10**9
WEIGHTS = (
    "nn.conv2d({0}, %w, channels=8, kernel_size=[3, 3], padding=[1, 1])",
    "nn.conv2d({0}, %w, padding=[1, 1], groups=2)",
    "nn.max_pool2d({0}, pool_size=[2, 2], strides=[2, 2])",
    "nn.dense({0}, %w, units=8)",
    "nn.bias_add({0}, %b, axis=1)",
    "transpose({0}, axes=[0, 1, 3, 2])",
    "multiply({0}, 2f)",
    "nn.relu({0})",
    "squeeze(expand_dims({0}, axis=2), axis=[2])",
    "reshape({0}, newshape=[0, -1])",
    'cast({0}, dtype="int8")',
)
TYPES = ("Tensor[(2, 8, 4, 4), float32]", "Tensor[(2, 8), float32]", "Tensor[(8, 8, 3, 3), float32]")


@st.composite
def annotated(draw):
    """A short program with attributes whose parameters are annotated, or not; many are refused."""
    names, lines = ["%x"], []
    for i in range(draw(st.integers(1, 3))):
        lines.append(f"let %v{i} = {draw(st.sampled_from(WEIGHTS)).format(names[-1])};")
        names.append(f"%v{i}")
    weight = draw(st.sampled_from(("", f": {TYPES[1]}", f": {TYPES[2]}", ": Tensor[(8, 8), float32]")))
    bias = draw(st.sampled_from(("", ": Tensor[(8), float32]")))
    x = draw(st.sampled_from(TYPES[:2]))
    return f"def @main(%x: {x}, %w{weight}, %b{bias}) {{ {' '.join(lines)} {names[-1]} }}"


def asked(text, data):
    """The places of a program, one of its expressions with its type, and questions about that; None if refused."""
    inference = Inference(relaylogic.parse(text))
    if inference.failed():
        return None
    said = Said(inference, inference.what_if)
    function = inference.module["main"]
    exprs = [function, *function.params, *(node for node in post_order(function) if type(node) in (Call, Let))]
    expr = data.draw(st.sampled_from(exprs))
    alone = Alone.of(said, "main")
    known = inference.type_of(expr)
    if alone is None or known is None or not is_ground(known):
        return None
    return said, expr, known, Asked(alone, expr, Work((), ENOUGH))


def inferred(said, kept, expr):
    relaxation = said.relaxation(said.saying(kept))
    return said.what_if(replace(relaxation, functions=frozenset(["main"]))).type_of(expr)


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(annotated(), annotated(), programs(), chains()), data=st.data())
def test_what_holds_in_another_world_does_not_force_a_type(text, data):
    found = asked(text, data)
    if found is None:
        return
    said, expr, known, question = found
    worlds = question.worlds(said.all)
    if worlds is None:
        return
    atoms = frozenset([data.draw(st.sampled_from(sorted(atoms_of(known), key=str)))])
    denials = Denials(
        worlds, lambda world: not has(known, question.type_in(worlds, world, said.all), atoms), atoms, said.attributes
    )
    denials.begin()
    others = frozenset(data.draw(st.sets(st.sampled_from(sorted(said.all)))))
    for place in data.draw(st.lists(st.sampled_from(sorted(said.all)), max_size=4, unique=True)):
        if said.places.all[place].kind != "attribute":
            denials.bears(said.places.all[place])
        denials.need(said.places.all[place], others - {place})
    _, _, other = question.hopes_for(said.saying(others), False)
    if other is not None and other.attributes:
        denials.learn(*other, said.saying(others))
    corrections = list(denials.corrections)
    for correction in data.draw(st.lists(st.sampled_from(corrections), max_size=3)) if corrections else ():
        type_ = inferred(said, said.all - correction, expr)
        assert type_ is None or not has(known, type_, atoms)


@settings(max_examples=examples(100), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(annotated(), chains()), is_dtype=st.booleans(), data=st.data())
def test_what_calls_are_hoped_to_come_to_is_what_an_inference_says(text, is_dtype, data):
    found = asked(text, data)
    if found is None:
        return
    said, expr, known, question = found
    kept = said.saying(said.all - data.draw(st.sets(st.sampled_from(sorted(said.all)), max_size=3)))
    if data.draw(st.booleans()):
        question.worlds(said.all)  # then much is told without a driver
    type_, is_sure, _ = question.hopes_for(kept, is_dtype)
    theirs = inferred(said, kept, expr)
    for atom in atoms_of(known):
        if type_ is not None and has(known, type_, [atom]):
            assert has(known, theirs, [atom])
        elif is_sure:
            assert theirs is None or not has(known, theirs, [atom])


@pytest.mark.parametrize(
    ("part", "places"),
    [("shape[0]", 2), ("dtype", 2), ("", 4)],
)
def test_attributes_of_a_call_that_say_nothing_of_a_part_are_left_out(part, places):
    result = relaylogic.infer(
        "def @main(%x: Tensor[(2, 4, 9, 9), float32], %w: Tensor[(8, 2, 3, 3), float32]) {"
        " nn.conv2d(%x, %w, groups=2, channels=8, kernel_size=[3, 3], strides=[2, 2]) }"
    )
    why = result.why(result.module["main"].body, part)
    assert (len(why.places), why.minimal, why.smallest) == (places, True, True)


POOLED = """def @main(%x: Tensor[(2, 3, 6), float32]) {
  let %y = expand_dims(%x, axis=3);
  let %z = nn.avg_pool2d(%y, pool_size=[2, 1], strides=[2, 1], padding=[0, 0, 0, 0]);
  squeeze(%z, axis=[3])
}"""
LAYERS = """def @main(%x: Tensor[(1, 784), float32], %w: Tensor[(128, 784), float32], %b: Tensor[(128), float32],
  %v: Tensor[(10, 128), float32]) -> Tensor[(1, 10), float32] {
  nn.dense(nn.relu(nn.bias_add(nn.dense(%x, %w, units=128), %b)), %v, units=10)
}"""
GATHERED = """def @main(%data: Tensor[(2, 2, 2), int32], %indices: Tensor[(2, 1), int64]) {
  let %i = transpose(%indices, axes=[-1, 0]);
  gather_nd(%data, %i, batch_dims=1, index_rank=1)
}"""


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [(POOLED, "z", 7), (POOLED, "", 8), (LAYERS, "", 5), (GATHERED, "i", 3), (GATHERED, "", 5)],
)
def test_that_no_fewer_places_do_is_told_by_other_typings(text, name, places):
    result = relaylogic.infer(text)
    function = result.module["main"]
    lets = {node.var.name_hint: node.var for node in post_order(function) if type(node) is Let}
    why = result.why(lets[name] if name else function)
    assert (len(why.places), why.minimal, why.smallest) == (places, True, True)


def test_no_question_is_asked_about_places_that_nothing_ties_to_the_expression():
    """Sets were grown by one place after the other until there was no time left: none was known to be smallest."""
    result = relaylogic.infer("""def @main(%data: Tensor[(1, 1, 28, 28), float32], %w1: Tensor[(128, 784), float32],
        %b1: Tensor[(128), float32], %w2: Tensor[(64, 128), float32], %b2: Tensor[(64), float32]) {
      let %y = nn.relu(nn.bias_add(nn.dense(nn.batch_flatten(%data), %w1, units=128), %b1, axis=-1));
      nn.softmax(nn.relu(nn.bias_add(nn.dense(%y, %w2, units=64), %b2, axis=-1)))
    }""")
    lets = {node.var.name_hint: node.value for node in post_order(result.module["main"]) if type(node) is Let}
    why = result.why(lets["y"], "dtype")
    assert (len(why.places), why.minimal, why.smallest) == (3, True, True)


def test_what_a_call_may_be_is_searched_for_once(monkeypatch):
    """Whether a default would refuse it was asked with another patience than what it is with the default."""
    asked, search = [], RuleBase._by_search

    def searched(self, relation, arguments, attrs, also, *how):
        asked.append((relation, arguments, attrs, also))
        return search(self, relation, arguments, attrs, also, *how)

    result = relaylogic.infer("""def @main(%x: Tensor[(1, 1789), float32], %w, %b, %v, %c) {
      let %y = nn.bias_add(nn.dense(%x, %w, units=131), %b, axis=-1);
      nn.bias_add(nn.dense(%y, %v, units=67), %c, axis=-1)
    }""")
    monkeypatch.setattr(RuleBase, "_by_search", searched)
    result.why(result.module["main"].body)
    assert asked
    assert len(asked) == len(set(asked))


def test_a_call_of_many_fields_is_asked_seldom(monkeypatch):
    """A concatenation of 2,000 tensors was asked 245 times what it comes to, each time as long as an inference."""
    asked = []
    outcome = RuleBase.outcome
    monkeypatch.setattr(RuleBase, "outcome", lambda *call, **named: asked.append(call) or outcome(*call, **named))
    parameters = ", ".join(f"%x{i}: Tensor[({1 + i % 7}, 4), float32]" for i in range(400))
    fields = ", ".join(f"%x{i}" for i in range(400))
    result = relaylogic.infer(f"def @main({parameters}) {{ concatenate(({fields}), axis=0) }}")
    why = result.why(result.module["main"], patient=True)
    assert len(why.places) == 403
    assert len(asked) < 20


def test_that_a_call_is_needed_is_asked_where_all_else_is_known():
    """What calls of open attributes may be was searched for until there was no time left."""
    result = relaylogic.infer(POOLED)
    lets = {node.var.name_hint: node.value for node in post_order(result.module["main"]) if type(node) is Let}
    why = result.why(lets["y"], "shape[2]")
    assert (len(why.places), why.minimal, why.smallest) == (3, True, True)
    # That there is an extent of 1 is said by the call, whatever it is given.
    why = result.why(lets["y"], "shape[3]")
    assert (len(why.places), why.minimal, why.smallest) == (2, True, True)


def denials_of(text, name=""):
    """The places of a program, the denials of the whole type of its function, and the number of a parameter's place."""
    inference = Inference(relaylogic.parse(text))
    said = Said(inference, inference.what_if)
    function = inference.module["main"]
    known = inference.type_of(function)
    question = Asked(Alone.of(said, "main"), function, Work((), ENOUGH))
    worlds = question.worlds(said.all)
    atoms = frozenset(atoms_of(known))
    denials = Denials(worlds, question.touches, atoms, said.attributes)
    place = next((p for p in said.places if p.kind == "annotation" and p.node.name_hint == name), None)
    return said, worlds, denials, place


def test_an_annotation_that_a_call_tells_is_dispensed_with_by_one_question():
    """Each other shape and dtype of a bias was tried, up to eight typings, before it was left out."""
    rules, data = default_rules(), TensorType((2, 4, 5), "float32")
    operator = rules.operators["nn.bias_add"]
    rules.compiled.solution(operator.relation, (data, slot(0), slot(1)), operator.attrs({"axis": 1}), at_once=True)
    said, worlds, denials, place = denials_of(
        "def @main(%x: Tensor[(2, 4, 5), float32], %b: Tensor[(4), float32]) { nn.bias_add(%x, %b, axis=1) }", "b"
    )
    others = said.all - {place.index}
    assert worlds.is_told(place, others)
    assert not denials.need(place, others)
    assert not denials.corrections
    axis, data = (next(p for p in said.places if p.kind == kind) for kind in ("attribute", "annotation"))
    assert not worlds.is_told(place, others - {axis.index})
    assert not worlds.is_told(place, others - {data.index})
    assert not worlds.is_told(data, said.all - {data.index})


def test_a_layer_that_is_broadcast_may_be_of_one_unit():
    """Only larger and smaller layers were tried: that any others contradict the bias was asked of goals."""
    said, _, denials, place = denials_of(
        "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4), float32], %b: Tensor[(4), float32]) {"
        " add(nn.dense(%x, transpose(%w, axes=[1, 0]), units=4), %b) }",
        "w",
    )
    attributes = frozenset(p.index for p in said.places if p.kind == "attribute")
    assert denials.need(place, said.all - attributes - {place.index})


def test_a_call_of_mixed_dtypes_is_denied_without_being_asked(monkeypatch):
    """What it comes to was searched for, and said nothing."""
    told = []
    ask = RuleBase.outcome

    def outcome(self, relation, arguments, attrs, goals=True):
        told.append({part.dtype for part in arguments[:-1]})
        return ask(self, relation, arguments, attrs, goals)

    monkeypatch.setattr(RuleBase, "outcome", outcome)
    result = relaylogic.infer(LAYERS)
    why = result.why(result.module["main"].body, "dtype")
    assert why.minimal
    assert why.smallest
    assert told
    assert all(len(dtypes) == 1 for dtypes in told)


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(annotated(), chains()), data=st.data())
def test_worlds_are_the_same_for_whoever_asks_again(text, data):
    found = asked(text, data)
    if found is None:
        return
    said, *_, question = found
    worlds, fresh = question.worlds(said.all), question.worlds(said.all)
    if worlds is None:
        return
    place = said.places.all[data.draw(st.sampled_from(sorted(said.all)))]
    change = data.draw(st.sampled_from((OTHER_DTYPE, Change(0, 1), Change(1, 1), Change(MORE, worlds.rank))))

    def of(some):
        return some.of_attribute(place) if place.kind == "attribute" else some.changed(place, change)

    expected = list(of(fresh))
    left, taken = worlds._work.left, data.draw(st.integers(0, 3))
    assert list(islice(of(worlds), taken)) == expected[:taken]
    worlds._work.left = 0
    with suppress(Spent):  # what is not made since there is no work left is made when there is some
        list(of(worlds))
    worlds._work.left = left
    assert list(of(worlds)) == list(of(worlds)) == expected


def test_an_attribute_that_is_changed_is_that_of_a_call_that_gives_it():
    number = like = 0
    for entry in some(networks().values(), 3):
        inference = Inference(relaylogic.parse(entry["text"]))
        driver, calls = inference.driver, {}
        for function in inference.module.functions.values():
            calls.update({node.op.name: node for node in post_order(function) if type(node) is Call and node.given})
        for name, call in calls.items():
            operator = driver.rules.operators.get(name)
            if operator is None or type(known := driver.attrs_of(operator, call)) is not Attrs:
                continue
            for attribute, value in call.given.items():
                for other in values_near(value):
                    changed = operator.attrs_but(known, {attribute: other})
                    if changed is not None:
                        number += 1
                        anew = driver.attrs_of(operator, call, {**call.given, attribute: other})
                        assert changed == anew
                        like += is_natural_as(changed, anew, known.natural)
    assert number > examples(1000, 3)
    assert like > examples(100, 3)


def is_natural_as(changed, anew, known):
    """Whether what the programs know changed attributes by was made of what they know the attributes by; it must be
    what they would find out."""
    if changed.natural is None:
        return False
    found = Natural(anew, known.declared, known.whatever)
    for name in ("names", "shape", "numbers", "others", "others_key"):
        assert getattr(changed.natural, name) == getattr(found, name)
    assert changed.natural.key == found.key
    return True


def test_the_dtype_of_a_call_of_an_open_input_is_told_by_looking_for_another_one(monkeypatch):
    """All 47 shapes of a sum of a known and an open tensor were found to tell its dtype."""
    found = []
    search = RuleBase._by_search

    def searched(self, *arguments):
        found.append(search(self, *arguments))
        return found[-1]

    monkeypatch.setattr(RuleBase, "_by_search", searched)
    result = relaylogic.infer(
        "def @main(%x: Tensor[(3, 3, 3, 1), float32], %y: Tensor[(1), float32]) { add(%x, add(%x, %y)) }"
    )
    why = result.why(result.module["main"].body, "dtype")
    assert (len(why.places), why.minimal, why.smallest) == (2, True, True)
    assert all(len(solution.answers) <= 2 for solution in found)


def test_another_result_that_tells_nothing_is_told_as_it_was_found():
    """Of a call whose attributes are open, the first other result ends what is hoped."""
    inference = Inference(relaylogic.parse(POOLED))
    said = Said(inference, inference.what_if)
    function = inference.module["main"]
    question = Asked(Alone.of(said, "main"), function, Work((), ENOUGH))
    axes = {place.index for place in said.places if place.attribute == "axis"}
    type_, is_sure, other = question.hopes_for(said.saying(said.all - axes), False)
    assert (type_, is_sure) == (None, False)
    assert other.attributes == ["axis"]
    assert other.result != inference.type_of(other.call)


def test_another_result_that_was_heard_is_not_searched_for(monkeypatch):
    """That a layer of open units may have another type was told by the typing in which it has one more unit."""
    looked_for, search = [], RuleBase._by_search

    def searched(self, relation, arguments, attrs, also, *how):
        looked_for.append((relation.name, also))
        return search(self, relation, arguments, attrs, also, *how)

    monkeypatch.setattr(RuleBase, "_by_search", searched)
    result = relaylogic.infer("""def @main(%x: Tensor[(1, 1801), float32], %w, %b, %v, %c) {
      let %y = nn.bias_add(nn.dense(%x, %w, units=137), %b, axis=-1);
      nn.bias_add(nn.dense(%y, %v, units=71), %c, axis=-1)
    }""")
    why = result.why(result.module["main"].params[-1])
    assert (len(why.places), why.minimal, why.smallest) == (7, True, True)
    assert looked_for and not [name for name, also in looked_for if name == "Dense" and also is not None]


def test_a_type_that_stays_as_it_is_tells_nothing():
    """An extent of 1 that is put to 1 was taken for another one: what is told by its user was said to need its call."""
    result = relaylogic.infer("""def @main(%x, %w: Tensor[(10, 64), float32]) {
      let %y: Tensor[(1, 10), float32] = nn.log_softmax(nn.dense(nn.batch_flatten(%x), %w, units=10));
      %y
    }""")
    dense = result.module["main"].body.value.args[0]
    why = result.why(dense)
    assert len(why.places) == 2 and why.minimal
    for change in (Change(0, 1, 0), Change(1, -1), Change(1, times=2)):
        assert changed(TensorType((1, 10), "float32"), change) != TensorType((1, 10), "float32")


def test_of_the_results_that_were_heard_the_farthest_is_carried_on(monkeypatch):
    """With a new axis beside the last one, nothing was learnt of what squeezes it out: all that it may do was found."""
    found, search = [], RuleBase._by_search

    def searched(self, relation, *arguments):
        solution = search(self, relation, *arguments)
        found.append((relation.name, len(solution.answers)))
        return solution

    monkeypatch.setattr(RuleBase, "_by_search", searched)
    result = relaylogic.infer(POOLED)
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal, why.smallest) == (8, True, True)
    assert max((answers for name, answers in found if name == "Squeeze"), default=0) <= 1


UNKNOWN_BATCH = """def @main(%x: Tensor[(?, 3, 32, 32), float32], %w: Tensor[(16, 3, 3, 3), float32]) {
  let %y = nn.conv2d(%x, %w, padding=[1, 1], channels=16, kernel_size=[3, 3]);
  let %z = nn.max_pool2d(%y, pool_size=[2, 2], strides=[2, 2]);
  nn.batch_flatten(%z)
}"""


@pytest.mark.parametrize(("name", "places"), [("y", 4), ("z", 7), ("", 8)])
def test_other_typings_tell_of_types_with_unknown_extents(name, places, monkeypatch):
    """Two dozen questions were asked about a batch of any size, and what they told was not known to be smallest."""
    asked = []
    type_with = Asked.type_with
    monkeypatch.setattr(Asked, "type_with", lambda self, kept: asked.append(kept) or type_with(self, kept))
    result = relaylogic.infer(UNKNOWN_BATCH)
    function = result.module["main"]
    lets = {node.var.name_hint: node.value for node in post_order(function) if type(node) is Let}
    why = result.why(lets[name] if name else function)
    assert (len(why.places), why.minimal, why.smallest) == (places, True, True)
    assert len(asked) < 8


def test_nothing_is_an_unknown_extent_in_other_typings_but_what_is_one():
    """With a new axis elsewhere, the unknown extent was squeezed out: by default, what is not known is not one."""
    text = """def @main(%x: Tensor[(?, 20, 3), float32]) {
      let %y = expand_dims(%x, axis=0, num_newaxis=1);
      squeeze(%y, axis=[0])
    }"""
    result = relaylogic.infer(text)
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal) == (5, True)
    assert "`axis` is 0" not in [label.message for label in why.places]


LAYER = """def @main(%x: Tensor[(2, 3, 7, 5), float32], %w: Tensor[(4, 3, 3, 2), float32], %b: Tensor[(4), float32]) {
  nn.bias_add(nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[3, 2]), %b)
}"""


def test_what_calls_come_to_in_the_program_is_not_solved_again(monkeypatch):
    """Whether what is left is enough was asked of sites, though all but open attributes is known of the program."""

    def solved(*arguments):
        raise AssertionError("sites are solved")

    for _ in range(8):  # then there is a program, wherever this runs
        result = relaylogic.infer(LAYER)
        result.why(result.module["main"])
    monkeypatch.setattr(questions, "solved_together", solved)
    for part, places in (("", 5), ("dtype", 2)):
        result = relaylogic.infer(LAYER)
        function = result.module["main"]
        why = result.why(function if part == "" else function.body.args[0], part)
        assert (len(why.places), why.minimal, why.smallest) == (places, True, True)


def test_a_type_that_is_partly_written_is_not_known_from_there():
    """That an annotation says a dtype was taken for all of the type: it told the bias behind it."""
    text = """def @main(%x: Tensor[(2, 8), float32], %b) {
      let %y: Tensor[_, float32] = nn.relu(%x);
      nn.bias_add(%y, %b)
    }"""
    inference = Inference(relaylogic.parse(text))
    said = Said(inference, inference.what_if)
    bias = inference.module["main"].params[1]
    question = Asked(Alone.of(said, "main"), bias, Work((), ENOUGH))
    assert question.worlds(said.all)
    (relu,) = (p.index for p in said.places if p.kind == "call" and p.node.op.name == "nn.relu")
    for kept in (said.all, said.all - {relu}):
        type_, is_sure, _ = question.hopes_for(kept, False)
        assert is_sure
        assert has(inference.type_of(bias), type_, [("shape", 0)]) == (relu in kept)


def test_after_a_number_that_is_refused_no_others_are_tried_but_other_dtypes_are(monkeypatch):
    """What a call is told says mostly what its numbers must be: another one was refused, too. A dtype is chosen."""
    tried = []
    carry = Worlds._carried

    def carried(self, types, denied, attrs, *arguments):
        tried.extend(told for told in attrs.values())
        return carry(self, types, denied, dict(attrs), *arguments)

    monkeypatch.setattr(Worlds, "_carried", carried)
    result = relaylogic.infer(LAYER)
    result.why(result.module["main"])
    assert tried == [{"kernel_size": (4, 2)}, {"channels": 3}, {"padding": (1, 0, 0, 0)}]
    result = relaylogic.infer(
        'def @main(%x: Tensor[(2, 8), int32]) { qnn.requantize(%x, 0.02f, 0, 0.5f, 0, axis=1, out_dtype="int8") }'
    )
    why = result.why(result.module["main"].body, "dtype")
    assert why.smallest
    assert any("out_dtype" in label.message for label in why.places)
    assert {"out_dtype": "int32"} in tried


def test_goals_are_not_asked_whether_a_call_tells_an_argument(monkeypatch):
    """That a sum does not tell its second argument took a search, as long as the inference."""
    searched = []
    search = RuleBase._by_search

    def asked_of_goals(self, *arguments):
        searched.append(arguments[1][:-1])
        return search(self, *arguments)

    monkeypatch.setattr(RuleBase, "_by_search", asked_of_goals)
    result = relaylogic.infer("def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]) { add(%x, %y) }")
    why = result.why(result.module["main"].body)
    assert (len(why.places), why.smallest) == (3, True)
    assert all(map(is_ground, searched))


@pytest.mark.parametrize("part", ["dtype", "shape", ""])
def test_what_lies_below_does_not_force_what_a_user_tells(part):
    """Another typing said so of all that lies below, and what is left of that was looked for without end."""
    result = relaylogic.infer("def @main(%x) -> Tensor[(2, 3), float32] { nn.relu(%x) }")
    call = result.module["main"].body
    why = result.why(call, part)
    assert [label.message for label in why.places] == ["the result is annotated Tensor[(2, 3), float32]"]
    assert why.smallest
    why = result.why(result.module["main"].params[0], part)
    assert len(why.places) == 2
    assert why.smallest


def test_a_weight_changes_with_an_attribute_though_its_dtype_is_a_default(monkeypatch):
    """Nothing else tells the dtype of a weight that is not annotated: so no other weight was known, and it was asked of
    goals, three times, whether the attribute is needed."""

    def asked(*arguments):
        raise AssertionError("an inference is asked")

    monkeypatch.setattr(Oracle, "_exactly", asked)
    result = relaylogic.infer("""def @main(%x: Tensor[(3, 8, 6, 6), float32], %w, %b) {
      nn.relu(nn.bias_add(nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3]), %b))
    }""")
    why = result.why(result.module["main"])
    assert (len(why.places), why.minimal, why.smallest) == (6, True, True)


def test_a_function_that_comes_to_a_variable_has_another_type_where_that_has_one(monkeypatch):
    """What its last call says was taken to be needed only if the variable was, too: it was left out, and four dozen
    questions were asked."""

    def asked(*arguments):
        raise AssertionError("an inference is asked")

    monkeypatch.setattr(Oracle, "_exactly", asked)
    result = relaylogic.infer("""def @main(%x: Tensor[(1, 8, 12, 12), float32], %w: Tensor[(4, 8, 3, 3), float32], %b) {
      let %y = nn.bias_add(nn.conv2d(%x, %w, strides=[1, 2], padding=[1, 1], channels=4, kernel_size=[3, 3]), %b);
      let %z = nn.batch_flatten(%y);
      %z
    }""")
    function = result.module["main"]
    for expr, part, places in ((function, "", 8), (function, "args[0]", 1), (function.body.body.value, "", 7)):
        why = result.why(expr, part)
        assert (len(why.places), why.minimal, why.smallest) == (places, True, True)
    monkeypatch.undo()
    for part, places in (("result", 8), ("result.dtype", 5)):
        why = result.why(function, part)
        assert (len(why.places), why.minimal, why.smallest) == (places, True, True)


def test_an_annotation_that_turns_out_to_be_needed_is_not_asked_about(monkeypatch):
    """A weight was left out while the data were there, and the data after it: that the call alone does not force the
    extent, with all its attributes open, took a fifth of a second to find out."""
    asked = []
    exactly = Oracle._exactly
    monkeypatch.setattr(Oracle, "_exactly", lambda oracle, kept: asked.append(kept) or exactly(oracle, kept))
    result = relaylogic.infer("""def @main(%x: Tensor[(2, 4, 6, 6), float32], %w: Tensor[(4, 1, 3, 3), float32]) {
      nn.relu(nn.conv2d(%x, %w, strides=[2, 2], padding=[0, 0], groups=4, channels=4, kernel_size=[3, 3]))
    }""")
    (call,) = result.module["main"].body.args
    why = result.why(call, "shape[1]")
    assert (len(why.places), why.minimal, why.smallest) == (2, True, True)
    assert [len(kept) for kept in asked][:1] == [2]
