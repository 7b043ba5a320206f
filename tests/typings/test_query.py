"""Answers: which, how many, in which order, and how the search for them ends."""

import copy
import itertools
import pickle

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.logic.control import StepLimit
from relaylogic.rulebase import load_rules
from relaylogic.types.universe import UniverseError
from relaylogic.typings.program import typings
from relaylogic.typings.query import count_query, query
from tests.counted import at_most

CLAUSES = """
nil: Len((), 0).
more: Len([h | t], n) :- Len(t, m), n = m + 1.
Loop(x) :- Loop(x).
one: Either(a) :- Loop(a).
two: Either(a) :- a = Tensor[(3), int8].
Grow(x) :- Grow([1 | x]).
last: Longest([Tensor[(m), t]], m, t).
longer: Longest([Tensor[(n), t] | f], m, t) :- Longest(f, k, t), m = max(n, k).
base: Up(0).
next: Up(n) :- Up(m), n = m + 2.
left: LeftRec(a, b) :- LeftRec(a, c), Up(c), b = c.
zero: LeftRec(0, 0).
low: Over(a) :- a = 3 ; a = 4.
high: Over(a) :- a = 4 ; a = 5.
Hidden(c) :- member(b, (1, 2, 3)), c >= 1, c <= b.
"""


@pytest.fixture(scope="module")
def rules():
    base = load_rules()
    load_clauses(base, CLAUSES)
    return base


def ask(rules, text, **options):
    found = query(text, rules=rules, **options)
    return [str(answer) for answer in found], found.status


def test_answers_are_lazy_and_bound_names_to_terms(rules):
    found = query("Broadcast(A, Tensor[(3), int8], C), C = Tensor[(2, 3), int8]", rules=rules)
    first = next(found)
    assert set(first.bindings) == {"A", "C"}
    assert found.status == ""
    assert [str(a.bindings["A"]) for a in itertools.chain([first], found)] == [
        "Tensor[(2, 3), int8]",
        "Tensor[(2, 1), int8]",
    ]
    assert found.status == "exhausted"


def test_no_answer_is_no(rules):
    assert ask(rules, "Broadcast(Tensor[(2), int8], Tensor[(3), int8], C)") == ([], "exhausted")


def test_a_limit_is_named(rules):
    assert ask(rules, "Broadcast(A, B, Tensor[(5, 3), int8])", limit=3)[1] == "answer limit"


def test_a_divergent_query_is_unknown_not_no(rules):
    with at_most(3_000_000):
        assert ask(rules, "Grow(x)", steps=20_000) == ([], "unknown: step limit")


@pytest.mark.parametrize(
    ("text", "answers"),
    [("Loop(x)", []), ("LeftRec(a, b)", ["a = 0, b = 0"]), ("Either(x)", ["x = Tensor[(3), int8]"])],
)
def test_a_relation_that_calls_itself_with_the_same_terms_ends(rules, text, answers):
    assert ask(rules, text) == (answers, "exhausted")


def test_a_count_that_does_not_end_is_unknown(rules):
    with pytest.raises(StepLimit):
        count_query("Up(n)", rules=rules, steps=5000)


def test_an_infinite_branch_starves_nobody(rules):
    assert ask(rules, "(Up(n) ; n = 7)", limit=6)[0].count("n = 7") == 1
    assert ask(rules, "(n = 7 ; Loop(n) ; n = 8)", limit=2)[0] == ["n = 7", "n = 8"]
    pairs = ask(rules, "Up(n), Up(m)", limit=60)[0]
    assert "n = 4, m = 4" in pairs and "n = 0, m = 6" in pairs and "n = 6, m = 0" in pairs


@pytest.mark.parametrize("universe", [{}, {"max_dim": 4}, {"max_dim": 4, "max_rank": 3}])
def test_a_recursive_call_of_finitely_many_answers_is_made_before_values_are_tried(rules, universe):
    """All tensors were tried for the elements of the list, since nobody knew to how little the call comes."""
    names = ["A", "B", "C"]
    asked = f"Longest([{', '.join(names)}], 3, int8)"
    wanted = {shape for shape in itertools.product((1, 2, 3), repeat=3) if max(shape) == 3}
    found = query(asked, rules=rules, ground=True, steps=2_000, **universe)
    assert {tuple(answer.bindings[name].shape[0] for name in names) for answer in found} == wanted
    assert found.status == "exhausted"
    assert count_query(asked, rules=rules, ground=True, steps=5_000, **universe) == len(wanted)


def test_an_endless_universe_is_walked_fairly(rules):
    found = ask(rules, "n * m = k", ground=True, limit=200)[0]
    assert {"n = 2, m = 3, k = 6", "n = 3, m = 2, k = 6"} <= set(found)
    assert len(set(found)) == 200


def test_smaller_answers_come_first(rules):
    assert ask(rules, "Len(s, n)", limit=3)[0] == ["s = (), n = 0", "s = (m,), n = 1", "s = (m, k), n = 2"]
    assert ask(rules, "prod(s) = 4, A = Tensor[s, int8]", max_rank=2)[0] == [
        "s = (4,), A = Tensor[(4), int8]",
        "s = (1, 4), A = Tensor[(1, 4), int8]",
        "s = (2, 2), A = Tensor[(2, 2), int8]",
        "s = (4, 1), A = Tensor[(4, 1), int8]",
    ]


@pytest.mark.parametrize(
    ("text", "options", "answers"),
    [
        ("Over(a)", {}, ["a = 3", "a = 4", "a = 5"]),
        ("member(a, (1, 2, 2))", {}, ["a = 1", "a = 2"]),
        ("Hidden(c)", {"ground": True}, ["c = 1", "c = 2", "c = 3"]),
        ("Over(a) ; Over(a)", {}, ["a = 3", "a = 4", "a = 5"]),
    ],
)
def test_no_answer_comes_twice(rules, text, options, answers):
    assert ask(rules, text, **options) == (answers, "exhausted")
    assert count_query(text, rules=rules, **options) == len(answers)


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("n * m = 20", ("n * m = 20", "n >= 1", "n <= 20", "m >= 1", "m <= 20")),
        ("A = Tensor[(n), int8], n != 1", ("n != 1",)),
        ("n < m", ("n < m", "m >= 1")),
        ("nn.batch_flatten(A) = Tensor[(2, 12), int8]", ("prod(s) = 12",)),
    ],
)
def test_what_is_left_is_stated(rules, text, residue):
    (answer,) = query(text, rules=rules)
    assert answer.residue == residue


def test_a_variable_is_never_taken_to_be_unknown(rules):
    found = ask(rules, "BroadcastDim(a, b, c)")[0]
    assert len(found) == 3 and not any("?" in answer for answer in found)


def test_bounds_hold_of_all_extents(rules):
    for answer in query("nn.batch_flatten(A) = B", rules=rules, max_rank=3, max_dim=3, dtypes=["int8", "bool"]):
        for term in answer.bindings.values():
            assert len(term.shape) <= 3 and all(1 <= d <= 3 for d in term.shape)


def test_empty_tensors_belong_to_the_universe_if_asked_for(rules):
    assert count_query("A = Tensor[(n), int8]", rules=rules, max_dim=3) == 3
    assert count_query("A = Tensor[(n), int8]", rules=rules, max_dim=3, min_dim=0) == 4


def test_an_answer_explains_itself(rules):
    (answer,) = query("Broadcast(Tensor[(3), int8], Tensor[(2, 1), int8], C)", rules=rules)
    assert answer.explain().splitlines()[0] == (
        "Broadcast(Tensor[(3), int8], Tensor[(2, 1), int8], Tensor[(2, 3), int8])  [tensors]"
    )
    assert "BroadcastDim(3, 1, 3)  [right_stretches]" in answer.explain()
    assert "Broadcast/tensors" in answer.clauses


def test_the_order_is_the_same_each_time(rules):
    text, bounds = "nn.dense(A, B, units=3) = C", {"max_rank": 2, "max_dim": 3, "dtypes": ["int8", "bool"]}
    first = ask(rules, text, **bounds)
    fresh = load_rules()
    assert first == ask(rules, text, **bounds) == ask(fresh, text, **bounds)


FAMILIES = [
    ("nn.dense(A, B, units=2) = C", 2),
    ("reshape(A, newshape=(2, -1)) = C", 2),
    ("nn.batch_flatten(A) = B", 3),
    ("concatenate((A, B), axis=0) = C", 2),
    ("nn.conv1d(A, B, channels=2, kernel_size=(2,)) = C", 3),
    ("nn.conv2d(Tensor[(1, c, h, 2), int8], B, channels=2, kernel_size=(2, 2)) = C", 4),
]


@pytest.mark.parametrize(("text", "rank"), FAMILIES)
def test_families_have_exactly_the_ground_instances(rules, text, rank):
    families = list(query(text, rules=rules))
    assert 0 < len(families) < 20
    bounds = {"max_rank": rank, "max_dim": 2, "dtypes": ["int8"]}
    ground = {frozenset(answer.texts.items()) for answer in query(text, rules=rules, **bounds)}
    assert ground
    assert len(ground) == count_query(text, rules=rules, **bounds)
    found = set()
    for family in families:
        names = ", ".join(f"{name} = {value}" for name, value in family.texts.items())
        constraints = ", ".join(family.residue)
        again = f"{names}, {constraints}" if constraints else names
        for answer in query(again, rules=rules, **bounds):
            own = {k: v for k, v in answer.texts.items() if k in family.bindings}
            # A name that the family does not mention as an extent is not bounded as one.
            if not any(value.isdigit() and int(value) > 2 for value in own.values()):
                found.add(frozenset(own.items()))
    assert found == ground


@pytest.mark.parametrize("ground", [False, True])
@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("[1 - 2] = [n]", False),
        ("[(1 - 2)] != [n]", False),
        ("n = 1, [n - 2] = [m]", False),
        ("n = 1, [n - 2] != [m]", False),
        ("n = 1, prod([n - 2, n - 3]) = m", False),
        ("prod([1 - 2, 1 - 3]) = m", False),
        ("[3 - 2] = [n]", True),
        ("n = 3, [n - 2] != [m], m < 9", True),
    ],
)
def test_what_is_calculated_in_a_list_of_extents_is_a_natural(text, holds, ground):
    assert bool(list(query(text, ground=ground, limit=1))) is holds


def test_what_is_calculated_for_an_attribute_may_be_negative():
    (answer,) = query("reshape(Tensor[(4), int8], newshape=K) = Tensor[(4), int8], K = [1 - 2]")
    assert str(answer) == "K = [-1]"


@pytest.mark.parametrize("steps", [None, -1, 1.5, "3"])
def test_steps_are_a_number(steps):
    """None was taken, and an answer could not be looked for then."""
    for asked in (query, count_query):
        with pytest.raises(UniverseError, match="`steps` is a natural number"):
            asked("n < 3", steps=steps)
    with pytest.raises(UniverseError, match="`steps` is a natural number"):
        typings("def @main(%x) { nn.relu(%x) }", steps=steps)


@pytest.mark.parametrize(
    ("last", "answers"), [("5000", 1), ("7", 0), ("n, n", 0), ("n", 1), ("?", 1), ("?, ?", 0)], ids=str
)
def test_known_numbers_are_not_compared_in_pairs(rules, last, answers):
    """That 600 numbers are distinct was unknown, by the step limit."""
    with at_most(300_000):
        found = query(f"distinct(({', '.join(map(str, range(600)))}, {last}))", rules=rules, limit=2)
        assert len(list(found)) == answers
        assert not found.status.startswith("unknown")


def test_what_holds_a_question_says_so_when_it_is_to_be_pickled():
    """The reason was a lock, or a function without a name, somewhere inside."""
    found = query("n < 3")
    (answer,) = found
    assert copy.copy(answer) is answer and copy.deepcopy(answer) is answer
    with pytest.raises(TypeError, match="plain data"):
        pickle.dumps(answer)
    for work in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="plain data"):
            work(found)


def test_a_least_extent_is_a_bound_without_any_other():
    """It was asked for, and nothing came of it."""
    assert [str(answer) for answer in query("A = Tensor[(n), int8]", min_dim=5)] == ["A = Tensor[(n), int8], n >= 5"]
    assert list(query("A = Tensor[(4), int8]", min_dim=5)) == []
    found = query("nn.dense(A, B) = Tensor[(5, 7), int8]", min_dim=2)
    assert "n >= 2" in str(next(found))
