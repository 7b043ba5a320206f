"""Which attributes can be asked for: of a measured call, hide one attribute; its value must be among the answers.

`asked.tsv` is the table: an operator, the attributes whose value was found in each call that was tried, and those that
were not, with why. `python -m tests.conformance.asked` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from unification import Var

from relaylogic.errors import RelayLogicError
from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.circuits.branching import solve_goal
from relaylogic.logic.circuits.circuit import Filled, answers
from relaylogic.logic.control import DRAWN, StepLimit
from relaylogic.logic.search.profiles import asked_about
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.terms import is_ground
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import AttributeProblem, Operator, default_rules
from relaylogic.rulebase.attributes import Attribute
from relaylogic.types import TensorType, TupleType
from relaylogic.types.universe import Universe
from tests.conformance.facts import ask, facts, known_type, same, without_widths

TABLE = Path(__file__).parent / "asked.tsv"
CALLS, TRIED = 12, 2
MOST = 400
STEPS = 100_000


def calls_of(name: str, operator: Operator) -> list[tuple[tuple[Any, ...], Any]]:
    """Some measured calls of an operator on which TVM and the rule base agree: types with the result, attributes.

    Longer lists than those that are answers, of which TVM reads the first elements, are left out.
    """
    measured = [f for f in facts()[name] if "error" not in f and "_" not in f["in"]]
    Random(1).shuffle(measured)
    found = []
    for fact in measured[:CALLS]:
        try:
            attrs = operator.attrs(fact["attrs"])
        except AttributeProblem:
            continue
        if any(_is_longer(attrs.get(name), attribute) for name, attribute in operator.attributes.items()):
            continue
        outcome = ask(fact)
        if outcome.verdict == "typed" and same(fact, outcome):
            types = tuple(known_type(without_widths(text)) for text in fact["in"])
            given = (TupleType(types),) if operator.variadic else types
            asked = canonical((*given, Var()), {})
            solution = solve_site(default_rules(), operator.relation, asked, attrs, DRAWN)
            assert solution.general is not None
            found.append(((*given, solution.general[-1]), attrs))
    return found[:TRIED]


def _is_longer(value: Any, attribute: Attribute) -> bool:
    return type(value) is tuple and attribute.lengths is not None and len(value) > max(attribute.lengths)


def why_not(operator: Operator, types: tuple[Any, ...], attrs: Any, name: str) -> str:
    """Why the value of an attribute is not among the answers when it is asked for; "" if it is."""
    variable, wanted = fresh(), attrs.get(name)
    forms = [wanted, *_from_the_front(wanted, types)]
    rules = default_rules()
    try:
        opened = operator.attrs({**dict(attrs.items()), name: variable})
        goal = rules.asking(operator.relation, opened.spec)(*types[:-1], *opened.values, types[-1])
        search = asked_about(goal, rules)
        search.budget.grant(STEPS)
        node = solve_goal(goal, {variable: "value"}, Universe(), search)
        for path in islice(answers(node), MOST):
            if any(_is_instance(form, Filled(path, 1).terms[0]) for form in forms):
                return ""
    except StepLimit:
        return "step limit"
    except RelayLogicError as problem:
        return problem.message.partition(":")[0]
    return "not among the answers"


def _is_instance(value: Any, pattern: Any) -> bool:
    if type(pattern) is tuple and type(value) is tuple:
        return len(pattern) == len(value) and all(map(_is_instance, value, pattern))
    return not is_ground(pattern) or (type(value) is type(pattern) and value == pattern)


def _from_the_front(value: Any, types: tuple[Any, ...]) -> list[Any]:
    """The same axes, counted from the front: axes are said once."""
    ranks = {len(t.shape) for t in types if type(t) is TensorType and type(t.shape) is tuple}
    ranks |= {rank + 1 for rank in ranks}
    if type(value) is int and value < 0:
        return [value + rank for rank in ranks]
    if type(value) is tuple and all(type(item) is int for item in value):
        placed = [tuple(item + rank if item < 0 else item for item in value) for rank in ranks]
        return [*placed, *(tuple(sorted(set(items))) for items in placed)]
    return []


def row(name: str) -> tuple[list[str], list[str]] | None:
    """The attributes of an operator that can be asked for, and those that cannot, with why; None if none was tried."""
    operator = default_rules().operators.get(name)
    if operator is None or not operator.attributes:
        return None
    calls = calls_of(name, operator)
    if not calls:
        return None
    covered, others = [], []
    for attribute in operator.attributes:
        reasons = [reason for types, attrs in calls if (reason := why_not(operator, types, attrs, attribute))]
        if reasons:
            others.append(f"{attribute} ({reasons[0]})")
        else:
            covered.append(attribute)
    return covered, others


HEAD = "operator\tattributes that can be asked for\tothers"


def rows(names: Iterable[str]) -> Iterator[str]:
    """The rows of the table for some operators, as text."""
    for name in names:
        found = row(name)
        if found is not None:
            yield "\t".join((name, ", ".join(found[0]), ", ".join(found[1])))


if __name__ == "__main__":
    TABLE.write_text("\n".join([HEAD, *rows(sorted(facts())), ""]), encoding="utf-8")
