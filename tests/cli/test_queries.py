"""`relaylogic query`, `typings` and `repl`: options, exit codes, bad input, interruption."""

from __future__ import annotations

import json

import pytest

import relaylogic.cli.listing
import relaylogic.cli.repl
from tests.cli.running import run

BROADCAST = "Broadcast(A, B, Tensor[(5, 3), int8])"
OPEN = "def @main(%x, %y: Tensor[(2, 3), int8]) -> Tensor[(2, 3), int8] { add(%x, %y) }"


def test_answers_come_smallest_first_and_the_end_is_said():
    done = run("query", "Broadcast(A, B, Tensor[(5), int8])")
    assert done.code == 0 and done.err == ""
    lines = done.out.splitlines()
    assert len(lines) == 6 and "A = int8, B = Tensor[(5), int8]" in lines
    assert lines[-1] == "# 5 answers, no more"


@pytest.mark.parametrize("options", [("-n", 2), ("-n", 2, "--all")])
def test_a_limit_of_answers(options):
    done = run("query", BROADCAST, *options)
    expected = (18, "# 17 answers, no more") if "--all" in options else (3, "# stopped at the limit of 2 answers")
    lines = done.out.splitlines()
    assert (done.code, len(lines)) == (0, expected[0]) and lines[-1].startswith(expected[1])


def test_a_count():
    assert run("query", BROADCAST, "--count").out == "17\n"
    counted = run("query", BROADCAST, "--count", "--format", "json")
    assert json.loads(counted.out) == {"version": 1, "count": 17, "status": "exhausted"}


def test_no_answer():
    done = run("query", "Broadcast(Tensor[(2), int8], Tensor[(3), int8], C)")
    assert (done.code, done.out) == (1, "# no\n")


def test_the_universe_is_bounded():
    def count(*options):
        return int(run("query", "Identity(A, A)", "--ground", "--count", *options).out)

    assert count("--max-rank", 1, "--max-dim", 2, "--dtypes", "int8, bool") == 6
    assert count("--max-rank", 1, "--max-dim", 2, "--min-dim", 0, "--dtypes", "int8") == 4


def test_answers_as_json():
    lines = [json.loads(line) for line in run("query", BROADCAST, "--format", "json", "-n", 1).out.splitlines()]
    answer, end = lines
    assert set(answer) == {"version", "bindings", "residue", "clauses"} and answer["clauses"][0] == "Broadcast/tensors"
    assert end == {"version": 1, "answers": 1, "status": "answer limit", "complete": False}


def test_user_rules(tmp_path):
    (tmp_path / "mine.rel").write_text("Twice(Tensor[[n], d], Tensor[[m], d]) :- m = n * 2.\n")
    done = run("query", "Twice(A, Tensor[(6), int8])", "--rules", tmp_path)
    assert (done.code, done.out) == (0, "A = Tensor[(3), int8]\n# 1 answer, no more\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Broadcast(A, B", "1:15: error: the text ends here"),
        ("Broadcst(A, B, C)", "error: there is no relation `Broadcst`"),
        ("Broadcast(A, B)", "relates 3"),
        ("", "error: "),
    ],
)
def test_bad_queries(text, said):
    refused = run("query", text)
    assert refused.code == 2 and not refused.out
    assert said in refused.err and "Traceback" not in refused.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("foo,float32", "`foo` is not a dtype"),
        (",", "nothing between two commas"),
        ("int8,,bool", "nothing between two commas"),
        ("", "dtypes are expected"),
        (f"float32x{'9' * 5000}", "1 to 65535 lanes"),
        (f"float{'9' * 5000}", "1 to 65535 bits"),
    ],
)
@pytest.mark.parametrize("command", ["query", "typings"])
def test_dtypes_are_dtypes(command, given, said):
    refused = run(command, BROADCAST, "--dtypes", given)
    assert refused.code == 2 and said in refused.err and not refused.out


def test_dtypes_have_one_spelling():
    assert run("query", "Identity(A, A)", "--max-rank", 0, "--dtypes", "float, float32,int8,", "--count").out == "2\n"


def test_a_budget_that_is_used_up_is_unknown(tmp_path):
    (tmp_path / "mine.rel").write_text("Endless(T) :- Endless((T,)).\n")
    done = run("query", "Endless(T)", "--rules", tmp_path, "--steps", 1000)
    assert done.code == 3 and done.out.startswith("# unknown: step limit")
    counted = run("query", "Endless(T)", "--rules", tmp_path, "--steps", 1000, "--count")
    assert (counted.code, counted.out) == (3, "# unknown: step limit\n")


@pytest.mark.parametrize(
    ("text", "bounds", "unbounded"),
    [
        ("layout_transform(Tensor[(1, 4, 4, 4), t], src_layout=S, dst_layout=D) = B", [], "a rank (--max-rank)"),
        ("add(A, B) = C", ["--max-dim", 3], "a rank (--max-rank)"),
        ("n > 1", [], "a number"),
    ],
)
def test_a_count_without_an_end_says_what_has_none(text, bounds, unbounded):
    """It said that a limit of steps was reached, after none to speak of."""
    counted = run("query", text, "--dtypes", "float32", *bounds, "--ground", "--count")
    assert (counted.code, counted.out) == (3, f"# unknown: nothing bounds {unbounded}\n")
    assert "step limit" not in counted.err


def test_typings_of_a_program():
    done = run("typings", "-", given=OPEN)
    assert done.code == 0 and done.err == ""
    lines = done.out.splitlines()
    assert lines[0] == "%x = int8" and lines[-1] == "# 7 answers, no more"
    assert run("typings", "-", "--count", given=OPEN).out == "7\n"


def test_annotated_typings():
    done = run("typings", "-", "--annotated", "-n", 1, given=OPEN)
    assert "# %x = Tensor[(2, 3), int8]\n" in done.out
    assert "add(%x, %y) /* ty=Tensor[(2, 3), int8] */" in done.out
    listed = run("typings", "-", "--annotated", "-n", 1, "--format", "json", given=OPEN).out.splitlines()
    assert "add(%x, %y) /* ty=Tensor[(2, 3), int8] */" in json.loads(listed[0])["program"]


DENSE = "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(_, _), int8]) { let %y = nn.dense(%x, %w); add(%y, %y) }"
BOUNDED = ("typings", "-", "--ground", "--max-dim", 5)


def test_typings_are_asked_by_clauses_and_for_some_holes():
    done = run(*BOUNDED, "--where", "%w = Tensor[(n, _), _]", "--where", "n < 3, n * n > 1", given=DENSE)
    assert (done.code, done.out.splitlines()[-1]) == (
        0,
        "# 1 answer, no more",
    ) and "%w = Tensor[(2, 3), int8]" in done.out
    done = run(*BOUNDED, "--project", "%w", "--where", "%y[1] > 4", given=DENSE)
    assert (done.code, done.out) == (0, "%w = Tensor[(5, 3), int8]\n# 1 answer, no more\n")
    assert run(*BOUNDED, "--project", "@main,%w", "--count", given=DENSE).out == "5\n"
    assert run(*BOUNDED, "--where", "%w[1] = 2", given=DENSE).code == 1


def test_typings_are_drawn():
    options = ("--sample", 12, "--seed", 5, "--project", "%w")
    done = run(*BOUNDED, *options, given=DENSE)
    assert done.code == 0 and done.out.splitlines()[-1] == "# 12 answers, drawn from 5"
    assert run(*BOUNDED, *options, given=DENSE).out == done.out
    end = json.loads(run(*BOUNDED, *options, "--format", "json", given=DENSE).out.splitlines()[-1])
    assert end == {"version": 1, "answers": 12, "status": "drawn", "complete": False, "total": 5}
    endless = run("typings", "-", "--ground", "--sample", 1, given=DENSE)
    assert endless.code == 3 and "nothing bounds an extent (--max-dim)" in endless.out


def test_the_least_and_the_greatest():
    done = run(*BOUNDED, "--minimize", "elements", "--project", "%w", given=DENSE)
    assert done.code == 0
    assert done.out.splitlines()[:2] == ["%w = Tensor[(1, 3), int8]", "# the least value of `elements` is 9"]
    listed = run(*BOUNDED, "--maximize", "%w[0] * 2", "--format", "json", given=DENSE).out.splitlines()
    assert json.loads(listed[-1])["optimum"] == 10 and len(listed) == 2
    assert run("typings", "-", "--maximize", "%w[0]", given=DENSE).code == 3


def test_families_have_counts():
    done = run(*BOUNDED, "--families", given=DENSE)
    assert done.code == 0 and done.out.endswith("  # 5 typings\n# 1 family, no more\n")
    record = json.loads(run(*BOUNDED, "--families", "--format", "json", given=DENSE).out.splitlines()[0])
    assert record["count"] == 5 and record["forms"][0]["bindings"]["%w"] == "Tensor[(n, 3), int8]"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", "%q = %w"), "the program binds no `%q`"),
        (("--where", "%w = "), "the text ends here"),
        (("--where", "%w[0] <"), "the text ends here"),
        (("--project", "%z"), "the program binds no `%z`"),
        (("--minimize", "%w[0] - 1"), "nothing is subtracted"),
        (("--minimize", "%w"), "`%w` stands for a type and for a number"),
        (("--minimize", "%w[0] < 3"), "a number is wanted here"),
        (("--minimize", "%w[0] * n"), "<objective>:1:9: error: no condition says what `n` is"),
        (("--minimize", "%w[0]", "--maximize", "%w[1]"), "one number"),
        (("--families", "--sample", "3"), "one thing at a time"),
        (("--count", "--families"), "one thing at a time"),
        (("--count", "--annotated"), "one thing at a time"),
        (("--families", "--annotated"), "one thing at a time"),
        (("--seed", "3"), "a seed repeats a draw, and nothing is drawn here"),
        (("--sample", "3", "-n", "2"), "--sample says how many are drawn"),
        (("--sample", "3", "--all"), "--sample says how many are drawn"),
        (("--count", "--seed", "3"), "a seed repeats a draw, and nothing is drawn here"),
        (("--families", "--seed", "3"), "a seed repeats a draw, and nothing is drawn here"),
        (("--sample", "0"), "0 is not in the range"),
    ],
)
def test_questions_about_typings_that_make_no_sense(options, said):
    refused = run(*BOUNDED, *options, given=DENSE)
    assert refused.code == 2 and said in refused.err and not refused.out


def test_a_program_that_is_wrong_whatever_its_types_are_is_an_error():
    refused = run("typings", "-", given="def @main(%x) { nn.dropped(%x) }")
    assert refused.code == 2 and "nn.dropped" in refused.err and not refused.out
    missing = "def @main(%x) { cast(%x) }"
    refused, inferred = run("typings", "-", given=missing), run("infer", "-", given=missing)
    assert refused.code == inferred.code == 2 and refused.err == inferred.err and "is required" in refused.err


def test_a_refuted_program_has_no_typing(tmp_path):
    path = tmp_path / "bad.relay"
    path.write_text("def @main(%x: Tensor[(2), int8], %y: Tensor[(3), int8]) { add(%x, %y) }")
    done = run("typings", path)
    assert (done.code, done.out) == (1, "# no\n")


def test_typings_with_the_prelude():
    text = "def @main(%x, %f: fn (int8) -> bool) -> List[bool] { @map(%f, %x) }"
    done = run("typings", "-", "--prelude", given=text)
    assert (done.code, done.out) == (0, "%x = List[int8]\n# 1 answer, no more\n")


@pytest.mark.parametrize("given", ["def @main(", "", b"\xff\xfe", "def @main() { %x }"])
def test_programs_that_cannot_be_read(given):
    refused = run("typings", "-", given=given)
    assert refused.code == 2 and "error: " in refused.err and not refused.out


def test_interruption(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(relaylogic.cli.listing, "run_query", interrupted)
    done = run("query", BROADCAST)
    assert (done.code, done.err) == (130, "interrupted\n")


def test_the_top_level_gets_the_rules_and_keeps_a_history(monkeypatch, tmp_path):
    seen = []

    def top_level(session, write, history):
        seen.append((session, history))
        write("hello")
        return 0

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(relaylogic.cli.repl, "run", top_level)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.rel").write_text("Same(T, T).\n")
    (tmp_path / "rules" / "bad.rel").write_text("Same(T, \n")
    done = run("repl", "--rules", tmp_path / "rules")
    assert (done.code, done.out) == (0, "hello\n")
    assert done.err.startswith("note: ") and "bad.rel: not loaded" in done.err
    ((session, history),) = seen
    assert "Same" in session.rules.relations
    assert history.parent.is_dir() and history.is_relative_to(tmp_path)


def test_the_top_level_needs_no_home_and_no_keyboard(monkeypatch, tmp_path):
    (tmp_path / "home").write_text("a file")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setattr(relaylogic.cli.repl, "run", lambda session, write, history: 0 if history is None else 1)
    done = run("repl")
    assert done.code == 0 and done.err.startswith("note: no history is kept: ")


def test_the_top_level_reads_a_pipe_to_its_end_without_prompts():
    """A last line without an end was not read, and prompts stood among the answers."""
    done = run("repl", given="n > 3\n;\nfoo(\n\nm = 2")
    said = done.out.splitlines()
    assert (done.code, done.err, said[:2], said[-1]) == (0, "", ["n >= 4", "no more answers"], "m = 2")
    assert said[2].startswith("<query>:1:5: error: ")
    assert run("repl", given=":quit\nm = 2").out == ""


DATA = "type Shape { Circle(int32), Square(int32, int32), }\n"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Cons(A, B, List[int32])", "A = int32, B = List[int32]"),
        ("ConsPattern(L, bool, T)", "L = List[bool], T = List[bool]"),
        ("Cons(A, List[int8], L), ConsPattern(L, H, _)", "A = int8, L = List[int8], H = int8"),
        ("Some(Tensor[(n, 3), int8], Optional[Tensor[(2, m), _]])", "n = 2, m = 3"),
        ("Projection1((int32, bool), B)", "B = bool"),
        ("RosePattern(Tree[(int8, bool)], A, B), Projection0(A, C)", None),
    ],
)
def test_constructors_and_patterns_of_the_prelude_are_relations(query, said):
    done = run("query", "--prelude", query)
    assert done.code == 0 and not done.err
    lines = done.out.splitlines()
    assert lines[-1] == "# 1 answer, no more" and (said is None or lines[0] == said)


def test_constructors_of_a_program_are_relations(tmp_path):
    path = tmp_path / "p.relay"
    path.write_text(DATA)
    done = run("query", "--program", path, "Square(A, B, C)", "--format", "json")
    answer, _ = map(json.loads, done.out.splitlines())
    assert answer["bindings"] == {"A": "int32", "B": "int32", "C": "Shape[]"}
    assert answer["clauses"] == ["Square/signature"]
    assert run("query", "--program", path, "Square(A, bool, C)").code == 1
    missing = run("query", "--program", path, "Cons(A, B, C)")
    assert missing.code == 2 and "there is no relation `Cons`" in missing.err
    both = run("query", "--program", path, "--prelude", "Cons(A, B, C), Circle(A, D)")
    assert both.code == 0 and "A = int32" in both.out
    assert run("query", "--program", tmp_path / "none.relay", "Circle(A, B)").code == 2


def test_names_that_mean_several_are_told_apart(tmp_path):
    path = tmp_path / "p.relay"
    path.write_text('import "prelude"\ntype List { Cons(int8), Flatten(int8), }\n')

    def asked(query):
        done = run("query", "--program", path, query)
        return done.out.splitlines()[0] if done.code == 0 else done.err

    assert "`program.Cons` (the constructor of `List` at " in asked("Cons(A, B)")
    assert "`prelude.Cons` (the constructor of `List` at <prelude>:" in asked("Cons(A, B)")
    assert "`rules.Flatten` (the relation of the rule base), `program.Flatten`" in asked("Flatten(A, B)")
    assert "`List` means several data types: `program.List` at " in asked("Nil(List[int8])")
    assert asked("program.Cons(A, L)") == "A = int8, L = List[]"
    assert asked("prelude.Cons(A, B, prelude.List[bool])") == "A = bool, B = List[bool]"
    assert asked("program.Cons(A, L), Nil(L)") == ""
    assert asked("rules.Flatten(Tensor[(2, 3, 4), int8], T)") == "T = Tensor[(2, 12), int8]"
    assert asked("program.Flatten(A, program.List[])") == "A = int8"


def test_files_of_rules_may_speak_of_constructors(tmp_path):
    (tmp_path / "second.rel").write_text("second: Second(L, A) :- ConsPattern(L, _, T), ConsPattern(T, A, _).\n")
    (tmp_path / "p.relay").write_text("def @main(%x, %y: List[int8]) -> List[int8] { Cons(%x, %y) }")
    done = run("query", "--prelude", "--rules", tmp_path, "Second(L, bool)")
    assert (done.code, done.out.splitlines()[0]) == (0, "L = List[bool]")
    typed = run("typings", tmp_path / "p.relay", "--prelude", "--rules", tmp_path, "--where", "Second(%y, %x)")
    assert (typed.code, typed.out) == (0, "%x = int8\n# 1 answer, no more\n")
    none = run("typings", tmp_path / "p.relay", "--prelude", "--rules", tmp_path, "--where", "Some(%x, %y)")
    assert (none.code, none.out) == (1, "# no\n")
    alone = run("query", "--rules", tmp_path / "second.rel", "Second(L, bool)")
    assert alone.code == 2 and "there is no relation `ConsPattern`" in alone.err


def test_the_top_level_knows_a_program(monkeypatch, tmp_path):
    sessions = []
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(relaylogic.cli.repl, "run", lambda session, write, history: sessions.append(session) or 0)
    assert run("repl", "--prelude").code == 0
    (session,) = sessions
    assert list(session.execute("Cons(A, B, List[int32])")) == ["A = int32, B = List[int32]"]
    (proof,) = session.execute(":explain")
    assert proof.startswith("Cons(int32, List[int32], List[int32])  [signature]")
    assert "field 2 of `Cons` has its declared type" in proof
    path = tmp_path / "p.relay"
    path.write_text(DATA)
    assert list(session.execute(f":program {path}")) == [f"loaded {path}: 1 data type"]
    assert "there is no relation `Cons`" in next(session.execute("Cons(A, B, C)"))
    assert list(session.execute("CirclePattern(A, B)")) == ["A = Shape[], B = int32"]
    assert list(session.execute(":doc Square"))[-1] == "Square(int32, int32, Shape[])."
    assert {"Square", "SquarePattern", "Shape"} <= set(session.words())
    (tmp_path / "r.rel").write_text("Round(S) :- CirclePattern(S, _).\n")
    assert list(session.execute(f":load {tmp_path / 'r.rel'}"))[-1].startswith("loaded")
    assert list(session.execute("Round(S)")) == ["S = Shape[]"]
    path.write_text("def @main(")
    assert "error" in next(session.execute(f":program {path}"))
    assert list(session.execute("Round(S)")) == ["S = Shape[]"]
    path.write_text(DATA + "type Own { Mine }")
    assert "relations" in list(session.execute(":reload"))[-1]
    assert list(session.execute("Mine(S)")) == ["S = Own[]"]
    assert next(session.execute(":program")) == "`:program` takes one file, or `prelude`"


def test_a_name_that_several_functions_bind_is_told_with_them():
    program = "def @f(%x) { nn.relu(%x) }\ndef @main(%x, %w) { nn.dense(@f(%x), %w) }"
    done = run("typings", "-", "--where", "%x[0] > 2", given=program)
    assert done.code == 2
    assert "<where>:1:1: error: `%x` is bound in several functions" in done.err
    assert "write `@f %x` or `@main %x`" in done.err


@pytest.mark.parametrize("folder", ["", "somewhere"])
def test_no_history_is_kept_beside_what_one_works_on(monkeypatch, tmp_path, folder):
    """An empty XDG_CONFIG_HOME made a folder where one stood."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", folder)
    done = run("repl", given="n < 3")
    assert (done.code, done.out) == (0, "n <= 2\n") and done.err.startswith("note: no history is kept: ")
    assert not list(tmp_path.iterdir())


def test_a_line_of_the_top_level_that_is_no_text_leaves_the_others():
    """Where the encoding of standard input is strict, the first ended it as a fault of relaylogic."""
    done = run("repl", given=b"n < 3\nm = \xff\n:d\xffc\nm = 2\n")
    said = done.out.splitlines()
    assert (done.code, said[0], said[-1]) == (0, "n <= 2", "m = 2") and "there is no command :d" in done.out
    assert "does not belong to clause notation" in done.out


def test_the_top_level_reads_a_file_with_a_byte_order_mark():
    assert run("repl", given=b"\xef\xbb\xbfn < 3\n").out == "n <= 2\n"
