"""Every command of the tutorial prints what the tutorial says."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from relaylogic.cli import main

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "tutorial"
BLOCKS = re.findall(r"```console\n(.*?)```", (FOLDER / "tutorial.md").read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = [step.partition("\n") for block in BLOCKS for step in re.split(r"^\$ ", block, flags=re.MULTILINE) if step]


@pytest.mark.parametrize(("command", "output"), [(c, o) for c, _, o in COMMANDS], ids=[c for c, _, _ in COMMANDS])
def test_a_command(command, output, monkeypatch):
    monkeypatch.chdir(FOLDER)
    program, *arguments = shlex.split(command)
    assert program == "relaylogic"
    assert CliRunner().invoke(main, arguments).output == output


@pytest.mark.parametrize("file", ["rules/pool_rows.rel", "program.relay", "mistaken.rel", "net.relay"])
def test_the_files_are_those_that_are_shown(file):
    shown = re.findall(r"```\n(.*?)```", (FOLDER / "tutorial.md").read_text(encoding="utf-8"), re.DOTALL)
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert any(block in text for block in shown)
