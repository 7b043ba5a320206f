"""What the refusal of a demand rests on, roughly: where the types come from that it is refused for.

Types mostly flow from what a node is made of to the node. So the demand's own nodes are followed back: a call of an
operator to those of its arguments, and of these to those extents, without which its relation does not say the same of
what is wanted of the result; a variable to its annotation or its value. Where more than that may play a part,
everything that the node is made of is followed. What is found is not minimal, and in rare cases (types that came from
users) not enough: who needs certainty asks whether the places that are found contradict each other.

Representation: a *demand* on a node is a set of atoms of its type: "rank", "dtype", the numbers of axes; `ALL` if it is
wanted as a whole. Of a tuple, it is wanted of one field, or of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..infer.callsite import solve_site
from ..infer.places import tail
from ..infer.sites import RelationSite, Site
from ..ir import Call, Function, Let, Op, Tuple, TupleGetItem
from ..ir import Var as LocalVar
from ..logic.search import MAX_ANSWERS
from ..logic.terms import Slot, canonical, fresh
from ..rulebase import AttributeProblem, Attrs, Operator, RuleError
from ..rulebase.open_attributes import Open
from ..types import TensorType, TupleType
from .places import Places
from .shrink import shrunk

if TYPE_CHECKING:
    from ..infer.program import Inference

__all__ = ["rests_on"]

Atoms = frozenset[Any]

ALL: Atoms = frozenset(["all"])
NOTHING: Atoms = frozenset()
RANK: Atoms = frozenset(["rank"])


def rests_on(site: Site, inference: Inference, places: Places) -> set[int]:
    """The numbers of the places that the refusal of `site` seems to rest on."""
    return _Slice(inference, places).of(site)


class _Slice:
    """Follows what is wanted of types back to where they come from."""

    def __init__(self, inference: Inference, places: Places) -> None:
        self._inference = inference
        relaxation = inference.driver.relaxation
        self._holes = {} if relaxation is None else relaxation.holes
        self._places = places
        self._found: set[int] = set()
        self._wanted: dict[tuple[int, int | None], Atoms] = {}
        self._agenda: list[tuple[Any, int | None]] = []

    def of(self, site: Site) -> set[int]:
        """The places behind a refused demand."""
        node = site.expr
        self._found.update(self._places.at(node))
        asked = _Question.of(node, self._inference, site) if isinstance(site, RelationSite) else None
        if asked is not None:
            for part, atoms in zip(node.args, asked.needed(asked.is_refused, NOTHING, ()), strict=True):
                self._want(part, None, atoms)
        else:
            places, others = self._places.demanding(node)
            self._found |= places
            for part in (*self._places.parts(node), *others):
                self._want(part, None, ALL)
        while self._agenda:
            self._follow(*self._agenda.pop())
        return self._found

    def _want(self, node: Any, field: int | None, atoms: Atoms) -> None:
        if not atoms:
            return
        known = self._wanted.get((id(node), field), NOTHING)
        if not (known >= ALL or atoms <= known):
            self._wanted[id(node), field] = ALL if atoms >= ALL else known | atoms
            self._found.update(self._places.at(node))
            self._agenda.append((node, field))

    def _follow(self, node: Any, field: int | None) -> None:
        """Want what the type of a node comes from: nothing, where another one stands in its place."""
        kind: Any = type(node)
        if kind is not Function and id(node) in self._holes:
            return
        atoms = self._wanted[id(node), field]
        if kind is LocalVar:
            if node.type_annotation is None:
                for part in self._places.parts(node):
                    self._want(part, field, atoms)
        elif kind is Let:
            self._want(tail(node)[0], field, atoms)
        elif kind is TupleGetItem:
            self._want(node.tuple_value, node.index, atoms)
        elif kind is Tuple and field is not None and 0 <= field < len(node.fields):
            self._want(node.fields[field], None, atoms)
        elif kind is Function:
            for part in (*node.params, *([] if node.ret_type is not None else [node.body])):
                self._want(part, None, ALL)
        else:
            asked = _Question.of(node, self._inference)
            if asked is None:
                for part in self._places.parts(node):
                    self._want(part, None, ALL)
                return
            # Of several arguments that say what is wanted, the least deep is likely to rest on least.
            order = sorted(range(len(node.args)), key=lambda i: self._places.depth(node.args[i]))
            needed = asked.needed(lambda terms: asked.says(terms, field, atoms), atoms, order)
            for part, wanted in zip(node.args, needed, strict=True):
                self._want(part, None, wanted)


class _Question:
    """A call of an operator, to be asked about with less known of its arguments."""

    def __init__(
        self, operator: Operator, attrs: Attrs | None, inputs: Sequence[Any], result: Any, inference: Inference
    ) -> None:
        self._operator = operator
        self._attrs = attrs
        self._inputs = inputs
        self._result = result
        self._rules = inference.driver.rules

    @classmethod
    def of(cls, call: Any, inference: Inference, refused: RelationSite | None = None) -> _Question | None:
        """The question about a call; None if it is none of an operator, or one that cannot be asked about."""
        driver, types = inference.driver, inference.generator.types
        if type(call) is not Call or type(call.op) is not Op or any(id(a) not in types for a in (call, *call.args)):
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
        result = driver.store.reify(types[id(call)])
        if refused is not None:
            result = refused.key[-1] if refused.key else fresh()
        return cls(operator, attrs, [driver.store.reify(types[id(a)]) for a in call.args], result, inference)

    def is_refused(self, terms: tuple[Any, ...]) -> bool:
        """Whether the call is refused where only this is known of its arguments."""
        solution = self._solve(terms, fresh() if type(self._result) is Slot else self._result, 1)
        return solution is not None and solution.exhausted and not solution.answers

    def says(self, terms: tuple[Any, ...], field: int | None, atoms: Atoms) -> bool:
        """Whether the call has a result with these atoms where only this is known of its arguments."""
        solution = self._solve(terms, fresh())
        if solution is None or solution.general is None:
            return False
        return _agree(_part(self._result, field), _part(solution.general[-1], field), atoms)

    def _solve(self, terms: tuple[Any, ...], result: Any, most: int = MAX_ANSWERS) -> Any:
        inputs = (TupleType(terms),) if self._operator.variadic else terms
        asked = canonical((*inputs, result), {})
        try:
            return solve_site(self._rules, self._operator.relation, asked, self._attrs, most=most)
        except RuleError:
            return None

    def needed(self, holds: Callable[[tuple[Any, ...]], bool], wanted: Atoms, order: Sequence[int]) -> list[Atoms]:
        """What must be known of each argument so that something holds; small guesses come first, in an order."""
        whole = [_atoms(term) for term in self._inputs]
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
        """Less of one argument: its axes one by one, many at once as long as that goes well."""

        def without(atoms: Iterable[Any]) -> list[Atoms]:
            return [frozenset(atoms) if i == out else other for i, other in enumerate(known)]

        axes = sorted(known[out] - RANK - {"dtype", "all"})
        others = known[out].difference(axes)
        if "dtype" in others and holds(self._terms(without(known[out] - {"dtype"}))):
            others -= {"dtype"}
        left = others.union(shrunk(axes, lambda some: holds(self._terms(without(others.union(some))))))
        return without(NOTHING if len(left) == 1 and holds(self._terms(without(NOTHING))) else left)

    def _terms(self, known: Sequence[Atoms]) -> tuple[Any, ...]:
        return tuple(_partly(term, atoms) for term, atoms in zip(self._inputs, known, strict=True))


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
    return ALL


def _partly(term: Any, atoms: Atoms) -> Any:
    """What is known of a term if only some of its atoms are."""
    if atoms >= ALL or not atoms:
        return term if atoms else fresh()
    shape: Any = fresh()
    if atoms - {"dtype"}:
        shape = tuple(extent if axis in atoms else fresh() for axis, extent in enumerate(term.shape))
    return TensorType(shape, term.dtype if "dtype" in atoms else fresh())


def _agree(known: Any, found: Any, atoms: Atoms) -> bool:
    """Whether what is found has the atoms of what is known."""
    if known == found:
        return True
    if atoms >= ALL or type(found) is not TensorType or type(known) is not TensorType:
        return False
    if "dtype" in atoms and known.dtype != found.dtype:
        return False
    if not atoms - {"dtype"}:
        return True
    if type(found.shape) is not tuple or len(found.shape) != len(known.shape):
        return False
    return all(known.shape[axis] == found.shape[axis] for axis in atoms if type(axis) is int)


def _part(type_: Any, field: int | None) -> Any:
    """A type, or the type of one field of a tuple."""
    fields = getattr(type_, "fields", None) if type(type_) is TupleType else None
    return fields[field] if field is not None and type(fields) is tuple and 0 <= field < len(fields) else type_
