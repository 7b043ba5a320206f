"""SARIF logs: their form, that what they refer to is there, and that their places are those of the text."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import relaylogic
from relaylogic.explain.sarif import SarifLog
from relaylogic.rulebase import default_rules
from tests.cli.running import run
from tests.conformance.programs import lines, outcome
from tests.effort import examples, some

OFFICIAL = os.environ.get("RELAYLOGIC_SARIF_SCHEMA", "")
"""The file sarif-schema-2.1.0.json of OASIS, which is not ours to copy."""

REFUTED = """\
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
  let %y = nn.dense(%x, %w, units=4);
  nn.relu(%y)
}
"""


# ---- the form, in our own words


def thing(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    named = {"type": "object", "additionalProperties": False, "properties": {**required, **(optional or {})}}
    return {**named, "required": list(required)}


def many(item: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": least}


TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 1}
INDEX = {"type": "integer", "minimum": 0}
SAID = thing({"text": TEXT})
HELP = thing({"text": TEXT}, {"markdown": TEXT})
LEVEL = {"enum": ["error", "warning", "note"]}
REGION = thing(dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), COUNT))
ADDRESS = thing({"uri": TEXT}, {"uriBaseId": TEXT, "index": INDEX, "description": SAID})
PHYSICAL = thing({"artifactLocation": ADDRESS}, {"region": REGION})
LOGICAL = thing({"name": TEXT, "fullyQualifiedName": TEXT, "kind": {"const": "function"}})
PLACE = {"physicalLocation": PHYSICAL, "logicalLocations": many(LOGICAL, 1), "message": SAID}
LOCATION = {**thing({}, PLACE), "minProperties": 1}
RELATED = thing({"id": COUNT, "message": SAID}, {"physicalLocation": PHYSICAL})
CHANGE = thing(
    {
        "artifactLocation": ADDRESS,
        "replacements": many(thing({"deletedRegion": REGION, "insertedContent": thing({"text": TEXT})}), 1),
    }
)
DESCRIPTOR = thing(
    {
        "id": TEXT,
        "name": {"type": "string", "pattern": "^[A-Za-z0-9]+$"},
        "shortDescription": SAID,
        "fullDescription": SAID,
        "help": HELP,
        "defaultConfiguration": thing({"level": LEVEL}),
    }
)
RESULT = thing(
    {"ruleId": TEXT, "ruleIndex": INDEX, "level": LEVEL, "message": SAID, "locations": many(LOCATION, 1)},
    {
        "relatedLocations": many(RELATED, 1),
        "fixes": many(thing({"description": SAID, "artifactChanges": many(CHANGE, 1)}), 1),
    },
)
NOTIFICATION = thing(
    {
        "descriptor": thing({"id": TEXT, "index": INDEX}),
        "level": LEVEL,
        "message": SAID,
        "locations": many(LOCATION, 1),
    }
)
RUN = thing(
    {
        "tool": thing(
            {
                "driver": thing(
                    {
                        "name": {"const": "relaylogic"},
                        "version": {"const": relaylogic.__version__},
                        "semanticVersion": {"const": relaylogic.__version__},
                        "rules": many(DESCRIPTOR),
                        "notifications": many(DESCRIPTOR),
                    }
                )
            }
        ),
        "invocations": many(
            thing(
                {
                    "executionSuccessful": {"type": "boolean"},
                    "exitCode": INDEX,
                    "exitCodeDescription": TEXT,
                    "toolExecutionNotifications": many(NOTIFICATION),
                },
                {"workingDirectory": thing({"uri": TEXT})},
            ),
            1,
        ),
        "columnKind": {"const": "unicodeCodePoints"},
        "newlineSequences": {"const": ["\r\n", "\n", "\r"]},
        "artifacts": many(
            thing({"location": ADDRESS, "roles": many(TEXT, 1)}, {"encoding": TEXT, "sourceLanguage": TEXT}), 1
        ),
        "results": many(RESULT),
    },
    {"originalUriBaseIds": {"type": "object", "additionalProperties": ADDRESS}},
)
LOG = thing({"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": many(RUN, 1)})
FORM = Draft202012Validator(LOG)


def checked(log: dict[str, Any]) -> dict[str, Any]:
    """The only run of a log; its form is right, and whatever it refers to is there."""
    assert [f"{list(e.path)}: {e.message}" for e in FORM.iter_errors(log)] == []
    (found,) = log["runs"]
    driver, artifacts = found["tool"]["driver"], found["artifacts"]
    for items in (driver["rules"], driver["notifications"]):
        assert len({item["id"] for item in items}) == len(items)
    for result in found["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        related = {item["id"] for item in result.get("relatedLocations", ())}
        linked = {int(number) for number in re.findall(r"(?<!\\)\]\((\d+)\)", result["message"]["text"])}
        assert linked <= related and len(linked) >= min(len(related), 6)
        for braces in re.findall(r"\{+|\}+", result["message"]["text"]):
            assert len(braces) % 2 == 0  # none is taken for a placeholder
    for notification in found["invocations"][0]["toolExecutionNotifications"]:
        descriptor = notification["descriptor"]
        assert driver["notifications"][descriptor["index"]]["id"] == descriptor["id"]
    for place in _places(found):
        address = place["artifactLocation"]
        own = artifacts[address["index"]]["location"]
        assert {**own, "index": address["index"]} == address
    for artifact in artifacts:
        assert re.fullmatch(r"[A-Za-z0-9_.~%/:+-]+", artifact["location"]["uri"])
        assert artifact["location"].get("uriBaseId") in (None, *found.get("originalUriBaseIds", ()))
    return found


def _places(item: Any) -> list[dict[str, Any]]:
    found, agenda = [], [item]
    while agenda:
        item = agenda.pop()
        if isinstance(item, dict):
            if "artifactLocation" in item:
                found.append(item)
            agenda += item.values()
        elif isinstance(item, list):
            agenda += item
    return found


def logged(*files: object, given: str | None = None, code: int = 0, options: tuple[object, ...] = ()) -> dict[str, Any]:
    """The run that `infer --format sarif` prints, which ends with `code`."""
    done = run("infer", "--format", "sarif", *options, *files, given=given)
    assert done.code == code, (done.out[-300:], done.err)
    found = checked(json.loads(done.out))
    assert done.out.isascii() and found["invocations"][0]["exitCode"] == code
    return found


def stretch(text: str, region: dict[str, int]) -> str:
    """What stands in a region of a text, columns being code points and lines ending with a line feed."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    start = starts[region["startLine"] - 1] + region["startColumn"] - 1
    end = starts[region["endLine"] - 1] + region["endColumn"] - 1
    assert 0 <= start <= end <= len(text)
    return text[start:end]


# ---- what it says


def test_a_refuted_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("net.relay").write_text(REFUTED)
    found = logged("net.relay", code=1)
    (result,) = found["results"]
    assert (result["ruleId"], result["level"]) == ("Dense/rows_times_units", "error")
    (place,) = result["locations"]
    assert stretch(REFUTED, place["physicalLocation"]["region"]) == "Tensor[(4, 5), float32]"
    assert place["logicalLocations"] == [{"name": "main", "fullyQualifiedName": "@main", "kind": "function"}]
    related = [stretch(REFUTED, p["physicalLocation"]["region"]) for p in result["relatedLocations"]]
    assert related == ["nn.dense(%x, %w, units=4)", "Tensor[(2, 3), float32]"]
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement["insertedContent"]["text"] == "Tensor[(4, 3), float32]"
    (rule,) = found["tool"]["driver"]["rules"]
    assert "(..., k) and (units, k)" in rule["fullDescription"]["text"]
    assert "clause rows_times_units" in rule["help"]["text"] and str(tmp_path) not in rule["help"]["text"]
    assert found["invocations"][0]["executionSuccessful"]


def test_a_typed_program_has_no_results():
    found = logged("-", given="def @main(%x: int8) { %x }")
    assert found["results"] == [] and found["tool"]["driver"]["rules"] == []


def test_what_is_open_is_a_note_and_what_is_doubtful_a_warning():
    text = "type T { A, B }\ndef @main(%t: T) -> int32 { match (%t) { A => { 1 }, B => { 2 }, _ => { 3 }, } }"
    (warning,) = logged("-", given=text)["results"]
    assert (warning["level"], warning["ruleId"]) == ("warning", "relaylogic.warning")
    open_ = "def @main(%x: Tensor[(2), int8], %y) { add(%x, %y) }"
    (note,) = logged("-", given=open_, code=3, options=("--closed",))["results"]
    assert (note["level"], note["ruleId"]) == ("note", "Broadcast")
    assert "It could be Broadcast(Tensor[(2), int8], Tensor[(2), int8], Tensor[(2), int8])" in note["message"]["text"]


def test_what_is_no_program_or_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.relay").write_text("def @main(%x: int8) {\n  nn.rellu(%x) }")
    Path("binary.relay").write_bytes(b"\xff")
    found = logged("bad.relay", "binary.relay", "none.relay", "none.onnx", code=2)
    result, binary = found["results"]
    assert result["ruleId"] == "relaylogic.malformed" and "nn.relu" in result["message"]["text"]
    assert binary["ruleId"] == "relaylogic.malformed" and "is not UTF-8" in binary["message"]["text"]
    assert binary["locations"][0]["physicalLocation"]["region"]["startColumn"] == 1
    (invocation,) = found["invocations"]
    assert not invocation["executionSuccessful"]
    told = [(n["descriptor"]["id"], n["level"]) for n in invocation["toolExecutionNotifications"]]
    assert told == [("relaylogic.unreadable", "error")] * 2
    said = [n["message"]["text"] for n in invocation["toolExecutionNotifications"]]
    assert all(text.startswith("cannot be read: ") for text in said)  # the file is named beside it


@pytest.mark.parametrize("limit", [("--time", 1e-6), ("--steps", 1)])
def test_a_limit_is_told_and_no_success(limit):
    found = logged("-", given=REFUTED, code=3, options=limit)
    (notification,) = found["invocations"][0]["toolExecutionNotifications"]
    assert notification["descriptor"]["id"] == "relaylogic.limit" and "limit of" in notification["message"]["text"]
    assert not found["invocations"][0]["executionSuccessful"] and found["results"] == []


def test_a_limit_of_the_search_is_told():
    text = "def @main(%x: int8) { expand_dims(%x, axis=0, num_newaxis=1000000000) }"
    found = logged("-", given=text, code=3)
    (notification,) = found["invocations"][0]["toolExecutionNotifications"]
    assert notification["level"] == "warning" and "step limit" in notification["message"]["text"]
    assert [result["level"] for result in found["results"]] == ["note"]


def test_a_log_that_is_too_long_is_not_printed():
    done = run("infer", "--format", "sarif", "-", "--output", 500, given=REFUTED)
    assert done.code == 3 and done.out == "" and "output limit" in done.err


def test_a_fault_of_relaylogic_is_a_notification(monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh {no}")

    monkeypatch.setattr("relaylogic.explain.report.report", broken)
    found = logged("-", given="def @main(%x: int8) { %x }", code=70)
    (notification,) = found["invocations"][0]["toolExecutionNotifications"]
    assert notification["descriptor"]["id"] == "relaylogic.internal"
    assert notification["message"]["text"] == "ZeroDivisionError: oh {{no}}"


# ---- places


@pytest.mark.parametrize("name", ["a b.relay", "50%.relay", "x#y?.relay", "é𝄞.relay", "a:b.relay", "sub/n&t.relay"])
def test_files_below_the_working_directory_are_relative(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(REFUTED)
    for given_name in (name, tmp_path / name, f"sub/../{name}" if name.startswith("sub") else f"./{name}"):
        found = logged(given_name, code=1)
        location = found["artifacts"][0]["location"]
        assert unquote(location["uri"]) == name and not urlsplit(location["uri"]).scheme
        base = found["originalUriBaseIds"][location["uriBaseId"]]["uri"]
        assert base.endswith("/") and unquote(urlsplit(base).path) == f"{tmp_path}/"


def test_files_elsewhere_are_absolute(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "net work.relay").write_text(REFUTED)
    monkeypatch.chdir(tmp_path / "here")
    for name in ("../net work.relay", tmp_path / "net work.relay"):
        location = logged(name, code=1)["artifacts"][0]["location"]
        assert location == {"uri": (tmp_path / "net work.relay").as_uri()}


def test_several_files_are_one_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["a.relay", "b.relay", "c.relay"]
    for name, text in zip(names, (REFUTED, "def @main(%x: int8) { %x }", REFUTED), strict=True):
        Path(name).write_text(text)
    found = logged(*names, code=1)
    assert [a["location"]["uri"] for a in found["artifacts"]] == names
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in found["results"]]
    assert places == ["a.relay", "c.relay"] and len(found["tool"]["driver"]["rules"]) == 1


def test_a_file_that_is_given_twice_is_one_artifact(tmp_path, monkeypatch):
    """No two of the artifacts of a log are the same, whatever the names."""
    monkeypatch.chdir(tmp_path)
    Path("a.relay").write_text(REFUTED)
    Path("b.relay").write_text("def @main(")
    found = logged("a.relay", "b.relay", "./a.relay", tmp_path / "b.relay", f"../{tmp_path.name}/a.relay", code=2)
    assert [artifact["location"]["uri"] for artifact in found["artifacts"]] == ["a.relay", "b.relay"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["index"] for result in found["results"]]
    assert places == [0, 1, 0, 1, 0]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_count_characters(end):
    text = f"// é{end}def @main(%x: Tensor[(2), int8], /* 𝄞\t𝄞 */ %y: Tensor[(3), int8]) {{{end}\tadd(%x, %y) }}"
    (result,) = logged("-", given=text, code=1)["results"]
    places = [result["locations"][0], *result["relatedLocations"]]
    found = {stretch(text, place["physicalLocation"]["region"]) for place in places}
    assert found == {"Tensor[(2), int8]", "Tensor[(3), int8]", "add(%x, %y)"}


def test_places_in_the_prelude_are_named():
    text = "def @main(%x: List[int8]) -> int8 { @map(fn (%y: int8) { %y }, %x) }"
    found = logged("-", given=text, code=1, options=("--prelude",))
    for result in found["results"]:
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            assert "physicalLocation" in place or place["message"]["text"]


def test_nodes_of_models_have_no_lines(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    values = [helper.make_tensor_value_info(n, 1, s) for n, s in (("x", [2, 3]), ("w", [4, 5]), ("y", [2, 5]))]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:2], values[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    path = tmp_path / "model.onnx"
    onnx.save(model, str(path))
    found = logged(path, code=1)
    (result,) = found["results"]
    assert all("region" not in p["physicalLocation"] for p in (*result["locations"], *result["relatedLocations"]))
    assert result["locations"][0]["message"]["text"] in ("input x", "input w")


HOSTILE = st.text(st.sampled_from("ab{}[]()01\\%\t<>&'é𝄞 "), min_size=1, max_size=12)


@settings(max_examples=examples(60))
@given(HOSTILE)
def test_names_are_neither_links_nor_placeholders(name):
    written = name.replace("\\", "\\\\")
    text = f'def @main(%"{written}": Tensor[(2), int8], %y: Tensor[(3), int8]) {{ add(%"{written}", %y) }}'
    try:
        module = relaylogic.parse(text, "x.relay")
    except relaylogic.RelayLogicError:
        return
    log = SarifLog(default_rules())
    log.add("x.relay", relaylogic.infer(module))
    (result,) = checked(log.to_dict(1))["results"]
    assert {item["id"] for item in result["relatedLocations"]} == {1, 2}


# ---- all refuted programs that we have


def test_the_logs_of_refuted_programs_and_their_fixes():
    fixes, relations = 0, set()
    refuted = [e for e in lines("programs") if e["verdict"] == "refuted"]
    for entry in some(refuted[::4], 8):
        log, text = SarifLog(default_rules()), entry["text"]
        verdict, result = outcome(text)
        if verdict == "parse-error":
            log.fail("<text>", result)
        else:
            log.add("<text>", result)
            fixes += _fixed(text, result)
        found = checked(log.to_dict(2))
        for item in found["results"]:
            for place in (*item["locations"], *item.get("relatedLocations", ())):
                region = place.get("physicalLocation", {}).get("region")
                if region is not None:
                    stretch(text, region)
        relations.update(rule["id"].partition("/")[0] for rule in found["tool"]["driver"]["rules"])
    assert fixes > examples(20)
    assert relations >= {"Broadcast", "Dense"}


def _fixed(text: str, result: relaylogic.infer.Result) -> int:
    """How many fixes a result has; a program of one fault is right with any of them."""
    count = 0
    for problem in result.errors:
        for fix in problem.fixes:
            count += 1
            module = relaylogic.parse(text[: fix.span.start] + fix.text + text[fix.span.end :])
            again = relaylogic.infer(module, closed=True)
            assert again.verdict != "refuted" or len(result.errors) > 1 or again.errors != result.errors
    return count


@pytest.mark.skipif(
    not OFFICIAL, reason="RELAYLOGIC_SARIF_SCHEMA names no file: download OASIS's sarif-schema-2.1.0.json"
)
def test_the_official_schema_agrees(tmp_path, monkeypatch):
    jsonschema = pytest.importorskip("jsonschema")
    official = json.loads(Path(OFFICIAL).read_text())
    validator = jsonschema.Draft7Validator(official)
    monkeypatch.chdir(tmp_path)
    Path("net.relay").write_text(REFUTED)
    Path("bad.relay").write_text("def @main(")
    done = run("infer", "--format", "sarif", "net.relay", "bad.relay", "none.relay")
    assert not list(validator.iter_errors(json.loads(done.out)))
    assert list(validator.iter_errors({"version": "2.1.0"}))


def test_lines_end_where_the_log_says(tmp_path):
    """By default, those of a log do not end with a lone carriage return, as they do here."""
    path = tmp_path / "old.relay"
    path.write_bytes(b"def @main(%x: Tensor[(3), int8]) {\r  add(%x,\r\n %q)\n}\r")
    (found,) = json.loads(run("infer", "--format", "sarif", path).out)["runs"]
    region = found["results"][0]["locations"][0]["physicalLocation"]["region"]
    lines = re.split("|".join(found["newlineSequences"]), path.read_bytes().decode())
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1] == "%q"
