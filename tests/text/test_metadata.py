"""Constants in the metadata section."""

from __future__ import annotations

import base64
import json
import struct

import pytest

from relaylogic.ir import Constant, Tuple, structural_equal
from relaylogic.text import ParseError, astext, parse


def saved(shape: tuple[int, ...], code: int, bits: int, data: bytes) -> str:
    """An array in the form in which TVM saves it."""
    header = struct.pack("<QQiiiBBH", 0xDD5E40F096B4A13F, 0, 1, 0, len(shape), code, bits, 1)
    return base64.b64encode(header + struct.pack(f"<{len(shape)}qq", *shape, len(data)) + data).decode()


def program(*arrays: str) -> str:
    nodes = [
        {"type_key": ""},
        {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
        {"type_key": "Array", "data": [3 + i for i in range(len(arrays))]},
        *({"type_key": "relay.Constant", "attrs": {"data": str(i)}} for i in range(len(arrays))),
    ]
    section = json.dumps({"root": 1, "nodes": nodes, "b64ndarrays": list(arrays)})
    uses = ", ".join(f"meta[relay.Constant][{i}]" for i in range(len(arrays)))
    return f"def @main() {{ ({uses},) }}\n#[metadata]\n{section}"


def test_types_and_values_are_read() -> None:
    text = program(
        saved((2, 2), 0, 64, struct.pack("<4q", 1, 2, 3, -4)),
        saved((), 2, 32, struct.pack("<f", 0.5)),
        saved((3,), 1, 1, b"\1\0\1"),
        saved((1000, 1000), 2, 16, b""),
    )
    module = parse(text)
    tuple_ = module["main"].body
    assert isinstance(tuple_, Tuple)
    constants = [field for field in tuple_.fields if isinstance(field, Constant)]
    assert [(str(c.tensor_type), c.value) for c in constants] == [
        ("Tensor[(2, 2), int64]", (1, 2, 3, -4)),
        ("float32", 0.5),
        ("Tensor[(3), bool]", (True, False, True)),
        ("Tensor[(1000, 1000), float16]", None),
    ]
    assert structural_equal(module, parse(astext(module)))


@pytest.mark.parametrize("array", ["", "AAAA", "not base64", saved((-1,), 0, 32, b""), saved((2,), 9, 32, b"")])
def test_an_array_that_is_not_understood_has_an_open_type(array: str) -> None:
    tuple_ = parse(program(array))["main"].body
    assert isinstance(tuple_, Tuple) and isinstance(tuple_.fields[0], Constant)
    assert tuple_.fields[0].tensor_type is None


@pytest.mark.parametrize("section", ["", "[]", "{}", '{"root": 9, "nodes": []}', "null", "1" * 5000, "{" * 100_000])
def test_a_malformed_section_is_reported(section: str) -> None:
    with pytest.raises(ParseError, match="malformed metadata section") as caught:
        parse(f"def @main() {{ meta[relay.Constant][0] }}\n#[metadata]\n{section}")
    assert caught.value.span is not None and caught.value.span.line == 2


def test_an_index_out_of_range() -> None:
    with pytest.raises(ParseError, match="the metadata section has 1 constant only"):
        parse(program("AAAA").replace("][0]", "][1]"))
