"""Parts of ONNX models that graphs of plain nodes lack: graphs in nodes, functions of the model, types that are no
tensors, weights that are sparse, kept elsewhere or damaged.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from onnx import TensorProto, TypeProto, helper

__all__ = ["with_part"]

_PLACES = ["weights.bin", "/etc/passwd", "../weights.bin", "", "a/../../b", "名", "\x00", "." * 300]
_LENGTHS = ["0", "8", "-1", "99999999999999999999", "x", ""]
_KINDS = [TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING, TensorProto.INT8, 0, 99]
_DIMS = [0, 1, 2, 3, -1, 2**31, 2**62]


def _names(model: Any) -> list[str]:
    """The values of a graph."""
    body = model.graph
    made = [name for node in body.node for name in node.output if name]
    return [item.name for item in (*body.input, *body.initializer) if item.name] + made or ["x0"]


def _shape(random: Random) -> list[Any]:
    return [random.choice([1, 2, 3, "N", None]) for _ in range(random.randrange(4))]


def _value(name: str, random: Random) -> Any:
    if random.random() < 0.3:
        return helper.make_empty_tensor_value_info(name)
    return helper.make_tensor_value_info(name, random.choice(_KINDS[:3]), _shape(random))


def _body(name: str, taken: list[Any], outer: list[str], count: int, random: Random) -> Any:
    """A graph with so many results, which may use what is around it."""
    known = [item.name for item in taken] + outer
    nodes = []
    for index in range(random.randint(1, 3)):
        op = random.choice(["Add", "Mul", "Identity", "Relu", "Concat", "Shape", "Constant", "Less", "MatMul"])
        given = [random.choice(known) for _ in range({"Constant": 0, "Add": 2, "Mul": 2, "Less": 2}.get(op, 1))]
        more: dict[str, Any] = {"value_ints": [1, 2]} if op == "Constant" else {}
        nodes.append(helper.make_node(op, given, [f"{name}{index}"], **more))
        known.append(f"{name}{index}")
    results = [_value(random.choice(known), random) for _ in range(count)]
    return helper.make_graph(nodes, name, taken, results)


def _conditional(model: Any, random: Random) -> None:
    names = _names(model)
    count = random.choice([1, 1, 2])
    branches = [_body(f"{side}_", [], names, random.choice([count] * 4 + [0]), random) for side in ("then", "else")]
    attrs = dict(zip(("then_branch", "else_branch"), branches, strict=True))
    if random.random() < 0.1:
        del attrs["else_branch"]
    _use(model, helper.make_node("If", [random.choice(names)], [f"if{i}" for i in range(count)], **attrs))


def _loop(model: Any, random: Random) -> None:
    names = _names(model)
    taken = [_value(name, random) for name in ("trip", "going", "state")[: random.choice([3, 3, 3, 1])]]
    body = _body("loop_", taken, names, random.choice([1, 2, 2, 3]), random)
    given = [random.choice([*names, ""]), random.choice([*names, ""]), random.choice(names)]
    _use(model, helper.make_node("Loop", given, ["looped", "scanned"][: random.randint(1, 2)], body=body))


def _scan(model: Any, random: Random) -> None:
    names = _names(model)
    body = _body("scan_", [_value("carried", random), _value("item", random)], names, 2, random)
    attrs = {"body": body, "num_scan_inputs": random.choice([1, 1, 0, 2, -1, 2**40])}
    _use(model, helper.make_node("Scan", [random.choice(names), random.choice(names)], ["last", "all"], **attrs))


def _function(model: Any, random: Random) -> None:
    """Functions that call each other, themselves too now and then."""
    count = random.randint(1, 3)
    for index in range(count):
        op, domain = random.choice([("Relu", ""), ("Add", ""), (f"f{random.randrange(count)}", "mine")])
        nodes = [helper.make_node(op, ["a"] * (2 if op == "Add" else 1), ["b"], domain=domain)]
        if random.random() < 0.3:
            nodes.append(helper.make_node("If", ["a"], ["b"], then_branch=_body("t", [], ["a"], 1, random)))
        imports = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
        made = helper.make_function("mine", f"f{index}", ["a"], ["b"], nodes, imports[: random.randint(1, 2)])
        model.functions.append(made)
    if random.random() < 0.9:
        model.opset_import.append(helper.make_opsetid("mine", 1))
    name = f"f{random.choice([0, 0, 0, count])}"
    _use(model, helper.make_node(name, [random.choice(_names(model))], ["called"], domain="mine"))


def _sparse(model: Any, random: Random) -> None:
    values = helper.make_tensor("sparse", TensorProto.FLOAT, [2], [1.0, 2.0])
    indices = helper.make_tensor("places", TensorProto.INT64, [2], [0, random.choice([1, 5, -1])])
    made = helper.make_sparse_tensor(values, indices, [random.choice(_DIMS)])
    if random.random() < 0.5:
        model.graph.sparse_initializer.append(made)
    else:
        node = helper.make_node("Constant", [], ["thin"])
        node.attribute.append(helper.make_attribute("sparse_value", made))
        _use(model, node)


def _elsewhere(model: Any, random: Random) -> None:
    """A weight whose elements are in another file."""
    tensor = model.graph.initializer.add()
    tensor.name, tensor.data_type = "far", random.choice(_KINDS)
    tensor.dims.extend(random.choice(_DIMS) for _ in range(random.randrange(3)))
    tensor.data_location = TensorProto.EXTERNAL
    for key, values in (("location", _PLACES), ("offset", _LENGTHS), ("length", _LENGTHS), ("checksum", _LENGTHS)):
        if random.random() < 0.6:
            tensor.external_data.add(key=key, value=random.choice(values))
    _use(model, helper.make_node(random.choice(["Identity", "Shape", "NonZero"]), ["far"], ["from_far"]))


def _damaged(model: Any, random: Random) -> None:
    """A weight whose elements are not those that its type says."""
    tensor = model.graph.initializer.add()
    tensor.name, tensor.data_type = "spoiled", random.choice(_KINDS)
    tensor.dims.extend(random.choice(_DIMS) for _ in range(random.randrange(4)))
    kind = random.randrange(4)
    if kind == 0:
        tensor.raw_data = bytes(random.randrange(20))
    elif kind == 1:
        tensor.float_data.extend([1.0, float("nan"), float("inf")][: random.randrange(4)])
    elif kind == 2:
        tensor.int32_data.extend([1, -(2**31), 2**31 - 1][: random.randrange(4)])
    else:
        tensor.string_data.append(b"\xff\x00")
    names = ["spoiled", random.choice(_names(model))]
    random.shuffle(names)
    _use(model, helper.make_node(random.choice(["Add", "Reshape", "Expand", "Gather", "Tile"]), names, ["of_spoiled"]))


def _typed(model: Any, random: Random) -> None:
    """An input that is no tensor."""
    value = model.graph.input.add()
    value.name = "other"
    type_ = value.type
    for _ in range(random.choice([1, 1, 2, 3, 60])):
        kind = random.choice(["sequence_type", "optional_type", "map_type", "sparse_tensor_type"])
        if kind == "map_type":
            type_.map_type.key_type = random.choice(_KINDS)
            type_ = type_.map_type.value_type
        elif kind == "sparse_tensor_type":
            type_.sparse_tensor_type.elem_type = random.choice(_KINDS)
            break
        else:
            type_ = getattr(type_, kind).elem_type
    else:
        type_.CopyFrom(random.choice([helper.make_tensor_type_proto(1, _shape(random)), TypeProto()]))
    op = random.choice(["SequenceAt", "Identity", "SequenceLength", "OptionalGetElement", "ConcatFromSequence", "Relu"])
    _use(model, helper.make_node(op, ["other", *(["x0"] if op == "SequenceAt" else [])], ["of_other"]))


def _named(model: Any, random: Random) -> None:
    """Names that are odd, empty, or there already."""
    body = model.graph
    name = random.choice(["", "a b", '"', "名", "%x", "main", "\n", "a" * 3000, random.choice(_names(model))])
    item = random.choice([*body.input, *body.output, *body.initializer])
    item.name = name
    if random.random() < 0.5:
        body.name = name


def _use(model: Any, node: Any) -> None:
    """The node is part of the graph, and its first result one of the graph's."""
    model.graph.node.append(node)
    if node.output:
        model.graph.output.append(helper.make_empty_tensor_value_info(node.output[0]))


_PARTS: list[Callable[[Any, Random], None]] = [
    *(_conditional, _loop, _scan, _function, _sparse, _elsewhere, _damaged, _typed, _named, _conditional)
]


def with_part(model: Any, random: Random) -> None:
    """Add one such part to a model."""
    random.choice(_PARTS)(model, random)
