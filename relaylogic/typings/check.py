"""Bounded completeness: whether a relation answers in every direction what it accepts when everything is known.

In a small universe, for every subset of unknown arguments, the answers of the search must equal what brute force
finds by asking about all ground arguments. Samples of ground calls that hold serve as the known arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random
from typing import Any

from ..clauses.show import Namer, show_term, show_value
from ..logic.control import FREE, StepLimit
from ..logic.states.least import begun
from ..logic.states.state import State
from ..logic.states.work import Work
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import is_ground
from ..logic.terms.variables import fresh
from ..rulebase import Relation, RuleBase, RuleError
from ..types import TensorType, TupleType
from ..types.universe import Universe
from .check_attributes import attribute_cases
from .samples import DIMS, DTYPES, leaves, random_tensor, related, search, size, tensors
from .samples import samples as find_samples
from .samples import settings as find_settings

__all__ = ["Counterexample", "Report", "check_relation"]

LARGEST = 600
"""So many ground calls brute force asks about for a query, at most."""
ATTRIBUTE_CASES = 2
"""Of how many calls the attributes are asked for."""


@dataclass(frozen=True)
class Counterexample:
    """A query in clause notation and an instance of it on which search and brute force disagree.

    `ambiguous`: they agree, but the inputs of an operator have this result as well.
    """

    relation: str
    query: str
    instance: str
    missing: bool
    ambiguous: str = ""

    def __str__(self) -> str:
        if self.ambiguous:
            return f"{self.query} has two results: {self.instance} and {self.ambiguous}"
        if self.missing:
            return f"{self.query} does not give {self.instance}, which holds"
        return f"{self.query} gives {self.instance}, which does not hold"


@dataclass
class Report:
    """What a check found: the first counterexample, and how many queries were compared or could not be decided."""

    relation: str
    compared: int = 0
    undecided: int = 0
    counterexample: Counterexample | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether something was compared and nothing differed."""
        return self.counterexample is None and self.compared > 0


def check_relation(
    relation: Relation,
    rules: RuleBase,
    *,
    attrs: Iterable[Any] | None = None,
    given: Iterable[tuple[tuple[Any, ...], Any]] = (),
    max_rank: int = 3,
    samples: int = 4,
    largest: int = LARGEST,
    seed: int = 0,
) -> Report:
    """Compare the answers of a relation with brute force, small cases first, up to the first difference.

    `attrs` are attributes to try (default: what its operators default to); `given` are ground calls that are known to
    hold, with their attributes, where random inputs would not find any. Brute force asks about `largest` ground calls
    for a query, or about twice as many where an attribute is asked for: the universe is as small as that takes.

    Raises RuleError if a rule cannot be asked in some direction.
    """
    report = Report(relation.name)
    settings = list(attrs) if attrs is not None else find_settings(relation, rules)
    random = Random(seed)
    cases = [(size(case), case, setting) for case, setting in given]
    for setting in settings:
        found = find_samples(relation, rules, setting, max_rank, samples, random)
        cases.extend((size(case), case, setting) for case in found)
    cases.sort(key=lambda case: (case[0], str(case[1])))
    if not cases:
        report.notes.append(_none_found(relation, rules, settings, max_rank))
    if _types_operators(relation, rules):
        for setting in settings:
            _one_result(relation, rules, setting, max_rank, random, report)
            if report.counterexample is not None:
                return report
    for _, case, setting in cases:
        for unknown in _subsets(len(case)):
            _compare(relation, rules, setting, case, unknown, max_rank, largest, report)
            if report.counterexample is not None:
                return report
    for _, case, setting in cases[:ATTRIBUTE_CASES] if relation.takes_attrs else ():
        for question in attribute_cases(relation, rules, case, setting, 2 * largest):
            report.compared += 1
            difference = question.found ^ question.expected
            if difference:
                first = min(difference, key=str)
                missing = first in question.expected
                _report(report, relation, question.attrs, question.asked, list(question.holes), first, missing)
                return report
    return report


def _none_found(relation: Relation, rules: RuleBase, settings: Iterable[Any], max_rank: int) -> str:
    """That no call that holds was found, where it was looked for, and what would help. Raises RuleError."""
    ranks = [rank for attrs in settings if (rank := _rank_needed(relation, rules, attrs)) is not None]
    if ranks and min(ranks) > max_rank:
        return f"its calls have tensors of rank {min(ranks)} or more: --max-rank {min(ranks)} would find some"
    return (
        f"no call that holds was found among random tensors of rank {max_rank} or less with extents "
        f"{', '.join(map(str, DIMS))}: --max-rank allows greater ranks, --samples tries more"
    )


def _rank_needed(relation: Relation, rules: RuleBase, attrs: Any) -> int | None:
    """The least rank that the highest tensor of a call may have, as the relation tells it of open types; None if it
    does not. Raises RuleError."""
    try:
        solution = rules.solve_terms(relation, tuple(fresh() for _ in range(relation.arity)), attrs)
    except StepLimit:
        return None
    needed = [
        max((begun(leaf.shape, Work(State()))[0] for term in answer.terms for leaf in leaves(term)), default=0)
        for answer in solution.answers
    ]
    return min(needed, default=None) if solution.exhausted else None


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    for number in range(1, count + 1):
        yield from combinations(range(count), number)


def _compare(
    relation: Relation,
    rules: RuleBase,
    attrs: Any,
    case: tuple[Any, ...],
    unknown: tuple[int, ...],
    max_rank: int,
    largest: int,
    report: Report,
) -> None:
    count = sum(len(leaves(case[i])) for i in unknown)
    if count == 0 or any(_skeleton(case[i]) is None for i in unknown):
        report.undecided += 1
        return
    dims, dtypes, rank = _affordable(case, count, max_rank, largest)
    candidates = tensors(rank, dims, dtypes)
    holes: list[Any] = []
    asked = tuple(_opened(term, holes) if i in unknown else term for i, term in enumerate(case))
    found = search(relation, rules, attrs, asked, holes, Universe(rank, max(dims), tuple(dtypes)))
    if found is None:
        report.undecided += 1
        return
    inside = {answer for answer in found if all(all(d in dims for d in t.shape) for t in answer)}
    expected = set()
    for values in product(candidates, repeat=count):
        ground = reify_term(asked, dict(zip(holes, values, strict=True)))
        holds = _holds(relation, rules, attrs, ground)
        if holds is None:
            report.undecided += 1
            return
        if holds:
            expected.add(values)
    report.compared += 1
    if inside == expected:
        return
    difference = min(inside ^ expected, key=lambda values: (size(values), str(values)))
    _report(report, relation, attrs, asked, holes, difference, difference in expected)


def _one_result(relation: Relation, rules: RuleBase, attrs: Any, max_rank: int, random: Random, report: Report) -> None:
    """Look for inputs of an operator that have two results, and report the smallest."""
    found: list[tuple[int, tuple[Any, ...], Any, tuple[Any, ...], tuple[Any, ...]]] = []
    for _ in range(60):
        base = random_tensor(max_rank, DIMS, random)
        given = tuple(related(base, max_rank, DIMS, random) for _ in range(relation.arity - 1))
        result = fresh()
        try:
            solution = rules.solve_terms(relation, (*given, result), attrs)
        except (StepLimit, RuleError):
            continue
        if not solution.answers or (len(solution.answers) == 1 and is_ground(solution.answers[0].terms)):
            continue
        results = search(relation, rules, attrs, (*given, result), [result], Universe(max_rank, max(DIMS), DTYPES))
        if results is not None and len(results) > 1:
            first, second = sorted(results, key=lambda values: (size(values), str(values)))[:2]
            found.append((size(given), given, result, first, second))
    if found:
        _, given, result, first, second = min(found, key=lambda item: (item[0], str(item[1])))
        _report(report, relation, attrs, (*given, result), [result], first, False, second)


def _types_operators(relation: Relation, rules: RuleBase) -> bool:
    return any(operator.relation is relation for operator in rules.operators.values())


def _report(
    report: Report,
    relation: Relation,
    attrs: Any,
    asked: tuple[Any, ...],
    holes: list[Any],
    values: tuple[Any, ...],
    missing: bool,
    other: tuple[Any, ...] = (),
) -> None:
    namer = Namer((f"{'ABCDEFGH'[i]}", hole, "type") for i, hole in enumerate(holes))
    shown = ", ".join(show_term(term, namer) for term in asked)
    given = "" if attrs is None else "".join(f", {name}={show_value(value, namer)}" for name, value in attrs.items())

    def instance(chosen: tuple[Any, ...]) -> str:
        return ", ".join(f"{namer(h)} = {show_value(v, namer)}" for h, v in zip(holes, chosen, strict=False))

    query = f"{relation.name}({shown}{given})"
    report.counterexample = Counterexample(relation.name, query, instance(values), missing, instance(other))


def _skeleton(term: Any) -> Any:
    flat = type(term) is TupleType and all(type(f) is TensorType for f in term.fields)
    return term if flat or type(term) is TensorType else None


def _affordable(
    case: tuple[Any, ...], unknown: int, max_rank: int, largest: int
) -> tuple[tuple[int, ...], tuple[str, ...], int]:
    """The largest universe around a case of which brute force can try all combinations."""
    own = tuple(dict.fromkeys(leaf.dtype for term in case for leaf in leaves(term) if leaf.dtype))
    ranks = max((len(leaf.shape) for term in case for leaf in leaves(term)), default=0)
    for dims, dtypes, rank in (
        (DIMS, DTYPES, max_rank),
        (DIMS[:3], own[:2], max_rank),
        (DIMS[:2], own[:1], max(ranks, 1)),
        (DIMS[:2], own[:1], 2),
        (DIMS[:2], own[:1], 1),
    ):
        if len(dtypes) and (len(dtypes) * sum(len(dims) ** r for r in range(rank + 1))) ** unknown <= largest:
            return dims, dtypes, rank
    return DIMS[:1], own[:1], 1


def _opened(term: Any, holes: list[Any]) -> Any:
    if type(term) is TensorType:
        holes.append(fresh())
        return holes[-1]
    return TupleType(tuple(_opened(f, holes) for f in term.fields))


def _holds(relation: Relation, rules: RuleBase, attrs: Any, ground: tuple[Any, ...]) -> bool | None:
    solution = rules.solve(relation, ground, attrs, defaults=FREE)
    if solution.answers:
        return None if any(answer.residue for answer in solution.answers) else True
    return False if solution.exhausted else None
