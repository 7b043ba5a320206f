"""Random edits of Relay texts as editors make them, and what is compared after each."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import relaylogic
from relaylogic.rulebase import RuleBase
from relaylogic.text import ParseError

__all__ = ["edits", "fresh", "numbered", "said_by", "straight_program"]

_TOKEN = re.compile(r'@?%?[A-Za-z_][\w.]*|%\d+|\d+\.?\d*f?|->|=>|"[^"\n]*"|[^\s\w]')
_UNKNOWN = re.compile(r"~[0-9]+")
_UNARY = ["nn.relu", "copy", "negative", "exp", "sqrt", "tanh", "sigmoid", "nn.batch_flatten", "nn.softmax", "nosuch"]
_BINARY = ["add", "subtract", "multiply", "maximum", "nn.dense"]
_WORDS = {*_UNARY, *_BINARY}
_TYPES = ["Tensor[(2, 3), float32]", "Tensor[(2, 4), float32]", "Tensor[(3,), float32]", "Tensor[(_, 3), float32]"]
_NUMBERS = ["0", "1", "2", "3", "4", "5", "7", "?", "_", "-1", "1f"]
_JUNK = [
    "# c",
    " // c\n",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "%",
    '"',
    "//",
    "/*",
    "*/",
    "[",
    "#",
    "#[",
    "let",
    "def @g() { 1 }",
    "\n",
    "; ",
    "@",
]


def straight_program(random: Random) -> str:
    """Functions of some statements each, most of them typed, which may call those before."""
    functions: list[str] = []
    names: list[str] = []
    for number in range(random.choice([1, 1, 2, 3])):
        name = f"f{number}" if random.random() < 0.7 or number else "main"
        functions.append(_function(random, name, names))
        names.append(name)
    random.shuffle(functions)
    head = random.choice(["", '#[version = "0.0.5"]\n', "// a program\n", "type L[A] { C(A), N, }\n"])
    return head + "\n".join(functions) + random.choice(["", "\n", "\n// end\n"])


def _function(random: Random, name: str, known: list[str]) -> str:
    params = ["%x: Tensor[(2, 3), float32]"]
    values = ["%x"]
    for index in range(random.randrange(3)):
        kind = random.choice(
            ["", ": Tensor[(2, 3), float32]", ": Tensor[(_, 3), float32]", ": Tensor[(4, 3), float32]"]
        )
        params.append(f"%w{index}{kind}")
    weights = [param.split(":")[0] for param in params[1:]]
    lines = []
    graph = 0
    for index in range(random.randrange(1, 9)):
        value = _value(random, values, weights, known)
        choice = random.random()
        if choice < 0.5:
            lines.append(f"%{graph} = {value};")
            values.append(f"%{graph}")
            graph += 1
        elif choice < 0.95:
            kind = ": Tensor[(2, 3), float32]" if random.random() < 0.2 else ""
            lines.append(f"let %v{index}{kind} = {value};")
            values.append(f"%v{index}")
        else:
            lines.append(f"{value};")
    result = " -> Tensor[(2, 3), float32]" if random.random() < 0.4 else ""
    if random.random() < 0.1:
        lines.insert(random.randrange(len(lines) + 1), "// nn.relu(%x);")
    body = random.choice(["\n  ", " "]).join([*lines, _value(random, values, weights, known)])
    if "//" in body:
        body = body.replace("; ", ";\n")
        body = body.replace("%x);", "%x);\n")
    return f"def @{name}({', '.join(params)}){result} {{ {body} }}"


def _value(random: Random, values: list[str], weights: list[str], known: list[str]) -> str:
    pick = lambda: random.choice(values[-3:] if random.random() < 0.7 else values)  # noqa: E731
    choice = random.random()
    if choice < 0.45:
        return f"{random.choice(_UNARY[:7])}({pick()})"
    if choice < 0.6:
        return f"{random.choice(_BINARY[:4])}({pick()}, {pick()})"
    if choice < 0.72 and weights:
        return f"nn.dense({pick()}, {random.choice(weights)}, units={random.choice([3, 3, 3, 4])})"
    if choice < 0.8:
        return f"reshape({pick()}, newshape=[{random.choice(['2, 3', '2, 3', '-1, 3', '6'])}])"
    if choice < 0.86 and known:
        return f"@{random.choice(known)}({pick()})"
    if choice < 0.9:
        return f"({pick()}, {pick()}).{random.choice([0, 1])}"
    if choice < 0.93:
        return f"if (True) {{ {pick()} }} else {{ let %q = {pick()}; %q }}"
    if choice < 0.95:
        return pick()
    if choice < 0.97:
        return f"{pick()} * {pick()} + 1f"
    return f"(fn (%y) {{ nn.relu(%y) }})({pick()})"


def edits(text: str, random: Random) -> list[tuple[int, int, str]]:
    """Some edits to be made together; the later ones are meant in what the earlier have made."""
    tokens = list(_TOKEN.finditer(text))
    lines = [match.span() for match in re.finditer(r"[^\n;{}]*[;\n]", text)]
    choice = random.random()
    sensible = [token for token in tokens if token.group() in _WORDS or token.group()[0] in "%234"]
    if choice < 0.35 and sensible:
        token = random.choice(sensible)
        return [(*token.span(), _alike(token.group(), text, random))]
    if choice < 0.5 and tokens:
        token = random.choice(tokens)
        return [(*token.span(), _other(token.group(), text, random))]
    if choice < 0.6 and lines:
        return [(*random.choice(lines), "")]
    if choice < 0.7 and lines:
        start, end = random.choice(lines)
        return [(end, end, text[start:end])]
    if choice < 0.8 and lines:
        at = random.choice(lines)[1]
        value = random.choice(re.findall(r"%\w+", text) or ["%x"])
        return [
            (at, at, random.choice([f"%{random.randrange(9)} = nn.relu({value});", f"let %n = copy({value});", "\n"]))
        ]
    if choice < 0.86:
        start = random.randrange(len(text) + 1)
        return [(start, min(len(text), start + random.randrange(4)), random.choice(["", *_JUNK]))]
    if choice < 0.9:
        defined = list(re.finditer(r"def @(\w+)[^\0]*?\}\s*(?=def|\Z|//|type)", text))
        if defined:
            found = random.choice(defined)
            again = found.group().replace(f"@{found.group(1)}", f"@{found.group(1)}n", 1)
            return [random.choice([(*found.span(), ""), (found.end(), found.end(), again), (*found.span(), again)])]
    if choice < 0.94:
        at = random.choice([0, len(text)])
        return [(at, at, random.choice([" ", "\n", "def @h(%x) { %x }\n", "type M { E }\n", "// c\n", "%x"]))]
    first = edits(text, random)
    for start, end, new in first:
        text = text[:start] + new + text[end:]
    return [*first, *edits(text, random)]


def _alike(token: str, text: str, random: Random) -> str:
    """Something that may well stand in the place of a token."""
    if token[0] == "%":
        return random.choice([*re.findall(r"%\w+", text), "copy(%x)", "(%x)", f"nn.relu({token})"])
    if token in _WORDS:
        return random.choice(_UNARY[:6] if token in _UNARY else _BINARY[:4])
    return random.choice("234")


def _other(token: str, text: str, random: Random) -> str:
    if token[0] in "%@":
        return random.choice([token, *re.findall(rf"{token[0]}\w+", text)])
    if token in _UNARY or token in _BINARY:
        return random.choice(_UNARY if token in _UNARY else _BINARY)
    if token[0].isdigit():
        return random.choice(_NUMBERS)
    if token == "Tensor":
        return random.choice(["Tensor", "_"])
    return random.choice([token, "", random.choice(_TYPES), *_JUNK[:6]])


def fresh(text: str, closed: bool, rules: RuleBase | None = None) -> relaylogic.Result | ParseError:
    """What a whole inference says."""
    try:
        return relaylogic.infer(text, closed=closed, rules=rules)
    except ParseError as problem:
        return problem


def said_by(found: relaylogic.Result | ParseError, thorough: bool) -> str:
    """All that a result says; why it is refuted only if `thorough`. What is unknown is numbered as it comes up."""
    return numbered(repr(_said(found, thorough)))


def numbered(text: str) -> str:
    """A text with what is unknown numbered as it comes up."""
    numbers: dict[str, int] = {}
    return _UNKNOWN.sub(lambda m: f"~{numbers.setdefault(m.group(), len(numbers))}", text)


def _said(found: relaylogic.Result | ParseError, thorough: bool) -> tuple[object, ...]:
    if isinstance(found, ParseError):
        return "no program", str(found), _place(found.span)
    calls = [(c.function, c.callee, str(c.type), _place(c.span), c.assumed) for c in found.calls]
    functions = {name: str(known) for name, known in found.functions.items()}
    said: tuple[object, ...] = (found.verdict, functions, calls, found.limit)
    if thorough:
        errors = [
            (e.message, _place(e.span), e.relation, e.clause, e.function, e.hints, e.malformed) for e in found.errors
        ]
        residue = [(r.relation, r.arguments, r.alternatives, _place(r.span)) for r in found.residue]
        said += (errors, residue, [(_place(span), text) for span, text in found.warnings])
    return said


def _place(span: Any) -> object:
    return None if span is None else (repr(span), span.text, span.source.text)
