"""Operators and relations of a rule base, described for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..infer.program import infer_call
from ..rulebase import Operator, Relation, RuleBase, RuleError, nearest
from ..types import IncompleteType, TensorType, TupleType

__all__ = ["describe", "list_operators", "signature"]


def signature(operator: Operator) -> str:
    """An operator's own type: `fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)`."""
    count = operator.relation.arity
    names = [f"t{i + 1}" for i in range(count)]
    inputs = ", ".join(names[:-1])
    return f"fn [{', '.join(names)}]({inputs}) -> {names[-1]} where {operator.relation.name}({', '.join(names)})"


def list_operators(rules: RuleBase, family: str | None = None) -> list[str]:
    """A line for each operator, grouped by family; empty if there is no such family."""
    groups: dict[str, list[Operator]] = {}
    for operator in rules.operators.values():
        groups.setdefault(operator.family, []).append(operator)
    if family is not None:
        groups = {family: groups[family]} if family in groups else {}
    lines: list[str] = []
    for name in sorted(groups):
        lines.append(f"{name}:")
        lines += [
            f"  {op.name}({', '.join(op.inputs) or '...'}): {op.relation.name}"
            for op in sorted(groups[name], key=lambda op: op.name)
        ]
    return lines


def describe(rules: RuleBase, name: str) -> str:
    """All about an operator, or about a relation. Raises RuleError for a name that is neither."""
    operator = rules.operators.get(name)
    if operator is not None:
        lines = [f"{operator.name}: {signature(operator)}"]
        if operator.doc:
            lines.append(operator.doc)
        lines.append(f"inputs: {', '.join(operator.inputs) or 'any number'}")
        lines += ["attributes:", *(f"  {a!r}  ({a.accepts})" for a in operator.attributes.values())]
        if not operator.attributes:
            lines[-1] = "attributes: none"
        lines += ["", *_relation(operator.relation), "", *_example(rules, operator)]
        return "\n".join(lines)
    relation = rules.relations.get(name)
    if relation is not None:
        users = sorted(op.name for op in rules.operators.values() if op.relation is relation)
        return "\n".join([*_relation(relation), *([f"operators: {', '.join(users)}"] if users else [])])
    raise RuleError(f"there is no operator or relation `{name}`{nearest(name, [*rules.operators, *rules.relations])}")


def _relation(relation: Relation) -> list[str]:
    lines = [f"relation {relation!r}  ({Path(relation.file).name}:{relation.line})"]
    if relation.doc:
        lines.append(f"  {relation.doc}")
    for clause in relation.clauses:
        lines.append(f"  clause {clause.name}  ({Path(clause.file).name}:{clause.line})")
        lines += [f"    {line}" for line in (clause.source or clause.doc).splitlines() if line.strip()]
    return lines


# Shapes to try for an example call, the most usual first.
_SHAPES: list[tuple[int, ...]] = [(1, 8, 16, 16), (8, 16), (1, 8, 16), (1, 8, 16, 16, 16), (8,), ()]


def _example(rules: RuleBase, operator: Operator) -> list[str]:
    """A call of the operator with open further arguments that comes out typed, found by trying."""
    count = len(operator.inputs)
    for shape in _SHAPES:
        for dtype in ("float32", "int32", "int8", "bool"):
            tensor = TensorType(shape, dtype)
            firsts: list[Any] = [tensor, TupleType((tensor, tensor))]
            for first in firsts:
                for others in ([IncompleteType] * (count - 1), [lambda t=tensor: t] * (count - 1)):
                    arguments = [first, *(make() for make in others)][:count]
                    found = _typed_call(rules, operator, arguments)
                    if found is not None:
                        return [f"example: {found}"]
    return []


def _typed_call(rules: RuleBase, operator: Operator, arguments: list[Any]) -> str | None:
    attrs = {a.name: _SAMPLES.get(a.kind) for a in operator.attributes.values() if a.required}
    result = infer_call(operator.name, arguments, attrs, rules)
    if result.verdict != "typed":
        return None
    main = result.functions["main"]
    given = [str(t) for t in main.arg_types] + [f"{k}={v!r}" for k, v in attrs.items()]
    return f"{operator.name}({', '.join(given)}) : {main.ret_type}"


_SAMPLES: dict[str, Any] = {
    "int": 1,
    "bool": False,
    "float": 1.0,
    "str": "",
    "dtype": "float32",
    "integer": 1,
    "dim": 1,
    "list": (1,),
    "floats": (1.0,),
    "expr": {"const": 1, "dtype": "int32", "shape": ()},
    "object": 1,
}

