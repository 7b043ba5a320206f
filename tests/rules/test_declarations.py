"""What a rule file in Python declares of an operator is looked at when it is loaded."""

from pathlib import Path

import pytest

from relaylogic.rulebase import load_rules

FILE = """
from relaylogic.logic import eq
from relaylogic.rulebase import operator, relation


@relation
def Same(data, out):
    ""


@Same.clause
def same(data, out):
    return eq(data, out)


operator("same", "data", {})
"""


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('Same, "k: int = a b"', "the default `a b` is no literal of Python"),
        ('Same, "k: int = "', "the default `` is no literal of Python"),
        ('Same, "k: int = 1.5"', "operator `same`: the default of `k` is not an integer"),
        ("Same, \"k: list = [1, 's']\"", "is not a list or None (its elements are integers, not texts)"),
        ("Same, \"k: dtype = 'foo'\"", "the default of `k` is not a dtype such as"),
        ('"Same"', "operator `same` needs a relation, which 'Same' is not"),
    ],
)
def test_a_wrong_declaration_is_told_with_its_place(tmp_path: Path, declared: str, message: str) -> None:
    (tmp_path / "same.py").write_text(FILE.replace("{}", declared))
    (note,) = load_rules(tmp_path, python=True).notes
    assert message in note and "same.py:16:1: error:" in note


@pytest.mark.parametrize("declared", ["Same", "Same, \"k: int = 1; mode: str[a|b] = 'a'; t: dtype; l: list ?= None\""])
def test_a_right_declaration_is_taken(tmp_path: Path, declared: str) -> None:
    (tmp_path / "same.py").write_text(FILE.replace("{}", declared))
    rules = load_rules(tmp_path, python=True)
    assert rules.notes == [] and "same" in rules.operators
