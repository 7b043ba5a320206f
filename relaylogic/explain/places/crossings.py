"""Places that two typings tell to be needed: each question about one is an inference, and most of a long conflict are.

Let C be inconsistent, and two typings be known: what C says *above*, from what is written to what is refused, and what
is left without some place of C, which is consistent, and says it *below*, from what is refused back to that place. Take
the latter for all that comes of a place y, and the former for all else. If every place but y holds of these types, C
without y is consistent, and y is needed. So one question may tell of all places along a network, past its forks.

What is open in the typing below is chosen: as it is above, or 1 for extents, which fits wherever broadcasting is in
play. Nothing depends on whether that is right: it is looked at, place by place, whether they hold.

Representation: a *link* ties the node `head` to those that it is made of, by identity (`places`). Only functions are
looked at that nobody calls, of operators, tuples and lets; all types are known ones of tensors, and tuples of these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...infer.sites.callsite import solve_site
from ...ir import Call, Constant, Function, Let, Op, Tuple, TupleGetItem
from ...ir import Var as LocalVar
from ...logic.terms.numbers import Arith, substitute, symbols_of
from ...rulebase import AttributeProblem, RuleError
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType
from .place import Place
from .places import Places

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Crossings"]

Types = Mapping[int, Any]
"""Types of nodes, all known, by identity; nodes of which that is not known are left out."""

MOST_LOOKED_AT = 200_000
"""So many links are looked at for all places together, which takes about as long as some ten inferences."""

_OPEN = object()
"""The attributes of a call of which not all are said."""

_PLAIN = (Constant, Let, LocalVar, Op, Tuple, TupleGetItem)


class _Link(NamedTuple):
    """What ties a node to those that it is `made` of; `place` is the number of its place, -1 for none.

    `head` and `parts` are the identities of these.
    """

    node: Any
    made: tuple[Any, ...]
    head: int
    parts: tuple[int, ...]
    place: int


class Crossings:
    """What is tied in the functions of a program, to be asked about its conflicts."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._links: dict[str, list[_Link]] = {}

    def needed(
        self,
        conflict: Collection[int],
        asked: Collection[int],
        above: Sequence[Inference],
        below: Inference,
        mends: Mapping[int, Any],
    ) -> set[int]:
        """Those of the `asked` places of which it is told that an inconsistent set needs them.

        `above` are inferences of the set, and of more, for what it leaves open; `below` is one without some place of
        it, which refuses nothing. `mends` are the types that stand at places that are beyond doubt.
        """
        places = self._places.all
        owners = {places[place].owner for place in (*conflict, *mends)}
        if len(owners) != 1:
            return set()
        links = self._tied(*owners)
        if not links:
            return set()
        kept = frozenset(conflict)
        said = _tying([link for link in links if link.place < 0 or link.place in kept or link.place in mends])
        found: set[int] = set()
        for is_one in (False, True):
            left = [place for place in asked if place not in found]
            found |= _Mixed(self._places, kept, said, above, below, mends, is_one).needed(left)
        return found

    def first(self, asked: Sequence[int]) -> int:
        """Of some places, the one that the longest way leads from; the first of them, if that is not told."""
        places = self._places.all
        owners = {places[place].owner for place in asked}
        links = self._tied(*owners) if len(owners) == 1 else []
        users: dict[int, list[int]] = {}
        for link in links:
            for part in link.parts:
                users.setdefault(part, []).append(link.head)
        lengths: dict[int, int] = {}
        for node in reversed(self._places.nodes[places[asked[0]].owner] if links else ()):
            lengths[id(node)] = 1 + max([lengths.get(user, 0) for user in users.get(id(node), ())], default=0)
        return max(asked, key=lambda place: lengths.get(id(places[place].node), 0))

    def _tied(self, owner: str) -> list[_Link]:
        """The links of a function; none if it is one that is not looked at, or what is outside of all functions."""
        found = self._links.get(owner)
        if found is None:
            nodes = self._places.nodes.get(owner, ())
            found = self._links[owner] = []
            if all(_is_plain(node, self._places) for node in nodes):
                inside = {id(node) for node in nodes}
                inside.update(id(node.var) for node in nodes if type(node) is Let)
                inside.update(id(parameter) for node in nodes if type(node) is Function for parameter in node.params)
                for node, parts, place in self._places.links():
                    if id(node) in inside:
                        made = tuple(node.args if type(node) is Call else parts)
                        found.append(_Link(node, made, id(node), tuple(map(id, made)), place))
        return found


def _is_plain(node: Any, places: Places) -> bool:
    """Whether a node is one of a function that nobody calls, and calls nothing but operators."""
    if type(node) is Call:
        return type(node.op) is Op and node.op.name not in places.module.declarations
    if type(node) is Function:
        return not (node.type_params or node.type_constraints or places.is_used(node))
    return type(node) in _PLAIN


def _tying(links: list[_Link]) -> list[_Link]:
    """The links without those that say of nothing but their heads what it is, and belong to no place."""
    while True:
        used = {part for link in links for part in link.parts}
        used.update(link.head for link in links if link.place >= 0)
        left = [link for link in links if link.place >= 0 or link.head in used]
        if len(left) == len(links):
            return left
        links = left


class _Mixed:
    """Typings of a function that are one typing for what comes of a place, and another one for all else."""

    def __init__(
        self,
        places: Places,
        kept: Collection[int],
        links: list[_Link],
        above: Sequence[Inference],
        below: Inference,
        mends: Mapping[int, Any],
        is_one: bool,
    ) -> None:
        self._places = places
        self._kept = frozenset(kept)
        self._links = links
        self._mends = mends
        self._driver = below.driver
        nodes = {id(link.node): link.node for link in links}
        nodes.update((id(part), part) for link in links for part in link.made)
        self._above: dict[int, Any] = {}
        for inference in above:
            told = ((i, inference.type_of(node)) for i, node in nodes.items() if i not in self._above)
            self._above.update((i, known) for i, known in told if _is_known(known))
        self._below = dict(_filled({i: below.type_of(node) for i, node in nodes.items()}, self._above, is_one))
        for i, known in self._below.items():
            self._above.setdefault(i, known)
        self._users: dict[int, list[int]] = {}
        for number, link in enumerate(links):
            for part in link.parts:
                self._users.setdefault(part, []).append(number)
        self._at: dict[int, list[int]] = {}
        for number, link in enumerate(links):
            self._at.setdefault(link.head, []).append(number)
        # What nothing is said of is as those who use it want it; what nobody uses is whatever comes of it.
        self._free = {i for i in nodes if i not in self._at}
        self._unused = {head for head, own in self._at.items() if head not in self._users and len(own) == 1}
        same = {i for i in nodes if self._above.get(i) == self._below.get(i)}
        # The parts of each link whose types differ.
        self._unlike = [[part for part in link.parts if part not in same] for link in self._links]
        self._attrs: dict[int, Any] = {}
        self._looked_at = 0

    def needed(self, asked: Collection[int]) -> set[int]:
        """Those of some places without which the rest holds in such a typing."""
        holds_above = [self._holds(link, self._above.get) for link in self._links]
        holds_below = [self._holds(link, self._below.get) for link in self._links]
        wrong_above = [n for n, holds in enumerate(holds_above) if not holds]
        at: dict[int, list[int]] = {}
        for number, link in enumerate(self._links):
            at.setdefault(link.place, []).append(number)
        found: set[int] = set()
        for place in asked:
            if self._looked_at > MOST_LOOKED_AT:
                break
            own = at.get(place, [])
            heads = {self._links[number].head for number in own}
            if len(heads) == 1 and self._is_enough(heads.pop(), own, wrong_above, holds_below):
                found.add(place)
        return found

    def _is_enough(self, start: int, own: Collection[int], wrong_above: list[int], holds_below: list[bool]) -> bool:
        """Whether all links but a place's own hold if what comes of its node, and nothing else, is as below."""
        links, users = self._links, self._users
        under = {start}
        touched = dict.fromkeys(self._at[start])
        agenda = [start]
        for node in agenda:  # it grows meanwhile
            for number in users.get(node, ()):
                touched[number] = None
                head = links[number].head
                if head not in under:
                    under.add(head)
                    touched.update(dict.fromkeys(self._at[head]))
                    agenda.append(head)
        self._looked_at += len(touched)
        if any(number not in touched for number in wrong_above):
            return False

        def is_below(node: int) -> bool:
            return node in under or (node in self._free and all(links[n].head in under for n in users[node]))

        def type_at(node: int) -> Any:
            return (self._below if is_below(node) else self._above).get(node)

        for number in touched:
            link = links[number]
            if number in own:
                continue
            is_all_below = link.head in under and all(map(is_below, self._unlike[number]))
            if not (holds_below[number] if is_all_below else self._holds(link, type_at)):
                return False
        return True

    def _holds(self, link: _Link, type_at: Callable[[int], Any]) -> bool:
        """Whether what a link says holds of some types; false if that is not known."""
        node, place = link.node, link.place
        if place in self._mends:
            whose = link.parts[0] if type(node) is Function else link.head
            return bool(type_at(whose) == self._mends[place])
        kind = "" if place < 0 else self._places.all[place].kind
        if type(node) is Function:
            if kind == "result":
                return bool(type_at(link.parts[0]) == node.ret_type)
            return kind in ("", "use")  # nobody asks for its own type
        own = type_at(link.head)
        if own is None and not (kind == "call" and link.head in self._unused):
            return False
        if kind == "annotation":
            return bool(own == node.type_annotation)
        parts = [type_at(part) for part in link.parts]
        if kind in ("", "use"):
            return len(parts) == 1 and bool(own == parts[0])
        if kind == "constant":
            return bool(own == node.tensor_type)
        if None in parts:
            return False
        if kind == "tuple":
            return bool(own == TupleType(tuple(parts)))
        if kind == "projection":
            fields = parts[0].fields if type(parts[0]) is TupleType else ()
            return 0 <= node.index < len(fields) and bool(own == fields[node.index])
        wanted = None if link.head in self._unused else own
        return kind == "call" and self._is_right(self._places.all[place], tuple(parts), wanted)

    def _is_right(self, place: Place, inputs: tuple[Any, ...], result: Any) -> bool:
        """Whether the rules say that a call may have these types, all known; any result if it is None."""
        call, driver = place.node, self._driver
        if place.index not in self._attrs:
            self._attrs[place.index] = self._asked_with(place)
        operator = driver.rules.operators.get(call.op.name)
        attrs = self._attrs[place.index]
        if operator is None or attrs is _OPEN or isinstance(attrs, Open):
            return False
        if operator.variadic:
            inputs = (TupleType(inputs),)
        if len(inputs) != operator.relation.arity - 1:
            return False
        try:
            told = driver.rules.result(operator.relation, inputs, attrs, driver.defaults)
            if result is None or told == result:
                return told is not None
            solution = solve_site(driver.rules, operator.relation, (*inputs, result), attrs, driver.defaults)
        except RuleError:
            return False
        return solution.decided and solution.general == (*inputs, result)

    def _asked_with(self, place: Place) -> Any:
        """The attributes of a call; open ones, if some of them say nothing, or are wrong."""
        operator = self._driver.rules.operators.get(place.node.op.name)
        if operator is None or not self._kept.issuperset(self._places.attributes([place.index])):
            return _OPEN
        try:
            return self._driver.attrs_of(operator, place.node, place.node.given)
        except AttributeProblem:
            return _OPEN


def _tensors(type_: Any) -> list[Any]:
    """The tensors of a type: of a tensor itself, of a tuple its fields; none of what is neither."""
    fields = [type_] if type(type_) is TensorType else []
    if type(type_) is TupleType and type(type_.fields) is tuple:
        fields = list(type_.fields)
    return fields if all(type(field) is TensorType for field in fields) else []


def _is_known(type_: Any) -> bool:
    """Whether a type is one of tensors of which all is known."""
    tensors = _tensors(type_)
    return bool(tensors) and all(
        type(t.dtype) is str and type(t.shape) is tuple and all(type(extent) is int for extent in t.shape)
        for t in tensors
    )


def _filled(types: Types, like: Types, is_one: bool) -> Iterator[tuple[int, Any]]:
    """Types with what is open in them as in others that are known; extents are 1 if `is_one`."""
    values: dict[Any, int] = {}
    pairs = [(i, known, like.get(i)) for i, known in types.items()]
    if is_one:
        pairs = [(i, known, _of_ones(other)) for i, known, other in pairs]
    for _, known, other in pairs:
        for mine, its in zip(_tensors(known), _tensors(other), strict=False):
            if type(mine.shape) is tuple and len(mine.shape) == len(its.shape):
                for extent, value in zip(mine.shape, its.shape, strict=True):
                    if type(extent) is not int and type(extent) is not Arith:
                        values.setdefault(extent, value)
    for i, known, other in pairs:
        filled, tensors, others = other, _tensors(known), _tensors(other)
        if tensors:
            others = others if len(others) == len(tensors) else [None] * len(tensors)
            made = [_tensor(mine, its, values) for mine, its in zip(tensors, others, strict=True)]
            filled = made[0] if type(known) is TensorType else TupleType(tuple(made)) if None not in made else None
        if _is_known(filled):
            yield i, filled


def _of_ones(type_: Any) -> Any:
    """A type with all its extents 1."""
    made = [TensorType((1,) * len(tensor.shape), tensor.dtype) for tensor in _tensors(type_)]
    return made[0] if type(type_) is TensorType else TupleType(tuple(made)) if made else None


def _tensor(mine: Any, its: Any, values: Mapping[Any, int]) -> Any:
    """A tensor with what is open in it as in another one, if there is one; open extents have `values`, else 1."""
    shape, dtype = mine.shape, mine.dtype
    if type(dtype) is not str:
        dtype = "float32" if its is None else its.dtype
    if type(shape) is tuple:
        shape = tuple([extent if type(extent) is int else _extent(extent, values) for extent in shape])
    elif its is None:
        return None
    else:
        shape = its.shape
    return TensorType(shape, dtype)


def _extent(extent: Any, values: Mapping[Any, int]) -> Any:
    """An open extent as a number."""
    if type(extent) is not Arith:
        return values.get(extent, 1)
    return substitute(extent, {symbol: values.get(symbol, 1) for symbol in symbols_of(extent)})
