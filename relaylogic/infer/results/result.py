"""What inference says of a program."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, cast

from ...errors import RelayLogicError, said, several
from ...host.above import above
from ...host.governor import NAMES, LimitReached, governed, paced, written
from ...host.turns import Turns
from ...ir.publish import typed_nodes
from ...logic.terms.flat import Record
from ...types import show_type
from ...types.table import TypeTable
from .reasons import DerivationTable, Label, Why, place_of, spanned

if TYPE_CHECKING:
    from .steps import Step

__all__ = ["VERSION", "CallType", "Fix", "Label", "Places", "Problem", "Residue", "Result", "unknown"]

VERSION = 3
"""The form of `Result.to_dict`, which `relaylogic.schema` describes.

1 had neither `version` nor `related`, `conflicts` and `corrections`, 2 no `warnings`.
"""


_encoded = json.JSONEncoder(ensure_ascii=False).encode


def _json(found: dict[str, Any]) -> Iterator[str]:
    """An object in JSON, entry by entry: `json` would make all of it in one go, which no limit can stop."""
    before = "{"
    for name, value in found.items():
        yield f"{before}{_encoded(name)}: "
        if isinstance(value, list):
            yield f"[{', '.join(map(_encoded, paced(value)))}]"
        else:
            yield _encoded(value)
        before = ", "
    yield "}"


def _plain(term: Any, table: TypeTable) -> str | dict[str, str]:
    text, named = table.reference(term)
    return {"$ref": f"#/types/{text}"} if named else text


@dataclass(frozen=True, slots=True)
class CallType(Record):
    """The type of one call: the function that holds it, what it calls, its type, its place.

    `assumed` says that the call is refused, and that the type is the one that it would have if it were right.
    """

    function: str
    callee: str
    type: Any
    span: Any
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Places(Record):
    """Places of a program that belong together: a minimal conflict, or a minimal correction."""

    places: tuple[Label, ...]

    def to_dict(self) -> list[dict[str, Any]]:
        """The places as plain data, in the order of the text."""
        return [label.to_dict() for label in self.places]


@dataclass(frozen=True, slots=True)
class Fix(Record):
    """A stretch of the program's text, what should stand there instead, and that in words."""

    span: Any
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """Something that is wrong with the program: its place, the relation and clause that refused, and why.

    `malformed` says that it is wrong whatever the types are: an unknown operator, a wrong number of arguments.
    `related` are the other places of a minimal conflict, what is refused first: each could be wrong instead.
    `fixes` are replacements in the text; with each of them nothing of the program is refused but for other faults.
    """

    message: str
    span: Any
    relation: str = ""
    clause: str = ""
    function: str = ""
    hints: tuple[str, ...] = ()
    malformed: bool = False
    related: tuple[Label, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @property
    def line(self) -> int | None:
        """The line, counted from 1."""
        return place_of(self.span)[0]

    @property
    def col(self) -> int | None:
        """The column, counted from 1."""
        return place_of(self.span)[1]


@dataclass(frozen=True, slots=True)
class Residue(Record):
    """A call site that is not decided: its relation, its arguments as far as they are known, what they could be.

    `limit` names the limit that left it so. What a limit left of a whole program has no relation.
    """

    relation: str
    arguments: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...]
    span: Any
    limit: str = ""


class Recorded(Protocol):
    """An inference that was recorded."""

    def derivations(self) -> DerivationTable:
        """The derivations of all expressions."""

    def why(self, expr: Any, part: str, thorough: bool, patient: bool) -> Why:
        """Why an expression has its type, or a part of it."""

    def steps(self) -> Iterator[Step]:
        """Its steps, in order."""


class _Found:
    """Items that are worked out when they are asked for first, and kept; one after the other, whichever threads ask.

    `begin` gives them from the first on. It is asked again after a limit has stopped what it gave.
    """

    def __init__(self, begin: Callable[[], Iterable[Places]], lock: Turns) -> None:
        self.found: list[Places] = []
        self._begin = begin
        self._lock = lock
        self._items: Iterator[Places] | None = None

    def __iter__(self) -> Iterator[Places]:
        given = 0
        while given < len(self.found) or self._finds_more_than(given):
            yield self.found[given]
            given += 1

    def _finds_more_than(self, given: int) -> bool:
        with self._lock:
            if given == len(self.found):
                items, self._items = self._items, None  # what is stopped has ended
                if items is None:
                    items = islice(self._begin(), given, None)
                item = governed(lambda: next(items, None))
                self._items = items
                if item is None:
                    return False
                self.found.append(item)
            return True


class Result(Record):
    """The verdict on a program ("typed", "refuted", "incomplete" or "unknown") and all that was found.

    `functions` maps names to types; `calls` lists every call of every function in post-order, a shared one once.
    `limit` says which limit is why the verdict is "unknown", or is ""; the schema of the JSON lists them. If it
    is one of `relaylogic.limits`, `reached` has its value, and `functions` and `calls` are those of the functions that
    were done before. `module` is None if not even the text was read until then.
    A result can be pickled, with its module: it says the same elsewhere. What is lazy is worked out before, of the
    conflicts and corrections the first, and those that have been asked for. Threads may share a result: what is lazy
    is worked out for one after the other.
    """

    def __init__(
        self,
        verdict: str,
        functions: dict[str, Any],
        calls: Sequence[CallType],
        errors: Callable[[], list[Problem]] | list[Problem],
        residue: list[Residue],
        warnings: Sequence[tuple[Any, str]] = (),
        module: Any = None,
        lookup: Callable[[Any], Any] = lambda expr: None,
        assumed: Sequence[Any] = (),
        limit: str = "",
        reached: LimitReached | None = None,
        conflicts: Callable[[], Iterable[Places]] = tuple,
        corrections: Callable[[], Iterable[Places]] = tuple,
        again: Callable[[Any], Recorded] | None = None,
        recorded: Recorded | None = None,
    ) -> None:
        self.verdict = verdict
        self.functions = functions
        self.calls = calls
        self.residue = residue
        self.warnings = list(warnings)
        self.module = module
        self.lookup = lookup
        self._assumed = {id(expr): expr for expr in assumed}
        self.reached = reached
        self.limit = limit if reached is None else NAMES[reached.limit]
        self._errors = errors
        self._lock = Turns()
        self._conflicts = _Found(conflicts, self._lock)
        self._corrections = _Found(corrections, self._lock)
        self._again = again
        self._recorded = recorded
        self._trace: list[Step] | None = None

    @property
    def errors(self) -> list[Problem]:
        """What is wrong, in the order of the text; worked out the first time it is asked for. Raises LimitReached.

        What is wrong wherever it stands comes first, then what shows only when the refused calls are assumed to have
        the results that they would have if they were right.
        """
        if callable(self._errors):
            with self._lock:
                if callable(self._errors):
                    self._errors = governed(self._errors)
        return self._errors

    def whole(self) -> Result:
        """This result. Raises LimitReached if inference was stopped by one of `relaylogic.limits`."""
        if self.reached is not None:
            raise self.reached
        return self

    def conflicts(self) -> Iterator[Places]:
        """All minimal conflicts of a refuted program, each when it is asked for. May raise LimitReached.

        A conflict is a set of places that cannot hold together, while all of them but any one can: the rest of the
        program is left out. There may be very many; the first is found about as fast as a few inferences.
        """
        return iter(self._conflicts)

    def corrections(self) -> Iterator[Places]:
        """All minimal corrections of a refuted program, each when it is asked for.

        Without the places of a correction the rest of the program is not refuted; with any of them it is. The first is
        made of places that the errors blame, if they are all that is wrong; then small ones come first. May raise
        LimitReached.
        """
        return iter(self._corrections)

    @property
    def trace(self) -> list[Step]:
        """The steps of the inference in words, in order; worked out the first time it is asked for, by a second one.

        Of a refuted program these are the steps that refuted it; where a limit has stopped the inference, those until
        then, or about. May raise LimitReached.
        """
        with self._lock:
            if self._trace is None:
                recorded = self._asked()
                self._trace = [] if recorded is None else governed(lambda: list(recorded.steps()))
            return self._trace

    def derivations(self) -> DerivationTable:
        """Why each expression has its type: a table of derivations, whose `of(expr)` is the node of an expression.

        It is worked out anew each time. Raises LimitReached.
        """
        with self._lock:
            recorded = self._asked()
            return DerivationTable() if recorded is None else governed(recorded.derivations)

    def why(self, expr: Any, part: str = "", *, patient: bool = False, thorough: bool = False) -> Why:
        """Why an expression of the program has its type: its derivation, and the fewest places that force it.

        `part` asks for a part of the type: `shape[1]`, `dtype`, `rank`, `.0.shape` of a tuple, `args[0]` and `result`
        of a function. An answer about a network takes about as long as its inference at most; where it depends on what
        later calls tell of a type, and for its derivation, one more inference is recorded. A `patient` one takes some
        tenths of a second for fewer places, as the command does. A `thorough` one takes as long as it takes, up to a
        minute: then a minimal set is found for a network, too, and mostly a smallest one.
        Raises RelayLogicError if the expression has no type, or that has no such part; LimitReached.
        """
        if not isinstance(part, str):
            raise RelayLogicError(f"a part of a type is asked for by a text, which {said(part)} is not")
        with self._lock:
            recorded = self._asked()
            if recorded is None:
                raise RelayLogicError("inference has met no expression")
            return governed(lambda: recorded.why(expr, part, thorough, patient))

    def _asked(self) -> Recorded | None:
        """The inference, recorded; None if there was none."""
        again = self._again
        if self._recorded is None and again is not None:
            self._recorded = governed(lambda: again(self.module))
        return self._recorded

    def type_of(self, expr: Any) -> Any:
        """The type of an expression of the program, or None if inference did not meet it."""
        return self.lookup(expr)

    def is_assumed(self, expr: Any) -> bool:
        """Whether the type of an expression is that of a refused call as it would be if the call were right.

        So it is of such a call and of a variable that is bound to it; not of what is concluded from it.
        """
        return id(expr) in self._assumed

    def _parts(self) -> tuple[Any, ...]:
        said = (self.verdict, self.functions, list(self.calls), self.errors, self.residue, self.warnings, self.module)
        roots = [] if self.module is None else self.module.functions.values()
        types = list(typed_nodes(roots, self.lookup))
        for lazy in (self._conflicts, self._corrections):
            next(iter(lazy), None)
        found = (self._conflicts.found, self._corrections.found)
        return (*said, types, list(self._assumed.values()), self.limit, self.reached, *found, self._again)

    @classmethod
    def _of_parts(cls, parts: tuple[Any, ...]) -> Result:
        verdict, functions, calls, errors, residue, warnings, module, types, assumed, *left = parts
        limit, reached, conflicts, corrections, again = left
        # The nodes are held with their types, so that no other node has their ids.
        known = {id(node): (node, type_) for node, type_ in types}

        def lookup(expr: Any) -> Any:
            return known.get(id(expr), (None, None))[1]

        return cls(
            *(verdict, functions, calls, errors, residue, warnings, module, lookup, assumed, limit, reached),
            conflicts=lambda: conflicts,
            corrections=lambda: corrections,
            again=again,
        )

    def __repr__(self) -> str:
        return written(self._shown)

    def _shown(self) -> str:
        counted = f"{several(len(self.functions), 'function')}, {several(len(self.calls), 'call')}"
        lines = [f"<{self.verdict}: {counted}>"]
        lines += [f"  @{name}: {show_type(type_)}" for name, type_ in list(self.functions.items())[:20]]
        for error in self.errors[:20]:
            where = "" if error.line is None else f"line {error.line}: "
            lines.append(f"  {where}{error.message}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return cast(str, above("result as HTML")(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return cast("dict[str, str]", above("result in a notebook")(self))

    def to_dict(self, file: str | None = None, most: int = 1) -> dict[str, Any]:
        """The result as plain data, with types in Relay's text; `most` conflicts and corrections at most.

        A type that would be very long is `{"$ref": "#/types/T1"}`: its text stands under that name in `types`, which is
        there only if needed, and may speak of further names there. `warnings` are there if there are any, `limit` if a
        limit is why the verdict is "unknown". Raises LimitReached, and ValueError if `most` is no natural number.
        """
        if type(most) is not int or most < 0:
            raise ValueError(f"`most` is a natural number, which {said(most)} is not")
        table = TypeTable([*(call.type for call in self.calls), *self.functions.values()])
        errors = []
        for error in self.errors:
            told = {"relation": error.relation, "clause": error.clause, "message": error.message}
            related = [label.to_dict() for label in error.related]
            errors.append({**spanned(error.span), **told, "hints": list(error.hints), "related": related})
        calls = []
        for call in paced(self.calls):
            line, col, _, _ = place_of(call.span)
            entry = {"function": call.function, "callee": call.callee, "type": _plain(call.type, table)}
            calls.append({**entry, "line": line, "col": col, **({"assumed": True} if call.assumed else {})})
        residue = []
        for item in self.residue:
            line, col, _, _ = place_of(item.span)
            residue.append(
                {
                    "line": line,
                    "col": col,
                    "relation": item.relation,
                    "arguments": list(item.arguments),
                    "alternatives": [list(a) for a in item.alternatives],
                    **({"limit": item.limit} if item.limit else {}),
                }
            )
        most = min(most, sys.maxsize)
        name = file if file is not None else getattr(getattr(self.module, "source", None), "name", None)
        found = {
            "version": VERSION,
            "file": name,
            "verdict": self.verdict,
            "functions": {name: _plain(type_, table) for name, type_ in self.functions.items()},
            "calls": calls,
            "errors": errors,
            "residue": residue,
        }
        if self.verdict == "refuted":
            found["conflicts"] = [conflict.to_dict() for conflict in islice(self.conflicts(), most)]
            found["corrections"] = [correction.to_dict() for correction in islice(self.corrections(), most)]
        if self.warnings:
            found["warnings"] = [Label(span, message).to_dict() for span, message in paced(self.warnings)]
        if self.limit:
            found["limit"] = self.limit
        return {**found, "types": table.definitions} if table.definitions else found

    def to_json(self, file: str | None = None, most: int = 1) -> str:
        """`to_dict` as one line of JSON. Raises what that raises."""
        return written(lambda: "".join(_json(self.to_dict(file, most))))


def unknown(
    reached: LimitReached,
    module: Any = None,
    functions: dict[str, Any] | None = None,
    calls: list[CallType] | None = None,
    again: Callable[[Any], Recorded] | None = None,
    recorded: Recorded | None = None,
) -> Result:
    """The result of an inference that a limit has stopped, with what was found until then."""
    left = Residue("", (), (), None, NAMES[reached.limit])
    found, made = functions or {}, calls or []
    return Result("unknown", found, made, [], [left], module=module, reached=reached, again=again, recorded=recorded)
