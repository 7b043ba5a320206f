"""Builds ResNet-50 from its published architecture and writes it as Relay text.

He, Zhang, Ren, Sun, "Deep residual learning for image recognition" (2016), table 1, with the projection shortcut (B):
a 7x7 stem, four stages of 3, 4, 6 and 3 bottleneck blocks (1x1, 3x3, 1x1 convolutions, each followed by batch
normalisation), average pooling and a classifier. Weights are left without annotation: their types are what inference
is to find.

    python examples/build_resnet.py > examples/resnet50.relay
"""

from __future__ import annotations

import sys

from relaylogic.ir import Call, Expr, Function, IRModule, Op, TupleGetItem, Var
from relaylogic.text import astext
from relaylogic.types import TensorType


class Builder:
    """Collects the parameters of a network while its layers are put together."""

    def __init__(self) -> None:
        self.parameters: list[Var] = []

    def parameter(self, name: str, annotation: object = None) -> Var:
        """A new parameter of the network."""
        self.parameters.append(Var(name, annotation))
        return self.parameters[-1]

    def convolution(self, data: Expr, name: str, channels: int, kernel: int, stride: int = 1) -> Expr:
        """A convolution that keeps the extents but for the stride, and batch normalisation."""
        attrs = {
            "strides": (stride, stride),
            "padding": (kernel // 2,) * 4,
            "channels": channels,
            "kernel_size": (kernel, kernel),
        }
        convolved = Call(Op("nn.conv2d"), [data, self.parameter(f"{name}_weight")], attrs)
        statistics = [self.parameter(f"{name}_bn_{part}") for part in ("gamma", "beta", "mean", "var")]
        return TupleGetItem(Call(Op("nn.batch_norm"), [convolved, *statistics], {"epsilon": 1e-5}), 0)


def relu(data: Expr) -> Expr:
    """The rectifier."""
    return Call(Op("nn.relu"), [data])


def bottleneck(builder: Builder, data: Expr, name: str, channels: int, stride: int, project: bool) -> Expr:
    """A residual block of three convolutions."""
    inner = relu(builder.convolution(data, f"{name}_conv1", channels, 1))
    inner = relu(builder.convolution(inner, f"{name}_conv2", channels, 3, stride))
    inner = builder.convolution(inner, f"{name}_conv3", 4 * channels, 1)
    shortcut = builder.convolution(data, f"{name}_shortcut", 4 * channels, 1, stride) if project else data
    return relu(Call(Op("add"), [inner, shortcut]))


def resnet50(batch: int = 1, classes: int = 1000) -> IRModule:
    """The network on images of 224 x 224."""
    builder = Builder()
    data: Expr = builder.parameter("data", TensorType((batch, 3, 224, 224), "float32"))
    data = relu(builder.convolution(data, "stem", 64, 7, stride=2))
    pooling = {"pool_size": (3, 3), "strides": (2, 2), "padding": (1, 1, 1, 1)}
    data = Call(Op("nn.max_pool2d"), [data], pooling)
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            stride = 2 if stage > 0 and block == 0 else 1
            data = bottleneck(builder, data, f"stage{stage + 1}_block{block + 1}", 64 << stage, stride, block == 0)
    data = Call(Op("nn.batch_flatten"), [Call(Op("nn.global_avg_pool2d"), [data])])
    data = Call(Op("nn.dense"), [data, builder.parameter("fc_weight")], {"units": classes})
    data = Call(Op("nn.bias_add"), [data, builder.parameter("fc_bias")], {"axis": -1})
    data = Call(Op("nn.softmax"), [data])
    module = IRModule()
    module.add("main", Function(builder.parameters, data))
    return module


if __name__ == "__main__":
    sys.stdout.write(astext(resnet50()))
