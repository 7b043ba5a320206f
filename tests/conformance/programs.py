"""Whole programs measured on TVM 0.14: where they are, how ours are compared with them, which may differ."""

from __future__ import annotations

import gzip
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import relaylogic
from relaylogic.text import ParseError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
_HOLE = re.compile(r"(?<![\w.])_(?![\w.])")


@cache
def lines(name: str) -> list[dict[str, Any]]:
    """The entries of data/NAME.jsonl.gz."""
    with gzip.open(HERE / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def networks() -> dict[str, dict[str, Any]]:
    """The networks by name, each with its text."""
    return {entry["name"]: entry for entry in lines("networks")}


def mutated(entry: dict[str, Any]) -> str:
    """The text of a network with the edit of a mutant."""
    text = networks()[entry["network"]]["text"].split("\n")
    edit = entry["edit"]
    text[edit["line"] - 1] = text[edit["line"] - 1].replace(edit["old"], edit["new"])
    return "\n".join(text)


def reasons(kind: str) -> list[dict[str, Any]]:
    """The `[[program]]` entries of deviations.toml for a kind of data."""
    with open(HERE / "deviations.toml", "rb") as file:
        return [entry for entry in tomllib.load(file).get("program", []) if entry["data"] == kind]


def same_type(measured: str, ours: str) -> bool:
    """Whether a type is the measured one; `_` in that stands for anything."""
    measured = re.sub(r"(\d)i64\b", r"\1", measured)
    if not _HOLE.search(measured):
        return measured == ours
    return re.fullmatch(_HOLE.sub(".+", re.escape(measured)), ours) is not None


@cache
def outcome(text: str) -> tuple[str, Any]:
    """Our verdict on a program, as TVM's closed types demand, with the result; `parse-error` with the error."""
    try:
        module = relaylogic.parse(text)
    except ParseError as error:
        return "parse-error", error
    result = relaylogic.infer(module, closed=True)
    return result.verdict, result


def difference(entry: dict[str, Any], text: str) -> str:
    """How our outcome differs from the measured one, or ""."""
    verdict, result = outcome(text)
    measured = entry["verdict"]
    if measured != "typed":
        accepted = {"refuted": ("refuted", "parse-error"), "incomplete": ("incomplete", "refuted", "unknown")}
        allowed = accepted.get(measured, ("parse-error", "refuted", "incomplete"))
        return "" if verdict in allowed else f"{measured}, ours {verdict}"
    if verdict != "typed":
        return f"typed, ours {verdict}"
    for name, type_ in entry.get("types", {}).items():
        if not same_type(type_, str(result.functions[name])):
            return f"@{name}: {type_}, ours {result.functions[name]}"
    calls = [(c.callee, str(c.type)) for c in result.calls if c.function == "main"]
    wanted = entry.get("calls")
    if wanted is None or ("types" in entry and "main" not in entry["types"]):
        return ""
    if len(calls) != len(wanted):
        return f"{len(wanted)} calls, ours {len(calls)}"
    for (callee, ours), (name, type_) in zip(calls, wanted, strict=True):
        if callee != name or not same_type(type_, ours):
            return f"{name}: {type_}, ours {callee}: {ours}"
    return ""


def listed_deviations(kind: str) -> dict[str, str]:
    """The reasons that deviations.toml gives for a kind of data, by the ids of what differs."""
    listed: dict[str, str] = {}
    for entry in reasons(kind):
        assert entry["reason"].endswith("."), "a reason is a sentence"
        listed.update(dict.fromkeys(entry["ids"], entry["reason"]))
    return listed


def check(kind: str, found: dict[str, str]) -> None:
    """Assert that the differences found, by id, are those that deviations.toml gives reasons for."""
    listed = listed_deviations(kind)
    unlisted = {name: what for name, what in found.items() if name not in listed}
    assert not unlisted, "\n".join(f"{name}: {what}" for name, what in list(unlisted.items())[:20])
    stale = [name for name in listed if name not in found]
    assert not stale, f"these agree with TVM, but are listed as deviations: {stale}"
