"""What `call.attrs` answers: the attributes of a call, those included that it leaves to their defaults.

A call keeps what it was given, in `Call.given`; everything else here is read off the operator's declaration when
somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import said
from ..ir import Call, Op, without_type_key
from ..logic.terms.flat import Record
from ..types.attributes import attribute_text

__all__ = ["Attrs", "attributes_of", "told"]


class Attrs(Record, Mapping[str, Any]):
    """The attributes of a call by their names: as `attrs.strides`, as `attrs["strides"]`, as a mapping.

    Every attribute that the operator declares is there, with its default where the call does not give it; one that has
    none, and is not given, is not. Attributes are equal if they have the same values, however many were given; a dict
    is equal to those that it would give. They do not change: another call has others.
    """

    __slots__ = ("_given", "_operator")

    def __init__(self, operator: str | None, given: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_operator", operator)
        object.__setattr__(self, "_given", given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"attributes do not change: make a call with another {said(name)}")

    @property
    def given(self) -> Mapping[str, Any]:
        """What the call was given, by name."""
        given: Mapping[str, Any] = self._given
        return given

    def _fields(self) -> dict[str, Any]:
        return {**_defaults(self._operator), **without_type_key(self._given)}

    def __getitem__(self, name: str) -> Any:
        if name in self._given:
            return self._given[name]
        return _defaults(self._operator)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields())

    def __len__(self) -> int:
        return len(self._fields())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            names = ", ".join(f"`{known}`" for known in self) or "none"
            raise AttributeError(f"these attributes have no {said(name)}; there are {names}") from None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Attrs):
            return self._fields() == other._fields()
        if isinstance(other, Mapping):
            return self._fields() == Attrs(self._operator, other)._fields()
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __bool__(self) -> bool:
        return True

    def get_int(self, key: str) -> int:
        """The value of an attribute as an integer. Raises KeyError if there is none."""
        return int(self[key])

    def get_int_tuple(self, key: str) -> tuple[int, ...]:
        """The value of an attribute as integers. Raises KeyError if there is none."""
        return tuple(int(part) for part in self[key])

    def get_str(self, key: str) -> str:
        """The value of an attribute as a text. Raises KeyError if there is none."""
        return str(self[key])

    def __repr__(self) -> str:
        return ", ".join(f"{name}={_shown(value)}" for name, value in self._fields().items())


def _shown(value: Any) -> str:
    """A value as text writes it; what no text could say, in short."""
    try:
        return attribute_text(value)
    except ValueError:
        return said(value)


def attributes_of(call: Call) -> Any:
    """The attributes of a call; None for one that has none, as calls of functions have. What is no mapping is what it
    is: inference refuses it."""
    given = call.given
    if given is not None and not isinstance(given, Mapping):
        return given
    operator = call.op.name if isinstance(call.op, Op) else None
    return Attrs(operator, given or {}) if given or _declared(operator) else None


def told(call: Call) -> Any:
    """What was given to a call and is not the default: two calls have the same attributes if this is the same."""
    given = call.given
    if not given or not isinstance(given, Mapping):
        return given or None
    declared = _declared(call.op.name if isinstance(call.op, Op) else None)
    return {n: v for n, v in without_type_key(given).items() if not _is_default(v, declared.get(n))} or None


def _is_default(value: Any, attribute: Any) -> bool:
    if attribute is None or type(value) is not type(attribute.omitted):
        return False
    return bool(value == attribute.omitted)


def _declared(operator: str | None) -> Mapping[str, Any]:
    from ..rulebase import default_rules

    found = default_rules().operators.get(operator) if isinstance(operator, str) else None
    return {} if found is None else found.attributes


def _defaults(operator: str | None) -> dict[str, Any]:
    return {name: a.omitted for name, a in _declared(operator).items() if a.may_be_omitted}
