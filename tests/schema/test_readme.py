"""The commands of the README about pages, schemas and SARIF do what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import relaylogic
from tests.cli.running import run
from tests.explain.test_sarif import checked
from tests.report.pages import Seen

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(heading: str) -> list[str]:
    """The lines of the first console block of a part of the README."""
    part = README[README.index(f"**{heading}.**") :]
    found = re.search(r"```console\n(.*?)```", part, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")


def done(line: str) -> str:
    """Run a command line of the README, of which the output may go to a file; what it printed."""
    command, _, target = line.removeprefix("$ relaylogic ").partition(" > ")
    printed = run(*command.split())
    if target:
        Path(target).write_text(printed.out, encoding="utf-8")
    return printed.out


def test_a_mistake_is_one_error_with_its_places(capsys):
    command, *shown = block("Infer")
    assert command == "$ relaylogic infer --quiet examples/refuted.relay"
    ran = run(*command.split()[2:])
    assert ran.err.splitlines()[: len(shown)] == shown


def test_conflicts_and_corrections():
    (shown,) = re.findall(r"```python\n((?:(?!```).)*?result\.conflicts.*?)```", README, re.DOTALL)
    first, conflict, corrections = shown.splitlines()
    names = {"relaylogic": relaylogic}
    exec(first, names)
    spans = [label.span for label in eval(conflict.partition("  # ")[0], names)]
    assert [span.text for span in spans] == ["Tensor[(3), int8]", "Tensor[(4), int8]", "add(%x, %y)"]
    code, _, said = corrections.partition("  # ")
    assert str(eval(code, names)) == said.split(":")[0]


def test_the_words_of_a_clause():
    clause, said = re.findall(r"with\n`(Dense\(.*?)`\na refusal says `(.*?)`", README)[0]
    Path("mine.rel").write_text(
        f"relation Mine(a, b, c).\n{clause.replace('Dense', 'Mine')}\noperator mine(a, b): Mine.\n"
    )
    Path("its.relay").write_text("def @main(%a: Tensor[(2, 3), int8], %b: Tensor[(4, 5), int8]) { mine(%a, %b) }")
    assert said in run("infer", "--quiet", "--rules", "mine.rel", "its.relay").err


def test_the_page():
    command, said = block("Show")
    assert done(command) == f"{said}\n"
    found = Seen(Path("refuted.html").read_text(encoding="utf-8"))
    assert found.texts["#code"] == Path("examples/refuted.relay").read_text() and found.faults == []
    address = re.search(r"`#(step)=\d+&(open)=\d+`", README)
    assert address is not None and all(f'asked.has("{name}")' in found.page for name in address.groups())


def test_the_forms():
    for command in block("For other programs"):
        done(command)
    validator = Draft202012Validator(json.loads(Path("infer.schema.json").read_text()))
    assert validator.is_valid(json.loads(Path("refuted.json").read_text()))
    (result,) = checked(json.loads(Path("refuted.sarif").read_text()))["results"]
    assert result["ruleId"] == "Dense/rows_times_units" and result["fixes"] and result["relatedLocations"]
    for name in ("infer", "query", "typings", "why", "trace"):
        assert json.loads(done(f"$ relaylogic schema {name}"))["$id"].startswith(f"urn:relaylogic:{name}:")
