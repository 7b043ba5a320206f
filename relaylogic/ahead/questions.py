"""Usual questions about types that are partly open: queries, and programs (which begin with `fn`). For the calls that
come up in them, programs that say their ways are made when the package is installed (`ways`).

A program says the ways of calls of all extents from 2 on, so what differs is ranks, which extents are open, and the
attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

__all__ = ["LARGEST", "LARGEST_RANK", "is_program", "usual_questions"]

LARGEST, LARGEST_RANK = 16, 4
"""No extent, and no rank, is larger in the answers."""
EXTENTS = (2, 3, 4, 2)
IMAGES = "_, _, _, _"
CALLS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    *((f"nn.bias_add(%x0, %x1{axis})", ("_, _", "_"), "2, 3") for axis in ("", ", axis=-1")),
    ("nn.bias_add(%x0, %x1)", (IMAGES, "_"), "2, 3, 4, 4"),
    ("nn.bias_add(%x0, %x1, axis=-1)", ("_, _, _", "_"), "2, 3, 4"),
    ("nn.batch_norm(%x0, %x1, %x2, %x3, %x4).0", (IMAGES, *"____"), "2, 3, 4, 4"),
    ("nn.layer_norm(%x0, %x1, %x2)", ("_, _", "_", "_"), "2, 3"),
    ("nn.layer_norm(%x0, %x1, %x2)", ("_, _, _", "_", "_"), "2, 3, 4"),
    *(
        (
            f"nn.{kind}_pool2d(%x0, pool_size=[{n}, {n}], strides=[2, 2], padding=[{p}, {p}, {p}, {p}])",
            (IMAGES,),
            "2, 3, 4, 4",
        )
        for kind, (n, p) in product(("max", "avg"), ((2, 0), (3, 1)))
    ),
    ("nn.global_avg_pool2d(%x0)", (IMAGES,), "2, 3, 1, 1"),
    ("nn.batch_flatten(%x0)", (IMAGES,), "2, 12"),
    ("squeeze(%x0, axis=[1])", ("_, _, _",), "2, 3"),
    ("expand_dims(%x0, axis=0)", ("_",), "1, 3"),
    ("expand_dims(%x0, axis=0)", ("_, _",), "1, 2, 3"),
    ("expand_dims(%x0, axis=1)", ("_, _",), "2, 1, 3"),
    ("stack((%x0, %x1), axis=0)", ("_, _", "_, _"), "2, 2, 3"),
    ("stack((%x0, %x1), axis=1)", ("_, _", "_, _"), "2, 2, 3"),
    ("mean(%x0, axis=[1])", ("_, _, _",), "2, 4"),
    ("mean(%x0, axis=[1], keepdims=True)", ("_, _, _",), "2, 1, 4"),
    ("mean(%x0, axis=[-1], keepdims=True)", ("_, _, _",), "2, 3, 1"),
    ("add(%x0, nn.relu(%x1))", (IMAGES, IMAGES), "2, 3, 4, 4"),
    ("less(%x0, %x1)", ("_", "_"), ""),
    ("less(%x0, %x1)", ("_, _", "_, _"), ""),
    ("where(less(%x0, %x1), %x0, %x1)", ("_, _", "_, _"), "2, 3"),
    (
        "nn.batch_matmul(nn.softmax(nn.batch_matmul(%x0, %x1)), transpose(%x2, axes=[0, 2, 1]))",
        ("2, _, _",) * 3,
        "2, 3, 4",
    ),
)
"""Calls in programs: the extents of their tensors, and of the result, if that may be given."""
TOGETHER = 8
"""So many operands are joined at most."""


def usual_questions() -> Iterator[str]:
    """The questions."""
    yield from _broadcasts()
    yield from _open_ranks()
    yield from _layers()
    yield from _products()
    yield from _windows()
    yield from _convolutions()
    yield from _of_one()
    yield from _of_layers()
    yield from _joins()
    yield from _parts()
    yield from _elements()


def is_program(question: str) -> bool:
    """Whether a question asks for the typings of a program."""
    return question.startswith("fn ")


def _broadcasts() -> Iterator[str]:
    """Operands of which some extents are known, in chains, and operands of which nothing is."""
    for a, b, c in product("a14", "b14", "c14"):
        yield f"BroadcastDim({a}, {b}, {c})"
    ranks = [_shape("", rank) for rank in range(len(EXTENTS) + 1)]
    for shape in ranks:
        for dtype in ("t", "float32"):
            yield f"Broadcast(Tensor[a, {dtype}], Tensor[b, {dtype}], Tensor[{shape}, {dtype}])"
            yield f"Broadcast(Tensor[{shape}, {dtype}], Tensor[b, {dtype}], Tensor[c, {dtype}])"
            yield f"Broadcast(Tensor[a, {dtype}], Tensor[{shape}, {dtype}], Tensor[c, {dtype}])"
    forms = [form for rank in range(3) for form in _forms(rank)]
    for a, b in product(forms, forms):
        yield _program((a, b), "add(%x0, %x1)")
        for c in _forms(max(a.count(","), b.count(",")) + 1 - (not a or not b)) if (a or b) else ("",):
            yield _program((a, b), "add(%x0, %x1)", c)
    for rank in (1, 2, 3):
        opened = ", ".join("_" * rank)
        for result in (None, *_forms(rank)):
            yield _program((opened,) * 3, "add(add(%x0, %x1), %x2)", result)


def _open_ranks() -> Iterator[str]:
    """Operands whose rank is open, of a result that is partly open; operands that have extents in common."""
    for rank in range(len(EXTENTS)):
        for extents in product("c12", repeat=rank):
            result = ", ".join(f"c{i}" if extent == "c" else extent for i, extent in enumerate(extents))
            yield f"BroadcastShapes(a, b, ({result}))"
            if "1" not in extents:
                yield f"add(Tensor[a, float32], Tensor[b, float32]) = Tensor[({result}), float32]"
    for operands in (("a", "b"), ("a", "a"), ("(n)", "b"), ("(n, m)", "b"), ("(n, m)", "(m)"), ("(n, m)", "(n, m)")):
        call = f"add({', '.join(f'Tensor[{shape}, float32]' for shape in operands)})"
        for result in ("(n, k)", "(k, m)", "(k)", "(2, 3)", "s"):
            yield f"{call} = Tensor[{result}, float32]"
            yield f"{call} = R, R = Tensor[{result}, float32]"
    for body in ("add(%x0, %x1)", "add(%x0, add(%x1, %x2))", "add(add(%x0, %x1), %x2)"):
        yield from (_typed("_" * 3, body, result) for result in (None, "(2)", "(2, 3)", "(_, _)"))


def _layers() -> Iterator[str]:
    """Products of matrices that are partly open, with a bias and without."""
    for data, weight, result in product(_forms(2), _forms(2), (None, *_forms(2))):
        yield _program((data, weight), "nn.dense(%x0, %x1)", result)
        yield _program((data, weight), "nn.matmul(%x0, %x1)", result)
    for data, bias, result in product(_forms(2), _forms(1), (None, *_forms(2))):
        yield _program((data, "_, _", bias), "add(nn.dense(%x0, %x1), %x2)", result)
        yield _program((data, "_, _", bias), "nn.bias_add(nn.dense(%x0, %x1, units=3), %x2)", result)
        two = "nn.dense(nn.relu(add(nn.dense(%x0, %x1), %x2)), %x3)"
        yield _program((data, "_, _", bias, "_, _"), two, result)
    for data, result in product(_forms(3), (None, *_forms(3))):
        yield _program((data, "_, _, _"), "nn.batch_matmul(%x0, %x1)", result)


def _products() -> Iterator[str]:
    """Products of matrices that have an extent in common, in which any may be open."""
    for n, k, m in product("n2", "k3", "m4"):
        for dtype, result in product(("t", "float32"), (None, "(2, 4)")):
            data, weight = f"Tensor[({n}, {k}), {dtype}]", f"Tensor[({m}, {k}), {dtype}]"
            given = "R" if result is None else f"Tensor[{result}, {dtype}]"
            yield f"nn.dense({data}, {weight}) = {given}"
            yield f"nn.matmul({data}, Tensor[({k}, {m}), {dtype}]) = {given}"
        for batch, other in (("b", "b"), ("b", "c"), ("2", "b")):
            several = f"Tensor[({batch}, {n}, {k}), float32], Tensor[({other}, {m}, {k}), float32]"
            for given in ("R", "Tensor[(2, 2, 4), float32]"):
                yield f"nn.batch_matmul({several}) = {given}"
    for data, weight in product(("(n, k)", "(2, k)"), ("(m, k)", "(n, n)", "(k, k)")):
        yield f"nn.dense(Tensor[{data}, float32], Tensor[{weight}, float32]) = Tensor[(p, q), float32]"


def _windows() -> Iterator[str]:
    """Convolutions of data whose plane is open, and perhaps its channels."""
    for batch, channels, stride, kernel in product((1, 2), ("c", "3"), (1, 2), (1, 3, 5, 7)):
        for padding, sizes in product(sorted({0, kernel // 2}), (f"{kernel}, {kernel}", "k, k", "k, l")):
            yield (
                f"nn.conv2d(Tensor[({batch}, {channels}, h, w), float32], Tensor[(4, {channels}, {sizes}), float32],"
                f" strides=({stride}, {stride}), padding=({padding}, {padding})) = Tensor[({batch}, 4, 4, 4), float32]"
            )


def _convolutions() -> Iterator[str]:
    """Programs of a convolution whose data and weights are partly open, and what is made of it."""
    weights = "4, 3, 3, 3", "_, _, 3, 3", "4, _, 3, 3", "4, _, _, _"
    for batch, channels, plane in product("12", "3_", ("4, 4", "_, _")):
        for weight, padding in product(weights, ("", ", padding=[1, 1]")):
            for result in (None, f"{batch}, 4, 2, 2"):
                body = f"nn.relu(nn.conv2d(%x0, %x1{padding}))"
                yield _program((f"{batch}, {channels}, {plane}", weight), body, result)


def _of_one() -> Iterator[str]:
    """Programs of a call of one tensor that is partly open."""
    for rank in range(1, len(EXTENTS) + 1):
        last = rank - 1
        calls = ["nn.relu(%x0)", "nn.softmax(%x0)", "transpose(%x0)"]
        calls += [f"{reduce}(%x0, axis=[{last}])" for reduce in ("sum", "mean", "max")]
        if rank > 1:
            calls.append("nn.batch_flatten(%x0)")
        if rank > 2:
            calls.append(f"transpose(%x0, axes={[0, *range(last, 0, -1)]})")
        if rank == 4:
            calls += [f"nn.{kind}_pool2d(%x0, pool_size=[2, 2], strides=[2, 2])" for kind in ("max", "avg")]
        forms = _opened(rank), _shape("_", rank, 0), _shape("_", rank, last)
        for call in calls:
            for shape, result in (*((form, None) for form in forms), *((forms[0], form) for form in forms)):
                yield _typed((shape,), call, result)


def _of_layers() -> Iterator[str]:
    """Programs of other calls whose tensors are open; of images the batch may be known, which is mostly 1."""
    for call, operands, result in CALLS:
        yield _program(operands, call)
        if result:
            yield _program(operands, call, result)
        for batch in "21" if operands[0] == IMAGES else "":
            known = tuple([f"{batch}{extents[1:]}" if extents == IMAGES else extents for extents in operands])
            yield _program(known, call)
            yield _program(known, call, f"{batch}{result[1:]}")


def _elements() -> Iterator[str]:
    """Lists of one number of elements."""
    for left, right in product(range(1, 4), range(1, 4)):
        opened = ", ".join("abc"[:left])
        for known in (", ".join(map(str, EXTENTS[:right])), ", ".join(["d", *map(str, EXTENTS[1:right])])):
            yield f"SameCount(({opened}), ({known}))"


def _joins() -> Iterator[str]:
    """Tensors that are joined at an axis, of which each has an open extent."""
    for rank in (1, 2, 3, 4):
        for axis, number in product(range(rank), range(2, TOGETHER + 1)):
            operands = (_shape(f"a{i}", rank, axis) for i in range(number))
            fields = ", ".join(f"Tensor[{shape}, float32]" for shape in operands)
            yield f"concatenate(({fields}), axis={axis}) = Tensor[{_shape('9', rank, axis)}, float32]"
            if number < 4:
                joined = f"concatenate(({', '.join(f'%x{i}' for i in range(number))}), axis={axis})"
                for result in (None, _shape("9", rank, axis)):
                    yield _typed((_shape("_", rank, axis),) * number, joined, result)


def _parts() -> Iterator[str]:
    """Tensors that are split at an axis into parts whose extents there are open."""
    for rank in (1, 2, 3):
        for axis, number in product(range(rank), (2, 3, 4)):
            sections = f"indices_or_sections={number}, axis={axis}"
            known = ", ".join(f"Tensor[{_shape(f'p{i}', rank, axis)}, float32]" for i in range(number))
            for parts in (known, ", ".join(f"P{i}" for i in range(number))):
                yield f"split(Tensor[{_shape('n', rank, axis)}, float32], {sections}) = ({parts})"
            for shape in (_shape("_", rank, axis), _opened(rank)):
                yield _typed((shape,), f"split(%x0, {sections})")


def _shape(extent: str, rank: int, place: int = -1) -> str:
    extents = [extent if i == place else str(number) for i, number in enumerate(EXTENTS[:rank])]
    return f"({', '.join(extents)})"


def _opened(rank: int) -> str:
    return f"({', '.join('_' * rank)})"


def _forms(rank: int) -> list[str]:
    """The extents of tensors, of which each is known or open."""
    return [", ".join(extents) for extents in product(*(("_", str(number)) for number in EXTENTS[:rank]))]


def _program(parameters: tuple[str, ...], body: str, result: str | None = None) -> str:
    return _typed(tuple([f"({extents})" for extents in parameters]), body, None if result is None else f"({result})")


def _typed(parameters: Sequence[str], body: str, result: str | None = None) -> str:
    """A function of tensors of such shapes."""
    types = ", ".join(f"%x{i}: Tensor[{shape}, float32]" for i, shape in enumerate(parameters))
    given = "" if result is None else f" -> Tensor[{result}, float32]"
    return f"fn ({types}){given} {{ {body} }}"
