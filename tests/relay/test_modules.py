"""Modules as TVM's users know them, visitors and mutators, the prelude."""

from __future__ import annotations

import pytest

import relaylogic as tvm
from relaylogic import relay


def identity():
    x = relay.var("x", shape=(2,))
    return relay.Function([x], x)


def test_definitions():
    mod = tvm.IRModule()
    f = relay.GlobalVar("f")
    mod[f] = identity()
    mod["g"] = relay.const(1)
    assert mod[f] is mod["f"] and "g" in mod and f in mod
    assert [v.name_hint for v in mod.get_global_vars()] == ["f", "g"]
    assert mod.get_global_var("f") is f and mod.functions[f] is mod["f"]
    mod["f"] = relay.const(2)
    assert mod.get_global_var("f") is f and isinstance(mod["f"].body, relay.Constant)
    del mod["g"]
    for wrong in (lambda: mod["g"], lambda: mod.get_global_var("g"), lambda: mod.get_constructor("C")):
        with pytest.raises(tvm.TVMError):
            wrong()
        with pytest.raises(ValueError):
            wrong()


def test_free_variables_become_parameters():
    a = relay.TypeVar("a")
    x = relay.Var("x", a)
    main = tvm.IRModule.from_expr(relay.Tuple([x, x]))["main"]
    assert main.params == (x,) and main.type_params == (a,)


def test_update():
    mod, other = tvm.IRModule.from_expr(identity()), tvm.IRModule()
    handle = relay.GlobalTypeVar("T")
    other[handle] = relay.TypeData(handle, [], [relay.Constructor("C", [], handle)])
    other["f"] = identity()
    mod.update(other)
    mod.update({"h": identity()})
    assert mod[handle] is other[handle] and mod["f"] is other["f"] and "h" in mod
    assert mod.get_type("T") == (handle, mod.get_constructor("C"))


def test_prelude():
    p = relay.Prelude()
    assert p.map is p.mod.get_global_var("map")
    assert p.cons is p.mod.get_type("List")[1] and "nil" in dir(p)
    mod = tvm.IRModule()
    mod.import_from_std("prelude.rly")
    assert mod.get_constructor("Cons") is p.cons
    with pytest.raises(tvm.TVMError):
        mod.import_from_std("other.rly")
    with pytest.raises(AttributeError):
        _ = p.nothing


def test_readable():
    x = relay.var("x", shape=(2,))
    assert repr(x) == "Var(%x)" and repr(relay.add(x, relay.nn.relu(x))) == "Call(add(%x, ...))"
    assert repr(relay.const(1)) == "Constant(1, int32)" and repr(relay.op.get("add")) == "Op(add)"
    assert repr(tvm.IRModule.from_expr(x)) == "IRModule(@main)"
    assert str(relay.nn.relu(x)) == "free_var %x: Tensor[(2), float32];\nnn.relu(%x)"


def test_mutator():
    class Doubled(relay.ExprMutator):
        def visit_call(self, call):
            call = super().visit_call(call)
            return relay.Call(relay.op.get("exp"), call.args) if call.op.name == "log" else call

    x = relay.var("x", shape=(2,))
    before = relay.Function([x], relay.Tuple([relay.log(x), relay.nn.relu(x)]))
    after = Doubled().visit(before)
    assert after.body.fields[0].op.name == "exp" and after.body.fields[1] is before.body.fields[1]
    assert relay.ExprMutator().visit(before) is before


def test_visitor_is_not_afraid_of_depth():
    class Count(relay.ExprVisitor):
        calls = 0

        def visit_call(self, call):
            self.calls += 1

    expr = relay.var("x", shape=(2,))
    for _ in range(50_000):
        expr = relay.nn.relu(expr)
    counter = Count()
    counter.visit(expr)
    assert counter.calls == 50_000


class Renamed(relay.ExprMutator):
    """Gives everything that is bound another name, entered before what it is bound in is visited."""

    def __init__(self):
        super().__init__()
        self.names = {}

    def new(self, variable):
        self.names[variable] = relay.var(f"{variable.name_hint}_", variable.type_annotation)
        return self.names[variable]

    def visit_var(self, variable):
        return self.names.get(variable, variable)

    def visit_function(self, fn):
        return relay.Function([self.new(p) for p in fn.params], self.visit(fn.body), fn.ret_type)

    def visit_let(self, let):
        value = self.visit(let.value)
        return relay.Let(self.new(let.var), value, self.visit(let.body))

    def visit_match(self, match):
        data, clauses = self.visit(match.data), []
        for clause in match.clauses:
            for variable in tvm.ir.pattern_vars(clause.lhs):
                self.new(variable)
            clauses.append(relay.Clause(self.visit_pattern(clause.lhs), self.visit(clause.rhs)))
        return relay.Match(data, clauses, match.complete)


def test_who_binds_variables_anew_goes_first():
    text = "fn (%x: int8) { let %y = (%x, %x); match (%y) { (%a, %b) => add(%a, subtract(%b, %x)) } }"
    before = relay.parse_expr(text)
    after = Renamed().visit(before)
    renamed = "fn (%x_: int8) { let %y_ = (%x_, %x_); match (%y_) { (%a_, %b_) => add(%a_, subtract(%b_, %x_)) } }"
    assert str(after) == str(relay.parse_expr(renamed))
    assert tvm.ir.structural_equal(before, after) and tvm.ir.structural_equal(relay.ExprMutator().visit(before), before)


def test_a_visitor_may_leave_out_branches_and_functions_that_are_called():
    class Called(relay.ExprVisitor):
        def __init__(self, inner):
            super().__init__()
            self.inner, self.names = inner, []

        def visit_if(self, branching):
            self.visit(branching.true_branch)

        def visit_call(self, call):
            if self.inner or not isinstance(call.op, relay.Function):
                super().visit_call(call)
            self.names.append(getattr(call.op, "name", "function"))

    text = "fn (%c: bool, %x: int8) { if (%c) { negative((fn (%y) { exp(%y) })(%x)) } else { log(%x) } }"
    for inner, names in ((True, ["exp", "function", "negative"]), (False, ["function", "negative"])):
        visitor = Called(inner)
        visitor.visit(relay.parse_expr(text))
        assert visitor.names == names


def test_a_visit_of_ones_own_sees_every_node():
    x, y, expr = relay.var("x"), relay.var("y"), relay.var("x")
    old = relay.exp(x)
    seen = []

    class Replaced(relay.ExprMutator):
        def visit(self, expr):
            seen.append(expr)
            return y if expr is old else super().visit(expr)

    whole = relay.Function([x], relay.Let(expr, relay.Tuple([old, x]), relay.If(expr, old, relay.log(old))))
    after = Replaced().visit(whole)
    assert str(after) == str(relay.Function([x], relay.Let(expr, relay.Tuple([y, x]), relay.If(expr, y, relay.log(y)))))
    assert {old, x, expr, whole, whole.body, whole.body.body} <= set(seen)
    deep = x
    for _ in range(2000):
        deep = relay.log(deep)
    assert Replaced().visit(deep) is deep


def test_what_is_remembered_is_known_by_its_node():
    x, y = relay.var("x"), relay.var("y")
    mutator = relay.ExprMutator()
    mutator.memo_map[x] = y
    assert mutator.visit(x + x).args == (y, y) and mutator.memo_map[x] is y
    shared = x
    for _ in range(60):
        shared = shared + shared
    assert relay.ExprMutator().visit(shared) is shared


def test_bind():
    x, y = relay.var("x", shape=(2,)), relay.var("y", shape=(2,))
    assert relay.bind(x + x, {x: y}).args == (y, y)
    bound = relay.bind(relay.Function([x, y], x + y), {x: relay.const(1.0)})
    assert bound.params == (y,) and isinstance(bound.body.args[0], relay.Constant)


def test_type_functors():
    class Names(relay.TypeVisitor):
        def __init__(self):
            super().__init__()
            self.names = []

        def visit_type_var(self, tv):
            self.names.append(tv.name_hint)

    class Halves(relay.TypeMutator):
        def visit_tensor_type(self, tt):
            return relay.TensorType(tt.shape, "float16")

    a, b = relay.TypeVar("a"), relay.TypeVar("b")
    names = Names()
    names.visit(relay.FuncType([a, relay.RefType(b)], relay.TupleType([a]), [a]))
    assert names.names == ["a", "b"]
    half = Halves().visit(relay.FuncType([relay.TensorType((2,))], relay.TupleType([relay.scalar_type("float32")])))
    assert str(half) == "fn (Tensor[(2), float16]) -> (float16,)"


def test_types_are_built_from_what_callers_have():
    n = tvm.te.var("n")
    assert relay.TensorType([tvm.tir.IntImm("int32", 3), n], "float") is relay.TensorType((3, n), "float32")
    assert isinstance(n, tvm.tir.Var) and not isinstance(3, tvm.tir.Var)
    assert isinstance(relay.Any(), tvm.tir.Any)
    assert str(relay.TensorType((2 * n + 1, n // 2, relay.Any()))) == "Tensor[(2 * n + 1, n // 2, ?), float32]"
    handle = relay.GlobalTypeVar("List")
    assert str(handle(relay.TensorType((2,)))) == "List[Tensor[(2), float32]]"


def test_functors_without_methods():
    with pytest.raises(NotImplementedError, match="visit_var"):
        relay.ExprFunctor().visit(relay.var("x"))
    with pytest.raises(NotImplementedError, match="visit_tensor_type"):
        relay.TypeFunctor().visit(relay.TensorType((2,)))


def test_type_data_are_visited():
    handle, a = relay.GlobalTypeVar("T"), relay.TypeVar("a")
    data = relay.TypeData(handle, [a], [relay.Constructor("C", [relay.TupleType([a])], handle)])
    again = relay.TypeMutator().visit(data)
    assert again is not data and again.constructors[0].inputs == data.constructors[0].inputs


def test_patterns_are_rebuilt():
    handle = relay.GlobalTypeVar("T")
    box = relay.Constructor("Box", [relay.scalar_type("int32")], handle)
    x, y = relay.var("x"), relay.var("y")
    match = relay.Match(box(relay.const(1)), [relay.Clause(relay.PatternConstructor(box, [relay.PatternVar(x)]), x)])

    class Renamed(relay.ExprMutator):
        def visit_var(self, variable):
            return y if variable is x else variable

    (clause,) = Renamed().visit(match).clauses
    assert clause.rhs is y and clause.lhs.patterns[0].var is y and match.clauses[0].rhs is x


def test_a_text_may_use_what_a_module_defines_and_define_it_anew():
    base = relay.fromtext("type T { A, } def @f(%x: Tensor[(2), int8]) { %x } def @g() { @h() } def @h() { 1 }")
    found = relay.parse("def @main(%t: T, %x) { match (%t) { A => @f(%x) } } def @h() { 1f }", "more", base)
    assert [v.name_hint for v in found.functions] == ["f", "g", "h", "main"] and not found.imports
    assert str(found["main"].checked_type) == "fn (T[], Tensor[(2), int8]) -> Tensor[(2), int8]"
    assert str(found["g"].checked_type) == "fn () -> float32"
    assert "main" not in base and base["h"].body.value == 1
    with pytest.raises(tvm.TVMError, match="defined by an IRModule, which 3 is not"):
        relay.parse("1", "more", 3)


def test_the_results_of_an_operator_are_the_body_of_a_module():
    x = relay.var("x", shape=(4, 6))
    assert "split(%x, indices_or_sections=2)" in tvm.IRModule.from_expr(relay.split(x, 2)).astext()
