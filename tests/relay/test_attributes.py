"""Attributes of calls as TVM's users read them: every one, by name, as a field or as an entry."""

import copy
import pickle

import numpy
import pytest

import relaylogic
from relaylogic import RelayLogicError, relay
from relaylogic.ir import structural_equal, structural_hash
from relaylogic.rulebase import default_rules

X, W = relay.var("x", shape=(1, 3, 8, 8)), relay.var("w", shape=(4, 3, 3, 3))
CONV = relay.nn.conv2d(X, W, padding=1, channels=4)


def test_what_is_not_given_has_its_default():
    assert CONV.given == {"padding": (1, 1, 1, 1), "channels": 4}
    attrs = CONV.attrs
    assert attrs.padding == attrs["padding"] == attrs.get_int_tuple("padding") == (1, 1, 1, 1)
    assert attrs.strides == attrs["strides"] == (1, 1)
    assert (attrs.get_int("groups"), attrs.get_str("data_layout"), attrs.out_dtype) == (1, "NCHW", "")
    assert list(attrs) == list(attrs.keys()) == list(default_rules().operator("nn.conv2d").attributes)
    assert str(attrs).startswith('strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, channels=4, ')


def test_calls_that_have_none():
    assert relay.nn.relu(X).attrs is None
    assert relay.GlobalVar("f")(X).attrs is None
    assert relay.nn.softmax(X).attrs.axis == -1


def test_attributes_make_the_same_call_again():
    for again in (
        relay.nn.conv2d(X, W, **CONV.attrs),
        relay.nn.conv2d(X, W, **{name: CONV.attrs[name] for name in CONV.attrs}),
        relay.Call(CONV.op, [X, W], CONV.attrs),
    ):
        assert again.given == CONV.given and structural_equal(again, CONV)
    strided = relay.nn.conv2d(X, W, **{**CONV.attrs, "strides": (2, 2)})
    assert strided.attrs.strides == (2, 2) and strided.attrs != CONV.attrs


def test_attributes_are_equal_by_what_they_mean():
    attrs = CONV.attrs
    assert attrs == CONV.given and attrs == dict(attrs) and attrs == {**CONV.given, "groups": 1}
    assert attrs not in ({**CONV.given, "groups": 2}, {}, 3)
    for copied in (copy.copy(attrs), copy.deepcopy(attrs), pickle.loads(pickle.dumps(attrs))):
        assert copied == attrs and hash(copied) == hash(attrs)


def test_a_default_that_is_written_does_not_tell_programs_apart():
    plain, written = (relay.Call(CONV.op, [X, W], given) for given in (None, {"groups": 1, "strides": (1, 1)}))
    other = relay.Call(CONV.op, [X, W], {"groups": 2})
    assert structural_equal(plain, written) and structural_hash(plain) == structural_hash(written)
    assert not structural_equal(plain, other) and structural_hash(plain) != structural_hash(other)
    assert not structural_equal(plain, relay.Call(CONV.op, [X, W], {"groups": True}))


@pytest.mark.parametrize(
    ("name", "given", "known"),
    [
        ("nn.dense", lambda: {"units": numpy.int64(4)}, {"units": 4}),
        ("nn.dense", lambda: {"units": numpy.array(4)}, {"units": 4}),
        ("nn.conv2d", lambda: {"padding": [numpy.int64(1), 1], "channels": 4}, {"padding": (1, 1), "channels": 4}),
        ("nn.conv2d", lambda: {"padding": numpy.array([1, 1])}, {"padding": (1, 1)}),
        ("nn.pad", lambda: {"pad_width": numpy.ones((2, 2), int)}, {"pad_width": ((1, 1), (1, 1))}),
        ("nn.leaky_relu", lambda: {"alpha": numpy.float32(0.5)}, {"alpha": 0.5}),
        ("sum", lambda: {"keepdims": numpy.bool_(True)}, {"keepdims": True}),
    ],
)
def test_numbers_and_arrays_of_numpy_are_those_of_python(name, given, known):
    """A call that was made by itself kept them, so that inference refused it and no text could write it."""
    call = relay.Call(relay.op.get(name), [X, W][: len(default_rules().operator(name).inputs)], given())
    assert call.given == known and [*map(type, call.given.values())] == [*map(type, known.values())]
    assert structural_equal(call, relay.Call(call.op, call.args, known))
    assert str(call) == str(relay.Call(call.op, call.args, known))


def test_a_field_of_a_tuple_may_be_a_number_of_numpy():
    fields, one = relay.Tuple([X, W]), numpy.int64(1)
    assert structural_equal(relay.TupleGetItem(fields, one), relay.TupleGetItem(fields, 1))
    function = relay.GlobalVar("f")
    assert structural_equal(function[one], function[1])
    parts = relay.split(X, numpy.int64(2), axis=one)
    assert structural_equal(parts[one], relay.split(X, 2, axis=1)[1])


def test_a_constant_and_a_function_hold_numbers_of_python():
    constant = relay.Constant(numpy.array([1, 2]), relay.TensorType((2,), "int32"))
    assert (constant.value, relay.Constant(numpy.float32(0.5)).value) == ((1, 2), 0.5)
    function = relay.Function([X], X).with_attr("Primitive", numpy.int64(1))
    assert function.attrs == {"Primitive": 1} and "Primitive=1" in str(function)


def test_what_is_to_be_put_around_a_number_of_numpy_is_said():
    for operand in (numpy.float64(2.0), numpy.float32(2.0), numpy.ones(2)):
        with pytest.raises(TypeError, match="write relay"):
            relay.var("x") + operand


def test_a_list_that_holds_itself_is_refused_when_it_is_inferred():
    endless = []
    endless += [endless, endless]
    with pytest.raises(RelayLogicError, match="more than 32 lists in each other"):
        relaylogic.infer_call("reshape", ["Tensor[(6), int8]"], {"newshape": endless})


def test_an_operator_takes_no_type_arguments_from_a_call_that_was_typed():
    """A mutator hands them on, and they are those of the old arguments."""
    typed = relay.testing.run_infer_type(CONV)
    other = relay.var("y", shape=(2, 3, 8, 8))
    again = relay.Call(typed.op, [other, W], typed.attrs, typed.type_args, typed.span)
    assert str(again).endswith("nn.conv2d(%y, %w, padding=[1, 1, 1, 1], channels=4)")
    assert relay.testing.run_infer_type(again).type_args == (other.type_annotation, W.type_annotation)


def test_what_is_not_there_is_told():
    with pytest.raises(AttributeError, match=r"no 'stride'; there are `strides`, `padding`"):
        CONV.attrs.stride  # noqa: B018
    with pytest.raises(KeyError):
        CONV.attrs["stride"]
    with pytest.raises(AttributeError, match="another 'strides'"):
        CONV.attrs.strides = (2, 2)


def test_defaults_are_those_that_inference_takes():
    for operator in default_rules().operators.values():
        attrs = relay.Call(relay.op.Op(operator.name), []).attrs
        if all(attribute.may_be_omitted for attribute in operator.attributes.values()):
            assert dict(attrs or {}).keys() == dict(operator.attrs({}).items()).keys()
            assert relay.Call(relay.op.Op(operator.name), [], attrs and dict(attrs)).told is None
            assert operator.attrs(dict(attrs or {})) == operator.attrs({})
