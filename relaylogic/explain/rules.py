"""Operators and relations of a rule base, described for people."""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

from ..rulebase import Clause, Operator, Relation, RuleBase, RuleError, nearest
from .examples import example_of

__all__ = ["clause_text", "describe", "families", "list_operators", "meant", "signature"]


def signature(operator: Operator) -> str:
    """An operator's own type: `fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)`.

    One that takes any number of arguments relates the tuple of them.
    """
    names = [f"t{i + 1}" for i in range(operator.relation.arity)]
    inputs = ", ".join(names[:-1])
    return f"fn [{', '.join(names)}]({inputs}) -> {names[-1]} where {operator.relation.name}({', '.join(names)})"


def families(rules: RuleBase) -> dict[str, list[Operator]]:
    """The operators by the file that declares them, both in the order of the alphabet."""
    groups: dict[str, list[Operator]] = {}
    for operator in sorted(rules.operators.values(), key=lambda op: (op.family, op.name)):
        groups.setdefault(operator.family, []).append(operator)
    return groups


def list_operators(rules: RuleBase, family: str | None = None) -> list[str]:
    """A line for each operator, grouped by family. Raises RuleError if there is no such family."""
    groups = families(rules)
    if family is not None:
        if family not in groups:
            raise RuleError(
                f"there is no family `{family}`{nearest(family, groups)}; the families are {', '.join(groups)}"
            )
        groups = {family: groups[family]}
    lines: list[str] = []
    for name, members in groups.items():
        lines.append(f"{name}:")
        lines += [f"  {op.name}({_inputs(op)}): {op.relation.name}" for op in members]
    return lines


def describe(rules: RuleBase, name: str) -> str:
    """All about an operator, or about a relation. Raises RuleError for a name that is neither."""
    operator, relation = meant(rules, name)
    if operator is not None:
        return "\n".join(_operator(rules, operator))
    users = sorted(op.name for op in rules.operators.values() if op.relation is relation)
    return "\n".join([*_relation(rules, relation), *([f"operators: {', '.join(users)}"] if users else [])])


def meant(rules: RuleBase, name: str) -> tuple[Operator | None, Relation]:
    """The operator of a name, if it is one, and the relation. Raises RuleError for a name that is neither."""
    operator = rules.operators.get(name)
    relation = rules.named(name) if operator is None else operator.relation
    if relation is None:
        known = [*rules.operators, *rules.relations]
        raise RuleError(f"there is no operator or relation `{name}`{nearest(name, known)}")
    return operator, relation


def _inputs(operator: Operator) -> str:
    return "..." if operator.variadic else ", ".join(operator.inputs)


def _operator(rules: RuleBase, operator: Operator) -> list[str]:
    lines = [f"{operator.name}: {signature(operator)}"]
    if operator.doc:
        lines.append(operator.doc)
    lines.append(f"family: {operator.family}")
    lines.append(f"inputs: {'any number, related as one tuple' if operator.variadic else _inputs(operator) or 'none'}")
    lines.append("attributes:" if operator.attributes else "attributes: none")
    for attribute in operator.attributes.values():
        declared, only_omitted, omitted = repr(attribute).partition(" ?= ")
        left_out = f"; {omitted} if left out" if only_omitted else "" if attribute.may_be_omitted else "; required"
        lines.append(f"  {declared}  ({attribute.accepts}{left_out})")
    lines += ["", *_relation(rules, operator.relation), ""]
    example = example_of(rules, operator)
    return [*lines, *(["example:", *(f"  {line}" for line in example)] if example else ["example: none was found"])]


def _relation(rules: RuleBase, relation: Relation) -> list[str]:
    lines = [f"relation {relation!r}  ({_place(relation.file, relation.line)})"]
    lines += [f"  {line}".rstrip() for line in relation.doc.splitlines()]
    if not relation.clauses:
        lines.append("  no clause: it never holds")
    for clause in relation.clauses:
        lines += ["", f"  clause {clause.name}  ({_place(clause.file, clause.line)})"]
        lines += [f"    {line}".rstrip() for line in clause_text(clause).splitlines()]
    named = {word for clause in relation.clauses for word in re.findall(r"\w+", clause_text(clause))}
    below = sorted(name for name in named if name in rules.relations and name != relation.name)
    return [*lines, *(["", f"  rests on: {', '.join(below)}"] if below else [])]


def _place(file: str, line: int) -> str:
    """Where something stands: the file as seen from the working directory, and the line."""
    path, here = Path(file), Path.cwd()
    return f"{path.relative_to(here) if path.is_relative_to(here) else path}:{line}"


def clause_text(clause: Clause) -> str:
    """A clause as its file has it; its docstring if the file cannot be read."""
    if clause.source:
        return clause.source
    try:
        text = textwrap.dedent(inspect.getsource(clause.build))
    except (OSError, TypeError):
        return clause.doc
    return text[text.index("def ") :] if text.startswith("@") else text
