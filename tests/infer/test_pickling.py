"""Results and rule bases go to other processes and come back saying the same."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

import relaylogic
from relaylogic import relay
from relaylogic.clauses.load import load_clauses
from relaylogic.ir import structural_equal
from relaylogic.logic.terms.terms import cons, variables_of
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import Attrs, RuleBase, RuleError, default_rules, load_rules
from relaylogic.text import ParseError
from relaylogic.types import FuncType, GlobalTypeVar, IncompleteType, TensorType, TupleType, TypeVar, kind_of_hole

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = """
Doubled(Tensor[(n, ...rest), bt], Tensor[(2 * n, ...rest), bt]).
operator doubled (data) : Doubled.
"""
TYPED = "def @main(%x: Tensor[(2, 3), float32], %w) { let %y = nn.dense(%x, %w, units=4); (%y, nn.relu(%y)) }"
GENERAL = "def @main(%x, %y) { add(%x, %y) }\ndef @g(%x: Tensor[(2, _), float32]) { @main(%x, %x) }"
DATA = "type L[a] { N, C(a, L[a]) }\ndef @main(%x: L[int32]) { match (%x) { N => 0, C(%h, %t) => %h } }"
REFUTED = "def @main(%x: Tensor[(2, 3), float32]) { nn.dense(%x, %x, units=4, out_dtype=int8) }\ndef @f() { nothing() }"
OPEN = "def @main(%x) -> Tensor[(2, 2), float32] { reshape(%x, newshape=[2, -1]) }"
PRELUDE = 'import "prelude"\ndef @main(%l: List[int32]) { @map(fn (%x) { add(%x, 1) }, %l) }'
DOUBLED = "def @main(%x) -> Tensor[(8, 3), float32] { doubled(%x) }"
TEXTS = [TYPED, GENERAL, DATA, REFUTED, OPEN, PRELUDE, DOUBLED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("rules")
    (made / "own.rel").write_text(OWN, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as made:
        yield made


def again(value):
    return pickle.loads(pickle.dumps(value))


def assert_same(ours, theirs):
    assert theirs.verdict == ours.verdict
    assert structural_equal(list(theirs.functions.values()), list(ours.functions.values()))
    assert list(theirs.functions) == list(ours.functions)
    assert [(c.function, c.callee, str(c.type), c.span) for c in theirs.calls] == [
        (c.function, c.callee, str(c.type), c.span) for c in ours.calls
    ]
    assert theirs.errors == ours.errors
    assert theirs.residue == ours.residue
    assert theirs.warnings == ours.warnings
    assert theirs.to_json() == ours.to_json()
    assert repr(theirs) == repr(ours)
    assert structural_equal(theirs.module, ours.module)
    assert theirs.module.astext(annotate=theirs.type_of) == ours.module.astext(annotate=ours.type_of)


# ---- other processes


@pytest.mark.parametrize("closed", [False, True])
def test_results_of_another_process_are_those_of_this_one(pool, folder, closed):
    rules = load_rules(folder)
    verdicts = set()
    theirs = [pool.submit(relaylogic.infer, text, closed=closed, rules=rules) for text in TEXTS]
    for text, other in zip(TEXTS, theirs, strict=True):
        ours = relaylogic.infer(text, closed=closed, rules=rules)
        verdicts.add(ours.verdict)
        assert_same(ours, other.result())
    assert verdicts >= ({"typed", "refuted", "incomplete"} if closed else {"typed", "refuted"})


def test_a_module_goes_there_and_comes_back(pool):
    module = relaylogic.parse(DATA)
    theirs = pool.submit(relaylogic.infer, module, rules=default_rules()).result()
    assert_same(relaylogic.infer(module), theirs)


def test_a_call_in_another_process(pool):
    ask = partial(relaylogic.infer_call, "nn.dense", ["Tensor[(2, 3), float32]", "_"], {"units": 4})
    assert_same(ask(), pool.submit(ask).result())
    doubtful = partial(relaylogic.infer_call, "add", ["Tensor[(4, 1), float32]", "_"])
    assert doubtful().residue
    assert_same(doubtful(), pool.submit(doubtful).result())


def test_an_error_of_another_process_is_raised_here(pool):
    with pytest.raises(ParseError) as ours:
        relaylogic.infer("def @main( {")
    with pytest.raises(ParseError) as theirs:
        pool.submit(relaylogic.infer, "def @main( {").result()
    assert str(theirs.value) == str(ours.value)
    assert theirs.value.span == ours.value.span


def test_definitions_of_two_processes_stay_apart(pool):
    ours = {relaylogic.infer(GENERAL).functions["main"].type_params[0] for _ in range(50)}
    theirs = {pool.submit(relaylogic.infer, GENERAL).result().functions["main"].type_params[0] for _ in range(50)}
    assert not ours & theirs


def test_tasks_that_bring_the_same_rules_share_them(pool, folder):
    rules = load_rules(folder)
    tables = [pool.submit(identity_of, rules).result() for _ in range(3)]
    assert len(set(tables)) == 1
    assert pool.submit(is_default, default_rules()).result()
    assert not pool.submit(is_default, rules).result()


def identity_of(rules):
    return id(rules)


def is_default(rules):
    return rules is default_rules()


# ---- results


@pytest.mark.parametrize("text", [t for t in TEXTS if t is not DOUBLED])
@pytest.mark.parametrize("way", [again, copy.copy, copy.deepcopy, lambda result: again(again(result))])
def test_a_copy_says_the_same(text, way):
    result = relaylogic.infer(text)
    made = way(result)
    assert made is not result
    assert_same(result, made)


def test_a_pickled_result_knows_its_types_by_its_own_nodes():
    made = again(relaylogic.infer(TYPED))
    main = made.module["main"]
    assert made.type_of(main.params[1]) is TensorType((4, 3))
    assert made.type_of(main.body.value) is TensorType((2, 4))
    assert made.type_of(main.body.var) is TensorType((2, 4))
    assert made.type_of(object()) is None


def test_a_network():
    result = relaylogic.infer((EXAMPLES / "resnet50.relay").read_text(encoding="utf-8"))
    made = again(result)
    assert_same(result, made)
    assert [c.type for c in made.calls] == [c.type for c in result.calls]


def test_a_copied_module_is_not_its_original():
    module = relaylogic.parse(DATA)
    for made in (copy.copy(module), copy.deepcopy(module), again(module)):
        made.discard("main")
        assert "main" in [v.name_hint for v in module.functions]


# ---- terms


def test_terms_come_back_as_themselves():
    n = TypeVar("n", "ShapeVar")
    for term in (
        TensorType((2, n), "float32"),
        FuncType((TypeVar("a"),), TupleType(())),
        GlobalTypeVar("List")(TensorType((2 * n + 1, 3))),
        GlobalTypeVar.named("List"),
    ):
        assert again(term) is term
        assert copy.deepcopy(term) is term


def test_variables_are_others_but_the_same_in_one_pickle():
    kinded, plain = IncompleteType("Shape"), fresh()
    terms = [TensorType(kinded, plain), plain, cons((1, 2), kinded), (kinded, plain)]
    made = again(terms)
    assert made[0].args[1] is made[1] is made[3][1] is not plain
    assert made[0].args[0] is made[2].tail is made[3][0] is not kinded
    assert kind_of_hole(made[3][0]) == "Shape"
    assert kind_of_hole(made[1]) == "Type"
    assert not set(variables_of(tuple(made))) & {kinded, plain}


def test_attributes():
    attrs = Attrs({"axis": (1, 2), "fields": None})
    assert again(attrs) == attrs == copy.deepcopy(attrs)
    assert hash(again(attrs)) == hash(attrs)


@pytest.mark.parametrize("depth", [10_000])
def test_depth_is_no_limit(depth):
    type_ = IncompleteType()
    for _ in range(depth):
        type_ = TupleType((type_,))
    assert str(again(type_)) == str(type_)
    text = f"def @main(%x: {'(' * depth}int32{',)' * depth}) {{ (%x, %x) }}"
    lets = "".join(f"let %v{i + 1} = add(%v{i}, 1);\n" for i in range(depth // 5))
    for program in (text, f"def @main(%v0: int32) {{ {lets} %v{depth // 5} }}"):
        result = relaylogic.infer(program)
        assert result.verdict == "typed"
        for made in (again(result), copy.deepcopy(result)):
            assert made.functions["main"] is result.functions["main"]
            assert made.calls == result.calls


# ---- rule bases


def test_the_default_rule_base_is_the_default_rule_base():
    assert again(default_rules()) is default_rules()


def test_a_rule_base_is_loaded_again(folder):
    rules = load_rules(folder)
    load_clauses(rules, "Same(a, a).\noperator same (data) : Same.", "more")
    made = again(rules)
    assert made is not rules
    assert again(rules) is made
    assert list(made.operators) == list(rules.operators)
    assert made.operators["same"].relation.clauses[0].file == "more"
    assert relaylogic.infer("def @main(%x: int32) { same(%x) }", rules=made).verdict == "typed"


def test_who_changes_a_copy_has_it_alone(folder):
    rules = load_rules(folder)
    first = again(rules)
    load_clauses(first, "Same(a, a).")
    assert "Same" not in again(rules).relations
    assert "Same" in again(first).relations
    one, other = copy.copy(rules), copy.deepcopy(rules)
    load_clauses(one, "Same(a, a).")
    assert "Same" not in other.relations


def test_what_cannot_be_loaded_again_is_refused(tmp_path):
    (tmp_path / "own.rel").write_text(OWN, encoding="utf-8")
    rules = RuleBase()
    rules.load(tmp_path)
    sent = pickle.dumps(rules)
    (tmp_path / "own.rel").write_text(OWN.replace("2 *", "3 *"), encoding="utf-8")
    with pytest.raises(RuleError, match="they have changed"):
        pickle.loads(sent)
    by_hand = RuleBase()
    by_hand.relations["Doubled"] = rules.relations["Doubled"]
    with pytest.raises(RuleError, match="from Python"):
        again(by_hand)


def test_a_table_of_derivations_knows_expressions_of_its_own_program_only():
    """A copy knew them by identities that other expressions may have."""
    result = relaylogic.infer("def @main(%x: Tensor[(2), int8]) { nn.relu(%x) }")
    table, body = result.derivations(), result.module["main"].body
    assert table.of(body) is not None and repr(table) == f"DerivationTable({len(table.nodes)} nodes)"
    known = again(table)
    assert known.nodes == table.nodes and known.of(body) is None


def test_why_is_shown_in_words():
    result = relaylogic.infer("def @main(%x: Tensor[(2), int8]) { nn.relu(%x) }")
    why = result.why(result.module["main"].body, "shape[0]")
    assert repr(why) == repr(again(why)) == "Why(shape[0] of the call of `nn.relu` is 2)"


def test_one_is_counted_as_one_where_a_result_is_shown():
    assert repr(relaylogic.infer("def @main(%x: int8) { copy(%x) }")).startswith("<typed: 1 function, 1 call>\n")
    assert repr(relaylogic.infer(TYPED)).startswith("<typed: 1 function, 2 calls>\n")


def test_what_has_no_place_is_shown_without_a_line():
    x = relay.var("x", shape=(2,))
    built = relaylogic.infer(relaylogic.IRModule.from_expr(relay.Function([x], relay.nn.dense(x, x))))
    assert built.verdict == "refuted" and "None" not in repr(built)
