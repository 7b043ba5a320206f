"""Derivations: which statement of the text, and which step of inference, gave each expression its type.

Types flow to an expression from what it is made of, and from its users: the type of a weight without an annotation
comes from the call that uses it. So a derivation follows the record of an inference: the *steps* of a type are the
attempts that have bound the variables in it, and what a step rests on is what was known before it. It is a graph:
what two derivations share is one node, and nothing rests on itself.

Representation: a node is known by its expression and the last step that its type rests on, or by a step alone; it is
built after those that it rests on, and its number is its place among all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...host.governor import paced
from ...infer.results.reasons import Derivation, DerivationTable
from ...infer.results.steps import clause_of
from ...infer.sites.demands import EqualSite
from ...infer.sites.places import tail
from ...infer.sites.relation_site import RelationSite
from ...ir import (
    Call,
    Constant,
    Constructor,
    Function,
    GlobalVar,
    If,
    Match,
    Op,
    PatternConstructor,
    post_order,
    without_type_key,
)
from ...ir import Var as LocalVar
from ...ir.short import callee_name
from ...ir.visit import pattern_vars
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import is_ground, variables_of
from ...logic.terms.variables import VARIABLES
from ...types import TupleType, show_type
from ...types.attributes import attribute_text
from ...typings.proof import prove
from .place import Place
from .places import Places

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.results.recording import Attempt, Recording

__all__ = ["Derivations", "attribute_of", "call_in_words", "kind_of"]


class _Until:
    """The bindings of a store as they were before a step."""

    __slots__ = ("before", "bound_by")

    def __init__(self, bound_by: dict[Any, list[tuple[Attempt, Any]]], before: int) -> None:
        self.bound_by = bound_by
        self.before = before

    def get(self, variable: Any, default: Any = None) -> Any:
        """What a variable was bound to."""
        for attempt, value in reversed(self.bound_by.get(variable, ())):
            if attempt.number < self.before:
                return default if value is None else value
        return default

    def __contains__(self, variable: Any) -> bool:
        return self.get(variable) is not None


@dataclass(slots=True)
class _Draft:
    """A node that waits for those that it rests on: they are expressions or attempts, each before a step."""

    subject: Any
    step: Attempt | None
    kind: str
    type: str
    rests: list[tuple[Any, int]]
    span: Any


class Derivations:
    """The derivations of the expressions of a program, as they are asked for; `nodes` are all until now."""

    def __init__(self, inference: Inference, recording: Recording, places: Places | None = None) -> None:
        self.inference = inference
        self.places = Places(inference.module) if places is None else places
        self.nodes: list[Derivation] = []
        self.subjects: list[tuple[Any, Attempt | None]] = []  # of the nodes: their expressions, and their steps
        self.attempts = recording.attempts
        self.end = len(recording.attempts) + 1
        self.bound_by: dict[Any, list[tuple[Attempt, Any]]] = {}
        self._own: dict[int, list[Attempt]] = {}  # of the relations that are called, by identity of the call
        self._types = inference.generator.types
        self._final = inference.types()
        self._built: dict[tuple[int, int], int] = {}
        self._proofs: dict[Any, tuple[str, ...]] = {}
        self._stated = _stated(self.places)
        self._matched: dict[int, Any] | None = None  # the values that the variables of patterns are parts of
        for attempt in recording.attempts:
            for variable, _, new in attempt.changed():
                self.bound_by.setdefault(variable, []).append((attempt, new))
            site = attempt.site
            if not (isinstance(site, RelationSite) and type(site.expr) is Call) or attempt.draws:
                continue
            if attempt.outcome in ("done", "waiting"):
                self._own.setdefault(id(site.expr), []).append(attempt)

    def all(self) -> DerivationTable:
        """The nodes of all expressions of the module's functions."""
        found: dict[int, int] = {}
        for function in self.inference.module.functions.values():
            for expr in paced(post_order(function)):
                if self.has(expr):
                    found[id(expr)] = self.of(expr)
        return DerivationTable(tuple(self.nodes), found)

    def has(self, expr: Any) -> bool:
        """Whether an expression has a type, which may be open."""
        return id(expr) in self._types

    def of(self, expr: Any) -> int:
        """The number of the node of an expression that has a type."""
        return self._build((expr, self.end))

    def below(self, node: int) -> list[Derivation]:
        """A node and all that it rests on, itself last."""
        found = {node}
        agenda = [node]
        while agenda:
            for other in self.nodes[agenda.pop()].rests:
                if other not in found:
                    found.add(other)
                    agenda.append(other)
        return [self.nodes[i] for i in sorted(found)]

    def own(self, expr: Any) -> list[Attempt]:
        """The attempts of the relation that an expression calls; none if it calls none."""
        return self._own.get(id(expr), [])

    def known(self, term: Any, before: int) -> Any:
        """A term as it was known before a step."""
        if is_ground(term):
            return term
        if before >= self.end:
            return self.inference.driver.store.reify(term)
        return reify_term(term, _Until(self.bound_by, before))  # type: ignore[arg-type]

    def steps(self, term: Any, before: int) -> list[Attempt]:
        """The attempts before a step that have bound the variables of a term, in order."""
        if is_ground(term):
            return []
        found: dict[int, Attempt] = {}
        agenda = variables_of(term)
        seen = set(agenda)
        while agenda:
            for attempt, value in self.bound_by.get(agenda.pop(), ()):
                if attempt.number < before:
                    found[attempt.number] = attempt
                    if value is not None and not is_ground(value):
                        new = [v for v in variables_of(value) if v not in seen]
                        seen.update(new)
                        agenda.extend(new)
        return [found[number] for number in sorted(found)]

    # Building

    def _build(self, whole: tuple[Any, int]) -> int:
        """The number of a node, which is built if it is not there, after those that it rests on."""
        stack: list[tuple[tuple[int, int], Any]] = [(self._key(*whole), whole)]
        under_way: set[tuple[int, int]] = set()
        while stack:
            key, work = stack.pop()
            if type(work) is _Draft:
                under_way.discard(key)
                self._add(key, work)
            elif key not in self._built and key not in under_way:
                draft = self._draft(*work)
                under_way.add(key)
                stack.append((key, draft))
                stack.extend((self._key(*rest), rest) for rest in reversed(draft.rests))
        return self._built[self._key(*whole)]

    def _key(self, subject: Any, before: int) -> tuple[int, int]:
        """What a node is known by: its subject, and the last step before another one that its type rests on."""
        if id(subject) not in self._types:
            return id(subject), 0
        steps = [*self.steps(self._types[id(subject)], before), *self._own_steps(subject, before)]
        return id(subject), max((attempt.number for attempt in steps), default=0)

    def _own_steps(self, expr: Any, before: int) -> list[Attempt]:
        """The attempts of a call of a relation before a step, those that concluded something if there are any."""
        tried = [attempt for attempt in self.own(expr) if attempt.number < before]
        return [attempt for attempt in tried if any(True for _ in attempt.changed())] or tried

    def _draft(self, subject: Any, before: int) -> _Draft:
        """What a node says, and what it rests on."""
        term = self._types.get(id(subject))
        if isinstance(subject, Place):
            return _Draft(subject, None, "annotation", show_type(subject.node.ret_type), [], subject.span)
        if term is None:
            return self._of_step(subject)
        is_final = before >= self.end
        shown = show_type(self._final(subject) if is_final else self.known(term, before))
        own = self._own_steps(subject, before)
        if own:
            return self._of_call(subject, own, shown, before)
        if type(subject) is LocalVar and subject.type_annotation is not None:
            steps = [(attempt, attempt.number) for attempt in self.steps(term, before)]
            return _Draft(subject, None, "annotation", shown, steps, subject.type_span or subject.span)
        parts = self._parts(subject)
        rests = [(part, before) for part in parts if self._says(part, before)]
        if type(subject) is LocalVar and self.places.role(subject) == "pattern":
            rests += [(a, a.number) for a in self.steps(term, before) if a.site is not None]
        if parts or type(subject) is not LocalVar:
            return _Draft(subject, None, kind_of(subject), shown, rests, getattr(subject, "span", None))
        users = self.steps(term, before)
        sites = {id(attempt.site): attempt for attempt in users if attempt.site is not None}
        if len(sites) == 1:
            (last,) = sites.values()
            rests = [rest for user in users if user.site is not None for rest in self._of_step(user, but=subject).rests]
            rests = [rest for rest in rests if rest[0] not in users]
            return _Draft(subject, last, "use", shown, rests, last.site.span if last.site is not None else None)
        return _Draft(subject, None, "use", shown, [(user, user.number) for user in users], subject.span)

    def _of_call(self, call: Call, own: list[Attempt], shown: str, before: int) -> _Draft:
        """A call of a relation; what it was told later it has from its users."""
        last = own[-1]
        rests = self._of_step(last, but=call).rests
        rests += [(a, a.number) for a in self.steps(self._types[id(call)], last.number) if a not in own]
        rests += [(a, a.number) for a in self.steps(self._types[id(call)], before) if a.number > last.number]
        return _Draft(call, last, "call", shown, rests, call.span)

    def _of_step(self, attempt: Attempt, but: Any = None) -> _Draft:
        """A step: it rests on what was known before of what its site is about, apart from the expression `but`."""
        site, before = attempt.site, attempt.number
        about: list[Any] = []
        if site is not None:
            expr = site.expr
            about = [expr.op, *expr.args, expr] if type(expr) is Call else [expr]
            if attempt.draws:  # that follows from the arguments alone
                about.remove(expr)
        about = [expr for expr in about if expr is not but and self._says(expr, before)]
        rests: list[tuple[Any, int]] = [(expr, before) for expr in about]
        if isinstance(site, EqualSite):
            rests += [(stated, before) for stated in self._stated.get((id(site.expr), site.place), ())]
        told = {a.number for expr in about for a in self.steps(self._types[id(expr)], before)}
        told |= {a.number for expr in about for a in self._own_steps(expr, before)}
        rests += [(a, a.number) for a in self.steps(attempt.terms, before) if a.number not in told]
        if site is None:
            return _Draft(attempt, attempt, "generalised", "", rests, None)
        return _Draft(attempt, attempt, "step", "" if but is not None else self._concluded(attempt), rests, site.span)

    def _parts(self, expr: Any) -> list[Any]:
        """What an expression has its type from."""
        if type(expr) is If:
            return [expr.true_branch, expr.false_branch]
        if type(expr) is Match:
            return [clause.rhs for clause in expr.clauses]
        if type(expr) in (Op, Constructor, Constant):
            return []
        if type(expr) is LocalVar and self.places.role(expr) == "pattern":
            return [self._value(expr)]
        return [part for part in dict.fromkeys(self.places.parts(expr)) if part is not expr]

    def _value(self, variable: LocalVar) -> Any:
        """The value that the variable of a pattern is a part of."""
        if self._matched is None:
            nodes = [n for f in self.inference.module.functions.values() for n in post_order(f) if type(n) is Match]
            clauses = [(match, clause) for match in nodes for clause in match.clauses]
            self._matched = {id(v): match.data for match, clause in clauses for v in pattern_vars(clause.lhs)}
        return self._matched[id(variable)]

    def _says(self, expr: Any, before: int) -> bool:
        """Whether something was known of the type of an expression before a step."""
        term = self._types.get(id(expr))
        if term is None:
            return False
        if self.own(expr):
            return bool(self._own_steps(expr, before))
        return bool(type(term) not in VARIABLES or self.steps(term, before))

    def _concluded(self, attempt: Attempt) -> str:
        """What a step made known, as text: a type that was wanted, as it is known then, or what it told of types."""
        after = attempt.number + 1
        if isinstance(attempt.site, EqualSite):
            return show_type(self.known(attempt.site.expected, after))
        return ", ".join(show_type(self.known(variable, after)) for variable, _, _ in attempt.changed())

    def _add(self, key: tuple[int, int], draft: _Draft) -> None:
        number = len(self.nodes)
        rests = dict.fromkeys(self._built[k] for k in (self._key(*rest) for rest in draft.rests) if k in self._built)
        step, subject = draft.step, draft.subject
        site = None if step is None else step.site
        name = _name(subject) if subject is not step else f"@{step.owner}" if site is None else _name(site.expr)
        relation = "" if site is None else site.relation_name
        clause = "" if step is None else clause_of(step)
        premises = () if step is None else self._premises(step)
        self._built[key] = number
        self.subjects.append((subject, step))
        self.nodes.append(
            Derivation(number, draft.kind, name, draft.type, relation, clause, premises, tuple(rests), draft.span)
        )

    def _premises(self, attempt: Attempt) -> tuple[str, ...]:
        """The arguments of a relation by name, its attributes as they are written, and what its clause rests on."""
        site = attempt.site
        if not isinstance(site, RelationSite):
            return ()
        terms = tuple(map(self.inference.driver.store.reify, site.arguments))
        attrs = getattr(site.expr, "given", None) or {}
        key = (site.relation, terms, repr(attrs))
        found = self._proofs.get(key)
        if found is None:
            found = self._proofs[key] = tuple(self._told(site, terms, attrs))
        return found

    def _told(self, site: RelationSite, terms: tuple[Any, ...], attrs: dict[str, Any]) -> Iterator[str]:
        operator = self.inference.driver.rules.operators.get(site.callee)
        names = site.relation.parameters if operator is None or operator.variadic else (*operator.inputs, "result")
        shown = terms
        if operator is not None and operator.variadic and type(terms[0]) is TupleType:
            names = (*(f"argument {i + 1}" for i in range(len(terms[0].fields))), "result")
            shown = (*terms[0].fields, terms[-1])
        yield from (f"{name}: {show_type(term)}" for name, term in zip(names, shown, strict=False))
        yield from (f"{name} = {attribute_of(value)}" for name, value in without_type_key(attrs).items())
        given = (*terms, site.attrs) if site.relation.takes_attrs else terms
        for proof in prove(site.relation(*given)) or ():
            yield from str(proof).split("\n")[1:]


def _stated(places: Places) -> dict[tuple[int, str], list[Any]]:
    """What the annotations of results and of lets are about: values, with what their demands are called."""
    found: dict[tuple[int, str], list[Any]] = {}
    for place in places:
        if place.kind == "result":
            found.setdefault((id(tail(place.node.body)[0]), "the body"), []).append(place)
        elif place.kind == "annotation" and places.role(place.node) == "let":
            for value in places.parts(place.node):
                found.setdefault((id(value), f"`%{place.node.name_hint}`"), []).append(place.node)
    return found


def attribute_of(value: Any) -> str:
    """The value of an attribute as text."""
    try:
        return attribute_text(value)
    except ValueError:
        return repr(value)


_KINDS = {
    "GlobalVar": "function",
    "Op": "operator",
    "PatternConstructor": "pattern",
    "PatternTuple": "pattern",
    "RefCreate": "reference",
    "RefRead": "read of a reference",
    "RefWrite": "write to a reference",
    "TupleGetItem": "projection",
    "Var": "let",
}
"""What nodes of a program are called that are not called as their classes are."""


def kind_of(expr: Any) -> str:
    """What kind of a node an expression or a pattern is, in words."""
    kind = type(expr).__name__
    return _KINDS.get(kind, kind.lower())


def call_in_words(call: Call) -> str:
    """A call, by the name of what it calls, as that is written, if it has any."""
    is_named = type(call.op) in (Op, GlobalVar, LocalVar, Constructor)
    return f"the call of `{callee_name(call)}`" if is_named else "the call"


def _name(expr: Any) -> str:
    """What an expression is called."""
    if isinstance(expr, Place):
        return "the result"
    if type(expr) is Call:
        return callee_name(expr)
    if type(expr) is LocalVar:
        return f"%{expr.name_hint}"
    if type(expr) is Function:
        return "fn"
    if type(expr) is PatternConstructor:
        return f"pattern of {expr.constructor.name_hint}"
    name = getattr(expr, "name_hint", None) or getattr(expr, "name", None)
    return f"@{name}" if type(expr).__name__ == "GlobalVar" else str(name) if isinstance(name, str) else kind_of(expr)
