"""What the variables of a clause stand for does not depend on the order in which its goals are written."""

from __future__ import annotations

import re
from itertools import count, permutations
from random import Random

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.rulebase import RuleBase, default_rules, load_rules
from relaylogic.typings.query import query
from tests.effort import some

GOALS = [
    *("s = (2)", "(n) = s", "prod(s) = n", "s = (n, 3)", "n[1] = k", "n < 3", "s[0] = m", "append(s, o, (1, 2))"),
    *("A = Tensor[s, t]", "sum(o) = n", "o = (m)", "s = o", "len(s) = m", "[n | o] = s", "t = (float32)"),
    *("k = (n + 1)", "B = (A)", "add(A, A) = B", "o = (A)", "(k, m) = o", "Flatten(A, B)", "s != o", "max(n, m) = k"),
    *("s = (n + 1)", "(2) != s", "elements(A) = n", "(prod(o)) = s"),
    *("(n, ...o) = s", "o = (k, m)", "s = (...o, A)", "() != o", "B = (...o, 2)"),
]


def bindings(goals: tuple[str, ...]) -> object:
    """The answers to a query in a small universe; what is wrong with it, but not where; None if that is not known."""
    try:
        found = query(", ".join(goals), limit=60, steps=3000, max_rank=2, max_dim=2, dtypes=("float32",), ground=True)
        answers = [tuple(sorted(answer.to_dict()["bindings"].items())) for answer in found]
    except ClauseError:
        return "refused"
    # Variables that are equal may be written either way.
    closed = all(value[0].isdigit() or value[0] in "([" for answer in answers for _, value in answer)
    return sorted(answers) if found.status == "exhausted" and closed else "accepted"


@pytest.mark.parametrize("seed", some(range(8), 2))
def test_orders_of_goals(seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        goals = random.sample(GOALS, random.choice([2, 2, 3]))
        found = {str(bindings(order)): order for order in permutations(goals)}
        found.pop("accepted", None)
        assert len(found) <= 1, found


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("prod(s) = n, s = (2)", "s = (2,), n = 2"),
        ("s = (2), prod(s) = n", "s = (2,), n = 2"),
        ("(2) = s, sum(s) = n, len(s) = m", "s = (2,), n = 2, m = 1"),
        ("prod(s) = 3, s = (n + 1)", "s = (3,), n = 2"),
        ("s = (n + 1), sum(s) = 3", "s = (3,), n = 2"),
        ("n = (m + 1), m = (3)", "n = 4, m = 3"),
        ("s = (2)", "s = 2"),
    ],
)
def test_one_extent_in_brackets(text: str, answer: str) -> None:
    assert [str(found) for found in query(text)] == [answer]


@pytest.mark.parametrize(
    ("goals", "answers"),
    [
        (("s = (n, m)", "len(s) = i"), ["s = (n, m), i = 2"]),
        (("len(s) = i", "(n, 3) = s"), ["s = (n, 3), i = 2"]),
        (("s = (n, m, ...k)", "len(s) = 2"), ["s = (n, m), k = ()"]),
        (("s = (2)", "len(s) = n"), ["s = (2,), n = 1"]),
        (("s = (n)", "len(s) = k", "n < 3"), ["s = (n,), k = 1, n <= 2"]),
        (("s = ()", "len(s) = k"), ["s = (), k = 0"]),
        (("reverse(s, u)", "u = (1, 2)"), ["s = (2, 1), u = (1, 2)"]),
        (("s = (int8, B)", "len(s) = n"), ["s = [int8, B], n = 2"]),
        (("v = (int8, (int8, int8))", "reverse(v, u)"), ["v = [int8, (int8, int8)], u = [(int8, int8), int8]"]),
        (("s = (A)", "len(s) = k", "Identity(A, int8)"), ["s = [int8], A = int8, k = 1"]),
        (("s = (A, B)", "member(int8, s)"), ["s = [int8, B], A = int8", "s = [A, int8], B = int8, A != int8"]),
    ],
)
def test_what_words_for_lists_speak_of_is_no_tuple_type(goals: tuple[str, ...], answers: list[str]) -> None:
    """What stood in parentheses was a tuple type where nothing said what it held, which has no length: no answer."""
    assert [str(found) for found in query(", ".join(goals))] == answers
    assert len({str(bindings(order)) for order in permutations(goals)} - {"accepted"}) <= 1
    assert all(len(list(query(", ".join(order)))) == len(answers) for order in permutations(goals))


@pytest.mark.parametrize(
    ("goals", "answers"),
    [
        (("s = (n, ...u)", "u = (a, b)"), ["s = (n, a, b), u = (a, b)"]),
        (("s = (n, ...u)", "() != u"), ["s = (n, ...u), () != u"]),
        (("s = (n, ...u)", "u = (2)"), ["s = (n, 2), u = (2,)"]),
        (("s = (n, ...u)", "u = (...v)", "v = (1, 2)"), ["s = (n, 1, 2), u = (1, 2), v = (1, 2)"]),
        (("s = (A, ...u)", "u = (int8, B)"), ["s = (A, int8, B), u = [int8, B]"]),
        (("s = (A, ...u)", "u = (B)", "Identity(B, int8)"), ["s = (A, int8), u = [int8], B = int8"]),
        (("() != s[1:]",), ["s = (n, ...u), () != u"]),
    ],
)
def test_what_is_the_rest_of_a_list_is_no_tuple_type(goals: tuple[str, ...], answers: list[str]) -> None:
    """It was said to stand for a type and for a list of types, of what answers say themselves, too."""
    assert [str(found) for found in query(", ".join(goals))] == answers
    assert len({str(bindings(order)) for order in permutations(goals)} - {"accepted"}) <= 1
    assert all(len(list(query(", ".join(order)))) == len(answers) for order in permutations(goals))
    assert len(list(query(answers[0]))) == 1


def test_a_relation_with_one_extent_in_brackets() -> None:
    rules = load_rules()
    load_clauses(rules, "One(A, n) :- prod(s) = n, s = (2), A = Tensor[s, int8].")
    assert [str(found) for found in query("One(A, n)", rules=rules)] == ["A = Tensor[(2), int8], n = 2"]


@pytest.mark.parametrize(
    "text",
    [
        "s = (n, 3), n[3] = k",
        "n[3] = k, s = (n, 3)",
        "n + 1 = m, m[0] = k",
        "s = (1, 2), s[0][0] = 1",
        "nn.relu(A)[0][1] = n",
        "Tensor[s, int8][n][0] = 1",
    ],
)
def test_an_extent_has_no_places(text: str) -> None:
    with pytest.raises(
        ClauseError, match=r"stands for (an extent|a number|a shape) and for (a shape|an extent|a number)"
    ):
        query(text)


@pytest.mark.parametrize(
    "text",
    [
        *("_[m] = 2", "_[m][m] = 2", "_[1:][m][m] = 2", "_[m][1:] = (2, 3)", "_[1:][0] = n", "len(_[1]) = 4"),
        *("prod(_[1:]) = 4", "prod(_[1]) = 4", "sum(_) = 4", "Broadcast(_[0], T, T)"),
        *("_[0] = T, T = Tensor[(2), int8]", "_[0] = float32", "_[1:] = x, x = [T], T = int8", "_[0] = true"),
        *("_[0] = none", "Tensor[_[1:], _] = X"),
        *("Tensor[(_[0], 2), t] = X", "Tensor[_[0], 2, _[1]] = X", "_[0] = _[1]", "_ = (2, 3)", "_[2] + 1 = n"),
    ],
)
def test_an_anonymous_variable_is_read_as_one_that_stands_nowhere_else(text: str) -> None:
    """`_[m][m] = 2` was taken for something, and printed as what nothing can be: `s[m] = u, u[m] = 2`."""
    numbers = count()
    named = re.sub(r"\b_\b", lambda _: f"z{next(numbers)}", text)

    def read(goals: str) -> object:
        try:
            return len(list(query(goals, limit=20)))
        except ClauseError:
            return "refused"

    assert read(text) == read(named)


@pytest.mark.parametrize(
    "goals",
    [
        ("append((2), [n | n], s)",),
        ("append(s, o, p)", "s = [2]", "o = [T]", "T = Tensor[(2), int8]"),
        ("reverse([2 | n], [n | m])",),
        ("append((2), [n, m], s)", "len(m) = 1"),
        ("append(s, [A], o)", "nn.relu(A) = A", "sum(s) = 3"),
    ],
)
def test_lists_that_are_put_together_are_of_one_kind(goals: tuple[str, ...]) -> None:
    """Their answers could not be read: `s = (2, n, ...n)`."""
    for ordered in permutations(goals):
        with pytest.raises(ClauseError, match=r"stands for|is wanted here|would hold"):
            query(", ".join(ordered))


def test_arguments_of_what_nothing_is_known_are_no_lists() -> None:
    """Those of a relation in Python are of no kinds that are known, as those of `append` are of one."""
    assert [str(answer) for answer in query("ShapeTensor(Tensor[(3), int64], n), n < 9")] == ["n = 3"]


@pytest.mark.parametrize("other", ["Other(A, B) :- B = Tensor[s, t].", "Other(A, B) :- Tensor[s, t] = B, A = A."])
def test_a_number_where_another_clause_equates_a_type_is_refused_in_any_order(other: str) -> None:
    for ordered in (["Other(_, 0).", other], [other, "Other(_, 0)."]):
        with pytest.raises(ClauseError, match="stands for"):
            load_clauses(load_rules(), "\n".join(ordered))


CLAUSES = [
    *(
        "S((2)).",
        "S((2, 3)).",
        "S(3).",
        "S([1]).",
        "S([]).",
        "S(()).",
        "S(x) :- prod(x) = 1, len(x) = 1.",
        "S(x) :- x = 2.",
    ),
    *(
        "S(A) :- A = int8.",
        "S(x) :- T(x).",
        "T((1, 2)).",
        "T(4).",
        "T((5)).",
        "T(A) :- A = (int8, int8).",
        "S([int8]).",
        "S(int8).",
    ),
]


@pytest.mark.parametrize("seed", range(8))
def test_orders_of_clauses(seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        clauses = random.sample(CLAUSES, random.choice([2, 2, 3]))
        if not any(clause.startswith("S") for clause in clauses):
            clauses[0] = "S((2))."
        if any("T(x)" in clause for clause in clauses) and not any(clause.startswith("T") for clause in clauses):
            clauses.append("T((6)).")
        found = {str(answers(order)): order for order in permutations(dict.fromkeys(clauses))}
        assert len(found) == 1, found


def with_shipped() -> RuleBase:
    """A rule base for more relations. Those of the shipped one are in it as they are, which is not loaded again: nobody
    replaces one of them."""
    known, rules = default_rules(), RuleBase()
    rules.relations.update(known.relations)
    rules.operators.update(known.operators)
    return rules


def answers(clauses: tuple[str, ...]) -> object:
    """What `S` holds of if it is defined by some clauses in this order; "refused" if they do not fit together."""
    rules = with_shipped()
    try:
        load_clauses(rules, "\n".join(clauses))
    except ClauseError:
        return "refused"
    return sorted(map(str, query("S(x)", rules=rules)))


@pytest.mark.parametrize(
    ("goals", "wanted"),
    [
        (("append(s, o, (1, 2))", "T = Tensor[(s, 3), int8]"), "stands for a list and for an extent"),
        (("map(BroadcastDim, n, s, o)", "n < 3"), "stands for a shape and for a number"),
        (("len(n) = 2", "n = 2 * m"), "stands for a list and for a number"),
        (("BroadcastShapes(o, s, (s, 3))", "true"), "stands for a shape and for an extent"),
    ],
)
def test_a_list_is_no_extent(goals: tuple[str, str], wanted: str) -> None:
    for order in permutations(goals):
        with pytest.raises(ClauseError) as caught:
            query(", ".join(order))
        said = caught.value.message.split(" stands for ")[1]
        assert sorted(said.split(" and for ")) == sorted(wanted.removeprefix("stands for ").split(" and for "))


def test_an_argument_of_a_relation_in_python_is_of_the_kind_that_it_is_annotated_with() -> None:
    assert [str(answer) for answer in query("BroadcastShapes((2), (1), s)")] == ["s = (2,)"]


@pytest.mark.parametrize("body", ["append(a, [n | b], s)", "member(n, s)", "len(s) = n"])
def test_an_argument_that_is_a_list_of_anything_is_no_number(body: str) -> None:
    rules = load_rules()
    load_clauses(rules, f"L(s, n) :- {body}.")
    with pytest.raises(ClauseError, match="`s` stands for a list and for a number"):
        query("L(s, max(s, 2))", rules=rules)
    assert [str(answer) for answer in query("L((1), 1)", rules=rules)] == ["true"]


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("append((2), (3), s)", "s = (2, 3)"),
        ("append((n), (3), (2, 3))", "n = 2"),
        ("append((n + 1), s, (3, 4))", "n = 2, s = (4,)"),
        ("member(n, (2))", "n = 2"),
        ("reverse((2), s)", "s = (2,)"),
        ("map(BroadcastDim, (2), (1), s)", "s = (2,)"),
    ],
)
def test_a_number_in_brackets_is_a_list_where_one_is_wanted(goal: str, answer: str) -> None:
    """It was a number, which is no list, and there were no answers."""
    assert [str(found) for found in query(goal)] == [answer]


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        ("image.resize2d(s, size=(7, 7), method=s) = A", "a type and for the value of an attribute"),
        ("sum(A, axis=A) = B", "a type and for a list"),
        ("cast(A, dtype=s) = Tensor[s, t]", "a shape and for a dtype"),
        ("sum(A, keepdims=s) = Tensor[s, t]", "a shape and for true or false"),
        ("sum(A, keepdims=n) = B, n < 2", "a number and for true or false"),
        ("nn.relu(Tensor[(n), int8]) = A, sum(A, keepdims=n) = B", "an extent and for true or false"),
        ("sum(A, axis=t) = Tensor[s, t]", "a list and for a dtype"),
        ("nn.dense(A, B, units=t) = Tensor[s, t]", "a number and for a dtype"),
    ],
)
def test_a_variable_stands_for_an_attribute_that_it_may_be(goal: str, kinds: str) -> None:
    with pytest.raises(ClauseError, match=f"stands for {kinds}"):
        query(goal)


@pytest.mark.parametrize("value", ["true", "False", '"abc"'])
def test_the_value_of_an_attribute_is_nothing_that_types_are_made_of(value: str) -> None:
    for goals in (f"n = {value}, A = Tensor[(n, 2), int8]", f"A = Tensor[(n), int8], {value} = n"):
        with pytest.raises(ClauseError, match="`n` stands for an extent and for the value of an attribute"):
            query(goals)
    for type_ in (f"Tensor[({value}, 2), int8]", f"Tensor[(2, {value}), int8]", f"Tensor[2, {value}, int8]"):
        with pytest.raises(ClauseError, match=f"an extent is wanted here, not `{value}`"):
            query(f"nn.relu({type_}) = A")
    with pytest.raises(ClauseError, match="`A` stands for a type and for the value of an attribute"):
        query(f"A = {value}, nn.relu(A) = B")


@pytest.mark.parametrize("goal", ["(s) = (n + 1)", "(n + 1) = (s)", "((s)) = (n + 1)", "(s) = (3)", "(3) != (s)"])
def test_brackets_around_both_sides_mean_nothing(goal: str) -> None:
    """One of them was a list and the other was none: a shape was a number."""
    with pytest.raises(ClauseError, match="`s` stands for a shape and for a number"):
        query(f"{goal}, sum(s) = 3")
    assert [str(found) for found in query("(s) = ((n + 1)), sum(s) = 3")] == ["s = (3,), n = 2"]


@pytest.mark.parametrize(
    ("type_", "wanted", "found"),
    [
        ("Tensor[void]", "a shape", "void"),
        ("Tensor[int8, t]", "a shape", "int8"),
        ("Tensor[nn.relu(C), t]", "a shape", "nn.relu(C)"),
        ("Tensor(Tensor[(2), int8], t)", "an extent", "Tensor[(2), int8]"),
        ("Tensor[(2, int8), t]", "an extent", "int8"),
        ("Tensor[[2, int8 | s], t]", "an extent", "int8"),
        ("Tensor[(2), (3)]", "a dtype", "(3)"),
    ],
)
def test_the_parts_of_a_tensor_type_are_of_their_kinds(type_: str, wanted: str, found: str) -> None:
    """They were taken, and the answers could not be read."""
    with pytest.raises(ClauseError, match=re.escape(f"{wanted} is wanted here, not `{found}`")):
        query(f"A = Tensor[s, t], B = {type_}")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("A = Tensor[-2, int8]", "an extent is a natural number, which `-2` is not"),
        ("Broadcast(A, _, Tensor[(2, 1 - 2), int8])", "an extent is a natural number, which `1 - 2` is not"),
        ("sum(n + 1) = m", "a shape is wanted here, not `n + 1`"),
        ("prod(int8) = m", "a shape is wanted here, not `int8`"),
        ("len(3) = m", "a list is wanted here, not `3`"),
        ("append(3, s, o)", "a list is wanted here, not `3`"),
        ("map(BroadcastDim, 3, s, o)", "a shape is wanted here, not `3`"),
        ("map(BroadcastDim, s, s, o), F = [[n | r], (2, m) | s]", "an extent is wanted here, not `[n | r]`"),
        ("member(n, nn.relu(A))", "a list is wanted here, not `nn.relu(A)`"),
        ("prod(nn.relu(A)[0]) = 2", "a shape is wanted here, not `nn.relu(A)[0]`"),
        ("len(s[0]) = 2", "a list is wanted here, not `s[0]`"),
        ("BroadcastDim(int8, n, m)", "an extent is wanted here, not `int8`"),
        ("BroadcastDim(n, Tensor[s, t], m)", "an extent is wanted here, not `Tensor[s, t]`"),
        ("Broadcast(n * 2, A, B)", "a type is wanted here, not `n * 2`"),
        ("Broadcast(A, ?, B)", "a type is wanted here, not `?`"),
        ("Broadcast(A, s[1:], B)", "a type is wanted here, not `s[1:]`"),
        ("nn.relu(len(s)) = A", "a type is wanted here, not `len(s)`"),
        ('nn.relu("int8") = A', "a type is wanted here, not `\"int8\"`"),
        ("known(nn.relu(A))", "a number is wanted here, not `nn.relu(A)`"),
        ("is_float((n, m))", "a dtype is wanted here, not `(n, m)`"),
        ("is_float(3)", "a dtype is wanted here, not `3`"),
        ("Broadcast(A, none, B)", "a type is wanted here, not `none`"),
        ("nn.relu(A) = none", "a type is wanted here, not `none`"),
        ("A = ref(n * 2)", "a type is wanted here, not `n * 2`"),
        ('A = fn (B, "a") -> C', "a type is wanted here, not `\"a\"`"),
        ("A = fn (B) -> ?", "a type is wanted here, not `?`"),
        ("shape(s[1:]) = o", "a type is wanted here, not `s[1:]`"),
        ("elements(?) = n", "a type is wanted here, not `?`"),
        ("o = (n, m, [[n]])", "a type is wanted here, not `[[n]]`"),
        ('x = (A, (n, "a"))', "a type is wanted here, not `\"a\"`"),
    ],
)
def test_what_is_evidently_not_what_is_wanted(goal: str, message: str) -> None:
    """There were answers: extents of -2, the list 3 behind the empty one."""
    with pytest.raises(ClauseError, match=re.escape(message)):
        query(goal)


def test_the_kind_of_a_parameter_holds_for_what_is_given_for_it() -> None:
    """`End(S, y * A)` had answers in which `s` stood for the rest of a shape and for a product."""
    rules = load_rules()
    load_clauses(rules, "End(s, s) :- len(s) = n. End([h | s], o) :- End(s, o). Is(t) :- A = Tensor[(), t].")
    for goal, wanted in [("End(S, {})", "a list"), ("End({}, S)", "a list"), ("Is({})", "a dtype")]:
        for term in ("y * 2", "3", "?", "len(u)", "fn (A) -> B", "Tensor[u, t]", "nn.relu(A)", "u[0]"):
            with pytest.raises(ClauseError, match=re.escape(f"{wanted} is wanted here, not `{term}`")):
                query(goal.format(term), rules=rules)


def test_a_parameter_that_stands_for_a_number_may_be_the_value_of_an_attribute() -> None:
    rules = load_rules()
    load_clauses(rules, 'At(s, none) :- len(s) = 0. At(s, "last") :- len(s) = 1. At(s, k) :- len(s) = k + 2.')
    found = [[str(answer) for answer in query(f"At((2), {k})", rules=rules)] for k in ("none", '"last"', "0", "k")]
    assert found == [[], ["true"], [], ['k = "last"']]


def test_an_element_of_what_an_operator_gives_is_an_extent_of_its_type() -> None:
    """It was one of a list, which no operator gives: `A = (1, ...T)`."""
    assert [str(found) for found in query("nn.relu(A)[0] = 1")] == ["A = Tensor[(1, ...s), t]"]
    assert [str(found) for found in query("Tensor[s, int8][1:3] = (2, 5)")] == ["s = (n, 2, 5, ...u)"]


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("A = Tensor[(n + 1), int8], n = 2", "A = Tensor[(3), int8], n = 2"),
        ("A = Tensor[((1 + 1), 2), (int8)]", "A = Tensor[(2, 2), int8]"),
        ("sum((n + 1)) = 4", "n = 3"),
    ],
)
def test_sums_in_brackets_are_extents_of_a_shape(goal: str, answer: str) -> None:
    assert [str(found) for found in query(goal)] == [answer]


HEADS = [
    *("R(A, A)", "R(A, B)", "R(Tensor[s, t], x)", "R(x, y)", "R([n | s], y)", "R((2), x)", "R([A], x)", "R(_, 0)"),
    *("R(int8, x)", "R([1], x)", "S(x, y)", "S([x], y)", "S((A, B), x)", "S(x, Tensor[y, t])", "S([int8], x)"),
]
BODIES = [
    *("x < 3", "y = x", "A = Tensor[x, y]", "R(x, y)", "S(y, x)", "x = Tensor[s, t]", "Tensor[C, A] = B"),
    *("R(Tensor[C, A], y)", "x[0] = y", "y = A[x]", "x[1:] = y", "s = [x, y]", "x = (y)", "sum(x) = y", "x = (1, 2)"),
    *("append(x, y, s)", "y = [A]", "y = 1", "add(x, x) = y", "member(x, y)", "B = [x, Tensor[y, t]]", "(n + 1) = x"),
    *("R(s, (2))", "S([x], y)", "len(y) = x", "shape(x) = y", "elements(x) = y", "x != y", "Tensor[x] = A"),
    *("Tensor[x, t] = y", "A = List[x]", "Tensor[n, x, y] = B", "Tensor[s, sum(x)] = y", "x = y[0]"),
]


@pytest.mark.parametrize("seed", some(range(12), 3))
def test_what_arguments_stand_for_is_the_same_in_every_order_of_clauses_and_of_goals(seed: int) -> None:
    random = Random(seed)
    for _ in range(15):
        clauses = [
            (random.choice(HEADS), random.sample(BODIES, random.choice([0, 1, 1, 2, 2, 3])))
            for _ in range(random.choice([1, 2, 2, 3]))
        ]
        clauses += [(head, []) for head in ("R(x, y)", "S(x, y)") if all(head[0] != known[0] for known, _ in clauses)]
        found = {}
        for order in permutations(clauses):
            for step in (1, -1):
                text = "\n".join(f"{head}{' :- ' * bool(goals)}{', '.join(goals[::step])}." for head, goals in order)
                found[learned(text)] = text
        assert len(found) == 1, found


def learned(text: str) -> object:
    """What the arguments of `R` and `S` stand for; "refused" if the file is."""
    rules = with_shipped()
    try:
        load_clauses(rules, text)
    except ClauseError:
        return "refused"
    return rules.relations["R"].kinds, rules.relations["S"].kinds


@pytest.mark.parametrize(
    "clauses",
    [
        ("Mine(A, A) :- Mine(Tensor[C, A], Tensor), 0 != m.", "Mine(Tensor, Tensor[o, t]) :- m = 4, member(2, o)."),
        ("Mine(A, A) :- A = Tensor[C, B].", "Mine([n | s], m)."),
    ],
)
def test_clauses_that_speak_of_two_things_are_refused_in_every_order(clauses: tuple[str, ...]) -> None:
    for order in permutations(clauses):
        with pytest.raises(ClauseError):
            load_clauses(load_rules(), "\n".join(order))


@pytest.mark.parametrize(
    "clauses",
    [
        ("One(A, B) :- B = Tensor[n, m], C = Tensor[s, t], Two(n, m).", "Two(1, 2)."),
        ("One(Tensor[n, t], Tensor[(n, m), t]) :- n < m.",),
        ("One(A, n) :- n = s[0], s = shape(A).", "Two(s, n) :- n = A[0], s = A[1:], A = Tensor[(3, 4), int8]."),
    ],
)
def test_what_may_be_read_in_two_ways_waits_for_what_others_say(clauses: tuple[str, ...]) -> None:
    for order in permutations(clauses):
        load_clauses(load_rules(), "\n".join(order))


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ('R(Tensor[s, float32]). R("a").', 'a type is wanted here, not `"a"`'),
        ('R("a"). R(Tensor[s, float32]).', 'a type is wanted here, not `"a"`'),
        ("relation R(A). R(A) :- nn.relu(A) = A. R(none).", "a type is wanted here, not `none`"),
        ("S((1, 2)). S(int8).", "a shape is wanted here, not `int8`"),
        ("S(float32). S(3).", "a number is wanted here, not `float32`"),
        ("R(A) :- nn.relu(A) = A. R(s[1:]).", "`s[1:]` stands for a shape, but this argument for a type"),
    ],
)
def test_the_arguments_of_a_head_are_of_their_kinds_as_those_of_a_call_are(clauses: str, message: str) -> None:
    """A relation on types had a clause for a text, one on shapes a clause for a dtype, which nothing could call."""
    with pytest.raises(ClauseError, match=re.escape(message)):
        load_clauses(load_rules(), clauses)


def test_a_head_may_take_the_value_of_an_attribute_for_anything_but_a_type() -> None:
    rules = load_rules()
    load_clauses(rules, 'Axes(none, [n]). Axes([n], [n]). Pad("same", 0). Pad(n, n). Kind("any", A). Kind(int8, A).')
    assert [str(found) for found in query("Axes(none, s)", rules=rules)] == ["s = (n,)"]
    assert [str(found) for found in query("Pad(x, 0)", rules=rules)] == ['x = "same"', "x = 0"]


ELEMENTS = ("int8", "A", "B", "n", "m", "3", "0", "?", "Tensor[(2), int8]", "fn(A) -> B", "Tensor[s, t]", '"x"', "none")


def _literal(random: Random, depth: int = 0) -> str:
    """A list or a tuple as it is written, perhaps one whose end is open."""
    held = [
        _literal(random, depth + 1) if depth < 2 and random.random() < 0.2 else random.choice(ELEMENTS)
        for _ in range(random.randint(0, 3))
    ]
    end = random.choice("fs") if held and random.random() < 0.3 else None
    if random.random() < 0.4:
        return f"[{', '.join(held)}{f' | {end}' if end else ''}]"
    return f"({', '.join(held)}{f', ...{end}' if end else ',' if len(held) == 1 else ''})"


@pytest.mark.parametrize("seed", some(range(60)))
@pytest.mark.parametrize("clause", ["Stated({}, {}).", "Stated(x, {1}) :- x = {0}."])
def test_what_a_clause_states_holds_where_it_is_asked_as_it_is_written(clause: str, seed: int) -> None:
    """A head took brackets for the type of a tuple where a call took them for a list: `Empty((), 3).` was denied.

    So was `Empty(()), Empty(x) :- x = ().`, where the body did so.
    """
    random = Random(seed)
    for _ in range(20):
        stated = [_literal(random) for _ in range(random.choice((1, 1, 2)))]
        rules = load_rules()
        try:
            load_clauses(rules, " ".join(clause.format(text, number) for number, text in enumerate(stated)))
        except ClauseError:  # it is refused, and not left to be denied
            continue
        for number, text in enumerate(stated):
            found = query(f"Stated({text}, found)", rules=rules, limit=5)
            assert number in [answer.bindings["found"] for answer in found], (stated, text)


@pytest.mark.parametrize(
    ("clauses", "goal", "answer"),
    [
        ("Size((...s,), n) :- prod(s) = n.", "Size((3, 4), n)", "n = 12"),
        ("Size((...s,), n) :- prod(s) = n.", "Size(s, n), s = (2, 3)", "s = (2, 3), n = 6"),
        ("Size((), 0). Size((A, ...f), n) :- Size((...f,), m), n = m + 1.", "Size((int8, bool), n)", "n = 2"),
        ("Size((), 0). Size((A, ...f), n) :- Size((...f,), m), n = m + 1.", "Size(A, 2)", "A = (T, U)"),
        ("Many([], 0). Many([A | f], n) :- Many(f, m), n = m + 1.", "Many(f, 2)", "f = (T, U)"),
        (
            "Size((...f,), n) :- Many(f, n). Many([], 0). Many([A | f], n) :- Many(f, m), n = m + 1.",
            "Size((int8, bool), n)",
            "n = 2",
        ),
    ],
)
def test_what_the_rest_of_a_list_holds_says_what_the_list_is(clauses: str, goal: str, answer: str) -> None:
    """A tuple with the end of a shape was a type whose fields were extents, which no call could give."""
    rules = load_rules()
    load_clauses(rules, clauses)
    assert [str(found) for found in query(goal, rules=rules, limit=1)] == [answer]
