"""Ground calls of a relation that hold, to check it with; and the answers of a search in a small universe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Any

from ..logic.circuits.branching import solve_goal
from ..logic.circuits.circuit import Filled, answers
from ..logic.control import StepLimit
from ..logic.search.profiles import asked_about
from ..logic.terms.terms import is_ground
from ..logic.terms.variables import fresh
from ..rulebase import AttributeProblem, Relation, RuleBase, RuleError
from ..types import TensorType, TupleType
from ..types.universe import Universe

__all__ = ["DIMS", "DTYPES", "leaves", "random_tensor", "related", "samples", "search", "settings", "size", "tensors"]

DIMS = (1, 2, 3, 4, 6)
DTYPES = ("float32", "int8", "bool")
STEPS = 100_000


def settings(relation: Relation, rules: RuleBase) -> list[Any]:
    """Attributes to try: an operator's defaults, with the values that are required or most telling filled in."""
    if not relation.takes_attrs:
        return [None]
    found: dict[Any, None] = {}
    for _, operator in sorted(rules.operators.items()):
        if operator.relation is not relation:
            continue
        guesses: dict[str, Any] = {}
        for name, attribute in operator.attributes.items():
            if attribute.required:
                guesses[name] = _GUESSES.get(attribute.kind)
        for extra in (
            {},
            *({name: value} for name in ("axis", "axes") if name in operator.attributes for value in (0, -1, (1,))),
        ):
            try:
                found[operator.attrs({**guesses, **extra})] = None
            except AttributeProblem:
                continue
    return list(found)[:4]


_GUESSES: dict[str, Any] = {
    "int": 1,
    "integer": 1,
    "dim": 2,
    "list": (1, 2),
    "dtype": "float32",
    "bool": False,
    "float": 1.0,
    "str": "",
}


def samples(
    relation: Relation, rules: RuleBase, attrs: Any, max_rank: int, count: int, random: Random
) -> list[tuple[Any, ...]]:
    """Ground calls that hold: random inputs, related to each other, and the result that follows."""
    found: dict[tuple[Any, ...], None] = {}
    inputs = relation.arity - 1
    for trial in range(60 * count):
        small = trial % 3 != 0
        dims = DIMS[:2] if small else DIMS
        base = random_tensor(max_rank, dims, random)
        given = tuple(related(base, max_rank, dims, random) for _ in range(inputs))
        if trial % 2:
            given = tuple(
                TupleType((g, related(base, max_rank, dims, random))) if random.random() < 0.5 else g for g in given
            )
        for terms in _results(relation, rules, attrs, given, max_rank):
            if "?" not in str(terms[-1]):
                found[terms] = None
        if len(found) >= count:
            break
    return list(found)


def _results(
    relation: Relation, rules: RuleBase, attrs: Any, given: tuple[Any, ...], max_rank: int
) -> list[tuple[Any, ...]]:
    """Ground calls with the given inputs that hold."""
    result = fresh()
    try:
        solution = rules.solve_terms(relation, (*given, result), attrs)
    except (StepLimit, RuleError):
        return []
    ground = [a.terms for a in solution.answers[:2] if is_ground(a.terms) and not a.residue]
    if ground or not solution.answers:
        return ground
    found = search(relation, rules, attrs, (*given, result), [result], Universe(max_rank, max(DIMS), DTYPES))
    smallest = sorted(found or (), key=lambda values: (size(values), str(values)))
    return [(*given, *values) for values in smallest[:1]]


def random_tensor(max_rank: int, dims: Sequence[int], random: Random) -> Any:
    """Any tensor type."""
    shape = tuple(random.choice(dims) for _ in range(random.randint(0, max_rank)))
    return TensorType(shape, random.choice(DTYPES))


def related(base: Any, max_rank: int, dims: Sequence[int], random: Random) -> Any:
    """A tensor that shares something with `base`, as the arguments of one call do."""
    choice = random.random()
    if choice < 0.4:
        return base
    if choice < 0.6:
        return TensorType(tuple(random.choice((d, 1)) for d in base.shape), base.dtype)
    if choice < 0.8:
        return TensorType(base.shape[random.randint(0, len(base.shape)) :], base.dtype)
    return TensorType(random_tensor(max_rank, dims, random).shape, random.choice((base.dtype, *DTYPES)))


def tensors(max_rank: int, dims: Sequence[int], dtypes: Sequence[str]) -> list[Any]:
    """All tensor types of a small universe."""
    shapes = [shape for rank in range(max_rank + 1) for shape in product(dims, repeat=rank)]
    return [TensorType(shape, dtype) for shape in shapes for dtype in dtypes]


def size(case: tuple[Any, ...]) -> int:
    """Sums of extents and ranks: what makes one case smaller than another."""
    return sum(sum(t.shape) + len(t.shape) for c in case for t in leaves(c))


def leaves(term: Any) -> list[Any]:
    """The tensor types in a type."""
    if type(term) is TensorType:
        return [term]
    return (
        [leaf for part in term.fields for leaf in leaves(part)]
        if type(term) is TupleType and type(term.fields) is tuple
        else []
    )


def search(
    relation: Relation,
    rules: RuleBase,
    attrs: Any,
    asked: tuple[Any, ...],
    holes: Iterable[Any],
    universe: Universe,
    attribute: Any = None,
) -> set[tuple[Any, ...]] | None:
    """The ground answers for `holes`, and for the variable that is an `attribute`; None if not all of them are found.

    Answers in which a hole is no tensor are left out.
    """
    given = (*asked, attrs) if relation.takes_attrs else asked
    goal = relation(*given)
    control = asked_about(goal, rules)
    control.budget.grant(STEPS)
    wanted = dict.fromkeys(holes, "type") | ({} if attribute is None else {attribute: "value"})
    node = solve_goal(goal, wanted, universe, control)
    found: set[tuple[Any, ...]] = set()
    try:
        for path in answers(node):
            filled = Filled(path, len(wanted))
            if filled.residue or not is_ground(filled.terms):
                return None
            types = filled.terms if attribute is None else filled.terms[:-1]
            if all(type(t) is TensorType for t in types) and "?" not in str(types):
                if filled.terms in found:
                    raise AssertionError(f"{relation.name}: {filled.terms} is answered twice")
                found.add(filled.terms)
    except (StepLimit, RecursionError):
        return None
    return found
