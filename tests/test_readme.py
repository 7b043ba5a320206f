"""The README's queries, typings and calls from Python are answered as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import relaylogic
from tests.cli.running import run
from tests.documented import checked, commands

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ASKED = README[README.index("**Ask.**") : README.index("**As a library.**")]
SHOWN = [(command, said) for command, said in commands(ASKED) if said]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the program of two holes that the README shows, and the examples."""
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```\n(def @main\(%x: .*?)```", ASKED, re.DOTALL)
    tmp_path.joinpath("two.relay").write_text(program, encoding="utf-8")
    tmp_path.joinpath("examples").symlink_to(ROOT / "examples")


@pytest.mark.parametrize(("command", "said"), SHOWN, ids=[" ".join(command) for command, _ in SHOWN])
def test_what_is_asked_is_answered(command, said, folder):
    """`...` stands for what is left out."""
    expected = re.escape(said).replace(re.escape("..."), ".*")
    assert re.fullmatch(expected, run(*command).out, re.DOTALL)


def test_the_sketch_is_the_one_that_is_shown():
    (shown,) = re.findall(r"```\n(def @main\(\n.*?)```", ASKED, re.DOTALL)
    assert shown in (ROOT / "examples" / "sketch.relay").read_text(encoding="utf-8")


def test_calls_built_in_python():
    (block,) = re.findall(r"```python\n(from relaylogic import relay\n.*?)```", README, re.DOTALL)
    assert checked(block.replace(": what the call does not give has its default", ""), {"relaylogic": relaylogic}) == 3


def test_what_is_behind_a_shape_of_unknown_rank_is_told():
    (block,) = re.findall(r"```python\n(text = [^`]*, units=3[^`]*)```", README)
    assert checked(block, {"relaylogic": relaylogic}) == 1


def test_what_calls_say_together_is_said_once():
    (block,) = re.findall(r"```python\n(residual = [^`]*)```", README)
    assert checked(block, {"relaylogic": relaylogic}) == 1
