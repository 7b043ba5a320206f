"""What rule files may do: Python runs only where it was allowed, and a file that fails leaves nothing behind."""

from __future__ import annotations

import pickle
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.cli.inputs import read_definitions
from relaylogic.cli.repl import Session
from relaylogic.logic import fresh
from relaylogic.rulebase import RuleBase, RuleError, load_rules
from relaylogic.rulebase.recipe import rules_folder
from relaylogic.rulebase.relation import Relation
from relaylogic.types import TupleType, scalar_type
from relaylogic.typings.query import query
from tests.cli.running import run
from tests.effort import examples

BASE = """
relation Kept(a, b).
as_it_is: Kept(A, A).
relation Other(a, b) : "Another one.".
swapped: Other((A, B), (B, A)).
operator kept(data) : Kept.
"""
CLAUSES = [
    "relation New(a, b).",
    "one: New(A, A).",
    "two: New(A, (A, A)).",
    "operator new(data; axis: int = 1) : New.",
    "extend three: Kept(A, (A,)).",
    "extend Kept((A,), A).",
    "relation Other(a, b, c).",
    "Other(A, B, (A, B)).",
    "operator kept(data) : New.",
    "Last(Tensor[(n, m), d], Tensor[(n * m,), d]).",
]
STATEMENTS = [
    "from relaylogic.logic import eq\nfrom relaylogic.rulebase import existing, operator, relation\n",
    "@relation\ndef New(a, b):\n    'New.'\n",
    "@New.clause\ndef one(a, b):\n    return eq(a, b)\n",
    "operator('new', 'data', New, 'axis: int = 1')\n",
    "@existing('Kept').clause\ndef three(a, b):\n    return eq(a, (b,))\n",
    "@relation\ndef Other(a, b, c):\n    'Replaced.'\n",
    "@Other.clause\ndef all_the_same(a, b, c):\n    return eq(a, b)\n",
    "from relaylogic import infer, infer_call\n",
    "operator('kept', 'data', New)\n",
    "existing('Kept').clauses.pop()\n",
    "existing('Kept').doc = 'spoilt'\n",
]
SIBLING = f"""{STATEMENTS[0]}
@relation
def Sibling(a, b):
    'In another file.'
@Sibling.clause
def the_same(a, b):
    return eq(a, b)
"""
ENDS = [
    "raise KeyError('weird')\n",
    "raise SystemExit(0)\n",
    "raise KeyboardInterrupt\n",
    "raise GeneratorExit\n",
    "import nowhere\n",
    "def broken(:\n",
    "operator('wrong', 'one, two, three', existing('Kept'))\n",
    "class Unheard(BaseException): pass\nraise Unheard\n",
]


def base() -> RuleBase:
    """A small rule base that has answered questions."""
    rules = RuleBase()
    load_clauses(rules, BASE, "base")
    for text in ("Kept(A, int8)", "kept(A) = B"):
        assert list(query(text, rules=rules))
    rules.solve_terms(rules.relation("Other"), (TupleType((scalar_type("int8"), scalar_type("bool"))), fresh()))
    return rules


def contents(rules: RuleBase) -> Any:
    """All that a rule base holds, objects by identity."""
    return (
        [
            (name, id(relation), [(field, str(getattr(relation, field))) for field in Relation.__slots__])
            for name, relation in rules.relations.items()
        ],
        [[id(clause) for clause in relation.clauses] for relation in rules.relations.values()],
        [(name, id(operator), repr(operator), repr(operator.attributes)) for name, operator in rules.operators.items()],
        list(rules.notes),
        list(rules.sources),
        [dict(table) for table in (rules.table, rules.options, rules.attrs_table)],
    )


def packages() -> list[str]:
    """The modules that loading rule files leaves in the process."""
    return [name for name in (*sys.modules, *map(str, sys.meta_path)) if "_relaylogic_rules" in name]


# ---- a file is loaded as a whole or not at all


@settings(max_examples=examples(150))
@given(st.sets(st.sampled_from(STATEMENTS[1:])), st.sampled_from(ENDS))
def test_a_python_file_that_fails_leaves_nothing(tmp_path_factory, chosen, ending):
    folder = tmp_path_factory.mktemp("rules")
    order = sorted(chosen, key=STATEMENTS.index)
    (folder / "bad.py").write_text("".join([STATEMENTS[0], *order, ending]), encoding="utf-8")
    rules = base()
    before = contents(rules)
    try:
        rules.load(folder, python=True)
    except BaseException as problem:
        said = "ends the program" if "SystemExit" in ending else ""
        assert said in str(problem) and (said or not isinstance(problem, Exception))
    else:
        assert "bad.py: not loaded: " in rules.notes.pop()
        assert rules.sources.pop()[0] == "programs"
    assert contents(rules) == before and packages() == []


@settings(max_examples=examples(60))
@given(st.sets(st.sampled_from(STATEMENTS[1:])), st.sampled_from(ENDS))
def test_a_python_file_that_imports_one_that_fails_may_go_on(tmp_path_factory, chosen, ending):
    folder = tmp_path_factory.mktemp("rules")
    order = sorted(chosen, key=STATEMENTS.index)
    (folder / "bad.py").write_text("".join([STATEMENTS[0], *order, ending]), encoding="utf-8")
    (folder / "a.py").write_text("try:\n    from . import bad\nexcept BaseException:\n    pass\n" + SIBLING)
    rules = base()
    before = contents(rules)
    try:
        rules.load(folder, python=True)
    except BaseException as problem:  # it is loaded for itself, too
        assert "ends the program" in str(problem) or not isinstance(problem, Exception)
    else:
        assert "bad.py: not loaded: " in rules.notes.pop() and rules.sources.pop()
        assert rules.relations.pop("Sibling").clauses[0].name == "the_same"
    assert contents(rules)[:5] == before[:5] and packages() == []


@pytest.mark.parametrize("ending", ENDS[:1] + ENDS[4:7])
def test_what_a_failing_python_file_imported_is_loaded_for_itself(tmp_path, ending):
    (tmp_path / "bad.py").write_text(f"from .sibling import Sibling\n{STATEMENTS[0]}{ending}")
    (tmp_path / "sibling.py").write_text(SIBLING)
    (tmp_path / "user.py").write_text(f"from .sibling import Sibling\n{STATEMENTS[0]}operator('user', 'data', Sibling)")
    rules = base()
    rules.load(tmp_path, python=True)
    (note,) = rules.notes
    assert "bad.py: not loaded: " in note
    assert [str(a) for a in query("user(int8) = B", rules=rules)] == ["B = int8"]


WRONG = ["Wrong(A, B) :- Missing(A, B).", "Wrong(", 'extend three: Kept("', "Kept.x(A).", "extend Kept(A)."]


@settings(max_examples=examples(150))
@given(st.sets(st.sampled_from(CLAUSES)), st.sampled_from(WRONG))
def test_a_file_of_clauses_that_fails_leaves_nothing(tmp_path_factory, chosen, ending):
    folder = tmp_path_factory.mktemp("rules")
    text = "\n".join([*sorted(chosen, key=CLAUSES.index), ending])
    path = folder / "bad.rel"
    path.write_text(text, encoding="utf-8")
    rules = base()
    before = contents(rules)
    for load in (lambda: load_clauses(rules, text, "bad"), lambda: rules.load(path)):
        with pytest.raises(ClauseError):
            load()
        assert contents(rules) == before
    rules.load(folder)
    assert "bad.rel: not loaded: " in rules.notes.pop() and rules.sources.pop()
    assert contents(rules) == before


@pytest.mark.parametrize("problem", [KeyError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("at", range(7))
def test_an_interruption_leaves_nothing(tmp_path, monkeypatch, problem, at):
    (tmp_path / "a.rel").write_text("One(A, A).\nextend more: Kept(A, (A,)).\noperator kept(data) : One.")
    (tmp_path / "b.rel").write_text("Other(A, A).\nTwo(A, A).\nextend again: Kept((A,), A).")
    rules = base()
    before = contents(rules)
    calls = 0

    def add(relation, clause):
        nonlocal calls
        calls += 1
        if calls > at:
            raise problem
        relation.clauses.append(clause)

    monkeypatch.setattr(Relation, "add", add)
    if at < 5:
        with pytest.raises(problem):
            rules.load(tmp_path)
        assert contents(rules) == before
    else:
        rules.load(tmp_path)
        assert calls == 5


def test_two_files_extend_one_relation(tmp_path):
    (tmp_path / "a.rel").write_text("extend Kept(A, (A,)).")
    (tmp_path / "b.rel").write_text("extend Kept((A,), A).")
    (tmp_path / "c.rel").write_text("extend same: Kept(int8, bool).")
    (tmp_path / "d.rel").write_text("extend same: Kept(int8, int16).")
    rules = base()
    rules.load(tmp_path)
    (note,) = rules.notes
    assert "d.rel:1:8: error: `Kept` has a clause `same` already" in note
    assert [clause.name for clause in rules.relations["Kept"].clauses] == ["as_it_is", "clause_2", "clause_3", "same"]


def test_what_is_loaded_together_with_a_file_is_not_extended_by_it(tmp_path):
    (tmp_path / "a.rel").write_text("New(A, A).")
    (tmp_path / "b.rel").write_text("extend New(A, (A,)).")
    rules = base()
    rules.load(tmp_path)
    (note,) = rules.notes
    assert "b.rel:1:1: error: there is no relation `New` to extend" in note
    assert f"that of {tmp_path / 'a.rel'} is loaded together with this file, not before" in note


def test_a_file_extends_what_another_one_replaces(tmp_path):
    (tmp_path / "a.rel").write_text("first: Other(A, B, A).")
    (tmp_path / "b.rel").write_text("extend first: Other(A, B, B).")
    (tmp_path / "c.rel").write_text("extend second: Other(A, B).")
    (tmp_path / "d.rel").write_text("extend swapped: Other(A, B, B).")
    rules = base()
    rules.load(tmp_path)
    first, second, third = rules.notes
    assert "b.rel:1:8: error: `Other` has a clause `first` already" in first
    assert "c.rel:1:16: error: `Other` relates 3 terms" in second
    assert "a.rel:1: relation `Other` replaces the one of base:" in third
    assert [clause.name for clause in rules.relations["Other"].clauses] == ["first", "swapped"]
    assert sorted(str(a) for a in query("Other(int8, bool, C)", rules=rules)) == ["C = bool", "C = int8"]


# ---- what runs


MARKED = "from pathlib import Path\nPath(__file__).with_suffix('.ran').write_text('')\n"
OK = "def @main(%x: int8) { nn.relu(%x) }"
BAD = "def @main(%x: int8) { nn.dense(%x, %x) }"


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "mine"
    made.mkdir()
    (made / "innocent.py").write_text(MARKED + SIBLING)
    return made


def ran(folder):
    return bool(list(folder.glob("*.ran")))


COMMANDS = [
    ("infer", "-"),
    ("query", "nn.relu(int8) = A"),
    ("typings", "-"),
    ("rules", "list"),
    ("rules", "show", "nn.relu"),
    ("repl",),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_python_runs_only_if_it_is_allowed(folder, command):
    refused = run(*command, "--rules", folder, given=OK)
    assert (refused.code, refused.out) == (2, "")
    assert "`innocent.py` is not run" in refused.err and "--python-rules" in refused.err
    assert not ran(folder)
    (folder / "more.rel").write_text("More(A, A).\n")
    noted = run(*command, "--rules", folder, given="" if command == ("repl",) else OK)
    assert noted.code == 0 and not ran(folder)
    assert "note: " in noted.err and "`innocent.py` is not run" in noted.err and "--python-rules" in noted.err
    allowed = run(*command, "--rules", folder, "--python-rules", given="" if command == ("repl",) else OK)
    assert (allowed.code, allowed.err) == (0, "") and ran(folder)


def test_checking_clauses_runs_no_python(folder):
    (folder / "more.rel").write_text("More(A, A).\n")
    checked = run("rules", "check", folder / "more.rel", "--samples", 1, "--max-rank", 0)
    assert checked.code == 0 and not ran(folder)
    refused = run("rules", "check", folder / "innocent.py")
    assert refused.code == 2 and "`--python-rules`" in refused.err and not ran(folder)


def test_many_files_that_are_not_run(tmp_path):
    for number in range(12):
        (tmp_path / f"f{number:02}.py").write_text(MARKED)
    with pytest.raises(RuleError, match=r"`f00\.py`, `f01\.py`, .* and 7 more are not run"):
        load_rules(tmp_path)
    assert not ran(tmp_path)


def test_the_library_is_told_too(folder):
    for load in (lambda: load_rules(folder), lambda: RuleBase().load(folder)):
        with pytest.raises(RuleError, match="python=True"):
            load()
        assert not ran(folder)
    assert "Sibling" in load_rules(folder, python=True).relations and ran(folder)


def test_a_folder_without_rules_is_no_error(tmp_path):
    (tmp_path / "__init__.py").write_text(MARKED)
    (tmp_path / "README.md").write_text("Nothing.")
    assert load_rules(tmp_path).notes == [] and not ran(tmp_path)


def test_the_top_level_follows(folder):
    session = Session(definitions=read_definitions)
    (said,) = session.execute(f":load {folder}")
    assert "`innocent.py` is not run" in said and not ran(folder)
    (folder / "more.rel").write_text("More(A, A).\n")
    noted, loaded = session.execute(f":load {folder}")
    assert "`innocent.py` is not run" in noted and loaded.startswith("loaded ")
    assert "`innocent.py` is not run" in next(session.execute(":reload")) and not ran(folder)
    assert "loaded by their folder" in next(session.execute(f":load {folder / 'innocent.py'}")) and not ran(folder)
    trusting = Session((folder,), definitions=read_definitions, python=True)
    assert ran(folder) and "Sibling" in trusting.rules.relations


def test_a_single_file_of_clauses(tmp_path):
    good, bad, other = tmp_path / "good.rel", tmp_path / "bad.rel", tmp_path / "other.txt"
    good.write_text("Good(A, A).\n")
    bad.write_text("Bad(A, B) :- .\n")
    other.write_text("Good(A, A).\n")
    (tmp_path / "innocent.py").write_text(MARKED)
    assert run("query", "Good(A, int8)", "--rules", good).out.startswith("A = int8\n")
    refused = run("query", "Good(A, int8)", "--rules", bad)
    assert refused.code == 2 and f"{bad}:1:14: error:" in refused.err
    for missing in (tmp_path / "none.rel", other, tmp_path / "innocent.py"):
        assert run("query", "Good(A, int8)", "--rules", missing).code == 2
    assert not ran(tmp_path)


# ---- rule bases that were pickled


def sent(value):
    return pickle.loads(pickle.dumps(value))


def names_of(rules):
    return list(rules.relations)


def test_what_was_not_allowed_does_not_run_elsewhere(folder):
    (folder / "more.rel").write_text("More(A, A).\n")
    rules = RuleBase()
    rules.load(folder)
    assert names_of(sent(rules)) == ["More"] and not ran(folder)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(names_of, rules).result() == ["More"]
    assert not ran(folder)
    trusting = RuleBase()
    trusting.load(folder, python=True)
    assert names_of(sent(trusting)) == ["Sibling", "More"] and ran(folder)


def test_python_that_has_changed_does_not_run(folder):
    rules = RuleBase()
    rules.load(folder, python=True)
    pickled = pickle.dumps(rules)
    (folder / "innocent.ran").unlink()
    (folder / "innocent.py").write_text(f"{MARKED}# changed\n{SIBLING}")
    with pytest.raises(RuleError, match="they have changed"):
        pickle.loads(pickled)
    assert not ran(folder)
    (folder / "innocent.py").unlink()
    (folder / "later.py").write_text(MARKED)
    with pytest.raises(RuleError, match="they have changed"):
        pickle.loads(pickled)
    assert not ran(folder)


def test_an_import_finds_its_module_while_another_thread_loads_rules(tmp_path, monkeypatch):
    """The list of finders got shorter while the import went through it, and the last one was left out."""
    gates = SimpleNamespace(begun=Event(), end=Event())
    monkeypatch.setitem(sys.modules, "_gates", gates)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "slow.py").write_text("import _gates\n_gates.begun.set()\n_gates.end.wait(10)\n")
    (tmp_path / "imported_meanwhile.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    loading = Thread(target=lambda: RuleBase().load(tmp_path / "rules", python=True))

    class Finder:
        """Where an import is when the rules are loaded."""

        def find_spec(self, name, path=None, target=None):
            if name == "imported_meanwhile":
                gates.end.set()
                loading.join()

    finder = Finder()
    sys.meta_path.insert(-1, finder)
    try:
        loading.start()
        assert gates.begun.wait(10)
        import_module("imported_meanwhile")
    finally:
        sys.meta_path.remove(finder)
        sys.modules.pop("imported_meanwhile", None)


def test_a_path_may_be_text(tmp_path: Path) -> None:
    """It was an AttributeError."""
    file = tmp_path / "more.rel"
    file.write_text("Twice(n, m) :- m = 2 * n.\n")
    for rules in (load_rules(str(file)), load_rules(str(tmp_path)), load_rules(file)):
        assert "Twice" in rules.relations


@pytest.mark.parametrize("name", ["\ud800.rel", "a\0b.rel", "\ud800", "a\0b"])
def test_a_name_that_no_file_can_have_is_an_error(name: str) -> None:
    with pytest.raises(RuleError, match=r"no file can have such a name|there is no folder"):
        load_rules(name)


def test_shipped_rules_without_those_of_data_types_are_an_error(tmp_path, monkeypatch):
    """They waited for themselves, without an end."""
    shutil.copytree(rules_folder(), tmp_path / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "rules" / "adt.py").write_text("raise NameError('adt')\n")
    monkeypatch.setattr("relaylogic.rulebase.shipped.rules_folder", lambda: tmp_path / "rules")
    with pytest.raises(RuleError, match="`projection_relation`") as raised:
        load_rules()
    assert "adt.py:1:1: error: NameError: adt" in raised.value.hints[0]
