"""Calls of operators in tests: types in Relay's text, `_` for what is not known, the answer as text, with defaults."""

from __future__ import annotations

from typing import Any

from unification import Var

from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.control import DRAWN
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.rulebase import Operator, default_rules
from relaylogic.text import parse, parse_type
from relaylogic.types import TupleType, show_type

STORAGE = "type Storage { }\n"


def type_of(text: str) -> Any:
    """The type that a text writes; `Storage` is an algebraic data type, `s` a type parameter, any shape."""
    if not any(name in text for name in ("Storage", "[s,", "...s)")):
        return parse_type(text)
    return parse(f"{STORAGE}def @main[s: Shape](%x: {text}) {{ %x }}")["main"].params[0].type_annotation


def types_of(texts: str) -> tuple[Any, ...]:
    """The types that a text lists, separated by commas."""
    listed = type_of(f"({texts},)") if texts else TupleType(())
    return listed.fields  # type: ignore[no-any-return]


def operator(name: str) -> Operator:
    """The operator `name` of the shipped rules."""
    return default_rules().operator(name)


def solve(name: str, attrs: dict[str, Any], inputs: str, out: str = "_") -> Any:
    """All that is known of a call whose result is of the type `out`."""
    op = operator(name)
    result = Var() if out == "_" else type_of(out)
    asked = canonical((*types_of(inputs), result), {})
    return solve_site(default_rules(), op.relation, asked, op.attrs(attrs), DRAWN)


def answers(name: str, attrs: dict[str, Any], inputs: str, out: str = "_") -> list[str]:
    """The answers as `inputs -> result`, each `?` for what stays open written `_`; none if the call is refused."""
    found = solve(name, attrs, inputs, out)
    assert found.exhausted, f"stopped at {found.limit or 'what says nothing'}"
    return [f"{', '.join(map(show_type, a.terms[:-1]))} -> {show_type(a.terms[-1])}" for a in found.answers]


def result(name: str, attrs: dict[str, Any], inputs: str) -> str:
    """The result's type of a call that has one answer, `refused` if it has none."""
    found = solve(name, attrs, inputs)
    assert found.exhausted
    assert len(found.answers) < 2, answers(name, attrs, inputs)
    return show_type(found.answers[0].terms[-1]) if found.answers else "refused"


def clauses(name: str, attrs: dict[str, Any], inputs: str, out: str = "_") -> set[str]:
    """The names of the clauses that answer."""
    return {answer.clause for answer in solve(name, attrs, inputs, out).answers}
