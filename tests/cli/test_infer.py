"""`relaylogic infer`: what it prints, its exit codes, user rules, and input that cannot be worked on."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.running import run

TYPED = """\
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  let %h = nn.dense(%x, %w);
  @act(%h)
}
def @act(%x: Tensor[(2, 4), float32]) { nn.relu(%x) }
"""
REFUTED = """\
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) {
  let %sum = add(%x, %y);
  nn.relu(%sum)
}
"""
FINAL = re.compile(r"^(?:// )?(.*): (\w+), (\d+) calls?, (\d+) functions?, \d+\.\d{3} s$")


def summary(text: str) -> tuple[str, ...]:
    """The parts of the line that sums up a file, which is the last."""
    found = FINAL.match(text.splitlines()[-1])
    assert found, text
    return found.groups()


@pytest.fixture
def program(tmp_path):
    def written(text: str | bytes, name: str = "program.relay") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return written


def test_the_program_is_printed_with_types_and_a_summary(program):
    path = program(TYPED)
    done = run("infer", path)
    assert done.code == 0 and done.err == ""
    assert "nn.dense(%x, %w) /* ty=Tensor[(2, 4), float32] */" in done.out
    assert "@act(%h) /* ty=Tensor[(2, 4), float32] */" in done.out
    assert "/* ty=fn (Tensor[(2, 4), float32]) -> Tensor[(2, 4), float32] */" in done.out
    assert summary(done.out) == (path, "typed", "3", "2")


def test_what_is_printed_is_a_program_of_the_same_types(program):
    path = program(TYPED)
    printed = run("infer", path).out
    again = run("infer", "-", given=printed)
    assert again.code == 0
    assert again.out.rpartition("\n// <stdin>: ")[0] == printed.rpartition(f"\n// {path}: ")[0]


def test_json_has_the_types_of_functions_and_calls(program):
    path = program(TYPED)
    done = run("infer", "--format", "json", path)
    assert done.code == 0 and done.err == ""
    (line,) = done.out.splitlines()
    hidden = "Tensor[(2, 4), float32]"
    assert json.loads(line) == {
        "version": 3,
        "file": path,
        "verdict": "typed",
        "functions": {
            "main": f"fn (Tensor[(2, 3), float32], Tensor[(4, 3), float32]) -> {hidden}",
            "act": f"fn ({hidden}) -> {hidden}",
        },
        "calls": [
            {"function": "main", "callee": "nn.dense", "type": hidden, "line": 2, "col": 12},
            {"function": "main", "callee": "@act", "type": hidden, "line": 3, "col": 3},
            {"function": "act", "callee": "nn.relu", "type": hidden, "line": 5, "col": 41},
        ],
        "errors": [],
        "residue": [],
    }


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("%g(%x)", "%g"),
        ("Cons(%x, Nil)", "Cons"),
        ("fn (%y: int8) { %y }(%x)", "fn"),
    ],
)
def test_json_names_what_is_called(body, callee):
    text = f"type List[A] {{ Cons(A, List[A]), Nil }} def @main(%x: int8, %g: fn (int8) -> int8) {{ {body} }}"
    calls = json.loads(run("infer", "-", "--format", "json", given=text).out)["calls"]
    assert [call["callee"] for call in calls][-1] == callee


def test_json_has_the_warnings_that_text_has():
    text = "type B { T, F }\ndef @main(%x: B) {\n  match (%x) { _ => 1, T => 2 }\n}"
    message = "this arm can never run: the ones before it match everything it does"
    warning = {"line": 3, "col": 24, "end_line": 3, "end_col": 30, "message": message}
    assert json.loads(run("infer", "-", "--format", "json", given=text).out)["warnings"] == [warning]
    assert f"<stdin>:3:24: warning: {message}" in run("infer", "-", given=text).err


def test_a_shared_node_is_listed_once():
    text = "def @main(%x: int8) { %0 = negative(%x); (%0, %0) }"
    assert len(json.loads(run("infer", "-", "--format", "json", given=text).out)["calls"]) == 1


def test_a_refusal_points_at_the_call(program):
    path = program(REFUTED)
    done = run("infer", path)
    assert done.code == 1
    assert summary(done.out) == (path, "refuted", "2", "1")
    refusal = "`add` refuses (Tensor[(2, 3), float32], Tensor[(4, 3), float32])"
    assert f" 2 |   let %sum = add(%x, %y);\n   |              ----------- {refusal}" in done.err
    assert "Broadcast, clause tensors" in done.err
    assert done.err.count("error: ") == 1


def test_json_places_refusals(program):
    done = run("infer", "--format", "json", program(REFUTED))
    assert done.code == 1
    found = json.loads(done.out)
    assert found["verdict"] == "refuted"
    (error,) = found["errors"]
    places = {"line", "col", "end_line", "end_col", "message"}
    assert set(error) == {*places, "relation", "clause", "hints", "related"}
    assert (error["line"], error["relation"], error["clause"]) == (1, "Broadcast", "tensors")
    assert all(set(place) == places for place in error["related"])
    refused = error["related"][0]
    assert (refused["line"], refused["col"], refused["end_line"], refused["end_col"]) == (2, 14, 2, 25)
    (conflict,) = found["conflicts"]
    assert sorted((place["line"], place["col"]) for place in conflict) == [(1, 15), (1, 44), (2, 14)]


def test_independent_errors_are_reported_in_one_run():
    text = "def @main(%x: Tensor[(2, 3), int8]) { (add(%x, 1f), nn.dense(%x, %x, units=7)) }"
    done = run("infer", "-", "--format", "json", given=text)
    assert done.code == 1
    assert {error["relation"] for error in json.loads(done.out)["errors"]} == {"Broadcast", "Dense"}


def test_what_is_open_is_generalised_or_with_closed_incomplete():
    text = "def @main(%x, %y) { add(%x, %y) }"
    done = run("infer", "-", "--format", "json", given=text)
    assert done.code == 0
    general = "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)"
    assert json.loads(done.out)["functions"]["main"] == general
    closed = run("infer", "-", "--closed", "--format", "json", given=text)
    assert closed.code == 3
    assert json.loads(closed.out)["verdict"] == "incomplete"


def test_a_call_that_is_not_decided_is_shown_with_what_it_could_be():
    text = "def @main(%x: Tensor[(4), int8], %y) -> Tensor[(4), int8] {\n  add(%x, %y) }"
    done = run("infer", "-", "--closed", "--format", "json", given=text)
    assert done.code == 3
    (item,) = json.loads(done.out)["residue"]
    assert (item["line"], item["col"], item["relation"]) == (2, 3, "Broadcast")
    four, scalar = "Tensor[(4), int8]", "int8"
    assert [four, four, four] in item["alternatives"] and [four, scalar, four] in item["alternatives"]
    shown = run("infer", "-", "--closed", given=text)
    assert shown.code == 3
    assert summary(shown.out)[1] == "incomplete"
    assert f"<stdin>:2:3: note: not decided: Broadcast({four}, " in shown.err
    assert f"help: could be Broadcast({four}, {four}, {four})" in shown.err


def test_a_limit_that_is_reached_is_unknown():
    done = run("infer", "-", given="def @main(%x: int8) { expand_dims(%x, axis=0, num_newaxis=1000000000) }")
    assert done.code == 3
    assert summary(done.out)[1] == "unknown"
    assert "not decided: ExpandDims(" in done.err and "(unknown: step limit)" in done.err


def test_quiet_prints_errors_and_the_summary_only(program):
    path = program(TYPED)
    done = run("infer", "--quiet", path)
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", 1)
    refuted = run("infer", "--quiet", program(REFUTED))
    assert len(refuted.out.splitlines()) == 1 and "error: " in refuted.err


def test_several_files_and_the_worst_exit_code(program):
    good, bad = program(TYPED, "a.relay"), program(REFUTED, "b.relay")
    open_ = program("def @main(%x) { %x }", "c.relay")
    done = run("infer", "--quiet", "--closed", good, open_)
    assert done.code == 3
    assert [FINAL.match(line).group(2) for line in done.out.splitlines()] == ["typed", "incomplete"]
    assert run("infer", "--quiet", "--closed", bad, good, open_).code == 1
    done = run("infer", "--format", "json", good, "missing.relay", bad)
    assert done.code == 2
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [f["file"] for f in found] == [good, "missing.relay", bad]
    assert [f["verdict"] for f in found] == ["typed", "refuted", "refuted"]


def test_standard_input_has_a_name():
    done = run("infer", "-", "--format", "json", given="def @main(%x: int8) { %x }")
    assert json.loads(done.out)["file"] == "<stdin>"


@pytest.mark.parametrize("version", ["", '#[version = "0.0.5"]\n'])
def test_the_prelude_can_be_used_without_an_import(version):
    text = f"{version}def @main(%x: List[int32]) {{ @map(fn (%y: int32) {{ equal(%y, 1) }}, %x) }}"
    done = run("infer", "-", "--prelude", "--format", "json", given=text)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["functions"] == {"main": "fn (List[int32]) -> List[bool]"}
    assert found["calls"][-1]["line"] == text.count("\n") + 1
    assert run("infer", "-", given=text).code == 2


ADDED = '''
from relaylogic.logic import eq, fresh, lall
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

@relation
def Paired(data, out):
    """Two in front."""

@Paired.clause
def two(data, out):
    shape, dtype = fresh(2)
    from relaylogic.logic import cons
    return lall(eq(data, Tensor(shape, dtype)), eq(out, Tensor(cons(2, shape), dtype)))

operator("my.pair", "data", Paired)
'''
EXTENDED = """
from relaylogic.logic import eq, lall
from relaylogic.rulebase import existing
from relaylogic.types import TensorType as Tensor

@existing("Flatten").clause
def nothing_to_flatten(data, out):
    return lall(eq(data, Tensor((), "int8")), eq(out, Tensor((1, 1), "int8")))
"""
REPLACED = '''
from relaylogic.logic import eq
from relaylogic.rulebase import relation

@relation
def Flatten(data, out):
    """Nothing is flattened."""

@Flatten.clause
def as_it_is(data, out):
    return eq(data, out)
'''
FLAT = "def @main(%x: Tensor[(2, 3, 4), int8]) { nn.batch_flatten(%x) }"


def result_of(text, *options):
    done = run("infer", "-", "--format", "json", *options, given=text)
    found = json.loads(done.out)
    return done.code, found["functions"].get("main", "").rpartition(" -> ")[2], done.err


def user_rules(folder):
    """The options that load a folder, with its Python if there is some."""
    return ["--rules", folder, *(["--python-rules"] if list(folder.glob("*.py")) else [])]


def test_user_rules_add_a_relation(tmp_path):
    (tmp_path / "mine.py").write_text(ADDED)
    text = "def @main(%x: Tensor[(3), int8]) { my.pair(%x) }"
    assert result_of(text, *user_rules(tmp_path)) == (0, "Tensor[(2, 3), int8]", "")
    assert result_of(text)[0] == 2


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("mine.py", EXTENDED),
        ("mine.rel", "extend nothing: Flatten(Tensor[(), int8], Tensor[(1, 1), int8]).\n"),
    ],
)
def test_user_rules_add_a_clause(tmp_path, name, rules):
    (tmp_path / name).write_text(rules)
    scalar = "def @main(%x: int8) { nn.batch_flatten(%x) }"
    assert result_of(scalar, *user_rules(tmp_path))[:2] == (0, "Tensor[(1, 1), int8]")
    assert result_of(FLAT, *user_rules(tmp_path))[:2] == (0, "Tensor[(2, 12), int8]")
    assert result_of(scalar)[0] == 1


@pytest.mark.parametrize(("name", "rules"), [("mine.py", REPLACED), ("mine.rel", "Flatten(T, T).\n")])
def test_user_rules_replace_a_relation_and_say_so(tmp_path, name, rules):
    (tmp_path / name).write_text(rules)
    code, found, said = result_of(FLAT, *user_rules(tmp_path))
    assert (code, found) == (0, "Tensor[(2, 3, 4), int8]")
    assert said.startswith(f"note: {tmp_path / name}:") and "relation `Flatten` replaces the one of " in said
    assert result_of(FLAT)[:2] == (0, "Tensor[(2, 12), int8]")


def test_a_rule_file_that_cannot_be_read_leaves_the_others(tmp_path):
    (tmp_path / "broken.py").write_text("from nowhere import nothing\n")
    (tmp_path / "broken.rel").write_text("F(A :- .\n")
    (tmp_path / "mine.py").write_text(ADDED)
    code, found, said = result_of("def @main(%x: Tensor[(3), int8]) { my.pair(%x) }", *user_rules(tmp_path))
    assert (code, found) == (0, "Tensor[(2, 3), int8]")
    assert "broken.py:1:1: error: ModuleNotFoundError" in said and "broken.rel: not loaded: " in said


BAD = {
    "malformed": ("def @main(%x: int8) {\n  nn.relu(%x }", "2:14: error: expected `)` or `,`, found `}`"),
    "unclosed": ("def @main(%x: int8) { %x", "1:25: error: expected `}`, found the end of the text"),
    "operator": (
        "def @main(%x: int8) {\n  nn.rellu(%x) }",
        "2:3: error: there is no operator `nn.rellu`; did you mean `nn.relu`",
    ),
    "arity": ("def @main(%x: int8) {\n  add(%x) }", "2:3: error: `add` takes 2 arguments (lhs, rhs), but 1 is given"),
    "attribute": (
        "def @main(%x: int8) {\n  nn.softmax(%x, axs=1) }",
        "2:18: error: `nn.softmax`: there is no attribute `axs`; it takes axis; did you mean `axis`?",
    ),
    "attribute type": (
        'def @main(%x: int8) {\n  nn.softmax(%x, axis="a") }',
        '2:18: error: `nn.softmax`: attribute `axis` cannot be "a": it accepts an integer',
    ),
    "missing attribute": (
        "def @main(%x: int8) {\n  reshape(%x) }",
        "2:3: error: `reshape`: attribute `newshape` is required",
    ),
    "variable": ("def @main(%x: int8) {\n  %y }", "2:3: error: unknown local variable `%y`"),
    "function": ("def @main(%x: int8) {\n  @y(%x) }", "2:3: error: unknown function `@y`"),
    "duplicate": (
        "def @main(%x: int8) { %x }\ndef @main(%y: int8) { %y }",
        "2:5: error: the function `@main` is defined twice",
    ),
    "duplicate type": ("type A { B }\ntype A { C }\ndef @main() { 1 }", "2:6: error: the type `A` is defined twice"),
    "junk": (bytes(range(256)) * 10, "3:115: error: this is no text: byte 128 (0x80) is not UTF-8"),
    "one letter of another encoding": (
        b"def @main(%x: int8) {\r\n  %\xe4 }",
        "2:4: error: this is no text: byte 26 (0xe4) is not UTF-8",
    ),
    "control characters": (b"\x00\x01\x02def", "1:1: error: unexpected character U+0000; is this a text?"),
    "empty": ("", "1:1: error: there is no program in this text"),
    "blank": (" \n\n", "error: there is no program in this text"),
    "huge attribute": (
        f"def @main(%x: int8) {{ reshape(%x, newshape=[{'1' * 100}]) }}",
        "1:45: error: `1111",
    ),
}


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("kind", BAD)
def test_bad_input_has_a_message_with_its_place(kind, form, program):
    text, message = BAD[kind]
    path = program(text)
    done = run("infer", "--format", form, path)
    assert done.code == 2
    said = done.err
    if form == "json":
        (error,) = json.loads(done.out)["errors"]
        said = f"{error['line']}:{error['col']}: error: {error['message']}"
    else:
        assert done.err.startswith(f"{path}:")
    assert message.replace(path, "") in said
    assert "Traceback" not in done.err and len(done.err) < 1000


def test_files_that_cannot_be_read(tmp_path):
    missing = run("infer", tmp_path / "none.relay")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err == f"{tmp_path / 'none.relay'}: error: cannot be read: No such file or directory\n"
    folder = run("infer", tmp_path)
    assert folder.code == 2 and folder.err.startswith(f"{tmp_path}: error: this is a directory")
    (tmp_path / "folder.onnx").mkdir()
    folder = run("infer", tmp_path / "folder.onnx")
    assert folder.code == 2 and folder.err.startswith(f"{tmp_path / 'folder.onnx'}: error: this is a directory")
    model = run("infer", tmp_path / "none.onnx")
    assert model.code == 2 and "none.onnx: error: cannot be read" in model.err


@pytest.mark.parametrize("name", ["none.relay", "none.onnx"])
def test_the_json_of_an_unreadable_file_names_it_once(tmp_path, name):
    """The message began with `FILE: error:` though the file stands beside it."""
    done = run("infer", "--format", "json", tmp_path / name)
    told = json.loads(done.out)
    assert told["file"] == str(tmp_path / name)
    assert told["errors"][0]["message"].startswith("cannot be read: ")


def test_usage():
    assert run("infer").code == 2
    assert run("infer", "--format", "xml", "-", given="").code == 2
    assert run("nothing").code == 2
    refused = run("infer", "-", "--rules", "/no/such/folder", given="def @main() { 1 }")
    assert refused.code == 2 and "there is no folder of rules at /no/such/folder" in refused.err
    assert run("--help").code == 0 and run("--version").out.startswith("relaylogic, version ")


DEEP, LONG, DIGITS = 2_000, 20_000, "1" * 100

LARGE = {
    "a word of 2 MB": ("a" * 2_000_000, 2, None),
    "a line of 2 MB": (f"def @main(%x: int8) {{ {'/* ' + 'x' * 2_000_000 + ' */'} %x }}", 0, "fn (int8) -> int8"),
    "lets": (f"def @main(%x: int8) {{ {'let %y = { ' * LONG}%x{' }; %y' * LONG} }}", 0, "fn (int8) -> int8"),
    "tuples": (f"def @main(%x: int8) {{ {'(' * DEEP}%x{',)' * DEEP} }}", 0, None),
    "projections": (f"def @main(%x: {'(' * DEEP}int8{',)' * DEEP}) {{ %x{'.0' * DEEP} }}", 0, None),
    "calls": (f"def @main(%x: int8) {{ {'negative(' * DEEP}%x{')' * DEEP} }}", 0, "fn (int8) -> int8"),
    "open calls": (f"def @main(%x) {{ {'negative(' * DEEP}%x{')' * DEEP} }}", 0, None),
    "a wrong call inside": (f"def @main(%x: int8) {{ {'negative(' * DEEP}add(%x){')' * DEEP} }}", 2, None),
    "function types": (f"def @main(%x: {'fn (' * DEEP}int8{') -> int8' * DEEP}) {{ %x }}", 0, None),
    "digits": (
        f"def @main(%x: Tensor[({DIGITS}, 2), int8]) {{ reshape(%x, newshape=[-1]) }}",
        0,
        f"fn (Tensor[({DIGITS}, 2), int8]) -> Tensor[({int(DIGITS) * 2}), int8]",
    ),
    "digits that differ": (
        f"def @main(%x: Tensor[({DIGITS}), int8], %y: Tensor[({DIGITS}2), int8]) {{ add(%x, %y) }}",
        1,
        None,
    ),
}


@pytest.mark.parametrize("kind", LARGE)
def test_large_programs_are_typed_or_refused(kind):
    text, code, expected = LARGE[kind]
    done = run("infer", "-", "--format", "json", given=text)
    assert done.code == code
    found = json.loads(done.out)
    if code:
        assert found["errors"] and all(len(error["message"]) < 3000 for error in found["errors"])
    if expected is not None:
        assert found["functions"]["main"] == expected


@pytest.mark.parametrize("kind", ["a word of 2 MB", "tuples", "calls", "a wrong call inside", "digits that differ"])
def test_large_programs_are_printed(kind):
    text, code, _ = LARGE[kind]
    done = run("infer", "-", given=text)
    assert done.code == code
    assert len(done.err) < 10_000
    if kind == "tuples":
        assert done.out.splitlines()[-3].startswith("} /* ty=fn (int8) -> ((((")
        assert len(done.out) < 2_000_000


def test_what_is_printed_counts_once_against_the_limit():
    text = "def @main(%x: Tensor[(2, 3), int8]) { " + "nn.relu(" * 200 + "%x" + ")" * 200 + " }"
    done = run("infer", "-", given=text)
    again = run("infer", "-", "--output", len(done.out) + 50, given=text)
    assert done.code == again.code == 0 and len(again.out) > 1000
    assert run("infer", "-", "--output", len(done.out) // 2, given=text).code == 3


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_lines_end_as_they_do_anywhere(program, end):
    """A program whose lines end with a carriage return was one line, with a comment to its end."""
    path = program(end.join(["// two tensors", *REFUTED.splitlines(), ""]))
    assert run("infer", path).err.startswith(f"{path}:2:44: error: ")


@pytest.mark.parametrize("name", ["a\nb.relay", "a\x1b[2Jb.relay"])
def test_the_name_of_a_file_stands_on_one_line(program, name):
    path = program(REFUTED, name)
    shown = path.replace("\n", "\\n").replace("\x1b", "\\x1b")
    found = run("infer", path)
    assert found.err.startswith(f"{shown}:1:44: error: ") and summary(found.out)[0] == shown
    missing = run("infer", path.replace(".relay", ".onnx"))
    assert missing.err == f"{shown.replace('.relay', '.onnx')}: error: cannot be read: there is no such file\n"


def test_places_are_those_of_the_text_with_the_prelude_too(program):
    path = program("def @main() { add(%nothing, 1) }")
    assert run("infer", "--prelude", path).err == run("infer", path).err
    path = program("def @main(%x: Tensor[(3), int8], %y: Tensor[(4), int8]) { add(%x, %y) }")
    [with_it, without] = (
        json.loads(run("infer", *p, "--format", "json", path).out)["errors"] for p in (["--prelude"], [])
    )
    assert with_it == without


@pytest.mark.parametrize("before", ["", "// a comment\n", "/* a ] */ "])
def test_the_prelude_is_imported_by_a_text_with_a_version(program, before):
    done = run("infer", "--prelude", program(f'{before}#[version = "0.0.5"]\ndef @main() {{ Nil() }}'))
    assert done.code == 0 and 'import "prelude"' in done.out and done.err == ""


def test_no_program_is_none_with_the_prelude_too(program):
    path = program("// nothing\n")
    assert run("infer", "--prelude", path) == run("infer", path)


def test_standard_input_is_one_file():
    refused = run("infer", "-", "-", given="def @main() { 1 }")
    assert refused.code == 2 and "standard input can be read once" in refused.err and not refused.out
