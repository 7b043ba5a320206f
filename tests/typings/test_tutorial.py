"""Every command of the tutorial prints what the tutorial says, and every line of Python gives what stands behind it."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import relaylogic
from relaylogic.cli.commands import main
from tests.documented import checked

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "tutorial"
TEXT = (FOLDER / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [step.partition("\n") for block in BLOCKS for step in re.split(r"^\$ ", block, flags=re.MULTILINE) if step]
TOOK = re.compile(r"^\S+: (typed|refuted), .* s\n", re.MULTILINE)
"""What `infer --quiet` says last, with the time that it took: the tutorial does not show it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the tutorial's folder: some of its commands write files."""
    return shutil.copytree(FOLDER, tmp_path_factory.mktemp("tutorial") / "tutorial")


def done(command):
    """Run a command, of which the output may go to a file; what it printed."""
    command, _, target = command.partition(" > ")
    program, *arguments = shlex.split(command)
    assert program == "relaylogic"
    printed = CliRunner().invoke(main, arguments).output
    if not target:
        return TOOK.sub("", printed)
    Path(target).write_text(printed, encoding="utf-8")
    return ""


@pytest.mark.parametrize(("command", "output"), [(c, o) for c, _, o in COMMANDS], ids=[c for c, _, _ in COMMANDS])
def test_a_command(command, output, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert done(command) == output


def test_the_lines_of_python(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for command, _, _ in COMMANDS:
        if " > " in command:
            done(command)
    names = {"relaylogic": relaylogic}
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert sum(checked(block, names) for block in blocks) == 8


@pytest.mark.parametrize(
    "file",
    ["rules/pool_rows.rel", "python/join_rows.py", "program.relay", "mistaken.rel", "net.relay", "wrong.relay"],
)
def test_the_files_are_those_that_are_shown(file):
    shown = re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert any(block in text for block in shown)
