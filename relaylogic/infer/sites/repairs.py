"""What a refused call could be made of if it were right: its result after the smallest changes of what it is given.

A call that is refused has inputs that contradict each other. A *repair* takes back some of what the inputs say: an
extent, a dtype, then two of them, then shapes (or which argument is which), then whole types. Among the repairs that
the relation accepts those count that take back least; all of them are equally likely, so what can be said of the result
is what they agree on (anti-unification). So `nn.dense` on (3, 4) and (5, 6) has the result (3, 5), whichever of 4 and 6
is wrong; `add` on (2, 3) and (4, 3) has (_, 3). Rules need not say anything for this: a repair is a question to the
relation like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from typing import Any

from ...logic.search.antiunify import generalise
from ...logic.search.search import Solution
from ...logic.terms.numbers import UNKNOWN, is_number
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import Slot, Term
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import AttributeProblem, Operator, Relation, RuleBase, RuleError
from ...types import FuncType, GlobalTypeVar, TensorType, TypeCall

__all__ = ["agreed", "argument_of", "exchanged", "exchanges", "is_one_change_away", "repaired", "result_of"]

QUESTIONS = 64
"""A kind of repair is not tried if there are more of it than this."""

WIDEST = 6
"""Up to how many arguments are tried in other orders."""

DEEPEST = 8
"""Tensors deeper inside of an argument are taken back with the whole argument only."""

_FAR = 1_000_000  # the slots of what differs, apart from those of the variables

Place = tuple[int, ...]
"""Where a part of the inputs stands: the argument, then the index among the arguments of each term on the way."""


def agreed(terms: Iterable[Any]) -> Any:
    """What all of some terms have in common, with new variables where they differ; None if there are no terms."""
    general: Any = None
    for term in terms:
        if general is None:
            general = term
            continue
        numbering: dict[Any, Any] = {}
        left, right = canonical((general, term), numbering)
        (common,) = generalise((left,), (right,), _FAR)
        general = instantiate(common, dict(enumerate(numbering))) if _is_type(common) else fresh()
    return general


def _is_type(general: Any) -> bool:
    """Whether what types have in common is a type: of functions and data types that differ there may be none."""
    agenda = [general]
    seen: set[int] = set()
    while agenda:
        item = agenda.pop()
        if type(item) is tuple:
            agenda.extend(item)
        elif isinstance(item, Term) and not item.ground and id(item) not in seen:
            seen.add(id(item))
            unnamed = type(item) is GlobalTypeVar or (type(item) is TypeCall and type(item.func) is Slot)
            if unnamed or (type(item) is FuncType and (type(item.arg_types) is Slot or item.type_params)):
                return False
            agenda.extend(item.args)
    return True


def result_of(rules: RuleBase, relation: Relation, inputs: tuple[Any, ...], attrs: Any) -> Any:
    """What a relation says of the result for these inputs; None if it refuses them.

    Raises LookupError if that could not be found out within the budget of steps.
    """
    return argument_of(rules, relation, (*inputs, fresh()), len(inputs), attrs)


def argument_of(rules: RuleBase, relation: Relation, arguments: tuple[Any, ...], place: int, attrs: Any) -> Any:
    """What a relation says of one argument beside the others, as `result_of`; what is given of that one is left out."""
    numbering: dict[Any, Any] = {}
    key = canonical((*arguments[:place], fresh(), *arguments[place + 1 :]), numbering)
    try:
        solution: Solution = rules.solve(relation, key, attrs, by_rows=True)
    except RuleError:
        return None
    if solution.limit == "step limit":
        raise LookupError("the budget is used up")
    if solution.general is None:
        return None
    return instantiate(solution.general[place], dict(enumerate(numbering)))


def repaired(
    rules: RuleBase, relation: Relation, inputs: tuple[Any, ...], attrs: Any, operator: Operator | None = None
) -> Any:
    """The result of a refused call as far as its smallest repairs agree on it; None if nothing can be said.

    `operator` is what is called, if it is one: its attributes may be what is wrong.
    """
    try:
        for level in _levels(inputs):
            questions = [(changed, attrs) for changed in level.inputs]
            if level.whole and operator is not None and attrs is not None:
                questions += [(inputs, other) for other in _plainer(attrs, operator)]
            answers = (result_of(rules, relation, changed, a) for changed, a in questions)
            found = agreed(answer for answer in answers if answer is not None)
            if found is not None:
                return found
    except LookupError:
        pass
    return None


def is_one_change_away(rules: RuleBase, relation: Relation, inputs: tuple[Any, ...], attrs: Any) -> bool:
    """Whether a relation accepts inputs of which one extent or one dtype is another, or only another result is wanted.

    So it is taken to be if that could not be found out.
    """
    leaves = [leaf for place, tensor in _tensors(inputs) for leaf in _leaves(place, tensor)]
    if len(leaves) > QUESTIONS:
        return True
    changed = chain([inputs], (_changed(inputs, [(leaf, _open)]) for leaf in leaves))
    try:
        return any(result_of(rules, relation, other, attrs) is not None for other in changed)
    except LookupError:
        return True


def exchanged(inputs: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The inputs with two of the first few exchanged."""
    return (other for _, other in exchanges(inputs))


def exchanges(inputs: tuple[Any, ...]) -> Iterator[tuple[tuple[int, int], tuple[Any, ...]]]:
    """Which two of the first few inputs are exchanged, and the inputs then."""
    for i, j in combinations(range(min(len(inputs), WIDEST)), 2):
        other = list(inputs)
        other[i], other[j] = inputs[j], inputs[i]
        yield (i, j), tuple(other)


class _Level:
    """Repairs of one size; `whole` if they take back more than extents and dtypes."""

    __slots__ = ("inputs", "whole")

    def __init__(self, inputs: list[tuple[Any, ...]], whole: bool) -> None:
        self.inputs = inputs
        self.whole = whole


def _levels(inputs: tuple[Any, ...]) -> Iterator[_Level]:
    """The repairs of some inputs, small ones first."""
    tensors = list(_tensors(inputs))
    leaves = [leaf for place, tensor in tensors for leaf in _leaves(place, tensor)]

    def level(choices: Iterable[Iterable[tuple[Place, Callable[[Any], Any]]]], whole: bool = False) -> _Level:
        return _Level([_changed(inputs, choice) for choice in choices], whole)

    yield _Level([inputs], False)  # it may be the result alone that does not fit
    if len(leaves) <= QUESTIONS:
        yield level([(leaf, _open)] for leaf in leaves)
    if len(leaves) * (len(leaves) - 1) <= 2 * QUESTIONS:
        yield level(((a, _open), (b, _open)) for a, b in combinations(leaves, 2))
    few = len(tensors) <= QUESTIONS
    for change, whole in ((_unsized, False), (_shapeless, True)):
        if few:
            coarse = level(([(place, change)] for place, _ in tensors), whole)
            coarse.inputs.extend(exchanged(inputs))
            yield coarse
    arguments = [(i,) for i in range(len(inputs))]
    yield level(([(place, _open)] for place in arguments), True)
    for change in (_unsized, _shapeless):
        if few:
            yield level([[(place, change) for place, _ in tensors]], True)
    yield level([[(place, _open) for place in arguments]], True)


def _plainer(attrs: Any, operator: Operator) -> Iterator[Any]:
    """The attributes with one of them left out."""
    given = dict(attrs.items())
    for name, attribute in operator.attributes.items():
        if name in given and not attribute.required:
            try:
                plainer = operator.attrs({k: v for k, v in given.items() if k != name})
            except AttributeProblem:
                continue
            if plainer != attrs:
                yield plainer


def _tensors(inputs: tuple[Any, ...]) -> Iterator[tuple[Place, Any]]:
    """The tensor types among the inputs, those in tuples too, with their places."""
    agenda: list[tuple[Place, Any]] = [((i,), term) for i, term in reversed(list(enumerate(inputs)))]
    while agenda:
        place, term = agenda.pop()
        if type(term) is TensorType:
            yield place, term
        elif len(place) < DEEPEST and (type(term) is tuple or isinstance(term, Term)):
            agenda.extend(((*place, i), part) for i, part in reversed(list(enumerate(_parts(term)))))


def _leaves(place: Place, tensor: Any) -> Iterator[Place]:
    """The places of what a tensor type says: its extents and its dtype, where they are known."""
    shape = tensor.shape
    for i, extent in enumerate(shape if type(shape) is tuple else ()):
        if type(extent) not in VARIABLES and extent is not UNKNOWN:
            yield (*place, 0, i)
    if type(tensor.dtype) not in VARIABLES:
        yield (*place, 1)


def _open(_: Any) -> Any:
    return fresh()


def _unsized(tensor: Any) -> Any:
    """A tensor type of the same rank with all extents open."""
    shape = tensor.shape
    if type(shape) is tuple:
        shape = tuple(fresh() if is_number(e) and e is not UNKNOWN else e for e in shape)
    return TensorType(shape, tensor.dtype)


def _shapeless(tensor: Any) -> Any:
    return TensorType(fresh(), tensor.dtype)


def _changed(inputs: tuple[Any, ...], changes: Iterable[tuple[Place, Callable[[Any], Any]]]) -> tuple[Any, ...]:
    """The inputs with the parts at some places changed; no place lies inside of another."""
    for place, change in changes:
        above: list[Any] = [inputs]
        for index in place[:-1]:
            above.append(_parts(above[-1])[index])
        new = change(_parts(above[-1])[place[-1]])
        for whole, index in zip(reversed(above), reversed(place), strict=True):
            parts = _parts(whole)
            parts = (*parts[:index], new, *parts[index + 1 :])
            new = parts if type(whole) is tuple else type(whole).make(parts)
        inputs = new
    return inputs


def _parts(term: Any) -> Any:
    return term if type(term) is tuple else term.args
