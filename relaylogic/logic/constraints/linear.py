"""What equations and comparisons say together that each of them leaves open: `n + m + k = 10` and `n - m + k = 4` say
that m is 3, `n <= m`, `m <= k` and `k <= n` that they are one number.

Bounds do not tell; elimination does. It is asked for when an answer is told, and takes as many rounds as there are
equations, squared. What is no sum, `n * m` or `n // m`, is an unknown like others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.numbers import difference, polynomial
from ..terms.poly import Poly, sum_of
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from ..terms.variables import VARIABLES
from .compare import Compare
from .elimination import Row, opposite, solved, tight, without_all
from .equations import is_polynomial
from .roots import roots_of

__all__ = ["with_linear"]

HIGHEST = 4
"""Products of so many numbers, at most, are put in the place of one."""


def with_linear(state: State) -> State | None:
    """`state` with what its comparisons say together; None if they cannot hold, `state` itself if that is nothing new.

    No number in them may turn out to be `?`.
    """
    told = {
        number: reify_term(constraint, state.bindings)
        for number, constraint in ({} if state.store is None else state.store.constraints).items()
        if type(constraint) is Compare and constraint.relation != "!="
    }
    if len(told) < 2:
        return state
    rows = {number: row for number, one in told.items() if (row := _row(one)) is not None}
    less = {number: row for number, row in rows.items() if told[number].relation == "<="}
    equations = [row for number, row in rows.items() if number not in less]
    bounds = [*_bounds({key for row in less.values() for key in row.coefficients}, state)]
    said = equations[:]
    as_equations = dict(zip(less, tight(equations, [*less.values()], bounds), strict=True))
    equations += opposite(less.values())
    equations += filter(None, as_equations.values())
    if not equations:
        return state
    known = solved(equations)
    if known is None:
        return None
    work = Work(state)
    if not (_tell_values(known, work) and _tell_bounds((without_all(known, row) for row in less.values()), work)):
        return None
    if work.bindings is state.bindings:
        if not (_tell_equations(as_equations, said, work) and _tried(known, [*told.values()], work)):
            return None
    return work.finish()


def _bounds(unknowns: Iterable[tuple[Any, ...]], state: State) -> Iterator[Row]:
    """Between what numbers lie, as rows."""
    for unknown in unknowns:
        variable = _variable(unknown)
        if variable is not None:
            low, high = state.bounds(variable)
            yield Row({unknown: -1}, -low)
            if high is not None:
                yield Row({unknown: 1}, high)


def _tell_equations(found: Mapping[int, Row | None], said: list[Row], work: Work) -> bool:
    """Put equations in the place of the comparisons that come to them, but for those that follow from what is `said`;
    False if that cannot be."""
    for number, row in found.items():
        if row is None:
            continue
        work.own_store().constraints.pop(number, None)
        left = without_all(solved(said) or {}, row, is_equation=True)
        if left is None or left.coefficients:
            said = [*said, row]
            more = sum_of({key: c for key, c in row.coefficients.items() if c > 0})
            less = {key: -c for key, c in row.coefficients.items() if c < 0}
            if not work.post(Compare.draft(("=", more, sum_of(less | ({(): row.bound} if row.bound else {}))))):
                return False
    return True


def _row(comparison: Compare) -> Row | None:
    """A comparison as a row over what is added up in it; None if something is divided by 0 in it."""
    try:
        gap = polynomial(difference(comparison.left, comparison.right), sums_only=True)
    except ZeroDivisionError:
        return None
    return Row({atoms: c for atoms, c in gap.items() if atoms and c}, -gap.get((), 0))


def _tell_values(known: Mapping[Any, Row], work: Work) -> bool:
    """Bind the numbers that have one value, and those that are one; False if that cannot be."""
    first: dict[Any, tuple[Any, ...]] = {}
    for unknown, row in known.items():
        sign = 1 if row.coefficients[unknown] > 0 else -1
        c, bound = sign * row.coefficients[unknown], sign * row.bound
        rest = {key: -sign * other for key, other in row.coefficients.items() if key != unknown}
        if not rest:
            number, value = _variable(unknown), bound // c
            if number is not None and (value < 0 or not work.unify(number, value)):
                return False
            continue
        (other, factor), *more = rest.items()
        same = first.setdefault((frozenset(rest.items()), c, bound), unknown)
        if not more and not bound and factor == c and not _make_one(unknown, other, work):
            return False
        if same is not unknown and not _make_one(unknown, same, work):
            return False
    return True


def _make_one(unknown: tuple[Any, ...], other: tuple[Any, ...], work: Work) -> bool:
    """Unify numbers that are equal, or of which powers are; False if they cannot be."""
    numbers = _variable(unknown), _variable(other)
    if unknown != other and None in numbers:
        numbers = roots_of({unknown: 1, other: -1}) or numbers
    return not all(type(number) in VARIABLES for number in numbers) or work.unify(*numbers)


def _tell_bounds(rows: Iterable[Row | None], work: Work) -> bool:
    """Narrow the numbers that are alone in comparisons; False if that cannot be."""
    for row in rows:
        if row is None:
            return False
        if len(row.coefficients) == 1:
            ((unknown, c),) = row.coefficients.items()
            number = None if (variable := _variable(unknown)) is None else work.walk(variable)
            if type(number) in VARIABLES:
                low, high = (0, row.bound // c) if c > 0 else (max(0, -(row.bound // -c)), None)
                if not work.narrow(number, low, high):
                    return False
    return True


def _tried(known: Mapping[Any, Row], told: list[Any], work: Work) -> bool:
    """Whether what is no sum may hold where numbers stand as what equations say that they are; what follows is told."""
    names: dict[Any, Any] = {}
    for unknown, row in known.items():
        number, c = _variable(unknown), row.coefficients[unknown]
        rest = {key: -c * other for key, other in row.coefficients.items() if key != unknown}
        if number is not None and abs(c) == 1 and all(_variable(key) is not None for key in rest):
            names[number] = sum_of({**rest, **({(): c * row.bound} if row.bound else {})})
    concerned = [c for c in told if not _is_sum(c) and not names.keys().isdisjoint(variables_of(c))]
    written = [reify_term(comparison, names) for comparison in concerned]
    written += _in_one_number(names, [c for c in told if _is_sum(c)])
    trial = Work(State(work.bindings, work.store, work.search))
    if not all(map(trial.post, written)) or trial.finish() is None:
        return False
    about = dict.fromkeys(variables_of((*concerned, *written)))
    found = [(variable, trial.walk(variable)) for variable in about]
    return all(work.unify(*pair) for pair in found if type(pair[1]) is int or pair[1] in about)


def _in_one_number(names: dict[Any, Any], told: list[Any]) -> Iterator[Any]:
    """What comparisons of sums and products say of one number, where others stand as what equations say they are:
    `n * n = m`, `m * m = n + 14`."""
    defined = dict(names)
    for comparison in told:
        definition = _definition(comparison, defined)
        if definition is not None:
            number, _ = definition
            defined = {one: reify_term(said, dict([definition])) for one, said in defined.items()}
            defined[number] = definition[1]
    if len(defined) > len(names):
        for comparison in told:
            written = reify_term(comparison, defined)
            gap = _gap(written)
            if written is not comparison and gap and len({atom for atoms in gap for atom in atoms}) == 1:
                yield written


def _definition(equation: Any, defined: Mapping[Any, Any]) -> tuple[Any, Any] | None:
    """A number and the product of others, or sum of such, that an equation says it is; None if it says that of none."""
    gap = _gap(reify_term(equation, defined)) if equation.relation == "=" else None
    if not gap or max(map(len, gap)) not in range(2, HIGHEST + 1):
        return None
    for (atom, *more), c in ((atoms, c) for atoms, c in gap.items() if atoms):
        if not more and abs(c) == 1 and sum(atom in atoms for atoms in gap) == 1:
            return atom, sum_of({atoms: -c * other for atoms, other in gap.items() if atoms != (atom,)})
    return None


def _gap(comparison: Any) -> Poly | None:
    """The difference of the sides of a comparison of numbers that are added and multiplied; None if they are others."""
    gap = polynomial(difference(comparison.left, comparison.right), sums_only=True)
    return gap if all(type(atom) in VARIABLES for atoms in gap for atom in atoms) else None


def _variable(monomial: tuple[Any, ...]) -> Any:
    """The variable that a monomial is; None if it is none."""
    return monomial[0] if len(monomial) == 1 and type(monomial[0]) in VARIABLES else None


def _is_sum(comparison: Compare) -> bool:
    """Whether a comparison is one of sums and products."""
    return is_polynomial(comparison.left) and is_polynomial(comparison.right)
