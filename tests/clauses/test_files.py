"""Files of clauses, as editors write them."""

from __future__ import annotations

from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    tmp_path.joinpath("mine.rel").write_text("Same(A, B) :- A = B.\n", encoding="utf-8-sig")
    rules = load_rules(tmp_path)
    assert rules.notes == []
    assert [str(answer) for answer in query("Same(A, int8)", rules=rules)] == ["A = int8"]
