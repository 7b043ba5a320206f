"""Every way a command can end: its exit code, and that a message says so. Each in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import relaylogic.cli.listing
import relaylogic.explain.report
from relaylogic import __version__
from tests.cli.running import interruptible, run

ROOT = Path(__file__).resolve().parents[2]
OK = "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }\n"
BAD = "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 5), float32]) { add(%x, %y) }\n"
FOREIGN = 'def @main(%"名é𝄞": Tensor[(2, 3), float32], %y: Tensor[(4, 5), float32]) { add(%"名é𝄞", %y) }\n'

posix = pytest.mark.skipif(os.name != "posix", reason="asks a POSIX shell")
full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")


@pytest.fixture
def folder(tmp_path):
    for name, text in {"ok": OK, "bad": BAD, "foreign": FOREIGN}.items():
        (tmp_path / f"{name}.relay").write_text(text, encoding="utf-8")
    return tmp_path


def shell(folder, line, out=subprocess.PIPE, **environment):
    """Run a line of a shell in which `$RL` is the command."""
    command = f"{sys.executable} -m relaylogic"
    known = {**os.environ, "RL": command, "PYTHONPATH": str(ROOT), **environment}
    streams = {"stdout": out, "stderr": subprocess.PIPE}
    return subprocess.run(["bash", "-c", line], cwd=folder, env=known, timeout=60, check=False, **streams)


def broken(*_, **__):
    raise KeyError("weird")


# ---- faults of relaylogic


def test_a_crash_is_no_verdict(folder, monkeypatch):
    monkeypatch.setattr(relaylogic.explain.report, "infer_module", broken)
    monkeypatch.delenv("RELAYLOGIC_DEBUG", raising=False)
    done = run("infer", folder / "ok.relay", folder / "missing.relay")
    assert done.code == 70 and done.out == ""
    assert done.err.startswith(f"{folder / 'ok.relay'}: internal error: KeyError: 'weird'\n")
    assert f"relaylogic {__version__}" in done.err and "to report it" in done.err and "Traceback" not in done.err
    assert "missing.relay: error: cannot be read" in done.err  # a crash at one file does not hide the others


def test_a_crash_is_no_verdict_in_any_command(monkeypatch):
    monkeypatch.setattr(relaylogic.cli.listing, "run_query", broken)
    done = run("query", "Broadcast(A, B, C)")
    assert done.code == 70 and done.err.startswith("internal error: KeyError: 'weird'\n")


def test_a_traceback_is_printed_to_those_who_ask(folder, monkeypatch):
    monkeypatch.setattr(relaylogic.explain.report, "infer_module", broken)
    monkeypatch.setenv("RELAYLOGIC_DEBUG", "1")
    done = run("infer", folder / "ok.relay")
    assert done.code == 70 and done.err.startswith("Traceback") and "internal error: KeyError" in done.err


def test_an_error_without_a_text_is_still_told(folder, monkeypatch):
    class Unprintable(Exception):
        def __str__(self):
            raise ValueError

    def fail(*_, **__):
        raise Unprintable

    monkeypatch.setattr(relaylogic.explain.report, "infer_module", fail)
    done = run("infer", folder / "ok.relay")
    assert done.code == 70 and "internal error: Unprintable\n" in done.err


def test_a_rule_file_cannot_end_the_program_with_a_verdict(folder):
    (folder / "rules").mkdir()
    (folder / "rules" / "leave.py").write_text("raise SystemExit(0)\n")
    done = run("infer", "--rules", folder / "rules", "--python-rules", folder / "bad.relay")
    assert done.code == 2 and "a file of rules ends the program" in done.err


# ---- output that cannot be written


@posix
@pytest.mark.parametrize(
    "command",
    ["infer {examples}/resnet50.relay", "query 'Broadcast(A, B, C)' -n 5000", "rules list", "infer --help"],
)
def test_a_broken_pipe(folder, command):
    command = command.format(examples=ROOT / "examples")
    reader, writer = os.pipe()
    os.close(reader)  # it is gone before the first line is written
    done = shell(folder, f"$RL {command}; exit $?", writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@posix
def test_a_pipe_that_breaks_in_the_middle(folder):
    done = shell(folder, "set -o pipefail; $RL query 'Broadcast(A, B, C)' --all --ground | head -1")
    assert (done.returncode, done.stderr) == (141, b"") and done.stdout.count(b"\n") == 1


@full_device
@pytest.mark.parametrize(
    "command",
    [
        "infer ok.relay",
        "infer --format json bad.relay",
        "infer --quiet ok.relay",
        "infer --help",
        "--version",
        "query 'Broadcast(A, B, int8)'",
        "query 'Broadcast(A, B, int8)' --count",
        "typings ok.relay",
        "rules list",
    ],
)
def test_a_full_disk(folder, command):
    done = shell(folder, f"$RL {command} > /dev/full")
    assert done.returncode == 74
    assert done.stderr.endswith(b"relaylogic: error: output could not be written: No space left on device\n")
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


@full_device
@pytest.mark.parametrize("command", ["infer bad.relay", "infer missing.relay", "frobnicate"])
def test_messages_that_find_no_room(folder, command):
    done = shell(folder, f"$RL {command} 2> /dev/full")
    assert done.returncode == 74


@posix
def test_closed_streams(folder):
    closed = shell(folder, "$RL infer ok.relay >&-")
    assert closed.returncode == 74 and b"standard output is closed" in closed.stderr
    assert shell(folder, "$RL infer bad.relay 2>&-").returncode == 1
    assert shell(folder, "$RL infer bad.relay 2</dev/null").returncode == 1
    closed = shell(folder, "$RL infer - <&-")
    assert closed.returncode == 2
    assert closed.stderr == b"<stdin>: error: cannot be read: standard input is closed\n"
    assert shell(folder, "$RL infer - <&- >&- 2>&-").returncode == 2
    assert shell(folder, "$RL infer ok.relay <&- >&- 2>&-").returncode == 74


@posix
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_letters_that_the_encoding_lacks(folder, encoding):
    done = shell(folder, "$RL infer foreign.relay", PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    shown = rf'%"\u540d{"é" if encoding != "ascii" else chr(92) + "u00e9"}\ud834\udd1e"'
    assert shown in done.stdout.decode(encoding) and b"`add` refuses" in done.stderr
    assert shown in done.stderr.decode(encoding)


@posix
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_means_the_same_in_every_encoding(folder, encoding):
    (folder / "names.relay").write_text('def @"名é𝄞"(%x: int8) { %x }', encoding="utf-8")
    done = shell(folder, "$RL infer --format json names.relay", PYTHONIOENCODING=encoding)
    assert list(json.loads(done.stdout.decode(encoding))["functions"]) == ["名é𝄞"]


# ---- interruption


@posix
def test_interruption_from_the_keyboard(folder):
    command = [sys.executable, "-m", "relaylogic", "query", "Broadcast(A, B, C)", "--all", "--ground"]
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=known, preexec_fn=interruptible, **pipes) as asked:  # noqa: PLW1509
        assert asked.stdout is not None
        asked.stdout.readline()
        time.sleep(0.1)
        asked.send_signal(signal.SIGINT)
        out, err = asked.communicate(timeout=60)
    assert asked.returncode == 130
    assert b"interrupted" in out.splitlines()[-1] and b"Traceback" not in err


@pytest.mark.parametrize(
    "line",
    [
        "infer LONG",
        "infer LONG.onnx",
        "infer LONG --trace trace.json",
        "infer ok.relay --trace LONG",
        "infer ok.relay --rules LONG",
        "infer ok.relay --rules LONG.rel",
        "report LONG -o page.html",
        "report ok.relay -o LONG",
        "rules list --rules LONG",
        "typings LONG",
        "why LONG 1:1",
    ],
)
def test_a_name_that_is_too_long_for_a_file(folder, monkeypatch, line):
    monkeypatch.chdir(folder)
    long = "a" * 5000
    (folder / "page.html").touch()
    (folder / "trace.json").touch()
    ended = run(*line.replace("LONG", long).split())
    assert ended.code == 2 and long[:40] in ended.err


@pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals")
def test_names_cannot_command_a_terminal(folder):
    """The name of a variable was printed as it is, so that it could colour, move and erase what a terminal shows."""
    path = folder / "named.relay"
    path.write_text('def @main(%"a\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}": int8) { 1 }', encoding="utf-8")
    ours, theirs = os.openpty()
    shell(folder, f"$RL infer named.relay > {os.ttyname(theirs)}; $RL infer named.relay > named.out")
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    assert '@main(%"a\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}": int8)' in (folder / "named.out").read_text(encoding="utf-8")
    assert '@main(%"a\ufffd[31m\ufffd": int8)' in shown
