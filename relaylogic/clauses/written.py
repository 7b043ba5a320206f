"""What the terms of clauses are as they are written, whatever their variables stand for."""

from __future__ import annotations

import re
from functools import lru_cache

from ..types.dtypes import CUSTOM
from .syntax import ClauseError, Syntax

__all__ = [
    "ARITHMETIC_WORDS",
    "A_KIND",
    "COMPARISONS",
    "CONSTANTS",
    "NUMBERS",
    "TwoThings",
    "contents",
    "in_words",
    "is_dtype",
    "is_no_list",
    "is_tensor",
    "is_text_or_truth",
    "is_type_call",
    "is_value",
    "is_variable",
    "names_type",
    "variable_of",
    "wrong_number",
]

COMPARISONS = frozenset({"<", "<=", ">", ">="})
ARITHMETIC_WORDS = {
    "prod": "prod(shape)",
    "sum": "sum(shape)",
    "len": "len(list)",
    "min": "min(n, m)",
    "max": "max(n, m)",
    "elements": "elements(T)",
}
"""The words of arithmetic, and how each is written. Operators may have the names, too: see `Kinds.applies`."""
CONSTANTS = frozenset({"true", "false", "fail", "none", "True", "False", "None"})
_DTYPE = re.compile(
    rf"(?:(?:bool|handle|void|e4m3_float8|e5m2_float8|(?:int|uint|float|bfloat)[0-9]+)(?:x[0-9]+)?|{CUSTOM})\Z"
)
A_KIND = {
    "shape": "a shape",
    "type": "a type",
    "types": "a list of types",
    "list": "a list",
    "dim": "an extent",
    "number": "a number",
    "dtype": "a dtype",
}
"""How what a variable stands for is called."""
NUMBERS = frozenset({"number", "unknown", "operation", "negative"})
"""The kinds of terms that are numbers."""


@lru_cache(maxsize=4096)
def is_dtype(name: str) -> bool:
    """Whether a name is a dtype."""
    return _DTYPE.match(name) is not None


@lru_cache(maxsize=4096)
def is_variable(name: str) -> bool:
    """Whether a name that stands for itself is a variable: it is no dtype, no constant and no attribute."""
    if name[0] in "%@":
        return True
    return "." not in name and name not in CONSTANTS and name not in ("attrs", "_") and not is_dtype(name)


def variable_of(node: Syntax) -> str | None:
    """The name of a variable, or what stands for it in place of `_`, which is another one wherever it is written."""
    if node.kind != "name":
        return None
    if node.value == "_":
        return f"_ {node.span.start}"
    return node.value if is_variable(node.value) else None


def is_value(node: Syntax) -> bool:
    """Whether a term is a text, true, false or none: the value of an attribute, and nothing that types are made of."""
    return node.kind == "string" or (node.kind == "name" and node.value in CONSTANTS)


def is_text_or_truth(node: Syntax) -> bool:
    """Whether a term is a text, or true or false: as values of attributes, but `none`, which a list may be instead."""
    return node.kind == "string" or (node.kind == "name" and node.value in ("true", "false", "True", "False"))


def is_no_list(node: Syntax) -> bool:
    """Whether a term is none, whatever its variables stand for."""
    if node.kind == "subscript":
        return is_tensor(node.items[0])
    literals = {*NUMBERS, "function"}
    return node.kind in literals or is_value(node) or (node.kind == "name" and is_dtype(node.value))


def is_tensor(base: Syntax) -> bool:
    """Whether what stands before a subscript makes that a tensor type."""
    return base.kind == "name" and bool(base.value == "Tensor")


def contents(index: Syntax) -> tuple[Syntax, ...]:
    """What stands between the brackets of a subscript, split at its commas."""
    if index.kind == "slice":
        raise ClauseError("a slice cannot stand here", index.span)
    inner = index.items[0]
    return inner.items if inner.kind == "conjunction" else (inner,)


def is_type_call(node: Syntax) -> bool:
    """Whether a subscript applies a data type, as in `List[a]`: its name is capitalised and it is no index."""
    base, index = node.items
    if base.kind != "name" or not names_type(base.value) or index.kind == "slice":
        return False
    arguments = contents(index)
    if not arguments:
        return True
    first = arguments[0]
    return len(arguments) > 1 or (
        first.kind not in ("number", "negative") and not (first.kind == "name" and first.value.startswith("attrs."))
    )


def names_type(name: str) -> bool:
    """Whether a name may be that of a data type: it is capitalised, whatever says where it is defined."""
    return name.rpartition(".")[2][0].isupper() and not name.startswith("attrs.")


class TwoThings(ClauseError):
    """The variable `name` stands for two things: the same error whichever was learned first."""

    def __init__(self, node: Syntax, name: str, *kinds: str) -> None:
        first, second = in_words(*kinds)
        super().__init__(f"`{name}` stands for {first} and for {second}", node.span)
        self.name = name


def in_words(*kinds: str) -> list[str]:
    """How what stands for some kinds is called, in one order."""
    others = {"truth": "true or false", "value": "the value of an attribute"}
    return [words for kind, words in {**A_KIND, **others}.items() if kind in kinds]


def wrong_number(name: str, wanted: int, given: int, node: Syntax) -> ClauseError:
    """The error for a data type that is applied to more or fewer arguments than it has parameters."""
    takes = "1 type argument" if wanted == 1 else f"{wanted or 'no'} type arguments"
    found = f"{given or 'none'} {'are' if given > 1 else 'is'} given"
    return ClauseError(f"`{name}` takes {takes}, but {found}", node.span)
