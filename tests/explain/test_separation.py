"""Places that separate others are found as by looking without each of them, and what that tells of conflicts holds."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.said import Said
from relaylogic.explain.places.separation import Separation
from relaylogic.explain.why.alone import Alone
from relaylogic.infer.program import Inference
from relaylogic.ir import post_order
from tests.effort import examples
from tests.explain.drawn import matches
from tests.explain.test_segments import chains
from tests.explain.test_why import expressions, is_known, programs

CHAIN = 60


def parts_of(separation, kept):
    """The parts that some places fall into, with the nodes that they tie: by looking from each place."""
    graph = {}
    for place in kept:
        for node in separation._of_place[place]:
            graph.setdefault(place, set()).add(node)
            graph.setdefault(node, set()).add(place)
    for node, others in separation._always.items():
        graph.setdefault(node, set()).update(others)
    parts = []
    seen = set()
    for start in [*kept, *graph]:
        if start in seen:
            continue
        part, agenda = {start}, [start]
        while agenda:
            for other in graph.get(agenda.pop(), ()):
                if other not in part:
                    part.add(other)
                    agenda.append(other)
        seen |= part
        parts.append(part)
    return parts


def holding(parts, marks):
    """How many parts hold some of the marks; what nothing ties is a part of its own."""
    return sum(bool(part & marks) for part in parts) + sum(all(mark not in part for part in parts) for mark in marks)


def drawn(text, data):
    """What ties the places of a program, some of these, and some of those that are needed; None if it has too few."""
    inference = Inference(relaylogic.parse(text))
    said = Said(inference, inference.what_if)
    if len(said.places) < 3:
        return None
    kept = data.draw(st.sets(st.sampled_from(range(len(said.places))), min_size=2))
    needed = data.draw(st.lists(st.sampled_from(sorted(kept)), min_size=1, max_size=3, unique=True))
    return said, Separation(said.places), kept, needed


@settings(max_examples=examples(150))
@given(programs(), st.data())
def test_they_are_those_without_which_others_are_in_different_parts(text, data):
    found = drawn(text, data)
    if found is None:
        return
    _, separation, kept, needed = found
    marks = set(needed)
    between = separation.between(kept, needed)
    if len(marks) < 2 or holding(parts_of(separation, kept), marks) > 1:
        assert between == set()
        return
    assert between == {place for place in kept - marks if holding(parts_of(separation, kept - {place}), marks) > 1}


@settings(max_examples=examples(150))
@given(programs(), st.data())
def test_a_place_is_separated_from_an_expression_and_from_all_that_is_needed(text, data):
    found = drawn(text, data)
    if found is None:
        return
    said, separation, kept, (place, *needed) = found
    left = kept - {place, *needed}
    function = next(iter(said.whole.module.functions.values()))
    expr = data.draw(st.sampled_from(list(post_order(function))))
    away = {separation._vertex(id(expr))}.union(*(separation._of_place[other] for other in needed))

    def is_tied(places):
        return any(place in part and part & away for part in parts_of(separation, places))

    others = {other for other in left if is_tied({place, *left}) and not is_tied({place, *left} - {other})}
    assert separation.before(place, left, {place, *needed}, expr) == others


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(st.one_of(programs(), chains(), matches(annotated=True)), st.data())
def test_what_is_not_tied_to_an_expression_bears_on_its_type_only_with_what_is_around(text, data):
    inference = Inference(relaylogic.parse(text))
    said = Said(inference, inference.what_if)
    exprs = [expr for expr in expressions(inference.module) if inference.type_of(expr) is not None]
    if not (said.all and exprs):
        return
    some = said.saying(data.draw(st.frozensets(st.sampled_from(sorted(said.all)))))
    expr = data.draw(st.sampled_from(exprs))
    tied, others = said.separation.around(expr, some)
    own = set(said.places.attributes(tied))
    assert tied <= some
    assert others.isdisjoint(some)
    known = said.inferred(some & (tied | own)).type_of(expr)
    assert known == said.inferred(said.all - others - (own - some)).type_of(expr) or not is_known(known)


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(st.one_of(programs(), chains()), st.data())
def test_no_more_places_are_between_two_than_on_a_way(text, data):
    found = drawn(text, data)
    if found is None:
        return
    said, separation, kept, (place, *_) = found
    alone = None if said.whole.failed() else Alone.of(said, "main")
    if alone is None:
        return
    function = said.whole.module["main"]
    expr = data.draw(st.sampled_from([function, *post_order(function)]))
    way = alone.way(place, alone.wanted(expr), kept)
    assert way is None or len(separation.before(place, kept - {place}, set(), expr)) <= way


def test_a_way_along_a_chain_has_all_its_calls():
    inference = Inference(relaylogic.parse(chain("_")))
    said = Said(inference, inference.what_if)
    alone = Alone.of(said, "main")
    function = inference.module["main"]
    (annotation,) = (place.index for place in said.places if place.kind == "annotation")
    assert alone.way(annotation, alone.wanted(function), said.all) == 0
    assert alone.way(annotation, alone.wanted(function.body), said.all) >= CHAIN
    assert alone.way(annotation, alone.wanted(function.body), [annotation]) is None


def chain(last):
    calls = "\n".join(f"  let %v{i} = nn.relu({f'%v{i - 1}' if i else '%x'});" for i in range(CHAIN))
    return f"def @main(%x: Tensor[(2, 3), float32]) -> Tensor[{last}, float32] {{\n{calls}\n  %v{CHAIN - 1}\n}}"


def test_along_a_chain_the_ends_are_enough():
    inference = Inference(relaylogic.parse(chain("(2, 4)")))
    said = Said(inference, inference.what_if)
    conflict = next(Conflicts(said).each_conflict())
    assert len(conflict) == CHAIN + 3  # the calls, both annotations, the use of the last variable
    assert said.questions < 20
    assert not any(said.refused(conflict - {place}) for place in conflict)


def test_the_places_that_force_a_type_at_the_end_of_a_chain_are_known_to_be_minimal():
    result = relaylogic.infer(chain("_"))
    why = result.why(result.module["main"].body)
    assert (len(why.places), why.minimal) == (CHAIN + 1, True)


def test_types_that_share_a_hole_are_tied():
    # Without the second call, each half is consistent: the hole that two annotations share is what ties them.
    shared = relaylogic.parse("def @main(%x: _) { %x }")["main"].params[0].type_annotation
    module = relaylogic.parse(
        "def @main(%x, %y, %a: Tensor[(2), int8], %b: Tensor[(3), int8]) { (add(%x, %a), add(%y, %b)) }"
    )
    x, y = module["main"].params[:2]
    x.type_annotation = y.type_annotation = shared
    inference = Inference(module)
    said = Said(inference, inference.what_if)
    separation = Separation(said.places)
    annotations = [p.index for p in said.places if p.kind == "annotation" and p.node in (x, y)]
    assert len(annotations) == 2
    assert len([part for part in parts_of(separation, range(len(said.places))) if part & set(annotations)]) == 1
