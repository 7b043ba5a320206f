"""What is given in place of something else is named in a documented error, whatever its size, depth or manners."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

import relaylogic
from relaylogic import ir, relay
from relaylogic.errors import IllFormed, said
from relaylogic.logic.control import StepLimit
from relaylogic.typings.program import count_typings
from relaylogic.typings.query import count_query
from tests.fuzz.api_calls import Weird, cycle, nested

DEEP = nested(3000)
X = relay.var("x", shape=(2, 3))

MISUSES = [
    lambda: relay.const(cycle()),
    lambda: relay.const([cycle(), cycle()]),
    lambda: relay.Tuple(3),
    lambda: relay.Call(X, 3),
    lambda: relay.Call(X, [X], None, 3),
    lambda: relay.Function(3, X),
    lambda: relay.Function([X], X, None, 3),
    lambda: relay.Match(X, 3),
    lambda: relay.IRModule.from_expr(relay.Match(X, "arms")),
    lambda: relay.IRModule.from_expr(relay.If((X,), (), "x")),
    lambda: relaylogic.infer(relay.IRModule.from_expr(relay.RefRead(X, span=(1, 2)))),
    lambda: relaylogic.infer(relay.IRModule.from_expr(relay.Tuple([relay.var("y"), relay.Var("z", span="1:2")]))),
    lambda: relaylogic.infer(relay.IRModule.from_expr(relay.Function([relay.Var("z", type_span=3)], X))),
    lambda: relay.PatternTuple(3),
    lambda: relay.Span(relay.SourceName("model"), "1", 2, 3, 4),
    lambda: relay.expr.CallWithFields(X),
    lambda: relay.loops.while_loop(X, [X], X),
    lambda: relay.dataflow_pattern.match(X, X),
    lambda: relay.parse("def @main() { meta[relay.Constant][0] }", init_meta_table={"relay.Constant": 3}),
    lambda: ir.make_node(DEEP),
    lambda: relay.TypeData(relay.GlobalTypeVar("T"), 3, []),
    lambda: relay.IRModule(X),
    lambda: relay.IRModule(type_definitions={"T": X}),
    lambda: relay.IRModule({3: relay.Function([X], X)}),
    lambda: relay.bind(X, relay.IRModule()),
    lambda: relay.nn.avg_pool2d(X, DEEP),
    lambda: relay.nn.sparse_dense(X, [X]),
    lambda: relay.op.get([]),
    lambda: relay.op.get(DEEP),
    lambda: relay.prelude.Prelude(2.5),
    lambda: relay.analysis.list_op_freqs(DEEP),
    lambda: relay.transform.InferTypeLocal(DEEP),
    lambda: relay.transform.Sequential(3),
    lambda: relay.transform.FunctionPass([], X),
    lambda: ir.assert_structural_equal(DEEP, 1),
    lambda: relaylogic.parse(X),
    lambda: relaylogic.infer(DEEP),
    lambda: relaylogic.infer(Weird()),
    lambda: relaylogic.query(DEEP),
    lambda: relaylogic.query("n > 3", limit=-1),
    lambda: relaylogic.query("n > 3", limit="3"),
    lambda: relaylogic.query("n > 3", steps=-1),
    lambda: count_query("n > 3", steps=2.5),
    lambda: relaylogic.typings("def @main(%x) { %x }", limit=-1),
    lambda: relaylogic.typings("def @main(%x) { %x }", sample=True),
    lambda: count_typings("def @main(%x) { %x }", steps=DEEP),
    lambda: relaylogic.limits(time=DEEP),
]


@pytest.mark.parametrize("number", range(len(MISUSES)))
def test_a_documented_error(number: int) -> None:
    with pytest.raises((relaylogic.RelayLogicError, TypeError, ValueError)) as caught:
        MISUSES[number]()
    assert str(caught.value) and len(str(caught.value)) < 400


GOOD = {
    "text": "n > 3",
    "program": "def @main(%x: Tensor[(2), int8]) { nn.relu(%x) }",
    "op": "nn.relu",
    "arguments": ["Tensor[(2), int8]"],
}
ODD = [None, 3, -1, True, 2.5, "x", "%x", b"x", [], {}, (), ["x", None], 10**400, Weird(), X, relay.IRModule(), len]
FRONT: list[Callable[..., Any]] = [relaylogic.parse, relaylogic.infer, relaylogic.infer_call]
FRONT += [relaylogic.query, count_query, relaylogic.typings, count_typings]


@pytest.mark.parametrize("function", FRONT, ids=lambda function: function.__name__)
def test_odd_arguments_of_the_front_door(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    needed = {p.name: GOOD[p.name] for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
    for name in [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]:
        for odd in ODD:
            try:
                found = function(**{**needed, name: odd})
                for answer in islice(found, 3) if hasattr(found, "__next__") else ():
                    str(answer)
                repr(found)
            except relaylogic.RelayLogicError as problem:
                assert 0 < len(str(problem)) < 1000, (name, said(odd))
            except (TypeError, ValueError, StepLimit):  # the first two: what Python says of an odd value itself
                pass


def test_anything_can_be_named_in_a_message() -> None:
    assert said([1, "a"]) == "[1, 'a']"
    assert len(said(DEEP)) <= 60 and len(said("a" * 10**6)) <= 60 and len(said(cycle())) <= 60
    assert said(10**5000) == "a int" or len(said(10**5000)) <= 60
    assert "Weird" in said(Weird())


def test_constants_of_nested_lists_are_as_before() -> None:
    row = [1, 2]
    assert str(relay.const([row, row]).tensor_type) == "Tensor[(2, 2), int32]"
    assert str(relay.const([(), ()]).tensor_type) == "Tensor[(2, 0), float32]"


def test_the_base_of_types_is_none_itself():
    """It was made, and had no text: that of it was looked for without an end."""
    with pytest.raises(TypeError, match="Type is the base of types"):
        relay.Type()


class _Many:
    """As an array of several elements is: neither true nor false."""

    def __bool__(self) -> bool:
        raise ValueError("which element?")


@pytest.mark.parametrize("ask", [relaylogic.infer, relaylogic.Session])
def test_whether_types_are_closed_is_true_or_false(ask: Callable[..., Any]) -> None:
    with pytest.raises(IllFormed, match="`closed` is True or False, which "):
        ask(GOOD["program"], closed=_Many())


def test_what_a_let_binds_is_looked_at_before_the_module_is_made():
    with pytest.raises(IllFormed, match="a let binds a variable"):
        relaylogic.IRModule.from_expr(relay.Let([None], relay.const(1), relay.const(2)))
