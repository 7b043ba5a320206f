"""Going through a program: which places there are, and what each of them ties together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from ...infer.sites.demands import EqualSite
from ...infer.sites.places import NAMES, Ending, tail, use_span
from ...ir import (
    Call,
    Constant,
    Function,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Op,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    children,
    post_order,
    without_type_key,
)
from ...ir import Var as LocalVar
from ...logic.terms.terms import is_ground
from ...text.attribute_spans import AttributeSpans
from .place import ITS_OWN, Place

__all__ = ["Tying"]

_KINDS = {
    Call: "call",
    Constant: "constant",
    Function: "function",
    If: "if",
    Match: "match",
    RefCreate: "reference",
    RefRead: "reference",
    RefWrite: "reference",
    Tuple: "tuple",
    TupleGetItem: "projection",
}
LONG = 12
"""A program with more calls is long."""

_SILENT = frozenset({LocalVar, Op})
"""Nodes at which nothing is said that is not said by those who have them."""


class Tying:
    """The places of the functions of a module, functions by their names, and what they tie together.

    Of one that is long, attributes are parts of their calls, and no places of their own, if that is `brief`.
    """

    def __init__(self, module: IRModule, brief: bool = False) -> None:
        self.module = module
        self.all: list[Place] = []
        self._ties: list[tuple[Any, tuple[Any, ...], int]] = []  # what is tied: a node, those it is made of, the place
        self._at: defaultdict[int, list[int]] = defaultdict(list)
        self._roles: dict[int, str] = {}
        self._owner = ""
        self._holder = 0  # the identity of the node that is looked at
        self._holders: list[int] = []  # that of the node that holds it, by the number of a place
        self._binders: dict[int, int] = {}  # that of what binds it, by that of a variable
        self._values: dict[int, Any] = {}  # what a let binds a variable to, by the identity of that
        self._attributes: dict[int, list[int]] = {}
        self._spans = AttributeSpans()
        functions = dict(sorted(((v.name_hint, f) for v, f in self.module.functions.items()), key=itemgetter(0)))
        self._functions = functions
        self.nodes = {name: list(post_order(function)) for name, function in functions.items()}  # by their functions
        called = [type(node.op) for nodes in self.nodes.values() for node in nodes if type(node) is Call]
        self.calls, self.direct_calls = len(called), called.count(Op) + called.count(GlobalVar)
        self.is_long = self.calls > LONG
        """Whether the program has many calls."""
        self.has_attributes = not (brief and self.is_long)
        """Whether attributes are places."""
        self.given = 0
        """How many there are that are none."""
        for name, nodes in self.nodes.items():
            self._owner = name
            whole = functions[name]
            for node in nodes:
                if type(node) not in _SILENT:
                    self._holder = id(node)
                    self._visit(node, node is whole)

    def role(self, variable: LocalVar) -> str:
        """What binds a variable: "parameter", "inner parameter", "let" or "pattern"."""
        return self._roles.get(id(variable), "parameter")

    def _place(
        self,
        kind: str,
        node: Any,
        span: Any,
        demand: Any = None,
        attribute: str = "",
        binds: Any = None,
        wants: Any = None,
    ) -> Place:
        index = len(self.all)
        place = Place(kind, node, span, self._owner, index, demand, attribute, binds, wants)
        self.all.append(place)
        self._holders.append(self._holder)
        self._at[id(node if binds is None else binds)].append(index)
        return place

    def _tie(self, head: Any, parts: Iterable[Any], place: Place | None = None) -> None:
        self._ties.append((head, tuple(parts), -1 if place is None else place.index))

    def _annotation(self, variable: LocalVar, role: str) -> None:
        self._roles[id(variable)] = role
        self._binders[id(variable)] = self._holder
        if variable.type_annotation is not None:
            place = self._place("annotation", variable, ITS_OWN)
            self._tie(variable, (), place)

    def _visit(self, node: Any, is_whole: bool) -> None:
        kind = type(node)
        if kind is Function:
            for parameter in node.params:
                self._annotation(parameter, "parameter" if is_whole else "inner parameter")
            self._tie(node, node.params)
            self._comes_to(node, node.body, node.ret_type is None, node)
            if node.ret_type is not None:
                self._tie(node, (node.body,), self._place("result", node, node.ret_span))
                self._use(node.body, "the body", node, node)
        elif kind is Let:
            self._values[id(node.var)] = node.value
            self._annotation(node.var, "let")
            self._comes_to(node.var, node.value, node.var.type_annotation is None, node)
            self._tie(node, (node.body,))
            if node.var.type_annotation is not None and isinstance(tail(node.value)[0], NAMES):
                demand = EqualSite.known_by(node.value, f"`%{node.var.name_hint}`", node)
                name, span = self._named(node.value, node)
                self._tie(node.var, (node.value,), self._place("use", name, span, demand, wants=node.var))
        elif kind is GlobalVar:
            known = self._functions.get(node.name_hint)
            if known is not None:
                self._tie(node, (known,))
        elif kind is If:
            demand = EqualSite.known_by(node.cond, "the condition", node)
            self._tie(node.cond, (), self._place("condition", node.cond, use_span(node.cond, node), demand))
            self._use(node.true_branch, "the first branch", node, node)
            self._use(node.false_branch, "the second branch", node, node)
        elif kind is Match:
            for i, clause in enumerate(node.clauses):
                self._use(clause.rhs, f"arm {i + 1} of the match", clause, node)
                self._tie(clause.lhs, node.clauses[:1])  # which stands for what all arms take
                self._pattern(clause.lhs)
            for clause in node.clauses[:1]:
                self._tie(clause, (node.data,), self._bound(clause, node.data, node))
        if kind in _KINDS and not (kind is Function and is_whole):
            place = self._place(_KINDS[kind], node, ITS_OWN)
            self._tie(node, _tied(node), place)
            if kind is Call and type(node.op) is Op and node.given:
                if self.has_attributes:
                    self._given(node, place)
                else:
                    self.given += len(node.given)

    def _given(self, call: Call, place: Place) -> None:
        """The places of the attributes that a call gives; what stands for an expression is a part of the call."""
        for name, value in without_type_key(call.given).items():
            if _is_known(value):
                own = self._place("attribute", call, self._spans, attribute=name)
                self._attributes.setdefault(place.index, []).append(own.index)

    def _use(self, expr: Any, where: str, user: Any, wants: Any) -> None:
        """The place of a variable that a chain of lets comes to, the last thing in `user`; `wants` has its type."""
        node, span = self._named(expr, user)
        if isinstance(node, NAMES):
            demand = EqualSite.known_by(node, where, user)
            self._tie(expr, (node,), self._place("use", node, span, demand, wants=wants))

    def _comes_to(self, what: Any, expr: Any, alone: bool, user: Any) -> None:
        """Tie a variable or a function to its value or body: by a place if that is a name, and nothing else tells."""
        self._tie(what, (expr,), self._bound(what, expr, user) if alone else None)

    def _bound(self, what: Any, expr: Any, user: Any) -> Place | None:
        """The place of the name that gives `what` its type; None if that is no name."""
        node, span = self._named(expr, user)
        return self._place("use", node, span, binds=what) if isinstance(node, NAMES) else None

    def _named(self, expr: Any, user: Any) -> tuple[Any, Any]:
        """What a chain of lets comes to, and where: a let's value, what a match looks at, or the last in a scope."""
        node, span = tail(expr)
        if expr is not node or user.span is None or not isinstance(node, NAMES):
            return node, span
        if type(user) not in (Let, Match):
            return node, Ending(expr, user).span
        if type(user) is Let and user.var.type_annotation is not None:
            return node, use_span(node, user)
        # The span of a variable is that of its binding.
        name = str(getattr(node, "name_hint", None) or getattr(node, "name", ""))
        text, first, last = user.span.source.text, user.span.start, user.span.end
        start = text.find(name, text.find("=" if type(user) is Let else "(", first, last), last)
        sign = isinstance(node, (LocalVar, GlobalVar))
        return node, user.span if start < 0 else Span(user.span.source, start - sign, start + len(name))

    def _pattern(self, pattern: Any) -> None:
        agenda = [pattern]
        while agenda:
            item = agenda.pop()
            if isinstance(item, PatternVar):
                self._annotation(item.var, "pattern")
                self._tie(item.var, (item,))
            elif isinstance(item, (PatternConstructor, PatternTuple)):
                self._tie(item, item.patterns, self._place("pattern", item, item.span))
                agenda.extend(reversed(item.patterns))


def _tied(node: Any) -> Iterable[Any]:
    """The nodes that the place of an expression ties to it."""
    if type(node) is Function:
        return (*node.params, node.body)
    return (node.true_branch, node.false_branch) if type(node) is If else children(node)


def _is_known(value: Any) -> bool:
    """Whether an attribute is given as data, and all of it."""
    kind = type(value)
    return kind in (int, float, bool, str, type(None)) or (kind in (tuple, list) and is_ground(tuple(value)))
