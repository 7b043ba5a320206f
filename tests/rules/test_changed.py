"""Rules that change after somebody asked them: what was known of calls before is not said of the new rules."""

from __future__ import annotations

import os
from importlib.machinery import SourceFileLoader

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.logic import eq
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.rulebase.program import ProgramRules
from relaylogic.types import TupleType
from relaylogic.typings.query import query

PAIRS = """
relation Paired(a, b).
pair: Paired(A, (A, A)).
operator paired(data) : Paired.
"""
PROGRAM = "def @main(%x: int8) { paired(%x) }"
WITH_TRIPLE = "def @main(%x: int8) -> (int8, int8, int8) { paired(%x) }"


@pytest.fixture(params=["of its own", "above the shipped ones"])
def rules(request, tmp_path) -> RuleBase:
    (tmp_path / "pairs.rel").write_text(PAIRS)
    made = load_rules() if request.param == "of its own" else ProgramRules(load_rules(), relaylogic.parse(PROGRAM))
    made.load(tmp_path)
    return made


def triple(rules: RuleBase) -> None:
    """Add a clause."""

    @rules.relation("Paired").clause
    def triple(data, result):
        return eq(result, TupleType((data, data, data)))


def test_a_clause_added_in_python_is_asked_at_once(rules):
    """It was not, until `forget` was called."""
    assert relaylogic.infer(WITH_TRIPLE, rules=rules).verdict == "refuted"
    assert len(list(query("Paired(int8, T)", rules=rules))) == 1
    triple(rules)
    assert relaylogic.infer(WITH_TRIPLE, rules=rules).verdict == "typed"
    assert len(list(query("Paired(int8, T)", rules=rules))) == 2


@pytest.mark.parametrize("change", [triple, lambda rules: load_clauses(rules, "extend triple: Paired(A, (A, A, A)).")])
def test_a_session_notices_that_its_rules_have_changed(rules, change):
    session = relaylogic.Session(WITH_TRIPLE, rules=rules)
    assert session.infer().verdict == "refuted"
    first = session.result
    assert session.infer() is first
    change(rules)
    assert session.infer().verdict == "typed"
    session.edit(((1, 15), (1, 19)), "int9")
    assert session.infer().verdict == "refuted"


def test_a_session_knows_operators_that_are_declared_later(tmp_path):
    rules = load_rules()
    session = relaylogic.Session(PROGRAM, rules=rules)
    assert "no operator `paired`" in session.infer().errors[0].message
    (tmp_path / "pairs.rel").write_text(PAIRS)
    rules.load(tmp_path)
    assert str(session.infer().functions["main"]) == "fn (int8) -> (int8, int8)"


WRITTEN = """
from relaylogic.logic import eq
from relaylogic.rulebase import relation

@relation
def Number(n):
    pass

@Number.clause
def number(n):
    return eq(n, 1)
"""


def test_a_rule_file_in_python_is_read_again_only_if_it_has_changed(tmp_path, monkeypatch):
    path = tmp_path / "number.py"
    read = []
    known = SourceFileLoader.get_data

    def noted(loader, asked):
        if asked == str(path):
            read.append(asked)
        return known(loader, asked)

    monkeypatch.setattr(SourceFileLoader, "get_data", noted)

    def loaded():
        rules = load_rules(tmp_path, python=True)
        return rules.relation("Number"), [str(answer) for answer in query("Number(n)", rules=rules)]

    path.write_text(WRITTEN)
    one, said = loaded()
    other, again = loaded()
    assert said == again == ["n = 1"] and one is not other and one.clauses != other.clauses
    assert len(read) == 1
    path.write_text(WRITTEN.replace("1", "2"))
    os.utime(path, ns=(10**18, 10**18))  # it is as long as before
    assert loaded()[1] == ["n = 2"]
