"""One place of a program that can be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...text.attribute_spans import AttributeSpans

__all__ = ["ITS_OWN", "Place"]

ITS_OWN = object()
"""Stands for the place of the node itself, or of the type that it is annotated with."""


@dataclass(eq=False, slots=True)
class Place:
    """One place of a program.

    `kind` is "annotation" (of the variable `node`), "attribute" (of the call `node`, by the name `attribute`), "result"
    (the result type of the function `node`), "pattern", "use" (of a variable, an operator or a constructor where a type
    is wanted, or where it is bound to another name, is what a function comes to, or what a match looks at), "condition"
    (that `node` is a bool), "demand" (what cannot be left out otherwise), or that of the expression `node`: "call",
    "constant", "function", "if", "match", "projection", "reference", "tuple".
    `owner` is the name of the function that it is in, `index` its number. `demand` is what the demand of a use or of a
    condition is known by; `wants` is what has the type that is wanted of a use: a function of its body, a branching of
    what it comes to, a variable of its value. `binds` is what a use without a demand gives its type: the variable of a
    let, a function, or the first arm of a match, which stands for what all arms take. `where` is what `span` is, or
    finds it when somebody asks.
    """

    kind: str
    node: Any
    where: Any
    owner: str
    index: int
    demand: Any = None
    attribute: str = ""
    binds: Any = None
    wants: Any = None

    @property
    def is_use(self) -> bool:
        """Whether it says that something is used where a type is wanted, which it gives nothing."""
        return self.kind in ("use", "condition")

    @property
    def written(self) -> Any:
        """The type that stands at an annotation or as a result type; None where no type does."""
        if self.kind == "annotation":
            return self.node.type_annotation
        return self.node.ret_type if self.kind == "result" else None

    @property
    def span(self) -> Any:
        """Where it stands; None for what was not read from a text."""
        where, node = self.where, self.node
        if where is ITS_OWN:
            return (node.type_span or node.span) if self.kind == "annotation" else node.span
        return where.of(node).get(self.attribute) if type(where) is AttributeSpans else where
