"""What the commands print, and with which exit code they end."""

import json

import pytest
from prompt_toolkit.history import FileHistory

from relaylogic.cli.history import KeptHistory
from relaylogic.cli.inputs import read_definitions
from relaylogic.cli.listing import check_file, list_answers, run_query, run_typings
from relaylogic.cli.repl import Session
from relaylogic.rulebase import load_rules
from relaylogic.typings.answers import Answers
from relaylogic.typings.query import query


def printed(run, *arguments, **options):
    lines = []
    code = run(*arguments, lines.append, **options)
    return code, lines


def test_answers_then_how_it_ended():
    assert printed(run_query, "member(n, (1, 2))") == (0, ["n = 1", "n = 2", "# 2 answers, no more"])
    assert printed(run_query, "member(n, (1, 2))", number=1) == (
        0,
        ["n = 1", "# stopped at the limit of 1 answer; there may be more"],
    )
    assert printed(run_query, "1 = 2") == (1, ["# no"])


def test_a_search_that_does_not_end_is_unknown(tmp_path):
    from relaylogic.clauses.load import load_clauses

    rules = load_rules()
    load_clauses(rules, "Grow(x) :- Grow([1 | x]).")
    assert printed(run_query, "Grow(x)", rules=rules, steps=2000) == (
        3,
        ["# unknown: step limit; 0 answers until then"],
    )


def test_counting():
    assert printed(run_query, "prod(s) = 5040, Tensor[s, t] = A", count=True, max_rank=5) == (0, ["32721"])


def test_json_lines():
    code, lines = printed(run_query, "n * m = 4, n < m", as_json=True, ground=True)
    assert code == 0
    assert [json.loads(line) for line in lines] == [
        {"version": 1, "bindings": {"n": "1", "m": "4"}, "residue": [], "clauses": []},
        {"version": 1, "answers": 1, "status": "exhausted", "complete": True},
    ]


def test_typings():
    program = "fn (%x: Tensor[(_), int8], %y: int8) -> Tensor[(2), int8] { add(%x, %y) }"
    assert printed(run_typings, program) == (0, ["%x = Tensor[(2), int8]", "# 1 answer, no more"])
    code, lines = printed(run_typings, program, annotated=True)
    assert code == 0 and "add(%x, %y) /* ty=Tensor[(2), int8] */" in lines[0]


def test_an_interrupted_enumeration_says_what_was_found():
    found = query("member(n, (1, 2, 3))")

    class Interrupted(Answers):
        def __init__(self):
            self.__dict__.update(vars(found))

        @property
        def found(self):
            return found.found

        def __next__(self):
            if self.found == 2:
                raise KeyboardInterrupt
            return next(found)

    assert printed(list_answers, Interrupted()) == (
        130,
        ["n = 1", "n = 2", "# interrupted: 2 answers so far, a part of all"],
    )


def test_progress_is_reported(monkeypatch):
    monkeypatch.setattr("relaylogic.cli.listing.REPORT_EVERY", -1)
    seen = []
    printed(run_query, "member(n, (1, 2))", progress=seen.append)
    assert seen == [1, 2]


def test_a_relation_on_shapes_is_not_checked_as_one_on_types(tmp_path):
    file = tmp_path / "mine.rel"
    file.write_text("Twice([n | s], [m | s]) :- m = 2 * n.")
    assert printed(lambda write: check_file(file, file.read_text(), load_rules(), write)) == (
        0,
        ["Twice: not checked: it relates shape, shape, not types"],
    )


def test_a_session(tmp_path):
    session = Session(definitions=read_definitions)
    assert list(session.execute("member(n, (1, 2))")) == ["n = 1"]
    assert list(session.execute(";")) == ["n = 2"]
    assert list(session.execute(";")) == ["no more answers"]
    file = tmp_path / "mine.rel"
    file.write_text("only: Mine(n) :- n = 3.")
    assert list(session.execute(f":load {file}")) == [f"loaded {file}"]
    assert list(session.execute("Mine(n)")) == ["n = 3"]
    assert list(session.execute(":explain")) == ["Mine(3)  [only]"]
    file.write_text("Mine(n) :- n = 4.")
    list(session.execute(":reload"))
    assert list(session.execute("Mine(n)")) == ["n = 4"]
    assert list(session.execute(":set max_dim 2")) == ["max_dim = 2"]
    assert list(session.execute(":count A = Tensor[(n, m), int8]")) == ["4"]
    assert "Mine" in session.words()


def test_a_session_says_what_is_wrong():
    session = Session(definitions=read_definitions)
    assert "there is no relation `Foo`" in next(session.execute("Foo(A)"))
    assert "there is no command :foo" in next(session.execute(":foo"))
    assert list(session.execute(";")) == ["there is no query"]
    assert list(session.execute(":explain")) == ["there is no answer to explain"]
    assert "No such file" in next(session.execute(":load /nowhere.rel"))
    assert "there is no bound" in next(session.execute(":set foo 1"))
    list(session.execute("n = 2"))
    assert list(session.execute(":explain m = 3")) == ["`:explain` takes nothing, not `m = 3`"]  # it is not the last
    assert list(session.execute(":quit now")) == ["`:quit` takes nothing, not `now`"] and not session.done
    assert list(session.execute(":count\tn = 1; n = 3")) == ["2"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (':load "abc', 'error: `"abc` names no file: No closing quotation'),
        (":load ~nobody-of-this-name/a.rel", "names no file"),
        (':load "a\0b"', "No such file"),
        (":load \ud800.rel", "No such file"),
        (":program \ud800", "No such file"),
        (":load \ud800", "No such file"),
        (":set max_rank \N{SUPERSCRIPT TWO}", "max_rank is a number"),
        (f":set max_dim {'9' * 5000}", "max_dim is a number"),
        (":set dtypes foo, int8", "error: `foo` is not a dtype"),
        (":set dtypes ,", "error: dtypes are expected"),
    ],
)
def test_a_session_survives_any_line(line, said):
    session = Session(definitions=read_definitions)
    (answer,) = session.execute(line)
    assert said in answer and session.bounds == {}
    assert list(session.execute("member(n, (1, 2))")) == ["n = 1"]


def test_a_session_survives_rules_that_leave(tmp_path):
    (tmp_path / "leave.py").write_text("raise SystemExit(0)")
    assert "ends the program" in next(Session(definitions=read_definitions, python=True).execute(f":load {tmp_path}"))


def test_a_history_that_cannot_be_kept_is_forgotten(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "history", tmp_path / "folder"):
        history = KeptHistory(path)
        history.store_string("true")
        assert list(history.load_history_strings()) == []


def test_a_line_of_the_history_is_kept_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    history = KeptHistory(tmp_path / "history")
    history.store_string("Broadcast(A, B, C)")
    kept = history.path.read_bytes()

    def full(self, string):
        with open(self.filename, "ab") as file:
            file.write(b"+Broad")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileHistory, "store_string", full)
    history.store_string("Broadcast(A, A, A)")
    assert history.path.read_bytes() == kept
    assert list(history.load_history_strings()) == ["Broadcast(A, B, C)"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (":set ground maybe", "ground is on or off, not `maybe`"),
        (":set steps 0", "steps are 1 at least"),
        (":load", "`:load` takes files of clauses, or folders of them"),
        (":doc", "`:doc` takes the name of a relation or of an operator"),
    ],
)
def test_the_top_level_says_what_a_command_takes(line, said):
    session = Session(definitions=read_definitions)
    assert list(session.execute(line)) == [said] and session.bounds == {}


def test_a_switch_of_the_top_level_is_on_or_off():
    session = Session(definitions=read_definitions)
    assert list(session.execute(":set ground on")) == ["ground = True"]
    assert list(session.execute(":set ground no")) == ["no bounds"]


def test_a_count_of_the_top_level_takes_the_steps_that_are_set():
    """It took 5,000,000 whatever `--steps` and `:set steps` said, unlike `query --count`."""
    session = Session(steps=1, definitions=read_definitions)
    assert list(session.execute(":count Broadcast(A, B, Tensor[(3), int8])")) == ["unknown: step limit"]
    list(session.execute(":set steps 10000"))
    assert list(session.execute(":count Broadcast(A, B, Tensor[(3), int8])")) == ["5"]


def test_the_top_level_reads_the_programs_that_commands_read(tmp_path):
    """ONNX models were no text, and a file without an end was read for ever."""
    onnx = pytest.importorskip("onnx")
    model = tmp_path / "model.onnx"
    onnx.save(
        onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }'
        ),
        model,
    )
    session = Session(definitions=read_definitions, allowed={"memory": 100_000_000})
    assert list(session.execute(f":program {model}")) == [f"loaded {model}: 0 data types"]
    (said,) = session.execute(f":program {tmp_path}")
    assert said == f"{tmp_path}: error: this is a directory; name the files in it"
    (said,) = session.execute(":program /dev/zero")
    assert said.startswith("unknown: memory limit")


@pytest.mark.parametrize("text", ["", "# a comment\n", "data Box<t> { Put(t) }\n"])
def test_that_nothing_is_checked_is_said(tmp_path, text):
    file = tmp_path / "mine.rel"
    file.write_text(text)
    assert printed(lambda write: check_file(file, text, load_rules(), write)) == (
        0,
        [f"{file}: no relation is defined, nothing is checked"],
    )
