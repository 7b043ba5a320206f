"""Functions whose statements are typed one after the other: after an edit, only what depends on it is typed again.

A function is *straight* if each of its demands was settled in its first attempt, but for defaults. Then the type of a
statement follows from the types of what it uses, and a parameter without an annotation has the type that the statements
that use it give it, perhaps by default. So a statement is typed again if it was edited, or if something that it uses
has another type than before.

Representation: what others use of a statement is its `anchor`, for good: the variable of a `let`, and the expression
that a graph variable stood for when the function was read as a whole. The nodes that use it keep it when the statement
is edited; `types` has its type now, `node` is what it has become. Nothing is written into nodes. An edit that comes to
nothing good leaves the function as it was.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from ..infer.program import Inference
from ..infer.results.result import CallType
from ..ir import (
    Call,
    Expr,
    Function,
    GlobalVar,
    Let,
    Op,
    Source,
    Span,
    Var,
    children,
    post_order,
)
from ..ir.short import callee_name
from ..ir.visit import bound_by
from ..logic.terms.terms import is_ground, variables_of
from ..text.builder import Builder
from ..text.context import unquoted
from ..text.lexer import tokenize_piece
from ..text.parser import feed
from ..text.scopes import Names
from ..text.tokens import binding_head
from ..types import FuncType
from .outline import Outline, Part
from .retyping import Again
from .statements import OPAQUE, Param, Read, Statement, Unlike, live_ones, numbers_in, read_let, read_parts

__all__ = ["Straight"]


class Straight:
    """A straight function of the name `owner`; offsets are in its text, which begins with `def`.

    `type` is its type. Raises Unlike, when it is made, if the function is not straight.
    """

    def __init__(
        self,
        function: Function,
        found: Outline,
        graph_values: Mapping[int, Any],
        base: int,
        inference: Inference,
        variable: GlobalVar,
        infer: Callable[[], Inference],
    ) -> None:
        self.owner = variable.name_hint
        self.function = function
        self.type: Any = None
        self.types: dict[int, Any] = {}
        self.statements: list[Statement] = []
        self._opens = found.opens - base
        self._infer = infer
        self._inference: Inference | None = None
        self._names: Names[Var] | None = None
        self._anchors: dict[int, Statement] = {}
        self._graph: dict[str, Any] = {}
        self._params: list[Param] = []
        for part, var in zip(found.params, function.params, strict=True):
            tokens = part.tokens
            self._params.append(Param(part.name, var, tokens[0].start - base, tokens[-1].end - base))
        self._param_of = {id(param.var): param for param in self._params}
        spine: Any = function.body
        start = self._opens
        for part in found.statements:
            end = found.closes - base if part.kind == "tail" else part.tokens[-1].end - base
            begins = part.tokens[0].start
            node = graph_values.get(begins) if part.kind == "graph" else spine
            statement = Statement(part.kind, part.name, start, end, node, -base)
            if part.kind in ("let", "expr"):
                if type(spine) is not Let or spine.span is None or spine.span.start != begins:
                    raise Unlike
                statement.binder = statement.anchor = spine.var
                statement.node, spine = spine.value, spine.body
            if statement.node is None or type(statement.node) is Function:
                raise Unlike
            self._walk(statement)
            self._link(statement)
            self.statements.append(statement)
            start = end
        self._live = live_ones(self.statements, {})
        self._take_types(inference)
        tail = self.types[id(self.statements[-1].node)]
        self.result = tail if function.ret_type is None else function.ret_type
        self._make_type()
        if self.type is not inference.driver.store.reify(inference.globals[variable]):
            raise Unlike

    @property
    def is_declared(self) -> bool:
        """Whether the annotations say the whole type."""
        annotations = (self.function.ret_type, *(param.annotation for param in self._params))
        return all(annotation is not None and is_ground(annotation) for annotation in annotations)

    def _take_types(self, inference: Inference) -> None:
        """Take the types from an inference. Raises Unlike if one of a statement was not known at once."""
        types, reify, own = inference.generator.types, inference.driver.store.reify, self.types
        unknown: set[Any] = set()
        for param in self._params:
            term = types[id(param.var)]
            unknown.update(variables_of((term,)))
            own[id(param.var)] = known = reify(term)
            if not is_ground(known):
                raise Unlike
        for node in self._typed():
            term = own[id(node)] = types.get(id(node))
            if not is_ground(term):
                own[id(node)] = known = reify(term)
                if not is_ground(known) or not unknown.issuperset(variables_of((term,))):
                    raise Unlike

    def _typed(self) -> Iterator[Any]:
        for statement in self.statements:
            if statement not in self._live:
                continue
            for node in statement.own:
                if type(node) is not Op:
                    yield node
            if statement.anchor is not None:
                yield statement.anchor
        yield self.statements[-1].node

    def _make_type(self) -> None:
        self.type = FuncType(tuple([self.types[id(param.var)] for param in self._params]), self.result, (), ())

    def _walk(self, found: Statement | Read) -> None:
        """Find the nodes that only one statement has, and what it uses. Raises Unlike."""
        anchors, param_of = self._anchors, self._param_of
        own, parts = found.own, found.parts

        def below(node: Any) -> tuple[Any, ...]:
            return () if id(node) in anchors else children(node)

        node: Any
        for node in post_order(found.node, below):
            used = anchors.get(id(node))
            if used is not None:
                found.needs.add(used)
                if used.kind == "graph":
                    parts.append(used)
                continue
            kind = type(node)
            if kind is Var:
                param = param_of.get(id(node))
                if param is not None:
                    found.params.add(param)
                continue
            own.append(node)
            if kind is Call:
                parts.append(node)
                if node.given and any(isinstance(value, Expr) for value in node.given.values()):
                    raise Unlike
            else:
                own += bound_by(node)

    def _link(self, statement: Statement) -> None:
        """Enter what a statement uses, and that it can be used."""
        for users in statement.used_by():
            users.add(statement)
        if statement.kind == "graph":
            self._graph[statement.name] = (statement.anchor, 0, 0)
            if type(statement.anchor) in OPAQUE:
                self._anchors.setdefault(id(statement.anchor), statement)
        elif statement.anchor is not None:
            self._anchors[id(statement.anchor)] = statement

    # --- an edit ------------------------------------------------------------------------------------------------------

    def edit(self, text: str, start: int, end: int, builder: Builder, means_more: Callable[[str, bool], bool]) -> bool:
        """Take over an edit of what stood from `start` to `end`. `text` is now the function's. Has its type changed?

        `means_more` is told which graph variables a statement mentions, and of that which it binds whether it is bound
        to something that uses no variable; it says whether that has to do with other functions. Raises
        Unlike or ParseError if it is no edit of statements or parameters, Refused if the types do not fit any
        more; then the function is as it was.
        """
        delta = len(text) - self.statements[-1].end - 1
        if end < self._opens:
            return self._edit_param(text, start, end, delta, builder)
        if start < self._opens or end > self.statements[-1].end:
            raise Unlike
        ends = [statement.end for statement in self.statements]
        starts = [statement.start for statement in self.statements]
        first, last = bisect_left(ends, start), bisect_right(starts, end) - 1
        begin = starts[first]
        piece = text[begin : ends[last] + delta]
        parts = read_parts(piece, first == 0, last == len(ends) - 1)
        old = self.statements[first : last + 1]
        kept = self._matched(old, parts)
        builder.source = Source(piece)
        read: list[Read] = []
        placed: list[tuple[Statement, int, int]] = []
        at = 0
        try:
            for part, statement in zip(parts, kept, strict=True):
                if any(means_more(number, closed) for number, closed in numbers_in(part)):
                    raise Unlike
                made, found = self._read(part, statement, builder, begin)
                read.append(found)
                closes = len(piece) if part.kind == "tail" else part.tokens[-1].end
                placed.append((made, at, closes))
                at = closes
            remaining = [made for made, _, _ in placed]
            gone = [statement for statement in old if statement not in remaining]
            order = [*self.statements[:first], *remaining, *self.statements[last + 1 :]]
            changed = self._type_again(read, gone, order, {})
        except BaseException:
            for statement in (made for made, _, _ in placed if made not in old):
                self._forget(statement)
            self._names = None
            raise
        for statement in self.statements[last + 1 :]:
            statement.start += delta
            statement.end += delta
            statement.shift += delta
        for statement in self.statements[last + 1 : last + 2]:
            statement.start = begin + at
        for made, opened, closed in placed:
            made.start, made.end, made.shift = begin + opened, begin + closed, begin
        self.statements = order
        return changed

    def _matched(self, old: list[Statement], parts: list[Part]) -> list[Statement | None]:
        """For each part the statement that it was, None if it is new. Raises Unlike if the order changed."""
        if [(s.kind, s.name) for s in old] == [(p.kind, p.name) for p in parts]:
            return list(old)
        known = {(s.kind, s.name): s for s in old if s.kind != "expr"}
        kept = [known.get((part.kind, part.name)) for part in parts]
        found = [statement for statement in kept if statement is not None]
        if len(set(found)) < len(found) or found != [s for s in old if s in set(found)]:
            raise Unlike
        return kept

    def _read(self, part: Part, statement: Statement | None, builder: Builder, begin: int) -> tuple[Statement, Read]:
        """The statement of a part, and what it is now."""
        if any(self._is_bound_behind(begin, number) for number, _ in numbers_in(part)):
            raise Unlike
        names = self._scope()
        nested = part.tokens[1:] if part.kind == "let" else part.tokens
        for token, following in pairwise(nested):
            if token.type == "LET" and following.type == "LOCAL" and names.find(unquoted(following)) is not None:
                raise Unlike
        if statement is None and (
            names.find(part.name) is not None if part.kind == "let" else part.name in self._graph
        ):
            raise Unlike
        builder.locals, builder.graph, builder.in_definition = names, self._graph, True
        tokens, binder = part.tokens, None
        if part.kind == "graph":
            tokens = tokens[binding_head(tokens) : -1]
        elif part.kind == "let":
            binder, tokens = read_let(tokens, builder)
        elif part.kind == "expr":
            binder, tokens = Var(""), tokens[:-1]
        node = feed("whole_expr", tokens, builder)[0]
        if type(node) is Function and binder is not None:
            raise Unlike
        if part.kind == "graph":
            usable = type(node) in OPAQUE and id(node) not in self._anchors
            if not usable or (statement is not None and self._anchors.get(id(statement.anchor)) is not statement):
                raise Unlike
        made = statement
        if made is None:
            made = Statement(part.kind, part.name, 0, 0, node, begin)
            if binder is not None:
                made.anchor = binder
                names.bind(part.name, binder)
        found = Read(made, node, binder)
        self._walk(found)
        if made in found.needs or any(type(item) is GlobalVar for item in (*found.own, *made.own)):
            raise Unlike
        if statement is None:
            self._link(made)
        return made, found

    def _is_bound_behind(self, begin: int, number: str) -> bool:
        """Whether a graph variable is bound behind an offset to what has a name before, so that no user knows where."""
        if number not in self._graph:
            return False
        known = self._anchors.get(id(self._graph[number][0]))
        if known is not None and (known.kind, known.name) == ("graph", number):
            return False
        return any((s.kind, s.name) == ("graph", number) and s.end > begin for s in self.statements)

    def _scope(self) -> Names[Var]:
        """The variables that the parameters and statements bind."""
        if self._names is None:
            self._names = Names()
            for param in self._params:
                self._names.bind(param.name, param.var)
            for statement in self.statements:
                if statement.kind == "let":
                    self._names.bind(statement.name, statement.anchor)
        return self._names

    def _forget(self, statement: Statement) -> None:
        """Take out a statement."""
        for users in statement.used_by():
            users.discard(statement)
        if statement.kind == "graph":
            del self._graph[statement.name]
        if self._anchors.get(id(statement.anchor)) is statement:
            del self._anchors[id(statement.anchor)]

    def _edit_param(self, text: str, start: int, end: int, delta: int, builder: Builder) -> bool:
        """As `edit`, of what stands between the parentheses."""
        index = bisect_right([param.start for param in self._params], start) - 1
        if index < 0 or end > self._params[index].end:
            raise Unlike
        param = self._params[index]
        piece = text[param.start : param.end + delta]
        tokens = tokenize_piece(piece, "COMMA", "(")
        if not tokens or tokens[0].type != "LOCAL" or tokens[0].value[1:] != param.name:
            raise Unlike
        if tokens[0].start or tokens[-1].end != len(piece) or (len(tokens) > 1 and tokens[1].type != "COLON"):
            raise Unlike
        builder.source = Source(piece)
        annotation = feed("whole_type", tokens[2:], builder) if len(tokens) > 1 else None
        changed = self._type_again([], [], self.statements, {param: annotation})
        param.annotation = annotation
        param.end += delta
        for other in self._params[index + 1 :]:
            other.start += delta
            other.end += delta
        self._opens += delta
        for statement in self.statements:
            statement.start += delta
            statement.end += delta
            statement.shift += delta
        return changed

    # --- types --------------------------------------------------------------------------------------------------------

    def _type_again(
        self, read: list[Read], gone: list[Statement], order: list[Statement], annotated: dict[Param, Any]
    ) -> bool:
        """Type what depends on some statements being otherwise. Whether the function's type changed.

        Raises Unlike or Refused and changes nothing if it cannot be typed so.
        """
        place = {statement: index for index, statement in enumerate(order)}
        now = {found.statement: found for found in read}
        for found in read:
            if any(place.get(used, len(order)) >= place[found.statement] for used in found.needs):
                raise Unlike
        for statement in gone:
            if statement.kind == "graph" and self._anchors.get(id(statement.anchor)) is not statement:
                raise Unlike  # who uses it does not know
            if any(user in place and user not in now for user in statement.users):
                raise Unlike
        live = self._live
        if gone or any(found.needs != found.statement.needs for found in read) or len(order) != len(self.statements):
            live = live_ones(order, now)
        if self._inference is None:
            self._inference = self._infer()
        again = Again(self.function, self.owner, self.types, self.result, self._inference, place, now, annotated, live)
        try:
            again.run(read, self._live)
        except BaseException:
            again.undo()
            self._inference = None
            raise
        again.keep()
        self._live = live
        for found in read:
            statement = found.statement
            for users in statement.used_by():
                users.discard(statement)
            statement.node, statement.own, statement.parts = found.node, found.own, found.parts
            statement.needs, statement.params = found.needs, found.params
            statement.binder = found.binder
            for users in statement.used_by():
                users.add(statement)
        for statement in gone:
            self._forget(statement)
        if gone:
            self._names = None
        before = self.type
        if again.params or again.result is not self.result:
            self.result = again.result
            self._make_type()
        return before is not self.type

    def calls(self, source: Source, start: int) -> list[CallType]:
        """The calls, as inference lists them, of the function whose text now starts at `start` of `source`."""
        found: list[CallType] = []
        met: set[Statement] = set()
        types = self.types
        agenda: list[tuple[Iterator[Any], int]] = [((s for s in self.statements if s.kind != "graph"), 0)]
        while agenda:
            parts, shift = agenda[-1]
            for part in parts:
                if type(part) is Call:
                    span = part.span
                    if span is not None:
                        span = Span(source, span.start + shift, span.end + shift)
                    found.append(CallType(self.owner, callee_name(part), types[id(part)], span))
                elif part not in met:
                    met.add(part)
                    agenda.append((iter(part.parts), start + part.shift))
                    break
            else:
                agenda.pop()
        return found
