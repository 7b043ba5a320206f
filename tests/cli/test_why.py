"""`relaylogic why FILE PLACE`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import relaylogic
from relaylogic import relay
from relaylogic.errors import RelayLogicError
from relaylogic.explain.places.whereabouts import found_at, found_by_name
from tests.cli.running import run
from tests.documented import checked

NET = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w1: Tensor[(16, 3, 3, 3), float32], %w2) {
  let %a = nn.conv2d(%x, %w1, padding=[1, 1]);
  let %b = nn.batch_flatten(nn.relu(%a));
  nn.dense(%b, %w2, units=10)
}
def @twice(%a: int32) { add(%a, %a) }
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "net.relay"
    path.write_text(NET, encoding="utf-8")
    return path


@pytest.mark.parametrize(("place", "name"), [("3:3", "`%a`"), ("4:5", "`%b`"), ("7:6", "the function")])
def test_the_first_word_of_a_binding_or_a_function_stands_for_it(program, place, name):
    assert run("why", program, place).out.startswith(f"the type of {name} is ")


def test_a_function_whose_body_is_a_name_is_found_in_its_brackets():
    module = relaylogic.parse("def @main() { fn (%z) { %z } }")
    assert found_at(module, 1, 23) is module["main"].body


def test_what_forces_sixteen(program):
    ran = run("why", program, "3:12", "--part", "shape[1]")
    assert ran.code == 0
    assert ran.out.startswith(
        "shape[1] of the call of `nn.conv2d` is 16, because\n"
        "  2:51  `%w1` is annotated Tensor[(16, 3, 3, 3), float32]\n"
        "  3:12  the call of `nn.conv2d` with padding=[1, 1] relates its types [Conv2D, clause weight_sizes_plane]\n"
        "No fewer places force it.\n"
    )
    assert "weight: Tensor[(16, 3, 3, 3), float32]" in ran.out


LONG = """def @main(%x: Tensor[(2, 3), float32], %w1: Tensor[(4, 3), _], %w2: Tensor[(4, 4), _]) {
  let %a = nn.dense(%x, %w1);
  let %b = nn.dense(nn.relu(%a), %w2);
  let %c = nn.dense(nn.relu(%b), %w2);
  let %d = nn.dense(nn.relu(%c), %w2);
  let %e = nn.dense(nn.relu(%d), %w2);
  let %f = nn.dense(nn.relu(%e), %w2);
  let %g = nn.dense(nn.relu(%f), %w2);
  nn.relu(%g)
}
"""


def test_fewer_places_are_looked_for_thoroughly(tmp_path):
    path = tmp_path / "long.relay"
    path.write_text(LONG)
    brief, thorough = run("why", path, "%g"), run("why", path, "%g", "--thorough")
    assert "(`--thorough` looks further)\n" in brief.out
    assert "No fewer places force it.\n" in thorough.out and "looks further" not in thorough.out
    data = json.loads(run("why", path, "%g", "--thorough", "--format", "json").out)
    assert data["smallest"] and len(data["places"]) == thorough.out.split("No fewer")[0].count("\n  ")


UNNAMED = """def @main(%t: (Tensor[(2), int8], bool)) {
  let %r = ref(%t.0);
  match (%t) { (%a, %b) => add(ref_read(%r), %a) }
}
"""


@pytest.mark.parametrize(
    ("place", "name"),
    [("2:12", "the reference"), ("2:16", "`%t`"), ("3:3", "the match"), ("3:32", "the read of a reference")],
)
def test_what_has_no_name_is_called_by_its_kind(tmp_path, place, name):
    """A reference was "the refcreate"."""
    path = tmp_path / "unnamed.relay"
    path.write_text(UNNAMED, encoding="utf-8")
    assert run("why", path, place).out.startswith(f"the type of {name} is ")


def test_what_is_done_with_a_reference_is_told_from_it(tmp_path):
    """Making, writing and reading one were "the reference", of three types."""
    path = tmp_path / "reference.relay"
    path.write_text("fn (%x: Tensor[(2), int8], %y) {\n  let %r = ref(%x);\n  ref_write(%r, %y);\n  %y\n}\n")
    told = run("why", path, "%y").out
    assert "2:12  the reference has type ref(Tensor[(2), int8])\n" in told
    assert "3:3   the write to a reference has type ()\n" in told


def test_a_pattern_is_one_in_a_derivation(tmp_path):
    """It was a "patternconstructor", and no place said which value the match looks at."""
    path = tmp_path / "list.relay"
    path.write_text(
        "type List[A] { Cons(A, List[A]), Nil }\n"
        "def @first(%xs: List[int8], %d: int8) { match (%xs) { Cons(%h, _) => %h, Nil => %d } }\n"
    )
    ran = run("why", path, "%h")
    assert "2:48  `%xs` has type List[int8]\n  2:55  the pattern\nNo fewer places" in ran.out
    assert "pattern of Cons: int8 by ConsPattern, clause signature" in ran.out


def test_the_same_as_data(program):
    ran = run("why", program, "%w2", "--format", "json")
    said = json.loads(ran.out)
    result = relaylogic.infer(NET)
    expected = result.why(found_by_name(result.module, "%w2")).to_dict()
    file = said.pop("file")
    assert (ran.code, file, said) == (0, str(program), expected)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("3:10", "no expression stands at 3:10"),
        ("1:1", "no expression stands"),
        ("99:1", "there is no place 99:1: the text has 8 lines"),
        ("3:99", "there is no place 3:99: line 3 has 46 columns"),
        ("0:0", "there is no place 0:0"),
        ("%q", "no variable `%q`"),
        ("%w1x", "did you mean `%w1`?"),
        ("@mian", "did you mean `@main`?"),
        ("@f", "there is no function `@f`"),
        ("@f:%a", "there is no function `@f`"),
        ("@twice:%x", "no variable `%x` is bound in `@twice`"),
        ("nonsense", "is no place"),
        ("%a", "`%a` is ambiguous: it is bound at 3:7 in `@main`, 7:12 in `@twice`"),
    ],
)
def test_a_place_where_nothing_is_asked_about(program, place, words):
    ran = run("why", program, place)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


GRAPH = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w) {
  %0 = nn.dense(%x, %w, units=4); // %9 = add(%x, %x)
  %1 = ( nn.relu(%0));
  %2 = (%1, %0);
  %3 = %2.0;
  %4 = %x;
  %10 = nn.relu(%4);
  (%3, %10)
}
def @other(%x) { %0 = nn.relu(%x); %0 }
"""


@pytest.mark.parametrize(
    ("name", "place"),
    [("@main:%0", "3:8"), ("@other:%0", "11:23"), ("%1", "4:10"), ("%2", "5:8"), ("%10", "8:9")],
)
def test_graph_bindings_have_names_too(tmp_path, name, place):
    path = tmp_path / "graph.relay"
    path.write_text(GRAPH, encoding="utf-8")
    ran = run("why", path, name)
    assert (ran.code, ran.out) == (0, run("why", path, place).out)


@pytest.mark.parametrize("name", ["%in/x:0", '@main:%"a b"', '@"f g":%in/x:0', '@"f g"', '%"0"'])
def test_names_are_those_of_the_text(tmp_path, name):
    path = tmp_path / "names.relay"
    text = 'def @main(%in/x: int8, %"a b": int8, %"0": int8) { add(%in/x, %"0") } def @"f g"(%in/x:0: int8) { %in/x:0 }'
    path.write_text(text, encoding="utf-8")
    assert found_by_name(relaylogic.infer(text).module, name) is not None
    assert run("why", path, name).code == 0


def test_a_quoted_name_that_is_used_twice():
    module = relaylogic.infer('def @main(%"a b": int8) { add(%"a b", %"a b") }').module
    assert found_at(module, 1, 32) is found_at(module, 1, 40) is found_by_name(module, '%"a b"')


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("%0", "`%0` is ambiguous: it is bound at 3:8 in `@main`, 11:23 in `@other`"),
        ("%4", "no variable `%4` is bound, nor an expression that is used"),
        ("%9", "no variable `%9` is bound, nor an expression that is used"),
        ("@other:%1", "no variable `%1` is bound in `@other`, nor an expression that is used"),
    ],
)
def test_graph_bindings_of_nothing(tmp_path, name, words):
    path = tmp_path / "graph.relay"
    path.write_text(GRAPH, encoding="utf-8")
    ran = run("why", path, name)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_projection_that_a_graph_binding_binds():
    """Its place begins as that of the tuple does."""
    module = relaylogic.infer(GRAPH).module
    assert type(found_by_name(module, "%3")) is relay.TupleGetItem


def test_a_part_that_is_not_there(program):
    assert run("why", program, "%w1", "--part", "shape[7]").code == 2
    assert run("why", program, "%w1", "--part", "size").code == 2


def test_a_file_that_is_no_program(tmp_path, program):
    assert run("why", tmp_path / "missing.relay", "%x").code == 2
    program.write_text("def @main(", encoding="utf-8")
    assert run("why", program, "%x").code == 2


def test_a_limit(program):
    ran = run("why", program, "%w2", "--output", "10")
    assert ran.code == 3
    assert "output limit" in ran.err


def test_a_name_with_its_function(program):
    assert "3:12" in run("why", program, "@main:%a").out
    assert run("why", program, "@twice:%a").out.startswith("the type of `%a` is int32, because\n  7:16")
    assert run("why", program, "@main").code == 0


def test_a_refuted_program(program):
    program.write_text("def @main(%x: Tensor[(2, 3), int8]) { nn.dense(nn.relu(%x), %x, units=4) }", encoding="utf-8")
    ran = run("why", program, "1:48")
    assert ran.code == 0 and ran.out.startswith("the type of the call of `nn.relu` is Tensor[(2, 3), int8]")


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_refused_ends_so(form, program):
    """It ended as if its type had been told."""
    program.write_text("def @main(%x: Tensor[(2, 3), int8]) { nn.dense(nn.relu(%x), %x, units=4) }", encoding="utf-8")
    ran = run("why", program, "1:39", "--format", form)
    assert ran.code == 1 and "is refused" in ran.out


def test_a_program_on_standard_input():
    assert run("why", "-", "%w2", given=NET).code == 0


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ((3, 7), "%a"),
        ((3, 8), "%a"),
        ((3, 12), "nn.conv2d(%x, %w1, padding=[1, 1])"),
        ((3, 22), "%x"),
        ((3, 26), "%w1"),
        ((4, 30), "nn.relu(%a)"),
        ((4, 37), "%a"),
        ((2, 60), "%w1"),
        ((7, 30), "%a"),
        ((7, 34), "%a"),
    ],
)
def test_the_innermost_expression_of_a_place(at, text):
    module = relaylogic.parse(NET)
    found = found_at(module, *at)
    span = found.span
    assert span.source.text[span.start : span.end] == text


def test_every_place_is_answered_or_an_error():
    module = relaylogic.parse(NET)
    for line, text in enumerate(NET.split("\n"), 1):
        for column in range(1, len(text) + 2):
            try:
                assert found_at(module, line, column) is not None
            except RelayLogicError as problem:
                assert "no expression stands" in str(problem)


def test_a_program_without_a_text_has_no_places():
    x = relaylogic.relay.var("x", shape=(2, 3))
    module = relaylogic.IRModule.from_expr(relaylogic.relay.Function([x], relaylogic.relay.nn.relu(x)))
    with pytest.raises(RelayLogicError, match="names only"):
        found_at(module, 1, 1)
    assert found_by_name(module, "%x") is module["main"].params[0]
    assert len(relaylogic.infer(module).why(module["main"].body).places) == 2


README = Path(__file__).parents[2] / "README.md"


def test_the_readme_shows_what_is_said(monkeypatch):
    monkeypatch.chdir(README.parent)
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n\$ relaylogic (why .*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        command, _, shown = block.partition("\n")
        begins, cut, _ = shown.partition("...\n")
        told = run(*shlex.split(command)).out
        assert told.startswith(begins) and (cut or told == shown)
    patient = json.loads(run(*shlex.split(f"{command} --format json")).out)
    result = relaylogic.infer(Path(shlex.split(command)[1]).read_text(encoding="utf-8"))
    brief = result.why(found_by_name(result.module, "%100"), "shape[1]")
    assert f"it tells {len(patient['places'])} of the {len(brief.places)} that are told " in " ".join(text.split())


def test_the_readme_shows_what_is_answered():
    text = README.read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n((?:(?!```).)*?result\.why.*?)```", text, re.DOTALL)
    assert checked(block, {"relaylogic": relaylogic}) == 5


def test_a_long_answer_is_cut_in_text_only(program):
    names = ", ".join(f"%v{i}" for i in range(200))
    lines = "\n".join(f"  let %v{i} = nn.relu(%x);" for i in range(200))
    program.write_text(f"def @main(%x: Tensor[(2, 3), int8]) {{\n{lines}\n  ({names})\n}}", encoding="utf-8")
    ran = run("why", program, "@main")
    assert "more places" in ran.out
    assert "nodes before these" in ran.out
    assert len(ran.out.splitlines()) < 1000
    said = json.loads(run("why", program, "@main", "--format", "json").out)
    assert len(said["places"]) > 200


USED_AGAIN = """def @main(%x: Tensor[(2, 3), float32]) {
  %0 = nn.relu(%x);
  %1 = add(%0, %0);
  %2 = nn.softmax(%1);
  (%2)
}"""


@pytest.mark.parametrize(
    ("at", "operator"),
    [((2, 3), "nn.relu"), ((3, 12), "nn.relu"), ((3, 16), "nn.relu"), ((4, 3), "nn.softmax"), ((5, 4), "nn.softmax")],
)
def test_a_graph_variable_is_what_it_is_bound_to(at, operator):
    """Where one was used, nothing stood, or the call that used it."""
    assert found_at(relaylogic.parse(USED_AGAIN), *at).op.name == operator
