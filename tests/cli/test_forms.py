"""Universes of every form of type, and data types in files of clauses, on the command line."""

from __future__ import annotations

import pytest

from tests.cli.running import run

PROGRAM = """
type L[a] { Cons(a, L[a]), Nil }
type Box[s: Shape, t: BaseType] { Wrap(Tensor[s, t]) }
def @main(%x) { %x }
"""
SMALL = ("--max-rank", 0, "--dtypes", "int8", "--project", "%x")
TYPES = "data List<a> { Cons(a, List<a>), Nil }\ndata Box<s: Shape, t: BaseType> { Wrap(Tensor[s, t]) }\n"


def listed(*options: object) -> list[str]:
    found = run("typings", "-", *SMALL, *options, given=PROGRAM)
    assert found.code == 0, found.err
    return found.out.splitlines()


def test_help_names_the_forms() -> None:
    for command in ("typings", "query"):
        shown = run(command, "--help").out
        assert all(option in shown for option in ("--tuples", "--functions", "--data-depth", "--nesting"))


@pytest.mark.parametrize(
    ("options", "types"),
    [
        ((), ["int8"]),
        (("--tuples", 2), ["int8", "()", "(int8,)", "(int8, int8)"]),
        (("--functions", 0), ["int8", "fn () -> int8"]),
        (("--data-depth", 2), ["int8", "L[int8]", "Box[(), int8]", "L[L[int8]]", "L[Box[(), int8]]"]),
        (("--tuples", 0, "--functions", 0), ["int8", "()", "fn () -> int8", "fn () -> ()"]),
    ],
)
def test_forms_are_listed_and_counted(options, types) -> None:
    *answers, _ = [line for line in listed("--all", *options) if " were not tried" not in line]
    assert sorted(answers) == sorted(f"%x = {type_}" for type_ in types)
    assert listed("--count", *options) == [str(len(types))]
    drawn = listed("--sample", 3, "--seed", 1, *options)
    assert drawn[-1] == f"# 3 answers, drawn from {len(types)}"
    families = listed("--families", *options)
    assert families[0] == "true" or families[0].endswith(f"# {len(types)} typing{'s' * (len(types) > 1)}")


def test_what_was_not_tried_is_said() -> None:
    assert "# an open type was taken to be a tensor or a tuple: functions and data types were not tried" in listed(
        "--tuples", 1
    )
    everything = listed("--tuples", 1, "--functions", 1, "--data-depth", 1, "--all")
    assert "# an open type was taken to be a tensor, a tuple, a function or a data type: references were not tried" in (
        everything
    )


def test_where_speaks_of_data_types_of_every_kind() -> None:
    assert listed("--where", "%x = Box[s, t]", "--data-depth", 1)[0] == "%x = Box[(), int8]"
    refused = run("typings", "-", "--where", "%x = Box[int8, (2, 3)]", given=PROGRAM)
    assert refused.code == 2 and "a shape is wanted here, not `int8`" in refused.err
    refused = run("typings", "-", "--where", "%x = L[int8, int8]", given=PROGRAM)
    assert refused.code == 2 and "`L` takes 1 type argument, but 2 are given" in refused.err


def test_rule_files_declare_data_types(tmp_path) -> None:
    (tmp_path / "types.rel").write_text(TYPES)
    path = tmp_path / "types.rel"
    found = run("query", "--rules", path, "Cons(A, B, List[Box[(2, 3), int8]])")
    assert found.out.splitlines()[0] == "A = Box[(2, 3), int8], B = List[Box[(2, 3), int8]]"
    shown = run("rules", "show", "--rules", path, "ConsPattern").out
    assert "ConsPattern(List[a], a, List[a])." in shown and f"{path}:1" in shown
    assert run("rules", "check", path).code == 0
    (tmp_path / "types.rel").write_text(TYPES + "data Tree<a> {\n  Rose(a, Lst<Tree<a>>)\n}\n")
    refused = run("query", "--rules", path, "Cons(A, B, C)")
    assert refused.code == 2
    assert f"{path}:4:11: error: unknown type `Lst` in `Tree`" in refused.err and "did you mean `List`?" in refused.err
