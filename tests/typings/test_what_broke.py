"""Questions with unknowns that the first engine answered wrongly, late or never; each is named for what broke."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.typings.program import count_typings, typings
from relaylogic.typings.query import count_query, query

CLAUSES = """
Parent("a", "b"). Parent("b", "c"). Parent("c", "a").
Anc(X, Y) :- Parent(X, Y).
Anc(X, Y) :- Parent(X, Z), Anc(Z, Y).
LeftAnc(X, Y) :- Parent(X, Y).
LeftAnc(X, Y) :- LeftAnc(X, Z), Parent(Z, Y).
Even(n) :- n = 0.
Even(n) :- Odd(m), n = m + 1, n <= 9.
Odd(n) :- Even(m), n = m + 1, n <= 9.
Same(Tensor[s, t], Tensor[o, t]) :- prod(s) = prod(o).
operator same(data) : Same.
"""
RULES = load_rules()
load_clauses(RULES, CLAUSES)


def listed(text, **bounds):
    found = query(text, rules=RULES, **bounds)
    answers = [str(answer) for answer in found]
    assert found.status == "exhausted"
    assert len(set(answers)) == len(answers) == count_query(text, rules=RULES, **bounds)
    return answers


def test_a_hidden_operand_repeated_answers_or_lost_one():
    assert sorted(listed("Broadcast(A, _, Tensor[(2, 3), int8])")) == sorted(
        f"A = {shape}"
        for shape in ("int8", *(f"Tensor[({s}), int8]" for s in ("1", "3", "1, 1", "1, 3", "2, 1", "2, 3")))
    )


def test_the_order_of_answers_changed_from_run_to_run():
    text = "Broadcast(A, _, Tensor[(2, 3), int8])"
    ask = f"from relaylogic.typings.query import query; print(*query('{text}'), sep='\\n')"
    runs = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", ask], capture_output=True, env=environment, check=True)
        runs.add(run.stdout)
    assert len(runs) == 1


def test_hidden_arguments_of_two_calls_multiplied_answers():
    bounds = {"max_rank": 2, "max_dim": 3, "dtypes": ["int8"]}
    expected = [f"A = Tensor[({n}, {m}), int8]" for n in (1, 2, 3) for m in (1, 2, 3)]
    assert sorted(listed("Broadcast(A, _, _), Flatten(_, A)", **bounds)) == expected


def test_two_products_of_one_unknown_shape_were_not_compared():
    program = "fn (%x: Tensor[(_, _), int8]) -> Tensor[(4), int8] { same(same(%x)) }"
    found = [str(answer) for answer in typings(program, rules=RULES, ground=True)]
    assert found == [f"%x = Tensor[({n}, {m}), int8]" for n, m in ((1, 4), (2, 2), (4, 1))]
    assert count_typings(program, rules=RULES, ground=True) == 3


def test_a_tuple_of_unknown_arity_was_left_open_in_a_ground_universe():
    program = "fn (%t) -> Tensor[(3,), int8] { concatenate(%t, axis=0) }"
    found = typings(program, ground=True, max_rank=1, max_dim=3)
    parts = [[field.shape[0] for field in answer.bindings["%t"].fields] for answer in found]
    assert parts == [[3], [1, 2], [2, 1], [1, 1, 1]]
    assert any("--max-arity" in note for note in found.notes)
    assert count_typings(program, ground=True, max_rank=1, max_dim=3, max_arity=2) == 3


def test_families_without_a_member_were_answers():
    x_with_y, y_with_x = "concatenate((%x, %y), axis=0)", "concatenate((%y, %x), axis=0)"
    program = f"fn (%x: Tensor[(_), int8], %y: Tensor[(_), int8]) {{ subtract({x_with_y}, {y_with_x}) }}"
    (family,) = typings(program)
    assert family.residue == ("n + m = k",)


@pytest.mark.parametrize("choice", ["member(n, (1, ?))", "(n = 1; n = ?)", "m = n, member(m, (?, 1))"])
def test_what_must_be_known_was_unknown_where_all_other_choices_are_known(choice):
    """A trial had told of no `?`, since `known` had refused it there."""
    for text in f"known(n), {choice}", f"{choice}, known(n)":
        assert [set(line.split(", ")) - {"m = 1"} for line in listed(text)] == [{"n = 1"}], text


@pytest.mark.parametrize("text", ["unknown(n), n = ?", "n = ?, unknown(n)"])
def test_a_test_looked_before_its_number_was_known(text):
    assert listed(text) == ["n = ?"]


@pytest.mark.parametrize("relation", ["Anc", "LeftAnc"])
def test_a_relation_that_calls_itself_ended_in_the_step_limit(relation):
    assert len(listed(f"{relation}(X, Y)")) == 9
    assert sorted(listed(f'{relation}("a", Y)')) == ['Y = "a"', 'Y = "b"', 'Y = "c"']


def test_relations_that_call_each_other():
    assert listed("Even(n)") == [f"n = {n}" for n in (0, 2, 4, 6, 8)]


@pytest.mark.parametrize(
    ("equation", "number"),
    [
        ("n*n + m*m = 25", 4),
        ("a*a*a + b*b*b = 1729", 4),
        ("n*n + m*m = k*k, 1 <= n <= m, k <= 200", 127),
        ("a*b*c*d*e = 30030", 15_625),
        ("a + b + c + d = 40", 12_341),
    ],
)
def test_an_equation_with_finitely_many_solutions_did_not_end(equation, number):
    assert count_query(equation, rules=RULES, ground=True) == number
    assert sum(1 for _ in query(equation, rules=RULES, ground=True)) == number


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("n - 1 + 1 = m", ["m = n"]),
        ("n + 1 = n", []),
        ("n + m = 1, m + n = k, k != 1", []),
        ("n + m = 3, m + k = 4, n + k = 6", []),
        ("2*n = 2*m + 1", []),
        ("n*n = 50", []),
        ("n*n + 1 = 10", ["n = 3"]),
        ("prod(s) = 6, prod(s) = 10", []),
    ],
)
def test_equations_were_kept_instead_of_solved(text, answers):
    assert listed(text) == answers


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("s = [-2, 3], A = Tensor[s, int8]", []),
        ("append([-2], u, s), nn.relu(Tensor[s, int8]) = B", []),
        ("shape(A) = s, s = [-1], B = (ref(A),)", []),
        ("member(n, [-1, 3]), A = Tensor[(n), int8]", ["n = 3, A = Tensor[(3), int8]"]),
        ("n = none, B = Tensor[(n, 2), int8]", []),
        ("s = none, B = Tensor[s, int8]", []),
        ("t = none, B = Tensor[(2), t]", []),
        ("s = [-2, 3], s[1] = n", ["s = (-2, 3), n = 3"]),
    ],
)
def test_a_tensor_type_had_extents_that_are_none(text, answers):
    """An answer could not be read back: `A = Tensor[(-2, 3), int8]`."""
    assert listed(text) == answers


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("dyn.reshape(int8, Tensor[(n), int64], newshape=None) = Tensor[s, int8]", {n: n for n in (1, 2, 3, 4)}),
        (
            "dyn.tile(Tensor[(2, 3), int8], Tensor[(n), int64], reps=None) = Tensor[s, int8]",
            {n: max(n, 2) for n in (1, 2, 3, 4)},
        ),
        (
            "dyn.broadcast_to(Tensor[(2, 3), int8], Tensor[(n), int64], shape=None) = Tensor[s, int8]",
            {n: n for n in (2, 3, 4)},
        ),
        (
            'dyn.zeros(Tensor[(n), int64], shape=None, dtype="int8") = Tensor[s, int8], n = m + m',
            {n: n for n in (2, 4)},
        ),
    ],
)
def test_a_rank_that_an_extent_tells_was_looked_for_without_an_end(text, answers):
    """Extents were bounded, and so the rank of a result that may be `?`; still longer and longer ones were tried."""
    found = query(text, rules=RULES, max_dim=4, ground=True)
    ranks = {answer.bindings["n"]: len(answer.bindings["s"]) for answer in found}
    assert (ranks, found.status, found.found) == (answers, "exhausted", len(answers))
    assert count_query(text, rules=RULES, max_dim=4, ground=True) == len(answers)


@pytest.mark.parametrize("bounds", [{}, {"ground": True, "dtypes": ["int64"], "max_rank": 0}])
def test_it_was_left_open_which_data_type_a_storage_is(bounds):
    """An answer that nobody could read back, of those that are ground too: `S = n[]`."""
    assert listed("memory.alloc_storage(_, _, _) = S", **bounds) == ["S = Storage[]"]
    program = "def @main(%n: int64) { let %s = memory.alloc_storage(%n, %n, %n); %n }"
    for text in (program, f"extern type Storage {program}"):
        assert [str(typing) for typing in typings(text, **bounds)] == ["%s = Storage[]"]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("tile(Tensor[(3), int8], reps=[K]) = Tensor[(?), int8]", []),
        ("tile(Tensor[(3), int8], reps=[K]) = Tensor[(n), int8], n <= 8", ["K = 1, n = 3", "K = 2, n = 6"]),
        ("nn.pad(Tensor[(3), int8], int8, pad_width=[[K, 0]]) = Tensor[(?), int8]", []),
        ("strided_slice(Tensor[(3), int8], begin=[K], end=[2], strides=[1]) = Tensor[(?), int8]", []),
        ("full(int8, shape=[K], dtype=\"int8\") = Tensor[(?), int8]", ["K = ?"]),
    ],
)
def test_a_place_or_a_count_was_an_extent_that_may_be_unknown(text, answers):
    """`K = ?` was answered of numbers that are none; a shape may have it."""
    assert listed(text, max_dim=9, max_attr=4, ground=True) == answers


def test_a_program_was_refuted_since_a_repetition_might_have_been_unknown():
    program = "def @main(%x: Tensor[(?, 1, 3), int8]) -> Tensor[(?, 4, 3), int8] { tile(%x, reps=[_, 4, 1]) }"
    assert relaylogic.infer(program).verdict == "incomplete"  # the first may be any
    assert len(list(typings(program, max_attr=3))) == 3
    (error,) = relaylogic.infer(program.replace("_", "?")).errors
    assert "`reps` cannot be [?, 4, 1]" in error.message and "its elements are integers" in error.message


def test_two_extents_were_one_since_both_were_unknown_in_one_answer():
    """And 1 in the other: so the program was refuted, though it is typed without `exclude`."""
    types = "(%x: Tensor[(2, ?, 7, 2, ?), float32]) -> Tensor[(1, 3, ?, 2, 2), int32]"
    program = f"def @main{types} {{ argmin(%x, axis=[2, 0], keepdims=True, exclude=_) }}"
    result = relaylogic.infer(program)
    assert (result.verdict, [str(typing) for typing in typings(program)]) == ("typed", ["argmin.exclude = false"])
