"""Questions about the type of one expression where only some places of a program say something.

What bears on it (`alone`) is looked up once for a set of places, and only what is left out for those that are parts of
it; it is solved segment by segment (`segments`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from ...infer.sites.assumption import may_be
from ...infer.sites.driver import Driver
from ...infer.sites.store import Store
from ...ir import Call, children
from ...logic.states.unknown import has_unknown
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.terms import is_ground, slot
from ...logic.terms.variables import fresh
from ...rulebase import Operator
from ...types import FuncType, TensorType, TupleType
from ..blame.other_values import other_values
from ..places.atoms import WHOLE, Atoms
from ..places.place import Place
from .alone import Alone, Attributes, Tied
from .dtype_ways import Way, way_to
from .hoped import NONE, Hopeful, other_result, other_when_told
from .segments import Segments, solved_together
from .work import Work
from .worlds import World, Worlds

__all__ = ["Asked", "Otherwise"]

_ENDS = ("annotation", "call", "constant", "projection")

_OTHER = "float16"
"""What is supposed to be the dtype of something else."""

_VALUES = 8
"""So many other values of an attribute are tried."""

_STEPS_A_SITE = 12
"""So many steps are looked up in the time that a site takes to be solved."""


class Otherwise(NamedTuple):
    """Another result that a call of which attributes are open may have.

    `attributes` are these if all is known that the call is told; then the result is, too.
    """

    call: Call
    result: Any
    attributes: list[str]


class _Found(Exception):
    """A call has another result than in the program, `Otherwise`."""


class Asked:
    """What there is to ask about the type of an expression, paid for as it is asked."""

    def __init__(self, alone: Alone, expr: Any, work: Work) -> None:
        self._alone = alone
        self._expr = expr
        self._work = work
        self._wanted = alone.wanted(expr)
        self._parts = Segments(self._begun, work, self._told)
        self._unlaid: Callable[[], None] | None = None  # puts down what these are about
        self._flowing: Mapping[int, Any] = {}  # the types that flow to nodes where all that is looked at holds
        self._base: frozenset[int] | None = None
        self._tied = Tied([], {}, frozenset(), {})
        self._open: Attributes = {}
        self._worlds: Worlds | None = None

    def type_with(self, kept: Iterable[int]) -> Any:
        """The type of the expression where only the places in `kept` say something.

        None if other things than those that are looked at here bear on it. Raises Spent.
        """
        kept = frozenset(kept)
        alone = self._alone
        if self._base is None or not self._base >= kept or 2 * len(kept) < len(self._base):
            if not self._lay(kept):
                return None
        missing = self._tied.places - kept
        if not missing and all(node in self._flowing for node in self._wanted):
            return self._made_of(self._flowing, kept)
        unstated = alone.annotated(missing)
        if any(map(self._segments.is_parted, unstated)):
            if not self._lay(kept):
                return None
            missing, unstated = frozenset(), []
        self._work.pay(1 + len(missing) // _STEPS_A_SITE)
        changed = alone.opened(missing, kept)
        self._open = {**self._tied.open, **{id(place.node): attrs for place, attrs in changed}}
        silent = {
            place.index: tuple(n for n in attrs if attrs[n] is not place.node.given[n]) for place, attrs in changed
        }
        found = self._segments.types(alone.without(missing), unstated, silent)
        return self._made_of(found, kept)

    def hopes_for(self, kept: frozenset[int], is_dtype: bool) -> tuple[Any, bool, Otherwise | None]:
        """The type of the expression where only the places in `kept` say something, if calls with open attributes have
        the results, or the dtypes, that they have in the program; and whether that is sure.

        None if other things bear on the expression, or if one of these calls is known to have another result, which
        comes last then. Raises Spent.
        """
        asked: dict[int, Any] = {}  # what was found out of calls of known arguments
        try:
            followed = self._followed(kept, is_dtype, asked)
            found, is_sure = self._solved(kept, is_dtype, asked) if followed is None else followed
        except _Found as otherwise:
            return None, False, otherwise.args[0]
        return found, is_sure, None

    def _followed(self, kept: frozenset[int], is_dtype: bool, asked: dict[int, Any]) -> tuple[Any, bool] | None:
        """`hopes_for` where types follow one step after the other; None if they do not. Raises _Found and Spent."""
        if self._worlds is None:
            return None
        alone, work = self._alone, self._work
        is_sure = True

        def hoped(call: Call, silent: tuple[str, ...], new: Collection[int]) -> bool:
            nonlocal is_sure
            known, parts = alone.type(id(call)), alone.parts(call)
            opened = {part: slot(i) for i, part in enumerate(dict.fromkeys(part for part in parts if part in new))}
            if is_dtype:
                if type(known) is not TensorType or self._wanted != (id(call),):
                    return False
            elif opened:
                return False
            if not opened:
                self._look_up(call, silent, tuple(map(alone.type, parts)), known.dtype if is_dtype else known)
            operator = alone.program.rules.operators[call.op.name]  # type: ignore[attr-defined]
            types = tuple([opened.get(part) or alone.type(part) for part in parts])
            inputs = (TupleType(types),) if operator.variadic else types
            other = other_when_told(
                call, operator, inputs, silent, known.dtype if is_dtype else known, alone.program, work
            )
            if not opened:
                asked[id(call)] = other
            if other is not NONE and other is not None:
                raise _Found(Otherwise(call, other, list(silent) if is_ground(other) else []))
            is_sure = False
            return other is NONE

        following = self._worlds.following(kept, hoped)
        if not following.issuperset(self._wanted):
            return None
        found = {node: alone.type(node) for node in self._wanted}
        if is_dtype and not is_sure:
            found = {node: TensorType(fresh(), type_.dtype) for node, type_ in found.items()}
        return self._made_of(found, kept), is_sure

    def _solved(self, kept: frozenset[int], is_dtype: bool, asked: dict[int, Any]) -> tuple[Any, bool]:
        """`hopes_for` where what is tied to the expression is solved. Raises _Found and Spent."""
        alone, work = self._alone, self._work
        tied = alone.tied(self._wanted, kept)
        if tied is None:
            return None, False
        is_sure = not tied.open

        def hope(driver: Driver, call: Call, operator: Operator, inputs: tuple[Any, ...]) -> Any:
            nonlocal is_sure
            known = alone.known(call)
            if not is_ground(known) or (is_dtype and type(known) is not TensorType):
                return None
            told = tuple(map(driver.store.reify, inputs[0].fields if operator.variadic else inputs))
            is_told = all(map(is_ground, told))
            silent = _changed_in(call, tied.open[id(call)]) if id(call) in tied.open else []
            if silent:
                self._look_up(call, silent, told, known.dtype if is_dtype else known, driver.store)
            if id(call) not in tied.open:
                if not is_dtype or is_told:
                    return None
                if other_result(call, operator, inputs, known.dtype, driver, work) is not NONE:
                    return None
                is_sure = False
                return TensorType(fresh(), known.dtype)
            if self._expr is alone.function and not is_told:
                arguments = tuple(map(alone.known, call.args))
                told = (TupleType(arguments),) if operator.variadic else arguments
                if other_result(call, operator, inputs, (*told, known), driver, work) is NONE:
                    for part, type_ in zip(inputs, told, strict=True):
                        driver.store.unify(part, type_)
                    return known
            other = asked.get(id(call)) if is_told else None
            if other is None:
                other = other_result(call, operator, inputs, known.dtype if is_dtype else known, driver, work)
            if other is NONE:
                return TensorType(fresh(), known.dtype) if is_dtype else known
            if other is not None:
                is_told = is_told and is_ground(other)
                raise _Found(Otherwise(call, other, silent if is_told else []))
            return fresh()

        driver = alone.driver(tied.open, Hopeful)
        driver.hope = partial(hope, driver)
        found = solved_together(tied.steps, tied.given, self._wanted, driver, work)
        self._told(driver)
        return self._made_of(found, kept), is_sure

    def _look_up(
        self, call: Call, silent: Collection[str], told: tuple[Any, ...], known: Any, store: Store | None = None
    ) -> None:
        """Raise _Found if a call was heard to have another result than `known`, or of another dtype, where it takes
        what it is told, whose variables are in the `store`, and none but the attributes `silent` are others."""
        if self._worlds is None:
            return
        for names, types in self._worlds.outcomes.heard(call, silent):
            taken, result = types[:-1], types[-1]
            if (getattr(result, "dtype", "") if type(known) is str else result) == known:
                continue
            if told == taken or (store is not None and may_be(store, told, taken)):
                raise _Found(Otherwise(call, result, sorted(names)))

    def others(self, kept: frozenset[int], place: int) -> Iterator[Any]:
        """Types that the expression could have if only the places in `kept` said something, which `place` is none of.

        They are found by letting that place say something else. That everything else holds then, and the expression has
        another type, says that the places in `kept` do not force the one that it has. Such a question is answered
        faster than one where types are open; so annotations and attributes say what they do though they are not in
        `kept`. Raises Spent.
        """
        if (self._base is None or not self._base >= kept) and not self._lay(kept | {place}):
            return
        if place not in self._tied.places or self._tied.open:
            return
        where = self._alone.place(place)
        without = self._alone.without(self._tied.places - kept)
        for types, said in self._instead(where):
            if without.isdisjoint(said):
                found = self._segments.supposing(without, types, said)
                if found is not None:
                    yield self._made_of(found, kept)

    def _instead(self, where: Place) -> Iterator[tuple[dict[int, Any], dict[int, Any]]]:
        """What could stand at a place: types of nodes, or what the place of a call says then."""
        node = where.node
        if where.kind == "attribute":
            for value in islice(other_values(node.given[where.attribute], [], None), _VALUES):
                self._open = {id(node): {**node.given, where.attribute: value}}
                yield {}, {self._alone.call(node).index: (where.attribute, repr(value))}
        elif where.kind in _ENDS and is_ground(self._alone.known(node)):
            self._open = {}
            for other in _changed(self._alone.known(node)):
                yield {id(node): other}, {}

    def worlds(self, everything: frozenset[int]) -> Worlds | None:
        """Other typings of what bears on the expression, in a program whose places are `everything`; None where these
        tell nothing.

        If types hold `?`, they tell of sets that have all places where it begins.
        """
        alone = self._alone
        tied = alone.tied(self._wanted, everything)
        if tied is None:
            return None
        self._work.pay(len(tied.steps) // _STEPS_A_SITE)
        found = Worlds(alone, tied, alone.ends(), self._work)
        self._worlds = found if found.is_sound else None
        return self._worlds

    def beginnings(self, everything: frozenset[int]) -> frozenset[int]:
        """The places where `?` begins: what is annotated with it, and calls that give it where they are told none."""
        alone = self._alone
        tied = None if alone.is_cut else alone.tied(self._wanted, everything)
        if tied is None:
            return frozenset()
        found = {alone.annotation(node) for node, type_ in tied.given.items() if has_unknown((type_,))}
        for step in tied.steps:
            place = None if step.is_tie else alone.place(step.at)
            if place is not None and place.kind == "result":
                found.update({step.at} if has_unknown((alone.function.ret_type,)) else ())
            elif place is not None and place.binds is None and has_unknown((alone.type(step.nodes[0]),)):
                if not has_unknown(tuple(map(alone.type, alone.parts(place.node) if children(place.node) else ()))):
                    found.add(step.at)
        return frozenset(found)

    def comes_to(self, atoms: Atoms) -> frozenset[int]:
        """The place that says what the function comes to, if its type is asked for, with atoms of its result."""
        if self._expr is not self._alone.function or not any(atom[:1] in (WHOLE, ("result",)) for atom in atoms):
            return frozenset()
        return self._alone.comes_to()

    def way_of_dtype(self, field: tuple[int, ...], some: frozenset[int]) -> Way | None:
        """The shortest way to what states the dtype of a field of its type, over some places. Raises Spent."""
        return None if self._expr is self._alone.function else way_to(self._alone, self._expr, field, some, self._work)

    def touches(self, world: World) -> bool:
        """Whether the type of the expression may be another one in a world."""
        return not world.types.keys().isdisjoint(self._wanted)

    def type_in(self, worlds: Worlds, world: World, everything: frozenset[int]) -> Any:
        """The type of the expression in a world."""
        if self._expr is not self._alone.function:  # nothing in it is open
            return worlds.type(self._wanted[0], world)
        return self._made_of({node: worlds.type(node, world) for node in self._wanted}, everything - world.denied)

    def _made_of(self, found: Mapping[int, Any], kept: frozenset[int]) -> Any:
        """The type of the expression, by the types of its nodes."""
        types = [instantiate(found[node], {}) for node in self._wanted]
        if self._expr is not self._alone.function:
            return types[0]
        stated = self._alone.result_of(kept)
        return FuncType(tuple(types[:-1]), types[-1] if stated is None else stated)

    def _lay(self, kept: frozenset[int]) -> bool:
        """Look up what bears on the expression; whether that is all there is."""
        self._base = None
        tied = self._alone.tied(self._wanted, kept)
        if tied is None:
            return False
        self._base, self._tied = kept, tied
        self._work.pay(len(tied.steps) // _STEPS_A_SITE)
        is_cut = self._alone.is_cut and all(map(is_ground, tied.given.values()))
        flow = self._alone.flow(tied)
        self._flowing = flow[0] if is_cut else {}
        self._unlaid = partial(self._parts.lay, tied.steps, tied.given, self._wanted, is_cut, flow)
        return True

    @property
    def _segments(self) -> Segments:
        """The segments of what bears on the expression, which are made when somebody asks for them."""
        if self._unlaid is not None:
            self._unlaid()
            self._unlaid = None
        return self._parts

    def way(self, place: int, some: Collection[int]) -> int | None:
        """How many of some places are between one of them and the expression, on a shortest way; None if none leads
        there."""
        return self._alone.way(place, self._wanted, some)

    def below(self) -> Iterator[set[int]]:
        """The numbers of the places that its type is written at, that it is made of where types come from below, and
        that it is made of where they come from the first user."""
        if self._expr is self._alone.function and self._alone.function.ret_type is not None:
            yield self._alone.declared()
        yield self._alone.below(self._expr, self._wanted)
        user = self._alone.user(self._expr)
        if user is not None:
            yield self._alone.below(user, self._alone.wanted(user))

    def _begun(self) -> Driver:
        return self._alone.driver(self._open)

    def _told(self, driver: Driver) -> None:
        """Pay for what the sites have asked."""
        self._work.asked(driver.sites)
        self._work.check()


def _changed_in(call: Any, attributes: dict[str, Any]) -> list[str]:
    """The attributes that a call gives otherwise."""
    return [name for name, value in call.given.items() if attributes[name] is not value]


def _changed(known: Any) -> Iterator[Any]:
    """Types that are much like a type but for one number, or the dtype."""
    behind = []  # what stands behind the first fields, from the outside on
    while type(known) is TupleType and type(known.fields) is tuple and known.fields:
        behind.append(known.fields[1:])
        known = known.fields[0]
    if type(known) is not TensorType or type(known.shape) is not tuple:
        return
    others = [TensorType(known.shape, _OTHER if known.dtype != _OTHER else "float32")]
    if known.shape and type(known.shape[0]) is int:
        others.insert(0, TensorType((known.shape[0] + 1, *known.shape[1:]), known.dtype))
    for other in others:
        for fields in reversed(behind):
            other = TupleType((other, *fields))
        yield other
