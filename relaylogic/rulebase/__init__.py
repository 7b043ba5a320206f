"""Loads rules/, holds relations and operator signatures. Rule files import their vocabulary from here and `logic`."""

from __future__ import annotations

from ..host.above import register
from .attributes import Attribute, parse_attributes
from .attrs import Attrs
from .base import RuleBase, RuleError
from .declarations import existing, makes_relations, operator, relation
from .given_attributes import AttributeProblem, check_attributes
from .loading import load_rules
from .near import nearest
from .operators import Operator
from .program import ProgramRules, program_rules
from .recipe import rules_folder
from .relation import Clause, Relation
from .shipped import default_rules
from .term_kinds import BaseType, Shape, ShapeVar

__all__ = [
    "Attribute",
    "AttributeProblem",
    "Attrs",
    "BaseType",
    "Clause",
    "Operator",
    "ProgramRules",
    "Relation",
    "RuleBase",
    "RuleError",
    "Shape",
    "ShapeVar",
    "check_attributes",
    "default_rules",
    "existing",
    "load_rules",
    "makes_relations",
    "nearest",
    "operator",
    "parse_attributes",
    "program_rules",
    "relation",
    "rules_folder",
]

register(
    {
        "one of a range": "relaylogic.rulebase.ranges:Ranges",
        "one of several": "relaylogic.rulebase.ranges:Among",
        "pickled rule base": "relaylogic.rulebase.shipped:pickled",
    }
)
