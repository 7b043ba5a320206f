"""Attributes of operators: declared in one line of text, checked and completed for every call.

A declaration reads `strides: list = (1, 1); groups: int = 1; channels: dim = None; out_dtype: dtype`. An attribute
without a default is required: TVM always writes it. Where TVM's Python API has a default for one, `axes: list ?= None`
says what it is when it is left out; `roi: floats = None ?= (0.0, 0.0)`, where no call has the default that is
registered. Kinds: `int`, `bool`, `float`, `str`, `dtype` (a dtype's text, "" for void), and the ones that may be
undefined (None): `integer` (an int), `dim` (an int or `?`), `list` (a tuple of ints and extents), `floats` (a list of
numbers), `expr` (a Relay expression), `object` (anything).

Behind a kind may stand what a call that leaves the attribute open ranges over (`relaylogic.rulebase.open_attributes`):
`int[-4..]`, `list[..]` (any sign), `list[0.. or None]` (None may stand in it), `list[2]` and `list[1|2|4]` (of so many
elements), `list[pairs]`, `list[axes]` (each once, ascending), `list[order]` (each once), `object[sections]` (a number,
or an ascending list), `str[ij|xy]`, `str[layout NCHW]` (these axes in any order).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any

from unification import Var

from ..errors import clipped, said
from ..logic.terms.flat import Record
from ..logic.terms.infix import Infix
from ..logic.terms.terms import Cons, Term, cons, is_ground
from ..logic.terms.variables import VARIABLES
from ..types import ANY, normal_dtype, show_dimension, show_shape
from ..types.attributes import attribute_text
from .attribute_keys import key_of
from .near import nearest

__all__ = [
    "Attribute",
    "AttributeProblem",
    "Attrs",
    "accepted",
    "as_term",
    "check_attributes",
    "keep_natural",
    "known_and_open",
    "left_out",
    "listed",
    "parse_attributes",
    "plain_attributes",
    "said_value",
]

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


class AttributeProblem(ValueError):
    """An attribute that the operator does not take, lacks, or cannot accept; `attribute` is its name."""

    def __init__(self, attribute: str, message: str) -> None:
        super().__init__(clipped(message))
        self.attribute = attribute

    def __reduce__(self) -> Any:
        return (type(self), (self.attribute, *self.args))


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
        self.holds_unknown = not numbers or self.lengths is not None
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


class Attrs(Record):
    """The attributes of one call: immutable, hashable, read as fields.

    `natural` is what the programs of a rule base know them by, once one was asked (`specialised.modes.Natural`).
    """

    __slots__ = ("_fields", "_key", "natural")

    def __init__(self, fields: Mapping[str, Any]) -> None:
        _set_fields(self, dict(fields))
        _set_key(self, None)
        keep_natural(self, None)

    @classmethod
    def owning(cls, fields: dict[str, Any]) -> Attrs:
        """The attributes of fields that nobody else holds."""
        made = cls.__new__(cls)
        _set_fields(made, fields)
        _set_key(made, None)
        keep_natural(made, None)
        return made

    def _parts(self) -> tuple[Any, ...]:
        return (self._fields,)

    @classmethod
    def _of_parts(cls, parts: tuple[Any, ...]) -> Attrs:
        return cls(parts[0])

    def __getattr__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"these attributes have no `{name}`") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("attributes are immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attrs) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def get(self, name: str, default: Any = None) -> Any:
        """The field `name`, or `default` if there is none."""
        return self._fields.get(name, default)

    def items(self) -> Any:
        """Names with values."""
        return self._fields.items()

    @property
    def key(self) -> Any:
        """What equals that of other attributes only if they are the same, in the same order."""
        key = self._key
        if key is None:  # of most attributes it is never asked for
            key = key_of(self._fields)
            _set_key(self, key)
        return key

    def replace(self, **changes: Any) -> Attrs:
        """A copy with some fields changed or added."""
        return Attrs({**self._fields, **changes})

    def only(self, *names: str) -> Attrs:
        """These attributes for a goal that reads no others than those with these names: where attributes are not
        known, it says nothing of the others."""
        return self

    def listed(self, name: str) -> tuple[Any, ...]:
        """The elements of the list `name`; none if it is None, or if it is not known how many there are."""
        value = self._fields[name]
        return value if type(value) is tuple else ()

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self._fields.items())


_set_fields, _set_key, keep_natural = [vars(Attrs)[name].__set__ for name in ("_fields", "_key", "natural")]


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
    return ast.literal_eval(text)


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


def _integers(attribute: Attribute, value: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list as the attribute has it: a truth value among its elements is the number that it is to Python.

    Raises ValueError if the list, or a pair in a list of pairs, holds anything but integers and extents.
    """
    if _INTEGERS.issuperset(map(type, value)):
        return value
    pairs = attribute.universe == "pairs"
    made: list[Any] = []
    for item in value:
        if pairs and type(item) is tuple:
            made.append(tuple([_integer(attribute, part) for part in item]))
        else:
            made.append(_integer(attribute, item))
    return tuple(made)


_INTEGERS = frozenset({int})


def _integer(attribute: Attribute, item: Any) -> Any:
    if item is ANY and not attribute.holds_unknown:
        raise ValueError("its elements are integers, not `?`")
    if isinstance(item, (int, Infix, Var)) or (item is None and attribute.holds_none):
        return int(item) if type(item) is bool else item
    raise ValueError(f"its elements are integers, not {_sort_of(item)}")


def _sort_of(item: Any) -> str:
    if item is ANY:
        return "`?`"
    known = {tuple: "lists", float: "floats", str: "texts", type(None): "None"}
    return known.get(type(item), f"of {type(item).__name__}")


def _numbers(value: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list of numbers. Raises ValueError if it holds anything else."""
    for item in value:
        if not isinstance(item, (int, float, Infix, Var)):
            raise ValueError(f"its elements are numbers, not {_sort_of(item)}")
    return value


def accepted(attribute: Attribute, value: Any) -> Any:
    """A value as the attribute has it. Raises ValueError if it is none that the attribute accepts."""
    kind = attribute.kind
    if isinstance(value, Mapping):
        value = as_term(value)
        if kind in ("list", "floats"):
            raise ValueError("a mapping is no list")
    if kind == "dim" and value == "?":
        value = ANY
    whole = isinstance(value, int)
    if kind in ("int", "integer") and (whole or (value is None and kind == "integer")):
        return None if value is None else int(value)
    if kind == "bool" and whole:
        return bool(value)
    if kind == "float" and isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            raise ValueError("a float is less than 10 ** 309") from None
    if kind == "str" and isinstance(value, str):
        return value
    if kind == "dtype" and isinstance(value, str):
        return normal_dtype(value)
    if kind == "dim" and (whole or value is None or value is ANY):
        return int(value) if whole else value
    if kind in ("list", "floats") and (value is None or isinstance(value, (list, tuple))):
        frozen = as_term(value)
        if frozen is None:
            return None
        return _numbers(frozen) if kind == "floats" else _integers(attribute, frozen)
    if kind in ("expr", "object"):
        frozen = as_term(value)
        try:
            hash(frozen)
        except TypeError as problem:
            raise ValueError(str(problem)) from None
        return frozen
    raise ValueError


def listed(value: Any, attribute: Attribute, declared: Mapping[str, Attribute]) -> tuple[Any, ...]:
    """The list that one number stands for where it is given for one."""
    return (value,) * (_repeated(attribute, declared) if attribute.takes_integer else 1)


def _repeated(attribute: Attribute, declared: Mapping[str, Attribute]) -> int:
    """How many values the list has that an integer stands for."""
    alike = declared.get("strides", attribute) if attribute.name == "kernel_size" else attribute
    spatial = attribute.name not in _ONE or attribute.name == "kernel_size"
    return len(alike.omitted) if spatial and isinstance(alike.omitted, tuple) else 1


def check_attributes(declared: Mapping[str, Attribute], given: Mapping[str, Any]) -> Attrs:
    """The complete attributes of a call that gives some of those declared.

    Raises AttributeProblem for one that is not declared, missing, not acceptable, or not known.
    """
    known, unknown = known_and_open(declared, given)
    for name in unknown:
        raise AttributeProblem(name, f"attribute `{name}` is not known")
    return known


def left_out(declared: Mapping[str, Attribute]) -> dict[str, Any]:
    """The attributes of a call that gives none, in their order; `REQUIRED` stands for those that must be given."""
    return {name: attribute.filled for name, attribute in declared.items()}


def plain_attributes(
    declared: Mapping[str, Attribute], defaults: dict[str, Any], given: Mapping[str, Any]
) -> Attrs | None:
    """The complete attributes of a call that gives nothing but what attributes have as it is, as most calls do; None
    if it takes more to tell (`known_and_open`). `defaults` are what is `left_out` by a call that gives none."""
    fields = defaults.copy()
    for name, value in given.items():
        attribute = declared.get(name)
        if attribute is None:
            return None
        form = type(value)
        if form in attribute.has_as_it_is and (form is not tuple or _INTEGERS.issuperset(map(type, value))):
            fields[name] = value
        elif attribute.kind == "dtype" and form is str:
            try:
                fields[name] = normal_dtype(value)
            except ValueError:
                return None
        else:
            return None
    return None if REQUIRED in fields.values() else Attrs.owning(fields)


def known_and_open(declared: Mapping[str, Attribute], given: Mapping[str, Any]) -> tuple[Attrs, dict[str, Any]]:
    """The attributes of a call that gives some of those declared: those that are known, and those that are open.

    Open is a logic variable, or a list in which one stands. Raises AttributeProblem for an attribute that is not
    declared, missing, or not acceptable.
    """
    for name in given:
        if name not in declared:
            takes = f"it takes {', '.join(declared)}" if declared else "it takes none"
            raise AttributeProblem(name, f"there is no attribute `{name}`; {takes}{nearest(name, declared)}")
    fields: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, attribute in declared.items():
        if name in given:
            try:
                value = given[name]
                if type(value) in _MAY_BE_OPEN and _is_open(value):
                    unknown[name] = _opened(attribute, value)
                    continue
                if isinstance(value, int) and attribute.takes_integer:
                    value = listed(value, attribute, declared)
                fields[name] = accepted(attribute, value)
            except ValueError as problem:
                detail = f" ({problem})" if str(problem) else ""
                shown = said_value(value)
                message = f"attribute `{name}` cannot be {shown}: it accepts {attribute.accepts}{detail}"
                raise AttributeProblem(name, message) from None
        elif not attribute.may_be_omitted:
            raise AttributeProblem(name, f"attribute `{name}` is required; it accepts {attribute.accepts}")
        else:
            fields[name] = attribute.filled
    return Attrs(fields), unknown


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

_MAY_BE_OPEN = frozenset({tuple, list, Cons, *VARIABLES})


def _is_open(value: Any) -> bool:
    return not is_ground(as_term(value) if type(value) is list else value)


def said_value(value: Any) -> str:
    """What somebody gave, in a message: as Relay text has it, what that cannot write as its repr."""
    if isinstance(value, Mapping):
        return repr(value)
    try:
        return attribute_text(as_term(value), _said_part)
    except (TypeError, ValueError):
        return repr(value)


def _said_part(item: Any) -> str | None:
    if type(item) is Cons:
        return show_shape(item)
    if item is None or type(item) in VARIABLES or isinstance(item, (int, float, str)):
        return None
    return show_dimension(item) if isinstance(item, Term) else said(item)


def _opened(attribute: Attribute, value: Any) -> Any:
    """An attribute in which something is open. Raises ValueError if it cannot be acceptable."""
    if type(value) in VARIABLES:
        return value
    if attribute.kind not in ("list", "floats") and attribute.universe != "sections":
        raise ValueError("what is open may be all of it, and not a part")
    frozen: Any = value if type(value) is Cons else as_term(value)
    if attribute.kind == "floats":
        _numbers(frozen.prefix if type(frozen) is Cons else frozen)
        return frozen
    if type(frozen) is Cons:
        return cons(_integers(attribute, frozen.prefix), frozen.tail)
    return _integers(attribute, frozen)
