"""The page of a program without a browser: well-formed, whole, escaped, and true."""

from __future__ import annotations

import base64
import hashlib
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.report import infer_module
from relaylogic.report.marks import marks_of
from relaylogic.report.program import DEEPEST, Element, drawn
from relaylogic.report.texts import LeftOut, clean
from tests.cli.running import run
from tests.conformance.programs import lines
from tests.counted import at_most
from tests.effort import examples, some
from tests.report.pages import HOSTILE, PROGRAMS, REFUTED, RESNET, TREES, Seen, page_of


@pytest.fixture(scope="module")
def seen():
    return {name: Seen(page_of(text)) for name, text in PROGRAMS.items()}


def checked(page: str) -> Seen:
    """A page that an HTML parser finds well-formed, in which every link has its target, and that fetches nothing."""
    found = Seen(page)
    assert found.faults == []
    assert len(set(found.ids)) == len(found.ids)  # each is there once
    targets = {f"#{identity}" for identity in found.ids}
    for tag, attributes in found.tags:
        assert tag not in ("img", "iframe", "link", "object", "embed", "base", "form"), tag
        assert not any(name.startswith("on") or name in ("src", "style", "srcset", "action") for name in attributes)
        for name in ("href", "xlink:href"):
            assert name not in attributes or attributes[name] in targets, attributes[name]
    data = found.data
    missing = {f"#e{number}" for number in range(len(data["marks"]))} - targets
    assert not missing or f"more than {DEEPEST} other expressions" in found.texts["#left-out"]
    for row in data["nodes"]:
        assert all(0 <= rest < len(data["nodes"]) for rest in row[6])
        assert row[7] < len(data["marks"])
    for row in data["steps"]:
        assert len(row) == 16 and row[15] < len(data["marks"])
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_pages_are_well_formed_and_need_nothing_else(name):
    checked(page_of(PROGRAMS[name]))


def test_the_policy_allows_the_script_and_the_style_and_nothing_else(seen):
    found = seen["trees"]
    policy = next(a["content"] for t, a in found.tags if t == "meta" and a.get("http-equiv"))
    scripts = re.findall(r"<script>(.*?)</script>", found.page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", found.page, re.DOTALL)
    assert len(scripts) == len(styles) == 1
    for kind, text in (("script", scripts[0]), ("style", styles[0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy


def test_the_program_is_shown_as_it_is(seen):
    for name in ("refuted", "trees", "open"):
        assert seen[name].texts["#code"] == PROGRAMS[name]
    assert seen["resnet"].texts["#code"] == RESNET.partition("#[metadata]")[0]


def test_every_call_has_its_type_and_its_derivation(seen):
    for name in ("resnet", "trees"):
        result = relaylogic.infer(PROGRAMS[name], closed=True)
        data = seen[name].data
        shown = {(data["texts"][type_], line, column) for _, type_, _, line, column in data["marks"]}
        for call in result.calls:
            assert (str(call.type), call.span.line, call.span.column) in shown
        assert all(node >= 0 for _, _, node, _, _ in data["marks"])
        assert len(data["steps"]) == len(result.trace)


def test_uses_of_variables_have_the_types_of_their_variables(seen):
    data, lines_ = seen["trees"].data, TREES.split("\n")
    found = {(line, column): data["texts"][type_] for _, type_, _, line, column in data["marks"]}
    line = next(i for i, text in enumerate(lines_, 1) if "@map(%f, %l)" in text)
    assert found[line, lines_[line - 1].index("%l)") + 1] == "Tree[A]"
    assert found[12, lines_[11].index("%w,") + 1] == "Tensor[(3, 3), float32]"


def test_what_is_shadowed_is_not_taken_for_another():
    text = "def @main(%x: int8) { let %x = (%x, 1f); %x }"
    data = Seen(page_of(text)).data
    found = {column: data["texts"][type_] for _, type_, _, _, column in data["marks"]}
    assert found[text.index("%x") + 1] == "int8" and found[text.index("let %x") + 5] == "(int8, float32)"
    assert text.index("(%x, 1f)") + 2 not in found and text.rindex("%x") + 1 not in found


def test_conflicts_are_linked_to_their_places(seen):
    found = seen["refuted"]
    result = relaylogic.infer(REFUTED, closed=True)
    for error in result.errors:
        assert error.message in found.texts["#findings"]
        for label in error.related:
            assert label.message in found.texts["#findings"]
    marked = {a["id"]: a["class"] for t, a in found.tags if t == "span" and a.get("class") in ("primary", "secondary")}
    assert list(marked.values()).count("primary") == len(result.errors) == 2
    assert found.texts["#error1-0"] == "Tensor[(10, 32), float32]"
    assert "cannot hold together" in found.texts["#conflicts"]


def test_what_is_open_doubtful_and_unknown_is_said(seen):
    assert "not decided: Broadcast(" in seen["open"].texts["#findings"]
    assert "Broadcast(Tensor[(2), int8], Tensor[(2), int8], Tensor[(2), int8])" in seen["open"].texts["#findings"]
    assert "step limit" in seen["unknown"].texts["#findings"] and "step limit" in seen["unknown"].texts["header"]
    assert "this arm can never run" in seen["doubtful"].texts["#findings"]


def test_the_graph_has_functions_and_constructors(seen):
    found = seen["trees"]
    titles = re.findall(r"<title>([^<]*)</title><rect", found.page)
    assert sorted(titles) == ["@main", "@map", "Leaf", "Node"]
    assert found.page.count('class="edge"') == 6  # from @main and from @map to @map and both constructors
    assert "nn.dense" in found.texts["#graph"]


def test_the_trace_is_the_recorded_one(seen):
    result = infer_module(relaylogic.parse(TREES, "x"), closed=True)
    data = seen["trees"].data
    text, lists = data["texts"], data["lists"]
    for row, step in zip(data["steps"], result.trace, strict=True):
        assert (row[0], text[row[2]], text[row[6]]) == (step.site, step.callee, step.outcome)
        assert [text[i] for i in lists[row[9]]] == list(step.knew)
        assert [[text[i] for i in item] for item in row[13]] == [
            [c.variable, c.before, c.after] for c in step.concluded
        ]
        assert row[14] == list(step.woke)


# ---- hostile programs


def test_names_are_no_markup():
    found = checked(page_of(HOSTILE))
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert "alert(1)" in found.texts["#code"] and "\u202e" not in found.page and "\u2028" not in found.page
    assert "{{ 7 * 7 }}" in found.texts["#code"]
    assert "<!--" not in found.page and "</script><script>alert" not in found.page
    checked(page_of(REFUTED, '"><script>alert(1)</script>.relay'))


NAMES = st.text(st.characters(blacklist_characters='"\n\r\\', blacklist_categories=("Cs",)), min_size=1, max_size=8)
SPECIAL = st.text(st.sampled_from("<>&'/{}%#-!]\t =x\u202e\u2028\x00\x7f\ufeff"), min_size=1, max_size=8)


@settings(max_examples=examples(40))
@given(NAMES | SPECIAL, NAMES | SPECIAL)
def test_any_name_is_shown_as_text(function, variable):
    text = f'def @"{function}"(%"{variable}": Tensor[(2), int8]) {{ add(%"{variable}", 1f) }}'
    try:
        module = relaylogic.parse(text, f"{variable}.relay")
    except relaylogic.RelayLogicError:
        return
    found = checked(page_of(module, f"{variable}.relay"))
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert found.texts["#code"] == clean(text).replace("\x00", "\ufffd")


def test_a_function_is_marked_up_to_its_parameters_whatever_its_name():
    """A parenthesis in the name was taken for that of the parameters."""
    text = 'def @"a(b)"[s: Shape](%x: Tensor[s, int8]) { @g(%x) }\ndef @g(%x) { %x }\n'
    result = relaylogic.infer(text)
    heads = {mark.name: text[mark.start : mark.end] for mark in marks_of(result, result.module.source, len(text))}
    assert heads["@a(b)"] == 'def @"a(b)"[s: Shape]'


STRETCHES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=8)


@settings(max_examples=examples(300))
@given(st.text("ab<&\t", min_size=12, max_size=12), STRETCHES)
def test_elements_cover_their_stretches_though_they_cross(text, stretches):
    elements = [
        Element(a, b, f"e{i}", f"c{i}", 0, (("data-e", str(i)),)) for i, (a, b) in enumerate(stretches) if a < b
    ]
    markup = str(drawn(text, elements, LeftOut()))
    found = Seen(markup)
    assert found.faults == [] and len(set(found.ids)) == len(found.ids) == len(elements)
    covered = {element.id: set() for element in elements}
    at, open_ = 0, []
    for part in re.findall(r"<span[^>]*>|</span>|&[a-z]+;|.", markup, re.DOTALL):
        if part.startswith("<span"):
            open_.append("e" + re.search(r'data-e="(\d+)"', part)[1])
        elif part == "</span>":
            open_.pop()
        else:
            for identity in open_:
                covered[identity].add(at)
            at += 1
    assert at == len(text)
    assert covered == {element.id: set(range(element.start, element.end)) for element in elements}


# ---- what is large


@pytest.mark.usefixtures("seen")  # so the tables of its relations are full
def test_a_page_of_resnet50_is_small_and_soon_made():
    module = relaylogic.parse(RESNET, "resnet50.relay")
    with at_most(1_500_000):
        page = page_of(module)
    assert len(page.encode()) < 3_000_000


def test_further_conflicts_and_corrections_are_looked_for_in_so_many_steps(monkeypatch):
    """Where the arms of a match have a type each, a correction leaves out all but one, and there is a conflict for each
    two of them: of 20, the next correction took minutes."""

    def conflicts(arms):
        fields = ", ".join(f"C{i}(Tensor[({i}), int8])" for i in range(arms))
        given = ", ".join(f"C{i}(%x{i}) => nn.relu(%x{i})" for i in range(arms))
        page = page_of(f"type D {{ {fields} }} def @main(%d: D) {{ match (%d) {{ {given} }} }}")
        return checked(page).texts["#conflicts"]

    assert conflicts(4).count("Minimal correction") == 3
    monkeypatch.setattr("relaylogic.report.page.FURTHER", 300)
    few = conflicts(8)
    assert few.count("Minimal correction") < 3 and "There may be more than these." in few


def test_what_is_left_out_is_said(monkeypatch):
    """Each bound is a tenth of what it is elsewhere."""
    for name in ("page.MOST_MARKS", "data.MOST_STEPS", "data.MOST_NODES", "data.ENOUGH"):
        of, _, bound = name.partition(".")
        module = importlib.import_module(f"relaylogic.report.{of}")
        monkeypatch.setattr(module, bound, getattr(module, bound) // 10)
    calls = "".join(f"  let %x{i + 1} = nn.relu(%x{i});\n" for i in range(1_200))
    found = checked(page_of(f"def @main(%x0: Tensor[(2, 3), float32]) {{\n{calls}  %x1200\n}}"))
    said = found.texts["#left-out"]
    assert "steps; the first " in said and "derivations of the first" in said
    assert "The first 2,000 expressions can be pointed at." in said
    assert len(found.page) < 1_500_000


def test_deep_programs_are_shown_as_far_as_elements_go():
    deep = 3_000
    found = checked(page_of(f"def @main(%x: int8) {{ {'negative(' * deep}%x{')' * deep} }}"))
    assert f"more than {DEEPEST} other expressions" in found.texts["#left-out"]


def test_long_types_are_cut():
    nest = "(" * 400 + "int8" + ",)" * 400
    found = checked(page_of(f"def @main(%x: {nest}) {{ {'%x' + '.0' * 20} }}"))
    assert found.data["steps"]


def test_every_thirtieth_program_that_we_have():
    for entry in some(lines("programs")[::30], 4):
        try:
            module = relaylogic.parse(entry["text"], "x.relay")
        except relaylogic.RelayLogicError:
            continue
        checked(page_of(module))


# ---- programs without a text of their own


def test_a_module_that_was_built_is_printed():
    from relaylogic import relay

    x = relay.var("x", shape=(2, 3), dtype="float32")
    module = relaylogic.IRModule.from_expr(relay.Function([x], relay.nn.relu(x)))
    found = checked(page_of(module))
    assert "def @main(%x: Tensor[(2, 3), float32])" in found.texts["#code"]
    assert "it was printed" in found.texts["#program"] and found.data["steps"]


def test_a_model_is_printed(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    values = [helper.make_tensor_value_info(n, 1, s) for n, s in (("x", [2, 3]), ("w", [4, 5]), ("y", [2, 5]))]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:2], values[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    onnx.save(model, str(tmp_path / "model.onnx"))
    done = run("report", tmp_path / "model.onnx", "-o", tmp_path / "out.html")
    assert done.code == 1
    found = checked((tmp_path / "out.html").read_text(encoding="utf-8"))
    assert "nn.matmul(%x, %w)" in found.texts["#code"] and "refuses" in found.texts["#findings"]


# ---- the command


@pytest.fixture
def net(tmp_path):
    (tmp_path / "net.relay").write_text(REFUTED)
    return tmp_path / "net.relay"


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [("trees", (), 0), ("refuted", (), 1), ("open", ("--closed",), 3), ("unknown", (), 3), ("open", (), 0)],
)
def test_the_exit_code_is_that_of_the_verdict(tmp_path, name, options, code):
    target = tmp_path / "out.html"
    done = run("report", "-", "-o", target, *options, given=PROGRAMS[name])
    assert (done.code, done.err, done.out) == (code, "", f"{target}: written\n")
    checked(target.read_text(encoding="utf-8"))


def test_the_page_on_standard_output(net):
    done = run("report", net, "-o", "-")
    assert done.code == 1 and done.out.startswith("<!DOCTYPE html>")
    checked(done.out)


def test_an_existing_page_is_replaced_once_there_is_a_new_one(tmp_path, net):
    target = tmp_path / "out.html"
    target.write_text("before")
    (tmp_path / "bad.relay").write_text("def @main(")
    assert run("report", tmp_path / "bad.relay", "-o", target).code == 2
    assert target.read_text() == "before"
    assert run("report", net, "-o", target).code == 1
    assert target.read_text().startswith("<!DOCTYPE html>")


def test_what_cannot_be_written(tmp_path, net):
    for target in (tmp_path, tmp_path / "none" / "out.html", net):
        done = run("report", net, "-o", target)
        assert done.code == 2 and done.out == "" and f"{target}: error: " in done.err
    assert net.read_text() == REFUTED
    assert run("report", net).code == 2


def test_what_cannot_be_read(tmp_path):
    done = run("report", tmp_path / "none.relay", "-o", tmp_path / "out.html")
    assert done.code == 2 and "cannot be read" in done.err and not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(("limit", "value"), [("--time", 1e-6), ("--steps", 1), ("--output", 1000)])
def test_limits_hold(tmp_path, net, limit, value):
    target = tmp_path / "out.html"
    done = run("report", net, "-o", target, limit, value)
    assert done.code == 3 and "limit of" in done.err
    if target.exists():
        assert "unknown" in checked(target.read_text(encoding="utf-8")).texts["header"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk(net):
    done = subprocess.run(
        [sys.executable, "-m", "relaylogic", "report", str(net), "-o", "/dev/full"], capture_output=True, check=False
    )
    assert done.returncode == 74 and b"output could not be written" in done.stderr and done.stdout == b""
