"""Files of clauses, as editors write them."""

from __future__ import annotations

import pytest

from relaylogic import infer
from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    tmp_path.joinpath("mine.rel").write_text("Same(A, B) :- A = B.\n", encoding="utf-8-sig")
    rules = load_rules(tmp_path)
    assert rules.notes == []
    assert [str(answer) for answer in query("Same(A, int8)", rules=rules)] == ["A = int8"]


@pytest.mark.parametrize(
    ("clause", "flaw"),
    [
        ("Wrong(Tensor[_, t], Tensor[s, t]) :- s = [-2, 3].", "-2 is no extent"),
        ("Wrong(Tensor[s, t], Tensor[o, t]) :- append([none], s, o).", "None is no extent"),
        ("Wrong(Tensor[s, t], Tensor[s, u]) :- u = none.", "None is no dtype"),
        ("Wrong(Tensor[s, t], (Tensor[o, t],)) :- o = none.", "None is no shape"),
    ],
)
def test_a_rule_that_makes_what_is_no_type_refuses(clause: str, flaw: str) -> None:
    """The call was typed: `Tensor[(-2, 3), int8]`, which cannot be read back."""
    rules = load_rules()
    load_clauses(rules, f"{clause} operator wrong(data) : Wrong.")
    # A program is made of what is asked often.
    for annotation in ("", *(f": Tensor[({n}), int8]" for n in range(5))):
        result = infer(f"def @main(%x{annotation}) {{ wrong(%x) }}", rules=rules)
        assert result.verdict == "refuted"
        assert f"{flaw} [Wrong, clause clause_1]" in str(result.errors[0])
    assert list(query("wrong(A) = B", rules=rules)) == []


@pytest.mark.parametrize("first", ["Mine(A, B) :- A = B.", "Mine([n | s], n)."])
@pytest.mark.parametrize(
    ("second", "kinds"), [("Mine(Tensor[s, t]).", ("type",)), ("Mine(n, Tensor[(n), int8]).", ("dim", "type"))]
)
def test_a_relation_that_a_later_file_replaces_is_read_by_its_own_parameters(tmp_path, first, second, kinds):
    """It was read by those of the later one: a ValueError where that has fewer."""
    tmp_path.joinpath("a.rel").write_text(first, encoding="utf-8")
    tmp_path.joinpath("b.rel").write_text(second, encoding="utf-8")
    rules = load_rules(tmp_path)
    (note,) = rules.notes
    assert note.endswith(f"relation `Mine` replaces the one of {tmp_path / 'a.rel'}:1")
    assert rules.relation("Mine").kinds == kinds and len(rules.relation("Mine").clauses) == 1
