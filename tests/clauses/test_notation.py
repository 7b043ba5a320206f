"""What the words and signs of clause notation mean, each in a relation of its own."""

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query

RULES = load_rules()


def ask(text, clauses="", **bounds):
    rules = load_rules() if clauses else RULES
    if clauses:
        load_clauses(rules, clauses)
    return [str(answer) for answer in query(text, rules=rules, **bounds)]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("A = Tensor[(n, 4), float32], n = 3", ["A = Tensor[(3, 4), float32], n = 3"]),
        ("A = Tensor[(3), int8]", ["A = Tensor[(3), int8]"]),
        ("A = Tensor[(), int8]", ["A = int8"]),
        ("A = float32", ["A = float32"]),
        ("A = (int8, Tensor[(2), bool])", ["A = (int8, Tensor[(2), bool])"]),
        ("A = (int8,)", ["A = (int8,)"]),
        ("A = ()", ["A = ()"]),
        ("A = (...n,)", ["A = (...n,)"]),
        ("A = (int8, ...n)", ["A = (int8, ...n)"]),
        ("A = fn (int8, B) -> B, B = bool", ["A = fn (int8, bool) -> bool, B = bool"]),
        ("A = List[int8], A = List[B]", ["A = List[int8], B = int8"]),
        ("A = ref(int8)", ["A = ref(int8)"]),
        ("A = Tensor[[h | t], int8], A = Tensor[(1, 2, 3), int8]", ["A = Tensor[(1, 2, 3), int8], h = 1, t = (2, 3)"]),
        ("A = Tensor[(1, ...t), int8], t = (2)", ["A = Tensor[(1, 2), int8], t = (2,)"]),
        ("s = (5, 6, 7), n = s[0], m = s[-1]", ["s = (5, 6, 7), n = 5, m = 7"]),
        ("s = (5, 6, 7), t = s[1:], u = s[:-1]", ["s = (5, 6, 7), t = (6, 7), u = (5, 6)"]),
        ("s = (5, 6, 7), t = s[1:2], u = s[-2:]", ["s = (5, 6, 7), t = (6,), u = (6, 7)"]),
        ("s = (5, 6, 7), t = s[-3:-1]", ["s = (5, 6, 7), t = (5, 6)"]),
        ("s = (5, 6, 7), t = s[4:]", []),
        ("s = (5, 6), s[i] = 6", ["s = (5, 6), i = 1"]),
        ("n = 7 // 2, m = 7 % 2, k = 2 * 3 + 1 - 4", ["n = 3, m = 1, k = 3"]),
        ("n = min(3, 4), m = max(3, 4)", ["n = 3, m = 4"]),
        ("n = prod((2, 3)), m = sum((2, 3)), k = len((2, 3))", ["n = 6, m = 5, k = 2"]),
        ("n = 3, n != 3", []),
        ("n = 3, n < 4, n <= 3, n > 2, n >= 3", ["n = 3"]),
        ("int8 != bool", ["true"]),
        ("n = 1 ; n = 2", ["n = 1", "n = 2"]),
        ("(n = 1 ; n = 2), m = n", ["n = 1, m = 1", "n = 2, m = 2"]),
        ("true", ["true"]),
        ("fail", []),
        ("_ = int8", ["true"]),
        ("append(a, b, (1, 2))", ["a = (), b = (1, 2)", "a = (1,), b = (2,)", "a = (1, 2), b = ()"]),
        ("member(n, (1, 2))", ["n = 1", "n = 2"]),
        ("reverse((1, 2), s)", ["s = (2, 1)"]),
        ("map(BroadcastDim, (1, 2), (3, 2), s)", ["s = (3, 2)"]),
        ("d = ?, unknown(d)", ["d = ?"]),
        ("agree(n, 3)", ["n = 3"]),
        ("is_float(t), t = int8", []),
        ("nn.dense(Tensor[(2, 3), int8], Tensor[(4, 3), int8], units=4) = C", ["C = Tensor[(2, 4), int8]"]),
        ("Dense(Tensor[(2, 3), int8], Tensor[(4, 3), int8], C)", ["C = Tensor[(2, 4), int8]"]),
    ],
)
def test_a_query(text, answers):
    assert ask(text) == answers


@pytest.mark.parametrize(
    ("clauses", "text", "answers"),
    [
        # Attributes, forwarded and used.
        (
            "R(Tensor[[n | s], t], Tensor[[m | s], t]) :- m = n * attrs.k.\noperator r(data; k: int = 2) : R.",
            "r(Tensor[(3, 4), int8]) = A, r(B, k=5) = Tensor[(10), int8]",
            ["A = Tensor[(6, 4), int8], B = Tensor[(2), int8]"],
        ),
        (
            "R(a, b) :- Q(a, b, attrs). Q(Tensor[s, t], Tensor[(n), t]) :- n = s[attrs.axis].\n"
            "operator r(data; axis: int) : R.",
            "r(Tensor[(3, 4), int8], axis=-1) = A",
            ["A = Tensor[(4), int8]"],
        ),
        (
            'R(a, b) :- attrs.mode = "same", a = b ; attrs.mode = "swap", a = (c, d), b = (d, c).\n'
            'operator r(data; mode: str = "same") : R.',
            'r((int8, bool), mode="swap") = A',
            ["A = (bool, int8)"],
        ),
        ("R(a, b) :- attrs.n = none, a = b. operator r(data; n: integer = none) : R.", "r(int8) = A", ["A = int8"]),
        # Recursion, in both directions.
        (
            "Length((), 0). Length([_ | t], n) :- Length(t, m), n = m + 1.",
            "Length(s, 2) , Length((7, 8, 9), n)",
            ["s = (m, k), n = 3"],
        ),
        # A relation on shapes used by one on types.
        (
            "Tail([_ | s], s). Drop(Tensor[s, t], Tensor[u, t]) :- Tail(s, u).",
            "Drop(Tensor[(2, 3), bool], A)",
            ["A = Tensor[(3), bool]"],
        ),
        # A clause for a relation that is there.
        (
            "extend scalar_left: BroadcastDim(a, b, c) :- a = 0, b = 7, c = 7.",
            "BroadcastDim(0, 7, c)",
            ["c = 7"],
        ),
        ("V((a, b), c) :- a = b, c = a. operator v(...) : V.", "v(int8, int8) = A", ["A = int8"]),
    ],
)
def test_a_relation(clauses, text, answers):
    assert ask(text, clauses) == answers


def test_what_is_printed_can_be_read():
    for text in ("nn.dense(A, B, units=10) = C", "Broadcast(A, B, C)", "nn.batch_flatten(A) = B"):
        for answer in ask(text):
            assert ask(answer)[:1] != []


def test_a_clause_has_a_name_a_place_and_its_text():
    rules = load_rules()
    load_clauses(rules, "# a comment\nnamed: R(a, a).\n\nR(a, b) :- b = (a, a).", "mine.rel")
    first, second = rules.relation("R").clauses
    assert (first.name, first.file, first.line, first.source) == ("named", "mine.rel", 2, "named: R(a, a).")
    assert (second.name, second.line) == ("clause_2", 4)


def test_a_relation_is_documented():
    rules = load_rules()
    load_clauses(rules, 'relation R(data, out): "Twice the input.". R(a, (a, a)).')
    assert (rules.relation("R").doc, rules.relation("R").parameters) == ("Twice the input.", ("data", "out"))


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        ("sum(Tensor[(2, 3), int8], axis={}) = B", (0, 1, 2)),
        ("squeeze(Tensor[(2, 1), int8], axis={}) = B", (0, 1)),
        ("transpose(Tensor[(2), int8], axes={}) = B", (0, 1)),
        ("nn.max_pool2d(Tensor[(1, 2, 8, 8), int8], strides={}) = B", (1, 2)),
        ("nn.conv2d(Tensor[(1, 2, 8, 8), int8], Tensor[(2, 2, 3, 3), int8], padding={}) = B", (0, 1)),
    ],
)
def test_one_number_for_a_list_may_be_a_variable(call: str, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        written = [answer.texts["B"] for answer in query(call.format(number))]
        for goals in ((call.format("n"), f"n = {number}"), (f"n = {number}", call.format("n"))):
            assert [answer.texts["B"] for answer in query(", ".join(goals))] == written, goals
    listed = [answer.texts["B"] for number in range(2) for answer in query(call.format(number))]
    found = query(f"{call.format('n')}, n < 2", ground=True)
    assert sorted(answer.texts["B"] for answer in found) == sorted(listed)


def test_what_differs_in_a_number_or_in_a_list_can_be_asked_again():
    """Such a pair was told as `(k, u) != [0, ()]`, which is no list of anything."""
    clauses = "Listed([3], m) :- m <= 2.\nListed([n | u], m) :- m >= 1."
    _, others, _ = ask("Listed(s, m), sum(s) >= 0", clauses)
    assert others == "s = (n, ...u), (n != 3; u != ()), m >= 1"
    found = ask(f"{others}, m = 1, n >= 3", clauses, max_dim=4, max_rank=2, ground=True)
    assert {"s = (4,), n = 4, u = (), m = 1", "s = (3, 1), n = 3, u = (1,), m = 1"} <= set(found)
    assert not any(answer.startswith("s = (3,),") for answer in found)


@pytest.mark.parametrize(
    "question",
    [
        "A = Tensor[(n, m), t], nn.relu(A) = B, (n <= m ; n = 2, m = 1, t = int8)",
        "A = Tensor[(n, m), t], (reshape_like(A, Tensor[(n, 1), int8]) = Tensor[(m, n), int8] ; n <= m)",
        "[A, B] != [int8, Tensor[(n), bool]]",
    ],
)
def test_what_differs_in_an_extent_a_dtype_or_a_type_can_be_asked_again(question):
    """Such terms were told as `(t, n, m) != (int8, 1, 1)`, a list of no kind, and of types as `(A, B) != [int8, bool]`,
    a type and a list."""
    bounds = {"max_dim": 2, "max_rank": 2, "dtypes": ["int8", "bool"], "max_attr": 2, "ground": True}
    found = query(question, **bounds)
    names = list(found.names)
    expected = {tuple(map(str, answer.bindings.values())) for answer in found}
    again = set()
    for answer in query(question):
        texts = [str(answer), *(f"{name} = {name}" for name in names)]
        again |= {tuple(str(each.bindings[name]) for name in names) for each in query(", ".join(texts), **bounds)}
    assert again == expected
