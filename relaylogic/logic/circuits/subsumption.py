"""Whether what one alternative says is part of what another one says: then the answers of that are answers of this.

Theta-subsumption (Plotkin, "A note on inductive generalization", 1970): some substitution of the variables of the one
makes each of its constraints one of the other's. It tells where something hidden must merely exist, of which there is
no opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..constraints.compare import Compare
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Term, cons, variables_of
from ..terms.variables import VARIABLES

__all__ = ["subsumes"]

MOST_TRIES = 200
"""So many pairs of constraints are compared at most."""

Binding = Mapping[Any, Any]


def subsumes(
    terms: tuple[tuple[Any, ...], tuple[Any, ...]],
    constraints: tuple[Sequence[Any], Sequence[Any]],
    own: Collection[Any],
    can_hold: Callable[[Sequence[Any]], bool],
) -> bool:
    """Whether the first of two terms, with the first constraints, is more general than the second, with the others.

    `own` are the variables that the first may choose. `can_hold` says whether constraints have a solution that are
    about nothing else.
    """
    start = _matched(terms[0], terms[1], {}, own)
    tries = MOST_TRIES
    agenda = [] if start is None else [(start, list(constraints[0]))]
    while agenda:
        binding, left = agenda.pop()
        left = [reify_term(constraint, binding) for constraint in left]
        left = [constraint for constraint in left if constraint not in constraints[1]]
        shared = next((c for c in left if any(v not in own for v in variables_of(c))), None)
        if shared is None:
            if not left or can_hold(left):
                return True
            continue
        rest = [constraint for constraint in left if constraint is not shared]
        for other in constraints[1]:
            tries -= 1
            if tries < 0:
                return False
            found = _follows(shared, other, binding, own)
            if found is not None:
                agenda.append((found, rest))
    return False


def _follows(constraint: Any, other: Any, binding: Binding, own: Collection[Any]) -> Binding | None:
    """What is to be chosen for a constraint to follow from another one, by its form; None if there is nothing."""
    if type(constraint) is Compare and type(other) is Compare and constraint.relation == other.relation == "<=":
        for mine, its, sign in ((1, 2, 1), (2, 1, -1)):
            number, others = constraint.args[mine], other.args[mine]
            if type(number) is int and type(others) is int:
                is_weaker = sign * number <= sign * others
                return _matched(constraint.args[its], other.args[its], binding, own) if is_weaker else None
    return _matched(constraint, other, binding, own)


def _matched(pattern: Any, term: Any, binding: Binding, own: Collection[Any]) -> Binding | None:
    """What the variables that may be chosen are for a pattern to be a term; None if it cannot be."""
    found = dict(binding)
    stack = [(pattern, term)]
    while stack:
        one, other = stack.pop()
        if type(one) in VARIABLES and one in own:
            if found.setdefault(one, other) is not other and found[one] != other:
                return None
        elif type(one) is not type(other):
            return None
        elif type(one) is tuple:
            if len(one) != len(other):
                return None
            stack.extend(zip(one, other, strict=True))
        elif type(one) is Cons and len(one.prefix) < len(other.prefix):
            count = len(one.prefix)
            stack += [(one.prefix, other.prefix[:count]), (one.tail, cons(other.prefix[count:], other.tail))]
        elif isinstance(one, Term):
            if len(one.args) != len(other.args):
                return None
            stack.extend(zip(one.args, other.args, strict=True))
        elif one is not other and one != other:
            return None
    return found
