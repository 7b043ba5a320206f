"""A function that is given where what it gives is meant, or a value where what a function gives of it is: the call that
is missing is told, and the program is right with it."""

from __future__ import annotations

import pytest

import relaylogic

LIST = "type List[A] { Cons(A, List[A]), Nil, }\n"
T = "Tensor[(2, 4), float32]"
NONE = 'zeros(shape=[2, 4], dtype="float32")'
SUM = f"def @sum(%l: List[{T}]) -> {T} {{ match (%l) {{ Cons(%h, %t) => {{}}, Nil => {NONE} }} }}\n"
WHOLE = "a call of this in its place"

MISSING = {
    "a branch is the function itself": (
        f"def @step(%i: int32, %x: {T}) -> {T} {{ if (greater(%i, 9)) {{ %x }} else {{ {{}} }} }}",
        "@step",
        "@step(add(%i, 1), %x)",
        WHOLE,
    ),
    "an arm is the function itself": (
        LIST + f"def @last(%l: List[{T}], %x: {T}) -> {T} {{ match (%l) {{ Cons(%h, %t) => {{}}, Nil => %x }} }}",
        "@last",
        "@last(%t, %h)",
        WHOLE,
    ),
    "a function of the program is given to an operator": (
        f"def @step(%x: {T}) -> {T} {{ nn.relu(%x) }}\ndef @main(%x: {T}, %w: {T}) {{ nn.dense({{}}, %w) }}",
        "@step",
        "@step(%x)",
        "a call of argument 1 in its place",
    ),
    "one that is bound is given though a variable is not used": (
        f"def @main(%x: {T}, %y: {T}, %w: {T}) {{ let %f = fn (%a: {T}) {{ nn.relu(%a) }}; nn.dense({{}}, %w) }}",
        "%f",
        "%f(%x)",
        "a call of argument 1 in its place",
    ),
    "one is given to a function that takes what it gives": (
        f"def @g(%a: {T}) -> {T} {{ exp(%a) }}\ndef @main(%x: {T}) {{ let %f = fn (%a: {T}) {{ exp(%a) }}; @g({{}}) }}",
        "%f",
        "%f(%x)",
        "a call of argument 1 in its place",
    ),
    "what a call gives is a function": (
        f"def @main(%x: {T}) -> {T} {{ let %f = fn (%b: {T}) {{ fn (%a: {T}) {{ add(%a, %b) }} }}; {{}} }}",
        "%f(%x)",
        "%f(%x)(%x)",
        WHOLE,
    ),
    "the rest of a list is added to its head": (
        LIST + SUM,
        "add(%h, %t)",
        "add(%h, @sum(%t))",
        "`@sum` around argument 2",
    ),
    "the rest of a list is the result": (
        LIST + SUM,
        "%t",
        "@sum(%t)",
        "`@sum` around this",
    ),
    "the arguments of a call of itself stand alone": (
        "def @sum(%n: int32, %all: int32) -> int32 { if (equal(%n, 0)) { %all } else { {} } }",
        "(subtract(%n, 1), add(%all, %n))",
        "@sum(subtract(%n, 1), add(%all, %n))",
        "`@sum` called with the fields of this",
    ),
    "a function of the prelude that is called already": (
        f'import "prelude"\ndef @main(%l: List[{T}]) {{ add(@hd(%l), {{}}) }}',
        "@tl(%l)",
        "@hd(@tl(%l))",
        "`@hd` around argument 2",
    ),
    "two arguments are given to a function of a function": (
        f"def @main(%x: {T}) {{ let %f = fn (%a: {T}) {{ fn (%b: {T}) {{ add(%a, %b) }} }}; nn.relu({{}}) }}",
        "%f(%x, %x)",
        "%f(%x)(%x)",
        "argument 2 given to the function that this call gives without it",
    ),
}


@pytest.mark.parametrize("case", MISSING)
def test_the_call_that_is_missing_is_told(case):
    text, wrong, right, words = MISSING[case]
    before, _, behind = text.partition("{}")
    before, behind = (part.replace("{{", "{").replace("}}", "}") for part in (before, behind))
    assert relaylogic.infer(before + right + behind).verdict == "typed"
    (error,) = relaylogic.infer(before + wrong + behind).errors
    assert error.span.start < len(before + wrong) and len(before) < error.span.end
    assert f"the rest of the program is consistent with {words}" in error.hints


def test_no_call_is_missing_where_a_function_is_wanted():
    """Or where what a function gives would not do either."""
    text = (
        f"def @main(%x: {T}, %w: Tensor[(3, 5), int8]) {{ let %f = fn (%a: {T}) {{ nn.relu(%a) }}; nn.dense(%f, %w) }}"
    )
    (error,) = relaylogic.infer(text).errors
    assert not any("a call of" in hint for hint in error.hints)
    text = f"def @main(%x: {T}) {{ let %f = fn (%g: fn ({T}) -> {T}) {{ %g(%x) }}; %f(fn (%a: {T}) {{ sum(%a) }}) }}"
    (error,) = relaylogic.infer(text).errors
    assert not any("a call of" in hint for hint in error.hints)


def test_what_goes_through_a_call_is_put_into_a_tuple_behind_it():
    """`nn.relu` of a tuple is a tuple: the argument was said to be meant as one."""
    text = f"def @one(%x: {T}) -> ({T},) {{ %0 = nn.relu(%x); (%0) }}"
    (error,) = relaylogic.infer(text).errors
    assert error.hints == ("the rest of the program is consistent with a tuple with this as field .0",)
