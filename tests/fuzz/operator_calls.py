"""Calls of all operators: their example calls with other extents, types and attributes than anybody would give."""

from __future__ import annotations

import re
from random import Random

from relaylogic.explain.example_table import EXAMPLES
from relaylogic.rulebase import default_rules

from .relay_programs import literal, types_of

__all__ = ["called_program", "called_query"]

DTYPES = ["float32", "int8", "int32", "bool", "float16", "int64", "uint8", "float32x4", "uint1", "bfloat16", "handle"]
DTYPES += ["custom[posites2]16", "e4m3_float8", "void", "float64", "int4"]
EXTENTS = ["1", "2", "3", "4", "8", "32", "0", "_", "?", "n", "m", "n", "2 * n", "n + 1", "n * m", "n // 2"]
EXTENTS += ["max(n, m)", "1000000", "2147483648", "n % 2", "5"]
INTEGERS = ["0", "1", "2", "3", "-1", "-2", "7", "64", "None", "?", "2147483647", "9223372036854775807", "_", "100"]
NUMBERS = ["0f", "1.5f", "-1f", "nanf", "inff", "1e30f", "2", "None", "-0f", "1e-30f"]
STRINGS = ['"NCHW"', '"NHWC"', '"NCHW4c"', '"OIHW"', '""', '"float32"', '"SAME"', '"VALID"', '"linear"', '"mean"']
STRINGS += ['"ij"', '"NCHW0c"', '"NN"', '"nchw"', '"ij,jk->ik"', '"...i->i"', '"i,j->"']
ODD = ["True", "[[1], 2]", "[]", "None", '"a"', "_", "[_, 1]", "1.5f", "[-1, -1]", "()", "[[]]"]
ODD += ["[None]", "[?]", '["a"]']
OPEN = ["K", "n", "s", "A", "[n | s]", "(n, m)", "_"]
GOALS = ["n > 3", "prod(s) = 6", "len(s) = 2", "n * m = 12", "n + m = 5", "A = B", "A != B", "n != m"]
_EXTENT = re.compile(r"(?<=[(, ])\d+(?=[,)])")
_DTYPE = re.compile(r"float32|int32|int8|bool|int64")

Called = tuple[str, list[str], list[tuple[str, str]]]


def _type(random: Random, depth: int = 1) -> str:
    kind = random.random()
    if kind < 0.65 or depth < 0:
        extents = [random.choice(EXTENTS) for _ in range(random.randrange(7))]
        if random.random() < 0.15:
            extents.append(random.choice(["...s", "..._"]))
        return f"Tensor[({', '.join(extents)}), {random.choice(DTYPES[:4] if random.random() < 0.7 else DTYPES)}]"
    if kind < 0.82:
        return random.choice(["_", *DTYPES[:3]])
    if kind < 0.92:
        return f"({''.join(f'{_type(random, depth - 1)}, ' for _ in range(random.randrange(4)))})".replace(", )", ",)")
    return f"fn ({_type(random, depth - 1)}) -> {_type(random, depth - 1)}"


def _changed(random: Random, given: str) -> str:
    """The type of an argument, or one that is nearly it, or another."""
    kind = random.random()
    if kind < 0.45:
        return given
    if kind < 0.6:
        return "_"
    if kind < 0.75:
        return _EXTENT.sub(lambda n: random.choice(EXTENTS) if random.random() < 0.4 else n.group(), given)
    if kind < 0.82:
        return _DTYPE.sub(lambda t: random.choice(DTYPES) if random.random() < 0.5 else t.group(), given)
    return _type(random)


def _value(random: Random, kind: str, given: str | None) -> str:
    """The value of an attribute, as Relay text has it."""
    if given is not None and random.random() < 0.35:
        return given
    if random.random() < 0.06:
        return random.choice(ODD)
    if kind == "bool":
        return random.choice(["True", "False", "1", "None", "2", "_"])
    if kind == "float":
        return random.choice(NUMBERS)
    if kind == "dtype":
        return f'"{random.choice([*DTYPES, "", "float", "int0", "int99999"])}"'
    if kind == "str":
        return random.choice(STRINGS)
    if kind in ("list", "object", "floats") and random.random() < 0.85:
        items = NUMBERS if kind == "floats" else INTEGERS if random.random() < 0.25 else INTEGERS[:7]
        inner = [random.choice(items) for _ in range(random.randrange(6))]
        if random.random() < 0.15:
            inner = [f"[{', '.join(inner[:2])}]", f"[{', '.join(inner[2:])}]"]
        return f"[{', '.join(inner)}]"
    return random.choice(INTEGERS)


def _call(random: Random) -> Called:
    """An operator, the types of its arguments, and attributes."""
    operators = default_rules().operators
    name = random.choice(sorted(operators))
    operator = operators[name]
    matrices = ", ".join("Tensor[(2, 3), float32]" for _ in operator.inputs)
    types, attributes = EXAMPLES.get(name) or EXAMPLES.get(operator.relation.name) or (matrices, {})
    given = {key: literal(value) for key, value in attributes.items() if not isinstance(value, dict)}
    written = []
    for attribute in operator.attributes.values():
        known = given.get(attribute.name)
        if known is not None and random.random() < 0.6:
            written.append((attribute.name, known))
        elif known is not None or attribute.required or random.random() < 0.25:
            written.append((attribute.name, _value(random, attribute.kind, known)))
    return name, [_changed(random, t) for t in types_of(types)], written


def called_program(random: Random) -> str:
    """A function of some calls, whose arguments are parameters and results of calls before."""
    params: list[str] = []
    known: list[str] = []
    lines = []
    for index in range(random.choice([1, 1, 2, 2, 3])):
        name, types, attributes = _call(random)
        given = []
        for type_ in types:
            if known and random.random() < 0.3:
                given.append(random.choice(known))
            else:
                params.append(f"%p{len(params)}{'' if type_ == '_' else f': {type_}'}")
                given.append(params[-1].partition(":")[0])
        given += [f"{key}={value}" for key, value in attributes]
        lines.append(f"  let %r{index} = {name}({', '.join(given)});")
        known.append(f"%r{index}")
    header = "[n: ShapeVar, m: ShapeVar, s: Shape]" if random.random() < 0.4 else ""
    return "\n".join([f"def @main{header}({', '.join(params)}) {{", *lines, f"  {random.choice(known)}", "}\n"])


def called_query(random: Random) -> str:
    """A query about a call or two, some attributes of which are variables."""
    goals = []
    for _ in range(random.choice([1, 1, 2])):
        name, types, attributes = _call(random)
        given = [re.sub(r"\b_\b", lambda _: random.choice("_ABnmst"), t) for t in types]
        for key, value in attributes:
            listed = value.replace("[", "(").replace("]", ",)").replace("(,)", "()")
            plain = re.sub(r"(\d)f\b", r"\1", listed)
            given.append(f"{key}={plain if random.random() < 0.8 else random.choice(OPEN)}")
        goals.append(f"{name}({', '.join(given)}) = {random.choice(['A', 'B', '_', _type(random)])}")
        if random.random() < 0.2:
            goals.append(random.choice(GOALS))
    return ", ".join(goals)
