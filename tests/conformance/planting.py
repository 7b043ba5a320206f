"""Planting faults in programs, by a seeded draw: one edit of the text that makes a typed program a refuted one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import relaylogic
from relaylogic.errors import RelayLogicError
from relaylogic.infer.checks.well_formed import check_well_formed
from relaylogic.infer.program import Inference
from relaylogic.text import ParseError

__all__ = ["Planted", "plant", "plant_anywhere", "planted_pair"]

Edit = tuple[int, int, str]
"""In a line, from where to where it says something else, and what."""

_TENSOR = re.compile(r"Tensor\[\(([^()]+)\), (\w+)\]")
_ATTRIBUTE = re.compile(r", (\w+)=(\[[^\]]*\]|[^,()\]]+)(?=[,)])")
_ARGUMENTS = re.compile(r"\((%[\w./]+), (%[\w./]+)(?=[,)])")
_USE = re.compile(r"%[\w./]+(?!\s*[:=\w./])")
_BINDING = re.compile(r"%[\w./]+(?=\s*[:=])")
_SCALAR = re.compile(r"(?<=[:>,(\[ ])(int32|float32|bool|int64|float64)(?=[,)\] {])")
_FIELD = re.compile(r"(?<=[\w)]\.)\d(?![\w.])")
_NAMED_DTYPE = re.compile(r'(?<=")(int8|int32|float32|float64|bool|uint8|float16|int64)(?=")')
_LITERAL = re.compile(r"(?<![\w.%\"(])\d+(?:f|i64)?(?![\w.])")
_OPERATOR = re.compile(r"(?<![\w.@%\"])[a-z]\w*(?:\.\w+)*(?=\(%)")
_INNER_CALL = re.compile(r"[\w.@%]+\((%[\w./]+)[^()]*\)")
_OPERATORS = ("nn.relu", "nn.batch_flatten", "transpose", "argmax", "add", "equal", "nn.dense", "nn.bias_add", "sum")
_AROUND = ("nn.batch_flatten({})", "transpose({})", "sum({})", "expand_dims({}, axis=0)", 'cast({}, dtype="int32")')
_PROJECTION = re.compile(r"(?<=%)(\w+)\.\d(?![\w.])")
_APPLIED = re.compile(r"(?<![\w.])[%@][\w./]+(?=\()")
_NESTED = re.compile(r"([%@]?[\w.]+)\(([%@]?[\w.]+)(?=\([^(),]*\)\))")
_ALIAS = re.compile(r"\s*%[\w./]+ = %[\w./]+;$")
_PATTERN = re.compile(r"[A-Z]\w*(?=(?:\([^()]*\))? =>)")
_EXTENTS = re.compile(r"(?<=Tensor\[\()(\d+), (\d+)")
_OF_DATA = re.compile(r"(?<!\w)(?!Tensor)[A-Z]\w*\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_LAST_ARGUMENT = re.compile(r"(?<=[\w)\]]), %[\w./]+(?=\)|, \w+=)")
_TRIES = 60


@dataclass(frozen=True)
class Planted:
    """A fault: its kind, and where the edit begins, in lines and columns from 1."""

    kind: str
    line: int
    col: int


def _extent(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_TENSOR.finditer(line)) or [None])
    if found is None:
        return None
    extents = list(re.finditer(r"\d+", found.group(1)))
    if not extents:
        return None
    one = draw.choice(extents)
    start, value = found.start(1) + one.start(), int(one.group())
    return start, found.start(1) + one.end(), str(draw.choice([value + 1, 2 * value, value + 3]))


def _dtype(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_TENSOR.finditer(line)) or [None])
    others = [d for d in ("int8", "bool", "float16", "float64") if found is not None and d != found.group(2)]
    return None if found is None else (*found.span(2), draw.choice(others))


def _rank(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_TENSOR.finditer(line)) or [None])
    return None if found is None else (found.end(1), found.end(1), ", 2")


def _attribute(line: str, draw: random.Random) -> Edit | None:
    numbers = [
        (found.start(2) + number.start(), found.start(2) + number.end(), int(number.group()))
        for found in _ATTRIBUTE.finditer(line)
        for number in re.finditer(r"(?<![\w.\"-])\d+(?![\w.])", found.group(2))
    ]
    if not numbers:
        return None
    start, end, value = draw.choice(numbers)
    return start, end, str(draw.choice([value + 1, value + 2, 2 * value + 1]))


def _left_out(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_ATTRIBUTE.finditer(line)) or [None])
    return None if found is None else (*found.span(), "")


def _swap(line: str, draw: random.Random) -> Edit | None:
    found = _ARGUMENTS.search(line)
    return None if found is None else (*found.span(), f"({found.group(2)}, {found.group(1)}")


def _other(pattern: re.Pattern[str], others: tuple[str, ...]) -> Callable[[str, random.Random], Edit | None]:
    """What puts one of the others in the place of a match."""

    def edit(line: str, draw: random.Random) -> Edit | None:
        found = draw.choice(list(pattern.finditer(line)) or [None])
        return None if found is None else (*found.span(), draw.choice([o for o in others if o != found.group()]))

    return edit


def _rewritten(pattern: re.Pattern[str], template: str) -> Callable[[str, random.Random], Edit | None]:
    """What writes a match anew."""

    def edit(line: str, draw: random.Random) -> Edit | None:
        found = draw.choice(list(pattern.finditer(line)) or [None])
        return None if found is None else (*found.span(), found.expand(template))

    return edit


def _call_left_out(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_INNER_CALL.finditer(line)) or [None])
    return None if found is None else (*found.span(), found.group(1))


def _call_around(line: str, draw: random.Random) -> Edit | None:
    found = draw.choice(list(_INNER_CALL.finditer(line)) or [None])
    return None if found is None else (*found.span(), draw.choice(_AROUND).format(found.group()))


_OF_SIGNATURE: dict[str, Callable[[str, random.Random], Edit | None]] = {
    "dim": _extent,
    "dtype": _dtype,
    "rank": _rank,
}
_OF_CALL: dict[str, Callable[[str, random.Random], Edit | None]] = {
    "attr-value": _attribute,
    "attr-missing": _left_out,
    "swap": _swap,
}
_OF_PROGRAM = {
    **_OF_SIGNATURE,
    **_OF_CALL,
    "call around": _call_around,
    "call left out": _call_left_out,
    "field": _other(_FIELD, ("0", "1", "2")),
    "literal": _other(_LITERAL, ("1f", "2", "True", "3i64")),
    "operator": _other(_OPERATOR, _OPERATORS),
    "named dtype": _other(_NAMED_DTYPE, ("int8", "float32", "bool", "float64", "int32")),
    "argument left out": _rewritten(_LAST_ARGUMENT, ""),
    "data type left out": _rewritten(_OF_DATA, r"\1"),
    "extents exchanged": _rewritten(_EXTENTS, r"\2, \1"),
    "field left out": _rewritten(_PROJECTION, r"\1"),
    "inside out": _rewritten(_NESTED, r"\2(\1"),
    "scalar": _other(_SCALAR, ("int32", "float32", "bool", "float64", "int8")),
}
_NAMES = {"argument": (_USE, _BINDING), "callee": (_APPLIED, _APPLIED), "pattern": (_PATTERN, _PATTERN)}
"""Names that are replaced by others of the text; an argument by those that are bound before."""

_ARGUMENT = "argument"
_KINDS = (*_OF_PROGRAM, "dtype", "attr-value", "scalar", *_NAMES, *(_ARGUMENT,) * 2)
"""What is planted in a program, some kinds more often than others."""


def _edited(text: str, draw: random.Random) -> tuple[str, Planted] | None:
    """A text with one random edit, which need not make it wrong."""
    lines = text.split("\n")
    if draw.random() < 0.5:
        table, numbers = _OF_SIGNATURE, [i for i, line in enumerate(lines) if line.startswith("def @")]
    else:
        table, numbers = _OF_CALL, [i for i, line in enumerate(lines) if re.match(r"\s+(let )?%.* = [\w.]+\(", line)]
    if not numbers:
        return None
    kind = draw.choice(list(table))
    number = draw.choice(numbers)
    return _with(lines, number, kind, table[kind](lines[number], draw))


def _edited_anywhere(text: str, draw: random.Random) -> tuple[str, Planted] | None:
    """As `_edited`, with an edit of any kind, in any line but those of data types: these are no places."""
    lines = text.split("\n")
    kind, number = draw.choice(_KINDS), draw.randrange(len(lines))
    line = lines[number]
    if line.startswith("#") or _is_declared(lines, number) or (kind == _ARGUMENT and line.startswith("def @")):
        return None
    if kind in _NAMES:
        replaced, known = _NAMES[kind]
        those = lines[: number + 1] if kind == _ARGUMENT else lines
        names = sorted({found.group() for other in those for found in known.finditer(other)})
        edit = _other(replaced, tuple(names))(line, draw) if len(names) > 1 else None
    else:
        edit = _OF_PROGRAM[kind](line, draw)
    return _with(lines, number, kind, edit)


def _with(lines: list[str], number: int, kind: str, edit: Edit | None) -> tuple[str, Planted] | None:
    """The text of some lines of which one is edited; None without an edit."""
    if edit is None:
        return None
    start, end, new = edit
    edited = lines[number][:start] + new + lines[number][end:]
    if _ALIAS.match(edited):  # a program does not hold this line
        return None
    return "\n".join([*lines[:number], edited, *lines[number + 1 :]]), Planted(kind, number + 1, start + 1)


def _is_declared(lines: list[str], number: int) -> bool:
    """Whether a line belongs to the declaration of a data type."""
    heads = [line for line in lines[: number + 1] if line.startswith(("def ", "type "))]
    return bool(heads) and heads[-1].startswith("type ")


def is_refuted(text: str) -> bool:
    """Whether a text is a program that is refuted."""
    try:
        return Inference(relaylogic.parse(text), None, True).verdict() == "refuted"
    except ParseError:
        return False


def _is_well_formed(text: str) -> bool:
    """Whether a text is a program whose names are bound where they are used."""
    try:
        check_well_formed(relaylogic.parse(text))
    except RelayLogicError:
        return False
    return True


def plant(text: str, draw: random.Random) -> tuple[str, Planted] | None:
    """A typed program with one fault in it; None if none was found."""
    return _tried(text, draw, _edited, is_refuted)


def plant_anywhere(text: str, draw: random.Random) -> tuple[str, Planted] | None:
    """A typed program with one fault, of more kinds than `plant` knows of; None if none was found."""
    return _tried(text, draw, _edited_anywhere, lambda found: _is_well_formed(found) and is_refuted(found))


def _tried(
    text: str,
    draw: random.Random,
    edited: Callable[[str, random.Random], tuple[str, Planted] | None],
    is_faulty: Callable[[str], bool],
) -> tuple[str, Planted] | None:
    """The first of some edited texts that is faulty; None if none is."""
    for _ in range(_TRIES):
        found = edited(text, draw)
        if found is not None and found[0] != text and is_faulty(found[0]):
            return found
    return None


def planted_pair(text: str, draw: random.Random) -> tuple[str, tuple[Planted, Planted]] | None:
    """A typed program with two faults in different lines, or in different parameters of a line."""
    first = plant(text, draw)
    second = plant(text, draw)
    if first is None or second is None:
        return None
    (one, a), (two, b) = first, second
    if a.line == b.line:
        return None
    lines = text.split("\n")
    lines[a.line - 1] = one.split("\n")[a.line - 1]
    lines[b.line - 1] = two.split("\n")[b.line - 1]
    return "\n".join(lines), (a, b)
