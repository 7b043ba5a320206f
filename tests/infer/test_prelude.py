"""The prelude and the networks of examples/ that use it have the types they are meant to have."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaylogic.api import infer, parse
from relaylogic.infer.checks.kinds import definition_problems
from relaylogic.prelude import prelude_module, prelude_text

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"

PRELUDE = {
    "id": "fn [A](A) -> A",
    "compose": "fn [A, B, C](fn (B) -> C, fn (A) -> B) -> fn (A) -> C",
    "flip": "fn [A, B, C](fn (A, B) -> C) -> fn (B, A) -> C",
    "iterate": "fn [A](fn (A) -> A, int32) -> fn (A) -> A",
    "hd": "fn [A](List[A]) -> A",
    "tl": "fn [A](List[A]) -> List[A]",
    "nth": "fn [A](List[A], int32) -> A",
    "update": "fn [A](List[A], int32, A) -> List[A]",
    "length": "fn [A](List[A]) -> int32",
    "map": "fn [A, B](fn (A) -> B, List[A]) -> List[B]",
    "foldl": "fn [A, B](fn (A, B) -> A, A, List[B]) -> A",
    "foldr": "fn [A, B](fn (A, B) -> B, B, List[A]) -> B",
    "foldr1": "fn [A](fn (A, A) -> A, List[A]) -> A",
    "sum": "fn (List[int32]) -> int32",
    "concat": "fn [A](List[A], List[A]) -> List[A]",
    "filter": "fn [A](fn (A) -> bool, List[A]) -> List[A]",
    "zip": "fn [A, B](List[A], List[B]) -> List[(A, B)]",
    "rev": "fn [A](List[A]) -> List[A]",
    "map_accumr": "fn [A, B, C](fn (A, B) -> (A, C), A, List[B]) -> (A, List[C])",
    "map_accuml": "fn [A, B, C](fn (A, B) -> (A, C), A, List[B]) -> (A, List[C])",
    "unfoldr": "fn [A, B](fn (A) -> Optional[(A, B)], A) -> List[B]",
    "unfoldl": "fn [A, B](fn (A) -> Optional[(A, B)], A) -> List[B]",
    "tmap": "fn [A, B](fn (A) -> B, Tree[A]) -> Tree[B]",
    "size": "fn [A](Tree[A]) -> int32",
}

RNN = "[state_type, in_type, out_type]"
CELL = "fn (state_type, in_type) -> (state_type, out_type)"
BATCH = "Tensor[(8, 16), float32]"
WORDS = "Tensor[(4, 32), float32]"

NETWORKS = {
    "rnn": {
        "general_rnn": f"fn {RNN}({CELL}, state_type, List[in_type]) -> (state_type, List[out_type])",
        "main": f"fn (({BATCH}, {BATCH}), ({BATCH}, {BATCH}), List[{BATCH}]) -> ({BATCH}, List[{BATCH}])",
    },
    "encoder": {
        "encode": f"fn {RNN}({CELL}, List[in_type], state_type) -> state_type",
        "main": "fn (Tensor[(64, 32), float32], Tensor[(64, 64), float32], Tensor[(64), float32], "
        "List[Tensor[(1, 32), float32]]) -> Tensor[(1, 64), float32]",
    },
    "generator": {
        "generator": f"fn {RNN}({CELL}, fn (state_type) -> Optional[in_type], state_type) -> List[out_type]",
        "main": "fn (int32, Tensor[(16), float32]) -> List[float32]",
    },
    "bidirectional_rnn": {"main": f"fn (List[{WORDS}]) -> List[({WORDS}, bool)]"},
}


def test_the_prelude_types_itself():
    result = infer(prelude_text())
    assert (result.verdict, result.errors, result.residue, result.warnings) == ("typed", [], [], [])
    assert {name: str(type_) for name, type_ in result.functions.items()} == PRELUDE


def test_the_definitions_are_well_kinded():
    module = prelude_module()
    assert [handle.name_hint for handle in module.type_definitions] == ["nat", "Optional", "List", "Tree"]
    assert [definition_problems(data, module) for data in module.type_definitions.values()] == [[]] * 4


def test_a_program_imports_the_one_prelude():
    first, second = (parse('import "prelude" def @main() { Z }') for _ in range(2))
    assert first.imports["prelude"] is second.imports["prelude"] is prelude_module()


@pytest.mark.parametrize(
    ("program", "type_"),
    [
        ("@map(fn (%x) { %x + 1 }, Cons(1, Nil))", "List[int32]"),
        ("@rev(Cons((), Nil))", "List[()]"),
        ("@foldl(@flip(Cons), Nil, Cons(True, Nil))", "List[bool]"),
        ("@zip(Cons(1, Nil), Cons(2f, Nil))", "List[(int32, float32)]"),
        ("@size(Rose(1f, Nil))", "int32"),
        ("@tmap(fn (%x) { (%x, S(Z)) }, Rose(1f, Nil))", "Tree[(float32, nat[])]"),
        ("@compose(@hd, @iterate(@tl, 2))(Cons(1, Nil))", "int32"),
        ("@unfoldr(fn (%n) { if (%n == 0) { None } else { Some((%n - 1, 1f)) } }, 7)", "List[float32]"),
        ("@foldr1(@concat, Nil).0", None),
        ("@sum(Cons(1f, Nil))", None),
    ],
)
def test_uses(program, type_):
    result = infer(f'import "prelude" def @main() {{ {program} }}')
    if type_ is None:
        assert result.verdict == "refuted"
    else:
        assert (result.verdict, str(result.functions["main"])) == ("typed", f"fn () -> {type_}")


@pytest.mark.parametrize(
    "name",
    [
        "rnn",
        "encoder",
        "generator",
        "bidirectional_rnn",
    ],
)
def test_networks(name):
    result = infer((EXAMPLES / f"{name}.relay").read_text(encoding="utf-8"))
    assert (result.verdict, result.errors) == ("typed", [])
    assert {function: str(result.functions[function]) for function in NETWORKS[name]} == NETWORKS[name]
