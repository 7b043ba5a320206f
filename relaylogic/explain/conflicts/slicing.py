"""What the refusal of a demand rests on, roughly: where the types come from that it is refused for.

Types mostly flow from what a node is made of to the node; where that does not say all, from its users. So the demand's
own nodes are followed: a call of an operator to those of its arguments, and of these to those extents, without which
its relation does not say the same of what is wanted of the result; a variable to its annotation or its value, or to
the calls that say the same of it, by their other arguments and their results. Where more than that may play a part,
everything that the node is made of is followed. What is found is not minimal, and in rare cases not enough: who needs
certainty asks whether the places that are found contradict each other.

Representation: a *demand* on a node is a set of atoms of its type: "rank", "dtype", the numbers of axes; `ALL` if it is
wanted as a whole. Of a tuple, it is wanted of one field, or of all. What a call needs of a tuple is a set of pairs: the
number of a field, and an atom of that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...infer.sites.callsite import solve_site
from ...infer.sites.places import tail
from ...infer.sites.relation_site import RelationSite
from ...infer.sites.schemes import parts_of, replaced
from ...infer.sites.site import Site
from ...ir import Call, Function, If, Let, Op, Tuple, TupleGetItem
from ...ir import Var as LocalVar
from ...logic.search.search import MAX_ANSWERS
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import Slot
from ...logic.terms.variables import fresh
from ...rulebase import AttributeProblem, Attrs, Operator, RuleBase, RuleError
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType, TypeVar
from ..places.places import Places
from .shrink import shrunk

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["apart_in", "rests_on"]

Atoms = frozenset[Any]

ALL: Atoms = frozenset(["all"])
NOTHING: Atoms = frozenset()
RANK: Atoms = frozenset(["rank"])

MOST_FIELDS = 64
"""Of a tuple of more fields, all are taken to be needed: questions about it take long."""

_Wanted = tuple[int, int | None, bool]
"""A node by its identity, the number of a field of it, or None, and whether its users are looked at."""


def rests_on(site: Site, inference: Inference, places: Places) -> set[int]:
    """The numbers of the places that the refusal of `site` seems to rest on."""
    return _Slice(inference, places).of(site)


def apart_in(site: Site, inference: Inference, places: Places) -> set[int]:
    """The numbers of the places that some of what a refused call is given rests on, and not all; none if one value is
    refused whatever the others are.

    Two values may be such that they never go with each other, whatever they are both made of: `%x`, and a layer of it
    that loses extents.
    """
    first = _Slice(inference, places)
    given = first.given(site)
    if len(given) < 2:
        return set()
    below = [_Slice(inference, places).below(*each) for each in given]
    return first.found.union(*below).difference(below[0].intersection(*below))


class _Slice:
    """Follows what is wanted of types back to where they come from."""

    def __init__(self, inference: Inference, places: Places) -> None:
        self._inference = inference
        relaxation = inference.driver.relaxation
        self._holes = {} if relaxation is None else relaxation.holes
        self._places = places
        self._found: set[int] = set()
        self._wanted: dict[_Wanted, Atoms] = {}
        self._agenda: list[tuple[Any, int | None, bool]] = []
        self._opened: dict[Any, Any] = {}  # type parameters of generalised functions, with what stands for them

    @property
    def found(self) -> set[int]:
        """The places that were met."""
        return self._found

    def given(self, site: Site) -> list[tuple[Any, int | None, Atoms]]:
        """The values of which something is needed for the refusal of a call, where they are made; and what is."""
        asked = self._question(site.expr, None, site) if isinstance(site, RelationSite) else None
        if asked is None:
            return []
        self._found.update(self._places.at(site.expr))
        needed = asked.needed(asked.is_refused, NOTHING, ())
        each = [
            (node, *own)
            for node, atoms in zip(site.expr.args, needed, strict=False)
            for own in _by_field(atoms).items()
        ]
        return list({id(made[0]): made for made in map(self._made, each)}.values()) if not needed[-1] else []

    def _made(self, given: tuple[Any, int | None, Atoms]) -> tuple[Any, int | None, Atoms]:
        """Where a value is made that stands somewhere else, or is put into a tuple."""
        node, field, atoms = given
        while True:
            parts: list[Any] = []
            if type(node) is LocalVar and node.type_annotation is None:
                parts = [part for part in self._places.parts(node) if part is not node]
            elif type(node) is Tuple and field is not None:
                parts, field = [node.fields[field]], None
            if len(parts) != 1:
                return node, field, atoms
            self._found.update(self._places.at(node))
            (node,) = parts

    def below(self, node: Any, field: int | None, atoms: Atoms) -> set[int]:
        """The places behind some atoms of the type of a node."""
        self._want(node, field, atoms)
        return self._followed()

    def of(self, site: Site) -> set[int]:
        """The places behind a refused demand."""
        node = site.expr
        self._found.update(self._places.at(node))
        asked = self._question(node, None, site) if isinstance(site, RelationSite) else None
        if asked is not None:
            self._want_terms(node, asked.needed(asked.is_refused, NOTHING, ()))
        else:
            places, others = self._places.demanding(node)
            self._found |= places
            for part in (*self._places.parts(node), *others):
                self._want(part, None, ALL)
        return self._followed()

    def _followed(self) -> set[int]:
        while self._agenda:
            node, field, by_users = self._agenda.pop()
            if by_users:
                self._follow_users(node, field)
            else:
                self._follow(node, field)
        return self._found

    def _want(self, node: Any, field: int | None, atoms: Atoms, by_users: bool = False) -> None:
        """Want atoms of the type of a node; `by_users`: where the node itself does not say them."""
        if not atoms:
            return
        key = id(node), field, by_users
        known = self._wanted.get(key, NOTHING)
        if not (known >= ALL or atoms <= known):
            self._wanted[key] = ALL if atoms >= ALL else known | atoms
            self._found.update(self._places.at(node))
            self._agenda.append((node, field, by_users))

    def _want_terms(self, call: Any, needed: Sequence[Atoms]) -> None:
        """Want what is needed of the arguments of a call, and of its result, which comes last, by other users."""
        for part, atoms, by_users in zip((*call.args, call), needed, (*[False] * len(call.args), True), strict=True):
            for field, own in _by_field(atoms).items():
                self._want(part, field, own, by_users)

    def _follow(self, node: Any, field: int | None) -> None:
        """Want what the type of a node comes from: nothing, where another one stands in its place."""
        kind: Any = type(node)
        if kind is not Function and id(node) in self._holes:
            return
        atoms = self._wanted[id(node), field, False]
        if kind is LocalVar:
            if node.type_annotation is None:
                parts = [part for part in self._places.parts(node) if part is not node]
                for part in parts:
                    self._want(part, field, atoms)
                if not parts:
                    self._want(node, field, atoms, True)
        elif kind is Let:
            self._want(tail(node)[0], field, atoms)
        elif kind is TupleGetItem:
            self._want(node.tuple_value, node.index, atoms if field is None else ALL)
        elif kind is Tuple and field is not None and 0 <= field < len(node.fields):
            self._want(node.fields[field], None, atoms)
        elif kind is Function:
            for part in (*node.params, *([] if node.ret_type is not None else [node.body])):
                self._want(part, None, ALL)
        else:
            asked = self._question(node, node)
            if asked is None:
                for part in self._places.parts(node):
                    self._want(part, None, ALL)
                return
            # Of several arguments that say what is wanted, the least deep is likely to rest on least.
            order = sorted(range(len(node.args)), key=lambda i: self._places.depth(node.args[i]))
            said = asked.said(field, atoms)
            self._want_terms(node, asked.saying(field, said, order) if said else asked.whole)
            self._want(node, field, atoms - said, True)

    def _follow_users(self, node: Any, field: int | None) -> None:
        """Want what the type of a node comes from where that is what is done with it."""
        atoms = self._wanted[id(node), field, True]
        for user, place in self._places.holders(node):
            kind: Any = type(user)
            if kind is Call and node is not user.op:
                asked = self._question(user, node)
                if asked is None:
                    continue
                needed = asked.telling(field, atoms)
                if needed is not None:
                    self._found.update(self._places.at(user))
                    self._want_terms(user, needed)
            elif kind is TupleGetItem:
                if field is None or field == user.index:
                    self._want(user, None, ALL if field is None else atoms, True)
            elif kind is Tuple:
                for i, part in enumerate(user.fields):
                    if part is node:
                        self._want(user, i, atoms, True)
            elif kind is LocalVar and user.type_annotation is not None:
                self._found.update(self._places.at(user))
            elif kind is Function:
                if place >= 0 and self._places.all[place].kind == "result":
                    self._found.add(place)
            elif kind in (LocalVar, Let, If):
                self._want(user, field, atoms, True)

    def _question(self, call: Any, unknown: Any, refused: RelationSite | None = None) -> _Question | None:
        """The question about a call of which an argument, or its own type, is `unknown`; None if it cannot be asked."""
        driver, known = self._inference.driver, self._inference.generator.types
        if type(call) is not Call or type(call.op) is not Op or any(id(a) not in known for a in (call, *call.args)):
            return None
        operator = driver.rules.operators.get(call.op.name)
        if operator is None or not (operator.variadic or len(call.args) == operator.relation.arity - 1):
            return None
        try:
            attrs = driver.attrs_of(operator, call)
        except AttributeProblem:
            return None
        if isinstance(attrs, Open):
            return None
        result = self._known(call)
        if refused is not None:
            result = instantiate(refused.key[-1], {}) if refused.key else fresh()
        places = [i for i, node in enumerate((*call.args, call)) if node is unknown]
        types = *map(self._known, call.args), result
        return _Question(operator, attrs, types, places, driver.rules, partial(self._depth, (*call.args, call)))

    def _depth(self, nodes: tuple[Any, ...], place: int, field: Any) -> int:
        """How deep the field of a tuple is, if that is written where its value is."""
        node = nodes[place]
        while type(node) is LocalVar and node.type_annotation is None:
            node = next((part for part in self._places.parts(node) if part is not node), None)
        return self._places.depth(node.fields[field]) if type(node) is Tuple else 0

    def _known(self, expr: Any) -> Any:
        """The type of an expression: what it was generalised to is open in it, as it was when demands were refused."""
        term = self._inference.driver.store.reify(self._inference.generator.types[id(expr)])
        for part in parts_of((term,)):
            own = (p for p in parts_of((part,)) if type(p) is TypeVar)
            if part not in self._opened and not self._places.declared.issuperset(own):
                self._opened[part] = fresh()
        return replaced(term, self._opened) if self._opened else term


class _Question:
    """A call of an operator, to be asked about with less known of its types, the result last.

    `unknown` are the places of what is asked for: of a node that is an argument several times, all. `depth` says how
    much is below a field of the tuple at a place.
    """

    def __init__(
        self,
        operator: Operator,
        attrs: Attrs | None,
        types: tuple[Any, ...],
        unknown: Sequence[int],
        rules: RuleBase,
        depth: Callable[[int, Any], int],
    ) -> None:
        self._operator = operator
        self._attrs = attrs
        self._types = types
        self._unknown = unknown
        self._rules = rules
        self._depth = depth

    def is_refused(self, terms: tuple[Any, ...]) -> bool:
        """Whether the call is refused where only this is known of its types."""
        solution = self._solve(terms, 1)
        return solution is not None and solution.exhausted and not solution.answers

    @property
    def whole(self) -> list[Atoms]:
        """All that is known of its types."""
        return [NOTHING if i in self._unknown else _atoms(term) for i, term in enumerate(self._types)]

    def said(self, field: int | None, atoms: Atoms, terms: tuple[Any, ...] | None = None) -> Atoms:
        """Those of some atoms of what is asked for that the call says where only this is known of its types, or all."""
        known, found = self._compared(field, terms)
        return _agreeing(known, found, atoms)

    def saying(self, field: int | None, atoms: Atoms, order: Sequence[int]) -> list[Atoms]:
        """What must be known of each type for the call to say some atoms of what is asked for."""
        return self.needed(lambda terms: atoms <= self.said(field, atoms, terms), atoms, order)

    def telling(self, field: int | None, atoms: Atoms) -> list[Atoms] | None:
        """What must be known of each type for the call to tell those of some atoms of an argument that it does; None if
        it tells none. Of an argument that has no atoms, it may tell something."""
        known, found = self._compared(field, None)
        if atoms >= ALL and type(known) is TensorType:
            atoms = _atoms(known)
        if atoms >= ALL:
            return None if found is None or type(found) is Slot else self.whole
        said = _agreeing(known, found, atoms)
        return self.saying(field, said, ()) if said else None

    def _compared(self, field: int | None, terms: tuple[Any, ...] | None) -> tuple[Any, Any]:
        """What is asked for as it is known, and as the call says it where only this is known of its types, or all."""
        at = self._unknown[0]
        known = _part(self._types[at], field)
        solution = self._solve(self._terms(self.whole) if terms is None else terms)
        if solution is None or solution.general is None:
            return known, None
        found = solution.general
        if self._operator.variadic:
            found = (*found[0].fields, found[-1])
        return known, _part(found[at], field)

    def _solve(self, terms: tuple[Any, ...], most: int = MAX_ANSWERS) -> Any:
        inputs = (TupleType(terms[:-1]),) if self._operator.variadic else terms[:-1]
        asked = canonical((*inputs, terms[-1]), {})
        try:
            return solve_site(self._rules, self._operator.relation, asked, self._attrs, most=most, by_rows=True)
        except RuleError:
            return None

    def needed(self, holds: Callable[[tuple[Any, ...]], bool], wanted: Atoms, order: Sequence[int]) -> list[Atoms]:
        """What must be known of each type so that something holds; small guesses come first, in an order."""
        whole = self.whole
        for guess in _guesses(whole, wanted, order):
            if holds(self._terms(guess)):
                return guess
        if not holds(self._terms(whole)):
            return whole
        known = whole
        for fewer in _smaller(whole):
            tried = [a & b for a, b in zip(known, fewer, strict=True)]
            if tried != known and holds(self._terms(tried)):
                known = tried
        for out in reversed(range(len(known))):
            if known[out]:
                known = self._less(known, out, holds)
        return known

    def _less(self, known: list[Atoms], out: int, holds: Callable[[tuple[Any, ...]], bool]) -> list[Atoms]:
        """Less of one type: its axes one by one, many at once as long as that goes well."""

        def without(atoms: Iterable[Any]) -> list[Atoms]:
            return [frozenset(atoms) if i == out else other for i, other in enumerate(known)]

        def of_fields(some: Collection[Any]) -> list[Any]:
            return [pair for pair in known[out] if pair[0] in some]

        if type(self._types[out]) is TupleType and not known[out] >= ALL:
            fields = self._fields(out, known[out], lambda some: holds(self._terms(without(of_fields(some)))))
            parts = sorted(of_fields(fields), key=str)
            return without(shrunk(parts, lambda some: holds(self._terms(without(some)))))
        axes = sorted(known[out] - RANK - {"dtype", "all"})
        others = known[out].difference(axes)
        if "dtype" in others and holds(self._terms(without(known[out] - {"dtype"}))):
            others -= {"dtype"}
        left = others.union(shrunk(axes, lambda some: holds(self._terms(without(others.union(some))))))
        return without(NOTHING if len(left) == 1 and holds(self._terms(without(NOTHING))) else left)

    def _fields(self, place: int, atoms: Atoms, holds: Callable[[Collection[Any]], bool]) -> list[Any]:
        """The fields that are needed of the tuple at a place: no deep ones, and such as are about as deep, since one
        is likely to rest on the other."""
        depths = {field: self._depth(place, field) for field in sorted({field for field, _ in atoms})}
        fields = shrunk(sorted(depths, key=lambda field: (-depths[field], field)), holds)
        if len(fields) > 1:
            most = max(map(depths.__getitem__, fields))
            as_deep = [field for field in depths if depths[field] <= most]
            fields = shrunk(sorted(as_deep, key=lambda field: (depths[field], field)), holds)
        return fields

    def _terms(self, known: Sequence[Atoms]) -> tuple[Any, ...]:
        asked = fresh()
        return tuple(
            asked if i in self._unknown else _partly(term, atoms)
            for i, (term, atoms) in enumerate(zip(self._types, known, strict=True))
        )


def _guesses(whole: Sequence[Atoms], wanted: Atoms, order: Sequence[int]) -> Iterator[list[Atoms]]:
    """Where what is wanted of a result may come from: the call alone, the same of one argument, the rank of others."""
    yield [NOTHING] * len(whole)
    if wanted and not wanted >= ALL:
        for others in (NOTHING, RANK):
            for i in order:
                if wanted <= whole[i]:
                    yield [wanted | RANK if i == j else others & atoms for j, atoms in enumerate(whole)]


def _smaller(whole: Sequence[Atoms]) -> Iterator[list[Atoms]]:
    """Some arguments less: each is to be left out if that does no harm."""
    count = len(whole)
    if count > 1:
        yield [atoms if i == 0 else NOTHING for i, atoms in enumerate(whole)]
    for out in reversed(range(count)):
        yield [atoms if i != out else NOTHING for i, atoms in enumerate(whole)]


def _atoms(term: Any) -> Atoms:
    if type(term) is TensorType and type(term.shape) is tuple:
        return frozenset(["rank", "dtype", *range(len(term.shape))])
    if type(term) is TupleType and type(term.fields) is tuple and len(term.fields) <= MOST_FIELDS:
        of_fields = [_atoms(field) if type(field) is TensorType else ALL for field in term.fields]
        if of_fields and ALL not in of_fields:
            return frozenset([(i, atom) for i, atoms in enumerate(of_fields) for atom in atoms])
    return ALL


def _by_field(atoms: Atoms) -> dict[int | None, Atoms]:
    """Atoms of the fields of a tuple, by the fields; those of anything else are of none."""
    found: dict[int | None, set[Any]] = {}
    for atom in atoms:
        field, own = atom if type(atom) is tuple else (None, atom)
        found.setdefault(field, set()).add(own)
    return {field: frozenset(own) for field, own in found.items()}


def _partly(term: Any, atoms: Atoms) -> Any:
    """What is known of a term if only some of its atoms are."""
    if atoms >= ALL or not atoms:
        return term if atoms else fresh()
    if type(term) is TupleType:
        own = _by_field(atoms)
        return TupleType(tuple([_partly(field, own.get(i, NOTHING)) for i, field in enumerate(term.fields)]))
    shape: Any = fresh()
    if atoms - {"dtype"}:
        shape = tuple(extent if axis in atoms else fresh() for axis, extent in enumerate(term.shape))
    return TensorType(shape, term.dtype if "dtype" in atoms else fresh())


def _agreeing(known: Any, found: Any, atoms: Atoms) -> Atoms:
    """Those of some atoms of what is known that is found has."""
    if known == found:
        return atoms
    if atoms >= ALL or type(found) is not TensorType or type(known) is not TensorType:
        return NOTHING
    agreeing = atoms & {"dtype"} if known.dtype == found.dtype else NOTHING
    if type(found.shape) is not tuple or len(found.shape) != len(known.shape):
        return agreeing
    axes = (axis for axis in atoms if type(axis) is int and known.shape[axis] == found.shape[axis])
    return agreeing.union(atoms & RANK, axes)


def _part(type_: Any, field: int | None) -> Any:
    """A type, or the type of one field of a tuple."""
    fields = getattr(type_, "fields", None) if type(type_) is TupleType else None
    return fields[field] if field is not None and type(fields) is tuple and 0 <= field < len(fields) else type_
