"""Values that TVM's public functions put in for operands that the caller left out or wrote as bare numbers."""

from __future__ import annotations

from typing import Any

__all__ = ["complete", "number_dtype"]

_ROI = {"image.resize1d": 2, "image.resize2d": 4, "image.resize3d": 6, "dyn.image.resize2d": 4}
"""How many numbers describe the region of interest."""

_DTYPES = {"iou_threshold": "float32", "score_threshold": "float32", "max_output_size": "int32"}


def complete(name: str, given: dict[str, Any]) -> None:
    """Put in what an operator needs and the caller did not say."""
    if name in _ROI and given.get("roi") is None:
        given["roi"] = [0.0] * _ROI[name]
    if name.startswith("random."):
        for operand in ("low", "high", "mean", "scale"):
            if isinstance(given.get(operand), (int, float)):
                from ..expr import const

                given[operand] = const(given[operand], given["out_dtype"])


def number_dtype(operator: str, operand: str) -> str | None:
    """The dtype of a bare number given for an operand, or None for that of the number."""
    if operator == "vision.all_class_non_max_suppression" and operand == "max_output_boxes_per_class":
        return "int32"
    return _DTYPES.get(operand)
