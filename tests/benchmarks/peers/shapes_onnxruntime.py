"""The extents that onnxruntime's symbolic shape inference finds; run by `test_onnx_shapes`, with onnxruntime and sympy.

Reads JSON: a list of `[name, path of the model, points]`, a point being the values of the model's symbols. Writes JSON:
for each name the CPU seconds and, for each tensor, its extents: an int, a list of the values at the points, or None for
what is a symbol of its own.
"""

import json
import logging
import sys
import time

import onnx
import sympy
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

logging.disable(logging.CRITICAL)


def inferred(model):
    """What `infer_shapes` does, which throws away what it found if that is not everything."""
    inference = SymbolicShapeInference(2**31 - 1, False, False, 0)
    inference._preprocess(model)
    while inference.run_:
        inference._infer_impl()
    return inference.known_vi_


def extent(dim, points):
    if dim.HasField("dim_value"):
        return dim.dim_value
    if not dim.dim_param:
        return None
    names = {name: sympy.Symbol(name, integer=True, nonnegative=True) for name in points[0]}
    try:
        expression = sympy.sympify(dim.dim_param, locals=names)
    except (sympy.SympifyError, SyntaxError, TypeError):
        return None
    if not expression.free_symbols <= set(names.values()):
        return None
    return [int(expression.subs({names[name]: value for name, value in point.items()})) for point in points]


def main():
    found = {}
    for name, path, points in json.load(sys.stdin):
        model = onnx.load(path)
        start = time.process_time()
        try:
            known = inferred(model)
        except Exception as problem:
            found[name] = {"failed": f"{type(problem).__name__}: {problem}"}
            continue
        spent = time.process_time() - start
        shapes = {
            tensor: [extent(dim, points) for dim in value.type.tensor_type.shape.dim]
            for tensor, value in known.items()
            if value.type.WhichOneof("value") == "tensor_type" and value.type.tensor_type.HasField("shape")
        }
        found[name] = {"seconds": spent, "shapes": shapes}
    json.dump(found, sys.stdout)


main()
