"""What is made when the package is installed is what would be made later, and is used where nothing is kept."""

from __future__ import annotations

import shutil
import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator
from copy import copy
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from relaylogic import infer, parse
from relaylogic.ahead.making import compile_sources, make
from relaylogic.ahead.programs import usual_programs
from relaylogic.host.cache import made_folder
from relaylogic.infer.program import Inference
from relaylogic.logic.search.search import MAX_ANSWERS
from relaylogic.logic.states.goals import fail
from relaylogic.rulebase import Attrs, Relation, RuleBase, load_rules
from relaylogic.rulebase.base import STEPS
from relaylogic.rulebase.recipe import rules_folder
from relaylogic.rulebase.relation import Clause
from relaylogic.rulebase.specialised import store
from relaylogic.rulebase.specialised.codes import codes_in
from relaylogic.rulebase.specialised.functions import compiled
from relaylogic.rulebase.specialised.general import NO_SYMBOL
from relaylogic.rulebase.specialised.log import Log
from relaylogic.rulebase.specialised.made import CODES, Made
from relaylogic.rulebase.specialised.reading import Noting
from relaylogic.typings.program import count_typings
from relaylogic.typings.query import query
from tests import effort
from tests.effort import examples, some

RESNET = (Path(__file__).parents[1] / "examples" / "resnet50.relay").read_text()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is made: that of the package if it was made of these sources when that was installed."""
    kept, folder = tmp_path_factory.mktemp("kept"), tmp_path_factory.mktemp("package") / "made"
    if Made(made_folder(), store.content_of(rules_folder())).of("Dense"):
        shutil.copytree(made_folder(), folder)
        return folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RELAYLOGIC_CACHE", str(kept))
        patch.setattr("relaylogic.host.cache.MADE", folder)
        make(kept, folder)
    return folder


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The relations whose goals are run."""
    asked: list[str] = []
    search = RuleBase._by_search

    def noted(rules: RuleBase, relation: object, *how: object) -> object:
        asked.append(str(relation))
        return search(rules, relation, *how)  # type: ignore[arg-type]

    monkeypatch.setattr(RuleBase, "_by_search", noted)
    return asked


def programs_in(made: Path) -> Iterator[tuple[str, str, str]]:
    """Relations with what their programs answer, and the programs."""
    ahead = Made(made, store.content_of(rules_folder()))
    for path in sorted(made.glob("*.log")):
        yield from ((path.stem, key, text) for key, text in ahead.of(path.stem).items())


def test_usual_calls_are_calls() -> None:
    number = 0
    for text in usual_programs():
        inference = Inference(parse(text), load_rules())
        assert not inference.failed()
        number += len(inference.module.functions)
    assert number > 1000


@pytest.mark.parametrize("kept", [False, True])
def test_the_first_inference_of_a_network_runs_few_goals(
    made: Path, searched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path / "kept") if kept else "")
    module = parse(RESNET)
    Inference(module, load_rules())
    with_ahead = len(searched)
    searched.clear()
    monkeypatch.setattr("relaylogic.host.cache.MADE", tmp_path / "none")
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    Inference(module, load_rules())
    assert 3 * with_ahead < len(searched)


@pytest.mark.parametrize(
    ("call", "shapes"),
    [
        ("nn.conv1d(%a, %b, padding=[0, 0], channels=6, kernel_size=[3])", ("2, 8, 9", "6, 8, 3")),
        ("nn.conv2d(%a, %b, padding=[2, 2, 2, 2], channels=6, kernel_size=[3, 3])", ("2, 8, 9, 9", "6, 8, 3, 3")),
        (
            "nn.conv2d(%a, %b, padding=[0, 0, 1, 1], groups=4, channels=8, kernel_size=[3, 3])",
            ("2, 8, 9, 9", "8, 2, 3, 3"),
        ),
        ("nn.dense(%a, %b, units=7)", ("3, 5", "7, 5")),
        ("nn.max_pool2d(%a, pool_size=[3, 3], strides=[2, 2], padding=[0, 0, 1, 1])", ("2, 8, 9, 9", "1")),
    ],
)
def test_what_forces_the_type_of_a_usual_layer_and_its_dtype_is_told_without_goals(
    made: Path, searched: list[str], monkeypatch: pytest.MonkeyPatch, call: str, shapes: tuple[str, str]
) -> None:
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    parameters = ", ".join(f"%{name}: Tensor[({shape}), float32]" for name, shape in zip("ab", shapes, strict=True))
    result = infer(f"def @main({parameters}) {{ {call} }}", rules=load_rules())
    searched.clear()
    function = result.module["main"]
    for why in (result.why(function), result.why(function.body, "dtype")):
        assert why.smallest and not searched


def test_the_first_question_about_types_that_are_partly_open_runs_no_clauses(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    rules, run = load_rules(), []
    monkeypatch.setattr(Clause, "goal", lambda clause, arguments: run.append(clause) or fail)
    layer = "fn (%x: Tensor[(3, _), float32], %w: Tensor[(_, _), float32], %b: Tensor[(_), float32])"
    assert count_typings(f"{layer} {{ add(nn.dense(%x, %w), %b) }}", rules=rules, max_dim=3) == 21
    types = "Tensor[(1, 3, h, w), float32], Tensor[(8, 3, 3, 3), float32]"
    found = query(f"nn.conv2d({types}) = Tensor[(1, 8, 5, 7), float32]", rules=rules)
    assert [answer.texts for answer in found] == [{"h": "7", "w": "9"}]
    assert not run


def test_the_first_inference_writes_nothing_that_was_known_when_rules_were_loaded(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path))
    rules = load_rules()
    kept = (tmp_path / store.FILE).read_bytes()
    Inference(parse("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"), rules)
    assert kept and (tmp_path / store.FILE).read_bytes() == kept


def test_loading_rules_looks_once_at_what_was_made(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It did so behind each file of rules."""
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    read: list[Path] = []
    read_bytes = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    load_rules()
    assert [path.name for path in read if path.parent == made] == ["modes"]


ATTENTION = """
def @main(%x: Tensor[(1, ?, 24), float32], %past: Tensor[(1, 2, ?, 12), float32], %cos: Tensor[(?, 12), float32],
          %mask: Tensor[(?, ?), float32], %w: Tensor[(24, 24), float32]) {
  let %q = transpose(reshape(nn.dense(%x, %w, units=24), newshape=[0, -1, 2, 12]), axes=[0, 2, 1, 3]);
  let %a = strided_slice(%q, begin=[0], end=[6], strides=[1], axes=[3]);
  let %b = strided_slice(%q, begin=[6], end=[12], strides=[1], axes=[3]);
  let %k = concatenate((negative(%b), %a), axis=-1);
  let %r = add(multiply(%q, %cos), multiply(%k, %cos));
  let %kv = concatenate((%past, %r), axis=2);
  let %s = nn.batch_matmul(reshape(%r, newshape=[2, -1, 12]), reshape(%kv, newshape=[2, -1, 12]), transpose_b=True);
  let %p = nn.softmax(add(%s, %mask), axis=-1);
  let %y = reshape(transpose(%kv, axes=[0, 2, 1, 3]), newshape=[0, 0, 24]);
  (%p, divide(%y, sqrt(add(mean(multiply(%y, %y), axis=[-1], keepdims=True), 1e-05f))))
}
"""


def test_attention_to_a_past_of_any_length_runs_no_goals(
    made: Path, searched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a length was `?` behind the first extent, each call was searched for."""
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    inference = Inference(parse(ATTENTION), load_rules())
    assert inference.verdict() == "typed" and not searched


def test_what_was_made_of_other_rules_is_not_used(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    assert load_rules().compiled.programs(load_rules().relation("Dense"))
    monkeypatch.setattr(store, "_content_once", lambda origin, folder: "others")
    assert not load_rules().compiled.programs(load_rules().relation("Dense"))


def test_it_is_what_would_be_made_later(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path))
    monkeypatch.setattr("relaylogic.host.cache.MADE", tmp_path / "none")
    module = parse(next(usual_programs()))
    for _ in range(2):
        Inference(module, load_rules())
    ahead = {(name, key): text for name, key, text in programs_in(made)}
    later = {
        (name, key): text
        for name, key, text in Log(tmp_path / store.FILE, store.origin_of(rules_folder()))
        if name and text != store.MET
    }
    assert later.items() <= ahead.items() and len(later) > 100


def test_code_is_that_of_the_text(made: Path) -> None:
    codes = codes_in(str(made / CODES), store.content_of(rules_folder()))
    assert codes is not None
    number = 0
    for name, key, text in some(programs_in(made), 3):
        found = codes.program(name, literal_eval(key))
        program = text.partition("\n")[2]
        assert found is not None and (found.answer is not None) == bool(program)
        assert found.no_symbol == (NO_SYMBOL in program)
        if found.answer is not None:
            assert found.answer.__code__ == compiled(program).__code__  # type: ignore[attr-defined]
            number += 1
    assert number > examples(400, 3)


def test_an_attribute_that_no_program_looks_at_changes_no_answer(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = codes_in(str(made / CODES), store.content_of(rules_folder()))
    assert codes is not None
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    monkeypatch.setattr("relaylogic.host.cache.MADE", made.parent / "none")
    rules = load_rules()
    asked: list[tuple[Relation, tuple[Any, ...], Attrs]] = []
    solve = RuleBase._by_search

    def noted(self: RuleBase, relation: Relation, arguments: Any, attrs: Any, *how: Any) -> Any:
        asked.append((relation, arguments, attrs))
        return solve(self, relation, arguments, attrs, *how)

    monkeypatch.setattr(RuleBase, "_by_search", noted)
    for text in usual_programs() if effort.THOROUGH else [*usual_programs()][1::2]:
        Inference(parse(text), rules)
    changed: Counter[tuple[str, str]] = Counter()
    for relation, arguments, attrs in asked:
        for name in codes.of(relation.name).whatever:
            if changed[relation.name, name] < (3 if effort.THOROUGH else 1) and name in attrs:
                changed[relation.name, name] += 1
                known, other = (
                    solve(rules, relation, arguments, a, None, STEPS, True, MAX_ANSWERS, False)
                    for a in (attrs, attrs.replace(**{name: 0.75}))
                )
                assert known.general is not None and known == other
    assert ("BatchNorm", "epsilon") in changed and len(changed) > 15


def test_a_call_is_answered_whatever_attributes_are_that_nobody_looks_at(
    made: Path, searched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relaylogic.host.cache.MADE", made)
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    norm = "nn.batch_norm(%x, %a, %a, %a, %a, epsilon=0.37f, center=False)"
    types = "%x: Tensor[(2, 8, 5, 5), float32], %a: Tensor[(8), float32]"
    module = parse(f"def @main({types}) {{ nn.avg_pool2d({norm}.0, count_include_pad=True) }}")
    inference = Inference(module, load_rules())
    assert inference.verdict() == "typed" and not searched


def test_attributes_note_what_is_looked_at() -> None:
    attrs = Noting(Attrs({"axis": 1, "epsilon": 1e-5, "center": True, "scale": False}))
    assert attrs.axis == 1 and attrs.replace(axis=2).center
    assert attrs.left_alone() == ["epsilon", "scale"]
    assert attrs.listed("scale") == () and "epsilon" in attrs
    assert attrs.left_alone() == ["epsilon"]
    for look in (dict, repr, lambda a: a.key, lambda a: a.get("epsilon"), copy):
        attrs = Noting(Attrs({"epsilon": 1e-5}))
        look(attrs.items() if look is dict else attrs)  # type: ignore[arg-type]
        assert not attrs.left_alone()
    assert attrs != Noting(Attrs({"epsilon": 1e-5})) and attrs != Attrs({"epsilon": 1e-5})


@pytest.mark.parametrize("damage", ["another version", "other rules", "damaged", "cut", "empty", "none"])
def test_without_its_code_a_program_is_made_of_its_text(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    folder = tmp_path / "made"
    shutil.copytree(made, folder)
    content = (folder / CODES).read_bytes()
    damaged = {
        "another version": b"\0" + content[1:],
        "other rules": content[:8] + bytes([content[8] ^ 1]) + content[9:],
        "damaged": content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        "cut": content[:-1],
        "empty": b"",
    }.get(damage)
    (folder / CODES).unlink()
    if damaged is not None:
        (folder / CODES).write_bytes(damaged)
    whole, ahead = (Made(path, store.content_of(rules_folder())) for path in (made, folder))
    assert codes_in(str(folder / CODES), store.content_of(rules_folder())) is None
    key = next(literal_eval(key) for name, key, text in programs_in(made) if name == "Dense" and "def " in text)
    found, expected = ahead.program("Dense", key), whole.program("Dense", key)
    assert found is not None and found.answer is not None and expected is not None and expected.answer is not None
    assert found.answer is not expected.answer
    assert found.answer.__code__ == expected.answer.__code__  # type: ignore[attr-defined]


def test_python_need_not_compile_what_was_compiled_ahead(tmp_path, monkeypatch):
    source = tmp_path / "inner" / "rule.py"
    source.parent.mkdir()
    source.write_text("VALUE = 1\n")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compile_sources([tmp_path])
    loader = SourceFileLoader("rule", str(source))
    monkeypatch.setattr(loader, "source_to_code", None)  # what would compile it
    exec(loader.get_code("rule"), found := {})
    assert found["VALUE"] == 1


def test_what_cannot_be_compiled_ahead_is_left_alone(tmp_path):
    (tmp_path / "wrong.py").write_text("def\n")
    compile_sources([tmp_path, tmp_path / "missing"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wrong.py"]
