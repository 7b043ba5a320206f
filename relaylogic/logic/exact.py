"""Keys of dictionaries that tell constants apart as unification does.

To Python `True`, `1` and `1.0` are equal, `0.0` and `-0.0` are, and a nan is not itself. No two of these are one
constant, and a nan is one: what was found out about a call of one of them says nothing of the same call of another.
"""

from __future__ import annotations

from typing import Any

__all__ = ["are_one", "exact"]

_ALIKE = frozenset({bool, float})
"""What may be equal to something that it is not. The numbers that most terms hold are all integers."""

_NOT_PLAIN = _ALIKE | {tuple}

_SPELT_APART = frozenset({tuple, float})
"""What needs more to be told apart than its class beside it."""


def are_one(a: Any, b: Any) -> bool:
    """Whether two constants of one class are the same."""
    return a == b if type(a) is not float else repr(a) == repr(b)


def exact(terms: tuple[Any, ...]) -> tuple[Any, ...]:
    """A key that equals that of other terms only if they are the same terms: the tuple itself as a rule."""
    for item in terms:
        kind = type(item)
        if kind is tuple:
            if not _NOT_PLAIN.isdisjoint(map(type, item)):
                return _spelt(terms) if _holds_alike(terms) else terms
        elif kind in _ALIKE:
            return _spelt(terms)
    return terms


def _holds_alike(terms: tuple[Any, ...]) -> bool:
    agenda = [terms]
    met: set[int] = set()
    for items in agenda:
        kinds = set(map(type, items))
        if not _ALIKE.isdisjoint(kinds):
            return True
        if tuple in kinds:
            nested = [item for item in items if type(item) is tuple and id(item) not in met]
            met.update(map(id, nested))
            agenda += nested
    return False


def _spelt(terms: tuple[Any, ...]) -> tuple[Any, ...]:
    """The terms one after the other, each before its class, which no tuple of terms begins like; of some that are
    neither lists nor floats, the terms and then their classes."""
    kinds = tuple(map(type, terms))
    if _SPELT_APART.isdisjoint(kinds):
        return (_SPELT_APART, *terms, *kinds)
    spelt: list[Any] = [_ALIKE]
    agenda: list[Any] = [terms]
    while agenda:
        item = agenda.pop()
        kind = type(item)
        if kind is tuple:
            spelt.append(len(item))
            agenda.extend(reversed(item))
        else:
            spelt.append(repr(item) if kind is float else item)
        spelt.append(kind)
    return tuple(spelt)
