"""Minima and maxima of numbers in normal form.

Operands that are minima themselves are put together; one that is never less than another is left out; what all have in
common, as a term or as a factor, stands outside: `min(2 * n + 1, 2 * m + 3)` is `2 * min(n, m + 1) + 1`. Three and
more operands are nested in a fixed order.
"""

from __future__ import annotations

from collections import Counter
from math import gcd
from typing import Any

from .arith import UNKNOWN, Arith
from .normal import add, mul, number_of, opened, opened_poly
from .notation import opening_of
from .poly import Poly, add_to, order_of, product, stored, without
from .ranges import is_natural, least

__all__ = ["greatest_of", "least_of"]


_OPPOSITE = {"min": "max", "max": "min"}


def least_of(a: Any, b: Any) -> Any:
    """The lesser of two normal numbers."""
    return _choice("min", a, b)


def greatest_of(a: Any, b: Any) -> Any:
    """The greater of two normal numbers."""
    return _choice("max", a, b)


def _choice(operator: str, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return min(a, b) if operator == "min" else max(a, b)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    return _chosen(operator, _undominated(operator, {*_options(operator, a), *_options(operator, b)}))


def _chosen(operator: str, kept: list[Any]) -> Any:
    """The choice of options of which none is idle."""
    if len(kept) == 1:
        return kept[0]
    plain = _with_common_outside(operator, kept)
    other = _with_inner_outside(operator, kept)
    return plain if other is None or _leaves(other) > _leaves(plain) else other


def _with_common_outside(operator: str, kept: list[Any]) -> Any:
    """The choice with what all options have in common outside."""
    polys = [stored(option) for option in kept]
    common = _common_terms(polys)
    for poly in polys:
        add_to(poly, common, -1)
    scale, factor = _common_factor(polys)
    options = [
        number_of(
            opened_poly({m: c // scale for atoms, c in poly.items() if (m := without(atoms, factor)) is not None})
        )
        for poly in polys
    ]
    result = dict(opened_poly(common))
    add_to(result, product(opened_poly({factor: scale}), _nested(operator, sorted(options, key=_order))))
    return number_of(result)


def _with_inner_outside(operator: str, kept: list[Any]) -> Any:
    """The choice with another one outside that stands in an option and cannot be put together with it:
    `min(1, n - min(1, n))` is `min(2, n) - min(1, n)`. None if there is no such, or that takes more options.

    What an extent is of which one is cut off again and again would be told twice in what it is then.
    """
    for option in kept:
        for atoms, c in stored(option).items():
            (atom, *more) = atoms or (None,)
            if more or c >= 0 or type(atom) is not Arith or atom.args[0] != operator:
                continue
            inner = number_of(opened_poly({atoms: c}))
            outside = [add(other, mul(-1, inner)) for other in kept]
            found = _undominated(operator, {part for other in outside for part in _options(operator, other)})
            if len(found) <= len(kept):
                return add(_chosen(operator, found), inner)
    return None


def _leaves(number: Any) -> int:
    """How many numbers and symbols stand in a number as it is written; what stands there again is counted once more,
    and looked at once."""
    found: dict[Any, int] = {}
    stack = [number]
    while stack:
        item = stack[-1]
        parts = item.args[1] if type(item) is Arith else ()
        if item not in found and (unseen := [part for part in parts if part not in found]):
            stack.extend(unseen)
            continue
        stack.pop()
        found[item] = sum([found[part] for part in parts]) if type(item) is Arith else 1
    return found[number]


def _order(number: Any) -> tuple[str, Any]:
    return (opening_of(number), [order_of(atoms) for atoms in stored(number)])


def _nested(operator: str, options: list[Any]) -> Poly:
    """The choice of sorted options as an open polynomial."""
    chosen = options.pop()
    while options:
        chosen = Arith.make((operator, (options.pop(), chosen)))
    return opened(chosen)


def _options(operator: str, number: Any) -> list[Any]:
    """What a number is the choice of: itself, or the options of the only choice in it.

    `n - min(n, m)` is the maximum of `n - n` and `n - m`.
    """
    for poly in (stored(number), opened(number)):
        choices = [
            (atoms, atom)
            for atoms, c in poly.items()
            for atom in atoms
            if type(atom) is Arith and atom.args[0] == (operator if c > 0 else _OPPOSITE[operator])
        ]
        if len(choices) != 1:
            continue
        ((atoms, atom),) = choices
        others = without(atoms, (atom,))
        assert others is not None
        if all(is_natural(other) for other in others):
            outside = number_of(opened_poly({m: c for m, c in poly.items() if m != atoms}))
            factor = number_of(opened_poly({others: poly[atoms]}))
            return [add(mul(factor, option), outside) for option in _chain(atom)]
    return [number]


def _chain(choice: Any) -> list[Any]:
    """The options of nested choices."""
    options = []
    operator = choice.args[0]
    while type(choice) is Arith and choice.args[0] == operator:
        option, choice = choice.args[1]
        options.append(option)
    return [*options, choice]


def _undominated(operator: str, options: set[Any]) -> list[Any]:
    """The options without those that another one makes idle."""
    kept: list[Any] = []
    for option in sorted(options, key=_order):
        if not any(_is_idle(operator, option, other) for other in kept):
            kept = [other for other in kept if not _is_idle(operator, other, option)]
            kept.append(option)
    return kept


def _is_idle(operator: str, option: Any, other: Any) -> bool:
    """Whether an option is never chosen beside another one."""
    low = least(add(option, mul(-1, other)) if operator == "min" else add(other, mul(-1, option)))
    return low is not None and low >= 0


def _common_terms(polys: list[Poly]) -> Poly:
    """For each monomial without choices the least coefficient: what is left has no negative ones of these."""
    every = dict.fromkeys(atoms for poly in polys for atoms in poly if not any(map(_is_choice, atoms)))
    least_ones = {atoms: min(poly.get(atoms, 0) for poly in polys) for atoms in every}
    return {atoms: c for atoms, c in least_ones.items() if c}


def _is_choice(atom: Any) -> bool:
    return type(atom) is Arith and atom.args[0] in _OPPOSITE


def _common_factor(polys: list[Poly]) -> tuple[int, tuple[Any, ...]]:
    """The greatest number and the greatest monomial of naturals that divide all polynomials."""
    scale = gcd(*(c for poly in polys for c in poly.values()))
    common: Counter[Any] | None = None
    for poly in polys:
        for atoms in poly:
            common = Counter(atoms) if common is None else common & Counter(atoms)
    factor = [atom for atom in (common or Counter()).elements() if is_natural(atom) and not _is_choice(atom)]
    return scale, tuple(sorted(factor, key=lambda atom: order_of((atom,))))
