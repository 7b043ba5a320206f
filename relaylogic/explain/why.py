"""Why an expression has its type: its derivation, and the fewest places of the text that force it, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError
from ..infer.reasons import Derivation, Label, Why
from ..infer.schemes import parts_of
from ..infer.steps import clause_of
from ..infer.uncollected import uncollected
from ..ir import Call, Function, GlobalVar, IRModule, Let, Match, Op, post_order
from ..ir import Var as LocalVar
from ..ir.visit import pattern_vars
from ..logic.terms import is_ground
from ..types import FuncType, TypeVar, show_type
from .alone import Alone
from .atoms import MISSING, Atom, Atoms, atoms_of, part_of, path_of, show_part
from .claims import label_of
from .derivations import Derivations, attribute_of
from .forcing import Forcing
from .sources import sources
from .work import Work

if TYPE_CHECKING:
    from .conflicts import Said
    from .places import Place

__all__ = ["Reasons", "owners_of"]


class Reasons:
    """What there is to ask about the types of one inference, with what its answers share."""

    def __init__(self, said: Said, derivations: Derivations) -> None:
        self._said = said
        self._derivations = derivations
        self._owners = owners_of(said.whole.module)
        functions = (n for f in said.whole.module.functions.values() for n in post_order(f) if type(n) is Function)
        self._declared = {parameter for function in functions for parameter in function.type_params}
        self._alone: dict[str, Alone | None] = {}  # by the function
        self._labels: dict[int, Label] = {}  # by the place

    def why(self, expr: Any, part: str = "") -> Why:
        """Why an expression has its type, or a part of it. Raises RelayLogicError if it has none, or no such part."""
        said, derivations = self._said, self._derivations
        inference = said.whole
        owner = self._owners.get(id(expr))
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
        atoms = self._decided(_atoms(known, path), known)
        attempts = derivations.attempts
        work = Work((attempt.site for attempt in attempts), len(attempts))
        if owner not in self._alone:
            self._alone[owner] = Alone.of(said, owner)
        forcing = Forcing(said, expr, owner, known, atoms, work, self._alone[owner])
        with uncollected():
            forced = forcing.found(lambda: sources(expr, atoms, derivations, work))
        labels = [self._label(said.places.all[i]) for i in sorted(forced.places)]
        labels.sort(key=lambda label: -1 if label.span is None else label.span.start)
        refused = next((site for site in inference.failed() if site.expr is expr), None)
        return Why(
            name_of(expr),
            show_type(known),
            part,
            show_part(value),
            tuple(labels),
            forced.minimal,
            forced.smallest,
            "" if refused is None else "this is refused: `Result.conflicts` says what it contradicts",
            lambda: _numbered(derivations.below(derivations.of(expr))),
        )

    def _decided(self, atoms: Atoms, known: Any) -> Atoms:
        """The atoms without those that are open: what callers may choose needs no reason."""

        def is_decided(atom: Atom) -> bool:
            value = part_of(known, atom)
            if type(value) is FuncType and value.type_params:
                return True
            return is_ground(value) and all(type(p) is not TypeVar or p in self._declared for p in parts_of((value,)))

        return frozenset(filter(is_decided, atoms))

    def _label(self, place: Place) -> Label:
        """What a place says, in words."""
        found = self._labels.get(place.index)
        if found is None:
            found = self._labels[place.index] = _label(place, self._derivations)
        return found


def owners_of(module: IRModule) -> dict[int, str]:
    """The names of the functions that expressions and variables stand in, by the identity of these."""
    found: dict[int, str] = {}
    for variable, function in module.functions.items():
        name = variable.name_hint
        for node in post_order(function):
            found.setdefault(id(node), name)
            inside: Iterable[Any] = ()
            if type(node) is Let:
                inside = (node.var,)
            elif type(node) is Function:
                inside = node.params
            elif type(node) is Match:
                inside = (v for clause in node.clauses for v in pattern_vars(clause.lhs))
            for bound in inside:
                found.setdefault(id(bound), name)
    return found


def _atoms(known: Any, path: Atom) -> Atoms:
    """The atoms of a part of a type."""
    inside = frozenset(atom for atom in atoms_of(known) if atom[: len(path)] == path)
    if path and path[-1] == "shape" and inside:
        return inside | {(*path[:-1], "rank")}
    return inside or frozenset([path])


def name_of(expr: Any) -> str:
    """What an expression is called in words."""
    if type(expr) is LocalVar:
        return f"`%{expr.name_hint}`"
    if type(expr) is GlobalVar:
        return f"`@{expr.name_hint}`"
    if type(expr) is Call:
        name = expr.op.name if type(expr.op) is Op else getattr(expr.op, "name_hint", "")
        return f"the call of `{name}`" if name else "the call"
    return f"the {type(expr).__name__.lower()}"


def _label(place: Place, derivations: Derivations) -> Label:
    """What a place says, in words."""
    node = place.node
    steps = derivations.own.get(id(node), [])
    if place.kind != "call" or not steps:
        return label_of(place, derivations.inference)
    site = steps[-1].site
    assert site is not None
    given = [f"{n}={attribute_of(v)}" for n, v in (node.attrs or {}).items() if n != "attrs_type_key"]
    clause = clause_of(steps[-1])
    where = f"{site.relation_name}, clause {clause}" if clause else site.relation_name
    told = f" with {', '.join(given)}" if given else ""
    return Label(place.span, f"{name_of(node)}{told} relates its types [{where}]")


def _numbered(nodes: list[Derivation]) -> tuple[Derivation, ...]:
    """The nodes of one derivation, numbered from 0."""
    numbers = {node.id: i for i, node in enumerate(nodes)}
    return tuple(replace(n, id=numbers[n.id], rests=tuple(numbers[r] for r in n.rests)) for n in nodes)
