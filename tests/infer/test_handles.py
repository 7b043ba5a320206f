"""Data types are told apart by their handles, whatever their names: two of one name in one module are two types."""

from __future__ import annotations

import pytest

from relaylogic import infer
from relaylogic.clauses.nodes import ClauseError
from relaylogic.ir import (
    Call,
    Clause,
    Constructor,
    Function,
    IRModule,
    Match,
    PatternConstructor,
    PatternVar,
    TypeData,
    Var,
)
from relaylogic.rulebase import load_rules, program_rules
from relaylogic.text import astext
from relaylogic.types import GlobalTypeVar, TensorType, TypeCall
from relaylogic.typings.query import query

INT, FLOAT = TensorType((), "int32"), TensorType((), "float32")


def two_of_one_name():
    first, second = GlobalTypeVar("Box"), GlobalTypeVar("Box")
    one, other = Constructor("One", (INT,), first), Constructor("Other", (FLOAT,), second)
    module = IRModule(type_definitions={first: TypeData(first, (), [one]), second: TypeData(second, (), [other])})
    return module, (first, one), (second, other)


def opened(module, handle, constructor):
    """The module with a function that takes a value of the data type apart."""
    box, field = Var("b", TypeCall(handle, ())), Var("f")
    body = Match(box, [Clause(PatternConstructor(constructor, [PatternVar(field)]), field)])
    return module.add("open", Function([box], body))


def test_each_is_itself():
    module, (first, one), (second, other) = two_of_one_name()
    x, y = Var("x", INT), Var("y", FLOAT)
    module.add("one", Function([x], Call(one, [x])))
    module.add("other", Function([y], Call(other, [y])))
    result = infer(module)
    assert result.verdict == "typed"
    assert result.functions["one"].ret_type == TypeCall(first, ())
    assert result.functions["other"].ret_type == TypeCall(second, ())
    assert TypeCall(first, ()) != TypeCall(second, ())


def test_one_is_not_the_other():
    for mixed in (False, True):
        module, first, second = two_of_one_name()
        function = opened(module, *first)
        _, constructor = second if mixed else first
        x = Var("x", constructor.inputs[0])
        module.add("main", Function([x], Call(function, [Call(constructor, [x])])))
        assert infer(module).verdict == ("refuted" if mixed else "typed")


def test_their_constructors_are_two_relations():
    module, (first, _), (second, _) = two_of_one_name()
    rules = load_rules()
    (one,) = query("One(A, B)", rules=rules, program=module)
    (other,) = query("Other(A, B)", rules=rules, program=module)
    assert one.bindings == {"A": INT, "B": TypeCall(first, ())}
    assert other.bindings == {"A": FLOAT, "B": TypeCall(second, ())}
    assert program_rules(rules, module).relation("OnePattern").arity == 2


def test_a_name_that_means_both_is_an_error_that_names_them():
    module, _, _ = two_of_one_name()
    with pytest.raises(ClauseError, match="`Box` means several data types"):
        list(query("One(A, Box[])", program=module))


def test_text_cannot_tell_them_apart_and_says_so():
    module, _, _ = two_of_one_name()
    with pytest.raises(ValueError, match="two data types of the name `Box`"):
        astext(module)


def test_they_may_be_taken_out():
    module, _, _ = two_of_one_name()
    module.discard("Box")
    assert not module.type_definitions and module.find_constructor("Other") is None
