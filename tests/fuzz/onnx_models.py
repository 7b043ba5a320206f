"""ONNX models: those that the package onnx ships, and graphs of its nodes, mutated; what must hold of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import onnx
from onnx import TensorProto, helper

from relaylogic.api import infer
from relaylogic.errors import RelayLogicError
from relaylogic.frontend import from_onnx
from relaylogic.frontend.onnx_operators import CONVERTERS
from tests.frontend.models import DATA, SIMPLE

from .broken import demand
from .kinds import Case, Kind
from .onnx_parts import with_part
from .relay_texts import inferred, says

__all__ = ["ONNX"]

LARGEST = 20_000
UNARY = [
    "Relu",
    "Neg",
    "Sigmoid",
    "Exp",
    "Identity",
    "Softmax",
    "Shape",
    "Flatten",
    "Transpose",
    "Abs",
    "Not",
    "Floor",
    "LeakyRelu",
    "Erf",
    "Sign",
    "GlobalAveragePool",
    "Size",
    "NonZero",
    "LogSoftmax",
    "HardSwish",
    "Sqrt",
    "Clip",
]
BINARY = [
    "Add",
    "Mul",
    "Sub",
    "Div",
    "MatMul",
    "Pow",
    "Equal",
    "Less",
    "Gemm",
    "Reshape",
    "Gather",
    "Expand",
    "Concat",
    "Tile",
    "Squeeze",
    "Unsqueeze",
    "ReduceSum",
    "Conv",
    "Max",
    "And",
    "Mod",
    "PRelu",
    "GatherND",
    "Split",
]
TERNARY = ["Where", "Slice", "Pad", "Conv", "Gemm", "Range", "ScatterND", "ScatterElements", "Clip", "OneHot"]
ATTRIBUTES: list[tuple[str, Any]] = [
    ("axis", 0),
    ("axis", 1),
    ("axis", -1),
    ("axis", 7),
    ("perm", [1, 0]),
    ("perm", [0, 2, 1]),
    ("keepdims", 0),
    ("axes", [0]),
    ("axes", [-1]),
    ("strides", [2, 2]),
    ("kernel_shape", [3, 3]),
    ("pads", [1, 1, 1, 1]),
    ("group", 2),
    ("auto_pad", "SAME_UPPER"),
    ("to", 1),
    ("to", 7),
    ("to", 99),
    ("alpha", 0.5),
    ("transA", 1),
    ("transB", 1),
    ("allowzero", 1),
    ("num_outputs", 2),
    ("split", [1, 1]),
    ("start", 1),
    ("end", -1),
    ("dilations", [2, 2]),
]
NUMBERS = [0, 1, 2, 3, 5, -1, -2, 7, 10**6, 2**40, -(2**63), 2**63 - 1]


@cache
def shipped() -> list[bytes]:
    """The small models that the package onnx ships."""
    others = [
        path for folder in ("pytorch-operator", "pytorch-converted") for path in sorted(DATA.glob(f"{folder}/*/*.onnx"))
    ]
    return [data for path in [*SIMPLE, *others] if len(data := path.read_bytes()) <= LARGEST]


def graph(random: Random) -> Any:
    """A model of some nodes in a row."""
    names, inputs, weights = [], [], []
    for i in range(random.randint(1, 3)):
        shape = [random.choice([1, 2, 3, 4, "N", "M", None]) for _ in range(random.choice([0, 1, 2, 2, 3, 4]))]
        kind = random.choice([TensorProto.FLOAT] * 4 + [TensorProto.INT64, TensorProto.BOOL])
        inputs.append(helper.make_tensor_value_info(f"x{i}", kind, shape))
        names.append(f"x{i}")
    for i in range(random.randrange(3)):
        values = [random.choice([0, 1, 2, 3, -1, 4]) for _ in range(random.randint(1, 3))]
        weights.append(helper.make_tensor(f"w{i}", TensorProto.INT64, [len(values)], values))
        names.append(f"w{i}")
    nodes = []
    for i in range(random.randint(1, 6)):
        count = random.choice([1, 1, 2, 2, 2, 3])
        op = random.choice({1: UNARY, 2: BINARY, 3: TERNARY}[count])
        if random.random() < 0.15:
            op = random.choice([name for name in CONVERTERS if "." not in name])
        given = [random.choice([*names, *names[-2:]]) for _ in range(count)]
        attrs = dict(random.sample(ATTRIBUTES, random.choice([0, 0, 1, 2])))
        outputs = [f"y{i}"] if op != "Split" else [f"y{i}", f"z{i}"]
        nodes.append(helper.make_node(op, given, outputs, **attrs))
        names += outputs
    results = [helper.make_empty_tensor_value_info(names[-1])]
    if random.random() < 0.2:
        results = [helper.make_tensor_value_info(names[-1], TensorProto.FLOAT, [None, 3])]
    made = helper.make_graph(nodes, "g", inputs, results, initializer=weights)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", random.choice([7, 11, 13, 17, 18, 21]))])


def mutated(model: Any, random: Random) -> None:
    """Change something of a model."""
    body = model.graph
    kind = random.randrange(11)
    node = random.choice(body.node) if body.node else None
    if kind == 0 and node is not None and node.attribute:
        spoil_attribute(random.choice(node.attribute), random)
    elif kind == 1 and len(body.node) > 1:
        del body.node[random.randrange(len(body.node))]
    elif kind == 2 and node is not None and node.input:
        names = [name for other in body.node for name in (*other.input, *other.output)] + ["", "nowhere"]
        node.input[random.randrange(len(node.input))] = random.choice(names)
    elif kind == 3 and node is not None:
        node.op_type = random.choice([*UNARY, *BINARY, *TERNARY, *CONVERTERS])
    elif kind == 4 and body.input:
        spoil_type(random.choice(body.input), random)
    elif kind == 5 and body.output:
        spoil_type(random.choice(body.output), random)
    elif kind == 6 and body.initializer:
        tensor = random.choice(body.initializer)
        if random.random() < 0.5:
            tensor.dims.extend([random.choice(NUMBERS)])
        else:
            tensor.data_type = random.randrange(25)
    elif kind == 7:
        for item in model.opset_import:
            item.version = random.choice([1, 5, 9, 11, 13, 18, 23, 0, -1, 999])
    elif kind == 8 and node is not None:
        name, value = random.choice(ATTRIBUTES)
        node.attribute.append(helper.make_attribute(name, value))
    elif kind == 9 and node is not None:
        body.node.append(node)
    elif node is not None:
        if random.random() < 0.5:
            node.output.append(random.choice(["", "more", *node.output]))
        elif node.input:
            node.input.pop()


def spoil_attribute(attribute: Any, random: Random) -> None:
    kind = random.randrange(4)
    if kind == 0:
        attribute.i = random.choice(NUMBERS)
    elif kind == 1:
        attribute.ints.append(random.choice(NUMBERS))
    elif kind == 2 and attribute.ints:
        attribute.ints[random.randrange(len(attribute.ints))] = random.choice(NUMBERS)
    else:
        attribute.type = random.randrange(1, 15)


def spoil_type(value: Any, random: Random) -> None:
    type_ = value.type.tensor_type
    kind = random.randrange(4)
    if kind == 0:
        type_.elem_type = random.randrange(25)
    elif kind == 1:
        type_.shape.dim.add().dim_value = random.choice(NUMBERS)
    elif kind == 2 and type_.shape.dim:
        type_.shape.dim[random.randrange(len(type_.shape.dim))].dim_param = random.choice(
            ["N", "a b", "", "N + 1", "名"]
        )
    else:
        value.type.Clear()


def made(random: Random) -> bytes:
    """A model's bytes; few have bytes of their own changed."""
    if random.random() < 0.5:
        model = graph(random)
    else:
        model = onnx.ModelProto.FromString(random.choice(shipped()))
    for _ in range(random.choice([0, 0, 0, 0, 0, 0, 1, 2])):
        with_part(model, random)
    for _ in range(random.choice([0, 0, 0, 0, 1, 2, 4])):
        mutated(model, random)
    data = bytearray(model.SerializeToString(deterministic=True))
    if random.random() < 0.03:
        for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
    if random.random() < 0.02:
        del data[random.randrange(len(data)) :]
    return bytes(data)


def check(case: Case, thorough: bool) -> str:
    """Demand all invariants of a model; how inference ended."""
    assert isinstance(case, bytes)
    try:
        module = from_onnx(case)
    except RelayLogicError as problem:
        demand(bool(str(problem)), "errors have a text")
        return "not converted"
    return inferred(module, thorough)


def summary(case: Case) -> str:
    """What is said of a model, its errors and its residue too."""
    assert isinstance(case, bytes)
    try:
        return json.dumps(says(infer(from_onnx(case))))
    except RelayLogicError as problem:
        return str(problem)


def _listed(model: Any, name: str) -> Any:
    return getattr(model if name == "functions" else model.graph, name)


def shorter(case: Case) -> Iterator[Case]:
    """The model without some of its nodes, weights, inputs, results and attributes."""
    assert isinstance(case, bytes)
    for name in ("node", "initializer", "sparse_initializer", "input", "output", "value_info", "functions"):
        try:
            model = onnx.ModelProto.FromString(case)
        except Exception:  # whatever protobuf raises for bytes that are no model
            return
        for index in range(len(_listed(model, name))):
            model = onnx.ModelProto.FromString(case)
            del _listed(model, name)[index]
            yield model.SerializeToString(deterministic=True)
    model = onnx.ModelProto.FromString(case)
    for place, node in enumerate(model.graph.node):
        for index in range(len(node.attribute)):
            copied = onnx.ModelProto.FromString(case)
            del copied.graph.node[place].attribute[index]
            yield copied.SerializeToString(deterministic=True)


ONNX = Kind("onnx", ".onnx", made, check, summary, shorter)
