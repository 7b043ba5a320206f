"""Names that TVM's users import and call, and what is said of those that relaylogic has not."""

from __future__ import annotations

import pickle
from importlib import import_module

import pytest

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay import absent
from relaylogic.relay.dataflow_pattern import wildcard

X = relay.var("x", shape=(2, 3))
ROOMS = {"relay.prelude.Prelude": relay.Prelude(), "relay.dataflow_pattern.DFPattern": wildcard()}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("relay.adt", "Match TypeData Constructor PatternVar"),
        ("relay.base", "SourceName Span astext pretty_print"),
        ("relay.build_module", "bind_params_by_name"),
        ("relay.expr", "RelayExpr ExprWithOp CallWithFields TupleWrapper"),
        ("relay.expr_functor", "ExprFunctor ExprMutator ExprVisitor"),
        ("relay.frontend", "from_onnx"),
        ("relay.frontend.common", "infer_shape infer_type infer_channels"),
        ("relay.function", "Function FunctionWithFields"),
        ("relay.loops", "while_loop"),
        ("relay.op", "const get nn op register tensor transform reduce algorithm"),
        ("relay.testing", "run_infer_type run_opt_pass create_workload"),
        ("relay.testing.init", "create_workload"),
        ("relay.ty", "TensorType is_dynamic"),
        ("relay.type_functor", "TypeFunctor TypeMutator TypeVisitor"),
        ("ir", "Attrs BaseFunc DictAttrs FuncType Op RelayExpr TensorType TypeKind instrument make_node transform"),
        ("error", "TVMError DiagnosticError OpError InternalError"),
        ("nd", "array cpu NDArray"),
    ],
)
def test_names_are_where_tvm_has_them(module, names):
    room = tvm.nd if module == "nd" else import_module(f"relaylogic.{module}")
    for name in names.split():
        assert getattr(room, name) is not None
    assert relay.op.transform.reshape is relay.reshape and relay.op.reduce.sum is relay.op.tensor.sum
    assert tvm.ir.TensorType is relay.TensorType and tvm.ir.RelayExpr is relay.Expr


def test_all_names_of_relay_are_imported_at_once():
    names: dict[str, object] = {}
    exec("from relaylogic.relay import *", names)
    for name in ("Call", "TensorType", "var", "nn", "op", "transform", "ExprMutator", "Prelude", "cast", "add"):
        assert names[name] is getattr(relay, name)


def test_what_is_not_there_is_told():
    for path, names in absent._WHY.items():
        room = ROOMS.get(path) or import_module(f"relaylogic.{path}".removesuffix("."))
        for name in names:
            with pytest.raises(absent.NotHere, match=f"relaylogic has no `{f'{path}.{name}'.removeprefix('.')}`: "):
                getattr(room, name)
            assert not hasattr(room, name)
    with pytest.raises(AttributeError, match=r"relaylogic has no 'relay\.transform\.Nonsense'"):
        relay.transform.Nonsense  # noqa: B018
    with pytest.raises(absent.NotHere, match="from_onnx"):
        relay.frontend.from_pytorch  # noqa: B018


def test_imports_are_told_the_same():
    with pytest.raises(ImportError, match=r"has no `relay\.build`: it infers types"):
        from relaylogic.relay import build  # noqa: F401
    with pytest.raises(ImportError, match=r"has no `relay\.transform\.FoldConstant`: it infers types"):
        from relaylogic.relay.transform import FoldConstant  # noqa: F401
    with pytest.raises(ImportError, match="has no 'nonsense'"):
        from relaylogic import nonsense  # noqa: F401
    with pytest.raises(ImportError, match=r"has no `ir\.save_json`: a program is written as text"):
        from relaylogic.ir import save_json  # noqa: F401


def test_places_without_a_text():
    span = relay.Span(relay.SourceName("model"), 3, 4, 5, 6)
    assert (span.line, span.end_line, span.column, span.end_column) == (3, 4, 5, 6)
    assert span.source_name.name == "model" and span == relay.Span(relay.SourceName("model"), 3, 4, 5, 6)
    assert relay.Span(None, 1, 2, 3, 4) == relay.Span(None, 1, 2, 3, 4) != span
    other = relay.var("y", shape=(4, 3), span=span)
    added = relay.Call(relay.op.get("add"), [X, other], span=span)
    assert added.span == span
    with pytest.raises(tvm.error.DiagnosticError) as caught:
        relay.transform.InferType()(tvm.IRModule.from_expr(added))
    first, *rest = str(caught.value).splitlines()
    assert first.startswith("model:3:5: error: ") and all(line.startswith(("  note: ", "  help: ")) for line in rest)


def test_parameters_become_constants():
    numpy = pytest.importorskip("numpy")
    weight = relay.var("w")
    main = tvm.IRModule.from_expr(relay.nn.dense(X, weight))["main"]
    array = tvm.nd.array(numpy.arange(3000, dtype="float32").reshape(1000, 3), device=tvm.cpu(0))
    bound = relay.build_module.bind_params_by_name(main, {"w": array, "unknown": array})
    assert bound.params == (X,) and bound.body.args[1].tensor_type == relay.TensorType((1000, 3))
    assert relay.testing.run_infer_type(bound).checked_type.ret_type == relay.TensorType((2, 1000))
    with pytest.raises(tvm.TVMError, match="several parameters of the function are called `w`"):
        relay.build_module.bind_params_by_name(relay.Function([weight, relay.var("w")], X), {"w": array})


def test_workloads():
    pytest.importorskip("numpy")
    data, weight = relay.var("data", shape=(1, 3)), relay.var("w")
    net = relay.nn.bias_add(relay.nn.dense(data, weight, units=4), relay.var("b"))
    mod, params = relay.testing.create_workload(net)
    assert {name: values.shape for name, values in params.items()} == {"w": (4, 3), "b": (4,)}
    bound = relay.build_module.bind_params_by_name(mod["main"], params)
    assert str(relay.testing.run_infer_type(bound).checked_type) == (
        "fn (Tensor[(1, 3), float32]) -> Tensor[(1, 4), float32]"
    )
    _, ones = relay.testing.create_workload(net, lambda name, values: values.fill(1))
    assert (ones["w"].numpy() == 1).all()
    with pytest.raises(TypeError, match="not all known"):
        relay.testing.create_workload(relay.nn.relu(relay.var("x", shape=(relay.Any(),))))


def test_arrays():
    numpy = pytest.importorskip("numpy")
    given = numpy.random.rand(64, 64)
    array = tvm.nd.array(given)
    assert (array.shape, array.dtype) == ((64, 64), "float64") and (array.numpy() == given).all()
    assert relay.const(array).tensor_type == relay.Constant(array).tensor_type == relay.TensorType((64, 64), "float64")
    for constant in (relay.const(array), relay.Constant(array), pickle.loads(pickle.dumps(relay.Constant(array)))):
        assert (constant.data.numpy() == given).all() and tvm.ir.structural_equal(constant, relay.const(array))
    assert not tvm.ir.structural_equal(relay.Constant(array), relay.Constant(tvm.nd.array(given + 1)))
    narrowed = relay.const(given)  # floats of 64 bits become float32
    assert narrowed.data.numpy().dtype == "float32" and narrowed.data.shape == (64, 64)
    assert relay.Constant(tvm.nd.array([1, 2])).value == (1, 2)
    assert relay.const(array, "float32").tensor_type.dtype == "float32"


def test_nodes_with_other_fields():
    span = relay.Span(None, 1, 1, 0, 1)
    call = relay.Call(relay.op.get("nn.softmax"), [X], {"axis": 0}, span=span)
    exchanged = relay.expr.CallWithFields(call, args=[relay.const(1.0)])
    assert exchanged.attrs.axis == 0 and exchanged.span == span and exchanged.op is call.op
    function = relay.Function([X], call, attrs={"Primitive": 1})
    other = relay.function.FunctionWithFields(function, body=X)
    assert other.params == (X,) and other.body is X and other.attrs == {"Primitive": 1}
    assert function.without_attr("Primitive").attrs is None
    placed = relay.Function([X], call, None, None, None, span)  # as TVM orders them
    assert placed.span == span and placed.with_attr("Primitive", 1).span == span
    for node, fields in (
        (relay.Tuple([X]), {"fields": [X, X]}),
        (relay.Let(X, call, X), {"body": call}),
        (relay.If(X, X, X), {"true_branch": call}),
        (relay.TupleGetItem(X, 0), {"index": 1}),
        (relay.RefCreate(X), {"value": call}),
        (relay.RefRead(X), {"ref": call}),
        (relay.RefWrite(X, X), {"value": call}),
        (relay.const(1), {"data": 2}),
        (X, {"type_annotation": relay.TensorType((4,))}),
    ):
        exchange = getattr(relay.expr, f"{type(node).__name__}WithFields")
        assert tvm.ir.structural_equal(exchange(node), node, map_free_vars=True)
        assert not tvm.ir.structural_equal(exchange(node, **fields), node, map_free_vars=True)


def test_loops():
    count, total = relay.var("i", "int32"), relay.var("t", shape=(relay.Any(), 1), dtype="int32")

    def grown(i, t):
        return i + relay.const(1), relay.concatenate([t, relay.reshape(i, (1, 1))], 0)

    loop = relay.loops.while_loop(lambda i, t: i < relay.const(5), [count, total], grown)
    called = relay.TupleGetItem(loop(relay.const(0), relay.const([[0]])), 1)
    assert str(relay.testing.run_infer_type(called).checked_type) == "Tensor[(?, 1), int32]"


def test_what_converters_ask():
    common = relay.frontend.common
    assert common.infer_shape(relay.split(X, 3, 1)[0]) == (2, 1)
    assert common.infer_channels(relay.var("w", shape=(8, 3, 3, 3))) == 8
    assert common.shape_of(X).value == (2, 3) and common.shape_of(X, start=1).value == (3,)
    assert [str(common.infer_type(part).checked_type) for part in common.unbind(X, 1)] == ["Tensor[(2), float32]"] * 3
    unknown = relay.var("u", shape=(relay.Any(), 3))
    assert str(common.infer_type(common.shape_of(unknown, end=1)).checked_type) == "Tensor[(1), int64]"
    assert common.get_relay_op("conv2d") is relay.nn.conv2d and common.get_relay_op("exp") is relay.exp
    with pytest.raises(AttributeError, match="no operator 'nonsense'"):
        common.get_relay_op("nonsense")
    with pytest.raises(tvm.TVMError, match="has no shape"):
        common.infer_shape(relay.Tuple([X]))


def test_extents_as_tvm_asks_for_them():
    known, unknown = relay.TensorType((2, 3)), relay.TensorType((relay.Any(), 3))
    assert known.concrete_shape == (2, 3) and isinstance(known.shape[0], tvm.tir.IntImm)
    assert not isinstance(unknown.shape[0], tvm.tir.IntImm)
    with pytest.raises(TypeError, match="not all known"):
        unknown.concrete_shape  # noqa: B018
    assert relay.ty.is_dynamic(unknown) and relay.ty.is_dynamic(relay.TupleType([known, unknown]))
    assert not relay.ty.is_dynamic(relay.TupleType([known, known]))


def test_operators_of_the_registry():
    assert tvm.ir.Op.get("nn.conv2d") == relay.op.get("nn.conv2d") and "add" in tvm.ir.Op.list_op_names()
    marked = tvm.ir.register_op_attr("nn.conv2d", "target.mine")(lambda expr: True)
    assert relay.op.get("nn.conv2d").get_attr("target.mine") is marked
    attrs = tvm.ir.make_node("relay.attrs.SoftmaxAttrs", axis=0)
    call = relay.Call(relay.op.get("nn.softmax"), [X], attrs)
    assert tvm.ir.structural_equal(call, relay.nn.softmax(X, 0)) and attrs.axis == 0
    assert tvm.ir.make_node("DictAttrs", Primitive=1) == {"Primitive": 1}


def test_standard_modules():
    mod = tvm.IRModule()
    for name in ("prelude.rly", "nat.rly", "core.rly"):
        mod.import_from_std(name)
    option, some, none = mod.get_type("Option")
    assert option is mod.get_type("Optional")[0] and (some.name_hint, none.name_hint) == ("Some", "None")
    assert [data.header.name_hint for data in mod.data_types()] == ["nat", "Optional", "List", "Tree", "Storage"]
    assert str(mod["length"].checked_type) == "fn [A](List[A]) -> int32"
    number = mod.get_global_type_var("nat")
    twice = mod.get_global_var("nat_double")
    storage = relay.var("s", relay.TypeCall(mod.get_global_type_var("Storage"), []))
    value = relay.var("n", relay.TypeCall(number, []))
    tensor = relay.op.memory.alloc_tensor(storage, relay.const(0, "int64"), relay.const([1, 2], "int64"))
    mod["main"] = relay.Function([storage, value], relay.Tuple([tensor, twice(value)]))
    typed = relay.transform.InferType()(mod)
    assert str(typed["main"].checked_type) == "fn (Storage[], nat[]) -> (Tensor[(1, 2), float32], nat[])"
    assert tvm.ir.structural_equal(relay.parse(mod.astext()), mod)
    with pytest.raises(ValueError, match=r"there are prelude\.rly, nat\.rly, core\.rly"):
        mod.import_from_std("gradient.rly")


def test_functions_of_natural_numbers():
    result = tvm.infer('import "nat" def @main() { (@nat_add, @nat_nth, @nat_update, @nat_iterate, @nat_double) }')
    assert str(result.functions["main"].ret_type) == (
        "(fn (nat[], nat[]) -> nat[], fn [A](List[A], nat[]) -> A, fn [A](List[A], nat[], A) -> List[A], "
        "fn [A](fn (A) -> A, nat[]) -> fn (A) -> A, fn (nat[]) -> nat[])"
    )


def test_texts_are_shown(capsys):
    mod = tvm.IRModule.from_expr(relay.nn.relu(X))
    mod.show()
    assert capsys.readouterr().out == f"{mod}\n"
    again = tvm.transform.Sequential([relay.transform.InferType(), tvm.transform.PrintIR("typed")])(mod)
    assert capsys.readouterr().err == f"PrintIR(typed):\n{again.astext()}\n"
    assert relay.pretty_print(X) == str(X)
    two = tvm.IRModule({"b": again["main"], "a": again["main"]})
    assert [variable.name_hint for variable, _ in two.functions_items()] == ["a", "b"]


def test_a_module_that_two_others_import_is_one():
    module = relay.parse('import "prelude" import "nat" def @main() { @nat_add(Z, Z) }')
    for text in ("S(A, B)", "prelude.S(A, B)", "SPattern(A, B)"):
        assert [*map(str, tvm.query(text, program=module))] == ["A = nat[], B = nat[]"]
    alone = relay.parse('import "nat" def @main() { @nat_add(Z, Z) }')
    assert [*map(str, tvm.query("nat.prelude.S(A, B)", program=alone))] == ["A = nat[], B = nat[]"]


def test_constants_of_a_text_may_come_from_a_table():
    text = "def @main(%x: Tensor[(2, 3), float32]) { (%x + meta[relay.Constant][1], meta[relay.Constant][0]) }"
    table = {"relay.Constant": [relay.const(1), relay.const([[1.0, 2.0, 3.0]])]}
    mod = relay.parse(text, init_meta_table=table)
    assert str(mod["main"].checked_type.ret_type) == "(Tensor[(2, 3), float32], int32)"
    assert mod["main"].body.fields[0].args[1].value == (1.0, 2.0, 3.0)
    with pytest.raises(tvm.TVMError, match=r"the metadata table has 1 of relay\.Constant"):
        relay.parse(text, init_meta_table={"relay.Constant": table["relay.Constant"][:1]})
