"""Models of other formats under the names of `tvm.relay.frontend`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from ... import frontend
from ...frontend import ONNXError
from ...ir import IRModule
from ..absent import absent
from ..build_module import bind_params_by_name

__all__ = ["Imported", "ONNXError", "from_onnx"]


class Imported(IRModule):
    """A module made of a model. TVM's converters give a module and its parameters, so it is had as both, too:
    `mod, params = relay.frontend.from_onnx(model)`."""

    _model: Any = None

    def __iter__(self) -> Iterator[Any]:
        """The module, and the values of its weights by their names."""
        return iter((self, _weights(self._model, {variable.name_hint for variable in self["main"].params})))


def from_onnx(
    model: Any, shape: Mapping[str, Sequence[Any]] | None = None, dtype: Any = "float32", freeze_params: bool = False
) -> Imported:
    """The module of a model: a ModelProto, bytes, or the path of a file. Its `main` takes the model's inputs, and then
    its weights, which are constants in it if `freeze_params` is set.

    `shape` maps names of inputs to other shapes for them; their dtypes are those of the model, whatever `dtype` says.
    Raises ONNXError, LimitReached.
    """
    del dtype
    made = Imported()
    vars(made).update(vars(frontend.from_onnx(model, shape)))
    made._model = model
    if freeze_params:
        _, weights = made
        made["main"] = bind_params_by_name(made["main"], weights)
    return made


def _weights(model: Any, names: set[str]) -> dict[str, Any]:
    """The weights of these names; without those that are kept in other files, which are not read."""
    if model is None:
        return {}
    from ...frontend.onnx_load import load_model, onnx_package
    from ..nd import array

    onnx = onnx_package()
    kept = [tensor for tensor in load_model(model)[0].graph.initializer if tensor.name in names]
    inside = [tensor for tensor in kept if tensor.data_location != onnx.TensorProto.EXTERNAL]
    return {tensor.name: array(onnx.numpy_helper.to_array(tensor)) for tensor in inside}


def __getattr__(name: str) -> Any:
    if name == "common":
        return import_module(".common", __name__)
    raise absent("relay.frontend", name)
