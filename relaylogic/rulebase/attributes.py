"""Attributes of operators, declared in one line of text.

A declaration reads `strides: list = (1, 1); groups: int = 1; channels: dim = None; out_dtype: dtype`. An attribute
without a default is required: TVM always writes it. Where TVM's Python API has a default for one, `axes: list ?= None`
says what it is when it is left out; `roi: floats = None ?= (0.0, 0.0)`, where no call has the default that is
registered. Kinds: `int`, `bool`, `float`, `str`, `dtype` (a dtype's text, "" for void), and the ones that may be
undefined (None): `integer` (an int), `dim` (an int or `?`), `list` (a tuple of ints and extents), `floats` (a list of
numbers), `expr` (a Relay expression), `object` (anything).

Behind a kind may stand what a call that leaves the attribute open ranges over (`relaylogic.rulebase.open_attributes`):
`int[-4..]`, `int[axis]` (a place in a shape), `list[..]` (any sign), `list[0.. or None]` (None may stand in it),
`list[2]` and `list[1|2|4]` (of so many elements), `list[pairs]`, `list[axes]` (each once, ascending), `list[order]`
(each once), `object[sections]` (a number, or an ascending list), `str[ij|xy]`, `str[layout NCHW]` (these axes in any
order).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any

from ..types import ANY

__all__ = ["REQUIRED", "Attribute", "as_term", "parse_attributes"]

REQUIRED: Any = object()

# Lists of which TVM's Python API takes a single integer: for a list of one, and for a list with a value for each axis.
_ONE = frozenset({"axis", "newshape", "shape", "kernel_size"})
_FOR_EACH_AXIS = frozenset({"pool_size", "strides", "padding", "dilation", "output_padding"})

_KINDS = {
    "int": "an integer",
    "bool": "True or False",
    "float": "a number",
    "str": "a string",
    "dtype": 'a dtype such as "float32"',
    "integer": "an integer or None",
    "dim": "an integer, ? or None",
    "list": "a list or None",
    "floats": "a list of numbers or None",
    "expr": "an expression",
    "object": "any value",
}


class Attribute:
    """The declaration of one attribute.

    `default` is what TVM registers; `omitted` is its value in a call that leaves it out, which may be known where there
    is no default. `universe`, as it is declared: `choices` are the values of a text, `least` is the least number (None:
    of any sign), `lengths` are those of lists (None: any), `holds_none` says whether None may stand in a list,
    `holds_unknown` whether `?` may, which is an extent: not where numbers are places or counts.
    `has_as_it_is` are the classes of values that the attribute has as they are (`accepted`), of tuples if all that
    stands in them are integers.
    """

    __slots__ = (
        "choices", "default", "filled", "has_as_it_is", "holds_none", "holds_unknown", "kind", "least", "lengths",
        "name", "omitted", "universe",
    )  # fmt: skip

    def __init__(
        self, name: str, kind: str, default: Any = REQUIRED, omitted: Any = REQUIRED, universe: str = ""
    ) -> None:
        if kind not in _KINDS:
            raise ValueError(f"`{kind}` is no kind of attribute; the kinds are {', '.join(_KINDS)}")
        numbers = universe.removesuffix(" or None") if kind == "list" else universe
        self.holds_none = numbers != universe
        self.lengths = tuple(map(int, numbers.split("|"))) if kind == "list" and _LENGTHS.fullmatch(numbers) else None
        self.holds_unknown = numbers in ("", "axis") or self.lengths is not None
        self.choices, self.least = _universe(kind, "" if self.lengths else numbers)
        if self.choices is not None and "" in (default, omitted):
            self.choices = ("", *self.choices)
        self.universe = universe
        self.name = name
        self.kind = kind
        self.has_as_it_is = _AS_IT_IS.get(kind, frozenset())
        self.default = default
        self.omitted = default if omitted is REQUIRED else omitted
        self.filled = as_term(self.omitted)  # what a call has that leaves it out

    @property
    def required(self) -> bool:
        """Whether TVM has no default for the attribute, and always writes it."""
        return self.default is REQUIRED

    @property
    def may_be_omitted(self) -> bool:
        """Whether a call may leave the attribute out."""
        return self.omitted is not REQUIRED

    @property
    def takes_integer(self) -> bool:
        """Whether an integer stands for a list of it, as in TVM's Python API: `axis=1`, `strides=2`."""
        if self.kind != "list":
            return False
        return self.name in _ONE or (self.name in _FOR_EACH_AXIS and isinstance(self.omitted, tuple))

    @property
    def is_spatial(self) -> bool:
        """Whether a list that an integer stands for has a value for each axis of space."""
        return self.name not in _ONE or self.name == "kernel_size"

    @property
    def is_axis(self) -> bool:
        """Whether it is an axis, or a list of some, each of which says the same of shapes of one rank if it is counted
        from the end."""
        return self.universe in ("axis", "axes")

    @property
    def accepts(self) -> str:
        """What the attribute accepts, in words."""
        return _KINDS[self.kind]

    def __repr__(self) -> str:
        written = "" if self.required else f" = {self.default!r}"
        if self.may_be_omitted and self.omitted != self.default:
            written += f" ?= {self.omitted!r}"
        universe = f"[{self.universe}]" if self.universe else ""
        return f"{self.name}: {self.kind}{universe}{written}"


_LENGTHS = re.compile(r"[0-9]+(\|[0-9]+)*")
_SPECIAL = frozenset({("list", "axes"), ("list", "order"), ("list", "pairs"), ("object", "sections")})
_SPECIAL |= {("int", "axis"), ("integer", "axis")}


def _universe(kind: str, text: str) -> tuple[tuple[str, ...] | None, int | None]:
    """What a declared universe says: the values of a text, the least number."""
    word, _, axes = text.partition(" ")
    if kind == "str" and word == "layout":
        return tuple(map("".join, permutations(axes))), 0
    if kind == "str" and text:
        return tuple(text.split("|")), 0
    if kind in ("int", "integer", "list") and text.endswith(".."):
        start = text.removesuffix("..")
        return None, int(start) if start else None
    if text and (kind, text) not in _SPECIAL:
        raise ValueError(f"`{kind}[{text}]` is no universe of an attribute")
    return None, 0


def parse_attributes(text: str) -> dict[str, Attribute]:
    """Read a declaration (see the module's docstring). Raises ValueError if it is malformed."""
    declared: dict[str, Attribute] = {}
    for part in text.replace("\n", " ").split(";"):
        if not part.strip():
            continue
        attribute = _attribute(part)
        if attribute.name in declared:
            raise ValueError(f"attribute `{attribute.name}` is declared twice")
        declared[attribute.name] = attribute
    return declared


@lru_cache(1024)
def _attribute(text: str) -> Attribute:
    """The attribute that one part of a declaration says. Operators repeat a few hundred, which are read once."""
    stated, is_omitted, omitted = text.partition("?=")
    head, is_registered, default = stated.partition("=")
    name, colon, kind = head.partition(":")
    kind, _, universe = kind.strip().removesuffix("]").partition("[")
    name = name.strip()
    if not colon or not name.isidentifier():
        raise ValueError(f"`{text.strip()}` does not declare an attribute; write `name: kind = default`")
    registered = _literal(default.strip()) if is_registered else REQUIRED
    left_out = _literal(omitted.strip()) if is_omitted else REQUIRED
    return Attribute(name, kind, registered, left_out, universe)


@lru_cache(256)
def _literal(text: str) -> Any:
    """The value that a text says. Declarations repeat a few of them, which are read once."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise ValueError(f"the default `{text}` is no literal of Python") from None


def as_term(value: Any) -> Any:
    """An attribute as a term: lists as tuples, mappings as sorted tuples of pairs, so that attributes are hashable.

    The notations that JSON needs are read: `{"int64": 3}` is 3, `{"float": "inf"}` a float, "?" in a list `ANY`.
    """
    if isinstance(value, (list, tuple)):
        return tuple(ANY if item == "?" else as_term(item) for item in value)
    if isinstance(value, Mapping):
        if set(value) == {"int64"}:
            return value["int64"]
        if set(value) == {"float"}:
            return float(value["float"])
        return tuple(sorted((str(key), as_term(item)) for key, item in value.items()))
    return value


_NONE = type(None)
_AS_IT_IS = {
    "int": frozenset({int}),
    "bool": frozenset({bool}),
    "float": frozenset({float}),
    "str": frozenset({str}),
    "integer": frozenset({int, _NONE}),
    "dim": frozenset({int, _NONE}),
    "list": frozenset({tuple, _NONE}),
    "floats": frozenset({tuple, _NONE}),
    "expr": frozenset({_NONE}),
    "object": frozenset({int, str, bool, float, tuple, _NONE}),
}
"""Kinds of attributes with the classes of values that they have as they are (`Attribute.has_as_it_is`)."""
