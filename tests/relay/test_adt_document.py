"""The programs of the document on algebraic data types, built through the API."""

from __future__ import annotations

import pytest

from relaylogic import TVMError, relay
from relaylogic.relay import Clause, Function, Match, PatternConstructor, PatternVar, PatternWildcard, Var

I32 = relay.scalar_type("int32")


class Lists:
    """`List` and `Optional` in a module of their own."""

    def __init__(self):
        self.mod = relay.IRModule()
        self.List, self.nil, self.cons = self.define("List", lambda a, t: [("Nil", []), ("Cons", [a, t(a)])])
        self.Optional, self.none, self.some = self.define("Optional", lambda a, t: [("None", []), ("Some", [a])])

    def define(self, name, constructors):
        handle, a = relay.GlobalTypeVar(name), relay.TypeVar("a")
        made = [relay.Constructor(n, fields, handle) for n, fields in constructors(a, handle)]
        self.mod[handle] = relay.TypeData(handle, [a], made)
        return handle, *made

    def case(self, constructor, body, *variables):
        patterns = [PatternVar(v) if isinstance(v, Var) else v for v in variables]
        return Clause(PatternConstructor(constructor, patterns), body)

    def recursive(self, name, params, body, ret, type_params=()):
        variable = relay.GlobalVar(name)
        self.mod[variable] = Function(params, body(variable), ret, type_params)
        return variable

    def type_of(self, name):
        inferred = relay.transform.InferType()(self.mod)
        return str(inferred[name].checked_type)

    def map(self):
        a, b = relay.TypeVar("a"), relay.TypeVar("b")
        f, xs = Var("f", relay.FuncType([a], b)), Var("l", self.List(a))
        h, t = Var("h"), Var("t")

        def body(self_):
            rest = self.cons(f(h), self_(f, t))
            return Match(xs, [self.case(self.nil, self.nil()), self.case(self.cons, rest, h, t)])

        return self.recursive("map", [f, xs], body, self.List(b), [a, b])


def numbers(mod, suffix=""):
    handle = relay.GlobalTypeVar(f"Numbers{suffix}")
    fields = [("Empty", []), ("Single", [I32]), ("Pair", [I32, I32])]
    made = [relay.Constructor(f"{name}{suffix}", types, handle) for name, types in fields]
    mod[handle] = relay.TypeData(handle, [], made)
    return handle, *made


def sum_function(mod):
    handle, empty, single, pair = numbers(mod)
    n, x, y, z = Var("n", handle()), Var("x"), Var("y"), Var("z")
    clauses = [
        Clause(PatternConstructor(empty), relay.const(0)),
        Clause(PatternConstructor(single, [PatternVar(x)]), x),
        Clause(PatternConstructor(pair, [PatternVar(y), PatternVar(z)]), y + z),
    ]
    variable = relay.GlobalVar("sum")
    mod[variable] = Function([n], Match(n, clauses), I32)
    return variable, empty, single, pair


def test_1_numbers():
    mod = relay.IRModule()
    total, empty, single, pair = sum_function(mod)
    values = [total(empty()), total(single(relay.const(3))), total(pair(relay.const(5), relay.const(6)))]
    mod["main"] = Function([], relay.Tuple(values))
    mod = relay.transform.InferType()(mod)
    assert str(mod["sum"].checked_type) == "fn (Numbers[]) -> int32"
    assert mod["main"].body.checked_type == relay.TupleType([I32] * 3)


def test_2_types_are_told_apart_by_name():
    mod = relay.IRModule()
    total, *_ = sum_function(mod)
    handle, _, _, pair2 = numbers(mod, "2")
    two = pair2(relay.const(1), relay.const(2))
    mod["main"] = Function([], two)
    assert relay.transform.InferType()(mod)["main"].body.checked_type == handle()
    mod["main"] = Function([], total(two))
    with pytest.raises(TVMError, match="Numbers2"):
        relay.transform.InferType()(mod)


def test_3_inc_scalar():
    lists = Lists()
    opt, s = Var("opt", lists.Optional(I32)), Var("s")
    body = Match(opt, [lists.case(lists.none, relay.const(1)), lists.case(lists.some, s + relay.const(1), s)])
    inc = lists.recursive("inc_scalar", [opt], lambda _: body, I32)
    one, big = Var("one", lists.Optional(I32)), Var("big", lists.Optional(relay.TensorType((10, 10))))
    ones = lists.some(relay.const([[1.0] * 10] * 10))

    def main(last):
        sb = relay.ScopeBuilder()
        sb.let(one, lists.some(relay.const(1)))
        sb.let(big, ones)
        sb.let("two", inc(one))
        sb.let("z", last)
        sb.ret(relay.Tuple([]))
        return Function([], sb.get())

    lists.mod["main"] = main(inc(lists.none()))
    assert lists.type_of("main") == "fn () -> ()"
    lists.mod["main"] = main(inc(big))
    with pytest.raises(TVMError, match="Optional"):
        lists.type_of("main")


def test_4_list_sum():
    lists = Lists()
    xs, h, t = Var("l", lists.List(I32)), Var("h"), Var("t")

    def body(self_):
        return Match(xs, [lists.case(lists.nil, relay.const(0)), lists.case(lists.cons, h + self_(t), h, t)])

    lists.recursive("list_sum", [xs], body, I32)
    assert lists.type_of("list_sum") == "fn (List[int32]) -> int32"


def test_5_nested_patterns():
    lists = Lists()
    a = relay.TypeVar("a")
    ll, s = Var("ll", lists.Optional(lists.List(a))), Var("s")
    inner = PatternConstructor(lists.cons, [PatternVar(s), PatternWildcard()])
    second = PatternConstructor(lists.cons, [PatternWildcard(), inner])
    clauses = [lists.case(lists.some, lists.some(s), second), Clause(PatternWildcard(), lists.none())]
    lists.recursive("second_opt", [ll], lambda _: Match(ll, clauses), lists.Optional(a), [a])
    assert lists.type_of("second_opt") == "fn [a](Optional[List[a]]) -> Optional[a]"


def test_6_order_of_arms():
    lists = Lists()
    a = relay.TypeVar("a")
    xs, v, h, t = Var("l", lists.List(a)), Var("v"), Var("h"), Var("t")

    def body(self_):
        again = lists.case(lists.cons, lists.cons(h, self_(t)), h, t)
        return Match(xs, [Clause(PatternVar(v), v), again, lists.case(lists.nil, lists.nil())])

    lists.recursive("match_order_beware", [xs], body, lists.List(a), [a])
    mod = relay.transform.InferType()(lists.mod)
    assert str(mod["match_order_beware"].checked_type) == "fn [a](List[a]) -> List[a]"
    assert len(mod.result.warnings) == 2


def test_7_map_and_folds():
    lists = Lists()
    mapping = lists.map()
    a, b = relay.TypeVar("a"), relay.TypeVar("b")
    f, z, xs = Var("f", relay.FuncType([b, a], b)), Var("z", b), Var("l", lists.List(a))
    h, t = Var("h"), Var("t")

    def body(self_):
        return Match(xs, [lists.case(lists.nil, z), lists.case(lists.cons, self_(f, f(z, h), t), h, t)])

    lists.recursive("foldl", [f, z, xs], body, b, [a, b])
    ys, i = Var("l", lists.List(I32)), Var("i")
    lists.mod["main"] = Function([ys], mapping(Function([i], i * relay.const(2)), ys))
    assert lists.type_of("map") == "fn [a, b](fn (a) -> b, List[a]) -> List[b]"
    assert lists.type_of("foldl") == "fn [a, b](fn (b, a) -> b, b, List[a]) -> b"
    assert lists.type_of("main") == "fn (List[int32]) -> List[int32]"


def test_8_concat_by_the_prelude():
    mod = relay.IRModule()
    p = relay.Prelude(mod)
    handle, cons, _ = mod.get_type("List")
    a = relay.TypeVar("a")
    xs, ys = Var("xs", handle(a)), Var("ys", handle(a))
    body = p.foldr(cons, ys, xs)
    mod["concat2"] = Function([xs, ys], body, handle(a), [a])
    assert str(relay.transform.InferType()(mod)["concat2"].checked_type) == "fn [a](List[a], List[a]) -> List[a]"


def test_9_encoder():
    mod = relay.IRModule()
    p = relay.Prelude(mod)
    handle = mod.get_global_type_var("List")
    v16, w16 = relay.TensorType((16,)), relay.TensorType((16, 16))
    w = Var("w", relay.TupleType([w16, w16]))
    s, x = Var("s", v16), Var("x", v16)
    cell = Function([s, x], relay.nn.relu(relay.squeeze(relay.nn.dense(relay.expand_dims(x, 0), w[0]), [0]) + s))
    xs, init = Var("xs", handle(v16)), Var("init", v16)
    mod["encode"] = Function([w, xs, init], p.foldl(cell, init, xs))
    v = "Tensor[(16), float32]"
    matrix = "Tensor[(16, 16), float32]"
    expected = f"fn (({matrix}, {matrix}), List[{v}], {v}) -> {v}"
    assert str(relay.transform.InferType()(mod)["encode"].checked_type) == expected


def test_10_recurrent_network():
    mod = relay.IRModule()
    p = relay.Prelude(mod)
    handle = mod.get_global_type_var("List")
    state, item, out = relay.TypeVar("state"), relay.TypeVar("item"), relay.TypeVar("out")
    cell = Var("cell", relay.FuncType([state, item], relay.TupleType([state, out])))
    init, xs = Var("init", state), Var("xs", handle(item))
    result = relay.TupleType([state, handle(out)])
    mod["general_rnn"] = Function([cell, init, xs], p.map_accumr(cell, init, xs), result, [state, item, out])
    mod = relay.transform.InferType()(mod)
    assert mod["general_rnn"].body.checked_type == result
    assert mod["general_rnn"].body.type_args == (state, item, out)
