"""Explicit memory and lowered calls: what a program looks like once its tensors have storage."""

from relaylogic.logic import agree_lists, cons, default, eq, fail, fresh, lall, mapo, primitive, stating
from relaylogic.logic.terms.rebuilding import reify_term
from relaylogic.rulebase import operator, relation
from relaylogic.types import STORAGE, FuncType, GlobalTypeVar, TypeCall
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .creation import extents
from .shapes import any_tensor, scalar


def storage(region):
    """`region` is of the type that a module calls `Storage`; where nothing says which, of the one that none defines."""
    handle = fresh()
    return lall(eq(region, TypeCall(handle, ())), _called_storage(handle), default(handle, STORAGE))


@primitive("called_storage", 0)
def _called_storage(state, handle):
    known = reify_term(handle, state.bindings)
    return iter((state,) if type(known) is GlobalTypeVar and known.name_hint == "Storage" else ())


@relation
def AllocStorage(size, shape, alignment, out):
    """So many bytes, of which tensors of that shape can be made."""


@AllocStorage.clause
def bytes_allocated(size, shape, alignment, out):
    return lall(
        stating("size and alignment are int64 scalars", scalar(size, "int64"), scalar(alignment, "int64")),
        any_tensor(shape),
        storage(out),
    )


def constant_shape(constant):
    """The extents that a constant of 32-bit or 64-bit integers lists, or None if it lists no shape."""
    fields = dict(dict(constant).get("constant", ()))
    listed = len(fields.get("shape", ())) == 1 and fields.get("dtype") in ("int32", "int64")
    return extents(fields.get("data")) if listed else None


@relation
def AllocTensor(region, offset, shape, out, attrs):
    """A tensor of a constant shape in a storage; the shape that is passed has as many extents."""


def tensor_in_storage(region, offset, shape, out, listed, dtype):
    return lall(
        stating("the first argument is a storage", storage(region)),
        any_tensor(offset),
        stating("the shape that is passed has the result's rank", ShapeTensor(shape, len(listed))),
        eq(out, Tensor(listed, dtype)),
    )


@AllocTensor.clause
def of_constant_shape(region, offset, shape, out, attrs):
    if attrs.const_shape is None:
        return fail
    listed = constant_shape(attrs.const_shape)
    if listed is None:
        return stating("const_shape is a vector of naturals", fail)
    return tensor_in_storage(region, offset, shape, out, listed, attrs.dtype)


@AllocTensor.clause
def of_asserted_shape(region, offset, shape, out, attrs):
    if attrs.const_shape is not None:
        return fail
    listed = extents(attrs.assert_shape)
    if listed is None:
        return stating("assert_shape lists naturals", fail)
    return tensor_in_storage(region, offset, shape, out, listed, attrs.dtype)


@relation
def ShapeTensor(shape, rank):
    """`shape` holds `rank` extents: its first extent is the rank; a scalar holds none."""


@ShapeTensor.clause
def extents_listed(shape, rank):
    return eq(shape, Tensor(cons(rank, fresh()), fresh()))


@ShapeTensor.clause
def no_extents(shape, rank):
    return lall(eq(rank, 0), scalar(shape))


@relation
def Kill(region, out):
    """The end of a tensor's life; there is no result."""


@Kill.clause
def freed(region, out):
    return eq(out, Tuple(()))


@relation
def Passes(given, declared):
    """A value of the type `given` may be passed where `declared` is expected: they are equal up to `?`."""


@Passes.clause
def tensors(given, declared):
    ours, theirs, dtype = fresh(3)
    return lall(eq(given, Tensor(ours, dtype)), eq(declared, Tensor(theirs, dtype)), agree_lists(ours, theirs))


@Passes.clause
def tuples(given, declared):
    ours, theirs = fresh(2)
    return lall(eq(given, Tuple(ours)), eq(declared, Tuple(theirs)), mapo(Passes, ours, theirs))


@relation
def CallLowered(function, arguments, out):
    """A call of a function that is lowered: its arguments are one tuple."""


@CallLowered.clause
def arguments_in_a_tuple(function, arguments, out):
    given, declared = fresh(2)
    return lall(
        eq(function, FuncType(declared, out)),
        eq(arguments, Tuple(given)),
        stating("the arguments are what the function takes", mapo(Passes, given, declared)),
    )


@relation
def InvokeTVMOp(function, inputs, outputs, out):
    """A call of a function that is lowered: it reads one tuple and writes another, and there is no result."""


def reads(function, inputs, result):
    """The function takes the inputs and returns `result`."""
    given, declared = fresh(2)
    return lall(
        eq(function, FuncType(declared, result)),
        eq(inputs, Tuple(given)),
        stating("the inputs are what the function takes", mapo(Passes, given, declared)),
    )


@InvokeTVMOp.clause
def one_output(function, inputs, outputs, out):
    result, written = Tensor(fresh(), fresh()), fresh()
    return lall(
        eq(out, Tuple(())),
        reads(function, inputs, result),
        eq(outputs, Tuple((written,))),
        stating("the output is what the function returns", Passes(written, result)),
    )


@InvokeTVMOp.clause
def several_outputs(function, inputs, outputs, out):
    results, written = fresh(2)
    return lall(
        eq(out, Tuple(())),
        reads(function, inputs, Tuple(results)),
        eq(outputs, Tuple(written)),
        stating("the outputs are what the function returns", mapo(Passes, written, results)),
    )


operator(
    "memory.alloc_storage",
    "size, shape, alignment",
    AllocStorage,
    "dtype: dtype = 'float32'; virtual_device: object = None",
)
operator(
    "memory.alloc_tensor",
    "storage, offset, shape",
    AllocTensor,
    "dtype: dtype = 'float32'; const_shape: object = None; assert_shape: list = None",
)
operator("memory.kill", "to_free", Kill)
operator("call_lowered", "func, call_args", CallLowered, "metadata: object = ()")
operator("vm.invoke_tvm_op", "op, ins, outs", InvokeTVMOp)
