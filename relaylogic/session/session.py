"""A program that is being edited: its text, what it was inferred to be, and what has been edited since."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import IllFormed, said, truth
from ..explain.report import infer_module
from ..host.governor import LimitReached, governed
from ..host.turns import Turns
from ..infer.checks.well_formed import check_well_formed
from ..infer.program import Inference
from ..infer.results.result import CallType, Problem, Result, unknown
from ..ir import Function, GlobalVar, IRModule, Source, Span, structural_equal
from ..ir.plain import plain
from ..rulebase import RuleBase
from ..rulebase.program import rule_base
from ..text.builder import Builder
from ..text.context import unquoted
from ..text.errors import ParseError
from ..text.lexer import tokenize
from ..text.parser import read
from ..text.tokens import Tokens
from .later import Later
from .outline import definitions
from .program import Program
from .reading import read_definition, reader_of
from .statements import Refused, Unlike

__all__ = ["Session"]

Where = Span | str | tuple[int, int] | tuple[tuple[int, int], tuple[int, int]]


class _Damage:
    """The stretch from `start` to `end` of a text that has become another, longer by `delta`; None if nothing has."""

    def __init__(self) -> None:
        self.start = self.end = self.delta = 0
        self.is_any = False

    def add(self, start: int, end: int, length: int) -> None:
        """What now stands from `start` to `end` becomes something of that length."""
        if not self.is_any:
            self.start, self.end, self.delta = start, end, length - (end - start)
        else:
            self.end = max(self.end + self.delta, end) - self.delta
            self.start = min(self.start, start)
            self.delta += length - (end - start)
        self.is_any = True


class Session:
    """A program that is edited and inferred in turn, as in an editor.

    >>> import relaylogic
    >>> session = relaylogic.Session("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }")
    >>> session.infer().functions["main"]
    fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]
    >>> session.edit(((1, 26), (1, 27)), "4")
    <text>:1:26-1:27
    >>> session.infer().functions["main"]
    fn (Tensor[(2, 4), float32]) -> Tensor[(2, 4), float32]

    `program` is a text, a module that was parsed from one, or one that was built; the last has no text, and is edited
    function by function. `closed` and `rules` are as for `infer`. The session keeps the program as it is given:
    what is done to the module afterwards it does not see. A text that is no program yet may become
    one. Raises IllFormed as `relaylogic.infer` does.

    What `infer` gives is what `relaylogic.infer` gives for the text as it is now, all of it: types, verdict, errors and
    their places. Only what depends on the edits is read and inferred again; a result works out the rest (`errors`,
    `module`, `type_of`, `why` ...), by a whole inference, when it is asked for. Results stay what they are when the
    program is edited further. If the rules change, all is inferred again. Threads may share a session: what they ask is
    done one after the other. A copy, and one that is pickled, has the program as it is now and is edited apart.
    """

    def __init__(self, program: IRModule | str, *, closed: bool = False, rules: RuleBase | None = None) -> None:
        if rules is not None:
            rule_base(rules)
        self._lock = Turns()
        self._closed = truth("closed", closed)
        self._rules = rules
        self._name: str | None = None
        self._text: str | None = None
        self._built: IRModule | None = None
        self._reader: Builder | None = None
        self._begun: tuple[Builder, Tokens] | None = None
        if isinstance(program, IRModule):
            check_well_formed(program)
            self._open(program)
        elif isinstance(program, str):
            self._text = program
        else:
            raise IllFormed(f"a program is an IRModule or Relay text, which {said(program)} is not")
        self._program: Program | None = None  # as it was inferred last
        self._edited = _Damage()  # what was edited since that
        self._redefined: dict[GlobalVar, Function | None] = {}
        self._result: Result | None = None  # the last one
        self._places: dict[str, tuple[int, int]] = {}  # of its functions that nothing has touched
        self._is_edited = False  # since that
        self._problem: ParseError | None = None
        self._changes = -1  # how often the rules had changed at the last inference

    def __reduce__(self) -> Any:
        with self._lock:
            program = self._text if self._built is None else self._built.shallow_copy()
            return _opened, (program, self._name, self._closed, self._rules)

    def _open(self, module: IRModule) -> None:
        """Take a module: by its text if that says all of it."""
        source = module.source
        if source is not None:
            try:
                begun = governed(lambda: read(source.text, source.name))
            except ParseError:  # the source need not be Relay text
                begun = None
            if begun is not None and structural_equal(begun[0].module, module):
                self._name, self._text, self._begun = source.name, source.text, begun
                return
        self._built = module.shallow_copy()
        self._reader = reader_of(self._built)

    @property
    def text(self) -> str | None:
        """The text as it is now; None for a program that was built."""
        return self._text

    @property
    def result(self) -> Result | None:
        """What `infer` found last; None if it has found nothing yet."""
        return self._result

    @property
    def module(self) -> IRModule | None:
        """The module of `result`."""
        return None if self._result is None else self._result.module

    @property
    def errors(self) -> list[Problem] | list[ParseError]:
        """What is wrong with the program, in the order of the text: why it is none, or what its types are refused for.

        As of the last `infer`. Raises LimitReached.
        """
        with self._lock:
            if self._problem is not None:
                return [self._problem]
            return [] if self._result is None else self._result.errors

    @property
    def functions(self) -> dict[str, Any]:
        """The types of the functions, by name, as of the last `infer` that found any.

        Where that was of another text (the text is no program now, or has been edited since), only those whose text has
        not been touched.
        """
        with self._lock:
            if self._result is None:
                return {}
            found = self._result.functions
            if self._text is None or not self._is_edited:
                return dict(found)
            return {name: found[name] for name in self._places if name in found}

    def edit(self, where: Where, text: str) -> Span | None:
        """Put `text` where something else stands now; the place of what has been put there (None without a text).

        `where` is a Span of the text as it is now, two offsets into it, two pairs of a line and a column (from 1, the
        second just behind what is replaced), or the name of a function: then the text is that of its definition, new
        for a name that has none, and nothing else to take it out. Whatever the text is, it is not looked at before
        `infer`; but a function of a program that was built is read here: then ParseError is raised. Raises ValueError
        for a place that is not in the text, IllFormed for what is no place or no text.
        """
        if not isinstance(text, str):
            raise IllFormed(f"what is put into a program is a text, which {said(text)} is not")
        with self._lock:
            if self._text is None:
                if not isinstance(where, str):
                    raise ValueError("a program that was built has no text: it is edited by the names of its functions")
                self._define(where, text)
                return None
            start, end = self._offsets(where)
            if isinstance(where, str) and start == end and text and start and self._text[start - 1] != "\n":
                text = f"\n{text}"  # a new definition begins a line
            self._text = f"{self._text[:start]}{text}{self._text[end:]}"
            self._edited.add(start, end, len(text))
            self._is_edited = True
            delta = len(text) - (end - start)
            self._places = {
                name: (begins + delta, ends + delta) if begins > end else (begins, ends)
                for name, (begins, ends) in self._places.items()
                if ends < start or begins > end
            }
            self._begun = None
            return Span(Source(self._text, self._name), start, start + len(text))

    def _offsets(self, where: Where) -> tuple[int, int]:
        text = self._text
        assert text is not None
        if isinstance(where, str):
            return self._definition(where)
        if isinstance(where, Span):
            if where.source.text != text:
                raise ValueError(f"the text has been edited since {where} was a place in it")
            start, end = where.start, where.end
        elif not isinstance(where, tuple) or len(where) != 2:
            raise IllFormed(f"a place is a Span, a pair or the name of a function, which {said(where)} is not")
        else:
            start, end = (self._offset(text, item) for item in where)
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"{said(where)} is no place in a text of {len(text)} characters")
        return start, end

    def _offset(self, text: str, item: Any) -> int:
        item = plain(item)
        if type(item) is int:
            return item
        if type(item) is not tuple or len(item) != 2 or any(type(part) is not int for part in item):
            raise IllFormed(f"a place in a text is an offset, or a line and a column, which {said(item)} is not")
        offset = Source(text).offset(*item)
        if offset is None:
            raise ValueError(f"line {item[0]}, column {item[1]} is no place in the text")
        return offset

    def _definition(self, name: str) -> tuple[int, int]:
        """Where a function is defined; behind the last definition for one that is not."""
        assert self._text is not None
        if self._program is not None and not self._edited.is_any:
            for unit in self._program.units:
                if unit.variable.name_hint == name:
                    return unit.start, unit.end
        last = len(self._text)
        try:
            tokens = tokenize(Source(self._text)).tokens
        except ParseError as problem:
            raise ValueError(f"where `@{name}` is defined is not known: {problem.message}") from None
        found, _ = definitions(tokens)
        for part in found:
            last = part[-1].end
            if unquoted(part[1]) == name:
                return part[0].start, last
        return last, last

    def _define(self, name: str, text: str) -> None:
        """Define a function of a program that was built."""
        built, reader = self._built, self._reader
        assert built is not None and reader is not None
        variable, function = read_definition(reader, built, name, text)
        built = built.shallow_copy()
        if function is not None and variable in built.functions:
            built.functions[variable] = function
        elif function is not None:
            built.add(variable, function)
        else:
            if variable not in built.functions:
                raise ValueError(f"there is no function `@{name}` to be taken out")
            built.discard(name)
        self._built = built
        self._redefined[variable] = function

    def infer(self) -> Result:
        """Infer the program as it is now, as `relaylogic.infer` does. Raises ParseError if it is none.

        Then `result` and `functions` stay as they were, but for what has been edited. If a limit is reached, the
        verdict is "unknown".
        """
        with self._lock:
            try:
                result = governed(self._inferred)
            except LimitReached as reached:
                result = unknown(reached)
            except ParseError as problem:
                self._problem = problem
                raise
            self._problem = None
            self._result, self._is_edited = result, False
            return result

    def _inferred(self) -> Result:
        changes = rule_base(self._rules).changes
        if changes != self._changes:  # what other rules have said is no more of use
            self._program = None
            result = self._anew()
            self._changes = changes
            return result
        if self._result is not None and not self._is_edited and not self._redefined and self._result.reached is None:
            return self._result
        program = self._program
        if program is not None:
            try:
                return self._updated(program)
            except Unlike:
                pass
            except Refused:
                self._places = dict(self._moved(program))
                return Later(self._whole(), {"verdict": "refuted", "limit": "", "reached": None})
            except BaseException:
                self._program = None  # it may have been stopped anywhere
                raise
        return self._anew()

    def _updated(self, program: Program) -> Result:
        """The result after the edits. Raises Unlike if that cannot be told from the last one, Refused."""
        if self._text is None:
            for variable, function in self._redefined.items():
                program.define(variable, function)
            self._redefined = {}
        else:
            edited = self._edited
            program.update(self._text, edited.start, edited.end)
            self._edited = _Damage()
            self._places = {u.variable.name_hint: (u.start, u.end) for u in program.units}
        known: dict[str, Any] = {"verdict": program.verdict, "limit": "", "reached": None}
        if program.verdict == "refuted":
            return Later(self._whole(), known)
        source = None if self._text is None else Source(self._text, self._name)
        version = program.version

        def calls() -> list[CallType] | None:
            with self._lock:
                return program.calls(source) if program.version == version else None

        return Later(self._whole(), {**known, "functions": program.functions()}, calls)

    def _moved(self, program: Program) -> Iterator[tuple[str, tuple[int, int]]]:
        """Where the functions stand that have not taken over the edits."""
        edited = self._edited
        for unit in program.units:
            places = [at + edited.delta if at >= edited.end else at for at in (unit.start, unit.end)]
            yield unit.variable.name_hint, (places[0], places[1])

    def _anew(self) -> Result:
        """The result of reading and inferring everything."""
        if self._program is not None and self._program.is_broken:
            self._program = None
        if self._built is not None:
            reader, found, module = self._reader, [], self._built.shallow_copy()
        else:
            assert self._text is not None
            reader, tokens = self._begun or read(self._text, self._name)
            self._begun = None
            found, module = definitions(tokens)[0], reader.module
            self._places = {unquoted(part[1]): (part[0].start, part[-1].end) for part in found}
            for variable, function in module.functions.items():  # an expression that stands alone is one, too
                span = function.span
                if variable.name_hint not in self._places and span is not None and span.source is reader.source:
                    self._places[variable.name_hint] = (span.start, span.end)
        assert reader is not None
        self._program = None
        made: list[Inference] = []
        result = infer_module(module, self._rules, self._closed, done=made.append)
        self._edited, self._redefined = _Damage(), {}
        if made and result.reached is None and result.verdict in ("typed", "refuted"):
            try:
                if self._built is None:
                    self._program = Program.read(reader, found, made[0], self._rules, self._closed)
                else:
                    self._program = Program.built(reader, made[0], self._rules, self._closed)
            except Unlike:
                pass
        return result

    def _whole(self) -> Any:
        """What infers the program as it is now, whatever it becomes."""
        text, name, built, rules, closed = self._text, self._name, self._built, self._rules, self._closed

        def whole() -> Result:
            def work() -> Result:
                module = (
                    built.shallow_copy() if text is None and built is not None else read(text or "", name)[0].module
                )
                return infer_module(module, rules, closed).whole()

            return governed(work)

        return whole


def _opened(program: IRModule | str, name: str | None, closed: bool, rules: RuleBase | None) -> Session:
    """The session that another one was copied to."""
    session = Session(program, closed=closed, rules=rules)
    session._name = name
    return session
