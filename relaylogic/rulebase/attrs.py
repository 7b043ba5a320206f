"""The attributes of one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..logic.terms.flat import Record
from .attribute_keys import key_of

__all__ = ["Attrs", "keep_natural"]


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
