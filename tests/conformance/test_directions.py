"""Every relation runs backwards: what TVM finds forwards is among the answers when an argument is not known."""

from __future__ import annotations

from typing import Any

import pytest
from unification import Var

from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.terms import Cons, Slot, Term
from relaylogic.rulebase import default_rules
from relaylogic.types import TupleType
from tests.conformance.conditions import dtype
from tests.conformance.facts import Fact, Outcome, compared, facts, known_type, without_widths
from tests.effort import some

# An open weight has the data's dtype; that a weight may also have another one is only found if it says so.
WEIGHT_LIKE_DATA = {
    "nn.conv1d": 1,
    "nn.conv1d_transpose": 1,
    "nn.conv2d": 1,
    "nn.conv2d_transpose": 1,
    "nn.conv3d": 1,
    "nn.conv3d_transpose": 1,
    "nn.deformable_conv2d": 2,
    "nn.dense": 1,
    "nn.matmul": 1,
}


def instance(pattern: Any, term: Any) -> bool:
    """Whether `term` is `pattern` with something in place of its slots."""
    bound: dict[Any, Any] = {}
    pairs = [(pattern, term)]
    while pairs:
        left, right = pairs.pop()
        if type(left) is Slot:
            if bound.setdefault(left, right) != right:
                return False
        elif type(left) is Cons and type(right) is tuple:
            if len(right) < len(left.prefix):
                return False
            pairs += [*zip(left.prefix, right, strict=False), (left.tail, right[len(left.prefix) :])]
        elif type(left) is not type(right):
            return False
        elif type(left) is tuple:
            if len(left) != len(right):
                return False
            pairs += zip(left, right, strict=True)
        elif isinstance(left, Term) and left is not right:
            if len(left.args) != len(right.args):
                return False
            pairs += zip(left.args, right.args, strict=True)
        elif left != right:
            return False
    return True


def usable(fact: Fact, ours: Outcome, same: bool) -> bool:
    """Whether the fact is one of an accepted call in which nothing is `?` (which is never guessed)."""
    texts = f"{ours.inputs} {fact['attrs']} {ours.out}"
    if not same or "error" in fact or "?" in texts or "Storage" in texts:
        return False
    weight = WEIGHT_LIKE_DATA.get(fact["op"])
    return weight is None or dtype(ours.inputs[weight]) == dtype(ours.inputs[0])


def lost(name: str) -> list[str]:
    """The calls of an operator that are not found any more when arguments are hidden and the result is given."""
    rules, missing = default_rules(), []
    op = rules.operator(name)
    for fact, ours, same in some(compared(name), 16):
        if not usable(fact, ours, same):
            continue
        *inputs, out = (known_type(without_widths(text)) for text in (*ours.inputs, ours.out))
        attrs, every = op.attrs(fact["attrs"]), range(len(inputs))
        for hidden in ([i] for i in every) if len(inputs) < 2 else (*([i] for i in every), list(every)):
            asked = tuple(Var() if i in hidden else term for i, term in enumerate(inputs))
            terms = (TupleType(asked), out) if op.variadic else (*asked, out)
            truth = (TupleType(tuple(inputs)), out) if op.variadic else (*inputs, out)
            solution = solve_site(rules, op.relation, canonical(terms, {}), attrs)
            if solution.exhausted and not any(instance(answer.terms, truth) for answer in solution.answers):
                missing.append(f"{fact['id']} {fact['attrs']} {', '.join(ours.inputs)} -> {ours.out} without {hidden}")
    return missing


@pytest.mark.parametrize("name", sorted(facts()))
def test_nothing_is_lost_backwards(name):
    missing = lost(name)
    assert not missing, f"{len(missing)} calls are not found:\n" + "\n".join(missing[:10])
