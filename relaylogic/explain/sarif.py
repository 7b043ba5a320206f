"""What inference says of programs as one SARIF log, for tools that review code.

SARIF 2.1.0 is the Static Analysis Results Interchange Format of OASIS; section numbers below are those of its text.
Lines and columns count from 1, columns in Unicode code points (`columnKind`). A rule of the log is a clause of a
relation, `Broadcast/tensors`, or a relation; what is wrong whatever the types are, warnings and what is left open have
rules of their own. Places in an ONNX model are its nodes, which have no lines.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..errors import RelayLogicError, several
from ..host.governor import LimitReached, paced
from ..host.version import VERSION
from ..infer.results.result import Label, Problem, Residue, Result
from .render import MOST_RELATED
from .sarif_rules import Descriptors

if TYPE_CHECKING:
    from ..rulebase import RuleBase

__all__ = ["SarifLog"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
_ENDINGS = {
    0: "everything is typed",
    1: "something is refuted",
    2: "something is no program, or cannot be read",
    3: "something is incomplete, or a limit was reached",
    70: "relaylogic itself went wrong",
}


class SarifLog:
    """A log of one run over several files. `rules` is where relations and clauses are described."""

    def __init__(self, rules: RuleBase | None = None) -> None:
        self._rules = Descriptors(rules)
        self._artifacts: list[dict[str, Any]] = []
        self._numbers: dict[str, int] = {}  # of the artifacts, by their addresses
        self._results: list[dict[str, Any]] = []
        self._notifications: list[dict[str, Any]] = []
        self._is_complete = True

    def add(self, name: str, result: Result) -> None:
        """Add what was found in a file. Raises LimitReached, and then has added nothing."""
        file = self._file(name)
        found = [self._warning(file, place, message) for place, message in result.warnings]
        found += [self._error(file, problem) for problem in paced(result.errors)]
        residue = [item for item in result.residue if item.relation or item.span is not None]
        found += [self._residue(file, item) for item in paced(residue)]
        self._keep(file)
        self._results += found
        if result.reached is not None:
            self._notify("relaylogic.limit", "error", f"{result.reached.message}; {result.reached.help}", file)
        elif result.limit:
            self._notify("relaylogic.limit", "warning", f"the verdict is unknown: {result.limit}", file)

    def fail(self, name: str, problem: Exception) -> None:
        """Add that a file is no program, or cannot be read, or that relaylogic itself went wrong at it."""
        file = self._file(name)
        self._keep(file)
        if isinstance(problem, LimitReached):
            self._notify("relaylogic.limit", "error", f"{problem.message}; {problem.help}", file)
        elif isinstance(problem, RelayLogicError):
            wrong = Problem(problem.message, problem.span, hints=problem.hints, malformed=True)
            self._results.append(self._error(file, wrong))
        elif hasattr(problem, "exit_code"):  # of the command line: it cannot be read
            self._notify("relaylogic.unreadable", "error", str(getattr(problem, "reason", problem)), file)
        else:
            self._notify("relaylogic.internal", "error", f"{type(problem).__name__}: {problem}"[:500], file)

    def to_dict(self, exit_code: int) -> dict[str, Any]:
        """The log, as plain data."""
        driver = {
            "name": "relaylogic",
            "version": VERSION,
            "semanticVersion": VERSION,
            "rules": self._rules.rules,
            "notifications": self._rules.notifications,
        }
        invocation: dict[str, Any] = {
            "executionSuccessful": self._is_complete,
            "exitCode": exit_code,
            "exitCodeDescription": _ENDINGS[exit_code],
            "toolExecutionNotifications": self._notifications,
        }
        run: dict[str, Any] = {"tool": {"driver": driver}, "invocations": [invocation]}
        here = _directory()
        if here is not None:
            invocation["workingDirectory"] = {"uri": here}
            run["originalUriBaseIds"] = {BASE: {"uri": here, "description": _message("The working directory.")}}
        run |= {"columnKind": "unicodeCodePoints", "newlineSequences": ["\r\n", "\n", "\r"]}
        run |= {"artifacts": self._artifacts, "results": self._results}
        return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}

    def to_json(self, exit_code: int) -> str:
        """The log as text, in ASCII."""
        return json.dumps(self.to_dict(exit_code), indent=2)

    def _file(self, name: str) -> _File:
        """A file with its number: it has one, whatever the names under which it is given."""
        address = _address(name)
        return _File(name, address, self._numbers.get(address["uri"], len(self._artifacts)))

    def _keep(self, file: _File) -> None:
        """Enter a file among the artifacts, of which no two are the same (3.14.15)."""
        if file.index == len(self._artifacts):
            self._artifacts.append(file.artifact())
            self._numbers[file.address["uri"]] = file.index

    def _error(self, file: _File, problem: Problem) -> dict[str, Any]:
        rule = "relaylogic.malformed" if problem.malformed else problem.relation or "relaylogic.refused"
        found = self._result(file, rule, problem.clause, "error", problem.span, problem.function)
        related = _related(file, problem.related)
        if related:
            found["relatedLocations"] = related
        found["message"] = {"text": _error_text(problem)}
        if problem.fixes:
            found["fixes"] = [file.fix(fix) for fix in problem.fixes]
        return found

    def _warning(self, file: _File, span: Any, message: str) -> dict[str, Any]:
        found = self._result(file, "relaylogic.warning", "", "warning", span)
        return {**found, "message": _message(message)}

    def _residue(self, file: _File, item: Residue) -> dict[str, Any]:
        found = self._result(file, item.relation or "relaylogic.undecided", "", "note", item.span)
        arguments = f"({', '.join(item.arguments)})" if item.arguments else ""
        text = f"not decided: {item.relation or 'the rest of the program'}{arguments}"
        text += f" (unknown: {item.limit})" if item.limit else ""
        could = "; ".join(f"{item.relation}({', '.join(alternative)})" for alternative in item.alternatives)
        return {**found, "message": _message(f"{text}. It could be {could}." if could else f"{text}.")}

    def _result(
        self, file: _File, relation: str, clause: str, level: str, span: Any, function: str = ""
    ) -> dict[str, Any]:
        index, identity = self._rules.rule(relation, clause)
        return {
            "ruleId": identity,
            "ruleIndex": index,
            "level": level,
            "message": {},  # it stands here for people who read the log
            "locations": [file.location(span, function)],
        }

    def _notify(self, what: str, level: str, message: str, file: _File) -> None:
        index, identity = self._rules.notification(what)
        self._is_complete = self._is_complete and level != "error"
        self._notifications.append(
            {
                "descriptor": {"id": identity, "index": index},
                "level": level,
                "message": _message(message),
                "locations": [file.location(None, "")],
            }
        )


class _File:
    """One of the files, with its number in the log."""

    def __init__(self, name: str, address: dict[str, str], index: int) -> None:
        self.name = name
        self.address = address
        self.index = index
        self.is_text = not name.endswith(".onnx")

    def artifact(self) -> dict[str, Any]:
        roles = ["analysisTarget", *(["standardStream"] if self.name == "<stdin>" else [])]
        found: dict[str, Any] = {"location": self.address, "roles": roles}
        if self.is_text:
            found |= {"encoding": "utf-8", "sourceLanguage": "relay"}
        return found

    def location(self, span: Any, function: str) -> dict[str, Any]:
        """A place in the file; what is in the prelude has no place in any file, and is named."""
        found: dict[str, Any] = {}
        if span is None or span.file == self.name:
            found["physicalLocation"] = {"artifactLocation": {**self.address, "index": self.index}}
            if span is not None and self.is_text:
                found["physicalLocation"]["region"] = _region(span)
            elif span is not None:
                found["message"] = _message(span.text)
        else:
            found["message"] = _message(f"{span.file}:{span.line}:{span.column}")
        if function:
            named = {"name": function, "fullyQualifiedName": f"@{function}", "kind": "function"}
            found["logicalLocations"] = [named]
        return found

    def fix(self, fix: Any) -> dict[str, Any]:
        replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}}
        change = {"artifactLocation": {**self.address, "index": self.index}, "replacements": [replacement]}
        return {"description": _message(fix.message), "artifactChanges": [change]}


def _region(span: Any) -> dict[str, int]:
    """A stretch of a text; the end is the column behind the last character, here as there (3.30.8)."""
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _related(file: _File, labels: Sequence[Label]) -> list[dict[str, Any]]:
    found = []
    for number, label in enumerate(labels, 1):
        place = file.location(label.span, "")
        found.append({"id": number, **place, "message": _message(label.message)})
    return found


def _error_text(problem: Problem) -> str:
    """An error with links to the related places (3.11.6), in one paragraph."""
    sentences = [_plain(problem.message)]
    if problem.related:
        links = [f"[{_linked(label.message)}]({i})" for i, label in enumerate(problem.related[:MOST_RELATED], 1)]
        left = len(problem.related) - len(links)
        links += [several(left, "more place")] if left else []
        sentences.append(f"It contradicts: {'; '.join(links)}")
    sentences += [f"Help: {_plain(hint)}" for hint in problem.hints]
    return ". ".join(sentence.rstrip(".") for sentence in sentences) + "."


def _message(text: str) -> dict[str, str]:
    return {"text": _plain(text)}


def _plain(text: str) -> str:
    """A text in which nothing is taken for a placeholder (3.11.5) or for a link (3.11.6)."""
    return _braces(text).replace("](", "] (")


def _linked(text: str) -> str:
    """A text as the words of a link."""
    return re.sub(r"([\\\[\]])", r"\\\1", _braces(text))


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _directory() -> str | None:
    """The working directory as a URI; None if there is none."""
    try:
        return f"{Path.cwd().as_uri().rstrip('/')}/"
    except OSError:
        return None


def _address(name: str) -> dict[str, Any]:
    """Where a file is: relative to the working directory if it is below it (3.4)."""
    if name == "<stdin>":
        return {"uri": quote(name), "description": _message("Standard input.")}
    path = Path(name)
    if ".." in path.parts:
        path = Path(os.path.realpath(path))
    try:
        here = Path.cwd()
    except OSError:
        return {"uri": quote(os.fsencode(path.as_posix()))}
    whole = here / path
    if whole.is_relative_to(here):
        return {"uri": quote(os.fsencode(whole.relative_to(here).as_posix())), "uriBaseId": BASE}
    return {"uri": whole.as_uri()}
