"""Variables, kinds, cases that a match leaves out, well-formedness, structural equality."""

from __future__ import annotations

from itertools import combinations

import pytest

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay import (
    Clause,
    Function,
    FuncType,
    Let,
    Match,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    TensorType,
    Tuple,
    TupleType,
    TypeKind,
    TypeVar,
    Var,
)
from relaylogic.relay.analysis import (
    all_type_vars,
    all_vars,
    bound_type_vars,
    bound_vars,
    check_kind,
    free_type_vars,
    free_vars,
    post_order_visit,
    unmatched_cases,
    well_formed,
)

X, Y, Z, W = Var("x"), Var("y"), Var("z"), Var("w")
A, B, C = TypeVar("a"), TypeVar("b"), TypeVar("c")


def test_variables():
    function = Function([X, Y], Let(Z, X, Tuple([Z, W])))
    assert bound_vars(function) == [X, Y, Z]
    assert free_vars(function) == [W]
    assert all_vars(function) == [X, Y, Z, W]


def test_variables_of_matches():
    mod = tvm.IRModule()
    relay.Prelude(mod)
    _, cons, nil = mod.get_type("List")
    pattern = PatternConstructor(cons, [PatternVar(X), PatternVar(Y)])
    match = Match(nil(), [Clause(PatternConstructor(nil), Z), Clause(pattern, cons(X, Y))])
    assert bound_vars(match) == [X, Y] and bound_vars(pattern) == [X, Y]
    assert free_vars(match) == [Z] and all_vars(match) == [Z, X, Y]


def test_type_variables():
    x, y, z = Var("x", A), Var("y", B), Var("z", C)
    assert bound_type_vars(FuncType([A], B, [A, B])) == [A, B]
    assert all_type_vars(FuncType([B], C, [A])) == [A, B, C]
    assert free_type_vars(FuncType([B], C, [A])) == [B, C]
    assert all_type_vars(Function([x], Let(y, x, z))) == [A, B, C]
    assert free_type_vars(Let(x, y, x)) == [A, B]
    assert bound_type_vars(Let(W, Function([], Tuple([]), type_params=[B, C]), W)) == [B, C]


def test_post_order():
    call, seen = relay.add(X, Z), []
    whole = Function([X, Y], Let(Z, X, call))
    post_order_visit(whole, seen.append)
    assert seen == [X, Y, Z, call.op, call, whole.body, whole]


def test_well_formed():
    assert well_formed(Function([X], X))
    assert well_formed(Tuple([X])) and not well_formed(Tuple([X, Function([X], X)]))
    assert not well_formed(Tuple([Function([X], X), Function([X], X)]))
    assert not well_formed(Let(Y, Y, Y))


def test_kinds():
    tensor = TensorType((1, 2, 3))
    assert check_kind(TypeVar("s", TypeKind.ShapeVar)) == TypeKind.ShapeVar
    assert check_kind(TypeVar("c", TypeKind.Constraint)) == TypeKind.Constraint
    assert check_kind(FuncType([A, tensor], TupleType([B, relay.RefType(tensor)]), [A, B])) == TypeKind.Type
    assert check_kind(relay.TypeRelation(None, [tensor, A], 1, None)) == TypeKind.Constraint
    assert check_kind(relay.GlobalTypeVar("g")) == TypeKind.AdtHandle


@pytest.mark.parametrize("kind", [TypeKind.ShapeVar, TypeKind.BaseType, TypeKind.Constraint])
def test_ill_kinded(kind):
    wrong = TypeVar("w", kind)
    for build in (lambda: TupleType([wrong]), lambda: relay.RefType(wrong), lambda: FuncType([wrong], A, [A, wrong])):
        with pytest.raises(tvm.TVMError):
            check_kind(build())


def test_kinds_of_data_types():
    mod = tvm.IRModule()
    handle = relay.GlobalTypeVar("T")
    mod[handle] = relay.TypeData(handle, [A], [])
    assert check_kind(handle(TupleType([])), mod) == TypeKind.Type
    for wrong in (handle(), handle(TypeVar("s", TypeKind.ShapeVar)), A(B)):
        with pytest.raises(tvm.TVMError):
            check_kind(wrong, mod)


@pytest.fixture
def lists():
    mod = tvm.IRModule()
    relay.Prelude(mod)
    return (mod, *mod.get_type("List")[1:])


def test_cases_left_out(lists):
    mod, cons, nil = lists
    any_ = PatternWildcard()
    twice = PatternConstructor(cons, [any_, PatternConstructor(cons, [any_, any_])])
    missing = unmatched_cases(Match(X, [Clause(twice, X)]), mod)
    assert sorted(case.constructor.name_hint for case in missing) == ["Cons", "Nil"]
    (longer,) = (case for case in missing if case.constructor is cons)
    assert longer.patterns[1].constructor is nil
    assert unmatched_cases(Match(X, [Clause(twice, X), Clause(any_, X)]), mod) == []


def test_no_arms_and_tuples():
    (everything,) = unmatched_cases(Match(X, []))
    assert isinstance(everything, PatternWildcard)
    pair = PatternTuple([PatternVar(Y), PatternVar(Z)])
    assert unmatched_cases(Match(X, [Clause(pair, Y)])) == []


def test_structural_equality():
    x, y = relay.var("x", shape=(2,)), relay.var("y", shape=(2,))
    one, other = Function([x], relay.nn.relu(x)), Function([y], relay.nn.relu(y))
    assert tvm.ir.structural_equal(one, other)
    assert tvm.ir.structural_hash(one) == tvm.ir.structural_hash(other)
    assert not tvm.ir.structural_equal(x, y) and tvm.ir.structural_equal(x, y, map_free_vars=True)
    assert tvm.ir.structural_hash(one) != tvm.ir.structural_hash(Function([x], relay.exp(x)))
    tvm.ir.assert_structural_equal(one, other)
    with pytest.raises(ValueError, match="not structurally equal"):
        tvm.ir.assert_structural_equal(one, x)


def test_well_formed_is_not_afraid_of_depth():
    body = relay.const(1)
    for _ in range(20_000):
        body = Let(Var("v"), relay.const(1), body)
    assert well_formed(body)
    f = Var("f")
    assert well_formed(Let(f, Function([X], f(X)), f))
    inner = Let(Z, relay.const(1), Z)
    assert not well_formed(Tuple([inner, Z]))


def test_what_is_worked_out_once_is_not_equal_to_what_is_worked_out_twice():
    x = relay.var("x", shape=(2,))
    pair, once = relay.Tuple([x, x]), relay.exp(x)
    assert not tvm.ir.structural_equal(relay.Tuple([once, once]), relay.Tuple([relay.exp(x), relay.exp(x)]))
    for leaf in (lambda: relay.const(1), lambda: relay.Tuple([]), lambda: relay.TupleGetItem(pair, 0)):
        one, two = leaf(), (leaf(), leaf())
        assert tvm.ir.structural_equal(relay.Tuple([one, one]), relay.Tuple(two))
        assert tvm.ir.structural_hash(relay.Tuple([one, one])) == tvm.ir.structural_hash(relay.Tuple(two))


PROGRAMS = """
let %a = 1; %a | let %a = 2; %a | let %a = 1; let %b = 2; %a | let %a = 1; let %b = 2; %b | let %a: int64 = 1; %a
fn (%x, %y) { %x } | fn (%x, %y) { %y } | fn (%x: int8) { %x } | fn (%x) { fn (%y) { %x } } | fn (%x) { fn (%y) { %y } }
fn (%x) { (%x, 1).0 } | fn (%x) { (%x, 1).1 } | fn (%x) { transpose(%x, axes=[0, 1]) } | fn [A](%x: A) { %x }
fn (%x) { transpose(%x, axes=[1, 0]) } | fn (%x) { %0 = exp(%x); (%0, %0) } | fn (%x) { (exp(%x), exp(%x)) }
fn (%x: Tensor[(2), int8]) { %x } | fn (%x: Tensor[(3), int8]) { %x } | fn [A, B](%x: A, %y: B) -> A { %x }
fn [A, B](%x: A, %y: B) -> B { %x } | fn [A: ShapeVar](%x: Tensor[(A), int8]) { %x } | 1f | nan | True | ref(1)
if (True) { 1 } else { 2 } | if (True) { 2 } else { 1 } | (1, 2) | ((1, 2),) | free_var %p; %p | free_var %q; %q
"""


def test_hashes_tell_programs_apart_that_are_not_equal():
    texts = [text.strip() for line in PROGRAMS.strip().splitlines() for text in line.split(" | ")]
    for map_free_vars in (False, True):
        one, other = ([relay.parse_expr(text) for text in texts] for _ in range(2))
        hashes = [[tvm.ir.structural_hash(e, map_free_vars) for e in exprs] for exprs in (one, other)]
        assert hashes[0] == hashes[1]
        for i, j in combinations(range(len(texts)), 2):
            same = tvm.ir.structural_equal(one[i], other[j], map_free_vars)
            assert (hashes[0][i] == hashes[1][j]) == same, (texts[i], texts[j])


def test_names_of_what_is_bound_do_not_count_and_those_of_constructors_do(lists):
    _, cons, nil = lists
    assert tvm.ir.structural_hash(cons) != tvm.ir.structural_hash(nil)
    hashes = set()
    for name, cut in (("a", cons), ("b", cons), ("a", nil)):
        head = relay.Var(name)
        arm = Clause(PatternConstructor(cut, [PatternVar(head), PatternWildcard()]), head)
        hashes.add(tvm.ir.structural_hash(Match(X, [arm])))
    assert len(hashes) == 2
