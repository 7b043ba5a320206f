"""Texts derived from the grammars that the parsers are made of: every construct there is, also what nobody writes.

A `Grammar` expands a nonterminal at random. Names come from short lists, by where they stand, so that they mean
something more often than not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from relaylogic.clauses.grammar import GRAMMAR as CLAUSES
from relaylogic.text.grammar import GRAMMAR as TEXT

__all__ = ["DATA_TYPES", "clause_body", "clause_statement", "relay_expr", "relay_item", "relay_program", "relay_type"]

_RULE = re.compile(r"^(\w+):", re.MULTILINE)
_FAR = 10**6
DATA_TYPES = [
    "type List[A] { Cons(A, List[A]), Nil }",
    "type Vec[n: ShapeVar, t: BaseType] { MkVec(Tensor[(n, 2), t]), Empty }",
    "type Shaped[s: Shape, a] { Shape1(Tensor[s, float32], a), Same(Shaped[s, a]) }",
    "data Signed[a] { Num : (int32) -> Signed[a], Any1 : (a, (a,)) -> Signed[a] }",
    "extern type Opaque",
]
_SIGNS = """
LPAR ( RPAR ) LSQB [ RSQB ] LBRACE { RBRACE } COMMA , SEMI ; COLON : EQ = PLUS + QUESTION ? MINUS - STAR * SLASH /
PERCENT % LT < GT > LE <= GE >= EQEQ == NE != ARROW -> FATARROW => ELLIPSIS ... LANGLE < RANGLE > FLOORDIV // WCOMMA ,
HOLE _ PMATCH match? SEMICOLON ; BAR | EQUAL = LESSTHAN < MORETHAN > ASK ?- IF :- DOT .
"""
_PUNCTUATION = dict(re.findall(r"(\w+) (\S+)", _SIGNS))


class Grammar:
    """Productions by nonterminal, each a list of symbols, with the heights of the lowest trees that they have.

    `words` are what terminals may be; under `nonterminal.TERMINAL`, what they may be in an alternative of that one.
    Alternatives with `rare` terminals are.
    """

    def __init__(self, text: str, words: Mapping[str, Sequence[str]], rare: Sequence[str] = ()) -> None:
        self.words = words
        self.rare = frozenset(rare)
        self.rules: dict[str, list[list[str]]] = {}
        lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
        starts = list(_RULE.finditer(lines))
        for start, after in zip(starts, [*starts[1:], None], strict=True):
            body = lines[start.end() : len(lines) if after is None else after.start()]
            alternatives = [alternative.partition("->")[0].split() for alternative in re.split(r"\|", body)]
            self.rules[start.group(1)] = alternatives
        self.heights = dict.fromkeys(self.rules, _FAR)
        changed = True
        while changed:
            changed = False
            for name, alternatives in self.rules.items():
                height = min(map(self._height, alternatives))
                if height < self.heights[name]:
                    self.heights[name] = height
                    changed = True

    def _height(self, symbols: Sequence[str]) -> int:
        return 1 + max((self.heights.get(symbol, 0) for symbol in symbols), default=0)

    def derive(self, random: Random, start: str, depth: int) -> str:
        """A text of the language of `start`, from a tree that is about so deep."""
        out: list[str] = []
        agenda = [(start, depth, "")]
        while agenda:
            symbol, left, above = agenda.pop()
            if symbol not in self.rules:
                out.append(self._word(random, symbol, above))
                continue
            alternatives = self.rules[symbol]
            low = [a for a in alternatives if self._height(a) <= max(left, self.heights[symbol])]
            chosen = random.choice(low)
            if not self.rare.isdisjoint(chosen) and random.random() < 0.9:
                chosen = random.choice(low)
            agenda.extend((inner, left - 1, symbol) for inner in reversed(chosen))
        return " ".join(out)

    def _word(self, random: Random, terminal: str, above: str) -> str:
        known = self.words.get(f"{above}.{terminal}") or self.words.get(terminal)
        if known is not None:
            return random.choice(known)
        return _PUNCTUATION.get(terminal, terminal.lower())


_TYPES = ["float32", "int32", "bool", "int8", "float32", "float32", "Opaque"]
_APPLIED = ["List", "Vec", "Shaped", "Signed", "Opaque", "List"]
_CONSTRUCTORS = ["Cons", "Nil", "MkVec", "Empty", "Shape1", "Same", "Num", "Any1", "Cons", "Nil"]
_OPERATORS = ["add", "nn.relu", "reshape", "sum", "concatenate", "nn.dense", "exp", "transpose", "split", "cast"]
_TEXT_WORDS = {
    "LOCAL": ["%x", "%y"],
    "let_head.LOCAL": ["%x", "%y", "%z", '%"odd name"', "%z.1"],
    "GRAPH": ["%0"],
    "postfix.GRAPH": ["%x", "%y", "%x", "%y", "%0"],
    "var_value.GRAPH": ["%x", "%y"],
    "GLOBAL": ["@main", "@f", "@f", '@"g h"'],
    "IDENT": [*_TYPES, *_OPERATORS, *_CONSTRUCTORS],
    "postfix.IDENT": [*_OPERATORS, *_OPERATORS, *_CONSTRUCTORS, "stop", "Broadcast"],
    "pattern.IDENT": _CONSTRUCTORS,
    "open_pattern.IDENT": _CONSTRUCTORS,
    "ctor.IDENT": ["K1", "K2", "K3", "K4"],
    "type_head.IDENT": ["T1", "T2", "T3"],
    "type.IDENT": _TYPES,
    "core_type.IDENT": _APPLIED,
    "dtype.IDENT": ["float32", "int8", "t", "bool"],
    "shape.IDENT": ["s", "n"],
    "tparam.IDENT": ["a", "s", "t", "n", "Shape", "BaseType", "ShapeVar", "Type"],
    "relation.IDENT": ["Broadcast", "Identity", "Flatten", "Nope"],
    "factor.IDENT": ["n", "s", "t", "a", "float32", "max"],
    "attr.IDENT": [
        "axis",
        "axis",
        "newshape",
        "units",
        "dtype",
        "axes",
        "keepdims",
        "indices_or_sections",
        "Primitive",
    ],
    "value.IDENT": ["None", "float32", "name"],
    "NUMBER": ["0", "1", "2", "3", "6", "1.5f", "2f16", "3i64", "7"],
    "STRING": ['"float32"', '"int8"', '""', '"NCHW"', '"名"'],
    "item.STRING": ['"prelude"', '"prelude"', '"prelude"', '"nope"'],
    "DTYPE": ["custom[posit]16", "custom[posit]16x4"],
    "BOOL": ["True", "False"],
    "META": ["1", "2f", "True", "meta[relay.Constant][0]"],
    "core_type.META": ["float32", "meta[IncompleteTypeNode][0]", "meta[IncompleteTypeNode][0]"],
    "PROJ": [".0", ".1", ".0", ".-1"],
    "TENSOR": ["Tensor"],
    "TENSOR_TYPE": ["Tensor[(2, 3), float32]", "Tensor[(?, 3), int8]"],
    "INTS": ["[1, 2]", "[0]", "[-1, 3]"],
}
_CLAUSE_WORDS = {
    "NAME": ["A", "B", "C", "n", "m", "s", "o", "t", "k", "_", "int8", "float32", "n", "s", "A"],
    "call.NAME": [
        *("Mine", "Other", "append", "prod", "len", "max", "Broadcast", "Identity", "lazily", "natural", "Tensor"),
        *("is_float", "add", "nn.relu", "sum", "shape", "ref", "elements", "distinct", "member", "Leaf", "Fork", "map"),
    ],
    "place.NAME": ["Tensor", "Tree", "s", "A"],
    "atom.NAME": [
        *("A", "B", "n", "m", "s", "t", "_", "int8", "custom[p]8", "attrs.axis", "attrs.k", "true", "none", "n", "s"),
    ],
    "NUMBER": ["0", "1", "2", "3", "6"],
    "STRING": ['"a"', '"one"', '"axis"'],
    "item.STRING": ['"first"', '"second"', '"the rank"'],
    "QUESTION": ["?"],
    "COMPARISON": ["<=", ">=", "!=", "=="],
    "name.NAME": ["a", "b", "n", "out"],
    "attribute.NAME": ["axis", "k", "int", "list", "dim", "str", "bool", "dtype", "natural", "float", "int"],
    "parameter.NAME": ["a", "n", "s", "Shape", "ShapeVar", "BaseType", "Type"],
    "constructor.NAME": ["Leaf", "Fork", "Unit"],
    "clause.NAME": ["one", "two"],
    "stated.NAME": ["Mine", "Other", "my.op", "Tree", "Third"],
    "kind.NAME": ["t", "Type", "n", "Shape"],
    "order.NAME": ["a", "b"],
    "DATA": ["data"],
}
_RELAY = Grammar(TEXT, _TEXT_WORDS, ("FREE_VAR", "META", "IMPORT", "GRAPH", "DTYPE"))
_CLAUSES = Grammar(CLAUSES, _CLAUSE_WORDS, ("ELLIPSIS", "ASK", "STRING"))


def relay_expr(random: Random) -> str:
    """An expression; its variables are %x and %y, mostly."""
    return _RELAY.derive(random, "expr", random.choice([3, 5, 7, 9]))


def relay_type(random: Random) -> str:
    """A type."""
    return _RELAY.derive(random, "type", random.choice([2, 4, 6]))


def relay_item(random: Random) -> str:
    """A definition, or whatever else may stand at the top of a program."""
    return _RELAY.derive(random, "item", random.choice([4, 6, 8]))


def relay_program(random: Random) -> str:
    """Data types, and functions whose bodies are derived; some items that are nothing else."""
    few = random.random() < 0.1
    lines = [line for line in DATA_TYPES if not few or random.random() < 0.7]
    lines += [relay_item(random) for _ in range(random.choice([0, 0, 0, 1]))]
    for name in ["@main", "@f"][: random.choice([1, 1, 2])]:
        given = random.choice(["Tensor[(2, 3), float32]", "List[int32]", "Vec[2, int8]", relay_type(random)])
        lines.append(f"def {name}(%x: {given}, %y) {{ {relay_expr(random)} }}")
    return "\n".join(lines) + "\n"


def clause_body(random: Random) -> str:
    """A body of a clause, or a query: a derived one, or goals whose terms are."""
    if random.random() < 0.2:
        return _CLAUSES.derive(random, "body", random.choice([6, 8, 10, 12]))
    return ", ".join(_goal(random) for _ in range(random.choice([1, 2, 2, 3])))


def _goal(random: Random) -> str:
    def term() -> str:
        return _CLAUSES.derive(random, "sum", random.choice([4, 5, 6, 8, 9]))

    kind = random.randrange(6)
    if kind <= 2:
        return f"{random.choice(['A', 'B', 'n', 's', term()])} = {term()}"
    if kind == 3:
        return f"{term()} {random.choice(['<', '<=', '!='])} {term()}"
    goal = _CLAUSES.derive(random, "call", random.choice([6, 8, 9]))
    return f'"a premise": {goal}' if kind == 4 else goal


def clause_statement(random: Random) -> str:
    """A statement of a file of clauses."""
    if random.random() < 0.4:
        return f"{random.choice(['Mine(A, B)', 'Other(n, m)', 'one: Mine(A, B)'])} :- {clause_body(random)}."
    return _CLAUSES.derive(random, "stated", random.choice([6, 9, 12])) + "."
