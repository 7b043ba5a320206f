"""Limits on the command line: every phase ends by its limit with exit code 3, the limit's name and its value."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.effort import in_turn

from .running import Run, run

LONG = 30.0  # seconds of the processor: what is stopped after a fraction of one ends by then
NAMES = {"time": "time limit of", "steps": "step limit of", "memory": "memory limit of", "output": "output limit of"}

RELU = "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"


def chain(length: int) -> str:
    """A program of so many calls, one after the other."""
    lines = [f"let %v{i + 1} = nn.relu(%v{i});" for i in range(length)]
    return f"def @main(%v0: Tensor[(2, 3), float32]) {{ {' '.join(lines)} %v{length} }}"


def matching(number: int) -> str:
    """A match over a data type of so many constructors."""
    constructors = ", ".join(f"C{i}(T, T)" for i in range(number))
    arms = " ".join(f"C{i}(_, C{i * 3 % number}(_, _)) => {{ {i} }}," for i in range(number))
    return f"type T {{ {constructors} }}\ndef @main(%t: T) -> int32 {{ match (%t) {{ {arms} }} }}"


PROGRAMS = {
    "many calls": chain(150_000),
    "a deep nest": f"def @main(%x: Tensor[(2, 3), float32]) {{ {'nn.relu(' * 100_000}%x{')' * 100_000} }}",
    "brackets": "(" * 500_000,
    "a high rank": f"def @main(%x: Tensor[({'1, ' * 10_000}1), float32], %y) {{ add(%x, %y) }}",
    "projections": f"def @main(%x) {{ %x{'.0' * 60_000} }}",
    "a long attribute": "def @main(%x: Tensor[(2, 3), float32]) "
    f"{{ reshape(%x, newshape=[{', '.join(['1'] * 500_000)}]) }}",
    "a large match": matching(800),
    "many refusals": "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(5, 4), float32]) {\n"
    + "".join(f"  let %v{i} = add(%x, reshape(%y, newshape=[{i + 7}]));\n" for i in range(2000))
    + "  %x\n}",
    "open calls": "def @main(%v0) {\n"
    + "".join(f"  let %v{i + 1} = add(%v{i}, {i % 7}f);\n" for i in range(20_000))
    + "  %v20000\n}",
}


def limited(limit: str, value: object, *arguments: object, given: str | None = None) -> Run:
    """Run a command that a limit should stop."""
    started = time.process_time()
    done = run(*arguments, f"--{limit}", value, given=given)
    assert time.process_time() - started < LONG
    assert done.code == 3, (done.out[-500:], done.err[-500:])
    assert NAMES[limit] in done.out + done.err and f"--{limit}" in done.out + done.err
    assert "Traceback" not in done.err
    return done


@pytest.mark.parametrize(("phase", "form"), in_turn(PROGRAMS, ("text", "json")))
def test_inference_takes_no_longer_than_it_may(phase: str, form: str) -> None:
    done = limited("time", 0.2, "infer", "-", "--format", form, given=PROGRAMS[phase])
    if form == "json":
        said = json.loads(done.out)
        assert (said["verdict"], said["limit"]) == ("unknown", "time limit")


@pytest.mark.parametrize("phase", ["many calls", "a deep nest", "brackets", "a long attribute"])
def test_inference_takes_no_more_memory_than_it_may(phase: str) -> None:
    limited("memory", "5M", "infer", "-", given=PROGRAMS[phase])


@pytest.mark.parametrize("phase", ["a large match", "many refusals", "a high rank"])
def test_inference_takes_no_more_steps_than_it_may(phase: str) -> None:
    limited("steps", 100, "infer", "-", given=PROGRAMS[phase])


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_more_is_printed_than_may_be(form: str) -> None:
    done = limited("output", "2k", "infer", "-", "--format", form, given=chain(200))
    assert len(done.out) <= 2000


def test_each_file_has_its_own_limits(tmp_path: Path) -> None:
    long, short = tmp_path / "long.relay", tmp_path / "short.relay"
    long.write_text(chain(100_000))
    short.write_text(RELU)
    done = run("infer", "--quiet", "--time", "0.3", long, short, long)
    assert done.code == 3
    assert "short.relay: typed" in done.out
    assert done.err.count("time limit of 0.3 s") == 2


def test_what_was_done_is_printed() -> None:
    functions = "".join(
        f"def @f{i}(%x: Tensor[({i + 1}, 3, 2), float32]) {{ transpose(%x, axes=[2, 0, 1]) }}\n" for i in range(500)
    )
    done = limited("steps", 1000, "infer", "-", given=functions)
    assert "@f0: fn (Tensor[(1, 3, 2), float32]) -> Tensor[(2, 1, 3), float32]" in done.out
    assert "@f499" not in done.out
    said = json.loads(limited("steps", 1000, "infer", "--format", "json", "-", given=functions).out)
    assert said["functions"] and said["calls"] and said["residue"][0]["limit"] == "step limit"


SQUARINGS = "x0 = 1234567, " + ", ".join(f"x{i + 1} = x{i} * x{i}" for i in range(60))
PRODUCT = "*".join(f"(a{i} + b{i} + 1)" for i in range(30))
QUERIES = [
    SQUARINGS,
    "n * m = " + "7" * 250 + "3, n > 1",
    "len(s) = 150000, len(u) = 150000, append(s, u, v)",
    f"x = {PRODUCT}",
    ", ".join(f"n{i} < n{i + 1}" for i in range(20_000)),
]


@pytest.mark.parametrize(("place", "count"), in_turn(range(len(QUERIES)), (False, True)))
def test_queries_take_no_longer_than_they_may(place: int, count: bool) -> None:
    options = ["--count"] if count else []
    limited("time", 0.2, "query", QUERIES[place], "--steps", 10**12, *options)


def test_endless_answers_are_printed_until_a_limit() -> None:
    done = limited("time", 0.5, "query", "n * m = k", "--all", "--ground")
    assert done.out.startswith("# nothing bounds") or "n = " in done.out
    assert done.out.splitlines()[-2].startswith("# unknown: time limit of 0.5 s reached; ")
    lines = limited("output", 1000, "query", "n * m = k", "--all", "--ground", "--format", "json").out.splitlines()
    ending = json.loads(lines[-1])
    assert (ending["answers"], ending["status"], ending["limit"]) == (len(lines) - 1, "unknown: output limit", 1000)
    assert sum(len(line) + 1 for line in lines[:-1]) <= 1000


def test_the_steps_of_an_answer_are_named() -> None:
    for options in ([], ["--count"]):
        done = run("query", "n*n*n + m*m*m = k*k*k, n > 0, m > 0, k < 100000", "--steps", 1000, *options)
        assert done.code == 3 and done.out.startswith("# unknown: step limit")
        assert "step limit of 1,000 for each" in done.err and "--steps" in done.err


def test_typings() -> None:
    limited("time", 0.2, "typings", "-", given=PROGRAMS["open calls"])
    said = limited("time", 0.2, "typings", "-", "--format", "json", given=PROGRAMS["open calls"])
    assert json.loads(said.out)["status"] == "unknown: time limit"


def test_rules(tmp_path: Path) -> None:
    long = tmp_path / "long.rel"
    long.write_text(
        "".join(f"R{i}(A, B) :- A = Tensor[(n, {i}), t], B = Tensor[(n), t], n > 1.\n" for i in range(20_000))
    )
    limited("time", 0.2, "rules", "check", long)
    limited("time", 0.2, "query", "true", "--rules", tmp_path)
    deep = tmp_path / "deep" / "deep.rel"
    deep.parent.mkdir()
    deep.write_text("R(A) :- R((A, A)).\nR(Tensor[(1), int8]).\n")
    limited("time", 0.2, "rules", "check", deep)
    limited("time", 0.2, "query", "R(A)", "--rules", deep.parent, "--all", "--steps", 10**12)
    limited("output", 100, "rules", "list")
    limited("output", 100, "rules", "show", "nn.conv2d")


@pytest.mark.parametrize(
    "command",
    [
        ["infer", "ok.relay", "ok.relay"],
        ["why", "ok.relay", "%x"],
        ["query", "true"],
        ["query", "true", "--count"],
        ["typings", "ok.relay"],
        ["typings", "ok.relay", "--count"],
    ],
)
@pytest.mark.parametrize(("limit", "value"), [("time", 0.2), ("memory", "2M")])
def test_a_limit_that_is_reached_while_rules_are_loaded_is_told_in_json(
    tmp_path: Path, command: list[str], limit: str, value: object
) -> None:
    (tmp_path / "ok.relay").write_text(RELU)
    (tmp_path / "long.rel").write_text(
        "".join(f"R{i}(A, B) :- A = Tensor[(n, {i}), t], B = A.\n" for i in range(20_000))
    )
    arguments = [str(tmp_path / word) if word.endswith(".relay") else word for word in command]
    done = limited(limit, value, *arguments, "--rules", tmp_path, "--format", "json")
    said = [json.loads(line) for line in done.out.splitlines()]
    assert len(said) == command.count("ok.relay") or len(said) == 1
    for item in said:
        told = item["verdict"] + ": " + item["limit"] if command[0] == "infer" else item["status"]
        assert told == f"unknown: {limit} limit"


def test_sarif_and_pages_tell_a_limit_that_is_reached_while_rules_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "ok.relay").write_text(RELU)
    (tmp_path / "long.rel").write_text(
        "".join(f"R{i}(A, B) :- A = Tensor[(n, {i}), t], B = A.\n" for i in range(20_000))
    )
    done = limited("time", 0.2, "infer", tmp_path / "ok.relay", "--rules", tmp_path, "--format", "sarif")
    (run_,) = json.loads(done.out)["runs"]
    assert "time limit" in run_["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    done = limited("time", 0.2, "report", tmp_path / "ok.relay", "--rules", tmp_path, "-o", tmp_path / "page.html")
    assert "time limit" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("limit", "value", "program"),
    [("time", 0.3, "open calls"), ("memory", "1M", "open calls"), ("steps", 1, "one"), ("output", 10, "one")],
)
def test_why_tells_a_limit_in_json(limit: str, value: object, program: str) -> None:
    given = PROGRAMS.get(program, RELU)
    done = limited(limit, value, "why", "-", "@main", "--format", "json", given=given)
    assert json.loads(done.out)["status"] == f"unknown: {NAMES[limit].removesuffix(' of')}"


def test_each_line_of_the_top_level_has_its_own_limits() -> None:
    from relaylogic.cli.inputs import read_definitions
    from relaylogic.cli.repl import Session

    session = Session((), {"time": 0.3}, 10**12, definitions=read_definitions)
    (said,) = session.execute(f"x = {PRODUCT}")
    assert said.startswith("unknown: time limit of 0.3 s reached")
    assert list(session.execute("member(n, (1, 2))")) == ["n = 1"]
    assert list(session.execute(";")) == ["n = 2"]
    (said,) = session.execute(f":count x = {PRODUCT}")
    assert said.startswith("unknown: time limit of 0.3 s reached")


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("time", "0"),
        ("time", "soon"),
        ("time", "inf"),
        ("memory", "0"),
        ("memory", "much"),
        ("output", "-1"),
        ("steps", "0"),
    ],
)
def test_what_is_no_limit_is_refused(limit: str, value: str) -> None:
    assert run("infer", f"--{limit}={value}", "-", given=RELU).code == 2


@pytest.mark.parametrize("value", ["500M", "1.5g", "300000k", "4000000000", "2GB"])
def test_sizes(value: str) -> None:
    assert run("infer", "--memory", value, "--output", value, "-", given=RELU).code == 0


@pytest.mark.parametrize(
    "command", [["infer"], ["query"], ["typings"], ["repl"], ["rules", "list"], ["rules", "show"], ["rules", "check"]]
)
def test_every_command_has_every_limit(command: list[str]) -> None:
    said = run(*command, "--help").out
    assert all(f"--{name}" in said for name in NAMES)


def test_numbers_of_thousands_of_digits_are_printed() -> None:
    squarings = "x0 = 1234567, " + ", ".join(f"x{i + 1} = x{i} * x{i}" for i in range(12))
    done = run("query", f"{squarings}, A = Tensor[(x12, x11), int8], y + x12 = x11 * k")
    assert done.code == 0
    assert f"x12 = {hex(1234567**4096)}" in done.out and f"x1 = {1234567**2}," in done.out
    bounds = ("--max-dim", 100, "--max-rank", 3000)
    question = "Tensor[s, int8] = A, len(s) = 3000"
    assert run("query", question, "--count", *bounds).out == f"{hex(100**3000)}\n"
    said = json.loads(run("query", question, "--count", "--format", "json", *bounds).out)
    assert (said["count"], said["status"]) == (hex(100**3000), "exhausted")


BEYOND = [["--minimize", "%x[{}]"], ["--where", "%x[{}] = 1"], ["--where", "%x[{}] = 1", "--count"]]


@pytest.mark.parametrize("asked", BEYOND)
def test_a_place_beyond_the_longest_list_is_a_limit(asked: list[str]) -> None:
    program = "def @main(%x: Tensor[(_, _), float32]) { nn.relu(%x) }"
    done = run("typings", "-", *(word.format("9" * 20) for word in asked), given=program)
    assert done.code == 3 and "step limit" in done.out + done.err, done


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no file without an end")
def test_a_rule_file_without_an_end_is_stopped(tmp_path: Path) -> None:
    done = run("rules", "check", "/dev/zero", "--memory", "50M", "--time", "20")
    assert done.code == 3 and any(name in done.out + done.err for name in ("memory limit", "time limit")), done
    (tmp_path / "endless.rel").symlink_to("/dev/zero")
    done = run("query", "true", "--rules", tmp_path, "--memory", "50M", "--time", "20")
    assert done.code == 3 and any(name in done.out + done.err for name in ("memory limit", "time limit")), done


@pytest.mark.parametrize(
    "asked",
    [
        ["member(n, (1, 2))"],
        ["n * m = 7, n < 0"],
        ["n < 3", "--count"],
        ["n*n*n + m*m*m = k*k*k, n > 0, m > 0, k < 100000", "--steps", "100"],
    ],
)
def test_an_ending_that_may_not_be_printed_is_told_in_json(asked: list[str]) -> None:
    done = run("query", *asked, "--output", 1, "--format", "json")
    assert done.code == 3 and json.loads(done.out.splitlines()[-1])["status"] == "unknown: output limit"


@pytest.mark.skipif(os.name != "posix", reason="only there a pipe can be asked whether it has something")
@pytest.mark.parametrize("command", [["infer", "-"], ["query", "--program", "-", "n < 3"], ["why", "-", "%x"]])
def test_the_time_is_over_while_nothing_comes(command):
    """A command waited for as long as its standard input had no end."""
    line = [sys.executable, "-m", "relaylogic", command[0], "--time", "0.3", *command[1:]]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as waiting:
        try:
            assert waiting.wait(timeout=30) == 3
            assert b"time limit of 0.3 s reached" in waiting.stdout.read() + waiting.stderr.read()
        finally:
            waiting.kill()


def test_what_comes_in_parts_is_read_to_its_end():
    line = [sys.executable, "-m", "relaylogic", "infer", "--quiet", "-"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as waiting:
        for part in (b"def @main(%x: int8) ", b"{ %x", b" }\n"):
            waiting.stdin.write(part)
            waiting.stdin.flush()
            time.sleep(0.1)
        waiting.stdin.close()
        assert b"<stdin>: typed" in waiting.stdout.read()
        assert waiting.wait(timeout=30) == 0
