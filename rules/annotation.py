"""Annotations: what a pass writes into a program for another pass changes no type."""

from relaylogic.logic import cons, eq, fresh, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .identity import Identity
from .shapes import scalar

for name in ("bitpack_start", "bitpack_end", "checkpoint", "stop_fusion"):
    operator(f"annotation.{name}", "data", Identity)
for name in ("compiler_begin", "compiler_end"):
    operator(f"annotation.{name}", "data", Identity, "compiler: str = ''")
operator("annotation.cast_hint", "data", Identity, "dtype: dtype = ''")
operator("annotation.with_funcid", "func", Identity, "fid: object = None")
operator("device_copy", "data", Identity, "src_virtual_device: object = None; dst_virtual_device: object = None")
operator(
    "on_device",
    "body",
    Identity,
    "virtual_device: object = None; constrain_result: bool = False; constrain_body: bool = True",
)


@relation
def SimulatedQuantize(data, dom_scale, clip_min, clip_max, out):
    """Data as it would be after quantisation; scale and bounds are float32 scalars."""


@SimulatedQuantize.clause
def as_if_quantised(data, dom_scale, clip_min, clip_max, out):
    return lall(
        stating("the data has an axis", eq(data, Tensor(cons(fresh(), fresh()), fresh()))),
        stating(
            "scale and bounds are float32 scalars",
            *(scalar(t, "float32") for t in (dom_scale, clip_min, clip_max)),
        ),
        eq(out, data),
    )


operator(
    "relay.op.annotation.simulated_quantize",
    "data, dom_scale, clip_min, clip_max",
    SimulatedQuantize,
    "axis: int[axis] = -1; kind: integer = None; sign: bool = True; rounding: str[round|UPWARD|TONEAREST] = 'round'",
)
