"""Usual calls of operators, as Relay programs: those for which programs are made when the package is installed.

A program answers calls of all extents and natural attributes, mostly of all dtypes, and whatever the attributes are
that its relation does not look at. So one call of each form is enough: what differs is ranks, which extents are `?`,
what is annotated, and the attributes that are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product

from .axes import calls_of_axes, calls_that_broadcast
from .dynamic import calls_of_dynamic_operators, calls_of_unknown_extents
from .explained import explained_calls, explained_chains
from .layers import quantised_layers, usual_layers
from .operators import calls_at_places, calls_of_operators
from .sequences import calls_of_sequences

__all__ = ["explained_programs", "usual_programs"]

TOGETHER = 400
"""So many functions are one program."""

MOST_AXES = 4
"""Of usual calls, those of one tensor that has no more axes are explained ahead: others have many forms."""

SHAPES = "", "12", "6, 12", "6, 12, 24", "6, 12, 24, 24", "6, 12, 24, 24, 24"
"""A shape of each rank."""
UNKNOWN = "?", "?, ?", "?, ?, 12", "?, 12, ?, ?", "?, ?, ?, 12"
"""Shapes of which little is known: of vectors, sequences and images."""

ONE_TENSOR = {
    "nn.relu(%0)": (0, 1, 2, 3, 4, 5),
    "nn.batch_flatten(%0)": (2, 3, 4, 5),
    "nn.dropout(%0)": (2, 3, 4),
    "nn.lrn(%0)": (4,),
    "transpose(%0)": (2, 3),
    "mean(%0)": (1, 2, 3, 4),
    **{f'cast(%0, dtype="{dtype}")': (0, 1, 2, 3, 4) for dtype in ("float32", "int32", "int64", "bool")},
    **{f'cast(%0, dtype="{dtype}")': (0, 1, 2, 4) for dtype in ("int8", "uint8", "float16", "float64")},
}
"""Calls of one tensor of float32, and the ranks that it has."""

TWO_TENSORS = {
    "add(%0, %1)": tuple(product(range(6), range(6))),
    "less(%0, %1)": tuple((rank, other) for rank in range(5) for other in {0, 1, rank}),
}
"""Calls of two tensors of float32, and the ranks that they have."""


def usual_programs() -> Iterator[str]:
    """Programs of functions that make a usual call each."""
    functions = dict.fromkeys(_functions())
    numbered = [f"def @usual{i}{function}\n" for i, function in enumerate(functions)]
    for first in range(0, len(numbered), TOGETHER):
        yield "".join(numbered[first : first + TOGETHER])


def explained_programs() -> Iterator[str]:
    """Programs of a function each, whose types somebody asks to explain: of calls with attributes, one of each form."""
    usual = (*calls_of_operators(), *calls_of_axes(), *calls_at_places(), *calls_of_sequences())
    few = [one for one in usual if "=" in one.call and [shape.count(",") < MOST_AXES for shape in one.shapes] == [True]]
    functions = [_function(call, shapes) for call, shapes in (*explained_calls(), *few)]
    forms = {_form(function): function for function in reversed(functions)}
    chains = [_function(call, shapes, weights) for call, shapes in explained_chains() for weights in (True, False)]
    for function in dict.fromkeys((*forms.values(), *chains)):
        yield f"def @usual{function}\n"


def _form(function: str) -> str:
    """A function without its numbers: how what it gives depends on these is told by one program."""
    return re.sub("-?[0-9]+", "0", function)


def _functions() -> Iterator[str]:
    for call, ranks in ONE_TENSOR.items():
        for rank in ranks:
            yield from _with_any_batch(call, (SHAPES[rank],))
    for shape in UNKNOWN:
        yield _function("nn.relu(%0)", (shape,))
        yield _function("add(%0, %0)", (shape,))
        yield _function("add(%0, 1f)", (shape,))
    for call, several in TWO_TENSORS.items():
        for ranks in several:
            yield from _with_any_batch(call, tuple(", ".join(["8"] * rank) for rank in ranks))
    for layer in usual_layers():
        yield from _with_any_batch(layer.call, (layer.data, *layer.weights), len(layer.weights))
        if layer.weights:
            yield _function(layer.call, (layer.data, *layer.weights), weights=False)
        yield _function(layer.call, (layer.only_channels or layer.data, *layer.weights))
    for call, shapes in quantised_layers():
        yield _function(call, shapes)
    for usual in chain(calls_of_operators(), calls_of_axes(), calls_of_dynamic_operators()):
        yield from _with_any_batch(*usual)
    for usual in chain(calls_at_places(), calls_of_sequences(), calls_of_unknown_extents()):
        yield _function(*usual)
    for usual in calls_that_broadcast():
        yield _function(*usual)


def _with_any_batch(call: str, shapes: Sequence[str], weights: int = 0) -> Iterator[str]:
    """A call of tensors of float32, and the same where the first extent of each is `?`, but for the last `weights`."""
    yield _function(call, shapes)
    data = shapes[: len(shapes) - weights]
    if any("," in shape for shape in data):
        opened = [re.sub(r"^[0-9]+,", "?,", shape) for shape in data]
        yield _function(call, (*opened, *shapes[len(data) :]))


def _function(call: str, shapes: Sequence[str], weights: bool = True) -> str:
    """A function that makes a call; without `weights`, only the first tensor has a type."""
    used = {i: f": Tensor[({shape}), float32]" for i, shape in enumerate(shapes) if f"%{i}" in call}
    parameters = ", ".join(f"%a{i}{type_ if weights or not i else ''}" for i, type_ in used.items())
    return f"({parameters}) {{ {call.replace('%', '%a')} }}"
