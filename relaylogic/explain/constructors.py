"""Constructors that may be meant: one that is missing around a value, or another one of the same data type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..infer.schemes import substitute
from ..infer.store import Mismatch, Store
from ..ir import Constructor
from ..logic.terms import fresh
from ..logic.variables import VARIABLES
from ..types import TypeCall

if TYPE_CHECKING:
    from ..infer.program import Inference

__all__ = ["around_it", "siblings"]


def around_it(own: Any, needed: Any, inference: Inference) -> Iterator[tuple[str, Any]]:
    """The constructors that can be put around a value of type `own`, with the type that this has then.

    That is all known, and what is `needed`. What else a constructor takes is left open.
    """
    if own is None or type(own) in VARIABLES:
        return
    for definition in inference.module.type_definitions.values():
        for constructor in definition.constructors:
            for field in range(len(constructor.inputs)):
                made = _made(constructor, {field: own}, needed, inference)
                if made is not None:
                    yield constructor.name_hint, made


def siblings(constructor: Constructor, inputs: tuple[Any, ...], needed: Any, inference: Inference) -> Iterator[Any]:
    """The other constructors of the same data type that take some inputs, with the type of what they make of them."""
    definition = inference.module.type_definitions.get(constructor.belong_to)
    for other in () if definition is None else definition.constructors:
        if other is not constructor and len(other.inputs) == len(inputs):
            made = _made(other, dict(enumerate(inputs)), needed, inference)
            if made is not None:
                yield other.name_hint, made


def _made(constructor: Constructor, given: Mapping[int, Any], needed: Any, inference: Inference) -> Any:
    """The type of what a constructor makes of some fields; None if it does not take them, or that is not known."""
    parameters = inference.module.type_definitions[constructor.belong_to].type_vars
    instance = {parameter: fresh() for parameter in parameters}
    made = TypeCall(constructor.belong_to, tuple(instance.values()))
    store = Store()
    try:
        for field, own in given.items():
            store.unify(substitute(constructor.inputs[field], instance, []), own)
        store.unify(made, needed)
    except Mismatch:
        return None
    known = store.reify(made)
    return known if getattr(known, "ground", False) else None
