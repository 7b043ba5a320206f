"""`relaylogic rules`: the rule base, listed, described, and checked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.explain.example_table import EXAMPLES
from relaylogic.explain.examples import example_of
from relaylogic.explain.rules import signature
from relaylogic.rulebase import default_rules, load_rules
from tests.cli.running import run
from tests.counted import at_most
from tests.together import together

RULES = default_rules()


def test_list_names_every_operator_below_its_family():
    listed = run("rules", "list")
    assert listed.code == 0 and not listed.err
    family, families, operators = "", {}, 0
    for line in listed.out.splitlines():
        if line.startswith("  "):
            operators += 1
            families[family].append(line.split("(")[0].strip())
        else:
            family = line.removesuffix(":")
            families[family] = []
    assert operators == len(RULES.operators)
    assert all(family and RULES.operators[name].family == family for family in families for name in families[family])
    assert set(families) <= {path.stem for path in Path("rules").glob("*.py")} or not Path("rules").is_dir()


def test_list_of_a_family():
    listed = run("rules", "list", "--family", "flatten")
    assert (listed.code, listed.out) == (0, "flatten:\n  nn.batch_flatten(data): Flatten\n")


def test_list_of_an_unknown_family():
    refused = run("rules", "list", "--family", "flaten")
    assert refused.code == 2 and not refused.out
    assert "no family `flaten`; did you mean `flatten`" in refused.err
    assert "families are annotation, axes_moves, " in refused.err


def test_show_an_operator():
    shown = run("rules", "show", "nn.batch_flatten")
    assert shown.code == 0 and not shown.err
    lines = shown.out.splitlines()
    assert lines[0] == "nn.batch_flatten: fn [t1, t2](t1) -> t2 where Flatten(t1, t2)"
    assert lines[1:4] == ["family: flatten", "inputs: data", "attributes: none"]
    assert any(line.startswith("relation Flatten(data, out)  (") and "flatten.py:" in line for line in lines)
    (clause,) = RULES.relation("Flatten").clauses
    assert any(line.startswith(f"  clause {clause.name}  (") for line in lines)
    assert f"    def {clause.name}(data, out):" in lines
    assert lines[-2:] == ["example:", "  nn.batch_flatten(Tensor[(2, 3, 4), float32]) : Tensor[(2, 12), float32]"]


def test_show_says_where_each_clause_stands_and_what_it_says():
    shown = run("rules", "show", "nn.conv2d").out
    for clause in RULES.relation("Conv2D").clauses:
        assert f"clause {clause.name}  (" in shown
        assert f"{Path(clause.file).name}:{clause.line})" in shown
        assert f"    def {clause.name}(" in shown
    assert "  strides: list[2] = (1, 1)  (a list or None)" in shown
    assert "    weight = Tensor[(8, 3, 3, 3), float32]" in shown


def test_show_says_which_attributes_are_required():
    assert "  newshape: list[-4..]  (a list or None; required)" in run("rules", "show", "reshape").out
    assert "  axes: list[order]  (a list or None; None if left out)" in run("rules", "show", "transpose").out


def test_show_a_relation_names_its_operators():
    shown = run("rules", "show", "Comparison").out
    assert shown.startswith("relation Comparison(lhs, rhs, out)  (")
    assert shown.endswith("operators: equal, greater, greater_equal, less, less_equal, not_equal\n")


def test_show_names_the_relations_that_clauses_rest_on():
    assert "rests on: BroadcastShapes\n" in run("rules", "show", "add").out
    assert "rests on: BroadcastDim\n" in run("rules", "show", "BroadcastShapes").out


def test_show_of_an_unknown_name():
    refused = run("rules", "show", "nn.conv2")
    assert refused.code == 2 and not refused.out
    assert refused.err.startswith("error: there is no operator or relation `nn.conv2`; did you mean `nn.conv2d`")


@together("name", sorted(RULES.operators))
def test_every_operator_has_an_example(name):
    operator = RULES.operators[name]
    with at_most(2_000_000):
        example = example_of(RULES, operator)
    if not operator.relation.clauses:
        assert not example
        return
    assert example[0].startswith(f"{name}(") and ") : " in example[0]


def test_of_calls_that_are_no_example_nobody_asks_why(monkeypatch):
    """Each that was tried, and refused, was gone on behind as if its errors were asked for."""

    def explained(inference):
        raise AssertionError("a call that was tried is explained")

    monkeypatch.setattr("relaylogic.explain.blame.behind.going_on", explained)
    rules = load_rules()
    load_clauses(rules, "Only(Tensor[(4), float32], Tensor[(4), int8]). operator my.only(a) : Only.")
    assert example_of(rules, rules.operator("my.only")) == ["my.only(Tensor[(4), float32]) : Tensor[(4), int8]"]


def test_every_written_example_is_of_an_operator_or_a_relation():
    assert [name for name in EXAMPLES if name not in RULES.operators and name not in RULES.relations] == []


def test_signatures_relate_all_inputs_and_the_result():
    assert signature(RULES.operators["add"]) == "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)"


USER_PYTHON = '''
from relaylogic.logic import eq, fresh, lall
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

@relation
def Halved(data, out):
    """The first extent is halved."""

@Halved.clause
def even(data, out):
    n, rest, dtype = fresh(3)
    return lall(eq(data, Tensor((4, 6), dtype)), eq(out, Tensor((2, 6), dtype)))

operator("my.halved", "data", Halved, "exact: bool = True", doc="Half of it.")
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(USER_PYTHON)
    (tmp_path / "notation.rel").write_text(
        "Doubled(Tensor[[n | r], d], Tensor[[m | r], d]) :- m = n * 2.\noperator my.doubled(data): Doubled.\n"
    )
    return tmp_path


def test_user_folders_are_listed_and_shown(folder):
    listed = run("rules", "list", "--rules", folder, "--python-rules", "--family", "mine")
    assert (listed.code, listed.out) == (0, "mine:\n  my.halved(data): Halved\n")
    shown = run("rules", "show", "my.halved", "--rules", folder, "--python-rules")
    assert shown.code == 0
    assert "Half of it.\nfamily: mine\n" in shown.out
    assert "  exact: bool = True  (True or False)" in shown.out
    assert f"({folder / 'mine.py'}:10)" in shown.out


def test_clauses_in_notation_are_shown_as_they_are_written(folder):
    shown = run("rules", "show", "my.doubled", "--rules", folder).out
    assert f"clause clause_1  ({folder / 'notation.rel'}:1)" in shown
    assert "    Doubled(Tensor[[n | r], d], Tensor[[m | r], d]) :- m = n * 2." in shown
    assert "  my.doubled(Tensor[(2, 3), float32]) : Tensor[(4, 3), float32]" in shown


def test_a_folder_that_is_not_there(tmp_path):
    refused = run("rules", "list", "--rules", tmp_path / "none")
    assert refused.code == 2
    assert "there is no folder of rules at" in refused.err
    named = run("rules", "list", "--rules", "mine/rules.py", "--python-rules")
    assert named.code == 2 and "by their folder, which is `mine`" in named.err


def test_check_a_file_of_clauses(folder):
    checked = run("rules", "check", folder / "notation.rel", "--samples", 1, "--max-rank", 1)
    assert checked.code == 0
    assert checked.out.startswith("Doubled: ") and "agree with brute force" in checked.out
    assert "Doubled" not in RULES.relations


def test_check_says_what_would_help_where_it_finds_no_call(tmp_path):
    file = tmp_path / "deep.rel"
    file.write_text("Deep(Tensor[(a, b, c, d, ...s), t], Tensor[(a), t]).\nLong(Tensor[(100), t], Tensor[(a), t]).\n")
    checked = run("rules", "check", file, "--samples", 1)
    assert checked.code == 1
    deep, long = checked.out.splitlines()
    assert deep == "Deep: nothing to compare; its calls have tensors of rank 4 or more: --max-rank 4 would find some"
    assert long.startswith("Long: nothing to compare; no call that holds was found") and "extents 1, 2, 3, 4, 6" in long
    again = run("rules", "check", file, "--samples", 1, "--max-rank", 4)
    assert "Deep: " in again.out and "Deep: nothing" not in again.out


def test_check_reports_bad_files(tmp_path):
    broken = tmp_path / "broken.rel"
    broken.write_text("Broken(A, B :- A = B.\n")
    refused = run("rules", "check", broken)
    assert refused.code == 2 and f"{broken}:1:" in refused.err and "^" in refused.err
    missing = run("rules", "check", tmp_path / "missing.rel")
    assert missing.code == 2 and "cannot be read" in missing.err
    (tmp_path / "junk.rel").write_bytes(bytes(range(256)))
    junk = run("rules", "check", tmp_path / "junk.rel")
    assert junk.code == 2 and "is not UTF-8" in junk.err


HALVED = """
from relaylogic.logic import cons, equals, fresh, lall, eq, times
from relaylogic.rulebase import relation
from relaylogic.types import TensorType as Tensor

from .kept import Kept

@relation
def Halved(data, out):
    ...

@Halved.clause
def rows(data, out):
    n, k, rest, dtype = fresh(4)
    given = Tensor(cons(n, rest), dtype)
    return lall(Kept(data, given), eq(out, Tensor(cons(k, rest), dtype)), {goal})
"""


@pytest.mark.parametrize(
    ("goal", "code", "said"),
    [
        ("equals(n, times(2, k))", 0, "Halved: 6 queries agree with brute force"),
        ("equals(n, times(2, k) if type(out) is Tensor else k)", 1, "which holds"),
        ("equals(n, 2 * k)", 2, "`equals(n, times(2, k))`"),
        ("lenghto(rest, n)", 2, "rules.py:16)"),
    ],
)
def test_check_rules_in_python(tmp_path, goal, code, said):
    """They may import from their folder; what a rule does wrong in Python is told, with what would do."""
    tmp_path.joinpath("kept.py").write_text("from relaylogic.rulebase import existing\n\nKept = existing('Identity')\n")
    file = tmp_path / "rules.py"
    file.write_text(HALVED.format(goal=goal))
    checked = run("rules", "check", file, "--python-rules", "--samples", 2, "--max-rank", 1)
    assert checked.code == code and said in checked.out + checked.err
    assert code != 2 or "cannot be asked like this" in checked.err


SHORTER = """
from relaylogic.logic import appendo, cons, eq, equals, fresh, lall, lengtho, plus, times
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

@relation
def Shorter(data, out, attrs):
    ...

@Shorter.clause
def half(data, out, attrs):
    before, after, n, k, whole, cut, dtype = fresh(7)
    return lall(
        {goals},
        eq(data, Tensor(whole, dtype)),
        eq(out, Tensor(cut, dtype)),
        appendo(before, cons(n, after), whole),
        appendo(before, cons(k, after), cut),
        equals(n, times(2, k)),
    )

operator("my.shorter", "data", Shorter, "axis: int = 0")
"""


@pytest.mark.parametrize("length", ["lengtho(before, attrs.axis)", "lengtho(cons(k, before), plus(attrs.axis, 1))"])
def test_check_how_long_a_list_is(tmp_path, length):
    """The length may be an attribute that is asked for, or calculated."""
    file = tmp_path / "rules.py"
    file.write_text(SHORTER.format(goals=length))
    checked = run("rules", "check", file, "--python-rules", "--samples", 2, "--max-rank", 2)
    assert (checked.code, checked.err) == (0, "") and "agree with brute force" in checked.out


def test_check_rules_in_python_that_do_not_load(tmp_path):
    file = tmp_path / "rules.py"
    file.write_text("import nothing_of_that_name")
    checked = run("rules", "check", file, "--python-rules")
    assert checked.code == 2 and f"{file}: not loaded: {file}:1:1: error: ModuleNotFoundError" in checked.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = (1,\n", "1:5: error: SyntaxError: '(' was never closed\n 1 | x = (1,\n   |     ^"),
        ("x = 1\nif x:\nx\n", "3:1: error: IndentationError: expected an indented block"),
        ("def f():\n    raise KeyError('n')\n\nf()\n", "2:5: error: KeyError: 'n'\n 2 |     raise KeyError('n')"),
    ],
)
def test_where_a_file_of_rules_in_python_fails_is_shown(tmp_path, text, said):
    """The line stood in words at the end, for what cannot be read, and nowhere for the rest."""
    file = tmp_path / "rules.py"
    file.write_text(text)
    checked = run("rules", "check", file, "--python-rules")
    place, _, rest = said.partition(" ")
    if sys.version_info < (3, 11) and "raise" in text:
        place = "2:1:"
    assert checked.code == 2 and f"not loaded: {file}:{place} {rest}" in checked.err


def test_show_a_constructor(tmp_path):
    shown = run("rules", "show", "Cons", "--prelude")
    assert shown.code == 0 and "relation Cons(field1, field2, result)  (<prelude>:" in shown.out
    assert "Cons(A, List[A], List[A])." in shown.out
    path = tmp_path / "p.relay"
    path.write_text('import "prelude"\ntype Own[A] { Cons(A, ref(A)), }\n')
    twice = run("rules", "show", "Cons", "--program", path)
    assert twice.code == 2 and "`program.Cons` (the constructor of `Own` at " in twice.err
    assert "program.Cons(A, ref(A), Own[A])." in run("rules", "show", "program.Cons", "--program", path).out
    assert "no operator or relation `Cons`" in run("rules", "show", "Cons").err


README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_show_the_programs_of_an_operator_as_the_readme_does():
    command = "relaylogic rules show nn.batch_flatten --compiled"
    said = README[README.index(command) :].split("```")[0].splitlines()[1:]
    shown = run(*command.split()[1:])
    assert shown.code == 0 and not shown.err
    assert shown.out.splitlines()[0] == said[0] and "\n".join(said[2:]) in shown.out


def test_show_the_programs_of_a_relation_and_of_no_name():
    of_relation = run("rules", "show", "Flatten", "--compiled")
    assert of_relation.code == 0 and of_relation.out.startswith("relation Flatten(data, out)\n")
    unknown = run("rules", "show", "Flaten", "--compiled")
    assert unknown.code == 2 and "there is no operator or relation `Flaten`; did you mean `Flatten`" in unknown.err


def test_show_tells_what_has_no_program():
    """The rank of what `dyn.reshape` makes is in a number of its input: no program for all of them."""
    shown = run("rules", "show", "dyn.reshape", "--compiled")
    assert shown.code == 0 and "no program: goals answer" in shown.out
