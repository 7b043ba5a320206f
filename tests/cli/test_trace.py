"""`relaylogic infer --trace FILE`."""

from __future__ import annotations

import json
import os

import pytest

import relaylogic
from tests.cli.running import run

TYPED = "def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(%x, %w, units=4) }"
REFUTED = "def @main(%x: Tensor[(2, 3), float32], %w) { add(nn.dense(%x, %w, units=4), %x) }"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.relay"
    path.write_text(TYPED, encoding="utf-8")
    return path


def objects(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("text", "code", "verdict"), [(TYPED, 0, "typed"), (REFUTED, 1, "refuted")])
def test_a_trace_is_a_header_and_the_steps(tmp_path, program, text, code, verdict):
    program.write_text(text, encoding="utf-8")
    trace = tmp_path / "trace.jsonl"
    ran = run("infer", program, "--trace", trace)
    assert ran.code == code
    header, *steps = objects(trace)
    version = relaylogic.__version__
    assert header == {"version": 1, "relaylogic": version, "file": str(program), "verdict": verdict}
    assert steps == [step.to_dict() for step in relaylogic.infer(text).trace]
    assert ran.out.splitlines()[:-1] == run("infer", program).out.splitlines()[:-1]


def test_each_file_has_its_header(tmp_path, program):
    other = tmp_path / "other.relay"
    other.write_text(REFUTED, encoding="utf-8")
    trace = tmp_path / "trace.jsonl"
    assert run("infer", program, tmp_path / "missing.relay", other, "--trace", trace).code == 2
    assert [o["file"] for o in objects(trace) if "version" in o] == [str(program), str(other)]


def test_what_cannot_be_written_is_said(tmp_path, program):
    ran = run("infer", program, "--trace", tmp_path / "nowhere" / "trace.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be written" in ran.err
    assert run("infer", program, "--trace", tmp_path).code == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
def test_a_full_disk_is_no_verdict(program):
    ran = run_to_the_end("infer", program, "--trace", "/dev/full")
    assert ran.returncode == 74
    assert "could not be written" in ran.stderr


def run_to_the_end(*arguments):
    import subprocess
    import sys

    command = [sys.executable, "-m", "relaylogic", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_trace_does_not_overwrite_its_program(program):
    ran = run("infer", program, "--trace", program)
    assert ran.code == 2
    assert "overwrite" in ran.err
    assert program.read_text(encoding="utf-8") == TYPED


def test_a_trace_is_not_mixed_with_what_is_printed(tmp_path, program, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("infer", program, "--trace", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "-: error: the trace is written to a file" in ran.err
    assert not (tmp_path / "-").exists()


def test_a_limit_is_said_once(tmp_path, program):
    trace = tmp_path / "trace.jsonl"
    ran = run("infer", program, "--format", "json", "--trace", trace, "--output", 1200)
    assert ran.code == 3
    assert ran.out.count("\n") == 1
    assert "the trace is not whole: unknown: output limit" in ran.err
    assert objects(trace)[0]["verdict"] == "typed"
