"""Changes of a rule base that are made as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from .contents import Contents
from .relation import Relation

__all__ = ["transaction"]

_CONTAINERS = ("relations", "operators", "data_types", "makers", "notes", "sources")
_CACHES = ("table", "options", "attrs_table")
_FIELDS = tuple(name for name in Relation.__slots__ if name != "clauses")
_fields_of = attrgetter(*_FIELDS)


@contextmanager
def transaction(rules: Contents) -> Iterator[None]:
    """What is done to `rules` in this block is undone if the block raises, whatever it raises.

    That is: which relations, operators and data types there are, the clauses and declarations of the relations that
    there were, the notes, what was loaded, and what is known of calls. Relations stay the objects that they are. Blocks
    may be nested.
    """
    containers = [getattr(rules, name).copy() for name in _CONTAINERS]
    caches = [list(getattr(rules, name).items()) for name in _CACHES]
    relations = [(relation, _fields_of(relation), relation.clauses.copy()) for relation in rules.relations.values()]
    try:
        yield
    except BaseException:
        for name, held in zip(_CONTAINERS, containers, strict=True):
            container = getattr(rules, name)
            container.clear()
            (container.extend if type(held) is list else container.update)(held)
        for relation, fields, clauses in relations:
            _restore(relation, fields, clauses)
        rules.forget()
        for name, entries in zip(_CACHES, caches, strict=True):
            cache = getattr(rules, name)
            for key, value in entries:
                cache[key] = value
        raise


def _restore(relation: Relation, fields: tuple[Any, ...], clauses: list[Any]) -> None:
    relation.clauses = clauses
    for name, value in zip(_FIELDS, fields, strict=True):
        setattr(relation, name, value)
