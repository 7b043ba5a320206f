"""What might be meant where a reference is made, read or written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...ir import RefRead, RefWrite
from ...types import RefType, TupleType
from ..refusals.differences import compatible
from .around import Around, Meant
from .edits import known_of

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["of_reference"]


def of_reference(node: Any, needed: Any, without: Inference, around: Around) -> Iterator[Meant]:
    """Another reference of the program that is read or written, another value that is written, or neither read nor
    made, but taken as it is.

    Nobody means what would leave a variable unused, unless something else is.
    """
    if type(node) is RefWrite:
        written = known_of(node.value, without)
        if type(written) is RefType and compatible(written.value, known_of(node.ref, without)):
            yield Meant(TupleType(()), None, "the reference and what is written to it exchanged here")
        for other, name in _others(node.ref, around):
            if type(other) is RefType and compatible(other.value, written):
                yield Meant(TupleType(()), None, f"{name} written to here", "", (), True)
        held = known_of(node.ref, without)
        for other, name in _others(node.value, around) if type(held) is RefType else ():
            if compatible(other, held.value):
                yield Meant(TupleType(()), None, f"{name} as what is written here", "", (), True)
        return
    if type(node) is RefRead:
        for other, name in _others(node.ref, around):
            if type(other) is RefType and compatible(other.value, needed):
                yield Meant(other.value, None, f"{name} read here", "", (), True)
    own = known_of(node.ref if type(node) is RefRead else node.value, without)
    if type(own) is not RefType and compatible(own, needed):
        yield Meant(own, None, "its argument in place of this", left_out=True)


def _others(part: Any, around: Around) -> Iterator[tuple[Any, str]]:
    """The types of other values that have names, with these: of those that nobody uses, if `part` is used once."""
    is_shared = around.uses(part) > 1
    return ((other, name) for other, name in around.bound.items() if name and (is_shared or other in around.spare))
