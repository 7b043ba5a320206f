"""concatenate, stack, split, meshgrid: wholes from parts and parts from wholes."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor


def tuple_of(*shapes):
    """The text of a tuple of tensors; a shape `"_"` is a part that is not known."""
    return f"({', '.join(s if s == '_' else tensor(*s) for s in shapes)},)".replace(
        ",)", ")" if len(shapes) > 1 else ",)"
    )


JOINS = [
    # operator, attributes, parts, result
    ("concatenate", {"axis": 0}, [(2, 3), (4, 3)], (6, 3)),
    ("concatenate", {"axis": -1}, [(2, 3), (2, 1), (2, 2)], (2, 6)),
    ("concatenate", {"axis": 0}, [(1, 3), (1, "?")], (2, "?")),
    ("concatenate", {"axis": 0}, [("?", 3), (2, "?")], ("?", 3)),
    ("concatenate", {"axis": 0}, [(2, "?"), (3, 4), (3, 5)], None),
    ("concatenate", {"axis": 0}, [(2, 3), (2, 4)], None),
    ("concatenate", {"axis": 0}, [(2, 3), (2,)], None),
    ("concatenate", {"axis": 2}, [(2, 3), (2, 3)], None),
    ("concatenate", {"axis": 0}, [()], None),
    ("stack", {"axis": 0}, [(2, 3), (2, 3)], (2, 2, 3)),
    ("stack", {"axis": -1}, [(2, 3), (2, 3), (2, 3)], (2, 3, 3)),
    ("stack", {"axis": 0}, [("?", 3), (2, 3)], (2, "?", 3)),
    ("stack", {"axis": 0}, [(2, 3), ("?", 3)], (2, 2, 3)),
    ("stack", {"axis": 0}, [(2, 3), (4, 3)], None),
    ("stack", {"axis": 3}, [(2, 3), (2, 3)], None),
    ("stack", {"axis": None}, [(2, 3), (2, 3)], None),
]


@pytest.mark.parametrize(("op", "attrs", "parts", "expected"), JOINS)
def test_joins(op, attrs, parts, expected):
    found = ask(op, tuple_of(*parts), "_", **attrs)
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


def test_parts_have_one_dtype():
    mixed = f"({tensor(2)}, {tensor(2, dtype='int8')})"
    assert ask("concatenate", mixed, "_", axis=0) is None
    assert ask("stack", mixed, "_", axis=0) is None
    assert ask("concatenate", "()", "_", axis=0) is None


MISSING_PARTS = [
    ("concatenate", {"axis": 0}, [(2, 3), "_", (1, 3)], (6, 3), [(2, 3), (3, 3), (1, 3)]),
    ("concatenate", {"axis": 1}, ["_", "_"], (2, 3), [(2, "_"), (2, "_")]),
    ("stack", {"axis": 0}, ["_", "_"], (2, 2, 3), [(2, 3), (2, 3)]),
]


@pytest.mark.parametrize(("op", "attrs", "parts", "result", "expected"), MISSING_PARTS)
def test_missing_parts(op, attrs, parts, result, expected):
    assert ask(op, tuple_of(*parts), tensor(*result), **attrs)[0] == tuple_of(*expected)


SPLITS = [
    # attributes, whole, parts
    ({"indices_or_sections": 2}, (6, 4), [(3, 4), (3, 4)]),
    ({"indices_or_sections": 2, "axis": -1}, (6, 4), [(6, 2), (6, 2)]),
    ({"indices_or_sections": 2}, ("?", 4), [("?", 4), ("?", 4)]),
    ({"indices_or_sections": 1}, (6,), [(6,)]),
    ({"indices_or_sections": [2, 5]}, (6, 4), [(2, 4), (3, 4), (1, 4)]),
    ({"indices_or_sections": [2, 5]}, ("?", 4), [(2, 4), (3, 4), ("?", 4)]),
    ({"indices_or_sections": []}, (6, 4), [(6, 4)]),
    ({"indices_or_sections": 4}, (6, 4), None),
    ({"indices_or_sections": 0}, (6, 4), None),
    ({"indices_or_sections": -2}, (6, 4), None),
    ({"indices_or_sections": 2, "axis": 2}, (6, 4), None),
    ({"indices_or_sections": [6]}, (6, 4), None),
    ({"indices_or_sections": [3, 2]}, (6, 4), None),
    ({"indices_or_sections": [0]}, (6, 4), None),
    ({"indices_or_sections": []}, (0, 4), None),
]


@pytest.mark.parametrize(("attrs", "whole", "parts"), SPLITS)
def test_split(attrs, whole, parts):
    found = ask("split", tensor(*whole), "_", **attrs)
    assert (found and found[1]) == (None if parts is None else tuple_of(*parts))


def test_whole_from_its_parts():
    assert ask("split", "_", tuple_of((3, 4), (3, 4)), indices_or_sections=2)[0] == tensor(6, 4)
    assert ask("split", "_", tuple_of("_", (3, 4), (1, 4)), indices_or_sections=[2, 5])[0] == tensor(6, 4)
    assert ask("split", "_", tuple_of((3, 4), (2, 4)), indices_or_sections=2) is None


def test_meshgrid():
    assert ask("meshgrid", tuple_of((3,), (4,)), "_")[1] == tuple_of((3, 4), (3, 4))
    assert ask("meshgrid", tuple_of((3,), (4,), (5,)), "_", indexing="xy")[1] == tuple_of(*[(4, 3, 5)] * 3)
    assert ask("meshgrid", tuple_of((), (4,)), "_")[1] == tuple_of((1, 4), (1, 4))
    assert ask("meshgrid", tuple_of((3,), (2, 2)), "_") is None
    assert ask("meshgrid", tuple_of((3,), "_"), tuple_of("_", (3, 4)))[0] == tuple_of((3,), (4,))
