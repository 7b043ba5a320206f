"""Data types that files of clauses declare: their constructors are relations, and what is wrong with them is said."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.infer import Inference
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.text import parse
from relaylogic.typings.query import count_query, query
from tests.effort import examples

TYPES = """
data List<a> { Cons(a, List<a>), Nil }
data Box<s: Shape, t: BaseType> { Wrap(Tensor[s, t]) }
data Vec[n: ShapeVar, t: BaseType] { Grown(Tensor[(n + 1, 2), t]); Twice(Vec[n * 2, t]); }
data Numbers {
  Empty : () -> Numbers
  Single : (Tensor[(), int32]) -> Numbers
  Pair : (int32, Numbers) -> Numbers
}
data Tree<a> { Rose(a, List<Tree<a>>), Leaf((a, List<a>), fn (a) -> Tree<a>) }
data Void {}
First(List[data], data) :- true.
Boxed(Box[(n, m), t], n) :- n > 2, m = n.
"""


def rules_of(text: str = TYPES) -> RuleBase:
    rules = RuleBase()
    load_clauses(rules, text, "types.rel")
    return rules


def answers(text: str, rules: RuleBase | None = None, **bounds) -> list[str]:
    found = query(text, rules=rules or rules_of(), **bounds)
    listed = [str(answer) for answer in found]
    assert found.status == "exhausted"
    return listed


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Cons(A, B, List[int32])", "A = int32, B = List[int32]"),
        ("Cons(int32, B, C)", "B = List[int32], C = List[int32]"),
        ("Cons(A, List[bool], C)", "A = bool, C = List[bool]"),
        ("Cons(int32, List[bool], C)", None),
        ("ConsPattern(List[(int8, bool)], A, B)", "A = (int8, bool), B = List[(int8, bool)]"),
        ("Nil(L), Cons(int8, L, M)", "L = List[int8], M = List[int8]"),
        ("Wrap(X, Box[(2, 3), float32])", "X = Tensor[(2, 3), float32]"),
        ("Wrap(Tensor[(n, 3), int8], X)", "X = Box[(n, 3), int8]"),
        ("Wrap(Tensor[(2, ...s), int8], X)", "X = Box[(2, ...s), int8]"),
        ("WrapPattern(Box[s, t], Tensor[(4,), int8])", "s = (4,), t = int8"),
        ("Grown(Tensor[(4, 2), int8], X)", "X = Vec[3, int8]"),
        ("Grown(Tensor[(0, 2), int8], X)", None),
        ("Twice(X, Vec[3, t])", "X = Vec[6, t]"),
        ("Twice(Vec[5, int8], X)", None),
        ("Empty(X)", "X = Numbers[]"),
        ("Pair(A, B, Numbers[])", "A = int32, B = Numbers[]"),
        ("Rose(A, B, Tree[int32])", "A = int32, B = List[Tree[int32]]"),
        ("Leaf((int8, B), F, T)", "B = List[int8], F = fn (int8) -> Tree[int8], T = Tree[int8]"),
        ("First(L, int8)", "L = List[int8]"),
        ("Boxed(X, 5)", "X = Box[(5, 5), T]"),
        ("Box[(2, n), float32] = Box[s, t], s = (k, 7)", "n = 7, s = (2, 7), t = float32, k = 2"),
        ("X = Void[]", "X = Void[]"),
    ],
)
def test_queries(text: str, answer: str | None) -> None:
    assert answers(text) == ([] if answer is None else [answer])


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("data L<a> {\n  C(b)\n}", "2:5", "unknown type `b` in `L`"),
        ("data List<a> { C(Lst<a>) }", "1:18", "unknown type `Lst` in `List`"),
        ("data L<a> { C(Tensor[s, int8]) }", "1:22", "unknown type `s` in `L`"),
        ("data L<a> { C((a, ...b)) }", "1:19", "unknown type `b` in `L`"),
        ("data L<a> { C }\n\ndata L<b> { D }", "3:6", "the data type `L` is declared twice"),
        ("data L<a, a> { C }", "1:11", "the parameter `a` of `L` is declared twice"),
        ("data L<a> { C, D(a), C(a) }", "1:22", "`C` is declared twice"),
        ("data L<a> { C }\ndata M { C }", "2:10", "`C` is declared twice"),
        ("data L<a> { C, CPattern }", "1:16", "`CPattern` is declared twice"),
        ("data L<a> { C(a) }\nC(A, B).", "2:1", "the relation `C` is that of the constructor `C`"),
        (
            "data L<a> { C(a) }\nrelation CPattern(x, y)",
            "2:1",
            "the relation `CPattern` is that of the constructor `C`",
        ),
        ("data L<a> { C(L) }", "1:15", "`L` takes 1 type argument, but none is given"),
        ("data L<a> { C(L<a, a>) }", "1:15", "`L` takes 1 type argument, but 2 are given"),
        ("data L<a> { C(a) }\nF(L[x, y], x).", "2:3", "`L` takes 1 type argument, but 2 are given"),
        ("data L<a> { C(a) }\nF(x) :- C(x).", "2:9", "`C` relates 2 terms (field1, result), not 1"),
        ("data L<a> { C(a) }\nF(M[x], x).", "2:3", "there is no data type `M`"),
        ("data L<a> { C : (a) -> M }", "1:24", "`C` must make a `L`, not `M`"),
        ("data L<a> { C : (a) -> L[int8] }", "1:24", "`C` must make a `L`, not `L[int8]`"),
        ("data L<s: Shap> { C }", "1:11", "`Shap` is no kind"),
        ("data L<s: Shape> { C(s) }", "1:22", "`s` stands for a shape and for a type"),
        ("data L<s: Shape> { C(L<int8>) }", "1:24", "a shape is wanted here, not `int8`"),
        ("data L<n: ShapeVar> { C(L<(2, 3)>) }", "1:27", "an extent is wanted here, not `(2, 3)`"),
        ("data L<t: BaseType> { C(L<4>) }", "1:27", "a dtype is wanted here, not `4`"),
        ("data L<a> { C(L<4>) }", "1:17", "a type is wanted here, not `4`"),
        ("data L<a> { C(add(a, a)) }", "1:15", "the fields of a constructor are types"),
        ('data L<a> { C("a") }', "1:15", "the fields of a constructor are types"),
        ("data L<a> { C(3) }", "1:15", "a type is wanted here, not `3`"),
        ("data L<a] { C }", "1:9", "`]` cannot stand here"),
        ("data L<a> { C(a }", "1:17", "`}` cannot stand here"),
        ("data L<a> { C(a)", "1:17", "the text ends here"),
    ],
)
def test_errors_say_where(text: str, place: str, message: str) -> None:
    rules = rules_of("data Kept<a> { Keep(a) }")
    with pytest.raises(ClauseError) as refused:
        load_clauses(rules, text, "wrong.rel")
    shown = str(refused.value)
    assert message in shown
    assert shown.startswith(f"wrong.rel:{place}: error:")
    assert list(rules.data_types) == ["Kept"]
    assert answers("Keep(int8, X)", rules) == ["X = Kept[int8]"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X = Lst[int32]", "there is no data type `Lst`"),
        ("X = List[int32, int8]", "`List` takes 1 type argument, but 2 are given"),
        ("X = Box[int8, (2, 3)]", "a shape is wanted here, not `int8`"),
        ("X = Box[List[int8], int8]", "a shape is wanted here, not `List[int8]`"),
        ("X = Box[s, t], X = Tensor[t, s]", "stands for"),
        ("X = Numbers[int8]", "`Numbers` takes no type arguments, but 1 is given"),
        ("Cons(A, B)", "`Cons` relates 3 terms (field1, field2, result), not 2"),
    ],
)
def test_queries_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(ClauseError, match=re.escape(message)):
        query(text, rules=rules_of())


def test_without_declarations_a_name_is_its_own_data_type() -> None:
    assert answers("X = Lst[int32], X = Lst[a]", load_rules()) == ["X = Lst[int32], a = int32"]


def test_data_is_still_a_name() -> None:
    rules = rules_of("relation Same(data, out)\nSame(data, out) :- data = out\nOther(data[0], x) :- x = 1")
    assert answers("Same(int8, X)", rules) == ["X = int8"]


def test_a_later_declaration_replaces_an_earlier_one() -> None:
    rules = rules_of()
    load_clauses(rules, "data List<a> { Only(a) }", "later.rel")
    assert any("later.rel: the data type `List` replaces the one of types.rel:2" in note for note in rules.notes)
    assert answers("Only(int8, X)", rules) == ["X = List[int8]"]
    assert "Cons" not in rules.relations and "ConsPattern" not in rules.relations


def test_files_of_a_folder_share_their_data_types(tmp_path) -> None:
    (tmp_path / "a.rel").write_text("Head(List[a], a).\ndata Pair<a, b> { Both(a, List<b>) }")
    (tmp_path / "b.rel").write_text("data List<a> { Cons(a, List<a>), Nil }")
    rules = RuleBase()
    rules.load(tmp_path)
    assert rules.notes == []
    assert answers("Both(X, Y, Pair[int8, bool]), Head(Y, Z)", rules) == ["X = int8, Y = List[bool], Z = bool"]


def test_rule_bases_travel() -> None:
    rules = rules_of()
    for other in (copy.copy(rules), pickle.loads(pickle.dumps(rules))):
        assert other.data_types == rules.data_types
        assert answers("Cons(A, B, List[int32])", other) == ["A = int32, B = List[int32]"]


def test_clauses_are_shown_in_clause_notation() -> None:
    rules = rules_of()
    shown = {name: relation.clauses[0].source for name, relation in rules.relations.items()}
    assert shown["Cons"] == "Cons(a, List[a], List[a])."
    assert shown["ConsPattern"] == "ConsPattern(List[a], a, List[a])."
    assert shown["Pair"] == "Pair(int32, Numbers[], Numbers[])."
    assert shown["Leaf"] == "Leaf((a, List[a]), fn (a) -> Tree[a], Tree[a])."
    load_clauses(
        again := rules_of(),
        "".join(
            f"Copy{name}{text[len(name) :]}\n"
            for name, text in shown.items()
            if name not in ("First", "Boxed", "Single")
        ),
        "again.rel",
    )
    for name in ("Cons", "Wrap", "Grown", "Twice", "Rose", "LeafPattern"):
        places = ", ".join(f"X{i}" for i in range(again.relations[name].arity))
        assert answers(f"Copy{name}({places})", again) == answers(f"{name}({places})", again)


def test_universes_range_over_declared_data_types() -> None:
    bounds = {"max_rank": 0, "max_dim": 1, "dtypes": ["int8"], "data_depth": 1, "rules": rules_of()}
    held = ["int8", "List[int8]", "Box[(), int8]", "Vec[1, int8]", "Numbers[]", "Tree[int8]", "Void[]"]
    assert sorted(answers("X = X", **bounds)) == sorted(f"X = {type_}" for type_ in held)
    assert count_query("Cons(A, B, C)", **bounds) == 1
    # What is bounded is bounded inside, too: of the 7 types, each as deep as is left.
    assert count_query("Cons(A, B, C)", **{**bounds, "data_depth": 2}) == len(held)


FIELDS = {
    "Type": (
        ["{}", "({}, int8)", "fn ({}) -> bool", "(bool, fn () -> {})", "ref({})"],
        ["int32", "(int8, bool)", "()"],
    ),
    "Shape": (["Tensor[{}, int8]", "(int8, Tensor[{}, bool])"], ["(2, 3)", "()", "(5,)"]),
    "BaseType": (["Tensor[(2, 3), {}]", "(Tensor[(), {}], bool)"], ["int8", "float32"]),
    "ShapeVar": (["Tensor[({}, 2), int8]", "Tensor[({} + 1, 1), int8]"], ["1", "3"]),
}


@settings(max_examples=examples(50))
@given(st.data())
def test_constructors_say_what_those_of_a_program_say(data) -> None:
    """Of a data type that is declared in a file of clauses and in a program, the constructors relate the same types."""
    kinds = data.draw(st.lists(st.sampled_from(list(FIELDS)), min_size=1, max_size=3))
    names = [f"p{i}" for i in range(len(kinds))]
    values = [data.draw(st.sampled_from(FIELDS[kind][1])) for kind in kinds]
    chosen = [data.draw(st.sampled_from(FIELDS[kind][0])) for kind in kinds]
    order = data.draw(st.permutations(range(len(kinds))))
    declared = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
    fields = [chosen[i].format(names[i]) for i in order]
    whole, inside = ", ".join(names), ", ".join(values)
    rules = rules_of(f"data D<{declared}> {{ C({', '.join(fields)}, D<{whole}>), N }}")
    places = ", ".join(f"%x{i}" for i in range(len(fields) + 1))
    module = parse(
        f"type D[{declared}] {{ C({', '.join(fields)}, D[{whole}]), N }}\n"
        f"def @f(%d: D[{inside}]) {{ match? (%d) {{ C({places}) => ({places}) }} }}"
    )
    types = Inference(module).type_of(module["f"])
    made, parts = types.arg_types[0], types.ret_type.fields
    asked = [f"F{i}" for i in range(len(parts))]
    (answer,) = query(f"C({', '.join(asked)}, D[{inside}])", rules=rules)
    known = answer.texts
    assert [known[name] for name in asked] == [str(part) for part in parts]
    (answer,) = query(f"CPattern(X, {', '.join(map(str, parts))})", rules=rules)
    assert answer.texts["X"] == str(made)
    (answer,) = query(f"C({', '.join(map(str, parts))}, X)", rules=rules)
    assert answer.texts["X"] == str(made)
