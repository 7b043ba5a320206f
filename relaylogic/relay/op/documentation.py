"""The docstrings of operators' functions."""

from __future__ import annotations

from collections.abc import Sequence

from ...rulebase import Operator
from .signatures import NOTHING, Parameter

__all__ = ["documentation"]


def documentation(operator: Operator, parameters: Sequence[Parameter]) -> str:
    """What an operator does, its inputs and attributes with what they accept, and the relation that types it."""
    relation = operator.relation
    about = operator.doc or relation.doc or f"The operator `{operator.name}`."
    lines = [about, "", f"A call of the operator `{operator.name}`."]
    inputs = [p for p in parameters if p.target in operator.inputs]
    others = [p for p in parameters if p.target not in operator.inputs]
    if inputs or operator.variadic:
        lines += ["", "Inputs:"]
        lines += [f"    {p.name}: an expression{_default(p)}" for p in inputs]
        lines += ["    args: expressions"] if operator.variadic else []
    if others:
        lines += ["", "Attributes:"]
        for p in others:
            attribute = operator.attributes.get(p.target)
            accepts = "any value" if attribute is None else attribute.accepts
            lines.append(f"    {p.name}: {accepts}{_default(p)}")
    clauses = ", ".join(clause.name for clause in relation.clauses)
    lines += ["", f"Types: the relation {relation} with the clauses {clauses}."]
    return "\n".join(lines)


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is NOTHING else f"; default {parameter.default!r}"
