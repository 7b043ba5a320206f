"""The page: what there is to tell of a result, put into the template."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from itertools import islice
from typing import Any, TypeVar

from markupsafe import Markup

from ..errors import RelayLogicError
from ..host.governor import LimitReached, governed, limits, written
from ..host.version import VERSION
from ..infer.results.result import Label, Places, Problem, Residue, Result
from ..ir import Function, IRModule, Source
from .data import Strings, as_script, node_rows, step_rows
from .graph import call_graph, drawn_graph
from .marks import Mark, marks_of
from .program import Element, drawn
from .texts import LeftOut, clean, cut, shown_type

__all__ = ["report_page"]

Made = TypeVar("Made")

LONGEST_PROGRAM = 400_000
MOST_MARKS = 20_000
MOST_CONFLICTS = 3
FEW_CALLS = 60
"""In a program of more calls only the first conflict and the first correction are looked for."""
FURTHER = 20_000
"""Further ones are looked for in so many steps, a second or two: where many things do not go together, a correction has
one of each two of them."""


def report_page(result: Result, name: str, infer: Callable[[IRModule], Result]) -> str:
    """A page of HTML on a result: all of it in one text, without anything that a browser would fetch.

    `name` is the program's, `infer` infers a module in the same way: a program without a text is printed, read and
    inferred again. Raises LimitReached; what a limit has kept from being worked out is said on the page.
    """
    return written(lambda: _Page(result, name, infer).html())


class _Page:
    """What the template asks for."""

    def __init__(self, result: Result, name: str, infer: Callable[[IRModule], Result]) -> None:
        self.left_out = LeftOut()
        self.name = clean(name)
        self.was_printed = False
        self.result = self._with_text(result, infer)
        source = getattr(self.result.module, "source", None)
        self.source = source if isinstance(source, Source) else Source("", name)
        end = self.source.text.find("#[metadata]")
        self.end = len(self.source.text) if end < 0 else end
        if end >= 0:
            self.left_out.say("The metadata section of the program.")
        if self.end > LONGEST_PROGRAM:
            self.left_out.say(f"Of {self.end:,} characters of the program, {LONGEST_PROGRAM:,} are shown.")
            self.end = LONGEST_PROGRAM
        self.elements: list[Element] = []
        self._placed: dict[tuple[int, int], str] = {}  # the ids of those that places have, by their stretches
        self.strings = Strings(self.left_out)
        has_program = self.result.module is not None
        found = marks_of(self.result, self.source, self.end) if has_program else iter(())
        self.marks: list[Mark] = list(islice(found, MOST_MARKS + 1))
        if len(self.marks) > MOST_MARKS:
            self.left_out.say(f"The first {MOST_MARKS:,} expressions can be pointed at.")
            self.marks.pop()
        self.numbers = {(mark.span.start, mark.span.end): i for i, mark in reversed(list(enumerate(self.marks)))}
        self._by_node = {id(mark.node): i for i, mark in reversed(list(enumerate(self.marks)))}

    def _with_text(self, result: Result, infer: Callable[[IRModule], Result]) -> Result:
        from ..text import astext, parse

        module = result.module
        if module is None or _has_text(module):
            return result
        try:
            printed = infer(parse(astext(module), self.name))
        except (RelayLogicError, ValueError) as problem:
            self.left_out.say(f"The program has no text that could be read again: {clean(str(problem))[:300]}")
            return result
        self.was_printed = True
        return printed

    def html(self) -> str:
        """The page as text."""
        from jinja2 import Environment, StrictUndefined

        folder = files(__package__).joinpath("assets")
        names = ("page.html", "page.css", "page.js")
        text = {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        told = self._told()
        return environment.from_string(text["page.html"]).render(
            **told,
            css=Markup(text["page.css"]),
            js=Markup(text["page.js"]),
            css_hash=_hash(text["page.css"]),
            js_hash=_hash(text["page.js"]),
        )

    def _told(self) -> dict[str, Any]:
        result = self.result
        none: list[Problem] = []
        problems = self._asked(lambda: result.errors, none)
        for i, problem in enumerate(problems, 1):  # before places that they are related to
            self._place(f"error{i}-0", "primary", problem.span)
        errors = [self._error(i, error) for i, error in enumerate(problems, 1)]
        conflicts = self._conflicts()
        residue = [self._residue(i, item) for i, item in enumerate(result.residue, 1)]
        warnings = [
            {"message": cut(message, self.left_out), "place": self._place(f"warning{i}", "doubtful", span)}
            for i, (span, message) in enumerate(result.warnings, 1)
        ]
        data = self._data()
        self.elements += [self._element(i, mark) for i, mark in enumerate(self.marks)]
        shown = self.source.text[: self.end]
        graph = None if result.module is None else call_graph(result.module, self._is_own, self.left_out)
        return {
            "name": self.name,
            "version": VERSION,
            "verdict": result.verdict,
            "limit": result.limit,
            "reached": None if result.reached is None else clean(result.reached.message),
            "was_printed": self.was_printed,
            "calls": len(result.calls),
            "functions": [(clean(f"@{n}"), shown_type(t, self.left_out)) for n, t in result.functions.items()][:50],
            "more_functions": max(0, len(result.functions) - 50),
            "errors": errors,
            **conflicts,
            "residue": residue,
            "warnings": warnings,
            "program": drawn(shown, self.elements, self.left_out),
            "lines": range(1, shown.rstrip("\n").count("\n") + 2),
            "graph": None if graph is None or not graph.nodes else drawn_graph(graph, self._address),
            "operators": [] if graph is None else [(clean(n), count) for n, count in graph.operators],
            "steps": len(data["steps"]),
            "data": Markup(as_script(data)),
            "left_out": list(self.left_out),
        }

    def _asked(self, work: Callable[[], Made], otherwise: Made) -> Made:
        """What `work` gives; if a limit keeps it from that, what is had `otherwise`, which is said."""

        def told(reached: LimitReached) -> Made:
            self.left_out.say(f"What would have taken longer: {reached.message}.")
            return otherwise

        return governed(work, told)

    def _is_own(self, function: Function) -> bool:
        return self.result.module.source is None or (function.span is not None and function.span.source is self.source)

    def _address(self, name: str) -> str | None:
        """Where in the page the function of a name stands."""
        for variable, function in self.result.module.functions.items():
            if f"@{variable.name_hint}" == name and id(function) in self._by_node:
                return f"#e{self._by_node[id(function)]}"
        return None

    def _element(self, number: int, mark: Mark) -> Element:
        kind = "e assumed" if self.result.is_assumed(mark.node) else "e"
        return Element(mark.start, mark.end, f"e{number}", kind, 1, (("tabindex", "0"), ("data-e", str(number))))

    def _data(self) -> dict[str, Any]:
        result, strings = self.result, self.strings
        table = None if result.module is None else self._asked(result.derivations, None)
        nodes = [] if table is None else node_rows(table.nodes, strings, self.numbers)
        steps: Sequence[Any] = () if result.module is None else self._asked(lambda: result.trace, ())
        rows = step_rows(steps, len(steps), strings, self.numbers)
        marks = []
        for mark in self.marks:
            found = None if table is None else table.of(mark.node)
            node = -1 if found is None or found.id >= len(nodes) else found.id
            type_ = shown_type(result.type_of(mark.node), self.left_out)
            if result.is_assumed(mark.node):
                type_ += " (assumed: the call is refused)"
            line, column = self.source.position(mark.start)
            marks.append([strings(mark.name), strings(type_), node, line, column])
        return {"texts": strings.texts, "lists": strings.lists, "marks": marks, "nodes": nodes, "steps": rows}

    # What is wrong, and what is open

    def _error(self, number: int, error: Problem) -> dict[str, Any]:
        related = [self._label(f"error{number}-{i}", "secondary", label) for i, label in enumerate(error.related, 1)]
        return {
            "id": f"error{number}",
            "message": cut(error.message, self.left_out),
            "place": self._place(f"error{number}-0", "primary", error.span),
            "function": clean(error.function),
            "related": related,
            "hints": [cut(hint, self.left_out) for hint in error.hints],
            "fixes": [cut(fix.message, self.left_out) for fix in error.fixes],
        }

    def _conflicts(self) -> dict[str, Any]:
        """The first conflicts and corrections, and whether there are more."""
        found: dict[str, Any] = {}
        most = MOST_CONFLICTS if len(self.result.calls) <= FEW_CALLS else 1
        is_refuted = self.result.verdict == "refuted"
        for what, items in (("conflicts", self.result.conflicts), ("corrections", self.result.corrections)):
            listed: list[Places] = []
            if is_refuted:
                self._asked(partial(_collect, items, 1, listed), None)
            is_cut = is_refuted and (most == 1 or not self._has_all(items, most + 1, listed))
            found[what] = [
                [self._label(f"{what}{n}-{i}", "conflict", label) for i, label in enumerate(item.places, 1)]
                for n, item in enumerate(listed[:most], 1)
            ]
            found[f"more_{what}"] = is_cut or len(listed) > most
        return found

    def _has_all(self, items: Callable[[], Any], most: int, listed: list[Places]) -> bool:
        """List further ones than the first, as far as that takes no more than some steps; whether it does not."""

        def told(reached: LimitReached) -> bool:
            if (reached.limit, reached.value) != ("steps", FURTHER):
                self.left_out.say(f"What would have taken longer: {reached.message}.")
            return False

        def collected() -> bool:
            listed.clear()
            _collect(items, most, listed)
            return True

        with limits(steps=FURTHER):
            return governed(collected, told)

    def _residue(self, number: int, item: Residue) -> dict[str, Any]:
        arguments = f"({', '.join(item.arguments)})" if item.arguments else ""
        return {
            "message": cut(f"{item.relation or 'the rest of the program'}{arguments}", self.left_out),
            "limit": item.limit,
            "place": self._place(f"open{number}", "undecided", item.span),
            "alternatives": [cut(f"{item.relation}({', '.join(a)})", self.left_out) for a in item.alternatives],
        }

    def _label(self, identity: str, kind: str, label: Label) -> dict[str, Any]:
        return {"message": cut(label.message, self.left_out), "place": self._place(identity, kind, label.span)}

    def _place(self, identity: str, kind: str, span: Any) -> dict[str, Any] | None:
        """A place, with the id of its element in the program; that is drawn once, whoever speaks of it."""
        if span is None:
            return None
        text = f"{span.line}:{span.column}"
        if span.source is not self.source:
            return {"text": clean(f"{span.file}:{text}"), "id": None}
        if not span.start < span.end <= self.end:
            return {"text": text, "id": None}
        stretch = (span.start, span.end)
        if stretch not in self._placed:
            self._placed[stretch] = identity
            self.elements.append(Element(*stretch, identity, kind, 0, (("tabindex", "-1"),)))
        return {"text": text, "id": self._placed[stretch]}


def _has_text(module: IRModule) -> bool:
    """Whether a module was read from a text in Relay; what stands for a model's text is a listing of its nodes."""
    source = module.source
    spans = [f.span for f in module.functions.values() if f.span is not None and f.span.source is source]
    return isinstance(source, Source) and all(span.text.startswith(("def", "fn")) for span in spans) and bool(spans)


def _collect(items: Callable[[], Any], most: int, found: list[Any]) -> None:
    found.extend(islice(items(), most))


def _hash(text: str) -> str:
    """What a policy of content security calls a script or a style of this text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
