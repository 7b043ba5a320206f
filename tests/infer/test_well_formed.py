"""Programs that were built in Python and that no text could say are refused by one error, before inference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic import IRModule, RelayLogicError, infer, infer_call, relay
from relaylogic.errors import IllFormed
from relaylogic.infer.checks.well_formed import check_well_formed
from relaylogic.ir import (
    Call,
    Clause,
    Constant,
    Constructor,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    Tuple,
    TupleGetItem,
    TypeData,
    Var,
)
from relaylogic.logic.terms.terms import cons
from relaylogic.relay.analysis import well_formed
from relaylogic.types import (
    FuncType,
    GlobalTypeVar,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
    scalar_type,
)
from tests.effort import examples
from tests.text.test_random_expressions import expressions

A, B = TypeVar("a"), TypeVar("b")
ONE = Constant(1, scalar_type("int32"))
INT8 = scalar_type("int8")


def cyclic(kind: str):
    x = Var("x")
    if kind == "call":
        node = Call(Op("nn.relu"), [x])
        node.args = (node,)
    elif kind == "tuple":
        node = Tuple([x])
        node.fields = (If(x, node, x),)
    elif kind == "let":
        node = Let(Var("y"), x, x)
        node.body = Tuple([node])
    elif kind == "match":
        node = Match(x, [Clause(PatternWildcard(), x)])
        node.clauses[0].rhs = node
    else:
        node = Function([], x)
        node.body = RefCreate(node)
    return Function([x], node)


@pytest.mark.parametrize("kind", ["call", "tuple", "let", "match", "function"])
def test_a_cycle(kind):
    function = cyclic(kind)
    module = IRModule()
    module.add("main", function)
    for use in (infer, check_well_formed, relay.transform.InferType(), str):
        with pytest.raises(IllFormed, match="contains itself"):
            use(module)
    with pytest.raises(IllFormed, match="contains itself"):
        str(function)
    assert not well_formed(function)


@pytest.mark.parametrize("order", [["f", "g"], ["g", "f"]])
def test_a_variable_of_another_function_is_out_of_its_scope(order):
    """It had a type that its function's type parameters occurred in, as what another function uses."""
    x = Var("x")
    functions = {"f": Function([x], Call(Op("nn.dense"), [x, x])), "g": Function([], Call(Op("nn.relu"), [x]))}
    module = IRModule()
    for name in order:
        module.add(name, functions[name])
    with pytest.raises(IllFormed, match="in `@g`: `%x` is used outside of the scope that binds it"):
        infer(module)


def scopes():
    x, y, z = Var("x"), Var("y"), Var("z")
    nowhere = "used outside of the scope that binds it"
    twice = "bound more than once"
    yield Let(x, x, x), nowhere
    yield Let(x, Tuple([x]), x), nowhere
    yield Tuple([Let(x, ONE, x), x]), nowhere
    yield Tuple([x, Let(x, ONE, x)]), nowhere
    yield Function([y], Tuple([Function([z], z), z])), nowhere
    yield Match(ONE, [Clause(PatternVar(x), x), Clause(PatternWildcard(), x)]), nowhere
    yield Function([x, x], ONE), twice
    yield Function([x], Let(x, ONE, ONE)), twice
    yield Tuple([Function([x], x), Function([x], x)]), twice
    unbound = "nothing binds the type parameter `a`"
    yield Function([Var("x", A)], ONE), unbound
    yield Function([y], y, A), unbound
    yield Function([Var("x", TupleType([A, B]))], ONE, None, [B]), unbound
    yield Function([], ONE, None, [B], type_constraints=[TypeRelation("Same", [A, B])]), unbound
    yield Function([Var("x", FuncType([A], B, [B]))], ONE), unbound
    yield Let(Var("x", A), ONE, ONE), unbound
    yield Call(y, [], None, [A]), unbound
    yield Tuple([Function([Var("x", A)], ONE, None, [A]), Function([Var("y", A)], ONE)]), unbound
    yield Function([Var("x", TensorType((2,), TypeVar("a", "BaseType")))], ONE), unbound
    yield Function([Var("x", TensorType(cons((2,), TypeVar("a", "Shape"))))], ONE), unbound
    yield Call(3, [ONE]), "what is called is `3` (int), which is no expression"
    yield Call(Op("add"), [ONE, None]), "an argument of a call is None, which is no expression"
    yield Call(Op("add"), [ONE, INT8]), "an argument of a call is `int8` (TensorType), which is no expression"
    yield Tuple(["x"]), "a part of a Tuple is `x` (str), which is no expression"
    yield TupleGetItem(ONE, "a"), "the index of a field is `a` (str), which is no int"
    yield Function([ONE], ONE), "a parameter of a function is a Constant, which is no Var"
    yield Function([], ONE, None, ["a"]), "a type parameter of a function is `a` (str), which is no TypeVar"
    yield Function([Var("x", "int8")], ONE), "the annotation of `%x` is `int8` (str), which is no type"
    yield Function([], ONE, 8), "the result type of a function is `8` (int), which is no type"
    yield Match(ONE, [3]), "an arm of a match is `3` (int), which is no Clause"
    nested: list = []
    nested.append(nested)
    yield Call(Op("reshape"), [ONE], {"newshape": nested}), "`newshape` has more than 32 lists in each other"
    yield Call(Op("reshape"), [ONE], {"newshape": [10**5000]}), "`newshape` holds a number of more than 64 bits"
    yield Let(ONE, ONE, ONE), "what a let binds is a Constant, which is no Var"


@pytest.mark.parametrize(("expr", "said"), list(scopes()))
def test_what_no_text_can_say(expr, said):
    module = IRModule()
    module.add("main", Function([], expr))
    with pytest.raises(RelayLogicError) as caught:
        infer(module)
    assert isinstance(caught.value, IllFormed) and caught.value.message.startswith("in `@main`: ")
    assert said in caught.value.message and not well_formed(expr)


def test_what_a_text_can_say():
    n, x, f = TypeVar("n", "ShapeVar"), Var("x"), Var("f")
    shared = Function([x], x)
    for expr in (
        Function([Var("x", TensorType((n, 3), "int8"))], ONE),  # an extent that nothing binds is a constant
        Let(f, Function([x], Call(f, [x])), f),
        Tuple([shared, shared]),
        Function([Var("x", FuncType([A], A, [A]))], ONE),
        Function([Var("x", A)], Function([Var("y", A)], ONE), None, [A]),
        Var("free"),
    ):
        assert well_formed(expr)
    module = IRModule()
    for name in ("f", "g"):  # functions of a module may have the variables in common
        module.add(name, Function([x], Tuple([x])))
    assert infer(module).verdict == "typed"


@settings(max_examples=examples(100))
@given(expressions(recursive=False))
def test_random_well_formed_expressions(drawn):
    params, body = drawn
    check_well_formed(Function(params, body))


def test_depth_is_no_limit():
    body = Var("x")
    for _ in range(20_000):
        body = Tuple([body])
    check_well_formed(body)


# ---- the front door


@pytest.mark.parametrize("program", [None, 3, b"def @main() { () }", ["def @main() { () }"], Function([], ONE)])
def test_a_program_is_a_module_or_text(program):
    with pytest.raises(IllFormed, match="a program is an IRModule or Relay text"):
        infer(program)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((3, ["int8"]), "an operator is called by its name"),
        (("nn relu", ["int8"]), "no text can write `nn relu` as the name of an operator"),
        (("nn.relu", "int8"), "the types of the arguments are a list"),
        (("nn.relu", None), "the types of the arguments are a list"),
        (("add", [None, 3]), "an argument is a type or the text of one"),
        (("nn.relu", ["int8"], [3]), "attributes are a mapping"),
        (("reshape", ["int8"], {"newshape": [10**5000]}), "`newshape` holds a number of more than 64 bits"),
    ],
)
def test_a_call_is_of_types(arguments, said):
    with pytest.raises(IllFormed, match=said):
        infer_call(*arguments)


def test_an_expression_is_made_of_expressions():
    call = relay.Call(3, [relay.var("x")])
    for use in (str, relaylogic.IRModule.from_expr, relay.analysis.free_vars):
        with pytest.raises(IllFormed, match="an expression is expected"):
            use(call)


# ---- what only Python can build


def looped_pattern():
    pattern = PatternTuple([PatternWildcard()])
    pattern.patterns = (PatternTuple([pattern]),)
    return pattern


def spoilt(node, **fields):
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def shapeless():
    x, y = Var("x"), Var("y", A)
    once = "bound more than once"
    yield Function([Var("x", A)], ONE, None, [A, A]), once
    yield Function([Var("x", A)], Function([y], y, A, [A]), None, [A]), once
    yield Match(ONE, [Clause(looped_pattern(), ONE)]), "a PatternTuple contains itself"
    yield Match(ONE, [Clause(PatternTuple([3]), ONE)]), "a pattern is `3` (int), which is no Pattern"
    yield Match(ONE, [Clause(PatternVar(ONE), ONE)]), "what a pattern binds is a Constant, which is no Var"
    yield Match(ONE, [Clause(PatternConstructor("C", []), ONE)]), "what a pattern takes apart is `C` (str)"
    yield Match(ONE, [Clause(spoilt(PatternTuple(), patterns=None), ONE)]), "None is no list"
    yield spoilt(Match(ONE, []), clauses=None), "None is no list"
    yield spoilt(Tuple([]), fields=None), "the fields of a tuple: None is no list"
    yield spoilt(Call(Op("add"), []), args=3), "the arguments of a call: `3` (int) is no list"
    yield spoilt(Call(Op("add"), []), explicit_type_args=3), "the type arguments of a call"
    yield spoilt(Function([], ONE), params=None), "None is no list"
    yield spoilt(Function([], ONE), type_params=None), "None is no list"
    yield spoilt(Function([], ONE), type_constraints=3), "what stands behind `where`: `3` (int) is no list"
    yield Op(3), "the name of an operator is `3` (int), which is no str"
    yield GlobalVar(None), "the name of a function is None"
    yield Function([Var(3)], ONE), "the name of a variable is `3` (int)"
    yield Var(3), "the name of a variable is `3` (int)"
    yield Constant(1, "int8"), "the type of a constant is `int8` (str), which is no type"
    yield Call(Op("nn.relu"), [x], {3: 4}), "the name of an attribute is `3` (int)"
    yield Call(Op("nn.relu"), [x], [3]), "attributes are a mapping from names to values, which `[3]` (list) is not"
    yield Function([], ONE, None, (), [3]), "attributes are a mapping from names to values"
    deep: list = [1]
    for _ in range(1000):
        deep = [deep]
    yield Function([], ONE, None, (), {"shape": deep}), "`shape` has more than 32 lists in each other"


@pytest.mark.parametrize(("expr", "said"), list(shapeless()))
def test_what_is_no_program_at_all(expr, said):
    module = IRModule()
    module.add("main", Function([], expr))
    for use in (infer, relay.transform.InferType()):
        with pytest.raises(IllFormed) as caught:
            use(module)
        assert said in caught.value.message
    assert not well_formed(expr)


def test_a_pattern_may_occur_twice():
    part = PatternTuple([PatternWildcard()])
    assert well_formed(Match(ONE, [Clause(PatternTuple([part, part]), ONE)]))


def test_data_types_are_data_types():
    handle = GlobalTypeVar("D")
    for data, said in (
        (TypeData(handle, ["a"], []), "a type parameter of the data type"),
        (TypeData(handle, [], [3]), "a constructor of the data type"),
        (TypeData(handle, [], [Constructor("C", ["int8"], handle)]), "a field of the constructor `C` is `int8` (str)"),
        (TypeData(handle, [], [Constructor(3, [], handle)]), "the name of a constructor is `3` (int)"),
    ):
        module = IRModule()
        module.type_definitions[handle] = data
        with pytest.raises(IllFormed) as caught:
            infer(module)
        assert said in caught.value.message


def named(name):
    """What has a name that text must write, each in a module."""
    x, handle, parameter = Var("x", INT8), GlobalTypeVar("D"), TypeVar(name)
    own, field = GlobalTypeVar(name), Constructor("C", [INT8], handle)
    for body in (Call(Op(name), [x]), Call(Op("nn.relu"), [x], {name: 1}), Let(Var(name), x, x)):
        yield IRModule({GlobalVar("main"): Function([x], body)})
    yield IRModule({GlobalVar(name): Function([x], Call(GlobalVar(name), [x]))})
    yield IRModule({GlobalVar("main"): Function([x], x, None, (), {name: "a"})})
    yield IRModule({GlobalVar("main"): Function([Var("x", parameter)], ONE, None, [parameter])})
    yield IRModule({GlobalVar("main"): Function([Var("x", FuncType([], parameter, [parameter]))], ONE)})
    yield IRModule({}, {handle: TypeData(handle, [parameter], [Constructor("C", [parameter], handle)])})
    yield IRModule({}, {handle: TypeData(handle, [], [field, Constructor(name, [], handle)])})
    data = {own: TypeData(own, [], [Constructor("C", [], own)])}
    yield IRModule({GlobalVar("main"): Function([Var("x", TypeCall(own, ()))], ONE)}, data)


words = st.sampled_from(["let", "_", "True", "inff32", "nanf", "data", "Tensor", "int8", "bool", "boolx0", "a", ""])
marks = st.sampled_from(["", ".", "/", "//", "/*", ":", "::", " ", "#", '"', "\n", "é", "1", "%", "x4"])


@settings(max_examples=examples(150))
@given(st.tuples(words, marks, words).map("".join))
def test_a_name_is_refused_or_read_back(name):
    for module in named(name):
        try:
            check_well_formed(module)
        except IllFormed as problem:
            assert "name" in problem.message
        else:
            text = str(module)
            assert relaylogic.ir.structural_equal(relaylogic.parse(text), module), text


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("newshape", [object()]), ("newshape", [ONE]), ("newshape", ONE), ("newshape", {"a": 1}), ("newshape", [1.5])],
)
def test_an_attribute_that_is_no_data_is_named(attribute, value):
    x = Var("x", TensorType((2, 3), "int8"))
    module = IRModule()
    module.add("main", Function([x], Call(Op("reshape"), [x], {attribute: value})))
    (problem,) = infer(module).errors
    assert problem.message.startswith(f"`reshape`: attribute `{attribute}` cannot be ")


def test_a_data_type_is_not_named_tensor():
    """`Tensor[]` is read as a tensor that lacks its shape."""
    handle = GlobalTypeVar("Tensor")
    module = IRModule({}, {handle: TypeData(handle, [], [Constructor("C", [], handle)])})
    with pytest.raises(IllFormed, match="`Tensor` cannot be the name of a data type"):
        check_well_formed(module)
