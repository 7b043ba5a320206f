"""Loads rules/, holds relations and operator signatures. Rule files import their vocabulary from here and `logic`."""

from __future__ import annotations

from .attributes import Attribute, AttributeProblem, Attrs, check_attributes, parse_attributes
from .base import (
    Operator,
    RuleBase,
    RuleError,
    default_rules,
    existing,
    load_rules,
    nearest,
    operator,
    relation,
    rules_folder,
)
from .relation import Clause, Relation

__all__ = [
    "Attribute",
    "AttributeProblem",
    "Attrs",
    "Clause",
    "Operator",
    "Relation",
    "RuleBase",
    "RuleError",
    "check_attributes",
    "default_rules",
    "existing",
    "load_rules",
    "nearest",
    "operator",
    "parse_attributes",
    "relation",
    "rules_folder",
]
