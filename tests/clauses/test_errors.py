"""What is wrong with a file of clauses is said with its place; the rule base stays as it was."""

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import MAX_DEPTH, ClauseError
from relaylogic.errors import IllFormed
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query

RULES = load_rules()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R(A, B) :- A = .", "1:16: error: `.` cannot stand here"),
        ("R(A, B) :- A = .", "help: expected `(`, `-`, `?`, `[`, `fn`, a name, a number or a string"),
        ("R(A, B :- A = B", "1:8: error: `:-` cannot stand here"),
        ("R(A, B) :- A = 'x'.", "strings are written in double quotes"),
        ("R(n) :- n = 4 / 2.", "floor division is `//`"),
        ("% comment\nR(A, A).", "a comment starts with `#`"),
        ("R(A, B) :-", "the text ends here"),
        ("R(A, A) :- Brodcast(A, A, A).", "there is no relation `Brodcast`"),
        ("R(A, A) :- Brodcast(A, A, A).", "did you mean `Broadcast`"),
        ("R(s, u) :- reversed(s, u).", "did you mean `reverse` or `Reverse`?"),
        ("R(A, A) :- Broadcast(A, A).", "`Broadcast` relates 3 terms (lhs, rhs, out), not 2"),
        ("R(A, A). R(A).", "`R` relates 2 terms (arg1, out), this clause 1"),
        ("one: R(A, A). one: R(A, B) :- B = (A, A).", "`R` has a clause `one` already"),
        ("R(A, B) :- A = B. R(X, Y) :- X = Y.", "this clause repeats `clause_1` of line 1"),
        ("R(n, A) :- A = Tensor[n, n].", "`n` stands for a shape and for a dtype"),
        ("extend Brodcast(a, b, c).", "there is no relation `Brodcast` to extend; did you mean `Broadcast`"),
        ("R(A, A). extend R(A, (A, A)).", "its clauses need no `extend`"),
        ("operator r(data) : Brodcast.", "there is no relation `Brodcast`"),
        ("operator r(data) : Broadcast.", "`r` has 1 input, but Broadcast(lhs, rhs, out) relates 3 types"),
        ("R([n | s], A). operator r(data) : R.", "`arg1` of R(arg1, out) stands for a shape, but an operator relates"),
        ("R(s, n) :- n = len(s). operator r(data) : R.", "`arg1` of R(arg1, out) stands for a list, but an operator"),
        ("R(A, A) :- attrs.k = 1. operator r(data) : R.", "`r` does not declare attribute `k`"),
        ("R(A, A). operator r(data; k: nat = 1) : R.", "`nat` is no kind of attribute"),
        ('R(A, A). operator r(data; k: int = "s") : R.', "1:36: error: the default is not an integer"),
        ("R(A, A). operator r(data; k: int = none) : R.", "the default is not an integer"),
        ('R(A, A). operator r(data; k: list = [1, "s"]) : R.', "(its elements are integers, not texts)"),
        ('R(A, A). operator r(data; k: floats = [0.5, "s"]) : R.', "(its elements are numbers, not texts)"),
        ('R(A, A). operator r(data; t: dtype = "foo") : R.', "`foo` is not a dtype"),
        ("R(A, A). operator r(data; k: str[] = \"a\") : R.", "1:34: error: `]` cannot stand here"),
        ("R(A, A). operator r(data; k: int[foo] = 1) : R.", "1:30: error: `int[foo]` is no universe of an attribute"),
        ('R(A, A). operator r(data; k: str["a|b"] = "a") : R.', "1:34: error: a value that an attribute ranges over"),
        ("extend Dense(A, B, C) :- attrs.unit = 3.", "1:26: error: `nn.dense` does not declare attribute `unit`"),
        ("relation R(a, a). R(A, A).", "1:15: error: the parameter `a` is declared twice"),
        ("relation R(attrs, out). R(A, A).", "1:12: error: `attrs` is the last parameter"),
        ("R(A, B) :- A = Tensor[(n), t], n = float32.", "1:32: error: `n` stands for an extent and for a dtype"),
        ("R(A, A) :- not(A = int8).", "that terms are not equal is written `!=`"),
        ("R(A, A) :- not Q(A).", "that terms are not equal is written `!=`"),
        ("R(A, A) :- map(Brodcast, s, u, v).", "1:16: error: there is no relation `Brodcast`"),
        ("R(A, A) :- map(Brodcast, s, u, v).", "did you mean `Broadcast`"),
        ("R(A, A). operator r(data; k: int, k: int = 1) : R.", "1:35: error: the attribute `k` is declared twice"),
        ("R(A, A, A). operator r(data, data) : R.", "1:30: error: the input `data` is declared twice"),
        ("R(A, A) :- nn.dense(A, A, units=3).", "`nn.dense` is an operator: write `nn.dense(...) = result`"),
        ("R(A, B) :- B = nn.dense(A).", "`nn.dense` takes 2 arguments"),
        ("R(A, B) :- B = nn.dense(A, A, unit=3).", "there is no attribute `unit`"),
        ("R(A, B) :- B = nn.dense(A, A, unit=3).", "out_dtype; did you mean `units`?"),
        ("R(A, A) :- attrs.un = 1. operator r(data; unit: int = 2) : R.", "did you mean `unit`?"),
        ("R(A, B) :- A = Tensor[(n), t], n < Tensor[(2), t].", "an extent is wanted here, not `Tensor[(2), t]`"),
        ("R(A, B) :- A = Tensor[(n), t], m = n * float32.", "an extent is wanted here, not `float32`"),
        ("R(A, B) :- B = Tensor[(A == B), int8].", "error:"),
        ("R(A, n) :- n == 3.", "equality is written `=`"),
        ("R(A, B) :- B = Tensor[(3)].", "lacks its dtype"),
        ("R(A, B) :- A.", "a goal is wanted here"),
        ("R(n, n + 1).", "put arithmetic into the body"),
        ("R(A, B) :- " + "(" * 1000 + "A = B" + ")" * 1000 + ".", f"nested more than {MAX_DEPTH} deep"),
    ],
)
def test_a_bad_file(text, message):
    before = dict(RULES.relations)
    with pytest.raises(ClauseError) as problem:
        load_clauses(RULES, text)
    assert message in str(problem.value)
    assert before == RULES.relations


def test_a_relation_without_clauses_is_noted():
    rules = load_rules()
    load_clauses(rules, "relation Emty(data, out). Empty(A, A). operator r(data) : Emty.", "r.rel")
    assert rules.notes == ["r.rel:1: relation `Emty` has no clauses, so it never holds"]


def test_an_attribute_is_shown_where_it_is_given():
    with pytest.raises(ClauseError) as problem:
        load_clauses(RULES, "R(A, B) :- B = nn.dense(A, A,\n  unit=3).")
    assert problem.value.span is not None and problem.value.span.text == "unit=3"


def test_the_caret_shows_the_place():
    with pytest.raises(ClauseError) as problem:
        load_clauses(RULES, "R(A, A) :-\n  Foo(A).", "bad.rel")
    assert str(problem.value).splitlines() == [
        "bad.rel:2:3: error: there is no relation `Foo`",
        " 2 |   Foo(A).",
        "   |   ^^^",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Foo(A)", "there is no relation `Foo`"),
        ("n = attrs.k", "a query has no attributes of its own"),
        ("nn.dense(A, B, units=n + 1) = C", "an attribute is given as name=value"),
        ("", "the text ends here"),
        ("A = int8 B = int8", "`B` cannot stand here"),
        ("Flatten(A, B) :- A = B", "1:15: error: `:-` cannot stand here"),
        ("n = " + "9" * 5000, "1:5: error: a number of 5000 digits is too long; it may have 300"),
        ("s[" + "9" * 5000 + "] = n", "1:3: error: a number of 5000 digits is too long"),
        ("nn.dense(A, B, units=" + "9" * 5000 + ") = C", "1:22: error: a number of 5000 digits is too long"),
        ("n = " + "*".join(["9" * 200] * 3), "1:5: error: this comes to a number of more than 300 digits"),
        ('A = "\\x"', "1:5: error: this is no string: truncated"),
        ("A = float99999999999", "1:5: error: `float99999999999` is not a dtype"),
        ('nn.dense(A, B, units=-"x") = C', "1:16: error: an attribute is given as name=value"),
        ("nn.dense(A, B, units=(1, 2) + 3) = C", "1:16: error: an attribute is given as name=value"),
        ("nn.dense(A, B, units=1 // 0) = C", "1:16: error: an attribute is given as name=value"),
        ("s[1.5:2.5] = t", "1:3: error: a place in a list is a whole number"),
        ('s["a":] = t', "1:3: error: a place in a list is a whole number"),
        ("s[1.5] = n", "1:3: error: a place in a list is a whole number"),
        ("s[1 // 0:] = t", "1:3: error: the ends of a slice are numbers or attributes"),
    ],
)
def test_a_bad_query(text, message):
    with pytest.raises(ClauseError) as problem:
        query(text)
    assert message in str(problem.value)


def test_literals_are_computed_once_each():
    assert [str(a) for a in query("n = " + " * ".join(["1"] * 100))] == ["n = 1"]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("n = 1 // 0", []),
        ("n = ? + 1", ["n = ?"]),
        ("n = -?", ["n = ?"]),
        ("s[2 - m] = n, s = (1, 2)", ["s = (1, 2), m = 1, n = 2", "s = (1, 2), m = 2, n = 1"]),
        ("s[0 - 1] = n, s = (1, 2)", ["s = (1, 2), n = 2"]),
        ("relation = 1, where = relation", ["relation = 1, where = 1"]),
    ],
)
def test_arithmetic_on_literals_is_what_arithmetic_is(text, answers):
    assert sorted(str(a) for a in query(text)) == answers


def test_a_query_is_text():
    for wrong in (None, 3, b"true"):
        with pytest.raises(IllFormed, match="a query is text in clause notation"):
            query(wrong)


def test_a_file_that_cannot_be_read_leaves_the_others(tmp_path):
    (tmp_path / "a.rel").write_text("A1(X, X) :- Missing(X).")
    (tmp_path / "b.rel").write_text("B1(X, X).")
    (tmp_path / "c.rel").write_bytes(b"\xff\xfe")
    (tmp_path / "d.rel").write_text("D1(X, Y) :- B1(X, Y), E1(X, Y).")
    (tmp_path / "e.rel").write_text("E1(X, X). F1(")
    rules = load_rules(tmp_path)
    assert "B1" in rules.relations
    assert not {"A1", "D1", "E1"} & set(rules.relations)
    assert [note.split(": ")[0].rpartition("/")[2] for note in rules.notes] == ["c.rel:1:1", "e.rel", "a.rel", "d.rel"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('relation Mine(a, b): "1".\nrelation Mine(a, b, out).\nMine(A, B, C).', "2:10: error: the relation `Mine` is"),
        ("Mine(A, A).\noperator my.op(a) : Mine.\noperator my.op(b) : Mine.", "3:10: error: the operator `my.op` is"),
    ],
)
def test_what_one_file_declares_twice_is_refused_in_any_order(text, said):
    with pytest.raises(ClauseError) as error:
        load_clauses(load_rules(), text, "mine.rel")
    assert f"mine.rel:{said} declared twice" in str(error.value)
    assert "first on line" in error.value.render()
    turned = "\n".join(reversed(text.split("\n")))
    with pytest.raises(ClauseError, match="declared twice"):
        load_clauses(load_rules(), turned, "mine.rel")


def test_two_files_that_define_one_relation_say_which_wins(tmp_path):
    (tmp_path / "a.rel").write_text("Twice(X, (X, X)).\noperator twice(data) : Twice.")
    (tmp_path / "b.rel").write_text("Twice(X, (X, X, X)).")
    rules = load_rules(tmp_path)
    assert [str(a) for a in query("twice(int8) = A", rules=rules)] == ["A = (int8, int8, int8)"]
    (note,) = rules.notes
    assert "b.rel:1: relation `Twice` replaces the one of" in note and note.endswith("a.rel:1")


def test_files_use_each_others_relations_and_those_in_python(tmp_path):
    (tmp_path / "a.rel").write_text("Sum3(a, b, c, out) :- Broadcast(a, b, ab), Plus(ab, c, out).")
    (tmp_path / "b.rel").write_text("Plus(a, b, c) :- Broadcast(a, b, c).")
    (tmp_path / "c.py").write_text(
        "from relaylogic.logic import eq\nfrom relaylogic.rulebase import relation\n"
        "@relation\ndef Same(a, b):\n    'Equal.'\n@Same.clause\ndef equal(a, b):\n    return eq(a, b)\n"
    )
    rules = load_rules(tmp_path, python=True)
    text = "Sum3(Tensor[(3), int8], Tensor[(2, 1), int8], int8, A), Same(A, B)"
    assert [str(a) for a in query(text, rules=rules)] == ["A = Tensor[(2, 3), int8], B = Tensor[(2, 3), int8]"]


def test_rules_are_data():
    rules = load_rules()
    load_clauses(rules, 'R(A, B) :- attrs.__class__ = "x". operator r(data; __class__: str = "") : R.')
    assert [str(a) for a in query("r(int8) = B", rules=rules)] == []


@pytest.mark.parametrize("number", ["0.5f", "1e-05f", "2f", "3i64", "0x1f", "1.2.3"])
def test_a_number_with_a_suffix_is_told_as_a_whole(number):
    """Of Relay's `0.5f` the point did not belong to clause notation, of `1e-05f` the 5."""
    with pytest.raises(ClauseError) as caught:
        query(f"clip(Tensor[(2), float32], a_min={number}, a_max=9.5) = B")
    assert caught.value.message == f"`{number}` is no number" and caught.value.span.text == number
    assert "no suffix" in caught.value.hints[0]
