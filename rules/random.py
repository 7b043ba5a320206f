"""Random numbers: a key goes in, the next key and the numbers come out."""

from relaylogic.logic import agree_lists, appendo, eq, fail, fresh, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple
from relaylogic.types import bits, family

from .creation import extents
from .shapes import scalar

KEY = Tensor((10,), "uint64")


@relation
def ThreefryKey(key):
    """The state of the generator: ten words of 64 bits."""


@ThreefryKey.clause
def ten_words(key):
    shape = fresh()
    return stating("the key is ten uint64", eq(key, Tensor(shape, "uint64")), agree_lists(shape, KEY.shape))


@relation
def ThreefryGenerate(key, out, attrs):
    """Words of 64 bits, as many as the shape asks for."""


@ThreefryGenerate.clause
def words(key, out, attrs):
    shape = extents(attrs.out_shape)
    if shape is None:
        return stating("out_shape lists naturals", fail)
    return lall(ThreefryKey(key), eq(out, Tuple((KEY, Tensor(shape, "uint64")))))


@relation
def ThreefrySplit(key, out):
    """Two keys that give independent numbers."""


@ThreefrySplit.clause
def two_keys(key, out):
    return lall(ThreefryKey(key), eq(out, Tuple((KEY, KEY))))


@relation
def Distribution(key, first, second, out, attrs):
    """Floats of a distribution with two parameters, which are scalars of the result's dtype."""


@Distribution.clause
def floats(key, first, second, out, attrs):
    shape, dtype = extents(attrs.out_shape), attrs.out_dtype
    if shape is None:
        return stating("out_shape lists naturals", fail)
    if family(dtype) != "float" or bits(dtype) not in (32, 64):
        return stating("out_dtype is float32 or float64", fail)
    return lall(
        ThreefryKey(key),
        stating("the parameters are scalars of the result's dtype", scalar(first, dtype), scalar(second, dtype)),
        eq(out, Tuple((KEY, Tensor(shape, dtype)))),
    )


@relation
def Multinomial(key, probs, out, attrs):
    """Indices into the last axis of the probabilities, so many for each row."""


@Multinomial.clause
def samples(key, probs, out, attrs):
    if attrs.num_samples is None or attrs.num_samples < 0:
        return stating("num_samples is a natural", fail)
    rows, categories, shape, result = fresh(4)
    return lall(
        ThreefryKey(key),
        eq(probs, Tensor(shape, fresh())),
        eq(out, Tuple((KEY, Tensor(result, "int32")))),
        stating("the probabilities have an axis of categories", appendo(rows, (categories,), shape)),
        appendo(rows, (attrs.num_samples,), result),
    )


DISTRIBUTION = "out_shape: list; out_dtype: dtype = '' ?= 'float32'"

operator("random.threefry_generate", "key", ThreefryGenerate, "out_shape: list")
operator("random.threefry_split", "key", ThreefrySplit)
operator("random.uniform", "key, low, high", Distribution, DISTRIBUTION)
operator("random.normal", "key, mean, scale", Distribution, DISTRIBUTION)
operator("random.multinomial", "key, probs", Multinomial, "num_samples: integer = 1")
