"""Where a part of a type comes from, roughly: the places behind it, found by following the record of an inference.

What the record says is mostly known without one (`at_once`), which saves the inference.

Each atom of a type was stated, or made known by an attempt of some site. Of a call of a relation it is asked what must
have been known of its other types for that: less and less is put in, as long as the relation still says the same. So
of a residual block one branch is followed, and of a call often one extent of one argument. What other demands rest on
is followed as a whole. What is found is not minimal, and in rare cases not enough: then who needs certainty asks
whether the places that are found give the type. Where calls of operators were told at once, they do: each call says
what is wanted of it if it is told what is wanted of the others, and no less if it is told more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...infer.sites.callsite import solve_site
from ...infer.sites.places import tail
from ...infer.sites.relation_site import RelationSite
from ...ir import Call, Clause, Constant, Function, GlobalVar, Let, Pattern, Tuple, TupleGetItem
from ...ir import Var as LocalVar
from ...logic.terms.rebuilding import canonical
from ...logic.terms.terms import is_ground
from ...rulebase import Attrs, RuleError
from ...types import TupleType
from ..places.atoms import MISSING, WHOLE, Atom, Atoms, atoms_of, dtype_at, has, part_of, partly, with_dtype
from .at_once import AtOnce
from .work import NEW, Spent

if TYPE_CHECKING:
    from ...infer.results.recording import Attempt
    from ..places.derivations import Derivations
    from .work import Work

__all__ = ["Sources", "sources"]

NOTHING: Atoms = frozenset()

_RANKS: Atoms = frozenset([("rank",)])

_DTYPE: Atoms = frozenset([("dtype",)])

FEW = 8
"""Of so few places, all that a call was told counts: whether a place can be left out takes no longer to ask at once."""

SEVERAL = 4
"""A relation with more answers is not waited for: they mostly agree on little."""

_ASKED = 3
"""So many sites are solved in the time that a call of a relation is followed."""


class Sources(NamedTuple):
    """The numbers of the places that something seems to come from, and whether it is sure that they force it."""

    places: set[int]
    are_enough: bool


def sources(
    expr: Any,
    atoms: Atoms,
    record: Derivations | AtOnce,
    work: Work,
    most: int,
    among: frozenset[int],
    exactly: bool = False,
) -> Sources:
    """The places that these atoms of the type of an expression seem to come from; if more than `most` are `among` some,
    only a part of them.

    Relations are asked for a third of the work that is left; then all that they were told counts. If places are to be
    told `exactly`, they are asked for half of it, and then Spent is raised. Raises NotAtOnce if that is all the record
    that there is, and it does not tell.
    """
    return _Sources(record, work, exactly).of(expr, atoms, most, among)


class _Sources:
    def __init__(self, record: Derivations | AtOnce, work: Work, exactly: bool) -> None:
        self._known = record
        self._exactly = exactly
        self._work = work
        self._least = work.left // 2 if exactly else work.left * 2 // 3
        self._needs: dict[Any, list[Atoms]] = {}
        self._places = record.places
        self._types = record.inference.generator.types
        self._rules = record.inference.driver.rules
        self._found: set[int] = set()
        self._is_sure = isinstance(record, AtOnce)
        self._wanted: dict[tuple[int, int], Atoms] = {}
        self._agenda: list[tuple[Any, Atoms, int]] = []
        self._attempts: list[Attempt] = []
        self._seen: set[int] = set()

    def of(self, expr: Any, atoms: Atoms, most: int, among: frozenset[int]) -> Sources:
        """The places behind some atoms; if more than `most` are `among` some, only a part of them."""
        self._want(expr, atoms, self._known.end)
        while self._agenda or self._attempts:
            if len(self._found) > most and len(self._found & among) > most:
                return Sources(self._found, False)
            if self._agenda:
                self._follow(*self._agenda.pop())
            else:
                self._follow_attempt(self._attempts.pop())
        return Sources(self._found, self._is_sure)

    def _want(self, expr: Any, atoms: Atoms, before: int) -> None:
        if id(expr) not in self._types:
            self._is_sure = False
            return
        known = self._wanted.get((id(expr), before), NOTHING)
        if not atoms <= known:
            self._wanted[id(expr), before] = known | atoms
            self._agenda.append((expr, atoms - known, before))

    def _all(self, expr: Any, before: int) -> None:
        """Want all that was known of an expression before a step."""
        term = self._types.get(id(expr))
        if term is not None:
            self._want(expr, atoms_of(self._known.known(term, before)), before)

    def _follow(self, expr: Any, atoms: Atoms, before: int) -> None:
        """Want what some atoms of the type of an expression come from."""
        kind: Any = type(expr)
        if kind is Let:
            self._want(tail(expr)[0], atoms, before)
        elif kind is LocalVar:
            self._of_variable(expr, atoms, before)
        elif kind is Call and (own := self._known.own(expr)):
            self._of_call(expr, own, atoms, before)
        elif kind is Constant:
            self._found.update(self._places.at(expr))
        elif kind is Tuple and WHOLE not in atoms:
            self._found.update(self._places.at(expr))
            wanted: dict[int, set[Atom]] = {}
            for atom in atoms:
                if len(atom) > 1:
                    wanted.setdefault(atom[1], set()).add(atom[2:])
            for i in sorted(i for i in wanted if i < len(expr.fields)):  # a refused projection wants another
                self._want(expr.fields[i], frozenset(wanted[i]), before)
        elif kind is TupleGetItem:
            self._found.update(self._places.at(expr))
            self._want(expr.tuple_value, frozenset(("fields", expr.index, *a) for a in atoms), before)
        elif kind is Function and expr.ret_type is not None and is_ground(expr.ret_type):  # whatever its body comes to
            self._found.update(self._places.at(expr))
            for parameter in expr.params:
                self._all(parameter, before)
        else:
            self._generally(expr, before)

    def _generally(self, expr: Any, before: int) -> None:
        """Want all that an expression is made of."""
        self._is_sure = False
        self._found.update(self._places.at(expr))
        for part in self._places.parts(expr):
            if type(part) is GlobalVar or id(part) in self._types:
                self._all(part, before)
            elif isinstance(part, Pattern):
                self._matched(part, before)
            else:
                self._found.update(self._places.at(part))
        for attempt in self._known.steps(self._types[id(expr)], before):
            self._of_attempt(attempt)

    def _matched(self, pattern: Any, before: int) -> None:
        """Want what a pattern is matched with, and the patterns that it is a part of."""
        while pattern is not None:
            self._found.update(self._places.at(pattern))
            parts = self._places.parts(pattern)
            for clause in [part for part in parts if type(part) is Clause]:
                self._all(clause, before)
            around = (part for part in parts if any(inner is pattern for inner in getattr(part, "patterns", ())))
            pattern = next(around, None)

    def _of_variable(self, variable: LocalVar, atoms: Atoms, before: int) -> None:
        annotation = variable.type_annotation
        if annotation is not None:
            self._found.update(self._places.at(variable))
            atoms = frozenset(atom for atom in atoms if not _is_known(annotation, atom))
            self._made_known(variable, atoms, before)
            return
        role = self._places.role(variable)
        if role == "let":
            self._found.update(self._places.at(variable))
            self._want(self._places.value(variable), atoms, before)
        elif role == "parameter":
            self._made_known(variable, atoms, before)
        else:
            self._generally(variable, before)

    def _of_call(self, call: Call, every: list[Attempt], atoms: Atoms, before: int) -> None:
        """A call of a relation: some atoms it gives itself, others are known from its users."""
        term = self._types[id(call)]
        own = [attempt for attempt in every if attempt.number < before]
        left: set[Atom] = set()
        for attempt in own:
            after = self._known.known(term, attempt.number + 1)
            earlier = NOTHING if attempt is own[0] else atoms_of(self._known.known(term, attempt.number))
            given = (atoms & atoms_of(after)) - earlier
            if given:
                self._asked(attempt, len(call.args), given)
                left |= given
        self._made_known(call, atoms - left, before)

    def _made_known(self, expr: Any, atoms: Atoms, before: int) -> None:
        """Want what the attempts rest on that have made some atoms known."""
        term = self._types[id(expr)]
        by_attempt: dict[int, tuple[Attempt, set[Atom]]] = {}
        for atom in atoms:
            concluders = self._concluders(term, atom, before)
            self._is_sure = self._is_sure and bool(concluders)
            for attempt in concluders:
                by_attempt.setdefault(attempt.number, (attempt, set()))[1].add(atom)
        for attempt, concluded in by_attempt.values():
            slot = self._slot(attempt, term)
            if slot is not None:
                self._asked(attempt, slot, frozenset(concluded))
            else:
                self._of_attempt(attempt)

    def _concluders(self, term: Any, atom: Atom, before: int) -> list[Attempt]:
        """The attempt that has made an atom of a term known; all that have bound the term for the whole of it."""
        steps = self._known.steps(term, before)
        if atom == WHOLE:
            return steps
        return [a for a in steps if _is_known(self._known.known(term, a.number + 1), atom)][:1]

    def _slot(self, attempt: Attempt, term: Any) -> int | None:
        """The place of a term among those of a call of a relation; None if it is not there as it stands."""
        if not isinstance(attempt.site, RelationSite) or type(attempt.site.expr) is not Call:
            return None
        terms = self._flat(attempt.terms, attempt.site)
        earlier = self._known.known(term, attempt.number)
        for i, other in enumerate(terms):
            if other is term or self._known.known(other, attempt.number) is earlier:
                return i
        return None

    def _asked(self, attempt: Attempt, slot: int, atoms: Atoms) -> None:
        """Want what must have been known of the types of a call so that it says some atoms of one of them."""
        site = attempt.site
        assert isinstance(site, RelationSite)
        self._found.update(self._places.at(site.expr))
        exprs = [*site.expr.args, site.expr]
        terms = self._flat(attempt.terms, site)
        if len(exprs) != len(terms) or attempt.solution is None:
            self._of_attempt(attempt)
            return
        before = [self._known.known(term, attempt.number) for term in terms]
        after = self._known.known(terms[slot], attempt.number + 1)
        self._work.pay(_ASKED)
        if self._exactly and self._is_spent:
            raise Spent
        whole = [atoms_of(term) for term in before]
        # All of a result mostly takes all of the arguments: in a long program that is not worth a question.
        is_plain = atoms == atoms_of(after) and (self._places.is_long or sum(map(bool, whole)) <= 1)
        is_plain = is_plain or len(self._places) <= FEW
        needed = whole if is_plain or self._is_spent else self._needed(site, before, slot, after, atoms, whole)
        for expr, known in zip(exprs, needed, strict=True):
            self._want(expr, known, attempt.number)

    @property
    def _is_spent(self) -> bool:
        """Whether another question would take too long."""
        return self._work.left - NEW < self._least

    def _needed(
        self, site: RelationSite, before: list[Any], slot: int, after: Any, atoms: Atoms, whole: list[Atoms]
    ) -> list[Atoms]:
        """What of the types that were known before is needed for some atoms of one of them."""
        exprs = [*site.expr.args, site.expr]
        # What has fewer axes than what is asked for seldom tells of it without the others.
        rank = _axes(after)
        order = sorted(range(len(exprs)), key=lambda i: (_axes(before[i]) < rank, self._places.depth(exprs[i])))
        if slot == len(site.expr.args) and atoms == _DTYPE:
            alike = self._alike(site, before, after)
            first = next((i for i in order if i in alike), None)
            if first is not None:
                return [alike[i] if i == first else NOTHING for i in range(len(exprs))]

        def holds(known: Sequence[Atoms]) -> bool:
            if self._is_spent:
                return known is whole
            return self._says(site, [partly(t, a) for t, a in zip(before, known, strict=True)], slot, after, atoms)

        key = (site.relation, site.attrs, canonical(tuple(before), {}), after, slot, atoms, tuple(order))
        found = self._needs.get(key)
        if found is None:
            values = [part_of(after, atom) for atom in atoms if atom[-1:] != ("rank",)]
            likely = [_likely(term, known, values) for term, known in zip(before, whole, strict=True)]
            # Where nothing but its inputs tells a relation how many axes there are, it takes the ranks of all of these.
            is_of_dtypes = all(atom[-1:] == ("dtype",) for atom in atoms)
            takes_ranks = len(exprs) > 2 and not (site.relation.takes_attrs or is_of_dtypes)
            beside = (_RANKS,) if takes_ranks else (NOTHING, _RANKS)
            found = self._needs[key] = _needed(whole, likely, order, beside, holds)
        return found

    def _alike(self, site: RelationSite, before: list[Any], after: Any) -> dict[int, Atoms]:
        """What of an input of a call tells the dtype of its result, whatever else is known of the call; by the inputs.

        Of a tuple, that is one field, if there are as many as are known.
        """
        operator = self._rules.operators.get(site.callee)
        if operator is None:
            return {}
        groups = self._rules.alike(operator, type(site.attrs) is Attrs and operator.has_usual_words(site.attrs))
        found: dict[int, Atoms] = {}
        for place, field in with_dtype(dtype_at(after, ()), before, groups):
            inside = [("fields",), ("fields", *field, "dtype")] if field else _DTYPE
            found.setdefault(place, frozenset(inside))
        return found

    def _says(self, site: RelationSite, terms: list[Any], slot: int, after: Any, atoms: Atoms) -> bool:
        """Whether a relation gives one of its types some atoms where only this is known of all."""
        arguments = (TupleType(tuple(terms[:-1])), terms[-1]) if self._is_variadic(site) else tuple(terms)
        key = canonical(arguments, {})
        try:
            solution = solve_site(self._rules, site.relation, key, site.attrs, most=SEVERAL, by_rows=True)
        except RuleError:
            return False
        self._work.ask(site.relation, key, site.attrs, solution)
        if solution.general is None:
            return False
        found = self._flat(solution.general, site)[slot]
        return has(after, found, atoms)

    def _is_variadic(self, site: RelationSite) -> bool:
        operator = self._rules.operators.get(site.callee)
        return operator is not None and operator.variadic

    def _flat(self, terms: tuple[Any, ...], site: RelationSite) -> tuple[Any, ...]:
        """The types of a call of a relation, one for each argument, the result last."""
        if not self._is_variadic(site):
            return terms
        fields = getattr(terms[0], "fields", None)
        return (*fields, terms[1]) if type(fields) is tuple else terms

    def _of_attempt(self, attempt: Attempt) -> None:
        """Want all that an attempt of any site rests on."""
        self._is_sure = False
        if attempt.number not in self._seen:
            self._seen.add(attempt.number)
            self._attempts.append(attempt)

    def _follow_attempt(self, attempt: Attempt) -> None:
        site = attempt.site
        if site is None:
            return
        self._found.update(self._places.at(site.expr))
        exprs = [*site.expr.args, site.expr.op, site.expr] if type(site.expr) is Call else [site.expr]
        for expr in exprs:
            self._all(expr, attempt.number)
        if type(site.expr) is not Call:
            for part in self._places.parts(site.expr):
                self._all(part, attempt.number)
        for other in self._known.steps(attempt.terms, attempt.number):
            self._of_attempt(other)


def _axes(term: Any) -> int:
    """How many axes a tensor has; 0 for another type, and if it is open."""
    rank = part_of(term, ("rank",))
    return rank if type(rank) is int else 0


def _is_known(term: Any, atom: Atom) -> bool:
    """Whether a term has an atom, and it is not open."""
    found = part_of(term, atom)
    return found is not MISSING and bool(is_ground(found))


def _needed(
    whole: list[Atoms],
    likely: list[Atoms],
    order: Sequence[int],
    beside: Sequence[Atoms],
    holds: Callable[[Sequence[Atoms]], bool],
) -> list[Atoms]:
    """What must be known of each type so that something holds. Guesses come first: what is `likely` of one of them, and
    of the others what `beside` lets through, in this order."""
    guessed = [i for i in order if likely[i]]
    for i in guessed:
        for others in beside:
            guess = [atoms & others if i != j else likely[i] | _rank(atoms, likely[i]) for j, atoms in enumerate(whole)]
            if holds(guess):
                return guess
    if not guessed:  # what a guess does not tell, less does not
        for others in beside:
            guess = [atoms & others for atoms in whole]
            if holds(guess):
                return guess
    known = whole
    for fewer in _smaller(whole):
        tried = [a & b for a, b in zip(known, fewer, strict=True)]
        if tried != known and holds(tried):
            known = tried
    return known


def _likely(term: Any, known: Atoms, values: Collection[Any]) -> Atoms:
    """The atoms of a term that may be where some values come from; none if one of these is not there."""
    found = {atom: part_of(term, atom) for atom in sorted(known, key=str) if atom[-1:] != ("rank",)}
    if not all(any(value == other for other in found.values()) for value in values):
        return NOTHING
    return frozenset(atom for atom, value in found.items() if value in values)


def _rank(whole: Atoms, atoms: Atoms) -> Atoms:
    """The rank of a tensor, if one of its extents is among some atoms."""
    ranks = {(*atom[: atom.index("shape")], "rank") for atom in atoms if "shape" in atom}
    return frozenset(ranks) & whole


def _smaller(whole: list[Atoms]) -> Iterator[list[Atoms]]:
    """Less of the types: each without one of them, then without some atoms of one."""
    for out in reversed(range(len(whole))):
        yield [NOTHING if i == out else atoms for i, atoms in enumerate(whole)]
    for out in reversed(range(len(whole))):
        atoms = whole[out]
        extents = frozenset(a for a in atoms if "shape" in a)
        for part in (extents, *(frozenset([atom]) for atom in sorted(atoms - extents, key=str))):
            yield [a - part if i == out else a for i, a in enumerate(whole)]
        if len(extents) > 1:
            for atom in sorted(extents, key=str):
                yield [a - {atom} if i == out else a for i, a in enumerate(whole)]
