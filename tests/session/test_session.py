"""A session says what a whole inference of its text says, however it was edited."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

import relaylogic
from relaylogic import Session
from relaylogic.rulebase import load_rules
from relaylogic.session import unit
from relaylogic.session.later import Later
from relaylogic.text import ParseError, parse
from tests.effort import examples, some
from tests.fuzz.relay_programs import program
from tests.session import programs
from tests.session.editing import edits, fresh, numbered, said_by, straight_program


@pytest.fixture(autouse=True)
def _statement_by_statement(monkeypatch):
    """Short functions are typed again statement by statement, too."""
    monkeypatch.setattr(unit, "_MANY", 1)


def inferred(session):
    try:
        return session.infer()
    except ParseError as problem:
        return problem


def check(found, text, thorough, before, closed=False, rules=None):
    """A result is that of a whole inference."""
    ours, wanted = said_by(found, thorough), said_by(fresh(text, closed, rules), thorough)
    at = next((i for i, (a, b) in enumerate(zip(ours, wanted, strict=False)) if a != b), min(len(ours), len(wanted)))
    excerpt = slice(max(0, at - 200), at + 200)
    assert ours == wanted, (ours[excerpt], wanted[excerpt], text, before)


def edited(text, random, count, edits=edits, rules=None):
    """Results after random edits of a text; each is compared with a whole inference."""
    closed = random.random() < 0.2
    session = Session(text, closed=closed, rules=rules)
    kept = []
    before = []
    for _ in range(count):
        found = inferred(session)
        thorough = random.random() < 0.15
        kept.append((session.text, found))
        check(found, session.text, thorough, before, closed, rules)
        before.append(session.text)
        if random.random() < (0.7 if isinstance(found, ParseError) else 0.15) and len(before) > 1:
            old = session.text
            new = next((text for text, result in reversed(kept[:-1]) if isinstance(result, Later)), before[-2])
            start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
            same = next(
                (i for i, (a, b) in enumerate(zip(reversed(old), reversed(new), strict=False)) if a != b),
                min(len(old), len(new)),
            )
            same = min(same, len(old) - start, len(new) - start)
            session.edit((start, len(old) - same), new[start : len(new) - same])
            continue
        for start, end, new in edits(session.text, random):
            session.edit((start, end), new)
    text, found = random.choice(kept)
    check(found, text, True, before, closed, rules)
    return [found for _, found in kept]


@pytest.mark.parametrize("seed", some(range(6)))
def test_edits_of_straight_programs(seed):
    random = Random(seed)
    found = [result for _ in range(examples(14, 2)) for result in edited(straight_program(random), random, 8)]
    assert sum(type(result) is Later for result in found) > len(found) // 6


@pytest.mark.parametrize("seed", some(range(12)))
def test_edits_of_programs_of_all_sorts(seed):
    random = Random(seed)
    for _ in range(3):
        edited(program(random), random, 6)


@pytest.fixture(scope="module")
def own_rules(tmp_path_factory):
    """A rule base that has some operators of a file."""
    file = tmp_path_factory.mktemp("rules") / "own.rel"
    file.write_text(programs.OWN_RULES, encoding="utf-8")
    return load_rules(file)


@pytest.mark.parametrize("seed", some(range(12), 12))
def test_edits_of_declarations_annotations_attributes_and_names(seed, own_rules):
    random = Random(seed)
    texts = (programs.program(random) for _ in range(200))
    typed = (text for text in texts if said_by(fresh(text, False, own_rules), False).startswith("('typed'"))
    found = [r for text in islice(typed, 6) for r in edited(text, random, 8, programs.edits, own_rules)]
    assert sum(type(result) is Later for result in found) > len(found) // 8


def defined_in(text):
    """The texts of the functions of a program that was written by `straight_program`."""
    parts = text[text.index("def @") :].split("\ndef @")
    return {part.removeprefix("def @").partition("(")[0]: f"def @{part.removeprefix('def @')}" for part in parts}


@pytest.mark.parametrize("seed", some(range(20)))
def test_functions_of_a_program_that_has_no_text(seed):
    random = Random(seed)
    texts = defined_in(straight_program(random))
    module = parse("\n".join(texts.values()))
    module.source = None
    session = Session(module)
    for _ in range(6):
        assert without_places(session.infer()) == without_places(relaylogic.infer("\n".join(texts.values())))
        name = random.choice([*texts, "new"])
        text = texts.get(name, "def @new(%x) { copy(%x) }")
        for start, end, new in edits(text, random):
            text = text[:start] + new + text[end:]
        try:
            parse("\n".join({**texts, name: text}.values()))
        except ParseError:
            continue
        try:
            session.edit(name, text)
        except ParseError:  # several definitions, or that of another name
            continue
        texts[name] = text


def without_places(result):
    """All that a result says but for places, of which functions that were built have none."""
    calls = [(call.function, call.callee, str(call.type)) for call in result.calls]
    functions = {name: str(known) for name, known in result.functions.items()}
    return numbered(repr((result.verdict, functions, calls, sorted(error.message for error in result.errors))))


def test_what_a_body_demands_of_dtypes_is_seen_by_callers_of_a_declared_function(tmp_path):
    """A caller is looked at again when the body of the function that it calls begins, or ends, to demand something."""
    (tmp_path / "apart.rel").write_text(
        "Apart(Tensor[s, t], Tensor[s, u], Tensor[s, t]) :- t != u.\noperator apart(left, right) : Apart.\n"
    )
    rules = load_rules(tmp_path)
    head = "def @f[t: BaseType](%x: Tensor[(2), int8], %y: Tensor[(2), t]) -> Tensor[(2), int8] {"
    caller = "def @{}(%x: Tensor[(2), int8]) -> Tensor[(2), int8] {{ @f(%x, %x) }}"
    demanding, silent = f"{head} apart(%x, %y) }}", f"{head} %x }}"
    for text in (f"{silent}\n{caller.format('main')}", f"{caller.format('a')}\n{silent}"):
        session = Session(text, rules=rules)
        for body, verdict in ((silent, "typed"), (demanding, "refuted"), (silent, "typed")):
            session.edit("f", body)
            assert session.infer().verdict == verdict
            assert relaylogic.infer(session.text, rules=rules).verdict == verdict


def test_a_function_that_calls_itself_is_of_another_type_after_an_edit_of_a_parameter():
    """Whoever is typed again statement by statement sees the types of all that it calls, its own too."""
    text = (
        "def @loop(%n: int32, %a: Tensor[(?, 3), float32], %x: Tensor[(1, 3), float32]) -> Tensor[(?, 3), float32] {\n"
        "  if (less(%n, 10)) { @loop(add(%n, 1), concatenate((%a, %x)), %x) } else { %a }\n}\n"
    )
    session = Session(text)
    check(inferred(session), text, True, [])
    for old, new in (
        ("%a: Tensor[(?, 3)", "%a: Tensor[(_, 3)"),
        ("%a: Tensor[(_, 3)", "%a: Tensor[(1, 3)"),
        ("1, 3), float32], %x", "?, 3), float32], %x"),
    ):
        start = session.text.index(old)
        session.edit((start, start + len(old)), new)
        check(inferred(session), session.text, True, [old, new])


@pytest.mark.parametrize(
    ("function", "caller"),
    [
        ("def @f(%x) { cast(%x, dtype=_) }", "def @main(%x: int8) -> int32 { @f(%x) }"),
        (
            'def @f(%x) { ones(shape=[_, 3], dtype="float32") }',
            "def @main(%x: int8) -> Tensor[(2, 3), float32] { @f(%x) }",
        ),
        ("def @f(%x) { sum(%x, axis=_) }", "def @main(%x: Tensor[(2, 3), int8]) -> Tensor[(3), int8] { @f(%x) }"),
    ],
)
def test_what_a_caller_said_of_an_attribute_is_not_known_without_it(function, caller):
    """A function that leaves an attribute open has the type that its callers give it, as long as they call it."""
    session = Session(f"{function}\n{caller}\n")
    check(inferred(session), session.text, True, [])
    for other in ("def @main(%x: int8) { %x }", caller, "def @main(%x: int8) { @f(%x) }"):
        session.edit("main", other)
        check(inferred(session), session.text, True, [other])


@pytest.mark.parametrize("alias", ["%x", "%v", "%0"])
@pytest.mark.parametrize("edit", ["negative(%1)", "negative(%v); let %y = tanh(%1)"])
def test_another_name_is_not_known_before_it_is_bound(alias, edit):
    """What stands for a parameter is no statement of its own, so that nothing said that it is used too early."""
    text = (
        "def @main(%x: Tensor[(2, 3), float32]) { let %v = nn.relu(%x); %0 = exp(%v); let %w = negative(%v); "
        f"%1 = {alias}; let %z = copy(%1); add(%0, %z) }}\n"
    )
    session = Session(text)
    check(inferred(session), text, True, [])
    start = text.index("negative(%v)")
    session.edit((start, start + len("negative(%v)")), edit)
    check(inferred(session), session.text, True, [text])
    session.edit((session.text.index("copy(%1)"), session.text.index("copy(%1)") + 4), "tanh")
    check(inferred(session), session.text, True, [text])
