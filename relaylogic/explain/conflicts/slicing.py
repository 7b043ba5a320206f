"""What the refusal of a demand rests on, roughly: where the types come from that it is refused for.

Types mostly flow from what a node is made of to the node; where that does not say all, from its users. So the demand's
own nodes are followed: a call of an operator to those of its arguments, and of these to those extents, without which
its relation does not say the same of what is wanted of the result; a variable to its annotation or its value, or to
the calls that say the same of it, by their other arguments and their results. Where more than that may play a part,
everything that the node is made of is followed. What is found is not minimal, and in rare cases not enough: who needs
certainty asks whether the places that are found contradict each other.

Representation: a *demand* on a node is a set of atoms of its type (`lessened`); of a tuple, it is wanted of one field,
or of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...host.once import cached_property
from ...infer.sites.places import tail
from ...infer.sites.relation_site import RelationSite
from ...infer.sites.schemes import parts_of, replaced
from ...infer.sites.site import Site
from ...ir import Call, Function, If, Let, Op, Tuple, TupleGetItem
from ...ir import Var as LocalVar
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.variables import fresh
from ...rulebase import AttributeProblem
from ...rulebase.open_attributes import Open
from ...types import TypeVar
from ..places.places import Places
from .lessened import ALL, NOTHING, Atoms, Question, by_field

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Resting"]

_Wanted = tuple[int, int | None, bool]
"""A node by its identity, the number of a field of it, or None, and whether its users are looked at."""


class Resting:
    """The places that the refusal of `site` seems to rest on, by their numbers."""

    def __init__(self, site: Site, inference: Inference, places: Places) -> None:
        self._site = site
        self._slice = partial(_Slice, inference, places)

    @cached_property
    def _needed(self) -> Sequence[Atoms] | None:
        """What is needed of each type of a call, the result last, for its refusal; None if that cannot be asked."""
        asked = self._slice().refused(self._site)
        return None if asked is None else asked.needed(asked.is_refused, NOTHING, ())

    @property
    def whole(self) -> set[int]:
        """All of them."""
        return self._slice().of(self._site, self._needed)

    @property
    def apart(self) -> set[int]:
        """Those that some of what a refused call is given rests on, and not all; none if one value is refused whatever
        the others are.

        Two values may be such that they never go with each other, whatever they are both made of: `%x`, and a layer of
        it that loses extents.
        """
        first = self._slice()
        given = first.given(self._site, self._needed)
        if len(given) < 2:
            return set()
        below = [self._slice().below(*each) for each in given]
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
        self._types: dict[int, Any] = {}  # of expressions, with that put in: of a tuple, each field may ask for it

    @property
    def found(self) -> set[int]:
        """The places that were met."""
        return self._found

    def refused(self, site: Site) -> Question | None:
        """The question about a refused demand; None if it is none that can be asked."""
        return self._question(site.expr, None, site) if isinstance(site, RelationSite) else None

    def given(self, site: Site, needed: Sequence[Atoms] | None) -> list[tuple[Any, int | None, Atoms]]:
        """The values of which something is needed for the refusal of a call, where they are made; and what is."""
        if needed is None:
            return []
        self._found.update(self._places.at(site.expr))
        each = [
            (node, *own)
            for node, atoms in zip(site.expr.args, needed, strict=False)
            for own in by_field(atoms).items()
        ]
        return list({id(made[0]): made for made in map(self._made, each)}.values()) if not needed[-1] else []

    def _made(self, given: tuple[Any, int | None, Atoms]) -> tuple[Any, int | None, Atoms]:
        """Where a value is made that stands somewhere else, or is put into a tuple."""
        node, field, atoms = given
        while True:
            part = self._bound_to(node)
            if part is None and type(node) is Tuple and field is not None:
                part, field = node.fields[field], None
            if part is None:
                return node, field, atoms
            self._found.update(self._places.at(node))
            node = part

    def _bound_to(self, node: Any) -> Any:
        """What a variable stands for whose type is not annotated; None if that is not one thing, or it is none."""
        if type(node) is not LocalVar or node.type_annotation is not None:
            return None
        parts = [part for part in self._places.parts(node) if part is not node]
        return parts[0] if len(parts) == 1 else None

    def below(self, node: Any, field: int | None, atoms: Atoms) -> set[int]:
        """The places behind some atoms of the type of a node."""
        self._want(node, field, atoms)
        return self._followed()

    def of(self, site: Site, needed: Sequence[Atoms] | None) -> set[int]:
        """The places behind a refused demand."""
        node = site.expr
        self._found.update(self._places.at(node))
        if needed is not None:
            self._want_terms(node, needed)
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
            for field, own in by_field(atoms).items():
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

    def _question(self, call: Any, unknown: Any, refused: RelationSite | None = None) -> Question | None:
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
        return Question(operator, attrs, types, places, driver.rules, partial(self._depth, (*call.args, call)))

    def _depth(self, nodes: tuple[Any, ...], place: int, field: Any) -> int:
        """How deep the field of a tuple is, if that is written where its value is."""
        node = nodes[place]
        while (part := self._bound_to(node)) is not None:
            node = part
        return self._places.depth(node.fields[field]) if type(node) is Tuple else 0

    def _known(self, expr: Any) -> Any:
        """The type of an expression: what it was generalised to is open in it, as it was when demands were refused."""
        known = self._types.get(id(expr))
        if known is None:
            term = self._inference.driver.store.reify(self._inference.generator.types[id(expr)])
            for part in parts_of((term,)):
                own = (p for p in parts_of((part,)) if type(p) is TypeVar)
                if part not in self._opened and not self._places.declared.issuperset(own):
                    self._opened[part] = fresh()
            known = self._types[id(expr)] = replaced(term, self._opened) if self._opened else term
        return known
