"""What the commands print in JSON is as the schemas say; and these can tell what is not."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import relaylogic
from relaylogic.cli import listing
from relaylogic.infer.results.reasons import WHY_VERSION
from relaylogic.infer.results.result import VERSION
from relaylogic.infer.results.steps import TRACE_VERSION
from relaylogic.schema import NAMES, schema, schema_text
from tests.cli.running import run
from tests.conformance.programs import lines, mutated, networks, outcome
from tests.effort import some

PARTS = 4
SHARE = 20
"""Of the planted faults and the networks, every twentieth is looked at; of programs, all are."""


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


def wrong(name: str, found: Any) -> list[str]:
    """What is wrong with an object that a command printed."""
    return [f"{list(error.path)}: {error.message[:300]}" for error in validator(name).iter_errors(found)]


def printed(name: str, *arguments: object, given: str | None = None) -> list[dict[str, Any]]:
    """The objects that a command prints, each as the schema says."""
    done = run(name, *arguments, "--format", "json", given=given)
    found = [json.loads(line) for line in done.out.splitlines()]
    assert found and [wrong(name, item) for item in found] == [[]] * len(found)
    return found


# ---- the schemas themselves


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_is_strict(name):
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for part in _parts(found):
        if part.get("type") == "object" and "properties" in part:
            assert part["additionalProperties"] is False, part
            assert set(part.get("required", ())) <= set(part["properties"])


def _parts(item: Any) -> Iterator[dict[str, Any]]:
    agenda = [item]
    while agenda:
        item = agenda.pop()
        if isinstance(item, dict):
            yield item
            agenda.extend(item.values())
        elif isinstance(item, list):
            agenda.extend(item)


def test_versions_are_those_of_the_code():
    assert schema("infer")["properties"]["version"]["const"] == VERSION
    for name in ("query", "typings"):
        assert schema(name)["$defs"]["version"]["const"] == listing.VERSION
    assert {name: schema(name)["$id"] for name in NAMES} == {
        "infer": f"urn:relaylogic:infer:{VERSION}",
        "query": f"urn:relaylogic:query:{listing.VERSION}",
        "typings": f"urn:relaylogic:typings:{listing.VERSION}",
        "why": f"urn:relaylogic:why:{WHY_VERSION}",
        "trace": f"urn:relaylogic:trace:{TRACE_VERSION}",
    }
    assert schema("why")["$defs"]["version"]["const"] == WHY_VERSION
    assert schema("trace")["$defs"]["header"]["properties"]["version"]["const"] == TRACE_VERSION


@pytest.mark.parametrize("name", NAMES)
def test_a_command_prints_the_schema(name):
    done = run("schema", name)
    assert (done.code, done.err) == (0, "") and json.loads(done.out) == schema(name)


def test_there_is_no_other_schema():
    assert run("schema", "rules").code == 2
    with pytest.raises(KeyError):
        schema_text("../infer")


# ---- infer


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", ["programs", "doc_examples", "crashes"])
def test_the_result_of_every_program(kind, part):
    for entry in some(lines(kind)[part::PARTS], 30):
        verdict, result = outcome(entry["text"])
        if verdict != "parse-error":
            assert wrong("infer", result.to_dict(entry["id"])) == [], entry["id"]


def test_the_results_of_networks_and_their_mutants():
    texts = [networks()[name]["text"] for name in some(sorted(networks())[::SHARE])]
    texts += [mutated(entry) for entry in some(lines("mutants")[::SHARE])]
    for text in texts:
        assert wrong("infer", outcome(text)[1].to_dict("x")) == []


PROGRAMS = {
    "typed": "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }",
    "generalised": "def @main(%x, %y) { add(%x, %y) }",
    "refuted": "def @main(%x: Tensor[(2), int8], %y: Tensor[(3), int8]) { let %z = add(%x, %y); nn.relu(%z) }",
    "doubtful": "type B { T, F } def @main(%x: B) { match (%x) { %any => 1, T => 2 } }",
    "unknown": "def @main(%x: int8) { expand_dims(%x, axis=0, num_newaxis=1000000000) }",
    "no program": "def @main(%x: int8) {",
    "malformed": "def @main(%x: int8) { nn.rellu(%x) }",
    "empty": "",
    "shared types": "def @main(%x) { let %a = (%x, %x); let %b = (%a, %a); let %c = (%b, %b); let %d = (%c, %c);\n"
    "let %e = (%d, %d); let %f = (%e, %e); let %g = (%f, %f); let %h = (%g, %g); let %i = (%h, %h); (%i, %i) }",
}


@pytest.mark.parametrize("kind", PROGRAMS)
@pytest.mark.parametrize("options", [(), ("--closed",), ("--prelude",), ("--steps", 20), ("--output", 300)])
def test_what_infer_prints(kind, options):
    printed("infer", "-", *options, given=PROGRAMS[kind])


def test_what_infer_prints_of_files_that_cannot_be_read(tmp_path):
    (tmp_path / "binary.relay").write_bytes(bytes(range(256)))
    names = [tmp_path, tmp_path / "none.relay", tmp_path / "none.onnx", tmp_path / "binary.relay"]
    assert [item["file"] for item in printed("infer", *names)] == list(map(str, names))


def test_what_infer_prints_of_a_model(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    x, y = (helper.make_tensor_value_info(name, 1, shape) for name, shape in (("x", [2, 3]), ("y", ["n", 3])))
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    onnx.save(model, str(tmp_path / "model.onnx"))
    (found,) = printed("infer", tmp_path / "model.onnx")
    assert found["verdict"] == "typed"


# ---- query and typings

QUERIES = {
    "answers": ["Broadcast(A, B, Tensor[(5, 3), float32])", "-n", 3],
    "all": ["n * m = 12", "--ground", "--all"],
    "none": ["Broadcast(Tensor[(2), int8], Tensor[(3), int8], C)"],
    "residue": ["Flatten(A, Tensor[(2, 12), int8])"],
    "values": ["transpose(Tensor[(2, 3, 4), float32], axes=A) = Tensor[(4, 2, 3), float32]"],
    "notes": ["Broadcast(A, B, C)", "--ground", "--max-rank", 1, "-n", 2],
    "limit": ["Broadcast(A, B, C)", "--all", "--ground", "--max-rank", 9, "--max-dim", 9, "--output", 600],
    "steps": ["a*b*c*d*e = 720720", "--ground", "--all", "--steps", 50],
    "count": ["n * m = 12", "--ground", "--count"],
    "no count": ["a*b*c*d*e = 720720", "--ground", "--count", "--steps", 50],
    "limited count": ["a*b*c*d*e = 720720", "--ground", "--count", "--time", 1e-6],
    "huge count": [", ".join(f"x{i} < {10**9}" for i in range(500)), "--ground", "--count"],
    "shared types": ["A = (B, B), B = (C, C), C = (D, D), D = (E, E), E = (F, F), F = (G, G), G = (H, H), H = (I, I)"],
}


@pytest.mark.parametrize("kind", QUERIES)
def test_what_query_prints(kind):
    found = printed("query", *QUERIES[kind])
    assert ("count" in kind) == ("count" in found[-1])
    if kind == "huge count":
        assert int(found[-1]["count"], 16) == 10 ** (9 * 500)


DENSE = "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(_, _), int8]) { nn.dense(%x, %w) }"
BOUNDS = ["--max-dim", 5, "--max-rank", 2, "--dtypes", "int8"]
TYPINGS: dict[str, list[object]] = {
    "symbolic": [],
    "ground": ["--ground"],
    "annotated": ["--annotated", "-n", 1],
    "drawn": ["--sample", 3, "--seed", 1],
    "least": ["--minimize", "elements"],
    "endless": ["--maximize", "%w[0]"],
    "families": ["--families"],
    "where": ["--where", "%w = Tensor[(n, _), _], n < 3", "--project", "%w"],
    "count": ["--count"],
    "limit": ["--ground", "--time", 1e-6],
    "limited count": ["--count", "--steps", 1],
}


@pytest.mark.parametrize("kind", TYPINGS)
def test_what_typings_prints(kind):
    bounds = [] if kind == "endless" else BOUNDS
    found = printed("typings", "-", *bounds, *TYPINGS[kind], given=DENSE)
    assert all(item["version"] == listing.VERSION for item in found)


def test_numbers_of_thousands_of_digits_are_texts():
    unknown = ", ".join(f"%x{i}: Tensor[(_), int8]" for i in range(500))
    text = f"def @main({unknown}) {{ 1 }}"
    bounds = ["--max-dim", 10**9, "--max-rank", 1, "--dtypes", "int8"]
    drawn = printed("typings", "-", *bounds, "--sample", 1, "--seed", 0, given=text)
    assert int(drawn[-1]["total"], 16) == 10 ** (9 * 500)
    (family, _) = printed("typings", "-", *bounds, "--families", given=text)
    assert int(family["count"], 16) == 10 ** (9 * 500)


# ---- why, and traces

REASONS = """\
type List[A] { Cons(A, List[A]), Nil }
def @first[A](%l: List[A], %d: A) -> A { match (%l) { Cons(%h, _) => { %h }, Nil => { %d }, } }
def @main(%x: Tensor[(2, 3), float32], %w, %o) {
  let %y = if (True) { nn.dense(%x, %w, units=4) } else { ones(shape=[2, 4], dtype="float32") };
  (@first(Cons(%y, Nil), %y), add(%o, 1f))
}
"""


@pytest.mark.parametrize("place", ["%w", "%o", "@main", "@first", "@first:%h", "4:28", "5:4", "5:31"])
@pytest.mark.parametrize("part", [(), ("--part", "dtype")])
def test_what_why_prints(place, part):
    done = run("why", "-", place, "--format", "json", *part, given=REASONS)
    if done.out:
        assert wrong("why", json.loads(done.out)) == []
    assert done.out or (part and done.code == 2)


@pytest.mark.parametrize("limit", [("--steps", 1), ("--output", 5), ("--time", 0.000001)])
def test_what_why_prints_of_a_limit(limit):
    (found,) = printed("why", "-", "%w", *limit, given=REASONS)
    assert found["status"].startswith("unknown: ")


def test_what_why_prints_of_a_refused_call():
    text = PROGRAMS["refuted"]
    done = run("why", "-", f"1:{text.index('add(') + 1}", "--format", "json", given=text)
    assert wrong("why", json.loads(done.out)) == [] and "refused" in json.loads(done.out)


def test_the_traces_of_programs(tmp_path):
    target = tmp_path / "trace.jsonl"
    for name, text in {**PROGRAMS, "reasons": REASONS}.items():
        run("infer", "--quiet", "-", "--closed", "--trace", target, given=text)
        written = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
        assert [wrong("trace", item) for item in written] == [[]] * len(written), name
    for entry in some(lines("programs")[::SHARE], 4):
        if entry["verdict"] != "parse-error" and outcome(entry["text"])[0] != "parse-error":
            for step in outcome(entry["text"])[1].trace:
                assert wrong("trace", step.to_dict()) == [], entry["id"]


# ---- a schema can fail


def samples() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("typed", "refuted", "unknown"):
        yield "infer", relaylogic.infer(PROGRAMS[kind]).to_dict("x")
    for item in printed("query", *QUERIES["answers"]):
        yield "query", item
    for kind in ("ground", "families", "count"):
        for item in printed("typings", "-", *BOUNDS, *TYPINGS[kind], given=DENSE):
            yield "typings", item
    yield "why", json.loads(run("why", "-", "%w", "--format", "json", given=REASONS).out)
    for step in relaylogic.infer(REASONS).trace[:6]:
        yield "trace", step.to_dict()


MAY_BE_LEFT_OUT = {"assumed", "notes", "limit", "types", "total", "optimum", "program"}
"""What is there only sometimes, so that an object without it may be right."""
MAY_BE_NULL = {"alternatives", "file", "line", "col", "end_line", "end_col", "count"}


def test_a_schema_fails_where_something_is_missing_too_much_or_of_another_kind():
    tried = 0
    for name, right in samples():
        assert wrong(name, right) == []
        for path in _paths(right):
            for mutant in _mutants(right, path):
                tried += 1
                assert wrong(name, mutant), (name, path, mutant)
    assert tried > 300


def _paths(item: Any) -> Iterator[tuple[Any, ...]]:
    """The ways to all the objects and lists in an object; those under names of the program are no part of the form."""
    agenda: list[tuple[tuple[Any, ...], Any]] = [((), item)]
    while agenda:
        path, item = agenda.pop()
        if path and path[-1] in ("functions", "bindings", "types"):
            continue
        if isinstance(item, dict):
            yield path
            agenda += [((*path, key), value) for key, value in item.items()]
        elif isinstance(item, list):
            yield path
            agenda += [((*path, i), value) for i, value in enumerate(item)]


def _mutants(right: dict[str, Any], path: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """The object with one small thing wrong at a place in it."""

    def changed(change: Any) -> dict[str, Any]:
        made = copy.deepcopy(right)
        item = made
        for key in path:
            item = item[key]
        change(item)
        return made

    def put(key: Any, value: Any) -> Any:
        return lambda item: item.__setitem__(key, value)

    here = right
    for key in path:
        here = here[key]
    if isinstance(here, list):
        yield changed(lambda item: item.append(3.5))
        yield changed(lambda item: item.append({}))
        return
    yield changed(put("more", 1))
    for key, value in here.items():
        if key not in MAY_BE_LEFT_OUT:
            yield changed(lambda item, key=key: item.pop(key))
        if key not in MAY_BE_NULL:
            yield changed(put(key, None))
        yield changed(put(key, -1 if isinstance(value, int) and not isinstance(value, bool) else {"no": [[]]}))
        if isinstance(value, int):
            yield changed(put(key, value + 0.5))
        if key in ("verdict", "status", "version", "limit"):
            yield changed(put(key, "no such"))


def test_a_result_of_one_verdict_is_none_of_another():
    for kind, other in (("typed", "refuted"), ("refuted", "typed"), ("refuted", "incomplete"), ("unknown", "typed")):
        found = relaylogic.infer(PROGRAMS[kind]).to_dict("x")
        assert wrong("infer", {**found, "verdict": other})


def test_lines_that_are_mixed_are_wrong():
    found = printed("query", *QUERIES["answers"])
    shuffle = random.Random(0)
    for _ in range(10):
        first, second = shuffle.choice(found[:-1]), found[-1]
        assert wrong("query", {**first, **second})
