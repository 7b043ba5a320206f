"""The file of clauses that README shows, and what it says of queries about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from relaylogic.cli.commands import main
from tests.documented import commands

SECTION = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8").split("\n## A rule\n")[1]
SHOWN = re.search(r"```\n(relation Windows.*?)```", SECTION, re.DOTALL)
ASKED = [(command, said) for command, said in commands(SECTION) if "mine.rel" in command]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    assert SHOWN is not None
    tmp_path.joinpath("mine.rel").write_text(SHOWN[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "said"), ASKED)
def test_a_query(command, said, folder):
    assert CliRunner().invoke(main, command).output == said


def test_all_are_asked():
    assert len(ASKED) == 3
