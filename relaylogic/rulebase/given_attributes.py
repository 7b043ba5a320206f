"""What a call gives for attributes: checked against their declarations, and completed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from ..errors import clipped, said
from ..logic.terms.infix import Infix
from ..logic.terms.terms import Cons, Term, cons, is_ground
from ..logic.terms.variables import VARIABLES
from ..types import ANY, normal_dtype, show_dimension, show_shape
from ..types.attributes import attribute_text
from .attributes import REQUIRED, Attribute, as_term
from .attrs import Attrs
from .near import nearest

__all__ = [
    "AttributeProblem",
    "accepted",
    "check_attributes",
    "known_and_open",
    "left_out",
    "listed",
    "plain_attributes",
    "said_value",
]


class AttributeProblem(ValueError):
    """An attribute that the operator does not take, lacks, or cannot accept; `attribute` is its name."""

    def __init__(self, attribute: str, message: str) -> None:
        super().__init__(clipped(message))
        self.attribute = attribute

    def __reduce__(self) -> Any:
        return (type(self), (self.attribute, *self.args))


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
    return len(alike.omitted) if attribute.is_spatial and isinstance(alike.omitted, tuple) else 1


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
