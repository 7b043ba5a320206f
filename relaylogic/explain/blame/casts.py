"""A cast that may be missing: numbers that are integers are given beside numbers that are not.

Nothing tells a wrong dtype from a missing cast; so this is told besides, and changes nothing about what is blamed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...infer.sites.site import Site
from ...ir import Call, Constant, Op
from ...logic.terms.variables import fresh
from ...types import TensorType
from ..places.said import Said
from .edits import known_of
from .meant_calls import given

__all__ = ["missing_casts"]

_FLOATS = ("float", "bfloat")


def missing_casts(site: Site, said: Said, beside: Said) -> Iterator[str]:
    """Which cast, in words, of what a refused call of an operator takes makes a program right that has no other fault,
    `beside`: of one integer argument, but for a constant, to the only dtype of the others, which is one of floats."""
    call = site.expr
    if type(call) is not Call or type(call.op) is not Op:
        return
    inputs = tuple(known_of(argument, said.whole) for argument in call.args)
    at = [i for i in said.places.at(call) if said.places.all[i].kind == "call"]
    if not at or not all(type(own) is TensorType and type(own.dtype) is str for own in inputs):
        return
    for i, own in enumerate(inputs):
        others = {other.dtype for other in (*inputs[:i], *inputs[i + 1 :])}
        if own.dtype.startswith(_FLOATS) or len(others) != 1 or type(call.args[i]) is Constant:
            continue
        (dtype,) = others
        made = given(call, (*inputs[:i], TensorType(own.shape, dtype), *inputs[i + 1 :]), fresh(), said.whole)
        if made is None or not dtype.startswith(_FLOATS):
            continue
        mended = beside.mended(at[0], made)
        if not mended.refused(mended.all):
            yield f'`cast` with dtype="{dtype}" around argument {i + 1} of `{call.op.name}`'
