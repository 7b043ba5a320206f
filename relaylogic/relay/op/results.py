"""How many results the operators with several of them have, as far as the arguments tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import said
from ...ir.plain import plain

__all__ = ["result_count"]

_Given = Mapping[str, Any]


def _sections(given: _Given) -> int | None:
    sections = plain(given["indices_or_sections"])
    if isinstance(sections, tuple):
        return len(sections) + 1
    if not isinstance(sections, int):
        raise TypeError(f"`indices_or_sections` is a number or a list of numbers, which {said(sections)} is not")
    return sections


def _operands(given: _Given) -> int | None:
    return len(given["data"]) if hasattr(given["data"], "__len__") else None


def _both(given: _Given) -> int | None:
    return 2 if given.get("ret_type", "both") == "both" else None


_COUNTS: dict[str, int | Callable[[_Given], int | None]] = {
    "dft": 2,
    "dyn.topk": _both,
    "meshgrid": _operands,
    "nn.batch_norm": 3,
    "nn.sparse_transpose": 3,
    "sparse_fill_empty_rows": 3,
    "sparse_reshape": 2,
    "split": _sections,
    "topk": _both,
    "unique": lambda given: 5 if given.get("return_counts") else 4,
    "vision.all_class_non_max_suppression": lambda given: 2 if given.get("output_format", "onnx") == "onnx" else 3,
    "vision.get_valid_counts": 3,
    "vision.multibox_transform_loc": 2,
    "vision.non_max_suppression": lambda given: 2 if given.get("return_indices", True) else None,
    "vision.regular_non_max_suppression": 4,
}


def result_count(name: str, given: _Given) -> int | None:
    """The number of results of a call, or None for one result (or if only inference can tell)."""
    count = _COUNTS.get(name)
    return count(given) if callable(count) else count
