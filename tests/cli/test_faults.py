"""Faults put under every command: what cannot be written or read, signals, too little memory, too shallow a stack.

Each command runs in a process of its own, where the fault is one of a process. Whatever happens, it ends with a
documented exit code, without a traceback, and never with a verdict that it has not reached.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.cli.running import interruptible, run
from tests.effort import in_turn, some

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="asks a POSIX system")

COMMANDS = {
    "infer": ["infer", "ok.relay"],
    "infer json": ["infer", "--format", "json", "ok.relay", "ok.relay"],
    "infer sarif": ["infer", "--format", "sarif", "ok.relay"],
    "report": ["report", "ok.relay", "-o", "-"],
    "schema": ["schema", "infer"],
    "why": ["why", "ok.relay", "%x"],
    "why json": ["why", "ok.relay", "@main", "--format", "json"],
    "query": ["query", "Broadcast(A, B, C)", "-n", "50"],
    "query json": ["query", "Broadcast(A, B, C)", "-n", "50", "--format", "json"],
    "count": ["query", "Broadcast(A, B, int8)", "--count"],
    "typings": ["typings", "open.relay", "-n", "20"],
    "repl": ["repl"],
    "rules list": ["rules", "list"],
    "rules show": ["rules", "show", "nn.dense"],
    "rules check": ["rules", "check", "mine.rel", "--samples", "1", "--max-rank", "1"],
}
"""Commands that end with 0."""
LONG = {
    "infer": ["infer", "--quiet", "long.relay"],
    "query": ["query", "Broadcast(A, B, C)", "--all", "--ground"],
    "typings": ["typings", "open.relay", "--all", "--ground"],
    "repl": ["repl"],
    "rules check": ["rules", "check", "mine.rel", "--samples", "6", "--max-rank", "3"],
}
"""Commands that are at work for seconds."""
FAULTS = {70, 74, 130, 141}  # what `relaylogic.cli.ending` says of what is no verdict
QUESTIONS = b"Broadcast(A, B, C)\n;\n:doc nn.dense\n:count n <= 3\n" * 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("faults")
    lets = "".join(f"let %x{i + 1} = add(%x{i}, %x{i});\n" for i in range(30_000))
    texts = {
        "ok.relay": "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }\n",
        "open.relay": "def @main(%x, %y) { add(%x, %y) }\n",
        "long.relay": f"def @main(%x0: Tensor[(2, 3), float32]) {{ {lets} %x30000 }}\n",
        "some.relay": f"def @main(%x0: Tensor[(2, 3), float32]) {{ {lets[: lets.index('%x301 ') - 5]} %x300 }}\n",
        "deep.relay": f"def @main(%x: int8) {{ {'negative(' * 5_000}%x{')' * 5_000} }}\n",
        "bad.relay": "def @main(%x: Tensor[(2), int8], %y: Tensor[(3), int8]) { add(%x, %y) }\n",
        "mine.rel": "Pair(Tensor[s, t], Tensor[o, t]) :- append(s, s, o).\n",
    }
    for name, text in texts.items():
        (made / name).write_text(text)
    return made


def started(
    folder: Path,
    arguments: list[str],
    before: Callable[[], None] | None = None,
    known: dict[str, str] | None = None,
    **streams: object,
) -> object:
    known = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), **(known or {})}
    command = [sys.executable, "-m", "relaylogic", *arguments]
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}

    def begun() -> None:
        interruptible()
        if before is not None:
            before()

    return subprocess.Popen(command, cwd=folder, env=known, preexec_fn=begun, **given)  # noqa: PLW1509


def ended(process: object) -> tuple[int, bytes, bytes]:
    """The exit code as a shell has it, and what was written."""
    try:
        out, err = process.communicate(QUESTIONS, timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    code = process.returncode
    return (code if code >= 0 else 128 - code), out or b"", err or b""


def tell(code: int, err: bytes, allowed: set[int]) -> None:
    assert code in allowed, (code, err[-600:])
    assert b"Traceback" not in err and b"Exception ignored" not in err, err[-600:]


# ---- what cannot be written or read


@pytest.mark.parametrize("name", COMMANDS)
def test_without_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(folder)
    done = run(*COMMANDS[name], given=QUESTIONS)
    tell(done.code, done.err.encode(), {0})
    assert done.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("name", some(COMMANDS))
def test_a_full_disk(folder: Path, name: str) -> None:
    with open("/dev/full", "wb") as full:
        code, _, err = ended(started(folder, COMMANDS[name], stdout=full))
    tell(code, err, {74})


@pytest.mark.parametrize("name", some(COMMANDS))
def test_nobody_reads(folder: Path, name: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code, _, err = ended(started(folder, COMMANDS[name], stdout=writer))
    os.close(writer)
    tell(code, err, {141})


@pytest.mark.parametrize(("name", "stream"), some(product(COMMANDS, range(3)), 12))
def test_a_closed_stream(folder: Path, name: str, stream: int) -> None:
    code, _, err = ended(started(folder, COMMANDS[name], before=lambda: os.close(stream)))
    tell(code, err, {0: {2} if name == "repl" else {0}, 1: {74}, 2: {0}}[stream])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["infer", "/proc/self/mem"], b"cannot be read"),
        (["typings", "/proc/self/mem"], b"cannot be read"),
        (["rules", "check", "/proc/self/mem"], b"cannot be read"),
        (["infer", "."], b"this is a directory"),
        (["infer", "nowhere/x.relay"], b"cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: bytes
) -> None:
    monkeypatch.chdir(folder)
    done = run(*arguments)
    tell(done.code, done.err.encode(), {2})
    assert said in done.err.encode()


@pytest.mark.parametrize(("home", "name"), in_turn(["/proc", "/dev/null"], ["repl", "query"]))
def test_a_home_that_cannot_be_written(folder: Path, name: str, home: str) -> None:
    code, out, err = ended(started(folder, COMMANDS[name], known={"HOME": home}))
    tell(code, err, {0})
    assert out


# ---- signals


def moments(name: str) -> Iterator[float]:
    """When a signal comes, in seconds after the first of the work that can be seen from outside."""
    chosen = random.Random(name)
    yield from (chosen.uniform(0.0, 0.6) for _ in range(1))


def test_an_interruption_while_the_command_line_is_loaded(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n")
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    code, out, err = ended(started(folder, COMMANDS["infer"], known={"PYTHONPATH": path}))
    assert (code, out, err) == (130, b"", b"interrupted\n")


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [(name, *signal_) for name, signal_ in in_turn(LONG, [(signal.SIGINT, 130), (signal.SIGTERM, 143)])],
)
def test_a_signal(folder: Path, name: str, number: signal.Signals, expected: int) -> None:
    for moment in moments(f"{name} {number}"):
        process = started(folder, LONG[name])
        time.sleep(0.5 + moment)
        if process.poll() is not None:  # it was too fast
            process.communicate()
            continue
        process.send_signal(number)
        code, out, err = ended(process)
        # The top level is asked something and is still there after an interruption.
        tell(code, err, {expected, 0} if name == "repl" and number == signal.SIGINT else {expected, 0, 3})
        assert not out or out.endswith(b"\n") or number == signal.SIGTERM


# ---- files that are written


WRITING = {
    "page": ["report", "some.relay", "-o", "out"],
    "trace": ["infer", "--quiet", "some.relay", "--trace", "out"],
}


def is_whole(name: str, text: str) -> bool:
    if name == "page":
        return text.endswith("</html>")
    return len([json.loads(line) for line in text.splitlines()]) > 300


def written(name: str, folder: Path, tmp_path: Path, is_new: bool) -> tuple[list[str], Path]:
    target = tmp_path / "out"
    if not is_new:
        target.write_text("before")
    return [str(target) if word == "out" else word for word in WRITING[name]], target


def left(name: str, target: Path, is_new: bool, may_be_done: bool) -> None:
    """Nothing else is left than what was there before, or the whole file."""
    assert [path.name for path in target.parent.iterdir()] in ([[]] if is_new else []) + [["out"]]
    if target.exists() and (is_new or target.read_text() != "before"):
        assert may_be_done and is_whole(name, target.read_text())


@pytest.mark.parametrize(("name", "is_new"), in_turn(WRITING, [True, False]))
def test_a_file_is_written(folder: Path, tmp_path: Path, name: str, is_new: bool) -> None:
    arguments, target = written(name, folder, tmp_path, is_new)
    code, _, err = ended(started(folder, arguments))
    tell(code, err, {0})
    assert is_whole(name, target.read_text()) and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "number", "is_new"), some(product(WRITING, (signal.SIGINT, signal.SIGTERM), (True, False)), 4)
)
def test_a_signal_leaves_no_half_written_file(
    folder: Path, tmp_path: Path, name: str, number: signal.Signals, is_new: bool
) -> None:
    arguments, target = written(name, folder, tmp_path, is_new)
    chosen = random.Random(f"{name} {number} {is_new}")
    for _ in some(range(3)):
        process = started(folder, arguments)
        time.sleep(chosen.uniform(0.5, 1.5))
        if process.poll() is None:
            process.send_signal(number)
        code, _, err = ended(process)
        tell(code, err, {0, 3, 128 + number})
        left(name, target, is_new, may_be_done=True)


@pytest.mark.parametrize(("is_new", "name"), in_turn([True, False], [*WRITING][::-1]))
def test_a_disk_that_is_full_in_the_middle(folder: Path, tmp_path: Path, name: str, is_new: bool) -> None:
    arguments, target = written(name, folder, tmp_path, is_new)
    code, _, err = ended(started(folder, arguments, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000,) * 2)))
    tell(code, err, {74})
    left(name, target, is_new, may_be_done=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("name", WRITING)
def test_a_device_is_written_itself(folder: Path, name: str) -> None:
    code, _, err = ended(started(folder, ["/dev/full" if word == "out" else word for word in WRITING[name]]))
    tell(code, err, {74})
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize(("cache", "name"), in_turn(["/proc", "/dev/null", "/nowhere/at/all", ""], ["infer", "query"]))
def test_a_cache_that_cannot_be_written(folder: Path, name: str, cache: str) -> None:
    code, out, err = ended(started(folder, COMMANDS[name], known={"RELAYLOGIC_CACHE": cache}))
    tell(code, err, {0})
    assert out


@pytest.mark.parametrize(
    ("name", "encoding"),
    some(
        product(
            ["infer", "infer json", "query", "why", "rules show"], ["ascii", "utf-16", "cp037", "no-such-encoding"]
        ),
        3,
    ),
)
def test_encodings(folder: Path, name: str, encoding: str) -> None:
    known = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "relaylogic", *COMMANDS[name]]
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, timeout=120, check=False)
    if encoding == "no-such-encoding":  # Python itself does not start
        assert done.returncode not in (0, 2, 3)
    else:
        tell(done.returncode, done.stderr, {0})
        assert done.stdout.decode(encoding)


# ---- too little memory, too shallow a stack


@pytest.mark.parametrize("name", [*some(COMMANDS), "long"])
@pytest.mark.parametrize("megabytes", [100])
def test_little_memory(folder: Path, name: str, megabytes: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)

    code, _, err = ended(started(folder, COMMANDS.get(name, LONG["infer"]), before=limit))
    assert code in {0, 3, 70}, (code, err[-600:])
    if code == 70:
        assert b"MemoryError" in err or b"out of memory" in err, err[-600:]


SHALLOW = (
    "import sys; from relaylogic.cli.commands import main\n"
    "sys.setrecursionlimit({depth}); sys.argv[0] = 'relaylogic'; main()"
)


@pytest.mark.parametrize("depth", [130])
@pytest.mark.parametrize("name", [*some(COMMANDS), "deep", "refuted"])
def test_a_shallow_stack(folder: Path, name: str, depth: int) -> None:
    arguments = {"deep": ["infer", "--quiet", "deep.relay"], "refuted": ["infer", "bad.relay"], **COMMANDS}[name]
    known = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    command = [sys.executable, "-c", SHALLOW.format(depth=depth), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=known, input=QUESTIONS, capture_output=True, timeout=120, check=False
    )
    tell(done.returncode, done.stderr, {1, 70} if name == "refuted" else {0, 3, 70})
