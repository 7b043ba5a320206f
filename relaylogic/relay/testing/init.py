"""A network as a module with values for its parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir import Expr, IRModule
from ...types import TensorType
from ..constants import NDArray
from ..nd import array
from ..transform import InferType

__all__ = ["create_workload"]


def create_workload(
    net: Expr, initializer: Callable[[str, Any], Any] | None = None, seed: int = 0
) -> tuple[IRModule, dict[str, NDArray]]:
    """A module of a network whose types are inferred, and values for its parameters, except for `data`.

    Values are drawn at random, unless `initializer(name, array)` writes others. Raises TypeInferenceError; TypeError
    for a parameter that is no tensor of known extents.
    """
    import numpy

    mod = InferType()(IRModule.from_expr(net))
    random, params = numpy.random.default_rng(seed), {}
    for variable in mod["main"].params:
        if variable.name_hint != "data":
            found = variable.checked_type
            if type(found) is not TensorType:
                raise TypeError(f"values are drawn for tensors, and `%{variable.name_hint}` is {found}")
            values = random.random(found.concrete_shape).astype(found.dtype)
            if initializer is not None:
                initializer(variable.name_hint, values)
            params[variable.name_hint] = array(values)
    return mod, params
