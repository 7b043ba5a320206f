"""Relay text: programs and spoiled programs, and what must hold of every text."""

from __future__ import annotations

import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from relaylogic.api import infer, parse
from relaylogic.errors import RelayLogicError
from relaylogic.explain.brief import brief
from relaylogic.explain.render import render_problem, render_residue, render_warning
from relaylogic.explain.why.text import why_text
from relaylogic.host.governor import LimitReached, limits
from relaylogic.infer.results.reasons import Why
from relaylogic.infer.results.result import Result
from relaylogic.ir import Function, IRModule, Let, post_order, structural_equal
from relaylogic.rulebase import RuleError, default_rules
from relaylogic.text import ParseError, astext
from relaylogic.types import show_type
from relaylogic.typings.program import count_typings, typings
from tests.cli.running import run

from .broken import Broken, demand
from .derived import relay_program
from .kinds import Case, Kind
from .limited import check_output
from .mutations import spoiled
from .operator_calls import called_program
from .reduce import shorter_texts
from .relay_programs import program
from .tested import spoiled_program

__all__ = ["TEXT", "inferred", "says"]

DOCUMENTS = Path(__file__).resolve().parents[1] / "programs" / "documents"
SOON = 2.0
"""A thorough answer is waited for so many seconds."""
VERDICTS = {"typed": 0, "refuted": 1, "incomplete": 3, "unknown": 3}
_ANNOTATED = re.compile(r'(%(?:[\w.]+|"[^"]*")) /\* ty=([^*]*?) \*/(?=[,)]| =)')


def made(random: Random) -> str:
    """A program that was made up, derived from the grammar or taken from the documents or the tests, often a spoiled
    one; or calls of odd arguments."""
    kind = random.random()
    if kind < 0.15:
        return relay_program(random)
    if 0.86 < kind <= 0.93:
        return spoiled_program(random)
    if kind > 0.93:
        return called_program(random)
    text = random.choice(documents()) if kind < 0.25 else program(random)
    return text if random.random() < 0.6 else spoiled(text, random, sorted(default_rules().operators))


@cache
def documents() -> list[str]:
    """The programs of Relay's documents."""
    return [path.read_text("utf-8") for path in sorted(DOCUMENTS.glob("*.relay"))]


def says(result: Result) -> tuple[object, ...]:
    """What a result says, apart from places and the names of files."""
    functions = sorted((name, show_type(type_)) for name, type_ in result.functions.items())
    calls = sorted((call.function, call.callee, show_type(call.type)) for call in result.calls)
    residue = sorted((r.relation, r.arguments, r.alternatives, r.limit) for r in result.residue)
    return result.verdict, functions, calls, sorted(e.message for e in result.errors), residue


def summary(case: Case) -> str:
    """What is said of a text, its errors and its residue too."""
    assert isinstance(case, str)
    try:
        return json.dumps(says(infer(case)))
    except RelayLogicError as problem:
        return str(problem)


def check(case: Case, thorough: bool) -> str:
    """Demand all invariants of a text; how inference ended."""
    assert isinstance(case, str)
    try:
        module = parse(case)
    except ParseError as problem:
        demand(bool(str(problem)), "errors have a text")
        demand(problem.span is not None, "errors have a place", problem)
        outcome = "parse error"
    else:
        outcome = inferred(module, thorough)
    if thorough:
        check_command(case, outcome)
        check_threads(case)
    return outcome


def inferred(module: IRModule, thorough: bool) -> str:
    """Demand all invariants of a module; the verdict."""
    before = check_print_parse(module)
    try:
        result = infer(module)
    except RelayLogicError as problem:
        # Text can say what is not well-formed: an alias of a function without its scope, for one.
        demand(bool(str(problem)), "errors have a text")
        return "ill-formed"
    demand(result.verdict in VERDICTS, "verdicts are documented", result.verdict)
    check_nothing_written(module, before)
    check_renders(result, thorough)
    check_errors_agree(result)
    check_annotated_again(module, result)
    if thorough:
        check_output(lambda: result.to_json() + astext(module))
        check_same_again(module, result)
        check_order(module, result)
        check_pickles(result)
        check_reasons(result)
        check_closed(module, result)
        check_typings(module, result)
    return str(result.verdict)


def check_print_parse(module: IRModule) -> str:
    """Print-parse is the identity on meaning."""
    law = "print-parse is the identity"
    text = astext(module)
    try:
        again = parse(text)
    except ParseError as problem:
        raise Broken(f"{law}: parse", f"{problem}\n{text}") from None
    demand(structural_equal(module, again), f"{law}: meaning", text)
    demand(astext(again) == text, f"{law}: text", text)
    return text


def check_nothing_written(module: IRModule, before: str) -> None:
    """Inference does not write into the program."""
    demand(astext(module) == before, "inference changes nothing", before)


def check_renders(result: Result, thorough: bool) -> None:
    """JSON, text, HTML and repr all render, and JSON is JSON."""
    read = json.loads(result.to_json("x.relay"))
    demand(read["verdict"] == result.verdict, "JSON is valid", read)
    demand(repr(result).startswith("<"), "repr renders", repr(result))
    demand("<" in result._repr_html_() and bool(result._repr_mimebundle_()), "HTML renders")
    demand(bool(repr(result.module)), "repr renders")
    demand(not thorough or "<" in result.module._repr_html_(), "HTML renders")
    text = astext(result.module, brief(result.module, result.type_of), result.is_assumed)
    try:
        again = parse(text)
    except ParseError as problem:
        raise Broken("annotated text parses", f"{problem}\n{text}") from None
    demand(structural_equal(result.module, again), "annotated text means the same", text)
    for problem in result.errors:
        demand(bool(problem.message) and bool(render_problem(problem)), "errors have a text")
    for item in result.residue:
        demand(bool(render_residue(item)), "residue has a text")
    for place, message in result.warnings:
        demand(bool(render_warning(message, place)), "warnings have a text")


def check_errors_agree(result: Result) -> None:
    """A refuted program has an error; another has none."""
    demand(bool(result.errors) == (result.verdict == "refuted"), "errors and verdict agree", (result, result.errors))
    if result.verdict == "incomplete":
        demand(bool(result.residue) or bool(result.functions), "nothing is dropped", result)


def check_annotated_again(module: IRModule, result: Result) -> None:
    """Re-inference is the identity: what was found, written down as annotations, is found again."""
    if result.verdict != "typed":
        return
    text = astext(module, result.type_of)
    if any(not getattr(type_, "ground", False) for type_ in result.functions.values()) or "fn [" in text:
        return
    if "where T1 = " in text:  # what a type shares is told to readers; text has no word for it
        return
    annotated = _ANNOTATED.sub(r"\1: \2", text)
    try:
        again = infer(annotated)
    except RelayLogicError as problem:
        raise Broken("re-inference is the identity: it parses", f"{problem}\n{annotated}") from None
    expected = {name: str(type_) for name, type_ in result.functions.items()}
    found = {name: str(type_) for name, type_ in again.functions.items()}
    demand(
        again.verdict == "typed" and found == expected,
        "re-inference is the identity",
        f"{again}\n{[e.message for e in again.errors]}\n{annotated}",
    )


def check_same_again(module: IRModule, result: Result) -> None:
    """Inference says the same the second time, when its tables are full."""
    again = infer(module)
    demand(says(again) == says(result), "inference is idempotent", f"{says(result)}\n{says(again)}")


def check_order(module: IRModule, result: Result) -> None:
    """The verdict and the types do not depend on the order of definitions."""
    turned = IRModule(dict(reversed(list(module.functions.items()))), module.type_definitions, module.source)
    turned.declarations.update(module.declarations)
    turned.imports.update(module.imports)
    first, second = says(result)[:2], says(infer(turned))[:2]
    demand(first == second, "the order of definitions does not matter", f"{first}\n{second}")


def check_pickles(result: Result) -> None:
    """A result says the same elsewhere."""
    copied = pickle.loads(pickle.dumps(result))
    demand(copied.to_json() == result.to_json(), "results can be pickled", result)


def check_reasons(result: Result) -> None:
    """The steps and the derivations render and change nothing; some expression has an answer to why, or no type."""
    before = says(result)
    steps = [json.dumps(step.to_dict()) for step in result.trace]
    operators = default_rules().operators
    asked = any(call.callee in operators for call in result.calls)  # calls of known functions may ask nothing
    demand(bool(steps) or not asked or bool(result.limit), "a trace has steps", result)
    nodes = result.derivations().nodes
    demand(all(rest < node.id for node in nodes for rest in node.rests), "a derivation rests on earlier nodes")
    exprs = [node for function in result.module.functions.values() for node in post_order(function)]
    if exprs:
        expr = exprs[len(exprs) // 2]
        try:
            why = result.why(expr)
        except RelayLogicError as problem:
            demand(result.derivations().of(expr) is None, "what has a type has a reason", problem)
        else:
            demand(bool(json.dumps(why.to_dict())), "reasons are plain data")
            demand(why.minimal or not why.smallest, "what is smallest is minimal", why.to_dict())
            demand(bool("\n".join(why_text(why))), "reasons have a text")
            check_thorough(result, expr, why)
    demand(says(result) == before, "reasons change nothing", result)


def check_thorough(result: Result, expr: Any, why: Why) -> None:
    """A smallest set of places has no more than another set that forces the type."""
    try:
        with limits(time=SOON):
            thorough = result.why(expr, thorough=True)
    except LimitReached:
        return
    demand(thorough.type == why.type, "a thorough answer is about the same type", (thorough, why))
    fewer = not thorough.smallest or len(thorough.places) <= len(why.places)
    demand(fewer, "no set is smaller than a smallest one", (thorough, why))


def check_closed(module: IRModule, result: Result) -> None:
    """Where closed types are demanded, the same is refuted; and what lets of functions that serve for several types
    say, since these are not generalised then."""
    closed = infer(module, closed=True)
    if "unknown" not in (closed.verdict, result.verdict):
        nodes = [node for function in module.functions.values() for node in post_order(function)]
        same = not any(type(node) is Let and type(node.value) is Function for node in nodes)
        demand(
            closed.verdict == "refuted" if result.verdict == "refuted" else closed.verdict != "refuted" or not same,
            "closed refutes the same",
            f"{closed.verdict}, {result.verdict}",
        )


def check_typings(module: IRModule, result: Result) -> None:
    """A refuted program has no typings, a malformed one has an error; what is listed shows, and is what is counted."""
    bounds = {"max_rank": 2, "max_dim": 3, "dtypes": ("float32", "int32"), "max_arity": 2}
    if any(error.malformed for error in result.errors):
        try:
            typings(module, limit=4, steps=2_000, **bounds)
        except RelayLogicError:
            return
        demand(False, "of a malformed program it is said what is wrong with it", result.errors[0].message)
    try:
        found = typings(module, limit=4, steps=2_000, **bounds)
    except RelayLogicError as problem:
        demand(result.verdict == "unknown" and bool(problem.span), "typings end as documented", problem)
        return
    try:
        listed = list(found)
    except RuleError as problem:
        demand("so it must be given" in problem.message, "typings end as documented", problem)
        return
    for typing in listed:
        demand(result.verdict != "refuted", "a refuted program has no typings", typing)
        demand(bool(str(typing)) and bool(json.dumps([typing.texts, typing.residue, typing.clauses])), "typings render")
        demand(bool(parse(typing.annotated()).functions) or not module.functions, "typings render as programs")
    if found.status == "exhausted":
        try:
            number = count_typings(module, steps=20_000, ground=True, **bounds)
        except RelayLogicError as problem:
            demand("limit" in str(problem), "counting ends as documented", problem)
        else:
            demand(number == 0 or found.found > 0, "what is counted is listed", (number, found.found))


def check_command(case: str, outcome: str) -> None:
    """The command says what the library says, with the exit code that is documented."""
    if "\r" in case:
        return
    done = run("infer", "-", "--format", "json", given=case.encode("utf-8", "surrogatepass"))
    demand(done.code in (0, 1, 2, 3), "exit codes are documented", (done.code, done.err))
    if outcome in VERDICTS and done.code != 2:
        demand(done.code == VERDICTS[outcome], "the command's verdict is the library's", (outcome, done))
    if done.code != 2:
        demand(json.loads(done.out)["verdict"] == outcome, "the command's verdict is the library's", (outcome, done))


def check_threads(case: str) -> None:
    """Four threads at once say what one says."""
    expected = summary(case)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(summary, [case] * 4):
            demand(found == expected, "threads do not matter", f"{expected}\n{found}")


TEXT = Kind("text", ".relay", made, check, summary, shorter_texts)
