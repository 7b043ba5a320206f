"""Minimal conflicts and corrections: what they are, against brute force, and that they are found fast."""

from __future__ import annotations

import json
import pickle
from functools import cache
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.conflicts.hitting import Hitting, smallest_hitting
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.said import Said
from relaylogic.infer import program
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.relaxation import BRISK, PATIENT
from relaylogic.text import ParseError
from tests.conformance.planted import cases
from tests.counted import at_most
from tests.effort import examples, some
from tests.explain.drawn import matches, mixed

SHARES = 3
"""In so many tests, the first conflict of every measured program is tested to be minimal;"""
LONGEST = examples(10**6, 300)
"""in a usual run, of a share of those of at most so many characters."""


def said_of(text, closed=True):
    """What a refuted program says; None if it is not refuted."""
    inference = Inference(relaylogic.parse(text), None, closed)
    return Said(inference, inference.what_if) if inference.verdict() == "refuted" else None


def words(places):
    """The places of a conflict or a correction as they stand in the text."""
    return [place.span.source.text[place.span.start : place.span.end].strip() for place in places.places]


def test_a_conflict_is_what_cannot_hold_together():
    result = relaylogic.infer("def @main(%x: Tensor[(3), int8], %y: Tensor[(4), int8], %z: int8) { (add(%x, %y), %z) }")
    assert [words(conflict) for conflict in result.conflicts()] == [
        ["Tensor[(3), int8]", "Tensor[(4), int8]", "add(%x, %y)"]
    ]
    assert sorted(words(correction) for correction in result.corrections()) == [
        ["Tensor[(3), int8]"],
        ["Tensor[(4), int8]"],
        ["add(%x, %y)"],
    ]


def test_what_a_refused_function_leaves_open_was_generalised_where_that_was_only_supposed(monkeypatch):
    asked = []
    known = program.generalise
    monkeypatch.setattr(program, "generalise", lambda driver, *rest: (asked.append(driver), known(driver, *rest))[1])
    for call, is_asked in (("add(%z, %x)", True), ("nn.relu(%z)", False)):  # nothing is said of what is open in this
        text = f"def @main(%x: Tensor[(3), int8], %y: Tensor[(4), int8], %z) {{ (add(%x, %y), {call}) }}"
        said = said_of(text, False)
        asked.clear()
        (wrong,) = [p.index for p in said.places if p.kind == "call" and p.node is said.whole.failed()[0].expr]
        assert said.inferred(said.all).failed() and not asked
        assert not said.inferred(said.all - {wrong}).failed() and len(asked) == 1  # its types are read
        assert not said.refused(said.all - {wrong}) and len(asked) == 1 + is_asked


def test_what_holds_has_no_conflict():
    result = relaylogic.infer("def @main(%x: Tensor[(3), float32]) { nn.relu(%x) }")
    assert list(result.conflicts()) == list(result.corrections()) == []


@pytest.mark.parametrize(
    ("text", "conflict"),
    [
        ("def @main(%x: int8) -> int16 { %x }", ["int8", "int16", "%x"]),
        ("def @main() { (1, 2).2 }", ["(1, 2)", "(1, 2).2"]),
        ("def @main(%x: int8) { if (%x) { 1 } else { 2 } }", ["int8", "%x"]),
        ("def @main(%c: bool) { if (%c) { 1 } else { 2f } }", ["if (%c) { 1 } else { 2f }", "1", "2f"]),
        (
            "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) { nn.dense(%x, %w, units=5) }",
            ["Tensor[(4, 3), float32]", "nn.dense(%x, %w, units=5)", "units=5"],
        ),
        ("def @main(%x) { transpose(%x, axes=[0, 0]) }", ["transpose(%x, axes=[0, 0])", "axes=[0, 0]"]),
        ("def @main() { nn.relu(1, 2) }", ["nn.relu(1, 2)"]),
        ("def @main() { %x }", None),
        ("type A { B, C, } def @main(%a: A) { match (%a) { B => 1, } }", ["match (%a) { B => 1, }"]),
        ("type A { B(int8), } def @main(%a: A) { match (%a) { B(%x, %y) => %y, } }", ["B(%x, %y)"]),
        ("type A { B, } def @main(%m: int8) { match (%m) { B => 1, } }", ["int8", "%m", "B"]),
        ("type A { B, } def @main() { match (1) { B => 1, } }", ["1", "B"]),
        ("def @main(%t: (int8, int8)) { match (%t) { (%x, %y, %z) => %y, } }", ["(int8, int8)", "%t", "(%x, %y, %z)"]),
        ("def @f(%x: int8) -> int8 { %x } def @main() { @f(2f) }", ["int8", "@f(2f)", "2f"]),
        (
            "def @main(%x: Tensor[(2), int8], %y: Tensor[(3), int8]) { let %z = %y; add(%x, %z) }",
            ["Tensor[(2), int8]", "Tensor[(3), int8]", "%y", "add(%x, %z)"],
        ),
        (
            "def @main(%x: int8) { let %f = nn.relu; (%f(%x), %f(%x, %x)) }",
            ["nn.relu", "%f(%x, %x)"],
        ),
        (
            "def @main(%x: int8) { let %y = { let %z = (1, 2); %x }; %y.0 }",
            ["int8", "%x", "%y.0"],
        ),
        (
            "def @f(%x: int8, %y) { let %z = nn.relu(%y); %x } def @main() { @f(1i8, 2).0 }",
            ["int8", "%x", "@f(1i8, 2)", "@f(1i8, 2).0"],
        ),
        (
            "def @main(%x: Tensor[(2), float32]) { let %y: Tensor[(3), float32] = nn.relu(%x); %y }",
            ["Tensor[(2), float32]", "Tensor[(3), float32]", "nn.relu(%x)"],
        ),
    ],
)
def test_every_kind_of_place_takes_part(text, conflict):
    try:
        result = relaylogic.infer(text)
    except ParseError:
        assert conflict is None
        return
    assert result.verdict == "refuted"
    assert words(next(result.conflicts())) == conflict


def test_places_of_functions_that_are_not_to_blame_are_no_part():
    text = """def @id[A](%x: A) -> A { %x }
def @main(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { (@id(nn.relu(%x)), add(@id(%x), %y)) }"""
    assert "nn.relu(%x)" not in words(next(relaylogic.infer(text).conflicts()))


# ---- against brute force

SHAPES = ["(2, 2)", "(2, 3)", "(3)"]
OPERATIONS = [
    "nn.relu({0})",
    "add({0}, {1})",
    "nn.dense({0}, {1})",
    "nn.dense({0}, {1}, units=2)",
    "nn.dense({0}, {1}, units=5)",
    "reshape({0}, newshape=[4])",
    "squeeze({0}, axis=[0])",
    "sum({0}, axis=[1], keepdims=True)",
    "({0}, {1}).0",
    "{0}",
]


@st.composite
def small_programs(draw):
    """Programs of a few calls, many of which are refused."""
    values = ["%p0", "%p1"]
    params = ", ".join(f"{p}: Tensor[{draw(st.sampled_from(SHAPES))}, float32]" for p in values)
    body = []
    for i in range(draw(st.integers(1, 3))):
        chosen = [draw(st.sampled_from(values)) for _ in range(2)]
        body.append(f"let %v{i} = {draw(st.sampled_from(OPERATIONS)).format(*chosen)};")
        values.append(f"%v{i}")
    result = f" -> Tensor[{draw(st.sampled_from(SHAPES))}, float32]" if draw(st.booleans()) else ""
    return f"def @main({params}){result} {{\n" + "\n".join(body) + f"\n{values[-1]}\n}}"


def brute_force(said, patience=BRISK):
    """All minimal inconsistent sets of places, and all minimal sets without which the rest is consistent."""
    conflicts, corrections = [], []
    for size in range(len(said.all) + 1):
        for chosen in map(frozenset, combinations(sorted(said.all), size)):
            if not any(c <= chosen for c in conflicts) and said.refused(chosen, patience):
                conflicts.append(chosen)
            if not any(c <= chosen for c in corrections) and not said.refused(said.all - chosen, patience):
                corrections.append(chosen)
    return set(conflicts), set(corrections)


@settings(max_examples=examples(200, 14))
@given(st.one_of(small_programs(), matches(), mixed()))
def test_all_conflicts_and_corrections_are_found(text):
    check_against_brute_force(text)


@pytest.mark.parametrize(
    "text",
    [
        'def @main(%p: Tensor[(2, 3), float32]) -> Tensor[(2, 3, 2), int32] { argsort(%p, axis=1, dtype="int32") }',
        "def @main(%p: Tensor[(4), int32], %q: float32) -> Tensor[(4, 1), float32]"
        ' { one_hot(%q, %p, %q, depth=10, axis=-1, dtype="float32") }',
        "def @main(%p: Tensor[(1, 3, 32, 32), int8], %z: int32, %s: float32)"
        ' { qnn.conv2d(%s, %s, %z, %z, %p, %z, channels=8, kernel_size=[3, 3], out_dtype="int32") }',
    ],
)
def test_attributes_are_no_part_where_a_longer_look_shows_that_no_value_would_do(text):
    """Attributes that were left open had more values than were tried: what they do not matter to was not found out."""
    check_against_brute_force(text, PATIENT)


@cache  # every sixth text is drawn again
def check_against_brute_force(text, patience=BRISK):
    said = said_of(text)
    if said is None or len(said.all) > 10:
        return
    search = Conflicts(said)
    found = list(search.each_conflict()), list(search.each_correction())
    assert len(found[0]) == len(set(found[0])) and len(found[1]) == len(set(found[1]))
    assert (set(found[0]), set(found[1])) == brute_force(said, patience)
    sizes = [len(correction) for correction in found[1]]
    assert sizes == sorted(sizes)


@settings(max_examples=examples(40))
@given(small_programs(), st.permutations(["errors", "conflicts", "corrections"]))
def test_answers_do_not_depend_on_what_was_asked_before(text, order):
    def answers(asked):
        result = relaylogic.infer(text)
        found = {}
        for name in asked:
            if name == "errors":
                found[name] = [str(error) for error in result.errors]
            else:
                found[name] = list(map(words, islice(getattr(result, name)(), 8)))
        return found

    assert answers(order) == answers(["corrections", "errors", "conflicts"])


@settings(max_examples=examples(60))
@given(st.one_of(small_programs(), matches(), mixed()))
def test_what_the_errors_blame_is_a_minimal_correction(text):
    said = said_of(text)
    if said is None:
        return
    blamed = [index for diagnosis in diagnosed(said) for index in diagnosis.best.blamed]
    assert len(blamed) == len(set(blamed)) and not said.refused(said.all.difference(blamed))
    assert all(said.refused(said.all.difference(set(blamed) - {place})) for place in blamed)


@settings(max_examples=examples(300))
@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=5))
def test_smallest_hitting_sets_are_those_of_brute_force(conflicts):
    corrections = []
    while (found := smallest_hitting(conflicts, corrections)) is not None:
        corrections.append(found)
    every = [frozenset(c) for size in range(8) for c in combinations(range(7), size)]
    hitting = [c for c in every if all(c & conflict for conflict in conflicts)]
    minimal = {c for c in hitting if not any(other < c for other in hitting)}
    assert set(corrections) == minimal and len(corrections) == len(minimal)


@settings(max_examples=examples(300))
@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=6))
def test_sets_that_hit_a_family_that_grows_are_those_of_brute_force(conflicts):
    family, corrections = [], []
    search = Hitting(family, corrections)
    while (found := search.next()) is not None:
        missed = next((conflict for conflict in conflicts if not found & conflict), None)
        if missed is None:
            corrections.append(found)
        else:
            family.append(missed)
    assert [len(c) for c in corrections] == sorted(len(c) for c in corrections)
    every = [frozenset(c) for size in range(8) for c in combinations(range(7), size)]
    hitting = [c for c in every if all(c & conflict for conflict in conflicts)]
    minimal = {c for c in hitting if not any(other < c for other in hitting)}
    assert set(corrections) == minimal and len(corrections) == len(minimal)


def test_the_search_for_the_next_correction_goes_on_where_the_last_one_was_found():
    """It began anew for each: of four times as many, each took four times as long."""

    def choices(number):
        tried = []
        family = [frozenset({2 * i, 2 * i + 1}) for i in range(number)]
        known = []
        search = Hitting(family, known, lambda: tried.append(None))
        while (found := search.next()) is not None:
            known.append(found)
        assert len(known) == 2**number
        return len(tried)

    assert choices(8) < 4.6 * choices(6)


def test_sets_that_share_nothing_are_hit_without_a_search():
    family = [frozenset(range(5 * i, 5 * i + 5)) for i in range(40)]
    assert smallest_hitting(family, []) == frozenset(range(0, 200, 5))
    assert smallest_hitting([*family, frozenset({3, 8}), frozenset({3, 13})], []) == frozenset(
        {3, 5, *range(10, 200, 5)}
    )


def test_many_independent_faults_have_a_correction_of_what_the_errors_blame():
    count = examples(18, 3)
    params = ", ".join(f"%x{i}: Tensor[({i + 2}), int8], %y{i}: Tensor[({i + 50}), int8]" for i in range(count))
    calls = ", ".join(f"add(%x{i}, %y{i})" for i in range(count))
    result = relaylogic.infer(f"def @main({params}) {{ ({calls}) }}")
    correction = next(result.corrections())
    assert {place.span for place in correction.places} == {error.span for error in result.errors}
    assert len(correction.places) == count and json.loads(result.to_json())["verdict"] == "refuted"


@pytest.mark.parametrize("share", range(SHARES))
def test_the_first_conflict_of_a_measured_program_is_minimal(share):
    seen = 0
    measured = [case for case in (*cases("programs"), *cases("mutants")) if len(case.text) <= LONGEST]
    for case in some(measured[share::SHARES], 40):
        try:
            said = said_of(case.text)
        except ParseError:
            continue
        if said is None:
            continue
        conflict = next(Conflicts(said).each_conflict())
        assert said.refused(conflict), case.name
        assert not any(said.refused(conflict - {place}) for place in conflict), case.name
        seen += 1
    assert seen > examples(120, 40)


def test_what_was_kept_because_it_was_not_sure_is_asked_about_again_when_the_conflict_is_small():
    """A convolution was told to take part that nothing needed: beside all the others, a limit was reached first."""
    (mutant,) = [case for case in cases("mutants") if case.name == "mutant_473"]
    said = said_of(mutant.text)
    conflict = next(Conflicts(said).each_conflict())
    assert said.refused(conflict)
    assert [place for place in conflict if said.refused(conflict - {place})] == []


def test_it_is_not_sure_that_places_are_consistent_where_a_search_for_their_types_gave_up():
    """It was taken for sure: what a large set seemed to need was not asked about again when the conflict was small."""
    # x * x = 61 * y * y + 1 has its first solution for positive numbers at y = 226,153,980.
    said = said_of(
        """def @square(%x: Tensor[(_), float32]) {
  let %a = reshape(%x, newshape=[-1, 1]);
  reshape(nn.dense(%a, %a), newshape=[-1])
}
def @pell(%x: Tensor[(_), float32], %y: Tensor[(_), float32]) {
  let %one = zeros(shape=[1], dtype="float32");
  let %z = @square(concatenate((%y, %one), axis=0));
  let %rows = zeros(shape=[61, 1], dtype="float32");
  let %many = reshape(nn.dense(reshape(%z, newshape=[-1, 1]), %rows), newshape=[-1]);
  if (True) { @square(%x) } else { concatenate((%many, %one), axis=0) }
}
def @main(%x: int8) -> int16 { %x }""",
        False,
    )
    kept = frozenset(place.index for place in said.places if place.owner != "main")
    assert not said.refused(kept) and said.is_unsure(kept)


# ---- cost and form

NETWORK = "\n".join(
    [
        "def @main(%x: Tensor[(1, 8, 64, 64), float32], %w: Tensor[(8, 8, 3, 3), float32]) {",
        *(
            f"  let %v{i} = nn.conv2d({f'%v{i - 1}' if i else '%x'}, %w, channels=8, kernel_size=[3, 3], "
            f"padding=[{0 if i == 7 else 1}, 1]);"
            for i in range(20)
        ),
        "  add(%v19, %x)",
        "}",
    ]
)


def test_a_conflict_of_a_long_chain_is_found_fast():
    result = relaylogic.infer(NETWORK)
    assert result.verdict == "refuted"
    with at_most(1_000_000):
        conflict = next(result.conflicts())
    assert any("padding=[0, 1]" in text for text in words(conflict))
    whole = [text for text in words(conflict) if not text.startswith(("padding=", "kernel_size="))]
    assert len(whole) == 22 and not any(text.startswith("channels=") for text in whole)


@settings(max_examples=examples(300))
@given(st.one_of(small_programs(), matches(), mixed()), st.randoms(use_true_random=False))
def test_what_says_nothing_is_not_looked_into_and_nothing_else_is_refused_for_that(text, random):
    said = said_of(text, closed=random.random() < 0.5)
    if said is None:
        return
    for size in (2, 4, len(said.all) - 1):
        kept = random.sample(sorted(said.all), max(0, min(size, len(said.all))))
        refused = [site.identity for site in said.inferred(said.saying(kept)).failed()]
        assert sorted(site.identity for site in said.refused(kept)) == sorted(refused)


def test_functions_that_have_no_part_in_a_conflict_cost_little():
    functions = "".join(
        f"def @f{i}(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {{ @f{i - 1}(tanh(%x)) }}\n"
        for i in range(1, 400)
    )
    text = "def @f0(%x: Tensor[(4), float32]) -> Tensor[(4), float32] { nn.relu(%x) }\n" + functions
    result = relaylogic.infer(text + "def @main(%x: Tensor[(4), int8]) { @f399(tanh(%x)) }", closed=True)
    with at_most(300_000):
        conflict = next(result.conflicts())
    assert words(conflict) == ["Tensor[(4), float32]", "Tensor[(4), int8]", "@f399(tanh(%x))", "tanh(%x)"]


@pytest.mark.parametrize("odd", [57, 150])
def test_of_many_places_that_are_as_near_the_odd_one_is_asked_about_first(odd):
    """Where it stands made no difference but for the number of questions, which was 35 to 39 among twice as many."""
    shapes = ["3, 5" if i == odd else f"{i % 7 + 1}, 4" for i in range(200)]
    parameters = ", ".join(f"%x{i}: Tensor[({shape}), float32]" for i, shape in enumerate(shapes))
    fields = ", ".join(f"%x{i}" for i in range(200))
    said = said_of(f"def @main({parameters}) {{ concatenate(({fields}), axis=0) }}")
    conflict = next(Conflicts(said).each_conflict())
    assert said.places.at(said.whole.module["main"].params[odd])[0] in conflict
    assert said.questions <= 20


def test_they_are_worked_out_when_they_are_asked_for_and_kept():
    text = "def @main(" + ", ".join(f"%x{i}: Tensor[({i + 2}), int8]" for i in range(18)) + ") {\n"
    text += "".join(f"  let %y{i} = add(%x{2 * i}, %x{2 * i + 1});\n" for i in range(9)) + "  0\n}"
    result = relaylogic.infer(text)
    assert len(list(islice(result.conflicts(), 9))) == 9  # there are 3 ** 9 corrections
    first = list(islice(result.corrections(), 2))
    assert list(islice(result.corrections(), 2)) == first and len(first[0].places) == 9
    theirs = pickle.loads(pickle.dumps(result))
    assert [words(c) for c in theirs.conflicts()] == [words(c) for c in islice(result.conflicts(), 9)]


def test_json_has_conflicts_and_corrections():
    result = relaylogic.infer("def @main(%x: Tensor[(3), int8], %y: Tensor[(4), int8]) {\n  add(%x, %y)\n}")
    data = json.loads(result.to_json())
    assert data["version"] == 3
    (conflict,) = data["conflicts"]
    assert [(place["line"], place["col"]) for place in conflict] == [(1, 15), (1, 38), (2, 3)]
    assert [len(correction) for correction in data["corrections"]] == [1]
    assert [len(correction) for correction in json.loads(result.to_json(most=9))["corrections"]] == [1, 1, 1]
    (error,) = data["errors"]
    assert len(error["related"]) == 2 and all(place["message"] for place in error["related"])
    assert "conflicts" not in json.loads(relaylogic.infer("def @main() { 1 }").to_json())


def test_a_conflict_is_minimal_where_annotations_let_more_hold():
    """With `%s: S` the function may call itself at other types: without it, less of the rest is needed."""
    text = """\
def @fold[S, A](%f: fn (S, A) -> (S, A), %s: S, %l: List[A]) -> (S, List[A]) {
  match (%l) {
    Cons(%a, %rest) => {
      let %step = %f(%s, %a);
      let %tail = @fold(%step.0, %f, %rest);
      (%tail.0, Cons(%step.1, %tail.1))
    },
    Nil => (%s, Nil),
  }
}
type List[A] { Cons(A, List[A]), Nil }
"""
    said = said_of(text)
    conflicts = list(islice(Conflicts(said).each_conflict(), 8))
    assert conflicts
    for conflict in conflicts:
        assert said.refused(conflict)
        assert not any(said.refused(conflict - {place}) for place in conflict)


def test_unannotated_recursion_is_general_for_its_callers():
    text = """type List[A] { Cons(A, List[A]), Nil, }
def @concat(%a, %b) { match (%a) { Nil => %b, Cons(%h, %t) => Cons(%h, @concat(%t, %b)), } }
def @main(%l: List[int32], %m: List[bool]) { (@concat(%l, %l), @concat(%m, Nil)) }"""
    result = relaylogic.infer(text)
    assert result.verdict == "typed"
    assert str(result.functions["main"]).endswith("-> (List[int32], List[bool])")


def test_a_conflict_needs_no_member_beside_those_that_leave_no_number_of_elements():
    """The annotation of `%b` was one: without it, the rank of what is reshaped is not known."""
    result = relaylogic.infer("""def @main(%b: Tensor[(1, 3, 1), int8], %x: Tensor[(3, 4), int8],
                %y: Tensor[(4, 4), int8]) -> Tensor[(4, 4), int8] {
  reshape_like(multiply(%b, %x), %y)
}""")
    annotated = {place.message for place in next(result.conflicts()).places if "annotated" in place.message}
    assert len(annotated) == 2 and any("(4, 4)" in message for message in annotated)
