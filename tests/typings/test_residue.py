"""What an answer leaves over is said in the words of clause notation, of any operator, and can be read back."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from relaylogic.clauses.compile import compile_goals
from relaylogic.clauses.scope import Names
from relaylogic.clauses.syntax import parse_query
from relaylogic.clauses.words import WORDS
from relaylogic.clauses.written import ARITHMETIC_WORDS
from relaylogic.rulebase import RuleError, default_rules, load_rules
from relaylogic.types.universe import Universe
from relaylogic.typings.holes import bounds_of
from relaylogic.typings.program import typings
from relaylogic.typings.query import count_query, query
from tests.effort import some
from tests.together import together

README = Path(__file__).parents[2] / "README.md"
RULES = default_rules()
DOCUMENTED = {*WORDS, *ARITHMETIC_WORDS, "map", "Tensor", "fn"}
_WORD = re.compile(r"[A-Za-z_<][\w.<>]*(?=\()")
NOT_READ = {"call_lowered", "vm.invoke_tvm_op"}  # the parameters of a function type cannot be left open in the text
STEPS = 2_000


def asked_of(operator) -> list[str]:
    """Queries about a call of which nothing is known, and about one of which some tensor is known in part."""
    count = 3 if operator.variadic else len(operator.inputs)
    types = [f"X{i}" for i in range(count)]
    required = [f"{a.name}=K{i}" for i, a in enumerate(operator.attributes.values()) if not a.may_be_omitted]
    every = [f"{name}=_" for name in operator.attributes]
    partly = ["Tensor[(2, n, ...s), t]", *types[1:]] if count else []
    calls = [(types, required), (types, every), (["_"] * count, required), (partly, required)]
    return [f"{operator.name}({', '.join([*given, *attributes])}) = Y" for given, attributes in calls]


@together("name", sorted(RULES.operators))
def test_the_residues_of_an_operator_are_in_documented_words(name):
    operator = RULES.operators[name]
    names = Names(RULES, bounds_of(Universe.of()))
    for text in some(asked_of(operator)):
        if name in ARITHMETIC_WORDS and len(operator.inputs) == 1 and "," not in text:
            continue  # `sum(X0) = Y` is arithmetic
        try:
            for answer in query(text, limit=2, steps=STEPS):
                known = {*DOCUMENTED, operator.name, *RULES.relations}
                unknown = {word for part in answer.residue for word in _WORD.findall(part)} - known
                assert not unknown and "lambda" not in str(answer), f"{text}: {answer}"
                if name not in NOT_READ:
                    compile_goals(parse_query(str(answer)), names)
        except RuleError as problem:
            assert "must be given" in problem.message


def test_what_a_rule_s_own_function_waits_for_is_said_by_the_goal():
    (answer,) = query("nn.relu(A) = B, gather(C, D, axis=K) = E, nn.upsampling(F, scale_h=1.5) = G")
    assert answer.residue == (
        "natural(K)",
        "len(s) = n",
        "K < n",
        "is_signed(t)",
        "gather(C, D, axis=K) = E",
        "nn.upsampling(F, scale_h=1.5) = G",
    )
    (answer,) = query("dyn.image.resize2d(A, B, C) = D")
    assert answer.residue == ()  # that B and C are types says nothing


KANRENS = """
from kanren import eq, lall, var
from kanren.constraints import isinstanceo
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType

@relation
def Counted(data, out):
    '''The first extent is an integer.'''

@Counted.clause
def by_kanren(data, out):
    extent, rest, dtype = var(), var(), var()
    return lall(eq(data, TensorType((extent,), dtype)), isinstanceo(extent, int), eq(out, data))

operator("counted", "data", Counted)
"""


def test_what_kanrens_goals_wait_for_is_said_by_the_goal(tmp_path):
    (tmp_path / "counted.py").write_text(KANRENS)
    rules = load_rules(tmp_path, python=True)
    (answer,) = query("counted(A) = B", rules=rules)
    assert answer.texts == {"A": "Tensor[(n), t]", "B": "Tensor[(n), t]"}
    assert answer.residue == ("counted(A) = B",)


def test_a_disjunction_is_restated_as_a_whole():
    first, second = query("A = B ; gather(A, C, axis=K) = B")
    assert first.residue == () and second.residue[-1] == "(A = B ; gather(A, C, axis=K) = B)"


def test_a_typing_s_calls_are_restated():
    program = "def @main(%x: Tensor[_, float32]) { sum(%x, axis=[_]) }"
    (found,) = typings(program, limit=1)
    assert found.residue == (
        "len((n, ...s)) = m",
        "k < m",
        "m >= 1",
        "Reduce(Tensor[(n, ...s), float32], Tensor[u, float32], keepdims=false, exclude=false, axis=[k])",
    )


def test_words_are_mapped_over_lists():
    (answer,) = query("map(agree, s, (1, 2)), map(known, s)", ground=True)
    assert answer.texts == {"s": "(1, 2)"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n * m = ?", ["n * m = ?"]),
        ("n * m = ?, known(n)", ["m = ?"]),
        ("n * m - k = ?, known(n)", ["m - k = ?"]),
        ("n * m * k = ?, known(n)", ["m * k = ?"]),
        ("n * m = ?, known(i), n = i, known(m)", []),
        ("prod(s) = ?, s = [n | u], known(n)", ["s = (n, ...u), prod(u) = ?"]),
        ("n * m = ?, known(n), known(m)", []),
        ("n // m = ?, known(n), known(m)", []),
        ("prod((n, m)) = ?, known(n), known(m)", []),
        ("n * m = k, k = ?, known(n), natural(m)", []),
        ("n * m = ?, n * k = 6, natural(m)", []),
    ],
)
def test_what_is_made_of_known_numbers_is_known(text, expected):
    for goals in permutations(re.split(r", (?![^(\[]*[)\]])", text)):
        assert [str(answer) for answer in query(", ".join(goals))] == expected, goals


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("same_length(t, t)", []),
        ("same_length(t, u), same_length(u, t)", ["len(t) = len(u)"]),
        ("same_length(t, u), same_length(u, v), same_length(t, v)", ["len(t) = len(u)", "len(u) = len(v)"]),
        ("same_length(t, u), same_length(v, w), t = w, u = v", ["len(u) = len(t)"]),
    ],
)
def test_that_lists_are_equally_long_is_said_once(text, residue):
    (answer,) = query(text)
    assert [*answer.residue] == residue


def test_every_word_is_documented():
    rows = re.findall(r"^\| `(\w+)\(", README.read_text(), re.M)
    assert set(WORDS) <= set(rows), set(WORDS) - set(rows)


@pytest.mark.parametrize("ask", [lambda text: list(query(text)), count_query])
def test_an_attribute_that_must_be_given_is_named_with_its_place(ask):
    with pytest.raises(RuleError) as problem:
        ask("A = int8, einsum(B, equation=E) = C")
    assert str(problem.value).splitlines()[0].startswith("<query>:1:21: error: attribute `equation` has no universe")
    assert str(problem.value).splitlines()[2] == "   |                     ^^^^^^^^^^"


def test_so_it_is_in_a_program():
    with pytest.raises(RuleError) as problem:
        list(typings("def @main(%x: Tensor[(2, 2), int8]) { einsum((%x,), equation=_) }"))
    assert (problem.value.span.line, problem.value.span.column) == (1, 39)
