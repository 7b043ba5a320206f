"""The programs that answer calls whose inputs are known, as text: `relaylogic rules show NAME --compiled`."""

from __future__ import annotations

from ..logic.terms.rebuilding import canonical
from ..logic.terms.variables import fresh
from ..rulebase import Operator, RuleBase
from ..types import TupleType
from .examples import example_call
from .rules import meant

__all__ = ["programs_of"]


def programs_of(rules: RuleBase, name: str) -> str:
    """The programs of an operator's relation: that of the operator's example, and those made of earlier calls.

    Raises RuleError for a name that is no operator or relation.
    """
    operator, relation = meant(rules, name)
    if operator is not None:
        _make(rules, operator)
    lines = [f"relation {relation!r}"]
    for asked, text in rules.compiled.programs(relation):
        said = text.rstrip() if text else "no program: goals answer"
        lines += ["", asked, *(f"    {line}" for line in said.splitlines())]
    if len(lines) == 1:
        lines += ["", "no program: goals answer, until calls whose inputs are known were asked for a few times"]
    return "\n".join(lines)


def _make(rules: RuleBase, operator: Operator) -> None:
    """Make the program of the operator's example, if there is one."""
    found = example_call(rules, operator)
    if found is not None:
        given, attrs = found
        arguments = (TupleType(tuple(given)),) if operator.variadic else tuple(given)
        asked = canonical((*arguments, fresh()), {})
        rules.compiled.solution(operator.relation, asked, operator.attrs(attrs), at_once=True)
