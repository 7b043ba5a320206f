"""Usual calls whose types somebody asks to explain, with the attributes that those give who write networks to files.

To know which of these force a type, it is asked what a call comes to where some of them are left open: for each choice
of these a program is made; where only its dtype is asked for, all that are numbers are left open. Of a call in a text,
`%0`, `%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator

from .axes import Usual

__all__ = ["explained_calls", "explained_chains"]

SHAPES = "12", "6, 12", "6, 12, 24", "6, 12, 24, 24", "6, 12, 24, 24, 24"
"""A shape of each rank from 1 on."""

OTHERS = (
    ("nn.dense(%0, %1, units=4)", "6, 8", "4, 8"),
    ("nn.pad(%0, %1, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]])", "6, 8, 12, 12", ""),
    ("transpose(%0, axes=[1, 0])", "6, 12"),
    ("squeeze(%0, axis=[1])", "6, 1, 12"),
    ("squeeze(%0, axis=[2])", "6, 8, 1, 12"),
    ("squeeze(%0, axis=[2, 3])", "6, 8, 1, 1"),
    ("concatenate((%0, %1), axis=1)", "6, 8", "6, 4"),
    ("concatenate((%0, %1), axis=1)", "6, 8, 12, 12", "6, 4, 12, 12"),
    ("reshape(%0, newshape=[6, -1])", "6, 8, 2, 2"),
    ("nn.depth_to_space(%0, block_size=2)", "6, 8, 12, 12"),
    ('nn.depth_to_space(%0, block_size=2, mode="CRD")', "6, 8, 12, 12"),
    ("nn.space_to_depth(%0, block_size=2)", "6, 8, 12, 12"),
)
"""Calls with the shapes of their tensors."""

ROW = "6, 8, 12, 1"
"""A shape whose last extent is one."""

CHAINS = (
    *(
        (f"add(%0, {one})", shape, *([shape] if "%" in one else []))
        for shape in (*SHAPES[:4], ROW)
        for one in ("1f", "%1")
    ),
    ("maximum(2f, %0)", ROW),
    ("maximum(2f, %0)", "6, 8, 12, 12"),
    ("nn.relu(nn.bias_add(nn.dense(nn.batch_flatten(%0), %1, units=4), %2, axis=-1))", "6, 8, 3, 3", "4, 72", "4"),
    (
        "nn.bias_add(nn.dense(nn.relu(nn.bias_add(%0, %1, axis=-1)), %2, units=4), %3, axis=-1)",
        "6, 8",
        "8",
        "4, 8",
        "4",
    ),
    ("add(nn.dense(%0, transpose(%1, axes=[1, 0]), units=4), %2)", "6, 8", "8, 4", "4"),
    ("add(nn.dense(transpose(%0, axes=[1, 0]), %1, units=4), %2)", "8, 6", "4, 8", "6, 4"),
    ("nn.pad(%0, %1, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]])", "6, 8, 12, 12", ""),
)
"""The same of calls that take what others give, of which less is known where something else is left out."""


def explained_calls() -> Iterator[Usual]:
    """Calls of tensors of float32."""
    for dimensions in (1, 2, 3):
        yield from _convolutions(dimensions)
        window = f"pool_size={_list('2', dimensions)}, strides={_list('2', dimensions)}"
        for kind in ("max", "avg"):
            padding = _list("0", 2 * dimensions)
            yield Usual(f"nn.{kind}_pool{dimensions}d(%0, {window}, padding={padding})", (SHAPES[dimensions + 1],))
    for rank, shape in enumerate(SHAPES, 1):
        yield Usual("clip(%0, a_min=0f, a_max=6f)", (shape,))
        yield Usual(f"expand_dims(%0, axis={rank - 1})", (shape,))
        if rank > 1:
            yield Usual("nn.batch_norm(%0, %1, %2, %3, %4, epsilon=0.001f)", (shape, *("12",) * 4))
            for axis, units in ((1, shape.split(", ")[1]), (-1, shape.split(", ")[-1])):
                yield Usual(f"nn.bias_add(%0, %1, axis={axis})", (shape, units))
            yield Usual(f"transpose(%0, axes=[{', '.join(map(str, (0, *range(rank - 1, 0, -1))))}])", (shape,))
            yield Usual(f"nn.softmax(%0, axis={rank - 1})", (shape,))
    for call, *shapes in OTHERS:
        yield Usual(call, tuple(shapes))


def explained_chains() -> Iterator[Usual]:
    """Calls of calls of tensors of float32."""
    for call, *shapes in CHAINS:
        yield Usual(call, tuple(shapes))


def _convolutions(dimensions: int) -> Iterator[Usual]:
    data, kernel = f"6, 8{', 12' * dimensions}", ", 3" * dimensions
    given = f"strides={_list('2', dimensions)}, padding={_list('1', 2 * dimensions)}"
    for groups, named in ((1, ""), (2, ", groups=2")):
        attributes = f"{given}{named}, channels=4, kernel_size={_list('3', dimensions)}"
        yield Usual(f"nn.conv{dimensions}d(%0, %1, {attributes})", (data, f"4, {8 // groups}{kernel}"))
        yield Usual(f"nn.conv{dimensions}d_transpose(%0, %1, {attributes})", (data, f"8, {4 // groups}{kernel}"))


def _list(number: str, times: int) -> str:
    return f"[{', '.join([number] * times)}]"
