"""A program as it was read and inferred last, function by function: after an edit, only what depends on it is inferred.

What a function is inferred to be follows from its expression and from the types of the functions that it mentions.
Groups that call each other are inferred together, in the order that `relaylogic.infer.components` gives; one is
inferred again if the expression of one of its functions is another, or the type of one that it mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

from ..infer.program import Inference
from ..infer.results.result import CallType
from ..ir import Function, GlobalVar, IRModule, Source, Span
from ..logic.terms.terms import is_ground
from ..rulebase import RuleBase
from ..text.builder import Builder
from ..text.context import unquoted
from ..text.errors import ParseError
from ..text.lexer import tokenize_piece
from ..text.parser import feed
from ..text.tokens import Token
from .order import Order
from .outline import definitions, ends_plainly
from .statements import Unlike
from .straight import Straight
from .unit import Unit, alike

__all__ = ["Program"]


class Program:
    """The functions of a program in their order; `text` is None for one that was not read.

    An update that raises Unlike may have left the program in disorder only if it `is_broken`.
    """

    def __init__(
        self, builder: Builder, module: IRModule, text: str | None, rules: RuleBase | None, closed: bool
    ) -> None:
        self.text = text
        self.units: list[Unit] = []
        self.version = 0
        self.is_broken = False
        self._builder = builder
        self._module = module
        self._rules = rules
        self._closed = closed
        self._imported: dict[GlobalVar, Any] = {}
        self._order: Order | None = None
        self._changed: list[GlobalVar] = []  # functions that have changed since they were inferred, in this order

    @classmethod
    def read(
        cls, builder: Builder, found: list[list[Token]], inference: Inference, rules: RuleBase | None, closed: bool
    ) -> Program:
        """A program that was read and inferred; `found` are the tokens of its functions. Raises Unlike."""
        module = inference.module
        program = cls(builder, module, builder.source.text, rules, closed)
        if len(found) != len(module.functions) or builder.bare_expressions:
            raise Unlike
        for part in found:
            variable = builder.globals[unquoted(part[1])]
            program.units.append(Unit(variable, module.functions[variable], 0).written(part, builder.graph_values))
        leaked = {number for number, (_, depth, _) in builder.graph.items() if not depth}
        for unit in program.units:
            unit.closed = unit.numbers & leaked
        if len(found) > 1 and sum(len(unit.closed) for unit in program.units) > len(leaked):
            raise Unlike
        program._take_over(inference)
        return program

    @classmethod
    def built(cls, builder: Builder, inference: Inference, rules: RuleBase | None, closed: bool) -> Program:
        """A program that was built and inferred. Raises Unlike."""
        module = inference.module
        program = cls(builder, module, None, rules, closed)
        program.units = [Unit(variable, function, 0) for variable, function in module.functions.items()]
        program._take_over(inference)
        return program

    @property
    def verdict(self) -> str:
        """ "typed" or "refuted"."""
        return "refuted" if any(unit.is_refuted for unit in self.units) else "typed"

    def functions(self) -> dict[str, Any]:
        """The types of the functions."""
        return {unit.variable.name_hint: unit.type for unit in self.units}

    def calls(self, source: Source | None) -> list[CallType]:
        """The calls of a program that is typed."""
        return [call for unit in self.units for call in unit.calls(source)]

    # --- an edit ------------------------------------------------------------------------------------------------------

    def update(self, text: str, start: int, end: int) -> None:
        """Take over a text that differs from the last one in what stood there from `start` to `end`.

        Raises Unlike if it has to be read as a whole; Refused if it is refuted, where the program stays as it was.
        """
        assert self.text is not None
        delta = len(text) - len(self.text)
        touched = [i for i, unit in enumerate(self.units) if unit.start <= end and unit.end >= start]
        if len(touched) == 1 and self.units[touched[0]].start < start and end < self.units[touched[0]].end:
            (first,) = touched
            last, begin, close = first, self.units[first].start, self.units[first].end
            if self._within(self.units[first], text, start, end, delta):
                return
        else:
            first = (
                touched[0] if touched else next((i for i, u in enumerate(self.units) if u.start > end), len(self.units))
            )
            last = touched[-1] if touched else first - 1
            begin = self.units[first - 1].end if first else 0
            close = self.units[last + 1].start if last + 1 < len(self.units) else len(self.text)
            if not self._has_only(first, last + 1, begin, close):
                raise Unlike
        self._replace(first, last + 1, text[begin : close + delta], begin, delta)
        self.text = text
        self.infer()

    def _has_only(self, first: int, behind: int, begin: int, close: int) -> bool:
        """Whether nothing but some units stood in a stretch of the text: no data type, no declaration, no metadata."""
        assert self.text is not None
        behind_token = begin > 0
        for unit in self.units[first:behind]:
            if _has_tokens(self.text[begin : unit.start], behind_token):
                return False
            begin, behind_token = unit.end, True
        return not _has_tokens(self.text[begin:close], behind_token)

    def _within(self, unit: Unit, text: str, start: int, end: int, delta: int) -> bool:
        """Take over an edit of the statements of one function, if it is that."""
        straight = unit.straight
        if straight is None:
            return False
        declared = unit.declared
        others = [other for other in self.units if other is not unit]

        def means_more(number: str, is_closed: bool) -> bool:
            unit.numbers.add(number)
            if is_closed:
                unit.closed.add(number)
            return any(number in other.closed or (is_closed and number in other.numbers) for other in others)

        builder = self._builder.elsewhere(Source(""), self._module.without_functions())
        piece = text[unit.start : unit.end + delta]
        try:
            changed = straight.edit(piece, start - unit.start, end - unit.start, builder, means_more)
        except (Unlike, ParseError):
            return False
        self.version += 1
        unit.is_stale = True
        self._shift(unit, delta)
        self.text = text
        unit.declared = straight.type if straight.is_declared else None
        if (declared is None) is not (unit.declared is None):
            self._order = None
        self._changed = [unit.variable]
        if changed or unit.declared is not declared:
            unit.type = straight.type
            self.infer()
        return True

    def _shift(self, unit: Unit, delta: int) -> None:
        unit.end += delta
        for other in self.units[self.units.index(unit) + 1 :]:
            other.start += delta
            other.end += delta

    def _replace(self, first: int, behind: int, piece: str, begin: int, delta: int) -> None:
        """Read the definitions in a piece of the text anew, instead of some units. Raises Unlike."""
        try:
            tokens = tokenize_piece(piece, "RBRACE" if begin else "")
        except ParseError:
            raise Unlike from None
        found, only = definitions(tokens or [])
        if tokens is None or not (ends_plainly(piece, tokens) or begin + len(piece) == len(self.text or "") + delta):
            raise Unlike
        if not only or not (found or self.units[:first] or self.units[behind:]):
            raise Unlike
        made = self._read(found, Source(piece), self.units[first:behind])
        for unit in made:
            unit.start += begin
            unit.end += begin
        for unit in self.units[behind:]:
            unit.start += delta
            unit.end += delta
        self.version += 1
        self._put(first, behind, made)

    def define(self, variable: GlobalVar, function: Function | None) -> None:
        """Take over a function that is another, new, or not there any more. Raises Unlike."""
        self.version += 1
        places = [i for i, unit in enumerate(self.units) if unit.variable is variable]
        first = places[0] if places else len(self.units)
        made = [] if function is None else [Unit(variable, function, 0)]
        for unit in made:
            unit.follow(self.units[i] for i in places)
        self._put(first, first + len(places), made)
        self.infer()

    def _put(self, first: int, behind: int, made: list[Unit]) -> None:
        """Put units where others are."""
        if self._order is not None and not self._order.takes(self.units[first:behind], made):
            self._order = None
        self.units[first:behind] = made
        self._changed = [unit.variable for unit in made]

    def _read(self, found: list[list[Token]], source: Source, gone: list[Unit]) -> list[Unit]:
        """The units of some definitions, which stand for others. Raises Unlike and changes nothing."""
        names = [unquoted(part[1]) for part in found]
        others = [unit for unit in self.units if unit not in gone]
        removed = {unit.variable.name_hint: unit.variable for unit in gone}
        known = self._builder.globals
        added = [name for name in names if name not in removed]
        if len(set(names)) < len(names) or any(name in known for name in added):
            raise Unlike
        lost = removed.keys() - set(names)
        imported = {name for name in added if self._module.without_functions().find_global_var(name) is not None}
        if (lost or imported) and any(not unit.names.isdisjoint(lost | imported) for unit in others):
            raise Unlike
        now = {name: variable for name, variable in known.items() if name not in lost}
        for name, part in zip(names, found, strict=True):
            if name not in now:
                now[name] = GlobalVar(name, Span(source, part[1].start, part[1].end))
        self._builder.globals = now
        try:
            made = [self._parsed(part, source) for part in found]
        except ParseError:
            self._builder.globals = known
            raise Unlike from None
        except BaseException:
            self._builder.globals = known
            raise
        try:
            for unit in made:
                for other in (*others, *(u for u in made if u is not unit)):
                    if not unit.closed.isdisjoint(other.numbers) or not other.closed.isdisjoint(unit.numbers):
                        raise Unlike
        except Unlike:
            self._builder.globals = known
            raise
        for unit in made:
            unit.follow(other for other in gone if other.variable is unit.variable)
        return made

    def _parsed(self, tokens: list[Token], source: Source) -> Unit:
        """The unit of a definition."""
        builder = self._builder.elsewhere(source, self._module.without_functions())
        feed("module", tokens, builder)
        ((variable, function),) = builder.module.functions.items()
        unit = Unit(variable, function, 0).written(tokens, builder.graph_values)
        unit.closed = {number for number, (_, depth, _) in builder.graph.items() if not depth}
        return unit

    # --- inference ----------------------------------------------------------------------------------------------------

    def _take_over(self, inference: Inference) -> None:
        """Take the types from an inference of the whole program. Raises Unlike if some of it is open."""
        refused = {site.owner for site in inference.failed()}
        if "" in refused or not _is_settled(inference):
            raise Unlike
        own = {unit.variable for unit in self.units}
        self._imported = {v: type_ for v, type_ in inference.globals.items() if v not in own}
        _learn(self.units, inference, self._straight)
        order = self._order = Order(self.units)
        for index, group in enumerate(order.groups):
            seen = order.seen(index)
            for variable in group:
                order.units[variable].seen = seen

    def infer(self) -> None:
        """Infer what is new, and what mentions something that has another type now. Raises Unlike."""
        self.is_broken = True
        order = self._order
        if order is None:
            order = self._order = Order(self.units)
            agenda = list(range(len(order.groups)))
        else:
            agenda = [order.place[variable] for variable in self._changed]
            agenda += [index for variable in self._changed for index in order.mentioned[variable]]
            heapify(agenda)
        done = -1
        while agenda:
            index = heappop(agenda)
            if index == done:
                continue
            done = index
            group = [order.units[variable] for variable in order.groups[index]]
            seen = order.seen(index)
            if not any(unit.is_new for unit in group) and _same(seen, group[0].seen):
                continue
            before = [unit.type for unit in group]
            self._infer_group(group, seen)
            for unit, known in zip(group, before, strict=True):
                if unit.type is not known:
                    for following in order.mentioned[unit.variable]:
                        if following > index:
                            heappush(agenda, following)
        self._changed = []
        self.is_broken = False

    def _infer_group(self, group: list[Unit], seen: dict[GlobalVar, Any]) -> None:
        module = self._module.without_functions()
        for unit in group:
            if unit.is_stale or unit.straight is not None:
                self._read_again(unit)
            module.add(unit.variable, unit.function)
        known = {**self._imported, **{v: type_ for v, type_ in seen.items() if type_ is not None}}
        inference = Inference(module, self._rules, self._closed, known=known)
        if not _is_settled(inference):
            raise Unlike
        _learn(group, inference, self._straight)
        for unit in group:
            unit.seen = seen

    def _read_again(self, unit: Unit) -> None:
        assert self.text is not None
        piece = self.text[unit.start : unit.end]
        tokens = tokenize_piece(piece, "RBRACE")
        assert tokens is not None
        again = self._parsed(tokens, Source(piece))
        unit.function, unit.outline, unit.graph_values = again.function, again.outline, again.graph_values
        unit.base, unit.is_stale = again.base, False

    def _straight(self, unit: Unit, inference: Inference) -> Straight | None:
        """What types a function again statement by statement, if it can be typed so."""
        if unit.outline is None or unit.is_refuted:
            return None
        seen = {**self._imported}

        def infer() -> Inference:
            for variable, type_ in unit.seen.items():
                seen[variable] = type_
            if any(variable not in seen for variable in unit.mentions):
                raise Unlike  # what it calls is inferred together with it
            return Inference(self._module.without_functions(), self._rules, self._closed, known=seen)

        try:
            return Straight(unit.function, unit.outline, unit.graph_values, unit.base, inference, unit.variable, infer)
        except Unlike:
            return None


def _is_settled(inference: Inference) -> bool:
    """Whether the verdict on each of some functions is known for good.

    Where closed types are wanted, one that is refuted hides that others may be open. What callers say of an attribute
    that a function leaves open is known of no function on its own.
    """
    wanted = ("typed",) if inference.closed else ("typed", "refuted")
    return inference.verdict() in wanted and not inference.driver.waiting and not inference.told_by_callers


def _has_tokens(piece: str, behind_token: bool) -> bool:
    """Whether something but comments stands between definitions, or before the first."""
    return tokenize_piece(piece, "RBRACE" if behind_token else "") != []


def _same(seen: Mapping[GlobalVar, Any], before: Mapping[GlobalVar, Any]) -> bool:
    return len(seen) == len(before) and all(before.get(v) is type_ for v, type_ in seen.items())


def _learn(units: Iterable[Unit], inference: Inference, straight: Callable[[Unit, Inference], Straight | None]) -> None:
    """Take over what an inference found out about some functions. Raises Unlike if a type is open."""
    refused = {site.owner for site in inference.failed()}
    unsteady = {site.owner for site in inference.driver.sites if not site.is_done_at_once}
    reify, type_of = inference.driver.store.reify, inference.types()
    for unit in units:
        found = reify(inference.globals[unit.variable])
        if not is_ground(found):
            raise Unlike
        if unit.type is None or not alike(unit.type, found):
            unit.type = found
        name = unit.variable.name_hint
        unit.type_of, unit.is_new, unit.is_refuted = type_of, False, name in refused
        unit.straight = None if name in refused or name in unsteady else straight(unit, inference)
        unit.outline, unit.graph_values = None, {}
