"""ONNX models with named extents: what we find against onnx with numbers, and beside onnxruntime's symbolic inference.

`pytest tests/benchmarks/test_onnx_shapes.py --benchmark-enable -s` prints the table. onnxruntime is run if this Python
has it and sympy, or the Python that RELAYLOGIC_ORT_PYTHON names has them. Where it and we differ on an extent, onnx is
asked with numbers; a difference is either explained by that, or by what stands in `LIMITS`, or fails the test.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import onnx
import pytest

from relaylogic.rulebase import default_rules
from tests.benchmarks.named_models import MODELS, WRITTEN, Found, found_for_numbers, points, prefix, shapes_of
from tests.effort import some

PEER = Path(__file__).parent / "peers" / "shapes_onnxruntime.py"
POINTS = 12

LIMITS = {
    ("attention", "y"): "Relay's reshape to the shape of another tensor has a result of unknown extents",
    ("padding as the result wants it", "a"): "Relay pads by numbers, which here depend on the extents",
}
"""What onnxruntime finds and we do not, and why: a model, and the tensor at which it begins."""

SAME, MORE, LESS, FORCED, REFUTED = "same", "ours only", "limit of ours", "refuted by us", "theirs wrong"


def whole(proto):
    """A model, all of whose tensors are results."""
    return prefix(proto, len(proto.graph.node))


@pytest.mark.parametrize("name", [*WRITTEN, *some(sorted(MODELS.keys() - WRITTEN.keys()), 3)])
def test_extents_with_names_are_those_with_numbers(name):
    """Our expressions have the values that onnx finds for numbers."""
    proto = MODELS[name]()
    found = Found(proto)
    compared = 0
    for point in some(points(proto, 2), 2):
        for tensor, wanted in found_for_numbers(prefix(proto, found.reached), point).items():
            for own, value in zip(found.extents(tensor, point), wanted) if tensor in found.shapes else ():
                if own is not None and value is not None:
                    assert own == value, (tensor, point)
                    compared += 1
    assert compared or (name, proto.graph.node[0].output[0]) in LIMITS


@pytest.mark.parametrize("name", ["squeezenet", "densenet121"])
def test_a_model_with_names(name, benchmark):
    proto = whole(MODELS[name]())
    shapes = benchmark.pedantic(lambda: shapes_of(proto), rounds=3)
    assert len(shapes) >= len(proto.graph.node)


def measured_peer(work):
    """What onnxruntime finds of `[name, path, points]`; None if it is not installed."""
    here = sys.executable if all(map(importlib.util.find_spec, ("onnxruntime", "sympy"))) else None
    python = os.environ.get("RELAYLOGIC_ORT_PYTHON") or here
    if python is None:
        return None
    command = [python, str(PEER)]
    result = subprocess.run(command, input=json.dumps(work), capture_output=True, text=True, check=True, timeout=600)
    return json.loads(result.stdout)


def test_the_peer(capsys, request, tmp_path):
    """One table: for each model how many extents each finds, in which time, and what becomes of the differences."""
    if not request.config.getoption("benchmark_enable"):
        return
    protos = {name: make() for name, make in MODELS.items()}
    work = []
    for name, proto in protos.items():
        onnx.save(proto, tmp_path / f"{name}.onnx")
        work.append([name, str(tmp_path / f"{name}.onnx"), points(proto, POINTS)])
    theirs = measured_peer(work)
    if theirs is None:
        pytest.skip("onnxruntime and sympy are not installed; RELAYLOGIC_ORT_PYTHON may name a Python that has them")
    default_rules()
    rows, notes, unexplained = [], [], []
    for name, proto in protos.items():
        model = whole(proto)
        start = time.process_time()
        shapes_of(model)
        spent = time.process_time() - start
        row = Comparison(name, proto, theirs[name])
        rows.append((name, spent, theirs[name].get("seconds", math.nan), row))
        notes += [f"{name}: {note}" for note in dict.fromkeys(row.notes)]
        unexplained += row.unexplained
    with capsys.disabled():
        kinds = (SAME, MORE, REFUTED, FORCED, LESS)
        print(
            f"\n{'':32}{'extents found by us (ms)':>26}{'by onnxruntime (ms)':>22}", *(f"{kind:>15}" for kind in kinds)
        )
        for name, ours, other, row in rows:
            counts = [f"{row.kinds[kind] or '':>15}" for kind in kinds]
            print(f"{name:32}{row.ours:>16}{ours * 1e3:>10.1f}{row.theirs:>12}{other * 1e3:>10.1f}", *counts)
        print(*notes, sep="\n")
    assert not unexplained


class Comparison:
    """The extents of the tensors that a model's nodes make, as we and the peer find them.

    `kinds` counts them by how they compare, `notes` says why they differ, `unexplained` lists those without a reason.
    """

    def __init__(self, name, proto, theirs):
        self.name, self.proto = name, proto
        self.points = points(proto, POINTS)
        self.found, self.other = Found(proto), theirs.get("shapes", {})
        self.kinds, self.notes, self.unexplained = Counter(), [theirs["failed"]] if "failed" in theirs else [], []
        self.ours = self.theirs = 0
        self.limited = set()
        self.truth = [found_for_numbers(prefix(proto, self.found.reached), point) for point in self.points]
        self.forced = self.found.reached < len(proto.graph.node) and self.is_forced()
        if self.forced:
            self.notes.append(f"nothing from here on: {self.found.why()}")
        for index, node in enumerate(proto.graph.node):
            for tensor in filter(None, node.output):
                self.compare(node, tensor, index < self.found.reached)

    def is_forced(self):
        """Whether onnx agrees that the first node that we refuse has no shape for some of the points."""
        node = self.proto.graph.node[self.found.reached]
        for point in self.points:
            try:
                shapes = found_for_numbers(prefix(self.proto, self.found.reached + 1), point)
            except onnx.shape_inference.InferenceError:
                return True
            data, result = shapes.get(node.input[0]), shapes.get(node.output[0])
            if node.op_type == "Reshape" and data and result and None not in data + result:
                if math.prod(data) != math.prod(result):
                    return True
        return False

    def compare(self, node, tensor, reached):
        """Compare the extents of a tensor."""
        other = self.other.get(tensor)
        own = [self.found.extents(tensor, point) for point in self.points] if tensor in self.found.shapes else None
        rank = len(own[0]) if own is not None else len(other or ())
        if own is not None and other is not None and len(other) != rank:
            self.unexplained.append((self.name, tensor, "rank"))
            return
        for place in range(rank):
            ours = None if own is None else [shape[place] for shape in own]
            ours = None if ours is None or None in ours else ours
            peers = None if other is None else other[place]
            peers = [peers] * POINTS if type(peers) is int else peers
            self.ours += ours is not None
            self.theirs += peers is not None
            if ours is None and peers is None:
                continue
            kind = self.kind(node, tensor, place, ours, peers) if reached or not self.forced else FORCED
            self.kinds[kind] += 1
            if kind is None:
                self.unexplained.append((self.name, tensor, place, ours, peers))

    def kind(self, node, tensor, place, ours, peers):
        """How two findings of one extent compare; None if that has no reason."""
        if ours == peers:
            return SAME
        if peers is None:
            return MORE
        if ours is not None:
            true = [shapes[tensor][place] if tensor in shapes else None for shapes in self.truth]
            right = None not in true and ours == true
            if right:
                self.notes.append(f"{node.op_type} is wrong in onnxruntime: `{tensor}` has {true}, not {peers}")
            return REFUTED if right else None
        reason = LIMITS.get((self.name, tensor))
        if reason is None and not self.limited & set(node.input):
            return None
        self.limited.update(node.output)
        self.notes.append(f"`{tensor}`: {reason or 'computed of that'}")
        return LESS
