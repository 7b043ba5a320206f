"""Whether comparisons can hold together, with what lists demand, as far as linear constraints tell, by cases, and, of
products, what bounds, residues and powers tell.

Each product of numbers is taken for an unknown of its own. What the factors' bounds say of it is added, and so is what
comes of multiplying a linear constraint with a number, if that is about products that occur anyhow (Sherali and Adams,
"A reformulation-linearization technique", 1999). A minimum is one of its operands, and a number that is not another one
is less or greater: these are the cases.

Of open lists it is known how long some are together, and what goals that wait for them say of what they hold: of that,
sums and products are numbers like others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

from ..states.state import Bounds, State
from ..states.suspended import Suspended, open_end
from .elimination import Row, refuted
from .lengths import Length, SameLength, equally_long
from .systems import NoNumber, Poly, Translation, combined, multiplied

__all__ = ["greatest_length", "refuted_together"]

MOST_SPLITS = 24
"""So many times it is gone into two cases at most."""
MOST_PRODUCTS = 64
"""What multiplied constraints say is added for so many products at most."""

FAR = 64
"""Bounds of more bits have crept there, and are not taken at their word: it takes too long to calculate with them."""

Told = tuple[str, Poly]
"""A polynomial, and how it compares with 0."""
_Case = tuple[Told, ...]
"""Of which one holds."""
_Stated = tuple[bool, Row]
"""The same for elimination: whether it is an equation, and the row."""


def refuted_together(state: State, constraints: Iterable[Any]) -> bool:
    """Whether no numbers, and no lengths of lists, satisfy some constraints within the bounds that are known, as far as
    this finds out.

    What is about other things is left out. So are comparisons while numbers may turn out to be `?`: then `n < m` holds.
    """
    translation = Translation(state, with_folds=True)
    _tell(translation, constraints, with_numbers=not state.search.waits())
    translation.bounds = [(min(low, 1 << FAR), high) for low, high in translation.bounds]
    told = [*translation.constraints, *_about_products(translation.constraints, translation.bounds)]
    for variable, (low, high) in enumerate(translation.bounds):
        told.append(("<=", {(variable,): -1, (): low}))
        if high is not None:
            told.append(("<=", {(variable,): 1, (): -high}))
    cases = list(translation.cases)
    for _, poly in (one for one in translation.constraints if one[0] == "!="):
        cases.append((("<=", combined(poly, {(): 1}, 1)), ("<=", combined({(): 1}, poly, -1))))
    rows = [_row(*one) for one in told if one[0] != "!="]
    # Where there are too many cases for all, those may tell that are about the same parts of expressions.
    groups = [cases] if 1 << len(cases) <= MOST_SPLITS else [*_groups(translation, cases), cases]
    stated = ([tuple(_row(*one) for one in case) for case in group] for group in groups)
    if any(_Cases(state, group).refuted(rows, 0) for group in stated):
        return True
    # What products must be is of no concern to elimination.
    has_products = any(len(monomial) > 1 for _, poly in translation.constraints for monomial in poly)
    return has_products and translation.system().refuted()


def greatest_length(state: State, end: Any, least: int = 0) -> int | None:
    """How many elements an open list, none of them below `least`, has at most, by what is known of its length and its
    sum, and of lists that are as long or hold the same; None if nothing bounds it, and -1 where no lists satisfy that.
    """
    translation = Translation(state, with_folds=True)
    _tell(translation, state.constraints(), with_numbers=not state.search.waits())
    count = translation.fold("len", [end])
    total = (translation.folds or {}).get(("sum", end))
    if total is not None:
        translation.constraints.append(("<=", combined(multiplied(count, {(): least}), total, -1)))
    ((length,),) = count
    system = translation.system()
    return system.bounds[length][1] if system.narrow() else -1


def _tell(translation: Translation, constraints: Iterable[Any], with_numbers: bool) -> None:
    """Add what constraints say of numbers and of the lengths of lists."""
    contents: list[tuple[tuple[Any, ...], tuple[Any, ...], bool]] = []
    lengths: list[tuple[tuple[Any, ...], tuple[Any, ...], int | None]] = []
    distinct: list[Any] = []
    for constraint in constraints:
        if isinstance(constraint, Suspended):
            contents += constraint.primitive.contents(*constraint.arguments)
            lengths += constraint.primitive.lengths(*constraint.arguments)
            distinct += constraint.arguments if constraint.primitive.name == "distinct" else ()
        elif type(constraint) is SameLength:
            lengths += equally_long(*constraint.lists)
        elif with_numbers or type(constraint) is Length:
            with suppress(NoNumber):
                translation.state(constraint)
    for left, right, more in lengths:
        _relate(translation, "<=" if more is None else "=", "len", left, right, more or 0)
    # What lists hold is of interest as far as it is counted, added up, or multiplied.
    operators = dict.fromkeys(["len", *(operator for operator, _ in translation.folds or ())])
    for (left, right, is_all), operator in product(contents, operators):
        _relate(translation, "=" if is_all else "<=", operator, left, right, 0)
    _tell_of_positive(translation)
    for items in distinct:
        _tell_of_distinct(translation, items)


def _tell_of_positive(translation: Translation) -> None:
    """Add that a list whose product is not 0, of naturals, adds up to its length at least: no element is 0."""
    folds = translation.folds or {}
    ends = [end for operator, end in folds if operator == "prod" and ("sum", end) in folds]
    if not ends:
        return
    system = translation.system()
    system.narrow()
    for end in ends:
        ((whole,),) = folds["prod", end]
        if system.bounds[whole][0] > 0:
            less = combined(translation.fold("len", [end]), folds["sum", end], -1)
            translation.constraints.append(("<=", less))


def _tell_of_distinct(translation: Translation, items: Any) -> None:
    """Add that so many different naturals add up to what the least ones do: 0 + 1 + 2 + ..."""
    if any(operator == "sum" and end is open_end(items) for operator, end in translation.folds or ()):
        with suppress(NoNumber):
            count, total = translation.fold("len", [items]), translation.fold("sum", [items])
            twice = combined(multiplied(count, count), count, -1)
            translation.constraints.append(("<=", combined(twice, multiplied(total, {(): 2}), -1)))


def _relate(
    translation: Translation, relation: str, operator: str, left: Iterable[Any], right: Iterable[Any], more: int
) -> None:
    """Add that a number is that of others, and so many more, or at most that: how long lists are, or what they hold is
    together. A product that is part of another one divides it."""
    with suppress(NoNumber):
        less, great = translation.fold(operator, left), translation.fold(operator, right)
        if operator == "prod" and relation == "<=":
            relation, less = "=", multiplied(less, {(translation.fresh((0, None)),): 1})
        translation.constraints.append((relation, combined(combined(less, great, -1), {(): more}, -1)))


def _groups(translation: Translation, cases: list[_Case]) -> list[list[_Case]]:
    """Cases by the minima, quotients and the like that they are about, also by way of others."""
    known = set(translation.index.values())
    parts = [_parts((one,), known) for one in translation.constraints]
    groups: list[tuple[set[int], list[_Case]]] = []
    for case in cases:
        about, members = _parts(case, known), [case]
        grown = True
        while grown:
            touched = set().union(about, *(part for part in parts if not part.isdisjoint(about)))
            grown, about = len(touched) > len(about), touched
        for group in [group for group in groups if not group[0].isdisjoint(about)]:
            groups.remove(group)
            about, members = about | group[0], [*group[1], *members]
        groups.append((about, members))
    return [members for _, members in groups] if len(groups) > 1 else []


def _parts(told: Iterable[Told], known: set[int]) -> set[int]:
    """The parts of expressions that polynomials are about, which are numbers of their own."""
    return {part for _, poly in told for monomial in poly for part in monomial} - known


class _Cases:
    """The cases to be gone through; paid for with steps."""

    def __init__(self, state: State, cases: list[tuple[_Stated, ...]]) -> None:
        self._charge = state.search.budget.charge
        self._cases = cases
        self._left = MOST_SPLITS

    def refuted(self, rows: list[_Stated], index: int) -> bool:
        """Whether nothing satisfies some rows and one of each of the cases from `index` on."""
        self._charge(len(rows))
        if refuted([r for is_equation, r in rows if is_equation], [r for is_equation, r in rows if not is_equation]):
            return True
        if index == len(self._cases) or not self._left:
            return False
        self._left -= 1
        return all(self.refuted([*rows, case], index + 1) for case in self._cases[index])


def _about_products(constraints: list[Told], bounds: list[Bounds]) -> Iterator[Told]:
    """What holds of products, since it holds of their factors."""
    products = {m for _, poly in constraints for m in poly if len(m) > 1}
    products |= {one[:i] + one[i + 1 :] for one in products if len(one) == 3 for i in range(3)}
    if not products or len(products) > MOST_PRODUCTS:
        return
    for one in products:
        if all(bounds[factor][0] >= 0 for factor in one):
            yield "<=", {one: -1}
        if len(one) == 2:
            if one[0] == one[1]:  # of an integer, its square is no less
                yield "<=", {one[:1]: 1, one: -1}
            for x, y in {one, one[::-1]}:
                for first in _ends(x, bounds[x]):
                    for second in _ends(y, bounds[y]):
                        yield "<=", combined({}, multiplied(first, second), -1)
        elif len(one) == 3 and all(bounds[factor][0] >= 0 for factor in one):
            for i, x in enumerate(one):
                others = one[:i] + one[i + 1 :]
                for first in _ends(x, bounds[x]):
                    yield "<=", combined({}, multiplied(first, {others: 1}), -1)
    factors = sorted({factor for one in products for factor in one if bounds[factor][0] >= 0})
    for relation, poly in constraints:
        if relation == "!=" or any(len(m) > 1 for m in poly):
            continue
        for variable in factors:
            more = multiplied(poly, {(variable,): 1})
            if all(len(m) < 2 or m in products for m in more):
                yield relation, more


def _ends(variable: int, bounds: Bounds) -> Iterator[Poly]:
    """What is at least 0, since a variable lies within bounds."""
    low, high = bounds
    yield {(variable,): 1, (): -low}
    if high is not None:
        yield {(variable,): -1, (): high}


def _row(relation: str, poly: Poly) -> _Stated:
    return relation == "=", Row({m: c for m, c in poly.items() if m and c}, -poly.get((), 0))
