"""Premises of clauses with words of their own: said in refusals, printed by `rules show`, read back."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.explain.rules import describe
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query

DENSE = """relation Mine(a, b, c)
operator mine(a, b): Mine
rows: Mine(Tensor[(n, k), t], Tensor[(m, l), t], C) :- "the inner dimensions agree": k = l, C = Tensor[(n, m), t].
"""


def refusal(clauses, body, *shapes):
    """All that is said of a call that some clauses refuse."""
    rules = load_rules()
    load_clauses(rules, clauses)
    params = ", ".join(f"%{'ab'[i]}: Tensor[{shape}, float32]" for i, shape in enumerate(shapes))
    (error,) = relaylogic.infer(f"def @main({params}) {{ {body} }}", rules=rules).errors
    return "\n".join([error.message, *(label.message for label in error.related)])


def test_a_refusal_says_the_words():
    said = refusal(DENSE, "mine(%a, %b)", "(2, 3)", "(4, 5)")
    assert "the inner dimensions agree: 3 is not 5 [Mine, clause rows]" in said


def test_a_group_has_words_and_the_innermost_are_said():
    clauses = """relation Fits(a, b)
operator fits(a): Fits
all: Fits(A, B) :- A = Tensor[(n, m), t], "it fits": (n <= 4, "the second is small": m < 3), B = A.
"""
    assert "it fits: 9 is more than 4" in refusal(clauses, "fits(%a)", "(9, 1)")
    assert "the second is small: 4 is more than 3" in refusal(clauses, "fits(%a)", "(4, 3)")


def test_words_change_no_answer():
    assert [str(a) for a in query('"n is small": (n < 3, n > 0), m = n')] == [
        str(a) for a in query("n < 3, n > 0, m = n")
    ]
    assert [str(a) for a in query('"either": (n = 1 ; n = 2)')] == ["n = 1", "n = 2"]


def test_what_is_shown_can_be_read_back():
    rules = load_rules()
    load_clauses(rules, DENSE)
    shown = describe(rules, "mine")
    clause = next(line for line in shown.splitlines() if ":-" in line).strip()
    assert '"the inner dimensions agree": k = l' in clause
    again = load_rules()
    load_clauses(again, f"relation Mine(a, b, c)\noperator mine(a, b): Mine\nrows: {clause.removeprefix('rows: ')}")
    assert again.relations["Mine"].clauses[0].source == rules.relations["Mine"].clauses[0].source


@pytest.mark.parametrize("text", ['n = ("x": 3)', 's = (1, 2), n = s["a":1]', '"x":', "3: n = 3"])
def test_words_stand_before_goals_only(text):
    with pytest.raises(ClauseError):
        query(text)


def test_what_a_word_does_inside_is_not_said():
    clauses = """relation Ends(a, b)
operator ends(a): Ends
tail: Ends(A, B) :- A = Tensor[s, t], append(u, (16, 3), s), B = Tensor[u, t].
"""
    said = refusal(clauses, "ends(%a)", "(15, 3)")
    assert "`append(u, (16, 3), s)` holds [Ends, clause tail]" in said and "_" not in said.split("[Ends")[0]
