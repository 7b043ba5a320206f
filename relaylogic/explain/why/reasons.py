"""Why an expression has its type: its derivation, and the fewest places of the text that force it, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import RelayLogicError
from ...host.once import cached_property
from ...infer.results.reasons import Derivation, Label, Why
from ...infer.sites.callsite import solve_site
from ...infer.sites.relation_site import RelationSite
from ...infer.sites.schemes import parts_of
from ...ir import Call, GlobalVar, Op, without_type_key
from ...ir import Var as LocalVar
from ...logic.terms.terms import is_ground, slot
from ...rulebase import AttributeProblem, RuleError
from ...rulebase.open_attributes import Open
from ...types import FuncType, TupleType, TypeVar, show_type
from ...types.glance import glance
from ..blame.claims import label_of
from ..places.atoms import MISSING, Atom, Atoms, atoms_of, part_of, path_of, show_part
from ..places.derivations import Derivations, attribute_of, call_in_words, kind_of
from .alone import Alone
from .at_once import AtOnce, NotAtOnce
from .forcing import Forcing
from .oracle import Question
from .sources import Sources, sources
from .work import THOROUGH, Work, budget

if TYPE_CHECKING:
    from ..places.place import Place
    from ..places.said import Part, Said

__all__ = ["Reasons"]


class Reasons:
    """What there is to ask about the types of one inference, with what its answers share.

    `derivations` may take another inference, which is recorded, unless the one that was made is `recorded`.
    """

    def __init__(self, said: Said, derivations: Callable[[], Derivations], recorded: bool) -> None:
        self._said = said
        self._ask = derivations
        self._is_recorded = recorded
        self._alone: dict[str, Alone | None] = {}  # by the function
        self._labels: dict[int, Label] = {}  # by the place

    def why(self, expr: Any, part: str = "", thorough: bool = False, patient: bool = False) -> Why:
        """Why an expression has its type, or a part of it. Raises RelayLogicError if it has none, or no such part.

        Fewer places are looked for in the time of an inference, or in that of many if `patient`, in any if `thorough`.
        """
        said = self._said
        inference = said.whole
        owner = said.places.owners.get(id(expr))
        known = inference.type_of(expr)
        if owner is None or known is None:
            raise RelayLogicError("inference has not met this expression: it has no type")
        try:
            path = path_of(part)
        except ValueError as problem:
            raise RelayLogicError(str(problem)) from None
        value = part_of(known, path)
        if value is MISSING:
            raise RelayLogicError(f"`{part}` is no part of {show_type(known)}")
        asked = _atoms(known, path)
        atoms = self._decided(asked, known)
        most = THOROUGH if thorough else budget(said.places, len(inference.generator.types), patient)
        work = Work(inference.driver.sites, most)
        if owner not in self._alone:
            self._alone[owner] = Alone.of(said, owner)
        is_whole = not path and len(atoms) == len(asked)
        question = Question(said, expr, owner, known, atoms, is_whole)
        forcing = Forcing(question, thorough, work, self._alone[owner])
        forced = forcing.found(partial(self._sources, expr, atoms, work))
        inference.driver.rules.begin()  # what it has asked besides, nobody else may ask
        inference.driver.rules.keep()
        refused = next((site for site in inference.failed() if site.expr is expr), None)
        return Why(
            name_of(expr),
            part,
            partial(_shown, known, value, bool(path)),
            lambda: self._labelled(forced.places),
            forced.minimal,
            forced.smallest,
            "" if refused is None else "this is refused: `Result.conflicts` says what it contradicts",
            lambda: _numbered(self._derivations.below(self._derivations.of(expr))),
        )

    def _sources(
        self, expr: Any, atoms: Atoms, work: Work, most: int, records: bool = True, exactly: bool = False
    ) -> Sources:
        """The places that some atoms seem to come from; of more than `most`, only some. For `exactly` see `sources`.

        Unless it `records`, none where only a record of an inference tells, which there is not.
        """
        said = self._said
        if not said.whole.failed():
            try:
                return sources(expr, atoms, AtOnce(said.whole, said.places), work, most, said.all, exactly)
            except NotAtOnce:
                pass
        if not (records or self._is_recorded):
            return Sources(set(), False)
        return sources(expr, atoms, self._derivations, work, most, said.all, exactly)

    @cached_property
    def _derivations(self) -> Derivations:
        """The derivations, of an inference that was recorded."""
        return self._ask()

    @cached_property
    def _sites(self) -> dict[int, RelationSite]:
        """The calls of relations by their identity, but those of known types: an inference does not keep them."""
        sites = self._said.whole.driver.sites
        return {id(s.expr): s for s in sites if isinstance(s, RelationSite) and s.state in ("done", "waiting")}

    def _answered(self, call: Any) -> tuple[str, str] | None:
        """The names of the relation of a call and of the clause that answered, "" if several did; None if none did."""
        inference = self._said.whole
        site = self._sites.get(id(call))
        if site is not None:
            return site.relation_name, "" if site.solution is None else site.solution.clause
        operator = inference.driver.rules.operators.get(call.op.name) if type(call.op) is Op else None
        types = [inference.type_of(argument) for argument in call.args]
        if operator is None or not all(map(is_ground, types)):
            return None
        if not operator.variadic and len(types) != len(operator.inputs):
            return None
        try:
            attrs = inference.driver.attrs_of(operator, call)
        except AttributeProblem:
            return None
        if type(attrs) is Open:
            return None
        arguments = (TupleType(tuple(types)),) if operator.variadic else tuple(types)
        try:
            solution = solve_site(inference.driver.rules, operator.relation, (*arguments, slot(0)), attrs)
        except RuleError:
            return None
        return operator.relation.name, solution.clause

    def _decided(self, atoms: Atoms, known: Any) -> Atoms:
        """The atoms without those that are open: what callers may choose needs no reason."""

        def is_decided(atom: Atom) -> bool:
            value = part_of(known, atom)
            if type(value) is FuncType and value.type_params:
                return True
            return self._is_decided(value)

        return atoms if self._is_decided(known) else frozenset(filter(is_decided, atoms))

    def _is_decided(self, value: Any) -> bool:
        """Whether nothing in a part of a type is open."""
        if not is_ground(value):
            return False
        seen = glance(value)
        parameters = [p for p in parts_of((value,)) if type(p) is TypeVar] if seen is None else seen.parameters
        return not parameters or self._said.places.declared.issuperset(parameters)

    def _labelled(self, places: Part) -> tuple[Label, ...]:
        """What some places say, in words, in the order of the text."""
        labels = [self._label(self._said.places.all[i]) for i in sorted(places)]
        return tuple(sorted(labels, key=lambda label: -1 if label.span is None else label.span.start))

    def _label(self, place: Place) -> Label:
        """What a place says, in words."""
        found = self._labels.get(place.index)
        if found is None:
            found = self._labels[place.index] = self._said_at(place)
        return found

    def _said_at(self, place: Place) -> Label:
        node = place.node
        answered = self._answered(node) if place.kind == "call" else None
        if answered is None:
            return label_of(place, self._said.whole)
        relation, clause = answered
        given = [f"{n}={attribute_of(v)}" for n, v in without_type_key(node.given).items()]
        where = f"{relation}, clause {clause}" if clause else relation
        told = f" with {', '.join(given)}" if given else ""
        return Label(place.span, f"{name_of(node)}{told} relates its types [{where}]")


def _shown(known: Any, value: Any, is_part: bool) -> tuple[str, str]:
    """A type in words, and the part of it that was asked about."""
    shown = show_type(known)
    return shown, show_part(value) if is_part else shown


def _atoms(known: Any, path: Atom) -> Atoms:
    """The atoms of a part of a type."""
    inside = atoms_of(known)
    if path:
        inside = frozenset(atom for atom in inside if atom[: len(path)] == path)
    rank = (*path[:-1], "rank")
    if path and path[-1] == "shape" and part_of(known, rank) is not MISSING:
        return inside | {rank}
    return inside or frozenset([path])


def name_of(expr: Any) -> str:
    """What an expression is called in words."""
    if type(expr) is LocalVar:
        return f"`%{expr.name_hint}`"
    if type(expr) is GlobalVar:
        return f"`@{expr.name_hint}`"
    if type(expr) is Call:
        return call_in_words(expr)
    return f"the {kind_of(expr)}"


def _numbered(nodes: list[Derivation]) -> tuple[Derivation, ...]:
    """The nodes of one derivation, numbered from 0."""
    numbers = {node.id: i for i, node in enumerate(nodes)}
    return tuple(replace(n, id=numbers[n.id], rests=tuple(numbers[r] for r in n.rests)) for n in nodes)
