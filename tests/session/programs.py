"""Random programs of data types, closures, annotations, attributes, imports and operators of a rule file, and edits of
these as somebody makes them who changes a declaration, an annotation, an attribute or a name.
"""

from __future__ import annotations

import re
from random import Random

from tests.session import editing

__all__ = ["OWN_RULES", "edits", "program"]

OWN_RULES = """
relation Doubled(data, out): "The first axis is doubled.".
Doubled(Tensor[[n | s], t], Tensor[[m | s], t]) :- m = n * 2.
operator my.doubled(data) : Doubled.
relation Windows(data, out): "The sequence is cut into windows.".
Windows(Tensor[(n, d), t], Tensor[(k, w, d), t]) :- w = attrs.window, "the windows fill the sequence": n = k * w.
operator my.windows(data; window: int = 2) : Windows.
relation Follow(data, weight, out): "The columns of the weight follow those of the data.".
Follow(Tensor[(n, m), t], Tensor[(k, l), t], Tensor[(n, k), t]) :- follows(l, m).
operator my.follow(data, weight) : Follow.
"""
_DATA = [
    "type L[A] { C(A, L[A]), N }",
    "type Box { W(Tensor[(2, 3), float32]), E }",
    "type P[A, B] { Both(A, B), Left(A), Right(B) }",
    "type S[s: Shape] { Hold(Tensor[s, float32]) }",
    "type Tree[A] { Leaf(A), Node(Tree[A], Tree[A]) }",
]
_HELPERS = [
    "@ext : fn [A](A) -> A",
    "def @id[A](%x: A) -> A { %x }",
    "def @open(%x) { %x }",
    "def @twice(%f, %x) { %f(%f(%x)) }",
    "def @same[s: Shape, t: BaseType](%x: Tensor[s, t], %y: Tensor[s, t]) { add(%x, %y) }",
    "def @wide[a, b](%x: a, %y: b) -> b where Broadcast(a, b, b) { %y }",
    "def @rows[n: ShapeVar](%x: Tensor[(n, 3), float32]) { nn.dense(%x, %x) }",
    "def @even(%n) { if (True) { True } else { @odd(%n) } }\ndef @odd(%n) { @even(%n) }",
    "def @dense(%x, %w) { nn.dense(%x, %w) }",
]
_TYPES = [
    "Tensor[(2, 3), float32]",
    "Tensor[(_, 3), float32]",
    "Tensor[(2, _), _]",
    "Tensor[(?, 3), float32]",
    "Tensor[(4, 3), float32]",
    "Tensor[(2, 3), int8]",
    "_",
    "L[Tensor[(2, 3), float32]]",
    "(Tensor[(2, 3), float32], _)",
    "fn (_) -> _",
    "Box",
    "float32",
]
_UNARY = ["nn.relu", "copy", "negative", "exp", "nn.batch_flatten", "nn.softmax", "zeros_like", "tanh"]
_VALUES = [
    *["UNARY(V)"] * 3,
    "add(V, V)",
    "multiply(V, V)",
    "nn.dense(V, V)",
    "nn.dense(V, W, units=3)",
    "nn.dense(V, W)",
    "reshape(V, newshape=[-1, 3])",
    "transpose(V, axes=[1, 0])",
    "sum(V, axis=[1], keepdims=True)",
    "concatenate((V, V), axis=0)",
    "split(V, indices_or_sections=[1], axis=1).0",
    'cast(V, dtype="int8")',
    "strided_slice(V, begin=[0, 0], end=[2, 2], strides=[1, 1])",
    "expand_dims(V, axis=1)",
    "nn.conv1d(expand_dims(V, axis=0), W, padding=[1], channels=4)",
    "(fn (%q) { UNARY(%q) })(V)",
    "(let %f = fn (%q) { add(%q, V) }; %f(%f(V)))",
    "(fn (%q: TYPE) -> TYPE { nn.dense(%q, W) })(V)",
    "if (True) { V } else { V }",
    "(V, V).1",
    "match (C(V, N)) { C(%h, _) => %h, N => V }",
    "match? (W(V)) { W(%h) => %h }",
    "match (Hold(V)) { Hold(%h) => nn.relu(%h) }",
    "match (Both(V, V)) { Both(%h, %k) => add(%h, %k), _ => V }",
    "C(V, C(V, N))",
    "Leaf(V)",
    "ref_read(ref(V))",
    "V + 1f",
    *["@FUNCTION(V)", "@FUNCTION(V, W)", "@twice(@FUNCTION, V)"] * 2,
    *["my.doubled(V)", "my.windows(V, window=2)", "my.follow(V, W)"],
]
"""Values, with words for what is drawn: V is one before it, W a weight."""
_ATTRIBUTES = ["0", "1", "2", "3", "-1", "None", "True", "[0]", "[1, 0]", "[-1, 3]", "[3, 2]", '"int8"', "[_]", "_"]


def program(random: Random) -> str:
    """Some declarations, and functions of a few statements that may call each other."""
    parts = [*random.sample(_DATA, random.randrange(4)), *random.sample(_HELPERS, random.randrange(4))]
    names = re.findall(r"def @(\w+)", "\n".join(parts))
    for name in random.choice([["main"], ["main", "f"], ["f", "g", "main"]]):
        parts.append(_function(random, name, names, re.findall(r"[A-Z]\w*(?=\()", "".join(parts))))
        names.append(name)
    if random.random() < 0.5:
        random.shuffle(parts)
    head = random.choice(["", "", '#[version = "0.0.5"]\n', "// a program\n"])
    imported = random.choice(['import "prelude"\n', 'import "nat"\n']) if random.random() < 0.15 else ""
    return head + imported + "\n".join(parts) + random.choice(["", "\n", "\n// end\n"])


def _function(random: Random, name: str, known: list[str], constructors: list[str]) -> str:
    weights = [f"%w{index}" for index in range(random.randrange(3))]
    params = [f"%x: {random.choice(_TYPES[:1] * 4 + _TYPES[:5])}"]
    params += [weight + random.choice(["", "", f": {random.choice(_TYPES[:5])}"]) for weight in weights]
    values, lines = ["%x"], []
    for index in range(random.randrange(1, 8)):
        value = _value(random, values, weights, known, constructors)
        if random.random() < 0.5:
            lines.append(f"%{index} = {value};")
            values.append(f"%{index}")
        else:
            annotation = f": {random.choice(_TYPES)}" if random.random() < 0.15 else ""
            lines.append(f"let %v{index}{annotation} = {value};")
            values.append(f"%v{index}")
    result = f" -> {random.choice(_TYPES)}" if random.random() < 0.2 else ""
    lines.append(_value(random, values, weights, known, constructors))
    return f"def @{name}({', '.join(params)}){result} {{\n  " + "\n  ".join(lines) + "\n}"


def _value(
    random: Random, values: list[str], weights: list[str], functions: list[str], constructors: list[str]
) -> str:
    drawn = {"UNARY": _UNARY, "TYPE": _TYPES[:4], "V": values[-3:], "W": weights or values, "FUNCTION": functions}
    while True:
        form = random.choice(_VALUES)
        made = set(re.findall(r"\b(?:C|W|Hold|Both|Leaf)(?=\()", form))
        if ("FUNCTION" in form and not functions) or (made.difference(constructors) and random.random() < 0.97):
            continue
        return re.sub(r"\b(?:UNARY|TYPE|V|FUNCTION|W(?!\())\b", lambda word: random.choice(drawn[word.group()]), form)


def edits(text: str, random: Random) -> list[tuple[int, int, str]]:
    """Some edits to be made together; the later ones are meant in what the earlier have made."""
    kind = random.randrange(10)
    type_ = random.choice(_TYPES)
    if kind == 0:
        return _one(text, random, r"Tensor\[(?:\([^)]*\)|\w+), \w+\]", type_) or [(0, 0, f"{random.choice(_DATA)}\n")]
    if kind == 1:
        return _one(text, random, r"(?<=%x|%y|w0|w1|v1|v2|v3)(?=[,)]| =)", f": {type_}") or editing.edits(text, random)
    if kind == 2:
        return _one(text, random, r": (?:Tensor\[[^\]]*\]|_)", "") or editing.edits(text, random)
    if kind in (3, 4):
        given = r"(?<=[a-z]=)(?:\[[^\]]*\]|\"\w+\"|[\w-]+)"
        return _one(text, random, given, random.choice(_ATTRIBUTES)) or editing.edits(text, random)
    if kind == 5:
        return _one(text, random, r", \w+=(?:\[[^\]]*\]|[\w-]+)", "") or editing.edits(text, random)
    if kind == 6:
        declared = random.choice(["", *_DATA])
        return _one(text, random, r"type \w+[^{]*\{[^}]*\}", declared) or [(0, 0, f"{declared}\n")]
    if kind == 7:
        return _one(text, random, r"(?<=[{,] )[A-Z]\w*(?:\([^)]*\))?(?=,| \})", random.choice(["N", f"C({type_})"]))
    if kind == 8:
        variables = re.findall(r"%\w+", text) or ["%x"]
        value = _value(random, variables, variables, re.findall(r"def @(\w+)", text), re.findall(r"[A-Z]\w*", text))
        return _one(text, random, r"(?<= = )[^;]*(?=;)", value) or editing.edits(text, random)
    found = re.search(r'import "\w+"\n', text)
    return [(*found.span(), "")] if found else editing.edits(text, random)


def _one(text: str, random: Random, pattern: str, new: str) -> list[tuple[int, int, str]]:
    """The edit that puts something else where a pattern is found, in one place."""
    found = list(re.finditer(pattern, text))
    return [(*random.choice(found).span(), new)] if found else []
