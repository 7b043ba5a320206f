"""Kinds of types as written: what is refused, and with which words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.infer.checks.kinds import (
    definition_problems,
    is_well_kinded,
    kind_problems,
    loose,
    parameter_problems,
)
from relaylogic.ir import Constructor, Function, IRModule, TypeData, Var
from relaylogic.logic import cons
from relaylogic.types import (
    ANY,
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
    dim_add,
    dim_floordiv,
)
from relaylogic.types.glance import glance

t, e, s, n = TypeVar("t"), TypeVar("e", "BaseType"), TypeVar("s", "Shape"), TypeVar("n", "ShapeVar")
List, A = GlobalTypeVar("List"), TypeVar("A")
Numbers = GlobalTypeVar("Numbers")
Either = GlobalTypeVar("Either")
Missing = GlobalTypeVar("Missing")
int32 = TensorType((), "int32")


def data(handle, type_vars, **constructors):
    return TypeData(handle, type_vars, [Constructor(name, inputs, handle) for name, inputs in constructors.items()])


LIST = data(List, [A], Nil=(), Cons=(A, TypeCall(List, (A,))))
MODULE = IRModule(
    type_definitions={
        List: LIST,
        Numbers: data(Numbers, [], Empty=(), Single=(int32,)),
        Either: data(Either, [t, A], Left=(t,), Right=(A,)),
    }
)


def messages(type_, expected="Type"):
    return [problem.message for problem in kind_problems(type_, MODULE, expected)]


@pytest.mark.parametrize(
    "good",
    [
        int32,
        TensorType((3, ANY, n, dim_add(n, 1)), e),
        TensorType(s, e),
        TensorType(s, "float32x4"),
        TensorType((0,), "bool"),
        TensorType(IncompleteType("Shape"), IncompleteType("BaseType")),
        TensorType((IncompleteType("ShapeVar"), 2), "int8"),
        TensorType(cons((2,), IncompleteType("Shape")), "int8"),
        TupleType((t, int32, IncompleteType())),
        TupleType(()),
        TypeCall(List, (TypeCall(List, (t,)),)),
        TypeCall(Numbers, ()),
        RefType(RefType(t)),
        FuncType((t, FuncType((A,), A, (A,))), TypeCall(Numbers, ()), (t,)),
        FuncType(
            (t, A),
            A,
            (t, A),
            (TypeRelation("Broadcast", (t, A, A)), TypeRelation("Shapes", (s, n, e, (1, n)))),
        ),
        IncompleteType(),
    ],
    ids=str,
)
def test_well_kinded(good):
    assert messages(good) == []


@pytest.mark.parametrize(
    ("term", "kind"),
    [((2, n), "Shape"), (s, "Shape"), (n, "ShapeVar"), (dim_add(n, 1), "ShapeVar"), (7, "ShapeVar")],
)
@pytest.mark.parametrize("expected", ["Type", "BaseType", "Shape", "ShapeVar"])
def test_the_expected_kind_is_the_only_one(term, kind, expected):
    assert bool(messages(term, expected)) is (kind != expected)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            TensorType(t, "float32"),
            "`t` is of kind Type, but the shape of a tensor type must be a shape (kind Shape)",
        ),
        (
            TensorType((2, t), "int8"),
            "the type parameter `t` is of kind Type, but an extent of a shape must be an extent",
        ),
        (
            TensorType((), n),
            "the type parameter `n` is of kind ShapeVar, but the dtype of a tensor type must be a dtype",
        ),
        (
            TupleType((int32, s)),
            "the type parameter `s` is of kind Shape, but a field of a tuple type must be a type",
        ),
        (
            FuncType((), e),
            "the type parameter `e` is of kind BaseType, but the result of a function type must be a type",
        ),
        (
            RefType(n),
            "the type parameter `n` is of kind ShapeVar, but the content of a reference type must be a type",
        ),
        (
            TypeCall(List, (s,)),
            "the type parameter `s` is of kind Shape, but an argument of `List` must be a type",
        ),
        (n, "the type parameter `n` is of kind ShapeVar, but what stands here must be a type"),
        (
            TensorType((dim_floordiv(dim_add(s, n), 2),), "int8"),
            "what the extent `(n + s) // 2` is computed from must be an extent",
        ),
        (
            TensorType(int32, "int8"),
            "a tensor type is of kind Type, but the shape of a tensor type must be a shape",
        ),
        (
            TensorType(IncompleteType(), "int8"),
            "the hole `_` is of kind Type, but the shape of a tensor type must be a shape",
        ),
        (
            TupleType((IncompleteType("Shape"),)),
            "the hole `_` is of kind Shape, but a field of a tuple type must be a type",
        ),
        (TupleType((3,)), "`3` is of kind ShapeVar, but a field of a tuple type must be a type"),
        (TensorType((2,), "floaty"), "`floaty` is not a dtype"),
        (TensorType((2, -1), "int8"), "an extent is a natural number, which -1 is not"),
        (TensorType((2, 1.5), "int8"), "`1.5` is no part of a type; an extent of a shape must be an extent"),
        (TypeCall(List, ()), "`List` takes 1 type argument, but none is given"),
        (TypeCall(List, (int32, int32)), "`List` takes 1 type argument, but 2 are given"),
        (TypeCall(Either, (int32,)), "`Either` takes 2 type arguments, but 1 is given"),
        (TypeCall(Numbers, (int32,)), "`Numbers` takes no type arguments, but 1 is given"),
        (TypeCall(Missing, ()), "there is no definition of the data type `Missing`"),
        (TypeCall(t, (int32,)), "only a data type takes type arguments, which the type parameter `t` is not"),
        (FuncType((List,), t), "`List` names a data type and is no type without its arguments (`List[...]`)"),
        (FuncType((A,), A, (A, TypeVar("A"))), "the type parameter `A` is declared twice in a function type"),
        (FuncType((A,), A, (), (A,)), "what stands behind `where` must be a relation"),
        (TupleType((TypeRelation("Broadcast", (t,)),)), "the relation `Broadcast` is of kind Constraint"),
        (
            FuncType((A,), A, (), (TypeRelation("R", (TensorType(t, e),)),)),
            "the shape of a tensor type must be a shape",
        ),
    ],
    ids=str,
)
def test_refused(bad, message):
    (problem,) = messages(bad)
    assert message in problem


def test_problems_come_in_order_with_the_terms_to_blame():
    bad = TupleType((TensorType(t, "float32"), TypeCall(List, (n, n)), TensorType(t, "int8")))
    assert [problem.term for problem in kind_problems(bad, MODULE)] == [t, TypeCall(List, (n, n)), n]


def test_depth_and_sharing_cost_nothing():
    deep = shared = TensorType(t, "float32")
    for _ in range(10_000):
        deep = RefType(deep)
        shared = TupleType((shared, shared))
    assert len(kind_problems(deep, MODULE)) == len(kind_problems(shared, MODULE)) == 1


def test_definitions():
    assert definition_problems(LIST, MODULE) == []
    polymorphic_field = data(Either, [A], Left=(FuncType((t, A), t, (t,)),))
    assert definition_problems(polymorphic_field, MODULE) == []


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (
            data(List, [A, TypeVar("A")]),
            "the type parameter `A` is declared twice in the definition of `List`",
        ),
        (
            data(List, [TypeVar("c", "Constraint")]),
            "parameters of data types have kind Type, BaseType, Shape or ShapeVar, but `c` is of kind Constraint",
        ),
        (data(List, [A], Cons=(A, TypeCall(List, ()))), "`List` takes 1 type argument, but none is given"),
        (data(List, [A], Cons=(A, List)), "`List` names a data type"),
        (
            data(List, [A], Cons=(TupleType((A, t)),)),
            "the type parameter `t` in a field of `Cons` is none of `List`",
        ),
        (
            data(List, [A], Cons=(FuncType((t,), FuncType((t,), t, (t,))),)),
            "the type parameter `t` in a field of `Cons`",
        ),
        (
            data(List, [A], Cons=(TensorType((dim_add(n, 1),), "int8"),)),
            "the type parameter `n` in a field of `Cons`",
        ),
        (data(List, [A], Cons=(IncompleteType(),)), "the fields of `Cons` need complete types, without `_`"),
    ],
)
def test_refused_definitions(definition, message):
    (problem,) = definition_problems(definition, MODULE)
    assert message in problem.message


def test_parameters_of_a_function():
    assert parameter_problems([t, n]) == []
    (problem,) = parameter_problems([t, n, TypeVar("t", "Shape")], "`@f`")
    assert problem.message == "the type parameter `t` is declared twice in `@f`"


@pytest.mark.parametrize(
    "text",
    [
        """def @f<n: ShapeVar, m: ShapeVar>(%x: Tensor[(n + m), int8]) -> Tensor[(3 * n), int8]
        where Identity(Tensor[(n), int8], Tensor[m, int8]) { %x }""",
        """def @f<n: ShapeVar, m: ShapeVar>(%x: Tensor[(m + 1), int8]) -> Tensor[(n * 2), int8]
        where Identity(Tensor[n, int8], Tensor[(4, m), int8]) { %x }""",
        """def @f<s: Shape>(%x: Tensor[s, int8]) where Identity(Tensor[s, int8], Tensor[(2), int8]) {
          let %g = fn (%y: Tensor[s, int8]) where Identity(Tensor[(s + 1), int8], Tensor[(3), int8]) { %y };
          %g(%x)
        }""",
        """def @f<m: ShapeVar>(%y: Tensor[m, int8], %x: Tensor[(m + 1), int8]) -> Tensor[(m + 1), int8] { %x }
        def @main(%z: Tensor[(3), int8]) { @f(%z, %z) }""",
    ],
)
def test_nothing_is_computed_from_what_is_no_extent(text):
    """An extent was given a shape by a constraint of the wrong kinds: arithmetic on that ended with a TypeError."""
    result = infer(text)
    assert result.verdict == "refuted"
    assert any("of kind" in error.message for error in result.errors)


@pytest.mark.parametrize("value", ["_", "[_]", "[0, _]"])
def test_the_attributes_of_a_constraint_are_known(value):
    """What is printed of such a function could not be written."""
    result = infer(f"def @f<a, b>(%x: a) -> b where Reduce(b, b, axis={value}) {{ sum(%x, axis=[1]) }}")
    assert result.verdict == "refuted" and "axis" not in str(result.functions["f"])
    assert result.errors[0].message == "the attribute `axis` of a constraint, `Reduce`, is left open"


@pytest.mark.parametrize("value", [A, object(), (1, A), 'x"y', int32])
def test_the_attributes_of_a_constraint_are_values(value):
    for attrs in ((("axis", value),), {"axis": value}):
        x, constraint = Var("x", A), TypeRelation("Reduce", (A, A), attrs=attrs)
        result = infer(IRModule.from_expr(Function([x], x, A, [A], type_constraints=[constraint])))
        assert result.verdict == "refuted"
        assert "cannot be written as an attribute" in result.errors[0].message


@pytest.mark.parametrize("attrs", [3, "x", (("axis",),), ((1, 2),), (("axis", set()),)])
def test_what_are_no_attributes_of_a_constraint(attrs):
    with pytest.raises(TypeError):
        TypeRelation("Reduce", (A, A), attrs=attrs)
    listed = TypeRelation("Reduce", (A, A), attrs={"axis": [1, [2]]})
    assert listed.attrs == (("axis", (1, (2,))),)


def test_a_data_type_without_its_arguments_is_generalised():
    """Its arguments were taken for a list."""
    result = infer("""type L[A] { Cons(A, L), Nil }
    def @main(%l: L[int32]) { match? %l { Cons(%h, Cons(_, %t)) => (%h, %t), _ => (0, %l) } }""")
    assert result.verdict == "refuted"
    (error,) = result.errors
    assert error.message == "field 2 of `Cons` is declared L, but the rest of the program needs L[A]"
    assert any("`L` takes 1 type argument, but none is given" in label.message for label in error.related)


EXTENT, SHAPE, DTYPE = map(IncompleteType, ("ShapeVar", "Shape", "BaseType"))
HOLES = [TensorType((3, EXTENT)), TensorType(SHAPE, DTYPE), TensorType((EXTENT, EXTENT), SHAPE), TensorType(DTYPE)]
TENSORS = [int32, TensorType((3, ANY)), TensorType((n,)), TensorType((-1,)), *HOLES]
LEAVES = [*TENSORS, t, A, e, s, n, IncompleteType(), List, "int8"]
TYPES = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(TupleType),
        st.builds(FuncType, st.lists(inner, max_size=2), inner, st.sampled_from([(), (A,)])),
        st.builds(TypeCall, st.sampled_from([List, Numbers, Either, Missing, t]), st.lists(inner, max_size=2)),
        inner.map(RefType),
    ),
    max_leaves=6,
)


@given(TYPES)
def test_what_is_seen_at_a_glance_is_what_is_found_in_the_end(type_):
    seen = glance(type_)
    if seen is None:
        assert not is_well_kinded(type_, MODULE)
        return
    looked_into = TupleType((type_, RefType(int32)))  # which no glance sees
    assert is_well_kinded(type_, MODULE) == (not kind_problems(looked_into, MODULE))
    assert {*loose(looked_into, ())} == {*seen.parameters, *seen.holes}
    assert loose(looked_into, ()) == loose(type_, ())
    assert glance(type_) is seen


def test_a_type_that_holds_another_many_times_over_is_looked_into_once():
    type_ = A
    for _ in range(100):
        type_ = TupleType((type_, type_))
    assert glance(type_) is None
    assert kind_problems(type_, MODULE) == [] and loose(type_, ()) == [A]
