"""Relay's documentation: every code block has the type, or the refusal, that the documents promise.

The blocks are the files of tests/programs/documents, in the documents' own syntax, with the definitions that
they use in front. A block with a typo is there twice, as it stands in the document (`*_typo`) and corrected.
A block `*_open` leaves out annotations on which its documented types depend; the one of the same name has
them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from relaylogic.api import infer
from relaylogic.logic import fresh
from relaylogic.rulebase import RuleBase
from relaylogic.text import ParseError, parse_type

FOLDER = Path(__file__).resolve().parent.parent / "programs" / "documents"

PAIR = "fn (a, b) -> (a, c)"
CELL = "fn (state_type, in_type) -> (state_type, out_type)"
CELL1 = "fn (state1_type, in_type) -> (state1_type, out1_type)"
CELL2 = "fn (state2_type, in_type) -> (state2_type, out2_type)"
RNN = "[state_type, in_type, out_type]"
V = "Tensor[(16), float32]"
W = f"({V}, {V})"

TYPES = {
    "tensor_type": {"main": "fn (Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32]"},
    "tuple_projection": {"main": "fn () -> Tensor[(10, 10), float32]"},
    "plus": {
        "plus": "fn [s: Shape](Tensor[s, float32], Tensor[s, float32]) -> Tensor[s, float32]",
        "main": "fn (Tensor[(10, 10), float32], Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32]",
    },
    "add_signature": {
        "main": "fn (Tensor[(2, 3, 10), float32], Tensor[(1, 10), float32]) -> Tensor[(2, 3, 10), float32]"
    },
    "list": {"signatures": "fn () -> (fn [a](a, List[a]) -> List[a], int32)"},
    "lists": {"expr_1": "fn () -> List[int32]", "expr_2": "fn () -> List[(int32, int32)]"},
    "nil_any": {"main": "fn () -> (List[int32], List[(float32, bool)])"},
    "numbers": {
        "sum": "fn (Numbers[]) -> int32",
        "expr_1": "fn () -> int32",
        "expr_2": "fn () -> int32",
        "expr_3": "fn () -> int32",
    },
    "numbers2": {
        "sum": "fn (Numbers[]) -> int32",
        "expr_1": "fn () -> int32",
        "expr_2": "fn () -> Numbers2[]",
    },
    "optional": {"signatures": "fn () -> (fn [a](a) -> Optional[a], int32)"},
    "inc_scalar": {"inc_scalar": "fn (Optional[int32]) -> int32", "main": "fn () -> ()"},
    "list_sum": {"list_sum": "fn (List[int32]) -> int32"},
    "first": {"first": "fn [a](List[a]) -> Optional[a]"},
    "second_opt": {
        "second_opt": "fn [a](Optional[List[a]]) -> Optional[a]",
        "expr_1": "fn () -> Optional[int32]",
        "expr_2": "fn () -> Optional[int32]",
    },
    "second_opt_open": {"expr_1": "fn [t1]() -> Optional[t1]", "expr_2": "fn [t1]() -> Optional[t1]"},
    "match_order_beware": {"match_order_beware": "fn [a](List[a]) -> List[a]"},
    "folds": {
        "map": "fn [a, b](fn (a) -> b, List[a]) -> List[b]",
        "foldl": "fn [a, b](fn (b, a) -> b, b, List[a]) -> b",
        "foldr": "fn [a, b](fn (a, b) -> b, b, List[a]) -> b",
    },
    "double": {
        "double": "fn (List[int32]) -> List[int32]",
        "main": "fn [t1: Shape](List[Tensor[t1, int32]]) -> List[Tensor[t1, int32]]",
    },
    "double_by_map": {"main": "fn (List[int32]) -> List[int32]"},
    "concat": {
        "concat": "fn [a](List[a], List[a]) -> List[a]",
        "main": "fn [t1](List[t1], List[t1]) -> List[t1]",
    },
    "flatten": {"flatten": "fn [a](List[List[a]]) -> List[a]", "main": "fn [t1](List[List[t1]]) -> List[t1]"},
    "cell": {"main": "fn (int32, float32) -> (int32, bool)"},
    "relu_cell": {
        "linear": "fn [t1, t2, t3, t4, t5](t1, t2, t3) -> t4 "
        "where Broadcast(t2, t1, t5), Broadcast(t5, t3, t4)",
        "relu_cell": f"fn ({W}, {W}, {V}, {V}) -> ({V}, {V})",
        "trained_cell": f"fn ({W}, {W}) -> fn ({V}, {V}) -> ({V}, {V})",
    },
    "relu_cell_open": {},
    "encode": {"encode": f"fn {RNN}({CELL}, List[in_type], state_type) -> state_type"},
    "encode_open": {"main": "fn (fn (int32, float32) -> (int32, bool), List[float32]) -> int32"},
    "generator": {
        "unfoldr": "fn [a, b](fn (b) -> Optional[(a, b)], b) -> List[a]",
        "gen_func": f"fn {RNN}({CELL}, fn (state_type) -> Optional[in_type], state_type) "
        "-> Optional[(out_type, state_type)]",
        "generator": f"fn {RNN}({CELL}, fn (state_type) -> Optional[in_type], state_type) -> List[out_type]",
    },
    "general_rnn": {
        "map_accumr": f"fn [a, b, c]({PAIR}, a, List[b]) -> (a, List[c])",
        "map_accumr_fold": f"fn [a, b, c]({PAIR}, a, List[b]) -> (a, List[c])",
        "general_rnn": f"fn {RNN}({CELL}, state_type, List[in_type]) -> (state_type, List[out_type])",
    },
    "general_rnn_open": {
        "general_rnn": f"fn {RNN}({CELL}, state_type, List[in_type]) -> (state_type, List[out_type])",
    },
    "bidirectional_rnn": {
        "zip": "fn [a, b](List[a], List[b]) -> List[(a, b)]",
        "map_accuml": f"fn [a, b, c]({PAIR}, a, List[b]) -> (a, List[c])",
        "bidirectional_rnn": "fn [state1_type, state2_type, in_type, out1_type, out2_type]"
        f"({CELL1}, {CELL2}, state1_type, state2_type, List[in_type]) -> List[(out1_type, out2_type)]",
    },
    "bidirectional_rnn_open": {"zip": "fn [a, b](List[a], List[b]) -> List[(a, b)]"},
    "infer_type_demo": {
        "main": "fn (Tensor[(2, 3, 10), float32], Tensor[(1, 10), float32]) -> Tensor[(2, 3, 10), float32]"
    },
}

REFUSALS = {
    "kind": (3, "`t` is of kind Type, but the shape of a tensor type must be a shape"),
    "list_mixed": (8, "(int32, int32) is not int32"),
    "list_of_lists_mixed": (8, "(int32, int32) is not int32"),
    "numbers2_rejected": (31, "Numbers2 is not Numbers"),
    "inc_scalar_rejected": (20, "Optional[Tensor[(10, 10), float32]], but Optional[int32] is wanted"),
    "inc_scalar_typo": (19, "`@inc_scalar`"),
}

SYNTAX_ERRORS = {
    "plus_typo": (5, "the function of that name is written `@plus`"),
    "folds_typo": (24, "the `(` at 24:17 is not closed"),
    "concat_typo": (18, "the `(` at 18:29 is not closed"),
    "flatten_typo": (29, "the `{` at 22:49 is not closed"),
    "generator_typo": (20, "a function's result type is written after `->`"),
    "general_rnn_typo": (19, "no `(` is open here"),
    "bidirectional_rnn_typo": (51, "did you mean `@map_accumr` or `@map_accmul`?"),
}

def text_of(name: str) -> str:
    return (FOLDER / f"{name}.relay").read_text(encoding="utf-8")


def test_every_block_is_tested():
    assert sorted({*TYPES, *REFUSALS, *SYNTAX_ERRORS}) == sorted(path.stem for path in FOLDER.glob("*.relay"))
    assert sorted(path.stem for path in FOLDER.glob("*.rel")) == ["flatten", "identity"]


@pytest.mark.parametrize("name", TYPES)
def test_typed(name):
    result = infer(text_of(name))
    assert (result.verdict, result.errors) == ("typed", [])
    for function, type_ in TYPES[name].items():
        assert str(result.functions[function]) == type_


@pytest.mark.parametrize("name", REFUSALS)
def test_refused(name):
    result = infer(text_of(name))
    line, message = REFUSALS[name]
    assert result.verdict == "refuted"
    assert result.errors[0].line == line
    error = result.errors[0]
    assert message in " ".join([error.message, *error.hints, *(label.message for label in error.related)])


@pytest.mark.parametrize("name", SYNTAX_ERRORS)
def test_typo(name):
    line, message = SYNTAX_ERRORS[name]
    with pytest.raises(ParseError) as caught:
        infer(text_of(name))
    assert caught.value.span.line == line
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["second_opt_open", "double", "concat", "relu_cell_open", "encode_open"])
def test_what_stays_open_is_incomplete_where_closed_types_are_asked_for(name):
    assert infer(text_of(name), closed=True).verdict == "incomplete"


def test_arms_that_cannot_run_are_a_warning():
    result = infer(text_of("match_order_beware"))
    assert [span.text.split("(")[0] for span, _ in result.warnings] == ["case Cons", "case Nil"]


@pytest.mark.parametrize(
    ("relation", "given", "known"),
    [
        ("Identity", ["Tensor[(2, 3), float32]", "_"], ["Tensor[(2, 3), float32]"] * 2),
        ("Identity", ["_", "(int32, bool)"], ["(int32, bool)"] * 2),
        ("Identity", ["int32", "bool"], None),
        (
            "Flatten",
            ["Tensor[(5, 4, 6), float32]", "_"],
            ["Tensor[(5, 4, 6), float32]", "Tensor[(5, 24), float32]"],
        ),
        ("Flatten", ["Tensor[(5), int8]", "_"], ["Tensor[(5), int8]", "Tensor[(5, 1), int8]"]),
        (
            "Flatten",
            ["Tensor[(5, 4, _), bool]", "Tensor[(_, 24), _]"],
            ["Tensor[(5, 4, 6), bool]", "Tensor[(5, 24), bool]"],
        ),
        ("Flatten", ["Tensor[(), int8]", "_"], None),
    ],
)
def test_relations(relation, given, known):
    rules = RuleBase()
    rules.load(FOLDER)
    assert not rules.notes
    terms = tuple(fresh() if text == "_" else parse_type(text) for text in given)
    answers = rules.solve_terms(rules.relation(relation), terms).answers
    assert [[str(term) for term in answer.terms] for answer in answers] == ([] if known is None else [known])
