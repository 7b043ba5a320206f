"""Ask the shipped rule base about one call, in Relay text; `_` stands for what is not known. Defaults are filled in."""

from __future__ import annotations

from typing import Any

from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.control import DRAWN
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.rulebase import default_rules
from relaylogic.text import parse_type
from relaylogic.types import show_type

__all__ = ["ask", "clauses_of", "tensor"]


def tensor(*extents: Any, dtype: str = "float32") -> str:
    """The text of a tensor type: `tensor(2, "?")`; of rank 0, the dtype."""
    if not extents:
        return dtype
    return f"Tensor[({', '.join(map(str, extents))}), {dtype}]"


def _solution(op: str, types: tuple[str, ...], attrs: dict[str, Any]) -> Any:
    rules = default_rules()
    operator = rules.operator(op)
    terms = canonical(tuple(parse_type(text) for text in types), {})
    assert len(terms) == operator.relation.arity, f"{op} relates {operator.relation.arity} types"
    return solve_site(rules, operator.relation, terms, operator.attrs(attrs), DRAWN)


def ask(op: str, *types: str, **attrs: Any) -> list[str] | None:
    """What is known of the types of a call's arguments and result, the result last; None if there is no such call."""
    solution = _solution(op, types, attrs)
    assert solution.exhausted, solution.limit
    if solution.general is None:
        return None
    return [show_type(term, lambda _: "_") for term in solution.general]


def clauses_of(op: str, *types: str, **attrs: Any) -> set[str]:
    """The clauses of the operator's relation that allow the call."""
    return {answer.clause for answer in _solution(op, types, attrs).answers}
