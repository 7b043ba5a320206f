"""What the fuzzer found first, each named for what broke."""

from __future__ import annotations

import contextlib
import copy
import pickle
import re
import tracemalloc
from itertools import count
from traceback import walk_tb

import pytest
from unification import var

import relaylogic
from relaylogic import relay
from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.errors import IllFormed, RelayLogicError, rendered
from relaylogic.explain.rules import describe
from relaylogic.frontend import from_onnx
from relaylogic.host import governor
from relaylogic.ir import IRModule, Source, Span, post_order, structural_equal, structural_hash
from relaylogic.ir.type_args import coerce_type_argument
from relaylogic.logic import equals, leo, lto, membero, neq, prod
from relaylogic.logic.terms import mistakes
from relaylogic.logic.terms.interning import Interning
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import RuleError, load_rules
from relaylogic.text import ParseError
from relaylogic.text.attribute_spans import AttributeSpans
from relaylogic.types import TensorType, normal_dtype
from relaylogic.types.universe import Universe
from tests.cli.running import run
from tests.counted import at_most
from tests.effort import in_turn
from tests.fuzz.clause_queries import rules as known_rules
from tests.fuzz.rule_files import base_for

X = relay.var("x", shape=(2, 3))


def test_a_query_whose_attributes_a_rule_tripped_over():
    with pytest.raises(ClauseError, match=r"`newshape` cannot be .*its elements are integers"):
        list(relaylogic.query("reshape(A, newshape=(?, -1)) = B"))


def test_a_list_of_strings_is_no_list_of_extents():
    for annotation in ("", ": ()", ": Tensor[(2), int8]"):
        result = relaylogic.infer(f'def @main(%x{annotation}) {{ sum(%x, axis=["a"]) }}')
        assert "its elements are integers" in result.errors[0].message and result.errors[0].malformed


@pytest.mark.parametrize("element", [(7,), None, TensorType((), "int8")])
def test_what_is_no_number_becomes_no_extent(element):
    images = TensorType((1, 3, 8, 8), "int8")
    resized = relaylogic.infer_call("image.resize2d", [images], {"size": (element, 4)})
    assert resized.verdict == "refuted" and [error.malformed for error in resized.errors] == [True]
    tiled = relaylogic.infer_call("tile", [TensorType((2, 3), "int8")], {"reps": (element, 2)})
    assert tiled.verdict == ("typed" if element is None else "refuted")


def test_a_message_names_no_variable_by_a_number_that_differs_from_run_to_run():
    mixed = """def @f<m: ShapeVar>(%y: Tensor[m, int8], %x: Tensor[(m + 1), int8]) -> Tensor[(m + 1), int8] { %x }
        def @main(%z: Tensor[(0), int8]) { @f(%z, %z) }"""
    error = relaylogic.infer(mixed).errors[1]
    assert error.message == "the extents do not satisfy 0 = _ + 1"


def test_a_place_beyond_the_longest_list_is_a_limit():
    assert run("query", "o[99999999999] = 0").code == 3


def test_a_refusal_of_a_relation_that_calls_itself_is_explained():
    rules = load_rules()
    typed = "Typed(A, Tensor[(n), int8]) :- Other(A, n). operator my.op(n) : Typed."
    load_clauses(rules, f"Other(_, 0) :- Other(_, 0). {typed}")
    assert relaylogic.infer_call("my.op", ["Tensor[(2), int8]"], rules=rules).errors


def test_a_relation_that_misses_an_attribute_where_it_is_called():
    rules = load_rules()
    load_clauses(rules, "one: R(A, B) :- R(A, B). R(A, B) :- n = attrs.axis. operator my.op(a; axis: int = 1) : R.")
    assert relaylogic.infer_call("my.op", ["int8"], rules=rules).verdict in ("refuted", "unknown", "incomplete")


def test_the_order_of_named_clauses_does_not_matter():
    for text in ("clause_1: R(A, A). R(A, int8).", "R(A, int8). clause_1: R(A, A)."):
        load_clauses(load_rules(), text)


def test_lists_and_tuples_of_attributes_are_equal():
    listed, tupled = (relay.Call(relay.op.get("squeeze"), [X], {"axis": axis}) for axis in ([0], (0,)))
    assert structural_equal(listed, tupled)
    assert structural_equal(relay.Call(relay.op.get("exp"), [X]), relay.Call(relay.op.get("exp"), [X], {}))


@pytest.mark.parametrize(
    "call",
    [
        lambda: relaylogic.query(3),
        lambda: relaylogic.typings(None),
        lambda: relaylogic.IRModule()[[1]],
        lambda: relay.split(X, float("inf")),
        lambda: relay.TensorType((2,), {}),
        lambda: relay.analysis.unmatched_cases(X),
        lambda: relay.analysis.list_op_freqs(X),
        lambda: relaylogic.query("A = B", dtypes=(None,)),
        lambda: str(relay.Function([relay.exp(X)], X)),
        lambda: relay.clip(X, 0, 10**400),
        lambda: relay.const(10**400),
        lambda: relay.ShapeVar("n") + "x",
    ],
)
def test_what_cannot_be_used_is_refused_in_words(call):
    with pytest.raises((RelayLogicError, ValueError, TypeError)) as caught:
        call()
    assert "object has no attribute" not in str(caught.value) and "unhashable" not in str(caught.value)


def test_typings_of_an_ill_formed_module():
    with pytest.raises(IllFormed):
        relaylogic.typings(relaylogic.IRModule.from_expr(relay.Function([relay.exp(X)], X)))


def test_a_call_on_a_type_parameter_shows_in_a_notebook():
    assert "<" in relaylogic.infer_call("copy", [relay.TypeVar("a")]).module._repr_html_()


def test_bind_leaves_what_is_bound():
    let = relay.Let(X, relay.const(1.0), X)
    assert relay.bind(let, {X: relay.const(2.0)}).var is X


def test_a_result_is_of_the_module_as_it_was():
    module = relaylogic.IRModule.from_expr(relay.Function([X], relay.exp(X)))
    result = relaylogic.infer(module)
    said = result.to_json()
    module["main"] = relay.Function([X], relay.Let(relay.var("t"), relay.RefWrite([-1], X), X))
    assert result.to_json() == said and "exp" in result.module.astext() and "typed" in result._repr_html_()
    with pytest.raises(IllFormed):
        relaylogic.infer(module)


def test_a_module_whose_functions_have_no_names():
    module = relaylogic.IRModule()
    module.functions["main"] = relay.Function([X], X)
    with pytest.raises(IllFormed, match="defined by a GlobalVar"):
        relaylogic.infer(module)


def test_a_constant_of_the_dtype_void():
    for value in ([], [1, 2], 1.5):
        with pytest.raises(RelayLogicError, match="dtype void"):
            relay.const(value, "")


def test_an_attribute_of_an_onnx_node_that_is_a_type():
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    node = helper.make_node("Clip", ["x"], ["y"], max=0.5)
    node.attribute.add(name="min", type=onnx.AttributeProto.TYPE_PROTO)
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3, 4]) for name in "xy"]
    graph = helper.make_graph([node], "g", ends[:1], ends[1:])
    with pytest.raises(RelayLogicError, match="`min` of Clip is of the kind TYPE_PROTO, but FLOAT is wanted"):
        from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 9)]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A = Tensor[s, m, t], Order([n | s])", "a list ends with a list, not with an extent"),
        ("s = [n | m + 1]", "a list ends with a list, not with a number"),
        ("s = [n | int8]", "a list ends with a list"),
        ("A = Tensor[s, m, t], s = [n | r]", "an extent is wanted here, not `[n | r]`"),
        ("n + 1 = (1, 2)", "a number is wanted here, not `(1, 2)`"),
        ("s[0] = n, s = [n | m], m = 1", "a list ends with a list, not with a number"),
    ],
)
def test_what_is_no_list_at_the_end_of_one(text, message):
    rules = load_rules()
    load_clauses(rules, "Order(A) :- A = A.")
    with pytest.raises(RelayLogicError, match=re.escape(message)):
        relaylogic.query(text, rules=rules)


def test_the_longest_list_bounds_a_length_that_is_asked_for():
    found = relaylogic.query("len(_) = n", max_rank=2, max_dim=9, ground=True)
    assert sorted(map(str, found)) == ["n = 0", "n = 1", "n = 2"] and found.status == "exhausted"


def test_a_clause_that_calls_itself_wakes_not_all_that_waits_each_time():
    rules = load_rules()
    load_clauses(
        rules,
        "Other([n | s], m) :- 1 + m = max, n * m = 6, reverse(s, s), Other([n | s], m). "
        "Typed(Tensor[s, t], Tensor[(m), t]) :- Other(s, m). operator my.op(n) : Typed.",
    )
    for steps in (400, 800):
        with relaylogic.limits(steps=steps), at_most(1_000 * steps):
            assert relaylogic.infer_call("my.op", [TensorType((2, 3))], rules=rules).verdict == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%f: fn (_, int8) -> _ where Broadcast) { %f }",
        "def @f(%x: _, %y: Tensor[(_, 3), float32]) where Broadcast { %x }",
        "def @f[a](%x: a, %y: _) -> a where Broadcast { fn (%z: _) -> (_, _) where Identity { %z } }",
    ],
)
def test_a_constraint_on_holes_of_its_function_is_printed_as_one(text):
    module = relaylogic.parse(text)
    assert structural_equal(relaylogic.parse(module.astext()), module)


def test_a_field_before_the_first_of_a_refuted_program():
    result = relaylogic.infer("def @f() where Nope { 1 }\ndef @main(%x) { ((().-1), ((1, 2).-1)) }")
    assert result.verdict == "refuted" and result.to_json()


def test_a_division_by_nothing_folds_with_nothing():
    rules = load_rules()
    load_clauses(
        rules,
        "Other(A, B) :- m // 0 = m, prod((n, 3)) = n, tile(Tensor[(?, 2), int8], reps=(2)) = Tensor[(n, 2), int8].",
    )
    assert list(relaylogic.query("Other(A, B)", rules=rules, steps=400)) == []


def test_whether_a_number_may_be_unknown_of_calls_that_grow_for_ever():
    rules = load_rules()
    load_clauses(rules, "Mine(A, B) :- split(_, indices_or_sections=2, axis=0) = (B, int8), Mine((A, B), C).")
    with at_most(600_000):
        assert list(relaylogic.query("Mine(A, B)", rules=rules, steps=400)) == []


def test_a_message_about_a_place_far_to_the_right_is_shown_as_fast_as_one_to_the_left():
    source = Source("x = 1\n" + "é\t" * 500_000 + "\r\n", "a")
    for start in (6, 1_000_005):
        assert "^" in rendered("message", Span(source, start, start + 1))  # where lines begin is looked up once
        tracemalloc.start()
        try:
            shown = rendered("message", Span(source, start, start + 1))
            copied = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert "^" in shown and copied < 100_000  # bytes: a copy of the line takes two million
    assert source.line_text(2) == source.text[6:-2] and source.line_length(2) == 1_000_000
    assert source.line_text(1) == "x = 1" and source.line_text(3) == "" and source.line_text(2, 3, 4) == "\té\té"


def test_a_seed_that_is_no_number_and_limits_that_no_float_holds():
    with pytest.raises(RelayLogicError, match="`seed` is an integer"):
        relaylogic.typings("def @main(%x) { %x }", sample=1, seed="\ud800")
    with relaylogic.limits(time=10**400, steps=10**400), pytest.raises(ValueError, match="natural number"):
        relaylogic.infer("def @main(%x: int8) { %x.0 }").to_dict(most="int8")


def test_what_propagates_for_long_at_each_step_pays_steps_for_it():
    rules = load_rules()
    circle = ", ".join(f"x{i} < x{(i + 1) % 70}" for i in range(70))  # too many to be looked at together
    load_clauses(rules, f"Step(2). Other(Tensor[[n | s], t], m) :- Step(n), {circle}. operator my.op(n) : Other.")
    with relaylogic.limits(steps=10_000), at_most(2_000_000):
        assert relaylogic.infer_call("my.op", [TensorType((2, 3))], rules=rules).verdict == "unknown"


ENDLESS = [
    "one: Left(a, b) :- Step(a, b). more: Left(a, b) :- Left(a, c), Step(c, b).",
    "one: Left(a, b) :- Step(a, b). more: Left(a, b) :- Left(a, c), Left(c, b).",
    "one: Left(a, b) :- Step(a, b). more: Left(a, b) :- Back(b, a). Back(b, a) :- Left(a, c), Step(c, b).",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_a_relation_that_calls_itself_is_decided_on_any_stack(text: str):
    rules = load_rules()
    steps = "Step(1, 2). Step(2, 3). Step(3, 2). Path(Tensor[[n | s], t], Tensor[[m | s], t]) :- Left(n, m)."
    load_clauses(rules, f"{steps} {text}")
    path = rules.relations["Path"]

    def asked(depth: int, n: int, m: int) -> object:
        if depth:
            return asked(depth - 1, n, m)
        rules.table.clear()
        types = tuple(TensorType((extent,), "int8") for extent in (n, m))
        found = rules.solve_terms(path, types)
        return found.exhausted, len(found.answers)

    for n, m, holds in [(2, 1, False), (1, 3, True)]:
        assert {asked(depth, n, m) for depth in (0, 450)} == {(True, int(holds))}


@pytest.mark.parametrize(
    "dtype", [relay.FuncType([], relay.TupleType([])), relay.TypeVar("a"), relay.Any(), relay.IncompleteType()]
)
def test_a_constant_of_something_else_than_a_dtype(dtype: object):
    with pytest.raises(ValueError, match="is not a dtype"):
        relay.const(1, dtype)


def test_what_propagates_for_long_and_fails_pays_steps_for_it():
    rules = load_rules()
    load_clauses(
        rules,
        "Between(n, m) :- n + 1 <= k, k + 1 <= m ; m + 1 <= k, k + 1 <= n.\n"
        "Third(A, B, C) :- Between(2 * m, m), strided_slice(B, begin=(0), end=(2)) = Tensor[o, float32].\n"
        "operator my.op(a, b) : Third.",
    )
    with at_most(5_000_000):
        assert "my.op" in describe(rules, "my.op")


def test_what_is_unknown_is_no_place_in_a_list():
    assert run("query", "s[max(n, 2)] = 6, n = ?").out == "# no\n"
    assert run("query", "n = ?, s[max(n, 2)] = 6").out == "# no\n"
    assert run("query", "s[i] = 3, s = (1, 3, 3)").out.count("i = ") == 2
    assert "s = (n, m, 3), i = 2" in run("query", "s[i] = 3, i = 2, len(s) = 3").out


def test_what_is_wrong_whatever_the_types_are_is_told_beside_other_errors():
    """An attribute that is no attribute stands in a call that others explain away."""
    chosen = 'where(zeros(shape=[1], dtype="bool"), concatenate(%x, axis=%n), 2)'
    refused = f'subtract({chosen}, zeros(shape=[2], dtype="int8"))'
    text = f"def @main(%x, %n) {{ let %y: () = where(True, {refused}, 3i8); %y }}"
    result = relaylogic.infer(text)
    assert [e.message for e in result.errors if e.malformed] == [
        "`concatenate`: attribute `axis` cannot be {'expr': 'Var(%n)'}: it accepts an integer"
    ]


def test_a_list_that_is_too_long_in_a_relation_that_calls_itself(tmp_path):
    """The limit was raised where the tables of the relation are made, outside of the search."""
    rule = "Mine(Tensor[[n | s], t], Tensor[(n, m), t]) :- (n, 3)[99999999999:] = _, Mine(A, B).\n"
    (tmp_path / "mine.rel").write_text(f"{rule}operator my.op(a) : Mine.\n")
    shown = run("rules", "show", "my.op", "--rules", tmp_path / "mine.rel")
    assert shown.code == 0 and shown.out.endswith("example: none was found\n")


def test_the_kind_of_what_cannot_be_hashed():
    for nothing in (set(), {}, []):
        with pytest.raises(RelayLogicError):
            relay.analysis.check_kind(nothing)


def test_a_limit_of_memory_that_is_reached_at_once_is_told_in_json(tmp_path, monkeypatch):
    sizes = count(1 << 30, 1 << 20)  # a process that has run for long may have room for all of it
    monkeypatch.setattr(governor, "resident", lambda: next(sizes))
    (tmp_path / "mine.rel").write_text("".join(f"MyOdd({n}) :- {n} % 2 = 1.\n" for n in range(2_000)))
    done = run("query", "--memory", "1k", "--rules", tmp_path / "mine.rel", "--format", "json", "n + m = 4")
    assert done.code == 3 and '"status": "unknown: memory limit"' in done.out


def test_a_list_of_one_extent_beside_a_part_of_a_list():
    for query in ("s[1:] != (2)", "(2) != s[1:]"):
        (line, _) = run("query", query).out.splitlines()
        assert line in ("s = (n, ...u), u != (2,)", "s = (n, ...u), (2,) != u")
        assert run("query", line).out.splitlines()[0] == line
    assert run("query", "s[1:] = (2)").out.startswith("s = (n, 2)\n")
    assert run("query", "s[1:] = t, t = (A, B), s = (C, D, E)").out.startswith("s = (C, A, B), ")


def test_so_many_conflicts_as_no_machine_counts():
    result = relaylogic.infer("def @main(%x: Tensor[(2), int8], %y: Tensor[(3), int8]) { add(%x, %y) }")
    assert len(result.to_dict(most=10**400)["conflicts"]) == 1


def test_attributes_of_a_source_that_is_no_relay_text():
    source = Source("input 名\nnode Pad", "<onnx>")
    call = relay.Call(relay.op.get("squeeze"), [X], {"axis": [1]}, span=Span(source, 8, 16))
    assert AttributeSpans().of(call) == {}


@pytest.mark.parametrize("around", ["[]", "()", ("(", ",)"), ("[", "|s]"), ("[n, ", "]"), ("List[", "]")])
def test_kinds_of_lists_in_lists_are_found_in_time_that_does_not_explode(around: str | tuple[str, str]):
    """Each level looked twice at what is in it: once for what it is, once with what it must be."""
    nested = around[0] * 100 + "A" + around[1] * 100
    for text in (f"Mine(A, {nested}).", f"Mine(A, B) :- B = {nested}, Mine(A, A), A = Tensor[s, t]."):
        rules = load_rules()
        load_clauses(rules, "Other(A, A).")
        with at_most(40_000), contextlib.suppress(RelayLogicError):
            load_clauses(rules, text)


@pytest.mark.parametrize("taken", [copy.deepcopy, pickle.dumps])
def test_what_contains_itself_is_not_copied_for_ever(taken):
    call = relay.exp(X)
    call.args = (call,)
    holding: list[object] = []
    holding.append(holding)
    for cyclic in (call, relay.Function([X], call), relay.Call(relay.op.get("squeeze"), [X], {"axis": holding})):
        with pytest.raises(IllFormed, match="contains itself"):
            taken(cyclic)
    shared = relay.Tuple([X, X])
    copied = copy.deepcopy(relay.Tuple([shared, shared]))
    assert copied.fields[0] is copied.fields[1] and copied.fields[0] is not shared


@pytest.mark.parametrize(
    "call",
    [
        lambda: relaylogic.run("a", X),
        lambda: relaylogic.run(-1, X),
        lambda: relaylogic.IRModule().update("a"),
        lambda: relaylogic.IRModule.from_expr(X, "a"),
        lambda: relaylogic.IRModule.from_expr(X, {}, [1]),
        lambda: relaylogic.IRModule().import_from_std(3),
    ],
)
def test_what_is_of_another_kind_is_refused_in_words(call):
    with pytest.raises(RelayLogicError):
        call()
    assert len(relaylogic.run(10**400, X)) == 1


def test_an_attribute_that_nests_deeply_as_a_dtype():
    deep = ()
    for _ in range(3000):
        deep = (deep,)
    with pytest.raises((RelayLogicError, ValueError, TypeError)):
        relay.const(1).astype(deep)


def test_a_constructor_of_nobody_knows_what_is_refused_with_the_same_words_each_time():
    messages = set()
    for _ in range(2):
        with pytest.raises(RelayLogicError) as caught:
            relaylogic.parse("data T[n] { C : () -> _ }")
        messages.add(caught.value.message)
    assert messages == {"`C` must make a `T`, not a `_`"}


FAILING = """
from relaylogic.rulebase import operator, relation

@relation
def Failing(a, b):
    '''Not done yet.'''

@Failing.clause
def only(a, b):
    raise NotImplementedError("later")

operator("my.failing", "a", Failing)
"""


def test_a_call_whose_rule_fails_in_python_has_a_type(tmp_path):
    (tmp_path / "failing.py").write_text(FAILING)
    result = relaylogic.infer("def @main(%x: int8) { my.failing(%x) }", rules=load_rules(tmp_path, python=True))
    reason = f"NotImplementedError: later; clause `only`, {tmp_path.name}/failing.py:10"
    assert [error.message for error in result.errors] == [f"relation `Failing` cannot be asked like this ({reason})"]
    assert '"type": "_"' in result.to_json()


TRIPPING = """
from relaylogic.logic import eq, fresh, lall, mapo
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType

def no_state(state):
    return iter([1])

def raising(state):
    yield {}["no such key"]

def same(a, b):
    return raising

def rows(a, b):
    m, n = fresh(2)
    return lall(mapo(same, m, n), eq(a, TensorType(m, "int8")), eq(b, TensorType(n, "int8")))

@relation
def Tripping(a, b):
    '''Trips when it runs.'''

@Tripping.clause
def only(a, b):
    BODY

operator("my.tripping", "a", Tripping)
"""


@pytest.mark.parametrize("body", ["return raising", "return None", "return no_state", "return rows(a, b)"])
def test_a_goal_of_a_rule_that_fails_while_it_runs_is_an_error_of_the_rule(tmp_path, body):
    """Also one that waits: `mapo` does, until a list is known to its end."""
    (tmp_path / "tripping.py").write_text(TRIPPING.replace("BODY", body))
    (tmp_path / "net.relay").write_text("def @main(%x: Tensor[(2), int8]) { my.tripping(%x) }")
    told = r"`(Tripping|same)` cannot be asked like this \(.*/tripping\.py:[0-9]+\)"
    rules = load_rules(tmp_path, python=True)
    for asked in ("Tripping(Tensor[(2), int8], A)", "Tripping(A, B), A = Tensor[(C, D), int8]"):
        with pytest.raises(RuleError, match=told):
            list(relaylogic.query(asked, rules=rules))
    given = ("--rules", tmp_path, "--python-rules")
    found = run("infer", tmp_path / "net.relay", *given)
    assert found.code == 1 and re.search(told, found.err)
    assert run("query", "Tripping(Tensor[(2), int8], A)", *given).code == 2


@pytest.mark.parametrize(
    ("failure", "while_it_runs"),
    in_turn(
        [
            "raise RuntimeError('no')",
            "raise OSError",
            "raise SystemExit(0)",
            "raise type('Oops', (Exception,), {})('of its own')",
            "raise type('Mute', (Exception,), {'__str__': None})()",
            "assert a is b",
            "(lambda f: f(f))(lambda f: f(f))",
        ],
        [False, True],
    ),
)
def test_a_rule_that_fails_is_told_whatever_it_raises(tmp_path, failure, while_it_runs):
    body = f"def late(state):\n        {failure}\n        yield state\n    return late" if while_it_runs else failure
    (tmp_path / "tripping.py").write_text(TRIPPING.replace("BODY", body))
    (tmp_path / "net.relay").write_text("def @main(%x: Tensor[(2), int8]) { my.tripping(%x) }")
    told = r"`Tripping` cannot be asked like this \([A-Z].*; clause `only`, .*/tripping\.py:[0-9]+\)"
    given = ("--rules", tmp_path, "--python-rules")
    found = run("infer", tmp_path / "net.relay", *given)
    assert found.code == 1 and re.search(told, found.err)
    found = run("query", "Tripping(Tensor[(2), int8], A)", *given)
    assert found.code == 2 and re.search(told, found.err)
    for command in (["why", tmp_path / "net.relay", "@main"], ["report", tmp_path / "net.relay", "-o", "-"]):
        assert run(*command, *given).code in (0, 1)


@pytest.mark.parametrize("asked", [lambda d: load_rules().relation(d), lambda d: coerce_type_argument((1, d), "Type")])
def test_what_nests_deeply_is_named_in_a_message(asked):
    deep = ()
    for _ in range(3000):
        deep = (deep,)
    with pytest.raises((RuleError, ValueError), match=r"\.\.\."):
        asked(deep)


def test_why_a_type_of_thousands_of_levels(tmp_path):
    program = tmp_path / "deep.relay"
    program.write_text(f"def @main(%x: {'(' * 3000}int8{',)' * 3000}) {{ %x }}")
    found = run("why", program, "@main")
    assert found.code == 0 and "`%x` is annotated" in found.out


def test_a_parameter_that_is_a_list():
    with pytest.raises(IllFormed, match="a parameter of a function is a Var"):
        relaylogic.IRModule.from_expr(relay.Let(relay.var("y"), X, relay.Function([[-1]], X)))


def test_types_of_calls_that_are_parts_of_each_other_are_put_together_once():
    for depth in (150, 1500):
        module = relaylogic.parse(f"def @main(%f, %x) {{ %f{'(%x)' * depth} }}")
        with at_most(400 * depth):
            result = relaylogic.infer(module)
        assert result.verdict == "typed" and len(result.calls) == depth


def test_lists_that_hold_themselves_or_share_their_parts_are_compared():
    cyclic: list[object] = [1]
    cyclic += [cyclic, cyclic]
    shared: tuple[object, ...] = ()
    other: tuple[object, ...] = ()
    for _ in range(60):
        shared, other = (shared, shared), (other, other)
    assert structural_equal(cyclic, cyclic) and structural_equal(shared, other)
    assert not structural_equal(shared, (other, (other, 1)))
    assert structural_hash(shared) == structural_hash(other) and structural_hash(cyclic) == structural_hash(cyclic)


@pytest.mark.parametrize("name", [{"a": 1}, 3, b"x"])
def test_a_program_is_named_by_a_text(name):
    for read in (relay.fromtext, relay.parse, relaylogic.parse):
        with pytest.raises(IllFormed, match="named by a str"):
            read("a", name)


def test_why_where_all_places_together_force_nothing():
    """An extent that is none takes the place of the whole type where it is looked at."""
    params = [relay.var(name, shape=shape) for name, shape in (("x", (2, 3)), ("y", (1, 3)), ("z", (3, 3)))]
    main = relay.Function(params, params[1], TensorType((relay.Any(), 3, 4, -2), "float32"))
    result = relaylogic.infer(relaylogic.IRModule.from_expr(main))
    why = result.why(result.module["main"])
    assert result.verdict == "refuted" and why.minimal and len(why.places) == 4


def test_types_that_share_their_parts_are_put_together_once_for_a_text():
    for depth in (100, 1000):
        program = "".join(f"let %a{i + 1} = (%a{i}, %a{i}); " for i in range(depth))
        result = relaylogic.infer(f"def @main(%a0) {{ {program}%a{depth} }}")
        with at_most(100 * depth):
            types = [result.type_of(node) for node in post_order(result.module["main"].body)]
        assert len(types) > depth


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x) where Identity(_, axis=@main) { %x }",
        "def @main(%x) where Identity(_, axis=[meta[A][0]]) { %x }",
        "def @main(%x: fn (int8) -> int8 where Identity(int8, int8, axis=@main)) { %x }",
        "def @main(%x, axis=@main) { %x }",
        "def @main(axis=(@main)) { () }",
        "def @main(%x) { nn.relu(%x, axis=[%x]) }",
    ],
)
def test_attributes_that_no_text_could_write_are_refused_where_they_are_read(text):
    with pytest.raises(ParseError, match=r"attribute"):
        relaylogic.parse(text)


@pytest.mark.parametrize("given", ["axis=%x", "axis=(%x)", "axis=meta[A][0]", "axis=[meta[A][0], 1]"])
def test_what_attributes_of_calls_may_hold(given):
    module = relaylogic.parse(f"def @main(%x) {{ nn.relu(%x, {given}) }}")
    assert structural_equal(relaylogic.parse(module.astext()), module)


def test_the_type_of_storage_needs_no_definition_in_a_text():
    found = relaylogic.infer("def @main(%a: int64, %s: Tensor[(2), int64]) { memory.alloc_storage(%a, %s, %a) }")
    written = found.module.astext(found.type_of).replace(") {", ") -> Storage[] {", 1)
    assert relaylogic.infer(written).functions == found.functions
    assert relaylogic.parse("type Storage { }\ndef @main(%s: Storage[]) { %s }")["main"].params[0].type_annotation.func


def test_more_results_than_a_tuple_has():
    with pytest.raises(IllFormed, match="so many"):
        relay.split(X, 10**400)


@pytest.mark.parametrize(
    "value, type_",
    [
        (-1, TensorType((), "uint8")),
        (2**70, TensorType((), "int64")),
        (1e10, TensorType((), "float16")),
        ((300, 1), TensorType((2,), "uint8")),
        ((1,), TensorType((2,), "int32")),
        ("abc", TensorType((), "float32")),
        (1.5, TensorType((), "int32")),
    ],
)
def test_a_constant_whose_value_is_none_of_its_type(value, type_):
    constant = relay.Constant(value, type_)
    with pytest.raises(ValueError, match="cannot be written"):
        constant.astext()
    with pytest.raises(IllFormed, match="the value of a constant"):
        relaylogic.infer(IRModule.from_expr(constant))


def test_a_tensor_of_one_number_has_a_number_of_its_dtype():
    with pytest.raises(ParseError, match="300 is no number of uint8"):
        relaylogic.parse("def @main() { Constant(300, (2,), uint8) }")


def test_numbers_of_onnx_wrap_around_as_their_dtype_does():
    def model(op, dtype, **attributes):
        tensors = (onnx.helper.make_tensor_value_info(name, dtype, [5]) for name in "xy")
        node = onnx.helper.make_node(op, ["x"], ["y"], **attributes)
        return onnx.helper.make_model(onnx.helper.make_graph([node], op, [next(tensors)], [next(tensors)]))

    onnx = pytest.importorskip("onnx")
    module = from_onnx(model("Shrink", onnx.TensorProto.UINT8, lambd=1.5))
    assert relaylogic.infer(module.astext()).functions == relaylogic.infer(module).functions


def test_what_is_open_in_an_attribute_has_no_name_in_a_message():
    for mode, shown in (("[_, 1]", "[_, 1]"), ("[1, _]", "[1, _]")):
        text = f"def @main(%x: Tensor[(1, 8, 4, 6), int8]) {{ nn.space_to_depth(%x, block_size=2, mode={mode}) }}"
        assert f"cannot be {shown}: it accepts a string" in relaylogic.infer(text).errors[0].message
    for size, shown in (("[n | s]", "(_, ..._)"), ("(n, m)", "[_, _]")):
        with pytest.raises(RelayLogicError, match=re.escape(f"cannot be {shown}: it accepts an integer")):
            relaylogic.query(f"nn.depth_to_space(A, block_size={size}) = B")


@pytest.mark.parametrize(
    "query",
    [
        'vm.shape_of(Tensor[(2, 3), float32], dtype="") = A',
        'K = ""',
        "A = void",
        'A = Tensor[s, t], t != "", B = Tensor[s, void]',
        'cast(A, dtype="custom[posit]16") = B, A = Tensor[(2), t]',
        'A = Tensor[(), "custom[posit]16"], A != Tensor[s, t]',
        'cast(A, dtype="e4m3_float8") = B, A = int8',
        "nn.conv1d(_, t, padding=_, channels=n, kernel_size=(3,)) = _",
    ],
)
def test_dtypes_of_every_name_and_naturals_are_printed_as_they_are_read(query):
    for answer in relaylogic.query(query, limit=2):
        assert [str(again) for again in relaylogic.query(str(answer), limit=1)] == [str(answer)]


@pytest.mark.parametrize("limited", [lto, leo, neq, lambda x, two: equals(prod(x), two), lambda x, two: leo(two, x)])
def test_what_is_no_number_is_none_whatever_is_said_first(limited):
    """Bounds of a variable said nothing of a list or a text, nor did the product of a list that is a number."""
    values = (0, 1, 2, 3, None, (2,), (1, 2), "a", 2.5)
    x = var()
    alone = [value for value in values if relaylogic.run(0, x, limited(value, 2))]
    assert alone and all(type(value) is type(alone[0]) for value in alone)
    for goals in ((limited(x, 2), membero(x, values)), (membero(x, values), limited(x, 2))):
        assert [answer.term for answer in relaylogic.run(0, x, *goals)] == alone


def test_a_list_is_no_number_of_an_attribute():
    for rest in ("prod(s) = 6", "len(s) = 2", "A = Tensor[s, t]", "s = (1, 2)"):
        with pytest.raises(ClauseError, match=r"`s` stands for a (list|shape) and for a number"):
            relaylogic.query(f"concatenate(A, axis=s) = B, {rest}")
    with pytest.raises(ClauseError, match=r"`s` stands for a (list|shape) and for a number"):
        relaylogic.query("repeat(A, repeats=(...s,), axis=1) = B")


def test_what_waits_for_attributes_names_no_variable_of_the_process():
    for query in ("concatenate(A, axis=n) = B", "sum(A, axis=K) = B, K != ()", "squeeze(A, axis=K) = B"):
        for answer in relaylogic.query(query, limit=4):
            assert not re.search(r"~\d|Kept", str(answer))


def test_the_type_of_a_constant_is_a_type():
    result = relaylogic.infer("let %t = (False, Constant(1, (-1, 10), float32)); %t.1")
    assert [error.message for error in result.errors] == ["an extent is a natural number, which -1 is not"]
    built = relaylogic.IRModule.from_expr(relay.Constant(None, TensorType((-1, 10))))
    assert relaylogic.infer(built).verdict == "refuted"


@pytest.mark.parametrize("query", ["s[:-1] = n * s", "2 * s[1:] = 4", "n * s = 4, s[1:] = t", "A[1:] < 3, A = int8"])
def test_a_part_of_a_list_is_no_number(query):
    with pytest.raises(ClauseError, match=r"a number is wanted here|stands for a shape and for a number"):
        relaylogic.query(query)


@pytest.mark.parametrize(
    "query", ["len(s) = {}", "len(s) = {}, distinct(s)", "n = {}, len(u) = {}, append(s, u, v)", "len(s) = {}, s != t"]
)
def test_long_lists_of_variables_take_time_that_is_linear_in_their_length(query):
    """Names were looked for from the first on, all pairs were made before one was looked at."""
    with at_most(1_000_000):
        assert len([str(answer) for answer in relaylogic.query(query.format(5_000, 5_000), steps=3_000)]) <= 1


@pytest.mark.parametrize(
    "call",
    [
        lambda junk: relay.FuncType([X.type_annotation], X.type_annotation, [junk]),
        lambda junk: relay.TypeRelation("Broadcast", [X.type_annotation] * 3, 2, junk),
        relay.IncompleteType,
        lambda junk: IRModule({}, {relay.GlobalTypeVar("L"): relay.TypeData(relay.GlobalTypeVar("L"), [], [junk])}),
        lambda junk: IRModule().get_global_var(junk),
        lambda junk: relay.analysis.check_kind(relay.TypeCall(relay.GlobalTypeVar("L"), []), junk),
    ],
)
def test_what_types_and_modules_are_made_of_is_looked_at(call):
    deep: list[object] = []
    for _ in range(3000):
        deep = [deep]
    for junk in ("a", 3, deep):
        with pytest.raises((TypeError, ValueError, RelayLogicError)):
            call(junk)


def test_what_is_no_program_has_a_repr_and_a_hash():
    assert repr(relay.Call(relay.op.get("exp"), [X], "axis")).startswith("Call(")
    assert isinstance(structural_hash(relaylogic.infer("def @main(%x) { %x }")), int)


def test_a_list_that_becomes_known_is_no_attribute_of_another_kind():
    query = "nn.avg_pool2d_grad(A, B, pool_size=s, strides=[n | s], dilation=[n | s], count_include_pad=s) = _"
    assert not list(relaylogic.query(query, max_rank=2, max_dim=2, dtypes=("int8",), ground=True, steps=3_000))


@pytest.mark.parametrize("query", [f"len(s) = 200, {rest}" for rest in ("sum(s) = k", "prod(s) = k", "prod(s) = 6")])
def test_sums_and_products_of_many_numbers_are_bounded_in_time_that_is_linear_in_their_length(query):
    with at_most(2_000_000):
        list(relaylogic.query(query, steps=3_000, limit=2))


DTYPES = ["float32", "int4", "float32x4", "bool", "boolx2", "handle", "e4m3_float8", "custom[posit]16", "custom[8]8x2"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_read_where_it_is_printed(dtype):
    program = f"""type Of[t: BaseType, a] {{ Of(Tensor[(2), t], a) }}
    def @id[a](%x: a) -> a {{ %x }}
    def @main(%x: Tensor[(2, ?), {dtype}], %y: {dtype}, %z: Of[{dtype}, fn ({dtype}) -> ({dtype},)]) {{
      let %c: {dtype} = cast(%y, dtype={dtype});
      let %d = zeros(shape=[2], dtype="{dtype}");
      (@id<{dtype}>(%c), Constant(1, (2,), {dtype}), %x, %z, %d)
    }}"""
    result = relaylogic.infer(program)
    assert result.verdict == "typed" and str(result.functions["main"]).count(dtype) >= 8
    text = result.module.astext()
    assert relaylogic.parse(text).astext() == text
    assert str(relaylogic.infer(text).functions) == str(result.functions)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_read_in_clause_notation(dtype):
    (answer,) = relaylogic.query(f"cast(Tensor[(n, 2), int8], dtype={dtype}) = X")
    (again,) = relaylogic.query(str(answer))
    assert str(again) == str(answer) == f"X = Tensor[(n, 2), {dtype}]"


def test_a_dtype_without_its_width():
    """TVM gives it 32 bits; as a type, it is what a data type of that name is applied to."""
    for name in ("custom[posit]", "int", "float"):
        assert normal_dtype(name) == f"{name}32"
    applied = relaylogic.infer("type custom[a] { C(a) } def @main(%x: custom[int8]) { %x }")
    assert str(applied.functions["main"]) == "fn (custom[int8]) -> custom[int8]"


def test_digits_of_other_scripts_are_none_of_a_dtype():
    with pytest.raises(ValueError, match="is not a dtype"):
        normal_dtype("int٣٢")


def test_bounding_the_elements_of_long_lists_is_charged(monkeypatch):
    bounded = 0
    narrow = Universe.narrow

    def counted(self, variable, kind, work):
        nonlocal bounded
        bounded += 1
        return narrow(self, variable, kind, work)

    monkeypatch.setattr(Universe, "narrow", counted)
    found = relaylogic.query("_[k] = 2 * m", limit=40, steps=3000, max_rank=2, max_dim=2, ground=True)
    assert len(list(found)) >= 2 and found.status == "unknown: step limit"
    assert 1000 < bounded < 40 * 3000


@pytest.mark.parametrize(
    "text", ["R(A, B) :- R(ref(A), Tensor[o, m]).", "R(A, B) :- R((C, ref(B)), (A, B)).", "R(A, B) :- R((A,), ref(B))."]
)
def test_calls_of_ever_taller_types_pay_steps_for_their_height(text, monkeypatch):
    made = 0
    keep = Interning.keep

    def counted(self, key, term):
        nonlocal made
        made += 1
        return keep(self, key, term)

    rules = load_rules()
    load_clauses(rules, f"{text} operator my.op(a) : R.")
    monkeypatch.setattr(Interning, "keep", counted)
    for steps in (400, 1600):
        made = 0
        with relaylogic.limits(steps=steps):
            assert relaylogic.infer_call("my.op", ["_"], rules=rules).verdict == "unknown"
        assert made < 40 * steps


def test_answers_of_ever_taller_types_pay_steps_for_their_height():
    rules = load_rules()
    load_clauses(rules, "data Tree[a] { Leaf } R(A, A). R(A, B) :- R(A, C), B = Tree[C].")
    for steps in (1000, 4000):
        with relaylogic.limits(steps=steps):
            found = list(relaylogic.query("R(A, B)", rules=rules))
        assert len(found) > 10 and len(found) ** 2 < 4 * steps


def test_calls_of_types_that_are_twice_as_many_each_time():
    """Seen as trees, tuples of equal fields have more of them than anybody can look at."""
    rules = load_rules()
    load_clauses(rules, "R(A, B) :- R((A, A), B). operator my.op(a) : R.")
    with relaylogic.limits(steps=2000):
        assert relaylogic.infer_call("my.op", ["_"], rules=rules).verdict == "unknown"


def test_typings_of_a_component_behind_all_others():
    done = run("typings", "-", given=b"def @main(%t) { %t.999999 }")
    assert done.code == 2
    assert "1:17: error: what this expression demands cannot be enumerated" in done.err


@pytest.mark.parametrize(
    "text", ["data Vec { Grown(int8); Twice(Vec); }", "data Vec { Twice : () -> Vec }", "Twice(A, A) :- true."]
)
def test_a_fuzzed_file_that_replaces_a_known_relation_has_rules_of_its_own(text):
    """A constructor replaced it for all the cases that followed, which other processes answered otherwise."""
    shared, own = known_rules(), base_for(text)
    load_clauses(own, text)
    assert own.relations["Twice"] is not shared.relations["Twice"]


def test_a_stack_that_ends_in_the_engine_is_gone_through_once(monkeypatch):
    """At each of a hundred levels it was asked anew whose fault that was, and the whole traceback was gone through."""
    walked = []

    def counted(traceback):
        walked.append(traceback)
        return walk_tb(traceback)

    rules = load_rules()
    load_clauses(rules, "Mine(A, A) :- Mine((A, B), C), len(()) = n + 1.")
    monkeypatch.setattr(mistakes, "walk_tb", counted)
    assert list(relaylogic.query("Mine(A, B)", rules=rules, max_rank=1)) == []
    assert rules.solve(rules.relation("Mine"), (slot(0), slot(1)), None).general is None
    assert len(walked) == 1


@pytest.mark.parametrize("extent", ["A = Tensor[(n, m), int8]", "n < 9", "B = Tensor[n, m, t]"])
def test_brackets_around_an_extent_are_a_list_where_one_is_wanted(extent):
    """They were the extent itself, as the rest of a list, where something else said that it is one."""
    for goals in (f"append((n, m), (n), o), {extent}", f"{extent}, append((n, m), (n), o)"):
        answers = [str(answer) for answer in relaylogic.query(goals, limit=3)]
        assert answers and all("o = (n, m, n)" in answer for answer in answers)
    assert [str(a) for a in relaylogic.query(f"append((n), (m), (4, 5)), {extent}", max_dim=5, max_rank=2)]


def test_a_relation_with_the_name_of_a_word_has_its_own_parameters():
    """Later clauses took those of the word: an IndexError where it has fewer, and other kinds of arguments."""
    rules = load_rules()
    load_clauses(rules, "is_float(Tensor[s, t], n) :- len(s) = n. relation append(a, b).")
    load_clauses(rules, "R(A, B) :- is_float(A, n), B = Tensor[(n), int8].")
    found = relaylogic.query("R(Tensor[(3, 4), int8], B)", rules=rules)
    assert [str(answer) for answer in found] == ["B = Tensor[(2), int8]"]
    assert list(relaylogic.query("append(A, Tensor[s, t])", rules=rules)) == []


def test_calls_of_lists_that_hold_a_list_of_lists_end_with_a_limit():
    """Keys of such calls were made by recursion, which the stack ended: an internal error."""
    rules = load_rules()
    load_clauses(rules, "Mine(A) :- Mine((A,)). operator my.op() : Mine.")
    with relaylogic.limits(steps=100_000):
        assert relaylogic.infer_call("my.op", [], rules=rules).verdict == "unknown"


@pytest.mark.parametrize("index", [99_999_999_999, -99_999_999_999])
def test_an_element_that_is_too_far_from_an_end_of_a_list_takes_no_memory(index):
    """From the end, a list of so many elements was made."""
    found = relaylogic.query(f"s[{index}] = n")
    assert list(found) == [] and found.status == "unknown: step limit"
