"""Arrays under the names of `tvm.nd`: what constants are made of, and parameters of programs are bound to."""

from __future__ import annotations

from typing import Any, NamedTuple

from .constants import NDArray, const

__all__ = ["Device", "NDArray", "array", "cpu"]


class Device(NamedTuple):
    """Where TVM would keep an array; of no concern to types."""

    device_type: str
    device_id: int = 0


def cpu(dev_id: int = 0) -> Device:
    """The processor, to be named where TVM's users name it."""
    return Device("cpu", dev_id)


def array(arr: Any, device: Device | None = None) -> NDArray:
    """The elements of a number, of nested lists, or of an array, whose dtype stays as it is.

    Raises RelayLogicError for what is no tensor.
    """
    if isinstance(arr, NDArray):
        return arr
    if not hasattr(arr, "dtype"):
        return NDArray(const(arr))
    return NDArray(const(arr.copy() if hasattr(arr, "copy") else arr, str(arr.dtype)))
