"""The measured facts of TVM 0.14, what the rule base says of them, and the list of deviations.

`data/` holds facts about another system: `facts.jsonl.gz`, a call site per line; `noted.jsonl.gz`, call sites that the
notes on the measurements quote and the sample lacks (an attribute that is not quoted is the one that most facts of the
operator carry); `operators.jsonl.gz`, a signature per line.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from unification import Var

from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.control import DRAWN
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.rulebase import AttributeProblem, default_rules
from relaylogic.text import parse, parse_type
from relaylogic.types import TupleType, scalar_type, show_type
from tests.conformance import conditions

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
OUT_OF_SCOPE = re.compile(r"contrib\.ethosu\..*|debug|parser\.MetaRef")

Fact = dict[str, Any]


def lines(name: str) -> list[Fact]:
    """The records of a data file whose operator is in scope."""
    with gzip.open(HERE / "data" / f"{name}.jsonl.gz", "rt") as file:
        return [record for record in map(json.loads, file) if not OUT_OF_SCOPE.fullmatch(record["op"])]


@cache
def facts() -> dict[str, list[Fact]]:
    """The facts of each operator."""
    grouped: dict[str, list[Fact]] = {}
    for fact in (*lines("facts"), *lines("noted")):
        grouped.setdefault(fact["op"], []).append(fact)
    return grouped


@cache
def signatures() -> dict[str, Fact]:
    """The registered signature of each operator."""
    return {record["op"]: record for record in lines("operators")}


def without_expressions(text: str) -> str:
    """A type with `?` for each extent that TVM prints as an expression over `?`."""
    return re.sub(r"meta\[tir\.\w+\]\[\d+\]", "?", text)


def without_widths(text: str) -> str:
    """A type without the widths of its extents: `3i64` is 3."""
    return re.sub(r"(\d)i64\b", r"\1", without_expressions(text))


def shown(type_: Any) -> str:
    """A type as TVM prints it: the dtype void prints as nothing, and so does a scalar of it."""
    return re.sub(r"\bvoid\b", "", show_type(type_))


@cache
def known_type(text: str) -> Any:
    """A type without holes; `Storage` is the algebraic data type that core.rly declares."""
    if not text:
        return scalar_type("")
    if "Storage" not in text:
        return parse_type(text)
    module = parse(f"type Storage {{ }}\ndef @main(%x: {text}) {{ %x }}")
    return module["main"].params[0].type_annotation


@dataclass(frozen=True)
class Outcome:
    """What the rule base says of a call: "typed", "incomplete" or "refused"; the types of its arguments and result."""

    verdict: str
    inputs: tuple[str, ...] = ()
    out: str = ""

    def __str__(self) -> str:
        return self.verdict if self.verdict == "refused" else f"{self.verdict}: {', '.join(self.inputs)} -> {self.out}"


REFUSED = Outcome("refused")


def ask(fact: Fact) -> Outcome:
    """What the rule base says of the call of a fact."""
    rules = default_rules()
    op = rules.operators.get(fact["op"])
    if op is None or not (op.variadic or len(fact["in"]) == len(op.inputs)):
        return REFUSED
    try:
        attrs = op.attrs(fact["attrs"])
    except AttributeProblem:
        return REFUSED
    given = tuple(Var() if text == "_" else known_type(without_widths(text)) for text in fact["in"])
    arguments = (TupleType(given),) if op.variadic else given
    solution = solve_site(rules, op.relation, canonical((*arguments, Var()), {}), attrs, DRAWN)
    if not solution.answers and solution.exhausted:
        return REFUSED
    if solution.general is None:
        return Outcome("incomplete")
    *found, out = solution.general
    found = found[0].fields if op.variadic else found
    inputs, result = tuple(map(shown, found)), shown(out)
    decided = solution.exhausted and len(solution.answers) == 1 and not solution.answers[0].residue
    known = decided and not any(_open(text) for text in (*inputs, result))
    return Outcome("typed" if known else "incomplete", inputs, result)


def _open(text: str) -> bool:
    return re.search(r"(?<!\w)_(?!\w)", text) is not None


def same(fact: Fact, ours: Outcome) -> bool:
    """Whether TVM and the rule base say the same: both refuse (or leave open), or both find the same types.

    Of the arguments, those without annotation count: TVM also forgets extents of annotations that meet a `?`.
    """
    if "error" in fact:
        return ours.verdict != "typed"
    after = fact.get("in_after") or fact.get("params_after") or fact["in"]
    return (
        ours.verdict == "typed"
        and ours.out == without_widths(fact.get("out_any", fact["out"]))
        and all(
            given != "_" or without_widths(theirs) == found
            for given, theirs, found in zip(fact["in"], after, ours.inputs, strict=True)
        )
    )


@cache
def compared(name: str) -> list[tuple[Fact, Outcome, bool]]:
    """The facts of an operator, what the rule base says of each, and whether that is the same."""
    return [(fact, ours, same(fact, ours)) for fact in facts()[name] for ours in [ask(fact)]]


@dataclass(frozen=True)
class Deviation:
    """An entry of deviations.toml."""

    operators: tuple[str, ...]
    condition: str
    when: CodeType
    reason: str

    def covers(self, fact: Fact) -> bool:
        """Whether the entry speaks of the fact."""
        if fact["op"] not in self.operators:
            return False
        names = {
            "op": fact["op"],
            "attrs": plain(fact["attrs"] or {}),
            "ins": fact["in"],
            "out": None if "error" in fact else without_expressions(fact.get("out_any", fact["out"])),
            "error": fact.get("error"),
        }
        return bool(eval(self.when, vars(conditions) | names))


def plain(value: Any) -> Any:
    """An attribute without the notations that JSON needs: `{"int64": 3}` is 3, `{"float": "inf"}` a float."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"int64"}:
        return value["int64"]
    return float(value["float"]) if set(value) == {"float"} else {key: plain(item) for key, item in value.items()}


@cache
def deviations() -> list[Deviation]:
    """The entries of deviations.toml."""
    with open(HERE / "deviations.toml", "rb") as file:
        listed = tomllib.load(file)["deviation"]
    return [
        Deviation(tuple(e["operators"]), e["condition"], compile(e["when"], e["condition"], "eval"), e["reason"])
        for e in listed
    ]


@cache
def by_operator(name: str) -> list[Deviation]:
    """The entries that name an operator."""
    return [entry for entry in deviations() if name in entry.operators]
