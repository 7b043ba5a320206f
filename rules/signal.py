"""Signals: Fourier transforms, of which complex results are pairs."""

from relaylogic.logic import agree_lists, difference, eq, equals, fail, floordiv, fresh, lall, plus, stating
from relaylogic.rulebase import ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple


@relation
def DFT(re_data, im_data, out):
    """The discrete Fourier transform along the last axis, of complex numbers given as two tensors of one shape."""


@DFT.clause
def real_and_imaginary_part(re_data, im_data, out):
    re_shape, im_shape, dtype = fresh(3)
    return lall(
        eq(re_data, Tensor(re_shape, dtype)),
        stating("the parts have one dtype", eq(im_data, Tensor(im_shape, dtype))),
        eq(out, Tuple((re_data, im_data))),
        stating("the parts have one shape", agree_lists(re_shape, im_shape)),
    )


@relation
def Spectrum(samples: ShapeVar, frequencies: ShapeVar, frames: ShapeVar, attrs):
    """A window of `n_fft` samples moves over the signal in hops; every frame has its frequencies."""


@Spectrum.clause
def hops(samples, frequencies, frames, attrs):
    window = attrs.n_fft
    if window < 1 or attrs.hop_length < 1:
        return fail
    return lall(
        eq(frequencies, window // 2 + 1 if attrs.onesided else window),
        equals(plus(floordiv(difference(samples, window), attrs.hop_length), 1), frames),
    )


@relation
def STFT(data, window, out, attrs):
    """The short-time Fourier transform of a signal, or of a batch of them; real and imaginary part stand last."""


@STFT.clause
def one_signal(data, window, out, attrs):
    samples, frequencies, frames, dtype = fresh(4)
    return lall(
        eq(data, Tensor((samples,), dtype)),
        eq(out, Tensor((frequencies, frames, 2), dtype)),
        stating(
            "the window and the hop are positive and frames fit",
            Spectrum(samples, frequencies, frames, attrs),
        ),
    )


@STFT.clause
def batch_of_signals(data, window, out, attrs):
    batch, samples, frequencies, frames, dtype = fresh(5)
    return lall(
        eq(data, Tensor((batch, samples), dtype)),
        eq(out, Tensor((batch, frequencies, frames, 2), dtype)),
        stating(
            "the window and the hop are positive and frames fit",
            Spectrum(samples, frequencies, frames, attrs),
        ),
    )


operator("dft", "re_data, im_data", DFT, "inverse: bool = False")
operator(
    "stft",
    "data, window",
    STFT,
    "n_fft: int = -1; hop_length: int = -1; win_length: int = -1; normalized: bool = False; onesided: bool = True",
)
