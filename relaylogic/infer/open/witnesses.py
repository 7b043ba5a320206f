"""Types that are looked at first to see whether some satisfy all that stands in a `where`: small tensors for what calls
are given, and for what they give what follows from that.

Most demands hold of some. That is found out in a tenth of the time that a search takes, and without its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from ...logic.terms.arith import symbols_of
from ...logic.terms.mistakes import RuleError
from ...logic.terms.numbers import Arith
from ...logic.terms.terms import Cons, Slot, Term, is_ground, slot
from ...rulebase import RuleBase
from ...types import TensorType, TypeVar
from ...types.substitution import substitute
from ..sites.callsite import solve_site
from ..sites.demand_goals import Demand
from ..sites.schemes import parts_of

__all__ = ["drawn_witnesses", "holds", "witness"]

RANKS = 2, 0, 1, 3
"""The ranks of tensors of one number."""
MOST_LENGTHS = 3
"""So many last extents of tensors that demands mention are tried as the last ones of others."""
EXTENTS = 1, 1, 2, 3
"""Extents that are drawn, beside those that demands mention: where one of two is 1, they are broadcast."""
MOST_DRAWN = 8
MOST_REDRAWN = 4
_KINDS = frozenset({"Type", "Shape", "ShapeVar", "BaseType"})


def witness(demands: Sequence[Demand], rules: RuleBase) -> dict[Any, Any] | None:
    """Small tensors that satisfy all the demands in place of the type parameters; None if none are found.

    The demands are looked at in their order, and what one has settled stays so: first with the first of some shapes
    that satisfies each, then with the same one for all.
    """
    related = tuple(terms for _, terms, _ in demands)
    if not all(part.kind in _KINDS for part in parts_of(related) if type(part) is TypeVar):
        return None
    before = _told_before(related)
    shapes = _shapes(related)
    asked = list(map(_Asked, demands))
    try:
        for tried in (shapes, *((shape,) for shape in shapes)):
            values: dict[Any, Any] = {}
            parts = [lambda parameter, shape=shape: _tensor_part(parameter, shape, before) for shape in tried]
            if all(any(_settles(demand, values, part, rules) for part in parts) for demand in asked):
                return values
    except RuleError:
        return None  # who searches is told why
    return None


def drawn_witnesses(demands: Sequence[Demand], rules: RuleBase) -> Iterator[dict[Any, Any]]:
    """Some tensors of drawn extents that satisfy all the demands in place of the type parameters, which are numbers
    where they are extents. What is not so of one of these does not follow from the demands."""
    related = tuple(terms for _, terms, _ in demands)
    draw = Random(0)
    before, shapes = _told_before(related), _shapes(related)
    extents = (*EXTENTS, *(shape[-1] for shape in shapes if shape and shape[-1] > 1))

    def part(parameter: Any) -> Any:
        if parameter.kind == "ShapeVar":
            return draw.choice(extents)
        return _tensor_part(parameter, draw.choice(shapes), before)

    asked = list(map(_Asked, demands))
    for _ in range(MOST_DRAWN):
        values: dict[Any, Any] = {}
        try:
            found = all(any(_settles(d, values, part, rules) for _ in range(MOST_REDRAWN)) for d in asked)
        except RuleError:
            return
        if found and all(type(value) is int for p, value in values.items() if p.kind == "ShapeVar"):
            yield values


class _Asked:
    """A demand, with the type parameters of it that are asked for again and again: `first` are those of the first term,
    `given` those that a call is given, and those that extents of its result are computed from."""

    __slots__ = ("demand", "every", "first", "given")

    def __init__(self, demand: Demand) -> None:
        terms = demand[1]
        computed = (symbol for part in parts_of(terms[-1:]) if type(part) is Arith for symbol in symbols_of(part))
        self.demand = demand
        self.every = _parameters(terms)
        self.first = _parameters(terms[:1])
        self.given = list(dict.fromkeys((*_parameters(terms[:-1]), *computed)))


def _settles(asked: _Asked, values: dict[Any, Any], part: Callable[[Any], Any], rules: RuleBase) -> bool:
    """Whether a demand is satisfied by what `part` says of type parameters that are not among the `values`, which these
    join.

    What its result alone speaks of is what follows, and so are other arguments where the first one is known.
    """
    tried = {parameter: "float32" for parameter in asked.given if parameter.kind == "BaseType"} | values
    if _are_in(asked.given, tried) or not (_are_in(asked.first, tried) and _follows(asked, tried, rules)):
        for parameter in asked.given:
            if parameter not in tried:
                tried[parameter] = part(parameter)
        is_known = _are_in(asked.every, tried)
        if not (holds(asked.demand, tried, rules) if is_known else _follows(asked, tried, rules)):
            return False
    values.update(tried)
    return True


def _are_in(parameters: Iterable[Any], values: Mapping[Any, Any]) -> bool:
    return all(parameter in values for parameter in parameters)


def _parameters(terms: tuple[Any, ...]) -> list[Any]:
    """The type parameters in some terms, in order."""
    return [part for part in parts_of(terms) if type(part) is TypeVar]


def _follows(asked: _Asked, values: dict[Any, Any], rules: RuleBase) -> bool:
    """Whether an answer to a demand tells all that is not among the `values`, and leaves nothing; it joins them."""
    relation, terms, attrs = asked.demand
    places = {p: slot(index) for index, p in enumerate(p for p in asked.every if p not in values)}
    equations: list[Any] = []
    arguments = substitute(terms, values | places, equations)
    answers = () if equations else solve_site(rules, relation, arguments, attrs).answers
    found = next((a.terms for a in answers if not a.residue and is_ground(a.terms)), None)
    if found is None:
        return False
    told = _told(arguments, found)
    values.update((parameter, told[place]) for parameter, place in places.items())
    return True


def _tensor_part(parameter: Any, shape: tuple[int, ...], before: Mapping[Any, int]) -> Any:
    """What a type parameter is where tensors have a shape."""
    if parameter.kind == "Shape":
        return shape[before.get(parameter, 0) :]
    if parameter.kind == "ShapeVar":
        return shape[-1] if shape else 1
    return TensorType(shape, "float32") if parameter.kind == "Type" else "float32"


def _told(asked: Any, found: Any) -> dict[Any, Any]:
    """What the slots in a term stand for in an instance of it."""
    told: dict[Any, Any] = {}
    agenda = [(asked, found)]
    while agenda:
        term, known = agenda.pop()
        if type(term) is Slot:
            told[term] = known
        elif type(term) is Cons:
            count = len(term.prefix)
            agenda += [*zip(term.prefix, known, strict=False), (term.tail, known[count:])]
        elif type(term) is tuple:
            agenda += zip(term, known, strict=True)
        elif isinstance(term, Term) and not term.ground:
            agenda += zip(term.args, known.args, strict=True)
    return told


def _shapes(terms: tuple[Any, ...]) -> tuple[tuple[int, ...], ...]:
    """The shapes that are tried: of ones, and of ones but for a last extent that tensors among some terms have."""
    last: dict[int, None] = {}
    seen: set[Any] = set()
    stack: list[Any] = [terms]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack += reversed(item)
        elif isinstance(item, Term) and item not in seen:
            seen.add(item)
            stack += reversed(item.args)
            if type(item) is TensorType and type(item.shape) is tuple and item.shape and type(item.shape[-1]) is int:
                last[item.shape[-1]] = None
    lengths = [extent for extent in last if extent > 1][:MOST_LENGTHS]
    long = ((1,) * (rank - 1) + (length,) for rank in RANKS if rank > 1 for length in lengths)
    return tuple(dict.fromkeys(((1,) * RANKS[0], *long, *((1,) * rank for rank in RANKS))))


def _told_before(terms: tuple[Any, ...]) -> dict[Any, int]:
    """The type parameters that are what is left of a shape, with the number of extents before them."""
    found: dict[Any, int] = {}
    seen: set[Any] = set()
    stack: list[Any] = [*terms]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack += item
        elif isinstance(item, Term) and item not in seen:
            seen.add(item)
            stack += item.args
            if type(item) is Cons:
                found[item.tail] = len(item.prefix)
    return found


def holds(demand: Demand, replacement: Mapping[Any, Any], rules: RuleBase) -> bool:
    """Whether a demand is satisfied by terms in place of all its type parameters."""
    relation, terms, attrs = demand
    equations: list[Any] = []
    arguments = substitute(terms, replacement, equations)
    answers = () if equations else solve_site(rules, relation, arguments, attrs).answers
    return any(not answer.residue for answer in answers)
