"""The relations that Relay's documentation states in Prolog-like syntax run as they are written there."""

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query

DOCUMENTS = """
Identity(I, I) :- true

Flatten(Tensor(sh, bt), O) :-
  O = Tensor(sh[0], prod(sh[1:]))

add : fn<t1 : Type, t2 : Type, t3 : Type>(t1, t2) -> t3
where Broadcast
"""

WITH_DTYPE = """
Flatten(Tensor(sh, bt), O) :-
  O = Tensor((sh[0], prod(sh[1:])), bt)
"""


@pytest.fixture(scope="module")
def documents():
    rules = load_rules()
    load_clauses(rules, DOCUMENTS, "documents.rel")
    return rules


def ask(rules, text, **bounds):
    return [str(answer) for answer in query(text, rules=rules, **bounds)]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Identity(Tensor[(2, 3), int8], B)", ["B = Tensor[(2, 3), int8]"]),
        ("Identity(A, (bool, float32))", ["A = (bool, float32)"]),
        ("Flatten(Tensor[(2, 3, 4), int8], B)", ["B = Tensor[(2, 12), int8]"]),
        ("Flatten(Tensor[(2), int8], B)", ["B = Tensor[(2, 1), int8]"]),
        ("Flatten(Tensor[(), int8], B)", []),
        ("Flatten(A, Tensor[(2, 12), int8])", ["A = Tensor[(2, ...s), int8], prod(s) = 12"]),
        ("add(Tensor[(3), int8], Tensor[(2, 1), int8]) = C", ["C = Tensor[(2, 3), int8]"]),
    ],
)
def test_the_documents_relations_run_as_written(documents, text, answers):
    assert ask(documents, text) == answers


def test_flatten_with_the_dtype_that_the_text_omits_says_the_same(documents):
    rules = load_rules()
    load_clauses(rules, WITH_DTYPE)
    for text in ("Flatten(Tensor[(2, 3, 4), int8], B)", "Flatten(A, Tensor[(2, 6), bool])"):
        assert ask(rules, text, max_rank=4) == ask(documents, text, max_rank=4)


def test_it_agrees_with_the_rule_in_python(documents):
    text = "nn.batch_flatten(A) = B"
    bounds = {"max_rank": 3, "max_dim": 3, "dtypes": ["int8"]}
    assert set(ask(documents, text, **bounds)) == set(ask(load_rules(), text, **bounds))


def test_loading_says_what_was_replaced(documents):
    assert [note.partition(" replaces")[0] for note in documents.notes if "replaces" in note] == [
        "documents.rel:2: relation `Identity`",
        "documents.rel:4: relation `Flatten`",
    ]
